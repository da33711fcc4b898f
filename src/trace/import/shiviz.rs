//! Logs for ShiViz: host, vector time and description of each event. The messages are inferred from the vector times, except in logs
//! that Synod wrote: their descriptions contain the messages.
//!
//! The first line of a log may be the regular expression that parses it, the second one that separates executions. In other logs, the
//! description of an event follows its time, or is a line of its own before or after it.

use super::{UNKNOWN, event, fail, header, in_order, position};
use crate::ids::{MessageId, ProcessId};
use crate::trace::{End, Message, Trace, TraceError, TraceEvent};
use regex_lite::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// One event of the log.
struct Entry<'a> {
    line: usize,
    host: &'a str,
    clock: Map<String, Value>,
    description: &'a str,
}

impl Entry<'_> {
    fn time(&self, host: &str) -> u64 {
        self.clock.get(host).and_then(Value::as_u64).unwrap_or(0)
    }

    fn sum(&self) -> u64 {
        self.clock.values().filter_map(Value::as_u64).fold(0, u64::saturating_add)
    }
}

/// Parse `HOST {"HOST":1, …}`, and return host, clock, and the rest of the line.
fn clock_line(line: &str) -> Option<(&str, Map<String, Value>, &str)> {
    let (host, rest) = line.trim().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let mut values = serde_json::Deserializer::from_str(rest.starts_with('{').then_some(rest)?).into_iter();
    let clock: Map<String, Value> = values.next()?.ok()?;
    let counts = clock.values().all(Value::is_u64) && clock.contains_key(host);
    counts.then(|| (host, clock, rest[values.byte_offset()..].trim()))
}

/// Return the lines of a log without an expression, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

/// Return whether the first line is the expression of the log.
fn has_expression(text: &str) -> bool {
    text.lines().next().is_some_and(|first| first.contains("(?<host>") && first.contains("(?<clock>"))
}

pub(super) fn recognise(text: &str) -> bool {
    has_expression(text) || lines(text).take(2).any(|(_, line)| clock_line(line).is_some())
}

/// Return the trace of the first execution, and the number of the others.
pub(super) fn read(text: &str) -> Result<(Trace, usize), TraceError> {
    let (mut entries, others) = match has_expression(text) {
        true => parsed(text)?,
        false => (entries(text)?, 0),
    };
    // A linear extension: the sum of a vector time is greater than that of every event before it.
    entries.sort_by_key(Entry::sum);
    let mut names: Vec<String> = Vec::new();
    for entry in &entries {
        if !names.iter().any(|name| name == entry.host) {
            names.push(entry.host.to_string());
        }
    }
    let has_positions = names.iter().all(|name| position(name).is_some());
    let names = in_order(names);
    let hosts: FxHashMap<&str, usize> =
        names.iter().enumerate().map(|(p, name)| (name.as_str(), p)).collect();
    check_clocks(&entries)?;
    let described: Option<Vec<TraceEvent>> = has_positions
        .then(|| {
            entries.iter().enumerate().map(|(i, entry)| described(i, entry, &hosts, names.len())).collect()
        })
        .flatten();
    let events = described.unwrap_or_else(|| derived(&entries, &hosts));
    let trace = Trace { header: header(UNKNOWN, names.clone()), events, end: End::Limit };
    Ok((trace, others))
}

/// Return the events of the first execution of a log that its own expression parses, and the number of other executions. As in ShiViz,
/// text that the expression does not match is ignored.
fn parsed(text: &str) -> Result<(Vec<Entry<'_>>, usize), TraceError> {
    let (first, log) = text.split_once('\n').unwrap_or((text, ""));
    let expression = expression(first, 1)?;
    let (second, rest) = log.split_once('\n').unwrap_or((log, ""));
    // The second line may also be missing.
    let is_event = expression.find(log).is_some_and(|event| event.start() < second.len());
    let (delimiter, log) = match (second.trim().is_empty(), is_event) {
        (true, _) => (None, rest),
        (false, false) => (Some(self::expression(second, 2)?), rest),
        (false, true) => (None, log),
    };
    let (mut executions, mut from) = (Vec::new(), text.len() - log.len());
    for found in delimiter.iter().flat_map(|delimiter| delimiter.find_iter(log)) {
        let start = text.len() - log.len();
        executions.push(from..start + found.start());
        from = start + found.end();
    }
    executions.push(from..text.len());
    executions.retain(|execution| expression.is_match(&text[execution.clone()]));
    let Some(execution) = executions.first() else { return fail(0, "the log has no events") };
    let mut entries = Vec::new();
    for found in expression.captures_iter(&text[execution.clone()]) {
        let part = |name| found.name(name).map_or("", |part| part.as_str());
        let start = execution.start + found.get(0).map_or(0, |whole| whole.start());
        let line = 1 + text[..start].matches('\n').count();
        let (host, clock) = (part("host"), part("clock"));
        let counts: Option<Map<String, Value>> = serde_json::from_str(clock).ok();
        match counts.filter(|counts| counts.values().all(Value::is_u64)) {
            Some(clock) => entries.push(Entry { line, host, clock, description: part("event").trim() }),
            None => return fail(line, format!("«{clock}» is not a vector time, such as {{\"p0\":1}}")),
        }
    }
    Ok((entries, executions.len() - 1))
}

