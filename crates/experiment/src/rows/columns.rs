//! How a row's fields stand in columns: each type says its columns, and how they are read and printed.
//!
//! What is parsed is parsed here, once: axes become their types, and a text that no value is spelt as is an error that names
//! the column and what is expected there.

use std::array;
use std::borrow::Cow;
use std::sync::Arc;

use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::answer::{Count, Effort, Phase, Phases, Proof};
use treebound_parser::cell::{
    Axis, AxisValues, CellKey, CorpusName, Decoding, FeatureSet, Fold, Learner, Setting, Split, SystemName, Tags,
    TemplatesName, parse_optional, show_optional,
};
use treebound_parser::pruning::Rule;
use treebound_records::series::{self, Series};
use treebound_records::table::{MAX_COUNT, SEED};
use treebound_records::{LineFault, RowKey};

/// A column of a results file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Whether a file may do without it: its fields are then empty.
    pub is_optional: bool,
    /// Whether a file does without it where all of its fields would be empty.
    pub is_sparse: bool,
}

impl Column {
    pub(super) fn needed(name: &'static str) -> Self {
        Self { name, is_optional: false, is_sparse: false }
    }

    /// One that a file may do without.
    pub(super) fn optional(name: &'static str) -> Self {
        Self { name, is_optional: true, is_sparse: false }
    }

    /// That of a count.
    pub(super) fn counted(count: Count) -> Self {
        Self { is_sparse: count.is_sparse(), ..Self::optional(count.name()) }
    }
}

/// One field of a line with the column it stands in.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    column: &'static str,
    text: Cow<'a, str>,
}

impl Value<'_> {
    /// The text as it stands.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn fault(&self, expected: &'static str) -> LineFault {
        LineFault::Field { column: self.column, value: self.text.clone().into_owned(), expected }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read<T>(&self, expected: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, LineFault> {
        parse(&self.text).ok_or_else(|| self.fault(expected))
    }

    fn whole(&self) -> Result<u64, LineFault> {
        // Only digits: `+1` and the like would be written back in another way.
        let digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        self.read("a whole number", |text| digits.then(|| text.parse().ok()).flatten())
    }

    fn count(&self) -> Result<u64, LineFault> {
        match self.whole() {
            Ok(number) if number <= MAX_COUNT => Ok(number),
            _ => Err(self.fault("a whole number from 0 to 2^53")),
        }
    }

    fn optional_count(&self) -> Result<Option<u64>, LineFault> {
        if self.text.is_empty() { Ok(None) } else { self.count().map(Some) }
    }
}

/// The fields of one line, taken in the order of the row's columns.
#[derive(Debug)]
pub struct Fields<'a> {
    columns: &'a [Column],
    texts: Vec<Cow<'a, str>>,
    next: usize,
    further: Vec<(&'a str, &'a str)>,
    last_cell: &'a mut Option<LastCell>,
}

/// The cell of the line before, which is shared if the next line spells it alike.
#[derive(Debug)]
pub struct LastCell {
    texts: [String; Setting::AXES.len()],
    further: Vec<String>,
    cell: Arc<CellKey>,
}

impl<'a> Fields<'a> {
    /// The fields of a line in the order of `columns`; there must be as many.
    pub fn new(columns: &'a [Column], texts: Vec<Cow<'a, str>>, last_cell: &'a mut Option<LastCell>) -> Self {
        Self { columns, texts, next: 0, further: Vec::new(), last_cell }
    }

    /// The same with the fields of further axes, under their names.
    #[must_use]
    pub fn with_further(self, further: Vec<(&'a str, &'a str)>) -> Self {
        Self { further, ..self }
    }

    /// The values of further axes.
    pub(super) fn further(&self) -> &[(&'a str, &'a str)] {
        &self.further
    }

