//! What artifacts will take, from the times of earlier ones: of those made here, and of the kinds that the results keep.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{FILE, Kind};
use crate::rows::ArtifactTimeRow;
use treebound_files::input;

/// The file of kept times, below the working folder: of all experiments, since many share artifacts.
pub const KEPT: &str = "results/times.csv";

/// Some thirty years: a longer time of one artifact is a damaged line.
const MOST_SECONDS: f64 = 1e9;

/// Latest times of like artifacts that an estimate is made from.
const LATEST: usize = 20;

/// The profile of this build; others take other times.
const PROFILE: &str = env!("TREEBOUND_PROFILE");

/// How long an artifact will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Its share of the wall clock, with as many threads as then.
    pub seconds: f64,
    /// Whether it comes from artifacts that are not alike: another set of features, another schedule.
    pub is_rough: bool,
    /// Whether it comes from kept times, which may be another machine's.
    pub is_kept: bool,
}

/// The most that like artifacts took; none where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Most {
    /// Seconds on one thread.
    pub seconds: Option<f64>,
    /// Memory.
    pub mib: Option<u64>,
}

/// An artifact made earlier.
#[derive(Clone, Debug)]
pub(super) struct Line {
    artifact: String,
    threads: u64,
    words: u64,
    seconds: f64,
    /// The most memory of the process, if it made this artifact alone.
    mib: Option<u64>,
    is_kept: bool,
}

impl Line {
    /// Seconds a word.
    fn rate(&self) -> f64 {
        self.seconds / self.words as f64
    }
}

/// The times of earlier artifacts, of this build's profile.
#[derive(Clone, Debug, Default)]
pub struct KnownTimes {
    /// Oldest first, and what is kept before what was made here.
    pub(super) lines: Vec<Line>,
}

impl KnownTimes {
    /// Those in a cache; none if there is no file. Lines that cannot be read are passed over. With them, those that are kept.
    pub fn read(cache: &Path, kept: &[ArtifactTimeRow]) -> Self {
        let path = cache.join(FILE);
        Self::parse(&input::read_settings(&path).unwrap_or_default(), kept)
    }

