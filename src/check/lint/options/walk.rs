//! Uses of options as values, within one expression.

use super::facts::{Facts, facts_if, facts_of_evaluation, has_value, is_option, substitute};
use crate::ir::{Binder, Compare, Expr, ExprKind as K, Pattern};

/// The use of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// As a value: `none` aborts.
    Value,
    /// In a comparison by order, where `none` comes first.
    Order,
}

/// Call `f` with each option that may be `none` where it is used.
pub fn uses(e: &Expr, facts: &Facts, f: &mut dyn FnMut(&Expr, Use)) {
    match &e.kind {
        K::Unwrap(x) => {
            uses(x, facts, f);
            if is_option(x) && !has_value(x, facts) {
                f(x, Use::Value);
            }
        }
        K::Compare(op, x, y) | K::CompareValues(op, x, y) => {
            uses(x, facts, f);
            let facts = facts.and(facts_of_evaluation(x));
            uses(y, &facts, f);
            let facts = facts.and(facts_of_evaluation(y));
            if !matches!(op, Compare::Equal | Compare::NotEqual) {
                for e in [&**x, y] {
                    if is_option(e) && !has_value(e, &facts) {
                        f(e, Use::Order);
                    }
                }
            }
        }
        K::And(x, y) | K::Implies(x, y) => {
            uses(x, facts, f);
            uses(y, &facts.and(facts_if(x, true, facts)), f);
        }
        K::Or(x, y) => {
            uses(x, facts, f);
            uses(y, &facts.and(facts_if(x, false, facts)), f);
        }
        K::If(c, x, y) => {
            uses(c, facts, f);
            uses(x, &facts.and(facts_if(c, true, facts)), f);
            uses(y, &facts.and(facts_if(c, false, facts)), f);
        }
        K::Let(lets, body) => {
            let mut within = facts.clone();
            for (slot, x) in lets {
                uses(x, facts, f);
                within.changed(*slot);
                if has_value(x, facts) {
                    within.add_slot(*slot);
                }
            }
            uses(body, &within, f);
        }
        K::Quantified { binders, with, body, .. } => {
            let mut within = bound(binders, facts, f);
            if let Some(with) = with {
                uses(with, &within, f);
                within = within.and(facts_if(with, true, &within));
            }
            uses(body, &within, f);
        }
        K::Comprehension { binders, condition, element, .. } => {
            let mut within = bound(binders, facts, f);
            if let Some(condition) = condition {
                uses(condition, &within, f);
                within = within.and(facts_if(condition, true, &within));
            }
            element.iter().for_each(|element| uses(element, &within, f));
        }
        K::Best { binder, with, by, .. } => {
            let mut within = bound(std::slice::from_ref(&**binder), facts, f);
            if let Some(with) = with {
                uses(with, &within, f);
                within = within.and(facts_if(with, true, &within));
            }
            by.iter().for_each(|by| uses(by, &within, f));
        }
        K::ReceivedMessage(wanted) => {
            let mut within = facts.clone();
            wanted.fields.iter().for_each(|p| within.bound(p));
            wanted.when.iter().for_each(|w| uses(w, &within, f));
        }
        _ => {
            // Components are evaluated in order.
            let mut facts = facts.clone();
            e.parts(&mut |part| {
                uses(part, &facts, f);
                facts = facts.and(facts_of_evaluation(part));
            });
        }
    }
}

/// Return the facts about the elements that a filter keeps: `forall p in { p in S | p.x != none }: …`.
fn of_elements(binder: &Binder, facts: &Facts) -> Facts {
    let mut set = &binder.set;
    while let K::Let(_, body) | K::Once { value: body, .. } = &set.kind {
        set = body;
    }
    let K::Comprehension { binders, condition: Some(condition), element: None, .. } = &set.kind else {
        return Facts::default();
    };
    match (&binder.pattern, &binders[..]) {
        (Pattern::Slot(outer), [Binder { pattern: Pattern::Slot(inner), .. }]) => {
            let element = Expr { kind: K::Slot(*outer), ty: condition.ty.clone(), span: condition.span };
            let mut condition = (**condition).clone();
            substitute(&mut condition, &[(*inner, element)]);
            facts_if(&condition, true, facts)
        }
        _ => Facts::default(),
    }
}

fn bound(binders: &[Binder], facts: &Facts, f: &mut dyn FnMut(&Expr, Use)) -> Facts {
    let mut within = facts.clone();
    for binder in binders {
        uses(&binder.set, &within, f);
        within = within.and(facts_of_evaluation(&binder.set));
        within.bound(&binder.pattern);
        within = within.and(of_elements(binder, &within));
    }
    within
}