    /// The next field; an empty one past the end.
    #[expect(clippy::should_implement_trait, reason = "a line has as many fields as its columns, so there is no end")]
    pub fn next(&mut self) -> Value<'a> {
        let i = self.next;
        self.next += 1;
        let text = self.texts.get_mut(i).map(std::mem::take).unwrap_or_default();
        Value { column: self.columns.get(i).map_or("", |column| column.name), text }
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
    fn columns(field: &'static str) -> Vec<Column> {
        vec![Column::needed(field)]
    }

    /// Reads the field.
    ///
    /// # Errors
    /// If a column does not hold what it should.
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault>;

    /// Appends the field to a line.
    fn print(&self, line: &mut Vec<String>);

    /// The values of the axes of a cell or model. Those of further axes have columns of their own.
    fn axes(&self) -> Option<&AxisValues> {
        None
    }
}

impl Field for u64 {
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().count()
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.to_string());
    }
}

impl Field for Option<u64> {
    fn columns(field: &'static str) -> Vec<Column> {
        vec![Column::optional(field)]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().optional_count()
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.map_or_else(String::new, |number| number.to_string()));
    }
}

impl Field for Option<i64> {
    fn columns(field: &'static str) -> Vec<Column> {
        vec![Column::optional(field)]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let value = fields.next();
        if value.text.is_empty() {
            return Ok(None);
        }
        value.read("a whole number or empty", |text| text.parse().ok()).map(Some)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.map_or_else(String::new, |number| number.to_string()));
    }
}

impl Field for RowKey {
    fn columns(field: &'static str) -> Vec<Column> {
        vec![Column::optional(field)]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().read("16 hexadecimal digits or empty", Self::parse)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.to_string());
    }
}

impl Field for Series {
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().read(series::EXPECTED, Self::read)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.text());
    }
}

impl Field for String {
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().read("a name", |text| (!text.is_empty()).then(|| text.to_owned()))
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.clone());
    }
}

/// An axis has a column, and one that a system may lack has too.
macro_rules! axes {
    ($($axis:ty),*) => {$(
        impl Field for $axis {
            fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
                fields.next().read(<$axis>::EXPECTED, <$axis as Axis>::parse)
            }

            fn print(&self, line: &mut Vec<String>) {
                line.push(self.to_string());
            }
        }

        impl Field for Option<$axis> {
            fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
                fields.next().read(<$axis>::EXPECTED, parse_optional)
            }

            fn print(&self, line: &mut Vec<String>) {
                line.push(show_optional(self.as_ref()));
            }
        }
    )*};
}

axes!(CorpusName, Split, Tags, SystemName, TemplatesName, Learner, FeatureSet, Rule, Backbone, Decoding);

/// Empty where there are no folds.
impl Field for Option<Fold> {
    fn columns(field: &'static str) -> Vec<Column> {
        vec![Column::optional(field)]
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let value = fields.next();
        if value.text.is_empty() { Ok(None) } else { value.read(Fold::EXPECTED, Fold::parse).map(Some) }
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.map_or_else(String::new, |fold| fold.to_string()));
    }
}

impl Field for Decoder {
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().read("a decoder, such as `bnb`", Self::parse)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.to_string());
    }
}

impl Field for Proof {
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        fields.next().read("what is proven of a tree, such as `optimal`", Self::parse)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.push(self.name().to_owned());
    }
}

/// A column a count.
impl Field for Effort {
    fn columns(_: &'static str) -> Vec<Column> {
        Count::ALL.iter().map(|&count| Column::counted(count)).collect()
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let mut effort = Self::default();
        for &count in Count::ALL {
            effort.set(count, fields.next().optional_count()?);
        }
        Ok(effort)
    }

    fn print(&self, line: &mut Vec<String>) {
        Count::ALL.iter().for_each(|&count| self.get(count).print(line));
    }
}

/// A column a phase.
impl Field for Phases {
    fn columns(_: &'static str) -> Vec<Column> {
        let column = |phase: Phase| Column { is_sparse: phase.is_sparse(), ..Column::optional(phase.column()) };
        Phase::ALL.map(column).into()
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let mut phases = Self::default();
        for phase in Phase::ALL {
            phases.set(phase, fields.next().optional_count()?);
        }
        Ok(phases)
    }

