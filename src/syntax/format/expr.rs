//! Layout of expressions.

use super::builder::Builder;
use super::doc::{Doc, INDENT};
use crate::syntax::build::strength_of;
use crate::syntax::format::builder::ExprContext;
use crate::syntax::rule::Rule;
use crate::syntax::shape::Pair;

type Pairs<'p, 'i> = &'p [Pair<'i>];

/// An optional line break that is used only if necessary, whether or not the author broke the line there.
pub const SOFT: Doc = Doc::Line { tight: false, kept: false };

impl Builder<'_, '_> {
    pub fn expr(&self, pair: &Pair<'_>, place: ExprContext) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        self.chain(&parts, place)
    }

    /// Lay out operands and operators: those of lowest precedence on their own lines if necessary.
    fn chain(&self, parts: Pairs<'_, '_>, place: ExprContext) -> Doc {
        let weakest = parts.iter().filter_map(|part| strength_of(part.as_rule())).min();
        let Some(weakest) = weakest else { return self.prefixed(parts) };
        let mut docs = Vec::new();
        let mut rest = parts;
        loop {
            let at = rest.iter().position(|part| strength_of(part.as_rule()) == Some(weakest));
            docs.push(self.chain(&rest[..at.unwrap_or(rest.len())], ExprContext::Align));
            let Some(at) = at else { break };
            let (op, next) = (&rest[at], &rest[at + 1]);
            let kept = self.tokens.on_new_line(self.index(op)) || self.tokens.on_new_line(self.index(next));
            let line = Doc::Line { tight: false, kept };
            let line = match place {
                ExprContext::Nest(by) => line.nest(by),
                ExprContext::Align => line,
            };
            match op.as_rule() {
                Rule::op_range => docs.push(self.leaf(op)),
                // The consequent begins on its own line.
                Rule::op_implies => docs.extend([Doc::blank(), self.leaf(op), line]),
                _ => docs.extend([line, self.leaf(op), Doc::blank()]),
            }
            rest = &rest[at + 1..];
        }
        let chain = Doc::Cat(docs).group();
        if place == ExprContext::Align { chain.align() } else { chain }
    }

    fn prefixed(&self, parts: Pairs<'_, '_>) -> Doc {
        let mut docs = Vec::new();
        for part in parts {
            docs.push(self.part(part));
            let touches = match part.as_rule() {
                Rule::op_not => self.signs.write(Rule::op_not, part.as_str().to_string()) == "¬",
                _ => true,
            };
            if !touches {
                docs.push(Doc::blank());
            }
        }
        Doc::Cat(docs)
    }

    /// `if c then a else if d then b else e`: one line, or a line for each case.
    pub fn conditional(&self, pair: &Pair<'_>) -> Doc {
        let mut docs = Vec::new();
        let mut at = *pair;
        loop {
            let parts: Vec<Pair<'_>> = at.into_inner().collect();
            let [k_if, condition, k_then, yes, k_else, no] = parts.as_slice() else {
                unreachable!("a conditional has six parts")
            };
            let value = Doc::Cat(vec![SOFT, self.expr(yes, ExprContext::Align)]);
            docs.extend([
                self.leaf(k_if),
                Doc::blank(),
                self.expr(condition, ExprContext::Align),
                Doc::blank(),
                self.leaf(k_then),
                value.nest(INDENT).group(),
                self.line(self.index(k_else)),
                self.leaf(k_else),
            ]);
            match only(no, Rule::conditional) {
                Some(next) => {
                    docs.push(Doc::blank());
                    at = next;
                }
                None => {
                    let value = Doc::Cat(vec![SOFT, self.expr(no, ExprContext::Align)]);
                    docs.push(value.nest(INDENT).group());
                    return Doc::Cat(docs).group().align();
                }
            }
        }
    }

