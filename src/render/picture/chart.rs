//! The layout of a run: messages from end to end, events in columns, states with their durations.
//!
//! Columns follow the order of the run from left to right, and concurrent events may share a column. A new column begins only if
//! an event depends on one of the previous column, or if time advances or a round begins. So every arrow leads to the right, and
//! concurrent events are placed below each other.

use super::spans::{Span, spans};
use crate::ids::{MessageId, ProcessId};
use crate::semantics::event::Cause;
use crate::trace::{Message, Trace, TraceEvent};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Longer intervals of time are compressed to this many columns, so that one long wait does not hide the rest.
const LONGEST_WAIT: f64 = 6.0;
/// The gap before and after a round or a joint step, in columns.
const BAND_GAP: f64 = 0.35;

/// A message, from its sending to its end.
#[derive(Clone, Debug)]
pub struct MessageFlight<'a> {
    /// `None`: a note that an application sends besides the algorithm.
    pub id: Option<MessageId>,
    pub text: &'a str,
    pub from: ProcessId,
    pub to: ProcessId,
    /// `None`: it was in transit initially.
    pub sent: Option<usize>,
    pub fate: Fate,
    /// The message of which it is a copy.
    pub copy_of: Option<MessageId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// In this event.
    Received(usize),
    Lost(usize),
    /// Lost by this crash of its sender. No event of the receiver ends it, so it counts as in transit in cuts.
    LostWithSender(usize),
    InTransit,
}

impl Fate {
    /// Return the crash of the sender that loses the message, if one does.
    pub fn crash(self) -> Option<usize> {
        match self {
            Fate::LostWithSender(crash) => Some(crash),
            _ => None,
        }
    }

    pub fn is_lost(self) -> bool {
        matches!(self, Fate::Lost(_) | Fate::LostWithSender(_))
    }
}

/// A process between two changes of its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// `None`: from the beginning.
    pub from: Option<usize>,
    /// The index into [`Chart::states`]; `None` without control state.
    pub state: Option<usize>,
    pub condition: Condition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Up,
    Crashed,
    Halted,
}

/// Events that belong together: a round, or a joint step of several processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    pub name: String,
    /// The name where space is short: `3` for round 3, `+3` if three rounds pass. Empty: there is no shorter one.
    pub short: String,
    /// From this event up to that of the next band.
    pub from: usize,
}

pub struct Chart<'a> {
    pub trace: &'a Trace,
    /// The messages, in the order of sending.
    pub flights: Vec<MessageFlight<'a>>,
    /// The control states, in order of first occurrence.
    pub states: Vec<&'a str>,
    /// The column of each event, never decreasing.
    pub columns: Vec<u32>,
    /// The position of each column, in standard column widths from the first.
    pub places: Vec<f64>,
    pub bands: Vec<Band>,
    /// The lives of each process, in order.
    pub lives: Vec<Vec<Life>>,
    /// Operations and critical sections, by process.
    pub spans: Vec<Vec<Span<'a>>>,
}

impl<'a> Chart<'a> {
    pub fn new(trace: &'a Trace) -> Chart<'a> {
        let flights = flights(trace);
        let bands: Vec<Band> = (0..trace.events.len())
            .filter_map(|e| {
                trace.joint_step_heading(e).map(|name| Band { short: short(&name), name, from: e })
            })
            .collect();
        let columns = columns(trace, &flights);
        let places = places(trace, &columns, &bands);
        let states = states(trace);
        let lives = lives(trace, &states);
        Chart { trace, flights, states, columns, places, bands, lives, spans: spans(trace) }
    }

    /// Return the position of an event, in standard column widths from the first.
    pub fn place(&self, event: usize) -> f64 {
        self.places[self.columns[event] as usize]
    }

    /// Return the messages in transit after `position` events, in the order of sending.
    pub fn in_transit(&self, position: usize) -> impl Iterator<Item = &MessageFlight<'a>> {
        let sent = move |f: &&MessageFlight| f.sent.is_none_or(|e| e < position);
        self.flights.iter().filter(sent).filter(move |f| match f.fate {
            Fate::Received(e) | Fate::Lost(e) | Fate::LostWithSender(e) => e >= position,
            Fate::InTransit => true,
        })
    }

