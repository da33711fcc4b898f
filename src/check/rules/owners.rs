//! Owners of ports: a port is a number at its own process, so a port of q means something else at p.
//!
//! In properties and scenarios every port has an owner, the process expression that it was read from. A port may be followed, weighed,
//! compared, looked up and assigned only at its owner. Two processes are the same here if they are written as the same expression over
//! the same names; labels such as `next` belong to every process.

use crate::check::typed::Typed;
use crate::diagnostic::{Diagnostic, Requirement};
use crate::ids::ProcessId;
use crate::ir::{
    Binder, Builtin, Chosen, CollectionOp, Expr, ExprKind as K, Fact, Pattern, ScenarioLine, Slot, Type,
};
use crate::source::Span;
use std::collections::BTreeMap;

/// A process, as it is written.
#[derive(Clone, Debug)]
struct ProcessExpr {
    /// Equal only for equal expressions over the same names.
    key: String,
    /// As shown in messages.
    shown: String,
    slots: Vec<Slot>,
}

/// The process that the ports in a value belong to.
#[derive(Clone, Debug)]
enum Owner {
    /// No ports, or only ports that every process has.
    Any,
    Of(ProcessExpr),
    /// Ports of several processes, or of a process that has no name here.
    Several,
}

impl Owner {
    fn or(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Any, owner) | (owner, Owner::Any) => owner,
            (Owner::Of(a), Owner::Of(b)) if a.key == b.key => Owner::Of(a),
            (Owner::Of(_) | Owner::Several, Owner::Of(_) | Owner::Several) => Owner::Several,
        }
    }
}

/// Traversal of one property or scenario line.
struct Owners<'c> {
    typed: &'c Typed,
    /// Names of the processes of the scenario.
    processes: &'c [String],
    scope: BTreeMap<Slot, Name>,
    /// Number of names so far: slots and places in functions recur with other values.
    names: u32,
    found: Vec<Diagnostic>,
}

/// A name that is in scope.
#[derive(Clone, Debug)]
struct Name {
    number: u32,
    /// The owner of the ports in its value.
    owner: Owner,
    /// The process that the name denotes.
    who: ProcessExpr,
}

impl Typed {
    /// Return findings about ports that are used at another process than their own.
    pub(super) fn port_owners(&self) -> Vec<Diagnostic> {
        let Typed { properties, scenarios, outputs, oracles, .. } = self;
        let mut found = Vec::new();
        for property in properties {
            found.extend(self.owners(&[], |owners| {
                property.binders.iter().for_each(|binder| owners.binder(binder));
                let then = property.consequent.iter().chain(property.bound.iter().map(|bound| &bound.limit));
                [&property.body].into_iter().chain(then).for_each(|e| drop(owners.owner(e)));
            }));
        }
        for e in outputs.iter().map(|output| &output.value).chain(oracles.iter().map(|oracle| &oracle.truth))
        {
            found.extend(self.owners(&[], |owners| drop(owners.owner(e))));
        }
        for scenario in scenarios {
            for (line, _) in &scenario.lines {
                found.extend(self.owners(&scenario.names, |owners| owners.line(line)));
            }
        }
        found
    }

    fn owners(&self, processes: &[String], look: impl FnOnce(&mut Owners<'_>)) -> Vec<Diagnostic> {
        let mut owners =
            Owners { typed: self, processes, scope: BTreeMap::new(), names: 0, found: Vec::new() };
        look(&mut owners);
        owners.found
    }

    /// Return whether a value of this type can contain a port.
    fn holds_port(&self, ty: &Type, within: &mut Vec<u32>) -> bool {
        match ty {
            Type::Port => true,
            Type::Tuple(parts) => parts.iter().any(|part| self.holds_port(part, within)),
            Type::Option(t) | Type::List(t) | Type::Set(t) => self.holds_port(t, within),
            Type::Map(k, v) => self.holds_port(k, within) || self.holds_port(v, within),
            Type::Record(record) => {
                !within.contains(record) && {
                    within.push(*record);
                    let fields = self.records.get(*record as usize).map_or(&[][..], |r| &r.fields);
                    fields.iter().any(|(_, field)| self.holds_port(field, within))
                }
            }
            Type::Int
            | Type::Bool
            | Type::Id
            | Type::Process
            | Type::Event
            | Type::Enum(_)
            | Type::Value
            | Type::Unknown(_) => false,
        }
    }
}

impl Owners<'_> {
    fn line(&mut self, line: &ScenarioLine) {
        match line {
            ScenarioLine::Initially { process, value, slots: _ } => self.given(*process, value),
            ScenarioLine::Act { process, args, operation: _ } => {
                args.iter().for_each(|arg| self.given(*process, arg));
            }
            ScenarioLine::Choose { process, value: Chosen::Value(value) } => self.given(*process, value),
            ScenarioLine::Delay { delay: e, .. } | ScenarioLine::AdvanceTo(e) | ScenarioLine::Expect(e) => {
                drop(self.owner(e));
            }
            ScenarioLine::Choose { value: Chosen::Number(_), .. }
            | ScenarioLine::Hold { .. }
            | ScenarioLine::Release { .. }
            | ScenarioLine::Deliver { .. }
            | ScenarioLine::Note { .. }
            | ScenarioLine::Wake(_)
            | ScenarioLine::Crash { .. }
            | ScenarioLine::Restart(_)
            | ScenarioLine::Mislead(_)
            | ScenarioLine::Suspect { .. }
            | ScenarioLine::Lose { .. }
            | ScenarioLine::Duplicate { .. }
            | ScenarioLine::Cut { .. }
            | ScenarioLine::Step(_)
            | ScenarioLine::Expire(_)
            | ScenarioLine::Cycle
            | ScenarioLine::ExpectVerdict { .. }
            | ScenarioLine::ExpectCycleClosed
            | ScenarioLine::ExpectOutcome(_) => {}
        }
    }

