//! The abstract syntax tree, unresolved. A module is syntactically correct but may have any other error; code that uses it must
//! not panic.
//!
//! A file is a flat list of clauses. `check` assigns handlers to their sections (`state`, `always`, `role`) from the order of
//! the clauses.

mod expr;
mod scenario;

pub use expr::*;
pub use scenario::*;

use crate::ir::{PropertyKind, ViewKind};
use crate::source::Span;

/// Number of an expression or statement within its clause, so that equal clauses have equal trees at every place.
pub type NodeId = u32;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub clauses: Vec<Clause>,
    /// Every `//` comment that is not the doc comment of a clause, as written, with slashes and place, in order.
    pub comments: Vec<(Span, String)>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    /// The preceding `///` lines, joined by newlines, without the slashes and one following space.
    pub doc: Option<String>,
    pub span: Span,
    pub kind: ClauseKind,
}

#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `algorithm NAME [variant of NAME] [solves Problem(key: value, …) [without P, Q]]`
    Algorithm {
        name: Name,
        variant_of: Option<Name>,
        solves: Option<ProblemUse>,
    },
    /// `problem NAME[(key: option | option [= default], …)]`
    Problem {
        name: Name,
        params: Vec<ProblemParam>,
    },
    /// `assumes a, b, c`
    Assumes(Vec<Assumption>),
    /// `uses X [(key: expr, …)] as B, …`
    Uses(Vec<Use>),
    /// `message M(a: T, b), N`
    Message(Vec<MessageDecl>),
    /// `enum Colour = red | green`
    Enum {
        name: Name,
        cases: Vec<Name>,
    },
    /// `record Entry(key: Int, owner: Id)`
    Record {
        name: Name,
        fields: Vec<Param>,
    },
    /// `const K [: T] = e`
    Const {
        name: Name,
        ty: Option<TypeExpr>,
        value: Expr,
    },
    /// `param k [: T] = e` : a value of the instance, changed by `--set k=v`
    Param {
        name: Name,
        ty: Option<TypeExpr>,
        default: Option<Expr>,
    },
    /// `[persistent] var a, b [: T] [:= e]` and, in problems, `output a [: T] [:= e]` or `output a [: T] [initially e]`
    Var {
        output: bool,
        persistent: bool,
        /// Whether the expression is the initial value of an output, not its definition.
        initially: bool,
        names: Vec<Name>,
        ty: Option<TypeExpr>,
        init: Option<Expr>,
    },
    /// `function f(x, y: T) [: T] = e`
    Function {
        name: Name,
        params: Vec<Param>,
        result: Option<TypeExpr>,
        body: Expr,
    },
    /// `procedure f(x)` and its statements
    Procedure {
        name: Name,
        params: Vec<Param>,
        body: Block,
    },
    /// `operation f(x, g := e) [as entry]` and its statements
    Operation {
        name: Name,
        params: Vec<Param>,
        alias: Option<Name>,
        body: Block,
    },
    /// `client` and its statements (in problems)
    Client {
        body: Block,
    },
    /// `role Name`: what follows belongs to this role
    Role {
        name: Name,
    },
    /// `[initial] state a, b` and the statements of its body (may be empty)
    State {
        initial: bool,
        names: Vec<Name>,
        body: Block,
    },
    /// `always`: the handlers that follow apply in every state
    Always,
    /// `on … -> …` or `when … -> …`
    Handler(Handler),
    /// `defer M(x) [from p] [when g] [, N]`
    Defer(Vec<MessageGuard>),
    /// `ignore M[(x)] [from p] [when g] [, N]`
    Ignore(Vec<MessageGuard>),
    /// `view without a, M.b` and `view a, M.b up to shift`
    View(View),
    /// `stamps notes with v`: application messages carry the algorithm's clock `v`
    Stamps {
        variable: Name,
    },
    Property(Property),
    Scenario(Scenario),
}

#[derive(Clone, Debug)]
pub struct ProblemUse {
    pub name: Name,
    pub args: Vec<(Name, Name)>,
    /// Properties of the problem that the algorithm does not claim.
    pub without: Vec<Name>,
}

#[derive(Clone, Debug)]
pub struct ProblemParam {
    pub name: Name,
    pub options: Vec<Name>,
    /// The option after `=`; if there is none, the first option is the default.
    pub default: Option<Name>,
}

