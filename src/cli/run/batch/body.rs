//! The joint result of many runs, as data.

use crate::cli::exit::ExitStatus;
use crate::cli::run::batch::rerun::command;
use crate::cli::run::batch::{RunOptions, RunResult, ScheduleName};
use crate::ir::{Program, Property};
use crate::property::kind_word;
use crate::prose::counted;
use crate::report::{CrashedWithin, NetworkReport, SCHEMA, Verdict};
use crate::session::coverage::{Actions, GuardBody};
use crate::trace::End;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RunsBody {
    pub(super) schema: &'static str,
    pub(super) command: &'static str,
    pub(super) algorithm: String,
    /// The network of the first run; random ids and graphs differ from run to run.
    pub(super) network: NetworkReport,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["fifo", "random", "round-robin", "adversary", "priorities"])))]
    pub(super) schedule: &'static str,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub(super) runs: u64,
    pub(super) first_seed: u64,
    pub(super) last_seed: u64,
    pub(super) outcomes: Vec<OutcomeBody>,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub(super) distinct_ends: usize,
    pub(super) actions: ActionsBody,
    pub(super) steps: Range,
    pub(super) messages: Range,
    pub(super) bits: Range,
    pub(super) time: Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "Range"))]
    pub(super) rounds: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "Range"))]
    pub(super) moves: Option<Range>,
    pub(super) properties: Vec<PropertyBody>,
    /// Lines about faults and ports.
    #[serde(skip)]
    pub(super) remarks: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct OutcomeBody {
    pub(super) outcome: End,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub(super) runs: u64,
    pub(super) first_seed: u64,
    pub(super) explanation: Option<String>,
    /// Number of these runs that are blocked by a crash, which the algorithm waives (`without`).
    #[serde(skip_serializing_if = "is_none")]
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub(super) given_up: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(runs: &u64) -> bool {
    *runs == 0
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct ActionsBody {
    pub(super) seen: usize,
    pub(super) total: usize,
    pub(super) never_seen: Vec<String>,
    /// Guards inside commands.
    pub(super) never_taken: Vec<GuardBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Range {
    pub(super) least: u64,
    pub(super) mean: f64,
    pub(super) greatest: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct PropertyBody {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) holds: u64,
    /// False: the algorithm waives it (`without`).
    pub(super) promised: bool,
    pub(super) violated: u64,
    pub(super) pending: u64,
    pub(super) not_checked: u64,
    /// Seed of the first run that violates it.
    pub(super) violating_seed: Option<u64>,
    pub(super) why: Option<String>,
    /// If it holds in all runs: its premises that came true in none of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) never_true: Vec<String>,
    /// If that run violates it in the state after a process crashed within a command: this command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "CrashedWithin"))]
    pub(super) crashed_within: Option<CrashedWithin>,
    /// The command that reproduces this run.
    pub(super) replay: Option<String>,
}

impl RunsBody {
    pub(super) fn new(
        options: &RunOptions,
        program: &Program,
        schedule: ScheduleName,
        all: &[RunResult],
    ) -> RunsBody {
        let first_seed = options.seed();
        let range = |of: fn(&RunResult) -> u64| Range {
            least: all.iter().map(of).min().unwrap_or(0),
            mean: all.iter().map(|one| of(one) as f64).sum::<f64>() / all.len().max(1) as f64,
            greatest: all.iter().map(of).max().unwrap_or(0),
        };
        let outcomes = End::ALL.iter().filter_map(|end| {
            let such = (first_seed..).zip(all).filter(|(_, one)| one.end == *end);
            // A run that is a finding is preferred.
            let (seed, first) = such.clone().min_by_key(|(seed, one)| (one.given_up, *seed))?;
            Some(OutcomeBody {
                outcome: *end,
                runs: such.clone().count() as u64,
                first_seed: seed,
                explanation: first.explanation.clone(),
                given_up: such.filter(|(_, one)| one.given_up).count() as u64,
            })
        });
        let wanted = options.properties();
        let checked =
            program.properties.iter().filter(|p| wanted.is_none_or(|names| names.contains(&p.name)));
        let occurs = |action: usize| all.iter().any(|one| one.seen.actions.get(action) == Some(&true));
        let actions = Actions::of(program);
        let never_seen = actions.never_seen(program, occurs);
        let possible = actions.possible(program).len();
        let taken: Vec<bool> = (0..program.guards.len())
            .map(|guard| all.iter().any(|one| one.seen.guards.get(guard) == Some(&true)))
            .collect();
        RunsBody {
            schema: SCHEMA,
            command: "runs",
            algorithm: program.name.clone(),
            network: all.first().map_or_else(
                || NetworkReport { topology: String::new(), n: 0, ids: Vec::new(), port_seed: None },
                |one| NetworkReport {
                    topology: one.topology.clone(),
                    n: one.ids.len() as u64,
                    ids: one.ids.clone(),
                    port_seed: None,
                },
            ),
            schedule: schedule.as_str(),
            runs: all.len() as u64,
            first_seed,
            last_seed: first_seed + (all.len() as u64).saturating_sub(1),
            outcomes: outcomes.collect(),
            distinct_ends: all.iter().map(|one| one.hash).collect::<BTreeSet<u64>>().len(),
            actions: ActionsBody {
                seen: possible - never_seen.len(),
                total: possible,
                never_seen,
                never_taken: GuardBody::never_taken(program, &taken),
            },
            steps: range(|one| one.steps),
            messages: range(|one| one.messages),
            bits: range(|one| one.bits),
            time: range(|one| one.time),
            rounds: all[0].rounds.map(|_| range(|one| one.rounds.unwrap_or(0))),
            moves: all[0].moves.map(|_| range(|one| one.moves.unwrap_or(0))),
            properties: checked
                .enumerate()
                .map(|(i, property)| PropertyBody::new(options, schedule, property, i, all))
                .collect(),
            remarks: String::new(),
        }
    }

    pub(super) fn violated(&self) -> u64 {
        self.properties.iter().filter(|property| property.promised && property.violated > 0).count() as u64
    }

    /// Return the claimed properties that some run leaves open: the verdict «no violation» does not cover them.
    pub(super) fn undecided(&self) -> Vec<&str> {
        let unknown = |p: &&PropertyBody| p.promised && p.pending + p.not_checked > 0;
        self.properties.iter().filter(unknown).map(|p| p.name.as_str()).collect()
    }

    pub(super) fn runs_that_end(&self, ends: &[End]) -> u64 {
        self.outcomes.iter().filter(|o| ends.contains(&o.outcome)).map(|o| o.runs).sum()
    }

    /// Return the number of runs that are stuck or aborted, without those that the algorithm waives.
    fn failed(&self) -> u64 {
        let given_up: u64 = self.outcomes.iter().map(|o| o.given_up).sum();
        self.runs_that_end(&[End::Stuck, End::Aborted]) - given_up
    }

    pub(super) fn ending(&self) -> ExitStatus {
        if self.violated() > 0 || self.failed() > 0 {
            return ExitStatus::Finding;
        }
        match self.runs_that_end(&[End::Limit]) > 0 || !self.undecided().is_empty() {
            true => ExitStatus::Limit,
            false => ExitStatus::Success,
        }
    }

    /// Return the verdict in one sentence, which claims no more than the runs show.
    pub(super) fn verdict(&self) -> String {
        let found = match (self.properties.len(), self.violated()) {
            (0, _) => "no properties to check".to_string(),
            // Properties that are not claimed may be violated, but this is reported.
            (_, 0) if self.properties.iter().any(|p| p.violated > 0) => {
                "no claimed property violated".to_string()
            }
            (_, 0) => "no violation".to_string(),
            (_, 1) => "1 property violated".to_string(),
            (_, n) => format!("{n} properties violated"),
        };
        let bad = self.failed();
        let bad = if bad > 0 { format!(", {bad} stuck or aborted") } else { String::new() };
        let open = match self.undecided()[..] {
            [] => String::new(),
            ref names => format!(" but {} not decided in all", names.join(", ")),
        };
        let seeds = match self.first_seed == self.last_seed {
            true => format!("seed {}", self.first_seed),
            false => format!("seeds {} to {}", self.first_seed, self.last_seed),
        };
        format!(
            "{found}{bad}{open} in {} ({seeds}), {}, {} of {} actions covered",
            counted(self.runs, "run"),
            counted(self.distinct_ends as u64, "distinct end"),
            self.actions.seen,
            self.actions.total
        )
    }
}

impl PropertyBody {
    pub(super) fn new(
        options: &RunOptions,
        schedule: ScheduleName,
        property: &Property,
        index: usize,
        all: &[RunResult],
    ) -> PropertyBody {
        let count = |verdict| {
            let such = all.iter().filter(|one| one.verdicts.get(index).is_some_and(|v| v.verdict == verdict));
            such.count() as u64
        };
        let verdicts =
            (options.seed()..).zip(all).filter_map(|(seed, one)| Some((seed, one.verdicts.get(index)?)));
        let first = verdicts.clone().find(|(_, of)| of.verdict == Verdict::Violated);
        let unchecked = verdicts.clone().find(|(_, of)| of.verdict == Verdict::NotChecked);
        let holds = count(Verdict::Holds);
        let mut never_true = Vec::new();
        if holds == all.len() as u64
            && let Some((_, first)) = verdicts.clone().next()
        {
            never_true.clone_from(&first.never_true);
            never_true.retain(|premise| verdicts.clone().all(|(_, of)| of.never_true.contains(premise)));
        }
        PropertyBody {
            name: property.name.clone(),
            kind: kind_word(property.kind),
            never_true,
            holds,
            promised: property.is_claimed,
            violated: count(Verdict::Violated),
            pending: count(Verdict::Pending),
            not_checked: count(Verdict::NotChecked),
            violating_seed: first.map(|(seed, _)| seed),
            why: first.or(unchecked).map(|(_, of)| of.why.clone()),
            crashed_within: first.and_then(|(_, of)| of.crashed_within.clone()),
            replay: first.map(|(seed, _)| command(options, schedule, seed)),
        }
    }
}
