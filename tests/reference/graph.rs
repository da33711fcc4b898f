//! The graph of configurations, with what each step did: the interface between the steps of the language and its properties.
//!
//! *Meaning*: a configuration is a vertex, a step is an edge. A start is not a step: `starts` says which configurations runs begin in.
//! Nothing is left out and nothing is shared: two edges differ if any choice does.

/// A directed channel; each layer has its own for each link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    pub from: usize,
    pub to: usize,
    /// The link, where several join the same two processes, numbered at the sender.
    pub link: usize,
    /// The dotted name of the layer, empty for the algorithm itself.
    pub layer: String,
    pub unordered: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message<V> {
    /// The dotted name of the layer that sends it, empty for the algorithm itself.
    pub layer: String,
    /// Empty for a bare value.
    pub name: String,
    pub fields: Vec<V>,
}

/// What a process, or the environment at a process, does in a step. *Step*: one guarded command of one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action<V> {
    /// The first commands, up to the first waiting point. In `Graph::starts` only.
    Start,
    /// A message is delivered: a `receive`, a handler, an `ignore`, `on arrival`, or it vanishes at a process that is down.
    Deliver(Channel, Message<V>),
    /// `receive … from each`: one message from each of several channels. Empty if nothing is waited for.
    Gather(Vec<(Channel, Message<V>)>),
    /// The process goes on by itself: `await`, `pause`, `when`, a Boolean guard, the end of a `do`, `on wakeup`, a timer,
    /// a move. The text names the alternative.
    Alone(String),
    /// The process's part in the end of a round.
    Round,
    /// *Pairwise interactions*: the process is the initiator, the other one the responder; the number is that of the handler.
    Interact(usize, usize),
    /// The failure detector of the process suspects a process that is down.
    Suspect(usize),
    /// It suspects a process that is up: a fault.
    SuspectWrongly(usize),
    Trust(usize),
    /// The oracles of the process begin to be wrong: a fault. They are right again.
    Mislead,
    SetRight,
    Crash,
    Restart,
    /// A message is lost: the place counts from the oldest in the channel.
    Lose(Channel, usize),
    Duplicate(Channel, usize),
    /// A link from the process to this one fails; the second number is that of the link.
    Cut(usize, usize),
}

impl<V> Action<V> {
    /// *Faults*: such a step happens only where the budget lets it; no run has to go on for its sake.
    pub fn is_fault(&self) -> bool {
        use Action::*;
        matches!(self, SuspectWrongly(_) | Mislead | Crash | Restart | Lose(..) | Duplicate(..) | Cut(..))
    }
}

/// *Choice*: what was decided in the course of a command, in order. Only choices with several possibilities count; a draw whose
/// probability is 0 or 1 is no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// A draw (`coin`, `random`), of which each option has a probability above 0; else the scheduler decides.
    pub chance: bool,
    pub options: usize,
    pub taken: usize,
}

/// What a step did for those that watch, in the order in which it happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect<V> {
    /// A message was put at the end of a channel, on a failed link too: it is then `Taken` at once, and lost. A message to one's
    /// own id is not `counted`; a transmission by radio is counted on one of its channels.
    Sent {
        channel: Channel,
        message: Message<V>,
        bits: u64,
        counted: bool,
    },
    /// A message left its channel, taken by the receiver or (`lost`) by nobody. `nth` counts equal messages, from the oldest.
    Taken {
        channel: Channel,
        message: Message<V>,
        nth: usize,
        lost: bool,
    },
    /// A copy came directly after the `nth` of equal messages.
    Duplicated {
        channel: Channel,
        message: Message<V>,
        nth: usize,
    },
    /// *History*: an operation of the problem was called, and returned (with the arguments of the call); an upcall at the top.
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
}

/// What one process does in a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part<V> {
    pub process: usize,
    pub action: Action<V>,
    pub choices: Vec<Choice>,
    pub effects: Vec<Effect<V>>,
}

/// *Aborts*: an aborted command leaves nothing behind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Configuration(usize),
    Abort(String),
}

/// A step. One part, or in a joint step (the end of a round, moves at the same time) one for each process that takes part, in
/// the order of positions. What lies between the parts is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge<V> {
    pub parts: Vec<Part<V>>,
    /// *Rounds*: how many rounds end with this step, those skipped included.
    pub rounds: u64,
    pub target: Target,
}

impl<V> Edge<V> {
    pub fn is_fault(&self) -> bool {
        self.parts.iter().all(|part| part.action.is_fault())
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
    pub configurations: Vec<C>,
    /// *Start first*: one for each outcome of the choices at the start, with a part for each process in the order of positions.
    pub starts: Vec<Edge<V>>,
    /// The steps of each configuration.
    pub steps: Vec<Vec<Edge<V>>>,
}

impl<C, V> Graph<C, V> {
    /// The configurations that runs begin in. Some starts may abort.
    pub fn initial(&self) -> Vec<usize> {
        self.starts.iter().filter_map(Edge::to).collect()
    }

    /// *Ends*: nothing is possible but faults, which need not happen.
    pub fn is_end(&self, at: usize) -> bool {
        self.steps[at].iter().all(Edge::is_fault)
    }

    /// The configurations that steps lead to, faults included.
    pub fn next(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps[at].iter().filter_map(Edge::to)
    }
}
