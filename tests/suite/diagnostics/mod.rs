//! Every mistake has its program: `tests/cases/<area>/<sentence_name>.syn`, with the diagnostics in the snapshot beside it.
//!
//! `INSTA_UPDATE=always cargo test --test suite diagnostics::` rewrites the snapshots: proof-read them.

pub mod harness;

mod explanations;
mod soups;
mod style;
mod tables;

use harness::{Case, cases, check_diagnostics};
use std::panic::catch_unwind;

#[test]
fn every_case_has_its_snapshot() {
    let failed: Vec<String> = cases()
        .into_iter()
        .filter(|case| catch_unwind(|| check_diagnostics(case)).is_err())
        .map(|Case { area, name, .. }| format!("{area}/{name}"))
        .collect();
    assert!(failed.is_empty(), "not as their snapshots say: {}", failed.join(", "));
}
