//! Flow analysis of a role's code, from every place at which a step can begin.

use super::facts::{Facts, facts_if, facts_of_evaluation, has_value, slots_of};
use super::walk::{Use, uses};
use crate::check::context::{Class, slot};
use crate::check::typed::Role;
use crate::ir::{
    Alternative, Expr, ExprKind, Handlers, Input, MessageKind, Op, Pattern, Pc, Sender, Slot, Target,
    TargetStep, Type,
};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum depth of procedure calls that are followed.
const MAX_CALL_DEPTH: usize = 40;

/// Maximum work, as operations times options; larger programs, which nobody writes by hand, are not analysed.
const MAX_WORK: usize = 20_000_000;

/// Maximum number of passes until the analysis reaches its fixed point.
const MAX_PASSES: usize = 64;

/// State of the analysis of one role.
struct Follow<'r> {
    role: &'r Role,
    kinds: &'r [MessageKind],
    /// Guards that are not tested, since they hold.
    implied: BTreeMap<Pc, &'r Expr>,
    /// Slots that are never set back to `none`: once they have a value they keep one.
    lasting: BTreeSet<Slot>,
    /// The slots of the thread's locals.
    locals: BTreeSet<Slot>,
    /// Slots that are set to `none` somewhere.
    emptied: BTreeSet<Slot>,
    /// The lasting facts after variables have their initial values.
    base: Facts,
    /// The facts on entry to a state, by component and state.
    states: BTreeMap<(u16, u32), Facts>,
    /// The facts at the return of a procedure, by its start and the facts there.
    exits: BTreeMap<(Pc, Facts, bool), Option<Facts>>,
    found: BTreeMap<Span, (Expr, Use)>,
    depth: usize,
    /// Greater than 0 while the fixed point is computed and nothing is reported.
    quiet: usize,
    /// Slots that the options in use read, and slots whose values are copied to these. Facts about others are not needed.
    spoken_of: BTreeSet<Slot>,
    /// Assignments: the target slot, and the options in the value.
    copies: Vec<(Slot, Vec<Slot>)>,
}

/// Return the options that may be `none` where a process uses them, each with its use.
pub fn possibly_none(role: &Role, kinds: &[MessageKind]) -> Vec<(Expr, Use)> {
    let locals = || (0..).map(slot).zip(&role.locals);
    let of_thread = locals().filter(|(_, l)| l.named && l.class == Class::Thread);
    let mut follow = Follow {
        role,
        kinds,
        implied: role.implied.iter().map(|(pc, guard)| (*pc, guard)).collect(),
        lasting: locals().map(|(slot, _)| slot).collect(),
        locals: of_thread.map(|(slot, _)| slot).collect(),
        emptied: BTreeSet::new(),
        base: Facts::default(),
        states: BTreeMap::new(),
        exits: BTreeMap::new(),
        found: BTreeMap::new(),
        depth: 0,
        quiet: 0,
        spoken_of: BTreeSet::new(),
        copies: Vec::new(),
    };
    let asked = follow.asked();
    if asked == 0 || asked.saturating_mul(role.code.len()) > MAX_WORK {
        return Vec::new();
    }
    // Fewer lasting slots mean fewer facts, which in turn mean fewer lasting slots.
    for _ in 0..MAX_PASSES {
        let before = (follow.lasting.len(), follow.base.clone(), follow.states.clone());
        follow.pass();
        let emptied = std::mem::take(&mut follow.emptied);
        follow.lasting.retain(|slot| !emptied.contains(slot));
        if before == (follow.lasting.len(), follow.base.clone(), follow.states.clone()) {
            return follow.found.into_values().collect();
        }
    }
    Vec::new()
}

fn options_in(e: &Expr, slots: &mut Vec<Slot>) {
    match &e.kind {
        ExprKind::Slot(slot) if matches!(e.ty, Type::Option(_)) => slots.push(*slot),
        _ => e.parts(&mut |part| options_in(part, slots)),
    }
}

fn element(set: &Expr) -> Option<&Type> {
    match &set.ty {
        Type::Set(t) | Type::List(t) | Type::Map(t, _) => Some(t),
        _ => None,
    }
}

