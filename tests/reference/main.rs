//! The executable specification: a second implementation of the language, written from its reference (`grammar/README.md`) alone.
//!
//! It shares the parser, networks and library with Synod, and nothing else. It walks the syntax tree with dynamic values, keeps whole
//! configurations, and leaves nothing out: no caches, no reductions. Passages of the reference are quoted in italics or in «».
//!
//! * `specification` is the semantics: the graph of all configurations of an instance.
//! * `properties` gives the verdicts on such a graph.
//! * `comparison` compares both with Synod, on the programs of the repository.
//! * `random` compares them on random programs, and Synod with itself. `memory` limits the memory of each program.

#![allow(
    clippy::disallowed_methods,
    clippy::type_complexity,
    reason = "tests read files and the environment; the specification uses plain pairs and lists"
)]

mod memory;

mod specification;

mod properties;

#[path = "../common/mod.rs"]
mod common;
mod comparison;
mod random;
