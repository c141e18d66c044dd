//! The tables of a config as files have them: each key with its type, default, meaning and an example, said once here. The
//! reader, its messages and the manual (`docs/CONFIGURE.md`) all take them from here.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use treebound_core::decode::Backbone;
use treebound_core::graph::Trees;
use treebound_parser::cell::{CorpusName, Fold, Labelling, Learner, Reranked, SystemName, Tags};
use treebound_parser::learn::crf;
use treebound_parser::model::Roots;
use treebound_parser::pruning::{PrunerModel, Rule};
use treebound_parser::systems::Nonprojective;
use treebound_parser::systems::graph::{ChooseEpoch, NonlocalFeatures, Start};
use treebound_parser::treebank::{Encoding, FineTags, TagColumn};
use treebound_records::spanned::{self, AtLeast, Both, Key, Limit, Many, Node, Renamed, Value};
use treebound_records::table;

use super::model::Format;

/// What keys were called before, with what to write instead.
pub const RENAMED: &[Renamed] = &[
    Renamed {
        table: "a config",
        key: "pruning",
        message: |_| "[pruning], how the pruner learns, is called [pruner] now".into(),
    },
    Renamed { table: "[training]", key: "trainer", message: |node| instead("trainer", "learner", node.shown()) },
    Renamed { table: "[training]", key: "k", message: k },
    Renamed { table: "[training]", key: "threshold", message: threshold },
    Renamed { table: "a learner", key: "k", message: k },
    Renamed { table: "a learner", key: "threshold", message: threshold },
    Renamed { table: "[decoding]", key: "k", message: k },
    Renamed { table: "[decoding]", key: "threshold", message: threshold },
    Renamed { table: "[decoding]", key: "backbone", message: |node| instead("backbone", "backbones", node.shown()) },
    Renamed { table: "a grid", key: "k", message: k },
    Renamed { table: "a grid", key: "threshold", message: threshold },
    Renamed {
        table: "[decoding]",
        key: "more",
        message: |_| "more is a grid now: write [[grid]] with these sets, pruning and baseline = false".into(),
    },
    Renamed {
        table: "[features]",
        key: "third_order",
        message: |node| {
            let sets = node.shown();
            format!(
                "third_order is a grid now: write [[grid]] with backbones = \"grand-sibling\", sets = {sets}, baseline = false"
            )
        },
    },
];

fn instead(old: &str, new: &str, value: String) -> String {
    format!("`{old}` is called `{new}` now: write {new} = {value}")
}

fn k(node: &Node) -> String {
    pruning("k", node)
}

fn threshold(node: &Node) -> String {
    pruning("threshold", node)
}

/// What to write instead of `k` and `threshold`: a rule names its kind.
fn pruning(old: &str, node: &Node) -> String {
    let rule = |node: &Node| match &node.value {
        Value::Whole(_, number) => format!("\"{}={number}\"", &old[..1]),
        Value::Number(t) => format!("\"t={}\"", if *t < 0.01 { format!("{t:e}") } else { t.to_string() }),
        _ => node.shown(),
    };
    let rules = node.each().iter().map(rule).collect::<Vec<_>>().join(", ");
    instead(old, "pruning", if matches!(node.value, Value::List(_)) { format!("[{rules}]") } else { rules })
}

