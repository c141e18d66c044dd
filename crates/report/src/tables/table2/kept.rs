//! Tests of Table 2 that are kept: of a line whose sentences are not here, those that stand in the file already.

use std::collections::{BTreeMap, BTreeSet};

use crate::statistics::significance::holm_by_question;
use treebound_records::number::fixed;

/// The columns of Table 2 that need the sentences.
const TESTS: [&str; 6] = ["gain_low_points", "gain_high_points", "p_value", "p_two_way", HOLM, "detectable_points"];

/// The column of p-values that depend on other lines.
const HOLM: &str = "p_holm";

/// What lines have in common whose tests are corrected together.
const FAMILY: [&str; 6] = ["corpus", "split", "tags", "templates", "learner", "pruning"];

/// What a model of a family is called by; of the last column what stands before the slash, the decoder behind it is none of the
/// model's.
const MODEL: [&str; 3] = ["system", "features", "decoding"];

/// `table2.csv` with the tests of an earlier one, where it has none since their sentences are not here: those of lines that are
/// otherwise the same. The earlier one may lack columns of tests. Holm's correction is made anew where lines of both stand in
/// one block.
///
/// # Errors
/// If either is no CSV.
pub fn with_tests_before(table: &[u8], before: &[u8]) -> Result<Vec<u8>, csv::Error> {
    let mut reader = csv::Reader::from_reader(table);
    let columns = reader.headers()?.clone();
    let mut before = csv::Reader::from_reader(before);
    let columns_before = before.headers()?.clone();
    let is_test: Vec<bool> = columns.iter().map(|column| TESTS.contains(&column)).collect();
    let others = |columns: &csv::StringRecord| -> Vec<String> {
        columns.iter().filter(|column| !TESTS.contains(column)).map(str::to_owned).collect()
    };
    if others(&columns_before) != others(&columns) {
        return Ok(table.to_vec());
    }
    let rest = |row: &[String]| -> Vec<String> {
        row.iter().zip(&is_test).filter(|(_, test)| !**test).map(|(field, _)| field.clone()).collect()
    };
    let mut known = BTreeMap::new();
    for row in before.records() {
        let row = row?;
        let place = |column| columns_before.iter().position(|name| name == column);
        let field = |column| place(column).and_then(|at| row.get(at)).unwrap_or("").to_owned();
        let row: Vec<String> = columns.iter().map(field).collect();
        known.insert(rest(&row), row);
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut families = BTreeSet::new();
    let places = |names: &[&str]| -> Vec<usize> {
        names.iter().filter_map(|name| columns.iter().position(|column| column == *name)).collect()
    };
    let family_places = places(&FAMILY);
    let family = |row: &[String]| -> Vec<String> { family_places.iter().map(|&at| row[at].clone()).collect() };
    let model_places = places(&MODEL);
    let model = |row: &[String]| -> Vec<String> {
        model_places.iter().map(|&at| row[at].split('/').next().unwrap_or("").to_owned()).collect()
    };
    for row in reader.records() {
        let row: Vec<String> = row?.iter().map(str::to_owned).collect();
        let untested = row.iter().zip(&is_test).all(|(field, test)| !*test || field.is_empty());
        let kept = known.get(&rest(&row)).filter(|_| untested);
        if kept.is_some_and(|kept| *kept != row) {
            families.insert(family(&row));
        }
        rows.push(kept.cloned().unwrap_or(row));
    }
    if let [p_value, corrected] = places(&["p_value", HOLM])[..] {
        for one in families {
            let members: Vec<usize> = (0..rows.len()).filter(|&at| family(&rows[at]) == one).collect();
            let p_values: Vec<Option<f64>> = members.iter().map(|&at| rows[at][p_value].parse().ok()).collect();
            let models: Vec<Vec<String>> = members.iter().map(|&at| model(&rows[at])).collect();
            for (&at, p) in members.iter().zip(holm_by_question(&models, &p_values)) {
                let decimals = rows[at][p_value].split_once('.').map_or(0, |(_, decimals)| decimals.len());
                rows[at][corrected] = p.map_or_else(String::new, |p| fixed(p, decimals));
            }
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns)?;
    rows.iter().try_for_each(|row| writer.write_record(row))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Whether some gain of `table2.csv` is not tested.
///
/// # Errors
/// If it is no CSV.
pub fn lacks_tests(table: &[u8]) -> Result<bool, csv::Error> {
    let mut reader = csv::Reader::from_reader(table);
    let place = |columns: &csv::StringRecord, column: &str| columns.iter().position(|name| name == column);
    let columns = reader.headers()?.clone();
    let (Some(gain), Some(p)) = (place(&columns, "gain_points"), place(&columns, "p_value")) else { return Ok(false) };
    for row in reader.records() {
        let row = row?;
        if !row[gain].is_empty() && row[p].is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: &str = "corpus,split,tags,templates,learner,features,pruning";

    fn merged(table: &str, before: &str) -> String {
        let merged = with_tests_before(table.as_bytes(), before.as_bytes()).expect("a table");
        String::from_utf8(merged).expect("text")
    }

    #[test]
    fn tests_of_an_older_file_are_kept_and_corrected_with_the_new_ones() {
        let before = format!(
            "{AXES},uas_pct,p_value\n\
             toy,test,gold,t,l,sibling,k=10,90.00,0.0100\ntoy,test,gold,t,l,comb,k=10,89.00,0.0400\n"
        );
        let table = |tests: [&str; 3]| {
            let line = |set: &str, uas: &str, tests: &str| format!("toy,test,gold,t,l,{set},k=10,{uas},{tests}\n");
            format!("{AXES},uas_pct,p_value,p_two_way,p_holm,detectable_points\n")
                + &line("sibling", "90.00", tests[0])
                + &line("comb", "89.00", tests[1])
                + &line("hand", "88.00", tests[2])
        };
        // Sibling has no sentences here, comb has new ones, and the accuracy of hand is of no line before.
        let new = table([",,,", "0.0300,0.0500,0.0300,0.40", ",,,"]);
        assert_eq!(merged(&new, &before), table(["0.0100,,0.0200,", "0.0300,0.0500,0.0300,0.40", ",,,"]));
        // A model that is searched in two ways is one question, whether its tests are kept or new.
        let searched = |tests: [&str; 3]| {
            let line = |set: &str, decoding: &str, tests: &str| {
                format!("toy,test,gold,graph,t,l,{set},k=10,{decoding},90.00,{tests}\n")
            };
            "corpus,split,tags,system,templates,learner,features,pruning,decoding,uas_pct,p_value,p_holm\n".to_owned()
                + &line("sibling", "carreras/bnb", tests[0])
                + &line("sibling", "carreras/paper", tests[1])
                + &line("comb", "carreras/bnb", tests[2])
        };
        let before = searched(["0.0100,0.0100", "0.0200,0.0200", ","]);
        let new = searched([",", ",", "0.0300,0.0300"]);
        let wanted = searched(["0.0100,0.0200", "0.0200,0.0400", "0.0300,0.0300"]);
        assert_eq!(merged(&new, &before), wanted);
        // A table of other columns is not looked at.
        assert_eq!(merged(&new, "corpus,p_value\ntoy,0.5\n"), new);
        // Nothing is lost of a file that is as new.
        let whole = table(["0.0100,0.0200,0.0200,0.50", "0.0300,0.0500,0.0300,0.40", ",,,"]);
        assert_eq!(merged(&table([",,,", ",,,", ",,,"]), &whole), whole);
    }
}
