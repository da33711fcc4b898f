//! What a line of a scenario may mean where it stands. Where that is more than one step, `choose option` says which: they are numbered as
//! they come here.

use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine, enabled};

/// What `step` lets a process do: what it does by itself, timers apart. `last`: of several that move together it is the last.
pub fn steps(instance: &Instance, configuration: &Configuration, process: u32, last: bool) -> Vec<Event> {
    now(instance, configuration, |event| {
        event.process == process
            && match event.cause {
                Cause::Internal | Cause::Gather | Cause::SetRight => true,
                Cause::Move { last: is_last } => is_last == last,
                _ => false,
            }
    })
}

/// Timers of a process that may run out.
pub fn expiries(instance: &Instance, configuration: &Configuration, process: u32) -> Vec<Event> {
    now(instance, configuration, |event| event.process == process && event.cause == Cause::Timeout)
}

/// Messages of such kinds (None: any) from one process that another can take. `whenever`: even before they have come.
pub fn deliveries(
    instance: &Instance,
    configuration: &Configuration,
    (from, to): (u32, u32),
    kinds: Option<&[u32]>,
    whenever: bool,
) -> Vec<Event> {
    let such = |event: &Event| match event.cause {
        Cause::Deliver { channel, position } if event.process == to && instance.sender(channel) == from => {
            let message = configuration.channel(channel).nth(position as usize);
            message.is_some_and(|message| kinds.is_none_or(|kinds| kinds.contains(&message.kind)))
        }
        _ => false,
    };
    if !whenever {
        return now(instance, configuration, such);
    }
    let mut found: Vec<Event> = enabled(instance, configuration);
    found.retain(such);
    found.iter_mut().for_each(|event| event.wait = 0);
    found.dedup();
    found
}

/// Messages of such kinds (None: any) that are under way from one process to another, by channel and position: which may be lost, or
/// doubled.
pub fn under_way(
    instance: &Instance,
    configuration: &Configuration,
    (from, to): (u32, u32),
    kinds: Option<&[u32]>,
) -> Vec<(u32, u32)> {
    let channels = instance.incoming(to).filter(|channel| instance.sender(*channel) == from);
    let of = |channel: u32| {
        let messages = (0u32..).zip(configuration.channel(channel));
        let such = messages.filter(|(_, m)| kinds.is_none_or(|kinds| kinds.contains(&m.kind)));
        such.map(move |(position, _)| (channel, position)).collect::<Vec<_>>()
    };
    channels.flat_map(of).collect()
}

/// What the failure detector of a process may say of another one, be it true or not.
pub fn detections(
    instance: &Instance,
    configuration: &Configuration,
    process: u32,
    wanted: &Cause,
) -> Vec<Event> {
    let found = Machine::new(instance).all_detections(instance, configuration, process);
    let such = found.into_iter().filter(|(cause, _)| cause == wanted);
    such.map(|(cause, alternative)| Event { alternative, ..Event::new(process, cause) }).collect()
}

/// What is possible at the present instant.
fn now(instance: &Instance, configuration: &Configuration, such: impl Fn(&Event) -> bool) -> Vec<Event> {
    enabled(instance, configuration).into_iter().filter(|event| event.wait == 0 && such(event)).collect()
}
