//! Replay of a recorded trace, with the first divergence.

use super::show::Show;
use super::{Change, End, Header, Message, Recorder, Trace, TraceEvent, View};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::event::{Effects, Event};
use std::borrow::Cow;

/// A machine that executes given steps: the engine with a configuration.
pub trait Machine: View {
    fn step(&mut self, event: &Event) -> Result<Effects, Refusal>;
}

/// Reason why a step was not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The step is not enabled in the configuration.
    NotEnabled,
    /// The step aborts, with this message.
    Abort(String),
}

/// Result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Number of events reproduced, from the first on.
    pub same: u64,
    /// Whether the program text differs from the recorded one.
    pub program_changed: bool,
    /// The version of Synod that made the trace, if it differs.
    pub other_version: Option<String>,
    /// The first divergence; `None`: the run was reproduced.
    pub divergence: Option<Divergence>,
}

/// The first difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The event; `None`: the instance differs.
    pub event: Option<u64>,
    /// A sentence without a full stop: `event 3: the trace has d=4, now it is d=5`.
    pub message: String,
}

impl Replay {
    pub fn reproduced(&self) -> bool {
        self.divergence.is_none()
    }

    /// Summarize the result in words.
    pub fn summary(&self) -> String {
        let mut words = match &self.divergence {
            None => format!("all {} events reproduced", self.same),
            Some(d) => d.message.clone(),
        };
        if self.program_changed {
            words += "; the program has changed since the trace was made";
        }
        if let Some(version) = &self.other_version {
            words += &format!("; the trace was made by Synod {version}");
        }
        words
    }
}

/// Execute the recorded events on the machine, which is in the initial configuration of the instance.
///
/// A changed program is replayed, too: a changed comment changes nothing, and after a correction the first divergence
/// is of interest.
pub fn replay(instance: &Instance, trace: &Trace, machine: &mut impl Machine) -> Replay {
    let trace = &with_port_names(instance, trace);
    let header = Header::of(instance, &trace.header.names, &trace.header.schedule, trace.header.seed);
    let mut result = Replay {
        same: 0,
        program_changed: trace.header.has_origin() && header.source != trace.header.source,
        other_version: Some(trace.header.synod.clone())
            .filter(|made| !made.is_empty() && *made != header.synod),
        divergence: None,
    };
    let mut recorder = Recorder::new(instance, header.clone(), machine);
    let initial = recorder.header().clone();
    if let Some(message) = other_instance(&trace.header, &initial) {
        result.divergence = Some(Divergence { event: None, message });
        return result;
    }
    for recorded in &trace.events {
        let event = recorded.event();
        let aborts = trace.end == End::Aborted && recorded.index + 1 == trace.events.len() as u64;
        let message = match machine.step(&event) {
            Ok(effects) => {
                recorder.record(&event, &effects, machine);
                recorder.events().last().and_then(|now| difference(recorded, now))
            }
            Err(Refusal::Abort(_)) if aborts => None,
            Err(Refusal::Abort(why)) => Some(format!("the step now aborts: {why}")),
            Err(Refusal::NotEnabled) => Some(format!(
                "the step [{1}] ({2}) of {0} is no longer enabled",
                recorded.process,
                recorded.choice.show(),
                recorded.action
            )),
        };
        if let Some(message) = message {
            result.divergence = Some(Divergence {
                event: Some(recorded.index),
                message: format!("event {}: {message}", recorded.index),
            });
            return result;
        }
        result.same += 1;
    }
    result
}

/// Return the trace with ports shown by the processes that they lead to. Earlier versions showed their numbers: `father=port 0`.
fn with_port_names<'t>(instance: &Instance, trace: &'t Trace) -> Cow<'t, Trace> {
    let is_old = |change: &Change| change.value.contains("port ");
    let is_process = |process: ProcessId| process.0 < instance.n();
    let names = |process: ProcessId, changes: &mut [Change]| {
        let show = Show::new(&instance.program).at(&instance.network, process);
        changes.iter_mut().filter(|change| is_old(change)).for_each(|change| {
            change.value = named_ports(&change.value, &|number| show.port(number));
        });
    };
    let mut initial = trace.header.initial.iter().flatten();
    let mut changes = trace.events.iter().flat_map(|event| &event.changes);
    let mut others =
        trace.events.iter().filter_map(|event| event.with.as_ref()).flat_map(|with| &with.changes);
    if !initial.any(is_old) && !changes.any(is_old) && !others.any(is_old) {
        return Cow::Borrowed(trace);
    }
    let mut trace = trace.clone();
    for (p, changes) in (0..instance.n()).zip(&mut trace.header.initial) {
        names(ProcessId(p), changes);
    }
    for event in trace.events.iter_mut().filter(|event| is_process(event.process)) {
        names(event.process, &mut event.changes);
        if let Some(with) = event.with.as_mut().filter(|with| is_process(with.process)) {
            names(with.process, &mut with.changes);
        }
    }
    Cow::Owned(trace)
}

