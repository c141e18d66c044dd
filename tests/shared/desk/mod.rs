//! A folder in which verbs are typed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use tempfile::TempDir;

/// A config that is run in a moment: two sets of families on a made treebank with parts of these sizes.
pub fn tiny(train: usize, dev: usize, test: usize) -> String {
    format!(
        r#"
[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = {train}
dev = {dev}
test = {test}
vocabulary = 500

[pruner]
epochs = 1

[training]
epochs = 1
pruning = "k=4"
dp_calls = 10

[features]
sets = ["grandchild", "sibling"]

[decoding]
pruning = "k=4"

[evaluation]
splits = ["dev", "test"]
"#
    )
}

/// A grid `other` of a parser of that name, which is somebody else's: `commands` are the keys that say how it works.
pub fn other(commands: &str) -> String {
    format!(
        r#"
[[grid]]
name = "other"
systems = ["other"]

[[external]]
name = "other"
{commands}
version = ["echo", "1"]
"#
    )
}

/// Files by their path below a folder.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The folder.
pub struct Desk {
    folder: TempDir,
}

/// What a verb did.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Done {
    /// That the verb succeeded; its output.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// That the verb failed as verbs do (exit code 1, no panic), saying all of `wanted`.
    #[track_caller]
    pub fn failure(&self, wanted: &[&str]) {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        for wanted in wanted {
            assert!(self.err.contains(wanted), "`{wanted}` is not said: {}", self.err);
        }
    }
}

impl Done {
    /// That the command line was not understood, for a reason that has these words.
    #[track_caller]
    pub fn failure_of_usage(&self, wanted: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.err.contains(wanted), "{self:?}");
    }
}

impl Desk {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// All files below a folder; none if it is not there.
    pub fn files(&self, folder: &str) -> Files {
        let mut files = Files::new();
        let root = self.path(folder);
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    // A temporary file may go while we look.
                    let Ok(bytes) = fs::read(&path) else { continue };
                    files.insert(path.strip_prefix(&root).expect("below").to_owned(), bytes);
                }
            }
        }
        files
    }

    /// The artifacts of finished work. Beside them stands how long each took, which is never the same.
    pub fn artifacts(&self) -> Files {
        let mut files = self.files("cache");
        files.remove(Path::new("times.csv"));
        files
    }

    pub fn put(&self, folder: &str, files: &Files) {
        for (name, bytes) in files {
            self.write(&Path::new(folder).join(name).to_string_lossy(), bytes);
        }
    }

    /// Types `treebound` with these arguments.
    pub fn treebound(&self, arguments: &[&str]) -> Done {
        let output = self.command(arguments).output().expect("started");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// `treebound` with these arguments, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treebound"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null()).env_remove("TREEBOUND_CACHE");
        command
    }
}

/// A few slips of the keyboard: at each place some bytes go and others come.
pub fn slips() -> impl Strategy<Value = Vec<(Index, usize, &'static [u8])>> {
    const OTHERS: &[&[u8]] = &[
        b"",
        b"",
        b"0",
        b"1",
        b"-1",
        b"9",
        b"99999999999999999999",
        b"1e9",
        b".5",
        b"nan",
        b"_",
        b"#",
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"\"",
        b"'",
        b"\\",
        b"=",
        b"+",
        b"-",
        b".",
        b"*",
        b"\t",
        b"\n",
        b"\n\n",
        b"\r",
        b" ",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xc3\xa9",
        b"none",
    ];
    prop::collection::vec((any::<Index>(), 0usize..4, select(OTHERS)), 1..4)
}

/// A text with slips.
pub fn slip(text: &[u8], slips: &[(Index, usize, &[u8])]) -> Vec<u8> {
    let mut text = text.to_vec();
    for (at, gone, come) in slips {
        let at = at.index(text.len() + 1);
        let end = (at + gone).min(text.len());
        text.splice(at..end, come.iter().copied());
    }
    text
}
