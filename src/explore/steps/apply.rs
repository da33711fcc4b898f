//! Application of local steps to vectors: some components change, and the hash is updated incrementally.

use crate::explore::monitor::Monitor;
use crate::explore::monitor::auxiliary::AuxiliaryCache;
use crate::explore::reduction::symmetry::Canonicalizer;
use crate::explore::space::footprint::JointSteps;
use crate::explore::space::rounds::RoundProgress;
use crate::explore::space::transitions::{Sent, Transition, Transitions};
use crate::explore::space::{Space, daemon_steps, rounds};
use crate::explore::steps::transition_cache::{TransitionCache, pair};
use crate::explore::store::components::Components;
use crate::explore::store::hash_index;
use crate::explore::store::hash_index::share;
use crate::explore::store::state_arena::{StateArena, cell, fits, number};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::environment::OnAir;
use rustc_hash::FxHashMap;

/// The vector after a step, computed from the one before.
#[derive(Debug)]
pub struct Next<'a> {
    space: &'a Space<'a>,
    monitor: &'a Monitor<'a>,
    joins: Joins<'a>,
    pub known: AuxiliaryCache,
    pub key: Vec<u32>,
    /// The properties that the last step may have violated because its events joined the history, or its counts changed.
    pub observed: u64,
    /// Present if there are interchangeable processes.
    pub canonicalizer: Option<Canonicalizer<'a>>,
    /// In rounds: data shared by all parts taken in the current configuration.
    pub coming: RoundProgress,
    /// Whether vectors consist of local states and inboxes only, under an exact equivalence.
    pub is_plain: bool,
}

