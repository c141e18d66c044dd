//! Pages: Markdown files with marked blocks that are filled from the results, so that no number is typed by hand.
//!
//! A block stands between two lines that are comments to readers of Markdown:
//!
//! ```markdown
//! <!-- begin: table2 ewt grid=main,mira split=test columns=features,uas,gain,p -->
//!
//! (a table)
//!
//! <!-- end -->
//! ```
//!
//! The first word is the block's name in the list [`BLOCKS`], those without `=` say what it is about (experiments, as a rule),
//! and the others choose: cells by their axes, columns by name. Only what lies between the markers is ever changed. Configs
//! are read to know which cells belong to a grid; no treebank is read and nothing is run.
//!
//! * `page`: where the blocks of a page are; `arguments`: what their words say.
//! * `shelf`: the experiments that they are about; `select`: the cells that they choose.
//! * `blocks`: what each block shows.
//! * `fill`: all of that, on one page.

mod arguments;
mod blocks;
mod error;
mod fill;
mod page;
mod select;
mod shelf;

pub use blocks::{BLOCKS, Block};
pub use error::{BlockError, Fault};
pub use fill::{Difference, Filled, fill, known};
pub use shelf::Shelf;
