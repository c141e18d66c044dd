//! `treebound data graphs`: the factor graphs of cells, as files for `treebound decode` and for benches.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cli::filter::FilterFlags;
use crate::cli::flags::{CacheFlags, ConfigFlags, JobsFlags, unless_unkept};
use crate::cli::output::say;
use treebound_core::graph::json::GraphFile;
use treebound_experiment::artifacts::ArtifactError;
use treebound_experiment::cell::cells as cells_of;
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::store::Store;
use treebound_experiment::visit::each_graph_cell;
use treebound_files::write_whole;
use treebound_parser::model::Scratch;

#[derive(Args)]
pub struct GraphsArguments {
    // The config; the cells of the last part and first seed are written if no filter is given
    #[command(flatten)]
    config: ConfigFlags,
    /// Folder for the files, one a cell, with a graph a line
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    cache: CacheFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    jobs: JobsFlags,
}

pub fn graphs(arguments: &GraphsArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.compile_usual(&config, &[])?;
    let store = Store::new(arguments.cache.folder());
    if !cells_of(&config).iter().any(|cell| config.has_graphs(&cell.run.system) && wanted(cell)) {
        bail!("{}: no cell is asked for whose system has factor graphs, as `graph` has", arguments.config);
    }
    let folder = &arguments.output;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    arguments.jobs.install(|| {
        let context = ExperimentContext::open_cells(&config, &store, &wanted)?;
        let mut scratch = Scratch::default();
        each_graph_cell(&context, &wanted, |visited| {
            let key = visited.cell.key(&config).to_string();
            // A file a fold: each has a model of its own.
            let fold =
                visited.fold.map_or_else(String::new, |fold| format!("_fold={}of{}", fold.index() + 1, fold.count()));
            let path = folder.join(format!("{}{fold}.jsonl", key.replace('/', "_")));
            let mut file = Vec::new();
            for sentence in visited.dataset.prepared.part(visited.cell.split) {
                let graph = visited.parser.graph(&sentence.tokens, &mut scratch);
                graph.map_err(|e| ArtifactError::Parse(sentence.place.clone(), e))?;
                serde_json::to_writer(&mut file, &GraphFile::from_graph(scratch.graph(), scratch.prior()))?;
                file.write_all(b"\n")?;
            }
            write_whole(&path, |out| out.write_all(&file)).with_context(|| path.display().to_string())?;
            say!("{}", path.display());
            Ok::<_, anyhow::Error>(())
        })
    })?;
    Ok(unless_unkept(&store))
}