    fn print(&self, line: &mut Vec<String>) {
        Phase::ALL.iter().for_each(|&phase| self.get(phase).print(line));
    }
}

/// A column an axis.
impl Field for Arc<CellKey> {
    fn columns(_: &'static str) -> Vec<Column> {
        Setting::AXES.into_iter().chain([SEED]).map(Column::needed).collect()
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let values: [Value; Setting::AXES.len()] = array::from_fn(|_| fields.next());
        let texts = values.each_ref().map(Value::text);
        let seed = fields.next().whole()?;
        let further = &fields.further;
        if let Some(LastCell { texts: last, further: last_further, cell }) = fields.last_cell
            && cell.seed == seed
            && *last == texts
            && last_further.iter().eq(further.iter().map(|(_, text)| text))
        {
            return Ok(cell.clone());
        }
        let setting = Setting::read_all(texts, further).map_err(|(at, expected)| match values.get(at) {
            Some(value) => value.fault(expected),
            None => further_fault(further[at - values.len()], expected),
        })?;
        let cell = Self::new(CellKey { setting, seed });
        let further = further.iter().map(|(_, text)| (*text).to_owned()).collect();
        *fields.last_cell = Some(LastCell { texts: texts.map(str::to_owned), further, cell: cell.clone() });
        Ok(cell)
    }

    fn print(&self, line: &mut Vec<String>) {
        line.extend(self.setting.spelt());
        line.push(self.seed.to_string());
    }

    fn axes(&self) -> Option<&AxisValues> {
        Some(&self.setting.axes)
    }
}

/// A field of a further axis that is not spelt as it should be.
pub(super) fn further_fault((axis, text): (&str, &str), expected: &'static str) -> LineFault {
    LineFault::Field { column: "axis", value: format!("{axis}={text}"), expected }
}

/// What fills some columns of a line, in order.
pub trait Row: Sized {
    /// The columns.
    fn columns() -> Vec<Column>;

    /// Reads the fields of the columns.
    ///
    /// # Errors
    /// If a column does not hold what it should.
    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault>;

    /// Appends the fields to a line.
    fn print(&self, line: &mut Vec<String>);

    /// The values of the axes of its cell or model, if it is of one. Those of further axes are fields, too, behind the last axis
    /// that every file has.
    fn axes(&self) -> Option<&AxisValues> {
        None
    }
}

/// The columns in which two rows differ, with both fields: `score 12, but 11`.
pub fn differences<R: Row>(stands: &R, found: &R) -> Vec<String> {
    let [stands, found] = [stands, found].map(|row| {
        let mut fields = Vec::new();
        row.print(&mut fields);
        fields
    });
    let shown = |field: &str| if field.is_empty() { "nothing".to_owned() } else { field.to_owned() };
    let differ = |((column, stands), found): ((Column, String), String)| {
        (stands != found).then(|| format!("{} {}, but {}", column.name, shown(&stands), shown(&found)))
    };
    R::columns().into_iter().zip(stands).zip(found).filter_map(differ).collect()
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
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $row {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl $crate::rows::columns::Row for $row {
            fn columns() -> Vec<$crate::rows::columns::Column> {
                [$(<$type as $crate::rows::columns::Field>::columns(stringify!($field))),*].concat()
            }

            fn parse(
                fields: &mut $crate::rows::columns::Fields<'_>,
            ) -> Result<Self, treebound_records::LineFault> {
                Ok(Self { $($field: <$type as $crate::rows::columns::Field>::parse(fields)?,)* })
            }

            fn print(&self, line: &mut Vec<String>) {
                $($crate::rows::columns::Field::print(&self.$field, line);)*
            }

            fn axes(&self) -> Option<&treebound_parser::cell::AxisValues> {
                None$(.or_else(|| $crate::rows::columns::Field::axes(&self.$field)))*
            }
        }
    };
}

pub(super) use columns;
