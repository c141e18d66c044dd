//! Files that are there whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::error::ReportError;

/// Writes a file under a temporary name beside it and renames it, so that nobody ever sees half of it. Missing folders
/// are made.
///
/// # Errors
/// If the system refuses; what stood at `path` is then untouched.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    replace(path, bytes).map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".unfinished-").suffix(".tmp");
    // Temporary files are private by default; a result is as readable as any other file of the user.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results/x/scores.csv");
        write(&path, b"one").expect("written");
        write(&path, b"two").expect("written");
        assert_eq!(fs::read(&path).expect("read"), b"two");
        assert_eq!(fs::read_dir(path.parent().expect("a parent")).expect("listed").count(), 1);
    }

    #[test]
    fn a_folder_in_the_way_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = write(folder.path(), b"x").expect_err("a folder is no file").to_string();
        assert!(message.starts_with(&format!("{}: cannot write the file: ", folder.path().display())), "{message}");
    }
}
