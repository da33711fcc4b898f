//! *Radio*: time is divided into slots, which are rounds. In a slot a process transmits or listens, and hears its neighbours only.

use crate::builtins::sound;
use crate::command::Command;
use crate::configuration::{Configuration, Lane};
use crate::eval::Heard;
use crate::graph::{Channel, Effect};
use crate::network::System;
use crate::statements::shown;
use crate::value::{Content, Value};

/// *A transmission counts as one message, however many hear it.* It is on the channels to all processes in reach, and counts on one of them.
/// Return what is on the air: without a process in reach, the content is lost at once.
pub fn transmitted(command: &mut Command<'_>, content: Content) -> Content {
    let system = command.system;
    let message = shown(system, &content);
    let lanes: Vec<Lane> = (0..system.n())
        .filter(|q| *q != command.process)
        .filter_map(|q| lane(system, command.process, q, &content))
        .collect();
    for (number, lane) in lanes.iter().enumerate() {
        let (channel, message) = (system.channel(*lane), message.clone());
        let counted = number == 0;
        command.effects.push(Effect::Sent { channel, message: message.clone(), bits: 0, counted });
        if command.now.failed.contains(&lane.link) {
            command.effects.push(Effect::Taken {
                channel: system.channel(*lane),
                message,
                nth: 0,
                lost: true,
            });
        }
    }
    if lanes.is_empty() {
        // Without neighbours the transmission reaches no process, but counts.
        let layer = system.component(content.component).path.clone();
        let channel =
            Channel { from: command.process, to: command.process, link: 0, layer, unordered: false };
        let sent =
            Effect::Sent { channel: channel.clone(), message: message.clone(), bits: 0, counted: true };
        command.effects.extend([sent, Effect::Taken { channel, message, nth: 0, lost: true }]);
        return Content { name: "", fields: Vec::new(), ..content };
    }
    content
}

/// Return the lane on which `q` hears the transmissions of `p`. *Two links to one process are one neighbour here.*
fn lane(system: &System, p: usize, q: usize, content: &Content) -> Option<Lane> {
    let mut ports = system.network.ports(p as u32).into_iter();
    let port = ports.find(|port| port.out != synod::network::NONE && port.peer as usize == q)?;
    Some(Lane { component: content.component, link: port.out })
}

/// Return the messages of the slot that reach a process, with their lanes. None comes over a link that has failed.
fn signals<'c>(system: &System, from: &'c Configuration, p: usize) -> Vec<(Lane, &'c Content)> {
    let all = (0..system.n()).filter(|q| *q != p).flat_map(|q| {
        let transmitter = &from.processes[q];
        let contents = transmitter.on_the_air.iter().chain(&transmitter.transmits);
        contents.filter_map(move |content| Some((lane(system, q, p, content)?, content)))
    });
    all.filter(|(lane, _)| !from.failed.contains(&lane.link)).collect()
}

/// Return the effects of the end of a slot on the messages that reach a process. It takes those of which it hears something: the content,
/// a collision, or a beep; the others are lost.
pub fn ended(system: &System, from: &Configuration, p: usize, listens: bool) -> Vec<Effect<Value>> {
    let here = system.component(0);
    let all = signals(system, from, p);
    let process = &from.processes[p];
    let hears = match (process.transmits.is_some(), !process.on_the_air.is_empty()) {
        (true, _) => here.assumes("transmitter feedback"),
        (false, true) => false,
        (false, false) => all.len() == 1 || here.assumes("beeps") || here.assumes("collision detection"),
    };
    let effect = |(lane, content): &(Lane, &Content)| {
        let (channel, message) = (system.channel(*lane), shown(system, content));
        Effect::Taken { channel, message, nth: 0, lost: !(listens && hears) }
    };
    all.iter().map(effect).collect()
}

/// *If exactly one neighbour transmits, a listener receives its message. If several do, their messages are lost. Nobody hears anything
/// while it transmits.*
pub fn heard(system: &System, from: &Configuration, p: usize, fresh: bool) -> Heard {
    let here = system.component(0);
    let heard = if fresh { signals(system, from, p) } else { Vec::new() };
    let own = &from.processes[p];
    // *If it has transmitted* before a restart, *that is on the air: in this slot it hears nothing, and what it transmits now collides with
    // it.*
    let outlived = !own.on_the_air.is_empty();
    if fresh && (own.transmits.is_some() || outlived) {
        // *With `transmitter feedback` (which needs `collision detection`) a process that transmits hears `success` if no neighbour did,
        // and `collision` otherwise.*
        let word = match (here.assumes("transmitter feedback") && own.transmits.is_some(), outlived) {
            (true, false) if heard.is_empty() => "success",
            (true, _) => "collision",
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
        [(lane, content)] => {
            let q = system.network.link(lane.link).from;
            let port = system.network.neighbours(p as u32).position(|peer| peer == q).unwrap_or(0);
            let sender =
                if here.addresses_by_id() { Value::Id(system.network.id(q)) } else { Value::Port(port) };
            Heard { received: vec![(sender, (*content).clone())], sound: Some(sound("success")) }
        }
        // Without collision detection *several sound like silence.*
        _ => {
            let word = if here.assumes("collision detection") { "collision" } else { "silence" };
            Heard { received: Vec::new(), sound: Some(sound(word)) }
        }
    }
}
