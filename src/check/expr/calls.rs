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

/// The types of the arguments, the result with its type, and what processes need.
type Signature = (Vec<Type>, Form, Type, Option<Need>);

enum Form {
    Call(Builtin),
    Fact(PortFact),
}

/// Return the signature of a predefined function whose arguments have fixed types, for observers or for processes.
fn signature(name: &str, args: usize, observes: bool) -> Option<Signature> {
    use Builtin as B;
    use Form::{Call, Fact};
    use Type::{Bool, Id, Int, Port, Process};
    let set = |ty: Type| Type::Set(of(ty));
    Some(match (name, args, observes) {
        ("abs", 1, _) => (vec![Int], Call(B::Abs), Int, None),
        ("log2_floor", 1, _) => (vec![Int], Call(B::Log2Floor), Int, None),
        ("log2_ceil", 1, _) => (vec![Int], Call(B::Log2Ceil), Int, None),
        ("int", 1, _) => (vec![Id], Call(B::IdNumber), Int, Some(Need::IdNumber)),
        ("identifier", 1, _) => (vec![Int], Call(B::IdOfNumber), Id, Some(Need::NumberId)),
        ("ids", 1, _) => (vec![set(Process)], Call(B::IdsOf), set(Id), None),
        ("connects", 1, true) => {
            (vec![set(Type::Tuple([Process, Process].into()))], Call(B::Connects), Bool, None)
        }
        ("port", 2, true) => (vec![Process, Process], Call(B::PortTo), Port, None),
        ("neighbour", 2, true) => (vec![Process, Port], Call(B::Across), Process, None),
        ("weight", 2, true) => (vec![Process, Port], Call(B::WeightAt), Int, Some(Need::EdgeWeight)),
        ("far_end", 2, true) => (vec![Process, Port], Call(B::FarEnd), Port, None),
        ("opposite", 1, false) => (vec![Port], Fact(PortFact::Opposite), Port, None),
        ("neighbour", 1, false) => (vec![Port], Fact(PortFact::Neighbour), Id, Some(Need::NeighbourId)),
        ("weight", 1, false) => (vec![Port], Fact(PortFact::Weight), Int, Some(Need::PortWeight)),
        ("far_end", 1, false) => (vec![Port], Fact(PortFact::FarEnd), Port, Some(Need::FarEnd)),
        ("port", 1, false) => (vec![Int], Fact(PortFact::Numbered), Port, None),
        ("dimension", 1, false) => (vec![Int], Fact(PortFact::Dimension), Port, Some(Need::Dimension)),
        ("chord", 1, false) => (vec![Int], Fact(PortFact::Chord), Port, Some(Need::Chord)),
        _ => return None,
    })
}

/// Return the finding if a process calls the function, where only observers may.
fn only_for_observers(name: &str, args: usize) -> Option<Behaviour> {
    Some(match (name, args) {
        ("neighbour", 2) => Behaviour::ProcessAtPort,
        ("weight", 2) => Behaviour::WeightAtPort,
        ("far_end", 2) => Behaviour::FarEndAtProcess,
        ("connects", 1) => Behaviour::ConnectsInProcess,
        ("port", 2) => Behaviour::PortInProcess,
        ("multicast_before", 2) => Behaviour::OrderOfEvents,
        _ => return None,
    })
}

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

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each function")]
    pub(in crate::check) fn builtin(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        let text = name.text.as_str();
        let arity = |n: usize| -> bool { args.len() == n };
        let observes = self.cx.is_global();
        if let Some(finding) = only_for_observers(text, args.len()).filter(|_| !observes) {
            return self.not_here(span, finding);
        }
        if let Some(signature) = signature(text, args.len(), observes) {
            return self.call_of(signature, name, args, span);
        }
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
            "coin" if arity(1) || arity(2) => self.coin(args, span),
            "random" if arity(1) => self.random(&args[0], span),
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
                    let hint = (text == "random" && args.len() == 2).then_some(Hint::RandomOfRange);
                    self.error(Typing::FunctionTakes(text.into(), what).at(span).hint(hint));
                } else if self.cx.comps.get(self.cx.comp).is_some_and(|c| c.routines.contains_key(text)) {
                    self.error(Behaviour::ProcedureIsNoValue(text.into()).at(span));
                } else {
                    let mut known = self.names_in_scope();
                    known.extend(FUNCTIONS.iter().map(|s| s.to_string()));
                    let d = Naming::Unknown(Noun::FunctionOrMessage, text.into()).at(name.span);
                    self.error(match prose::temporal_equivalent(text).filter(|_| self.cx.is_global()) {
                        Some(equivalent) => d.hint(Hint::Word(equivalent)),
                        None => d.foreign_or_nearest(text, &known),
                    });
                }
                self.poison(span)
            }
        }
    }

    /// Elaborate a call of a predefined function with fixed types.
    fn call_of(
        &mut self,
        (types, form, result, need): Signature,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
    ) -> ir::Expr {
        let observes = self.cx.is_global();
        if name.text == "opposite" {
            self.require_opposite(name.span);
        }
        // Observers need `weights` too, but no others.
        if let Some(need) = need.filter(|_| !observes || args.len() == 2) {
            self.require(need, if observes { span } else { name.span });
        }
        let mut found = Vec::new();
        for (i, (arg, ty)) in args.iter().zip(types).enumerate() {
            let which = ["first ", "second "].get(i).filter(|_| args.len() > 1).unwrap_or(&"");
            let purpose = format!("the {which}argument of `{}`", name.text);
            found.push(match ty {
                Type::Port if observes => self.port_of_another(arg, &purpose),
                ty => self.expr_as(arg, &ty, &purpose),
            });
        }
        let kind = match form {
            Form::Call(builtin) => K::Call(builtin, found),
            Form::Fact(fact) => K::PortFact(fact, Box::new(found.remove(0))),
        };
        self.make(kind, result, span)
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
