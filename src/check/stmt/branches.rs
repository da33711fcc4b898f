//! `if`, `do` and `for`.

use super::super::Checker;
use super::*;
use crate::check::context::*;
use crate::check::names::{Access, DeclId};
use crate::diagnostic::{Behaviour, Need, Typing};
use crate::ir::GuardTaken;
use std::collections::{BTreeSet, VecDeque};

/// The variables certainly assigned where branches join: the intersection over the branches whose end is reachable.
#[derive(Default)]
struct Joined(Option<BTreeSet<LocalId>>);

impl Joined {
    /// Add a branch whose block has just been elaborated.
    fn add(&mut self, branch: Flow, cx: &Cx) {
        if branch.reaches_end {
            self.0 = Some(match self.0.take() {
                None => cx.assigned_at_block_end.clone(),
                Some(given) => given.intersection(&cx.assigned_at_block_end).copied().collect(),
            });
        }
    }

    fn leave(self, cx: &mut Cx) {
        cx.definitely_assigned.extend(self.0.into_iter().flatten());
    }
}

/// The ends of the branches of an `if` or `do`.
pub(in crate::check) struct Ends {
    /// For `do`: the start of the loop, to which branches return.
    again: Option<ir::Pc>,
    /// For `if`: the jumps to its end.
    jumps: Vec<usize>,
    joined: Joined,
    /// Whether some branch returns without waiting.
    turns_without_waiting: bool,
}

impl Ends {
    pub(in crate::check) fn new(again: Option<ir::Pc>) -> Ends {
        Ends { again, jumps: Vec::new(), joined: Joined::default(), turns_without_waiting: false }
    }
}

