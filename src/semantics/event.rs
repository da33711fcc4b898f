//! Events: one step of the system with all its choices; compact, ordered, sufficient for replay.

use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::ir::Value;
use smallvec::SmallVec;

/// A step of one process, or of the environment at one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// Position of the process in the topology, from 0.
    pub process: ProcessId,
    /// The time that passes before the event; in rounds, the number of quiet rounds that end before it. 0 in other models.
    pub wait: u64,
    pub cause: Cause,
    /// The index of the alternative among those that this cause enables, in the order of the program (waiting point, state,
    /// always, ignore); 0 if there is only one.
    pub alternative: u32,
    /// Choices within the command, in order: branches of an `if` whose guards overlap, elements of `choose` and `when some`. Only
    /// choices between several possibilities are recorded. If the process crashes within its command, [`CRASH`] plus the number
    /// of messages sent before comes last. In rounds, further choices then say for each remaining message whether it is sent.
    pub choices: SmallVec<[u32; 2]>,
}

/// A choice from this value on denotes a crash between two sends of one command.
pub const CRASH: u32 = 1 << 31;

/// Return the number of messages sent, if these are the choices of a command within which the process crashes.
pub fn crash_within(choices: &[u32]) -> Option<u32> {
    let at = choices.iter().position(|choice| *choice >= CRASH)?;
    Some(choices[at] - CRASH + choices[at + 1..].iter().sum::<u32>())
}

impl Event {
    /// Create an event without choices and without wait.
    pub fn new(process: ProcessId, cause: Cause) -> Event {
        Event { process, wait: 0, cause, alternative: 0, choices: SmallVec::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The first commands, up to the first waiting point.
    Start,
    /// A spontaneous wake-up.
    Wakeup,
    /// A message of a channel; position 0 is the head (others only in unordered channels and after deferred messages).
    Deliver {
        channel: ChannelId,
        position: u32,
    },
    /// One message from each of several channels: `receive … from each`.
    Gather,
    /// A Boolean alternative, or the end of a `pause`.
    Internal,
    /// The process's part in the end of this round; rounds count from 1.
    Round {
        round: u64,
    },
    /// A move in a joint step; `last`: the last move of the step.
    Move {
        last: bool,
    },
    /// A timer expires.
    Timeout,
    /// Time passes without a step, as a line of a scenario says; in rounds, quiet rounds end.
    Elapse,
    /// The process crashes. Its variables keep their values, for observers.
    Crash,
    /// The process restarts; only stable variables keep their values.
    Restart,
    /// The failure detector notifies the process that it suspects another one, or trusts it again.
    Suspect {
        of: ProcessId,
    },
    Trust {
        of: ProcessId,
    },
    /// From now on, oracles answer the process incorrectly; and correctly again.
    Mislead,
    EndMislead,
    /// A message in transit to the process is lost.
    Lose {
        channel: ChannelId,
        position: u32,
    },
    /// A message in transit from the process is duplicated: the copy comes directly after it.
    Duplicate {
        channel: ChannelId,
        position: u32,
    },
    /// A link from the process fails: its current and future messages are lost.
    Cut {
        link: u32,
    },
    /// A scenario's `A: enter`: index into `Program::operations`, and the arguments.
    Call {
        operation: u16,
        args: Vec<Value>,
    },
    /// A scenario's `A -> B: note`, at A.
    SendNote {
        to: ProcessId,
    },
    /// The same, arriving.
    ReceiveNote {
        from: ProcessId,
    },
}

/// Marks a step that runs no action of the program.
pub const NO_ACTION: u32 = u32::MAX;

/// Effects of a step, for observers: traces, the history, statistics.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Messages taken, by id, with their origin.
    pub received: SmallVec<[Received; 1]>,
    /// The message whose arrival woke the process (`on arrival`), and which remains in its channel.
    pub arrived: Option<Received>,
    /// Messages removed without being taken.
    pub lost: SmallVec<[Received; 1]>,
    /// The original of the sent message, if that is a copy.
    pub copied: Option<MessageId>,
    pub sent: Vec<Sent>,
    pub observations: Vec<Observation>,
    /// The action (index into `Program::actions`) that ran; [`NO_ACTION`] if none did.
    pub action: u32,
    /// The handlers of upcalls that ran after it, in order.
    pub upcalls: SmallVec<[u32; 1]>,
    /// The guards (indices into `Program::guards`) that were taken within the command, in order.
    pub guards: SmallVec<[u32; 4]>,
    /// The responder of an interaction: another process whose variables the step has set.
    pub responder: Option<ProcessId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    pub message: MessageId,
    pub channel: ChannelId,
}

/// A message as it enters its channel. Messages are numbered from 0 in the order of sending, throughout the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub message: MessageId,
    pub kind: u32,
    pub channel: ChannelId,
    pub from: ProcessId,
    pub to: ProcessId,
}

/// A call, return or upcall at the problem's interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub what: crate::ir::HistoryKind,
    /// Index into `Program::operations` or `Program::upcalls`.
    pub of: u16,
    pub value: Option<Value>,
}
