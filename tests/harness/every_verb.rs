//! Every verb, killed at each call to the system that writes, and with each file that it reads in the place of something that is
//! none. Both take minutes, so they are run by name: `cargo test --test harness every_verb -- --ignored --nocapture`.
//!
//! Which files a verb reads, and how often it writes, is seen by strace; without it both tests say that they are skipped.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, Files, tiny};
use crate::nothing_lost::put;

/// A verb as it is typed.
struct Typed {
    arguments: &'static [&'static str],
    /// Whether it works on results and a model that are there already.
    on_results: bool,
    /// Whether what it writes is its own: a second time it refuses.
    only_once: bool,
}

const fn typed(arguments: &'static [&'static str]) -> Typed {
    Typed { arguments, on_results: true, only_once: false }
}

/// Every verb, some of them in two ways. Part of `measure` are slow, so their work is little.
const VERBS: &[Typed] = &[
    Typed {
        only_once: true,
        ..typed(&["new", "mine", "--train", "a.conllu", "--dev", "a.conllu", "--test", "a.conllu"])
    },
    typed(&["check", "configs/tiny.toml"]),
    typed(&["plan", "configs/tiny.toml"]),
    Typed { on_results: false, ..typed(&["run", "configs/tiny.toml", "-q", "-j", "1"]) },
    typed(&["run", "configs/tiny.toml", "-q", "-j", "1", "--set", "seeds=[2]"]),
    typed(&["collate", "configs/tiny.toml", "-q", "-j", "1"]),
    typed(&["try", "configs/tiny.toml", "-q", "-j", "1", "--set", "training.epochs=2", "-f", "^made/test/.*baseline"]),
    typed(&["measure", "time", "configs/tiny.toml", "-q"]),
    typed(&["measure", "search-ablation", "configs/tiny.toml", "-q", "-j", "1"]),
    typed(&["measure", "budget", "configs/tiny.toml", "-q", "-j", "1"]),
    typed(&["measure", "breakdown", "configs/tiny.toml", "-q", "-j", "1"]),
    typed(&[
        "measure",
        "growth",
        "configs/tiny.toml",
        "-q",
        "--axis",
        "k",
        "--sentences",
        "1",
        "--features",
        "baseline",
        "--epochs",
        "1",
        "--repeats",
        "1",
        "--most-words",
        "1000",
    ]),
    typed(&["measure", "learning", "configs/tiny.toml", "-q", "-j", "1", "-f", "baseline"]),
    typed(&["measure", "errors", "configs/tiny.toml", "-q", "-j", "1", "--folds", "2"]),
    typed(&["table", "configs/tiny.toml", "2"]),
    typed(&["figure", "configs/tiny.toml", "5"]),
    typed(&["claims", "configs/tiny.toml"]),
    typed(&["report", "configs/tiny.toml", "-j", "1"]),
    typed(&["diff", "results/tiny", "other"]),
    typed(&["verify", "results/tiny", "-q", "-j", "1"]),
    typed(&["data", "synth", "--out", "made", "--train", "5", "--dev", "2", "--test", "2"]),
    typed(&["data", "convert", "--from", "conllu", "a.conllu", "-o", "new/b.conllx"]),
    typed(&["data", "graphs", "configs/tiny.toml", "-f", "^made/test/.*/sibling/", "-o", "graphs", "-j", "1"]),
    typed(&["decode", "graph.json"]),
    typed(&["explain", "configs/tiny.toml", "--sentence", "1", "--svg", "trees.svg"]),
    typed(&["features", "sentence", "configs/tiny.toml", "--sentence", "1"]),
    typed(&["features", "patterns", "configs/tiny.toml"]),
    typed(&["features", "templates", "configs/templates/mine.toml"]),
    typed(&["train", "configs/tiny.toml", "--features", "sibling", "--model", "models/a", "-j", "1"]),
    typed(&["parse", "--model", "model", "a.conllu", "-o", "parsed.conllu", "-j", "1"]),
    typed(&["model", "model"]),
    typed(&["eval", "a.conllu", "a.conllu"]),
    typed(&["about", "manual", "man"]),
];

const SENTENCE: &str = "1\ta\t_\tN\tN\t_\t0\t_\t_\t_\n\n";
const GRAPH: &str = r#"{"words": 2, "arcs": [[0, 1], [1, 2], [0, 2], [2, 1]], "scores": [1, 2, 3, 4]}"#;

/// What verbs find: without results, and with.
struct Before {
    bare: Desk,
    full: Desk,
}

