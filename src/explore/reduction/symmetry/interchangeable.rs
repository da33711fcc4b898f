//! Interchangeable processes: exchanging them keeps the network. All processes of a complete network are interchangeable, and
//! all leaves of a star.
//!
//! An exchange changes which port leads where, so the program must not distinguish its ports: it may compare them, keep them
//! and send to them, but not order or count them (the scalarsets of Ip and Dill, «Better Verification Through Symmetry», 1996).
//! Then configurations that differ in the order of interchangeable processes are equivalent, and
//! [`Canonicalizer`](super::Canonicalizer) selects one of them: n! where a rotation would only give n.

use crate::explore::monitor::{Monitor, truth_values_per_combination};
use crate::explore::reduction::flow::{Flow, Names, named};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::Slot;
use crate::network::{Label, NONE};
use crate::semantics::Configuration;

/// No such port or channel.
const NOWHERE: u32 = u32::MAX;

/// Maximum number of processes: larger networks are too large for exhaustive search anyway.
const MOST: u32 = 1 << 8;

/// The classes of interchangeable processes, and the effect of an exchange on ports and channels.
#[derive(Debug)]
pub(in crate::explore) struct Interchangeable {
    /// Classes of two or more, each in ascending order.
    pub classes: Vec<Vec<ProcessId>>,
    /// By process: the peer of each port.
    pub peers: Vec<Box<[ProcessId]>>,
    /// By process and peer: the port that leads there.
    port_to: Vec<Box<[u32]>>,
    /// By process: lane and sender of each incoming channel, in the order of [`Instance::incoming`].
    pub senders: Vec<Box<[(u32, ProcessId)]>>,
    /// By process, and then lane and sender: the index of that channel among the incoming ones.
    place: Vec<Box<[u32]>>,
    lanes: u32,
    /// By process: the word slots that hold optional ports.
    pub ports: Vec<Box<[usize]>>,
    /// By index of the truth vector: whether it concerns processes that remain fixed.
    judged: Vec<bool>,
}

impl Interchangeable {
    /// Return the interchangeable processes of this instance. `None`: there are none, or they are distinguished.
    ///
    /// A property of each process separately holds for a whole class if it holds for one member. So one process of each class
    /// remains fixed (two for a property of pairs), and the property is checked for fixed processes only. `configuration`: an
    /// initial one.
    pub fn of(monitor: &Monitor<'_>, configuration: &Configuration) -> Option<Interchangeable> {
        let instance = monitor.instance;
        let network = &instance.network;
        let n = instance.n();
        let is_plain = n <= MOST
            && network.is_simple()
            && !network.options().addressable
            && network.processes().all(|p| network.self_link(p).is_none());
        let is_free = instance.virtual_ring.is_none() && instance.spanning_tree.is_none();
        if !is_plain || !is_free || !monitor.auxiliary.can_be_exchanged() {
            return None;
        }
        // The analysis of the text is cheaper than comparing all pairs of processes.
        let mut flow = Flow::of(instance);
        if !flow.distinguished().is_none()
            || monitor.properties().iter().any(|p| !flow.of_property(p).told.is_none())
        {
            return None;
        }
        let mut classes = classes(instance);
        let properties = &instance.program.properties;
        let each =
            || monitor.followed.iter().filter(|f| !f.truth.is_empty()).map(|f| &properties[f.property]);
        let stay = each().map(|property| property.binders.len()).max().unwrap_or(0);
        classes.iter_mut().for_each(|class| drop(class.drain(..stay.min(class.len()))));
        classes.retain(|class| class.len() > 1);
        if classes.is_empty() {
            return None;
        }
        let moves = |process: &ProcessId| classes.iter().any(|class| class.contains(process));
        let mut judged = vec![true; monitor.places()];
        for followed in monitor.followed.iter().filter(|f| !f.truth.is_empty()) {
            let property = &properties[followed.property];
            let bound = if property.binders.is_empty() {
                Vec::new()
            } else {
                monitor.bound(property, configuration)?
            };
            let each = truth_values_per_combination(property.kind);
            for (number, processes) in bound.iter().enumerate() {
                let first = followed.truth.start + each * number;
                let stay = !processes.iter().any(moves);
                judged.get_mut(first..first + each)?.fill(stay);
            }
        }
        Some(Interchangeable::among(instance, classes, judged))
    }

