//! Model checking, and its counterexamples as runs.

use super::failure::Failure;
use super::instances::{CheckedText, InstanceFields, ValueField, instantiate};
use super::opening::Opened;
use super::run::{OpenRun, ViolationBody, follow};
use super::{Answer, Workbench, answer, limits};
use crate::explore::{Exploration, ExploreOptions, SearchOrder, explore};
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Program};
use crate::report::{NetworkReport, Verdict};
use crate::semantics::event::Event;
use crate::session::coverage::GuardBody;
use crate::session::questions::properties_exist;
use crate::session::search_report::{
    CounterexampleBody, DisagreementBody, ExplainedCounterexample, PropertyBody, Simplification, VerifyBody,
    ViolationName, explained, remark_on_notes, simplified, without_names,
};
use crate::session::timeline::Timeline;
use crate::setup::InstanceOptions;
use crate::simulate::Schedule;
use crate::verification::Found;
use crate::verification::default_network::{ExploredDefault, TooLarge, explore_default};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchFields {
    configurations: Option<u64>,
    megabytes: Option<u64>,
    depth: Option<u64>,
    #[serde(default)]
    keep_going: bool,
    #[serde(default)]
    surely: bool,
    #[serde(default)]
    smaller: bool,
    #[serde(default)]
    properties: Vec<String>,
    order: Option<String>,
    load: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    index: u64,
}

/// A counterexample of the last search, which can be opened.
pub struct FoundRun {
    checked: CheckedText,
    fields: InstanceFields,
    instance: Arc<Instance>,
    events: Vec<Event>,
    violation: ViolationBody,
}

#[derive(Serialize)]
struct VerifyAnswer<'b> {
    algorithm: &'b str,
    network: &'b NetworkReport,
    /// The default network that `network` replaces.
    too_large: Option<&'b TooLarge>,
    verdict: &'static str,
    summary: String,
    configurations: u64,
    between: u64,
    steps: u64,
    depth: u32,
    reduction: &'b [&'static str],
    cut: Option<&'static str>,
    every_run_ends: Option<bool>,
    given_up: bool,
    properties: Vec<PropertyAnswer<'b>>,
    ends: Vec<EndAnswer<'b>>,
    never_seen: &'b [String],
    never_taken: &'b [GuardBody],
    counterexamples: Vec<CounterexampleAnswer<'b>>,
    disagreements: Vec<String>,
    opened: Option<Opened>,
}

#[derive(Serialize)]
struct PropertyAnswer<'b> {
    name: &'b str,
    kind: &'static str,
    verdict: Verdict,
    /// The words for the verdict.
    text: &'static str,
    promised: bool,
    why: String,
    never_true: &'b [String],
    almost_surely: bool,
    least: Option<i64>,
    most: Option<i64>,
}

#[derive(Serialize)]
struct EndAnswer<'b> {
    outcome: &'static str,
    outputs: &'b str,
    configurations: u64,
}

#[derive(Serialize)]
struct CounterexampleAnswer<'b> {
    index: usize,
    shows: &'b str,
    what: ViolationName,
    why: &'b str,
    place: Option<&'b str>,
    topology: &'b str,
    ids: &'b [i64],
    events: u64,
    /// The event that violates the property.
    event: Option<u64>,
    past: &'b [u64],
    repeats_from: Option<u64>,
    left_out: u64,
    explanation: Vec<String>,
}

impl SearchFields {
    /// Return whether the request limits the search.
    fn is_limited(&self) -> bool {
        self.configurations.is_some() || self.megabytes.is_some() || self.depth.is_some()
    }

