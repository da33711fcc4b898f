//! Metrics: the costs of a run, counted incrementally.

use crate::ids::ProcessId;

/// Counts of one run. Vectors are indexed by message kind, unless stated otherwise.
///
/// **Messages** of a run are net: messages of a process to itself are counted separately.
///
/// **Bits** of a message are the length of its content in a fixed code. The kind takes ⌈log₂ k⌉ bits, where k is the number of
/// message kinds of the program. An Int, Id or port takes 1 bit plus the binary digits of its absolute value (0 has one digit). A
/// Bool takes 1 bit, a case of an enumeration ⌈log₂⌉ of their number. In an optional field `none` takes 1 bit, and any other
/// value 1 bit more than otherwise. A collection takes 32 bits plus its elements, a text 32 bits plus 8 for each byte.
///
/// **Time** is the length of the longest causal chain of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Messages sent to other processes.
    pub sent: Vec<u64>,
    /// Messages sent to the sender itself.
    pub to_self: Vec<u64>,
    /// Bits of the messages sent to other processes.
    pub bits: Vec<u64>,
    /// Length of the longest causal chain of messages, those to the sender itself included.
    pub time: u32,
    /// Number of rounds that have ended, in models that have rounds. With a synchronizer: the maximum over all processes.
    pub rounds: u64,
    /// By process, with a synchronizer: the number of rounds that it has ended. As long as needed.
    pub own_rounds: Vec<u64>,
    /// Number of moves: steps of processes that read their neighbours.
    pub moves: u64,
    /// Number of completed calls (index: operation of the problem).
    pub returns: Vec<u64>,
    /// Number of notes of the application; they are not messages of the algorithm.
    pub notes: u64,
    /// Number of spontaneous wake-ups.
    pub wakeups: u64,
}

impl Metrics {
    pub fn new(kinds: usize, operations: usize) -> Metrics {
        Metrics {
            sent: vec![0; kinds],
            to_self: vec![0; kinds],
            bits: vec![0; kinds],
            returns: vec![0; operations],
            ..Metrics::default()
        }
    }

    /// Add the counts of another part of the same run.
    pub fn add(&mut self, other: &Metrics) {
        for (all, new) in [
            (&mut self.sent, &other.sent),
            (&mut self.to_self, &other.to_self),
            (&mut self.bits, &other.bits),
            (&mut self.returns, &other.returns),
        ] {
            all.iter_mut().zip(new).for_each(|(all, new)| *all += new);
        }
        self.time = self.time.max(other.time);
        self.notes += other.notes;
        self.wakeups += other.wakeups;
    }

    /// Copy the counts of the same program without allocation.
    pub(super) fn copy_from(&mut self, other: &Metrics) {
        self.sent.clone_from(&other.sent);
        self.to_self.clone_from(&other.to_self);
        self.bits.clone_from(&other.bits);
        self.time = other.time;
        self.returns.clone_from(&other.returns);
        self.rounds = other.rounds;
        self.own_rounds.clone_from(&other.own_rounds);
        self.notes = other.notes;
        self.wakeups = other.wakeups;
    }

    /// Record that a process has ended further rounds of a synchronizer.
    pub fn end_rounds(&mut self, process: ProcessId, more: u64) {
        let process = process.index();
        if self.own_rounds.len() <= process {
            self.own_rounds.resize(process + 1, 0);
        }
        self.own_rounds[process] += more;
        self.rounds = self.rounds.max(self.own_rounds[process]);
    }

    /// Return the total number of net messages.
    pub fn messages(&self) -> u64 {
        self.sent.iter().sum()
    }

    pub fn self_messages(&self) -> u64 {
        self.to_self.iter().sum()
    }

    pub fn total_bits(&self) -> u64 {
        self.bits.iter().sum()
    }

    /// Return the number of net messages of these kinds; None: of all.
    pub fn messages_of(&self, kinds: Option<&[u32]>) -> u64 {
        sum_of(&self.sent, kinds)
    }

    /// Return the number of messages of these kinds to the sender itself; None: of all.
    pub fn messages_to_self_of(&self, kinds: Option<&[u32]>) -> u64 {
        sum_of(&self.to_self, kinds)
    }

    /// Return the number of bits of the net messages of these kinds; None: of all.
    pub fn bits_of(&self, kinds: Option<&[u32]>) -> u64 {
        sum_of(&self.bits, kinds)
    }
}

fn sum_of(counts: &[u64], kinds: Option<&[u32]>) -> u64 {
    match kinds {
        None => counts.iter().sum(),
        Some(kinds) => kinds.iter().map(|k| counts[*k as usize]).sum(),
    }
}

/// Return the number of binary digits of the absolute value; 0 has one.
pub(super) fn digits(word: i64) -> u32 {
    64 - (word.unsigned_abs() | 1).leading_zeros()
}

/// Return ⌈log₂ x⌉ for x ≥ 1.
pub(super) fn log2_ceil(x: u64) -> u32 {
    if x <= 1 { 0 } else { 64 - (x - 1).leading_zeros() }
}
