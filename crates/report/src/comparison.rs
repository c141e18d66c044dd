//! Lines against the line that each is held against, sentence by sentence: gains, intervals and p-values as columns.

use crate::frame::Frame;
use crate::measures::{self, Measure};
use crate::sentences::{Sentences, Term};
use crate::tables::blocks::draws;
use treebound_records::number::fixed;
use treebound_records::{ReportError, TableOptions};
use treebound_statistics::{
    CONFIDENCE, Draws, Interval, PairFault, Paired, bootstraps, holm_by_question, over_folds, power, randomisation,
    two_way,
};

/// A line that is held against another one.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The names of both; the gain is that of the first over the second.
    pub lines: [String; 2],
    /// The seeds of each.
    pub seeds: [Vec<u64>; 2],
    /// What counts as one family of tests that are corrected together.
    pub family: String,
    /// What is asked: one model under several searches asks one question.
    pub question: String,
}

/// A sum over lines, each with a sign, that is tested against 0.
#[derive(Clone, Debug)]
pub struct Contrast {
    /// The lines.
    pub terms: Vec<Term>,
    /// The seeds of each.
    pub seeds: Vec<u64>,
    /// What counts as one family of tests that are corrected together.
    pub family: String,
    /// What is asked.
    pub question: String,
}

/// What tests say.
#[derive(Clone, Debug)]
struct Tested {
    p_value: f64,
    p_two_way: Option<f64>,
    p_holm: f64,
    interval: Option<(f64, f64)>,
    detectable: Option<f64>,
}

/// Rows with columns of what tests say of a measure of each pair: `p_value`, `p_two_way` over seeds too, `p_holm` after correction
/// over its family, the ends `gain_low_points` and `gain_high_points` of a 95 % interval, `detectable_points`; and `fault`, why
/// there is no test. Of cross-validated rows these are over folds, where that p-value is the larger one. P-values are words, with as
/// many decimals as the number of rounds can tell apart (at least four), and at least what these show.
///
/// # Errors
/// If there are not as many pairs as rows.
pub fn with_tests(
    rows: Frame,
    pairs: &[Option<Pair>],
    sentences: &Sentences,
    options: &TableOptions,
    measure: &Measure,
) -> Result<Frame, ReportError> {
    let tested = |pair: &Pair| {
        let Pair { lines: [line, other], seeds: [own, theirs], family, question } = pair;
        let paired = sentences.pair([(line, own), (other, theirs)], measure);
        Question { paired, folds: folds(line, options), family: family.clone(), question: question.clone() }
    };
    with_answers(rows, &pairs.iter().map(|pair| pair.as_ref().map(tested)).collect::<Vec<_>>(), draws(options))
}

/// Rows with the columns of [`with_tests`] for the UAS of each contrast, and `effect_points`, its value.
///
/// # Errors
/// If there are not as many contrasts as rows.
pub fn with_contrast_tests(
    rows: Frame,
    contrasts: &[Contrast],
    sentences: &Sentences,
    options: &TableOptions,
) -> Result<Frame, ReportError> {
    let tested = |contrast: &Contrast| {
        let Contrast { terms, seeds, family, question } = contrast;
        let paired = sentences.contrast(terms, seeds, &measures::UAS);
        let folds = terms.first().and_then(|term| folds(&term.line, options));
        Some(Question { paired, folds, family: family.clone(), question: question.clone() })
    };
    let questions: Vec<Option<Question>> = contrasts.iter().map(tested).collect();
    let points = questions.iter().flatten().map(|one| one.paired.as_ref().ok()?.difference_points()).collect();
    with_answers(rows.with_numbers("effect_points", points)?, &questions, draws(options))
}

/// What is tested: its sentences, or why there are none; the family of tests that it is corrected with; and what is asked.
struct Question {
    paired: Result<Paired, PairFault>,
    /// The folds, if lines are cross-validated.
    folds: Option<usize>,
    family: String,
    question: String,
}

/// The folds of a line, if it is cross-validated: its name has the part behind the corpus.
fn folds(line: &str, options: &TableOptions) -> Option<usize> {
    options.folds.filter(|_| line.split('/').nth(1) == Some(CROSS_VALIDATED))
}

/// The level at which differences are called significant.
const LEVEL: f64 = 0.05;

/// What a p-value says, in a word or two; none if there is none.
pub fn significance(p_value: &str) -> Option<&'static str> {
    let p: f64 = p_value.parse().ok()?;
    Some(if p < LEVEL { "significant" } else { "not significant" })
}

