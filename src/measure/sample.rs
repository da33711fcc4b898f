//! Execution of a single run, and its costs.

use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Program, Property, PropertyKind};
use crate::property::{Cost, Ended, Judgement, RunMonitor, Verdict, is_checked_during_run, needs_history};
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, History, Metrics};
use crate::session::{
    Keep, blocked, end, one_line_explanation, run_until_fulfilled, run_until_repeated, steps_of_two_looks,
    steps_without_an_end,
};
use crate::simulate::{Outcome, Run, SimulateOptions, Unobserved, default_max_steps, simulate};
use crate::trace::End;
use serde::{Deserialize, Serialize};

/// Maximum work for checking a property at the end of a run, in processes or pairs of processes.
const MOST_WORK: u64 = 20_000_000;

/// Costs of one run; a line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Number of the run in the plan.
    pub run: u64,
    /// Numbers of processes and edges of its network.
    pub n: u32,
    pub edges: u32,
    /// Outcome. `settled`: the run has no end; its costs are those until every liveness property was satisfied for
    /// good.
    pub end: End,
    /// Whether the run repeats a cycle forever, before which it has not settled. Its end is then `limit`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
    /// Reason for the deadlock, or error message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub steps: u64,
    /// Messages sent to other processes.
    pub messages: u64,
    pub bits: u64,
    /// Length of the longest causal chain of messages.
    pub time: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// Messages by kind, in the order of the program.
    pub sent: Vec<u64>,
    /// Completed operations, in the order of the problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<u64>,
    /// Instant of the last event, in systems with time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed: Option<u64>,
    /// Measured value and limit of each `bound` and `exactly`; null if it does not apply to this run.
    pub bounds: Vec<Option<(i64, i64)>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violated: Vec<Violation>,
    /// Properties that were to be checked, but could not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Violation {
    pub property: String,
    /// One sentence without a full stop.
    pub why: String,
}

impl Sample {
    /// Whether the run ended by itself or settled. Costs of other runs are meaningless.
    pub fn is_finished(&self) -> bool {
        matches!(self.end, End::Terminated | End::Quiescent | End::Settled)
    }
}

/// The properties to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckedProperties {
    /// Properties that the end of a run decides: the run is not monitored, which is fastest.
    AtEnd,
    /// The named ones, in a monitored run.
    Named(Vec<String>),
}

impl CheckedProperties {
    /// Return the properties to check; if `names` is empty, those that the end decides.
    pub fn of(program: &Program, names: &[String]) -> CheckedProperties {
        let wanted: Vec<&Property> = program.properties.iter().filter(|p| names.contains(&p.name)).collect();
        match names.is_empty() || wanted.iter().all(|p| is_decided_at_the_end(p, program)) {
            true if names.is_empty() => CheckedProperties::AtEnd,
            _ => CheckedProperties::Named(names.to_vec()),
        }
    }
}

/// Whether the end of a run decides the property.
pub fn is_decided_at_the_end(property: &Property, program: &Program) -> bool {
    let on_the_way = is_checked_during_run(property.kind) && property.kind != PropertyKind::Settles;
    !on_the_way && !needs_history(property, program)
}

/// Return the properties of costs, in the order of a sample's `bounds`.
pub fn bounds(program: &Program) -> impl Iterator<Item = &Property> {
    let is_bound = |p: &&Property| matches!(p.kind, PropertyKind::Bound | PropertyKind::Exactly);
    program.properties.iter().filter(is_bound)
}

/// Make one run; `None` if it was interrupted.
pub fn sample(
    instance: &Instance,
    judged: &CheckedProperties,
    schedule: &str,
    options: &SimulateOptions,
    number: u64,
) -> Option<Sample> {
    let mut unjudged = Vec::new();
    let mut end_of_it = None;
    let repeats;
    let (run, verdicts) = match judged {
        CheckedProperties::Named(names) => {
            let watched = run_until_repeated(instance, Some(names), Keep::Never, schedule, options);
            // The costs of settling do not depend on the properties selected.
            let course = match watched.settled {
                true => measured_run(instance, schedule, options),
                false => MeasuredRun { run: watched.run, watched: None, repeats: false },
            };
            repeats = course.repeats;
            end_of_it = (course.watched.is_some() && !repeats).then_some(End::Settled);
            (course.run, watched.verdicts)
        }
        CheckedProperties::AtEnd => {
            let names = decided_at_the_end(instance, &mut unjudged);
            let MeasuredRun { run, watched, repeats: cycle } = measured_run(instance, schedule, options);
            repeats = cycle;
            let ended = match run.outcome {
                Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
                Outcome::Aborted(_) => Ended::Aborted,
                _ => Ended::CutOff,
            };
            let verdicts = match watched {
                Some(verdicts) => {
                    end_of_it = (!repeats).then_some(End::Settled);
                    verdicts
                }
                None => {
                    let watch = RunMonitor::new(instance, Some(&names));
                    watch.verdicts(instance, ended, &run.configuration, &run.metrics)
                }
            };
            (run, verdicts)
        }
    };
    if matches!(run.outcome, Outcome::Interrupted | Outcome::Stopped) {
        return None;
    }
    let mut violated = Vec::new();
    for verdict in verdicts.into_iter().filter(|verdict| verdict.promised) {
        match verdict.judgement {
            Judgement::Holds => {}
            Judgement::Violated => {
                violated.push(Violation { property: verdict.name, why: verdict.why.to_string() });
            }
            Judgement::Pending | Judgement::NotChecked => unjudged.push(verdict.name),
        }
    }
    let metrics = &run.metrics;
    // A run blocked by a crash, for which the algorithm waives its `finally`, counts as an ordinary end.
    let is_excused = blocked(instance, &run).is_some_and(|blocked| blocked.given_up);
    Some(Sample {
        run: number,
        n: instance.n(),
        edges: instance.network.edges(),
        end: match is_excused {
            true => End::Quiescent,
            false => end_of_it.unwrap_or_else(|| end(&run.outcome)),
        },
        repeats,
        why: match run.outcome {
            Outcome::Stuck(_) if is_excused => None,
            Outcome::Stuck(_) | Outcome::Aborted(_) => one_line_explanation(instance, &run),
            _ => None,
        },
        steps: run.steps,
        messages: metrics.messages(),
        bits: metrics.total_bits(),
        time: metrics.time.into(),
        rounds: instance.model.has_rounds().then_some(metrics.rounds),
        moves: instance.model.has_state_reading().then_some(metrics.moves),
        sent: metrics.sent.clone(),
        returns: metrics.returns.clone(),
        elapsed: instance.is_timed().then(|| run.configuration.now()),
        bounds: match end_of_it {
            // Bounds concern whole runs.
            Some(_) => vec![None; bounds(&instance.program).count()],
            None => costs(instance, &run.configuration, metrics),
        },
        violated,
        unjudged,
    })
}

