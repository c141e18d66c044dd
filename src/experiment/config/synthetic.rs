//! `[corpus.synthetic]`: the settings of a synthetic treebank, each with its default.

use super::wire::{At, PhenomenaWire, SyntheticWire};
use crate::treebank::synth::{Config, Phenomenon};

/// The settings, and what is wrong with them: the place in the file, and a message.
pub(super) fn resolve(table: Option<&At<SyntheticWire>>) -> (Config, Vec<(usize, String)>) {
    let mut config = Config::default();
    let Some(table) = table else { return (config, Vec::new()) };
    let wire = table.get_ref();
    config.seed = wire.seed.unwrap_or(config.seed);
    let sizes = [
        (&mut config.train, &wire.train),
        (&mut config.dev, &wire.dev),
        (&mut config.test, &wire.test),
        (&mut config.vocabulary, &wire.vocabulary),
    ];
    for (to, from) in sizes {
        set(to, from.as_ref());
    }
    let rates = [
        (&mut config.unknown, &wire.unknown),
        (&mut config.head_noise, &wire.head_noise),
        (&mut config.tag_noise, &wire.tag_noise),
        (&mut config.nonprojective, &wire.nonprojective),
    ];
    for (to, from) in rates {
        set(to, from.as_ref());
    }
    for phenomenon in Phenomenon::ALL {
        let from = wire.phenomena.as_ref().and_then(|p| rate(p.get_ref(), phenomenon));
        set(config.phenomena.of_mut(phenomenon), from);
    }
    let faults = config.faults().into_iter().map(|fault| (place(table, fault.key()), fault.to_string()));
    let faults = faults.collect();
    (config, faults)
}

fn set<T: Copy>(to: &mut T, from: Option<&At<T>>) {
    if let Some(at) = from {
        *to = *at.get_ref();
    }
}

fn rate(wire: &PhenomenaWire, phenomenon: Phenomenon) -> Option<&At<u32>> {
    match phenomenon {
        Phenomenon::Brackets => wire.brackets.as_ref(),
        Phenomenon::Coordination => wire.coordination.as_ref(),
        Phenomenon::Parallel => wire.parallel.as_ref(),
        Phenomenon::Circumposition => wire.circumposition.as_ref(),
        Phenomenon::Resumption => wire.resumption.as_ref(),
        Phenomenon::Concord => wire.concord.as_ref(),
        Phenomenon::Ideophones => wire.ideophones.as_ref(),
    }
}

/// Where the value of `key` stands; the whole table if it is not given.
fn place(table: &At<SyntheticWire>, key: &str) -> usize {
    let wire = table.get_ref();
    let of = |at: &Option<At<usize>>| at.as_ref().map(|at| at.span());
    let of_rate = |at: Option<&At<u32>>| at.map(|at| at.span());
    let span = match key {
        "train" => of(&wire.train),
        "dev" => of(&wire.dev),
        "test" => of(&wire.test),
        "vocabulary" => of(&wire.vocabulary),
        "unknown" => of_rate(wire.unknown.as_ref()),
        "head_noise" => of_rate(wire.head_noise.as_ref()),
        "tag_noise" => of_rate(wire.tag_noise.as_ref()),
        "nonprojective" => of_rate(wire.nonprojective.as_ref()),
        _ => wire.phenomena.as_ref().and_then(|phenomena| {
            let one = Phenomenon::ALL.into_iter().find(|p| p.name() == key);
            one.map_or(Some(phenomena.span()), |p| of_rate(rate(phenomena.get_ref(), p)))
        }),
    };
    span.unwrap_or(table.span()).start
}
