//! Is a view sound? A check of the program's text: what a view leaves out must flow nowhere else.
//!
//! **`without`**: what is left out is read only where something is computed that is left out as well. It decides nothing: no
//! guard, no destination, no choice, no place in a collection, not whether a command goes wrong. Then configurations that
//! differ in it only can do the same, and become configurations that differ in it only.
//!
//! **`up to shift`**: of numbers of one view differences and order alone are looked at, and what is assigned to them is one of
//! them, plus or minus an ordinary number. Then adding the same number to all of them turns steps into steps. (These are
//! the rules for points and distances; ordinary numbers are distances.) It need not be true of the first commands, which give
//! the initial values: they are over when all have started.
//!
//! Either way «differ only in this» is a bisimulation (Park 1981; Milner 1989) that keeps which process and
//! channel a step belongs to, and what it sends and costs. So invariants, ends, costs and what must happen under fairness are
//! the same for all configurations that count as one. Numbers and collections are taken to have no limits, as in papers.

mod expr;
mod rules;

use self::rules::{constant, fits, reason, repeated};
use super::shape::{Frame, Marks, Shape};
use crate::ir::{
    Alternative, Destination, Expr, Input, Op, Pattern, Place, PlaceStep, Program, Property, Send, Sender,
    Slot, Type,
};
use crate::source::Span;
use crate::syntax::ast::Metric;
use Shape::{Left, Nothing, Plain, Shifted};
use std::collections::BTreeMap;

/// Why a view is not shown sound, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Objection {
    pub span: Span,
    pub why: String,
}

/// More rounds of looking for what locals hold than any program needs: shapes have the depth of types.
const MOST_ROUNDS: usize = 1000;

pub(super) struct Flow<'p> {
    program: &'p Program,
    marks: Marks,
    records: Vec<Vec<Shape>>,
    /// By role: is what the slot holds said by a declaration?
    declared: Vec<(Vec<bool>, Vec<bool>)>,
    /// Of layers, by role, component, name and position.
    upcalls: BTreeMap<(usize, u16, String, usize), Shape>,
    /// The frame at hand: that of a role, or behind the last one that of properties.
    at: usize,
    /// The commands with which processes start, once.
    starting: bool,
    /// Locals are still being found out about.
    learning: bool,
    changed: bool,
    objections: Vec<Objection>,
}

