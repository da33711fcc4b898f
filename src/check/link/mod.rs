//! Link algorithm, problem and layers, and declare their global names.

mod required_operations;
mod outputs;
mod problem;

use crate::check::Checker;
use crate::check::context::*;
use crate::check::vocabulary::PREDEFINED;
use crate::diagnostic::{Hint, Label, Modelling, Naming, Noun, Typing, codes};
use crate::ir::{self, Type};
use crate::library::snake;
use crate::syntax::ast::{self, Pattern};

impl Checker<'_> {
    pub fn link(&mut self) {
        self.lanes.push(ir::Lane {
            name: String::new(),
            algorithm: self.units[0].name.text.clone(),
            fifo: true,
        });
        self.comps.push(Comp::default());
        self.link_layers(0, &mut vec![snake(&self.units[0].name.text)]);
        self.link_synchronizer();
        if let Some(unit) = self.problem_unit(0) {
            self.comps.push(Comp {
                unit,
                lane: 0,
                name: "problem".into(),
                upper: None,
                layers: vec![("algorithm".into(), 0)],
                is_problem: true,
                ..Comp::default()
            });
            let problem = self.comps.len() - 1;
            self.comps[0].upper = Some(problem);
            self.comps[0].problem = Some(problem);
        } else if self.units[0].is_problem {
            // A problem file checked on its own has no particular algorithm.
            self.comps[0].is_problem = true;
            self.comps[0].layers = vec![("algorithm".into(), 0)];
        }
        self.link_problems_of_layers();
        for comp in 0..self.comps.len() {
            self.declare_names(comp);
        }
        // The problem first: the algorithm's parameters may refer to the problem's. Layers come after their users, which pass
        // them arguments.
        let (problem, others): (Vec<usize>, Vec<usize>) =
            (0..self.comps.len()).partition(|comp| self.comps[*comp].is_problem);
        for comp in problem.into_iter().chain(others) {
            self.declare_fields(comp);
        }
        self.declare_problems();
        self.compute_unassigned_outputs();
    }

    /// Return the component of the problem.
    pub(in crate::check) fn problem(&self) -> Option<usize> {
        self.comps.iter().position(|comp| comp.is_problem)
    }

    /// Return the unit of the problem that a unit solves.
    pub(in crate::check) fn problem_unit(&self, unit: usize) -> Option<usize> {
        self.units[unit].problem.filter(|problem| self.units[*problem].is_problem)
    }

    fn link_layers(&mut self, comp: usize, path: &mut Vec<String>) {
        let user = self.units[self.comps[comp].unit].clone();
        for (u, unit) in user.uses.iter().zip(&user.layers) {
            let alias = u.name().clone();
            if self.comps[comp].layers.iter().any(|(n, _)| *n == alias.text) {
                self.error(
                    Naming::TwoCalled("layers", alias.text.clone())
                        .at(alias.span)
                        .hint(Hint::RenameLayer(u.algorithm.text.clone())),
                );
                continue;
            }
            let is_algorithm = |unit: &usize| self.units[*unit].has_header && !self.units[*unit].is_problem;
            let Some(unit) = unit.filter(is_algorithm) else {
                self.misdeclared_names.insert(alias.text.clone());
                continue;
            };
            let key = snake(&u.algorithm.text);
            if path.contains(&key) {
                self.misdeclared_names.insert(alias.text.clone());
                self.error(Naming::UsesItself(u.algorithm.text.clone()).at(u.algorithm.span));
                continue;
            }
            if !self.units[unit].roles.is_empty() {
                self.error(Modelling::LayerHasRoles(u.algorithm.text.clone()).at(u.algorithm.span));
                continue;
            }
            let name = match self.comps[comp].name.as_str() {
                "" => alias.text.clone(),
                outer => format!("{outer}.{}", alias.text),
            };
            self.lanes.push(ir::Lane {
                name: name.clone(),
                algorithm: self.units[unit].name.text.clone(),
                fifo: true,
            });
            self.comps.push(Comp {
                unit,
                lane: self.lanes.len() as u16 - 1,
                name,
                upper: Some(comp),
                ..Comp::default()
            });
            let layer = self.comps.len() - 1;
            self.comps[comp].layers.push((alias.text.clone(), layer));
            path.push(key);
            self.link_layers(layer, path);
            path.pop();
            if !u.args.is_empty() {
                self.layer_args.push((layer, comp, u.args.clone()));
            }
        }
    }

    pub(in crate::check) fn declare_name(&mut self, comp: usize, name: &ast::Name, def: Def) -> bool {
        if PREDEFINED.contains(&name.text.as_str()) {
            self.error(Naming::Predefined(name.text.clone()).at(name.span));
            return false;
        }
        if let Some((_, place)) = self.comps[comp].names.get(&name.text) {
            let place = *place;
            self.error(
                Naming::DeclaredTwice(name.text.clone())
                    .at(name.span)
                    .related(place, Label::FirstDeclaration),
            );
            return false;
        }
        self.comps[comp].names.insert(name.text.clone(), (def, name.span));
        true
    }

    /// Return the type of this name if the same file is already another component: both share one type.
    fn shared_type(&self, comp: usize, name: &str) -> Option<Type> {
        let unit = self.comps[comp].unit;
        self.comps[..comp].iter().find(|c| c.unit == unit)?.types.get(name).cloned()
    }

    fn declare_names(&mut self, comp: usize) {
        self.declare_heard(comp);
        let unit = self.units[self.comps[comp].unit].clone();
        for (name, cases) in &unit.enums {
            let index = match self.shared_type(comp, &name.text) {
                Some(Type::Enum(index)) => index,
                _ => {
                    let cases = cases.iter().map(|c| c.text.clone()).collect();
                    self.enums.push(ir::EnumType { name: name.text.clone(), cases });
                    self.enums.len() as u32 - 1
                }
            };
            self.comps[comp].types.insert(name.text.clone(), Type::Enum(index));
            for (i, case) in cases.iter().enumerate() {
                self.declare_name(comp, case, Def::Case(index, i as u32));
            }
        }
        for (name, _) in &unit.records {
            let index = match self.shared_type(comp, &name.text) {
                Some(Type::Record(index)) => index,
                _ => {
                    self.records.push(ir::RecordType { name: name.text.clone(), fields: Vec::new() });
                    self.records.len() as u32 - 1
                }
            };
            self.comps[comp].types.insert(name.text.clone(), Type::Record(index));
            self.declare_name(comp, name, Def::Record(index));
        }
        let told = self.comps[comp].defines_outputs_of.is_some();
        // The application of a layer's problem declares no messages here: the component above the layer is its application.
        for m in unit.messages.iter().filter(|_| !told) {
            self.kinds.push(ir::MessageKind {
                name: m.name.text.clone(),
                lane: self.comps[comp].lane,
                fields: Vec::new(),
                words: 0,
                values: 0,
                span: m.name.span,
            });
            self.declare_name(comp, &m.name, Def::Message(self.kinds.len() as u32 - 1));
        }
        for (i, (name, _, _)) in unit.consts.iter().enumerate() {
            self.declare_name(comp, name, Def::Const(i));
        }
        for (i, f) in unit.functions.iter().enumerate() {
            self.declare_name(comp, &f.name, Def::Function(i));
        }
        for role in &unit.roles {
            if let Some(name) = &role.name
                && let Some((_, place)) = self.comps[comp].names.get(&name.text)
            {
                let place = *place;
                self.error(
                    Naming::DeclaredTwice(name.text.clone())
                        .at(name.span)
                        .related(place, Label::FirstDeclaration),
                );
            }
        }
    }

    /// Declare types of fields and parameters, once all types have names.
    fn declare_fields(&mut self, comp: usize) {
        let unit = self.units[self.comps[comp].unit].clone();
        self.cx.comp = comp;
        for (_, fields) in &unit.records {
            self.check_distinct(fields.iter().map(|f| &f.name), "fields");
        }
        for m in &unit.messages {
            self.check_distinct(m.fields.iter().map(|f| &f.name), "fields");
        }
        for f in &unit.functions {
            self.check_distinct(f.params.iter().map(|p| &p.name), "parameters");
        }
        for (name, fields) in &unit.records {
            if let Some((Def::Record(r), _)) = self.comps[comp].names.get(&name.text).cloned()
                && self.records[r as usize].fields.is_empty()
            {
                let ty =
                    |(i, f): (usize, &ast::Param)| self.declared_type(Written::Part(r, i), f.ty.as_ref());
                let types: Vec<Type> = fields.iter().enumerate().map(ty).collect();
                let names = fields.iter().map(|f| f.name.text.clone());
                self.records[r as usize].fields = names.zip(types).collect();
            }
        }
        for m in &unit.messages {
            if let Some((Def::Message(k), place)) = self.comps[comp].names.get(&m.name.text).cloned()
                && place == m.name.span
            {
                let field = |(i, f): (usize, &ast::Param)| {
                    let ty = self.declared_type(Written::Field(k, i), f.ty.as_ref());
                    ir::Field { name: f.name.text.clone(), ty, place: ir::Slot::Word(0) }
                };
                self.kinds[k as usize].fields = m.fields.iter().enumerate().map(field).collect();
            }
        }
        let told_of = self.comps[comp].defines_outputs_of;
        for (name, ty, default) in &unit.params {
            // Nor does it have a client, whose parameters would be the numbers of its rounds or tasks.
            if told_of.is_some() && !self.is_needed_for_outputs(comp, name) {
                continue;
            }
            let index = self.params.len() as u16;
            let full_name = match self.comps[comp].name.as_str() {
                "" | "problem" => name.text.clone(),
                layer => format!("{layer}.{}", name.text),
            };
            if !self.declare_name(comp, name, Def::Param(index)) {
                continue;
            }
            let ty = self.declared_type(Written::Param(index.into()), ty.as_ref());
            // An argument from the layer's user overrides the layer's default.
            let given = self.layer_args.iter().find(|(l, _, _)| *l == told_of.unwrap_or(comp)).and_then(
                |(_, user, args)| {
                    args.iter().find(|(n, _)| n.text == name.text).map(|(_, e)| (*user, e.clone()))
                },
            );
            let of = given.as_ref().map_or(comp, |(user, _)| *user);
            self.observe(of);
            self.cx.is_external_value = !self.comps[of].is_problem;
            let default = match (&given, default) {
                (Some((_, e)), _) => Some(self.expr_as(e, &ty, "the value given to the layer")),
                (None, Some(e)) => Some(self.expr_as(e, &ty, "the default of the parameter")),
                (None, None) => None,
            };
            self.params.push(ir::Param {
                name: full_name,
                ty,
                ranges: ir::Ranges::Any,
                default,
                span: name.span,
            });
        }
        for (layer, _, args) in self.layer_args.clone() {
            if layer == comp {
                for (n, _) in args {
                    let told = self.comps[comp].problem.is_some_and(|p| {
                        let of_problem = &self.units[self.comps[p].unit].params;
                        let param = of_problem.iter().find(|(param, _, _)| param.text == n.text);
                        param.is_some_and(|(param, _, _)| self.is_needed_for_outputs(p, param))
                    });
                    if !told && !unit.params.iter().any(|(p, _, _)| p.text == n.text) {
                        self.error(
                            Naming::NotInLayer(unit.name.text.clone(), Noun::Parameter, n.text.clone())
                                .at(n.span),
                        );
                    }
                }
            }
        }
    }

    /// Note a type of the current component as written, for its ranges.
    pub(in crate::check) fn declared_type(&mut self, of: Written, written: Option<&ast::TypeExpr>) -> Type {
        if let Some(t) = written {
            self.written_types.insert(of, (self.cx.comp, t.clone()));
        }
        self.type_or_open(written)
    }

    /// Return whether a component handles this upcall of a layer.
    pub fn handles_upcall(&self, upper: usize, layer: usize, upcall: &str) -> bool {
        !self.upcall_handlers(upper, layer, upcall).is_empty()
    }

    /// Return the patterns of the handlers of a component for this upcall of a layer.
    pub fn upcall_handlers(&self, upper: usize, layer: usize, upcall: &str) -> Vec<&Pattern> {
        let Some((alias, _)) = self.comps[upper].layers.iter().find(|(_, c)| *c == layer) else {
            return Vec::new();
        };
        let unit = &self.units[self.comps[upper].unit];
        let guards = unit.sections().flat_map(|section| section.guards());
        let of_layer = guards.filter(|g| g.layer.as_ref().is_some_and(|l| l.text == *alias));
        let patterns = of_layer.map(|guard| &guard.pattern);
        patterns.filter(|p| p.named().is_some_and(|(name, _)| name.text == upcall)).collect()
    }

    pub fn settle_params(&mut self) {
        for i in 0..self.params.len() {
            let ty = self.infer.full(&self.params[i].ty);
            if !self.infer.is_known(&ty) {
                let (name, span) = (self.params[i].name.clone(), self.params[i].span);
                self.error(Typing::ParameterNotInferred(name).at(span));
            }
            self.params[i].ty = ty;
            self.params[i].ranges = self.param_ranges(i);
            if let Some(default) = self.params[i].default.clone() {
                self.check_param_range(i, &default, codes::CONSTANT);
            }
        }
    }
}
