//! Comparison of two runs: whether they are the same partial order of events, or their first divergence.
//!
//! Runs that differ only in the order of concurrent events are indistinguishable to every process. They are compared
//! process by process: the k-th event of A with the k-th event of B, and a message with the message that the
//! corresponding event sent. Numbers of messages and positions in channels depend on the order of the run and are not
//! compared.

use super::causality::{Causality, Notes};
use super::header::header_lines;
use super::status::is_event;
use super::step::Choice;
use super::{Change, End, Message, Trace, TraceEvent};
use crate::ids::{MessageId, ProcessId};
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;

/// Differences between two runs, A and B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// Differences of the instance.
    pub header: Vec<Aspect>,
    /// Irrelevant differences: schedule, seed, program text, version.
    pub circumstances: Vec<Aspect>,
    /// Whether both have the same algorithm and number of processes; otherwise, events are not compared.
    pub comparable: bool,
    /// The processes whose histories differ, with the number of their first different event: from 1, or 0 for a start
    /// that sends nothing in either run.
    pub processes: Vec<(ProcessId, u32)>,
    /// A different event without a different event in its past; `None`: the partial orders are equal.
    pub divergence: Option<Divergence>,
    pub ends: Option<(End, End)>,
    /// If only the order differs, the first position in the run with a different event.
    pub order: Option<usize>,
}

/// An aspect that differs between A and B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aspect {
    pub what: String,
    pub a: String,
    pub b: String,
}

/// The first causal difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    pub process: ProcessId,
    /// Number among the events of the process, as in [`Diff::processes`].
    pub nth: u32,
    /// Indices of the event in A and in B; one of them is missing if that history has ended.
    pub a: Option<usize>,
    pub b: Option<usize>,
    /// The aspect that differs, if both have an event.
    pub aspect: Option<Aspect>,
}

impl Diff {
    /// Whether both have the same events in the same causal order; with `exact`, also in the same recorded order.
    pub fn is_equal(&self, exact: bool) -> bool {
        self.header.is_empty()
            && self.processes.is_empty()
            && self.ends.is_none()
            && !(exact && self.order.is_some())
    }
}

/// Compare two runs.
pub fn diff(a: &Trace, b: &Trace) -> Diff {
    let (header, circumstances) = headers(a, b);
    let mut diff = Diff {
        header,
        circumstances,
        comparable: a.n() == b.n() && a.header.algorithm == b.header.algorithm,
        processes: Vec::new(),
        divergence: None,
        ends: (a.end != b.end).then_some((a.end, b.end)),
        order: None,
    };
    if !diff.comparable {
        return diff;
    }
    // Silent starts have no number, as in histories.
    let silent = |trace: &Trace, p: ProcessId| {
        let first = (0..trace.events.len()).find(|event| trace.events[*event].process == p);
        first.is_some_and(|event| !is_event(trace, event))
    };
    let uncounted: Vec<u32> = a.processes().map(|p| u32::from(silent(a, p) && silent(b, p))).collect();
    let (a, b) = (Side::new(a, &uncounted), Side::new(b, &uncounted));
    let mut parted = Vec::new();
    for (p, (mine, theirs)) in a.lines.iter().zip(&b.lines).enumerate() {
        let longest = mine.len().max(theirs.len());
        let pair = |k: usize| (mine.get(k).copied(), theirs.get(k).copied());
        let different = |k: &usize| match pair(*k) {
            (Some(x), Some(y)) => aspect(&a, x, &b, y).is_some(),
            _ => true,
        };
        if let Some(k) = (0..longest).find(different) {
            let (process, nth) = (ProcessId(p as u32), k as u32 + 1 - uncounted[p]);
            diff.processes.push((process, nth));
            let (x, y) = pair(k);
            let aspect = x.zip(y).and_then(|(x, y)| aspect(&a, x, &b, y));
            parted.push(Divergence { process, nth, a: x, b: y, aspect });
        }
    }
    diff.divergence = first(parted, &a, &b);
    if diff.processes.is_empty() {
        let places = a.places.iter().zip(&b.places);
        diff.order = places.into_iter().position(|(mine, theirs)| mine != theirs);
    }
    diff
}

