//! Outputs: variables that a problem requires. The algorithm has the outputs of the problem that it solves. A layer has those of
//! its own problem, which no property requires; the component above reads them: `Vote.elected`, in properties `p.Vote.elected`.

use crate::check::Checker;
use crate::check::context::*;
use crate::check::typed::Role;
use crate::diagnostic::{Diagnostic, Hint, Naming, Noun};
use crate::ir;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Name, TypeExpr};
use std::sync::Arc;

/// Name, type, definition.
type Output = (Name, Option<TypeExpr>, Option<Expr>);

impl Checker<'_> {
    /// Return the number of components in a process. The problems of layers, which only define outputs, come after these.
    pub fn component_count(&self) -> usize {
        self.comps.iter().position(|c| c.defines_outputs_of.is_some()).unwrap_or(self.comps.len())
    }

    /// Link the problems of layers, after all other components.
    pub(in crate::check) fn link_problems_of_layers(&mut self) {
        for layer in 1..self.comps.len() {
            if self.comps[layer].is_problem {
                continue;
            }
            let Some(problem) = self.problem_unit(self.comps[layer].unit) else { continue };
            self.comps[layer].problem = Some(self.comps.len());
            self.comps.push(Comp {
                unit: problem,
                lane: self.comps[layer].lane,
                name: self.comps[layer].name.clone(),
                defines_outputs_of: Some(layer),
                ..Comp::default()
            });
        }
    }

    /// Return the component of the problem that a component solves, or is.
    fn problem_of(&self, comp: usize) -> Option<usize> {
        let c = &self.comps[comp];
        if c.is_problem || c.defines_outputs_of.is_some() { Some(comp) } else { c.problem }
    }

    /// Return the outputs that the algorithm or a layer must produce.
    pub fn outputs_of(&self, comp: usize) -> Vec<Output> {
        let problem = self.problem_of(comp).map(|problem| self.comps[problem].unit);
        problem.map(|unit| self.units[unit].outputs.clone()).unwrap_or_default()
    }

    /// Return whether the definition of an output or a parameter of the layer uses this parameter of the layer's problem.
    pub(in crate::check) fn is_needed_for_outputs(&self, problem: usize, param: &Name) -> bool {
        let unit = &self.units[self.comps[problem].unit];
        let layer = self.comps[problem].defines_outputs_of.map(|layer| &self.units[self.comps[layer].unit]);
        let parameters = layer.into_iter().flat_map(|unit| &unit.params);
        let mut spans: Vec<Span> =
            parameters.filter_map(|(_, _, value)| Some(value.as_ref()?.span)).collect();
        for (_, ty, value) in &unit.outputs {
            spans.extend(ty.as_ref().map(|t| t.span).into_iter().chain(value.as_ref().map(|e| e.span)));
        }
        let reached = self.names.reached(|used| spans.iter().any(|span| span.contains(used.place)));
        self.names.declaration_at(param.span).is_some_and(|decl| reached.contains(&decl))
    }

    /// Compute the outputs that have a definition and that nothing assigns.
    pub(in crate::check) fn compute_unassigned_outputs(&mut self) {
        for comp in 0..self.component_count() {
            let Some(problem) = self.problem_of(comp).filter(|p| comp == 0 || *p != comp) else { continue };
            for (i, (name, _, value)) in self.outputs_of(comp).iter().enumerate() {
                let decl = self.names.declaration_at(name.span);
                let by = self.comps[comp].unit;
                if value.is_some() && !decl.is_some_and(|decl| self.names.is_assigned(decl, by)) {
                    self.derived.insert((comp, name.text.clone()), i);
                    self.declare_name(comp, name, Def::Output(i));
                    if problem != comp {
                        self.declare_name(problem, name, Def::Output(i));
                    }
                }
            }
        }
    }

    /// Declare all other outputs as variables.
    pub(in crate::check) fn declare_outputs(&mut self, comp: usize) {
        for (name, ty, _) in self.outputs_of(comp) {
            if self.derived.contains_key(&(comp, name.text.clone())) {
                continue;
            }
            let ranges = self.ranges_of(ty.as_ref());
            let ty = self.declared_type(Written::Variable(name.span), ty.as_ref());
            let unset = self.default_value(&ty).is_none() && self.initial_output(comp, &name.text).is_none();
            let local = self.cx.new_local(&name.text, ty, name.span, Class::State);
            self.cx.locals[local as usize].output = true;
            self.cx.locals[local as usize].starts_unset = unset;
            self.set_ranges(local, ranges);
            self.cx.comps[comp].vars.insert(name.text.clone(), local);
        }
    }

    /// Return the expression after `initially`, if the output has one.
    fn initial_output(&self, comp: usize, name: &str) -> Option<Expr> {
        let unit = self.comps[self.problem_of(comp)?].unit;
        self.units[unit].initial_outputs.iter().find(|(output, _)| output == name).map(|(_, e)| e.clone())
    }

    /// Initialise the outputs that are variables and have an initial value.
    pub(in crate::check) fn initialise_outputs(&mut self, comp: usize) {
        for (name, ty, _) in self.outputs_of(comp) {
            let variable = self.cx.comps[comp].vars.get(&name.text).copied();
            let (Some(init), Some(local)) = (self.initial_output(comp, &name.text), variable) else {
                continue;
            };
            if matches!(init.kind, ExprKind::Any) {
                self.any_value(local, ty.as_ref(), init.span);
                continue;
            }
            // The names in it are those of the problem.
            let of_problem = self.problem_of(comp).unwrap_or(comp);
            let wanted = self.cx.locals[local as usize].ty.clone();
            let purpose = format!("the initial value of `{}`", name.text);
            let value = self.in_component(of_problem, |this| this.expr_as(&init, &wanted, &purpose));
            self.assign_value(
                &Expr { id: init.id, kind: ExprKind::Name(name.clone()), span: name.span },
                value,
            );
        }
    }

    /// Elaborate the problem's definition of an output of the current component.
    pub(in crate::check) fn output_definition(&mut self, index: usize, span: Span) -> ir::Expr {
        let problem = self.problem_of(self.cx.comp).or_else(|| self.problem_of(0)).unwrap_or(0);
        let unit = self.comps[problem].unit;
        let (name, ty, init) = self.units[unit].outputs[index].clone();
        if self.unfolding.contains(&name.text) {
            self.error(Naming::DependsOnItself(Noun::Output, name.text.clone()).at(span));
            return self.poison(span);
        }
        self.unfolding.push(name.text.clone());
        let e = self.apart(problem, Vec::new(), |this| match (&init, &ty) {
            (Some(e), Some(t)) => {
                let ranges = this.ranges(t);
                let t = this.type_expr(t);
                let value = this.expr_as(e, &t, "the definition of the output");
                this.with_range_check(value, &ranges, || format!("the output `{}`", name.text))
            }
            (Some(e), None) => this.expr(e, None),
            (None, _) => this.poison(span),
        });
        self.unfolding.pop();
        e
    }

    /// Return the layer that a name before a dot denotes.
    pub(in crate::check) fn layer_before_dot(&self, base: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &base.kind else { return None };
        let hidden = self.assignable(&name.text).is_some();
        self.layer_named(self.cx.comp, &name.text).filter(|_| !hidden)
    }

    /// Return the layer of a component with this alias.
    pub(in crate::check) fn layer_named(&self, comp: usize, name: &str) -> Option<usize> {
        let layer = self.comps[comp].layers.iter().find(|(alias, _)| alias == name);
        layer.map(|(_, layer)| *layer).filter(|layer| self.comps[*layer].upper == Some(comp) && *layer != 0)
    }

    /// `Vote.elected`, in a process with the layer `Vote`.
    pub(in crate::check) fn layer_output(&mut self, layer: usize, name: &Name, span: Span) -> ir::Expr {
        let index = self.derived.get(&(layer, name.text.clone())).copied();
        if let Some(index) = index {
            return self.in_component(layer, |this| this.output_definition(index, span));
        }
        let outputs: Vec<String> = self.outputs_of(layer).into_iter().map(|(n, ..)| n.text).collect();
        let variable = self.cx.comps.get(layer).and_then(|scope| scope.vars.get(&name.text)).copied();
        if let Some(local) = variable.filter(|_| outputs.contains(&name.text)) {
            return self.read(local, span);
        }
        let d = self.no_output(layer, name, &outputs, variable.is_some());
        self.error(d);
        self.poison(span)
    }

    fn no_output(&self, layer: usize, name: &Name, outputs: &[String], is_variable: bool) -> Diagnostic {
        let alias = self.comps[layer].name.rsplit('.').next().unwrap_or_default();
        let unit = &self.units[self.comps[layer].unit];

        let d = Naming::NotInLayer(alias.into(), Noun::Output, name.text.clone()).at(name.span);
        let text = name.text.clone();
        let hint = match Hint::are("its outputs", outputs) {
            _ if is_variable => Hint::IsPrivate(text),
            Some(outputs) => outputs,
            None => Hint::UseUpcall(unit.name.text.clone(), unit.solves.is_some(), alias.into(), text),
        };
        d.nearest(&name.text, outputs, hint)
    }

    /// `p.Vote.elected`, in a property: return the process, and the layer that is named between the dots.
    pub(in crate::check) fn process_and_layer<'e>(&self, base: &'e Expr) -> Option<(&'e Expr, usize)> {
        let ExprKind::Field(before, alias) = &base.kind else { return None };
        let outer = match self.process_and_layer(before) {
            Some((process, layer)) => (process, layer),
            None => (&**before, 0),
        };
        let (process, comp) = outer;
        // A variable of that name takes precedence.
        let hidden = self.variable_of(comp, &alias.text).is_some();
        self.layer_named(comp, &alias.text).filter(|_| !hidden).map(|layer| (process, layer))
    }

    /// Read the variable or output of a layer, of a process seen from outside.
    pub(in crate::check) fn layer_field(
        &mut self,
        process: ir::Expr,
        layer: usize,
        field: &Name,
        span: Span,
    ) -> ir::Expr {
        if let Some(value) = self.remote_variable(&process, layer, &field.text, span) {
            return value;
        }
        let has = |role: &Arc<Role>| role.states.contains_key(&(layer, field.text.clone()));
        if self.roles.iter().any(has) {
            return self.in_component(layer, |this| this.remote_state(process, &field.text, span));
        }
        let mut known = self.variables_of(|comp| comp == layer);
        let derived = self.derived.keys().filter(|(comp, _)| *comp == layer);
        known.extend(derived.map(|(_, name)| name.clone()));
        known.sort();
        known.dedup();
        let name = &self.comps[layer].name;
        let d = Naming::NotInLayer(name.clone(), Noun::Variable, field.text.clone()).at(field.span);
        let hint = Hint::are("its variables", &known).unwrap_or(Hint::NoVariables);
        self.error(d.nearest(&field.text, &known, hint));
        self.poison(span)
    }
}
