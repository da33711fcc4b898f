//! Properties of single configurations: their list, the steps that may change them, and their values.

pub mod history;
mod relevant_counts;
pub mod additive_bound;
pub mod needs;
pub mod auxiliary;
pub mod costs;
pub mod ends;
pub mod observed;
pub mod verdict_cache;

use crate::explore::ExploreOptions;
use crate::explore::monitor::additive_bound::AdditiveBound;
use crate::explore::monitor::auxiliary::AuxiliaryStates;
use crate::explore::monitor::costs::Costs;
use crate::explore::monitor::history::RelevantHistory;
use crate::explore::monitor::needs::{needs, needs_history, reads};
use crate::explore::monitor::relevant_counts::RelevantCounts;
use crate::explore::store::components::Local;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Expr, Pattern, Property, PropertyKind, Slot, Type};
use crate::property::{
    Cost, FailedConjunct, Premises, Reads, Sides, bound_violation, combinations, explain_missing_goal,
    explain_stable_violation, is_checked_during_run, is_constant_upper_limit, names, truths, violation,
};
use crate::semantics::eval::{self, World};
use crate::semantics::{Abort, Configuration, Eval, History, Metrics};
use std::ops::Range;

/// The properties that an exploration checks.
#[derive(Debug)]
pub struct Monitor<'i> {
    pub instance: &'i Instance,
    /// Checked in every configuration: invariants first, then properties whose truth is followed along runs.
    pub followed: Vec<Followed>,
    /// Checked at ends, by index into `Program::properties`.
    pub at_ends: Vec<usize>,
    pub costs: Costs<'i>,
    /// Whether it is forgotten which processes have woken up spontaneously, where this no longer matters.
    pub forgets_wakeups: bool,
    /// By role: slots that some followed property reads, with the bits of those properties.
    slots: Vec<Vec<(Slot, u64)>>,
    wakes: u64,
    /// Properties that read counts or history.
    ghostly: u64,
    /// The properties among them that read nothing but the relevant history, which is checked as it grows.
    orders: u64,
    /// Properties that read more than the variables of processes.
    beyond: u64,
    pub auxiliary: AuxiliaryStates<'i>,
    /// By property.
    premises: Vec<Premises>,
}

/// Greatest absolute value of an expression that is added to counts in a bound.
const LARGEST_TERM: u64 = 1 << 56;

/// Auxiliary data that properties read besides the configuration.
pub type AuxiliaryData = (Metrics, History);

/// A property that is checked during runs.
#[derive(Debug)]
pub struct Followed {
    pub property: usize,
    /// Bit in masks of what a step may change; the properties from the 64th on share one.
    pub bit: u64,
    /// Indices in the truth vector; empty for invariants.
    pub truth: Range<usize>,
    /// For `eventually` and `settles`, a further index: whether the property cannot be evaluated there. Then it counts as true,
    /// so that a violating run is one in which it can be evaluated.
    pub undefined: Option<usize>,
}

