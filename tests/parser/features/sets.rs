//! The built-in template sets: how many templates, that none is written twice, that all of them fire.

use treebound::features::groups::Folding;
use treebound::features::parts::{BetweenWords, Part};
use treebound::features::{Family, Kind, TemplateGroups, TemplateSet, describe};
use treebound::graph::Word;
use treebound::model::build::TreeParts;
use treebound::treebank::{Token, Tree};

const SETS: [&str; 4] = ["compact", "paper", "paper-zh", "pruner"];

fn built_in(name: &str) -> TemplateSet {
    TemplateSet::built_in(name).expect("a built-in set").expect("a sound file")
}

/// Templates of the baseline: those of no family.
fn local(set: &TemplateSet) -> usize {
    let of_family = |kind| Family::ALL.iter().any(|f| f.kind() == kind);
    set.templates().iter().filter(|t| !of_family(t.kind)).count()
}

#[test]
fn the_papers_scale_is_reached_by_the_baseline_alone() {
    assert!(local(&built_in("paper")) >= 600);
    assert!(local(&built_in("paper-zh")) >= 800);
}

#[test]
fn no_built_in_template_is_written_twice() {
    for name in SETS.into_iter().chain(["martins"]) {
        let set = built_in(name);
        assert_eq!(set.written(), set.templates().len(), "{name}");
    }
}

/// A change here changes every result of the set.
#[test]
fn the_compact_set_is_as_it_was() {
    assert_eq!(built_in("compact").to_string(), include_str!("compact.txt"));
}

#[test]
fn sets_survive_being_written_and_read() {
    for name in SETS {
        let set = built_in(name);
        let read = TemplateSet::from_lines(&set.to_string()).expect("its own lines");
        assert_eq!((read.templates(), read.to_string()), (set.templates(), set.to_string()), "{name}");
    }
}

#[test]
fn letters_stand_for_one_attribute_or_for_all_combinations() {
    let group = |how: &str| {
        let text = format!(
            "[[group]]\npart = 'arc'\nvariants = ['plain']\n{how} = {{ W = ['w', 'l'] }}\ntemplates = ['h.W m.W m.t']"
        );
        TemplateSet::parse(&text, "test").expect("sound").to_string()
    };
    assert_eq!(group("alike"), "arc h.w m.w m.t\narc h.l m.l m.t\n");
    assert_eq!(group("expand"), "arc h.w m.w m.t\narc h.w m.l m.t\narc h.l m.w m.t\narc h.l m.l m.t\n");
}

/// A sentence with a part of every kind; the words of no two places are alike.
fn sentence() -> (Vec<Token>, Tree) {
    let words = "He/PRON/PRP would/AUX/MD surely/ADV/RB sit/VERB/VB on/ADP/IN chairs/NOUN/NNS rather/ADV/RB than/SCONJ/IN \
                 on/ADP/IN tables/NOUN/NNS here/ADV/RB now/ADV/RB too/ADV/RB ././.";
    let tokens = words.split_whitespace().map(|word| {
        let mut fields = word.split('/').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        Token { form: next(), coarse: next(), fine: next(), ..Token::default() }
    });
    let heads = [4, 4, 4, 0, 4, 5, 8, 5, 8, 9, 4, 4, 4, 4];
    (tokens.collect(), Tree::new(heads.map(Word).to_vec()).expect("a tree"))
}

fn parts_of(set: &TemplateSet, tokens: &[Token], tree: &Tree) -> Vec<(Kind, Part)> {
    let template_groups = TemplateGroups::new(set, |_| true, Folding::All);
    let mut parts = TreeParts::default();
    parts.fill(&template_groups, &Family::ALL, tokens, tree, &mut BetweenWords::default());
    parts.parts
}

#[test]
fn every_template_compiles_and_fires() {
    let (tokens, tree) = sentence();
    for name in SETS {
        let set = built_in(name);
        let template_groups = TemplateGroups::new(&set, |_| true, Folding::All);
        let parts = parts_of(&set, &tokens, &tree);
        for kind in Kind::ALL {
            let compiled = template_groups.kind(kind).map_or(0, |of_kind| of_kind.features());
            let twin = kind.twin().filter(|_| template_groups.kind(kind).is_some_and(|of_kind| of_kind.with_twin));
            let of_twin = twin.map_or(0, |twin| set.for_kind(twin).count());
            assert_eq!(compiled, set.for_kind(kind).count() + of_twin, "{name}: {kind}");
            let Some(&(_, part)) = parts.iter().find(|p| p.0 == kind) else {
                assert_eq!(compiled, 0, "{name}: no {kind} part in the sentence");
                continue;
            };
            for template in set.for_kind(kind) {
                let feature = describe::feature(template, part, &tokens);
                let geometry = usize::from(template.variant != treebound::features::Variant::Plain);
                assert_eq!(feature.split(" | ").count(), template.atoms.len() + geometry, "{name}: {kind} {template}");
            }
        }
    }
}
