//! The schemas in `docs` are those of the types. `UPDATE_DOCS=1 cargo test --test suite cli::schemas` rewrites them.

use std::fs;
use std::path::Path;
use synod::internals::cli::schemas;

#[test]
fn published_schemas_are_those_of_the_types() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut outdated = Vec::new();
    for schema in schemas::all() {
        let (file, text) = (docs.join(schema.file), schema.text());
        if update {
            fs::write(&file, text).expect("docs can be written");
        } else if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            outdated.push(file);
        }
    }
    assert!(outdated.is_empty(), "UPDATE_DOCS=1 cargo test --test suite cli::schemas rewrites {outdated:#?}");
}
