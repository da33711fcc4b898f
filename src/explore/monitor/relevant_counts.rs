//! Relevant counts: the part of the counts of a run that properties can distinguish.
//!
//! Counts grow without bound where a run may repeat a cycle, but a property such as `messages mod n = 0` or `rounds >= 3` depends on little of
//! them. [`RelevantCounts`] finds vectors that may be subtracted from the counts: no property can tell the difference, now or later.
//! `docs/design/soundness.md` has the argument.

use crate::instance::Instance;
use crate::ir::{Arith, Bound, Expr, ExprKind as K, Metric, Property, PropertyKind};
use crate::property::constant_word;
use crate::semantics::Metrics;

/// Greatest absolute value of a number or weight that the analysis handles, so that sums with counts cannot overflow.
const MOST: i128 = 1 << 20;

/// Rays are sought among sets of at most this many counts.
const MOST_TOGETHER: u32 = 4;

/// A count of a run that cannot be divided further: no property counts a part of these messages.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Count {
    /// The messages of these kinds to other processes.
    Messages(Vec<usize>),
    /// The messages of these kinds from processes to themselves.
    MessagesToSelf(Vec<usize>),
    /// Their bits.
    Bits(Vec<usize>),
    Rounds,
    Returns(usize),
}

/// An integer for each count.
type Vector = Vec<i128>;

#[derive(Debug)]
pub struct RelevantCounts {
    counts: Vec<Count>,
    rays: Vec<Vector>,
    /// A sum of counts with weights of at least 0, and a number that it must exceed after a subtraction.
    thresholds: Vec<(Vector, i128)>,
}

impl RelevantCounts {
    /// Return the counts that these properties can tell apart. `None`: all of them.
    pub fn of<'p>(
        instance: &Instance,
        properties: impl Iterator<Item = &'p Property> + Clone,
    ) -> Option<RelevantCounts> {
        let at_once = |p: &Property| {
            use PropertyKind as P;
            matches!(p.kind, P::Invariant | P::Finally | P::Bound | P::Exactly)
        };
        if !properties.clone().all(at_once) {
            return None;
        }
        let mut constraints = Constraints {
            instance,
            counts: counts(instance, properties.clone()),
            equal: Vec::new(),
            multiples: Vec::new(),
            thresholds: Vec::new(),
        };
        for property in properties {
            match &property.bound {
                Some(bound) => constraints.bound(bound),
                None => each_expression(property, &mut |e| constraints.visit(e)),
            }
        }
        let rays = constraints.rays();
        let Constraints { counts, thresholds, .. } = constraints;
        (!rays.is_empty()).then_some(RelevantCounts { counts, rays, thresholds })
    }

    /// Subtract multiples of the rays, which no property can detect, and drop the counts that no property reads.
    pub fn reduce(&self, metrics: &mut Metrics) {
        let mut left: Vector = self.counts.iter().map(|count| count.read(metrics).into()).collect();
        for ray in &self.rays {
            let parts =
                ray.iter().zip(&left).filter(|(step, _)| **step > 0).map(|(step, count)| count / step);
            let above = self.thresholds.iter().filter_map(|(weights, least)| {
                let step = product(weights, ray);
                (step > 0).then(|| ((product(weights, &left) - least - 1) / step).max(0))
            });
            let times = parts.chain(above).min().unwrap_or(0);
            left.iter_mut().zip(ray).for_each(|(count, step)| *count -= times * step);
        }
        for all in [&mut metrics.sent, &mut metrics.to_self, &mut metrics.bits, &mut metrics.returns] {
            all.fill(0);
        }
        for (count, left) in self.counts.iter().zip(left) {
            count.write(metrics, left as u64);
        }
    }
}

impl Count {
    fn read(&self, metrics: &Metrics) -> u64 {
        match self {
            Count::Messages(kinds) => kinds.iter().map(|kind| metrics.sent[*kind]).sum(),
            Count::MessagesToSelf(kinds) => kinds.iter().map(|kind| metrics.to_self[*kind]).sum(),
            Count::Bits(kinds) => kinds.iter().map(|kind| metrics.bits[*kind]).sum(),
            Count::Rounds => metrics.rounds,
            Count::Returns(operation) => metrics.returns[*operation],
        }
    }

