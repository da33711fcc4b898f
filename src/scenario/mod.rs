//! Player of scenarios: executions such as those in the figures of papers, as tests.
//!
//! Lines do not block. After each line, the run continues, without the held messages, until no step is enabled. Clients act only
//! when told. If the scenario wakes processes, no process wakes up spontaneously.

pub mod alternatives;
mod player;
mod every_schedule;

pub use every_schedule::{ALL_LINES, for_every_schedule, line_of_expectation};

use crate::explore::port_seed;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Program, Scenario, ScenarioLine as Line, Slot, Value};
use crate::property::Verdict;
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, History, Metrics};
use crate::setup;
use crate::simulate::Outcome;
use crate::source::Span;
use crate::stop::StopSignal;
use player::Player;
use std::sync::Arc;

/// Result of playing a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioResult {
    pub name: String,
    pub span: Span,
    /// Empty: the scenario passed.
    pub failures: Vec<LineMessage>,
    /// Lines of a scenario that passed whose property held only because a premise never came true.
    pub notes: Vec<LineMessage>,
    /// Properties that were violated although no line expects it: a failure for each.
    pub unexpected: Vec<String>,
    /// The first violation: of a property that a line expects to hold or to be violated, or of one that is claimed on the way.
    pub violation: Option<Verdict>,
    /// The outcome after its last line; `None`: it could not be set up.
    pub outcome: Option<Outcome>,
    pub steps: u64,
    pub messages: u64,
    /// The first event of the cycle that the run repeats (a lasso).
    pub repeats_from: Option<u64>,
    /// The seed from which ports are numbered, if it can matter.
    pub port_seed: Option<u64>,
}

/// A message about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMessage {
    /// The line, or the scenario if it could not be set up.
    pub span: Span,
    /// One sentence without a full stop.
    pub message: String,
}

impl ScenarioResult {
    fn new(scenario: &Scenario) -> ScenarioResult {
        ScenarioResult {
            name: scenario.name.clone(),
            span: scenario.span,
            failures: Vec::new(),
            notes: Vec::new(),
            unexpected: Vec::new(),
            violation: None,
            outcome: None,
            steps: 0,
            messages: 0,
            repeats_from: None,
            port_seed: None,
        }
    }

