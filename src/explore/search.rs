//! The search: chunk by chunk of what waits, first all threads find successors, then each puts those of its shard
//! into the set. What is found, and in which order, does not depend on the number of threads.

use super::ends::Ends;
use super::graph::Graph;
use super::judge::Judge;
use super::space::{IsNew, Space, Started, Successors, Worker, starts};
use super::store::{Shard, hash};
use super::table::Table;
use super::{Counterexample, Cut, Exploration, Options, Order, Progress, Wrong, path};
use crate::instance::Instance;
use crate::property::{Blame, Judgement, Verdict};
use crate::semantics::event::Event;
use crate::semantics::{Abort, Eval};
use crate::simulate::Outcome;
use crate::source::Span;
use crate::syntax::ast::PropertyKind;

/// Configurations whose successors are found before any of them is put into the set. Limits are looked at between
/// chunks: where steps come from no table they take longer.
const CHUNK: usize = 1 << 14;
const WHOLE_CHUNK: usize = 1 << 8;

/// Explores everything an instance can do, and judges the named properties (None: all).
///
/// `watch` is called now and then, and may end the exploration.
pub fn explore(
    instance: &Instance,
    properties: Option<&[String]>,
    options: &Options,
    watch: &mut dyn FnMut(&Progress) -> Option<Cut>,
) -> Exploration {
    let started: Started = match starts(instance) {
        Ok(started) => started.into(),
        Err((events, abort)) => return aborted_start(instance, properties, events, &abort),
    };
    let Some(first) = started.first() else {
        unreachable!("processes start in at least one way");
    };
    let space = Space::new(instance, first.configuration.clone());
    let judge = Judge::new(instance, properties, &first.configuration, space.is_local());
    let mut search = Search::new(&space, &judge, started.clone(), options);
    search.begin();
    search.run(watch);
    search.finish()
}

/// Something wrong, and how to get there.
pub(super) struct Finding {
    pub wrong: Wrong,
    pub way: Way,
    pub why: String,
    pub span: Option<Span>,
}

/// How to get to what is wrong.
pub(super) enum Way {
    /// The configuration itself.
    To(u32),
    /// A step between two.
    Step(u32, u32),
    /// A command that cannot be completed.
    Abort(u32, Box<Event>),
    /// A whole run from a configuration on, which may go round from some position on.
    Run(Vec<u32>, Option<usize>),
}

pub(super) struct Search<'a> {
    pub space: &'a Space<'a>,
    pub judge: &'a Judge<'a>,
    pub started: Started,
    options: &'a Options,
    workers: Vec<Worker<'a>>,
    shards: Vec<Shard>,
    pub graph: Option<Graph>,
    /// By configuration: the number of its truth. Empty where no property has one.
    pub truth: Vec<u32>,
    pub truths: Table<Vec<bool>>,
    /// The configurations in which all have just started, with their place in `started`.
    pub initial: Vec<(u32, usize)>,
    /// Waiting for their successors, with their depth.
    waiting: Vec<(u32, u32)>,
    ends: Ends,
    pub findings: Vec<Finding>,
    /// Properties that could not be evaluated, and why.
    pub failed: Vec<(usize, String)>,
    seen: Vec<bool>,
    pub configurations: u64,
    steps: u64,
    depth: u32,
    pub cut: Option<Cut>,
    /// Some configuration's successors were left out for their depth.
    depth_cut: bool,
}

/// What one thread found in its part of a chunk.
#[derive(Default)]
struct Batch {
    successors: Successors,
    /// By candidate: the configuration it follows, and its depth.
    parents: Vec<(u32, u32)>,
    ends: Ends,
    findings: Vec<Finding>,
    failed: Vec<(usize, String)>,
}

