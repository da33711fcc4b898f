//! What is wrong somewhere, and one thread's part of looking for it.

use super::batch::shard_of;
use crate::explore::ViolationKind;
use crate::explore::graph::bounds::Priced;
use crate::explore::monitor::Monitor;
use crate::explore::monitor::ends::Ends;
use crate::explore::space::Origin;
use crate::explore::space::frontier::{Part, Waiting};
use crate::explore::space::state_arena::Width;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::fairness::{FairnessConstraint, FairnessConstraints};
use crate::explore::steps::successors::Successors;
use crate::explore::steps::worker::{IsNew, Worker};
use crate::instance::Instance;
use crate::property::{FailedConjunct, is_given_up};
use crate::semantics::event::Event;
use crate::semantics::{Abort, Configuration, Eval};
use crate::simulate::{Outcome, Stuck, blocked_by, told_down};
use crate::source::Span;

/// Something wrong, and how to get there.
pub struct FoundViolation {
    pub wrong: ViolationKind,
    pub way: FoundStep,
    pub why: String,
    pub span: Option<Span>,
}

/// How to get to what is wrong.
pub enum FoundStep {
    /// The configuration itself.
    To(u32),
    /// A step from a configuration to one with this vector.
    Step(u32, Vec<u32>),
    /// A command that cannot be completed.
    Abort(u32, Box<Event>),
    /// A whole run from a configuration on, which may go round from some position on.
    Run {
        run: Vec<u32>,
        repeats_from: Option<usize>,
        /// Of a run without what has to come true, for this combination of the property's binders: which.
        without: Option<usize>,
        /// Of a bound: what it costs.
        priced: Option<Box<Priced>>,
    },
}

impl ViolationKind {
    /// What is wrong where somebody is stuck, and why.
    pub fn stuck(
        instance: &Instance,
        configuration: &Configuration,
        stuck: &[Stuck],
    ) -> (ViolationKind, String) {
        let down = told_down(&blocked_by(instance, configuration, stuck));
        let is_blocked = down.is_some();
        let why: Vec<String> = down.into_iter().chain(stuck.iter().map(|stuck| stuck.why.clone())).collect();
        let why = why.join("; ");
        (
            if is_blocked { ViolationKind::Blocked(why.clone()) } else { ViolationKind::Stuck(why.clone()) },
            why,
        )
    }
}

impl FoundStep {
    /// Does the run never come to an end?
    pub fn is_endless(&self) -> bool {
        matches!(self, FoundStep::Run { repeats_from: Some(_), .. })
    }
}

/// What has been found already: once is enough.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By property.
    pub violated: Vec<bool>,
    pub stuck: bool,
    pub blocked: bool,
    pub aborted: bool,
}

impl Known {
    /// Takes note of something wrong. False: something like it is known.
    pub fn add(&mut self, wrong: &ViolationKind) -> bool {
        let known = match wrong {
            ViolationKind::Property(property) => &mut self.violated[*property],
            ViolationKind::Stuck(_) => &mut self.stuck,
            ViolationKind::Blocked(_) => &mut self.blocked,
            ViolationKind::Aborted(_) => &mut self.aborted,
        };
        !std::mem::replace(known, true)
    }
}

/// What one thread found in its part of a chunk. Used again for the next one, since much would have to be made anew.
pub struct Batch {
    pub successors: Successors,
    /// By candidate: the configuration it follows, and its depth.
    pub parents: Vec<(u32, u32)>,
    /// By shard, where there are several: the candidates that belong to it.
    pub by_shard: Vec<Vec<u32>>,
    pub ends: Ends,
    pub findings: Vec<FoundViolation>,
    pub failed: Vec<(usize, String)>,
    /// What bounds measure that are judged at ends, by property: the least and the most.
    pub measured: Vec<(usize, i64, i64)>,
    /// Where commands go wrong that are taken at some time, and whose.
    pub wrong: Vec<(u32, FairnessConstraint)>,
    /// Of these some successor was left out, since it lies too deep.
    pub too_deep: Vec<u32>,
    /// Some step was left out, since it is independent of those that were taken.
    pub left_out: bool,
    known: Known,
}

/// What all threads look at.
#[derive(Clone, Copy)]
pub struct Shared<'s> {
    pub judge: &'s Monitor<'s>,
    pub known: &'s Known,
    pub truth: &'s [u32],
    /// How many shards there are.
    pub count: usize,
    /// At least so many bytes the components of vectors take there.
    pub width: Width,
    /// Is it enough to find each successor of a part once? Not where something is to be known of every step.
    pub once: bool,
    /// What has been met before, where that decides what is followed further. None: all is.
    pub limits: Option<Limits<'s>>,
}

/// What limits how far is followed.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    pub shards: &'s [VisitedShard],
    pub max_depth: Option<u32>,
    pub reduce: bool,
}

impl Limits<'_> {
    /// Has a configuration with this vector been met?
    fn is_known(&self, hash: u64, key: &[u32], bytes: &mut Vec<u8>) -> bool {
        self.shards[shard_of(hash, self.shards.len())].contains(hash, key, bytes)
    }
}

