//! Nothing lost, nothing silent: outputs through links, inputs that are no files, what is edited or killed meanwhile, and
//! rows that were changed. Kills at any instant, writers side by side and full disks are tried in `writers.rs`.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, Done, other, tiny};

const SENTENCE: &str = "1\ta\t_\tN\tN\t_\t0\t_\t_\t_\n\n";

/// A verb may take so long, also on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let asked = Instant::now();
    while !is_so() {
        assert!(asked.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Types a verb that must end by itself.
fn ends(desk: &Desk, arguments: &[&str]) -> Done {
    let mut command = desk.command(arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let asked = Instant::now();
    while child.try_wait().expect("asked").is_none() {
        if asked.elapsed() > LONG {
            let _ = child.kill();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("ended");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn start(desk: &Desk, arguments: &[&str]) -> Child {
    desk.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started")
}

fn signal(name: &str, process: &Child) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
}

#[test]
fn outputs_go_where_their_names_lead() {
    let desk = Desk::new();
    desk.write("a.conllu", SENTENCE);
    desk.write("deep/target", "old");
    fs::set_permissions(desk.path("deep/target"), fs::Permissions::from_mode(0o600)).expect("private");
    symlink("deep/target", desk.path("link")).expect("linked");
    desk.treebound(&["data", "convert", "--from", "conllu", "a.conllu", "-o", "link"]).success();
    assert!(desk.path("link").is_symlink());
    assert!(desk.read("deep/target").starts_with("1\ta\t"));
    let mode = fs::metadata(desk.path("deep/target")).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // As /dev/stdout leads there, which a test must not risk.
    symlink("/proc/self/fd/1", desk.path("stdout")).expect("linked");
    desk.write("out.txt", "before\n");
    let out = fs::File::options().append(true).open(desk.path("out.txt")).expect("opened");
    let done = desk.command(&["data", "convert", "--from", "conllu", "a.conllu", "-o", "stdout"]).stdout(out).status();
    assert!(done.expect("started").success());
    assert!(desk.path("stdout").is_symlink());
    assert!(desk.read("out.txt").starts_with("before\n1\ta\t"), "{}", desk.read("out.txt"));
}

/// What the machine holds back until it is told is lost when the power goes: names as well as bytes.
#[test]
fn a_renamed_file_and_its_name_reach_the_disk() {
    let desk = Desk::new();
    desk.write("a.conllu", SENTENCE);
    let Some(strace) = crate::at_hand::program(&["strace"]) else { return };
    let status = Command::new(strace)
        .args(["-f", "-o", "trace", "-e", "trace=openat,fsync,rename,renameat,renameat2"])
        .arg(env!("CARGO_BIN_EXE_treebound"))
        .args(["data", "convert", "--from", "conllu", "a.conllu", "-o", "new/b.conllu"])
        .current_dir(desk.folder())
        .status();
    assert!(status.expect("started").success());
    let trace = desk.read("trace");
    let at =
        |what: &str| trace.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {trace}"));
    let renamed = at("rename");
    assert!(trace.lines().take(renamed).any(|line| line.contains("fsync(")), "{trace}");
    let after: Vec<&str> = trace.lines().skip(renamed).collect();
    let folder = after.iter().position(|line| line.contains("\"new\"")).expect("the folder is opened");
    assert!(after[folder..].iter().any(|line| line.contains("fsync(")), "{trace}");
}

/// Puts in the place of a file what is none, by its name, or nothing.
pub fn put(kind: &str, path: &Path) {
    fs::remove_file(path).expect("removed");
    match kind {
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().expect("there is a mkfifo").success()),
        "device" => symlink("/dev/zero", path).expect("linked"),
        "folder" => fs::create_dir(path).expect("made"),
        // The path of a socket is a short one when it is made.
        "socket" => {
            let short = std::env::temp_dir().join(format!("treebound-{}", std::process::id()));
            drop(UnixListener::bind(&short).expect("bound"));
            fs::rename(short, path).expect("moved");
        }
        // A file that may not be read is a link to one whose name is too long to have: root may read all others.
        "unreadable" => symlink("x".repeat(300), path).expect("linked"),
        _ => {}
    }
}

/// A parser of somebody else, as a script beside the config.
const EXTERNAL: &str = r#"
train = ["sh", "{config}/parser.sh", "{model}", "{config}"]
parse = ["sh", "-c", "cat {model} > /dev/null; sed 's/\\t_\\t_\\t_\\t_$/\\t0\\t_\\t_\\t_/' {input}"]
"#;

#[test]
fn a_script_that_is_edited_while_it_learns_leaves_nothing() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(10, 2, 2) + &other(EXTERNAL));
    desk.write("parser.sh", "touch $2/began; while [ ! -e $2/edited ]; do sleep 0.01; done; echo a > $1\n");
    let arguments = ["run", "tiny.toml", "-q", "--grid", "other"];
    let run = desk.command(&arguments).stderr(Stdio::piped()).spawn().expect("started");
    wait_for("it learns", || desk.path("began").exists());
    desk.write("parser.sh", "echo b > $1\n");
    desk.write("edited", "");
    let output = run.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("{config}/parser.sh has changed since this began"), "{said}");
    let kept = desk.artifacts();
    assert!(!kept.keys().any(|name| name.to_string_lossy().starts_with("model-")), "{:?}", kept.keys());
}

/// Processes that work in a folder or below it.
fn processes_in(folder: &Path) -> Vec<String> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_there = |process: &PathBuf| process.join("cwd").read_link().is_ok_and(|place| place.starts_with(folder));
    let command = |process: PathBuf| fs::read(process.join("cmdline")).unwrap_or_default();
    all.filter(is_there).map(command).map(|words| String::from_utf8_lossy(&words).replace('\0', " ")).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn measurements_end_with_their_parent() {
    let long = tiny(300, 2, 2).replace("epochs = 1\npruning", "epochs = 500\npruning");
    for name in ["TERM", "HUP", "KILL"] {
        let desk = Desk::new();
        desk.write("long.toml", &long);
        let mut measure = start(&desk, &["measure", "learning", "long.toml", "-q", "-j", "1"]);
        let folder = desk.folder().canonicalize().expect("there");
        let steps = || processes_in(&folder).into_iter().filter(|command| command.contains("measure step")).count();
        wait_for("a model is learnt", || {
            assert!(measure.try_wait().expect("asked").is_none(), "it ended");
            steps() > 0
        });
        signal(name, &measure);
        measure.wait().expect("ended");
        wait_for(&format!("after {name}"), || steps() == 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn commands_end_with_a_killed_parent_and_the_next_one_clears_up() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(10, 2, 2) + &other(EXTERNAL));
    desk.write("parser.sh", "setsid sleep 50 & touch $2/began; sleep 50; echo a > $1\n");
    fs::create_dir(desk.path("tmp")).expect("made");
    let command = |desk: &Desk| {
        let mut command = desk.command(&["run", "tiny.toml", "-q", "--grid", "other"]);
        command.env("TMPDIR", desk.path("tmp")).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut run = command(&desk).spawn().expect("started");
    wait_for("it learns", || desk.path("began").exists());
    run.kill().expect("killed");
    run.wait().expect("ended");
    let folder = desk.path("tmp").canonicalize().expect("there");
    let learns = || processes_in(&folder).iter().any(|command| command.contains("parser.sh"));
    wait_for("the command ends", || !learns());
    assert!(fs::read_dir(&folder).expect("there").count() > 0, "its folder is left: the test tests something");
    desk.write("parser.sh", "echo a > $1\n");
    assert!(command(&desk).status().expect("started").success());
    assert_eq!(fs::read_dir(&folder).expect("there").count(), 0);
    assert!(processes_in(&folder).is_empty());
}

#[test]
fn what_dead_processes_left_goes_and_what_others_write_stays() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(10, 2, 2));
    let own = treebound::files::owner::tag();
    let number = std::process::id().to_string();
    // No process has that number. Of another place nobody knows.
    let dead = own.replacen(&format!("-{number}-"), "-4194999-", 1);
    let other = format!("0123456789ab-{number}-1");
    for folder in ["cache", "results/tiny", "models", "figures/tiny"] {
        for tag in [&dead, &other] {
            desk.write(&format!("{folder}/.unfinished-{tag}-x.tmp"), "half");
        }
    }
    for tag in [&dead, &other] {
        desk.write(&format!("cache/growth-{tag}-x/model"), "half");
    }
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["train", "tiny.toml", "--features", "sibling", "--model", "models/a"]).success();
    desk.treebound(&["figure", "tiny.toml", "5"]).success();
    let growth = ["measure", "growth", "tiny.toml", "-q", "--axis", "k", "--sentences", "1", "--features", "baseline"];
    desk.treebound(&[&growth[..], &["--epochs", "1", "--repeats", "1", "--most-words", "1000"]].concat()).success();
    for folder in ["cache", "results/tiny", "models", "figures/tiny"] {
        let left: Vec<String> = desk.files(folder).into_keys().map(|name| name.display().to_string()).collect();
        assert!(!left.iter().any(|name| name.contains(&dead)), "{folder}: {left:?}");
        assert!(left.contains(&format!(".unfinished-{other}-x.tmp")), "{folder}: {left:?}");
    }
    assert!(desk.path(&format!("cache/growth-{other}-x/model")).exists());
}

