//! Replay of every counterexample: it must be a run, and show the violation that it claims.

use crate::random::examine::{Examined, Finding};
use crate::random::graph::evaluate;
use synod::internals::explore::{Counterexample, Exploration, Lasso, ViolationKind, check_lasso};
use synod::internals::instance::Instance;
use synod::internals::ir::PropertyKind;
use synod::internals::property::{Judgement, Reason, Verdict, needs_history};
use synod::internals::semantics::{Configuration, Machine, StepError, is_end};
use synod::internals::session::trace_of;
use synod::internals::simulate::{Held, Outcome, classify};
use synod::internals::trace::Trace;

pub fn check(instance: &Instance, name: &str, found: &Exploration, examined: &mut Examined) {
    for counterexample in &found.counterexamples {
        let why = shows(instance, counterexample, found).or_else(|| is_recorded(instance, counterexample));
        if let Some(why) = why {
            let message =
                format!("{name}: the counterexample to {}: {why}", violation(instance, &counterexample.kind));
            examined.findings.push(Finding::new(format!("counterexample: {name}"), message));
        }
    }
    // Every violated property has a counterexample.
    for (number, property) in instance.program.properties.iter().enumerate() {
        let violated =
            found.verdicts.iter().any(|v| v.name == property.name && v.judgement == Judgement::Violated);
        let shown = found.counterexamples.iter().any(|c| c.kind == ViolationKind::Property(number));
        if violated && !shown {
            let message = format!("{name}: property {} is violated without a counterexample", property.name);
            examined.findings.push(Finding::new(format!("no counterexample: {name}"), message));
        }
    }
}

fn violation(instance: &Instance, what: &ViolationKind) -> String {
    match what {
        ViolationKind::Property(number) => format!("property {}", instance.program.properties[*number].name),
        other => format!("{other:?}"),
    }
}

/// Write and read the trace, and replay it; return the defect, if any.
fn is_recorded(instance: &Instance, counterexample: &Counterexample) -> Option<String> {
    let text = trace_of(instance, counterexample, 1).to_text();
    let trace = match Trace::read(&text) {
        Ok(trace) => trace,
        Err(why) => return Some(format!("its trace cannot be read: {why:?}")),
    };
    let replayed = trace.replay(instance);
    (!replayed.reproduced()).then(|| format!("its trace is not reproduced: {}", replayed.summary()))
}

/// Replay a counterexample; return the reason for which it does not show its violation, if any.
fn shows(instance: &Instance, counterexample: &Counterexample, found: &Exploration) -> Option<String> {
    let mut machine = Machine::new(instance);
    let mut configurations = vec![Configuration::initial(instance)];
    let last = counterexample.events.len().saturating_sub(1);
    let aborts = matches!(counterexample.kind, ViolationKind::Aborted(_));
    for (number, event) in counterexample.events.iter().enumerate() {
        let mut next = configurations[number].clone();
        match machine.replay(instance, &mut next, event) {
            Ok(()) if aborts && number == last => return Some("its last step does not abort".into()),
            Ok(()) => {}
            Err(StepError::Aborted(_)) if aborts && number == last => return None,
            Err(error) => return Some(format!("step {number} is not possible: {error:?}")),
        }
        configurations.push(next);
    }
    let end = configurations.last()?;
    let is_end = is_end(instance, end);
    match &counterexample.kind {
        ViolationKind::Aborted(_) => Some("it has no steps".into()),
        ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => {
            let outcome = classify(instance, end, &Held::default());
            (!is_end || !matches!(outcome, Outcome::Stuck(_)))
                .then(|| format!("it ends {}", outcome.as_str()))
        }
        ViolationKind::Property(number) => {
            of_property(instance, *number, counterexample, &configurations, is_end, found)
        }
    }
}

fn of_property(
    instance: &Instance,
    number: usize,
    counterexample: &Counterexample,
    configurations: &[Configuration],
    is_end: bool,
    found: &Exploration,
) -> Option<String> {
    let property = &instance.program.properties[number];
    if property.bound.is_some() || needs_history(property, &instance.program) {
        return None;
    }
    if let Some(from) = counterexample.repeats_from {
        let mut verdicts = [Verdict::new(property, Judgement::Pending, Reason::Unstated)];
        let lasso = check_lasso(instance, &counterexample.events, from, &mut verdicts);
        let verdict = found.verdicts.iter().find(|v| v.name == property.name)?;
        return match lasso {
            Lasso::Fair | Lasso::UpToView if verdicts[0].judgement == Judgement::Violated => None,
            // An example of the possibilities of the schedule, for every outcome of coins.
            _ if counterexample.for_every_outcome => None,
            Lasso::Open if verdict.why.to_string().contains("as far as the view tells") => None,
            _ => Some(format!(
                "its cycle is {lasso:?}, and the property is {}",
                verdicts[0].judgement.as_str()
            )),
        };
    }
    let false_in = |all: &Option<Vec<Option<bool>>>| all.iter().flatten().any(|truth| *truth == Some(false));
    let at = |configuration| evaluate(instance, number, configuration);
    let end = at(configurations.last()?);
    let shown = match property.kind {
        PropertyKind::Invariant => false_in(&end),
        PropertyKind::Finally => is_end && false_in(&end),
        PropertyKind::Stable => {
            // For a joint step, the configuration before it counts.
            let before = configurations.iter().rev().skip(1).find(|c| !c.in_joint_step())?;
            let (before, after) = (at(before)?, end?);
            before.iter().zip(&after).any(|sides| sides == (&Some(true), &Some(false)))
        }
        // A finite run: the awaited condition did not hold by its end.
        _ => is_end,
    };
    (!shown).then(|| {
        format!(
            "at its end the property is not false, but {end:?}",
            end = at(configurations.last().unwrap_or(&configurations[0]))
        )
    })
}
