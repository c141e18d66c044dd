//! Several writers, writers that are killed, and a store whose files were changed: whatever happens, rows that stand under
//! an exit code of 0 are those of the config that was asked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, Files, other, tiny};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn config() -> String {
    tiny(40, 10, 10)
}

/// The two variants of the config between which somebody goes back and forth.
fn variants() -> [String; 2] {
    [config(), config().replacen("pruning = \"k=4\"", "pruning = \"k=3\"", 1)]
}

/// Files of rows, and nothing else.
fn rows(desk: &Desk) -> Files {
    let mut files = desk.files("results/tiny");
    files.retain(|name, _| name.extension().is_some_and(|ending| ending == "csv"));
    files
}

fn lines(desk: &Desk) -> BTreeSet<String> {
    let path = desk.path("results/tiny/scores.csv");
    fs::read_to_string(path).unwrap_or_default().lines().skip(1).map(str::to_owned).collect()
}

/// What each variant makes, undisturbed, and how long that takes.
fn undisturbed(config: &str) -> (Files, BTreeSet<String>, Duration) {
    let desk = Desk::new();
    desk.write("tiny.toml", config);
    let started = Instant::now();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    (rows(&desk), lines(&desk), started.elapsed())
}

fn start(desk: &Desk, arguments: &[&str]) -> Child {
    desk.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started")
}

/// The files that a run writes, each by renaming another one.
const WRITTEN: [&str; 6] =
    ["scores.csv", "sentences.csv", "by_sentence.csv", "by_length.csv", "training.csv", "provenance.toml"];

/// What changes when a file is replaced.
fn identity(path: &Path) -> Option<(u64, std::time::SystemTime)> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = 0;
    Some((number, metadata.modified().ok()?))
}

/// Somebody edits the config to and fro, runs it with and without a filter, loses the cache, and is killed at any
/// instant or as a file is written.
#[test]
fn killed_runs_leave_no_row_of_another_config() {
    // More by hand: TREEBOUND_KILLS=1000.
    let kills = std::env::var("TREEBOUND_KILLS").map_or(100, |kills| kills.parse().expect("a number of kills"));
    let variants = variants();
    let clean = variants.each_ref().map(|config| undisturbed(config));
    let longest = clean[0].2.max(clean[1].2);
    let desk = Desk::new();
    let mut random = ChaCha8Rng::seed_from_u64(24);
    let mut draw = |below: u64| random.next_u64() % below;
    let filters: [&[&str]; 4] = [&[], &["-f", "/sibling/"], &["-f", "^made/test"], &["-f", "baseline"]];
    let (mut killed, mut mixed, mut whole) = (0, 0, 0);
    while killed < kills {
        let chosen = draw(2) as usize;
        desk.write("tiny.toml", &variants[chosen]);
        if draw(3) == 0 {
            let _ = fs::remove_dir_all(desk.path("cache"));
        }
        let filter = filters[draw(4) as usize];
        let arguments = [&["run", "tiny.toml", "-q"], filter].concat();
        if draw(4) > 0 {
            let file = desk.path("results/tiny").join(WRITTEN[draw(WRITTEN.len() as u64) as usize]);
            let before = identity(&file);
            let mut run = start(&desk, &arguments);
            if draw(2) == 0 {
                std::thread::sleep(Duration::from_micros(draw(longest.as_micros() as u64 * 5 / 4)));
            } else {
                while identity(&file) == before && run.try_wait().expect("asked").is_none() {
                    std::thread::sleep(Duration::from_micros(20));
                }
            }
            killed += usize::from(run.kill().is_ok() && !run.wait().expect("ended").success());
            continue;
        }
        let done = desk.treebound(&arguments);
        assert_eq!(done.code, Some(0), "{done:?}");
        let (files, scores, _) = &clean[chosen];
        // Rows that were not asked for may be of the other config: their keys say so.
        let found = lines(&desk);
        let others = found.difference(scores).collect::<Vec<_>>();
        assert!(others.iter().all(|line| clean[1 - chosen].1.contains(*line)), "{others:?}");
        mixed += usize::from(!others.is_empty());
        if filter.is_empty() {
            assert_eq!(&rows(&desk), files, "a whole run makes all rows");
            let left: Vec<_> = fs::read_dir(desk.path("results/tiny")).expect("there").flatten().collect();
            let hidden = left.iter().filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
            assert_eq!(hidden.count(), 0, "{left:?}");
            whole += 1;
        }
    }
    assert!(mixed > 0 && whole > 0, "{mixed} mixed, {whole} whole: the test tests little");
}

