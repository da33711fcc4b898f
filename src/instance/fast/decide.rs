//! Conditions as decision trees: each branch knows the outcomes of the comparisons above it, so that none is repeated.

use super::FastOp;
use super::compile::{Compiler, LabelId};
use crate::instance::disjoint_guards::{outcomes, same_here};
use crate::ir::{Branch, Expr, ExprKind};

/// Maximum number of operations of a decision; larger ones are left to the machine.
const MOST_OPS: usize = 400;

const EQUAL: u8 = 0b010;
const ANY: u8 = 0b111;

/// Facts that hold at a node of a decision. Within a decision only `let` stores, and it forgets all facts.
#[derive(Clone, Default)]
pub(super) struct Known<'a> {
    /// Pairs of registers, and the possible outcomes of their comparison: bit 0 less, 1 equal, 2 greater.
    compared: Vec<(u8, u8, u8)>,
    pub computed: Vec<(&'a Expr, u8)>,
}

impl<'a> Known<'a> {
    fn outcomes(&self, a: u8, b: u8) -> u8 {
        if a == b {
            return EQUAL;
        }
        let found = self.compared.iter().rev().find(|(x, y, _)| (*x, *y) == (a, b));
        found.map_or(ANY, |(_, _, outcomes)| *outcomes)
    }

    fn with(&self, a: u8, b: u8, outcomes: u8) -> Known<'a> {
        let mut known = self.clone();
        known.compared.push((a, b, outcomes));
        known
    }

    /// Return the register that already holds the value of an expression.
    pub fn value(&self, e: &Expr) -> Option<u8> {
        self.computed.iter().find(|(known, _)| same_here(known, e)).map(|(_, register)| *register)
    }

    /// Forget all facts, since a name has a new value.
    pub fn forget(&mut self) {
        *self = Known::default();
    }
}

/// Continuation of a decision: emits the code of one outcome, which does not return.
pub(super) type Next<'n, 'a> = &'n dyn Fn(&mut Compiler<'a>, &Known<'a>) -> Option<()>;

impl<'a> Compiler<'a> {
    /// Emit code that evaluates a condition and continues with `yes` or `no`. `None`: there is no code for it.
    pub fn decide(
        &mut self,
        e: &'a Expr,
        known: &Known<'a>,
        yes: Next<'_, 'a>,
        no: Next<'_, 'a>,
    ) -> Option<()> {
        match &e.kind {
            ExprKind::Word(0) => no(self, known),
            ExprKind::Word(_) => yes(self, known),
            ExprKind::Not(x) => self.decide(x, known, no, yes),
            ExprKind::And(x, y) => self.decide(x, known, &|c, known| c.decide(y, known, yes, no), no),
            ExprKind::Or(x, y) => self.decide(x, known, yes, &|c, known| c.decide(y, known, yes, no)),
            ExprKind::Implies(x, y) => self.decide(x, known, &|c, known| c.decide(y, known, yes, no), yes),
            ExprKind::Compare(op, x, y) => {
                let mut known = known.clone();
                let a = self.operand(x, &mut known)?;
                let b = self.operand(y, &mut known)?;
                self.test(a, b, outcomes(*op), &known, yes, no)
            }
            _ => {
                let mut known = known.clone();
                let a = self.operand(e, &mut known)?;
                let zero = self.constant(0)?;
                self.test(a, zero, ANY & !EQUAL, &known, yes, no)
            }
        }
    }

    /// Emit a comparison of two registers that continues with `yes` for these outcomes, else with `no`.
    pub fn test(
        &mut self,
        a: u8,
        b: u8,
        wanted: u8,
        known: &Known<'a>,
        yes: Next<'_, 'a>,
        no: Next<'_, 'a>,
    ) -> Option<()> {
        let possible = known.outcomes(a, b);
        match possible & wanted {
            0 => return no(self, known),
            all if all == possible => return yes(self, known),
            _ => {}
        }
        let (holds, fails) = (self.label(), self.label());
        let lead = |outcome: u8| if wanted & outcome != 0 { holds } else { fails };
        if self.code.len() - self.begun > MOST_OPS {
            return None;
        }
        self.code.push(FastOp::Test { a, b, less: lead(0b001), equal: lead(EQUAL), greater: lead(0b100) });
        self.place(holds);
        yes(self, &known.with(a, b, possible & wanted))?;
        self.place(fails);
        no(self, &known.with(a, b, possible & !wanted))
    }

    /// Emit a Boolean `if`: all guards are evaluated; if two hold, the code leaves to the machine, which chooses.
    pub fn branch(
        &mut self,
        branches: &'a [Branch],
        i: usize,
        open: Option<LabelId>,
        known: &Known<'a>,
        none: LabelId,
    ) -> Option<()> {
        let Some(branch) = branches.get(i) else {
            return self.go(open.unwrap_or(none));
        };
        if branch.after_earlier && open.is_some() {
            return self.branch(branches, i + 1, open, known, none);
        }
        let target = if open.is_some() { None } else { Some(self.entry_of(branch.target)) };
        self.decide(
            &branch.guard,
            known,
            &|c, known| match target {
                Some(_) => c.branch(branches, i + 1, target, known, none),
                None => c.go(c.leave),
            },
            &|c, known| c.branch(branches, i + 1, open, known, none),
        )
    }
}