/// One thread's share of a chunk.
pub fn expand_part(worker: &mut Worker<'_>, batch: &mut Batch, shared: &Shared<'_>, part: Part<'_>) {
    batch.clear(shared, part.width());
    std::mem::swap(&mut batch.successors.last, &mut worker.last);
    expand_each(worker, batch, shared, part);
    std::mem::swap(&mut batch.successors.last, &mut worker.last);
}

fn expand_each(worker: &mut Worker<'_>, batch: &mut Batch, shared: &Shared<'_>, part: Part<'_>) {
    let Shared { judge, limits, .. } = *shared;
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
        let Batch { successors, findings, known, wrong: all_wrong, .. } = &mut *batch;
        let deep = limits.filter(|limits| limits.max_depth.is_some_and(|max| *depth >= max));
        // Of what lies too deep, it is to be known which steps lead there.
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
                let (way, why) = (FoundStep::Abort(*state, Box::new(event)), abort.message.clone());
                findings.push(FoundViolation { wrong, way, why, span: Some(abort.span) });
            }
        };
        let mut is_new =
            |hash: u64, key: &[u32]| limits.is_none_or(|limits| !limits.is_known(hash, key, &mut bytes));
        let reduce: Option<IsNew<'_>> = if reduces { Some(&mut is_new) } else { None };
        let truth = shared.truth.get(*state as usize).copied().unwrap_or(0);
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
            batch.end(worker, judge, *state, &key);
        }
    }
    batch.tell_shards_apart(shared.count);
}

impl Batch {
    /// `components`: length of the vectors.
    pub fn new(components: usize) -> Batch {
        Batch {
            successors: Successors::new(components),
            parents: Vec::new(),
            by_shard: Vec::new(),
            ends: Ends::default(),
            findings: Vec::new(),
            failed: Vec::new(),
            measured: Vec::new(),
            wrong: Vec::new(),
            too_deep: Vec::new(),
            left_out: false,
            known: Known::default(),
        }
    }

    /// Nothing has been found yet.
    fn clear(&mut self, shared: &Shared<'_>, width: Width) {
        self.successors.clear();
        // As wide as what is there already, so that nothing has to be packed twice.
        let width = width.max(shared.width);
        if width > self.successors.keys.width() {
            self.successors.keys.widen(width);
        }
        self.parents.clear();
        // What a line found and nobody took is found again.
        self.ends = Ends::default();
        self.findings.clear();
        self.failed.clear();
        self.measured.clear();
        self.wrong.clear();
        self.too_deep.clear();
        self.left_out = false;
        self.known.clone_from(shared.known);
    }

    /// Finds out which candidate belongs to which of several shards.
    fn tell_shards_apart(&mut self, shards: usize) {
        if shards > 1 {
            self.by_shard.resize(shards, Vec::new());
            self.by_shard.iter_mut().for_each(Vec::clear);
            for (place, candidate) in (0u32..).zip(&self.successors.candidates) {
                self.by_shard[shard_of(candidate.hash, shards)].push(place);
            }
        }
    }

    /// Takes note of a configuration in which nothing has to go on.
    fn end(&mut self, worker: &mut Worker<'_>, judge: &Monitor<'_>, state: u32, key: &[u32]) {
        let (configuration, seen) = worker.decode(key);
        let outcome = self.ends.add(judge, configuration, &seen);
        if let Outcome::Stuck(stuck) = outcome {
            let (wrong, why) = ViolationKind::stuck(judge.instance, configuration, &stuck);
            if matches!(wrong, ViolationKind::Blocked(_)) && is_given_up(judge.instance, configuration) {
                self.ends.given_up = true;
            } else if self.known.add(&wrong) {
                self.findings.push(FoundViolation { wrong, way: FoundStep::To(state), why, span: None });
            }
        }
        for property in &judge.at_ends {
            if let Some(cost) = judge.measured(*property, configuration, &seen) {
                match self.measured.iter_mut().find(|(p, ..)| p == property) {
                    Some((_, least, most)) => (*least, *most) = ((*least).min(cost), (*most).max(cost)),
                    None => self.measured.push((*property, cost, cost)),
                }
            }
            if self.known.violated[*property] {
                continue;
            }
            if let Some(blame) = judge.violation(*property, configuration, &seen) {
                note(&mut self.findings, &mut self.failed, &mut self.known, *property, state, blame);
            }
        }
    }
}

/// A property found violated, or one that cannot be evaluated.
pub fn note(
    findings: &mut Vec<FoundViolation>,
    failed: &mut Vec<(usize, String)>,
    known: &mut Known,
    property: usize,
    state: u32,
    blame: Eval<FailedConjunct>,
) {
    match blame {
        Ok(blame) => {
            let wrong = ViolationKind::Property(property);
            if known.add(&wrong) {
                let (why, span) = (blame.text(), Some(blame.span));
                findings.push(FoundViolation { wrong, way: FoundStep::To(state), why, span });
            }
        }
        Err(abort) if failed.iter().all(|(known, _)| *known != property) => {
            failed.push((property, abort.to_string()))
        }
        Err(_) => {}
    }
}
