//! Pairwise interactions: the responder's variables, and oracles.

use crate::check::context::*;
use crate::check::{Checker, prose};
use crate::diagnostic::{Behaviour, Diagnostic, Hint, Modelling, Naming, Need, Noun, Typing};
use crate::ir::{self, Fact, Input, Mirror, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};

impl Checker<'_> {
    /// `on interaction(v)`: v is the port that leads to the responder.
    pub(in crate::check) fn interaction_input(&mut self, args: &[ast::Pattern], span: Span) -> Input {
        let name = match args.first() {
            Some(ast::Pattern::Name(name)) => Some(name),
            Some(ast::Pattern::Wildcard(_)) | None => None,
            Some(_) => {
                self.error(Naming::ResponderNeedsName.at(span));
                None
            }
        };
        let none = ast::Name { text: "_".into(), span: Span::default() };
        let name = name.unwrap_or(&none);
        let responder = match name.text.as_str() {
            "_" => self.cx.new_local("", Type::Port, name.span, Class::Temp),
            text => {
                self.reject_shadowing(&[ast::Pattern::Name(name.clone())]);
                self.cx.bind(text, Type::Port, name.span)
            }
        };
        self.cx.interaction = Some(Interaction { responder, mirrored_variables: Vec::new() });
        Input::Interaction { responder, mirrors: Vec::new() }
    }

    /// Add the responder's variables that the handler mentions, once it has been elaborated.
    pub(in crate::check) fn add_mirrored_variables(&mut self, input: &mut Input) {
        if let (Some(interaction), Input::Interaction { mirrors, .. }) = (self.cx.interaction.take(), input) {
            let mirror = |(shared, local): &(u16, LocalId)| Mirror { shared: *shared, slot: slot(*local) };
            *mirrors = interaction.mirrored_variables.iter().map(mirror).collect();
        }
    }

    /// Return whether steps depend on the variables of other processes, and send no messages.
    pub(in crate::check) fn communicates_by_state(&self) -> bool {
        self.has_assumption("reads neighbours") || self.has_assumption(ir::PAIRS)
    }

    /// Return whether this is the name of the responder.
    pub(in crate::check) fn is_responder(&self, e: &ast::Expr) -> bool {
        match (&e.kind, &self.cx.interaction) {
            (ExprKind::Name(name), Some(interaction)) => {
                self.cx.scoped(&name.text) == Some(interaction.responder)
            }
            _ => false,
        }
    }

    /// `v.x`, where v is the responder: return the initiator's copy of the variable. Some(None): no such variable.
    pub(in crate::check) fn responders_variable(
        &mut self,
        base: &ast::Expr,
        field: &ast::Name,
    ) -> Option<Option<LocalId>> {
        if !self.is_responder(base) {
            return None;
        }
        let scope = &self.cx.comps[self.cx.comp];
        let Some(local) = scope.vars.get(&field.text).copied() else {
            let known: Vec<String> = scope.vars.keys().cloned().collect();
            let d = Naming::Unknown(Noun::Variable, field.text.clone()).at(field.span);
            let own_id = (field.text == "id" && self.assumptions.unique_ids).then_some(Hint::StoreOwnId);
            self.error(d.nearest(&field.text, &known, own_id));
            return Some(None);
        };
        let shared = self.shared(&field.text);
        let known = self
            .cx
            .interaction
            .iter()
            .flat_map(|i| &i.mirrored_variables)
            .find(|(number, _)| *number == shared);
        if let Some((_, mirror)) = known {
            return Some(Some(*mirror));
        }
        let own = self.cx.locals[local as usize].clone();
        let mirror = self.cx.new_local("", own.ty, own.span, Class::Temp);
        self.cx.locals[mirror as usize].starts_unset = own.starts_unset;
        self.cx.locals[mirror as usize].range = own.range;
        self.cx.locals[mirror as usize].ranges = own.ranges;
        if let Some(interaction) = &mut self.cx.interaction {
            interaction.mirrored_variables.push((shared, mirror));
        }
        Some(Some(mirror))
    }

    /// `oracle NAME`: the parameterless function that defines the oracle's answer.
    pub(in crate::check) fn assume_oracle(&mut self, name: &ast::Name) {
        let functions = &self.units[0].functions;
        let Some(function) = functions.iter().find(|f| f.name.text == name.text) else {
            let known: Vec<String> = functions.iter().map(|f| f.name.text.clone()).collect();
            let d = Naming::Unknown(Noun::Function, name.text.clone()).at(name.span);
            self.error(d.nearest(&name.text, &known, Hint::DefineOracle(name.text.clone())));
            if let Some(nearest) = prose::nearest(&name.text, &known) {
                // Continue with the function that was probably meant.
                self.oracles.push(ast::Name { text: nearest.to_string(), span: name.span });
            }
            return;
        };
        if let Some(param) = function.params.first() {
            self.error(Typing::OracleHasParameters.at(param.name.span));
            return;
        }
        if self.oracles.iter().all(|oracle| oracle.text != name.text) {
            self.oracles.push(name.clone());
        }
    }

    pub(in crate::check) fn oracles_need_pairs(&mut self) {
        if let Some(oracle) = self.oracles.first() {
            let span = oracle.span;
            self.require(Need::Oracles, span);
        }
        let erring = self.assumptions.written.iter().find(|(words, _)| words == "oracles err");
        if let (Some((_, span)), true) = (erring.cloned(), self.oracles.is_empty()) {
            self.require(Need::OraclesErr, span);
        }
    }

    /// Elaborate a call of an oracle's function in a process. None: it is not an oracle, or the current expression sees all
    /// processes.
    pub(in crate::check) fn oracle_call(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<ir::Expr> {
        let oracle = self.oracles.iter().position(|oracle| oracle.text == name.text)?;
        if self.cx.is_global() || self.cx.comp != 0 || !args.is_empty() {
            return None;
        }
        if self.cx.mode == Mode::Start {
            return Some(self.not_here(span, Modelling::OracleTooEarly));
        }
        Some(self.make(ir::ExprKind::Fact(Fact::Oracle(oracle as u16)), Type::Bool, span))
    }

    /// After unfolding a function in a process: if it ranges over all processes, report a missing oracle.
    pub(in crate::check) fn report_missing_oracle(&mut self, name: &ast::Name, before: usize, span: Span) {
        let assumed = self.has_assumption(&format!("oracle {}", name.text));
        if self.cx.is_global() || assumed || !self.has_assumption(ir::PAIRS) {
            return;
        }
        let all = |d: &Diagnostic| d.finding == Behaviour::RangesOverAllProcesses.into();
        if self.findings[before..].iter().any(all) {
            self.findings.truncate(before);
            self.require(Need::Oracle(name.text.clone()), span);
        }
    }

    /// Elaborate the answers of the oracles, as conditions on configurations.
    pub(in crate::check) fn oracles(&mut self) -> Vec<ir::Oracle> {
        let names = self.oracles.clone();
        let oracle = |name: &ast::Name| {
            let index = self.units[0].functions.iter().position(|f| f.name.text == name.text)?;
            self.observe(0);
            let truth = self.unfold((0, index), name, &[], name.span, Some(&Type::Bool));
            let truth = self.coerce(truth, &Type::Bool, "the answer of an oracle");
            Some(ir::Oracle { name: name.text.clone(), truth })
        };
        names.iter().filter_map(oracle).collect()
    }
}
