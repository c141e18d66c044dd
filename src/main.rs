//! The `treebound` command: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    treebound::cli::main()
}
