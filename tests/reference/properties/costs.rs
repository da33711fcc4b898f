//! *Properties*: `bound` and `exactly`, by exhaustive search of the graph that records the cost of runs.
//!
//! Counters only grow, so that numbers beyond the greatest limit of all configurations need not be distinguished. The product is therefore
//! finite, and a run that repeats a cycle of positive cost exceeds every limit.

use crate::properties::observer::{Moment, Watch, observe};
use crate::properties::verdicts::{Truth, Verdict, bound, finally};
use crate::specification::graph::Graph;

/// The comparison of a measure with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    pub fn is(self, a: i128, b: i128) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            Compare::GreaterEqual => a >= b,
        }
    }

    fn is_upper(self) -> bool {
        matches!(self, Compare::Less | Compare::LessEqual)
    }
}

/// Return the verdict on a measure of the whole run against a limit that depends on the configuration. There is one limit for each
/// configuration of `graph`, or the reason for its absence. The flag says whether the limit is the same throughout.
pub fn measured<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    mut watch: Watch,
    measure: &dyn Fn(&Moment<V>) -> u64,
    (compare, limits, the_same_throughout): (Compare, &[Result<i64, String>], bool),
    most: usize,
) -> Verdict {
    let known = || limits.iter().flatten().copied();
    watch.most = Some(known().max().unwrap_or(0).max(0).unsigned_abs());
    let Ok(product) = observe(graph, &watch, most) else {
        return Verdict::Refused("the measure has too many values".into());
    };
    let truth = |moment: &Moment<V>| -> Truth {
        let limit = limits[moment.at].clone()?;
        Ok(compare.is(i128::from(measure(moment)), i128::from(limit)))
    };
    let truth: Vec<Truth> = product.configurations.iter().map(truth).collect();
    // «An upper limit that is the same throughout … and has been exceeded is so in runs without an end, too.»
    match compare.is_upper() {
        true => bound(&product, &truth, the_same_throughout),
        false => finally(&product, &truth),
    }
}
