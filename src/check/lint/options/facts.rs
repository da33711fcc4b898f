//! Facts of the flow analysis: which options are known not to be `none`, and what conditions imply.

use crate::ir::{Builtin, CollectionOp, Compare, Expr, ExprKind as K, Fact, Pattern, Slot, Type, Value};
use std::collections::BTreeMap;

/// Maximum length of a written expression for which facts are kept.
const MAX_KEY_LENGTH: usize = 2000;

/// Represents the variables of other processes: they may change whenever those take a step.
const OTHER_PROCESS: Slot = Slot::Value(0);

/// Prefix of the key for a collection that has an element.
const NON_EMPTY_PREFIX: &str = "filled ";

/// Places that certainly have a value and collections that certainly have an element: the expression without its positions in the
/// text, and the slots that it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facts(BTreeMap<String, Vec<Slot>>);

impl Facts {
    pub fn has(&self, e: &Expr) -> bool {
        place(e).is_some_and(|(name, _)| self.0.contains_key(&name))
    }

    pub fn add(&mut self, e: &Expr) {
        if let Some((name, slots)) = place(e) {
            self.0.insert(name, slots);
        }
    }

    /// Return whether the collection certainly has an element.
    fn has_element(&self, set: &Expr) -> bool {
        place(set).is_some_and(|(name, _)| self.0.contains_key(&format!("{NON_EMPTY_PREFIX}{name}")))
    }

    fn add_element(&mut self, set: &Expr) {
        if let Some((name, slots)) = place(set) {
            self.0.insert(format!("{NON_EMPTY_PREFIX}{name}"), slots);
        }
    }

    pub fn add_slot(&mut self, slot: Slot) {
        self.0.insert(name_of(slot), vec![slot]);
    }

    /// Discard the facts about a slot that has been assigned.
    pub fn changed(&mut self, slot: Slot) {
        self.0.retain(|_, slots| !slots.contains(&slot));
    }

    /// Discard the facts about names that a pattern binds anew.
    pub fn bound(&mut self, pattern: &Pattern) {
        pattern.slots().into_iter().for_each(|slot| self.changed(slot));
    }

    /// Return the facts that remain after a waiting point: all about `safe` slots, and the value of `keep` slots.
    pub fn after_wait(&self, safe: impl Fn(Slot) -> bool, keep: impl Fn(Slot) -> bool) -> Facts {
        let left = self.0.iter().filter(|(name, slots)| {
            slots.iter().all(|s| safe(*s)) || matches!(slots[..], [s] if **name == name_of(s) && keep(s))
        });
        Facts(left.map(|(name, slots)| (name.clone(), slots.clone())).collect())
    }

    /// Keep only the facts of both paths. Return whether there are fewer than before.
    pub fn meet(&mut self, other: &Facts) -> bool {
        let before = self.0.len();
        self.0.retain(|name, _| other.0.contains_key(name));
        self.0.len() < before
    }

    /// Return all facts of either operand.
    fn both(mut self, other: Facts) -> Facts {
        self.0.extend(other.0);
        self
    }

    /// Return the facts common to both operands.
    fn either(mut self, other: &Facts) -> Facts {
        self.meet(other);
        self
    }

    pub fn and(&self, other: Facts) -> Facts {
        self.clone().both(other)
    }
}

fn name_of(slot: Slot) -> String {
    format!("{slot:?}")
}

/// Return an expression in writing and the slots that it reads, if its value is constant during a step as long as none of these
/// slots changes. Names bound inside are written by number, so that a function unfolded twice gives the same text.
fn place(e: &Expr) -> Option<(String, Vec<Slot>)> {
    let (mut name, mut slots) = (String::new(), Vec::new());
    write(e, &mut Vec::new(), &mut name, &mut slots)?;
    Some((name, slots))
}

