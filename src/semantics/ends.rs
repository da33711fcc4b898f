//! Ends of runs: the outcome of a run in whose configuration nothing is enabled.

use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::ir::show::{Show, show};
use crate::ir::{ActionId, CRASHED, Component, Fault, HALTED, Input, Slot, State, in_layer};
use crate::prose;
use crate::semantics::event::Cause;
use crate::semantics::held::Held;
use crate::semantics::{Abort, Configuration, Machine, MessageRef};
use crate::source::Span;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All processes have halted, and no messages are in transit.
    Terminated,
    /// No messages are in transit, and every process has halted or is waiting for input.
    Quiescent,
    /// A deadlock: no step is possible, although some process waits for one.
    Stuck(Vec<Stuck>),
    /// The step limit was reached.
    Limit,
    /// The stop signal of the instance was set.
    Interrupted,
    /// The observer stopped the run.
    Stopped,
    /// A run-time error; the abort contains the number of the step.
    Aborted(Box<Abort>),
}

impl Outcome {
    /// Return the outcome as written in `--json` and in `expect` of scenarios.
    pub fn as_str(&self) -> &'static str {
        match self {
            Outcome::Terminated => "terminated",
            Outcome::Quiescent => "quiescent",
            Outcome::Stuck(_) => "stuck",
            Outcome::Limit => "limit",
            Outcome::Interrupted | Outcome::Stopped => "interrupted",
            Outcome::Aborted(_) => "aborted",
        }
    }
}

/// Why a process is stuck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub process: ProcessId,
    /// The waiting point, the `defer`, the state, or else the role.
    pub place: Span,
    /// One sentence without a full stop.
    pub why: String,
    /// The message that is not taken, in the syntax of the language, with its channel.
    pub message: Option<(ChannelId, String)>,
}

/// Maximum number of reasons listed: on a large network, one cause affects every process.
const MAX_REASONS: usize = 20;

/// Return the outcome of a run in whose configuration nothing is enabled. Held messages do not count as stuck. While a crashed
/// process may still restart, only messages for halted processes count.
pub fn classify(instance: &Instance, configuration: &Configuration, held: &Held) -> Outcome {
    let mut stuck = Vec::new();
    let owed = restart_is_owed(instance, configuration);
    // In rounds, messages that no process takes are discarded, even if the end of the round is still pending.
    let rounds = instance.model.rounds();
    let mut all_gone = true;
    if !rounds && configuration.in_flight() > 0 {
        for channel in configuration.busy_channels() {
            let Some(first) = first_that_remains(instance, configuration, channel) else { continue };
            let Some(message) = configuration.channel(channel).nth(first as usize) else { continue };
            all_gone = false;
            if held.holds(instance, channel, &message) {
                continue;
            }
            if stuck.len() < MAX_REASONS && (!owed || configuration.halted(instance.receiver(channel))) {
                undeliverable(instance, configuration, (channel, first), &mut stuck);
            }
        }
    }
    let mut halted = true;
    for process in instance.processes() {
        let pc = configuration.pc(process);
        halted &= matches!(pc, HALTED | CRASHED);
        if pc > 0
            && !owed
            && stuck.len() < MAX_REASONS
            && !stuck.iter().any(|s| s.process == process)
            && let Some(why) = waits_for_ever(instance, process, pc as usize)
        {
            stuck.push(why);
        }
    }
    match (stuck.is_empty(), halted && all_gone) {
        (false, _) => Outcome::Stuck(stuck),
        (true, true) => Outcome::Terminated,
        (true, false) => Outcome::Quiescent,
    }
}

/// Return the crashed processes that do not restart, if all stuck processes are waiting: these are *blocked*. Empty if no process
/// is down, or if a message has arrived at a process that has halted or has no handler for it.
pub fn blocked_by(instance: &Instance, configuration: &Configuration, stuck: &[Stuck]) -> Vec<ProcessId> {
    match stuck.iter().all(|stuck| configuration.pc(stuck.process) > 0) {
        true => instance.processes().filter(|process| configuration.crashed(*process)).collect(),
        false => Vec::new(),
    }
}