/// A parser of somebody else does not outlive the run that started it.
#[cfg(unix)]
#[test]
fn a_stopped_run_leaves_no_command_running() {
    let slow = r#"parse = ["sh", "-c", "touch {config}/began; sleep 6; touch {config}/outlived", "sh", "{input}"]"#;
    let desk = Desk::new();
    desk.write("tiny.toml", config() + &other(slow));
    let mut run = start(&desk, &["run", "tiny.toml", "-q", "--grid", "other", "-j", "1"]);
    let asked = Instant::now();
    while !desk.path("began").exists() {
        assert!(asked.elapsed() < Duration::from_secs(60), "the command was not started");
        std::thread::sleep(Duration::from_millis(1));
    }
    let killed = Command::new("kill").args(["-TERM", &run.id().to_string()]).status();
    assert!(killed.expect("there is a kill").success());
    assert_eq!(run.wait().expect("ended").code(), Some(143));
    std::thread::sleep(Duration::from_millis(6500));
    assert!(!desk.path("outlived").exists(), "the command went on");
}

/// Who presses Ctrl-C has what is finished, and is told how to go on.
#[cfg(unix)]
#[test]
fn a_stopped_run_writes_what_is_finished() {
    let config = config().replace("[\"grandchild\", \"sibling\"]", "\"singles\"").replace("epochs = 1", "epochs = 3");
    let config = config.replace("train = 40", "train = 400");
    let (clean, scores, _) = undisturbed(&config);
    for signal in ["INT", "TERM"] {
        let desk = Desk::new();
        desk.write("tiny.toml", &config);
        let arguments = ["run", "tiny.toml", "-q", "-j", "1"];
        let run = desk.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("started");
        let finished = || desk.artifacts().keys().filter(|name| name.to_string_lossy().starts_with("rows-")).count();
        let asked = Instant::now();
        while finished() < 3 {
            assert!(asked.elapsed() < Duration::from_secs(60), "nothing is finished");
            std::thread::sleep(Duration::from_millis(1));
        }
        let killed = Command::new("kill").args([format!("-{signal}"), run.id().to_string()]).status();
        assert!(killed.expect("there is a kill").success());
        let output = run.wait_with_output().expect("ended");
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(if signal == "INT" { 130 } else { 143 }), "{said}");
        assert!(said.contains("stopped; ") && said.contains("goes on from there"), "{said}");
        let found = lines(&desk);
        assert!(!found.is_empty() && found.len() < scores.len() && found.is_subset(&scores), "{found:?}");
        assert!(
            said.contains(&format!("{} of the {} cells of this run are finished", found.len(), scores.len())),
            "{said}"
        );
        assert!(!desk.path("results/tiny/.running").exists());
        // A part of the config beside what stands there, then the rest.
        desk.treebound(&["run", "tiny.toml", "-q", "-f", "baseline"]).success();
        assert!(lines(&desk).is_superset(&found));
        desk.treebound(&["run", "tiny.toml", "-q"]).success();
        assert_eq!(rows(&desk), clean);
    }
}

