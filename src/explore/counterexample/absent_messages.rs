//! What did not come. Where time passes, or rounds end, silence says something, and no message tells of it: the causal past of an event
//! is not all that led to it.

use super::dependencies::Reexecution;
use crate::instance::Instance;
use crate::semantics::event::{CRASH, Cause, Event};
use std::collections::BTreeSet;

/// Did something in this past go by what had not come: a timer, a detector, a round in which some neighbour sent nothing? Then the
/// events up to the last of them, ascending, that kept something from coming and are not among them. If there are none, it is worth a
/// word where one of those that decide went by it: timers measure time, too.
pub fn silence(
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
                let neighbours: BTreeSet<u32> = channels.map(|channel| instance.sender(channel)).collect();
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

/// Does the event keep messages from coming?
fn keeps_back(event: &Event) -> bool {
    matches!(event.cause, Cause::Crash | Cause::Lose { .. } | Cause::Cut { .. })
        || event.choices.iter().any(|choice| *choice >= CRASH)
}