    /// Let the first of several kinds stand for all.
    fn write(&self, metrics: &mut Metrics, value: u64) {
        match self {
            Count::Messages(kinds) => metrics.sent[kinds[0]] = value,
            Count::MessagesToSelf(kinds) => metrics.to_self[kinds[0]] = value,
            Count::Bits(kinds) => metrics.bits[kinds[0]] = value,
            Count::Rounds => metrics.rounds = value,
            Count::Returns(operation) => metrics.returns[*operation] = value,
        }
    }
}

/// A measure as a property writes it: messages or bits of some kinds, rounds, or returns of an operation.
type Measure = (Metric, Option<Vec<u32>>);

/// Return the counts from which all measures in the properties can be added up.
fn counts<'p>(instance: &Instance, properties: impl Iterator<Item = &'p Property>) -> Vec<Count> {
    let mut measures: Vec<Measure> = Vec::new();
    let mut operations: Vec<usize> = Vec::new();
    let mut note = |metric: Metric, of: Option<&[u32]>, per: Option<u16>| {
        measures.push((metric, of.map(<[u32]>::to_vec)));
        operations.extend(per.map(usize::from));
    };
    for property in properties {
        if let Some(bound) = &property.bound {
            note(bound.metric, bound.of.as_deref(), bound.per);
        }
        each_expression(property, &mut |e| each_measure(e, &mut note));
    }
    let mut all = Vec::new();
    for (metric, new) in [
        (Metric::Messages, Count::Messages as fn(Vec<usize>) -> Count),
        (Metric::MessagesToSelf, Count::MessagesToSelf as fn(Vec<usize>) -> Count),
        (Metric::Bits, Count::Bits as fn(Vec<usize>) -> Count),
    ] {
        // Kinds that no measure tells apart are counted together.
        let mut classes: Vec<(Vec<bool>, Vec<usize>)> = Vec::new();
        for kind in 0..instance.program.kinds.len() {
            let is_in = |(m, of): &Measure| *m == metric && covers(of.as_deref(), kind);
            let signature: Vec<bool> = measures.iter().map(is_in).collect();
            match classes.iter_mut().find(|(other, _)| *other == signature) {
                Some((_, kinds)) => kinds.push(kind),
                None if signature.contains(&true) => classes.push((signature, vec![kind])),
                None => {}
            }
        }
        all.extend(classes.into_iter().map(|(_, kinds)| new(kinds)));
    }
    all.extend(measures.iter().any(|(metric, _)| *metric == Metric::Rounds).then_some(Count::Rounds));
    operations.sort_unstable();
    operations.dedup();
    all.extend(operations.into_iter().map(Count::Returns));
    all
}

/// Call `f` for the expressions of a property: only the limit of a plain bound.
fn each_expression(property: &Property, f: &mut dyn FnMut(&Expr)) {
    match &property.bound {
        Some(bound) => f(&bound.limit),
        None => property.binders.iter().map(|binder| &binder.set).chain([&property.body]).for_each(f),
    }
}

/// Called with a metric, the kinds of messages (`None`: all), and the operation by whose returns it is divided.
type NoteMeasure<'n> = dyn FnMut(Metric, Option<&[u32]>, Option<u16>) + 'n;

/// Call `note` for every measure in the expression.
fn each_measure(e: &Expr, note: &mut NoteMeasure<'_>) {
    if let K::Metric { metric, of, per } = &e.kind {
        note(*metric, of.as_deref(), *per);
    }
    e.parts(&mut |part| each_measure(part, note));
}

fn has_measure(e: &Expr) -> bool {
    let mut found = false;
    each_measure(e, &mut |metric, _, per| found |= metric != Metric::Time || per.is_some());
    found
}

fn covers(of: Option<&[u32]>, kind: usize) -> bool {
    of.is_none_or(|kinds| kinds.contains(&(kind as u32)))
}

fn product(a: &[i128], b: &[i128]) -> i128 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A sum of counts with weights, a number, and perhaps values that the counts do not determine.
#[derive(Clone, Debug)]
struct Linear {
    weights: Vector,
    number: i128,
    /// Whether a value of the configuration is added.
    has_other: bool,
}

/// Conditions on a vector v that may be subtracted from the counts c.
struct Constraints<'i> {
    instance: &'i Instance,
    counts: Vec<Count>,
    /// w·v = 0
    equal: Vec<Vector>,
    /// w·v is a multiple of the number.
    multiples: Vec<(Vector, i128)>,
    /// w·(c − v) exceeds the number.
    thresholds: Vec<(Vector, i128)>,
}

