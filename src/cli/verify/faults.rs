//! How many faults it takes: the same counterexample with fewer of them, as long as there is one.

use super::VerifyOptions;
use super::progress::is_over;
use crate::cli::instance::InstanceArgs;
use crate::explore::{Counterexample, Progress, Shortened, StopReason, ViolationKind, explain, shorten};
use crate::instance::Instance;
use crate::ir::{Budget, Fault, Program};
use crate::prose;
use crate::semantics::{Configuration, Machine};
use std::fmt;
use std::sync::Arc;

/// What goes wrong in a counterexample, and whether that much is needed.
#[derive(Clone, Debug)]
pub struct Faults {
    pub used: Budget,
    /// Have all runs been looked at in which one of these faults is missing, and no more of the others happen?
    pub needed: bool,
    /// Might other faults, which have no part in it, have happened as well?
    pub others: bool,
    /// Is somebody stuck who would not be, had fewer crashed and could come back? Runs with fewer faults were judged as if they could.
    pub may_come_back: bool,
    /// Why it is one, where it is another run than the one first found.
    pub why: Option<String>,
}

/// Looks for counterexamples that show the same with fewer faults, one less of one kind at a time, of whichever kind leaves the shortest run.
/// None: no fault may happen.
pub fn fewest(
    options: &VerifyOptions,
    (program, seed): (&Arc<Program>, u64),
    instance: &Instance,
    shortened: &mut Shortened,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Option<Faults> {
    let allowed = instance.hazards()?.budget;
    let conjunct = |c: &Counterexample| explain(instance, c).and_then(|explanation| explanation.span);
    let meant = conjunct(&shortened.counterexample);
    let mut used = used(instance, allowed, &shortened.counterexample);
    let mut why = None;
    let needed = loop {
        let (mut all_seen, mut shortest) = (true, None::<(Shortened, Option<String>)>);
        for fault in Fault::ALL.into_iter().filter(|fault| used.of(*fault) > 0) {
            let mut budget = used;
            budget.spend(fault);
            // Ids are those at hand, wherever they came from.
            let ids = instance.network.ids().iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            let wishes = InstanceArgs {
                faults: Some(budget.show()),
                ids: (!program.assumptions.anonymous).then_some(ids),
                ..options.instance.clone()
            };
            let Ok(milder) = wishes.instance(program, seed) else {
                all_seen = false;
                continue;
            };
            // While a restart is left, who is down may come back, and nobody waits in vain but for somebody who has halted: that is so
            // for those runs, too, in which fewer happen.
            let milder = milder.of_restarts(allowed.of(Fault::Restart));
            let (found, like) =
                options.course.aside(program, &milder, &shortened.counterexample.what, u64::MAX, watch);
            let said = found.verdicts.first().map(|verdict| verdict.why.clone());
            match like.map(|c| shorten(instance, c, Some(is_over))) {
                Some(fewer) if conjunct(&fewer.counterexample) == meant => {
                    let events = |s: &Shortened| s.counterexample.events.len();
                    if shortest.as_ref().is_none_or(|(known, _)| events(&fewer) < events(known)) {
                        shortest = Some((fewer, said));
                    }
                }
                Some(_) => all_seen = false,
                None => all_seen &= found.cut.is_none(),
            }
        }
        let Some((fewer, said)) = shortest else { break all_seen };
        *shortened = fewer;
        used = self::used(instance, allowed, &shortened.counterexample);
        why = said;
    };
    let others = Fault::ALL.into_iter().any(|fault| allowed.of(fault) > 0 && used.of(fault) == 0);
    let is_stuck =
        matches!(shortened.counterexample.what, ViolationKind::Stuck(_) | ViolationKind::Blocked(_));
    let may_come_back = is_stuck && used.of(Fault::Restart) > 0;
    Some(Faults { used, needed, others, may_come_back, why })
}

/// What goes wrong in a run of an instance that allows so much.
pub fn used(instance: &Instance, allowed: Budget, counterexample: &Counterexample) -> Budget {
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    for event in &counterexample.events {
        if machine.replay(instance, &mut configuration, event).is_err() {
            break;
        }
    }
    let left = configuration.environment().faults.as_ref().map_or(allowed, |faults| faults.left);
    let mut used = Budget::default();
    for fault in Fault::ALL {
        used.set(fault, allowed.of(fault).saturating_sub(left.of(fault)));
    }
    used
}

/// `1 crash and 2 losses`
pub fn named(used: Budget) -> String {
    let some = Fault::ALL.into_iter().filter(|fault| used.of(*fault) > 0);
    let each = some.map(|fault| format!("{} {}", used.of(fault), plural(fault, used.of(fault))));
    prose::and(&each.collect::<Vec<_>>())
}

impl Faults {
    /// These happen; whether fewer would do was not asked.
    pub fn seen(used: Budget) -> Faults {
        Faults { used, needed: false, others: false, may_come_back: false, why: None }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |fault: &Fault| self.used.of(*fault);
        let some: Vec<Fault> = Fault::ALL.into_iter().filter(|fault| of(fault) > 0).collect();
        let all = named(self.used);
        let alone = if self.others { ", if nothing else goes wrong" } else { "" };
        match (some.as_slice(), self.needed) {
            ([], _) => f.write_str("no fault is needed for it"),
            (_, false) => {
                let are = if some.iter().map(of).sum::<u32>() == 1 { "is" } else { "are" };
                write!(f, "{all} {are} seen here; whether fewer would do was not found out")
            }
            ([fault], true) if of(fault) == 1 => {
                write!(f, "it takes {all}: without, it does not happen{alone}")
            }
            ([fault], true) => write!(f, "it takes {all}: {} would not do{alone}", of(fault) - 1),
            (_, true) => {
                let back = if self.may_come_back { " while whoever is down may still come back" } else { "" };
                write!(
                    f,
                    "it takes {all}: with fewer of one and no more of the others it does not happen{back}"
                )
            }
        }
    }
}

fn plural(fault: Fault, count: u32) -> String {
    match (fault, count) {
        (Fault::Link, 1) => "failure of a link".into(),
        (_, 1) => fault.as_str().into(),
        (Fault::Crash, _) => "crashes".into(),
        (Fault::Loss, _) => "losses".into(),
        (Fault::Link, _) => "failures of links".into(),
        _ => format!("{}s", fault.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::Faults;
    use crate::ir::{Budget, Fault};

    #[test]
    fn one_fault_is_seen_and_several_are() {
        let told = |all: &[(Fault, u32)]| {
            let mut used = Budget::default();
            all.iter().for_each(|(fault, count)| used.set(*fault, *count));
            Faults::seen(used).to_string()
        };
        let rest = "seen here; whether fewer would do was not found out";
        assert_eq!(told(&[(Fault::Loss, 1)]), format!("1 loss is {rest}"));
        assert_eq!(told(&[(Fault::Loss, 2)]), format!("2 losses are {rest}"));
        assert_eq!(told(&[(Fault::Lie, 1)]), format!("1 lie is {rest}"));
        assert_eq!(told(&[(Fault::Lie, 2)]), format!("2 lies are {rest}"));
        assert_eq!(told(&[(Fault::Crash, 1), (Fault::Loss, 1)]), format!("1 crash and 1 loss are {rest}"));
    }
}
