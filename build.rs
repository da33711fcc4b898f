//! Files that the binary embeds beside its sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The page of `synod serve`, made by editors/playground/build.sh. A binary without it serves the page that its user names.
const PAGE: &str = "SYNOD_PAGE";

fn main() {
    // The library is embedded by a macro, which does not tell cargo what it has read.
    println!("cargo:rerun-if-changed=stdlib");
    println!("cargo:rerun-if-env-changed={PAGE}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    // Without a page, an empty text.
    let embedded = out.join("page.html");
    let Some(page) = env::var_os(PAGE).filter(|page| !page.is_empty()) else {
        fs::File::create(embedded).expect("the folder of cargo can be written");
        return;
    };
    let page = Path::new(&page);
    println!("cargo:rerun-if-changed={}", page.display());
    if let Err(error) = fs::copy(page, embedded) {
        panic!("{PAGE} names {}, which cannot be embedded: {error}", page.display());
    }
}
