//! Traversals of expressions: direct subexpressions, free names, nesting of binders.

use super::{Binder, Builtin, Domain, DomainKind, Expr, ExprKind, Fact, Pattern, ProcessFact, Slot};
use crate::source::Span;

/// Call `f` for each direct subexpression, by shared reference or, with `mut`, by mutable reference.
macro_rules! each_part {
    ($kind:expr, $f:ident, $iter:ident $(, $change:tt)?) => {{
        use ExprKind as K;
        match $kind {
            K::Word(_)
            | K::Const(_)
            | K::Slot(_)
            | K::Param(_)
            | K::Fact(_)
            | K::History(..)
            | K::Metric { .. }
            | K::Received
            | K::ReceivedKind(_)
            | K::ReceivedMessage(_) => {}
            K::Ranged { of: x, .. }
            | K::Unwrap(x)
            | K::Not(x)
            | K::Negate(x)
            | K::Part(x, _)
            | K::PortFact(_, x)
            | K::Remote(x, _)
            | K::RemoteState(x, _)
            | K::ProcessFact(_, x)
            | K::EventFact(_, x)
            | K::NeighbourVariable(x, _)
            | K::Once { value: x, .. } => $f(x),
            K::And(x, y)
            | K::Or(x, y)
            | K::Implies(x, y)
            | K::Arith(_, x, y)
            | K::Compare(_, x, y)
            | K::CompareValues(_, x, y)
            | K::Index(x, y)
            | K::In(x, y)
            | K::Collection(_, x, y)
            | K::Range(x, y)
            | K::HappenedBefore(x, y)
            | K::Before(x, y)
            | K::MulticastBefore(x, y) => {
                $f(x);
                $f(y);
            }
            K::If(c, x, y) => {
                $f(c);
                $f(x);
                $f(y);
            }
            K::Tuple(list)
            | K::Record(_, list)
            | K::Message(_, list)
            | K::List(list)
            | K::Set(list)
            | K::Call(_, list) => list.$iter().for_each($f),
            K::Map(pairs) => {
                for (key, value) in pairs {
                    $f(key);
                    $f(value);
                }
            }
            K::Let(lets, body) => {
                lets.$iter().for_each(|(_, x)| $f(x));
                $f(body);
            }
            K::Quantified { binders, with, body, .. } => {
                binders.$iter().for_each(|b| $f(&$($change)? b.set));
                with.$iter().for_each(|x| $f(x));
                $f(body);
            }
            K::Comprehension { binders, condition, element, .. } => {
                binders.$iter().for_each(|b| $f(&$($change)? b.set));
                condition.$iter().for_each(|x| $f(x));
                element.$iter().for_each(|x| $f(x));
            }
            K::Best { binder, with, by, .. } => {
                $f(&$($change)? binder.set);
                with.$iter().for_each(|x| $f(x));
                by.$iter().for_each(|x| $f(x));
            }
        }
    }};
}

impl Expr {
    /// Call `f` for each direct subexpression, in the order of evaluation.
    pub fn parts(&self, f: &mut dyn FnMut(&Expr)) {
        each_part!(&self.kind, f, iter);
    }

    /// The same with mutable references.
    pub fn parts_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        each_part!(&mut self.kind, f, iter_mut, mut);
    }

    /// Return the span of the first random choice in the expression.
    pub fn first_draw(&self) -> Option<Span> {
        if let ExprKind::Call(Builtin::Coin | Builtin::Random, _) = &self.kind {
            return Some(self.span);
        }
        let mut found = None;
        self.parts(&mut |part| found = found.or_else(|| part.first_draw()));
        found
    }

    /// Return whether all names that the expression uses are bound within it, or known.
    pub fn is_closed(&self, known: &dyn Fn(Slot) -> bool) -> bool {
        closed(self, known, &mut Vec::new())
    }

    /// Return whether the value depends on a configuration, the history or the outcome of a coin by itself, and not only through its
    /// parts.
    pub fn depends_on_run(&self) -> bool {
        use ExprKind as K;
        match &self.kind {
            K::Remote(..)
            | K::RemoteState(..)
            | K::EventFact(..)
            | K::HappenedBefore(..)
            | K::Before(..)
            | K::MulticastBefore(..)
            | K::History(..)
            | K::Metric { .. }
            | K::Received
            | K::ReceivedKind(_)
            | K::ReceivedMessage(_)
            | K::NeighbourVariable(..) => true,
            K::ProcessFact(fact, _) => {
                matches!(fact, ProcessFact::Halted | ProcessFact::Up | ProcessFact::Enabled)
            }
            K::Fact(fact) => fact.depends_on_run(),
            K::Call(function, _) => matches!(function, Builtin::Coin | Builtin::Random),
            K::Word(_)
            | K::Const(_)
            | K::Unwrap(_)
            | K::Ranged { .. }
            | K::Slot(_)
            | K::Param(_)
            | K::Not(_)
            | K::And(..)
            | K::Or(..)
            | K::Implies(..)
            | K::Negate(_)
            | K::Arith(..)
            | K::Compare(..)
            | K::CompareValues(..)
            | K::If(..)
            | K::Tuple(_)
            | K::Record(..)
            | K::Message(..)
            | K::List(_)
            | K::Set(_)
            | K::Map(_)
            | K::Part(..)
            | K::Index(..)
            | K::In(..)
            | K::Collection(..)
            | K::Range(..)
            | K::Let(..)
            | K::Once { .. }
            | K::Quantified { .. }
            | K::Comprehension { .. }
            | K::Best { .. }
            | K::PortFact(..) => false,
        }
    }

    /// Return the place of a part that depends on the run. `None`: the instance determines the value.
    pub fn part_of_run(&self) -> Option<Span> {
        let mut place = self.depends_on_run().then_some(self.span);
        self.parts(&mut |part| place = place.or_else(|| part.part_of_run()));
        place
    }

    /// Return the nesting depth of binders that range over all processes, those of the property included. With depth k, an
    /// evaluation visits n^k tuples of processes.
    pub fn nesting(&self, each: &[Binder]) -> u32 {
        nesting(self, over_processes(each))
    }

    /// Return whether evaluation takes more than a few operations.
    pub fn is_computed(&self) -> bool {
        use ExprKind as K;
        matches!(
            self.kind,
            K::Once { .. } | K::Quantified { .. } | K::Comprehension { .. } | K::Best { .. } | K::Call(..)
        )
    }
}

