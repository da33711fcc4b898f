//! One run, and what it cost.

use crate::instance::Instance;
use crate::ir::{Program, Property};
use crate::property::{Cost, Ended, Judgement, Verdict, Watch, needs_history, on_the_way};
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, History, Metrics};
use crate::session::{Keep, blocked, end, steps_without_an_end, watched, why_in_a_line};
use crate::simulate::{Outcome, Run, SimulateOptions, Unobserved, default_max_steps, simulate};
use crate::syntax::ast::PropertyKind;
use crate::trace::End;
use serde::{Deserialize, Serialize};

/// A property is judged at the end of a run where it takes so much work at the most: processes, or pairs of them.
const MOST_WORK: u64 = 20_000_000;

/// What one run cost, as far as measuring goes. A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The run's number in the plan.
    pub run: u64,
    /// Processes and edges of its network.
    pub n: u32,
    pub edges: u32,
    /// `settled`: the run goes on for ever, and the costs are those up to where all that has to happen for good had happened.
    pub end: End,
    /// Why it is stuck, or what the error was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub steps: u64,
    /// Net, as everywhere.
    pub messages: u64,
    pub bits: u64,
    /// The longest causal chain of messages.
    pub time: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// Messages by kind, in the order of the program.
    pub sent: Vec<u64>,
    /// What each `bound` and `exactly` compared, measured and limit; null where it says nothing about this run.
    pub bounds: Vec<Option<(i64, i64)>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violated: Vec<Violation>,
    /// Properties that were to be judged and could not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violation {
    pub property: String,
    /// One sentence without a full stop.
    pub why: String,
}

impl Sample {
    /// Did the run come to its own end, or to where it has settled? Costs of others say nothing.
    pub fn is_finished(&self) -> bool {
        matches!(self.end, End::Terminated | End::Quiescent | End::Settled)
    }
}

/// Which properties are judged, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Those that the end of a run decides: nobody watches it, so that it is as fast as runs get.
    AtEnd,
    /// These, by watching.
    Named(Vec<String>),
}

impl Judged {
    /// `names` empty: what the end decides.
    pub fn of(program: &Program, names: &[String]) -> Judged {
        let wanted: Vec<&Property> = program.properties.iter().filter(|p| names.contains(&p.name)).collect();
        match names.is_empty() || wanted.iter().all(|p| is_decided_at_the_end(p, program)) {
            true if names.is_empty() => Judged::AtEnd,
            _ => Judged::Named(names.to_vec()),
        }
    }
}

/// Does nothing on the way to the end matter to it?
pub fn is_decided_at_the_end(property: &Property, program: &Program) -> bool {
    let on_the_way = on_the_way(property.kind) && property.kind != PropertyKind::Settles;
    !on_the_way && !needs_history(property, program)
}

/// The properties that speak of costs, in the order of a sample's `bounds`.
pub fn bounds(program: &Program) -> impl Iterator<Item = &Property> {
    let is_bound = |p: &&Property| matches!(p.kind, PropertyKind::Bound | PropertyKind::Exactly);
    program.properties.iter().filter(is_bound)
}

