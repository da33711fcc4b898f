//! Diagnostics for unknown names.

use crate::check::Checker;
use crate::check::context::*;
use crate::check::model::word;
use crate::diagnostic::{Diagnostic, Hint, Label, Naming};
use crate::source::Span;

impl Checker<'_> {
    pub fn unknown_name(&self, text: &str, span: Span) -> Diagnostic {
        let mut d = Naming::UnknownToAll(text.into()).at(span);
        let known = self.names_in_scope();
        if self.cx.is_global() && self.is_variable_anywhere(text) {
            d = d.hint(Hint::IsVariableOfProcesses(text.into()));
        } else if self.cx.is_global() && self.is_state_anywhere(text) {
            d = d.hint(Hint::IsState(text.into()));
        } else if let Some((Def::Param(_) | Def::Function(_), place)) = self.hidden_in_problem(text) {
            d = d.related(place, Label::DeclaredByProblem).hint(Hint::IsOfProblem);
        } else if let Some(layer) = self.layer_named(self.cx.comp, text) {
            let outputs: Vec<String> =
                self.outputs_of(layer).into_iter().map(|(n, ..)| format!("{text}.{}", n.text)).collect();
            let hint = match outputs.as_slice() {
                [] => Hint::CallOperations(text.into()),
                [one] => Hint::OutputOfLayer(one.clone()),
                _ => Hint::Are("its outputs", outputs),
            };
            d = Naming::LayerIsNoValue(text.into()).at(span).hint(hint);
        } else if word(text).is_some() {
            d = d.hint(Hint::IsAssumption(text.into()));
        } else if self.is_parameter_below(text) {
            d = d.hint(Hint::IsDeclaredBelow);
        } else if self.in_property && text.strip_prefix('p').is_some_and(|i| i.parse::<u32>().is_ok()) {
            d = d.hint(Hint::NamesInScenarios);
        } else if default_position(text).is_some() && !self.cx.is_global() {
            d = d.hint(Hint::PositionsInScenarios);
        } else if default_position(text).is_some() && !self.cx.processes.known().is_empty() {
            d = d.hint(self.cx.processes.hint());
        } else {
            d = d.foreign_or_nearest(text, &known);
        }
        d
    }

    /// Return whether a parameter with this name is declared later. Parameters are declared in order, each with its default.
    fn is_parameter_below(&self, text: &str) -> bool {
        let unit = self.comps.get(self.cx.comp).map(|comp| &self.units[comp.unit]);
        unit.is_some_and(|unit| unit.params.iter().any(|(name, _, _)| name.text == text))
    }
}
