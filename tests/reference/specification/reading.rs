//! *Reading neighbours*: several processes move at the same time, and read the configuration before the step.

use crate::specification::configuration::Configuration;
use crate::specification::network::{Daemon, System};
use crate::specification::possible::events;
use crate::specification::step::{Event, Step, not_too_many, outcomes, parts};
use crate::specification::value::Failure;

/// *A daemon decides who moves*: the synchronous one *all that are enabled*, the distributed one *any of them, at least one*.
pub fn successors(system: &System, from: &Configuration) -> Result<Vec<Step>, Failure> {
    let mut moves: Vec<Vec<Event>> = Vec::new();
    let mut steps = Vec::new();
    for p in 0..system.n() {
        let (faults, own): (Vec<Event>, Vec<Event>) =
            events(system, from, p)?.into_iter().partition(Event::is_fault);
        for fault in faults {
            steps.extend(outcomes(system, from, p, &fault)?);
        }
        moves.push(own);
    }
    let all = system.daemon() == Some(Daemon::Synchronous);
    let mut open = vec![Step { parts: Vec::new(), rounds: 0, target: Ok(from.clone()) }];
    for (p, own) in moves.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
        let mut next = Vec::new();
        for step in open {
            let Ok(now) = &step.target else {
                next.push(step);
                continue;
            };
            for event in own {
                for (part, target) in parts(system, from, now, p, event)? {
                    let parts = step.parts.iter().cloned().chain([part]).collect();
                    next.push(Step { parts, rounds: 0, target });
                }
            }
            if !all {
                next.push(step);
            }
        }
        open = next;
        not_too_many(open.len())?;
    }
    steps.extend(open.into_iter().filter(|step| !step.parts.is_empty()));
    Ok(steps)
}
