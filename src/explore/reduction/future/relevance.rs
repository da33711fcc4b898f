//! The variables on which the future of a local state depends: live variables, for the values that the variables have.

use crate::explore::monitor::observed::Observed;
use crate::explore::reduction::flow::names::slot_of;
use crate::explore::reduction::future::frame::slots;
use crate::explore::reduction::future::reach::{Reach, bound};
use crate::ir::{
    Alternative, Arith, CollectionOp, Expr, ExprKind as K, Input, Op, PC, Sender, Slot, Target, TargetStep,
    Type,
};

/// A set of slots.
#[derive(Clone, Debug)]
pub struct Slots {
    words: Vec<bool>,
    values: Vec<bool>,
}

impl Slots {
    pub fn contains(&self, slot: Slot) -> bool {
        match slot {
            Slot::Word(at) => self.words[usize::from(at)],
            Slot::Value(at) => self.values[usize::from(at)],
        }
    }

    /// Add a slot. Return whether it is new.
    fn insert(&mut self, slot: Slot) -> bool {
        let own = match slot {
            Slot::Word(at) => &mut self.words[usize::from(at)],
            Slot::Value(at) => &mut self.values[usize::from(at)],
        };
        !std::mem::replace(own, true)
    }
}

/// Return the slots on which a step of the future or an observer depends.
pub fn relevant(reach: &mut Reach<'_>, observed: &Observed) -> Slots {
    let role = reach.frame.role;
    let mut all = Slots {
        words: vec![false; usize::from(role.frame_words.max(role.words))],
        values: vec![false; usize::from(role.frame_values.max(role.values))],
    };
    let controls = role.components.iter().map(|component| Slot::Word(component.state_slot));
    controls.chain([Slot::Word(PC)]).chain(observed.always.iter().copied()).for_each(|slot| {
        all.insert(slot);
    });
    let mut read = Vec::new();
    reach.each_alternative(&mut |reach, alternative, _| {
        read.extend(bound(&alternative.input).into_iter().filter(|slot| observed.at_ends.contains(slot)));
        inputs(reach, alternative, &mut |slot| read.push(slot));
    });
    let ops: Vec<(usize, &Op)> = role.code.iter().enumerate().filter(|(at, _)| reach.ops[*at]).collect();
    for (at, op) in &ops {
        controlled(reach, op, &mut |slot| read.push(slot));
        let is_shown = |slot: &Slot| observed.at_ends.contains(slot);
        match op {
            Op::Choose(slot, _) => read.extend(Some(*slot).filter(is_shown)),
            Op::ForNext(_, pattern, _) => read.extend(pattern.slots().into_iter().filter(is_shown)),
            Op::Clear(slots) => read.extend(slots.iter().copied().filter(is_shown)),
            _ => {
                let shown = written(op).map(|(root, _)| root).filter(is_shown);
                read.extend(shown.filter(|_| !accumulates(reach, *at)));
            }
        }
    }
    read.iter().for_each(|slot| {
        all.insert(*slot);
    });
    // Variables whose values are stored in relevant variables are relevant.
    loop {
        let mut more = Vec::new();
        for (_, op) in &ops {
            if let Some((root, expressions)) = written(op)
                && all.contains(root)
            {
                expressions.into_iter().for_each(|e| reach.frame.reads(e, &mut |slot| more.push(slot)));
            }
        }
        if !more.into_iter().fold(false, |new, slot| all.insert(slot) | new) {
            return all;
        }
    }
}

/// Add the slots that decide whether and how an alternative is taken.
fn inputs(reach: &mut Reach<'_>, alternative: &Alternative, add: &mut dyn FnMut(Slot)) {
    let (holds, fails) = reach.guard(alternative);
    let is_open = holds || fails;
    // Names that the input binds hide the abstract values of their slots.
    let mut mentioned = Vec::new();
    alternative.guard.iter().filter(|_| is_open).for_each(|guard| slots(guard, &mut mentioned));
    match &alternative.input {
        // Set and sender are evaluated before the guard, and may fail.
        Input::Condition { some: Some(binder) } if is_open || reach.frame.evaluate(&binder.set).1 => {
            slots(&binder.set, &mut mentioned);
        }
        Input::Message { from: Sender::Is(e) | Sender::Member(e), .. }
            if is_open || reach.frame.evaluate(e).1 =>
        {
            slots(e, &mut mentioned);
        }
        Input::After(e) => slots(e, &mut mentioned),
        Input::Each { set, store, .. } => {
            mentioned.push(Slot::Value(*set));
            for (target, e) in store {
                mentioned.push(target.root);
                slots(e, &mut mentioned);
                indices(target).for_each(|e| slots(e, &mut mentioned));
            }
        }
        Input::Condition { .. }
        | Input::Message { .. }
        | Input::Upcall { .. }
        | Input::Wakeup
        | Input::Arrival
        | Input::Pause
        | Input::Timer(_)
        | Input::Restart
        | Input::Detected { .. }
        | Input::Interaction { .. } => {}
    }
    mentioned.into_iter().for_each(add);
}

