//! Fast code for unobserved runs: selection of the candidate and its command as one piece of register code without table
//! look-ups.
//!
//! It is compiled from the same tables and program as the register code of [`super::micro`], and supports less: it reports no
//! errors. If a command fails, makes a choice, or contains an operation without fast code, the code *leaves* ([`FastOp::Leave`]):
//! the step is undone, and the machine, which implements everything, executes it instead.

mod names;
mod compile;
mod decide;
mod select;
mod roles;
mod expr;
mod forwarding;
mod link;
mod plans;
mod reads;
mod wiring;

use super::layout::Number;
use super::{ExecutionModel, Instance};
use crate::ids::ProcessId;
use crate::ir::{Arith, Builtin, PC, PortFact};
use crate::network::NONE;
use compile::Compiler;

pub use plans::{End, NO_MESSAGE, Plan, Plans, Step};
pub use wiring::{Circulant, LinkTable, Wiring};

/// Number of registers: every byte is a valid index, so that no access needs a bounds check.
pub const REGISTERS: usize = 256;
pub type Registers = [i64; REGISTERS];

/// Maximum number of words of a message.
pub const MOST_WORDS: usize = 8;

/// Registers of the delivered message, of its sender as the receiver identifies it, and of the receiver's id. Code does not
/// change them.
pub const MESSAGE: usize = REGISTERS - MOST_WORDS - 2;
pub const SENDER: usize = REGISTERS - 2;
pub const ID: usize = REGISTERS - 1;

/// Maximum number of words of a process; they are copied at each step.
const MOST_STATE: usize = 64;

/// The waiting point does not change.
pub const STAY: u32 = u32::MAX;

/// An operation of 16 bytes. Registers are the word slots of the frame (variables of the process first), then constants and
/// temporaries, and last the message.
#[derive(Clone, Copy, Debug)]
pub enum FastOp {
    Move {
        to: u8,
        from: u8,
    },
    Arith {
        op: Arith,
        to: u8,
        a: u8,
        b: u8,
    },
    /// A function of one or two numbers.
    Call {
        f: Builtin,
        to: u8,
        a: u8,
        b: u8,
    },
    PortFact {
        fact: PortFact,
        to: u8,
        a: u8,
    },
    /// The opposite port, if all processes have two.
    Opposite {
        to: u8,
        a: u8,
    },
    /// A three-way comparison: one operation for `q > id`, `q < id`, `q = id`.
    Test {
        a: u8,
        b: u8,
        less: u32,
        equal: u32,
        greater: u32,
    },
    Jump {
        target: u32,
    },
    /// A jump backwards; counted, since it may loop forever.
    Loop {
        target: u32,
    },
    Send {
        kind: u8,
        to: Route,
        words: [u8; MOST_WORDS],
    },
    /// Sends, and ends the command: at a waiting point, or at the previous one ([`STAY`]).
    SendEnd {
        kind: u8,
        to: Route,
        words: [u8; MOST_WORDS],
        wait: u32,
    },
    /// The same if the variables have not been loaded: the process is unchanged.
    Pass {
        kind: u8,
        to: Route,
        words: [u8; MOST_WORDS],
    },
    /// Loads the variables of the process, and continues.
    Load {
        target: u32,
    },
    Wait {
        wait: u32,
    },
    Halt,
    Finish,
    /// Ends a command that has not loaded the variables: the process is unchanged.
    Done,
    /// No candidate takes the message now.
    Nobody,
    /// Leaves this step to the machine.
    Leave,
}

const _: () = assert!(size_of::<FastOp>() == 16);

/// The destination of a message; registers contain ports.
#[derive(Clone, Copy, Debug)]
pub enum Route {
    Only,
    Port(u8),
    Neighbours,
    NeighboursExcept(u8),
}

/// The reaction of a process to a message of one kind, at one waiting point and control state.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub code: u32,
    /// Compared first, before variables are loaded.
    a: u8,
    b: u8,
    /// Whether the variables of the process are loaded immediately.
    pub loads: bool,
    pub reads_id: bool,
    pub reads_sender: bool,
    /// The next action if `a` is less, equal, greater.
    ends: [End; 3],
}

