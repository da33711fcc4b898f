//! Labels, and resolution of jumps once all labels are placed.

use super::compile::{Compiler, LabelId};
use super::{FastOp, STAY};

impl Compiler<'_> {
    pub fn label(&mut self) -> LabelId {
        self.labels.push(None);
        self.labels.len() as LabelId - 1
    }

    /// Place the label at the current position.
    pub fn place(&mut self, label: LabelId) {
        self.labels[label as usize] = Some(self.code.len() as u32);
        self.barrier = self.code.len();
    }

    pub fn jump(&mut self, target: LabelId) {
        self.code.push(FastOp::Jump { target });
    }

    /// The same as `jump`, as the end of a decision.
    pub fn go(&mut self, target: LabelId) -> Option<()> {
        self.jump(target);
        Some(())
    }

    /// Resolve the labels in the code from here on, thread jumps to their final targets, and fuse sends with the ends of
    /// commands.
    pub fn link(&mut self, commands: std::ops::Range<usize>) {
        let first = commands.start;
        for i in first..self.code.len() {
            let mut op = self.code[i];
            for target in targets(&mut op) {
                *target = self.labels[*target as usize].unwrap_or(0);
            }
            self.code[i] = op;
        }
        for i in first..self.code.len() {
            let mut op = self.code[i];
            match &mut op {
                FastOp::Jump { target } => *target = self.thread(*target),
                FastOp::Test { a, b, less, equal, greater } => {
                    *less = self.thread_test(*a, *b, *less, 0);
                    *equal = self.thread_test(*a, *b, *equal, 1);
                    *greater = self.thread_test(*a, *b, *greater, 2);
                }
                FastOp::Send { kind, to, words } => match self.code[self.thread(i as u32 + 1) as usize] {
                    FastOp::Finish => {
                        op = FastOp::SendEnd { kind: *kind, to: *to, words: *words, wait: STAY }
                    }
                    FastOp::Wait { wait } => {
                        op = FastOp::SendEnd { kind: *kind, to: *to, words: *words, wait };
                    }
                    _ => {}
                },
                _ => {}
            }
            self.code[i] = op;
        }
        // A command that loops forever jumps backwards repeatedly.
        for i in commands {
            let mut op = self.code[i];
            let back = |target: u32| (first..=i).contains(&(target as usize));
            if let FastOp::Jump { target } = op
                && back(target)
            {
                op = FastOp::Loop { target };
            } else {
                for target in targets(&mut op) {
                    if back(*target) {
                        self.code.push(FastOp::Loop { target: *target });
                        *target = self.code.len() as u32 - 1;
                    }
                }
            }
            self.code[i] = op;
        }
    }

    /// Return the final target of a jump to this position. At most eight jumps are followed, since a cycle of jumps is infinite.
    fn thread(&self, mut target: u32) -> u32 {
        for _ in 0..8 {
            match self.code[target as usize] {
                FastOp::Jump { target: next } => target = next,
                _ => break,
            }
        }
        target
    }

    /// The same after a comparison with this outcome, which skips repetitions of the comparison.
    fn thread_test(&self, a: u8, b: u8, target: u32, outcome: usize) -> u32 {
        let mut target = self.thread(target);
        for _ in 0..8 {
            match self.code[target as usize] {
                FastOp::Test { a: x, b: y, less, equal, greater } if (x, y) == (a, b) => {
                    target = self.thread([less, equal, greater][outcome]);
                }
                _ => break,
            }
        }
        target
    }

    /// Return the position of a label, once all are linked.
    pub fn follow(&self, label: LabelId) -> u32 {
        self.thread(self.labels[label as usize].unwrap_or(0))
    }
}

/// Return the targets of an operation, other than the next operation.
fn targets(op: &mut FastOp) -> impl Iterator<Item = &mut u32> {
    let [a, b, c] = match op {
        FastOp::Jump { target } | FastOp::Loop { target } => [Some(target), None, None],
        FastOp::Test { less, equal, greater, .. } => [Some(less), Some(equal), Some(greater)],
        _ => [None, None, None],
    };
    a.into_iter().chain(b).chain(c)
}
