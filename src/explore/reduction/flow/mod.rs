//! Information flow of a checked program: what values depend on, and so which reductions are unobservable.
//!
//! One walk with one rule for each construct of the language, matched without a wildcard: a new construct does not compile
//! without a decision. It follows these kinds of information:
//!
//! * **Names** of processes and ports ([`Names`]). A construct distinguishes names if its result changes otherwise than by
//!   renaming when processes, or the ports of a process, are renamed: it orders, numbers or shows them, or depends on the order
//!   of evaluation. These are the scalarsets of Ip and Dill («Better Verification Through Symmetry», 1996). Symmetry requires
//!   that program and properties distinguish no processes; the exchange of neighbours requires that they distinguish no ports,
//!   either.
//! * **Disregarded data** (`without`) is read only to compute data that is disregarded as well. It decides nothing: no guard,
//!   no destination, no choice, no position in a collection, not whether a command fails. This is non-interference as a type
//!   system (Volpano, Smith and Irvine, «A sound type system for secure flow analysis», 1996).
//! * **Numbers up to shift**: only their differences and order are read, and they are assigned only numbers of the same view,
//!   plus or minus a small constant. Then adding the same number to all of them turns steps into steps. The first commands,
//!   which assign the initial values, are exempt: they are over when all processes have started.
//! * **Failure** is an attribute of expressions, [`Expr::can_fail`]: whether such an expression is evaluated must not depend on
//!   data that is to be unobservable.
//!
//! For views, the equivalence is a bisimulation (Park 1981; Milner 1989) that keeps the process and channel of a step, and what
//! it sends and costs. `docs/design/soundness.md` states the claims and their conditions.

pub(in crate::explore::reduction) mod names;
mod loops;
mod rules;
mod places;
mod numbers;
mod expr;

pub(super) use names::{Names, named};

use crate::explore::monitor::additive_bound::AdditiveBound;
use crate::explore::reduction::flow::loops::{LoopTurn, collection_of, gathers_without_order};
use crate::explore::reduction::flow::names::may_be_id;
use crate::explore::reduction::flow::rules::{constant, fits, reason, repeated};
use crate::explore::reduction::shape::{Frame, Shape, Shapes};
use crate::instance::Instance;
use crate::ir::Metric;
use crate::ir::{
    Alternative, Destination, Domain, DomainKind, Expr, Input, Op, Pattern, Pc, Program, Property, Role,
    Send, Sender, Slot, Target,
};
use crate::property::is_vacuous;
use crate::source::Span;
use Shape::{Disregarded, Nothing, Plain, Shifted};
use std::collections::BTreeMap;

/// An objection to the soundness of a view, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Objection {
    pub span: Span,
    pub why: String,
}

/// The result of the analysis for one property.
#[derive(Default)]
pub(super) struct Finding {
    /// The reason why it distinguishes configurations that a view identifies. `None`: it does not.
    pub objection: Option<Objection>,
    /// The names that it distinguishes.
    pub told: Names,
    /// By view up to shift: the property distinguishes no shift of numbers that are all at least this. `i64::MIN`: nor any other.
    pub floors: Vec<i64>,
    /// By view up to shift: the increase of a bound's limit if all numbers of the view increase by 1. After these: its increase with each
    /// process that wakes up spontaneously.
    pub slopes: Vec<i64>,
    /// Whether it matters which processes have woken up spontaneously, beyond their number in the limit of a bound.
    pub wakes: bool,
}

/// Limit of fixpoint iterations, more than any program needs: shapes are no deeper than types.
const MOST_ROUNDS: usize = 1000;

/// The role, the component below it, the upcall and the position of an argument.
type UpcallArgument = (usize, u16, String, usize);

pub(super) struct Flow<'p> {
    instance: &'p Instance,
    program: &'p Program,
    marks: Shapes,
    records: Vec<Vec<Shape>>,
    /// By role and slot: whether a declaration defines the shape.
    declared: Vec<(Vec<bool>, Vec<bool>)>,
    /// Shapes of upcall arguments.
    upcalls: BTreeMap<UpcallArgument, Shape>,
    /// The current frame: that of a role or, after the last one, that of properties.
    at: usize,
    /// Whether the current command runs only at the start of a process.
    starting: bool,
    /// Whether values that the first commands assign to locals count, for locals that no later command assigns.
    filling: bool,
    /// Whether the shapes of locals are not final yet.
    learning: bool,
    changed: bool,
    objections: Vec<Objection>,
    /// The names that the program distinguishes.
    told: Names,
    /// By view up to shift: whether a step may assign a number less than all before.
    falls: Vec<bool>,
    /// The floors of the current property: see [`Finding::floors`].
    floors: Vec<i64>,
    /// Whether it matters which processes have woken up spontaneously.
    wakes: bool,
}