table! {
    /// Keys that stand before the first table, and the tables that a config has.
    Top, "CONFIG.toml", "a config" {
        /// Prose that is printed under the tables.
        analysis: String, "\"Gold tags.\"";
        /// A config that this one changes: see [above](#several-files).
        extends: String, "\"ewt.toml\"";
        /// Seeds of the training runs of all grids.
        seeds: Many<u64> = "1", "[1, 2, 3]";
        /// Whose part-of-speech tags the parsers of all grids see.
        tags: Many<Tags> = "\"gold\"", "[\"gold\", \"predicted\"]";
        /// The treebanks: `[[corpus]]` tables, or files with the keys of one.
        corpus: Many<Corpus>, "[{ name = \"toy\", format = \"synthetic\" }]";
        /// A list of claims about the results: see [above](#claims).
        claims: IgnoredAny, "\"paper\"";
        /// The config's own claims: see [above](#claims).
        claim: IgnoredAny, "[]";
        /// Why claims do not hold: see [above](#claims).
        failure: IgnoredAny, "[]";
        /// The tagger.
        tagger: Tagger, "{ epochs = 5 }";
        /// The pruner.
        pruner: Pruner, "{ epochs = 2 }";
        /// The labeller.
        labeller: Labeller, "{ epochs = 3 }";
        /// How weights are learnt.
        training: Both<Training, Schedule>, "{ epochs = 8 }";
        /// Schedules of single learners.
        learner: BTreeMap<String, Key<Schedule>>, "{ mira = { epochs = 3 } }";
        /// The feature sets of all grids.
        features: Features, "{ sets = \"all\" }";
        /// How the grids parse.
        decoding: Decoding, "{ pruning = \"k=5\" }";
        /// What is parsed, and how results are compared.
        evaluation: Evaluation, "{ splits = \"dev\" }";
        /// How speed is measured.
        timing: Timing, "{ repeats = 5 }";
        /// What a cluster is asked for.
        engine: Engine, "{ partition = \"long\" }";
        /// Parsers that are run by their command lines.
        external: Many<External>, "[]";
        /// What is run.
        grid: Many<Both<Grid, GraphAxes>>, "[{ name = \"main\" }]";
        /// Which rows a table of the results shows.
        table: Many<Shown>, "[{ name = \"ablation\", grids = \"main\" }]";
        /// Which rows a figure shows.
        figure: Many<Shown>, "[{ name = \"5\", grids = \"main\" }]";
        /// Checksums of the files that a config names. Written by the program into resolved configs, which are refused once a
        /// file has changed.
        files: BTreeMap<String, Key<String>>, "{ \"mine.toml\" = \"5891b5b5\" }";
    }
}

table! {
    /// A treebank.
    Corpus, "[[corpus]]", "a corpus" {
        /// Its name in results. Required.
        name: CorpusName, "\"en_ewt\"";
        /// The format of its files. Required.
        format: Format, "\"conllu\"";
        /// Head rules, which `penn` needs: `english`, `chinese`, or a file.
        rules: String, "\"english\"";
        /// How the bytes of the files are characters: `utf-8`, `gb18030`, `latin-1`, `latin-2`, `koi8-r`, or another encoding that
        /// web pages name. Files that end in `.gz` are unpacked.
        encoding: Encoding = "\"utf-8\"", "\"gb18030\"";
        /// Whether the fine tags of a CoNLL file are its own, or its coarse ones, for treebanks whose fine column is empty or
        /// gives a word's function away. `treebound parse --fine-tags coarse` parses with a model of such a corpus.
        fine_tags: FineTags = "\"own\"", "\"coarse\"";
        /// Folders to look for the files in; the first that exists is used.
        folder: Many<String>, "[\"../data/ewt\", \"/corpora/ewt\"]";
        /// Files of the training part. `*` stands for any characters of a name, `{0001..0159}` for a run of numbers. Paths start
        /// in `folder`, or at the config if there is none. Required, as are those of the test part, but for `synthetic`.
        train: Many<String>, "\"en_ewt-ud-train.conllu\"";
        /// Files of the development part. May be left out where no grid parses it and nothing chooses epochs by it.
        dev: Many<String>, "\"wsj_22*.mrg\"";
        /// Files of the test part.
        test: Many<String>, "\"chtb_{0271..0300}.fid\"";
        /// Which words are not scored: `ud` (coarse tag `PUNCT`), `ptb`, `ctb`, `unicode` (words of punctuation characters alone, the
        /// rule of CoNLL-X), `coarse=F` or `fine=Fa,Fc` (these tags), `none`, or a table. `ptb` if not given for `penn`, else `ud`.
        punctuation: IgnoredAny, "{ column = \"fine\", tags = [\".\"] }";
        /// What is done with training trees that are not projective: they are made so, or left out of training. Trees of the
        /// other parts stay as they are.
        nonprojective: Nonprojective = "\"projectivize\"", "\"drop\"";
        /// The data set of papers whose figures stand beside this corpus in tables.
        published: Published, "\"PTB\"";
        /// Counts that prove that the data is the paper's: see below.
        expected: Expected, "{ test = { sentences = 2416 } }";
        /// What a synthetic treebank is made from.
        synthetic: Synthetic, "{ train = 1000 }";
    }
}

table! {
    /// Counts of the parts of a treebank. A part with other counts stops everything: the data is not what the results are of.
    Expected, "[corpus.expected]", "[corpus.expected]" {
        /// Counts of the training part.
        train: Counts, "{ sentences = 39832, tokens = 950028 }";
        /// Counts of the development part.
        dev: Counts, "{ tokens = 40117 }";
        /// Counts of the test part.
        test: Counts, "{ sentences = 2416 }";
    }
}

