//! Text that others wrote, as it may stand in a message, a table or a page.
//!
//! A word of a treebank, what another program said, a name in a config: any of them may hold what moves the cursor, turns the
//! line around, or fills the screen. Whoever shows one, shows it through here. What a format has of its own (quotes of CSV,
//! entities of HTML) is left to its writer.

use std::borrow::Cow;
use std::fmt::Write;

/// Most characters of one text that are shown.
pub const MOST_SHOWN: usize = 200;

/// A text on one line, escaped, and cut if it is long: then its length stands behind it.
pub fn shown(text: &str) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == MOST_SHOWN {
            // Writing into a string cannot fail.
            let _ = write!(out, "... ({} characters)", text.chars().count());
            break;
        }
        push(c, &mut out);
    }
    out
}

/// A whole message of several lines, escaped but for its line feeds, and not cut.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c != '\n' && is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| if c == '\n' { out.push(c) } else { push(c, &mut out) });
    Cow::Owned(out)
}

/// A text with the code points of its characters: for two that look alike.
pub fn by_code_point(text: &str) -> String {
    let points = text.chars().take(MOST_SHOWN).map(|c| format!("U+{:04X}", u32::from(c)));
    format!("{} ({})", shown(text), points.collect::<Vec<_>>().join(" "))
}

fn push(c: char, out: &mut String) {
    if is_unsafe(c) { out.extend(c.escape_debug()) } else { out.push(c) }
}

/// Whether a character does something to what stands around it: control characters, ends of lines, marks of direction and of
/// byte order. Joiners stay: words of many languages have them.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_words_stay() {
        assert_eq!(shown("\x1b[2J\0"), "\\u{1b}[2J\\0");
        assert_eq!(shown("l\u{92}eau"), "l\\u{92}eau");
        assert_eq!(shown("a\u{202e}b\u{feff}"), "a\\u{202e}b\\u{feff}");
        assert_eq!(shown("é 市场 \u{200d} \\"), "é 市场 \u{200d} \\");
        assert_eq!(escaped("a\nb\x1b"), "a\nb\\u{1b}");
    }

    #[test]
    fn what_is_long_is_cut() {
        let text = shown(&"x".repeat(339_000));
        assert_eq!(text, format!("{}... (339000 characters)", "x".repeat(MOST_SHOWN)));
    }

    #[test]
    fn code_points_tell_what_looks_alike() {
        assert_eq!(by_code_point("é"), "é (U+00E9)");
        assert_eq!(by_code_point("e\u{301}"), "e\u{301} (U+0065 U+0301)");
    }
}
