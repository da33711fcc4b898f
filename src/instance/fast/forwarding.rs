//! Forwarding without loading variables. Most messages are only forwarded or dropped, and leave their receiver unchanged. The
//! code of an entry therefore begins with what can be decided from the message alone. It loads the variables of the process
//! ([`FastOp::Load`]) only if they are needed: on other paths nothing is copied or stored.

use super::compile::Compiler;
use super::{Entry, FastOp, Route, STAY};
use std::collections::BTreeMap;

/// Maximum number of operations before variables are loaded; longer paths are not worth copying.
const MOST_OPS: usize = 64;

/// A copy of the code of one entry, up to the first use of variables.
struct Copy<'c, 'a> {
    compiler: &'c mut Compiler<'a>,
    /// The waiting point of the entry.
    wait: u32,
    /// Position of each copied operation.
    copied: BTreeMap<u32, u32>,
    begun: usize,
}

impl Compiler<'_> {
    /// Return the entry for messages that arrive at a waiting point; its code must be linked.
    pub fn passing(&mut self, code: u32, wait: u32) -> Entry {
        let begun = self.code.len();
        let mut copy = Copy { compiler: self, wait, copied: BTreeMap::new(), begun };
        let start = copy.from(code);
        let loads = matches!(self.code[start as usize], FastOp::Load { .. });
        if loads {
            self.code.truncate(begun);
        }
        Entry::new(if loads { code } else { start }, loads)
    }
}

impl Copy<'_, '_> {
    /// Copy the code from a position, and return the position of the copy.
    fn from(&mut self, mut pc: u32) -> u32 {
        let code = |copy: &Self| copy.compiler.code.len() as u32;
        let start = code(self);
        loop {
            let op = self.compiler.code[pc as usize];
            if let FastOp::Jump { target } = op {
                pc = target;
                continue;
            }
            if let Some(place) = self.copied.get(&pc).copied() {
                if start == code(self) {
                    return place;
                }
                self.compiler.code.push(FastOp::Jump { target: place });
                return start;
            }
            let here = code(self);
            let Some(op) = self.without_variables(op) else {
                self.compiler.code.push(FastOp::Load { target: pc });
                return start;
            };
            self.copied.insert(pc, here);
            self.compiler.code.push(op);
            match op {
                FastOp::Test { a, b, less, equal, greater } => {
                    let [less, equal, greater] = [less, equal, greater].map(|target| self.from(target));
                    self.compiler.code[here as usize] = FastOp::Test { a, b, less, equal, greater };
                    return start;
                }
                FastOp::Pass { .. } | FastOp::Done | FastOp::Nobody | FastOp::Leave => return start,
                _ => pc += 1,
            }
        }
    }

    /// Return the operation if it neither reads nor changes a variable.
    fn without_variables(&self, op: FastOp) -> Option<FastOp> {
        let stays = |wait: u32| wait == STAY || wait == self.wait;
        let apart =
            |registers: &[u8]| registers.iter().all(|r| *r as usize >= self.compiler.instance.layout.words);
        let free = match op {
            _ if self.compiler.code.len() - self.begun >= MOST_OPS => false,
            FastOp::Move { to, from } => apart(&[to, from]),
            FastOp::Arith { to, a, b, .. } | FastOp::Call { to, a, b, .. } => apart(&[to, a, b]),
            FastOp::PortFact { to, a, .. } | FastOp::Opposite { to, a } => apart(&[to, a]),
            FastOp::Test { a, b, .. } => apart(&[a, b]),
            FastOp::Send { kind, to, words } => self.sends_apart(kind, to, &words),
            FastOp::SendEnd { kind, to, words, wait }
                if stays(wait) && self.sends_apart(kind, to, &words) =>
            {
                return Some(FastOp::Pass { kind, to, words });
            }
            FastOp::Wait { wait } if stays(wait) => return Some(FastOp::Done),
            FastOp::Finish => return Some(FastOp::Done),
            FastOp::Nobody | FastOp::Leave => true,
            _ => false,
        };
        free.then_some(op)
    }

    fn sends_apart(&self, kind: u8, to: Route, words: &[u8]) -> bool {
        let layout = &self.compiler.instance.layout;
        let port = match to {
            Route::Only | Route::Neighbours => None,
            Route::Port(port) | Route::NeighboursExcept(port) => Some(port),
        };
        let mut read = words[..layout.kinds[kind as usize].words].iter().chain(&port);
        read.all(|r| *r as usize >= layout.words)
    }
}