/// One of two runs, with what identifies its events and messages.
struct Side<'t> {
    trace: &'t Trace,
    /// Events by process.
    lines: Vec<Vec<usize>>,
    /// By event: process, and number there.
    places: Vec<(ProcessId, u32)>,
    /// By message: the process and number of the event that sent it, and its index among the messages of that event.
    origins: FxHashMap<u64, (ProcessId, u32, usize)>,
    /// By event: the note that it receives.
    notes: Vec<Option<u64>>,
}

impl Side<'_> {
    fn new<'t>(trace: &'t Trace, uncounted: &[u32]) -> Side<'t> {
        let mut side = Side {
            trace,
            lines: vec![Vec::new(); trace.n()],
            places: Vec::new(),
            origins: FxHashMap::default(),
            notes: Vec::new(),
        };
        let mut notes = Notes::default();
        for (number, event) in trace.events.iter().enumerate() {
            for p in [event.process].into_iter().chain(event.with.as_ref().map(|with| with.process)) {
                side.lines[p.index()].push(number);
            }
            let p = event.process.index();
            let nth = side.lines[p].len() as u32 - uncounted[p];
            side.places.push((event.process, nth));
            let (sent, received) = notes.of(event);
            side.notes.push(received);
            for (at, message) in event.sent.iter().map(|m| u64::from(m.id)).chain(sent).enumerate() {
                side.origins.insert(message, (event.process, nth, at));
            }
        }
        side
    }

    fn origin(&self, message: MessageId) -> Option<(ProcessId, u32, usize)> {
        self.origins.get(&message.into()).copied()
    }

    /// Describe where messages came from: `Request(3) from p1, its event 4`.
    fn came(&self, messages: &[Message]) -> Vec<String> {
        let name = |p: ProcessId| self.trace.header.name(p);
        let text = |m: &Message| match self.origin(m.id) {
            Some((p, nth, 0)) => format!("{} from {}, its event {nth}", m.text, name(p)),
            Some((p, nth, at)) => format!("{} from {}, its event {nth}, message {}", m.text, name(p), at + 1),
            None => format!("{} from {}", m.text, name(m.peer)),
        };
        messages.iter().map(text).collect()
    }

    /// Return the aspects of an event, the most informative first.
    fn aspects(&self, number: usize) -> [(&'static str, Vec<String>); 12] {
        let event: &TraceEvent = &self.trace.events[number];
        let texts = |all: &[Change]| all.iter().map(|c| format!("{}={}", c.name, c.value)).collect();
        let name = |p: ProcessId| self.trace.header.name(p);
        let meets = event.with.as_ref().map(|with| {
            let mut changes: Vec<String> = texts(&with.changes);
            changes.insert(0, name(with.process));
            changes
        });
        let copied = event.copied.and_then(|m| self.origin(m));
        let note = self.notes[number].and_then(|note| self.origins.get(&note));
        let place =
            |(p, nth, _): &(ProcessId, u32, usize)| vec![format!("from {}, its event {nth}", name(*p))];
        [
            ("is", vec![format!("of {}, its event {}", name(event.process), self.places[number].1)]),
            ("receives", self.came(&event.received)),
            ("is woken by", self.came(event.arrived.as_slice())),
            ("hears", note.map(place).unwrap_or_default()),
            ("loses", self.came(&event.lost)),
            ("is called", vec![event.action.clone()]),
            ("meets", meets.unwrap_or_default()),
            ("sends", event.sent.iter().map(|m| format!("{} to {}", m.text, name(m.peer))).collect()),
            ("doubles", copied.as_ref().map(place).unwrap_or_default()),
            ("changes", texts(&event.changes)),
            ("shows", event.observations.clone()),
            ("happens at", event.at.map(|at| at.to_string()).into_iter().collect()),
        ]
    }

    /// Return the choices of an event, without those that depend on the order of other events.
    fn choice(&self, number: usize) -> Choice {
        let mut choice = self.trace.events[number].choice.clone();
        choice.wait = 0;
        if let Cause::Deliver { position, .. }
        | Cause::Lose { position, .. }
        | Cause::Duplicate { position, .. } = &mut choice.cause
        {
            *position = 0;
        }
        choice
    }
}

