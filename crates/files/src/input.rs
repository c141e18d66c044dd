//! Opening what is read: the one way to any input.
//!
//! An input that a config, a folder or another file names is a regular file of a bounded size. A pipe would be waited for,
//! and a device need not end. What a user names on the command line to be read once may also be a pipe or a device.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Most bytes of an input: of a treebank, a file of rows, a stream.
pub const MOST_BYTES: u64 = 2 << 30;

/// Most bytes of an input that people write: a config, templates, head rules.
pub const MOST_SETTINGS: u64 = 16 << 20;

/// Most bytes of a model, and of any other artifact.
pub const MOST_MODEL: u64 = 64 << 30;

/// All bytes of a regular file that has [so many](MOST_BYTES) at most.
///
/// # Errors
/// What the system says, or that it is no such file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_most(path, MOST_BYTES)
}

/// The text of a regular file of [settings](MOST_SETTINGS).
///
/// # Errors
/// As [`read`], or that it is not UTF-8.
pub fn read_settings(path: &Path) -> io::Result<String> {
    let bytes = read_most(path, MOST_SETTINGS)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// All bytes of a regular file that has at most `most`.
///
/// # Errors
/// As [`read`].
pub fn read_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    if size > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))?;
    read_after(bytes, file, most)
}

/// All bytes of what is read, at most so many: a stream need not end, and a short compressed file may hold more than any
/// memory.
///
/// # Errors
/// What the system says, or that there are more.
pub fn read_all(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    read_after(Vec::new(), from, most)
}

fn read_after(mut bytes: Vec<u8>, from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> io::Error {
    let limit = if most >= 1 << 30 { format!("{} GiB", most >> 30) } else { format!("{} MiB", most >> 20) };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit}"))
}

/// A regular file.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> io::Result<File> {
    let there = fs::metadata(path)?;
    if there.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !there.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or a device, and a file is needed"));
    }
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_a_bounded_size_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        fs::write(&path, "1234").expect("written");
        assert_eq!(read_most(&path, 4).expect("four bytes"), b"1234");
        assert_eq!(read_most(&path, 3).expect_err("more").kind(), io::ErrorKind::FileTooLarge);
        // A hole of a terabyte takes no memory.
        File::options().write(true).open(&path).and_then(|file| file.set_len(1 << 40)).expect("a hole");
        assert!(read(&path).expect_err("more").to_string().contains("more than 2 GiB"));
        assert!(read_settings(&path).expect_err("more").to_string().contains("more than 16 MiB"));
        assert_eq!(read(folder.path()).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("y")).expect_err("nothing").kind(), io::ErrorKind::NotFound);
        #[cfg(unix)]
        assert_eq!(read(Path::new("/dev/zero")).expect_err("a device").kind(), io::ErrorKind::InvalidInput);
    }
}
