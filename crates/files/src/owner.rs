//! Whose a file or folder is that stands only while a process works: its name says so, and who starts later clears away
//! what nobody owns any more.
//!
//! A tag names the place where a process runs (its host, the host's boot, the processes that it can see), its number and
//! when it started. A process of the same place is there or not. Of another place, such as another machine or container
//! on the same disk, that cannot be known: what it left counts as left when it is [old](OLD).

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use sha2::{Digest, Sha256};

/// From which age on, since it was last written, what a process of another place made counts as left behind.
pub const OLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The tag of this process: `PLACE-NUMBER-START`.
pub fn tag() -> String {
    let number = std::process::id();
    format!("{}-{number}-{}", *PLACE, start(number).unwrap_or(0))
}

/// Whether whoever made what stands at `path` is gone. `tagged` is its name from the tag on.
pub fn is_left_behind(tagged: &str, path: &Path) -> bool {
    let mut parts = tagged.splitn(4, '-');
    let place = parts.next().unwrap_or_default();
    let mut number = || parts.next().and_then(|number| number.parse::<u64>().ok());
    match (is_running_here(tagged), number(), number()) {
        (Some(is_running), ..) => !is_running,
        (None, Some(_), Some(_)) if place.len() == PLACE.len() => is_old(path),
        // Files of earlier versions have no tag. What else has none is somebody's own.
        _ => tagged.ends_with(".tmp") && is_old(path),
    }
}

/// Whether the process of a [tag], with whatever stands behind it, is running; none if it is of another place, of which that
/// cannot be known.
pub fn is_running_here(tagged: &str) -> Option<bool> {
    let mut parts = tagged.splitn(4, '-');
    let place = parts.next()?;
    let (number, started) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (place == *PLACE).then(|| is_running(number, started))
}

/// The name of this host, for people.
pub fn host() -> String {
    fs::read_to_string(HOST).unwrap_or_default().trim().to_owned()
}

const HOST: &str = "/proc/sys/kernel/hostname";

fn is_old(path: &Path) -> bool {
    let written = fs::symlink_metadata(path).and_then(|there| there.modified());
    written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > OLD))
}

/// What tells this place from others. Numbers of processes mean something only within one.
static PLACE: LazyLock<String> = LazyLock::new(|| {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let seen = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let [host, boot] = [HOST, "/proc/sys/kernel/random/boot_id"].map(read);
    let digest = Sha256::digest(format!("{host}{boot}{}", seen.display()));
    digest[..6].iter().map(|byte| format!("{byte:02x}")).collect()
});

/// When a process started, in ticks since the boot, where the system tells.
fn start(number: u32) -> Option<u64> {
    Some(state(number)?.1)
}

/// The state of a process, as a letter, and when it started.
fn state(number: u32) -> Option<(char, u64)> {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The second field is a name in brackets, which may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    // The start is field 22, and these begin with the third.
    Some((fields.chars().next()?, fields.split(' ').nth(19)?.parse().ok()?))
}

/// Whether the process of that number is there that started then. One that has ended, and of which its parent has not heard yet,
/// is not.
#[cfg(unix)]
fn is_running(number: u32, started: u64) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = i32::try_from(number).ok().and_then(Pid::from_raw);
    // One that is there and belongs to somebody else may not be asked, which is another error.
    let is_there = pid.is_some_and(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH));
    is_there && state(number).is_none_or(|(state, start)| start == started && !"ZX".contains(state))
}

#[cfg(not(unix))]
fn is_running(_: u32, _: u64) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_no_owner_is_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        fs::write(&path, "x").expect("written");
        let own = tag();
        assert!(!is_left_behind(&format!("{own}-a.tmp"), &path), "this process is here");
        let (place, number) = (&*PLACE, std::process::id());
        assert!(is_left_behind(&format!("{place}-4194999-1-a.tmp"), &path), "no process has that number");
        #[cfg(target_os = "linux")]
        assert!(is_left_behind(&format!("{place}-{number}-1-a.tmp"), &path), "another one had this number before");
        // Of another place nothing is known but the age.
        for tagged in [format!("0123456789ab-{number}-1-a.tmp"), "4194999-a.tmp".to_owned(), "a.tmp".to_owned()] {
            let at = |age| {
                let file = fs::File::options().write(true).open(&path).expect("opened");
                file.set_modified(std::time::SystemTime::now() - age).expect("aged");
                is_left_behind(&tagged, &path)
            };
            assert!(!at(Duration::from_secs(60 * 60)), "{tagged}");
            assert!(at(OLD + Duration::from_secs(60)), "{tagged}");
        }
        for own in ["base", "my-results", "1-2-3", ""] {
            assert!(!is_left_behind(own, &path), "{own}");
        }
    }
}