impl Entry {
    /// Create an entry of which only the code is known.
    fn new(code: u32, loads: bool) -> Entry {
        Entry { code, a: 0, b: 0, loads, reads_id: true, reads_sender: true, ends: [End::CODE; 3] }
    }

    /// Return the next action, given the message and the id in the registers.
    #[inline(always)]
    pub fn end(&self, registers: &Registers) -> End {
        let (a, b) = (registers[self.a as usize], registers[self.b as usize]);
        self.ends[usize::from(a >= b) + usize::from(a > b)]
    }
}

/// Rules for counting the bits of a message of one kind: a constant part, and the digits of its numbers.
#[derive(Clone, Copy, Debug)]
pub struct FastKind {
    pub lane: u32,
    pub fixed_bits: u32,
    /// By word: all ones if its digits count, else zero.
    pub digits: [u32; MOST_WORDS],
    /// By word: whether it may be `none`, which has no digits.
    pub optional: [bool; MOST_WORDS],
    pub any_optional: bool,
}

impl FastKind {
    fn new(kind: &super::KindLayout) -> FastKind {
        let mut fast = FastKind {
            lane: kind.lane,
            fixed_bits: kind.fixed_bits,
            digits: [0; MOST_WORDS],
            optional: [false; MOST_WORDS],
            any_optional: false,
        };
        for (place, number) in &kind.number_words {
            fast.digits[*place as usize] = u32::MAX;
            fast.fixed_bits += 1;
            if *number == Number::Optional {
                fast.fixed_bits += 1;
                fast.optional[*place as usize] = true;
                fast.any_optional = true;
            }
        }
        fast
    }
}

/// Offset of the entries of a kind in `FastRole::entries`, and the control state on which they depend. For each waiting point
/// there is one entry for each state (one if no control state matters).
#[derive(Clone, Copy, Debug)]
struct KindEntries {
    state_slot: u16,
    states: u32,
    base: u32,
}

/// Maximum number of cells of a role; each cell is an entry for every kind.
const MOST_CELLS: u32 = 1 << 12;

#[derive(Clone, Debug)]
pub struct FastRole {
    /// By kind and cell, once the role is complete.
    entries: Vec<Entry>,
    kinds: Vec<KindEntries>,
    /// Control states that distinguish cells, besides the waiting point: slot and number of states.
    selectors: Vec<(u16, u32)>,
    /// Number of cells.
    cells: u32,
    /// Index used as the waiting point of a halted process.
    halted: u32,
    /// The first commands of a process.
    pub start: u32,
    /// The same as a plan, if possible.
    pub start_end: End,
}

impl FastRole {
    /// Return the range of the entries of a kind.
    fn cells(&self, kind: usize) -> std::ops::Range<usize> {
        let end = self.kinds.get(kind + 1).map_or(self.entries.len(), |next| next.base as usize);
        self.kinds[kind].base as usize..end
    }

    /// Return the number of waiting points, that of halted processes included.
    fn rows(&self) -> u32 {
        self.halted + 1
    }

    /// Determine the control states that distinguish cells.
    fn select(&mut self) {
        for of in self.kinds.iter().filter(|of| of.states > 1) {
            if self.selectors.iter().all(|(slot, _)| *slot != of.state_slot) {
                self.selectors.push((of.state_slot, of.states));
            }
        }
    }

    /// Give every kind an entry for each cell, so that the cell of a process does not depend on the kind of message. `None`: there
    /// would be too many.
    fn spread(&mut self) -> Option<()> {
        let cells =
            self.selectors.iter().try_fold(self.rows(), |cells, (_, states)| cells.checked_mul(*states));
        self.cells = cells.filter(|cells| *cells <= MOST_CELLS)?;
        let mut entries = Vec::with_capacity(self.kinds.len() * self.cells as usize);
        for of in &mut self.kinds {
            let base = std::mem::replace(&mut of.base, entries.len() as u32);
            entries.extend((0..self.cells).map(|cell| {
                let (mut wait, mut state) = (cell, 0);
                for (slot, states) in self.selectors.iter().rev() {
                    if *slot == of.state_slot && of.states > 1 {
                        state = wait % states;
                    }
                    wait /= states;
                }
                self.entries[(base + wait * of.states + state) as usize]
            }));
        }
        self.entries = entries;
        Some(())
    }

