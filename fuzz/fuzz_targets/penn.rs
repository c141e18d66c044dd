//! Penn brackets, in UTF-8 or GB 18030. Trees are projective, have one root, and survive being written as CoNLL.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use treebound::treebank::conll::without_blanks;
use treebound::treebank::penn::{self, HeadRules};
use treebound::treebank::{Encoding, Token, conll};
use treebound_fuzz::{path, seed};

static RULES: LazyLock<[HeadRules; 2]> =
    LazyLock::new(|| ["english", "chinese"].map(|name| HeadRules::built_in(name).expect("a built-in table")));

const ENGLISH: &str = "e( (S (NP-SBJ-1 (DT the) (NN cat)) (VP (VBD sat) (NP (-NONE- *T*-1))) (. .)) )\n";

const CHINESE: &str =
    "<DOC>\n<DOCID> x </DOCID>\n<S ID=1>\n( (IP (NP (NR 市场)) (VP (VV 开放)) (PU 。)) )\n</S>\n</DOC>\n";

/// The first byte says in what the rest is written.
fn gb18030() -> Vec<u8> {
    [b"g", &encoding_of("( (IP (NR a) (PU b)) )\n")[..], b"( (IP (NR \xca\xd0\xb3\xa1) (VV \xbf\xaa)) )\n"].concat()
}

fn encoding_of(ascii: &str) -> Vec<u8> {
    ascii.as_bytes().to_vec()
}

fuzz_target!(
    init: {
        seed([ENGLISH.as_bytes(), format!("c{CHINESE}").as_bytes(), &gb18030()]);
    },
    |data: &[u8]| {
        let Some((&first, bytes)) = data.split_first() else { return };
        let file = match first {
            b'g' => match Encoding::parse("gb18030").map(|encoding| encoding.decode(bytes, path())) {
                Some(Ok(text)) => penn::parse(&text, path(), &RULES[1]),
                _ => return,
            },
            b'c' => penn::parse(bytes, path(), &RULES[1]),
            _ => penn::parse(bytes, path(), &RULES[0]),
        };
        let Ok(file) = file else { return };
        for sentence in &file.sentences {
            let tree = sentence.gold.as_ref().expect("brackets have heads");
            assert!(tree.is_projective() && tree.roots().count() == 1, "{tree:?}");
        }
        let mut written = Vec::new();
        conll::write_conllx(&file.sentences, &mut written).expect("written");
        let again = conll::parse(&written, path()).expect("what was written").sentences;
        assert_eq!(again.len(), file.sentences.len());
        for (a, b) in again.iter().zip(&file.sentences) {
            let plain = |token: &Token| [&token.form, &token.coarse, &token.fine].map(|text| without_blanks(text).into_owned());
            assert!(a.tokens.iter().map(plain).eq(b.tokens.iter().map(plain)));
            assert_eq!(a.gold, b.gold);
        }
    }
);
