//! Weak fairness: what is continuously enabled is eventually executed. Each step is labelled with the weak-fairness constraints
//! that it satisfies.

use crate::explore::reduction::view::View;
use crate::explore::store::components::Message;
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::semantics::Configuration;
use crate::semantics::event::{Cause, Event};
use smallvec::{SmallVec, smallvec};

/// A weak-fairness constraint: what must be executed if it is continuously enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FairnessConstraint {
    /// The first message of an ordered channel.
    Channel(ChannelId),
    /// The messages of an unordered channel with this content: channel, and id of the content ([`Contents`]). Configurations do
    /// not distinguish messages with the same content.
    Message(ChannelId, u32),
    /// The steps of a process that receive no message.
    Process(ProcessId),
    /// The output of the failure detector of a process about another process.
    Detector(ProcessId, ProcessId),
    /// The correction of the oracles of a process.
    Oracle(ProcessId),
    /// The lines of a scenario.
    Script,
}

/// The fairness constraints of one step. An empty list: the step need not happen, like a fault, a note that the application
/// may send, or the arrival of a message whose sender is down.
pub type FairnessConstraints = SmallVec<[FairnessConstraint; 1]>;

/// The numbering of message contents. Messages that differ only in fields that a view disregards have the same number. Numbers
/// up to shift are distinguished, as every configuration has a shift of its own ([`crate::explore::graph::shifts`]).
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    pub messages: &'a Interner<Message>,
    pub view: Option<&'a View>,
}

impl Contents<'_> {
    fn number(&self, message: Message) -> u32 {
        let said = self.view.map_or_else(|| message.clone(), |view| view.blanked(&message));
        self.messages.number(said)
    }
}

/// Return the fairness constraints that a step of this configuration satisfies. `gathered`: channels and positions of the
/// messages that a `receive … from each` receives with the choices it has made.
pub fn constraints_of(
    instance: &Instance,
    contents: Contents<'_>,
    configuration: &Configuration,
    event: &Event,
    gathered: &[(ChannelId, u32)],
) -> FairnessConstraints {
    let of_message = |(channel, position): (ChannelId, u32)| {
        let message = match instance.layout.keeps_order(channel) {
            true => None,
            false => configuration.channel(channel).nth(position as usize),
        };
        message.map_or(FairnessConstraint::Channel(channel), |m| {
            let content = Message {
                kind: m.kind,
                words: m.words.into(),
                values: m.values.into(),
                ..Message::default()
            };
            FairnessConstraint::Message(channel, contents.number(content))
        })
    };
    if configuration.is_of_script(instance, event) {
        return smallvec![FairnessConstraint::Script];
    }
    if configuration.is_fault(event) {
        return SmallVec::new();
    }
    // Lines that wait for rest need the arrival of every message.
    let has_lines_left = configuration.has_lines_left(instance);
    let may_be_lost =
        |channel: ChannelId| !has_lines_left && configuration.may_never_arrive(instance, channel);
    let process = event.process;
    match event.cause {
        Cause::Deliver { channel, .. } if may_be_lost(channel) => SmallVec::new(),
        Cause::Gather if gathered.iter().any(|(channel, _)| may_be_lost(*channel)) => SmallVec::new(),
        Cause::SendNote { .. } => SmallVec::new(),
        Cause::Deliver { channel, position } => smallvec![of_message((channel, position))],
        Cause::Suspect { of } | Cause::Trust { of } => smallvec![FairnessConstraint::Detector(process, of)],
        Cause::EndMislead => smallvec![FairnessConstraint::Oracle(process)],
        // It satisfies the constraints of each of its messages.
        Cause::Gather if !gathered.is_empty() => gathered.iter().copied().map(of_message).collect(),
        _ => smallvec![FairnessConstraint::Process(process)],
    }
}
