//! Traces: recorded executions, with all data needed to replay them.
//!
//! A [`Recorder`] makes a [`Trace`] during a run, or it is read from a file: [`text`] is the format for people,
//! [`lines`] the same for programs (JSON Lines). It stores choices and observations; [`replay`] recomputes the
//! configurations in between, so a trace cannot contradict the semantics.

pub mod conjunction;
pub mod show;
pub mod step;
pub mod hash;
mod header;
mod actions;
pub mod lines;
mod chain;
pub mod text;
mod parse;
pub mod replay;
mod engine;
mod environment;
mod status;
pub mod causality;
pub mod histories;
pub mod cut;
pub mod diff;
mod transit;
pub mod export;
pub mod import;
pub mod global;
pub mod lattice;
pub mod order;
pub mod snapshot;

pub mod states;
mod recorder;
pub mod vector_clocks;
pub mod detect;
pub mod observed;

pub use recorder::{Recorder, View, given_values};
pub use transit::Undelivered;

use crate::ids::{MessageId, ProcessId};
use crate::prose;
use crate::semantics::ends::Stuck;
use crate::semantics::event::{Cause, Event};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Version of the file format; a reader rejects any other. It changes with a release that reads files of an earlier one
/// differently, or not at all.
pub const FORMAT: u32 = 1;

/// One run, with its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[warn(missing_docs)]
pub struct Trace {
    /// The instance.
    pub header: Header,
    /// The events, in the order of the run.
    pub events: Vec<TraceEvent>,
    /// The outcome.
    pub end: End,
}

/// The instance and the settings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Header {
    /// Version of the file format.
    #[serde(rename = "synod_trace")]
    pub format: u32,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Hash of the program text; it detects changes of the program. 0 in snapshots, which outlive
    /// such changes.
    #[serde(default, with = "hash::hex", skip_serializing_if = "hash::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    pub source: u64,
    /// Version of Synod that made the run; empty in snapshots.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub synod: String,
    /// Topology, as `--on` takes it: `ring(4)`.
    pub network: String,
    /// Id of each process, by position. Their number is the number of processes.
    pub ids: Vec<i64>,
    /// Name of each process if a scenario or a network file gives names; otherwise empty, and the names are p0, p1, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Role of each process; empty for algorithms without roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Parameters of the algorithm and its problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Change>,
    /// Initial values in place of those of the declarations, by variable: `p0.x`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initially: Vec<Change>,
    /// Positions of the initiators; `None`: all.
    pub initiators: Option<Vec<ProcessId>>,
    /// The daemon, if processes read their neighbours: `central`, `synchronous`, `distributed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daemon: Option<String>,
    /// Fault budget, as `--faults` takes it: `crash<=1`; empty without faults.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub faults: String,
    /// The scheduler: `fifo`, `random`, …
    pub schedule: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// The event, from 0, at which the repeated cycle begins if the run is a lasso: it follows the last event. `None`
    /// if no cycle is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    pub repeats_from: Option<u64>,
    /// The property that the lasso violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    pub violates: Option<String>,
    /// The verdict that the run shows, without a full stop: `E1 violated at event 7: …; deadlock: …`, `scenario s failed: …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    pub verdict: Option<String>,
    /// The event that violates the property, if one event does: not at the end of a run, nor in a cycle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    pub violated_at: Option<u64>,
    /// Initial variables of each process; empty if they were not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<Vec<Change>>,
}

/// A name and the text of its value: a variable after an event, or a parameter.
///
/// The control state is the variable `state` (`Data.state` in a layer). `halted` becomes `true` at a halt, `up` becomes
/// `false` at a crash and `true` at a restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Change {
    /// Name of the variable or parameter.
    pub name: String,
    /// Value, in the syntax of the language.
    pub value: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// One event: process, cause, and effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct TraceEvent {
    /// Index in the run, from 0.
    pub index: u64,
    /// Position of the process that acts.
    pub process: ProcessId,
    /// Time of the event; `None` without time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// Action, as the program names it: `active: receive e`. Events without an action of the program are called
    /// `crash`, `lost`, and so on.
    #[serde(deserialize_with = "actions::read")]
    pub action: String,
    /// Messages received.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Message>,
    /// The message whose arrival wakes the process (`on arrival`); it stays in its channel until it is received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrived: Option<Message>,
    /// Messages to the process that vanished: lost, or arrived at a crashed process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Message>,
    /// Messages sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<Message>,
    /// The original, if the message sent is a duplicate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<MessageId>,
    /// Variables whose values changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The responder of an interaction, with its changed variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Responder>,
    /// Calls, returns and upcalls at the interface of the problem: `call enter`, `upcall deliver(3)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<String>,
    /// Length of the longest causal chain of messages that ends here.
    pub depth: u64,
    /// With the process, all data needed for a replay: see `step`.
    #[serde(rename = "step", with = "step::text_form")]
    #[doc(hidden)]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    pub choice: step::Choice,
}

