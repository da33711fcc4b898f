//! A PlantUML sequence diagram. Arrows are drawn at the arrival of a message.

use crate::trace::{Message, Trace};
use std::fmt::Write;

pub fn plantuml(trace: &Trace) -> String {
    let mut out = format!("@startuml\ntitle {}\nhide footbox\n", text(&trace.title()));
    for p in trace.processes() {
        let _ = writeln!(out, "participant \"{}\" as {p}", text(&trace.label(p)));
    }
    let label = |m: &Message, more: &str| text(&format!("{} {}{more}", m.id, m.text));
    for event in &trace.events {
        let here = event.process;
        for m in &event.received {
            let _ = writeln!(out, "{} ->> {here} : {}", m.peer, label(m, ""));
        }
        for m in &event.lost {
            let _ = writeln!(out, "{} ->x {here} : {}", m.peer, label(m, " lost"));
        }
        let words = text(&format!("{} {}", event.index, event.words(&trace.header)));
        let _ = match &event.with {
            Some(with) => writeln!(out, "note over {here}, {} : {words}", with.process),
            None => writeln!(out, "note over {here} : {words}"),
        };
    }
    for (from, m) in trace.in_transit() {
        let _ = writeln!(out, "{from} -->> {} : {}", m.peer, label(m, " in transit"));
    }
    out + "@enduml\n"
}

/// PlantUML parses texts as Creole: escape all characters with a meaning by their code points.
fn text(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            c if c.is_alphanumeric() || " ,.()".contains(c) => out.push(c),
            '\n' => out += "\\n",
            c if c.is_control() => out.push(' '),
            c => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
        }
    }
    out
}
