//! A corpus with the tags that the parser is to see.

use rayon::prelude::*;

use super::data::{Checksums, DataError, Part, Treebank};
use super::store::{Facts, sha256};
use super::versions::DATA;
use crate::rows::TaggingRow;
use treebound_core::graph::Trees;
use treebound_parser::bytes::{BytesReader, BytesWriter, Damaged};
use treebound_parser::cell::{Split, Tags};
use treebound_parser::model::TreeKind;
use treebound_parser::systems::TrainingPart;
use treebound_parser::tagger::{Accuracy, Schedule, Scratch, Tagger, TaggerError, jackknife};
use treebound_parser::treebank::{Sentence, Token};
use treebound_records::RowKey;

/// A corpus with one choice of tags, ready for training and parsing.
#[derive(Debug)]
pub struct Prepared {
    /// The sentences to learn from, with the tags that the parser sees.
    pub train: TrainingPart,
    /// The development part with the tags that the parser sees.
    pub dev: Vec<Sentence>,
    /// The test part with the tags that the parser sees.
    pub test: Vec<Sentence>,
    /// Who predicted the tags, unless they are the treebank's.
    pub tagging: Option<Tagging>,
    /// The development part with the treebank's tags, where that is not `dev`.
    gold_dev: Option<Vec<Sentence>>,
    /// Whether the training trees may cross.
    pub(super) trees: Trees,
    /// What decides the above.
    pub(super) checksum: String,
}

/// A tagger, and how often its tags are right.
#[derive(Debug)]
pub struct Tagging {
    /// The tagger that learnt from all of the training part; it tags all other sentences.
    pub tagger: Tagger,
    /// The rows of `tagging.csv`: training part (tagged by jackknifing), development part, test part.
    pub rows: [TaggingRow; 3],
}

impl Prepared {
    /// Prepares a treebank with its own tags, for parsers of trees of a kind.
    ///
    /// # Errors
    /// If nothing is left to learn from.
    pub fn gold(treebank: &Treebank, kind: TreeKind) -> Result<Self, DataError> {
        Ok(Self {
            train: training_part(treebank, &treebank.train.sentences, kind)?,
            dev: treebank.dev.sentences.clone(),
            test: treebank.test.sentences.clone(),
            tagging: None,
            gold_dev: None,
            trees: kind.trees,
            checksum: facts(&treebank.checksums(), None, kind).key().to_string(),
        })
    }

    /// Prepares a treebank so with predicted tags; `name` says what decided them.
    ///
    /// # Errors
    /// If nothing is left to learn from.
    pub fn predicted(treebank: &Treebank, tags: PredictedTags, name: &str, kind: TreeKind) -> Result<Self, DataError> {
        let PredictedTags { tagger, train, accuracy } = tags;
        let train = with_tokens(&treebank.train.sentences, train);
        let (dev, dev_accuracy) = tag(&tagger, &treebank.dev.sentences);
        let (test, test_accuracy) = tag(&tagger, &treebank.test.sentences);
        let rows = [(Split::Train, accuracy), (Split::Dev, dev_accuracy), (Split::Test, test_accuracy)]
            .map(|(split, accuracy)| row(treebank, split, accuracy));
        Ok(Self {
            train: training_part(treebank, &train, kind)?,
            dev,
            test,
            tagging: Some(Tagging { tagger, rows }),
            gold_dev: Some(treebank.dev.sentences.clone()),
            trees: kind.trees,
            checksum: facts(&treebank.checksums(), Some(name), kind).key().to_string(),
        })
    }

    /// The same corpus with other sentences to learn from: those of these `numbers`, from 0; `name` says which. It is made
    /// to train parsers, and has no test part.
    pub fn learning_from(&self, numbers: impl IntoIterator<Item = usize>, name: &str) -> Self {
        let one = |i: usize| (self.train.sentences[i].clone(), self.train.trees[i].clone());
        let (sentences, trees) = numbers.into_iter().map(one).unzip();
        Self {
            train: TrainingPart { sentences, trees, ..TrainingPart::default() },
            dev: self.dev.clone(),
            test: Vec::new(),
            tagging: None,
            gold_dev: self.gold_dev.clone(),
            trees: self.trees,
            checksum: sha256(format!("{} {name}", self.checksum).as_bytes()),
        }
    }

    /// The sentences of a part that is parsed. Of a fold it is the test part that is parsed as `cv`.
    pub fn part(&self, split: Split) -> &[Sentence] {
        match split {
            Split::Train => &self.train.sentences,
            Split::Dev => &self.dev,
            Split::Test | Split::Cv => &self.test,
        }
    }

    /// The development part with the treebank's tags, to compare with: they say what is punctuation.
    pub fn gold_dev(&self) -> &[Sentence] {
        self.gold_dev.as_ref().unwrap_or(&self.dev)
    }
}

