//! What it means that nothing is possible any more.

use super::{Held, Outcome};
use crate::instance::Instance;
use crate::ir::{CRASHED, HALTED, Input};
use crate::semantics::Configuration;
use crate::semantics::show::{Show, show};
use crate::source::Span;

/// Why a process cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub process: u32,
    /// The waiting point, or the role where there is none.
    pub place: Span,
    /// One sentence without a full stop.
    pub why: String,
    /// The message nobody takes, as one would write it, with its channel.
    pub message: Option<(u32, String)>,
}

/// The most reasons that are listed: on a large network one cause shows at every process.
const MAX_REASONS: usize = 20;

/// The outcome of a run in whose configuration nothing is enabled. Messages that are held do not count as stuck.
pub fn classify(instance: &Instance, configuration: &Configuration, held: &Held) -> Outcome {
    let mut stuck = Vec::new();
    // In rounds what nobody looks at is gone, whether the end of the round is still awaited or not.
    let rounds = instance.model.rounds();
    let in_flight = if rounds { 0 } else { configuration.in_flight() };
    if in_flight > 0 {
        for channel in configuration.busy_channels() {
            let Some(message) = configuration.channel(channel).next() else {
                continue;
            };
            if held.holds(instance, channel, &message) {
                continue;
            }
            if stuck.len() < MAX_REASONS {
                stuck.push(undeliverable(instance, configuration, channel));
            }
        }
    }
    let mut halted = true;
    for process in 0..instance.n() {
        let pc = configuration.pc(process);
        halted &= matches!(pc, HALTED | CRASHED);
        if pc > 0
            && stuck.len() < MAX_REASONS
            && !stuck.iter().any(|s| s.process == process)
            && let Some(why) = waits_for_ever(instance, process, pc as usize)
        {
            stuck.push(why);
        }
    }
    match (stuck.is_empty(), halted && in_flight == 0) {
        (false, _) => Outcome::Stuck(stuck),
        (true, true) => Outcome::Terminated,
        (true, false) => Outcome::Quiescent,
    }
}

fn undeliverable(instance: &Instance, configuration: &Configuration, channel: u32) -> Stuck {
    let process = instance.receiver(channel);
    let role = &instance.program.roles[instance.role_of(process)];
    let message = configuration.channel(channel).next();
    let text = message.map_or_else(String::new, |m| {
        let kind = &instance.program.kinds[m.kind as usize];
        let fields = kind.fields.iter().map(|field| match field.place {
            crate::ir::Slot::Word(place) => {
                Show::new(&instance.program).word(&field.ty, m.words[place as usize])
            }
            crate::ir::Slot::Value(place) => show(&instance.program, &m.values[place as usize]),
        });
        let fields: Vec<String> = fields.collect();
        match (kind.name.is_empty(), fields.is_empty()) {
            (true, _) => fields.join(", "),
            (false, true) => kind.name.clone(),
            (false, false) => format!("{}({})", kind.name, fields.join(", ")),
        }
    });
    let pc = configuration.pc(process);
    let wait = usize::try_from(pc).ok().and_then(|pc| role.waits.get(pc)).filter(|_| pc > 0);
    let state = match (wait, pc) {
        (_, HALTED) => "it has halted".into(),
        (Some(wait), _) => format!("it waits at «{}»", wait.text),
        (None, _) => match states(instance, configuration, process) {
            states if states.is_empty() => "it has no handler that takes it".into(),
            states => format!("it is in state {states}"),
        },
    };
    let from = instance.sender(channel);
    Stuck {
        process,
        place: wait.map_or(role.span, |wait| wait.span),
        why: format!("p{process} cannot take {text} from p{from}: {state}"),
        message: Some((channel, text)),
    }
}

/// The control states of a process, by name.
fn states(instance: &Instance, configuration: &Configuration, process: u32) -> String {
    let role = &instance.program.roles[instance.role_of(process)];
    let words = configuration.words(process);
    let names = role.components.iter().filter_map(|component| {
        let state = component.states.get(words[component.state_slot as usize] as usize)?;
        Some(state.name.as_str())
    });
    names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A wait that no message can end, or that stands in an operation somebody has called.
fn waits_for_ever(instance: &Instance, process: u32, pc: usize) -> Option<Stuck> {
    let role = &instance.program.roles[instance.role_of(process)];
    let wait = &role.waits[pc];
    let input = |a: &crate::ir::Alternative| !matches!(a.input, Input::Condition { .. });
    let why = if wait.listens {
        return None;
    } else if !wait.alternatives.iter().any(input) {
        format!("p{process} waits at «{}», which does not become true any more", wait.text)
    } else if role.operations.iter().any(Option::is_some) {
        format!("p{process} waits at «{}» in an operation that cannot go on", wait.text)
    } else {
        return None;
    };
    Some(Stuck { process, place: wait.span, why, message: None })
}
