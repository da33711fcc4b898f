//! Variables of neighbours that an action may read, according to the program text. Used to explain the origin of a
//! value.

use super::whynot::alternatives;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Expr, ExprKind, Op, Pc, Role};
use crate::semantics::eval;
use crate::semantics::{Configuration, Machine};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Reading<'i> {
    instance: &'i Instance,
    configuration: &'i Configuration,
    machine: Machine,
    /// By process and action: processes and variables.
    known: FxHashMap<(ProcessId, u32), Vec<(ProcessId, String)>>,
}

impl<'i> Reading<'i> {
    /// Create an analysis. A port that a name like `prev` denotes is the same in every configuration.
    pub fn new(instance: &'i Instance, configuration: &'i Configuration) -> Reading<'i> {
        let known = FxHashMap::default();
        Reading { instance, configuration, machine: Machine::new(instance), known }
    }

    /// Return the variables of other processes that an action of a process may read; if the text does not determine the
    /// neighbour, of all neighbours.
    pub fn of(&mut self, process: ProcessId, action: u32) -> &[(ProcessId, String)] {
        if !self.instance.model.has_state_reading() {
            return &[];
        }
        if !self.known.contains_key(&(process, action)) {
            let found = self.find(process, action);
            self.known.insert((process, action), found);
        }
        self.known.get(&(process, action)).map_or(&[], Vec::as_slice)
    }

    fn find(&mut self, process: ProcessId, action: u32) -> Vec<(ProcessId, String)> {
        let instance = self.instance;
        let role = instance.role_of(process);
        let mut reads: Vec<(Expr, u16)> = Vec::new();
        let all = alternatives(instance, role, action);
        for (_, alternative) in &all {
            alternative.guard.iter().for_each(|guard| remote(guard, &mut reads));
        }
        for (_, alternative) in &all {
            command(&instance.program.roles[role], alternative.entry, &mut reads);
        }
        let ports = instance.network.ports(process);
        let mut found = Vec::new();
        for (port, variable) in reads {
            let name = &instance.program.shared[variable as usize].name;
            let number = match port.is_closed(&|_| false) {
                true => {
                    let at = |env: &mut eval::Env<'_>| eval::word(&port, env).ok();
                    self.machine.probe(instance, self.configuration, process, None, at).flatten()
                }
                false => None,
            };
            let number = number.and_then(|number| usize::try_from(number).ok());
            let peers = ports.iter().enumerate().filter(|(k, _)| number.is_none_or(|number| number == *k));
            found.extend(peers.map(|(_, port)| (port.peer, name.clone())));
        }
        found.sort();
        found.dedup();
        found
    }
}

/// Collect the variables of neighbours in an expression: port and variable.
fn remote(e: &Expr, found: &mut Vec<(Expr, u16)>) {
    if let ExprKind::NeighbourVariable(port, variable) = &e.kind {
        found.push(((**port).clone(), *variable));
    }
    e.parts(&mut |part| remote(part, found));
}

/// Collect them on all paths of a command.
fn command(role: &Role, entry: Pc, found: &mut Vec<(Expr, u16)>) {
    let (mut open, mut seen) = (vec![entry], FxHashSet::default());
    while let Some(at) = open.pop() {
        let Some(op) = role.code.get(at as usize).filter(|_| seen.insert(at)) else { continue };
        let next = at + 1;
        match op {
            Op::Jump(to) => open.push(*to),
            Op::Unless(e, to) => {
                remote(e, found);
                open.extend([next, *to]);
            }
            Op::Branch(branches) => {
                branches.iter().for_each(|branch| remote(&branch.guard, found));
                open.extend(branches.iter().map(|branch| branch.target).chain([next]));
            }
            Op::ForNext(_, _, to) | Op::Gosub(to) => open.extend([next, *to]),
            Op::Set(_, e) | Op::Assign(_, e) | Op::Remove(_, e) | Op::ForStart(_, e) | Op::Choose(_, e) => {
                remote(e, found);
                open.push(next);
            }
            Op::Finish | Op::Return | Op::Wait(_) => {}
            _ => open.push(next),
        }
    }
}
