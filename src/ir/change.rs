//! Changes of trees and code in place: of their expressions, and of the slots that they mention.

use super::{
    Alternative, Assumptions, Binder, Component, Delay, Domain, DomainKind, Entry, Expr, ExprKind as K,
    Handlers, Input, LayerLimit, Op, Pattern, Property, Ranges, Scenario, ScenarioLine, Sender, SizeRule,
    Slot, Target, TargetStep,
};

/// A change, applied to every part. By default nothing changes.
pub trait Change {
    /// Change a slot of the frame in which the tree is evaluated.
    fn slot(&self, _slot: &mut Slot) {}

    /// Change a slot of the processes of a role, seen from outside.
    fn slot_of_role(&self, _role: usize, _slot: &mut Slot) {}

    /// Change an expression whose parts have been changed.
    fn leave(&self, _e: &mut Expr) {}

    fn index(&self, index: &mut u16) {
        let mut slot = Slot::Word(*index);
        self.slot(&mut slot);
        *index = slot.index();
    }

    fn slots_of_roles(&self, slots: &mut [Option<Slot>]) {
        for (role, slot) in slots.iter_mut().enumerate() {
            slot.iter_mut().for_each(|slot| self.slot_of_role(role, slot));
        }
    }

    fn expr(&self, e: &mut Expr) {
        match &mut e.kind {
            K::ReceivedMessage(wanted) => {
                self.patterns(&mut wanted.fields);
                self.sender(&mut wanted.from);
                wanted.when.iter_mut().for_each(|w| self.expr(w));
            }
            K::Slot(s) => self.slot(s),
            K::Ranged { ranges, .. } => self.ranges(ranges),
            K::Let(lets, _) => lets.iter_mut().for_each(|(s, _)| self.slot(s)),
            K::Once { slot, done, .. } => {
                self.slot(slot);
                self.slot(done);
            }
            K::Quantified { binders, .. } | K::Comprehension { binders, .. } => {
                binders.iter_mut().for_each(|b| self.pattern(&mut b.pattern));
            }
            K::Best { binder, .. } => self.pattern(&mut binder.pattern),
            K::Remote(_, slots) => self.slots_of_roles(slots),
            K::RemoteState(_, states) => {
                for (role, state) in states.iter_mut().enumerate() {
                    state.iter_mut().for_each(|(control, _)| self.index_of_role(role, control));
                }
            }
            _ => {}
        }
        e.parts_mut(&mut |part| self.expr(part));
        self.leave(e);
    }

    fn index_of_role(&self, role: usize, index: &mut u16) {
        let mut slot = Slot::Word(*index);
        self.slot_of_role(role, &mut slot);
        *index = slot.index();
    }

