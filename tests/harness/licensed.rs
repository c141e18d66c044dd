//! Treebanks as the Linguistic Data Consortium delivers them: folders, names, dialects of brackets, encodings. The
//! sentences are invented; only the form is that of the Penn and the Chinese Treebank.

use std::path::Path;

use crate::desk::Desk;
use treebound::experiment::config;
use treebound::experiment::data::Treebank;
use treebound::treebank::Sentence;

/// A config of the project, with its folder, and what is expected of its data, replaced.
fn shipped(name: &str, folder: &str, expected: [u64; 3]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs").join(name);
    let text = std::fs::read_to_string(path).expect("a config");
    let mut parts = ["train", "dev", "test"].into_iter().zip(expected);
    let line = |line: &str| {
        if line.starts_with("folder = ") {
            format!("folder = \"{folder}\"")
        } else if line.contains("{ sentences = ") {
            let (part, sentences) = parts.next().expect("three counts");
            assert!(line.starts_with(part), "{line}");
            format!("{part} = {{ sentences = {sentences} }}")
        } else {
            line.to_owned()
        }
    };
    let text: Vec<String> = text.lines().map(line).collect();
    assert_eq!(parts.next(), None, "{name} does not check its counts");
    text.join("\n")
}

fn read(desk: &Desk, config: &str) -> Treebank {
    let config = config::read(&desk.path(config)).expect("a config");
    Treebank::read(&config, &config.corpora[0]).expect("a treebank")
}

/// `form/tag/head` of every word.
fn words(sentence: &Sentence) -> String {
    let heads = sentence.gold.as_ref().expect("a tree").heads();
    let word = |(t, h): (&treebound::treebank::Token, _)| format!("{}/{}/{h}", t.form, t.fine);
    sentence.tokens.iter().zip(heads).map(word).collect::<Vec<_>>().join(" ")
}

/// One file of brackets in the Penn Treebank's hand: a trace, an index, function tags, escapes, a bracket as a word.
const MRG: &str = r"
( (S
    (NP-SBJ-1 (DT The) (JJ tin) (NN whistle) )
    (VP (VBD was)
      (VP (VBN sold)
        (NP (-NONE- *-1) )
        (PP-CLR (IN for)
          (NP
            (QP ($ $) (CD 2) (CD 3\/4) )
            (-NONE- *U*) ))
        (PRN (-LRB- -LRB-)
          (ADVP-TMP (RB yesterday) )
          (-RRB- -RRB-) )))
    (. .) ))
( (SINV (`` ``) (S-TPC=2 (NP-SBJ (-NONE- *)) (VP (VB Blow) (ADVP-DIR (RB hard)))) (, ,) ('' '')
    (VP (VBD said) (S (-NONE- *T*-2)))
    (NP-SBJ (PRP$ her) (NN uncle)) (. .)))
";

/// The tree of Yamada and Matsumoto's rules, worked out by hand.
const MRG_WORDS: [&str; 2] = [
    "The/DT/3 tin/JJ/3 whistle/NN/4 was/VBD/0 sold/VBN/4 for/IN/5 $/$/6 2/CD/7 3\\/4/CD/7 -LRB-/-LRB-/11 \
     yesterday/RB/5 -RRB-/-RRB-/11 ././4",
    "``/``/6 Blow/VB/6 hard/RB/2 ,/,/6 ''/''/6 said/VBD/0 her/PRP$/8 uncle/NN/6 ././6",
];

fn penn_treebank(desk: &Desk, folder: &str) {
    for section in 0..=24 {
        for file in [1, 37] {
            desk.write(&format!("{folder}/{section:02}/wsj_{section:02}{file:02}.mrg"), MRG);
        }
        desk.write(&format!("{folder}/{section:02}/readme"), "no treebank");
    }
}

