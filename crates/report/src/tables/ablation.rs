//! Ablation: what each family and each group of templates is worth, one step at a time.

use super::block::{Block, pruning_label};
use super::table::{Section, Table};
use crate::statistics::steps::{Difference, Step, heading};
use treebound_parser::cell::show_optional;
use treebound_records::number::{fixed, signed};
use treebound_records::sheet::Sheet;

/// The table: a section for each setting that steps start from, and each way of stepping.
pub fn ablation(steps: &[Step], notes: Vec<String>) -> Table {
    let sections = steps.chunk_by(same_section).map(section).collect();
    Table::new(sections, sheet(steps)).with_notes(notes)
}

/// Whether steps stand together: they start from one setting in one way.
pub fn same_section(a: &Step, b: &Step) -> bool {
    (a.way, &a.from) == (b.way, &b.from)
}

/// What a section is of, for people.
pub fn title(step: &Step) -> String {
    let setting = &step.from;
    format!("{}, {}: {}", Block::of(setting).words(true), pruning_label(setting.pruning), heading(step))
}

fn section(steps: &[Step]) -> Section {
    let uas = |step: &Step, at: usize| step.uas_pct[at].map_or_else(String::new, |uas| fixed(uas, 2));
    let seeds = |step: &Step| step.seeds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    // Where steps were run with fewer seeds than others, each is held against what these seeds start from.
    let is_one = steps.array_windows().all(|[a, b]| (&a.seeds, a.uas_pct[0]) == (&b.seeds, b.uas_pct[0]));
    let title = steps.first().map_or_else(String::new, |step| match is_one {
        true => format!("{} (UAS {}, seeds {})", title(step), uas(step, 0), seeds(step)),
        false => title(step),
    });
    let interval = |step: &Step| {
        let interval = step.tested.as_ref().ok().and_then(|tested| tested.interval);
        interval.map_or_else(String::new, |i| format!("{} to {}", signed(i.low_points, 2), signed(i.high_points, 2)))
    };
    let p = |step: &Step, of: fn(&Difference) -> f64| {
        step.tested.as_ref().map_or_else(ToString::to_string, |tested| fixed(of(tested), 4))
    };
    let section = Section::new(title).left("step", steps.iter().map(|step| step.what.clone()));
    let section = match is_one {
        true => section,
        false => section.left("seeds", steps.iter().map(seeds)).right("from", steps.iter().map(|step| uas(step, 0))),
    };
    section
        .right("UAS", steps.iter().map(|step| uas(step, 1)))
        .right("difference", steps.iter().map(|s| s.gain_points().map_or_else(String::new, |gain| signed(gain, 2))))
        .right("95 % interval", steps.iter().map(interval))
        .right("p", steps.iter().map(|step| p(step, |tested| tested.p_value)))
        .right("p, Holm", steps.iter().map(|step| p(step, |tested| tested.p_holm)))
}

/// The columns of `ablation.csv`; the setting is that behind the step. Figures have them too.
pub fn sheet(steps: &[Step]) -> Sheet {
    let all = || steps.iter();
    let tested = || all().map(|step| step.tested.as_ref().ok());
    let interval = || tested().map(|tested| tested?.interval);
    Sheet::default()
        .settings(all().map(|step| &step.to))
        .text("way", all().map(|step| step.way.name()))
        .text("step", all().map(|step| step.what.clone()))
        .text("from_templates", all().map(|step| show_optional(step.from.templates.as_ref())))
        .text("from_features", all().map(|step| show_optional(step.from.features.as_ref())))
        .count("seeds", all().map(|step| Some(step.seeds.len() as u64)))
        .fixed("from_uas_pct", 4, all().map(|step| step.uas_pct[0]))
        .fixed("uas_pct", 4, all().map(|step| step.uas_pct[1]))
        .fixed("difference_points", 4, all().map(Step::gain_points))
        .fixed("low_points", 4, interval().map(|interval| Some(interval?.low_points)))
        .fixed("high_points", 4, interval().map(|interval| Some(interval?.high_points)))
        .fixed("p_value", 4, tested().map(|tested| Some(tested?.p_value)))
        .fixed("p_holm", 4, tested().map(|tested| Some(tested?.p_holm)))
        .fixed("detectable_points", 4, tested().map(|tested| Some(tested?.power?.detectable_points())))
}
