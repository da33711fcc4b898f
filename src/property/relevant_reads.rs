//! Read set of a violation: the variables read on the way to the conjunct that fails.

use super::Sides;
use crate::ids::ProcessId;
use crate::ir::{Binder, Expr, ExprKind as K, PC, ProcessFact, Property, PropertyKind, Quantifier, Slot};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use std::collections::BTreeSet;

/// Variables of processes: the process, whether the variable is stored as a word, and its slot.
pub type Variables = BTreeSet<(ProcessId, bool, u16)>;

/// Return the variables that make an invariant false, or a stable property whose truth was `before`, for the
/// combination reported.
pub fn relevant_reads(property: &Property, before: &[Sides], env: &mut Env<'_>) -> Eval<Variables> {
    let (mut number, mut found) = (0, None);
    super::combinations(&property.binders, env, &mut |env| {
        let was_true = || before.get(number).is_some_and(|sides| sides.right == Some(true));
        let counts = property.kind != PropertyKind::Stable || was_true();
        number += 1;
        if found.is_none() && counts && eval::truth(&property.body, env).is_ok_and(|is_true| !is_true) {
            let mut variables = Variables::new();
            decide(&property.body, true, env, &mut variables)?;
            found = Some(variables);
        }
        Ok(())
    })?;
    Ok(found.unwrap_or_default())
}

/// Descend to the failing part, like [`super::failed_conjunct`].
fn decide(e: &Expr, want: bool, env: &mut Env<'_>, to: &mut Variables) -> Eval<()> {
    match &e.kind {
        K::Not(x) => decide(x, !want, env, to),
        K::And(x, y) if want => {
            let fails = if eval::truth(x, env)? { y } else { x };
            decide(fails, true, env, to)
        }
        K::Or(x, y) if !want => {
            let holds = if eval::truth(x, env)? { x } else { y };
            decide(holds, false, env, to)
        }
        K::Implies(x, y) if want => {
            add_reads(x, env, to)?;
            decide(y, true, env, to)
        }
        K::If(c, x, y) => {
            add_reads(c, env, to)?;
            let taken = if eval::truth(c, env)? { x } else { y };
            decide(taken, want, env, to)
        }
        K::Let(lets, body) => {
            lets.iter().try_for_each(|(_, value)| add_reads(value, env, to))?;
            eval::store_all(lets, env)?;
            decide(body, want, env, to)
        }
        K::Once { value, .. } => decide(value, want, env, to),
        K::Quantified { quantifier, binders, with, body }
            if *quantifier == (if want { Quantifier::Forall } else { Quantifier::Some }) =>
        {
            sets(binders, env, to)?;
            eval::each_in_spite_of_failures(binders, env, &mut |env, _| {
                let is_meant = with.as_ref().map_or(Ok(true), |with| eval::truth(with, env))?;
                if !is_meant || eval::truth(body, env)? == want {
                    return Ok(true);
                }
                with.iter().try_for_each(|with| add_reads(with, env, to))?;
                decide(body, want, env, to)?;
                Ok(false)
            })?;
            Ok(())
        }
        _ => add_reads(e, env, to),
    }
}

/// Add everything that is read to evaluate an expression.
fn add_reads(e: &Expr, env: &mut Env<'_>, to: &mut Variables) -> Eval<()> {
    match &e.kind {
        K::Remote(of, slots) => {
            add_reads(of, env, to)?;
            let (process, role) = eval::process(of, env)?;
            to.extend(slots[role].map(|slot| variable(process, slot)));
            Ok(())
        }
        K::RemoteState(of, states) => {
            add_reads(of, env, to)?;
            let (process, role) = eval::process(of, env)?;
            to.extend(states[role].as_ref().map(|(slot, _)| (process, true, *slot)));
            Ok(())
        }
        K::ProcessFact(fact, of) => {
            add_reads(of, env, to)?;
            if matches!(fact, ProcessFact::Halted | ProcessFact::Up) {
                to.insert((eval::process(of, env)?.0, true, PC));
            }
            Ok(())
        }
        K::And(x, y) | K::Or(x, y) | K::Implies(x, y) => {
            add_reads(x, env, to)?;
            if eval::truth(x, env)? != matches!(e.kind, K::Or(..)) { add_reads(y, env, to) } else { Ok(()) }
        }
        K::If(c, x, y) => {
            add_reads(c, env, to)?;
            let taken = if eval::truth(c, env)? { x } else { y };
            add_reads(taken, env, to)
        }
        K::Let(lets, body) => {
            lets.iter().try_for_each(|(_, value)| add_reads(value, env, to))?;
            eval::store_all(lets, env)?;
            add_reads(body, env, to)
        }
        K::Once { value, .. } => add_reads(value, env, to),
        K::Quantified { binders, with, body, .. } => {
            bound(binders, with.as_deref(), [body.as_ref()].into_iter(), env, to)
        }
        K::Comprehension { binders, condition, element, .. } => {
            bound(binders, condition.as_deref(), element.as_deref().into_iter(), env, to)
        }
        K::Best { binder, with, by, .. } => {
            let binders = std::slice::from_ref(binder.as_ref());
            bound(binders, with.as_deref(), by.as_deref().into_iter(), env, to)
        }
        _ => {
            let mut done = Ok(());
            e.parts(&mut |part| {
                if done.is_ok() {
                    done = add_reads(part, env, to);
                }
            });
            done
        }
    }
}

/// Add everything that is read for the elements that satisfy `with`.
fn bound<'e>(
    binders: &[Binder],
    with: Option<&Expr>,
    parts: impl Iterator<Item = &'e Expr> + Clone,
    env: &mut Env<'_>,
    to: &mut Variables,
) -> Eval<()> {
    sets(binders, env, to)?;
    eval::each(binders, env, &mut |env, _| {
        if let Some(with) = with {
            add_reads(with, env, to)?;
            if !eval::truth(with, env)? {
                return Ok(true);
            }
        }
        parts.clone().try_for_each(|part| add_reads(part, env, to))?;
        Ok(true)
    })?;
    Ok(())
}

/// Add everything that is read to evaluate the sets of binders. The set of a binder may depend on the binders before
/// it.
fn sets(binders: &[Binder], env: &mut Env<'_>, to: &mut Variables) -> Eval<()> {
    let Some((first, rest)) = binders.split_first() else { return Ok(()) };
    add_reads(&first.set, env, to)?;
    if rest.is_empty() {
        return Ok(());
    }
    eval::each(std::slice::from_ref(first), env, &mut |env, _| {
        sets(rest, env, to)?;
        Ok(true)
    })?;
    Ok(())
}

fn variable(process: ProcessId, slot: Slot) -> (ProcessId, bool, u16) {
    match slot {
        Slot::Word(place) => (process, true, place),
        Slot::Value(place) => (process, false, place),
    }
}