    /// Check a value that the scenario assigns to a process.
    fn given(&mut self, process: ProcessId, value: &Expr) {
        let at = self.numbered(process.0.into());
        let owner = self.owner(value);
        self.used_at(&owner, &at, value.span);
    }

    fn numbered(&self, process: i64) -> ProcessExpr {
        let name = usize::try_from(process).ok().and_then(|at| self.processes.get(at));
        let shown = name.cloned().unwrap_or_else(|| format!("p{process}"));
        ProcessExpr { key: format!("process {process}"), shown, slots: Vec::new() }
    }

    fn holds_port(&self, ty: &Type) -> bool {
        self.typed.holds_port(ty, &mut Vec::new())
    }

    /// Return the process that an expression denotes.
    fn who(&mut self, e: &Expr) -> ProcessExpr {
        match &e.kind {
            K::Slot(slot) => match self.scope.get(slot) {
                Some(name) => name.who.clone(),
                // The process that an output or oracle is evaluated for.
                None => {
                    ProcessExpr { key: format!("{slot:?}"), shown: "this process".into(), slots: vec![*slot] }
                }
            },
            K::Word(process) => self.numbered(*process),
            K::Unwrap(x) => self.who(x),
            K::Call(Builtin::Across, list) => match &list[..] {
                [p, k] => {
                    let ProcessExpr { key, shown, mut slots } = self.who(p);
                    let port = self.port(k, &mut slots);
                    ProcessExpr {
                        key: format!("neighbour({key}, {port})"),
                        shown: format!("a neighbour of {shown}"),
                        slots,
                    }
                }
                _ => self.another_process(),
            },
            _ => self.another_process(),
        }
    }

    /// Return a process that differs from all others in this traversal: its expression, or the values in it, differ.
    fn another_process(&mut self) -> ProcessExpr {
        self.names += 1;
        ProcessExpr {
            key: format!("another {}", self.names),
            shown: "another process".into(),
            slots: Vec::new(),
        }
    }

    /// Return a port as it is written; collect the names in it.
    fn port(&mut self, e: &Expr, names: &mut Vec<Slot>) -> String {
        match &e.kind {
            K::Slot(slot) => {
                names.push(*slot);
                let name = self.scope.get(slot).map(|name| name.number);
                format!("name {name:?}")
            }
            K::Unwrap(x) => self.port(x, names),
            K::Remote(x, slots) => {
                let who = self.who(x);
                names.extend(who.slots);
                format!("{}.{slots:?}", who.key)
            }
            K::Fact(Fact::Port(label)) => format!("{label:?}"),
            _ => self.another_process().key,
        }
    }

    /// Report a port that is used at a process which is not its owner.
    fn used_at(&mut self, owner: &Owner, at: &ProcessExpr, span: Span) {
        match owner {
            Owner::Any => {}
            Owner::Of(who) if who.key == at.key => {}
            Owner::Of(who) => {
                self.found.push(Requirement::PortOfAnother(who.shown.clone(), at.shown.clone()).at(span));
            }
            Owner::Several => self.ambiguous(span),
        }
    }

    /// Report ports of different processes that are compared, or looked up in one another's collections.
    fn check_same_owner(&mut self, a: Owner, b: Owner, span: Span) -> Owner {
        match (&a, &b) {
            (Owner::Any, _) | (_, Owner::Any) => {}
            (Owner::Of(a), Owner::Of(b)) => {
                if a.key != b.key {
                    self.found.push(Requirement::PortsCompared(a.shown.clone(), b.shown.clone()).at(span));
                    return Owner::Any;
                }
            }
            (Owner::Several, _) | (_, Owner::Several) => {
                self.ambiguous(span);
                return Owner::Any;
            }
        }
        a.or(b)
    }

    fn ambiguous(&mut self, span: Span) {
        self.found.push(Requirement::OwnerUnknown.at(span));
    }

    /// Check an expression. Return the owner of the ports in its value.
    fn owner(&mut self, e: &Expr) -> Owner {
        let owner = self.value(e);
        if self.holds_port(&e.ty) { owner } else { Owner::Any }
    }

