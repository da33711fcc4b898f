//! A program under the executable specification: its answers, and their differences from those of Synod.

use crate::comparison::configurations::Facts;
use crate::comparison::runs::{Runs, Subject};
use crate::comparison::verdicts::{Compared, Expected, by_specification, judge};
use crate::comparison::{self, specified_graph};
use crate::properties;
use crate::properties::evaluation::{claims, with_notes};
use crate::properties::verdicts::aborts_at_every_beginning;
use crate::random::examine::{Examined, Finding};
use crate::random::print::{Case, text};
use crate::specification::configuration::Configuration;
use crate::specification::explore::{self, Nearest};
use crate::specification::graph::Graph;
use crate::specification::network::{self, System};
use crate::specification::value::{Failure, Value};
use std::collections::BTreeSet;
use synod::internals::explore::Exploration;
use synod::internals::instance::Instance;
use synod::internals::ir::{Daemon, PropertyKind};
use synod::internals::property::{Judgement, Verdict};

/// The greatest number of configurations of a program for the specification.
pub const MOST: u64 = 150;

/// The result of the specification for a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Covered {
    #[default]
    TooLarge,
    /// The reference, or the specification, does not define the result.
    Refused(String),
    Compared,
}

/// The specification's answers.
pub struct Specified {
    system: System,
    graph: Graph<Configuration, Value>,
    verdicts: Expected,
}

/// Return the lookup of the files beside a program, and of the library.
fn finder(case: &Case) -> impl Fn(&str) -> Option<String> {
    move |name: &str| {
        let own = case.files.iter().find(|(file, _)| file.eq_ignore_ascii_case(name));
        own.map(|(_, text)| text.clone())
            .or_else(|| synod::internals::library::source(name).map(|(_, text)| text))
    }
}

fn settings(case: &Case) -> comparison::Case<'_> {
    let daemon = case.daemon.map(|daemon| match daemon {
        Daemon::Central => network::Daemon::Central,
        Daemon::Synchronous => network::Daemon::Synchronous,
        Daemon::Distributed => network::Daemon::Distributed,
    });
    comparison::Case { faults: &case.faults, daemon }
}

/// Return the configurations near the initial ones; None if the specification refuses the program.
pub fn nearest(case: &Case, instance: &Instance) -> Option<Nearest> {
    let text = text(&case.program);
    let system = comparison::system(&text, &finder(case), instance, &settings(case)).ok()?;
    explore::nearest(&system, MOST as usize).ok().flatten()
}

impl Specified {
    /// Compute the answers; return None if there are none, with the reason in `covered`.
    pub fn of(case: &Case, instance: &Instance, covered: &mut Covered) -> Option<Specified> {
        let text = text(&case.program);
        let find = finder(case);
        let settings = settings(case);
        // One more than Synod has, so that a greater number counts as a difference, and not as too large.
        let most = MOST as usize + 1;
        match specified_graph(&text, &find, instance, &settings, most) {
            Ok(Some((system, graph))) => {
                *covered = Covered::Compared;
                let verdicts = by_specification(&system, &graph);
                Some(Specified { system, graph, verdicts })
            }
            Ok(None) => None,
            Err(Failure::Unspecified(why)) => {
                *covered = Covered::Refused(why);
                None
            }
            Err(failure) => {
                *covered = Covered::Refused(format!("fails: {failure}"));
                None
            }
        }
    }

    /// Compare the verdicts of an exploration without reductions, with all properties.
    pub fn judge(&self, surely: bool, found: &Exploration, examined: &mut Examined) {
        if found.stopped_by.is_some() {
            return;
        }
        if !surely {
            examined.effects.history.extend(self.of_history(found));
        }
        let mut compared = Compared::default();
        let coins = if surely { "for every outcome of coins" } else { "by chance" };
        judge(coins, &self.verdicts, found, surely, &mut compared);
        let findings = compared.wrong.into_iter().map(|difference| {
            let key = format!("specification {}", difference.kind);
            Finding::new(if surely { format!("{key}, surely") } else { key }, difference.message)
        });
        examined.findings.extend(findings);
    }

    /// Return what verdicts on properties of the history were compared.
    fn of_history(&self, found: &Exploration) -> BTreeSet<&'static str> {
        let orders = found.verdicts.iter().filter(|verdict| verdict.kind == PropertyKind::Order);
        let word = |verdict: &Verdict| match self.verdicts.of(&verdict.name) {
            Some(properties::verdicts::Verdict::Holds) => Some("order holds"),
            Some(properties::verdicts::Verdict::Violated) => Some("order violated"),
            Some(properties::verdicts::Verdict::NotChecked(_)) => Some("order not checked"),
            Some(properties::verdicts::Verdict::Refused(_)) => Some("order refused"),
            None => None,
        };
        let mut all: BTreeSet<&'static str> = orders.filter_map(word).collect();
        if all.contains("order holds") && all.contains("order violated") {
            all.insert("orders of both verdicts");
        }
        all
    }

    /// Compare the verdicts on properties of the history if the application may send notes.
    pub fn judge_with_notes(&self, notes: usize, found: &Exploration, examined: &mut Examined) {
        if found.stopped_by.is_some() || aborts_at_every_beginning(&self.graph) {
            return;
        }
        for claim in claims(&self.system) {
            let verdict = found.verdicts.iter().find(|verdict| verdict.name == claim.property.name.text);
            let Some(verdict) = verdict else { continue };
            let Some(right) = with_notes(&self.system, &self.graph, claim, notes) else { continue };
            let judgement = match &right {
                properties::verdicts::Verdict::Refused(_) => continue,
                properties::verdicts::Verdict::Holds => Judgement::Holds,
                properties::verdicts::Verdict::Violated => Judgement::Violated,
                properties::verdicts::Verdict::NotChecked(_) => Judgement::NotChecked,
            };
            if !matches!(verdict.judgement, Judgement::Pending | Judgement::NotChecked) {
                examined.effects.history.insert("order with notes");
            }
            if verdict.judgement != Judgement::Pending && verdict.judgement != judgement {
                let message = format!(
                    "with {notes} notes, {} is {:?} ({}), by definition {right:?}",
                    verdict.name, verdict.judgement, verdict.why
                );
                examined.findings.push(Finding::new("specification notes", message));
            }
        }
    }

    /// Compare single runs, and what `measure` and `test` say of them.
    pub fn run(&self, case: &Case, instance: &Instance, examined: &mut Examined) {
        let text = text(&case.program);
        let find = finder(case);
        let subject =
            Subject { text: &text, find: &find, instance, system: &self.system, graph: &self.graph };
        let mut runs = Runs::default();
        runs.add(&subject, 2);
        let finding = |message| Finding::new("run: specification", message);
        examined.findings.extend(runs.wrong.into_iter().map(finding));
    }

    /// Compare the numbers of configurations and steps of a search without reductions, whose properties do not refine the state space.
    pub fn count(&self, instance: &Instance, found: &Exploration, examined: &mut Examined) {
        if found.stopped_by.is_some() {
            return;
        }
        let (right, found) = (Facts::specified(&self.system, &self.graph, instance), Facts::found(found));
        if !right.are(&found) {
            let message = format!("by the specification {right:?}, Synod has {found:?}");
            examined.findings.push(Finding::new("specification counts", message));
        }
    }
}
