//! Destinations of messages. Fast code identifies channels by *arrival*: a number for each channel that determines the receiver
//! and its port.

use super::FastCode;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::network::{NO_PORT, NONE, Network};

/// The network as steps see it.
pub trait Wiring: Copy {
    /// Return the arrival of a message of this kind sent at a port, or NONE if nothing can be sent there.
    fn send(self, process: ProcessId, port: i64, kind: u8) -> u32;
    /// The same for the only port that sends.
    fn send_only(self, process: ProcessId, kind: u8) -> u32;
    /// The same if every process has exactly one such port, as is the case where plans send.
    fn onward(self, process: ProcessId, kind: u8) -> u32;
    /// Return the number of ports of a process.
    fn ports(self, process: ProcessId) -> u32;
    /// Return the receiver of the message.
    fn receiver(self, arrival: u32) -> ProcessId;
    /// Return the sender as the receiver identifies it: its id, or the port at which the message arrived.
    fn sender(self, arrival: u32) -> i64;
    /// Return whether the message goes from a process to itself outside the network.
    fn is_self(self, arrival: u32) -> bool;
    fn channel(self, arrival: u32) -> ChannelId;
    fn arrival(self, channel: ChannelId) -> u32;
}

/// An arbitrary network: arrivals are channels.
#[derive(Clone, Copy, Debug)]
pub struct LinkTable<'a> {
    pub instance: &'a Instance,
    pub fast: &'a FastCode,
}

impl LinkTable<'_> {
    #[inline(always)]
    fn of_link(self, link: u32, kind: u8) -> u32 {
        let layout = &self.instance.layout;
        match link {
            NONE => NONE,
            link if layout.lanes == 1 => link,
            link => layout.channel(link, self.fast.kinds[kind as usize].lane).0,
        }
    }
}

impl Wiring for LinkTable<'_> {
    #[inline(always)]
    fn send(self, process: ProcessId, port: i64, kind: u8) -> u32 {
        let ports = self.instance.network.ports(process);
        let port = usize::try_from(port).ok().and_then(|port| ports.get(port));
        self.of_link(port.map_or(NONE, |port| port.out), kind)
    }

    #[inline(always)]
    fn send_only(self, process: ProcessId, kind: u8) -> u32 {
        self.of_link(self.instance.only_out(process), kind)
    }

    #[inline(always)]
    fn onward(self, process: ProcessId, kind: u8) -> u32 {
        self.send_only(process, kind)
    }

    #[inline(always)]
    fn ports(self, process: ProcessId) -> u32 {
        self.instance.network.degree(process)
    }

    #[inline(always)]
    fn receiver(self, arrival: u32) -> ProcessId {
        self.instance.receiver(ChannelId(arrival))
    }

    #[inline(always)]
    fn sender(self, arrival: u32) -> i64 {
        let (network, layout) = (&self.instance.network, &self.instance.layout);
        let link = network.link(layout.link_of(ChannelId(arrival)));
        match link.to_port {
            _ if layout.by_id => network.id(link.from),
            NO_PORT => -1,
            port => i64::from(port),
        }
    }

    #[inline(always)]
    fn is_self(self, arrival: u32) -> bool {
        let layout = &self.instance.layout;
        layout.self_links && self.instance.is_self_link(layout.link_of(ChannelId(arrival)))
    }

    #[inline(always)]
    fn channel(self, arrival: u32) -> ChannelId {
        ChannelId(arrival)
    }

    #[inline(always)]
    fn arrival(self, channel: ChannelId) -> u32 {
        channel.0
    }
}

/// Maximum number of ports, and of outgoing links, of a process in a circulant network.
const MOST: usize = 4;

/// Offset from a port to the destination of its messages.
#[derive(Clone, Copy, Debug)]
struct PortOffset {
    /// Distance to the receiver, in positions.
    distance: u32,
    /// Index of the arrival among those of the receiver, or NONE: the port does not send.
    place: u32,
}

/// A circulant network, which looks the same from every process, such as a ring. The destination of a link is then a sum, which
/// saves an access to a table of up to a million entries at every step. Each process has as many arrivals as incoming links;
/// arrival r of process p has the number `2^shift · p + r`.
#[derive(Clone, Copy, Debug)]
pub struct Circulant {
    n: u32,
    shift: u32,
    degree: u32,
    /// By port.
    ways: [PortOffset; MOST],
    /// The path of the only port that sends; undefined (NONE) if there are several.
    only: PortOffset,
    /// By arrival index: the port.
    ports: [i64; MOST],
    /// By arrival index: offset from the number of a link, shifted right by `shift`, to its receiver.
    ahead: [u32; MOST],
}

