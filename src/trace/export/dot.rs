//! The graph of direct causes, for Graphviz: an event is a node, with edges to the next event of its process and to the
//! receivers of its messages. One event happened before another if a path leads from it to the other.

use crate::ids::MessageId;
use crate::network::dot_string;
use crate::trace::{Message, Trace, TraceEvent};
use rustc_hash::FxHashMap;
use std::fmt::Write;

pub fn dot(trace: &Trace) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&trace.title()));
    out += "  graph [rankdir=LR, newrank=true, fontname=\"sans-serif\"]\n";
    out += "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10]\n";
    out += "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#56606b\"]\n";
    for p in trace.processes() {
        let _ = writeln!(
            out,
            "  subgraph cluster_{p} {{\n    label={}; color=\"#c6ccd2\"",
            quoted(&trace.label(p))
        );
        let _ = writeln!(out, "    {p} [shape=plaintext, label={}]", quoted(&trace.header.name(p)));
        for event in trace.events.iter().filter(|event| event.process == p) {
            let _ = writeln!(out, "    e{} [label={}]", event.index, quoted(&label(trace, event)));
        }
        out += "  }\n";
    }
    let mut last: Vec<String> = trace.processes().map(|p| p.to_string()).collect();
    let mut senders: FxHashMap<MessageId, u64> = FxHashMap::default();
    for event in &trace.events {
        let here = format!("e{}", event.index);
        let with = event.with.iter().map(|with| with.process);
        for process in std::iter::once(event.process).chain(with) {
            let before = std::mem::replace(&mut last[process.index()], here.clone());
            if before != here {
                let _ = writeln!(out, "  {before} -> {here} [weight=10, penwidth=1.6]");
            }
        }
        // A message without a sender is an initial one.
        let sender = |message: &Message, senders: &FxHashMap<MessageId, u64>| {
            senders.get(&message.id).map_or(message.peer.to_string(), |e| format!("e{e}"))
        };
        if let Some(message) = &event.arrived {
            let (words, from) = (quoted(&format!("{} arrives", message.id)), sender(message, &senders));
            let _ = writeln!(out, "  {from} -> {here} [label={words}, color=\"#0072b2\", style=dashed]");
        }
        for message in &event.received {
            let words = quoted(&format!("{} {}", message.id, message.text));
            let from = sender(message, &senders);
            let _ = writeln!(out, "  {from} -> {here} [label={words}, color=\"#0072b2\", constraint=true]");
        }
        for message in &event.lost {
            let words = quoted(&format!("{} {} lost", message.id, message.text));
            let from = sender(message, &senders);
            let _ = writeln!(
                out,
                "  {from} -> {here} [label={words}, color=\"#d55e00\", style=dashed, arrowhead=tee]"
            );
        }
        senders.extend(event.sent.iter().map(|message| (message.id, event.index)));
    }
    for undelivered in trace.undelivered() {
        let message = undelivered.message;
        let to = trace.header.name(message.peer);
        let words = quoted(&format!("{} {} to {to}, {}", message.id, message.text, undelivered.fate()));
        let from = senders.get(&message.id).copied().unwrap_or(0);
        let _ = writeln!(
            out,
            "  {} [shape=point]\n  e{from} -> {} [label={words}, style=dotted]",
            message.id, message.id
        );
    }
    out + "}\n"
}

fn label(trace: &Trace, event: &TraceEvent) -> String {
    let mut lines = vec![format!("{}  {}", event.index, event.action)];
    lines.extend(event.remarks(&trace.header));
    lines.join("\n")
}

/// Quote a text as a label.
fn quoted(text: &str) -> String {
    dot_string(&text.replace('\\', "\\\\").replace('\n', "\\n"))
}
