//! The command line: verbs and flags. Each verb is a file; it reads arguments, calls the library and prints.

mod about;
mod check;
mod claims;
mod data;
mod decode;
pub mod derived;
mod diff;
mod engine;
mod eval;
mod examples;
mod explain;
mod features;
mod figure;
mod filter;
mod flags;
mod measure;
mod model;
mod new;
mod output;
mod parse;
mod parsed_again;
mod plan;
mod report;
mod results;
mod run;
mod streams;
mod table;
mod table1;
mod train;
mod verify;
mod what_if;

use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use self::claims::declared_claims;
use self::output::say;
use treebound_experiment::config::nearest;

/// Exact dependency parsing with non-local features by branch and bound, after Qian & Liu (2013).
#[derive(Parser)]
#[command(name = "treebound", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write a config for a treebank of your own, with comments
    New(new::NewArguments),
    /// Validate a config and its data, and show what would be run
    Check(check::CheckArguments),
    /// Show what a run would make, what of it is finished, and about how long the rest takes here
    Plan(plan::PlanArguments),
    /// Train and parse everything that a config describes, in parallel, keeping what is finished
    Run(run::RunArguments),
    /// Put what shares of a run have made into the results, and what is missing with the reason
    Collate(flags::WorkArguments),
    /// Run a config with other values in a folder of its own, below tries/, and compare with the results of the config
    Try(flags::WorkArguments),
    /// Measure speed, growth, learning, the search, probabilities or errors of what a config describes
    #[command(subcommand)]
    Measure(measure::Measurement),
    /// Print a table of the paper from the results of a config, and write its CSV
    Table(table::TableArguments),
    /// Draw a figure of the paper from the results of a config
    Figure(figure::FigureArguments),
    /// Hold the results of a config against what is claimed of them
    Claims(claims::ClaimsArguments),
    /// Write one page of an experiment, as HTML and as Markdown
    Report(report::ReportArguments),
    /// Compare results with those of a revision, or of another folder
    Diff(diff::DiffArguments),
    /// Check results: records against each other, their origin and finished work, and a sample by another exact decoder
    Verify(verify::VerifyArguments),
    /// Make or convert treebanks, and write factor graphs
    #[command(subcommand)]
    Data(data::Data),
    /// Decode factor graph files; prints one JSON line a graph
    Decode(decode::DecodeArguments),
    /// Say why a parser chose the tree of a sentence: scores by part, beside those of the gold tree
    Explain(explain::ExplainArguments),
    /// Print template sets, the features that a sentence fires, or counts of hand-crafted patterns
    #[command(subcommand)]
    Features(features::Features),
    /// Train one parser and write it to a model file
    Train(train::TrainArguments),
    /// Say what a model is: its features, data, versions and accuracy
    Model(model::ModelArguments),
    /// Parse a CoNLL file with a model
    Parse(parse::ParseArguments),
    /// Compare a parsed file with a gold one, or two with it
    Eval(eval::EvalArguments),
    /// Print completions for a shell, or write manual pages
    #[command(subcommand)]
    About(about::About),
}

/// The command line, with examples under the flags.
fn command() -> Command {
    examples::with(Arguments::command())
}

/// An error that names the verb which is likely meant: also one that is a part of another.
fn with_nearest_verb(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let command = Arguments::command();
    let mut verbs =
        vec![("list", "check CONFIG --cells".to_owned()), ("ablation", "measure search-ablation".to_owned())];
    for verb in command.get_subcommands() {
        let parts = verb.get_subcommands().filter(|part| !part.is_hide_set());
        verbs.extend(parts.map(|part| (part.get_name(), format!("{} {}", verb.get_name(), part.get_name()))));
    }
    let is_known = error.get(ContextKind::SuggestedSubcommand).is_some();
    let meant = nearest(name, verbs.iter().map(|(name, _)| *name)).filter(|meant| !is_known || *meant == name.as_str());
    if let Some((_, verb)) = verbs.iter().find(|(name, _)| Some(*name) == meant) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(verb.clone()));
    }
    error
}

