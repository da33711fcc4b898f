//! *Handlers*: the statement or handler that takes a message.

use crate::specification::configuration::{Configuration, Frame, Lane};
use crate::specification::eval::Scope;
use crate::specification::module::{Rule, fits, head};
use crate::specification::network::System;
use crate::specification::patterns::{self, Bindings, Incoming};
use crate::specification::value::{Content, Failure, Value};
use crate::specification::waiting::{self, Input};
use std::collections::BTreeSet;
use synod::internals::syntax::ast::{Handler, MessageGuard, Pattern, Trigger};

/// Names of handlers for events other than messages.
pub const EVENTS: [&str; 7] = ["wakeup", "arrival", "restart", "timeout", "suspect", "trust", "interaction"];

/// A statement or handler that may take a message.
#[derive(Clone, Debug)]
pub enum Taker {
    Body(Input, Bindings),
    Handler(&'static Handler, Bindings),
    /// *`on arrival -> …` fires on any message and does not take it.*
    Arrival(&'static Handler),
    Ignore,
}

/// The fate of a message in a configuration.
#[derive(Clone, Debug)]
pub enum Fate {
    Taken(Vec<Taker>),
    /// A `defer` *lets what follows pass the message*.
    Passed,
    /// Nothing takes the message, or a `receive … from each` still waits for other senders.
    Waits,
}

/// Return the scope of the handlers of a component at a process.
pub fn scope<'a>(
    system: &'a System,
    configuration: &'a Configuration,
    p: usize,
    component: usize,
) -> Scope<'a> {
    Scope::global(system, configuration, 0).at(Some(p), component)
}

pub fn frame_scope<'a>(
    system: &'a System,
    configuration: &'a Configuration,
    p: usize,
    frame: &Frame,
) -> Scope<'a> {
    let mut inner = scope(system, configuration, p, frame.component);
    inner.locals.clone_from(&frame.locals);
    inner
}

/// Test whether a rule is for the current state of the process (`state`), or for every state (otherwise).
pub fn holds_in<T>(rule: &Rule<T>, scope: &Scope<'_>, state: bool) -> bool {
    let (p, component) = (scope.process.unwrap_or(0), scope.component);
    let current = scope.configuration.processes[p].parts[component].state;
    fits(rule.role, scope.system.role(p, component))
        && if state { rule.state.is_some() && rule.state == current } else { rule.state.is_none() }
}

pub fn is_active<T>(rule: &Rule<T>, scope: &Scope<'_>) -> bool {
    holds_in(rule, scope, true) || holds_in(rule, scope, false)
}

/// Return the event that a handler is for; None if it is for a message.
pub fn event<'h>(guard: &'h MessageGuard, scope: &Scope<'_>) -> Option<&'h str> {
    let name = head(&guard.pattern).filter(|name| guard.layer.is_none() && EVENTS.contains(name))?;
    crate::specification::builtins::message_of(name, scope).is_none().then_some(name)
}

/// *Who takes a message is settled in this order: the body's own `receive` · `defer`, then the handlers, of the state · those of
/// `always` · `ignore`. Within one level every alternative that can take it is a free choice.*
pub fn fate(
    system: &System,
    configuration: &Configuration,
    p: usize,
    lane: Lane,
    content: &Content,
) -> Result<Fate, Failure> {
    let process = &configuration.processes[p];
    let sender = system.sender(lane);
    let incoming = Incoming { content, sender: &sender };
    let scope = scope(system, configuration, p, lane.component);
    let here = system.component(lane.component);
    // *A halted process takes nothing. An `ignore` in `always` says that leftovers may arrive.*
    if process.parts[lane.component].halted || process.parts[0].halted {
        return ignored(&here.ignores, &[false], incoming, &scope);
    }
    // *`on arrival -> …` fires on any message and does not take it*: before anything takes it.
    let is_arrival = |rule: &&Rule<&'static Handler>| {
        matches!(&rule.what.trigger, Trigger::On(guard) if event(guard, &scope) == Some("arrival"))
            && is_active(rule, &scope)
    };
    let arrivals: Vec<Taker> =
        here.handlers.iter().filter(is_arrival).map(|rule| Taker::Arrival(rule.what)).collect();
    if !arrivals.is_empty() {
        return Ok(Fate::Taken(arrivals));
    }
    if let Some(point) = waiting::point(&process.thread)
        && point.frame.component == lane.component
    {
        let inner = frame_scope(system, configuration, p, point.frame);
        let mut open = Vec::new();
        for input in waiting::inputs(point.stmt) {
            if input.takes_from_each() {
                let waited_for =
                    point.senders[input.branch].as_ref().is_some_and(|all| all.contains(&sender));
                if waited_for && patterns::receive(input.receive, input.when, incoming, &inner)?.is_some() {
                    // *Until all are there they stay in their channels, and no handler gets them.*
                    return Ok(Fate::Waits);
                }
            } else if let Some(bindings) = patterns::receive(input.receive, input.when, incoming, &inner)? {
                open.push(Taker::Body(input, bindings));
            }
        }
        if !open.is_empty() {
            return Ok(Fate::Taken(open));
        }
    }
    for state in [true, false] {
        for rule in here.defers.iter().filter(|rule| holds_in(rule, &scope, state)) {
            if matches(rule.what, incoming, &scope)?.is_some() {
                return Ok(Fate::Passed);
            }
        }
        let mut open = Vec::new();
        for rule in here.handlers.iter().filter(|rule| holds_in(rule, &scope, state)) {
            let Trigger::On(guard) = &rule.what.trigger else { continue };
            if guard.layer.is_some() {
                continue;
            }
            if event(guard, &scope).is_none() {
                let bindings = matches(guard, incoming, &scope)?;
                open.extend(bindings.map(|bindings| Taker::Handler(rule.what, bindings)));
            }
        }
        if !open.is_empty() {
            return Ok(Fate::Taken(open));
        }
    }
    ignored(&here.ignores, &[true, false], incoming, &scope)
}

