//! From nodes to wire types by serde. A fault spoils its own key alone: all faults of a file are found in one pass.

use std::cell::RefCell;
use std::fmt::{self, Display};
use std::rc::Rc;
use std::sync::Arc;

use serde::de::value::MapDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, Expected, IntoDeserializer, SeqAccess, Unexpected, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use super::{Fault, Node, Place, Source, Value, listed, nearest};

/// A key that had another name, and what to write instead, given its value.
#[derive(Debug)]
pub struct Renamed {
    /// The table, as messages call it.
    pub table: &'static str,
    /// The former key.
    pub key: &'static str,
    /// The message.
    pub message: fn(&Node) -> String,
}

/// Reads wire types off nodes, and collects the faults of all of them.
#[derive(Debug, Default)]
pub struct Reader {
    seen: RefCell<Vec<Rc<(String, Node)>>>,
    faults: RefCell<Vec<Fault>>,
    renamed: &'static [Renamed],
    /// Whether values are defaults, which have no place.
    is_quiet: bool,
}

/// The value of a key, if it is there and has no fault, and where it is.
#[derive(Clone, Debug)]
pub struct Key<T> {
    id: Option<usize>,
    value: Option<T>,
}

/// One or several values, each with its place.
pub type Many<T> = Vec<Key<T>>;

impl<T> Default for Key<T> {
    fn default() -> Self {
        Self { id: None, value: None }
    }
}

impl<T> Key<T> {
    /// Whether the file has the key.
    pub fn is_given(&self) -> bool {
        self.id.is_some()
    }

    /// The value: the default if the key is not given, none if there is no default or the value has a fault.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, owned.
    pub fn into_value(self) -> Option<T> {
        self.value
    }
}

impl<T: for<'de> Deserialize<'de>> Key<T> {
    /// A default, as a config would have it.
    pub fn usual(text: &str) -> Self {
        let reader = Reader { is_quiet: true, ..Reader::default() };
        let node = Node::from_text(text, &Place::whole(&Arc::new(Source::default())));
        Self { id: None, value: reader.read("", &node) }
    }
}

impl Reader {
    /// A reader that knows what keys were called before.
    pub fn new(renamed: &'static [Renamed]) -> Self {
        Self { renamed, ..Self::default() }
    }

    /// The value of a node; none if it is none of that type, which is a fault then.
    pub fn read<T: for<'de> Deserialize<'de>>(&self, key: &str, node: &Node) -> Option<T> {
        let source = Input { reader: self, key, node, parts: None };
        T::deserialize(source).map_err(|error| self.faults.borrow_mut().push(error.located(key, node))).ok()
    }

    /// A fault at a place.
    pub fn fault_at(&self, place: &Place, message: impl Into<String>) {
        self.faults.borrow_mut().push(Fault { place: place.clone(), message: message.into() });
    }

    /// A fault at a key that is given; defaults have none.
    pub fn fault<T>(&self, key: &Key<T>, message: impl Into<String>) {
        if let Some(place) = self.place(key) {
            self.fault_at(&place, message);
        }
    }

    /// A fault of a key's value, which the message begins with.
    pub fn wrong<T>(&self, key: &Key<T>, message: impl Display) {
        if let Some(seen) = self.seen(key) {
            self.fault_at(&seen.1.place, Error::custom(message).located(&seen.0, &seen.1).message);
        }
    }

    /// The place of a key that is given.
    pub fn place<T>(&self, key: &Key<T>) -> Option<Place> {
        self.seen(key).map(|seen| seen.1.place.clone())
    }

    /// The value of a key as it was read.
    pub fn node<T>(&self, key: &Key<T>) -> Option<Node> {
        self.seen(key).map(|seen| seen.1.clone())
    }

    fn seen<T>(&self, key: &Key<T>) -> Option<Rc<(String, Node)>> {
        key.id.and_then(|id| self.seen.borrow().get(id).cloned())
    }

