//! The sample of the Wall Street Journal, where it is there, and the rule files as they are handed around.

use std::fs;
use std::path::{Path, PathBuf};

use treebound::treebank::penn::{self, HeadRules};

#[test]
fn the_sample_has_the_published_size_and_only_projective_trees() {
    let Some(folder) = crate::at_hand::treebank("wsj_sample") else { return };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mrg"));
    files.sort();
    assert_eq!(files.len(), 199);
    let rules = HeadRules::built_in("english").expect("the english table");
    let (mut sentences, mut tokens) = (0, 0);
    for path in &files {
        for sentence in penn::read_file(path, &rules).expect("a readable file").sentences {
            sentences += 1;
            tokens += sentence.len();
            let gold = sentence.gold.as_ref().expect("a gold tree");
            assert_eq!(gold.len(), sentence.len(), "{}", sentence.place);
            assert!(gold.is_projective(), "{}", sentence.place);
            assert_eq!(gold.roots().count(), 1, "{}", sentence.place);
        }
    }
    assert_eq!((sentences, tokens), (3_914, 94_084));
}

/// The built-in tables are the ones handed around, rule for rule.
#[test]
fn the_built_in_tables_are_the_ones_handed_around() {
    let rules = |path: PathBuf| {
        let text = fs::read_to_string(path).expect("a rule file");
        let lines = text.lines().filter(|line| !line.starts_with(['#', '@']));
        lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect::<Vec<Vec<_>>>()
    };
    for name in HeadRules::BUILT_IN {
        let (table, path) = (format!("head_rules_{name}"), format!("../shared/facts/head_rules_{name}.txt"));
        let Some(theirs) = crate::at_hand::find(&table, &[&path]) else { continue };
        assert!(HeadRules::read(&theirs).is_ok(), "{name}");
        let ours =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("crates/parser/src/treebank/penn/rules/{name}.txt"));
        assert_eq!(rules(ours), rules(theirs), "{name}");
    }
}
