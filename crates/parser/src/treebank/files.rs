//! Opening what somebody else wrote: plain, or compressed with gzip.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::treebank::TreebankError;
use treebound_files::input;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// The first bytes of files that other programs unpack, and how.
const OTHERS: [(&[u8], &str); 3] =
    [(b"\xfd7zXZ\0", "xz --decompress"), (b"BZh", "bzip2 --decompress"), (b"\x28\xb5\x2f\xfd", "zstd --decompress")];

/// Whether a file of that name is compressed with gzip.
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

/// An input to be read bit by bit, unpacked if its name says that it is compressed, or its first bytes do. All members of a
/// gzip file are read: files that were put one behind the other.
///
/// # Errors
/// What the system says; for files of other compressors, what unpacks them.
pub fn reader(path: &Path, input: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let start = input.fill_buf()?;
    if let Some((_, how)) = OTHERS.into_iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(io::Error::other(format!("it is compressed; unpack it first ({how}), or compress it with gzip")));
    }
    if is_compressed(path) || start.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input))));
    }
    Ok(Box::new(input))
}

/// All bytes of a file, unpacked as by [`reader`].
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, TreebankError> {
    let read = input::open(path).and_then(|file| input::read_all(reader(path, file)?, input::MOST_BYTES));
    read.map_err(|source| TreebankError::Io { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn all_members_are_read_and_other_compressors_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.conllu.gz");
        let member = |text: &str| {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            out.write_all(text.as_bytes()).and_then(|()| out.finish()).expect("packed")
        };
        std::fs::write(&path, [member("one\n"), member("two\n")].concat()).expect("written");
        assert_eq!(read(&path).expect("read"), b"one\ntwo\n");
        for (bytes, wanted) in [(&b"\xfd7zXZ\0rest"[..], "xz --decompress"), (b"BZh91AY", "bzip2 --decompress")] {
            std::fs::write(&path, bytes).expect("written");
            let message = read(&path).expect_err("packed otherwise").to_string();
            assert!(message.contains(wanted), "{message}");
        }
    }
}
