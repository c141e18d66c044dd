//! Search on stored factor graphs.
//!
//! `treebound data graphs CONFIG -o DIR` writes the graphs of a config's cells; `TREEBOUND_GRAPHS=DIR cargo bench --bench search`
//! decodes those of each file, over both dynamic programs, starting from the probabilities in the file. Throughput is
//! counted in words.

use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use treebound::decode::bnb::Limits;
use treebound::decode::{Backbone, Decoder, Scratch};
use treebound::graph::json;

/// Enough for all but hopeless graphs.
const LIMITS: Limits = Limits { dp_calls: Some(1000), nodes: None, bytes: None };

fn search(c: &mut Criterion) {
    let Some(folder) = env::var_os("TREEBOUND_GRAPHS") else {
        eprintln!(
            "TREEBOUND_GRAPHS is not given: write graphs with `treebound data graphs CONFIG -o DIR` and name the folder"
        );
        return;
    };
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    for file in files(Path::new(&folder)) {
        let bytes = fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let graphs = json::parse(&bytes, &file).unwrap_or_else(|e| panic!("{e}"));
        group.throughput(Throughput::Elements(graphs.iter().map(|g| g.graph.space.words() as u64).sum()));
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for backbone in Backbone::ALL {
            let mut scratch = Scratch::default();
            group.bench_function(BenchmarkId::new(backbone.name(), &name), |b| {
                b.iter(|| {
                    for parsed in &graphs {
                        let prior = parsed.prior.as_deref();
                        let answer = Decoder::Bnb.decode(&parsed.graph, backbone, prior, LIMITS, &mut scratch);
                        black_box(answer.expect("an answer"));
                    }
                });
            });
        }
    }
    group.finish();
}

/// The graph files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "json" || e == "jsonl"));
    files.sort();
    files
}

criterion_group! { name = benches; config = Criterion::default().without_plots(); targets = search }
criterion_main!(benches);
