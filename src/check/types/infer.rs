//! Type inference by unification.

use crate::ir::{EnumType, RecordType, Type};
use std::sync::Arc;

/// Bindings of the type variables so far.
#[derive(Clone, Debug, Default)]
pub struct Infer {
    known: Vec<Option<Type>>,
    /// Type variables of erroneous expressions that have been reported: nothing more is reported about them.
    lost: Vec<bool>,
    /// Type variables that stay unknown, whatever they are compared with.
    anything: Vec<bool>,
    /// Whether the parameters of the current function may have any type: type variables created now fit everything and are never
    /// bound.
    pub is_generic: bool,
}

impl Infer {
    pub fn fresh(&mut self) -> Type {
        self.unknown(self.is_generic)
    }

    /// Return the type of an erroneous expression.
    pub fn error_type(&mut self) -> Type {
        self.unknown(true)
    }

    fn unknown(&mut self, lost: bool) -> Type {
        self.known.push(None);
        self.lost.push(lost);
        self.anything.push(self.is_generic);
        Type::Unknown(self.known.len() as u32 - 1)
    }

    /// Return whether the type, or a component of it, is that of an erroneous expression.
    pub fn is_error_type(&self, ty: &Type) -> bool {
        match self.head(ty) {
            Type::Unknown(u) => self.lost[u as usize],
            Type::Tuple(parts) => parts.iter().any(|p| self.is_error_type(p)),
            Type::Option(t) | Type::List(t) | Type::Set(t) => self.is_error_type(&t),
            Type::Map(k, v) => self.is_error_type(&k) || self.is_error_type(&v),
            _ => false,
        }
    }

    /// Return the type with its head resolved as far as known.
    pub fn head(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        while let Type::Unknown(u) = ty {
            match &self.known[u as usize] {
                Some(t) => ty = t.clone(),
                None => break,
            }
        }
        ty
    }