    fn value(&mut self, e: &Expr) -> Owner {
        match &e.kind {
            K::Slot(slot) => self.scope.get(slot).map_or(Owner::Any, |name| name.owner.clone()),
            K::Remote(x, _) => {
                self.owner(x);
                Owner::Of(self.who(x))
            }
            K::Call(Builtin::Across | Builtin::WeightAt, list) => {
                if let [p, k] = &list[..] {
                    self.owner(p);
                    let owner = self.owner(k);
                    let at = self.who(p);
                    self.used_at(&owner, &at, k.span);
                }
                Owner::Any
            }
            K::Call(Builtin::FarEnd, list) => {
                let [p, k] = &list[..] else { return Owner::Any };
                self.owner(p);
                let owner = self.owner(k);
                let at = self.who(p);
                self.used_at(&owner, &at, k.span);
                let across =
                    Expr { kind: K::Call(Builtin::Across, list.clone()), ty: Type::Process, span: e.span };
                Owner::Of(self.who(&across))
            }
            K::Call(Builtin::PortTo, list) => {
                list.iter().for_each(|e| drop(self.owner(e)));
                list.first().map_or(Owner::Any, |p| Owner::Of(self.who(p)))
            }
            K::Call(Builtin::Max | Builtin::Min, list) => list.iter().fold(Owner::Any, |all, e| {
                let own = self.owner(e);
                self.check_same_owner(all, own, e.span)
            }),
            K::Compare(_, x, y)
            | K::CompareValues(_, x, y)
            | K::Index(x, y)
            | K::In(x, y)
            | K::Collection(
                CollectionOp::RemoveElement | CollectionOp::Difference | CollectionOp::Intersect,
                x,
                y,
            ) => {
                let (a, b) = (self.owner(x), self.owner(y));
                self.check_same_owner(a, b, e.span)
            }
            K::If(c, x, y) => {
                self.owner(c);
                let own = self.owner(x);
                own.or(self.owner(y))
            }
            K::Let(lets, body) => {
                let values: Vec<(Slot, Owner, ProcessExpr)> =
                    lets.iter().map(|(slot, value)| (*slot, self.owner(value), self.who(value))).collect();
                let outside = self.scope.clone();
                for (slot, owner, who) in values {
                    self.name(slot, owner, who);
                }
                let owner = self.owner(body);
                self.scope = outside;
                owner
            }
            K::Quantified { quantifier: _, binders, with, body } => {
                let inside = with.iter().chain([body]).map(|e| &**e);
                self.within(binders, inside)
            }
            K::Comprehension { list: _, binders, condition, element } => {
                let outside = self.scope.clone();
                let mut own = Owner::Any;
                for binder in binders {
                    own = self.owner(&binder.set);
                    self.names(binder, &own);
                }
                condition.iter().for_each(|e| drop(self.owner(e)));
                if let Some(element) = element {
                    own = self.owner(element);
                }
                self.scope = outside;
                outside_of(binders, own)
            }
            K::Best { greatest: _, binder, with, by } => {
                let own = self.owner(&binder.set);
                self.within(std::slice::from_ref(&**binder), with.iter().chain(by).map(|e| &**e));
                own
            }
            _ => {
                let mut all = Owner::Any;
                e.parts(&mut |part| {
                    let own = self.owner(part);
                    all = std::mem::replace(&mut all, Owner::Any).or(own);
                });
                all
            }
        }
    }

    /// Check expressions over the elements of sets.
    fn within<'e>(&mut self, binders: &[Binder], inside: impl Iterator<Item = &'e Expr>) -> Owner {
        let outside = self.scope.clone();
        binders.iter().for_each(|binder| self.binder(binder));
        inside.for_each(|e| drop(self.owner(e)));
        self.scope = outside;
        Owner::Any
    }

    fn binder(&mut self, binder: &Binder) {
        let owner = self.owner(&binder.set);
        self.names(binder, &owner);
    }

    /// Give the names of a binder the owner of the set that it ranges over.
    fn names(&mut self, binder: &Binder, owner: &Owner) {
        for slot in binder.pattern.slots() {
            let key = format!("name {}", self.names + 1);
            let shown = match binder.pattern {
                Pattern::Slot(_) => format!("`{}`", binder.name),
                Pattern::Wildcard | Pattern::Tuple(_) | Pattern::Message(..) => {
                    format!("a part of `{}`", binder.name)
                }
            };
            self.name(slot, owner.clone(), ProcessExpr { key, shown, slots: vec![slot] });
        }
    }

    fn name(&mut self, slot: Slot, owner: Owner, who: ProcessExpr) {
        self.names += 1;
        self.scope.insert(slot, Name { number: self.names, owner, who });
    }
}

/// The owner as seen outside the binders: an owner that mentions a bound name has no meaning there.
fn outside_of(binders: &[Binder], owner: Owner) -> Owner {
    let bound: Vec<Slot> = binders.iter().flat_map(|binder| binder.pattern.slots()).collect();
    match owner {
        Owner::Of(who) if who.slots.iter().any(|slot| bound.contains(slot)) => Owner::Several,
        other => other,
    }
}
