//! Many hosts that write into one folder: each makes its share, some are killed at any instant, and nothing is lost.
//!
//! A host here is a process in namespaces of its own: it has another name, sees no process of the others, and nobody knows whether it
//! runs, as on a network file system. So what tells the living from the dead are leases alone.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, Files, other, tiny};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const HOSTS: usize = 8;

/// A host may take so long, also on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// How long a lease lasts here, in seconds.
const LEASE_S: &str = "1";

/// The command that makes a namespace for a host, if there may be such.
fn namespaces() -> Option<Vec<&'static str>> {
    crate::at_hand::program(&["unshare"])?;
    let plain = ["--uts", "--pid", "--fork", "--kill-child", "--mount-proc"];
    let ways = [plain.to_vec(), [&["--map-root-user"][..], &plain].concat()];
    let works = |way: &Vec<&str>| {
        let tried = Command::new("unshare").args(way).arg("true").stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    let found = ways.into_iter().find(works);
    if found.is_none() {
        crate::at_hand::absent("the right to make namespaces");
    }
    found
}

/// Starts a verb on a host.
fn start(desk: &Desk, namespaces: &[&str], host: usize, arguments: &[&str]) -> Child {
    let named = "echo \"$0\" > /proc/sys/kernel/hostname && exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(namespaces).args(["sh", "-c", named, &format!("host{host}"), env!("CARGO_BIN_EXE_treebound")]);
    command.args(arguments).current_dir(desk.folder()).stdin(Stdio::null()).stdout(Stdio::null());
    command.env_remove("TREEBOUND_CACHE").env("TREEBOUND_LEASE_S", LEASE_S).stderr(Stdio::piped());
    command.spawn().expect("started")
}

/// Rows, and what hosts do not make anew: all but the times and what the dead left half-written.
fn left(desk: &Desk) -> (Files, Files) {
    let mut rows = desk.files("results/tiny");
    rows.retain(|name, _| name.extension().is_some_and(|ending| ending == "csv"));
    let mut artifacts = desk.artifacts();
    artifacts.retain(|name, _| !name.starts_with("tasks") && !name.to_string_lossy().contains(".unfinished-"));
    (rows, artifacts)
}

