//! The commands that a process may execute from a local state on, whichever messages it receives, and the values that its variables
//! may have meanwhile: a fixed point over the code of its role.

use crate::explore::reduction::future::frame::Frame;
use crate::explore::reduction::future::known::Known;
use crate::explore::store::components::Local;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{
    Alternative, Expr, HALTED, Input, Op, PC, Pattern, Pc, Sender, Slot, Target, TargetStep, Type,
};
use fixedbitset::FixedBitSet;

/// The future of a local state: a superset of what may happen.
#[derive(Clone, Debug)]
pub struct Reach<'a> {
    pub frame: Frame<'a>,
    /// By operation of the role: whether it may be executed.
    pub ops: Vec<bool>,
    /// By waiting point: whether the process may wait there.
    pub waits: Vec<bool>,
    /// Whether the process may halt.
    pub halts: bool,
    is_covered: bool,
    changed: bool,
}

/// The next operation of a command, and a condition with its truth there.
type Step<'a> = (Pc, Option<(&'a Expr, bool)>);

/// Limit of nested branches whose conditions restrict the names of a message.
const BRANCHES: u32 = 6;

impl<'a> Reach<'a> {
    /// Return the future of a process in a local state. `None`: it is not covered.
    pub fn of(instance: &'a Instance, process: ProcessId, local: &Local) -> Option<Reach<'a>> {
        let frame = Frame::new(instance, process, local);
        let role = frame.role;
        let mut waits = vec![false; role.waits.len()];
        let pc = local.words[usize::from(PC)];
        if pc != HALTED {
            *waits.get_mut(usize::try_from(pc).ok()?)? = true;
        }
        let mut reach = Reach {
            frame,
            ops: vec![false; role.code.len()],
            waits,
            halts: pc == HALTED,
            is_covered: true,
            changed: true,
        };
        while std::mem::take(&mut reach.changed) {
            reach.each_alternative(&mut |reach, alternative, runs| reach.alternative(alternative, runs));
        }
        reach.is_covered.then_some(reach)
    }

    /// Call `f` for the alternatives of all waiting points and control states of the future, and whether they execute a command:
    /// those of `defer` and `ignore` do not.
    pub fn each_alternative(&mut self, f: &mut dyn FnMut(&mut Self, &'a Alternative, bool)) {
        let role = self.frame.role;
        for (at, wait) in role.waits.iter().enumerate() {
            if self.waits[at] {
                wait.alternatives.iter().for_each(|alternative| f(self, alternative, true));
            }
        }
        if !self.waits.contains(&true) {
            return;
        }
        for component in &role.components {
            let states = self.states(component.state_slot, component.states.len());
            let handlers = component.states[states].iter().map(|state| &state.handlers);
            for handlers in handlers.chain([&component.always]) {
                handlers.alternatives.iter().for_each(|alternative| f(self, alternative, true));
                handlers.defer.iter().chain(&handlers.ignore).for_each(|a| f(self, a, false));
            }
        }
    }

    /// Return the control states that a component may be in.
    pub fn states(&self, slot: u16, count: usize) -> std::ops::Range<usize> {
        match self.frame.known(Slot::Word(slot)) {
            Known::Word(least, greatest) if count > 0 => {
                let end = usize::try_from(*greatest).map_or(0, |greatest| greatest.saturating_add(1));
                usize::try_from(*least).unwrap_or(0)..end.min(count)
            }
            _ => 0..0,
        }
    }

    /// Return whether the guard of an alternative may be true, and whether it may fail. The names that its input binds are unknown.
    pub fn guard(&mut self, alternative: &Alternative) -> (bool, bool) {
        let Some(guard) = &alternative.guard else { return (true, false) };
        let before: Vec<(Slot, Known)> = bound(&alternative.input)
            .into_iter()
            .map(|slot| {
                let before = self.frame.known(slot).clone();
                self.frame.forget(slot);
                (slot, before)
            })
            .collect();
        let (known, fails) = self.frame.evaluate(guard);
        for (slot, known) in before.into_iter().rev() {
            self.frame.set(slot, known);
        }
        (known.truth() != Some(false), fails)
    }

    fn alternative(&mut self, alternative: &Alternative, runs: bool) {
        if matches!(alternative.input, Input::Restart) {
            return;
        }
        // Names are bound before the guard is evaluated.
        bound(&alternative.input).into_iter().for_each(|slot| self.forget(slot));
        if let Input::Each { store, .. } = &alternative.input {
            store.iter().for_each(|(target, e)| self.assign(target, e));
        }
        if !runs {
            return;
        }
        let before = self.frame.clone_names(&bound(&alternative.input));
        let holds = alternative.guard.as_ref().is_none_or(|guard| {
            self.frame.evaluate(guard).0.truth() != Some(false) && self.frame.assume(guard, true)
        });
        if holds {
            let mut seen = FixedBitSet::with_capacity(self.ops.len());
            self.follow(alternative.entry, &mut seen, 0);
        }
        self.frame.restore_names(before);
    }

    /// Follow the command from here on. `seen`: the operations that have been followed with these abstract values, or with larger ones.
    fn follow(&mut self, from: Pc, seen: &mut FixedBitSet, branches: u32) {
        let role = self.frame.role;
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            let Some(op) = role.code.get(at as usize).filter(|_| !seen.put(at as usize)) else { continue };
            self.changed |= !std::mem::replace(&mut self.ops[at as usize], true);
            for (to, condition) in self.op(at, op) {
                match condition {
                    Some((condition, truth)) if branches < BRANCHES => {
                        let before = self.frame.clone_temporaries(condition);
                        if self.frame.assume(condition, truth) {
                            self.follow(to, &mut seen.clone(), branches + 1);
                        }
                        self.frame.restore_names(before);
                    }
                    _ => open.push(to),
                }
            }
        }
    }

    /// Return the approximate number of bytes.
    pub fn bytes(&self) -> usize {
        self.ops.len() + self.waits.len() + self.frame.bytes()
    }

    fn wait(&mut self, at: usize) {
        if let Some(wait) = self.waits.get_mut(at)
            && !*wait
        {
            *wait = true;
            self.changed = true;
        }
    }

    fn add(&mut self, slot: Slot, known: &Known, ty: &Type) {
        // Temporaries belong to one command.
        let is_new = self.frame.add(slot, known, ty);
        self.changed |= is_new && self.frame.is_kept(slot);
    }

    fn forget(&mut self, slot: Slot) {
        let is_new = self.frame.forget(slot);
        self.changed |= is_new && self.frame.is_kept(slot);
    }

    fn assign(&mut self, target: &Target, e: &Expr) {
        let (known, _) = self.frame.evaluate(e);
        let own = self.frame.known(target.root);
        let after = match (target.path.first(), own.keys()) {
            (None, _) => known,
            // The entry is inserted if it is absent.
            (Some(TargetStep::Index(_)), Some(keys)) => Known::Keys(keys.into()),
            _ => return self.forget(target.root),
        };
        self.add(target.root, &after, &e.ty);
    }

    /// Follow an operation. Return the next operations, with their conditions.
    fn op(&mut self, at: Pc, op: &'a Op) -> Vec<Step<'a>> {
        let next = at + 1;
        match op {
            Op::Set(slot, e) => {
                let (known, _) = self.frame.evaluate(e);
                self.add(*slot, &known, &e.ty);
            }
            Op::Assign(target, e) => self.assign(target, e),
            Op::Remove(target, _) => match target.path.first() {
                Some(TargetStep::Index(_)) => {
                    let keys = self.frame.known(target.root).keys();
                    match keys {
                        Some(keys) => self.add(target.root, &Known::Keys(keys.into()), &Type::Value),
                        None => self.forget(target.root),
                    }
                }
                _ => self.changed |= self.frame.forget(target.root),
            },
            Op::Jump(to) => return vec![(*to, None)],
            Op::Unless(condition, to) => {
                return match self.frame.evaluate(condition).0.truth() {
                    Some(true) => vec![(next, None)],
                    Some(false) => vec![(*to, None)],
                    None => vec![(next, Some((condition, true))), (*to, Some((condition, false)))],
                };
            }
            Op::Branch(branches) => {
                let mut steps: Vec<Step<'a>> = vec![(next, None)];
                for branch in branches {
                    if self.frame.evaluate(&branch.guard).0.truth() != Some(false) {
                        steps.push((branch.target, Some((&branch.guard, true))));
                    }
                }
                return steps;
            }
            Op::Wait(wait) => {
                self.wait(*wait as usize);
                return Vec::new();
            }
            Op::Become { component, state, thread } => {
                let component = &self.frame.role.components[usize::from(*component)];
                let state = i64::from(*state);
                self.add(Slot::Word(component.state_slot), &Known::Word(state, state), &Type::Int);
                if *thread {
                    match component.states[state as usize].body {
                        Some(body) => return vec![(body, None)],
                        None => self.wait(0),
                    }
                    return Vec::new();
                }
            }
            Op::Halt => {
                self.changed |= !self.halts;
                self.halts = true;
                return Vec::new();
            }
            Op::NoGuard(_) | Op::Finish | Op::Return => return Vec::new(),
            Op::Gosub(to) => return vec![(*to, None), (next, None)],
            Op::Call { entry, return_slot } => {
                self.add(Slot::Word(*return_slot), &Known::Word(next.into(), next.into()), &Type::Int);
                return vec![(*entry, None)];
            }
            Op::ReturnFrom { return_slot } => {
                return self.return_from(*return_slot);
            }
            Op::ForStart(slot, all) => {
                let (known, _) = self.frame.evaluate(all);
                let known = known.elements().map_or(Known::Any, |(a, b)| Known::Elements(a, b));
                self.add(Slot::Value(*slot), &known, &all.ty);
            }
            Op::ForNext(slot, pattern, end) => return self.next_element(*slot, pattern, (next, *end)),
            Op::Choose(slot, _) => self.forget(*slot),
            Op::Clear(slots) => slots.iter().for_each(|slot| self.clear(*slot)),
            Op::OnRestart(_) | Op::Send(_) | Op::Upcall { .. } | Op::Observe { .. } => {}
            // Timers of models without time expire at any moment.
            Op::SetTimer(..) | Op::CancelTimer(_) => {}
            Op::SetArbitrary(..) | Op::Given(_) | Op::Transmit(_) | Op::Listen(_) | Op::EndRound => {
                self.is_covered = false;
            }
        }
        vec![(next, None)]
    }

    /// Reset a slot to its initial content.
    fn clear(&mut self, slot: Slot) {
        let role = self.frame.role;
        let initial = match slot {
            Slot::Word(at) => {
                let word = role.initial_words.get(usize::from(at)).copied().unwrap_or(0);
                Known::Word(word, word)
            }
            Slot::Value(at) => {
                role.initial_values.get(usize::from(at)).cloned().map_or(Known::Any, Known::Value)
            }
        };
        self.add(slot, &initial, &Type::Int);
    }

    /// Take the next element of a loop, whose slot holds the elements that are left.
    fn next_element(&mut self, slot: u16, pattern: &Pattern, (next, end): (Pc, Pc)) -> Vec<Step<'a>> {
        let elements = self.frame.known(Slot::Value(slot)).elements();
        let left = elements.map_or(Known::Any, |(least, greatest)| Known::Elements(least, greatest));
        self.add(Slot::Value(slot), &left, &Type::Value);
        match (pattern, elements) {
            (_, Some((least, greatest))) if least > greatest => return vec![(end, None)],
            (Pattern::Slot(slot @ Slot::Word(_)), Some((least, greatest))) => {
                self.add(*slot, &Known::Word(least, greatest), &Type::Int);
            }
            _ => pattern.slots().into_iter().for_each(|slot| self.forget(slot)),
        }
        vec![(next, None), (end, None)]
    }

    /// Continue after any call that may have stored its return address in this slot.
    fn return_from(&mut self, return_slot: u16) -> Vec<Step<'a>> {
        let Known::Word(least, greatest) = *self.frame.known(Slot::Word(return_slot)) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        let role = self.frame.role;
        for (at, op) in role.code.iter().enumerate() {
            let back = at as i64 + 1;
            if matches!(op, Op::Call { return_slot: slot, .. } if *slot == return_slot)
                && (least..=greatest).contains(&back)
            {
                steps.push((back as Pc, None));
            }
        }
        self.wait(0);
        self.add(Slot::Word(return_slot), &Known::Word(0, 0), &Type::Int);
        steps
    }
}