impl<'a> Search<'a> {
    fn new(space: &'a Space<'a>, judge: &'a Judge<'a>, started: Started, options: &'a Options) -> Self {
        let threads = match options.order {
            Order::Breadth => options.threads.clamp(1, 64),
            Order::Depth => 1,
        };
        Search {
            space,
            judge,
            started,
            options,
            workers: (0..threads).map(|_| Worker::new(space, judge)).collect(),
            shards: (0..threads).map(|_| Shard::new(space.components(judge))).collect(),
            graph: judge.needs_graph().then(Graph::new),
            truth: Vec::new(),
            truths: Table::new(),
            initial: Vec::new(),
            waiting: Vec::new(),
            ends: Ends::default(),
            findings: Vec::new(),
            failed: Vec::new(),
            seen: vec![false; space.instance.program.actions.len()],
            configurations: 0,
            steps: 0,
            depth: 0,
            cut: None,
            depth_cut: false,
        }
    }

    /// Puts in the configurations in which all have just started.
    fn begin(&mut self) {
        for (number, start) in self.started.clone().iter().enumerate() {
            let key = self.space.encode_start(self.judge, start);
            let hash = hash(&key);
            let shard = shard_of(hash, self.shards.len());
            let own = self.shards[shard].len() as u32 * self.shards.len() as u32 + shard as u32;
            if let (_, true) = self.shards[shard].insert(hash, &key, own) {
                self.configurations += 1;
                self.initial.push((own, number));
                self.waiting.push((own, 0));
                self.judge_new(own, own, self.judge.all());
            }
            if !start.events.is_empty()
                && let Some(seen) = self.seen.first_mut()
            {
                *seen = true;
            }
        }
    }

    fn run(&mut self, watch: &mut dyn FnMut(&Progress) -> Option<Cut>) {
        let mut next = Vec::new();
        let mut looked_at = 0;
        let size = if self.space.is_local() { CHUNK } else { WHOLE_CHUNK };
        while self.cut.is_none() && !self.waiting.is_empty() {
            match self.options.order {
                Order::Breadth => {
                    let level = std::mem::take(&mut self.waiting);
                    for (done, chunk) in level.chunks(size).enumerate() {
                        self.chunk(chunk, &mut next);
                        let left = level.len().saturating_sub((done + 1) * size);
                        let told = watch(&self.progress((left + next.len()) as u64));
                        if self.over(told) {
                            break;
                        }
                    }
                    self.waiting = std::mem::take(&mut next);
                }
                Order::Depth => {
                    let Some(last) = self.waiting.pop() else { break };
                    self.chunk(&[last], &mut next);
                    // The first successor is looked at first.
                    self.waiting.extend(next.drain(..).rev());
                    looked_at += 1;
                    let told = match looked_at % size {
                        0 => watch(&self.progress(self.waiting.len() as u64)),
                        _ => None,
                    };
                    self.over(told);
                }
            }
        }
        if self.cut.is_none() && self.depth_cut {
            self.cut = Some(Cut::Depth);
        }
    }

    /// Is there a reason to stop?
    fn over(&mut self, told: Option<Cut>) -> bool {
        let bytes = self.bytes();
        self.cut = if !self.findings.is_empty() && !self.options.keep_going {
            Some(Cut::Found)
        } else if told.is_some() {
            told
        } else if self.configurations >= self.options.max_configurations {
            Some(Cut::Configurations)
        } else if self.options.max_bytes.is_some_and(|max| bytes >= max) {
            Some(Cut::Memory)
        } else {
            None
        };
        self.cut.is_some()
    }

    fn progress(&self, waiting: u64) -> Progress {
        Progress {
            configurations: self.configurations,
            steps: self.steps,
            depth: self.depth,
            waiting,
            bytes: self.bytes(),
        }
    }

