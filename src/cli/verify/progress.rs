//! The progress line of a search, and the external reasons to stop it: time, memory, interrupts.

use super::SearchArgs;
use super::memory::Memory;
use super::units::line;
use crate::cli::interrupt;
use crate::cli::output::Output;
use crate::explore::{Progress, StopReason};
use crate::stop::StopSignal;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Interval between two updates of the progress line.
const BETWEEN: Duration = Duration::from_millis(200);
/// Time before the progress line appears.
pub const QUICK: Duration = Duration::from_millis(500);

/// The limits of a verification: time, memory, interrupts.
pub struct Limits {
    begun: Instant,
    /// Whether the time limit is reached.
    due: Arc<AtomicBool>,
    memory: Arc<Memory>,
}

impl Limits {
    /// Start the time limit.
    #[expect(clippy::disallowed_methods, reason = "limits of time are the business of the command line")]
    pub fn start(timeout: Option<Duration>, memory: Arc<Memory>) -> Limits {
        let limits = Limits { begun: Instant::now(), due: Arc::default(), memory };
        if let Some(timeout) = timeout {
            let due = limits.due.clone();
            std::thread::spawn(move || {
                std::thread::sleep(timeout);
                due.store(true, Ordering::Relaxed);
            });
        }
        limits
    }

    /// Return whether the time limit is reached.
    pub fn is_due(&self) -> bool {
        self.due.load(Ordering::Relaxed)
    }

    /// Return the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Return the signal that stops the work: a limit of time or memory is reached, or an interrupt has arrived. Installs no handler, so
    /// that Ctrl-C ends the command before its search.
    pub fn stop(&self) -> StopSignal {
        let (due, memory, interrupted) = (self.due.clone(), self.memory.clone(), interrupt::signal());
        StopSignal::when(move || due.load(Ordering::Relaxed) || memory.is_exceeded() || interrupted.is_set())
    }
}

/// A monitor of time, memory and interrupts, which also draws the progress line on stderr, if that is a terminal. Dropping it erases the
/// line.
pub struct ProgressDisplay<'c> {
    limits: &'c Limits,
    timeout: Option<Duration>,
    most_memory: usize,
    interrupt: &'static AtomicBool,
    shows: bool,
    /// Purpose of the search, written before the line.
    what: &'static str,
    begun: Duration,
    drawn: Option<Duration>,
}

impl<'c> ProgressDisplay<'c> {
    pub fn new(
        what: &'static str,
        limits: &'c Limits,
        course: &SearchArgs,
        out: &Output,
    ) -> ProgressDisplay<'c> {
        limits.memory.set_limit(course.most_memory());
        ProgressDisplay {
            limits,
            timeout: course.timeout,
            most_memory: course.most_memory(),
            interrupt: interrupt::flag(),
            shows: std::io::stderr().is_terminal() && !out.quiet,
            what,
            begun: limits.elapsed(),
            drawn: None,
        }
    }

    /// Return the reason to stop the search, if there is one, and update the progress line.
    pub fn at(&mut self, progress: &Progress) -> Option<StopReason> {
        let now = self.limits.elapsed();
        let progress = &Progress { bytes: self.limits.memory.resident().max(progress.bytes), ..*progress };
        let due = self.drawn.map_or(QUICK + self.begun, |drawn| drawn + BETWEEN);
        if self.shows && now > due {
            self.drawn = Some(now);
            let text = line(progress, (now - self.begun).as_secs_f64());
            // The text is cut to the width of the terminal: a second line could not be erased.
            let width =
                terminal_size::terminal_size_of(std::io::stderr()).map_or(usize::MAX, |(w, _)| w.0.into());
            let fits: String = self.what.chars().chain(text.chars()).take(width.saturating_sub(1)).collect();
            eprint!("\r\x1b[K{fits}");
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if self.timeout.is_some_and(|limit| now > limit) {
            return Some(StopReason::Time);
        }
        let is_too_much = self.limits.memory.is_exceeded() || progress.is_too_much(Some(self.most_memory));
        is_too_much.then_some(StopReason::Memory)
    }
}

impl Drop for ProgressDisplay<'_> {
    fn drop(&mut self) {
        self.limits.memory.set_limit(usize::MAX);
        if self.drawn.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