/// Return the slots that an input binds.
pub fn bound(input: &Input) -> Vec<Slot> {
    let of = |patterns: &[Pattern]| patterns.iter().flat_map(Pattern::slots).collect::<Vec<Slot>>();
    match input {
        Input::Message { fields, from, .. } => {
            let mut slots = of(fields);
            if let Sender::Bind(slot) = from {
                slots.push(Slot::Word(*slot));
            }
            slots
        }
        Input::Each { fields, member, .. } => {
            let mut slots = of(fields);
            slots.push(Slot::Word(*member));
            slots
        }
        Input::Condition { some } => some.iter().flat_map(|binder| binder.pattern.slots()).collect(),
        Input::Upcall { args, .. } => of(args),
        Input::Detected { process, .. } => process.slots(),
        Input::Interaction { responder, mirrors } => {
            mirrors.iter().map(|mirror| mirror.slot).chain([Slot::Word(*responder)]).collect()
        }
        Input::Wakeup
        | Input::Arrival
        | Input::Pause
        | Input::After(_)
        | Input::Timer(_)
        | Input::Restart => Vec::new(),
    }
}

/// Return whether assigning a target fails only if its expressions do. `is_map`: the variable is a map.
pub fn is_assignable(target: &Target, is_map: bool) -> bool {
    match target.path.as_slice() {
        [] => true,
        [TargetStep::Index(_)] => is_map,
        _ => false,
    }
}