impl Circulant {
    /// Return None if the network is not circulant.
    pub(super) fn new(network: &Network) -> Option<Circulant> {
        let (n, links) = (network.n(), network.stored_links());
        let each = links.checked_div(n)?;
        let degree = network.degree(ProcessId(0));
        let fits = each * n == links
            && each.is_power_of_two()
            && each as usize <= MOST
            && degree as usize <= MOST
            && network.link_bound() == links;
        if !fits {
            return None;
        }
        let nowhere = PortOffset { distance: 0, place: NONE };
        let mut circle = Circulant {
            n,
            shift: each.trailing_zeros(),
            degree,
            ways: [nowhere; MOST],
            only: nowhere,
            ports: [0; MOST],
            ahead: [0; MOST],
        };
        for place in 0..each {
            let link = network.link(place);
            circle.ahead[place as usize] = link.to.0;
            circle.ports[place as usize] = i64::from(link.to_port);
        }
        for (port, way) in network.ports(ProcessId(0)).iter().zip(&mut circle.ways) {
            if port.out != NONE {
                *way = PortOffset { distance: network.link(port.out).to.0, place: port.out % each };
            }
        }
        let mut sending = circle.ways.iter().filter(|way| way.place != NONE);
        if let (Some(only), None) = (sending.next(), sending.next()) {
            circle.only = *only;
        }
        circle.describes(network).then_some(circle)
    }

    /// Return whether this description matches the whole network.
    fn describes(&self, network: &Network) -> bool {
        let same_links = (0..).zip(network.links()).all(|(number, link)| {
            let arrival = self.arrival(ChannelId(number));
            link.to_port != NO_PORT
                && self.channel(arrival).0 == number
                && self.receiver(arrival) == link.to
                && self.sender(arrival) == i64::from(link.to_port)
        });
        let leads = |p, k, out| match self.send(p, k, 0) {
            NONE => out == NONE,
            arrival => self.channel(arrival).0 == out,
        };
        same_links
            && network.processes().all(|p| {
                let ports = network.ports(p);
                ports.len() == self.degree as usize && (0..).zip(ports).all(|(k, port)| leads(p, k, port.out))
            })
    }

    #[inline(always)]
    fn along(&self, process: ProcessId, way: PortOffset) -> u32 {
        if way.place == NONE { NONE } else { self.to(process, way) }
    }

    /// Return the arrival at the end of a path that leads somewhere.
    #[inline(always)]
    fn to(&self, process: ProcessId, way: PortOffset) -> u32 {
        let to = process.0 + way.distance;
        let to = if to >= self.n { to - self.n } else { to };
        to << self.shift | way.place
    }

    /// Return whether every process has exactly one port that sends.
    pub(super) fn leads_onward(&self) -> bool {
        self.only.place != NONE
    }

    #[inline(always)]
    fn place(&self, arrival: u32) -> usize {
        (arrival & ((1 << self.shift) - 1)) as usize % MOST
    }
}

impl Wiring for &Circulant {
    #[inline(always)]
    fn send(self, process: ProcessId, port: i64, _: u8) -> u32 {
        match usize::try_from(port).ok().and_then(|port| self.ways.get(port)) {
            Some(way) => self.along(process, *way),
            None => NONE,
        }
    }

    #[inline(always)]
    fn send_only(self, process: ProcessId, _: u8) -> u32 {
        self.along(process, self.only)
    }

    #[inline(always)]
    fn onward(self, process: ProcessId, _: u8) -> u32 {
        self.to(process, self.only)
    }

    #[inline(always)]
    fn ports(self, _: ProcessId) -> u32 {
        self.degree
    }

    #[inline(always)]
    fn receiver(self, arrival: u32) -> ProcessId {
        ProcessId(arrival >> self.shift)
    }

    #[inline(always)]
    fn sender(self, arrival: u32) -> i64 {
        self.ports[self.place(arrival)]
    }

    #[inline(always)]
    fn is_self(self, _: u32) -> bool {
        false
    }

    #[inline(always)]
    fn channel(self, arrival: u32) -> ChannelId {
        let place = self.place(arrival);
        let (to, ahead) = (arrival >> self.shift, self.ahead[place]);
        let before = if to >= ahead { to - ahead } else { to + self.n - ahead };
        ChannelId(before << self.shift | place as u32)
    }

    #[inline(always)]
    fn arrival(self, channel: ChannelId) -> u32 {
        let place = self.place(channel.0);
        self.along(
            ProcessId(channel.0 >> self.shift),
            PortOffset { distance: self.ahead[place], place: place as u32 },
        )
    }
}
