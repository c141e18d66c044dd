//! The command line: verbs and flags. Each verb is a file; it reads arguments, calls the library and prints.

mod about;
mod claims;
mod convert;
mod decode;
mod diff;
mod errors;
mod eval;
mod examples;
mod experiment;
mod explain;
mod features;
mod figure;
mod filter;
mod flags;
mod graphs;
mod growth;
mod learning;
mod looks;
mod measure_step;
mod origin;
mod output;
mod pages;
mod parse;
mod plan;
mod report;
mod results;
mod run;
mod search;
mod steps;
mod stood;
mod stop;
mod streams;
mod synth;
mod table;
mod table1;
mod templates;
mod train;
mod verify;
mod work;

use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::output::say;

/// Exact dependency parsing with non-local features by branch and bound, after Qian & Liu (2013).
#[derive(Parser)]
#[command(name = "treebound", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Validate a config and its data, and show what would be run
    Check(experiment::CheckArguments),
    /// Print the cells of a config as CSV
    List(experiment::ListArguments),
    /// Show what a run would make, what of it is finished, and about how long the rest takes here
    Plan(plan::PlanArguments),
    /// Train and parse everything that a config describes, in parallel, keeping what is finished
    Run(work::WorkArguments),
    /// Measure parsing speed: every cell again, serially, on one thread
    Time(experiment::TimeArguments),
    /// Decode the same graphs with each idea of the search switched off, and write DP calls and proofs (families and templates are
    /// left out by `make ablation`, and shown by `table CONFIG ablation`)
    Ablation(work::WorkArguments),
    /// Decode with the search stopped after 1, 2, 3 ... DP calls: what exactness buys
    Budget(work::WorkArguments),
    /// Count right words by sentence length, arc length and distance from the root, in what was run
    Breakdown(work::WorkArguments),
    /// Parse again with the CRFs that were run, and hold the probabilities of heads against how many are right
    Calibration(work::WorkArguments),
    /// Measure how time and memory grow with sentence length, candidates, templates, families and treebank size
    Growth(growth::GrowthArguments),
    /// Measure how long it takes to learn each model, by number of threads
    Learning(learning::LearningArguments),
    /// One step of growth or learning, in a process of its own
    #[command(hide = true)]
    MeasureStep(measure_step::StepArguments),
    /// Print a table of the paper from the results of a config, and write its CSV
    Table(table::TableArguments),
    /// Draw a figure of the paper from the results of a config
    Figure(figure::FigureArguments),
    /// Hold the results of a config against what is claimed of them
    Claims(claims::ClaimsArguments),
    /// Write one page of an experiment, as HTML and as Markdown
    Report(report::ReportArguments),
    /// Fill the marked blocks of Markdown pages from results
    Pages(pages::PagesArguments),
    /// Compare results with those of a revision, or of another folder
    Diff(diff::DiffArguments),
    /// Check results: records against each other, their origin and finished work, and a sample by another exact decoder
    Verify(verify::VerifyArguments),
    /// Make a synthetic treebank and write it to files
    Synth(synth::SynthArguments),
    /// Convert treebank files to CoNLL-X
    Convert(convert::ConvertArguments),
    /// Write the factor graphs of cells to files for decode
    Graphs(graphs::GraphsArguments),
    /// Decode factor graph files; prints one JSON line a graph
    Decode(decode::DecodeArguments),
    /// Say why a parser chose the tree of a sentence: scores by part, beside those of the gold tree
    Explain(explain::ExplainArguments),
    /// Print the features that a sentence fires
    Features(features::FeaturesArguments),
    /// Print a template set as a file that a config can name
    Templates(templates::TemplatesArguments),
    /// Cross-validate the baseline on the training part and list its most common errors
    Errors(errors::ErrorsArguments),
    /// Train one parser and write it to a model file
    Train(train::TrainArguments),
    /// Parse a CoNLL file with a model
    Parse(parse::ParseArguments),
    /// Compare a parsed file with a gold one, or two with it
    Eval(eval::EvalArguments),
    /// Print completions for a shell
    Completions(about::CompletionsArguments),
    /// Write manual pages
    Manual(about::ManualArguments),
}