table! {
    /// Counts of a part, such as `[corpus.expected] test = { sentences = 2416 }`. Of several, any will do: publications differ.
    Counts, "[corpus.expected.PART]", "an expected count" {
        /// Sentences.
        sentences: Many<u64>, "[1910, 1905]";
        /// Words.
        tokens: Many<u64>, "56684";
    }
}

table! {
    /// Words that are not scored, by a tag.
    PunctuationRule, "[corpus.punctuation]", "punctuation" {
        /// The tag that decides. Required.
        column: TagColumn, "\"fine\"";
        /// Its values. Required.
        tags: Many<String>, "[\"PU\"]";
    }
}

table! {
    /// What a synthetic treebank is made from. Rates are in ‰.
    Synthetic, "[corpus.synthetic]", "a synthetic corpus" {
        /// Everything that is drawn follows from it.
        seed: u64 = "1", "7";
        /// Sentences of the training part.
        train: u64 = "2000", "1000";
        /// Sentences of the development part.
        dev: u64 = "400", "100";
        /// Sentences of the test part.
        test: u64 = "600", "100";
        /// Words of the open classes.
        vocabulary: u64 = "20000", "5000";
        /// Words of the other parts that the training part never has.
        unknown: u64 = "25", "50";
        /// Words with a random head.
        head_noise: u64 = "30", "0";
        /// Words with a random tag.
        tag_noise: u64 = "10", "0";
        /// Sentences in which a constituent is moved across an arc.
        nonprojective: u64 = "25", "0";
        /// How often each phenomenon is tried.
        phenomena: Phenomena, "{ brackets = 0 }";
    }
}

table! {
    /// How many of the steps in which a sentence grows try each phenomenon, in ‰, at most 1000 together; 0 switches it off.
    Phenomena, "[corpus.synthetic.phenomena]", "phenomena" {
        /// Matched brackets around a head.
        brackets: u64 = "140", "0";
        /// Lists of many conjuncts.
        coordination: u64 = "130", "0";
        /// An adposition that is taken up again.
        parallel: u64 = "130", "0";
        /// An adposition in two halves.
        circumposition: u64 = "150", "0";
        /// A pronoun that agrees with the noun of its clause.
        resumption: u64 = "60", "0";
        /// Three particles of a verb.
        concord: u64 = "50", "0";
        /// Runs of particles.
        ideophones: u64 = "30", "0";
    }
}

table! {
    /// The tagger, for `tags = "predicted"`. It is trained once for all seeds.
    Tagger, "[tagger]", "[tagger]" {
        /// Passes over the training part.
        epochs: AtLeast<1> = "10", "5";
        /// Folds by which the training part is tagged, each by a tagger that has not seen it: at least 2.
        folds: u64 = "10", "4";
        /// Seed of its shuffles.
        seed: u64 = "1", "2";
    }
}

table! {
    /// The pruner: a model of arcs whose marginals say which heads a word may have.
    Pruner, "[pruner]", "[pruner]" {
        /// Its templates: a built-in set or a file.
        templates: String = "\"pruner\"", "\"compact\"";
        /// Passes over the training part.
        epochs: AtLeast<1> = "3", "2";
        /// Step size of the first pass: above 0, at most 1.
        rate: f64 = "0.02", "0.1";
        /// What it is: `sums`, a log-linear model over the trees of its parser; or `ranker`, a local model learnt for a margin.
        model: PrunerModel = "\"sums\"", "\"ranker\"";
    }
}

table! {
    /// The labeller, for grids with `labels`: it finds the relations of a tree. It is trained once for all parsers of a seed.
    Labeller, "[labeller]", "[labeller]" {
        /// Its templates: a built-in set or a file.
        templates: String = "\"labels\"", "\"templates/mine.toml\"";
        /// Passes over the training part.
        epochs: AtLeast<1> = "5", "3";
    }
}

table! {
    /// How weights are learnt. `[training]` has the keys of `[learner.NAME]`, too, for all learners.
    Training, "[training]", "[training]" {
        /// Template sets of all grids: built-in ones, or files. Results name a file's set by the file, without the ending.
        templates: Many<String> = "\"compact\"", "[\"paper\", \"templates/mine.toml\"]";
        /// Learners of all grids: `perceptron`, `mira` or `crf`, or one of these with a word behind it, such as `mira-long`, which
        /// `[learner.mira-long]` describes.
        learner: Many<Learner> = "\"perceptron\"", "[\"perceptron\", \"mira\"]";
    }
}

