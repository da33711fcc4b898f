//! Synod: a guarded-command language for distributed algorithms, and the tool around it.
//!
//! The modules stand in reading order; a module imports only from those above it.

#![forbid(unsafe_code)]

pub mod source;

pub mod diagnostic;
pub mod words;

pub mod syntax;

pub mod network;

pub mod ir;

pub mod library;

pub mod check;

pub mod instance;

pub mod semantics;

pub mod simulate;

pub mod property;

pub mod explore;

pub mod setup;

pub mod scenario;

pub mod trace;

pub mod report;

pub mod session;

pub mod measure;

pub mod catalogue;

pub mod render;

pub mod ide;

pub mod lsp;

pub mod cli;

pub mod testing;
