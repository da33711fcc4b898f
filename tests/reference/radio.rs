//! *Radio*: time is divided into slots, which are rounds. In a slot a process transmits or listens, and hears its neighbours only.

use crate::builtins::sound;
use crate::command::Command;
use crate::configuration::{Configuration, Lane};
use crate::eval::Heard;
use crate::graph::{Channel, Effect};
use crate::network::System;
use crate::statements::shown;
use crate::value::{Content, Value};
use std::collections::BTreeSet;

/// *A transmission counts as one message, however many hear it.*
pub fn transmitted(command: &mut Command<'_>, content: &Content) {
    let system = command.system;
    let ports = system.network.ports(command.process as u32).into_iter();
    let link = ports.map(|port| port.out).find(|out| *out != synod::network::NONE);
    // Without neighbours the transmission reaches no process, but counts.
    let nowhere = || Channel {
        from: command.process,
        to: command.process,
        link: 0,
        layer: system.component(content.component).path.clone(),
        unordered: false,
    };
    let channel =
        link.map_or_else(nowhere, |link| system.channel(Lane { component: content.component, link }));
    let message = shown(system, content);
    command.effects.push(Effect::Sent {
        channel: channel.clone(),
        message: message.clone(),
        bits: 0,
        counted: true,
    });
    command.effects.push(Effect::Taken { channel, message, nth: 0, lost: false });
}

/// *If exactly one neighbour transmits, a listener receives its message. If several do, their messages are lost. Nobody hears anything
/// while it transmits.*
pub fn heard(system: &System, from: &Configuration, p: usize, fresh: bool) -> Heard {
    let here = system.component(0);
    // *Two links to one process are one neighbour here, and nobody is its own.*
    let peers: BTreeSet<usize> =
        system.network.neighbours(p as u32).map(|q| q as usize).filter(|q| *q != p).collect();
    let of =
        |q: usize| from.processes[q].on_the_air.iter().chain(&from.processes[q].transmits).filter(|_| fresh);
    let heard: Vec<(usize, &Content)> =
        peers.into_iter().flat_map(|q| of(q).map(move |content| (q, content))).collect();
    if of(p).next().is_some() {
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
            let port = system.network.neighbours(p as u32).position(|peer| peer as usize == *q).unwrap_or(0);
            let sender = if here.addresses_by_id() {
                Value::Id(system.network.id(*q as u32))
            } else {
                Value::Port(port)
            };
            Heard { received: vec![(sender, (*content).clone())], sound: Some(sound("success")) }
        }
        // Without collision detection *several sound like silence.*
        _ => {
            let word = if here.assumes("collision detection") { "collision" } else { "silence" };
            Heard { received: Vec::new(), sound: Some(sound(word)) }
        }
    }
}
