//! Components and fields of values, variables of processes, attributes of events.

use super::super::{Checker, prose};
use super::*;
use crate::check::context::Local;
use crate::diagnostic::{Hint, Modelling, Naming, Need, Noun, Typing};

const EVENT_FACTS: &[&str] = &["process", "nth", "value"];
const PROCESS_FACTS: &[&str] =
    &["id", "index", "halted", "up", "degree", "neighbours", "initiator", "enabled"];

impl Checker<'_> {
    pub(in crate::check) fn field(&mut self, base: &ast::Expr, field: &ast::Name, span: Span) -> ir::Expr {
        if let Some(mirror) = self.responders_variable(base, field) {
            return match mirror {
                Some(local) => self.read(local, span),
                None => self.poison(span),
            };
        }
        if !self.cx.is_global()
            && let Some(layer) = self.layer_before_dot(base)
        {
            return self.layer_output(layer, field, span);
        }
        if self.cx.is_global()
            && let Some((process, layer)) = self.process_and_layer(base)
        {
            let process = self.expr(process, None);
            let process = self.unwrap_option(process);
            let process = self.coerce(process, &Type::Process, "the expression before the layer");
            return self.layer_field(process, layer, field, span);
        }
        if !self.cx.is_global()
            && self.has_assumption("reads neighbours")
            && let ExprKind::Name(_) = &base.kind
        {
            let port = self.expr(base, None);
            if matches!(self.infer.head(&port.ty), Type::Port) {
                return self.neighbours_variable(port, field, span);
            }
        }
        let base = self.expr(base, None);
        let base = self.unwrap_option(base);
        match self.infer.head(&base.ty) {
            Type::Tuple(parts) => match field.text.parse::<usize>() {
                Ok(i) if i >= 1 && i <= parts.len() => {
                    let ty = parts[i - 1].clone();
                    self.make(K::Part(Box::new(base), i - 1), ty, span)
                }
                _ => {
                    self.error(Naming::NoComponent(parts.len()).at(field.span));
                    self.poison(span)
                }
            },
            Type::Record(r) => {
                let record = self.records[r as usize].clone();
                match record.fields.iter().position(|(n, _)| *n == field.text) {
                    Some(i) => {
                        let ty = record.fields[i].1.clone();
                        self.make(K::Part(Box::new(base), i), ty, span)
                    }
                    None => {
                        let known: Vec<String> = record.fields.iter().map(|(n, _)| n.clone()).collect();
                        self.error(
                            Naming::NoFieldOfRecord(record.name, field.text.clone())
                                .at(field.span)
                                .hint(Hint::Are("its fields", known)),
                        );
                        self.poison(span)
                    }
                }
            }
            Type::Process => self.process_field(base, field, span),
            Type::Event => {
                let (fact, ty) = match field.text.as_str() {
                    "process" => (ir::EventFact::Process, Type::Process),
                    "nth" => (ir::EventFact::Nth, Type::Int),
                    "value" => (ir::EventFact::Value, Type::Value),
                    _ => {
                        self.error(Naming::NoAttributeOfEvent(field.text.clone()).at(field.span));
                        return self.poison(span);
                    }
                };
                self.make(K::EventFact(fact, Box::new(base)), ty, span)
            }
            other if self.infer.is_error_type(&other) => {
                self.asks_for_part(field);
                self.poison(span)
            }
            Type::Port if !self.cx.is_global() && self.has_assumption(ir::PAIRS) => {
                self.not_here(span, Modelling::OnlyResponder(field.text.clone()))
            }
            Type::Port if !self.cx.is_global() && self.variable(&field.text).is_some() => {
                self.require(Need::NeighbourVariable(field.text.clone()), span);
                self.poison(span)
            }
            other => {
                let have = self.type_words(&other);
                let hint = match other {
                    Type::Id | Type::Port => Some(Hint::VariablesOfOthers),
                    Type::Unknown(_) => Some(Hint::AnnotateDeclaration),
                    _ => {
                        let foreign = || prose::foreign_equivalent(&field.text).map(Hint::Word);
                        self.hint_of_role(&base, &field.text).or_else(foreign)
                    }
                };
                self.error(Typing::NoFields(field.text.clone(), have).at(span).hint(hint));
                self.poison(span)
            }
        }
    }

    /// Return what to write if the value is the set of the processes of a role: the process of the same name, or a quantifier.
    fn hint_of_role(&self, base: &ir::Expr, field: &str) -> Option<Hint> {
        let K::Fact(ir::Fact::RoleProcesses(role)) = base.kind else { return None };
        let name = &self.units[0].roles[usize::from(role)].name.as_ref()?.text;
        Some(match self.cx.processes.named.get(name) {
            Some(position) => Hint::RoleHidesProcess(name.clone(), *position),
            None => Hint::RoleIsSet(name.clone(), field.into()),
        })
    }

    /// `prev.x`: the variable of a neighbour (state reading).
    fn neighbours_variable(&mut self, port: ir::Expr, field: &ast::Name, span: Span) -> ir::Expr {
        let vars = &self.cx.comps[self.cx.comp].vars;
        let Some(local) = vars.get(&field.text).copied() else {
            let d = Naming::Unknown(Noun::Variable, field.text.clone()).at(field.span);
            let known: Vec<String> = vars.keys().cloned().collect();
            self.error(match field.text.as_str() {
                "id" => d.hint(Hint::IdOfNeighbour),
                other if self.is_variable_of_a_role(other) => d.hint(Hint::IsOfOneRole),
                other => d.nearest(other, &known, None),
            });
            return self.poison(span);
        };
        let Local { ty, starts_unset, .. } = self.cx.locals[local as usize].clone();
        let shared = self.shared(&field.text);
        let read = self.make(K::NeighbourVariable(Box::new(port), shared), ty.clone(), span);
        if starts_unset { self.make(K::Unwrap(Box::new(read)), ty, span) } else { read }
    }

    /// Report a field that no value, process or event has, in an expression of unknown type.
    fn asks_for_part(&mut self, field: &ast::Name) {
        let text = field.text.as_str();
        if !self.infer.is_generic || text.parse::<usize>().is_ok() || self.is_state_anywhere(text) {
            return;
        }
        let facts = EVENT_FACTS.iter().chain(PROCESS_FACTS).map(|s| s.to_string());
        let of_records = self.records.iter().flat_map(|r| &r.fields).map(|(name, _)| name.clone());
        let of_roles = self.roles.iter().flat_map(|r| r.vars.keys().map(|(_, name)| name.clone()));
        let known: Vec<String> = of_roles
            .chain(of_records)
            .chain(facts)
            .chain(self.derived.keys().map(|(_, name)| name.clone()))
            .collect();
        if !known.iter().any(|name| name == text) {
            let d = Naming::Unknown(Noun::FieldOrVariable, text.into()).at(field.span);
            self.error(d.nearest(text, &known, None));
        }
    }

    pub(in crate::check) fn operation_named(&mut self, name: &ast::Name) -> Option<u16> {
        let found = self
            .operations
            .iter()
            .position(|o| o.name == name.text || o.alias.as_deref() == Some(&name.text));
        if found.is_none() && !self.problem_not_found() {
            let known: Vec<String> = self.operations.iter().map(|o| o.name.clone()).collect();
            let d = Naming::NotInProblem(Noun::Operation, name.text.clone()).at(name.span);
            self.error(d.hint(Hint::are("its operations", &known)));
        }
        found.map(|i| i as u16)
    }

    /// Return whether the algorithm solves a problem that was not found: then its operations are unknown.
    pub(in crate::check) fn problem_not_found(&self) -> bool {
        self.units[0].solves.is_some() && self.problem().is_none()
    }

    /// Return the messages that `messages of` names: all kinds with that name, of the algorithm and its layers; or of one layer
    /// only, those with that name or all.
    pub(in crate::check) fn kinds_named(&mut self, path: &[ast::Name]) -> Vec<u32> {
        let mut named = path;
        let mut layer = None;
        while let [alias, rest @ ..] = named {
            let is_message = rest.is_empty() && self.kinds.iter().any(|kind| kind.name == alias.text);
            match self.layer_named(layer.unwrap_or(0), &alias.text).filter(|_| !is_message) {
                Some(found) => (layer, named) = (Some(found), rest),
                None => break,
            }
        }
        let lane = layer.map(|layer| self.comps[layer].lane);
        let of_layer = |kind: &&(u32, &ir::MessageKind)| lane.is_none_or(|lane| kind.1.lane == lane);
        let all: Vec<(u32, &ir::MessageKind)> = (0..).zip(&self.kinds).collect();
        let kinds = all.iter().filter(of_layer);
        let name = match named {
            [] => return kinds.map(|(i, _)| *i).collect(),
            [name] => name,
            [unknown, ..] => {
                let known: Vec<String> =
                    self.comps[layer.unwrap_or(0)].layers.iter().map(|(n, _)| n.clone()).collect();
                let d = Naming::Unknown(Noun::Layer, unknown.text.clone()).at(unknown.span);
                self.error(d.nearest(&unknown.text, &known, None));
                return Vec::new();
            }
        };
        let found: Vec<u32> = kinds.clone().filter(|(_, k)| k.name == name.text).map(|(i, _)| *i).collect();
        if found.is_empty() {
            let known: Vec<String> = kinds.map(|(_, k)| k.name.clone()).collect();
            let (finding, hint) = match layer {
                Some(layer) => (
                    Naming::NoMessageOfLayer(self.comps[layer].name.clone(), name.text.clone()),
                    Some(Hint::Are("its messages", known.clone())),
                ),
                None => (Naming::Unknown(Noun::Message, name.text.clone()), None),
            };
            self.error(finding.at(name.span).nearest(&name.text, &known, hint));
        }
        found
    }
}
