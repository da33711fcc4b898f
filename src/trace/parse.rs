//! Parser of the text format. Errors name the line and what was expected; the parser never panics on any text.

use super::step::Choice;
use super::{Change, FORMAT, Header, Message, Responder, Trace, TraceError, TraceEvent, actions, hash, text};
use crate::ids::{MessageId, ProcessId};
use std::str::FromStr;

const FIRST_LINE: &str = "synod trace ";

pub(super) fn read(input: &str) -> Result<Trace, TraceError> {
    match read_lines(input) {
        // A truncated last line may cause any error; the truncation is what matters.
        Err(error) if error.line > 1 && error.line == input.lines().count() && !input.ends_with('\n') => {
            Err(TraceError::new(error.line, format!("{}; the trace was cut off in this line", error.message)))
        }
        result => result,
    }
}

fn read_lines(input: &str) -> Result<Trace, TraceError> {
    let mut lines =
        (1..).zip(input.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    check_version(lines.next())?;
    let mut header = HeaderReader::default();
    let mut events: Vec<TraceEvent> = Vec::new();
    let mut end = None;
    for (number, line) in lines.by_ref() {
        let fail = |message: String| TraceError::new(number, message);
        if line.starts_with(' ') || line.starts_with(|c: char| c.is_ascii_digit()) {
            if end.is_some() {
                return Err(fail("an event after the `end` line".into()));
            }
            events.push(event(line).map_err(fail)?);
            continue;
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match (key, value.trim()) {
            ("end", word) => {
                let known = text::end_of(word).ok_or_else(|| {
                    fail(format!(
                        "`{word}` is not an end (terminated, quiescent, stuck, settled, limit, aborted)"
                    ))
                })?;
                end = Some(known);
            }
            ("hash", digits) => {
                let said = hash::parse(digits).ok_or_else(|| {
                    fail(format!("expected a hash of 16 hexadecimal digits, not `{digits}`"))
                })?;
                let end = end.ok_or_else(|| fail("the `end` line is missing before `hash`".into()))?;
                let trace = Trace { header: header.finish()?, events, end };
                if let Some((extra, _)) = lines.next() {
                    return Err(TraceError::new(extra, "the `hash` line must be the last"));
                }
                super::lines::validate(&trace)?;
                super::lines::check_hash(&trace, said, number)?;
                return Ok(trace);
            }
            (key, _) if !events.is_empty() => {
                return Err(fail(format!("expected an event, `end` or `hash`, not `{key}`")));
            }
            (key, value) => header.line(key, value).map_err(fail)?,
        }
    }
    let last = input.lines().count();
    Err(TraceError::new(
        0,
        format!("the trace ends at line {last} without its final line `hash …`: it was cut off"),
    ))
}

fn check_version(first: Option<(usize, &str)>) -> Result<(), TraceError> {
    let foreign = "not a Synod trace: one begins with the line `synod trace 1`";
    let (number, line) = first.ok_or_else(|| TraceError::new(0, "the file is empty"))?;
    let version = line.strip_prefix(FIRST_LINE).ok_or_else(|| TraceError::new(number, foreign))?;
    match version.trim_end().parse::<u32>() {
        Ok(FORMAT) => Ok(()),
        Ok(other) => Err(TraceError::new(
            number,
            format!("the trace has format {other}, but this Synod reads format {FORMAT}"),
        )),
        Err(_) => Err(TraceError::new(number, foreign)),
    }
}

#[derive(Default)]
struct HeaderReader {
    header: Header,
    seen: Vec<String>,
}

impl HeaderReader {
    fn line(&mut self, key: &str, value: &str) -> Result<(), String> {
        let h = &mut self.header;
        match key {
            "algorithm" => h.algorithm = value.into(),
            "source" => {
                h.source = hash::parse(value)
                    .ok_or_else(|| format!("expected a hash of 16 hexadecimal digits, not `{value}`"))?;
            }
            "synod" => h.synod = value.into(),
            "network" => h.network = value.into(),
            "ids" => h.ids = list(value, |id| number(id, "an id"))?,
            "names" => h.names = list(value, |name| Ok(name.into()))?,
            "roles" => h.roles = list(value, |name| Ok(name.into()))?,
            "param" => h.params.push(assignment(key, value)?),
            "initially" => h.initially.push(assignment(key, value)?),
            "initiators" => {
                h.initiators = match value {
                    "all" => None,
                    "none" => Some(Vec::new()),
                    value => Some(list(value, process)?),
                };
            }
            "daemon" => {
                if !crate::ir::Daemon::ALL.iter().any(|daemon| daemon.as_str() == value) {
                    return Err(format!("`{value}` is not a daemon (central, synchronous, distributed)"));
                }
                h.daemon = Some(value.into());
            }
            "faults" => h.faults = value.into(),
            "schedule" => h.schedule = value.into(),
            "seed" => h.seed = number(value, "a seed")?,
            "repeats" => {
                let event = value.strip_prefix("from event ");
                let event = event.ok_or("expected `from event` and a number after `repeats`")?;
                h.repeats_from = Some(number(event, "the number of an event")?);
            }
            "violates" => h.violates = Some(value.into()),
            "verdict" => h.verdict = Some(value.into()),
            "violated" => {
                let event = value.strip_prefix("at event ");
                let event = event.ok_or("expected `at event` and a number after `violated`")?;
                h.violated_at = Some(number(event, "the number of an event")?);
            }
            "initial" => {
                let mut columns = columns(value);
                let p = process(columns.next().unwrap_or(""))?;
                if p.index() != h.initial.len() {
                    return Err(format!("expected p{}, not {p}", h.initial.len()));
                }
                h.initial.push(columns.map(change).collect::<Result<_, _>>()?);
            }
            other => return Err(format!("unknown header line `{other}`")),
        }
        if !matches!(key, "param" | "initially" | "initial") {
            if self.seen.iter().any(|k| k == key) {
                return Err(format!("a second line `{key}`"));
            }
            self.seen.push(key.into());
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Header, TraceError> {
        let has = |key: &str| self.seen.iter().any(|k| k == key);
        // Snapshots contain neither program hash nor version; a trace with one needs both.
        let origin: &[&str] = if has("source") || has("synod") { &["source", "synod"] } else { &[] };
        let needed = ["algorithm", "network", "ids", "initiators", "schedule", "seed"];
        for key in origin.iter().chain(&needed) {
            if !has(key) {
                return Err(TraceError::new(0, format!("the header has no line `{key}`")));
            }
        }
        self.header.format = FORMAT;
        Ok(self.header)
    }
}

fn event(line: &str) -> Result<TraceEvent, String> {
    let mut columns = columns(line).peekable();
    let index = number(columns.next().unwrap_or(""), "the number of an event")?;
    let at = match columns.peek().and_then(|column| column.strip_prefix("at ")) {
        Some(at) => Some(number(at, "a time after `at`")?),
        None => None,
    };
    if at.is_some() {
        columns.next();
    }
    let process = process(columns.next().unwrap_or(""))?;
    let action = actions::present(columns.next().ok_or("the action is missing after the process")?).into();
    let mut event = TraceEvent {
        index,
        process,
        at,
        action,
        received: Vec::new(),
        arrived: None,
        lost: Vec::new(),
        sent: Vec::new(),
        copied: None,
        with: None,
        changes: Vec::new(),
        observations: Vec::new(),
        depth: 0,
        choice: Choice::parse("start")?,
    };
    for column in columns.by_ref() {
        if let Some(rest) = column.strip_prefix("<- ") {
            event.received.push(message(rest, " from ")?);
        } else if let Some(rest) = column.strip_prefix("|- ") {
            if event.arrived.replace(message(rest, " from ")?).is_some() {
                return Err(format!("a second arriving message: `{column}`"));
            }
        } else if let Some(rest) = column.strip_prefix("x- ") {
            event.lost.push(message(rest, " from ")?);
        } else if let Some(original) = column.strip_prefix("copy m") {
            event.copied = Some(MessageId(number(original, "a message number after `copy m`")?));
        } else if let Some(rest) = column.strip_prefix("-> ") {
            event.sent.push(message(rest, " to ")?);
        } else if let Some(rest) = column.strip_prefix("with ") {
            event.with = Some(responder(rest)?);
        } else if let Some(with) = &mut event.with
            && let Some(rest) = column.strip_prefix(&format!("{}.", with.process))
        {
            with.changes.push(change(rest)?);
        } else if let Some(rest) = column.strip_prefix('!') {
            event.observations.push(rest.into());
        } else if let Some(rest) = column.strip_prefix('@') {
            event.depth = number(rest, "a length after `@`")?;
            let step = columns.next().unwrap_or("");
            let inside = step.strip_prefix('[').and_then(|s| s.strip_suffix(']'));
            let inside = inside.ok_or_else(|| format!("expected `[step]` after `@{rest}`, not `{step}`"))?;
            event.choice = Choice::parse(inside)?;
            return match columns.next() {
                None => Ok(event),
                Some(more) => Err(format!("unexpected `{more}` after the step in brackets")),
            };
        } else {
            event.changes.push(change(column)?);
        }
    }
    Err("the columns `@depth  [step]` are missing at the end".into())
}

fn responder(column: &str) -> Result<Responder, String> {
    Ok(Responder { process: process(column)?, changes: Vec::new() })
}

/// Parse a message: `m7 Request(3) from p2`.
fn message(text: &str, end: &str) -> Result<Message, String> {
    let parts = text.split_once(' ').and_then(|(id, rest)| {
        let (text, peer) = rest.rsplit_once(end)?;
        Some((id.strip_prefix('m')?, text, peer))
    });
    let (id, text, peer) = parts.ok_or_else(|| format!("expected `m7 Message{end}p2`, not `{text}`"))?;
    Ok(Message {
        id: MessageId(number(id, "a message number after `m`")?),
        text: text.into(),
        peer: process(peer)?,
    })
}

/// Parse `name = value`.
fn assignment(key: &str, text: &str) -> Result<Change, String> {
    let parts = text.split_once(" = ");
    let (name, value) = parts.ok_or_else(|| format!("expected `name = value` after `{key}`"))?;
    Ok(Change::new(name, value))
}

fn change(column: &str) -> Result<Change, String> {
    match column.split_once('=') {
        Some((name, value)) => Ok(Change::new(name, value)),
        None => Err(format!(
            "unexpected column `{column}`: expected `<- …`, `-> …`, `variable=value`, `!…` or `@depth  [step]`"
        )),
    }
}

fn process(text: &str) -> Result<ProcessId, String> {
    match text.strip_prefix('p') {
        Some(digits) => number(digits, "the number of a process after `p`").map(ProcessId),
        None => Err(format!("expected a process such as `p0`, not `{text}`")),
    }
}

fn number<T: FromStr + ToString>(text: &str, what: &str) -> Result<T, String> {
    // Only the canonical form, so that the text written equals the text read.
    let number = text.parse::<T>().ok().filter(|n| n.to_string() == text);
    number.ok_or_else(|| format!("expected {what}, not `{text}`"))
}

fn list<T>(text: &str, item: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    match text {
        "" => Ok(Vec::new()),
        text => text.split(", ").map(item).collect(),
    }
}

fn columns(line: &str) -> impl Iterator<Item = &str> {
    line.split("  ").map(|c| c.trim_matches(' ')).filter(|c| !c.is_empty())
}
