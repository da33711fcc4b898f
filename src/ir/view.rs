//! `view` clauses: differences between configurations that exploration ignores.

use super::Slot;
use crate::source::Span;
use crate::syntax::ast::ViewKind;

#[derive(Clone, Debug)]
pub struct View {
    pub kind: ViewKind,
    pub of: Vec<Viewed>,
    pub span: Span,
}

/// One item of a `view` clause.
#[derive(Clone, Debug)]
pub struct Viewed {
    /// As written: `clock`, `Request.stamp`.
    pub name: String,
    pub item: ViewedItem,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewedItem {
    /// The variable's slot for each role; None: the role has no such variable.
    Variable(Vec<Option<Slot>>),
    /// A field of a message: kind and position.
    Field(u32, usize),
    /// A field of a record: record and position.
    Part(u32, usize),
}
