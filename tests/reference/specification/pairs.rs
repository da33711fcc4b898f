//! *Pairwise interactions*: two processes meet, and one command changes the variables of both.

use crate::specification::command::Command;
use crate::specification::configuration::Configuration;
use crate::specification::eval::{Scope, applied, eval};
use crate::specification::messages;
use crate::specification::module::Function;
use crate::specification::network::System;
use crate::specification::patterns::{Bindings, Target};
use crate::specification::step::Event;
use crate::specification::value::{Evaluated, Failure, Name, Value, unspecified};
use synod::internals::syntax::ast::{MessageGuard, Pattern, Trigger};

/// Return the name of the responder, if any.
fn responder(guard: &'static MessageGuard) -> Option<Name> {
    match &guard.pattern {
        Pattern::Message(_, parts, _) => match parts.as_slice() {
            [Pattern::Name(name)] => Some(&name.text),
            _ => None,
        },
        _ => None,
    }
}

/// *Which two meet, the scheduler chooses, among those whose guard holds. Links say who can be met. Who is down meets nobody.*
pub fn events(
    system: &System,
    configuration: &Configuration,
    p: usize,
    events: &mut Vec<Event>,
) -> Result<(), Failure> {
    let acts = |q: usize| configuration.processes[q].up && !configuration.processes[q].parts[0].halted;
    if acts(p) && configuration.misled.contains(&p) {
        events.push(Event::SetRight);
    }
    let scope = messages::scope(system, configuration, p, 0);
    for port in system.neighbours(p) {
        let q = system.peer(p, port)?;
        if q == p || !acts(p) || !acts(q) {
            continue;
        }
        for (k, rule) in system.component(0).handlers.iter().enumerate() {
            let Trigger::On(guard) = &rule.what.trigger else { continue };
            if !messages::is_active(rule, &scope) || messages::event(guard, &scope) != Some("interaction") {
                continue;
            }
            match holds(guard, port, &scope) {
                Ok(false) => {}
                // If the guard aborts, the step does.
                Ok(true) | Err(Failure::Abort(_)) => events.push(Event::Interact(port, k)),
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(())
}

fn holds(guard: &'static MessageGuard, port: usize, scope: &Scope<'_>) -> Result<bool, Failure> {
    let mut inner = scope.clone();
    inner.locals.extend(responder(guard).map(|name| (name, Value::Port(port))));
    guard.when.as_ref().map_or(Ok(true), |when| eval(when, &inner)?.truth())
}

/// *An interaction is one event of the initiator.*
pub fn interact(command: &mut Command<'_>, port: usize, k: usize) -> Result<(), Failure> {
    let handler = command.system.component(0).handlers[k].what;
    let Trigger::On(guard) = &handler.trigger else { return unspecified("this interaction") };
    let scope = messages::scope(command.system, command.before, command.process, 0);
    holds(guard, port, &scope)?;
    let met = responder(guard).map(|name| (Target::New(name), Value::Port(port)));
    command.run_handler(0, &handler.body, Bindings { all: met.into_iter().collect() })
}

/// *`oracle f` names a function without parameters.*
pub fn is_oracle(system: &System, name: &str) -> bool {
    system.component(0).assumes(&format!("oracle {name}"))
}

/// Return the answer of an oracle: *what is true before the interaction*, or *the wrong answer* at a misled process.
pub fn asked(function: Function, component: usize, p: usize, scope: &Scope<'_>) -> Evaluated {
    let mut inner = scope.at(None, component);
    inner.configuration = scope.others;
    let answer = applied(function, component, Vec::new(), &inner)?.truth()?;
    Ok(Value::Bool(answer != scope.others.misled.contains(&p)))
}
