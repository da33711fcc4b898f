//! Compiler of commands to fast code.

use super::names::Names;
use super::{FastOp, MESSAGE, MOST_WORDS, Route};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Destination, Expr, Op, Role, Send, Slot, Target};
use crate::network::Label;

/// Maximum number of operations of a program; larger programs run without fast code.
pub(super) const MOST_OPS: usize = 1 << 16;

/// Index of a code label, placed or not yet placed.
pub(super) type LabelId = u32;

pub(super) struct Compiler<'a> {
    pub instance: &'a Instance,
    pub code: Vec<FastOp>,
    /// By label: its position in the code.
    pub labels: Vec<Option<u32>>,
    /// Operations before this position are final: a label is placed here.
    pub barrier: usize,
    /// Position at which the current operation or cell begins.
    pub begun: usize,
    pub registers: Vec<i64>,
    constants: Vec<(i64, u8)>,
    pub names: Names,
    temporaries: Vec<u8>,
    used: usize,
    /// Labels of the operations of the current role.
    pub at: Vec<LabelId>,
    pub leave: LabelId,
    pub nobody: LabelId,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(instance: &'a Instance, names: Names) -> Compiler<'a> {
        let mut compiler = Compiler {
            instance,
            code: Vec::new(),
            labels: Vec::new(),
            barrier: 0,
            begun: 0,
            registers: vec![0; instance.layout.frame_words],
            constants: Vec::new(),
            names,
            temporaries: Vec::new(),
            used: 0,
            at: Vec::new(),
            leave: 0,
            nobody: 0,
        };
        compiler.leave = compiler.label();
        compiler.place(compiler.leave);
        compiler.code.push(FastOp::Leave);
        compiler.nobody = compiler.label();
        compiler.place(compiler.nobody);
        compiler.code.push(FastOp::Nobody);
        compiler
    }

    /// Compile an operation; if it has no fast code, emit `Leave` instead.
    pub(super) fn or_leave(&mut self, compile: impl FnOnce(&mut Self) -> Option<()>) {
        let start = self.code.len();
        self.used = 0;
        self.begun = start;
        if compile(self).is_none() {
            self.code.truncate(start);
            self.barrier = start;
            self.code.push(FastOp::Leave);
        }
    }

    pub(super) fn op(&mut self, role: &'a Role, op: &'a Op, pc: usize) -> Option<()> {
        match op {
            Op::Set(Slot::Word(to), e) => {
                let from = self.value(e)?;
                self.store(*to as u8, from);
            }
            Op::Assign(place, e) => self.assign(place, e)?,
            Op::Jump(target) => self.jump(self.at[*target as usize]),
            Op::Unless(e, target) => {
                let (next, target) = (self.after(pc)?, self.at[*target as usize]);
                self.decide(e, &Default::default(), &|c, _| c.go(next), &|c, _| c.go(target))?;
            }
            Op::Branch(branches) => {
                let none = self.after(pc)?;
                self.branch(branches, 0, None, &Default::default(), none)?;
            }
            Op::NoGuard(_) => self.code.push(FastOp::Leave),
            Op::Send(send) => self.send(send)?,
            Op::Wait(wait) => self.code.push(FastOp::Wait { wait: *wait }),
            Op::Become { component, state, thread } => {
                let component = &role.components[*component as usize];
                let from = self.constant(i64::from(*state))?;
                self.code.push(FastOp::Move { to: component.state_slot as u8, from });
                if *thread {
                    match component.states[*state as usize].body {
                        Some(body) => self.jump(self.at[body as usize]),
                        // The thread idles.
                        None => self.code.push(FastOp::Wait { wait: 0 }),
                    }
                }
            }
            Op::Halt => self.code.push(FastOp::Halt),
            Op::Finish => self.code.push(FastOp::Finish),
            Op::Clear(slots) => {
                for slot in slots {
                    let Slot::Word(slot) = slot else { return None };
                    let initial = role.initial_words.get(*slot as usize).copied().unwrap_or(0);
                    let from = self.constant(initial)?;
                    self.code.push(FastOp::Move { to: *slot as u8, from });
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn after(&self, pc: usize) -> Option<LabelId> {
        self.at.get(pc + 1).copied()
    }

    pub fn entry_of(&self, pc: u32) -> LabelId {
        self.at[pc as usize]
    }

    /// Compile an assignment to a variable with a range.
    fn assign(&mut self, place: &'a Target, e: &'a Expr) -> Option<()> {
        let (Slot::Word(to), []) = (place.root, place.path.as_slice()) else {
            return None;
        };
        let from = self.value(e)?;
        if let Some((least, greatest)) = place.range {
            let (least, greatest) = (self.constant(least)?, self.constant(greatest)?);
            let leave = self.leave;
            let inside = self.label();
            self.code.push(FastOp::Test { a: from, b: least, less: leave, equal: inside, greater: inside });
            self.place(inside);
            let inside = self.label();
            self.code.push(FastOp::Test {
                a: from,
                b: greatest,
                less: inside,
                equal: inside,
                greater: leave,
            });
            self.place(inside);
        }
        self.code.push(FastOp::Move { to: to as u8, from });
        Some(())
    }

    fn send(&mut self, send: &'a Send) -> Option<()> {
        // Unused words of a message are zero.
        let mut words = [self.constant(0)?; MOST_WORDS];
        let kind = self.instance.program.kinds.get(send.kind as usize)?;
        for (field, e) in kind.fields.iter().zip(&send.fields) {
            let Slot::Word(place) = field.place else { return None };
            words[place as usize] = self.value(e)?;
        }
        let to = match &send.to {
            Destination::Only => Route::Only,
            Destination::Port(port) => Route::Port(self.value(port)?),
            Destination::Neighbours => Route::Neighbours,
            Destination::NeighboursExcept(port) if port.ty.is_word() => {
                Route::NeighboursExcept(self.value(port)?)
            }
            _ => return None,
        };
        self.code.push(FastOp::Send { kind: send.kind as u8, to, words });
        Some(())
    }

    /// Store a result: redirect the last operation to the wanted register if possible, else emit a move.
    fn store(&mut self, wanted: u8, from: u8) {
        if self.temporaries.contains(&from) && self.barrier < self.code.len() {
            match self.code.last_mut() {
                Some(
                    FastOp::Arith { to, .. }
                    | FastOp::Call { to, .. }
                    | FastOp::PortFact { to, .. }
                    | FastOp::Opposite { to, .. },
                ) if *to == from => {
                    *to = wanted;
                    return;
                }
                _ => {}
            }
        }
        self.code.push(FastOp::Move { to: wanted, from });
    }

    pub fn constant(&mut self, w: i64) -> Option<u8> {
        if let Some((_, register)) = self.constants.iter().find(|(c, _)| *c == w) {
            return Some(*register);
        }
        let register = self.register(w)?;
        self.constants.push((w, register));
        Some(register)
    }

    pub fn temporary(&mut self) -> Option<u8> {
        if self.used == self.temporaries.len() {
            let register = self.register(0)?;
            self.temporaries.push(register);
        }
        self.used += 1;
        Some(self.temporaries[self.used - 1])
    }

    fn register(&mut self, holds: i64) -> Option<u8> {
        let register = u8::try_from(self.registers.len()).ok().filter(|r| usize::from(*r) < MESSAGE)?;
        self.registers.push(holds);
        Some(register)
    }

    /// Return whether the register is a variable or a name bound in a command.
    pub fn is_slot(&self, register: u8) -> bool {
        usize::from(register) < self.instance.layout.frame_words
    }

    /// Return the number of ports, if it is the same for all processes.
    pub fn same_degree(&self) -> Option<u32> {
        let network = &self.instance.network;
        let first = network.degree(ProcessId(0));
        network.processes().all(|p| network.degree(p) == first).then_some(first)
    }

    /// Return the port with this label, if it is the same for all processes.
    pub fn same_port(&self, label: Label) -> Option<u32> {
        let network = &self.instance.network;
        let first = network.port_with_label(ProcessId(0), label)?;
        network.processes().all(|p| network.port_with_label(p, label) == Some(first)).then_some(first)
    }
}