    /// Finds the successors of these configurations; those that are new go to `next`, in a fixed order.
    fn chunk(&mut self, chunk: &[(u32, u32)], next: &mut Vec<(u32, u32)>) {
        let batches = self.expand(chunk);
        let reached = self.insert(&batches);
        for (batch, reached) in batches.into_iter().zip(reached) {
            self.steps += batch.successors.candidates.len() as u64;
            self.ends.merge(batch.ends);
            self.findings.extend(batch.findings);
            self.failed.extend(batch.failed);
            let all = batch.successors.candidates.iter().zip(batch.parents).zip(reached);
            for ((candidate, (parent, depth)), (state, is_new)) in all {
                if let Some(graph) = &mut self.graph {
                    let label = graph.labels.number(candidate.label);
                    graph.add(parent, state, label);
                }
                if is_new {
                    self.depth = self.depth.max(depth + 1);
                    self.configurations += 1;
                    next.push((state, depth + 1));
                    self.judge_new(state, parent, candidate.touched);
                }
                if candidate.touched != 0 && !self.truth.is_empty() {
                    self.judge_stable(parent, state);
                }
            }
        }
    }

    /// First part: every thread its share.
    fn expand(&mut self, chunk: &[(u32, u32)]) -> Vec<Batch> {
        let reduce = self.reduces();
        let Search { workers, shards, judge, options, .. } = self;
        let share = chunk.len().div_ceil(workers.len()).max(1);
        let work = |worker: &mut Worker<'_>, part: &[(u32, u32)]| {
            expand_part(worker, judge, shards, options, reduce, part)
        };
        let batches = if workers.len() == 1 || chunk.len() < 64 {
            vec![work(&mut workers[0], chunk)]
        } else {
            std::thread::scope(|scope| {
                let parts = workers.iter_mut().zip(chunk.chunks(share));
                let work = &work;
                let running: Vec<_> =
                    parts.map(|(worker, part)| scope.spawn(move || work(worker, part))).collect();
                running.into_iter().map(joined).collect()
            })
        };
        if options.max_depth.is_some_and(|max| chunk.iter().any(|(_, depth)| *depth >= max)) {
            self.depth_cut = true;
        }
        batches
    }

    /// Second part: every shard takes what belongs to it, in the order of the batches. Gives for each candidate its
    /// number, and whether it is new.
    fn insert(&mut self, batches: &[Batch]) -> Vec<Vec<(u32, bool)>> {
        let components = self.space.components(self.judge);
        let count = self.shards.len();
        let work = |number: usize, shard: &mut Shard| {
            let of_batch = |batch: &Batch| {
                let keys = batch.successors.keys.chunks_exact(components);
                let candidates = batch.successors.candidates.iter().zip(keys).zip(&batch.parents);
                let mut reached = Vec::with_capacity(batch.parents.len() / count + 1);
                for ((candidate, key), (parent, _)) in candidates {
                    if shard_of(candidate.hash, count) == number {
                        let (index, is_new) = shard.insert(candidate.hash, key, *parent);
                        reached.push((index * count as u32 + number as u32, is_new));
                    }
                }
                reached
            };
            batches.iter().map(of_batch).collect::<Vec<_>>()
        };
        if let [shard] = self.shards.as_mut_slice() {
            return work(0, shard);
        }
        let mut by_shard: Vec<_> = std::thread::scope(|scope| {
            let shards = self.shards.iter_mut().enumerate();
            let work = &work;
            let running: Vec<_> =
                shards.map(|(number, shard)| scope.spawn(move || work(number, shard).into_iter())).collect();
            running.into_iter().map(joined).collect()
        });
        // Every candidate is the next one of its shard.
        let of_batch = |batch: &Batch| {
            let mut own: Vec<_> =
                by_shard.iter_mut().map(|lists| lists.next().unwrap_or_default().into_iter()).collect();
            let candidates = batch.successors.candidates.iter();
            candidates.filter_map(|candidate| own[shard_of(candidate.hash, count)].next()).collect()
        };
        batches.iter().map(of_batch).collect()
    }

    /// Judges a new configuration.
    fn judge_new(&mut self, state: u32, parent: u32, touched: u64) {
        let places = self.judge.places();
        if places > 0 && self.truth.len() <= state as usize {
            self.truth.resize(state as usize + 1, 0);
        }
        if touched == 0 {
            if places > 0 {
                self.truth[state as usize] = self.truth[parent as usize];
            }
            return;
        }
        let key = key_of(&self.shards, state);
        let (configuration, seen) = self.workers[0].decode(&key);
        if configuration.in_joint_step() {
            // What lies between the parts of a joint step is no configuration that anybody sees.
            if places > 0 {
                self.truth[state as usize] = self.truth[parent as usize];
            }
            return;
        }
        for (property, blame) in self.judge.violated(configuration, &seen, touched) {
            note(&mut self.findings, &mut self.failed, property, state, blame);
        }
        if places > 0 {
            let before = self.truth[parent as usize];
            self.truth[state as usize] = if touched & self.judge.with_truth() == 0 {
                before
            } else {
                match self.judge.truth(configuration, &seen) {
                    Ok(truth) => self.truths.number(truth),
                    Err(abort) => {
                        let with_truth = self.judge.followed.iter().filter(|f| !f.truth.is_empty());
                        self.failed.extend(with_truth.map(|f| (f.property, abort.message.clone())));
                        before
                    }
                }
            };
        }
    }

    /// What was true once must be true after a step.
    fn judge_stable(&mut self, from: u32, to: u32) {
        let (before, after) = (self.truth[from as usize], self.truth[to as usize]);
        if before == after {
            return;
        }
        let (before, after) = (self.truths.get(before), self.truths.get(after));
        for f in self.judge.followed.iter().filter(|f| !f.truth.is_empty()) {
            let p = &self.space.instance.program.properties[f.property];
            let lost = |place: usize| before.get(place) == Some(&true) && after.get(place) == Some(&false);
            if p.kind == PropertyKind::Stable && f.truth.clone().any(lost) {
                let key = key_of(&self.shards, to);
                let (configuration, seen) = self.workers[0].decode(&key);
                let why = match self.judge.violation(f.property, configuration, &seen) {
                    Some(Ok(blame)) => format!("it was true, and then {}", blame.text()),
                    _ => "it was true, and then no more".into(),
                };
                let wrong = Wrong::Property(f.property);
                self.findings.push(Finding { wrong, way: Way::Step(from, to), why, span: None });
            }
        }
    }

    fn finish(mut self) -> Exploration {
        let mut about_runs = Vec::new();
        if self.cut.is_none() {
            about_runs = self.judge_runs();
        }
        let program = &self.space.instance.program;
        // One for each thing that is wrong: the first found.
        let mut findings: Vec<Finding> = Vec::new();
        for finding in std::mem::take(&mut self.findings) {
            let same = |known: &Finding| match (&known.wrong, &finding.wrong) {
                (Wrong::Property(a), Wrong::Property(b)) => a == b,
                (Wrong::Stuck(_), Wrong::Stuck(_)) | (Wrong::Aborted(_), Wrong::Aborted(_)) => true,
                _ => false,
            };
            if !findings.iter().any(same) {
                findings.push(finding);
            }
        }
        let followed = self.judge.followed.iter().map(|f| f.property);
        let others = self.judge.at_ends.iter().chain(&self.judge.costs.bounds).copied();
        let mut judged: Vec<usize> = followed.chain(others).collect();
        judged.sort_unstable();
        let mut verdicts: Vec<(usize, Verdict)> = Vec::new();
        for property in judged {
            let about_run = about_runs.iter().find(|(p, _)| *p == property);
            verdicts
                .push((property, self.verdict(property, &findings, about_run.map(|(_, why)| why.as_str()))));
        }
        for (property, why) in &self.judge.undecided {
            let p = &program.properties[*property];
            verdicts.push((*property, Verdict::new(p, Judgement::NotChecked, *why)));
        }
        verdicts.sort_by_key(|(property, _)| *property);
        let counterexamples = findings.into_iter().map(|finding| self.counterexample(finding)).collect();
        Exploration {
            configurations: self.configurations,
            steps: self.steps,
            depth: self.depth,
            cut: self.cut,
            verdicts: verdicts.into_iter().map(|(_, verdict)| verdict).collect(),
            counterexamples,
            ends: std::mem::take(&mut self.ends).finish(),
            seen: self.all_seen(),
            bytes: self.bytes(),
            reduced: self.reduces(),
        }
    }

    /// Actions that some thread has seen taken.
    fn all_seen(&mut self) -> Vec<bool> {
        let mut seen = std::mem::take(&mut self.seen);
        for worker in &self.workers {
            seen.iter_mut().zip(worker.seen()).for_each(|(all, own)| *all |= *own);
        }
        seen
    }

    fn verdict(&self, property: usize, findings: &[Finding], about_runs: Option<&str>) -> Verdict {
        let p = &self.space.instance.program.properties[property];
        if let Some(finding) = findings.iter().find(|f| f.wrong == Wrong::Property(property)) {
            let verdict = Verdict::new(p, Judgement::Violated, finding.why.clone());
            return Verdict { span: finding.span.unwrap_or(p.span), ..verdict };
        }
        if let Some((_, why)) = self.failed.iter().find(|(failed, _)| *failed == property) {
            return Verdict::new(p, Judgement::NotChecked, format!("it could not be evaluated: {why}"));
        }
        let all = self.configurations;
        match (self.cut, about_runs, p.kind) {
            // Why, is said once for all of them.
            (Some(_), ..) => Verdict::new(p, Judgement::Pending, ""),
            (None, Some(why), _) => Verdict::new(p, Judgement::Holds, why),
            (None, None, PropertyKind::Finally | PropertyKind::Bound | PropertyKind::Exactly) => {
                Verdict::new(p, Judgement::Holds, "at every end")
            }
            (None, None, _) => Verdict::new(p, Judgement::Holds, format!("in all {all} configurations")),
        }
    }

    fn counterexample(&mut self, finding: Finding) -> Counterexample {
        let (states, repeats_from, last) = match finding.way {
            Way::To(state) => (self.way_to(state), None, None),
            Way::Step(from, to) => {
                let mut way = self.way_to(from);
                way.push(to);
                (way, None, None)
            }
            Way::Abort(state, event) => (self.way_to(state), None, Some(*event)),
            Way::Run(run, repeats_from) => {
                let mut way = run.first().map_or(Vec::new(), |first| self.way_to(*first));
                let before = way.len().saturating_sub(1);
                way.extend(run.into_iter().skip(1));
                (way, repeats_from.map(|position| position + before), None)
            }
        };
        let keys: Vec<Vec<u32>> = states.iter().map(|state| key_of(&self.shards, *state)).collect();
        let first = states.first().copied().unwrap_or_default();
        let start = self.initial.iter().find(|(state, _)| *state == first).map_or(0, |(_, number)| *number);
        let instance = self.space.instance;
        let found = path::events(instance, &mut self.workers[0], &self.started, start, &keys, last);
        let events = found.unwrap_or_else(|| unreachable!("every configuration was reached by steps"));
        let starts = self.started[start].events.len();
        // From the n-th configuration on means: from the n-th event after the starts on.
        Counterexample { what: finding.wrong, events, repeats_from: repeats_from.map(|p| p + starts) }
    }

    /// The configurations from an initial one to this.
    fn way_to(&self, state: u32) -> Vec<u32> {
        let count = self.shards.len();
        let mut way = vec![state];
        let mut at = state;
        loop {
            let parent = self.shards[at as usize % count].parents[at as usize / count];
            if parent == at {
                break;
            }
            way.push(parent);
            at = parent;
        }
        way.reverse();
        way
    }

    /// The numbers of all configurations, ascending.
    pub fn all_states(&self) -> Vec<u32> {
        let count = self.shards.len() as u32;
        let of = |(number, shard): (u32, &Shard)| (0..shard.len() as u32).map(move |i| i * count + number);
        let mut all: Vec<u32> = (0u32..).zip(&self.shards).flat_map(of).collect();
        all.sort_unstable();
        all
    }

    /// Weak fairness tells orders of independent steps apart: with properties about what must happen all are looked at.
    fn reduces(&self) -> bool {
        self.options.reduce && self.space.is_local() && !self.judge.is_live()
    }

    fn bytes(&self) -> usize {
        let kept: usize = self.shards.iter().map(Shard::bytes).sum();
        kept + self.space.bytes() + self.graph.as_ref().map_or(0, Graph::bytes) + self.truth.capacity() * 4
    }
}

fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// One thread's share of a chunk.
fn expand_part(
    worker: &mut Worker<'_>,
    judge: &Judge<'_>,
    shards: &[Shard],
    options: &Options,
    reduce: bool,
    part: &[(u32, u32)],
) -> Batch {
    let mut batch = Batch::default();
    let (mut key, mut bytes) = (Vec::new(), Vec::new());
    for (state, depth) in part {
        if options.max_depth.is_some_and(|max| *depth >= max) {
            continue;
        }
        shards[*state as usize % shards.len()].key(*state / shards.len() as u32, &mut key);
        let Batch { successors, findings, .. } = &mut batch;
        let mut went_wrong = |event: Event, abort: Box<Abort>| {
            let wrong = Wrong::Aborted(abort.message.clone());
            let (way, why) = (Way::Abort(*state, Box::new(event)), abort.message.clone());
            findings.push(Finding { wrong, way, why, span: Some(abort.span) });
        };
        let mut is_new =
            |hash: u64, key: &[u32]| !shards[shard_of(hash, shards.len())].contains(hash, key, &mut bytes);
        let reduce: Option<IsNew<'_>> = if reduce { Some(&mut is_new) } else { None };
        let goes_on = worker.expand(&key, reduce, successors, &mut went_wrong);
        let after = batch.successors.candidates.len();
        batch.parents.resize(after, (*state, *depth));
        if !goes_on {
            let (configuration, seen) = worker.decode(&key);
            let outcome = batch.ends.add(judge, configuration, &seen);
            if let Outcome::Stuck(why) = outcome {
                let why: Vec<String> = why.into_iter().map(|stuck| stuck.why).collect();
                let why = why.join("; ");
                let wrong = Wrong::Stuck(why.clone());
                batch.findings.push(Finding { wrong, way: Way::To(*state), why, span: None });
            }
            for property in &judge.at_ends {
                if let Some(blame) = judge.violation(*property, configuration, &seen) {
                    note(&mut batch.findings, &mut batch.failed, *property, *state, blame);
                }
            }
        }
    }
    batch
}

