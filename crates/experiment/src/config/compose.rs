//! A config from its files: what it extends, the corpora that it names, and what the command line sets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{ConfigError, Fault};
use super::place::{Place, Source, joined};
use super::tree::{self, Entries, Node, Value};

/// All keys of a config, wherever they stand, and the source that is the config's own file.
pub(super) fn compose(text: &str, path: &Path, flags: &[String]) -> Result<(Entries, Arc<Source>), ConfigError> {
    let mut composer = Composer { base: path.parent().map_or_else(PathBuf::new, Path::to_owned), sources: 0 };
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let own = composer.source(path.display().to_string(), name, PathBuf::new());
    composer.whole(text, &own, flags).map(|entries| (entries, own)).map_err(|fault| ConfigError::Faults(vec![fault]))
}

struct Composer {
    base: PathBuf,
    sources: usize,
}

impl Composer {
    fn source(&mut self, shown: String, relative: String, folder: PathBuf) -> Arc<Source> {
        self.sources += 1;
        Arc::new(Source { order: self.sources, shown, relative, folder })
    }

    fn whole(&mut self, text: &str, own: &Arc<Source>, flags: &[String]) -> Result<Entries, Fault> {
        let mut entries = self.with_corpora(tree::parse(text, own)?)?;
        if let Some(node) = entries.remove("extends") {
            let (mut base, _) = self.file(&node, "extends")?;
            if let Some(further) = base.remove("extends") {
                let message =
                    "extends: this file is extended itself, so it may not extend another; name that one instead";
                return Err(Fault { place: further.place, message: message.into() });
            }
            base = self.with_corpora(base)?;
            tree::merge(&mut base, entries);
            entries = base;
        }
        for flag in flags {
            let source = self.source(format!("--set {flag}"), "--set".to_owned(), PathBuf::new());
            tree::set(&mut entries, flag, &source)?;
        }
        // A corpus may be set too.
        self.with_corpora(entries)
    }

    /// The keys of the file that a node names, and the file.
    fn file(&mut self, node: &Node, key: &str) -> Result<(Entries, Arc<Source>), Fault> {
        let Value::Text(name) = &node.value else {
            return Err(fault(node, format!("{key}: the path of a file is needed, in quotes")));
        };
        let relative = node.place.rebase(name);
        let path = self.base.join(&relative);
        let fail = |e: std::io::Error| fault(node, format!("{key}: cannot read {}: {e}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(fail)?;
        let folder = Path::new(&relative).parent().map_or_else(PathBuf::new, Path::to_owned);
        let source = self.source(path.display().to_string(), relative, folder);
        Ok((tree::parse(&text, &source)?, source))
    }

    /// Puts the keys of corpus files where they are named.
    fn with_corpora(&mut self, mut entries: Entries) -> Result<Entries, Fault> {
        let Some(node) = entries.get_mut("corpus") else { return Ok(entries) };
        let is_file = |node: &Node| matches!(node.value, Value::Text(_));
        if !is_file(node) && !node.each().iter().any(is_file) {
            return Ok(entries);
        }
        let mut corpora = Vec::new();
        for member in node.each() {
            corpora.push(match member.value {
                Value::Text(_) => {
                    let (entries, source) = self.file(member, "corpus")?;
                    Node { place: Place::whole(&source), value: Value::Table(entries) }
                }
                _ => member.clone(),
            });
        }
        node.value = Value::List(corpora);
        Ok(entries)
    }
}

fn fault(node: &Node, message: String) -> Fault {
    Fault { place: node.place.clone(), message }
}

/// The file of a path that stands in a config.
pub(super) fn beside(base: &Path, path: &str) -> PathBuf {
    base.join(joined(Path::new(""), path))
}
