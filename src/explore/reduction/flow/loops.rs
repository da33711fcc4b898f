//! Loops over a set of ports: an iteration must not depend on earlier ones, since the order of ports is a name.

use crate::explore::reduction::flow::names::slot_of;
use crate::ir::{
    Arith, CollectionOp, Destination, Expr, ExprKind as K, Input, Op, Pattern, Pc, Role, Send, Slot, Target,
    TargetStep, Type,
};

/// Return the set or list of a loop, by the index of its `ForNext`.
pub(super) fn collection_of(role: &Role, at: usize, rest: u16) -> Option<&Type> {
    role.code[..at].iter().rev().find_map(|op| match op {
        Op::ForStart(slot, set) if *slot == rest => Some(&set.ty),
        _ => None,
    })
}

/// Return whether an input of one message from each of several processes has the same effect in every order of arrival.
pub(super) fn gathers_without_order(role: &Role, input: &Input) -> bool {
    let Input::Each { fields, member, store, kind: _, set: _ } = input else { return true };
    // A variable that remains in use would hold what came last.
    let is_kept = |slot: Slot| match slot {
        Slot::Word(at) => at < role.words,
        Slot::Value(at) => at < role.values,
    };
    let own = Slot::Word(*member);
    let written: Vec<Slot> = store.iter().map(|(place, _)| place.root).collect();
    let plain = |e: &Expr| !reads(e, &written, Some(own));
    !is_kept(own)
        && !fields.iter().any(|field| binds(field, &is_kept))
        && store.iter().all(|(place, e)| is_at(place, Some(own), &plain) && plain(e))
}

fn binds(pattern: &Pattern, is: &dyn Fn(Slot) -> bool) -> bool {
    match pattern {
        Pattern::Wildcard => false,
        Pattern::Slot(slot) => is(*slot),
        Pattern::Tuple(parts) | Pattern::Message(_, parts) => parts.iter().any(|part| binds(part, is)),
    }
}

/// The body of a loop, for one element.
pub(super) struct LoopTurn<'r> {
    pub role: &'r Role,
    /// The command that takes the next element, and the command after the loop.
    pub first: Pc,
    pub end: Pc,
    pub element: &'r Pattern,
}

impl LoopTurn<'_> {
    /// Return whether the iterations have the same effect in every order, and fail in every order or in none.
    ///
    /// An iteration reads nothing that another one writes, except to add to it. So it fails independently of others.
    pub fn is_independent(&self) -> bool {
        let element = match self.element {
            Pattern::Slot(slot) => Some(*slot),
            Pattern::Wildcard | Pattern::Tuple(_) | Pattern::Message(..) => None,
        };
        let (from, to) = (self.first as usize + 1, self.end as usize);
        let Some(ops) = self.role.code.get(from..to) else { return false };
        let Some(effects) = ops.iter().map(effect).collect::<Option<Vec<Effect<'_>>>>() else { return false };
        let written: Vec<Slot> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Sets(slot, _) => Some(*slot),
                Effect::Assigns(place, _) | Effect::Removes(place, _) => Some(place.root),
                Effect::Jumps(..) | Effect::Sends(_) | Effect::Clears(_) => None,
            })
            .collect();
        // A jump out of the loop would skip later iterations.
        let stays = |pc: Pc| (self.first..self.end).contains(&pc);
        let plain = |e: &Expr| !reads(e, &written, element);
        // A variable that accumulates values, if no other command of the body writes it.
        let once = |slot: Slot| written.iter().filter(|other| **other == slot).count() == 1;
        let sends = effects.iter().filter_map(|effect| match effect {
            Effect::Sends(send) => Some(*send),
            Effect::Jumps(..)
            | Effect::Sets(..)
            | Effect::Assigns(..)
            | Effect::Removes(..)
            | Effect::Clears(_) => None,
        });
        let all_sent = send_apart(&sends.collect::<Vec<&Send>>(), element, &plain);
        effects.iter().all(|effect| match effect {
            Effect::Jumps(to, condition) => stays(*to) && condition.is_none_or(plain),
            Effect::Sets(slot, e) => once(*slot) && gathered(*slot, e).is_some_and(plain),
            Effect::Assigns(place, e) => is_at(place, element, &plain) && plain(e),
            Effect::Removes(place, e) => {
                place.path.is_empty() && once(place.root) && slot_of(e).is_some() && slot_of(e) == element
            }
            Effect::Sends(_) => all_sent,
            Effect::Clears(slots) => slots.iter().all(|slot| !written.contains(slot)),
        })
    }
}

