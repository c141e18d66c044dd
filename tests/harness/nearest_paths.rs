//! A path that is not there has a nearest one, as keys have; so have feature sets.

use crate::desk::{Desk, tiny};

#[test]
fn slips_in_paths_and_sets_name_what_was_meant() {
    let desk = Desk::new();
    desk.write("configs/quickstart.toml", tiny(10, 5, 5));
    for (slip, meant) in
        [("configs/quikstart.toml", "configs/quickstart.toml"), ("configs/quickstart.tmol", "configs/quickstart.toml")]
    {
        let wanted =
            format!("{slip}: cannot read the config: No such file or directory (os error 2); did you mean {meant}?");
        desk.treebound(&["check", slip]).failure(&[&wanted]);
    }
    let done = desk.treebound(&["check", "configs/other-thing.toml"]);
    assert!(!done.err.contains("did you mean"), "{done:?}");
    desk.write("configs/mine.toml", "extends = 'quickstrt.toml'");
    desk.treebound(&["check", "configs/mine.toml"])
        .failure(&["mine.toml:1: extends: cannot read", "did you mean configs/quickstart.toml?"]);
    let features = ["train", "configs/quickstart.toml", "--model", "m", "--features", "grandchild+siblng"];
    desk.treebound(&features).failure(&["`siblng` is not known (did you mean sibling?): write baseline, or some of "]);
}
