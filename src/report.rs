//! What is said about one run, as data: for people drawn by `render::run`, for programs `--json`.
//!
//! The JSON is a contract, `docs/synod-1.schema.json`: fields are added, never renamed or removed.

#![warn(missing_docs)]

use crate::property;
use crate::source::Span;
use crate::syntax::ast::PropertyKind;
use crate::trace::{Change, End};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The value of `schema` in every JSON object Synod prints.
pub const SCHEMA: &str = "synod/1";

/// One run and what came of it.
#[derive(serde::Serialize)]
pub struct Report<'r> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `run`.
    pub command: &'static str,
    /// Its name, as its program declares it.
    pub algorithm: String,
    /// What it was run on.
    pub network: NetworkReport,
    /// Parameters, as text.
    pub params: Vec<Change>,
    /// How often what might go wrong, as `--faults` takes it; empty: nothing.
    pub faults: String,
    /// Of everything that was drawn by lot.
    pub seed: u64,
    /// Who chose the steps: `fifo`, `random`, …
    pub schedule: String,
    /// How it ended.
    pub outcome: End,
    /// It goes round for ever, with the event of this number again and again; None: it does not, or nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<u64>,
    /// It is stuck since somebody is down; None: it is not, or not for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// Why it is stuck, which limit was reached or why it was stopped, what the error was: one sentence each, with places.
    pub explanation: Vec<String>,
    /// Events, one for each message taken and each command done.
    pub steps: u64,
    /// Messages sent.
    pub messages: MessageCounts,
    /// Bits of the messages sent to others.
    pub bits: u64,
    /// Length of the longest causal chain of messages.
    pub time: u64,
    /// The instant of the last event; None where there is no time.
    pub elapsed: Option<u64>,
    /// None where there are no rounds.
    pub rounds: Option<u64>,
    /// Steps of processes that read their neighbours; None where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// The processes as they were at the end.
    pub processes: Processes<'r>,
    /// What each property of the algorithm and its problem came to.
    pub properties: Vec<PropertyReport>,
    /// What the operations of the problem cost.
    pub operations: Vec<OperationReport>,
    /// Sixteen hexadecimal digits; None when no trace was kept.
    pub trace_hash: Option<String>,
}

/// A run that is stuck in which somebody is down and does not come back, and those who are stuck wait.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Blocked {
    /// Positions of those who are down.
    pub down: Vec<u32>,
    /// The algorithm gives a `finally` up that is false at this end: to be blocked is no finding then.
    pub given_up: bool,
}

/// A network: where processes are, and what they are called.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct NetworkReport {
    /// As `--on` takes it.
    pub topology: String,
    /// The number of processes.
    pub n: u64,
    /// The id of each process, by position.
    pub ids: Vec<i64>,
}

/// Messages of a run. What a process sends to itself is counted apart.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct MessageCounts {
    /// Sent to others.
    pub total: u64,
    /// Sent by processes to themselves.
    #[serde(rename = "self")]
    pub to_self: u64,
    /// By type, in the order of the program; a bare value is called `(value)`.
    pub sent: Counts,
    /// By layer; empty for programs without layers.
    pub layers: Counts,
}

/// Names with counts, in their own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub Vec<(String, u64)>);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, count) in &self.0 {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}

/// What became of each process. There may be a million of them, and a report takes a kilobyte: they are made one by one
/// when somebody wants to see them, and not kept.
pub struct Processes<'r> {
    n: u32,
    make: Box<dyn Fn(u32) -> ProcessReport + 'r>,
}

impl<'r> Processes<'r> {
    /// `make` gives the report of a position below n.
    pub fn new(n: u32, make: impl Fn(u32) -> ProcessReport + 'r) -> Processes<'r> {
        Processes { n, make: Box::new(make) }
    }

    /// The number of processes.
    pub fn len(&self) -> usize {
        self.n as usize
    }

    /// Never: a network has processes.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The processes, by position.
    pub fn iter(&self) -> impl Iterator<Item = ProcessReport> + '_ {
        (0..self.n).map(&self.make)
    }
}

impl Serialize for Processes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

/// A process as it was at the end.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ProcessReport {
    /// Position in the topology, from 0.
    pub index: u64,
    /// `p0`, or what a scenario calls it. Not in JSON, which has positions.
    #[serde(skip)]
    pub name: String,
    /// Its id.
    pub id: i64,
    /// None for algorithms without roles.
    pub role: Option<String>,
    /// None for algorithms without control states.
    pub state: Option<String>,
    /// Has it halted?
    pub halted: bool,
    /// Is it up, and not crashed?
    pub up: bool,
    /// Its variables with their values, as the language writes them.
    pub vars: Variables,
    /// The same for the outputs of the problem.
    pub outputs: Variables,
}

/// Variables in the order of the program: an object of name and value in JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variables(pub Vec<VariableReport>);

/// A variable and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableReport {
    /// Its name.
    pub name: String,
    /// As the language writes it.
    pub text: String,
    /// See `trace::show::Show::json`.
    pub json: serde_json::Value,
}

impl Variables {
    /// The value of the variable of this name, as the language writes it.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter();
        all.find(|v| v.name == name).map(|v| v.text.as_str())
    }
}

impl Serialize for Variables {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for variable in &self.0 {
            map.serialize_entry(&variable.name, &variable.json)?;
        }
        map.end()
    }
}

/// What a property came to in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It held in this run: not a proof for others.
    Holds,
    /// It is not so, in this run.
    Violated,
    /// The run ended before it was decided.
    Pending,
    /// This kind of property, or of run, is not checked: `why` says the reason.
    NotChecked,
}

impl Verdict {
    /// As it is written everywhere: `holds`, `violated`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Pending => "pending",
            Verdict::NotChecked => "not checked",
        }
    }
}

/// What a property came to.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct PropertyReport {
    /// Its name.
    pub name: String,
    /// What it claims: something of every configuration, of the end, of costs …
    #[serde(serialize_with = "kind_word")]
    pub kind: PropertyKind,
    /// What it came to.
    pub verdict: Verdict,
    /// False: the algorithm solves its problem `without` this property, and a violation is no finding.
    pub promised: bool,
    /// For a violation: which conjunct or index failed, with the values. May be empty when it holds.
    pub why: String,
    /// The event after which it was decided.
    pub at_event: Option<u64>,
    /// `file:line:column` of the property.
    pub place: Option<String>,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Option<Span>,
}

fn kind_word<S: Serializer>(kind: &PropertyKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(property::kind_word(*kind))
}

/// Costs of one operation of the problem.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct OperationReport {
    /// Its name.
    pub name: String,
    /// How often it has been called and has returned.
    pub completed: u64,
    /// Net messages of the whole run divided by the completed operations; None when none was completed.
    pub messages_per_operation: Option<f64>,
}

impl Report<'_> {
    /// One line of JSON, with a newline.
    pub fn to_json(&self) -> String {
        // Plain structs with string keys: there is nothing that serde_json could refuse.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Was something found that should not be: a violated property, a stuck run, an error of the program?
    pub fn has_finding(&self) -> bool {
        let violated = self.properties.iter().any(|p| p.promised && p.verdict == Verdict::Violated);
        let given_up = self.blocked.as_ref().is_some_and(|blocked| blocked.given_up);
        violated || self.outcome == End::Aborted || (self.outcome == End::Stuck && !given_up)
    }
}
