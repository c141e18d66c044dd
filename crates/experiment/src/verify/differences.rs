//! Two rows that should be one.

use treebound_records::columns::Row;

/// The columns in which two rows differ, with both fields: `score 12, but 11`.
pub fn differences<R: Row>(stands: &R, found: &R) -> Vec<String> {
    let [stands, found] = [stands, found].map(|row| {
        let mut fields = Vec::new();
        row.print(&mut fields);
        fields
    });
    let shown = |field: &str| if field.is_empty() { "nothing".to_owned() } else { field.to_owned() };
    let differ = |((column, stands), found): ((treebound_records::columns::Column, String), String)| {
        (stands != found).then(|| format!("{} {}, but {}", column.name, shown(&stands), shown(&found)))
    };
    R::columns().into_iter().zip(stands).zip(found).filter_map(differ).collect()
}
