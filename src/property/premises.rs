//! Premises of a property: conditions without which it says nothing. A property whose premise never comes true holds vacuously (I. Beer,
//! S. Ben-David, C. Eisner and Y. Rodeh, *Efficient Detection of Vacuity in Temporal Model Checking*, 2001).

use super::Reads;
use super::incremental::process_slot;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Binder, Expr, ExprKind as K, HistoryKind, Property, PropertyKind, Quantifier, Value};
use crate::property::{combinations, constant_word, needs_history};
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

#[derive(Clone, Debug)]
struct Premise {
    /// The condition or, of a `forall` over events without one, the binders.
    text: String,
    /// The index of the premise around it.
    within: Option<usize>,
    /// Whether it or an enclosing premise is false for the parameters, whatever happens. Then the property was not meant to apply.
    is_impossible: bool,
    /// Whether it depends only on the initiators, which are chosen like the parameters.
    is_chosen: bool,
    /// Whether it is true for the parameters, whatever happens.
    is_certain: bool,
    /// The kinds of events that it needs: those that it and the quantifiers around it range over.
    events: Vec<(HistoryKind, u16)>,
}

impl Premises {
    /// Return the premises of a property. Other properties of the history than orders have none here: the truth of their premises would
    /// have to be known after each event of the history, and not every monitor checks them there.
    pub fn of(property: &Property, instance: &Instance) -> Premises {
        let mut all = Vec::new();
        let is_order = property.kind == PropertyKind::Order;
        match property.kind {
            _ if property.bound.is_some() || needs_history(property, &instance.program) && !is_order => {}
            PropertyKind::LeadsTo | PropertyKind::Stable => {
                add(&without_option(&property.body, instance), Enclosing::default(), instance, &mut all);
            }
            _ => collect(&property.body, &Enclosing::default(), instance, &mut all),
        }
        let is_met = |premise: &Premise| AtomicBool::new(premise.is_impossible || premise.is_certain);
        Premises { met: all.iter().map(is_met).collect(), all }
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
    pub fn unmet(&self) -> Vec<String> {
        self.unmet_if(&|_| true)
    }

    /// Return the premises of an order that cannot have come true, since events of a kind that they need never `occurred`. Whether others
    /// came true is unknown where events that no longer matter are dropped from the history.
    pub fn without_events(&self, occurred: &dyn Fn(HistoryKind, u16) -> bool) -> Vec<String> {
        self.unmet_if(&|premise| premise.events.iter().any(|(what, of)| !occurred(*what, *of)))
    }

    fn unmet_if(&self, is_unmet: &dyn Fn(&Premise) -> bool) -> Vec<String> {
        let is_met = |at: usize| self.met[at].load(Relaxed);
        let is_named = |at: &usize| {
            let premise = &self.all[*at];
            !is_met(*at) && !premise.is_chosen && premise.within.is_none_or(is_met) && is_unmet(premise)
        };
        let unmet = (0..self.all.len()).filter(is_named);
        let mut texts: Vec<String> = unmet.map(|at| self.all[at].text.clone()).collect();
        texts.dedup();
        texts
    }
}

/// Return whether the property holds because its premise is false for the parameters of the instance.
pub fn is_vacuous(property: &Property, instance: &Instance) -> bool {
    false_premise(property, instance).is_some()
}

/// Return the premise of a property, as the program writes it, if it is false for the parameters of the instance.
pub fn false_premise(property: &Property, instance: &Instance) -> Option<String> {
    let body = &property.body;
    let side = || is_never_true(body, instance).then_some(body);
    let premise = match property.kind {
        // Where a premise is false, the left side is true.
        PropertyKind::LeadsTo => side(),
        PropertyKind::Stable => side().or_else(|| never_true_within(body, instance)),
        _ => never_true_within(body, instance),
    };
    premise.map(|premise| written(premise.span, instance))
}

/// Return a premise that makes the whole expression true, because it is false for the parameters of the instance.
fn never_true_within<'e>(e: &'e Expr, instance: &Instance) -> Option<&'e Expr> {
    match &e.kind {
        K::Implies(premise, _) if is_never_true(premise, instance) => Some(premise),
        K::Implies(premise, then) if !premise.can_fail() => never_true_within(then, instance),
        K::Quantified { quantifier: Quantifier::Forall, binders, with, body } => {
            // Failures come first.
            if binders.iter().any(|binder| binder.set.can_fail()) {
                return None;
            }
            match with {
                Some(with) if is_never_true(with, instance) => Some(with),
                Some(with) if with.can_fail() => None,
                _ => never_true_within(body, instance),
            }
        }
        _ => None,
    }
}

/// Return whether a condition is false for the parameters of the instance, and cannot fail.
fn is_never_true(e: &Expr, instance: &Instance) -> bool {
    match &e.kind {
        K::And(x, y) => is_never_true(x, instance) || (!x.can_fail() && is_never_true(y, instance)),
        K::Once { value, .. } => is_never_true(value, instance),
        _ => constant(e, instance) == Some(false),
    }
}

