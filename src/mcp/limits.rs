//! The limits of a call: its time, the memory of the process, and cancellation.

use crate::stop::StopSignal;
use crate::workbench::limits::{Limit, limit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Seconds that a call may take.
pub const SECONDS: Limit = limit("seconds", 30, 300);

/// Events of a run that are listed.
pub const EVENTS: Limit = limit("events", 40, 1_000);

/// Time for the report of a call that has reached a limit.
const GRACE: Duration = Duration::from_secs(5);

/// Time for all calls after the end of the input.
const AFTER_END: Duration = Duration::from_secs(30);

/// The memory limit of the process, which only the command line can observe.
pub struct MemoryLimit {
    is_exceeded: Box<dyn Fn() -> bool + Send + Sync>,
    reset: Box<dyn Fn() + Send + Sync>,
}

impl MemoryLimit {
    /// Create a limit. `is_exceeded` is asked often, and remains true until `reset`.
    pub fn new(
        is_exceeded: impl Fn() -> bool + Send + Sync + 'static,
        reset: impl Fn() + Send + Sync + 'static,
    ) -> MemoryLimit {
        MemoryLimit { is_exceeded: Box::new(is_exceeded), reset: Box::new(reset) }
    }
}

impl Default for MemoryLimit {
    fn default() -> MemoryLimit {
        MemoryLimit::new(|| false, || ())
    }
}

/// The reason why a call ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    Cancelled = 1,
    Time,
    Memory,
}

/// The limits of the call that is being answered.
pub struct CallLimits {
    memory: MemoryLimit,
    start: Instant,
    /// The end of the call, in milliseconds from the start.
    deadline: AtomicU64,
    /// The end of all calls, likewise.
    end: AtomicU64,
    /// The limit reached, as a [`Reached`]; 0: none.
    reached: AtomicU8,
    /// Whether the call has reached a limit and is being reported.
    reporting: AtomicU8,
}

impl CallLimits {
    pub fn new(memory: MemoryLimit) -> CallLimits {
        CallLimits {
            memory,
            start: Instant::now(),
            deadline: AtomicU64::new(u64::MAX),
            end: AtomicU64::new(u64::MAX),
            reached: AtomicU8::new(0),
            reporting: AtomicU8::new(0),
        }
    }

    /// Return the signal that a limit of the present call has been reached.
    pub fn signal(self: &Arc<Self>) -> StopSignal {
        let limits = self.clone();
        StopSignal::when(move || limits.is_reached())
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Begin a call.
    pub fn begin(&self, seconds: u64) {
        (self.memory.reset)();
        self.deadline.store(self.now() + seconds * 1000, Ordering::Relaxed);
        self.reporting.store(0, Ordering::Relaxed);
        self.reached.store(0, Ordering::Relaxed);
    }

    /// End the present call early.
    pub fn cancel(&self) {
        self.reached.store(Reached::Cancelled as u8, Ordering::Relaxed);
    }

    /// Limit the time of all calls, as the input has ended.
    pub fn end(&self) {
        self.end.store(self.now() + AFTER_END.as_millis() as u64, Ordering::Relaxed);
    }

    /// Let a call that has reached a limit report what is known. A cancelled call has no report.
    pub fn report(&self) {
        if matches!(self.reached(), Some(Reached::Time | Reached::Memory)) {
            self.deadline.store(self.now() + GRACE.as_millis() as u64, Ordering::Relaxed);
            self.reporting.store(1, Ordering::Relaxed);
        }
    }

    /// Return the limit that the present call has reached.
    pub fn reached(&self) -> Option<Reached> {
        [Reached::Cancelled, Reached::Time, Reached::Memory]
            .into_iter()
            .find(|reached| *reached as u8 == self.reached.load(Ordering::Relaxed))
    }

    fn is_reached(&self) -> bool {
        let is_reporting = self.reporting.load(Ordering::Relaxed) != 0;
        let reached = self.reached.load(Ordering::Relaxed);
        if reached == Reached::Cancelled as u8 || (reached != 0 && !is_reporting) {
            return true;
        }
        let deadline = self.deadline.load(Ordering::Relaxed).min(self.end.load(Ordering::Relaxed));
        let found = if self.now() >= deadline {
            Reached::Time
        } else if !is_reporting && (self.memory.is_exceeded)() {
            Reached::Memory
        } else {
            return false;
        };
        // The first limit is the one that is reported, unless the call has been cancelled.
        let _ = self.reached.compare_exchange(0, found as u8, Ordering::Relaxed, Ordering::Relaxed);
        true
    }
}
