//! Chrome's trace events (JSON), which <https://ui.perfetto.dev> and chrome://tracing open: processes are threads,
//! control states and events slices, messages flows. Every event takes one millisecond, whatever the time of the model,
//! so that all are visible in their order.

use crate::trace::{Change, Message, Trace, TraceEvent};
use serde_json::{Value, json};

/// Distance between events, and their length, in microseconds.
const STEP: u64 = 1000;
const LENGTH: u64 = 800;

pub fn perfetto(trace: &Trace) -> String {
    let mut all = vec![
        json!({ "ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": { "name": trace.title() } }),
    ];
    for p in trace.processes() {
        let name = trace.label(p);
        all.push(
            json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": p.0 + 1, "args": { "name": name } }),
        );
        all.push(json!({ "ph": "M", "name": "thread_sort_index", "pid": 1, "tid": p.0 + 1, "args": { "sort_index": p } }));
    }
    states(trace, &mut all);
    for event in &trace.events {
        let at = time(event);
        all.push(json!({
            "ph": "X", "cat": "event", "name": event.action, "pid": 1, "tid": event.process.0 + 1, "ts": at, "dur": LENGTH,
            "args": arguments(trace, event),
        }));
        if let Some(with) = &event.with {
            let changes: Vec<String> =
                with.changes.iter().map(|c| format!("{}={}", c.name, c.value)).collect();
            all.push(json!({
                "ph": "X", "cat": "responder", "name": event.action, "pid": 1, "tid": with.process.0 + 1, "ts": at, "dur": LENGTH,
                "args": { "event": event.index, "changes": changes },
            }));
        }
        let flow = |phase: &str, m: &Message, at: u64| {
            json!({
                "ph": phase, "cat": "message", "name": format!("{} {}", m.id, m.text), "id": m.id,
                "pid": 1, "tid": event.process.0 + 1, "ts": at, "bp": "e",
            })
        };
        // Sends come after receipts, so that a flow to oneself goes forward.
        all.extend(event.sent.iter().map(|m| flow("s", m, at + LENGTH / 2)));
        let own = |m: &&Message| !event.sent.iter().any(|sent| sent.id == m.id);
        all.extend(event.received.iter().filter(own).map(|m| flow("f", m, at + LENGTH / 4)));
        all.extend(event.received.iter().filter(|m| !own(m)).map(|m| flow("f", m, at + LENGTH * 3 / 4)));
        all.extend(event.lost.iter().map(|m| flow("f", m, at + LENGTH / 4)));
    }
    let whole = json!({
        "traceEvents": all,
        "displayTimeUnit": "ms",
        "otherData": { "made by": format!("synod {}", trace.header.synod).trim_end(), "end": trace.ending() },
    });
    whole.to_string() + "\n"
}

fn time(event: &TraceEvent) -> u64 {
    (event.index + 1) * STEP
}

/// Add the intervals of each process in each control state, and down.
fn states(trace: &Trace, all: &mut Vec<Value>) {
    let end = (trace.events.len() as u64 + 1) * STEP;
    let named = |changes: &[Change]| {
        let find = |name: &str| changes.iter().find(|c| c.name == name).map(|c| c.value.clone());
        match (find("up").as_deref(), find("halted").as_deref()) {
            (Some("false"), _) => Some("down".to_string()),
            (_, Some("true")) => Some("halted".into()),
            _ => find("state"),
        }
    };
    for p in trace.processes() {
        let mut now = trace.header.initial.get(p.index()).and_then(|changes| named(changes));
        let mut since = 0;
        let mut close = |state: Option<String>, since: u64, until: u64| {
            if let Some(state) = state.filter(|_| until > since) {
                all.push(json!({
                    "ph": "X", "cat": "state", "name": state, "pid": 1, "tid": p.0 + 1, "ts": since, "dur": until - since,
                }));
            }
        };
        for event in &trace.events {
            let changes = match &event.with {
                _ if event.process == p => &event.changes,
                Some(with) if with.process == p => &with.changes,
                _ => continue,
            };
            if let Some(next) = named(changes) {
                close(now.replace(next), since, time(event));
                since = time(event);
            }
        }
        close(now, since, end);
    }
}

fn arguments(trace: &Trace, event: &TraceEvent) -> Value {
    let messages = |list: &[Message], end: &str| {
        let one = |m: &Message| format!("{} {} {end} {}", m.id, m.text, trace.header.name(m.peer));
        list.iter().map(one).collect::<Vec<String>>()
    };
    let mut arguments = json!({ "event": event.index, "depth": event.depth });
    let lists = [
        ("received", messages(&event.received, "from")),
        ("woken by", messages(event.arrived.as_slice(), "from")),
        ("lost", messages(&event.lost, "from")),
        ("sent", messages(&event.sent, "to")),
        ("changes", event.remarks(&trace.header)),
    ];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        arguments[name] = json!(list);
    }
    if let Some(at) = event.at {
        arguments["at"] = json!(at);
    }
    arguments
}