/// Two that run parts of a config at once: none loses rows of the other.
#[test]
fn writers_wait_for_each_other_or_refuse() {
    let (clean, scores, _) = undisturbed(&config());
    for round in 0..4 {
        let desk = Desk::new();
        desk.write("tiny.toml", config());
        let parts = ["baseline", "/sibling/", "/grandchild/", "^made/dev"];
        let waiting = parts.map(|part| start(&desk, &["run", "tiny.toml", "-q", "--wait", "-f", part]));
        for mut run in waiting {
            assert!(run.wait().expect("ended").success(), "round {round}");
        }
        assert_eq!(rows(&desk), clean, "round {round}");
    }
    // Without --wait one refuses, and says whom it is in the way of.
    let desk = Desk::new();
    desk.write("tiny.toml", config());
    desk.write("long.toml", config().replace("train = 40", "train = 4000").replace("epochs = 1", "epochs = 5"));
    let mut long = start(&desk, &["run", "long.toml", "-q"]);
    let running = desk.path("results/long/.running");
    let asked = Instant::now();
    while !running.exists() {
        assert!(asked.elapsed() < Duration::from_secs(60) && long.try_wait().expect("asked").is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    let measured = ["time", "budget", "search-ablation", "breakdown", "calibration", "growth", "learning", "errors"]
        .map(|name| ["measure", name]);
    for verb in measured.iter().map(|verb| &verb[..]).chain([&["run"][..]]) {
        let done = desk.treebound(&[verb, &["long.toml", "-q"]].concat());
        done.failure(&["treebound run long.toml -q is writing there", "--wait", "--out DIR"]);
    }
    // Another experiment is not in the way, and a killed writer is in nobody's.
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(lines(&desk), scores);
    long.kill().expect("killed");
    long.wait().expect("ended");
    desk.write("long.toml", config());
    desk.treebound(&["run", "long.toml", "-q"]).success();
    assert!(!running.exists());
}

/// Every byte of every artifact of a small run, and every artifact under the name of every other of its kind.
#[test]
fn no_changed_or_foreign_artifact_is_taken_for_the_right_one() {
    let desk = Desk::new();
    let config =
        config().replace("[\"grandchild\", \"sibling\"]", "[\"sibling\"]").replace("[\"dev\", \"test\"]", "\"test\"");
    desk.write("tiny.toml", &config);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let (clean, artifacts) = (rows(&desk), desk.artifacts());
    let again = |what: &str| {
        fs::remove_dir_all(desk.path("results")).expect("removed");
        desk.treebound(&["run", "tiny.toml", "-q"]).success();
        assert_eq!(rows(&desk), clean, "{what}");
        assert_eq!(desk.artifacts(), artifacts, "{what}: it was made again");
    };
    let names: Vec<_> = artifacts.keys().cloned().collect();
    for (i, name) in names.iter().enumerate() {
        let bytes = &artifacts[name];
        // The library's own test flips every byte; here the whole way is gone, from the store to the rows.
        for place in [0, bytes.len() / 3, bytes.len() - 33, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            desk.write(&format!("cache/{}", name.display()), &changed);
            again(&format!("byte {place} of {} changed", name.display()));
        }
        desk.write(&format!("cache/{}", name.display()), &bytes[..bytes.len() / 2]);
        again(&format!("{} cut", name.display()));
        for other in names[..i].iter().chain(&names[i + 1..]) {
            desk.write(&format!("cache/{}", name.display()), &artifacts[other]);
            again(&format!("{} under the name {}", other.display(), name.display()));
        }
    }
}

/// A disk that takes so many blocks of a file and no more. What was there stays, what fits is kept, what does not is named,
/// and who makes room goes on to the same bytes.
#[cfg(unix)]
#[test]
fn a_full_disk_costs_nothing_that_was_there() {
    let whole = Desk::new();
    whole.write("tiny.toml", config());
    whole.treebound(&["run", "tiny.toml", "-q"]).success();
    let (clean, scores, artifacts) = (rows(&whole), lines(&whole), whole.artifacts());
    let (mut only_artifacts, mut results_too, mut none) = (0, 0, 0);
    for blocks in [0, 1, 4, 16, 64, 256, 1 << 20] {
        let desk = Desk::new();
        desk.write("tiny.toml", config());
        desk.treebound(&["run", "tiny.toml", "-q", "-f", "baseline"]).success();
        let (before, kept) = (lines(&desk), desk.artifacts());
        let limited = ["-c", "ulimit -f \"$0\" && exec \"$@\"", &blocks.to_string(), env!("CARGO_BIN_EXE_treebound")];
        let mut run = Command::new("sh");
        run.args(limited).args(["run", "tiny.toml", "-q"]).current_dir(desk.folder()).stdin(Stdio::null());
        let output = run.output().expect("started");
        let said = String::from_utf8(output.stderr).expect("text");
        match output.status.code() {
            Some(0) => none += 1,
            Some(1) if said.contains("treebound: results/tiny") => results_too += 1,
            Some(1) => {
                // All results are there, and say so.
                assert!(said.contains("what was made is whole"), "{blocks}: {said}");
                assert_eq!(rows(&desk), clean, "{blocks}");
                only_artifacts += 1;
            }
            code => panic!("{blocks}: exit code {code:?}: {said}"),
        }
        if !output.status.success() {
            let is_named = |line: &str| ["cannot write cache/", "results/tiny"].iter().any(|name| line.contains(name));
            let told: Vec<&str> = said.lines().filter(|line| line.contains("cannot write ")).collect();
            assert!(!told.is_empty() && told.into_iter().all(is_named), "{blocks}: {said}");
            assert!(said.contains("File too large"), "{blocks}: {said}");
        }
        let now = desk.artifacts();
        assert!(kept.iter().all(|(name, bytes)| now.get(name) == Some(bytes)), "{blocks}: an artifact is gone");
        assert!(now.iter().all(|(name, bytes)| artifacts.get(name) == Some(bytes)), "{blocks}: half an artifact stays");
        let found = lines(&desk);
        assert!(found.is_superset(&before) && found.is_subset(&scores), "{blocks}: {found:?}");
        let left = [desk.files("results/tiny"), desk.files("cache")];
        let half = left.iter().flat_map(Files::keys).find(|name| name.to_string_lossy().contains(".unfinished"));
        assert_eq!(half, None, "{blocks}");
        // There is room again.
        desk.treebound(&["run", "tiny.toml", "-q"]).success();
        assert_eq!(rows(&desk), clean, "{blocks}");
        // A model that nobody needs any more is not learnt again.
        assert!(desk.artifacts().iter().all(|(name, bytes)| artifacts.get(name) == Some(bytes)), "{blocks}");
    }
    assert!(only_artifacts > 0 && results_too > 0 && none > 0, "{only_artifacts}, {results_too}, {none}");
}

/// A results folder that cannot be made is told before anything is learnt.
#[test]
fn results_that_cannot_be_written_are_told_at_once() {
    let desk = Desk::new();
    desk.write("tiny.toml", config());
    desk.write("file", "in the way");
    let done = desk.treebound(&["run", "tiny.toml", "-q", "--out", "file"]);
    done.failure(&["file/results/tiny: cannot write results there: "]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere/at/all", desk.path("dangling")).expect("linked");
        let done = desk.treebound(&["run", "tiny.toml", "-q", "--out", "dangling"]);
        done.failure(&["dangling/results/tiny: cannot write results there: "]);
    }
    assert!(!desk.path("cache").exists() && !desk.path("results").exists());
    std::fs::create_dir_all(desk.path("results/tiny/config.resolved.toml")).expect("made");
    desk.treebound(&["run", "tiny.toml", "-q"]).failure(&["tiny/config.resolved.toml: cannot write the file: "]);
    assert!(!desk.path("cache").exists() && !desk.path("results/tiny/scores.csv").exists());
    let explained = ["explain", "tiny.toml", "--sentence", "1", "--svg", "file/tree.svg"];
    desk.treebound(&explained).failure(&["file/tree.svg: cannot write the file: "]);
    assert!(!desk.path("cache").exists());
}
