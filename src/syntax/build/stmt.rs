//! Statements.

use pest::iterators::Pair;

use super::pattern::{parts_without_in, two};
use super::{Builder, Built, fail, first, parts};
use crate::diagnostic::Grammar;
use crate::source::Span;
use crate::syntax::ast::{Block, Branch, Expr, ExprKind, Guard, Receive, Stmt, StmtKind};
use crate::syntax::rule::Rule;

impl Builder {
    pub(super) fn block(&mut self, pair: Pair<'_, Rule>) -> Built<Block> {
        parts(pair).into_iter().map(|statement| self.statement(first(statement))).collect()
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Built<Stmt> {
        let span = self.span(&pair);
        Ok(Stmt { kind: self.statement_kind(pair)?, span })
    }

    fn statement_kind(&mut self, pair: Pair<'_, Rule>) -> Built<StmtKind> {
        let rule = pair.as_rule();
        Ok(match rule {
            Rule::skip => StmtKind::Skip,
            Rule::halt => StmtKind::Halt,
            Rule::pause => StmtKind::Pause,
            Rule::round => StmtKind::Round,
            Rule::listen => StmtKind::Listen,
            Rule::receive => StmtKind::Receive(self.receive(pair)?),
            Rule::choice => StmtKind::If(self.branches(pair)?),
            Rule::repetition => StmtKind::Do(self.branches(pair)?),
            Rule::assignment_or_call => self.assignment_or_call(pair)?,
            Rule::wait => StmtKind::Await(self.only_expr(pair)?),
            Rule::transmit => StmtKind::Transmit(self.only_expr(pair)?),
            Rule::become_state => StmtKind::Become(self.name(&parts(pair).remove(0))),
            Rule::cancel_timer => StmtKind::CancelTimer(self.name(&parts(pair).remove(0))),
            Rule::send => {
                let mut all = parts(pair).into_iter();
                let what = self.expr(all.next().expect("`send` has a message"))?;
                let to = all.next().map(|to| self.guarded(to)).transpose()?;
                StmtKind::Send { what, to }
            }
            Rule::remove => {
                let [what, from] = two(parts(pair));
                StmtKind::Remove { what: self.expr(what)?, from: self.expr(from)? }
            }
            Rule::choose => {
                let [name, set] = two(parts_without_in(pair));
                StmtKind::Choose { name: self.name(&name), set: self.expr(set)? }
            }
            Rule::set_timer => {
                let [name, after] = two(parts(pair));
                StmtKind::SetTimer { name: self.name(&name), after: self.expr(after)? }
            }
            Rule::iteration => {
                let mut all = parts_without_in(pair).into_iter();
                let mut next = || all.next().expect("`for` has a pattern, a set and a body");
                let (pattern, set, body) = (next(), next(), next());
                StmtKind::For {
                    pattern: self.binding(pattern)?,
                    set: self.expr(set)?,
                    body: self.block(body)?,
                }
            }
            other => unreachable!("{other:?} is not a statement"),
        })
    }

    fn only_expr(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        self.guarded(pair)
    }

    fn receive(&mut self, pair: Pair<'_, Rule>) -> Built<Receive> {
        let span = self.span(&pair);
        let mut all = parts(pair).into_iter();
        let pattern = self.pattern(all.next().expect("`receive` has a pattern"))?;
        let from = all.next().map(|from| self.origin(from)).transpose()?;
        Ok(Receive { pattern, from, span })
    }

    fn branches(&mut self, pair: Pair<'_, Rule>) -> Built<Vec<Branch>> {
        parts(pair).into_iter().map(|branch| self.branch(branch)).collect()
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> Built<Branch> {
        let span = self.span(&pair);
        let [guard, body] = two(parts(pair));
        let guard_span = self.span(&guard);
        let guard = first(guard);
        let (after_earlier, guard) = match guard.as_rule() {
            Rule::later_guard => match parts(guard).pop() {
                Some(plain) => (true, self.guard(plain)?),
                None => (false, Guard::Otherwise(guard_span)),
            },
            _ => (false, self.guard(guard)?),
        };
        Ok(Branch { after_earlier, guard, body: self.block(body)?, span })
    }

    fn guard(&mut self, pair: Pair<'_, Rule>) -> Built<Guard> {
        let guard = first(pair);
        Ok(match guard.as_rule() {
            Rule::message_arrives => {
                let mut all = parts(guard).into_iter();
                let receive = self.receive(all.next().expect("the guard begins with `receive`"))?;
                let when = all.next().map(|when| self.guarded(when)).transpose()?;
                Guard::Receive(receive, when)
            }
            Rule::time_passes => Guard::After(self.guarded(guard)?),
            _ => Guard::Condition(self.expr(guard)?),
        })
    }

    /// `a`, `v[k]`, `(a, v[k])`
    fn target(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        if pair.as_rule() == Rule::place {
            return self.operand(pair);
        }
        let span = self.span(&pair);
        let all = parts(pair).into_iter().map(|part| self.target(part)).collect::<Built<_>>()?;
        self.make(ExprKind::Tuple(all), span)
    }

    fn assignment_or_call(&mut self, pair: Pair<'_, Rule>) -> Built<StmtKind> {
        let span = self.span(&pair);
        let mut targets = Vec::new();
        let mut values = None;
        for part in parts(pair) {
            match part.as_rule() {
                Rule::place | Rule::tuple_place => targets.push(self.target(part)?),
                _ => {
                    let all =
                        parts(part).into_iter().map(|value| self.expr(value)).collect::<Built<Vec<_>>>()?;
                    values = Some(all);
                }
            }
        }
        match values {
            None => called(targets.remove(0)),
            Some(values) => assigned(targets, values, span),
        }
    }
}

fn assigned(targets: Vec<Expr>, values: Vec<Expr>, span: Span) -> Built<StmtKind> {
    for place in targets.iter().flat_map(Expr::places) {
        if !is_place(place) {
            return fail(place.span, Grammar::NotAPlace);
        }
    }
    if targets.len() != values.len() {
        return fail(span, Grammar::Sides(targets.len(), values.len()));
    }
    Ok(StmtKind::Assign { targets, values })
}

fn is_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Index(of, _) | ExprKind::Field(of, _) => is_place(of),
        _ => false,
    }
}

fn called(expr: Expr) -> Built<StmtKind> {
    match expr.kind {
        ExprKind::Name(name) => Ok(StmtKind::Call { layer: None, name, args: Vec::new() }),
        ExprKind::Call { layer, name, args } => Ok(StmtKind::Call { layer, name, args }),
        ExprKind::Field(of, name) => match of.kind {
            ExprKind::Name(layer) => Ok(StmtKind::Call { layer: Some(layer), name, args: Vec::new() }),
            _ => not_a_statement(expr.span),
        },
        _ => not_a_statement(expr.span),
    }
}

fn not_a_statement(span: Span) -> Built<StmtKind> {
    fail(span, Grammar::NotAStatement)
}
