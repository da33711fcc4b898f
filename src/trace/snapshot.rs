//! Snapshots: traces kept for comparison with later runs, without the data that may change, and with a remark on what
//! is redacted.
//!
//! A snapshot is a valid trace, so that all commands that show or compare traces accept it. It contains neither the
//! program hash nor the version of Synod: a new comment or the next version does not invalidate it.

use super::diff::{Diff, diff};
use super::{Change, Message, Trace, TraceError};
use crate::prose::matches_pattern;
use std::fmt;

/// Beginning of the remark that lists the redactions.
const LEFT_OUT: &str = "# left out: ";

/// The redactions of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redactions(Vec<Redaction>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Redaction {
    /// A variable of a process: `p*.clock`.
    Variable { process: String, name: String },
    /// Fields of the messages with this name: `Request(*)`.
    Message(String),
}

/// A run with its redactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub redactions: Redactions,
    trace: Trace,
}

impl Redactions {
    /// Parse redactions, `p*.clock, Request(*)`: variables of processes, and fields of messages; empty: none.
    ///
    /// # Errors
    /// One sentence without a full stop.
    pub fn parse(text: &str) -> Result<Redactions, String> {
        let mut all = Vec::new();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let one = match (item.strip_suffix("(*)"), item.split_once('.')) {
                (Some(name), _) => Redaction::Message(name.to_string()),
                (None, Some((process, name))) if !process.is_empty() && !name.is_empty() => {
                    Redaction::Variable { process: process.into(), name: name.into() }
                }
                _ => {
                    return Err(format!(
                        "'{item}' is neither a variable, such as p*.clock, nor the fields of a message, such as Request(*)"
                    ));
                }
            };
            if item.chars().any(|c| c.is_whitespace() || c.is_control()) {
                return Err(format!("'{item}' contains blanks"));
            }
            if !all.contains(&one) {
                all.push(one);
            }
        }
        Ok(Redactions(all))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn variable(&self, names: &[String; 2], variable: &str) -> bool {
        self.0.iter().any(|redaction| match redaction {
            Redaction::Variable { process, name } => {
                names.iter().any(|p| matches_pattern(process, p)) && matches_pattern(name, variable)
            }
            Redaction::Message(_) => false,
        })
    }

    fn message(&self, message: &mut Message) {
        let Some((kind, _)) = message.text.split_once('(') else { return };
        let matches = |redaction: &Redaction| matches!(redaction, Redaction::Message(name) if matches_pattern(name, kind));
        if self.0.iter().any(matches) {
            message.text = format!("{kind}(*)");
        }
    }

    /// Remove the redacted data from a trace.
    fn apply(&self, trace: &mut Trace) {
        if self.is_empty() {
            return;
        }
        // A process has a position, and possibly a name from a scenario.
        let names: Vec<[String; 2]> =
            trace.processes().map(|p| [p.to_string(), trace.header.name(p)]).collect();
        let clear =
            |p: usize, changes: &mut Vec<Change>| changes.retain(|c| !self.variable(&names[p], &c.name));
        for (p, variables) in trace.header.initial.iter_mut().enumerate() {
            clear(p, variables);
        }
        for event in &mut trace.events {
            clear(event.process.index(), &mut event.changes);
            if let Some(with) = &mut event.with {
                clear(with.process.index(), &mut with.changes);
            }
            let ends = event
                .received
                .iter_mut()
                .chain(&mut event.arrived)
                .chain(&mut event.lost)
                .chain(&mut event.sent);
            ends.for_each(|message| self.message(message));
        }
    }
}

/// The form that [`Redactions::parse`] reads.
impl fmt::Display for Redactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = (self.0.iter())
            .map(|redaction| match redaction {
                Redaction::Variable { process, name } => format!("{process}.{name}"),
                Redaction::Message(name) => format!("{name}(*)"),
            })
            .collect();
        f.write_str(&texts.join(", "))
    }
}

impl Snapshot {
    pub fn new(mut trace: Trace, redactions: Redactions) -> Snapshot {
        redactions.apply(&mut trace);
        trace.header.source = 0;
        trace.header.synod = String::new();
        Snapshot { redactions, trace }
    }

    /// Return the redacted trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Return the trace as text, with the redactions in a remark after its first line.
    pub fn to_text(&self) -> String {
        let text = self.trace.to_text();
        match text.split_once('\n') {
            Some((first, rest)) if !self.redactions.is_empty() => {
                format!("{first}\n{LEFT_OUT}{}\n{rest}", self.redactions)
            }
            _ => text,
        }
    }

    /// Parse the text of [`Snapshot::to_text`], or any other trace, whose origin is ignored.
    ///
    /// # Errors
    /// The line with the error.
    pub fn read(text: &str) -> Result<Snapshot, TraceError> {
        Ok(Snapshot::new(Trace::read(text)?, redactions_of(text)?))
    }

    /// Compare this accepted snapshot with another one that has the same redactions.
    pub fn diff(&self, now: &Snapshot) -> Diff {
        diff(&self.trace, &now.trace)
    }
}

/// Return the redactions in the text of a snapshot, even if the rest cannot be parsed.
///
/// # Errors
/// If the remark cannot be parsed.
pub fn redactions_of(text: &str) -> Result<Redactions, TraceError> {
    let mut remarks =
        (1..).zip(text.lines().take_while(|line| line.starts_with("synod trace") || line.starts_with('#')));
    match remarks.find_map(|(number, line)| Some((number, line.strip_prefix(LEFT_OUT)?))) {
        Some((number, list)) => Redactions::parse(list).map_err(|why| TraceError::new(number, why)),
        None => Ok(Redactions::default()),
    }
}
