//! Results files of every kind of row. What is read and written is read again as the same rows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::experiment::rows::csv::{Record, parse, text};
use treebound::experiment::rows::{
    CalibrationRow, ClassRow, GrowthRow, LengthRow, ScoreRow, SearchRow, SentenceRow, SpeedRow, TaggingRow, TrainingRow,
};
use treebound_fuzz::{path, seed};

const CELL: &str = "toy,test,gold,graph,compact,mira,comb+sibling,k=10,carreras/bnb,1";

/// A file of a kind: its header, and a line of small numbers behind the cell.
fn sample<R: Record>(kind: char) -> Vec<u8> {
    let names: Vec<&str> = R::columns().iter().map(|column| column.name).collect();
    let cells: Vec<&str> = CELL.split(',').collect();
    let axes = ["corpus", "split", "tags", "system", "templates", "learner", "features", "pruning", "decoding", "seed"];
    let field = |name: &str| match (axes.iter().position(|axis| *axis == name), name) {
        (Some(at), _) => cells[at],
        (_, "status") => "optimal",
        (_, "fold") => "1/3",
        (_, "decoder") => "bnb",
        (_, "backbone") => "carreras",
        _ => "1",
    };
    let line: Vec<&str> = names.iter().map(|name| field(name)).collect();
    format!("{kind}{}\n{}\n", names.join(","), line.join(",")).into_bytes()
}

fn check<R: Record + std::fmt::Debug>(bytes: &[u8]) {
    match parse::<R>(bytes, path()) {
        Ok(rows) => {
            let written = text(&rows).expect("keys are distinct");
            let again = parse::<R>(&written, path()).expect("what was written");
            assert_eq!(again, rows);
            assert_eq!(text(&again).expect("keys are distinct"), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

macro_rules! kinds {
    ($($letter:literal $row:ident,)*) => {
        fuzz_target!(init: seed([$(sample::<$row>($letter),)*]), |data: &[u8]| {
            match data.split_first() {
                $(Some((&first, bytes)) if first == $letter as u8 => check::<$row>(bytes),)*
                _ => {}
            }
        });
    };
}

kinds! {
    'a' SentenceRow,
    'b' ScoreRow,
    'c' LengthRow,
    'd' SpeedRow,
    'e' SearchRow,
    'f' TaggingRow,
    'g' TrainingRow,
    'h' GrowthRow,
    'i' ClassRow,
    'j' CalibrationRow,
}
