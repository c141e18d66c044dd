//! Being asked to stop: Ctrl-C, SIGTERM, and SIGHUP, as when a connection breaks, unless `nohup` has it ignored.

/// Does `work`. If the process is asked to stop meanwhile, `stopped` saves and says what there is to be saved and said, and the
/// process ends with the exit code of that signal; who asks twice has it end at once.
#[cfg(unix)]
pub fn unless_stopped<T>(stopped: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_shutdown;
    use signal_hook::iterator::{Handle, Signals};

    struct Close(Handle);
    impl Drop for Close {
        fn drop(&mut self) {
            self.0.close();
        }
    }

    let asked = Arc::new(AtomicBool::new(false));
    let mut stopping = vec![SIGINT, SIGTERM];
    if !ignores_hangup() {
        stopping.push(SIGHUP);
    }
    for &signal in &stopping {
        // Without it a second signal would be one too many, and no more.
        let _ = register_conditional_shutdown(signal, 128 + signal, asked.clone());
    }
    let Ok(mut signals) = Signals::new(&stopping) else { return work() };
    let close = Close(signals.handle());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(signal) = signals.forever().next() {
                asked.store(true, Ordering::Relaxed);
                stopped();
                std::process::exit(128 + signal);
            }
        });
        let _close = close;
        work()
    })
}

/// Whether the process was started to outlive its terminal. Where that cannot be known, it was.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The lowest bit is that of signal 1.
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 != 0)
}

/// See above: elsewhere the system ends the process.
#[cfg(not(unix))]
pub fn unless_stopped<T>(_: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    work()
}

/// What is said when memory is out: no allocation that fails can be answered, so the process ends.
#[cfg(unix)]
const OUT_OF_MEMORY: &[u8] =
    b"treebound: the program cannot go on. If memory is out (see above), give it more (ulimit -v), or ask for \
fewer threads with -j 1. What is finished is kept.\n";

/// Says what to do when the process is aborted, which it is when memory is out, and ends it with exit code 1 as any error does.
pub fn explain_aborts() {
    #[cfg(unix)]
    {
        let end = || {
            let _ = rustix::io::write(std::io::stderr(), OUT_OF_MEMORY);
            signal_hook::low_level::exit(1);
        };
        // SAFETY: all that it does is to write to a descriptor, without a lock, and to end the process, as a signal handler may.
        let _ = unsafe { signal_hook::low_level::register(signal_hook::consts::SIGABRT, end) };
    }
}

/// A file that grows beyond what the system allows is an error of the write, like a full disk, instead of the end of the
/// process.
pub fn survive_large_files() {
    #[cfg(unix)]
    {
        let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        // Where that cannot be had, such a file ends the process as it did.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
    }
}
