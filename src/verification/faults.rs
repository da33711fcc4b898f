//! Minimization of faults: search for counterexamples with fewer faults, as long as there is one.

use super::side_search::{SideSearch, thorough_limit};
use super::{Found, conjunct};
use crate::explore::{Counterexample, Progress, Shortened, StopReason, ViolationKind, shorten};
use crate::instance::{Instance, Settings};
use crate::ir::{Budget, Fault};
use crate::network::IdsSpec;
use crate::prose;
use crate::semantics::{Configuration, Machine};
use crate::setup::{Ids, InstanceOptions, instantiate};
use std::fmt;

/// The faults in a counterexample, and whether all of them are needed.
#[derive(Clone, Debug)]
pub struct Faults {
    pub used: Budget,
    /// Whether all runs were explored that have fewer faults of one of these kinds and no more of the others.
    pub needed: bool,
    /// The end of a search for runs with fewer faults that was incomplete.
    pub stopped: Option<StopReason>,
    /// Whether the budget allows faults of other kinds, which do not contribute.
    pub others: bool,
    /// Whether the violation is a deadlock and uses a restart. A run with fewer restarts leaves one in the budget, so its crashed processes
    /// may still restart; such runs were checked under this assumption.
    pub may_come_back: bool,
    /// Reason for the violation, if the run is not the one found first.
    pub why: Option<String>,
}

/// Search for counterexamples that show the same with fewer faults: one fault less at a time, of the kind that leaves the shortest run.
/// Return None if the instance has no faults.
pub(super) fn minimize(
    found: &Found,
    shortened: &mut Shortened,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Option<Faults> {
    let Found { exploration, instance, options, search, .. } = *found;
    let most = thorough_limit(exploration.configurations);
    let allowed = instance.active_faults()?.budget;
    let meant = conjunct(instance, &shortened.counterexample);
    let mut used = faults_in_run(instance, allowed, &shortened.counterexample);
    let mut why = None;
    // The ids are those of this instance, however they were chosen.
    let ids = match instance.program.assumptions.anonymous {
        true => Ids::Ascending,
        false => Ids::Spec(IdsSpec::Explicit(instance.network.ids().to_vec())),
    };
    let (needed, stopped) = loop {
        let mut stopped = None;
        let (mut all_seen, mut shortest) = (true, None::<(Shortened, Option<String>)>);
        for fault in Fault::ALL.into_iter().filter(|fault| used.of(*fault) > 0) {
            let mut budget = used;
            budget.spend(fault);
            let settings = Settings { faults: budget.bounds().collect(), ..options.settings.clone() };
            let options = InstanceOptions { ids: ids.clone(), settings, ..options.clone() };
            let Ok(milder) = instantiate(&instance.program, &options) else {
                all_seen = false;
                continue;
            };
            // While a restart is left, a crashed process may restart, so only a wait for a halted process is a deadlock. The same must hold
            // for runs with a smaller budget.
            let milder = milder.of_restarts(allowed.of(Fault::Restart));
            let kind = &shortened.counterexample.kind;
            let seen = SideSearch { search, kind, most }.run(&milder, watch);
            let said = seen.exploration.verdicts.first().map(|verdict| verdict.why.to_string());
            match seen.like.map(|c| shorten(instance, c)) {
                Some(fewer) if conjunct(instance, &fewer.counterexample) == meant => {
                    let events = |s: &Shortened| s.counterexample.events.len();
                    if shortest.as_ref().is_none_or(|(known, _)| events(&fewer) < events(known)) {
                        shortest = Some((fewer, said));
                    }
                }
                Some(_) => all_seen = false,
                None => {
                    stopped = stopped.or(seen.exploration.stopped_by);
                    all_seen &= seen.exploration.stopped_by.is_none();
                }
            }
        }
        let Some((fewer, said)) = shortest else { break (all_seen, stopped) };
        *shortened = fewer;
        used = faults_in_run(instance, allowed, &shortened.counterexample);
        why = said;
    };
    let others = Fault::ALL.into_iter().any(|fault| allowed.of(fault) > 0 && used.of(fault) == 0);
    let is_stuck =
        matches!(shortened.counterexample.kind, ViolationKind::Stuck(_) | ViolationKind::Blocked(_));
    let may_come_back = is_stuck && used.of(Fault::Restart) > 0;
    Some(Faults { used, needed, stopped, others, may_come_back, why })
}

/// Return the faults in a run of an instance with the fault budget `allowed`.
pub fn faults_in_run(instance: &Instance, allowed: Budget, counterexample: &Counterexample) -> Budget {
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    for event in &counterexample.events {
        if machine.replay(instance, &mut configuration, event).is_err() {
            break;
        }
    }
    let left = configuration.environment().faults.as_ref().map_or(allowed, |faults| faults.remaining);
    let mut used = Budget::default();
    for fault in Fault::ALL {
        used.set(fault, allowed.of(fault).saturating_sub(left.of(fault)));
    }
    used
}

/// Return the faults in words: `1 crash and 2 losses`.
pub fn named(used: Budget) -> String {
    let some = Fault::ALL.into_iter().filter(|fault| used.of(*fault) > 0);
    let each = some.map(|fault| format!("{} {}", used.of(fault), plural(fault, used.of(fault))));
    prose::and(&each.collect::<Vec<_>>())
}

impl Faults {
    /// Return the faults of a run for which no smaller number was tried.
    pub fn not_minimized(used: Budget) -> Faults {
        Faults { used, needed: false, stopped: None, others: false, may_come_back: false, why: None }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |fault: &Fault| self.used.of(*fault);
        let some: Vec<Fault> = Fault::ALL.into_iter().filter(|fault| of(fault) > 0).collect();
        let all = named(self.used);
        let alone = if self.others { ", unless other faults occur" } else { "" };
        match (some.as_slice(), self.needed) {
            ([], _) => f.write_str("requires no fault"),
            (_, false) => {
                write!(f, "happens with {all}; whether fewer suffice is not known")?;
                self.stopped.map_or(Ok(()), |reason| write!(f, " (search incomplete: {})", reason.as_str()))
            }
            ([fault], true) if of(fault) == 1 => {
                write!(f, "requires {all}: no violation without it{alone}")
            }
            ([fault], true) => write!(f, "requires {all}: {} does not suffice{alone}", of(fault) - 1),
            (_, true) => {
                let back = if self.may_come_back { ", as long as crashed processes can restart" } else { "" };
                write!(
                    f,
                    "requires {all}: no violation with fewer of one kind and no more of the others{back}"
                )
            }
        }
    }
}

fn plural(fault: Fault, count: u32) -> String {
    match (fault, count) {
        (Fault::Link, 1) => "link failure".into(),
        (_, 1) => fault.as_str().into(),
        (Fault::Crash, _) => "crashes".into(),
        (Fault::Loss, _) => "losses".into(),
        (Fault::Link, _) => "link failures".into(),
        _ => format!("{}s", fault.as_str()),
    }
}