/// The command line, with examples under the flags.
fn command() -> Command {
    examples::with(Arguments::command())
}

/// Runs the program on the process's arguments.
///
/// Exit codes: 0 for success, 1 for anything that went wrong, 2 for a command line that could not be understood.
pub fn main() -> ExitCode {
    // Asked of git only when it is asked for.
    if std::env::args_os().skip(1).eq(["--version"]) {
        return if about::version().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let arguments = Arguments::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit());
    stop::survive_large_files();
    let result = match arguments.verb {
        Verb::Check(a) => experiment::check(&a),
        Verb::List(a) => experiment::list(&a),
        Verb::Plan(a) => plan::plan(&a),
        Verb::Run(a) => run::run(&a),
        Verb::Time(a) => experiment::time(&a),
        Verb::Ablation(a) => search::ablate(&a),
        Verb::Budget(a) => search::budget(&a),
        Verb::Breakdown(a) => looks::breakdown(&a),
        Verb::Calibration(a) => looks::calibration(&a),
        Verb::Growth(a) => growth::growth(&a),
        Verb::Learning(a) => learning::learning(&a),
        Verb::MeasureStep(a) => measure_step::step(&a),
        Verb::Table(a) => table::table(&a),
        Verb::Figure(a) => figure::figure(&a),
        Verb::Claims(a) => claims::claims(&a),
        Verb::Report(a) => report::report(&a),
        Verb::Pages(a) => pages::pages(&a),
        Verb::Diff(a) => diff::diff(&a),
        Verb::Verify(a) => verify::verify(&a),
        Verb::Synth(a) => synth::synth(&a),
        Verb::Convert(a) => convert::convert(&a),
        Verb::Graphs(a) => graphs::graphs(&a),
        Verb::Decode(a) => decode::decode(&a),
        Verb::Explain(a) => explain::explain(&a),
        Verb::Features(a) => features::features(&a),
        Verb::Templates(a) => templates::templates(&a),
        Verb::Errors(a) => errors::errors(&a),
        Verb::Train(a) => train::train(&a),
        Verb::Parse(a) => parse::parse(&a),
        Verb::Eval(a) => eval::eval(&a),
        Verb::Completions(a) => about::completions(command(), &a),
        Verb::Manual(a) => about::manual(command(), &a),
    };
    match result {
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say!("treebound: {}", output::causes(&error));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under_the_flags(command: &Command, verb: &str) -> String {
        let text = command.find_subcommand(verb).and_then(Command::get_after_help);
        text.map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn every_verb_has_examples_that_the_command_line_takes() {
        let command = command();
        let verbs: Vec<_> =
            command.get_subcommands().filter(|verb| !verb.is_hide_set()).map(Command::get_name).collect();
        assert_eq!(verbs, examples::EXAMPLES.iter().map(|(verb, _)| *verb).collect::<Vec<_>>());
        for (verb, examples) in examples::EXAMPLES {
            assert!(!examples.is_empty());
            for (rest, does) in *examples {
                let line = ["treebound", verb].into_iter().chain(rest.split_whitespace());
                let read = command.clone().try_get_matches_from(line).and_then(|m| Arguments::from_arg_matches(&m));
                assert!(read.is_ok(), "{verb} {rest}");
                let shown = under_the_flags(&command, verb);
                assert!(shown.lines().any(|line| line.contains(rest) && line.ends_with(does)), "{verb} {rest}");
            }
        }
    }

    #[test]
    fn what_stands_under_the_flags_already_stays_below_the_examples() {
        let own = under_the_flags(&Arguments::command(), "diff");
        let all = under_the_flags(&command(), "diff");
        assert!(
            !own.is_empty() && all.starts_with("Examples:\n  treebound diff ") && all.ends_with(&format!("\n\n{own}"))
        );
    }
}
