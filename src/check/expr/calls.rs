//! Calls of functions, messages, records, and predefined functions.

use super::super::Checker;
use super::*;
use crate::check::context::*;
use crate::check::load::unit::Function;
use crate::check::model::ports::port_label;
use crate::check::types::written::of;
use crate::check::vocabulary::FUNCTIONS;
use crate::diagnostic::{Behaviour, Label, Naming, Need, Noun, Typing};
use crate::ir::PortLabel;

impl Checker<'_> {
    /// `{ k: v for p in S | g }`, whose pairs are a comprehension of a list.
    pub(super) fn map_of(
        &mut self,
        pairs: &ast::Expr,
        k: Option<&Type>,
        v: Option<&Type>,
        span: Span,
    ) -> ir::Expr {
        let ast::ExprKind::Comprehension { element, binders, condition, .. } = &pairs.kind else {
            return self.poison(span);
        };
        let ast::ExprKind::Tuple(parts) = &element.kind else { return self.poison(span) };
        let [key, value] = parts.as_slice() else { return self.poison(span) };
        let (mut keys, mut values) = (None, None);
        let (binders, condition, key, value) = self.in_scope(|this| {
            let binders = this.binders(binders, span);
            let condition = this.only_if(condition, "the condition of a comprehension");
            let key = this.part(key, k, &mut keys, "this key");
            (binders, condition, key, this.part(value, v, &mut values, "this value"))
        });
        let (k, v) = (keys.unwrap_or_else(|| key.ty.clone()), values.unwrap_or_else(|| value.ty.clone()));
        let pair = Type::Tuple([k.clone(), v.clone()].into());
        let element = Some(Box::new(self.make(K::Tuple(vec![key, value]), pair.clone(), element.span)));
        let described = K::Comprehension { list: true, binders, condition, element };
        let described = self.make(described, Type::List(of(pair)), span);
        self.make(K::Call(Builtin::ToMap, vec![described]), Type::Map(of(k), of(v)), span)
    }

    pub(in crate::check) fn call(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        if let Some((def, place)) = self.lookup(&name.text) {
            match def {
                Def::Message(kind) => {
                    let types = self.field_types(kind, args.len(), span);
                    let parts = self.fields(kind, args, &types);
                    return self.make(K::Message(kind, parts), Type::Value, span);
                }
                Def::Record(r) => {
                    let record = self.records[r as usize].clone();
                    if record.fields.len() != args.len() {
                        self.error(
                            Typing::Fields(record.name.clone(), record.fields.len(), args.len()).at(span),
                        );
                    }
                    let parts = args
                        .iter()
                        .zip(&record.fields)
                        .enumerate()
                        .map(|(i, (a, (n, t)))| {
                            let field = self.expr_as(a, t, &format!("the field `{n}`"));
                            let ranges = self.ranges_written(Written::Part(r, i));
                            self.with_range_check(field, &ranges, || {
                                format!("the field `{n}` of `{}`", record.name)
                            })
                        })
                        .collect();
                    return self.make(K::Record(r, parts), Type::Record(r), span);
                }
                Def::Function(f) => {
                    if let Some(answer) = self.oracle_call(name, args, span) {
                        return answer;
                    }
                    let home = self.declaring_component(name, place);
                    let before = self.findings.len();
                    let unfolded = self.unfold((home, f), name, args, span, want);
                    self.report_missing_oracle(name, before, span);
                    return unfolded;
                }
                _ => {}
            }
        }
        self.builtin(name, args, span, want)
    }

    /// Elaborate the arguments for the fields of a message.
    pub fn fields(&mut self, kind: u32, args: &[ast::Expr], types: &[Type]) -> Vec<ir::Expr> {
        let message = &self.kinds[kind as usize];
        let mut purposes: Vec<String> =
            message.fields.iter().map(|f| format!("the field `{}` of `{}`", f.name, message.name)).collect();
        // Surplus arguments have been reported.
        purposes.resize(args.len(), "this".into());
        let args = args.iter().zip(types).zip(purposes).enumerate();
        args.map(|(i, ((a, t), purpose))| {
            let field = self.expr_as(a, t, &purpose);
            let ranges = self.ranges_written(Written::Field(kind, i));
            self.with_range_check(field, &ranges, || purpose)
        })
        .collect()
    }

    /// Elaborate a function call: store the arguments in fresh slots, then elaborate the body. The function is given by its
    /// component and its number there: properties of an algorithm may call functions of the problem.
    pub(in crate::check) fn unfold(
        &mut self,
        (home, index): (usize, usize),
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        let function = self.units[self.comps[home].unit].functions[index].clone();
        if self.unfolding.contains(&name.text) {
            self.error(
                Naming::FunctionCallsItself(name.text.clone())
                    .at(name.span)
                    .related(function.name.span, Label::Defined),
            );
            return self.poison(span);
        }
        if args.is_empty()
            && self.hoistable()
            && let Some((.., once)) = self.hoisted.iter().find(|(c, n, _)| *c == home && *n == name.text)
        {
            return once.clone();
        }
        if function.params.len() != args.len() {
            self.error(
                Typing::Arguments(name.text.clone(), function.params.len(), args.len())
                    .at(span)
                    .related(function.name.span, Label::Defined),
            );
            args.iter().for_each(|a| self.elaborate_for_errors(a));
            return self.poison(span);
        }
        let mut lets = Vec::new();
        let mut scope = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            let ty = self.type_or_open(param.ty.as_ref());
            let value = self.expr_as(arg, &ty, &format!("the argument `{}`", param.name.text));
            let ranges = self.ranges_of(param.ty.as_ref());
            let what = || format!("the parameter `{}` of `{}`", param.name.text, name.text);
            let value = self.with_range_check(value, &ranges, what);
            let local = self.cx.new_local(&param.name.text, ty, param.name.span, Class::Temp);
            lets.push((slot(local), value));
            scope.push((param.name.text.clone(), local));
        }
        let body = self.function_body(home, &function, scope, want);
        let ty = body.ty.clone();
        if lets.is_empty() {
            if !self.hoistable() {
                return body;
            }
            let local = self.cx.new_local("", ty.clone(), span, Class::Temp);
            let done = self.cx.new_local("", Type::Bool, span, Class::Temp);
            let kind = K::Once { slot: slot(local), done: slot(done), value: Box::new(body) };
            let once = self.make(kind, ty, span);
            self.hoisted.push((home, name.text.clone(), once.clone()));
            return once;
        }
        self.make(K::Let(lets, Box::new(body)), ty, span)
    }

    /// Elaborate the body of a component's function, whose parameters are locals.
    pub(in crate::check) fn function_body(
        &mut self,
        home: usize,
        function: &Function,
        parameters: Vec<(String, LocalId)>,
        want: Option<&Type>,
    ) -> ir::Expr {
        let name = &function.name.text;
        self.unfolding.push(name.clone());
        let body = self.apart(home, parameters, |this| match &function.result {
            Some(t) => {
                let ty = this.type_expr(t);
                let body = this.expr_as(&function.body, &ty, &format!("the result of `{name}`"));
                let ranges = this.ranges(t);
                this.with_range_check(body, &ranges, || format!("the result of `{name}`"))
            }
            None => this.expr(&function.body, want),
        });
        self.unfolding.pop();
        body
    }

    /// Return whether a function without arguments is computed once: in properties it has one value per configuration.
    pub(in crate::check) fn hoistable(&self) -> bool {
        self.cx.is_global() && self.cx.subject.is_none() && self.in_property
    }

    pub(in crate::check) fn builtin(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        let text = name.text.as_str();
        let arity = |n: usize| -> bool { args.len() == n };
        match text {
            "max" | "min" if args.len() >= 2 => {
                let first = self.expr(&args[0], want);
                let first = self.unwrap_option(first);
                let mut ty = first.ty.clone();
                let mut parts = vec![first];
                for a in &args[1..] {
                    let next = self.expr(a, Some(&ty));
                    let next = self.unwrap_option(next);
                    match self.infer.join(&ty, &next.ty) {
                        Some(both) => {
                            ty = both;
                            parts.push(next);
                        }
                        None => {
                            let purpose = format!("each argument of `{text}`");
                            parts.push(self.coerce_written(Some(a), next, &ty, &purpose));
                        }
                    }
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
                    other if self.infer.is_error_type(&other) => self.poison(span),
                    other => {
                        let have = self.type_words(&other);
                        self.error(Typing::NoTuple(text.into(), have).at(t.span));
                        self.poison(span)
                    }
                }
            }
            "int" if arity(1) => {
                if !self.cx.is_global() {
                    self.require(Need::IdNumber, name.span);
                }
                let x = self.expr_as(&args[0], &Type::Id, "the argument of `int`");
                self.make(K::Call(Builtin::IdNumber, vec![x]), Type::Int, span)
            }
            "identifier" if arity(1) => {
                if !self.cx.is_global() {
                    self.require(Need::NumberId, name.span);
                }
                let x = self.expr_as(&args[0], &Type::Int, "the argument of `identifier`");
                self.make(K::Call(Builtin::IdOfNumber, vec![x]), Type::Id, span)
            }
            "ids" if arity(1) => {
                let x = self.expr_as(&args[0], &Type::Set(of(Type::Process)), "the argument of `ids`");
                self.make(K::Call(Builtin::IdsOf, vec![x]), Type::Set(of(Type::Id)), span)
            }
            "coin" if arity(1) || arity(2) => self.coin(args, span),
            "random" if arity(1) => self.random(&args[0], span),
            "neighbour" if arity(2) => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::ProcessAtPort);
                }
                let p = self.expr_as(&args[0], &Type::Process, "the first argument of `neighbour`");
                let port = self.port_of_another(&args[1], "the second argument of `neighbour`");
                self.make(K::Call(Builtin::Across, vec![p, port]), Type::Process, span)
            }
            "weight" if arity(2) => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::WeightAtPort);
                }
                self.require(Need::EdgeWeight, span);
                let p = self.expr_as(&args[0], &Type::Process, "the first argument of `weight`");
                let port = self.port_of_another(&args[1], "the second argument of `weight`");
                self.make(K::Call(Builtin::WeightAt, vec![p, port]), Type::Int, span)
            }
            "far_end" if arity(2) => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::FarEndAtProcess);
                }
                let p = self.expr_as(&args[0], &Type::Process, "the first argument of `far_end`");
                let port = self.port_of_another(&args[1], "the second argument of `far_end`");
                self.make(K::Call(Builtin::FarEnd, vec![p, port]), Type::Port, span)
            }
            "connects" if arity(1) => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::ConnectsInProcess);
                }
                let pairs = Type::Set(of(Type::Tuple([Type::Process, Type::Process].into())));
                let x = self.expr_as(&args[0], &pairs, "the argument of `connects`");
                self.make(K::Call(Builtin::Connects, vec![x]), Type::Bool, span)
            }
            "port" if arity(2) => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::PortInProcess);
                }
                let p = self.expr_as(&args[0], &Type::Process, "the first argument of `port`");
                let q = self.expr_as(&args[1], &Type::Process, "the second argument of `port`");
                self.make(K::Call(Builtin::PortTo, vec![p, q]), Type::Port, span)
            }
            "opposite" | "neighbour" | "weight" | "far_end" if arity(1) && !self.cx.is_global() => {
                let (fact, ty) = match text {
                    "opposite" => {
                        self.require_opposite(name.span);
                        (PortFact::Opposite, Type::Port)
                    }
                    "far_end" => {
                        self.require(Need::FarEnd, name.span);
                        (PortFact::FarEnd, Type::Port)
                    }
                    "neighbour" => {
                        self.require(Need::NeighbourId, name.span);
                        (PortFact::Neighbour, Type::Id)
                    }
                    _ => {
                        self.require(Need::PortWeight, name.span);
                        (PortFact::Weight, Type::Int)
                    }
                };
                let p = self.expr_as(&args[0], &Type::Port, &format!("the argument of `{text}`"));
                self.make(K::PortFact(fact, Box::new(p)), ty, span)
            }
            "port" | "dimension" | "chord" if arity(1) && !self.cx.is_global() => {
                let (fact, needed) = match text {
                    "dimension" => (PortFact::Dimension, Some(Need::Dimension)),
                    "chord" => (PortFact::Chord, Some(Need::Chord)),
                    _ => (PortFact::Numbered, None),
                };
                if let Some(need) = needed {
                    self.require(need, name.span);
                }
                let p = self.expr_as(&args[0], &Type::Int, &format!("the argument of `{text}`"));
                self.make(K::PortFact(fact, Box::new(p)), Type::Port, span)
            }
            "has" if arity(1) && !self.cx.is_global() => match &args[0].kind {
                ExprKind::Name(n) if n.text == "parent" => {
                    self.error(Behaviour::HasParent.at(args[0].span));
                    self.poison(span)
                }
                ExprKind::Name(n) if port_label(&n.text).is_some() => {
                    let label = port_label(&n.text).unwrap();
                    let of_virtual_ring =
                        self.assumptions.virtual_ring && matches!(label, PortLabel::Next | PortLabel::Prev);
                    if !of_virtual_ring {
                        self.require_label(label, &n.text, args[0].span);
                    }
                    self.make(K::Fact(Fact::HasPort(label)), Type::Bool, span)
                }
                _ => {
                    self.error(Behaviour::HasNeedsLabel.at(args[0].span));
                    self.poison(span)
                }
            },
            "multicast_before" if arity(2) => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::OrderOfEvents);
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
                    ("port", "one number; in properties and scenarios two processes"),
                    ("opposite", "one port"),
                    ("weight", "one port; in properties a process and one of its ports"),
                    ("far_end", "one port; in properties a process and one of its ports"),
                    ("neighbour", "one port; in properties a process and one of its ports"),
                    ("connects", "one set of pairs of processes"),
                    ("first", "one tuple"),
                    ("second", "one tuple"),
                    ("coin", "a probability, `coin(1/2)`"),
                    ("random", "one set or list"),
                ];
                if let Some((_, what)) = arities.iter().find(|(n, _)| *n == text) {
                    self.error(Typing::FunctionTakes(text.into(), what).at(span));
                } else if self.cx.comps.get(self.cx.comp).is_some_and(|c| c.routines.contains_key(text)) {
                    self.error(Behaviour::ProcedureIsNoValue(text.into()).at(span));
                } else {
                    let mut known = self.names_in_scope();
                    known.extend(FUNCTIONS.iter().map(|s| s.to_string()));
                    let d = Naming::Unknown(Noun::FunctionOrMessage, text.into()).at(name.span);
                    self.error(d.foreign_or_nearest(text, &known));
                }
                self.poison(span)
            }
        }
    }

    /// Elaborate a port of a process seen from outside: labels are those of its own ports.
    fn port_of_another(&mut self, e: &ast::Expr, purpose: &str) -> ir::Expr {
        if let ExprKind::Name(name) = &e.kind
            && let Some(label) = port_label(&name.text)
            && self.cx.scoped(&name.text).is_none()
        {
            let around = matches!(label, PortLabel::Next | PortLabel::Prev) && self.assumptions.virtual_ring;
            // If processes are addressed by ids, so are the neighbours on the ring.
            let ring = around && !self.assumptions.ring_of_ids();
            if !ring && !self.units[0].is_problem {
                self.require_label(label, &name.text, name.span);
            }
            let fact = match label {
                PortLabel::Next if ring => Fact::RingNext,
                PortLabel::Prev if ring => Fact::RingPrev,
                label => Fact::Port(label),
            };
            return self.make(K::Fact(fact), Type::Port, e.span);
        }
        self.expr_as(e, &Type::Port, purpose)
    }

    pub(in crate::check) fn collection(&mut self, e: &ast::Expr) -> (ir::Expr, Type) {
        let c = self.expr(e, None);
        let c = self.unwrap_option(c);
        let element = self.infer.element_of_set(&c.ty).unwrap_or_else(|| {
            let have = self.type_words(&c.ty);
            self.error(Typing::NotACollection(have).at(c.span));
            self.infer.fresh()
        });
        (c, element)
    }
}
