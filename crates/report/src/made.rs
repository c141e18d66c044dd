//! Tables and figures of results: one entry of a list each, by which verbs, the report and the check of what is committed make
//! them.

use std::collections::BTreeSet;
use std::path::Path;

use polars::prelude::LazyFrame;

use crate::curves;
use crate::figures::{self, Figure, lines_on_main_part};
use crate::frame::{BASELINE, Frame};
use crate::results::{Results, ResultsError};
use crate::sentences::Sentences;
use crate::speed::speeds;
use crate::tables::blocks::TableOptions;
use crate::tables::table::Table;
use crate::tables::{ablation, beside, calls, effects, league, learners, states, table2, table3};
use treebound_records::number::counted;
use treebound_records::schema::{self, Schema};
use treebound_records::{ReportError, cell_numbers, file};

/// A table of results.
#[derive(Clone, Copy)]
pub struct TableKind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
    /// The files that are made of results alone.
    pub files: &'static [&'static str],
    /// Whether it can put the values of axes side by side.
    pub has_beside: bool,
    make: fn(&Results) -> Result<Made, ResultsError>,
}

impl TableKind {
    /// Makes it of what was asked for, or else of what the config says.
    ///
    /// # Errors
    /// If there is nothing to make it of.
    pub fn made(&self, results: &Results) -> Result<Made, ResultsError> {
        check_beside(results, self.has_beside, || format!("table {}", self.name))?;
        let shown = results.shown_by(&format!("table {}", self.name))?;
        (self.make)(shown.as_ref().unwrap_or(results))
    }
}

/// All of them.
pub const TABLES: [TableKind; 9] = [
    TableKind {
        name: "2",
        help: "Feature sets against the baseline",
        files: &["table2.csv"],
        has_beside: true,
        make: sets,
    },
    TableKind {
        name: "3",
        help: "What pruning costs and brings",
        files: &["table3.csv", "dp_calls.csv"],
        has_beside: false,
        make: prunings,
    },
    TableKind {
        name: "calls",
        help: "How DP calls are spread over sentences",
        files: &["calls.csv"],
        has_beside: false,
        make: spread,
    },
    TableKind {
        name: "ablation",
        help: "What each family and each group of templates is worth",
        files: &["ablation.csv"],
        has_beside: true,
        make: steps,
    },
    TableKind {
        name: "effects",
        help: "What each family and each pair of families adds, of grids with every combination",
        files: &["effects.csv"],
        has_beside: false,
        make: family_effects,
    },
    TableKind {
        name: "learners",
        help: "Models without non-local features, by learner",
        files: &["learners.csv"],
        has_beside: false,
        make: models,
    },
    TableKind {
        name: "calibration",
        help: "How far the probabilities of heads are to be believed, of CRFs",
        files: &["calibration_error.csv"],
        has_beside: false,
        make: probabilities,
    },
    TableKind {
        name: "states",
        help: "What searches over states find and cost, of systems that count them",
        files: &["states.csv"],
        has_beside: false,
        make: state_searches,
    },
    TableKind {
        name: "league",
        help: "All parsers of a treebank: accuracy, proofs, speed, learning, size",
        files: &["league.csv"],
        has_beside: false,
        make: all_parsers,
    },
];

/// What came of a table.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// For people.
    pub tables: Vec<Table>,
    /// Files to write: names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Why it is not what is asked for; then no file is written.
    pub incomplete: Vec<String>,
    /// What else there is to say.
    pub hints: Vec<String>,
}

impl Made {
    /// A table with the name of its file.
    ///
    /// # Errors
    /// If it has no CSV.
    pub fn new(table: Table, file: &str) -> Result<Self, ReportError> {
        let files = vec![(file.to_owned(), table.csv()?)];
        Ok(Self { tables: vec![table], files, ..Self::default() })
    }
}

/// Table 3, and the bytes of its speeds if something was timed.
pub type PruningTable = (Table, Option<Vec<u8>>);

/// What Tables 2 and 3 are made of.
pub struct Scored {
    /// What is there of the cells that are looked at.
    pub scores: Frame,
    speeds: LazyFrame,
    incomplete: Vec<String>,
    hints: Vec<String>,
}

