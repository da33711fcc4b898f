//! Movement in a run.

use super::failure::Failure;
use super::limits::{self, cut};
use super::run::{OpenRun, Position};
use super::state::{VerdictBody, header, listed};
use super::{Answer, answer, events, instances};
use crate::prose;
use crate::render::{Look, run as render};
use crate::semantics::StepError;
use crate::session::timeline::{Breakpoints, NarratedStep, Stop};
use crate::session::{end, explanation, why_stopped};
use crate::simulate::Outcome;
use crate::trace::End;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Most {
    most: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    position: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fire {
    index: u64,
    at: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatIf {
    index: u64,
    at: Option<u64>,
    /// Number of steps after the enabled one.
    count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchName {
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleFields {
    schedule: String,
    seed: Option<u64>,
}

#[derive(Serialize)]
struct Moved {
    from: usize,
    position: Position,
    stop: StopBody,
    /// Number of recorded events after the cursor that were removed.
    removed: usize,
    events: Vec<events::EventBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    changed: Vec<ChangedBody>,
}

#[derive(Serialize)]
struct StopBody {
    reason: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<VerdictBody>,
}

#[derive(Serialize)]
struct ChangedBody {
    number: usize,
    expression: String,
    before: String,
    now: String,
    at: usize,
}

impl StopBody {
    fn new(reason: &'static str, text: impl Into<String>) -> StopBody {
        StopBody { reason, text: text.into(), number: None, properties: Vec::new() }
    }

    fn of(run: &OpenRun, stop: &Stop) -> StopBody {
        let instance = run.timeline.instance();
        let ended = |end: End, why: &[String]| {
            let steps = run.timeline.at() as u64;
            render::outcome_text(end, steps, why, usize::MAX, Look::PLAIN).trim().to_string()
        };
        match stop {
            Stop::Done => StopBody::new("done", ""),
            Stop::End(outcome) => {
                let why = why_stopped(instance, outcome, run.timeline.configuration());
                StopBody::new("end", ended(end(outcome), &why))
            }
            Stop::Aborted(abort) => {
                let why = explanation(instance, &Outcome::Aborted(abort.clone()));
                StopBody::new("aborted", ended(End::Aborted, &why))
            }
            Stop::Break(number) => {
                let look = run.breakpoints.breaks.iter().find(|look| look.number == *number);
                let text = look.map_or(String::new(), |look| look.question.text.clone());
                StopBody {
                    number: Some(*number),
                    ..StopBody::new("breakpoint", format!("break {number}: {text}"))
                }
            }
            Stop::Violated(verdicts) => {
                let line = |verdict: &crate::property::Verdict| {
                    let place = instance.program.sources.near(verdict.span);
                    let why = verdict.why.to_string();
                    let why = prose::with_names(&why, instance.names());
                    format!("violated  {}: {why}  ({place})", verdict.name)
                };
                let text: Vec<String> = verdicts.iter().map(line).collect();
                let properties = verdicts.iter().map(|verdict| VerdictBody::new(run, verdict)).collect();
                StopBody { properties, ..StopBody::new("violated", text.join("\n")) }
            }
            Stop::Interrupted => StopBody::new("interrupted", "the run was interrupted"),
            Stop::Impossible(why) => StopBody::new("impossible", why.clone()),
        }
    }
}

/// Describe a movement that began at a position.
fn moved(run: &OpenRun, from: usize, stop: &Stop, removed: usize, changed: Vec<ChangedBody>) -> Answer {
    let at = run.timeline.at();
    let passed = from.min(at)..at;
    let most = limits::LISTED_EVENTS.default as usize;
    let shown = passed.len().min(most);
    answer(&Moved {
        from,
        position: run.position(),
        stop: StopBody::of(run, stop),
        removed,
        events: listed(run, at - shown..at),
        cut: cut(shown, passed.len(), "last"),
        changed,
    })
}

/// Take steps.
fn go(run: &mut OpenRun, most: u64) -> Answer {
    let from = run.timeline.at();
    let ahead = run.timeline.events().len() - from;
    let room = limits::EVENTS.max.saturating_sub(run.timeline.events().len() as u64);
    let most = most.min(ahead as u64 + room);
    if most == 0 {
        return Err(Failure::new(format!("the run has {} events, which is the limit", limits::EVENTS.max)));
    }
    let went = run.timeline.go(most, &mut run.breakpoints);
    let changed = went.noticed.into_iter().map(|change| ChangedBody {
        number: change.number,
        expression: change.text,
        before: change.before,
        now: change.now,
        at: change.at,
    });
    let changed = changed.collect();
    moved(run, from, &went.stop, 0, changed)
}

/// Take a step, or several.
pub fn step(run: &mut OpenRun, Count { count }: Count) -> Answer {
    let count = limits::STEPS.checked(count)?;
    if count == 0 {
        return moved(run, run.timeline.at(), &Stop::Done, 0, Vec::new());
    }
    go(run, count)
}

/// Take steps up to the end of the run, or a reason to stop.
pub fn run_on(run: &mut OpenRun, Most { most }: Most) -> Answer {
    let most = limits::RUN.checked(most)?;
    go(run, most.max(1))
}

/// Go back.
pub fn back(run: &mut OpenRun, Count { count }: Count) -> Answer {
    let count = limits::STEPS.checked(count)?;
    let from = run.timeline.at();
    run.timeline.back(count)?;
    moved(run, from, &Stop::Done, 0, Vec::new())
}

/// Go to a recorded position.
pub fn goto(run: &mut OpenRun, At { position }: At) -> Answer {
    let from = run.timeline.at();
    run.goto(position)?;
    moved(run, from, &Stop::Done, 0, Vec::new())
}

#[derive(Serialize)]
struct Enabled {
    at: usize,
    steps: Vec<EnabledStep>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    some_delays: bool,
}

#[derive(Serialize)]
struct EnabledStep {
    index: usize,
    event: events::EventBody,
    aborts: Option<String>,
}

/// List the enabled steps.
pub fn enabled(run: &mut OpenRun, Most { most }: Most) -> Answer {
    let most = limits::ENABLED.checked(most)?;
    let possible = run.timeline.possible(most as usize);
    let cut = possible.cut.then(|| match possible.steps {
        1 => "some choices of this step".to_string(),
        steps => format!("some of {steps} steps and their choices"),
    });
    let instance = run.timeline.instance();
    let aborts: Vec<Option<String>> = possible.list.iter().map(|step| step.aborts.clone()).collect();
    let told = possible.list.into_iter().map(|step| NarratedStep { event: step.told, action: step.action });
    // Steps are alternatives, not a sequence: none is the heading of another.
    let bodies = told.flat_map(|step| events::described(instance, &run.texts, &header(run), vec![step], 0));
    let steps = bodies.zip(aborts).enumerate();
    answer(&Enabled {
        at: run.timeline.at(),
        steps: steps.map(|(index, (event, aborts))| EnabledStep { index, event, aborts }).collect(),
        total: possible.steps,
        cut,
        some_delays: possible.some_waits,
    })
}

/// Take an enabled step.
pub fn fire(run: &mut OpenRun, request: Fire) -> Answer {
    let from = run.timeline.at();
    let (stop, removed) = take(run, request)?;
    moved(run, from, &stop, removed, Vec::new())
}

/// Describe an enabled step and further steps of the scheduler, and leave the run as it was.
pub fn what_if(run: &mut OpenRun, WhatIf { index, at, count }: WhatIf) -> Answer {
    let count = count.map(|count| limits::STEPS.check(count).map(|()| count)).transpose()?.unwrap_or(0);
    let (from, here) = (run.timeline.at(), run.timeline.branch().to_string());
    // No branch of a user contains a blank.
    let name = "what if";
    run.timeline.fork(name);
    let answered = take(run, Fire { index, at }).and_then(|(stop, _)| {
        let room = limits::EVENTS.max.saturating_sub(run.timeline.at() as u64);
        let stop = match stop {
            Stop::Done if count > 0 => run.timeline.go(count.min(room), &mut Breakpoints::default()).stop,
            stop => stop,
        };
        moved(run, from, &stop, 0, Vec::new())
    });
    run.timeline.switch(&here)?;
    run.timeline.discard(name);
    answered
}

/// Take an enabled step; return the reason for stopping, and the number of recorded events that it removed.
fn take(run: &mut OpenRun, Fire { index, at }: Fire) -> Result<(Stop, usize), Failure> {
    let from = run.timeline.at();
    if let Some(at) = at.filter(|at| *at != from as u64) {
        return Err(Failure::new(format!(
            "the steps were listed at position {at}, but the cursor is at {from}"
        ))
        .hint("`enabled` lists the steps of this position"));
    }
    limits::ENABLED.check(index)?;
    limits::EVENTS.check(from as u64 + 1)?;
    let possible = run.timeline.possible(limits::ENABLED.max as usize);
    let Some(chosen) = possible.list.get(index as usize) else {
        return Err(Failure::new(match possible.list.len() {
            0 => "no step is enabled here".into(),
            1 => format!("there is no step {index}: only step 0"),
            count => format!("there is no step {index}: only 0 to {}", count - 1),
        })
        .hint("`enabled` lists the steps"));
    };
    let event = chosen.event.clone();
    let broken = run.timeline.broken();
    let removed = match run.timeline.fire(&event) {
        Ok(removed) => removed,
        Err(StepError::Aborted(abort)) => return Ok((Stop::Aborted(abort), 0)),
        Err(error) => return Err(error.into()),
    };
    let stop = match run.timeline.broken() > broken {
        true => Stop::Violated(run.timeline.violated()),
        false => Stop::Done,
    };
    Ok((stop, removed))
}

/// Begin another branch.
pub fn fork(run: &mut OpenRun, BranchName { name }: BranchName) -> Answer {
    limits::BRANCHES.check(run.timeline.branches().count() as u64 + 1)?;
    let mut name = name.unwrap_or_default();
    if name.contains(char::is_whitespace) || name.len() > 60 {
        return Err(Failure::new("the name of a branch is one word"));
    }
    if run.timeline.has_branch(&name) {
        return Err(Failure::new(format!("there is a branch {name} already")).hint("`switch` goes to it"));
    }
    while name.is_empty() || run.timeline.has_branch(&name) {
        run.forks += 1;
        name = format!("fork{}", run.forks);
    }
    let at = run.timeline.at();
    run.timeline.fork(&name);
    moved(run, at, &Stop::Done, 0, Vec::new())
}

/// Go to another branch.
pub fn switch(run: &mut OpenRun, BranchName { name }: BranchName) -> Answer {
    let Some(name) = name else { return Err(Failure::new("switch: missing field `name`")) };
    if !run.timeline.has_branch(&name) {
        let known: Vec<String> = run.timeline.branches().map(|(name, _)| name.to_string()).collect();
        return Err(Failure::unknown("branch", &name, &known));
    }
    if name != run.timeline.branch() {
        run.timeline.switch(&name)?;
    }
    moved(run, run.timeline.at(), &Stop::Done, 0, Vec::new())
}

#[derive(Serialize)]
struct Branches {
    branches: Vec<BranchBody>,
}

#[derive(Serialize)]
struct BranchBody {
    name: String,
    at: usize,
    length: usize,
    current: bool,
}

/// List the branches.
pub fn branches(run: &OpenRun) -> Answer {
    let own = BranchBody {
        name: run.timeline.branch().into(),
        at: run.timeline.at(),
        length: run.timeline.events().len(),
        current: true,
    };
    let other = |(name, branch): (&str, &crate::session::timeline::Branch)| BranchBody {
        name: name.into(),
        at: branch.at,
        length: branch.events.len(),
        current: false,
    };
    let mut branches: Vec<BranchBody> = run.timeline.branches().map(other).collect();
    branches.push(own);
    branches.sort_by(|a, b| a.name.cmp(&b.name));
    answer(&Branches { branches })
}

/// Choose later steps by another scheduler.
pub fn schedule(run: &mut OpenRun, ScheduleFields { schedule, seed }: ScheduleFields) -> Answer {
    let schedule = instances::schedule(Some(&schedule), false)?;
    let seed = seed.unwrap_or(run.timeline.seed());
    run.timeline.choose_by(schedule, seed);
    moved(run, run.timeline.at(), &Stop::Done, 0, Vec::new())
}