impl Constraints<'_> {
    /// Record how an expression depends on the counts, if its whole value matters.
    fn visit(&mut self, e: &Expr) {
        match &e.kind {
            K::Metric { metric, of, per } => self.fix(*metric, of.as_deref(), *per),
            K::Compare(_, x, y) if has_measure(e) => match (self.linear(x), self.linear(y)) {
                (Some(x), Some(y)) => self.compare(x.plus(&y, -1)),
                _ => e.parts(&mut |part| self.visit(part)),
            },
            K::Arith(Arith::Mod, x, by) if has_measure(x) => match (self.linear(x), self.constant(by)) {
                (Some(sum), Some(by)) if sum.is_count() && by > 0 => self.multiples.push((sum.weights, by)),
                _ => e.parts(&mut |part| self.visit(part)),
            },
            _ => e.parts(&mut |part| self.visit(part)),
        }
    }

    fn bound(&mut self, bound: &Bound) {
        match self.linear(&bound.limit) {
            Some(limit) if bound.per.is_none() && bound.metric != Metric::Time => {
                let measured = Linear {
                    weights: self.weights(bound.metric, bound.of.as_deref()),
                    number: 0,
                    has_other: false,
                };
                self.compare(measured.plus(&limit, -1));
            }
            _ => {
                self.fix(bound.metric, bound.of.as_deref(), bound.per);
                self.visit(&bound.limit);
            }
        }
    }

    /// Note that the counts of a measure must not change.
    fn fix(&mut self, metric: Metric, of: Option<&[u32]>, per: Option<u16>) {
        if metric != Metric::Time {
            let weights = self.weights(metric, of);
            self.equal.push(weights);
        }
        if let Some(operation) = per {
            let is = |count: &Count| i128::from(*count == Count::Returns(operation.into()));
            self.equal.push(self.counts.iter().map(is).collect());
        }
    }

    /// Note that a sum is compared with 0.
    fn compare(&mut self, sum: Linear) {
        let Linear { mut weights, number, has_other } = sum;
        if weights.iter().all(|w| *w <= 0) {
            weights.iter_mut().for_each(|w| *w = -*w);
        }
        match has_other || weights.iter().any(|w| *w < 0) {
            true => self.equal.push(weights),
            false => self.thresholds.push((weights, number.abs())),
        }
    }

    /// Return the expression as a sum. `None`: it depends on counts in another way.
    fn linear(&mut self, e: &Expr) -> Option<Linear> {
        let sum = match &e.kind {
            K::Once { value, .. } => self.linear(value)?,
            K::Metric { metric, of, per: None } if *metric != Metric::Time => {
                Linear { weights: self.weights(*metric, of.as_deref()), number: 0, has_other: false }
            }
            K::Arith(Arith::Add, x, y) => self.linear(x)?.plus(&self.linear(y)?, 1),
            K::Arith(Arith::Subtract, x, y) => self.linear(x)?.plus(&self.linear(y)?, -1),
            K::Negate(x) => self.zero().plus(&self.linear(x)?, -1),
            K::Arith(Arith::Multiply, x, y) if has_measure(e) => match (self.constant(x), self.constant(y)) {
                (Some(times), _) => self.zero().plus(&self.linear(y)?, times),
                (_, Some(times)) => self.zero().plus(&self.linear(x)?, times),
                _ => return None,
            },
            // Its value stays the same, whatever is subtracted.
            K::Arith(Arith::Mod, ..) if has_measure(e) => {
                self.visit(e);
                Linear { has_other: true, ..self.zero() }
            }
            _ if has_measure(e) => return None,
            _ => match self.constant(e) {
                Some(number) => Linear { number, ..self.zero() },
                None => Linear { has_other: true, ..self.zero() },
            },
        };
        let is_small = |number: &i128| number.abs() <= MOST;
        (sum.weights.iter().all(is_small) && is_small(&sum.number)).then_some(sum)
    }

    fn zero(&self) -> Linear {
        Linear { weights: vec![0; self.counts.len()], number: 0, has_other: false }
    }

    /// Return the value of an expression that no step changes, if it is small.
    fn constant(&self, e: &Expr) -> Option<i128> {
        constant_word(self.instance, e).map(i128::from).filter(|value| value.abs() <= MOST)
    }

    fn weights(&self, metric: Metric, of: Option<&[u32]>) -> Vector {
        let is_in = |count: &Count| match (metric, count) {
            (Metric::Messages, Count::Messages(kinds))
            | (Metric::MessagesToSelf, Count::MessagesToSelf(kinds))
            | (Metric::Bits, Count::Bits(kinds)) => covers(of, kinds[0]),
            (Metric::Rounds, Count::Rounds) => true,
            _ => false,
        };
        self.counts.iter().map(|count| i128::from(is_in(count))).collect()
    }

    /// Return the vectors with few counts that satisfy all conditions.
    fn rays(&self) -> Vec<Vector> {
        let counts = self.counts.len();
        if counts > 16 {
            return Vec::new();
        }
        // The rounds of a synchronizer are a maximum over processes.
        let is_sum = |at: usize| self.counts[at] != Count::Rounds || !self.instance.model.has_synchronizer;
        let mut sets: Vec<u32> =
            (1..1u32 << counts).filter(|set| set.count_ones() <= MOST_TOGETHER).collect();
        sets.sort_by_key(|set| set.count_ones());
        let mut rays: Vec<Vector> = Vec::new();
        let mut found: Vec<u32> = Vec::new();
        for set in sets {
            let members: Vec<usize> = (0..counts).filter(|at| set >> at & 1 == 1).collect();
            // A superset of the counts of a known ray adds nothing.
            if found.iter().any(|smaller| smaller & set == *smaller) || !members.iter().all(|at| is_sum(*at))
            {
                continue;
            }
            let rows = self.equal.iter().map(|row| members.iter().map(|at| row[*at]).collect());
            if let Some(values) = positive_solution(rows.collect(), members.len()) {
                let mut ray = vec![0; counts];
                members.iter().zip(values).for_each(|(at, value)| ray[*at] = value);
                let times = self.multiples.iter().fold(1, |times, (weights, by)| {
                    let step = product(weights, &ray) * times;
                    times * (by / gcd(step, *by))
                });
                ray.iter_mut().for_each(|value| *value *= times);
                rays.push(ray);
                found.push(set);
            }
        }
        rays
    }
}

