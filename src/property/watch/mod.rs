//! Monitor of a run: checks the properties after each step.

mod combinations;
mod noted_premises;
mod prospect;
mod verdicts;

use combinations::{CheckResult, MonitorUpdate, check_as_a_whole, check_incrementally};
pub use combinations::{combinations, explain_missing_goal, explain_stable_violation, violation};
use noted_premises::NotedPremises;
pub use prospect::Prospect;
pub use verdicts::bound_violation;

use super::crashed_command::CrashedCommand;
use super::incremental::{IncrementalCounts, Prepared};
use super::monitor_state::MonitorState;
use super::reads::Reads;
use super::truths::truths;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Program, Property, PropertyKind, Value};
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Cause, Effects, Event};
use crate::semantics::{Configuration, History, Metrics};
use std::collections::BTreeSet;

/// Budget for checking one property during a run, in visited elements: one or two seconds. When it is used up, the property is
/// checked only at the end, and the verdict says so. Incremental checking of a process at a time hardly uses it.
const BUDGET: u64 = 20_000_000;

/// The budget on networks of at most [`SMALL_NETWORK_PROCESSES_MAX`] processes, for which longer waiting is acceptable.
const BUDGET_SMALL_NETWORK: u64 = 100_000_000;
const SMALL_NETWORK_PROCESSES_MAX: u32 = 1000;

/// Longer histories are checked at the end only: orders compare events pairwise.
const HISTORY_CHECKED_PER_STEP_MAX: usize = 64;

/// Vector clocks take n words a message: with more processes, orders are not checked.
const ORDER_PROCESSES_MAX: u32 = 512;

/// End of a run, as far as properties depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Terminated, quiescent or stuck: no step is enabled.
    Finished,
    /// Cut off by a limit or by the user.
    CutOff,
    /// Stopped without an end, since its continuation would decide nothing more: see [`Prospect`].
    Settled,
    /// A run-time error occurred.
    Aborted,
}

/// The first violation of a property.
struct Violation {
    /// `None`: in the first configuration.
    event: Option<u64>,
    found: super::FailedConjunct,
    crashed_within: Option<CrashedCommand>,
}

struct MonitoredProperty {
    property: usize,
    reads: Reads,
    violation: Option<Violation>,
    /// For each combination of the binders. `stable`, `settles`: its truth. `eventually`: whether it has been true.
    /// `leads to`: whether a response is pending.
    marks: MonitorState,
    /// Number of events before the last change of `marks`.
    last_mark_change: u64,
    /// Number of events before the last change of a variable that the property reads.
    touched: u64,
    /// The form for incremental checking, if there is one.
    prepared: Option<Prepared>,
    /// The first failure to evaluate it. A violation found elsewhere still counts.
    failed: Option<String>,
    /// Cost charged for each evaluation of the premises: that of evaluating the whole property, in processes, pairs of processes, …
    cost: u64,
    /// The elements visited so far.
    spent: u64,
    /// Number of configurations checked when the budget ran out; the rest were not checked.
    checked_until: Option<u64>,
    /// `None`: the premises are not noted.
    premises: Option<NotedPremises>,
}

impl MonitoredProperty {
    /// Check the present configuration, after the variables of `moved` have changed; `None`: for all processes. `now`: the number of
    /// events so far; `left`: the work that may be done. Return also the work done, in elements visited.
    fn evaluate(
        &mut self,
        instance: &Instance,
        world: World<'_>,
        counts: &mut IncrementalCounts,
        moved: Option<&[ProcessId]>,
        woke: bool,
        (now, left): (u64, u64),
    ) -> (CheckResult, u64) {
        let property = &instance.program.properties[self.property];
        let mut noted = MonitorUpdate { marks: &mut self.marks, turned: &mut self.last_mark_change, now };
        let Some(prepared) = self.prepared.as_ref().filter(|prepared| !counts.failed(prepared)) else {
            return eval::with_global_frame(instance, Some(world), |env| {
                *env.budget = left;
                let result = check_as_a_whole(property, &mut noted, env);
                (result, left - *env.budget)
            });
        };
        let work = counts.work(prepared);
        let is_same = moved.is_some() && !counts.changed(prepared);
        if is_same && prepared.each.is_none() && !(woke && self.reads.wakes) {
            return ((None, None), work);
        }
        counts.with_frame(instance, world, |counts, env| {
            *env.budget = left;
            let result = check_incrementally(property, prepared, counts, moved, &mut noted, env);
            (result, work + (left - *env.budget))
        })
    }

