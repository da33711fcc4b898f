//! The parser: text to [`ast::Module`], and the formatter.

pub mod ast;

mod tokens;

pub mod foreign_types;
mod lexical;
mod nearest;
mod nesting;
mod clause_words;
mod clauses;

mod rule;
mod labels;
mod build;
mod mistakes;
mod recovery;
mod shape;
mod former;
mod parser;
mod relocate;
pub mod typed;

pub mod format;

pub use clause_words::CLAUSE_WORDS;
pub use nesting::MAX_NESTING;
pub use parser::{MAX_SOURCE_BYTES, Parsed, parse, parse_expr};
pub use tokens::{RESERVED, Token, TokenKind, is_reserved, tokens};