/// Return the slots that an option reads.
pub fn slots_of(e: &Expr) -> Vec<Slot> {
    place(e).map_or_else(Vec::new, |(_, slots)| slots)
}

/// Bound names, in the written expression.
type Bound = Vec<(Slot, String)>;

fn write(e: &Expr, bound: &mut Bound, name: &mut String, slots: &mut Vec<Slot>) -> Option<()> {
    if name.len() > MAX_KEY_LENGTH {
        return None;
    }
    let len = bound.len();
    let word = match &e.kind {
        K::Slot(slot) => {
            match bound.iter().rev().find(|(s, _)| s == slot) {
                Some((_, written)) => name.push_str(written),
                None => {
                    name.push_str(&name_of(*slot));
                    slots.push(*slot);
                }
            }
            return Some(());
        }
        K::Unwrap(x) | K::Ranged { of: x, .. } => return write(x, bound, name, slots),
        K::Let(lets, body) => {
            for (slot, x) in lets {
                let mut written = String::new();
                write(x, bound, &mut written, slots)?;
                bound.push((*slot, written));
            }
            write(body, bound, name, slots)?;
            bound.truncate(len);
            return Some(());
        }
        K::Best { greatest, binder, .. } => {
            bind(&binder.pattern, bound);
            format!("best{greatest}")
        }
        K::Comprehension { list, binders, .. } => {
            binders.iter().for_each(|b| bind(&b.pattern, bound));
            format!("all{list}")
        }
        K::Quantified { quantifier, binders, .. } => {
            binders.iter().for_each(|b| bind(&b.pattern, bound));
            format!("{quantifier:?}")
        }
        K::Fact(Fact::Heard | Fact::Oracle(_)) | K::Call(Builtin::Coin | Builtin::Random, _) => return None,
        K::Word(word) => word.to_string(),
        K::Const(value) => format!("{value:?}"),
        K::Param(param) => format!("param{param}"),
        K::Fact(fact) => format!("{fact:?}"),
        K::Part(_, i) => format!("part{i}"),
        K::Index(..) => "index".into(),
        K::Call(builtin, _) => format!("{builtin:?}"),
        K::PortFact(fact, _) => format!("{fact:?}"),
        K::ProcessFact(fact, _) => format!("{fact:?}"),
        K::Remote(_, at) => format!("remote{at:?}"),
        K::NeighbourVariable(_, variable) => {
            slots.push(OTHER_PROCESS);
            format!("shared{variable}")
        }
        K::Not(_) => "not".into(),
        K::And(..) => "and".into(),
        K::Or(..) => "or".into(),
        K::Implies(..) => "implies".into(),
        K::Negate(_) => "minus".into(),
        K::Arith(op, ..) => format!("{op:?}"),
        K::Compare(op, ..) | K::CompareValues(op, ..) => format!("{op:?}"),
        K::If(..) => "if".into(),
        K::Tuple(_) => "tuple".into(),
        K::List(_) => "list".into(),
        K::Set(_) => "set".into(),
        K::In(..) => "in".into(),
        K::Collection(op, ..) => format!("{op:?}"),
        K::Range(..) => "range".into(),
        _ => return None,
    };
    name.push_str(&word);
    name.push('(');
    let mut whole = Some(());
    e.parts(&mut |part| {
        if whole.is_some() {
            whole = write(part, bound, name, slots);
            name.push(',');
        }
    });
    name.push(')');
    bound.truncate(len);
    whole
}

fn bind(pattern: &Pattern, bound: &mut Bound) {
    pattern.slots().into_iter().for_each(|slot| bound.push((slot, format!("bound{}", bound.len()))));
}

/// Return the body of an unfolded function with its arguments substituted, if these are short.
fn unfolded(lets: &[(Slot, Expr)], body: &Expr) -> Option<Expr> {
    let short = |e: &Expr| matches!(e.kind, K::Slot(_) | K::Word(_) | K::Param(_) | K::Fact(_));
    lets.iter().all(|(_, x)| short(x)).then(|| {
        let mut body = body.clone();
        substitute(&mut body, lets);
        body
    })
}

