//! Parts of displays: each part may be optional independently of the others.
//!
//! The type of a display is the join of the types of its parts. So `(1, true)` and `(o, true)` can be compared in either order,
//! and the comparison needs no value of `o`. A value is needed where the whole is used as a type without optional parts.

use super::super::Checker;
use super::*;
use crate::check::types::written::of;

impl Checker<'_> {
    /// Check a part of a display, and join its type to `joined`, the type of the parts before it. The expected type `want`
    /// determines the meaning of literals. It requires no value of an optional part: the use of the whole decides that.
    pub(super) fn part(
        &mut self,
        e: &ast::Expr,
        want: Option<&Type>,
        joined: &mut Option<Type>,
        purpose: &str,
    ) -> ir::Expr {
        let beside = want.or(joined.as_ref()).cloned();
        let found = self.expr(e, beside.as_ref());
        let found = match want {
            Some(want) if self.infer.join(want, &found.ty).is_none() => {
                self.coerce_written(Some(e), found, want, purpose)
            }
            _ => found,
        };
        let ty = match want {
            Some(want) if self.infer.fits(&found.ty, want) => want.clone(),
            _ => found.ty.clone(),
        };
        match joined.as_ref().map(|joined| self.infer.join(joined, &ty)) {
            None => *joined = Some(ty),
            Some(Some(both)) => *joined = Some(both),
            Some(None) => {
                let other = joined.clone().unwrap_or(ty);
                return self.coerce_written(Some(e), found, &other, purpose);
            }
        }
        found
    }

    pub(in crate::check) fn list_of(
        &mut self,
        items: &[ast::Expr],
        want: Option<&Type>,
        purpose: &str,
    ) -> (Vec<ir::Expr>, Type) {
        let mut joined = None;
        let items = items.iter().map(|e| self.part(e, want, &mut joined, purpose)).collect();
        let element = joined.or(want.cloned()).unwrap_or_else(|| self.infer.fresh());
        (items, element)
    }

    /// Convert an expression to the type `want`, which differs from its own only in optional parts: unwrap each of these
    /// where it is written. None if a part is not written as an expression.
    pub(super) fn with_values(&mut self, found: &ir::Expr, want: &Type) -> Option<ir::Expr> {
        if self.infer.fits(&found.ty, want) {
            return Some(found.clone());
        }
        let want = match self.infer.head(want) {
            Type::Option(inner) => self.infer.head(&inner),
            other => other,
        };
        if let Type::Option(inner) = self.infer.head(&found.ty)
            && self.infer.fits(&inner, &want)
        {
            return Some(self.make(K::Unwrap(Box::new(found.clone())), want, found.span));
        }
        let kind = match (&found.kind, &want) {
            (K::Tuple(parts), Type::Tuple(wants)) if parts.len() == wants.len() => {
                let parts = parts.iter().zip(wants.iter()).map(|(part, want)| self.with_values(part, want));
                K::Tuple(parts.collect::<Option<_>>()?)
            }
            (K::List(items), Type::List(element)) => K::List(self.all_with_values(items, element)?),
            (K::Set(items), Type::Set(element)) => K::Set(self.all_with_values(items, element)?),
            (K::Map(pairs), Type::Map(k, v)) => {
                let pairs = pairs.iter();
                let pairs = pairs.map(|(a, b)| Some((self.with_values(a, k)?, self.with_values(b, v)?)));
                K::Map(pairs.collect::<Option<_>>()?)
            }
            (
                K::Comprehension { list, binders, condition, element: Some(element) },
                Type::Set(of) | Type::List(of),
            ) => K::Comprehension {
                list: *list,
                binders: binders.clone(),
                condition: condition.clone(),
                element: Some(Box::new(self.with_values(element, of)?)),
            },
            (K::Call(Builtin::ToMap, pairs), Type::Map(k, v)) => {
                let pair = Type::Tuple([(**k).clone(), (**v).clone()].into());
                K::Call(Builtin::ToMap, self.all_with_values(pairs, &Type::List(of(pair)))?)
            }
            (K::Call(Builtin::Tail, lists), Type::List(_)) => {
                K::Call(Builtin::Tail, self.all_with_values(lists, &want)?)
            }
            (K::Call(f @ (Builtin::Max | Builtin::Min), all), _) => {
                K::Call(*f, self.all_with_values(all, &want)?)
            }
            (K::Arith(ir::Arith::Add, a, b), _) => K::Arith(
                ir::Arith::Add,
                Box::new(self.with_values(a, &want)?),
                Box::new(self.with_values(b, &want)?),
            ),
            // The result contains only elements of the left side.
            (K::Arith(ir::Arith::Subtract, a, b), _) => {
                K::Arith(ir::Arith::Subtract, Box::new(self.with_values(a, &want)?), b.clone())
            }
            (K::Collection(op, a, b), _) => {
                K::Collection(*op, Box::new(self.with_values(a, &want)?), b.clone())
            }
            (K::If(c, a, b), _) => {
                K::If(c.clone(), Box::new(self.with_values(a, &want)?), Box::new(self.with_values(b, &want)?))
            }
            (K::Let(lets, body), _) => K::Let(lets.clone(), Box::new(self.with_values(body, &want)?)),
            _ => return None,
        };
        Some(self.make(kind, want, found.span))
    }

    /// A set or list whose elements are used as values: optional ones that are written as expressions are unwrapped.
    pub(in crate::check) fn elements_with_values(&mut self, found: ir::Expr) -> ir::Expr {
        let want = match self.infer.head(&found.ty) {
            Type::Set(element) => self.without_option(&element).map(|inner| Type::Set(of(inner))),
            Type::List(element) => self.without_option(&element).map(|inner| Type::List(of(inner))),
            _ => None,
        };
        want.and_then(|want| self.with_values(&found, &want)).unwrap_or(found)
    }

    /// The type without its optional parts, at any depth.
    pub(super) fn with_all_values(&mut self, ty: &Type) -> Type {
        match self.infer.head(ty) {
            Type::Option(inner) => self.with_all_values(&inner),
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|part| self.with_all_values(part)).collect()),
            Type::List(element) => Type::List(of(self.with_all_values(&element))),
            Type::Set(element) => Type::Set(of(self.with_all_values(&element))),
            Type::Map(k, v) => Type::Map(of(self.with_all_values(&k)), of(self.with_all_values(&v))),
            other => other,
        }
    }

    fn without_option(&mut self, ty: &Type) -> Option<Type> {
        match self.infer.head(ty) {
            Type::Option(inner) => Some((*inner).clone()),
            _ => None,
        }
    }

    fn all_with_values(&mut self, all: &[ir::Expr], want: &Type) -> Option<Vec<ir::Expr>> {
        all.iter().map(|e| self.with_values(e, want)).collect()
    }
}
