//! Commands and guards as short register code, which replaces tree evaluation in most steps.
//!
//! The registers are the word slots of the frame, then the process's id, constants, and temporaries of expressions. An operation
//! without micro-operations remains an operation of the role's code, which the machine executes ([`Micro::Slow`]). So only moves,
//! comparisons and sends of words are implemented twice; arithmetic is shared with the evaluator.

use super::candidates::{Candidate, Copies};
use super::disjoint_guards::contradict_here;
use crate::ir::{
    Arith, Compare, Destination, Expr, ExprKind, Fact, GuardId, GuardTaken, MessageKind, Op, Pc, Role, Slot,
};
use crate::source::Span;

/// The outcomes for which a comparison holds: bit 0 less, 1 equal, 2 greater. One shift replaces six cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes(u8);

impl Outcomes {
    pub fn of(compare: Compare) -> Outcomes {
        Outcomes(super::disjoint_guards::outcomes(compare))
    }

    #[inline(always)]
    pub fn hold(self, a: i64, b: i64) -> bool {
        self.0 >> (a.cmp(&b) as i8 + 1) & 1 != 0
    }
}

/// Index of a register.
pub type Register = u16;

/// A micro-operation of 12 bytes: a typical handler fits two cache lines.
#[derive(Clone, Copy, Debug)]
pub enum Micro {
    Move {
        to: Register,
        from: Register,
    },
    /// A word of the message being taken.
    Bind {
        to: Register,
        place: u16,
    },
    BindSender {
        to: Register,
    },
    Arith {
        op: Arith,
        to: Register,
        a: Register,
        b: Register,
    },
    Compare {
        outcomes: Outcomes,
        to: Register,
        a: Register,
        b: Register,
    },
    Not {
        to: Register,
        a: Register,
    },
    Jump {
        target: u32,
    },
    JumpUnless {
        outcomes: Outcomes,
        a: Register,
        b: Register,
        target: u32,
    },
    JumpIfZero {
        a: Register,
        target: u32,
    },
    /// A message of one word to the only outgoing port.
    SendWord {
        kind: u16,
        a: Register,
    },
    Wait {
        wait: u32,
    },
    Halt,
    Finish,
    /// The thread idles.
    Idle,
    /// No guard of an `if` holds: an abort.
    NoGuard,
    /// An operation of the role's code.
    Slow {
        pc: Pc,
    },
    /// The candidate at this position of the cell's list takes the message.
    Take {
        position: u16,
        action: u32,
        entry: u32,
    },
    /// No candidate takes the message.
    Nobody,
}

const _: () = assert!(size_of::<Micro>() == 12);

/// Positions in the code, ascending, and the guard that is taken there.
type Guards = Vec<(u32, GuardId)>;

/// The register code of a role.
#[derive(Clone, Debug)]
pub struct MicroCode {
    pub code: Vec<Micro>,
    /// By operation of the role's code: its offset.
    pub at: Vec<u32>,
    /// Source span of each micro-operation that can abort.
    spans: Vec<(u32, Span)>,
    /// Initial contents of the registers: constants in their places.
    pub registers: Vec<i64>,
    /// The register of the process's id, if any code reads it.
    pub id: Option<Register>,
    /// By micro-operation, ascending: guards that are taken when it executes, and when it jumps.
    entered: Guards,
    left: Guards,
}

impl MicroCode {
    /// Return the guards that are taken when this micro-operation executes.
    pub fn entered(&self, pc: u32) -> impl Iterator<Item = GuardId> + '_ {
        at(&self.entered, pc)
    }

    /// Return the guards that are taken when it jumps.
    pub fn left(&self, pc: u32) -> impl Iterator<Item = GuardId> + '_ {
        at(&self.left, pc)
    }

    /// Return the operation of the role's code that begins with this micro-operation.
    pub fn operation(&self, pc: u32) -> Option<Pc> {
        self.at.binary_search(&pc).ok().map(|operation| operation as Pc)
    }

    pub fn span(&self, pc: u32) -> Span {
        let found = self.spans.binary_search_by_key(&pc, |(at, _)| *at);
        found.map_or(Span::default(), |i| self.spans[i].1)
    }
}

