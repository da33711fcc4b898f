//! Expansion of a part of a batch on one thread: successors, violations and ends.

use crate::explore::ViolationKind;
use crate::explore::fairness::{FairnessConstraint, FairnessConstraints};
use crate::explore::monitor::Monitor;
use crate::explore::monitor::ends::Ends;
use crate::explore::search::violations::{FoundViolation, KnownViolations, ViolationPath, note};
use crate::explore::space::Origin;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::successors::Successors;
use crate::explore::steps::worker::{IsNew, Worker};
use crate::explore::store::frontier::{Part, Waiting};
use crate::explore::store::state_arena::Width;
use crate::ids::StateId;
use crate::property::violates_waived_finally;
use crate::semantics::Abort;
use crate::semantics::event::Event;
use crate::simulate::Outcome;

/// The results of one thread for its part of a batch. Reused, to avoid allocations.
pub struct Batch {
    pub successors: Successors,
    /// By candidate: its predecessor, and the depth of that.
    pub parents: Vec<(StateId, u32)>,
    /// By shard, if there are several: its candidates.
    pub by_shard: Vec<Vec<u32>>,
    pub ends: Ends,
    pub violations: Vec<FoundViolation>,
    pub failed: Vec<(usize, String)>,
    /// Costs of bounds that are checked at ends, by property: the least and the greatest.
    pub measured: Vec<(usize, i64, i64)>,
    /// Configurations in which commands abort, with their fairness constraints.
    pub wrong: Vec<(StateId, FairnessConstraint)>,
    /// Configurations with a successor beyond the limit of depth.
    pub too_deep: Vec<StateId>,
    /// Whether some step was omitted, being independent of those taken.
    pub left_out: bool,
    known: KnownViolations,
}

/// Data that all threads read.
#[derive(Clone, Copy)]
pub struct Shared<'s> {
    pub monitor: &'s Monitor<'s>,
    pub known: &'s KnownViolations,
    pub truth: &'s [u32],
    /// Number of shards.
    pub count: usize,
    /// Least width of the components of vectors.
    pub width: Width,
    /// Whether each successor of a part is needed only once. Not if every step matters.
    pub once: bool,
    /// The visited set, if it decides which steps are taken. `None`: all are.
    pub limits: Option<Limits<'s>>,
}

/// Limits of the expansion.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    pub shards: &'s [VisitedShard],
    pub max_depth: Option<u32>,
    pub reduce: bool,
}

/// Expand a part of a batch on one thread.
pub fn expand_part(worker: &mut Worker<'_>, batch: &mut Batch, shared: &Shared<'_>, part: Part<'_>) {
    batch.clear(shared, part.width());
    std::mem::swap(&mut batch.successors.last, &mut worker.last);
    expand_each(worker, batch, shared, part);
    std::mem::swap(&mut batch.successors.last, &mut worker.last);
}

fn expand_each(worker: &mut Worker<'_>, batch: &mut Batch, shared: &Shared<'_>, part: Part<'_>) {
    let Shared { monitor, limits, .. } = *shared;
    let (mut key, mut bytes) = (Vec::new(), Vec::new());
    let reduces = limits.is_some_and(|limits| limits.reduce);
    let places = (0..worker.group()).cycle();
    for (place, (number, Waiting { state, depth, hash })) in places.zip(part.waiting().iter().enumerate()) {
        if place == 0 && !reduces {
            worker.look_ahead(part, number);
        }
        if worker.is_stopped() {
            return;
        }
        let before = batch.successors.candidates.len();
        let Batch { successors, violations, known, wrong: all_wrong, .. } = &mut *batch;
        let deep = limits.filter(|limits| limits.max_depth.is_some_and(|max| *depth >= max));
        // At the limit of depth, all steps matter.
        successors.once = shared.once && deep.is_none();
        let (mut goes_wrong, mut has_to) = (false, false);
        let mut went_wrong = |event: Event, sources: FairnessConstraints, abort: Box<Abort>| {
            goes_wrong = true;
            has_to |= !sources.is_empty();
            if deep.is_some() {
                return;
            }
            for source in sources {
                if all_wrong.last() != Some(&(*state, source)) {
                    all_wrong.push((*state, source));
                }
            }
            let wrong = ViolationKind::Aborted(abort.message.clone());
            if known.add(&wrong) {
                let (way, why) = (ViolationPath::Abort(*state, Box::new(event)), abort.message.clone());
                violations.push(FoundViolation { wrong, path: way, why, span: Some(abort.span) });
            }
        };
        let mut is_new =
            |hash: u64, key: &[u32]| limits.is_none_or(|limits| !limits.is_known(hash, key, &mut bytes));
        let reduce: Option<IsNew<'_>> = if reduces { Some(&mut is_new) } else { None };
        let truth = shared.truth.get(state.index()).copied().unwrap_or(0);
        let from = Origin { packed: (part.width(), part.packed(number)), hash: *hash, truth, place };
        batch.left_out |= worker.expand(from, reduce, successors, &mut went_wrong);
        let is_end = !batch.successors.takes_obliged() && !has_to;
        if let Some(limits) = deep {
            let is_known = |hash: u64, key: &[u32]| limits.is_known(hash, key, &mut bytes);
            if batch.successors.keep(before, is_known) || goes_wrong {
                batch.too_deep.push(*state);
            }
        }
        batch.parents.resize(batch.successors.candidates.len(), (*state, *depth));
        if is_end {
            part.key(number, &mut key);
            batch.end(worker, monitor, *state, &key);
        }
    }
    batch.tell_shards_apart(shared.count);
}

