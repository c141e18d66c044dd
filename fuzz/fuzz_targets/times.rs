//! The times of earlier artifacts. An estimate is a time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::experiment::times::Kind;
use treebound::experiment::times::known::KnownTimes;
use treebound_fuzz::seed;

fuzz_target!(
    init: seed([
        "profile,threads,seconds,words,artifact\nrelease,2,1.5,100,model/graph/sibling/ewt\n",
        "release,2,1e9,1,model/graph\nrelease,2,3,4,model/graph/comb\nrelease,1,0,7,tags/x",
    ]),
    |data: &str| {
        let times = KnownTimes::parse(data, &[]);
        for kind in [Kind::new(&["model", "graph"], &["sibling"], &["ewt"]), Kind::new(&[], &["tags"], &[])] {
            if let Some(estimate) = times.estimate(&kind, 1000) {
                assert!(estimate.seconds >= 0.0 && estimate.seconds.is_finite(), "{estimate:?}");
            }
        }
    }
);
