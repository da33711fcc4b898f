//! Export of a recorded run as a scenario for the source file: calls, message deliveries, faults, and times.

mod lines;
mod delays;
mod playable;

pub use self::playable::{CheckWith, playable_scenario};

use self::delays::delays;
use self::lines::{Lines, Moments};
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{DEFAULT_SEED, MESSAGES_SURVIVE, Op};
use crate::network::Spec;
use crate::prose;
use crate::semantics::event::{CRASH, Cause};
use crate::trace::show::Show;
use crate::trace::{Change, Trace, TraceEvent, given_values};
use std::fmt::Write;

/// The finding that the scenario demonstrates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioFinding {
    /// Names of properties that are violated at the end.
    Violated(Vec<String>),
    Stuck,
    Aborted,
    /// No finding: expressions that are true where the run stops.
    Expected(Vec<String>),
}

/// The way in which a scenario determines the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportMode {
    /// Messages are held and delivered one by one; in rounds, nothing is held. Everything else occurs spontaneously.
    Held,
    /// Like `Held`, but messages take as long as in the run.
    Delayed,
    /// A scripted schedule: the scenario determines every step.
    Scripted,
}

impl ExportMode {
    /// Return the modes that suit this run, the most readable first.
    pub fn of(instance: &Instance, trace: &Trace) -> &'static [ExportMode] {
        let endless = trace.header.repeats_from.is_some();
        match instance.model.execution {
            ExecutionModel::Rounds => &[ExportMode::Held],
            ExecutionModel::Single if instance.is_timed() && !endless => {
                &[ExportMode::Held, ExportMode::Delayed, ExportMode::Scripted]
            }
            ExecutionModel::Single if !endless => &[ExportMode::Held, ExportMode::Scripted],
            _ => &[ExportMode::Scripted],
        }
    }
}

/// Return the clauses of the scenario. Its lines state deliveries, choices, faults and times; only with a scripted
/// schedule can they state which process waits. Callers should play the scenario before they save it.
///
/// # Errors
/// One sentence without a full stop: no line can express some event of the run, or the stop signal of the instance is set.
pub fn export_scenario(
    instance: &Instance,
    trace: &Trace,
    name: &str,
    shows: &ScenarioFinding,
    way: ExportMode,
) -> Result<String, String> {
    let mut text = String::new();
    let held = instance.model.execution == ExecutionModel::Single && way == ExportMode::Held;
    let in_rounds = instance.model.rounds();
    for (process, Change { name, value }) in given_values(instance) {
        let value = with_named_ports(instance, process, &value)?;
        let _ = writeln!(text, "  initially {process}.{name} := {value}");
    }
    // Initial values are chosen first; a crash in the first commands is no such choice.
    let begins = |e: &&TraceEvent| {
        e.choice.cause == Cause::Start && e.choice.choices.first().is_some_and(|choice| *choice < CRASH)
    };
    for start in trace.events.iter().filter(begins) {
        for Change { name, value } in beginning(instance, trace, start) {
            let value = with_named_ports(instance, start.process, value)?;
            let _ = writeln!(text, "  initially {}.{name} := {value}", start.process);
        }
    }
    if held {
        let mut senders: Vec<ProcessId> =
            trace.events.iter().filter(|e| !e.sent.is_empty()).map(|e| e.process).collect();
        senders.sort_unstable();
        senders.dedup();
        for sender in senders {
            let _ = writeln!(text, "  hold {sender} -> *");
        }
    }
    let moments = match (instance.model.execution, instance.is_timed()) {
        (ExecutionModel::Rounds, _) => Moments::Rounds,
        (_, true) => Moments::Instants,
        _ => Moments::None,
    };
    let delays = if way == ExportMode::Delayed { Some(delays(trace)?) } else { None };
    let mut lines = Lines::new(instance, way, moments, delays);
    let from = trace.header.repeats_from;
    for event in &trace.events {
        if instance.stop.is_set() {
            return Err("the search for a scenario was interrupted".into());
        }
        if from == Some(event.index) {
            lines.cycle();
        }
        lines.add(event)?;
    }
    text += &lines.finish()?;
    if from.is_some() {
        text += "  expect again\n";
    }
    let names = ProcessNames::of(instance);
    let network = match Spec::parse(&trace.header.network) {
        Ok(_) => trace.header.network.clone(),
        // The name of a file.
        Err(_) => format!("\"{}\"", trace.header.network),
    };
    let settings = settings(instance, trace, &names, way);
    let lines = prose::with_names(&text, &names.all);
    let mut text = format!("scenario {name} on {network}{settings}\n{lines}");
    let lets_go = held || way == ExportMode::Scripted;
    match shows {
        ScenarioFinding::Violated(names) => {
            // The scenario of a run that has ended holds nothing back: a corrected program continues from here.
            if !trace.end.is_unfinished() && lets_go && from.is_none() {
                text += "  release\n";
            }
            for name in names {
                let _ = writeln!(text, "  expect {name} violated");
            }
        }
        ScenarioFinding::Stuck if in_rounds || !lets_go => text += "  expect outcome stuck\n",
        ScenarioFinding::Stuck => text += "  release\n  expect outcome stuck\n",
        ScenarioFinding::Aborted => text += "  expect outcome aborted\n",
        ScenarioFinding::Expected(all) => all.iter().for_each(|e| text += &format!("  expect {e}\n")),
    }
    Ok(text)
}