/// Substitute values for names.
pub fn substitute(e: &mut Expr, lets: &[(Slot, Expr)]) {
    if let K::Slot(slot) = &e.kind
        && let Some((_, x)) = lets.iter().rev().find(|(s, _)| s == slot)
    {
        // The type is that of the parameter.
        e.kind = x.kind.clone();
        return;
    }
    e.parts_mut(&mut |part| substitute(part, lets));
}

pub fn is_option(e: &Expr) -> bool {
    matches!(e.ty, Type::Option(_))
}

/// Return whether the expression certainly has a value.
pub fn has_value(e: &Expr, facts: &Facts) -> bool {
    match &e.kind {
        K::Const(Value::None) => false,
        K::If(c, x, y) => {
            has_value(x, &facts.and(facts_if(c, true, facts)))
                && has_value(y, &facts.and(facts_if(c, false, facts)))
        }
        K::Ranged { of, .. } => has_value(of, facts),
        K::Best { binder, with: None, .. } => not_empty(&binder.set, facts) || facts.has(e),
        _ => !is_option(e) || facts.has(e),
    }
}

/// Return whether the collection certainly has an element.
fn not_empty(set: &Expr, facts: &Facts) -> bool {
    match &set.kind {
        K::Fact(Fact::Everybody | Fact::Processes) => true,
        K::Set(parts) | K::List(parts) => !parts.is_empty(),
        K::Collection(CollectionOp::Union, x, y) => not_empty(x, facts) || not_empty(y, facts),
        K::Comprehension { binders, condition: None, .. } => binders.iter().all(|b| not_empty(&b.set, facts)),
        K::Call(Builtin::Keys | Builtin::Values | Builtin::Sort | Builtin::ToSet | Builtin::ToList, of) => {
            of.iter().all(|of| not_empty(of, facts)) || facts.has_element(set)
        }
        _ => facts.has_element(set),
    }
}

fn is_empty(e: &Expr) -> bool {
    match &e.kind {
        K::Set(parts) | K::List(parts) => parts.is_empty(),
        K::Map(pairs) => pairs.is_empty(),
        _ => false,
    }
}

/// Return the facts that follow if the condition has this truth value.
pub fn facts_if(e: &Expr, truth: bool, facts: &Facts) -> Facts {
    match (&e.kind, truth) {
        (K::Not(x), _) => facts_if(x, !truth, facts),
        (K::And(x, y), true) | (K::Or(x, y), false) => {
            let first = facts_if(x, truth, facts);
            let second = facts_if(y, truth, &facts.and(first.clone()));
            first.both(second)
        }
        (K::Implies(x, y), false) => {
            let first = facts_if(x, true, facts);
            let second = facts_if(y, false, &facts.and(first.clone()));
            first.both(second)
        }
        (K::And(x, y), false) | (K::Or(x, y), true) => {
            let first = facts_if(x, truth, facts);
            let other = facts_if(x, !truth, facts);
            first.either(&other.clone().both(facts_if(y, truth, &facts.and(other))))
        }
        (K::Implies(x, y), true) => {
            let (met, unmet) = (facts_if(x, true, facts), facts_if(x, false, facts));
            unmet.either(&met.clone().both(facts_if(y, true, &facts.and(met))))
        }
        (K::If(c, x, y), _) => {
            let (yes, no) = (facts_if(c, true, facts), facts_if(c, false, facts));
            let yes = yes.clone().both(facts_if(x, truth, &facts.and(yes)));
            let no = no.clone().both(facts_if(y, truth, &facts.and(no)));
            yes.either(&no)
        }
        (K::Let(lets, body), _) => match unfolded(lets, body) {
            Some(body) => facts_if(&body, truth, facts),
            None => Facts::default(),
        },
        (K::Compare(op, x, y) | K::CompareValues(op, x, y), _) => compared(*op, x, y, truth, facts),
        (K::In(x, set), true) => {
            let mut known = facts_of_evaluation(e);
            known.add_element(set);
            if let Type::Set(t) | Type::List(t) | Type::Map(t, _) = &set.ty
                && !matches!(**t, Type::Option(_))
            {
                known.add(x);
            }
            known
        }
        _ => facts_of_evaluation(e),
    }
}