/// The effect of a command that is allowed in the body.
enum Effect<'o> {
    /// Jump there, unless the condition is true.
    Jumps(Pc, Option<&'o Expr>),
    Sets(Slot, &'o Expr),
    Assigns(&'o Target, &'o Expr),
    Removes(&'o Target, &'o Expr),
    Sends(&'o Send),
    Clears(&'o [Slot]),
}

/// Return the effect of a command. `None`: the command waits, chooses, leaves the body, or its order is observable.
fn effect(op: &Op) -> Option<Effect<'_>> {
    match op {
        Op::Jump(to) => Some(Effect::Jumps(*to, None)),
        Op::Unless(condition, to) => Some(Effect::Jumps(*to, Some(condition))),
        Op::Set(slot, e) => Some(Effect::Sets(*slot, e)),
        Op::Assign(place, e) => Some(Effect::Assigns(place, e)),
        Op::Remove(place, e) => Some(Effect::Removes(place, e)),
        Op::Send(send) => Some(Effect::Sends(send)),
        Op::Clear(slots) => Some(Effect::Clears(slots)),
        Op::Branch(_)
        | Op::NoGuard(_)
        | Op::Wait(_)
        | Op::Become { .. }
        | Op::Halt
        | Op::Finish
        | Op::Gosub(_)
        | Op::Return
        | Op::Call { .. }
        | Op::ReturnFrom { .. }
        | Op::ForStart(..)
        | Op::ForNext(..)
        | Op::Choose(..)
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

/// Return whether messages of different iterations use different channels or are all equal. The order of different messages in
/// one channel is observable.
fn send_apart(sends: &[&Send], element: Option<Slot>, plain: &dyn Fn(&Expr) -> bool) -> bool {
    let is_own = |to: &Destination| matches!(to, Destination::Port(to) if slot_of(to) == element);
    if element.is_some() && sends.iter().all(|send| is_own(&send.to)) {
        return sends.iter().all(|send| send.fields.iter().all(plain));
    }
    let same = |e: &Expr| plain(e) && !reads(e, element.as_slice(), None);
    let [only] = sends else { return sends.is_empty() };
    let to = match &only.to {
        Destination::Only | Destination::Neighbours => true,
        Destination::Port(to) | Destination::Ports(to) => same(to),
        Destination::Id(_) | Destination::Ids(_) | Destination::NeighboursExcept(_) | Destination::Others => {
            false
        }
    };
    to && element.is_some() && only.fields.iter().all(same)
}

/// Match `x := x + e` and the like, if neither the value nor a failure depends on the order of several. Return `e`.
fn gathered(slot: Slot, e: &Expr) -> Option<&Expr> {
    let (x, y) = match &e.kind {
        // Sums of one constant overflow in every order or in none. Sums of several numbers may overflow in some orders only.
        K::Arith(Arith::Add | Arith::Subtract, x, y) if matches!(y.kind, K::Word(_)) => (x, y),
        K::Collection(CollectionOp::Union | CollectionOp::Intersect, x, y) => (x, y),
        // The second operand is not evaluated if the first one decides.
        K::Or(x, y) | K::And(x, y) if !y.can_fail() => (x, y),
        _ => return None,
    };
    let is_list = matches!(e.ty, Type::List(_) | Type::Map(..));
    (!is_list && slot_of(x) == Some(slot)).then_some(y)
}

/// Return whether the target is the element's own entry of a map. All other keys of the path must be `plain`.
fn is_at(place: &Target, element: Option<Slot>, plain: &dyn Fn(&Expr) -> bool) -> bool {
    let mut path = place.path.iter();
    let own = matches!(path.next(), Some(TargetStep::Index(key)) if slot_of(key) == element);
    element.is_some()
        && own
        && path.all(|step| match step {
            TargetStep::Index(key) => plain(key),
            TargetStep::Part(_) => true,
        })
}

/// Return whether the expression reads one of these variables, other than the element's own entry in it.
fn reads(e: &Expr, slots: &[Slot], element: Option<Slot>) -> bool {
    match &e.kind {
        K::Slot(slot) => slots.contains(slot),
        K::Index(map, key) if element.is_some() && slot_of(key) == element && slot_of(map).is_some() => false,
        // These read names and variables that are not among their subexpressions.
        K::ReceivedMessage(_) | K::NeighbourVariable(..) | K::Remote(..) => true,
        K::Word(_)
        | K::Const(_)
        | K::Param(_)
        | K::Fact(_)
        | K::Metric { .. }
        | K::History(..)
        | K::Received
        | K::ReceivedKind(_)
        | K::Ranged { .. }
        | K::Unwrap(_)
        | K::Not(_)
        | K::Negate(_)
        | K::And(..)
        | K::Or(..)
        | K::Implies(..)
        | K::Arith(..)
        | K::Compare(..)
        | K::CompareValues(..)
        | K::If(..)
        | K::Tuple(_)
        | K::Record(..)
        | K::Message(..)
        | K::List(_)
        | K::Set(_)
        | K::Map(_)
        | K::Part(..)
        | K::Index(..)
        | K::In(..)
        | K::Collection(..)
        | K::Range(..)
        | K::Call(..)
        | K::Let(..)
        | K::Once { .. }
        | K::Quantified { .. }
        | K::Comprehension { .. }
        | K::Best { .. }
        | K::PortFact(..)
        | K::ProcessFact(..)
        | K::RemoteState(..)
        | K::EventFact(..)
        | K::HappenedBefore(..)
        | K::Before(..)
        | K::MulticastBefore(..) => {
            let mut any = false;
            e.parts(&mut |part| any = any || reads(part, slots, element));
            any
        }
    }
}