/// Each `ignore` of the state that can take a message, or else each of `always`: a choice, as between handlers.
fn ignored(
    rules: &[Rule<&'static MessageGuard>],
    levels: &[bool],
    incoming: Incoming<'_>,
    scope: &Scope<'_>,
) -> Result<Fate, Failure> {
    for state in levels {
        let mut open = Vec::new();
        for rule in rules.iter().filter(|rule| holds_in(rule, scope, *state)) {
            open.extend(matches(rule.what, incoming, scope)?.map(|_| Taker::Ignore));
        }
        if !open.is_empty() {
            return Ok(Fate::Taken(open));
        }
    }
    Ok(Fate::Waits)
}

/// Match a message with a handler's pattern. `_` alone matches bare values only; all other patterns name what they match.
fn matches(
    guard: &'static MessageGuard,
    incoming: Incoming<'_>,
    scope: &Scope<'_>,
) -> Result<Option<Bindings>, Failure> {
    if matches!(guard.pattern, Pattern::Wildcard(_)) && !incoming.content.name.is_empty() {
        return Ok(None);
    }
    patterns::handler(guard, incoming, scope)
}

/// Return the channels that lead to a process.
pub fn lanes_to(system: &System, configuration: &Configuration, p: usize) -> Vec<Lane> {
    let to = |lane: &&Lane| system.network.link(lane.link).to.index() == p;
    configuration.channels.keys().filter(to).copied().collect()
}

/// A deliverable message of a channel, by position, with all that may take it.
pub type Delivery = (usize, Result<Vec<Taker>, Failure>);

/// *Choice: the head of a channel, or any under `unordered`. A message that nobody can take now stays at the head of its channel and blocks
/// it*; `defer` *lets what follows pass the message*.
pub fn deliveries(
    system: &System,
    configuration: &Configuration,
    p: usize,
    lane: Lane,
) -> Result<Vec<Delivery>, Failure> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, sent) in configuration.channels[&lane].iter().enumerate() {
        // Equal messages are indistinguishable.
        if system.is_unordered(lane) && !seen.insert(sent) {
            continue;
        }
        match fate(system, configuration, p, lane, &sent.content) {
            Ok(Fate::Taken(takers)) => found.push((at, Ok(takers))),
            Ok(Fate::Passed) => continue,
            Ok(Fate::Waits) => {}
            Err(Failure::Unspecified(what)) => return Err(Failure::Unspecified(what)),
            Err(failure) => found.push((at, Err(failure))),
        }
        if !system.is_unordered(lane) {
            break;
        }
    }
    Ok(found)
}

/// *`receive M(v[p]) from each p in S` waits for one message from every member of `S` and takes them all in one step.* Return all ways to
/// take them, each with its bindings; empty while some message is missing.
pub fn gatherings(
    system: &System,
    configuration: &Configuration,
    p: usize,
    input: Input,
    senders: &[Value],
    frame: &Frame,
) -> Result<Vec<Vec<(Lane, usize, Bindings)>>, Failure> {
    let scope = frame_scope(system, configuration, p, frame);
    let mut all: Vec<Vec<(Lane, usize, Bindings)>> = vec![Vec::new()];
    for sender in senders {
        let mut fitting = Vec::new();
        for lane in lanes_to(system, configuration, p) {
            if lane.component != frame.component || system.sender(lane) != *sender {
                continue;
            }
            let mut seen = BTreeSet::new();
            for (at, sent) in configuration.channels[&lane].iter().enumerate() {
                if system.is_unordered(lane) && !seen.insert(sent) {
                    continue;
                }
                let content = &sent.content;
                let incoming = Incoming { content, sender };
                if let Some(bindings) = patterns::receive(input.receive, input.when, incoming, &scope)? {
                    fitting.push((lane, at, bindings));
                } else if let Fate::Passed = fate(system, configuration, p, lane, content)? {
                    continue;
                }
                if !system.is_unordered(lane) {
                    break;
                }
            }
        }
        let with = |begun: &Vec<(Lane, usize, Bindings)>| {
            let begun = begun.clone();
            fitting.iter().map(move |one| [begun.clone(), vec![one.clone()]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}