/// One assumption, as its words: `unidirectional ring`, `knows n`, `one Root`. Comparison forms
/// (`delay <= 1`, `crashes <= 2`) keep the bound as an expression.
#[derive(Clone, Debug)]
pub struct Assumption {
    pub words: Vec<Name>,
    pub bound: Option<(BinaryOp, Expr)>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Use {
    pub algorithm: Name,
    pub args: Vec<(Name, Expr)>,
    /// `as B`; otherwise the layer has the name of its algorithm.
    pub alias: Option<Name>,
}

impl Use {
    /// Return the name of the layer.
    pub fn name(&self) -> &Name {
        self.alias.as_ref().unwrap_or(&self.algorithm)
    }
}

#[derive(Clone, Debug)]
pub struct MessageDecl {
    pub name: Name,
    pub fields: Vec<Param>,
}

/// A field or parameter: `x`, `x: T`, `x := e`, `x: T := e`.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    pub default: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub kind: TypeExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// `Int`, `Bool`, `Id`, `Port`, `Value`, an enum or a record.
    Name(Name),
    Set(Box<TypeExpr>),
    List(Box<TypeExpr>),
    Queue(Box<TypeExpr>),
    Map(Box<TypeExpr>, Box<TypeExpr>),
    Option(Box<TypeExpr>),
    Tuple(Vec<TypeExpr>),
    /// `lo..hi`, both bounds included: an Int within these bounds.
    Range(Box<Expr>, Box<Expr>),
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Handler {
    pub trigger: Trigger,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Trigger {
    /// `on M(x) [from p] [when g] ->`, `on Layer.upcall(x, y) [when g] ->`, `on wakeup ->`, `on suspect(p) when … ->`
    On(MessageGuard),
    /// `when g ->`
    When(Expr),
    /// `when some x in S with g ->`
    WhenSome { pattern: Pattern, set: Expr, with: Option<Expr> },
    /// `after T ->` as a clause of a state
    After(Expr),
}

/// A message (or upcall, or event of the environment) with its condition.
#[derive(Clone, Debug)]
pub struct MessageGuard {
    /// `Data` of `Data.deliver(…)`.
    pub layer: Option<Name>,
    pub pattern: Pattern,
    /// Further arguments of an upcall: `on Data.deliver(Item(i, m), j)` has the pattern `deliver(Item(i, m), j)`.
    pub from: Option<Origin>,
    pub when: Option<Expr>,
    pub span: Span,
}

/// The pattern of a message, with the targets of its fields.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A message without fields, a name to bind, or a variable to assign: `check` decides.
    Name(Name),
    Wildcard(Span),
    /// `M(p, q)`: a message, or an upcall with its arguments.
    Message(Name, Vec<Pattern>, Span),
    Tuple(Vec<Pattern>, Span),
    /// A place to assign, such as `v[p]`.
    Place(Box<Expr>),
    /// `true`, `3`: only this value matches. In patterns of messages.
    Literal(Box<Expr>),
}

impl Pattern {
    /// Return the name and the arguments of what may be a message or an upcall.
    pub fn named(&self) -> Option<(&Name, &[Pattern])> {
        match self {
            Pattern::Name(name) => Some((name, &[])),
            Pattern::Message(name, args, _) => Some((name, args)),
            _ => None,
        }
    }

    /// Call `f` for each expression in the pattern.
    pub fn parts<'p>(&'p self, f: &mut dyn FnMut(&'p Expr)) {
        match self {
            Pattern::Name(_) | Pattern::Wildcard(_) => {}
            Pattern::Message(_, parts, _) | Pattern::Tuple(parts, _) => parts.iter().for_each(|p| p.parts(f)),
            Pattern::Place(e) | Pattern::Literal(e) => f(e),
        }
    }

    /// Return the names in the pattern, without those of messages with fields.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Pattern::Name(name) => vec![name],
            Pattern::Message(_, parts, _) | Pattern::Tuple(parts, _) => {
                parts.iter().flat_map(Pattern::names).collect()
            }
            Pattern::Wildcard(_) | Pattern::Place(_) | Pattern::Literal(_) => Vec::new(),
        }
    }

    pub fn span(&self) -> Span {
        match self {
            Pattern::Name(name) => name.span,
            Pattern::Wildcard(span) | Pattern::Tuple(_, span) | Pattern::Message(_, _, span) => *span,
            Pattern::Place(e) | Pattern::Literal(e) => e.span,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Origin {
    /// `from e`: a name that is not in scope is bound; any other expression is the required sender.
    Whom(Expr),
    /// `from each p in S`
    Each { name: Name, set: Expr },
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Skip,
    /// `a, b[i] := e, f`. A target may be a tuple of targets; `_` in it is no place.
    Assign {
        targets: Vec<Expr>,
        values: Vec<Expr>,
    },
    /// `send M(e) [to d]`, `send e [to d]`
    Send {
        what: Expr,
        to: Option<Expr>,
    },
    Receive(Receive),
    Await(Expr),
    If(Vec<Branch>),
    Do(Vec<Branch>),
    /// `for x in S do … od`
    For {
        pattern: Pattern,
        set: Expr,
        body: Block,
    },
    Become(Name),
    Halt,
    /// A waiting point that the environment may end at any time: thinking, being in the critical section.
    Pause,
    /// End of a synchronous round.
    Round,
    /// Radio: `transmit e`.
    Transmit(Expr),
    /// Radio: `listen`.
    Listen,
    /// `f(x)`, `Layer.f(x)`, `f`: a procedure, an operation of a layer, or an upcall.
    Call {
        layer: Option<Name>,
        name: Name,
        args: Vec<Expr>,
    },
    /// `remove e from place`
    Remove {
        what: Expr,
        from: Expr,
    },
    /// `choose x in S`: any element, chosen by the schedule.
    Choose {
        name: Name,
        set: Expr,
    },
    /// `set timer t after e`
    SetTimer {
        name: Name,
        after: Expr,
    },
    /// `cancel timer t`
    CancelTimer(Name),
}

#[derive(Clone, Debug)]
pub struct Receive {
    pub pattern: Pattern,
    pub from: Option<Origin>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Branch {
    /// `otherwise g ->`: no earlier guard holds, and g.
    pub after_earlier: bool,
    pub guard: Guard,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "guards are few, and read more often than moved")]
pub enum Guard {
    Otherwise(Span),
    Condition(Expr),
    /// `receive … [when g]`
    Receive(Receive, Option<Expr>),
    After(Expr),
}

#[derive(Clone, Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: Name,
    /// `stable leader_stays for p: p.leader` holds for each p on its own.
    pub each: Vec<Binder>,
    pub body: Expr,
    /// The right side of `leads to`.
    pub then: Option<Expr>,
}

/// A difference between configurations that is disregarded in model checking.
#[derive(Clone, Debug)]
pub struct View {
    pub kind: ViewKind,
    pub of: Vec<Viewed>,
    pub span: Span,
}

/// A variable, or a field of a message or record: `clock`, `Request.stamp`
#[derive(Clone, Debug)]
pub struct Viewed {
    pub name: Name,
    pub field: Option<Name>,
}
