//! Ma & Zhao (2012), Table 4: how long it takes to learn, by learner and threads.
//!
//! Of two measurements with 1 and n threads follows the share p of the work that threads take off each other's hands, and
//! from it what more of them would need (Amdahl 1967):
//!
//! ```text
//! t(n) = t(1) * (1 - p + p / n)        p = (1 - t(n) / t(1)) / (1 - 1 / n)
//! ```

use super::table::{Section, Table};
use treebound_parser::cell::show_optional;
use treebound_records::number::{fixed, grouped};
use treebound_records::sheet::Sheet;
use treebound_records::{LearningRow, ModelName, mib};

/// Threads of which the time is foretold.
const MORE_THREADS: f64 = 16.0;

/// The rows, model by model, few threads first.
pub fn table(rows: &[LearningRow]) -> Table {
    let mut rows = rows.to_vec();
    rows.sort_by_cached_key(|row| {
        let ModelName { corpus, tags, templates, learner, features, backbone, .. } = row.model.clone();
        ((corpus, tags, backbone), (templates, features, learner), row.seed, row.threads)
    });
    let one_of = |row: &LearningRow| {
        let is_one = |other: &&LearningRow| other.threads == 1 && (&other.model, other.seed) == (&row.model, row.seed);
        rows.iter().find(is_one).map(LearningRow::train_s)
    };
    let share = |row: &LearningRow| parallel_share(one_of(row)?, row.train_s(), row.threads);
    let more = |row: &LearningRow| Some(one_of(row)? * (1.0 - share(row)? * (1.0 - 1.0 / MORE_THREADS)));
    let shown = |value: Option<f64>, decimals| value.map_or(String::new(), |value| fixed(value, decimals));
    let sections =
        rows.chunk_by(|a, b| (&a.model.corpus, a.model.tags) == (&b.model.corpus, b.model.tags)).filter_map(|group| {
            let all = || group.iter();
            let first = group.first()?;
            let title = format!(
                "Learning: {}, {} tags, {} sentences",
                first.model.corpus,
                first.model.tags,
                grouped(first.sentences)
            );
            let section = Section::new(title)
                .left("templates", all().map(|r| show_optional(r.model.templates.as_ref())))
                .left("program", all().map(|r| show_optional(r.model.backbone.as_ref())))
                .left("features", all().map(|r| show_optional(r.model.features.as_ref())))
                .left("learner", all().map(|r| show_optional(r.model.learner.as_ref())))
                .right("passes", all().map(|r| grouped(r.passes)))
                .right("threads", all().map(|r| grouped(r.threads)))
                .right("s", all().map(|r| fixed(r.train_s(), 1)))
                .right(
                    "times\nas fast",
                    all().map(|r| shown(one_of(r).filter(|_| r.threads > 1).map(|s| s / r.train_s()), 2)),
                )
                .right("parallel\n%", all().map(|r| shown(share(r).map(|p| 100.0 * p), 1)))
                .right("16 threads\nwould take s", all().map(|r| shown(more(r), 1)))
                .right("peak MiB", all().map(|r| shown(mib(r.peak_kib), 0)));
            Some(section)
        });
    let notes = vec![
        "Time to learn the weights, in a process of its own; tagger and pruner were there before. A pass of a CRF learnt \
         by L-BFGS is a step of the descent."
            .to_owned(),
    ];
    Table::new(sections.collect(), Sheet::default()).with_notes(notes)
}

/// The share of the work that threads share, by the times with one and with several of them; 0 if more took longer.
fn parallel_share(one: f64, several: f64, threads: u64) -> Option<f64> {
    (threads > 1 && one > 0.0).then(|| ((1.0 - several / one) / (1.0 - 1.0 / threads as f64)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::parallel_share;

    #[test]
    fn shares_are_those_of_the_law() {
        assert_eq!(parallel_share(10.0, 5.0, 2), Some(1.0));
        assert_eq!(parallel_share(10.0, 10.0, 2), Some(0.0));
        assert_eq!(parallel_share(10.0, 12.0, 2), Some(0.0));
        assert!((parallel_share(10.0, 10.0 * (0.1 + 0.9 / 4.0), 4).expect("a share") - 0.9).abs() < 1e-12);
        assert_eq!(parallel_share(10.0, 10.0, 1), None);
    }
}
