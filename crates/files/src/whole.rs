//! Files that are either whole or absent: the one way in which files are written.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use crate::owner;

/// How the names of files begin that are being written; the [tag](owner::tag) of the process follows.
pub const UNFINISHED: &str = ".unfinished-";

/// Removes from a folder what processes that are gone have left half-written. What cannot be removed stays.
pub fn remove_unfinished(folder: &Path) {
    remove_left_behind(folder, UNFINISHED, |_| {});
}

/// Removes from a folder the files and folders whose names begin with `prefix` and the [tag](owner::tag) of a process that is
/// gone, after `end` has ended what still goes on there. What cannot be removed stays.
pub fn remove_left_behind(folder: &Path, prefix: &str, end: impl Fn(&Path)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let tagged = name.to_str().and_then(|name| name.strip_prefix(prefix));
        if tagged.is_some_and(|tagged| owner::is_left_behind(tagged, &path)) {
            end(&path);
            let _ = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => fs::remove_dir_all(path),
                false => fs::remove_file(path),
            };
        }
    }
}

/// Clears a folder of what is half-written there, the first time that this process writes into it.
fn clear_once(folder: &Path) {
    static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        remove_unfinished(folder);
    }
}

/// Where what is written to a path goes.
enum Place {
    /// A file, or nothing yet: links to it are followed.
    File(PathBuf),
    /// What is no file and stays what it is: a pipe, a device, an output that this process was started with.
    Stream(File),
}

/// Most links from one to the next, as the system has it.
const MOST_LINKS: usize = 40;

impl Place {
    fn behind(path: &Path) -> io::Result<Self> {
        let mut place = path.to_owned();
        for _ in 0..MOST_LINKS {
            let folder = place.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            // Below /proc stands what processes have open: to rename over that would cut it off from who reads it.
            if folder.canonicalize().is_ok_and(|folder| folder.starts_with("/proc")) {
                return own_output(&place).map(Self::Stream);
            }
            place = match fs::symlink_metadata(&place) {
                Ok(there) if there.is_symlink() => folder.join(fs::read_link(&place)?),
                Ok(there) if there.is_file() => return Ok(Self::File(place)),
                Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
                Ok(_) => return File::options().write(true).open(&place).map(Self::Stream),
                Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Self::File(place)),
                Err(e) => return Err(e),
            };
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "its links lead to no end"))
    }
}

/// Something that is open, by its name below `/proc`. Outputs of this process go on from where they are.
fn own_output(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let own = Path::new("/proc/self/fd").canonicalize()?;
        if path.parent().and_then(|folder| folder.canonicalize().ok()).is_some_and(|folder| folder == own) {
            let number = path.file_name().and_then(|name| name.to_str());
            let output = match number {
                Some("1") => Some(io::stdout().as_fd().try_clone_to_owned()?),
                Some("2") => Some(io::stderr().as_fd().try_clone_to_owned()?),
                _ => None,
            };
            if let Some(output) = output {
                return Ok(output.into());
            }
        }
    }
    File::options().append(true).open(path)
}

/// Makes the folder of a file and tries to write there, so that who works for hours to write the file hears of it before.
///
/// # Errors
/// What the system says.
pub fn try_to_write(path: &Path) -> io::Result<()> {
    // A pipe is opened once, when it is written.
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return Ok(());
    }
    match Place::behind(path)? {
        Place::File(place) => begin(&place).map(drop),
        Place::Stream(_) => Ok(()),
    }
}

/// Writes a file as [`replace_whole`] does, through links to it. What is there and no file (a pipe, a device, an output
/// that this process was started with) is written to as it is.
///
/// # Errors
/// What the system says; what stood at `path` is then untouched.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match Place::behind(path)? {
        Place::File(place) => replace_whole(&place, write),
        Place::Stream(file) => {
            let mut out = io::BufWriter::new(file);
            write(&mut out)?;
            out.flush()
        }
    }
}

