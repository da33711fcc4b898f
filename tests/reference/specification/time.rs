//! *Time* passes in whole numbers, and only between steps: commands take no time.

use crate::specification::configuration::{Configuration, Task, Timer};
use crate::specification::eval::{Scope, eval};
use crate::specification::messages;
use crate::specification::network::System;
use crate::specification::possible::events;
use crate::specification::step::{Event, Step, outcomes};
use crate::specification::value::{Failure, Value, abort, unspecified};
use crate::specification::waiting::{self, Alone};
use synod::internals::syntax::ast::{BinaryOp, ExprKind, Pattern, Trigger};

/// The greatest number of waiting times that are enumerated one by one.
const MAX_WAIT: usize = 100;

/// The longest duration of a timer.
const LONGEST: i64 = 1 << 40;

/// *Every message arrives at the earliest after 1 (after `lo`, where `delay in lo..hi` says so) and at the latest after `D`.*
pub fn bounds(system: &System) -> Result<Option<(u64, u64)>, Failure> {
    let Some(assumed) = system.component(0).assumption("delay") else { return Ok(None) };
    let nothing = Configuration::default();
    let scope = Scope::global(system, &nothing, 0);
    let number = |e| Ok(u64::try_from(eval(e, &scope)?.number()?).unwrap_or(0));
    Ok(match &assumed.bound {
        Some((BinaryOp::LessEqual, most)) => Some((1, number(most)?)),
        Some((BinaryOp::Less, most)) => Some((1, number(most)?.saturating_sub(1))),
        Some((BinaryOp::Equal, exact)) => Some((number(exact)?, number(exact)?)),
        Some((BinaryOp::In, range)) => match &range.kind {
            ExprKind::Binary(BinaryOp::Range, low, high) => Some((number(low)?, number(high)?)),
            _ => return unspecified("this bound of delays"),
        },
        _ => return unspecified("this bound of delays"),
    })
}

/// Return the duration of a timer. *Where `timers` is assumed, and no bound, there is no clock: what `after e` waits for is worth nothing.*
pub fn duration(value: Value, system: &System) -> Result<u64, Failure> {
    match value.number()? {
        after if !(0..=LONGEST).contains(&after) => abort("a timer that cannot run"),
        _ if !system.is_timed() => Ok(0),
        after => Ok(after.unsigned_abs()),
    }
}

/// Deadlines, relative to now.
struct Limits {
    /// The earliest deadline of a message that can be taken.
    deliveries: Option<u64>,
    /// The earliest expiry of a timer that a guard or handler waits for.
    timers: Option<u64>,
    /// *A condition that holds is acted upon at once.*
    urgent: bool,
}

fn least(a: Option<u64>, b: u64) -> Option<u64> {
    Some(a.map_or(b, |a| a.min(b)))
}

pub fn successors(system: &System, from: &Configuration) -> Result<Vec<Step>, Failure> {
    let mut possible = Vec::new();
    let mut limits = Limits { deliveries: None, timers: None, urgent: false };
    for p in 0..system.n() {
        for event in events(system, from, p)? {
            if let Some((_, last)) = window(from, &event) {
                limits.deliveries = least(limits.deliveries, last);
            }
            limits.urgent |= is_urgent(&event);
            possible.push((p, event));
        }
        for event in timeouts(system, from, p)? {
            limits.timers = least(limits.timers, due(from, p, &event));
        }
    }
    let both = limits.deliveries.into_iter().chain(limits.timers).min();
    let most = if limits.urgent { 0 } else { both.unwrap_or_else(|| horizon(from)) };
    let mut steps = Vec::new();
    for (p, event) in possible {
        // *`pause`, `wakeup` and what failure detectors say may come at any time*, and so may faults.
        let waits = match window(from, &event) {
            Some((first, _)) => first..=most,
            None if is_urgent(&event) => 0..=0,
            None => 0..=most,
        };
        if waits.clone().count() > MAX_WAIT {
            return unspecified("a wait of one of too many lengths");
        }
        for wait in waits {
            steps.extend(outcomes(system, &later(from, wait), p, &event)?);
        }
    }
    // *At one instant the messages that are due come first, and all conditions that hold, then timeouts, wherever they are.*
    if !limits.urgent && limits.timers.is_some() && limits.deliveries.is_none_or(|due| due > most) {
        let then = later(from, most);
        for p in 0..system.n() {
            for event in timeouts(system, from, p)? {
                if due(from, p, &event) <= most {
                    steps.extend(outcomes(system, &then, p, &event)?);
                }
            }
        }
    }
    Ok(steps)
}