    /// Return the cell of a process with these words: its waiting point and control states.
    #[inline(always)]
    pub fn cell(&self, words: &[i64]) -> u32 {
        let pc = words[PC as usize];
        let wait = if pc >= 0 { pc as u32 } else { self.halted };
        self.selectors.iter().fold(wait, |cell, (slot, states)| cell * states + words[*slot as usize] as u32)
    }

    /// Return the entry for a message of this kind at a process in this cell.
    #[inline(always)]
    pub fn entry(&self, kind: u32, cell: u32) -> &Entry {
        &self.entries[(kind * self.cells + cell) as usize]
    }
}

/// The fast code of an instance.
#[derive(Clone, Debug)]
pub struct FastCode {
    pub code: Vec<FastOp>,
    /// Plans for steps that need no code.
    pub plans: Plans,
    /// Initial contents of the registers: constants in their places.
    pub registers: Box<Registers>,
    pub kinds: Vec<FastKind>,
    pub roles: Vec<FastRole>,
    /// The network, if it is circulant.
    pub circulant: Option<Circulant>,
    /// Whether every process has exactly one port that sends.
    pub has_single_sender: bool,
    /// Whether all steps are deliveries. The order of sending can then be the order of storage.
    pub deliveries_only: bool,
}

impl FastCode {
    /// Compile the fast code. `None`: messages contain values or too many words; some lanes are FIFO and others not; messages are
    /// deferred or gathered.
    pub(super) fn new(instance: &Instance) -> Option<FastCode> {
        let (layout, program) = (&instance.layout, &instance.program);
        let unordered = layout.fifo.iter().all(|fifo| !fifo);
        let fits = instance.n() > 0
            && instance.model.execution == ExecutionModel::Single
            && !instance.has_faults_or_time()
            && layout.message_values == 0
            && layout.message_words <= MOST_WORDS
            && layout.words <= MOST_STATE
            && layout.frame_words < MESSAGE / 2
            && program.kinds.len() <= usize::from(u8::MAX)
            && (layout.all_fifo || unordered)
            && !instance.tables.iter().any(|table| table.defers || table.gathers);
        if !fits {
            return None;
        }
        let (code, registers, mut roles) = Compiler::compile(instance)?;
        let deliveries_only = !instance.tables.iter().any(|table| table.internal)
            && program.roles.iter().all(|role| role.client.is_none() || !instance.clients);
        let circle =
            Some(&instance.network).filter(|_| layout.lanes == 1 && !layout.by_id).and_then(Circulant::new);
        let kinds: Vec<FastKind> = layout.kinds.iter().map(FastKind::new).collect();
        roles.iter_mut().for_each(FastRole::select);
        reads::note(&code, &mut roles, layout);
        let onward = match &circle {
            Some(circle) => circle.leads_onward(),
            None => instance.processes().all(|p| instance.only_out(p) != NONE),
        };
        let plans = Plans::new(&code, &mut roles, layout, &kinds, onward);
        for role in &mut roles {
            role.spread()?;
        }
        Some(FastCode {
            code,
            plans,
            registers,
            kinds,
            roles,
            circulant: circle,
            has_single_sender: onward,
            deliveries_only,
        })
    }

    /// Return whether, at some waiting point, every message of this kind is left to the machine.
    pub fn leaves(&self, kind: u32) -> bool {
        let entries = self.roles.iter().flat_map(|role| &role.entries[role.cells(kind as usize)]);
        entries.into_iter().any(|entry| matches!(self.code[entry.code as usize], FastOp::Leave))
    }

    #[inline(always)]
    pub fn role(&self, instance: &Instance, process: ProcessId) -> &FastRole {
        match self.roles.as_slice() {
            [only] => only,
            roles => &roles[instance.roles[process.index()] as usize],
        }
    }
}