/// Starts a verb on all hosts and kills so many of them, each at some instant, after which it is started again, as schedulers do.
fn all_end(
    desk: &Desk,
    namespaces: &[&str],
    kills: usize,
    draw: &mut impl FnMut(u64) -> u64,
    arguments: &dyn Fn(usize) -> Vec<String>,
) {
    let begin = |host: usize| {
        let arguments = arguments(host);
        start(desk, namespaces, host, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let mut running: Vec<(usize, Child)> = (0..HOSTS).map(|host| (host, begin(host))).collect();
    let (mut killed, asked) = (0, Instant::now());
    while !running.is_empty() {
        assert!(asked.elapsed() < LONG, "hosts wait for ever: {:?}", running.iter().map(|(host, _)| host));
        std::thread::sleep(Duration::from_millis(1 + draw(40)));
        let at = draw(running.len() as u64) as usize;
        if killed < kills && draw(2) == 0 {
            let (host, child) = &mut running[at];
            killed += usize::from(child.kill().is_ok());
            child.wait().expect("ended");
            *child = begin(*host);
        }
        for (host, mut child) in std::mem::take(&mut running) {
            if child.try_wait().expect("asked").is_none() {
                running.push((host, child));
                continue;
            }
            let output = child.wait_with_output().expect("ended");
            assert!(output.status.success(), "host {host}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

fn nothing_is_lost(tries: u64, kills: usize) {
    let Some(namespaces) = namespaces() else { return };
    let config = format!("seeds = [1, 2]\n{}", tiny(40, 10, 10));
    let clean = Desk::new();
    clean.write("tiny.toml", &config);
    clean.treebound(&["run", "tiny.toml", "-q"]).success();
    let expected = left(&clean);
    for seed in 0..tries {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |below: u64| random.next_u64() % below;
        let desk = Desk::new();
        desk.write("tiny.toml", &config);
        all_end(&desk, &namespaces, kills, &mut draw, &|host| {
            let share = format!("{}/{HOSTS}", host + 1);
            ["run", "tiny.toml", "-q", "-j", "1", "--shard", &share].map(str::to_owned).to_vec()
        });
        // Each puts some of the rows into the same files.
        let parts = ["dev/.*seed=1", "dev/.*seed=2", "test/.*seed=1", "test/.*seed=2"];
        let sets = ["/baseline/", "/(sibling|grandchild)/"];
        all_end(&desk, &namespaces, kills / 2, &mut draw, &|host| {
            let filter = format!("^made/{}", parts[host % 4].replace(".*", &format!(".*{}.*", sets[host / 4])));
            ["collate", "tiny.toml", "-q", "-j", "1", "--wait", "-f", &filter].map(str::to_owned).to_vec()
        });
        let (rows, artifacts) = left(&desk);
        assert_eq!(rows.keys().collect::<Vec<_>>(), expected.0.keys().collect::<Vec<_>>(), "try {seed}");
        for (name, bytes) in &rows {
            assert!(*bytes == expected.0[name], "try {seed}: {}", name.display());
        }
        assert!(artifacts == expected.1, "try {seed}: {:?}", artifacts.keys());
        assert!(!desk.path("results/tiny/.running").exists(), "try {seed}");
    }
}

#[test]
fn eight_hosts_that_are_killed_lose_nothing() {
    nothing_is_lost(1, 6);
}

/// The same, a hundred times.
#[test]
#[ignore = "takes minutes"]
fn eight_hosts_that_are_killed_lose_nothing_in_a_hundred_tries() {
    nothing_is_lost(100, 8);
}

/// Shares without a cluster: any number of them make the rows of one machine, and what is missing is told.
#[test]
fn shares_are_collated() {
    let clean = Desk::new();
    clean.write("tiny.toml", tiny(30, 8, 8));
    clean.treebound(&["run", "tiny.toml", "-q"]).success();
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(30, 8, 8));
    desk.treebound(&["run", "tiny.toml", "--shard", "4/3"]).failure_of_usage("I/N");
    let said = desk.treebound(&["run", "tiny.toml", "--shard", "1/3"]);
    assert!(said.err.contains("artifacts made; 0 were there"), "{said:?}");
    assert!(!desk.path("results").exists(), "shares make no results");
    // What nobody has made yet is a row with the reason.
    let lacking = desk.treebound(&["collate", "tiny.toml", "-q"]);
    lacking.failure(&[
        "the model made/gold/graph/compact/perceptron/sibling/carreras, seed 1: nobody has begun to make it",
    ]);
    let scores = desk.read("results/tiny/scores.csv");
    assert_eq!(scores.lines().filter(|line| line.contains("nobody has begun")).count(), 4, "{scores}");
    for share in ["2/3", "3/3", "1/3"] {
        desk.treebound(&["run", "tiny.toml", "-q", "--shard", share]).success();
    }
    // Half an artifact is none, and collating makes nothing.
    let model =
        desk.artifacts().into_keys().find(|name| name.to_string_lossy().starts_with("model-")).expect("a model");
    let path = format!("cache/{}", model.display());
    let bytes = std::fs::read(desk.path(&path)).expect("read");
    desk.write(&path, &bytes[..bytes.len() / 2]);
    desk.treebound(&["collate", "tiny.toml", "-q"])
        .failure(&["is damaged, and was removed: the same run makes it again"]);
    for share in ["1/2", "2/2"] {
        desk.treebound(&["run", "tiny.toml", "-q", "--shard", share]).success();
    }
    desk.treebound(&["collate", "tiny.toml", "-q"]).success();
    assert!(left(&desk) == left(&clean));
    assert_eq!(desk.files("cache/tasks").len(), 0);
    // One artifact by its key, as a cluster asks for it.
    let one = Path::new("made").join(&model);
    std::fs::remove_file(desk.path(&path)).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q", "--artifact", &one.to_string_lossy(), "--log", "a.log"]).success();
    assert!(left(&desk) == left(&clean));
    let times = desk.read("cache/times.csv");
    let last: Vec<&str> = times.lines().last().expect("a line").split(',').collect();
    assert!(last[3].parse::<u64>().is_ok_and(|mib| mib > 0), "the memory of one artifact is known: {times}");
    let gone = ["run", "tiny.toml", "--artifact", "made/model-00"];
    desk.treebound(&gone).failure(&["model-00: no artifact of this config has that key", "run it again"]);
}

/// What fails in a share is told to who collates, with the reason and the log.
#[test]
fn what_failed_elsewhere_is_a_row_with_its_reason() {
    let faulty = r#"parse = ["sh", "-c", "echo a fault >&2; exit 3", "sh", "{input}"]"#;
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(10, 2, 2) + &other(faulty));
    let share = ["run", "tiny.toml", "-q", "--shard", "1/1", "--log", "share.log", "-f", "other"];
    desk.treebound(&share).failure(&["a fault"]);
    desk.treebound(&["collate", "tiny.toml", "-q", "-f", "other"]).failure(&["a fault", "(log: share.log)"]);
    let scores = desk.read("results/tiny/scores.csv");
    assert!(scores.contains("a fault") && scores.contains("(log: share.log)"), "{scores}");
}
