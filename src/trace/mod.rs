//! Executions as values: what happened in a run, with everything needed to run it again.
//!
//! A [`Trace`] is made by a [`Recorder`] while a run goes on, or read from a file: [`text`] is the form for
//! people, [`lines`] the same for programs (JSON Lines). It keeps what was chosen and what was seen; the
//! configurations in between are recomputed by [`replay`], so a trace cannot disagree with the semantics.

pub mod conjunction;
pub mod show;
pub mod step;
mod header;
pub mod hash;
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
pub mod export;
pub mod global;
pub mod lattice;
pub mod order;
pub mod snapshot;

pub mod states;
mod recorder;
mod vector_clocks;
pub mod detect;
pub mod observed;

pub use recorder::{Recorder, View};

use crate::semantics::event::{Cause, Event};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Version of the file format; a reader refuses any other. It changes with a release that reads what an earlier one wrote in
/// another way, or not at all.
pub const FORMAT: u32 = 1;

/// One run: complete, when it has an end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[warn(missing_docs)]
pub struct Trace {
    /// What was run.
    pub header: Header,
    /// What happened, in the order in which it did.
    pub events: Vec<TraceEvent>,
    /// How it ended.
    pub end: End,
}

/// What was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Header {
    /// [`FORMAT`].
    #[serde(rename = "synod_trace")]
    pub format: u32,
    /// The algorithm's name.
    pub algorithm: String,
    /// See [`hash::source`]: says whether the program is still the same. 0 in snapshots, which outlive changes of it.
    #[serde(default, with = "hash::hex", skip_serializing_if = "hash::is_none")]
    pub source: u64,
    /// Version of Synod that made the run; empty in snapshots.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub synod: String,
    /// As `--on` takes it: `ring(4)`.
    pub network: String,
    /// Id of each process, by position. Their number is the number of processes.
    pub ids: Vec<i64>,
    /// Name of each process, where a scenario gives names; else empty, and the names are p0, p1, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Role of each process; empty for algorithms without roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Parameters of the algorithm and its problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Change>,
    /// Positions of the initiators; None: all.
    pub initiators: Option<Vec<u32>>,
    /// Who moves at the same time, where processes read their neighbours: `central`, `synchronous`, `distributed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daemon: Option<String>,
    /// How often what might go wrong, as `--faults` takes it: `crash<=1`; empty: nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub faults: String,
    /// Who chose the steps: `fifo`, `random`, …
    pub schedule: String,
    /// Of everything that was drawn by lot.
    pub seed: u64,
    /// Of a run that goes round for ever: after its last event it goes on with this one, counted from 0, again and again. None where
    /// nothing is known of how it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<u64>,
    /// The name of the property that such a run violates, by going round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violates: Option<String>,
    /// Variables of each process before the first event; empty where nobody asked for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<Vec<Change>>,
}

/// A name and the text of its value: a variable after an event, a parameter.
///
/// The control state is the variable `state` (`Data.state` in a layer); `halted` becomes `true` at a halt, `up` becomes
/// `false` at a crash and `true` at a restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Change {
    /// Of the variable or parameter.
    pub name: String,
    /// As the language writes it.
    pub value: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// One event: who did what for which reason, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct TraceEvent {
    /// Its number in the run, from 0.
    pub index: u64,
    /// The position of the process that acted.
    pub process: u32,
    /// The instant at which it happened; None where there is no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// As the program names it: `active: receive e`. What no program does is called `crash`, `lost`, and so on.
    pub action: String,
    /// Messages that it took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Message>,
    /// The message that woke the process by its arrival (`on arrival`), and stays where it is until it is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrived: Option<Message>,
    /// Messages on their way to the process that have gone: lost, or arrived where nobody is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Message>,
    /// Messages that it sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<Message>,
    /// The message sent is no new one, but a copy of this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<u32>,
    /// Only the variables whose value is another one than before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The responder of an interaction, and what became of its variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Responder>,
    /// Calls, returns and upcalls at the problem's interface: `call enter`, `upcall deliver(3)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<String>,
    /// Messages in the longest causal chain that ends here.
    pub depth: u64,
    /// With the process, everything a replay needs: see [`step`].
    #[serde(rename = "step", with = "step::text_form")]
    pub choice: step::Choice,
}

/// The other process of an interaction: the event is one of both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Responder {
    /// Its position.
    pub process: u32,
    /// As for the process that acts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A message at one of its ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[warn(missing_docs)]
