//! The code of programs that are plain enough for the fastest loop: one role, one lane, messages of at most one
//! word, ordered channels, no process its own neighbour, and nothing but register code. Rings are like that.

use super::dispatch::{NO_SELECTOR, RoleTable};
use super::layout::Layout;
use super::micro::{LATER, Micro, Outcomes};
use crate::ir::Arith;

/// As [`Micro`], with registers of one byte: eight bytes each, and no index can be out of range.
#[derive(Clone, Copy, Debug)]
pub enum PlainOp {
    Move {
        to: u8,
        from: u8,
    },
    Bind {
        to: u8,
    },
    BindSender {
        to: u8,
    },
    Arith {
        op: Arith,
        to: u8,
        a: u8,
        b: u8,
    },
    Compare {
        outcomes: Outcomes,
        to: u8,
        a: u8,
        b: u8,
    },
    Not {
        to: u8,
        a: u8,
    },
    Jump {
        target: u32,
    },
    JumpUnless {
        outcomes: Outcomes,
        a: u8,
        b: u8,
        target: u32,
    },
    JumpIfZero {
        a: u8,
        target: u32,
    },
    Send {
        kind: u8,
        a: u8,
    },
    /// `Bind`, then the `JumpUnless` that follows it.
    BindCheck {
        outcomes: Outcomes,
        to: u8,
        b: u8,
        target: u32,
    },
    /// `Send`, and the end of the command: at a waiting point, or where the thread was ([`STAY`]).
    SendLast {
        kind: u8,
        a: u8,
        wait: u32,
    },
    Wait {
        wait: u32,
    },
    Halt,
    Finish,
    Idle,
    /// Where an ignored message leads is a `Finish`.
    Take {
        entry: u32,
    },
    Nobody,
    NoGuard,
}

const _: () = assert!(size_of::<PlainOp>() == 8);

/// No new waiting point.
pub const STAY: u32 = u32::MAX;

/// Registers of the plain loop.
pub const REGISTERS: usize = 256;

#[derive(Clone, Debug)]
pub struct PlainCode {
    pub code: Vec<PlainOp>,
    pub registers: Box<[i64; REGISTERS]>,
    pub id: Option<u8>,
    /// By kind: the bits of the message whatever its content, and whether those of its word are added.
    pub bits: Vec<(u32, bool)>,
}

impl PlainCode {
    pub(super) fn new(layout: &Layout, tables: &[RoleTable]) -> Option<PlainCode> {
        let [table] = tables else {
            return None;
        };
        let micro = &table.micro;
        let simple_kind = |k: &super::KindLayout| k.values == 0 && (k.single || k.number_words.is_empty());
        let plain = layout.lanes == 1
            && layout.all_fifo
            && !layout.self_links
            && layout.values == 0
            && layout.message_words == 1
            && layout.kinds.iter().all(simple_kind)
            && !table.internal
            && !table.defers
            && table.selectors().all(|selector| selector != NO_SELECTOR)
            && micro.registers.len() <= REGISTERS;
        if !plain {
            return None;
        }
        let mut registers = Box::new([0; REGISTERS]);
        registers[..micro.registers.len()].copy_from_slice(&micro.registers);
        let mut code: Vec<PlainOp> = micro.code.iter().map(plain_op).collect::<Option<_>>()?;
        let nothing = code.len() as u32;
        code.push(PlainOp::Finish);
        for op in &mut code {
            if let PlainOp::Take { entry } = op
                && *entry == LATER
            {
                *entry = nothing;
            }
        }
        fuse(&mut code);
        Some(PlainCode {
            code,
            registers,
            id: micro.id.map(|id| id as u8),
            bits: layout.kinds.iter().map(|k| (k.fixed_bits, k.single)).collect(),
        })
    }
}

/// Makes one operation of two that follow each other. The second stays where it is, for jumps that lead there.
fn fuse(code: &mut [PlainOp]) {
    for i in 0..code.len() - 1 {
        match (code[i], code[i + 1]) {
            (PlainOp::Bind { to }, PlainOp::JumpUnless { outcomes, a, b, target }) if a == to && b != to => {
                code[i] = PlainOp::BindCheck { outcomes, to, b, target };
            }
            (PlainOp::Send { kind, a }, mut next) => {
                // A loop of jumps alone is an endless one; a few are followed.
                for _ in 0..4 {
                    if let PlainOp::Jump { target } = next {
                        next = code[target as usize];
                    }
                }
                match next {
                    PlainOp::Finish => code[i] = PlainOp::SendLast { kind, a, wait: STAY },
                    PlainOp::Wait { wait } => code[i] = PlainOp::SendLast { kind, a, wait },
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Registers have been counted, and fit.
fn plain_op(micro: &Micro) -> Option<PlainOp> {
    Some(match *micro {
        Micro::Move { to, from } => PlainOp::Move { to: to as u8, from: from as u8 },
        Micro::Bind { to, .. } => PlainOp::Bind { to: to as u8 },
        Micro::BindSender { to } => PlainOp::BindSender { to: to as u8 },
        Micro::Arith { op, to, a, b } => PlainOp::Arith { op, to: to as u8, a: a as u8, b: b as u8 },
        Micro::Compare { outcomes, to, a, b } => {
            PlainOp::Compare { outcomes, to: to as u8, a: a as u8, b: b as u8 }
        }
        Micro::Not { to, a } => PlainOp::Not { to: to as u8, a: a as u8 },
        Micro::Jump { target } => PlainOp::Jump { target },
        Micro::JumpUnless { outcomes, a, b, target } => {
            PlainOp::JumpUnless { outcomes, a: a as u8, b: b as u8, target }
        }
        Micro::JumpIfZero { a, target } => PlainOp::JumpIfZero { a: a as u8, target },
        Micro::SendWord { kind, a } => PlainOp::Send { kind: u8::try_from(kind).ok()?, a: a as u8 },
        Micro::Wait { wait } => PlainOp::Wait { wait },
        Micro::Halt => PlainOp::Halt,
        Micro::Finish => PlainOp::Finish,
        Micro::Idle => PlainOp::Idle,
        Micro::Take { entry, .. } => PlainOp::Take { entry },
        Micro::Nobody => PlainOp::Nobody,
        Micro::NoGuard => PlainOp::NoGuard,
        Micro::Slow { .. } => return None,
    })
}
