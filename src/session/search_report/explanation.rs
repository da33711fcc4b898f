//! The explanation of a counterexample, in words.

use super::counterexample::{ChosenBody, CounterexampleBody, ViolationName};
use crate::explore::NotShortened;
use crate::prose::{self, counted};

/// The greatest number of events whose choices are listed; the data contains all.
const MOST_CHOSEN: usize = 20;

/// The beginning of the explanation about a smaller network.
pub const SMALLER: &str = "smaller counterexample:";

/// Placeholder for the names of the properties, until all properties with the same explanation are known.
pub const NAMES: char = '\0';

/// Return ` with ids 3,1,2`; nothing for the default ids 1, 2, ….
pub fn with_ids(ids: &[i64]) -> String {
    let plain = ids.iter().zip(1..).all(|(id, place)| *id == place);
    let ids = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    if plain { String::new() } else { format!(" with ids {ids}") }
}

/// Return the parts of the explanation: choices, the event of the violation, its causes, the faults, and the smaller network.
pub fn explained(body: &CounterexampleBody) -> Vec<String> {
    let mut parts = Vec::new();
    if !body.chosen.is_empty() {
        let of = |c: &ChosenBody| format!("{}: {}", body.event(c.event), c.chosen.join(", "));
        let mut all: Vec<String> = body.chosen.iter().take(MOST_CHOSEN).map(of).collect();
        if body.chosen.len() > MOST_CHOSEN {
            all.push(format!("… ({} events with choices)", body.chosen.len()));
        }
        parts.push(format!("choices in {}", all.join("; ")));
    }
    if let Some(flip) = &body.flipped_by {
        let before: Vec<u64> = body.past.iter().filter(|e| !flip.together.contains(e)).copied().collect();
        let silence = body.silence.as_deref().map(|events| {
            let events: Vec<String> = events.iter().map(|event| body.event(*event)).collect();
            match events.as_slice() {
                [] => "messages that had not arrived by then".into(),
                events => format!("messages that did not arrive because of {}", prose::and(events)),
            }
        });
        let numbers = |events: &[u64]| {
            let noun = if events.len() == 1 { "event" } else { "events" };
            format!("{noun} {}", prose::numbers(events))
        };
        let causes = match (before.len(), silence) {
            (0, Some(silence)) => Some(format!("caused by {silence}")),
            (0, None) if body.beside.is_empty() => Some("no earlier event contributes".into()),
            (0, None) => None,
            (all, None) if (all + flip.together.len()) as u64 == body.events => {
                Some("caused by all events before".into())
            }
            (_, None) => Some(format!("caused by {}", numbers(&before))),
            (_, Some(silence)) => Some(format!("caused by {}, and by {silence}", numbers(&before))),
        };
        let beside: Vec<String> = body.beside.iter().map(|event| body.event(*event)).collect();
        let beside = match beside.as_slice() {
            [] => None,
            all => Some(format!("other variables that it reads were set by {}", prose::and(all))),
        };
        let place = match flip.together.as_slice() {
            [_] | [] => {
                let process = body.processes.get(flip.event as usize).cloned();
                let process = process.unwrap_or_else(|| flip.process.to_string());
                format!("event {} ({process}: {})", flip.event, flip.action)
            }
            [first, .., last] => format!("events {first} to {last}, one joint step"),
        };
        let violated = match body.what {
            ViolationName::Property => format!("{NAMES}violated at {place}"),
            ViolationName::Stuck | ViolationName::Blocked => format!("blocked at {place}"),
            ViolationName::Aborted => format!("aborted at {place}"),
        };
        let all: Vec<String> = [Some(violated), causes, beside].into_iter().flatten().collect();
        parts.push(all.join("; "));
    }
    parts.extend(body.crashed_within.as_ref().map(|command| command.remark.clone()));
    if let Some(event) = body.exceeded_by {
        parts.push(format!("{NAMES}first exceeded at {}", body.event(event)));
    }
    // For ends and infinite runs, no event can be omitted by definition.
    match body.left_out.why {
        Some(needs @ NotShortened::Everybody) => {
            parts.push(format!("no event can be omitted: {}", needs.as_str()))
        }
        Some(needs @ (NotShortened::TooMany | NotShortened::Time)) => {
            parts.push(format!("no event was omitted: {}", needs.as_str()))
        }
        _ => {}
    }
    parts.extend(body.faults.as_ref().map(|faults| faults.text.clone()));
    if let Some(smaller) = &body.smaller {
        let ids = with_ids(&smaller.ids);
        let events = counted(smaller.events, "event");
        let faults = match smaller.other_faults.as_deref() {
            None => String::new(),
            Some("") => ", without faults".into(),
            Some(all) => format!(", with {all}"),
        };
        parts.push(format!("{SMALLER} {}{ids}, {events}{faults}", smaller.topology));
    }
    parts
}

/// Return a part of the explanation without the names of the properties.
pub fn without_names(part: &str) -> String {
    part.replace(NAMES, "")
}
