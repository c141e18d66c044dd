//! What stood in the results when a run began. A run that makes the same again leaves where that comes from as it was, so a
//! clone in which the committed experiment is run has nothing to commit.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::origin;
use treebound_experiment::folders::Folders;
use treebound_experiment::store::sha256;
use treebound_records::file;

/// The files of a results folder, with what they held.
pub struct Stood {
    /// The provenance.
    provenance: Vec<u8>,
    /// Checksums of all others.
    others: BTreeMap<PathBuf, String>,
}

impl Stood {
    /// What stands there now; none if nothing says where it comes from.
    pub fn read(folders: &Folders) -> Result<Option<Self>> {
        let path = folders.result(origin::FILE);
        if !path.is_file() {
            return Ok(None);
        }
        let provenance = fs::read(&path).with_context(|| path.display().to_string())?;
        let others = checksums(folders).with_context(|| folders.results.display().to_string())?;
        Ok(Some(Self { provenance, others }))
    }

    /// Writes the provenance as it was, if each of the other files still holds what it held.
    pub fn put_back_if_unchanged(&self, folders: &Folders) -> Result<()> {
        let now = checksums(folders).with_context(|| folders.results.display().to_string())?;
        if self.others.iter().all(|(path, checksum)| now.get(path) == Some(checksum)) {
            file::write(&folders.result(origin::FILE), &self.provenance)?;
        }
        Ok(())
    }
}

/// Checksums of the files of the folder but the provenance.
fn checksums(folders: &Folders) -> io::Result<BTreeMap<PathBuf, String>> {
    let mut checksums = BTreeMap::new();
    for entry in fs::read_dir(&folders.results)? {
        let path = entry?.path();
        if path.is_file() && path.file_name() != Path::new(origin::FILE).file_name() {
            let checksum = sha256(&fs::read(&path)?);
            checksums.insert(path, checksum);
        }
    }
    Ok(checksums)
}
