//! The network of a run, and its layout in the plane.

use super::limits::{LINKS, cut};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::render::picture::NetworkLayout;
use serde::Serialize;

#[derive(Serialize)]
pub struct NetworkBody {
    topology: String,
    n: u32,
    ids: Vec<i64>,
    names: Vec<String>,
    roles: Vec<String>,
    directed: bool,
    /// Ordered pairs of neighbours.
    links: Vec<(ProcessId, ProcessId)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    layout: Option<Layout>,
}

#[derive(Serialize)]
struct Layout {
    radius: f64,
    /// x, y, width, height.
    #[serde(rename = "box")]
    frame: [f64; 4],
    places: Vec<Vertex>,
    edges: Vec<EdgeBody>,
    channels: Vec<ChannelBody>,
}

#[derive(Serialize)]
struct Vertex {
    x: f64,
    y: f64,
    label_x: f64,
    label_y: f64,
}

#[derive(Serialize)]
struct EdgeBody {
    path: String,
    one_way: Option<usize>,
}

#[derive(Serialize)]
struct ChannelBody {
    from: ProcessId,
    to: ProcessId,
    path: String,
    tip: [f64; 2],
    direction: [f64; 2],
    label: [f64; 2],
    side: [f64; 2],
}

fn tenths(v: f64) -> f64 {
    // Without a negative zero: which zero is the lesser differs from machine to machine.
    (v * 10.0).round() / 10.0 + 0.0
}

fn thousandths(v: f64) -> f64 {
    (v * 1000.0).round() / 1000.0 + 0.0
}

impl Layout {
    fn new(drawn: NetworkLayout) -> Layout {
        let (low, high) = drawn.bounds();
        let places = drawn.places.iter().zip(&drawn.room).map(|((x, y), (label_x, label_y))| Vertex {
            x: tenths(*x),
            y: tenths(*y),
            label_x: thousandths(*label_x),
            label_y: thousandths(*label_y),
        });
        Layout {
            radius: drawn.radius,
            frame: [tenths(low.0), tenths(low.1), tenths(high.0 - low.0), tenths(high.1 - low.1)],
            places: places.collect(),
            edges: drawn
                .edges
                .iter()
                .map(|edge| EdgeBody { path: edge.path.clone(), one_way: edge.one_way })
                .collect(),
            channels: drawn
                .ways
                .iter()
                .map(|way| ChannelBody {
                    from: way.from,
                    to: way.to,
                    path: way.path.clone(),
                    tip: [tenths(way.tip.0), tenths(way.tip.1)],
                    direction: [thousandths(way.direction.0), thousandths(way.direction.1)],
                    label: [tenths(way.label.0), tenths(way.label.1)],
                    side: [thousandths(way.side.0), thousandths(way.side.1)],
                })
                .collect(),
        }
    }
}

impl NetworkBody {
    pub fn new(instance: &Instance) -> NetworkBody {
        let network = &instance.network;
        let links = network.links().filter(|link| link.from_port != crate::network::NO_PORT);
        let links: Vec<(ProcessId, ProcessId)> = links.map(|link| (link.from, link.to)).collect();
        let most = (LINKS.max as usize).min(links.len());
        let role = |p| instance.program.roles[instance.role_of(p)].name.clone();
        let roles: Vec<String> = instance.processes().map(role).collect();
        NetworkBody {
            topology: network.topology().into(),
            n: instance.n(),
            ids: network.ids().to_vec(),
            names: instance.processes().map(|p| instance.process_name(p)).collect(),
            roles: if roles.iter().all(String::is_empty) { Vec::new() } else { roles },
            directed: network.directed(),
            cut: cut(most, links.len(), "first"),
            links: links[..most].to_vec(),
            layout: NetworkLayout::of(network).map(Layout::new),
        }
    }
}
