//! The end of inference: types of locals and expressions become final, and forms that depend on types are decided.

use crate::check::Checker;
use crate::check::context::*;
use crate::check::names::EVENTS;
use crate::check::typed::{Role, Typed};
use crate::check::types::infer::Infer;
use crate::diagnostic::{Hint, Typing};
use crate::ir::{Arith, Change, CollectionOp, Expr, ExprKind as K, Type};
use crate::prose::foreign_event;
use std::sync::Arc;

/// Maximum number of locals of a role, whose numbers have 16 bits; some are reserved.
const MAX_LOCALS: usize = u16::MAX as usize - 8;

/// Maximum number of operations of a role.
const MAX_CODE: usize = 4_000_000;

/// Substitutes the types of expressions.
struct Settle<'i>(&'i Infer);

impl Change for Settle<'_> {
    /// Decide `+` and `-` on collections, and comparisons of values that do not fit into words.
    fn leave(&self, e: &mut Expr) {
        e.ty = self.0.full(&e.ty);
        e.kind = match std::mem::replace(&mut e.kind, K::Word(0)) {
            K::Arith(op @ (Arith::Add | Arith::Subtract), x, y) if !matches!(e.ty, Type::Int) => {
                let op = if op == Arith::Add { CollectionOp::Union } else { CollectionOp::Difference };
                K::Collection(op, x, y)
            }
            K::Compare(op, x, y) if !(x.ty.is_word() && y.ty.is_word()) => K::CompareValues(op, x, y),
            other => other,
        };
    }
}

impl Checker<'_> {
    /// Report locals whose types no role determines.
    pub(in crate::check) fn report_unknown_types(&mut self) {
        for l in self.roles.iter().flat_map(|role| &role.locals).filter(|l| l.named) {
            if self.infer.is_known(&l.ty) || self.infer.is_error_type(&l.ty) {
                continue;
            }
            let d = Typing::NotInferred(l.name.clone()).at(l.span);
            // A variable can be annotated; the type of a local may be unknown because of another mistake.
            match l.class {
                Class::State => self.findings.push(d.hint(Hint::Annotate(l.name.clone()))),
                // `on wakup` takes a bare value, and binds it to this name.
                _ => {
                    let events = EVENTS.map(String::from);
                    let otherwise = foreign_event(&l.name).map_or(Hint::DeclareTyped, Hint::Word);
                    self.deferred_findings.push(d.nearest(&l.name, &events, otherwise));
                }
            }
        }
    }

    /// Report roles that need too many locals: temporaries come after the state of the largest role.
    pub(in crate::check) fn report_too_many_locals(&mut self) {
        let state_of = |role: &Arc<Role>| role.locals.iter().filter(|l| Role::is_state(l)).count();
        let state = self.roles.iter().map(state_of).max().unwrap_or(0);
        for role in &self.roles {
            let temporaries = role.locals.len() - state_of(role);
            if state + temporaries > MAX_LOCALS || role.code.len() > MAX_CODE {
                self.findings.push(Typing::TooManyVariables.at(role.span));
            }
        }
        if self.cx.locals.len() > MAX_LOCALS {
            self.findings.push(Typing::TooManyVariables.at(self.units[0].name.span));
        }
    }

    /// Settle the types of a program.
    pub(in crate::check) fn settle(&self, typed: &mut Typed) {
        let settle = Settle(&self.infer);
        typed.change_observers(&settle);
        typed.roles.iter_mut().map(Arc::make_mut).for_each(|role| role.change(&settle));
        for l in typed.roles.iter_mut().flat_map(|role| &mut Arc::make_mut(role).locals) {
            l.ty = self.infer.full(&l.ty);
            // Of a value without a name, such as an ignored component `none`, nothing may determine the whole type.
            if l.named && !self.infer.is_known(&l.ty) {
                l.ty = Type::Int;
            }
        }
        for (_, ty) in typed.records.iter_mut().flat_map(|record| &mut record.fields) {
            *ty = self.infer.full(ty);
        }
    }

    pub(in crate::check) fn settle_expr(&self, e: &mut Expr) {
        Settle(&self.infer).expr(e);
    }

    /// Settle the types of fields. A field that nothing determines holds no value.
    pub(in crate::check) fn settle_fields(&mut self) {
        for field in self.kinds.iter_mut().flat_map(|kind| &mut kind.fields) {
            let ty = self.infer.full(&field.ty);
            field.ty = if self.infer.is_known(&ty) { ty } else { Type::Int };
        }
    }
}
