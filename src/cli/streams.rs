//! Files that verbs read and write: `-` is standard input or output. What is written to a name that ends in `.gz` is compressed;
//! what is read is unpacked if it has such a name, or begins as such a file does.

use std::borrow::Cow;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::output::stdout;
use treebound_experiment::files::nearest_path;
use treebound_files::input::{self, MOST_BYTES};
use treebound_files::write_whole;
use treebound_parser::treebank::Encoding;
use treebound_parser::treebank::files::{self, is_compressed};

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of an input for messages.
pub fn name(path: &Path) -> PathBuf {
    if is_stream(path) { PathBuf::from("standard input") } else { path.to_owned() }
}

/// All of an input.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    input::read_all(open(path)?, MOST_BYTES).with_context(|| format!("{}: cannot read the file", name(path).display()))
}

/// An input to be read bit by bit, unpacked if it is compressed.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let input = if is_stream(path) {
        files::reader(path, io::stdin())
    } else {
        fs::File::open(path).and_then(|file| files::reader(path, file))
    };
    input.with_context(|| format!("{}: cannot read the file{}", name(path).display(), meant(path)))
}

/// The file that is likely meant by a name that no file has, for messages: one of the same folder.
pub fn meant(path: &Path) -> String {
    nearest_path(path).map_or_else(String::new, |found| format!(" (is {} meant?)", found.display()))
}

/// Of verbs that read treebanks.
#[derive(clap::Args)]
pub struct EncodingFlags {
    /// How the bytes of the input are characters, such as latin-1 or gb18030
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = encoding)]
    encoding: Encoding,
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::parse(name).ok_or_else(|| format!("it can be {}", Encoding::EXPECTED))
}

impl EncodingFlags {
    /// All of an input, as UTF-8.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let bytes = read(path)?;
        Ok(match self.encoding.decode(&bytes, &name(path))? {
            Cow::Borrowed(_) => bytes,
            Cow::Owned(text) => text,
        })
    }
}

/// An error if an output would take the place of an input.
pub fn refuse_input<'a>(output: Option<&Path>, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    let Some(place) = output.filter(|path| !is_stream(path)).and_then(|path| path.canonicalize().ok()) else {
        return Ok(());
    };
    // A device may be both.
    let is_same = |input: &&PathBuf| place.is_file() && input.canonicalize().is_ok_and(|input| input == place);
    match inputs.into_iter().find(is_same) {
        Some(input) => {
            bail!("{}: it is an input, which the output would replace; write to another file", input.display())
        }
        None => Ok(()),
    }
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