/// Writes a file under a temporary name in its folder (made if absent) and renames it, so that no half-written file ever
/// bears the name, not even after a power cut. The mode and owner of a file that stood there are kept; a pipe of that name, for
/// which a writer would wait, and a link go.
///
/// # Errors
/// What the system says; what stood at `path` is then untouched.
pub fn replace_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let file = begin(path)?;
    #[cfg(unix)]
    if let Ok(there) = fs::symlink_metadata(path)
        && there.is_file()
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away.
        let _ = fchown(file.as_file(), Some(there.uid()), Some(there.gid()));
        file.as_file().set_permissions(there.permissions())?;
    }
    let mut file = io::BufWriter::new(file);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_folder(folder_of(path))
}

/// How often a folder is made again that somebody removes meanwhile, because it was empty.
const TRIES: usize = 100;

/// A file of a temporary name in the folder of a path, which is made if absent.
fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{UNFINISHED}{}-", owner::tag());
    builder.prefix(&prefix).suffix(".tmp");
    // Temporary files are private by default; these are as readable as any other file of the user.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut tries = 0;
    loop {
        match make_folder(folder).and_then(|()| builder.tempfile_in(folder)) {
            Err(e) if tries < TRIES && is_race(&e, folder) => tries += 1,
            begun => {
                clear_once(folder);
                return begun;
            }
        }
    }
}

/// Whether an error may come of a folder that was removed while it was made or used, rather than from what stands in its way.
pub fn is_race(error: &io::Error, folder: &Path) -> bool {
    let is_fitting = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists);
    let stands_in_the_way = fs::symlink_metadata(folder).is_ok_and(|there| !there.is_dir()) && !folder.is_dir();
    is_fitting && !stands_in_the_way
}

/// Makes a folder and those above it, so that they are there after a power cut.
fn make_folder(folder: &Path) -> io::Result<()> {
    let new: Vec<&Path> =
        folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.is_dir()).collect();
    fs::create_dir_all(folder)?;
    new.into_iter().map(folder_of).try_for_each(sync_folder)
}

/// Lets no power cut take back what was done to the names in a folder, where the file system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    use io::ErrorKind::{InvalidInput, NotFound, PermissionDenied, Unsupported};
    #[cfg(unix)]
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems know no such thing, and a folder can be writable without being readable.
        Err(e) if matches!(e.kind(), Unsupported | InvalidInput | PermissionDenied | NotFound) => {}
        done => return done,
    }
    Ok(())
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
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

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_modes_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).expect("made");
        fs::write(at("deep/file"), "old").expect("written");
        fs::set_permissions(at("deep/file"), fs::Permissions::from_mode(0o600)).expect("private");
        symlink("file", at("deep/link")).expect("linked");
        symlink("deep/link", at("link")).expect("linked");
        write_whole(&at("link"), |out| out.write_all(b"new")).expect("written");
        assert_eq!(fs::read(at("deep/file")).expect("read"), b"new");
        assert_eq!(fs::metadata(at("deep/file")).expect("there").permissions().mode() & 0o777, 0o600);
        assert!([at("link"), at("deep/link")].iter().all(|link| link.is_symlink()));
        // One that leads nowhere yet has a file there from then on.
        symlink("deep/none/new", at("dangling")).expect("linked");
        write_whole(&at("dangling"), |out| out.write_all(b"x")).expect("written");
        assert_eq!(fs::read(at("deep/none/new")).expect("read"), b"x");
        symlink("round", at("round")).expect("linked");
        assert!(write_whole(&at("round"), |out| out.write_all(b"x")).is_err());
    }

    #[test]
    fn what_killed_writers_left_goes_with_the_next_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = owner::tag().split('-').next().map(str::to_owned).expect("a place");
        let left = folder.path().join(format!("{UNFINISHED}{place}-4194999-1-a.tmp"));
        fs::write(&left, "half").expect("written");
        write_whole(&folder.path().join("x"), |out| out.write_all(b"x")).expect("written");
        assert!(!left.exists());
    }
}
