//! The blocks that pages may have. A new one is a function beside its kin and a line of [`BLOCKS`].

mod calibration;
mod claims;
mod data;
mod growth;
mod learning;
mod lines;
mod proofs;
mod scores;
mod search;

use super::arguments::Arguments;
use super::error::BlockError;
use super::shelf::Shelf;
use treebound_report::tables::table::Section;

/// A kind of block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its name on pages.
    pub name: &'static str,
    /// What it shows, for people.
    pub help: &'static str,
    /// Whether its keys are those that choose cells: grids and axes.
    pub chooses_cells: bool,
    /// Its other keys, but for `columns`.
    pub keys: &'static [&'static str],
    /// The table that it holds.
    pub section: fn(&Shelf, &Arguments<'_>) -> Result<Section, BlockError>,
}

/// All blocks.
pub const BLOCKS: &[Block] = &[
    Block { name: "table1", help: "the parts of treebanks", chooses_cells: false, keys: &[], section: data::table1 },
    Block {
        name: "templates",
        help: "how many templates sets have; named are sets or their files",
        chooses_cells: false,
        keys: &[],
        section: data::templates,
    },
    Block {
        name: "table2",
        help: "parsers against their baselines; beside=AXIS puts its values side by side, best=N shows the N best",
        chooses_cells: true,
        keys: &["beside", "best"],
        section: scores::table2,
    },
    Block {
        name: "table3",
        help: "what pruning costs and brings, of parsers with several prunings",
        chooses_cells: true,
        keys: &["beside"],
        section: scores::table3,
    },
    Block {
        name: "ablation",
        help: "what each idea of the search is worth, on one cell",
        chooses_cells: true,
        keys: &[],
        section: search::ablation,
    },
    Block {
        name: "budget",
        help: "what exactness buys, on one cell",
        chooses_cells: true,
        keys: &[],
        section: search::budget,
    },
    Block {
        name: "calls",
        help: "how DP calls are spread over sentences",
        chooses_cells: true,
        keys: &[],
        section: search::calls,
    },
    Block {
        name: "proofs",
        help: "searches without a proof, by grid and decoder",
        chooses_cells: false,
        keys: &[],
        section: proofs::proofs,
    },
    Block {
        name: "training-limits",
        help: "training searches that stopped at their limit",
        chooses_cells: false,
        keys: &[],
        section: proofs::training_limits,
    },
    Block {
        name: "growth",
        help: "how time and memory grow along axis=AXIS",
        chooses_cells: false,
        keys: &["axis"],
        section: growth::growth,
    },
    Block {
        name: "learning",
        help: "how long it takes to learn the models of corpus=NAME, by number of threads",
        chooses_cells: false,
        keys: &["corpus"],
        section: learning::learning,
    },
    Block {
        name: "calibration",
        help: "how far the probabilities of the CRFs of corpus=NAME split=PART are to be believed",
        chooses_cells: false,
        keys: &["corpus", "split"],
        section: calibration::calibration,
    },
    Block {
        name: "claims",
        help: "the claims of an experiment with their verdicts",
        chooses_cells: false,
        keys: &["corpus", "tags"],
        section: claims::claims,
    },
    Block {
        name: "failures",
        help: "the claims of an experiment that do not hold, and why",
        chooses_cells: false,
        keys: &["corpus", "tags"],
        section: claims::failures,
    },
    Block {
        name: "claims-summary",
        help: "how many claims hold, by experiment",
        chooses_cells: false,
        keys: &[],
        section: claims::summary,
    },
];