/// Add the slots that decide whether an operation aborts, where the command continues, and which effects others observe.
fn controlled(reach: &mut Reach<'_>, op: &Op, add: &mut dyn FnMut(Slot)) {
    let frame = &mut reach.frame;
    match op {
        Op::Set(_, e) => {
            if frame.evaluate(e).1 {
                frame.reads(e, add);
            }
        }
        Op::Assign(target, e) | Op::Remove(target, e) => {
            for e in indices(target).chain([e]) {
                if frame.evaluate(e).1 {
                    frame.reads(e, add);
                }
            }
            // A nested part may be absent.
            let nested = match op {
                Op::Assign(..) => target.path.len() > 1 || target.range.is_some(),
                _ => !target.path.is_empty(),
            };
            let is_entry = matches!(target.path.first(), None | Some(TargetStep::Index(_)));
            let is_map = frame.known(target.root).keys().is_some();
            if nested || !is_entry || (!target.path.is_empty() && !is_map) {
                add(target.root);
                indices(target).for_each(|e| frame.reads(e, add));
            }
        }
        Op::Unless(e, _) | Op::ForStart(_, e) | Op::Choose(_, e) | Op::SetTimer(_, e) => frame.reads(e, add),
        Op::Branch(branches) => branches.iter().for_each(|branch| frame.reads(&branch.guard, add)),
        Op::Send(send) | Op::Transmit(send) => {
            send.fields.iter().chain(send.to.expr()).for_each(|e| frame.reads(e, add));
        }
        Op::Upcall { args, .. } => args.iter().for_each(|e| frame.reads(e, add)),
        Op::Observe { value, .. } => value.iter().for_each(|e| frame.reads(e, add)),
        Op::ForNext(slot, ..) => add(Slot::Value(*slot)),
        Op::Call { return_slot, .. } | Op::ReturnFrom { return_slot } => add(Slot::Word(*return_slot)),
        Op::Jump(_)
        | Op::NoGuard(_)
        | Op::Wait(_)
        | Op::Become { .. }
        | Op::Halt
        | Op::Finish
        | Op::Gosub(_)
        | Op::Return
        | Op::SetArbitrary(..)
        | Op::Listen(_)
        | Op::EndRound
        | Op::CancelTimer(_)
        | Op::OnRestart(_)
        | Op::Given(_)
        | Op::Clear(_) => {}
    }
}

/// Return the slot in which an operation stores a value, and the expressions that determine the value.
fn written(op: &Op) -> Option<(Slot, Vec<&Expr>)> {
    match op {
        Op::Set(slot, e) => Some((*slot, vec![e])),
        Op::Assign(target, e) | Op::Remove(target, e) => {
            Some((target.root, indices(target).chain([e]).collect()))
        }
        // The expressions of these are relevant anyway: see `controlled`.
        Op::ForStart(..) | Op::ForNext(..) | Op::Choose(..) => None,
        // These store constants.
        Op::Call { .. }
        | Op::ReturnFrom { .. }
        | Op::Become { .. }
        | Op::Wait(_)
        | Op::Halt
        | Op::Clear(_) => None,
        Op::Jump(_)
        | Op::Unless(..)
        | Op::Branch(_)
        | Op::NoGuard(_)
        | Op::Send(_)
        | Op::Finish
        | Op::Gosub(_)
        | Op::Return
        | Op::SetArbitrary(..)
        | Op::Upcall { .. }
        | Op::Observe { .. }
        | Op::Transmit(_)
        | Op::Listen(_)
        | Op::EndRound
        | Op::SetTimer(..)
        | Op::CancelTimer(_)
        | Op::OnRestart(_)
        | Op::Given(_) => None,
    }
}

pub fn indices(target: &Target) -> impl Iterator<Item = &Expr> {
    target.path.iter().filter_map(|step| match step {
        TargetStep::Index(e) => Some(e),
        TargetStep::Part(_) => None,
    })
}

/// Return whether an operation adds a value to a set or a constant to a number, where the value depends on the received message only:
/// several such operations have the same effect in every order.
fn accumulates(reach: &Reach<'_>, at: usize) -> bool {
    let role = reach.frame.role;
    let (e, place) = match &role.code[at] {
        Op::Set(slot, e) => (e, Place { root: *slot, keys: Vec::new() }),
        Op::Assign(target, e) if target.range.is_none() => {
            let keys: Option<Vec<Slot>> = target
                .path
                .iter()
                .map(|step| match step {
                    TargetStep::Index(key) => slot_of(key),
                    TargetStep::Part(_) => None,
                })
                .collect();
            let Some(keys) = keys else { return false };
            (e, Place { root: target.root, keys })
        }
        _ => return false,
    };
    let (own, more) = match &e.kind {
        K::Arith(Arith::Add | Arith::Subtract, x, y) if matches!(y.kind, K::Word(_)) => (x, y),
        K::Collection(CollectionOp::Union, x, y) if matches!(e.ty, Type::Set(_)) => (x, y),
        _ => return false,
    };
    // Names of the message are temporaries that no command assigns.
    let assigned = |slot: Slot| {
        let ops = role.code.iter().enumerate().filter(|(at, _)| reach.ops[*at]);
        ops.filter_map(|(_, op)| written(op)).any(|(root, _)| root == slot)
    };
    let is_given =
        |slot: Slot| reach.frame.known(slot).is_exact() || (!reach.frame.is_kept(slot) && !assigned(slot));
    let mut mentioned = place.keys.clone();
    slots(more, &mut mentioned);
    place.is(own) && mentioned.into_iter().all(is_given)
}

/// A variable, or an entry of one.
struct Place {
    root: Slot,
    keys: Vec<Slot>,
}

impl Place {
    /// Return whether an expression reads this place.
    fn is(&self, e: &Expr) -> bool {
        let mut e = e;
        for key in self.keys.iter().rev() {
            let K::Index(of, by) = &e.kind else { return false };
            if slot_of(by) != Some(*key) {
                return false;
            }
            e = of;
        }
        slot_of(e) == Some(self.root)
    }
}