    fn among(instance: &Instance, classes: Vec<Vec<ProcessId>>, judged: Vec<bool>) -> Interchangeable {
        let n = instance.n();
        let lanes = instance.layout.lanes;
        let peers: Vec<Box<[ProcessId]>> = instance
            .processes()
            .map(|p| instance.network.ports(p).into_iter().map(|port| port.peer).collect())
            .collect();
        let senders: Vec<Box<[(u32, ProcessId)]>> = instance
            .processes()
            .map(|p| instance.incoming(p).map(|c| (instance.layout.lane_of(c), instance.sender(c))).collect())
            .collect();
        let port_to = peers.iter().map(|peers| places(n, peers.iter().map(|peer| peer.0))).collect();
        let place = senders
            .iter()
            .map(|senders| places(n * lanes, senders.iter().map(|(lane, sender)| sender.0 * lanes + lane)));
        let place = place.collect();
        let roles = &instance.program.roles;
        let ports = instance.processes().map(|p| {
            let kept = roles[instance.role_of(p)].state_slots();
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

    /// Return for each process the least member of its class. Processes with the same representative share their table of local
    /// states.
    pub fn representatives(&self) -> Vec<ProcessId> {
        let mut least: Vec<ProcessId> = (0..self.n() as u32).map(ProcessId).collect();
        for class in &self.classes {
            class.iter().for_each(|process| least[process.index()] = class[0]);
        }
        least
    }

    /// Return whether this index of the truth vector is checked.
    pub fn is_judged(&self, place: usize) -> bool {
        self.judged.get(place).is_none_or(|judged| *judged)
    }

    /// Return the image of a port of a process.
    pub fn port(&self, process: usize, port: usize, to: &[ProcessId]) -> u32 {
        let peer = self.peers[process][port];
        self.port_to[to[process].index()][to[peer.index()].index()]
    }

    /// Return the image of an incoming channel of a process, given by its index.
    pub fn channel(&self, process: usize, at: usize, to: &[ProcessId]) -> u32 {
        let (lane, sender) = self.senders[process][at];
        self.place[to[process].index()][(to[sender.index()].0 * self.lanes + lane) as usize]
    }
}

/// Return the inverse of a sequence of numbers below `count`: for each number its index.
fn places(count: u32, numbers: impl Iterator<Item = u32>) -> Box<[u32]> {
    let mut places = vec![NOWHERE; count as usize].into_boxed_slice();
    for (place, number) in (0..).zip(numbers) {
        places[number as usize] = place;
    }
    places
}

/// Being interchangeable is an equivalence relation, so a process belongs to a class if it is interchangeable with its first
/// member.
fn classes(instance: &Instance) -> Vec<Vec<ProcessId>> {
    let mut classes: Vec<Vec<ProcessId>> = Vec::new();
    for p in instance.processes() {
        match classes.iter_mut().find(|class| are_twins(instance, class[0], p)) {
            Some(class) => class.push(p),
            None => classes.push(vec![p]),
        }
    }
    classes.retain(|class| class.len() > 1);
    classes
}

/// Return whether exchanging the two processes keeps the network.
fn are_twins(instance: &Instance, a: ProcessId, b: ProcessId) -> bool {
    let network = &instance.network;
    let alike = instance.role_of(a) == instance.role_of(b)
        && instance.initiators[a.index()] == instance.initiators[b.index()]
        && network.ports(a).len() == network.ports(b).len();
    // The observable attributes of a link from `p` to `q`.
    let seen = |p: ProcessId, q: ProcessId| {
        let port = network.port_to(p, q)?;
        let here = *network.ports(p).get(port as usize)?;
        let weight = instance.program.assumptions.weights.then(|| network.weight(p, port));
        Some((word_of(here.label), here.out != NONE, here.incoming != NONE, weight))
    };
    let both = |p: ProcessId, q: ProcessId| (seen(p, q), seen(q, p));
    alike
        && both(a, b) == both(b, a)
        && network.processes().filter(|p| ![a, b].contains(p)).all(|p| both(a, p) == both(b, p))
}

/// Return the label by which a program can name the port. Dimensions and chords number the ports; the analysis of names covers
/// these.
fn word_of(label: Option<Label>) -> Option<Label> {
    label.filter(|label| !matches!(label, Label::Dimension(_) | Label::Chord(_)))
}
