//! Costs of steps, for `bound` and `exactly`: the worst and the best case over all schedules are the longest and the shortest
//! path to an end, with the cost of each step as its length.

use crate::explore::store::interner::Interner;
use crate::instance::Instance;
use crate::ir::{Bound, Metric, Program};
use crate::property::Reads;
use crate::semantics::Metrics;

/// The cost of a step for each of the bounds, interned; id 0 is no cost.
#[derive(Debug)]
pub struct Costs {
    /// Indices into `Program::properties`.
    pub bounds: Vec<usize>,
    measures: Vec<Measure>,
    table: Interner<Vec<Cost>>,
}

/// The measure of a bound.
#[derive(Debug)]
struct Measure {
    metric: Metric,
    of: Option<Vec<u32>>,
    per: Option<u16>,
    /// The deduction for each spontaneous wake-up, which increases the limit as much.
    per_wakeup: i64,
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

impl Costs {
    /// Return the bounds among these properties that are sums over steps.
    pub fn new(instance: &Instance, properties: &[usize]) -> Costs {
        let summed = |p: &&usize| {
            instance.program.properties[**p].bound.as_ref().is_some_and(|b| is_sum(b, &instance.program))
        };
        let bounds: Vec<usize> = properties.iter().filter(summed).copied().collect();
        let measures = bounds.iter().filter_map(|p| instance.program.properties[*p].bound.as_ref());
        let measures = measures
            .map(|b| Measure { metric: b.metric, of: b.of.clone(), per: b.per, per_wakeup: 0 })
            .collect();
        let table = Interner::default();
        table.number(vec![Cost::default(); bounds.len()]);
        Costs { bounds, measures, table }
    }

    /// Measure costs relative to limits that spontaneous wake-ups increase. `slopes`: properties that are bounds, with the increase.
    pub fn relative_to_wakeups(&mut self, slopes: &[(usize, i64)]) {
        for (bound, measure) in self.bounds.iter().zip(&mut self.measures) {
            measure.per_wakeup =
                slopes.iter().find(|(property, _)| property == bound).map_or(0, |(_, slope)| *slope);
        }
    }

    /// Return whether the costs of a bound are relative to a limit that spontaneous wake-ups increase.
    pub fn is_relative(&self, which: usize) -> bool {
        self.measures[which].per_wakeup != 0
    }

    /// Return the id of the cost of a step.
    pub fn number(&self, metrics: &Metrics) -> u32 {
        let wakeups = metrics.wakeups as i64;
        let cost = |Measure { metric, of, per, per_wakeup }: &Measure| Cost {
            measured: match metric {
                Metric::Messages => metrics.messages_of(of.as_deref()) as i64,
                Metric::MessagesToSelf => metrics.messages_to_self_of(of.as_deref()) as i64,
                Metric::Bits => metrics.bits_of(of.as_deref()) as i64,
                Metric::Rounds => metrics.rounds as i64,
                Metric::Time => 0,
            } - per_wakeup * wakeups,
            returned: per.map_or(0, |of| metrics.returns[of as usize] as i64),
        };
        self.table.number(self.measures.iter().map(cost).collect::<Vec<_>>())
    }

    /// Return whether any bound is measured in rounds.
    pub fn counts_rounds(&self) -> bool {
        self.measures.iter().any(|measure| measure.metric == Metric::Rounds)
    }

    pub fn get(&self, number: u32) -> &[Cost] {
        self.table.get(number)
    }
}

/// Return whether a bound is a sum over steps with a limit that is known at the end. Time is the length of a chain, hence no
/// sum. The rounds of a synchronizer are the maximum over processes. If the limit itself depends on counts of the run, both
/// sides have to be tracked together.
pub fn is_sum(bound: &Bound, program: &Program) -> bool {
    let greatest = match bound.metric {
        Metric::Time => true,
        Metric::Rounds => program.rounds_are_made(),
        Metric::Messages | Metric::MessagesToSelf | Metric::Bits => false,
    };
    !greatest && !Reads::of(&bound.limit, program).depends_on_run()
}