/// The responder of a pairwise interaction: the event belongs to both processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Responder {
    /// Position.
    pub process: ProcessId,
    /// Variables whose values changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A message at one of its ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Message {
    /// Number, from 0 in the order of sending.
    pub id: MessageId,
    /// `Request(3, 4)`; a bare value in parentheses: `(4)`.
    pub text: String,
    /// The other end: the receiver of a message sent, the sender of a message received.
    pub peer: ProcessId,
}

/// Outcome of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[warn(missing_docs)]
pub enum End {
    /// All processes have halted.
    Terminated,
    /// No messages are in transit, and every process has halted or is waiting for input.
    Quiescent,
    /// A deadlock: some process is blocked forever.
    Stuck,
    /// A limit on steps or time was reached, or the run was interrupted.
    Limit,
    /// The run has no end and was stopped, since its continuation would decide nothing more about its properties.
    Settled,
    /// A run-time error: the last event aborted.
    Aborted,
}

#[warn(missing_docs)]
impl End {
    /// All outcomes.
    pub const ALL: [End; 6] =
        [End::Terminated, End::Quiescent, End::Stuck, End::Settled, End::Limit, End::Aborted];

    /// Whether the run was stopped before an end.
    pub fn is_unfinished(self) -> bool {
        matches!(self, End::Limit | End::Settled)
    }

    /// The word for the outcome in all output.
    pub fn as_str(self) -> &'static str {
        match self {
            End::Terminated => "terminated",
            End::Quiescent => "quiescent",
            End::Stuck => "stuck",
            End::Limit => "limit",
            End::Settled => "settled",
            End::Aborted => "aborted",
        }
    }
}

/// Reason why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[warn(missing_docs)]
pub struct TraceError {
    /// Line number, from 1; 0 for the whole text.
    pub line: usize,
    /// One sentence without a full stop.
    pub message: String,
}

impl TraceError {
    fn new(line: usize, message: impl Into<String>) -> TraceError {
        TraceError { line, message: message.into() }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for TraceError {}

#[warn(missing_docs)]
impl Trace {
    /// Parse either format.
    pub fn read(text: &str) -> Result<Trace, TraceError> {
        match text.trim_start().starts_with('{') {
            true => lines::read(text),
            false => parse::read(text),
        }
    }

    /// Return the trace with processes called by their names in all texts, for display. A second call would take names such as `p1`
    /// for positions.
    pub(crate) fn with_names(&self) -> Cow<'_, Trace> {
        if self.header.names.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut named = self.clone();
        let show = |text: &mut String| {
            if let Cow::Owned(shown) = self.header.shown(text) {
                *text = shown;
            }
        };
        named.header.initial.iter_mut().flatten().for_each(|change| show(&mut change.value));
        named.header.verdict.iter_mut().for_each(show);
        for event in &mut named.events {
            event.action = self.header.shown_action(event).into_owned();
            let other = event.with.iter_mut().flat_map(|with| &mut with.changes);
            event.changes.iter_mut().chain(other).for_each(|change| show(&mut change.value));
            let messages = event.received.iter_mut().chain(&mut event.arrived);
            let messages = messages.chain(&mut event.lost).chain(&mut event.sent);
            messages.for_each(|message| show(&mut message.text));
            event.observations.iter_mut().for_each(show);
        }
        Cow::Owned(named)
    }

    /// Return the number of processes.
    pub fn n(&self) -> usize {
        self.header.ids.len()
    }

    /// Iterate over all processes.
    pub(crate) fn processes(&self) -> impl ExactSizeIterator<Item = ProcessId> + use<> {
        (0..self.n() as u32).map(ProcessId)
    }

    /// Return a heading if a joint step or silent rounds begin with an event: `round 3`; `2 rounds pass` before a
    /// wake-up or restart; `together`, and `alone` for the step of a single process after a joint one.
    pub fn joint_step_heading(&self, event: usize) -> Option<String> {
        let cause = |back: usize| {
            let events = self.events.get(event.checked_sub(back)?)?;
            Some(&events.choice.cause)
        };
        let (last, more) = (Cause::Move { last: true }, Cause::Move { last: false });
        match cause(0)? {
            Cause::Round { round } if cause(1) != cause(0) => Some(format!("round {round}")),
            // With time, the time of the event is shown instead.
            Cause::Wakeup | Cause::Restart if self.events[event].at.is_none() => {
                match self.events[event].choice.wait {
                    0 => None,
                    1 => Some("1 round passes".into()),
                    rounds => Some(format!("{rounds} rounds pass")),
                }
            }
            Cause::Move { last: false } if cause(1) != Some(&more) => Some("together".into()),
            Cause::Move { last: true } if cause(1) == Some(&last) && cause(2) == Some(&more) => {
                Some("alone".into())
            }
            _ => None,
        }
    }

    /// Whether the repeated cycle begins at this event, by its index in the list.
    pub fn is_cycle_start(&self, event: usize) -> bool {
        let from = self.header.repeats_from;
        from.is_some() && self.events.get(event).map(|event| event.index) == from
    }

    /// Return the index, in the list of events, of the event that violates the property of a counterexample.
    pub fn violating_event(&self) -> Option<usize> {
        let at = self.header.violated_at?;
        self.events.iter().position(|event| event.index == at)
    }

    /// State in the header that the run violates a property at this event, or as a whole, and why.
    pub fn state_violation(&mut self, property: &str, at: Option<u64>, reason: &str) {
        let events = self.events.len() as u64;
        self.header.violated(property, at.filter(|event| *event < events), reason);
    }

    /// State in the header that the run ends in a deadlock, and why each process waits.
    pub(crate) fn state_deadlock(&mut self, stuck: &[Stuck]) {
        let up =
            |p: ProcessId| self.events.iter().rev().filter(|e| e.process == p).find_map(|e| e.change("up"));
        let crashed = self.processes().any(|p| up(p) == Some("false"));
        let word = if crashed { "blocked by a crash" } else { "deadlock" };
        let why: Vec<&str> = stuck.iter().map(|stuck| stuck.why.as_str()).collect();
        self.header.state(&format!("{word}: {}", why.join("; ")));
    }

    /// Describe what the run shows, beyond its end: a verdict, and how a lasso continues. Sentences without a full stop.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.header.verdict.clone().into_iter().chain(self.cycle_description())
    }

