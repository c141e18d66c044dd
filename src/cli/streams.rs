//! Files that verbs read and write: `-` is standard input or output. What is written to a name that ends in `.gz` is compressed;
//! what is read is unpacked if it has such a name, or begins as such a file does.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::output::stdout;
use crate::whole_file::write_whole;

/// The first bytes of a compressed file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

/// The name of an input for messages.
pub fn name(path: &Path) -> PathBuf {
    if is_stream(path) { PathBuf::from("standard input") } else { path.to_owned() }
}

/// All of an input.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let what = || format!("{}: cannot read the file", name(path).display());
    let mut bytes = Vec::new();
    if is_stream(path) {
        io::stdin().lock().read_to_end(&mut bytes).with_context(what)?;
    } else {
        bytes = fs::read(path).with_context(what)?;
    }
    if !is_compressed(path) && !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked).with_context(what)?;
    Ok(unpacked)
}

/// Writes an output, whole or not at all if it is a file; none is standard output.
pub fn write(path: Option<&Path>, text: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let Some(path) = path.filter(|path| !is_stream(path)) else {
        let mut out = stdout();
        text(&mut out)?;
        return Ok(out.flush()?);
    };
    let written = write_whole(path, |file| {
        if !is_compressed(path) {
            return text(file);
        }
        let mut file = GzEncoder::new(file, Compression::default());
        text(&mut file)?;
        file.finish().map(drop)
    });
    written.with_context(|| path.display().to_string())
}
