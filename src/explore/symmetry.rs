//! Symmetry: renumberings of the processes that no program and no property can notice.
//!
//! An anonymous program sees of the network what leads where from its ports, and nothing else. A renumbering that keeps every
//! port, role and weight turns runs into runs. So of configurations that such renumberings turn into one
//! another, one stands for all (Ip and Dill; Emerson and Sistla; Clarke, Enders, Filkorn and Jha, 1996), provided that
//! the properties, too, speak of processes only by «all», «some» and «how many».

use super::store::share;
use crate::instance::Instance;
use crate::ir::{Binder, Builtin, Compare, Expr, ExprKind as K, Fact, ProcessFact, Property, Type};

/// The renumberings, the one that changes nothing left out. By process: its new number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symmetry {
    n: usize,
    renumberings: Vec<Vec<u32>>,
}

impl Symmetry {
    /// The renumberings of this instance that cannot be noticed. None: there are no others than the one that changes nothing.
    pub fn of(instance: &Instance, properties: &[&Property]) -> Option<Symmetry> {
        let assumes = &instance.program.assumptions;
        let blind = assumes.anonymous && instance.virtual_ring.is_none() && instance.spanning_tree.is_none();
        if !blind || !properties.iter().all(|p| cannot_tell(p)) {
            return None;
        }
        let renumberings: Vec<Vec<u32>> =
            (1..instance.n()).filter_map(|to| automorphism(instance, to)).collect();
        (!renumberings.is_empty()).then(|| Symmetry { n: instance.n() as usize, renumberings })
    }

    /// By process: the least of those it can be renumbered to. They have their local states in common.
    pub fn representatives(&self) -> Vec<u32> {
        let least = |p: usize| self.renumberings.iter().map(|r| r[p]).min().unwrap_or(p as u32).min(p as u32);
        (0..self.n).map(least).collect()
    }

    /// The same for all vectors that are renumberings of one another.
    pub fn hash(&self, key: &[u32]) -> u64 {
        let one = |to: &dyn Fn(usize) -> usize| {
            let parts = (0..).zip(key).map(|(at, number)| {
                let at = self.place(at, to);
                share(at as u32, *number)
            });
            parts.fold(0, u64::wrapping_add)
        };
        let all = self.renumberings.iter().map(|r| one(&|p| r[p] as usize)).chain([one(&|p| p)]);
        // The sum alone would be the sum over the single places again.
        all.fold(0, |sum: u64, hash| sum.wrapping_add(share((hash >> 32) as u32, hash as u32)))
    }

    /// A renumbering that makes `to` of `from`, by process; None: there is none.
    pub fn between(&self, from: &[u32], to: &[u32]) -> Option<Vec<u32>> {
        let same: Vec<u32> = (0..self.n as u32).collect();
        let fits = |r: &&Vec<u32>| self.renumbered(from, r) == to;
        if from == to { Some(same) } else { self.renumberings.iter().find(fits).cloned() }
    }

    /// The vector after renumbering.
    pub fn renumbered(&self, key: &[u32], renumbering: &[u32]) -> Vec<u32> {
        let mut new = key.to_vec();
        for (at, number) in key.iter().enumerate() {
            new[self.place(at, &|p| renumbering[p] as usize)] = *number;
        }
        new
    }

    fn place(&self, at: usize, to: &dyn Fn(usize) -> usize) -> usize {
        match at {
            _ if at < self.n => to(at),
            _ if at < 2 * self.n => self.n + to(at - self.n),
            _ => at,
        }
    }

    /// Are these vectors, of components of so many bytes, renumberings of one another?
    pub fn same<T: PartialEq>(&self, a: &[T], b: &[T], width: usize) -> bool {
        a == b
            || self.renumberings.iter().any(|r| {
                let part = |at: usize| at * width..(at + 1) * width;
                let fits = |p: usize| {
                    let q = r[p] as usize;
                    a[part(p)] == b[part(q)] && a[part(self.n + p)] == b[part(self.n + q)]
                };
                (0..self.n).all(fits) && a[2 * self.n * width..] == b[2 * self.n * width..]
            })
    }
}

