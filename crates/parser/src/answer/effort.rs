//! What a parse cost, in counts that do not depend on the machine.
//!
//! A count is a line of the list below: results files have a column for it, sums add it up, and tables that ask for it
//! find it. A system fills those that it counts; the others are empty in every file and table, never 0.

macro_rules! counts {
    ($($(#[$doc:meta])* $count:ident = $name:literal, $label:literal;)*) => {
        /// Something that a system counts while it parses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Count {
            $($(#[$doc])* $count,)*
        }

        impl Count {
            /// All counts, in the order of their columns.
            pub const ALL: &'static [Self] = &[$(Self::$count,)*];

            /// Its column.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$count => $name,)*
                }
            }

            /// What it is called in tables.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$count => $label,)*
                }
            }
        }
    };
}

counts! {
    /// Branch-and-bound nodes bounded; 1 for a decoder that does not branch.
    Nodes = "nodes", "nodes";
    /// Max-product passes over the sentence's span chart.
    DpCalls = "dp_calls", "DP calls";
}

/// What a parse, or several, cost: each count, if the system counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Effort([Option<u64>; Count::ALL.len()]);

impl Effort {
    /// All counts 0: what a sum starts from.
    pub const ZERO: Self = Self([Some(0); Count::ALL.len()]);

    /// A count; none if the system does not count it.
    pub fn get(&self, count: Count) -> Option<u64> {
        self.0[count as usize]
    }

    /// Sets a count.
    pub fn set(&mut self, count: Count, value: Option<u64>) {
        self.0[count as usize] = value;
    }

    /// This effort with another count.
    pub fn with(mut self, count: Count, value: u64) -> Self {
        self.set(count, Some(value));
        self
    }

    /// Adds another parse's; a sum of which a part is not counted is not known.
    pub fn add(&mut self, other: &Self) {
        for (sum, value) in self.0.iter_mut().zip(other.0) {
            *sum = sum.zip(value).map(|(sum, value)| sum.saturating_add(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_counted_is_empty_and_stays_so_in_sums() {
        let one = Effort::default().with(Count::Nodes, 3);
        let mut sum = Effort::ZERO;
        sum.add(&one);
        sum.add(&one);
        assert_eq!(sum.get(Count::Nodes), Some(6));
        assert_eq!(sum.get(Count::DpCalls), None);
    }
}
