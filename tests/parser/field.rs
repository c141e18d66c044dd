//! Inputs that real treebanks, hooks and other people's tools bring along: each gets its right value, or a message that helps.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::desk::Desk;
use crate::treebank_errors::MADE;
use treebound::experiment::explanation::number_by_id;
use treebound::treebank::conll::{self, Parses};
use treebound::treebank::penn::{self, HeadRules};
use treebound::treebank::{Punctuation, ScoreError, Sentence, SentenceScore, is_same_word};

/// A desk with a model.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("made.toml", MADE);
    desk.treebound(&["train", "made.toml", "--features", "sibling", "--model", "a.model"]).success();
    desk
}

fn word(id: usize, form: &str, head: &str) -> String {
    format!("{id}\t{form}\t_\tNOUN\tNN\t_\t{head}\tdep\t_\t_\n")
}

fn gold(text: &str) -> Result<Vec<Sentence>, String> {
    conll::parse_gold(text.as_bytes(), Path::new("bank.conllu")).map_err(|fault| fault.to_string())
}

fn forms(sentences: &[Sentence]) -> Vec<&str> {
    sentences.iter().flat_map(|sentence| &sentence.tokens).map(|token| &*token.form).collect()
}

#[test]
fn control_characters_are_read_and_shown_escaped() {
    let text = word(1, "l\u{92}eau", "0") + &word(2, "\u{7f}\u{85}\u{1b}[2J", "1") + "\n";
    assert_eq!(forms(&gold(&text).expect("a treebank")), ["l\u{92}eau", "\u{7f}\u{85}\u{1b}[2J"]);
    let brackets = "( (NP (NN l\u{92}eau) (NN b)) )";
    let rules = HeadRules::built_in("english").expect("rules");
    let file = penn::parse(brackets.as_bytes(), Path::new("a.mrg"), &rules).expect("a tree");
    assert_eq!(forms(&file.sentences), ["l\u{92}eau", "b"]);
    let fault = penn::parse(b"( (NN a\0b) )", Path::new("a.mrg"), &rules).expect_err("NUL").to_string();
    assert_eq!(fault, "a.mrg:1: sentence 1: `a\\0b` has a NUL character; remove it");
    // What is shown does nothing to a terminal; what is written is what was read.
    let desk = desk();
    desk.write("in.conllu", &text);
    let explained = desk.treebound(&["parse", "--model", "a.model", "in.conllu", "--explain", "1"]).success();
    assert!(explained.contains("l\\u{92}eau") && explained.contains("\\u{1b}[2J"), "{explained}");
    assert!(!explained.contains(['\u{92}', '\u{1b}']), "{explained}");
    let parsed = desk.treebound(&["parse", "--model", "a.model", "in.conllu"]).success();
    assert!(parsed.contains("\tl\u{92}eau\t"), "{parsed}");
}

#[test]
fn heads_that_parse_replaces_are_not_looked_at() {
    let desk = desk();
    for heads in [["2", "1"], ["-1", "x"], ["_", "1"], ["9", "\u{1b}[2J"], ["", "0"]] {
        desk.write("in.conllu", word(1, "a", heads[0]) + &word(2, "b", heads[1]) + "\n");
        let out = desk.treebound(&["parse", "--model", "a.model", "in.conllu"]).success();
        assert_eq!(gold(&out).expect("a treebank").len(), 1);
        desk.treebound(&["parse", "--model", "a.model", "in.conllu", "--explain", "1"]).failure(&["sentence 1: "]);
    }
}

#[test]
fn conllx_has_no_blanks_and_nothing_of_conllu_in_its_last_columns() {
    let desk = Desk::new();
    let line = "1\ta b\u{a0}c\ta b\tX\tY\tf=1 g\t0\troot\t0:root|1.1:x\tSpaceAfter=No\n\n";
    desk.write("in.conllu", line);
    let out = desk.treebound(&["data", "convert", "--from", "conllu", "in.conllu"]).success();
    assert_eq!(out, "1\ta_b_c\ta_b\tX\tY\tf=1_g\t0\troot\t_\t_\n\n");
    let mut written = Vec::new();
    conll::write_conllx(&gold(line).expect("a treebank"), &mut written).expect("memory");
    assert_eq!(written, b"1\ta_b_c\t_\tX\tY\t_\t0\troot\t_\t_\n\n", "what external parsers are given");
}

