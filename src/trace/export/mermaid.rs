//! A Mermaid sequence diagram, which Markdown on GitHub and elsewhere shows. Arrows are drawn at the arrival of a
//! message: the format has no slanted ones.

use crate::trace::{Message, Trace};
use std::fmt::Write;

pub fn mermaid(trace: &Trace) -> String {
    let mut out = format!("---\ntitle: {}\n---\nsequenceDiagram\n", yaml(&trace.title()));
    for p in trace.processes() {
        let _ = writeln!(out, "    participant {p} as {}", text(&trace.label(p)));
    }
    let label = |m: &Message, more: &str| text(&format!("{} {}{more}", m.id, m.text));
    for event in &trace.events {
        let here = event.process;
        for m in &event.received {
            let _ = writeln!(out, "    {}->>{here}: {}", m.peer, label(m, ""));
        }
        for m in &event.lost {
            let _ = writeln!(out, "    {}-x{here}: {}", m.peer, label(m, " lost"));
        }
        let words = text(&format!("{} {}", event.index, event.words(&trace.header)));
        let _ = match &event.with {
            Some(with) => writeln!(out, "    Note over {here},{}: {words}", with.process),
            None => writeln!(out, "    Note over {here}: {words}"),
        };
    }
    for undelivered in trace.undelivered() {
        let (from, m) = (undelivered.sender, undelivered.message);
        let arrow = if undelivered.lost_at.is_some() { "--x" } else { "--)" };
        let words = label(m, &format!(" {}", undelivered.fate()));
        let _ = writeln!(out, "    {from}{arrow}{}: {words}", m.peer);
    }
    out
}

/// Escape all characters except letters, digits and harmless punctuation by their code points.
fn text(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            c if c.is_alphanumeric() || " =,.()[]_/".contains(c) => out.push(c),
            '\n' => out += "<br/>",
            c if c.is_control() => out.push(' '),
            c => {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out
}

/// Quote a text in the front matter: a JSON string is a double-quoted YAML string.
fn yaml(words: &str) -> String {
    serde_json::Value::String(words.into()).to_string()
}
