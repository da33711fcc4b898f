//! Name resolution in expressions, properties and scenarios.

use super::resolve::Resolver;
use super::{Access, DeclId, Kind};
use crate::ir::HistoryKind;
use crate::syntax::ast::*;

impl Resolver<'_> {
    pub fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Text(_) | ExprKind::None | ExprKind::Any => {}
            ExprKind::Name(name) => {
                self.reference(name, Access::Read);
            }
            ExprKind::Unary(_, x) => self.expr(x),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                items.iter().for_each(|x| self.expr(x));
            }
            ExprKind::Map(pairs) => {
                for (key, value) in pairs {
                    self.expr(key);
                    self.expr(value);
                }
            }
            ExprKind::Field(base, field) => {
                if !self.part_of_layer(base, field) {
                    self.expr(base);
                    self.field(base, field, Access::Read);
                }
            }
            ExprKind::Call { layer, name, args } => {
                if layer.is_none() {
                    self.reference(name, Access::Read);
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
            ExprKind::MapOf(pairs) => self.expr(pairs),
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
                self.block_to(e.span.end, |this| {
                    this.binding(pattern, Kind::Local);
                    this.origin(from.as_deref());
                    when.iter().for_each(|w| this.expr(w));
                });
            }
            ExprKind::Metric { of, per, .. } => {
                self.measured(of);
                per.iter().for_each(|name| self.operation_name(name));
            }
            ExprKind::History { what, of } => match what {
                HistoryKind::Upcalls => {
                    if let Some(id) = self.find_in(self.file, &of.text, |s| &s.upcalls) {
                        self.add_use(of.span, id, Access::Read);
                    }
                }
                _ => self.operation_name(of),
            },
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
                if let ([message], Some(file)) = (rest, self.layer_file(&alias.text)) {
                    let found = self.find_in(file, &message.text, |s| &s.common);
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

    pub fn binders(&mut self, binders: &[Binder]) {
        for binder in binders {
            binder.set.iter().for_each(|set| self.expr(set));
        }
        for binder in binders {
            self.binding(&binder.pattern, Kind::Local);
        }
    }

    /// Resolve the operation that a problem's client calls, or its alias.
    fn operation_name(&mut self, name: &Name) {
        // Costs count calls of the problem's operations.
        let files = self.family(self.file);
        let of_problem = files.iter().copied().filter(|f| self.scopes[*f].is_problem);
        let found = of_problem
            .chain(files.iter().copied())
            .find_map(|f| self.scopes[f].operations.get(&name.text).copied());
        found.iter().for_each(|id| self.add_use(name.span, *id, Access::Read));
    }

    /// Resolve `p.x`: a variable of a process, or a field of a record.
    pub fn field(&mut self, base: &Expr, field: &Name, access: Access) {
        let variables = self.variables(&field.text);
        let of_records: Vec<DeclId> =
            self.family(self.file).iter().flat_map(|f| self.record_fields(*f, &field.text)).collect();
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
        let (layer, file) = (self.layer(&alias.text), self.layer_file(&alias.text));
        let (Some(layer), Some(file)) = (layer, file) else { return false };
        process.into_iter().for_each(|process| self.expr(process));
        self.add_use(alias.span, layer, Access::Read);
        let variables = self.variables_in(file, &field.text);
        self.add_uses(field.span, &variables, Access::Read);
        true
    }

    pub fn record_fields(&self, file: usize, name: &str) -> Vec<DeclId> {
        self.scopes[file].record_fields.get(name).cloned().unwrap_or_default()
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
            _ => self.variables(&name.text),
        };
        let Some(ty) = found.first().and_then(|id| self.names.decl(*id).ty.as_deref()) else { return false };
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
                let decl = &mut self.names.decls[id];
                decl.head = format!("process {}", name.text);
                if let Some(visible) = &mut decl.visible {
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
