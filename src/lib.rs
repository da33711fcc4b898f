//! Synod: a guarded-command language for distributed algorithms, and the tool around it.
//!
//! The modules stand in reading order; a module imports only from those above it.

#![forbid(unsafe_code)]

pub mod source;

pub mod diagnostic;

pub mod syntax;

pub mod ir;

pub mod check;
pub mod library;

pub mod network;

pub mod instance;

pub mod semantics;

pub mod simulate;

pub mod property;

pub mod explore;

pub mod setup;

pub mod scenario;

pub mod trace;

pub mod report;

pub mod render;

pub mod cli;
