//! Names of processes and ports: the types that hold them, and the constructs that distinguish them.

use crate::explore::reduction::flow::Flow;
use crate::ir::{
    Builtin, Compare, Expr, ExprKind as K, Fact, HistoryKind, Op, Pattern, PortFact, Program, Slot, Type,
    Value,
};

/// A set of kinds of names. As a result of the analysis: the kinds that a program or property distinguishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::explore) struct Names {
    /// Processes, and events, which belong to processes.
    pub processes: bool,
    /// Ports: their identity, or their order.
    pub ports: bool,
}

impl Names {
    pub const NONE: Names = Names { processes: false, ports: false };
    pub const PORTS: Names = Names { processes: false, ports: true };
    pub const ALL: Names = Names { processes: true, ports: true };

    pub fn is_none(self) -> bool {
        self == Names::NONE
    }

    pub fn or(self, other: Names) -> Names {
        Names { processes: self.processes || other.processes, ports: self.ports || other.ports }
    }
}

/// Return the names that values of this type hold.
pub(in crate::explore) fn named(program: &Program, ty: &Type) -> Names {
    Names {
        processes: holds(program, ty, &|ty| matches!(ty, Type::Process | Type::Event), &mut Vec::new()),
        ports: holds(program, ty, &|ty| *ty == Type::Port, &mut Vec::new()),
    }
}

/// Return whether a part of a value of this type is an identifier, or may have any type.
pub(super) fn may_be_id(program: &Program, ty: &Type) -> bool {
    holds(program, ty, &|ty| matches!(ty, Type::Id | Type::Value), &mut Vec::new())
}

/// Return whether values of this type may contain a number. A part of type `Value` may be one.
pub(super) fn may_be_number(program: &Program, ty: &Type) -> bool {
    holds(program, ty, &|ty| matches!(ty, Type::Int | Type::Value), &mut Vec::new())
}

/// Return whether the type is wanted, or contains a wanted one. `within`: the enclosing records.
fn holds(program: &Program, ty: &Type, wanted: &dyn Fn(&Type) -> bool, within: &mut Vec<u32>) -> bool {
    match ty {
        _ if wanted(ty) => true,
        Type::Tuple(parts) => parts.iter().any(|part| holds(program, part, wanted, within)),
        Type::Option(t) | Type::List(t) | Type::Set(t) => holds(program, t, wanted, within),
        Type::Map(k, v) => holds(program, k, wanted, within) || holds(program, v, wanted, within),
        Type::Record(record) => {
            if within.contains(record) {
                return false;
            }
            within.push(*record);
            let fields = &program.records[*record as usize].fields;
            let found = fields.iter().any(|(_, field)| holds(program, field, wanted, within));
            within.pop();
            found
        }
        Type::Int
        | Type::Bool
        | Type::Id
        | Type::Port
        | Type::Process
        | Type::Event
        | Type::Enum(_)
        | Type::Value
        | Type::Unknown(_) => false,
    }
}

