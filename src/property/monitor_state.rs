//! Monitor state of a property along a run, for each combination of its binders.

use crate::ir::{Binder, Pattern, Slot, Value};
use crate::property::incremental::process_slot;
use crate::semantics::eval::Env;
use rustc_hash::FxHashMap;

/// Values of the binders of a property.
type Key = Vec<Value>;

/// Truth values by combination. The usual case is one process, of which there may be a million: one word for each.
pub(super) enum MonitorState {
    ByProcess { binder: u16, marks: Vec<CombinationState> },
    Any(FxHashMap<Key, CombinationState>),
}

/// A truth value with the number of events before it was established, or nothing yet. Encoded in one word: twice the
/// number of events plus 2, plus 1 for true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CombinationState(u64);

impl CombinationState {
    fn new(value: bool, since: u64) -> CombinationState {
        CombinationState(2 * since + 2 + u64::from(value))
    }

    pub fn value(self) -> Option<bool> {
        (self.0 >= 2).then_some(self.0 & 1 == 1)
    }

    /// Return the number of events before the value was established; 0: from the beginning.
    pub fn since(self) -> u64 {
        (self.0 / 2).saturating_sub(1)
    }

    /// Set the value; return whether it changed. An unchanged value keeps the time at which it was established.
    fn set(&mut self, value: bool, now: u64) -> bool {
        let turns = self.value() != Some(value);
        if turns {
            *self = CombinationState::new(value, now);
        }
        turns
    }
}

impl MonitorState {
    pub fn new(binders: &[Binder]) -> MonitorState {
        let process = match binders {
            [binder] => process_slot(binder),
            _ => None,
        };
        match process {
            Some(binder) => MonitorState::ByProcess { binder, marks: Vec::new() },
            None => MonitorState::Any(FxHashMap::default()),
        }
    }

    pub fn clear(&mut self) {
        match self {
            MonitorState::ByProcess { marks, .. } => marks.clear(),
            MonitorState::Any(marks) => marks.clear(),
        }
    }

    /// Return the state of the current combination of the binders.
    pub fn mark(&self, binders: &[Binder], env: &Env<'_>) -> CombinationState {
        match self {
            MonitorState::ByProcess { binder, marks } => {
                marks.get(env.words[*binder as usize] as usize).copied()
            }
            MonitorState::Any(marks) => marks.get(&bound_values(binders, env)).copied(),
        }
        .unwrap_or_default()
    }

    /// Return the truth value of the current combination.
    pub fn get(&self, binders: &[Binder], env: &Env<'_>) -> Option<bool> {
        self.mark(binders, env).value()
    }

    /// Set the truth value after `now` events; return whether it changed.
    pub fn set(&mut self, binders: &[Binder], env: &Env<'_>, mark: bool, now: u64) -> bool {
        match self {
            MonitorState::ByProcess { binder, marks } => {
                if marks.is_empty() {
                    marks.resize(env.instance.n() as usize, CombinationState::default());
                }
                let place = marks.get_mut(env.words[*binder as usize] as usize);
                place.is_some_and(|place| place.set(mark, now))
            }
            MonitorState::Any(marks) => marks.entry(bound_values(binders, env)).or_default().set(mark, now),
        }
    }

    /// Whether the value of some combination is true.
    pub fn any(&self) -> bool {
        let is_true = |mark: &CombinationState| mark.value() == Some(true);
        match self {
            MonitorState::ByProcess { marks, .. } => marks.iter().any(is_true),
            MonitorState::Any(marks) => marks.values().any(is_true),
        }
    }
}

/// Return the current values of the binders.
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
