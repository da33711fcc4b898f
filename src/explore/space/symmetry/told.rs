//! What can be told: what an expression can know of which process, or which port, is which.

use crate::ir::{
    Arith, Binder, Builtin, Compare, Expr, ExprKind as K, Fact, NONE_WORD, Pattern, PortFact, ProcessFact,
    Program, Property, Slot, Type, Value,
};
use crate::syntax::ast::Quantifier;

/// What is exchanged when processes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Processes; whatever has a number at them keeps it.
    Processes,
    /// Their ports as well: another one leads to where this one led.
    PortsToo,
}

/// Who reads an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// A process, of itself.
    Process,
    /// A property, of all processes.
    Property,
}

/// Looks for what tells apart things that are exchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Teller<'p> {
    pub program: &'p Program,
    pub names: Names,
}

impl Teller<'_> {
    /// Do values of this type say which process or port is meant?
    pub fn is_named(&self, ty: &Type) -> bool {
        let ports = self.names == Names::PortsToo;
        let named = |ty: &Type| matches!(ty, Type::Process | Type::Event) || ports && *ty == Type::Port;
        self.holds(ty, &named, &mut Vec::new())
    }

    /// Is a part of values of this type an identifier, or can it be anything at all?
    pub fn may_be_id(&self, ty: &Type) -> bool {
        self.holds(ty, &|ty| matches!(ty, Type::Id | Type::Value), &mut Vec::new())
    }

    fn is_port(&self, ty: &Type) -> bool {
        self.holds(ty, &|ty| *ty == Type::Port, &mut Vec::new())
    }

    /// Is the type one of these, or made of some? `within`: the records that it stands in.
    fn holds(&self, ty: &Type, wanted: &dyn Fn(&Type) -> bool, within: &mut Vec<u32>) -> bool {
        match ty {
            _ if wanted(ty) => true,
            Type::Tuple(parts) => parts.iter().any(|part| self.holds(part, wanted, within)),
            Type::Option(t) | Type::List(t) | Type::Set(t) => self.holds(t, wanted, within),
            Type::Map(k, v) => self.holds(k, wanted, within) || self.holds(v, wanted, within),
            Type::Record(record) if !within.contains(record) => {
                within.push(*record);
                let fields = &self.program.records[*record as usize].fields;
                let found = fields.iter().any(|(_, field)| self.holds(field, wanted, within));
                within.pop();
                found
            }
            _ => false,
        }
    }

    /// Can the property not tell processes apart that are exchanged?
    pub fn property_is_blind(&self, property: &Property) -> bool {
        let limit = property.bound.as_ref().map(|b| &b.limit);
        let blind = |e: &Expr| self.is_blind(e, By::Property);
        property.each.iter().all(|b| blind(&b.set))
            && blind(&property.body)
            && property.then.as_ref().is_none_or(blind)
            && limit.is_none_or(blind)
    }

    /// Has the expression a value for which nobody can say which of the things that are exchanged is which, wherever it is taken?
    pub fn is_blind(&self, e: &Expr, by: By) -> bool {
        // Parts that the options decide are blind, whatever stands in them.
        if by == By::Property && e.ty == Type::Bool && decided(e).is_some() {
            return true;
        }
        if !self.shows_nothing(e, by) {
            return false;
        }
        if self.names == Names::PortsToo && by == By::Property && !self.keeps_ports_apart(e) {
            return false;
        }
        let mut all = true;
        e.parts(&mut |part| {
            let orderless = is_orderless_in(e, part);
            all = all && if orderless { self.parts_are_blind(part, by) } else { self.is_blind(part, by) };
        });
        all
    }

    fn parts_are_blind(&self, e: &Expr, by: By) -> bool {
        let mut all = true;
        e.parts(&mut |part| all = all && self.is_blind(part, by));
        all
    }

    /// The same of what is done here with the parts.
    fn shows_nothing(&self, e: &Expr, by: By) -> bool {
        let ports = self.names == Names::PortsToo;
        match &e.kind {
            // A list, or an element picked by its place in an order, shows the order of what is exchanged.
            K::Comprehension { list: true, binders, .. } => {
                binders.iter().all(|binder| !self.goes_by_name(binder, by))
            }
            K::Best { binder, .. } => !self.goes_by_name(binder, by),
            // Whether an element is looked at that cannot be must not depend on which come before it.
            K::Quantified { quantifier: Quantifier::Forall | Quantifier::Some, binders, with, body }
                if by == By::Process =>
            {
                let sets = binders.iter().skip(1).map(|binder| &binder.set);
                let safe = || sets.chain(with.as_deref()).chain([&**body]).all(|e| !can_go_wrong(e));
                binders.iter().all(|binder| !self.goes_by_name(binder, by)) || safe()
            }
            K::Compare(op, x, _) | K::CompareValues(op, x, _) => {
                matches!(op, Compare::Equal | Compare::NotEqual)
                    || !self.is_named(&x.ty)
                    || ports && matches!(x.ty, Type::Set(_))
            }
            K::ProcessFact(fact, _) => !matches!(fact, ProcessFact::Id | ProcessFact::Index),
            K::Call(builtin, arguments) => self.call_shows_nothing(*builtin, arguments),
            K::Word(word) => !self.is_named(&e.ty) || ports && *word == NONE_WORD,
            K::Const(value) => !self.is_named(&e.ty) || ports && !names_some(value),
            K::History(..)
            | K::HappenedBefore(..)
            | K::Before(..)
            | K::MulticastBefore(..)
            | K::EventFact(..) => false,
            K::Fact(fact) if ports => matches!(
                fact,
                Fact::N
                    | Fact::Diameter
                    | Fact::Edges
                    | Fact::Degree
                    | Fact::Neighbours
                    | Fact::Port(_)
                    | Fact::HasPort(_)
                    | Fact::Role(_)
                    | Fact::IsInitiator
                    | Fact::Processes
                    | Fact::Participants
                    | Fact::RoleProcesses(_)
                    | Fact::Initiators
            ),
            K::Fact(fact) => !matches!(fact, Fact::Id | Fact::Peers | Fact::Everybody),
            K::PortFact(fact, _) => !ports || *fact == PortFact::Weight,
            K::Received | K::ReceivedKind(_) | K::ReceivedMessage(_) | K::NeighbourVariable(..) => !ports,
            // A list of processes can only have come from one of the above.
            _ => true,
        }
    }

    fn call_shows_nothing(&self, builtin: Builtin, arguments: &[Expr]) -> bool {
        let named = || arguments.iter().any(|argument| self.is_named(&argument.ty));
        let lists = || arguments.iter().all(|argument| matches!(argument.ty, Type::List(_)));
        match (self.names, builtin) {
            (_, Builtin::Size) => true,
            (Names::Processes, _) => !named(),
            (
                _,
                Builtin::Keys
                | Builtin::ToSet
                | Builtin::Across
                | Builtin::WeightAt
                | Builtin::Connects
                | Builtin::Random
                | Builtin::Sum,
            ) => true,
            // The order of a list is what it is; that of a set goes by names.
            (_, Builtin::Head | Builtin::Tail | Builtin::Last | Builtin::ToList) => lists() || !named(),
            _ => !named(),
        }
    }

    /// Are elements taken one after the other in the order of what is exchanged?
    fn goes_by_name(&self, binder: &Binder, by: By) -> bool {
        let in_own_order = self.names == Names::PortsToo && by == By::Process;
        self.is_named(&binder.set.ty) && !(in_own_order && matches!(binder.set.ty, Type::List(_)))
    }

    /// A port has a number at its process only: properties may follow it, and see whether there is one, but not compare it with a port
    /// of another process.
    fn keeps_ports_apart(&self, e: &Expr) -> bool {
        if self.is_port(&e.ty) {
            return matches!(
                e.kind,
                K::Slot(_)
                    | K::Remote(..)
                    | K::Unwrap(_)
                    | K::If(..)
                    | K::Index(..)
                    | K::Word(_)
                    | K::Const(_)
            );
        }
        let is_none = |e: &Expr| matches!(e.kind, K::Word(_) | K::Const(_));
        let mut of_ports = false;
        e.parts(&mut |part| of_ports |= self.is_port(&part.ty));
        !of_ports
            || match &e.kind {
                K::Compare(_, x, y) | K::CompareValues(_, x, y) => is_none(x) || is_none(y),
                K::Call(builtin, _) => {
                    matches!(builtin, Builtin::Across | Builtin::WeightAt | Builtin::Size | Builtin::Values)
                }
                K::Quantified { .. } | K::Comprehension { .. } => true,
                _ => false,
            }
    }
}