impl Scored {
    /// Reads it; there must be some.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn read(results: &Results) -> Result<Self, ResultsError> {
        let scores = results.frame("scores.csv", &schema::SCORES)?;
        let found = if scores.is_empty() { BTreeSet::new() } else { scores.words("cell")?.into_iter().collect() };
        let mut incomplete: Vec<String> = results.missing("scores.csv", "run", &found)?.into_iter().collect();
        if scores.is_empty() {
            return Err(ResultsError::Nothing(incomplete.join("\n")));
        }
        let failed = scores.words("error")?.iter().filter(|error| !error.is_empty()).count();
        if failed > 0 {
            incomplete.push(format!("{failed} of {} cells failed", results.wanted.height()));
        }
        let times = results.measured("speed.csv", &schema::SPEED)?;
        let hints = untimed(results, &times)?.into_iter().collect();
        let speeds = speeds(&times, &scores)?;
        Ok(Self { scores, speeds, incomplete, hints })
    }

    /// The cells that `first` takes, and the others; what is missing is said of the first.
    ///
    /// # Errors
    /// If rows have no cells.
    pub fn split(&self, first: impl Fn(&str) -> bool) -> Result<(Self, Self), ReportError> {
        let [ours, others] = [true, false].map(|is_first| self.scores.only("cell", |cell| first(cell) == is_first));
        let with = |scores, incomplete: &[String], hints: &[String]| Self {
            scores,
            speeds: self.speeds.clone(),
            incomplete: incomplete.to_vec(),
            hints: hints.to_vec(),
        };
        Ok((with(ours?, &self.incomplete, &self.hints), with(others?, &[], &[])))
    }

    /// Table 2 of some of its lines.
    ///
    /// # Errors
    /// If they are no such lines, or have no axis that is to stand side by side.
    pub fn sets(&self, lines: &Frame, results: &Results) -> Result<Table, ResultsError> {
        let options = &results.facts.options;
        check_axes(lines, options)?;
        Ok(match options.beside.is_empty() {
            true => table2::table(lines, &self.scores, options)?,
            false => beside::table(lines, options)?,
        })
    }

    /// The lines of Table 2, and what their p-values lack.
    ///
    /// # Errors
    /// If rows do not go together.
    pub fn set_lines(&self, results: &Results) -> Result<(Frame, Option<String>), ResultsError> {
        let sentences = results.sentences(&self.scores)?;
        let unpaired = unpaired(results, &self.scores, &sentences)?;
        Ok((table2::lines(&self.scores, &sentences, self.speeds.clone(), &results.facts.options)?, unpaired))
    }

    /// Table 3 and the bytes of its speeds, if something was timed; none where no set was run with several prunings.
    ///
    /// # Errors
    /// If rows do not go together.
    pub fn prunings(&self, results: &Results) -> Result<Option<PruningTable>, ResultsError> {
        let options = &results.facts.options;
        let lines = table3::lines(&self.scores, self.speeds.clone(), options)?;
        if lines.is_empty() {
            return Ok(None);
        }
        let is_timed = lines.query(|_| self.speeds.clone())?.height() > 0;
        let speeds = if is_timed { Some(table3::speed_csv(&lines)?) } else { None };
        Ok(Some((table3::table(&lines, &self.scores, options)?, speeds)))
    }

    /// The DP calls of section 4.6, which are of interest with one pruning too.
    ///
    /// # Errors
    /// If rows do not go together.
    pub fn calls(&self, results: &Results) -> Result<Table, ResultsError> {
        Ok(calls::table(&calls::lines(&self.scores, &results.facts.options)?)?)
    }

    /// Whether models without non-local features were learnt in several ways.
    ///
    /// # Errors
    /// If rows have no learners.
    pub fn has_several_learners(&self) -> Result<bool, ReportError> {
        Ok(self.scores.only("features", |features| features == BASELINE)?.distinct("learner")?.len() > 1)
    }

    fn made(self, table: Table, file: &str) -> Result<Made, ReportError> {
        Ok(Made { incomplete: self.incomplete, hints: self.hints, ..Made::new(table, file)? })
    }
}