    /// Return the type with all known type variables substituted.
    pub fn full(&self, ty: &Type) -> Type {
        match self.head(ty) {
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|p| self.full(p)).collect()),
            Type::Option(t) => Type::Option(Arc::new(self.full(&t))),
            Type::List(t) => Type::List(Arc::new(self.full(&t))),
            Type::Set(t) => Type::Set(Arc::new(self.full(&t))),
            Type::Map(k, v) => Type::Map(Arc::new(self.full(&k)), Arc::new(self.full(&v))),
            other => other,
        }
    }

    pub fn is_known(&self, ty: &Type) -> bool {
        match self.head(ty) {
            Type::Unknown(_) => false,
            Type::Tuple(parts) => parts.iter().all(|p| self.is_known(p)),
            Type::Option(t) | Type::List(t) | Type::Set(t) => self.is_known(&t),
            Type::Map(k, v) => self.is_known(&k) && self.is_known(&v),
            _ => true,
        }
    }

    /// Return the type of the elements of a collection: for a map, of its keys.
    pub fn element(&self, collection: &Type) -> Option<Type> {
        match self.head(collection) {
            Type::Set(element) | Type::List(element) | Type::Map(element, _) => Some((*element).clone()),
            _ => None,
        }
    }

    /// The same, where an unknown type becomes a set.
    pub fn element_of_set(&mut self, collection: &Type) -> Option<Type> {
        let Type::Unknown(_) = self.head(collection) else { return self.element(collection) };
        let element = self.fresh();
        self.unify(collection, &Type::Set(Arc::new(element.clone())));
        Some(element)
    }

    fn occurs(&self, u: u32, ty: &Type) -> bool {
        match self.head(ty) {
            Type::Unknown(v) => u == v,
            Type::Tuple(parts) => parts.iter().any(|p| self.occurs(u, p)),
            Type::Option(t) | Type::List(t) | Type::Set(t) => self.occurs(u, &t),
            Type::Map(k, v) => self.occurs(u, &k) || self.occurs(u, &v),
            _ => false,
        }
    }

    /// Unify two types. Return whether they can be made equal.
    pub fn unify(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Type::Unknown(u), Type::Unknown(v)) if u == v => true,
            (Type::Unknown(u), _) | (_, Type::Unknown(u)) if self.anything[*u as usize] => true,
            (Type::Unknown(u), _) => {
                if self.occurs(*u, &b) {
                    return false;
                }
                if let Type::Unknown(v) = b {
                    self.lost[v as usize] |= self.lost[*u as usize];
                }
                self.known[*u as usize] = Some(b);
                true
            }
            (_, Type::Unknown(_)) => self.unify(&b, &a),
            (Type::Tuple(x), Type::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| self.unify(x, y))
            }
            (Type::Option(x), Type::Option(y))
            | (Type::List(x), Type::List(y))
            | (Type::Set(x), Type::Set(y)) => self.unify(x, y),
            (Type::Map(k, v), Type::Map(l, w)) => self.unify(k, l) && self.unify(v, w),
            _ => a == b,
        }
    }

    /// Return whether a value of type `from` may be used where `to` is needed: a `T` fits `T?`, and everything fits `Value`. Type
    /// variables are bound on the way.
    pub fn fits(&mut self, from: &Type, to: &Type) -> bool {
        let (from, to) = (self.head(from), self.head(to));
        match (&from, &to) {
            (_, Type::Value) => true,
            (Type::Option(x), Type::Option(y)) => self.fits(x, y),
            (Type::Unknown(_), _) => self.unify(&from, &to),
            (_, Type::Option(inner)) => self.fits(&from, inner),
            (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
                x.iter().zip(y.iter()).all(|(x, y)| self.fits(x, y))
            }
            (Type::List(x), Type::List(y)) | (Type::Set(x), Type::Set(y)) => self.fits(x, y),
            (Type::Map(k, v), Type::Map(l, w)) => self.fits(k, l) && self.fits(v, w),
            _ => self.unify(&from, &to),
        }
    }

    /// Return the join of two types, the least type that both fit: a component that is optional in either is optional in the
    /// join. The join is commutative.
    pub fn join(&mut self, a: &Type, b: &Type) -> Option<Type> {
        if self.fits(b, a) {
            return Some(a.clone());
        }
        if self.fits(a, b) {
            return Some(b.clone());
        }
        Some(match (self.head(a), self.head(b)) {
            (Type::Option(x), Type::Option(y)) => Type::Option(Arc::new(self.join(&x, &y)?)),
            (Type::Option(x), y) | (y, Type::Option(x)) => Type::Option(Arc::new(self.join(&x, &y)?)),
            (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
                Type::Tuple(x.iter().zip(y.iter()).map(|(x, y)| self.join(x, y)).collect::<Option<_>>()?)
            }
            (Type::List(x), Type::List(y)) => Type::List(Arc::new(self.join(&x, &y)?)),
            (Type::Set(x), Type::Set(y)) => Type::Set(Arc::new(self.join(&x, &y)?)),
            (Type::Map(k, v), Type::Map(l, w)) => {
                Type::Map(Arc::new(self.join(&k, &l)?), Arc::new(self.join(&v, &w)?))
            }
            _ => return None,
        })
    }

    /// Return the type in the notation of the language, `?` for what is not known.
    pub fn name(&self, ty: &Type, enums: &[EnumType], records: &[RecordType]) -> String {
        type_name(&self.full(ty), enums, records)
    }
}

/// Return the type in the notation of the language.
pub fn type_name(ty: &Type, enums: &[EnumType], records: &[RecordType]) -> String {
    let name = |t: &Type| type_name(t, enums, records);
    match ty {
        Type::Int => "Int".into(),
        Type::Bool => "Bool".into(),
        Type::Id => "Id".into(),
        Type::Port => "Port".into(),
        Type::Process => "Process".into(),
        Type::Event => "Event".into(),
        Type::Value => "Value".into(),
        Type::Unknown(_) => "an unknown type".into(),
        Type::Enum(e) => enums[*e as usize].name.clone(),
        Type::Record(r) => records[*r as usize].name.clone(),
        Type::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(name).collect();
            format!("({})", parts.join(", "))
        }
        Type::Option(t) => format!("{}?", name(t)),
        Type::List(t) => format!("list of {}", name(t)),
        Type::Set(t) => format!("set of {}", name(t)),
        Type::Map(k, v) => format!("map of {} to {}", name(k), name(v)),
    }
}