    /// The first of some keys that is given, or else the last.
    pub fn first<'k, T>(keys: &[&'k Key<T>]) -> &'k Key<T> {
        keys.iter().find(|key| key.is_given()).unwrap_or(&keys[keys.len() - 1])
    }

    /// The values of a list: at least one, none of them twice. `read` gives the value of each.
    pub fn distinct<W, T: PartialEq>(&self, key: &Key<Many<W>>, read: impl Fn(&Key<W>) -> Option<T>) -> Vec<T> {
        let Some(list) = key.value() else { return Vec::new() };
        if list.is_empty() {
            self.wrong(key, "the grid is empty; name at least one");
        }
        if list.len() > MOST_VALUES {
            self.wrong(key, format!("it has {} values, and may have at most {MOST_VALUES}", list.len()));
            return Vec::new();
        }
        let mut distinct = Vec::new();
        for (one, value) in list.iter().filter_map(|one| Some((one, read(one)?))) {
            if distinct.contains(&value)
                && let Some(seen) = self.seen(one)
            {
                self.fault_at(&seen.1.place, format!("{}: {} is given twice", seen.0, seen.1.quoted()));
            }
            distinct.push(value);
        }
        distinct
    }

    /// All faults so far.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults.into_inner()
    }

    /// Whether there is none so far.
    pub fn is_faultless(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    fn unknown(&self, table: &str, node: &Node, known: &[&str]) {
        let Value::Table(entries) = &node.value else { return };
        for (key, node) in entries.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            let renamed = self.renamed.iter().find(|old| old.table == table && old.key == key);
            let message = match (renamed, nearest(key, known.iter().copied())) {
                (Some(old), _) => (old.message)(node),
                (None, Some(near)) => format!("unknown key `{key}`; did you mean `{near}`?"),
                (None, None) => format!("unknown key `{key}`; {table} has {}", listed(known)),
            };
            self.fault_at(&node.place, message);
        }
    }
}

/// The name under which [`Key`] and [`Both`] ask for what serde does not pass on.
const KEY: &str = "$key";
const BOTH: &str = "$both";
/// The number of a default.
const NO_ID: u64 = u64::MAX;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Key<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfKey<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OfKey<T> {
            type Value = Key<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_none<E>(self) -> Result<Key<T>, E> {
                Ok(Key::default())
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<T>, D::Error> {
                deserializer.deserialize_tuple_struct(KEY, 2, self)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Key<T>, A::Error> {
                let id = seq.next_element::<u64>()?.filter(|&id| id != NO_ID).map(|id| id as usize);
                Ok(Key { id, value: seq.next_element()? })
            }
        }
        deserializer.deserialize_option(OfKey(std::marker::PhantomData))
    }
}

/// One table read as two: the keys that all have, and those of some.
#[derive(Clone, Debug, Default)]
pub struct Both<A, B>(pub A, pub B);

impl<'de, A: Deserialize<'de> + Default, B: Deserialize<'de> + Default> Deserialize<'de> for Both<A, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfBoth<A, B>(std::marker::PhantomData<(A, B)>);
        impl<'de, A: Deserialize<'de> + Default, B: Deserialize<'de> + Default> Visitor<'de> for OfBoth<A, B> {
            type Value = Both<A, B>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a table")
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Both<A, B>, S::Error> {
                let (first, second) = (seq.next_element()?, seq.next_element()?);
                // Ends it: only now is it known which keys there are.
                seq.next_element::<u64>()?;
                Ok(Both(first.unwrap_or_default(), second.unwrap_or_default()))
            }
        }
        deserializer.deserialize_tuple_struct(BOTH, 2, OfBoth(std::marker::PhantomData))
    }
}

/// Most values of a list.
const MOST_VALUES: usize = 10_000;

/// The largest number of passes, rounds and the like: as good as no end.
const MOST: u64 = 1_000_000_000;

/// A whole number from `LEAST` to [`MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtLeast<const LEAST: u64>(pub u64);