/// Does the order of this list not matter, since `e` makes a set of it, or one number?
fn is_orderless_in(e: &Expr, part: &Expr) -> bool {
    let is_list = match &part.kind {
        K::Call(Builtin::Values, _) => true,
        K::Comprehension { list, .. } => *list,
        _ => false,
    };
    is_list
        && match &e.kind {
            K::Call(builtin, _) => match builtin {
                Builtin::ToSet
                | Builtin::Size
                | Builtin::MaxOf
                | Builtin::MinOf
                | Builtin::Sum
                | Builtin::Sort => true,
                // The same key does not come twice, where it is what is gone through.
                Builtin::ToMap => goes_by_key(part),
                _ => false,
            },
            K::In(..) => true,
            _ => false,
        }
}

/// `[(p, e) for p in S]`
fn goes_by_key(list: &Expr) -> bool {
    let K::Comprehension { binders, element: Some(element), .. } = &list.kind else { return false };
    let ([binder], K::Tuple(parts)) = (binders.as_slice(), &element.kind) else { return false };
    let is_set = matches!(binder.set.ty, Type::Set(_));
    let key = parts.first().and_then(slot_of);
    is_set && key.is_some() && matches!(binder.pattern, Pattern::Slot(slot) if Some(slot) == key)
}

/// The variable that the expression is, if it is one.
pub(super) fn slot_of(e: &Expr) -> Option<Slot> {
    match e.kind {
        K::Slot(slot) => Some(slot),
        _ => None,
    }
}

