//! Discrete time: the current instant, the windows in which messages may arrive, and the expiry of timers.
//!
//! Clock ticks are not events. Time passes before an event, by the amount that the event states. A configuration therefore
//! contains processes and messages as in other models, and only their ages in addition. Two configurations are equal if all
//! remaining times agree, whatever the current instant.

use crate::ids::{MessageId, ProcessId};
use crate::instance::Timing;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// Expiry of a timer that is not armed.
const NOT_ARMED: u64 = u64::MAX;

/// The first and the last instant at which a message may arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub first: u64,
    pub last: u64,
}

#[derive(Clone, Debug)]
pub struct Clock {
    now: u64,
    /// Whether time passes. Otherwise an armed timer may expire at any time.
    timed: bool,
    /// By number of the message. Only looked up, never iterated: the order of a hash map is not deterministic.
    windows: FxHashMap<MessageId, Window>,
    /// By process and timer: the instant of expiry.
    timers: Vec<u64>,
    stride: usize,
}

impl Clock {
    pub(super) fn new(timing: &Timing, processes: u32) -> Clock {
        Clock {
            now: 0,
            timed: timing.is_timed(),
            windows: FxHashMap::default(),
            timers: vec![NOT_ARMED; timing.timers * processes as usize],
            stride: timing.timers,
        }
    }

    /// Return the approximate number of heap bytes that the clock owns.
    pub(super) fn bytes(&self) -> usize {
        self.windows.capacity() * (size_of::<(MessageId, Window)>() + 1)
            + self.timers.capacity() * size_of::<u64>()
    }

    /// Return the current instant.
    #[inline]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Return whether time passes.
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    pub(in crate::semantics) fn set_now(&mut self, now: u64) {
        self.now = now;
    }

    /// Return the window in which a message may arrive. A message without a window may arrive at any time.
    pub fn window(&self, message: MessageId) -> Window {
        self.windows.get(&message).copied().unwrap_or(Window { first: 0, last: NOT_ARMED })
    }

    /// Return whether the message is in transit.
    pub fn is_in_transit(&self, message: MessageId) -> bool {
        self.windows.contains_key(&message)
    }

    pub(in crate::semantics) fn sent(&mut self, message: MessageId, window: Window) {
        self.windows.insert(message, window);
    }

    pub(in crate::semantics) fn taken(&mut self, message: MessageId) {
        self.windows.remove(&message);
    }

    pub(in crate::semantics) fn forget_messages(&mut self) {
        self.windows.clear();
    }

    /// Record a message that arrives within these times from now: see [`Clock::distance`].
    pub(in crate::semantics) fn arrives_within(&mut self, message: MessageId, (first, last): (u64, u64)) {
        let last = if last == NOT_ARMED { last } else { self.now.saturating_add(last) };
        self.sent(message, Window { first: self.now.saturating_add(first), last });
    }

    /// Return the remaining times until the window begins and ends. Past instants all count as 0, since they make no difference.
    pub(in crate::semantics) fn distance(&self, message: MessageId) -> (u64, u64) {
        let window = self.window(message);
        (window.first.saturating_sub(self.now), self.until(window.last))
    }

    fn until(&self, instant: u64) -> u64 {
        if instant == NOT_ARMED { NOT_ARMED } else { instant.saturating_sub(self.now) }
    }

    /// Return the expiry of each timer of a process; None: the timer is not armed.
    pub fn timers(&self, process: ProcessId) -> impl Iterator<Item = Option<u64>> + '_ {
        let start = process.index() * self.stride;
        self.timers[start..start + self.stride].iter().map(|at| (*at != NOT_ARMED).then_some(*at))
    }

    /// Return the remaining time of each timer of a process; 0 without a clock. None: the timer is not armed.
    pub(in crate::semantics) fn times_left(
        &self,
        process: ProcessId,
    ) -> impl Iterator<Item = Option<u64>> + '_ {
        self.timers(process).map(|at| at.map(|at| self.until(at)))
    }

    /// Return whether the timer is armed and will have expired after the given time.
    #[inline]
    pub(in crate::semantics) fn has_run_out(&self, process: ProcessId, timer: u16, later: u64) -> bool {
        let at = self.timers[process.index() * self.stride + timer as usize];
        at != NOT_ARMED && (!self.timed || at <= self.now.saturating_add(later))
    }

    /// Arm or disarm a timer.
    pub(in crate::semantics) fn set_timer(&mut self, process: ProcessId, timer: u16, after: Option<u64>) {
        let at = match after {
            Some(after) if self.timed => self.now.saturating_add(after).min(NOT_ARMED - 1),
            Some(_) => 0,
            None => NOT_ARMED,
        };
        self.timers[process.index() * self.stride + timer as usize] = at;
    }

    pub(in crate::semantics) fn disarm_all(&mut self, process: ProcessId) {
        let start = process.index() * self.stride;
        self.timers[start..start + self.stride].fill(NOT_ARMED);
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Clock) -> bool {
        self.timers.len() == other.timers.len()
            && self.timers.iter().zip(&other.timers).all(|(a, b)| self.until(*a) == other.until(*b))
    }
}

impl Eq for Clock {}

impl Hash for Clock {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for at in &self.timers {
            self.until(*at).hash(state);
        }
    }
}
