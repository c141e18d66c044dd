//! Results files and the sums of sentences.

use std::path::Path;

use treebound::answer::{Count, Limit, Proof};
use treebound::experiment::rows::csv::{self, Record};
use treebound::experiment::rows::{LengthRow, ScoreRow, SentenceRow, SpeedRow, aggregate};

use crate::fixture::{cell, fault, of, phases, score, sentence, text};

const SCORES: &str = "\
corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key,sentences,tokens,correct,scored_tokens,scored_correct,root_correct,complete,gold_kept,heads_kept,proven,nodes,dp_calls,error
toy,test,predicted,graph,compact,perceptron,baseline,k=10,carreras/dp,1,,100,1000,830,900,750,90,40,990,8500,100,100,100,
toy,test,predicted,graph,compact,perceptron,sibling,k=10,carreras/bnb,1,,,,,,,,,,,,,,\"toy.conllu:7: a \"\"bad\"\" word, says the reader\"
";

fn scores() -> Vec<ScoreRow> {
    let failed = "toy.conllu:7: a \"bad\" word,\n  says the reader".to_owned();
    vec![
        ScoreRow { cell: cell("sibling", "k=10", "bnb", 1), key: Default::default(), counts: Err(failed) },
        score(&cell("baseline", "k=10", "dp", 1), 750),
    ]
}

#[test]
fn scores_are_written_sorted_and_missing_is_empty() {
    assert_eq!(text(csv::text(&scores()).expect("rows")), SCORES);
}

#[test]
fn what_is_written_is_read() {
    let rows: Vec<ScoreRow> = csv::parse(SCORES.as_bytes(), Path::new("FILE")).expect("rows");
    assert_eq!(text(csv::text(&rows).expect("rows")), SCORES);
    assert_eq!(rows[0], scores()[1]);

    let cell = cell("baseline", "none", "paper", 3);
    let mut sentences = vec![sentence(&cell, 2, 5, 4), sentence(&cell, 1, 3, 0)];
    sentences[0].bound = None;
    sentences[1].score = Some(i64::MIN);
    let written = csv::text(&sentences).expect("rows");
    sentences.sort();
    assert_eq!(csv::parse::<SentenceRow>(&written, Path::new("FILE")).expect("rows"), sentences);
    let expected = "\
corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key,sentence,tokens,correct,scored_tokens,scored_correct,root_correct,complete,gold_kept,heads_kept,status,score,bound,nodes,dp_calls
toy,test,predicted,graph,compact,perceptron,baseline,none,carreras/paper,3,,1,3,1,2,0,0,0,3,9,optimal,-9223372036854775808,10,1,6
toy,test,predicted,graph,compact,perceptron,baseline,none,carreras/paper,3,,2,5,5,4,4,1,1,5,15,optimal,10,,1,10
";
    assert_eq!(text(written), expected);
}

#[test]
fn an_empty_file_has_a_header() {
    let length = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key,length,sentences,correct,scored_tokens,scored_correct,proven,nodes,dp_calls\n";
    let speed = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key,repeat,length,sentences,start_ns,prune_ns,score_ns,decode_ns\n";
    assert_eq!(text(csv::text::<LengthRow>(&[]).expect("no rows")), length);
    assert_eq!(text(csv::text::<SpeedRow>(&[]).expect("no rows")), speed);
    assert_eq!(csv::parse::<SpeedRow>(speed.as_bytes(), Path::new("FILE")).expect("no rows"), []);
}

#[test]
fn columns_may_stand_in_any_order_and_lines_may_end_in_crlf() {
    let file = "\u{feff}seed,corpus,split,tags,system,templates,learner,features,pruning,decoding,decode_ns,score_ns,prune_ns,sentences,length,repeat\r\n\
                7,toy,dev,gold,graph,compact,perceptron,baseline,none,carreras/dp,3,2,1,4,9,5\r\n";
    let rows: Vec<SpeedRow> = csv::parse(file.as_bytes(), Path::new("FILE")).expect("rows");
    let [row] = &rows[..] else { panic!("one row") };
    assert_eq!(row.key(), "toy/dev/gold/graph/compact/perceptron/baseline/none/carreras/dp/seed=7, repeat 5, length 9");
    assert_eq!((row.sentences, row.phases, row.phases.total_ns()), (4, phases([1, 2, 3]), 6));
}

