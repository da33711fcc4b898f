//! The last pass over a role or a property: fill in types, assign slots to locals, and resolve the forms that depend on types.

use crate::check::context::THREAD;
use crate::check::types::infer::Infer;
use crate::ir::{
    Alternative, Arith, Binder, CollectionOp, Domain, DomainKind, Expr, ExprKind as K, Handlers, Input, Op,
    Pattern, Sender, Slot, Target, TargetStep, Type,
};

pub struct Finisher<'a> {
    pub infer: &'a Infer,
    /// The slot of each local.
    pub slots: Vec<Slot>,
    /// All slots that belong to the thread alone.
    pub thread: Vec<Slot>,
}

impl Finisher<'_> {
    pub fn slot(&self, s: &mut Slot) {
        if let Slot::Word(local) = *s {
            *s = self.slots[local as usize];
        }
    }

    pub fn index(&self, local: &mut u16) {
        *local = match self.slots[*local as usize] {
            Slot::Word(s) | Slot::Value(s) => s,
        };
    }

    pub fn expr(&self, e: &mut Expr) {
        e.ty = self.infer.full(&e.ty);
        match &mut e.kind {
            K::ReceivedMessage(wanted) => {
                wanted.fields.iter_mut().for_each(|p| self.pattern(p));
                self.from(&mut wanted.from);
                wanted.when.iter_mut().for_each(|w| self.expr(w));
            }
            K::Slot(s) => self.slot(s),
            K::Ranged { ranges, .. } => ranges.each_bound(&mut |bound| self.expr(bound)),
            K::Let(lets, _) => lets.iter_mut().for_each(|(s, _)| self.slot(s)),
            K::Once { slot, done, .. } => {
                self.slot(slot);
                self.slot(done);
            }
            K::Quantified { binders, .. } | K::Comprehension { binders, .. } => {
                binders.iter_mut().for_each(|b| self.pattern(&mut b.pattern));
            }
            K::Best { binder, .. } => self.pattern(&mut binder.pattern),
            _ => {}
        }
        e.parts_mut(&mut |x| self.expr(x));
        self.settle(e);
    }

    /// Resolve `+` and `-` on collections, and comparisons of values that do not fit into words.
    fn settle(&self, e: &mut Expr) {
        let kind = std::mem::replace(&mut e.kind, K::Word(0));
        e.kind = match kind {
            K::Arith(op @ (Arith::Add | Arith::Subtract), x, y) if !matches!(e.ty, Type::Int) => {
                let op = if op == Arith::Add { CollectionOp::Union } else { CollectionOp::Difference };
                K::Collection(op, x, y)
            }
            K::Compare(op, x, y) if !(x.ty.is_word() && y.ty.is_word()) => K::CompareValues(op, x, y),
            other => other,
        };
    }

    pub fn binder(&self, b: &mut Binder) {
        self.pattern(&mut b.pattern);
        self.expr(&mut b.set);
    }

    pub fn pattern(&self, p: &mut Pattern) {
        match p {
            Pattern::Wildcard => {}
            Pattern::Slot(s) => self.slot(s),
            Pattern::Tuple(parts) | Pattern::Message(_, parts) => {
                parts.iter_mut().for_each(|p| self.pattern(p))
            }
        }
    }

    fn from(&self, from: &mut Sender) {
        match from {
            Sender::Any => {}
            Sender::Bind(s) => self.index(s),
            Sender::Is(e) | Sender::Member(e) => self.expr(e),
        }
    }

    fn domain(&self, d: &mut Domain) {
        match &mut d.kind {
            DomainKind::Bool | DomainKind::Enum(_) | DomainKind::Port | DomainKind::Id => {}
            DomainKind::Range(lo, hi) => {
                self.expr(lo);
                self.expr(hi);
            }
            DomainKind::Option(inner) | DomainKind::Set(inner) => self.domain(inner),
            DomainKind::Tuple(parts) | DomainKind::Record(_, parts) => {
                parts.iter_mut().for_each(|p| self.domain(p));
            }
        }
    }

    fn place(&self, p: &mut Target) {
        self.slot(&mut p.root);
        for step in &mut p.path {
            if let TargetStep::Index(e) = step {
                self.expr(e);
            }
        }
    }

    pub fn handlers(&self, h: &mut Handlers) {
        for a in h.alternatives.iter_mut().chain(&mut h.defer).chain(&mut h.ignore) {
            self.alternative(a);
        }
    }

    pub fn alternative(&self, a: &mut Alternative) {
        match &mut a.input {
            Input::Condition { some } => some.iter_mut().for_each(|b| self.binder(b)),
            Input::Message { fields, from, .. } => {
                fields.iter_mut().for_each(|p| self.pattern(p));
                self.from(from);
            }
            Input::Each { fields, set, member, store, .. } => {
                fields.iter_mut().for_each(|p| self.pattern(p));
                self.index(set);
                self.index(member);
                for (place, e) in store {
                    self.place(place);
                    self.expr(e);
                }
            }
            Input::Upcall { args, .. } => args.iter_mut().for_each(|p| self.pattern(p)),
            Input::Detected { process, .. } => self.pattern(process),
            Input::After(e) => self.expr(e),
            Input::Interaction { responder, mirrors } => {
                self.index(responder);
                mirrors.iter_mut().for_each(|m| self.slot(&mut m.slot));
            }
            Input::Wakeup | Input::Arrival | Input::Pause | Input::Timer(_) | Input::Restart => {}
        }
        a.guard.iter_mut().for_each(|g| self.expr(g));
    }

    pub fn op(&self, op: &mut Op) {
        match op {
            Op::Set(s, e) | Op::Choose(s, e) => {
                self.slot(s);
                self.expr(e);
            }
            Op::Assign(place, e) | Op::Remove(place, e) => {
                self.place(place);
                self.expr(e);
            }
            Op::Unless(e, _) => self.expr(e),
            Op::Branch(branches) => branches.iter_mut().for_each(|b| self.expr(&mut b.guard)),
            Op::Send(send) | Op::Transmit(send) => {
                send.fields.iter_mut().for_each(|e| self.expr(e));
                send.to.expr_mut().into_iter().for_each(|e| self.expr(e));
            }
            Op::SetArbitrary(s, domain) => {
                self.slot(s);
                self.domain(domain);
            }
            Op::Call { return_slot, .. } | Op::ReturnFrom { return_slot } => self.index(return_slot),
            Op::SetTimer(_, e) => self.expr(e),
            Op::ForStart(s, e) => {
                self.index(s);
                self.expr(e);
            }
            Op::ForNext(s, pattern, _) => {
                self.index(s);
                self.pattern(pattern);
            }
            Op::Upcall { args, .. } => args.iter_mut().for_each(|e| self.expr(e)),
            Op::Observe { value, .. } => value.iter_mut().for_each(|e| self.expr(e)),
            Op::Clear(slots) => {
                if slots[..] == [THREAD] {
                    *slots = self.thread.clone();
                } else {
                    slots.iter_mut().for_each(|s| self.slot(s));
                }
            }
            Op::Jump(_)
            | Op::OnRestart(_)
            | Op::Given(_)
            | Op::CancelTimer(_)
            | Op::NoGuard(_)
            | Op::Wait(_)
            | Op::Become { .. }
            | Op::Halt
            | Op::Finish
            | Op::Gosub(_)
            | Op::Return
            | Op::Listen(_)
            | Op::EndRound => {}
        }
    }
}
