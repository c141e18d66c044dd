//! Labels of constituents and tags of words, which carry more than their category.

/// A label without function tags and indices: `NP-SBJ-1` and `NP=2` are `NP`. A label that begins with a hyphen has
/// none of them and is kept: `-LRB-`, `-NONE-`.
pub(super) fn category(label: &str) -> &str {
    if label.starts_with('-') {
        return label;
    }
    match label.char_indices().skip(1).find(|&(_, c)| c == '-' || c == '=') {
        Some((end, _)) => &label[..end],
        None => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_tags_and_indices_are_cut() {
        for label in ["NP", "NP-SBJ", "NP-SBJ-1", "NP=2", "NP-SBJ=1-3", "NP=2-SBJ", "NP-"] {
            assert_eq!(category(label), "NP");
        }
    }

    #[test]
    fn what_is_no_function_tag_stays() {
        for label in ["-LRB-", "-RRB-", "-NONE-", "-", "=", "$", "WP$", "ADVP|PRT", ":", "", "標"] {
            assert_eq!(category(label), label);
        }
        assert_eq!(category("標-1"), "標");
    }
}