impl Batch {
    /// Return an empty batch. `components`: length of the vectors.
    pub fn new(components: usize) -> Batch {
        Batch {
            successors: Successors::new(components),
            parents: Vec::new(),
            by_shard: Vec::new(),
            ends: Ends::default(),
            violations: Vec::new(),
            failed: Vec::new(),
            measured: Vec::new(),
            wrong: Vec::new(),
            too_deep: Vec::new(),
            left_out: false,
            known: KnownViolations::default(),
        }
    }

    /// Clear the results.
    fn clear(&mut self, shared: &Shared<'_>, width: Width) {
        self.successors.clear();
        // Use the width of the visited set, so that nothing is packed twice.
        let width = width.max(shared.width);
        if width > self.successors.keys.width() {
            self.successors.keys.widen(width);
        }
        self.parents.clear();
        // Results that the pipeline did not merge are computed again.
        self.ends = Ends::default();
        self.violations.clear();
        self.failed.clear();
        self.measured.clear();
        self.wrong.clear();
        self.too_deep.clear();
        self.left_out = false;
        self.known.clone_from(shared.known);
    }

    /// Distribute the candidates over several shards.
    fn tell_shards_apart(&mut self, shards: usize) {
        if shards > 1 {
            self.by_shard.resize(shards, Vec::new());
            self.by_shard.iter_mut().for_each(Vec::clear);
            for (place, candidate) in (0u32..).zip(&self.successors.candidates) {
                self.by_shard[shard_of(candidate.hash, shards)].push(place);
            }
        }
    }

    /// Check a configuration in which no step is required.
    fn end(&mut self, worker: &mut Worker<'_>, monitor: &Monitor<'_>, state: StateId, key: &[u32]) {
        let (configuration, seen) = worker.decode(key);
        let outcome = self.ends.add(monitor, configuration, &seen);
        // The lines of a scenario may leave operations unfinished; those that expect an outcome are properties.
        let is_checked = monitor.instance.script.is_none();
        if let Some(Outcome::Stuck(stuck)) = Some(outcome).filter(|_| is_checked) {
            let (wrong, why) = ViolationKind::stuck(monitor.instance, configuration, &stuck);
            if matches!(wrong, ViolationKind::Blocked(_))
                && violates_waived_finally(monitor.instance, configuration)
            {
                self.ends.given_up = true;
            } else if self.known.add(&wrong) {
                self.violations.push(FoundViolation {
                    wrong,
                    path: ViolationPath::To(state),
                    why,
                    span: None,
                });
            }
        }
        for property in &monitor.at_ends {
            if let Some(cost) = monitor.measured(*property, configuration, &seen) {
                match self.measured.iter_mut().find(|(p, ..)| p == property) {
                    Some((_, least, most)) => (*least, *most) = ((*least).min(cost), (*most).max(cost)),
                    None => self.measured.push((*property, cost, cost)),
                }
            }
            if self.known.violated[*property] {
                continue;
            }
            if let Some(blame) = monitor.violation(*property, configuration, &seen) {
                note(&mut self.violations, &mut self.failed, &mut self.known, *property, state, blame);
            }
        }
    }
}

impl Limits<'_> {
    /// Return whether the configuration is visited.
    fn is_known(&self, hash: u64, key: &[u32], bytes: &mut Vec<u8>) -> bool {
        self.shards[shard_of(hash, self.shards.len())].contains(hash, key, bytes)
    }
}

/// Select a shard by bits of the hash that do not decide the bucket within it.
#[inline]
pub fn shard_of(hash: u64, shards: usize) -> usize {
    (((hash & 0xffff_ffff) * shards as u64) >> 32) as usize
}
