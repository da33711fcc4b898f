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
    for undelivered in trace.undelivered() {
        let (from, m) = (undelivered.sender, undelivered.message);
        let arrow = if undelivered.lost_at.is_some() { "-->x" } else { "-->>" };
        let words = label(m, &format!(" {}", undelivered.fate()));
        let _ = writeln!(out, "{from} {arrow} {} : {words}", m.peer);
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
