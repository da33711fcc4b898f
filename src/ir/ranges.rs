//! Ranges inside types: which numbers the parts of a value may be.

use super::Expr;

/// The numbers that a value of a type such as `set of 0..2` or `(Id, 1..n)` may hold, part by part.
#[derive(Clone, Debug)]
pub enum Ranges {
    Any,
    /// From the first to the second, both inclusive.
    Int(Box<Expr>, Box<Expr>),
    Option(Box<Ranges>),
    /// The elements of a set, list or queue.
    Elements(Box<Ranges>),
    Map(Box<Ranges>, Box<Ranges>),
    /// The components of a tuple.
    Parts(Vec<Ranges>),
}

impl Ranges {
    pub fn is_any(&self) -> bool {
        match self {
            Ranges::Any => true,
            Ranges::Int(..) => false,
            Ranges::Option(inner) | Ranges::Elements(inner) => inner.is_any(),
            Ranges::Map(keys, values) => keys.is_any() && values.is_any(),
            Ranges::Parts(parts) => parts.iter().all(Ranges::is_any),
        }
    }

    /// Call `f` for each expression in the ranges.
    pub fn each_bound(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match self {
            Ranges::Any => {}
            Ranges::Int(least, greatest) => {
                f(least);
                f(greatest);
            }
            Ranges::Option(inner) | Ranges::Elements(inner) => inner.each_bound(f),
            Ranges::Map(keys, values) => {
                keys.each_bound(f);
                values.each_bound(f);
            }
            Ranges::Parts(parts) => parts.iter_mut().for_each(|part| part.each_bound(f)),
        }
    }
}
