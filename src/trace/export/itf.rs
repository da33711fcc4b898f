//! Apalache's Informal Trace Format, which Quint and the trace viewers of TLA+ read (Apalache, ADR 015): the sequence
//! of configurations. A variable of the processes is a function from their names to its values; `in flight` is the set
//! of the messages in transit. Configurations are computed from the initial values and the changes of events.

use crate::ids::{MessageId, ProcessId};
use crate::prose::with_names;
use crate::trace::show::unquoted;
use crate::trace::{Change, Message, Trace};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Maximum nesting depth of values, since the parser recurses; deeper ones, which no program produces, remain text.
const MOST_DEPTH: usize = 64;

/// The variable of the messages in transit. A space distinguishes it from all names of programs.
const IN_FLIGHT: &str = "in flight";

pub fn itf(trace: &Trace) -> String {
    let header = &trace.header;
    let mut configuration = Configuration::initial(trace);
    let mut names: Vec<String> = configuration.values.keys().cloned().collect();
    let all = trace
        .events
        .iter()
        .flat_map(|event| event.changes.iter().chain(event.with.iter().flat_map(|with| &with.changes)));
    for change in all {
        if !names.contains(&change.name) {
            names.push(change.name.clone());
        }
    }
    names.push(IN_FLIGHT.into());
    let mut states = vec![configuration.state(trace, &names, json!({ "index": 0, "action": "initial" }))];
    for event in &trace.events {
        configuration.apply(event.process, &event.changes, &header.names);
        if let Some(with) = &event.with {
            configuration.apply(with.process, &with.changes, &header.names);
        }
        for message in event.received.iter().chain(&event.lost) {
            configuration.in_flight.remove(&message.id);
        }
        for message in &event.sent {
            configuration.in_flight.insert(
                message.id,
                json!({
                    "id": number(message.id.0.into()),
                    "from": trace.header.name(event.process),
                    "to": trace.header.name(message.peer),
                    "message": header.shown(&message.text),
                }),
            );
        }
        // A message to oneself may arrive in the step that sends it.
        for message in &event.received {
            configuration.in_flight.remove(&message.id);
        }
        let ids = |list: &[Message]| list.iter().map(|m| m.id.to_string()).collect::<Vec<_>>().join(", ");
        // Readers (the crate itf) require texts here, except for the index.
        let mut meta = json!({
            "index": event.index + 1,
            "event": event.index.to_string(),
            "process": trace.header.name(event.process),
            "action": header.shown_action(event),
        });
        let more = [
            ("at", event.at.map_or_else(String::new, |at| at.to_string())),
            ("received", ids(&event.received)),
            ("arrived", ids(event.arrived.as_slice())),
            ("lost", ids(&event.lost)),
            ("sent", ids(&event.sent)),
            ("observations", header.shown(&event.observations.join("; ")).into_owned()),
        ];
        for (name, text) in more.into_iter().filter(|(_, text)| !text.is_empty()) {
            meta[name] = json!(text);
        }
        states.push(configuration.state(trace, &names, meta));
    }
    let mut whole = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": trace.header.algorithm,
            "description": format!("{}: {}; {}", made_by(trace), trace.title(), trace.ending()),
        },
        "params": [],
        "vars": names,
        "states": states,
    });
    // The state before the first event of the cycle.
    if let Some(from) = trace.header.repeats_from {
        whole["loop"] = json!(from);
    }
    whole.to_string() + "\n"
}

/// `Synod 0.1.0`; without a version for snapshots.
fn made_by(trace: &Trace) -> String {
    format!("Synod {}", trace.header.synod).trim_end().to_string()
}

struct Configuration {
    /// By variable and process.
    values: BTreeMap<String, BTreeMap<ProcessId, Value>>,
    in_flight: BTreeMap<MessageId, Value>,
}

impl Configuration {
    fn initial(trace: &Trace) -> Configuration {
        let mut configuration = Configuration { values: BTreeMap::new(), in_flight: BTreeMap::new() };
        for (process, changes) in (0..).map(ProcessId).zip(&trace.header.initial) {
            configuration.apply(process, changes, &trace.header.names);
        }
        // Traces record these two variables only when they change.
        let mentioned = |name: &str| trace.events.iter().any(|event| event.change(name).is_some());
        for (name, value) in [("halted", false), ("up", true)] {
            if mentioned(name) {
                let of = configuration.values.entry(name.into()).or_default();
                trace.processes().for_each(|p| {
                    of.entry(p).or_insert(Value::Bool(value));
                });
            }
        }
        configuration
    }

