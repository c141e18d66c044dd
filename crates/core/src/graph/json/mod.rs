//! The factor graph file: JSON, version 1 (docs/METHOD.md, "The factor graph").
//!
//! ```json
//! {"version": 1, "words": 3, "single_root": true,
//!  "arcs":          [[head, modifier, score], ...],
//!  "siblings":      [[head, inner_or_head, modifier, score], ...],
//!  "grandchildren": [[head, modifier, outermost_child, score], ...],
//!  "grand_siblings": [[grandparent, head, inner_or_head, modifier, score], ...],
//!  "factors":       [{"arcs": [[head, modifier], ...], "score": score}, ...],
//!  "prior":         [probability of arcs[0], ...]}
//! ```
//!
//! The prior is where a search may start from; no answer depends on it, but the number of calls does.
//!
//! A file may hold several graphs one after the other. Parts and factors that no tree over the arcs can have are legal and
//! never count; [`Parsed::never`] says how many there were whose arcs are missing or lie on the wrong side.

mod by_name;
mod fault;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::cell::Cell;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::StreamDeserializer;

use super::{FactorGraph, Room};
use by_name::ByName;

pub use fault::{GraphFault, GraphFileError};

/// A graph as it stands in a file.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct GraphFile {
    /// Version of the format: 1.
    pub version: u32,
    /// Words of the sentence.
    pub words: usize,
    /// Whether the root takes exactly one modifier.
    #[serde(default = "yes")]
    pub single_root: bool,
    /// `[head, modifier, score]`.
    pub arcs: Vec<(u64, u64, i64)>,
    /// `[head, inner modifier (or the head itself: none), modifier, score]`.
    #[serde(default)]
    pub siblings: Vec<(u64, u64, u64, i64)>,
    /// `[head, modifier, outermost child, score]`.
    #[serde(default)]
    pub grandchildren: Vec<(u64, u64, u64, i64)>,
    /// `[grandparent, head, inner modifier (or the head itself: none), modifier, score]`: a sibling part below an arc.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grand_siblings: Vec<(u64, u64, u64, u64, i64)>,
    /// Non-local factors.
    #[serde(default, deserialize_with = "by_name::list")]
    pub factors: Vec<FactorFile>,
    /// The probability of each of `arcs`, in their order, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Vec<f64>>,
}

/// A factor as it stands in a file.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct FactorFile {
    /// `[head, modifier]` of each arc.
    pub arcs: Vec<(u64, u64)>,
    /// Counts when the tree has all of the arcs.
    pub score: i64,
}

fn yes() -> bool {
    true
}

/// A graph read from a file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The graph.
    pub graph: FactorGraph,
    /// By arc: the probability from which a search may start.
    pub prior: Option<Vec<f64>>,
    /// Parts and factors that no tree over the arcs can have.
    pub never: usize,
}

/// Reads all graphs of a file.
///
/// # Errors
/// The file, the graph and what is wrong with it.
pub fn read(path: &Path) -> Result<Vec<Parsed>, GraphFileError> {
    let io = |source| GraphFileError::Io { path: path.display().to_string(), source };
    parse(&std::fs::read(path).map_err(io)?, path)
}

/// Parses the bytes of a file; `path` is for messages.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<Parsed>, GraphFileError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    graphs(serde_json::Deserializer::from_slice(bytes).into_iter(), path, Room::default()).collect()
}

/// The graphs of an input one by one, so that what follows is not waited for; `path` is for messages. A graph may have
/// [`MOST_BYTES`], and it and its decoding must have `room`. What is wrong with one is the last that comes.
pub fn each(
    mut input: impl std::io::BufRead,
    path: &Path,
    room: Room,
) -> impl Iterator<Item = Result<Parsed, GraphFileError>> {
    // What cannot be read is told when the first graph is.
    if input.fill_buf().is_ok_and(|begin| begin.starts_with(BYTE_ORDER_MARK)) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let left = Rc::new(Cell::new(MOST_BYTES));
    let limited = Limited { input, left: left.clone() };
    let stream = serde_json::Deserializer::from_reader(limited).into_iter();
    graphs(stream, path, room).inspect(move |_| left.set(MOST_BYTES))
}

/// What some editors begin a file with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Most bytes of one graph of a stream, which need not end.
pub const MOST_BYTES: u64 = 1 << 30;

/// An input of which so many bytes may be read.
struct Limited<R> {
    input: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left.set(left.ok_or_else(|| std::io::Error::other("a graph of more than a gibibyte"))?);
        Ok(read)
    }
}

/// The graphs of a stream, up to the first that is none.
fn graphs<'de, R: serde_json::de::Read<'de>>(
    stream: StreamDeserializer<'de, R, ByName<GraphFile>>,
    path: &Path,
    room: Room,
) -> impl Iterator<Item = Result<Parsed, GraphFileError>> {
    let path = path.display().to_string();
    let mut stream = stream.enumerate();
    let (mut is_over, mut has_any) = (false, false);
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let parsed = match stream.next() {
            None if has_any => return None,
            None => Err(GraphFileError::Empty { path: path.clone() }),
            Some((i, Err(source))) => Err(GraphFileError::Json { path: path.clone(), graph: i + 1, source }),
            Some((i, Ok(file))) => {
                let fault = |fault| GraphFileError::Graph { path: path.clone(), graph: i + 1, fault };
                file.0.to_graph(room).map_err(fault)
            }
        };
        (is_over, has_any) = (parsed.is_err(), true);
        Some(parsed)
    })
}
