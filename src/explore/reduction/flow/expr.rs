//! Rules for expressions, one for each kind: the shape of its value, and the names that it distinguishes.

use crate::explore::reduction::flow::names::{Names, decided, may_be_id, may_be_number, names_some};
use crate::explore::reduction::flow::rules::{constant, fits, is_small, reason};
use crate::explore::reduction::flow::{Flow, Shape};
use crate::ir::{
    Arith, Binder, Builtin, CollectionOp, Expr, ExprKind as K, Fact, NONE_WORD, ProcessFact, Slot, Type,
};
use crate::ir::{Metric, Quantifier};
use crate::source::Span;
use Shape::{Disregarded, Nothing, Plain, Shifted};

/// The decision that an expression makes by failing or not.
const FAILING: &str = "whether the command aborts";

/// The abstract value of an expression: its shape and, for a list, the names that determine the order of its elements. Such a
/// list may be used only where its order does not matter.
struct Label {
    shape: Shape,
    order: Names,
}

impl Flow<'_> {
    /// Object unless the expression is ordinary. `decides`: what the expression decides, as a noun phrase.
    pub(super) fn plain(&mut self, e: &Expr, decides: &str) {
        let shape = self.shape(e);
        self.must_be_plain(&shape, e.span, decides);
    }

    pub(super) fn must_be_plain(&mut self, shape: &Shape, span: Span, decides: &str) {
        if shape.has_disregarded() {
            self.object(span, format!("{decides} depends on a value that the view disregards"));
        } else if shape.is_marked() {
            self.object(span, format!("{decides} depends on the absolute value of a number of the view"));
        }
    }

    /// Object unless both shapes are compatible. `how`: how the two values are related.
    pub(super) fn same(&mut self, a: &Shape, b: &Shape, span: Span, how: &str) -> Shape {
        let both = a.join(b);
        if both.is_mixed() {
            self.object(span, format!("a number of the view and another number {how}"));
            return Plain;
        }
        both
    }

    /// Bind the elements of a collection, in no order.
    pub(super) fn binder(&mut self, binder: &Binder) -> Shape {
        let shape = self.in_any_order(&binder.set);
        self.bind(&binder.pattern, shape.element(), binder.set.span);
        shape
    }

    fn all(&mut self, list: &[Expr], span: Span, how: &str) -> Shape {
        let mut shape = Nothing;
        for e in list {
            let own = self.shape(e);
            shape = self.same(&shape, &own, span, how);
        }
        shape
    }

    /// Return the shape of an expression whose value is used directly. Object to whatever is not allowed in an expression.
    pub(super) fn shape(&mut self, e: &Expr) -> Shape {
        let Label { shape, order } = self.label(e);
        self.tell(order);
        shape
    }

    /// Return the shape of a collection whose order does not matter where it is used.
    pub(super) fn in_any_order(&mut self, e: &Expr) -> Shape {
        self.label(e).shape
    }

    fn label(&mut self, e: &Expr) -> Label {
        let (told, wakes) = (self.told, self.wakes);
        if !self.is_global() && !self.program.assumptions.anonymous && may_be_id(self.program, &e.ty) {
            self.tell(Names::ALL);
        }
        let mut order = Names::NONE;
        let shape = self.value(e, &mut order);
        // The options of the problem decide the value, so the operands have no influence.
        if self.is_global() && e.ty == Type::Bool && decided(e).is_some() {
            (self.told, self.wakes) = (told, wakes);
        }
        Label { shape, order }
    }

    /// Object if a value that the view disregards decides whether some of these fail.
    fn must_not_fail<'e>(&mut self, is_left: bool, all: impl IntoIterator<Item = &'e Expr>, span: Span) {
        if is_left && all.into_iter().any(Expr::can_fail) {
            self.object(span, format!("{FAILING} depends on a value that the view disregards"));
        }
    }

    /// Apply the rule of the kind of expression. For a list, set `order` to the names that determine the order of its elements.
    #[allow(clippy::too_many_lines, reason = "a table: one rule for each construct")]
    fn value(&mut self, e: &Expr, order: &mut Names) -> Shape {
        let span = e.span;
        match &e.kind {
            K::Word(word) => {
                if *word != NONE_WORD {
                    self.tell(self.named(&e.ty));
                }
                if *word == NONE_WORD && matches!(e.ty, Type::Option(_)) { Nothing } else { Plain }
            }
            K::Const(value) => {
                if names_some(value) {
                    self.tell(self.named(&e.ty));
                }
                constant(value)
            }
            K::Param(_) => Plain,
            K::Fact(fact) => {
                self.tell_by_fact(fact);
                self.wakes |= matches!(fact, Fact::Initiators);
                if matches!(fact, Fact::Script(_)) {
                    self.object(span, "the analysis does not cover scenarios");
                }
                if matches!(fact, Fact::Oracle(_)) {
                    self.object(span, "the analysis does not cover answers of oracles");
                }
                Plain
            }
            K::Metric { metric, of: _, per: _ } => {
                if *metric == Metric::Bits {
                    self.object_to_bits(span);
                }
                Plain
            }
            K::History(what, of) => {
                // Events have an order of their own, and exchanging processes exchanges their events.
                if self.may_observe_names(*what, *of) {
                    self.tell(Names::ALL);
                }
                Plain
            }
            K::Slot(slot) => self.slot(*slot),
            K::Unwrap(x) => {
                let shape = self.shape(x);
                if shape.has_disregarded() {
                    self.must_be_plain(&shape, span, FAILING);
                }
                shape
            }
            K::Ranged { of, .. } => {
                let shape = self.shape(of);
                self.must_be_plain(&shape, span, FAILING);
                shape
            }
            K::Not(x) | K::Negate(x) => {
                let shape = self.shape(x);
                if shape.has_disregarded() {
                    return Disregarded;
                }
                self.must_be_plain(&shape, span, "the result");
                Plain
            }
            K::And(x, y) | K::Or(x, y) | K::Implies(x, y) => {
                let (first, second) = (self.shape(x), self.shape(y));
                self.must_not_fail(first.has_disregarded(), [&**y], y.span);
                if first.has_disregarded() || second.has_disregarded() { Disregarded } else { Plain }
            }
            K::Arith(op, x, y) => self.arithmetic(*op, x, y, span),
            K::Compare(op, x, y) | K::CompareValues(op, x, y) => {
                self.compare_names(*op, x, y);
                let (a, b) = (self.shape(x), self.shape(y));
                if a.has_disregarded() || b.has_disregarded() {
                    return Disregarded;
                }
                if !self.is_above(x, &a, y) && !self.is_above(y, &b, x) {
                    self.same(&a, &b, span, "are compared");
                }
                Plain
            }
            K::If(c, x, y) => self.conditional(e, c, x, y),
            K::Tuple(list) => {
                let parts: Vec<Shape> = list.iter().map(|e| self.shape(e)).collect();
                if parts.iter().any(Shape::is_marked) { Shape::Parts(parts) } else { Plain }
            }
            K::Record(record, list) => self.record(*record as usize, list),
            K::Message(kind, list) => self.message_value(*kind, list, span),
            K::List(list) => self.all(list, span, "are in one collection").elements(),
            K::Set(list) => {
                let shape = self.all(list, span, "are in one collection");
                if shape.has_disregarded() { Disregarded } else { shape.elements() }
            }
            K::Map(pairs) => self.map(pairs, span),
            K::Part(x, at) => {
                let shape = self.shape(x);
                let is_known = matches!(x.ty, Type::Tuple(_) | Type::Record(_));
                if !is_known && self.marks.fields.iter().flatten().any(Shape::is_marked) {
                    self.object(span, "the analysis does not cover parts of payloads");
                }
                shape.part(*at)
            }
            K::Index(x, at) => self.element(x, at, span),
            K::In(x, set) => {
                let (a, b) = (self.shape(x), self.in_any_order(set));
                if a.has_disregarded() || b.element().has_disregarded() {
                    return Disregarded;
                }
                self.same(&a, &b.element(), span, "are compared");
                Plain
            }
            K::Collection(op, x, y) => self.combination(*op, x, y, span),
            K::Range(x, y) => {
                let (a, b) = (self.shape(x), self.shape(y));
                if a.has_disregarded() || b.has_disregarded() {
                    self.object(span, "the size of a range depends on a value that the view disregards");
                }
                self.same(&a, &b, span, "are the bounds of a range").elements()
            }
            K::Call(builtin, list) => self.call(*builtin, list, e, order),
            K::Let(lets, body) => {
                for (slot, value) in lets {
                    let shape = self.shape(value);
                    self.store(*slot, shape, value.span);
                }
                self.shape(body)
            }
            K::Once { slot, value, done: _ } => {
                let shape = self.shape(value);
                self.store(*slot, shape.clone(), value.span);
                shape
            }
            K::Quantified { quantifier, binders, with, body } => {
                self.quantified(*quantifier, binders, with.as_deref(), body, span)
            }
            K::Comprehension { list, binders, condition, element } => {
                let listed = self.comprehension(binders, condition.as_deref(), element.as_deref(), span);
                *order = if *list { order.or(listed.order) } else { Names::NONE };
                listed.shape
            }
            K::Best { greatest: _, binder, with, by } => {
                self.best(binder, with.as_deref(), by.as_deref(), span)
            }
            K::PortFact(fact, x) => {
                self.tell_by_port_fact(*fact);
                self.plain(x, "the operand");
                Plain
            }
            K::ProcessFact(fact, x) => {
                match fact {
                    ProcessFact::Id | ProcessFact::Index => self.tell(Names::ALL),
                    ProcessFact::IsInitiator => self.wakes = true,
                    ProcessFact::Halted
                    | ProcessFact::Degree
                    | ProcessFact::Neighbours
                    | ProcessFact::Up
                    | ProcessFact::Enabled => {}
                }
                self.plain(x, "the operand");
                Plain
            }
            K::RemoteState(x, _) => {
                self.plain(x, "the operand");
                Plain
            }
            K::EventFact(_, x) => {
                self.plain(x, "the operand");
                Plain
            }
            K::Remote(x, slots) => self.remote_variable(x, slots, span),
            K::HappenedBefore(x, y) | K::Before(x, y) | K::MulticastBefore(x, y) => {
                self.plain(x, "the operand");
                self.plain(y, "the operand");
                Plain
            }
            // These occur in models without tables of local steps only, which do not support views.
            K::Received | K::ReceivedKind(_) => self.comes_around(span),
            K::ReceivedMessage(wanted) => {
                self.message(wanted.kind, &wanted.fields, span);
                self.sender(&wanted.from);
                if let Some(when) = &wanted.when {
                    self.plain(when, "the selection of a message");
                }
                self.comes_around(span)
            }
            K::NeighbourVariable(x, _) => {
                self.plain(x, "the operand");
                // A port that a neighbour holds is one of its own.
                if !self.named(&e.ty).is_none() {
                    self.tell(Names::ALL);
                }
                self.is_not_covered(span)
            }
        }
    }

    fn arithmetic(&mut self, op: Arith, x: &Expr, y: &Expr, span: Span) -> Shape {
        let (a, b) = (self.shape(x), self.shape(y));
        // Sums of small constants and numbers that views identify do not overflow.
        let is_small = match op {
            Arith::Add => is_small(x) || is_small(y),
            Arith::Subtract => is_small(y),
            Arith::Multiply | Arith::Div | Arith::Mod => false,
        };
        if a.has_disregarded() || b.has_disregarded() {
            let is_division = matches!(op, Arith::Div | Arith::Mod);
            let cannot_fail = is_division && matches!(y.kind, K::Word(y) if y > 0);
            if !is_small && !cannot_fail {
                self.object(span, format!("{FAILING} depends on a value that the view disregards"));
            }
            return Disregarded;
        }
        match (op, &a, &b) {
            (_, Plain | Nothing, Plain | Nothing) => Plain,
            (Arith::Add, Shifted(g), Plain | Nothing)
            | (Arith::Add, Plain | Nothing, Shifted(g))
            | (Arith::Subtract, Shifted(g), Plain | Nothing) => {
                self.note_decrease(op, x, y, *g);
                if !is_small {
                    self.object(span, "something other than a small constant is added to a number of the view, so it may overflow");
                }
                Shifted(*g)
            }
            (Arith::Subtract, Shifted(g), Shifted(h)) if g == h => Plain,
            _ => {
                self.object(span, "this result changes when the numbers of the view are shifted");
                Plain
            }
        }
    }

    fn conditional(&mut self, e: &Expr, condition: &Expr, x: &Expr, y: &Expr) -> Shape {
        let (decisive, a, b) = (self.shape(condition), self.shape(x), self.shape(y));
        if !decisive.has_disregarded() {
            return self.same(&a, &b, e.span, "are alternatives");
        }
        self.must_not_fail(true, [x, y], condition.span);
        // Views distinguish large numbers, and either operand may be large: a sum with it may overflow.
        if may_be_number(self.program, &e.ty) && !(is_small(x) && is_small(y)) {
            let why = "the magnitude of a number depends on a value that the view disregards";
            self.object(condition.span, why);
        }
        Disregarded
    }

    fn record(&mut self, record: usize, list: &[Expr]) -> Shape {
        let fields = self.records[record].clone();
        for ((position, e), field) in list.iter().enumerate().zip(&fields) {
            let shape = self.shape(e);
            if !fits(field, &shape) {
                let record = &self.program.records[record];
                let name = format!("`{}.{}`", record.name, record.fields[position].0);
                self.object(e.span, reason(field, &shape, &name));
            }
        }
        if fields.iter().any(Shape::is_marked) { Shape::Parts(fields) } else { Plain }
    }

    fn message_value(&mut self, kind: u32, list: &[Expr], span: Span) -> Shape {
        let fields = self.marks.fields[kind as usize].clone();
        for ((position, e), field) in list.iter().enumerate().zip(&fields) {
            let shape = self.shape(e);
            self.put_into(kind, position, field, &shape, e.span);
        }
        if fields.iter().any(Shape::is_marked) {
            self.marks.carried = true;
        }
        if fields.iter().any(Shape::has_disregarded) {
            self.object(span, "a message with a disregarded field is used as a value");
        }
        Plain
    }

    fn map(&mut self, pairs: &[(Expr, Expr)], span: Span) -> Shape {
        let (mut keys, mut values) = (Nothing, Nothing);
        for (key, value) in pairs {
            let (k, v) = (self.shape(key), self.shape(value));
            keys = self.same(&keys, &k, span, "are in one collection");
            values = self.same(&values, &v, span, "are in one collection");
        }
        match keys.is_marked() || values.is_marked() {
            true if keys.has_disregarded() => Disregarded,
            true => Shape::Map(Box::new(keys), Box::new(values)),
            false if pairs.is_empty() => Nothing,
            false => Plain,
        }
    }

    fn element(&mut self, x: &Expr, at: &Expr, span: Span) -> Shape {
        let (shape, key) = (self.shape(x), self.shape(at));
        if shape.has_disregarded() && shape.item() == Disregarded || key.has_disregarded() {
            self.object(span, format!("{FAILING} depends on a value that the view disregards"));
            return Disregarded;
        }
        match &shape {
            Shape::Map(keys, values) => {
                self.same(keys, &key, span, "are compared");
                (**values).clone()
            }
            _ => {
                self.must_be_plain(&key, at.span, "the index");
                shape.item()
            }
        }
    }

    fn combination(&mut self, op: CollectionOp, x: &Expr, y: &Expr, span: Span) -> Shape {
        let (a, b) = (self.shape(x), self.shape(y));
        if a.has_disregarded() || b.has_disregarded() {
            return Disregarded;
        }
        match op {
            CollectionOp::RemoveElement => {
                self.same(&a.element(), &b, span, "are compared");
                a
            }
            CollectionOp::Union | CollectionOp::Difference | CollectionOp::Intersect => {
                self.same(&a, &b, span, "are in one collection")
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Binder],
        with: Option<&Expr>,
        body: &Expr,
        span: Span,
    ) -> Shape {
        let mut left = false;
        for binder in binders {
            left |= self.binder(binder).has_disregarded();
        }
        let condition = with.map_or(Plain, |with| self.shape(with));
        let shape = self.shape(body);
        left |= condition.has_disregarded() || shape.has_disregarded();
        let sets = binders.iter().skip(1).map(|b| &b.set);
        self.must_not_fail(left, with.into_iter().chain([body]).chain(sets), span);
        match quantifier {
            Quantifier::Forall | Quantifier::Some | Quantifier::Count => {}
            Quantifier::Sum if left => {
                self.object(span, format!("{FAILING} depends on a value that the view disregards"));
            }
            Quantifier::Sum => self.must_be_plain(&shape, body.span, "a sum"),
        }
        if left { Disregarded } else { Plain }
    }

    fn comprehension(
        &mut self,
        binders: &[Binder],
        condition: Option<&Expr>,
        element: Option<&Expr>,
        span: Span,
    ) -> Label {
        let (mut own, mut order) = (Nothing, Names::NONE);
        let mut left = false;
        for binder in binders {
            let listed = self.label(&binder.set);
            order = order.or(listed.order).or(self.order_of(&binder.set.ty));
            own = listed.shape.element();
            // The order of a list is its own, and so is the number of its elements.
            let is_list = matches!(binder.set.ty, Type::List(_));
            left |= if is_list { own == Disregarded } else { own.has_disregarded() };
            self.bind(&binder.pattern, own.clone(), binder.set.span);
        }
        let when = condition.map_or(Plain, |c| self.shape(c));
        let shape = element.map_or(own, |e| self.shape(e));
        left |= when.has_disregarded() || shape.has_disregarded();
        let sets = binders.iter().skip(1).map(|b| &b.set);
        self.must_not_fail(left, condition.into_iter().chain(element).chain(sets), span);
        Label { shape: if left { Disregarded } else { shape.elements() }, order }
    }

    fn best(&mut self, binder: &Binder, with: Option<&Expr>, by: Option<&Expr>, span: Span) -> Shape {
        // Ties go to the first element.
        let listed = self.label(&binder.set);
        self.tell(listed.order.or(self.order_of(&binder.set.ty)));
        match by {
            Some(by) => self.tell(self.named(&by.ty)),
            None => self.tell(self.named(&binder.set.ty)),
        }
        let set = listed.shape;
        self.bind(&binder.pattern, set.element(), binder.set.span);
        let when = with.map_or(Plain, |w| self.shape(w));
        let key = by.map_or(Plain, |b| self.shape(b));
        let left = set.has_disregarded() || when.has_disregarded() || key.has_disregarded();
        self.must_not_fail(left, with.into_iter().chain(by), span);
        if left { Disregarded } else { set.element() }
    }

    fn remote_variable(&mut self, process: &Expr, slots: &[Option<Slot>], span: Span) -> Shape {
        self.plain(process, "the process that is read");
        let mut shape = Nothing;
        for (role, slot) in slots.iter().enumerate() {
            let own = match slot {
                Some(Slot::Word(at)) => self.marks.roles[role].words[usize::from(*at)].clone(),
                Some(Slot::Value(at)) => self.marks.roles[role].values[usize::from(*at)].clone(),
                None => Nothing,
            };
            shape = self.same(&shape, &own, span, "share a name");
        }
        shape
    }

    /// Analyse the messages of a round: they come in the order of ports.
    fn comes_around(&mut self, span: Span) -> Shape {
        self.tell(Names::PORTS);
        self.is_not_covered(span)
    }

    /// Object to a view, in models without tables of local steps.
    fn is_not_covered(&mut self, span: Span) -> Shape {
        self.object(span, "the analysis does not cover messages of a round or variables of neighbours");
        Plain
    }

    fn call(&mut self, builtin: Builtin, list: &[Expr], e: &Expr, order: &mut Names) -> Shape {
        let in_any_order;
        (*order, in_any_order) = self.call_names(builtin, list);
        let mut shape = Nothing;
        for argument in list {
            let own = if in_any_order { self.in_any_order(argument) } else { self.shape(argument) };
            shape = self.same(&shape, &own, e.span, "are compared");
        }
        let is_left = shape.has_disregarded();
        let unless_left = |shape: Shape| if is_left { Disregarded } else { shape };
        match builtin {
            Builtin::Max | Builtin::Min => unless_left(shape),
            Builtin::Size => unless_left(Plain),
            Builtin::MaxOf | Builtin::MinOf | Builtin::Head | Builtin::Last | Builtin::Tail => {
                if is_left {
                    self.object(e.span, format!("{FAILING} depends on a value that the view disregards"));
                }
                unless_left(if builtin == Builtin::Tail { shape } else { shape.element() })
            }
            Builtin::Keys | Builtin::Sort | Builtin::ToSet | Builtin::ToList => {
                unless_left(shape.element().elements())
            }
            Builtin::Values => unless_left(shape.item().elements()),
            Builtin::ToMap => {
                let pair = shape.element();
                let (keys, values) = (pair.part(0), pair.part(1));
                match keys.is_marked() || values.is_marked() {
                    true if keys.has_disregarded() => Disregarded,
                    true => Shape::Map(Box::new(keys), Box::new(values)),
                    false => Plain,
                }
            }
            Builtin::Abs => {
                if !is_left {
                    self.must_be_plain(&shape, e.span, "the result");
                }
                unless_left(Plain)
            }
            Builtin::Log2Floor
            | Builtin::Log2Ceil
            | Builtin::Pow
            | Builtin::IdNumber
            | Builtin::IdOfNumber
            | Builtin::IdsOf
            | Builtin::Across
            | Builtin::WeightAt
            | Builtin::Connects
            | Builtin::PortTo
            | Builtin::FarEnd
            | Builtin::Sum
            | Builtin::Coin
            | Builtin::Random => {
                self.must_be_plain(&shape, e.span, "the result");
                Plain
            }
        }
    }
}
