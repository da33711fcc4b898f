//! *Radio*: time is divided into slots, which are rounds. In a slot a process transmits or listens, and hears its neighbours only.

use crate::specification::bits;
use crate::specification::builtins::sound;
use crate::specification::command::Command;
use crate::specification::configuration::{Air, Configuration, Lane, Process, Sent};
use crate::specification::eval::Heard;
use crate::specification::graph::{Channel, Effect};
use crate::specification::messages::lanes_to;
use crate::specification::network::System;
use crate::specification::statements::shown;
use crate::specification::value::{Content, Failure, abort};
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;
use synod::internals::network::NONE;

/// *In a slot, a process either transmits or listens.* Record what it does.
pub fn decide(process: &mut Process, does: Air) -> Result<(), Failure> {
    match (process.air, does) {
        (Air::Transmits, Air::Transmits) => return abort("two transmissions in one slot"),
        (Air::Transmits, Air::Listens) | (Air::Listens, Air::Transmits) => {
            return abort("a transmission and `listen` in one slot");
        }
        _ => process.air = does,
    }
    Ok(())
}

/// *For a process that has halted or crashed, a configuration records only whether it has transmitted in this slot, and only if a restart
/// is left in the budget.*
pub fn leave(process: &mut Process, may_restart: bool) {
    let transmitted = process.transmitted_before || process.air == Air::Transmits;
    process.transmitted_before = transmitted && may_restart;
    process.air = Air::Undecided;
}

/// *`transmit M(x)` reaches all neighbours. Only the first of several links to one process counts here; no process is its own neighbour.
/// A transmission counts as one message, however many processes hear it.*
pub fn transmit(command: &mut Command<'_>, content: Content) {
    let (system, p) = (command.system, command.process);
    let (message, bits) = (shown(system, &content), bits::of_message(system, &content));
    let component = content.component;
    let ports = system.network.ports(ProcessId(p as u32)).into_iter().filter(|port| port.out != NONE);
    let mut reached = BTreeSet::from([ProcessId(p as u32)]);
    let links: Vec<u32> = ports.filter(|port| reached.insert(port.peer)).map(|port| port.out).collect();
    for (k, link) in links.iter().enumerate() {
        let lane = Lane { component, link: *link };
        let (channel, message) = (system.channel(lane), message.clone());
        command.effects.push(Effect::Sent { channel, message, bits, counted: k == 0 });
        let sent = Sent { content: content.clone(), first: 0, last: 0 };
        command.now.channels.entry(lane).or_default().push(sent);
    }
    if links.is_empty() {
        // A transmission that reaches no process.
        let layer = system.component(component).path.clone();
        let channel = Channel { from: p, to: p, link: 0, layer, unordered: false };
        let sent = Effect::Sent { channel: channel.clone(), message: message.clone(), bits, counted: true };
        command.effects.extend([sent, Effect::Taken { channel, message, nth: 0, lost: true }]);
    }
}

/// *A process that notices a transmission, if only as a beep or a collision, comes after it causally.*
pub fn notices(system: &System, from: &Configuration, p: usize) -> bool {
    !signals(system, from, p).is_empty() && heard(system, from, p, true).sound != Some(sound("silence"))
}

/// Return the transmissions of this slot that reach a process, with their channels.
fn signals<'c>(system: &System, from: &'c Configuration, p: usize) -> Vec<(Lane, &'c Content)> {
    let lanes = lanes_to(system, from, p).into_iter().filter(|lane| !from.failed.contains(&lane.link));
    lanes.flat_map(|lane| from.channels[&lane].iter().map(move |sent| (lane, &sent.content))).collect()
}

/// *If exactly one neighbour transmits, a listener receives its message. If several do, their messages are lost. A process hears nothing
/// while it transmits.*
pub fn heard(system: &System, from: &Configuration, p: usize, fresh: bool) -> Heard {
    let here = system.component(0);
    let signals = if fresh { signals(system, from, p) } else { Vec::new() };
    let own = &from.processes[p];
    let hears = |word| Heard { received: Vec::new(), sound: Some(sound(word)) };
    if fresh && own.air == Air::Transmits {
        // *With `transmitter feedback` (which needs `collision detection`), a transmitting process hears `success` if no neighbour
        // transmits, else `collision`.* What it transmitted before it crashed *collides with it*.
        return hears(
            match (here.assumes("transmitter feedback"), signals.is_empty() && !own.transmitted_before) {
                (true, true) => "success",
                (true, false) => "collision",
                (false, _) => "silence",
            },
        );
    }
    if fresh && own.transmitted_before {
        return hears("silence");
    }
    match signals.as_slice() {
        [] => hears("silence"),
        _ if here.assumes("beeps") => hears("beep"),
        [(lane, content)] => {
            let received = vec![(system.sender(*lane), (*content).clone())];
            Heard { received, sound: Some(sound("success")) }
        }
        // *Without collision detection, a collision is heard as silence.*
        _ => hears(if here.assumes("collision detection") { "collision" } else { "silence" }),
    }
}
