//! Expressions: names resolved, types inferred.

use super::codes;
use super::context::*;
use super::{Checker, words};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Builtin, CollectionOp, Compare, ExprKind as K, Fact, PortFact, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, ExprKind, Quantifier, UnaryOp};
use std::sync::Arc;

/// Unfolded functions may not make an expression larger than this many nodes.
const MAX_NODES: usize = 200_000;

pub fn of(ty: Type) -> Arc<Type> {
    Arc::new(ty)
}

impl Checker<'_> {
    pub fn poison(&mut self, span: Span) -> ir::Expr {
        let ty = self.infer.fresh();
        self.make(K::Word(0), ty, span)
    }

    pub fn make(&self, kind: K, ty: Type, span: Span) -> ir::Expr {
        ir::Expr { kind, ty, span }
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    pub fn type_words(&self, ty: &Type) -> String {
        self.infer.name(ty, &self.enums, &self.records)
    }

    /// An expression that must serve as a `want`; `role` says for what, in words.
    pub fn expr_as(&mut self, e: &ast::Expr, want: &Type, purpose: &str) -> ir::Expr {
        let found = self.expr(e, Some(want));
        self.coerce(found, want, purpose)
    }

    pub fn coerce(&mut self, found: ir::Expr, want: &Type, purpose: &str) -> ir::Expr {
        if self.infer.fits(&found.ty, want) {
            return found;
        }
        if let Type::Option(inner) = self.infer.head(&found.ty)
            && self.infer.fits(&inner, want)
        {
            let span = found.span;
            return self.make(K::Unwrap(Box::new(found)), want.clone(), span);
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
        let (have, wanted) = (self.type_words(&found.ty), self.type_words(want));
        let mut d = Diagnostic::error(
            codes::TYPE_MISMATCH,
            found.span,
            format!("{purpose} has to be {}, but this is {}", words::a(&wanted), words::a(&have)),
        )
        .label(format!("{} here", words::a(&have)));
        if wanted == "Id" && have == "Int" {
            d = d.hint("identifiers can be compared and sent, but a number is no identifier");
        } else if have == "Id" && wanted == "Int" {
            d = d.hint("identifiers can only be compared; where they are numbers by assumption, write `int(x)` and assume `integer ids`");
        } else if have == format!("set of {wanted}") {
            d = d.hint(
                "this is a whole set: take one element, for instance `least p in S` or `choose p in S`",
            );
        }
        self.error(d);
        found
    }

    fn list_of(&mut self, items: &[ast::Expr], want: Option<&Type>, purpose: &str) -> (Vec<ir::Expr>, Type) {
        let element = match want {
            Some(t) => t.clone(),
            None => self.infer.fresh(),
        };
        let items = items.iter().map(|e| self.expr_as(e, &element, purpose)).collect();
        (items, element)
    }

    pub fn expr(&mut self, e: &ast::Expr, want: Option<&Type>) -> ir::Expr {
        self.nodes += 1;
        if self.nodes == MAX_NODES {
            self.error(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    e.span,
                    "the program grows too large when its functions are unfolded",
                )
                .hint("compute intermediate results once and keep them in variables"),
            );
        }
        if self.nodes >= MAX_NODES {
            return self.poison(e.span);
        }
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
                self.uses_model("any", span);
                self.poison(span)
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
                let ty = if self.infer.fits(&b.ty, &a.ty) {
                    a.ty.clone()
                } else if self.infer.fits(&a.ty, &b.ty) {
                    b.ty.clone()
                } else {
                    self.differ(&a, &b, "the two results of this `if` have different types");
                    a.ty.clone()
                };
                self.make(K::If(Box::new(c), Box::new(a), Box::new(b)), ty, span)
            }
            ExprKind::Tuple(parts) => {
                let wants: Vec<Option<Type>> = match &inner_want {
                    Some(Type::Tuple(w)) if w.len() == parts.len() => w.iter().cloned().map(Some).collect(),
                    _ => vec![None; parts.len()],
                };
                let parts: Vec<ir::Expr> = parts
                    .iter()
                    .zip(&wants)
                    .map(|(p, w)| match w {
                        Some(w) => self.expr_as(p, w, "this part of the tuple"),
                        None => self.expr(p, None),
                    })
                    .collect();
                let ty = match &inner_want {
                    Some(t @ Type::Tuple(w)) if w.len() == parts.len() => t.clone(),
                    _ => Type::Tuple(parts.iter().map(|p| p.ty.clone()).collect()),
                };
                self.make(K::Tuple(parts), ty, span)
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
                    Some(Type::Map(k, v)) => ((**k).clone(), (**v).clone()),
                    _ => (self.infer.fresh(), self.infer.fresh()),
                };
                let pairs = pairs
                    .iter()
                    .map(|(a, b)| (self.expr_as(a, &k, "this key"), self.expr_as(b, &v, "this value")))
                    .collect();
                self.make(K::Map(pairs), Type::Map(of(k), of(v)), span)
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
                    other => {
                        let have = self.type_words(&other);
                        self.error(
                            Diagnostic::error(
                                codes::TYPE_MISMATCH,
                                base.span,
                                format!(
                                    "only lists and maps have elements by index, but this is {}",
                                    words::a(&have)
                                ),
                            )
                            .hint("annotate the variable: `var v : map of Port to Int`"),
                        );
                        self.poison(span)
                    }
                }
            }
            ExprKind::Field(base, field) => self.field(base, field, span),
            ExprKind::Call { layer, name, args } => {
                if let Some(layer) = layer {
                    self.error(Diagnostic::error(
                        codes::NOT_HERE,
                        layer.span,
                        format!(
                            "`{}.{}(…)` is not a value: an operation of a layer is called as a statement",
                            layer.text, name.text
                        ),
                    ));
                    return self.poison(span);
                }
                self.call(name, args, span, want.as_ref())
            }
            ExprKind::Filter { list, pattern, set, condition } => {
                self.cx.scopes.push(Vec::new());
                let binder = self.binder(pattern, Some(set), span);
                let condition = self.expr_as(condition, &Type::Bool, "the condition of a filter");
                self.cx.scopes.pop();
                let element = match self.infer.head(&binder.set.ty) {
                    Type::Set(t) | Type::List(t) => (*t).clone(),
                    Type::Map(k, _) => (*k).clone(),
                    _ => self.infer.fresh(),
                };
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
            ExprKind::Comprehension { list, element, binders, condition } => {
                self.cx.scopes.push(Vec::new());
                let binders = self.binders(binders, span);
                let condition = condition
                    .as_ref()
                    .map(|c| Box::new(self.expr_as(c, &Type::Bool, "the condition of a comprehension")));
                let element_want = match &inner_want {
                    Some(Type::Set(t)) | Some(Type::List(t)) => Some((**t).clone()),
                    _ => None,
                };
                let element = self.expr(element, element_want.as_ref());
                self.cx.scopes.pop();
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
                self.cx.scopes.push(Vec::new());
                let binders = self.binders(binders, span);
                let with = with
                    .as_ref()
                    .map(|w| Box::new(self.expr_as(w, &Type::Bool, "the condition after `with`")));
                let (body_type, ty, purpose) = match quantifier {
                    Quantifier::Forall | Quantifier::Some => (Type::Bool, Type::Bool, "what is quantified"),
                    Quantifier::Count => (Type::Bool, Type::Int, "what is counted"),
                    Quantifier::Sum => (Type::Int, Type::Int, "what is summed up"),
                };
                let body = self.expr_as(body, &body_type, purpose);
                self.cx.scopes.pop();
                self.make(
                    K::Quantified { quantifier: *quantifier, binders, with, body: Box::new(body) },
                    ty,
                    span,
                )
            }
            ExprKind::Best { greatest, pattern, set, with, by } => {
                self.cx.scopes.push(Vec::new());
                let binder = self.binder(pattern, Some(set), span);
                let with = with
                    .as_ref()
                    .map(|w| Box::new(self.expr_as(w, &Type::Bool, "the condition after `with`")));
                let by = by.as_ref().map(|b| Box::new(self.expr(b, None)));
                self.cx.scopes.pop();
                let element = match self.infer.head(&binder.set.ty) {
                    Type::Set(t) | Type::List(t) => t,
                    Type::Map(k, _) => k,
                    _ => of(self.infer.fresh()),
                };
                self.make(
                    K::Best { greatest: *greatest, binder: Box::new(binder), with, by },
                    Type::Option(element),
                    span,
                )
            }
            ExprKind::Received { pattern, .. } => {
                self.uses_model("synchronous", span);
                let kind = match pattern {
                    ast::Pattern::Name(n) | ast::Pattern::Message(n, _, _) => self.message_kind(n),
                    _ => None,
                };
                match kind {
                    Some(kind) => {
                        self.taken(kind);
                        self.make(K::ReceivedKind(kind), Type::Bool, span)
                    }
                    None => self.poison(span),
                }
            }
            ExprKind::Metric { metric, of, per } => {
                if !self.cx.is_global() {
                    return self.not_here(
                        span,
                        "measures such as `messages` and `time` belong to properties and scenarios",
                    );
                }
                let of = of.as_ref().map(|n| self.kinds_named(n));
                let per = per.as_ref().and_then(|n| self.operation_named(n));
                self.make(K::Metric { metric: *metric, of, per }, Type::Int, span)
            }
            ExprKind::History { what, of: name } => {
                if !self.cx.is_global() {
                    return self.not_here(span, "the history of a run belongs to properties and scenarios");
                }
                let index = match what {
                    ast::HistoryKind::Upcalls => match self.upcalls.iter().position(|u| *u == name.text) {
                        Some(i) => Some(i as u16),
                        None => {
                            self.error(Diagnostic::error(
                                codes::UNKNOWN_NAME,
                                name.span,
                                format!("the problem has no upcall `{}`", name.text),
                            ));
                            None
                        }
                    },
                    _ => self.operation_named(name),
                };
                self.make(K::History(*what, index.unwrap_or(0)), Type::List(of(Type::Event)), span)
            }
        }
    }

    pub fn not_here(&mut self, span: Span, why: &str) -> ir::Expr {
        self.error(Diagnostic::error(codes::NOT_HERE, span, why));
        self.poison(span)
    }

    fn unwrap_option(&mut self, e: ir::Expr) -> ir::Expr {
        match self.infer.head(&e.ty) {
            Type::Option(inner) => {
                let span = e.span;
                self.make(K::Unwrap(Box::new(e)), (*inner).clone(), span)
            }
            _ => e,
        }
    }

    fn differ(&mut self, a: &ir::Expr, b: &ir::Expr, message: &str) {
        let (x, y) = (self.type_words(&a.ty), self.type_words(&b.ty));
        self.error(
            Diagnostic::error(codes::TYPE_MISMATCH, b.span, message)
                .label(format!("{} here", words::a(&y)))
                .related(a.span, format!("{} here", words::a(&x))),
        );
    }

    fn operation_named(&mut self, name: &ast::Name) -> Option<u16> {
        let found = self
            .operations
            .iter()
            .position(|o| o.name == name.text || o.alias.as_deref() == Some(&name.text));
        if found.is_none() {
            let known: Vec<String> = self.operations.iter().map(|o| o.name.clone()).collect();
            let mut d = Diagnostic::error(
                codes::UNKNOWN_NAME,
                name.span,
                format!("the problem has no operation `{}`", name.text),
            );
            if !known.is_empty() {
                d = d.hint(format!("its operations are {}", words::list(&known)));
            }
            self.error(d);
        }
        found.map(|i| i as u16)
    }

    /// All kinds of that name in this component and its layers.
    fn kinds_named(&mut self, name: &ast::Name) -> Vec<u32> {
        let kinds: Vec<u32> = self
            .kinds
            .iter()
            .enumerate()
            .filter(|(_, k)| k.name == name.text)
            .map(|(i, _)| i as u32)
            .collect();
        if kinds.is_empty() {
            self.error(Diagnostic::error(
                codes::UNKNOWN_NAME,
                name.span,
                format!("no message is called `{}`", name.text),
            ));
        }
        kinds
    }

    pub fn binders(&mut self, binders: &[ast::Binder], span: Span) -> Vec<ir::Binder> {
        // `forall p, q in S` gives S to both.
        let mut sets: Vec<Option<&ast::Expr>> = Vec::new();
        let mut last = None;
        for b in binders.iter().rev() {
            if b.set.is_some() {
                last = b.set.as_ref();
            }
            sets.push(last);
        }
        sets.reverse();
        binders.iter().zip(sets).map(|(b, set)| self.binder(&b.pattern, set, span)).collect()
    }

    pub fn binder(&mut self, pattern: &ast::Pattern, set: Option<&ast::Expr>, span: Span) -> ir::Binder {
        let set = match set {
            Some(e) => {
                let set = self.expr(e, None);
                self.unwrap_option(set)
            }
            None if self.cx.is_global() => {
                self.make(K::Fact(Fact::Processes), Type::Set(of(Type::Process)), span)
            }
            None => {
                self.error(
                    Diagnostic::error(codes::NOT_HERE, span, "a process cannot range over all processes")
                        .hint("say over which set: `forall p in peers: …`"),
                );
                self.poison(span)
            }
        };
        let element = match self.infer.head(&set.ty) {
            Type::Set(t) | Type::List(t) => (*t).clone(),
            Type::Map(k, _) => (*k).clone(),
            Type::Unknown(_) => {
                let element = self.infer.fresh();
                self.infer.unify(&set.ty, &Type::Set(of(element.clone())));
                element
            }
            other => {
                let have = self.type_words(&other);
                self.error(Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    set.span,
                    format!("a set or list is needed after `in`, but this is {}", words::a(&have)),
                ));
                self.infer.fresh()
            }
        };
        let pattern = self.binding_pattern(pattern, &element);
        ir::Binder { pattern, set }
    }

    /// A pattern whose names are bound anew.
    pub fn binding_pattern(&mut self, pattern: &ast::Pattern, ty: &Type) -> ir::Pattern {
        match pattern {
            ast::Pattern::Wildcard(_) => ir::Pattern::Wildcard,
            ast::Pattern::Name(n) if n.text == "_" => ir::Pattern::Wildcard,
            ast::Pattern::Name(n) => {
                if matches!(self.infer.head(ty), Type::Value)
                    && let Some(kind) = self.message_named(&n.text)
                {
                    return ir::Pattern::Message(kind, Vec::new());
                }
                let local = self.cx.bind(&n.text, ty.clone(), n.span);
                ir::Pattern::Slot(slot(local))
            }
            ast::Pattern::Tuple(parts, span) => {
                let types: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
                let tuple = Type::Tuple(types.clone().into());
                if !self.infer.unify(&tuple, ty) {
                    let have = self.type_words(ty);
                    self.error(Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        *span,
                        format!(
                            "this pattern takes a tuple of {} parts apart, but the value is {}",
                            parts.len(),
                            words::a(&have)
                        ),
                    ));
                }
                ir::Pattern::Tuple(
                    parts.iter().zip(&types).map(|(p, t)| self.binding_pattern(p, t)).collect(),
                )
            }
            ast::Pattern::Message(name, args, span) => {
                let Some(kind) = self.message_kind(name) else {
                    return ir::Pattern::Wildcard;
                };
                if !self.infer.unify(ty, &Type::Value) {
                    let have = self.type_words(ty);
                    self.error(Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        *span,
                        format!("`{}` is a message, but the value here is {}", name.text, words::a(&have)),
                    ));
                }
                self.taken(kind);
                let types = self.field_types(kind, args.len(), *span);
                ir::Pattern::Message(
                    kind,
                    args.iter().zip(&types).map(|(p, t)| self.binding_pattern(p, t)).collect(),
                )
            }
            ast::Pattern::Place(e) => {
                self.error(Diagnostic::error(
                    codes::NOT_ASSIGNABLE,
                    e.span,
                    "only a new name can stand here",
                ));
                ir::Pattern::Wildcard
            }
        }
    }

    /// The field types of a message, checked against the number of arguments; as many as there are arguments.
    pub fn field_types(&mut self, kind: u32, given: usize, span: Span) -> Vec<Type> {
        let k = &self.kinds[kind as usize];
        let mut types: Vec<Type> = k.fields.iter().map(|f| f.ty.clone()).collect();
        if types.len() != given {
            let (name, place, fields) = (k.name.clone(), k.span, types.len());
            self.error(
                Diagnostic::error(
                    codes::WRONG_ARITY,
                    span,
                    format!("`{name}` has {}, but {given} stand here", words::count(fields, "field")),
                )
                .related(place, "declared here"),
            );
            while types.len() < given {
                types.push(self.infer.fresh());
            }
        }
        types
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        use BinaryOp as B;
        match op {
            B::And | B::Or | B::Implies | B::Iff => {
                let word = match op {
                    B::And => "and",
                    B::Or => "or",
                    B::Implies => "implies",
                    _ => "iff",
                };
                let purpose = format!("each side of `{word}`");
                let x = Box::new(self.expr_as(a, &Type::Bool, &purpose));
                let y = Box::new(self.expr_as(b, &Type::Bool, &purpose));
                let kind = match op {
                    B::And => K::And(x, y),
                    B::Or => K::Or(x, y),
                    B::Implies => K::Implies(x, y),
                    _ => K::Compare(Compare::Equal, x, y),
                };
                self.make(kind, Type::Bool, span)
            }
            B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
                self.comparison(op, a, b, span)
            }
            B::In | B::NotIn => {
                let inner = self.membership(a, b, span);
                if op == B::NotIn { self.make(K::Not(Box::new(inner)), Type::Bool, span) } else { inner }
            }
            B::HappenedBefore | B::Before => {
                if !self.cx.is_global() {
                    return self.not_here(
                        span,
                        "the order of events belongs to properties: a process cannot see it",
                    );
                }
                let x = Box::new(self.expr_as(a, &Type::Event, "what happened before"));
                let y = Box::new(self.expr_as(b, &Type::Event, "what happened after"));
                let kind = if op == B::Before { K::Before(x, y) } else { K::HappenedBefore(x, y) };
                self.make(kind, Type::Bool, span)
            }
            B::Range => {
                let x = self.expr_as(a, &Type::Int, "the lower end of a range");
                let y = self.expr_as(b, &Type::Int, "the upper end of a range");
                self.make(K::Range(Box::new(x), Box::new(y)), Type::Set(of(Type::Int)), span)
            }
            B::Multiply | B::Div | B::Mod => {
                let (arith, word) = match op {
                    B::Multiply => (ir::Arith::Multiply, "*"),
                    B::Div => (ir::Arith::Div, "div"),
                    _ => (ir::Arith::Mod, "mod"),
                };
                let purpose = format!("each side of `{word}`");
                let x = self.expr_as(a, &Type::Int, &purpose);
                let y = self.expr_as(b, &Type::Int, &purpose);
                self.make(K::Arith(arith, Box::new(x), Box::new(y)), Type::Int, span)
            }
            B::Add | B::Subtract => {
                let x = self.expr(a, want);
                let x = self.unwrap_option(x);
                let y = self.expr(b, Some(&x.ty));
                let y = self.unwrap_option(y);
                let arith = if op == B::Add { ir::Arith::Add } else { ir::Arith::Subtract };
                let word = if op == B::Add { "+" } else { "-" };
                let (hx, hy) = (self.infer.head(&x.ty), self.infer.head(&y.ty));
                let same = self.infer.fits(&y.ty, &x.ty) || self.infer.fits(&x.ty, &y.ty);
                if !same {
                    let hint = match (&hx, &hy) {
                        (Type::Set(t), other) if self.infer.clone().fits(other, t) => {
                            Some(format!("to add or take away one element write `{word} {{x}}`"))
                        }
                        (Type::List(t), other) if self.infer.clone().fits(other, t) => {
                            Some("to append one element write `+ [x]`".into())
                        }
                        _ => None,
                    };
                    let (p, q) = (self.type_words(&x.ty), self.type_words(&y.ty));
                    let mut d = Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        span,
                        format!(
                            "the two sides of `{word}` do not fit: {} and {}",
                            words::a(&p),
                            words::a(&q)
                        ),
                    );
                    if let Some(h) = hint {
                        d = d.hint(h);
                    }
                    self.error(d);
                }
                let ty = match (&hx, &hy) {
                    (Type::Unknown(_), _) => y.ty.clone(),
                    _ => x.ty.clone(),
                };
                self.sums.push((ty.clone(), span, op == B::Add));
                self.make(K::Arith(arith, Box::new(x), Box::new(y)), ty, span)
            }
            B::Except => {
                let x = self.expr(a, want);
                let element = self.infer.fresh();
                if !self.infer.unify(&x.ty, &Type::Set(of(element.clone()))) {
                    let have = self.type_words(&x.ty);
                    self.error(Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        x.span,
                        format!("`except` takes elements out of a set, but this is {}", words::a(&have)),
                    ));
                    return self.poison(span);
                }
                let y = self.expr(b, Some(&element));
                let op = match self.infer.head(&y.ty) {
                    Type::Set(t) => {
                        self.infer.unify(&t, &element);
                        CollectionOp::Difference
                    }
                    _ => CollectionOp::RemoveElement,
                };
                let y = if op == CollectionOp::RemoveElement {
                    // Taking `none` away takes nothing away.
                    match self.infer.head(&y.ty) {
                        Type::Option(inner) if self.infer.unify(&inner, &element) => y,
                        _ => self.coerce(y, &element, "what is taken out"),
                    }
                } else {
                    y
                };
                let ty = x.ty.clone();
                self.make(K::Collection(op, Box::new(x), Box::new(y)), ty, span)
            }
            B::Intersect => {
                let x = self.expr(a, want);
                let y = self.expr(b, Some(&x.ty));
                let element = self.infer.fresh();
                let set = Type::Set(of(element));
                if !self.infer.unify(&x.ty, &set) || !self.infer.unify(&y.ty, &set) {
                    self.differ(&x, &y, "`inter` takes two sets of one type");
                }
                self.make(K::Collection(CollectionOp::Intersect, Box::new(x), Box::new(y)), set, span)
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> ir::Expr {
        // A literal on the left takes its type from the right.
        let literal = |e: &ast::Expr| {
            matches!(e.kind, ExprKind::Int(_) | ExprKind::None | ExprKind::Set(_) | ExprKind::List(_))
        };
        let (x, y) = if literal(a) && !literal(b) {
            let y = self.expr(b, None);
            let x = self.expr(a, Some(&y.ty));
            (x, y)
        } else {
            let x = self.expr(a, None);
            let y = self.expr(b, Some(&x.ty));
            (x, y)
        };
        let compare = match op {
            BinaryOp::Equal => Compare::Equal,
            BinaryOp::NotEqual => Compare::NotEqual,
            BinaryOp::Less => Compare::Less,
            BinaryOp::LessEqual => Compare::LessEqual,
            BinaryOp::Greater => Compare::Greater,
            _ => Compare::GreaterEqual,
        };
        let mut fit = self.infer.fits(&y.ty, &x.ty) || self.infer.fits(&x.ty, &y.ty);
        if !fit && self.cx.is_global() {
            // Identifiers are numbers to whoever looks from outside.
            let number = |t: Type| match t {
                Type::Int | Type::Id => true,
                Type::Option(t) => matches!(*t, Type::Id | Type::Int),
                _ => false,
            };
            fit = number(self.infer.head(&x.ty)) && number(self.infer.head(&y.ty));
        }
        if !fit {
            let (p, q) = (self.type_words(&x.ty), self.type_words(&y.ty));
            let mut d = Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                format!("{} and {} cannot be compared", words::a(&p), words::a(&q)),
            )
            .label(format!("left {}, right {}", words::a(&p), words::a(&q)));
            if (p == "Id" && q == "Int") || (p == "Int" && q == "Id") {
                d = d.hint(
                    "identifiers are compared with identifiers only; under `integer ids` write `int(x)`",
                );
            } else if p == "Bool" && q == "Int" {
                d = d.hint(
                    "`count`, `forall` and `some` reach as far right as they can: write `(count p: …) <= 1`",
                );
            } else if q == "Port" && p == "Id" || p == "Port" && q == "Id" {
                d = d.hint("here senders are known by port; to know them by id assume `knows peers` or `addressable ids`");
            }
            self.error(d);
        }
        // Compared as words where both fit one; `finish` decides.
        self.make(K::Compare(compare, Box::new(x), Box::new(y)), Type::Bool, span)
    }

    fn membership(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> ir::Expr {
        if let ExprKind::Name(name) = &b.kind {
            if name.text == "received" {
                self.uses_model("synchronous", b.span);
                if let ExprKind::Name(m) = &a.kind
                    && let Some(kind) = self.message_kind(m)
                {
                    self.taken(kind);
                    return self.make(K::ReceivedKind(kind), Type::Bool, span);
                }
                return self.poison(span);
            }
            if self.cx.is_global()
                && self.cx.scoped(&name.text).is_none()
                && self.is_state_anywhere(&name.text)
            {
                let process = self.expr_as(a, &Type::Process, "what is in a state");
                return self.remote_state(process, &name.text, span);
            }
            if self.cx.is_global()
                && let Some((Def::Role(r), _)) = self.lookup(&name.text)
            {
                let process = self.expr_as(a, &Type::Process, "what has a role");
                let set = self.make(K::Fact(Fact::RoleProcesses(r)), Type::Set(of(Type::Process)), b.span);
                return self.make(K::In(Box::new(process), Box::new(set)), Type::Bool, span);
            }
        }
        let set = self.expr(b, None);
        let set = self.unwrap_option(set);
        let element = match self.infer.head(&set.ty) {
            Type::Set(t) | Type::List(t) => (*t).clone(),
            Type::Map(k, _) => (*k).clone(),
            Type::Unknown(_) => {
                let element = self.infer.fresh();
                self.infer.unify(&set.ty, &Type::Set(of(element.clone())));
                element
            }
            other => {
                let have = self.type_words(&other);
                self.error(Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    set.span,
                    format!("a set, list or map is needed after `in`, but this is {}", words::a(&have)),
                ));
                return self.poison(span);
            }
        };
        let x = self.expr(a, Some(&element));
        // `none in S` is simply false: an option may be tested as it is.
        let x = match self.infer.head(&x.ty) {
            Type::Option(inner) if self.infer.fits(&inner, &element) => x,
            _ => self.coerce(x, &element, "what is looked for in the set"),
        };
        self.make(K::In(Box::new(x), Box::new(set)), Type::Bool, span)
    }

    fn field(&mut self, base: &ast::Expr, field: &ast::Name, span: Span) -> ir::Expr {
        // `prev.x`: the variable of a neighbour (state reading).
        if !self.cx.is_global()
            && self.has_assumption("reads neighbours")
            && let ExprKind::Name(_) = &base.kind
        {
            let port = self.expr(base, None);
            if matches!(self.infer.head(&port.ty), Type::Port) {
                self.uses_model("reads neighbours", span);
                return match self.cx.comps[self.cx.comp].vars.get(&field.text).copied() {
                    Some(local) => {
                        let ty = self.cx.locals[local as usize].ty.clone();
                        self.cx.locals[local as usize].read = true;
                        self.make(K::NeighbourVariable(Box::new(port), Vec::new()), ty, span)
                    }
                    None => {
                        self.error(Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            field.span,
                            format!("no variable is called `{}`", field.text),
                        ));
                        self.poison(span)
                    }
                };
            }
        }
        let base = self.expr(base, None);
        let base = self.unwrap_option(base);
        match self.infer.head(&base.ty) {
            Type::Tuple(parts) => match field.text.parse::<usize>() {
                Ok(i) if i >= 1 && i <= parts.len() => {
                    let ty = parts[i - 1].clone();
                    self.make(K::Part(Box::new(base), i - 1), ty, span)
                }
                _ => {
                    self.error(Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        field.span,
                        format!(
                            "a tuple of {} has the parts `.1` to `.{}`",
                            words::count(parts.len(), "part"),
                            parts.len()
                        ),
                    ));
                    self.poison(span)
                }
            },
            Type::Record(r) => {
                let record = self.records[r as usize].clone();
                match record.fields.iter().position(|(n, _)| *n == field.text) {
                    Some(i) => {
                        let ty = record.fields[i].1.clone();
                        self.make(K::Part(Box::new(base), i), ty, span)
                    }
                    None => {
                        let known: Vec<String> = record.fields.iter().map(|(n, _)| n.clone()).collect();
                        self.error(
                            Diagnostic::error(
                                codes::UNKNOWN_NAME,
                                field.span,
                                format!("a `{}` has no field `{}`", record.name, field.text),
                            )
                            .hint(format!("its fields are {}", words::list(&known))),
                        );
                        self.poison(span)
                    }
                }
            }
            Type::Process => self.process_field(base, field, span),
            Type::Event => {
                let (fact, ty) = match field.text.as_str() {
                    "process" => (ir::EventFact::Process, Type::Process),
                    "nth" => (ir::EventFact::Nth, Type::Int),
                    "value" => (ir::EventFact::Value, Type::Value),
                    _ => {
                        self.error(
                            Diagnostic::error(
                                codes::UNKNOWN_NAME,
                                field.span,
                                format!("an event has no `{}`", field.text),
                            )
                            .hint("an event has `.process`, `.nth` and `.value`"),
                        );
                        return self.poison(span);
                    }
                };
                self.make(K::EventFact(fact, Box::new(base)), ty, span)
            }
            other => {
                let have = self.type_words(&other);
                let mut d = Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    format!("`.{}` asks for a part, but {} has none", field.text, words::a(&have)),
                );
                if matches!(other, Type::Id | Type::Port) {
                    d = d.hint(
                        "a process cannot look into another one: variables of others belong to properties",
                    );
                } else if matches!(other, Type::Unknown(_)) {
                    d = d.hint("its type is not known here: annotate the declaration");
                }
                self.error(d);
                self.poison(span)
            }
        }
    }

    fn call(&mut self, name: &ast::Name, args: &[ast::Expr], span: Span, want: Option<&Type>) -> ir::Expr {
        if let Some((def, _)) = self.lookup(&name.text) {
            match def {
                Def::Message(kind) => {
                    let types = self.field_types(kind, args.len(), span);
                    let parts = args
                        .iter()
                        .zip(&types)
                        .map(|(a, t)| self.expr_as(a, t, &format!("this field of `{}`", name.text)))
                        .collect();
                    self.sent(kind);
                    return self.make(K::Message(kind, parts), Type::Value, span);
                }
                Def::Record(r) => {
                    let record = self.records[r as usize].clone();
                    if record.fields.len() != args.len() {
                        self.error(Diagnostic::error(
                            codes::WRONG_ARITY,
                            span,
                            format!(
                                "`{}` has {}, but {} stand here",
                                record.name,
                                words::count(record.fields.len(), "field"),
                                args.len()
                            ),
                        ));
                    }
                    let parts = args
                        .iter()
                        .zip(&record.fields)
                        .map(|(a, (n, t))| self.expr_as(a, t, &format!("the field `{n}`")))
                        .collect();
                    return self.make(K::Record(r, parts), Type::Record(r), span);
                }
                Def::Function(f) => return self.unfold(f, name, args, span, want),
                _ => {}
            }
        }
        self.builtin(name, args, span, want)
    }

    /// A function call: arguments stored in fresh slots, then the body.
    fn unfold(
        &mut self,
        index: usize,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        let function = self.units[self.comps[self.cx.comp].unit].functions[index].clone();
        if self.unfolding.contains(&name.text) {
            self.error(
                Diagnostic::error(
                    codes::CYCLE,
                    name.span,
                    format!("the function `{}` needs itself", name.text),
                )
                .related(function.name.span, "defined here")
                .hint("functions are unfolded where they are called; compute this in a loop"),
            );
            return self.poison(span);
        }
        if args.is_empty()
            && self.hoistable()
            && let Some((_, local, value)) = self.hoisted.iter().find(|(n, _, _)| *n == name.text)
        {
            let (local, ty) = (*local, value.ty.clone());
            return self.make(K::Slot(slot(local)), ty, span);
        }
        if function.params.len() != args.len() {
            self.error(
                Diagnostic::error(
                    codes::WRONG_ARITY,
                    span,
                    format!(
                        "`{}` takes {}, but {} stand here",
                        name.text,
                        words::count(function.params.len(), "argument"),
                        args.len()
                    ),
                )
                .related(function.name.span, "defined here"),
            );
            return self.poison(span);
        }
        let mut lets = Vec::new();
        let mut scope = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            let ty = match &param.ty {
                Some(t) => self.type_expr(t),
                None => self.infer.fresh(),
            };
            let value = self.expr_as(arg, &ty, &format!("the argument `{}`", param.name.text));
            let local = self.cx.new_local(&param.name.text, ty, param.name.span, Class::Temp);
            self.cx.locals[local as usize].read = true;
            lets.push((slot(local), value));
            scope.push((param.name.text.clone(), local));
        }
        self.unfolding.push(name.text.clone());
        // The body sees its parameters, not the caller's locals.
        let outer = std::mem::replace(&mut self.cx.scopes, vec![scope]);
        let body = match &function.result {
            Some(t) => {
                let ty = self.type_expr(t);
                self.expr_as(&function.body, &ty, &format!("the result of `{}`", name.text))
            }
            None => self.expr(&function.body, want),
        };
        self.cx.scopes = outer;
        self.unfolding.pop();
        let ty = body.ty.clone();
        if lets.is_empty() {
            if !self.hoistable() {
                return body;
            }
            let local = self.cx.new_local("", ty.clone(), span, Class::Temp);
            self.hoisted.push((name.text.clone(), local, body));
            return self.make(K::Slot(slot(local)), ty, span);
        }
        self.make(K::Let(lets, Box::new(body)), ty, span)
    }

    /// In properties a function without arguments has one value for a whole configuration.
    fn hoistable(&self) -> bool {
        self.cx.is_global() && self.cx.subject.is_none() && self.in_property
    }

    fn builtin(&mut self, name: &ast::Name, args: &[ast::Expr], span: Span, want: Option<&Type>) -> ir::Expr {
        let text = name.text.as_str();
        let arity = |n: usize| -> bool { args.len() == n };
        match text {
            "max" | "min" if args.len() >= 2 => {
                let first = self.expr(&args[0], want);
                let first = self.unwrap_option(first);
                let ty = first.ty.clone();
                let mut parts = vec![first];
                for a in &args[1..] {
                    parts.push(self.expr_as(a, &ty, &format!("each argument of `{text}`")));
                }
                let b = if text == "max" { Builtin::Max } else { Builtin::Min };
                self.make(K::Call(b, parts), ty, span)
            }
            "max" | "min" | "head" | "last" if arity(1) => {
                let (c, element) = self.collection(&args[0]);
                let b = match text {
                    "max" => Builtin::MaxOf,
                    "min" => Builtin::MinOf,
                    "head" => Builtin::Head,
                    _ => Builtin::Last,
                };
                self.make(K::Call(b, vec![c]), element, span)
            }
            "tail" if arity(1) => {
                let c = self.expr(&args[0], want);
                let ty = c.ty.clone();
                self.make(K::Call(Builtin::Tail, vec![c]), ty, span)
            }
            "size" if arity(1) => {
                let (c, _) = self.collection(&args[0]);
                self.make(K::Call(Builtin::Size, vec![c]), Type::Int, span)
            }
            "sum" if arity(1) => {
                let (c, element) = self.collection(&args[0]);
                self.infer.unify(&element, &Type::Int);
                self.make(K::Call(Builtin::Sum, vec![c]), Type::Int, span)
            }
            "sort" | "list" | "set" if arity(1) => {
                let (c, element) = self.collection(&args[0]);
                let (b, ty) = match text {
                    "set" => (Builtin::ToSet, Type::Set(of(element))),
                    "list" => (Builtin::ToList, Type::List(of(element))),
                    _ => (Builtin::Sort, Type::List(of(element))),
                };
                self.make(K::Call(b, vec![c]), ty, span)
            }
            "keys" | "values" if arity(1) => {
                let (k, v) = (self.infer.fresh(), self.infer.fresh());
                let map = Type::Map(of(k.clone()), of(v.clone()));
                let m = self.expr_as(&args[0], &map, &format!("the argument of `{text}`"));
                if text == "keys" {
                    self.make(K::Call(Builtin::Keys, vec![m]), Type::Set(of(k)), span)
                } else {
                    self.make(K::Call(Builtin::Values, vec![m]), Type::List(of(v)), span)
                }
            }
            "abs" | "log2_floor" | "log2_ceil" if arity(1) => {
                let x = self.expr_as(&args[0], &Type::Int, &format!("the argument of `{text}`"));
                let b = match text {
                    "abs" => Builtin::Abs,
                    "log2_floor" => Builtin::Log2Floor,
                    _ => Builtin::Log2Ceil,
                };
                self.make(K::Call(b, vec![x]), Type::Int, span)
            }
            "pow" if arity(2) => {
                let x = self.expr_as(&args[0], &Type::Int, "the base");
                let y = self.expr_as(&args[1], &Type::Int, "the exponent");
                self.make(K::Call(Builtin::Pow, vec![x, y]), Type::Int, span)
            }
            "first" | "second" if arity(1) => {
                let index = if text == "first" { 0 } else { 1 };
                let t = self.expr(&args[0], None);
                let t = self.unwrap_option(t);
                match self.infer.head(&t.ty) {
                    Type::Tuple(parts) if parts.len() > index => {
                        let ty = parts[index].clone();
                        self.make(K::Part(Box::new(t), index), ty, span)
                    }
                    other => {
                        let have = self.type_words(&other);
                        self.error(Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            t.span,
                            format!("`{text}` takes a part of a tuple, but this is {}", words::a(&have)),
                        ));
                        self.poison(span)
                    }
                }
            }
            "int" if arity(1) => {
                if !self.cx.is_global() {
                    self.needs(
                        self.assumptions.integer_ids,
                        "integer ids",
                        "`int(…)` reads an identifier as a number",
                        name.span,
                    );
                }
                let x = self.expr_as(&args[0], &Type::Id, "the argument of `int`");
                self.make(K::Call(Builtin::IdNumber, vec![x]), Type::Int, span)
            }
            "ids" if arity(1) => {
                let x = self.expr_as(&args[0], &Type::Set(of(Type::Process)), "the argument of `ids`");
                self.make(K::Call(Builtin::IdsOf, vec![x]), Type::Set(of(Type::Id)), span)
            }
            "coin" if args.len() <= 1 => {
                self.uses_model("randomness", span);
                for a in args {
                    self.probability(a);
                }
                self.make(K::Call(Builtin::Coin, vec![]), Type::Bool, span)
            }
            "random" if arity(1) => {
                self.uses_model("randomness", span);
                let (c, element) = self.collection(&args[0]);
                self.make(K::Call(Builtin::Random, vec![c]), element, span)
            }
            "opposite" | "neighbour" | "weight" if arity(1) && !self.cx.is_global() => {
                let (fact, ty) = match text {
                    "opposite" => (PortFact::Opposite, Type::Port),
                    "neighbour" => {
                        self.needs(
                            self.assumptions.knows_neighbours,
                            "knows neighbours",
                            "`neighbour(p)` is the identifier at the other end of a port",
                            name.span,
                        );
                        (PortFact::Neighbour, Type::Id)
                    }
                    _ => {
                        self.needs(
                            self.assumptions.weights,
                            "weights",
                            "`weight(p)` is the weight of an edge",
                            name.span,
                        );
                        (PortFact::Weight, Type::Int)
                    }
                };
                let p = self.expr_as(&args[0], &Type::Port, &format!("the argument of `{text}`"));
                self.make(K::PortFact(fact, Box::new(p)), ty, span)
            }
            "port" | "dimension" if arity(1) && !self.cx.is_global() => {
                let p = self.expr_as(&args[0], &Type::Int, &format!("the argument of `{text}`"));
                let fact = if text == "port" { PortFact::Numbered } else { PortFact::Dimension };
                self.make(K::PortFact(fact, Box::new(p)), Type::Port, span)
            }
            "has" if arity(1) && !self.cx.is_global() => match &args[0].kind {
                ExprKind::Name(n) if super::names::port_label(&n.text).is_some() => {
                    let label = super::names::port_label(&n.text).unwrap();
                    self.make(K::Fact(Fact::HasPort(label)), Type::Bool, span)
                }
                _ => {
                    self.error(
                        Diagnostic::error(
                            codes::NOT_A_PORT,
                            args[0].span,
                            "`has(…)` asks whether this process has a port of that label",
                        )
                        .hint("for instance `has(north)`"),
                    );
                    self.poison(span)
                }
            },
            "multicast_before" if arity(2) => {
                if !self.cx.is_global() {
                    return self.not_here(span, "the order of events belongs to properties");
                }
                let x = Box::new(self.expr_as(&args[0], &Type::Event, "the earlier multicast"));
                let y = Box::new(self.expr_as(&args[1], &Type::Event, "the later multicast"));
                self.make(K::MulticastBefore(x, y), Type::Bool, span)
            }
            _ => {
                let arities = [
                    ("max", "one collection or two values"),
                    ("min", "one collection or two values"),
                    ("head", "one list"),
                    ("tail", "one list"),
                    ("last", "one list"),
                    ("size", "one collection"),
                    ("sort", "one collection"),
                    ("keys", "one map"),
                    ("values", "one map"),
                    ("abs", "one number"),
                    ("pow", "two numbers"),
                    ("opposite", "one port"),
                    ("weight", "one port"),
                    ("neighbour", "one port"),
                    ("first", "one tuple"),
                    ("second", "one tuple"),
                ];
                if let Some((_, what)) = arities.iter().find(|(n, _)| *n == text) {
                    self.error(Diagnostic::error(codes::WRONG_ARITY, span, format!("`{text}` takes {what}")));
                } else if self.cx.comps.get(self.cx.comp).is_some_and(|c| c.routines.contains_key(text)) {
                    self.error(
                        Diagnostic::error(
                            codes::NOT_HERE,
                            span,
                            format!(
                                "`{text}` is a procedure: it is called as a statement and gives no value"
                            ),
                        )
                        .hint("write a `function` for a value"),
                    );
                } else {
                    let mut known = self.names_in_scope();
                    known.extend(super::names::FUNCTIONS.iter().map(|s| s.to_string()));
                    let d = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        name.span,
                        format!("no function or message is called `{text}`"),
                    );
                    let d = words::did_you_mean(d, text, &known);
                    self.error(d);
                }
                self.poison(span)
            }
        }
    }

    /// A probability is an exact rational: `1/a` or a number 0 or 1.
    fn probability(&mut self, e: &ast::Expr) {
        if let ExprKind::Binary(BinaryOp::Div, a, b) = &e.kind {
            self.expr_as(a, &Type::Int, "the numerator");
            self.expr_as(b, &Type::Int, "the denominator");
        } else {
            self.expr_as(e, &Type::Int, "a probability");
        }
    }

    fn collection(&mut self, e: &ast::Expr) -> (ir::Expr, Type) {
        let c = self.expr(e, None);
        let c = self.unwrap_option(c);
        match self.infer.head(&c.ty) {
            Type::Set(t) | Type::List(t) => (c, (*t).clone()),
            Type::Map(k, _) => (c, (*k).clone()),
            Type::Unknown(_) => {
                let element = self.infer.fresh();
                self.infer.unify(&c.ty, &Type::Set(of(element.clone())));
                (c, element)
            }
            other => {
                let have = self.type_words(&other);
                self.error(Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    c.span,
                    format!("a set, list or map is needed here, but this is {}", words::a(&have)),
                ));
                let t = self.infer.fresh();
                (c, t)
            }
        }
    }
}
