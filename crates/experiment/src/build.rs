//! Build script: a checksum of the sources, and what compiled them, for provenance.

use std::env;
use std::path::Path;
use std::process::Command;

mod sources;

fn main() {
    for path in sources::DECISIVE {
        println!("cargo::rerun-if-changed={ROOT}/{path}");
    }
    println!("cargo::rustc-env=TREEBOUND_SOURCES={}", sources::checksum(Path::new(ROOT)));
    println!("cargo::rustc-env=TREEBOUND_TOOLCHAIN={}", toolchain());
    for (name, source) in [("TREEBOUND_TARGET", "TARGET"), ("TREEBOUND_PROFILE", "PROFILE")] {
        println!("cargo::rustc-env={name}={}", env::var(source).unwrap_or_else(|_| UNKNOWN.to_owned()));
    }
}

/// The workspace, seen from the package's folder, where build scripts run.
const ROOT: &str = "../..";

const UNKNOWN: &str = "unknown";

/// The compiler's own line on its version.
fn toolchain() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| UNKNOWN.to_owned(), |text| text.trim().to_owned())
}
