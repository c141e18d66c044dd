//! The verdicts as a table, and as files: those that depend on a machine stand apart.

use super::evidence::Scope;
use super::finding::{Failure, Finding, Numbers, correct};
use super::judge::judge;
use super::{Claim, Evidence, Verdict};
use crate::tables::table::{Section, Table};
use crate::tables::wrap::{WIDTH, wrap_note};
use treebound_records::ReportError;
use treebound_records::number::counted;
use treebound_records::sheet::Sheet;

/// A claim with its verdict on one corpus and one choice of tags.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The claim.
    pub claim: Claim,
    /// Of which corpus and tags.
    pub scope: Scope,
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on, for people.
    pub evidence: String,
    /// The numbers of the comparison that decides.
    pub numbers: Numbers,
    /// Whether it is undecided for want of the sentences of a row.
    pub lacks_sentences: bool,
    /// Whether it is undecided since nothing that it rests on was run.
    pub is_missing: bool,
    /// Why it does not hold, if that is so and somebody has said why.
    pub failure: Option<Failure>,
}

/// All verdicts, in the order of corpora, tags and claims.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimTable {
    judged: Vec<Judged>,
}

impl ClaimTable {
    /// Judges every claim on every corpus and choice of tags.
    ///
    /// # Errors
    /// If rows contradict each other.
    pub fn new(claims: &[Claim], evidence: &Evidence) -> Result<Self, ReportError> {
        let mut judged = Vec::new();
        for scope in evidence.scopes()? {
            let claims = claims.iter().filter(|claim| claim.only.as_ref().is_none_or(|only| *only == scope.corpus));
            let findings = claims.clone().map(|claim| judge(claim, evidence, &scope));
            let mut findings: Vec<Finding> = findings.collect::<Result<_, _>>()?;
            correct(&mut findings);
            judged.extend(claims.zip(findings).map(|(claim, finding)| Judged {
                claim: claim.clone(),
                scope: scope.clone(),
                verdict: finding.verdict,
                evidence: finding.text(),
                numbers: finding.numbers(),
                lacks_sentences: finding.lacks_sentences(),
                is_missing: finding.is_missing(),
                failure: None,
            }));
        }
        Ok(Self { judged })
    }

    /// With why claims do not hold, as a config says.
    pub fn explained(mut self, failures: &[Failure]) -> Self {
        for judged in &mut self.judged {
            let fails = judged.verdict == Verdict::DoesNotHold;
            let explains = |failure: &&Failure| fails && failure.claims.contains(&judged.claim.name);
            judged.failure = failures.iter().find(explains).cloned();
        }
        self
    }