/// Table 2. Its file has all lines; shown are those that are wanted, if there are such.
fn sets(results: &Results) -> Result<Made, ResultsError> {
    let scored = Scored::read(results)?;
    let (lines, unpaired) = scored.set_lines(results)?;
    let wanted: BTreeSet<String> = results.wanted.words("line")?.into_iter().collect();
    let own = lines.only("line", |line| wanted.contains(line))?;
    let shown = if own.is_empty() { &lines } else { &own };
    let whole = table2::table(&lines, &scored.scores, &results.facts.options)?;
    let table = scored.sets(shown, results)?.with_file_of(whole);
    let mut made = scored.made(table, "table2.csv")?;
    let others = (lines.height() - shown.height()) as u64;
    if others > 0 {
        let others = counted(others, "line of a grid that is", "lines of grids that are");
        made.hints.push(format!(
            "{others} not run by default: shown with --grid NAME, and all with -f . ({} has them too)",
            results.path("table2.csv").display()
        ));
    }
    made.hints.extend(unpaired);
    Ok(made)
}

/// An error if values are to stand side by side in what cannot show them so.
fn check_beside(results: &Results, has_beside: bool, name: impl Fn() -> String) -> Result<(), ResultsError> {
    if has_beside || results.facts.options.beside.is_empty() {
        return Ok(());
    }
    let tables = TABLES.iter().filter(|kind| kind.has_beside).map(|kind| format!("table {}", kind.name));
    let figures = FIGURES.iter().filter(|kind| kind.has_beside).map(|kind| format!("figure {}", kind.name));
    let known = tables.chain(figures).collect::<Vec<_>>().join(", ");
    Err(ResultsError::Nothing(format!("--beside is for {known}, not for {}", name())))
}

/// An error if an axis that is to stand side by side is none of these rows.
fn check_axes(rows: &Frame, options: &TableOptions) -> Result<(), ResultsError> {
    if let Some(unknown) = options.beside.iter().find(|axis| beside::axes(rows).all(|own| own != *axis)) {
        let axes = beside::axes(rows).collect::<Vec<_>>().join(", ");
        return Err(ResultsError::Nothing(format!("there is no axis `{unknown}`; side by side can stand {axes}")));
    }
    Ok(())
}

/// Table 3, with the calls under it.
fn prunings(results: &Results) -> Result<Made, ResultsError> {
    let scored = Scored::read(results)?;
    let (calls, prunings) = (scored.calls(results)?, scored.prunings(results)?);
    let mut made = scored.made(calls, "dp_calls.csv")?;
    match prunings {
        None => {
            let hint =
                "no Table 3: it compares prunings, and no feature set was run with more than one (see `pruning`)";
            made.hints.push(hint.to_owned());
        }
        Some((shown, speeds)) => {
            made.files.push(("table3.csv".to_owned(), shown.csv()?));
            made.files.extend(speeds.map(|bytes| ("speed_table3.csv".to_owned(), bytes)));
            made.tables.insert(0, shown);
        }
    }
    Ok(made)
}

/// Models without non-local features, by learner.
fn models(results: &Results) -> Result<Made, ResultsError> {
    let scored = Scored::read(results)?;
    let table = learners::learners(&scored.scores, &results.facts.options)?;
    Ok(scored.made(table, "learners.csv")?)
}

impl Scored {
    /// What searches over states find and cost; none if no system counts states.
    fn state_lines(&self, results: &Results) -> Result<Option<Frame>, ResultsError> {
        let lines = states::lines(&self.scores, self.speeds.clone(), &results.facts.options)?;
        Ok(Some(lines).filter(|lines| !lines.is_empty()))
    }

    fn league_lines(&self, results: &Results) -> Result<Frame, ResultsError> {
        let learning = Frame::read(&results.path("learning.csv"), &schema::LEARNING)?;
        Ok(league::lines(&self.scores, self.speeds.clone(), &learning, &results.facts.options)?)
    }
}

/// Searches over states.
fn state_searches(results: &Results) -> Result<Made, ResultsError> {
    let scored = Scored::read(results)?;
    let Some(lines) = scored.state_lines(results)? else {
        return Err(ResultsError::Nothing(no_row(results, "scores.csv", "run")));
    };
    Ok(scored.made(states::table(&lines, &results.facts.options)?, "states.csv")?)
}

