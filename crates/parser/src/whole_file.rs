//! Files that are either whole or absent.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// How the names of files begin that are being written; the number of the process follows.
pub const UNFINISHED: &str = ".unfinished-";

/// Removes from a folder what processes that are no longer there have left half-written. What cannot be removed stays.
pub fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let rest = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED)?.strip_suffix(".tmp"));
        // Names without a number are those of an earlier version.
        let process = rest.map(|rest| rest.split_once('-').and_then(|(number, _)| number.parse().ok()));
        if let Some(process) = process
            && !process.is_some_and(is_running)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether there is a process of that number.
#[cfg(unix)]
fn is_running(number: i32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    // One that is there and belongs to somebody else may not be asked, which is another error.
    Pid::from_raw(number).is_some_and(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_: i32) -> bool {
    true
}

/// Makes the folder of a file and tries to write there, so that who works for hours to write the file hears of it before.
///
/// # Errors
/// What the system says.
pub fn try_to_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Ok(());
    }
    tempfile::tempfile_in(folder_of(path)?).map(drop)
}

/// The folder of a file; made if absent.
fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    Ok(folder)
}

/// Writes a file as [`replace_whole`] does. What is there and no file (a pipe, a device) is written to as it is.
///
/// # Errors
/// What the system says; what stood at `path` is then untouched.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        let mut out = io::BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    replace_whole(path, write)
}

/// Writes a file under a temporary name in its folder (made if absent) and renames it, so that no half-written file ever
/// bears the name. A pipe of that name, for which a writer would wait, goes.
///
/// # Errors
/// What the system says; what stood at `path` is then untouched.
pub fn replace_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = folder_of(path)?;
    let mut builder = tempfile::Builder::new();
    // The process is named, so that what it leaves if it is killed can be told from what another still writes.
    let prefix = format!("{UNFINISHED}{}-", std::process::id());
    builder.prefix(&prefix).suffix(".tmp");
    // Temporary files are private by default; these are as readable as any other file of the user.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = io::BufWriter::new(builder.tempfile_in(folder)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results/x/scores.csv");
        let write = |bytes: &'static [u8]| write_whole(&path, |out| out.write_all(bytes));
        write(b"one").expect("written");
        write(b"two").expect("written");
        let fails = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(fails.is_err());
        assert_eq!(fs::read(&path).expect("read"), b"two");
        assert_eq!(fs::read_dir(path.parent().expect("a parent")).expect("listed").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_one() {
        let path = Path::new("/dev/null");
        write_whole(path, |out| out.write_all(b"x")).expect("written");
        assert!(!fs::metadata(path).expect("there").is_file());
    }
}
