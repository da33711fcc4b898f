//! Dead messages: a message is dead if its receiver takes it without effect now, and whenever it takes it later. Examples are a stale
//! acknowledgement, and an echo after the decision.
//!
//! For each local state, an abstract interpretation determines what the process may still do, whichever messages it receives
//! (`reach`), and on which of its variables that depends (`relevance`). In the future of a local state, a variable that is not assigned
//! any more is a constant, and a guard on it may be false for ever.
//!
//! P. Cousot and R. Cousot, *Abstract Interpretation* (1977); for the use in state spaces, K. Yorav and O. Grumberg, *Static Analysis
//! for State-Space Reductions Preserving Temporal Logics* (2004).

mod known;
mod frame;
mod evaluate;
mod reach;
mod relevance;

use crate::explore::monitor::observed::Observed;
use crate::explore::reduction::future::known::Known;
use crate::explore::reduction::future::reach::{Reach, is_assignable};
use crate::explore::reduction::future::relevance::{Slots, indices, relevant};
use crate::explore::store::components::{Local, Message};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{Candidate, Instance, Level};
use crate::ir::{ActionId, Fault, Handlers, Input, Op, Pattern, Pc, Role, Sender, Slot, Value};
use crate::semantics::machine::sender_value;
use rustc_hash::FxHashMap;

/// Recognizes dead messages. One for each thread.
#[derive(Debug)]
pub struct DeadMessages<'a> {
    instance: &'a Instance,
    /// By role.
    observed: Vec<Observed>,
    /// By process and local state. `None`: not covered.
    futures: FxHashMap<(ProcessId, u32), Option<Box<Future<'a>>>>,
    /// By channel, local state and message.
    known: FxHashMap<(ChannelId, u32, u32), bool>,
}

/// Return whether the text of the program allows dead messages: some process may crash, or ignores a message, or takes one by a command
/// that may do nothing but assign variables.
pub fn may_occur(instance: &Instance) -> bool {
    let crashes = instance.active_faults().is_some_and(|faults| faults.budget.of(Fault::Crash) > 0);
    crashes || instance.program.roles.iter().any(may_occur_in)
}

fn may_occur_in(role: &Role) -> bool {
    let components = role.components.iter();
    let handlers = components.flat_map(|c| c.states.iter().map(|state| &state.handlers).chain([&c.always]));
    let handlers: Vec<&Handlers> = handlers.collect();
    let ignores = handlers.iter().any(|handlers| !handlers.ignore.is_empty());
    let waits = role.waits.iter().flat_map(|wait| &wait.alternatives);
    let mut all = handlers.iter().flat_map(|handlers| &handlers.alternatives).chain(waits);
    ignores || all.any(|a| matches!(a.input, Input::Message { .. }) && may_only_assign(role, a.entry))
}

/// Return whether some path of a command consists of assignments only.
fn may_only_assign(role: &Role, entry: Pc) -> bool {
    let mut open = vec![entry];
    while let Some(at) = open.pop() {
        match role.code.get(at as usize) {
            Some(Op::Finish) => return true,
            Some(Op::Set(..) | Op::Assign(..) | Op::Clear(_)) => open.push(at + 1),
            Some(Op::Jump(to)) if *to > at => open.push(*to),
            Some(Op::Unless(_, to)) => open.extend([at + 1, *to].into_iter().filter(|to| *to > at)),
            _ => {}
        }
    }
    false
}

/// Whether a candidate takes a message.
enum Take {
    Never,
    /// It may abort, or change something relevant.
    WithEffect,
    Perhaps,
    Certainly,
}

/// The future of a local state.
#[derive(Debug)]
struct Future<'a> {
    reach: Reach<'a>,
    relevant: Slots,
}

