//! The semantics: from the text of a program to the graph of its configurations.
//!
//! The groups of modules are in reading order. Expressions, commands and steps refer to one another, as the sections of the reference do;
//! nothing here refers to properties or comparisons.

// Values, programs, instances.
pub mod choices;
pub mod configuration;
pub mod graph;
pub mod module;
pub mod network;
pub mod params;
pub mod types;
pub mod value;
pub mod walk;

// Expressions and patterns.
pub mod builtins;
pub mod eval;
pub mod patterns;

// Waiting points, and who takes a message.
pub mod messages;
pub mod waiting;

// Commands.
pub mod bits;
pub mod command;
pub mod places;
pub mod statements;

// Steps of all execution models, and faults.
pub mod detectors;
pub mod pairs;
pub mod possible;
pub mod radio;
pub mod reading;
pub mod rounds;
pub mod step;
pub mod synchronizer;
pub mod time;

// Runs.
pub mod ends;
pub mod explore;
