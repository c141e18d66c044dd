//! Factor graphs of sentences and exact decoders over them.
//!
//! A sentence is a factor graph: candidate arcs, scores of local parts, and factors, sets of arcs with one score that counts
//! when the tree has all of them. A decoder finds its best tree, projective or not, and says whether that is proven.
//!
//! * [`graph`]: the factor graph, and its file;
//! * [`decode`]: the decoders, branch and bound among them;
//! * [`tree`]: words and trees, the answer.
//!
//! Neither features nor treebanks are known here. `examples/decode_graph.rs` decodes a graph that is made in code.

#![deny(missing_docs)]

pub mod decode;
pub mod graph;
pub mod shown;
pub mod tree;
