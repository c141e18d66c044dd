//! Template sets as they stand in model files: what is read is written as it was, up to order and repetition.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::features::TemplateSet;
use treebound_fuzz::seed;

fuzz_target!(
    init: {
        let built_in = TemplateSet::BUILT_IN.iter().filter_map(|name| Some(TemplateSet::built_in(name)?.ok()?.to_string()));
        let lines: Vec<String> = built_in
            .flat_map(|text| text.lines().map(str::to_owned).step_by(9).collect::<Vec<_>>().chunks(12).map(|c| c.join("\n")).collect::<Vec<_>>())
            .collect();
        let pattern = "pattern rather-than ; A:ADP .. rather than B ; A B l ; A>than than>rather than>B ; A>B B>rather";
        seed(lines.into_iter().chain([pattern.to_owned()]));
    },
    |data: &str| {
        let Ok(set) = TemplateSet::from_lines(data) else { return };
        let lines = set.to_string();
        let again = TemplateSet::from_lines(&lines).unwrap_or_else(|e| panic!("{e}\n{lines}"));
        assert_eq!(again.to_string(), lines);
        assert_eq!(again.patterns(), set.patterns(), "{lines}");
    }
);
