//! Head rule files. Every constituent has a head child, and trees are projective.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::treebank::penn::{self, HeadRules};
use treebound_fuzz::{path, seed};

const TREES: &[u8] =
    b"( (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN mats)))) (. .)) )\n( (X (Y y)) )\n";

fuzz_target!(
    init: seed([
        "NP r NN|NNS $ #\nVP l VBD MD\n# a comment\nS l VP\n",
        "@coarse chinese\n@punctuation PU . ,\nIP r VP\nNP r\n",
        "\u{feff}PP l IN\r\n@coarse fine\r\n",
    ]),
    |data: &[u8]| {
        let Ok(rules) = HeadRules::parse(data, path()) else { return };
        for label in ["NP", "VP", "", "@", "IP"] {
            let children = ["DT", "NN", ".", "", "VP"];
            assert!(rules.head_child(label, &children).is_some_and(|child| child < children.len()));
            assert_eq!(rules.head_child(label, &[]), None);
        }
        for sentence in penn::parse(TREES, path(), &rules).expect("trees").sentences {
            let tree = sentence.gold.expect("heads");
            assert!(tree.is_projective() && tree.roots().count() == 1, "{tree:?}");
        }
    }
);
