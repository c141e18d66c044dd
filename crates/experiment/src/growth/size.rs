//! How many sentences make so many words.

use rayon::prelude::*;

use super::GrowthError;
use treebound_synthetic::{Config, Generator, MOST_SENTENCES, Section, SynthError};

/// Sentences that are made at a time.
const BLOCK: usize = 4096;

/// For each of some numbers of words, ascending, how many sentences of the training part have at least as many together.
///
/// # Errors
/// If no treebank is so large, or none can be made.
pub fn sentences_of_sizes(settings: &Config, sizes: &[u64]) -> Result<Vec<usize>, GrowthError> {
    let generator = Generator::new(settings).map_err(SynthError::from)?;
    let mut found = Vec::new();
    let (mut words, mut sentences) = (0, 0);
    for &size in sizes {
        let mut lengths = Vec::new().into_iter();
        while words < size {
            if sentences >= MOST_SENTENCES {
                return Err(GrowthError::TooLarge(size));
            }
            let Some(length) = lengths.next() else {
                lengths = block(&generator, sentences)?.into_iter();
                continue;
            };
            words += length;
            sentences += 1;
        }
        found.push(sentences);
    }
    Ok(found)
}

/// The lengths of the sentences from one on.
fn block(generator: &Generator, from: usize) -> Result<Vec<u64>, SynthError> {
    let length = |i| Ok(generator.sentence(Section::Train, i)?.sentence.len() as u64);
    (from..(from + BLOCK).min(MOST_SENTENCES)).into_par_iter().map(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_reached_and_not_far_passed() {
        let settings = Config { train: 1, dev: 1, test: 1, vocabulary: 1000, ..Config::default() };
        let sizes = [1, 500, 30_000];
        let sentences = sentences_of_sizes(&settings, &sizes).expect("made");
        for (&size, &n) in sizes.iter().zip(&sentences) {
            let generator = Generator::new(&Config { train: n, ..settings.clone() }).expect("valid");
            let part = generator.sentences(Section::Train).expect("made");
            let words: usize = part.iter().map(|sentence| sentence.len()).sum();
            let last = part.last().map_or(0, |sentence| sentence.len());
            assert!(words as u64 >= size && ((words - last) as u64) < size, "{size}: {words} words, the last {last}");
        }
    }
}
