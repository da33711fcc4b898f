//! The code of runs that nobody watches: who takes a message and what is then done, as one piece of register code with
//! nothing left to look up.
//!
//! It is made of the same tables and the same program as the register code of [`super::micro`], and says less: it
//! gives no error. Where a command goes wrong, makes a choice, or contains what has no operation here, it *leaves*
//! ([`FastOp::Leave`]): the step is undone, and taken again by the machine, which knows everything.

mod names;
mod compile;
mod decide;
mod select;
mod expr;
mod forwarding;
mod link;
mod plans;
mod reads;
mod wiring;

use super::layout::Number;
use super::{ExecutionModel, Instance};
use crate::ir::{Arith, Builtin, PC, PortFact};
use crate::network::NONE;
use compile::Compiler;

pub use plans::{End, NO_MESSAGE, Plan, Plans, Step};
pub use wiring::{Circle, Table, Wiring};

/// Registers: any byte is one, so that no index needs a check.
pub const REGISTERS: usize = 256;
pub type Registers = [i64; REGISTERS];

/// Words of the longest message.
pub const MOST_WORDS: usize = 8;

/// The registers of the message that is delivered, of its sender as the receiver knows it, and of the receiver's id.
/// Code does not change them.
pub const MESSAGE: usize = REGISTERS - MOST_WORDS - 2;
pub const SENDER: usize = REGISTERS - 2;
pub const ID: usize = REGISTERS - 1;

/// The most words of a process: they are copied at each step.
const MOST_STATE: usize = 64;

/// No new waiting point.
pub const STAY: u32 = u32::MAX;

/// Sixteen bytes each. A register is a word slot of the frame (those of the process come first), then come constants and
/// temporaries, and at the end the message.
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
    /// The opposite port, where all have two.
    Opposite {
        to: u8,
        a: u8,
    },
    /// Three ways, by which is greater: one operation for `q > id`, `q < id`, `q = id`.
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
    /// Backwards: counted, since it may go on for ever.
    Loop {
        target: u32,
    },
    Send {
        kind: u8,
        to: Route,
        words: [u8; MOST_WORDS],
    },
    /// The same, and the end of the command: at a waiting point, or where the thread was ([`STAY`]).
    SendEnd {
        kind: u8,
        to: Route,
        words: [u8; MOST_WORDS],
        wait: u32,
    },
    /// The same, where nothing has been fetched: the process stays as it was.
    Pass {
        kind: u8,
        to: Route,
        words: [u8; MOST_WORDS],
    },
    /// Fetches the variables of the process, and goes on.
    Load {
        target: u32,
    },
    Wait {
        wait: u32,
    },
    Halt,
    Finish,
    /// The end of a command that has fetched nothing: the process stays as it was.
    Done,
    /// Nobody takes the message now.
    Nobody,
    /// The machine takes this step.
    Leave,
}

const _: () = assert!(size_of::<FastOp>() == 16);

/// Where a message is sent; registers hold ports.
#[derive(Clone, Copy, Debug)]
pub enum Route {
    Only,
    Port(u8),
    Neighbours,
    NeighboursExcept(u8),
}

/// What happens to a message of one kind at one waiting point and control state.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub code: u32,
    /// Compared first, before anything is fetched.
    a: u8,
    b: u8,
    /// Are the variables of the process to be fetched at once?
    pub loads: bool,
    pub reads_id: bool,
    pub reads_sender: bool,
    /// By which is greater: what is done then.
    ends: [End; 3],
}

impl Entry {
    /// Nothing is known of it but its code.
    fn new(code: u32, loads: bool) -> Entry {
        Entry { code, a: 0, b: 0, loads, reads_id: true, reads_sender: true, ends: [End::CODE; 3] }
    }

    /// What is done, with the message and the id in the registers.
    #[inline(always)]
    pub fn end(&self, registers: &Registers) -> End {
        let (a, b) = (registers[self.a as usize], registers[self.b as usize]);
        self.ends[usize::from(a >= b) + usize::from(a > b)]
    }
}