#[test]
fn the_penn_treebank_is_read_section_by_section() {
    let desk = Desk::new();
    penn_treebank(&desk, "treebank_3/parsed/mrg/wsj");
    desk.write("ptb.toml", shipped("ptb.toml", "treebank_3", [80, 4, 4]));
    desk.treebound(&["check", "ptb.toml"]).success();
    let treebank = read(&desk, "ptb.toml");
    let sections = |files: &[std::path::PathBuf]| {
        let name = |path: &std::path::PathBuf| path.file_name().expect("a name").to_string_lossy()[4..6].to_owned();
        let mut names: Vec<String> = files.iter().map(name).collect();
        names.dedup();
        names
    };
    let train: Vec<String> = (2..=21).map(|section| format!("{section:02}")).collect();
    assert_eq!(sections(&treebank.train.files), train);
    assert_eq!((sections(&treebank.dev.files), sections(&treebank.test.files)), (vec!["22".into()], vec!["23".into()]));
    assert_eq!(treebank.test.files.len(), 2);
    for (i, sentence) in treebank.test.sentences.iter().enumerate() {
        assert_eq!(words(sentence), MRG_WORDS[i % 2]);
    }
    // The paper's punctuation: quotes, colons, commas and full stops, but no brackets.
    let scored = |s: &Sentence| s.tokens.iter().filter(|t| !treebank.corpus.punctuation.covers(t)).count();
    assert_eq!(treebank.test.sentences.iter().map(scored).collect::<Vec<_>>(), [12, 5, 12, 5]);
}

#[test]
fn the_folder_of_the_sections_will_do_as_well() {
    let desk = Desk::new();
    penn_treebank(&desk, "wsj");
    let config = shipped("ptb.toml", "wsj", [80, 4, 4]).replace("parsed/mrg/wsj/", "");
    desk.write("ptb.toml", config);
    assert_eq!(read(&desk, "ptb.toml").dev.sentences.len(), 4);
}

/// One file in the Chinese Treebank's hand: a header, markup of sentences, empty categories, function tags.
const FID: &str = "<DOC>\n<DOCID> TEST_001 </DOCID>\n<HEADER>\n<DATE> 11/01/97 </DATE>\n</HEADER>\n<BODY>\n<HEADLINE>\n\
    <S ID=1>\n( (IP-HLN (NP-SBJ (NR 北京) \n\t\t  (NN 茶馆))\n\t(VP (VV 开门)))) \n</S>\n</HEADLINE>\n<TEXT>\n<P>\n\
    <S ID=2>\n( (IP (NP-SBJ (-NONE- *pro*)) \n      (VP (ADVP (AD 不)) \n          (VP (VV 喝) \n              (AS 了) \n\
    \t\t  (NP-OBJ (CP (WHNP-1 (-NONE- *OP*)) \n\t\t\t      (CP (IP (NP-SBJ (-NONE- *T*-1)) \n\
    \t\t\t\t      (VP (VA 热))) \n\t\t\t\t  (DEC 的))) \n\t\t\t  (NP (NN-SHORT 茶))))) \n      (PU 。)) ) \n</S>\n\
    </P>\n</TEXT>\n</BODY>\n</DOC>\n";

/// The tree of Zhang and Clark's rules, worked out by hand: a CP is headed by its IP, not by its particle.
const FID_WORDS: [&str; 2] =
    ["北京/NR/2 茶馆/NN/3 开门/VV/0", "不/AD/2 喝/VV/0 了/AS/2 热/VA/6 的/DEC/4 茶/NN/2 。/PU/2"];

/// A file of each part, and at the edges of all runs of numbers.
const FILES: [(u16, &str); 12] = [
    (1, "train"),
    (815, "train"),
    (816, "test"),
    (885, "test"),
    (886, "dev"),
    (931, "dev"),
    (1001, "train"),
    (1136, "train"),
    (1137, "test"),
    (1147, "test"),
    (1148, "dev"),
    (1151, "dev"),
];

fn chinese_treebank(desk: &Desk, encode: impl Fn(&str) -> Vec<u8>) {
    for (number, _) in FILES.into_iter().chain([(940, "none"), (1000, "none")]) {
        desk.write(&format!("ctb5.0/data/bracketed/chtb_{number:03}.fid"), encode(FID));
    }
}

