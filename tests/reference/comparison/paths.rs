//! *Meaning*: «The program, the instance and these choices determine the run.» A run of Synod must be a path of the specification's graph,
//! and have its costs.
//!
//! Steps are compared by the processes that take part, their actions, and the configurations around them. Several steps of the specification
//! may look alike, since locals are not shown: all of them are followed.

use crate::comparison::shown::Shown;
use crate::properties::observer::{Count, Seen, Watch, follow};
use crate::specification::configuration::Configuration;
use crate::specification::graph::{Action, Edge, Graph, Target};
use crate::specification::network::System;
use crate::specification::value::Value;
use std::collections::BTreeSet;
use std::mem::take;
use synod::internals::ids::ChannelId;
use synod::internals::instance::{ExecutionModel, Instance};
use synod::internals::semantics::event::{Cause, Effects, Event};
use synod::internals::semantics::{Abort, Metrics};
use synod::internals::simulate::{Observer, Outcome, Run, SimulateOptions, simulate};

/// The greatest number of positions that are followed at the same time.
const MOST_PLACES: usize = 200;

/// A position in the graph, None before the start, with the costs so far.
type Place = (Option<usize>, Seen<Value>);

/// A process and its action in a step, in a form that Synod and the specification share.
type Deed = (usize, String);

/// The action of an interaction whose guard aborts before a partner is chosen.
const MEETS_UNKNOWN: &str = "meet";

/// Test whether an action of a run may be that of a step of the specification.
fn is_of(of_step: &Deed, of_run: &Deed) -> bool {
    let meets = of_run.1 == MEETS_UNKNOWN && of_step.1.starts_with(MEETS_UNKNOWN);
    of_step.0 == of_run.0 && (of_step.1 == of_run.1 || meets)
}

/// A run of Synod, followed in the graph of the specification.
pub struct Followed<'g> {
    system: &'g System,
    graph: &'g Graph<Configuration, Value>,
    shown: &'g [Shown],
    watch: Watch,
    places: BTreeSet<Place>,
    /// The parts of a joint step so far.
    deeds: Vec<Deed>,
    steps: usize,
    pub wrong: Option<String>,
    too_many: bool,
}

/// The counts that are compared.
fn counts(system: &System) -> Vec<Count> {
    let bits = crate::specification::bits::are_stated(system).then_some(Count::Bits(Vec::new()));
    [Count::Messages(Vec::new()), Count::MessagesToSelf(Vec::new()), Count::Rounds]
        .into_iter()
        .chain(bits)
        .collect()
}

/// Return what Synod reports for a count.
fn reported(count: &Count, metrics: &Metrics) -> u64 {
    match count {
        Count::Messages(_) => metrics.messages(),
        Count::MessagesToSelf(_) => metrics.self_messages(),
        Count::Bits(_) => metrics.total_bits(),
        Count::Rounds => metrics.rounds,
        Count::Returns(_) => metrics.returns.iter().sum(),
    }
}

impl<'g> Followed<'g> {
    pub fn new(
        system: &'g System,
        graph: &'g Graph<Configuration, Value>,
        shown: &'g [Shown],
    ) -> Followed<'g> {
        let watch = Watch { counts: counts(system).into_iter().collect(), time: true, ..Watch::default() };
        let places = BTreeSet::from([(None, Seen::starting(&watch, system.n()))]);
        let (deeds, steps, wrong, too_many) = (Vec::new(), 0, None, false);
        Followed { system, graph, shown, watch, places, deeds, steps, wrong, too_many }
    }

    /// Return all steps that begin where the run may be, with the costs before them.
    fn steps(&self) -> impl Iterator<Item = (&'g Edge<Value>, &Seen<Value>)> {
        let of = |at: &Option<usize>| at.map_or(&self.graph.starts, |at| &self.graph.steps[at]);
        self.places.iter().flat_map(move |(at, seen)| of(at).iter().map(move |edge| (edge, seen)))
    }

    fn step(
        &mut self,
        instance: &Instance,
        now: &synod::internals::semantics::Configuration,
        metrics: &Metrics,
    ) {
        let (deeds, to) = (take(&mut self.deeds), Shown::of_synod(instance, now));
        let is_alike = |edge: &Edge<Value>| deeds_of(edge) == deeds;
        let mut next = BTreeSet::new();
        for (edge, seen) in self.steps().filter(|(edge, _)| is_alike(edge)) {
            let Some(at) = edge.to().filter(|at| self.shown[*at] == to) else { continue };
            let all = follow(self.graph, &self.watch, seen, edge).into_iter();
            next.extend(all.map(|(_, seen)| (Some(at), seen)));
            if next.len() > MOST_PLACES {
                break;
            }
        }
        if next.len() > MOST_PLACES {
            self.too_many = true;
            return;
        }
        let place = format!("step {} {deeds:?}", self.steps);
        if next.is_empty() {
            let alike = self.steps().filter(|(edge, _)| is_alike(edge));
            let wanted = alike.filter_map(|(edge, _)| Some(self.shown[edge.to()?].difference(&to)));
            let wanted: BTreeSet<String> = wanted.collect();
            let all: BTreeSet<_> = self.steps().map(|(edge, _)| deeds_of(edge)).collect();
            self.wrong =
                Some(format!("{place} is no step of the specification: {wanted:?}; there are {all:?}"));
            return;
        }
        let costs = |seen: &Seen<Value>| {
            let counts = seen.counts.iter().map(|(count, number)| (count.clone(), *number));
            (counts.collect::<Vec<_>>(), seen.time)
        };
        let counts = self.watch.counts.iter().map(|count| (count.clone(), reported(count, metrics)));
        let right = (counts.collect::<Vec<_>>(), u64::from(metrics.time));
        let all: BTreeSet<_> = next.iter().map(|(_, seen)| costs(seen)).collect();
        next.retain(|(_, seen)| costs(seen) == right);
        if next.is_empty() {
            self.wrong = Some(format!("after {place} Synod counts {right:?}, the specification {all:?}"));
        }
        self.steps += 1;
        self.places = next;
    }

    /// Check the end of a run.
    fn finish(&mut self, run: &Run) {
        let ends = |(at, _): &Place| {
            let Some(at) = *at else { return false };
            let configuration = &self.graph.configurations[at];
            self.graph.is_end(at)
                && crate::specification::ends::outcome(self.system, configuration).word()
                    == run.outcome.as_str()
        };
        let is_over = matches!(run.outcome, Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_));
        if self.wrong.is_none() && !self.too_many && is_over && !self.places.iter().any(ends) {
            self.wrong = Some(format!("{} is no end of the specification", run.outcome.as_str()));
        }
    }
}

