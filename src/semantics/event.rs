//! One step of the system, with every choice that was made: small, ordered, enough to replay.

use crate::ir::Value;
use smallvec::SmallVec;

/// A step of one process (or of the environment at one process).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// Position of the process in the topology, from 0.
    pub process: u32,
    /// The time that passes before it; in rounds, how many end before it in which nobody goes on. 0 where there is neither.
    pub wait: u64,
    pub cause: Cause,
    /// Which of the alternatives that this cause could serve, in the order of the program
    /// (waiting point, state, always, ignore); 0 where there is only one.
    pub alternative: u32,
    /// What was chosen in the course of the command, in order: branches of an `if` whose guards overlap,
    /// elements of `choose` and `when some`. Only choices with more than one possibility are recorded. Last, where the
    /// process crashes in the course of its command, [`CRASH`] and the number of messages it has sent before; in rounds
    /// the choices that follow say of each message that was still to be sent whether it goes out.
    pub choices: SmallVec<[u32; 2]>,
}

/// A choice from here on is a crash between two sends of one command.
pub const CRASH: u32 = 1 << 31;

impl Event {
    /// Without choices, and at once.
    pub fn new(process: u32, cause: Cause) -> Event {
        Event { process, wait: 0, cause, alternative: 0, choices: SmallVec::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The first commands, up to the first waiting point.
    Start,
    /// A spontaneous wake-up.
    Wakeup,
    /// A message of a channel; position 0 is the head (others only in unordered channels and behind deferred ones).
    Deliver {
        channel: u32,
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
    /// A move together with others: is it the last of them?
    Move {
        last: bool,
    },
    /// A timer runs out.
    Timeout,
    /// The process crashes. Its variables stay as they are, for those who look on.
    Crash,
    /// It comes back: it begins anew, and only stable variables have kept their values.
    Restart,
    /// The failure detector tells the process that it suspects another one, or trusts it again.
    Suspect {
        of: u32,
    },
    Trust {
        of: u32,
    },
    /// From now on oracles answer the process wrongly; and rightly again.
    Mislead,
    SetRight,
    /// A message on its way to the process is lost.
    Lose {
        channel: u32,
        position: u32,
    },
    /// A message on its way from the process is doubled: the copy comes directly behind it.
    Duplicate {
        channel: u32,
        position: u32,
    },
    /// A link from the process fails: what is on it, and all that will be, is lost.
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
        to: u32,
    },
    /// The same, arriving.
    ReceiveNote {
        from: u32,
    },
}

/// Something happened that no action of the program is.
pub const NO_ACTION: u32 = u32::MAX;

/// What a step did, for whoever watches: traces, the history, statistics.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Messages taken, by id, with where they came from.
    pub received: SmallVec<[Received; 1]>,
    /// The message whose arrival this was: it has woken the process (`on arrival`), and stays where it is.
    pub arrived: Option<Received>,
    /// Messages that have gone without being taken.
    pub lost: SmallVec<[Received; 1]>,
    /// The message that the one sent is a copy of.
    pub copied: Option<u32>,
    pub sent: Vec<Sent>,
    pub observations: Vec<Observation>,
    /// The action (index into `Program::actions`) that ran; [`NO_ACTION`] where none of the program did.
    pub action: u32,
    /// The handlers of upcalls that ran after it, in order.
    pub upcalls: SmallVec<[u32; 1]>,
    /// The guards (indices into `Program::guards`) that were taken in the course of the command, in order.
    pub guards: SmallVec<[u32; 4]>,
    /// The responder of an interaction: another process whose variables the step has set.
    pub responder: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    pub message: u32,
    pub channel: u32,
}

/// A message as it enters its channel. Messages are numbered from 0 in the order of sending, in the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub message: u32,
    pub kind: u32,
    pub channel: u32,
    pub from: u32,
    pub to: u32,
}

/// A call, return or upcall at the problem's interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub what: crate::syntax::ast::HistoryKind,
    /// Index into `Program::operations` or `Program::upcalls`.
    pub of: u16,
    pub value: Option<Value>,
}