const SPEED: &str = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,repeat,length,sentences,start_ns,prune_ns,score_ns,decode_ns";

fn speed_fault(lines: &str) -> String {
    fault::<SpeedRow>(&format!("{SPEED}\n{lines}"))
}

#[test]
fn headers_must_be_those_of_the_rows() {
    let expected = format!("; expected the columns {},label_ns", SPEED.replace("seed,", "seed,key,"));
    let header = |text: &str| fault::<SpeedRow>(text).replace(&expected, "");
    assert_eq!(header(""), "FILE:1: the file is empty");
    assert_eq!(header(&SPEED.replace("seed", "sed")), "FILE:1: unknown columns: sed");
    assert_eq!(header(&SPEED.replace("seed,repeat,", "")), "FILE:1: missing columns: seed, repeat");
    assert_eq!(header(&SPEED.replace("repeat", "seed")), "FILE:1: the column `seed` stands there twice");
    let bytes = b"corpus,\xff\n";
    let message = csv::parse::<SpeedRow>(bytes, Path::new("FILE")).expect_err("no text").to_string();
    assert_eq!(message.replace(&expected, ""), "FILE:1: the header is not UTF-8");
}

#[test]
fn faults_name_the_line() {
    let good = "toy,dev,gold,graph,compact,perceptron,baseline,none,carreras/dp,1,1,9,4,,1,2,3\n";
    assert_eq!(
        speed_fault(&format!("{good}toy,dev,gold,graph,compact,perceptron,baseline,none,carreras/dp,1,1,9,4,,1,2\n")),
        "FILE:3: 16 fields where the header has 17"
    );
    let count = "is not a whole number from 0 to 2^53";
    for (value, line) in [("", 2), ("-1", 2), ("+1", 2), ("1.0", 2), ("9007199254740993", 2), ("12x", 2)] {
        let message = speed_fault(&good.replace(",9,4,", &format!(",9,{value},")));
        assert_eq!(message, format!("FILE:{line}: column `sentences`: `{value}` {count}"));
    }
    assert_eq!(
        speed_fault(&format!("{good}\n{}", good.replace("/dp,1,", "/dp,one,"))),
        "FILE:4: column `seed`: `one` is not a whole number"
    );
    let crlf = format!("{SPEED}\n{good}\n{}", good.replace(",9,4,", ",9,x,")).replace('\n', "\r\n");
    assert_eq!(fault::<SpeedRow>(&crlf), format!("FILE:4: column `sentences`: `x` {count}"));
    assert_eq!(speed_fault(&good.replace("gold", "")), "FILE:2: column `tags`: `` is not `gold` or `predicted`");
    assert_eq!(
        speed_fault(&format!("{good}{}{good}", good.replace("dev", "test"))),
        "FILE:4: toy/dev/gold/graph/compact/perceptron/baseline/none/carreras/dp/seed=1, repeat 1, length 9: line 2 has the same key"
    );
    let bytes = [SPEED.as_bytes(), b"\n", good.as_bytes(), b"toy,\xff\n"].concat();
    let message = csv::parse::<SpeedRow>(&bytes, Path::new("FILE")).expect_err("no text").to_string();
    assert_eq!(message, "FILE:3: the line is not UTF-8");
}

#[test]
fn counts_must_agree() {
    assert_eq!(
        fault::<ScoreRow>(&SCORES.replace(",750,", ",901,")),
        "FILE:2: `scored_correct` is 901, more than `scored_tokens`, which is 900"
    );
    assert_eq!(
        fault::<ScoreRow>(&SCORES.replace(",100,100,100,\n", ",100,100,100,late\n")),
        "FILE:2: a row has either counts and an empty `error`, or an `error` and no counts"
    );
    assert_eq!(
        fault::<ScoreRow>(&SCORES.replace(",40,990,", ",,990,")),
        "FILE:2: column `complete`: `` is not a whole number from 0 to 2^53"
    );
}

#[test]
fn two_rows_with_one_key_are_not_written() {
    let row = score(&cell("baseline", "k=10", "dp", 1), 750);
    let other = score(&cell("baseline", "k=10", "dp", 1), 751);
    assert_eq!(
        csv::text(&[row, other]).expect_err("one key").to_string(),
        "toy/test/predicted/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=1: two rows with the same key"
    );
}

