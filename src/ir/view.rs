//! `view` clauses: what configurations may differ in and still count as one, when every schedule is looked at.

use super::Slot;
use crate::source::Span;
use crate::syntax::ast::ViewKind;

#[derive(Clone, Debug)]
pub struct View {
    pub kind: ViewKind,
    pub of: Vec<Viewed>,
    pub span: Span,
}

/// One thing that a view names.
#[derive(Clone, Debug)]
pub struct Viewed {
    /// As written: `clock`, `Request.stamp`.
    pub name: String,
    pub what: What,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// By role its slot; None: the role has no such variable.
    Variable(Vec<Option<Slot>>),
    /// A field of a message, by kind and position.
    Field(u32, usize),
    /// A field of a record, by record and position.
    Part(u32, usize),
}