/// What decides a treebank with gold tags, or with those that `tagger` names: known before anything is tagged.
pub fn facts(treebank: &Checksums, tagger: Option<&str>, kind: TreeKind) -> Facts {
    let Checksums { train, dev, test, nonprojective } = treebank;
    let facts = Facts::new("data", DATA)
        .with("train", train)
        .with("dev", dev)
        .with("test", test)
        .with("nonprojective", nonprojective.name())
        .with("roots", kind.roots.name())
        .with("tags", tagger.unwrap_or(Tags::Gold.name()));
    match kind.trees {
        // As keys were before there were others.
        Trees::Projective => facts,
        trees => facts.with("trees", trees.name()),
    }
}

fn training_part(treebank: &Treebank, sentences: &[Sentence], kind: TreeKind) -> Result<TrainingPart, DataError> {
    let part = TrainingPart::new(sentences, treebank.corpus.nonprojective, kind);
    if part.sentences.is_empty() {
        return Err(DataError::NothingToLearn { corpus: treebank.corpus.name.to_string() });
    }
    Ok(part)
}

fn row(treebank: &Treebank, split: Split, accuracy: Accuracy) -> TaggingRow {
    TaggingRow {
        corpus: treebank.corpus.name.clone(),
        split,
        key: RowKey::default(),
        sentences: treebank.part(split).sentences.len() as u64,
        tokens: accuracy.tokens,
        fine_correct: accuracy.fine,
        coarse_correct: accuracy.coarse,
        both_correct: accuracy.both,
        unknown_tokens: accuracy.unknown,
        unknown_fine_correct: accuracy.unknown_fine,
    }
}

fn with_tokens(sentences: &[Sentence], tokens: Vec<Vec<Token>>) -> Vec<Sentence> {
    sentences.iter().zip(tokens).map(|(sentence, tokens)| Sentence { tokens, ..sentence.clone() }).collect()
}

fn tag(tagger: &Tagger, sentences: &[Sentence]) -> (Vec<Sentence>, Accuracy) {
    let tagged: Vec<(Vec<Token>, Accuracy)> = sentences
        .par_iter()
        .with_min_len(16)
        .map_init(Scratch::default, |scratch, sentence| {
            let mut accuracy = Accuracy::default();
            let tokens = tagger.tagged(&sentence.tokens, &mut accuracy, scratch);
            (tokens, accuracy)
        })
        .collect();
    let mut sum = Accuracy::default();
    tagged.iter().for_each(|(_, accuracy)| sum += *accuracy);
    (with_tokens(sentences, tagged.into_iter().map(|t| t.0).collect()), sum)
}

/// A tagger, and the training part tagged by jackknifing.
#[derive(Debug)]
pub struct PredictedTags {
    /// Learnt from all of the training part.
    tagger: Tagger,
    /// The words of the training part, by sentence.
    train: Vec<Vec<Token>>,
    /// How often their tags are right.
    accuracy: Accuracy,
}

impl PredictedTags {
    /// Learns to tag from a training part.
    ///
    /// # Errors
    /// See [`TaggerError`].
    pub fn train(part: &Part, folds: usize, schedule: Schedule) -> Result<Self, TaggerError> {
        let sentences: Vec<&[Token]> = part.sentences.iter().map(|s| s.tokens.as_slice()).collect();
        let (tagger, jackknifed) =
            rayon::join(|| Tagger::train(&sentences, schedule), || jackknife(&sentences, folds, schedule));
        let (train, accuracy) = jackknifed?;
        Ok(Self { tagger: tagger?, train, accuracy })
    }

    /// The bytes to be kept.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = BytesWriter::default();
        self.tagger.encode(&mut out);
        // The labels of a fold's tagger are among those of the tagger that learnt from all folds.
        let labels = self.tagger.labels();
        let words: Vec<u32> = self.train.iter().flatten().map(|t| labels.find(t).unwrap_or(u32::MAX)).collect();
        out.u32s(words.into_iter()).u64s(self.accuracy.to_array().into_iter());
        out.into_bytes()
    }

    /// Reads what [`encode`](Self::encode) wrote of the tags of `part`.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(bytes: &[u8], part: &Part) -> Result<Self, Damaged> {
        let mut from = BytesReader::new(bytes);
        let tagger = Tagger::decode(&mut from)?;
        let mut words = from.u32s()?;
        let counts: Vec<u64> = from.u64s()?.collect();
        from.end()?;
        let accuracy = Accuracy::from_array(counts.try_into().map_err(|_| Damaged)?);
        let mut train = Vec::with_capacity(part.sentences.len());
        for sentence in &part.sentences {
            let mut tokens = sentence.tokens.clone();
            for token in &mut tokens {
                let label = words.next().filter(|&l| (l as usize) < tagger.labels().len()).ok_or(Damaged)?;
                tagger.labels().write(label, token);
            }
            train.push(tokens);
        }
        if words.len() > 0 {
            return Err(Damaged);
        }
        Ok(Self { tagger, train, accuracy })
    }
}
