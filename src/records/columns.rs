//! How a row's fields stand in columns: each type says its columns' names, and how they are read and printed.

use std::sync::Arc;

use super::{CellKey, LineFault};

/// Counts are whole numbers up to here, so that they are exact as floating-point numbers too.
pub const MAX_COUNT: u64 = 1 << 53;

/// One field of a line with the column it stands in.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    column: &'static str,
    text: &'a str,
}

impl<'a> Value<'a> {
    /// The text as it stands.
    pub fn text(self) -> &'a str {
        self.text
    }

    fn fault(self, expected: &'static str) -> LineFault {
        LineFault::Field { column: self.column, value: self.text.to_owned(), expected }
    }

    fn word(self) -> Result<&'a str, LineFault> {
        if self.text.is_empty() { Err(self.fault("a name")) } else { Ok(self.text) }
    }

    fn whole(self) -> Result<u64, LineFault> {
        // Only digits: `+1` and the like would be written back in another way.
        let digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        let number = digits.then(|| self.text.parse().ok()).flatten();
        number.ok_or_else(|| self.fault("a whole number"))
    }

    fn count(self) -> Result<u64, LineFault> {
        match self.whole() {
            Ok(number) if number <= MAX_COUNT => Ok(number),
            _ => Err(self.fault("a whole number from 0 to 2^53")),
        }
    }
}

/// The fields of one line, taken in the order of the row's columns.
#[derive(Debug)]
pub struct Fields<'a> {
    columns: &'a [&'static str],
    texts: Vec<&'a str>,
    next: usize,
    last_cell: &'a mut Option<Arc<CellKey>>,
}

impl<'a> Fields<'a> {
    /// The fields of a line in the order of `columns`; there must be as many. `last_cell` is the key of the line before,
    /// which is shared if it is the same.
    pub fn new(columns: &'a [&'static str], texts: Vec<&'a str>, last_cell: &'a mut Option<Arc<CellKey>>) -> Self {
        Self { columns, texts, next: 0, last_cell }
    }

    /// The next field; an empty one past the end.
    #[expect(clippy::should_implement_trait, reason = "a line has as many fields as its columns, so there is no end")]
    pub fn next(&mut self) -> Value<'a> {
        let i = self.next;
        self.next += 1;
        Value { column: self.columns.get(i).copied().unwrap_or(""), text: self.texts.get(i).copied().unwrap_or("") }
    }

    /// True if each of the next `n` fields is empty.
    pub fn are_empty(&self, n: usize) -> bool {
        self.texts.iter().skip(self.next).take(n).all(|t| t.is_empty())
    }

    /// Passes over `n` fields.
    pub fn skip(&mut self, n: usize) {
        self.next += n;
    }
}

/// A type that stands in one or more columns.
pub trait Field: Sized {
    /// The columns of a field of that name.
    fn names(field: &'static str) -> Vec<&'static str>;

    /// Reads the field.
    ///
    /// # Errors
    /// If a column does not hold what it should.
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault>;

    /// Appends the field to a line.
    fn print(&self, line: &mut Vec<String>);
}

impl Field for u64 {
    fn names(field: &'static str) -> Vec<&'static str> {
        vec![field]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().count()
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.to_string());
    }
}

impl Field for Option<i64> {
    fn names(field: &'static str) -> Vec<&'static str> {
        vec![field]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let value = fields.next();
        if value.text.is_empty() {
            return Ok(None);
        }
        value.text.parse().map(Some).map_err(|_| value.fault("a whole number or empty"))
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.map_or_else(String::new, |number| number.to_string()));
    }
}

impl Field for String {
    fn names(field: &'static str) -> Vec<&'static str> {
        vec![field]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().word().map(str::to_owned)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.clone());
    }
}

impl Field for Arc<CellKey> {
    fn names(_: &'static str) -> Vec<&'static str> {
        vec!["corpus", "split", "tags", "trainer", "features", "prune", "backbone", "decoder", "seed"]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let corpus = fields.next().word()?;
        let split = fields.next().word()?;
        let tags = fields.next().word()?;
        let trainer = fields.next().word()?;
        let features = fields.next().word()?;
        let prune = fields.next().word()?;
        let backbone = fields.next().word()?;
        let decoder = fields.next().word()?;
        let seed = fields.next().whole()?;
        if let Some(last) = &*fields.last_cell {
            let CellKey { corpus: c, split: s, tags: t, trainer: l, .. } = &**last;
            let CellKey { features: f, prune: p, backbone: b, decoder: d, .. } = &**last;
            let texts = [corpus, split, tags, trainer, features, prune, backbone, decoder];
            if last.seed == seed && [c, s, t, l, f, p, b, d].into_iter().eq(texts) {
                return Ok(last.clone());
            }
        }
        let cell = Self::new(CellKey {
            corpus: corpus.to_owned(),
            split: split.to_owned(),
            tags: tags.to_owned(),
            trainer: trainer.to_owned(),
            features: features.to_owned(),
            prune: prune.to_owned(),
            backbone: backbone.to_owned(),
            decoder: decoder.to_owned(),
            seed,
        });
        *fields.last_cell = Some(cell.clone());
        Ok(cell)
    }

    fn print(&self, line: &mut Vec<String>) {
        let CellKey { corpus, split, tags, trainer, features, prune, backbone, decoder, seed } = &**self;
        line.extend([corpus, split, tags, trainer, features, prune, backbone, decoder].map(Clone::clone));
        line.push(seed.to_string());
    }
}

/// What fills some columns of a line, in order.
pub trait Columns: Sized {
    /// The names of the columns.
    fn names() -> Vec<&'static str>;

    /// Reads the fields of the columns.
    ///
    /// # Errors
    /// If a column does not hold what it should.
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault>;

    /// Appends the fields to a line.
    fn print(&self, line: &mut Vec<String>);
}

/// Defines a struct whose fields are columns, in the order written.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        pub struct $row:ident {
            $($(#[$field_doc:meta])* pub $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $row {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Columns for $row {
            fn names() -> Vec<&'static str> {
                [$(<$type as Field>::names(stringify!($field))),*].concat()
            }

            fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
                Ok(Self { $($field: <$type as Field>::parse(fields)?,)* })
            }

            fn print(&self, line: &mut Vec<String>) {
                $(Field::print(&self.$field, line);)*
            }
        }
    };
}

pub(crate) use columns;
