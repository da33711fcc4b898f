//! Sets, lists, maps and options; and bounded values, which keep the number of configurations finite.

use super::{Generator, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

impl Generator {
    pub fn set(&mut self, of: &Ty, depth: usize) -> Option<Tree> {
        use Switch::*;
        let ty = Ty::set(of.clone());
        let d = depth - 1;
        let all: &[Switch] = match of {
            Ty::Int => &[SetFilter, SetOf, Union, Minus, Intersection, Except, Range, Range, Keys],
            Ty::Process => &[SetFilter, SetFilter, Union, Minus, Intersection],
            _ => &[SetFilter, Union, Minus, Intersection, Except, Keys],
        };
        self.one_of(all, |g, s| g.set_by(s, of, &ty, d))
    }

    fn set_by(&mut self, switch: Switch, of: &Ty, ty: &Ty, d: usize) -> Option<Tree> {
        use Switch::*;
        let ty = ty.clone();
        let two = |g: &mut Generator, form: &str| {
            let parts = vec![g.expr(&ty, d), g.expr(&ty, d)];
            Some(Tree::expr(ty.clone(), form, parts))
        };
        match switch {
            SetFilter => {
                let x = self.new_name("x");
                let set = self.set_of(of, d);
                let guard = self.with_local(&x, of.clone(), |g| g.bool(d));
                Some(Tree::expr(ty, format!("{{ {x} in # | # }}"), vec![set, guard]))
            }
            SetOf if self.place != Where::Constant && self.use_it(BinderPattern, 20) => {
                let (x, y) = (self.new_name("x"), self.new_name("x"));
                let set = self.set_of(&Ty::Pair, d);
                let value = self.with_local(&x, Ty::Int, |g| g.with_local(&y, Ty::Bool, |g| g.expr(of, d)));
                Some(Tree::expr(ty, format!("{{ # for ({x}, {y}) in # }}"), vec![value, set]))
            }
            SetOf => {
                let from = self.element();
                let x = self.new_name("x");
                let set = self.set_of(&from, d);
                let value = self.with_local(&x, from, |g| g.expr(of, d));
                Some(Tree::expr(ty, format!("{{ # for {x} in # }}"), vec![value, set]))
            }
            Union => two(self, "(# + #)"),
            Minus => two(self, "(# - #)"),
            Intersection => two(self, "(# inter #)"),
            Except => {
                let parts = vec![self.expr(&ty, d), self.expr(of, d)];
                Some(Tree::expr(ty, "(# - {#})", parts))
            }
            Range if self.use_it(FarRange, 12) => {
                let (first, last) = self.far_ends();
                Some(Tree::expr(ty, format!("({first}..{last})"), vec![]))
            }
            Range => {
                let last =
                    if self.dice.chance(80) { self.dice.below(4).to_string() } else { "(# mod 4)".into() };
                let mut parts = vec![self.int(0)];
                if last != "3" && last.contains('#') {
                    parts.push(self.int(0));
                }
                // Begin the range with a small number: a range that is too long aborts the command.
                Some(Tree::expr(ty, format!("((# mod 3)..{last})"), parts))
            }
            Keys => {
                let map =
                    self.vars.iter().find(|v| matches!(&v.ty, Ty::Map(key, _) if **key == *of))?.name.clone();
                match (self.place, self.processes.last()) {
                    (Where::Command | Where::Guard, _) => {
                        Some(Tree::expr(ty, format!("keys({map})"), vec![]))
                    }
                    (Where::Property, Some(p)) if *of == Ty::Int => {
                        Some(Tree::expr(ty, format!("keys({p}.{map})"), vec![]))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn list(&mut self, of: &Ty, depth: usize) -> Option<Tree> {
        use Switch::*;
        let ty = Ty::list(of.clone());
        let d = depth - 1;
        self.one_of(&[Concatenate, ListOf, Sort, HeadLast, Values], |g, s| g.list_by(s, of, &ty, d))
    }

    fn list_by(&mut self, switch: Switch, of: &Ty, ty: &Ty, d: usize) -> Option<Tree> {
        use Switch::*;
        let ty = ty.clone();
        match switch {
            Concatenate => {
                Some(Tree::expr(ty.clone(), "(# + #)", vec![self.expr(&ty, d), self.expr(&ty, d)]))
            }
            ListOf => {
                let from = if self.alike { Ty::Int } else { self.element() };
                let x = self.new_name("x");
                let set = self.set_of(&from, d);
                let value = self.with_local(&x, from, |g| g.expr(of, d));
                Some(Tree::expr(ty, format!("[ # for {x} in # ]"), vec![value, set]))
            }
            Sort if *of == Ty::Int => {
                let form = ["sort(#)", "list(#)"][self.dice.below(2)];
                let parts = vec![self.set_of(of, d)];
                Some(Tree::expr(ty, form, parts))
            }
            HeadLast => {
                let form = if self.fails || *of != Ty::Int { "tail(#)" } else { "tail([0] + #)" };
                Some(Tree::expr(ty.clone(), form, vec![self.expr(&ty, d)]))
            }
            Values
                if !self.alike && *of == Ty::Int && matches!(self.place, Where::Command | Where::Guard) =>
            {
                let map =
                    self.vars.iter().find(|v| matches!(&v.ty, Ty::Map(_, value) if **value == Ty::Int))?;
                Some(Tree::expr(ty, format!("values({})", map.name), vec![]))
            }
            _ => None,
        }
    }

    pub fn map(&mut self, key: &Ty, value: &Ty, depth: usize) -> Option<Tree> {
        use Switch::*;
        let ty = Ty::map(key.clone(), value.clone());
        let d = depth - 1;
        match self.take(&[MapOf, MapPlus])? {
            MapOf => {
                let x = self.new_name("x");
                let set = self.set_of(key, d);
                let value = self.with_local(&x, key.clone(), |g| g.expr(value, d));
                Some(Tree::expr(ty, format!("{{ {x}: # for {x} in # }}"), vec![value, set]))
            }
            MapPlus => Some(Tree::expr(ty.clone(), "(# + #)", vec![self.expr(&ty, d), self.expr(&ty, d)])),
            _ => None,
        }
    }

    /// Return the least or greatest element, or none.
    pub fn optional(&mut self, of: &Ty, depth: usize) -> Option<Tree> {
        use Switch::*;
        if self.alike && *of == Ty::Port {
            return None;
        }
        let word = match self.take(&[Least, Greatest])? {
            Least => "least",
            _ => "greatest",
        };
        let x = self.new_name("x");
        let set = self.set_of(of, depth - 1);
        let by = self.use_it(LeastBy, 50);
        let with = self.use_it(WithGuard, 30);
        let (guard, key) = self
            .with_local(&x, of.clone(), |g| (with.then(|| g.bool(depth - 1)), by.then(|| g.int(depth - 1))));
        let mut parts = vec![set];
        let mut form = format!("({word} {x} in #");
        if let Some(guard) = guard {
            form.push_str(" with #");
            parts.push(guard);
        }
        if let Some(key) = key {
            form.push_str(" by #");
            parts.push(key);
        }
        form.push(')');
        Some(Tree::expr(Ty::optional(of.clone()), form, parts))
    }

    /// Return a value for storage, mostly from a small set, seldom an arbitrary one.
    pub fn bounded(&mut self, ty: &Ty, depth: usize) -> Tree {
        let tree = |form: &str, parts| Tree::expr(ty.clone(), form, parts);
        match ty {
            Ty::Int => {
                let value = self.int(depth);
                match self.dice.below(20) {
                    0..=12 => tree("(# mod 3)", vec![value]),
                    13..=17 => tree("max(-1, min(#, 2))", vec![value]),
                    18 if self.repeated => tree("(# mod 2)", vec![value]),
                    _ => value,
                }
            }
            Ty::Pair => tree("(#, #)", vec![self.bounded(&Ty::Int, depth - 1), self.bool(depth - 1)]),
            Ty::Entry => tree("Entry(#, #)", vec![self.bounded(&Ty::Int, depth - 1), self.bool(depth - 1)]),
            Ty::Set(of) if **of == Ty::Int => {
                let x = self.new_name("x");
                let set = self.expr(ty, depth);
                tree(&format!("{{ {x} in # | {x} in -1..2 }}"), vec![set])
            }
            Ty::List(of) if **of == Ty::Int => {
                let x = self.new_name("x");
                let list = self.expr(ty, depth);
                tree(&format!("[ {x} mod 3 for {x} in short(#) ]"), vec![list])
            }
            Ty::List(_) => tree("short(#)", vec![self.expr(ty, depth)]),
            Ty::Optional(of) if **of == Ty::Int => {
                if self.dice.chance(30) {
                    tree("none", vec![])
                } else {
                    tree("#", vec![self.bounded(of, depth)])
                }
            }
            Ty::Map(key, value) if **value == Ty::Int => {
                let x = self.new_name("x");
                let set = self.set_of(key, 1);
                let inner = self.with_local(&x, (**key).clone(), |g| g.bounded(value, depth));
                let key_form = if **key == Ty::Int { format!("{x} mod 3") } else { x.clone() };
                tree(&format!("{{ {key_form}: # for {x} in # }}"), vec![inner, set])
            }
            Ty::Map(..) => tree("{:}", vec![]),
            _ => self.expr(ty, depth),
        }
    }
}
