//! Handlers: alternatives at every waiting point of their state.

use crate::check::Checker;
use crate::check::context::Def;
use crate::check::load::unit::HandlerSection;
use crate::check::names::Kind;
use crate::check::stmt::one_line;
use crate::diagnostic::{Behaviour, Hint, Label, Modelling, Naming, Need, Noun, Typing};
use crate::ir::{self, Alternative, Handlers, HistoryKind, Input, Op, Pattern, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Trigger};
use std::collections::BTreeSet;

impl Checker<'_> {
    pub fn handlers(&mut self, sections: &[HandlerSection], state: Option<u32>) -> Handlers {
        let mut handlers = Handlers::default();
        for section in sections {
            self.cx.scopes.push(Vec::new());
            match section {
                HandlerSection::Handler(h) => {
                    let before = self.findings.len();
                    if let Some(a) = self.handler(h, state) {
                        handlers.alternatives.push(a);
                    }
                    if self.findings.len() > before {
                        self.report_upcall_mismatch(h, state, before);
                    }
                }
                HandlerSection::Defer(g) => {
                    if let Some(a) = self.defer_or_ignore(g, "defer") {
                        handlers.defer.push(a);
                    }
                }
                // An expired timer has no level: to ignore it is to handle it by doing nothing.
                HandlerSection::Ignore(g) if self.is_timeout(g) => {
                    let (trigger, span) = (Trigger::On(g.clone()), g.span);
                    let ignoring = ast::Handler { trigger, body: Vec::new(), span };
                    handlers.alternatives.extend(self.handler(&ignoring, state));
                }
                HandlerSection::Ignore(g) => {
                    if let Some(a) = self.defer_or_ignore(g, "ignore") {
                        handlers.ignore.push(a);
                    }
                }
            }
            self.leave_scope();
        }
        handlers
    }

    /// Return whether this is `timeout(t)`, the expiry of a timer.
    fn is_timeout(&self, g: &ast::MessageGuard) -> bool {
        let named = matches!(&g.pattern, ast::Pattern::Message(name, ..) if name.text == "timeout");
        named && g.layer.is_none() && self.message_named("timeout").is_none()
    }

    pub(in crate::check) fn handler(&mut self, h: &ast::Handler, state: Option<u32>) -> Option<Alternative> {
        self.cx.becomes = false;
        let text = self.sources.slice(h.span).split("->").next().unwrap_or("").to_string();
        let action = self.named_action(one_line(&text), h.span);
        let mut observe = None;
        let (mut input, guard) = match &h.trigger {
            Trigger::When(e) => {
                let g = self.expr_as(e, &Type::Bool, "the condition after `when`");
                (Input::Condition { some: None }, Some(g))
            }
            Trigger::WhenSome { pattern, set, with } => {
                let binder = self.binder(pattern, Some(set), h.span);
                let g = with.as_ref().map(|w| self.expr_as(w, &Type::Bool, "the condition after `with`"));
                (Input::Condition { some: Some(Box::new(binder)) }, g)
            }
            Trigger::After(e) => {
                if !self.in_rounds() {
                    self.require(Need::Timers, h.span);
                }
                if state.is_none() {
                    self.error(Naming::AfterOutsideState.at(h.span));
                }
                let e = self.expr_as(e, &Type::Int, "the time after `after`");
                (Input::After(e), None)
            }
            Trigger::On(g) => {
                let (input, obs) = self.on(g)?;
                observe = obs;
                (input, self.input_guard(g.when.as_ref(), "the condition after `when`"))
            }
        };
        let entry = self.pc();
        if let Some((of, value)) = observe {
            self.emit(Op::Observe { what: HistoryKind::Upcalls, of, value });
        }
        let flow = self.block(&h.body, true);
        if flow.reaches_end {
            self.emit(Op::Finish);
        }
        self.add_mirrored_variables(&mut input);
        if matches!(input, Input::Upcall { .. }) {
            self.default_untyped_arguments();
        }
        Some(Alternative::new(input, guard, entry, action))
    }

    /// `on …`: a message, an upcall of a layer, or an event of the environment.
    #[allow(clippy::type_complexity, reason = "an input, and the layer with its condition")]
    fn on(&mut self, g: &ast::MessageGuard) -> Option<(Input, Option<(u16, Option<ir::Expr>)>)> {
        if let Some(layer) = &g.layer {
            return self.on_upcall(layer, g);
        }
        if let Some((name, args)) = g.pattern.named()
            && self.message_named(&name.text).is_none()
        {
            let event = match name.text.as_str() {
                "wakeup" => Some(Input::Wakeup),
                "arrival" => Some(Input::Arrival),
                "interaction" => {
                    self.require(Need::Interaction, name.span);
                    self.environment_args(name, args, 1);
                    // `on interaction(u, v)`: the second name is that of the responder, the first that of the initiator.
                    let responder = match args {
                        [initiator, responder] => {
                            let lost = self.infer.error_type();
                            self.binding_pattern(initiator, &lost);
                            std::slice::from_ref(responder)
                        }
                        _ => args,
                    };
                    Some(self.interaction_input(responder, g.span))
                }
                "restart" => {
                    self.require(Need::Restarts, name.span);
                    self.environment_args(name, args, 0);
                    Some(Input::Restart)
                }
                "suspect" | "trust" => {
                    self.require(Need::Detector, name.span);
                    self.environment_args(name, args, 1);
                    Some(self.detected(name, args))
                }
                "timeout" => {
                    self.require(Need::Timers, name.span);
                    self.environment_args(name, args, 1);
                    Some(self.timer_handled(name, args))
                }
                _ => None,
            };
            if let Some(input) = event {
                if matches!(input, Input::Wakeup | Input::Arrival)
                    && self.synchronizer.is_some()
                    && self.cx.comp == 0
                {
                    self.not_by_synchronizer(name.span);
                }
                if matches!(input, Input::Wakeup) {
                    self.cx.wakes = true;
                }
                return Some((input, None));
            }
        }
        let (kind, args) = self.received_message(&g.pattern)?;
        if self.in_rounds() {
            self.error(Modelling::NotInRounds("on").at(g.span));
        }
        let types = self.field_types(kind, args.len(), g.span);
        self.check_distinct_bindings(&args);
        self.reject_shadowing(&args);
        self.reject_constants_in_patterns(&args);
        let fields = self.field_patterns(kind, &args, &types);
        let from = self.sender(g.from.as_ref());
        Some((Input::Message { kind, fields, from }, None))
    }

    /// Report a name that a pattern binds twice: equality of two components is tested after `when`.
    pub fn check_distinct_bindings(&mut self, patterns: &[ast::Pattern]) {
        self.check_distinct(patterns.iter().flat_map(ast::Pattern::names), "components of this pattern");
    }

    /// Report a constant in a pattern: a name in a pattern is bound to the received value, not compared with it.
    pub fn reject_constants_in_patterns(&mut self, patterns: &[ast::Pattern]) {
        for name in patterns.iter().flat_map(ast::Pattern::names) {
            let found = self.comps[self.cx.comp].names.get(&name.text).cloned();
            let (noun, place) = match found {
                Some((Def::Case(..), place)) => (Noun::Case, place),
                Some((Def::Const(_), place)) => (Noun::Constant, place),
                Some((Def::Param(_), place)) => (Noun::Parameter, place),
                _ => continue,
            };
            self.error(
                Naming::PatternHides(name.text.clone(), noun).at(name.span).related(place, Label::Declared),
            );
        }
    }

    /// Report a name that a pattern binds anew and that a variable has.
    pub(in crate::check) fn reject_shadowing(&mut self, patterns: &[ast::Pattern]) {
        for name in patterns.iter().flat_map(ast::Pattern::names) {
            if let Some(local) = self.variable(&name.text) {
                let place = self.cx.locals[local as usize].span;
                self.error(
                    Naming::PatternHidesVariable(name.text.clone())
                        .at(name.span)
                        .related(place, Label::Variable),
                );
            }
        }
    }

    /// Return the layer with this name below the current component.
    pub(in crate::check) fn layer_by_alias(&self, name: &str) -> Option<usize> {
        self.comps[self.cx.comp].layers.iter().find(|(n, _)| *n == name).map(|(_, c)| *c)
    }

    #[allow(clippy::type_complexity, reason = "an input, and the layer with its condition")]
    fn on_upcall(
        &mut self,
        layer: &ast::Name,
        g: &ast::MessageGuard,
    ) -> Option<(Input, Option<(u16, Option<ir::Expr>)>)> {
        let Some(component) = self.layer_by_alias(&layer.text) else {
            let d = Naming::Unknown(Noun::Layer, layer.text.clone()).at(layer.span);
            let known: Vec<String> = self.comps[self.cx.comp].layers.iter().map(|(n, _)| n.clone()).collect();
            self.error(d.nearest(&layer.text, &known, Hint::NameLayer));
            return None;
        };
        let Some((name, args)) = g.pattern.named() else {
            self.error(Behaviour::UpcallWithoutName.at(g.span));
            return None;
        };
        if !self.calls_up(component, &name.text) {
            let called = self.upcalls_of(component);
            let d = Naming::NotInLayer(layer.text.clone(), Noun::Upcall, name.text.clone()).at(name.span);
            self.error(d.hint(Hint::are("its upcalls", &called)));
        }
        self.check_upcall_arity(component, layer, name, args, g.span);
        self.check_distinct_bindings(args);
        self.reject_shadowing(args);
        let types = self.upcall_types(component, &name.text, args);
        let args: Vec<Pattern> = args.iter().zip(&types).map(|(p, t)| self.binding_pattern(p, t)).collect();
        let mut observe = None;
        if self.comps[self.cx.comp].is_problem
            && let Some(of) = self.upcalls.iter().position(|u| *u == name.text)
        {
            let value = match args.first() {
                Some(Pattern::Slot(s)) => {
                    let ty = types[0].clone();
                    Some(self.make(ir::ExprKind::Slot(*s), ty, g.span))
                }
                _ => None,
            };
            observe = Some((of as u16, value));
        }
        Some((Input::Upcall { component: component as u16, name: name.text.clone(), args }, observe))
    }

    /// Report a handler that takes more values than the layer's upcall passes. For handlers of a problem, this is reported at the
    /// call.
    fn check_upcall_arity(
        &mut self,
        component: usize,
        layer: &ast::Name,
        name: &ast::Name,
        args: &[ast::Pattern],
        span: Span,
    ) {
        if self.comps[self.cx.comp].is_problem {
            return;
        }
        let Some(known) = self.upcall_args.get(&(component, name.text.clone())).cloned() else { return };
        if known.len() >= args.len() {
            return;
        }
        let types: Vec<String> = known.iter().map(|ty| self.type_words(ty)).collect();
        let d = Typing::HandlerTakes(name.text.clone(), layer.text.clone(), known.len(), args.len()).at(span);
        self.error(d.hint((!types.is_empty()).then_some(Hint::ItPasses(types))));
    }

    fn calls_up(&self, component: usize, upcall: &str) -> bool {
        // A problem handles upcalls that its algorithm may omit; checked on its own, a problem does not even know the algorithm.
        self.comps[self.cx.comp].is_problem || self.upcalls_of(component).iter().any(|u| u == upcall)
    }

    /// Return the upcalls that a component makes.
    fn upcalls_of(&self, component: usize) -> Vec<String> {
        let calls = self.names.calls_in(self.comps[component].unit).map(|used| self.names.decl(used.decl));
        let called: BTreeSet<&String> = calls.filter(|d| d.kind == Kind::Upcall).map(|d| &d.name).collect();
        called.into_iter().cloned().collect()
    }

    /// Return the types that an upcall passes: payloads are values; other arguments have the types that the layer passes. If it
    /// passes nothing, the handler determines them. A problem file checked on its own does not know its algorithm, so its
    /// argument types stay open.
    fn upcall_types(&mut self, component: usize, name: &str, args: &[ast::Pattern]) -> Vec<Type> {
        if let Some(types) = self.trial_argument_types.take() {
            return types;
        }
        let key = (component, name.to_string());
        let called = self.upcall_args.contains_key(&key);
        let known = self.upcall_args.get(&key).cloned().unwrap_or_default();
        let unknown = |this: &mut Self, pattern: &ast::Pattern| match pattern {
            ast::Pattern::Name(n) if this.message_named(&n.text).is_some() => Type::Value,
            ast::Pattern::Message(..) => Type::Value,
            _ if this.units[0].is_problem => this.infer.error_type(),
            // More arguments than the call passes.
            _ if called => Type::Value,
            _ => this.infer.fresh(),
        };
        (args.iter().enumerate())
            .map(|(i, pattern)| match known.get(i).filter(|_| !self.units[0].is_problem) {
                Some(ty) => ty.clone(),
                None => unknown(self, pattern),
            })
            .collect()
    }

    /// Treat an argument that no call passes, and whose type the handler leaves open, as a payload.
    fn default_untyped_arguments(&mut self) {
        for (_, l) in self.cx.scopes.last().cloned().unwrap_or_default() {
            let ty = self.cx.locals[l as usize].ty.clone();
            if matches!(self.infer.head(&ty), Type::Unknown(_)) && !self.infer.is_error_type(&ty) {
                self.infer.unify(&ty, &Type::Value);
            }
        }
    }

    /// `defer M(l) from p when l > level`, `ignore M when g`
    fn defer_or_ignore(&mut self, g: &ast::MessageGuard, word: &'static str) -> Option<Alternative> {
        let action = self.named_action(one_line(self.sources.slice(g.span)), g.span);
        // `ignore M` without fields ignores all of them.
        let (kind, args) = self.received_message(&g.pattern)?;
        if g.layer.is_some() {
            self.error(Behaviour::NotForUpcalls(word).at(g.span));
            return None;
        }
        let types = if args.is_empty() { Vec::new() } else { self.field_types(kind, args.len(), g.span) };
        let fields = self.field_patterns(kind, &args, &types);
        let from = self.sender(g.from.as_ref());
        let guard = self.input_guard(g.when.as_ref(), "the condition after `when`");
        let entry = self.pc();
        self.emit(Op::Finish);
        Some(Alternative::new(Input::Message { kind, fields, from }, guard, entry, action))
    }
}
