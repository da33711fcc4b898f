//! The executable specification: a second implementation of the language, written from its reference (`grammar/README.md`) alone.
//!
//! It shares the parser, networks and library with Synod, and nothing else. It walks the syntax tree with dynamic values, keeps whole
//! configurations, and leaves nothing out: no caches, no reductions. Passages of the reference are quoted in italics.

#![allow(clippy::disallowed_methods, clippy::type_complexity)]

mod bits;
mod bounds;
mod builtins;
mod chance;
mod choices;
mod command;
mod configuration;
mod costs;
mod detectors;
mod ends;
mod eval;
mod explore;
mod fairness;
mod graph;
mod liveness;
mod messages;
mod module;
mod network;
mod observer;
mod pairs;
mod params;
mod patterns;
mod places;
mod possible;
mod properties;
mod radio;
mod reading;
mod rounds;
mod statements;
mod step;
mod synchronizer;
mod time;
mod types;
mod value;
mod verdicts;
mod waiting;
mod walk;

mod by_hand;
#[path = "../common/mod.rs"]
mod common;
mod compared;
mod paths;
mod random;
mod random_runs;
mod runs_compared;
mod shown;
mod verdicts_compared;
