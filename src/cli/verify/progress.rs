//! The line that shows how a search goes on, and the reasons to end it that come from outside.

use super::units::{Clock, line};
use super::{Course, memory};
use crate::cli::interrupt;
use crate::cli::output::Output;
use crate::explore::{Progress, StopReason};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the line is drawn anew.
const BETWEEN: Duration = Duration::from_millis(200);
/// What stays quicker than this shows none.
pub const QUICK: Duration = Duration::from_millis(500);

/// Is the time up?
static DUE: AtomicBool = AtomicBool::new(false);

/// From now on so much time is left.
pub fn allow(timeout: Option<Duration>) {
    if let Some(timeout) = timeout {
        std::thread::spawn(move || {
            std::thread::sleep(timeout);
            DUE.store(true, Ordering::Relaxed);
        });
    }
}

/// Is the time up, is there no memory left, or was there a Ctrl-C? What searches ask in the middle of what they do.
pub fn is_over() -> bool {
    DUE.load(Ordering::Relaxed) || memory::is_exceeded() || interrupt::flag().load(Ordering::Relaxed)
}

/// The same, for commands that do not wait for a Ctrl-C, which ends them at once.
pub fn is_unwanted() -> bool {
    DUE.load(Ordering::Relaxed) || interrupt::is_set()
}

/// Looks at the clock, at the memory and at Ctrl-C, and draws a line on the standard error, if that is a terminal, which it takes away when it
/// goes.
pub struct ProgressDisplay<'c> {
    clock: &'c Clock,
    timeout: Option<Duration>,
    most_memory: usize,
    interrupt: &'static AtomicBool,
    shows: bool,
    /// What the search is for, in front of the line.
    what: &'static str,
    begun: Duration,
    drawn: Option<Duration>,
}

impl<'c> ProgressDisplay<'c> {
    pub fn new(what: &'static str, clock: &'c Clock, course: &Course, out: &Output) -> ProgressDisplay<'c> {
        memory::allow(course.most_memory());
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

    /// Is there a reason to end the search?
    pub fn at(&mut self, progress: &Progress) -> Option<StopReason> {
        let now = self.clock.elapsed();
        let progress = &Progress { bytes: memory::resident().max(progress.bytes), ..*progress };
        let due = self.drawn.map_or(QUICK + self.begun, |drawn| drawn + BETWEEN);
        if self.shows && now > due {
            self.drawn = Some(now);
            let text = line(progress, (now - self.begun).as_secs_f64());
            // What goes on in the next line could not be taken back.
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
        memory::allow(usize::MAX);
        if self.drawn.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