/// Return the right side of `implies` if the left side is a chosen option of the problem, else the whole expression.
fn without_option(e: &Expr, instance: &Instance) -> Expr {
    match &e.kind {
        K::Implies(option, then) if constant_word(instance, option) == Some(1) => {
            // An output in place of the right side has the place of its definition.
            let rest = Span { start: option.span.end, ..e.span };
            let written = instance.program.sources.slice(rest);
            let ends = ["implies", "⇒"].iter().filter_map(|sign| Some(written.find(sign)? + sign.len()));
            let from = ends.min().unwrap_or(0);
            let blank = written[from..].len() - written[from..].trim_start().len();
            Expr { span: Span { start: rest.start + (from + blank) as u32, ..rest }, ..(**then).clone() }
        }
        _ => e.clone(),
    }
}

/// The surroundings of an expression in a property.
#[derive(Clone, Default)]
struct Enclosing {
    /// The index of the premise around it.
    premise: Option<usize>,
    /// The kinds of events over which quantifiers around it range.
    events: Vec<(HistoryKind, u16)>,
}

/// Collect the premises in the order of the text: left sides of `implies`, conditions of `forall`, and the events over which a `forall`
/// without a condition ranges.
fn collect(e: &Expr, within: &Enclosing, instance: &Instance, to: &mut Vec<Premise>) {
    match &e.kind {
        K::Implies(premise, then) => {
            add(premise, within.clone(), instance, to);
            collect(then, &Enclosing { premise: Some(to.len() - 1), ..within.clone() }, instance, to);
        }
        K::Quantified { quantifier: Quantifier::Forall, binders, with, body } => {
            let mut within = within.clone();
            within.events.extend(binders.iter().filter_map(events_of));
            match with {
                Some(with) => add(with, within.clone(), instance, to),
                None if is_premise(None, binders) => {
                    let text = |binder: &Binder| {
                        format!("{} in {}", binder.name, written(binder.set.span, instance))
                    };
                    let Enclosing { premise, events } = within.clone();
                    to.push(Premise {
                        text: binders.iter().map(text).collect::<Vec<_>>().join(", "),
                        within: premise,
                        is_impossible: premise.is_some_and(|at| to[at].is_impossible),
                        is_chosen: false,
                        is_certain: false,
                        events,
                    });
                }
                None => {}
            }
            if is_premise(with.as_deref(), binders) {
                within.premise = Some(to.len() - 1);
            }
            collect(body, &within, instance, to);
        }
        K::And(x, y) => {
            collect(x, within, instance, to);
            collect(y, within, instance, to);
        }
        _ => {}
    }
}

/// Return whether a `forall` is a premise.
fn is_premise(with: Option<&Expr>, binders: &[Binder]) -> bool {
    with.is_some() || binders.iter().any(|binder| events_of(binder).is_some())
}

/// Return the kind of the events over which a binder ranges, if it does.
fn events_of(binder: &Binder) -> Option<(HistoryKind, u16)> {
    match binder.set.kind {
        K::History(what, of) => Some((what, of)),
        _ => None,
    }
}

/// Return a part of the program on one line.
fn written(span: Span, instance: &Instance) -> String {
    instance.program.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn add(premise: &Expr, within: Enclosing, instance: &Instance, to: &mut Vec<Premise>) {
    let Enclosing { premise: around, events } = within;
    let is_impossible = around.is_some_and(|at| to[at].is_impossible) || is_never_true(premise, instance);
    let is_chosen =
        premise.is_closed(&|_| false) && Reads::of(premise, &instance.program).depends_only_on_wakes();
    to.push(Premise {
        text: written(premise.span, instance),
        within: around,
        is_impossible,
        is_chosen,
        is_certain: constant(premise, instance) == Some(true),
        events,
    });
}

/// Return the truth of a condition that depends only on the parameters of the instance.
fn constant(e: &Expr, instance: &Instance) -> Option<bool> {
    let is_constant = e.is_closed(&|_| false) && Reads::of(e, &instance.program).is_empty();
    is_constant.then(|| eval::with_global_frame(instance, None, |env| eval::truth(e, env)).ok())?
}

/// Return the number of premises in an expression.
fn count(e: &Expr) -> usize {
    match &e.kind {
        K::Implies(_, then) => 1 + count(then),
        K::Quantified { quantifier: Quantifier::Forall, binders, with, body } => {
            usize::from(is_premise(with.as_deref(), binders)) + count(body)
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
        && let Some(slot) = process_slot(binder)
        && let Ok(Value::Set(members)) = eval::value(&binder.set, env)
    {
        let is_member = |process: &&ProcessId| members.contains(&Value::Process(process.0.into()));
        for process in moved.iter().filter(is_member) {
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
            let own = usize::from(is_premise(with.as_deref(), binders));
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
