//! Name resolution in clauses, statements and patterns.

use super::resolve::Resolver;
use super::scope::Space;
use super::{Access, BareValues, Decl, EVENTS, Kind};
use crate::check::vocabulary::PREDEFINED;
use crate::syntax::ast::*;

impl Resolver<'_> {
    pub fn clause_kind(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Algorithm { variant_of, solves, .. } => {
                self.header(variant_of.as_ref(), solves.as_ref())
            }
            ClauseKind::Problem { params, .. } => {
                for option in params {
                    let id = self.names.declared_at(option.name.span);
                    if let (Some(id), Some(default)) = (id, &option.default) {
                        self.choice(id, default);
                    }
                }
            }
            ClauseKind::Assumes(list) => list.iter().for_each(|a| self.assumption(a)),
            ClauseKind::Uses(list) => list.iter().for_each(|u| self.layer_used(u)),
            ClauseKind::Message(list) => list.iter().for_each(|m| self.types_of(&m.fields)),
            ClauseKind::Record { fields, .. } => self.types_of(fields),
            ClauseKind::Const { ty, value, .. } => {
                self.type_option(ty);
                self.expr(value);
            }
            ClauseKind::Param { ty, default, .. } => {
                self.global = true;
                self.type_option(ty);
                default.iter().for_each(|e| self.expr(e));
            }
            ClauseKind::Var { ty, init, output, .. } => {
                self.type_option(ty);
                self.global = *output;
                init.iter().for_each(|e| self.expr(e));
            }
            ClauseKind::Function { params, result, body, .. } => {
                self.params(params);
                self.type_option(result);
                // Functions can be called from anywhere, so their bodies see what properties see.
                self.global = true;
                self.expr(body);
            }
            ClauseKind::Procedure { params, body, .. } => {
                self.params(params);
                self.block(body);
            }
            ClauseKind::Operation { params, body, .. } => {
                self.params(params);
                self.block(body);
            }
            ClauseKind::Client { body } => self.block(body),
            ClauseKind::Role { name } => {
                self.use_found(name);
            }
            ClauseKind::State { names, body, .. } => {
                for name in names {
                    self.use_declared(Space::States, name, Access::Read);
                }
                self.block(body);
            }
            ClauseKind::Handler(handler) => self.handler(handler),
            ClauseKind::Defer(list) | ClauseKind::Ignore(list) => {
                for guard in list {
                    let end = self.clause.end;
                    self.block_to(end, |this| this.message_guard(guard));
                }
            }
            ClauseKind::Stamps { variable } => {
                self.reference(variable, Access::Read);
            }
            ClauseKind::View(view) => {
                for viewed in &view.of {
                    self.use_found(&viewed.name);
                    if let Some(field) = &viewed.field {
                        let fields = self.record_fields(&field.text);
                        self.add_uses(field.span, &fields, Access::Read);
                    }
                }
            }
            ClauseKind::Property(property) => self.property(property),
            ClauseKind::Scenario(scenario) => self.scenario(scenario),
            ClauseKind::Enum { .. } | ClauseKind::Always => {}
        }
    }

    fn header(&mut self, base: Option<&Name>, solves: Option<&ProblemUse>) {
        let unit = &self.loaded.units[self.unit];
        let after = unit.parsed.iter().skip_while(|(file, _)| *file != self.file).nth(1);
        if let (Some(name), Some(id)) = (base, after.and_then(|(file, _)| self.headers[*file as usize])) {
            self.add_use(name.span, id, Access::Read);
        }
        let Some(solves) = solves else { return };
        let is_it = |own: &ProblemUse| own.name.span == solves.name.span;
        let problem = unit.problem.filter(|_| unit.solves.as_ref().is_some_and(is_it));
        if let Some(id) = problem.and_then(|problem| self.header_of(problem)) {
            self.add_use(solves.name.span, id, Access::Read);
        }
        for (key, choice) in &solves.args {
            let option = problem.and_then(|unit| self.scopes[unit].common.get(Space::Values, &key.text));
            if let Some(id) = option.filter(|id| self.names.decl(*id).kind == Kind::Option) {
                self.add_use(key.span, id, Access::Write);
                self.choice(id, choice);
            }
        }
        for name in &solves.without {
            self.property_name(name);
        }
    }

    fn choice(&mut self, option: usize, choice: &Name) {
        let found = self.names.parts_of(option).find(|(_, d)| d.name == choice.text).map(|(id, _)| id);
        if let Some(id) = found {
            self.add_use(choice.span, id, Access::Read);
        }
    }

    pub fn property_name(&mut self, name: &Name) {
        if let Some(id) = self.find_in(self.unit, &name.text, |s| &s.properties) {
            self.add_use(name.span, id, Access::Read);
        }
    }

    fn assumption(&mut self, assumption: &Assumption) {
        self.global = true;
        match &assumption.words[..] {
            [one, name] if one.text == "one" || one.text == "oracle" => {
                self.use_found(name);
            }
            _ => {}
        }
        if let Some((_, bound)) = &assumption.bound {
            self.expr(bound);
        }
    }

    fn layer_used(&mut self, used: &Use) {
        let alias = used.name();
        if let Some(unit) = self.layer_unit(&alias.text) {
            if let Some(id) = self.header_of(unit) {
                self.add_use(used.algorithm.span, id, Access::Read);
            }
            for (key, _) in &used.args {
                if let Some(id) = self.scopes[unit].common.get(Space::Values, &key.text) {
                    self.add_use(key.span, id, Access::Write);
                }
            }
        }
        self.global = true;
        used.args.iter().for_each(|(_, e)| self.expr(e));
    }

    /// Resolve types and defaults of fields, which bind nothing.
    fn types_of(&mut self, params: &[Param]) {
        for param in params {
            self.type_option(&param.ty);
            param.default.iter().for_each(|e| self.expr(e));
        }
    }

    fn params(&mut self, params: &[Param]) {
        self.types_of(params);
        for param in params {
            if let Some(id) = self.bind(&param.name, Kind::Parameter) {
                self.names.decls[id].written = param.ty.as_ref().map(|ty| ty.span);
            }
        }
    }

    pub fn type_option(&mut self, ty: &Option<TypeExpr>) {
        ty.iter().for_each(|t| self.type_expr(t));
    }

    pub fn type_expr(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeExprKind::Name(name) => {
                self.use_declared(Space::Types, name, Access::Read);
            }
            TypeExprKind::Set(t)
            | TypeExprKind::List(t)
            | TypeExprKind::Queue(t)
            | TypeExprKind::Option(t) => {
                self.type_expr(t);
            }
            TypeExprKind::Map(k, v) => {
                self.type_expr(k);
                self.type_expr(v);
            }
            TypeExprKind::Tuple(parts) => parts.iter().for_each(|t| self.type_expr(t)),
            TypeExprKind::Range(low, high) => {
                self.expr(low);
                self.expr(high);
            }
        }
    }

    // ------------------------------------------------------------------ handlers

    fn handler(&mut self, handler: &Handler) {
        match &handler.trigger {
            Trigger::On(guard) => self.message_guard(guard),
            Trigger::When(e) | Trigger::After(e) => self.expr(e),
            Trigger::WhenSome { pattern, set, with } => {
                self.expr(set);
                self.bind_for_reading(|this| this.binding(pattern, Kind::Local));
                with.iter().for_each(|e| self.expr(e));
            }
        }
        self.block(&handler.body);
    }

    fn message_guard(&mut self, guard: &MessageGuard) {
        match &guard.layer {
            Some(layer) => self.upcall_taken(layer, &guard.pattern),
            None => self.taken(&guard.pattern),
        }
        self.origin(guard.from.as_ref());
        guard.when.iter().for_each(|e| self.expr(e));
    }

    /// Resolve `on M(x)`: a message, or an event of the environment. Its names are always new.
    pub fn taken(&mut self, pattern: &Pattern) {
        let (name, args): (&Name, &[Pattern]) = match pattern {
            Pattern::Name(name) => (name, &[]),
            Pattern::Message(name, args, _) => (name, args),
            other => {
                self.bare_values().taken = true;
                return self.binding(other, Kind::Local);
            }
        };
        let is_message = self.message(name, Access::Take);
        if !is_message && name.text == "timeout" {
            if let Some(Pattern::Name(timer)) = args.first() {
                self.timer(timer, Access::Take);
            }
            return;
        }
        if !is_message && matches!(pattern, Pattern::Name(_)) {
            let capital = name.text.starts_with(|c: char| c.is_ascii_uppercase());
            if !EVENTS.contains(&name.text.as_str()) && !capital {
                self.bare_values().taken = true;
                self.bind(name, Kind::Local);
            }
            return;
        }
        args.iter().for_each(|p| self.binding(p, Kind::Local));
    }

    /// Resolve `on Data.deliver(Item(i, m), j)`.
    fn upcall_taken(&mut self, layer: &Name, pattern: &Pattern) {
        let found = self.layer(&layer.text);
        found.iter().for_each(|id| self.add_use(layer.span, *id, Access::Read));
        let (Pattern::Name(name) | Pattern::Message(name, ..)) = pattern else { return };
        if let Some(unit) = self.layer_unit(&layer.text) {
            if let Some(id) = self.upcall_of(unit, &name.text) {
                self.add_use(name.span, id, Access::Take);
            }
        } else if let Some(id) = self.scopes[self.unit].upcalls.get(&name.text).copied() {
            self.add_use(name.span, id, Access::Take);
        }
        if let Pattern::Message(_, args, _) = pattern {
            args.iter().for_each(|p| self.binding(p, Kind::Local));
        }
    }

    /// Return the layer of that name, as its user declares it.
    pub fn layer(&self, alias: &str) -> Option<super::DeclId> {
        self.scopes[self.unit].layers.get(alias).copied()
    }

    /// Return the unit of the layer of that name.
    pub fn layer_unit(&self, alias: &str) -> Option<usize> {
        let unit = &self.loaded.units[self.unit];
        let mut layers = unit.uses.iter().zip(&unit.layers);
        let is_it = |used: &Use| used.name().text == alias;
        layers.find(|(used, _)| is_it(used)).and_then(|(_, unit)| *unit)
    }

    fn header_of(&self, unit: usize) -> Option<super::DeclId> {
        self.headers[self.loaded.units[unit].file as usize]
    }

    fn upcall_of(&self, unit: usize, name: &str) -> Option<usize> {
        self.find_in(unit, name, |s| &s.upcalls)
    }

    /// Resolve a timer, which its first use declares.
    pub fn timer(&mut self, name: &Name, access: Access) {
        let known = self.find_in(self.unit, &name.text, |s| &s.timers);
        let id = known.unwrap_or_else(|| {
            let id = self.add(self.decl(Kind::Timer, name));
            self.scopes[self.unit].timers.insert(name.text.clone(), id);
            id
        });
        self.add_use(name.span, id, access);
    }

    pub fn origin(&mut self, from: Option<&Origin>) {
        match from {
            Some(Origin::Whom(e)) => match &e.kind {
                // An undeclared name is bound to the sender.
                ExprKind::Name(name)
                    if self.local(&name.text).is_none()
                        && self.declared(Space::Values, &name.text).is_empty()
                        && !PREDEFINED.contains(&name.text.as_str()) =>
                {
                    self.bind(name, Kind::Local);
                }
                _ => self.expr(e),
            },
            Some(Origin::Each { name, set }) => {
                self.expr(set);
                self.bind(name, Kind::Local);
            }
            None => {}
        }
    }

    // ------------------------------------------------------------------ patterns

    /// Resolve a pattern whose names are new.
    pub fn binding(&mut self, pattern: &Pattern, kind: Kind) {
        match pattern {
            Pattern::Wildcard(_) | Pattern::Literal(_) => {}
            Pattern::Name(name) => {
                // The payload may be a message without fields.
                if !self.message(name, Access::Take) {
                    self.bind(name, kind);
                }
            }
            Pattern::Message(name, args, _) => {
                self.message(name, Access::Take);
                args.iter().for_each(|p| self.binding(p, kind));
            }
            Pattern::Tuple(parts, _) => parts.iter().for_each(|p| self.binding(p, kind)),
            Pattern::Place(e) => self.expr(e),
        }
    }

    /// Resolve a pattern of `receive`: variables are assigned, other names are new.
    fn input(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => match self.is_variable(&name.text) {
                true => self.assigned(name),
                false => self.bind_for_reading(|this| this.binding(pattern, Kind::Local)),
            },
            Pattern::Place(e) => self.target(e),
            Pattern::Tuple(parts, _) => parts.iter().for_each(|p| self.input(p)),
            other => self.bind_for_reading(|this| this.binding(other, Kind::Local)),
        }
    }

    /// Bind names that must be read.
    fn bind_for_reading(&mut self, bind: impl FnOnce(&mut Self)) {
        self.must_be_read = true;
        bind(self);
        self.must_be_read = false;
    }

    fn receive(&mut self, receive: &Receive) {
        if let Some(Origin::Each { .. }) = &receive.from {
            self.origin(receive.from.as_ref());
        }
        match &receive.pattern {
            Pattern::Message(name, args, _) => {
                self.message(name, Access::Take);
                args.iter().for_each(|p| self.input(p));
            }
            Pattern::Name(name) if self.message(name, Access::Take) => {}
            other => {
                self.bare_values().taken = true;
                self.input(other);
            }
        }
        if let Some(Origin::Whom(_)) = &receive.from {
            self.origin(receive.from.as_ref());
        }
    }

    // ------------------------------------------------------------------ statements

    pub fn block(&mut self, block: &Block) {
        let end = self.ends.last().copied().unwrap_or(self.clause.end);
        self.block_to(end, |this| block.iter().for_each(|stmt| this.statement(stmt)));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, values } => {
                values.iter().for_each(|e| self.expr(e));
                targets.iter().flat_map(Expr::places).for_each(|e| self.target(e));
            }
            StmtKind::Send { what, to } => {
                self.sent(what);
                to.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Transmit(e) => self.sent(e),
            StmtKind::Await(e) => self.condition(e),
            StmtKind::Receive(receive) => self.receive(receive),
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                for branch in branches {
                    self.branch(branch);
                }
            }
            StmtKind::For { pattern, set, body } => {
                self.expr(set);
                self.block_to(stmt.span.end, |this| {
                    this.binding(pattern, Kind::Local);
                    this.block(body);
                });
            }
            StmtKind::Become(name) => {
                self.use_declared(Space::States, name, Access::Call);
            }
            StmtKind::Call { layer, name, args } => {
                self.call(layer.as_ref(), name, args);
                args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Remove { what, from } => {
                self.expr(what);
                self.target(from);
            }
            StmtKind::Choose { name, set } => {
                self.expr(set);
                self.assigned(name);
            }
            StmtKind::SetTimer { name, after } => {
                self.timer(name, Access::Write);
                self.expr(after);
            }
            StmtKind::CancelTimer(name) => self.timer(name, Access::Read),
            StmtKind::Skip | StmtKind::Halt | StmtKind::Pause | StmtKind::Round | StmtKind::Listen => {}
        }
    }

    fn branch(&mut self, branch: &Branch) {
        let outer = self.extent;
        self.block_to(branch.span.end, |this| {
            this.extent = Some(branch.span);
            match &branch.guard {
                Guard::Otherwise(_) => {}
                Guard::Condition(e) => this.condition(e),
                Guard::After(e) => this.expr(e),
                Guard::Receive(receive, when) => {
                    this.receive(receive);
                    when.iter().for_each(|e| this.expr(e));
                }
            }
            this.extent = outer;
            this.block(&branch.body);
        });
    }

    /// Resolve a message or a value that is sent.
    fn sent(&mut self, what: &Expr) {
        let name = match &what.kind {
            ExprKind::Name(name) if !self.is_variable(&name.text) => Some(name),
            ExprKind::Call { layer: None, name, .. } => Some(name),
            _ => None,
        };
        let found = name.and_then(|name| self.declared(Space::Values, &name.text).first().copied());
        if found.is_none_or(|id| self.names.decl(id).kind != Kind::Message) {
            self.bare_values().sent = true;
        }
        self.expr(what);
    }

    pub fn bare_values(&mut self) -> &mut BareValues {
        &mut self.names.bare_values[self.unit]
    }

    /// Resolve a name that is assigned. Unless it can only denote something else, it is new.
    fn assigned(&mut self, name: &Name) {
        let found = match self.local(&name.text) {
            Some(local) => vec![local],
            None => self.declared(Space::Values, &name.text),
        };
        let found = match found.is_empty() {
            true => self.declared(Space::States, &name.text),
            false => found,
        };
        let kind = found.first().map(|id| self.names.decl(*id).kind);
        match kind.filter(|kind| *kind != Kind::Record && !kind.is_of_types()) {
            Some(_) => self.add_uses(name.span, &found, Access::Write),
            None if PREDEFINED.contains(&name.text.as_str()) => {}
            None => self.bind_for_reading(|this| {
                this.bind(name, Kind::Local);
            }),
        }
    }

    /// Resolve the target of an assignment. A new name is local to the rest of the block.
    fn target(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => self.assigned(name),
            ExprKind::Index(base, index) => {
                self.target(base);
                self.expr(index);
            }
            ExprKind::Field(base, field) => {
                self.target(base);
                self.field(base, field, Access::Write);
            }
            _ => self.expr(e),
        }
    }

    /// Resolve a call of a procedure, of an own operation, of a layer's operation, or of an upcall.
    fn call(&mut self, layer: Option<&Name>, name: &Name, _args: &[Expr]) {
        if let Some(layer) = layer {
            let unit = self.layer_unit(&layer.text);
            let known = self.layer(&layer.text);
            known.iter().for_each(|id| self.add_use(layer.span, *id, Access::Read));
            let operation = unit.and_then(|unit| self.find_in(unit, &name.text, |s| &s.operations));
            if layer.text == "algorithm" && self.loaded.units[0].problem == Some(self.unit) {
                let operations = self.in_all_roles(0, Space::Routines, &name.text);
                self.add_uses(name.span, &operations, Access::Call);
            }
            operation.iter().for_each(|id| self.add_use(name.span, *id, Access::Call));
            return;
        }
        let found = self.declared(Space::Routines, &name.text);
        if !found.is_empty() {
            return self.add_uses(name.span, &found, Access::Call);
        }
        if self.unit == 0 && self.upcall_of(0, &name.text).is_none() {
            return drop(self.reference(name, Access::Call));
        }
        // The first call of an upcall declares it.
        let id = self.upcall_of(self.unit, &name.text).unwrap_or_else(|| {
            let id = self.add(Decl { role: None, ..self.decl(Kind::Upcall, name) });
            self.scopes[self.unit].upcalls.insert(name.text.clone(), id);
            id
        });
        self.add_use(name.span, id, Access::Call);
    }
}
