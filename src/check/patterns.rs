//! Names and places of patterns.

use crate::source::Span;
use crate::syntax::ast::{self, Pattern};

/// Collect the names in a pattern.
pub fn collect_names<'p>(pattern: &'p Pattern, names: &mut Vec<&'p ast::Name>) {
    match pattern {
        Pattern::Name(n) => names.push(n),
        Pattern::Message(_, parts, _) | Pattern::Tuple(parts, _) => {
            parts.iter().for_each(|p| collect_names(p, names));
        }
        Pattern::Wildcard(_) | Pattern::Place(_) | Pattern::Literal(_) => {}
    }
}

pub(super) fn pattern_span(pattern: &Pattern) -> Span {
    match pattern {
        Pattern::Name(n) => n.span,
        Pattern::Wildcard(span) | Pattern::Tuple(_, span) | Pattern::Message(_, _, span) => *span,
        Pattern::Place(e) | Pattern::Literal(e) => e.span,
    }
}
