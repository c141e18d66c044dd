//! How time and memory grow, for people.

use super::table::{Section, Table};
use treebound_records::number::{fixed, grouped};
use treebound_records::sheet::Sheet;
use treebound_records::{GrowthRow, mib};

/// The rows of each axis, small sets first.
pub fn table(rows: &[GrowthRow]) -> Table {
    let mut rows = rows.to_vec();
    rows.sort_by_cached_key(|row| {
        // The sets of the axis of families grow with the value.
        let set = (row.axis != "families").then(|| row.features.clone());
        (row.axis.clone(), set, row.value.is_none(), row.value)
    });
    let mut sections = Vec::new();
    for axis in rows.chunk_by(|a, b| a.axis == b.axis) {
        let Some(first) = axis.first() else { continue };
        let all = || axis.iter();
        let optional = |value: Option<f64>, decimals| value.map_or(String::new(), |value| fixed(value, decimals));
        let section = Section::default()
            .right(&first.axis, all().map(|r| r.value.map_or("all".to_owned(), |v| grouped(v.unsigned_abs()))))
            .left("features", all().map(|r| r.features.to_string()))
            .left("templates", all().map(|r| format!("{} {}", grouped(r.templates), r.template_set)))
            .right("training\nwords", all().map(|r| grouped(r.train_words)))
            .right("learnt\nfeatures", all().map(|r| grouped(r.learnt_features)))
            .right("training\ns", all().map(|r| fixed(r.learning_s(), 1)))
            .right("training\npeak MiB", all().map(|r| optional(mib(r.train_peak_kib), 0)))
            .right("DP calls\na sentence", all().map(|r| optional(r.dp_calls_per_sentence(), 2)))
            .right("proven of", all().map(|r| format!("{} of {}", grouped(r.proven), grouped(r.sentences))))
            .right("ms a\nsentence", all().map(|r| optional(r.ms_per_sentence(), 2)))
            .right("words/s", all().map(|r| r.words_per_s().map_or(String::new(), |v| grouped(v as u64))))
            .right("parsing\npeak MiB", all().map(|r| optional(mib(r.parse_peak_kib), 0)));
        sections.push(section);
    }
    Table::new(sections, Sheet::default())
}