#[test]
fn links_in_the_cache_are_not_written_through() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(10, 2, 2));
    desk.write("precious", "kept");
    fs::create_dir(desk.path("cache")).expect("made");
    symlink("../precious", desk.path("cache/times.csv")).expect("linked");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(desk.read("precious"), "kept");
    assert!(!desk.path("cache/times.csv").is_symlink() && desk.read("cache/times.csv").lines().count() > 1);
}

/// Changes the last field that is a number above zero, of the first line of rows.
fn edit(desk: &Desk, file: &str) {
    let text = desk.read(file);
    let line = text.lines().nth(1).expect("a row").to_owned();
    let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
    let at = fields.iter().rposition(|field| field.parse::<u64>().is_ok_and(|n| n > 0)).expect("a number");
    fields[at] = (fields[at].parse::<u64>().expect("a number") + 1).to_string();
    desk.write(file, text.replacen(&line, &fields.join(","), 1));
}

#[test]
fn changed_and_missing_rows_are_told_by_whoever_shows_them() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(30, 8, 8));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["verify", "results/tiny", "-q", "--records"]).success();
    let whole = desk.files("results");
    let put_back = |desk: &Desk| desk.put("results", &whole);
    fs::create_dir(desk.path("other")).expect("made");
    desk.put("other", &desk.files("results/tiny"));
    // Sums that do not add up are shown by nobody.
    let without_a_row = |desk: &Desk| {
        let text = desk.read("results/tiny/scores.csv");
        let kept: Vec<&str> = text.lines().enumerate().filter(|(i, _)| *i != 1).map(|(_, line)| line).collect();
        desk.write("results/tiny/scores.csv", kept.join("\n") + "\n");
    };
    let changes: [&dyn Fn(&Desk); 2] = [&|desk| edit(desk, "results/tiny/scores.csv"), &without_a_row];
    for change in changes {
        change(&desk);
        let verbs: [&[&str]; 5] = [
            &["table", "tiny.toml", "2"],
            &["figure", "tiny.toml", "5"],
            &["claims", "tiny.toml"],
            &["report", "tiny.toml"],
            &["diff", "other", "results/tiny"],
        ];
        for verb in verbs {
            desk.treebound(verb).failure(&["by_sentence.csv: made/", "does not add up to results/tiny/scores.csv"]);
        }
        desk.treebound(&["verify", "results/tiny", "-q", "--records"]).failure(&["results/tiny/scores.csv"]);
        put_back(&desk);
    }
    // Other files by their checksums, and files that are gone.
    for file in ["training.csv", "config.resolved.toml", "by_sentence.csv"] {
        let path = format!("results/tiny/{file}");
        desk.write(&path, desk.read(&path).replacen('1', "2", 1) + "\n");
        let done = desk.treebound(&["verify", "results/tiny", "-q", "--records"]);
        assert_eq!(done.code, Some(1), "{file}: {done:?}");
        put_back(&desk);
        fs::remove_file(desk.path(&path)).expect("removed");
        let done = desk.treebound(&["verify", "results/tiny", "-q", "--records"]);
        done.failure(&[&format!("{path}: it is not there, but provenance.toml has it")]);
        put_back(&desk);
    }
    desk.treebound(&["verify", "results/tiny", "-q", "--records"]).success();
}