impl Checker<'_> {
    /// Elaborate the body of a branch, and end its scope, which the guard began. `is_last`: the end of the statement follows.
    pub(in crate::check) fn branch_body(
        &mut self,
        body: &ast::Block,
        tail: bool,
        is_last: bool,
        ends: &mut Ends,
    ) -> Flow {
        let flow = self.block(body, tail && ends.again.is_none());
        self.leave_scope();
        ends.turns_without_waiting |= flow.reaches_end && flow.reaches_end_without_wait;
        ends.joined.add(flow, &self.cx);
        match ends.again {
            Some(again) if flow.reaches_end => drop(self.emit(Op::Jump(again))),
            None if flow.reaches_end && !is_last => ends.jumps.push(self.emit(Op::Jump(0))),
            _ => {}
        }
        flow
    }

    /// End an `if` or `do` after its last branch.
    pub(in crate::check) fn end_branches(&mut self, ends: Ends) {
        ends.jumps.into_iter().for_each(|at| self.patch_jump(at));
        if ends.again.is_none() {
            ends.joined.leave(&mut self.cx);
        }
    }

    pub(in crate::check) fn branches(
        &mut self,
        branches: &[ast::Branch],
        span: Span,
        tail: bool,
        repeat: bool,
    ) -> Flow {
        let waits = branches.iter().any(|b| matches!(b.guard, Guard::Receive(..) | Guard::After(_)));
        if waits {
            let word = if repeat { "do" } else { "if" };
            if !self.may_wait(span, word) {
                return Flow::WAITS;
            }
            self.waiting_branches(branches, span, tail, repeat)
        } else {
            self.boolean_branches(branches, span, tail, repeat)
        }
    }

    pub(in crate::check) fn boolean_branches(
        &mut self,
        branches: &[ast::Branch],
        span: Span,
        tail: bool,
        repeat: bool,
    ) -> Flow {
        let errors = self.findings.len();
        let (mut guards, mut spans) = (Vec::new(), Vec::new());
        // The command may use the names that its guard binds.
        let mut bound: Vec<Vec<(String, LocalId)>> = vec![Vec::new(); branches.len()];
        let mut otherwise = None;
        for (i, branch) in branches.iter().enumerate() {
            match &branch.guard {
                Guard::Condition(e) => {
                    self.cx.scopes.push(Vec::new());
                    guards.push((i, self.condition(e, "a guard"), branch.after_earlier));
                    spans.push(e.span);
                    bound[i] = self.cx.scopes.pop().unwrap_or_default();
                }
                Guard::Otherwise(at) => {
                    if i + 1 != branches.len() {
                        self.error(Behaviour::OtherwiseNotLast.at(*at));
                    }
                    otherwise = Some(i);
                }
                _ => {}
            }
        }
        let plain: Vec<&ir::Expr> = guards.iter().map(|(_, g, _)| g).collect();
        let verdict = coverage::analyse(&plain, self.sources, &self.infer, &self.enums);
        if !repeat
            && otherwise.is_none()
            && let Some(missing) = &verdict.missing
            && self.findings[errors..].iter().all(|d| !d.is_error())
        {
            self.findings
                .push(Behaviour::NoGuardHolds(missing.clone()).at(span).fix(self.fix_otherwise(span)));
        }
        let head = self.pc();
        let mut flow =
            if repeat { Flow::NO_WAIT } else { Flow { reaches_end: false, reaches_end_without_wait: false } };
        let mut ends = Ends::new(repeat.then_some(head));
        // Guards that exclude one another are tested in turn; otherwise the choice is among all that hold.
        let chain = verdict.exclusive || guards.len() == 1 || guards.iter().skip(1).all(|g| g.2);
        let mut passing = None;
        let complete =
            !repeat && otherwise.is_none() && verdict.exclusive && verdict.complete && verdict.decided;
        if chain {
            let count = guards.len();
            for (k, (i, guard, _)) in guards.into_iter().enumerate() {
                let unless = if complete && k + 1 == count {
                    self.cx.implied.push((self.pc(), guard));
                    None
                } else {
                    Some(self.emit(Op::Unless(guard, 0)))
                };
                self.guard(spans[k], GuardTaken::Entering(self.pc()));
                passing = unless.map(|at| GuardTaken::Passing(at as ir::Pc));
                self.cx.scopes.push(std::mem::take(&mut bound[i]));
                flow = flow.or(self.branch_body(&branches[i].body, tail, false, &mut ends));
                if let Some(at) = unless {
                    self.patch_jump(at);
                }
            }
        } else {
            let at = self.emit(Op::Branch(Vec::new()));
            let mut list = Vec::new();
            let skip = self.emit(Op::Jump(0));
            passing = Some(GuardTaken::Entering(skip as ir::Pc));
            for ((i, guard, after_earlier), span) in guards.into_iter().zip(spans) {
                self.guard(span, GuardTaken::Entering(self.pc()));
                list.push(ir::Branch { guard, after_earlier, target: self.pc() });
                self.cx.scopes.push(std::mem::take(&mut bound[i]));
                flow = flow.or(self.branch_body(&branches[i].body, tail, false, &mut ends));
            }
            self.cx.code[at] = Op::Branch(list);
            self.patch_jump(skip);
        }
        if let Some(i) = otherwise {
            if let (Guard::Otherwise(at), Some(taken)) = (&branches[i].guard, passing) {
                self.guard(*at, taken);
            }
            self.cx.scopes.push(Vec::new());
            flow = flow.or(self.branch_body(&branches[i].body, tail, true, &mut ends));
        } else if !repeat && !complete {
            self.emit(Op::NoGuard(span));
        }
        let turns_without_waiting = ends.turns_without_waiting;
        self.end_branches(ends);
        // A loop in which some guard always holds never ends. If each iteration waits, so does every path through the loop.
        let never_ends = repeat && (otherwise.is_some() || verdict.complete && verdict.decided);
        if never_ends && !turns_without_waiting {
            self.emit(Op::NoGuard(span));
            return Flow::ENDS;
        }
        flow
    }

    /// Return the condition under which a `do` goes on: it ends when none of its guards can ever hold. An input guard without
    /// condition always can.
    fn open_condition(&mut self, branches: &[ast::Branch], span: Span) -> Option<ir::Expr> {
        let conditions = branches.iter().map(|b| match &b.guard {
            Guard::Condition(e) => Some(e),
            Guard::Receive(_, Some(e)) if self.is_independent_of_input(e, b) => Some(e),
            _ => None,
        });
        let conditions = conditions.collect::<Option<Vec<&ast::Expr>>>()?.into_iter();
        let conditions: Vec<ir::Expr> = conditions.map(|e| self.expr_as(e, &Type::Bool, "a guard")).collect();
        let any = conditions
            .into_iter()
            .reduce(|any, next| self.make(K::Or(Box::new(any), Box::new(next)), Type::Bool, span))?;
        let verdict = coverage::analyse(&[&any], self.sources, &self.infer, &self.enums);
        (!(verdict.complete && verdict.decided)).then_some(any)
    }

    pub(in crate::check) fn waiting_branches(
        &mut self,
        branches: &[ast::Branch],
        span: Span,
        tail: bool,
        repeat: bool,
    ) -> Flow {
        if branches.iter().any(|b| matches!(b.guard, Guard::Receive(..))) {
            self.reject_in_rounds(span, "receive");
        }
        if self.synchronizer.is_some() && self.cx.comp == 0 {
            return self.branches_by_rounds(branches, span, tail, repeat);
        }
        let head = self.pc();
        let open = if repeat { self.open_condition(branches, span) } else { None };
        let exit = open.clone().map(|open| self.emit(Op::Unless(open, 0)));
        let mut prepared: Vec<Option<LocalId>> = branches
            .iter()
            .map(|b| match &b.guard {
                Guard::Receive(r, _) => self.prepare_each(r),
                _ => None,
            })
            .collect();
        prepared.reverse();
        let mut deadlines = self.prepare_deadlines(branches);
        let wait = self.new_wait(span);
        self.emit_wait(wait);
        let mut flow = Flow {
            reaches_end: repeat && exit.is_some(),
            reaches_end_without_wait: repeat && exit.is_some(),
        };
        let mut ends = Ends::new(repeat.then_some(head));
        let mut alternatives = Vec::new();
        let given = self.cx.definitely_assigned.clone();
        for branch in branches {
            let each = prepared.pop().flatten();
            self.cx.definitely_assigned.clone_from(&given);
            self.cx.scopes.push(Vec::new());
            let (input, guard, stores) = match &branch.guard {
                Guard::Condition(e) => {
                    let (g, listens) = self.tracking_received(|this| this.condition(e, "a guard"));
                    self.cx.waits[wait as usize].depends_on_received |= listens;
                    (Input::Condition { some: None }, Some(g), Vec::new())
                }
                Guard::Otherwise(at) => {
                    self.error(Behaviour::OtherwiseBesideInput.at(*at));
                    (Input::Condition { some: None }, None, Vec::new())
                }
                Guard::After(e) => {
                    let after = match deadlines.pop_front() {
                        Some((after, at_once)) => {
                            self.patch_jump(at_once);
                            after
                        }
                        None => {
                            self.require(Need::Timers, branch.span);
                            self.expr_as(e, &Type::Int, "the time after `after`")
                        }
                    };
                    (Input::After(after), None, Vec::new())
                }
                Guard::Receive(r, when) => self.receive(r, when.as_ref(), each),
            };
            let entry = self.pc();
            self.store(stores);
            let action = self.action(branch.span);
            alternatives.push(Alternative {
                input,
                guard,
                after_earlier: branch.after_earlier,
                entry,
                action,
            });
            let body = self.branch_body(&branch.body, tail, false, &mut ends);
            flow.reaches_end |= body.reaches_end && !repeat;
        }
        self.cx.definitely_assigned = given;
        self.end_branches(ends);
        if let Some(at) = exit {
            self.patch_jump(at);
        }
        // While the `do` waits, handlers may make it impossible for any guard to hold.
        if let Some(open) = open
            && self.has_handlers()
        {
            let guard = self.make(K::Not(Box::new(open)), Type::Bool, span);
            let input = Input::Condition { some: None };
            alternatives.push(Alternative::new(input, Some(guard), self.pc(), self.action(span)));
        }
        self.cx.waits[wait as usize].alternatives = alternatives;
        flow
    }

    /// In rounds the number of `after k` is computed on arrival and kept. If it is not positive, no round is waited for: the
    /// jumps emitted here lead to the alternative.
    pub(in crate::check) fn prepare_deadlines(
        &mut self,
        branches: &[ast::Branch],
    ) -> VecDeque<(ir::Expr, usize)> {
        let mut prepared = VecDeque::new();
        if !self.in_rounds() {
            return prepared;
        }
        for branch in branches {
            let Guard::After(e) = &branch.guard else { continue };
            let after = self.expr_as(e, &Type::Int, "a number of rounds");
            let kept = self.cx.new_local("", Type::Int, e.span, Class::Thread);
            self.cx.scopes.last_mut().unwrap().push((String::new(), kept));
            self.emit(Op::Set(slot(kept), after));
            let kept = self.make(K::Slot(slot(kept)), Type::Int, e.span);
            let zero = self.make(K::Word(0), Type::Int, e.span);
            let waits = K::Compare(ir::Compare::Greater, Box::new(kept.clone()), Box::new(zero));
            let waits = self.make(waits, Type::Bool, e.span);
            let at_once = self.emit(Op::Unless(waits, 0));
            prepared.push_back((kept, at_once));
        }
        prepared
    }

    /// Return whether the condition of an input guard mentions nothing that the input binds.
    pub(in crate::check) fn is_independent_of_input(&self, e: &ast::Expr, branch: &ast::Branch) -> bool {
        let Guard::Receive(r, _) = &branch.guard else {
            return false;
        };
        let bound = self.names.uses_in(r.span).iter();
        let bound: BTreeSet<DeclId> =
            bound.filter(|u| matches!(u.access, Access::Declare | Access::Write)).map(|u| u.decl).collect();
        self.names.uses_in(e.span).iter().all(|used| !bound.contains(&used.decl))
    }

    pub(in crate::check) fn for_loop(
        &mut self,
        pattern: &ast::Pattern,
        set: &ast::Expr,
        body: &ast::Block,
        span: Span,
    ) -> Flow {
        let set = self.expr(set, None);
        // `1..n` and constant ranges have elements; other sets may be empty.
        let nonempty = match &set.kind {
            K::Range(lo, hi) => match (&lo.kind, &hi.kind) {
                (K::Word(lo), K::Word(hi)) => lo <= hi,
                (K::Word(lo), K::Fact(ir::Fact::N)) => *lo <= 1,
                _ => false,
            },
            _ => false,
        };
        let element = self.infer.element(&set.ty).unwrap_or_else(|| {
            let have = self.type_words(&set.ty);
            self.error(Typing::NoLoopOver(have).at(set.span));
            self.infer.fresh()
        });
        self.cx.scopes.push(Vec::new());
        let rest = self.cx.new_local("", Type::List(of(element.clone())), span, Class::Temp);
        self.cx.scopes.last_mut().unwrap().push((String::new(), rest));
        self.emit(Op::ForStart(rest, set));
        let head = self.pc();
        let pattern = self.binding_pattern(pattern, &element);
        let next = self.emit(Op::ForNext(rest, pattern, 0));
        let flow = self.block(body, false);
        if flow.reaches_end {
            self.emit(Op::Jump(head));
        }
        self.patch_jump(next);
        self.leave_scope();
        // The set may be empty: then the loop does not wait.
        if nonempty { flow } else { Flow::NO_WAIT }
    }
}
