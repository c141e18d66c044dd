//! What the files of a crate import, read from their text.
//!
//! A file depends on the file where the path of a name leads, through re-exports: `use super::Kind` on the file that defines
//! `Kind`, if the parent only passes it on. A re-export alone is no dependency; it is one if the name also stands in the
//! code of the file that passes it on. What is reached by a method call alone is not seen. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

/// A path of names, from the crate's root on.
type Path = Vec<String>;

/// A file as its tokens tell.
#[derive(Default)]
struct File {
    /// Names that stand for others: what a `use` brings in.
    names: BTreeMap<String, Path>,
    /// What the code depends on.
    used: Vec<Path>,
    /// What is passed on: a name and where it leads.
    passed_on: Vec<(String, Path)>,
    /// All names in the code, those of `use` left out.
    mentioned: BTreeSet<String>,
}

/// The imports of a crate.
pub struct Imports {
    /// By file: the rooms that its paths name.
    pub rooms: BTreeMap<String, BTreeSet<String>>,
    /// By file: the files that it depends on.
    pub files: BTreeMap<String, BTreeSet<String>>,
}

/// Reads `sources`: names of files below `src` and their text.
pub fn read(sources: &[(String, String)]) -> Imports {
    let modules: BTreeMap<Path, String> = sources.iter().map(|(name, _)| (module(name), name.clone())).collect();
    let files: BTreeMap<&str, File> =
        sources.iter().map(|(name, text)| (&name[..], Reader::read(&module(name), text, &modules))).collect();
    let mut imports = Imports { rooms: BTreeMap::new(), files: BTreeMap::new() };
    for (&name, file) in &files {
        let mentioned = file.passed_on.iter().filter(|(alias, _)| file.mentioned.contains(alias)).map(|(_, path)| path);
        let targets = file.used.iter().chain(mentioned).map(|path| leads_to(path, &modules, &files, 0));
        let targets = targets.filter(|target| target != name).collect();
        imports.files.insert(name.to_owned(), targets);
        let all = file.used.iter().chain(file.passed_on.iter().map(|(_, path)| path));
        imports.rooms.insert(name.to_owned(), all.filter_map(|path| path.first().cloned()).collect());
    }
    imports
}

/// The module that a file is.
fn module(name: &str) -> Path {
    let name = name.trim_end_matches(".rs").trim_end_matches("/mod");
    if name == "lib" { Vec::new() } else { name.split('/').map(str::to_owned).collect() }
}

/// The file where the item of a path is defined.
fn leads_to(path: &[String], modules: &BTreeMap<Path, String>, files: &BTreeMap<&str, File>, depth: usize) -> String {
    let known = (0..=path.len()).rev().find(|&len| modules.contains_key(&path[..len])).expect("the root is a module");
    let file = &modules[&path[..known]];
    match path.get(known).and_then(|name| files[&file[..]].names.get(name)) {
        Some(target) if depth < 20 => {
            let on = [target, &path[known + 1..]].concat();
            leads_to(&on, modules, files, depth + 1)
        }
        _ => file.clone(),
    }
}

struct Reader<'a> {
    tokens: Vec<String>,
    at: usize,
    /// The module at this place of the file.
    module: Path,
    modules: &'a BTreeMap<Path, String>,
    file: File,
}

impl<'a> Reader<'a> {
    fn read(module: &[String], text: &str, modules: &'a BTreeMap<Path, String>) -> File {
        let mut reader = Self { tokens: tokens(text), at: 0, module: module.to_vec(), modules, file: File::default() };
        // By open brace: whether it opened a module.
        let mut braces = Vec::new();
        while reader.at < reader.tokens.len() {
            if reader.is_next(&["#", "[", "cfg", "(", "test", ")", "]"]) {
                reader.skip_item();
            } else if reader.is_next(&["use"]) {
                reader.import();
            } else if reader.is_next(&["mod"]) && reader.token(2) == "{" {
                reader.module.push(reader.token(1).to_owned());
                braces.push(true);
                reader.at += 3;
            } else if reader.is_next(&["mod"]) && reader.token(2) == ";" {
                reader.at += 3;
            } else {
                match reader.token(0) {
                    "{" => braces.push(false),
                    "}" if braces.pop() == Some(true) => {
                        reader.module.pop();
                    }
                    _ => {}
                }
                reader.code();
            }
        }
        reader.file
    }