/// Return the first aspect in which two events differ.
fn aspect(a: &Side<'_>, x: usize, b: &Side<'_>, y: usize) -> Option<Aspect> {
    let pairs = a.aspects(x).into_iter().zip(b.aspects(y));
    for ((what, mine), (_, theirs)) in pairs {
        if mine != theirs {
            let text = |all: Vec<String>| if all.is_empty() { "nothing".into() } else { all.join("; ") };
            return Some(Aspect { what: what.into(), a: text(mine), b: text(theirs) });
        }
    }
    let (mine, theirs) = (a.choice(x), b.choice(y));
    (mine != theirs).then(|| Aspect { what: "chooses".into(), a: mine.show(), b: theirs.show() })
}

/// Return a divergence that no other one precedes, in either run. If the runs contradict each other, return the first
/// in A.
fn first(parted: Vec<Divergence>, a: &Side<'_>, b: &Side<'_>) -> Option<Divergence> {
    let (in_a, in_b) = (Causality::of(a.trace), Causality::of(b.trace));
    let before = |order: &Causality, x: Option<usize>, y: Option<usize>| {
        x.zip(y).is_some_and(|(x, y)| order.happened_before(x, y))
    };
    let precedes = |x: &Divergence, y: &Divergence| before(&in_a, x.a, y.a) || before(&in_b, x.b, y.b);
    let mut parted = parted;
    parted.sort_by_key(|d| (d.a.unwrap_or(usize::MAX), d.b));
    let least = parted.iter().find(|d| !parted.iter().any(|other| precedes(other, d)));
    least.or(parted.first()).cloned()
}

fn headers(a: &Trace, b: &Trace) -> (Vec<Aspect>, Vec<Aspect>) {
    let lines = |trace: &Trace| {
        let mut header = trace.header.clone();
        let initial = std::mem::take(&mut header.initial);
        // An earlier version did not record which initial values were given; they are compared below.
        if [a, b].iter().any(|trace| trace.header.initially.is_empty()) {
            header.initially.clear();
        }
        let named = |(key, value): (&'static str, String)| match key {
            "param" | "initially" => {
                let (name, rest) = value.split_at(value.find(" =").unwrap_or(value.len()));
                (format!("{key} {name}"), rest.trim_start_matches(" =").trim().to_string())
            }
            _ => (key.to_string(), value),
        };
        let mut lines: Vec<(String, String)> = header_lines(&header).into_iter().map(named).collect();
        // Initial values are compared by variable, and only if both traces have them for the same processes.
        let nothing = |trace: &Trace| trace.header.initial.is_empty();
        if !(nothing(a) || nothing(b) || a.header.algorithm != b.header.algorithm || a.n() != b.n()) {
            for (p, variables) in (0..).map(ProcessId).zip(&initial) {
                let name = a.header.name(p);
                let each = variables.iter().map(|v| (format!("initial {name}.{}", v.name), v.value.clone()));
                lines.extend(each);
            }
        }
        lines
    };
    let (mine, theirs) = (lines(a), lines(b));
    let value = |all: &[(String, String)], key: &str| {
        let found = all.iter().find(|(k, _)| k == key);
        found.map_or_else(|| "nothing".to_string(), |(_, value)| value.clone())
    };
    let mut keys: Vec<&String> = mine.iter().map(|(key, _)| key).collect();
    for (key, _) in &theirs {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    // A missing origin, as in snapshots, is no difference.
    let unsaid = !(a.header.has_origin() && b.header.has_origin());
    keys.retain(|key| !(unsaid && matches!(key.as_str(), "source" | "synod")));
    let differs = keys.into_iter().filter(|key| value(&mine, key) != value(&theirs, key));
    let aspects =
        differs.map(|key| Aspect { what: key.clone(), a: value(&mine, key), b: value(&theirs, key) });
    aspects.partition(|aspect| !matches!(aspect.what.as_str(), "source" | "synod" | "schedule" | "seed"))
}
