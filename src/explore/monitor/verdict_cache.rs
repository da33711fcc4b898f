//! Cached verdicts: properties that read variables only have the same value in all configurations that agree in these
//! variables.

use crate::explore::monitor::Monitor;
use crate::explore::store::components::{Components, Local};
use crate::ids::ProcessId;
use crate::ir::{Slot, Value};
use rustc_hash::FxHashMap;

/// Limit of cached configuration classes: properties that read much distinguish very many.
const MOST: usize = 1 << 18;

/// The data of one process that properties read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Class {
    role: usize,
    words: Vec<i64>,
    values: Vec<Value>,
    wake_state: i64,
}

/// The cached verdicts of one class of configurations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// The invariants known to hold, one bit each.
    pub hold: u64,
    /// The id of the truth vector of the properties followed along runs.
    pub truth: Option<u32>,
}

#[derive(Debug, Default)]
pub struct VerdictCache {
    /// By process and id of the local state: the number of its class + 1, or 0 if not computed yet.
    classes: Vec<Vec<u32>>,
    numbers: FxHashMap<Class, u32>,
    known: FxHashMap<Box<[u32]>, Known>,
    /// The classes of the current configuration.
    at_hand: Vec<u32>,
}

impl VerdictCache {
    /// Make the configuration with this vector the current one, and return what is cached for its class.
    pub fn look(&mut self, monitor: &Monitor<'_>, parts: &Components, key: &[u32]) -> Known {
        self.classes.resize(parts.n(), Vec::new());
        self.at_hand.clear();
        for (process, local) in key[..parts.n()].iter().enumerate() {
            let of = &mut self.classes[process];
            if of.len() <= *local as usize {
                of.resize(*local as usize + 1, 0);
            }
            let class = &mut of[*local as usize];
            if *class == 0 {
                let next = self.numbers.len() as u32 + 1;
                let read = read(monitor, ProcessId(process as u32), parts.locals[process].get(*local));
                *class = *self.numbers.entry(read).or_insert(next);
            }
            self.at_hand.push(*class);
        }
        self.known.get(self.at_hand.as_slice()).copied().unwrap_or_default()
    }

    /// Return the approximate number of bytes.
    pub fn bytes(&self) -> usize {
        let classes: usize = self.classes.iter().map(|of| of.capacity() * size_of::<u32>()).sum();
        let vector = self.at_hand.len() * size_of::<u32>();
        classes
            + self.known.len() * (size_of::<(Box<[u32]>, Known)>() + vector)
            + self.numbers.len() * size_of::<(Class, u32)>()
    }

    /// Cache verdicts of the current configuration.
    pub fn keep(&mut self, found: Known) {
        if self.known.len() < MOST {
            let known = self.known.entry(self.at_hand.as_slice().into()).or_default();
            known.hold |= found.hold;
            known.truth = known.truth.or(found.truth);
        }
    }
}

fn read(monitor: &Monitor<'_>, process: ProcessId, local: &Local) -> Class {
    let role = monitor.instance.role_of(process);
    let mut class = Class { role, words: Vec::new(), values: Vec::new(), wake_state: 0 };
    for slot in monitor.slots_read(role) {
        match slot {
            Slot::Word(slot) => class.words.push(local.words[slot as usize]),
            Slot::Value(slot) => class.values.push(local.values[slot as usize].clone()),
        }
    }
    if monitor.reads_wakes() {
        class.wake_state = local.wake_state;
    }
    class
}
