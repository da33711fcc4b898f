//! The search: expand the frontier batch by batch. First all threads compute successors, then each thread inserts those of its
//! shard into the visited set. The results, and their order, do not depend on the number of threads.

mod threads;
pub mod violations;
mod expansion;
mod insertion;
pub mod pipeline;
pub mod batch;
mod fair_cycle;
mod limits;
mod bounds;
pub mod run_properties;
pub mod step_checks;
pub mod termination;
pub mod time_growth;
pub mod verdicts;
pub mod separate;

use crate::explore::graph::Graph;
use crate::explore::graph::shifts::UNMOVED;
use crate::explore::initial_states::{InitialStates, NoStart, enumerate_initial_states};
use crate::explore::monitor::Monitor;
use crate::explore::monitor::ends::Ends;
use crate::explore::monitor::verdict_cache::VerdictCache;
use crate::explore::reduction::symmetry::Alike;
use crate::explore::reduction::view::{self, ViewReport};
use crate::explore::reduction::wakeups;
use crate::explore::search::expansion::{Batch, shard_of};
use crate::explore::search::insertion::{Reached, width_of};
use crate::explore::search::pipeline::UNDER_WAY;
use crate::explore::search::threads::Threads;
use crate::explore::search::violations::FoundViolation;
use crate::explore::space::Space;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::successors::{Candidate, Successors};
use crate::explore::steps::worker::Worker;
use crate::explore::store::frontier::{Frontier, Part, Waiting};
use crate::explore::store::interner::Interner;
use crate::explore::{
    Exploration, ExploreOptions, Progress, SearchOrder, StopReason, ViolationKind, initial_states,
};
use crate::ids::StateId;
use crate::instance::Instance;
use crate::semantics::{Configuration, Coverage};
use crate::simulate::RunRng;
use crate::stop::StopSignal;
use rustc_hash::FxHashSet;

/// Number of configurations expanded between two checks of the limits. Smaller for whole configurations, whose steps take
/// longer.
const CHUNK: usize = 1 << 16;
const WHOLE_CHUNK: usize = 1 << 8;

/// Number of configurations whose successors are inserted together: few enough to be still in the cache.
pub const PART: usize = 1 << 9;

/// Approximate limit of bytes of successors before they are inserted. In wide networks, a configuration has thousands of
/// successors with long vectors.
const AT_ONCE: usize = 1 << 26;

/// The purpose of a search, which determines when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Deadlocks, run-time errors, and the properties. The violation of a property that is not claimed does not end it.
    General,
    /// Properties that were requested by name. The search ends if all of them are violated, claimed or not.
    Requested,
    /// Nothing but properties that another search has not checked.
    Verdicts,
}