    fn token(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn is_next(&self, wanted: &[&str]) -> bool {
        wanted.iter().enumerate().all(|(i, token)| self.token(i) == *token)
    }

    /// Passes an item of tests: up to its semicolon or its closing brace.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.token(0) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            let ends = depth == 0 && matches!(self.token(0), ";" | "}");
            self.at += 1;
            if ends {
                break;
            }
        }
    }

    /// One token of code, or a path.
    fn code(&mut self) {
        let mut path = Vec::new();
        while is_name(self.token(0)) {
            path.push(self.token(0).to_owned());
            self.at += 1;
            if self.token(0) != "::" || !is_name(self.token(1)) {
                break;
            }
            self.at += 1;
        }
        self.file.mentioned.extend(path.first().cloned());
        if path.is_empty() {
            self.at += 1;
        } else if let Some(path) = self.absolute(&path).filter(|_| path.len() > 1) {
            self.file.used.push(path);
        }
    }

    fn import(&mut self) {
        let is_passed_on = self.at > 0 && matches!(&self.tokens[self.at - 1][..], "pub" | ")");
        self.at += 1;
        let mut found = Vec::new();
        self.branches(&[], &mut found);
        for (alias, path) in found {
            let Some(path) = self.absolute(&path) else { continue };
            if is_passed_on {
                self.file.passed_on.push((alias.clone(), path.clone()));
            } else {
                self.file.used.push(path.clone());
            }
            self.file.names.insert(alias, path);
        }
    }

    /// A tree of a `use`, up to what ends it.
    fn branches(&mut self, before: &[String], found: &mut Vec<(String, Path)>) {
        let mut path = before.to_vec();
        loop {
            match self.token(0) {
                "{" => {
                    self.at += 1;
                    while self.token(0) != "}" && self.at < self.tokens.len() {
                        self.branches(&path, found);
                        if self.token(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                "::" => self.at += 1,
                "self" if !path.is_empty() => self.at += 1,
                "as" => {
                    found.push((self.token(1).to_owned(), path));
                    self.at += 2;
                    return;
                }
                "*" => {
                    self.at += 1;
                    found.push(("*".to_owned(), path));
                    return;
                }
                name if is_name(name) => {
                    path.push(name.to_owned());
                    self.at += 1;
                }
                _ => {
                    found.extend(path.last().cloned().map(|alias| (alias, path)));
                    return;
                }
            }
        }
    }

    /// A path from the crate's root on; none if it leads out of the crate, or to what is defined beside it.
    fn absolute(&self, path: &[String]) -> Option<Path> {
        let mut base = self.module.clone();
        let mut rest = path;
        match &path[0][..] {
            "crate" => {
                base.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            _ => {
                base.push(path[0].clone());
                self.modules.get(&base)?;
                base.pop();
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The tokens of Rust text, without comments and literals.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\n');
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let hashes = (i + 1..).take_while(|&j| at(j) == '#').count();
        match (at(i), at(i + 1)) {
            ('/', '/') => i = (i..).find(|&j| at(j) == '\n').unwrap_or(i),
            ('/', '*') => {
                i = (i + 2..).find(|&j| j >= chars.len() || (at(j), at(j + 1)) == ('*', '/')).unwrap_or(i) + 2
            }
            ('r', _) if at(i + 1 + hashes) == '"' => {
                let closes = |&j: &usize| at(j) == '"' && (j + 1..=j + hashes).all(|k| at(k) == '#');
                i = (i + 2 + hashes..chars.len()).find(closes).unwrap_or(chars.len()) + 1 + hashes;
            }
            ('"', _) => {
                i += 1;
                while i < chars.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 };
                }
                i += 1;
            }
            ('\'', '\\') => i = (i + 3..chars.len()).find(|&j| at(j) == '\'').unwrap_or(chars.len()) + 1,
            ('\'', _) => i += if at(i + 2) == '\'' { 3 } else { 1 },
            (':', ':') => {
                tokens.push("::".to_owned());
                i += 2;
            }
            (c, _) if c.is_alphanumeric() || c == '_' => {
                let end = (i..).find(|&j| !at(j).is_alphanumeric() && at(j) != '_').unwrap_or(i + 1);
                tokens.push(chars[i..end].iter().collect());
                i = end;
            }
            (c, _) => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                i += 1;
            }
        }
    }
    tokens
}