    /// End checking. `checked`: the number of configurations checked if the budget has ended.
    fn finish(&mut self, checked: Option<u64>, counts: &mut IncrementalCounts) {
        self.checked_until = checked.or(self.checked_until);
        self.prepared.iter().for_each(|prepared| counts.finish(prepared));
    }
}

/// Monitor of the properties of one run.
pub struct RunMonitor {
    items: Vec<MonitoredProperty>,
    pub history: History,
    keeps_history: bool,
    /// Number of events before the last one that added to the history.
    last_history_change: u64,
    /// Whether the properties were requested by name.
    are_named: bool,
    /// Whether verdicts name premises that never came true.
    notes_premises: bool,
    tallies: IncrementalCounts,
    /// Last values of the watched slots, process after process.
    seen: (Vec<i64>, Vec<Value>),
    /// The watched slots, by role; all roles have as many places in `seen` as the largest.
    watched: Vec<(Vec<u16>, Vec<u16>)>,
    /// For each of these slots, the properties that read it: see [`reader`].
    readers: Vec<(Vec<u64>, Vec<u64>)>,
    places: (usize, usize),
    events: u64,
    /// False until all processes have started: their variables are not yet defined, and nothing is checked.
    begun: bool,
    /// Configurations checked, or skipped since nothing relevant changed.
    configurations: u64,
    /// Changes by the events of the current joint step so far: processes whose watched variables changed, properties
    /// that read these, and whether a process woke up or the history grew.
    moved: Vec<ProcessId>,
    touched: u64,
    pending: [bool; 2],
    /// The command within which a process crashed since the last configuration that was checked.
    crashed_within: Option<CrashedCommand>,
}

impl RunMonitor {
    /// Monitor the named properties; `None`: all.
    pub fn new(instance: &Instance, names: Option<&[String]>) -> RunMonitor {
        let program = &instance.program;
        let roles = program.roles.len();
        let wanted = |p: &Property| names.is_none_or(|names| names.contains(&p.name));
        let mut tallies = IncrementalCounts::new(instance);
        let items: Vec<MonitoredProperty> = program
            .properties
            .iter()
            .enumerate()
            .filter(|(_, p)| wanted(p))
            .map(|(property, p)| {
                let reads = Reads::of_property(p, program);
                let prepared =
                    if is_checked_during_run(p.kind) { tallies.prepare(p, instance) } else { None };
                let parts = [Some(&p.body), p.consequent.as_ref()].into_iter().flatten();
                let binders = parts.map(|e| e.nesting(&p.binders)).max().unwrap_or(0).max(1);
                let cost = u64::from(instance.n()).saturating_pow(binders);
                let marks = MonitorState::new(&p.binders);
                MonitoredProperty {
                    property,
                    reads,
                    violation: None,
                    marks,
                    last_mark_change: 0,
                    touched: 0,
                    prepared,
                    failed: None,
                    cost,
                    spent: 0,
                    checked_until: None,
                    premises: None,
                }
            })
            .collect();
        let mut watched: Vec<BTreeSet<(bool, u16)>> = vec![BTreeSet::new(); roles];
        for item in &items {
            let kind = program.properties[item.property].kind;
            if is_checked_during_run(kind) {
                for (all, own) in watched.iter_mut().zip(&item.reads.slots) {
                    all.extend(own);
                }
            }
        }
        let watched: Vec<(Vec<u16>, Vec<u16>)> = watched
            .into_iter()
            .map(|set| {
                let of = |word| set.iter().filter(move |slot| slot.0 == word).map(|slot| slot.1).collect();
                (of(true), of(false))
            })
            .collect();
        let readers = (watched.iter().enumerate())
            .map(|(role, slots)| {
                let of = |word, slots: &[u16]| {
                    slots.iter().map(|slot| readers_of(&items, role, (word, *slot))).collect()
                };
                (of(true, &slots.0), of(false, &slots.1))
            })
            .collect();
        let places = (
            watched.iter().map(|slots| slots.0.len()).max().unwrap_or(0),
            watched.iter().map(|slots| slots.1.len()).max().unwrap_or(0),
        );
        let keeps_history = items.iter().any(|i| needs_history(&program.properties[i.property], program))
            && instance.n() <= ORDER_PROCESSES_MAX;
        RunMonitor {
            items,
            history: History::new(if keeps_history { instance.n() } else { 0 }),
            keeps_history,
            last_history_change: 0,
            are_named: names.is_some(),
            notes_premises: false,
            tallies,
            seen: (Vec::new(), Vec::new()),
            watched,
            readers,
            places,
            events: 0,
            begun: false,
            configurations: 0,
            moved: Vec::new(),
            touched: 0,
            pending: [false; 2],
            crashed_within: None,
        }
    }

