//! The progress line of a search, and the external reasons to stop it: time, memory, interrupts.

use super::units::{Clock, line};
use super::{SearchArgs, memory};
use crate::cli::interrupt;
use crate::cli::output::Output;
use crate::explore::{Progress, StopReason};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Interval between two updates of the progress line.
const BETWEEN: Duration = Duration::from_millis(200);
/// Time before the progress line appears.
pub const QUICK: Duration = Duration::from_millis(500);

/// Whether the time limit is reached.
static DUE: AtomicBool = AtomicBool::new(false);

/// Start the time limit.
pub fn start_timeout(timeout: Option<Duration>) {
    if let Some(timeout) = timeout {
        std::thread::spawn(move || {
            std::thread::sleep(timeout);
            DUE.store(true, Ordering::Relaxed);
        });
    }
}

/// Whether a limit of time or memory is reached, or an interrupt has arrived. Searches poll this function.
pub fn should_stop() -> bool {
    DUE.load(Ordering::Relaxed) || memory::is_exceeded() || interrupt::flag().load(Ordering::Relaxed)
}

/// Whether the time limit is reached or an interrupt has arrived. Installs no handler, so that Ctrl-C still ends commands that do not
/// handle it.
pub fn is_interrupted() -> bool {
    DUE.load(Ordering::Relaxed) || interrupt::is_set()
}

/// A monitor of time, memory and interrupts, which also draws the progress line on stderr, if that is a terminal. Dropping it erases the
/// line.
pub struct ProgressDisplay<'c> {
    clock: &'c Clock,
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
        clock: &'c Clock,
        course: &SearchArgs,
        out: &Output,
    ) -> ProgressDisplay<'c> {
        memory::set_limit(course.most_memory());
        ProgressDisplay {
            clock,
            timeout: course.timeout,
            most_memory: course.most_memory(),
            interrupt: interrupt::flag(),
            shows: std::io::stderr().is_terminal() && !out.quiet,
            what,
            begun: clock.elapsed(),
            drawn: None,
        }
    }

    /// Return the reason to stop the search, if there is one, and update the progress line.
    pub fn at(&mut self, progress: &Progress) -> Option<StopReason> {
        let now = self.clock.elapsed();
        let progress = &Progress { bytes: memory::resident().max(progress.bytes), ..*progress };
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
        let is_too_much = memory::is_exceeded() || progress.is_too_much(Some(self.most_memory));
        is_too_much.then_some(StopReason::Memory)
    }
}

impl Drop for ProgressDisplay<'_> {
    fn drop(&mut self) {
        memory::set_limit(usize::MAX);
        if self.drawn.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
