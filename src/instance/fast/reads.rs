//! Registers that a piece of fast code reads besides the variables of its process; only these need to be set up.

use super::{Entry, FastOp, FastRole, ID, REGISTERS, Route, SENDER};
use crate::instance::Layout;

/// Record for each entry what it reads.
pub(super) fn note(code: &[FastOp], roles: &mut [FastRole], layout: &Layout) {
    for entry in roles.iter_mut().flat_map(|role| &mut role.entries) {
        let read = reads(code, entry, layout);
        entry.reads_id = read[ID];
        entry.reads_sender = read[SENDER];
    }
}

/// Return the registers that the code reads: conservatively, those read by any reachable operation.
fn reads(code: &[FastOp], entry: &Entry, layout: &Layout) -> [bool; REGISTERS] {
    let mut read = [false; REGISTERS];
    let mut seen = vec![false; code.len()];
    let mut open = vec![entry.code];
    while let Some(pc) = open.pop() {
        let Some(seen) = seen.get_mut(pc as usize) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        let mut reads = |registers: &[u8]| registers.iter().for_each(|r| read[*r as usize] = true);
        let next = pc + 1;
        match &code[pc as usize] {
            FastOp::Move { from, .. } => {
                reads(&[*from]);
                open.push(next);
            }
            FastOp::Arith { a, b, .. } | FastOp::Call { a, b, .. } => {
                reads(&[*a, *b]);
                open.push(next);
            }
            FastOp::PortFact { a, .. } | FastOp::Opposite { a, .. } => {
                reads(&[*a]);
                open.push(next);
            }
            FastOp::Test { a, b, less, equal, greater } => {
                reads(&[*a, *b]);
                open.extend([*less, *equal, *greater]);
            }
            FastOp::Jump { target } | FastOp::Loop { target } | FastOp::Load { target } => open.push(*target),
            FastOp::Send { kind, to, words }
            | FastOp::SendEnd { kind, to, words, .. }
            | FastOp::Pass { kind, to, words } => {
                reads(&words[..layout.kinds[*kind as usize].words]);
                if let Route::Port(port) | Route::NeighboursExcept(port) = to {
                    reads(&[*port]);
                }
                if matches!(code[pc as usize], FastOp::Send { .. }) {
                    open.push(next);
                }
            }
            FastOp::Wait { .. }
            | FastOp::Halt
            | FastOp::Finish
            | FastOp::Done
            | FastOp::Nobody
            | FastOp::Leave => {}
        }
    }
    read
}
