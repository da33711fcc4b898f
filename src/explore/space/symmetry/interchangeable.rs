//! Twins: processes that stand in the network alike, so that exchanging them changes nothing but names. All processes of a
//! complete network are, and all leaves of a star.
//!
//! Exchanging them changes which port leads where, so it takes a program that cannot tell its ports apart: it may compare
//! them, keep them, send to them, but not order or count them off (the scalar sets of Ip and Dill, «Better Verification
//! Through Symmetry», 1996). Then configurations that differ in the order of twins count as one, and of these `arrange` takes one: n! where a
//! rotation would only give n.

use crate::explore::monitor::{Monitor, places_of};
use crate::explore::space::flow::{Flow, Names, named};
use crate::instance::Instance;
use crate::ir::Slot;
use crate::network::{Label, NONE};
use crate::semantics::Configuration;

/// There is no such port or channel.
const NOWHERE: u32 = u32::MAX;

/// So many processes at most: on larger networks nothing is looked at as a whole.
const MOST: u32 = 1 << 8;

/// Which processes can be exchanged, and what that does to ports and channels.
#[derive(Debug)]
pub(in crate::explore) struct Interchangeable {
    /// Classes of two or more, each in ascending order.
    pub classes: Vec<Vec<u32>>,
    /// By process: the process at the other end of each port.
    pub peers: Vec<Box<[u32]>>,
    /// By process, and then process: the port that leads there.
    port_to: Vec<Box<[u32]>>,
    /// By process: lane and sender of each channel that leads to it, in the order of [`Instance::incoming`].
    pub senders: Vec<Box<[(u32, u32)]>>,
    /// By process, and then lane and sender: which of these it is.
    place: Vec<Box<[u32]>>,
    lanes: u32,
    /// By process: the word slots that hold ports, or none.
    pub ports: Vec<Box<[usize]>>,
    /// By place in the truth of a configuration: is it about processes that stay where they are?
    judged: Vec<bool>,
}

impl Interchangeable {
    /// The twins of this instance, where nothing can tell them apart. None: there are none.
    ///
    /// What is to be true for each process on its own is true for all twins if it is for one. So one of each class stays where it is (two
    /// where it is about pairs), and it is judged for those who do. `configuration`: one in which all have started.
    pub fn of(judge: &Monitor<'_>, configuration: &Configuration) -> Option<Interchangeable> {
        let instance = judge.instance;
        let network = &instance.network;
        let n = instance.n();
        let is_plain = n <= MOST
            && network.is_simple()
            && !network.options().addressable
            && (0..n).all(|p| network.self_link(p).is_none());
        let is_free = instance.virtual_ring.is_none() && instance.spanning_tree.is_none();
        if !is_plain || !is_free || judge.ghosts.tell_processes_apart() {
            return None;
        }
        // What is read from the text takes less time than to compare everybody with everybody.
        let mut flow = Flow::of(&instance.program);
        if !flow.told().is_none() || judge.properties().iter().any(|p| !flow.of_property(p).told.is_none()) {
            return None;
        }
        let mut classes = classes(instance);
        let properties = &instance.program.properties;
        let each = || judge.followed.iter().filter(|f| !f.truth.is_empty()).map(|f| &properties[f.property]);
        let stay = each().map(|property| property.each.len()).max().unwrap_or(0);
        classes.iter_mut().for_each(|class| drop(class.drain(..stay.min(class.len()))));
        classes.retain(|class| class.len() > 1);
        if classes.is_empty() {
            return None;
        }
        let moves = |process: &u32| classes.iter().any(|class| class.contains(process));
        let mut judged = vec![true; judge.places()];
        for followed in judge.followed.iter().filter(|f| !f.truth.is_empty()) {
            let property = &properties[followed.property];
            let bound =
                if property.each.is_empty() { Vec::new() } else { judge.bound(property, configuration)? };
            let each = places_of(property.kind);
            for (number, processes) in bound.iter().enumerate() {
                let first = followed.truth.start + each * number;
                let stay = !processes.iter().any(moves);
                judged.get_mut(first..first + each)?.fill(stay);
            }
        }
        Some(Interchangeable::among(instance, classes, judged))
    }

