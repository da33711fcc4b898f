//! Symmetry reduction: renumberings of the processes that neither the program nor a property can observe.
//!
//! A program without identifiers observes only where its ports lead. A renumbering that keeps every port, role and weight turns
//! runs into runs. So one configuration represents all its images (Ip and Dill; Emerson and Sistla; Clarke, Enders, Filkorn and
//! Jha, 1996). The properties, too, may refer to processes only by «all», «some» and «how many».

mod interchangeable;
mod mixing;
mod tracked;
mod canonicalize;

pub(in crate::explore) use canonicalize::{Canonicalizer, inverse, then};
pub(in crate::explore) use interchangeable::Interchangeable;

use crate::explore::monitor::Monitor;
use crate::explore::reduction::flow::Flow;
use crate::explore::reduction::shape::Shapes;
use crate::explore::store::hash_index::share;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::Property;
use crate::semantics::Configuration;

/// A symmetry of the instance that is unobservable.
#[derive(Debug)]
pub(in crate::explore) enum Alike {
    Renumbered(Symmetry),
    Exchanged(Interchangeable),
}

impl Alike {
    /// Return the renumberings or exchanges that apply here, preferring the larger set. `None`: no symmetry. `configuration`:
    /// an initial one; `view`: the view that applies as well.
    pub fn of(monitor: &Monitor<'_>, configuration: &Configuration, view: Option<&Shapes>) -> Option<Alike> {
        let exchanged = if view.is_none() { Interchangeable::of(monitor, configuration) } else { None };
        // The least number of a view up to shift is computed at positions that a renumbering moves.
        let blind = !monitor.auxiliary.names_processes() && !monitor.is_live_for_each();
        let pasts = monitor.auxiliary.needs.pasts();
        let may_be = blind && view.is_none_or(|marks| marks.shifts == 0 && !pasts);
        let renumbered = || {
            let all = if may_be { Symmetry::of(monitor.instance, &monitor.properties()) } else { None };
            all.map(|all| Symmetry { parts: 2 + usize::from(pasts), ..all })
        };
        exchanged.map(Alike::Exchanged).or_else(|| renumbered().map(Alike::Renumbered))
    }
}

/// The nontrivial renumberings. Each maps a process to its new number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::explore) struct Symmetry {
    n: usize,
    /// Number of components of a vector for each process: local state, inbox, and causal past if kept. Each kind is contiguous.
    parts: usize,
    renumberings: Vec<Vec<ProcessId>>,
}

impl Symmetry {
    /// Return the unobservable renumberings of this instance. `None`: there is only the identity.
    pub fn of(instance: &Instance, properties: &[&Property]) -> Option<Symmetry> {
        if instance.virtual_ring.is_some() || instance.spanning_tree.is_some() {
            return None;
        }
        let mut flow = Flow::of(instance);
        if flow.distinguished().processes || properties.iter().any(|p| flow.of_property(p).told.processes) {
            return None;
        }
        let renumberings: Vec<Vec<ProcessId>> =
            instance.processes().skip(1).filter_map(|to| automorphism(instance, to)).collect();
        (!renumberings.is_empty()).then(|| Symmetry { n: instance.n() as usize, parts: 2, renumberings })
    }

    /// Return for each process the least of its images. Processes with the same representative share their table of local
    /// states.
    pub fn representatives(&self) -> Vec<ProcessId> {
        let least = |p: ProcessId| {
            self.renumberings.iter().map(|r| r[p.index()]).min().map_or(p, |least| least.min(p))
        };
        (0..self.n as u32).map(ProcessId).map(least).collect()
    }

    /// Return a hash that is equal for all images of a vector.
    pub fn hash(&self, key: &[u32]) -> u64 {
        let one = |to: &dyn Fn(usize) -> usize| {
            let parts = (0..).zip(key).map(|(at, number)| {
                let at = self.place(at, to);
                share(at as u32, *number)
            });
            parts.fold(0, u64::wrapping_add)
        };
        let all = self.renumberings.iter().map(|r| one(&|p| r[p].index())).chain([one(&|p| p)]);
        // Adding the hashes directly would give a sum over single positions again.
        all.fold(0, |sum: u64, hash| sum.wrapping_add(share((hash >> 32) as u32, hash as u32)))
    }

    /// Return a renumbering that takes `from` to `to`. `None`: there is none.
    pub fn between(&self, from: &[u32], to: &[u32]) -> Option<Vec<ProcessId>> {
        let same: Vec<ProcessId> = (0..self.n as u32).map(ProcessId).collect();
        let fits = |r: &&Vec<ProcessId>| self.renumbered(from, r) == to;
        if from == to { Some(same) } else { self.renumberings.iter().find(fits).cloned() }
    }

    /// Return the image of a vector.
    pub fn renumbered(&self, key: &[u32], renumbering: &[ProcessId]) -> Vec<u32> {
        let mut new = key.to_vec();
        for (at, number) in key.iter().enumerate() {
            new[self.place(at, &|p| renumbering[p].index())] = *number;
        }
        new
    }

    fn place(&self, at: usize, to: &dyn Fn(usize) -> usize) -> usize {
        if at < self.parts * self.n { at - at % self.n + to(at % self.n) } else { at }
    }

    /// Return whether the vectors, of components of `width` bytes, are images of one another.
    pub fn same<T: PartialEq>(&self, a: &[T], b: &[T], width: usize) -> bool {
        a == b
            || self.renumberings.iter().any(|r| {
                let part = |at: usize| at * width..(at + 1) * width;
                let fits = |p: usize| {
                    let q = r[p].index();
                    (0..self.parts).all(|of| a[part(of * self.n + p)] == b[part(of * self.n + q)])
                };
                let beyond = self.parts * self.n * width;
                (0..self.n).all(fits) && a[beyond..] == b[beyond..]
            })
    }
}

/// Return the renumbering that maps process 0 to `to` and keeps ports: since a network is connected, there is at most one.
fn automorphism(instance: &Instance, to: ProcessId) -> Option<Vec<ProcessId>> {
    let network = &instance.network;
    let mut image = vec![None; instance.n() as usize];
    let mut used = vec![false; instance.n() as usize];
    let mut open = vec![(ProcessId(0), to)];
    while let Some((p, q)) = open.pop() {
        if let Some(known) = image[p.index()] {
            if known != q {
                return None;
            }
            continue;
        }
        let (own, other) = (network.ports(p), network.ports(q));
        let alike = instance.role_of(p) == instance.role_of(q)
            && instance.initiators[p.index()] == instance.initiators[q.index()]
            && own.len() == other.len()
            && network.self_link(p).is_some() == network.self_link(q).is_some();
        if !alike || std::mem::replace(&mut used[q.index()], true) {
            return None;
        }
        image[p.index()] = Some(q);
        for (number, (a, b)) in (0u32..).zip(own.iter().zip(other)) {
            let far = |link: u32, from: bool| {
                let end = |link: crate::network::Link| if from { link.from_port } else { link.to_port };
                (link != crate::network::NONE).then(|| end(network.link(link)))
            };
            let same_ends =
                far(a.out, false) == far(b.out, false) && far(a.incoming, true) == far(b.incoming, true);
            let weights = !instance.program.assumptions.weights
                || network.weight(p, number) == network.weight(q, number);
            if a.label != b.label || !same_ends || !weights {
                return None;
            }
            open.push((a.peer, b.peer));
        }
    }
    image.into_iter().collect()
}