impl<'p> Flow<'p> {
    /// Infer the shapes of locals, and collect objections to what is not sound.
    pub fn of(instance: &'p Instance) -> Flow<'p> {
        let program = &*instance.program;
        let (mut marks, records) = Shapes::named(program);
        let shifts = marks.shifts;
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
            instance,
            program,
            marks,
            records,
            declared,
            upcalls: BTreeMap::new(),
            at: 0,
            starting: false,
            filling: false,
            learning: true,
            changed: true,
            objections: Vec::new(),
            told: Names::NONE,
            falls: vec![false; shifts],
            floors: vec![i64::MIN; shifts],
            wakes: false,
        };
        for filling in [false, true] {
            flow.filling = filling;
            flow.changed = true;
            flow.until_stable(Flow::roles);
        }
        flow.learning = false;
        flow.roles();
        flow.declarations();
        flow.objections.sort_by_key(|o| o.span);
        flow
    }

    /// Return the objections to the program, in the order of its text.
    pub fn objections(&self) -> &[Objection] {
        &self.objections
    }

    pub fn into_marks(mut self) -> Shapes {
        self.marks.roles.pop();
        self.marks
    }

    pub fn views_up_to_shift(&self) -> usize {
        self.marks.shifts
    }

    /// Return the names that processes distinguish.
    pub fn distinguished(&self) -> Names {
        self.told
    }

    /// Return what a property distinguishes: nothing if its premise is false for the parameters of the instance.
    pub fn of_property(&mut self, property: &Property) -> Finding {
        if is_vacuous(property, self.instance) {
            return Finding { floors: vec![i64::MIN; self.falls.len()], ..Finding::default() };
        }
        let mut slopes = Vec::new();
        let finding = self.in_global_frame(|flow| {
            property.binders.iter().for_each(|b| drop(flow.binder(b)));
            if let Some(bound) = AdditiveBound::of(flow.instance, property) {
                bound.premise.iter().for_each(|premise| flow.plain(premise, "its premise"));
                slopes = flow.limit(&bound);
                if bound.counts(Metric::Bits) {
                    flow.object_to_bits(property.span);
                }
            } else if let Some(bound) = &property.bound {
                flow.plain(&bound.limit, "the limit");
                if bound.metric == Metric::Bits {
                    flow.object_to_bits(property.span);
                }
            } else {
                flow.plain(&property.body, "its formula");
            }
            property.consequent.iter().for_each(|e| flow.plain(e, "its formula"));
        });
        Finding { slopes, ..finding }
    }

    /// Return what the value of an output distinguishes.
    pub fn of_output(&mut self, value: &Expr) -> Finding {
        self.in_global_frame(|flow| flow.plain(value, "its value"))
    }

    /// Analyse expressions of the global frame.
    fn in_global_frame(&mut self, mut look: impl FnMut(&mut Self)) -> Finding {
        let before = (std::mem::take(&mut self.objections), std::mem::take(&mut self.told));
        let floors = std::mem::replace(&mut self.floors, vec![i64::MIN; self.falls.len()]);
        let wakes = std::mem::take(&mut self.wakes);
        let at = std::mem::replace(&mut self.at, self.program.roles.len());
        let (words, values) = self.program.global_frame;
        self.marks.roles[self.at] =
            Frame { words: vec![Nothing; usize::from(words)], values: vec![Nothing; usize::from(values)] };
        self.learning = true;
        self.changed = true;
        self.until_stable(&mut look);
        self.learning = false;
        look(self);
        self.at = at;
        let (objections, told) = before;
        let own = std::mem::replace(&mut self.objections, objections);
        Finding {
            objection: own.into_iter().next(),
            told: std::mem::replace(&mut self.told, told),
            floors: std::mem::replace(&mut self.floors, floors),
            slopes: Vec::new(),
            wakes: std::mem::replace(&mut self.wakes, wakes),
        }
    }

    fn until_stable(&mut self, mut look: impl FnMut(&mut Self)) {
        for _ in 0..MOST_ROUNDS {
            if !std::mem::take(&mut self.changed) {
                return;
            }
            look(self);
        }
    }

    fn is_global(&self) -> bool {
        self.at == self.program.roles.len()
    }

    fn object_to_bits(&mut self, span: Span) {
        self.object(span, "the size of messages in bits depends on all fields");
    }

    fn object(&mut self, span: Span, why: impl Into<String>) {
        if !self.learning && !self.starting {
            let objection = Objection { span, why: why.into() };
            if !self.objections.contains(&objection) {
                self.objections.push(objection);
            }
        }
    }

    // ─── Declarations ───────────────────────────────────────────────────────────────────────────────────────────

