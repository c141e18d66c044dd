//! Leases: files that say who works at something, for processes of all hosts that share a folder.
//!
//! They need what every shared file system keeps, NFS among them, and no more: a link is made once, whoever tries. A process
//! writes who it is under a name of its own and links that to the name of the lease. Where that is there already, somebody has
//! it, until he removes it or is gone:
//!
//! * A process of the same place (see [`owner`](crate::owner)) is running or not.
//! * Of others nothing is known but that they renew their leases. One that was not renewed for [`lease_time`] is left behind: its
//!   host is down, or cut off from the folder. Both times are those of the file server, so clocks of hosts may differ.
//!
//! Who finds a lease that is left behind takes a second one on removing it, so that two who find it at once do not remove a third
//! one's new lease, and then tries as all others. Who holds a lease may have slept for longer than it lasts, as a suspended
//! machine does: he asks [`Lease::is_held`] before he writes what must not be written twice.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempPath;

use crate::input;
use crate::owner;
use crate::whole::UNFINISHED;

/// The variable of the environment that says how long a lease lasts, in seconds.
pub const LEASE_VARIABLE: &str = "TREEBOUND_LEASE_S";

/// How long a lease lasts if nobody says, in seconds: longer than NFS clients keep what they know of files, which is a minute.
const USUAL_LEASE_S: u64 = 120;

/// In how many steps a lease is renewed before it would end.
const RENEWALS: u32 = 8;

/// Most bytes of a lease that are read.
const MOST_BYTES: u64 = 1 << 16;

/// How long a lease lasts that is not renewed.
pub fn lease_time() -> Duration {
    static LEASE: LazyLock<Duration> = LazyLock::new(|| {
        let given = std::env::var(LEASE_VARIABLE).ok().and_then(|text| text.parse().ok());
        Duration::from_secs(given.filter(|&seconds| seconds > 0).unwrap_or(USUAL_LEASE_S))
    });
    *LEASE
}

/// Who holds a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The number of the process.
    process: String,
    /// Its host, if that is another one.
    host: Option<String>,
    /// What it does.
    pub what: String,
}

/// For people: `process 7 on n2: treebound run x.toml`.
impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {}", self.process)?;
        self.host.iter().try_for_each(|host| write!(f, " on {host}"))?;
        write!(f, ": {}", self.what)
    }
}

/// What came of an attempt to take a lease.
#[derive(Debug)]
pub enum Taken {
    /// It is this process's now.
    Lease(Lease),
    /// Somebody has it.
    By(Holder),
}

/// How somebody waits for a lease, or for what its holder makes: ever longer from one look to the next.
#[derive(Debug)]
pub struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(Duration::from_millis(1))
    }
}

impl Patience {
    /// The longest time between two looks.
    const LONGEST: Duration = Duration::from_millis(500);

    /// Waits until the next look.
    pub fn sleep(&mut self) {
        std::thread::sleep(self.0);
        self.0 = (self.0 * 3 / 2).min(Self::LONGEST);
    }
}

/// A lease, until this is dropped. It is renewed meanwhile.
#[derive(Debug)]
pub struct Lease {
    path: PathBuf,
    token: String,
    /// Ends the renewals when it is dropped.
    _renewing: Sender<()>,
}

impl Lease {
    /// Tries to take the lease of that file, in a folder that is there; `what` says for what.
    ///
    /// # Errors
    /// If the file cannot be read or made.
    pub fn try_take(path: &Path, what: &str) -> io::Result<Taken> {
        let mut claim: Option<Claim> = None;
        loop {
            if let Some(found) = Found::at(path)? {
                if !found.is_left(|| Ok(Claim::once(&mut claim, path, what)?.made))? {
                    return Ok(Taken::By(found.holder.unwrap_or_else(Holder::unknown)));
                }
                if Claim::once(&mut claim, path, what)?.remove(path, &found.identity)? {
                    continue;
                }
                return Ok(Taken::By(found.holder.unwrap_or_else(Holder::unknown)));
            }
            let own = Claim::once(&mut claim, path, what)?;
            if own.link(path)? {
                let token = own.token.clone();
                let renewing = renew(path.to_owned(), token.clone());
                return Ok(Taken::Lease(Self { path: path.to_owned(), token, _renewing: renewing }));
            }
        }
    }

