//! The graph of configurations, with the effects of each step: the interface between the steps of the language and its properties.
//!
//! *Meaning*: a configuration is a vertex, a step is an edge. A start is not a step: `starts` leads to the initial configurations. The
//! graph is not reduced: two edges differ if any choice differs.

/// A directed channel; each layer has its own for each link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    pub from: usize,
    pub to: usize,
    /// The number of the link at the sender, among the links between the same two processes.
    pub link: usize,
    /// The dotted name of the layer, empty for the algorithm itself.
    pub layer: String,
    pub unordered: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message<V> {
    /// The dotted name of the layer that sends it, empty for the algorithm itself.
    pub layer: String,
    /// The name; empty for a bare value.
    pub name: String,
    pub fields: Vec<V>,
}

/// An action of a process, or of the environment at a process. *Step*: one guarded command of one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action<V> {
    /// The first commands, up to the first waiting point. In `Graph::starts` only.
    Start,
    /// Delivery of a message to a `receive`, a handler, an `ignore` or `on arrival`; at a process that is down the message vanishes.
    Deliver(Channel, Message<V>),
    /// `receive … from each`: one message from each of several channels; empty if the set of senders is empty.
    Gather(Vec<(Channel, Message<V>)>),
    /// An internal step of the process: `await`, `pause`, `when`, a Boolean guard, the end of a `do`, `on wakeup`, a timer, a move. The
    /// text names the alternative.
    Alone(String),
    /// The process's part in the end of a round.
    Round,
    /// *Pairwise interactions*: the responder, and the number of the handler. The process is the initiator.
    Interact(usize, usize),
    /// The failure detector of the process suspects a process that is down.
    Suspect(usize),
    /// The failure detector of the process suspects a process that is up: a fault.
    SuspectWrongly(usize),
    Trust(usize),
    /// The oracles of the process become wrong: a fault, which `SetRight` ends.
    Mislead,
    SetRight,
    Crash,
    Restart,
    /// Loss of a message; the position counts from the oldest message in the channel.
    Lose(Channel, usize),
    Duplicate(Channel, usize),
    /// Failure of a link from the process to this one; the second number is that of the link.
    Cut(usize, usize),
}

impl<V> Action<V> {
    /// *Faults*: test for a step that occurs only if the budget allows it. A run may end although such a step is enabled.
    pub fn is_fault(&self) -> bool {
        use Action::*;
        matches!(self, SuspectWrongly(_) | Mislead | Crash | Restart | Lose(..) | Duplicate(..) | Cut(..))
    }
}

/// *Choice*: one decision in the course of a command. Only choices with several options count; a draw whose probability is 0 or 1 is no
/// choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// The choice is a draw (`coin`, `random`), each option of which has positive probability. Otherwise the scheduler decides.
    pub chance: bool,
    pub options: usize,
    pub taken: usize,
}

/// An observable effect of a step; the effects of a part are in the order of their occurrence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect<V> {
    /// A message was appended to a channel. On a failed link it is `Taken` at once, and lost. A message to the sender's own id is not
    /// `counted`; a transmission by radio is counted on one of its channels.
    Sent {
        channel: Channel,
        message: Message<V>,
        bits: u64,
        counted: bool,
    },
    /// A message left its channel: the receiver took it, or it was `lost`. `nth` counts equal messages, from the oldest.
    Taken {
        channel: Channel,
        message: Message<V>,
        nth: usize,
        lost: bool,
    },
    /// A copy was inserted directly after the `nth` of several equal messages.
    Duplicated {
        channel: Channel,
        message: Message<V>,
        nth: usize,
    },
    /// *History*: a call of an operation of the problem, its return (with the arguments of the call), or an upcall at the top.
    Call {
        operation: String,
        arguments: Vec<V>,
    },
    Return {
        operation: String,
        arguments: Vec<V>,
    },
    Upcall {
        name: String,
        arguments: Vec<V>,
    },
    /// *Rounds that a synchronizer makes*: a round has ended at the process.
    RoundEnded,
}

/// The part of one process in a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part<V> {
    pub process: usize,
    pub action: Action<V>,
    /// A run may omit the step forever: a fault, or the arrival of a message whose sender is down.
    pub omissible: bool,
    pub choices: Vec<Choice>,
    pub effects: Vec<Effect<V>>,
}

/// *Aborts*: an aborted command leaves nothing behind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Configuration(usize),
    Abort(String),
}

/// A step. It has one part, or in a joint step (the end of a round, simultaneous moves) one for each participating process, in the order of
/// positions. The states between the parts are no configurations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge<V> {
    pub parts: Vec<Part<V>>,
    /// *Rounds*: the number of rounds that end with this step, including skipped ones. Where steps are moves, the observer counts rounds.
    pub rounds: u64,
    pub target: Target,
}

impl<V> Edge<V> {
    pub fn is_omissible(&self) -> bool {
        self.parts.iter().all(|part| part.omissible)
    }

    pub fn to(&self) -> Option<usize> {
        match self.target {
            Target::Configuration(to) => Some(to),
            Target::Abort(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Graph<C, V> {
    pub processes: usize,
    /// *Pairwise interactions*: fairness is global.
    pub pairs: bool,
    /// *Reading neighbours*, *Pairwise interactions*: steps are moves, and rounds those of asynchronous systems.
    pub moves: bool,
    pub configurations: Vec<C>,
    /// *Start first*: one edge for each outcome of the choices at the start, with a part for each process in the order of positions.
    pub starts: Vec<Edge<V>>,
    /// The steps of each configuration.
    pub steps: Vec<Vec<Edge<V>>>,
}

impl<C, V> Graph<C, V> {
    /// Return a graph without configurations.
    pub fn empty(processes: usize, pairs: bool, moves: bool) -> Graph<C, V> {
        Graph { processes, pairs, moves, configurations: Vec::new(), starts: Vec::new(), steps: Vec::new() }
    }

    /// Return the initial configurations. Some starts may abort.
    pub fn initial(&self) -> Vec<usize> {
        self.starts.iter().filter_map(Edge::to).collect()
    }

    /// *Ends*: test whether only faults are enabled, which need not occur.
    pub fn is_end(&self, at: usize) -> bool {
        self.steps[at].iter().all(Edge::is_omissible)
    }

    /// Return the successors of a configuration, including those by faults.
    pub fn next(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps[at].iter().filter_map(Edge::to)
    }
}
