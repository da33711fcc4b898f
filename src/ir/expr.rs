//! Typed expressions. An expression whose type fits a word is evaluated to a word, any other to a [`Value`].

use super::{Ranges, Type, Value};
use crate::source::Span;

/// The kind of an event at the interface of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HistoryKind {
    Calls,
    Returns,
    Upcalls,
}

/// The cost of a run that a bound limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Messages to other processes.
    Messages,
    /// `messages to self`
    MessagesToSelf,
    Bits,
    Time,
    Rounds,
}

impl Metric {
    /// Return whether the measure is a sum over messages.
    pub fn is_of_messages(self) -> bool {
        matches!(self, Metric::Messages | Metric::MessagesToSelf | Metric::Bits)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    /// `some`, `exists`
    Some,
    Count,
    Sum,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

/// A location in the frame of a step. The frame contains the process's variables, then temporaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Word(u16),
    Value(u16),
}

impl Slot {
    /// Return its number among the words or among the values.
    pub fn index(self) -> u16 {
        let (Slot::Word(index) | Slot::Value(index)) = self;
        index
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant whose type fits a word.
    Word(i64),
    /// Any other constant.
    Const(Value),
    /// An option used where its value is needed, or a variable without an initial value. `None`: an abort.
    Unwrap(Box<Expr>),
    /// A value whose numbers must be within ranges (otherwise an abort), and the program construct that requires it.
    Ranged {
        of: Box<Expr>,
        ranges: Box<Ranges>,
        what: String,
    },
    Slot(Slot),
    /// A parameter of the instance (index into `Program::params`).
    Param(u16),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Implies(Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// Checked arithmetic on Ints.
    Arith(Arith, Box<Expr>, Box<Expr>),
    /// Comparison of two operands whose (equal) types fit a word.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// Comparison of two other operands; on sets, `<=` means subset. Operands may mix word and value representation (an `Id` with
    /// an `Int?`): both are compared as values.
    CompareValues(Compare, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Tuple(Vec<Expr>),
    Record(u32, Vec<Expr>),
    Message(u32, Vec<Expr>),
    List(Vec<Expr>),
    Set(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    /// Component of a tuple or record, from 0.
    Part(Box<Expr>, usize),
    /// Element of a list (index from 0) or of a map. Absent: an abort.
    Index(Box<Expr>, Box<Expr>),
    /// Membership in a set or list, or among the keys of a map.
    In(Box<Expr>, Box<Expr>),
    Collection(CollectionOp, Box<Expr>, Box<Expr>),
    /// `lo..hi` as a set.
    Range(Box<Expr>, Box<Expr>),
    Call(Builtin, Vec<Expr>),
    /// Evaluate all, store all, then evaluate the body: an inlined function call.
    Let(Vec<(Slot, Expr)>, Box<Expr>),
    /// A function without arguments in a property: computed on first use, then cached in the frame. The word slot `done` says
    /// whether it is cached; frames of properties are initially zero.
    Once {
        slot: Slot,
        done: Slot,
        value: Box<Expr>,
    },
    Quantified {
        quantifier: Quantifier,
        binders: Vec<Binder>,
        with: Option<Box<Expr>>,
        body: Box<Expr>,
    },
    /// `{ e for … | g }`, `[ … ]`; a filter `{ p in S | g }` has the pattern's own value as element.
    Comprehension {
        list: bool,
        binders: Vec<Binder>,
        condition: Option<Box<Expr>>,
        /// The element; None: that of the only binder itself.
        element: Option<Box<Expr>>,
    },
    /// `least p in S with g by e`: an option; ties go to the first element in order.
    Best {
        greatest: bool,
        binder: Box<Binder>,
        with: Option<Box<Expr>>,
        by: Option<Box<Expr>>,
    },
    Fact(Fact),
    /// A property of a port or id of the current process.
    PortFact(PortFact, Box<Expr>),
    /// A variable of another process (properties): its slot for each role, None if the role lacks it.
    Remote(Box<Expr>, Vec<Option<Slot>>),
    /// Whether the process is in one of these control states: for each role, the slot of the control state, and the states.
    RemoteState(Box<Expr>, Vec<Option<(u16, Vec<i64>)>>),
    ProcessFact(ProcessFact, Box<Expr>),
    EventFact(EventFact, Box<Expr>),
    /// `a happened before b`
    HappenedBefore(Box<Expr>, Box<Expr>),
    /// `a before b`
    Before(Box<Expr>, Box<Expr>),
    /// Whether multicast a (an event: a call of an operation) precedes b in the causal order of deliveries (coordination
    /// catalogue §6.2).
    MulticastBefore(Box<Expr>, Box<Expr>),
    /// The history of an operation (index into `Program::operations`) or upcall, as a list of events.
    History(HistoryKind, u16),
    Metric {
        metric: Metric,
        of: Option<Vec<u32>>,
        per: Option<u16>,
    },
    /// Synchronous rounds: what the process has received in this round. A set of bare values or, depending on the type, the list
    /// of the messages.
    Received,
    /// Whether a message of this kind was received in this round.
    ReceivedKind(u32),
    /// The same with a pattern: binds the first match, in the order of ports (or senders).
    ReceivedMessage(Box<ReceivedMessage>),
    /// State reading: the variable (index into `Program::shared`) of the process at the other end of a port.
    NeighbourVariable(Box<Expr>, u16),
}

/// `received M(x) from p when g`
#[derive(Clone, Debug)]
pub struct ReceivedMessage {
    pub kind: u32,
    /// One pattern for each field.
    pub fields: Vec<Pattern>,
    pub from: super::Sender,
    pub when: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    Add,
    Subtract,
    Multiply,
    Div,
    Mod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    /// Return whether the comparison of these numbers is true.
    pub fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::LessEqual => left <= right,
            Compare::Greater => left > right,
            Compare::GreaterEqual => left >= right,
        }
    }

    /// Return the comparison with its sides exchanged: `a < b` is `b > a`.
    pub fn mirrored(self) -> Compare {
        match self {
            Compare::Equal => Compare::Equal,
            Compare::NotEqual => Compare::NotEqual,
            Compare::Less => Compare::Greater,
            Compare::LessEqual => Compare::GreaterEqual,
            Compare::Greater => Compare::Less,
            Compare::GreaterEqual => Compare::LessEqual,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionOp {
    /// Sets: union (`Insert` adds a single element); lists: concatenation; maps: the right operand takes precedence.
    Union,
    Difference,
    Intersect,
    /// `S except x`, where x is one element.
    RemoveElement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The maximum of two or more arguments of one type; likewise `Min`.
    Max,
    Min,
    /// The maximum of one collection; likewise `MinOf`. Empty: an abort.
    MaxOf,
    MinOf,
    Size,
    Head,
    Tail,
    Last,
    Keys,
    Values,
    Abs,
    Log2Floor,
    Log2Ceil,
    Pow,
    /// Converts a set or list to an ascending list.
    Sort,
    ToSet,
    ToList,
    /// Converts a list of pairs to a map: `{ k: v for p in S }`.
    ToMap,
    /// Converts an id to an Int (requires `integer ids`), and vice versa.
    IdNumber,
    IdOfNumber,
    /// The ids of a set of processes.
    IdsOf,
    /// In properties: the process at the other end of a port of a process.
    Across,
    /// In properties: the weight of the edge at a port of a process.
    WeightAt,
    /// In properties: whether these pairs of processes, taken as edges, connect all processes.
    Connects,
    /// In properties and scenarios: the port of a process that leads to another.
    PortTo,
    /// In properties: the port by which the process at the other end sees the link at a port of a process.
    FarEnd,
    Sum,
    /// `coin(p)`, `random(S)`: random choices of the environment.
    Coin,
    Random,
}

/// A constant or state of the current process, or of the instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Id,
    N,
    Diameter,
    Edges,
    Degree,
    /// The ids of the other processes, as a set.
    Peers,
    Everybody,
    /// All ports with an outgoing link, as a set.
    Neighbours,
    /// The next and the previous process on a virtual ring: its id if the network is complete and processes are identified by
    /// ids, else the port that leads to it. Without other processes: an abort.
    RingNext,
    RingPrev,
    /// The port to the parent in the given spanning tree: an option. The ports to the children, as a set.
    TreeParent,
    TreeChildren,
    /// The port with this label. Absent: an abort.
    Port(PortLabel),
    /// Whether the process has a port with this label.
    HasPort(PortLabel),
    /// Members of a role: ids if processes are addressable, else the ports that lead to them.
    Role(u16),
    IsInitiator,
    /// All processes; in properties.
    Processes,
    /// Rows and columns of a mesh or torus; in properties.
    Rows,
    Columns,
    /// Processes whose role provides the operations of the problem.
    Participants,
    RoleProcesses(u16),
    Initiators,
    /// The feedback of the last slot: a case of the enumeration that `radio` declares.
    Heard,
    /// The answer of an oracle (index into `Program::oracles`).
    Oracle(u16),
    /// A fact about the scenario that all runs of the instance follow.
    Script(ScriptFact),
}

/// A fact about the lines of a scenario, in the properties that represent its expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptFact {
    /// This line happens in this configuration.
    Passes(u32),
    /// All lines have happened.
    IsComplete,
    /// The outcome at this line is this one.
    Outcome(u32, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortLabel {
    Next,
    Prev,
    Left,
    Right,
    North,
    East,
    South,
    West,
    Parent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortFact {
    Opposite,
    Neighbour,
    Weight,
    /// The port by which the process at the other end sees the link.
    FarEnd,
    /// `port(k)`: checks the range.
    Numbered,
    /// The port of dimension k of a hypercube.
    Dimension,
    /// The port of a complete network that leads to the process k positions further.
    Chord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessFact {
    Id,
    Index,
    Halted,
    Degree,
    /// The processes at the other ends of the outgoing links.
    Neighbours,
    Up,
    IsInitiator,
    /// Whether the process is enabled, in models where processes read their neighbours.
    Enabled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventFact {
    Process,
    /// 1 for the first event of this kind at its process.
    Nth,
    /// First argument of the call or upcall.
    Value,
}

#[derive(Clone, Debug)]
pub struct Binder {
    /// As written, for messages: `p`, `(t, j)`.
    pub name: String,
    pub pattern: Pattern,
    /// A set or list.
    pub set: Expr,
}

/// A pattern that destructures a value. Names have been resolved to slots.
#[derive(Clone, Debug)]
pub enum Pattern {
    Wildcard,
    /// The static type determines how the value is stored as a word.
    Slot(Slot),
    Tuple(Vec<Pattern>),
    /// Only a message of this kind matches.
    Message(u32, Vec<Pattern>),
}
