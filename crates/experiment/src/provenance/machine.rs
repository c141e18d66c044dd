//! The machine that the program runs on.

use std::fs;

use serde::{Deserialize, Serialize};

/// What is written where it could not be found out.
pub(super) const UNKNOWN: &str = "unknown";

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Model of its processor.
    pub cpu: String,
    /// Cores that the program may use.
    pub cores: usize,
    /// Memory, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Operating system and architecture.
    pub os: String,
}

impl Machine {
    /// The machine that the program runs on.
    pub fn here() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Self {
            cpu: cpu(&read("/proc/cpuinfo")).unwrap_or_else(|| UNKNOWN.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mib: memory_mib(&read("/proc/meminfo")),
            os: os(&read("/etc/os-release"), &read("/proc/sys/kernel/osrelease")),
        }
    }
}

/// The value after the name of a line such as `name : value`.
fn value<'a>(text: &'a str, name: &str, separator: char) -> Option<&'a str> {
    let pairs = text.lines().filter_map(|line| line.split_once(separator));
    let mut values = pairs.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    values.next().filter(|value| !value.is_empty())
}

fn cpu(cpuinfo: &str) -> Option<String> {
    // Other architectures have other names for it.
    let names = ["model name", "cpu model", "Model", "cpu"];
    names.iter().find_map(|name| value(cpuinfo, name, ':')).map(str::to_owned)
}

fn memory_mib(meminfo: &str) -> Option<u64> {
    let kib: u64 = value(meminfo, "MemTotal", ':')?.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

fn os(os_release: &str, kernel: &str) -> String {
    let name = value(os_release, "PRETTY_NAME", '=').map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    let kernel = kernel.trim();
    let kernel = if kernel.is_empty() { String::new() } else { format!(", kernel {kernel}") };
    format!("{name}{kernel}, {}", std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_files_are_read() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU @ 3.3 GHz\nflags\t: a b\n\nprocessor\t: 1\n";
        assert_eq!(cpu(cpuinfo).as_deref(), Some("Some CPU @ 3.3 GHz"));
        assert_eq!(cpu("processor\t: 0\n"), None);
        assert_eq!(memory_mib("MemTotal:       25165824 kB\nMemFree: 1 kB\n"), Some(24576));
        assert_eq!(memory_mib(""), None);
        let arch = std::env::consts::ARCH;
        assert_eq!(os("ID=x\nPRETTY_NAME=\"Some OS 12\"\n", "6.1\n"), format!("Some OS 12, kernel 6.1, {arch}"));
        assert_eq!(os("", ""), format!("{}, {arch}", std::env::consts::OS));
    }
}