/// All parsers.
fn all_parsers(results: &Results) -> Result<Made, ResultsError> {
    let scored = Scored::read(results)?;
    let lines = scored.league_lines(results)?;
    Ok(scored.made(league::table(&lines, &results.facts.options)?, "league.csv")?)
}

/// How far probabilities are to be believed.
fn probabilities(results: &Results) -> Result<Made, ResultsError> {
    let rows = results.measured("calibration.csv", &schema::CALIBRATION)?;
    if rows.is_empty() {
        return Err(ResultsError::Nothing(no_row(results, "calibration.csv", "measure calibration")));
    }
    Ok(Made::new(learners::calibration(&rows)?, "calibration_error.csv")?)
}

/// Says that a file has no row that is looked at.
fn no_row(results: &Results, file: &str, verb: &str) -> String {
    let path = results.path(file);
    format!("{} has no row of a wanted cell; make them with: {}", path.display(), results.command(verb))
}

/// Steps of an ablation, with what of the sentences is not there: without them differences have neither interval nor p.
fn found_steps(results: &Results) -> Result<(Frame, Option<String>), ResultsError> {
    let scores = results.frame("scores.csv", &schema::SCORES)?;
    let nothing = || {
        ResultsError::Nothing(format!(
            "no two settings of {} are one step apart; sets = \"ablation\" in a grid makes such (see make ablation)",
            results.path("scores.csv").display()
        ))
    };
    if scores.is_empty() {
        return Err(nothing());
    }
    let sentences = results.sentences(&scores)?;
    let no_templates = || ResultsError::Nothing("the config has no grid with templates".to_owned());
    let usual = results.facts.usual_templates.as_deref().ok_or_else(no_templates)?;
    let steps = ablation::steps(&scores, &sentences, usual, &results.facts.options)?;
    if steps.is_empty() {
        return Err(nothing());
    }
    let lines: BTreeSet<String> = steps.words("line")?.into_iter().chain(steps.words("from")?).collect();
    let there: BTreeSet<String> = sentences.cells().collect();
    let needed = scores.only("line", |line| lines.contains(line))?.only("error", str::is_empty)?.words("cell")?;
    let missing: Vec<String> = needed.iter().filter(|cell| !there.contains(*cell)).cloned().collect();
    Ok((steps, results.complaint(cell_numbers::FILE, "run", &missing, needed.len())))
}

/// The ablation.
fn steps(results: &Results) -> Result<Made, ResultsError> {
    let (steps, incomplete) = found_steps(results)?;
    check_axes(&steps, &results.facts.options)?;
    let made = Made::new(ablation::table(&steps, &results.facts.options)?, "ablation.csv")?;
    Ok(Made { incomplete: incomplete.into_iter().collect(), ..made })
}

/// The effects of families, of what has scores: combinations that are still to be run are not waited for.
fn family_effects(results: &Results) -> Result<Made, ResultsError> {
    let scored = Scored::read(results)?;
    let sentences = results.sentences(&scored.scores)?;
    let effects = effects::effects(&scored.scores, &sentences, &results.facts.options)?;
    if effects.is_empty() {
        let path = results.path("scores.csv");
        let why =
            format!("no part of {} has every combination of its families; sets = \"all\" makes them", path.display());
        return Err(ResultsError::Nothing(why));
    }
    let table = effects::table(&effects, &results.facts.options)?;
    Ok(scored.made(table, "effects.csv")?)
}

