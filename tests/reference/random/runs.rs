//! Single runs, which must be paths of the explored graph.

use crate::random::compare::any;
use crate::random::examine::{Examined, Finding};
use crate::random::graph::Graph;
use synod::internals::explore::{Exploration, ViolationKind};
use synod::internals::instance::Instance;
use synod::internals::property::Judgement;
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::{Observer, Outcome, Schedule, SimulateOptions, simulate};
use synod::internals::trace::Trace;

const MOST_STEPS: u64 = 200;

/// The same where a client calls operations for ever: quantifiers over the history take most of the time.
const MOST_STEPS_ENDLESS: u64 = 40;

struct InGraph<'g> {
    graph: &'g Graph,
    outside: Option<Event>,
}

impl Observer for InGraph<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        _: &Effects,
        configuration: &Configuration,
        _: &Metrics,
    ) -> bool {
        if !self.graph.contains(instance, configuration) {
            self.outside = Some(event.clone());
        }
        self.outside.is_none()
    }
}

pub fn check(
    instance: &Instance,
    base: &Exploration,
    graph: Option<&Graph>,
    is_endless: bool,
    examined: &mut Examined,
) {
    let max_steps = Some(if is_endless { MOST_STEPS_ENDLESS } else { MOST_STEPS });
    for schedule in Schedule::ALL {
        let seeds = if matches!(schedule, Schedule::Random | Schedule::Priorities) { 3 } else { 1 };
        for seed in 0..seeds {
            let options = SimulateOptions { schedule, seed, max_steps, ..SimulateOptions::default() };
            one(instance, base, &options, examined);
            let Some(graph) = graph else { continue };
            let mut in_graph = InGraph { graph, outside: None };
            simulate(instance, &options, &mut in_graph);
            if let Some(event) = in_graph.outside {
                let message =
                    format!("run --schedule {} --seed {seed} leaves the graph: {event:?}", schedule.as_str());
                examined.findings.push(Finding::new("run outside the graph", message));
            }
        }
    }
}

fn one(instance: &Instance, base: &Exploration, options: &SimulateOptions, examined: &mut Examined) {
    let mut add = |what: String, message: String| {
        let message =
            format!("run --schedule {} --seed {}: {message}", options.schedule.as_str(), options.seed);
        examined.findings.push(Finding::new(format!("run {what}"), message));
    };
    let seen = run_monitored(instance, None, Keep::Always, options.schedule.as_str(), options);
    if let Some(trace) = &seen.trace {
        match Trace::read(&trace.to_text()) {
            Ok(again) if again == *trace => {
                let replayed = again.replay(instance);
                if !replayed.reproduced() {
                    add("trace".into(), format!("its trace is not reproduced: {}", replayed.summary()));
                }
            }
            Ok(_) => add("trace".into(), "its trace changes when it is written and read".into()),
            Err(why) => add("trace".into(), format!("its trace cannot be read: {why:?}")),
        }
    }
    if base.stopped_by.is_some() {
        return;
    }
    for (verdict, all) in seen.verdicts.iter().zip(&base.verdicts) {
        // A search beyond its limit decides nothing.
        let may_be = |judgement| matches!(judgement, Judgement::Violated | Judgement::Pending);
        if verdict.judgement == Judgement::Violated && !may_be(all.judgement) {
            add(
                format!("violates {:?} that {}", verdict.kind, all.judgement.as_str()),
                format!(
                    "violates {} ({}), exploration: {} ({})",
                    verdict.name,
                    verdict.why,
                    all.judgement.as_str(),
                    all.why
                ),
            );
        }
    }
    match &seen.run.outcome {
        Outcome::Aborted(abort) if !any(base, |w| matches!(w, ViolationKind::Aborted(_))) => {
            add("aborts".into(), format!("aborts ({}), exploration does not", abort.message));
        }
        Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => {
            let word = seen.run.outcome.as_str();
            if !base.ends.iter().any(|end| end.outcome == word) {
                add("outcome".into(), format!("ends {word}, exploration has no such end"));
            }
        }
        _ => {}
    }
}
