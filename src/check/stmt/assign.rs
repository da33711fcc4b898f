//! Assignments and their targets.

use super::super::Checker;
use super::*;
use crate::check::context::*;
use crate::check::expr::index_hint;
use crate::check::vocabulary::PREDEFINED;
use crate::diagnostic::{Hint, Label, Naming, Noun, Typing};
use crate::ir::{CollectionOp, Ranges};

impl Checker<'_> {
    pub(in crate::check) fn assign(&mut self, targets: &[ast::Expr], values: &[ast::Expr]) {
        if let ([target], [value]) = (targets, values)
            && !matches!(target.kind, ast::ExprKind::Tuple(_))
        {
            self.assign_one(target, value);
            return;
        }
        let places: Vec<&ast::Expr> = targets.iter().flat_map(ast::Expr::places).collect();
        for (i, target) in places.iter().enumerate() {
            let text = |e: &ast::Expr| self.sources.slice(e.span).to_string();
            if let Some(first) = places[..i].iter().find(|t| text(t) == text(target)) {
                self.error(
                    Naming::AssignedTwice(text(target))
                        .at(target.span)
                        .related(first.span, Label::FirstAssigned),
                );
            }
        }
        // Evaluate all right sides first, then assign.
        let mut temps = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let want = self.target_type(target);
            let value = match &want {
                Some(t) => self.expr_as(value, t, "the value assigned"),
                None => self.expr(value, None),
            };
            let ty = want.unwrap_or_else(|| value.ty.clone());
            let temp = self.cx.new_local("", ty.clone(), value.span, Class::Temp);
            let vspan = value.span;
            self.emit(Op::Set(slot(temp), value));
            temps.push(self.make(K::Slot(slot(temp)), ty, vspan));
        }
        for (target, temp) in targets.iter().zip(temps) {
            self.assign_value(target, temp);
        }
    }

    /// Return the type of an existing target.
    pub(in crate::check) fn target_type(&mut self, target: &ast::Expr) -> Option<Type> {
        match &target.kind {
            ast::ExprKind::Name(name) => {
                let local = self.assignable(&name.text)?;
                Some(self.cx.locals[local as usize].ty.clone())
            }
            _ => {
                let saved = self.findings.len();
                let place = self.place(target);
                self.findings.truncate(saved);
                place.map(|(_, t, _)| t)
            }
        }
    }

    pub(in crate::check) fn assign_one(&mut self, target: &ast::Expr, value: &ast::Expr) {
        if let ast::ExprKind::Name(name) = &target.kind
            && self.assignable(&name.text).is_none()
        {
            if !self.may_be_local(name) {
                return;
            }
            let value = self.expr(value, None);
            let ty = value.ty.clone();
            let local = self.cx.bind(&name.text, ty, name.span);
            self.emit(Op::Set(slot(local), value));
            return;
        }
        let want = self.target_type(target);
        let value = match &want {
            Some(t) => self.expr_as(value, t, "the value assigned"),
            None => self.expr(value, None),
        };
        self.assign_value(target, value);
    }

    /// Return whether this undeclared name may become a local. Report the reason if not.
    pub(in crate::check) fn may_be_local(&mut self, name: &ast::Name) -> bool {
        let what = if PREDEFINED.contains(&name.text.as_str()) {
            "is predefined and cannot be assigned"
        } else {
            match self.lookup(&name.text) {
                Some((Def::Const(_), _)) => "is a constant",
                Some((Def::Param(_), _)) => "is a parameter of the instance, which is constant during a run",
                Some((Def::Message(_), _)) => "is a message",
                Some((Def::Role(_), _)) => "is a role",
                Some((Def::Function(_), _)) => "is a function",
                Some((Def::Output(_), _)) => "is defined by the problem",
                _ if self.cx.comps[self.cx.comp].states.contains_key(&name.text) => {
                    "is a state: write `become`"
                }
                _ => return true,
            }
        };
        self.error(Typing::NotAssignable(name.text.clone(), what).at(name.span));
        false
    }

    /// `(a, b) := e`: assign each component; `_` ignores one.
    fn assign_components(&mut self, parts: &[ast::Expr], value: &ir::Expr, span: Span) {
        let types: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
        if !self.infer.unify(&Type::Tuple(types.clone().into()), &value.ty) {
            self.report_tuple_pattern(parts.len(), &value.ty, span);
            return;
        }
        for (i, (part, ty)) in parts.iter().zip(types).enumerate() {
            if matches!(&part.kind, ast::ExprKind::Name(name) if name.text == "_") {
                continue;
            }
            let component = self.make(K::Part(Box::new(value.clone()), i), ty, value.span);
            let component = match self.target_type(part) {
                Some(want) => self.coerce(component, &want, "the component assigned"),
                None => component,
            };
            self.assign_value(part, component);
        }
    }

    pub(in crate::check) fn assign_value(&mut self, target: &ast::Expr, value: ir::Expr) {
        if let ast::ExprKind::Tuple(parts) = &target.kind {
            return self.assign_components(parts, &value, target.span);
        }
        if let ast::ExprKind::Name(name) = &target.kind {
            match self.assignable(&name.text) {
                Some(local) => {
                    let ranges = self.cx.locals[local as usize].ranges.clone();
                    let value = self.kept(value, local, &ranges, &name.text);
                    self.cx.assigned(local);
                    let l = &mut self.cx.locals[local as usize];
                    match l.range {
                        None => {
                            self.emit(Op::Set(slot(local), value));
                        }
                        range => {
                            let place =
                                Target { root: slot(local), path: Vec::new(), span: target.span, range };
                            self.emit(Op::Assign(Box::new(place), value));
                        }
                    }
                }
                None if self.may_be_local(name) => {
                    let local = self.cx.bind(&name.text, value.ty.clone(), name.span);
                    self.emit(Op::Set(slot(local), value));
                }
                None => {}
            }
            return;
        }
        if let Some((place, _, ranges)) = self.place(target) {
            let text = self.sources.slice(target.span).to_string();
            let value = self.with_range_check(value, &ranges, || format!("`{text}`"));
            self.emit(Op::Assign(Box::new(place), value));
        }
    }

    /// Return the new value of a variable with ranges. Its old value is within them, so only the new elements are checked.
    fn kept(&mut self, mut value: ir::Expr, local: LocalId, ranges: &Ranges, name: &str) -> ir::Expr {
        if let K::Collection(CollectionOp::Union, whole, added) = &mut value.kind
            && matches!(whole.kind, K::Slot(s) if s == slot(local))
        {
            **added = self.with_range_check((**added).clone(), ranges, || format!("`{name}`"));
            return value;
        }
        self.with_range_check(value, ranges, || format!("`{name}`"))
    }

    /// Elaborate an assignable place. Return it with its type and the ranges of its content.
    pub fn place(&mut self, e: &ast::Expr) -> Option<(Target, Type, Ranges)> {
        match &e.kind {
            ast::ExprKind::Field(base, field) if self.layer_before_dot(base).is_some() => {
                let alias = self.sources.slice(base.span);

                self.error(Typing::AssignedByLayer(alias.into(), field.text.clone()).at(e.span));
                None
            }
            ast::ExprKind::Name(name) => {
                let Some(local) = self.assignable(&name.text) else {
                    if self.may_be_local(name) {
                        let known = self.names_in_scope();
                        let d = Naming::Unknown(Noun::Variable, name.text.clone()).at(name.span);
                        self.error(d.foreign_or_nearest(&name.text, &known));
                    }
                    return None;
                };
                let l = &self.cx.locals[local as usize];
                Some((
                    Target { root: slot(local), path: Vec::new(), span: e.span, range: l.range },
                    l.ty.clone(),
                    l.ranges.clone(),
                ))
            }
            ast::ExprKind::Index(base, index) => {
                let (mut place, ty, ranges) = self.place(base)?;
                place.range = None;
                place.span = e.span;
                match self.infer.head(&ty) {
                    Type::Map(k, v) => {
                        let index = self.expr_as(index, &k, "the key");
                        let index = match &ranges {
                            Ranges::Map(keys, _) => {
                                self.with_range_check(index, keys, || "the keys of this map".into())
                            }
                            _ => index,
                        };
                        place.path.push(TargetStep::Index(index));
                        Some((place, (*v).clone(), ranges.by_index()))
                    }
                    Type::List(t) => {
                        let index = self.expr_as(index, &Type::Int, "the index of a list");
                        place.path.push(TargetStep::Index(index));
                        Some((place, (*t).clone(), ranges.by_index()))
                    }
                    other => {
                        let have = self.type_words(&other);
                        self.error(Typing::NotIndexed(have).at(base.span).hint(index_hint(&other)));
                        None
                    }
                }
            }
            ast::ExprKind::Field(base, field) if self.is_responder(base) => {
                let local = self.responders_variable(base, field)??;
                let l = &self.cx.locals[local as usize];
                let place = Target { root: slot(local), path: Vec::new(), span: e.span, range: l.range };
                Some((place, l.ty.clone(), l.ranges.clone()))
            }
            ast::ExprKind::Field(base, field) => {
                let (mut place, ty, ranges) = self.place(base)?;
                place.range = None;
                place.span = e.span;
                let (index, ty, ranges) = match self.infer.head(&ty) {
                    Type::Record(r) => {
                        let record = self.records[r as usize].clone();
                        let Some(i) = record.fields.iter().position(|(n, _)| *n == field.text) else {
                            let known: Vec<String> = record.fields.iter().map(|(n, _)| n.clone()).collect();
                            self.error(
                                Naming::NoFieldOfRecord(record.name, field.text.clone())
                                    .at(field.span)
                                    .hint(Hint::Are("its fields", known)),
                            );
                            return None;
                        };
                        (i, record.fields[i].1.clone(), self.ranges_written(Written::Part(r, i)))
                    }
                    Type::Tuple(parts) => {
                        let index = field.text.parse::<usize>().ok().and_then(|i| i.checked_sub(1));
                        let Some(i) = index.filter(|i| *i < parts.len()) else {
                            self.error(Naming::NoComponent(parts.len()).at(field.span));
                            return None;
                        };
                        (i, parts[i].clone(), ranges.of_part(i))
                    }
                    // The first of two names in `on interaction(u, v)`, which has been reported.
                    other if self.infer.is_error_type(&other) => return None,
                    _ => {
                        self.error(Typing::VariableOfAnother.at(e.span));
                        return None;
                    }
                };
                place.path.push(TargetStep::Part(index));
                Some((place, ty, ranges))
            }
            _ => {
                self.error(Typing::NotAVariable.at(e.span));
                None
            }
        }
    }
}
