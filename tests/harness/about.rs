//! What the command says of itself.

use crate::desk::Desk;

#[test]
fn version_completions_and_manual() {
    let desk = Desk::new();
    let version = desk.treebound(&["--version"]).success();
    let first = format!("treebound {} (commit ", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&first) && version.contains("rustc "), "{version}");
    for shell in ["bash", "zsh", "fish"] {
        let completions = desk.treebound(&["about", "completions", shell]).success();
        assert!(completions.contains("treebound") && completions.contains("ablation"), "{shell}");
    }
    desk.treebound(&["about", "manual", "man"]).success();
    assert!(desk.read("man/treebound-parse.1").contains(".TH treebound-parse 1"));
    assert!(desk.path("man/treebound.1").is_file() && !desk.path("man/treebound-measure-step.1").exists());
    desk.write("file", "in the way");
    desk.treebound(&["about", "manual", "file"]).failure(&["file: "]);
}

#[test]
fn a_verb_that_is_part_of_another_is_named() {
    let desk = Desk::new();
    for (typed, meant) in
        [("ablation", "measure search-ablation"), ("list", "check CONFIG --cells"), ("tabel", "table")]
    {
        let done = desk.treebound(&[typed, "some.toml"]);
        assert!(done.code == Some(2) && done.err.contains(&format!("'{meant}'")), "{done:?}");
    }
}
