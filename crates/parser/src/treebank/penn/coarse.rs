//! Coarse parts of speech from the tags of a Penn treebank, as Koo & Collins (2010) and, for Chinese, Ma & Zhao (2012,
//! footnote 5) make them.

/// How a coarse tag is made from a fine one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoarseTags {
    /// The first two characters (`VBD` is `VB`); `PRP` and `PRP$` stay, and so do shorter tags.
    #[default]
    English,
    /// All but the last character (`VV` is `V`); `PU` and `CD` stay, and so do tags of one character, which would
    /// leave nothing.
    Chinese,
    /// The fine tag itself.
    Fine,
}

impl CoarseTags {
    /// All, by the names that [`Self::named`] knows.
    pub const NAMES: [(&str, Self); 3] = [("english", Self::English), ("chinese", Self::Chinese), ("fine", Self::Fine)];

    /// By name: `english`, `chinese` or `fine`.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|&(_, tags)| tags)
    }

    /// The coarse tag of `fine`.
    pub fn of(self, fine: &str) -> &str {
        match (self, fine) {
            (Self::English, "PRP" | "PRP$") | (Self::Chinese, "PU" | "CD") | (Self::Fine, _) => fine,
            (Self::English, _) => fine.char_indices().nth(2).map_or(fine, |(end, _)| &fine[..end]),
            (Self::Chinese, _) => match fine.char_indices().next_back() {
                Some((end, _)) if end > 0 => &fine[..end],
                _ => fine,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_tags_keep_two_characters() {
        let pairs = [
            ("VBD", "VB"),
            ("NNPS", "NN"),
            ("WP$", "WP"),
            ("PRP", "PRP"),
            ("PRP$", "PRP$"),
            ("IN", "IN"),
            (".", "."),
            ("``", "``"),
            ("-LRB-", "-L"),
        ];
        for (fine, coarse) in pairs {
            assert_eq!(CoarseTags::English.of(fine), coarse);
        }
    }

    #[test]
    fn chinese_tags_lose_their_last_character() {
        let pairs = [("VV", "V"), ("NR", "N"), ("DEC", "DE"), ("PU", "PU"), ("CD", "CD"), ("P", "P"), ("M", "M")];
        for (fine, coarse) in pairs {
            assert_eq!(CoarseTags::Chinese.of(fine), coarse);
        }
    }

    #[test]
    fn any_text_has_a_coarse_tag() {
        for tags in CoarseTags::NAMES.map(|(_, t)| t) {
            for fine in ["", "é", "名詞", "名詞類"] {
                assert!(fine.starts_with(tags.of(fine)));
            }
        }
        assert_eq!(CoarseTags::English.of("名詞類"), "名詞");
        assert_eq!(CoarseTags::Chinese.of("名詞類"), "名詞");
        assert_eq!(CoarseTags::Fine.of("VBD"), "VBD");
    }

    #[test]
    fn names_are_found_again() {
        for (name, tags) in CoarseTags::NAMES {
            assert_eq!(CoarseTags::named(name), Some(tags));
        }
        assert_eq!(CoarseTags::named("English"), None);
    }
}