    /// Those of the lines of a cache's file, and the kept ones.
    pub fn parse(text: &str, kept: &[ArtifactTimeRow]) -> Self {
        let kept = kept.iter().filter(|row| row.profile == PROFILE).map(|row| Line {
            artifact: row.artifact.clone(),
            threads: row.threads,
            words: row.words,
            seconds: row.ms as f64 / 1e3,
            mib: None,
            is_kept: true,
        });
        let made = text.lines().filter_map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let (profile, threads, seconds, mib, words, artifact) = match fields[..] {
                [profile, threads, seconds, words, artifact] => (profile, threads, seconds, "", words, artifact),
                [profile, threads, seconds, mib, words, artifact] => (profile, threads, seconds, mib, words, artifact),
                _ => return None,
            };
            let (threads, words) = (threads.parse().ok()?, words.parse().ok()?);
            let seconds: f64 = seconds.parse().ok()?;
            let is_like = profile == PROFILE && (0.0..MOST_SECONDS).contains(&seconds) && words > 0;
            is_like.then(|| Line {
                artifact: artifact.to_owned(),
                threads,
                words,
                seconds,
                mib: mib.parse().ok(),
                is_kept: false,
            })
        });
        Self { lines: kept.chain(made).collect() }
    }

    /// How long an artifact of that kind will take, from the latest artifacts of those that have most in common with it; of
    /// those, from artifacts made here, if there are any.
    pub fn estimate(&self, kind: &Kind, words: u64) -> Option<Estimate> {
        let alike = self.alike(kind, |_| true);
        let first = alike.first()?;
        let (low, high) = (alike.get((alike.len() - 1) / 2)?, alike.get(alike.len() / 2)?);
        let middle = (low.rate() + high.rate()) / 2.0;
        let is_rough = kind.shared(&first.artifact) < kind.alike;
        Some(Estimate { seconds: middle * words as f64, is_rough, is_kept: first.is_kept })
    }

    /// The most that an artifact of that kind took before, for who asks for time and memory to make one.
    pub fn most(&self, kind: &Kind, words: u64) -> Most {
        let most = |lines: Vec<&Line>, of: &dyn Fn(&Line) -> f64| lines.into_iter().map(of).reduce(f64::max);
        // Artifacts that were made side by side had shares of the time that one alone takes.
        let seconds = most(self.alike(kind, |_| true), &|line| line.rate() * line.threads.max(1) as f64 * words as f64);
        let mib = most(self.alike(kind, |line| line.mib.is_some()), &|line| line.mib.unwrap_or_default() as f64);
        Most { seconds, mib: mib.map(|mib| mib as u64) }
    }

    /// The latest of those lines that have most in common with a kind, if they have enough.
    fn alike(&self, kind: &Kind, counts: impl Fn(&Line) -> bool) -> Vec<&Line> {
        let lines = || self.lines.iter().filter(|line| counts(line));
        let likeness = |line: &Line| (kind.shared(&line.artifact), !line.is_kept);
        let most = lines().map(likeness).max().filter(|&(shared, _)| shared >= kind.least);
        by_rate(lines().filter(|line| Some(likeness(line)) == most)).collect()
    }

    /// What is to be kept: for each of some kinds of which artifacts were made here, the middle one of the latest, made on
    /// `machine`; and what is kept already of other kinds and of other builds.
    pub fn to_keep(&self, kinds: &BTreeSet<Kind>, machine: &str, kept: Vec<ArtifactTimeRow>) -> Vec<ArtifactTimeRow> {
        let mut rows: BTreeMap<(String, String), ArtifactTimeRow> =
            kept.into_iter().map(|row| ((row.artifact.clone(), row.profile.clone()), row)).collect();
        for name in kinds.iter().map(Kind::name) {
            let alike: Vec<&Line> =
                by_rate(self.lines.iter().filter(|line| !line.is_kept && line.artifact == name)).collect();
            let Some(&line) = alike.get(alike.len().saturating_sub(1) / 2) else { continue };
            let row = ArtifactTimeRow {
                artifact: name.clone(),
                profile: PROFILE.to_owned(),
                machine: machine.to_owned(),
                threads: line.threads,
                words: line.words,
                ms: (line.seconds * 1e3).round() as u64,
            };
            rows.insert((name, PROFILE.to_owned()), row);
        }
        rows.into_values().collect()
    }
}

