//! `[corpus.synthetic]`: the settings of a synthetic treebank, each with its default.

use super::reader::{Keys, Reader, Section};
use super::tree::Node;
use treebound_synthetic::{Config, Phenomenon};

const SYNTHETIC: Keys = Keys {
    table: "a synthetic corpus",
    known: &[
        "seed",
        "train",
        "dev",
        "test",
        "vocabulary",
        "unknown",
        "head_noise",
        "tag_noise",
        "nonprojective",
        "phenomena",
    ],
    old: &[],
};

const PHENOMENA: Keys = Keys {
    table: "phenomena",
    known: &["brackets", "coordination", "parallel", "circumposition", "resumption", "concord", "ideophones"],
    old: &[],
};

impl Reader {
    /// The settings of a table; those of no table are the defaults.
    pub(super) fn synthetic(&mut self, node: Option<&Node>, path: &str) -> Config {
        let table = self.section(node, path, &SYNTHETIC);
        let phenomena = self.section(table.find("phenomena"), format!("{path}.phenomena"), &PHENOMENA);
        let mut config = Config::default();
        config.seed = self.number_of(&table, "seed", config.seed);
        let sizes = [
            ("train", &mut config.train),
            ("dev", &mut config.dev),
            ("test", &mut config.test),
            ("vocabulary", &mut config.vocabulary),
        ];
        for (key, size) in sizes {
            *size = self.number_of(&table, key, *size);
        }
        let rates = [
            ("unknown", &mut config.unknown),
            ("head_noise", &mut config.head_noise),
            ("tag_noise", &mut config.tag_noise),
            ("nonprojective", &mut config.nonprojective),
        ];
        for (key, rate) in rates {
            *rate = self.number_of(&table, key, *rate);
        }
        for phenomenon in Phenomenon::ALL {
            let rate = config.phenomena.of_mut(phenomenon);
            *rate = self.number_of(&phenomena, phenomenon.name(), *rate);
        }
        if let Some(node) = node {
            for fault in config.faults() {
                let key = fault.key();
                let place = table.find(key).or_else(|| phenomena.find(key)).unwrap_or(node);
                self.fault(place, fault.to_string());
            }
        }
        config
    }

    fn number_of<N: Copy + TryFrom<u64>>(&mut self, section: &Section, key: &str, default: N) -> N {
        let Some(node) = self.get(section, key) else { return default };
        let Some(number) = self.whole(node, key, 0) else { return default };
        N::try_from(number).unwrap_or_else(|_| {
            self.fault(node, format!("{key} = {number}: the number is too large"));
            default
        })
    }
}
