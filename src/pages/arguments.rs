//! What the words of a block say: names, then keys with values.

use super::error::BlockError;
use treebound_report::tables::table::Section;

/// The words behind a block's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments<'t> {
    /// The words without `=`; commas part them too.
    pub names: Vec<&'t str>,
    /// The others. A value may have a `=` of its own, as in `pruning=k=10`.
    keys: Vec<(&'t str, &'t str)>,
}

/// The key that chooses columns; all blocks have it.
pub const COLUMNS: &str = "columns";

impl<'t> Arguments<'t> {
    /// Reads the words behind a block's name, whose keys are known.
    ///
    /// # Errors
    /// A key that is not known, or stands there twice.
    pub fn read(words: &'t str, known: &[&str]) -> Result<Self, BlockError> {
        let (mut names, mut keys) = (Vec::new(), Vec::new());
        for word in words.split_whitespace() {
            let Some((key, value)) = word.split_once('=') else {
                names.extend(word.split(',').filter(|name| !name.is_empty()));
                continue;
            };
            if !known.contains(&key) {
                return Err(BlockError::unknown("key", key, known.iter().copied()));
            }
            if keys.iter().any(|(other, _)| *other == key) {
                return Err(BlockError::Words(format!("the key `{key}` stands there twice")));
            }
            keys.push((key, value));
        }
        Ok(Self { names, keys })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'t str> {
        self.keys.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The values of a key, which commas part.
    pub fn list(&self, key: &str) -> Option<Vec<&'t str>> {
        self.get(key).map(|value| value.split(',').collect())
    }

    /// The one name.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn name(&self) -> Result<&'t str, BlockError> {
        match self.names[..] {
            [name] => Ok(name),
            _ => Err(BlockError::Words("the block is of one experiment, which is named behind the block".to_owned())),
        }
    }

    /// The columns that are asked for; those that are usual, if none are.
    ///
    /// # Errors
    /// A column that there is not.
    pub fn columns(&self, section: Section, usual: &[&str]) -> Result<Section, BlockError> {
        let names = section.names();
        let asked = self.list(COLUMNS);
        let chosen = section.choose(asked.as_deref().unwrap_or(usual));
        chosen.map_err(|column| BlockError::unknown("column", column, names.iter().map(String::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys() {
        let read = |words| Arguments::read(words, &["pruning", "grid"]);
        let arguments = read("ewt,gsd-zh  wsj grid=a,b pruning=k=10").expect("arguments");
        assert_eq!(arguments.names, ["ewt", "gsd-zh", "wsj"]);
        assert_eq!(arguments.list("grid"), Some(vec!["a", "b"]));
        assert_eq!(arguments.get("pruning"), Some("k=10"));
        assert_eq!(arguments.get("seed"), None);
        assert!(arguments.name().is_err());
        let message = |words| read(words).expect_err("an error").to_string();
        assert_eq!(message("prunings=k=3"), "unknown key `prunings`; did you mean `pruning`?");
        assert_eq!(message("x=1"), "unknown key `x`; there are `pruning`, `grid`");
        assert_eq!(message("grid=a grid=b"), "the key `grid` stands there twice");
    }
}
