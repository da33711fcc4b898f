//! Yo-Yo with pruning, on any network. A message of the next iteration waits at its port.

use super::graph::{Graph, Protocol, run};

/// State of a port: its direction in this iteration, and the last messages. `yes` and `kept` are the vote of this iteration: received
/// on an outgoing port, sent on an incoming one.
#[derive(Clone, Copy)]
struct Port {
    name: u32,
    value: u32,
    way: Way,
    yes: bool,
    kept: bool,
}
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Pruned,
    In,
    Out,
}
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Naming,
    Down,
    Up,
    Done,
}
#[derive(Clone)]
struct Node {
    id: u32,
    smallest: u32,
    /// Numbers of received messages: names, values from above, votes from below.
    names: u32,
    values: u32,
    votes: u32,
    /// Numbers of incoming and outgoing ports.
    above: u32,
    below: u32,
    phase: Phase,
    source: bool,
    elected: bool,
}
#[derive(Clone, Copy)]
pub enum Msg {
    Name(u32),
    Down(u32),
    Up { yes: bool, kept: bool },
}
pub struct YoYo {
    nodes: Vec<Node>,
    ports: Vec<Port>,
}

impl YoYo {
    /// Take all steps that the received messages allow.
    #[inline(always)]
    fn advance<F: FnMut(u32, Msg)>(&mut self, g: &Graph, p: u32, mut out: F) {
        let all = g.ports(p);
        loop {
            let node = &mut self.nodes[p as usize];
            match node.phase {
                Phase::Naming if node.names == all.len() as u32 => {
                    for port in &mut self.ports[all.start as usize..all.end as usize] {
                        if port.name < node.id {
                            port.way = Way::In;
                            node.above += 1;
                        } else {
                            port.way = Way::Out;
                            node.below += 1;
                        }
                    }
                    node.phase = Phase::Down;
                }
                Phase::Down if node.above + node.below == 0 => {
                    node.elected = node.source;
                    node.phase = Phase::Done;
                }
                Phase::Down if node.values == node.above => {
                    node.values = 0;
                    node.source = node.above == 0;
                    node.smallest = if node.source { node.id } else { u32::MAX };
                    for port in &self.ports[all.start as usize..all.end as usize] {
                        if port.way == Way::In {
                            node.smallest = node.smallest.min(port.value);
                        }
                    }
                    for port in all.clone() {
                        if self.ports[port as usize].way == Way::Out {
                            out(port, Msg::Down(node.smallest));
                        }
                    }
                    node.phase = Phase::Up;
                }
                Phase::Up if node.votes == node.below => {
                    node.votes = 0;
                    node.phase = Phase::Down;
                    self.vote(g, p, &mut out);
                }
                _ => return,
            }
        }
    }

    /// Send the votes up, reverse the links that carried NO, and prune.
    #[inline(always)]
    fn vote<F: FnMut(u32, Msg)>(&mut self, g: &Graph, p: u32, out: &mut F) {
        let node = &mut self.nodes[p as usize];
        let all = g.ports(p);
        let ports = &mut self.ports[all.start as usize..all.end as usize];
        let outgoing = node.below;
        (node.above, node.below) = (0, 0);
        let (mut all_yes, mut same, mut values) = (true, true, 0);
        for port in ports.iter() {
            match port.way {
                Way::Out => {
                    all_yes &= port.yes;
                    node.below += u32::from(port.yes && port.kept);
                }
                Way::In => {
                    values += 1;
                    same &= port.value == node.smallest;
                }
                Way::Pruned => {}
            }
        }
        let useless = values > 0 && same && (outgoing == 0 || node.below == 0 && all_yes);
        for k in 0..ports.len() {
            let Port { way, value, .. } = ports[k];
            if way == Way::In {
                let first = !ports[..k].iter().any(|q| q.way == Way::In && q.value == value);
                let (yes, kept) = (all_yes && value == node.smallest, !useless && first);
                (ports[k].yes, ports[k].kept) = (yes, kept);
                out(all.start + k as u32, Msg::Up { yes, kept });
            }
        }
        (node.above, node.below) = (0, 0);
        for port in ports {
            port.way = match port.way {
                Way::Pruned => continue,
                _ if !port.kept => Way::Pruned,
                way if port.yes => way,
                Way::In => Way::Out,
                Way::Out => Way::In,
            };
            node.above += u32::from(port.way == Way::In);
            node.below += u32::from(port.way == Way::Out);
        }
    }
}

impl Protocol for YoYo {
    type Msg = Msg;
    const PER_LINK: usize = 3;
    #[inline(always)]
    fn start<F: FnMut(u32, Msg)>(&mut self, g: &Graph, p: u32, mut out: F) {
        let id = self.nodes[p as usize].id;
        g.ports(p).for_each(|port| out(port, Msg::Name(id)));
        self.advance(g, p, out)
    }
    #[inline(always)]
    fn recv<F: FnMut(u32, Msg)>(&mut self, g: &Graph, port: u32, m: Msg, out: F) {
        let p = g.owner[port as usize];
        let (node, port) = (&mut self.nodes[p as usize], &mut self.ports[port as usize]);
        match m {
            Msg::Name(id) => {
                port.name = id;
                node.names += 1;
            }
            Msg::Down(value) => {
                port.value = value;
                node.values += 1;
            }
            Msg::Up { yes, kept } => {
                (port.yes, port.kept) = (yes, kept);
                node.votes += 1;
            }
        }
        self.advance(g, p, out)
    }
}

pub fn yo_yo(g: &Graph, ids: &[u32], random_seed: Option<u64>) -> u64 {
    let port = Port { name: 0, value: 0, way: Way::Pruned, yes: false, kept: false };
    let node = |id: &u32| Node {
        id: *id,
        smallest: 0,
        names: 0,
        values: 0,
        votes: 0,
        above: 0,
        below: 0,
        phase: Phase::Naming,
        source: true,
        elected: false,
    };
    let mut protocol = YoYo { nodes: ids.iter().map(node).collect(), ports: vec![port; g.links() as usize] };
    let sent = run(&mut protocol, g, random_seed);
    let least = ids.iter().copied().min();
    assert!(
        protocol
            .nodes
            .iter()
            .all(|node| node.phase == Phase::Done && node.elected == (Some(node.id) == least)),
        "the process with the least identifier is elected, and all terminate"
    );
    sent
}
