//! Word forms: pronounceable syllables, and endings that hint at the class.

use std::collections::HashSet;

use super::draw::Draw;

const ONSETS: [&str; 22] = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl", "pr", "st", "tr", "sk",
];
const NUCLEI: [&str; 6] = ["a", "e", "i", "o", "u", "ai"];
const CODAS: [&str; 8] = ["", "", "", "", "n", "r", "l", "s"];

/// Makes forms that it has not made before.
#[derive(Debug, Default)]
pub(super) struct Forms {
    made: HashSet<String>,
}

impl Forms {
    /// New stem of about `syllables` syllables such that it is new with each of `endings`.
    pub fn stem(&mut self, syllables: usize, endings: &[&str], draw: &mut Draw) -> String {
        let mut length = syllables;
        loop {
            // A crowded length gives way to the next after a few tries.
            for _ in 0..8 {
                let stem = stem(length, draw);
                if endings.iter().all(|e| !self.made.contains(&format!("{stem}{e}"))) {
                    self.made.extend(endings.iter().map(|e| format!("{stem}{e}")));
                    return stem;
                }
            }
            length += 1;
        }
    }
}

fn stem(syllables: usize, draw: &mut Draw) -> String {
    let mut text = String::new();
    for _ in 0..syllables {
        for part in [&ONSETS[..], &NUCLEI, &CODAS] {
            text.push_str(part[draw.below(part.len())]);
        }
    }
    text
}

/// The form with a capital letter.
pub(super) fn capital(form: &str) -> String {
    let mut letters = form.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}
