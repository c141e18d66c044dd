//! Asking git, if there is one. Nothing is ever written.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

use treebound_core::shown::shown;

/// Why git has not answered.
#[derive(Debug, Error)]
pub enum GitError {
    /// It cannot be started.
    #[error("git cannot be started: {0}")]
    Start(std::io::Error),
    /// It refuses.
    #[error("git says: {}", shown(.0))]
    Refused(String),
}

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

    /// What git prints.
    ///
    /// # Errors
    /// If there is no git or it refuses.
    pub fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).args(arguments).stdin(Stdio::null());
        // The folder says which checkout is meant. In a hook, variables name the one that the hook is of.
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_")) {
            command.env_remove(name);
        }
        // Without this a status would refresh the index.
        let output = command.env("GIT_OPTIONAL_LOCKS", "0").output().map_err(GitError::Start)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        Err(GitError::Refused(if said.is_empty() { output.status.to_string() } else { said }))
    }

    /// What git prints; none if there is no git or it refuses.
    pub fn bytes(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        self.ask(arguments).ok()
    }

    /// What git prints, as text without the white space around it.
    pub fn text(&self, arguments: &[&str]) -> Option<String> {
        String::from_utf8(self.bytes(arguments)?).ok().map(|text| text.trim().to_owned())
    }

    /// Nothing, if a name is that of a commit.
    ///
    /// # Errors
    /// What git says of it.
    pub fn check_revision(&self, name: &str) -> Result<(), GitError> {
        // What begins with a dash would be an option.
        if name.starts_with('-') {
            return Err(GitError::Refused(format!("{name} is no revision")));
        }
        self.ask(&["rev-parse", "--verify", &format!("{name}^{{commit}}")]).map(drop)
    }

    /// True if a name is that of a commit.
    pub fn is_revision(&self, name: &str) -> bool {
        self.check_revision(name).is_ok()
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
