//! Names and places of patterns.

use crate::source::Span;
use crate::syntax::ast::{self, Pattern};

/// Collect the names in a pattern.
pub fn names_in_pattern(pattern: &ast::Pattern, names: &mut Vec<String>) {
    match pattern {
        ast::Pattern::Name(n) => names.push(n.text.clone()),
        ast::Pattern::Message(_, parts, _) | ast::Pattern::Tuple(parts, _) => {
            parts.iter().for_each(|p| names_in_pattern(p, names));
        }
        ast::Pattern::Wildcard(_) | ast::Pattern::Place(_) | ast::Pattern::Literal(_) => {}
    }
}

pub fn pattern_names(pattern: &Pattern, name: &str) -> bool {
    let mut names = Vec::new();
    names_in_pattern(pattern, &mut names);
    names.iter().any(|n| n == name)
}

pub(super) fn pattern_span(pattern: &Pattern) -> Span {
    match pattern {
        Pattern::Name(n) => n.span,
        Pattern::Wildcard(span) | Pattern::Tuple(_, span) | Pattern::Message(_, _, span) => *span,
        Pattern::Place(e) | Pattern::Literal(e) => e.span,
    }
}
