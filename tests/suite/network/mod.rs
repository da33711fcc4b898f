//! Networks: sizes of every family, the laws of their ports, explicit graphs, recognised shapes, messages.

mod errors;
mod explicit;
mod families;
mod formats;
mod shapes;

use synod::internals::network::{Direction, Labels, NO_PORT, NONE, Network, NetworkOptions, Spec, build};

fn network(text: &str) -> Network {
    network_with(text, &NetworkOptions::default())
}

fn one_way(text: &str) -> Network {
    let options = NetworkOptions { direction: Direction::Unidirectional, ..NetworkOptions::default() };
    network_with(text, &options)
}

fn unoriented(text: &str, seed: u64) -> Network {
    let options = NetworkOptions { labels: Labels::Unoriented { seed }, ..NetworkOptions::default() };
    network_with(text, &options)
}

fn network_with(text: &str, options: &NetworkOptions) -> Network {
    let spec = Spec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let network = build(&spec, options).unwrap_or_else(|error| panic!("{text}: {error}"));
    check_laws(&network);
    network
}

/// Check the laws of every network: ports and links refer to each other, labels and opposites are symmetric.
fn check_laws(network: &Network) {
    let what = network.topology();
    let n = network.n();
    let mut port_ends = 0;
    for p in network.processes() {
        for (k, port) in (0u32..).zip(network.ports(p)) {
            assert!(port.out != NONE || port.incoming != NONE, "{what}: a dead port");
            if port.out != NONE {
                let link = network.link(port.out);
                assert_eq!((link.from, link.from_port, link.to), (p, k, port.peer), "{what}");
                port_ends += 1;
            }
            if port.incoming != NONE {
                let link = network.link(port.incoming);
                assert_eq!((link.to, link.to_port, link.from), (p, k, port.peer), "{what}");
                port_ends += 1;
            }
            if let Some(label) = port.label {
                assert_eq!(network.port_with_label(p, label), Some(k), "{what}: unique labels");
                let other = if port.out == NONE { port.incoming } else { port.out };
                let link = network.link(other);
                let there = if other == port.out { link.to_port } else { link.from_port };
                if let Some(mirrored) = label.mirrored(n) {
                    let far = network.ports(port.peer)[there as usize].label;
                    assert_eq!(far, Some(mirrored), "{what}: {p} {label}");
                }
            }
            if let Some(opposite) = network.opposite(p, k) {
                assert_ne!(opposite, k, "{what}");
                assert_eq!(network.opposite(p, opposite), Some(k), "{what}: involution");
            }
            network.weight(p, k);
        }
    }
    for (i, link) in (0u32..).zip(network.links()) {
        assert_eq!(network.link(i), link);
        if link.from_port == NO_PORT {
            assert_eq!(network.self_link(link.from), Some(i));
        } else {
            assert_eq!(network.ports(link.from)[link.from_port as usize].out, i);
            assert_eq!(network.ports(link.to)[link.to_port as usize].incoming, i);
            port_ends -= 2;
        }
    }
    assert_eq!(port_ends, 0, "{what}");
    let again = Spec::parse(what).map(|spec| spec.to_string());
    assert!(again.is_err() || again.as_deref() == Ok(what), "{what} is canonical");
}
