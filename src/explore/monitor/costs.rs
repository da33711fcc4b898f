//! Costs of steps, for `bound` and `exactly`: the worst and the best case over all schedules are the longest and the shortest
//! path to an end, with the cost of each step as its length.

use crate::explore::monitor::additive_bound::AdditiveBound;
use crate::explore::store::interner::Interner;
use crate::instance::Instance;
use crate::ir::Metric;
use crate::semantics::Metrics;

/// The cost of a step for each of the bounds, interned; id 0 is no cost.
#[derive(Debug)]
pub struct Costs<'i> {
    /// Indices into `Program::properties`.
    pub bounds: Vec<usize>,
    /// The bounds, then the left sides of those that have counts on the right side, too.
    sums: Vec<AdditiveBound<'i>>,
    /// By bound: the index of its left side in `sums`.
    left_sides: Vec<Option<usize>>,
    /// By sum: the deduction for each spontaneous wake-up, which increases the limit as much.
    per_wakeup: Vec<i64>,
    table: Interner<Vec<Cost>>,
}

/// The cost of one step: the measured increase, and the number of returns of the operation by which the bound is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    pub measured: i64,
    pub returned: i64,
}

impl Cost {
    /// Return the measured cost minus `each` for every operation that has returned.
    pub fn less(self, each: i64) -> i64 {
        self.measured.saturating_sub(each.saturating_mul(self.returned))
    }
}

impl<'i> Costs<'i> {
    /// Return the bounds among these properties that are sums over steps.
    pub fn new(instance: &'i Instance, properties: &[usize]) -> Costs<'i> {
        let sum = |p: &usize| {
            AdditiveBound::of(instance, &instance.program.properties[*p]).map(|bound| (*p, bound))
        };
        let (bounds, mut sums): (Vec<usize>, Vec<AdditiveBound<'i>>) =
            properties.iter().filter_map(sum).unzip();
        let mut left_sides = Vec::new();
        for bound in 0..bounds.len() {
            let left = sums[bound].left_side();
            left_sides.push(left.is_some().then_some(sums.len()));
            sums.extend(left);
        }
        let table = Interner::default();
        table.number(vec![Cost::default(); sums.len()]);
        Costs { per_wakeup: vec![0; sums.len()], bounds, sums, left_sides, table }
    }

    /// Measure costs relative to limits that spontaneous wake-ups increase. `slopes`: properties that are bounds, with the increase.
    pub fn relative_to_wakeups(&mut self, slopes: &[(usize, i64)]) {
        for (bound, deduction) in self.bounds.iter().zip(&mut self.per_wakeup) {
            *deduction = slopes.iter().find(|(property, _)| property == bound).map_or(0, |(_, slope)| *slope);
        }
    }

    /// Return whether the costs of a bound are relative to a limit that spontaneous wake-ups increase.
    pub fn is_relative(&self, which: usize) -> bool {
        self.per_wakeup[which] != 0
    }

    /// Return the index of the cost that is the left side of a bound: another one if the right side has counts, too.
    pub fn left_side(&self, which: usize) -> Option<usize> {
        self.left_sides[which]
    }

    /// Return the bound with this index in `bounds`, or a left side.
    pub fn bound(&self, which: usize) -> &AdditiveBound<'i> {
        &self.sums[which]
    }

    /// Return the id of the cost of a step.
    pub fn number(&self, metrics: &Metrics) -> u32 {
        let wakeups = metrics.wakeups as i64;
        let cost = |(bound, per_wakeup): (&AdditiveBound<'_>, &i64)| Cost {
            measured: bound.cost(metrics) - per_wakeup * wakeups,
            returned: bound.per.map_or(0, |of| metrics.returns[of as usize] as i64),
        };
        self.table.number(self.sums.iter().zip(&self.per_wakeup).map(cost).collect::<Vec<_>>())
    }

    /// Return whether any bound is measured in rounds.
    pub fn counts_rounds(&self) -> bool {
        self.sums.iter().any(|bound| bound.counts(Metric::Rounds))
    }

    pub fn get(&self, number: u32) -> &[Cost] {
        self.table.get(number)
    }
}
