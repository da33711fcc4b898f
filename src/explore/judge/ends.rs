//! The distinct ways in which runs end.

use super::{Judge, Seen, world};
use crate::instance::Instance;
use crate::semantics::eval;
use crate::semantics::{Configuration, show};
use crate::simulate::{Held, Outcome, classify};
use std::collections::BTreeMap;

/// Ends that look the same from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// `terminated`, `quiescent` or `stuck`.
    pub outcome: &'static str,
    /// What the problem's outputs are, process by process: `elected = 4, 4, 4`.
    pub outputs: String,
    /// In how many configurations.
    pub configurations: u64,
}

/// The most kinds of ends that are told apart.
const MOST_KINDS: usize = 10_000;

#[derive(Debug, Default)]
pub struct Ends {
    kinds: BTreeMap<(&'static str, String), u64>,
    others: u64,
    /// Some of them are blocked, and that was given up.
    pub given_up: bool,
}

impl Ends {
    /// Takes note of a configuration without successors; gives how it ends.
    pub fn add(&mut self, judge: &Judge<'_>, configuration: &Configuration, seen: &Seen) -> Outcome {
        let instance = judge.instance;
        let outcome = classify(instance, configuration, &Held::default());
        let key = (outcome.word(), outputs(instance, configuration, seen));
        if self.kinds.len() < MOST_KINDS || self.kinds.contains_key(&key) {
            *self.kinds.entry(key).or_default() += 1;
        } else {
            self.others += 1;
        }
        outcome
    }

    pub fn merge(&mut self, other: Ends) {
        for (key, count) in other.kinds {
            *self.kinds.entry(key).or_default() += count;
        }
        self.others += other.others;
        self.given_up |= other.given_up;
    }

    /// Does no run come to an end?
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.others == 0
    }

    /// The commonest first.
    pub fn finish(self) -> Vec<End> {
        let all = self.kinds.into_iter();
        let mut ends: Vec<End> = all
            .map(|((outcome, outputs), configurations)| End { outcome, outputs, configurations })
            .collect();
        ends.sort_by_key(|end| std::cmp::Reverse(end.configurations));
        if self.others > 0 {
            ends.push(End { outcome: "others", outputs: String::new(), configurations: self.others });
        }
        ends
    }
}

fn outputs(instance: &Instance, configuration: &Configuration, seen: &Seen) -> String {
    let world = world(configuration, seen);
    let all = instance.program.outputs.iter().map(|output| {
        let values = (0..instance.n()).map(|p| {
            let value = eval::globally(instance, Some(world), |env| {
                env.words[output.process as usize] = i64::from(p);
                eval::value(&output.value, env)
            });
            value.map_or_else(|_| "?".to_string(), |value| show::show(&instance.program, &value))
        });
        format!("{} = {}", output.name, values.collect::<Vec<_>>().join(", "))
    });
    all.collect::<Vec<_>>().join("; ")
}