#[test]
fn the_chinese_treebank_is_decoded_and_split_by_file_numbers() {
    let desk = Desk::new();
    chinese_treebank(&desk, |text| encoding_rs::GBK.encode(text).0.into_owned());
    desk.write("ctb5.toml", shipped("ctb5.toml", "ctb5.0", [8, 8, 8]));
    desk.treebound(&["check", "ctb5.toml"]).success();
    let treebank = read(&desk, "ctb5.toml");
    for (name, part) in [("train", &treebank.train), ("dev", &treebank.dev), ("test", &treebank.test)] {
        let files: Vec<String> =
            part.files.iter().map(|p| p.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
        let expected: Vec<String> = FILES.iter().filter(|f| f.1 == name).map(|f| format!("chtb_{:03}", f.0)).collect();
        assert_eq!(files, expected, "{name}");
        for (i, sentence) in part.sentences.iter().enumerate() {
            assert_eq!(words(sentence), FID_WORDS[i % 2]);
        }
    }
    let marks = treebank.test.sentences.iter().flat_map(|s| &s.tokens);
    assert_eq!(marks.filter(|t| treebank.corpus.punctuation.covers(t)).count(), 4);
}

#[test]
fn a_chinese_treebank_in_utf8_needs_one_line_changed_and_is_told_so() {
    let desk = Desk::new();
    chinese_treebank(&desk, |text| text.as_bytes().to_vec());
    let config = shipped("ctb5.toml", "ctb5.0", [8, 8, 8]);
    desk.write("ctb5.toml", &config);
    let wanted = "chtb_001.fid: the file is in UTF-8 already; remove encoding = \"gb18030\" from the config";
    desk.treebound(&["check", "ctb5.toml"]).failure(&[wanted]);
    desk.write("ctb5.toml", config.replace("encoding = \"gb18030\"\n", ""));
    assert_eq!(words(&read(&desk, "ctb5.toml").test.sentences[1]), FID_WORDS[1]);
    // And the other way round.
    chinese_treebank(&desk, |text| encoding_rs::GBK.encode(text).0.into_owned());
    desk.treebound(&["check", "ctb5.toml"]).failure(&["chtb_001.fid:9: sentence 1: byte ", "encoding = \"gb18030\""]);
}

#[test]
fn a_checksum_covers_head_rules_and_encoding() {
    let desk = Desk::new();
    desk.write("a.mrg", MRG);
    let checksum = |keys: &str| {
        let files = "train = \"a.mrg\"\ndev = \"a.mrg\"\ntest = \"a.mrg\"\n";
        desk.write("some.toml", format!("[[corpus]]\nname = \"a\"\nformat = \"penn\"\n{files}{keys}\n"));
        read(&desk, "some.toml").test.checksum
    };
    let english = checksum("rules = \"english\"");
    assert_eq!(english, checksum("rules = \"english\"\npunctuation = \"none\""));
    assert_ne!(english, checksum("rules = \"chinese\""));
    assert_ne!(english, checksum("rules = \"english\"\nencoding = \"gb18030\""));
    desk.write("my.rules", "S r VP\n");
    let mine = checksum("rules = \"my.rules\"");
    desk.write("my.rules", "S l VP\n");
    assert_ne!(mine, checksum("rules = \"my.rules\""));
}

#[test]
fn another_number_of_sentences_stops_before_anything_runs() {
    let desk = Desk::new();
    penn_treebank(&desk, "data/treebank_3/parsed/mrg/wsj");
    chinese_treebank(&desk, |text| encoding_rs::GBK.encode(text).0.into_owned());
    // The configs as they are, beside a folder with the data.
    let expected = [
        ("ptb.toml", "ptb`, train: 80 sentences where the config expects 39832;"),
        ("ctb5.toml", "ctb5`, train: 8 sentences where the config expects 16079;"),
    ];
    for (name, fault) in expected {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs").join(name);
        let text = std::fs::read_to_string(path).expect("a config").replace("\"../data/ctb5.0\"", "\"../ctb5.0\"");
        desk.write(&format!("configs/{name}"), &text);
        let line = 1 + text.lines().position(|line| line.starts_with("train = {")).expect("a count");
        let wanted = format!("{name}:{line}: corpus `{fault}");
        desk.treebound(&["check", &format!("configs/{name}")]).failure(&[&wanted]);
        desk.treebound(&["run", &format!("configs/{name}"), "-q"]).failure(&[&wanted]);
        assert!(!desk.path("results").exists() && !desk.path("cache").exists());
    }
}
