use super::*;

fn graph(text: &str) -> Result<Parsed, GraphFault> {
    serde_json::from_str::<GraphFile>(text).expect("JSON").to_graph(Room::default())
}

#[test]
fn a_graph_survives_writing_and_reading() {
    let text = r#"{"version": 1, "words": 3, "single_root": false,
        "arcs": [[2, 1, 5], [0, 2, 7], [2, 3, -4], [0, 1, 0], [1, 3, 2]],
        "siblings": [[2, 2, 1, 3], [0, 1, 2, 9]], "grandchildren": [[0, 2, 3, 8], [0, 1, 3, -1]],
        "grand_siblings": [[0, 2, 2, 3, 4], [0, 2, 2, 1, 5]],
        "factors": [{"arcs": [[2, 1], [2, 3]], "score": 6}], "prior": [0.1, 0.7, 0.3, 0.2, 1e-300]}"#;
    let parsed = graph(text).expect("a graph");
    assert_eq!(parsed.never, 0);
    let again = GraphFile::of(&parsed.graph, parsed.prior.as_deref());
    let twice = again.to_graph(Room::default()).expect("a graph");
    assert_eq!(GraphFile::of(&twice.graph, twice.prior.as_deref()), again);
    let arcs: Vec<_> = again.arcs.iter().map(|&(h, m, _)| (h, m)).collect();
    assert_eq!(arcs, [(0, 1), (0, 2), (1, 3), (2, 1), (2, 3)]);
    assert_eq!(again.prior, Some(vec![0.2, 0.7, 1e-300, 0.1, 0.3]));
    assert_eq!((again.arcs.len(), again.siblings.len(), again.grandchildren.len(), again.factors.len()), (5, 2, 2, 1));
    assert_eq!(again.grand_siblings, [(0, 2, 2, 1, 5), (0, 2, 2, 3, 4)]);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = "\u{feff}{\"version\": 1, \"words\": 1, \"arcs\": [[0, 1, 3]]}";
    let streamed: Vec<_> = each(text.as_bytes(), Path::new("x.json"), Room::default()).collect();
    assert!(streamed.len() == 1 && streamed[0].is_ok());
    assert_eq!(parse(text.as_bytes(), Path::new("x.json")).expect("a graph").len(), 1);
}

#[test]
fn parts_that_no_tree_has_are_counted() {
    let parsed = graph(
        r#"{"version": 1, "words": 2, "arcs": [[0, 1, 0], [1, 2, 0]],
            "siblings": [[2, 2, 1, 1], [0, 2, 1, 1]], "factors": [{"arcs": [[2, 1]], "score": 1}]}"#,
    )
    .expect("a graph");
    assert_eq!(parsed.never, 3);
}

#[test]
fn faults_are_named() {
    let fault = |text| graph(text).map(|_| ()).expect_err("a fault").to_string();
    assert_eq!(
        fault(r#"{"version": 1, "words": 10001, "arcs": []}"#),
        "10001 words are too many for one sentence, which may have 10000; cut it into sentences"
    );
    assert_eq!(
        fault(r#"{"version": 2, "words": 1, "arcs": []}"#),
        "version 2 is not supported; this program reads version 1"
    );
    assert_eq!(fault(r#"{"version": 1, "words": 0, "arcs": []}"#), "a graph needs at least one word");
    assert_eq!(
        fault(r#"{"version": 1, "words": 1, "arcs": [[2, 1, 0]]}"#),
        "arc [2, 1]: the head must lie between 0 and 1"
    );
    assert_eq!(fault(r#"{"version": 1, "words": 1, "arcs": [[1, 1, 0]]}"#), "arc [1, 1] goes from a word to itself");
    assert_eq!(fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0], [0, 1, 3]]}"#), "arc [0, 1] is given twice");
    assert_eq!(
        fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "siblings": [[0, 0, 2, 1]]}"#),
        "sibling [0, 0, 2]: word 2 is out of range (heads go from 0 to 1, modifiers from 1 to 1)"
    );
    assert_eq!(
        fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "siblings": [[0, 0, 1, 1], [0, 0, 1, 2]]}"#),
        "sibling [0, 0, 1] is given twice"
    );
    assert_eq!(
        fault(
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 0], [1, 2, 0]],
                "grand_siblings": [[0, 1, 1, 2, 1], [0, 1, 1, 2, 2]]}"#
        ),
        "grand-sibling [0, 1, 1, 2] is given twice"
    );
    assert_eq!(
        fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "prior": []}"#),
        "the prior has 0 probabilities for 1 arcs; give one for each, or leave it out"
    );
    assert_eq!(
        fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "prior": [1.5]}"#),
        "the prior of arc [0, 1] is 1.5; a probability lies between 0 and 1"
    );
}
