//! Premises of a property: conditions without which it says nothing. A property whose premise never comes true holds vacuously (I. Beer,
//! S. Ben-David, C. Eisner and Y. Rodeh, *Efficient Detection of Vacuity in Temporal Model Checking*, 2001).

use super::Reads;
use super::incremental::over_processes;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Binder, Expr, ExprKind as K, Property, PropertyKind, Quantifier};
use crate::property::{combinations, needs_history};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use crate::source::Span;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// The premises of a property, and which of them have come true so far. Several threads may note them.
#[derive(Debug)]
pub struct Premises {
    all: Vec<Premise>,
    /// By index in `all`.
    met: Vec<AtomicBool>,
}

#[derive(Clone, Copy, Debug)]
struct Premise {
    span: Span,
    /// The index of the premise around it.
    within: Option<usize>,
    /// Whether it or an enclosing premise is false for the parameters, whatever happens. Then the property was not meant to apply.
    is_impossible: bool,
    /// Whether it depends only on the initiators, which are chosen like the parameters.
    is_chosen: bool,
}

impl Premises {
    /// Return the premises of a property. Properties of the history have none here: the truth of their premises would have to be
    /// known after each event of the history, and not every monitor keeps or checks it.
    pub fn of(property: &Property, instance: &Instance) -> Premises {
        let mut all = Vec::new();
        match property.kind {
            _ if property.bound.is_some() || needs_history(property, &instance.program) => {}
            PropertyKind::LeadsTo | PropertyKind::Stable => {
                add(&property.body, None, instance, &mut all);
            }
            _ => collect(&property.body, None, instance, &mut all),
        }
        Premises { met: all.iter().map(|premise| AtomicBool::new(premise.is_impossible)).collect(), all }
    }

    /// Return whether all premises have come true, except those that cannot.
    pub fn are_met(&self) -> bool {
        all(&self.met)
    }

    /// Return whether each premise concerns one process at a time, so that no step requires its evaluation for all processes.
    pub fn ask_each_process(&self, property: &Property) -> bool {
        fn asks(e: &Expr) -> bool {
            match &e.kind {
                K::Implies(..) => false,
                K::And(x, y) => asks(x) && asks(y),
                _ => true,
            }
        }
        let is_side = matches!(property.kind, PropertyKind::LeadsTo | PropertyKind::Stable);
        !property.binders.is_empty() || (!is_side && asks(&property.body))
    }

    /// Note the premises that are true in the present configuration. Failures to evaluate them are reported with the property.
    ///
    /// `moved`: the property is checked for each process separately, and only the variables of these have changed since the last call.
    pub fn look(&self, property: &Property, moved: Option<&[ProcessId]>, env: &mut Env<'_>) {
        if self.are_met() {
            return;
        }
        let met = &self.met;
        let inner = if property.binders.is_empty() { moved } else { None };
        each(&property.binders, moved, env, &mut |env| match property.kind {
            PropertyKind::LeadsTo | PropertyKind::Stable => {
                note(&met[..1], eval::truth(&property.body, env).unwrap_or(false));
            }
            _ => look(&property.body, 0, inner, env, met),
        });
    }

