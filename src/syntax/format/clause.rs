//! Layout of clauses: the part before the first break, and the part after it that may be aligned with neighbouring clauses.

use super::builder::Builder;
use super::doc::{Doc, INDENT};
use super::expr::only;
use super::stmt::Branch;
use super::symbols::Signs;
use crate::syntax::format::builder::ExprContext;
use crate::syntax::rule::Rule;
use crate::syntax::shape::Pair;

/// A clause under construction.
pub enum Clause<'i> {
    /// A clause that is not aligned with its neighbours.
    Alone(Doc),
    /// A declaration or property: the part after its name may be aligned with those of its neighbours. `gap`: the number of
    /// blanks between the two in the source; `key`: equal for clauses that are aligned.
    Columns { head: Doc, tail: Doc, gap: usize, key: String },
    /// A handler: its arrow may be aligned with those of its neighbours.
    Handler(Branch<'i>),
}

/// The indentation of a clause, and of the clauses that belong to it.
#[derive(Default)]
pub struct Sections {
    in_role: bool,
    /// Indentation of handlers that belong to a state, or to `always`.
    handlers: Option<usize>,
}

impl Sections {
    /// Return the indentation of the next clause, which begins in this column of the source.
    pub fn place(&mut self, clause: &Pair<'_>, column: usize) -> usize {
        let role = if self.in_role { INDENT } else { 0 };
        let own = match clause.as_rule() {
            Rule::on_handler
            | Rule::when_handler
            | Rule::after_handler
            | Rule::deferral
            | Rule::ignorance => {
                return self.handlers.unwrap_or(role);
            }
            Rule::algorithm | Rule::problem | Rule::role => 0,
            Rule::variable
            | Rule::procedure
            | Rule::operation
            | Rule::client
            | Rule::state
            | Rule::always => role,
            // These belong to no role, even among the clauses of a role.
            _ if column > 0 => role,
            _ => 0,
        };
        self.handlers = match clause.as_rule() {
            Rule::state | Rule::always => Some(own + INDENT),
            _ => None,
        };
        match clause.as_rule() {
            Rule::role => self.in_role = true,
            Rule::algorithm | Rule::problem => self.in_role = false,
            _ => {}
        }
        own
    }
}

