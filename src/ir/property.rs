//! Properties and scenarios, as trees with spans.

use super::*;
use crate::network::Spec;
use crate::source::Span;
use crate::syntax::ast::{Metric, PropertyKind};

#[derive(Clone, Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: String,
    pub doc: Option<String>,
    /// `for p, q`: the property holds for each combination on its own.
    pub each: Vec<Binder>,
    pub body: Expr,
    /// Right side of `leads to`.
    pub then: Option<Expr>,
    /// `bound` and `exactly`: what is measured and compared.
    pub bound: Option<Bound>,
    /// Comes from the problem, not from the algorithm's own file.
    pub from_problem: bool,
    /// False where the algorithm solves its problem `without` this property: a violation is no finding.
    pub promised: bool,
    pub span: Span,
}

/// `messages of M per entry <= e`
#[derive(Clone, Debug)]
pub struct Bound {
    pub metric: Metric,
    /// Only these message kinds.
    pub of: Option<Vec<u32>>,
    /// Divided by the completed operations of this kind (index into `Program::operations`).
    pub per: Option<u16>,
    pub compare: Compare,
    pub limit: Expr,
}

/// The seed where none is given, in scenarios and on the command line: always the same, so that what was written or typed
/// means the same tomorrow.
pub const DEFAULT_SEED: u64 = 1;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: String,
    pub doc: Option<String>,
    pub span: Span,
    /// None: a small network of the kind that the algorithm assumes.
    pub topology: Option<Spec>,
    pub ids: Option<Vec<i64>>,
    /// Named way to choose ids: `ascending`, `descending`, `random`, `worst`.
    pub ids_by: Option<String>,
    /// Names of the processes by position.
    pub names: Vec<String>,
    /// Positions of the initiators, where said.
    pub initiators: Option<Vec<usize>>,
    /// Parameters given in the header: index into `Program::params`, constant expression.
    pub params: Vec<(u16, Expr)>,
    pub schedule: Option<String>,
    /// `schedule told`: nothing happens but what a line says.
    pub is_told: bool,
    pub seed: Option<u64>,
    /// Weights of the edges, in their order.
    pub weights: Option<Vec<i64>>,
    /// Notes of the application do not carry the algorithm's clock, whatever it declares.
    pub unstamped_notes: bool,
    /// Who moves at the same time, where processes read their neighbours.
    pub daemon: Option<super::Daemon>,
    /// How often what may go wrong, by the words of `--faults`.
    pub faults: Vec<(String, u32)>,
    pub lines: Vec<(ScenarioLine, Span)>,
}

/// What is chosen.
#[derive(Clone, Debug)]
pub enum Chosen {
    Value(Expr),
    /// From 0.
    Number(u32),
}

#[derive(Clone, Debug)]
pub enum ScenarioLine {
    /// Variable of the process, by role; the value is of the variable's type.
    Initially {
        process: usize,
        slots: Vec<Option<Slot>>,
        value: Expr,
    },
    /// None: any process. The kinds: only these.
    Hold {
        from: Option<usize>,
        to: Option<usize>,
        kinds: Option<Vec<u32>>,
    },
    Release {
        link: Option<(usize, usize)>,
    },
    Deliver {
        from: usize,
        to: usize,
        kinds: Option<Vec<u32>>,
    },
    Act {
        process: usize,
        operation: u16,
        args: Vec<Expr>,
    },
    Note {
        from: usize,
        to: usize,
        label: String,
    },
    Wake(Vec<usize>),
    /// At once, or before the process next sends such a message (None: any), to anybody or to one of these.
    Crash {
        process: usize,
        before: Option<(Option<Vec<u32>>, Vec<usize>)>,
    },
    Restart(usize),
    Mislead(usize),
    /// The detector of `at` suspects a process, or trusts it again.
    Suspect {
        process: usize,
        at: usize,
        trusted: bool,
    },
    /// A message under way is lost.
    Lose {
        from: usize,
        to: usize,
        kinds: Option<Vec<u32>>,
    },
    /// A message under way is doubled.
    Duplicate {
        from: usize,
        to: usize,
        kinds: Option<Vec<u32>>,
    },
    /// The link fails, in this direction.
    Cut {
        from: usize,
        to: usize,
    },
    /// Messages sent from now on over this link take so long.
    Delay {
        from: usize,
        to: usize,
        kinds: Option<Vec<u32>>,
        delay: Expr,
    },
    /// Everything up to this instant happens; in rounds, up to the end of so many rounds.
    At(Expr),
    /// What the process chooses next: a value, or so manieth of the possibilities, from 0.
    Choose {
        process: usize,
        value: Chosen,
    },
    /// What they do by themselves; several of them together.
    Step(Vec<usize>),
    /// A timer runs out.
    Expire(usize),
    /// From here on the run goes round for ever.
    Cycle,
    Expect(Expr),
    ExpectVerdict {
        property: usize,
        violated: bool,
    },
    /// Everything is as it was at [`ScenarioLine::Cycle`].
    ExpectAgain,
    /// terminated, quiescent, stuck, limit
    ExpectOutcome(String),
}
