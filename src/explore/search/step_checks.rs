//! Checks of new configurations and of steps.

use crate::explore::ViolationKind;
use crate::explore::monitor::verdict_cache::Known;
use crate::explore::monitor::{AuxiliaryData, truth_values_per_combination};
use crate::explore::search::Search;
use crate::explore::search::violations::{FoundViolation, ViolationPath, note};
use crate::ids::StateId;
use crate::ir::PropertyKind;

impl Search<'_> {
    /// Check a new configuration with this vector, unless its step changed nothing that a property reads.
    pub fn check_new(&mut self, state: StateId, parent: StateId, touched: u64, key: &[u32]) {
        let places = self.monitor.places();
        if places > 0 && self.truth.len() <= state.index() {
            self.truth.resize(state.index() + 1, 0);
        }
        if touched == 0 {
            if places > 0 {
                self.truth[state.index()] = self.truth[parent.index()];
            }
            return;
        }
        self.judge_at(state, parent, touched, key);
    }

    /// Check a configuration.
    fn judge_at(&mut self, state: StateId, parent: StateId, touched: u64, key: &[u32]) {
        let places = self.monitor.places();
        let alike = self.monitor.reads_variables_only(touched);
        if alike {
            let Known { hold, truth } = self.judged.look(self.monitor, self.space.parts(), key);
            let truth = match touched & self.monitor.with_truth() {
                0 => self.truth.get(parent.index()).copied(),
                _ => truth,
            };
            if touched & !hold == 0 && (places == 0 || truth.is_some()) {
                if let Some(truth) = truth {
                    self.truth[state.index()] = truth;
                }
                return;
            }
        }
        let seen = self.look_at(key);
        let violated = self.monitor.violated(&self.configuration, &seen, touched, &self.known.violated);
        let mut found = Known { hold: if violated.is_empty() { touched } else { 0 }, truth: None };
        for (property, blame) in violated {
            note(&mut self.violations, &mut self.failed, &mut self.known, property, state, blame);
        }
        if places > 0 {
            let before = self.truth[parent.index()];
            if touched & self.monitor.with_truth() == 0 {
                self.truth[state.index()] = before;
            } else {
                let truth = self.truth_of(key);
                found.truth = Some(truth);
                self.truth[state.index()] = truth;
            }
        }
        if alike {
            self.judged.keep(found);
        }
        self.is_stopped();
    }

    /// Decode a vector into `self.configuration`; return its counts and history.
    fn look_at(&mut self, key: &[u32]) -> AuxiliaryData {
        self.space.decode(key, &mut self.configuration);
        self.monitor.seen(self.space.auxiliary_of(self.monitor, key))
    }

    /// Return the id of the truth vector of a configuration. Record failures to evaluate a property.
    fn truth_of(&mut self, key: &[u32]) -> u32 {
        let seen = self.look_at(key);
        let (truth, failed) = self.monitor.truth(&self.configuration, &seen);
        for (number, abort) in failed {
            let followed = &self.monitor.followed[number];
            // Whether it matters for `eventually` and `settles` is decided on the complete graph.
            let list = if followed.undefined.is_some() { &mut self.unclear } else { &mut self.failed };
            if list.iter().all(|(known, _)| *known != followed.property) {
                list.push((followed.property, abort.to_string()));
            }
        }
        self.truths.number(truth)
    }

    /// Check `stable` properties at a step. `key`: the vector reached, which may be stored as an equivalent one.
    pub fn check_stable(&mut self, from: StateId, to: StateId, key: &[u32], is_new: bool) {
        let before = self.truth[from.index()];
        let renumbered = self.space.equivalence.symmetry.is_some() && !is_new;
        let after = match renumbered {
            true => self.truth_of(key),
            false => self.truth[to.index()],
        };
        if before == after {
            return;
        }
        let monitor = self.monitor;
        for f in monitor.followed.iter().filter(|f| !f.truth.is_empty()) {
            let p = &self.space.instance.program.properties[f.property];
            let (before, after) = (self.truths.get(before), self.truths.get(after));
            // A property that cannot be evaluated is neither true nor false.
            let lost = |place: usize| before.get(place) == Some(&true) && after.get(place + 1) == Some(&true);
            if p.kind != PropertyKind::Stable || self.known.violated[f.property] {
                continue;
            }
            let judged = |place: &usize| self.space.is_checked(*place);
            let places = truth_values_per_combination(p.kind);
            if let Some(place) = f.truth.clone().step_by(places).find(|place| lost(*place) && judged(place)) {
                let seen = self.look_at(key);
                let combination = (place - f.truth.start) / places;
                let blame = self.monitor.lost(f.property, combination, &self.configuration, &seen);
                let (why, span) = match blame {
                    Some(blame) => (blame.text(), Some(blame.span)),
                    None => ("it was true and became false".into(), None),
                };
                let wrong = ViolationKind::Property(f.property);
                self.known.add(&wrong);
                self.violations.push(FoundViolation {
                    wrong,
                    path: ViolationPath::Step(from, key.to_vec()),
                    why,
                    span,
                });
            }
        }
    }
}