/// The spread of DP calls over sentences, of all cells that have scores; what is chosen by a filter is only shown.
fn spread(results: &Results) -> Result<Made, ResultsError> {
    let scores = Frame::read(&results.path("scores.csv"), &schema::SCORES)?;
    if scores.is_empty() {
        return Err(ResultsError::Nothing(results.path("scores.csv").display().to_string()));
    }
    let scores = scores.only("cell", |cell| results.all.contains(cell))?;
    let sentences = results.sentences(&scores)?;
    let (all, lacking) = calls::spread(&scores, &sentences, &results.facts.options)?;
    let wanted: BTreeSet<String> = results.wanted.words("line")?.into_iter().collect();
    let missing: Vec<String> = lacking.into_iter().filter(|line| wanted.contains(line)).collect();
    if all.is_empty() {
        let missing = results.complaint(cell_numbers::FILE, "run", &missing, missing.len());
        return Err(ResultsError::Nothing(missing.unwrap_or_else(|| "no cell was searched".to_owned())));
    }
    let chosen = all.only("line", |line| wanted.contains(line))?;
    let shown = if chosen.is_empty() { &all } else { &chosen };
    let hints = results.complaint(cell_numbers::FILE, "run", &missing, all.height() + missing.len());
    Ok(Made {
        tables: vec![calls::spread_table(shown)?],
        files: vec![("calls.csv".to_owned(), calls::spread_table(&all)?.csv()?)],
        incomplete: Vec::new(),
        hints: hints.into_iter().collect(),
    })
}

/// What the sentences lack of the scores, without which there is no p-value.
///
/// # Errors
/// If rows have no cells.
pub fn unpaired(results: &Results, scores: &Frame, sentences: &Sentences) -> Result<Option<String>, ReportError> {
    if scores.is_empty() {
        return Ok(None);
    }
    let there: BTreeSet<String> = sentences.cells().collect();
    // Those of grids that are not run here are not waited for.
    let wanted = results.wanted_names()?;
    let cells = scores.only("error", str::is_empty)?.words("cell")?.into_iter();
    let missing: Vec<String> = cells.filter(|cell| !there.contains(cell) && wanted.contains(cell)).collect();
    let complaint = results.complaint(cell_numbers::FILE, "run", &missing, scores.height());
    Ok(complaint.map(|complaint| format!("p-values need the sentences: {complaint}")))
}

/// What was not timed, on the parts where something was: not every part is.
fn untimed(results: &Results, times: &Frame) -> Result<Option<String>, ReportError> {
    if times.is_empty() {
        return Ok(None);
    }
    let parts: BTreeSet<(String, String)> = times.words("corpus")?.into_iter().zip(times.words("split")?).collect();
    let timed: BTreeSet<String> = times.words("line")?.into_iter().collect();
    let lines = if results.wanted.is_empty() { return Ok(None) } else { results.wanted.lines()? };
    let own = lines.words("corpus")?.into_iter().zip(lines.words("split")?).zip(lines.words("line")?);
    let of_parts: Vec<String> = own.filter(|(part, _)| parts.contains(part)).map(|(_, line)| line).collect();
    let missing: Vec<String> = of_parts.iter().filter(|line| !timed.contains(*line)).cloned().collect();
    Ok(results.complaint("speed.csv", "measure time", &missing, of_parts.len()))
}

/// A figure of results.
#[derive(Clone, Copy)]
pub struct FigureKind {
    /// Its name on the command line.
    pub name: &'static str,
    /// The name of its files.
    pub file: &'static str,
    /// What it shows.
    pub caption: &'static str,
    /// Whether it is of sentences by their length, and shows, as in the paper, the largest feature sets alone if nothing else is
    /// asked for.
    pub is_by_length: bool,
    /// Whether it can put the values of axes side by side.
    pub has_beside: bool,
    draw: fn(&Results) -> Result<Figure, ResultsError>,
}

const fn figure(
    name: &'static str,
    caption: &'static str,
    draw: fn(&Results) -> Result<Figure, ResultsError>,
) -> FigureKind {
    FigureKind { name, file: name, caption, is_by_length: false, has_beside: false, draw }
}

/// All of them, in the order of a page.
pub const FIGURES: [FigureKind; 10] = [
    FigureKind {
        file: "figure4",
        is_by_length: true,
        has_beside: true,
        ..figure("4", "Parse time against sentence length (the paper's Figure 4)", times)
    },
    FigureKind {
        file: "figure5",
        is_by_length: true,
        has_beside: true,
        ..figure("5", "Calls to the dynamic program against sentence length (the paper's Figure 5)", dp_calls)
    },
    figure("breakdown", "Accuracy by sentence length, arc length and distance from the root", breakdown),
    figure("calibration", "How many heads are right against how probable they were", calibration),
    FigureKind {
        has_beside: true,
        ..figure("ablation", "What each family and each group of templates is worth", ablation_steps)
    },
    figure("templates", "Accuracy and calls against the number of templates", templates),
    figure("budget", "Accuracy and proofs with searches stopped early", budget),
    figure("growth", "Time and memory against what they grow with", growth),
    figure("states", "What searches over states find and cost", states),
    figure("league", "Accuracy against speed, of all parsers", league),
];

