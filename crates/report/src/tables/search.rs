//! How the search went in several ways, for people.

use super::table::{Section, Table};
use treebound_records::SearchRow;
use treebound_records::number::fixed;
use treebound_records::sheet::Sheet;

/// The rows of each cell; `way` heads the column of ways.
pub fn table(rows: &[SearchRow], way: &str) -> Table {
    let mut sections = Vec::new();
    for cell in rows.chunk_by(|a, b| a.cell == b.cell) {
        let Some(first) = cell.first() else { continue };
        let all = || cell.iter();
        let heading = format!("{}, {} sentences", first.cell, first.sentences);
        let section = Section::new(heading)
            .left(way, all().map(|r| r.way.clone()))
            .right("DP calls\na sentence", all().map(|r| fixed(r.dp_calls_per_sentence(), 2)))
            .right("nodes\na sentence", all().map(|r| fixed(r.nodes as f64 / r.sentences.max(1) as f64, 2)))
            .right("proven\n%", all().map(|r| fixed(pct(r.proven, r.sentences), 2)))
            .right("at root\n%", all().map(|r| fixed(pct(r.at_root, r.sentences), 2)))
            .right("UAS", all().map(|r| fixed(pct(r.scored_correct, r.scored_tokens), 2)));
        sections.push(section);
    }
    Table::new(sections, Sheet::default())
}

fn pct(count: u64, of: u64) -> f64 {
    100.0 * count as f64 / of.max(1) as f64
}
