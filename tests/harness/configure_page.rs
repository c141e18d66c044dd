//! The keys of `docs/CONFIGURE.md` are those of the reader.

use std::path::Path;

use treebound::{claims, experiment::config};

const BEGIN: &str = "<!-- keys -->\n";
const END: &str = "<!-- end of keys -->\n";

/// With `TREEBOUND_WRITE=1` in the environment it writes them there.
#[test]
fn the_page_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CONFIGURE.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("a marker");
    let (_, after) = rest.split_once(END).expect("a marker");
    let rows = config::claim_rows::reference();
    let now = format!("{before}{BEGIN}{}\n{}\n{END}{after}", config::reference(), claims::reference(&rows));
    if std::env::var_os("TREEBOUND_WRITE").is_some_and(|write| write == "1") {
        std::fs::write(&path, &now).expect("written");
    }
    let is_current = std::fs::read_to_string(&path).expect("the page") == now;
    assert!(is_current, "docs/CONFIGURE.md: TREEBOUND_WRITE=1 cargo test --test harness configure_page");
}
