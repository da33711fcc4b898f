//! Properties and scenarios, as trees with spans.

use super::*;
use crate::ids::ProcessId;
use crate::network::Spec;
use crate::source::Span;

/// The clause that states a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Invariant,
    Stable,
    Finally,
    Eventually,
    /// From some time on, forever.
    Settles,
    LeadsTo,
    Bound,
    Exactly,
    /// A statement about the history of the run (`calls of`, `returns of`, `happened before`).
    Order,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: String,
    pub doc: Option<String>,
    /// `for p, q`: the property is checked for each combination separately.
    pub binders: Vec<Binder>,
    pub body: Expr,
    /// Right side of `leads to`.
    pub consequent: Option<Expr>,
    /// `bound` and `exactly`: the measure and its limit.
    pub bound: Option<Bound>,
    /// Whether the property comes from the problem, not from the algorithm's own file.
    pub from_problem: bool,
    /// False if the algorithm solves its problem `without` this property: a violation is then not a failure.
    pub is_claimed: bool,
    pub span: Span,
}

/// `messages of M per entry <= e`
#[derive(Clone, Debug)]
pub struct Bound {
    pub metric: Metric,
    /// Restricts the measure to these message kinds.
    pub of: Option<Vec<u32>>,
    /// Divides the measure by the number of completed operations of this kind (index into `Program::operations`).
    pub per: Option<u16>,
    pub compare: Compare,
    pub limit: Expr,
}

/// The default seed, in scenarios and on the command line: constant, so that a scenario or command always means the same.
pub const DEFAULT_SEED: u64 = 1;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: String,
    pub doc: Option<String>,
    pub span: Span,
    /// The network; None: a small one of the assumed kind.
    pub topology: Option<Spec>,
    pub ids: Option<Vec<i64>>,
    /// The named id assignment: `ascending`, `descending`, `random`, `worst`.
    pub ids_by: Option<String>,
    /// Names of the processes, by position.
    pub names: Vec<String>,
    /// Positions of the initiators, if listed.
    pub initiators: Option<Vec<ProcessId>>,
    /// The header says `initiators all`. Otherwise the processes of `wake` lines are the initiators, unless a list is given.
    pub all_initiators: bool,
    /// Parameters set in the header: index into `Program::params`, constant expression.
    pub params: Vec<(u16, Expr)>,
    pub schedule: Option<String>,
    /// `schedule told`: a scripted schedule, in which only what a line states happens.
    pub is_scripted: bool,
    pub seed: Option<u64>,
    /// Weights of the edges, in their order.
    pub weights: Option<Vec<i64>>,
    /// Notes of the application carry no clock, even if the algorithm declares one.
    pub unstamped_notes: bool,
    /// Which processes move at the same time, in models where processes read their neighbours.
    pub daemon: Option<super::Daemon>,
    /// The fault budget, by the words of `--faults`.
    pub faults: Vec<(String, u32)>,
    /// Whether messages in transit arrive even if their sender crashes.
    pub messages_survive: bool,
    pub lines: Vec<(ScenarioLine, Span)>,
}

impl Scenario {
    /// Return the names of the processes, by position: those of the header, or of the network. Empty: p0, p1, …
    pub fn process_names(&self) -> &[String] {
        match &self.topology {
            Some(topology) if self.names.is_empty() => topology.names(),
            _ => &self.names,
        }
    }
}

/// The outcome of a nondeterministic choice.
#[derive(Clone, Debug)]
pub enum Chosen {
    Value(Expr),
    /// The index of the possibility, from 0.
    Number(u32),
}

#[derive(Clone, Debug)]
pub enum ScenarioLine {
    /// An initial value: the variable's slot for each role; the value has the variable's type.
    Initially {
        process: ProcessId,
        slots: Vec<Option<Slot>>,
        value: Expr,
    },
    /// Holds messages back. `None`: any process; any kind.
    Hold {
        from: Option<ProcessId>,
        to: Option<ProcessId>,
        kinds: Option<Vec<u32>>,
    },
    Release {
        link: Option<(ProcessId, ProcessId)>,
    },
    Deliver {
        from: ProcessId,
        to: ProcessId,
        kinds: Option<Vec<u32>>,
    },
    Act {
        process: ProcessId,
        operation: u16,
        args: Vec<Expr>,
    },
    Note {
        from: ProcessId,
        to: ProcessId,
        label: String,
    },
    Wake(Vec<ProcessId>),
    /// At once, or before the process next sends a message of these kinds (None: any) to one of these processes (empty: any).
    Crash {
        process: ProcessId,
        before: Option<(Option<Vec<u32>>, Vec<ProcessId>)>,
    },
    Restart(ProcessId),
    Mislead(ProcessId),
    /// The detector of `at` suspects a process, or trusts it again.
    Suspect {
        process: ProcessId,
        at: ProcessId,
        trusted: bool,
    },
    /// A message in transit is lost.
    Lose {
        from: ProcessId,
        to: ProcessId,
        kinds: Option<Vec<u32>>,
    },
    /// A message in transit is duplicated.
    Duplicate {
        from: ProcessId,
        to: ProcessId,
        kinds: Option<Vec<u32>>,
    },
    /// The link fails, in this direction.
    Cut {
        from: ProcessId,
        to: ProcessId,
    },
    /// Messages sent from now on over this link have this delay.
    Delay {
        from: ProcessId,
        to: ProcessId,
        kinds: Option<Vec<u32>>,
        delay: Expr,
    },
    /// The run advances to this instant; in rounds, to the end of this many rounds.
    AdvanceTo(Expr),
    /// The next choice of the process: a value, or the index of a possibility, from 0.
    Choose {
        process: ProcessId,
        value: Chosen,
    },
    /// Internal steps of these processes, several of them together.
    Step(Vec<ProcessId>),
    /// A timer expires.
    Expire(ProcessId),
    /// From here on, the run repeats a cycle (lasso).
    Cycle,
    Expect(Expr),
    ExpectVerdict {
        property: usize,
        violated: bool,
    },
    /// The configuration equals that at [`ScenarioLine::Cycle`].
    ExpectCycleClosed,
    /// terminated, quiescent, stuck, limit
    ExpectOutcome(String),
}