    /// The claims that are explained and do not fail anywhere.
    pub fn outlived<'f>(&self, failures: &'f [Failure]) -> Vec<&'f str> {
        let fails = |name: &str| self.judged.iter().any(|j| j.claim.name == name && j.verdict == Verdict::DoesNotHold);
        failures.iter().flat_map(|failure| &failure.claims).map(String::as_str).filter(|name| !fails(name)).collect()
    }

    /// The claims of which something was run, and how many others there are.
    pub fn without_missing(self) -> (Self, usize) {
        let all = self.judged.len();
        let judged: Vec<Judged> = self.judged.into_iter().filter(|judged| !judged.is_missing).collect();
        let missing = all - judged.len();
        (Self { judged }, missing)
    }

    /// The verdicts.
    pub fn judged(&self) -> &[Judged] {
        &self.judged
    }

    /// The columns of `claims.csv`, or of `speed_claims.csv` with the claims on time.
    pub fn sheet(&self, timed: bool) -> Sheet {
        let rows: Vec<&Judged> = self.judged.iter().filter(|j| j.claim.metric.is_time() == timed).collect();
        let rows = || rows.iter();
        let numbers = || rows().map(|j| &j.numbers);
        let failures = || rows().map(|j| j.failure.as_ref());
        Sheet::default()
            .text("corpus", rows().map(|j| &j.scope.corpus))
            .text("tags", rows().map(|j| &j.scope.tags))
            .text("claim", rows().map(|j| &j.claim.name))
            .text("kind", rows().map(|j| j.claim.kind.name()))
            .text("verdict", rows().map(|j| j.verdict.name()))
            .text("evidence", rows().map(|j| &j.evidence))
            .text("text", rows().map(|j| &j.claim.text))
            .text("source", rows().map(|j| &j.claim.source))
            .optional_text("unit", numbers().map(|n| Some(n.unit.to_owned()).filter(|unit| !unit.is_empty())))
            .fixed("published", 2, numbers().map(|n| n.published))
            .fixed("ours", 2, numbers().map(|n| n.ours))
            .fixed("low", 2, numbers().map(|n| Some(n.interval?.0)))
            .fixed("high", 2, numbers().map(|n| Some(n.interval?.1)))
            .fixed("p_value", 4, numbers().map(|n| n.p_value))
            .fixed("p_folds", 4, numbers().map(|n| n.p_folds))
            .fixed("p_two_way", 4, numbers().map(|n| n.p_two_way))
            .fixed("p_sentences", 4, numbers().map(|n| n.p_sentences))
            .fixed("p_holm", 4, numbers().map(|n| n.p_holm))
            .fixed("detectable_points", 2, numbers().map(|n| n.detectable.filter(|_| n.are_in_points())))
            .count("compared_sentences", numbers().map(|n| n.sentences))
            .count("compared_seeds", numbers().map(|n| n.seeds))
            .count("sentences_needed", numbers().map(|n| n.sentences_needed))
            .count("sentences_needed_published", numbers().map(|n| n.sentences_needed_published))
            .optional_text("cause", failures().map(|f| Some(f?.cause.to_owned())))
            .optional_text("why", failures().map(|f| Some(f?.text.clone())))
            .optional_text("shown_by", failures().map(|f| Some(f?.grids.join(" ")).filter(|grids| !grids.is_empty())))
    }

    /// The table, with the columns of `claims.csv`.
    pub fn table(&self) -> Table {
        let mut sections = Vec::new();
        for block in self.judged.chunk_by(|a, b| a.scope == b.scope) {
            let Some(Judged { scope, .. }) = block.first() else { continue };
            let words = |j: &Judged| {
                let why = j.failure.as_ref().map_or_else(String::new, |failure| format!("\nWhy: {failure}"));
                format!("{} ({})\n{}{why}", j.claim.text, j.claim.source, j.evidence)
            };
            let section = Section::new(format!("Claims: {}, {} tags", scope.corpus, scope.tags))
                .left("verdict", block.iter().map(|j| j.verdict.name().to_owned()))
                .left("claim, and what decided", block.iter().map(|j| wrap(&words(j))));
            sections.push(section);
        }
        Table::new(sections, self.sheet(false)).with_closing(self.closing())
    }

    /// The table with a column for each thing, for pages whose cells are as wide as they need to be.
    pub fn wide_table(&self) -> Table {
        let mut sections = Vec::new();
        for block in self.judged.chunk_by(|a, b| a.scope == b.scope) {
            let Some(Judged { scope, .. }) = block.first() else { continue };
            let section = Section::new(format!("Claims: {}, {} tags", scope.corpus, scope.tags))
                .left("claim", block.iter().map(|j| j.claim.text.clone()))
                .left("source", block.iter().map(|j| j.claim.source.clone()))
                .left("verdict", block.iter().map(|j| j.verdict.name().to_owned()))
                .left("what decided", block.iter().map(|j| j.evidence.clone()));
            let why = |j: &Judged| j.failure.as_ref().map_or_else(String::new, Failure::to_string);
            let section = match block.iter().any(|j| j.failure.is_some()) {
                true => section.left("why it does not hold", block.iter().map(why)),
                false => section,
            };
            sections.push(section);
        }
        Table::new(sections, self.sheet(false)).with_closing(self.closing())
    }

    fn closing(&self) -> String {
        let count = |verdict| self.judged.iter().filter(|j| j.verdict == verdict).count();
        let [holds, undecided, not] = [Verdict::Holds, Verdict::Undecided, Verdict::DoesNotHold].map(count);
        let all = counted(self.judged.len() as u64, "claim", "claims");
        format!("Of {all}: {holds} hold, {not} do not hold, {undecided} undecided.\n")
    }
}

/// Characters of the column of claims: what the verdicts and the gap leave of the terminal.
const COLUMN: usize = WIDTH - 15;

fn wrap(text: &str) -> String {
    text.lines().map(|line| wrap_note(line, COLUMN)).collect::<Vec<_>>().join("\n")
}