    fn apply(&mut self, process: ProcessId, changes: &[Change], names: &[String]) {
        for change in changes {
            let value = value(&change.value, names);
            self.values.entry(change.name.clone()).or_default().insert(process, value);
        }
    }

    fn state(&self, trace: &Trace, names: &[String], meta: Value) -> Value {
        let mut state = Map::new();
        state.insert("#meta".into(), meta);
        for name in names.iter().filter(|name| *name != IN_FLIGHT) {
            // Processes of other roles lack the variable, and a variable without an initial value is unknown.
            let of = self.values.get(name).into_iter().flatten();
            let pairs: Vec<Value> = of.map(|(p, value)| json!([trace.header.name(*p), value])).collect();
            state.insert(name.clone(), json!({ "#map": pairs }));
        }
        let messages: Vec<&Value> = self.in_flight.values().collect();
        state.insert(IN_FLIGHT.into(), json!({ "#set": messages }));
        Value::Object(state)
    }
}

fn number(n: i128) -> Value {
    json!({ "#bigint": n.to_string() })
}

/// Convert a value of Synod. Anything but numbers, Booleans, texts and collections of these remains text.
/// Processes are called by their `names`, as in the keys of functions.
pub fn value(text: &str, names: &[String]) -> Value {
    let mut parser = Parser { rest: text, names };
    match parser.value(0) {
        Some(value) if parser.rest.is_empty() => value,
        _ => Value::String(with_names(text, names).into_owned()),
    }
}

struct Parser<'a> {
    rest: &'a str,
    names: &'a [String],
}

impl Parser<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        let first = self.rest.chars().next().filter(|_| depth <= MOST_DEPTH)?;
        match first {
            '"' => {
                let (text, rest) = unquoted(self.rest).ok()?;
                self.rest = rest;
                Some(Value::String(text))
            }
            '{' if self.eat("{:}") => Some(json!({ "#map": [] })),
            '{' => self.braces(depth),
            '[' => {
                self.rest = &self.rest[1..];
                self.list("]", depth).map(Value::Array)
            }
            '(' => {
                self.rest = &self.rest[1..];
                self.list(")", depth).map(|parts| json!({ "#tup": parts }))
            }
            '-' | '0'..='9' => {
                let end = self.rest.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit());
                let (digits, rest) = self.rest.split_at(end.map_or(self.rest.len(), |(at, _)| at));
                self.rest = rest;
                digits.parse().ok().map(number)
            }
            c if c.is_alphabetic() || c == '_' => {
                let letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
                let end = self.rest.find(|c| !letter(c)).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                match word {
                    "true" => Some(Value::Bool(true)),
                    "false" => Some(Value::Bool(false)),
                    word if self.eat("(") => {
                        let parts = self.list(")", depth)?;
                        Some(json!({ "tag": word, "value": { "#tup": parts } }))
                    }
                    word => Some(Value::String(with_names(word, self.names).into_owned())),
                }
            }
            _ => None,
        }
    }

    fn list(&mut self, close: &str, depth: usize) -> Option<Vec<Value>> {
        let mut parts = Vec::new();
        while !self.eat(close) {
            if !parts.is_empty() && !self.eat(", ") {
                return None;
            }
            parts.push(self.value(depth + 1)?);
        }
        Some(parts)
    }

    /// Parse a set or a map, distinguished by the first element.
    fn braces(&mut self, depth: usize) -> Option<Value> {
        self.rest = &self.rest[1..];
        if self.eat("}") {
            return Some(json!({ "#set": [] }));
        }
        let first = self.value(depth + 1)?;
        if !self.eat(": ") {
            let mut parts = vec![first];
            while !self.eat("}") {
                if !self.eat(", ") {
                    return None;
                }
                parts.push(self.value(depth + 1)?);
            }
            return Some(json!({ "#set": parts }));
        }
        let mut pairs = vec![json!([first, self.value(depth + 1)?])];
        while !self.eat("}") {
            if !self.eat(", ") {
                return None;
            }
            let key = self.value(depth + 1)?;
            if !self.eat(": ") {
                return None;
            }
            pairs.push(json!([key, self.value(depth + 1)?]));
        }
        Some(json!({ "#map": pairs }))
    }
}