impl Before {
    fn new() -> Self {
        let [bare, full] = [Desk::new(), Desk::new()];
        for desk in [&bare, &full] {
            let config = tiny(10, 3, 3)
                .replace("epochs = 1\npruning", "epochs = 1\ntemplates = \"templates/mine.toml\"\npruning")
                .replace("splits = ", "rounds = 100\nsplits = ");
            desk.write("configs/tiny.toml", format!("claims = \"paper\"\n{config}"));
            desk.write("configs/templates/mine.toml", "from = \"compact\"\n");
            desk.write("a.conllu", SENTENCE.repeat(3));
            desk.write("graph.json", GRAPH);
        }
        full.treebound(&["run", "configs/tiny.toml", "-q"]).success();
        full.treebound(&["train", "configs/tiny.toml", "--features", "sibling", "--model", "model"]).success();
        full.put("other", &full.files("results/tiny"));
        Self { bare, full }
    }

    /// A copy for a verb.
    fn desk(&self, verb: &Typed) -> Desk {
        let desk = Desk::new();
        let from = if verb.on_results { &self.full } else { &self.bare };
        let copied = Command::new("cp").arg("-a").arg(from.path(".")).arg(desk.path(".")).status();
        assert!(copied.expect("there is a cp").success());
        desk
    }
}

/// How a verb ended, and what it said.
#[derive(Debug)]
struct Ended {
    status: ExitStatus,
    err: String,
    out: String,
}

/// The memory that a verb may have, in KiB of address space: far from that of the machine.
const MEMORY: &str = "12000000";
/// A verb may take so long, also on a busy machine and under strace.
const LONG: Duration = Duration::from_secs(120);

/// Types a verb behind some other command, which must end by itself and within bounds.
fn ends(desk: &Desk, before: &[&str], verb: &Typed) -> Ended {
    let program = env!("CARGO_BIN_EXE_treebound");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v $0; exec \"$@\"", MEMORY]).args(before).arg(program).args(verb.arguments);
    command.current_dir(desk.folder()).stdin(Stdio::null()).env_remove("TREEBOUND_CACHE");
    let [out, err] = ["out", "err"].map(|name| desk.folder().with_extension(name));
    let file = |path: &Path| fs::File::create(path).expect("made");
    let mut child = command.stdout(file(&out)).stderr(file(&err)).spawn().expect("started");
    let asked = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("asked") {
            break status;
        }
        if asked.elapsed() > LONG {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{:?} does not end", verb.arguments);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |path: &Path| {
        let text = String::from_utf8_lossy(&fs::read(path).expect("there")).into_owned();
        fs::remove_file(path).expect("removed");
        text
    };
    Ended { status, out: text(&out), err: text(&err) }
}

/// All files of a desk but those that say how long something took or when it was, and what is in the cache.
fn outputs(desk: &Desk) -> Files {
    let timed = ["speed", "growth", "learning", "times", "provenance", "report", "figure4", "config.resolved"];
    let mut files = desk.files(".");
    files.retain(|path, _| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        !timed.contains(&stem.as_str()) && !path.starts_with("cache")
    });
    files
}

/// What a killed writer would leave: unfinished files, and marks of who is working.
fn leftovers(desk: &Desk) -> Vec<PathBuf> {
    let hidden = |path: &PathBuf| {
        path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.') && part.as_os_str() != ".")
    };
    desk.files(".").into_keys().filter(hidden).collect()
}

/// Calls that change what is on a disk.
const WRITES: [&str; 13] = [
    "write",
    "pwrite64",
    "writev",
    "copy_file_range",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
    "linkat",
    "fsync",
    "fdatasync",
    "unlink",
    "mkdir",
];

#[test]
#[ignore = "minutes; by hand"]
fn a_verb_that_is_killed_at_any_write_leaves_nothing_behind() {
    let Some(strace) = crate::at_hand::program(&["strace"]) else { return };
    let strace = strace.to_string_lossy().into_owned();
    let before = Before::new();
    // By hand: a part of the verbs.
    let only = std::env::var("TREEBOUND_VERBS").unwrap_or_default();
    let mut kills = 0;
    for verb in VERBS.iter().filter(|verb| verb.arguments.join(" ").contains(&only)) {
        let whole = before.desk(verb);
        assert!(ends(&whole, &[], verb).status.success(), "{:?}", verb.arguments);
        let wanted = outputs(&whole);
        let mut of_verb = 0;
        for call in WRITES {
            for at in 1.. {
                let desk = before.desk(verb);
                let inject = format!("inject={call}:signal=KILL:when={at}");
                let killed = ends(&desk, &[&strace, "-f", "-qq", "-o", "/dev/null", "-e", &inject], verb);
                // Beyond the last call nothing is killed.
                if killed.status.success() {
                    break;
                }
                assert_eq!(killed.status.signal(), Some(9), "{:?} at {call} {at}: {killed:?}", verb.arguments);
                of_verb += 1;
                let again = ends(&desk, &[], verb);
                let place = || format!("{:?} killed at {call} {at}: {again:?}", verb.arguments);
                assert!(again.status.success() || verb.only_once, "{}", place());
                let found = outputs(&desk);
                let differ: Vec<&PathBuf> =
                    wanted.keys().chain(found.keys()).filter(|path| wanted.get(*path) != found.get(*path)).collect();
                assert!(differ.is_empty(), "{}: {differ:?}", place());
                assert_eq!(leftovers(&desk), Vec::<PathBuf>::new(), "{}", place());
            }
        }
        println!("{of_verb:>5} kills: {}", verb.arguments.join(" "));
        kills += of_verb;
    }
    println!("{kills:>5} kills in all");
    assert!(kills > 0);
}