    /// The same, tried again and again for some time; none if somebody has it all the while.
    ///
    /// # Errors
    /// As [`try_take`](Self::try_take).
    pub fn take_within(path: &Path, what: &str, longest: Duration) -> io::Result<Option<Self>> {
        let asked = Instant::now();
        let mut patience = Patience::default();
        loop {
            match Self::try_take(path, what)? {
                Taken::Lease(lease) => return Ok(Some(lease)),
                Taken::By(_) if asked.elapsed() >= longest => return Ok(None),
                Taken::By(_) => patience.sleep(),
            }
        }
    }

    /// Who holds the lease of that file, or held it and is gone; none if nobody has taken it.
    pub fn holder(path: &Path) -> Option<Holder> {
        Found::at(path).ok()??.holder
    }

    /// Whether it is still this process's: one that was not renewed in time may have been taken by another.
    pub fn is_held(&self) -> bool {
        is_own(&self.path, &self.token)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.is_held() {
            // One that cannot be removed ends by itself.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn is_own(path: &Path, token: &str) -> bool {
    matches!(Found::at(path), Ok(Some(found)) if found.identity.token.as_deref() == Some(token))
}

/// Renews a lease now and then, until the sender is dropped or the lease is another's.
fn renew(path: PathBuf, token: String) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    let every = lease_time() / RENEWALS;
    // Without a thread the lease lasts for its time; a process of the same place is asked whether it runs.
    let _ = std::thread::Builder::new().name("lease".to_owned()).spawn(move || {
        while receiver.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
            match Found::at(&path) {
                Ok(Some(found)) if found.identity.token.as_ref() == Some(&token) => drop(touch(&path)),
                Ok(_) => return,
                // What cannot be read now may be the next time.
                Err(_) => {}
            }
        }
    });
    sender
}

/// Gives a file the time of now, as its server has it.
#[cfg(unix)]
fn touch(path: &Path) -> io::Result<()> {
    use rustix::fs::{Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, futimens};
    let file = File::options().write(true).open(path)?;
    let at = |tv_nsec| Timespec { tv_sec: 0, tv_nsec };
    Ok(futimens(&file, &Timestamps { last_access: at(UTIME_OMIT), last_modification: at(UTIME_NOW) })?)
}

#[cfg(not(unix))]
fn touch(path: &Path) -> io::Result<()> {
    File::options().write(true).open(path)?.set_modified(SystemTime::now())
}

impl Holder {
    fn unknown() -> Self {
        Self { process: "unknown".to_owned(), host: None, what: "another process".to_owned() }
    }
}

/// What stands at the place of a lease.
struct Found {
    holder: Option<Holder>,
    /// Whether it is no lease and never was: a link, or another name of a file with other content.
    is_foreign: bool,
    identity: Identity,
}

/// What tells a lease from another one, and from itself before it was renewed.
#[derive(Clone, PartialEq)]
struct Identity {
    token: Option<String>,
    renewed: SystemTime,
}

