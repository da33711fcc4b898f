//! Scenarios: scripted runs of an algorithm with expected results, such as the figures of a paper.

use crate::check::Checker;
use crate::check::context::*;
use crate::diagnostic::{Hint, Label, Naming, Scripting, Typing, codes};
use crate::ids::ProcessId;
use crate::ir::{self, ScenarioLine as L, Type};
use crate::syntax::ast::{self, ExprKind, ScenarioLineKind as A};

impl Checker<'_> {
    /// Elaborate the scenarios, each with its processes.
    pub fn scenarios(
        &mut self,
        properties: &[ir::Property],
        has_worst: bool,
    ) -> Vec<(ir::Scenario, Processes)> {
        let mut scenarios: Vec<(ir::Scenario, Processes)> = Vec::new();
        for (s, doc, _) in self.units[0].scenarios.clone() {
            if let Some(first) = scenarios.iter().find(|(x, _)| x.name == s.name.text) {
                let place = first.0.span;
                self.error(
                    Naming::TwoCalled("scenarios", s.name.text.clone())
                        .at(s.name.span)
                        .related(place, Label::FirstOne),
                );
            }
            self.observe(0);
            let mut scenario = self.header(&s, doc, has_worst);
            let mut lines = Vec::new();
            for line in &s.lines {
                if let Some(l) = self.line(line, scenario.is_scripted, properties) {
                    lines.push((l, line.span));
                }
            }
            scenario.lines = lines;
            scenarios.push((scenario, std::mem::take(&mut self.cx.processes)));
        }
        scenarios
    }

    /// Return the clock that notes carry, in each role.
    pub fn note_clock(&mut self) -> Option<Vec<Option<LocalId>>> {
        let name = self.units[0].stamps.clone()?;
        let key = (0, name.text.clone());
        let of_roles: Vec<Option<LocalId>> =
            self.roles.iter().map(|role| role.vars.get(&key).copied()).collect();
        let found = self.roles.iter().zip(&of_roles);
        let types = found.filter_map(|(role, local)| Some(&role.locals[(*local)? as usize].ty));
        let wrong = types.map(|ty| self.infer.full(ty)).find(|ty| *ty != Type::Int);
        if let Some(ty) = wrong {
            let have = self.type_words(&ty);
            self.error(Typing::NoStamp(name.text.clone(), have).at(name.span));
        } else if of_roles.iter().all(Option::is_none) {
            let d = Naming::UnknownStamp(name.text.clone()).at(name.span);
            self.error(d.nearest(&name.text, &self.variables_of(|_| true), None));
        }
        Some(of_roles)
    }

    pub fn process(&mut self, name: &ast::Name) -> Option<ProcessId> {
        let found = self.cx.processes.get(&name.text);
        if found.is_none() {
            let d = Scripting::UnknownProcess(name.text.clone()).at(name.span);
            let processes = &self.cx.processes;
            self.error(d.nearest(&name.text, &processes.known(), processes.hint()));
        }
        found.map(|p| ProcessId(p as u32))
    }

    pub fn kinds(&mut self, message: &Option<ast::Name>) -> Option<Option<Vec<u32>>> {
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

    pub fn global(&mut self, e: &ast::Expr, want: &Type, purpose: &str) -> ir::Expr {
        self.in_line(|this| this.expr_as(e, want, purpose))
    }

    /// Elaborate an expression of a scenario in a frame of its own.
    fn in_line(&mut self, elaborate: impl FnOnce(&mut Self) -> ir::Expr) -> ir::Expr {
        let processes = std::mem::take(&mut self.cx.processes);
        self.observe(0);
        self.cx.processes = processes;
        elaborate(self)
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each line")]
    fn line(&mut self, line: &ast::ScenarioLine, is_told: bool, properties: &[ir::Property]) -> Option<L> {
        let lets_go = matches!(line.kind, A::Release { link: None }) && is_told;
        let holds = !lets_go && matches!(line.kind, A::Hold { .. } | A::Release { .. } | A::Deliver { .. });
        if holds && (self.steps_jointly() || self.communicates_by_state()) {
            let why = match self.steps_jointly() {
                true => {
                    "messages cannot be held in rounds: a message arrives in the round in which it is sent"
                }
                false if self.has_assumption(ir::PAIRS) => {
                    "there are no messages to hold under `pairwise interactions`"
                }
                false => "there are no messages to hold under `reads neighbours`",
            };
            self.error(Scripting::NothingToHold(why).at(line.span));
            return None;
        }
        let untold = match &line.kind {
            A::Step(_) => Some("`step`"),
            A::Expire(_) => Some("`expire`"),
            A::Cycle | A::ExpectAgain if !self.steps_jointly() => Some("a `cycle`"),
            _ => None,
        };
        if let Some(what) = untold.filter(|_| !is_told) {
            self.error(Scripting::NeedsScript(what).at(line.span));
            return None;
        }
        Some(match &line.kind {
            A::Initially { target, value } => {
                let ExprKind::Field(base, field) = &target.kind else {
                    self.error(Scripting::InitiallyNeedsVariable.at(target.span));
                    return None;
                };
                let process = self.process_of(base)?;
                let of_component = |comp| Some((comp, self.variable_of(comp, &field.text)?));
                let Some((comp, (slots, ty))) = (0..self.comps.len()).find_map(of_component) else {
                    let d = Naming::NoVariableOfProcesses(field.text.clone()).at(field.span);
                    let known = self.variables_of(|_| true);
                    self.error(d.nearest(&field.text, &known, Hint::TheyHave(known.clone())));
                    return None;
                };
                let key = (comp, field.text.clone());
                let locals = self.roles.iter().filter_map(|r| Some(&r.locals[*r.vars.get(&key)? as usize]));
                let ranged =
                    locals.filter(|l| l.range.is_some() || !l.ranges.is_any()).map(|l| l.span).next();
                let mut value = self.global(value, &ty, "the initial value");
                if let Some(declared) = ranged {
                    let ranges = self.ranges_written(Written::Variable(declared));
                    value = self.with_static_range_check(
                        value,
                        &ranges,
                        codes::SCENARIO,
                        &format!("`{}`", field.text),
                    );
                }
                L::Initially { process, slots, value }
            }
            A::Hold { .. } if is_told => {
                self.error(Scripting::HeldAnyway.at(line.span));
                return None;
            }
            A::Hold { from, to, message } => {
                let mut end = |end: &Option<ast::Name>| match end {
                    Some(name) => self.process(name).map(Some),
                    None => Some(None),
                };
                L::Hold { from: end(from)?, to: end(to)?, kinds: self.kinds(message)? }
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
                    let d = Scripting::NoOperation(operation.text.clone()).at(operation.span);
                    self.error(d.hint(Hint::are("its operations", &known)));
                    return None;
                };
                let params = self.operations[index].params.clone();
                if params.len() != args.len() {
                    let d = Typing::Arguments(operation.text.clone(), params.len(), args.len());
                    let hint = self.of_the_algorithm(&operation.text, params.len(), args.len());
                    self.error(d.at(operation.span).hint(hint));
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
            A::Expect(e) => L::Expect(self.global(e, &Type::Bool, "the expectation")),
            A::ExpectVerdict { property, violated } => {
                match properties.iter().position(|p| p.name == property.text) {
                    Some(index) => L::ExpectVerdict { property: index, violated: *violated },
                    None => {
                        let known: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
                        let d = Scripting::UnknownProperty(property.text.clone()).at(property.span);
                        let hint = Hint::are("the properties", &known).unwrap_or(Hint::DeclareProperty);
                        self.error(d.nearest(&property.text, &known, hint));
                        return None;
                    }
                }
            }
            A::ExpectOutcome(name) => {
                if !["terminated", "quiescent", "stuck", "limit", "aborted"].contains(&name.text.as_str()) {
                    self.error(Scripting::NotAnOutcome(name.text.clone()).at(name.span));
                }
                L::ExpectOutcome(name.text.clone())
            }
            A::Choose { process, value } => L::Choose {
                process: self.process(process)?,
                value: ir::Chosen::Value(self.in_line(|this| this.expr(value, None))),
            },
            A::ChooseOption { process, number } => {
                let first = match number.kind {
                    ExprKind::Int(number) => {
                        u32::try_from(number).ok().and_then(|number| number.checked_sub(1))
                    }
                    _ => None,
                };
                let Some(first) = first else {
                    self.error(Scripting::NoAlternative.at(number.span));
                    return None;
                };
                L::Choose { process: self.process(process)?, value: ir::Chosen::Number(first) }
            }
            A::Step(names) => {
                let all = names.iter().map(|name| self.process(name)).collect::<Option<Vec<ProcessId>>>()?;
                L::Step(all)
            }
            A::Expire(process) => L::Expire(self.process(process)?),
            A::Cycle => L::Cycle,
            A::ExpectAgain => L::ExpectCycleClosed,
            A::At(e) if self.in_rounds() || self.communicates_by_state() => {
                L::AdvanceTo(self.expr_as(e, &Type::Int, "a number of rounds"))
            }
            A::Crash { .. }
            | A::Restart(_)
            | A::Mislead(_)
            | A::Suspect { .. }
            | A::Lose { .. }
            | A::Duplicate { .. }
            | A::Cut { .. }
            | A::Delay { .. }
            | A::At(_) => return self.environment_line(line),
        })
    }

    /// A scenario calls the operation of the problem; an operation of the algorithm with the same name may take further
    /// arguments, such as a group.
    fn of_the_algorithm(&self, operation: &str, takes: usize, given: usize) -> Option<Hint> {
        let unit = &self.units[0];
        let mut sections = unit.sections();
        let own = sections.find_map(|s| s.operations.iter().find(|o| o.name.text == operation))?;
        let further = own.params.get(takes..given)?.iter();
        Some(Hint::OperationOfProblem(further.map(|p| p.name.text.clone()).collect()))
    }

    fn process_of(&mut self, e: &ast::Expr) -> Option<ProcessId> {
        match &e.kind {
            ExprKind::Name(n) => self.process(n),
            _ => {
                self.error(Scripting::ProcessExpected.at(e.span));
                None
            }
        }
    }
}