impl FigureKind {
    /// Draws it of what was asked for, or else of what the config says, or else of the lines that it shows as a rule.
    ///
    /// # Errors
    /// If it lacks rows.
    pub fn drawn(&self, results: &Results) -> Result<Figure, ResultsError> {
        check_beside(results, self.has_beside, || format!("figure {}", self.name))?;
        if let Some(shown) = results.shown_by(&format!("figure {}", self.name))? {
            return (self.draw)(&shown);
        }
        if !self.is_by_length || results.is_filtered || results.wanted.is_empty() {
            return (self.draw)(results);
        }
        let main = figures::main_lines(&results.wanted)?;
        let mut shown = results.clone();
        shown.restrict(|line| main.contains(line))?;
        (self.draw)(&shown)
    }
}

/// A figure, unless it lacks rows.
fn whole(figure: &'static str, drawn: Figure, lacking: Option<String>) -> Result<Figure, ResultsError> {
    lacking.map_or(Ok(drawn), |why| Err(ResultsError::NotDrawn { figure, why }))
}

/// Figure 4. Every setting must be timed, with whichever seeds.
fn times(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.measured("speed.csv", &schema::SPEED)?;
    let wanted = results.wanted.distinct("line")?;
    let timed: BTreeSet<String> =
        if rows.is_empty() { BTreeSet::new() } else { rows.words("line")?.into_iter().collect() };
    let missing: Vec<String> = wanted.iter().filter(|line| !timed.contains(*line)).cloned().collect();
    let lacking = results.complaint("speed.csv", "measure time", &missing, wanted.len());
    if let (true, Some(why)) = (rows.is_empty(), lacking.clone()) {
        return Err(ResultsError::NotDrawn { figure: "4", why });
    }
    let options = &results.facts.options;
    check_axes(&rows, options)?;
    whole("4", figures::figure4(&curves::times(&rows, options)?, options)?, lacking)
}

/// Figure 5.
fn dp_calls(results: &Results) -> Result<Figure, ResultsError> {
    let scores = results.frame("scores.csv", &schema::SCORES)?;
    let sentences = results.sentences(&scores)?;
    let lengths = results.frame("by_length.csv", &schema::BY_LENGTH)?;
    let mut found: BTreeSet<String> = sentences.cells().collect();
    if !lengths.is_empty() {
        found.extend(lengths.words("cell")?);
    }
    let lacking = results.missing(cell_numbers::FILE, "run", &found)?;
    if let (true, Some(why)) = (scores.is_empty(), lacking.clone()) {
        return Err(ResultsError::NotDrawn { figure: "5", why });
    }
    let options = &results.facts.options;
    check_axes(&scores, options)?;
    let curves = curves::calls(&scores, &sentences, &lengths, options)?;
    whole("5", figures::figure5(&curves, options)?, lacking)
}

/// The rows of a figure that has the name of its file and of the verb which makes it. Without a filter they are those of the test
/// part, if it was looked at.
fn of_words(results: &Results, figure: &'static str, file: &str, schema: &Schema) -> Result<Frame, ResultsError> {
    let mut rows = results.measured(file, schema)?;
    if !results.is_filtered && !rows.is_empty() {
        let shown = lines_on_main_part(&rows)?;
        rows = rows.only("line", |line| shown.contains(line))?;
    }
    if rows.is_empty() {
        return Err(ResultsError::NotDrawn { figure, why: no_row(results, file, &format!("measure {figure}")) });
    }
    Ok(rows)
}

fn breakdown(results: &Results) -> Result<Figure, ResultsError> {
    Ok(figures::breakdown(&of_words(results, "breakdown", "breakdown.csv", &schema::BREAKDOWN)?)?)
}