/// Search once, with these properties (`None`: all).
fn search(
    instance: &Instance,
    properties: Option<&[String]>,
    options: &ExploreOptions,
    purpose: Purpose,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Exploration {
    let mut limited = |progress: &Progress| match watch(progress) {
        None if progress.configurations > options.max_configurations => Some(StopReason::Configurations),
        None if progress.is_too_much(options.max_bytes) => Some(StopReason::Memory),
        told => told,
    };
    let goes_on = (options.keep_going, &instance.stop);
    let (started, first, aborted) = match enumerate_initial_states(instance, goes_on, options, &mut limited) {
        Ok(found) => found,
        Err(NoStart::Aborted(aborted)) => {
            return verdicts::aborted_start(instance, properties, options.keep_going, aborted);
        }
        Err(NoStart::Cut(cut)) => return verdicts::cut_at_start(instance, properties, cut),
    };
    let mut monitor = Monitor::new(instance, properties, options, &first.configuration);
    let by_tables = Space::is_decomposed(instance, &first.configuration, options.notes);
    if options.forget_wakeups && by_tables {
        let checked: Vec<usize> = monitor.indices().collect();
        let slopes = wakeups::slopes_when_forgotten(instance, &checked);
        monitor.costs.relative_to_wakeups(slopes.as_deref().unwrap_or_default());
        monitor.forgets_wakeups = slopes.is_some();
    }
    let monitor = monitor;
    let view_report = if options.view { view::of(instance, &monitor.properties(), by_tables) } else { None };
    let mut attempt = |options: &ExploreOptions, keep_graph: bool| {
        let (view_report, marks) =
            view_report.clone().map_or((None, None), |(view_report, marks)| (Some(view_report), marks));
        let alike = || Alike::of(&monitor, &first.configuration, marks.as_ref());
        let alike = if options.symmetry { alike() } else { None };
        let space = Space::new(&monitor, first.configuration.clone(), options, alike, marks);
        let mut search = Search::new(&space, &monitor, &started, options, purpose);
        search.view_report = view_report;
        if keep_graph && search.graph.is_none() {
            search.graph = Some(space.graph());
        }
        search.begin(watch);
        search.run(watch);
        search.is_conclusive().then(|| search.finish(watch))
    };
    // First with reductions; without them if they turn out to be unsound for liveness.
    let all = ExploreOptions { reduce: false, symmetry: false, dead_messages: false, ..*options };
    let Some(mut found) = attempt(options, false).or_else(|| attempt(&all, false)) else {
        unreachable!("a search without reductions is always sufficient")
    };
    let again = termination::again(instance, &monitor, options, &found, by_tables);
    let told = again.filter_map(|options| attempt(&options, true)).find_map(|again| again.every_run_ends);
    found.every_run_ends = found.every_run_ends.or(told);
    if let Some((events, abort)) = aborted {
        // No other command aborts earlier.
        found.counterexamples.retain(|c| !matches!(c.kind, ViolationKind::Aborted(_)));
        found.counterexamples.insert(0, verdicts::of_start(events, &abort));
    }
    found
}

pub struct Search<'a> {
    pub space: &'a Space<'a>,
    pub monitor: &'a Monitor<'a>,
    pub started: &'a InitialStates,
    pub options: &'a ExploreOptions,
    purpose: Purpose,
    pub threads: Threads,
    pub workers: Vec<Worker<'a>>,
    /// The latest results of each worker.
    pub batches: Vec<Batch>,
    pub shards: Vec<VisitedShard>,
    pub graph: Option<Graph>,
    /// By configuration: the id of its truth vector. Empty if no property is followed along runs.
    pub truth: Vec<u32>,
    pub truths: Interner<Vec<bool>>,
    pub judged: VerdictCache,
    /// Scratch space for a vector.
    pub key: Vec<u32>,
    /// Scratch configuration for decoding.
    pub configuration: Configuration,
    /// The initial configurations, with their indices in `started`. A configuration that several starts reach at different
    /// costs, or after different shifts, occurs several times.
    pub initial: Vec<(StateId, usize)>,
    waiting: Frontier,
    pub ends: Ends,
    /// The first violation found of each kind.
    pub violations: Vec<FoundViolation>,
    pub known: violations::KnownViolations,
    /// Properties that could not be evaluated, and why.
    pub failed: Vec<(usize, String)>,
    /// `eventually` and `settles` properties that cannot be evaluated in some configuration, and why.
    pub unclear: Vec<(usize, String)>,
    /// Properties violated only by infinite runs with adversarial random choices: their verdicts are probabilistic.
    pub by_chance: Vec<usize>,
    /// The undecided among these: joint steps have too many strategies.
    pub open: Vec<usize>,
    /// By bound: the least and the greatest cost found so far. `None`: unbounded.
    pub extremes: Vec<(usize, Option<i64>, Option<i64>)>,
    pub seen: Coverage,
    pub configurations: u64,
    /// The number of intermediate states of joint steps among them.
    pub between: u64,
    pub steps: u64,
    /// Number of configurations that have been expanded.
    expanded: u64,
    pub depth: u32,
    pub cut: Option<StopReason>,
    /// Whether all configurations have been found. Properties of whole runs may still be undecided.
    pub complete: bool,
    /// The result for the views of the program.
    pub view_report: Option<ViewReport>,
    /// Properties violated by a run that may exist only under the view.
    pub unsure: Vec<usize>,
    /// Some configuration was dropped because of the limit of configurations, or of depth.
    pub is_full: bool,
    depth_cut: bool,
    /// Configurations not fully expanded when a limit ended the search; recorded if there is a graph.
    unfinished: Vec<StateId>,
    /// Whether partial-order reduction omitted some step.
    pub omitted_steps: bool,
    /// Whether the search was stopped in the middle of a batch.
    stopped: bool,
    /// The number of configurations and of bytes when memory was last measured.
    measured: (u64, usize),
    /// The number of configurations when limits were last checked.
    looked: u64,
    /// Bytes of the current and the next level.
    bytes_under_way: usize,
}

