//! The lines of a header, as the text of a trace and its hash have them.

use super::{Change, Header, hash};

/// Return key and value of each header line after the first, in order.
pub(super) fn header_lines(header: &Header) -> Vec<(&'static str, String)> {
    let ids: Vec<String> = header.ids.iter().map(i64::to_string).collect();
    let mut lines = vec![("algorithm", header.algorithm.clone())];
    if header.has_origin() {
        lines.push(("source", hash::show(header.source)));
        lines.push(("synod", header.synod.clone()));
    }
    lines.push(("network", header.network.clone()));
    lines.push(("ids", ids.join(", ")));
    if !header.names.is_empty() {
        lines.push(("names", header.names.join(", ")));
    }
    if !header.roles.is_empty() {
        lines.push(("roles", header.roles.join(", ")));
    }
    for Change { name, value } in &header.params {
        lines.push(("param", format!("{name} = {value}")));
    }
    for Change { name, value } in &header.initially {
        lines.push(("initially", format!("{name} = {value}")));
    }
    let initiators = match &header.initiators {
        None => "all".into(),
        Some(list) if list.is_empty() => "none".into(),
        Some(list) => list.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(", "),
    };
    lines.push(("initiators", initiators));
    lines.extend(header.daemon.iter().map(|daemon| ("daemon", daemon.clone())));
    if !header.faults.is_empty() {
        lines.push(("faults", header.faults.clone()));
    }
    lines.push(("schedule", header.schedule.clone()));
    lines.push(("seed", header.seed.to_string()));
    lines.extend(header.repeats_from.map(|event| ("repeats", format!("from event {event}"))));
    lines.extend(header.violates.iter().map(|property| ("violates", property.clone())));
    lines.extend(header.verdict.iter().map(|verdict| ("verdict", verdict.clone())));
    lines.extend(header.violated_at.map(|event| ("violated", format!("at event {event}"))));
    for (p, variables) in header.initial.iter().enumerate() {
        let mut columns = vec![format!("p{p}")];
        columns.extend(variables.iter().map(Change::to_string));
        lines.push(("initial", columns.join("  ")));
    }
    lines
}

/// The greatest number of ids in a heading.
const MOST_IDS: usize = 16;

impl Header {
    /// Return the instance on one line: `lelann on ring(4) · ids 3, 1, 4, 2 · schedule fifo · seed 1`.
    pub fn heading(&self) -> String {
        let mut parts = vec![format!("{} on {}", self.algorithm, self.network)];
        if !self.ids.iter().zip(1..).all(|(id, i)| *id == i) {
            let ids: Vec<String> = self.ids.iter().take(MOST_IDS).map(i64::to_string).collect();
            let more = if self.ids.len() > MOST_IDS { ", …" } else { "" };
            parts.push(format!("ids {}{more}", ids.join(", ")));
        }
        parts.extend(self.params.iter().map(|p| format!("{} = {}", p.name, p.value)));
        if let Some(initiators) = &self.initiators {
            let names: Vec<String> = initiators.iter().map(|p| self.name(*p)).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            parts.push(format!("initiators {names}"));
        }
        parts.extend(self.daemon.iter().map(|daemon| format!("{daemon} daemon")));
        if !self.faults.is_empty() {
            parts.push(format!("faults {}", self.faults));
        }
        parts.push(format!("schedule {}", self.schedule));
        parts.push(format!("seed {}", self.seed));
        parts.join(" · ")
    }
}