table! {
    /// The schedule of one learner; what it leaves out is as in `[training]`. A key that has no effect on the learner is an error
    /// here, and is allowed in `[training]`, which is for all.
    Schedule, "[learner.NAME]", "a learner" {
        /// MIRA, and CRFs with non-local features: the longest step, above 0, at most 1.
        aggressiveness: f64 = "0.01", "0.1";
        /// MIRA: trees that it learns from at once, where there are no non-local features.
        kbest: AtLeast<1> = "1", "5";
        /// CRF: how little large weights are held against them; the penalty is the square of the weights' norm over 2C.
        c: f64 = "1.0", "2.0";
        /// CRF: what a wrong head adds to the score of a tree that the right one is held against.
        charge: f64 = "0.0", "1.0";
        /// CRF: features of right trees of the training part alone, or those of all candidates.
        features: crf::Features = "\"gold\"", "\"all\"";
        /// CRF: the descent ends when its gradient has fallen to this share of the first: above 0, below 1.
        tolerance: f64 = "1e-3", "1e-2";
        /// CRF: most steps of the descent.
        iterations: AtLeast<1> = "500", "100";
        /// CRF: steps that the descent remembers.
        history: AtLeast<1> = "6", "10";
        /// CRF: sentences of a step. With it a CRF is learnt batch by batch, in epochs, and of the keys above only `charge` has an
        /// effect.
        batch: AtLeast<1>, "32";
        /// CRF with `batch`: the length of a step along one sentence's gradient, at most 1; 0.02 if not given.
        rate: f64, "0.1";
        /// Passes over the training part. CRFs without `batch` have none.
        epochs: AtLeast<1> = "6", "10";
        /// The first pass, from 1, whose weights are in the average.
        average_from: AtLeast<1> = "1", "3";
        /// Which pass's weights count: the last, or those that score best on the development part.
        choose_epoch: ChooseEpoch = "\"last\"", "\"dev\"";
        /// The share of the training part that weights are learnt from, spread evenly over it. Tagger and pruner learn from all.
        sentences: f64 = "1.0", "0.25";
        /// The weights that a parser with non-local features starts from: zeros, or those of the baseline of the same schedule,
        /// averaged, which are reused where they are available; with `baseline-fixed` only non-local kinds of parts learn. CRFs
        /// start from their baseline.
        start: Start = "\"zero\"", "\"baseline\"";
        /// Which features of non-local kinds there are: those that fire in a right tree or in one that a training search gave,
        /// or those of right trees alone.
        nonlocal_features: NonlocalFeatures = "\"seen\"", "\"gold\"";
        /// How many words may be attached to the root, in training and in parsing. Models keep it.
        roots: Roots = "\"one\"", "\"several\"";
        /// Whether trees are `projective` or `non-projective`, in training and in parsing: what is learnt from is the treebank's own
        /// tree, or the projective one nearest to it. Models keep it. The backbone `arborescence` needs `non-projective`.
        trees: Trees = "\"projective\"", "\"non-projective\"";
        /// The words of the longest sentence that weights are learnt from; all if not given. Tagger and pruner learn from all.
        longest: AtLeast<1>, "80";
        /// Candidate heads while training.
        pruning: Rule = "\"k=10\"", "\"none\"";
        /// The decoder of sets with non-local features while training: `bnb`, `paper` or a reading of it, `arc-changes`, or `lp`, by
        /// which MIRA learns from relaxations over the backbone `arborescence`.
        decoder: String = "\"bnb\"", "\"paper\"";
        /// Most DP calls a sentence while training.
        dp_calls: Limit = "200", "\"none\"";
        /// Most nodes a search while training.
        nodes: Limit = "\"none\"", "1000";
    }
}

table! {
    /// The feature sets of all grids.
    Features, "[features]", "[features]" {
        /// Sets of families such as `comb+sibling`, `baseline` for the set of none, or the names of lists of sets: see
        /// [above](#feature-sets).
        sets: Many<String> = "\"paper\"", "[\"sibling\", \"grandchild+sibling\"]";
    }
}