impl Found {
    /// None if nothing is there.
    fn at(path: &Path) -> io::Result<Option<Self>> {
        let there = match fs::symlink_metadata(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            there => there?,
        };
        let renewed = there.modified()?;
        if !there.is_file() {
            let identity = Identity { token: None, renewed };
            return Ok(Some(Self { holder: None, is_foreign: there.is_symlink(), identity }));
        }
        // Who opens a file has what others last wrote, which a look at its name need not show.
        let (text, renewed) = match input::read_most(path, MOST_BYTES) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) if is_stale(&e) => return Ok(None),
            // Of a file that is too large for a lease, nothing is read.
            Err(e) if e.kind() == io::ErrorKind::FileTooLarge => (String::new(), Ok(renewed)),
            bytes => {
                (String::from_utf8_lossy(&bytes?).into_owned(), fs::metadata(path).and_then(|there| there.modified()))
            }
        };
        let renewed = match renewed {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            renewed => renewed?,
        };
        let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let token = line("owner").map(str::to_owned);
        let holder = token.as_deref().map(|token| Holder {
            process: line("process").unwrap_or_default().to_owned(),
            host: line("host").filter(|_| owner::is_running_here(token).is_none()).map(str::to_owned),
            what: line("what").unwrap_or_default().to_owned(),
        });
        Ok(Some(Self {
            is_foreign: holder.is_none() && has_other_names(&there),
            holder,
            identity: Identity { token, renewed },
        }))
    }

    /// Whether nobody holds it any more; `now` tells what time it is at its file server.
    fn is_left(&self, now: impl FnOnce() -> io::Result<SystemTime>) -> io::Result<bool> {
        match self.identity.token.as_deref().and_then(owner::is_running_here) {
            Some(is_running) => Ok(!is_running),
            None if self.is_foreign => Ok(true),
            None => Ok(now()?.duration_since(self.identity.renewed).is_ok_and(|age| age > lease_time())),
        }
    }
}

/// An error of NFS: the file was removed while it was looked at.
fn is_stale(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::StaleNetworkFileHandle
}

#[cfg(unix)]
fn has_other_names(there: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(there) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// A lease under a name of its own, not yet taken.
struct Claim {
    path: TempPath,
    token: String,
    /// When it was made, by the clock of the file server.
    made: SystemTime,
}

impl Claim {
    /// The claim of an attempt, made when it is needed first.
    fn once<'c>(claim: &'c mut Option<Self>, path: &Path, what: &str) -> io::Result<&'c mut Self> {
        match claim {
            Some(claim) => Ok(claim),
            None => Ok(claim.insert(Self::new(path, what)?)),
        }
    }

    fn new(path: &Path, what: &str) -> io::Result<Self> {
        /// Tells the leases of one process apart.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let tag = owner::tag();
        let token = format!("{tag}-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let mut builder = tempfile::Builder::new();
        let prefix = format!("{UNFINISHED}{tag}-");
        builder.prefix(&prefix).suffix(".tmp");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        let what = what.replace(['\n', '\r'], " ");
        let text = format!("owner {token}\nprocess {}\nhost {}\nwhat {what}\n", std::process::id(), owner::host());
        file.write_all(text.as_bytes())?;
        // Other hosts read what has reached the server: what was written before the file was closed.
        let path = file.into_temp_path();
        let made = fs::metadata(&path)?.modified()?;
        Ok(Self { path, token, made })
    }

    /// Links it to a name, if there is nothing of that name.
    fn link(&self, path: &Path) -> io::Result<bool> {
        match fs::hard_link(&self.path, path) {
            Ok(()) => Ok(true),
            // The answer of a server that was asked twice, since its first one was lost, says nothing.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(is_own(path, &self.token)),
            Err(e) if has_no_links(&e) => self.write_new(path),
            Err(e) => Err(e),
        }
    }

    /// The same on file systems without links, which make a file only once, too. It is not whole at once: others take it for one
    /// that somebody holds.
    fn write_new(&self, path: &Path) -> io::Result<bool> {
        let text = fs::read(&self.path)?;
        match File::create_new(path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            file => {
                file?.write_all(&text)?;
                Ok(true)
            }
        }
    }

    /// Removes a lease that is left behind. Returns whether it is to be looked at again; if not, somebody else is at it.
    fn remove(&self, path: &Path, left: &Identity) -> io::Result<bool> {
        let mut name = path.as_os_str().to_owned();
        name.push(".removing");
        let removing = PathBuf::from(name);
        if self.link(&removing)? {
            let is_same = Found::at(path)?.is_some_and(|found| found.identity == *left);
            let removed = if is_same { fs::remove_file(path) } else { Ok(()) };
            let _ = fs::remove_file(&removing);
            return match removed {
                Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
                _ => Ok(true),
            };
        }
        // Whoever is at it may have been killed there.
        let Some(found) = Found::at(&removing)? else { return Ok(true) };
        let is_left = found.is_left(|| Ok(self.made))?;
        if is_left {
            let _ = fs::remove_file(&removing);
        }
        Ok(is_left)
    }
}