    fn among(instance: &Instance, classes: Vec<Vec<u32>>, judged: Vec<bool>) -> Interchangeable {
        let n = instance.n();
        let lanes = instance.layout.lanes;
        let peers: Vec<Box<[u32]>> =
            (0..n).map(|p| instance.network.ports(p).into_iter().map(|port| port.peer).collect()).collect();
        let senders: Vec<Box<[(u32, u32)]>> = (0..n)
            .map(|p| instance.incoming(p).map(|c| (instance.layout.lane_of(c), instance.sender(c))).collect())
            .collect();
        let port_to = peers.iter().map(|peers| places(n, peers.iter().copied())).collect();
        let place = senders
            .iter()
            .map(|senders| places(n * lanes, senders.iter().map(|(lane, sender)| sender * lanes + lane)));
        let place = place.collect();
        let roles = &instance.program.roles;
        let ports = (0..n).map(|p| {
            let kept = roles[instance.role_of(p)].kept();
            let words =
                kept.filter(|(_, ty)| named(&instance.program, ty) != Names::NONE).filter_map(|(slot, _)| {
                    match slot {
                        Slot::Word(at) => Some(usize::from(at)),
                        Slot::Value(_) => None,
                    }
                });
            words.collect()
        });
        let ports = ports.collect();
        Interchangeable { classes, peers, port_to, senders, place, lanes, ports, judged }
    }

    pub fn n(&self) -> usize {
        self.peers.len()
    }

    /// By process: the least of those it can be exchanged with. They have their local states in common.
    pub fn representatives(&self) -> Vec<u32> {
        let mut least: Vec<u32> = (0..self.n() as u32).collect();
        for class in &self.classes {
            class.iter().for_each(|process| least[*process as usize] = class[0]);
        }
        least
    }

    /// Is what stands at this place of the truth of a configuration judged?
    pub fn is_judged(&self, place: usize) -> bool {
        self.judged.get(place).is_none_or(|judged| *judged)
    }

    /// What becomes of a port of a process.
    pub fn port(&self, process: usize, port: usize, to: &[u32]) -> u32 {
        let peer = self.peers[process][port];
        self.port_to[to[process] as usize][to[peer as usize] as usize]
    }

    /// What becomes of a channel that leads to a process, given by its place among those.
    pub fn channel(&self, process: usize, at: usize, to: &[u32]) -> u32 {
        let (lane, sender) = self.senders[process][at];
        self.place[to[process] as usize][(to[sender as usize] * self.lanes + lane) as usize]
    }
}

/// By number, below `count`: the place where it stands.
fn places(count: u32, numbers: impl Iterator<Item = u32>) -> Box<[u32]> {
    let mut places = vec![NOWHERE; count as usize].into_boxed_slice();
    for (place, number) in (0..).zip(numbers) {
        places[number as usize] = place;
    }
    places
}

/// Being twins is an equivalence: whoever can be exchanged with a second, and that one with a third, can be with the third.
fn classes(instance: &Instance) -> Vec<Vec<u32>> {
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for p in 0..instance.n() {
        match classes.iter_mut().find(|class| are_twins(instance, class[0], p)) {
            Some(class) => class.push(p),
            None => classes.push(vec![p]),
        }
    }
    classes.retain(|class| class.len() > 1);
    classes
}

/// Does the network stay as it is when these two are exchanged?
fn are_twins(instance: &Instance, a: u32, b: u32) -> bool {
    let network = &instance.network;
    let alike = instance.role_of(a) == instance.role_of(b)
        && instance.initiators[a as usize] == instance.initiators[b as usize]
        && network.ports(a).len() == network.ports(b).len();
    // What can be noticed of a link of `p` that leads to `q`.
    let seen = |p: u32, q: u32| {
        let port = network.port_to(p, q)?;
        let here = *network.ports(p).get(port as usize)?;
        let weight = instance.program.assumptions.weights.then(|| network.weight(p, port));
        Some((word_of(here.label), here.out != NONE, here.incoming != NONE, weight))
    };
    let both = |p: u32, q: u32| (seen(p, q), seen(q, p));
    alike
        && both(a, b) == both(b, a)
        && (0..network.n()).filter(|p| ![a, b].contains(p)).all(|p| both(a, p) == both(b, p))
}

/// The label by which a program can name the port: dimensions and chords it counts off, which is looked at elsewhere.
fn word_of(label: Option<Label>) -> Option<Label> {
    label.filter(|label| !matches!(label, Label::Dimension(_) | Label::Chord(_)))
}