    /// `forall p in S with g: e`; the body may begin on the next line, indented.
    pub fn quantified(&self, pair: &Pair<'_>) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let [quantifier, binders, with @ .., colon, body] = parts.as_slice() else {
            unreachable!("a quantifier has binders, a colon and a body")
        };
        let mut docs = vec![self.leaf(quantifier), Doc::blank(), self.part(binders)];
        if let [with] = with {
            let with = Doc::Cat(vec![self.line(self.index(with)), self.part(with)]);
            docs.push(with.group().nest(2 * INDENT));
        }
        docs.push(self.leaf(colon));
        let body = vec![self.line(self.index(body)).hang(), self.expr(body, ExprContext::Align)];
        docs.push(Doc::Cat(body).group());
        Doc::Cat(docs)
    }

    /// `least p in S with g by e`
    pub fn best(&self, pair: &Pair<'_>) -> Doc {
        let mut docs = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::with_guard | Rule::by => {
                    docs.extend([self.line(self.index(&part)), self.part(&part)]);
                }
                _ => {
                    if !docs.is_empty() {
                        docs.push(Doc::blank());
                    }
                    docs.push(self.part(&part));
                }
            }
        }
        Doc::Cat(docs).group().align()
    }

    /// `(a)`, `(a, b)`, `[a, b]`, `{a, b}`, `{k: v}`; with blanks inside if it is a comprehension: `{ p in S | g }`.
    pub fn collection(&self, pair: &Pair<'_>) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let [open, inner @ .., close] = parts.as_slice() else { return self.leaf(pair) };
        // `k: v, l: w` is parsed as `k` and the rest.
        let mut elements: Vec<Pair<'_>> = Vec::new();
        for part in inner {
            match part.as_rule() {
                Rule::map_rest => elements.extend(part.into_inner()),
                _ => elements.push(*part),
            }
        }
        let described =
            elements.last().is_some_and(|last| matches!(last.as_rule(), Rule::comprehension | Rule::filter));
        if described {
            return self.between(open, &elements, close, |row| self.described(row), 1);
        }
        let empty_set = pair.as_rule() == Rule::braces && inner.is_empty();
        if empty_set && self.tokens.on_one_line(self.range(pair)) {
            let range = self.range(pair);
            let text = self.signs.write(Rule::empty_set, "{}".into());
            let doc = Doc::Cat(vec![Doc::Text(text), self.tokens.trailing(range.end - 1)]);
            let mut before = self.tokens.own(self.tokens.own_lines_before(range.start));
            if !before.is_empty() {
                before.push(Doc::Hard { blank: false });
            }
            before.push(doc);
            return Doc::Cat(before);
        }
        self.between(open, &elements, close, |row| self.row(row), 0)
    }

    /// `e for p in S | g`, `k: v for p in S | g`
    fn described(&self, parts: Pairs<'_, '_>) -> Doc {
        let mut docs = Vec::new();
        let behind = parts.iter().position(|p| matches!(p.as_rule(), Rule::comprehension | Rule::filter));
        let (what, parts) = parts.split_at(behind.unwrap_or(parts.len()));
        docs.push(self.row(what));
        for part in parts {
            match part.as_rule() {
                Rule::comprehension => {
                    docs.push(self.line(self.index(part)));
                    let inner: Vec<Pair<'_>> = part.into_inner().collect();
                    let (clause, filter) = match inner.split_last() {
                        Some((last, rest)) if last.as_rule() == Rule::filter => (rest, Some(last)),
                        _ => (inner.as_slice(), None),
                    };
                    docs.push(self.row(clause));
                    docs.extend(
                        filter
                            .into_iter()
                            .flat_map(|filter| [self.line(self.index(filter)), self.part(filter)]),
                    );
                }
                Rule::filter => docs.extend([self.line(self.index(part)), self.part(part)]),
                _ => docs.push(self.part(part)),
            }
        }
        Doc::Cat(docs).group()
    }
}

/// Return the only part of an expression, if it has this rule.
pub fn only<'i>(expr: &Pair<'i>, rule: Rule) -> Option<Pair<'i>> {
    let mut inner = expr.into_inner();
    let operand = inner.next().filter(|part| part.as_rule() == Rule::operand)?;
    if inner.next().is_some() {
        return None;
    }
    let mut inner = operand.into_inner();
    let found = inner.next().filter(|part| part.as_rule() == rule)?;
    inner.next().is_none().then_some(found)
}
