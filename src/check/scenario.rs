//! Scenarios: what the documents' figures show, as tests of the algorithm.

use super::codes;
use super::context::*;
use super::{Checker, words};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, ScenarioLine as L, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, ScenarioLineKind as A};
use std::collections::BTreeMap;

/// Processes that go by a default name `p0`, `p1`, …
const DEFAULT_NAMES: i64 = 64;

/// `p3`
fn is_default_name(name: &str) -> bool {
    name.strip_prefix('p').is_some_and(|i| i.parse::<i64>().is_ok())
}

impl Checker<'_> {
    pub fn scenarios(&mut self, properties: &[ir::Property]) -> Vec<ir::Scenario> {
        let mut scenarios: Vec<ir::Scenario> = Vec::new();
        for (s, doc, span) in self.units[0].scenarios.clone() {
            if let Some(first) = scenarios.iter().find(|x| x.name == s.name.text) {
                let place = first.span;
                self.error(
                    Diagnostic::error(
                        codes::DUPLICATE,
                        s.name.span,
                        format!("two scenarios are called `{}`", s.name.text),
                    )
                    .related(place, "the first one"),
                );
            }
            self.cx = Cx::new(None, self.comps.len(), Mode::Global);
            let mut scenario = self.header(&s, doc, span);
            let mut lines = Vec::new();
            for line in &s.lines {
                if let Some(l) = self.line(line, properties) {
                    lines.push((l, line.span));
                }
            }
            scenario.lines = lines;
            scenarios.push(scenario);
        }
        scenarios
    }

    fn header(&mut self, s: &ast::Scenario, doc: Option<String>, _span: Span) -> ir::Scenario {
        let topology = s.on.as_ref().map(|e| (self.sources.slice(e.span).to_string(), e.span));
        let mut scenario = ir::Scenario {
            name: s.name.text.clone(),
            doc,
            span: s.name.span,
            topology,
            ids: None,
            ids_by: None,
            names: Vec::new(),
            initiators: None,
            params: Vec::new(),
            schedule: None,
            seed: None,
            weights: None,
            unstamped_notes: false,
            faults: Vec::new(),
            lines: Vec::new(),
        };
        self.cx.processes = (0..DEFAULT_NAMES).map(|i| (format!("p{i}"), i)).collect();
        // Names first: the other settings may use them.
        for (key, value) in &s.with {
            if key.text == "names" {
                let names = self.name_list(key, value.as_ref());
                for (i, n) in names.iter().enumerate() {
                    if scenario.names.contains(&n.text) {
                        self.error(Diagnostic::error(
                            codes::DUPLICATE,
                            n.span,
                            format!("two processes are called `{}`", n.text),
                        ));
                    }
                    scenario.names.push(n.text.clone());
                    self.cx.processes.insert(n.text.clone(), i as i64);
                }
            }
        }
        for (key, value) in &s.with {
            self.setting(key, value.as_ref(), &mut scenario);
        }
        scenario
    }

    fn name_list(&mut self, key: &ast::Name, value: Option<&ast::Expr>) -> Vec<ast::Name> {
        let mut names = Vec::new();
        match value.map(|v| &v.kind) {
            Some(ExprKind::List(items) | ExprKind::Set(items)) => {
                for item in items {
                    match &item.kind {
                        ExprKind::Name(n) => names.push(n.clone()),
                        _ => self.error(Diagnostic::error(
                            codes::SCENARIO,
                            item.span,
                            "a name of a process belongs here",
                        )),
                    }
                }
            }
            Some(ExprKind::Name(n)) => names.push(n.clone()),
            _ => self.error(Diagnostic::error(
                codes::SCENARIO,
                key.span,
                format!("`{}` wants a list: `{} [A, B]`", key.text, key.text),
            )),
        }
        names
    }

    fn setting(&mut self, key: &ast::Name, value: Option<&ast::Expr>, scenario: &mut ir::Scenario) {
        match (key.text.as_str(), value.map(|v| &v.kind)) {
            ("names", _) => {}
            ("ids", Some(ExprKind::List(items))) => {
                let ids = items
                    .iter()
                    .filter_map(|i| match &i.kind {
                        ExprKind::Int(x) => Some(*x),
                        ExprKind::Unary(ast::UnaryOp::Negate, x) => match &x.kind {
                            ExprKind::Int(x) => x.checked_neg(),
                            _ => None,
                        },
                        _ => None,
                    })
                    .collect::<Vec<_>>();
                if ids.len() != items.len() {
                    self.error(Diagnostic::error(
                        codes::SCENARIO,
                        key.span,
                        "identifiers are numbers: `ids [3, 1, 4]`",
                    ));
                }
                if self.assumptions.unique_ids
                    && let Some(i) = (1..ids.len()).find(|i| ids[..*i].contains(&ids[*i]))
                {
                    let first = ids.iter().position(|id| *id == ids[i]).unwrap_or(0);
                    self.error(
                        Diagnostic::error(
                            codes::SCENARIO,
                            items[i].span,
                            format!(
                                "the identifier {} is given twice, but the algorithm assumes `unique ids`",
                                ids[i]
                            ),
                        )
                        .related(items[first].span, "here for the first time"),
                    );
                }
                scenario.ids = Some(ids);
            }
            ("ids", Some(ExprKind::Name(n)))
                if ["ascending", "descending", "random", "worst"].contains(&n.text.as_str()) =>
            {
                scenario.ids_by = Some(n.text.clone());
            }
            ("ids", _) => self.error(Diagnostic::error(
                codes::SCENARIO,
                key.span,
                "`ids` wants a list of numbers, or `ascending`, `descending`, `random` or `worst`",
            )),
            ("initiators", _) => {
                let names = match value.map(|v| &v.kind) {
                    Some(ExprKind::Name(n)) if n.text == "all" => return,
                    Some(ExprKind::Name(n)) if n.text == "none" => Vec::new(),
                    Some(ExprKind::None) => Vec::new(),
                    _ => self.name_list(key, value),
                };
                let positions = names.iter().filter_map(|n| self.process(n)).collect();
                scenario.initiators = Some(positions);
            }
            ("schedule", Some(ExprKind::Name(n)))
                if ["fifo", "random", "adversary"].contains(&n.text.as_str()) =>
            {
                scenario.schedule = Some(n.text.clone());
            }
            ("schedule", _) => {
                let text = value.map(|v| self.sources.slice(v.span).to_string()).unwrap_or_default();
                if text == "round-robin" || text == "round_robin" {
                    scenario.schedule = Some("round-robin".into());
                } else {
                    self.error(Diagnostic::error(
                        codes::SCENARIO,
                        key.span,
                        "the schedules are `fifo`, `random`, `round_robin` and `adversary`",
                    ));
                }
            }
            ("unstamped", _) => scenario.unstamped_notes = true,
            ("weights", Some(ExprKind::List(items))) => {
                let weights: Vec<i64> = items
                    .iter()
                    .filter_map(|i| if let ExprKind::Int(x) = &i.kind { Some(*x) } else { None })
                    .collect();
                if weights.len() != items.len() {
                    self.error(Diagnostic::error(
                        codes::SCENARIO,
                        key.span,
                        "weights are numbers, one for each edge in order",
                    ));
                }
                scenario.weights = Some(weights);
            }
            ("seed", Some(ExprKind::Int(i))) if *i >= 0 => scenario.seed = Some(*i as u64),
            ("seed", _) => {
                self.error(Diagnostic::error(codes::SCENARIO, key.span, "`seed` wants a number from 0"))
            }
            (name, _) if ir::Fault::named(name).is_some() && !self.params.iter().any(|p| p.name == name) => {
                match value.map(|v| &v.kind) {
                    Some(ExprKind::Int(i)) if u32::try_from(*i).is_ok() => {
                        scenario.faults.push((name.to_string(), *i as u32));
                    }
                    _ => self.error(Diagnostic::error(
                        codes::SCENARIO,
                        key.span,
                        format!("`{name}` wants a number: how often it may happen"),
                    )),
                }
            }
            (name, _) => match self.params.iter().position(|p| p.name == name) {
                Some(p) => {
                    let ty = self.params[p].ty.clone();
                    match value {
                        Some(v) => {
                            let mut e = self.expr_as(v, &ty, &format!("the parameter `{name}`"));
                            self.finish_global(|f| f.expr(&mut e));
                            scenario.params.push((p as u16, e));
                        }
                        None => self.error(Diagnostic::error(
                            codes::SCENARIO,
                            key.span,
                            format!("`{name}` needs a value"),
                        )),
                    }
                }
                None => {
                    let mut known: Vec<String> =
                        ["ids", "names", "initiators", "schedule", "seed"].map(String::from).to_vec();
                    known.extend(self.params.iter().map(|p| p.name.clone()));
                    let d = Diagnostic::error(
                        codes::SCENARIO,
                        key.span,
                        format!("a scenario has no setting `{name}`"),
                    );
                    let d = match words::nearest(name, &known) {
                        Some(k) => d.hint(format!("did you mean `{k}`?")),
                        None => d.hint(format!("its settings are {}", words::list(&known))),
                    };
                    self.error(d);
                }
            },
        }
    }

    pub(super) fn process(&mut self, name: &ast::Name) -> Option<usize> {
        let found = self.cx.processes.get(&name.text).copied();
        if found.is_none() {
            let known: Vec<String> = self.cx.processes.keys().cloned().collect();
            let d = Diagnostic::error(
                codes::SCENARIO,
                name.span,
                format!("no process is called `{}` in this scenario", name.text),
            );
            let d = match words::nearest(&name.text, &known) {
                Some(k) => d.hint(format!("did you mean `{k}`?")),
                None => {
                    let own: Vec<String> = known.iter().filter(|k| !is_default_name(k)).cloned().collect();
                    match own.is_empty() {
                        true => {
                            d.hint("processes are called p0, p1, … by position, or as `with names […]` says")
                        }
                        false => d.hint(format!(
                            "its processes are {}, or p0, p1, … by position",
                            words::list(&own)
                        )),
                    }
                }
            };
            self.error(d);
        }
        found.map(|p| p as usize)
    }

    pub(super) fn kinds(&mut self, message: &Option<ast::Name>) -> Option<Option<Vec<u32>>> {
        match message {
            None => Some(None),
            Some(name) => {
                let kinds: Vec<u32> = self
                    .kinds
                    .iter()
                    .enumerate()
                    .filter(|(_, k)| k.name == name.text)
                    .map(|(i, _)| i as u32)
                    .collect();
                if kinds.is_empty() {
                    self.message_kind(name);
                    return None;
                }
                Some(Some(kinds))
            }
        }
    }

    pub(super) fn global(&mut self, e: &ast::Expr, want: &Type, purpose: &str) -> ir::Expr {
        let processes: BTreeMap<String, i64> = self.cx.processes.clone();
        self.cx = Cx::new(None, self.comps.len(), Mode::Global);
        self.cx.processes = processes;
        let mut e = self.expr_as(e, want, purpose);
        self.finish_global(|f| f.expr(&mut e));
        e
    }

    fn line(&mut self, line: &ast::ScenarioLine, properties: &[ir::Property]) -> Option<L> {
        Some(match &line.kind {
            A::Initially { target, value } => {
                let ExprKind::Field(base, field) = &target.kind else {
                    self.error(Diagnostic::error(
                        codes::SCENARIO,
                        target.span,
                        "`initially` sets a variable of a process: `initially p1.clock := 40`",
                    ));
                    return None;
                };
                let process = self.process_of(base)?;
                let comps = [0usize].into_iter().chain(1..self.comps.len());
                let mut found = None;
                for comp in comps {
                    let key = (comp, field.text.clone());
                    let slots: Vec<Option<ir::Slot>> =
                        self.done.iter().map(|r| r.vars.get(&key).map(|(s, _)| *s)).collect();
                    if let Some(ty) = self.done.iter().find_map(|r| r.vars.get(&key).map(|(_, t)| t.clone()))
                    {
                        found = Some((slots, ty));
                        break;
                    }
                }
                let Some((slots, ty)) = found else {
                    let known: Vec<String> =
                        self.done.iter().flat_map(|r| r.vars.keys().map(|(_, n)| n.clone())).collect();
                    let d = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        field.span,
                        format!("processes have no variable `{}`", field.text),
                    );
                    let d = words::did_you_mean(d, &field.text, &known);
                    self.error(d);
                    return None;
                };
                L::Initially { process, slots, value: self.global(value, &ty, "the initial value") }
            }
            A::Hold { from, to, message } => {
                let from = match from {
                    Some(n) => Some(self.process(n)?),
                    None => None,
                };
                let to = match to {
                    Some(n) => Some(self.process(n)?),
                    None => None,
                };
                L::Hold { from, to, kinds: self.kinds(message)? }
            }
            A::Release { link } => L::Release {
                link: match link {
                    Some((a, b)) => Some((self.process(a)?, self.process(b)?)),
                    None => None,
                },
            },
            A::Deliver { from, to, message } => {
                L::Deliver { from: self.process(from)?, to: self.process(to)?, kinds: self.kinds(message)? }
            }
            A::Act { process, operation, args } => {
                let process = self.process(process)?;
                let Some(index) = self.operations.iter().position(|o| o.name == operation.text) else {
                    let known: Vec<String> = self.operations.iter().map(|o| o.name.clone()).collect();
                    let mut d = Diagnostic::error(
                        codes::SCENARIO,
                        operation.span,
                        format!("the problem has no operation `{}`", operation.text),
                    );
                    if !known.is_empty() {
                        d = d.hint(format!("its operations are {}", words::list(&known)));
                    }
                    self.error(d);
                    return None;
                };
                let params = self.operations[index].params.clone();
                if params.len() != args.len() {
                    self.error(Diagnostic::error(
                        codes::WRONG_ARITY,
                        operation.span,
                        format!(
                            "`{}` takes {}, but {}",
                            operation.text,
                            words::count(params.len(), "argument"),
                            words::given(args.len())
                        ),
                    ));
                    return None;
                }
                L::Act {
                    process,
                    operation: index as u16,
                    args: args.iter().zip(&params).map(|(a, t)| self.global(a, t, "this argument")).collect(),
                }
            }
            A::Note { from, to, label } => {
                L::Note { from: self.process(from)?, to: self.process(to)?, label: label.text.clone() }
            }
            A::Wake(names) => L::Wake(names.iter().filter_map(|n| self.process(n)).collect()),
            A::Expect(e) => L::Expect(self.global(e, &Type::Bool, "what is expected")),
            A::ExpectVerdict { property, violated } => {
                match properties.iter().position(|p| p.name == property.text) {
                    Some(index) => L::ExpectVerdict { property: index, violated: *violated },
                    None => {
                        let known: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
                        let d = Diagnostic::error(
                            codes::SCENARIO,
                            property.span,
                            format!("no property is called `{}`", property.text),
                        );
                        let d = match words::nearest(&property.text, &known) {
                            Some(k) => d.hint(format!("did you mean `{k}`?")),
                            None => d.hint(format!("the properties are {}", words::list(&known))),
                        };
                        self.error(d);
                        return None;
                    }
                }
            }
            A::ExpectOutcome(name) => {
                if !["terminated", "quiescent", "stuck", "limit", "aborted"].contains(&name.text.as_str()) {
                    self.error(
                        Diagnostic::error(
                            codes::SCENARIO,
                            name.span,
                            format!("`{}` is no outcome of a run", name.text),
                        )
                        .hint("a run ends `terminated`, `quiescent`, `stuck`, `aborted`, or at a `limit`"),
                    );
                }
                L::ExpectOutcome(name.text.clone())
            }
            A::Crash { .. }
            | A::Restart(_)
            | A::Suspect { .. }
            | A::Lose { .. }
            | A::Duplicate { .. }
            | A::Cut { .. }
            | A::Delay { .. }
            | A::At(_) => return self.environment_line(line),
        })
    }

    fn process_of(&mut self, e: &ast::Expr) -> Option<usize> {
        match &e.kind {
            ExprKind::Name(n) => self.process(n),
            _ => {
                self.error(Diagnostic::error(
                    codes::SCENARIO,
                    e.span,
                    "a process of the scenario belongs here",
                ));
                None
            }
        }
    }
}