#[test]
fn other_rules_of_punctuation_are_named_on_the_command_line() {
    let desk = Desk::new();
    let line = |id: usize, form: &str, coarse: &str, head: usize| {
        format!("{id}\t{form}\t_\t{coarse}\tx\t_\t{head}\tdep\t_\t_\n")
    };
    let text =
        |head| line(1, "a", "N", 0) + &line(2, "«", "F", head) + &line(3, "$", "F", 1) + &line(4, "...", "N", 1) + "\n";
    desk.write("gold.conllx", text(1));
    desk.write("parsed.conllx", text(3));
    let scored = |rule: &str| {
        let out = desk.treebound(&["eval", "gold.conllx", "parsed.conllx", "--punctuation", rule]).success();
        let line = out.lines().find(|line| line.starts_with("UAS, without punctuation")).expect("a line").to_owned();
        line.rsplit_once("   ").expect("counts").1.to_owned()
    };
    assert_eq!(["none", "coarse=F", "fine=x", "unicode"].map(scored), ["3 / 4", "2 / 2", "0 / 0", "2 / 2"]);
    desk.write(
        "a.toml",
        "[[corpus]]\nname = 'a'\nformat = 'conllx'\ntrain = 'gold.conllx'\ndev = 'gold.conllx'\ntest = 'gold.conllx'\n\
         punctuation = 'unicode'\n",
    );
    let resolved = desk.treebound(&["check", "a.toml", "--resolved"]).success();
    assert!(resolved.contains("column = \"unicode\""), "{resolved}");
    desk.write("b.toml", &resolved);
    desk.treebound(&["check", "b.toml", "--resolved"]).success();
    desk.treebound(&["check", "a.toml", "--resolved", "--set", "corpus.a.punctuation=\"coarse=F\""]);
    assert_eq!(Punctuation::parse("coarse=F").map(|rule| rule.tags), Some(vec!["F".to_owned()]));
}

#[test]
fn files_may_be_compressed_wherever_they_are_named() {
    let desk = Desk::new();
    let sentence = |form: &str| word(1, form, "0") + "\n";
    let member = |text: &str| {
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        out.write_all(text.as_bytes()).and_then(|()| out.finish()).expect("packed")
    };
    desk.write("a.conllu.gz", [member(&sentence("one")), member(&sentence("two"))].concat());
    desk.write("b.conllu", sentence("three"));
    let config = |train: &str| {
        format!(
            "[[corpus]]\nname = 'a'\nformat = 'conllu'\ntrain = '{train}'\ndev = 'b.conllu'\ntest = 'b.conllu'\n\
             [pruner]\nepochs = 1\n"
        )
    };
    desk.write("a.toml", config("a.conllu.gz"));
    let out = desk.treebound(&["check", "a.toml"]).success();
    assert!(out.contains("train      2 sentences        2 words"), "{out}");
    desk.write("a.conllu.xz", b"\xfd7zXZ\0\0");
    desk.write("a.toml", config("a.conllu.xz"));
    desk.treebound(&["check", "a.toml"]).failure(&["a.conllu.xz: cannot read the file: it is compressed; unpack it"]);
    desk.write("a.conllu.bz2", "BZh91AY");
    desk.treebound(&["eval", "a.conllu.bz2", "b.conllu"]).failure(&["a.conllu.bz2", "bzip2 --decompress"]);
}

#[test]
fn every_file_of_several_may_begin_with_a_byte_order_mark() {
    let one = format!("\u{feff}# sent_id = a\n{}\n", word(1, "x", "0"));
    let two = format!("\u{feff}{}\n", word(1, "y", "0"));
    let read = gold(&[one.clone(), two, one].concat()).expect("a treebank");
    assert_eq!(forms(&read), ["x", "y", "x"]);
    assert_eq!(read[0].place.id.as_deref(), Some("a"));
    let rules = HeadRules::built_in("english").expect("rules");
    let file = penn::parse("\u{feff}(UH a)\n\u{feff}(UH b)\n".as_bytes(), Path::new("a.mrg"), &rules).expect("trees");
    assert_eq!(forms(&file.sentences), ["a", "b"]);
}

