//! `make data`: what is fetched is what the checksums name, what is whole is not fetched again, and what cannot be had is
//! said. A folder stands for the network (`ud=file://...`) or for the mirror.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files by their place below `data`, with their place below the address of the treebanks.
const FILES: [(&str, &str); 2] = [
    ("en_ewt/dev.conllu", "UD_English-EWT/r2.16/en_ewt-ud-dev.conllu"),
    ("zh_gsd/test.conllu", "UD_Chinese-GSD/9eab518/zh-ud-test.conllu"),
];

/// What the file number `i` has.
fn content(i: usize) -> String {
    format!("# file {i}\n").repeat(1000)
}

struct Yard(tempfile::TempDir);

impl Yard {
    /// A project of which nothing is there but the list of checksums, and all files below `network` and `mirror`.
    fn new() -> Self {
        let yard = Self(tempfile::tempdir().expect("a folder"));
        let mut sums = String::new();
        for (i, (path, url)) in FILES.into_iter().enumerate() {
            yard.put(&format!("network/{url}"), content(i));
            yard.put(&format!("mirror/{path}"), content(i));
            let summed = Command::new("sha256sum").arg(yard.path(&format!("mirror/{path}"))).output();
            let summed = String::from_utf8(summed.expect("sha256sum").stdout).expect("text");
            writeln!(sums, "{}  {path}", summed.split(' ').next().expect("a sum")).expect("written");
        }
        yard.put("configs/data.sha256", sums);
        yard
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    /// `make data` with variables set; whether it succeeded, and all that it said.
    fn data(&self, variables: &[&str]) -> (bool, String) {
        let makefile = Path::new(env!("CARGO_MANIFEST_DIR")).join("Makefile");
        let mut make = Command::new("make");
        make.arg("-f").arg(makefile).arg("data").args(variables).current_dir(self.0.path());
        // Those of a make that runs the tests are not for this one.
        make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").env_remove("DATA_MIRROR");
        let output = make.output().expect("make");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    fn network(&self) -> String {
        format!("ud=file://{}", self.path("network").display())
    }

    /// All files are there, whole, and nothing else is.
    fn is_whole(&self) {
        for (i, (path, _)) in FILES.into_iter().enumerate() {
            assert_eq!(std::fs::read_to_string(self.path(&format!("data/{path}"))).expect(path), content(i));
            assert!(!self.path(&format!("data/{path}.part")).exists());
        }
    }
}

#[test]
fn a_mirror_gives_what_the_checksums_name() {
    let yard = Yard::new();
    let mirror = &["DATA_MIRROR=mirror"];
    let (good, said) = yard.data(mirror);
    assert!(good, "{said}");
    yard.is_whole();
    // What is whole is left alone, even where the mirror has it no more; what was damaged is fetched again.
    std::fs::remove_file(yard.path("mirror/en_ewt/dev.conllu")).expect("removed");
    yard.put("data/zh_gsd/test.conllu", "damaged");
    let (good, said) = yard.data(mirror);
    assert!(good && said.contains("data/en_ewt/dev.conllu is there"), "{said}");
    yard.is_whole();
    // What the mirror lacks is named, and what it has of another kind is not taken; the rest is.
    std::fs::remove_file(yard.path("data/en_ewt/dev.conllu")).expect("removed");
    let (good, said) = yard.data(mirror);
    assert!(!good && said.contains("data/en_ewt/dev.conllu: the mirror has no such file"), "{said}");
    yard.put("mirror/en_ewt/dev.conllu", "of another release");
    std::fs::remove_file(yard.path("data/zh_gsd/test.conllu")).expect("removed");
    let (good, said) = yard.data(mirror);
    assert!(!good && said.contains("is another file (its SHA-256 is not that of configs/data.sha256)"), "{said}");
    assert!(!yard.path("data/en_ewt/dev.conllu").exists() && yard.path("data/zh_gsd/test.conllu").exists());
}

#[test]
fn files_are_fetched_and_gone_on_with() {
    if crate::at_hand::program(&["curl"]).is_none() {
        return;
    }
    let yard = Yard::new();
    // Half of one has come already; the other half is all that is asked for.
    let half = &content(0)[..content(0).len() / 2];
    yard.put("data/en_ewt/dev.conllu.part", half);
    let (good, said) = yard.data(&[&yard.network()]);
    assert!(good, "{said}");
    yard.is_whole();
    // Without a network: in plain words, with a way out, and not as a success.
    std::fs::remove_file(yard.path("data/en_ewt/dev.conllu")).expect("removed");
    let (good, said) = yard.data(&["ud=file:///no/such/place"]);
    assert!(!good && said.contains("is there a network?") && said.contains("DATA_MIRROR=DIR"), "{said}");
    assert!(said.contains("data/zh_gsd/test.conllu is there"), "{said}");
}
