//! From vectors to events: the run of a counterexample.

use super::space::{Started, Worker};
use crate::instance::Instance;
use crate::semantics::choice::Given;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};

/// The events that lead through these configurations, given by their vectors, and then one more step (`last`), which
/// may go wrong. The first vector is that of `starts[start]`. None: there is no such run, which would be a mistake of
/// ours.
pub(super) fn events(
    instance: &Instance,
    worker: &mut Worker<'_>,
    starts: &Started,
    start: usize,
    keys: &[Vec<u32>],
    last: Option<Event>,
) -> Option<Vec<Event>> {
    let mut machine = Machine::new(instance);
    let mut configuration = starts[start].configuration.clone();
    let mut events = starts[start].events.clone();
    for step in keys.windows(2) {
        let event = worker.step_between(&step[0], &step[1])?;
        let event = placed(instance, worker, &configuration, &step[0], event)?;
        let mut given = Given::new(&event.choices);
        machine.perform(instance, &mut configuration, &event, &mut given).ok().filter(|done| *done)?;
        events.push(event);
    }
    if let Some(last) = last {
        events.push(placed(instance, worker, &configuration, keys.last()?, last)?);
    }
    Some(events)
}

/// The event with the position that its message has in the real channel: vectors keep channels without order sorted.
fn placed(
    instance: &Instance,
    worker: &Worker<'_>,
    configuration: &Configuration,
    key: &[u32],
    event: Event,
) -> Option<Event> {
    let Cause::Deliver { channel, position } = event.cause else {
        return Some(event);
    };
    if instance.layout.keeps_order(channel) || !worker.is_local() {
        return Some(event);
    }
    let mut messages = (0u32..).zip(configuration.channel(channel));
    let (position, _) = messages.find(|(_, m)| worker.place_of(m, key, channel, position))?;
    Some(Event { cause: Cause::Deliver { channel, position }, ..event })
}
