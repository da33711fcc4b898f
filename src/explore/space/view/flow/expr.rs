//! What the value of an expression is to the views, and what an expression must not do with them.

use super::rules::{can_fail, constant, fits, reason};
use super::{Flow, Shape};
use crate::ir::{Arith, Binder, Builtin, CollectionOp, Expr, ExprKind as K, Slot, Type};
use crate::source::Span;
use crate::syntax::ast::{Metric, Quantifier};
use Shape::{Left, Nothing, Plain, Shifted};

impl Flow<'_> {
    /// Objects unless the expression is ordinary. `decides`: what it decides.
    pub(super) fn plain(&mut self, e: &Expr, decides: &str) {
        let shape = self.shape(e);
        self.must_be_plain(&shape, e.span, decides);
    }

    pub(super) fn must_be_plain(&mut self, shape: &Shape, span: Span, decides: &str) {
        if shape.has_left() {
            self.object(span, format!("{decides} depends on what the view leaves out"));
        } else if shape.is_marked() {
            self.object(span, format!("{decides} depends on how great a number of the view is"));
        }
    }

    /// Objects unless both are of one kind. `how` they meet.
    pub(super) fn same(&mut self, a: &Shape, b: &Shape, span: Span, how: &str) -> Shape {
        let both = a.or(b);
        if both.is_mixed() {
            self.object(span, format!("a number of the view and another {how}"));
            return Plain;
        }
        both
    }

    pub(super) fn binder(&mut self, binder: &Binder) {
        let shape = self.shape(&binder.set).element();
        self.bind(&binder.pattern, shape, binder.set.span);
    }

    fn all(&mut self, list: &[Expr], span: Span, how: &str) -> Shape {
        let mut shape = Nothing;
        for e in list {
            let own = self.shape(e);
            shape = self.same(&shape, &own, span, how);
        }
        shape
    }

    /// What the value of an expression is; objects to what an expression must not do.
    pub(super) fn shape(&mut self, e: &Expr) -> Shape {
        let span = e.span;
        let failing = "whether the command goes wrong";
        match &e.kind {
            K::Word(word) if matches!(e.ty, Type::Option(_)) && *word == crate::ir::NONE_WORD => Nothing,
            K::Metric { metric: Metric::Bits, .. } => {
                self.object(span, "the bits of messages depend on all their fields");
                Plain
            }
            K::Fact(crate::ir::Fact::Oracle(_)) => {
                self.object(span, "what an oracle answers is not followed by the check");
                Plain
            }
            K::Word(_) | K::Param(_) | K::Fact(_) | K::History(..) | K::Metric { .. } => Plain,
            K::Const(value) => constant(value),
            K::Slot(slot) => self.slot(*slot),
            K::Unwrap(x) => {
                let shape = self.shape(x);
                if shape.has_left() {
                    self.must_be_plain(&shape, span, failing);
                }
                shape
            }
            K::Ranged { of, .. } => {
                let shape = self.shape(of);
                self.must_be_plain(&shape, span, failing);
                shape
            }
            K::Not(x) | K::Negate(x) => {
                let shape = self.shape(x);
                if shape.has_left() {
                    return Left;
                }
                self.must_be_plain(&shape, span, "a number that is computed");
                Plain
            }
            K::And(x, y) | K::Or(x, y) | K::Implies(x, y) => {
                let (first, second) = (self.shape(x), self.shape(y));
                if first.has_left() && can_fail(y) {
                    self.must_be_plain(&first, y.span, failing);
                }
                if first.has_left() || second.has_left() { Left } else { Plain }
            }
            K::Arith(op, x, y) => {
                let (a, b) = (self.shape(x), self.shape(y));
                if matches!(op, Arith::Div | Arith::Mod) && b.has_left() {
                    self.must_be_plain(&b, y.span, failing);
                }
                if a.has_left() || b.has_left() {
                    return Left;
                }
                match (op, &a, &b) {
                    (_, Plain | Nothing, Plain | Nothing) => Plain,
                    (Arith::Add, Shifted(g), Plain | Nothing)
                    | (Arith::Add, Plain | Nothing, Shifted(g))
                    | (Arith::Subtract, Shifted(g), Plain | Nothing) => Shifted(*g),
                    (Arith::Subtract, Shifted(g), Shifted(h)) if g == h => Plain,
                    _ => {
                        self.object(
                            span,
                            "what is computed here changes when the numbers of the view are shifted",
                        );
                        Plain
                    }
                }
            }
            K::Compare(_, x, y) | K::CompareValues(_, x, y) => {
                let (a, b) = (self.shape(x), self.shape(y));
                if a.has_left() || b.has_left() {
                    return Left;
                }
                self.same(&a, &b, span, "are compared");
                Plain
            }
            K::If(c, x, y) => {
                let (condition, a, b) = (self.shape(c), self.shape(x), self.shape(y));
                if condition.has_left() {
                    if can_fail(x) || can_fail(y) {
                        self.must_be_plain(&condition, c.span, failing);
                    }
                    return Left;
                }
                self.same(&a, &b, span, "stand for each other")
            }
            K::Tuple(list) => {
                let parts: Vec<Shape> = list.iter().map(|e| self.shape(e)).collect();
                if parts.iter().any(Shape::is_marked) { Shape::Parts(parts) } else { Plain }
            }
            K::Record(record, list) => {
                let fields = self.records[*record as usize].clone();
                for ((position, e), field) in list.iter().enumerate().zip(&fields) {
                    let shape = self.shape(e);
                    if !fits(field, &shape) {
                        let record = &self.program.records[*record as usize];
                        let name = format!("`{}.{}`", record.name, record.fields[position].0);
                        self.object(e.span, reason(field, &shape, &name));
                    }
                }
                if fields.iter().any(Shape::is_marked) { Shape::Parts(fields) } else { Plain }
            }
            K::Message(kind, list) => {
                let fields = self.marks.fields[*kind as usize].clone();
                for ((position, e), field) in list.iter().enumerate().zip(&fields) {
                    let shape = self.shape(e);
                    self.put_into(*kind, position, field, &shape, e.span);
                }
                if fields.iter().any(Shape::is_marked) {
                    self.marks.carried = true;
                }
                if fields.iter().any(Shape::has_left) {
                    self.object(span, "a message with a field that is left out is kept as a value");
                }
                Plain
            }
            K::List(list) => self.all(list, span, "stand in one collection").elements(),
            K::Set(list) => {
                let shape = self.all(list, span, "stand in one collection");
                if shape.has_left() { Left } else { shape.elements() }
            }
            K::Map(pairs) => {
                let (mut keys, mut values) = (Nothing, Nothing);
                for (key, value) in pairs {
                    let (k, v) = (self.shape(key), self.shape(value));
                    keys = self.same(&keys, &k, span, "stand in one collection");
                    values = self.same(&values, &v, span, "stand in one collection");
                }
                match keys.is_marked() || values.is_marked() {
                    true if keys.has_left() => Left,
                    true => Shape::Map(Box::new(keys), Box::new(values)),
                    false if pairs.is_empty() => Nothing,
                    false => Plain,
                }
            }
            K::Part(x, at) => {
                let shape = self.shape(x);
                let is_known = matches!(x.ty, Type::Tuple(_) | Type::Record(_));
                if !is_known && self.marks.fields.iter().flatten().any(Shape::is_marked) {
                    self.object(span, "the check does not follow parts of payloads");
                }
                shape.part(*at)
            }
            K::Index(x, at) => {
                let (shape, key) = (self.shape(x), self.shape(at));
                if shape.has_left() && shape.item() == Left || key.has_left() {
                    self.object(span, format!("{failing} depends on what the view leaves out"));
                    return Left;
                }
                match &shape {
                    Shape::Map(keys, values) => {
                        self.same(keys, &key, span, "are compared");
                        (**values).clone()
                    }
                    _ => {
                        self.must_be_plain(&key, at.span, "what is looked up");
                        shape.item()
                    }
                }
            }
            K::In(x, set) => {
                let (a, b) = (self.shape(x), self.shape(set));
                if a.has_left() || b.element().has_left() {
                    return Left;
                }
                self.same(&a, &b.element(), span, "are compared");
                Plain
            }
            K::Collection(op, x, y) => {
                let (a, b) = (self.shape(x), self.shape(y));
                if a.has_left() || b.has_left() {
                    return Left;
                }
                match op {
                    CollectionOp::RemoveElement => {
                        self.same(&a.element(), &b, span, "are compared");
                        a
                    }
                    _ => self.same(&a, &b, span, "stand in one collection"),
                }
            }
            K::Range(x, y) => {
                let (a, b) = (self.shape(x), self.shape(y));
                self.same(&a, &b, span, "are the ends of a range").elements()
            }
            K::Call(builtin, list) => self.call(*builtin, list, e),
            K::Let(lets, body) => {
                for (slot, value) in lets {
                    let shape = self.shape(value);
                    self.store(*slot, shape, value.span);
                }
                self.shape(body)
            }
            K::Once { slot, value, .. } => {
                let shape = self.shape(value);
                self.store(*slot, shape.clone(), value.span);
                shape
            }
            K::Quantified { quantifier, binders, with, body } => {
                let mut left = false;
                for binder in binders {
                    left |= self.shape(&binder.set).has_left();
                    self.binder(binder);
                }
                let condition = with.as_ref().map_or(Plain, |with| self.shape(with));
                let shape = self.shape(body);
                left |= condition.has_left() || shape.has_left();
                let sets = binders.iter().skip(1).map(|b| &b.set);
                let boxed = with.iter().chain([body]).map(|e| &**e);
                if left && boxed.chain(sets).any(can_fail) {
                    self.object(span, format!("{failing} depends on what the view leaves out"));
                }
                if left {
                    return Left;
                }
                if *quantifier == Quantifier::Sum {
                    self.must_be_plain(&shape, body.span, "a sum");
                }
                Plain
            }
            K::Comprehension { binders, condition, element, .. } => {
                let mut own = Nothing;
                let mut left = false;
                for binder in binders {
                    let set = self.shape(&binder.set);
                    left |= set.element() == Left;
                    own = set.element();
                    self.binder(binder);
                }
                let when = condition.as_ref().map_or(Plain, |c| self.shape(c));
                let shape = element.as_ref().map_or(own, |e| self.shape(e));
                left |= when.has_left() || shape.has_left();
                let sets = binders.iter().skip(1).map(|b| &b.set);
                let boxed = condition.iter().chain(element).map(|e| &**e);
                if left && boxed.chain(sets).any(can_fail) {
                    self.object(span, format!("{failing} depends on what the view leaves out"));
                }
                if left { Left } else { shape.elements() }
            }
            K::Best { binder, with, by, .. } => {
                let set = self.shape(&binder.set);
                self.binder(binder);
                let when = with.as_ref().map_or(Plain, |w| self.shape(w));
                let key = by.as_ref().map_or(Plain, |b| self.shape(b));
                let left = set.has_left() || when.has_left() || key.has_left();
                if left && with.iter().chain(by).any(|e| can_fail(e)) {
                    self.object(span, format!("{failing} depends on what the view leaves out"));
                }
                if left { Left } else { set.element() }
            }
            K::PortFact(_, x) | K::RemoteState(x, _) | K::ProcessFact(_, x) | K::EventFact(_, x) => {
                let shape = self.shape(x);
                self.must_be_plain(&shape, span, "what is looked at");
                Plain
            }
            K::Remote(x, slots) => {
                self.plain(x, "who is looked at");
                let mut shape = Nothing;
                for (role, slot) in slots.iter().enumerate() {
                    let own = match slot {
                        Some(Slot::Word(at)) => self.marks.roles[role].words[usize::from(*at)].clone(),
                        Some(Slot::Value(at)) => self.marks.roles[role].values[usize::from(*at)].clone(),
                        None => Nothing,
                    };
                    shape = self.same(&shape, &own, span, "stand under one name");
                }
                shape
            }
            K::HappenedBefore(x, y) | K::Before(x, y) | K::MulticastBefore(x, y) => {
                self.plain(x, "what is looked at");
                self.plain(y, "what is looked at");
                Plain
            }
            // These are asked in models without tables of local steps, where there is no view.
            K::Received | K::ReceivedKind(_) | K::ReceivedMessage(_) | K::NeighbourVariable(..) => {
                self.object(span, "the check does not follow what a round brings, or what neighbours hold");
                Plain
            }
        }
    }

    fn call(&mut self, builtin: Builtin, list: &[Expr], e: &Expr) -> Shape {
        let failing = "whether the command goes wrong";
        match builtin {
            Builtin::Max | Builtin::Min => {
                let shape = self.all(list, e.span, "are compared");
                if shape.has_left() { Left } else { shape }
            }
            Builtin::Size => {
                let shape = self.all(list, e.span, "are compared");
                if shape.has_left() { Left } else { Plain }
            }
            Builtin::MaxOf | Builtin::MinOf | Builtin::Head | Builtin::Last | Builtin::Tail => {
                let shape = self.all(list, e.span, "are compared");
                if shape.has_left() {
                    self.object(e.span, format!("{failing} depends on what the view leaves out"));
                    return Left;
                }
                if builtin == Builtin::Tail { shape } else { shape.element() }
            }
            Builtin::Keys | Builtin::Sort | Builtin::ToSet | Builtin::ToList => {
                let shape = self.all(list, e.span, "are compared");
                if shape.has_left() { Left } else { shape.element().elements() }
            }
            Builtin::ToMap => {
                let pair = self.all(list, e.span, "are compared").element();
                let (keys, values) = (pair.part(0), pair.part(1));
                match keys.is_marked() || values.is_marked() {
                    true if keys.has_left() => Left,
                    true => Shape::Map(Box::new(keys), Box::new(values)),
                    false => Plain,
                }
            }
            Builtin::Values => {
                let shape = self.all(list, e.span, "are compared");
                if shape.has_left() { Left } else { shape.item().elements() }
            }
            Builtin::Abs => {
                let shape = self.all(list, e.span, "are compared");
                if shape.has_left() {
                    return Left;
                }
                self.must_be_plain(&shape, e.span, "a number that is computed");
                Plain
            }
            _ => {
                for argument in list {
                    self.plain(argument, "what is computed here");
                }
                Plain
            }
        }
    }
}
