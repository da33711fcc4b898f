//! Move a clause whose text is unchanged to another offset.
//!
//! Every field is listed, so that a field added to the tree cannot be forgotten here.

use crate::ir::{HistoryKind, Metric, PropertyKind, Quantifier, ViewKind};
use crate::source::Span;
use crate::syntax::ast::*;

impl Clause {
    /// Add this number of bytes to all places in the clause; wrapping addition also moves it backwards.
    pub(super) fn move_by(&mut self, bytes: u32) {
        let Clause { doc: _, span, kind } = self;
        span.shift(bytes);
        kind.shift(bytes);
    }
}

/// A structure that contains places.
trait Shift {
    fn shift(&mut self, by: u32);
}

impl Shift for Span {
    fn shift(&mut self, by: u32) {
        self.start = self.start.wrapping_add(by);
        self.end = self.end.wrapping_add(by);
    }
}

impl<T: Shift> Shift for Option<T> {
    fn shift(&mut self, by: u32) {
        if let Some(part) = self {
            part.shift(by);
        }
    }
}

impl<T: Shift> Shift for Vec<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|part| part.shift(by));
    }
}

impl<T: Shift> Shift for Box<T> {
    fn shift(&mut self, by: u32) {
        (**self).shift(by);
    }
}

impl<A: Shift, B: Shift> Shift for (A, B) {
    fn shift(&mut self, by: u32) {
        self.0.shift(by);
        self.1.shift(by);
    }
}

/// Types without places: kinds, numbers, texts.
macro_rules! placeless {
    ($($ty:ty),*) => { $(impl Shift for $ty { fn shift(&mut self, _: u32) {} })* };
}

placeless!(
    bool,
    i64,
    u32,
    String,
    BinaryOp,
    UnaryOp,
    Quantifier,
    Metric,
    HistoryKind,
    PropertyKind,
    ViewKind
);

/// Structures, by all their fields.
macro_rules! fields {
    ($($ty:ident { $($field:ident),* })*) => { $(
        impl Shift for $ty {
            fn shift(&mut self, by: u32) {
                let $ty { $($field),* } = self;
                $($field.shift(by);)*
            }
        }
    )* };
}

fields! {
    Name { text, span }
    ProblemUse { name, args, without }
    ProblemParam { name, options, default }
    Assumption { words, bound, span }
    Use { algorithm, args, alias }
    MessageDecl { name, fields }
    Param { name, ty, default }
    TypeExpr { kind, span }
    Handler { trigger, body, span }
    MessageGuard { layer, pattern, from, when, span }
    Stmt { kind, span }
    Receive { pattern, from, span }
    Branch { after_earlier, guard, body, span }
    Expr { id, kind, span }
    Binder { pattern, set }
    Property { kind, name, each, body, then }
    Scenario { name, on, with, lines }
    Topology { text, is_file, span }
    ScenarioLine { kind, span }
    View { kind, of, span }
    Viewed { name, field }
}

/// Enumerations: each variant with all its fields, by position or by name.
macro_rules! choices {
    ($($ty:ident { $($case:ident $(($($part:ident),*))? $({$($field:ident),*})?),* $(,)? })*) => { $(
        impl Shift for $ty {
            fn shift(&mut self, by: u32) {
                match self {
                    $($ty::$case $(($($part),*))? $({$($field),*})? => {
                        $($($part.shift(by);)*)?
                        $($($field.shift(by);)*)?
                        let _ = by;
                    })*
                }
            }
        }
    )* };
}

choices! {
    ClauseKind {
        Algorithm { name, variant_of, solves },
        Problem { name, params },
        Assumes(all),
        Uses(all),
        Message(all),
        Enum { name, cases },
        Record { name, fields },
        Const { name, ty, value },
        Param { name, ty, default },
        Var { output, persistent, initially, names, ty, init },
        Function { name, params, result, body },
        Procedure { name, params, body },
        Operation { name, params, alias, body },
        Client { body },
        Role { name },
        State { initial, names, body },
        Always,
        Handler(handler),
        Defer(guards),
        Ignore(guards),
        View(view),
        Stamps { variable },
        Property(property),
        Scenario(scenario),
    }
    TypeExprKind {
        Name(name),
        Set(of),
        List(of),
        Queue(of),
        Map(from, to),
        Option(of),
        Tuple(parts),
        Range(low, high),
    }
    Trigger {
        On(guard),
        When(condition),
        WhenSome { pattern, set, with },
        After(time),
    }
    Pattern {
        Name(name),
        Wildcard(span),
        Message(name, parts, span),
        Tuple(parts, span),
        Place(place),
        Literal(value),
    }
    Origin {
        Whom(whom),
        Each { name, set },
    }
    StmtKind {
        Skip,
        Assign { targets, values },
        Send { what, to },
        Receive(receive),
        Await(condition),
        If(branches),
        Do(branches),
        For { pattern, set, body },
        Become(name),
        Halt,
        Pause,
        Round,
        Transmit(what),
        Listen,
        Call { layer, name, args },
        Remove { what, from },
        Choose { name, set },
        SetTimer { name, after },
        CancelTimer(name),
    }
    Guard {
        Otherwise(span),
        Condition(condition),
        Receive(receive, when),
        After(time),
    }
    ExprKind {
        Int(value),
        Bool(value),
        Text(value),
        None,
        Any,
        Name(name),
        Unary(op, of),
        Binary(op, left, right),
        If(condition, then, otherwise),
        Tuple(parts),
        List(parts),
        Set(parts),
        Map(entries),
        Index(of, index),
        Field(of, field),
        Call { layer, name, args },
        MapOf(pairs),
        Filter { list, pattern, set, condition },
        Comprehension { list, element, binders, condition },
        Quantified { quantifier, binders, with, body },
        Best { greatest, pattern, set, with, by },
        Arrived { pattern, from, when },
        Metric { metric, of, per },
        History { what, of },
    }
    ScenarioLineKind {
        Initially { target, value },
        Hold { from, to, message },
        Release { link },
        Deliver { from, to, message },
        Act { process, operation, args },
        Note { from, to, label },
        Wake(processes),
        Crash { process, before_send },
        Restart(process),
        Mislead(process),
        Suspect { process, at, trusted },
        Lose { from, to, message },
        Duplicate { from, to, message },
        Cut { from, to },
        Delay { from, to, message, delay },
        At(time),
        Choose { process, value },
        ChooseOption { process, number },
        Step(processes),
        Expire(process),
        Cycle,
        Expect(condition),
        ExpectVerdict { property, violated },
        ExpectAgain,
        ExpectOutcome(name),
    }
}
