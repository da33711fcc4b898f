//! Statements become code over numbered slots.

use super::codes;
use super::context::*;
use super::expr::of;
use super::truth;
use super::{Checker, words};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Alternative, ExprKind as K, Input, Op, Pattern, Place, PlaceStep, Sender, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Guard, StmtKind};

/// How a piece of code may be left.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Can its end be reached?
    pub falls: bool,
    /// … and that without passing a waiting point?
    pub dry: bool,
}

impl Flow {
    pub const DRY: Flow = Flow { falls: true, dry: true };
    const WET: Flow = Flow { falls: true, dry: false };
    const GONE: Flow = Flow { falls: false, dry: false };

    fn then(self, next: Flow) -> Flow {
        Flow { falls: self.falls && next.falls, dry: self.dry && next.dry }
    }

    fn or(self, other: Flow) -> Flow {
        Flow { falls: self.falls || other.falls, dry: self.dry || other.dry }
    }
}

/// Stands for «all locals of the thread» until slots are given out.
pub const THREAD_LOCALS: ir::Slot = ir::Slot::Value(u16::MAX);

impl Checker<'_> {
    pub fn pc(&self) -> ir::Pc {
        self.cx.code.len() as ir::Pc
    }

    pub fn emit(&mut self, op: Op) -> usize {
        self.cx.code.push(op);
        self.cx.code.len() - 1
    }

    /// Points a jump at the next op.
    fn land(&mut self, at: usize) {
        let here = self.pc();
        match &mut self.cx.code[at] {
            Op::Jump(pc) | Op::Unless(_, pc) | Op::ForNext(_, _, pc) => *pc = here,
            other => unreachable!("no jump: {other:?}"),
        }
    }

    /// `tail`: nothing follows the block in its command.
    pub fn block(&mut self, block: &[ast::Stmt], tail: bool) -> Flow {
        self.cx.scopes.push(Vec::new());
        let mut flow = Flow::DRY;
        for (i, stmt) in block.iter().enumerate() {
            let last = i + 1 == block.len();
            if !flow.falls {
                self.error(
                    Diagnostic::error(codes::UNREACHABLE, stmt.span, "this statement is never reached")
                        .related(block[i - 1].span, "the command ends here at the latest")
                        .hint("put it before `become` or `halt`, or into the next state's body"),
                );
                break;
            }
            let next = self.stmt(stmt, tail && last);
            flow = flow.then(next);
        }
        self.leave_scope();
        flow
    }

    /// Locals that live across a waiting point become state, and are reset where their scope ends.
    pub fn leave_scope(&mut self) {
        let scope = self.cx.scopes.pop().unwrap();
        let mut clear = Vec::new();
        for (_, local) in scope {
            let l = &mut self.cx.locals[local as usize];
            let crossed = self.cx.wait_count > l.born;
            if crossed && matches!(self.cx.mode, Mode::Thread | Mode::Operation) {
                l.class = Class::Thread;
                clear.push(slot(local));
            }
            if !l.read && l.named && !l.name.starts_with('_') && self.cx.mode != Mode::Global {
                let (name, span) = (l.name.clone(), l.span);
                self.never_read.push((name, span));
            }
        }
        if !clear.is_empty() {
            self.emit(Op::Clear(clear));
        }
    }

    fn stmt(&mut self, stmt: &ast::Stmt, tail: bool) -> Flow {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => Flow::DRY,
            StmtKind::Assign { targets, values } => {
                self.assign(targets, values, span);
                Flow::DRY
            }
            StmtKind::Send { what, to } => {
                self.send(what, to.as_ref(), span);
                Flow::DRY
            }
            StmtKind::Receive(receive) => {
                if !self.may_wait(span, "receive") {
                    return Flow::WET;
                }
                self.no_rounds(span, "receive");
                // Names bound here live in the enclosing block.
                let each = self.prepare_each(receive);
                let wait = self.new_wait(span);
                self.emit_wait(wait);
                let (input, _, stores) = self.receive(receive, None, each);
                let entry = self.pc();
                self.store(stores);
                let action = self.action(span);
                self.cx.waits[wait as usize].alternatives.push(Alternative {
                    input,
                    guard: None,
                    after_earlier: false,
                    entry,
                    action,
                });
                Flow::WET
            }
            StmtKind::Await(condition) => {
                if !self.may_wait(span, "await") {
                    return Flow::WET;
                }
                let guard = self.expr_as(condition, &Type::Bool, "what `await` waits for");
                let wait = self.new_wait(span);
                self.emit_wait(wait);
                let entry = self.pc();
                let action = self.action(span);
                self.cx.waits[wait as usize].alternatives.push(Alternative {
                    input: Input::Condition { some: None },
                    guard: Some(guard),
                    after_earlier: false,
                    entry,
                    action,
                });
                Flow::WET
            }
            StmtKind::Pause => {
                if !self.may_wait(span, "pause") {
                    return Flow::WET;
                }
                let wait = self.new_wait(span);
                self.emit_wait(wait);
                let entry = self.pc();
                let action = self.action(span);
                self.cx.waits[wait as usize].alternatives.push(Alternative {
                    input: Input::Pause,
                    guard: None,
                    after_earlier: false,
                    entry,
                    action,
                });
                Flow::WET
            }
            StmtKind::If(branches) => self.branches(branches, span, tail, false),
            StmtKind::Do(branches) => self.branches(branches, span, tail, true),
            StmtKind::For { pattern, set, body } => self.for_loop(pattern, set, body, span),
            StmtKind::Become(name) => self.become_state(name, span, tail),
            StmtKind::Halt => {
                self.must_be_last(span, tail, "halt");
                self.emit(Op::Clear(vec![THREAD_LOCALS]));
                self.emit(Op::Halt);
                self.cx.becomes = true;
                Flow::GONE
            }
            StmtKind::Round => {
                self.uses_model("synchronous", span);
                if !self.may_wait(span, "round") {
                    return Flow::WET;
                }
                self.cx.wait_count += 1;
                self.emit(Op::Round);
                Flow::WET
            }
            StmtKind::Transmit(e) => {
                self.uses_model("radio", span);
                let e = self.expr(e, None);
                self.emit(Op::Transmit(e));
                Flow::DRY
            }
            StmtKind::Listen => {
                self.uses_model("radio", span);
                self.emit(Op::Listen);
                Flow::DRY
            }
            StmtKind::Call { layer, name, args } => self.call_stmt(layer.as_ref(), name, args, span, tail),
            StmtKind::Remove { what, from } => {
                if let Some((place, ty)) = self.place(from) {
                    let element = match self.infer.head(&ty) {
                        Type::Set(t) | Type::List(t) => (*t).clone(),
                        Type::Map(k, _) => (*k).clone(),
                        Type::Unknown(_) => {
                            let t = self.infer.fresh();
                            self.infer.unify(&ty, &Type::Set(of(t.clone())));
                            t
                        }
                        other => {
                            let have = self.type_words(&other);
                            self.error(Diagnostic::error(
                                codes::TYPE_MISMATCH,
                                from.span,
                                format!(
                                    "`remove … from` wants a set, a list or a map, but this is {}",
                                    words::a(&have)
                                ),
                            ));
                            return Flow::DRY;
                        }
                    };
                    let what = self.expr_as(what, &element, "what is removed");
                    self.emit(Op::Remove(Box::new(place), what));
                }
                Flow::DRY
            }
            StmtKind::Choose { name, set } => {
                let set = self.expr(set, None);
                let element = match self.infer.head(&set.ty) {
                    Type::Set(t) | Type::List(t) => (*t).clone(),
                    other => {
                        let have = self.type_words(&other);
                        self.error(Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            set.span,
                            format!("`choose x in S` wants a set, but this is {}", words::a(&have)),
                        ));
                        self.infer.fresh()
                    }
                };
                let target = match self.cx.scoped(&name.text).or_else(|| self.variable(&name.text)) {
                    Some(local) => {
                        let ty = self.cx.locals[local as usize].ty.clone();
                        self.infer.fits(&element, &ty);
                        local
                    }
                    None => self.cx.bind(&name.text, element, name.span),
                };
                self.cx.locals[target as usize].born = self.cx.wait_count;
                self.emit(Op::Choose(slot(target), set));
                Flow::DRY
            }
            StmtKind::SetTimer { name, after } => {
                self.uses_model("timers", span);
                let after = self.expr_as(after, &Type::Int, "the time after which a timer fires");
                let timer = self.timer(name);
                self.emit(Op::SetTimer(timer, after));
                Flow::DRY
            }
            StmtKind::CancelTimer(name) => {
                self.uses_model("timers", span);
                let timer = self.timer(name);
                self.emit(Op::CancelTimer(timer));
                Flow::DRY
            }
        }
    }

    fn no_rounds(&mut self, span: Span, word: &str) {
        if self.has_assumption("synchronous") {
            self.error(
                Diagnostic::error(
                    codes::NOT_HERE,
                    span,
                    format!("`{word}` has no place in a synchronous algorithm"),
                )
                .hint("end the round with `round` and look at `received`"),
            );
        }
    }

    fn may_wait(&mut self, span: Span, word: &str) -> bool {
        let (code, what, hint) = match self.cx.mode {
            Mode::Thread | Mode::Operation => return true,
            Mode::Procedure => (
                codes::WAIT_IN_PROCEDURE,
                "a procedure cannot wait",
                "write the waiting point in the body or operation that calls it",
            ),
            _ => (
                codes::WAIT_IN_HANDLER,
                "a handler cannot wait: its command is one atomic step",
                "go to another state (`become`) and wait in its body, or write another handler",
            ),
        };
        self.error(Diagnostic::error(code, span, what).label(format!("`{word}` waits")).hint(hint));
        false
    }

    pub fn new_wait(&mut self, span: Span) -> u32 {
        let text = one_line(self.sources.slice(span));
        self.cx.waits.push(ir::Wait { alternatives: Vec::new(), span, text });
        (self.cx.waits.len() - 1) as u32
    }

    fn emit_wait(&mut self, wait: u32) {
        self.cx.wait_count += 1;
        self.emit(Op::Wait(wait));
    }

    pub fn action(&mut self, span: Span) -> ir::ActionId {
        let name = one_line(self.sources.slice(span));
        self.named_action(name, span)
    }

    pub fn named_action(&mut self, name: String, span: Span) -> ir::ActionId {
        self.actions.push(ir::Action { name, span });
        (self.actions.len() - 1) as u32
    }

    fn must_be_last(&mut self, span: Span, tail: bool, word: &str) {
        if !tail && self.cx.mode != Mode::Operation {
            self.error(
                Diagnostic::error(
                    codes::UNREACHABLE,
                    span,
                    format!("`{word}` ends the command, but statements follow on its path"),
                )
                .hint("put what follows into the other branches, or before it"),
            );
        }
    }

    fn become_state(&mut self, name: &ast::Name, span: Span, tail: bool) -> Flow {
        let scope = &self.cx.comps[self.cx.comp];
        let Some(state) = scope.states.get(&name.text).copied() else {
            let known: Vec<String> = scope.states.keys().cloned().collect();
            let mut d = Diagnostic::error(
                codes::UNKNOWN_STATE,
                name.span,
                format!("no state is called `{}`", name.text),
            );
            d = match words::nearest(&name.text, &known) {
                Some(k) => d.hint(format!("did you mean `{k}`?")),
                None => d.hint(format!("declare it: `state {}`", name.text)),
            };
            self.error(d);
            return Flow::GONE;
        };
        let has_bodies = scope.has_bodies;
        self.cx.comps[self.cx.comp].entered[state as usize] = true;
        let component = self.cx.comp as u16;
        if self.cx.mode == Mode::Operation {
            self.emit(Op::Become { component, state, thread: false });
            return Flow::DRY;
        }
        self.must_be_last(span, tail, "become");
        self.cx.becomes = true;
        if has_bodies {
            self.emit(Op::Clear(vec![THREAD_LOCALS]));
        }
        self.emit(Op::Become { component, state, thread: has_bodies });
        // Where the thread does not move, the command ends here all the same.
        if !has_bodies {
            match self.cx.mode {
                Mode::Procedure => self.emit(Op::Return),
                _ => self.emit(Op::Finish),
            };
        }
        Flow::GONE
    }

    // ------------------------------------------------------------------ assignment

    fn assign(&mut self, targets: &[ast::Expr], values: &[ast::Expr], span: Span) {
        if targets.len() != values.len() {
            self.error(Diagnostic::error(
                codes::WRONG_ARITY,
                span,
                format!(
                    "{} on the left, but {} on the right",
                    words::count(targets.len(), "variable"),
                    words::count(values.len(), "value")
                ),
            ));
            return;
        }
        if let ([target], [value]) = (targets, values) {
            self.assign_one(target, value);
            return;
        }
        // All right sides first, then the assignments.
        let mut temps = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let want = self.target_type(target);
            let value = match &want {
                Some(t) => self.expr_as(value, t, "the value assigned"),
                None => self.expr(value, None),
            };
            let ty = want.unwrap_or_else(|| value.ty.clone());
            let temp = self.cx.new_local("", ty.clone(), value.span, Class::Temp);
            let vspan = value.span;
            self.emit(Op::Set(slot(temp), value));
            temps.push(self.make(K::Slot(slot(temp)), ty, vspan));
        }
        for (target, temp) in targets.iter().zip(temps) {
            self.assign_value(target, temp);
        }
    }

    /// The type of a target that exists already.
    fn target_type(&mut self, target: &ast::Expr) -> Option<Type> {
        match &target.kind {
            ast::ExprKind::Name(name) => {
                let local = self.cx.scoped(&name.text).or_else(|| self.variable(&name.text))?;
                Some(self.cx.locals[local as usize].ty.clone())
            }
            _ => {
                let saved = self.found.len();
                let place = self.place(target);
                self.found.truncate(saved);
                place.map(|(_, t)| t)
            }
        }
    }

    fn assign_one(&mut self, target: &ast::Expr, value: &ast::Expr) {
        if let ast::ExprKind::Name(name) = &target.kind
            && self.cx.scoped(&name.text).is_none()
            && self.variable(&name.text).is_none()
        {
            if !self.may_be_local(name) {
                return;
            }
            let value = self.expr(value, None);
            let ty = value.ty.clone();
            let local = self.cx.bind(&name.text, ty, name.span);
            self.emit(Op::Set(slot(local), value));
            return;
        }
        let want = self.target_type(target);
        let value = match &want {
            Some(t) => self.expr_as(value, t, "the value assigned"),
            None => self.expr(value, None),
        };
        self.assign_value(target, value);
    }

    /// May this undeclared name become a local? Reports why not.
    fn may_be_local(&mut self, name: &ast::Name) -> bool {
        let what = if super::names::PREDEFINED.contains(&name.text.as_str()) {
            "is predefined and cannot be assigned"
        } else {
            match self.lookup(&name.text) {
                Some((Def::Const(_), _)) => "is a constant",
                Some((Def::Param(_), _)) => "is a parameter of the instance: it keeps its value during a run",
                Some((Def::Message(_), _)) => "is a message",
                Some((Def::Role(_), _)) => "is a role",
                Some((Def::Function(_), _)) => "is a function",
                Some((Def::Output(_), _)) => "is defined by the problem",
                _ if self.cx.comps[self.cx.comp].states.contains_key(&name.text) => {
                    "is a state: write `become`"
                }
                _ => return true,
            }
        };
        self.error(Diagnostic::error(codes::NOT_ASSIGNABLE, name.span, format!("`{}` {what}", name.text)));
        false
    }

    fn assign_value(&mut self, target: &ast::Expr, value: ir::Expr) {
        if let ast::ExprKind::Name(name) = &target.kind {
            match self.cx.scoped(&name.text).or_else(|| self.variable(&name.text)) {
                Some(local) => {
                    let l = &mut self.cx.locals[local as usize];
                    match l.range {
                        None => {
                            self.emit(Op::Set(slot(local), value));
                        }
                        range => {
                            let place =
                                Place { root: slot(local), path: Vec::new(), span: target.span, range };
                            self.emit(Op::Assign(Box::new(place), value));
                        }
                    }
                }
                None if self.may_be_local(name) => {
                    let local = self.cx.bind(&name.text, value.ty.clone(), name.span);
                    self.emit(Op::Set(slot(local), value));
                }
                None => {}
            }
            return;
        }
        if let Some((place, _)) = self.place(target) {
            self.emit(Op::Assign(Box::new(place), value));
        }
    }

    /// An assignable place and its type.
    pub fn place(&mut self, e: &ast::Expr) -> Option<(Place, Type)> {
        match &e.kind {
            ast::ExprKind::Name(name) => {
                let Some(local) = self.cx.scoped(&name.text).or_else(|| self.variable(&name.text)) else {
                    if self.may_be_local(name) {
                        let known = self.names_in_scope();
                        let d = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            name.span,
                            format!("no variable is called `{}`", name.text),
                        );
                        let d = words::did_you_mean(d, &name.text, &known);
                        self.error(d);
                    }
                    return None;
                };
                let l = &self.cx.locals[local as usize];
                Some((
                    Place { root: slot(local), path: Vec::new(), span: e.span, range: l.range },
                    l.ty.clone(),
                ))
            }
            ast::ExprKind::Index(base, index) => {
                let (mut place, ty) = self.place(base)?;
                place.range = None;
                place.span = e.span;
                match self.infer.head(&ty) {
                    Type::Map(k, v) => {
                        let index = self.expr_as(index, &k, "the key");
                        place.path.push(PlaceStep::Index(index));
                        Some((place, (*v).clone()))
                    }
                    Type::List(t) => {
                        let index = self.expr_as(index, &Type::Int, "the index of a list");
                        place.path.push(PlaceStep::Index(index));
                        Some((place, (*t).clone()))
                    }
                    other => {
                        let have = self.type_words(&other);
                        self.error(
                            Diagnostic::error(
                                codes::TYPE_MISMATCH,
                                base.span,
                                format!(
                                    "only lists and maps have elements by index, but this is {}",
                                    words::a(&have)
                                ),
                            )
                            .hint("annotate the variable: `var v : map of Port to Int`"),
                        );
                        None
                    }
                }
            }
            ast::ExprKind::Field(base, field) => {
                let (mut place, ty) = self.place(base)?;
                place.range = None;
                place.span = e.span;
                let (index, ty) = match self.infer.head(&ty) {
                    Type::Record(r) => {
                        let record = &self.records[r as usize];
                        let i = record.fields.iter().position(|(n, _)| *n == field.text)?;
                        (i, record.fields[i].1.clone())
                    }
                    Type::Tuple(parts) => {
                        let i = field.text.parse::<usize>().ok()?.checked_sub(1)?;
                        (i, parts.get(i)?.clone())
                    }
                    _ => {
                        self.error(Diagnostic::error(
                            codes::NOT_ASSIGNABLE,
                            e.span,
                            "only variables of the process itself can be assigned",
                        ));
                        return None;
                    }
                };
                place.path.push(PlaceStep::Part(index));
                Some((place, ty))
            }
            _ => {
                self.error(Diagnostic::error(
                    codes::NOT_ASSIGNABLE,
                    e.span,
                    "this cannot be assigned: it is no variable",
                ));
                None
            }
        }
    }

    // ------------------------------------------------------------------ if, do, for

    fn branches(&mut self, branches: &[ast::Branch], span: Span, tail: bool, repeat: bool) -> Flow {
        let waits = branches.iter().any(|b| matches!(b.guard, Guard::Receive(..) | Guard::After(_)));
        if waits {
            let word = if repeat { "do" } else { "if" };
            if !self.may_wait(span, word) {
                return Flow::WET;
            }
            self.waiting_branches(branches, span, tail, repeat)
        } else {
            self.boolean_branches(branches, span, tail, repeat)
        }
    }

    fn boolean_branches(&mut self, branches: &[ast::Branch], span: Span, tail: bool, repeat: bool) -> Flow {
        let mut guards = Vec::new();
        let mut otherwise = None;
        for (i, branch) in branches.iter().enumerate() {
            match &branch.guard {
                Guard::Condition(e) => {
                    guards.push((i, self.expr_as(e, &Type::Bool, "a guard"), branch.after_earlier));
                }
                Guard::Otherwise(at) => {
                    if i + 1 != branches.len() {
                        self.error(Diagnostic::error(
                            codes::UNREACHABLE,
                            *at,
                            "`otherwise` is the last branch: no later one can be taken",
                        ));
                    }
                    otherwise = Some(i);
                }
                _ => {}
            }
        }
        let plain: Vec<&ir::Expr> = guards.iter().map(|(_, g, _)| g).collect();
        let verdict = truth::examine(&plain, self.sources);
        if !repeat
            && otherwise.is_none()
            && let Some(missing) = &verdict.missing
        {
            self.found.push(
                Diagnostic::warning(
                    codes::NOT_EXHAUSTIVE,
                    span,
                    format!("no guard of this `if` holds when {missing}: the run would abort"),
                )
                .hint("add the missing branch, or `[] otherwise -> skip` if nothing is to be done"),
            );
        }
        let head = self.pc();
        let mut flow = if repeat { Flow::DRY } else { Flow { falls: false, dry: false } };
        let mut ends = Vec::new();
        // Guards that exclude one another are tried in turn; others are a choice among all that hold.
        let chain = verdict.exclusive || guards.len() == 1 || guards.iter().skip(1).all(|g| g.2);
        let complete = !repeat
            && otherwise.is_none()
            && verdict.exclusive
            && verdict.missing.is_none()
            && verdict.decided;
        if chain {
            let count = guards.len();
            for (k, (i, guard, _)) in guards.into_iter().enumerate() {
                let unless = (!(complete && k + 1 == count)).then(|| self.emit(Op::Unless(guard, 0)));
                let branch = self.block(&branches[i].body, tail && !repeat);
                flow = flow.or(branch);
                if branch.falls {
                    if repeat {
                        self.emit(Op::Jump(head));
                    } else {
                        ends.push(self.emit(Op::Jump(0)));
                    }
                }
                if let Some(at) = unless {
                    self.land(at);
                }
            }
        } else {
            let at = self.emit(Op::Branch(Vec::new()));
            let mut list = Vec::new();
            let skip = self.emit(Op::Jump(0));
            for (i, guard, after_earlier) in guards {
                list.push(ir::Branch { guard, after_earlier, target: self.pc() });
                let branch = self.block(&branches[i].body, tail && !repeat);
                flow = flow.or(branch);
                if branch.falls {
                    if repeat {
                        self.emit(Op::Jump(head));
                    } else {
                        ends.push(self.emit(Op::Jump(0)));
                    }
                }
            }
            self.cx.code[at] = Op::Branch(list);
            self.land(skip);
        }
        if let Some(i) = otherwise {
            let branch = self.block(&branches[i].body, tail && !repeat);
            flow = flow.or(branch);
            if repeat && branch.falls {
                self.emit(Op::Jump(head));
            }
        } else if !repeat && !complete {
            self.emit(Op::NoGuard(span));
        }
        for at in ends {
            self.land(at);
        }
        flow
    }

    fn waiting_branches(&mut self, branches: &[ast::Branch], span: Span, tail: bool, repeat: bool) -> Flow {
        self.no_rounds(span, "receive");
        let head = self.pc();
        // A `do` ends when none of its guards can ever hold: an input without condition never ends.
        let mut exit = None;
        if repeat {
            let conditions: Option<Vec<&ast::Expr>> = branches
                .iter()
                .map(|b| match &b.guard {
                    Guard::Condition(e) => Some(e),
                    Guard::Receive(_, Some(e)) if self.speaks_of_variables_only(e, b) => Some(e),
                    _ => None,
                })
                .collect();
            if let Some(conditions) = conditions {
                let mut any: Option<ir::Expr> = None;
                for c in conditions {
                    let c = self.expr_as(c, &Type::Bool, "a guard");
                    any = Some(match any {
                        None => c,
                        Some(a) => self.make(K::Or(Box::new(a), Box::new(c)), Type::Bool, span),
                    });
                }
                if let Some(any) = any {
                    exit = Some(self.emit(Op::Unless(any, 0)));
                }
            }
        }
        let mut prepared: Vec<Option<LocalId>> = branches
            .iter()
            .map(|b| match &b.guard {
                Guard::Receive(r, _) => self.prepare_each(r),
                _ => None,
            })
            .collect();
        prepared.reverse();
        let wait = self.new_wait(span);
        self.emit_wait(wait);
        let mut flow = Flow { falls: repeat && exit.is_some(), dry: repeat && exit.is_some() };
        let mut ends = Vec::new();
        let mut alternatives = Vec::new();
        for branch in branches {
            let each = prepared.pop().flatten();
            self.cx.scopes.push(Vec::new());
            let (input, guard, stores) = match &branch.guard {
                Guard::Condition(e) => {
                    let g = self.expr_as(e, &Type::Bool, "a guard");
                    (Input::Condition { some: None }, Some(g), Vec::new())
                }
                Guard::Otherwise(at) => {
                    self.error(
                        Diagnostic::error(codes::NOT_HERE, *at, "`otherwise` stands beside an input guard")
                            .hint("whether a message will come is not known: say on which condition to go on instead"),
                    );
                    (Input::Condition { some: None }, None, Vec::new())
                }
                Guard::After(e) => {
                    self.uses_model("timers", branch.span);
                    let e = self.expr_as(e, &Type::Int, "a time");
                    (Input::After(e), None, Vec::new())
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
            let body = self.block(&branch.body, tail && !repeat);
            self.leave_scope();
            flow.falls |= body.falls && !repeat;
            if body.falls {
                if repeat {
                    self.emit(Op::Jump(head));
                } else {
                    ends.push(self.emit(Op::Jump(0)));
                }
            }
        }
        self.cx.waits[wait as usize].alternatives = alternatives;
        for at in ends {
            self.land(at);
        }
        if let Some(at) = exit {
            self.land(at);
        }
        flow
    }

    /// Does the condition of an input guard mention nothing that the input binds?
    fn speaks_of_variables_only(&self, e: &ast::Expr, branch: &ast::Branch) -> bool {
        let Guard::Receive(r, _) = &branch.guard else {
            return false;
        };
        let mut bound = Vec::new();
        names_in_pattern(&r.pattern, &mut bound);
        if let Some(ast::Origin::Whom(w)) = &r.from
            && let ast::ExprKind::Name(n) = &w.kind
        {
            bound.push(n.text.clone());
        }
        let text = self.sources.slice(e.span);
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        !bound.iter().any(|b| words.contains(&b.as_str()))
    }

    fn for_loop(&mut self, pattern: &ast::Pattern, set: &ast::Expr, body: &ast::Block, span: Span) -> Flow {
        let set = self.expr(set, None);
        let element = match self.infer.head(&set.ty) {
            Type::Set(t) | Type::List(t) => (*t).clone(),
            Type::Map(k, _) => (*k).clone(),
            other => {
                let have = self.type_words(&other);
                self.error(Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    set.span,
                    format!("`for x in S` wants a set or list, but this is {}", words::a(&have)),
                ));
                self.infer.fresh()
            }
        };
        self.cx.scopes.push(Vec::new());
        let rest = self.cx.new_local("", Type::List(of(element.clone())), span, Class::Temp);
        self.cx.scopes.last_mut().unwrap().push((String::new(), rest));
        self.emit(Op::ForStart(rest, set));
        let head = self.pc();
        let pattern = self.binding_pattern(pattern, &element);
        let next = self.emit(Op::ForNext(rest, pattern, 0));
        let flow = self.block(body, false);
        if flow.falls {
            self.emit(Op::Jump(head));
        }
        self.land(next);
        self.leave_scope();
        // The set may be empty: then nothing has been waited for.
        Flow::DRY
    }

    // ------------------------------------------------------------------ send and receive

    fn send(&mut self, what: &ast::Expr, to: Option<&ast::Expr>, span: Span) {
        let (kind, fields) = self.message_to_send(what);
        let Some(kind) = kind else { return };
        self.sent(kind);
        self.no_messages_by_state_reading(span);
        let to = match to {
            None => {
                if !(self.assumptions.unidirectional || self.assumptions.topology == Some(ir::Shape::Star)) {
                    self.error(
                        Diagnostic::error(
                            codes::NO_DESTINATION,
                            span,
                            "where to? A process of this network has more than one outgoing port",
                        )
                        .hint("say where: `to left`, `to neighbours`, `to others`, `to p`"),
                    );
                }
                ir::Destination::Only
            }
            Some(e) => self.destination(e),
        };
        self.emit(Op::Send(Box::new(ir::Send { kind, fields, to, span })));
    }

    fn no_messages_by_state_reading(&mut self, span: Span) {
        if self.has_assumption("reads neighbours") {
            self.error(Diagnostic::error(
                codes::NOT_HERE,
                span,
                "processes that read their neighbours' variables send no messages",
            ));
        }
    }

    fn message_to_send(&mut self, what: &ast::Expr) -> (Option<u32>, Vec<ir::Expr>) {
        let (name, args): (&ast::Name, &[ast::Expr]) = match &what.kind {
            ast::ExprKind::Name(n)
                if self.cx.scoped(&n.text).is_none() && self.variable(&n.text).is_none() =>
            {
                (n, &[])
            }
            ast::ExprKind::Call { layer: None, name, args } => (name, args),
            _ => return self.bare_to_send(what),
        };
        match self.message_named(&name.text) {
            Some(kind) => {
                let types = self.field_types(kind, args.len(), what.span);
                let fields = args
                    .iter()
                    .zip(&types)
                    .map(|(a, t)| self.expr_as(a, t, &format!("this field of `{}`", name.text)))
                    .collect();
                (Some(kind), fields)
            }
            None => {
                let known = super::names::FUNCTIONS.contains(&name.text.as_str())
                    || super::names::PREDEFINED.contains(&name.text.as_str())
                    || self.lookup(&name.text).is_some();
                if !known {
                    self.message_kind(name);
                    return (None, Vec::new());
                }
                self.bare_to_send(what)
            }
        }
    }

    fn bare_to_send(&mut self, what: &ast::Expr) -> (Option<u32>, Vec<ir::Expr>) {
        let kind = self.bare_kind(what.span);
        let ty = self.kinds[kind as usize].fields[0].ty.clone();
        let value = self.expr(what, Some(&ty));
        if !self.infer.fits(&value.ty, &ty) {
            let (have, first) = (self.type_words(&value.ty), self.type_words(&ty));
            let place = self.kinds[kind as usize].span;
            self.error(
                Diagnostic::error(
                    codes::BARE_TYPES,
                    value.span,
                    format!("bare values of two types are sent: here {}", words::a(&have)),
                )
                .related(place, format!("{} here", words::a(&first)))
                .hint("declare messages, so that the receiver can tell them apart: `message One(x), Two(y)`"),
            );
        }
        (Some(kind), vec![value])
    }

    fn destination(&mut self, e: &ast::Expr) -> ir::Destination {
        use ir::Destination as D;
        if let ast::ExprKind::Name(n) = &e.kind
            && self.cx.scoped(&n.text).is_none()
        {
            match n.text.as_str() {
                "neighbours" => return D::Neighbours,
                "others" | "peers" if self.assumptions.knows_peers => return D::Others,
                "prev" if self.assumptions.unidirectional => {
                    self.error(
                        Diagnostic::error(codes::ASSUMPTION_MISSING, e.span, "`prev` is where messages come from: on a unidirectional ring nothing can be sent there")
                            .hint("assume a `bidirectional ring` (its ports are `left` and `right`)"),
                    );
                    return D::Only;
                }
                _ => {}
            }
        }
        if let ast::ExprKind::Binary(ast::BinaryOp::Except, a, b) = &e.kind
            && let ast::ExprKind::Name(n) = &a.kind
            && n.text == "neighbours"
        {
            let q = self.expr(b, Some(&Type::Port));
            if matches!(self.infer.head(&q.ty), Type::Port) {
                return D::NeighboursExcept(q);
            }
        }
        let e = self.expr(e, None);
        let ty = self.infer.head(&e.ty);
        let (e, ty) = match ty {
            Type::Option(inner) => {
                let span = e.span;
                let t = (*inner).clone();
                (self.make(K::Unwrap(Box::new(e)), t.clone(), span), t)
            }
            other => (e, other),
        };
        match &ty {
            Type::Port => D::Port(e),
            Type::Id => {
                self.addressable(e.span);
                D::Id(e)
            }
            Type::Set(t) | Type::List(t) => match self.infer.head(t) {
                Type::Port => D::Ports(e),
                Type::Id => {
                    self.addressable(e.span);
                    D::Ids(e)
                }
                // `{}`: nothing is sent.
                Type::Unknown(_) => {
                    let by = if self.assumptions.by_id() { Type::Id } else { Type::Port };
                    self.infer.unify(t, &by);
                    if self.assumptions.by_id() { D::Ids(e) } else { D::Ports(e) }
                }
                _ => self.no_destination(&e),
            },
            Type::Unknown(_) => {
                let by = if self.assumptions.by_id() { Type::Id } else { Type::Port };
                self.infer.unify(&ty, &by);
                if self.assumptions.by_id() { D::Id(e) } else { D::Port(e) }
            }
            _ => self.no_destination(&e),
        }
    }

    fn addressable(&mut self, span: Span) {
        let granted = self.assumptions.by_id();
        self.needs(granted, "addressable ids", "a message is sent to an identifier", span);
    }

    fn no_destination(&mut self, e: &ir::Expr) -> ir::Destination {
        let have = self.type_words(&e.ty);
        let kind = if self.assumptions.by_id() {
            "an Id, a set of Ids or a role"
        } else {
            "a Port or a set of Ports"
        };
        self.error(Diagnostic::error(
            codes::NOT_A_PORT,
            e.span,
            format!("a message is sent to {kind}, but this is {}", words::a(&have)),
        ));
        ir::Destination::Only
    }

    /// The sender of a message, as processes see it.
    fn sender_type(&self) -> Type {
        if self.assumptions.by_id() { Type::Id } else { Type::Port }
    }

    /// An input: binds its names in the innermost scope. With a guard, variables are assigned only when the
    /// alternative is taken: the stores say how.
    pub fn receive(
        &mut self,
        r: &ast::Receive,
        when: Option<&ast::Expr>,
        each: Option<LocalId>,
    ) -> (Input, Option<ir::Expr>, Vec<(Place, ir::Expr)>) {
        let mut stores = Vec::new();
        let Some((kind, args)) = self.received_message(&r.pattern) else {
            return (Input::Pause, None, stores);
        };
        self.taken(kind);
        let span = r.span;
        let types = self.field_types(kind, args.len(), span);
        // `from each p in S`: p is known in the pattern, which may say `v[p]`.
        if let (Some(ast::Origin::Each { name, .. }), Some(kept)) = (&r.from, each) {
            return self.receive_each(kind, &args, &types, name, kept, when);
        }
        let guarded = when.is_some();
        let mut fields: Vec<Pattern> =
            args.iter().zip(&types).map(|(p, t)| self.input_pattern(p, t, guarded, &mut stores)).collect();
        fields.resize(self.kinds[kind as usize].fields.len(), Pattern::Wildcard);
        let from = self.sender(r.from.as_ref());
        let guard = when.map(|g| self.expr_as(g, &Type::Bool, "the condition of an input guard"));
        (Input::Message { kind, fields, from }, guard, stores)
    }

    /// The set of `from each p in S` is taken on arrival: stored just before the wait.
    fn prepare_each(&mut self, r: &ast::Receive) -> Option<LocalId> {
        let Some(ast::Origin::Each { set, .. }) = &r.from else {
            return None;
        };
        let ty = Type::Set(of(self.sender_type()));
        let set = self.expr_as(set, &ty, "the set after `from each`");
        let kept = self.cx.new_local("", ty, r.span, Class::Thread);
        self.cx.scopes.last_mut().unwrap().push((String::new(), kept));
        self.emit(Op::Set(slot(kept), set));
        Some(kept)
    }

    fn receive_each(
        &mut self,
        kind: u32,
        args: &[ast::Pattern],
        types: &[Type],
        name: &ast::Name,
        kept: LocalId,
        when: Option<&ast::Expr>,
    ) -> (Input, Option<ir::Expr>, Vec<(Place, ir::Expr)>) {
        let element = self.sender_type();
        let member = self.cx.bind(&name.text, element, name.span);
        self.cx.locals[member as usize].read = true;
        let mut stores = Vec::new();
        let mut fields: Vec<Pattern> =
            args.iter().zip(types).map(|(p, t)| self.input_pattern(p, t, true, &mut stores)).collect();
        fields.resize(self.kinds[kind as usize].fields.len(), Pattern::Wildcard);
        if let Some(g) = when {
            self.error(Diagnostic::error(codes::NOT_HERE, g.span, "`from each` takes one message from every member: a condition on single messages has no place here"));
        }
        (Input::Each { kind, fields, set: kept, member, store: stores }, None, Vec::new())
    }

    pub fn sender(&mut self, from: Option<&ast::Origin>) -> Sender {
        match from {
            None => Sender::Any,
            Some(ast::Origin::Each { name, .. }) => {
                self.error(Diagnostic::error(
                    codes::NOT_HERE,
                    name.span,
                    "`from each` belongs to `receive`: a handler takes one message",
                ));
                Sender::Any
            }
            Some(ast::Origin::Whom(e)) => {
                if let ast::ExprKind::Name(n) = &e.kind
                    && self.cx.scoped(&n.text).is_none()
                    && self.variable(&n.text).is_none()
                    && self.lookup(&n.text).is_none()
                    && !super::names::PREDEFINED.contains(&n.text.as_str())
                {
                    let ty = self.sender_type();
                    let local = self.cx.bind(&n.text, ty, n.span);
                    // Naming the sender without using it documents the input.
                    self.cx.locals[local as usize].read = true;
                    return Sender::Bind(local);
                }
                let e = self.expr(e, None);
                let e = match self.infer.head(&e.ty) {
                    Type::Option(t) => {
                        let span = e.span;
                        self.make(K::Unwrap(Box::new(e)), (*t).clone(), span)
                    }
                    _ => e,
                };
                let want = self.sender_type();
                match self.infer.head(&e.ty) {
                    Type::Set(t) | Type::List(t) if self.infer.unify(&t, &want) => Sender::Member(e),
                    t if self.infer.unify(&t, &want) => Sender::Is(e),
                    other => {
                        let (have, want) = (self.type_words(&other), self.type_words(&want));
                        self.error(Diagnostic::error(
                            codes::NOT_A_PORT,
                            e.span,
                            format!(
                                "a message comes from {} here, but this is {}",
                                words::a(&want),
                                words::a(&have)
                            ),
                        ));
                        Sender::Any
                    }
                }
            }
        }
    }

    /// The kind of a received message and the patterns of its fields.
    pub fn received_message(&mut self, pattern: &ast::Pattern) -> Option<(u32, Vec<ast::Pattern>)> {
        match pattern {
            ast::Pattern::Message(name, args, _) => {
                let kind = self.message_kind(name)?;
                Some((kind, args.clone()))
            }
            ast::Pattern::Name(name) if self.message_named(&name.text).is_some() => {
                Some((self.message_named(&name.text)?, Vec::new()))
            }
            ast::Pattern::Name(name)
                if name.text.starts_with(|c: char| c.is_ascii_uppercase())
                    && self.cx.scoped(&name.text).is_none()
                    && self.variable(&name.text).is_none() =>
            {
                // A capitalised name that nothing declares is meant as a message.
                self.message_kind(name);
                None
            }
            other => {
                let span = match other {
                    ast::Pattern::Name(n) => n.span,
                    ast::Pattern::Wildcard(s) | ast::Pattern::Tuple(_, s) => *s,
                    ast::Pattern::Place(e) => e.span,
                    ast::Pattern::Message(_, _, s) => *s,
                };
                Some((self.bare_kind(span), vec![other.clone()]))
            }
        }
    }

    /// A pattern of `receive`: variables are assigned, new names are bound.
    fn input_pattern(
        &mut self,
        pattern: &ast::Pattern,
        ty: &Type,
        guarded: bool,
        stores: &mut Vec<(Place, ir::Expr)>,
    ) -> Pattern {
        let target = match pattern {
            ast::Pattern::Name(n) if n.text == "_" => return Pattern::Wildcard,
            ast::Pattern::Name(n) => match self.cx.scoped(&n.text).or_else(|| self.variable(&n.text)) {
                Some(local) => {
                    let l = self.cx.locals[local as usize].clone();
                    self.check_stored(ty, &l.ty, n.span);
                    if !guarded && l.range.is_none() {
                        return Pattern::Slot(slot(local));
                    }
                    Place { root: slot(local), path: Vec::new(), span: n.span, range: l.range }
                }
                None => return self.binding_pattern(pattern, ty),
            },
            ast::Pattern::Place(e) => match self.place(e) {
                Some((place, t)) => {
                    self.check_stored(ty, &t, e.span);
                    place
                }
                None => return Pattern::Wildcard,
            },
            ast::Pattern::Tuple(parts, span) => {
                let types: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
                if !self.infer.unify(&Type::Tuple(types.clone().into()), ty) {
                    let have = self.type_words(ty);
                    self.error(Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        *span,
                        format!(
                            "this pattern takes a tuple of {} apart, but the value is {}",
                            words::count(parts.len(), "part"),
                            words::a(&have)
                        ),
                    ));
                }
                return Pattern::Tuple(
                    parts
                        .iter()
                        .zip(&types)
                        .map(|(p, t)| self.input_pattern(p, t, guarded, stores))
                        .collect(),
                );
            }
            _ => return self.binding_pattern(pattern, ty),
        };
        // Taken into a temporary first; in the guard the name means what has come.
        let temp = self.cx.new_local("", ty.clone(), target.span, Class::Temp);
        if let ast::Pattern::Name(n) = pattern {
            self.cx.scopes.last_mut().unwrap().push((n.text.clone(), temp));
        }
        let value = self.make(K::Slot(slot(temp)), ty.clone(), target.span);
        stores.push((target, value));
        Pattern::Slot(slot(temp))
    }

    fn check_stored(&mut self, from: &Type, to: &Type, span: Span) {
        if !self.infer.fits(from, to) {
            let (a, b) = (self.type_words(from), self.type_words(to));
            self.error(Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                format!("the message carries {} here, but the variable is {}", words::a(&a), words::a(&b)),
            ));
        }
    }

    pub fn store(&mut self, stores: Vec<(Place, ir::Expr)>) {
        for (place, value) in stores {
            let op = if place.path.is_empty() && place.range.is_none() {
                Op::Set(place.root, value)
            } else {
                Op::Assign(Box::new(place), value)
            };
            self.emit(op);
        }
    }

    // ------------------------------------------------------------------ calls

    fn call_stmt(
        &mut self,
        layer: Option<&ast::Name>,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        tail: bool,
    ) -> Flow {
        let comp = match layer {
            None => self.cx.comp,
            Some(l) => match self.comps[self.cx.comp].layers.iter().find(|(n, _)| *n == l.text) {
                Some((_, c)) => *c,
                None => {
                    let known: Vec<String> =
                        self.comps[self.cx.comp].layers.iter().map(|(n, _)| n.clone()).collect();
                    let mut d = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        l.span,
                        format!("no layer is called `{}`", l.text),
                    );
                    d = match words::nearest(&l.text, &known) {
                        Some(k) => d.hint(format!("did you mean `{k}`?")),
                        None => d.hint("layers are named in the `uses` clause: `uses basic as Data`"),
                    };
                    self.error(d);
                    return Flow::DRY;
                }
            },
        };
        let Some(routine) = self.cx.comps[comp].routines.get(&name.text).cloned() else {
            return self.upcall(layer, name, args, span, comp);
        };
        let required = routine.params.iter().filter(|(_, d)| d.is_none()).count();
        if args.len() > routine.params.len() || args.len() < required {
            self.error(
                Diagnostic::error(
                    codes::WRONG_ARITY,
                    span,
                    format!(
                        "`{}` takes {}, but {} stand here",
                        name.text,
                        words::count(routine.params.len(), "argument"),
                        args.len()
                    ),
                )
                .related(routine.span, "declared here"),
            );
            return Flow::DRY;
        }
        for (i, (param, default)) in routine.params.iter().enumerate() {
            let ty = self.cx.locals[*param as usize].ty.clone();
            let value = match (args.get(i), default) {
                (Some(a), _) => self.expr_as(a, &ty, "this argument"),
                (None, Some(d)) => {
                    // A default means what it says where it is declared.
                    let outer = std::mem::replace(&mut self.cx.comp, comp);
                    let scopes = std::mem::replace(&mut self.cx.scopes, vec![Vec::new()]);
                    let v = self.expr_as(&d.clone(), &ty, "the default of this argument");
                    self.cx.scopes = scopes;
                    self.cx.comp = outer;
                    v
                }
                (None, None) => unreachable!("the number of arguments has been checked"),
            };
            self.emit(Op::Set(slot(*param), value));
        }
        match routine.return_local {
            None => {
                if routine.becomes {
                    self.must_be_last(span, tail, &name.text);
                    self.cx.becomes = true;
                }
                self.emit(Op::Gosub(routine.pc));
                if routine.becomes && self.cx.mode == Mode::Handler {
                    self.emit(Op::Finish);
                }
                Flow::DRY
            }
            Some(return_local) => {
                if routine.waits {
                    if !self.may_wait(span, &name.text) {
                        return Flow::WET;
                    }
                    self.cx.wait_count += 1;
                }
                self.emit(Op::Call { entry: routine.pc, return_slot: return_local });
                if routine.waits { Flow::WET } else { Flow::DRY }
            }
        }
    }

    /// A call that is no routine of the component is an upcall to the component above.
    fn upcall(
        &mut self,
        layer: Option<&ast::Name>,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        comp: usize,
    ) -> Flow {
        let upper = self.comps[self.cx.comp].upper;
        let takes = upper.is_some_and(|u| self.handles_upcall(u, self.cx.comp, &name.text));
        if layer.is_some() || !takes {
            let known: Vec<String> = self.cx.comps[comp].routines.keys().cloned().collect();
            let what = match layer {
                Some(l) => format!("the layer `{}` has no operation `{}`", l.text, name.text),
                None => format!(
                    "no procedure or operation is called `{}`, and nothing above takes it as an upcall",
                    name.text
                ),
            };
            let d = Diagnostic::error(codes::UNKNOWN_NAME, name.span, what);
            let d = match words::nearest(&name.text, &known) {
                Some(k) => d.hint(format!("did you mean `{k}`?")),
                None if self.message_named(&name.text).is_some() => {
                    d.hint(format!("`{}` is a message: `send {}(…) to …`", name.text, name.text))
                }
                None => d,
            };
            self.error(d);
            return Flow::DRY;
        }
        let args: Vec<ir::Expr> = args.iter().map(|a| self.expr(a, None)).collect();
        // What the layer passes tells the handlers above which types their names have.
        let key = (self.cx.comp, name.text.clone());
        let types: Vec<Type> = args.iter().map(|a| a.ty.clone()).collect();
        match self.upcall_args.get(&key).cloned() {
            None => {
                self.upcall_args.insert(key, types);
            }
            Some(known) => {
                let same = known.len() == types.len()
                    && known.iter().zip(&types).all(|(k, t)| self.infer.unify(k, t));
                if !same {
                    self.error(Diagnostic::error(
                        codes::UPCALL,
                        span,
                        format!("`{}` is called here with other types than before", name.text),
                    ));
                }
            }
        }
        let from = self.cx.comp as u16;
        self.emit(Op::Upcall { from, name: name.text.clone(), args });
        Flow::DRY
    }

    fn timer(&mut self, name: &ast::Name) -> u16 {
        let hidden = format!("timer {}", name.text);
        if let Some(t) = self.cx.comps[self.cx.comp].vars.get(&hidden) {
            return *t;
        }
        let t = self.cx.new_local("", Type::Int, name.span, Class::State);
        let comp = self.cx.comp;
        self.cx.comps[comp].vars.insert(hidden, t);
        t
    }
}

/// Names that a pattern mentions.
pub fn names_in_pattern(pattern: &ast::Pattern, names: &mut Vec<String>) {
    match pattern {
        ast::Pattern::Name(n) => names.push(n.text.clone()),
        ast::Pattern::Message(_, parts, _) | ast::Pattern::Tuple(parts, _) => {
            parts.iter().for_each(|p| names_in_pattern(p, names));
        }
        ast::Pattern::Wildcard(_) | ast::Pattern::Place(_) => {}
    }
}

/// The first line of a piece of source, shortened, to name an action by.
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
