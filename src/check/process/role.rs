//! Elaboration of one role: link the variables, code, waiting points and handlers of the algorithm, its layers and its problem
//! into one process.

use crate::check::Checker;
use crate::check::context::*;
use crate::check::load::unit::VarSection;
use crate::check::load::unit::{RoleSection, StateSection};
use crate::check::process::layer_thread::HALTED;
use crate::check::typed::Role;
use crate::check::vocabulary::PREDEFINED;
use crate::check::vocabulary::PROCESS_ATTRIBUTES;
use crate::diagnostic::{Behaviour, Label, Naming, Need};
use crate::ir::{self, Handlers, Op, Slot, Type};
use crate::source::Span;
use crate::syntax::ast;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Checker<'_> {
    pub fn role(&mut self, role: u16) -> Role {
        let comps = self.component_count();
        let cx = Cx::new(Some(role), self.comps.len(), Mode::Start);
        let observer = std::mem::replace(&mut self.cx, cx);
        let span = self.units[0].roles.get(role as usize).map_or(self.units[0].name.span, |r| r.span);
        // Slot 0 is the program counter of the thread.
        self.cx.new_local("", Type::Int, span, Class::State);
        let idle = self.units[0].name.span;
        let wait = self.new_wait(idle);
        self.cx.waits[wait as usize].text = "idle".into();

        for comp in 0..comps {
            self.declare(comp, role);
        }
        let start = self.pc();
        for comp in 0..comps {
            self.initialise(comp, role);
        }
        let into_body = self.emit(Op::Wait(0));

        let participates = self.participates(role);
        // Layers first, so that callees precede callers.
        let problem = self.problem();
        let mut order: Vec<usize> = (0..comps).rev().filter(|c| Some(*c) != problem).collect();
        order.extend(problem.filter(|_| participates));
        for comp in order {
            self.routines(comp, role);
        }
        // In the same order, so that a layer's upcalls are known before their handlers.
        let mut components: Vec<Option<ir::Component>> = vec![None; comps];
        let mut first_body = None;
        let with_thread = self.thread_owner(role);
        let mut initial_states = vec![0; comps];
        let above = problem.into_iter();
        for comp in (0..comps).rev().filter(|c| Some(*c) != problem).chain(above) {
            let (component, body, initial) = self.component(comp, role);
            initial_states[comp] = initial;
            if comp == with_thread {
                first_body = body;
            }
            components[comp] = Some(component);
        }
        let components = components.into_iter().flatten().collect();
        if let Some(pc) = first_body {
            self.cx.code[into_body] = Op::Jump(pc);
        }
        let client = problem.filter(|_| participates).and_then(|p| self.client(p));
        let operations = self.entries(problem.filter(|_| participates));
        let Cx { locals, comps, mut code, statements, guards, implied, waits, timers, wakes, .. } =
            std::mem::replace(&mut self.cx, observer);
        let (mut vars, mut states) = (BTreeMap::new(), BTreeMap::new());
        for (comp, scope) in comps.iter().enumerate() {
            vars.extend(scope.vars.iter().map(|(name, local)| ((comp, name.clone()), *local)));
            let control = scope.state_local;
            states.extend(self.ended_state(comp, scope).map(|end| ((comp, HALTED.into()), (control, end))));
            let numbered = scope.states.iter().map(|(name, index)| (name.clone(), i64::from(*index)));
            states.extend(numbered.map(|(name, index)| ((comp, name), (control, index))));
        }
        let thread = clear_thread(&locals, &mut code);
        Role {
            span,
            received: self.arrived(&vars),
            thread,
            locals,
            comps,
            vars,
            states,
            components,
            initial_states,
            code,
            statements,
            guards,
            implied,
            waits,
            start: start..into_body as ir::Pc,
            client,
            operations,
            has_wakeup: wakes,
            timers: timers.into_iter().map(|(_, name)| name).collect(),
        }
    }

    pub(in crate::check) fn sections(&self, comp: usize, role: u16) -> Vec<Arc<RoleSection>> {
        let unit = &self.units[self.comps[comp].unit];
        let role = if comp == 0 { role as usize } else { usize::MAX };
        unit.role_sections(role)
    }

    fn states(&self, comp: usize, role: u16) -> Vec<Arc<StateSection>> {
        self.sections(comp, role).iter().flat_map(|s| &s.states).cloned().collect()
    }

    /// Return whether any handler of the current process can run while its thread waits.
    pub fn has_handlers(&self) -> bool {
        let handles = |s: &Arc<RoleSection>| s.handlers().next().is_some();
        let role = self.cx.role.unwrap_or_default();
        (0..self.component_count()).any(|comp| self.sections(comp, role).iter().any(handles))
    }

    /// Return whether this role has the operations that the problem's client calls.
    pub fn participates(&self, role: u16) -> bool {
        if self.problem().is_none() {
            return false;
        }
        let offered: BTreeSet<String> = self
            .sections(0, role)
            .iter()
            .flat_map(|s| s.operations.iter().map(|o| o.name.text.clone()))
            .collect();
        self.operations_required().iter().all(|asked| offered.contains(&asked.text))
    }

    fn declare(&mut self, comp: usize, role: u16) {
        self.cx.comp = comp;
        let span = self.units[self.comps[comp].unit].name.span;
        let state_local = self.cx.new_local("", Type::Int, span, Class::State);
        self.cx.comps[comp].state_local = state_local;
        if comp == 0 || self.comps[comp].problem.is_some() {
            self.declare_outputs(comp);
        }
        for section in self.sections(comp, role) {
            for var in &section.vars {
                for name in &var.names {
                    self.declare_variable(comp, name, var);
                }
            }
            for state in &section.states {
                let scope = &mut self.cx.comps[comp];
                if scope.vars.contains_key(&state.name.text) {
                    let place = self.cx.locals[scope.vars[&state.name.text] as usize].span;
                    self.duplicate(&state.name, place);
                }
                let scope = &mut self.cx.comps[comp];
                let index = scope.states.len() as u32;
                scope.states.insert(state.name.text.clone(), index);
                scope.has_bodies |= !state.body.is_empty();
            }
            let has_bodies = self.cx.comps[comp].has_bodies;
            if has_bodies && let Some(operation) = section.operations.first() {
                let body = section.states.iter().find(|s| !s.body.is_empty());
                let place = body.map_or(operation.name.span, |s| s.name.span);
                self.error(
                    Behaviour::BodyBesideOperations.at(place).related(operation.name.span, Label::Operation),
                );
            }
        }
    }

    pub(in crate::check) fn duplicate(&mut self, name: &ast::Name, place: Span) {
        self.misdeclared_names.insert(name.text.clone());
        let in_order = place.file != name.span.file || place <= name.span;
        let (first, second) = if in_order { (place, name.span) } else { (name.span, place) };
        self.error(
            Naming::DeclaredTwice(name.text.clone()).at(second).related(first, Label::FirstDeclaration),
        );
    }

    /// Report equal names in one list: parameters, fields, names of a pattern.
    pub fn check_distinct<'n>(&mut self, names: impl IntoIterator<Item = &'n ast::Name>, what: &'static str) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            if name.text == "_" {
                continue;
            }
            if let Some(place) = seen.insert(&name.text, name.span) {
                self.error(
                    Naming::TwoCalled(what, name.text.clone()).at(name.span).related(place, Label::FirstOne),
                );
            }
        }
    }

    fn declare_variable(&mut self, comp: usize, name: &ast::Name, var: &VarSection) {
        if PREDEFINED.contains(&name.text.as_str()) {
            self.error(Naming::PredefinedVariable(name.text.clone()).at(name.span));
            // The uses of the name do not mean the predefined one.
            self.misdeclared_names.insert(name.text.clone());
            return;
        }
        if let Some((_, what)) = PROCESS_ATTRIBUTES.iter().find(|(word, _)| *word == name.text) {
            self.error(Naming::HidesAttribute(name.text.clone(), what).at(name.span));
        }
        if let Some(first) = self.cx.comps[comp].vars.get(&name.text) {
            let first = &self.cx.locals[*first as usize];
            let (place, output) = (first.span, first.output);
            if output {
                self.error(
                    Naming::OutputDeclared(name.text.clone())
                        .at(name.span)
                        .related(place, Label::DeclaredByProblem),
                );
            } else {
                self.duplicate(name, place);
            }
            return;
        }
        if let Some((_, place)) = self.comps[comp].names.get(&name.text) {
            let place = *place;
            self.duplicate(name, place);
            return;
        }
        let ty = self.declared_type(Written::Variable(name.span), var.ty.as_ref());
        let ranges = self.ranges_of(var.ty.as_ref());
        // A problem does not know whether its algorithm assumes restarts.
        if var.persistent && !self.comps[comp].is_problem {
            self.cx.comp = comp;
            self.require(Need::Restarts, name.span);
        }
        let unset = var.init.is_none() && self.default_value(&ty).is_none();
        let local = self.cx.new_local(&name.text, ty, name.span, Class::State);
        let l = &mut self.cx.locals[local as usize];
        l.persistent = var.persistent;
        l.starts_unset = unset;
        self.set_ranges(local, ranges);
        self.cx.comps[comp].vars.insert(name.text.clone(), local);
    }

    /// Elaborate initial values; the control states are constants of the initial configuration.
    fn initialise(&mut self, comp: usize, role: u16) {
        self.cx.comp = comp;
        self.cx.mode = Mode::Start;
        if comp == 0 || self.comps[comp].problem.is_some() {
            self.initialise_outputs(comp);
        }
        for section in self.sections(comp, role) {
            for var in &section.vars {
                let Some(init) = &var.init else { continue };
                for name in &var.names {
                    if let Some(local) = self.cx.comps[comp].vars.get(&name.text).copied() {
                        self.initial_value(local, init, var);
                    }
                }
            }
        }
    }

    fn initial_value(&mut self, local: LocalId, init: &ast::Expr, var: &VarSection) {
        let Local { name, ty, range, ranges, .. } = self.cx.locals[local as usize].clone();
        // A persistent variable keeps its value when a process restarts.
        let kept = var.persistent.then(|| self.emit(Op::OnRestart(0)));
        if matches!(init.kind, ast::ExprKind::Any) && !self.has_case_any(&ty) {
            self.any_value(local, var.ty.as_ref(), init.span);
        } else {
            let value = self.expr_as(init, &ty, &format!("the initial value of `{name}`"));
            let value = self.with_range_check(value, &ranges, || format!("`{name}`"));
            self.emit(match range {
                None => Op::Set(slot(local), value),
                range => {
                    let place = ir::Target { root: slot(local), path: Vec::new(), span: init.span, range };
                    Op::Assign(Box::new(place), value)
                }
            });
        }
        if let Some(at) = kept {
            self.patch_jump(at);
        }
    }

    // ------------------------------------------------------------------ states, handlers, client

    /// Elaborate the states and handlers of a component. Also return the start of the body of its initial state, and the number of
    /// that state.
    fn component(&mut self, comp: usize, role: u16) -> (ir::Component, Option<ir::Pc>, i64) {
        self.cx.comp = comp;
        let sections = self.states(comp, role);
        let initial = sections.iter().position(|s| s.initial).unwrap_or(0);
        if sections.iter().filter(|s| s.initial).count() > 1 {
            let second = sections.iter().filter(|s| s.initial).nth(1).unwrap();
            let name = second.name.clone();
            self.error(
                Behaviour::SecondInitialState
                    .at(name.span)
                    .related(sections[initial].name.span, Label::FirstOne),
            );
        }
        let mut states = Vec::new();
        for (i, section) in sections.iter().enumerate() {
            self.cx.mode = Mode::Thread;
            self.cx.scopes = vec![Vec::new()];
            let mut body = None;
            if !section.body.is_empty() {
                let entry = self.pc();
                body = Some(entry);
                let errors = self.findings.len();
                let flow = self.block(&section.body, true);
                if flow.reaches_end {
                    if flow.reaches_end_without_wait && self.findings[errors..].iter().all(|d| !d.is_error())
                    {
                        self.error(
                            Behaviour::BodyMayNotWait(section.name.text.clone()).at(section.name.span),
                        );
                    }
                    self.emit(Op::Jump(entry));
                }
            }
            self.cx.mode = Mode::Handler;
            self.cx.scopes = vec![Vec::new()];
            let handlers = self.handlers(&section.handlers, Some(i as u32));
            states.push(ir::State {
                name: section.name.text.clone(),
                body,
                handlers,
                span: section.name.span,
            });
        }
        self.cx.mode = Mode::Handler;
        self.cx.scopes = vec![Vec::new()];
        let mut always = Handlers::default();
        for section in self.sections(comp, role) {
            let h = self.handlers(&section.always, None);
            always.alternatives.extend(h.alternatives);
            always.defer.extend(h.defer);
            always.ignore.extend(h.ignore);
        }
        let first_body = states.get(initial).and_then(|s| s.body);
        self.add_ended_state(comp, &mut states, &mut always);
        let initial = if states.is_empty() { 0 } else { initial as i64 };
        let c = &self.comps[comp];
        (
            ir::Component {
                lane: c.lane,
                name: c.name.clone(),
                state_slot: self.cx.comps[comp].state_local,
                states,
                always,
            },
            first_body,
            initial,
        )
    }

    fn client(&mut self, problem: usize) -> Option<ir::Pc> {
        let (body, _) = self.units[self.comps[problem].unit].common.client.clone()?;
        self.cx.comp = problem;
        self.cx.mode = Mode::Thread;
        self.cx.scopes = vec![Vec::new()];
        let pc = self.pc();
        let flow = self.block(&body, true);
        if flow.reaches_end {
            self.emit(Op::Wait(0));
        }
        Some(pc)
    }

    fn entries(&self, problem: Option<usize>) -> Vec<Option<ir::Entry>> {
        self.operations
            .iter()
            .map(|o| {
                let routine = self.cx.comps[problem?].routines.get(&o.name)?;
                Some(ir::Entry {
                    pc: routine.pc,
                    params: routine.params.iter().map(|(l, _)| slot(*l)).collect(),
                    return_slot: routine.return_local?,
                })
            })
            .collect()
    }
}

/// Return the locals that belong to the thread alone, and return addresses. Replace [`THREAD`] by them.
fn clear_thread(locals: &[Local], code: &mut [Op]) -> Vec<Slot> {
    let of_thread = (0..).zip(locals).filter(|(_, l)| l.class == Class::Thread);
    let mut thread: Vec<Slot> = of_thread.map(|(local, _)| slot(local)).collect();
    for op in &*code {
        if let Op::Call { return_slot, .. } = op
            && !thread.contains(&slot(*return_slot))
        {
            thread.push(slot(*return_slot));
        }
    }
    for op in code {
        if let Op::Clear(slots) = op
            && slots[..] == [THREAD]
        {
            *slots = thread.clone();
        }
    }
    thread
}
