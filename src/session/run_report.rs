//! Construction of the report of a run.

use super::watched::{Keep, MonitoredRun};
use crate::explore::port_seed;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{ExprKind, HALTED, PC, Slot, Value, Variable};
use crate::property::{Judgement, Verdict, violates_waived_finally};
use crate::prose;
use crate::report::{
    Blocked, Counts, CrashedWithin, MessageCounts, NetworkReport, OperationReport, ProcessReport, Processes,
    PropertyReport, Report, SCHEMA, VariableReport, Variables, Verdict as Word,
};
use crate::semantics::eval::{self, World};
use crate::semantics::{Abort, Configuration, History, Metrics};
use crate::simulate::{Outcome, Run, Stuck, blocked_by, describe_down};
use crate::trace::hash;
use crate::trace::show::Show;
use crate::trace::{Change, End, Header};
use rustc_hash::FxHashMap;

/// Return the report of a run.
pub fn report<'r>(
    instance: &'r Instance,
    watched: &'r MonitoredRun,
    schedule: &str,
    seed: u64,
) -> Report<'r> {
    let run = &watched.run;
    let header = Header::of(instance, &[], schedule, seed);
    Report {
        schema: SCHEMA,
        command: "run",
        algorithm: header.algorithm,
        network: NetworkReport {
            topology: instance.network.topology().into(),
            n: instance.n().into(),
            ids: instance.network.ids().to_vec(),
            port_seed: port_seed(instance),
        },
        faults: header.faults,
        params: header.params.into_iter().map(|p| Change { name: p.name, value: p.value }).collect(),
        seed,
        schedule: schedule.into(),
        outcome: watched.end(),
        repeats_from: watched.repeats.as_ref().filter(|cycle| cycle.unfair.is_none()).map(|cycle| cycle.from),
        blocked: blocked(instance, run),
        explanation: why_ended(instance, watched),
        steps: run.steps,
        messages: messages(instance, &run.metrics),
        bits: run.metrics.total_bits(),
        time: run.metrics.time.into(),
        elapsed: instance.is_timed().then(|| run.configuration.now()),
        rounds: instance.model.has_rounds().then_some(run.metrics.rounds),
        moves: instance.model.has_state_reading().then_some(run.metrics.moves),
        processes: Processes::new(instance.n(), |p| {
            let history = History::default();
            let world = World { configuration: &run.configuration, metrics: &run.metrics, history: &history };
            process(instance, world, p)
        }),
        properties: watched.verdicts.iter().map(|verdict| property(instance, verdict)).collect(),
        operations: operations(instance, &run.metrics),
        trace_hash: watched
            .trace
            .as_ref()
            .filter(|_| watched.keep == Keep::Always)
            .map(|trace| hash::show(trace.hash())),
    }
}

/// Explain the outcome of a monitored run, unless it needs no explanation.
pub fn why_ended(instance: &Instance, watched: &MonitoredRun) -> Vec<String> {
    if let Some(cycle) = &watched.repeats {
        return cycle.explanation();
    }
    let pending = || watched.verdicts.iter().any(|verdict| verdict.judgement == Judgement::Pending);
    match watched.end() {
        End::Settled if pending() => vec![UNDECIDED.into()],
        End::Settled => vec![SETTLED.into()],
        _ => why_stopped(instance, &watched.run.outcome, &watched.run.configuration),
    }
}

/// Explain an outcome in its final configuration, unless it needs no explanation.
pub fn why_stopped(instance: &Instance, outcome: &Outcome, configuration: &Configuration) -> Vec<String> {
    let down = match outcome {
        Outcome::Stuck(stuck) => describe_down(&blocked_by(instance, configuration, stuck)),
        _ => None,
    };
    let lines = down.into_iter().chain(explanation(instance, outcome));
    lines.map(|line| prose::with_names(&line, instance.names()).into_owned()).collect()
}

/// Explain an outcome in one line: processes that are down, and the first reason.
pub fn one_line_explanation(instance: &Instance, run: &Run) -> Option<String> {
    let mut why = why_stopped(instance, &run.outcome, &run.configuration);
    why.truncate(if blocked(instance, run).is_some() { 2 } else { 1 });
    Some(why.join("; ")).filter(|why| !why.is_empty())
}

