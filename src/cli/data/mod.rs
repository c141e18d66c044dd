//! `treebound data`: treebanks and factor graphs as files.

mod convert;
mod graphs;
mod synth;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Data {
    /// Make a synthetic treebank and write it to files
    Synth(synth::SynthArguments),
    /// Convert treebank files to CoNLL-X
    Convert(convert::ConvertArguments),
    /// Write the factor graphs of cells to files for decode
    Graphs(graphs::GraphsArguments),
}

pub fn data(data: &Data) -> Result<ExitCode> {
    match data {
        Data::Synth(a) => synth::synth(a),
        Data::Convert(a) => convert::convert(a),
        Data::Graphs(a) => graphs::graphs(a),
    }
}
