//! `[[corpus]]`.

use std::path::Path;

use super::Resolver;
use crate::experiment::config::error::line_of;
use crate::experiment::config::model::{Corpus, Counts, Encoding, Expected, Format, Origin};
use crate::experiment::config::synthetic;
use crate::experiment::config::wire::{At, CorpusWire, CountWire, CountsWire, OneOrMany, PunctuationWire};
use crate::systems::Nonprojective;
use crate::treebank::{Punctuation, TagColumn};

impl Resolver<'_> {
    pub(in crate::experiment::config) fn corpus(&mut self, at: &At<CorpusWire>, path: &Path) -> Corpus {
        let wire = at.get_ref();
        let formats = [
            ("conllu", Format::Conllu),
            ("conllx", Format::Conllx),
            ("penn", Format::Penn),
            ("synthetic", Format::Synthetic),
        ];
        let format = self.one_of(&wire.format, "format", &formats).unwrap_or(Format::Conllu);
        if wire.name.get_ref().is_empty() {
            self.fault(&wire.name, "the corpus needs a name");
        }
        let files = |files: &Option<At<OneOrMany<String>>>| {
            files.as_ref().map(|at| at.get_ref().clone().into_vec()).unwrap_or_default()
        };
        let parts = [("train", files(&wire.train)), ("dev", files(&wire.dev)), ("test", files(&wire.test))];
        for (part, files) in &parts {
            match (format, files.is_empty()) {
                (Format::Synthetic, false) => {
                    self.fault(at, format!("{part}: a synthetic corpus has no files; remove the key"));
                }
                (Format::Synthetic, true) | (_, false) => {}
                (_, true) => self.fault(at, format!("the corpus has no `{part}` files")),
            }
        }
        if let (Format::Synthetic, Some(folder)) = (format, &wire.folder) {
            self.fault(folder, "folder: a synthetic corpus has no files; remove the key");
        }
        if let (Format::Synthetic, Some(encoding)) = (format, &wire.encoding) {
            self.fault(encoding, "encoding: a synthetic corpus has no files; remove the key");
        }
        match (&wire.rules, format) {
            (None, Format::Penn) => {
                self.fault(at, "brackets need head rules: add rules = \"english\", \"chinese\" or a file");
            }
            (Some(rules), f) if f != Format::Penn => self.fault(rules, "rules are for format = \"penn\""),
            _ => {}
        }
        let synthetic = match (&wire.synthetic, format) {
            (Some(at), f) if f != Format::Synthetic => {
                self.fault(at, "[corpus.synthetic] is for format = \"synthetic\"");
                None
            }
            (table, Format::Synthetic) => {
                let (settings, faults) = synthetic::resolve(table.as_ref());
                self.faults.extend(faults.into_iter().map(|(at, text)| (Some(line_of(self.text, at)), text)));
                Some(settings)
            }
            _ => None,
        };
        let [(_, train), (_, dev), (_, test)] = parts;
        let origin = self.origin(at, path);
        let encodings = [("utf-8", Encoding::Utf8), ("gb18030", Encoding::Gb18030)];
        let data_sets = [("PTB", "PTB"), ("CTB", "CTB")];
        let kept = [("projectivize", Nonprojective::Projectivize), ("drop", Nonprojective::Drop)];
        Corpus {
            name: wire.name.get_ref().clone(),
            format,
            rules: wire.rules.as_ref().map(|r| r.get_ref().clone()),
            encoding: self.one_or(wire.encoding.as_ref(), "encoding", &encodings, Encoding::Utf8),
            folder: files(&wire.folder),
            train,
            dev,
            test,
            punctuation: self.punctuation(wire.punctuation.as_ref(), format),
            nonprojective: self.one_or(
                wire.nonprojective.as_ref(),
                "nonprojective",
                &kept,
                Nonprojective::Projectivize,
            ),
            published: wire
                .published
                .as_ref()
                .and_then(|at| self.one_of(at, "published", &data_sets))
                .map(str::to_owned),
            expected: Expected {
                train: self.expected(wire.expected.train.as_ref()),
                dev: self.expected(wire.expected.dev.as_ref()),
                test: self.expected(wire.expected.test.as_ref()),
            },
            synthetic,
            origin,
        }
    }

    pub(in crate::experiment::config) fn expected(&mut self, at: Option<&At<CountsWire>>) -> Option<Counts> {
        let at = at?;
        let mut counts = |key: &str, count: &Option<CountWire>| match count {
            None => Vec::new(),
            Some(CountWire::One(count)) => vec![*count],
            Some(CountWire::AnyOf(counts)) => {
                if counts.is_empty() {
                    self.fault(at, format!("{key} = []: no count will do; name one, or remove the key"));
                }
                counts.clone()
            }
        };
        let CountsWire { sentences, tokens } = at.get_ref();
        Some(Counts { sentences: counts("sentences", sentences), tokens: counts("tokens", tokens) })
    }

    /// Where the keys stand; the whole table stands for those that are not there.
    pub(in crate::experiment::config) fn origin(&self, at: &At<CorpusWire>, path: &Path) -> Origin {
        let wire = at.get_ref();
        let line = |start: Option<usize>| line_of(self.text, start.unwrap_or(at.span().start));
        let files = |files: &Option<At<OneOrMany<String>>>| line(files.as_ref().map(|at| at.span().start));
        let counts = |counts: &Option<At<CountsWire>>| line(counts.as_ref().map(|at| at.span().start));
        Origin {
            path: path.to_owned(),
            folder: files(&wire.folder),
            parts: [&wire.train, &wire.dev, &wire.test].map(files),
            expected: [&wire.expected.train, &wire.expected.dev, &wire.expected.test].map(counts),
            rules: line(wire.rules.as_ref().map(|at| at.span().start)),
        }
    }

    pub(in crate::experiment::config) fn punctuation(
        &mut self,
        at: Option<&At<PunctuationWire>>,
        format: Format,
    ) -> Punctuation {
        let none = Punctuation { column: TagColumn::Fine, tags: Vec::new() };
        let usual = Punctuation::named(if format == Format::Penn { "ptb" } else { "ud" }).unwrap_or(none);
        let Some(at) = at else { return usual };
        match at.get_ref() {
            PunctuationWire::Named(name) => Punctuation::named(name).unwrap_or_else(|| {
                let message = format!(
                    "punctuation = `{name}` is not known; it can be `ud` (coarse tag PUNCT), `ptb` (fine tags `` '' : , \
                     .), `ctb` (fine tag PU), `none`, or {{ column = \"fine\", tags = [...] }}"
                );
                self.fault(at, message);
                usual
            }),
            PunctuationWire::Tags(tags) => {
                let column = match tags.column.as_str() {
                    "fine" => TagColumn::Fine,
                    "coarse" => TagColumn::Coarse,
                    other => {
                        self.fault(at, format!("column = `{other}` is not known; it can be `fine`, `coarse`"));
                        TagColumn::Fine
                    }
                };
                Punctuation { column, tags: tags.tags.clone() }
            }
        }
    }
}