impl<'de, const LEAST: u64> Deserialize<'de> for AtLeast<LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole<const LEAST: u64>;
        impl<const LEAST: u64> Visitor<'_> for Whole<LEAST> {
            type Value = AtLeast<LEAST>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a whole number from {LEAST}")
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
                let wrong = || E::invalid_value(Unexpected::Unsigned(number), &self);
                if number > MOST {
                    let needed = format!("a whole number from {LEAST} to {MOST}");
                    return Err(E::invalid_value(Unexpected::Unsigned(number), &needed.as_str()));
                }
                (number >= LEAST).then_some(AtLeast(number)).ok_or_else(wrong)
            }
        }
        deserializer.deserialize_u64(Whole::<LEAST>)
    }
}

/// A limit: a whole number from 1, or `"none"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(pub Option<u64>);

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfLimit;
        impl Visitor<'_> for OfLimit {
            type Value = Limit;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a whole number from 1 or \"none\"")
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Limit, E> {
                let wrong = || E::invalid_value(Unexpected::Unsigned(number), &self);
                (number >= 1).then_some(Limit(Some(number))).ok_or_else(wrong)
            }
            fn visit_str<E: de::Error>(self, word: &str) -> Result<Limit, E> {
                (word == "none").then_some(Limit(None)).ok_or_else(|| E::invalid_type(Unexpected::Str(word), &self))
            }
        }
        deserializer.deserialize_any(OfLimit)
    }
}

/// What is wrong with a value; before it is placed, without the value.
#[derive(Debug)]
struct Error {
    message: String,
    form: Form,
}

/// What is needed, in the words of configs.
pub(super) fn needed(needed: &dyn Expected) -> String {
    match needed.to_string().as_str() {
        "u64" | "usize" | "u32" => "a whole number from 0".to_owned(),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        other => other.to_owned(),
    }
}

/// How a message goes on from the key and its value.
#[derive(Debug)]
enum Form {
    /// ``key = `value` is ...``
    Is,
    /// `key = value: ...`; a text is quoted as a name.
    Of,
    /// The same, with the marks of a text, which is not what is needed.
    Type,
}

impl Error {
    fn new(message: String, form: Form) -> Self {
        Self { message, form }
    }

    fn located(self, key: &str, node: &Node) -> Fault {
        let message = with_nearest(self.message, node.text());
        let message = match self.form {
            Form::Is => format!("{key} = {} {message}", node.quoted()),
            Form::Of if node.text().is_some() => format!("{key} = {}: {message}", node.quoted()),
            Form::Of | Form::Type => format!("{key} = {}: {message}", node.shown()),
        };
        Fault { place: node.place.clone(), message }
    }
}

/// What begins a message on a word that is none of those that are known, which follow in marks.
const NOT_KNOWN: &str = "is not known; ";

/// A message on a word that is not known with the known one that is nearest to it.
fn with_nearest(message: String, word: Option<&str>) -> String {
    let Some((word, known)) = word.zip(message.strip_prefix(NOT_KNOWN)) else { return message };
    match nearest(word, known.split('`').skip(1).step_by(2)) {
        Some(near) if !known.starts_with("did you mean") => format!("{message}; did you mean `{near}`?"),
        _ => message,
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        let message = message.to_string();
        let form = if message.starts_with("is ") { Form::Is } else { Form::Of };
        Self::new(message, form)
    }

    fn invalid_type(found: Unexpected, needed: &dyn Expected) -> Self {
        let needed = self::needed(needed);
        let is_list = matches!(found, Unexpected::Str(text) if text.contains(',')) && needed.starts_with("a whole");
        let list = if is_list { "; a list is written [1, 2]" } else { "" };
        Self::new(format!("{needed} is needed{list}"), Form::Type)
    }

    fn invalid_value(found: Unexpected, needed: &dyn Expected) -> Self {
        Self::invalid_type(found, needed)
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::new(format!("is not known; it can be {}", listed(known)), Form::Is)
    }
}

use de::Error as _;