/// A run whose costs are measured.
pub struct MeasuredRun {
    /// The run to its end; a settled run is cut off where it settled.
    pub run: Run,
    /// Verdicts of the whole run, if it settled or repeats a cycle.
    pub watched: Option<Vec<Verdict>>,
    /// Whether the run repeats a cycle forever without having settled.
    pub repeats: bool,
}

/// Make a run at full speed. If it becomes long without an end, has no step limit, and the program claims a liveness
/// property, repeat it with monitors; if it settles, its costs are those up to that point, and if it is known to repeat a cycle, the cycle
/// decides the property. Runs of processes that read their
/// neighbours, or interact in pairs, usually have no end. If nothing but `eventually` properties is awaited, they are long
/// earlier, and end when the last one comes true.
pub fn measured_run(instance: &Instance, schedule: &str, options: &SimulateOptions) -> MeasuredRun {
    let ends = |run: Run| MeasuredRun { run, watched: None, repeats: false };
    let is_endless = matches!(instance.model.execution, ExecutionModel::Daemon(_) | ExecutionModel::Pairs)
        && awaits_only_eventually(&instance.program);
    let long = if is_endless { steps_of_two_looks(instance.n()) } else { steps_without_an_end(instance.n()) };
    if options.max_steps.is_some() || !settles(&instance.program) || long >= default_max_steps(instance) {
        return ends(simulate(instance, options, &mut Unobserved));
    }
    let first = simulate(instance, &SimulateOptions { max_steps: Some(long), ..*options }, &mut Unobserved);
    if first.outcome != Outcome::Limit {
        return ends(first);
    }
    let watched = match is_endless {
        true => run_until_fulfilled(instance, schedule, options),
        false => run_until_repeated(instance, None, Keep::Never, schedule, options),
    };
    match watched.settled_after {
        Some(steps) if steps == watched.run.steps => {
            MeasuredRun { run: watched.run, watched: Some(watched.verdicts), repeats: false }
        }
        Some(steps) => {
            let cut = SimulateOptions { max_steps: Some(steps), ..*options };
            let run = simulate(instance, &cut, &mut Unobserved);
            MeasuredRun { run, watched: Some(watched.verdicts), repeats: false }
        }
        None if watched.repeats.is_some() => {
            MeasuredRun { run: watched.run, watched: Some(watched.verdicts), repeats: true }
        }
        None => ends(watched.run),
    }
}

/// Whether the program claims `eventually` properties, and none that a longer run may decide, or an end.
fn awaits_only_eventually(program: &Program) -> bool {
    use PropertyKind::{Eventually, Invariant, Stable};
    let claimed = || program.properties.iter().filter(|p| p.is_claimed);
    claimed().all(|p| matches!(p.kind, Eventually | Invariant | Stable))
        && claimed().any(|p| p.kind == Eventually)
}

/// Whether the program claims an `eventually` or `settles` property.
fn settles(program: &Program) -> bool {
    let such = |p: &&Property| matches!(p.kind, PropertyKind::Settles | PropertyKind::Eventually);
    program.properties.iter().filter(|p| p.is_claimed).any(|p| such(&p))
}

/// Return the names of the claimed properties that the end decides; add those that would take too long to `unjudged`.
fn decided_at_the_end(instance: &Instance, unjudged: &mut Vec<String>) -> Vec<String> {
    let program = &instance.program;
    let mut names = Vec::new();
    let decided = program.properties.iter().filter(|p| p.is_claimed && is_decided_at_the_end(p, program));
    for property in decided {
        let work = u64::from(instance.n()).saturating_pow(property.body.nesting(&property.binders));
        match work <= MOST_WORK {
            true => names.push(property.name.clone()),
            false => unjudged.push(property.name.clone()),
        }
    }
    names
}

fn costs(instance: &Instance, configuration: &Configuration, metrics: &Metrics) -> Vec<Option<(i64, i64)>> {
    let history = History::default();
    let world = World { configuration, metrics, history: &history };
    let program = &instance.program;
    let one = |property: &Property| {
        let work = u64::from(instance.n()).saturating_pow(property.body.nesting(&property.binders));
        if work > MOST_WORK || needs_history(property, program) {
            return None;
        }
        // A property that cannot be evaluated is listed as unjudged.
        let cost =
            eval::with_global_frame(instance, Some(world), |env| Cost::of(property, env)).ok().flatten()?;
        Some((narrow(cost.measured), narrow(cost.limit)))
    };
    bounds(program).map(one).collect()
}

fn narrow(number: i128) -> i64 {
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
