//! Discrete time: which instant it is, when the messages under way may arrive, and when timers run out.
//!
//! Nothing happens at a tick of a clock. Time passes before an event, as much as the event says; so a configuration
//! is one of processes and messages, as everywhere else, and only ages are added to it. Two configurations are
//! equal when everything in them is as far away, whatever the time is.

use crate::instance::Timing;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// A timer that is not armed.
const NEVER: u64 = u64::MAX;

/// The first and the last instant at which a message may arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub first: u64,
    pub last: u64,
}

#[derive(Clone, Debug)]
pub struct Clock {
    now: u64,
    /// Does time pass? Else an armed timer may run out at any moment.
    timed: bool,
    /// By number of the message. Looked up, never gone through.
    windows: FxHashMap<u32, Window>,
    /// When each timer of each process runs out.
    timers: Vec<u64>,
    stride: usize,
}

impl Clock {
    pub(super) fn new(timing: &Timing, processes: u32) -> Clock {
        Clock {
            now: 0,
            timed: timing.is_timed(),
            windows: FxHashMap::default(),
            timers: vec![NEVER; timing.timers * processes as usize],
            stride: timing.timers,
        }
    }

    /// Bytes it holds outside of itself, about.
    pub(super) fn bytes(&self) -> usize {
        self.windows.capacity() * (size_of::<(u32, Window)>() + 1) + self.timers.capacity() * size_of::<u64>()
    }

    /// The present instant.
    #[inline]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Does time pass?
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    pub(in crate::semantics) fn set_now(&mut self, now: u64) {
        self.now = now;
    }

    /// When a message may arrive. One without a window may do so at any time.
    pub fn window(&self, message: u32) -> Window {
        self.windows.get(&message).copied().unwrap_or(Window { first: 0, last: NEVER })
    }

    /// Has the message been sent, and not been taken or lost?
    pub fn is_under_way(&self, message: u32) -> bool {
        self.windows.contains_key(&message)
    }

    pub(in crate::semantics) fn sent(&mut self, message: u32, window: Window) {
        self.windows.insert(message, window);
    }

    pub(in crate::semantics) fn taken(&mut self, message: u32) {
        self.windows.remove(&message);
    }

    /// How far the window is away: what has come is as good as what came before.
    pub(in crate::semantics) fn distance(&self, message: u32) -> (u64, u64) {
        let window = self.window(message);
        (window.first.saturating_sub(self.now), self.until(window.last))
    }

    fn until(&self, instant: u64) -> u64 {
        if instant == NEVER { NEVER } else { instant.saturating_sub(self.now) }
    }

    /// The timers of a process: when each runs out; None: it is not armed.
    pub fn timers(&self, process: u32) -> impl Iterator<Item = Option<u64>> + '_ {
        let start = process as usize * self.stride;
        self.timers[start..start + self.stride].iter().map(|at| (*at != NEVER).then_some(*at))
    }

    /// Is the timer armed, and has it run out, so much later?
    #[inline]
    pub(in crate::semantics) fn has_run_out(&self, process: u32, timer: u16, later: u64) -> bool {
        let at = self.timers[process as usize * self.stride + timer as usize];
        at != NEVER && (!self.timed || at <= self.now.saturating_add(later))
    }

    /// Arms a timer, or disarms it.
    pub(in crate::semantics) fn set_timer(&mut self, process: u32, timer: u16, after: Option<u64>) {
        let at = match after {
            Some(after) if self.timed => self.now.saturating_add(after).min(NEVER - 1),
            Some(_) => 0,
            None => NEVER,
        };
        self.timers[process as usize * self.stride + timer as usize] = at;
    }

    pub(in crate::semantics) fn disarm_all(&mut self, process: u32) {
        let start = process as usize * self.stride;
        self.timers[start..start + self.stride].fill(NEVER);
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
