//! Procedures and operations of a component, callees first.

use crate::check::Checker;
use crate::check::context::*;
use crate::check::load::unit::Routine as RoutineSection;
use crate::check::names::{Access, DeclId};
use crate::diagnostic::{Naming, codes};
use crate::ir::{self, HistoryKind, Op, Type};
use crate::syntax::ast;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Checker<'_> {
    pub(in crate::check) fn routines(&mut self, comp: usize, role: u16) {
        self.cx.comp = comp;
        let sections = self.sections(comp, role);
        let mut all: Vec<(Arc<RoutineSection>, bool)> = Vec::new();
        for s in &sections {
            all.extend(s.procedures.iter().map(|p| (p.clone(), false)));
            all.extend(s.operations.iter().map(|o| (o.clone(), true)));
        }
        let mut names = BTreeMap::new();
        for (r, _) in &all {
            if let Some(first) = names.insert(r.name.text.clone(), r.name.span) {
                self.duplicate(&r.name, first);
            }
        }
        for (index, is_operation) in self.callees_first(&all) {
            let (routine, _) = &all[index];
            self.routine(comp, routine, is_operation);
        }
    }

    /// Return an order in which every routine comes after those it calls. Report a cycle.
    pub(in crate::check) fn callees_first(
        &mut self,
        all: &[(Arc<RoutineSection>, bool)],
    ) -> Vec<(usize, bool)> {
        let decls = all.iter().map(|(r, _)| self.names.declaration_at(r.name.span));
        let decls: Vec<Option<DeclId>> = decls.collect();
        let calls = |decl: &Option<DeclId>| -> BTreeSet<usize> {
            let clause = decl.map(|decl| self.names.decl(decl).clause).unwrap_or_default();
            let called = self.names.uses_in(clause).iter().filter(|used| used.access == Access::Call);
            called.filter_map(|used| decls.iter().position(|decl| *decl == Some(used.decl))).collect()
        };
        let calls: Vec<BTreeSet<usize>> = decls.iter().map(calls).collect();
        let mut order = Vec::new();
        let mut mark = vec![0u8; all.len()];
        fn visit(
            i: usize,
            calls: &[BTreeSet<usize>],
            mark: &mut [u8],
            order: &mut Vec<usize>,
            cycle: &mut Option<usize>,
        ) {
            mark[i] = 1;
            for c in &calls[i] {
                match mark[*c] {
                    0 => visit(*c, calls, mark, order, cycle),
                    1 => *cycle = Some(i),
                    _ => {}
                }
            }
            mark[i] = 2;
            order.push(i);
        }
        let mut cycle = None;
        for i in 0..all.len() {
            if mark[i] == 0 {
                visit(i, &calls, &mut mark, &mut order, &mut cycle);
            }
        }
        if let Some(i) = cycle {
            let name = &all[i].0.name;
            // Their names are unknown now, which must not be reported as well.
            self.misdeclared_names.extend(all.iter().map(|(r, _)| r.name.text.clone()));
            self.error(Naming::RoutineCallsItself(name.text.clone()).at(name.span));
            return Vec::new();
        }
        order.into_iter().map(|i| (i, all[i].1)).collect()
    }

    pub(in crate::check) fn routine(&mut self, comp: usize, routine: &RoutineSection, is_operation: bool) {
        self.cx.comp = comp;
        self.cx.mode = if is_operation { Mode::Operation } else { Mode::Procedure };
        self.cx.becomes = false;
        self.cx.scopes = vec![Vec::new()];
        let is_problem = self.comps[comp].is_problem;
        let waits_before = self.cx.waits.len();
        let calls_before = self.cx.wait_count;
        let mut params = Vec::new();
        self.check_distinct(routine.params.iter().map(|p| &p.name), "parameters");
        for p in &routine.params {
            let ty = self.type_or_open(p.ty.as_ref());
            let local = self.cx.new_local(&p.name.text, ty, p.name.span, Class::Temp);
            let ranges = self.ranges_of(p.ty.as_ref());
            self.cx.locals[local as usize].ranges = ranges;
            self.cx.scopes[0].push((p.name.text.clone(), local));
            params.push((local, p.default.clone()));
        }
        // A payload has any type that the caller passes.
        if is_operation {
            for (i, p) in routine.params.iter().enumerate() {
                if p.ty.is_none() && p.default.is_none() {
                    let ty = self.cx.locals[params[i].0 as usize].ty.clone();
                    self.infer.unify(&ty, &Type::Value);
                }
            }
        }
        self.defaults(routine, &params);
        let return_local =
            is_operation.then(|| self.cx.new_local("", Type::Int, routine.name.span, Class::State));
        let pc = self.pc();
        // The arguments must be within the ranges for every caller, including a scenario.
        for (param, (local, _)) in routine.params.iter().zip(&params) {
            let Local { ranges, ty, .. } = self.cx.locals[*local as usize].clone();
            if !ranges.is_any() {
                let given = self.make(ir::ExprKind::Slot(slot(*local)), ty, param.name.span);
                let what = || format!("the parameter `{}` of `{}`", param.name.text, routine.name.text);
                let given = self.with_range_check(given, &ranges, what);
                self.emit(Op::Set(slot(*local), given));
            }
        }
        if is_problem && let Some(of) = self.operations.iter().position(|o| o.name == routine.name.text) {
            let value = params.first().map(|(l, _)| {
                let ty = self.cx.locals[*l as usize].ty.clone();
                self.make(ir::ExprKind::Slot(slot(*l)), ty, routine.name.span)
            });
            self.emit(Op::Observe { what: HistoryKind::Calls, of: of as u16, value });
        }
        let flow = self.block(&routine.body, true);
        let waits = self.cx.waits.len() > waits_before || self.cx.wait_count > calls_before;
        if waits {
            for (l, _) in &params {
                self.cx.locals[*l as usize].class = Class::Thread;
            }
        }
        if flow.reaches_end {
            if is_problem && let Some(of) = self.operations.iter().position(|o| o.name == routine.name.text) {
                self.emit(Op::Observe { what: HistoryKind::Returns, of: of as u16, value: None });
            }
            match return_local {
                Some(return_slot) => {
                    if waits && !params.is_empty() {
                        self.emit(Op::Clear(params.iter().map(|(l, _)| slot(*l)).collect()));
                    }
                    self.emit(Op::ReturnFrom { return_slot });
                }
                None => {
                    self.emit(Op::Return);
                }
            }
        }
        let becomes = self.cx.becomes;
        self.cx.comps[comp].routines.insert(
            routine.name.text.clone(),
            Routine {
                pc,
                params,
                return_local,
                waits,
                becomes,
                returns: flow.reaches_end,
                span: routine.name.span,
            },
        );
    }

    /// Elaborate a default, which is in the scope of its declaration.
    pub(in crate::check) fn default_argument(
        &mut self,
        comp: usize,
        default: &ast::Expr,
        ty: &Type,
    ) -> ir::Expr {
        self.apart(comp, Vec::new(), |this| this.expr_as(default, ty, "the default of this argument"))
    }

    /// Check the defaults here too: every call may pass its own argument.
    fn defaults(&mut self, routine: &RoutineSection, params: &[(LocalId, Option<ast::Expr>)]) {
        for (param, (local, default)) in routine.params.iter().zip(params) {
            let Some(default) = default else { continue };
            let Local { ranges, ty, .. } = self.cx.locals[*local as usize].clone();
            let value = self.default_argument(self.cx.comp, default, &ty);
            let what = format!("the parameter `{}` of `{}`", param.name.text, routine.name.text);
            self.with_static_range_check(value, &ranges, codes::CONSTANT, &what);
        }
    }
}
