//! Lowering of statements to code over numbered slots.

mod coverage;
mod assign;
mod branches;
mod call;
mod receive;
mod send;

pub(in crate::check) use branches::Ends;

use super::{Checker, prose};
use crate::check::context::*;
use crate::check::types::written::of;
use crate::diagnostic::{Behaviour, Hint, Label, Modelling, Naming, Need, Noun, Typing};
use crate::ir::{self, Alternative, ExprKind as K, Input, Op, Pattern, Sender, Target, TargetStep, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Guard, StmtKind};

/// The words with which statements begin that have something after them.
const STATEMENTS: &[&str] = &["send", "receive", "await", "become", "remove", "choose", "transmit"];

impl Checker<'_> {
    pub fn pc(&self) -> ir::Pc {
        self.cx.code.len() as ir::Pc
    }

    pub fn emit(&mut self, op: Op) -> usize {
        self.cx.code.push(op);
        self.cx.statements.push(self.cx.statement);
        self.cx.code.len() - 1
    }

    /// Set the target of a jump to the next operation.
    pub(in crate::check) fn patch_jump(&mut self, at: usize) {
        let here = self.pc();
        match &mut self.cx.code[at] {
            Op::Jump(pc) | Op::Unless(_, pc) | Op::ForNext(_, _, pc) | Op::OnRestart(pc) => *pc = here,
            other => unreachable!("no jump: {other:?}"),
        }
    }

    /// Lower a block. `tail`: nothing follows the block in its command.
    pub fn block(&mut self, block: &[ast::Stmt], tail: bool) -> Flow {
        self.cx.scopes.push(Vec::new());
        let given = self.cx.definitely_assigned.clone();
        let mut flow = Flow::NO_WAIT;
        let mut skip = false;
        for (i, stmt) in block.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            if self.misspelt_statement(stmt, block.get(i + 1)) {
                skip = true;
                flow = flow.then(Flow::WAITS);
                continue;
            }
            let last = i + 1 == block.len();
            if !flow.reaches_end {
                let d = Behaviour::NeverReached.at(stmt.span);
                let before = &block[i - 1];
                self.error(match before.kind {
                    StmtKind::Do(_) => d.related(before.span, Label::LoopEnds).hint(Hint::EndlessLoop),
                    _ => d.related(before.span, Label::CommandEnds).hint(Hint::MoveBefore),
                });
                break;
            }
            if matches!(stmt.kind, StmtKind::Pause) {
                // Name the waiting action by what follows it, which says more than that it has waited.
                self.after_pause = block.get(i + 1).map(|s| one_line(self.sources.slice(s.span)));
            }
            let around = std::mem::replace(&mut self.cx.statement, stmt.span);
            let next = self.stmt(stmt, tail && last);
            self.cx.statement = around;
            flow = flow.then(next);
        }
        self.leave_scope();
        self.cx.assigned_at_block_end = std::mem::replace(&mut self.cx.definitely_assigned, given);
        flow
    }

    /// `sned M` parses as two calls. Two bare words on a line, the first similar to a keyword, are a misspelt statement.
    fn misspelt_statement(&mut self, stmt: &ast::Stmt, next: Option<&ast::Stmt>) -> bool {
        let StmtKind::Call { layer: None, name, args } = &stmt.kind else {
            return false;
        };
        let Some(next) = next.filter(|n| matches!(n.kind, StmtKind::Call { .. } | StmtKind::Assign { .. }))
        else {
            return false;
        };
        let between = self.sources.slice(Span { start: stmt.span.end, end: next.span.start, ..stmt.span });
        let one_line = between.trim_matches(' ').is_empty();
        let known: Vec<String> = STATEMENTS.iter().map(|s| s.to_string()).collect();
        let meant = prose::nearest(&name.text, &known).map(String::from);
        let is_own = self.cx.comps[self.cx.comp].routines.contains_key(&name.text);
        if !args.is_empty() || is_own || !one_line {
            return false;
        }
        // `broadcast M`: a statement of another language, with a hint for the equivalent.
        if let (None, Some(hint)) = (&meant, prose::foreign_equivalent(&name.text)) {
            self.error(Naming::NoStatement(name.text.clone()).at(name.span).hint(Hint::Word(hint)));
            return true;
        }
        let Some(meant) = meant else {
            return false;
        };

        self.error(Naming::NoStatement(name.text.clone()).at(name.span).suggest(&meant));
        true
    }

    /// Turn locals that live across a waiting point into state, and reset them where their scope ends.
    pub fn leave_scope(&mut self) {
        let scope = self.cx.scopes.pop().unwrap();
        let mut clear = Vec::new();
        for (_, local) in scope {
            let l = &mut self.cx.locals[local as usize];
            let crossed = self.cx.wait_count > l.bound_at_wait;
            if crossed && matches!(self.cx.mode, Mode::Thread | Mode::Operation) {
                l.class = Class::Thread;
                clear.push(slot(local));
            }
        }
        if !clear.is_empty() {
            self.emit(Op::Clear(clear));
        }
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each statement")]
    pub(in crate::check) fn stmt(&mut self, stmt: &ast::Stmt, tail: bool) -> Flow {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => Flow::NO_WAIT,
            StmtKind::Assign { targets, values } => {
                self.assign(targets, values);
                Flow::NO_WAIT
            }
            StmtKind::Send { what, to } => {
                self.send(what, to.as_ref(), span);
                Flow::NO_WAIT
            }
            StmtKind::Receive(receive) => {
                if !self.may_wait(span, "receive") {
                    // Its names are used in the following statements nevertheless.
                    self.cx.wait_count += 1;
                    let each = self.prepare_each(receive);
                    self.receive(receive, None, each);
                    return Flow::WAITS;
                }
                self.reject_in_rounds(span, "receive");
                // Names bound here live in the enclosing block.
                let each = self.prepare_each(receive);
                let wait = self.new_wait(span);
                self.emit_wait(wait);
                let (input, guard, stores) = self.receive(receive, None, each);
                let entry = self.pc();
                self.store(stores);
                let way = Alternative::new(input, guard, entry, self.action(span));
                self.cx.waits[wait as usize].alternatives.push(way);
                Flow::WAITS
            }
            StmtKind::Await(condition) => {
                if !self.may_wait(span, "await") {
                    return Flow::WAITS;
                }
                if let ast::ExprKind::Name(name) | ast::ExprKind::Call { layer: None, name, .. } =
                    &condition.kind
                    && self.message_named(&name.text).is_some()
                {
                    self.error(Naming::MessageIsNoCondition(name.text.clone()).at(condition.span));
                    return Flow::WAITS;
                }
                if self.in_rounds() {
                    return self.await_rounds(condition, span);
                }
                let before = self.findings.len();
                let guard = self.expr_as(condition, &Type::Bool, "the condition of `await`");
                if matches!(self.infer.head(&guard.ty), Type::Int)
                    && let Some(d) = self.findings[before..].last_mut()
                {
                    let time = self.sources.slice(condition.span);
                    *d = d.clone().hint(Hint::WaitForTime(time.into()));
                }
                let wait = self.new_wait(span);
                self.emit_wait(wait);
                self.only_way_on(wait, Some(guard), span);
                Flow::WAITS
            }
            StmtKind::Pause => {
                if !self.may_wait(span, "pause") {
                    return Flow::WAITS;
                }
                self.reject_in_rounds(span, "pause");
                let wait = self.new_wait(span);
                self.emit_wait(wait);
                let action = match self.after_pause.take() {
                    Some(name) => self.named_action(name, span),
                    None => self.action(span),
                };
                let way = Alternative::new(Input::Pause, None, self.pc(), action);
                self.cx.waits[wait as usize].alternatives.push(way);
                Flow::WAITS
            }
            StmtKind::If(branches) => self.branches(branches, span, tail, false),
            StmtKind::Do(branches) => self.branches(branches, span, tail, true),
            StmtKind::For { pattern, set, body } => self.for_loop(pattern, set, body, span),
            StmtKind::Become(name) => self.become_state(name),
            StmtKind::Halt if self.synchronizer.is_some() && self.cx.comp == 0 => self.leave_rounds(span),
            StmtKind::Halt if self.cx.comp != 0 && !self.comps[self.cx.comp].is_problem => {
                self.end_layer(span, tail)
            }
            StmtKind::Halt => {
                self.emit(Op::Clear(vec![THREAD]));
                self.emit(Op::Halt);
                self.cx.becomes = true;
                Flow::ENDS
            }
            StmtKind::Round => self.round_statement(span),
            StmtKind::Transmit(e) => {
                self.transmit(e, span);
                Flow::NO_WAIT
            }
            StmtKind::Listen => {
                self.require(Need::Radio, span);
                self.emit(Op::Listen(span));
                Flow::NO_WAIT
            }
            StmtKind::Call { layer, name, args } => self.call_stmt(layer.as_ref(), name, args, span, tail),
            StmtKind::Remove { what, from } => {
                if let Some((place, ty, _)) = self.place(from) {
                    let Some(element) = self.infer.element_of_set(&ty) else {
                        let have = self.type_words(&ty);
                        self.error(Typing::NoRemovalFrom(have).at(from.span));
                        return Flow::NO_WAIT;
                    };
                    let what = self.expr_as(what, &element, "the removed element");
                    self.emit(Op::Remove(Box::new(place), what));
                }
                Flow::NO_WAIT
            }
            StmtKind::Choose { name, set } => {
                let set = self.expr(set, None);
                let element = match self.infer.head(&set.ty) {
                    Type::Set(t) | Type::List(t) => (*t).clone(),
                    other => {
                        let have = self.type_words(&other);
                        self.error(Typing::NoChoiceFrom(have).at(set.span));
                        self.infer.fresh()
                    }
                };
                let known = self.assignable(&name.text);
                let target = known.unwrap_or_else(|| self.cx.bind(&name.text, element.clone(), name.span));
                self.cx.assigned(target);
                let l = self.cx.locals[target as usize].clone();
                let fits = self.infer.fits(&element, &l.ty);
                match l.range {
                    None if fits && l.ranges.is_any() => {
                        self.emit(Op::Choose(slot(target), set));
                    }
                    range => {
                        // The assignment checks the range, and that the value is not `none`.
                        let ty = if fits { l.ty.clone() } else { element };
                        let chosen = self.cx.new_local("", ty.clone(), name.span, Class::Temp);
                        self.emit(Op::Choose(slot(chosen), set));
                        let value = self.make(K::Slot(slot(chosen)), ty, name.span);
                        let value = self.coerce(value, &l.ty, &format!("`{}`", name.text));
                        let value = self.with_range_check(value, &l.ranges, || format!("`{}`", name.text));
                        let place = Target { root: slot(target), path: Vec::new(), span: name.span, range };
                        self.emit(Op::Assign(Box::new(place), value));
                    }
                }
                Flow::NO_WAIT
            }
            StmtKind::SetTimer { name, after } => {
                self.require(Need::Timers, span);
                let after = self.expr_as(after, &Type::Int, "the time of a timer");
                let timer = self.timer(name);
                self.emit(Op::SetTimer(timer, after));
                Flow::NO_WAIT
            }
            StmtKind::CancelTimer(name) => {
                self.require(Need::Timers, span);
                let timer = self.timer(name);
                self.emit(Op::CancelTimer(timer));
                Flow::NO_WAIT
            }
        }
    }

    pub(in crate::check) fn reject_in_rounds(&mut self, span: Span, word: &'static str) {
        if self.in_rounds() {
            self.error(Modelling::NotInRounds(word).at(span));
        }
    }

    pub(in crate::check) fn may_wait(&mut self, span: Span, word: &str) -> bool {
        let finding = match self.cx.mode {
            Mode::Thread | Mode::Operation => return true,
            Mode::Procedure => Behaviour::ProcedureWaits(word.into()),
            _ => Behaviour::HandlerWaits(word.into()),
        };
        self.error(finding.at(span));
        false
    }

    pub fn new_wait(&mut self, span: Span) -> u32 {
        let text = one_line(self.sources.slice(span));
        let layer = self.layer_at_hand();
        self.cx.waits.push(ir::Wait {
            alternatives: Vec::new(),
            span,
            text,
            layer,
            depends_on_received: false,
        });
        (self.cx.waits.len() - 1) as u32
    }

    pub(in crate::check) fn emit_wait(&mut self, wait: u32) {
        self.cx.wait_count += 1;
        self.emit(Op::Wait(wait));
    }

    /// Return the path of the layer that is being elaborated; empty for the algorithm and its problem.
    fn layer_at_hand(&self) -> String {
        let comp = &self.comps[self.cx.comp];
        if comp.is_problem { String::new() } else { comp.name.clone() }
    }

    pub fn action(&mut self, span: Span) -> ir::ActionId {
        let name = one_line(self.sources.slice(span));
        self.named_action(name, span)
    }

    pub fn named_action(&mut self, name: String, span: Span) -> ir::ActionId {
        let layer = self.layer_at_hand();
        self.actions.push(ir::Action { name, layer, span });
        (self.actions.len() - 1) as u32
    }

    /// Register a guard; roles that share a text share its guards.
    pub(in crate::check) fn guard(&mut self, span: Span, taken: ir::GuardTaken) {
        let known = self.guards.iter().position(|guard| guard.span == span);
        let number = known.unwrap_or(self.guards.len());
        if known.is_none() {
            self.guards.push(ir::Guard { name: one_line(self.sources.slice(span)), span });
        }
        self.cx.guards.push((number as ir::GuardId, taken));
    }

    pub(in crate::check) fn must_be_last(&mut self, span: Span, tail: bool, word: &str) {
        if !tail && self.cx.mode != Mode::Operation {
            self.error(Behaviour::CommandEnds(word.into()).at(span));
        }
    }

    /// Return the role that has this state, if the current role does not.
    fn role_with_state(&self, state: &str) -> Option<&str> {
        let unit = &self.units[self.comps[self.cx.comp].unit];
        let mut roles = unit.roles.iter();
        let role = roles.find(|role| role.states.iter().any(|s| s.name.text == state))?;
        role.name.as_ref().map(|name| name.text.as_str())
    }

    pub(in crate::check) fn become_state(&mut self, name: &ast::Name) -> Flow {
        let scope = &self.cx.comps[self.cx.comp];
        let Some(state) = scope.states.get(&name.text).copied() else {
            let known: Vec<String> = scope.states.keys().cloned().collect();
            let d = Naming::Unknown(Noun::State, name.text.clone()).at(name.span);
            self.error(match self.role_with_state(&name.text) {
                Some(role) => d.hint(Hint::IsStateOfRole(role.into())),
                None => {
                    let declaration = format!("state {}", name.text);
                    let title = format!("Declare `{declaration}`");
                    d.fix(self.fix_add_section(title, name.span, &declaration)).nearest(
                        &name.text,
                        &known,
                        Hint::DeclareState(name.text.clone()),
                    )
                }
            });
            return Flow::ENDS;
        };
        let has_bodies = scope.has_bodies;
        let component = self.cx.comp as u16;
        if self.cx.mode == Mode::Operation {
            self.emit(Op::Become { component, state, thread: false });
            return Flow::NO_WAIT;
        }
        self.cx.becomes = true;
        if has_bodies {
            self.emit(Op::Clear(vec![THREAD]));
        }
        self.emit(Op::Become { component, state, thread: has_bodies });
        // If the thread does not move, the command nevertheless ends here.
        if !has_bodies {
            match self.cx.mode {
                Mode::Procedure => self.emit(Op::Return),
                _ => self.emit(Op::Finish),
            };
        }
        Flow::ENDS
    }
}

/// Return the first line of a piece of source, shortened, as the name of an action.
pub fn one_line(text: &str) -> String {
    const LONGEST: usize = 48;
    let line = text.lines().next().unwrap_or("").trim().trim_end_matches("->").trim();
    let line = line.split("//").next().unwrap_or("").trim();
    if line.chars().count() <= LONGEST {
        return line.into();
    }
    let cut: String = line.chars().take(LONGEST - 1).collect();
    format!("{cut}…")
}
