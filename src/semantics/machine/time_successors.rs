//! Time successors: each delay before a step, or number of quiet rounds, is a step of its own.

use super::Machine;
use std::ops::RangeInclusive;

/// Maximum number of delays that are tried exhaustively: a delay of a million rounds would yield a million steps in every
/// configuration, and as many in each successor.
pub const MAX_DELAYS: u64 = 10_000;

/// Number of shortest and of longest delays that are tried if there are more than [`MOST`]: recent messages and pending timeouts
/// are found there.
pub const SOME: u64 = 100;

impl Machine {
    /// Return the delays to try, ascending. Record in `waits_left_out` whether some are left out.
    pub(super) fn delays(&mut self, all: RangeInclusive<u64>) -> impl Iterator<Item = u64> + use<> {
        let (first, end) = (*all.start(), all.end().saturating_add(1));
        let is_too_much = end.saturating_sub(first) > MAX_DELAYS;
        self.delays_omitted |= is_too_much;
        let (short, long) = if is_too_much { (first + SOME, end - SOME) } else { (end, end) };
        (first..short).chain(long..end)
    }
}
