//! Whatever your project does. The algorithm that it relies on is `tests/census.syn`, and `tests/census.rs` tests it.
