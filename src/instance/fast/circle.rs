//! Networks that look the same from every process, as rings do: which link leads where is then a sum, and no table
//! of a million entries has to be looked into at every step.

use crate::network::{NONE, Network};

/// Ports, and links for each process, that a circle may have.
const MOST: usize = 4;

/// Process p sends at port k over link `links_each · p + out[k]`, modulo their number; and link `links_each · p + r`
/// leads to process `p + to[r]`, modulo n, at its port `port[r]`.
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    n: u32,
    links: u32,
    /// There are 1, 2 or 4 links for each process: the exponent of two.
    shift: u32,
    out: [u32; MOST],
    to: [u32; MOST],
    port: [u32; MOST],
}

impl Circle {
    /// None: the network is not like that.
    pub(super) fn new(network: &Network) -> Option<Circle> {
        let (n, links) = (network.n(), network.links().len() as u32);
        let each = links.checked_div(n)?;
        let degree = network.degree(0) as usize;
        let fits = each * n == links
            && each.is_power_of_two()
            && each as usize <= MOST
            && degree <= MOST
            && network.link_bound() == links;
        if !fits {
            return None;
        }
        let mut circle = Circle {
            n,
            links,
            shift: each.trailing_zeros(),
            out: [NONE; MOST],
            to: [0; MOST],
            port: [0; MOST],
        };
        for (k, port) in network.ports(0).iter().enumerate() {
            circle.out[k] = port.out;
        }
        for r in 0..each {
            circle.to[r as usize] = network.link(r).to;
            circle.port[r as usize] = network.link(r).to_port;
        }
        let same_ports = (0..n).all(|p| {
            let ports = network.ports(p);
            ports.len() == degree && (0..).zip(ports).all(|(k, port)| circle.out(p, k) == port.out)
        });
        let same_links = (0..)
            .zip(network.links())
            .all(|(i, link)| circle.receiver(i) == link.to && circle.port_of(i) == link.to_port);
        (same_ports && same_links).then_some(circle)
    }

    /// The link at a port, or NONE.
    #[inline(always)]
    pub fn out(&self, process: u32, port: usize) -> u32 {
        match self.out.get(port) {
            None | Some(&NONE) => NONE,
            Some(out) => {
                let link = (process << self.shift) + out;
                if link >= self.links { link - self.links } else { link }
            }
        }
    }

    #[inline(always)]
    pub fn receiver(&self, link: u32) -> u32 {
        let to = (link >> self.shift) + self.to[self.place(link)];
        if to >= self.n { to - self.n } else { to }
    }

    #[inline(always)]
    pub fn port_of(&self, link: u32) -> u32 {
        self.port[self.place(link)]
    }

    #[inline(always)]
    fn place(&self, link: u32) -> usize {
        (link & ((1 << self.shift) - 1)) as usize % MOST
    }

    /// The only port that sends, or NONE where there are none or several.
    pub(super) fn only_port(&self) -> u32 {
        let mut sending = (0u32..).zip(&self.out).filter(|(_, out)| **out != NONE);
        match (sending.next(), sending.next()) {
            (Some((port, _)), None) => port,
            _ => NONE,
        }
    }
}