    /// Return the names of the messages, in order of first occurrence: `Request` for `Request(1, 2)`.
    pub fn kinds(&self) -> Vec<&'a str> {
        let mut kinds = Vec::new();
        for flight in &self.flights {
            let kind = flight.kind();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Return whether the run has time.
    pub fn is_timed(&self) -> bool {
        !self.trace.events.is_empty() && self.trace.events.iter().all(|e| e.at.is_some())
    }
}

impl<'a> MessageFlight<'a> {
    pub fn kind(&self) -> &'a str {
        match self.id {
            None => "note",
            Some(_) => kind(self.text),
        }
    }

    /// Return the event at its end, if it has one.
    pub fn end(&self) -> Option<usize> {
        match self.fate {
            Fate::Received(e) | Fate::Lost(e) => Some(e),
            Fate::LostWithSender(_) | Fate::InTransit => None,
        }
    }
}

/// Return the name of a message: `Request` for `Request(1, 2)`. A bare value has none and is called `value`.
pub fn kind(text: &str) -> &str {
    match text.split('(').next().unwrap_or("").trim() {
        "" => "value",
        name => name,
    }
}

fn flights(trace: &Trace) -> Vec<MessageFlight<'_>> {
    let mut flights: Vec<MessageFlight> = Vec::new();
    let mut by_id: FxHashMap<MessageId, usize> = FxHashMap::default();
    // Notes have no numbers: between two processes they arrive in order.
    let mut notes: FxHashMap<(ProcessId, ProcessId), VecDeque<usize>> = FxHashMap::default();
    for (e, event) in trace.events.iter().enumerate() {
        let here = event.process;
        for m in &event.sent {
            by_id.insert(m.id, flights.len());
            flights.push(MessageFlight {
                id: Some(m.id),
                text: &m.text,
                from: here,
                to: m.peer,
                sent: Some(e),
                fate: Fate::InTransit,
                copy_of: event.copied,
            });
        }
        for m in &event.received {
            ends(m, here, Fate::Received(e), &by_id, &mut flights);
        }
        for m in &event.lost {
            ends(m, here, Fate::Lost(e), &by_id, &mut flights);
        }
        match event.choice.cause {
            Cause::SendNote { to } if to.index() < trace.n() => {
                notes.entry((here, to)).or_default().push_back(flights.len());
                let (sent, fate) = (Some(e), Fate::InTransit);
                flights.push(MessageFlight {
                    id: None,
                    text: "note",
                    from: here,
                    to,
                    sent,
                    fate,
                    copy_of: None,
                });
            }
            Cause::ReceiveNote { from } => {
                if let Some(f) = notes.get_mut(&(from, here)).and_then(VecDeque::pop_front) {
                    flights[f].fate = Fate::Received(e);
                }
            }
            _ => {}
        }
    }
    for undelivered in trace.undelivered() {
        if let (Some(crash), Some(&flight)) = (undelivered.lost_at, by_id.get(&undelivered.message.id)) {
            flights[flight].fate = Fate::LostWithSender(crash);
        }
    }
    flights
}

fn ends<'a>(
    message: &'a Message,
    to: ProcessId,
    fate: Fate,
    by_id: &FxHashMap<MessageId, usize>,
    flights: &mut Vec<MessageFlight<'a>>,
) {
    let open = by_id.get(&message.id).filter(|f| flights[**f].fate == Fate::InTransit);
    match open {
        Some(f) => flights[*f].fate = fate,
        None => flights.push(MessageFlight {
            id: Some(message.id),
            text: &message.text,
            from: message.peer,
            to,
            sent: None,
            fate,
            copy_of: None,
        }),
    }
}

fn columns(trace: &Trace, flights: &[MessageFlight]) -> Vec<u32> {
    // The senders of the messages that each event ends.
    let mut senders: Vec<Vec<usize>> = vec![Vec::new(); trace.events.len()];
    for flight in flights {
        if let (Some(sent), Some(end)) = (flight.sent, flight.end())
            && sent != end
        {
            senders[end].push(sent);
        }
    }
    let mut columns: Vec<u32> = Vec::with_capacity(trace.events.len());
    let mut last: Vec<Option<u32>> = vec![None; trace.n()];
    let mut now = 0;
    // The interactions in the current column: lines between processes must not overlap.
    let mut meetings: Vec<(ProcessId, ProcessId)> = Vec::new();
    for (e, event) in trace.events.iter().enumerate() {
        let all = both(event);
        let own = all.clone().filter_map(|p| last[p.index()]);
        let sent = senders[e].iter().map(|s| columns[*s]);
        let least = own.chain(sent).max().map_or(0, |column| column + 1);
        let anew = e > 0 && (trace.joint_step_heading(e).is_some() || event.at != trace.events[e - 1].at);
        let before = now;
        now = now.max(least).max(if anew { columns[e - 1] + 1 } else { 0 });
        if let Some(with) = &event.with {
            let (low, high) = (event.process.min(with.process), event.process.max(with.process));
            if now == before && meetings.iter().any(|(a, b)| low <= *b && *a <= high) {
                now += 1;
            }
            if now > before {
                meetings.clear();
            }
            meetings.push((low, high));
        } else if now > before {
            meetings.clear();
        }
        columns.push(now);
        for p in all {
            last[p.index()] = Some(now);
        }
    }
    columns
}