/// A reader that has gone says nothing of what is found.
#[test]
fn verdicts_do_not_depend_on_who_reads() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(30, 8, 8));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    fs::create_dir(desk.path("other")).expect("made");
    desk.put("other", &desk.files("results/tiny"));
    // Not by_sentence.csv: then nothing is known but what scores say.
    for folder in ["other", "results/tiny"] {
        fs::remove_file(desk.path(&format!("{folder}/by_sentence.csv"))).expect("removed");
    }
    let text = desk.read("results/tiny/scores.csv");
    let line = text.lines().nth(1).expect("a row").to_owned();
    desk.write("results/tiny/scores.csv", text.replacen(&format!("{line}\n"), "", 1));
    let verbs: [&[&str]; 2] = [&["diff", "other", "results/tiny", "--exit-code"], &["verify", "results/tiny", "-q"]];
    for verb in verbs {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = desk.command(verb).stdout(writer).stderr(Stdio::null()).status().expect("started");
        assert_eq!(status.code(), Some(1), "{verb:?}");
    }
    let full = || fs::File::options().write(true).open("/dev/full").expect("opened");
    for arguments in [&["--help"][..], &["run", "--help"], &["--version"], &["table", "tiny.toml", "1"]] {
        let status = desk.command(arguments).stdout(full()).stderr(Stdio::null()).status().expect("started");
        assert_eq!(status.code(), Some(1), "{arguments:?}");
    }
}

