//! Files of the results: there whole or not at all.

use std::path::Path;

use super::ReportError;
use treebound_parser::whole_file::{self, write_whole};

/// Writes a file; missing folders are made.
///
/// # Errors
/// If the system refuses; what stood at `path` is then untouched.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    write_whole(path, |out| out.write_all(bytes)).map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

/// Tries whether a file can be written, before the work that it is for.
///
/// # Errors
/// If the system refuses.
pub fn try_to_write(path: &Path) -> Result<(), ReportError> {
    whole_file::try_to_write(path).map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

/// Removes a file, if it is there: what it says no longer holds.
///
/// # Errors
/// If the system refuses.
pub fn remove(path: &Path) -> Result<(), ReportError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(ReportError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_the_way_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = write(folder.path(), b"x").expect_err("a folder is no file").to_string();
        assert!(message.starts_with(&format!("{}: cannot write the file: ", folder.path().display())), "{message}");
    }
}