#[test]
fn check_tells_of_sentences_that_two_parts_have() {
    let desk = Desk::new();
    let test = "# sent_id = t-1\n".to_owned() + &word(1, "x", "0") + &word(2, "y", "1") + "\n";
    desk.write("train.conllu", word(1, "z", "0") + "\n");
    desk.write("dev.conllu", &test);
    desk.write("copy.conllu", test.replace("\t0\t", "\t2\t").replace("\t1\tdep", "\t0\tdep"));
    desk.write(
        "a.toml",
        "[[corpus]]\nname = 'a'\nformat = 'conllu'\ntrain = 'train.conllu'\ndev = 'dev.conllu'\ntest = 'copy.conllu'\n",
    );
    let out = desk.treebound(&["check", "a.toml"]).success();
    let wanted = "1 of 1 sentences of test are in dev too; the longest: dev.conllu:2: sentence 1 (t-1), copy.conllu:2";
    assert!(out.contains(wanted) && !out.contains("in train too"), "{out}");
}

#[test]
fn an_identifier_of_several_sentences_lists_them() {
    let sentence = |id: &str| format!("# sent_id = {id}\n{}\n", word(1, "x", "0"));
    let read = gold(&[sentence("a"), sentence("b"), sentence("a")].concat()).expect("a treebank");
    assert_eq!(number_by_id(&read, "b").ok(), Some(2));
    let message = number_by_id(&read, "a").expect_err("two").to_string();
    assert_eq!(
        message,
        "--id a: 2 sentences of the part have it; --sentence takes a number: --sentence 1 (bank.conllu:2: sentence 1 (a)), \
         --sentence 3 (bank.conllu:8: sentence 3 (a))"
    );
    assert!(number_by_id(&read, "c").expect_err("none").to_string().contains("# sent_id = c"));
    let nameless = gold(&(word(1, "x", "0") + "\n")).expect("a treebank");
    assert!(number_by_id(&nameless, "a").expect_err("none").to_string().contains("has a `# sent_id`"));
}

#[test]
fn what_is_empty_is_passed_over() {
    let desk = desk();
    for text in ["", "\n\n", "\u{feff}"] {
        desk.write("empty.conllu", text);
        assert_eq!(desk.treebound(&["parse", "--model", "a.model", "empty.conllu"]).success(), "");
        assert_eq!(desk.treebound(&["data", "convert", "--from", "conllu", "empty.conllu"]).success(), "");
    }
    desk.write("comments.conllu", "# newdoc\n\n");
    assert_eq!(desk.treebound(&["parse", "--model", "a.model", "comments.conllu"]).success(), "# newdoc\n\n");
    desk.write("a.mrg", "(UH a)\n( )\n(())\n( (S (-NONE- *)) )\n");
    let done = desk.treebound(&["data", "convert", "--from", "penn", "--rules", "english", "a.mrg"]);
    assert!(done.err.contains("3 trees without words were passed over: a.mrg:2: sentence 2"), "{done:?}");
    assert_eq!(done.success(), "1\ta\t_\tUH\tUH\t_\t0\troot\t_\t_\n\n");
    // Nothing can be learnt from nothing.
    desk.treebound(&["eval", "empty.conllu", "empty.conllu"]).failure(&["empty.conllu: the file has no sentences"]);
}

#[test]
fn headers_of_bracketed_files_are_comments() {
    let text = "*x*x*x*x*x*x*\n*x*  Copyright (C) 1995  *x*\n*x*x*x*x*x*x*\n\n( (NP (NN a) (NN *x*)) )\n *x* end\n";
    let rules = HeadRules::built_in("english").expect("rules");
    let file = penn::parse(text.as_bytes(), Path::new("a.mrg"), &rules).expect("a tree");
    assert_eq!(forms(&file.sentences), ["a", "*x*"]);
    assert_eq!(file.sentences[0].place.line, 5);
}

