//! What messages have cost, counted as they are sent.

use crate::instance::{FastCode, FastKind};
use crate::ir::NONE_WORD;
use crate::semantics::Metrics;
use crate::semantics::metrics::digits;

/// Bits of a message: see [`Metrics`].
#[inline(always)]
pub(super) fn bits<const K: usize>(kind: &FastKind, words: &[i64; K]) -> u64 {
    let mut bits = kind.fixed_bits;
    for (word, mask) in words.iter().zip(kind.digits) {
        bits += digits(*word) & mask;
    }
    if kind.any_optional {
        let absent = |(word, optional): &(&i64, bool)| *optional && **word == NONE_WORD;
        // One bit says that there is nothing.
        bits -= words.iter().zip(kind.optional).filter(absent).count() as u32 * (1 + digits(NONE_WORD));
    }
    u64::from(bits)
}

/// What messages of one kind have cost.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    sent: u64,
    to_self: u64,
    bits: u64,
}

/// Counts apart from the metrics, so that what belongs together lies together.
#[derive(Debug)]
pub(super) struct Counts<'a> {
    fast: &'a FastCode,
    kinds: Vec<Count>,
    /// Length of the longest causal chain.
    pub time: u32,
}

impl<'a> Counts<'a> {
    pub fn new(fast: &'a FastCode) -> Counts<'a> {
        Counts { fast, kinds: vec![Count::default(); fast.kinds.len()], time: 0 }
    }

    #[inline(always)]
    pub fn add<const K: usize>(&mut self, kind: u8, to_self: bool, words: &[i64; K]) {
        let count = &mut self.kinds[kind as usize];
        if to_self {
            count.to_self += 1;
        } else {
            count.sent += 1;
            count.bits += bits(&self.fast.kinds[kind as usize], words);
        }
    }

    /// The opposite: the message has not been sent after all.
    #[cold]
    pub fn subtract<const K: usize>(&mut self, kind: u8, to_self: bool, words: &[i64; K]) {
        let count = &mut self.kinds[kind as usize];
        if to_self {
            count.to_self -= 1;
        } else {
            count.sent -= 1;
            count.bits -= bits(&self.fast.kinds[kind as usize], words);
        }
    }

    /// All messages, those to oneself included.
    pub fn messages(&self) -> u64 {
        self.kinds.iter().map(|count| count.sent + count.to_self).sum()
    }

    /// Adds all to the metrics.
    pub fn report(self, metrics: &mut Metrics) {
        for (kind, count) in self.kinds.into_iter().enumerate() {
            metrics.sent[kind] += count.sent;
            metrics.to_self[kind] += count.to_self;
            metrics.bits[kind] += count.bits;
        }
        metrics.time = metrics.time.max(self.time);
    }
}