/// Return the processes that block a stuck run, if any.
pub fn blocked(instance: &Instance, run: &Run) -> Option<Blocked> {
    let Outcome::Stuck(stuck) = &run.outcome else { return None };
    let down = blocked_by(instance, &run.configuration, stuck);
    (!down.is_empty())
        .then(|| Blocked { down, given_up: violates_waived_finally(instance, &run.configuration) })
}

/// Explanation of a settled run in which everything is decided.
const SETTLED: &str =
    "every liveness property is satisfied, and no property concerns an end; --max-steps makes the run longer";

/// Explanation of a settled run with pending properties.
const UNDECIDED: &str =
    "a longer run is unlikely to decide the pending properties; --max-steps makes it longer";

/// Explain an outcome, unless it needs no explanation.
pub fn explanation(instance: &Instance, outcome: &Outcome) -> Vec<String> {
    let place = |span| instance.program.sources.place(span);
    match outcome {
        Outcome::Stuck(all) => {
            all.iter().map(|Stuck { why, place: at, .. }| format!("{why} ({})", place(*at))).collect()
        }
        Outcome::Limit => vec!["step limit reached; --max-steps changes it".into()],
        Outcome::Interrupted => vec!["the run was interrupted".into()],
        Outcome::Stopped => vec!["the recorded run ends here".into()],
        Outcome::Aborted(abort) => aborted(instance, abort),
        Outcome::Terminated | Outcome::Quiescent => Vec::new(),
    }
}

fn aborted(instance: &Instance, abort: &Abort) -> Vec<String> {
    let RuntimeError { what, place, variables, .. } = RuntimeError::of(instance, abort);
    let mut lines = vec![format!("{what} ({place})")];
    lines.extend(RuntimeError::variable_lines(&variables));
    lines
}

/// A run-time error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeError {
    /// Process and message: `p2: the head of an empty collection does not exist`.
    pub what: String,
    /// Place in the program: file, line and column.
    pub place: String,
    /// The message that the command takes: `M(1) from p0`; `None` if there is none, or it is unknown.
    pub message: Option<String>,
    /// Variables of the process before the command.
    pub variables: Vec<Change>,
}

impl RuntimeError {
    pub fn of(instance: &Instance, abort: &Abort) -> RuntimeError {
        let who = abort.process.map_or_else(String::new, |p| format!("{p}: "));
        let show = Show::new(&instance.program);
        let show = abort.process.map_or(show, |p| show.at(&instance.network, p));
        let variable =
            |(name, value): &(String, Value)| Change { name: name.clone(), value: show.value(value) };
        RuntimeError {
            what: format!("{who}{}", abort.message),
            place: instance.program.sources.place(abort.span),
            message: None,
            variables: abort.variables.iter().map(variable).collect(),
        }
    }

    /// Return the variables as lines: `state: q = [1, 1], small = 0`.
    pub fn variable_lines(variables: &[Change]) -> Vec<String> {
        let values = || variables.iter().map(|Change { name, value }| format!("{name} = {value}"));
        let together = values().collect::<Vec<_>>().join(", ");
        match together.chars().count() {
            0 => Vec::new(),
            letters if letters <= MOST_TOGETHER => vec![format!("state: {together}")],
            _ => values().map(|value| format!("state: {value}")).collect(),
        }
    }
}

/// Maximum length of variables on one line, in characters. Longer ones are on a line each, which can be truncated
/// separately.
const MOST_TOGETHER: usize = 100;

/// Return the messages sent, by kind.
pub fn messages(instance: &Instance, metrics: &Metrics) -> MessageCounts {
    let program = &instance.program;
    let show = Show::new(program);
    let name = |kind| match show.kind(kind) {
        name if name.is_empty() => "(value)".into(),
        name => name,
    };
    // A message type that is only sent inside others has no count of its own.
    let sent = program.kinds.iter().zip(&metrics.sent).map(|(kind, count)| (name(kind), *count));
    let mut layers = Vec::new();
    if program.lanes.len() > 1 {
        for (lane, number) in program.lanes.iter().zip(0u16..) {
            let own = program.kinds.iter().zip(&metrics.sent).filter(|(kind, _)| kind.lane == number);
            let label = if lane.name.is_empty() { &lane.algorithm } else { &lane.name };
            layers.push((label.clone(), own.map(|(_, count)| count).sum()));
        }
    }
    MessageCounts {
        total: metrics.messages(),
        to_self: metrics.self_messages(),
        sent: Counts(sent.collect()),
        layers: Counts(layers),
    }
}

