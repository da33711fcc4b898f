//! Happened-before: Lamport time and vector time of the events of a run, and causal chains.
//!
//! Lamport, «Time, clocks, and the ordering of events in a distributed system», 1978; vector time after Fidge and
//! Mattern, 1988. An event depends on the event before it at the same process, and on the sending of every message it
//! receives. Clocks of the algorithm itself are ignored.

use super::{Trace, TraceEvent};
use crate::ids::ProcessId;
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Maximum number of vector components stored (64 MB); beyond, comparisons search the causal past instead.
const MAX_VECTOR_CELLS: usize = 16_000_000;

/// The causal data of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub process: ProcessId,
    /// The responder of a pairwise interaction: the event occurs at that process, too.
    pub with: Option<ProcessId>,
    /// Numbers of messages. A message without a send event is an initial one.
    pub received: Vec<u64>,
    /// A message that has arrived, and is received later. Chains of messages pass through its receipt.
    pub arrived: Option<u64>,
    pub sent: Vec<u64>,
    /// Whether the step is no event: a silent start, or an aborted step. It is ordered with no other event.
    pub is_no_event: bool,
}

/// Notes between processes have no numbers. Notes between two processes arrive in order; they are numbered downwards
/// from the maximum.
#[derive(Default)]
pub(super) struct Notes {
    waiting: FxHashMap<(ProcessId, ProcessId), VecDeque<u64>>,
    sent: u64,
}

impl Notes {
    /// Return the notes that an event sends and receives.
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

/// The causal order of one run. Events are identified by their position, from 0.
#[derive(Clone, Debug)]
pub struct Causality {
    processes: usize,
    process: Vec<ProcessId>,
    /// Position among the events of its process, from 1.
    nth: Vec<u32>,
    /// The same for the responder of an interaction, if its events are counted.
    other: FxHashMap<usize, (ProcessId, u32)>,
    /// Direct causes: first the previous event of the same process, then senders, with the message.
    causes: Vec<Vec<(usize, Option<u64>)>>,
    lamport: Vec<u64>,
    depth: Vec<u64>,
    /// `events × processes`; empty if that is too large.
    vectors: Vec<u32>,
}

impl Causality {
    /// Compute the order of all recorded events, including starts. An interaction counts for its initiator only.
    #[doc(hidden)]
    pub fn of(trace: &Trace) -> Causality {
        Causality::among(trace, false, &|_| false)
    }

    /// Compute the order of the events of local histories: an interaction counts for both processes.
    #[doc(hidden)]
    pub fn of_histories(trace: &Trace) -> Causality {
        Causality::among(trace, true, &|event| !super::status::is_event(trace, event))
    }

    fn among(trace: &Trace, both: bool, none: &dyn Fn(usize) -> bool) -> Causality {
        let mut notes = Notes::default();
        // A duplicate inherits the cause of its original: the event that duplicates it transfers no information.
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
                is_no_event: none(number),
            };
            let (sent, received) = notes.of(event);
            step.sent.extend(sent);
            step.received.extend(received);
            step
        });
        Causality::with(trace.n(), both, steps)
    }

    /// Compute the order from the events of a run, in an order that agrees with causality.
    #[doc(hidden)]
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
            let p = step.process.index();
            assert!(p < processes, "no process p{p} among {processes}");
            if step.is_no_event {
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
                assert!(q.index() < processes, "no process {q} among {processes}");
                causes.extend(last[q.index()].replace(event).map(|b| (b, None)));
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
                counts[q.index()] += 1;
                c.other.insert(event, (q, counts[q.index()]));
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
            let places: SmallVec<[(ProcessId, u32); 2]> = self.places(event).collect();
            let (past, own) = self.vectors.split_at_mut(event * n);
            for (cause, _) in &self.causes[event] {
                let theirs = &past[cause * n..(cause + 1) * n];
                for (mine, theirs) in own.iter_mut().zip(theirs) {
                    *mine = (*mine).max(*theirs);
                }
            }
            for (p, nth) in places {
                own[p.index()] = nth;
            }
        }
    }

    /// Return the processes of an event, with its number among their events.
    fn places(&self, event: usize) -> impl Iterator<Item = (ProcessId, u32)> {
        let own = (self.process[event], self.nth[event]);
        std::iter::once(own).chain(self.other.get(&event).copied())
    }

    /// Return the number of events.
    pub fn len(&self) -> usize {
        self.process.len()
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.process.is_empty()
    }

    /// Return the process at which an event occurs.
    pub fn process(&self, event: usize) -> ProcessId {
        self.process[event]
    }

    /// Return the Lamport time: one more than that of the latest cause; 1 for an event without a cause.
    pub fn lamport(&self, event: usize) -> u64 {
        self.lamport[event]
    }

    /// Return the vector time: for each process, the number of its events that happened before this one, or are this
    /// one.
    pub fn vector(&self, event: usize) -> Vec<u32> {
        let n = self.processes;
        if !self.vectors.is_empty() {
            return self.vectors[event * n..(event + 1) * n].to_vec();
        }
        self.vectors(&[event]).concat()
    }

    /// Return the vector times of a causal chain of events, such as those of one process.
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
                    vector[p.index()] = nth.max(vector[p.index()]);
                }
                open.extend(self.causes(event));
            }
            all.push(vector.clone());
        }
        all
    }

    /// Return the *time* of the event: the number of messages in the longest causal chain that ends here.
    pub fn depth(&self, event: usize) -> u64 {
        self.depth[event]
    }

    /// Return the direct causes: the previous event of the process, then the senders of the messages received.
    pub fn causes(&self, event: usize) -> impl Iterator<Item = usize> + '_ {
        self.causes[event].iter().map(|(e, _)| *e)
    }

    /// Whether a happened before b. No event happened before itself.
    pub fn happened_before(&self, a: usize, b: usize) -> bool {
        if a == b || self.lamport[a] >= self.lamport[b] {
            return false;
        }
        let (n, p) = (self.processes, self.process[a].index());
        match self.vectors.get(b * n + p) {
            Some(known) => self.nth[a] <= *known,
            None => self.chain(a, b).is_some(),
        }
    }

    /// Whether the events are different and causally unordered.
    pub fn concurrent(&self, a: usize, b: usize) -> bool {
        a != b && !self.happened_before(a, b) && !self.happened_before(b, a)
    }

    /// Return a shortest chain from a to b in which each event is a direct cause of the next.
    pub fn chain(&self, a: usize, b: usize) -> Option<Vec<usize>> {
        // Breadth-first search, backwards from b. No event before a in the run leads to a.
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

    /// Return the message by which an event directly causes another; `None`: they are successive events of one process.
    pub fn message(&self, cause: usize, effect: usize) -> Option<u64> {
        let mut direct = self.causes[effect].iter().filter(|(e, _)| *e == cause);
        direct.next().and_then(|(_, message)| *message)
    }

    /// Return the position among the events of its process, from 1.
    pub fn nth(&self, event: usize) -> u32 {
        self.nth[event]
    }

    /// Return the causal past of an event, including itself, latest first.
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

    /// Return a longest causal chain of messages in the run, by their numbers: its length is the time of the run.
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
