//! Finished artifacts, behind their checksum: tags, pruners with what they keep, models, models of external parsers.
#![no_main]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use treebound::bytes::{BytesReader, BytesWriter};
use treebound::cell::{Axis, SystemName};
use treebound::experiment::data::Part;
use treebound::experiment::prepared::PredictedTags;
use treebound::features::TemplateSet;
use treebound::model::Roots;
use treebound::pruning::{Candidates, Pruner, PrunerScratch};
use treebound::systems::external::{External, ExternalSystem};
use treebound::systems::graph::GraphSystem;
use treebound::systems::{Nonprojective, System, Trained, TrainingPart};
use treebound::tagger;
use treebound_fuzz::{learnt, seed};

struct Known {
    part: Part,
    templates: TemplateSet,
    system: GraphSystem,
    external: Arc<ExternalSystem>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let command = || vec!["parser".to_owned()];
    let external = External {
        name: SystemName::parse("other").expect("a name"),
        train: None,
        parse: command(),
        version: command(),
        time_limit_s: 1,
        environment: BTreeMap::new(),
    };
    Known {
        part: Part { sentences: learnt::sentences(), ..Part::default() },
        templates: learnt::templates(),
        system: learnt::system(),
        external: Arc::new(ExternalSystem::new(external, Path::new("."))),
    }
});

fn saved(trained: &dyn Trained) -> Vec<u8> {
    let mut out = BytesWriter::default();
    trained.save(&mut out);
    out.into_bytes()
}

fn seeds() -> Vec<Vec<u8>> {
    let schedule = tagger::Schedule { epochs: 1, seed: 1 };
    let tags = PredictedTags::train(&KNOWN.part, 2, schedule).expect("tags").encode();
    let (pruned, train) = learnt::pruned();
    let mut pruner = BytesWriter::default();
    pruned.pruner.encode(&mut pruner);
    pruned.kept.iter().for_each(|kept| kept.encode(&mut pruner));
    let model = saved(&*KNOWN.system.train(&learnt::task(&train, &pruned), &mut |_| {}).expect("a model"));
    let mut files = BytesWriter::default();
    files.u64(2).text("a").bytes(b"1").text("b/c").bytes(b"");
    let all = [(b't', tags), (b'p', pruner.into_bytes()), (b'm', model), (b'e', files.into_bytes())];
    all.into_iter().map(|(kind, bytes)| [&[kind][..], &bytes].concat()).collect()
}

fn pruner(bytes: &[u8]) {
    let mut from = BytesReader::new(bytes);
    let Ok(pruner) = Pruner::decode(KNOWN.templates.clone(), &mut from) else { return };
    let part = TrainingPart::new(&KNOWN.part.sentences, Nonprojective::Projectivize, Roots::One);
    for sentence in &part.sentences {
        let mut scratch = PrunerScratch::default();
        for &probability in pruner.marginals(&sentence.tokens, &mut scratch) {
            assert!((0.0..1.001).contains(&probability), "{probability}");
        }
        if let Ok(kept) = Candidates::decode(&mut from) {
            let mut out = BytesWriter::default();
            kept.encode(&mut out);
            Candidates::decode(&mut BytesReader::new(&out.into_bytes())).expect("what was written");
        }
    }
}

fn trained(system: &dyn System, bytes: &[u8]) {
    let load = |bytes: &[u8]| system.load(&mut BytesReader::new(bytes));
    let Ok(trained) = load(bytes) else { return };
    let written = saved(&*trained);
    assert!(load(&written).is_ok_and(|again| saved(&*again) == written));
}

fuzz_target!(init: seed(seeds()), |data: &[u8]| {
    let Some((&kind, bytes)) = data.split_first() else { return };
    match kind {
        b't' => {
            if let Ok(tags) = PredictedTags::decode(bytes, &KNOWN.part) {
                let written = tags.encode();
                let again = PredictedTags::decode(&written, &KNOWN.part).expect("what was written");
                assert_eq!(again.encode(), written);
            }
        }
        b'p' => pruner(bytes),
        b'm' => trained(&KNOWN.system, bytes),
        _ => trained(&KNOWN.external, bytes),
    }
});
