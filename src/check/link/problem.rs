//! Declarations of a problem for the algorithm that solves it: options, operations and upcalls.

use crate::check::context::*;
use crate::check::load::unit::HandlerSection;
use crate::check::{Checker, prose};
use crate::diagnostic::{Hint, Requirement};
use crate::ir::{self, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Pattern, Trigger};

impl Checker<'_> {
    pub(in crate::check) fn declare_problems(&mut self) {
        self.declare_problem();
        for problem in self.component_count()..self.comps.len() {
            let layer = self.comps[problem].defines_outputs_of.unwrap_or_default();
            let solves = self.units[self.comps[layer].unit].solves.clone();
            self.declare_options(problem, solves.as_ref());
        }
    }

    /// Declare options, operations and upcalls of the problem.
    fn declare_problem(&mut self) {
        let Some(problem) = self.problem() else { return };
        let unit = self.units[self.comps[problem].unit].clone();
        let solves = self.units[0].solves.clone();
        self.declare_options(problem, solves.as_ref());
        for o in &unit.common.operations {
            let params = o.params.iter().map(|p| p.ty.as_ref().map_or(Type::Value, |t| self.type_expr(t)));
            let (params, alias) = (params.collect(), o.alias.as_ref().map(|alias| alias.text.clone()));
            self.operations.push(ir::Operation { name: o.name.text.clone(), alias, params });
        }
        for h in &unit.common.always {
            if let HandlerSection::Handler(ast::Handler { trigger: Trigger::On(g), .. }) = h
                && g.layer.is_some()
                && let Pattern::Name(n) | Pattern::Message(n, _, _) = &g.pattern
                && !self.upcalls.contains(&n.text)
            {
                self.upcalls.push(n.text.clone());
            }
        }
        let has_client = unit.common.client.is_some() || !unit.common.operations.is_empty();
        if problem != 0 && has_client {
            let called = self.operations_required();
            let (mut offered, mut is_complete): (Vec<String>, bool) = (Vec::new(), true);
            for s in self.units[0].sections() {
                offered.extend(s.operations.iter().map(|o| o.name.text.clone()));
            }
            for name in called {
                if !offered.contains(&name.text) {
                    let span = solves.as_ref().map_or(Span::default(), |s| s.name.span);
                    let d = Requirement::OperationMissing(unit.name.text.clone(), name.text.clone()).at(span);
                    let text = name.text.clone();
                    let fix = || {
                        self.fix_add_section(
                            format!("Add `operation {text}`"),
                            span,
                            &format!("operation {text}\n  skip"),
                        )
                    };
                    let d = match (prose::nearest(&text, &offered), self.choice_without(&text)) {
                        (Some(k), _) => d.hint(Hint::RenameOperation(k.into(), text)),
                        (None, Some((option, choice))) => {
                            let problem = unit.name.text.clone();
                            d.fix(fix()).hint(Hint::DefineOperationOrChoose(text, problem, option, choice))
                        }
                        (None, None) => d.fix(fix()).hint(Hint::DefineOperation(text)),
                    };
                    self.error(d);
                    offered.push(name.text.clone());
                    is_complete = false;
                }
            }
            if is_complete {
                self.operations_in_one_role(problem, solves.as_ref());
            }
        }
    }

    /// Report that the operations which the problem calls are defined, but not by the same role.
    fn operations_in_one_role(&mut self, problem: usize, solves: Option<&ast::ProblemUse>) {
        let unit = self.units[0].clone();
        if unit.roles.is_empty() || (0..unit.roles.len()).any(|role| self.participates(role as u16)) {
            return;
        }
        let mut called: Vec<String> = self.operations_required().into_iter().map(|name| name.text).collect();
        called.sort_unstable();
        called.dedup();
        let mut lacking = Vec::new();
        for (role, section) in unit.roles.iter().enumerate() {
            let sections = unit.role_sections(role);
            let defines =
                |name: &str| sections.iter().flat_map(|s| &s.operations).any(|o| o.name.text == name);
            let lacks = called.iter().filter(|name| !defines(name)).cloned().collect();
            let role = section.name.as_ref().map_or_else(String::new, |name| name.text.clone());
            lacking.push((role, lacks));
        }
        let name = self.units[self.comps[problem].unit].name.text.clone();
        let span = solves.map_or(Span::default(), |s| s.name.span);
        self.error(Requirement::OperationsApart(name, lacking).at(span));
    }

    /// Declare the options of a problem with the values that the algorithm chooses.
    fn declare_options(&mut self, problem: usize, solves: Option<&ast::ProblemUse>) {
        let unit = self.units[self.comps[problem].unit].clone();
        self.observe(problem);
        for option in &unit.options {
            let index = self.enums.len() as u32;
            self.enums.push(ir::EnumType {
                name: option.name.text.clone(),
                cases: option.options.iter().map(|o| o.text.clone()).collect(),
            });
            let chosen = solves.and_then(|s| s.args.iter().find(|(k, _)| k.text == option.name.text));
            let chosen = match chosen {
                Some((_, value)) => {
                    let found = option.options.iter().position(|o| o.text == value.text);
                    if found.is_none() {
                        let known: Vec<String> = option.options.iter().map(|o| o.text.clone()).collect();
                        self.error(
                            Requirement::NotAChoice(value.text.clone(), option.name.text.clone(), known)
                                .at(value.span),
                        );
                    }
                    found.unwrap_or(0)
                }
                None => option
                    .default
                    .as_ref()
                    .and_then(|d| option.options.iter().position(|o| o.text == d.text))
                    .unwrap_or(0),
            };
            self.declare_name(problem, &option.name, Def::Case(index, chosen as u32));
        }
        if let Some(s) = solves {
            for (key, _) in &s.args {
                if !unit.options.iter().any(|o| o.name.text == key.text) {
                    let known: Vec<String> = unit.options.iter().map(|o| o.name.text.clone()).collect();
                    let d = Requirement::NoOption(unit.name.text.clone(), key.text.clone()).at(key.span);
                    self.error(d.hint(Hint::are("its options", &known)));
                }
            }
        }
    }
}