fn calibration(results: &Results) -> Result<Figure, ResultsError> {
    Ok(figures::calibration(&of_words(results, "calibration", "calibration.csv", &schema::CALIBRATION)?)?)
}

fn ablation_steps(results: &Results) -> Result<Figure, ResultsError> {
    let (steps, lacking) = found_steps(results)?;
    check_axes(&steps, &results.facts.options)?;
    whole("ablation", figures::ablation(&steps, &results.facts.options)?, lacking)
}

fn templates(results: &Results) -> Result<Figure, ResultsError> {
    let scores = results.frame("scores.csv", &schema::SCORES)?;
    let path = results.path("scores.csv");
    let nothing = || ResultsError::NotDrawn {
        figure: "templates",
        why: format!("no row of {} was run with two template sets", path.display()),
    };
    if scores.is_empty() {
        return Err(nothing());
    }
    let figure = figures::templates(&scores, &results.facts.template_counts)?;
    if figure.is_empty() { Err(nothing()) } else { Ok(figure) }
}

/// The budget figure, of the cells that were decoded on budgets.
fn budget(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.measured("budget.csv", &schema::SEARCH)?;
    if rows.is_empty() {
        let why = no_row(results, "budget.csv", "measure budget");
        return Err(ResultsError::NotDrawn { figure: "budget", why });
    }
    Ok(figures::budget(&rows, &results.facts.options)?)
}

/// The growth figure. Its rows belong to no cell.
fn growth(results: &Results) -> Result<Figure, ResultsError> {
    let path = results.path("growth.csv");
    let rows = Frame::read(&path, &schema::GROWTH)?;
    if rows.is_empty() {
        let make = results.command("measure growth");
        let why = format!("{} has no rows; make them with: {make}", path.display());
        return Err(ResultsError::NotDrawn { figure: "growth", why });
    }
    Ok(figures::growth(&rows)?)
}

/// The states figure.
fn states(results: &Results) -> Result<Figure, ResultsError> {
    let scored = Scored::read(results)?;
    let Some(lines) = scored.state_lines(results)? else {
        return Err(ResultsError::NotDrawn { figure: "states", why: no_row(results, "scores.csv", "run") });
    };
    let lacking = (!scored.incomplete.is_empty()).then(|| scored.incomplete.join("\n"));
    whole("states", figures::states(&lines, &results.facts.options)?, lacking)
}

/// The league as a figure, of what was timed.
fn league(results: &Results) -> Result<Figure, ResultsError> {
    let scored = Scored::read(results)?;
    let drawn = figures::league(&scored.league_lines(results)?, &results.facts.options)?;
    if drawn.is_empty() {
        return Err(ResultsError::NotDrawn { figure: "league", why: no_row(results, "speed.csv", "measure time") });
    }
    Ok(drawn)
}

/// Where the tables and figures that are there are not what results say: a line a file.
///
/// # Errors
/// If results cannot be read.
pub fn differences(results: &Results) -> Result<Vec<String>, ResultsError> {
    let mut differences = Vec::new();
    for kind in &TABLES {
        let there: Vec<&str> = kind.files.iter().copied().filter(|file| results.path(file).exists()).collect();
        if there.is_empty() {
            continue;
        }
        let made = kind.made(results)?;
        for file in there {
            let path = results.path(file);
            let wanted = made.files.iter().find(|(name, _)| name == file);
            differences.extend(match wanted {
                _ if !made.incomplete.is_empty() => Some(format!("{}: {}", path.display(), made.incomplete.join("\n"))),
                None => Some(format!("{}: the results have nothing for it", path.display())),
                Some((_, wanted)) => difference(&path, wanted)?,
            });
        }
    }
    Ok(differences)
}

/// The first line in which a file differs from what it should be, if it does.
///
/// # Errors
/// If the file cannot be read.
pub fn difference(path: &Path, wanted: &[u8]) -> Result<Option<String>, ReportError> {
    let there = file::read(path)?;
    let same = there.split(|&byte| byte == b'\n').zip(wanted.split(|&byte| byte == b'\n'));
    let same = same.take_while(|(there, wanted)| there == wanted).count();
    let message = || format!("{}: line {} is not what the results say", path.display(), same + 1);
    Ok((there != wanted).then(message))
}
