//! A log for ShiViz, which draws it and finds patterns: <https://bestchai.bitbucket.io/shiviz/>. Two lines per event:
//! host and vector time, then a description. The first line of the file is the regular expression that ShiViz asks for;
//! the second, which separates executions, is empty.

use crate::ids::ProcessId;
use crate::trace::causality::Causality;
use crate::trace::{Message, Trace, TraceEvent};

/// The regular expression that parses the log.
pub const EXPRESSION: &str = r"(?<host>\S+) (?<clock>\{.*\})\n(?<event>.*)";

pub fn shiviz(trace: &Trace) -> String {
    let causality = Causality::of(trace);
    let hosts: Vec<String> = trace.processes().map(|p| host(trace, p)).collect();
    let mut out = format!("{EXPRESSION}\n\n");
    for (i, event) in trace.events.iter().enumerate() {
        let vector = causality.vector(i);
        let known = hosts.iter().zip(vector).filter(|(_, count)| *count > 0);
        let clock: serde_json::Map<String, serde_json::Value> =
            known.map(|(host, count)| (host.clone(), count.into())).collect();
        let clock = serde_json::Value::Object(clock);
        out += &format!("{} {clock}\n{}\n", hosts[event.process.index()], words(trace, event, &hosts));
    }
    out
}

/// Return the name of a host: without spaces, and unique.
fn host(trace: &Trace, process: ProcessId) -> String {
    let name = |p: ProcessId| trace.header.name(p).split_whitespace().collect::<Vec<_>>().join("_");
    let own = name(process);
    match trace.processes().any(|other| other != process && name(other) == own) {
        true => format!("{own}_{}", process.0),
        false => own,
    }
}

fn words(trace: &Trace, event: &TraceEvent, hosts: &[String]) -> String {
    let host = |p: ProcessId| &hosts[p.index()];
    let message =
        |word: &str, m: &Message, end: &str| format!("{word} {} {} {end} {}", m.id, m.text, host(m.peer));
    let mut parts = vec![event.words(&trace.header)];
    parts.extend(event.received.iter().map(|m| message("received", m, "from")));
    parts.extend(event.arrived.iter().map(|m| message("woken by", m, "from")));
    parts.extend(event.lost.iter().map(|m| message("lost", m, "from")));
    parts.extend(event.sent.iter().map(|m| message("sent", m, "to")));
    parts.join(" | ")
}