impl<'i> Monitor<'i> {
    /// Return the monitor of the named properties; `None`: all. `configuration`: an initial one, to count the elements of binders.
    pub fn new(
        instance: &'i Instance,
        names: Option<&[String]>,
        options: &ExploreOptions,
        configuration: &Configuration,
    ) -> Monitor<'i> {
        let program = &instance.program;
        let roles = program.roles.len();
        let wanted = |p: &Property| names.is_none_or(|names| names.contains(&p.name));
        let wanted: Vec<usize> =
            (0..program.properties.len()).filter(|p| wanted(&program.properties[*p])).collect();
        let empty = Metrics::new(program.kinds.len(), program.operations.len());
        let needs = needs(instance, &wanted);
        let of_history =
            wanted.iter().map(|p| &program.properties[*p]).filter(|p| needs_history(instance, p));
        let relevant = match needs.history && options.relevant_history {
            true => RelevantHistory::of(instance, of_history, configuration),
            false => None,
        };
        let relevant_counts = match options.relevant_counts {
            true => RelevantCounts::of(instance, wanted.iter().map(|p| &program.properties[*p])),
            false => None,
        };
        let mut monitor = Monitor {
            instance,
            followed: Vec::new(),
            at_ends: Vec::new(),
            costs: Costs::new(instance, &wanted),
            forgets_wakeups: false,
            slots: vec![Vec::new(); roles],
            wakes: 0,
            ghostly: 0,
            orders: 0,
            beyond: 0,
            auxiliary: AuxiliaryStates::new(
                needs,
                relevant,
                relevant_counts,
                instance.n() as usize,
                instance.model.has_synchronizer,
                empty,
            ),
            premises: program.properties.iter().map(|p| Premises::of(p, instance)).collect(),
        };
        let mut places = 0;
        for property in wanted {
            let p = &program.properties[property];
            if monitor.costs.bounds.contains(&property) {
                continue;
            }
            let reads = reads(p, instance);
            let ghostly = reads.depends_on_run() || p.bound.is_some();
            let stays_exceeded =
                p.bound.as_ref().is_some_and(|bound| is_constant_upper_limit(bound, program));
            if stays_exceeded {
                // Its value is known at ends; that it exceeds the limit, earlier.
                monitor.at_ends.push(property);
            }
            if is_checked_during_run(p.kind) || p.kind == PropertyKind::Order || stays_exceeded {
                let bit = 1 << monitor.followed.len().min(63);
                let combinations = match p.kind {
                    PropertyKind::Invariant | PropertyKind::Order | PropertyKind::Bound => 0,
                    // If the binders cannot be evaluated, neither can the property; checking it reports the failure.
                    kind => {
                        truth_values_per_combination(kind)
                            * monitor.combinations(p, configuration).unwrap_or(1)
                    }
                };
                let truth = places..places + combinations;
                places += combinations;
                let may_be_unclear = matches!(p.kind, PropertyKind::Eventually | PropertyKind::Settles);
                let unclear = (combinations > 0 && may_be_unclear).then_some(places);
                places += usize::from(unclear.is_some());
                monitor.followed.push(Followed { property, bit, truth, undefined: unclear });
                monitor.watch(&reads, bit);
                if ghostly {
                    monitor.ghostly |= bit;
                }
                // The last bit is shared.
                if reads.history && monitor.auxiliary.keeps_relevant_history() && bit != 1 << 63 {
                    monitor.orders |= bit;
                }
                if ghostly || reads.other {
                    monitor.beyond |= bit;
                }
            } else {
                monitor.at_ends.push(property);
            }
        }
        monitor
    }

    fn watch(&mut self, reads: &Reads, bit: u64) {
        for (own, slots) in self.slots.iter_mut().zip(&reads.slots) {
            for (word, at) in slots {
                let slot = if *word { Slot::Word(*at) } else { Slot::Value(*at) };
                match own.iter_mut().find(|(s, _)| *s == slot) {
                    Some((_, bits)) => *bits |= bit,
                    None => own.push((slot, bit)),
                }
            }
        }
        if reads.wakes {
            self.wakes |= bit;
        }
    }

    /// Return the properties that a step of this process may have changed.
    pub fn changed_properties(&self, process: ProcessId, before: &Local, after: &Configuration) -> u64 {
        let (words, values) = (after.words(process), after.values(process));
        let slots = &self.slots[self.instance.role_of(process)];
        let changed = slots.iter().filter(|(slot, _)| match slot {
            Slot::Word(s) => before.words[*s as usize] != words[*s as usize],
            Slot::Value(s) => before.values[*s as usize] != values[*s as usize],
        });
        let woke = before.wake_state != after.wake_state(process);
        changed.fold(if woke { self.wakes } else { 0 }, |bits, (_, bit)| bits | bit)
    }

    /// Return all followed properties.
    pub fn all(&self) -> u64 {
        self.followed.iter().fold(0, |bits, f| bits | f.bit)
    }

    /// Return the properties that a step may change by more than variables of processes and relevant events.
    pub fn beyond(&self) -> u64 {
        self.beyond & !self.orders
    }

    /// Return whether these properties, and those followed along runs, read only variables of processes.
    pub fn reads_variables_only(&self, touched: u64) -> bool {
        (touched | self.with_truth()) & self.beyond == 0
    }

    /// Return the slots of a process of this role that properties read.
    pub fn slots_read(&self, role: usize) -> impl Iterator<Item = Slot> + '_ {
        self.slots[role].iter().map(|(slot, _)| *slot)
    }

    /// Return whether a property reads spontaneous wakeups.
    pub fn reads_wakes(&self) -> bool {
        self.wakes != 0
    }

    /// Return the length of the truth vector.
    pub fn places(&self) -> usize {
        self.followed.last().map_or(0, |f| f.undefined.map_or(f.truth.end, |unclear| unclear + 1))
    }

    /// Return whether rounds are counted along runs.
    pub fn counts_rounds(&self) -> bool {
        self.auxiliary.needs.rounds || self.costs.counts_rounds()
    }

    /// Return the checked properties, as indices into `Program::properties`.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let at_ends = self.at_ends.iter().filter(|property| !self.is_followed(**property));
        let others = at_ends.chain(&self.costs.bounds).copied();
        self.followed.iter().map(|f| f.property).chain(others)
    }

    /// Return whether the property is checked during runs, and not only at ends.
    pub fn is_followed(&self, property: usize) -> bool {
        self.followed.iter().any(|followed| followed.property == property)
    }

    pub fn properties(&self) -> Vec<&Property> {
        self.indices().map(|p| &self.instance.program.properties[p]).collect()
    }

    /// Return the measured cost of a bound at this end. `None`: the bound is no comparison of a measure with a number, does not
    /// apply to this end, or limits each operation separately; or the counts are reduced.
    pub fn measured(
        &self,
        property: usize,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> Option<i64> {
        let property = &self.instance.program.properties[property];
        let is_about_cost = matches!(property.kind, PropertyKind::Bound | PropertyKind::Exactly);
        if !is_about_cost || self.auxiliary.keeps_relevant_counts_only() {
            return None;
        }
        let world = world(configuration, seen);
        let cost = eval::with_global_frame(self.instance, Some(world), |env| Cost::of(property, env));
        let cost = cost.ok().flatten().filter(|cost| cost.operations.is_none())?;
        i64::try_from(cost.measured).ok()
    }

    /// Return whether some liveness property applies to each of several processes separately.
    pub fn is_live_for_each(&self) -> bool {
        let live = |p: &&Property| is_live(p.kind);
        self.properties().iter().filter(|p| live(p)).any(|p| !p.binders.is_empty())
    }

    /// Return whether some property concerns whole runs, so that the graph of configurations is needed.
    pub fn needs_graph(&self) -> bool {
        !self.costs.bounds.is_empty() || self.is_live()
    }

    /// Return whether there is a liveness property.
    pub fn is_live(&self) -> bool {
        let kind = |f: &Followed| self.instance.program.properties[f.property].kind;
        self.followed.iter().any(|f| is_live(kind(f)))
    }

    /// Return the bits of the properties whose truth is followed along runs.
    pub fn with_truth(&self) -> u64 {
        self.followed.iter().filter(|f| !f.truth.is_empty()).fold(0, |bits, f| bits | f.bit)
    }

    /// Return the invariants among `touched` that do not hold here, except those known to be violated.
    ///
    /// # Errors
    /// When a property cannot be evaluated.
    pub fn violated(
        &self,
        configuration: &Configuration,
        seen: &AuxiliaryData,
        touched: u64,
        known: &[bool],
    ) -> Vec<(usize, Eval<FailedConjunct>)> {
        let program = &self.instance.program;
        let invariants = self.followed.iter().filter(|f| {
            let kind = program.properties[f.property].kind;
            touched & f.bit != 0
                && !known[f.property]
                && matches!(kind, PropertyKind::Invariant | PropertyKind::Order | PropertyKind::Bound)
        });
        let judged = |f: &Followed| Some((f.property, self.violation(f.property, configuration, seen)?));
        invariants.filter_map(judged).collect()
    }

    /// Return why a property is false here; `None`: it is true.
    pub fn violation(
        &self,
        property: usize,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> Option<Eval<FailedConjunct>> {
        let premises = &self.premises[property];
        let property = &self.instance.program.properties[property];
        let world = world(configuration, seen);
        eval::with_global_frame(self.instance, Some(world), |env| match &property.bound {
            Some(_) => Ok(bound_violation(property, env)?.map(|what| FailedConjunct {
                span: property.span,
                bindings: Vec::new(),
                what,
            })),
            None => {
                premises.look(property, None, env);
                violation(property, env)
            }
        })
        .transpose()
    }

    /// Return the premises of a property that no checked configuration made true. Those of an order are known only if an event that they
    /// need never occurred: the history lacks events that cannot matter any more.
    pub fn premises_never_true(&self, property: usize) -> Vec<String> {
        let premises = &self.premises[property];
        match self.property(property).kind {
            PropertyKind::Order => premises.without_events(&|what, of| self.auxiliary.has_occurred(what, of)),
            _ => premises.unmet(),
        }
    }

    fn property(&self, property: usize) -> &'i Property {
        &self.instance.program.properties[property]
    }

    /// Evaluate something in a configuration; `None` if that fails.
    fn there<T>(
        &self,
        configuration: &Configuration,
        seen: &AuxiliaryData,
        look: impl FnOnce(&mut eval::Env<'_>) -> Eval<T>,
    ) -> Option<T> {
        eval::with_global_frame(self.instance, Some(world(configuration, seen)), look).ok()
    }

    /// Return why one combination of binders (by number) of a `stable` property is false here, after it was true.
    pub fn lost(
        &self,
        property: usize,
        combination: usize,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> Option<FailedConjunct> {
        self.there(configuration, seen, |env| {
            explain_stable_violation(self.property(property), combination, env)
        })
        .flatten()
    }

    /// Return why one combination of the binders of a property, by number, is false here.
    pub fn missing(
        &self,
        property: usize,
        combination: usize,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> Option<FailedConjunct> {
        self.there(configuration, seen, |env| explain_missing_goal(self.property(property), combination, env))
            .flatten()
    }

    /// Return why some combination that was true in the configuration `before` is false now.
    pub fn lost_since(
        &self,
        property: usize,
        before: &Configuration,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> Option<FailedConjunct> {
        let of = |configuration| {
            self.there(configuration, seen, |env| truths(self.property(property), env)).map(|(all, _)| all)
        };
        let (before, now) = (of(before)?, of(configuration)?);
        let is = |sides: &Sides, wanted: bool| sides.right == Some(wanted);
        let which = before.iter().zip(&now).position(|(before, now)| is(before, true) && is(now, false))?;
        self.lost(property, which, configuration, seen)
    }

    /// Return the truth of everything followed along runs: see [`places_of`]. Also return the indices in `followed` of
    /// properties that cannot be evaluated here for some combination of their binders, and why: that combination violates
    /// nothing here.
    pub fn truth(
        &self,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> (Vec<bool>, Vec<(usize, Box<Abort>)>) {
        let mut truth = Vec::with_capacity(self.places());
        let mut failed = Vec::new();
        for (number, f) in self.followed.iter().enumerate().filter(|(_, f)| !f.truth.is_empty()) {
            let property = &self.instance.program.properties[f.property];
            let world = world(configuration, seen);
            let own = eval::with_global_frame(self.instance, Some(world), |env| {
                self.premises[f.property].look(property, None, env);
                truths(property, env)
            });
            let (own, failure) = own.unwrap_or_else(|abort| (Vec::new(), Some(abort)));
            let combinations = f.truth.len() / truth_values_per_combination(property.kind);
            for sides in own.into_iter().chain(std::iter::repeat(Sides::default())).take(combinations) {
                match property.kind {
                    PropertyKind::Stable => {
                        truth.extend([true, false].map(|wanted| sides.right == Some(wanted)));
                    }
                    PropertyKind::LeadsTo => {
                        truth.extend([sides.left == Some(true), sides.right != Some(false)]);
                    }
                    _ => truth.push(sides.right != Some(false)),
                }
            }
            truth.extend(f.undefined.map(|_| failure.is_some()));
            failed.extend(failure.map(|abort| (number, abort)));
        }
        (truth, failed)
    }

    /// Return the number of combinations of the binders of a property.
    fn combinations(&self, property: &Property, configuration: &Configuration) -> Eval<usize> {
        let mut number = 0;
        let seen = self.seen(0);
        eval::with_global_frame(self.instance, Some(world(configuration, &seen)), |env| {
            combinations(&property.binders, env, &mut |_| {
                number += 1;
                Ok(())
            })
        })?;
        Ok(number)
    }

    /// Return the processes that the binders of a property take, by combination. `None`: some binder does not range over
    /// processes, or cannot be evaluated.
    pub fn bound(&self, property: &Property, configuration: &Configuration) -> Option<Vec<Vec<ProcessId>>> {
        let processes = property.binders.iter().map(|binder| match (&binder.pattern, &binder.set.ty) {
            (Pattern::Slot(Slot::Word(at)), Type::Set(of) | Type::List(of)) if **of == Type::Process => {
                Some(*at)
            }
            _ => None,
        });
        let processes: Option<Vec<u16>> = processes.collect();
        let processes = processes?;
        let mut all = Vec::new();
        let seen = self.seen(0);
        let gone_through = eval::with_global_frame(self.instance, Some(world(configuration, &seen)), |env| {
            combinations(&property.binders, env, &mut |env| {
                all.push(processes.iter().map(|at| ProcessId(env.words[usize::from(*at)] as u32)).collect());
                Ok(())
            })
        });
        gone_through.ok().map(|()| all)
    }

    /// Return the values of the binders, by the number of their combination, as in `for p = p0: `. Empty without binders.
    pub fn for_which(&self, property: usize, combination: usize, configuration: &Configuration) -> String {
        let property = &self.instance.program.properties[property];
        let mut all = Vec::new();
        let seen = self.seen(0);
        let named = eval::with_global_frame(self.instance, Some(world(configuration, &seen)), |env| {
            combinations(&property.binders, env, &mut |env| {
                all.push(names(&property.binders, env)?);
                Ok(())
            })
        });
        match all.into_iter().nth(combination) {
            Some(bindings) if named.is_ok() && !bindings.is_empty() => {
                FailedConjunct { span: property.span, bindings, what: String::new() }.text()
            }
            _ => String::new(),
        }
    }

    /// Return the limit of a bound. `terms`: the expressions of which it is the sum, with their factors. `is_alone`: the program adds
    /// no counts to it.
    ///
    /// # Errors
    /// When a term cannot be evaluated, or so large that counts might exceed the range of an Int on one side of the bound.
    pub fn limit(&self, terms: &[(i64, &Expr)], is_alone: bool, configuration: &Configuration) -> Eval<i64> {
        let seen = self.seen(0);
        eval::with_global_frame(self.instance, Some(world(configuration, &seen)), |env| {
            if is_alone && let [(1, e)] = terms {
                return eval::word(e, env);
            }
            let mut sum = 0i64;
            for (factor, e) in terms {
                let term = eval::word(e, env)?
                    .checked_mul(*factor)
                    .filter(|term| term.unsigned_abs() < LARGEST_TERM);
                let Some(term) = term else {
                    return Err(Abort::new(e.span, "this term is too large to be compared with counts"));
                };
                sum = sum.saturating_add(term);
            }
            Ok(sum)
        })
    }

    /// Return the limit of a bound for the runs that end in this configuration. `None`: the bound does not apply to them.
    ///
    /// # Errors
    /// If its premise or its limit cannot be evaluated.
    pub fn limit_at_end(
        &self,
        property: usize,
        bound: &AdditiveBound<'_>,
        configuration: &Configuration,
    ) -> Eval<Option<i64>> {
        if let Some(premise) = bound.premise {
            let seen = self.seen(0);
            let applies = eval::with_global_frame(self.instance, Some(world(configuration, &seen)), |env| {
                self.premises[property].look(self.property(property), None, env);
                eval::truth(premise, env)
            })?;
            if !applies {
                return Ok(None);
            }
        }
        self.limit(&bound.limit, bound.is_as_written(), configuration).map(Some)
    }

    /// Return the counts and the history with this id.
    pub fn seen(&self, ghost: u32) -> AuxiliaryData {
        self.auxiliary.seen(ghost)
    }

    /// Return the properties that read counts or history.
    pub fn reading_auxiliary(&self) -> u64 {
        self.ghostly
    }

    /// Return the properties that a step may violate because it changed counts or history. `orders_hold`: see
    /// [`auxiliary::Advance::orders_hold`].
    pub fn observing(&self, (changed, orders_hold): (bool, bool)) -> u64 {
        let others = if changed { self.ghostly & !self.orders } else { 0 };
        others | if orders_hold { 0 } else { self.orders }
    }
}

/// Return the number of truth values for one combination of the binders of such a property. `leads to` has its left and right
/// side, `stable` «is true» and «is false», since it may be neither if it cannot be evaluated.
pub fn truth_values_per_combination(kind: PropertyKind) -> usize {
    if matches!(kind, PropertyKind::LeadsTo | PropertyKind::Stable) { 2 } else { 1 }
}

/// Return whether the property is a liveness property.
pub fn is_live(kind: PropertyKind) -> bool {
    matches!(kind, PropertyKind::Eventually | PropertyKind::Settles | PropertyKind::LeadsTo)
}

pub fn world<'a>(configuration: &'a Configuration, seen: &'a AuxiliaryData) -> World<'a> {
    World { configuration, metrics: &seen.0, history: &seen.1 }
}
