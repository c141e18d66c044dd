//! The state of the sources, as git knows it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::git::Git;
use super::machine::UNKNOWN;
use crate::sources;

/// The state of a checkout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The commit, or `unknown`.
    pub commit: String,
    /// Whether tracked files other than results and figures differ from it, or the program was built from other sources than
    /// stand there, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty: Option<bool>,
}

/// What the program itself writes does not make its sources dirty.
const OUTPUTS: [&str; 3] = [".", ":(exclude)results", ":(exclude)figures"];

impl Repository {
    /// The checkout in a folder; unknown if there is no folder, no git or no checkout.
    pub fn of(folder: Option<&Path>) -> Self {
        let unknown = Self { commit: UNKNOWN.to_owned(), dirty: None };
        let Some(git) = folder.map(Git::in_folder) else { return unknown };
        let Some(commit) = git.text(&["rev-parse", "--verify", "--quiet", "HEAD"]) else { return unknown };
        let mut arguments = vec!["status", "--porcelain", "--untracked-files=no", "--"];
        arguments.extend(OUTPUTS);
        Self { commit, dirty: git.text(&arguments).map(|changes| !changes.is_empty()) }
    }
}

impl Repository {
    /// The checkout that this program was built from.
    pub fn of_this_program() -> Self {
        let folder = source_folder();
        let mut repository = Self::of(folder.as_deref());
        if let (Some(folder), Some(dirty)) = (folder, &mut repository.dirty) {
            *dirty |= sources::checksum(&folder) != env!("TREEBOUND_SOURCES");
        }
        repository
    }
}

/// Whether results in a folder would be of sources that are not committed, and stand beside these: in the same checkout.
pub fn are_uncommitted_beside(results: &Path) -> bool {
    let is_within = |folder: &Path| {
        let there = results.ancestors().find_map(|folder| folder.canonicalize().ok());
        let there = there.or_else(|| std::env::current_dir().ok());
        folder.canonicalize().ok().zip(there).is_some_and(|(folder, there)| there.starts_with(folder))
    };
    source_folder().is_some_and(|folder| is_within(&folder)) && Repository::of_this_program().dirty == Some(true)
}

/// The folder of this program's sources: where it was built, or else the working folder, if that holds them.
fn source_folder() -> Option<PathBuf> {
    let holds_sources = |folder: &PathBuf| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line == "name = \"treebound\"")
    };
    let built = Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    [built, std::env::current_dir().ok()].into_iter().flatten().find(holds_sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_build_wherever_it_is_taken() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert_eq!(sources::checksum(&folder), env!("TREEBOUND_SOURCES"));
    }

    #[test]
    fn what_is_no_checkout_is_unknown() {
        let folder = tempfile::tempdir().expect("a folder");
        let unknown = Repository { commit: UNKNOWN.to_owned(), dirty: None };
        assert_eq!(Repository::of(Some(folder.path())), unknown);
        assert_eq!(Repository::of(None), unknown);
    }

    #[test]
    fn results_do_not_make_sources_dirty() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let git = Git::in_folder(path);
        let identity = ["-c", "user.name=n", "-c", "user.email=e"];
        let run = |arguments: &[&str]| git.text(&[&identity[..], arguments].concat());
        if run(&["init", "--quiet"]).is_none() {
            return; // No git here.
        }
        std::fs::create_dir(path.join("results")).expect("made");
        for file in ["source", "results/scores.csv"] {
            std::fs::write(path.join(file), "1").expect("written");
        }
        run(&["add", "."]).expect("added");
        run(&["commit", "--quiet", "-m", "m"]).expect("committed");
        let clean = Repository::of(Some(path));
        assert_eq!((clean.commit.len(), clean.dirty), (40, Some(false)));
        std::fs::write(path.join("results/scores.csv"), "2").expect("written");
        assert_eq!(Repository::of(Some(path)), clean);
        std::fs::write(path.join("source"), "2").expect("written");
        assert_eq!(Repository::of(Some(path)).dirty, Some(true));
    }
}
