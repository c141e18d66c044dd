//! Template files with their patterns. A set that is read survives being written in a model file, and compiles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::features::groups::Folding;
use treebound::features::hand::Sites;
use treebound::features::{Plan, TemplateGroups, TemplateSet};
use treebound::treebank::Token;
use treebound_fuzz::seed;

const SEEDS: [&str; 4] = [
    include_str!("../../crates/parser/src/features/sets/pruner.toml"),
    include_str!("../../crates/parser/src/features/hand/english.toml"),
    "from = \"compact\"\nwithout = ['\\.l\\b', '^between']\nhand = [\"english\"]\n",
    r#"[[group]]
part = "sibling"
variants = ["direction", "distance", "plain"]
alike = { W = ["w", "l"] }
expand = { T = ["t", "c"] }
templates = ["h.T s.T m.T", "s.W m-1.W h+2.p3 h.s2 m.n", "h.m m.f h.f:Case m.f:Number[psor]"]
[[pattern]]
name = "rather-than"
words = "A:ADP .. rather ~ B=x|y ; ,"
same = ["A B l"]
trees = ["A>rather *>B *>A", "A>B B>rather"]
"#,
];

fuzz_target!(init: seed(SEEDS), |data: &str| {
    let Ok(set) = TemplateSet::parse(data, "fuzz.toml") else { return };
    let lines = set.to_string();
    let again = TemplateSet::from_lines(&lines).unwrap_or_else(|e| panic!("{e}\n{lines}"));
    assert_eq!(again.templates(), set.templates());
    assert_eq!(again.patterns(), set.patterns(), "{lines}");
    assert_eq!(again.to_string(), lines);
    if set.templates().len() < 50 {
        Plan::new(&set);
        TemplateGroups::new(&set, |_| true, Folding::All);
    }
    let token = |form: &str| Token { form: form.to_owned(), coarse: "ADP".to_owned(), fine: "IN".to_owned(), ..Token::default() };
    let tokens: Vec<Token> = ["rather", "x", ";", "Than", "x"].map(token).into();
    Sites::default().fill(set.patterns(), &tokens);
});
