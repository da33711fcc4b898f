//! What weak fairness is about: what can be done from some time on without interruption is done at some time. So each step is about
//! something that it does its share for.

use crate::explore::space::components::Message;
use crate::explore::space::interner::Interner;
use crate::explore::space::view::View;
use crate::instance::Instance;
use crate::semantics::Configuration;
use crate::semantics::event::{Cause, Event};
use smallvec::{SmallVec, smallvec};

/// What a step may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FairnessConstraint {
    /// The first message of a channel that keeps its order.
    Channel(u32),
    /// The messages of an unordered channel with this content: channel, and number of the content ([`Contents`]). Configurations do
    /// not distinguish messages with the same content.
    Message(u32, u32),
    /// What a process does by itself.
    Process(u32),
    /// What the failure detector of a process says of another one.
    Detector(u32, u32),
    /// That the oracles of a process are right again.
    Oracle(u32),
}

/// What one step is about. Nothing at all: it may happen and need not, like a fault, or a note that the application may send; no run
/// has to go on for its sake.
pub type FairnessConstraints = SmallVec<[FairnessConstraint; 1]>;

/// The numbering of message contents. Messages that differ only in fields that a view leaves out have the same number; numbers up to
/// a shift are distinguished, as every configuration has a shift of its own ([`crate::explore::graph::shifts`]).
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

/// The fairness constraints that a step of this configuration satisfies. `gathered` are the messages that a `receive … from each` takes
/// with the choices it has made: channel and position.
pub fn sources(
    instance: &Instance,
    contents: Contents<'_>,
    configuration: &Configuration,
    event: &Event,
    gathered: &[(u32, u32)],
) -> FairnessConstraints {
    let of_message = |(channel, position): (u32, u32)| {
        let message = match instance.layout.keeps_order(channel) {
            true => None,
            false => configuration.channel(channel).nth(position as usize),
        };
        message.map_or(FairnessConstraint::Channel(channel), |m| {
            let content = Message { kind: m.kind, words: m.words.into(), values: m.values.into(), past: 0 };
            FairnessConstraint::Message(channel, contents.number(content))
        })
    };
    if configuration.is_fault(event) {
        return SmallVec::new();
    }
    let process = event.process;
    match event.cause {
        Cause::SendNote { .. } => SmallVec::new(),
        Cause::Deliver { channel, position } => smallvec![of_message((channel, position))],
        Cause::Suspect { of } | Cause::Trust { of } => smallvec![FairnessConstraint::Detector(process, of)],
        Cause::SetRight => smallvec![FairnessConstraint::Oracle(process)],
        // It does for each of its messages what taking it alone would do.
        Cause::Gather if !gathered.is_empty() => gathered.iter().copied().map(of_message).collect(),
        _ => smallvec![FairnessConstraint::Process(process)],
    }
}
