//! The list of systems that come with the program: a new one is a file, and a line here.

use super::system::Kind;
use super::{chain_after, chain_before, graph};
use crate::cell::SystemName;

/// All systems, in the order in which tables show them.
pub const BUILT_IN: [Kind; 3] = [graph::KIND, chain_before::KIND, chain_after::KIND];

/// The built-in system of that name.
pub fn built_in(name: &SystemName) -> Option<Kind> {
    BUILT_IN.into_iter().find(|kind| kind.name == name.as_str())
}

/// Where a system stands in tables: those that come with the program in their order, then others.
pub fn place(name: &SystemName) -> usize {
    BUILT_IN.iter().position(|kind| kind.name == name.as_str()).unwrap_or(BUILT_IN.len())
}

/// Whether a name is that of a parser which a config describes by its command lines.
pub fn is_external(name: &SystemName) -> bool {
    built_in(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Axis;

    #[test]
    fn built_in_names_are_names() {
        for kind in BUILT_IN {
            assert_eq!(SystemName::parse(kind.name), Some(kind.system_name()));
            assert_eq!(built_in(&kind.system_name()).map(|kind| kind.name), Some(kind.name));
        }
    }
}
