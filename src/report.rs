//! The report of one run as data: `render::run` renders it as text, `--json` serializes it.
//!
//! The JSON format is a contract, `docs/synod-1.schema.json`: fields are added, never renamed or removed.

#![warn(missing_docs)]

use crate::ids::ProcessId;
use crate::ir::PropertyKind;
use crate::property;
use crate::source::{Sources, Span};
use crate::trace::{Change, End};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The value of `schema` in every JSON object that Synod prints.
pub const SCHEMA: &str = "synod/1";

/// The outcome of a command that completed its task. Later cases take precedence over earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Nothing is wrong.
    Success,
    /// A limit was reached before the verdict was known.
    Limit,
    /// A property is violated, or a test failed. It takes precedence over a limit.
    Finding,
    /// A counterexample cannot be replayed: a bug in Synod. It takes precedence over everything else.
    Disagreement,
}

/// The report of one run.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Report<'r> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `run`.
    pub command: &'static str,
    /// Name of the algorithm, as the program declares it.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub algorithm: String,
    /// The network of the run.
    pub network: NetworkReport,
    /// Values of the parameters, as text.
    pub params: Vec<Change>,
    /// Fault budget, as `--faults` takes it; empty without faults.
    pub faults: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// The scheduler: `fifo`, `random`, …
    pub schedule: String,
    /// Outcome of the run.
    pub outcome: End,
    /// First event of the cycle that the run repeats (a lasso); `None` if no cycle is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    pub repeats_from: Option<u64>,
    /// Present if the run is blocked: stuck, with a process down, and all stuck processes waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "Blocked"))]
    pub blocked: Option<Blocked>,
    /// Reasons for the outcome, one sentence each, with places: the deadlock, the limit, the reason for stopping, or
    /// the error.
    pub explanation: Vec<String>,
    /// Number of events: one for each message taken and each command executed.
    pub steps: u64,
    /// Messages sent.
    pub messages: MessageCounts,
    /// Bits of the messages sent to others.
    pub bits: u64,
    /// Length of the longest causal chain of messages.
    pub time: u64,
    /// Time of the last event; `None` without time.
    pub elapsed: Option<u64>,
    /// Rounds that have ended; `None` without rounds.
    pub rounds: Option<u64>,
    /// Steps of processes that read their neighbours; `None` in other models.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    pub moves: Option<u64>,
    /// Final states of the processes.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<ProcessReport>"))]
    pub processes: Processes<'r>,
    /// Verdicts of the properties of the algorithm and its problem.
    pub properties: Vec<PropertyReport>,
    /// Costs of the operations of the problem.
    pub operations: Vec<OperationReport>,
    /// Trace hash, 16 hexadecimal digits; `None` if no trace was asked for.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9a-f]{16}$")))]
    pub trace_hash: Option<String>,
}

/// A blocked end: a stuck run in which a process is down for good and all stuck processes are waiting.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Blocked {
    /// Positions of the processes that are down.
    pub down: Vec<ProcessId>,
    /// Whether a waived `finally` (`without`) is false at this end: then being blocked is no finding.
    pub given_up: bool,
}

/// A network: its topology and identifiers.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NetworkReport {
    /// The topology, as `--on` takes it.
    pub topology: String,
    /// The number of processes.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub n: u64,
    /// The id of each process, by position.
    pub ids: Vec<i64>,
    /// The seed from which ports are numbered, if the program or a property can tell one numbering from another; for several runs, that of
    /// the first. Absent if the numbering is given, or unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    pub port_seed: Option<u64>,
}

/// Message counts of a run. Messages that a process sends to itself are counted separately.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MessageCounts {
    /// Messages sent to other processes.
    pub total: u64,
    /// Messages sent by processes to themselves.
    #[serde(rename = "self")]
    pub to_self: u64,
    /// Counts by type, in the order of the program; a bare value is called `(value)`.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, u64>"))]
    pub sent: Counts,
    /// Counts by layer; empty for programs without layers.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, u64>"))]
    pub layers: Counts,
}

/// Named counts, in a given order.
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

/// Final states of the processes. There may be a million, each of about a kilobyte: they are computed lazily, one by
/// one, and not kept.
pub struct Processes<'r> {
    n: u32,
    make: Box<dyn Fn(ProcessId) -> ProcessReport + 'r>,
}

impl<'r> Processes<'r> {
    /// Create the reports of `n` processes; `make` computes the report of a position below `n`.
    pub fn new(n: u32, make: impl Fn(ProcessId) -> ProcessReport + 'r) -> Processes<'r> {
        Processes { n, make: Box::new(make) }
    }

    /// The number of processes.
    pub fn len(&self) -> usize {
        self.n as usize
    }

    /// Always false: a network has processes.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The processes, by position.
    pub fn iter(&self) -> impl Iterator<Item = ProcessReport> + '_ {
        (0..self.n).map(ProcessId).map(&self.make)
    }
}