/// The names and keys of the parts that one table is read in.
type Parts = Vec<(&'static str, &'static [&'static str])>;

/// A node as serde reads it.
#[derive(Clone, Copy)]
struct Input<'r> {
    reader: &'r Reader,
    key: &'r str,
    node: &'r Node,
    /// The parts that one table is read in, by their keys.
    parts: Option<&'r RefCell<Parts>>,
}

impl<'r, 'de> Deserializer<'de> for Input<'r> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.node.value {
            Value::Text(text) => visitor.visit_str(text),
            Value::Whole(Some(number), _) => match u64::try_from(*number) {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_i64(*number),
            },
            Value::Whole(None, _) => Err(Error::custom("the number is too large")),
            Value::Number(number) => visitor.visit_f64(*number),
            Value::Truth(truth) => visitor.visit_bool(*truth),
            Value::Date(_) => Err(Error::invalid_type(Unexpected::Other("date"), &visitor)),
            Value::List(_) => self.deserialize_seq(visitor),
            Value::Table(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.node.text() {
            Some(name) => visitor.visit_enum(name.into_deserializer()),
            None => Err(Error::unknown_variant("", known)),
        }
    }

    /// One value stands for a list of one.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Elements { of: self, rest: self.node.each().iter() })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match name {
            KEY => visitor.visit_seq(KeyParts { of: self, step: 0 }),
            BOTH => {
                let parts = RefCell::default();
                visitor.visit_seq(BothParts { of: Input { parts: Some(&parts), ..self } })
            }
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Table(entries) = &self.node.value else {
            return Err(Error::new("a table of keys and values is needed".to_owned(), Form::Type));
        };
        let below = |(key, node)| (String::as_str(key), Input { reader: self.reader, key, node, parts: None });
        visitor.visit_map(MapDeserializer::new(entries.iter().map(below)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let empty = Default::default();
        let entries = match &self.node.value {
            Value::Table(entries) => entries,
            _ => {
                let message = format!("{name}: keys and values are needed here, not {}", self.node.kind());
                self.reader.fault_at(&self.node.place, message);
                &empty
            }
        };
        match self.parts {
            Some(parts) => parts.borrow_mut().push((name, known)),
            None => self.reader.unknown(name, self.node, known),
        }
        let below = |(key, node)| (String::as_str(key), Input { reader: self.reader, key, node, parts: None });
        let known = entries.iter().filter(|(key, _)| known.contains(&key.as_str()));
        visitor.visit_map(MapDeserializer::new(known.map(below)))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct tuple identifier
    }
}

impl<'de> IntoDeserializer<'de, Error> for Input<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The members of a list.
struct Elements<'r> {
    of: Input<'r>,
    rest: std::slice::Iter<'r, Node>,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.rest.next().map(|node| seed.deserialize(Input { node, ..self.of })).transpose()
    }
}

/// The number of a key, then its value. A value with a fault is none.
struct KeyParts<'r> {
    of: Input<'r>,
    step: usize,
}

impl<'de> SeqAccess<'de> for KeyParts<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Input { reader, key, node, .. } = self.of;
        self.step += 1;
        if self.step > 1 {
            let value = seed.deserialize(self.of);
            return Ok(value.map_err(|error| reader.faults.borrow_mut().push(error.located(key, node))).ok());
        }
        let mut seen = reader.seen.borrow_mut();
        let id = if reader.is_quiet { NO_ID } else { seen.len() as u64 };
        seen.push(Rc::new((key.to_owned(), node.clone())));
        seed.deserialize(id.into_deserializer()).map(Some)
    }
}

/// The parts of one table; at the end, the keys that are in none of them.
struct BothParts<'r> {
    of: Input<'r>,
}

impl<'de> SeqAccess<'de> for BothParts<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let parts = self.of.parts.map(RefCell::borrow).filter(|parts| parts.len() == 2);
        let Some(parts) = parts else { return seed.deserialize(self.of).map(Some) };
        let known: Vec<&str> = parts.iter().flat_map(|(_, keys)| keys.iter().copied()).collect();
        self.of.reader.unknown(parts[0].0, self.of.node, &known);
        Ok(None)
    }
}
