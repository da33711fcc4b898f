//! What the environment does in a run, and the order it must keep: a message is lost or doubled while it is under way, a link fails
//! after what has come through it, what a detector says of a process it says while it is so. No message tells
//! that, so it is no part of happened-before; but a cut against it would be no state that the system can be in.

use super::{Message, Trace, TraceEvent};
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What has happened so far, as far as later events depend on it.
pub(super) struct Environment {
    /// The last crash or return of each process, and whether it is up.
    turned: FxHashMap<u32, (usize, bool)>,
    /// What detectors have said of a process that is true only until it crashes, or returns.
    said: FxHashMap<u32, Vec<usize>>,
    /// Links, by their ends: the event in which they failed, and the last in which something came through.
    failed: FxHashMap<(u32, u32), usize>,
    through: FxHashMap<(u32, u32), usize>,
    senders: FxHashMap<u64, u32>,
    /// Messages that have been doubled, with the events in which they were.
    doubled: FxHashMap<u32, Vec<usize>>,
    arrivals: FxHashMap<usize, Vec<u64>>,
}

impl Environment {
    pub fn new(trace: &Trace) -> Environment {
        Environment {
            turned: FxHashMap::default(),
            said: FxHashMap::default(),
            failed: FxHashMap::default(),
            through: FxHashMap::default(),
            senders: FxHashMap::default(),
            doubled: FxHashMap::default(),
            arrivals: arrivals(trace),
        }
    }

    /// The messages of which one woke the process in this event and stayed where it was.
    pub fn arrived(&self, number: usize) -> &[u64] {
        self.arrivals.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The events that must have come before the next one, where no message says so.
    pub fn causes(&mut self, number: usize, event: &TraceEvent) -> Vec<usize> {
        let process = event.process;
        let mut causes = Vec::new();
        match event.choice.cause {
            Cause::Suspect { of } | Cause::Trust { of } => {
                let turned = self.turned.get(&of).copied();
                let up = turned.is_none_or(|(_, up)| up);
                causes.extend(turned.map(|(turn, _)| turn));
                if up == matches!(event.choice.cause, Cause::Trust { .. }) {
                    self.said.entry(of).or_default().push(number);
                }
            }
            Cause::Cut { .. } => {
                // So the recorder calls it.
                let to = event.action.strip_prefix("link to p").and_then(|rest| rest.strip_suffix(" fails"));
                if let Some(to) = to.and_then(|to| to.parse().ok()) {
                    self.failed.insert((process, to), number);
                    causes.extend(self.through.get(&(process, to)).copied());
                }
            }
            Cause::Deliver { .. } => {
                let on = |m: &Message| self.failed.get(&(m.peer, process)).copied();
                causes.extend(event.lost.iter().filter_map(on));
            }
            _ => {}
        }
        let woken = self.arrivals.get(&number).into_iter().flatten();
        let woken = woken.filter_map(|message| self.senders.get(message).copied());
        for from in event.received.iter().map(|m| m.peer).chain(woken) {
            self.through.insert((from, process), number);
        }
        self.senders.extend(event.sent.iter().map(|m| (m.id.into(), process)));
        if let Some(original) = event.copied {
            self.doubled.entry(original).or_default().push(number);
        }
        for gone in event.received.iter().chain(&event.lost) {
            causes.extend(self.doubled.remove(&gone.id).into_iter().flatten());
        }
        if let Some(up) = event.change("up") {
            self.turned.insert(process, (number, up == "true"));
            causes.extend(self.said.remove(&process).into_iter().flatten());
        }
        causes
    }
}

/// By event: the messages of which one woke a process that left it where it was (`on arrival`).
///
/// The trace says in which place of which channel it lay. Mostly a later event takes it from there; where none does, it
/// may have been any that was under way to the process.
pub(super) fn arrivals(trace: &Trace) -> FxHashMap<usize, Vec<u64>> {
    let mut found = FxHashMap::default();
    let mut under_way: BTreeMap<u32, u32> = BTreeMap::new();
    for (number, event) in trace.events.iter().enumerate() {
        let gone = || event.received.iter().chain(&event.lost);
        if let Cause::Deliver { channel, position } = event.choice.cause
            && gone().next().is_none()
        {
            let messages = match taken_later(&trace.events[number + 1..], channel, position) {
                Some(message) if under_way.contains_key(&message) => vec![message.into()],
                _ => {
                    let here = under_way.iter().filter(|(_, to)| **to == event.process);
                    here.map(|(id, _)| u64::from(*id)).collect()
                }
            };
            found.insert(number, messages);
        }
        for message in gone() {
            under_way.remove(&message.id);
        }
        under_way.extend(event.sent.iter().map(|m| (m.id, m.peer)));
    }
    found
}

/// The message that lies at a position of a channel before these events, if one of them takes it and tells it apart.
fn taken_later(events: &[TraceEvent], channel: u32, position: u32) -> Option<u32> {
    for event in events {
        let (at, copies) = match event.choice.cause {
            Cause::Deliver { channel: c, position } | Cause::Lose { channel: c, position }
                if c == channel =>
            {
                (position, false)
            }
            Cause::Duplicate { channel: c, position } if c == channel => (position, true),
            _ => continue,
        };
        match event.received.first().or(event.lost.first()) {
            Some(message) if at == position => return Some(message.id),
            // What lies in front of it goes, or becomes more: then it has another position.
            taken if at < position && (copies || taken.is_some()) => return None,
            _ => {}
        }
    }
    None
}
