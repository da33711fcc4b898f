//! The signal that ends long work early.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// Number of steps of a run between two polls of its stop signal.
pub const STEPS_BETWEEN_POLLS: u64 = 4096;

/// Whether to stop. Searches, runs and evaluations poll it, in every thread; the default is never. Clones ask the same question.
#[derive(Clone, Default)]
pub struct StopSignal(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopSignal {
    pub const NEVER: StopSignal = StopSignal(None);

    /// Stop as soon as `is_set` returns true. It is called often, and should then remain true.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use synod::internals::stop::StopSignal;
    ///
    /// let cancelled = Arc::new(AtomicBool::new(false));
    /// let signal = StopSignal::when({
    ///     let cancelled = cancelled.clone();
    ///     move || cancelled.load(Ordering::Relaxed)
    /// });
    /// assert!(!signal.is_set());
    /// cancelled.store(true, Ordering::Relaxed);
    /// assert!(signal.is_set());
    /// ```
    pub fn when(is_set: impl Fn() -> bool + Send + Sync + 'static) -> StopSignal {
        StopSignal(Some(Arc::new(is_set)))
    }

    /// Return whether to stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|is_set| is_set())
    }
}

// A panic leaves a signal as it was.
impl UnwindSafe for StopSignal {}
impl RefUnwindSafe for StopSignal {}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "StopSignal::when(…)" } else { "StopSignal::default()" })
    }
}
