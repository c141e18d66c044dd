//! Where template sets come from.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use treebound_parser::cell::{Axis, TemplatesName};
use treebound_parser::features::TemplateSet;
use treebound_parser::features::template::TemplateError;

/// A template set: its name, or its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TemplatesSource {
    /// A built-in set.
    BuiltIn(String),
    /// A file, from the config's folder.
    File(String),
}

impl TemplatesSource {
    /// The built-in set of that name, or else the file.
    pub fn new(text: &str) -> Self {
        if TemplateSet::BUILT_IN.contains(&text) { Self::BuiltIn(text.to_owned()) } else { Self::File(text.to_owned()) }
    }

    /// As a config has it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::BuiltIn(name) | Self::File(name) => name,
        }
    }

    /// The name on the axis of templates: that of the set, or that of the file without its ending; none if a file's
    /// name cannot be one.
    pub fn name(&self) -> Option<TemplatesName> {
        match self {
            Self::BuiltIn(name) => TemplatesName::parse(name),
            Self::File(path) => TemplatesName::parse(Path::new(path).file_stem()?.to_str()?),
        }
    }

    /// The set; `base` is the config's folder.
    ///
    /// If the file cannot be read.
    pub fn read(&self, base: &Path) -> Result<TemplateSet, TemplateError> {
        match self {
            Self::BuiltIn(name) => TemplateSet::built_in(name).unwrap_or_else(|| TemplateSet::read(&base.join(name))),
            Self::File(path) => TemplateSet::read(&base.join(path)),
        }
    }
}

impl fmt::Display for TemplatesSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for TemplatesSource {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