impl<'a> Next<'a> {
    pub fn new(space: &'a Space<'a>, monitor: &'a Monitor<'a>) -> Next<'a> {
        Next {
            space,
            monitor,
            joins: Joins::new(space.instance, space.parts()),
            known: AuxiliaryCache::default(),
            key: Vec::new(),
            observed: 0,
            coming: RoundProgress::default(),
            is_plain: space.is_local()
                && space.equivalence.is_exact()
                && space.interchangeable.is_none()
                && !monitor.auxiliary.needs.any(),
            canonicalizer: space.canonicalizer(monitor),
        }
    }

    /// Return the approximate number of bytes of the caches.
    pub fn bytes(&self) -> usize {
        self.joins.bytes() + self.canonicalizer.as_ref().map_or(0, Canonicalizer::bytes)
    }

    /// Apply a transition as [`Next::apply`] does, then canonicalize the vector if processes are interchangeable.
    pub fn apply_in_order(
        &mut self,
        key: &[u32],
        own_hash: u64,
        outcome: &Transition,
        transitions: &Transitions<'_>,
    ) -> u64 {
        let hash = self.apply(key, own_hash, outcome, transitions);
        let Next { canonicalizer, key: next, .. } = self;
        let exchanged =
            canonicalizer.as_mut().is_some_and(|canonicalizer| canonicalizer.canonicalize(next).is_some());
        if exchanged { hash_index::hash(next) } else { hash }
    }

    /// Append the vector after a local step, and return its hash. `None`: some component needs a larger width, and nothing has
    /// been appended.
    #[inline]
    pub fn apply_plain<const N: usize>(
        &mut self,
        from: &[[u8; N]],
        own_hash: u64,
        process: usize,
        (outcome, sends): (&Transition, &[Sent]),
        to: &mut StateArena,
    ) -> Option<u64> {
        let n = from.len() / 2;
        let next = to.push_copy(from);
        let mut all_fit = fits::<N>(outcome.local) && fits::<N>(outcome.inbox);
        next[process] = cell(outcome.local);
        next[n + process] = cell(outcome.inbox);
        let mut hash = own_hash.wrapping_add(outcome.shift);
        for sent in sends {
            let inbox = &mut next[n + sent.receiver.index()];
            let (after, gained) = self.joins.append(sent, number(*inbox), sent.message);
            all_fit &= fits::<N>(after);
            *inbox = cell(after);
            hash = hash.wrapping_add(gained);
        }
        if !all_fit {
            to.pop();
        }
        all_fit.then_some(hash)
    }

    /// Compute the vector after a transition into `self.key`, and return its hash.
    pub fn apply(
        &mut self,
        key: &[u32],
        own_hash: u64,
        outcome: &Transition,
        transitions: &Transitions<'_>,
    ) -> u64 {
        if self.space.joint_steps().is_some() {
            return self.apply_together(key, own_hash, outcome, transitions);
        }
        let Next { joins, key: next, observed, space, monitor, known, .. } = self;
        *observed = 0;
        let n = space.parts().n();
        next.clear();
        next.extend_from_slice(key);
        let (done, sends) = (transitions.done(outcome), transitions.sent(outcome));
        let process = done.at.index();
        next[process] = outcome.local;
        next[n + process] = outcome.inbox;
        if let Some((responder, local)) = done.responder {
            next[responder.index()] = local;
        }
        let mut hash = own_hash.wrapping_add(outcome.shift);
        if space.footprint.is_some() {
            let mut changed = |at: usize, to: u32| {
                let gained = share(at as u32, to).wrapping_sub(share(at as u32, next[at]));
                hash = hash.wrapping_add(gained);
                next[at] = to;
            };
            changed(2 * n, done.world);
            if done.event.wait > 0 {
                for other in space.parts().processes().filter(|other| *other != done.at) {
                    let before = (key[other.index()], key[n + other.index()]);
                    let (local, inbox) = joins.aged(other, before, done.event.wait);
                    changed(other.index(), local);
                    changed(n + other.index(), inbox);
                }
            }
        }
        let auxiliary = &monitor.auxiliary;
        let mut past = None;
        if auxiliary.needs.any() {
            let first = space.auxiliary_start();
            let (mover, speaks) = (done.event.process, !sends.is_empty());
            let advance =
                known.advance(auxiliary, &mut next[first..], mover, &done.pasts, done.delta, speaks);
            past = auxiliary.needs.pasts().then_some(advance.sent);
            let last = key.len() - 1;
            *observed = monitor.observing((next[last] != key[last], advance.orders_hold));
            // Update the hash for the changed components.
            let changed = auxiliary.needs.pasts().then_some(first + mover.index());
            match advance.renumbering.filter(|_| auxiliary.needs.pasts()) {
                Some(renumbering) => {
                    for process in space.parts().processes() {
                        let inbox = &mut next[n + process.index()];
                        *inbox = joins.renumbered(process, *inbox, renumbering, |past| {
                            known.renumbered(auxiliary, past, renumbering)
                        });
                    }
                    hash = hash_index::hash(next);
                }
                None => {
                    for at in changed.into_iter().chain([last]).filter(|at| next[*at] != key[*at]) {
                        let (before, after) = (share(at as u32, key[at]), share(at as u32, next[at]));
                        hash = hash.wrapping_sub(before).wrapping_add(after);
                    }
                }
            }
        }
        for sent in sends {
            let at = n + sent.receiver.index();
            let message = match past {
                Some(past) => joins.with_past(sent.message, past),
                None => sent.message,
            };
            let (inbox, gained) = joins.append(sent, next[at], message);
            next[at] = inbox;
            hash = hash.wrapping_add(gained);
        }
        if space.equivalence.is_exact() { hash } else { space.hash(next) }
    }

    /// Apply a transition that is a part of a joint step.
    fn apply_together(
        &mut self,
        key: &[u32],
        own_hash: u64,
        outcome: &Transition,
        transitions: &Transitions<'_>,
    ) -> u64 {
        let Next { joins, known, key: next, observed, space, monitor, coming, .. } = self;
        // The transition concerns all properties already.
        *observed = 0;
        next.clear();
        next.extend_from_slice(key);
        let n = space.parts().n();
        let (done, sends) = (transitions.done(outcome), transitions.sent(outcome));
        match space.joint_steps() {
            Some(JointSteps::Rounds) => {
                let decides = done.is_part() && done.on_air != OnAir::Undecided;
                let decided =
                    decides.then(|| joins.decided(done.at, rounds::next_inbox(key, n, done.at), done.on_air));
                let append = |sent: &Sent, inbox| joins.append(sent, inbox, sent.message).0;
                rounds::take(next, n, (done, outcome, sends), *coming, decided, append);
            }
            _ => daemon_steps::take(next, n, done, outcome.local),
        }
        let auxiliary = &monitor.auxiliary;
        if auxiliary.needs.any() {
            let own = &mut next[space.auxiliary_start()..];
            known.advance(auxiliary, own, done.event.process, &done.pasts, done.delta, !sends.is_empty());
        }
        let changed = (0u32..).zip(key.iter().zip(next)).filter(|(_, (before, after))| before != after);
        changed.fold(own_hash, |hash, (at, (before, after))| {
            hash.wrapping_sub(share(at, *before)).wrapping_add(share(at, *after))
        })
    }
}

