//! Premises of a property: conditions without which it says nothing. A property whose premise never comes true holds vacuously (I. Beer,
//! S. Ben-David, C. Eisner and Y. Rodeh, *Efficient Detection of Vacuity in Temporal Model Checking*, 2001).

use crate::instance::Instance;
use crate::ir::{Expr, ExprKind as K, Property, PropertyKind, Quantifier};
use crate::property::combinations;
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
}

impl Premises {
    pub fn of(property: &Property) -> Premises {
        let mut all = Vec::new();
        match property.kind {
            _ if property.bound.is_some() => {}
            PropertyKind::LeadsTo | PropertyKind::Stable => {
                all.push(Premise { span: property.body.span, within: None });
            }
            _ => collect(&property.body, None, &mut all),
        }
        Premises { met: all.iter().map(|_| AtomicBool::new(false)).collect(), all }
    }

    /// Return whether all premises have come true.
    pub fn are_met(&self) -> bool {
        all(&self.met)
    }

    /// Note the premises that are true in the present configuration. Failures to evaluate them are reported with the property.
    pub fn look(&self, property: &Property, env: &mut Env<'_>) {
        if self.are_met() {
            return;
        }
        let met = &self.met;
        // A failure makes nothing true.
        let _ = combinations(&property.binders, env, &mut |env| {
            match property.kind {
                PropertyKind::LeadsTo | PropertyKind::Stable => {
                    note(&met[..1], eval::truth(&property.body, env).unwrap_or(false));
                }
                _ => look(&property.body, 0, env, met),
            }
            Ok(())
        });
    }

    /// Return the premises that have not come true, as the program writes them. Those within another one of them are omitted.
    pub fn unmet(&self, instance: &Instance) -> Vec<String> {
        let is_met = |at: usize| self.met[at].load(Relaxed);
        let unmet = (0..self.all.len()).filter(|at| !is_met(*at) && self.all[*at].within.is_none_or(is_met));
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
fn collect(e: &Expr, within: Option<usize>, to: &mut Vec<Premise>) {
    match &e.kind {
        K::Implies(premise, then) => {
            to.push(Premise { span: premise.span, within });
            collect(then, Some(to.len() - 1), to);
        }
        K::Quantified { quantifier: Quantifier::Forall, with, body, .. } => {
            to.extend(with.iter().map(|with| Premise { span: with.span, within }));
            let within = if with.is_some() { Some(to.len() - 1) } else { within };
            collect(body, within, to);
        }
        K::And(x, y) => {
            collect(x, within, to);
            collect(y, within, to);
        }
        _ => {}
    }
}

fn count(e: &Expr) -> usize {
    let mut all = Vec::new();
    collect(e, None, &mut all);
    all.len()
}

fn all(met: &[AtomicBool]) -> bool {
    met.iter().all(|met| met.load(Relaxed))
}

fn note(met: &[AtomicBool], is_true: bool) {
    met.iter().for_each(|met| {
        met.fetch_or(is_true, Relaxed);
    });
}

/// Note which premises of an expression are true, beginning with the one at index `at`.
fn look(e: &Expr, at: usize, env: &mut Env<'_>, met: &[AtomicBool]) {
    match &e.kind {
        K::Implies(premise, then) if eval::truth(premise, env).unwrap_or(false) => {
            note(&met[at..=at], true);
            look(then, at + 1, env, met);
        }
        K::Quantified { quantifier: Quantifier::Forall, binders, with, body } => {
            let own = usize::from(with.is_some());
            if all(&met[at..at + own + count(body)]) {
                return;
            }
            // A failure makes nothing true.
            let _: Eval<bool> = eval::each(binders, env, &mut |env, _| {
                let applies = match with {
                    Some(with) => eval::truth(with, env).unwrap_or(false),
                    None => true,
                };
                if applies {
                    note(&met[at..at + own], true);
                    look(body, at + own, env, met);
                }
                Ok(true)
            });
        }
        K::And(x, y) => {
            look(x, at, env, met);
            look(y, at + count(x), env, met);
        }
        _ => {}
    }
}
