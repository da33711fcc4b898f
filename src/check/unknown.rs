//! Diagnostics for unknown names.

use super::context::*;
use super::{Checker, codes, prose};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Checker<'_> {
    pub(super) fn unknown_name(&self, text: &str, span: Span) -> Diagnostic {
        let mut d = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("nothing is called `{text}`"));
        let known = self.names_in_scope();
        if self.cx.is_global() && self.is_variable_anywhere(text) {
            d = d.hint(format!(
                "`{text}` is a variable of each process: name the process, for instance `forall p: p.{text} …`"
            ));
        } else if self.cx.is_global() && self.is_state_anywhere(text) {
            d = d.hint(format!("`{text}` is a control state: `p in {text}` tests whether process p is in it, `forall p with p in {text}: …` ranges over the processes in it"));
        } else if let Some((Def::Param(_) | Def::Function(_), place)) = self.hidden_in_problem(text) {
            d = d.related(place, "declared by the problem").hint(
                "declarations of the problem are visible in properties and scenarios; for processes, declare it in the algorithm",
            );
        } else if let Some(layer) = self.layer_named(self.cx.comp, text) {
            let what = format!("`{text}` is a layer, not a value");
            let outputs: Vec<String> =
                self.outputs_of(layer).into_iter().map(|(n, ..)| format!("{text}.{}", n.text)).collect();
            let hint = match outputs.as_slice() {
                [] => format!("call its operations: `{text}.…`"),
                [one] => format!("its output is `{one}`"),
                outputs => format!("its outputs are {}", prose::list(outputs)),
            };
            d = Diagnostic::error(codes::UNKNOWN_NAME, span, what).hint(hint);
        } else if self.is_parameter_below(text) {
            d = d.hint(
                "this parameter is declared below: a default may mention earlier declarations and the network",
            );
        } else if self.in_property && text.strip_prefix('p').is_some_and(|i| i.parse::<u32>().is_ok()) {
            d = d.hint(
                "processes have names only in scenarios: in a property write `forall p: …` or `some p: …`",
            );
        } else if default_position(text).is_some() && !self.cx.processes.known().is_empty() {
            d = d.hint(self.cx.processes.to_string());
        } else {
            d = prose::suggest_foreign_or_nearest(d, text, &known);
        }
        d
    }

    /// Return whether a parameter with this name is declared later. Parameters are declared in order, each with its default.
    fn is_parameter_below(&self, text: &str) -> bool {
        let unit = self.comps.get(self.cx.comp).map(|comp| &self.units[comp.unit]);
        unit.is_some_and(|unit| unit.params.iter().any(|(name, _, _)| name.text == text))
    }
}