/// A property found violated, or one that cannot be evaluated.
fn note(
    findings: &mut Vec<Finding>,
    failed: &mut Vec<(usize, String)>,
    property: usize,
    state: u32,
    blame: Eval<Blame>,
) {
    match blame {
        Ok(blame) => {
            findings.push(Finding {
                wrong: Wrong::Property(property),
                way: Way::To(state),
                why: blame.text(),
                span: Some(blame.span),
            });
        }
        Err(abort) => failed.push((property, abort.message)),
    }
}

fn key_of(shards: &[Shard], state: u32) -> Vec<u32> {
    let mut key = Vec::new();
    shards[state as usize % shards.len()].key(state / shards.len() as u32, &mut key);
    key
}

/// The middle of the hash: its ends find the slot.
#[inline]
fn shard_of(hash: u64, shards: usize) -> usize {
    if shards == 1 { 0 } else { ((hash >> 24) & 0xffff) as usize % shards }
}

/// A process cannot even start.
fn aborted_start(
    instance: &Instance,
    properties: Option<&[String]>,
    events: Vec<Event>,
    abort: &Abort,
) -> Exploration {
    let program = &instance.program;
    let wanted = program.properties.iter().filter(|p| properties.is_none_or(|names| names.contains(&p.name)));
    Exploration {
        configurations: 0,
        steps: 0,
        depth: 0,
        cut: Some(Cut::Found),
        verdicts: wanted.map(|p| Verdict::new(p, Judgement::NotChecked, "a process cannot start")).collect(),
        counterexamples: vec![Counterexample {
            what: Wrong::Aborted(abort.message.clone()),
            events,
            repeats_from: None,
        }],
        ends: Vec::new(),
        seen: vec![false; program.actions.len()],
        bytes: 0,
        reduced: false,
    }
}