impl Builder<'_, '_> {
    pub fn clause<'i>(&self, pair: &Pair<'i>, indent: usize) -> Clause<'i> {
        let parts: Vec<Pair<'i>> = pair.into_inner().collect();
        match pair.as_rule() {
            Rule::on_handler | Rule::when_handler | Rule::after_handler => self.handler(&parts),
            Rule::variable | Rule::constant | Rule::parameter => self.declaration(&parts),
            Rule::property => self.property(&parts),
            Rule::state | Rule::procedure | Rule::operation | Rule::client => {
                Clause::Alone(self.with_body(&parts, indent))
            }
            Rule::function => Clause::Alone(self.function(&parts)),
            Rule::algorithm => Clause::Alone(self.algorithm(&parts)),
            Rule::problem => Clause::Alone(self.row(&parts).nest(INDENT)),
            Rule::scenario => Clause::Alone(self.scenario(&parts)),
            _ => Clause::Alone(self.spaced(pair)),
        }
    }

    fn handler<'i>(&self, parts: &[Pair<'i>]) -> Clause<'i> {
        let [word, head @ .., arrow, block] = parts else {
            unreachable!("a handler has an arrow and a block")
        };
        let head = Doc::Cat(vec![self.leaf(word), Doc::blank(), self.row(head).align()]);
        Clause::Handler(self.guarded(head, arrow, block))
    }

    /// Lay out a state, procedure, operation or client: its statements are below its head.
    fn with_body(&self, parts: &[Pair<'_>], indent: usize) -> Doc {
        let [head @ .., block] = parts else { unreachable!("there is a block") };
        // A comment may separate the word from the name, which must not begin a line.
        let mut docs = vec![self.row(head).nest(INDENT)];
        if let Some(body) = self.block(block, indent + INDENT) {
            docs.push(Doc::Cat(vec![Doc::Hard { blank: false }, body]).nest(INDENT));
        }
        Doc::Cat(docs)
    }

    /// `var x, y : T := e`
    fn declaration<'i>(&self, parts: &[Pair<'i>]) -> Clause<'i> {
        let splits = |part: &Pair<'_>| {
            matches!(part.as_rule(), Rule::annotation | Rule::assign | Rule::equals | Rule::k_initially)
        };
        let split = parts.iter().position(splits).unwrap_or(parts.len());
        let (head, tail) = parts.split_at(split);
        if tail.is_empty() {
            return Clause::Alone(self.row(head));
        }
        let words = head.iter().take_while(|part| part.as_rule() != Rule::name).map(|part| part.as_str());
        let mut docs = Vec::new();
        for part in tail {
            match part.as_rule() {
                Rule::expr => docs.push(self.value(part)),
                _ => {
                    if !docs.is_empty() {
                        docs.push(Doc::blank());
                    }
                    docs.push(self.part(part).nest(INDENT));
                }
            }
        }
        Clause::Columns {
            head: self.row(head),
            tail: Doc::Cat(vec![Doc::blank(), Doc::Cat(docs)]),
            gap: self.tokens.gap(self.index(&tail[0])),
            key: words.collect::<Vec<_>>().join(" "),
        }
    }

    /// Return the part after `=` or `:=`, on the same line or on the next.
    fn value(&self, expr: &Pair<'_>) -> Doc {
        let bracketed =
            [Rule::group, Rule::list, Rule::braces].iter().any(|rule| only(expr, *rule).is_some());
        let kept = self.tokens.on_new_line(self.index(expr));
        let line = match bracketed && !kept {
            true => Doc::blank(),
            false => self.line(self.index(expr)).nest(INDENT),
        };
        Doc::Cat(vec![line, self.expr(expr, ExprContext::Nest(INDENT))]).group()
    }

    fn function(&self, parts: &[Pair<'_>]) -> Doc {
        let [k_function, name, params, annotation @ .., equals, body] = parts else {
            unreachable!("a function has a name, parameters and a body")
        };
        let mut docs = vec![
            self.leaf(k_function),
            Doc::blank(),
            self.leaf(name).nest(INDENT),
            self.part(params),
            Doc::blank(),
        ];
        if let [annotation] = annotation {
            docs.extend([self.part(annotation), Doc::blank()]);
        }
        docs.extend([self.leaf(equals), self.value(body)]);
        Doc::Cat(docs)
    }

    fn algorithm(&self, parts: &[Pair<'_>]) -> Doc {
        let mut docs = Vec::new();
        for part in parts {
            match part.as_rule() {
                Rule::solves => {
                    let inner: Vec<Pair<'_>> = part.into_inner().collect();
                    let split =
                        inner.iter().position(|part| part.as_rule() == Rule::without).unwrap_or(inner.len());
                    let mut line = vec![self.line(self.index(part)), self.row(&inner[..split])];
                    for without in &inner[split..] {
                        let behind = vec![self.line(self.index(without)), self.part(without)];
                        line.push(Doc::Cat(behind).group());
                    }
                    docs.push(Doc::Cat(line).group().nest(INDENT));
                }
                _ => {
                    if !docs.is_empty() {
                        docs.push(Doc::blank());
                    }
                    docs.push(self.part(part).nest(INDENT));
                }
            }
        }
        Doc::Cat(docs)
    }

    /// `invariant NAME for p: e`
    fn property<'i>(&self, parts: &[Pair<'i>]) -> Clause<'i> {
        let [kind, name, rest @ ..] = parts else { unreachable!("a property has a name") };
        let mut head = vec![self.leaf(kind), Doc::blank(), self.leaf(name)];
        let mut tail = Vec::new();
        let each = rest[0].as_rule() == Rule::k_for;
        for part in rest {
            match part.as_rule() {
                Rule::colon if !each => head.push(self.leaf(part)),
                Rule::colon => tail.push(self.leaf(part)),
                Rule::expr => {
                    let line = self.line(self.index(part)).nest(INDENT);
                    tail.push(Doc::Cat(vec![line, self.expr(part, ExprContext::Nest(INDENT))]).group());
                }
                Rule::leads_to => tail.push(self.leads_to(part)),
                _ => tail.extend([Doc::blank(), self.part(part)]),
            }
        }
        let tail = Doc::Cat(tail);
        if tail.width().is_none() {
            return Clause::Alone(Doc::Cat(vec![Doc::Cat(head), tail]));
        }
        let behind = if each { &rest[0] } else { &rest[1] };
        Clause::Columns {
            head: Doc::Cat(head),
            tail,
            gap: self.tokens.gap(self.index(behind)),
            key: if each { "property for".into() } else { "property".into() },
        }
    }

    /// `leads to e`
    fn leads_to(&self, pair: &Pair<'_>) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let (words, expr) = parts.split_at(parts.len() - 1);
        let first = self.index(pair);
        let last = words.last().map_or(first, |word| self.index(word));
        let plain = self.tokens.on_one_line(first..last + 1);
        let sign = match (self.signs, words) {
            (Signs::Ascii, []) => self.sign(first, last, "leads to"),
            (Signs::Unicode, [_, _]) if plain => self.sign(first, last, "↝"),
            (_, []) => self.token(first),
            (_, words) => self.row(words),
        };
        let index = self.index(pair);
        let line = self.line(index).nest(INDENT);
        Doc::Cat(vec![line, sign, Doc::blank(), self.expr(&expr[0], ExprContext::Align)]).group()
    }

    fn scenario(&self, parts: &[Pair<'_>]) -> Doc {
        let lines = parts.iter().position(|part| part.as_rule() == Rule::line).unwrap_or(parts.len());
        let (head, lines) = parts.split_at(lines);
        let mut docs = Vec::new();
        for part in head {
            match part.as_rule() {
                Rule::settings => {
                    // Settings on several lines begin on a line of their own.
                    let kept = self.range(part).any(|index| self.tokens.on_new_line(index));
                    let settings = vec![Doc::Line { tight: false, kept }, self.part(part)];
                    docs.push(Doc::Cat(settings).group().nest(2 * INDENT));
                }
                _ => {
                    if !docs.is_empty() {
                        docs.push(Doc::blank());
                    }
                    docs.push(self.part(part).nest(INDENT));
                }
            }
        }
        let mut below = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            below.push(Doc::Hard { blank: at > 0 && self.blank_before(self.index(line)) });
            below.push(self.part(line));
        }
        docs.push(Doc::Cat(below).nest(INDENT));
        Doc::Cat(docs)
    }

    /// Lay out a handler with its commands after its arrow, in that column (counted from the handler), or below.
    pub fn whole_handler(&self, branch: Branch<'_>, arrow: Option<usize>, indent: usize) -> Doc {
        let docs = self.with_arrow(
            branch,
            arrow,
            indent,
            |builder, block, column| builder.block(block, column),
            indent + INDENT,
            INDENT,
        );
        Doc::Cat(docs)
    }
}
