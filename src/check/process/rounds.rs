//! Synchronous rounds and radio: `round`, `received`, `transmit`, `heard`, and the constructs that they exclude.

use crate::check::Checker;
use crate::check::context::Flow;
use crate::check::context::*;
use crate::check::names::{Kind, binds};
use crate::check::types::written::of;
use crate::diagnostic::{Behaviour, Modelling, Need, Typing};
use crate::ir::{self, Alternative, ExprKind as K, Input, Op, ReceivedMessage, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};

/// The enumeration that `heard` belongs to.
const HEARD: &str = "Heard";

impl Checker<'_> {
    /// Return whether the current component runs in rounds. With a synchronizer, only the components above it do.
    pub fn in_rounds(&self) -> bool {
        match self.synchronizer {
            Some(_) => self.cx.comp == 0,
            None => self.assumptions.proceeds_in_rounds(),
        }
    }

    /// Return whether rounds are part of the system model: all processes step together.
    pub fn steps_jointly(&self) -> bool {
        self.synchronizer.is_none() && self.in_rounds()
    }

    /// `round`: a waiting point that lasts until the end of the round.
    pub(in crate::check) fn round_statement(&mut self, span: Span) -> Flow {
        self.require(Need::Rounds, span);
        if self.may_wait(span, "round") {
            if self.synchronizer.is_some() {
                return self.end_round(span);
            }
            let wait = self.new_wait(span);
            self.emit_wait(wait);
            self.only_way_on(wait, None, span);
        }
        Flow::WAITS
    }

    /// `await e`, evaluated at the end of every round. The rest of the block may use the names that it binds.
    pub(in crate::check) fn await_rounds(&mut self, condition: &ast::Expr, span: Span) -> Flow {
        if self.synchronizer.is_some() {
            let head = self.pc();
            self.end_round(span);
            let guard = self.condition(condition, "the condition of `await`");
            self.emit(Op::Unless(guard, head));
            return Flow::WAITS;
        }
        let wait = self.new_wait(span);
        self.emit_wait(wait);
        let (guard, listens) =
            self.tracking_received(|this| this.condition(condition, "the condition of `await`"));
        self.cx.waits[wait as usize].depends_on_received = listens;
        self.only_way_on(wait, Some(guard), span);
        Flow::WAITS
    }

    /// Add the only alternative of a waiting point, which a condition enables.
    pub(in crate::check) fn only_way_on(&mut self, wait: u32, guard: Option<ir::Expr>, span: Span) {
        let way = Alternative::new(Input::Condition { some: None }, guard, self.pc(), self.action(span));
        self.cx.waits[wait as usize].alternatives.push(way);
    }

    /// Elaborate with `f`. Also return whether the result reads received messages.
    pub(in crate::check) fn tracking_received<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = std::mem::take(&mut self.cx.reads_received);
        let result = f(self);
        let listens = std::mem::replace(&mut self.cx.reads_received, before);
        self.cx.reads_received |= listens;
        (result, listens)
    }

    /// Elaborate a guard: the command may use names that `arrived M(x)` binds in it, or in its operands of `and`.
    pub fn condition(&mut self, e: &ast::Expr, purpose: &str) -> ir::Expr {
        match &e.kind {
            ExprKind::Arrived { pattern, from, when } => {
                self.received_message_expr(pattern, from.as_deref(), when.as_deref(), e.span)
            }
            ExprKind::Binary(ast::BinaryOp::And, a, b) if binds(a) || binds(b) => {
                let a = self.condition(a, purpose);
                let b = self.condition(b, purpose);
                self.make(K::And(Box::new(a), Box::new(b)), Type::Bool, e.span)
            }
            _ => self.expr_as(e, &Type::Bool, purpose),
        }
    }

    /// `arrived M(x) from p when g`; names are bound in the innermost scope.
    pub(in crate::check) fn received_message_expr(
        &mut self,
        pattern: &ast::Pattern,
        from: Option<&ast::Origin>,
        when: Option<&ast::Expr>,
        span: Span,
    ) -> ir::Expr {
        self.require(Need::Rounds, span);
        self.no_content(span);
        self.cx.reads_received = true;
        if self.cx.is_global() {
            return self.not_here(span, Behaviour::ReceivedByObserver);
        }
        let Some((kind, args)) = self.received_message(pattern) else {
            return self.poison(span);
        };
        // Without parentheses: any message of the kind.
        if let (ast::Pattern::Name(name), None, None) = (pattern, from, when)
            && self.message_named(&name.text).is_some()
        {
            return self.make(K::ReceivedKind(kind), Type::Bool, span);
        }
        let types = self.field_types(kind, args.len(), span);
        self.check_distinct_bindings(&args);
        self.reject_shadowing(&args);
        let fields = self.field_patterns(kind, &args, &types);
        let from = self.sender(from);
        let when = self.input_guard(when, "the condition after `when`");
        self.make(
            K::ReceivedMessage(Box::new(ReceivedMessage { kind, fields, from, when })),
            Type::Bool,
            span,
        )
    }

    /// `received` alone: the set of the values, or, if messages are declared, the list of the messages.
    pub(in crate::check) fn received_all(&mut self, span: Span) -> ir::Expr {
        self.require(Need::Rounds, span);
        self.no_content(span);
        self.cx.reads_received = true;
        if self.units[self.comps[self.cx.comp].unit].messages.is_empty() {
            let kind = self.bare_kind(span);
            let ty = self.kinds[kind as usize].fields[0].ty.clone();
            return self.make(K::Received, Type::Set(of(ty)), span);
        }
        self.make(K::Received, Type::List(of(Type::Value)), span)
    }

    /// Report reading the content of a beep, which has none.
    fn no_content(&mut self, span: Span) {
        if self.has_assumption("beeps") {
            self.error(Modelling::BeepHasNoContent.at(span));
        }
    }

    /// `heard`
    pub(in crate::check) fn heard(&mut self, span: Span) -> ir::Expr {
        self.require(Need::Radio, span);
        self.cx.reads_received = true;
        match self.enums.iter().position(|e| e.name == HEARD) {
            Some(index) => self.make(K::Fact(ir::Fact::Heard), Type::Enum(index as u32), span),
            None => self.poison(span),
        }
    }

    /// Report a case of `heard` that this network does not have, with the missing assumption.
    pub(in crate::check) fn case_of_heard(&mut self, text: &str, span: Span) -> bool {
        if self.cx.is_global() {
            return false;
        }
        let radio = self.has_assumption("radio");
        let need = match text {
            "silence" | "success" if !radio => Need::HeardInRadio(text.into()),
            "beep" => Need::HeardBeep,
            "collision" => Need::HeardCollision,
            "success" => {
                self.not_here(span, Modelling::SuccessWithBeeps);
                return true;
            }
            _ => return false,
        };
        self.require(need, span);
        true
    }

    /// Declare the enumeration of `radio`: the cases of `heard`.
    pub fn declare_heard(&mut self, comp: usize) {
        let unit = self.units[self.comps[comp].unit].clone();
        let assumes = |words: &str| {
            let is = |a: &&ast::Assumption| a.words.iter().map(|w| w.text.as_str()).eq(words.split(' '));
            unit.assumes.iter().find(is).map(|a| a.span)
        };
        let Some(span) = assumes("radio") else { return };
        let feedback = match (assumes("beeps"), assumes("collision detection")) {
            (Some(_), _) => ir::Feedback::Beeps,
            (_, Some(_)) => ir::Feedback::Collisions,
            _ => ir::Feedback::None,
        };
        let index = self.enums.len() as u32;
        let cases: Vec<String> = feedback.cases().iter().map(|c| c.to_string()).collect();
        for (i, case) in (0..).zip(&cases) {
            let name = ast::Name { text: case.clone(), span };
            self.declare_name(comp, &name, Def::Case(index, i));
        }
        self.enums.push(ir::EnumType { name: HEARD.into(), cases });
        self.comps[comp].types.insert(HEARD.into(), Type::Enum(index));
    }

    /// `transmit M(x)`
    pub(in crate::check) fn transmit(&mut self, what: &ast::Expr, span: Span) {
        self.require(Need::Radio, span);
        let beeps = self.has_assumption("beeps");
        let is_beep = matches!(&what.kind, ExprKind::Name(n) if n.text == "beep");
        if beeps && !is_beep {
            self.error(Modelling::OnlyBeeps.at(what.span));
        }
        if is_beep && !beeps && self.lookup("beep").is_none() && self.cx.scoped("beep").is_none() {
            self.require(Need::HeardBeep, what.span);
            return;
        }
        let (kind, fields) = self.message_to_send(what);
        let Some(kind) = kind else { return };
        let send = ir::Send { kind, fields, to: ir::Destination::Neighbours, span };
        self.emit(Op::Transmit(Box::new(send)));
    }

    /// Reject `send` in radio networks, which have no addresses.
    pub(in crate::check) fn reject_send_in_radio(&mut self, span: Span) {
        if self.has_assumption("radio") {
            self.error(Modelling::SendInRadio.at(span));
        }
    }

    /// `prev.x`: the variable is looked up in every role once all are known.
    pub(in crate::check) fn shared(&mut self, name: &str) -> u16 {
        let shared = &mut self.shared;
        let index = shared.iter().position(|s| s == name).unwrap_or(shared.len());
        if index == shared.len() {
            shared.push(name.to_string());
        }
        index as u16
    }

    /// Return whether any role of the algorithm has such a variable.
    pub(in crate::check) fn is_variable_of_a_role(&self, name: &str) -> bool {
        let mut variables = self.names.decls.iter().filter(|d| d.unit == 0 && d.kind == Kind::Variable);
        variables.any(|decl| decl.name == name)
    }

    /// Return the slots of the shared variables in each role.
    pub(in crate::check) fn shared_variables(&mut self) -> Vec<ir::Shared> {
        let names = std::mem::take(&mut self.shared);
        let mut shared = Vec::new();
        for name in names {
            let slots = self.variable_of(0, &name).map(|(slots, _)| slots);
            let slots = slots.unwrap_or_else(|| vec![None; self.roles.len()]);
            shared.push(ir::Shared { name: name.clone(), slots });
            let key = (0, name);
            let locals = self.roles.iter().filter_map(|r| Some(&r.locals[*r.vars.get(&key)? as usize]));
            let types: Vec<Type> = locals.map(|l| self.infer.full(&l.ty)).collect();
            if let Some(other) = types.iter().skip(1).find(|t| **t != types[0]) {
                let (a, b) = (self.type_words(&types[0]), self.type_words(other));
                let span = self.units[0].name.span;
                self.error(Typing::SharedVariable(key.1, a, b).at(span));
            }
        }
        shared
    }
}
