//! Writing to standard output and standard error, whose readers may go away.

use std::fmt;
use std::io::{self, Write};

use treebound_core::shown::escaped;

/// Standard output, buffered and locked.
pub fn stdout() -> io::BufWriter<io::StdoutLock<'static>> {
    io::BufWriter::new(io::stdout().lock())
}

/// The columns of the terminal that standard output is; none if it is none.
pub fn columns() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// Whether an error says no more than that the reader of our output has gone (`treebound ... | head`).
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// Prints text, in which what others wrote is [escaped](escaped). Work goes on if its reader has gone: files are still to be
/// written, and the exit code is for whoever started us.
pub fn print(text: &str) -> io::Result<()> {
    print_coloured(&escaped(text))
}

/// As [`print`], for text that has been escaped, and may have colours since then.
pub fn print_coloured(text: &str) -> io::Result<()> {
    let mut out = stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
            // What is left in the buffer is for nobody.
            let _ = out.into_parts();
            Ok(())
        }
        done => done,
    }
}

/// Says a line on standard error. If nobody can read it, work goes on: what was computed must not be lost for a message.
macro_rules! say {
    ($($message:tt)*) => {
        $crate::cli::output::line(format_args!($($message)*))
    };
}

pub(super) use say;

/// See [`say`].
pub fn line(message: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{}", escaped(&message.to_string()));
}

/// See [`say`].
pub fn tell(message: String) {
    line(format_args!("{message}"));
}

/// An error and its causes, each said once: some messages have their cause's in them.
pub fn causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for said in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = said;
        } else if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let error = || Err::<(), _>(anyhow::anyhow!("no such file"));
        let causes = |result: anyhow::Result<()>| causes(&result.expect_err("an error"));
        assert_eq!(causes(error().context("a.toml")), "a.toml: no such file");
        assert_eq!(causes(error().context("a.toml: no such file")), "a.toml: no such file");
    }
}