    fn options(&self, seed: u64) -> Result<ExploreOptions, Failure> {
        let order = match self.order.as_deref() {
            None | Some("breadth") => SearchOrder::Breadth,
            Some("depth") => SearchOrder::Depth,
            Some("random") => SearchOrder::Chance(seed),
            Some(other) => {
                let known = ["breadth", "depth", "random"].map(String::from);
                return Err(Failure::unknown("search order", other, &known));
            }
        };
        let megabytes = limits::MEGABYTES.checked(self.megabytes)?;
        let depth = self.depth.map(|depth| limits::DEPTH.check(depth).map(|()| depth as u32)).transpose()?;
        let bytes = (megabytes << 20).min(isize::MAX as u64) as usize;
        Ok(ExploreOptions {
            order,
            every_outcome: self.surely,
            keep_going: self.keep_going,
            max_configurations: limits::CONFIGURATIONS.checked(self.configurations)?.max(1),
            max_depth: depth,
            max_bytes: Some(bytes),
            ..ExploreOptions::default()
        })
    }
}

/// Model-check a program, and open the first counterexample.
pub fn verify(bench: &mut Workbench, fields: InstanceFields, search: SearchFields) -> Answer {
    let (checked, fields) = match (&fields.text, &bench.run) {
        (Some(text), _) => (CheckedText::new(fields.name.as_deref(), text)?, fields),
        (None, Some(run)) => (run.checked.clone(), run.fields.clone()),
        (None, None) => {
            return Err(Failure::new("verify: missing field `text`").hint("without it, a run must be open"));
        }
    };
    properties_exist(&checked.program, &search.properties)?;
    let options = fields.options(&checked.program, fields.on.as_deref(), &bench.stop)?;
    let options = InstanceOptions { to_explore: true, ..options };
    let explore_options = search.options(fields.seed())?;
    let instance = Arc::new(instantiate(&checked.program, &options)?);
    let names = Some(search.properties.as_slice()).filter(|names| !names.is_empty());
    let mut explore =
        |instance: &Instance, search: &ExploreOptions| explore(instance, names, search, &mut |_| None);
    let ExploredDefault { instance, options, mut exploration, too_large } = match fields.on {
        None if !search.is_limited() => {
            explore_default(instance, options, &explore_options, &|| bench.stop.is_set(), &mut explore)
        }
        _ => {
            let exploration = explore(&instance, &explore_options);
            ExploredDefault { instance, options, exploration, too_large: None }
        }
    };
    let mut fields = fields;
    for (name, value) in too_large.iter().flat_map(|too_large| &too_large.parameters) {
        fields.parameters.insert(name.clone(), ValueField::Number(*value));
    }
    let extent = Simplification {
        requested: &search.properties,
        on_smaller_networks: search.smaller,
        smallest: false,
    };
    let simplify = |counterexample| {
        let found = Found {
            counterexample,
            exploration: &exploration,
            instance: &instance,
            options: &options,
            search: &explore_options,
        };
        simplified(&found, &instance, extent, &mut |_, _| None)
    };
    let found: Vec<ExplainedCounterexample> = exploration.counterexamples.iter().map(simplify).collect();
    remark_on_notes(&checked.program, &mut exploration.verdicts);
    let body = report(&checked.program, &instance, &exploration, &found, &search.properties, fields.seed())
        .with_default(too_large, true);
    bench.found = found
        .iter()
        .zip(&body.counterexamples)
        .map(|(found, body)| FoundRun::new(&checked, &fields, found, body))
        .collect();
    let opened = match search.load != Some(false) && !bench.found.is_empty() {
        true => Some(load(bench, 0)?),
        false => None,
    };
    answer(&VerifyAnswer::new(&body, opened))
}

/// Return the report of the search, without times.
fn report(
    program: &Program,
    instance: &Instance,
    exploration: &Exploration,
    found: &[ExplainedCounterexample],
    requested: &[String],
    seed: u64,
) -> VerifyBody {
    VerifyBody::new(program, instance, exploration, found, requested, (None, 0.0))
        .with_disagreements(DisagreementBody::all(instance, exploration, seed, &[]))
}

/// Open a counterexample of the last search.
pub fn counterexample(bench: &mut Workbench, Index { index }: Index) -> Answer {
    let index = usize::try_from(index).ok().filter(|index| *index < bench.found.len());
    let Some(index) = index else {
        return Err(Failure::new(match bench.found.len() {
            0 => "there is no counterexample".into(),
            count => format!("counterexamples are 0 to {}", count - 1),
        }));
    };
    answer(&load(bench, index)?)
}