/// Return the process of an event, and the responder of an interaction.
pub fn both(event: &TraceEvent) -> impl Iterator<Item = ProcessId> + Clone {
    [Some(event.process), event.with.as_ref().map(|with| with.process)].into_iter().flatten()
}

/// Return the short name of a band, where space is short.
fn short(name: &str) -> String {
    match (name.strip_prefix("round "), name.split_once(" round")) {
        (Some(number), _) => number.into(),
        (None, Some((passing, _))) => format!("+{passing}"),
        (None, None) => String::new(),
    }
}

fn places(trace: &Trace, columns: &[u32], bands: &[Band]) -> Vec<f64> {
    let instants =
        |e: usize| trace.events[e].at.zip(trace.events[e - 1].at).map(|(b, a)| b.saturating_sub(a));
    let waits = || (1..trace.events.len()).filter_map(instants).filter(|wait| *wait > 0);
    let unit = waits().min().unwrap_or(1) as f64;
    let mut places: Vec<f64> = Vec::new();
    let mut bands = bands.iter().peekable();
    for (e, column) in columns.iter().enumerate() {
        let begins = bands.next_if(|band| band.from == e).is_some();
        if (*column as usize) < places.len() {
            continue;
        }
        let Some(before) = places.last() else {
            places.push(0.0);
            continue;
        };
        let wait =
            instants(e).filter(|wait| *wait > 0).map_or(1.0, |wait| (wait as f64 / unit).min(LONGEST_WAIT));
        places.push(before + wait + if begins { BAND_GAP } else { 0.0 });
    }
    places
}

fn states(trace: &Trace) -> Vec<&str> {
    let changes =
        trace.events.iter().flat_map(|e| e.changes.iter().chain(e.with.iter().flat_map(|w| &w.changes)));
    let all = trace.header.initial.iter().flatten().chain(changes);
    let mut states: Vec<&str> = Vec::new();
    for change in all.filter(|c| c.name == "state") {
        if !states.contains(&change.value.as_str()) {
            states.push(&change.value);
        }
    }
    states
}

fn lives(trace: &Trace, states: &[&str]) -> Vec<Vec<Life>> {
    let place = |state: &str| states.iter().position(|s| *s == state);
    let begin = |p: usize| {
        let initial = trace.header.initial.get(p).into_iter().flatten();
        let mut life = Life { from: None, state: None, condition: Condition::Up };
        for change in initial {
            apply(&mut life, &change.name, &change.value, &place);
        }
        vec![life]
    };
    let mut lives: Vec<Vec<Life>> = (0..trace.n()).map(begin).collect();
    for (e, event) in trace.events.iter().enumerate() {
        let own = event.changes.iter().map(|c| (event.process, c));
        let other = event.with.iter().flat_map(|w| w.changes.iter().map(|c| (w.process, c)));
        for (p, change) in own.chain(other) {
            let list = &mut lives[p.index()];
            let Some(last) = list.last().copied() else { continue };
            let mut life = last;
            apply(&mut life, &change.name, &change.value, &place);
            if life == last {
                continue;
            }
            life.from = Some(e);
            if last.from == Some(e) {
                list.pop();
            }
            list.push(life);
        }
    }
    lives
}

fn apply(life: &mut Life, name: &str, value: &str, place: &impl Fn(&str) -> Option<usize>) {
    match (name, value) {
        ("state", state) => life.state = place(state),
        ("up", "false") => life.condition = Condition::Crashed,
        ("up", _) => life.condition = Condition::Up,
        ("halted", "true") => life.condition = Condition::Halted,
        ("halted", _) => life.condition = Condition::Up,
        _ => {}
    }
}
