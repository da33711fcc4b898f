//! `synod repl`: whole sessions, and one at a real terminal.

#![allow(clippy::disallowed_methods)]

#[path = "repl/clauses.rs"]
mod clauses;
#[path = "common/screen.rs"]
mod screen;
#[path = "repl/script.rs"]
mod script;
#[path = "repl/terminal.rs"]
mod terminal;