/// Compile an expression of JavaScript, in which a brace that encloses no number of repetitions denotes itself. Lines may end with `\r\n`.
fn expression(written: &str, line: usize) -> Result<Regex, TraceError> {
    let mut own = String::new();
    let mut rest = written.trim_end();
    while let Some(sign) = rest.chars().next() {
        let after = &rest[sign.len_utf8()..];
        let length = match sign {
            '\\' => 1 + after.chars().next().map_or(0, char::len_utf8),
            _ => sign.len_utf8(),
        };
        if rest.starts_with("\\n") {
            own += "\\r?";
        }
        if sign == '{' && !after.starts_with(|next: char| next.is_ascii_digit()) {
            own.push('\\');
        }
        own += &rest[..length];
        rest = &rest[length..];
    }
    let compiled = RegexBuilder::new(&own).multi_line(true).crlf(true).build();
    compiled.or_else(|error| fail(line, format!("the regular expression cannot be read: {error}")))
}

fn entries(text: &str) -> Result<Vec<Entry<'_>>, TraceError> {
    let mut entries: Vec<Entry> = Vec::new();
    // A description on its own line precedes its clock if the log begins with a description.
    let comes_first = lines(text).next().is_some_and(|(_, first)| clock_line(first).is_none());
    let mut waiting = "";
    for (line, text) in lines(text) {
        match clock_line(text) {
            Some((host, clock, rest)) => {
                let description = if rest.is_empty() { std::mem::take(&mut waiting) } else { rest };
                entries.push(Entry { line, host, clock, description });
            }
            None if comes_first => waiting = text,
            None => match entries.last_mut().filter(|entry| entry.description.is_empty()) {
                Some(entry) => entry.description = text,
                None => return fail(line, "expected a host and its vector time, such as p0 {\"p0\":1}"),
            },
        }
    }
    match entries.is_empty() {
        true => fail(0, "the log has no events"),
        false => Ok(entries),
    }
}

/// Check that the events of each host are counted one by one.
fn check_clocks(entries: &[Entry]) -> Result<(), TraceError> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for entry in entries {
        let count = counts.entry(entry.host).or_default();
        *count += 1;
        let own = entry.time(entry.host);
        if own != *count {
            let host = entry.host;
            return fail(entry.line, format!("the clock of {host} is {own}, but this is its event {count}"));
        }
    }
    Ok(())
}

/// Return the event with the messages in its description; `None` if Synod did not write the description.
fn described(index: usize, entry: &Entry, hosts: &FxHashMap<&str, usize>, n: usize) -> Option<TraceEvent> {
    let mut parts = entry.description.split(" | ");
    let mut now = event(index, ProcessId(*hosts.get(entry.host)? as u32), parts.next()?);
    for part in parts {
        let (kind, rest) = ["received m", "woken by m", "lost m", "sent m"]
            .iter()
            .find_map(|kind| Some((*kind, part.strip_prefix(kind)?)))?;
        let (rest, peer) = rest.rsplit_once(if kind == "sent m" { " to " } else { " from " })?;
        let peer = position(peer).filter(|p| *p < n)?;
        let (id, text) = rest.split_once(' ')?;
        let message = Message {
            id: MessageId(id.parse().ok()?),
            text: super::column(text),
            peer: ProcessId(peer as u32),
        };
        match kind {
            "received m" => now.received.push(message),
            "woken by m" => now.arrived = Some(message),
            "lost m" => now.lost.push(message),
            _ => now.sent.push(message),
        }
    }
    Some(now)
}

/// Return the events with one message for each direct cause on another host.
fn derived(entries: &[Entry], hosts: &FxHashMap<&str, usize>) -> Vec<TraceEvent> {
    let process = |host: &str| ProcessId(hosts[host] as u32);
    let mut events: Vec<TraceEvent> = entries
        .iter()
        .enumerate()
        .map(|(i, entry)| event(i, process(entry.host), entry.description))
        .collect();
    // The events of each host, and the index of its nth.
    let mut own: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut messages = 0;
    for (i, entry) in entries.iter().enumerate() {
        let before = own.get(entry.host).and_then(|own| own.last()).map(|&last| &entries[last]);
        let news = entry.clock.keys().filter(|host| {
            host.as_str() != entry.host && entry.time(host) > before.map_or(0, |before| before.time(host))
        });
        let causes: Vec<usize> = news
            .filter_map(|host| {
                own.get(host.as_str())?.get((entry.time(host) as usize).checked_sub(1)?).copied()
            })
            .collect();
        // A cause in the past of another cause is not direct.
        let direct = |cause: &&usize| {
            let cause = **cause;
            let knows = |other: &&usize| {
                **other != cause
                    && entries[**other].time(entries[cause].host) >= entries[cause].time(entries[cause].host)
            };
            !causes.iter().any(|other| knows(&other))
        };
        for &cause in causes.iter().filter(direct) {
            let text = "message".to_string();
            let sender = events[cause].process;
            events[cause].sent.push(Message {
                id: MessageId(messages),
                text: text.clone(),
                peer: process(entry.host),
            });
            events[i].received.push(Message { id: MessageId(messages), text, peer: sender });
            messages += 1;
        }
        own.entry(entry.host).or_default().push(i);
    }
    events
}
