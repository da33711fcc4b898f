//! Message costs, counted on sending.

use crate::instance::{FastCode, FastKind};
use crate::ir::NONE_WORD;
use crate::semantics::Metrics;
use crate::semantics::metrics::digits;

/// Return the number of bits of a message of K words: see [`Metrics`].
#[inline(always)]
pub(super) fn bits<const K: usize>(kind: &FastKind, words: &[i64; K]) -> u64 {
    let mut bits = kind.fixed_bits + of_digits(kind, words);
    if kind.any_optional {
        let absent = (0..K).filter(|i| kind.optional[*i] && words[*i] == NONE_WORD).count();
        // One bit encodes `none`.
        bits -= absent as u32 * (1 + digits(NONE_WORD));
    }
    u64::from(bits)
}

/// Return the number of bits of the message's numbers.
#[inline(always)]
fn of_digits<const K: usize>(kind: &FastKind, words: &[i64; K]) -> u32 {
    words.iter().zip(&kind.digits).map(|(word, counts)| digits(*word) & counts).sum()
}

/// Costs of the messages of one kind.
#[derive(Clone, Copy, Debug)]
struct Count {
    sent: u64,
    to_self: u64,
    bits: u64,
    kind: FastKind,
}

/// Counts kept apart from the metrics, for locality.
#[derive(Debug)]
pub(super) struct Counts {
    kinds: Vec<Count>,
    /// Length of the longest causal chain.
    pub time: u32,
}

impl Counts {
    pub fn new(fast: &FastCode) -> Counts {
        let kinds = fast.kinds.iter().map(|kind| Count { sent: 0, to_self: 0, bits: 0, kind: *kind });
        Counts { kinds: kinds.collect(), time: 0 }
    }

    #[inline(always)]
    pub fn add<const K: usize>(&mut self, kind: u8, to_self: bool, words: &[i64; K]) {
        let count = &mut self.kinds[kind as usize];
        if to_self {
            count.to_self += 1;
        } else {
            count.sent += 1;
            count.bits += bits(&count.kind, words);
        }
    }

    /// The same for a message that is forwarded unchanged, of a kind without optional words.
    #[inline(always)]
    pub fn add_same<const K: usize>(&mut self, kind: u32, to_self: bool, words: &[i64; K]) {
        let count = &mut self.kinds[kind as usize];
        if to_self {
            count.to_self += 1;
        } else {
            count.sent += 1;
            count.bits += u64::from(count.kind.fixed_bits + of_digits(&count.kind, words));
        }
    }

    /// Undo `add`: the message has not been sent after all.
    #[cold]
    pub fn subtract<const K: usize>(&mut self, kind: u8, to_self: bool, words: &[i64; K]) {
        let count = &mut self.kinds[kind as usize];
        if to_self {
            count.to_self -= 1;
        } else {
            count.sent -= 1;
            count.bits -= bits(&count.kind, words);
        }
    }

    /// Return the number of all messages, those to the sender itself included.
    pub fn messages(&self) -> u64 {
        self.kinds.iter().map(|count| count.sent + count.to_self).sum()
    }

    /// Add all counts to the metrics.
    pub fn report(&self, metrics: &mut Metrics) {
        for (kind, count) in self.kinds.iter().enumerate() {
            metrics.sent[kind] += count.sent;
            metrics.to_self[kind] += count.to_self;
            metrics.bits[kind] += count.bits;
        }
        metrics.time = metrics.time.max(self.time);
    }
}
