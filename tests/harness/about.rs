//! What the command says of itself.

use crate::desk::Desk;

#[test]
fn version_completions_and_manual() {
    let desk = Desk::new();
    let version = desk.treebound(&["--version"]).success();
    let first = format!("treebound {} (commit ", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&first) && version.contains("rustc "), "{version}");
    for shell in ["bash", "zsh", "fish"] {
        let completions = desk.treebound(&["completions", shell]).success();
        assert!(completions.contains("treebound") && completions.contains("ablation"), "{shell}");
    }
    desk.treebound(&["manual", "man"]).success();
    assert!(desk.read("man/treebound-parse.1").contains(".TH treebound-parse 1"));
    assert!(desk.path("man/treebound.1").is_file() && !desk.path("man/treebound-measure-step.1").exists());
    desk.write("file", "in the way");
    desk.treebound(&["manual", "file"]).failure(&["file: "]);
}
