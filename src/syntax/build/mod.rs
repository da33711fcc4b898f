//! Build the tree from pest's pairs. Errors occur only where the grammar cannot express a rule.

mod operators;
mod pattern;
mod clause;
mod expr;
mod scenario;
mod stmt;

pub use operators::strength_of;
use pest::iterators::{Pair, Pairs};

use crate::diagnostic::{Diagnostic, Grammar};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Expr, ExprKind, Name, NodeId};
use crate::syntax::labels::{Label, label};
use crate::syntax::nesting::{MAX_NESTING, too_deep};
use crate::syntax::rule::Rule;
use crate::syntax::tokens::Token;

/// The tree, or the error in the clause.
pub(super) type Built<T> = Result<T, Box<Diagnostic>>;

/// Assigns node ids, and records the height of each tree.
pub struct Builder {
    file: u32,
    /// Offset of the current clause, from which pest counts.
    offset: usize,
    /// The ends of its tokens.
    ends: Vec<usize>,
    /// Maximum node id in this clause. `p, q in S` parses `S` once for each name, and nesting multiplies that.
    budget: usize,
    /// For each expression of the clause, by its id, the height of its tree. Its limit allows all other code to traverse the tree
    /// recursively. (Patterns nest no deeper than brackets, which are counted before pest sees the text.)
    heights: Vec<u16>,
}

impl Builder {
    pub fn new(file: u32) -> Builder {
        Builder { file, offset: 0, ends: Vec::new(), budget: 0, heights: Vec::new() }
    }

    pub fn clause(&mut self, offset: usize, tokens: &[Token], pairs: Pairs<'_, Rule>) -> Built<ClauseKind> {
        self.offset = offset;
        self.enter(tokens);
        self.clause_kind(clause_of(pairs))
    }

    pub fn lone_expr(&mut self, tokens: &[Token], pairs: Pairs<'_, Rule>) -> Built<Expr> {
        self.enter(tokens);
        self.expr(first(first_of(pairs)))
    }

    fn enter(&mut self, tokens: &[Token]) {
        self.ends = tokens.iter().map(|token| token.end).collect();
        self.budget = 1000 + 8 * tokens.len();
        self.heights.clear();
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let (start, end) = (pair.as_span().start() + self.offset, pair.as_span().end() + self.offset);
        // Rules that end with an optional part have skipped white space and comments before they find it missing.
        let token = self.ends.partition_point(|token_end| *token_end <= end);
        let end = token.checked_sub(1).map_or(end, |token| self.ends[token]);
        Span::new(self.file, start, end.max(start))
    }

    fn name(&self, pair: &Pair<'_, Rule>) -> Name {
        Name { text: pair.as_str().to_string(), span: self.span(pair) }
    }

    fn names(&self, pairs: Vec<Pair<'_, Rule>>) -> Vec<Name> {
        pairs.iter().map(|pair| self.name(pair)).collect()
    }

    /// Create an expression. All are created here, so that no tree is too tall to be traversed or dropped recursively.
    fn make(&mut self, kind: ExprKind, span: Span) -> Built<Expr> {
        let mut tallest: u16 = 0;
        kind.parts(&mut |part| tallest = tallest.max(self.heights[part.id as usize]));
        let height = tallest.saturating_add(1);
        if usize::from(height) > MAX_NESTING || self.heights.len() >= self.budget {
            return Err(Box::new(too_deep(span)));
        }
        self.heights.push(height);
        Ok(Expr { id: self.heights.len() as NodeId - 1, kind, span })
    }
}

fn fail<T>(span: Span, finding: Grammar) -> Built<T> {
    Err(Box::new(finding.at(span)))
}

/// Return the clause itself, from the pairs of the rule `clause`.
pub(super) fn clause_of(pairs: Pairs<'_, Rule>) -> Pair<'_, Rule> {
    first(first_of(pairs))
}

/// Return the parts of a rule that the tree needs: without keywords and punctuation.
fn parts(pair: Pair<'_, Rule>) -> Vec<Pair<'_, Rule>> {
    pair.into_inner()
        .filter(|inner| !matches!(label(inner.as_rule()), Label::Sign(_)) && inner.as_rule() != Rule::EOI)
        .collect()
}

fn first(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    first_of(pair.into_inner())
}

/// Return the first part, for rules that have at least one in the grammar.
fn first_of(mut pairs: Pairs<'_, Rule>) -> Pair<'_, Rule> {
    pairs.next().expect("the grammar gives this rule a first part")
}

fn has(pair: &Pair<'_, Rule>, rule: Rule) -> bool {
    pair.clone().into_inner().any(|inner| inner.as_rule() == rule)
}
