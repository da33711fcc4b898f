//! The steps that a line of a scenario may denote. If there are several, `choose option` selects one, numbered in the
//! order given here.

use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine, enabled};

/// Return the steps that `step` may denote: internal steps of a process, without timers. `last`: the process is the
/// last of a joint step.
pub fn steps(
    instance: &Instance,
    configuration: &Configuration,
    process: ProcessId,
    last: bool,
) -> Vec<Event> {
    now(instance, configuration, |event| {
        event.process == process
            && match event.cause {
                Cause::Internal | Cause::Gather | Cause::EndMislead => true,
                Cause::Move { last: is_last } => is_last == last,
                _ => false,
            }
    })
}

/// Return the executions of `on wakeup` of a process.
pub fn wakeups(instance: &Instance, configuration: &Configuration, process: ProcessId) -> Vec<Event> {
    now(instance, configuration, |event| event.process == process && event.cause == Cause::Wakeup)
}

/// Return the expirations of timers of a process.
pub fn expiries(instance: &Instance, configuration: &Configuration, process: ProcessId) -> Vec<Event> {
    now(instance, configuration, |event| event.process == process && event.cause == Cause::Timeout)
}

/// Return the deliveries of messages of these kinds (`None`: any) from one process to another. `whenever`: also before
/// their arrival time.
pub fn deliveries(
    instance: &Instance,
    configuration: &Configuration,
    (from, to): (ProcessId, ProcessId),
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

/// Return the messages of these kinds (`None`: any) in transit from one process to another, by channel and position:
/// those that can be lost or duplicated.
pub fn in_transit(
    instance: &Instance,
    configuration: &Configuration,
    (from, to): (ProcessId, ProcessId),
    kinds: Option<&[u32]>,
) -> Vec<(ChannelId, u32)> {
    let channels = instance.incoming(to).filter(|channel| instance.sender(*channel) == from);
    let of = |channel: ChannelId| {
        let messages = (0u32..).zip(configuration.channel(channel));
        let such = messages.filter(|(_, m)| kinds.is_none_or(|kinds| kinds.contains(&m.kind)));
        such.map(move |(position, _)| (channel, position)).collect::<Vec<_>>()
    };
    channels.flat_map(of).collect()
}

/// Return the reports that the failure detector of a process may make about another one, true or false.
pub fn detections(
    instance: &Instance,
    configuration: &Configuration,
    process: ProcessId,
    wanted: &Cause,
) -> Vec<Event> {
    let found = Machine::new(instance).all_detections(instance, configuration, process);
    let such = found.into_iter().filter(|(cause, _)| cause == wanted);
    such.map(|(cause, alternative)| Event { alternative, ..Event::new(process, cause) }).collect()
}

/// Return the steps that are enabled at the current time.
fn now(instance: &Instance, configuration: &Configuration, such: impl Fn(&Event) -> bool) -> Vec<Event> {
    enabled(instance, configuration).into_iter().filter(|event| event.wait == 0 && such(event)).collect()
}