/// What may stand in the place of a file.
const KINDS: [&str; 6] = ["pipe", "device", "folder", "socket", "nothing", "unreadable"];

/// The files of a desk that a verb opens, by strace.
fn read_by(before: &Before, strace: &str, verb: &Typed) -> BTreeSet<PathBuf> {
    let desk = before.desk(verb);
    let there: BTreeSet<PathBuf> = desk.files(".").into_keys().collect();
    let trace = desk.folder().with_extension("trace");
    let path = trace.to_string_lossy().into_owned();
    ends(&desk, &[strace, "-f", "-qq", "-o", &path, "-e", "trace=openat,open"], verb);
    let text = String::from_utf8_lossy(&fs::read(&trace).expect("a trace")).into_owned();
    fs::remove_file(&trace).expect("removed");
    let opened = text.lines().filter(|line| line.contains("O_RDONLY") || line.contains("O_RDWR"));
    let name = |line: &str| Some(PathBuf::from(line.split('"').nth(1)?));
    let below = |path: PathBuf| path.strip_prefix(desk.folder()).map(Path::to_owned).unwrap_or(path);
    let opened: BTreeSet<PathBuf> = opened.filter_map(name).map(below).collect();
    there.into_iter().filter(|path| opened.contains(path.strip_prefix(".").unwrap_or(path))).collect()
}

#[test]
#[ignore = "minutes; by hand"]
fn whatever_stands_in_the_place_of_a_file_a_verb_ends_and_says_so() {
    let Some(strace) = crate::at_hand::program(&["strace"]) else { return };
    let strace = strace.to_string_lossy().into_owned();
    let before = Before::new();
    let only = std::env::var("TREEBOUND_VERBS").unwrap_or_default();
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for verb in VERBS.iter().filter(|verb| verb.arguments.join(" ").contains(&only)) {
        let usual = ends(&before.desk(verb), &[], verb).out;
        for file in read_by(&before, &strace, verb) {
            for kind in KINDS {
                let desk = before.desk(verb);
                put(kind, &desk.path(&file.to_string_lossy()));
                // What is named to be read once may be a pipe, so somebody writes to it: nothing.
                let is_named = kind == "pipe" && verb.arguments.contains(&&*file.to_string_lossy());
                let nothing =
                    || Command::new("sh").args(["-c", ": > \"$0\""]).arg(desk.path(&file.to_string_lossy())).spawn();
                let writer = is_named.then(|| nothing().expect("started"));
                let ended = ends(&desk, &[], verb);
                if let Some(mut writer) = writer {
                    let _ = writer.kill();
                    let _ = writer.wait();
                }
                *tried.entry(kind).or_default() += 1;
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                // What a cache has lost is made again, and what is missing need not be needed. Else a verb names the file, or needs so
                // little of it that it says the same.
                let may_succeed =
                    file.components().any(|part| part.as_os_str() == "cache") || kind == "nothing" || is_named;
                let is_told = [&ended.err, &ended.out].iter().any(|said| said.contains(&name));
                let is_good = match ended.status.code() {
                    Some(0) => may_succeed || is_told || ended.out == usual,
                    Some(1) => (may_succeed || is_told) && !ended.err.contains("panicked"),
                    _ => false,
                };
                if !is_good {
                    faults.push(format!("{} with {kind} as {}: {ended:?}", verb.arguments.join(" "), file.display()));
                }
            }
        }
    }
    println!("tried: {tried:?}");
    assert!(tried.values().sum::<usize>() > 0 && faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A verb that is new is tried too.
#[test]
fn every_verb_is_tried() {
    let desk = Desk::new();
    let listed = |arguments: &[&str]| -> Vec<String> {
        let help = desk.treebound(arguments).success();
        let lines = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
        lines
            .take_while(|line| !line.is_empty())
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| !line.starts_with(' '))
            .filter_map(|line| line.split(' ').next().map(str::to_owned))
            .filter(|name| name != "help")
            .collect()
    };
    let is_tried = |words: &[&str]| VERBS.iter().any(|verb| verb.arguments.starts_with(words));
    for verb in listed(&["--help"]) {
        assert!(is_tried(&[&verb]), "{verb}");
        if ["measure", "data", "features"].contains(&verb.as_str()) {
            for part in listed(&[&verb, "--help"]).iter().filter(|part| *part != "calibration") {
                assert!(is_tried(&[&verb, part]), "{verb} {part}");
            }
        }
    }
}
