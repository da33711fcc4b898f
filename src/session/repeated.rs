//! Runs that end when they are known to repeat a cycle forever: the cycle decides what no longer run does.

use super::watched::{Keep, MonitoredRun, Monitors, RepeatedCycle};
use crate::explore::{Lasso, check_lasso};
use crate::instance::Instance;
use crate::property::{Judgement, Verdict};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Metrics};
use crate::simulate::{Cycle, Observer, Outcome, SimulateOptions, simulate};

/// Run an instance with monitors, as [`super::run_monitored`] does, and end the run if it repeats a cycle that decides pending
/// properties. The run is then made again, up to the end of the first cycle.
pub fn run_until_repeated(
    instance: &Instance,
    properties: Option<&[String]>,
    keep: Keep,
    schedule: &str,
    options: &SimulateOptions,
) -> MonitoredRun {
    let initial = Configuration::initial(instance);
    let monitors = || Monitors::new(instance, properties, keep, schedule, options.seed, &initial);
    let mut watchers = monitors();
    if options.max_steps.is_none() {
        watchers = watchers.until_settled(instance.n());
    }
    watch_until_repeated(instance, watchers, &monitors, options)
}

/// Run an instance with monitors until it ends, is settled, or is known to repeat a cycle; at the latest when every claimed `eventually`
/// has come true.
pub fn run_until_fulfilled(instance: &Instance, schedule: &str, options: &SimulateOptions) -> MonitoredRun {
    let initial = Configuration::initial(instance);
    let monitors = || Monitors::new(instance, None, Keep::Never, schedule, options.seed, &initial);
    let watchers = monitors().until_settled(instance.n()).until_fulfilled();
    watch_until_repeated(instance, watchers, &monitors, options)
}

/// Make a run with these watchers, which end it also when it is known to repeat a cycle. Then the run is made again with new monitors, up
/// to the end of the first cycle.
fn watch_until_repeated<'i>(
    instance: &'i Instance,
    watchers: Monitors<'i>,
    monitors: &dyn Fn() -> Monitors<'i>,
    options: &SimulateOptions,
) -> MonitoredRun {
    let mut watchers = watchers.until_repeated(instance, options);
    let run = simulate(instance, options, &mut watchers);
    // A limit may come before the first search.
    let cycle = match &run.outcome {
        Outcome::Stopped => watchers.cycle,
        Outcome::Limit => watchers.search_cycle(instance, &run.configuration, &run.metrics),
        _ => None,
    };
    match cycle {
        Some(cycle) => first_round(instance, cycle, monitors(), options),
        None => watchers.finish(instance, run),
    }
}

/// Make the run again up to the end of the first cycle, and decide pending properties.
fn first_round(
    instance: &Instance,
    cycle: Cycle,
    monitors: Monitors<'_>,
    options: &SimulateOptions,
) -> MonitoredRun {
    let Cycle { from, length } = cycle;
    let mut observer = WithEvents { monitors: monitors.settled(), events: Vec::new() };
    let options = SimulateOptions { max_steps: Some(from + length), ..*options };
    let mut run = simulate(instance, &options, &mut observer);
    let WithEvents { monitors, events } = observer;
    // The limit is the end of the cycle.
    run.outcome = match run.outcome {
        Outcome::Limit => Outcome::Stopped,
        other => other,
    };
    let mut watched = monitors.finish(instance, run);
    if !watched.settled {
        return watched;
    }
    let before = watched.verdicts.clone();
    let unfair = match check_lasso(instance, &events, from as usize, &mut watched.verdicts) {
        Lasso::Unfair(owed) => Some(owed.describe(|process| instance.network.process_name(process))),
        _ => None,
    };
    if let Some(trace) = watched.trace.as_mut().filter(|_| unfair.is_none()) {
        let violates = |(before, after): &(&Verdict, &Verdict)| {
            before.judgement == Judgement::Pending && after.judgement == Judgement::Violated
        };
        let violated = before.iter().zip(&watched.verdicts).filter(violates).map(|(_, after)| after);
        // Like a counterexample, the trace names one property, preferably a claimed one.
        let named = violated.min_by_key(|verdict| !verdict.promised);
        trace.header.repeats_from = Some(from);
        trace.header.violates = named.map(|verdict| verdict.name.clone());
    }
    watched.state_verdict();
    watched.repeats = Some(RepeatedCycle { from, unfair });
    watched
}

/// Monitors, and a list of all events.
struct WithEvents<'i> {
    monitors: Monitors<'i>,
    events: Vec<Event>,
}

impl Observer for WithEvents<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.events.push(event.clone());
        self.monitors.after(instance, event, effects, configuration, metrics)
    }

    fn aborted(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        abort: &Abort,
        configuration: &Configuration,
    ) {
        self.monitors.aborted(instance, event, effects, abort, configuration);
    }
}
