//! Readers against input that fuzzing found, or that is of its kind: an answer or an error, never a panic and never more
//! memory than the input is worth.

use std::fs;

use treebound::bytes::{BytesReader, BytesWriter, Damaged};
use treebound::decode::Backbone;
use treebound::features::TemplateSet;
use treebound::features::atoms::mix;
use treebound::features::groups::Folding;
use treebound::graph::Trees;
use treebound::model::{Model, Roots, TrainedParser, TreeKind};
use treebound::pruning::{Pruner, PrunerScratch, Rule};
use treebound::tagger::Tagger;
use treebound::treebank::Token;
use treebound::weights::contexts::{Context, Entry};

/// A set of one template, with what stands behind it.
fn set(more: &str) -> Result<TemplateSet, String> {
    let group = "[[group]]\npart = \"arc\"\nvariants = [\"plain\"]\ntemplates = [\"h.t m.t\"]\n";
    TemplateSet::parse(&format!("{group}{more}"), "some.toml").map_err(|e| e.to_string())
}

/// The bytes of a pruner that knows no tags and has no weights, and the longest arcs that it saw.
fn pruner(longest: u32) -> Vec<u8> {
    let mut out = BytesWriter::default();
    out.u64(0).u32s(std::iter::repeat_n(longest, 8)).u64s(std::iter::empty()).u32s(std::iter::empty());
    out.into_bytes()
}

fn decoded(bytes: &[u8]) -> Pruner {
    Pruner::decode(set("").expect("a set"), &mut BytesReader::new(bytes)).expect("a pruner")
}

/// In a model file a semicolon parts the fields of a pattern, and a comma the pairs that are the same; both are words too.
#[test]
fn patterns_of_signs_survive_a_model_file() {
    let patterns: [(&str, &[&str], &str); 5] = [
        ("A ; B", &[], "A>; ;>B"),
        ("A ;; ; B", &["A B l"], "A>;; B>;"),
        ("A , B", &[", A l", "A B w"], "A>, ,>B"),
        ("A\n\tB", &[], "*>A *>B"),
        ("A  ..  B", &[], "*>A *>B"),
    ];
    for (words, same, trees) in patterns {
        let text = format!(
            "[[pattern]]\nname = \"signs\"\nwords = \"\"\"{words}\"\"\"\nsame = {same:?}\ntrees = [\"{trees}\"]\n"
        );
        let set = set(&text).unwrap_or_else(|e| panic!("{words}: {e}"));
        let lines = set.to_string();
        let again = TemplateSet::from_lines(&lines).unwrap_or_else(|e| panic!("{e}: {lines}"));
        assert_eq!((again.patterns(), again.templates()), (set.patterns(), set.templates()), "{lines}");
    }
    let fault = set("[[pattern]]\nname = \"a\\tb\"\nwords = \"A B\"\ntrees = [\"*>A *>B\"]\n").expect_err("two words");
    assert!(fault.contains("the name is one word"), "{fault}");
}

#[test]
fn letters_that_multiply_without_end_are_refused() {
    let letters: Vec<String> =
        ["w", "l", "t", "c", "p1", "p2", "p3", "s1", "s2", "s3"].map(|a| format!("\"{a}\"")).into();
    let letters = letters.join(", ");
    for classes in [
        format!("expand = {{ A = [{letters}] }}\ntemplates = [\"{}\"]", "h.A m.A ".repeat(6)),
        format!(
            "alike = {{ A = [{letters}], B = [{letters}], C = [{letters}], D = [{letters}], E = [{letters}] }}\n\
             templates = [\"h.A m.B h-1.C m-1.D h+1.E\"]"
        ),
        format!(
            "alike = {{ A = [{letters}], B = [{letters}], C = [{letters}] }}\nexpand = {{ D = [{letters}] }}\n\
             templates = [\"h.A m.B h-1.C m-1.D h+1.D\"]"
        ),
    ] {
        let more = format!("[[group]]\npart = \"arc\"\nvariants = [\"plain\"]\n{classes}\n");
        let fault = set(&more).expect_err("too many");
        // The templates stand in the last line of both groups.
        let line = 4 + more.lines().count();
        let told = fault.starts_with(&format!("some.toml:{line}: ")) && fault.contains("stands for too many templates");
        assert!(told, "{fault}");
    }
}

#[test]
fn a_pruner_with_arcs_of_any_length_prunes() {
    let pruner = decoded(&pruner(u32::MAX));
    let tokens = vec![Token { form: "a".into(), coarse: "X".into(), fine: "X".into(), ..Token::default() }; 3];
    assert_eq!(pruner.marginals(&tokens, &mut PrunerScratch::default()).len(), 16);
}

/// Memory for transitions grows with the square of the labels.
#[test]
fn a_tagger_of_too_many_labels_is_refused() {
    let tagger = |labels: u64| {
        let mut out = BytesWriter::default();
        out.u64(labels);
        for label in 0..labels {
            out.text(&format!("{label:05}")).text("X");
        }
        out.u64(1).text("form").u32s([0, 1].into_iter()).u64s(std::iter::empty()).u32s(std::iter::empty());
        Tagger::decode(&mut BytesReader::new(&out.into_bytes())).map(|tagger| tagger.labels().len())
    };
    assert_eq!((tagger(9), tagger(4097)), (Ok(9), Err(Damaged)));
}