#[test]
fn columns_of_conllu_plus_are_read_by_name_and_kept() {
    let text = "# global.columns = ID FORM HEAD UPOS PARSEME:MWE DEPREL\n# sent_id = s\n\
                1\ta\t2\tDET\t*\tdet\n2\tb\t0\tNOUN\t1:X\troot\n2.1\te\t_\t_\t*\t_\n\n";
    let read = gold(text).expect("a treebank");
    let token = &read[0].tokens[0];
    assert_eq!((&*token.form, &*token.coarse, &*token.fine), ("a", "DET", "DET"));
    assert_eq!(read[0].gold.as_ref().map(|tree| tree.heads().iter().map(|h| h.0).collect()), Some(vec![2, 0]));
    let file = conll::parse_words(text.as_bytes(), Path::new("a.conllup")).expect("sentences");
    let tree = gold(&(word(1, "a", "0") + &word(2, "b", "1"))).expect("a tree").remove(0).gold.expect("a tree");
    let mut out = Vec::new();
    file.write_parsed(Parses { trees: &[tree], ..Parses::default() }, &mut out).expect("memory");
    let wanted = text
        .replace("1\ta\t2\tDET\t*\tdet", "1\ta\t0\tDET\t*\troot")
        .replace("2\tb\t0\tNOUN\t1:X\troot", "2\tb\t1\tNOUN\t1:X\tdep");
    assert_eq!(String::from_utf8(out).expect("text"), wanted);
    let mut out = Vec::new();
    conll::parse(text.as_bytes(), Path::new("a.conllup")).expect("sentences").write_words(&mut out).expect("memory");
    assert_eq!(
        String::from_utf8(out).expect("text"),
        "1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    );
    let fault = |text: &str| conll::parse_words(text.as_bytes(), Path::new("a")).map(drop).expect_err(text).to_string();
    assert_eq!(fault("# global.columns = ID UPOS\n"), "a:1: sentence 1: `# global.columns` names no FORM");
    assert_eq!(fault("# global.columns = ID FORM\n1\tx\n"), "a:2: sentence 1: `# global.columns` names no HEAD");
    let message = fault("# global.columns = ID FORM HEAD\n1\tx\n");
    assert!(
        message.starts_with("a:2: sentence 1: 2 tab-separated columns where the 3 of `# global.columns`"),
        "{message}"
    );
}

#[test]
fn files_in_other_encodings_are_read() {
    let desk = desk();
    desk.write("latin.conllu", [b"1\tcaf\xe9\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n".as_slice()].concat());
    let parsed = desk.treebound(&["parse", "--model", "a.model", "--encoding", "latin-1", "latin.conllu"]).success();
    assert!(parsed.contains("\tcafé\t"), "{parsed}");
    desk.treebound(&["parse", "--model", "a.model", "latin.conllu"]).failure(&["is not UTF-8", "--encoding latin-1"]);
    let convert = ["data", "convert", "--from", "conllu", "--encoding", "latin-2", "latin.conllu"];
    assert!(desk.treebound(&convert).success().contains("\tcafé\t"));
    desk.treebound(&["eval", "--encoding", "iso-8859-1", "latin.conllu", "latin.conllu"]).success();
    assert_eq!(desk.treebound(&["eval", "--encoding", "klingon", "latin.conllu", "latin.conllu"]).code, Some(2));
    desk.write(
        "a.toml",
        "[[corpus]]\nname = 'a'\nformat = 'conllu'\nencoding = 'latin-1'\ntrain = 'latin.conllu'\ndev = 'latin.conllu'\n\
         test = 'latin.conllu'\n",
    );
    assert!(desk.treebound(&["check", "a.toml"]).success().contains("1 words"));
}

#[test]
fn words_are_compared_as_the_official_scorer_compares_them() {
    assert!(is_same_word("Zu", "zu") && is_same_word("a b", "a\u{a0}b") && is_same_word("İ", "i\u{307}"));
    assert!(!is_same_word("é", "e\u{301}") && !is_same_word("a", "b"));
    let score = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|form| gold(&word(1, form, "0")).expect("a treebank").remove(0));
        SentenceScore::new(&a, &b, &Punctuation::parse("ud").expect("a rule"))
    };
    assert!(score("Zu", "zu").is_ok_and(|score| score.correct == 1));
    // Look-alikes are told apart by code point.
    let message = score("caf\u{e9}", "cafe\u{301}").expect_err("two words").to_string();
    assert!(message.contains("U+00E9") && message.contains("U+0065 U+0301"), "{message}");
    assert!(matches!(score("a", "b"), Err(ScoreError::Word(..))));
}