    /// Describe how a lasso continues after its last event, as a sentence without a full stop.
    pub fn cycle_description(&self) -> Option<String> {
        let from = self.header.repeats_from?;
        let violates = self.header.violates.as_ref();
        let violates = violates.map_or(String::new(), |name| format!("; this violates `{name}`"));
        Some(format!("repeats forever from event {from} on (lasso){violates}"))
    }

    /// Return the outcome, `quiescent`, or `repeats from event 3` for a lasso.
    pub fn ending(&self) -> String {
        match self.header.repeats_from {
            Some(from) => format!("repeats from event {from}"),
            None => self.end.as_str().into(),
        }
    }

    /// Return the events, for a replay.
    #[doc(hidden)]
    pub fn schedule(&self) -> impl Iterator<Item = Event> + '_ {
        self.events.iter().map(TraceEvent::event)
    }
}

#[warn(missing_docs)]
impl Header {
    /// Whether program hash and version are recorded. Snapshots omit them.
    pub fn has_origin(&self) -> bool {
        self.source != 0 || !self.synod.is_empty()
    }

    /// Return the action of an event with processes called by their names. The text of the program stays as it is.
    pub(crate) fn shown_action<'t>(&self, event: &'t TraceEvent) -> Cow<'t, str> {
        match event.choice.cause {
            Cause::Cut { .. } => self.shown(&event.action),
            _ => Cow::Borrowed(&event.action),
        }
    }

    /// Return a value or a verdict with processes called by their names. The trace itself calls them by position.
    pub fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        prose::with_names(text, &self.names)
    }

    /// State that the run violates a property at this event, or as a whole, and why. An earlier verdict, such as a deadlock, follows it.
    pub fn violated(&mut self, property: &str, at: Option<u64>, reason: &str) {
        let event = at.map_or(String::new(), |event| format!(" at event {event}"));
        self.state(&format!("{property} violated{event}: {reason}"));
        self.violated_at = at;
    }

    /// Prepend a sentence to the verdict, if there is one.
    pub(crate) fn state(&mut self, sentence: &str) {
        let rest = self.verdict.take().map_or(String::new(), |verdict| format!("; {verdict}"));
        self.verdict = Some(show::column(&format!("{sentence}{rest}")));
    }

    /// Whether a scenario, and not the clients, called the operations.
    pub(crate) fn is_acted(&self) -> bool {
        !self.names.is_empty()
    }

    /// Return the words `E1 violated` if the event with this number violates a property.
    pub fn violation_at(&self, event: u64) -> Option<String> {
        let property = self.verdict.as_deref()?.split_whitespace().next()?;
        (self.violated_at == Some(event)).then(|| format!("{property} violated"))
    }

    /// Return `p3`, or the name that a scenario gives.
    pub fn name(&self, process: ProcessId) -> String {
        match self.names.get(process.index()) {
            Some(name) => name.clone(),
            None => process.to_string(),
        }
    }
}

#[warn(missing_docs)]
impl TraceEvent {
    /// Return the event, for a replay.
    #[doc(hidden)]
    pub fn event(&self) -> Event {
        self.choice.clone().at(self.process)
    }

    /// Return the value that a variable got in this event.
    pub fn change(&self, name: &str) -> Option<&str> {
        let mut changes = self.changes.iter();
        changes.find(|c| c.name == name).map(|c| c.value.as_str())
    }
}

#[warn(missing_docs)]
impl Change {
    /// Create a change from a name and the text of its value.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Change {
        Change { name: name.into(), value: value.into() }
    }
}
