//! Bounds whose measured cost is a sum over the steps of a run, so that the graph of configurations decides them and no
//! configuration contains counts.

use crate::instance::Instance;
use crate::ir::{Arith, Bound, Compare, Expr, ExprKind as K, Metric, Property, PropertyKind};
use crate::property::{Reads, constant_word, is_vacuous};
use crate::semantics::Metrics;

/// Greatest absolute value of a factor: sums of counts with such factors do not overflow.
const STEEPEST: u64 = 1 << 20;

/// A comparison of a sum of counts with a limit that the configuration at the end of a run determines.
#[derive(Clone, Debug)]
pub struct AdditiveBound<'p> {
    /// The bound applies to the runs at whose end this is true.
    pub premise: Option<&'p Expr>,
    terms: Vec<Term<'p>>,
    /// Divides the cost by the number of completed operations of this kind.
    pub per: Option<u16>,
    pub compare: Compare,
    /// The limit: a sum of expressions with these signs or factors.
    pub limit: Vec<(i64, &'p Expr)>,
    /// The number of terms that form the left side, as the program states it. `None`: that side has other terms, or the bound applies to
    /// some runs only.
    left: Option<usize>,
}

/// A count of messages, bits or rounds, with its factor.
#[derive(Clone, Debug)]
struct Term<'p> {
    factor: i64,
    metric: Metric,
    of: Option<&'p [u32]>,
}

/// A side of a comparison.
#[derive(Debug, Default)]
struct Side<'p> {
    terms: Vec<Term<'p>>,
    rest: Vec<(i64, &'p Expr)>,
}

impl<'p> AdditiveBound<'p> {
    /// Return `None` if the property is no such bound: time is the length of a chain, hence no sum; the rounds of a synchronizer are
    /// the maximum over processes. The premise of an `implies` may be anything that the end of a run determines.
    pub fn of(instance: &'p Instance, property: &'p Property) -> Option<AdditiveBound<'p>> {
        let is_of_costs = matches!(property.kind, PropertyKind::Bound | PropertyKind::Exactly);
        if !is_of_costs || is_vacuous(property, instance) {
            return None;
        }
        match &property.bound {
            Some(bound) => AdditiveBound::of_bound(instance, bound),
            None if property.binders.is_empty() => AdditiveBound::of_condition(instance, &property.body),
            None => None,
        }
    }

    fn of_condition(instance: &'p Instance, body: &'p Expr) -> Option<AdditiveBound<'p>> {
        let K::Implies(premise, then) = &body.kind else {
            return AdditiveBound::of_comparison(instance, body);
        };
        if Reads::of(premise, &instance.program).depends_on_run() {
            return None;
        }
        let bound = AdditiveBound::of_comparison(instance, then)?;
        match constant_word(instance, premise) {
            Some(1) => Some(bound),
            _ => Some(AdditiveBound { premise: Some(premise), left: None, ..bound }),
        }
    }

    fn of_bound(instance: &'p Instance, bound: &'p Bound) -> Option<AdditiveBound<'p>> {
        let mut left = Side::default();
        left.count(instance, 1, bound.metric, bound.of.as_deref())?;
        let mut right = Side::default();
        match bound.per {
            None => right.add(instance, 1, &bound.limit)?,
            // The limit is multiplied by a count.
            Some(_) if Reads::of(&bound.limit, &instance.program).depends_on_run() => return None,
            Some(_) => right.rest.push((1, &bound.limit)),
        }
        Some(AdditiveBound::between(left, bound.compare, right, bound.per))
    }

    fn of_comparison(instance: &'p Instance, body: &'p Expr) -> Option<AdditiveBound<'p>> {
        let K::Compare(compare, left, right) = &body.kind else { return None };
        let (mut a, mut b) = (Side::default(), Side::default());
        a.add(instance, 1, left)?;
        b.add(instance, 1, right)?;
        match (*compare, a.terms.is_empty(), b.terms.is_empty()) {
            (Compare::NotEqual, ..) | (_, true, true) => None,
            (_, true, false) => Some(AdditiveBound::between(b, compare.mirrored(), a, None)),
            _ => Some(AdditiveBound::between(a, *compare, b, None)),
        }
    }

    /// Subtract the counts of the right side, and what else the left side adds.
    fn between(left: Side<'p>, compare: Compare, right: Side<'p>, per: Option<u16>) -> AdditiveBound<'p> {
        let own = left.rest.is_empty().then_some(left.terms.len());
        let mut terms = left.terms;
        terms.extend(right.terms.into_iter().map(|term| Term { factor: -term.factor, ..term }));
        let mut limit = right.rest;
        limit.extend(left.rest.into_iter().map(|(factor, e)| (-factor, e)));
        AdditiveBound { premise: None, terms, per, compare, limit, left: own }
    }

    /// Return whether the cost is one side of the comparison, as the program states it, and the limit the other.
    pub fn is_as_written(&self) -> bool {
        self.left == Some(self.terms.len())
    }

    /// Return the counts of the left side, without a limit, if they are another cost than that of the bound.
    pub fn left_side(&self) -> Option<AdditiveBound<'p>> {
        let terms =
            self.left.filter(|number| *number < self.terms.len()).map(|number| &self.terms[..number])?;
        Some(AdditiveBound { terms: terms.to_vec(), limit: Vec::new(), left: Some(terms.len()), ..*self })
    }

    /// Return the cost of a step or run with these metrics.
    pub fn cost(&self, metrics: &Metrics) -> i64 {
        let count = |Term { factor, metric, of }: &Term<'_>| {
            let count = match metric {
                Metric::Messages => metrics.messages_of(*of),
                Metric::MessagesToSelf => metrics.messages_to_self_of(*of),
                Metric::Bits => metrics.bits_of(*of),
                Metric::Rounds => metrics.rounds,
                Metric::Time => 0,
            };
            factor * count as i64
        };
        self.terms.iter().map(count).sum()
    }

    /// Return whether a count of this metric is a term.
    pub fn counts(&self, metric: Metric) -> bool {
        self.terms.iter().any(|term| term.metric == metric)
    }
}

