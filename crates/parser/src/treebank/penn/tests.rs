//! From text to sentences: the dialects of the treebanks, faults, and random trees against the definition.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::treebank::Tree;

fn english() -> HeadRules {
    HeadRules::built_in("english").expect("the english table")
}

fn chinese() -> HeadRules {
    HeadRules::built_in("chinese").expect("the chinese table")
}

fn parsed(text: &str, rules: &HeadRules) -> PennFile {
    parse(text.as_bytes(), Path::new("test.mrg"), rules).expect(text)
}

/// Forms and heads, `form/head form/head`, a sentence a string.
fn arcs(text: &str, rules: &HeadRules) -> Vec<String> {
    let show = |s: &Sentence| {
        let heads = s.gold.iter().flat_map(Tree::heads);
        let words: Vec<String> = s.tokens.iter().zip(heads).map(|(t, h)| format!("{}/{h}", t.form)).collect();
        words.join(" ")
    };
    parsed(text, rules).sentences.iter().map(show).collect()
}

fn fault(text: &str) -> String {
    let path = Path::new("test.mrg");
    let file = parse(text.as_bytes(), path, &english()).and_then(|file| file.check_not_empty(path));
    file.expect_err(text).to_string()
}

#[test]
fn a_verb_heads_its_sentence() {
    let text = "( (S (NP-SBJ (DT The) (JJ old) (NN cat)) (VP (VBD saw) (NP (PRP us))) (. .)) )";
    assert_eq!(arcs(text, &english()), ["The/3 old/3 cat/4 saw/0 us/4 ./4"]);
}

#[test]
fn tags_and_forms_stay_as_written() {
    let text = r"((NP (PRP$ Her) (CD 1\/2) (NN pie) (-LRB- -LRB-) (NNS crumbs) (-RRB- -RRB-)))";
    let file = parsed(text, &english());
    let tokens: Vec<(&str, &str, &str)> =
        file.sentences[0].tokens.iter().map(|t| (t.form.as_str(), t.fine.as_str(), t.coarse.as_str())).collect();
    let expected = [
        ("Her", "PRP$", "PRP$"),
        (r"1\/2", "CD", "CD"),
        ("pie", "NN", "NN"),
        ("-LRB-", "-LRB-", "-L"),
        ("crumbs", "NNS", "NN"),
        ("-RRB-", "-RRB-", "-R"),
    ];
    assert_eq!(tokens, expected);
}

#[test]
fn traces_vanish_with_the_constituents_that_hold_only_them() {
    let text = "( (S (NP-SBJ-1 (NNS Plans)) (VP (VBD were) (VP (VBN made) (NP (-NONE- *-1)) \
                (PP (-NONE- *ICH*-2)))) (S-2 (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB go) \
                (NP-TMP (NN home)))))) )";
    assert_eq!(arcs(text, &english()), ["Plans/2 were/0 made/2 to/5 go/2 home/5"]);
    // The rule of S would choose the VP, and that of FRAG its first child, were they still there.
    let text = "((S (VP (-NONE- *?*)) (FRAG (NP-2 (NP (-NONE- *))) (RB not) (NN home)) (. .)))";
    assert_eq!(arcs(text, &english()), ["not/0 home/1 ./1"]);
}

#[test]
fn function_tags_and_indices_do_not_hide_a_label() {
    // The rule of S looks for VP, then NP: cut wrongly, the last constituent would win.
    let text = "(S=2 (VP=3-1 (VB go)) (NP-LOC-CLR=2 (NN home)) (ADVP-TMP (RB now)))";
    assert_eq!(arcs(text, &english()), ["go/0 home/1 now/1"]);
    let text = "(NP-PN (NN-SHORT 甲) (NR 乙))";
    let file = parsed(text, &chinese());
    assert_eq!(file.sentences[0].tokens[0].fine, "NN");
    assert_eq!(file.sentences[0].tokens[0].coarse, "N");
}

#[test]
fn unary_chains_pass_the_head_on() {
    assert_eq!(arcs("( (S (S (VP (VP (VB Go)))) (. !)) )", &english()), ["Go/0 !/1"]);
}