impl Flow<'_> {
    pub(super) fn named(&self, ty: &Type) -> Names {
        named(self.program, ty)
    }

    /// Return whether the values of these events of the history may hold names.
    pub(super) fn may_observe_names(&self, what: HistoryKind, of: u16) -> bool {
        self.program.roles.iter().flat_map(|role| &role.code).any(|op| match op {
            Op::Observe { what: own, of: number, value: Some(value) } if (*own, *number) == (what, of) => {
                !self.named(&value.ty).is_none() || may_be_id(self.program, &value.ty)
            }
            _ => false,
        })
    }

    /// Record that a construct distinguishes these names.
    pub(super) fn tell(&mut self, names: Names) {
        self.told = self.told.or(names);
    }

    /// Return the names whose order decides in which order the elements of this collection come. A list has an order of its
    /// own.
    pub(super) fn order_of(&self, collection: &Type) -> Names {
        match collection {
            Type::List(_) => Names::NONE,
            _ => self.named(collection),
        }
    }

    pub(super) fn compare_names(&mut self, op: Compare, x: &Expr, y: &Expr) {
        let is_order = !matches!(op, Compare::Equal | Compare::NotEqual);
        // Sets are compared by inclusion.
        let sets = matches!((&x.ty, &y.ty), (Type::Set(_), Type::Set(_)));
        if is_order && !sets {
            self.tell(self.named(&x.ty).or(self.named(&y.ty)));
        }
    }

    pub(super) fn tell_by_fact(&mut self, fact: &Fact) {
        self.tell(match fact {
            Fact::Id | Fact::Peers | Fact::Everybody => Names::ALL,
            // Numberings of the network, and the messages of a slot in the order of ports. The structures laid through a
            // network are conditions on the instance, too; the answers of oracles are analysed where they are declared.
            Fact::Oracle(_)
            | Fact::RingNext
            | Fact::RingPrev
            | Fact::TreeParent
            | Fact::TreeChildren
            | Fact::Rows
            | Fact::Columns
            | Fact::Script(_)
            | Fact::Heard => Names::PORTS,
            // The exchange of neighbours keeps labels.
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
            | Fact::Initiators => Names::NONE,
        });
    }

    pub(super) fn tell_by_port_fact(&mut self, fact: PortFact) {
        self.tell(match fact {
            PortFact::Weight => Names::NONE,
            PortFact::Opposite
            | PortFact::Neighbour
            | PortFact::FarEnd
            | PortFact::Numbered
            | PortFact::Dimension
            | PortFact::Chord => Names::PORTS,
        });
    }

    /// Record the names that a builtin distinguishes in its arguments. Return the names that determine the order of a resulting
    /// list, and whether the builtin accepts a list in any order.
    pub(super) fn call_names(&mut self, builtin: Builtin, list: &[Expr]) -> (Names, bool) {
        let all = list.iter().fold(Names::NONE, |all, e| all.or(self.named(&e.ty)));
        let order = list.iter().fold(Names::NONE, |all, e| all.or(self.order_of(&e.ty)));
        match builtin {
            Builtin::ToSet | Builtin::Size | Builtin::Sum => (Names::NONE, true),
            Builtin::Max | Builtin::Min => {
                self.tell(all);
                (Names::NONE, false)
            }
            Builtin::MaxOf | Builtin::MinOf | Builtin::Sort => {
                self.tell(all);
                (Names::NONE, true)
            }
            Builtin::ToMap => (Names::NONE, list.first().is_some_and(goes_by_key)),
            Builtin::ToList => (order, false),
            Builtin::Values => {
                let keys = match list.first().map(|e| &e.ty) {
                    Some(Type::Map(keys, _)) => self.named(keys),
                    _ => all,
                };
                (keys, false)
            }
            Builtin::Head | Builtin::Tail | Builtin::Last => {
                self.tell(order);
                (Names::NONE, false)
            }
            Builtin::Keys
            | Builtin::Across
            | Builtin::WeightAt
            | Builtin::PortTo
            | Builtin::FarEnd
            | Builtin::Connects
            | Builtin::Coin
            | Builtin::Random => (Names::NONE, false),
            Builtin::Abs
            | Builtin::Log2Floor
            | Builtin::Log2Ceil
            | Builtin::Pow
            | Builtin::IdNumber
            | Builtin::IdOfNumber
            | Builtin::IdsOf => {
                self.tell(all);
                (Names::NONE, false)
            }
        }
    }
}

/// Return whether the list has the form `[(p, e) for p in S]`, so that no key occurs twice.
fn goes_by_key(list: &Expr) -> bool {
    let K::Comprehension { binders, element: Some(element), .. } = &list.kind else { return false };
    let ([binder], K::Tuple(parts)) = (binders.as_slice(), &element.kind) else { return false };
    let is_set = matches!(binder.set.ty, Type::Set(_));
    let key = parts.first().and_then(slot_of);
    is_set && key.is_some() && matches!(binder.pattern, Pattern::Slot(slot) if Some(slot) == key)
}

/// Return the variable that the expression consists of, if any.
pub(in crate::explore::reduction) fn slot_of(e: &Expr) -> Option<Slot> {
    if let K::Slot(slot) = e.kind { Some(slot) } else { None }
}

/// Return whether the value contains the name of a process or port.
pub(super) fn names_some(value: &Value) -> bool {
    match value {
        Value::Port(_) | Value::Process(_) | Value::Event(_) => true,
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => {
            parts.iter().any(names_some)
        }
        Value::List(parts) => parts.iter().any(names_some),
        Value::Set(parts) => parts.iter().any(names_some),
        Value::Map(pairs) => pairs.iter().any(|(key, value)| names_some(key) || names_some(value)),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Id(_) | Value::Case(..) | Value::Text(_) => {
            false
        }
    }
}

/// Return the value of a condition if the options of the problem decide it. An operand that can fail decides nothing.
pub(super) fn decided(e: &Expr) -> Option<bool> {
    match &e.kind {
        K::Word(w) => Some(*w != 0),
        K::Not(x) => decided(x).map(|x| !x),
        K::And(x, y) => both(x, y, false, false),
        K::Or(x, y) => both(x, y, true, true),
        K::Implies(x, y) => both(x, y, false, true),
        K::Compare(op, x, y) => match (&x.kind, &y.kind, op) {
            (K::Word(x), K::Word(y), Compare::Equal) => Some(x == y),
            (K::Word(x), K::Word(y), Compare::NotEqual) => Some(x != y),
            _ => None,
        },
        _ => None,
    }
}

/// Evaluate an operator that has the value `end` if its first operand is `first`, or its second is `end`.
fn both(x: &Expr, y: &Expr, first: bool, end: bool) -> Option<bool> {
    match (decided(x), decided(y)) {
        (Some(x), _) if x == first => Some(end),
        (_, Some(y)) if y == end && !x.can_fail() => Some(end),
        (Some(_), Some(_)) => Some(!end),
        _ => None,
    }
}