/// Return the interval in which messages may be taken; None for other events.
fn window(from: &Configuration, event: &Event) -> Option<(u64, u64)> {
    let all: Vec<_> = match event {
        Event::Deliver(lane, at) => vec![&from.channels[lane][*at]],
        Event::Gather(_, taken) => taken.iter().map(|(lane, at)| &from.channels[lane][*at]).collect(),
        _ => return None,
    };
    Some(all.into_iter().fold((0, 0), |(first, last), sent| (first.max(sent.first), last.max(sent.last))))
}

fn is_urgent(event: &Event) -> bool {
    matches!(event, Event::Alone(Alone::Await | Alone::Branch(_) | Alone::End) | Event::When(..))
}

/// Return the timers of a process that a guard or handler waits for, whether or not they have expired.
pub fn timeouts(system: &System, from: &Configuration, p: usize) -> Result<Vec<Event>, Failure> {
    let process = &from.processes[p];
    let mut found = Vec::new();
    if !process.up || process.parts[0].halted || system.has_rounds() {
        return Ok(found);
    }
    if let Some(point) = waiting::point(&process.thread) {
        found.extend((0..point.due.len()).filter(|k| point.due[*k].is_some()).map(Event::BranchTimer));
    }
    for (c, part) in process.parts.iter().enumerate() {
        let scope = messages::scope(system, from, p, c);
        for timer in part.timers.keys() {
            for (k, rule) in system.component(c).handlers.iter().enumerate() {
                if !messages::is_active(rule, &scope) {
                    continue;
                }
                let lets_in = match (&rule.what.trigger, timer) {
                    (Trigger::After(_), Timer::State(number)) => k == *number,
                    (Trigger::On(guard), Timer::Named(name)) => {
                        let of = match &guard.pattern {
                            Pattern::Message(_, parts, _) => {
                                parts.first().and_then(crate::specification::module::head)
                            }
                            _ => None,
                        };
                        messages::event(guard, &scope) == Some("timeout")
                            && of == Some(*name)
                            && match guard.when.as_ref().map_or(Ok(true), |g| eval(g, &scope)?.truth()) {
                                Err(Failure::Abort(_)) => true,
                                holds => holds?,
                            }
                    }
                    _ => false,
                };
                if lets_in {
                    found.push(Event::Timeout(c, *timer, k));
                }
            }
        }
    }
    Ok(found)
}

fn due(from: &Configuration, p: usize, event: &Event) -> u64 {
    let process = &from.processes[p];
    match event {
        Event::BranchTimer(branch) => {
            waiting::point(&process.thread).and_then(|point| point.due[*branch]).unwrap_or(0)
        }
        Event::Timeout(c, timer, _) => process.parts[*c].timers.get(timer).copied().unwrap_or(0),
        _ => 0,
    }
}

/// Return the time after which the passage of time changes nothing. *What nobody can take yet, and timers that nothing waits for yet, have
/// come nearer by then, or are overdue.*
fn horizon(from: &Configuration) -> u64 {
    let messages = from.channels.values().flatten().map(|sent| sent.last);
    let processes = from.processes.iter();
    let timers = processes
        .clone()
        .flat_map(|process| process.parts.iter())
        .flat_map(|part| part.timers.values().copied());
    let points = processes.filter_map(|process| waiting::point(&process.thread));
    let waiting: Vec<u64> = points.flat_map(|point| point.due.iter().flatten().copied()).collect();
    messages.chain(timers).chain(waiting).max().unwrap_or(0)
}

/// Return the configuration after this time. *Two configurations are the same if everything in them is as far away.*
fn later(from: &Configuration, time: u64) -> Configuration {
    let mut then = from.clone();
    for sent in then.channels.values_mut().flatten() {
        sent.first = sent.first.saturating_sub(time);
        sent.last = sent.last.saturating_sub(time);
    }
    for process in &mut then.processes {
        let timers = process.parts.iter_mut().flat_map(|part| part.timers.values_mut());
        timers.for_each(|due| *due = due.saturating_sub(time));
        for task in process.thread.iter_mut().flat_map(|frame| &mut frame.tasks) {
            if let Task::Wait(waiting) = task {
                waiting.due.iter_mut().flatten().for_each(|due| *due = due.saturating_sub(time));
            }
        }
    }
    then
}
