//! What all fuzz targets share: seeds, and the name under which bytes are read.

pub mod learnt;

use std::path::Path;
use std::{env, fs};

/// The name of the file that a target pretends to read. There is no such folder, so no file beside it is found.
pub fn path() -> &'static Path {
    Path::new("no-such-folder/fuzz")
}

/// Writes the seeds of a target into its corpus, the first folder of the command line.
pub fn seed<T: AsRef<[u8]>>(seeds: impl IntoIterator<Item = T>) {
    let Some(corpus) = env::args().skip(1).find(|argument| Path::new(argument).is_dir()) else { return };
    for (i, seed) in seeds.into_iter().enumerate() {
        let _ = fs::write(Path::new(&corpus).join(format!("seed-{i}")), seed);
    }
}

/// A few words with tags and trees, as CoNLL-U: a range, an empty node, comments, punctuation.
pub const CONLL: &str = "# sent_id = 1\n\
    1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n\
    2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n\
    3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No\n\
    4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n\
    1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n\
    1\tdo\tdo\tAUX\tVB\t_\t3\taux\t_\t_\n\
    2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_\n\
    3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\
    3.1\tgone\tgo\tVERB\tVB\t_\t_\t_\t0:root\t_\n\n\
    1\tcats\tcat\tNOUN\tNNS\t_\t3\tobj\t_\t_\n\
    2\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n\
    3\tsee\tsee\tVERB\tVB\t_\t2\tacl\t_\t_\n\
    4\toften\toften\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n";