impl Observer for Followed<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &synod::internals::semantics::Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.deeds.push(caused(instance, event, effects));
        if !configuration.in_joint_step() && configuration.next_to_start().is_none() {
            self.step(instance, configuration, metrics);
        }
        self.wrong.is_none() && !self.too_many
    }

    fn aborted(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        abort: &Abort,
        _: &synod::internals::semantics::Configuration,
    ) {
        self.deeds.push(caused(instance, event, effects));
        let aborts = |edge: &Edge<Value>| {
            let deeds = deeds_of(edge);
            matches!(edge.target, Target::Abort(_))
                && deeds.len() == self.deeds.len()
                && deeds.iter().zip(&self.deeds).all(|(of_edge, of_run)| is_of(of_edge, of_run))
        };
        if !self.steps().any(|(edge, _)| aborts(edge)) {
            let message = format!("{:?} does not abort ({})", self.deeds, abort.message);
            self.wrong = Some(message);
        }
    }
}

fn deeds_of(edge: &Edge<Value>) -> Vec<Deed> {
    edge.parts.iter().map(|part| (part.process, deed(&part.action))).collect()
}

fn deed(action: &Action<Value>) -> String {
    match action {
        Action::Start => "start".into(),
        Action::Deliver(channel, _) => format!("deliver from p{}", channel.from),
        Action::Gather(_) => "gather".into(),
        Action::Alone(_) => "go on".into(),
        Action::Round => "end the round".into(),
        Action::Interact(with, _) => format!("meet p{with}"),
        Action::Suspect(of) | Action::SuspectWrongly(of) => format!("suspect p{of}"),
        Action::Trust(of) => format!("trust p{of}"),
        Action::Mislead => "mislead".into(),
        Action::SetRight => "set right".into(),
        Action::Crash => "crash".into(),
        Action::Restart => "restart".into(),
        Action::Lose(channel, _) => format!("lose from p{}", channel.from),
        Action::Duplicate(channel, _) => format!("duplicate from p{}", channel.from),
        Action::Cut(to, _) => format!("cut to p{to}"),
    }
}

fn caused(instance: &Instance, event: &Event, effects: &Effects) -> Deed {
    let from = |channel: ChannelId| instance.sender(channel);
    let deed = match event.cause {
        Cause::Start => "start".into(),
        Cause::Deliver { channel, .. } => format!("deliver from {}", from(channel)),
        Cause::Gather => "gather".into(),
        Cause::Round { .. } => "end the round".into(),
        Cause::Internal if instance.model.execution == ExecutionModel::Pairs => {
            effects.responder.map_or(MEETS_UNKNOWN.into(), |q| format!("meet {q}"))
        }
        Cause::Internal | Cause::Move { .. } | Cause::Timeout | Cause::Wakeup => "go on".into(),
        Cause::Crash => "crash".into(),
        Cause::Restart => "restart".into(),
        Cause::Suspect { of } => format!("suspect {of}"),
        Cause::Trust { of } => format!("trust {of}"),
        Cause::Mislead => "mislead".into(),
        Cause::EndMislead => "set right".into(),
        Cause::Lose { channel, .. } => format!("lose from {}", from(channel)),
        Cause::Duplicate { channel, .. } => format!("duplicate from {}", from(channel)),
        Cause::Cut { link } => format!("cut to {}", instance.network.link(link).to),
        ref cause => format!("{cause:?}"),
    };
    // For Synod, a loss is an event of the receiver.
    let process = match event.cause {
        Cause::Lose { channel, .. } => from(channel),
        _ => event.process,
    };
    (process.index(), deed)
}

/// Return what is wrong with a run of these options, if anything, and the run.
pub fn followed(
    system: &System,
    graph: &Graph<Configuration, Value>,
    shown: &[Shown],
    instance: &Instance,
    options: &SimulateOptions,
) -> (Run, Option<String>) {
    let mut followed = Followed::new(system, graph, shown);
    let run = simulate(instance, options, &mut followed);
    followed.finish(&run);
    (run, followed.wrong)
}
