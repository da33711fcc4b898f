//! Text to [`ast::Module`].

pub mod ast;
pub mod codes;

mod tokens;

mod clauses;
pub mod foreign_types;
mod lexical;
mod nearest;
mod nesting;

mod build;
mod labels;
mod mistakes;
mod parser;
mod relocate;
mod shape;
pub mod typed;

pub mod format;

pub use clauses::CLAUSE_WORDS;
pub use nesting::MAX_NESTING;
pub use parser::{MAX_SOURCE_BYTES, Parsed, parse, parse_expr};
pub use tokens::{RESERVED, Token, TokenKind, is_reserved, tokens};