fn load(bench: &mut Workbench, index: usize) -> Result<Opened, Failure> {
    let mut run = bench.found[index].open()?;
    let opened = Opened::new(&mut run);
    bench.run = Some(run);
    Ok(opened)
}

impl FoundRun {
    fn new(
        checked: &CheckedText,
        fields: &InstanceFields,
        found: &ExplainedCounterexample,
        body: &CounterexampleBody,
    ) -> FoundRun {
        let event = body.flipped_by.as_ref().map(|flip| flip.event).or(body.exceeded_by);
        let on = found.instance.network.topology().to_string();
        FoundRun {
            checked: checked.clone(),
            fields: InstanceFields { on: Some(on), ..fields.clone() },
            instance: found.instance.clone(),
            events: found.counterexample.events.clone(),
            violation: ViolationBody {
                property: body.shows.clone(),
                event,
                repeats_from: body.repeats_from,
                text: body.to_string(),
            },
        }
    }

    /// Open the run before the violating event, or at its end.
    fn open(&self) -> Result<OpenRun, Failure> {
        let seed = self.fields.seed.unwrap_or(DEFAULT_SEED);
        let mut timeline = Timeline::new(self.instance.clone(), Schedule::Fifo, seed);
        follow(&mut timeline, self.events.iter().cloned())?;
        if let Some(event) = self.violation.event {
            timeline.goto(event as usize)?;
        }
        let mut run = OpenRun::new(self.checked.clone(), self.fields.clone(), timeline);
        run.violation = Some(self.violation.clone());
        Ok(run)
    }
}

impl<'b> VerifyAnswer<'b> {
    fn new(body: &'b VerifyBody, opened: Option<Opened>) -> VerifyAnswer<'b> {
        let property = |property: &'b PropertyBody| PropertyAnswer {
            name: &property.name,
            kind: property.kind,
            verdict: property.verdict,
            text: property.verdict_words(),
            promised: property.promised,
            why: property.to_string(),
            never_true: &property.never_true,
            almost_surely: property.almost_surely,
            least: property.least,
            most: property.most,
        };
        let ends = body.ends.iter().map(|end| EndAnswer {
            outcome: end.outcome,
            outputs: &end.outputs,
            configurations: end.configurations,
        });
        let counterexamples = body.counterexamples.iter().enumerate();
        VerifyAnswer {
            algorithm: &body.algorithm,
            network: &body.network,
            too_large: body.too_large.as_ref(),
            verdict: body.verdict,
            summary: body.summary(),
            configurations: body.configurations,
            between: body.between,
            steps: body.steps,
            depth: body.depth,
            reduction: &body.reduction,
            cut: body.cut,
            every_run_ends: body.every_run_ends,
            given_up: body.given_up,
            properties: body.properties.iter().map(property).collect(),
            ends: ends.collect(),
            never_seen: &body.never_seen,
            never_taken: &body.never_taken,
            counterexamples: counterexamples.map(CounterexampleAnswer::new).collect(),
            disagreements: body.disagreements.iter().map(DisagreementBody::message).collect(),
            opened,
        }
    }
}

impl<'b> CounterexampleAnswer<'b> {
    fn new((index, body): (usize, &'b CounterexampleBody)) -> CounterexampleAnswer<'b> {
        let mut explanation: Vec<String> = explained(body).iter().map(|part| without_names(part)).collect();
        explanation.extend(body.local_state_lines());
        CounterexampleAnswer {
            index,
            shows: &body.shows,
            what: body.what,
            why: &body.why,
            place: body.place.as_deref(),
            topology: &body.topology,
            ids: &body.ids,
            events: body.events,
            event: body.flipped_by.as_ref().map(|flip| flip.event).or(body.exceeded_by),
            past: &body.past,
            repeats_from: body.repeats_from,
            left_out: body.left_out.events,
            explanation,
        }
    }
}
