//! CoNLL-X and CoNLL-U. What is read and written is read again as the same words and trees.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::treebank::conll::{Parses, without_blanks};
use treebound::treebank::{Sentence, Token, Tree, conll};
use treebound_fuzz::{CONLL, path, seed};

type Bare = Vec<(Vec<Token>, Option<Tree>)>;

fn bare(sentences: &[Sentence]) -> Bare {
    sentences.iter().map(|sentence| (sentence.tokens.clone(), sentence.gold.clone())).collect()
}

/// As CoNLL-X has them.
fn without_blanks_in(sentences: &Bare) -> Bare {
    let token = |token: &Token| {
        let [form, coarse, fine] =
            [&token.form, &token.coarse, &token.fine].map(|text| without_blanks(text).into_owned());
        Token { form, coarse, fine, ..Token::default() }
    };
    sentences.iter().map(|(tokens, gold)| (tokens.iter().map(token).collect(), gold.clone())).collect()
}

fuzz_target!(
    init: seed([CONLL, "# global.columns = ID FORM HEAD X\n1\ta b\t0\t_\n\n", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", "\u{feff}#\t1\r\n1\té\t_\tX\tY\t_\t0\t_\t_\t_\r\n"]),
    |data: &[u8]| {
        let Ok(file) = conll::parse(data, path()) else { return };
        let read = bare(&file.sentences);
        let mut plain = Vec::new();
        conll::write_conllx(&file.sentences, &mut plain).expect("written");
        assert_eq!(bare(&conll::parse(&plain, path()).expect("what was written").sentences), without_blanks_in(&read));
        let mut words = Vec::new();
        file.write_words(&mut words).expect("written");
        assert_eq!(bare(&conll::parse(&words, path()).expect("what was written").sentences), without_blanks_in(&read));
        if conll::parse_words(data, path()).is_err() {
            return; // There is no column for heads.
        }
        // As a parser's answer: each sentence with a tree, its words tagged.
        let chain = |sentence: &Sentence| Tree::new((0..sentence.len()).map(treebound::tree::Word::new).collect());
        let trees: Vec<Tree> =
            file.sentences.iter().map(|s| s.gold.clone().unwrap_or_else(|| chain(s).expect("a chain"))).collect();
        let tagged: Vec<Vec<Token>> = file.sentences.iter().map(|sentence| sentence.tokens.clone()).collect();
        for tagged in [None, Some(&tagged[..])] {
            let mut whole = Vec::new();
            file.write_parsed(Parses { trees: &trees, tagged, ..Parses::default() }, &mut whole).expect("written");
            let again = conll::parse(&whole, path()).expect("what was written").sentences;
            let wanted = read.iter().zip(&trees).map(|((tokens, _), tree)| (tokens.clone(), Some(tree.clone())));
            assert_eq!(bare(&again), wanted.collect::<Bare>());
        }
    }
);
