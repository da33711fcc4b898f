//! *Properties*: `bound` and `exactly`, by brute force on the graph with what runs have cost.
//!
//! What is counted only grows, so that numbers beyond the greatest limit of all configurations need not be told apart. With that the
//! product is finite, and a run that costs more each time that it goes round comes to exceed every limit.

use crate::graph::Graph;
use crate::observer::{Moment, Watch, observe};
use crate::verdicts::{Truth, Verdict, bound, finally};

/// How a measure is compared with its limit.
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

/// The verdict on a measure of the whole run against a limit that a configuration of `graph` tells: one number for each, or why there is
/// none. Is it the same throughout?
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
        return Verdict::Refused("runs may cost too many different numbers".into());
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
