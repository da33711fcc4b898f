//! Traces in formats of other tools: ITF (Apalache, Quint) and the logs of ShiViz. They carry less than a trace of Synod, so they can
//! be shown, drawn and queried, but not replayed. [`Imported::missing`] lists the data that a format lacks.

mod itf;
mod shiviz;

use super::show::column;
use super::step::Choice;
use super::{Change, End, FORMAT, Header, Trace, TraceError, TraceEvent};
use crate::ids::{MessageId, ProcessId};
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;

/// The name of the algorithm or the schedule, if the trace does not state it.
pub const UNKNOWN: &str = "unknown";

/// A trace from another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    pub trace: Trace,
    pub form: ForeignForm,
    /// The parts of a trace that the file lacks, as a list in words.
    pub missing: &'static str,
    /// The number of further executions in the file, which are not read.
    pub other_executions: usize,
}

/// A format of another tool that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignForm {
    Itf,
    Shiviz,
}

impl ForeignForm {
    /// Return the format of a text, if it is one of these.
    pub fn of(text: &str) -> Option<ForeignForm> {
        match itf::recognise(text) {
            true => Some(ForeignForm::Itf),
            false => shiviz::recognise(text).then_some(ForeignForm::Shiviz),
        }
    }

    /// Return the name of the format, with its article.
    pub fn as_str(self) -> &'static str {
        match self {
            ForeignForm::Itf => "a trace in ITF",
            ForeignForm::Shiviz => "a log for ShiViz",
        }
    }
}

/// Read a trace in one of the formats of other tools; `None` if the text is in none of them.
///
/// # Errors
/// If the text is incomplete or contradicts itself.
pub fn import(text: &str) -> Option<Result<Imported, TraceError>> {
    let form = ForeignForm::of(text)?;
    let read = match form {
        ForeignForm::Itf => itf::read(text).map(|(trace, missing)| (trace, missing, 0)),
        ForeignForm::Shiviz => shiviz::read(text).map(|(trace, others)| {
            (trace, "algorithm, network, ids, variables, and the choices that a replay needs", others)
        }),
    };
    Some(read.and_then(|(mut trace, missing, other_executions)| {
        super::lines::validate(&trace)?;
        set_depths(&mut trace);
        Ok(Imported { trace, form, missing, other_executions })
    }))
}

/// Set the length of the longest causal chain of messages that ends at each event.
fn set_depths(trace: &mut Trace) {
    let mut own = vec![0; trace.n()];
    let mut sent: FxHashMap<MessageId, u64> = FxHashMap::default();
    for event in &mut trace.events {
        let received = event.received.iter().filter_map(|message| sent.get(&message.id));
        let depth = received.map(|depth| depth + 1).max().unwrap_or(0).max(own[event.process.index()]);
        own[event.process.index()] = depth;
        event.depth = depth;
        sent.extend(event.sent.iter().map(|message| (message.id, depth)));
    }
}

/// Return the header of a run of this algorithm on these processes; its schedule is unknown.
fn header(algorithm: &str, names: Vec<String>) -> Header {
    let by_position = names.iter().enumerate().all(|(p, name)| *name == format!("p{p}"));
    Header {
        format: FORMAT,
        algorithm: column(algorithm),
        network: match names.len() {
            1 => "1 process".into(),
            n => format!("{n} processes"),
        },
        ids: (1..=names.len() as i64).collect(),
        names: match by_position {
            true => Vec::new(),
            false => names.iter().map(|name| column(name).replace(',', ";")).collect(),
        },
        schedule: UNKNOWN.into(),
        ..Header::default()
    }
}

/// Return the position in names such as `p12`.
fn position(name: &str) -> Option<usize> {
    name.strip_prefix('p')?.parse().ok()
}

/// Return the names in order. Default names are ordered by position, and those of processes that are not mentioned are added. Other
/// names keep their order.
fn in_order(names: Vec<String>) -> Vec<String> {
    let positions: Option<Vec<usize>> = names.iter().map(|name| position(name)).collect();
    match positions.and_then(|positions| positions.into_iter().max()) {
        Some(last) if last < 2 * names.len() + 16 => (0..=last).map(|p| format!("p{p}")).collect(),
        _ => names,
    }
}

/// Return an event without messages or changes.
fn event(index: usize, process: ProcessId, action: &str) -> TraceEvent {
    // Only the first commands may produce the initial state instead of an event.
    let cause = if action == "start" { Cause::Start } else { Cause::Internal };
    TraceEvent {
        index: index as u64,
        process,
        at: None,
        action: column(action),
        received: Vec::new(),
        arrived: None,
        lost: Vec::new(),
        sent: Vec::new(),
        copied: None,
        changes: Vec::new(),
        with: None,
        observations: Vec::new(),
        depth: 0,
        choice: Choice { wait: 0, cause, alternative: 0, choices: [].into_iter().collect() },
    }
}

/// Return a change of a variable. Signs that cannot occur in a name become `_`.
fn change(name: &str, value: &str) -> Change {
    let letter = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '.' | '\'') { c } else { '_' };
    Change::new(name.chars().map(letter).collect::<String>(), column(value))
}

fn fail<T>(line: usize, message: impl Into<String>) -> Result<T, TraceError> {
    Err(TraceError::new(line, message))
}

/// Return the outcome with this name, or `Limit` if there is none.
fn end_of(word: &str) -> End {
    End::ALL.into_iter().find(|end| end.as_str() == word).unwrap_or(End::Limit)
}