impl Serialize for Processes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

/// Final state of a process.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ProcessReport {
    /// Position in the topology, from 0.
    pub index: u64,
    /// `p0`, or its name in a scenario or network file. Values of variables refer to processes by position.
    pub name: String,
    /// Identifier.
    pub id: i64,
    /// Role; `None` for algorithms without roles.
    pub role: Option<String>,
    /// Control state; `None` for algorithms without control states.
    pub state: Option<String>,
    /// Whether the process has halted.
    pub halted: bool,
    /// Whether the process is up, that is, not crashed.
    pub up: bool,
    /// Variables with their values, in the syntax of the language.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, serde_json::Value>", extend("additionalProperties" = {"type": ["integer", "boolean", "null", "string", "array"]})))]
    pub vars: Variables,
    /// Outputs of the problem with their values.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, serde_json::Value>", extend("additionalProperties" = {"type": ["integer", "boolean", "null", "string", "array"]})))]
    pub outputs: Variables,
}

/// Variables in the order of the program; in JSON, an object from name to value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variables(pub Vec<VariableReport>);

/// A variable and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableReport {
    /// Name.
    pub name: String,
    /// Value, in the syntax of the language.
    pub text: String,
    /// Value as JSON; see `trace::show::Show::json`.
    pub json: serde_json::Value,
}

impl Variables {
    /// Return the value of the variable of this name, in the syntax of the language.
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

/// Verdict of a property in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It held in this run, which proves nothing about other runs.
    Holds,
    /// It was violated in this run.
    Violated,
    /// The run ended before the property was decided.
    Pending,
    /// The property could not be checked; `why` states the reason.
    NotChecked,
}

impl Verdict {
    /// The word for the verdict in all output: `holds`, `violated`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Pending => "pending",
            Verdict::NotChecked => "not checked",
        }
    }
}

/// Verdict of a property, with its reason.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PropertyReport {
    /// Name.
    pub name: String,
    /// Kind: `invariant`, `finally`, `bound`, …
    #[serde(serialize_with = "kind_word")]
    #[cfg_attr(feature = "schemas", schemars(with = "String", extend("enum" = ["invariant", "stable", "finally", "eventually", "settles", "leads to", "bound", "exactly", "order"])))]
    pub kind: PropertyKind,
    /// Verdict.
    pub verdict: Verdict,
    /// False if the property is waived (`without`): then a violation is no finding.
    pub promised: bool,
    /// For a violation: the conjunct or index that failed, with its values. May be empty if the property holds.
    pub why: String,
    /// Premises that never came true in this run, as the program writes them, although the property holds.
    pub never_true: Vec<String>,
    /// The event after which the verdict was known.
    pub at_event: Option<u64>,
    /// If a process crashed within its command in that event: this command.
    pub crashed_within: Option<CrashedWithin>,
    /// `file:line:column` of the declaration.
    pub place: Option<String>,
    /// Declaration.
    #[serde(skip)]
    pub span: Option<Span>,
}

/// A command within which a process crashed, so that a property was checked in an intermediate state.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CrashedWithin {
    /// Position of the process.
    pub process: ProcessId,
    /// `file:line:column` of the command.
    pub place: String,
    /// Number of its messages that were sent.
    pub sent: u32,
    /// The same in words.
    #[serde(skip)]
    pub remark: String,
}

impl CrashedWithin {
    /// Describe a command of a program with these texts.
    pub fn new(command: &property::CrashedCommand, sources: &Sources) -> CrashedWithin {
        CrashedWithin {
            process: command.process,
            place: sources.place(command.command),
            sent: command.sent,
            remark: command.remark(sources),
        }
    }
}

fn kind_word<S: Serializer>(kind: &PropertyKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(property::kind_word(*kind))
}

/// Costs of one operation of the problem.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OperationReport {
    /// Name.
    pub name: String,
    /// Number of completed calls.
    pub completed: u64,
    /// Net messages of the whole run divided by the completed calls; `None` without completed calls.
    pub messages_per_operation: Option<f64>,
}

impl Report<'_> {
    /// Return one line of JSON, with a newline.
    pub fn to_json(&self) -> String {
        // Serialization of plain structs with string keys cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Whether the run has a finding: a violated property, a deadlock, or a run-time error.
    pub fn has_finding(&self) -> bool {
        let violated = self.properties.iter().any(|p| p.promised && p.verdict == Verdict::Violated);
        let given_up = self.blocked.as_ref().is_some_and(|blocked| blocked.given_up);
        violated || self.outcome == End::Aborted || (self.outcome == End::Stuck && !given_up)
    }
}
