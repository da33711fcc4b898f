//! *Failure detectors* report crashes: each crash eventually, and once.

use crate::specification::command::Command;
use crate::specification::configuration::Configuration;
use crate::specification::eval::{Scope, eval};
use crate::specification::messages;
use crate::specification::network::System;
use crate::specification::patterns::{Bindings, Target};
use crate::specification::step::Event;
use crate::specification::value::{Failure, Name, Value};
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;
use synod::internals::syntax::ast::{MessageGuard, Pattern, Trigger};

fn is_assumed(system: &System) -> bool {
    ["detector", "perfect detector"].iter().any(|words| system.component(0).assumes(words)) || may_err(system)
}

/// Test whether detectors may err. *A `perfect` one suspects nobody who is up. An `eventually perfect` one may do so, as often as the
/// budget `suspicion` allows.*
fn may_err(system: &System) -> bool {
    system.component(0).assumes("eventually perfect detector")
}

/// Return the watched processes, each with its name at this process: *of all others where processes have ids (`on suspect(p)`: `p` is an
/// id), else of its neighbours (`p` is a port)*.
fn watched(system: &System, p: usize, component: usize) -> Result<Vec<(usize, Value)>, Failure> {
    if system.component(component).addresses_by_id() {
        let others = (0..system.n()).filter(|q| *q != p);
        return Ok(others.map(|q| (q, Value::Id(system.network.id(ProcessId(q as u32))))).collect());
    }
    let peers: BTreeSet<usize> = system.network.neighbours(ProcessId(p as u32)).map(|q| q.index()).collect();
    let named = |q: usize| {
        Some((q, Value::Port(system.network.port_to(ProcessId(p as u32), ProcessId(q as u32))? as usize)))
    };
    Ok(peers.into_iter().filter(|q| *q != p).filter_map(named).collect())
}

/// Return the possible reports of the failure detector of a process; *where no handler or guard lets it in it waits*.
pub fn events(
    system: &System,
    configuration: &Configuration,
    p: usize,
    events: &mut Vec<Event>,
) -> Result<(), Failure> {
    let process = &configuration.processes[p];
    if !is_assumed(system) || !process.up || process.parts[0].halted {
        return Ok(());
    }
    for c in 0..system.program.components.len() {
        let scope = messages::scope(system, configuration, p, c);
        for (k, rule) in system.component(c).handlers.iter().enumerate() {
            let Trigger::On(guard) = &rule.what.trigger else { continue };
            let heard = messages::event(guard, &scope).filter(|_| messages::is_active(rule, &scope));
            if !matches!(heard, Some("suspect" | "trust")) || process.parts[c].halted {
                continue;
            }
            for (of, name) in watched(system, p, c)? {
                let up = configuration.processes[of].up;
                let event = match (heard, configuration.suspected.contains(&(p, of)), up) {
                    (Some("trust"), true, true) => Event::Trust(of, c, k),
                    (Some("suspect"), false, false) if !may_still_hear(system, configuration, p, of) => {
                        Event::Suspect(of, c, k)
                    }
                    (Some("suspect"), false, true)
                        if may_err(system) && configuration.faults.suspicion > 0 =>
                    {
                        Event::SuspectWrongly(of, c, k)
                    }
                    _ => continue,
                };
                match holds(guard, &name, &scope) {
                    Ok(false) => {}
                    // If the guard aborts, the step does.
                    Ok(true) | Err(Failure::Abort(_)) => events.push(event),
                    Err(failure) => return Err(failure),
                }
            }
        }
    }
    Ok(())
}

/// *Where delays have a bound it waits as long as messages may take: the last words of the dead come first.*
fn may_still_hear(system: &System, configuration: &Configuration, p: usize, of: usize) -> bool {
    let ends = |link: u32| (system.network.link(link).from.index(), system.network.link(link).to.index());
    system.is_timed() && configuration.channels.keys().any(|lane| ends(lane.link) == (of, p))
}

fn bound_name(guard: &'static MessageGuard) -> Option<Name> {
    match &guard.pattern {
        Pattern::Message(_, parts, _) => match parts.as_slice() {
            [Pattern::Name(name)] => Some(&name.text),
            _ => None,
        },
        _ => None,
    }
}

fn holds(guard: &'static MessageGuard, name: &Value, scope: &Scope<'_>) -> Result<bool, Failure> {
    let mut inner = scope.clone();
    inner.locals.extend(bound_name(guard).map(|bound| (bound, name.clone())));
    guard.when.as_ref().map_or(Ok(true), |when| eval(when, &inner)?.truth())
}

/// Deliver a report of the failure detector to the process.
pub fn deliver_report(
    command: &mut Command<'_>,
    event: &Event,
    of: usize,
    c: usize,
    k: usize,
) -> Result<(), Failure> {
    let p = command.process;
    match event {
        Event::Trust(..) => {
            command.now.suspected.remove(&(p, of));
        }
        _ => {
            command.now.suspected.insert((p, of));
        }
    }
    if matches!(event, Event::SuspectWrongly(..)) {
        command.now.faults.suspicion -= 1;
    }
    let handler = command.system.component(c).handlers[k].what;
    let Trigger::On(guard) = &handler.trigger else { return Ok(()) };
    let all = watched(command.system, p, c)?;
    let name = all.into_iter().find(|(q, _)| *q == of).map_or(Value::None, |(_, name)| name);
    let scope = messages::scope(command.system, command.before, p, c);
    holds(guard, &name, &scope)?;
    let bindings = bound_name(guard).map(|bound| (Target::New(bound), name));
    command.run_handler(c, &handler.body, Bindings { all: bindings.into_iter().collect() })
}

/// Update the suspicions after a restart: the process itself suspects no other process. *`on trust(p) -> …`, which is also how a process
/// hears that a suspected one has come back*: without such a handler, the suspicion ends at once.
pub fn clear_suspicions(command: &mut Command<'_>) {
    let (system, p) = (command.system, command.process);
    let nothing = Configuration::default();
    let listens = |q: usize| {
        (0..system.program.components.len()).any(|c| {
            let scope = messages::scope(system, &nothing, q, c);
            system.component(c).handlers.iter().any(|rule| {
                crate::specification::module::fits(rule.role, system.role(q, c))
                    && matches!(&rule.what.trigger, Trigger::On(guard)
                        if messages::event(guard, &scope) == Some("trust"))
            })
        })
    };
    command.now.suspected.retain(|(observer, of)| *observer != p && (*of != p || listens(*observer)));
}
