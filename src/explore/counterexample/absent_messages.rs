//! Absent messages: where time passes, or rounds end, the absence of a message is information, but no event of the causal past
//! represents it.

use crate::explore::counterexample::dependencies::Reexecution;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event, crash_within};
use std::collections::BTreeSet;

/// Return the events that prevented messages, if some event of this past reacted to an absent message: a timer, a detector, a
/// round in which some neighbour sent nothing. These are the events up to the last of the past, ascending, that are not in it.
/// If there are none, return the empty list only if a violating event reacted to an absent message, since timers also measure
/// time.
pub fn preventing_events(
    instance: &Instance,
    again: &Reexecution,
    decide: &[usize],
    past: &[usize],
) -> Option<Vec<usize>> {
    let is_silent = |number: &usize| {
        let event = &again.events[*number];
        match event.cause {
            Cause::Timeout | Cause::Suspect { .. } => true,
            Cause::Round { .. } => {
                let channels = instance.incoming(event.process);
                let neighbours: BTreeSet<ProcessId> =
                    channels.map(|channel| instance.sender(channel)).collect();
                again.senders(*number).len() < neighbours.len()
            }
            _ => false,
        }
    };
    if !past.iter().any(is_silent) {
        return None;
    }
    let last = past.last().copied().unwrap_or_default();
    let keeps_back = |number: &usize| !past.contains(number) && keeps_back(&again.events[*number]);
    let because_of: Vec<usize> = (0..last).filter(keeps_back).collect();
    (!because_of.is_empty() || decide.iter().any(is_silent)).then_some(because_of)
}

/// Return whether the event prevents messages.
fn keeps_back(event: &Event) -> bool {
    matches!(event.cause, Cause::Crash | Cause::Lose { .. } | Cause::Cut { .. })
        || crash_within(&event.choices).is_some()
}
