//! Typed expressions. An expression whose type fits a word is evaluated to a word, any other to a [`Value`].

use super::{Ranges, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{HistoryKind, Metric, Quantifier};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

/// Where a value of the frame stands. The frame of a step is the process's variables, then temporaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Word(u16),
    Value(u16),
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant whose type fits a word.
    Word(i64),
    /// Any other constant.
    Const(Value),
    /// An option used where its value is needed, or a variable that begins without a value. None: an abort.
    Unwrap(Box<Expr>),
    /// A value whose numbers have to be within ranges, and what in the program asks for that. Else: an abort.
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
    /// Comparison of two other operands; on sets `<=` means subset. Operands may mix word and value
    /// representation (an `Id` with an `Int?`): both are compared as values.
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
    /// Element of a list (from 0) or of a map. Absent: an abort.
    Index(Box<Expr>, Box<Expr>),
    /// Element of a set or list, key of a map.
    In(Box<Expr>, Box<Expr>),
    Collection(CollectionOp, Box<Expr>, Box<Expr>),
    /// `lo..hi` as a set.
    Range(Box<Expr>, Box<Expr>),
    Call(Builtin, Vec<Expr>),
    /// Evaluate all, then store, then the body: a function call, unfolded.
    Let(Vec<(Slot, Expr)>, Box<Expr>),
    /// A function without arguments in a property: computed when first needed, then remembered in the frame
    /// (`done` is a word slot that says so; frames of properties begin as zeros).
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
        /// None: the element itself (of the only binder).
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
    /// Facts about a port or id of the process at hand.
    PortFact(PortFact, Box<Expr>),
    /// Variable of another process (properties): one slot for each role, none where the role lacks it.
    Remote(Box<Expr>, Vec<Option<Slot>>),
    /// Is the process in one of these control states? For each role the slot of the control state and the states.
    RemoteState(Box<Expr>, Vec<Option<(u16, Vec<i64>)>>),
    ProcessFact(ProcessFact, Box<Expr>),
    EventFact(EventFact, Box<Expr>),
    /// `a happened before b`
    HappenedBefore(Box<Expr>, Box<Expr>),
    /// `a before b`
    Before(Box<Expr>, Box<Expr>),
    /// Did multicast a (an event: a call of an operation) come before b in the causal order that deliveries
    /// make (coordination catalogue §6.2)?
    MulticastBefore(Box<Expr>, Box<Expr>),
    /// History entries of an operation (index into `Program::operations`) or upcall, as a list of events.
    History(HistoryKind, u16),
    Metric {
        metric: Metric,
        of: Option<Vec<u32>>,
        per: Option<u16>,
    },
    /// Synchronous rounds: what this round has brought. A set of bare values, or, where the type says so, the list
    /// of the messages.
    Received,
    /// Has this round brought a message of this kind?
    ReceivedKind(u32),
    /// The same, with a pattern: the first that fits, in the order of ports (or senders), is bound.
    ReceivedMessage(Box<ReceivedMessage>),
    /// State reading: the variable (an index into `Program::shared`) of the process at the other end of a port.
    NeighbourVariable(Box<Expr>, u16),
}

/// `received M(x) from p when g`
#[derive(Clone, Debug)]
pub struct ReceivedMessage {
    pub kind: u32,
    /// One for each field.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionOp {
    /// Sets: union (an element on the right is added by `Insert`); lists: concatenation; maps: right wins.
    Union,
    Difference,
    Intersect,
    /// `S + x`-free: written `S + {x}`; `S except x` where x is one element.
    RemoveElement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// Of two or more arguments of one type.
    Max,
    Min,
    /// Of one collection. Empty: an abort.
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
    /// Set or list to ascending list.
    Sort,
    ToSet,
    ToList,
    /// A list of pairs to a map: `{ k: v for p in S }`.
    ToMap,
    /// Id as Int (needs `integer ids`), and the other way round.
    IdNumber,
    IdOfNumber,
    /// Ids of a set of processes.
    IdsOf,
    /// In properties: the process at the other end of a port of a process.
    Across,
    /// In properties: the weight of the edge at a port of a process.
    WeightAt,
    /// In properties: do these pairs of processes, taken as edges, join all processes?
    Connects,
    /// In properties and scenarios: the port of a process that leads to another.
    PortTo,
    Sum,
    /// `coin(p)`, `random(S)`: choices of the environment, with probabilities.
    Coin,
    Random,
}

/// What the process at hand, or the instance, is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Id,
    N,
    Diameter,
    Edges,
    Degree,
    /// Ids of the other processes, as a set.
    Peers,
    Everybody,
    /// All ports with an outgoing link, as a set.
    Neighbours,
    /// The next and the previous process of a virtual ring: its id where the network is complete and processes are named
    /// by ids, else the port that leads there. Alone: an abort.
    RingNext,
    RingPrev,
    /// The port to the parent in the given spanning tree: an option. The ports to the children, as a set.
    TreeParent,
    TreeChildren,
    /// The port with this label. Absent: an abort.
    Port(PortLabel),
    /// Has the process a port with this label?
    HasPort(PortLabel),
    /// Members of a role, as ids where processes are addressable, else as the ports that lead to them.
    Role(u16),
    IsInitiator,
    /// All processes, in properties.
    Processes,
    /// Rows and columns of a mesh or torus, in properties.
    Rows,
    Columns,
    /// Processes whose role offers the operations of the problem.
    Participants,
    RoleProcesses(u16),
    Initiators,
    /// What the last slot sounded like: a case of the enumeration that `radio` brings.
    Heard,
    /// What an oracle answers (index into `Program::oracles`).
    Oracle(u16),
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
    /// `port(k)`: checks the range.
    Numbered,
    /// The port of dimension k of a hypercube.
    Dimension,
    /// The port of a complete network that leads to the process k positions further on.
    Chord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessFact {
    Id,
    Index,
    Halted,
    Degree,
    /// The processes at the other ends of the links that leave it.
    Neighbours,
    Up,
    IsInitiator,
    /// Can it move, where processes read their neighbours?
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
    /// As written, for explanations: `p`, `(t, j)`.
    pub name: String,
    pub pattern: Pattern,
    /// A set or list.
    pub set: Expr,
}

/// Takes a value apart. Names have become slots.
#[derive(Clone, Debug)]
pub enum Pattern {
    Wildcard,
    /// The static type tells how to make a word of the value.
    Slot(Slot),
    Tuple(Vec<Pattern>),
    /// Only a message of this kind matches.
    Message(u32, Vec<Pattern>),
}