impl Fact {
    fn depends_on_run(&self) -> bool {
        match self {
            Fact::Heard | Fact::Oracle(_) | Fact::Script(_) => true,
            Fact::Id
            | Fact::N
            | Fact::Diameter
            | Fact::Edges
            | Fact::Degree
            | Fact::Peers
            | Fact::Everybody
            | Fact::Neighbours
            | Fact::RingNext
            | Fact::RingPrev
            | Fact::TreeParent
            | Fact::TreeChildren
            | Fact::Port(_)
            | Fact::HasPort(_)
            | Fact::Role(_)
            | Fact::IsInitiator
            | Fact::Processes
            | Fact::Rows
            | Fact::Columns
            | Fact::Participants
            | Fact::RoleProcesses(_)
            | Fact::Initiators => false,
        }
    }
}

/// Return the maximum nesting depth of binders that range over all processes, given `around` enclosing ones.
fn nesting(e: &Expr, around: u32) -> u32 {
    use ExprKind as K;
    let around = match &e.kind {
        // Computed once, at any depth.
        K::Once { .. } => 0,
        K::Quantified { binders, .. } | K::Comprehension { binders, .. } => around + over_processes(binders),
        K::Best { binder, .. } => around + over_processes(std::slice::from_ref(binder)),
        _ => around,
    };
    let mut most = around;
    e.parts(&mut |part| most = most.max(nesting(part, around)));
    most
}

fn over_processes(binders: &[Binder]) -> u32 {
    let all = |binder: &&Binder| matches!(binder.set.kind, ExprKind::Fact(Fact::Processes));
    binders.iter().filter(all).count() as u32
}

fn closed(e: &Expr, known: &dyn Fn(Slot) -> bool, bound: &mut Vec<Slot>) -> bool {
    use ExprKind as K;
    let len = bound.len();
    match &e.kind {
        K::Slot(slot) => return known(*slot) || bound.contains(slot),
        K::Let(lets, body) => {
            let mut all = lets.iter().all(|(_, x)| closed(x, known, bound));
            bound.extend(lets.iter().map(|(slot, _)| *slot));
            all = all && closed(body, known, bound);
            bound.truncate(len);
            return all;
        }
        K::Quantified { binders, .. } | K::Comprehension { binders, .. } => {
            binders.iter().for_each(|binder| bound.extend(binder.pattern.slots()));
        }
        K::Best { binder, .. } => bound.extend(binder.pattern.slots()),
        K::ReceivedMessage(_) => return false,
        _ => {}
    }
    let mut all = true;
    e.parts(&mut |part| all = all && closed(part, known, bound));
    bound.truncate(len);
    all
}

impl Domain {
    /// Return whether the instance alone determines the values.
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            DomainKind::Range(from, to) => [from, to].into_iter().all(|bound| bound.part_of_run().is_none()),
            DomainKind::Option(of) | DomainKind::Set(of) => of.is_constant(),
            DomainKind::Tuple(parts) | DomainKind::Record(_, parts) => parts.iter().all(Domain::is_constant),
            DomainKind::Bool | DomainKind::Enum(_) | DomainKind::Port | DomainKind::Id => true,
        }
    }
}

impl Pattern {
    /// Return the slots that the pattern binds.
    pub fn slots(&self) -> Vec<Slot> {
        match self {
            Pattern::Wildcard => Vec::new(),
            Pattern::Slot(slot) => vec![*slot],
            Pattern::Tuple(parts) | Pattern::Message(_, parts) => {
                parts.iter().flat_map(Pattern::slots).collect()
            }
        }
    }
}
