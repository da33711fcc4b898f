//! The binary as its users meet it: what they type, what they read, exit codes, streams.

mod harness;

mod files;
mod json;
mod library;
mod streams;
mod usage;
