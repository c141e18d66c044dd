//! Long texts in lines.

/// Columns of a terminal that a table may fill.
pub const WIDTH: usize = 120;

/// Breaks a feature set after a `+` where a line would be longer than `width` characters.
pub fn wrap_features(features: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = 0;
    for part in features.split_inclusive('+') {
        let length = part.chars().count();
        if line > 0 && line + length > width {
            text.push('\n');
            line = 0;
        }
        text.push_str(part);
        line += length;
    }
    text
}

/// Breaks a note between words into lines of at most `width` characters, the later ones indented.
pub fn wrap_note(note: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = 0;
    for word in note.split(' ') {
        let length = word.chars().count();
        if line > 0 && line + 1 + length > width {
            text.push_str("\n  ");
            line = 2;
        } else if line > 0 {
            text.push(' ');
            line += 1;
        }
        text.push_str(word);
        line += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_broken_between_words() {
        assert_eq!(wrap_note("one two three four", 9), "one two\n  three\n  four");
    }
}