    /// Return the premises that have not come true, as the program writes them. Those within another one of them are omitted, and so
    /// are those that are false for the chosen parameters or initiators.
    pub fn unmet(&self, instance: &Instance) -> Vec<String> {
        let is_met = |at: usize| self.met[at].load(Relaxed);
        let is_named =
            |at: &usize| !is_met(*at) && !self.all[*at].is_chosen && self.all[*at].within.is_none_or(is_met);
        let unmet = (0..self.all.len()).filter(is_named);
        let text = |at: usize| {
            let text = instance.program.sources.slice(self.all[at].span);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let mut texts: Vec<String> = unmet.map(text).collect();
        texts.dedup();
        texts
    }
}

/// Collect the premises in the order of the text: left sides of `implies`, and conditions of `forall`.
fn collect(e: &Expr, within: Option<usize>, instance: &Instance, to: &mut Vec<Premise>) {
    match &e.kind {
        K::Implies(premise, then) => {
            add(premise, within, instance, to);
            collect(then, Some(to.len() - 1), instance, to);
        }
        K::Quantified { quantifier: Quantifier::Forall, with, body, .. } => {
            with.iter().for_each(|with| add(with, within, instance, to));
            let within = if with.is_some() { Some(to.len() - 1) } else { within };
            collect(body, within, instance, to);
        }
        K::And(x, y) => {
            collect(x, within, instance, to);
            collect(y, within, instance, to);
        }
        _ => {}
    }
}

fn add(premise: &Expr, within: Option<usize>, instance: &Instance, to: &mut Vec<Premise>) {
    let is_impossible = within.is_some_and(|at| to[at].is_impossible) || is_impossible(premise, instance);
    let is_chosen =
        premise.is_closed(&|_| false) && Reads::of(premise, &instance.program).depends_only_on_wakes();
    to.push(Premise { span: premise.span, within, is_impossible, is_chosen });
}

/// Return whether a condition, or one of its conjuncts, is false for the parameters of the instance.
fn is_impossible(e: &Expr, instance: &Instance) -> bool {
    match &e.kind {
        K::And(x, y) => is_impossible(x, instance) || is_impossible(y, instance),
        K::Once { value, .. } => is_impossible(value, instance),
        _ if e.is_closed(&|_| false) && Reads::of(e, &instance.program).is_empty() => {
            eval::with_global_frame(instance, None, |env| eval::truth(e, env)).is_ok_and(|holds| !holds)
        }
        _ => false,
    }
}

/// Return the number of premises in an expression.
fn count(e: &Expr) -> usize {
    match &e.kind {
        K::Implies(_, then) => 1 + count(then),
        K::Quantified { quantifier: Quantifier::Forall, with, body, .. } => {
            usize::from(with.is_some()) + count(body)
        }
        K::And(x, y) => count(x) + count(y),
        _ => 0,
    }
}

fn all(met: &[AtomicBool]) -> bool {
    met.iter().all(|met| met.load(Relaxed))
}

fn note(met: &[AtomicBool], is_true: bool) {
    met.iter().for_each(|met| {
        met.fetch_or(is_true, Relaxed);
    });
}

/// Call `f` for each combination of values of the binders; if they range over the processes, for those that moved. A failure makes
/// nothing true.
fn each(binders: &[Binder], moved: Option<&[ProcessId]>, env: &mut Env<'_>, f: &mut dyn FnMut(&mut Env<'_>)) {
    if let (Some(moved), [binder]) = (moved, binders)
        && let Some(slot) = over_processes(binder)
    {
        for process in moved {
            env.words[slot as usize] = i64::from(process.0);
            f(env);
        }
        return;
    }
    let _: Eval<()> = combinations(binders, env, &mut |env| {
        f(env);
        Ok(())
    });
}

/// Note which premises of an expression are true, beginning with the one at index `at`.
fn look(e: &Expr, at: usize, moved: Option<&[ProcessId]>, env: &mut Env<'_>, met: &[AtomicBool]) {
    match &e.kind {
        K::Implies(premise, then) if eval::truth(premise, env).unwrap_or(false) => {
            note(&met[at..=at], true);
            look(then, at + 1, moved, env, met);
        }
        K::Quantified { quantifier: Quantifier::Forall, binders, with, body } => {
            let own = usize::from(with.is_some());
            if all(&met[at..at + own + count(body)]) {
                return;
            }
            each(binders, moved, env, &mut |env| {
                let applies = match with {
                    Some(with) => eval::truth(with, env).unwrap_or(false),
                    None => true,
                };
                if applies {
                    note(&met[at..at + own], true);
                    look(body, at + own, None, env, met);
                }
            });
        }
        K::And(x, y) => {
            look(x, at, moved, env, met);
            look(y, at + count(x), moved, env, met);
        }
        _ => {}
    }
}