/// Limit of cached pairs of a local state and an inbox after some time.
const MOST_AGED: usize = 1 << 20;

/// Caches for adding messages to inboxes, and causal pasts to messages.
#[derive(Debug)]
struct Joins<'a> {
    instance: &'a Instance,
    parts: &'a Components,
    /// By channel, then inbox and message: the inbox with the message, and the increment of the hash.
    appended: Vec<TransitionCache<(u32, u64)>>,
    carried: FxHashMap<(u32, u32), u32>,
    /// By process, inbox and renumbering.
    renumbered: FxHashMap<(ProcessId, u32, u32), u32>,
    /// By process, local state, inbox and time: local state and inbox after that time.
    aged: FxHashMap<(ProcessId, u32, u32, u64), (u32, u32)>,
    /// By process, inbox and decision for a slot: the inbox with the decision.
    decided: FxHashMap<(ProcessId, u32, OnAir), u32>,
}

impl<'a> Joins<'a> {
    fn new(instance: &'a Instance, parts: &'a Components) -> Joins<'a> {
        let appended = instance.channels().map(|_| TransitionCache::default()).collect();
        let (carried, renumbered, aged, decided) = Default::default();
        Joins { instance, parts, appended, carried, renumbered, aged, decided }
    }

    fn bytes(&self) -> usize {
        let appended: usize = self.appended.iter().map(TransitionCache::bytes).sum();
        let aged = self.aged.capacity() * size_of::<((ProcessId, u32, u32, u64), (u32, u32))>();
        let decided = self.decided.capacity() * size_of::<((ProcessId, u32, OnAir), u32)>();
        appended + self.carried.len() * size_of::<((u32, u32), u32)>() + aged + decided
    }

    /// Return the inbox of the receiver after this message has been sent, and the increment of the hash.
    #[inline]
    fn append(&mut self, sent: &Sent, inbox: u32, message: u32) -> (u32, u64) {
        let Joins { instance, parts, appended, .. } = self;
        let (appended, key) = (&mut appended[sent.channel.index()], pair(inbox, message));
        appended.get(key).unwrap_or_else(|| {
            let next = parts.append(instance, sent.receiver, inbox, sent.channel, message);
            let at = parts.n() as u32 + sent.receiver.0;
            let joined = (next, share(at, next).wrapping_sub(share(at, inbox)));
            appended.insert(key, joined);
            joined
        })
    }

    /// Return the message with the causal past of its sender.
    #[inline]
    fn with_past(&mut self, message: u32, past: u32) -> u32 {
        let Joins { parts, carried, .. } = self;
        *carried.entry((message, past)).or_insert_with(|| parts.with_past(message, past))
    }

    /// Return the local state and the inbox of a process after this time, for its timers and the messages sent to it.
    fn aged(&mut self, process: ProcessId, (local, inbox): (u32, u32), time: u64) -> (u32, u32) {
        let Joins { instance, parts, aged, .. } = self;
        if aged.len() >= MOST_AGED {
            aged.clear();
        }
        *aged.entry((process, local, inbox, time)).or_insert_with(|| {
            (parts.aged_local(process, local, time), parts.aged_inbox(instance, process, inbox, time))
        })
    }

    /// Return the inbox of a process that does this in the slot of the messages.
    fn decided(&mut self, process: ProcessId, inbox: u32, does: OnAir) -> u32 {
        let Joins { parts, decided, .. } = self;
        *(decided.entry((process, inbox, does))).or_insert_with(|| parts.with_decision(process, inbox, does))
    }

    /// Return the inbox after the causal pasts of its messages have been replaced.
    fn renumbered(
        &mut self,
        process: ProcessId,
        inbox: u32,
        renumbering: u32,
        past: impl FnMut(u32) -> u32,
    ) -> u32 {
        let Joins { instance, parts, renumbered, .. } = self;
        *renumbered
            .entry((process, inbox, renumbering))
            .or_insert_with(|| parts.map_pasts(instance, process, inbox, past))
    }
}