impl<'a> Search<'a> {
    fn new(
        space: &'a Space<'a>,
        monitor: &'a Monitor<'a>,
        started: &'a InitialStates,
        options: &'a ExploreOptions,
        purpose: Purpose,
    ) -> Self {
        let threads = Threads::new(match options.order {
            SearchOrder::Breadth => options.threads.clamp(1, 64),
            SearchOrder::Depth | SearchOrder::Chance(_) => 1,
        });
        let (count, components) = (threads.count(), space.components(monitor));
        let batches = if count > 1 { UNDER_WAY * count } else { 1 };
        Search {
            space,
            monitor,
            started,
            options,
            purpose,
            threads,
            workers: (0..count).map(|_| Worker::new(space, monitor)).collect(),
            batches: (0..batches).map(|_| Batch::new(components)).collect(),
            shards: (0..count.div_ceil(2))
                .map(|_| VisitedShard::new(components, space.equivalence.clone()))
                .collect(),
            graph: monitor.needs_graph().then(|| space.graph()),
            truth: Vec::new(),
            truths: Interner::default(),
            judged: VerdictCache::default(),
            key: Vec::new(),
            configuration: space.started.clone(),
            initial: Vec::new(),
            waiting: Frontier::new(components),
            ends: Ends::default(),
            violations: Vec::new(),
            known: violations::KnownViolations {
                violated: vec![false; space.instance.program.properties.len()],
                ..violations::KnownViolations::default()
            },
            extremes: Vec::new(),
            failed: Vec::new(),
            unclear: Vec::new(),
            by_chance: Vec::new(),
            open: Vec::new(),
            seen: Coverage::new(&space.instance.program),
            configurations: 0,
            between: 0,
            steps: 0,
            expanded: 0,
            depth: 0,
            cut: None,
            complete: false,
            view_report: None,
            unsure: Vec::new(),
            is_full: false,
            depth_cut: false,
            unfinished: Vec::new(),
            omitted_steps: false,
            stopped: false,
            measured: (0, 0),
            looked: 0,
            bytes_under_way: 0,
        }
    }

    /// Insert the initial configurations.
    fn begin(&mut self, watch: &mut dyn FnMut(&Progress) -> Option<StopReason>) {
        // The cost of a start is no part of a configuration, so starts of different costs may lead to the same one.
        let has_costs = !self.monitor.costs.bounds.is_empty();
        let mut costs = FxHashSet::default();
        let mut canonicalizer = self.space.canonicalizer(self.monitor);
        let mut starts = initial_states::Replayer::new(self.space.instance, self.started);
        for number in 0..self.started.len() {
            let start = starts.start(number);
            let mut key = self.space.encode_start(self.monitor, start);
            if let Some(canonicalizer) = &mut canonicalizer {
                canonicalizer.canonicalize(&mut key);
            }
            let hash = self.space.hash(&key);
            let shard = shard_of(hash, self.shards.len());
            let count = self.shards.len();
            let own = StateId::in_shard(self.shards[shard].len() as u32, shard, count);
            let room = self.options.max_configurations > self.configurations;
            let Some((index, is_new)) = self.shards[shard].insert_if(room, hash, &key, own) else {
                self.is_full = true;
                self.over_by(None);
                return;
            };
            let state = StateId::in_shard(index, shard, count);
            let shifts = self.graph.as_ref().and_then(|graph| graph.shifts.as_ref());
            let shift = shifts
                .filter(|_| has_costs && !is_new)
                .map_or(UNMOVED, |shifts| shifts.between(&key, &self.key(state)));
            let costs_otherwise =
                has_costs && costs.insert((state, self.monitor.costs.number(&start.metrics()), shift));
            if is_new || costs_otherwise {
                self.initial.push((state, number));
            }
            if is_new {
                self.configurations += 1;
                self.waiting.push_key(Waiting { state: own, depth: 0, hash }, &key);
                self.check_new(own, own, self.monitor.all(), &key);
            }
            if !start.steps.is_empty()
                && let Some(seen) = self.seen.actions.first_mut()
            {
                *seen = true;
            }
            start.steps.iter().for_each(|step| self.seen.see_guards(&step.guards));
            let looks = self.stopped || (number + 1).is_multiple_of(CHUNK);
            if looks && self.over(self.waiting.len(), &[], watch) {
                return;
            }
        }
    }

