//! Where a value stands: a file and a line, or a flag.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of a config, or a flag of the command line.
#[derive(Debug)]
pub(super) struct Source {
    /// Its number: faults are told in this order.
    pub order: usize,
    /// Its name as the command line has it.
    pub shown: String,
    /// Its name from the config's folder: the same wherever one stands.
    pub relative: String,
    /// Its folder, from the config's folder: the paths in it start there.
    pub folder: PathBuf,
}

/// Where a value stands. Two configs are equal wherever their values stand, so any two places are.
#[derive(Clone)]
pub struct Place {
    source: Arc<Source>,
    /// From 1; none for a flag, or a file as a whole.
    line: Option<usize>,
}

impl Place {
    pub(super) fn line(source: &Arc<Source>, line: usize) -> Self {
        Self { source: source.clone(), line: Some(line) }
    }

    pub(super) fn whole(source: &Arc<Source>) -> Self {
        Self { source: source.clone(), line: None }
    }

    /// The same for the results, where the folder that one stands in must not be seen.
    pub(super) fn relative(&self) -> String {
        self.show(&self.source.relative)
    }

    /// By what faults are sorted.
    pub(super) fn order(&self) -> (usize, Option<usize>) {
        (self.source.order, self.line)
    }

    /// A path that stands here, from the config's folder.
    pub(super) fn rebase(&self, path: &str) -> String {
        if Path::new(path).is_absolute() { path.to_owned() } else { joined(&self.source.folder, path) }
    }

    fn show(&self, name: &str) -> String {
        match self.line {
            Some(line) => format!("{name}:{line}"),
            None => name.to_owned(),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&self.source.shown))
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&self.source.shown))
    }
}

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// `path` from `folder`, without the folders that `..` leaves again.
pub(super) fn joined(folder: &Path, path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let folder = folder.to_string_lossy();
    if folder.is_empty() {
        return path.to_owned();
    }
    for name in folder.split('/').chain(path.split('/')).filter(|name| !name.is_empty() && *name != ".") {
        match names.last() {
            Some(&last) if name == ".." && last != ".." => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    let root = if folder.starts_with('/') { "/" } else { "" };
    match names.join("/") {
        names if names.is_empty() && root.is_empty() => ".".to_owned(),
        names => format!("{root}{names}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_the_folders_that_they_leave() {
        for (folder, path, expected) in [
            ("", "../data/x", "../data/x"),
            ("corpora", "../../data/x", "../data/x"),
            ("corpora", "x", "corpora/x"),
            ("../a", "../../b", "../../b"),
            ("a", "..", "."),
            ("/a/b", "../x", "/a/x"),
        ] {
            assert_eq!(joined(Path::new(folder), path), expected, "{folder} {path}");
        }
    }
}