fn at(all: &[(u32, GuardId)], pc: u32) -> impl Iterator<Item = GuardId> + '_ {
    let first = all.partition_point(|(at, _)| *at < pc);
    all[first..].iter().take_while(move |(at, _)| *at == pc).map(|(_, guard)| *guard)
}

pub(super) struct Compiler<'a> {
    role: &'a Role,
    kinds: &'a [MessageKind],
    code: Vec<Micro>,
    at: Vec<u32>,
    spans: Vec<(u32, Span)>,
    registers: Vec<i64>,
    constants: Vec<(i64, Register)>,
    id: Option<Register>,
    temporaries: Vec<Register>,
    used: usize,
    /// Whether waiting points and control states arm timers.
    timed: bool,
}

/// Marks targets that already are positions of micro-operations.
const LOCAL: u32 = 1 << 31;
/// Placeholder for the target of a jump that is not known yet; as an entry: no command.
pub const LATER: u32 = u32::MAX;

impl<'a> Compiler<'a> {
    /// Compile the code of a role; selectors are added afterwards.
    pub fn new(role: &'a Role, kinds: &'a [MessageKind], frame_words: usize, timed: bool) -> Compiler<'a> {
        let mut compiler = Compiler {
            role,
            kinds,
            code: Vec::new(),
            at: Vec::new(),
            spans: Vec::new(),
            registers: vec![0; frame_words],
            constants: Vec::new(),
            id: None,
            temporaries: Vec::new(),
            used: 0,
            timed,
        };
        for (pc, op) in role.code.iter().enumerate() {
            compiler.at.push(compiler.code.len() as u32);
            compiler.used = 0;
            let (start, spans) = (compiler.code.len(), compiler.spans.len());
            if compiler.op(op).is_none() {
                compiler.code.truncate(start);
                compiler.spans.truncate(spans);
                compiler.code.push(Micro::Slow { pc: pc as Pc });
            }
        }
        // Jumps have been emitted with targets in the role's code.
        for i in 0..compiler.code.len() {
            let at = &compiler.at;
            match &mut compiler.code[i] {
                Micro::Jump { target }
                | Micro::JumpUnless { target, .. }
                | Micro::JumpIfZero { target, .. } => {
                    *target = if *target & LOCAL != 0 { *target & !LOCAL } else { at[*target as usize] };
                }
                _ => {}
            }
        }
        compiler
    }

    pub fn finish(self) -> MicroCode {
        let (entered, left) = self.guards();
        let Compiler { code, at, spans, registers, id, .. } = self;
        MicroCode { code, at, spans, registers, id, entered, left }
    }

    /// Return where guards are taken.
    fn guards(&self) -> (Guards, Guards) {
        let (mut entered, mut left) = (Vec::new(), Vec::new());
        for (guard, taken) in &self.role.guards {
            match taken {
                GuardTaken::Entering(pc) => entered.push((self.at[*pc as usize], *guard)),
                GuardTaken::Passing(pc) => {
                    let (begin, end) = (self.at[*pc as usize], self.at[*pc as usize + 1]);
                    let leaves = |at: &u32| match self.code[*at as usize] {
                        Micro::JumpUnless { target, .. } | Micro::JumpIfZero { target, .. } => {
                            !(begin..=end).contains(&target)
                        }
                        Micro::Slow { .. } => true,
                        _ => false,
                    };
                    left.extend((begin..end).filter(leaves).map(|at| (at, *guard)));
                }
            }
        }
        entered.sort_unstable();
        left.sort_unstable();
        (entered, left)
    }

    /// Emit code that selects the candidate for a message and binds it, if all candidates are simple and mutually exclusive.
    pub fn selector(&mut self, candidates: &[Candidate], list: &[u32]) -> Option<u32> {
        let start = self.code.len();
        let spans = self.spans.len();
        let compiled = self.try_selector(candidates, list);
        if compiled.is_none() {
            self.code.truncate(start);
            self.spans.truncate(spans);
        }
        compiled.map(|()| start as u32)
    }

    fn try_selector(&mut self, candidates: &[Candidate], list: &[u32]) -> Option<()> {
        let mut bound: Option<&Copies> = None;
        for (position, number) in list.iter().enumerate() {
            let candidate = &candidates[*number as usize];
            let alternative = &candidate.alternative;
            if candidate.level.defers() || alternative.after_earlier {
                return None;
            }
            let copies = candidate.copies.as_ref()?;
            if bound.is_none_or(|b| b.words != copies.words || b.from != copies.from) {
                for (place, to) in &copies.words {
                    self.code.push(Micro::Bind { to: *to, place: *place });
                }
                if let Some(to) = copies.from {
                    self.code.push(Micro::BindSender { to });
                }
                bound = Some(copies);
            }
            let first = self.code.len();
            self.used = 0;
            if let Some(guard) = &alternative.guard {
                self.condition(guard, LATER)?;
            }
            self.code.push(Micro::Take {
                position: u16::try_from(position).ok()?,
                action: alternative.action,
                entry: if candidate.level.ignores() { LATER } else { self.at[alternative.entry as usize] },
            });
            let next = self.code.len() as u32;
            self.patch(first, LATER, next | LOCAL);
            for micro in &mut self.code[first..] {
                match micro {
                    Micro::Jump { target }
                    | Micro::JumpUnless { target, .. }
                    | Micro::JumpIfZero { target, .. } => *target &= !LOCAL,
                    _ => {}
                }
            }
            if alternative.guard.is_none() {
                return Some(());
            }
        }
        self.code.push(Micro::Nobody);
        Some(())
    }

    fn patch(&mut self, from: usize, old: u32, new: u32) {
        for micro in &mut self.code[from..] {
            match micro {
                Micro::Jump { target }
                | Micro::JumpUnless { target, .. }
                | Micro::JumpIfZero { target, .. }
                    if *target == old =>
                {
                    *target = new;
                }
                _ => {}
            }
        }
    }

    fn op(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Wait(_) | Op::Become { .. } if self.timed => return None,
            Op::Set(Slot::Word(to), e) => {
                let from = self.operand(e)?;
                self.store(*to, from);
            }
            Op::Jump(target) => self.code.push(Micro::Jump { target: *target }),
            Op::Unless(e, target) => self.condition(e, *target)?,
            Op::Branch(branches) => {
                for (i, branch) in branches.iter().enumerate() {
                    let alone = branches[..i].iter().all(|b| contradict_here(&b.guard, &branch.guard));
                    if i > 0 && !branch.after_earlier && !alone {
                        return None;
                    }
                }
                for branch in branches {
                    let first = self.code.len();
                    self.used = 0;
                    self.condition(&branch.guard, LATER)?;
                    self.code.push(Micro::Jump { target: branch.target });
                    let next = self.code.len() as u32;
                    self.patch(first, LATER, next | LOCAL);
                }
            }
            Op::Send(send) => match (&send.to, send.fields.as_slice()) {
                // A field that is a word here may be one of several values of the message kind.
                (Destination::Only, [field])
                    if field.ty.is_word()
                        && self.kinds.get(send.kind as usize).is_none_or(|kind| kind.words == 1) =>
                {
                    let a = self.operand(field)?;
                    self.span(send.span);
                    self.code.push(Micro::SendWord { kind: u16::try_from(send.kind).ok()?, a });
                }
                _ => return None,
            },
            Op::Wait(wait) => self.code.push(Micro::Wait { wait: *wait }),
            Op::Become { component, state, thread } => {
                let component = &self.role.components[*component as usize];
                let from = self.constant(i64::from(*state))?;
                self.code.push(Micro::Move { to: component.state_slot, from });
                if *thread {
                    self.code.push(match component.states[*state as usize].body {
                        Some(body) => Micro::Jump { target: body },
                        None => Micro::Idle,
                    });
                }
            }
            Op::NoGuard(span) => {
                self.span(*span);
                self.code.push(Micro::NoGuard);
            }
            Op::Halt => self.code.push(Micro::Halt),
            Op::Finish => self.code.push(Micro::Finish),
            _ => return None,
        }
        Some(())
    }

    /// Store a result: redirect the last operation to the wanted register if possible, else emit a move.
    fn store(&mut self, wanted: Register, from: Register) {
        if self.temporaries.contains(&from) {
            match self.code.last_mut() {
                Some(Micro::Arith { to, .. } | Micro::Compare { to, .. } | Micro::Not { to, .. })
                    if *to == from =>
                {
                    *to = wanted;
                    return;
                }
                _ => {}
            }
        }
        self.code.push(Micro::Move { to: wanted, from });
    }

    fn span(&mut self, span: Span) {
        self.spans.push((self.code.len() as u32, span));
    }

    /// Emit code that continues if the condition holds, else jumps.
    fn condition(&mut self, e: &Expr, target: u32) -> Option<()> {
        match &e.kind {
            ExprKind::Word(w) if *w != 0 => {}
            ExprKind::And(x, y) => {
                self.condition(x, target)?;
                self.condition(y, target)?;
            }
            ExprKind::Compare(op, x, y) => {
                let a = self.operand(x)?;
                let b = self.operand(y)?;
                self.code.push(Micro::JumpUnless { outcomes: Outcomes::of(*op), a, b, target });
            }
            _ => {
                let a = self.operand(e)?;
                self.code.push(Micro::JumpIfZero { a, target });
            }
        }
        Some(())
    }

    /// Return the register that holds the value of an expression.
    fn operand(&mut self, e: &Expr) -> Option<Register> {
        match &e.kind {
            ExprKind::Slot(Slot::Word(slot)) => Some(*slot),
            ExprKind::Word(w) => self.constant(*w),
            ExprKind::Fact(Fact::Id) => {
                if self.id.is_none() {
                    self.id = Some(self.register(0)?);
                }
                self.id
            }
            ExprKind::Arith(op, x, y) => {
                let a = self.operand(x)?;
                let b = self.operand(y)?;
                let to = self.temporary()?;
                self.span(e.span);
                self.code.push(Micro::Arith { op: *op, to, a, b });
                Some(to)
            }
            ExprKind::Compare(op, x, y) => {
                let a = self.operand(x)?;
                let b = self.operand(y)?;
                let to = self.temporary()?;
                self.code.push(Micro::Compare { outcomes: Outcomes::of(*op), to, a, b });
                Some(to)
            }
            ExprKind::Not(x) => {
                let a = self.operand(x)?;
                let to = self.temporary()?;
                self.code.push(Micro::Not { to, a });
                Some(to)
            }
            ExprKind::And(x, y) | ExprKind::Or(x, y) => {
                let to = self.temporary()?;
                let from = self.operand(x)?;
                self.code.push(Micro::Move { to, from });
                let first = self.code.len();
                if matches!(e.kind, ExprKind::And(..)) {
                    self.code.push(Micro::JumpIfZero { a: to, target: LATER });
                } else {
                    let zero = self.constant(0)?;
                    self.code.push(Micro::JumpUnless {
                        outcomes: Outcomes::of(Compare::Equal),
                        a: to,
                        b: zero,
                        target: LATER,
                    });
                }
                let from = self.operand(y)?;
                self.code.push(Micro::Move { to, from });
                let next = self.code.len() as u32;
                // Only this jump: those inside have been patched already.
                self.patch(first, LATER, next | LOCAL);
                Some(to)
            }
            _ => None,
        }
    }

    fn constant(&mut self, w: i64) -> Option<Register> {
        if let Some((_, register)) = self.constants.iter().find(|(c, _)| *c == w) {
            return Some(*register);
        }
        let register = self.register(w)?;
        self.constants.push((w, register));
        Some(register)
    }

    fn temporary(&mut self) -> Option<Register> {
        if self.used == self.temporaries.len() {
            let register = self.register(0)?;
            self.temporaries.push(register);
        }
        self.used += 1;
        Some(self.temporaries[self.used - 1])
    }

    fn register(&mut self, holds: i64) -> Option<Register> {
        let register = u16::try_from(self.registers.len()).ok()?;
        self.registers.push(holds);
        Some(register)
    }
}
