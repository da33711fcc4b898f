//! How long is waited before a step: each length of time, or number of quiet rounds, makes a step of its own.

use super::Machine;
use std::ops::RangeInclusive;

/// So many waits are tried one by one: what is a million rounds away would make a million steps in every configuration, and as many
/// again in each that they lead to.
pub const MOST: u64 = 10_000;

/// Where there are more, so many of the shortest and as many of the longest are: what was sent just before and what is due just after
/// lies there.
pub const SOME: u64 = 100;

impl Machine {
    /// The waits to try, ascending. Where these are not all, that is noted.
    pub(super) fn waits(&mut self, all: RangeInclusive<u64>) -> impl Iterator<Item = u64> + use<> {
        let (first, end) = (*all.start(), all.end().saturating_add(1));
        let is_too_much = end.saturating_sub(first) > MOST;
        self.waits_left_out |= is_too_much;
        let (short, long) = if is_too_much { (first + SOME, end - SOME) } else { (end, end) };
        (first..short).chain(long..end)
    }
}
