//! Happened-before: Lamport and vector time of the events of a run, chains between them.
//!
//! Lamport, «Time, clocks, and the ordering of events in a distributed system», 1978; vector time after Fidge
//! and Mattern, 1988. An event depends on the one before it at the same process, and on the sending of every
//! message it receives. Clocks an algorithm keeps for itself play no part.

use super::{Trace, TraceEvent};
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Vectors are kept up to this many numbers in all (64 MB): beyond, comparisons search the past instead.
const MAX_VECTOR_CELLS: usize = 16_000_000;

/// What causality needs to know of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub process: u32,
    /// The other process of an interaction: the event happens there, too.
    pub with: Option<u32>,
    /// Numbers of messages. A message nobody sent was there in the beginning.
    pub received: Vec<u64>,
    /// A message that has arrived, and is received later. Chains of messages go through its being received.
    pub arrived: Option<u64>,
    pub sent: Vec<u64>,
    /// It makes the initial state, or has been undone: it is no event, and happened neither before nor after others.
    pub none: bool,
}

/// Notes between processes have no numbers: those between two processes arrive in order. They are numbered from the top.
#[derive(Default)]
pub(super) struct Notes {
    waiting: FxHashMap<(u32, u32), VecDeque<u64>>,
    sent: u64,
}

impl Notes {
    /// The note that an event sends, and the one that it receives.
    pub fn of(&mut self, event: &TraceEvent) -> (Option<u64>, Option<u64>) {
        match event.choice.cause {
            Cause::SendNote { to } => {
                let note = u64::MAX - self.sent;
                self.sent += 1;
                self.waiting.entry((event.process, to)).or_default().push_back(note);
                (Some(note), None)
            }
            Cause::ReceiveNote { from } => {
                let waiting = self.waiting.get_mut(&(from, event.process));
                (None, waiting.and_then(VecDeque::pop_front))
            }
            _ => (None, None),
        }
    }
}

/// The causal order of one run. Events are named by their position, from 0.
#[derive(Clone, Debug)]
pub struct Causality {
    processes: usize,
    process: Vec<u32>,
    /// Position among the events of its process, from 1.
    nth: Vec<u32>,
    /// The same for the other process of an interaction, where its events count there, too.
    other: FxHashMap<usize, (u32, u32)>,
    /// Direct causes: the event before at the same process first, then senders. With the message, where it is one.
    causes: Vec<Vec<(usize, Option<u64>)>>,
    lamport: Vec<u64>,
    depth: Vec<u64>,
    /// `events × processes`; empty when that is too much.
    vectors: Vec<u32>,
}

impl Causality {
    /// All that was recorded, starts included. An interaction counts for the process that begins it.
    pub fn of(trace: &Trace) -> Causality {
        Causality::among(trace, false, &|_| false)
    }

    /// Of the events of histories only, as [`super::histories::Histories`] has them: an interaction counts for both processes.
    pub fn of_histories(trace: &Trace) -> Causality {
        Causality::among(trace, true, &|event| !super::status::is_event(trace, event))
    }

    fn among(trace: &Trace, both: bool, none: &dyn Fn(usize) -> bool) -> Causality {
        let mut notes = Notes::default();
        // A copy is what it is a copy of: who doubled it knew nothing, and told nothing.
        let mut copies: FxHashMap<u64, u64> = FxHashMap::default();
        let steps = trace.events.iter().enumerate().map(|(number, event)| {
            if let (Some(original), Some(copy)) = (event.copied, event.sent.first()) {
                let original = u64::from(original);
                let original = copies.get(&original).copied().unwrap_or(original);
                copies.insert(copy.id.into(), original);
                return Step { process: event.process, ..Step::default() };
            }
            let id = |m: &super::Message| u64::from(m.id);
            let original = |id: u64| copies.get(&id).copied().unwrap_or(id);
            let mut step = Step {
                process: event.process,
                with: event.with.as_ref().map(|with| with.process),
                received: event.received.iter().map(id).map(original).collect(),
                arrived: event.arrived.as_ref().map(id).map(original),
                sent: event.sent.iter().map(id).collect(),
                none: none(number),
            };
            let (sent, received) = notes.of(event);
            step.sent.extend(sent);
            step.received.extend(received);
            step
        });
        Causality::with(trace.n(), both, steps)
    }

