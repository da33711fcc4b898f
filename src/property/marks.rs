//! What has been seen of a property along a run, for each combination of what its binders range over.

use crate::ir::{Binder, ExprKind, Fact, Pattern, Slot, Value};
use crate::semantics::eval::Env;
use rustc_hash::FxHashMap;

/// What the binders of a property have taken.
type Key = Vec<Value>;

/// Truth values by combination. One process is the usual case, and there may be a million of them: a byte for each.
pub(super) enum Marks {
    ByProcess { binder: u16, marks: Vec<Option<bool>> },
    Any(FxHashMap<Key, bool>),
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
    pub fn get(&self, binders: &[Binder], env: &Env<'_>) -> Option<bool> {
        match self {
            Marks::ByProcess { binder, marks } => *marks.get(env.words[*binder as usize] as usize)?,
            Marks::Any(marks) => marks.get(&bound_values(binders, env)).copied(),
        }
    }

    pub fn set(&mut self, binders: &[Binder], env: &Env<'_>, mark: bool) {
        match self {
            Marks::ByProcess { binder, marks } => {
                if marks.is_empty() {
                    marks.resize(env.instance.n() as usize, None);
                }
                if let Some(place) = marks.get_mut(env.words[*binder as usize] as usize) {
                    *place = Some(mark);
                }
            }
            Marks::Any(marks) => {
                marks.insert(bound_values(binders, env), mark);
            }
        }
    }

    /// Is any of them true?
    pub fn any(&self) -> bool {
        match self {
            Marks::ByProcess { marks, .. } => marks.contains(&Some(true)),
            Marks::Any(marks) => marks.values().any(|mark| *mark),
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
