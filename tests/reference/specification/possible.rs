//! *Choice*: the enabled events of a configuration.

use crate::specification::configuration::{Configuration, Lane};
use crate::specification::eval::eval;
use crate::specification::messages::{self, deliveries, gatherings, lanes_to};
use crate::specification::network::System;
use crate::specification::step::Event;
use crate::specification::value::{Failure, Value};
use crate::specification::waiting::{self, Alone};
use synod::internals::syntax::ast::Trigger;

/// Return the enabled events at a process.
pub fn events(system: &System, configuration: &Configuration, p: usize) -> Result<Vec<Event>, Failure> {
    let process = &configuration.processes[p];
    let mut events = Vec::new();
    for lane in lanes_to(system, configuration, p) {
        if process.up && !configuration.failed.contains(&lane.link) {
            let found = deliveries(system, configuration, p, lane)?;
            events.extend(found.into_iter().map(|(at, _)| Event::Deliver(lane, at)));
        } else {
            // *Faults: what is on its way to it vanishes when it arrives. A link that fails carries nothing any more.*
            events.extend(places(system, configuration, lane, true).map(|at| Event::Deliver(lane, at)));
        }
    }
    if process.up && !process.parts[0].halted {
        thread_events(system, configuration, p, &mut events)?;
        for c in 0..system.program.components.len() {
            if !process.parts[c].halted {
                handler_events(system, configuration, p, c, &mut events)?;
            }
        }
    }
    crate::specification::detectors::events(system, configuration, p, &mut events)?;
    if system.acts_in_pairs() {
        crate::specification::pairs::events(system, configuration, p, &mut events)?;
    }
    fault_events(system, configuration, p, &mut events);
    Ok(events)
}

/// Return the positions of the distinguishable messages of a channel; with `first`, only those that are next.
fn places<'c>(
    system: &'c System,
    configuration: &'c Configuration,
    lane: Lane,
    first: bool,
) -> impl Iterator<Item = usize> + use<'c> {
    let messages = &configuration.channels[&lane];
    let unordered = system.is_unordered(lane);
    let is_distinct = move |at: &usize| match unordered {
        true => *at == 0 || messages[*at - 1] != messages[*at],
        false => !first || *at == 0,
    };
    (0..messages.len()).filter(is_distinct)
}

/// *Waiting and choice*: add the internal events of the thread.
fn thread_events(
    system: &System,
    configuration: &Configuration,
    p: usize,
    events: &mut Vec<Event>,
) -> Result<(), Failure> {
    let Some(point) = waiting::point(&configuration.processes[p].thread) else { return Ok(()) };
    let scope = messages::frame_scope(system, configuration, p, point.frame);
    match waiting::alone(point.stmt, &scope) {
        Ok(all) => events.extend(all.into_iter().map(Event::Alone)),
        // If a guard aborts, the step does.
        Err(Failure::Abort(_)) => events.push(Event::Alone(Alone::Await)),
        Err(failure) => return Err(failure),
    }
    for input in waiting::inputs(point.stmt).into_iter().filter(|input| input.takes_from_each()) {
        let senders = point.senders[input.branch].as_deref().unwrap_or(&[]);
        for taken in gatherings(system, configuration, p, input, senders, point.frame)? {
            let taken = taken.into_iter().map(|(lane, at, _)| (lane, at)).collect();
            events.push(Event::Gather(input.branch, taken));
        }
    }
    Ok(())
}

/// *Handlers*: `when g`, `when some x in S with g`, `on wakeup`.
pub fn handler_events(
    system: &System,
    configuration: &Configuration,
    p: usize,
    c: usize,
    events: &mut Vec<Event>,
) -> Result<(), Failure> {
    let scope = messages::scope(system, configuration, p, c);
    for (k, rule) in system.component(c).handlers.iter().enumerate() {
        if !messages::is_active(rule, &scope) {
            continue;
        }
        match &rule.what.trigger {
            Trigger::When(guard) => match eval(guard, &scope).and_then(Value::truth) {
                Ok(false) => {}
                Ok(true) | Err(Failure::Abort(_)) => events.push(Event::When(c, k, None)),
                Err(failure) => return Err(failure),
            },
            Trigger::WhenSome { .. } => match candidates(rule.what, &scope) {
                Ok(all) => events.extend(all.into_iter().map(|x| Event::When(c, k, Some(x)))),
                Err(Failure::Abort(_)) => events.push(Event::When(c, k, None)),
                Err(failure) => return Err(failure),
            },
            Trigger::On(guard) => {
                if configuration.processes[p].sleeps && messages::event(guard, &scope) == Some("wakeup") {
                    events.push(Event::Wakeup(c, k));
                }
            }
            Trigger::After(_) => {}
        }
    }
    Ok(())
}

/// Return the candidates: *`when some x in S with g -> …` for any such `x`.*
pub fn candidates(
    handler: &'static synod::internals::syntax::ast::Handler,
    scope: &crate::specification::eval::Scope<'_>,
) -> Result<Vec<Value>, Failure> {
    let Trigger::WhenSome { pattern, set, with } = &handler.trigger else { return Ok(Vec::new()) };
    let mut found: Vec<Value> = Vec::new();
    for element in eval(set, scope)?.elements()? {
        if let Some(inner) = crate::specification::eval::bound(pattern, &element, scope)?
            && with.as_ref().map_or(Ok(true), |g| eval(g, &inner)?.truth())?
            && !found.contains(&element)
        {
            found.push(element);
        }
    }
    Ok(found)
}

/// *Faults*: test for a message that may be lost because its sender is down: «in a FIFO channel, the last one».
pub fn is_lost_freely(system: &System, configuration: &Configuration, lane: Lane, at: usize) -> bool {
    let sender = system.network.link(lane.link).from.index();
    let is_last = configuration.channels.get(&lane).is_some_and(|messages| at + 1 == messages.len());
    system.may_lose(configuration, sender) && (system.is_unordered(lane) || is_last)
}

/// *Faults*: add the faults that the budget still allows.
pub fn fault_events(system: &System, configuration: &Configuration, p: usize, events: &mut Vec<Event>) {
    let (process, budget) = (&configuration.processes[p], configuration.faults);
    if process.up && budget.lie > 0 && !configuration.misled.contains(&p) {
        events.push(Event::Mislead);
    }
    if process.up && budget.crash > 0 {
        events.push(Event::Crash);
    }
    if !process.up && budget.restart > 0 {
        events.push(Event::Restart);
    }
    for lane in configuration.channels.keys().filter(|l| system.network.link(l.link).from.index() == p) {
        let lost = places(system, configuration, *lane, false);
        let lost = lost.filter(|at| budget.loss > 0 || is_lost_freely(system, configuration, *lane, *at));
        events.extend(lost.map(|at| Event::Lose(*lane, at)));
        if budget.duplication > 0 {
            events.extend(places(system, configuration, *lane, false).map(|at| Event::Duplicate(*lane, at)));
        }
    }
    if budget.link > 0 {
        let from = |link: &u32| system.network.link(*link).from.index() == p;
        // Messages of a process to its own id use no link that could fail.
        let used = (0..system.network.link_bound())
            .filter(|link| system.network.is_used(*link) && !system.is_self_link(*link));
        events.extend(used.filter(from).filter(|link| !configuration.failed.contains(link)).map(Event::Cut));
    }
}
