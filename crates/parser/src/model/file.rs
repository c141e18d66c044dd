//! Model files: all that is needed to parse, in one file with a version.
//!
//! The first line is text with the version. Then come the length of the head, the head, and a SHA-256 of both. The head has, in the
//! encoding of [`crate::bytes`], facts for people, the settings, the tagger if the model was trained on predicted tags, the template
//! sets, the labeller but for its weights if there is one, and of each table of weights its length and the checksum of each block of
//! it (XXH3, 64 KiB). Behind it lie the tables as they lie in memory, so that a file can be mapped instead of being read: see
//! [`crate::weights::mapped`].
//!
//! What is mapped is checked when it is looked at. [`TrainedParser::open`] checks the head and the small tables of pruner and
//! labeller, so that it takes milliseconds; blocks of the parser's own table are checked as look-ups come to them, and
//! [`TrainedParser::check_use`] says whether one was damaged. [`TrainedParser::read`] checks all and takes the tables into memory
//! with large pages, where look-ups are fastest: for who parses much.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Model, TreeKind};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::groups::Folding;
use crate::features::{Family, TemplateSet};
use crate::labels::{ArcLabeller, Labeller};
use crate::pruning::{Lengths, Method, Pruner, Rule};
use crate::tagger::Tagger;
use crate::weights::contexts::{Long, Short, Table};
use crate::weights::mapped::Mapped;
use crate::weights::table;
use treebound_core::decode::Backbone;
use treebound_files::input;

/// The first line of a model file of this version.
const FIRST_LINE: &str = "treebound model 12\n";

/// The beginning of the first line in every version.
const MAGIC_OF_ANY: &[u8] = b"treebound model ";

/// Bytes of the checksum of the head.
const DIGEST: usize = 32;

/// Where tables begin is a multiple of this: lines of weights are cache lines.
const ALIGNMENT: usize = 64;

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
    /// What is to be known of it, for people: names and values, in order.
    pub facts: Vec<(String, String)>,
}

/// Why a model file cannot be used.
#[derive(Debug, Error)]
pub enum ModelFileError {
    /// The file cannot be read or written.
    #[error("{}: the model file cannot be read or written: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{}: this is not a model file of treebound", path.display())]
    NoModel {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version.
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

/// Where the tables of a file are.
enum Tables<'a> {
    /// In a file, and are to be mapped.
    Mapped(&'a File),
    /// In the bytes of a file.
    Bytes(&'a [u8]),
}

impl Tables<'_> {
    /// The lines at a place of the file.
    fn lines<L: bytemuck::Pod>(&self, section: Section) -> Result<Mapped<L>, Damaged> {
        let Section { offset, lines, sums } = section;
        match self {
            Self::Mapped(file) => Mapped::from_file(file, offset as u64, lines, sums).map_err(|_| Damaged),
            Self::Bytes(bytes) => {
                let end = lines.checked_mul(size_of::<L>()).and_then(|len| len.checked_add(offset));
                let bytes = end.and_then(|end| bytes.get(offset..end)).ok_or(Damaged)?;
                Mapped::from_bytes(bytes, &sums)
            }
        }
    }

    /// A table of labels, all of it checked.
    fn table(&self, (section, largest): (Section, u32)) -> Result<table::Table, Damaged> {
        let lines = self.lines::<table::Line>(section)?.into_memory()?;
        if lines.all().is_empty() { Err(Damaged) } else { Ok(table::Table::from_lines(lines, largest)) }
    }
}

/// What the head says of a table of labels.
fn encode_table(table: &table::Table, out: &mut BytesWriter) {
    out.u64(u64::from(table.largest()));
    encode_section(table.mapped(), out);
}

/// A table in a file.
struct Section {
    offset: usize,
    lines: usize,
    /// The checksums of its blocks.
    sums: Vec<u64>,
}

/// What the head says of a table.
fn encode_section<L: bytemuck::Pod>(lines: &Mapped<L>, out: &mut BytesWriter) {
    out.u64(lines.all().len() as u64).u64s(lines.sums().into_iter());
}

/// Tables as the head lists them, each behind the one before.
struct Sections<'h> {
    head: BytesReader<'h>,
    next: usize,
}

impl Sections<'_> {
    fn take<L: bytemuck::Pod>(&mut self) -> Result<Section, Damaged> {
        let lines = usize::try_from(self.head.u64()?).map_err(|_| Damaged)?;
        let section = Section { offset: self.next, lines, sums: self.head.u64s()?.collect() };
        let end = lines.checked_mul(size_of::<L>()).and_then(|len| len.checked_add(self.next)).ok_or(Damaged)?;
        self.next = end;
        Ok(section)
    }

    /// Whether there is one more of something.
    fn has_next(&mut self) -> Result<bool, Damaged> {
        match self.head.u64()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }

    /// What [`encode_table`] wrote.
    fn take_table(&mut self) -> Result<(Section, u32), Damaged> {
        let largest = u32::try_from(self.head.u64()?).map_err(|_| Damaged)?;
        Ok((self.take::<table::Line>()?, largest))
    }
}

/// Where the first table begins, behind a head of so many bytes.
fn first_table(head: usize) -> Option<usize> {
    (FIRST_LINE.len() + size_of::<u64>() + DIGEST).checked_add(head)?.checked_next_multiple_of(ALIGNMENT)
}

impl TrainedParser {
    /// Writes a model file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path) -> Result<(), ModelFileError> {
        let written = treebound_files::write_whole(path, |file| self.write_to(file));
        written.map_err(|source| ModelFileError::Io { path: path.to_owned(), source })
    }

    /// The bytes of a model file.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.write_to(&mut out);
        out
    }

    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut head = self.head();
        // The head ends where tables can begin.
        let padding =
            first_table(head.len()).unwrap_or_default() - (FIRST_LINE.len() + size_of::<u64>() + DIGEST + head.len());
        head.resize(head.len() + padding, 0);
        let len = (head.len() as u64).to_le_bytes();
        let digest = Sha256::new().chain_update(len).chain_update(&head).finalize();
        let (short, long) = self.model.weights().table.halves();
        let tables = [self.pruner.table().mapped().bytes(), short.bytes(), long.bytes()];
        let of_labels = [self.model.labeller().map(Labeller::table), self.model.arc_labeller().map(ArcLabeller::table)];
        let of_labels = of_labels.iter().flatten().map(|table| table.mapped().bytes());
        let parts = [FIRST_LINE.as_bytes(), &len, &head, &digest].into_iter().chain(tables).chain(of_labels);
        parts.into_iter().try_for_each(|part| out.write_all(part))
    }

    /// All but the tables.
    fn head(&self) -> Vec<u8> {
        let mut out = BytesWriter::default();
        let (kind, value) = match self.rule {
            Rule::None => (0, 0),
            Rule::Best(k) => (1, k as u64),
            Rule::Threshold(t) => (2, t.to_bits()),
        };
        out.u64(self.facts.len() as u64);
        self.facts.iter().for_each(|(name, value)| {
            out.text(name).text(value);
        });
        out.u64(kind).u64(value).u64(self.tagger.is_some().into());
        if let Some(tagger) = &self.tagger {
            tagger.encode(&mut out);
        }
        out.text(&self.pruner.templates().to_string());
        self.pruner.lengths().encode(&mut out);
        let families: Vec<_> = self.model.families().iter().map(|f| f.name()).collect();
        out.text(self.model.backbone().name()).text(&families.join("+")).text(&self.model.templates().to_string());
        out.u64(u64::from(self.model.folding() == Folding::Local)).u64(self.model.log_unit().unwrap_or(0) as u64);
        let kinds: Vec<TreeKind> = TreeKind::all().collect();
        let kind = kinds.iter().position(|&kind| kind == self.model.tree_kind());
        out.u64(kind.unwrap_or_default() as u64).u64(self.pruner.method().code());
        let (pruner, table) = (self.pruner.table(), self.model.weights().table);
        out.u64(u64::from(pruner.largest())).u64(table.largest());
        encode_section(pruner.mapped(), &mut out);
        encode_section(table.halves().0, &mut out);
        encode_section(table.halves().1, &mut out);
        let labeller = self.model.labeller();
        out.u64(labeller.is_some().into());
        if let Some(labeller) = labeller {
            labeller.encode_head(&mut out);
            encode_table(labeller.table(), &mut out);
        }
        let arc_labeller = self.model.arc_labeller();
        out.u64(arc_labeller.is_some().into());
        if let Some(labeller) = arc_labeller {
            labeller.encode_head(&mut out);
            encode_table(labeller.table(), &mut out);
        }
        out.into_bytes()
    }

    /// A model file, of which little is read before it is looked at: for who parses little.
    ///
    /// # Errors
    /// A file that is no model, of another version, or of another length, or whose head is damaged. Damage elsewhere is told by
    /// [`check_use`](Self::check_use).
    pub fn open(path: &Path) -> Result<Self, ModelFileError> {
        let io = |source| ModelFileError::Io { path: path.to_owned(), source };
        let mut file = input::open(path).map_err(io)?;
        let damaged = || ModelFileError::Damaged { path: path.to_owned() };
        let mut first = Vec::new();
        Read::by_ref(&mut file).take(FIRST_LINE.len() as u64).read_to_end(&mut first).map_err(io)?;
        if first != FIRST_LINE.as_bytes() {
            if !first.starts_with(MAGIC_OF_ANY) {
                return Err(ModelFileError::NoModel { path: path.to_owned() });
            }
            let line = first.split(|&b| b == b'\n').next().unwrap_or_default();
            return Err(ModelFileError::Version {
                path: path.to_owned(),
                found: String::from_utf8_lossy(line).into_owned(),
            });
        }
        let len = file.metadata().map_err(io)?.len();
        let len = usize::try_from(len).map_err(|_| damaged())?;
        if len < FIRST_LINE.len() + size_of::<u64>() {
            return Err(damaged());
        }
        // SAFETY: as in `Mapped::from_file`; nothing is taken for anything but bytes.
        let bytes = unsafe { Mmap::map(&file) }.map_err(io)?;
        let head = head_of(&bytes).map_err(|_| damaged())?;
        Self::decode_head(head, len, &Tables::Mapped(&file)).map_err(|_| damaged())
    }

    /// Reads a model file, all of which is checked.
    ///
    /// # Errors
    /// A file that is no model, of another version, or damaged.
    pub fn read(path: &Path) -> Result<Self, ModelFileError> {
        let damaged = |_| ModelFileError::Damaged { path: path.to_owned() };
        let Self { tagger, pruner, rule, model, facts } = Self::open(path)?;
        Ok(Self { tagger, pruner, rule, model: model.into_memory().map_err(damaged)?, facts })
    }

    /// An error if a look-up came upon damage in the file: whatever was parsed must then not be used.
    ///
    /// # Errors
    /// [`ModelFileError::Damaged`].
    pub fn check_use(&self, path: &Path) -> Result<(), ModelFileError> {
        match self.model.weights().table.is_damaged() {
            true => Err(ModelFileError::Damaged { path: path.to_owned() }),
            false => Ok(()),
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        if !bytes.starts_with(FIRST_LINE.as_bytes()) {
            return Err(Damaged);
        }
        Self::decode_head(head_of(bytes)?, bytes.len(), &Tables::Bytes(bytes))
    }

    /// Of a head and of tables in a file of so many bytes.
    fn decode_head(head: &[u8], len: usize, tables: &Tables<'_>) -> Result<Self, Damaged> {
        let mut from = BytesReader::new(head);
        let mut facts = Vec::new();
        for _ in 0..from.u64()? {
            facts.push((from.text()?.to_owned(), from.text()?.to_owned()));
        }
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
        let pruner_templates = TemplateSet::from_lines(from.text()?).map_err(|_| Damaged)?;
        let lengths = Lengths::decode(&mut from)?;
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
        let kind = usize::try_from(from.u64()?).map_err(|_| Damaged)?;
        let TreeKind { trees, roots } = TreeKind::all().nth(kind).ok_or(Damaged)?;
        let method = Method::from_code(from.u64()?).ok_or(Damaged)?;
        let largest_of_pruner = u32::try_from(from.u64()?).map_err(|_| Damaged)?;
        let largest = from.u64()?;
        let mut sections = Sections { head: from, next: first_table(head.len()).ok_or(Damaged)? };
        let of_pruner = tables.lines(sections.take::<table::Line>()?)?;
        let (short, long) = (sections.take::<Short>()?, sections.take::<Long>()?);
        let labeller = match sections.has_next()? {
            true => Some((Labeller::headed(&mut sections.head)?, sections.take_table()?)),
            false => None,
        };
        let arc_labeller = match sections.has_next()? {
            true => Some((ArcLabeller::headed(&mut sections.head)?, sections.take_table()?)),
            false => None,
        };
        if sections.next != len {
            return Err(Damaged);
        }
        let pruner_table = table::Table::from_lines(of_pruner.into_memory()?, largest_of_pruner);
        let pruner = Pruner::from_table(pruner_templates, lengths, pruner_table).with_method(method);
        let table = Table::from_halves(tables.lines(short)?, tables.lines(long)?, largest);
        let model = Model::from_table(templates, &families, backbone, folding, table);
        let model = model.with_log_unit(Some(log_unit).filter(|&unit| unit > 0)).with_roots(roots).with_trees(trees);
        let labeller = labeller.map(|(labeller, table)| Ok(labeller(tables.table(table)?))).transpose()?;
        let arc_labeller = arc_labeller.map(|(labeller, table)| Ok(labeller(tables.table(table)?))).transpose()?;
        let model = model.with_labeller(labeller).with_arc_labeller(arc_labeller);
        Ok(Self { tagger, pruner, rule, model, facts })
    }
}

/// The head of a file, whose checksum is right.
fn head_of(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (len, rest) = bytes[FIRST_LINE.len()..].split_first_chunk().ok_or(Damaged)?;
    let (head, rest) =
        usize::try_from(u64::from_le_bytes(*len)).ok().and_then(|len| rest.split_at_checked(len)).ok_or(Damaged)?;
    let digest = rest.first_chunk::<DIGEST>().ok_or(Damaged)?;
    if Sha256::new().chain_update(len).chain_update(head).finalize().as_slice() == digest {
        Ok(head)
    } else {
        Err(Damaged)
    }
}