pub struct Message {
    /// Numbered from 0 in the order of sending.
    pub id: u32,
    /// `Request(3, 4)`; a bare value in parentheses: `(4)`.
    pub text: String,
    /// The other end: receiver of a message sent, sender of one received.
    pub peer: u32,
}

/// How the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[warn(missing_docs)]
pub enum End {
    /// All processes have halted.
    Terminated,
    /// Nothing is in flight, and everyone has halted or waits for input.
    Quiescent,
    /// Somebody can never go on.
    Stuck,
    /// A limit on steps or time was reached, or the run was stopped.
    Limit,
    /// It goes on, and was stopped where running on would show nothing more of its properties.
    Settled,
    /// A step was an error of the program: it is the last event, as far as it came.
    Aborted,
}

#[warn(missing_docs)]
impl End {
    /// All of them.
    pub const ALL: [End; 6] =
        [End::Terminated, End::Quiescent, End::Stuck, End::Settled, End::Limit, End::Aborted];

    /// Was it stopped, and could have gone on?
    pub fn goes_on(self) -> bool {
        matches!(self, End::Limit | End::Settled)
    }

    /// As it is written everywhere.
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

/// Why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[warn(missing_docs)]
pub struct TraceError {
    /// From 1; 0 when it is about the whole.
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
    /// Reads either form.
    pub fn read(text: &str) -> Result<Trace, TraceError> {
        match text.trim_start().starts_with('{') {
            true => lines::read(text),
            false => parse::read(text),
        }
    }

    /// The number of processes.
    pub fn n(&self) -> usize {
        self.header.ids.len()
    }

    /// What begins with an event, where several processes step together: `round 3`; `2 rounds pass` before who wakes or comes back;
    /// `together`, and `alone` for a move of one process that follows one of several.
    pub fn begins(&self, event: usize) -> Option<String> {
        let cause = |back: usize| {
            let events = self.events.get(event.checked_sub(back)?)?;
            Some(&events.choice.cause)
        };
        let (last, more) = (Cause::Move { last: true }, Cause::Move { last: false });
        match cause(0)? {
            Cause::Round { round } if cause(1) != cause(0) => Some(format!("round {round}")),
            // Where time passes, it is told otherwise.
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

    /// Does this event, by its place in the list, begin what comes again and again?
    pub fn goes_round_from(&self, event: usize) -> bool {
        let from = self.header.repeats_from;
        from.is_some() && self.events.get(event).map(|event| event.index) == from
    }

    /// How a run that goes round for ever goes on after its last event, as a sentence without a full stop.
    pub fn round(&self) -> Option<String> {
        let from = self.header.repeats_from?;
        let violates = self.header.violates.as_ref();
        let violates = violates.map_or(String::new(), |name| format!("; that violates `{name}`"));
        Some(format!("and so on for ever, from event {from} again and again{violates}"))
    }

    /// How it ended, in a few words: `quiescent`, or `for ever from event 3`.
    pub fn ending(&self) -> String {
        match self.header.repeats_from {
            Some(from) => format!("for ever from event {from}"),
            None => self.end.as_str().into(),
        }
    }

    /// The events, to be stepped again.
    pub fn schedule(&self) -> impl Iterator<Item = Event> + '_ {
        self.events.iter().map(TraceEvent::event)
    }
}

#[warn(missing_docs)]
impl Header {
    /// Does it say of which text and by which version the run was made? Snapshots do not.
    pub fn says_origin(&self) -> bool {
        self.source != 0 || !self.synod.is_empty()
    }

    /// `p3`, or the name a scenario gave.
    pub fn name(&self, process: u32) -> String {
        match self.names.get(process as usize) {
            Some(name) => name.clone(),
            None => format!("p{process}"),
        }
    }
}

#[warn(missing_docs)]
impl TraceEvent {
    /// The event itself, to be stepped again.
    pub fn event(&self) -> Event {
        self.choice.clone().at(self.process)
    }

    /// The value a variable got in this event.
    pub fn change(&self, name: &str) -> Option<&str> {
        let mut changes = self.changes.iter();
        changes.find(|c| c.name == name).map(|c| c.value.as_str())
    }
}

#[warn(missing_docs)]
impl Change {
    /// A name and the text of its value.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Change {
        Change { name: name.into(), value: value.into() }
    }
}

#[cfg(test)]
pub(crate) mod tests;
