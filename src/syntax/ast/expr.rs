//! Expressions.

use super::{Name, NodeId, Origin, Pattern};
use crate::ir::{HistoryKind, Metric, Quantifier};
use crate::source::Span;

#[derive(Clone, Debug)]
pub struct Expr {
    pub id: NodeId,
    pub kind: ExprKind,
    pub span: Span,
}

impl Expr {
    /// Return the places that an assignment to this target assigns: itself, or the components of a tuple.
    pub fn places(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Tuple(parts) => parts.iter().flat_map(Expr::places).collect(),
            ExprKind::Name(name) if name.text == "_" => Vec::new(),
            _ => vec![self],
        }
    }
}

impl ExprKind {
    /// Call `f` for each direct subexpression, those in patterns included.
    pub fn parts<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        use ExprKind as K;
        match self {
            K::Int(_) | K::Bool(_) | K::Text(_) | K::None | K::Any | K::Name(_) => {}
            K::Metric { .. } | K::History { .. } => {}
            K::Unary(_, x) | K::Field(x, _) | K::MapOf(x) => f(x),
            K::Binary(_, x, y) | K::Index(x, y) => [x, y].into_iter().for_each(|x| f(x)),
            K::If(c, x, y) => [c, x, y].into_iter().for_each(|x| f(x)),
            K::Tuple(all) | K::List(all) | K::Set(all) | K::Call { args: all, .. } => all.iter().for_each(f),
            K::Map(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).for_each(f),
            K::Filter { pattern, set, condition, .. } => {
                pattern.parts(f);
                [set, condition].into_iter().for_each(|x| f(x));
            }
            K::Comprehension { element: inner, binders, condition, .. }
            | K::Quantified { body: inner, binders, with: condition, .. } => {
                for binder in binders {
                    binder.pattern.parts(f);
                    binder.set.iter().for_each(&mut *f);
                }
                condition.iter().chain([inner]).for_each(|x| f(x));
            }
            K::Best { pattern, set, with, by, .. } => {
                pattern.parts(f);
                [set].into_iter().chain(with).chain(by).for_each(|x| f(x));
            }
            K::Arrived { pattern, from, when } => {
                pattern.parts(f);
                if let Some(Origin::Whom(e) | Origin::Each { set: e, .. }) = from.as_deref() {
                    f(e);
                }
                when.iter().for_each(|x| f(x));
            }
        }
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Text(String),
    None,
    /// `any`: every value of the type, as initial value.
    Any,
    Name(Name),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Set(Vec<Expr>),
    /// `{k: v, …}`; the empty map is `{:}`.
    Map(Vec<(Expr, Expr)>),
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Name),
    /// `f(x, y)`: function, builtin, message or record; `layer.f(x)` names the layer too.
    Call {
        layer: Option<Name>,
        name: Name,
        args: Vec<Expr>,
    },
    /// `{ p in S | g }`, and `[ p in L | g ]` for lists
    Filter {
        list: bool,
        pattern: Pattern,
        set: Box<Expr>,
        condition: Box<Expr>,
    },
    /// `{ e for p in S [| g] }`, and `[ e for p in L [| g] ]` for lists
    Comprehension {
        list: bool,
        element: Box<Expr>,
        binders: Vec<Binder>,
        condition: Option<Box<Expr>>,
    },
    /// `{ k: v for p in S [| g] }`: the map of these pairs, given as a comprehension of a list.
    MapOf(Box<Expr>),
    /// `forall p, q in S with g: e`
    Quantified {
        quantifier: Quantifier,
        binders: Vec<Binder>,
        with: Option<Box<Expr>>,
        body: Box<Expr>,
    },
    /// `least p in S [with g] by e`, `greatest p in S [with g] by e`: an element or `none`.
    Best {
        greatest: bool,
        pattern: Pattern,
        set: Box<Expr>,
        with: Option<Box<Expr>>,
        by: Option<Box<Expr>>,
    },
    /// `arrived M(x) [from p] [when g]`: tests for a message of this round, and binds the names of the pattern.
    Arrived {
        pattern: Pattern,
        from: Option<Box<Origin>>,
        when: Option<Box<Expr>>,
    },
    /// `messages [of M] [to self] [per op]`, `bits [of M] [per op]`, `time`, `rounds`. The message may be preceded by the path of its
    /// layer; the name of a layer alone denotes all its messages.
    Metric {
        metric: Metric,
        of: Vec<Name>,
        per: Option<Name>,
    },
    /// `calls of enter`, `returns of enter`, `upcalls of deliver`: events of the history, in order.
    History {
        what: HistoryKind,
        of: Name,
    },
}

#[derive(Clone, Debug)]
pub struct Binder {
    pub pattern: Pattern,
    /// Without a set the variable ranges over the processes.
    pub set: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Iff,
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    /// `a happened before b`, over events of the history
    HappenedBefore,
    /// `a before b`: earlier in the run
    Before,
    /// `lo..hi`, both included
    Range,
    /// Sum of numbers; union of sets; concatenation of lists; `Q + [x]`
    Add,
    /// Difference of numbers and of sets
    Subtract,
    /// `S except p`, in earlier versions: the set without that element or those elements
    Except,
    Multiply,
    /// Rounds towards minus infinity, so that `x = (x div y) * y + x mod y` with `0 <= x mod y < y` for y > 0.
    Div,
    Mod,
    /// `S inter T`
    Intersect,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp as B;
        matches!(self, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual)
    }
}