/// Does the value name a process or port?
fn names_some(value: &Value) -> bool {
    match value {
        Value::Port(_) | Value::Process(_) | Value::Event(_) => true,
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => {
            parts.iter().any(names_some)
        }
        Value::List(parts) => parts.iter().any(names_some),
        Value::Set(parts) => parts.iter().any(names_some),
        Value::Map(pairs) => pairs.iter().any(|(key, value)| names_some(key) || names_some(value)),
        _ => false,
    }
}

/// May evaluating it abort? (Numbers are taken to have no limits, as in papers.)
fn can_go_wrong(e: &Expr) -> bool {
    let here = match &e.kind {
        K::Unwrap(_) | K::Ranged { .. } | K::Index(..) | K::PortFact(..) | K::NeighbourVariable(..) => true,
        K::Arith(op, ..) => matches!(op, Arith::Div | Arith::Mod),
        K::Call(builtin, _) => {
            !matches!(builtin, Builtin::Size | Builtin::ToSet | Builtin::Keys | Builtin::Values)
        }
        K::Fact(fact) => matches!(fact, Fact::Port(_)),
        K::Map(_) => true,
        _ => false,
    };
    let mut any = here;
    e.parts(&mut |part| any = any || can_go_wrong(part));
    any
}

/// What an expression is, where the options of the problem decide it.
fn decided(e: &Expr) -> Option<bool> {
    match &e.kind {
        K::Word(w) => Some(*w != 0),
        K::Not(x) => decided(x).map(|x| !x),
        K::And(x, y) => match (decided(x), decided(y)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        K::Or(x, y) => match (decided(x), decided(y)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        K::Implies(x, y) => match (decided(x), decided(y)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            _ => None,
        },
        K::Compare(op, x, y) => match (&x.kind, &y.kind, op) {
            (K::Word(x), K::Word(y), Compare::Equal) => Some(x == y),
            (K::Word(x), K::Word(y), Compare::NotEqual) => Some(x != y),
            _ => None,
        },
        _ => None,
    }
}
