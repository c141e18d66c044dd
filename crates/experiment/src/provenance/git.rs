//! Asking git, if there is one. Nothing is ever written.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Git, run in a folder.
#[derive(Clone, Debug)]
pub struct Git {
    folder: PathBuf,
}

impl Git {
    /// Git as it would be run in that folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// What git prints; none if there is no git or it refuses.
    pub fn bytes(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let mut command = Command::new("git");
        // Without this a status would refresh the index.
        command.arg("-C").arg(&self.folder).env("GIT_OPTIONAL_LOCKS", "0");
        let output = command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then_some(output.stdout)
    }

    /// What git prints, as text without the white space around it.
    pub fn text(&self, arguments: &[&str]) -> Option<String> {
        String::from_utf8(self.bytes(arguments)?).ok().map(|text| text.trim().to_owned())
    }

    /// True if a name is that of a commit.
    pub fn is_revision(&self, name: &str) -> bool {
        // What begins with a dash would be an option.
        !name.starts_with('-')
            && self.text(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]).is_some()
    }

    /// A file, below the folder, as it was in a revision; none if it was not there.
    pub fn file(&self, revision: &str, path: &Path) -> Option<Vec<u8>> {
        // Git names files with slashes everywhere.
        let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
        let name = format!("{revision}:./{}", parts?.join("/"));
        let object = self.text(&["rev-parse", "--verify", "--quiet", &name])?;
        self.bytes(&["cat-file", "blob", &object])
    }
}
