//! `synchronous by X`: rounds simulated on an asynchronous network. The synchronizer X becomes a layer below the algorithm: the
//! algorithm's messages are passed to it, and the end of a round is one of its operations. The text of the algorithm is
//! unchanged. (Awerbuch, «Complexity of Network Synchronization», JACM 32(4), 1985.)

use crate::check::Checker;
use crate::check::context::*;
use crate::check::context::{Flow, THREAD};
use crate::check::load::unit::is_synchronizer;
use crate::check::snake;
use crate::check::stmt::Ends;
use crate::check::types::written::of;
use crate::diagnostic::{Behaviour, Modelling, Typing};
use crate::ir::{self, Branch, ExprKind as K, Op, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Guard};
use std::collections::BTreeMap;

/// The waiting point without alternatives.
const IDLE: u32 = 0;

/// The output of the layer with the messages of a round.
const ARRIVED: &str = "arrived";

impl Checker<'_> {
    /// Find the layer, and check that it is a synchronizer.
    pub(in crate::check) fn link_synchronizer(&mut self) {
        let Some(wanted) = self.units[0].uses.iter().find(|u| is_synchronizer(u)) else { return };
        let (alias, span) = (wanted.alias.as_ref().map(|a| a.text.clone()), wanted.algorithm.span);
        let layer = self.comps[0].layers.iter().find(|(name, _)| Some(name) == alias.as_ref());
        let Some((_, layer)) = layer.cloned() else { return };
        let unit = &self.units[self.comps[layer].unit];
        let problem = unit.solves.as_ref().map(|solves| snake(&solves.name.text));
        if problem.as_deref() == Some("synchronizer") {
            self.synchronizer = Some(layer);
            return;
        }
        let name = unit.name.text.clone();
        self.error(Modelling::NotASynchronizer(name).at(span));
    }

    /// Return this output among the variables of a role.
    pub(in crate::check) fn arrived(&self, vars: &BTreeMap<(usize, String), LocalId>) -> Option<LocalId> {
        vars.get(&(self.synchronizer?, ARRIVED.to_string())).copied()
    }

    /// Emit a call of an operation of the synchronizer.
    fn synchronizer_call(&mut self, name: &str, args: Vec<ir::Expr>, span: Span) {
        let Some(layer) = self.synchronizer else { return };
        let routine = self.cx.comps[layer].routines.get(name).cloned();
        let Some((routine, back)) = routine.and_then(|r| r.return_local.map(|back| (r, back))) else {
            return self.error(Modelling::SynchronizerLacks(name.into()).at(span));
        };
        for ((param, _), value) in routine.params.iter().zip(args) {
            let ty = self.cx.locals[*param as usize].ty.clone();
            if !self.infer.fits(&value.ty, &ty) {
                let (have, want) = (self.type_words(&value.ty), self.type_words(&ty));
                self.error(Typing::SynchronizerArgument(name.into(), want, have).at(span));
            }
            self.emit(Op::Set(slot(*param), value));
        }
        if routine.waits {
            self.cx.wait_count += 1;
        }
        self.emit(Op::Call { entry: routine.pc, return_slot: back });
    }

    /// `round`
    pub(in crate::check) fn end_round(&mut self, span: Span) -> Flow {
        self.synchronizer_call("end_round", Vec::new(), span);
        self.emit(Op::EndRound);
        Flow::WAITS
    }

    /// `halt`: the process is finished, but its neighbours still need its part in later rounds.
    pub(in crate::check) fn leave_rounds(&mut self, span: Span) -> Flow {
        if self.may_wait(span, "halt") {
            let layer = self.synchronizer.unwrap_or_default();
            if self.cx.comps[layer].routines.contains_key("leave") {
                self.synchronizer_call("leave", Vec::new(), span);
            }
            self.emit(Op::Clear(vec![THREAD]));
            self.emit_wait(IDLE);
        }
        self.cx.becomes = true;
        Flow::ENDS
    }

    /// `send M(x) to D`
    pub(in crate::check) fn pass_to_synchronizer(
        &mut self,
        kind: u32,
        fields: Vec<ir::Expr>,
        to: Option<&ast::Expr>,
        span: Span,
    ) {
        let message = self.make(K::Message(kind, fields), Type::Value, span);
        let ports = match to {
            Some(to) => self.expr(to, None),
            None => self.name(&ast::Name { text: "neighbours".into(), span }, None),
        };
        let (ports, ty) = match self.infer.head(&ports.ty) {
            Type::Option(inner) => {
                let ty = (*inner).clone();
                (self.make(K::Unwrap(Box::new(ports)), ty.clone(), span), ty)
            }
            ty => (ports, ty),
        };
        let ports = match ty {
            Type::Port => self.make(K::Set(vec![ports]), Type::Set(of(Type::Port)), span),
            _ => ports,
        };
        self.synchronizer_call("put", vec![message, ports], span);
    }

    /// `if` and `do` with `after k`: wait for ends of rounds until one of the guards holds.
    pub(in crate::check) fn branches_by_rounds(
        &mut self,
        branches: &[ast::Branch],
        span: Span,
        tail: bool,
        repeat: bool,
    ) -> Flow {
        let start = self.pc();
        let mut deadlines = self.prepare_deadlines(branches);
        let head = self.pc();
        self.end_round(span);
        for (left, _) in &deadlines {
            let one = self.make(K::Word(1), Type::Int, span);
            let less = self.make(
                K::Arith(ir::Arith::Subtract, Box::new(left.clone()), Box::new(one)),
                Type::Int,
                span,
            );
            if let K::Slot(place) = left.kind {
                self.emit(Op::Set(place, less));
            }
        }
        let choice = self.emit(Op::Branch(Vec::new()));
        self.emit(Op::Jump(head));
        let (mut list, mut late, mut ends) = (Vec::new(), Vec::new(), Ends::new(repeat.then_some(start)));
        let given = self.cx.definitely_assigned.clone();
        let mut flow = Flow { reaches_end: false, reaches_end_without_wait: false };
        for branch in branches {
            self.cx.scopes.push(Vec::new());
            match &branch.guard {
                Guard::After(e) => {
                    let Some((left, at_once)) = deadlines.pop_front() else { continue };
                    let zero = self.make(K::Word(0), Type::Int, span);
                    let over = K::Compare(ir::Compare::LessEqual, Box::new(left), Box::new(zero));
                    let guard = self.make(over, Type::Bool, span);
                    self.patch_jump(at_once);
                    self.guard(e.span, ir::GuardTaken::Entering(self.pc()));
                    late.push(Branch { guard, after_earlier: true, target: self.pc() });
                }
                Guard::Condition(e) => {
                    let guard = self.condition(e, "a guard");
                    self.guard(e.span, ir::GuardTaken::Entering(self.pc()));
                    list.push(Branch { guard, after_earlier: branch.after_earlier, target: self.pc() });
                }
                Guard::Otherwise(at) => self.error(Behaviour::OtherwiseBesideAfter.at(*at)),
                // Already reported.
                Guard::Receive(..) => {}
            }
            let body = self.branch_body(&branch.body, tail, false, &mut ends);
            flow.reaches_end |= body.reaches_end && !repeat;
        }
        list.append(&mut late);
        self.cx.code[choice] = Op::Branch(list);
        self.end_branches(ends);
        self.cx.definitely_assigned = given;
        flow
    }

    /// Return whether a property states the cost for a network with given rounds. The cost under a synchronizer differs, and a
    /// variant may state it.
    pub(in crate::check) fn counts_rounds_given(&self, property: &ast::Property) -> bool {
        let is_cost = matches!(property.kind, ir::PropertyKind::Bound | ir::PropertyKind::Exactly);
        // The number of rounds is the same.
        let of_rounds = matches!(&property.body.kind, ast::ExprKind::Binary(_, left, _)
            if matches!(left.kind, ast::ExprKind::Metric { metric: ir::Metric::Rounds, .. }));
        let inherited = property.name.span.file != self.units[0].file;
        self.synchronizer.is_some() && is_cost && !of_rounds && inherited
    }

    /// Report handlers for wakeup: under a synchronizer all processes start together.
    pub(in crate::check) fn not_by_synchronizer(&mut self, span: Span) {
        self.error(Modelling::WakeupInRounds.at(span));
    }
}
