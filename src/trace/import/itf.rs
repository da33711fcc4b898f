//! ITF: a sequence of states. In a trace that Synod exported, each state names its event. In any other trace, the changes between
//! states are the events of one process.

use super::{UNKNOWN, change, end_of, event, fail, header, in_order};
use crate::ids::{MessageId, ProcessId};
use crate::trace::{Change, Message, Responder, Trace, TraceError};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// The variable of the messages in transit, as the export names it.
const IN_FLIGHT: &str = "in flight";

/// The name of the only process of a foreign trace.
const WHOLE: &str = "system";

type State = Map<String, Value>;

pub(super) fn recognise(text: &str) -> bool {
    let contains = |key: &str| text.contains(&format!("\"{key}\""));
    let is_own = contains("synod_trace") || contains("schema");
    text.trim_start().starts_with('{')
        && contains("states")
        && !is_own
        && (contains("ITF") || contains("vars"))
}

pub(super) fn read(text: &str) -> Result<(Trace, &'static str), TraceError> {
    let whole: Value =
        serde_json::from_str(text).or_else(|error| fail(error.line(), format!("not valid JSON: {error}")))?;
    let Some(states) = whole["states"].as_array().filter(|states| !states.is_empty()) else {
        return fail(0, "an ITF trace has a list `states` with at least one state");
    };
    let states: Option<Vec<&State>> = states.iter().map(Value::as_object).collect();
    let Some(states) = states else { return fail(0, "each of the `states` must be an object") };
    if whole["vars"].as_array().is_none_or(Vec::is_empty) {
        return fail(0, "an ITF trace names its variables in a list `vars`; this one names none");
    }
    let is_own =
        states[1..].iter().all(|state| state.get("#meta").is_some_and(|meta| meta["process"].is_string()));
    let mut trace = if is_own { Exported::new(&whole, &states).trace()? } else { foreign(&whole, &states) };
    if let Some(from) = whole["loop"].as_u64() {
        trace.header.repeats_from = Some(from);
    }
    let missing = match is_own {
        true => "ids, parameters, and the choices that a replay needs",
        false => "processes, messages, and the choices that a replay needs: it is shown as one process",
    };
    Ok((trace, missing))
}

/// A trace that Synod exported.
struct Exported<'a> {
    whole: &'a Value,
    states: &'a [&'a State],
    names: Vec<String>,
    /// All messages that are in transit in some state: sender, receiver and text by number.
    messages: FxHashMap<MessageId, (ProcessId, ProcessId, String)>,
}

