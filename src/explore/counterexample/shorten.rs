//! Counterexamples made shorter, and explained: which event made the condition false, and what had to happen before it.

use super::absent_messages::silence;
use super::confirm::confirm;
use super::contributing::beside;
use super::dependencies::{Reexecution, goes_in_step, past};
use super::exceeded::exceeded_by;
use crate::explore::{Counterexample, Stop, ViolationKind};
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::source::Span;
use crate::syntax::ast::PropertyKind;

/// Longer runs are not tried without some of their events: each try takes them again.
const MOST_EVENTS: usize = 400;

/// Why a run is a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The event (from 0) after which the condition was false, or whose command went wrong. None: it is the end of the
    /// run, or the run as a whole.
    pub flipped_by: Option<usize>,
    /// The events of the joint step that it ends, itself included, ascending: together they made the condition false.
    pub together: Vec<usize>,
    /// They, and the events that happened before them, ascending: their causal past.
    pub past: Vec<usize>,
    /// Events of other processes that are not among these, ascending: they last changed what the failing conjunct reads.
    pub beside: Vec<usize>,
    /// Where something that happened before went by what had not come: the events, ascending, that kept something from coming.
    pub silence: Option<Vec<usize>>,
    /// Which conjunct, for which values. Empty where the run as a whole is meant.
    pub why: String,
    pub span: Option<Span>,
    /// Of a bound that is the same throughout: the event (from 0) with which it is first exceeded.
    pub exceeded_by: Option<usize>,
    /// Names of all promised invariants, stable properties and orders that the run violates.
    pub violated: Vec<String>,
}

/// Why no event of a run can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// It is about how a run ends: everything that can happen must have happened.
    TheEnd,
    /// It is about a run that never ends, or about what a run costs.
    TheWhole,
    /// Everybody who can step does, in every round.
    Everybody,
    /// There are too many to try.
    TooMany,
    /// It was time to stop before all had been tried.
    Time,
}

impl Needs {
    /// One sentence without a full stop, to follow «no event can be left out:».
    pub fn as_str(self) -> &'static str {
        match self {
            Needs::TheEnd => "it is about how a run ends",
            Needs::TheWhole => "it is about the run as a whole",
            Needs::Everybody => "all who can step do so together",
            Needs::TooMany => "there are too many to try",
            Needs::Time => "there was no time to try",
        }
    }
}

/// A counterexample, and how it was made shorter.
#[derive(Clone, Debug)]
pub struct Shortened {
    pub counterexample: Counterexample,
    /// So many of its events were left out; none of the others can be. Or none can, for this reason.
    pub left_out: Result<usize, Needs>,
}

/// Explains a counterexample. None: the run cannot be repeated, which would be a mistake of ours.
pub fn explain(instance: &Instance, counterexample: &Counterexample) -> Option<Explanation> {
    let again = Reexecution::whole(instance, &counterexample.what, &counterexample.events)?;
    let groups = again.together();
    let together: Vec<usize> = match again.flipped_by {
        Some(event) => (0..=event).filter(|other| groups.get(*other) == groups.get(event)).collect(),
        None => Vec::new(),
    };
    let past = past(&again.causes(instance), together.iter().copied());
    let beside = beside(instance, &counterexample.what, &again.events, &together, &past);
    let silence = silence(instance, &again, &together, &past);
    let exceeded_by = match counterexample.what {
        ViolationKind::Property(property) => {
            exceeded_by(instance, &instance.program.properties[property], &again.events)
        }
        _ => None,
    };
    let Reexecution { flipped_by, why, span, violated, .. } = again;
    Some(Explanation { flipped_by, together, past, beside, silence, why, span, exceeded_by, violated })
}

/// The run without the events that do not matter for what is wrong: those whose leaving out leaves a run that shows the
/// same conjunct false. What must be an end, or goes on for ever, stays as it is. When it is time to `stop`, it stays as it is, too.
pub fn shorten(instance: &Instance, counterexample: Counterexample, stop: Option<Stop>) -> Shortened {
    match shorter(instance, &counterexample, stop) {
        Ok(events) => {
            let all = counterexample.events.len();
            let shorter = Counterexample { events, ..counterexample.clone() };
            // Report only a confirmed run.
            let counterexample = confirm(instance, shorter).unwrap_or(counterexample);
            let left_out = Ok(all - counterexample.events.len());
            Shortened { counterexample, left_out }
        }
        Err(needs) => Shortened { counterexample, left_out: Err(needs) },
    }
}

fn shorter(
    instance: &Instance,
    counterexample: &Counterexample,
    stop: Option<Stop>,
) -> Result<Vec<Event>, Needs> {
    let Counterexample { what, events, .. } = counterexample;
    match what {
        ViolationKind::Property(property) => match instance.program.properties[*property].kind {
            PropertyKind::Invariant | PropertyKind::Stable | PropertyKind::Order => {}
            PropertyKind::Finally => return Err(Needs::TheEnd),
            _ => return Err(Needs::TheWhole),
        },
        ViolationKind::Aborted(_) => {}
        ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => return Err(Needs::TheEnd),
    }
    let in_step = goes_in_step(instance);
    let begins = |event: &Event| matches!(event.cause, Cause::Wakeup | Cause::Restart);
    if in_step && !events.iter().any(begins) {
        return Err(Needs::Everybody);
    }
    if events.len() > MOST_EVENTS {
        return Err(Needs::TooMany);
    }
    let Some(whole) = Reexecution::whole(instance, what, events) else { return Ok(events.clone()) };
    let Some(last) = whole.flipped_by else { return Ok(events.clone()) };
    let causes = whole.causes(instance);
    let mut kept: Vec<bool> = (0..events.len()).map(|event| event <= last).collect();
    let mut shortest = events[..=last].to_vec();
    loop {
        let mut shorter = false;
        for event in (0..=last).rev().filter(|event| events[*event].cause != Cause::Start) {
            let leaving: Vec<usize> = match in_step {
                // Who can step must; but who has not begun, or has not come back, cannot.
                true if begins(&events[event]) => {
                    let own = |other: &usize| events[*other].process == events[event].process;
                    (event..=last).filter(own).collect()
                }
                true => continue,
                false => vec![event],
            };
            let needed = |later: usize| kept[later] && causes[later].contains(&event);
            let is_needed = match in_step {
                true => leaving.contains(&last),
                false => (event + 1..=last).any(needed),
            };
            if !kept[event] || is_needed {
                continue;
            }
            if stop.is_some_and(|stop| stop()) {
                return Err(Needs::Time);
            }
            let before = kept.clone();
            leaving.into_iter().for_each(|event| kept[event] = false);
            let same =
                |run: &Reexecution| run.flipped_by == Some(run.events.len() - 1) && run.span == whole.span;
            match whole.without(instance, what, &kept).filter(same) {
                Some(run) => (shortest, shorter) = (run.events, true),
                None => kept = before,
            }
        }
        if !shorter {
            let is_whole = shortest.len() == events.len();
            return if in_step && is_whole { Err(Needs::Everybody) } else { Ok(shortest) };
        }
    }
}
