//! Where the columns of rows stand in files, those among them that an earlier version wrote.
//!
//! Such files have one column for a dynamic program and one for the decoder over it, call learners trainers, and know one
//! system and one template set only. Others spell readings of the paper as keys do.

use treebound_core::decode::bnb::paper::Reading;
use treebound_parser::cell::{ABSENT, Axis, Decoding, Learner, SystemName, TemplatesName};
use treebound_parser::pruning::Rule;

use super::HeaderFault;
use super::columns::Column;

/// Where the text of a column stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In that field.
    Field(usize),
    /// In two fields, joined by a slash.
    Joined(usize, usize),
    /// In none: it is the same in all lines.
    Fixed(&'static str),
}

/// What an earlier version called a learner; a file with this column is of that version.
const TRAINER: &str = "trainer";

/// Where each column stands in a file with that header.
///
/// # Errors
/// Columns that stand there twice, are not known, or are missing.
pub fn sources(header: &[&str], columns: &[Column]) -> Result<Vec<Source>, HeaderFault> {
    if let Some(i) = (1..header.len()).find(|&i| header[..i].contains(&header[i])) {
        return Err(HeaderFault::Twice(header[i].to_owned()));
    }
    let place = |name: &str| header.iter().position(|found| *found == name);
    let source = |column: &Column| {
        let here = place(column.name).map(Source::Field);
        here.or_else(|| older(column.name, place)).or(column.is_optional.then_some(Source::Fixed("")))
    };
    let sources: Vec<Option<Source>> = columns.iter().map(source).collect();
    let is_used = |i: usize| {
        sources.iter().flatten().any(|source| match *source {
            Source::Field(field) => field == i,
            Source::Joined(first, second) => first == i || second == i,
            Source::Fixed(_) => false,
        })
    };
    let unknown: Vec<String> =
        header.iter().enumerate().filter(|&(i, _)| !is_used(i)).map(|(_, name)| (*name).to_owned()).collect();
    if !unknown.is_empty() {
        return Err(HeaderFault::Unknown(unknown));
    }
    let missing: Vec<String> =
        columns.iter().zip(&sources).filter(|(_, s)| s.is_none()).map(|(c, _)| c.name.to_owned()).collect();
    if missing.is_empty() { Ok(sources.into_iter().flatten().collect()) } else { Err(HeaderFault::Missing(missing)) }
}

/// Whether a file spells readings of the paper as keys do. So all did before the reading that gives up a node after ten calls was
/// the usual one, and a file is known by how it spells that one. Without it an earlier file looks as one of today.
pub fn has_readings_of_keys(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.contains("+give-up=10,"))
}

/// A decoding of such a file, as it is spelt today; none if it is spelt alike.
pub fn decoding_of_keys(text: &str) -> Option<String> {
    let (backbone, reading) = text.split_once('/')?;
    Some(format!("{backbone}/{}", Reading::of_keys(reading)?))
}

/// Where an earlier version had what stands in a column.
fn older(column: &str, place: impl Fn(&str) -> Option<usize>) -> Option<Source> {
    let is_older = || place(TRAINER).is_some();
    match column {
        SystemName::NAME => is_older().then_some(Source::Fixed(SystemName::GRAPH)),
        TemplatesName::NAME => is_older().then_some(Source::Fixed(ABSENT)),
        Learner::NAME => place(TRAINER).map(Source::Field),
        Rule::NAME => place("prune").map(Source::Field),
        Decoding::NAME => Some(Source::Joined(place("backbone")?, place("decoder")?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &'static str, is_optional: bool) -> Column {
        Column { name, is_optional }
    }

    #[test]
    fn columns_of_an_earlier_version_are_found() {
        let columns = ["system", "templates", "learner", "pruning", "decoding", "seed"].map(|name| column(name, false));
        let header = ["seed", "trainer", "prune", "decoder", "backbone"];
        let expected = [
            Source::Fixed("graph"),
            Source::Fixed("-"),
            Source::Field(1),
            Source::Field(2),
            Source::Joined(4, 3),
            Source::Field(0),
        ];
        assert_eq!(sources(&header, &columns), Ok(expected.into()));
        // A file of this version has all of its columns, and none of that one.
        let header = ["templates", "learner", "pruning", "decoding", "seed"];
        assert_eq!(sources(&header, &columns), Err(HeaderFault::Missing(vec!["system".to_owned()])));
        let header = ["system", "templates", "learner", "pruning", "decoding", "seed", "trainer"];
        assert_eq!(sources(&header, &columns), Err(HeaderFault::Unknown(vec!["trainer".to_owned()])));
    }

    #[test]
    fn a_file_that_spells_readings_as_keys_do_is_known_by_the_usual_one() {
        assert!(has_readings_of_keys(b"carreras/paper,1\ncarreras/paper+give-up=10,1\n"));
        assert!(!has_readings_of_keys(b"carreras/paper,1\ncarreras/paper+give-up=100,1\n"));
        let now = ["bnb", "paper", "paper+give-up=10", "paper+unrounded+own-arcs"]
            .map(|decoder| decoding_of_keys(&format!("carreras/{decoder}")));
        let expected = [
            None,
            Some("carreras/paper+give-up=never"),
            Some("carreras/paper"),
            Some("carreras/paper+unrounded+give-up=never+own-arcs"),
        ];
        assert_eq!(now.each_ref().map(Option::as_deref), expected);
    }

    #[test]
    fn a_count_that_a_file_does_not_have_is_empty() {
        let columns = [column("nodes", true), column("seed", false)];
        assert_eq!(sources(&["seed"], &columns), Ok(vec![Source::Fixed(""), Source::Field(0)]));
    }
}