/// Return the values that variables with arbitrary initial values take at this start.
fn beginning<'t>(instance: &Instance, trace: &'t Trace, start: &'t TraceEvent) -> Vec<&'t Change> {
    let role = &instance.program.roles[instance.role_of(start.process)];
    let is_any = |change: &&Change| {
        let variable = role.vars.iter().find(|variable| variable.name == change.name);
        variable.is_some_and(|v| {
            role.code.iter().any(|op| matches!(op, Op::SetArbitrary(slot, _) if *slot == v.slot))
        })
    };
    let before = trace.header.initial.get(start.process.index()).into_iter().flatten();
    let unchanged = |change: &&Change| start.changes.iter().all(|other| other.name != change.name);
    start.changes.iter().filter(is_any).chain(before.filter(is_any).filter(unchanged)).collect()
}

/// Return a value of a process as a scenario writes it: a port is named by the processes at its ends.
///
/// # Errors
/// An earlier port leads to the same process.
fn with_named_ports(instance: &Instance, process: ProcessId, value: &str) -> Result<String, String> {
    let ports = instance.network.ports(process);
    let show = Show::new(&instance.program).at(&instance.network, process);
    let shown: Vec<String> = (0..ports.len()).map(|k| show.port(k as i64)).collect();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut text, mut rest) = (String::new(), value);
    let mut is_quoted = false;
    while let Some(first) = rest.chars().next() {
        is_quoted ^= first == '"' && !text.ends_with('\\');
        let begins = !text.ends_with(is_word);
        let is_here = |(_, port): &(usize, &String)| {
            begins
                && !is_quoted
                && rest.strip_prefix(port.as_str()).is_some_and(|after| !after.starts_with(is_word))
        };
        // `p1 (port 2)` is not `p1`.
        let here = shown.iter().enumerate().filter(is_here).max_by_key(|(_, port)| port.len());
        let Some((at, name)) = here else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        let peer = ports[at].peer;
        if ports[..at].iter().any(|port| port.peer == peer) {
            return Err(format!("no expression denotes the port {name} of {process}"));
        }
        let _ = write!(text, "port({process}, {peer})");
        rest = &rest[name.len()..];
    }
    Ok(text)
}

/// The names by which the lines call processes.
struct ProcessNames {
    /// Empty: p0, p1, …
    all: Vec<String>,
    /// Whether the scenario has to state them.
    are_stated: bool,
}

impl ProcessNames {
    fn of(instance: &Instance) -> ProcessNames {
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let is_identifier =
            |name: &String| name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
        let (names, of_file) = (instance.names(), instance.script.is_none());
        match names.iter().all(is_identifier) {
            // Expectations of a scenario use its names.
            true => ProcessNames { all: names.to_vec(), are_stated: !of_file },
            false => ProcessNames {
                all: instance.processes().map(|process| process.to_string()).collect(),
                are_stated: true,
            },
        }
    }

    fn name(&self, process: ProcessId) -> String {
        self.all.get(process.index()).map_or_else(|| process.to_string(), String::clone)
    }
}

/// Return the settings after `with`.
fn settings(instance: &Instance, trace: &Trace, names: &ProcessNames, way: ExportMode) -> String {
    let header = &trace.header;
    let mut with = Vec::new();
    if names.are_stated {
        with.push(format!("names [{}]", names.all.join(", ")));
    }
    let ascending: Vec<i64> = (1..=header.ids.len() as i64).collect();
    if header.ids != ascending && !instance.program.assumptions.anonymous {
        let ids: Vec<String> = header.ids.iter().map(i64::to_string).collect();
        with.push(format!("ids [{}]", ids.join(", ")));
    }
    if instance.program.assumptions.weights {
        let weights: Vec<String> = instance.network.edge_weights().iter().map(i64::to_string).collect();
        with.push(format!("weights [{}]", weights.join(", ")));
    }
    if !instance.program.assumptions.has_labels() && header.seed != DEFAULT_SEED {
        with.push(format!("seed {}", header.seed));
    }
    let wakes = trace.events.iter().any(|e| e.choice.cause == Cause::Wakeup);
    if instance.program.reads_initiator {
        with.push(match &header.initiators {
            None => "initiators all".into(),
            Some(list) if list.is_empty() => "initiators none".into(),
            Some(list) => {
                let names: Vec<String> = list.iter().map(|p| names.name(*p)).collect();
                format!("initiators [{}]", names.join(", "))
            }
        });
    } else if !wakes && instance.tables.iter().any(|table| table.wakes) {
        with.push("initiators none".into());
    }
    if header.faults.contains(MESSAGES_SURVIVE) {
        with.push(MESSAGES_SURVIVE.into());
    }
    with.extend(header.daemon.iter().map(|daemon| format!("daemon {daemon}")));
    if way == ExportMode::Scripted {
        with.push("schedule told".into());
    }
    with.extend(header.params.iter().map(|param| format!("{} {}", param.name, param.value)));
    if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) }
}