/// Makes one run. None: it was interrupted.
pub fn sample(
    instance: &Instance,
    judged: &Judged,
    schedule: &str,
    options: &SimulateOptions<'_>,
    number: u64,
) -> Option<Sample> {
    let mut unjudged = Vec::new();
    let mut end_of_it = None;
    let (run, verdicts) = match judged {
        Judged::Named(names) => {
            let watched = watched(instance, Some(names), Keep::Never, schedule, options);
            // What it costs to settle is not a matter of which properties are asked for.
            let course = match watched.settled {
                true => course(instance, schedule, options),
                false => Course { run: watched.run, watched: None },
            };
            end_of_it = course.watched.is_some().then_some(End::Settled);
            (course.run, watched.verdicts)
        }
        Judged::AtEnd => {
            let names = decided_at_the_end(instance, &mut unjudged);
            let Course { run, watched } = course(instance, schedule, options);
            let ended = match run.outcome {
                Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
                Outcome::Aborted(_) => Ended::Aborted,
                _ => Ended::CutOff,
            };
            let verdicts = match watched {
                Some(verdicts) => {
                    end_of_it = Some(End::Settled);
                    verdicts
                }
                None => {
                    let watch = Watch::new(instance, Some(&names));
                    watch.verdicts(ended, &run.configuration, &run.metrics)
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
            Judgement::Violated => violated.push(Violation { property: verdict.name, why: verdict.why }),
            Judgement::Pending | Judgement::NotChecked => unjudged.push(verdict.name),
        }
    }
    let metrics = &run.metrics;
    // Who is blocked by a crash where that is given up has come to an end like any other.
    let is_excused = blocked(instance, &run).is_some_and(|blocked| blocked.given_up);
    Some(Sample {
        run: number,
        n: instance.n(),
        edges: instance.network.edges(),
        end: match is_excused {
            true => End::Quiescent,
            false => end_of_it.unwrap_or_else(|| end(&run.outcome)),
        },
        why: match run.outcome {
            Outcome::Stuck(_) if is_excused => None,
            Outcome::Stuck(_) | Outcome::Aborted(_) => why_in_a_line(instance, &run),
            _ => None,
        },
        steps: run.steps,
        messages: metrics.messages(),
        bits: metrics.total_bits(),
        time: metrics.time.into(),
        rounds: instance.model.has_rounds().then_some(metrics.rounds),
        moves: instance.model.reads().then_some(metrics.moves),
        sent: metrics.sent.clone(),
        bounds: match end_of_it {
            // They speak of whole runs.
            Some(_) => vec![None; bounds(&instance.program).count()],
            None => costs(instance, &run.configuration, metrics),
        },
        violated,
        unjudged,
    })
}

/// A run whose costs are to be known.
pub struct Course {
    /// To its end; where it has settled, up to there, with the outcome that it was cut off.
    pub run: Run,
    /// It has settled: what the whole of it said of the properties.
    pub watched: Option<Vec<Verdict>>,
}

/// Makes a run as fast as can be. Where it becomes long without an end, no limit was asked for, and the program says what has to happen
/// for good, it is made again under the eyes of its properties; where it settles, its costs are those up to there.
pub fn course(instance: &Instance, schedule: &str, options: &SimulateOptions<'_>) -> Course {
    let ends = |run: Run| Course { run, watched: None };
    let long = steps_without_an_end(instance.n());
    if options.max_steps.is_some() || !settles(&instance.program) || long >= default_max_steps(instance) {
        return ends(simulate(instance, options, &mut Unobserved));
    }
    let first = simulate(instance, &SimulateOptions { max_steps: Some(long), ..*options }, &mut Unobserved);
    if first.outcome != Outcome::Limit {
        return ends(first);
    }
    let watched = watched(instance, None, Keep::Never, schedule, options);
    match watched.settled_after {
        Some(steps) => {
            let cut = SimulateOptions { max_steps: Some(steps), ..*options };
            let run = simulate(instance, &cut, &mut Unobserved);
            Course { run, watched: Some(watched.verdicts) }
        }
        None => ends(watched.run),
    }
}

/// Does the program promise something that has to come true, once or for good?
fn settles(program: &Program) -> bool {
    let such = |p: &&Property| matches!(p.kind, PropertyKind::Settles | PropertyKind::Eventually);
    program.properties.iter().filter(|p| p.promised).any(|p| such(&p))
}

/// Names of the promised properties that the end decides; those that would take too long go to the second list.
fn decided_at_the_end(instance: &Instance, unjudged: &mut Vec<String>) -> Vec<String> {
    let program = &instance.program;
    let mut names = Vec::new();
    let decided = program.properties.iter().filter(|p| p.promised && is_decided_at_the_end(p, program));
    for property in decided {
        let work = u64::from(instance.n()).saturating_pow(property.body.nesting(&property.each));
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
        let work = u64::from(instance.n()).saturating_pow(property.body.nesting(&property.each));
        if work > MOST_WORK || needs_history(property, program) {
            return None;
        }
        // What cannot be evaluated is unjudged, and said so there.
        let cost = eval::globally(instance, Some(world), |env| Cost::of(property, env)).ok().flatten()?;
        Some((narrow(cost.measured), narrow(cost.limit)))
    };
    bounds(program).map(one).collect()
}

fn narrow(number: i128) -> i64 {
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
