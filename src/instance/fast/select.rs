//! Selection of the candidate for a message as fast code: the candidates of one cell in order of precedence.

use super::compile::Compiler;
use super::decide::Known;
use super::{FastOp, SENDER, names};
use crate::instance::{Candidate, Cell, RoleTable};
use crate::ir::{Expr, Input, Pattern, Sender, Slot};

const EQUAL: u8 = 0b010;

/// How a candidate destructures the message.
struct Binding<'a> {
    /// Names with registers of their own: register, and the register of its value.
    moves: Vec<(u8, u8)>,
    /// Accepts messages of this sender only.
    only: Option<&'a Expr>,
}

struct Selector<'a> {
    candidates: Vec<(&'a Candidate, Binding<'a>)>,
    exclusive: bool,
}

/// Emit the code of a cell. `None`: there is no code for it.
pub(super) fn selector<'a>(compiler: &mut Compiler<'a>, table: &'a RoleTable, cell: Cell) -> Option<()> {
    let mut candidates = Vec::new();
    for number in table.list(cell) {
        let candidate = &table.candidates[*number as usize];
        if candidate.level.defers() || !candidate.earlier.is_empty() {
            return None;
        }
        candidates.push((candidate, binding(compiler, candidate)?));
    }
    let selector = Selector { candidates, exclusive: cell.exclusive };
    selector.from(compiler, 0, None, &Known::default())
}

fn binding<'a>(compiler: &Compiler<'a>, candidate: &'a Candidate) -> Option<Binding<'a>> {
    let Input::Message { kind, fields, from } = &candidate.alternative.input else {
        return None;
    };
    let mut binding = Binding { moves: Vec::new(), only: None };
    let mut bind = |slot: u16, register: u8| {
        if compiler.names.of(slot) != register {
            binding.moves.push((slot as u8, register));
        }
    };
    for (field, pattern) in compiler.instance.program.kinds[*kind as usize].fields.iter().zip(fields) {
        match (pattern, field.place) {
            (Pattern::Wildcard, _) => {}
            (Pattern::Slot(Slot::Word(slot)), Slot::Word(place)) => bind(*slot, names::word(place)?),
            _ => return None,
        }
    }
    match from {
        Sender::Any => {}
        Sender::Bind(slot) => bind(*slot, SENDER as u8),
        Sender::Is(wanted) => binding.only = Some(wanted),
        Sender::Member(_) => return None,
    }
    Some(binding)
}

impl<'a> Selector<'a> {
    /// Emit code for the candidates from `i` on. `open`: an acceptable candidate, taken unless another of its level is
    /// acceptable.
    fn from(&self, c: &mut Compiler<'a>, i: usize, open: Option<usize>, known: &Known<'a>) -> Option<()> {
        let level = |i: usize| self.candidates[i].0.level;
        let Some((candidate, binding)) = self.candidates.get(i) else {
            return self.end(c, open);
        };
        if open.is_some_and(|open| self.exclusive || level(open) != level(i)) {
            return self.end(c, open);
        }
        if open.is_some() && candidate.alternative.after_earlier {
            return self.from(c, i + 1, open, known);
        }
        let mut known = known.clone();
        let takes: super::decide::Next<'_, 'a> = &|c, known| match open {
            Some(_) => c.go(c.leave),
            None => self.from(c, i + 1, Some(i), known),
        };
        let passes: super::decide::Next<'_, 'a> = &|c, known| self.from(c, i + 1, open, known);
        let guarded: super::decide::Next<'_, 'a> = &|c, known| match &candidate.alternative.guard {
            None => takes(c, known),
            Some(guard) => {
                let mut known = known.clone();
                self.bind(c, binding, &mut known);
                c.decide(guard, &known, takes, passes)
            }
        };
        match binding.only {
            None => guarded(c, &known),
            Some(wanted) => {
                let wanted = c.operand(wanted, &mut known)?;
                c.test(SENDER as u8, wanted, EQUAL, &known, guarded, passes)
            }
        }
    }

    /// Assign names that have registers of their own.
    fn bind(&self, c: &mut Compiler<'a>, binding: &Binding<'a>, known: &mut Known<'a>) {
        if binding.moves.is_empty() {
            return;
        }
        c.code.extend(binding.moves.iter().map(|(to, from)| FastOp::Move { to: *to, from: *from }));
        known.forget();
    }

    fn end(&self, c: &mut Compiler<'a>, open: Option<usize>) -> Option<()> {
        let Some(open) = open else {
            return c.go(c.nobody);
        };
        let (candidate, binding) = &self.candidates[open];
        // Other candidates that were tried may have rebound their names since.
        if !self.exclusive || candidate.alternative.guard.is_none() {
            self.bind(c, binding, &mut Known::default());
        }
        if candidate.level.ignores() {
            c.code.push(FastOp::Finish);
            return Some(());
        }
        c.go(c.entry_of(candidate.alternative.entry))
    }
}