impl<'p> Flow<'p> {
    /// Finds out what locals hold, and objects to what is not sound.
    pub fn of(program: &'p Program) -> Flow<'p> {
        let (mut marks, records) = Marks::named(program);
        let declared = program.roles.iter().map(|role| {
            let (mut words, mut values) =
                (vec![false; usize::from(role.frame_words)], vec![false; usize::from(role.frame_values)]);
            for variable in role.vars.iter().filter(|v| !v.local) {
                match variable.slot {
                    Slot::Word(at) => words[usize::from(at)] = true,
                    Slot::Value(at) => values[usize::from(at)] = true,
                }
            }
            (words, values)
        });
        let declared = declared.collect();
        let (words, values) = program.global_frame;
        marks.roles.push(Frame {
            words: vec![Nothing; usize::from(words)],
            values: vec![Nothing; usize::from(values)],
        });
        let mut flow = Flow {
            program,
            marks,
            records,
            declared,
            upcalls: BTreeMap::new(),
            at: 0,
            starting: false,
            learning: true,
            changed: true,
            objections: Vec::new(),
        };
        for _ in 0..MOST_ROUNDS {
            if !std::mem::take(&mut flow.changed) {
                break;
            }
            flow.roles();
        }
        flow.learning = false;
        flow.roles();
        flow.objections.sort_by_key(|o| o.span);
        flow
    }

    /// Objections to the program, in the order of its text.
    pub fn objections(&self) -> &[Objection] {
        &self.objections
    }

    pub fn into_marks(mut self) -> Marks {
        self.marks.roles.pop();
        self.marks
    }

    /// Why a property can tell configurations apart that count as one. None: it cannot.
    pub fn objection_of_property(&mut self, property: &Property) -> Option<Objection> {
        self.globally(|flow| {
            property.each.iter().for_each(|b| flow.binder(b));
            if let Some(bound) = &property.bound {
                flow.plain(&bound.limit, "the limit");
                if bound.metric == Metric::Bits {
                    flow.object(property.span, "the bits of messages depend on all their fields");
                }
            } else {
                flow.plain(&property.body, "what it says");
            }
            property.then.iter().for_each(|e| flow.plain(e, "what it says"));
        })
    }

    /// Why the value of an output tells them apart.
    pub fn objection_of_output(&mut self, value: &Expr) -> Option<Objection> {
        self.globally(|flow| flow.plain(value, "what is given out"))
    }

    fn globally(&mut self, look: impl Fn(&mut Self)) -> Option<Objection> {
        let before = std::mem::take(&mut self.objections);
        self.at = self.program.roles.len();
        let (words, values) = self.program.global_frame;
        self.marks.roles[self.at] =
            Frame { words: vec![Nothing; usize::from(words)], values: vec![Nothing; usize::from(values)] };
        self.learning = true;
        self.changed = true;
        for _ in 0..MOST_ROUNDS {
            if !std::mem::take(&mut self.changed) {
                break;
            }
            look(self);
        }
        self.learning = false;
        self.objections.clear();
        look(self);
        let own = std::mem::replace(&mut self.objections, before);
        own.into_iter().next()
    }

    fn object(&mut self, span: Span, why: impl Into<String>) {
        if !self.learning && !self.starting {
            let objection = Objection { span, why: why.into() };
            if !self.objections.contains(&objection) {
                self.objections.push(objection);
            }
        }
    }

    // ─── Code ───────────────────────────────────────────────────────────────────────────────────────────────────

    fn roles(&mut self) {
        let program = self.program;
        for (number, role) in program.roles.iter().enumerate() {
            self.at = number;
            if role.arrived.is_some() {
                self.object(role.span, "rounds that a synchronizer makes are not followed by the check");
            }
            let repeated = repeated(role);
            for (op, repeated) in role.code.iter().zip(repeated) {
                self.starting = !repeated;
                self.op(op);
            }
            self.starting = false;
            role.waits.iter().flat_map(|w| &w.alternatives).for_each(|a| self.alternative(a));
            for component in &role.components {
                let states = component.states.iter().map(|s| &s.handlers);
                for handlers in states.chain([&component.always]) {
                    let all = handlers.alternatives.iter().chain(&handlers.defer).chain(&handlers.ignore);
                    all.for_each(|a| self.alternative(a));
                }
            }
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Set(slot, e) => {
                let shape = self.shape(e);
                self.store(*slot, shape, e.span);
            }
            Op::Assign(place, e) => {
                let shape = self.shape(e);
                self.assign(place, shape, e.span);
            }
            Op::Remove(place, e) => {
                let shape = self.shape(e);
                let target = self.target(place);
                if target.has_left() || shape.has_left() {
                    if target != Left {
                        self.object(e.span, "what is left out by the view decides what is removed");
                    }
                } else {
                    self.same(&target.element(), &shape, e.span, "are compared");
                }
            }
            Op::Unless(e, _) => self.plain(e, "which way the command goes"),
            Op::Branch(branches) => {
                branches.iter().for_each(|b| self.plain(&b.guard, "which way the command goes"));
            }
            Op::Send(send) | Op::Transmit(send) => self.send(send),
            Op::ForStart(slot, e) => {
                let shape = self.shape(e);
                if shape.has_left() {
                    self.object(e.span, "how often this is done depends on what the view leaves out");
                }
                self.store(Slot::Value(*slot), shape.element().elements(), e.span);
            }
            Op::ForNext(slot, pattern, _) => {
                let shape = self.slot(Slot::Value(*slot)).element();
                self.bind(pattern, shape, Span::default());
            }
            Op::Choose(slot, e) => {
                let shape = self.shape(e);
                if shape.has_left() {
                    self.object(e.span, "what there is to choose depends on what the view leaves out");
                }
                self.store(*slot, shape.element(), e.span);
            }
            Op::Any(slot, domain) => self.store(*slot, Plain, domain.span),
            Op::Upcall { from, name, args } => {
                for (position, e) in args.iter().enumerate() {
                    let shape = self.shape(e);
                    let key = (self.at, *from, name.clone(), position);
                    let known = self.upcalls.get(&key).cloned().unwrap_or(Nothing);
                    let now = known.or(&shape);
                    if now != known {
                        self.changed = true;
                        self.upcalls.insert(key, now.clone());
                    }
                    if now.is_mixed() || now.has_left() {
                        self.object(e.span, "what the view is about is given to the user of a layer");
                    }
                }
            }
            Op::Observe { value, .. } => {
                value.iter().for_each(|e| self.plain(e, "what the history of the run shows"));
            }
            Op::SetTimer(_, e) => self.plain(e, "when a timer runs out"),
            Op::Clear(slots) => {
                for slot in slots {
                    // A number that stands for nothing any more would be taken for one of the view's.
                    let role = &self.program.roles[self.at];
                    let is_number = match slot {
                        Slot::Word(_) => true,
                        Slot::Value(at) => role
                            .initial_values
                            .get(usize::from(*at))
                            .is_some_and(|value| constant(value) != Nothing),
                    };
                    if is_number && self.slot(*slot).any(&|s| matches!(s, Shifted(_))) {
                        let name = self.name_of(*slot);
                        let span = self.span_of(*slot);
                        self.object(
                            span,
                            format!("the local {name} lives across a waiting point and ends as 0"),
                        );
                    }
                }
            }
            Op::Jump(_)
            | Op::NoGuard(_)
            | Op::Wait(_)
            | Op::Become { .. }
            | Op::Halt
            | Op::Finish
            | Op::Gosub(_)
            | Op::Return
            | Op::Call { .. }
            | Op::ReturnFrom { .. }
            | Op::Listen(_)
            | Op::EndRound
            | Op::CancelTimer(_)
            | Op::OnRestart(_)
            | Op::Given(_) => {}
        }
    }

    fn send(&mut self, send: &Send) {
        for (position, e) in send.fields.iter().enumerate() {
            let shape = self.shape(e);
            let field = self.marks.fields[send.kind as usize].get(position).cloned().unwrap_or(Plain);
            self.put_into(send.kind, position, &field, &shape, e.span);
        }
        match &send.to {
            Destination::Only | Destination::Neighbours | Destination::Others => {}
            Destination::Port(e)
            | Destination::Id(e)
            | Destination::Ports(e)
            | Destination::Ids(e)
            | Destination::NeighboursExcept(e) => self.plain(e, "where a message goes"),
        }
    }

    fn put_into(&mut self, kind: u32, position: usize, field: &Shape, shape: &Shape, span: Span) {
        if !fits(field, shape) {
            let kind = &self.program.kinds[kind as usize];
            let name = match (kind.name.as_str(), kind.fields.get(position)) {
                ("", _) | (_, None) => "a bare value".to_string(),
                (message, Some(field)) => format!("`{message}.{}`", field.name),
            };
            let why = reason(field, shape, &name);
            self.object(span, why);
        }
    }

    fn alternative(&mut self, a: &Alternative) {
        let span = self.program.actions.get(a.action as usize).map_or(Span::default(), |action| action.span);
        match &a.input {
            Input::Condition { some } => {
                if let Some(binder) = some {
                    self.binder(binder);
                    if self.shape(&binder.set).has_left() {
                        self.object(binder.set.span, "what can be done depends on what the view leaves out");
                    }
                }
            }
            Input::Message { kind, fields, from } => {
                self.message(*kind, fields, span);
                self.sender(from);
            }
            Input::Each { kind, fields, store, .. } => {
                self.message(*kind, fields, span);
                for (place, e) in store {
                    let shape = self.shape(e);
                    self.assign(place, shape, e.span);
                }
            }
            Input::Upcall { component, name, args } => {
                for (position, pattern) in args.iter().enumerate() {
                    let key = (self.at, *component, name.clone(), position);
                    let shape = self.upcalls.get(&key).cloned().unwrap_or(Nothing);
                    self.bind(pattern, shape, span);
                }
            }
            Input::After(e) => self.plain(e, "how long is waited"),
            Input::Detected { process, .. } => self.bind(process, Plain, span),
            Input::Wakeup
            | Input::Arrival
            | Input::Pause
            | Input::Timer(_)
            | Input::Restart
            | Input::Interaction { .. } => {}
        }
        a.guard.iter().for_each(|guard| self.plain(guard, "what can be done"));
    }

    fn sender(&mut self, from: &Sender) {
        if let Sender::Is(e) | Sender::Member(e) = from {
            self.plain(e, "whose messages are taken");
        }
    }

    fn message(&mut self, kind: u32, fields: &[Pattern], span: Span) {
        for (position, pattern) in fields.iter().enumerate() {
            let shape = self.marks.fields[kind as usize].get(position).cloned().unwrap_or(Plain);
            self.bind(pattern, shape, span);
        }
    }

    fn bind(&mut self, pattern: &Pattern, shape: Shape, span: Span) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Slot(slot) => self.store(*slot, shape, span),
            Pattern::Tuple(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.bind(part, shape.part(at), span);
                }
            }
            Pattern::Message(kind, parts) => {
                if shape.has_left() {
                    self.object(span, "a pattern looks at what the view leaves out");
                }
                self.message(*kind, parts, span);
            }
        }
    }

    // ─── Places ─────────────────────────────────────────────────────────────────────────────────────────────────

    fn frame(&mut self, slot: Slot) -> &mut Shape {
        let frame = &mut self.marks.roles[self.at];
        match slot {
            Slot::Word(at) => &mut frame.words[usize::from(at)],
            Slot::Value(at) => &mut frame.values[usize::from(at)],
        }
    }

    fn slot(&mut self, slot: Slot) -> Shape {
        self.frame(slot).clone()
    }

    fn is_declared(&self, slot: Slot) -> bool {
        self.declared.get(self.at).is_some_and(|(words, values)| match slot {
            Slot::Word(at) => words[usize::from(at)],
            Slot::Value(at) => values[usize::from(at)],
        })
    }

    fn name_of(&self, slot: Slot) -> String {
        let variables = self.program.roles.get(self.at).map_or(&[][..], |role| &role.vars);
        let found = variables.iter().find(|v| v.slot == slot);
        found.map_or_else(|| "a local name".into(), |v| format!("`{}`", v.name))
    }

    fn span_of(&self, slot: Slot) -> Span {
        let role = self.program.roles.get(self.at);
        let found = role.and_then(|role| role.vars.iter().find(|v| v.slot == slot));
        found.map_or(Span::default(), |v| v.span)
    }

    fn store(&mut self, slot: Slot, shape: Shape, span: Span) {
        let known = self.slot(slot);
        if self.is_declared(slot) {
            if !fits(&known, &shape) {
                let why = reason(&known, &shape, &self.name_of(slot));
                self.object(span, why);
            }
            return;
        }
        let now = known.or(&shape);
        // What a local begins with, before all have started, need not be one of the view's numbers.
        if self.starting && (now.is_mixed() || !shape.is_marked()) {
            return;
        }
        if now != known {
            self.changed = true;
            *self.frame(slot) = now.clone();
        }
        if now.is_mixed() {
            let why = reason(&known, &shape, &self.name_of(slot));
            self.object(span, why);
        }
    }

    /// The shape of the place; what leads there has been looked at.
    fn target(&mut self, place: &Place) -> Shape {
        let mut shape = self.slot(place.root);
        if shape == Left && !place.path.is_empty() {
            let ty = self.program.roles[self.at].vars.iter().find(|v| v.slot == place.root).map(|v| &v.ty);
            if !(matches!(ty, Some(Type::Map(..))) && place.path.len() == 1) {
                self.object(place.span, "whether this part is there depends on what the view leaves out");
            }
        }
        for step in &place.path {
            shape = match step {
                PlaceStep::Part(at) => shape.part(*at),
                PlaceStep::Index(e) => {
                    let at = self.shape(e);
                    match &shape {
                        Shape::Map(keys, values) => {
                            self.same(keys, &at, e.span, "are compared");
                            (**values).clone()
                        }
                        Left => Left,
                        other => {
                            self.must_be_plain(&at, e.span, "the place of an assignment");
                            other.element()
                        }
                    }
                }
            };
        }
        shape
    }

    fn assign(&mut self, place: &Place, shape: Shape, span: Span) {
        if place.path.is_empty() {
            if place.range.is_some() && shape.is_marked() {
                self.object(
                    span,
                    "the variable has a range: whether the command goes wrong depends on the view",
                );
            }
            return self.store(place.root, shape, span);
        }
        let target = self.target(place);
        let name = self.name_of(place.root);
        if self.is_declared(place.root) {
            if !fits(&target, &shape) {
                let why = reason(&target, &shape, &name);
                self.object(span, why);
            }
            return;
        }
        // A local: what its part is now, it may be.
        let mut whole = shape;
        for step in place.path.iter().rev() {
            whole = match step {
                PlaceStep::Part(_) => Shape::Mixed,
                PlaceStep::Index(e) => match self.shape(e) {
                    Plain => whole.elements(),
                    keys => Shape::Map(Box::new(keys), Box::new(whole)),
                },
            };
        }
        if whole.is_marked() {
            self.store(place.root, whole, span);
        }
    }
}
