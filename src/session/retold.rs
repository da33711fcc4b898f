//! A recorded run retold as a scenario, for the source file: who is told to do what, and which message arrives next.

use crate::instance::{Instance, Pace};
use crate::semantics::event::Cause;
use crate::trace::{End, Trace, TraceEvent};
use std::fmt::Write;

/// What a retold run is to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Names of properties that are violated in the end.
    Violated(Vec<String>),
    Stuck,
    Aborted,
    /// Nothing wrong: expressions that are true where it stops.
    Expected(Vec<String>),
}

/// How choices are made that no line of a scenario can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dice {
    InOrder,
    Seed(u64),
}

/// The clauses of the scenario. Lines say what arrives when; what a process does by itself it does at once, so that not every
/// run can be told. Whoever writes the scenario down should have played it.
///
/// # Errors
/// One sentence without a full stop: this model has steps that no line can order.
pub fn retold(
    instance: &Instance,
    trace: &Trace,
    name: &str,
    shows: &Shows,
    dice: Dice,
) -> Result<String, String> {
    if instance.model.pace != Pace::Single {
        return Err("a scenario cannot say who moves together, and what a round brings".into());
    }
    let header = &trace.header;
    let mut text = String::new();
    let mut with = Vec::new();
    let ascending: Vec<i64> = (1..=header.ids.len() as i64).collect();
    if header.ids != ascending && !instance.program.assumptions.anonymous {
        let ids: Vec<String> = header.ids.iter().map(i64::to_string).collect();
        with.push(format!("ids [{}]", ids.join(", ")));
    }
    let wakes = trace.events.iter().any(|e| e.choice.cause == Cause::Wakeup);
    if !wakes && instance.tables.iter().any(|table| table.wakes) {
        with.push("initiators none".into());
    }
    if let Dice::Seed(seed) = dice {
        with.push("schedule random".into());
        with.push(format!("seed {seed}"));
    }
    with.extend(header.params.iter().map(|param| format!("{} {}", param.name, param.value)));
    let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
    let _ = writeln!(text, "scenario {name} on {}{with}", header.network);
    for start in
        trace.events.iter().filter(|e| e.choice.cause == Cause::Start && !e.choice.choices.is_empty())
    {
        for change in start.changes.iter().filter(|c| !matches!(c.name.as_str(), "state" | "halted")) {
            let _ = writeln!(text, "  initially p{}.{} := {}", start.process, change.name, change.value);
        }
    }
    let mut senders: Vec<u32> =
        trace.events.iter().filter(|e| !e.sent.is_empty()).map(|e| e.process).collect();
    senders.sort_unstable();
    senders.dedup();
    for sender in senders {
        let _ = writeln!(text, "  hold p{sender} -> *");
    }
    for event in &trace.events {
        lines(event, &mut text);
    }
    match shows {
        Shows::Violated(names) => {
            // A run that is over holds nothing back: a program that is repaired goes on from here.
            if trace.end != End::Limit {
                text += "  release\n";
            }
            for name in names {
                let _ = writeln!(text, "  expect {name} violated");
            }
        }
        Shows::Stuck => text += "  release\n  expect outcome stuck\n",
        Shows::Aborted => text += "  expect outcome aborted\n",
        Shows::Expected(all) => all.iter().for_each(|e| text += &format!("  expect {e}\n")),
    }
    Ok(text)
}

/// The lines that bring about one event.
fn lines(event: &TraceEvent, text: &mut String) {
    let process = event.process;
    match &event.choice.cause {
        Cause::Wakeup => {
            let _ = writeln!(text, "  wake p{process}");
        }
        Cause::SendNote { to } => {
            let _ = writeln!(text, "  p{process} -> p{to}: note");
        }
        _ => {}
    }
    for call in event.observations.iter().filter_map(|o| o.strip_prefix("call ")) {
        let _ = writeln!(text, "  p{process}: {call}");
    }
    for message in &event.received {
        let kind = message.text.split('(').next().unwrap_or_default();
        let space = if kind.is_empty() { "" } else { " " };
        let _ = writeln!(text, "  deliver p{} -> p{process}{space}{kind}", message.peer);
    }
}