    /// Names that types alone reveal: identifiers distinguish processes, and a port has no meaning at another process.
    fn declarations(&mut self) {
        let program = self.program;
        let params = program.params.iter().map(|param| &param.ty);
        let fields = program.kinds.iter().flat_map(|kind| kind.fields.iter().map(|field| &field.ty));
        for ty in params.clone().chain(fields) {
            let named = self.named(ty);
            // A payload may hold a port.
            self.tell(Names { ports: named.ports || may_be_id(program, ty), ..named });
        }
        if !program.assumptions.anonymous {
            let fields = program.kinds.iter().flat_map(|kind| kind.fields.iter().map(|field| &field.ty));
            let kept = program.roles.iter().flat_map(|role| role.state_slots().map(|(_, ty)| ty));
            let any = params.chain(fields).chain(kept).any(|ty| may_be_id(program, ty));
            if any || program.assumptions.identifies_by_id() {
                self.tell(Names::ALL);
            }
        }
        for oracle in &program.oracles {
            let told = self.in_global_frame(|flow| flow.plain(&oracle.truth, "the answer of an oracle")).told;
            self.tell(told.or(Names::PORTS));
        }
    }

    // ─── Code ───────────────────────────────────────────────────────────────────────────────────────────────────

    fn roles(&mut self) {
        let program = self.program;
        for (number, role) in program.roles.iter().enumerate() {
            self.at = number;
            if role.received_slot.is_some() {
                self.object(role.span, "the analysis does not cover rounds simulated by a synchronizer");
            }
            // The environment passes the arguments of operations.
            for slot in role.operations.iter().flatten().flat_map(|entry| &entry.params) {
                self.store(*slot, Plain, role.span);
            }
            let repeated = repeated(program, role);
            for (at, (op, repeated)) in role.code.iter().zip(repeated).enumerate() {
                self.starting = !repeated;
                self.op(role, at, op);
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

    fn op(&mut self, role: &Role, at: usize, op: &Op) {
        match op {
            Op::Set(slot, e) => {
                let shape = self.shape(e);
                self.store(*slot, shape, e.span);
            }
            Op::Assign(place, e) => {
                let shape = self.shape(e);
                self.assign(place, shape, e.span);
            }
            Op::Remove(place, e) => self.removal(place, e),
            Op::Unless(e, _) => self.plain(e, "the branch taken"),
            Op::Branch(branches) => {
                branches.iter().for_each(|b| self.plain(&b.guard, "the branch taken"));
            }
            Op::Send(send) | Op::Transmit(send) => self.send(send),
            Op::ForStart(slot, e) => {
                let shape = self.shape(e);
                if shape.has_disregarded() {
                    self.object(
                        e.span,
                        "the number of iterations depends on a value that the view disregards",
                    );
                }
                self.store(Slot::Value(*slot), shape.element().elements(), e.span);
            }
            Op::ForNext(slot, pattern, end) => {
                let turn = LoopTurn { role, first: at as Pc, end: *end, element: pattern };
                match collection_of(role, at, *slot) {
                    Some(ty) if turn.is_independent() || self.order_of(ty).is_none() => {}
                    Some(ty) => self.tell(self.order_of(ty)),
                    None => self.tell(Names::ALL),
                }
                let shape = self.slot(Slot::Value(*slot)).element();
                self.bind(pattern, shape, Span::default());
            }
            Op::Choose(slot, e) => {
                let shape = self.shape(e);
                if shape.has_disregarded() {
                    self.object(e.span, "the set of choices depends on a value that the view disregards");
                }
                self.store(*slot, shape.element(), e.span);
            }
            Op::SetArbitrary(slot, domain) => {
                self.domain(domain);
                self.store(*slot, Plain, domain.span);
            }
            Op::Upcall { from, name, args } => {
                for (position, e) in args.iter().enumerate() {
                    self.upcall_argument((self.at, *from, name.clone(), position), e);
                }
            }
            Op::Observe { value, .. } => {
                value.iter().for_each(|e| self.plain(e, "the history"));
            }
            Op::SetTimer(_, e) => self.plain(e, "the expiry of a timer"),
            Op::Clear(slots) => slots.iter().for_each(|slot| self.reset(*slot)),
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

    fn removal(&mut self, place: &Target, e: &Expr) {
        let shape = self.shape(e);
        let target = self.target(place);
        if !target.has_disregarded() && !shape.has_disregarded() {
            self.same(&target.element(), &shape, e.span, "are compared");
        } else if target != Disregarded {
            self.object(e.span, "which element is removed depends on a value that the view disregards");
        }
    }

    /// Record an argument of an upcall for the parameter that receives it.
    fn upcall_argument(&mut self, key: UpcallArgument, e: &Expr) {
        let shape = self.shape(e);
        let known = self.upcalls.get(&key).cloned().unwrap_or(Nothing);
        let now = known.join(&shape);
        if now != known {
            self.changed = true;
            self.upcalls.insert(key, now.clone());
        }
        if now.is_mixed() || now.has_disregarded() {
            self.object(e.span, "a layer passes values of the view to its user");
        }
    }

    /// Reset a local: a number that is no longer used would be taken for one of the view.
    fn reset(&mut self, slot: Slot) {
        let role = &self.program.roles[self.at];
        let is_number = match slot {
            Slot::Word(_) => true,
            Slot::Value(at) => {
                role.initial_values.get(usize::from(at)).is_some_and(|value| constant(value) != Nothing)
            }
        };
        if is_number && self.slot(slot).any(&|s| matches!(s, Shifted(_))) {
            let name = self.name_of(slot);
            let why = format!("the local {name} is kept across a waiting point and then reset to 0");
            self.object(self.span_of(slot), why);
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
            | Destination::NeighboursExcept(e) => self.plain(e, "the destination of a message"),
        }
        match &send.to {
            Destination::Only
            | Destination::Neighbours
            | Destination::Port(_)
            | Destination::Ports(_)
            | Destination::NeighboursExcept(_) => {}
            Destination::Id(_) | Destination::Ids(_) | Destination::Others => {
                if !self.program.assumptions.anonymous {
                    self.tell(Names::ALL);
                }
            }
        }
    }

    fn domain(&mut self, domain: &Domain) {
        match &domain.kind {
            DomainKind::Range(least, greatest) => {
                [least, greatest].into_iter().for_each(|e| self.plain(e, "the set of choices"));
            }
            DomainKind::Option(part) | DomainKind::Set(part) => self.domain(part),
            DomainKind::Tuple(parts) | DomainKind::Record(_, parts) => {
                parts.iter().for_each(|part| self.domain(part));
            }
            DomainKind::Bool | DomainKind::Enum(_) | DomainKind::Port | DomainKind::Id => {}
        }
    }

    fn put_into(&mut self, kind: u32, position: usize, field: &Shape, shape: &Shape, span: Span) {
        if !fits(field, shape) {
            let kind = &self.program.kinds[kind as usize];
            let name = match (kind.name.as_str(), kind.fields.get(position)) {
                ("", _) | (_, None) => "a bare message".to_string(),
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
                    // The guard is evaluated for all elements.
                    if self.binder(binder).has_disregarded() {
                        self.object(binder.set.span, "a guard depends on a value that the view disregards");
                    }
                }
            }
            Input::Message { kind, fields, from } => {
                self.message(*kind, fields, span);
                self.sender(from);
            }
            Input::Each { kind, fields, set, member, store } => {
                let role = &self.program.roles[self.at];
                if !gathers_without_order(role, &a.input) {
                    self.tell(Names::PORTS);
                }
                let set = self.slot(Slot::Value(*set));
                self.must_be_plain(&set, span, "the set of senders");
                self.store(Slot::Word(*member), Plain, span);
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
            Input::After(e) => self.plain(e, "a delay"),
            Input::Detected { process, .. } => self.bind(process, Plain, span),
            Input::Wakeup | Input::Arrival | Input::Pause | Input::Timer(_) | Input::Restart => {}
            Input::Interaction { responder: _, mirrors } => {
                // The search for a partner ends with the first one.
                if a.guard.as_ref().is_some_and(Expr::can_fail) {
                    self.tell(Names::PORTS);
                }
                // A port that a partner holds is one of its own.
                let shared = mirrors.iter().map(|mirror| &self.program.shared[usize::from(mirror.shared)]);
                let held = shared.flat_map(|shared| self.program.roles.iter().zip(&shared.slots));
                let held = held.filter_map(|(role, slot)| role.vars.iter().find(|v| Some(v.slot) == *slot));
                if held.into_iter().any(|variable| !self.named(&variable.ty).is_none()) {
                    self.tell(Names::ALL);
                }
                if mirrors.iter().any(|mirror| self.slot(mirror.slot).is_marked()) {
                    self.object(span, "the analysis does not cover the variables of a partner");
                }
            }
        }
        a.guard.iter().for_each(|guard| self.plain(guard, "a guard"));
    }

    fn sender(&mut self, from: &Sender) {
        match from {
            Sender::Is(e) | Sender::Member(e) => self.plain(e, "the set of senders"),
            Sender::Bind(_) | Sender::Any => {}
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
                if shape.has_disregarded() {
                    self.object(span, "a pattern matches on a value that the view disregards");
                }
                self.message(*kind, parts, span);
            }
        }
    }
}
