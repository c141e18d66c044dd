//! Cross-validation as an evaluation: a treebank cut into folds, each of which is a treebank of its own.
//!
//! All parts are pooled in the order training, development, test. Fold i of n is the i-th of n runs of neighbouring
//! sentences, of which no two differ by more than one sentence in size: neighbours are of one document, so at most two
//! documents of a fold are cut, at its ends. Where fold i is the test part, the fold after it (the first after the last)
//! is the development part, by which epochs are chosen, and all others are the training part.
//!
//! Since a fold is a treebank, whatever learns on it learns from its training part alone: the tagger and its
//! jackknifing, the pruner and its folds, the parser.

use std::ops::Range;

use super::data::{Checksums, DataError, Part, Treebank};
use super::store::sha256;
use treebound_parser::cell::{Fold, Split};
use treebound_parser::treebank::Sentence;

/// The version of how treebanks are cut. It is part of what decides a fold's sentences.
const CUT: u32 = 1;

/// The sentences of a fold of `sentences` sentences, by their numbers from 0 in the pool of all parts.
pub fn numbers(fold: Fold, sentences: usize) -> Range<usize> {
    let start = |index: usize| index * sentences / fold.count().max(1);
    start(fold.index())..start(fold.index() + 1)
}

/// Whether a treebank can be cut into so many folds.
///
/// # Errors
/// If it has fewer sentences, or some of them twice, which would be learnt from in one fold and parsed in another.
pub fn check(treebank: &Treebank, folds: usize) -> Result<(), DataError> {
    let sentences = treebank.sentences();
    if sentences < folds {
        return Err(DataError::TooManyFolds { corpus: treebank.corpus.name.to_string(), folds, sentences });
    }
    if folds > 0
        && let Some(shared) = treebank.shared().first()
    {
        return Err(DataError::SharedFolds { corpus: treebank.corpus.name.to_string(), shared: shared.clone() });
    }
    Ok(())
}

/// What decides the sentences of a fold's parts.
pub fn checksums(treebank: &Treebank, fold: Fold) -> Checksums {
    let Checksums { train, dev, test, nonprojective } = treebank.checksums();
    let of = |part: &str| sha256(format!("{part} of fold {fold}, cut {CUT}: {train} {dev} {test}").as_bytes());
    Checksums { train: of("train"), dev: of("dev"), test: of("test"), nonprojective }
}

/// A fold of a treebank, as a treebank.
pub fn cut(treebank: &Treebank, fold: Fold) -> Treebank {
    let all = treebank.sentences();
    let (test, dev) = (numbers(fold, all), numbers(fold.next(), all));
    let pool = || Split::PARTS.iter().flat_map(|&split| &treebank.part(split).sentences);
    let part = |checksum: String, has: &dyn Fn(usize) -> bool| {
        let sentences: Vec<Sentence> =
            pool().enumerate().filter(|(number, _)| has(*number)).map(|(_, sentence)| sentence.clone()).collect();
        Part { sentences, checksum, ..Part::default() }
    };
    let sums = checksums(treebank, fold);
    Treebank {
        corpus: treebank.corpus.clone(),
        train: part(sums.train, &|number| !test.contains(&number) && !dev.contains(&number)),
        dev: part(sums.dev, &|number| dev.contains(&number)),
        test: part(sums.test, &|number| test.contains(&number)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::config::{Config, parse};

    fn treebank() -> Treebank {
        let text = "[[corpus]]\nname = 'made'\nformat = 'synthetic'\n[corpus.synthetic]\ntrain = 31\ndev = 7\ntest = 9";
        let config: Config = parse(text, Path::new("made.toml")).expect("a config");
        Treebank::read(&config, &config.corpora[0]).expect("a treebank")
    }

    fn forms(sentences: &[Sentence]) -> Vec<String> {
        let form = |sentence: &Sentence| {
            sentence.tokens.iter().map(|token| token.form.to_string()).collect::<Vec<_>>().join(" ")
        };
        sentences.iter().map(form).collect()
    }

    #[test]
    fn every_sentence_is_tested_once_and_chosen_by_once() {
        for (count, sentences) in [(3, 3), (10, 3914), (7, 12), (10, 4997)] {
            for part in [|fold: Fold| fold, Fold::next] {
                let mut seen: Vec<usize> = Fold::all(count).flat_map(|fold| numbers(part(fold), sentences)).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..sentences).collect::<Vec<_>>());
            }
            let sizes: BTreeSet<usize> = Fold::all(count).map(|fold| numbers(fold, sentences).len()).collect();
            assert!(sizes.len() <= 2 && sizes.first() > Some(&0), "{sizes:?}");
        }
    }

    #[test]
    fn the_parts_of_a_fold_are_the_whole_treebank() {
        let whole = treebank();
        let pool: Vec<String> = Split::PARTS.iter().flat_map(|&split| forms(&whole.part(split).sentences)).collect();
        let mut tested = Vec::new();
        for fold in Fold::all(5) {
            let fold = cut(&whole, fold);
            let mut parts: Vec<String> =
                Split::PARTS.iter().flat_map(|&split| forms(&fold.part(split).sentences)).collect();
            tested.extend(forms(&fold.part(Split::Cv).sentences));
            let mut expected = pool.clone();
            parts.sort();
            expected.sort();
            assert_eq!(parts, expected);
        }
        assert_eq!(tested, pool, "in order");
    }

    #[test]
    fn every_part_of_every_fold_has_a_checksum_of_its_own_that_is_known_before() {
        let whole = treebank();
        let mut sums = BTreeSet::new();
        for fold in [3, 5].into_iter().flat_map(Fold::all) {
            let known = checksums(&whole, fold);
            assert_eq!(cut(&whole, fold).checksums(), known);
            sums.extend([known.train, known.dev, known.test]);
        }
        assert_eq!(sums.len(), 3 * (3 + 5));
    }

    #[test]
    fn more_folds_than_sentences_are_refused() {
        assert!(check(&treebank(), 47).is_ok());
        let message = check(&treebank(), 48).expect_err("one sentence is missing").to_string();
        assert_eq!(
            message,
            "corpus `made`: 48 folds of 47 sentences: each fold needs one; lower folds in [evaluation]"
        );
    }
}