/// How the bits of a message of one kind are counted: a fixed part, and the digits of its numbers.
#[derive(Clone, Copy, Debug)]
pub struct FastKind {
    pub lane: u32,
    pub fixed_bits: u32,
    /// By word: all ones where its digits count, else zero.
    pub digits: [u32; MOST_WORDS],
    /// By word: it may be `none`, which has no digits.
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

/// Where the entries of a kind begin in `FastRole::entries`, and the control state they depend on: for each waiting
/// point there is one for each state (one where no control state matters).
#[derive(Clone, Copy, Debug)]
struct KindEntries {
    state_slot: u16,
    states: u32,
    base: u32,
}

/// The most cells of a role: each is an entry for every kind.
const MOST_CELLS: u32 = 1 << 12;

#[derive(Clone, Debug)]
pub struct FastRole {
    /// By kind and cell, when the role is complete.
    entries: Vec<Entry>,
    kinds: Vec<KindEntries>,
    /// Control states that tell cells apart, besides the waiting point: slots, and how many states there are.
    selectors: Vec<(u16, u32)>,
    /// How many cells there are.
    cells: u32,
    /// Stands for the waiting point of a process that has halted.
    halted: u32,
    /// The first commands of a process.
    pub start: u32,
    /// The same without code, if that can be.
    pub start_end: End,
}

impl FastRole {
    /// Where the entries of a kind are.
    fn cells(&self, kind: usize) -> std::ops::Range<usize> {
        let end = self.kinds.get(kind + 1).map_or(self.entries.len(), |next| next.base as usize);
        self.kinds[kind].base as usize..end
    }

    /// Waiting points, that of those who have halted included.
    fn rows(&self) -> u32 {
        self.halted + 1
    }

    /// Finds out what tells cells apart.
    fn select(&mut self) {
        for of in self.kinds.iter().filter(|of| of.states > 1) {
            if self.selectors.iter().all(|(slot, _)| *slot != of.state_slot) {
                self.selectors.push((of.state_slot, of.states));
            }
        }
    }

    /// Gives every kind an entry for each cell: a process is then in one cell, whatever message comes. None: there
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

    /// The cell of a process with these words: where it waits, and in which control states.
    #[inline(always)]
    pub fn cell(&self, words: &[i64]) -> u32 {
        let pc = words[PC as usize];
        let wait = if pc >= 0 { pc as u32 } else { self.halted };
        self.selectors.iter().fold(wait, |cell, (slot, states)| cell * states + words[*slot as usize] as u32)
    }

    /// What a process in this cell does with a message of this kind.
    #[inline(always)]
    pub fn entry(&self, kind: u32, cell: u32) -> &Entry {
        &self.entries[(kind * self.cells + cell) as usize]
    }
}

/// The fast code of an instance.
#[derive(Clone, Debug)]
pub struct FastCode {
    pub code: Vec<FastOp>,
    /// What needs no code.
    pub plans: Plans,
    /// What they hold before any step: constants in their places.
    pub registers: Box<Registers>,
    pub kinds: Vec<FastKind>,
    pub roles: Vec<FastRole>,
    /// The network, where it is a circle.
    pub circle: Option<Circle>,
    /// Has every process one port that sends?
    pub onward: bool,
    /// Does no process ever do anything but take messages? Then the order of sending can be that of storage.
    pub deliveries_only: bool,
}

impl FastCode {
    /// None: messages hold more than words, or too many; some lanes are ordered and others not; messages are deferred
    /// or gathered.
    pub(super) fn new(instance: &Instance) -> Option<FastCode> {
        let (layout, program) = (&instance.layout, &instance.program);
        let unordered = layout.fifo.iter().all(|fifo| !fifo);
        let fits = instance.n() > 0
            && instance.model.pace == ExecutionModel::Single
            && !instance.is_special()
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
            Some(&instance.network).filter(|_| layout.lanes == 1 && !layout.by_id).and_then(Circle::new);
        let kinds: Vec<FastKind> = layout.kinds.iter().map(FastKind::new).collect();
        roles.iter_mut().for_each(FastRole::select);
        reads::note(&code, &mut roles, layout);
        let onward = match &circle {
            Some(circle) => circle.leads_onward(),
            None => (0..instance.n()).all(|p| instance.only_out(p) != NONE),
        };
        let plans = Plans::new(&code, &mut roles, layout, &kinds, onward);
        for role in &mut roles {
            role.spread()?;
        }
        Some(FastCode { code, plans, registers, kinds, roles, circle, onward, deliveries_only })
    }

    /// Is there a waiting point at which a message of this kind is left to the machine, whatever it holds?
    pub fn leaves(&self, kind: u32) -> bool {
        let entries = self.roles.iter().flat_map(|role| &role.entries[role.cells(kind as usize)]);
        entries.into_iter().any(|entry| matches!(self.code[entry.code as usize], FastOp::Leave))
    }

    #[inline(always)]
    pub fn role(&self, instance: &Instance, process: u32) -> &FastRole {
        match self.roles.as_slice() {
            [only] => only,
            roles => &roles[instance.roles[process as usize] as usize],
        }
    }
}