impl<'a> Exported<'a> {
    fn new(whole: &'a Value, states: &'a [&'a State]) -> Exported<'a> {
        let mut names: Vec<String> = Vec::new();
        let mut mention = |name: &Value| {
            if let Some(name) = name.as_str().filter(|name| !names.iter().any(|known| known == name)) {
                names.push(name.into());
            }
        };
        for state in states {
            for (name, value) in state.iter().filter(|(name, _)| *name != "#meta") {
                match name == IN_FLIGHT {
                    true => messages_in(value)
                        .for_each(|m| [&m["from"], &m["to"]].into_iter().for_each(&mut mention)),
                    false => pairs(value).for_each(|(process, _)| mention(process)),
                }
            }
            state.get("#meta").into_iter().for_each(|meta| mention(&meta["process"]));
        }
        let mut exported = Exported { whole, states, names: in_order(names), messages: FxHashMap::default() };
        for state in states {
            for message in state.get(IN_FLIGHT).into_iter().flat_map(messages_in) {
                let end = |which: &str| message[which].as_str().and_then(|name| exported.process(name));
                let text = message["message"].as_str().unwrap_or("-").to_string();
                if let (Some(id), Some(from), Some(to)) = (number(&message["id"]), end("from"), end("to")) {
                    exported.messages.insert(MessageId(id), (from, to, text));
                }
            }
        }
        exported
    }

    fn process(&self, name: &str) -> Option<ProcessId> {
        self.names.iter().position(|own| own == name).map(|p| ProcessId(p as u32))
    }

    fn trace(&self) -> Result<Trace, TraceError> {
        let mut own = header(self.whole["#meta"]["source"].as_str().unwrap_or(UNKNOWN), self.names.clone());
        // `Synod 0.1.0: ALGORITHM on NETWORK, schedule S, seed N; quiescent`
        let described = self.whole["#meta"]["description"].as_str().unwrap_or("");
        let (run, end) = described.rsplit_once("; ").unwrap_or((described, ""));
        if let Some((network, schedule)) = run
            .split_once(&format!(": {} on ", own.algorithm))
            .and_then(|(_, run)| run.rsplit_once(", schedule "))
        {
            let (schedule, seed) = schedule.rsplit_once(", seed ").unwrap_or((schedule, ""));
            (own.network, own.schedule) = (super::column(network), super::column(schedule));
            own.seed = seed.parse().unwrap_or(0);
        }
        own.initial = (0..self.names.len()).map(|p| self.changes(None, self.states[0], p)).collect();
        let mut events = Vec::new();
        for (index, pair) in self.states.windows(2).enumerate() {
            let (before, after) = (pair[0], pair[1]);
            let meta = &after["#meta"];
            let text = |name: &str| meta[name].as_str().unwrap_or("");
            let Some(process) = self.process(text("process")) else {
                return fail(0, format!("state {} names no process", index + 1));
            };
            let mut now = event(index, process, text("action"));
            now.at = text("at").parse().ok();
            now.received = self.ends(text("received"), process, false);
            now.lost = self.ends(text("lost"), process, false);
            now.arrived = self.ends(text("arrived"), process, false).into_iter().next();
            now.sent = self.ends(text("sent"), process, true);
            now.observations =
                text("observations").split("; ").filter(|o| !o.is_empty()).map(super::column).collect();
            now.changes = self.changes(Some(before), after, process.index());
            let mut others = (0..self.names.len()).filter(|p| *p != process.index());
            now.with = others.find_map(|p| {
                let changes = self.changes(Some(before), after, p);
                (!changes.is_empty()).then_some(Responder { process: ProcessId(p as u32), changes })
            });
            events.push(now);
        }
        Ok(Trace { header: own, events, end: end_of(end) })
    }

    /// Return the messages of a list such as `m1, m4`, seen from a process.
    fn ends(&self, list: &str, process: ProcessId, is_sender: bool) -> Vec<Message> {
        let ids = list.split(", ").filter_map(|id| id.strip_prefix('m')?.parse().ok().map(MessageId));
        let message = |id: MessageId| match self.messages.get(&id) {
            Some((from, to, text)) => {
                Message { id, text: super::column(text), peer: if is_sender { *to } else { *from } }
            }
            // A message to oneself that arrives in the step that sends it is in no state.
            None => Message { id, text: "-".into(), peer: process },
        };
        ids.map(message).collect()
    }

    /// Return the variables of a process that differ between two states, or all variables if there is no earlier state.
    fn changes(&self, before: Option<&State>, after: &State, process: usize) -> Vec<Change> {
        let own = self.names[process].as_str();
        let of = |state: &State, name: &str| -> Option<Value> {
            let mut pairs = pairs(state.get(name)?);
            pairs.find(|(process, _)| process.as_str() == Some(own)).map(|(_, value)| value.clone())
        };
        let variables = self.whole["vars"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let variables = variables.filter(|name| *name != IN_FLIGHT);
        let changed = variables.filter_map(|name| {
            let value = of(after, name)?;
            let before = before.and_then(|before| of(before, name));
            (before.as_ref() != Some(&value)).then(|| change(name, &shown(&value)))
        });
        changed.collect()
    }
}

/// Read a trace of another tool: one process, whose variables are those of the states.
fn foreign(whole: &Value, states: &[&State]) -> Trace {
    let source = whole["#meta"]["source"].as_str().or(whole["#meta"]["description"].as_str());
    let mut own = header(source.unwrap_or(UNKNOWN), vec![WHOLE.into()]);
    let is_variable = |name: &&String| !name.starts_with('#') && !name.starts_with("mbt::");
    let changes = |before: Option<&State>, after: &State| -> Vec<Change> {
        let changed = after.iter().filter(|(name, _)| is_variable(name));
        let changed =
            changed.filter(|(name, value)| before.is_none_or(|before| before.get(*name) != Some(value)));
        changed.map(|(name, value)| change(name, &shown(value))).collect()
    };
    own.initial = vec![changes(None, states[0])];
    let events = states.windows(2).enumerate().map(|(index, pair)| {
        let action = pair[1].get("mbt::actionTaken").and_then(Value::as_str);
        let action = action.or_else(|| pair[1].get("#meta").and_then(|meta| meta["action"].as_str()));
        let mut now = event(index, ProcessId(0), action.unwrap_or("step"));
        now.changes = changes(Some(pair[0]), pair[1]);
        now
    });
    Trace { header: own, events: events.collect(), end: end_of("limit") }
}

/// Iterate over the pairs of a map.
fn pairs(value: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let pairs = value["#map"].as_array().into_iter().flatten();
    pairs.filter_map(|pair| Some((pair.get(0)?, pair.get(1)?)))
}

/// Iterate over the messages in transit.
fn messages_in(value: &Value) -> impl Iterator<Item = &Value> {
    value["#set"].as_array().into_iter().flatten()
}

fn number(value: &Value) -> Option<u32> {
    match value["#bigint"].as_str() {
        Some(digits) => digits.parse().ok(),
        None => value.as_u64()?.try_into().ok(),
    }
}

/// Return a value in the syntax of Synod, as far as it has one.
fn shown(value: &Value) -> String {
    let list = |parts: &[Value]| parts.iter().map(shown).collect::<Vec<_>>().join(", ");
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => format!("[{}]", list(parts)),
        Value::Object(object) => match object.iter().next() {
            Some((key, Value::String(digits))) if key == "#bigint" => digits.clone(),
            Some((key, Value::Array(parts))) if key == "#set" => format!("{{{}}}", list(parts)),
            Some((key, Value::Array(parts))) if key == "#tup" => format!("({})", list(parts)),
            Some((key, Value::Array(parts))) if key == "#map" => match parts.is_empty() {
                true => "{:}".into(),
                false => {
                    let pair = |pair: &Value| format!("{}: {}", shown(&pair[0]), shown(&pair[1]));
                    format!("{{{}}}", parts.iter().map(pair).collect::<Vec<_>>().join(", "))
                }
            },
            // A variant.
            _ if object.len() == 2 && object.contains_key("tag") && object.contains_key("value") => {
                let (tag, value) = (shown(&object["tag"]), shown(&object["value"]));
                if value.starts_with('(') { format!("{tag}{value}") } else { format!("{tag}({value})") }
            }
            // A record.
            _ => {
                let field = |(name, value): (&String, &Value)| format!("{name}: {}", shown(value));
                format!("({})", object.iter().map(field).collect::<Vec<_>>().join(", "))
            }
        },
        other => other.to_string(),
    }
}