/// Return the state of a process.
pub fn process(instance: &Instance, world: World<'_>, p: ProcessId) -> ProcessReport {
    let program = &instance.program;
    let role = &program.roles[instance.role_of(p)];
    let configuration = world.configuration;
    let show = Show::new(program).at(&instance.network, p);
    let words = configuration.words(p);
    let shown = show.process(instance.role_of(p), words, configuration.values(p));
    // Of several variables with one name, the first counts.
    let texts: FxHashMap<&str, &str> =
        shown.iter().rev().map(|(n, value)| (n.as_str(), value.as_str())).collect();
    let named = |value: &str| prose::with_names(value, instance.names()).into_owned();
    let text = |name: &str| texts.get(name).map(|value| named(value));
    let vars = role.vars.iter().filter(|v| !v.local).filter_map(|variable| {
        let name = role.shown_name(variable);
        let json = show.json(&value_of(configuration, p, variable));
        Some(VariableReport { text: text(&name)?, name, json })
    });
    let outputs = program.outputs.iter().filter_map(|output| {
        let value = eval::with_global_frame(instance, Some(world), |env| {
            env.words[output.process as usize] = p.0.into();
            eval::value(&output.value, env)
        });
        let name = output.name.clone();
        Some(match value {
            Ok(value) => VariableReport { name, text: named(&show.value(&value)), json: show.json(&value) },
            Err(_) if matches!(output.value.kind, ExprKind::Remote(..)) => {
                VariableReport { name, text: "unset".into(), json: show.json(&Value::None) }
            }
            // The properties that use a definition report its evaluation failure.
            Err(_) => return None,
        })
    });
    ProcessReport {
        index: p.0.into(),
        name: instance.network.process_name(p),
        id: instance.network.id(p),
        role: Some(role.name.clone()).filter(|name| !name.is_empty()),
        state: text("state"),
        halted: words[PC as usize] == HALTED,
        up: !configuration.crashed(p),
        vars: Variables(vars.collect()),
        outputs: Variables(outputs.collect()),
    }
}

fn value_of(configuration: &Configuration, p: ProcessId, variable: &Variable) -> Value {
    match variable.slot {
        Slot::Word(slot) => Value::from_word(&variable.ty, configuration.words(p)[slot as usize]),
        Slot::Value(slot) => configuration.values(p)[slot as usize].clone(),
    }
}

/// Return the verdict in reports for a judgement.
pub fn verdict_of(judgement: Judgement) -> Word {
    match judgement {
        Judgement::Holds => Word::Holds,
        Judgement::Violated => Word::Violated,
        Judgement::Pending => Word::Pending,
        Judgement::NotChecked => Word::NotChecked,
    }
}

/// Return the verdict of a property.
pub fn property(instance: &Instance, verdict: &Verdict) -> PropertyReport {
    PropertyReport {
        name: verdict.name.clone(),
        kind: verdict.kind,
        verdict: verdict_of(verdict.judgement),
        promised: verdict.promised,
        why: prose::with_names(&verdict.why.to_string(), instance.names()).into_owned(),
        never_true: verdict.never_true.clone(),
        at_event: verdict.at_event,
        crashed_within: verdict
            .crashed_within
            .map(|command| CrashedWithin::new(&command, &instance.program.sources)),
        place: Some(instance.program.sources.place(verdict.span)),
        span: Some(verdict.span),
    }
}

fn operations(instance: &Instance, metrics: &Metrics) -> Vec<OperationReport> {
    let all = instance.program.operations.iter().zip(&metrics.returns);
    let one = |(operation, completed): (&crate::ir::Operation, &u64)| OperationReport {
        name: operation.alias.as_ref().unwrap_or(&operation.name).clone(),
        completed: *completed,
        messages_per_operation: (*completed > 0).then(|| metrics.messages() as f64 / *completed as f64),
    };
    all.map(one).collect()
}