impl<'a> DeadMessages<'a> {
    /// `observed`: by role. The model allows each step to depend on one process, its inbox, and faults without restarts.
    pub fn new(instance: &'a Instance, observed: Vec<Observed>) -> DeadMessages<'a> {
        DeadMessages { instance, observed, futures: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// Return whether a message is dead in the local state `before`, where its receipt leads to `after`. Both are given with their ids.
    pub fn is_dead(
        &mut self,
        (channel, number, message): (ChannelId, u32, &Message),
        (id, before): (u32, &Local),
        after: &Local,
    ) -> bool {
        let key = (channel, id, number);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let DeadMessages { instance, observed, futures, .. } = self;
        let process = instance.receiver(channel);
        let future = futures.entry((process, id)).or_insert_with(|| {
            let mut reach = Reach::of(instance, process, before)?;
            let relevant = relevant(&mut reach, &observed[instance.role_of(process)]);
            Some(Box::new(Future { reach, relevant }))
        });
        let is_dead = future.as_mut().is_some_and(|future| {
            future.is_same(before, after) && future.ignores(instance, channel, message)
        });
        self.known.insert(key, is_dead);
        is_dead
    }

    /// Forget all results.
    pub fn clear(&mut self) {
        self.futures.clear();
        self.known.clear();
    }

    /// Return the approximate number of bytes.
    pub fn bytes(&self) -> usize {
        let each =
            |future: &Option<Box<Future<'_>>>| future.as_ref().map_or(0, |future| future.reach.bytes());
        self.futures.values().map(each).sum::<usize>()
            + self.known.capacity() * size_of::<(ChannelId, u32, u32, bool)>()
    }
}

impl Future<'_> {
    /// Return whether two local states differ in irrelevant variables only.
    fn is_same(&self, before: &Local, after: &Local) -> bool {
        let words = before.words.iter().zip(&after.words).zip(0..);
        let values = before.values.iter().zip(&after.values).zip(0..);
        (before.wake_state, &before.timers) == (after.wake_state, &after.timers)
            && words.into_iter().all(|((a, b), at)| a == b || !self.relevant.contains(Slot::Word(at)))
            && values.into_iter().all(|((a, b), at)| a == b || !self.relevant.contains(Slot::Value(at)))
    }

    /// Return whether the process takes the message without effect wherever it may wait.
    fn ignores(&mut self, instance: &Instance, channel: ChannelId, message: &Message) -> bool {
        let table = instance.table(instance.receiver(channel));
        let (slot, states, cells) = table.cells_of(message.kind);
        let possible = self.reach.states(slot, states as usize);
        let states = states.max(1) as usize;
        let waits = &self.reach.waits;
        let is_possible = |at: &usize| {
            let (wait, state) = (at / states, at % states);
            let halted = wait == waits.len();
            let waits_there = if halted { self.reach.halts } else { waits[wait] };
            waits_there && (states == 1 || possible.contains(&state))
        };
        let cells: Vec<_> =
            cells.enumerate().filter(|(at, _)| is_possible(at)).map(|(_, cell)| cell).collect();
        let mut action = None;
        cells.into_iter().all(|cell| {
            let candidates = table.list(cell).iter().map(|number| &table.candidates[*number as usize]);
            self.takes_without_effect(instance, candidates, (channel, message), &mut action)
        })
    }

    /// Return whether one of these candidates, in order of precedence, takes the message for certain, and none that may take it has an
    /// effect. All of them are the same `action`, so that coverage does not depend on when the message is taken.
    fn takes_without_effect<'c>(
        &mut self,
        instance: &Instance,
        candidates: impl Iterator<Item = &'c Candidate>,
        (channel, message): (ChannelId, &Message),
        action: &mut Option<ActionId>,
    ) -> bool {
        let mut taken_at: Option<Level> = None;
        for candidate in candidates {
            if taken_at.is_some_and(|level| level != candidate.level) {
                break;
            }
            let alternative = &candidate.alternative;
            let Input::Message { kind, fields, from } = &alternative.input else { return false };
            if alternative.after_earlier {
                return false;
            }
            let Some(names) = names_of(instance, (*kind, fields), from, channel, message) else { continue };
            let before: Vec<(Slot, Known)> = names
                .iter()
                .map(|(slot, known)| (*slot, self.reach.frame.set(*slot, known.clone())))
                .collect();
            let found = self.taken(instance, candidate, from, channel, &names);
            before.into_iter().rev().for_each(|(slot, known)| {
                self.reach.frame.set(slot, known);
            });
            match found {
                Take::Never => continue,
                Take::WithEffect => return false,
                Take::Perhaps => {}
                Take::Certainly => taken_at = Some(candidate.level),
            }
            if *action.get_or_insert(alternative.action) != alternative.action {
                return false;
            }
        }
        taken_at.is_some()
    }

    /// Return whether the candidate takes the message. The names are bound.
    fn taken(
        &mut self,
        instance: &Instance,
        candidate: &Candidate,
        from: &Sender,
        channel: ChannelId,
        names: &[(Slot, Known)],
    ) -> Take {
        let frame = &mut self.reach.frame;
        let (expected, set) = match from {
            Sender::Bind(_) | Sender::Any => (Some(true), None),
            Sender::Is(e) | Sender::Member(e) => (None, Some(e)),
        };
        let expected = match set {
            None => expected,
            Some(e) => {
                let (known, fails) = frame.evaluate(e);
                if fails {
                    return Take::WithEffect;
                }
                let sender = sender_value(instance, channel);
                match (from, known) {
                    (Sender::Is(_), known @ Known::Word(..)) => {
                        let own = Known::Word(sender.word(), sender.word());
                        known.compare(crate::ir::Compare::Equal, &own)
                    }
                    (Sender::Member(_), Known::Value(Value::Set(set))) => Some(set.contains(&sender)),
                    _ => None,
                }
            }
        };
        if expected == Some(false) {
            return Take::Never;
        }
        let (holds, fails) = match &candidate.alternative.guard {
            Some(guard) => frame.evaluate(guard),
            None => (Known::truth_of(Some(true)), false),
        };
        if fails {
            return Take::WithEffect;
        }
        let holds = holds.truth();
        if holds == Some(false) {
            return Take::Never;
        }
        let is_without_effect = !candidate.level.defers()
            && (candidate.level.ignores() || self.is_without_effect(candidate.alternative.entry, names));
        match (is_without_effect, holds == Some(true) && expected == Some(true)) {
            (false, _) => Take::WithEffect,
            (true, true) => Take::Certainly,
            (true, false) => Take::Perhaps,
        }
    }

    /// Return whether a command changes irrelevant variables only, and cannot abort. The names that its input has bound are known.
    fn is_without_effect(&mut self, entry: Pc, names: &[(Slot, Known)]) -> bool {
        let role = self.reach.frame.role;
        let is_irrelevant =
            |future: &Self, slot: Slot| !future.reach.frame.is_kept(slot) || !future.relevant.contains(slot);
        let is_free = |future: &Self, slot: Slot| {
            is_irrelevant(future, slot) && !names.iter().any(|(name, _)| *name == slot)
        };
        if !names.iter().all(|(slot, _)| is_irrelevant(self, *slot)) {
            return false;
        }
        let mut open = vec![entry];
        while let Some(at) = open.pop() {
            let Some(op) = role.code.get(at as usize) else { return false };
            // Only loops lead backwards, which may not end.
            let mut goes_on = |to: Pc| {
                open.push(to);
                to > at
            };
            let is_covered = match op {
                Op::Finish => true,
                Op::Jump(to) => goes_on(*to),
                Op::Unless(condition, to) => match self.reach.frame.evaluate(condition) {
                    (_, true) => false,
                    (known, false) => match known.truth() {
                        Some(true) => goes_on(at + 1),
                        Some(false) => goes_on(*to),
                        // Coverage tells which guards have been true.
                        None => false,
                    },
                },
                Op::Set(slot, e) => {
                    is_free(self, *slot) && !self.reach.frame.evaluate(e).1 && goes_on(at + 1)
                }
                Op::Assign(target, e) => {
                    let frame = &mut self.reach.frame;
                    let is_map = frame.known(target.root).keys().is_some();
                    let fails = frame.evaluate(e).1 || indices(target).any(|key| frame.evaluate(key).1);
                    !fails
                        && target.range.is_none()
                        && is_assignable(target, is_map)
                        && is_free(self, target.root)
                        && goes_on(at + 1)
                }
                Op::Clear(slots) => slots.iter().all(|slot| is_free(self, *slot)) && goes_on(at + 1),
                _ => false,
            };
            if !is_covered {
                return false;
            }
        }
        true
    }
}

/// Return the names that an input binds to parts of a message, with their values. `None`: it does not match.
fn names_of(
    instance: &Instance,
    (kind, patterns): (u32, &[Pattern]),
    from: &Sender,
    channel: ChannelId,
    message: &Message,
) -> Option<Vec<(Slot, Known)>> {
    let mut names = Vec::new();
    for (field, pattern) in instance.program.kinds[kind as usize].fields.iter().zip(patterns) {
        let value = match field.place {
            Slot::Word(at) => Value::from_word(&field.ty, message.words[usize::from(at)]),
            Slot::Value(at) => message.values[usize::from(at)].clone(),
        };
        if !bind(pattern, &value, &mut names) {
            return None;
        }
    }
    if let Sender::Bind(slot) = from {
        let word = sender_value(instance, channel).word();
        names.push((Slot::Word(*slot), Known::Word(word, word)));
    }
    Some(names)
}

fn bind(pattern: &Pattern, value: &Value, names: &mut Vec<(Slot, Known)>) -> bool {
    let mut all = |patterns: &[Pattern], values: &[Value]| {
        patterns.len() == values.len() && patterns.iter().zip(values).all(|(p, v)| bind(p, v, names))
    };
    match (pattern, value) {
        (Pattern::Wildcard, _) => true,
        (Pattern::Slot(slot @ Slot::Word(_)), value) => {
            names.push((*slot, Known::Word(value.word(), value.word())));
            true
        }
        (Pattern::Slot(slot @ Slot::Value(_)), value) => {
            names.push((*slot, Known::Value(value.clone())));
            true
        }
        (Pattern::Tuple(parts), Value::Tuple(values) | Value::Record(_, values)) => all(parts, values),
        (Pattern::Message(kind, parts), Value::Message(k, values)) => kind == k && all(parts, values),
        _ => false,
    }
}
