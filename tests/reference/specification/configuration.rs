//! *Configuration*: the global state at one moment of a run.

use crate::specification::value::{Content, Name, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use synod::internals::syntax::ast::Stmt;

/// *Configuration. Of each process the control state, the waiting point, the variables and the locals of its thread, whether it may
/// still wake by itself and whether it has; of each directed link a channel (for each layer its own). Where they are assumed, also:
/// the ages of messages and timers, who is down, which links have failed, whom the detectors suspect, what may still go wrong.*
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Configuration {
    pub processes: Vec<Process>,
    /// Non-empty channels, oldest message first; sorted if messages may overtake one another.
    pub channels: BTreeMap<Lane, Vec<Sent>>,
    pub faults: Faults,
    /// Links that have failed.
    pub failed: BTreeSet<u32>,
    /// *Failure detectors*: pairs of a process and a process that it suspects.
    pub suspected: BTreeSet<(usize, usize)>,
    /// *Pairwise interactions*: processes whose oracles are wrong.
    pub misled: BTreeSet<usize>,
}

/// A message in transit. *Time*: it arrives at the earliest after `first`, at the latest after `last`, from now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sent {
    pub content: Content,
    pub first: u64,
    pub last: u64,
}

/// A channel: a link together with a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane {
    pub component: usize,
    pub link: u32,
}

/// *Faults*: the remaining fault budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Faults {
    pub crash: u32,
    pub restart: u32,
    pub loss: u32,
    pub duplication: u32,
    pub link: u32,
    pub suspicion: u32,
    pub lie: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Process {
    pub up: bool,
    pub started: bool,
    /// The process may still wake by itself.
    pub sleeps: bool,
    /// The process has woken by itself.
    pub woke: bool,
    /// The state of each component.
    pub parts: Vec<Part>,
    /// The call stack of the thread, innermost activation last; empty if the thread is idle.
    pub thread: Vec<Frame>,
    /// *Rounds that a synchronizer makes*: the algorithm has halted.
    pub done: bool,
    /// *Radio*: what the process has done in this slot.
    pub air: Air,
    /// *Radio*: the process transmitted in this slot before it crashed, which is on the air all the same.
    pub transmitted_before: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Air {
    #[default]
    Undecided,
    Listens,
    Transmits,
}

/// The state of one component at one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Part {
    pub state: Option<Name>,
    pub halted: bool,
    pub variables: BTreeMap<Name, Value>,
    /// *Time*: the armed timers, with the remaining time of each.
    pub timers: BTreeMap<Timer, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// `after e -> …` as a clause of a state, by handler number.
    State(usize),
    /// `set timer t after e`
    Named(Name),
}

/// The activation of a body, a client, an operation, a procedure or a handler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    pub component: usize,
    pub kind: FrameKind,
    pub locals: Vec<(Name, Value)>,
    /// Remaining tasks, the next one last.
    pub tasks: Vec<Task>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameKind {
    /// The body of a state, which is repeated.
    Body,
    Client,
    /// An operation; those of the problem have their name and arguments.
    Operation(Option<(Name, Vec<Value>)>),
    Procedure,
    Handler,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// The rest of a block.
    Block(Code),
    /// The end of a block: locals beyond this number go out of scope.
    Leave(usize),
    /// The next iteration of a `do`.
    Again(Statement),
    /// A `for`, with its remaining elements.
    For(Statement, Vec<Value>),
    /// A waiting point.
    Wait(Waiting),
    /// *Rounds that a synchronizer makes*: the end of a round at a statement.
    Round(Waiting),
    /// The algorithm has halted, and the process only takes part in the rounds of others.
    Done,
}

/// A waiting point, with the values computed on arrival.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Waiting {
    pub at: Statement,
    /// The senders of each `receive … from each`, by branch.
    pub senders: Vec<Option<Vec<Value>>>,
    /// The remaining rounds or time of each `after`, by branch.
    pub due: Vec<Option<u64>>,
}

/// A non-empty piece of program text, identified by its address in memory.
#[derive(Clone, Copy, Debug)]
pub struct Code(pub &'static [Stmt]);

/// A statement, identified by its address in memory.
#[derive(Clone, Copy, Debug)]
pub struct Statement(pub &'static Stmt);

macro_rules! by_place {
    ($kind:ty, $place:expr) => {
        impl PartialEq for $kind {
            fn eq(&self, other: &Self) -> bool {
                $place(self) == $place(other)
            }
        }
        impl Eq for $kind {}
        impl PartialOrd for $kind {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for $kind {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                $place(self).cmp(&$place(other))
            }
        }
        impl Hash for $kind {
            fn hash<H: Hasher>(&self, state: &mut H) {
                $place(self).hash(state);
            }
        }
    };
}
by_place!(Code, |code: &Code| code.0.as_ptr() as usize);
by_place!(Statement, |statement: &Statement| std::ptr::from_ref(statement.0) as usize);

impl Frame {
    pub fn local(&self, name: &str) -> Option<usize> {
        self.locals.iter().rposition(|(n, _)| *n == name)
    }
}
