//! From a configuration back to the beginning: the events of a counterexample.

use super::space::{Started, Worker};
use crate::semantics::Configuration;
use crate::semantics::event::Event;

/// The events that lead through these configurations, given by their vectors; the first of them is one in which all
/// have just started. None: there is no such run, which would be a mistake of ours.
pub(super) fn events(
    worker: &mut Worker<'_>,
    started: &Started,
    encode: impl Fn(&Configuration) -> Vec<u32>,
    keys: &[Vec<u32>],
) -> Option<(Vec<Event>, Configuration)> {
    let (first, rest) = keys.split_first()?;
    let (mut events, mut configuration) =
        started.iter().find(|(_, configuration)| encode(configuration) == *first)?.clone();
    for key in rest {
        let (event, next) = worker.event_to(&configuration, key)?;
        events.push(event);
        configuration = next;
    }
    Some((events, configuration))
}