/// Return the text with `port 2` replaced by its name, but not in `p1 (port 2)`.
fn named_ports(text: &str, name: &dyn Fn(i64) -> String) -> String {
    let mut parts = text.split("port ");
    let mut named = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let is_remark =
            named.strip_suffix(" (").is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
        match part[..digits].parse() {
            Ok(number) if !is_remark => named += &name(number),
            _ => named += &format!("port {}", &part[..digits]),
        }
        named += &part[digits..];
    }
    named
}

/// Return the first header line that shows a different instance; versions, source, schedule, seed and the cycle are
/// ignored.
fn other_instance(recorded: &Header, now: &Header) -> Option<String> {
    let mut now = now.clone();
    if recorded.initial.is_empty() {
        now.initial.clear();
    }
    // An earlier version recorded only the variables with these values.
    if recorded.initially.is_empty() {
        now.initially.clear();
    }
    // An earlier version did not record the names of a network file.
    if recorded.names.is_empty() {
        now.names.clear();
    }
    let lines = |h: &Header| {
        let all = super::header::header_lines(h).into_iter();
        let counted = |(key, _): &(&str, String)| {
            !matches!(
                *key,
                "source" | "synod" | "schedule" | "seed" | "repeats" | "violates" | "verdict" | "violated"
            )
        };
        all.filter(counted).map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>()
    };
    let (recorded, now) = (lines(recorded), lines(&now));
    let nothing = || "nothing".to_string();
    let at = (0..recorded.len().max(now.len())).find(|i| recorded.get(*i) != now.get(*i))?;
    Some(format!(
        "the trace is of a different instance: it has «{}», here it is «{}»",
        recorded.get(at).cloned().unwrap_or_else(nothing),
        now.get(at).cloned().unwrap_or_else(nothing)
    ))
}

/// Return the first difference between two events, the most informative first.
pub fn difference(recorded: &TraceEvent, now: &TraceEvent) -> Option<String> {
    let messages = |list: &[Message], end: &str| {
        list.iter().map(|m| format!("{} {} {end} {}", m.id, m.text, m.peer)).collect::<Vec<_>>()
    };
    let texts = |all: &[Change]| all.iter().map(|c| format!("{}={}", c.name, c.value)).collect::<Vec<_>>();
    let changes = |e: &TraceEvent| texts(&e.changes);
    let meets = |e: &TraceEvent| match &e.with {
        Some(with) => [vec![with.process.to_string()], texts(&with.changes)].concat(),
        None => Vec::new(),
    };
    let instant = |e: &TraceEvent| e.at.map(|at| at.to_string()).into_iter().collect::<Vec<_>>();
    let copied = |e: &TraceEvent| e.copied.map(|m| m.to_string()).into_iter().collect::<Vec<_>>();
    let pairs = [
        ("receives", messages(&recorded.received, "from"), messages(&now.received, "from")),
        (
            "is woken by",
            messages(recorded.arrived.as_slice(), "from"),
            messages(now.arrived.as_slice(), "from"),
        ),
        ("loses", messages(&recorded.lost, "from"), messages(&now.lost, "from")),
        ("sends", messages(&recorded.sent, "to"), messages(&now.sent, "to")),
        ("copies", copied(recorded), copied(now)),
        ("happens at", instant(recorded), instant(now)),
        ("changes", changes(recorded), changes(now)),
        ("meets", meets(recorded), meets(now)),
        ("shows", recorded.observations.clone(), now.observations.clone()),
        ("ends a chain of length", vec![recorded.depth.to_string()], vec![now.depth.to_string()]),
        ("is called", vec![recorded.action.clone()], vec![now.action.clone()]),
    ];
    let (what, then, now) = pairs.into_iter().find(|(_, then, now)| then != now)?;
    let at = (0..then.len().max(now.len())).find(|i| then.get(*i) != now.get(*i))?;
    let item = |list: &[String]| list.get(at).map_or("nothing".into(), |s| format!("«{s}»"));
    Some(format!("in the trace it {what} {}, now {}", item(&then), item(&now)))
}