    /// Return the result of a scenario that has no instance, for this reason.
    pub fn without_instance(scenario: &Scenario, failure: LineMessage) -> ScenarioResult {
        ScenarioResult { failures: vec![failure], ..ScenarioResult::new(scenario) }
    }

    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Observer of a scenario.
pub trait ScenarioObserver {
    /// The initial values have been set, and no process has started.
    fn begins(&mut self, _: &Configuration) {}
    /// A step has been taken.
    fn after(&mut self, _: &Instance, _: &Event, _: &Effects, _: &Configuration, _: &Metrics) {}
    /// A step has aborted.
    fn aborted(&mut self, _: &Event, _: &Effects, _: &Abort, _: &Configuration) {}
}

impl<F: FnMut(&Instance, &Event, &Effects, &Configuration, &Metrics)> ScenarioObserver for F {
    fn after(&mut self, i: &Instance, event: &Event, effects: &Effects, c: &Configuration, m: &Metrics) {
        self(i, event, effects, c, m);
    }
}

/// Play one scenario of the program. `observer` is notified of every step.
pub fn play(
    program: &Arc<Program>,
    scenario: &Scenario,
    stop: &StopSignal,
    mut observer: &mut dyn FnMut(&Instance, &Event, &Effects, &Configuration, &Metrics),
) -> ScenarioResult {
    match instance(program, scenario, stop) {
        Ok(instance) => play_on(&instance, scenario, &mut observer),
        Err(message) => ScenarioResult::without_instance(scenario, message),
    }
}

/// State that a line wakes a process for the second time.
fn has_already_woken(process: ProcessId) -> String {
    format!("{process} has already woken up")
}

/// Play a scenario on its instance: see [`instance`].
pub fn play_on(
    instance: &Instance,
    scenario: &Scenario,
    witness: &mut dyn ScenarioObserver,
) -> ScenarioResult {
    let mut played = ScenarioResult { port_seed: port_seed(instance), ..ScenarioResult::new(scenario) };
    Player::new(instance, scenario, witness).play(&mut played);
    played
}

/// Return the instance that the header and the `initially` lines specify.
///
/// # Errors
/// The reason why there is none, and the line that states it.
pub fn instance(
    program: &Arc<Program>,
    scenario: &Scenario,
    stop: &StopSignal,
) -> Result<Instance, LineMessage> {
    configured_instance(program, scenario, stop, true)
}

/// The same. `scripted`: see [`crate::instance::Settings`].
fn configured_instance(
    program: &Arc<Program>,
    scenario: &Scenario,
    stop: &StopSignal,
    scripted: bool,
) -> Result<Instance, LineMessage> {
    let mut instance = instance_of_header(program, scenario, stop, scripted)
        .map_err(|message| LineMessage { span: scenario.span, message })?;
    instance.initially = initial_values(&instance, scenario)?;
    Ok(instance)
}

/// Return the instance without initial values, but prepared for them.
fn instance_of_header(
    program: &Arc<Program>,
    scenario: &Scenario,
    stop: &StopSignal,
    scripted: bool,
) -> Result<Instance, String> {
    let mut wishes = setup::scenario_options(scenario).map_err(|e| e.to_string())?;
    wishes.settings.stop = stop.clone();
    wishes.settings.scripted = scripted;
    let gives = scenario.lines.iter().any(|(line, _)| matches!(line, Line::Initially { .. }));
    let program = &if gives { Arc::new(program.with_initial_overrides()) } else { program.clone() };
    let woken: Vec<ProcessId> = scenario
        .lines
        .iter()
        .filter_map(|(l, _)| match l {
            Line::Wake(list) => Some(list),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    if !woken.is_empty() && scenario.initiators.is_none() && !scenario.all_initiators {
        wishes.settings.initiators = Some(woken);
    }
    // Values of parameters may depend on the instance, so it must exist first.
    let plain = setup::instantiate(program, &wishes);
    if !scenario.params.is_empty() {
        let mut values = Vec::new();
        for (index, e) in &scenario.params {
            let name = program.params[*index as usize].name.clone();
            let value = match (&e.kind, &plain) {
                (crate::ir::ExprKind::Word(w), _) => Ok(Value::from_word(&e.ty, *w)),
                (crate::ir::ExprKind::Const(v), _) => Ok(v.clone()),
                (_, Ok(instance)) => eval::with_global_frame(instance, None, |env| eval::value(e, env)),
                (_, Err(error)) => return Err(error.to_string()),
            };
            values.push((name, value.map_err(|abort| abort.to_string())?));
        }
        wishes.settings.params = values;
    }
    let instance = if scenario.params.is_empty() { plain } else { setup::instantiate(program, &wishes) };
    let instance = instance.map_err(|e| e.to_string())?;
    let (named, n) = (scenario.names.len(), instance.n() as usize);
    if named > n {
        return Err(format!("{named} names for a network of {n} processes"));
    }
    for (line, _) in &scenario.lines {
        if let Some(p) = processes(line).into_iter().find(|p| p.index() >= n) {
            return Err(format!("no process {p}: the network has {n} processes, p0 to p{}", n - 1));
        }
    }
    Ok(instance)
}

/// Evaluate the initial values.
fn initial_values(
    instance: &Instance,
    scenario: &Scenario,
) -> Result<Vec<(ProcessId, Slot, Value)>, LineMessage> {
    let (metrics, history) = (Metrics::default(), History::default());
    let mut configuration = Configuration::initial(instance);
    let mut found = Vec::new();
    for (line, span) in &scenario.lines {
        let Line::Initially { process, slots, value } = line else { continue };
        let failed = |message: String| LineMessage { span: *span, message };
        let Some(slot) = slots[instance.role_of(*process)] else {
            return Err(failed(format!("{process} has no such variable")));
        };
        let world = World { configuration: &configuration, metrics: &metrics, history: &history };
        let value = eval::with_global_frame(instance, Some(world), |env| eval::value(value, env))
            .map_err(|abort| failed(abort.to_string()))?;
        configuration.set(*process, slot, &value);
        found.push((*process, slot, value));
    }
    Ok(found)
}

fn processes(line: &Line) -> Vec<ProcessId> {
    match line {
        Line::Initially { process, .. } | Line::Act { process, .. } => vec![*process],
        Line::Hold { from, to, .. } => from.iter().chain(to).copied().collect(),
        Line::Release { link } => link.iter().flat_map(|(a, b)| [*a, *b]).collect(),
        Line::Deliver { from, to, .. } | Line::Note { from, to, .. } => vec![*from, *to],
        Line::Wake(list) | Line::Step(list) => list.clone(),
        Line::Crash { process, before } => {
            let to = before.iter().flat_map(|(_, to)| to).copied();
            to.chain([*process]).collect()
        }
        Line::Restart(process) | Line::Mislead(process) | Line::Expire(process) => vec![*process],
        Line::Choose { process, .. } => vec![*process],
        Line::Suspect { process, at, .. } => vec![*process, *at],
        Line::Lose { from, to, .. }
        | Line::Duplicate { from, to, .. }
        | Line::Cut { from, to }
        | Line::Delay { from, to, .. } => vec![*from, *to],
        Line::Cycle | Line::ExpectCycleClosed => vec![],
        Line::Expect(_) | Line::ExpectVerdict { .. } | Line::ExpectOutcome(_) | Line::AdvanceTo(_) => vec![],
    }
}
