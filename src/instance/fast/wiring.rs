//! Where messages arrive. Messages under way are known by their *arrival*: a number, one for each channel, from which
//! follows who gets them and at which port.

use super::FastCode;
use crate::instance::Instance;
use crate::network::{NO_PORT, NONE, Network};

/// What a step wants to know of the network.
pub trait Wiring: Copy {
    /// Where a message of this kind arrives that leaves a process at a port, or NONE: nothing can be sent there.
    fn send(self, process: u32, port: i64, kind: u8) -> u32;
    /// The same at the only port that sends.
    fn send_only(self, process: u32, kind: u8) -> u32;
    /// The same where every process has such a port, as wherever there are plans that send.
    fn onward(self, process: u32, kind: u8) -> u32;
    /// Ports of a process.
    fn ports(self, process: u32) -> u32;
    /// The process that gets the message.
    fn receiver(self, arrival: u32) -> u32;
    /// The sender as the receiver knows it: its id, or the port the message came in at.
    fn sender(self, arrival: u32) -> i64;
    /// Does the message go from a process to itself, without the network?
    fn is_self(self, arrival: u32) -> bool;
    fn channel(self, arrival: u32) -> u32;
    fn arrival(self, channel: u32) -> u32;
}

/// Any network: arrivals are channels.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    pub instance: &'a Instance,
    pub fast: &'a FastCode,
}

impl Table<'_> {
    #[inline(always)]
    fn of_link(self, link: u32, kind: u8) -> u32 {
        let layout = &self.instance.layout;
        match link {
            NONE => NONE,
            link if layout.lanes == 1 => link,
            link => layout.channel(link, self.fast.kinds[kind as usize].lane),
        }
    }
}

impl Wiring for Table<'_> {
    #[inline(always)]
    fn send(self, process: u32, port: i64, kind: u8) -> u32 {
        let ports = self.instance.network.ports(process);
        let port = usize::try_from(port).ok().and_then(|port| ports.get(port));
        self.of_link(port.map_or(NONE, |port| port.out), kind)
    }

    #[inline(always)]
    fn send_only(self, process: u32, kind: u8) -> u32 {
        self.of_link(self.instance.only_out(process), kind)
    }

    #[inline(always)]
    fn onward(self, process: u32, kind: u8) -> u32 {
        self.send_only(process, kind)
    }

    #[inline(always)]
    fn ports(self, process: u32) -> u32 {
        self.instance.network.degree(process)
    }

    #[inline(always)]
    fn receiver(self, arrival: u32) -> u32 {
        self.instance.receiver(arrival)
    }

    #[inline(always)]
    fn sender(self, arrival: u32) -> i64 {
        let (network, layout) = (&self.instance.network, &self.instance.layout);
        let link = network.link(layout.link_of(arrival));
        match link.to_port {
            _ if layout.by_id => network.id(link.from),
            NO_PORT => -1,
            port => i64::from(port),
        }
    }

    #[inline(always)]
    fn is_self(self, arrival: u32) -> bool {
        let layout = &self.instance.layout;
        layout.self_links && self.instance.is_self_link(layout.link_of(arrival))
    }

    #[inline(always)]
    fn channel(self, arrival: u32) -> u32 {
        arrival
    }

    #[inline(always)]
    fn arrival(self, channel: u32) -> u32 {
        channel
    }
}

/// Ports, and links for each process, that a circle may have.
const MOST: usize = 4;

/// From a port to where its messages arrive.
#[derive(Clone, Copy, Debug)]
struct WirePath {
    /// To the receiver, in positions.
    distance: u32,
    /// The receiver's place, or NONE: nothing leaves here.
    place: u32,
}

/// A network that looks the same from every process, as rings do: which link leads where is then a sum, and no table
/// of a million entries has to be looked into at every step. Each process has as many places as links arrive at it,
/// and the arrival at place r of process p is number `2^shift · p + r`.
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    n: u32,
    shift: u32,
    degree: u32,
    /// By port.
    ways: [WirePath; MOST],
    /// The way of the only port that sends; nowhere, if there are several.
    only: WirePath,
    /// By place: the port.
    ports: [i64; MOST],
    /// By place: from the number of a link, without its last `shift` bits, to its receiver.
    ahead: [u32; MOST],
}