#[test]
fn files_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scores.csv");
    assert_eq!(csv::read_if_there::<ScoreRow>(&path).expect("no file"), []);
    let message = csv::read::<ScoreRow>(&path).expect_err("no file").to_string();
    assert!(message.starts_with(&format!("{}: cannot read the file: ", path.display())), "{message}");
    csv::write(&path, &scores()).expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), SCORES);
    assert_eq!(csv::read::<ScoreRow>(&path).expect("rows").len(), 2);
}

#[test]
fn sentences_add_up() {
    let (a, b) = (cell("baseline", "none", "dp", 1), cell("sibling", "none", "bnb", 1));
    let mut rows = vec![sentence(&b, 1, 5, 4), sentence(&a, 1, 5, 2), sentence(&a, 2, 3, 0), sentence(&a, 3, 5, 4)];
    rows[2].status = Proof::Stopped(Limit::DpCalls);
    let scores = aggregate::scores(&rows);
    let expected = "\
corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key,sentences,tokens,correct,scored_tokens,scored_correct,root_correct,complete,gold_kept,heads_kept,proven,nodes,dp_calls,error
toy,test,predicted,graph,compact,perceptron,baseline,none,carreras/dp,1,,3,13,9,10,6,2,1,13,39,2,3,26,
toy,test,predicted,graph,compact,perceptron,sibling,none,carreras/bnb,1,,1,5,5,4,4,1,1,5,15,1,1,10,
";
    assert_eq!(text(csv::text(&scores).expect("rows")), expected);
    let lengths = aggregate::by_length(&rows);
    let expected = "\
corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key,length,sentences,correct,scored_tokens,scored_correct,proven,nodes,dp_calls
toy,test,predicted,graph,compact,perceptron,baseline,none,carreras/dp,1,,3,1,1,2,0,0,1,6
toy,test,predicted,graph,compact,perceptron,baseline,none,carreras/dp,1,,5,2,8,8,6,2,2,20
toy,test,predicted,graph,compact,perceptron,sibling,none,carreras/bnb,1,,5,1,5,4,4,1,1,10
";
    assert_eq!(text(csv::text(&lengths).expect("rows")), expected);
    assert_eq!(aggregate::scores(&[]), []);
}

#[test]
fn what_a_system_does_not_count_is_empty_and_so_are_its_sums() {
    let chain = of(["toy", "test", "predicted", "chain-before", "-", "-", "-", "-", "-"], 0);
    let row = |i, tokens| SentenceRow {
        gold_kept: None,
        heads_kept: None,
        status: Proof::Heuristic,
        score: None,
        bound: None,
        effort: Default::default(),
        ..sentence(&chain, i, tokens, 1)
    };
    let rows = [row(1, 5), row(2, 5)];
    let written = text(csv::text(&rows).expect("rows"));
    assert!(written.ends_with("chain-before,-,-,-,-,-,0,,2,5,2,4,1,1,0,,,heuristic,,,,\n"), "{written}");
    assert_eq!(csv::parse::<SentenceRow>(written.as_bytes(), Path::new("FILE")).expect("rows"), rows);
    let scores = aggregate::scores(&rows);
    let expected = "toy,test,predicted,chain-before,-,-,-,-,-,0,,2,10,4,8,2,2,0,,,,,,\n";
    assert!(text(csv::text(&scores).expect("rows")).ends_with(expected));
    // One sentence of which a count is not known leaves its sum unknown, and the others known.
    let mut some = [sentence(&chain, 1, 5, 1), sentence(&chain, 2, 5, 1)];
    some[1].effort.set(Count::Nodes, None);
    some[1].gold_kept = None;
    let scores = aggregate::scores(&some);
    let counts = scores[0].counts.as_ref().expect("counts");
    assert_eq!((counts.gold_kept, counts.heads_kept, counts.proven), (None, Some(30), Some(2)));
    assert_eq!((counts.effort.get(Count::Nodes), counts.effort.get(Count::DpCalls)), (None, Some(20)));
}

#[test]
fn a_file_may_lack_what_was_not_counted() {
    let without = SCORES.replace(",nodes,", ",").replace(",100,100,100,\n", ",100,100,\n").replace(",,\"toy", ",\"toy");
    let rows: Vec<ScoreRow> = csv::parse(without.as_bytes(), Path::new("FILE")).expect("rows");
    let counts = rows[0].counts.as_ref().expect("counts");
    assert_eq!((counts.effort.get(Count::Nodes), counts.effort.get(Count::DpCalls)), (None, Some(100)));
}