impl Follow<'_> {
    /// Analyse each operation on its own: return the number of options used, and record the slots that they read.
    fn asked(&mut self) -> usize {
        let role = self.role;
        // Procedures are analysed as operations too.
        self.depth = MAX_CALL_DEPTH + 1;
        for pc in 0..role.code.len() {
            self.op(pc as Pc, Facts::default(), &mut Vec::new(), &mut None);
        }
        for component in &role.components {
            let states = component.states.iter().map(|s| &s.handlers);
            for handlers in states.chain([&component.always]) {
                self.handlers(handlers, &Facts::default());
            }
        }
        self.depth = 0;
        self.spoken_of = self.found.values().flat_map(|(e, _)| slots_of(e)).collect();
        let copies = std::mem::take(&mut self.copies);
        loop {
            let before = self.spoken_of.len();
            for (to, from) in &copies {
                if self.spoken_of.contains(to) {
                    self.spoken_of.extend(from);
                }
            }
            if self.spoken_of.len() == before {
                break;
            }
        }
        self.emptied.clear();
        self.states.clear();
        self.found.len()
    }

    fn holds(&self, slot: Slot, facts: &mut Facts) {
        if self.spoken_of.contains(&slot) {
            facts.add_slot(slot);
        }
    }

    fn pass(&mut self) {
        self.found.clear();
        self.exits.clear();
        let states = std::mem::take(&mut self.states);
        let role = self.role;
        self.run(role.start.start, Facts::default());
        let base = self.base.clone();
        if let Some(client) = role.client {
            self.run(client, base.clone());
        }
        for entry in role.operations.iter().flatten() {
            self.run(entry.pc, base.clone());
        }
        for (c, component) in role.components.iter().enumerate() {
            let initial = role.initial_states.get(c).copied();
            for (s, state) in component.states.iter().enumerate() {
                let entered = states.get(&(c as u16, s as u32)).filter(|_| initial != Some(s as i64));
                let known = base.and(entered.cloned().unwrap_or_default());
                if let Some(body) = state.body {
                    self.run(body, known.clone());
                }
                self.handlers(&state.handlers, &known);
            }
            self.handlers(&component.always, &base);
        }
    }

    fn handlers(&mut self, handlers: &Handlers, known: &Facts) {
        for a in handlers.alternatives.iter().chain(&handlers.defer).chain(&handlers.ignore) {
            self.alternative(a, known);
        }
    }

    fn uses(&mut self, e: &Expr, facts: &Facts) {
        if self.quiet > 0 {
            return;
        }
        let found = &mut self.found;
        uses(e, facts, &mut |x, how| {
            found.insert(x.span, (x.clone(), how));
        });
    }

    fn alternative(&mut self, a: &Alternative, known: &Facts) {
        let facts = self.taken(a, known);
        self.run(a.entry, facts);
    }

    fn set(&mut self, slot: Slot, e: &Expr, facts: &mut Facts) {
        if self.depth > MAX_CALL_DEPTH {
            let mut from = Vec::new();
            options_in(e, &mut from);
            self.copies.push((slot, from));
        }
        *facts = facts.and(facts_of_evaluation(e));
        let value = has_value(e, facts);
        facts.changed(slot);
        if value {
            self.holds(slot, facts);
        } else {
            self.emptied.insert(slot);
        }
    }

    fn store(&mut self, place: &Target, e: &Expr, facts: &mut Facts) {
        for step in &place.path {
            if let TargetStep::Index(i) = step {
                self.uses(i, facts);
            }
        }
        if place.path.is_empty() {
            self.set(place.root, e, facts);
        } else {
            facts.changed(place.root);
            self.emptied.insert(place.root);
        }
    }

    /// Return the facts that outlive a wait: all about the thread's locals, and the values of variables that are never set back
    /// to `none`.
    fn rested(&self, facts: &Facts) -> Facts {
        facts.after_wait(|slot| self.locals.contains(&slot), |slot| self.lasting.contains(&slot))
    }

    /// Bind the names of a pattern that matches a value of this type, if known.
    fn bind(&mut self, pattern: &Pattern, ty: Option<&Type>, facts: &mut Facts) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Slot(slot) => {
                facts.changed(*slot);
                match ty {
                    None | Some(Type::Option(_)) => drop(self.emptied.insert(*slot)),
                    Some(_) => self.holds(*slot, facts),
                }
            }
            Pattern::Tuple(parts) => {
                let types = match ty {
                    Some(Type::Tuple(types)) => Some(types.clone()),
                    _ => None,
                };
                for (i, part) in parts.iter().enumerate() {
                    self.bind(part, types.as_ref().and_then(|types| types.get(i)), facts);
                }
            }
            Pattern::Message(kind, parts) => self.fields(*kind, parts, facts),
        }
    }

    fn fields(&mut self, kind: u32, patterns: &[Pattern], facts: &mut Facts) {
        let kinds = self.kinds;
        for (i, pattern) in patterns.iter().enumerate() {
            let field = kinds.get(kind as usize).and_then(|kind| kind.fields.get(i));
            self.bind(pattern, field.map(|field| &field.ty), facts);
        }
    }

    /// Follow the code from an operation on. Return the facts where a procedure returns.
    fn run(&mut self, start: Pc, facts: Facts) -> Option<Facts> {
        if self.depth > MAX_CALL_DEPTH {
            return Some(Facts::default());
        }
        let key = (start, facts.clone(), self.quiet > 0);
        if let Some(known) = self.exits.get(&key) {
            return known.clone();
        }
        self.exits.insert(key.clone(), None);
        self.depth += 1;
        let mut into: BTreeMap<Pc, Facts> = BTreeMap::new();
        let mut exit: Option<Facts> = None;
        let mut todo = vec![start];
        into.insert(start, facts);
        while let Some(pc) = todo.pop() {
            let facts = into[&pc].clone();
            let mut next: Vec<(Pc, Facts)> = Vec::new();
            self.quiet += 1;
            self.op(pc, facts, &mut next, &mut exit);
            self.quiet -= 1;
            for (pc, facts) in next {
                match into.get_mut(&pc) {
                    None => {
                        into.insert(pc, facts);
                        todo.push(pc);
                    }
                    Some(known) => {
                        if known.meet(&facts) {
                            todo.push(pc);
                        }
                    }
                }
            }
        }
        for (pc, facts) in into {
            self.op(pc, facts, &mut Vec::new(), &mut exit);
        }
        self.depth -= 1;
        self.exits.insert(key, exit.clone());
        exit
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each operation")]
    fn op(&mut self, pc: Pc, mut facts: Facts, next: &mut Vec<(Pc, Facts)>, exit: &mut Option<Facts>) {
        let role = self.role;
        let Some(op) = role.code.get(pc as usize) else { return };
        if let Some(guard) = self.implied.get(&pc) {
            facts = facts.and(facts_if(guard, true, &facts));
        }
        if pc == role.start.end {
            self.base = self.rested(&facts);
        }
        match op {
            Op::Set(slot, e) => {
                self.uses(e, &facts);
                self.set(*slot, e, &mut facts);
            }
            Op::Choose(slot, e) => {
                self.uses(e, &facts);
                let of = element(e).cloned();
                self.bind(&Pattern::Slot(*slot), of.as_ref(), &mut facts);
            }
            Op::Assign(place, e) => {
                self.uses(e, &facts);
                self.store(place, e, &mut facts);
            }
            Op::Remove(place, e) => {
                self.uses(e, &facts);
                facts = facts.and(facts_of_evaluation(e));
                facts.changed(place.root);
            }
            Op::Jump(to) | Op::OnRestart(to) => {
                next.push((*to, facts.clone()));
                if matches!(op, Op::Jump(_)) {
                    return;
                }
            }
            Op::Given(to) => {
                next.extend(to.map(|to| (to, facts)));
                return;
            }
            Op::Unless(e, to) => {
                self.uses(e, &facts);
                next.push((*to, facts.and(facts_if(e, false, &facts))));
                facts = facts.and(facts_if(e, true, &facts));
            }
            Op::Branch(branches) => {
                let mut other = facts.clone();
                for branch in branches {
                    self.uses(&branch.guard, &facts);
                    next.push((branch.target, facts.and(facts_if(&branch.guard, true, &facts))));
                    other = other.and(facts_if(&branch.guard, false, &other));
                }
                facts = other;
            }
            Op::NoGuard(_) | Op::Halt | Op::Finish => return,
            Op::Return | Op::ReturnFrom { .. } => {
                match exit {
                    None => *exit = Some(facts),
                    Some(known) => {
                        known.meet(&facts);
                    }
                }
                return;
            }
            Op::Send(send) | Op::Transmit(send) => {
                for e in send.fields.iter().chain(send.to.expr()) {
                    self.uses(e, &facts);
                    facts = facts.and(facts_of_evaluation(e));
                }
            }
            Op::Wait(w) => {
                let rested = self.rested(&facts);
                for a in &role.waits[*w as usize].alternatives {
                    next.push((a.entry, self.taken(a, &rested)));
                }
                return;
            }
            Op::Become { component, state, thread } => {
                let rested = self.rested(&facts);
                match self.states.get_mut(&(*component, *state)) {
                    None => {
                        self.states.insert((*component, *state), rested);
                    }
                    Some(known) => {
                        known.meet(&rested);
                    }
                }
                if *thread {
                    return;
                }
            }
            Op::Gosub(to) => match self.run(*to, facts) {
                Some(after) => facts = after,
                None => return,
            },
            Op::Call { entry, .. } => match self.run(*entry, facts) {
                Some(after) => facts = after,
                None => return,
            },
            Op::ForStart(slot, e) => {
                self.uses(e, &facts);
                facts.changed(Slot::Word(*slot));
            }
            Op::ForNext(_, pattern, to) => {
                next.push((*to, facts.clone()));
                self.bind(pattern, None, &mut facts);
            }
            Op::SetArbitrary(slot, _) => facts.changed(*slot),
            Op::Upcall { args, .. } => args.iter().for_each(|e| self.uses(e, &facts)),
            Op::Observe { value, .. } => value.iter().for_each(|e| self.uses(e, &facts)),
            Op::SetTimer(_, e) => self.uses(e, &facts),
            Op::Clear(slots) => slots.iter().for_each(|s| facts.changed(*s)),
            Op::Listen(_) | Op::EndRound | Op::CancelTimer(_) => {}
        }
        next.push((pc + 1, facts));
    }

    /// Return the facts when an alternative is taken.
    fn taken(&mut self, a: &Alternative, known: &Facts) -> Facts {
        let mut facts = known.clone();
        match &a.input {
            Input::Condition { some } => {
                if let Some(binder) = some {
                    self.uses(&binder.set, &facts);
                    self.bind(&binder.pattern, element(&binder.set), &mut facts);
                }
            }
            Input::Message { kind, fields, from } => {
                match from {
                    Sender::Is(e) | Sender::Member(e) => self.uses(e, &facts),
                    Sender::Bind(s) => {
                        facts.changed(Slot::Word(*s));
                        self.holds(Slot::Word(*s), &mut facts);
                    }
                    Sender::Any => {}
                }
                self.fields(*kind, fields, &mut facts);
            }
            Input::Each { kind, fields, store, member, .. } => {
                facts.changed(Slot::Word(*member));
                self.fields(*kind, fields, &mut facts);
                for (place, e) in store {
                    self.uses(e, &facts);
                    self.store(place, e, &mut facts);
                }
            }
            Input::Upcall { args, .. } => args.iter().for_each(|p| self.bind(p, None, &mut facts)),
            Input::After(e) => self.uses(e, &facts),
            Input::Detected { process, .. } => self.bind(process, Some(&Type::Id), &mut facts),
            Input::Interaction { responder, mirrors } => {
                facts.changed(Slot::Word(*responder));
                mirrors.iter().for_each(|m| facts.changed(m.slot));
            }
            Input::Wakeup | Input::Arrival | Input::Pause | Input::Timer(_) | Input::Restart => {}
        }
        if let Some(guard) = &a.guard {
            self.uses(guard, &facts);
            facts = facts.and(facts_if(guard, true, &facts));
        }
        facts
    }
}
