//! File names in configs: relative to the config, with folders to choose from, `*` and runs of numbers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use treebound_records::spanned::nearest;

/// Most numbers that a run may stand for.
const MOST_NUMBERS: u32 = 100_000;

/// Files that cannot be found.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum FilesError {
    /// None of the folders holds anything.
    #[error("none of these folders has files: {}; put the treebank in one of them, or name its folder in the config (make data fetches en_ewt and zh_gsd; README, Real treebanks, says where the others are)", .0.join(", "))]
    NoFolder(Vec<String>),
    /// A name that matches nothing.
    #[error("no file matches {0}{meant}", meant = did_you_mean(Path::new(.0)))]
    NoMatch(String),
    /// A file that is named more than once: its sentences would count as often.
    #[error("{0} is named more than once; each file of a part is named once")]
    Twice(String),
    /// A name that cannot be understood.
    #[error("`{name}`: {message}")]
    Pattern {
        /// The name.
        name: String,
        /// What was expected.
        message: String,
    },
}

/// The path that was probably meant, where there is no such file: its folder is there, and so is a file with a name like it.
pub fn nearest_path(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut names: Vec<String> =
        folder.unwrap_or(Path::new(".")).read_dir().ok()?.flatten().filter_map(name_of).collect();
    names.sort();
    let meant = nearest(name, names.iter().map(String::as_str))?;
    (meant != name).then(|| folder.map_or_else(|| PathBuf::from(meant), |folder| folder.join(meant)))
}

fn name_of(entry: std::fs::DirEntry) -> Option<String> {
    entry.file_name().into_string().ok()
}

/// What a message on a path that is not there ends with.
pub fn did_you_mean(path: &Path) -> String {
    nearest_path(path).map_or_else(String::new, |meant| format!("; did you mean {}?", meant.display()))
}

/// The first folder of `folders` (relative to `base`) that holds something; `base` if there are none to choose from. What is
/// half fetched does not count, so that it does not hide another folder.
///
/// # Errors
/// If none does.
pub fn folder(base: &Path, folders: &[String]) -> Result<PathBuf, FilesError> {
    if folders.is_empty() {
        return Ok(base.to_owned());
    }
    let all = || folders.iter().map(|f| base.join(f));
    let is_whole = |entry: std::fs::DirEntry| !entry.file_name().to_string_lossy().ends_with(".part");
    let holds = |f: &PathBuf| f.read_dir().is_ok_and(|entries| entries.flatten().any(is_whole));
    all().find(holds).ok_or_else(|| FilesError::NoFolder(all().map(|f| f.display().to_string()).collect()))
}

/// The files that `names` mean, in order: each name's matches sorted. `*`, `?` and `[...]` match as in a shell, and
/// `{0001..0159}` stands for each of the numbers; of a run of numbers those files count that exist.
///
/// # Errors
/// If a name matches nothing, or a file is named twice.
pub fn expand(folder: &Path, names: &[String]) -> Result<Vec<PathBuf>, FilesError> {
    let mut files = Vec::new();
    for name in names {
        let before = files.len();
        for single in numbers(name)? {
            let path = folder.join(&single);
            if path.is_file() {
                files.push(path);
                continue;
            }
            // Only the name has wildcards; the folder is what it is.
            let pattern = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(&single);
            let matches = glob::glob(&pattern.to_string_lossy())
                .map_err(|e| FilesError::Pattern { name: name.clone(), message: e.to_string() })?;
            let mut found: Vec<PathBuf> = matches.flatten().filter(|p| p.is_file()).collect();
            found.sort();
            files.extend(found);
        }
        if files.len() == before {
            return Err(FilesError::NoMatch(folder.join(name).display().to_string()));
        }
    }
    let mut seen = BTreeSet::new();
    let twice = files.iter().find(|path| !seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_path_buf())));
    if let Some(path) = twice {
        return Err(FilesError::Twice(path.display().to_string()));
    }
    Ok(files)
}

/// Replaces `{0001..0159}` by each number of the run, keeping leading zeros.
fn numbers(name: &str) -> Result<Vec<String>, FilesError> {
    let Some((head, rest)) = name.split_once('{') else { return Ok(vec![name.to_owned()]) };
    let fail = || FilesError::Pattern {
        name: name.to_owned(),
        message: "a run of numbers is written {0001..0159}".to_owned(),
    };
    let (run, tail) = rest.split_once('}').ok_or_else(fail)?;
    let (first, last) = run.split_once("..").ok_or_else(fail)?;
    let (from, to): (u32, u32) = first.parse().ok().zip(last.parse().ok()).ok_or_else(fail)?;
    if from > to {
        return Err(fail());
    }
    if to - from >= MOST_NUMBERS {
        let message = format!("a run of numbers stands for at most {MOST_NUMBERS} files");
        return Err(FilesError::Pattern { name: name.to_owned(), message });
    }
    let width = first.len();
    let mut all = Vec::new();
    for tail in numbers(tail)? {
        all.extend((from..=to).map(|n| format!("{head}{n:0width$}{tail}")));
    }
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_numbers_keep_their_zeros() {
        assert_eq!(numbers("a_{08..11}.x").expect("a run"), ["a_08.x", "a_09.x", "a_10.x", "a_11.x"]);
        assert!(numbers("a_{9..1}").is_err());
        assert!(numbers("a_{9}").is_err());
        assert!(numbers("a_{0..4294967295}").is_err());
    }

    #[test]
    fn patterns_match_sorted_and_must_match() {
        let parent = tempfile::tempdir().expect("a folder");
        let dir = parent.path().join("g[1]");
        std::fs::create_dir(&dir).expect("a folder");
        for name in ["b2.c", "b1.c", "x.c"] {
            std::fs::write(dir.join(name), "").expect("a file");
        }
        let names = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            expand(&dir, &patterns)
                .map(|f| f.iter().map(|p| p.file_name().unwrap().to_string_lossy().into_owned()).collect::<Vec<_>>())
        };
        assert_eq!(names(&["x.c", "b*.c"]).expect("files"), ["x.c", "b1.c", "b2.c"]);
        assert_eq!(names(&["b{0..5}.c"]).expect("files"), ["b1.c", "b2.c"]);
        assert!(matches!(names(&["y*.c"]), Err(FilesError::NoMatch(_))));
        for twice in [["b1.c", "b*.c"], ["x.c", "./x.c"], ["b{0..5}.c", "b2.c"]] {
            assert!(matches!(names(&twice), Err(FilesError::Twice(_))), "{twice:?}");
        }
    }
}