/// Pipes that nobody writes to and devices without an end, in the place of every file that is read.
#[test]
fn what_is_no_file_is_told_and_not_waited_for() {
    let desk = Desk::new();
    desk.write(
        "tiny.toml",
        tiny(10, 2, 2).replace("epochs = 1\npruning", "epochs = 1\ntemplates = \"mine.toml\"\npruning"),
    );
    desk.write("mine.toml", "from = \"compact\"\n");
    desk.write("a.conllu", SENTENCE);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["train", "tiny.toml", "--features", "sibling", "--model", "model"]).success();
    let artifact = desk.artifacts().into_keys().find(|name| name.to_string_lossy().starts_with("rows-")).expect("rows");
    let artifact = format!("cache/{}", artifact.display());
    let cases: [(&str, &[&str]); 14] = [
        ("tiny.toml", &["run", "tiny.toml", "-q"]),
        ("mine.toml", &["check", "tiny.toml"]),
        ("model", &["parse", "--model", "model", "a.conllu"]),
        ("results/tiny/scores.csv", &["table", "tiny.toml", "2"]),
        ("results/tiny/scores.csv", &["run", "tiny.toml", "-q"]),
        ("results/tiny/scores.csv", &["verify", "results/tiny", "-q"]),
        ("results/tiny/by_sentence.csv", &["figure", "tiny.toml", "5"]),
        ("results/tiny/by_sentence.csv", &["diff", "results/tiny", "results/tiny"]),
        ("results/tiny/provenance.toml", &["run", "tiny.toml", "-q", "--set", "seeds=[2]"]),
        ("results/tiny/provenance.toml", &["verify", "results/tiny", "-q"]),
        ("results/tiny/training.csv", &["run", "tiny.toml", "-q"]),
        ("results/tiny/config.resolved.toml", &["diff", "results/tiny", "results/tiny"]),
        ("cache/times.csv", &["plan", "tiny.toml"]),
        (&artifact, &["plan", "tiny.toml"]),
    ];
    for (file, verb) in cases {
        let path = desk.path(file);
        let whole = fs::read(&path).expect(file);
        for kind in ["pipe", "device"] {
            put(kind, &path);
            let done = ends(&desk, verb);
            // What a cache has lost is made again; anything else is told by its name.
            if !file.starts_with("cache/") {
                let last = Path::new(file).file_name().expect("a name").to_string_lossy().into_owned();
                done.failure(&[&last]);
            }
            fs::remove_file(&path).expect("removed");
            fs::write(&path, &whole).expect("written");
        }
    }
    // What a user names to be read once may be a pipe.
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(SENTENCE.as_bytes()).expect("written");
    drop(writer);
    let output = desk.command(&["parse", "--model", "model", "/dev/stdin"]).stdin(reader).output().expect("started");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn numbers_and_inputs_have_bounds_that_are_said() {
    let desk = Desk::new();
    let config = tiny(10, 2, 2);
    desk.write("tiny.toml", &config);
    desk.write("graph.json", "{}");
    desk.write("many.toml", format!("seeds = [{}]\n{config}", (0..9_000).map(|n| format!("{n},")).collect::<String>()));
    desk.write(
        "more.toml",
        format!("seeds = [{}]\n{config}", (0..20_000).map(|n| format!("{n},")).collect::<String>()),
    );
    desk.treebound(&["check", "tiny.toml", "--set", "training.epochs=1000000000000"])
        .failure(&["a whole number from 1 to 1000000000 is needed"]);
    desk.treebound(&["check", "tiny.toml", "--set", "evaluation.rounds=1000000000000"])
        .failure(&["a whole number from 1 to 1000000000 is needed"]);
    desk.treebound(&["check", "more.toml", "--cells"]).failure(&["it has 20000 values, and may have at most 10000"]);
    let five = config.replace("pruning = \"k=4\"\n\n[eval", "pruning = [\"k=2\", \"k=3\", \"k=4\", \"k=5\"]\n\n[eval");
    desk.write("cells.toml", format!("seeds = [{}]\n{five}", (0..9_000).map(|n| format!("{n},")).collect::<String>()));
    desk.treebound(&["check", "cells.toml", "--cells"]).failure(&["cells, and may have at most 100000"]);
    for usage in [
        &["decode", "graph.json", "--kbest", "1000000000"][..],
        &["measure", "growth", "tiny.toml", "--sentences", "1000000000000000000"],
    ] {
        let done = desk.treebound(usage);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains("a whole number"), "{done:?}");
    }
    let output = desk.command(&["check", "tiny.toml"]).env("RAYON_NUM_THREADS", "100000").output().expect("started");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("RAYON_NUM_THREADS=100000: more than"));
    // A short file with more sentences than memory.
    let file = fs::File::create(desk.path("many.conllu.gz")).expect("made");
    let mut file = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    let block = SENTENCE.repeat(10_001);
    (0..200)
        .try_for_each(|_| file.write_all(block.as_bytes()))
        .and_then(|()| file.finish().map(drop))
        .expect("written");
    desk.treebound(&["data", "convert", "--from", "conllu", "many.conllu.gz", "-o", "out"])
        .failure(&["many.conllu.gz", "more than 2000000 sentences"]);
}

/// A cache that cannot be written and has everything is no failure.
#[test]
fn a_whole_cache_need_not_be_writable() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(10, 2, 2));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    fs::remove_dir_all(desk.path("results")).expect("removed");
    let cache = desk.path("cache");
    // Root writes everywhere, but not into what is no folder.
    fs::rename(&cache, desk.path("kept")).expect("moved");
    fs::write(&cache, "in the way").expect("written");
    let done = desk.treebound(&["run", "tiny.toml", "-q"]);
    done.failure(&["cannot write", "will have to be made again"]);
    fs::remove_file(&cache).expect("removed");
    fs::rename(desk.path("kept"), &cache).expect("moved");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
}