    /// From the events of a run, in an order that agrees with causality.
    pub fn new(processes: usize, steps: impl IntoIterator<Item = Step>) -> Causality {
        Causality::with(processes, false, steps)
    }

    fn with(processes: usize, both: bool, steps: impl IntoIterator<Item = Step>) -> Causality {
        let mut c = Causality {
            processes,
            process: Vec::new(),
            nth: Vec::new(),
            other: FxHashMap::default(),
            causes: Vec::new(),
            lamport: Vec::new(),
            depth: Vec::new(),
            vectors: Vec::new(),
        };
        let mut last: Vec<Option<usize>> = vec![None; processes];
        let mut counts = vec![0; processes];
        let mut senders: FxHashMap<u64, usize> = FxHashMap::default();
        for (event, step) in steps.into_iter().enumerate() {
            let p = step.process as usize;
            assert!(p < processes, "there is no process p{p} among {processes}");
            if step.none {
                c.lamport.push(0);
                c.depth.push(0);
                c.nth.push(0);
                c.process.push(step.process);
                c.causes.push(Vec::new());
                continue;
            }
            let mut causes: Vec<(usize, Option<u64>)> =
                last[p].replace(event).map(|b| (b, None)).into_iter().collect();
            if let Some(q) = step.with {
                assert!((q as usize) < processes, "there is no process p{q} among {processes}");
                causes.extend(last[q as usize].replace(event).map(|b| (b, None)));
                causes.dedup();
            }
            for message in step.received {
                if let Some(sender) = senders.get(&message) {
                    causes.push((*sender, Some(message)));
                }
            }
            let deepest = causes.iter().map(|(e, m)| c.depth[*e] + u64::from(m.is_some())).max();
            let arrived = step.arrived.and_then(|message| Some((*senders.get(&message)?, Some(message))));
            causes.extend(arrived);
            let latest = causes.iter().map(|(e, _)| c.lamport[*e]).max();
            c.lamport.push(latest.unwrap_or(0) + 1);
            c.depth.push(deepest.unwrap_or(0));
            counts[p] += 1;
            c.nth.push(counts[p]);
            if let Some(q) = step.with.filter(|q| both && *q != step.process) {
                counts[q as usize] += 1;
                c.other.insert(event, (q, counts[q as usize]));
            }
            c.process.push(step.process);
            c.causes.push(causes);
            senders.extend(step.sent.into_iter().map(|m| (m, event)));
        }
        if c.len().saturating_mul(processes) <= MAX_VECTOR_CELLS {
            c.compute_vectors();
        }
        c
    }

    fn compute_vectors(&mut self) {
        let n = self.processes;
        self.vectors = vec![0; self.len() * n];
        for event in 0..self.len() {
            let places: SmallVec<[(u32, u32); 2]> = self.places(event).collect();
            let (past, own) = self.vectors.split_at_mut(event * n);
            for (cause, _) in &self.causes[event] {
                let theirs = &past[cause * n..(cause + 1) * n];
                for (mine, theirs) in own.iter_mut().zip(theirs) {
                    *mine = (*mine).max(*theirs);
                }
            }
            for (p, nth) in places {
                own[p as usize] = nth;
            }
        }
    }

    /// Where an event counts: at its process, and which of the events there it is.
    fn places(&self, event: usize) -> impl Iterator<Item = (u32, u32)> {
        let own = (self.process[event], self.nth[event]);
        std::iter::once(own).chain(self.other.get(&event).copied())
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.process.len()
    }

    pub fn is_empty(&self) -> bool {
        self.process.is_empty()
    }

    pub fn process(&self, event: usize) -> u32 {
        self.process[event]
    }

    /// One more than the latest cause; 1 for an event without any.
    pub fn lamport(&self, event: usize) -> u64 {
        self.lamport[event]
    }

    /// For each process, how many of its events happened before this one or are this one.
    pub fn vector(&self, event: usize) -> Vec<u32> {
        let n = self.processes;
        if !self.vectors.is_empty() {
            return self.vectors[event * n..(event + 1) * n].to_vec();
        }
        self.vectors(&[event]).concat()
    }

