//! `synod repl`: whole sessions, and one at a real terminal.

mod clauses;
mod script;
mod terminal;