/// Whether a file system, or a policy of it, knows no links.
fn has_no_links(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied | io::ErrorKind::TooManyLinks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(path: &Path) -> Taken {
        Lease::try_take(path, "a test").expect("a folder that can be written")
    }

    fn lease(path: &Path) -> Lease {
        match take(path) {
            Taken::Lease(lease) => lease,
            Taken::By(holder) => panic!("{holder} has it"),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn one_has_it_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let first = lease(&path);
        let Taken::By(holder) = take(&path) else { panic!("two have it") };
        assert_eq!(holder.to_string(), format!("process {}: a test", std::process::id()));
        assert!(first.is_held());
        drop(first);
        assert!(names(folder.path()).is_empty());
        drop(lease(&path));
        assert!(names(folder.path()).is_empty());
    }

    /// As another process of some place would have left it.
    fn leave(path: &Path, token: &str, age: Duration) {
        fs::write(path, format!("owner {token}\nprocess 7\nhost n2\nwhat other\n")).expect("written");
        let file = File::options().write(true).open(path).expect("opened");
        file.set_modified(SystemTime::now() - age).expect("aged");
    }

    #[test]
    fn the_dead_have_nothing_and_others_have_what_they_renew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let elsewhere = "0123456789ab-7-1-0";
        let here = owner::tag().replacen(&format!("-{}-", std::process::id()), "-4194999-", 1);
        leave(&path, elsewhere, lease_time() / 2);
        let Taken::By(holder) = take(&path) else { panic!("it was renewed not long ago") };
        assert_eq!(holder.to_string(), "process 7 on n2: other");
        leave(&path, elsewhere, lease_time() * 2);
        drop(lease(&path));
        leave(&path, &format!("{here}-0"), Duration::ZERO);
        drop(lease(&path));
        // Who was at removing it was killed there.
        leave(&path, elsewhere, lease_time() * 2);
        leave(&folder.path().join("x.removing"), &format!("{here}-0"), Duration::ZERO);
        drop(lease(&path));
        assert!(names(folder.path()).is_empty());
        // What is no lease is nobody's once it is old.
        fs::write(&path, "half").expect("written");
        assert!(matches!(take(&path), Taken::By(_)));
    }

    #[test]
    fn a_lease_that_another_took_is_not_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let own = lease(&path);
        leave(&path, "0123456789ab-7-1-0", Duration::ZERO);
        assert!(!own.is_held());
        drop(own);
        assert!(path.exists());
    }

    /// Whoever finds it left behind: one has it then.
    #[test]
    fn many_who_find_a_dead_one_do_not_have_it_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let inside = AtomicU64::new(0);
        let (mut entered, rounds) = (0, 50);
        for _ in 0..rounds {
            leave(&path, "0123456789ab-7-1-0", lease_time() * 2);
            entered += std::thread::scope(|scope| {
                let one = || match take(&path) {
                    Taken::By(_) => 0,
                    Taken::Lease(lease) => {
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::sleep(Duration::from_micros(300));
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lease);
                        1
                    }
                };
                let all: Vec<_> = (0..6).map(|_| scope.spawn(one)).collect();
                all.into_iter().map(|one| one.join().expect("ended")).sum::<u64>()
            });
        }
        assert!(entered >= rounds);
        assert!(names(folder.path()).is_empty());
    }
}