    fn run(&mut self, watch: &mut dyn FnMut(&Progress) -> Option<StopReason>) {
        self.workers.iter_mut().for_each(|worker| worker.until(&self.monitor.instance.stop));
        let components = self.space.components(self.monitor);
        let (mut level, mut next) = (Frontier::new(components), Frontier::new(components));
        let mut looked_at = 0;
        let size = if self.space.uses_large_batches() { CHUNK } else { WHOLE_CHUNK };
        // Number of successors of the latest configuration; they are last in the frontier.
        let mut newest = 0;
        let mut dice = match self.options.order {
            SearchOrder::Chance(seed) => Some(RunRng::for_exploration(seed)),
            SearchOrder::Breadth | SearchOrder::Depth => None,
        };
        let mut earlier = 0;
        while self.cut.is_none() && !self.waiting.is_empty() {
            match self.options.order {
                SearchOrder::Breadth => {
                    if self.options.whole_or_none && self.outgrows_limit(earlier) {
                        self.cut = Some(StopReason::Configurations);
                        break;
                    }
                    earlier = self.waiting.len();
                    std::mem::swap(&mut level, &mut self.waiting);
                    // Reuse the memory of the expanded level for the next one.
                    std::mem::swap(&mut next, &mut self.waiting);
                    next.clear();
                    self.shards.iter_mut().for_each(VisitedShard::begin_level);
                    for (done, chunk) in level.all().chunks(size).enumerate() {
                        self.expand_batch(chunk, &mut next);
                        let left = level.len().saturating_sub((done + 1) * size);
                        if self.over(left + next.len(), &[&level, &next], watch) {
                            self.leave_open(chunk);
                            self.leave_open(level.all().slice((done + 1) * size..level.len()));
                            break;
                        }
                    }
                    std::mem::swap(&mut self.waiting, &mut next);
                }
                SearchOrder::Depth | SearchOrder::Chance(_) => {
                    match &mut dice {
                        None => self.waiting.pop_into(&mut level),
                        Some(dice) => {
                            let all = self.waiting.len();
                            let among = if newest > 0 { newest } else { all };
                            let below = u32::try_from(among).unwrap_or(u32::MAX);
                            self.waiting.take_into(all - 1 - dice.below(below) as usize, &mut level);
                        }
                    }
                    self.expand_batch(level.all(), &mut next);
                    newest = next.len();
                    match &dice {
                        // The first successor is explored first.
                        None => self.waiting.push_reversed(&mut next),
                        Some(_) => self.waiting.append(&mut next),
                    }
                    looked_at += 1;
                    if self.stopped || looked_at % size == 0 {
                        self.over(self.waiting.len(), &[], watch);
                    } else {
                        self.over_by(None);
                    }
                    if self.cut.is_some() {
                        self.leave_open(level.all());
                    }
                }
            }
        }
        if self.cut.is_some() {
            let waiting = std::mem::replace(&mut self.waiting, Frontier::new(components));
            self.leave_open(waiting.all());
            self.waiting = waiting;
        }
        // One of two lists: the next level has become the frontier.
        self.bytes_under_way = level.bytes();
        if self.cut.is_none() && self.depth_cut {
            self.cut = Some(StopReason::Depth);
        }
        if self.cut.is_none() && self.workers.iter().any(Worker::left_out_waits) {
            self.cut = Some(StopReason::Waits);
        }
        if self.cut.is_none() && self.started.are_drawn() {
            self.cut = Some(StopReason::Starts);
        }
        if self.stopped {
            // The caches of the threads may be incomplete.
            for worker in &mut self.workers {
                self.seen.add(worker.seen());
                *worker = Worker::new(self.space, self.monitor);
            }
        }
        // The construction of counterexamples is not limited in time.
        self.workers.iter_mut().for_each(|worker| worker.until(&StopSignal::NEVER));
    }

    /// Record configurations that a limit left unexpanded.
    fn leave_open(&mut self, part: Part<'_>) {
        if self.graph.is_some() {
            self.unfinished.extend(part.waiting().iter().map(|waiting| waiting.state));
        }
    }

    /// Expand these configurations; append the new successors to `next`, in a fixed order.
    fn expand_batch(&mut self, chunk: Part<'_>, next: &mut Frontier) {
        let most = self.most_at_once();
        let done = self.run_pipeline(chunk, most, next);
        self.expanded += done as u64;
        // Reduction depends on what was visited before the batch.
        let size = if self.reduces() { most } else { most.min(PART) };
        for part in chunk.slice(done..chunk.len()).chunks(size) {
            if self.is_stopped() {
                return;
            }
            let mut used = self.expand(part, !self.follows_every_step());
            let candidates = |batch: &Batch| batch.successors.candidates.len() as u64;
            let room = self.options.max_configurations.saturating_sub(self.configurations);
            let fits = !self.is_full && self.batches[..used].iter().map(candidates).sum::<u64>() <= room;
            if !fits {
                // Every step counts until the limit is reached.
                used = self.expand(part, false);
            }
            if self.is_stopped() {
                return;
            }
            let reached = if fits { self.insert(used) } else { self.insert_within(used, room) };
            let mut batches = std::mem::take(&mut self.batches);
            for (batch, reached) in batches.iter_mut().zip(reached) {
                self.steps += if fits { batch.successors.steps } else { reached.len() as u64 };
                self.take(batch, &reached, next);
            }
            self.batches = batches;
            self.expanded += part.len() as u64;
            if self.stopped {
                return;
            }
        }
    }

