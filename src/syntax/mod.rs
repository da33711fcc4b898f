//! Text to [`ast::Module`].

pub mod ast;