/// Prints a help text, or what is wrong with the command line. Returns its exit code: a help text that could not be written is no
/// success.
fn told(error: &clap::Error) -> ExitCode {
    let is_written = match error.print() {
        Err(e) => e.kind() == std::io::ErrorKind::BrokenPipe,
        Ok(()) => true,
    };
    match u8::try_from(error.exit_code()) {
        Ok(code) if is_written || code > 0 => ExitCode::from(code),
        _ => ExitCode::FAILURE,
    }
}

/// Runs the program on the process's arguments.
///
/// Exit codes: 0 for success, 1 for anything that went wrong, 2 for a command line that could not be understood.
pub fn main() -> ExitCode {
    // Asked of git only when it is asked for.
    if std::env::args_os().skip(1).eq(["--version"]) {
        return if about::version().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let read = command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match read {
        Ok(arguments) => arguments,
        Err(error) => return told(&with_nearest_verb(error)),
    };
    treebound_experiment::stop::explain_aborts();
    treebound_experiment::stop::survive_large_files();
    let result = flags::check_environment().and_then(|()| verb(arguments.verb));
    match result {
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say!("treebound: {}", output::causes(&error));
            ExitCode::FAILURE
        }
    }
}

fn verb(verb: Verb) -> Result<ExitCode> {
    match verb {
        Verb::New(a) => new::new(&a),
        Verb::Check(a) => check::check(&a),
        Verb::Plan(a) => plan::plan(&a),
        Verb::Run(a) => run::run(a),
        Verb::Collate(a) => run::collate(&a),
        Verb::Try(a) => what_if::what_if(&a),
        Verb::Measure(a) => measure::measure(&a),
        Verb::Table(a) => table::table(&a),
        Verb::Figure(a) => figure::figure(&a),
        Verb::Claims(a) => claims::claims(&a),
        Verb::Report(a) => report::report(&a),
        Verb::Diff(a) => diff::diff(&a),
        Verb::Verify(a) => verify::verify(&a),
        Verb::Data(a) => data::data(&a),
        Verb::Decode(a) => decode::decode(&a),
        Verb::Explain(a) => explain::explain(&a),
        Verb::Features(a) => features::features(&a),
        Verb::Train(a) => train::train(&a),
        Verb::Model(a) => model::model(&a),
        Verb::Parse(a) => parse::parse(&a),
        Verb::Eval(a) => eval::eval(&a),
        Verb::About(a) => about::about(command(), &a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A verb, or a part of one.
    fn verb<'c>(command: &'c Command, path: &str) -> &'c Command {
        path.split(' ').fold(command, |command, name| command.find_subcommand(name).expect("a verb"))
    }

    fn text_under_flags(command: &Command, path: &str) -> String {
        verb(command, path).get_after_help().map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn every_verb_has_examples_that_the_command_line_takes() {
        let command = command();
        let mut verbs = Vec::new();
        for verb in command.get_subcommands() {
            let parts: Vec<_> = verb.get_subcommands().filter(|part| !part.is_hide_set()).collect();
            verbs.extend(parts.iter().map(|part| format!("{} {}", verb.get_name(), part.get_name())));
            verbs.extend(parts.is_empty().then(|| verb.get_name().to_owned()));
        }
        assert_eq!(verbs, examples::EXAMPLES.iter().map(|(verb, _)| *verb).collect::<Vec<_>>());
        for (verb, examples) in examples::EXAMPLES {
            assert!(!examples.is_empty());
            for (rest, does) in *examples {
                let line = format!("treebound {verb} {rest}");
                let read = command.clone().try_get_matches_from(line.split_whitespace());
                assert!(read.and_then(|m| Arguments::from_arg_matches(&m)).is_ok(), "{line}");
                let shown = text_under_flags(&command, verb);
                assert!(shown.lines().any(|line| line.contains(rest) && line.ends_with(does)), "{line}");
            }
        }
    }

    #[test]
    fn text_under_the_flags_stays_below_the_examples() {
        let own = text_under_flags(&Arguments::command(), "diff");
        let all = text_under_flags(&command(), "diff");
        assert!(
            !own.is_empty() && all.starts_with("Examples:\n  treebound diff ") && all.ends_with(&format!("\n\n{own}"))
        );
    }
}