/// Return `p0 is down and does not restart`; None if no process is down.
pub fn describe_down(down: &[ProcessId]) -> Option<String> {
    let names: Vec<String> = down.iter().map(|process| process.to_string()).collect();
    let (last, rest) = names.split_last()?;
    Some(match rest {
        [] => format!("{last} is down and does not restart"),
        rest => format!("{} and {last} are down and do not restart", rest.join(", ")),
    })
}

/// Return whether a crashed process may still restart, which could unblock other processes.
fn restart_is_owed(instance: &Instance, configuration: &Configuration) -> bool {
    let faults = configuration.environment().faults.as_ref();
    let left = faults.map_or(0, |faults| faults.remaining.of(Fault::Restart));
    let hoped_for = instance.active_faults().map_or(0, |hazards| hazards.assumed_restarts);
    (left > 0 || hoped_for > 0) && instance.processes().any(|process| configuration.crashed(process))
}

/// Explain why this message of a channel is not taken. If it is deferred, also explain the first later message that is not.
fn undeliverable(
    instance: &Instance,
    configuration: &Configuration,
    (channel, first): (ChannelId, u32),
    stuck: &mut Vec<Stuck>,
) {
    let mut machine = None;
    for (position, message) in (0u32..).zip(configuration.channel(channel)).skip(first as usize) {
        let deferral = deferral(instance, configuration, (channel, position), &mut machine);
        if position == first || deferral.is_none() {
            let awaited = match deferral {
                None => others_missing(instance, configuration, (channel, position), &message),
                Some(_) => None,
            };
            match awaited {
                // One explanation suffices for all messages that have arrived.
                Some(waits) if stuck.iter().any(|known| known.why == waits.why) => {}
                Some(waits) => stuck.push(waits),
                None => stuck.push(not_taken(instance, configuration, channel, &message, deferral)),
            }
        }
        if deferral.is_none() {
            return;
        }
    }
}

/// Return the position of the first message of a channel that remains at the end of a run. A message that could be taken, but whose
/// sender is down, may be lost instead. A FIFO channel then also loses all messages after it.
fn first_that_remains(instance: &Instance, configuration: &Configuration, channel: ChannelId) -> Option<u32> {
    let mut positions = 0..configuration.channel(channel).count() as u32;
    if !configuration.may_never_arrive(instance, channel) {
        return positions.next();
    }
    let is_lost = |position: &u32| can_be_taken(instance, configuration, channel, *position);
    match instance.layout.keeps_order(channel) {
        true if positions.any(|position| is_lost(&position)) => None,
        true => Some(0),
        false => positions.find(|position| !is_lost(position)),
    }
}

/// Return whether a message may be taken now.
fn can_be_taken(
    instance: &Instance,
    configuration: &Configuration,
    channel: ChannelId,
    position: u32,
) -> bool {
    let mut machine = Machine::new(instance);
    let enabled = machine.enabled_at(instance, configuration, instance.receiver(channel));
    enabled.into_iter().any(|event| match event.cause {
        Cause::Deliver { channel: of, position: at } => (of, at) == (channel, position),
        Cause::Gather => machine.awaits(instance, configuration, channel, position),
        _ => false,
    })
}

/// Return the `defer` that prevents a message from being taken. The machine is created only if some message is deferred.
fn deferral(
    instance: &Instance,
    configuration: &Configuration,
    (channel, position): (ChannelId, u32),
    machine: &mut Option<Machine>,
) -> Option<ActionId> {
    if !instance.table(instance.receiver(channel)).defers {
        return None;
    }
    let machine = machine.get_or_insert_with(|| Machine::new(instance));
    machine.deferred_by(instance, configuration, channel, position)
}

/// If a `receive … from each` waits for this message and for others, explain which messages are missing.
fn others_missing(
    instance: &Instance,
    configuration: &Configuration,
    (channel, position): (ChannelId, u32),
    message: &MessageRef<'_>,
) -> Option<Stuck> {
    let process = instance.receiver(channel);
    let role = &instance.program.roles[instance.role_of(process)];
    let pc = usize::try_from(configuration.pc(process)).ok().filter(|pc| *pc > 0)?;
    let wait = role.waits.get(pc)?;
    let mut machine = Machine::new(instance);
    if !machine.awaits(instance, configuration, channel, position) {
        return None;
    }
    let (kind, missing) = wait.alternatives.iter().find_map(|alternative| match &alternative.input {
        Input::Each { kind, set, .. } => {
            let missing = machine.missing(instance, configuration, process, *set);
            (!missing.is_empty()).then_some((*kind, missing))
        }
        _ => None,
    })?;
    let from: Vec<String> = missing.iter().map(|sender| sender.to_string()).collect();
    let name = &instance.program.kinds[kind as usize].name;
    let what = if name.is_empty() { "the message" } else { name };
    let why = format!("{process} is waiting at {}: {what} from {} is missing", wait, prose::and(&from));
    Some(Stuck { process, place: wait.span, why, message: Some((channel, written(instance, message))) })
}

