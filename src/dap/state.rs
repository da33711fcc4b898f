//! The state of the debugged run: the current movement and the last stop.

use crate::ids::ProcessId;
use crate::semantics::event::Event;
use crate::session::timeline::Hit;
use crate::source::Span;

/// A movement that the client requests.
#[derive(Clone, Debug)]
pub enum Motion {
    /// The next step of the run.
    Step,
    /// Up to the next step of a process.
    Process(ProcessId),
    /// Until a process leaves its waiting point or control state.
    Leave(ProcessId),
    Continue,
    /// Take this step.
    Fire(Box<Event>),
    /// One step back.
    Back,
    ReverseContinue,
    /// Move to a position, for this process.
    Goto(usize, ProcessId),
    /// Move to the position before the last step of a process.
    Again(ProcessId),
    /// End the debugging: the run has ended, and the client continues.
    Finish,
}

/// A movement that has begun.
pub struct Moving {
    pub motion: Motion,
    /// The position at which it began.
    pub from: usize,
    /// Number of steps that it may still take.
    pub left: u64,
    /// The breakpoint that ends a movement for one process.
    pub ends_at: Option<usize>,
}

/// The reason and the position of a stop.
#[derive(Clone, Debug, Default)]
pub struct Stopped {
    /// The protocol's name of the reason.
    pub reason: &'static str,
    /// One sentence without a full stop.
    pub description: String,
    /// The process to show; `None`: the process of the last event.
    pub process: Option<ProcessId>,
    pub hits: Vec<Hit>,
    /// The filter of an exception breakpoint.
    pub exception: Option<&'static str>,
    /// The command that a run-time error has aborted.
    pub fault: Option<Span>,
    /// Whether the run has ended here.
    pub is_end: bool,
}

impl Stopped {
    pub fn at(reason: &'static str, description: &str) -> Stopped {
        Stopped { reason, description: description.into(), ..Stopped::default() }
    }
}
