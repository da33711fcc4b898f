//! Check the assumptions of the algorithm against an instance.

use super::Settings;
use crate::ir::{Program, Shape};
use crate::network::{Network, SpanningTree, VirtualRing};

pub(super) fn check(program: &Program, network: &Network, wrong: &mut Vec<String>) {
    let assumes = &program.assumptions;
    wrong.extend(assumes.misfits(network, program.roles.len()));
    if (assumes.unique_ids || assumes.identifies_by_id())
        && let Some((first, second)) = network.duplicate_id()
    {
        wrong.push(format!(
            "{first} and {second} both have the id {}, but the algorithm assumes unique ids",
            network.id(first)
        ));
    }
}

/// Return the virtual ring that the program assumes.
pub(super) fn virtual_ring(
    program: &Program,
    network: &Network,
    wrong: &mut Vec<String>,
) -> Option<VirtualRing> {
    if !program.assumptions.virtual_ring {
        return None;
    }
    if program.assumptions.topology == Some(Shape::Complete) {
        return Some(VirtualRing::over_positions(network));
    }
    let ring = VirtualRing::around_spanning_tree(network);
    if ring.is_none() {
        wrong.push(format!(
            "{} has no virtual ring: its processes are not all connected by edges that carry messages both ways",
            network.topology()
        ));
    }
    ring
}

/// Return the rooted spanning tree that the program assumes, or the tree that it runs on.
pub(super) fn spanning_tree(
    program: &Program,
    network: &Network,
    wrong: &mut Vec<String>,
) -> Option<SpanningTree> {
    // A tree of any family is its own spanning tree: only a balanced tree is built with a root.
    let is_tree = program.assumptions.topology == Some(Shape::Tree);
    if !program.assumptions.spanning_tree && !is_tree {
        return None;
    }
    let tree = SpanningTree::of(network);
    if tree.is_none() {
        wrong.push(format!(
            "{} has no spanning tree: its processes are not all connected by edges that carry messages both ways",
            network.topology()
        ));
    }
    tree
}

pub(super) fn initiators(network: &Network, settings: &Settings, wrong: &mut Vec<String>) -> Vec<bool> {
    let n = network.n() as usize;
    let Some(chosen) = &settings.initiators else {
        return vec![true; n];
    };
    let mut initiators = vec![false; n];
    for p in chosen {
        match initiators.get_mut(p.index()) {
            Some(initiator) => *initiator = true,
            None => {
                wrong.push(format!("initiator {p} does not exist: {} has {n} processes", network.topology()))
            }
        }
    }
    initiators
}

/// Assign the roles `one X` to processes 0, 1, … (on a star the centre is first), the remaining role to all others.
pub(super) fn assign_roles(program: &Program, network: &Network) -> Vec<u16> {
    let n = network.n();
    let single = &program.assumptions.single_roles;
    let rest = (0..program.roles.len() as u16).find(|role| !single.contains(role));
    let mut roles = vec![rest.unwrap_or(0); n as usize];
    let first = network.root().unwrap_or_default();
    let mut places = std::iter::once(first).chain(network.processes().filter(|p| *p != first));
    for (role, place) in single.iter().zip(&mut places) {
        if let Some(slot) = roles.get_mut(place.index()) {
            *slot = *role;
        }
    }
    roles
}
