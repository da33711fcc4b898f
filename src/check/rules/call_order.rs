//! The order in which a scenario calls operations.
//!
//! A problem states requirements only for calls that its client makes: no property covers an `exit` without an `enter` before it.
//! So the calls of a scenario, such as `A: exit`, must come in an order in which the client could make them. Conditions and
//! numbers of iterations are ignored: a scenario may enter twice whatever `entries` is.

use crate::check::context::Processes;
use crate::check::typed::Typed;
use crate::diagnostic::{Diagnostic, Label, Scripting};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, ScenarioLineKind as A, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Calls, by their places in the client.
type Calls = BTreeSet<usize>;

/// The successor relation of the client's calls.
#[derive(Debug, Default)]
struct Order {
    /// The operation called at each place.
    names: Vec<String>,
    follow: Vec<Calls>,
    first: Calls,
    /// Operations that the problem also calls outside its client, at unknown times.
    elsewhere: BTreeSet<String>,
}

/// A part of the client.
struct Piece {
    first: Calls,
    last: Calls,
    /// Whether some path through it makes no call.
    empty: bool,
}

impl Piece {
    fn nothing() -> Piece {
        Piece { first: Calls::new(), last: Calls::new(), empty: true }
    }
}

impl Order {
    fn of(client: &ast::Block, operations: &BTreeSet<String>, elsewhere: BTreeSet<String>) -> Option<Order> {
        let mut order = Order { elsewhere, ..Order::default() };
        let whole = order.block(client, operations, false);
        // A process at the end of the client may start again.
        order.join(&whole.last, &whole.first);
        order.first = whole.first;
        Some(order).filter(|order| !order.names.is_empty())
    }

    fn join(&mut self, last: &Calls, first: &Calls) {
        for place in last {
            self.follow[*place].extend(first);
        }
    }

    fn block(&mut self, block: &ast::Block, operations: &BTreeSet<String>, in_loop: bool) -> Piece {
        let mut whole = Piece::nothing();
        for stmt in block {
            let piece = self.stmt(stmt, operations, in_loop);
            self.join(&whole.last, &piece.first);
            if whole.empty {
                whole.first.extend(&piece.first);
            }
            if !piece.empty {
                whole.last.clear();
            }
            whole.last.extend(&piece.last);
            whole.empty &= piece.empty;
        }
        whole
    }

    fn stmt(&mut self, stmt: &ast::Stmt, operations: &BTreeSet<String>, in_loop: bool) -> Piece {
        match &stmt.kind {
            StmtKind::Call { layer: None, name, .. }
                if operations.contains(&name.text) && !self.elsewhere.contains(&name.text) =>
            {
                let place = self.names.len();
                self.names.push(name.text.clone());
                // Outside loops, the client makes a call once, which does not permit a repetition.
                let again = (!in_loop).then_some(place);
                self.follow.push(again.into_iter().collect());
                let here = Calls::from([place]);
                Piece { first: here.clone(), last: here, empty: false }
            }
            StmtKind::If(branches) => self.either(branches, operations, in_loop),
            StmtKind::Do(branches) => {
                let body = self.either(branches, operations, true);
                self.repeated(body)
            }
            StmtKind::For { body, .. } => {
                let body = self.block(body, operations, true);
                self.repeated(body)
            }
            _ => Piece::nothing(),
        }
    }

    fn either(&mut self, branches: &[ast::Branch], operations: &BTreeSet<String>, in_loop: bool) -> Piece {
        let mut any = Piece { empty: false, ..Piece::nothing() };
        for branch in branches {
            let piece = self.block(&branch.body, operations, in_loop);
            any.first.extend(&piece.first);
            any.last.extend(&piece.last);
            any.empty |= piece.empty;
        }
        any
    }

    fn repeated(&mut self, body: Piece) -> Piece {
        self.join(&body.last, &body.first);
        Piece { empty: true, ..body }
    }

