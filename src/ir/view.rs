//! `view` clauses: differences between configurations that exploration ignores.

use super::Slot;
use crate::source::Span;

/// The kind of difference that a view ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// The listed variables and fields may differ.
    Without,
    /// The same number may be added to all of them.
    UpToShift,
}

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