fn compared(op: Compare, x: &Expr, y: &Expr, truth: bool, facts: &Facts) -> Facts {
    let mut known = facts_of_evaluation(x).both(facts_of_evaluation(y));
    let op = match (op, truth) {
        (op, true) => op,
        (Compare::Equal, false) => Compare::NotEqual,
        (Compare::NotEqual, false) => Compare::Equal,
        (Compare::Less, false) => Compare::GreaterEqual,
        (Compare::LessEqual, false) => Compare::Greater,
        (Compare::Greater, false) => Compare::LessEqual,
        (Compare::GreaterEqual, false) => Compare::Less,
    };
    // `size(S) > 0` and the like.
    let number = |e: &Expr| if let K::Word(word) = e.kind { Some(word) } else { None };
    let sized = |e: &Expr| match &e.kind {
        K::Call(Builtin::Size, of) => of.first().cloned(),
        _ => None,
    };
    let (least, of) = match (op, sized(x), sized(y)) {
        (Compare::Greater, of, None) => (number(y).map(|k| k.saturating_add(1)), of),
        (Compare::GreaterEqual | Compare::Equal, of, None) => (number(y), of),
        (Compare::NotEqual, of, None) => (number(y).map(|k| (k == 0).into()), of),
        (Compare::Less, None, of) => (number(x).map(|k| k.saturating_add(1)), of),
        (Compare::LessEqual | Compare::Equal, None, of) => (number(x), of),
        _ => (None, None),
    };
    if least.is_some_and(|least| least > 0) {
        of.iter().for_each(|of| known.add_element(of));
    }
    let none = |e: &Expr| matches!(e.kind, K::Const(Value::None));
    match op {
        Compare::Equal => {
            if has_value(y, facts) {
                known.add(x);
            }
            if has_value(x, facts) {
                known.add(y);
            }
        }
        Compare::NotEqual if none(y) => known.add(x),
        Compare::NotEqual if none(x) => known.add(y),
        Compare::NotEqual if is_empty(y) => known.add_element(x),
        Compare::NotEqual if is_empty(x) => known.add_element(y),
        Compare::NotEqual => {}
        // `none` is less than every other value.
        Compare::Less if !collects(y) => known.add(y),
        Compare::LessEqual if !collects(y) && has_value(x, facts) => known.add(y),
        Compare::Greater if !collects(x) => known.add(x),
        Compare::GreaterEqual if !collects(x) && has_value(y, facts) => known.add(x),
        _ => {}
    }
    known
}

fn collects(e: &Expr) -> bool {
    matches!(e.ty, Type::Set(_))
}

/// Return the facts that follow from the evaluation of an expression: options used as values had one, since the command
/// continued.
pub fn facts_of_evaluation(e: &Expr) -> Facts {
    match &e.kind {
        K::Unwrap(x) => {
            let mut known = facts_of_evaluation(x);
            known.add(x);
            known
        }
        K::And(x, _) | K::Or(x, _) | K::Implies(x, _) | K::If(x, _, _) => facts_of_evaluation(x),
        K::Quantified { .. } | K::Comprehension { .. } | K::Best { .. } | K::Let(..) | K::Once { .. } => {
            Facts::default()
        }
        _ => {
            let mut known = Facts::default();
            e.parts(&mut |part| known = std::mem::take(&mut known).both(facts_of_evaluation(part)));
            known
        }
    }
}