    /// Return the number of configurations that may be expanded at once, assuming an average number of successors. At least
    /// one.
    fn most_at_once(&self) -> usize {
        let numbers = self.space.components(self.monitor) * width_of(&self.shards) as usize;
        let each = numbers + size_of::<Candidate>() + size_of::<(StateId, u32)>();
        let successors = self.steps.div_ceil(self.expanded.max(1)).max(1) as usize;
        (AT_ONCE / each.saturating_mul(successors)).max(1)
    }

    /// Merge the results of a batch. `reached`: what became of its candidates: of all, or of the new ones.
    pub fn take(&mut self, found: &mut Batch, reached: &[Reached], next: &mut Frontier) {
        self.depth_cut |= !found.too_deep.is_empty();
        if self.graph.is_some() {
            self.unfinished.append(&mut found.too_deep);
        }
        self.omitted_steps |= found.left_out;
        self.ends.merge(std::mem::take(&mut found.ends));
        self.failed.append(&mut found.failed);
        let (violations, measured) =
            (std::mem::take(&mut found.violations), std::mem::take(&mut found.measured));
        for violation in violations {
            self.found(violation);
        }
        for (property, least, most) in measured {
            self.costs_between(property, least, most);
        }
        if let Some(graph) = &mut self.graph {
            found.wrong.iter().for_each(|(state, source)| graph.add_wrong(*state, *source));
        }
        let Successors { candidates, keys, .. } = &found.successors;
        let is_joint = self.monitor.instance.model.is_joint();
        let mut key = std::mem::take(&mut self.key);
        for Reached { candidate, state, is_new } in reached.iter().copied() {
            let place = candidate as usize;
            let (parent, depth) = found.parents[place];
            let Candidate { hash, touched, label, .. } = candidates[place];
            let shifts = self.graph.as_ref().is_some_and(|graph| graph.shifts.is_some());
            if touched != 0 || is_joint || shifts {
                keys.get(place, &mut key);
            }
            let kept = (shifts && !is_new).then(|| self.key(state));
            if let Some(graph) = &mut self.graph {
                let label = kept.map_or(label, |kept| graph.shifted(label, &key, &kept));
                graph.add(parent, state, label);
            }
            if is_new {
                self.depth = self.depth.max(depth + 1);
                self.configurations += 1;
                self.between += u64::from(is_joint && self.space.is_between(&key));
                next.push(Waiting { state, depth: depth + 1, hash }, keys.width(), keys.packed(place));
                self.check_new(state, parent, touched, &key);
            }
            if self.stopped {
                break;
            }
            if touched != 0 && !self.truth.is_empty() {
                self.check_stable(parent, state, &key, is_new);
            }
        }
        self.key = key;
    }

    /// Record a violation, unless one of the same kind is known.
    pub fn found(&mut self, violation: FoundViolation) {
        if self.known.add(&violation.wrong) {
            self.violations.push(violation);
        }
    }

    /// Record costs of a bound.
    fn costs_between(&mut self, property: usize, least: i64, most: i64) {
        match self.extremes.iter_mut().find(|(known, ..)| *known == property) {
            Some((_, a, b)) => (*a, *b) = ((*a).min(Some(least)), (*b).max(Some(most))),
            None => self.extremes.push((property, Some(least), Some(most))),
        }
    }

    pub fn key(&self, state: StateId) -> Vec<u32> {
        let mut key = Vec::new();
        self.put_key(state, &mut key);
        key
    }

    pub fn put_key(&self, state: StateId, key: &mut Vec<u32>) {
        let (shard, index) = state.place(self.shards.len());
        self.shards[shard].key(index, key);
    }

    /// Liveness with cycles distinguishes orders of independent steps: see `has_seen_enough`.
    pub fn reduces(&self) -> bool {
        self.options.reduce && self.space.is_local()
    }
}