table! {
    /// How all grids parse, where they do not say otherwise.
    Decoding, "[decoding]", "[decoding]" {
        /// Candidate heads: the `k` most probable of each word; those at least `t` times as probable as the best; or all.
        pruning: Many<Rule> = "\"k=10\"", "[\"none\", \"k=10\", \"t=1e-3\"]";
        /// Decoders of sets with non-local features: `bnb`, `paper`, [readings of it](EXTENDING.md#a-reading-of-the-paper) such as
        /// `paper+polyak`, `ilp` and `lp`, which need a build with `--features ilp`, and for CRFs `mbr`. The baseline is decoded by
        /// the dynamic program, or by `arc-changes`.
        decoders: Many<String> = "\"bnb\"", "[\"bnb\", \"paper\"]";
        /// Dynamic programs under the search, with a model each.
        backbones: Many<Backbone> = "\"carreras\"", "\"arborescence\"";
        /// Most DP calls a sentence. A search that is stopped answers with the best tree found, which counts as not proven.
        dp_calls: Limit = "20000", "500";
        /// Most nodes a search.
        nodes: Limit = "\"none\"", "1000";
    }
}

table! {
    /// What is parsed, and how results are compared.
    Evaluation, "[evaluation]", "[evaluation]" {
        /// Parts that all grids parse; `cv` is all sentences of all parts, cross-validated. `test` if not given, and `cv` if only
        /// `folds` is.
        splits: Many<Parsed>, "[\"dev\", \"test\"]";
        /// Folds of `cv`, at least 3: one to parse, one to choose epochs by, the others to learn from; 10 if not given. All grids
        /// have the same, because their rows stand in one table. Each fold is stored separately, so a stopped run goes on.
        folds: AtLeast<{ Fold::FEWEST as u64 }>, "5";
        /// Rounds of the paired tests.
        rounds: AtLeast<1> = "10000", "1000";
        /// Seed of the paired tests.
        seed: u64 = "1", "2";
    }
}

table! {
    /// How speed is measured.
    Timing, "[timing]", "[timing]" {
        /// Timed passes over each cell.
        repeats: AtLeast<1> = "3", "5";
    }
}

table! {
    /// What a [cluster](CLUSTER.md) is asked for, with `--engine slurm`. It decides no result.
    Engine, "[engine]", "[engine]" {
        /// The partition; that of the cluster if not given.
        partition: String, "\"long\"";
        /// The account that pays.
        account: String, "\"parsing\"";
        /// Threads of a task.
        threads: AtLeast<1> = "1", "4";
        /// Further options of `sbatch`, as in its scripts. They come after those that are chosen here, so they may have another
        /// `--time` or `--mem`.
        options: Many<String>, "[\"--qos=low\", \"--mem=8G\"]";
    }
}

table! {
    /// A parser that is run by its command lines: see [above](#external-parsers).
    External, "[[external]]", "an external parser" {
        /// Its name as a system of grids. Required.
        name: SystemName, "\"other\"";
        /// The command that learns: a program and its arguments. Left out if nothing is learnt; the parser then has no seeds.
        train: Many<String>, "[\"{config}/learn\", \"{train}\", \"{dev}\", \"{model}\", \"{seed}\"]";
        /// The command that parses. Required.
        parse: Many<String>, "[\"{config}/parse\", \"{model}\", \"{input}\", \"{output}\"]";
        /// The command that prints the parser's version, of which the first line counts. Required.
        version: Many<String>, "[\"{config}/parse\", \"--version\"]";
        /// Seconds that one command may take.
        time_limit_s: AtLeast<1> = "3600", "7200";
        /// Variables of its environment, beside `PATH`.
        environment: BTreeMap<String, Key<String>>, "{ OMP_NUM_THREADS = \"1\" }";
    }
}

table! {
    /// Cells that are all combinations of some values. Keys that are left out are as in the tables above. A config without grids has
    /// one, called `main`.
    Grid, "[[grid]]", "a grid" {
        /// Its name, by which it is chosen, merged and set. Required.
        name: String, "\"main\"";
        /// Whether it is run where no grid is named by `--grid NAME` or a filter.
        default: bool = "true", "false";
        /// Its treebanks; all of the config if not given.
        corpus: Many<String>, "\"en_ewt\"";
        /// Whose tags its parsers see; as at the top if not given.
        tags: Many<Tags>, "\"predicted\"";
        /// Its parsers: `graph`, one of the trivial baselines, or names of `[[external]]`.
        systems: Many<String> = "\"graph\"", "[\"graph\", \"chain-before\"]";
        /// Its seeds; as at the top if not given.
        seeds: Many<u64>, "[1, 2]";
        /// The parts that it parses; as in `[evaluation]` if not given.
        splits: Many<Parsed>, "\"dev\"";
        /// Values on the axes of systems other than `graph`, by axis; those that a system declares as usual if not given.
        axes: BTreeMap<String, Key<Many<String>>>, "{ search = [\"beam=8\", \"greedy\"] }";
    }
}

