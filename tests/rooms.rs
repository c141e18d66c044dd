//! The plan of the house: rooms import only from the floors below them, and no files of a room import in a circle.

#[path = "rooms/reader.rs"]
mod reader;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use reader::{Imports, read};

/// The rooms of `src`, from the bottom up. A room may import from the floors below its own, not from its own.
const FLOORS: &[&[&str]] = &[
    &["bytes", "random", "sources", "tree", "whole_file"],
    &["graph", "treebank"],
    &["decode", "features"],
    &["weights"],
    &["pruning", "tagger"],
    &["answer"],
    &["parser"],
    &["cell"],
    &["systems"],
    &["records"],
    &["error_analysis", "provenance", "statistics"],
    &["tables"],
    &["diff", "figures"],
    &["claims"],
    &["experiment"],
    &["pages", "report", "verify"],
    &["cli"],
];

/// Imports against the floors that are still there, as `file -> room`: this list may only become shorter.
const UPWARD: &[&str] = &[];

/// Rooms in which files still import in circles: this list may only become shorter.
const ROOMS_WITH_CIRCLES: &[&str] = &[];

#[test]
fn rooms_import_from_the_floors_below() {
    let floors = floors(FLOORS);
    let imports = house();
    let rooms: BTreeSet<String> = imports.rooms.keys().map(|file| room(file).to_owned()).collect();
    let listed: BTreeSet<String> = floors.keys().map(|room| (*room).to_owned()).collect();
    assert_eq!(rooms, listed, "each room of src stands on one floor of the list in this test");
    assert_eq!(upward(&imports, &floors), UPWARD, "imports of the same floor or a higher one");
}

#[test]
fn no_files_of_a_room_import_in_a_circle() {
    let found = circles(&house());
    let rooms: BTreeSet<&str> = found.iter().map(|circle| room(&circle[0])).collect();
    let news: Vec<_> = found.iter().filter(|circle| !ROOMS_WITH_CIRCLES.contains(&room(&circle[0]))).collect();
    assert!(news.is_empty(), "circles of imports: {news:#?}");
    let gone: Vec<_> = ROOMS_WITH_CIRCLES.iter().filter(|&room| !rooms.contains(room)).collect();
    assert!(gone.is_empty(), "no circles are left in {gone:?}: take them off the list");
}

/// The checks find what they are for.
#[test]
fn upward_imports_and_circles_are_found() {
    let source = |files: &[(&str, &str)]| -> Imports {
        let owned: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        read(&owned)
    };
    let plan = floors(&[&["low"], &["high"]]);
    let imports = source(&[
        ("lib.rs", "pub mod low; pub mod high;"),
        ("low.rs", "// use crate::high::No;\nconst S: &str = \"crate::high::No\"; fn f<'a>() { crate::high::g('\"') }"),
        ("high.rs", "use crate::low::f; #[cfg(test)] mod tests { use crate::other::No; }"),
    ]);
    assert_eq!(upward(&imports, &plan), ["low.rs -> high"]);
    assert_eq!(circles(&imports), [] as [Vec<String>; 0], "circles are looked for inside rooms");

    // A parent that passes names on is in no circle with its children; one that uses them is.
    let child = ("low/child.rs", "use super::{Parent, Sibling};\nstruct Child(Parent);");
    let sibling = ("low/sibling.rs", "pub struct Sibling;");
    let passes = "mod child; mod sibling; pub use child::Child; pub use sibling::Sibling; pub struct Parent;";
    assert!(circles(&source(&[("lib.rs", ""), ("low/mod.rs", passes), child, sibling])).is_empty());
    let uses = "mod child; mod sibling; pub use child::Child; pub use sibling::Sibling; pub struct Parent(Box<Child>);";
    let imports = source(&[("lib.rs", ""), ("low/mod.rs", uses), child, sibling]);
    assert_eq!(circles(&imports), [["low/child.rs", "low/mod.rs"]]);

    // Through a name that a parent passes on, the path leads to the file that defines it.
    let first = ("low/first.rs", "use super::second; pub struct First(second::Second);");
    let second = ("low/second.rs", "mod inner { use super::Here; } use crate::low::First as Other; pub struct Second;");
    let mod_rs = ("low/mod.rs", "mod first; mod second; pub(crate) use first::First;");
    assert_eq!(circles(&source(&[("lib.rs", ""), mod_rs, first, second])), [["low/first.rs", "low/second.rs"]]);
}

/// By room: its floor.
fn floors<'a>(list: &[&[&'a str]]) -> BTreeMap<&'a str, usize> {
    let rooms = list.iter().enumerate().flat_map(|(floor, rooms)| rooms.iter().map(move |room| (*room, floor)));
    rooms.collect()
}

/// The room of a file.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

fn upward(imports: &Imports, floors: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut found = Vec::new();
    for (file, rooms) in &imports.rooms {
        let Some(own) = floors.get(room(file)) else { continue };
        let above =
            rooms.iter().filter(|&other| other != room(file) && floors.get(&other[..]).is_some_and(|f| f >= own));
        found.extend(above.map(|other| format!("{file} -> {other}")));
    }
    found
}

/// Files of one room that reach one another, sorted; those of a circle together.
fn circles(imports: &Imports) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.files.keys().map(|file| (&file[..], reachable(imports, file))).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (file, others) in reached.iter().filter(|(file, others)| others.contains(*file)) {
        let circle = others.iter().filter(|other| reached[*other].contains(file));
        found.insert(circle.map(|&file| file.to_owned()).collect());
    }
    found.into_iter().collect()
}

/// The files of the same room that a file depends on, directly or through others.
fn reachable<'a>(imports: &'a Imports, file: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut todo = vec![file];
    while let Some(at) = todo.pop() {
        for next in imports.files.get(at).into_iter().flatten() {
            if room(next) == room(file) && reached.insert(&next[..]) {
                todo.push(next);
            }
        }
    }
    reached
}

/// The imports of this crate; its root, its binary and its build script stand above all rooms.
fn house() -> Imports {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    collect(&src, &src, &mut sources);
    let mut imports = read(&sources);
    for top in ["lib.rs", "main.rs", "build.rs"] {
        imports.rooms.remove(top);
        imports.files.remove(top);
    }
    imports
}

fn collect(src: &Path, folder: &Path, sources: &mut Vec<(String, String)>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            collect(src, &path, sources);
        } else if path.extension().is_some_and(|e| e == "rs") && path.file_stem().is_some_and(|stem| stem != "tests") {
            let name = path.strip_prefix(src).expect("below src").to_string_lossy().replace('\\', "/");
            sources.push((name, fs::read_to_string(&path).expect("text")));
        }
    }
}
