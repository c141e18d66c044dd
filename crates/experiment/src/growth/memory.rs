//! The memory of a process.

/// The most memory that this process has had at once so far, in KiB, as the system counts it (resident set; on Linux).
/// None where the system does not say.
pub fn peak_kib() -> Option<u64> {
    parse(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn parse(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read() {
        assert_eq!(parse("Name:\tx\nVmPeak:\t  200 kB\nVmHWM:\t  123456 kB\nVmRSS:\t 9 kB\n"), Some(123_456));
        assert_eq!(parse("Name:\tx\n"), None);
        assert_eq!(parse("VmHWM:\tmuch\n"), None);
    }
}
