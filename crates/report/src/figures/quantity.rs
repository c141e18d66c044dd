//! What a figure measures.

use crate::statistics::curves::Series;
use treebound_records::number::{counted, grouped};

/// What a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Time from tokens to tree (Figure 4).
    ParseTime,
    /// Calls to the dynamic program (Figure 5).
    DpCalls,
}

impl Quantity {
    /// Name of the figure's files.
    pub fn name(self) -> &'static str {
        match self {
            Self::ParseTime => "figure4",
            Self::DpCalls => "figure5",
        }
    }

    /// Label of the y axis, with its unit.
    pub fn label(self) -> &'static str {
        match self {
            Self::ParseTime => "parse time per sentence (ms)",
            Self::DpCalls => "DP calls per sentence",
        }
    }

    /// Units of the totals in one unit of the averages.
    pub fn unit(self) -> f64 {
        match self {
            Self::ParseTime => 1e6,
            Self::DpCalls => 1.0,
        }
    }

    /// Name of the column of totals.
    pub fn total_column(self) -> &'static str {
        match self {
            Self::ParseTime => "time_ns",
            Self::DpCalls => "dp_calls",
        }
    }

    /// Name of the column of averages.
    pub fn average_column(self) -> &'static str {
        match self {
            Self::ParseTime => "ms_per_sentence",
            Self::DpCalls => "dp_calls_per_sentence",
        }
    }

    /// Name of the column that says how many samples the totals are over.
    pub fn samples_column(self) -> &'static str {
        match self {
            Self::ParseTime => "passes",
            Self::DpCalls => "seeds",
        }
    }

    /// What the figure says of its values.
    pub fn note(self, series: &[&Series]) -> String {
        let least = series.iter().map(|series| series.samples).min().unwrap_or(0);
        let most = series.iter().map(|series| series.samples).max().unwrap_or(0);
        let samples = |one: &str, several: &str| {
            if least == most {
                counted(most, one, several)
            } else {
                format!("{least} to {}", counted(most, one, several))
            }
        };
        match self {
            Self::ParseTime if most == 1 => "One thread, from tokens to trees; one pass.".to_owned(),
            Self::ParseTime => format!("One thread, from tokens to trees; median of {}.", samples("pass", "passes")),
            Self::DpCalls => {
                let mut note = match most {
                    1 => "One training seed.".to_owned(),
                    _ => format!("Mean over {}.", samples("training seed", "training seeds")),
                };
                let unproven = series.iter().map(|series| series.unproven).fold(0, u64::saturating_add);
                let decoded = series.iter().flat_map(|series| &series.points).map(|point| point.decoded);
                let decoded = decoded.fold(0, u64::saturating_add);
                if unproven > 0 {
                    note.push_str(&format!(
                        " {} of {} searches ended without a proof; their calls up to there count.",
                        grouped(unproven),
                        grouped(decoded)
                    ));
                }
                note
            }
        }
    }
}
