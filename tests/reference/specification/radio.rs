//! *Radio*: time is divided into slots, which are rounds. In a slot a process transmits or listens, and hears its neighbours only.

use crate::specification::bits;
use crate::specification::builtins::sound;
use crate::specification::command::Command;
use crate::specification::configuration::{Configuration, Lane};
use crate::specification::eval::Heard;
use crate::specification::graph::{Channel, Effect, Message};
use crate::specification::network::System;
use crate::specification::statements::shown;
use crate::specification::value::{Content, Value};
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;

/// Return the channels from a process to those in reach. *Two links to one process are one neighbour here, and nobody is its own.*
fn channels(system: &System, p: usize, component: usize) -> Vec<Channel> {
    let ports = system
        .network
        .ports(ProcessId(p as u32))
        .into_iter()
        .filter(|port| port.out != synod::internals::network::NONE);
    let mut reached = BTreeSet::from([ProcessId(p as u32)]);
    let links = ports.filter(|port| reached.insert(port.peer)).map(|port| port.out);
    links.map(|link| system.channel(Lane { component, link })).collect()
}

/// *A transmission counts as one message, however many hear it.* Return the content that is on the air: without a process in reach,
/// it is lost at once.
pub fn transmitted(command: &mut Command<'_>, content: Content) -> Content {
    let (system, p) = (command.system, command.process);
    let (message, bits) = (shown(system, &content), bits::of_message(system, &content));
    let channels = channels(system, p, content.component);
    for (k, channel) in channels.iter().enumerate() {
        let (channel, message) = (channel.clone(), message.clone());
        command.effects.push(Effect::Sent { channel, message, bits, counted: k == 0 });
    }
    if channels.is_empty() {
        // A transmission that reaches no process.
        let layer = system.component(content.component).path.clone();
        let channel = Channel { from: p, to: p, link: 0, layer, unordered: false };
        command.effects.push(Effect::Sent {
            channel: channel.clone(),
            message: message.clone(),
            bits,
            counted: true,
        });
        command.effects.push(Effect::Taken { channel, message, nth: 0, lost: true });
        return Content { name: "", fields: Vec::new(), ..content };
    }
    content
}

/// Return the transmissions of this slot that reach a process.
fn in_reach(from: &Configuration, system: &System, p: usize) -> Vec<(usize, Content)> {
    let peers: BTreeSet<usize> =
        system.network.neighbours(ProcessId(p as u32)).map(|q| q.index()).filter(|q| *q != p).collect();
    let of = |q: usize| from.processes[q].on_the_air.iter().chain(&from.processes[q].transmits);
    peers.into_iter().flat_map(|q| of(q).map(move |content| (q, content.clone()))).collect()
}

/// Return the messages that end at a process with the slot, and whether it notices each. *A process that notices a transmission, if only as
/// a beep or a collision, comes after it causally.*
pub fn arriving(
    system: &System,
    from: &Configuration,
    p: usize,
    fresh: bool,
) -> Vec<(Channel, Message<Value>, bool)> {
    let notices = fresh && heard(system, from, p, true).sound != Some(sound("silence"));
    let arrives = |(q, content): (usize, Content)| {
        let channel = channels(system, q, content.component).into_iter().find(|channel| channel.to == p)?;
        Some((channel, shown(system, &content), notices))
    };
    in_reach(from, system, p).into_iter().filter_map(arrives).collect()
}

/// *If exactly one neighbour transmits, a listener receives its message. If several do, their messages are lost. Nobody hears anything
/// while it transmits.*
pub fn heard(system: &System, from: &Configuration, p: usize, fresh: bool) -> Heard {
    let here = system.component(0);
    let heard = if fresh { in_reach(from, system, p) } else { Vec::new() };
    let own = &from.processes[p];
    if fresh && (own.transmits.is_some() || !own.on_the_air.is_empty()) {
        // *With `transmitter feedback` (which needs `collision detection`) a process that transmits hears `success` if no neighbour did,
        // and `collision` otherwise.*
        let word = match (here.assumes("transmitter feedback"), heard.is_empty()) {
            (true, true) => "success",
            (true, false) => "collision",
            (false, _) => "silence",
        };
        return Heard { received: Vec::new(), sound: Some(sound(word)) };
    }
    if here.assumes("beeps") {
        let word = if heard.is_empty() { "silence" } else { "beep" };
        return Heard { received: Vec::new(), sound: Some(sound(word)) };
    }
    match heard.as_slice() {
        [] => Heard { received: Vec::new(), sound: Some(sound("silence")) },
        [(q, content)] => {
            let port = system
                .network
                .neighbours(ProcessId(p as u32))
                .position(|peer| peer.index() == *q)
                .unwrap_or(0);
            let sender = if here.addresses_by_id() {
                Value::Id(system.network.id(ProcessId(*q as u32)))
            } else {
                Value::Port(port)
            };
            Heard { received: vec![(sender, content.clone())], sound: Some(sound("success")) }
        }
        // Without collision detection *several sound like silence.*
        _ => {
            let word = if here.assumes("collision detection") { "collision" } else { "silence" };
            Heard { received: Vec::new(), sound: Some(sound(word)) }
        }
    }
}
