//! Ranges: `0..2` in a written type is enforced wherever a value gets that type.

use crate::check::Checker;
use crate::check::context::*;
use crate::diagnostic::{Code, Typing};
use crate::ir::{self, ExprKind as K, Ranges, Type, Value};
use crate::syntax::ast::{self, TypeExprKind as T};

impl Checker<'_> {
    /// Return the ranges in a type as written.
    pub fn ranges(&mut self, t: &ast::TypeExpr) -> Ranges {
        let found = match &t.kind {
            T::Name(_) => Ranges::Any,
            T::Set(t) | T::List(t) | T::Queue(t) => Ranges::Elements(Box::new(self.ranges(t))),
            T::Map(k, v) => Ranges::Map(Box::new(self.ranges(k)), Box::new(self.ranges(v))),
            T::Option(t) => Ranges::Option(Box::new(self.ranges(t))),
            T::Tuple(parts) => Ranges::Parts(parts.iter().map(|t| self.ranges(t)).collect()),
            T::Range(..) if self.wrong_bounds.contains(&t.span) => Ranges::Any,
            T::Range(lo, hi) => {
                let before = self.findings.len();
                // The bounds see no locals, whatever the scope of the type.
                let comp = self.cx.comp;
                let handed = self.cx.is_visible_to_process() && !self.comps[comp].is_problem;
                let handed = std::mem::replace(&mut self.cx.is_external_value, handed);
                let [lo, hi] = self.apart(comp, Vec::new(), |this| this.bounds([lo, hi]));
                self.cx.is_external_value = handed;
                if let (K::Word(least), K::Word(greatest)) = (&lo.kind, &hi.kind)
                    && least > greatest
                {
                    let (least, greatest) = (*least, *greatest);
                    self.error(Typing::EmptyRange(least, greatest).at(t.span));
                }
                if self.findings.len() > before {
                    self.wrong_bounds.insert(t.span);
                }
                Ranges::Int(Box::new(lo), Box::new(hi))
            }
        };
        if found.is_any() { Ranges::Any } else { found }
    }

    /// Elaborate the bounds of a range, which all processes share.
    pub fn bounds(&mut self, bounds: [&ast::Expr; 2]) -> [ir::Expr; 2] {
        let mode = std::mem::replace(&mut self.cx.mode, Mode::Global);
        let bounds = bounds.map(|e| self.expr_as(e, &Type::Int, "the bound of a range"));
        self.cx.mode = mode;
        bounds
    }

    /// Return the ranges in the written type of a field or parameter.
    pub fn ranges_written(&mut self, of: Written) -> Ranges {
        let Some((comp, t)) = self.written_types.get(&of).cloned() else { return Ranges::Any };
        self.in_component(comp, |this| this.ranges(&t))
    }

    pub fn param_ranges(&mut self, param: usize) -> Ranges {
        self.observe(0);
        self.ranges_written(Written::Param(param))
    }

    /// Report a parameter of the instance whose value is visibly outside its range.
    pub fn check_param_range(&mut self, param: usize, value: &ir::Expr, code: Code) {
        let ranges = self.ranges_written(Written::Param(param));
        let what = format!("the parameter `{}`", self.params[param].name);
        self.with_static_range_check(value.clone(), &ranges, code, &what);
    }

    /// Assign a variable its ranges.
    pub fn set_ranges(&mut self, local: LocalId, ranges: Ranges) {
        let l = &mut self.cx.locals[local as usize];
        match ranges {
            Ranges::Int(lo, hi) => match (&lo.kind, &hi.kind) {
                (K::Word(lo), K::Word(hi)) => l.range = Some((*lo, *hi)),
                _ => l.ranges = Ranges::Int(lo, hi),
            },
            ranges => l.ranges = ranges,
        }
    }

    /// Return the ranges of a type that may be omitted.
    pub fn ranges_of(&mut self, t: Option<&ast::TypeExpr>) -> Ranges {
        t.map_or(Ranges::Any, |t| self.ranges(t))
    }

    /// Return the value with a check that it is within these ranges, which `what` requires.
    pub fn with_range_check(
        &mut self,
        e: ir::Expr,
        ranges: &Ranges,
        what: impl FnOnce() -> String,
    ) -> ir::Expr {
        if ranges.is_any() || is_within(&e, ranges) {
            return e;
        }
        let (ty, span) = (e.ty.clone(), e.span);
        let kind = K::Ranged { of: Box::new(e), ranges: Box::new(ranges.clone()), what: what() };
        self.make(kind, ty, span)
    }

    /// The same, with an immediate report if the value is known and outside the ranges.
    pub fn with_static_range_check(
        &mut self,
        e: ir::Expr,
        ranges: &Ranges,
        code: Code,
        what: &str,
    ) -> ir::Expr {
        if let (K::Word(value), Ranges::Int(least, greatest)) = (&e.kind, ranges)
            && let (K::Word(least), K::Word(greatest)) = (&least.kind, &greatest.kind)
            && !(least..=greatest).contains(&value)
        {
            self.error(Typing::OutOfRange(code, *value, *least, *greatest, what.into()).at(e.span));
            return e;
        }
        self.with_range_check(e, ranges, || what.to_string())
    }
}

/// Return whether a constant number is within constant bounds.
fn is_within(e: &ir::Expr, ranges: &Ranges) -> bool {
    let (K::Word(value), Ranges::Int(least, greatest)) = (&e.kind, ranges) else { return false };
    match (&least.kind, &greatest.kind) {
        (K::Word(least), K::Word(greatest)) => (least..=greatest).contains(&value),
        _ => false,
    }
}

/// Return the initial value of a variable: numbers outside their ranges become the least value of the range.
pub fn default_within(value: Value, ranges: &Ranges) -> Value {
    match (ranges, value) {
        (Ranges::Int(least, greatest), Value::Int(number)) => match (&least.kind, &greatest.kind) {
            (K::Word(least), K::Word(greatest)) if !(least..=greatest).contains(&&number) => {
                Value::Int(*least)
            }
            _ => Value::Int(number),
        },
        (Ranges::Parts(ranges), Value::Tuple(parts)) => {
            let parts = parts.iter().zip(ranges).map(|(part, ranges)| default_within(part.clone(), ranges));
            Value::tuple(parts.collect())
        }
        (_, value) => value,
    }
}

impl Ranges {
    /// Return the ranges of the elements of a list or the values of a map.
    pub fn by_index(self) -> Ranges {
        match self {
            Ranges::Elements(inner) | Ranges::Map(_, inner) => *inner,
            _ => Ranges::Any,
        }
    }

    /// Return the ranges of a component of a tuple.
    pub fn of_part(self, i: usize) -> Ranges {
        match self {
            Ranges::Parts(parts) => parts.into_iter().nth(i).unwrap_or(Ranges::Any),
            _ => Ranges::Any,
        }
    }
}
