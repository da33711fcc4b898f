//! One run, and what it cost.

use crate::instance::Instance;
use crate::ir::{Program, Property};
use crate::property::{Cost, Ended, Judgement, Watch, needs_history, on_the_way};
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, History, Metrics};
use crate::session::{Keep, end, explanation, watched};
use crate::simulate::{Options, Outcome, Unobserved, simulate};
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
    /// Did the run come to its own end? Costs of others say nothing.
    pub fn is_finished(&self) -> bool {
        matches!(self.end, End::Terminated | End::Quiescent)
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
    options: &Options<'_>,
    number: u64,
) -> Option<Sample> {
    let mut unjudged = Vec::new();
    let (run, verdicts) = match judged {
        Judged::Named(names) => {
            let watched = watched(instance, Some(names), Keep::Never, schedule, options);
            (watched.run, watched.verdicts)
        }
        Judged::AtEnd => {
            let names = decided_at_the_end(instance, &mut unjudged);
            let run = simulate(instance, options, &mut Unobserved);
            let ended = match run.outcome {
                Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
                Outcome::Aborted(_) => Ended::Aborted,
                _ => Ended::CutOff,
            };
            let watch = Watch::new(instance, Some(&names));
            let verdicts = watch.verdicts(ended, &run.configuration, &run.metrics);
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
    Some(Sample {
        run: number,
        n: instance.n(),
        edges: instance.network.edges(),
        end: end(&run.outcome),
        why: match run.outcome {
            Outcome::Stuck(_) | Outcome::Aborted(_) => explanation(instance, &run.outcome).into_iter().next(),
            _ => None,
        },
        steps: run.steps,
        messages: metrics.messages(),
        bits: metrics.total_bits(),
        time: metrics.time.into(),
        rounds: instance.model.has_rounds().then_some(metrics.rounds),
        moves: instance.model.reads().then_some(metrics.moves),
        sent: metrics.sent.clone(),
        bounds: costs(instance, &run.configuration, metrics),
        violated,
        unjudged,
    })
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
