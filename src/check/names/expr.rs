//! Name resolution in expressions, properties and scenarios.

use super::resolve::Resolver;
use super::scope::Space;
use super::{Access, DeclId, Kind};
use crate::check::vocabulary::FUNCTIONS;
use crate::ir::HistoryKind;
use crate::syntax::ast::*;

impl Resolver<'_> {
    pub fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => {
                if self.reference(name, Access::Read).is_empty() && name.text == "received" {
                    self.bare_values().all_taken = true;
                }
            }
            ExprKind::Binary(BinaryOp::In, a, b) => self.membership(a, b),
            ExprKind::Binary(BinaryOp::NotIn, a, b) => {
                self.compared(a);
                self.compared_with_elements(b);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                [a, b].into_iter().for_each(|x| self.compared(x))
            }
            ExprKind::Field(base, field) => {
                if !self.part_of_layer(base, field) {
                    self.expr(base);
                    self.field(base, field, Access::Read);
                }
            }
            ExprKind::Call { layer, name, args } => {
                if layer.is_none() {
                    self.callable(name);
                }
                args.iter().for_each(|x| self.expr(x));
            }
            ExprKind::Filter { pattern, set, condition, .. } => {
                self.expr(set);
                self.block_to(e.span.end, |this| {
                    this.binding(pattern, Kind::Local);
                    this.expr(condition);
                });
            }
            ExprKind::Comprehension { element, binders, condition, .. } => {
                self.block_to(e.span.end, |this| {
                    this.binders(binders);
                    // The element precedes the names that it refers to.
                    this.see_from(e.span.start);
                    condition.iter().for_each(|c| this.expr(c));
                    this.expr(element);
                });
            }
            ExprKind::Quantified { binders, with, body, .. } => {
                self.block_to(e.span.end, |this| {
                    this.binders(binders);
                    with.iter().for_each(|w| this.expr(w));
                    this.expr(body);
                });
            }
            ExprKind::Best { pattern, set, with, by, .. } => {
                self.expr(set);
                self.block_to(e.span.end, |this| {
                    this.binding(pattern, Kind::Local);
                    with.iter().chain(by).for_each(|x| this.expr(x));
                });
            }
            ExprKind::Arrived { pattern, from, when } => {
                self.block_to(e.span.end, |this| this.received(pattern, from.as_deref(), when.as_deref()));
            }
            ExprKind::Metric { of, per, .. } => {
                self.measured(of);
                per.iter().for_each(|name| self.operation_name(name));
            }
            ExprKind::History { what, of } => match what {
                HistoryKind::Upcalls => {
                    if let Some(id) = self.find_in(self.unit, &of.text, |s| &s.upcalls) {
                        self.add_use(of.span, id, Access::Read);
                    }
                }
                _ => self.operation_name(of),
            },
            kind => kind.parts(&mut |part| self.expr(part)),
        }
    }

    /// Resolve what a metric counts: messages, a layer, or messages of a layer.
    fn measured(&mut self, of: &[Name]) {
        match of {
            [message] => {
                let mut found = self.find(&message.text);
                found.extend(self.layer(&message.text).filter(|_| found.is_empty()));
                self.add_uses(message.span, &found, Access::Read);
            }
            [alias, rest @ ..] => {
                let layer = self.layer(&alias.text);
                layer.iter().for_each(|id| self.add_use(alias.span, *id, Access::Read));
                if let ([message], Some(unit)) = (rest, self.layer_unit(&alias.text)) {
                    let found = self.scopes[unit].common.get(Space::Values, &message.text);
                    found.iter().for_each(|id| self.add_use(message.span, *id, Access::Read));
                }
            }
            [] => {}
        }
    }

    /// Make the names of the innermost block visible from here on.
    fn see_from(&mut self, start: u32) {
        let names: Vec<DeclId> = self.locals.last().into_iter().flatten().map(|(_, id)| *id).collect();
        for id in names {
            if let Some(visible) = &mut self.names.decls[id].visible {
                visible.start = start;
            }
        }
    }

    /// Resolve binders in order. `p, q in S` gives S to both.
    pub fn binders(&mut self, binders: &[Binder]) {
        for (i, binder) in binders.iter().enumerate() {
            let set = binders[i..].iter().find_map(|b| b.set.as_ref());
            set.into_iter().for_each(|set| self.expr(set));
            self.binding(&binder.pattern, Kind::Local);
        }
    }

    /// Resolve a called message, record or function. Locals do not hide them.
    fn callable(&mut self, name: &Name) {
        let found = self.declared(Space::Values, &name.text);
        let kind = found.first().map(|id| self.names.decl(*id).kind);
        match kind {
            Some(Kind::Message) if !self.global => self.add_uses(name.span, &found, Access::Send),
            Some(Kind::Message | Kind::Record | Kind::Function) => {
                self.add_uses(name.span, &found, Access::Read);
            }
            _ if FUNCTIONS.contains(&name.text.as_str()) => {}
            _ => drop(self.reference(name, Access::Read)),
        }
    }

    fn membership(&mut self, a: &Expr, b: &Expr) {
        match (&a.kind, &b.kind) {
            // `M in received`
            (ExprKind::Name(message), ExprKind::Name(set))
                if set.text == "received" && !self.is_variable(&message.text) =>
            {
                self.message(message, Access::Take);
            }
            // `p in relay`: the state hides other declarations of its name.
            (_, ExprKind::Name(state)) if self.global && self.local(&state.text).is_none() => {
                self.expr(a);
                match self.declared(Space::States, &state.text) {
                    found if found.is_empty() => self.expr(b),
                    found => self.add_uses(state.span, &found, Access::Read),
                }
            }
            _ => {
                self.compared(a);
                self.compared_with_elements(b);
            }
        }
    }

    /// Resolve an operand of a comparison.
    fn compared(&mut self, e: &Expr) {
        let found = match &e.kind {
            ExprKind::Name(name) => self.find(&name.text),
            _ => Vec::new(),
        };
        match found.first() {
            Some(id) if self.names.decl(*id).kind == Kind::Case => {
                self.add_uses(e.span, &found, Access::Compare)
            }
            _ => self.expr(e),
        }
    }

    /// Resolve the right side of `in`: the elements of a display are compared with the left side.
    fn compared_with_elements(&mut self, set: &Expr) {
        match &set.kind {
            ExprKind::Set(elements) | ExprKind::List(elements) => {
                elements.iter().for_each(|x| self.compared(x))
            }
            _ => self.expr(set),
        }
    }

    /// Resolve a guard: the command sees the names that `received M(x)` binds in it, or in an operand of its `and`.
    pub fn condition(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Arrived { pattern, from, when } => {
                self.received(pattern, from.as_deref(), when.as_deref());
            }
            ExprKind::Binary(BinaryOp::And, a, b) if binds(a) || binds(b) => {
                self.condition(a);
                self.condition(b);
            }
            _ => self.expr(e),
        }
    }

    fn received(&mut self, pattern: &Pattern, from: Option<&Origin>, when: Option<&Expr>) {
        self.taken(pattern);
        self.origin(from);
        when.into_iter().for_each(|w| self.expr(w));
    }

    /// Resolve the operation that a problem's client calls, or its alias.
    fn operation_name(&mut self, name: &Name) {
        // Costs count calls of the problem's operations.
        let family = || self.family(self.unit);
        let of_problem = family().filter(|unit| self.loaded.units[*unit].is_problem);
        let found =
            of_problem.chain(family()).find_map(|unit| self.scopes[unit].operations.get(&name.text).copied());
        found.iter().for_each(|id| self.add_use(name.span, *id, Access::Read));
    }

    /// Resolve `p.x`: a variable of a process, or a field of a record.
    pub fn field(&mut self, base: &Expr, field: &Name, access: Access) {
        let variables = self.variables(self.unit, &field.text);
        let of_records = self.record_fields(&field.text);
        let of_record = match (variables.is_empty(), of_records.is_empty()) {
            (_, true) => false,
            (true, false) => true,
            (false, false) => self.has_record(base),
        };
        match of_record {
            true => self.add_uses(field.span, &of_records, access),
            false => self.add_uses(field.span, &variables, access),
        }
    }

    /// Resolve `Vote.elected` or `p.Vote.elected`: an output or a variable of a layer. Return false for anything else.
    fn part_of_layer(&mut self, base: &Expr, field: &Name) -> bool {
        let (process, alias) = match &base.kind {
            ExprKind::Name(alias) => (None, alias),
            ExprKind::Field(process, alias) => (Some(process), alias),
            _ => return false,
        };
        let (layer, unit) = (self.layer(&alias.text), self.layer_unit(&alias.text));
        let (Some(layer), Some(unit)) = (layer, unit) else { return false };
        process.into_iter().for_each(|process| self.expr(process));
        self.add_use(alias.span, layer, Access::Read);
        let variables = self.variables(unit, &field.text);
        self.add_uses(field.span, &variables, Access::Read);
        true
    }

    /// Return the fields of that name in records of the unit and its problem.
    pub fn record_fields(&self, name: &str) -> Vec<DeclId> {
        self.family(self.unit)
            .filter_map(|unit| self.scopes[unit].record_fields.get(name))
            .flatten()
            .copied()
            .collect()
    }

    /// Return whether the declared type of a name is a record. Inferred types are unknown here.
    fn has_record(&self, base: &Expr) -> bool {
        let name = match &base.kind {
            ExprKind::Name(name) => name,
            ExprKind::Field(_, name) => name,
            ExprKind::Index(of, _) => return self.has_record(of),
            _ => return false,
        };
        let found = match &base.kind {
            ExprKind::Name(_) => self.find(&name.text),
            _ => self.variables(self.unit, &name.text),
        };
        let Some(ty) = found.first().and_then(|id| self.names.decl(*id).written) else { return false };
        let ty = self.loaded.sources.slice(ty);
        let last = ty.trim_end_matches('?').rsplit(' ').next().unwrap_or_default();
        self.names.decls.iter().any(|d| d.kind == Kind::Record && d.name == last)
    }

    // ------------------------------------------------------------------ properties and scenarios

    pub fn property(&mut self, property: &Property) {
        self.global = true;
        self.binders(&property.each);
        self.expr(&property.body);
        property.then.iter().for_each(|e| self.expr(e));
    }

    pub fn scenario(&mut self, scenario: &Scenario) {
        self.global = true;
        // Names first: other settings may refer to them.
        for (key, value) in scenario.with.iter().filter(|(key, _)| key.text == "names") {
            let Some(ExprKind::List(items)) = value.as_ref().map(|v| &v.kind) else { continue };
            for item in items {
                let ExprKind::Name(name) = &item.kind else { continue };
                let Some(id) = self.bind(name, Kind::Process) else { continue };
                if let Some(visible) = &mut self.names.decls[id].visible {
                    visible.start = key.span.start;
                }
            }
        }
        for (key, value) in scenario.with.iter().filter(|(key, _)| key.text != "names") {
            let param = self.find(&key.text);
            let is_param = |id: &DeclId| self.names.decl(*id).kind == Kind::Param;
            if param.first().is_some_and(is_param) {
                self.add_uses(key.span, &param, Access::Write);
            }
            value.iter().for_each(|e| self.expr(e));
        }
        scenario.lines.iter().for_each(|line| self.line(line));
    }

    fn process(&mut self, name: &Name) {
        if let Some(id) = self.local(&name.text) {
            self.add_use(name.span, id, Access::Read);
        }
    }

    fn processes<'n>(&mut self, names: impl IntoIterator<Item = &'n Name>) {
        names.into_iter().for_each(|name| self.process(name));
    }

    fn message_name(&mut self, name: Option<&Name>) {
        name.iter().for_each(|name| {
            self.message(name, Access::Read);
        });
    }

    fn line(&mut self, line: &ScenarioLine) {
        use ScenarioLineKind as L;
        match &line.kind {
            L::Initially { target, value } => {
                self.expr(target);
                self.expr(value);
            }
            L::Hold { from, to, message } => {
                self.processes(from.iter().chain(to));
                self.message_name(message.as_ref());
            }
            L::Release { link } => self.processes(link.iter().flat_map(|(a, b)| [a, b])),
            L::Deliver { from, to, message }
            | L::Lose { from, to, message }
            | L::Duplicate { from, to, message } => {
                self.processes([from, to]);
                self.message_name(message.as_ref());
            }
            L::Act { process, operation, args } => {
                self.process(process);
                self.operation_name(operation);
                args.iter().for_each(|e| self.expr(e));
            }
            L::Note { from, to, .. } | L::Cut { from, to } => self.processes([from, to]),
            L::Wake(names) | L::Step(names) => self.processes(names),
            L::Choose { process, value: e } | L::ChooseOption { process, number: e } => {
                self.process(process);
                self.expr(e);
            }
            L::Crash { process, before_send } => {
                self.process(process);
                if let Some((message, to)) = before_send {
                    self.message_name(message.as_ref());
                    self.processes(to);
                }
            }
            L::Restart(name) | L::Mislead(name) | L::Expire(name) => self.process(name),
            L::Suspect { process, at, .. } => self.processes([process, at]),
            L::Delay { from, to, message, delay } => {
                self.processes([from, to]);
                self.message_name(message.as_ref());
                self.expr(delay);
            }
            L::At(e) | L::Expect(e) => self.expr(e),
            L::ExpectVerdict { property, .. } => self.property_name(property),
            L::Cycle | L::ExpectAgain | L::ExpectOutcome(_) => {}
        }
    }
}

/// Return whether this condition, or an operand of its `and`, binds names for a command.
pub fn binds(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Arrived { .. } => true,
        ExprKind::Binary(BinaryOp::And, a, b) => binds(a) || binds(b),
        _ => false,
    }
}
