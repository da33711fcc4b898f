//! Shortened and explained counterexamples: the event that made the condition false, and its causes.

use crate::explore::counterexample::absent_messages::preventing_events;
use crate::explore::counterexample::confirm::confirm;
use crate::explore::counterexample::contributing::beside;
use crate::explore::counterexample::dependencies::{Reexecution, past, steps_together};
use crate::explore::counterexample::exceeded::exceeded_by;
use crate::explore::{Counterexample, ViolationKind};
use crate::instance::Instance;
use crate::ir::PropertyKind;
use crate::property::CrashedCommand;
use crate::semantics::event::{Cause, Event};
use crate::source::Span;

/// Longer runs are not shortened: each attempt re-executes the run.
const MOST_EVENTS: usize = 400;

/// The explanation of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The event (from 0) after which the condition was false, or whose command aborted. `None`: the violation concerns the end
    /// of the run, or the run as a whole.
    pub flipped_by: Option<usize>,
    /// If its process crashed within its command: this command.
    pub crashed_within: Option<CrashedCommand>,
    /// The events of the joint step that it ends, itself included, ascending: together they made the condition false.
    pub together: Vec<usize>,
    /// These events and their causal past, ascending.
    pub past: Vec<usize>,
    /// Contributing events of other processes outside that past, ascending: they last changed what the failing conjunct reads.
    pub contributing: Vec<usize>,
    /// If an event of the past reacted to an absent message: the events, ascending, that prevented messages.
    pub preventing: Option<Vec<usize>>,
    /// The failing conjunct with the values of its binders. Empty if the violation concerns the run as a whole.
    pub why: String,
    pub span: Option<Span>,
    /// For a bound with a constant limit: the event (from 0) at which it is first exceeded.
    pub exceeded_by: Option<usize>,
    /// Names of all claimed invariants, stable properties and orders that the run violates.
    pub violated: Vec<String>,
}

/// The reason why no event of a run can be omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotShortened {
    /// The violation concerns the end of a run, where no step is enabled.
    TheEnd,
    /// The violation concerns an infinite run, or the cost of a run.
    TheWhole,
    /// In every round, every enabled process steps.
    Everybody,
    /// There are too many events to try.
    TooMany,
    /// The search was stopped before all events had been tried.
    Time,
}

impl NotShortened {
    /// Return the reason in words, to follow «no event can be omitted:».
    pub fn as_str(self) -> &'static str {
        match self {
            NotShortened::TheEnd => "the violation concerns the end of a run",
            NotShortened::TheWhole => "the violation concerns the run as a whole",
            NotShortened::Everybody => "all enabled processes step together",
            NotShortened::TooMany => "there are too many events to try",
            NotShortened::Time => "stopped before all events were tried",
        }
    }
}

/// A counterexample after shortening.
#[derive(Clone, Debug)]
pub struct Shortened {
    pub counterexample: Counterexample,
    /// The number of omitted events (no other can be omitted), or why none can be omitted.
    pub left_out: Result<usize, NotShortened>,
}

/// Explain a counterexample. `None`: the run cannot be re-executed, which would be a bug.
pub fn explain(instance: &Instance, counterexample: &Counterexample) -> Option<Explanation> {
    let again = Reexecution::whole(instance, &counterexample.kind, &counterexample.events)?;
    let groups = again.joint_step_numbers();
    let together: Vec<usize> = match again.flipped_by {
        Some(event) => (0..=event).filter(|other| groups.get(*other) == groups.get(event)).collect(),
        None => Vec::new(),
    };
    let past = past(&again.causes(instance), together.iter().copied());
    let beside = beside(instance, &counterexample.kind, &again.events, &together, &past);
    let silence = preventing_events(instance, &again, &together, &past);
    let exceeded_by = match counterexample.kind {
        ViolationKind::Property(property) => {
            exceeded_by(instance, &instance.program.properties[property], &again.events)
        }
        _ => None,
    };
    let Reexecution { flipped_by, crashed_within, why, span, violated, .. } = again;
    Some(Explanation {
        flipped_by,
        crashed_within,
        together,
        past,
        contributing: beside,
        preventing: silence,
        why,
        span,
        exceeded_by,
        violated,
    })
}

/// Omit the events that the violation does not need: without them, the run still makes the same conjunct false. A violation at
/// an end or of an infinite run is not shortened, nor is any once the stop signal of the instance is set.
pub fn shorten(instance: &Instance, counterexample: Counterexample) -> Shortened {
    match shorter(instance, &counterexample) {
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

fn shorter(instance: &Instance, counterexample: &Counterexample) -> Result<Vec<Event>, NotShortened> {
    let Counterexample { kind: what, events, .. } = counterexample;
    match what {
        ViolationKind::Property(property) => match instance.program.properties[*property].kind {
            PropertyKind::Invariant | PropertyKind::Stable | PropertyKind::Order => {}
            PropertyKind::Finally => return Err(NotShortened::TheEnd),
            _ => return Err(NotShortened::TheWhole),
        },
        ViolationKind::Aborted(_) => {}
        ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => return Err(NotShortened::TheEnd),
    }
    let in_step = steps_together(instance);
    let begins = |event: &Event| matches!(event.cause, Cause::Wakeup | Cause::Restart);
    if in_step && !events.iter().any(begins) {
        return Err(NotShortened::Everybody);
    }
    if events.len() > MOST_EVENTS {
        return Err(NotShortened::TooMany);
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
                // An enabled process must step, but one that never wakes or restarts is never enabled.
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
            if instance.stop.is_set() {
                return Err(NotShortened::Time);
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
            return if in_step && is_whole { Err(NotShortened::Everybody) } else { Ok(shortest) };
        }
    }
}