#[test]
fn one_word_is_a_sentence() {
    for text in ["( (INTJ (UH Yes)) )", "((UH Yes))", "(UH Yes)", "( (S (X (-NONE- *)) (UH Yes)))"] {
        assert_eq!(arcs(text, &english()), ["Yes/0"]);
    }
}

#[test]
fn an_outer_bracket_with_several_constituents_is_one_more_constituent() {
    let text = "( (S (VP (VB Go)))\n  (NP (NN home))\n  (. .) )";
    assert_eq!(arcs(text, &english()), ["Go/2 home/0 ./2"]);
}

#[test]
fn trees_may_share_lines_and_span_lines() {
    let text = "\n( (NP (NN a)\n      (NN b) ))((NP(NN c)(NN d)))\r\n\t( (NP\r\n (NN e)))\n\n";
    let file = parsed(text, &english());
    assert_eq!(arcs(text, &english()), ["a/2 b/0", "c/2 d/0", "e/0"]);
    let places: Vec<(usize, usize)> = file.sentences.iter().map(|s| (s.place.line, s.place.sentence)).collect();
    assert_eq!(places, [(2, 1), (3, 2), (5, 3)]);
    assert_eq!(file.sentences[2].place.to_string(), "test.mrg:5: sentence 3");
}

#[test]
fn a_sentence_is_placed_at_its_first_word() {
    let text = "( (S\n    (NP-SBJ (-NONE- *))\n    (VP\n      (VB Go))))";
    assert_eq!(parsed(text, &english()).sentences[0].place.line, 4);
}

const FID: &str = "\u{feff}<DOC>\n<DOCID> TEST_001 </DOCID>\n<HEADER>\n<DATE> 1月 </DATE></HEADER>\n<BODY>\n\
    <HEADLINE>\n<S ID=1>\n( (NP-HLN (NR 甲) \n          (NN 報告)) ) \n</S>\n</HEADLINE>\n<TEXT>\n<P>\n\
    <S ID=2>\n( (IP (NP-SBJ (-NONE- *pro*))\n      (VP (ADVP (AD 不)) (VP (VV 去)\n\
    (NP-OBJ (NN 市場))))\n      (PU 。)) ) \n</S>\n<S ID=3>\n</S></P>\n\
    <S ID=4> ( (FRAG (NN 完) (PU <)) ) </S>\n</TEXT>\n</BODY>\n</DOC>\n";

#[test]
fn chinese_markup_is_passed_over() {
    let file = parsed(FID, &chinese());
    assert_eq!(arcs(FID, &chinese()), ["甲/2 報告/0", "不/2 去/0 市場/2 。/2", "完/0 </1"]);
    let places: Vec<(usize, usize)> = file.sentences.iter().map(|s| (s.place.line, s.place.sentence)).collect();
    assert_eq!(places, [(8, 1), (16, 2), (22, 3)]);
    let tags: Vec<&str> = file.sentences[1].tokens.iter().map(|t| t.coarse.as_str()).collect();
    assert_eq!(tags, ["A", "V", "N", "PU"]);
}

#[test]
fn markup_that_holds_a_tree_is_entered() {
    assert_eq!(arcs("<P><S ID=1>((UH Ja))</S></P> <S>(UH Nein)</S>", &english()), ["Ja/0", "Nein/0"]);
}

#[test]
fn an_ideographic_space_is_a_word_inside_a_tree_and_blank_outside() {
    assert_eq!(arcs("\u{3000}((NP (NN a) (PU \u{3000})))\u{3000}", &chinese()), ["a/0 \u{3000}/1"]);
}