impl<'p> Side<'p> {
    /// Add an expression, multiplied by `factor`. `None`: it depends on counts, and is no sum of them.
    fn add(&mut self, instance: &'p Instance, factor: i64, e: &'p Expr) -> Option<()> {
        // With the factor 0, an inner product may be too large and abort.
        if factor == 0 || factor.unsigned_abs() > STEEPEST {
            return None;
        }
        if !Reads::of(e, &instance.program).depends_on_run() {
            self.rest.push((factor, e));
            return Some(());
        }
        match &e.kind {
            K::Metric { metric, of, per: None } => self.count(instance, factor, *metric, of.as_deref()),
            K::Negate(x) => self.add(instance, -factor, x),
            K::Arith(Arith::Add, x, y) => {
                self.add(instance, factor, x)?;
                self.add(instance, factor, y)
            }
            K::Arith(Arith::Subtract, x, y) => {
                self.add(instance, factor, x)?;
                self.add(instance, -factor, y)
            }
            K::Arith(Arith::Multiply, x, y) => match (constant_word(instance, x), constant_word(instance, y))
            {
                (Some(times), _) => self.add(instance, factor.checked_mul(times)?, y),
                (_, Some(times)) => self.add(instance, factor.checked_mul(times)?, x),
                (None, None) => None,
            },
            _ => None,
        }
    }

    fn count(
        &mut self,
        instance: &Instance,
        factor: i64,
        metric: Metric,
        of: Option<&'p [u32]>,
    ) -> Option<()> {
        let is_sum = match metric {
            Metric::Time => false,
            Metric::Rounds => !instance.program.rounds_are_made(),
            Metric::Messages | Metric::MessagesToSelf | Metric::Bits => true,
        };
        is_sum.then(|| self.terms.push(Term { factor, metric, of }))
    }
}