table! {
    /// Keys of a grid that are about the parser of factor graphs, the system `graph`.
    GraphAxes, "[[grid]], system graph", "a grid" {
        /// Template sets; as in `[training]` if not given.
        templates: Many<String>, "\"paper\"";
        /// Learners; as in `[training]` if not given.
        learners: Many<Learner>, "[\"perceptron\", \"mira-long\"]";
        /// Feature sets; as in `[features]` if not given.
        sets: Many<String>, "\"ablation\"";
        /// Whether the baseline is evaluated, too.
        baseline: bool = "true", "false";
        /// Candidate heads; as in `[decoding]` if not given.
        pruning: Many<Rule>, "[\"none\", \"k=3\"]";
        /// Decoders; as in `[decoding]` if not given.
        decoders: Many<String>, "\"paper\"";
        /// Dynamic programs; as in `[decoding]` if not given.
        backbones: Many<Backbone>, "[\"carreras\", \"grand-sibling\"]";
        /// When the relations of arcs are found: `none`; `second-stage`, when the tree is there; or `in-search`, where the score of the
        /// best relation of each arc is a part of that of the arc.
        labels: Many<Labelling> = "\"none\"", "[\"none\", \"second-stage\"]";
        /// Whether the tree is chosen among so many of the best ones: `none`, or `best=10`. What chooses learns from the development
        /// part, which such a grid cannot parse. For sets with non-local features and the decoder `bnb`.
        reranking: Many<Reranked> = "\"none\"", "[\"none\", \"best=10\"]";
        /// Most DP calls a sentence; as in `[decoding]` if not given. Grids may share cells, which are run once: their limits must
        /// be the same.
        dp_calls: Limit, "1000";
        /// Most nodes a search; as in `[decoding]` if not given.
        nodes: Limit, "\"none\"";
    }
}

table! {
    /// Which rows a table or a figure shows, as `treebound table` and `treebound figure` make it where the command line chooses none;
    /// these are the files that are committed. What the command line chooses has files of its own.
    Shown, "[[table]], [[figure]]", "a table or figure" {
        /// Its name, as the command line has it. Required.
        name: String, "\"ablation\"";
        /// Rows of these grids; of all if not given.
        grids: Many<String>, "[\"main\", \"pruning\"]";
        /// Rows of cells whose name matches this regular expression.
        filter: String, "\"/test/.*/mira/\"";
    }
}

/// What an experiment may parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parsed {
    /// The development part.
    Dev,
    /// The test part.
    Test,
    /// All parts, by cross-validation.
    Cv,
}

/// The data sets that papers report on.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Published {
    /// The Penn Treebank.
    Ptb,
    /// The Chinese Treebank.
    Ctb,
    /// The Prague Dependency Treebank.
    Pdt,
    /// The Danish treebank of CoNLL-X.
    Danish,
    /// The Dutch treebank of CoNLL-X.
    Dutch,
    /// The Portuguese treebank of CoNLL-X.
    Portuguese,
    /// The Slovene treebank of CoNLL-X.
    Slovene,
    /// The Swedish treebank of CoNLL-X.
    Swedish,
    /// The Turkish treebank of CoNLL-X.
    Turkish,
    /// The English treebank of CoNLL-2008.
    English,
}

/// As configs and tables have them.
impl std::fmt::Display for Published {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format!("{self:?}").to_uppercase())
    }
}

macro_rules! tables {
    ($($table:ident)*) => {
        /// The keys of all tables in Markdown, as `docs/CONFIGURE.md` has them.
        pub fn reference() -> String {
            [$(spanned::reference::<$table>()),*].join("\n")
        }

        #[cfg(test)]
        #[test]
        fn examples_and_defaults_are_of_the_type_of_their_key() {
            $(assert_eq!(spanned::wrong_examples::<$table>(), Vec::<&str>::new(), stringify!($table));)*
        }
    };
}

// In the order of the manual.
tables! {
    Top Corpus Expected Counts PunctuationRule Synthetic Phenomena Tagger Pruner Labeller Training Schedule Features Decoding Evaluation
    Timing Engine External Grid GraphAxes Shown
}