#[test]
fn a_model_file_with_a_rule_that_keeps_nothing_is_damaged() {
    let model =
        || Model::new(set("").expect("a set"), &[], Backbone::Carreras, Folding::All, Vec::new()).expect("a model");
    let read = |rule| {
        let parser =
            TrainedParser { tagger: None, pruner: decoded(&pruner(3)), rule, model: model(), facts: Vec::new() };
        TrainedParser::decode(&parser.encode()).map(|parser| parser.rule)
    };
    for rule in [Rule::None, Rule::Best(1), Rule::Threshold(0.5)] {
        assert_eq!(read(rule).ok(), Some(rule));
    }
    for rule in [Rule::Best(0), Rule::Threshold(0.0), Rule::Threshold(1.5), Rule::Threshold(f64::NAN)] {
        assert!(read(rule).is_err(), "{rule}");
    }
}

/// How many words may hang on the root is one number, which is read as it was written or not at all.
#[test]
fn a_model_file_keeps_how_many_words_may_hang_on_the_root() {
    let bytes = Roots::ALL.map(|roots| {
        let model = Model::new(set("").expect("a set"), &[], Backbone::Carreras, Folding::All, Vec::new());
        let model = model.expect("a model").with_roots(roots);
        let parser =
            TrainedParser { tagger: None, pruner: decoded(&pruner(3)), rule: Rule::None, model, facts: Vec::new() };
        let bytes = parser.encode();
        assert_eq!(TrainedParser::decode(&bytes).map(|parser| parser.model.roots()).ok(), Some(roots));
        let crossing = TrainedParser { model: parser.model.with_trees(Trees::NonProjective), ..parser };
        let kind = TreeKind { trees: Trees::NonProjective, roots };
        assert_eq!(TrainedParser::decode(&crossing.encode()).map(|parser| parser.model.tree_kind()).ok(), Some(kind));
        bytes
    });
    let [one, mut several] = bytes;
    let differs = (0..one.len()).find(|&i| one[i] != several[i]).expect("a difference");
    assert_eq!(one.len(), several.len());
    several[differs] = one[differs];
    assert!(TrainedParser::decode(&several).is_err(), "the checksum of the head is that of the other");
}

/// Wherever a file is cut or changed, it is refused, or what is wrong is not looked at, and parses are those of the whole file.
#[test]
fn damage_is_told_and_never_answered_with() {
    let entries: Vec<Entry> = (0..40_000u64)
        .map(|i| Entry { context: Context::new(mix(i), 0, 1, [u32::from(i % 2 == 0); 2]), weight: i as i32 })
        .collect();
    let mut entries = entries;
    entries.sort_unstable();
    let model = Model::new(set("").expect("a set"), &[], Backbone::Carreras, Folding::All, entries.clone());
    let parser = TrainedParser {
        tagger: None,
        pruner: decoded(&pruner(3)),
        rule: Rule::None,
        model: model.expect("a model"),
        facts: Vec::new(),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model");
    parser.write(&path).expect("written");
    let bytes = fs::read(&path).expect("read");
    assert_eq!(bytes, parser.encode());
    let weights = |parser: &TrainedParser| -> Vec<Option<i32>> {
        entries.iter().step_by(97).map(|entry| parser.model.weights().table.weight(entry.context)).collect()
    };
    let whole = weights(&parser);
    let mapped = TrainedParser::open(&path).expect("a model");
    assert!(weights(&mapped) == whole && mapped.check_use(&path).is_ok());
    assert_eq!(weights(&TrainedParser::read(&path).expect("a model")), whole);
    assert_eq!(mapped.encode(), bytes);
    let mut told = 0;
    for place in (0..bytes.len()).step_by(bytes.len() / 60) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x88;
        fs::write(&path, &changed).expect("written");
        assert!(TrainedParser::read(&path).is_err() && TrainedParser::decode(&changed).is_err(), "{place}");
        let Ok(parser) = TrainedParser::open(&path) else { continue };
        let found = weights(&parser);
        if parser.check_use(&path).is_ok() {
            assert_eq!(found, whole, "{place}");
        } else {
            told += 1;
        }
        fs::write(&path, &bytes[..place]).expect("written");
        assert!(TrainedParser::open(&path).is_err(), "{place} bytes");
    }
    assert!(told > 10, "blocks are checked when they are looked at: {told}");
}

/// The error names the version that this program writes.
#[test]
fn a_model_file_of_another_version_is_told_which_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model");
    let model =
        Model::new(set("").expect("a set"), &[], Backbone::Carreras, Folding::All, Vec::new()).expect("a model");
    let parser =
        TrainedParser { tagger: None, pruner: decoded(&pruner(3)), rule: Rule::None, model, facts: Vec::new() };
    parser.write(&path).expect("written");
    let bytes = fs::read(&path).expect("read");
    let first = String::from_utf8_lossy(bytes.split(|&b| b == b'\n').next().expect("a line")).into_owned();
    assert!(TrainedParser::read(&path).is_ok());
    fs::write(&path, "treebound model 1\n").expect("written");
    let fault = TrainedParser::read(&path).expect_err("of another version").to_string();
    assert!(fault.contains("`treebound model 1`") && fault.contains(&format!("reads `{first}`")), "{fault}");
}
