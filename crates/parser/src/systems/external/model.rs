//! The model of an external parser: a file, or a folder of files, kept as bytes.

use std::fs;
use std::io;
use std::path::Path;

use crate::bytes::{BytesReader, BytesWriter, Damaged};

/// The files of a model: paths below it and their bytes, sorted. A model that is one file has the empty path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ModelFiles(Vec<(String, Vec<u8>)>);

impl ModelFiles {
    /// Reads a file or folder. A folder without files is an error, and a name that is not UTF-8.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        collect(path, String::new(), &mut files)?;
        if files.is_empty() {
            return Err(io::Error::other("the model is a folder without files"));
        }
        files.sort();
        Ok(Self(files))
    }

    /// Writes it back; nothing, if there are no files.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        for (name, bytes) in &self.0 {
            let path = if name.is_empty() { path.to_owned() } else { path.join(name) };
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, bytes)?;
        }
        Ok(())
    }

    /// Appends the bytes that [`decode`](Self::decode) reads.
    pub fn encode(&self, to: &mut BytesWriter) {
        to.u64(self.0.len() as u64);
        for (name, bytes) in &self.0 {
            to.text(name).bytes(bytes);
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let files = (0..from.u64()?).map(|_| {
            let name = from.text()?.to_owned();
            // Names that this wrote stay below the model.
            let stays = !name.starts_with('/') && !name.split('/').any(|part| part == "..");
            if stays { Ok((name, from.bytes()?.to_vec())) } else { Err(Damaged) }
        });
        files.collect::<Result<_, _>>().map(Self)
    }
}

fn collect(path: &Path, name: String, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    if !path.is_dir() {
        files.push((name, fs::read(path)?));
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let below = entry.file_name().into_string();
        let below = below.map_err(|name| io::Error::other(format!("the name {name:?} of the model is not UTF-8")))?;
        let name = if name.is_empty() { below } else { format!("{name}/{below}") };
        collect(&entry.path(), name, files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_files_is_no_model() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("deep")).expect("a folder");
        assert!(ModelFiles::read(folder.path()).is_err_and(|error| error.to_string().contains("without files")));
    }

    #[test]
    fn files_and_folders_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("model/deep")).expect("a folder");
        fs::write(at("model/a"), b"1").expect("written");
        fs::write(at("model/deep/b"), b"22").expect("written");
        fs::write(at("single"), b"333").expect("written");
        for (name, count) in [("model", 2), ("single", 1)] {
            let files = ModelFiles::read(&at(name)).expect("read");
            assert_eq!(files.0.len(), count);
            let mut out = BytesWriter::default();
            files.encode(&mut out);
            let bytes = out.into_bytes();
            let back = ModelFiles::decode(&mut BytesReader::new(&bytes)).expect("decoded");
            assert_eq!(back, files);
            back.write(&at(&format!("{name}-again"))).expect("written");
            assert_eq!(ModelFiles::read(&at(&format!("{name}-again"))).expect("read"), files);
        }
    }
}
