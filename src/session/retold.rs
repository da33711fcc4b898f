//! A recorded run retold as a scenario, for the source file: who is told to do what, which message arrives next, what goes wrong,
//! and when.

mod delays;
mod lines;

use self::delays::delays;
use self::lines::{Lines, Moments};
use crate::instance::{Instance, Pace};
use crate::ir::Op;
use crate::semantics::event::{CRASH, Cause};
use crate::trace::{Change, Trace, TraceEvent};
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

/// How messages are made to arrive when they did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// They are held, and let go one by one.
    Told,
    /// They take as long as they took.
    Delayed,
}

impl Arrivals {
    /// The ways there are, the simplest first.
    pub fn of(instance: &Instance) -> &'static [Arrivals] {
        let by_delays = instance.is_timed() && instance.model.pace == Pace::Single;
        if by_delays { &[Arrivals::Told, Arrivals::Delayed] } else { &[Arrivals::Told] }
    }
}

/// Is it by lot who moves, so that a scenario shows the same as a run, and not the same run?
pub fn by_lot(instance: &Instance) -> bool {
    instance.model.reads()
}

/// The clauses of the scenario. Lines say what arrives when, what goes wrong, and how long to wait; what a process does by itself it
/// does at once, so that not every run can be told. Whoever writes the scenario down should have played it.
///
/// # Errors
/// One sentence without a full stop: something happens in the run that no line can say.
pub fn retold(
    instance: &Instance,
    trace: &Trace,
    name: &str,
    shows: &Shows,
    (dice, arrivals): (Dice, Arrivals),
) -> Result<String, String> {
    let mut text = String::new();
    let one_by_one = instance.model.pace == Pace::Single && arrivals == Arrivals::Told;
    let in_rounds = instance.model.rounds();
    let _ = writeln!(text, "scenario {name} on {}{}", trace.header.network, settings(instance, trace, dice));
    // What a variable begins with is chosen first, and a crash in the first commands is no such choice.
    let begins = |e: &&TraceEvent| {
        e.choice.cause == Cause::Start && e.choice.choices.first().is_some_and(|choice| *choice < CRASH)
    };
    for start in trace.events.iter().filter(begins) {
        for Change { name, value } in beginning(instance, trace, start) {
            let _ = writeln!(text, "  initially p{}.{name} := {value}", start.process);
        }
    }
    if one_by_one {
        let mut senders: Vec<u32> =
            trace.events.iter().filter(|e| !e.sent.is_empty()).map(|e| e.process).collect();
        senders.sort_unstable();
        senders.dedup();
        for sender in senders {
            let _ = writeln!(text, "  hold p{sender} -> *");
        }
    }
    let moments = match (instance.model.pace, instance.is_timed()) {
        (Pace::Rounds, _) => Moments::Rounds,
        (_, true) => Moments::Instants,
        _ => Moments::None,
    };
    let delays = if arrivals == Arrivals::Delayed { Some(delays(trace)?) } else { None };
    let mut lines = Lines::new(instance, moments, delays);
    for event in &trace.events {
        lines.add(event)?;
    }
    text += &lines.finish()?;
    match shows {
        Shows::Violated(names) => {
            // A run that is over holds nothing back: a program that is repaired goes on from here.
            if !trace.end.goes_on() && one_by_one {
                text += "  release\n";
            }
            for name in names {
                let _ = writeln!(text, "  expect {name} violated");
            }
        }
        Shows::Stuck if in_rounds || !one_by_one => text += "  expect outcome stuck\n",
        Shows::Stuck => text += "  release\n  expect outcome stuck\n",
        Shows::Aborted => text += "  expect outcome aborted\n",
        Shows::Expected(all) => all.iter().for_each(|e| text += &format!("  expect {e}\n")),
    }
    Ok(text)
}

/// What variables begin with at this start, where that was chosen: all that begin with any value, and what else was changed.
fn beginning<'t>(instance: &Instance, trace: &'t Trace, start: &'t TraceEvent) -> Vec<&'t Change> {
    let role = &instance.program.roles[instance.role_of(start.process)];
    let is_any = |name: &str| {
        let variable = role.vars.iter().find(|variable| variable.name == name);
        variable.is_some_and(|v| role.code.iter().any(|op| matches!(op, Op::Any(slot, _) if *slot == v.slot)))
    };
    let before = trace.header.initial.get(start.process as usize).into_iter().flatten();
    let unchanged = |change: &&Change| start.changes.iter().all(|other| other.name != change.name);
    let changes = start.changes.iter().filter(|c| !matches!(c.name.as_str(), "state" | "halted" | "up"));
    changes.chain(before.filter(|change| is_any(&change.name)).filter(unchanged)).collect()
}

/// What stands behind `with`.
fn settings(instance: &Instance, trace: &Trace, dice: Dice) -> String {
    let header = &trace.header;
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
    with.extend(header.daemon.iter().map(|daemon| format!("daemon {daemon}")));
    if let Dice::Seed(seed) = dice {
        with.push("schedule random".into());
        with.push(format!("seed {seed}"));
    }
    with.extend(header.params.iter().map(|param| format!("{} {}", param.name, param.value)));
    if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) }
}