/// The latest of some lines, by their rates.
fn by_rate<'a>(lines: impl DoubleEndedIterator<Item = &'a Line>) -> impl Iterator<Item = &'a Line> {
    let mut latest: Vec<&Line> = lines.rev().take(LATEST).collect();
    latest.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    latest.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::times::HEADER;

    fn kind(set: &str, corpus: &str) -> Kind {
        Kind::new(&["model", "graph"], &[set], &[corpus])
    }

    fn line(seconds: f64, words: u64, artifact: &str) -> String {
        format!("{PROFILE},2,{seconds},{words},{artifact}\n")
    }

    fn kept(ms: u64, words: u64, artifact: &str) -> ArtifactTimeRow {
        let (artifact, profile, machine) = (artifact.to_owned(), PROFILE.to_owned(), "another".to_owned());
        ArtifactTimeRow { artifact, profile, machine, threads: 1, words, ms }
    }

    const FOUND: Estimate = Estimate { seconds: 0.0, is_rough: false, is_kept: false };

    #[test]
    fn estimates_are_made_from_what_has_most_in_common() {
        let text = [
            HEADER.to_owned(),
            line(10.0, 100, "model/graph/sibling/ewt"),
            line(30.0, 100, "model/graph/sibling/ewt"),
            line(1.0, 100, "model/graph/baseline/gsd"),
            line(5.0, 0, "model/graph/comb/ewt"),
            // Times that no artifact takes.
            line(-9.0, 1, "model/graph/sibling/ewt"),
            line(1e300, 1, "model/graph/sibling/ewt"),
            line(f64::NAN, 1, "model/graph/sibling/ewt"),
            format!("other{}", line(9.0, 1, "model/graph/sibling/gsd")),
            "a line that was cut o".to_owned(),
        ];
        let times = KnownTimes::parse(&text.concat(), &[]);
        let of = |set, corpus| times.estimate(&kind(set, corpus), 1000).expect("like artifacts");
        assert_eq!(of("sibling", "ewt"), Estimate { seconds: 200.0, ..FOUND });
        assert_eq!(of("sibling", "gsd"), Estimate { seconds: 200.0, ..FOUND });
        assert_eq!(of("comb", "gsd"), Estimate { seconds: 100.0, is_rough: true, ..FOUND }, "the middle of all");
        assert_eq!(times.estimate(&Kind::new(&["model", "outside"], &[], &[]), 1000), None);
        assert_eq!(KnownTimes::default().estimate(&kind("sibling", "ewt"), 1), None);
    }

    #[test]
    fn the_most_of_like_artifacts_is_asked_for() {
        let text = [
            line(10.0, 100, "model/graph/sibling/ewt"),
            format!("{PROFILE},1,30,500,100,model/graph/sibling/ewt\n"),
            format!("{PROFILE},1,1,700,100,model/graph/baseline/gsd\n"),
        ];
        let times = KnownTimes::parse(&text.concat(), &[]);
        let of = |set, corpus| times.most(&kind(set, corpus), 200);
        assert_eq!(of("sibling", "ewt"), Most { seconds: Some(60.0), mib: Some(500) });
        assert_eq!(of("baseline", "ewt"), Most { seconds: Some(2.0), mib: Some(700) });
        assert_eq!(times.most(&Kind::new(&["tags"], &[], &[]), 1), Most::default());
    }

    #[test]
    fn what_is_kept_stands_in_for_what_was_not_made_here() {
        let rows = [
            kept(1000, 100, "model/graph/sibling/ewt"),
            kept(3000, 100, "model/graph/comb/ewt"),
            ArtifactTimeRow { profile: "other".to_owned(), ..kept(9, 1, "model/graph/hand/ewt") },
        ];
        let times = KnownTimes::parse(&line(2.0, 100, "model/graph/sibling/ewt"), &rows);
        let of = |set, corpus| times.estimate(&kind(set, corpus), 1000).expect("like artifacts");
        assert_eq!(of("sibling", "ewt"), Estimate { seconds: 20.0, ..FOUND }, "those made here come first");
        assert_eq!(
            of("comb", "ewt"),
            Estimate { seconds: 30.0, is_kept: true, ..FOUND },
            "but not if others are more alike"
        );
        assert_eq!(of("hand", "ewt"), Estimate { seconds: 20.0, is_rough: true, ..FOUND }, "other builds say nothing");
    }

    #[test]
    fn the_middle_one_of_each_kind_is_kept() {
        let made = [3.0, 1.0, 2.0].map(|seconds| line(seconds, 100, "model/graph/sibling/ewt")).concat();
        let other = line(1.0, 7, "model/graph/sibling/gsd");
        let before =
            vec![kept(9, 1, "model/graph/comb/ewt"), kept(9, 1, "model/graph/sibling/ewt"), kept(9, 1, "rows/graph")];
        let times = KnownTimes::parse(&(made + &other), &before);
        let kinds = BTreeSet::from([kind("sibling", "ewt"), kind("comb", "ewt"), kind("hand", "ewt")]);
        let rows = times.to_keep(&kinds, "here", before.clone());
        let sibling =
            ArtifactTimeRow { machine: "here".to_owned(), threads: 2, ..kept(2000, 100, "model/graph/sibling/ewt") };
        assert_eq!(rows, [before[0].clone(), sibling, before[2].clone()]);
        // Nothing new: nothing changes.
        assert_eq!(KnownTimes::parse("", &rows).to_keep(&kinds, "elsewhere", rows.clone()), rows);
    }
}
