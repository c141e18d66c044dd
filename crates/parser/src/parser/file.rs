//! Model files: all that is needed to parse, in one file with a version.
//!
//! The first line is text with the version; then come the settings, the tagger if the model was trained on predicted
//! tags, the template sets and the weights in the encoding
//! of [`crate::bytes`], and a SHA-256 of all before it.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::model::Model;
use super::roots::Roots;
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::bundles::Folding;
use crate::features::{Family, TemplateSet};
use crate::pruning::{Pruner, Rule};
use crate::tagger::Tagger;
use crate::weights::sights::entries::{decode_entries, encode_entries};
use treebound_core::decode::Backbone;

/// The first line of a model file of this version.
const FIRST_LINE: &str = "treebound model 9\n";
/// The beginning of the first line in every version.
const MAGIC_OF_ANY: &[u8] = b"treebound model ";

/// A trained parser: who tags, who prunes, how, and who scores.
#[derive(Debug)]
pub struct TrainedParser {
    /// Tags the words, if the model was trained on predicted tags; otherwise they come with their tags.
    pub tagger: Option<Tagger>,
    /// Chooses candidate heads.
    pub pruner: Pruner,
    /// Which heads were kept in training, and are kept unless told otherwise.
    pub rule: Rule,
    /// Scores the parts.
    pub model: Model,
}

/// Why a model file cannot be used.
#[derive(Debug, Error)]
pub enum ModelFileError {
    /// It cannot be read or written.
    #[error("{}: the model file cannot be read or written: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("{}: this is not a model file of treebound", path.display())]
    NoModel {
        /// The file.
        path: PathBuf,
    },
    /// It was written by another version.
    #[error("{}: the model file is of another version (`{found}`; this program reads `{}`): train it again", path.display(), FIRST_LINE.trim_end())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its first line.
        found: String,
    },
    /// Its end is missing, or bytes have changed.
    #[error("{}: the model file is damaged: train it again, or copy it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

impl TrainedParser {
    /// Writes a model file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path) -> Result<(), ModelFileError> {
        let body = self.encode();
        let digest = Sha256::digest(&body);
        crate::whole_file::write_whole(path, |file| {
            file.write_all(FIRST_LINE.as_bytes())?;
            file.write_all(&body)?;
            file.write_all(&digest)
        })
        .map_err(|source| ModelFileError::Io { path: path.to_owned(), source })
    }

    /// What stands between the first line and the checksum.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = BytesWriter::default();
        let (kind, value) = match self.rule {
            Rule::None => (0, 0),
            Rule::Best(k) => (1, k as u64),
            Rule::Threshold(t) => (2, t.to_bits()),
        };
        out.u64(kind).u64(value).u64(self.tagger.is_some().into());
        if let Some(tagger) = &self.tagger {
            tagger.encode(&mut out);
        }
        out.text(&self.pruner.templates().to_string());
        self.pruner.encode(&mut out);
        let families: Vec<_> = self.model.families().iter().map(|f| f.name()).collect();
        out.text(self.model.backbone().name()).text(&families.join("+")).text(&self.model.templates().to_string());
        out.u64(u64::from(self.model.folding() == Folding::Local)).u64(self.model.log_unit().unwrap_or(0) as u64);
        out.u64(u64::from(self.model.roots() == Roots::Several));
        encode_entries(self.model.entries(), &mut out);
        out.into_bytes()
    }

    /// Reads a model file, on two threads if there are so many: one takes the checksum.
    ///
    /// # Errors
    /// A file that is no model, of another version, or damaged.
    pub fn read(path: &Path) -> Result<Self, ModelFileError> {
        let owned = || path.to_owned();
        let bytes = fs::read(path).map_err(|source| ModelFileError::Io { path: owned(), source })?;
        let Some(rest) = bytes.strip_prefix(FIRST_LINE.as_bytes()) else {
            return Err(if bytes.starts_with(MAGIC_OF_ANY) {
                let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
                ModelFileError::Version { path: owned(), found: String::from_utf8_lossy(line).into_owned() }
            } else {
                ModelFileError::NoModel { path: owned() }
            });
        };
        let damaged = || ModelFileError::Damaged { path: owned() };
        let (body, digest) = rest.split_last_chunk::<32>().ok_or_else(damaged)?;
        // Decoding finds fault with bytes that make no sense, so it need not wait for the checksum.
        let (is_whole, decoded) = rayon::join(|| Sha256::digest(body).as_slice() == digest, || Self::decode(body));
        decoded.ok().filter(|_| is_whole).ok_or_else(damaged)
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(body: &[u8]) -> Result<Self, Damaged> {
        let mut from = BytesReader::new(body);
        let rule = match (from.u64()?, from.u64()?) {
            (0, _) => Rule::None,
            (1, k @ 1..) => Rule::Best(usize::try_from(k).map_err(|_| Damaged)?),
            (2, bits) => Rule::Threshold(f64::from_bits(bits)),
            _ => return Err(Damaged),
        };
        if matches!(rule, Rule::Threshold(t) if !(t > 0.0 && t <= 1.0)) {
            return Err(Damaged);
        }
        let tagger = match from.u64()? {
            0 => None,
            1 => Some(Tagger::decode(&mut from)?),
            _ => return Err(Damaged),
        };
        let templates = TemplateSet::from_lines(from.text()?).map_err(|_| Damaged)?;
        let pruner = Pruner::decode(templates, &mut from)?;
        let backbone = Backbone::parse(from.text()?).ok_or(Damaged)?;
        let names = from.text()?;
        let names = names.split('+').filter(|n| !n.is_empty());
        let families: Vec<Family> = names.map(|n| Family::parse(n).ok_or(Damaged)).collect::<Result<_, _>>()?;
        let templates = TemplateSet::from_lines(from.text()?).map_err(|_| Damaged)?;
        let folding = match from.u64()? {
            0 => Folding::All,
            1 => Folding::Local,
            _ => return Err(Damaged),
        };
        let log_unit = i64::try_from(from.u64()?).map_err(|_| Damaged)?;
        let roots = match from.u64()? {
            0 => Roots::One,
            1 => Roots::Several,
            _ => return Err(Damaged),
        };
        let entries = decode_entries(&mut from)?;
        let model = Model::new(templates, &families, backbone, folding, entries).map_err(|_| Damaged)?;
        let model = model.with_log_unit(Some(log_unit).filter(|&unit| unit > 0)).with_roots(roots);
        from.end()?;
        Ok(Self { tagger, pruner, rule, model })
    }
}
