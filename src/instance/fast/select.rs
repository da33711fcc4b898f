//! Who takes a message, as fast code: the candidates of one cell in their order.

use super::compile::Compiler;
use super::decide::Known;
use super::{Entry, FastOp, NO_SENDER};
use crate::instance::{Candidate, Cell, RoleTable};
use crate::ir::{Expr, Input, Pattern, Sender, Slot};

const EQUAL: u8 = 0b010;

/// How a candidate takes the message apart.
struct Binding<'a> {
    /// Place in the message, register.
    words: Vec<(usize, u8)>,
    from: Option<u8>,
    /// Only from this sender.
    only: Option<&'a Expr>,
}

struct Selector<'a> {
    candidates: Vec<(&'a Candidate, Binding<'a>)>,
    exclusive: bool,
    /// The words are bound by the entry, the same for all candidates.
    bound: bool,
}

/// Makes the code of a cell, and says in `entry` what is to be bound before it. None: there is no code for it.
pub(super) fn selector<'a>(
    compiler: &mut Compiler<'a>,
    table: &'a RoleTable,
    cell: Cell,
    entry: &mut Entry,
) -> Option<()> {
    let mut candidates = Vec::new();
    for number in table.list(cell) {
        let candidate = &table.candidates[*number as usize];
        if candidate.level.defers() || !candidate.earlier.is_empty() {
            return None;
        }
        candidates.push((candidate, binding(compiler, candidate)?));
    }
    let mut all = Entry { code: entry.code, bind: entry.bind, from: NO_SENDER };
    let bound = candidates.iter().all(|(_, binding)| join(compiler, &mut all, binding));
    if !bound {
        all.bind = compiler.message;
        all.from = compiler.sender;
    }
    *entry = all;
    let selector = Selector { candidates, exclusive: cell.exclusive, bound };
    selector.from(compiler, 0, None, &Known::default())
}

fn binding<'a>(compiler: &Compiler<'a>, candidate: &'a Candidate) -> Option<Binding<'a>> {
    let Input::Message { kind, fields, from } = &candidate.alternative.input else {
        return None;
    };
    let mut binding = Binding { words: Vec::new(), from: None, only: None };
    for (field, pattern) in compiler.instance.program.kinds[*kind as usize].fields.iter().zip(fields) {
        match (pattern, field.place) {
            (Pattern::Wildcard, _) => {}
            (Pattern::Slot(Slot::Word(to)), Slot::Word(place)) => {
                binding.words.push((place as usize, *to as u8));
            }
            _ => return None,
        }
    }
    match from {
        Sender::Any => {}
        Sender::Bind(to) => binding.from = Some(*to as u8),
        Sender::Is(wanted) => binding.only = Some(wanted),
        Sender::Member(_) => return None,
    }
    Some(binding)
}

/// Adds what a candidate binds to what the entry binds for all. False: they differ, or a variable is bound, which
/// must not change unless this candidate is looked at.
fn join(compiler: &Compiler<'_>, entry: &mut Entry, binding: &Binding<'_>) -> bool {
    let temporary = |to: u8| usize::from(to) >= compiler.instance.layout.words;
    for (place, to) in &binding.words {
        let twice = entry.bind.iter().enumerate().any(|(i, other)| i != *place && other == to);
        let other = entry.bind[*place] != compiler.nowhere && entry.bind[*place] != *to;
        if twice || other || !temporary(*to) || entry.from == *to {
            return false;
        }
        entry.bind[*place] = *to;
    }
    if let Some(to) = binding.from {
        if !temporary(to) || entry.bind.contains(&to) || (entry.from != NO_SENDER && entry.from != to) {
            return false;
        }
        entry.from = to;
    }
    binding.only.is_none()
}

impl<'a> Selector<'a> {
    /// The candidates from `i` on. `open`: one that takes the message, if no other of its level does.
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
                c.test(c.sender, wanted, EQUAL, &known, guarded, passes)
            }
        }
    }

    /// Names that are not the same for all candidates get their values.
    fn bind(&self, c: &mut Compiler<'a>, binding: &Binding<'a>, known: &mut Known<'a>) {
        if self.bound {
            return;
        }
        for (place, to) in &binding.words {
            c.code.push(FastOp::Move { to: *to, from: c.message[*place] });
        }
        if let Some(to) = binding.from {
            c.code.push(FastOp::Move { to, from: c.sender });
        }
        known.forget();
    }

    fn end(&self, c: &mut Compiler<'a>, open: Option<usize>) -> Option<()> {
        let Some(open) = open else {
            return c.go(c.nobody);
        };
        let (candidate, binding) = &self.candidates[open];
        // Where the others have been looked at, they have bound their names since.
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