    fn exprs<'e>(&self, all: impl IntoIterator<Item = &'e mut Expr>) {
        all.into_iter().for_each(|e| self.expr(e));
    }

    fn ranges(&self, ranges: &mut Ranges) {
        ranges.each_bound(&mut |bound| self.expr(bound));
    }

    fn binder(&self, b: &mut Binder) {
        self.pattern(&mut b.pattern);
        self.expr(&mut b.set);
    }

    fn patterns(&self, all: &mut [Pattern]) {
        all.iter_mut().for_each(|p| self.pattern(p));
    }

    fn pattern(&self, p: &mut Pattern) {
        match p {
            Pattern::Wildcard => {}
            Pattern::Slot(s) => self.slot(s),
            Pattern::Tuple(parts) | Pattern::Message(_, parts) => self.patterns(parts),
        }
    }

    fn sender(&self, from: &mut Sender) {
        match from {
            Sender::Any => {}
            Sender::Bind(s) => self.index(s),
            Sender::Is(e) | Sender::Member(e) => self.expr(e),
        }
    }

    fn domain(&self, d: &mut Domain) {
        match &mut d.kind {
            DomainKind::Bool | DomainKind::Enum(_) | DomainKind::Port | DomainKind::Id => {}
            DomainKind::Range(lo, hi) => self.exprs([lo, hi]),
            DomainKind::Option(inner) | DomainKind::Set(inner) => self.domain(inner),
            DomainKind::Tuple(parts) | DomainKind::Record(_, parts) => {
                parts.iter_mut().for_each(|p| self.domain(p));
            }
        }
    }

    fn target(&self, p: &mut Target) {
        self.slot(&mut p.root);
        for step in &mut p.path {
            if let TargetStep::Index(e) = step {
                self.expr(e);
            }
        }
    }

    fn component(&self, c: &mut Component) {
        self.index(&mut c.state_slot);
        for h in c.states.iter_mut().map(|s| &mut s.handlers).chain([&mut c.always]) {
            let Handlers { alternatives, defer, ignore } = h;
            alternatives.iter_mut().chain(defer).chain(ignore).for_each(|a| self.alternative(a));
        }
    }

    fn alternative(&self, a: &mut Alternative) {
        match &mut a.input {
            Input::Condition { some } => some.iter_mut().for_each(|b| self.binder(b)),
            Input::Message { fields, from, .. } => {
                self.patterns(fields);
                self.sender(from);
            }
            Input::Each { fields, set, member, store, .. } => {
                self.patterns(fields);
                self.index(set);
                self.index(member);
                for (target, e) in store {
                    self.target(target);
                    self.expr(e);
                }
            }
            Input::Upcall { args, .. } => self.patterns(args),
            Input::Detected { process, .. } => self.pattern(process),
            Input::After(e) => self.expr(e),
            Input::Interaction { responder, mirrors } => {
                self.index(responder);
                mirrors.iter_mut().for_each(|m| self.slot(&mut m.slot));
            }
            Input::Wakeup | Input::Arrival | Input::Pause | Input::Timer(_) | Input::Restart => {}
        }
        self.exprs(&mut a.guard);
    }

    fn op(&self, op: &mut Op) {
        match op {
            Op::Set(s, e) | Op::Choose(s, e) => {
                self.slot(s);
                self.expr(e);
            }
            Op::Assign(target, e) | Op::Remove(target, e) => {
                self.target(target);
                self.expr(e);
            }
            Op::Unless(e, _) => self.expr(e),
            Op::Branch(branches) => self.exprs(branches.iter_mut().map(|b| &mut b.guard)),
            Op::Send(send) | Op::Transmit(send) => {
                self.exprs(&mut send.fields);
                self.exprs(send.to.expr_mut());
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
            Op::Upcall { args, .. } => self.exprs(args),
            Op::Observe { value, .. } => self.exprs(value),
            Op::Clear(slots) => slots.iter_mut().for_each(|s| self.slot(s)),
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

    fn entry(&self, entry: &mut Entry) {
        entry.params.iter_mut().for_each(|param| self.slot(param));
        self.index(&mut entry.return_slot);
    }

    fn assumptions(&self, a: &mut Assumptions) {
        a.sizes.iter_mut().for_each(|bound| self.size_rule(&mut bound.rule));
        self.exprs(&mut a.max_crashes);
        let of_layers = a.of_layers.iter_mut().map(|bound| &mut bound.limit);
        let mut delays: Vec<&mut Delay> = a.delay.iter_mut().collect();
        for limit in of_layers {
            match limit {
                LayerLimit::Delay(delay) => delays.push(delay),
                LayerLimit::Crashes(e) => self.expr(e),
            }
        }
        delays.into_iter().for_each(|delay| self.exprs(delay.min.iter_mut().chain([&mut delay.max])));
    }

    fn size_rule(&self, rule: &mut SizeRule) {
        match rule {
            SizeRule::Compare { limit: e, .. } | SizeRule::Condition(e) => self.expr(e),
            SizeRule::Both(a, b) | SizeRule::Either(a, b) => {
                self.size_rule(a);
                self.size_rule(b);
            }
        }
    }

    fn property(&self, p: &mut Property) {
        p.binders.iter_mut().for_each(|b| self.binder(b));
        self.expr(&mut p.body);
        self.exprs(&mut p.consequent);
        self.exprs(p.bound.iter_mut().map(|bound| &mut bound.limit));
    }

    fn scenario(&self, s: &mut Scenario) {
        self.exprs(s.params.iter_mut().map(|(_, e)| e));
        for (line, _) in &mut s.lines {
            match line {
                ScenarioLine::Initially { slots, value, .. } => {
                    self.slots_of_roles(slots);
                    self.expr(value);
                }
                ScenarioLine::Act { args, .. } => self.exprs(args),
                ScenarioLine::Delay { delay: e, .. }
                | ScenarioLine::AdvanceTo(e)
                | ScenarioLine::Choose { value: super::Chosen::Value(e), .. }
                | ScenarioLine::Expect(e) => self.expr(e),
                ScenarioLine::Hold { .. }
                | ScenarioLine::Release { .. }
                | ScenarioLine::Deliver { .. }
                | ScenarioLine::Note { .. }
                | ScenarioLine::Wake(_)
                | ScenarioLine::Crash { .. }
                | ScenarioLine::Restart(_)
                | ScenarioLine::Mislead(_)
                | ScenarioLine::Suspect { .. }
                | ScenarioLine::Lose { .. }
                | ScenarioLine::Duplicate { .. }
                | ScenarioLine::Cut { .. }
                | ScenarioLine::Choose { value: super::Chosen::Number(_), .. }
                | ScenarioLine::Step(_)
                | ScenarioLine::Expire(_)
                | ScenarioLine::Cycle
                | ScenarioLine::ExpectVerdict { .. }
                | ScenarioLine::ExpectCycleClosed
                | ScenarioLine::ExpectOutcome(_) => {}
            }
        }
    }
}
