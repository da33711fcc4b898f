//! Syntactic check for mutually exclusive guards. If they exclude each other, the first acceptable alternative is the only one,
//! and the others need no evaluation: typically `q > id`, `q < id`, `q = id`.

use super::candidates::Candidate;
use crate::ir::{Builtin, Compare, Expr, ExprKind, Fact, Input, Pattern, Slot};

/// Return whether at most one candidate of each level can be acceptable, for every message and process.
pub(super) fn are_exclusive(candidates: &[Candidate], list: &[u32]) -> bool {
    list.iter().enumerate().all(|(i, a)| {
        let a = &candidates[*a as usize];
        list[i + 1..]
            .iter()
            .map(|b| &candidates[*b as usize])
            .take_while(|b| b.level == a.level)
            .all(|b| disjoint(a, b))
    })
}

fn disjoint(a: &Candidate, b: &Candidate) -> bool {
    match (&a.alternative.guard, &b.alternative.guard) {
        (Some(g), Some(h)) => contradict(&Side(g, &a.alternative.input), &Side(h, &b.alternative.input)),
        _ => false,
    }
}

/// The same for two guards of one `if`.
pub(super) fn contradict_here(a: &Expr, b: &Expr) -> bool {
    let none = &Input::Pause;
    contradict(&Side(a, none), &Side(b, none))
}

/// Return whether two expressions of one command have the same value, if nothing is stored between them.
pub(super) fn same_here(a: &Expr, b: &Expr) -> bool {
    let none = &Input::Pause;
    same(&Side(a, none), &Side(b, none))
}

/// A guard, with the input that binds its names.
struct Side<'a>(&'a Expr, &'a Input);

fn contradict(a: &Side, b: &Side) -> bool {
    match (&a.0.kind, &b.0.kind) {
        (ExprKind::And(x, y), _) => contradict(&Side(x, a.1), b) || contradict(&Side(y, a.1), b),
        (_, ExprKind::And(x, y)) => contradict(a, &Side(x, b.1)) || contradict(a, &Side(y, b.1)),
        (ExprKind::Not(_), ExprKind::Not(_)) => false,
        (ExprKind::Not(x), _) => same(&Side(x, a.1), b),
        (_, ExprKind::Not(y)) => same(a, &Side(y, b.1)),
        (ExprKind::Compare(op, x, y), ExprKind::Compare(other, u, v)) => {
            let (x, y, u, v) = (Side(x, a.1), Side(y, a.1), Side(u, b.1), Side(v, b.1));
            (same(&x, &u) && same(&y, &v) && outcomes(*op) & outcomes(*other) == 0)
                || (same(&x, &v) && same(&y, &u) && outcomes(*op) & outcomes(other.mirrored()) == 0)
        }
        _ => false,
    }
}

/// Return the outcomes for which a comparison holds: bit 0 less, 1 equal, 2 greater.
pub(super) fn outcomes(compare: Compare) -> u8 {
    match compare {
        Compare::Less => 0b001,
        Compare::LessEqual => 0b011,
        Compare::Equal => 0b010,
        Compare::GreaterEqual => 0b110,
        Compare::Greater => 0b100,
        Compare::NotEqual => 0b101,
    }
}

/// Return whether both have the same value before either command has run; false if unknown.
fn same(a: &Side, b: &Side) -> bool {
    match (&a.0.kind, &b.0.kind) {
        (ExprKind::Word(x), ExprKind::Word(y)) => x == y,
        (ExprKind::Param(x), ExprKind::Param(y)) => x == y,
        (ExprKind::Fact(Fact::Id), ExprKind::Fact(Fact::Id))
        | (ExprKind::Fact(Fact::N), ExprKind::Fact(Fact::N)) => true,
        (ExprKind::Slot(x), ExprKind::Slot(y)) => match (field_of(*x, a.1), field_of(*y, b.1)) {
            (None, None) => x == y,
            (bound, other) => bound == other,
        },
        (ExprKind::Call(f, x), ExprKind::Call(g, y)) => {
            f == g
                && !matches!(f, Builtin::Coin | Builtin::Random)
                && x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| same(&Side(x, a.1), &Side(y, b.1)))
        }
        (ExprKind::Compare(o, x, y), ExprKind::Compare(p, u, v)) => {
            o == p && same(&Side(x, a.1), &Side(u, b.1)) && same(&Side(y, a.1), &Side(v, b.1))
        }
        _ => false,
    }
}

/// Return the field of the message that is bound to a slot.
fn field_of(slot: Slot, input: &Input) -> Option<usize> {
    let Input::Message { fields, .. } = input else {
        return None;
    };
    let holds = |p: &Pattern| matches!(p, Pattern::Slot(s) if *s == slot);
    fields.iter().position(holds)
}