impl Linear {
    fn plus(mut self, other: &Linear, times: i128) -> Linear {
        self.weights.iter_mut().zip(&other.weights).for_each(|(own, more)| *own += times * more);
        self.number += times * other.number;
        self.has_other |= other.has_other;
        self
    }

    /// Return whether it is a sum of counts that cannot be negative.
    fn is_count(&self) -> bool {
        !self.has_other && self.number >= 0 && self.weights.iter().all(|w| *w >= 0)
    }
}

/// Return the least positive integers x with row·x = 0 for all rows, if they are unique up to a factor.
fn positive_solution(mut rows: Vec<Vector>, unknowns: usize) -> Option<Vector> {
    // Gauss–Jordan elimination in integers.
    let mut done = 0;
    for column in 0..unknowns {
        let Some(pivot) = (done..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(done, pivot);
        let top = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != done) {
            let factor = row[column];
            if factor != 0 {
                row.iter_mut().zip(&top).for_each(|(own, above)| *own = *own * top[column] - factor * above);
                let common = row.iter().fold(0, |common, value| gcd(common, *value)).max(1);
                row.iter_mut().for_each(|value| *value /= common);
            }
        }
        done += 1;
    }
    if done + 1 != unknowns {
        return None;
    }
    // Each row now relates its pivot to the only free unknown.
    let pivots: Vec<usize> =
        rows[..done].iter().map(|row| row.iter().position(|value| *value != 0)).collect::<Option<_>>()?;
    let free = (0..unknowns).find(|at| !pivots.contains(at))?;
    let scale = rows[..done].iter().zip(&pivots).fold(1, |scale, (row, pivot)| {
        let denominator = row[*pivot].abs() / gcd(row[*pivot], row[free]);
        scale * (denominator / gcd(scale, denominator))
    });
    let mut solution = vec![scale; unknowns];
    for (row, pivot) in rows[..done].iter().zip(&pivots) {
        solution[*pivot] = -row[free] * scale / row[*pivot];
    }
    solution.iter().all(|value| *value > 0).then_some(solution)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