#[test]
fn faults_of_piped_input_carry_the_sentence_id() {
    let desk = Desk::new();
    let text = format!("# sent_id = weblog-7\n{}\n", word(1, "x", "0") + &word(2, "y", "7"));
    desk.write("in.conllu", &text);
    let mut piped = desk.command(&["eval", "-", "in.conllu"]);
    let input = fs::File::open(desk.path("in.conllu")).expect("there");
    let output = piped.stdin(input).stderr(Stdio::piped()).output().expect("started");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("standard input:3: sentence 1 (weblog-7): word 2 has head 7"), "{message}");
    let mut latin = format!("# sent_id = weblog-8\n{}", word(1, "x", "0")).into_bytes();
    latin.extend(b"2\tcaf\xe9\n");
    let message = conll::parse(&latin, Path::new("a")).map(drop).expect_err("Latin-1").to_string();
    assert!(message.starts_with("a:3: sentence 1 (weblog-8): byte 6 "), "{message}");
}

#[test]
fn messages_are_short_and_do_nothing_to_a_terminal() {
    let desk = Desk::new();
    desk.write("in.conllu", word(1, "x", &format!("\u{1b}[2J{}", "9".repeat(339_000))) + "\n");
    let done = desk.treebound(&["eval", "in.conllu", "in.conllu"]);
    done.failure(&["the head `\\u{1b}[2J999", "... (339004 characters)"]);
    assert!(done.err.len() < 1000 && !done.err.contains('\u{1b}'), "{}", done.err.len());
}

#[test]
fn a_file_that_is_not_there_has_a_nearest_one() {
    let desk = desk();
    desk.write("corpus.conllu", word(1, "x", "0") + "\n");
    let parse = |model: &str, input: &str| desk.treebound(&["parse", "--model", model, input]);
    parse("a.model", "corups.conllu").failure(&["corups.conllu: cannot read the file (is corpus.conllu meant?): "]);
    parse("./a.modle", "corpus.conllu").failure(&["./a.modle: there is no such file (is ./a.model meant?)"]);
    parse("a.model", "nothing/like/it").failure(&["nothing/like/it: cannot read the file: "]);
}

/// In a hook, variables name the checkout that the hook is of.
#[test]
fn git_is_asked_without_the_callers_variables() {
    let desk = Desk::new();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let mut command = std::process::Command::new("git");
        command.args(identity).args(arguments).current_dir(desk.folder());
        assert!(command.output().expect("git").status.success(), "{arguments:?}");
    };
    desk.write("made.toml", crate::desk::tiny(30, 5, 5));
    desk.treebound(&["run", "made.toml", "-q", "-f", "grandchild"]).success();
    git(&["init", "--quiet"]);
    let diff = |environment: &[(&str, &str)]| {
        let mut command = desk.command(&["diff", "results/made"]);
        let output = command.envs(environment.iter().copied()).output().expect("started");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // No commit yet: git says so.
    let (is_fine, message) = diff(&[]);
    assert!(!is_fine && message.contains("git says: fatal: "), "{message}");
    git(&["add", "results"]);
    git(&["commit", "--quiet", "-m", "one"]);
    for environment in [&[][..], &[("GIT_DIR", "/no/such"), ("GIT_INDEX_FILE", "/no/such/index")]] {
        let (is_fine, message) = diff(environment);
        assert!(is_fine, "{message}");
    }
    let (is_fine, message) = diff(&[("PATH", "/no/such")]);
    assert!(!is_fine && message.contains("git cannot be started: "), "{message}");
}