    /// The same for some events each of which happened before the next, such as those of one process.
    pub fn vectors(&self, chain: &[usize]) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.len()];
        let mut vector = vec![0; self.processes];
        let mut all = Vec::with_capacity(chain.len());
        for event in chain {
            let mut open = vec![*event];
            while let Some(event) = open.pop() {
                if std::mem::replace(&mut seen[event], true) {
                    continue;
                }
                for (p, nth) in self.places(event) {
                    vector[p as usize] = nth.max(vector[p as usize]);
                }
                open.extend(self.causes(event));
            }
            all.push(vector.clone());
        }
        all
    }

    /// Messages in the longest causal chain that ends here: the *time* of the event.
    pub fn depth(&self, event: usize) -> u64 {
        self.depth[event]
    }

    /// The events this one directly depends on: its process's last one, then the senders of what it received.
    pub fn causes(&self, event: usize) -> impl Iterator<Item = usize> + '_ {
        self.causes[event].iter().map(|(e, _)| *e)
    }

    /// Could a have influenced b? No event happened before itself.
    pub fn happened_before(&self, a: usize, b: usize) -> bool {
        if a == b || self.lamport[a] >= self.lamport[b] {
            return false;
        }
        let (n, p) = (self.processes, self.process[a] as usize);
        match self.vectors.get(b * n + p) {
            Some(known) => self.nth[a] <= *known,
            None => self.chain(a, b).is_some(),
        }
    }

    /// Different events of which neither could have influenced the other.
    pub fn concurrent(&self, a: usize, b: usize) -> bool {
        a != b && !self.happened_before(a, b) && !self.happened_before(b, a)
    }

    /// Why a happened before b: a shortest list of events from a to b, each the direct cause of the next.
    pub fn chain(&self, a: usize, b: usize) -> Option<Vec<usize>> {
        // Breadth first, backwards from b. Nothing earlier than a in the run can lead to a.
        let mut towards: FxHashMap<usize, usize> = FxHashMap::default();
        let mut queue = VecDeque::from([b]);
        while let Some(event) = queue.pop_front() {
            if event == a {
                let mut chain = vec![a];
                while let Some(next) = chain.last().and_then(|e| towards.get(e)) {
                    chain.push(*next);
                }
                return Some(chain);
            }
            for cause in self.causes(event).filter(|c| *c >= a) {
                towards.entry(cause).or_insert_with(|| {
                    queue.push_back(cause);
                    event
                });
            }
        }
        None
    }

    /// The message by which an event is a direct cause of another; None: they follow each other at one process.
    pub fn message(&self, cause: usize, effect: usize) -> Option<u64> {
        let mut direct = self.causes[effect].iter().filter(|(e, _)| *e == cause);
        direct.next().and_then(|(_, message)| *message)
    }

    /// Position among the events of its process, from 1.
    pub fn nth(&self, event: usize) -> u32 {
        self.nth[event]
    }

    /// Everything that happened before an event, and itself, latest first.
    pub fn past(&self, event: usize) -> Vec<usize> {
        let mut seen = vec![false; event + 1];
        seen[event] = true;
        for e in (0..=event).rev() {
            if seen[e] {
                self.causes(e).for_each(|cause| seen[cause] = true);
            }
        }
        (0..=event).rev().filter(|e| seen[*e]).collect()
    }

    /// A longest causal chain of messages in the run, by their numbers: its length is the run's time.
    pub fn longest_message_chain(&self) -> Vec<u64> {
        let deepest = (0..self.len()).max_by_key(|e| (self.depth[*e], std::cmp::Reverse(*e)));
        let mut chain = Vec::new();
        let mut here = deepest;
        while let Some(event) = here {
            let reaches =
                |(e, m): &&(usize, Option<u64>)| self.depth[*e] + u64::from(m.is_some()) == self.depth[event];
            let cause = self.causes[event].iter().find(reaches).filter(|_| self.depth[event] > 0);
            chain.extend(cause.and_then(|(_, message)| *message));
            here = cause.map(|(e, _)| *e);
        }
        chain.reverse();
        chain
    }
}
