//! How long a sentence may be.

use super::error::{LineFault, TreebankError};
use super::sentence::Sentence;

/// Most words of a sentence that is learnt from or parsed. Time grows with more than the square of the length, and so does
/// memory: a thousand words take some hundreds of megabytes, and no sentence of a treebank has as many.
pub const MOST_WORDS: usize = 1000;

/// Refuses sentences that are too long to be parsed.
///
/// # Errors
/// [`LineFault::TooLong`], with the place of the first.
pub fn check_lengths(sentences: &[Sentence]) -> Result<(), TreebankError> {
    match sentences.iter().find(|sentence| sentence.len() > MOST_WORDS) {
        Some(long) => Err(TreebankError::Line {
            place: long.place.clone(),
            fault: LineFault::TooLong { words: long.len(), most: MOST_WORDS },
        }),
        None => Ok(()),
    }
}
