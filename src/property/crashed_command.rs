//! Commands within which a process crashed. Such a command leaves a state that no complete command leaves.

use crate::ids::ProcessId;
use crate::ir::Program;
use crate::prose;
use crate::semantics::event::{Cause, Effects, Event, crash_within};
use crate::source::{Sources, Span};

/// The command, and how far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrashedCommand {
    pub process: ProcessId,
    pub command: Span,
    /// The command is the one with which the process starts; it has no place of its own.
    pub is_first: bool,
    /// Number of its messages that were sent.
    pub sent: u32,
}

impl CrashedCommand {
    /// Return the command of an event, if its process crashed within it.
    pub fn of(event: &Event, effects: &Effects, program: &Program) -> Option<CrashedCommand> {
        let sent = crash_within(&event.choices)?;
        let command = program.actions.get(effects.action as usize)?.span;
        Some(CrashedCommand { process: event.process, command, is_first: event.cause == Cause::Start, sent })
    }

    /// Return a remark about a property that is violated in the state after the crash: one sentence without a full stop.
    pub fn remark(&self, sources: &Sources) -> String {
        let CrashedCommand { process, command, is_first, sent } = self;
        let when = match sent {
            0 => "before its first message".into(),
            sent => format!("after {}", prose::count(*sent as usize, "message")),
        };
        let place = match is_first {
            true => "its first command".into(),
            false => format!("the command at {}", sources.place(*command)),
        };
        format!(
            "{process} crashed within {place}, {when}; the property is checked in the state after the crash"
        )
    }
}