/// The renumbering that makes `to` of process 0 and keeps ports: since a network is connected there is at most one.
fn automorphism(instance: &Instance, to: u32) -> Option<Vec<u32>> {
    let network = &instance.network;
    let mut image = vec![u32::MAX; instance.n() as usize];
    let mut used = vec![false; instance.n() as usize];
    let mut open = vec![(0u32, to)];
    while let Some((p, q)) = open.pop() {
        if image[p as usize] != u32::MAX {
            if image[p as usize] != q {
                return None;
            }
            continue;
        }
        let (own, other) = (network.ports(p), network.ports(q));
        let alike = instance.role_of(p) == instance.role_of(q)
            && instance.initiators[p as usize] == instance.initiators[q as usize]
            && own.len() == other.len()
            && network.self_link(p).is_some() == network.self_link(q).is_some();
        if !alike || std::mem::replace(&mut used[q as usize], true) {
            return None;
        }
        image[p as usize] = q;
        for (number, (a, b)) in (0u32..).zip(own.iter().zip(other)) {
            let far = |link: u32, from: bool| {
                let end = |link: crate::network::Link| if from { link.from_port } else { link.to_port };
                (link != crate::network::NONE).then(|| end(network.link(link)))
            };
            let same_ends =
                far(a.out, false) == far(b.out, false) && far(a.incoming, true) == far(b.incoming, true);
            let weights = !instance.program.assumptions.weights
                || network.weight(p, number) == network.weight(q, number);
            if a.label != b.label || !same_ends || !weights {
                return None;
            }
            open.push((a.peer, b.peer));
        }
    }
    (!image.contains(&u32::MAX)).then_some(image)
}

/// Can the property not tell renumbered processes apart?
fn cannot_tell(property: &Property) -> bool {
    let limit = property.bound.as_ref().map(|b| &b.limit);
    binders(&property.each)
        && blind(&property.body)
        && property.then.as_ref().is_none_or(blind)
        && limit.is_none_or(blind)
}

fn binders(list: &[Binder]) -> bool {
    list.iter().all(|b| blind(&b.set))
}

fn speaks_of_processes(ty: &Type) -> bool {
    match ty {
        Type::Process | Type::Event => true,
        Type::Tuple(parts) => parts.iter().any(speaks_of_processes),
        Type::Option(t) | Type::List(t) | Type::Set(t) => speaks_of_processes(t),
        Type::Map(k, v) => speaks_of_processes(k) || speaks_of_processes(v),
        _ => false,
    }
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

fn blind(e: &Expr) -> bool {
    if e.ty == Type::Bool && decided(e).is_some() {
        return true;
    }
    let here = match &e.kind {
        // A list, or an element picked by its place in an order, shows the order of the processes.
        K::Comprehension { list: true, binders, .. } => {
            binders.iter().all(|b| !speaks_of_processes(&b.set.ty))
        }
        K::Best { binder, .. } => !speaks_of_processes(&binder.set.ty),
        K::Compare(op, x, _) | K::CompareValues(op, x, _) => {
            matches!(op, Compare::Equal | Compare::NotEqual) || !speaks_of_processes(&x.ty)
        }
        K::ProcessFact(fact, _) => !matches!(fact, ProcessFact::Id | ProcessFact::Index),
        K::Call(builtin, arguments) => {
            let about_processes = arguments.iter().any(|a| speaks_of_processes(&a.ty));
            match builtin {
                Builtin::Size => true,
                _ => !about_processes,
            }
        }
        K::Word(_) | K::Const(_) => !speaks_of_processes(&e.ty),
        K::History(..)
        | K::HappenedBefore(..)
        | K::Before(..)
        | K::MulticastBefore(..)
        | K::EventFact(..) => false,
        K::Fact(fact) => !matches!(fact, Fact::Id | Fact::Peers | Fact::Everybody),
        // A list of processes can only have come from one of the above.
        _ => true,
    };
    let mut all = here;
    // Parts that the options decide are blind, whatever stands in them.
    e.parts(&mut |part| all = all && blind(part));
    all
}
