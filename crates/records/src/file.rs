//! Files of the results: there whole or not at all.

use std::fs;
use std::path::Path;

use super::ReportError;
use treebound_files::{input, write_whole};

/// The bytes of a file.
///
/// # Errors
/// As [`input::read`].
pub fn read(path: &Path) -> Result<Vec<u8>, ReportError> {
    input::read(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })
}

/// The bytes of a file, if it is there.
///
/// # Errors
/// If the system refuses, or it is no file.
pub fn bytes_if_there(path: &Path) -> Result<Option<Vec<u8>>, ReportError> {
    match read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReportError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

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
    treebound_files::try_to_write(path).map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

/// Removes a file, if it is there: what it says no longer holds.
///
/// # Errors
/// If the system refuses.
pub fn remove(path: &Path) -> Result<(), ReportError> {
    match fs::remove_file(path) {
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
