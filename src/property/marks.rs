//! What has been seen of a property along a run, for each combination of what its binders range over.

use crate::ir::{Binder, ExprKind, Fact, Pattern, Slot, Value};
use crate::semantics::eval::Env;
use rustc_hash::FxHashMap;

/// What the binders of a property have taken.
type Key = Vec<Value>;

/// Truth values by combination. One process is the usual case, and there may be a million of them: a word for each.
pub(super) enum Marks {
    ByProcess { binder: u16, marks: Vec<Mark> },
    Any(FxHashMap<Key, Mark>),
}

/// A truth value, and after how many events it came to be so; or nothing yet. In one word: twice the number of events and
/// 2, and 1 more for what is true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u64);

impl Mark {
    fn new(value: bool, since: u64) -> Mark {
        Mark(2 * since + 2 + u64::from(value))
    }

    pub fn value(self) -> Option<bool> {
        (self.0 >= 2).then_some(self.0 & 1 == 1)
    }

    /// The number of events before it was so; 0: from the beginning.
    pub fn since(self) -> u64 {
        (self.0 / 2).saturating_sub(1)
    }

    /// It is so now; true when it was not before. What stays as it is keeps its beginning.
    fn set(&mut self, value: bool, now: u64) -> bool {
        let turns = self.value() != Some(value);
        if turns {
            *self = Mark::new(value, now);
        }
        turns
    }
}

impl Marks {
    pub fn new(binders: &[Binder]) -> Marks {
        match binders {
            [Binder { pattern: Pattern::Slot(Slot::Word(binder)), set, .. }]
                if matches!(set.kind, ExprKind::Fact(Fact::Processes)) =>
            {
                Marks::ByProcess { binder: *binder, marks: Vec::new() }
            }
            _ => Marks::Any(FxHashMap::default()),
        }
    }

    pub fn clear(&mut self) {
        match self {
            Marks::ByProcess { marks, .. } => marks.clear(),
            Marks::Any(marks) => marks.clear(),
        }
    }

    /// The mark of the combination that the binders have now.
    pub fn mark(&self, binders: &[Binder], env: &Env<'_>) -> Mark {
        match self {
            Marks::ByProcess { binder, marks } => marks.get(env.words[*binder as usize] as usize).copied(),
            Marks::Any(marks) => marks.get(&bound_values(binders, env)).copied(),
        }
        .unwrap_or_default()
    }

    /// Its truth value.
    pub fn get(&self, binders: &[Binder], env: &Env<'_>) -> Option<bool> {
        self.mark(binders, env).value()
    }

    /// After so many events it is so; true when it was not before.
    pub fn set(&mut self, binders: &[Binder], env: &Env<'_>, mark: bool, now: u64) -> bool {
        match self {
            Marks::ByProcess { binder, marks } => {
                if marks.is_empty() {
                    marks.resize(env.instance.n() as usize, Mark::default());
                }
                let place = marks.get_mut(env.words[*binder as usize] as usize);
                place.is_some_and(|place| place.set(mark, now))
            }
            Marks::Any(marks) => marks.entry(bound_values(binders, env)).or_default().set(mark, now),
        }
    }

    /// Is any of them true?
    pub fn any(&self) -> bool {
        let is_true = |mark: &Mark| mark.value() == Some(true);
        match self {
            Marks::ByProcess { marks, .. } => marks.iter().any(is_true),
            Marks::Any(marks) => marks.values().any(is_true),
        }
    }
}

/// The values that the binders have taken.
fn bound_values(binders: &[Binder], env: &Env<'_>) -> Key {
    fn collect(pattern: &Pattern, env: &Env<'_>, values: &mut Vec<Value>) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Slot(Slot::Word(s)) => values.push(Value::Int(env.words[*s as usize])),
            Pattern::Slot(Slot::Value(s)) => values.push(env.values[*s as usize].clone()),
            Pattern::Tuple(parts) | Pattern::Message(_, parts) => {
                parts.iter().for_each(|p| collect(p, env, values));
            }
        }
    }
    let mut values = Vec::new();
    binders.iter().for_each(|b| collect(&b.pattern, env, &mut values));
    values
}
