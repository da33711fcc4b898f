//! The executable specification: a second implementation of the language, written from its reference (`grammar/README.md`) alone.
//!
//! It shares the parser, networks and library with Synod, and nothing else. It walks the syntax tree with dynamic values, keeps whole
//! configurations, and leaves nothing out: no caches, no reductions. Passages of the reference are quoted in italics.

mod builtins;
mod choices;
mod command;
mod configuration;
mod detectors;
mod ends;
mod eval;
mod explore;
mod graph;
mod messages;
mod module;
mod network;
mod pairs;
mod params;
mod patterns;
mod places;
mod possible;
mod radio;
mod reading;
mod rounds;
mod statements;
mod step;
mod synchronizer;
mod time;
mod types;
mod value;
mod waiting;

#[path = "../common/mod.rs"]
mod common;
mod compared;
