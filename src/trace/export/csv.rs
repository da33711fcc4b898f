//! CSV (RFC 4180), one line per event, for spreadsheets and data frames. Items of lists are separated by `; `.

use crate::trace::{Change, Message, Trace, TraceEvent};

const HEAD: &str = "index,at,process,name,id,action,received,arrived,lost,sent,copied,changes,with,with_changes,observations,depth,step";

pub fn csv(trace: &Trace) -> String {
    let mut out = format!("{HEAD}\r\n");
    for event in &trace.events {
        out += &record(&cells(trace, event));
    }
    out
}

fn cells(trace: &Trace, event: &TraceEvent) -> [String; 17] {
    let header = &trace.header;
    let messages = |list: &[Message], end: &str| {
        let one = |m: &Message| format!("{} {} {end} {}", m.id, m.text, header.name(m.peer));
        list.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let changes = |list: &[Change]| {
        let one = |c: &Change| format!("{}={}", c.name, c.value);
        list.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let optional = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
    let with = event.with.as_ref();
    [
        event.index.to_string(),
        optional(event.at),
        event.process.0.to_string(),
        header.name(event.process),
        header.ids.get(event.process.index()).map_or(String::new(), i64::to_string),
        event.action.clone(),
        messages(&event.received, "from"),
        messages(event.arrived.as_slice(), "from"),
        messages(&event.lost, "from"),
        messages(&event.sent, "to"),
        optional(event.copied.map(u64::from)),
        changes(&event.changes),
        optional(with.map(|with| with.process.0.into())),
        with.map_or(String::new(), |with| changes(&with.changes)),
        event.observations.join("; "),
        event.depth.to_string(),
        event.choice.show(),
    ]
}

/// Format a record (RFC 4180), with the end of its line.
pub fn record(cells: &[String]) -> String {
    let quoted =
        |cell: &str| cell.contains(['"', ',', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ');
    let field = |cell: &String| match quoted(cell) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(field).collect::<Vec<_>>().join(",") + "\r\n"
}
