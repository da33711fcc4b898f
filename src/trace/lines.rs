//! The JSON Lines format of a trace, for programs: the header, a line per event, and finally `{"end": …, "hash": …}`.
//! It has the same content as the text format, and the same hash.

use super::{Change, End, FORMAT, Header, Trace, TraceError, TraceEvent, hash};
use crate::semantics::event::Cause;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    end: End,
    #[serde(with = "hash::hex")]
    hash: u64,
}

impl Trace {
    /// Return the trace as JSON Lines: the header, each event, the end. [`Trace::read`] restores the same trace.
    pub fn to_lines(&self) -> String {
        let footer = Footer { end: self.end, hash: self.hash() };
        let mut out = json(&self.header);
        for event in &self.events {
            out += &json(event);
        }
        out + &json(&footer)
    }
}

fn json(value: &impl Serialize) -> String {
    // Serialization of structs of strings, numbers and lists cannot fail.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

pub(super) fn read(input: &str) -> Result<Trace, TraceError> {
    let mut lines = (1..).zip(input.lines()).filter(|(_, l)| !l.trim().is_empty());
    let (first, line) = lines.next().ok_or_else(|| TraceError::new(0, "the file is empty"))?;
    check_version(first, line)?;
    let header: Header = parse(first, line, "a header")?;
    let mut events = Vec::new();
    for (number, line) in lines.by_ref() {
        if !line.contains("\"hash\"") || line.contains("\"process\"") {
            events.push(parse::<TraceEvent>(number, line, "an event")?);
            continue;
        }
        let footer: Footer = parse(number, line, "the last line")?;
        let trace = Trace { header, events, end: footer.end };
        if let Some((extra, _)) = lines.next() {
            return Err(TraceError::new(extra, "the line with `hash` must be the last"));
        }
        validate(&trace)?;
        check_hash(&trace, footer.hash, number)?;
        return Ok(trace);
    }
    let last = input.lines().count();
    Err(TraceError::new(
        0,
        format!(
            "the trace ends at line {last} without its final line {{\"end\": …, \"hash\": …}}: it was cut off"
        ),
    ))
}

fn check_version(number: usize, line: &str) -> Result<(), TraceError> {
    #[derive(Deserialize)]
    struct Version {
        synod_trace: u32,
    }
    match serde_json::from_str::<Version>(line) {
        Ok(Version { synod_trace: FORMAT }) => Ok(()),
        Ok(Version { synod_trace }) => Err(TraceError::new(
            number,
            format!("the trace has format {synod_trace}, but this Synod reads format {FORMAT}"),
        )),
        Err(_) => Err(TraceError::new(
            number,
            "not a Synod trace: one in JSON Lines begins with {\"synod_trace\":1, …}",
        )),
    }
}

fn parse<T: for<'a> Deserialize<'a>>(number: usize, line: &str, what: &str) -> Result<T, TraceError> {
    serde_json::from_str(line).map_err(|e| {
        let cut = if e.is_eof() { " (the trace was cut off in this line)" } else { "" };
        // serde says «at line 1 column 7» of the line.
        let said = e.to_string().replace(" at line 1 column ", " at column ");
        TraceError::new(number, format!("expected {what}: {said}{cut}"))
    })
}

pub(super) fn check_hash(trace: &Trace, said: u64, line: usize) -> Result<(), TraceError> {
    let found = trace.hash();
    match said == found {
        true => Ok(()),
        false => Err(TraceError::new(
            line,
            format!(
                "the final hash is {}, but the lines above give {}: the trace was modified",
                hash::show(said),
                hash::show(found)
            ),
        )),
    }
}

/// Check the requirements of both formats, so that each can be converted to the other.
pub(super) fn validate(trace: &Trace) -> Result<(), TraceError> {
    let header = &trace.header;
    let n = header.ids.len();
    let fail = |message: String| Err(TraceError::new(0, message));
    for (what, length) in [
        ("names", header.names.len()),
        ("roles", header.roles.len()),
        ("initial values", header.initial.len()),
    ] {
        if length != 0 && length != n {
            return fail(format!("the header has {n} ids and {length} {what}"));
        }
    }
    if !header.faults.is_empty() {
        column(&header.faults, "the header")?;
    }
    for text in [&header.algorithm, &header.network, &header.schedule] {
        column(text, "the header")?;
    }
    if header.has_origin() {
        column(&header.synod, "the header")?;
    }
    for name in header.names.iter().chain(&header.roles) {
        if name.contains(',') {
            return fail(format!("the name {name:?} contains a comma"));
        }
        column(name, "the header")?;
    }
    let given = header.params.iter().chain(&header.initially);
    changes(given.chain(header.initial.iter().flatten()), "the header")?;
    if let Some(from) = header.repeats_from {
        let events = trace.events.len();
        if from >= events as u64 {
            return fail(format!("it repeats from event {from}, but has only {events} events"));
        }
        if !trace.end.is_unfinished() {
            return fail(format!("it repeats from event {from}, but its end is `{}`", trace.end.as_str()));
        }
    }
    if let Some(property) = &header.violates {
        column(property, "the header")?;
        if header.repeats_from.is_none() {
            return fail(format!("it violates {property} by a cycle, but the line `repeats` is missing"));
        }
    }
    if let Some(verdict) = &header.verdict {
        column(verdict, "the header")?;
    }
    let events = trace.events.len();
    if let Some(at) = header.violated_at.filter(|at| *at >= events as u64) {
        return fail(format!("it violates a property at event {at}, but has only {events} events"));
    }
    if header.initiators.iter().flatten().any(|p| p.index() >= n) {
        return fail(format!("an initiator is not among the {n} processes"));
    }
    for (index, event) in (0u64..).zip(&trace.events) {
        let here = format!("event {}", event.index);
        if event.index != index {
            return fail(match index {
                0 => format!("event 0 is missing: the trace begins with {here}"),
                _ => format!("event {index} is missing: {here} follows event {}", index - 1),
            });
        }
        let ends = event.received.iter().chain(&event.arrived).chain(&event.lost).chain(&event.sent);
        let with = event.with.iter().map(|with| with.process);
        for process in ends.clone().map(|m| m.peer).chain([event.process]).chain(with) {
            if process.index() >= n {
                return fail(format!("{here}: no process {} among {n}", process.0));
            }
        }
        column(&event.action, &here)?;
        for text in ends.map(|m| &m.text).chain(&event.observations) {
            column(text, &here)?;
        }
        changes(event.changes.iter().chain(event.with.iter().flat_map(|w| &w.changes)), &here)?;
        if event.with.as_ref().is_some_and(|with| with.process == event.process) {
            return fail(format!("{here}: {} cannot interact with itself", event.process));
        }
        let undone = trace.end == End::Aborted && index + 1 == trace.events.len() as u64;
        if matches!(event.choice.cause, Cause::Deliver { .. })
            && event.received.is_empty()
            && event.arrived.is_none()
            && event.lost.is_empty()
            && !undone
        {
            return fail(format!("{here}: the delivered message is missing"));
        }
    }
    Ok(())
}

fn changes<'a>(all: impl Iterator<Item = &'a Change>, place: &str) -> Result<(), TraceError> {
    for Change { name, value } in all {
        let letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
        if name.is_empty() || !name.chars().all(letter) {
            return Err(TraceError::new(0, format!("{place}: {name:?} is not a variable name")));
        }
        column(value, place)?;
    }
    Ok(())
}

/// Check one column of the text format; see [`super::show::column`], which converts any text to one.
fn column(text: &str, place: &str) -> Result<(), TraceError> {
    match super::show::column(text) == text {
        true => Ok(()),
        false => Err(TraceError::new(
            0,
            format!("{place}: {text:?} is empty, or contains two spaces in a row or a control character"),
        )),
    }
}