#[test]
fn trees_without_words_are_listed() {
    let text = "(UH a)\n\n( (S\n (NP (-NONE- *)) ))\n( ) (())\n(( ) )\n(UH b)\n";
    let file = parsed(text, &english());
    let numbers: Vec<usize> = file.sentences.iter().map(|s| s.place.sentence).collect();
    assert_eq!(numbers, [1, 6]);
    let wordless: Vec<String> = file.wordless.iter().map(ToString::to_string).collect();
    assert_eq!(
        wordless,
        ["test.mrg:3: sentence 2", "test.mrg:5: sentence 3", "test.mrg:5: sentence 4", "test.mrg:6: sentence 5"]
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mrg");
    std::fs::write(&path, text).expect("written");
    assert_eq!(read_file(&path, &english()).expect("a file").sentences.len(), 2);
    assert_eq!(fault("( (S (-NONE- *)))"), "test.mrg: the file has no sentences");
}

#[test]
fn a_file_without_trees_has_no_sentences() {
    for text in ["", "\n \n", "<DOC>\n</DOC>\n", "\u{feff}"] {
        assert_eq!(fault(text), "test.mrg: the file has no sentences");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = read_file(Path::new("no/such.mrg"), &english()).expect_err("no file").to_string();
    assert!(error.starts_with("no/such.mrg: cannot read the file: "), "{error}");
}

#[test]
fn faults_name_file_line_and_sentence() {
    assert_eq!(
        fault("(UH a)\n( (S (NN b))) )\n(UH c)"),
        "test.mrg:2: sentence 3: this `)` closes nothing: every bracket before it is closed already"
    );
    assert_eq!(
        fault("(UH a)\n\n( (S (NN b)\n (NN c)\n\n"),
        "test.mrg:3: sentence 2: the tree that begins here is still open at the end of the file (brackets without their `)`: 2)"
    );
    assert_eq!(
        fault("( (S (NN a)\n  (NN b))\n( (S (NN c)))\n"),
        "test.mrg:3: sentence 1: a bracket without a label inside the tree that began at line 1: is that tree closed?"
    );
    assert_eq!(
        fault("<S ID=1>\n( (IP (NN a)\n (NN b))\n</S>\n<S ID=2>\n( (IP (NN c)))\n</S>"),
        "test.mrg:4: sentence 1: the markup `</S>` inside the tree that began at line 2: is that tree closed?"
    );
    for text in ["( (NP (DT the)\ndog))", "( (NN a\ndog))", "((NN dog (JJ a)))", "(NN\ndog\n(JJ a))"] {
        let error = fault(text);
        let wanted = "the word `dog` has no tag; expected a bracket of its own such as (NN dog)";
        assert!(error.ends_with(wanted), "{error}");
        let line = 1 + text.split("dog").next().map_or(0, |before| before.matches('\n').count());
        assert!(error.starts_with(&format!("test.mrg:{line}: sentence 1: ")), "{error}");
    }
    for (text, hollow) in [("(UH a)\n(dog)", "dog"), ("(UH a)\n( (S\n ()))", ""), ("(UH a)\n((S (NP)))", "NP")] {
        let line = if hollow.is_empty() { 3 } else { 2 };
        assert_eq!(
            fault(text),
            format!(
                "test.mrg:{line}: sentence 2: the bracket ({hollow}) is hollow; expected a tag and a word such as (NN dog), or a label and constituents"
            )
        );
    }
    assert_eq!(fault("(UH a)\n\n stray text (UH b)\n"), "test.mrg:3: sentence 2: text outside brackets: `stray text`");
    assert_eq!(fault("(UH a) b"), "test.mrg:1: sentence 2: text outside brackets: `b`");
    assert_eq!(fault("<S ID=1> 去 </P>"), "test.mrg:1: sentence 1: text outside brackets: `去 </P>`");
    assert_eq!(fault("< 3\n"), "test.mrg:1: sentence 1: text outside brackets: `< 3`");
    assert_eq!(fault("<S\n>"), "test.mrg:1: sentence 1: text outside brackets: `<S`");
    assert_eq!(
        fault(&"x".repeat(1000)),
        format!("test.mrg:1: sentence 1: text outside brackets: `{}`", "x".repeat(60))
    );
}

#[test]
fn bytes_that_are_not_utf8_are_placed() {
    let bytes = b"<S ID=1>\n( (NP (NN a)))\n</S>\n<S ID=2>\n( (NP (NN \xc4\xe3)))\n";
    let error = parse(bytes, Path::new("a.fid"), &chinese()).expect_err("GB2312").to_string();
    assert_eq!(
        error,
        "a.fid:5: sentence 2: byte 11 of the line is not UTF-8; say what the file is in (--encoding latin-1, or, for a \
         treebank of a config, encoding = \"gb18030\"), or convert it to UTF-8 (for example with iconv)"
    );
}

#[test]
fn no_depth_of_nesting_is_too_deep() {
    let depth = 300_000;
    let text = format!("{}(NN a){}", "(NP ".repeat(depth), ")".repeat(depth));
    assert_eq!(arcs(&text, &english()), ["a/0"]);
    assert!(fault(&"(NP ".repeat(depth)).contains("`)`: 300000)"));
    assert!(fault(&"(".repeat(depth)).contains("without a label"));
}

/// A constituent tree to draw, convert by definition and write down.
#[derive(Clone, Debug)]
enum Drawn {
    Word(&'static str),
    Trace,
    Constituent(&'static str, Vec<Drawn>),
}

const TAGS: [&str; 14] = ["NN", "NNS", "JJ", "DT", "VBD", "VB", "MD", "TO", "IN", ",", ".", "``", "-LRB-", "CC"];
const LABELS: [&str; 12] = ["NP", "VP", "S", "SBAR", "PP", "ADJP", "UCP", "PRN", "FRAG", "X", "LST", "WHNP"];

fn drawn() -> impl Strategy<Value = Drawn> {
    let leaf = prop_oneof![
        5 => prop::sample::select(&TAGS[..]).prop_map(Drawn::Word),
        1 => Just(Drawn::Trace),
    ];
    leaf.prop_recursive(6, 40, 5, |inner| {
        (prop::sample::select(&LABELS[..]), prop::collection::vec(inner, 1..5))
            .prop_map(|(label, children)| Drawn::Constituent(label, children))
    })
}

impl Drawn {
    /// Writes the brackets, with function tags and white space that must not matter; words are numbered.
    fn write(&self, words: &mut usize, noise: &mut impl Iterator<Item = u8>, out: &mut String) {
        let mut pick = |choices: [&'static str; 4]| choices[noise.next().unwrap_or(0) as usize % 4];
        match self {
            Drawn::Trace => out.push_str("(-NONE- *T*-1)"),
            Drawn::Word(tag) => {
                *words += 1;
                let (a, b) = (pick([" ", "  ", "\n", "\t"]), pick(["", " ", "\r\n", ""]));
                out.push_str(&format!("({tag}{a}w{words}{b})"));
            }
            Drawn::Constituent(label, children) => {
                let (a, b) = (pick(["", "-SBJ", "=2", "-TPC-1"]), pick(["", " ", "\n", "  "]));
                out.push_str(&format!("({label}{a}{b}"));
                for child in children {
                    child.write(words, noise, out);
                }
                out.push(')');
            }
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Drawn::Word(label) | Drawn::Constituent(label, _) => label,
            Drawn::Trace => "-NONE-",
        }
    }

    fn has_words(&self) -> bool {
        match self {
            Drawn::Word(_) => true,
            Drawn::Trace => false,
            Drawn::Constituent(_, children) => children.iter().any(Drawn::has_words),
        }
    }

    /// For every word, the head words of the constituents above it, innermost first; gives the own head word.
    fn above(&self, rules: &HeadRules, all: &mut Vec<Vec<usize>>) -> Option<usize> {
        match self {
            Drawn::Trace => None,
            Drawn::Word(_) => {
                all.push(Vec::new());
                Some(all.len())
            }
            Drawn::Constituent(label, children) => {
                let first = all.len();
                let kept: Vec<&Drawn> = children.iter().filter(|c| c.has_words()).collect();
                let labels: Vec<&str> = kept.iter().map(|c| c.label()).collect();
                let words: Vec<Option<usize>> = kept.iter().map(|c| c.above(rules, all)).collect();
                let head = words[rules.head_child(label, &labels)?]?;
                all[first..].iter_mut().for_each(|heads| heads.push(head));
                Some(head)
            }
        }
    }
}

const ARTIFACTS: [&str; 12] = ["(", "(", ")", ")", "NP", "-NONE-", "w", "<S>", " ", "\n", "=|-", "\u{3000}"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Each word hangs on the head word of the smallest constituent above it whose head word it is not.
    #[test]
    fn random_trees_convert_as_defined(tree in drawn(), noise in prop::collection::vec(any::<u8>(), 64)) {
        let (mut words, mut text) = (0, String::from("( "));
        tree.write(&mut words, &mut noise.iter().copied().cycle(), &mut text);
        text.push_str(" )\n");
        let file = parse(text.as_bytes(), Path::new("drawn"), &english());
        if words == 0 {
            // A tree without words is skipped.
            prop_assert!(file.is_ok_and(|file| file.sentences.is_empty()));
            return Ok(());
        }
        let file = file.expect(&text);
        prop_assert_eq!(file.sentences.len(), 1);
        let sentence = &file.sentences[0];
        let forms: Vec<String> = sentence.tokens.iter().map(|t| t.form.clone()).collect();
        let in_order: Vec<String> = (1..=words).map(|w| format!("w{w}")).collect();
        prop_assert_eq!(forms, in_order);

        let gold = sentence.gold.as_ref().expect("a tree");
        prop_assert!(gold.is_projective());
        prop_assert_eq!(gold.roots().count(), 1);
        let mut above = Vec::new();
        tree.above(&english(), &mut above);
        let defined: Vec<usize> = above
            .iter()
            .enumerate()
            .map(|(i, heads)| heads.iter().copied().find(|&h| h != i + 1).unwrap_or(0))
            .collect();
        let heads: Vec<usize> = gold.heads().iter().map(|h| h.ix()).collect();
        prop_assert_eq!(heads, defined, "{}", text);
    }

    /// No text makes the reader panic, and what it accepts is sentences with projective trees.
    #[test]
    fn any_text_is_read_or_refused(
        artifacts in prop::collection::vec(prop::sample::select(&ARTIFACTS[..]), 0..40)
    ) {
        let text = artifacts.concat();
        if let Ok(file) = parse(text.as_bytes(), Path::new("any"), &english()) {
            for sentence in file.sentences {
                prop_assert!(sentence.gold.is_some_and(|t| t.len() == sentence.tokens.len() && t.is_projective()));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = parse(&bytes, Path::new("any"), &english());
        let _ = HeadRules::parse(&bytes, Path::new("any"));
    }
}

#[test]
fn function_tags_and_indices_are_cut() {
    for label in ["NP", "NP-SBJ", "NP-SBJ-1", "NP=2", "NP-SBJ=1-3", "NP=2-SBJ", "NP-"] {
        assert_eq!(category(label), "NP");
    }
}

#[test]
fn what_is_no_function_tag_stays() {
    for label in ["-LRB-", "-RRB-", "-NONE-", "-", "=", "$", "WP$", "ADVP|PRT", ":", "", "標"] {
        assert_eq!(category(label), label);
    }
    assert_eq!(category("標-1"), "標");
}

#[test]
fn english_tags_keep_two_characters() {
    let pairs = [
        ("VBD", "VB"),
        ("NNPS", "NN"),
        ("WP$", "WP"),
        ("PRP", "PRP"),
        ("PRP$", "PRP$"),
        ("IN", "IN"),
        (".", "."),
        ("``", "``"),
        ("-LRB-", "-L"),
    ];
    for (fine, coarse) in pairs {
        assert_eq!(CoarseTags::English.coarsen(fine), coarse);
    }
}

#[test]
fn chinese_tags_lose_their_last_character() {
    let pairs = [("VV", "V"), ("NR", "N"), ("DEC", "DE"), ("PU", "PU"), ("CD", "CD"), ("P", "P"), ("M", "M")];
    for (fine, coarse) in pairs {
        assert_eq!(CoarseTags::Chinese.coarsen(fine), coarse);
    }
}

#[test]
fn any_text_has_a_coarse_tag() {
    for tags in CoarseTags::NAMES.map(|(_, t)| t) {
        for fine in ["", "é", "名詞", "名詞類"] {
            assert!(fine.starts_with(tags.coarsen(fine)));
        }
    }
    assert_eq!(CoarseTags::English.coarsen("名詞類"), "名詞");
    assert_eq!(CoarseTags::Chinese.coarsen("名詞類"), "名詞");
    assert_eq!(CoarseTags::Fine.coarsen("VBD"), "VBD");
}

#[test]
fn names_are_found_again() {
    for (name, tags) in CoarseTags::NAMES {
        assert_eq!(CoarseTags::named(name), Some(tags));
    }
    assert_eq!(CoarseTags::named("English"), None);
}
