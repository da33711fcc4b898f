//! What can be told by the commands of a program.

use super::told::{By, Teller, slot_of};
use crate::ir::{
    Alternative, Arith, CollectionOp, Destination, Domain, DomainKind, Expr, ExprKind as K, Handlers, Input,
    Op, Pattern, Pc, Place, PlaceStep, Role, Send, Sender, Slot, Type,
};

/// Something of a role that decides what its processes do.
enum Part<'r> {
    Expr(&'r Expr),
    To(&'r Destination),
}

impl Teller<'_> {
    /// Can processes know anything of who is who? What they know of the network is looked at elsewhere.
    pub fn knows_ids(&self) -> bool {
        let program = self.program;
        let assumes = &program.assumptions;
        if assumes.anonymous {
            return false;
        }
        let mut known = assumes.by_id()
            || program.params.iter().any(|param| self.may_be_id(&param.ty))
            || program.kinds.iter().any(|kind| kind.fields.iter().any(|field| self.may_be_id(&field.ty)));
        for role in &program.roles {
            known = known || role.kept().any(|(_, ty)| self.may_be_id(ty));
            each_part(role, &mut |part| {
                known = known
                    || match part {
                        Part::Expr(e) => self.has_id(e),
                        Part::To(to) => {
                            matches!(to, Destination::Id(_) | Destination::Ids(_) | Destination::Others)
                        }
                    };
            });
        }
        known
    }

    fn has_id(&self, e: &Expr) -> bool {
        let mut known = self.may_be_id(&e.ty);
        e.parts(&mut |part| known = known || self.has_id(part));
        known
    }

    /// Can no process tell its ports apart, but by what has come through them and by labels?
    pub fn program_is_blind(&self) -> bool {
        let program = self.program;
        // Ports of one process mean nothing to another; a payload may be anything.
        let kept = |ty: &Type| self.is_named(ty) || self.may_be_id(ty);
        if self.knows_ids()
            || !program.oracles.is_empty()
            || program.params.iter().any(|param| kept(&param.ty))
            || program.kinds.iter().any(|kind| kind.fields.iter().any(|field| kept(&field.ty)))
        {
            return false;
        }
        let mut blind = true;
        for role in &program.roles {
            each_part(role, &mut |part| {
                blind = blind
                    && match part {
                        Part::Expr(e) => self.is_blind(e, By::Process),
                        Part::To(_) => true,
                    };
            });
            blind =
                blind && self.loops_are_blind(role) && alternatives(role).all(|a| self.gathers_blindly(a));
        }
        blind
    }

    /// What is stored of each of several messages must not depend on which comes first.
    fn gathers_blindly(&self, alternative: &Alternative) -> bool {
        let Input::Each { member, store, .. } = &alternative.input else { return true };
        let own = Some(Slot::Word(*member));
        let roots: Vec<Slot> = store.iter().map(|(place, _)| place.root).collect();
        store.iter().all(|(place, e)| is_at(place, own) && !reads(e, &roots, own))
    }

    /// A loop goes through a set in the order of its elements: what it does for one must not depend on what it has done for another.
    fn loops_are_blind(&self, role: &Role) -> bool {
        let mut rests: Vec<(u16, &Type)> = Vec::new();
        for (at, op) in role.code.iter().enumerate() {
            match op {
                Op::ForStart(rest, set) => rests.push((*rest, &set.ty)),
                Op::ForNext(rest, pattern, end) => {
                    let set = rests.iter().rev().find(|(slot, _)| slot == rest).map(|(_, ty)| *ty);
                    let ordered = set.is_some_and(|ty| matches!(ty, Type::List(_)) || !self.is_named(ty));
                    let turn = Turn { role, first: at as Pc, end: *end, element: pattern };
                    if !ordered && !turn.is_independent() {
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }
}

/// The commands that a loop does for one element.
struct Turn<'r> {
    role: &'r Role,
    /// Where the next element is taken, and where the loop goes on when there is none.
    first: Pc,
    end: Pc,
    element: &'r Pattern,
}

impl Turn<'_> {
    /// Is it the same in whatever order the turns come?
    fn is_independent(&self) -> bool {
        let element = match self.element {
            Pattern::Slot(slot) => Some(*slot),
            _ => None,
        };
        let (from, to) = (self.first as usize + 1, self.end as usize);
        let Some(ops) = self.role.code.get(from..to) else { return false };
        let written: Vec<Slot> = ops
            .iter()
            .filter_map(|op| match op {
                Op::Set(slot, _) => Some(*slot),
                Op::Assign(place, _) | Op::Remove(place, _) => Some(place.root),
                _ => None,
            })
            .collect();
        // Who goes on behind the loop leaves out what comes later.
        let stays = |pc: Pc| (self.first..self.end).contains(&pc);
        let plain = |e: &Expr| !reads(e, &written, element);
        // What is gathered in a variable, if it is written nowhere else.
        let once = |slot: Slot| written.iter().filter(|other| **other == slot).count() == 1;
        let sends = ops.iter().filter_map(|op| match op {
            Op::Send(send) => Some(&**send),
            _ => None,
        });
        let all_sent = send_apart(&sends.collect::<Vec<&Send>>(), element, &plain);
        ops.iter().all(|op| match op {
            Op::Jump(to) => stays(*to),
            Op::Unless(condition, to) => stays(*to) && plain(condition),
            Op::Set(slot, e) => once(*slot) && gathered(*slot, e).is_some_and(plain),
            Op::Assign(place, e) => is_at(place, element) && plain(e),
            Op::Remove(place, e) => {
                place.path.is_empty() && once(place.root) && slot_of(e).is_some() && slot_of(e) == element
            }
            Op::Send(_) => all_sent,
            Op::Clear(slots) => slots.iter().all(|slot| !written.contains(slot)),
            _ => false,
        })
    }
}

/// Do messages of different turns go different ways, or are all of them the same? Of different ones that go the same way the order would
/// be seen.
fn send_apart(sends: &[&Send], element: Option<Slot>, plain: &dyn Fn(&Expr) -> bool) -> bool {
    let is_own = |to: &Destination| matches!(to, Destination::Port(to) if slot_of(to) == element);
    if element.is_some() && sends.iter().all(|send| is_own(&send.to)) {
        return sends.iter().all(|send| send.fields.iter().all(plain));
    }
    let same = |e: &Expr| plain(e) && !reads(e, element.as_slice(), None);
    let [only] = sends else { return sends.is_empty() };
    let to = match &only.to {
        Destination::Only | Destination::Neighbours => true,
        Destination::Port(to) | Destination::Ports(to) => same(to),
        _ => false,
    };
    to && element.is_some() && only.fields.iter().all(same)
}

/// `x := x + e` and the like, where the order of several does not matter: e.
fn gathered(slot: Slot, e: &Expr) -> Option<&Expr> {
    let (x, y) = match &e.kind {
        K::Arith(Arith::Add, x, y) | K::Collection(CollectionOp::Union | CollectionOp::Intersect, x, y) => {
            (x, y)
        }
        K::Or(x, y) | K::And(x, y) => (x, y),
        _ => return None,
    };
    let is_list = matches!(e.ty, Type::List(_) | Type::Map(..));
    (!is_list && slot_of(x) == Some(slot)).then_some(y)
}

/// Is it the element's own part of a map?
fn is_at(place: &Place, element: Option<Slot>) -> bool {
    let own = |step: &PlaceStep| matches!(step, PlaceStep::Index(key) if slot_of(key) == element);
    element.is_some() && place.path.first().is_some_and(own)
}

/// Does it read one of these variables, other than the element's own part of it?
fn reads(e: &Expr, slots: &[Slot], element: Option<Slot>) -> bool {
    match &e.kind {
        K::Slot(slot) => slots.contains(slot),
        K::Index(map, key) if element.is_some() && slot_of(key) == element && slot_of(map).is_some() => false,
        _ => {
            let mut any = false;
            e.parts(&mut |part| any = any || reads(part, slots, element));
            any
        }
    }
}

fn alternatives(role: &Role) -> impl Iterator<Item = &Alternative> {
    fn of(handlers: &Handlers) -> impl Iterator<Item = &Alternative> {
        [&handlers.alternatives, &handlers.defer, &handlers.ignore].into_iter().flatten()
    }
    let waits = role.waits.iter().flat_map(|wait| &wait.alternatives);
    let states = role.components.iter().flat_map(|component| &component.states);
    let handlers =
        role.components.iter().map(|component| &component.always).chain(states.map(|s| &s.handlers));
    waits.chain(handlers.flat_map(of))
}

/// Everything in the code of a role, and in what it waits for, that is evaluated.
fn each_part<'r>(role: &'r Role, f: &mut dyn FnMut(Part<'r>)) {
    for alternative in alternatives(role) {
        alternative.guard.iter().for_each(|guard| f(Part::Expr(guard)));
        match &alternative.input {
            Input::Condition { some } => some.iter().for_each(|binder| f(Part::Expr(&binder.set))),
            Input::Message { from: Sender::Is(e) | Sender::Member(e), .. } => f(Part::Expr(e)),
            Input::Each { store, .. } => store.iter().for_each(|(place, e)| {
                of_place(place, f);
                f(Part::Expr(e));
            }),
            Input::After(e) => f(Part::Expr(e)),
            _ => {}
        }
    }
    for op in &role.code {
        match op {
            Op::Set(_, e) | Op::Unless(e, _) | Op::ForStart(_, e) | Op::Choose(_, e) | Op::SetTimer(_, e) => {
                f(Part::Expr(e))
            }
            Op::Assign(place, e) | Op::Remove(place, e) => {
                of_place(place, f);
                f(Part::Expr(e));
            }
            Op::Branch(branches) => branches.iter().for_each(|branch| f(Part::Expr(&branch.guard))),
            Op::Send(send) | Op::Transmit(send) => {
                send.fields.iter().for_each(|field| f(Part::Expr(field)));
                f(Part::To(&send.to));
                match &send.to {
                    Destination::Port(e)
                    | Destination::Id(e)
                    | Destination::Ports(e)
                    | Destination::Ids(e)
                    | Destination::NeighboursExcept(e) => f(Part::Expr(e)),
                    Destination::Only | Destination::Neighbours | Destination::Others => {}
                }
            }
            Op::Upcall { args, .. } => args.iter().for_each(|e| f(Part::Expr(e))),
            Op::Observe { value, .. } => value.iter().for_each(|e| f(Part::Expr(e))),
            Op::Any(_, domain) => of_domain(domain, f),
            _ => {}
        }
    }
}

fn of_place<'r>(place: &'r Place, f: &mut dyn FnMut(Part<'r>)) {
    for step in &place.path {
        match step {
            PlaceStep::Index(key) => f(Part::Expr(key)),
            PlaceStep::Part(_) => {}
        }
    }
}

fn of_domain<'r>(domain: &'r Domain, f: &mut dyn FnMut(Part<'r>)) {
    match &domain.kind {
        DomainKind::Range(least, greatest) => [least, greatest].into_iter().for_each(|e| f(Part::Expr(e))),
        DomainKind::Option(part) | DomainKind::Set(part) => of_domain(part, f),
        DomainKind::Tuple(parts) | DomainKind::Record(_, parts) => {
            parts.iter().for_each(|part| of_domain(part, f))
        }
        DomainKind::Bool | DomainKind::Enum(_) | DomainKind::Port => {}
    }
}