/// The columns of [`with_tests`].
fn with_answers(rows: Frame, questions: &[Option<Question>], draws: Draws) -> Result<Frame, ReportError> {
    let whole: Vec<&Paired> = questions.iter().flatten().filter_map(|one| one.paired.as_ref().ok()).collect();
    let mut intervals = bootstraps(&whole, draws, CONFIDENCE).into_iter();
    let mut test = |one: &Question| {
        let tested = |paired| tested(paired, one.folds, intervals.next().flatten(), draws);
        one.paired.as_ref().map(tested).map_err(PairFault::clone)
    };
    let mut tests: Vec<Option<Result<Tested, PairFault>>> =
        questions.iter().map(|one| one.as_ref().map(&mut test)).collect();
    correct(questions, &mut tests);
    let decimals = draws.rounds.checked_ilog10().unwrap_or(0).max(4) as usize;
    let column = |value: &dyn Fn(&Tested) -> Option<f64>| -> Vec<Option<f64>> {
        tests.iter().map(|test| value(test.as_ref()?.as_ref().ok()?)).collect()
    };
    let least = 0.1_f64.powi(decimals as i32);
    let p_words =
        |values: Vec<Option<f64>>| values.into_iter().map(|p| p.map(|p| fixed(p.max(least), decimals))).collect();
    let fault = |test: &Option<Result<Tested, PairFault>>| match test {
        Some(Err(fault)) => Some(fault.to_string()),
        Some(Ok(_)) | None => None,
    };
    rows.with_words("p_value", p_words(column(&|test| Some(test.p_value))))?
        .with_words("p_two_way", p_words(column(&|test| test.p_two_way)))?
        .with_words("p_holm", p_words(column(&|test| Some(test.p_holm))))?
        .with_numbers("gain_low_points", column(&|test| Some(test.interval?.0)))?
        .with_numbers("gain_high_points", column(&|test| Some(test.interval?.1)))?
        .with_numbers("detectable_points", column(&|test| test.detectable))?
        .with_words("fault", tests.iter().map(fault).collect())
}

/// The part of rows whose every sentence was parsed by a model that learnt from other folds.
pub const CROSS_VALIDATED: &str = "cv";

/// What stands in `fault` where the sentences of a line are not here.
pub const NO_SENTENCES: &str = "there are no sentences to compare";

fn tested(paired: &Paired, folds: Option<usize>, interval: Option<Interval>, draws: Draws) -> Tested {
    let p_value = randomisation(paired, draws).p_value();
    let over_sentences = Tested {
        p_value,
        p_two_way: two_way(paired).map(|test| test.p_value()),
        // Corrected when all pairs are there.
        p_holm: p_value,
        interval: interval.map(|interval| (interval.low_points, interval.high_points)),
        detectable: power(paired).map(|power| power.detectable_points()),
    };
    match folds.and_then(|folds| over_folds(paired, folds)).filter(|test| test.p_value() > p_value) {
        Some(test) => Tested {
            p_value: test.p_value(),
            p_holm: test.p_value(),
            interval: Some(test.interval(CONFIDENCE)),
            detectable: Some(test.detectable_points()),
            ..over_sentences
        },
        None => over_sentences,
    }
}

/// Holm's correction of each family.
fn correct(questions: &[Option<Question>], tests: &mut [Option<Result<Tested, PairFault>>]) {
    let mut families: Vec<&str> = questions.iter().flatten().map(|one| one.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        let is_member = |at: &usize| questions[*at].as_ref().is_some_and(|one| one.family == family);
        let members: Vec<usize> = (0..questions.len()).filter(is_member).collect();
        let asked: Vec<&str> =
            members.iter().filter_map(|&at| questions[at].as_ref()).map(|one| one.question.as_str()).collect();
        let p_value = |&at: &usize| Some(tests[at].as_ref()?.as_ref().ok()?.p_value);
        let p_values: Vec<Option<f64>> = members.iter().map(p_value).collect();
        for (&at, corrected) in members.iter().zip(holm_by_question(&asked, &p_values)) {
            if let (Some(Ok(tested)), Some(corrected)) = (&mut tests[at], corrected) {
                tested.p_holm = corrected;
            }
        }
    }
}

/// The seeds of each row that has counts, from the `seed_list` of [means](Frame::means).
///
/// # Errors
/// If rows are no means.
pub fn seeds_of_lines(lines: &Frame) -> Result<Vec<Vec<u64>>, ReportError> {
    let seeds = |list: String| list.split(", ").filter_map(|seed| seed.parse().ok()).collect();
    Ok(lines.words("seed_list")?.into_iter().map(seeds).collect())
}

/// A measure of one line less that of another, in points, over some of their seeds.
///
/// # Errors
/// If the rows are not those of `scores.csv`.
pub fn points(scores: &Frame, line: &str, seeds: &[u64], measure: &Measure) -> Result<Option<f64>, ReportError> {
    let Some([part, whole]) = measure.pair() else { return Ok(None) };
    let rows = scores.words("line")?.into_iter().zip(scores.counts("seed")?);
    let rows: Vec<usize> = rows
        .enumerate()
        .filter(|(_, (own, seed))| own == line && seed.is_some_and(|seed| seeds.contains(&seed)))
        .map(|(row, _)| row)
        .collect();
    let sum = |name: &str| {
        let counts = scores.counts(name)?;
        Ok::<u64, ReportError>(rows.iter().filter_map(|&row| counts[row]).fold(0, u64::saturating_add))
    };
    Ok(treebound_records::number::percent(sum(part)?, sum(whole)?))
}