    fn told(&self, calls: &Calls) -> String {
        let names: BTreeSet<String> = calls.iter().map(|place| format!("`{}`", self.names[*place])).collect();
        names.into_iter().collect::<Vec<_>>().join(" or ")
    }
}

/// Progress of the calls at one process.
#[derive(Clone, Default)]
struct CallTurn {
    /// The places in the client where the last call may be. None: no call so far.
    at: Option<Calls>,
    last: Option<Span>,
}

impl Typed {
    /// Return findings about scenarios that call operations in an order that the problem's client does not allow.
    pub(super) fn call_order(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for ((scenario, ..), processes) in self.units[0].scenarios.iter().zip(&self.processes) {
            self.check_call_order(scenario, processes, &mut found);
        }
        found
    }

    fn check_call_order(&self, scenario: &ast::Scenario, processes: &Processes, found: &mut Vec<Diagnostic>) {
        let Some(comp) = self.problem() else { return };
        let unit = self.comps[comp].unit;
        let problem = &self.units[unit];
        let operations = self.operations.iter().map(|o| o.name.clone()).collect();
        let Some((client, clause)) = &problem.common.client else { return };
        let calls = self.names.calls_in(unit).filter(|used| used.clause != *clause);
        let called = calls.map(|used| self.names.decl(used.decl)).filter(|decl| decl.unit == unit);
        let elsewhere = called.map(|decl| decl.name.clone()).collect();
        let Some(order) = Order::of(client, &operations, elsewhere) else { return };
        // With `restart 1`, processes restart at times that no line determines.
        if scenario.with.iter().any(|(key, _)| key.text == "restart") {
            return;
        }
        let anywhere: Calls = (0..order.names.len()).collect();
        let mut turns: BTreeMap<i64, CallTurn> = BTreeMap::new();
        for line in &scenario.lines {
            match &line.kind {
                // The process starts in the middle of the client, as with `initially A.critical := true`.
                A::Initially { target, .. } => {
                    let ExprKind::Field(base, field) = &target.kind else { continue };
                    let ExprKind::Name(process) = &base.kind else { continue };
                    let mut vars = problem.common.vars.iter().flat_map(|section| &section.names);
                    if vars.any(|name| name.text == field.text)
                        && let Some(p) = processes.get(&process.text)
                    {
                        turns.entry(p).or_default().at = Some(anywhere.clone());
                    }
                }
                // A restarted process begins at the start of the client.
                A::Crash { process, .. } | A::Restart(process) => {
                    if let Some(p) = processes.get(&process.text) {
                        turns.remove(&p);
                    }
                }
                A::Act { process, operation, .. } => {
                    let Some(p) = processes.get(&process.text) else { continue };
                    if !order.names.contains(&operation.text) {
                        continue;
                    }
                    let turn = turns.entry(p).or_default();
                    let next: Calls = match &turn.at {
                        None => order.first.clone(),
                        Some(at) => at.iter().flat_map(|place| &order.follow[*place]).copied().collect(),
                    };
                    let is_it = |place: &usize| order.names[*place] == operation.text;
                    let mut here: Calls = next.iter().copied().filter(is_it).collect();
                    let mut out_of_turn = None;
                    if here.is_empty() {
                        let name = problem.name.text.clone();
                        let (process, called) = (process.text.clone(), operation.text.clone());
                        let expected = order.told(&next);
                        out_of_turn = Some(match turn.last {
                            None => Scripting::CallsFirst(process, called, name, expected).at(operation.span),
                            Some(last) => Scripting::CallsNext(process, called, name, expected)
                                .at(operation.span)
                                .related(last, Label::PreviousCall),
                        });
                        // Report each error once: continue as if the call were in order.
                        here = anywhere.iter().copied().filter(is_it).collect();
                    }
                    *turn = CallTurn { at: Some(here), last: Some(operation.span) };
                    if let Some(d) = out_of_turn {
                        found.push(d);
                    }
                }
                _ => {}
            }
        }
    }
}