fn not_taken(
    instance: &Instance,
    configuration: &Configuration,
    channel: ChannelId,
    message: &MessageRef<'_>,
    deferral: Option<ActionId>,
) -> Stuck {
    let process = instance.receiver(channel);
    let from = instance.sender(channel);
    let text = written(instance, message);
    if let Some(action) = deferral {
        let action = &instance.program.actions[action as usize];
        let clause = in_layer(&action.layer, &format!("defer {}", action.name));
        let why = format!("{process} defers {text} from {from}: «{clause}»");
        return Stuck { process, place: action.span, why, message: Some((channel, text)) };
    }
    let role = &instance.program.roles[instance.role_of(process)];
    let pc = configuration.pc(process);
    let wait = usize::try_from(pc).ok().and_then(|pc| role.waits.get(pc)).filter(|_| pc > 0);
    let states = states(instance, configuration, process);
    let named = states.iter().filter(|(_, state)| !state.name.is_empty());
    let named: Vec<String> = named.map(|(layer, state)| in_layer(layer, &state.name)).collect();
    let (state, place) = match (wait, pc) {
        (Some(wait), _) if pc != HALTED => (format!("it is waiting at {}", wait), wait.span),
        (_, HALTED) => ("it has halted".into(), role.span),
        _ if named.is_empty() => ("it has no handler for it".into(), role.span),
        _ => {
            // The state of the algorithm itself, if it has states.
            let place = states.iter().find(|(_, s)| !s.name.is_empty()).map_or(role.span, |(_, s)| s.span);
            (format!("it is in state {}", named.join(", ")), place)
        }
    };
    let why = format!("{process} cannot take {text} from {from}: {state}");
    Stuck { process, place, why, message: Some((channel, text)) }
}

/// Format a message in the syntax of the language.
fn written(instance: &Instance, message: &MessageRef<'_>) -> String {
    let kind = &instance.program.kinds[message.kind as usize];
    let fields = kind.fields.iter().map(|field| match field.place {
        Slot::Word(place) => Show::new(&instance.program).word(&field.ty, message.words[place as usize]),
        Slot::Value(place) => show(&instance.program, &message.values[place as usize]),
    });
    let fields: Vec<String> = fields.collect();
    match (kind.name.is_empty(), fields.is_empty()) {
        (true, _) => fields.join(", "),
        (false, true) => kind.name.clone(),
        (false, false) => format!("{}({})", kind.name, fields.join(", ")),
    }
}

/// Return the control states of a process, one for each layer, with its name.
fn states<'i>(
    instance: &'i Instance,
    configuration: &Configuration,
    process: ProcessId,
) -> Vec<(&'i str, &'i State)> {
    let role = &instance.program.roles[instance.role_of(process)];
    let words = configuration.words(process);
    let state = |component: &'i Component| {
        let state = component.states.get(words[component.state_slot as usize] as usize)?;
        Some((component.name.as_str(), state))
    };
    role.components.iter().filter_map(state).collect()
}

/// Explain a wait that no message can end, or that is part of a called operation.
fn waits_for_ever(instance: &Instance, process: ProcessId, pc: usize) -> Option<Stuck> {
    let role = &instance.program.roles[instance.role_of(process)];
    let wait = &role.waits[pc];
    let input = |a: &crate::ir::Alternative| !matches!(a.input, Input::Condition { .. });
    let why = if wait.depends_on_received {
        return None;
    } else if !wait.alternatives.iter().any(input) {
        format!("{process} is blocked forever at {}", wait)
    } else if role.operations.iter().any(Option::is_some) {
        format!("{process} is blocked forever at {}, in an operation", wait)
    } else {
        return None;
    };
    Some(Stuck { process, place: wait.span, why, message: None })
}
