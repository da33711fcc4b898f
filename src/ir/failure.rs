//! Which expressions can fail: the one attribute that symmetry reduction, views, partial-order reduction and property checking
//! need.
//!
//! An evaluation fails if its result does not exist: division by zero, an Int beyond 64 bits or its range, an absent key, the
//! maximum of an empty collection, `none` where a value is needed. A range whose ends are not small constants is a failure too,
//! since it may be too long to construct. The other limits on work and size (elements visited, elements of one collection) are
//! not failures in this sense: they end the run or the verdict, whatever was evaluated first.

use super::{
    Arith, Builtin, EventFact, Expr, ExprKind as K, Fact, PortFact, ProcessFact, Quantifier, Sender, Type,
};

impl Expr {
    /// Return whether the evaluation can fail. False only if no values of its variables make it fail.
    pub fn can_fail(&self) -> bool {
        self.fails_here() || {
            let mut any = false;
            self.parts(&mut |part| any = any || part.can_fail());
            any
        }
    }

    /// Return whether the outermost operation can fail, given values of its parts.
    pub fn fails_here(&self) -> bool {
        match &self.kind {
            K::Unwrap(_) | K::Ranged { .. } | K::Negate(_) | K::Index(..) | K::NeighbourVariable(..) => true,
            K::Arith(op, _, y) => match (op, &y.kind) {
                (Arith::Div, K::Word(y)) => matches!(y, 0 | -1),
                (Arith::Mod, K::Word(y)) => *y == 0,
                (Arith::Add | Arith::Subtract | Arith::Multiply | Arith::Div | Arith::Mod, _) => true,
            },
            // A payload may be any value, including one without this component.
            K::Part(of, _) => !matches!(of.ty, Type::Tuple(_) | Type::Record(_)),
            K::Call(builtin, _) => builtin.can_fail(),
            K::Quantified { quantifier, .. } => match quantifier {
                Quantifier::Sum => true,
                Quantifier::Forall | Quantifier::Some | Quantifier::Count => false,
            },
            K::Fact(fact) => fact.can_fail(),
            K::PortFact(fact, _) => match fact {
                PortFact::Opposite
                | PortFact::Neighbour
                | PortFact::Weight
                | PortFact::FarEnd
                | PortFact::Numbered
                | PortFact::Dimension
                | PortFact::Chord => true,
            },
            // The role of another process may lack the variable, or the variable may not be assigned yet.
            K::Remote(of, slots) => {
                may_not_exist(of) || slots.iter().any(Option::is_none) || self.may_be_without_value()
            }
            K::RemoteState(of, _) => may_not_exist(of),
            K::ProcessFact(fact, of) => match fact {
                ProcessFact::Id
                | ProcessFact::Index
                | ProcessFact::Halted
                | ProcessFact::Degree
                | ProcessFact::Neighbours
                | ProcessFact::Up
                | ProcessFact::IsInitiator
                | ProcessFact::Enabled => may_not_exist(of),
            },
            K::EventFact(EventFact::Process | EventFact::Nth | EventFact::Value, _) => false,
            // Before the first completed operation there is no cost per operation, and some models have no rounds.
            K::Metric { .. } => true,
            K::Range(lo, hi) => !is_small(lo) || !is_small(hi),
            K::ReceivedMessage(wanted) => {
                let sender = match &wanted.from {
                    Sender::Is(e) | Sender::Member(e) => e.can_fail(),
                    Sender::Any | Sender::Bind(_) => false,
                };
                sender || wanted.when.as_ref().is_some_and(Expr::can_fail)
            }
            K::Word(_)
            | K::Const(_)
            | K::Slot(_)
            | K::Param(_)
            | K::Not(_)
            | K::And(..)
            | K::Or(..)
            | K::Implies(..)
            | K::Compare(..)
            | K::CompareValues(..)
            | K::If(..)
            | K::Tuple(_)
            | K::Record(..)
            | K::Message(..)
            | K::List(_)
            | K::Set(_)
            | K::Map(_)
            | K::In(..)
            | K::Collection(..)
            | K::Let(..)
            | K::Once { .. }
            | K::Comprehension { .. }
            | K::Best { .. }
            | K::HappenedBefore(..)
            | K::Before(..)
            | K::MulticastBefore(..)
            | K::History(..)
            | K::Received
            | K::ReceivedKind(_) => false,
        }
    }

    /// Return whether the type has no default value, so that a variable of it may be unassigned.
    fn may_be_without_value(&self) -> bool {
        match self.ty {
            Type::Id | Type::Port | Type::Enum(_) | Type::Tuple(_) | Type::Record(_) | Type::Unknown(_) => {
                true
            }
            Type::Int
            | Type::Bool
            | Type::Value
            | Type::Option(_)
            | Type::List(_)
            | Type::Set(_)
            | Type::Map(..)
            | Type::Process
            | Type::Event => false,
        }
    }
}

/// Return whether the process is a literal such as `p7`, which an instance may not have.
fn may_not_exist(process: &Expr) -> bool {
    matches!(process.kind, K::Word(_))
}

/// Return whether the number is always small enough for the end of a range.
fn is_small(e: &Expr) -> bool {
    match &e.kind {
        K::Word(w) => w.unsigned_abs() < 1 << 20,
        // Networks are smaller than the largest collection.
        K::Fact(Fact::N | Fact::Degree) => true,
        _ => false,
    }
}

impl Builtin {
    /// Return whether the function can fail for some arguments.
    fn can_fail(self) -> bool {
        match self {
            Builtin::MaxOf
            | Builtin::MinOf
            | Builtin::Head
            | Builtin::Tail
            | Builtin::Last
            | Builtin::Abs
            | Builtin::Log2Floor
            | Builtin::Log2Ceil
            | Builtin::Pow
            | Builtin::IdOfNumber
            | Builtin::Across
            | Builtin::WeightAt
            | Builtin::PortTo
            | Builtin::FarEnd
            | Builtin::Sum
            | Builtin::Coin
            | Builtin::Random => true,
            Builtin::Max
            | Builtin::Min
            | Builtin::Size
            | Builtin::Keys
            | Builtin::Values
            | Builtin::Sort
            | Builtin::ToSet
            | Builtin::ToList
            | Builtin::ToMap
            | Builtin::IdNumber
            | Builtin::IdsOf
            | Builtin::Connects => false,
        }
    }
}

impl Fact {
    /// Return whether the fact can be absent.
    fn can_fail(&self) -> bool {
        match self {
            Fact::RingNext
            | Fact::RingPrev
            | Fact::Port(_)
            | Fact::Oracle(_)
            | Fact::Diameter
            | Fact::Rows
            | Fact::Columns => true,
            Fact::Id
            | Fact::N
            | Fact::Edges
            | Fact::Degree
            | Fact::Peers
            | Fact::Everybody
            | Fact::Neighbours
            | Fact::TreeParent
            | Fact::TreeChildren
            | Fact::HasPort(_)
            | Fact::Role(_)
            | Fact::IsInitiator
            | Fact::Processes
            | Fact::Participants
            | Fact::RoleProcesses(_)
            | Fact::Initiators
            | Fact::Heard
            | Fact::Script(_) => false,
        }
    }
}
