//! Examples under the flags of each verb: commands that work in a clone, on the built-in experiment where that is enough.

use std::mem;

use clap::Command;

/// What the exit code says, for all verbs.
const EXIT_CODES: &str = "Exit codes: 0 for success; 1 for what went wrong, and for what --exit-code and verify look \
    for; 2 for a\ncommand line that is not understood.";

/// The examples of each verb: what stands behind the verb, and what that does.
pub const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "new",
        &[
            ("mine --train a.conllu --dev b.conllu --test c.conllu", "configs/mine.toml, which is run as it is"),
            (
                "wsj --train 'wsj/wsj_00*.mrg' --test 'wsj/wsj_01*.mrg' --rules english",
                "of brackets, without a development part",
            ),
        ],
    ),
    (
        "check",
        &[
            ("configs/ewt.toml", "whether the data is there, and what a run would do"),
            ("configs/ewt.toml --resolved", "every setting, and the line that it comes from"),
            ("configs/quickstart.toml --cells", "the cells that are run if none are chosen"),
            ("configs/ewt.toml --cells --grid families -f test/", "those of one grid, on the test part"),
        ],
    ),
    (
        "plan",
        &[
            ("configs/quickstart.toml", "what is missing, and about how long that takes here"),
            ("configs/ewt.toml --grid main", "the same of one grid"),
            ("configs/ewt.toml --engine slurm", "the scripts that a cluster would be given"),
        ],
    ),
    (
        "run",
        &[
            ("configs/quickstart.toml", "the grids that are run if none are named"),
            ("configs/ewt.toml --grid families -j 2", "one grid, on two threads"),
            ("configs/ewt.toml -f seed=1$", "the first seed of all grids"),
            (
                "configs/ewt.toml --engine slurm",
                "submitted to a cluster, whose last job puts the rows into the results",
            ),
            ("configs/ewt.toml --shard 2/8", "the second of eight shares, whoever starts them"),
        ],
    ),
    ("collate", &[("configs/ewt.toml", "the rows of what shares have made, and why others are missing")]),
    (
        "try",
        &[
            ("configs/quickstart.toml --set training.epochs=2", "what if there were two epochs?"),
            ("configs/quickstart.toml --set training.learner=mira", "what if MIRA were the learner?"),
            ("configs/ewt.toml --grid main --set seeds=1", "one grid, with one seed"),
        ],
    ),
    ("measure time", &[("configs/quickstart.toml", "words a second of each cell, into results/quickstart/speed.csv")]),
    (
        "measure search-ablation",
        &[("configs/quickstart.toml --grid main -f seed=1$", "DP calls without each idea of the search")],
    ),
    ("measure budget", &[("configs/quickstart.toml --grid main -f seed=1$", "accuracy after 1, 2, 3 ... DP calls")]),
    ("measure breakdown", &[("configs/ma-zhao.toml -f wsj_sample", "right words by class, of each learner")]),
    (
        "measure calibration",
        &[("configs/ma-zhao.toml -f wsj_sample/test/.*/crf", "are the probabilities of CRFs true?")],
    ),
    (
        "measure growth",
        &[
            ("configs/quickstart.toml --axis k --axis families", "against candidates and families only"),
            ("configs/quickstart.toml --axis size --most-words 100000", "against the treebank, up to 100,000 words"),
        ],
    ),
    ("measure learning", &[("configs/ma-zhao.toml -f wsj_sample/test/.*/carreras -j 1,2", "on one thread and on two")]),
    ("measure errors", &[("configs/quickstart.toml --top 20", "what the baseline does wrong most often")]),
    (
        "table",
        &[
            ("configs/quickstart.toml 2", "feature sets against the baseline"),
            ("configs/ewt.toml 3 --grid main --grid pruning", "what pruning costs, in two grids"),
            ("configs/ma-zhao.toml 2 --beside learner", "learners side by side"),
            ("configs/ewt.toml 2 --markdown -f test/.*/perceptron", "for a page, some of the cells"),
        ],
    ),
    (
        "figure",
        &[
            ("configs/quickstart.toml 5", "DP calls against sentence length: SVG, PNG and CSV in figures/"),
            ("configs/ewt.toml templates", "accuracy against the number of templates"),
            ("configs/ewt.toml 5 --grid main --beside learner", "the lines of several learners in one plot"),
        ],
    ),
    (
        "claims",
        &[
            ("configs/ewt.toml", "each claim with its verdict and why"),
            ("--show paper", "the paper's claims as TOML, for a list of one's own"),
        ],
    ),
    (
        "report",
        &[
            ("configs/quickstart.toml", "report.html and report.md in results/quickstart/"),
            ("configs/ewt.toml --sentences 8 --beside learner", "with words of the treebank, learners side by side"),
        ],
    ),
    (
        "diff",
        &[
            ("", "all of results/, the last commit against the working folder"),
            ("results/ewt", "one of them"),
            ("configs/ewt.toml", "the same, by its config"),
            ("results/ewt v1", "the revision v1 against the working folder"),
            ("results/ewt v1 v2", "two revisions"),
            ("results/ewt other/ewt", "two folders, or two files"),
        ],
    ),
    (
        "verify",
        &[
            ("results/quickstart", "records, trees, scores and proofs"),
            ("results/ewt --records", "records only: needs no treebank and no model"),
        ],
    ),
    ("data synth", &[("--out made --train 500 --format conllx", "train, dev and test in a folder `made`")]),
    (
        "data convert",
        &[
            ("--from conllu train.conllu", "CoNLL-X on standard output"),
            ("--from penn --rules english wsj_0001.mrg -o wsj.conllx", "brackets, by the rules for English, to a file"),
        ],
    ),
    ("data graphs", &[("configs/quickstart.toml --grid main -f seed=1$ -o graphs", "a file a cell, for decode")]),
    (
        "decode",
        &[
            ("graphs.json", "the best tree of each graph, and whether it is proven"),
            ("graphs.json --decoder paper --dp-calls none", "by the paper's search, however long it takes"),
            ("graphs.json --decoder ilp --seconds 60", "by an integer program (in a build with --features ilp)"),
            ("graphs.json --kbest 10", "the ten best trees"),
            ("graphs.json --marginals --scale 1000", "log Z and the probability of each arc"),
        ],
    ),
    (
        "explain",
        &[
            ("configs/quickstart.toml --sentence 7", "the seventh sentence of the test part"),
            ("configs/quickstart.toml --sentence 7 --svg trees.svg", "also drawn"),
        ],
    ),
    (
        "features sentence",
        &[("configs/quickstart.toml --sentence 7", "what the gold tree of a training sentence fires")],
    ),
    (
        "features patterns",
        &[("configs/quickstart.toml", "how often the patterns of `hand` are found in the training part")],
    ),
    (
        "features templates",
        &[("compact", "a set as a file: a beginning for one's own"), ("paper --lines", "a template a line")],
    ),
    (
        "train",
        &[
            ("configs/quickstart.toml --model my.model", "the baseline"),
            ("configs/quickstart.toml --features grandchild+sibling --model my.model", "with non-local features"),
            ("--train a.conllu --dev b.conllu --model my.model", "without a config: the best set, and labels"),
        ],
    ),
    ("model", &[("my.model", "what it is, what it learnt from, and how accurate it is")]),
    (
        "parse",
        &[
            ("--model my.model text.conllu -o parsed.conllu", "heads for words that have tags"),
            ("--model my.model - --k 5", "from standard input to standard output, five heads a word"),
            ("--model my.model text.conllu --explain 7", "why the seventh sentence has its tree"),
        ],
    ),
    (
        "eval",
        &[
            ("gold.conllu parsed.conllu", "UAS, roots and whole trees"),
            ("gold.conllu parsed.conllu other.conllu --punctuation ptb", "two parsers, the difference, and p"),
        ],
    ),
    ("about completions", &[("bash", "for ~/.local/share/bash-completion/completions/treebound")]),
    ("about manual", &[("man", "pages into a folder `man`: man -l man/treebound-run.1")]),
];

/// The command with examples under the flags of each verb, before what is there already.
pub fn with(mut command: Command) -> Command {
    for verb in command.get_subcommands_mut() {
        let name = verb.get_name().to_owned();
        *verb = with_own(mem::take(verb), &name);
        for part in verb.get_subcommands_mut() {
            let name = format!("{name} {}", part.get_name());
            *part = with_own(mem::take(part), &name);
        }
    }
    command.after_help(EXIT_CODES)
}

/// A verb with its own examples, if it has any.
fn with_own(verb: Command, name: &str) -> Command {
    let Some((_, examples)) = EXAMPLES.iter().find(|(known, _)| *known == name) else { return verb };
    let lines: Vec<_> = examples.iter().map(|(rest, does)| (format!("treebound {name} {rest}"), does)).collect();
    let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or_default();
    let mut text = "Examples:".to_owned();
    for (line, does) in lines {
        text += &format!("\n  {line:width$}   {does}");
    }
    if let Some(more) = verb.get_after_help() {
        text += &format!("\n\n{more}");
    }
    verb.after_help(text)
}