    /// Also note the premises that come true, so that verdicts at the end of a run name the others.
    pub fn noting_premises(mut self) -> Self {
        self.notes_premises = true;
        self
    }

    /// Start with the given configuration. Checking begins when all processes have started.
    pub fn begin(&mut self, instance: &Instance, configuration: &Configuration, metrics: &Metrics) {
        if configuration.next_to_start().is_some() {
            return;
        }
        self.begun = true;
        self.configurations = 1;
        for item in &mut self.items {
            item.violation = None;
            item.failed = None;
            item.marks.clear();
            (item.last_mark_change, item.touched) = (self.events, self.events);
            (item.spent, item.checked_until) = (0, None);
            let property = &instance.program.properties[item.property];
            item.premises = self.notes_premises.then(|| NotedPremises::of(property, instance));
        }
        let n = instance.n() as usize;
        self.seen = (vec![0; n * self.places.0], vec![Value::None; n * self.places.1]);
        for p in instance.processes() {
            self.record_process(instance, p, configuration);
        }
        self.check(instance, None, (&[], u64::MAX), true, configuration, metrics);
    }

    /// Record a step.
    pub fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) {
        if self.keeps_history {
            let before = self.history.entries().len();
            self.history.record(event, effects);
            if self.history.entries().len() > before {
                self.last_history_change = self.events;
            }
        }
        let index = self.events;
        self.events += 1;
        self.crashed_within = CrashedCommand::of(event, effects, &instance.program).or(self.crashed_within);
        if !self.begun {
            self.begin(instance, configuration, metrics);
            return;
        }
        let [woke, observed] = &mut self.pending;
        *woke |= event.cause == Cause::Wakeup;
        *observed |= !effects.observations.is_empty();
        for process in [Some(event.process), effects.responder].into_iter().flatten() {
            let touched = self.record_process(instance, process, configuration);
            if touched != 0 {
                self.moved.push(process);
                self.touched |= touched;
            }
        }
        if configuration.in_joint_step() {
            return;
        }
        let [woke, observed] = std::mem::take(&mut self.pending);
        let mut moved = std::mem::take(&mut self.moved);
        let touched = std::mem::take(&mut self.touched);
        self.configurations += 1;
        self.check(instance, Some((index, observed)), (&moved, touched), woke, configuration, metrics);
        moved.clear();
        self.moved = moved;
    }

    /// Record the watched slots of a process; return the properties that read those that changed: see [`reader`].
    fn record_process(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        configuration: &Configuration,
    ) -> u64 {
        let (words, values) = (configuration.words(process), configuration.values(process));
        let role = instance.role_of(process);
        let (watched_words, watched_values) = &self.watched[role];
        let (readers_of_words, readers_of_values) = &self.readers[role];
        let mut touched = 0;
        let seen = &mut self.seen.0[process.index() * self.places.0..][..self.places.0];
        for ((seen, slot), readers) in seen.iter_mut().zip(watched_words).zip(readers_of_words) {
            if *seen != words[*slot as usize] {
                touched |= readers;
                *seen = words[*slot as usize];
            }
        }
        let seen = &mut self.seen.1[process.index() * self.places.1..][..self.places.1];
        for ((seen, slot), readers) in seen.iter_mut().zip(watched_values).zip(readers_of_values) {
            if *seen != values[*slot as usize] {
                touched |= readers;
                *seen = values[*slot as usize].clone();
            }
        }
        touched
    }

    /// Check a configuration: the first, or the one after an event that changed the variables of `moved`, read by
    /// `touched`.
    fn check(
        &mut self,
        instance: &Instance,
        event: Option<(u64, bool)>,
        (moved, touched): (&[ProcessId], u64),
        woke: bool,
        configuration: &Configuration,
        metrics: &Metrics,
    ) {
        let now = self.events;
        let observed = event.is_none_or(|(_, observed)| observed);
        let changed = event.is_none() || !moved.is_empty();
        let world = World { configuration, metrics, history: &self.history };
        let program = &instance.program;
        let n = instance.n();
        let budget = if n > SMALL_NETWORK_PROCESSES_MAX { BUDGET } else { BUDGET_SMALL_NETWORK };
        if changed {
            self.tallies.with_frame(instance, world, |tallies, env| match event {
                None => tallies.begin(budget, env),
                Some(_) => tallies.update(moved, env),
            });
        }
        if woke {
            self.tallies.invalidate_wakes();
        }
        for (index, item) in self.items.iter_mut().enumerate() {
            let property = &program.properties[item.property];
            if touched & reader_bit(index) != 0
                || item.reads.other
                || item.reads.depends_on_run()
                || (woke && item.reads.wakes)
            {
                item.touched = now;
            }
            if item.violation.is_some() || item.checked_until.is_some() {
                continue;
            }
            let due = match property.kind {
                PropertyKind::Order => {
                    self.keeps_history
                        && observed
                        && self.history.entries().len() <= HISTORY_CHECKED_PER_STEP_MAX
                }
                kind if is_checked_during_run(kind) => {
                    changed || item.reads.other || (woke && item.reads.wakes)
                }
                _ => false,
            };
            if !due {
                continue;
            }
            if item.prepared.as_ref().is_some_and(|prepared| self.tallies.is_exhausted(prepared)) {
                item.finish(Some(self.configurations - 1), &mut self.tallies);
                continue;
            }
            let prepared = item.prepared.as_ref().filter(|prepared| !self.tallies.failed(prepared));
            if let Some(premises) = item.premises.as_mut().filter(|_| item.touched == now) {
                let is_whole = event.is_none()
                    || woke && item.reads.wakes
                    || prepared.is_none_or(|prepared| {
                        prepared.relates_processes
                            || prepared.each.is_some() && self.tallies.changed(prepared)
                    });
                let moved = if is_whole { None } else { Some(moved) };
                premises.look(property, item.cost, moved, instance, world);
            }
            let moved = event.map(|_| moved);
            let left = (budget - item.spent).min(eval::MAX_GLOBAL_VISITS);
            let ((found, failure), work) =
                item.evaluate(instance, world, &mut self.tallies, moved, woke, (now, left));
            // This configuration was not checked, unless a violation was found before the budget ended.
            if found.is_none() && work >= left {
                item.finish(Some(self.configurations - 1), &mut self.tallies);
                continue;
            }
            item.spent = item.spent.saturating_add(work + 1);
            item.violation = found.map(|found| Violation {
                event: event.map(|(index, _)| index),
                found,
                crashed_within: self.crashed_within,
            });
            match failure {
                // The right side of `settles` may be undefined at first.
                Some(_) if property.kind == PropertyKind::Settles => item.last_mark_change = now,
                Some(abort) if item.failed.is_none() => {
                    // The property in its original form names the combination.
                    let whole = eval::with_global_frame(instance, Some(world), |env| truths(property, env));
                    let whole = whole.map_or_else(Some, |(_, failure)| failure);
                    item.failed = Some(whole.unwrap_or(abort).to_string());
                }
                _ => {}
            }
            if item.violation.is_some() || item.spent > budget {
                let checked = Some(self.configurations).filter(|_| item.spent > budget);
                item.finish(checked, &mut self.tallies);
            }
        }
        self.crashed_within = None;
    }
}

/// Return the bit of a property in a set of readers. Properties from the 64th on share the last bit, which
/// overestimates changes.
fn reader_bit(item: usize) -> u64 {
    1 << item.min(63)
}

/// Return the set of properties that read a slot of a role.
fn readers_of(items: &[MonitoredProperty], role: usize, slot: (bool, u16)) -> u64 {
    let reads =
        |item: &MonitoredProperty| item.reads.slots.get(role).is_some_and(|slots| slots.contains(&slot));
    items
        .iter()
        .enumerate()
        .filter(|(_, item)| reads(item))
        .fold(0, |all, (index, _)| all | reader_bit(index))
}

/// Whether a kind of property is checked in the configurations along a run.
pub fn is_checked_during_run(kind: PropertyKind) -> bool {
    matches!(
        kind,
        PropertyKind::Invariant
            | PropertyKind::Stable
            | PropertyKind::Eventually
            | PropertyKind::Settles
            | PropertyKind::LeadsTo
    )
}

/// Whether the property depends on the history of calls, returns and upcalls.
pub fn needs_history(property: &Property, program: &Program) -> bool {
    property.kind == PropertyKind::Order || Reads::of(&property.body, program).history
}
