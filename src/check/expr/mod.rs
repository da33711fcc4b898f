//! Expressions: resolve names and infer types.

mod binders;
mod calls;
mod displays;
mod operators;
mod parts;
mod reference;
mod remote;
mod chance;
mod unknown;

pub(in crate::check) use operators::only_element;

use super::{Checker, prose};
use crate::check::context::LocalId;
use crate::check::types::written::of;
use crate::diagnostic::{Behaviour, Diagnostic, Finding, Hint, Label, Naming, Noun, Typing};
use crate::ir::{
    self, Builtin, CollectionOp, Compare, ExprKind as K, Fact, PortFact, Quantifier, Type, Value,
};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};

/// Maximum number of nodes of an expression after functions are unfolded.
const MAX_NODES: usize = 200_000;

/// Maximum nesting depth of expressions once functions and constants are unfolded. A text alone nests 100 levels
/// (`syntax::nesting`), and every function called can add as many. `check` and evaluation recurse over expressions: this many
/// levels fit a thread of 2 MB.
const MAX_UNFOLDED_DEPTH: usize = 250;

impl Checker<'_> {
    pub fn poison(&mut self, span: Span) -> ir::Expr {
        let ty = self.infer.error_type();
        self.make(K::Word(0), ty, span)
    }

    pub fn make(&self, kind: K, ty: Type, span: Span) -> ir::Expr {
        ir::Expr { kind, ty, span }
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.findings.push(diagnostic);
    }

    /// Elaborate an expression in an erroneous context: report its own errors, and mark its names as read.
    pub fn elaborate_for_errors(&mut self, e: &ast::Expr) {
        let e = self.expr(e, None);
        if let Type::Unknown(_) = self.infer.head(&e.ty) {
            let lost = self.infer.error_type();
            self.infer.unify(&e.ty, &lost);
        }
    }

    /// Elaborate a part that sees the names of a component and these locals, not those of its surroundings.
    pub fn apart<T>(
        &mut self,
        comp: usize,
        locals: Vec<(String, LocalId)>,
        part: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let scopes = std::mem::replace(&mut self.cx.scopes, vec![locals]);
        let found = self.in_component(comp, part);
        self.cx.scopes = scopes;
        found
    }

    /// Elaborate a part that sees the names of another component.
    pub fn in_component<T>(&mut self, comp: usize, part: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.cx.comp, comp);
        let found = part(self);
        self.cx.comp = outer;
        found
    }

    /// Elaborate a part whose names go out of scope at its end.
    fn in_scope<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.cx.scopes.push(Vec::new());
        let found = part(self);
        self.cx.scopes.pop();
        found
    }

    pub fn type_words(&self, ty: &Type) -> String {
        self.infer.name(ty, &self.enums, &self.records)
    }

    /// Elaborate an expression that must have the type `want`; `purpose` names its use in messages.
    pub fn expr_as(&mut self, e: &ast::Expr, want: &Type, purpose: &str) -> ir::Expr {
        let found = self.expr(e, Some(want));
        self.coerce_written(Some(e), found, want, purpose)
    }

    pub fn coerce(&mut self, found: ir::Expr, want: &Type, purpose: &str) -> ir::Expr {
        self.coerce_written(None, found, want, purpose)
    }

    /// The same for an elaborated expression with its written form.
    pub(in crate::check) fn coerce_written(
        &mut self,
        written: Option<&ast::Expr>,
        found: ir::Expr,
        want: &Type,
        purpose: &str,
    ) -> ir::Expr {
        if self.infer.fits(&found.ty, want) {
            return found;
        }
        if let Type::Option(inner) = self.infer.head(&found.ty)
            && self.infer.fits(&inner, want)
        {
            let span = found.span;
            return self.make(K::Unwrap(Box::new(found)), want.clone(), span);
        }
        if self.infer.join(&found.ty, want).is_some()
            && let Some(found) = self.with_values(&found, want)
        {
            return found;
        }
        // Scenarios and properties may write identifiers as numbers.
        if self.cx.is_global() {
            let (a, b) = (self.infer.head(&found.ty), self.infer.head(want));
            let idlike = |t: &Type| matches!(t, Type::Id) || matches!(t, Type::Option(x) if **x == Type::Id);
            if matches!(a, Type::Int) && idlike(&b) {
                let span = found.span;
                return self.make(found.kind, Type::Id, span);
            }
        }
        if self.infer.is_error_type(&found.ty) || self.infer.is_error_type(want) {
            return found;
        }
        let (have, wanted) = (self.type_words(&found.ty), self.type_words(want));
        let plain = wanted.trim_end_matches('?');
        let d = Typing::Mismatch(purpose.into(), wanted.clone(), have.clone()).at(found.span);
        let d = if let K::Message(kind, _) = &found.kind {
            d.hint(Hint::IsMessage(self.kinds[*kind as usize].name.clone()))
        } else if plain == "Id" && have == "Int" {
            d.hint(Hint::NumberIsNoId)
        } else if plain == "Id" && have == "Port" {
            d.hint(Hint::SendersByPort)
        } else if have == "Id" && wanted == "Int" {
            d.hint(Hint::CalculateWithIds)
        } else if wanted == "Int"
            && matches!(self.infer.head(&found.ty), Type::Set(_) | Type::List(_) | Type::Map(..))
        {
            let text = self.sources.slice(found.span);
            let text = if text.len() > 40 || text.contains('\n') { "…" } else { text };
            d.hint(Hint::SizeOf(text.into()))
        } else if have == format!("set of {plain}") {
            d.hint(Hint::TakeOne)
        } else if plain == "Port"
            && let Some(written) = written
        {
            self.explain_hidden_port(written, d)
        } else {
            d
        };
        self.error(d);
        found
    }

    pub fn expr(&mut self, e: &ast::Expr, want: Option<&Type>) -> ir::Expr {
        let found = self.elaborate(e, want);
        self.note_type(e.span, &found.ty);
        found
    }

    fn elaborate(&mut self, e: &ast::Expr, want: Option<&Type>) -> ir::Expr {
        self.nodes += 1;
        if self.nodes == MAX_NODES {
            self.error(Typing::GrowsTooLarge.at(e.span));
        }
        if self.nodes >= MAX_NODES {
            return self.poison(e.span);
        }
        if self.depth >= MAX_UNFOLDED_DEPTH {
            if !self.is_too_deep {
                self.error(Typing::UnfoldedTooDeep(MAX_UNFOLDED_DEPTH).at(e.span));
            }
            self.is_too_deep = true;
            return self.poison(e.span);
        }
        self.depth += 1;
        let found = self.elaborate_parts(e, want);
        self.depth -= 1;
        found
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each form")]
    fn elaborate_parts(&mut self, e: &ast::Expr, want: Option<&Type>) -> ir::Expr {
        let want = want.map(|t| self.infer.head(t));
        let inner_want = match &want {
            Some(Type::Option(t)) => Some((**t).clone()),
            other => other.clone(),
        };
        let span = e.span;
        match &e.kind {
            ExprKind::Int(i) => {
                if self.cx.is_global() && matches!(inner_want, Some(Type::Id)) {
                    return self.make(K::Word(*i), Type::Id, span);
                }
                self.make(K::Word(*i), Type::Int, span)
            }
            ExprKind::Bool(b) => self.make(K::Word(*b as i64), Type::Bool, span),
            ExprKind::Text(t) => self.make(K::Const(Value::Text(t.as_str().into())), Type::Value, span),
            ExprKind::None => {
                let inner = match &want {
                    Some(Type::Option(t)) => t.clone(),
                    _ => of(self.infer.fresh()),
                };
                self.make(K::Const(Value::None), Type::Option(inner), span)
            }
            ExprKind::Any => {
                if let Some(Type::Enum(e)) = want
                    && let Some(case) = self.enums[e as usize].cases.iter().position(|c| c == "any")
                {
                    return self.make(K::Word(case as i64), Type::Enum(e), span);
                }
                self.not_here(span, Behaviour::AnyIsInitial)
            }
            ExprKind::Name(name) => self.name(name, want.as_ref()),
            ExprKind::Unary(UnaryOp::Not, x) => {
                let x = self.expr_as(x, &Type::Bool, "the operand of `not`");
                self.make(K::Not(Box::new(x)), Type::Bool, span)
            }
            ExprKind::Unary(UnaryOp::Negate, x) => {
                if let ExprKind::Int(i) = &x.kind {
                    let ty = if self.cx.is_global() && matches!(inner_want, Some(Type::Id)) {
                        Type::Id
                    } else {
                        Type::Int
                    };
                    return self.make(K::Word(i.wrapping_neg()), ty, span);
                }
                let x = self.expr_as(x, &Type::Int, "the operand of `-`");
                self.make(K::Negate(Box::new(x)), Type::Int, span)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span, want.as_ref()),
            ExprKind::If(c, a, b) => {
                let c = self.expr_as(c, &Type::Bool, "the condition after `if`");
                let a = self.expr(a, want.as_ref());
                let b = self.expr(b, Some(&a.ty));
                let ty = self.infer.join(&a.ty, &b.ty).unwrap_or_else(|| {
                    self.report_different_types(&a, &b, Typing::DifferentResults);
                    a.ty.clone()
                });
                self.make(K::If(Box::new(c), Box::new(a), Box::new(b)), ty, span)
            }
            ExprKind::Tuple(parts) => {
                let wants: &[Type] = match &inner_want {
                    Some(Type::Tuple(wants)) if wants.len() == parts.len() => wants,
                    _ => &[],
                };
                let mut types = Vec::new();
                let mut made = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    let mut ty = None;
                    made.push(self.part(part, wants.get(i), &mut ty, "this component of the tuple"));
                    types.extend(ty);
                }
                self.make(K::Tuple(made), Type::Tuple(types.into()), span)
            }
            ExprKind::List(items) => {
                let element = match &inner_want {
                    Some(Type::List(t)) => Some((**t).clone()),
                    _ => None,
                };
                let (items, element) = self.list_of(items, element.as_ref(), "this element of the list");
                self.make(K::List(items), Type::List(of(element)), span)
            }
            ExprKind::Set(items) => {
                if let (true, Some(t @ Type::Map(_, _))) = (items.is_empty(), &inner_want) {
                    return self.make(K::Map(Vec::new()), t.clone(), span);
                }
                let element = match &inner_want {
                    Some(Type::Set(t)) => Some((**t).clone()),
                    _ => None,
                };
                let (items, element) = self.list_of(items, element.as_ref(), "this element of the set");
                self.make(K::Set(items), Type::Set(of(element)), span)
            }
            ExprKind::Map(pairs) => {
                let (k, v) = match &inner_want {
                    Some(Type::Map(k, v)) => (Some(&**k), Some(&**v)),
                    _ => (None, None),
                };
                let (mut keys, mut values) = (None, None);
                let pairs = pairs
                    .iter()
                    .map(|(a, b)| {
                        let key = self.part(a, k, &mut keys, "this key");
                        (key, self.part(b, v, &mut values, "this value"))
                    })
                    .collect();
                let mut known = |joined: Option<Type>, want: Option<&Type>| {
                    of(joined.or(want.cloned()).unwrap_or_else(|| self.infer.fresh()))
                };
                let ty = Type::Map(known(keys, k), known(values, v));
                self.make(K::Map(pairs), ty, span)
            }
            ExprKind::Index(base, index) => {
                let base = self.expr(base, None);
                let base = self.unwrap_option(base);
                match self.infer.head(&base.ty) {
                    Type::Map(k, v) => {
                        let index = self.expr_as(index, &k, "the key");
                        self.make(K::Index(Box::new(base), Box::new(index)), (*v).clone(), span)
                    }
                    Type::List(t) => {
                        let index = self.expr_as(index, &Type::Int, "the index of a list");
                        self.make(K::Index(Box::new(base), Box::new(index)), (*t).clone(), span)
                    }
                    other if self.infer.is_error_type(&other) => {
                        self.elaborate_for_errors(index);
                        self.poison(span)
                    }
                    other => {
                        let have = self.type_words(&other);
                        self.error(Typing::NotIndexed(have).at(base.span).hint(index_hint(&other)));
                        self.poison(span)
                    }
                }
            }
            ExprKind::Field(base, field) => self.field(base, field, span),
            ExprKind::Call { layer, name, args } => {
                if let Some(layer) = layer {
                    // `l.pop()`, as in other languages.
                    if self.layer_by_alias(&layer.text).is_none()
                        && self.variable(&layer.text).is_some()
                        && let Some(hint) = prose::foreign_equivalent(&name.text)
                    {
                        self.error(
                            Naming::Unknown(Noun::Layer, layer.text.clone())
                                .at(layer.span)
                                .hint(Hint::Word(hint)),
                        );
                        return self.poison(span);
                    }
                    self.error(
                        Behaviour::OperationIsNoValue(layer.text.clone(), name.text.clone()).at(layer.span),
                    );
                    return self.poison(span);
                }
                self.call(name, args, span, want.as_ref())
            }
            ExprKind::Filter { list, pattern, set, condition } => {
                let (binder, condition) = self.in_scope(|this| {
                    let binder = this.binder(pattern, Some(set), span);
                    (binder, this.expr_as(condition, &Type::Bool, "the condition of a filter"))
                });
                let element = self.infer.element(&binder.set.ty).unwrap_or_else(|| self.infer.fresh());
                let ty = if *list { Type::List(of(element)) } else { Type::Set(of(element)) };
                self.make(
                    K::Comprehension {
                        list: *list,
                        binders: vec![binder],
                        condition: Some(Box::new(condition)),
                        element: None,
                    },
                    ty,
                    span,
                )
            }
            ExprKind::MapOf(pairs) => {
                let (k, v) = match &inner_want {
                    Some(Type::Map(k, v)) => (Some(&**k), Some(&**v)),
                    _ => (None, None),
                };
                self.map_of(pairs, k, v, span)
            }
            ExprKind::Comprehension { list, element, binders, condition } => {
                let element_want = match &inner_want {
                    Some(Type::Set(t)) | Some(Type::List(t)) => Some((**t).clone()),
                    _ => None,
                };
                let (binders, condition, element) = self.in_scope(|this| {
                    let binders = this.binders(binders, span);
                    let condition = this.only_if(condition, "the condition of a comprehension");
                    (binders, condition, this.expr(element, element_want.as_ref()))
                });
                let of_what = match element_want {
                    Some(w) if self.infer.fits(&element.ty, &w) => w,
                    _ => element.ty.clone(),
                };
                let ty = if *list { Type::List(of(of_what)) } else { Type::Set(of(of_what)) };
                self.make(
                    K::Comprehension { list: *list, binders, condition, element: Some(Box::new(element)) },
                    ty,
                    span,
                )
            }
            ExprKind::Quantified { quantifier, binders, with, body } => {
                let (body_type, ty, purpose) = match quantifier {
                    Quantifier::Forall | Quantifier::Some => {
                        (Type::Bool, Type::Bool, "the body of a quantifier")
                    }
                    Quantifier::Count => (Type::Bool, Type::Int, "the body of `count`"),
                    Quantifier::Sum => (Type::Int, Type::Int, "the body of `sum`"),
                };
                let (binders, with, body) = self.in_scope(|this| {
                    let binders = this.binders(binders, span);
                    let with = this.only_if(with, "the condition after `with`");
                    (binders, with, this.expr_as(body, &body_type, purpose))
                });
                self.make(
                    K::Quantified { quantifier: *quantifier, binders, with, body: Box::new(body) },
                    ty,
                    span,
                )
            }
            ExprKind::Best { greatest, pattern, set, with, by } => {
                let (binder, with, by) = self.in_scope(|this| {
                    let binder = this.binder(pattern, Some(set), span);
                    let with = this.only_if(with, "the condition after `with`");
                    (binder, with, by.as_ref().map(|by| Box::new(this.expr(by, None))))
                });
                let element = of(self.infer.element(&binder.set.ty).unwrap_or_else(|| self.infer.fresh()));
                self.make(
                    K::Best { greatest: *greatest, binder: Box::new(binder), with, by },
                    Type::Option(element),
                    span,
                )
            }
            ExprKind::Arrived { pattern, from, when } => {
                // Its names are in scope only in its own condition.
                self.in_scope(|this| {
                    this.received_message_expr(pattern, from.as_deref(), when.as_deref(), span)
                })
            }
            ExprKind::Metric { metric, of, per } => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::MeasureInProcess);
                }
                let of = (!of.is_empty()).then(|| self.kinds_named(of));
                let per = per.as_ref().and_then(|n| self.operation_named(n));
                self.make(K::Metric { metric: *metric, of, per }, Type::Int, span)
            }
            ExprKind::History { what, of: name } => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::HistoryInProcess);
                }
                let index = match what {
                    ir::HistoryKind::Upcalls => match self.upcalls.iter().position(|u| *u == name.text) {
                        Some(i) => Some(i as u16),
                        None if self.problem_not_found() => None,
                        None => {
                            self.error(Naming::NotInProblem(Noun::Upcall, name.text.clone()).at(name.span));
                            None
                        }
                    },
                    _ => self.operation_named(name),
                };
                self.make(K::History(*what, index.unwrap_or(0)), Type::List(of(Type::Event)), span)
            }
        }
    }

    /// Elaborate a condition that may be omitted.
    fn only_if(&mut self, condition: &Option<Box<ast::Expr>>, purpose: &str) -> Option<Box<ir::Expr>> {
        condition.as_ref().map(|condition| Box::new(self.expr_as(condition, &Type::Bool, purpose)))
    }

    /// Report an expression that its context does not allow.
    pub fn not_here(&mut self, span: Span, finding: impl Into<Finding>) -> ir::Expr {
        self.error(Diagnostic::new(span, finding));
        self.poison(span)
    }

    pub(in crate::check) fn unwrap_option(&mut self, e: ir::Expr) -> ir::Expr {
        match self.infer.head(&e.ty) {
            Type::Option(inner) => {
                let span = e.span;
                self.make(K::Unwrap(Box::new(e)), (*inner).clone(), span)
            }
            _ => e,
        }
    }

    pub(in crate::check) fn report_different_types(
        &mut self,
        a: &ir::Expr,
        b: &ir::Expr,
        finding: fn(String) -> Typing,
    ) {
        if self.infer.is_error_type(&a.ty) || self.infer.is_error_type(&b.ty) {
            return;
        }
        let (x, y) = (self.type_words(&a.ty), self.type_words(&b.ty));
        self.error(finding(y).at(b.span).related(a.span, Label::Type(x)));
    }
}

/// Explain why a type has no element by index, and what to use instead.
pub(in crate::check) fn index_hint(ty: &Type) -> Hint {
    match ty {
        Type::Set(_) => Hint::SetHasNoOrder,
        Type::Tuple(_) => Hint::TupleComponents,
        _ => Hint::AnnotateMap,
    }
}

fn pattern_text(pattern: &ast::Pattern) -> String {
    let all = |parts: &[ast::Pattern]| parts.iter().map(pattern_text).collect::<Vec<_>>().join(", ");
    match pattern {
        ast::Pattern::Name(n) => n.text.clone(),
        ast::Pattern::Wildcard(_) | ast::Pattern::Place(_) | ast::Pattern::Literal(_) => "_".into(),
        ast::Pattern::Message(n, parts, _) => format!("{}({})", n.text, all(parts)),
        ast::Pattern::Tuple(parts, _) => format!("({})", all(parts)),
    }
}
