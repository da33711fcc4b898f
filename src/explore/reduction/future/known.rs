//! Abstract values: intervals of words, constants, keys of maps. Each describes a value at every moment of the future.

use crate::ir::{Compare, SortedSet, Type, Value};
use crate::semantics::eval::elements;
use std::sync::Arc;

/// Numbers beyond these bounds are not distinguished from those near an overflow.
pub const LARGE: i64 = 1 << 62;

/// Constants up to this number do not carry a number from [`LARGE`] to an overflow within 2^40 steps, more than any search makes.
pub const SMALL: i64 = 1 << 20;

/// An abstract value: the set of the values that are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// A word within these bounds, inclusive.
    Word(i64, i64),
    /// This value, which does not fit a word.
    Value(Value),
    /// A map with at least these keys.
    Keys(Arc<SortedSet<Value>>),
    /// A set or list of words within these bounds.
    Elements(i64, i64),
    /// All values that do not fit a word.
    Any,
}

/// All words.
pub const ANY_WORD: Known = Known::Word(i64::MIN, i64::MAX);

impl Known {
    /// Return the abstract value of all values of a type.
    pub fn of_type(ty: &Type) -> Known {
        match ty {
            Type::Bool => Known::Word(0, 1),
            _ if ty.is_word() => ANY_WORD,
            _ => Known::Any,
        }
    }

    pub fn truth_of(truth: Option<bool>) -> Known {
        truth.map_or(Known::Word(0, 1), |truth| Known::Word(truth.into(), truth.into()))
    }

    /// Return the truth of a Bool, if it is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Known::Word(least, greatest) if least == greatest => Some(*least != 0),
            _ => None,
        }
    }

    /// Return whether the value is known exactly.
    pub fn is_exact(&self) -> bool {
        match self {
            Known::Word(least, greatest) => least == greatest,
            Known::Value(_) => true,
            Known::Keys(_) | Known::Elements(..) | Known::Any => false,
        }
    }

    /// Return the abstract value of the values of both.
    pub fn join(&self, other: &Known) -> Known {
        match (self, other) {
            (Known::Word(a, b), Known::Word(c, d)) => Known::Word(*a.min(c), *b.max(d)),
            (Known::Value(a), Known::Value(b)) if a == b => self.clone(),
            _ => match ((self.keys(), other.keys()), (self.elements(), other.elements())) {
                ((Some(own), Some(others)), _) => {
                    Known::Keys(Arc::new(own.iter().filter(|key| others.contains(*key)).cloned().collect()))
                }
                (_, (Some((a, b)), Some((c, d)))) => Known::Elements(a.min(c), b.max(d)),
                _ => Known::Any,
            },
        }
    }

    /// Return the keys that a map certainly has.
    pub fn keys(&self) -> Option<SortedSet<Value>> {
        match self {
            Known::Keys(keys) => Some((**keys).clone()),
            Known::Value(Value::Map(map)) => Some(map.keys().cloned().collect()),
            _ => None,
        }
    }

    /// Return bounds of the elements of a set or list of words, or of none; those of an empty one are the wrong way round.
    pub fn elements(&self) -> Option<(i64, i64)> {
        match self {
            Known::Elements(least, greatest) => Some((*least, *greatest)),
            Known::Value(all @ (Value::Set(_) | Value::List(_) | Value::None)) => {
                let mut bounds = (i64::MAX, i64::MIN);
                for element in elements(all) {
                    let (Value::Int(word) | Value::Id(word) | Value::Port(word)) = element else {
                        return None;
                    };
                    bounds = (bounds.0.min(*word), bounds.1.max(*word));
                }
                Some(bounds)
            }
            _ => None,
        }
    }

    /// Return whether two words compare in this way, if that is known.
    pub fn compare(&self, how: Compare, other: &Known) -> Option<bool> {
        let (Known::Word(a, b), Known::Word(c, d)) = (self, other) else { return None };
        let equal = match (a == b && c == d && a == c, b < c || d < a) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let decide = |always: bool, never: bool| match (always, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match how {
            Compare::Equal => equal,
            Compare::NotEqual => equal.map(|equal| !equal),
            Compare::Less => decide(b < c, a >= d),
            Compare::LessEqual => decide(b <= c, a > d),
            Compare::Greater => decide(a > d, b <= c),
            Compare::GreaterEqual => decide(a >= d, b < c),
        }
    }

    /// Return the sum, and whether it may overflow.
    pub fn plus(&self, other: &Known) -> (Known, bool) {
        let (Known::Word(a, b), Known::Word(c, d)) = (self, other) else { return (ANY_WORD, true) };
        if a == b && c == d {
            return a.checked_add(*c).map_or((ANY_WORD, true), |sum| (Known::Word(sum, sum), false));
        }
        let is_small = |least: i64, greatest: i64| -SMALL <= least && greatest <= SMALL;
        let is_large = |least: i64, greatest: i64| least < -LARGE || greatest > LARGE;
        if is_large(*a, *b) || is_large(*c, *d) || !(is_small(*a, *b) || is_small(*c, *d)) {
            return match (a.checked_add(*c), b.checked_add(*d)) {
                (Some(least), Some(greatest)) => (Known::Word(least, greatest), false),
                _ => (ANY_WORD, true),
            };
        }
        (Known::Word((a + c).max(-LARGE), (b + d).min(LARGE)), false)
    }

    pub fn negated(&self) -> (Known, bool) {
        match self {
            Known::Word(least, greatest) if *least > i64::MIN => (Known::Word(-greatest, -least), false),
            _ => (ANY_WORD, true),
        }
    }

    /// Return the product, and whether it may overflow.
    pub fn times(&self, other: &Known) -> (Known, bool) {
        let (Known::Word(a, b), Known::Word(c, d)) = (self, other) else { return (ANY_WORD, true) };
        let ends: Option<Vec<i64>> =
            [(a, c), (a, d), (b, c), (b, d)].iter().map(|(x, y)| x.checked_mul(**y)).collect();
        match ends.as_deref() {
            Some([first, rest @ ..]) => {
                let least = rest.iter().fold(*first, |least, end| least.min(*end));
                let greatest = rest.iter().fold(*first, |greatest, end| greatest.max(*end));
                (Known::Word(least, greatest), false)
            }
            _ => (ANY_WORD, true),
        }
    }
}