impl Circle {
    /// None: the network is not like that.
    pub(super) fn new(network: &Network) -> Option<Circle> {
        let (n, links) = (network.n(), network.stored_links());
        let each = links.checked_div(n)?;
        let degree = network.degree(0);
        let fits = each * n == links
            && each.is_power_of_two()
            && each as usize <= MOST
            && degree as usize <= MOST
            && network.link_bound() == links;
        if !fits {
            return None;
        }
        let nowhere = WirePath { distance: 0, place: NONE };
        let mut circle = Circle {
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
            circle.ahead[place as usize] = link.to;
            circle.ports[place as usize] = i64::from(link.to_port);
        }
        for (port, way) in network.ports(0).iter().zip(&mut circle.ways) {
            if port.out != NONE {
                *way = WirePath { distance: network.link(port.out).to, place: port.out % each };
            }
        }
        let mut sending = circle.ways.iter().filter(|way| way.place != NONE);
        if let (Some(only), None) = (sending.next(), sending.next()) {
            circle.only = *only;
        }
        circle.describes(network).then_some(circle)
    }

    /// Is this the whole network?
    fn describes(&self, network: &Network) -> bool {
        let same_links = (0..).zip(network.links()).all(|(number, link)| {
            let arrival = self.arrival(number);
            link.to_port != NO_PORT
                && self.channel(arrival) == number
                && self.receiver(arrival) == link.to
                && self.sender(arrival) == i64::from(link.to_port)
        });
        let leads = |p, k, out| match self.send(p, k, 0) {
            NONE => out == NONE,
            arrival => self.channel(arrival) == out,
        };
        same_links
            && (0..self.n).all(|p| {
                let ports = network.ports(p);
                ports.len() == self.degree as usize && (0..).zip(ports).all(|(k, port)| leads(p, k, port.out))
            })
    }

    #[inline(always)]
    fn along(&self, process: u32, way: WirePath) -> u32 {
        if way.place == NONE { NONE } else { self.to(process, way) }
    }

    /// Along a way that leads somewhere.
    #[inline(always)]
    fn to(&self, process: u32, way: WirePath) -> u32 {
        let to = process + way.distance;
        let to = if to >= self.n { to - self.n } else { to };
        to << self.shift | way.place
    }

    /// Does something leave every process at one port alone?
    pub(super) fn leads_onward(&self) -> bool {
        self.only.place != NONE
    }

    #[inline(always)]
    fn place(&self, arrival: u32) -> usize {
        (arrival & ((1 << self.shift) - 1)) as usize % MOST
    }
}

impl Wiring for &Circle {
    #[inline(always)]
    fn send(self, process: u32, port: i64, _: u8) -> u32 {
        match usize::try_from(port).ok().and_then(|port| self.ways.get(port)) {
            Some(way) => self.along(process, *way),
            None => NONE,
        }
    }

    #[inline(always)]
    fn send_only(self, process: u32, _: u8) -> u32 {
        self.along(process, self.only)
    }

    #[inline(always)]
    fn onward(self, process: u32, _: u8) -> u32 {
        self.to(process, self.only)
    }

    #[inline(always)]
    fn ports(self, _: u32) -> u32 {
        self.degree
    }

    #[inline(always)]
    fn receiver(self, arrival: u32) -> u32 {
        arrival >> self.shift
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
    fn channel(self, arrival: u32) -> u32 {
        let place = self.place(arrival);
        let (to, ahead) = (arrival >> self.shift, self.ahead[place]);
        let before = if to >= ahead { to - ahead } else { to + self.n - ahead };
        before << self.shift | place as u32
    }

    #[inline(always)]
    fn arrival(self, channel: u32) -> u32 {
        let place = self.place(channel);
        self.along(channel >> self.shift, WirePath { distance: self.ahead[place], place: place as u32 })
    }
}
