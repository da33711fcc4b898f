//! The progress bar of long measurements, on the terminal.

use crate::cli::output::Output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time before the bar appears.
const PATIENCE: Duration = Duration::from_millis(1200);
/// Interval between two updates of the bar.
const TICK: Duration = Duration::from_millis(120);

/// A progress bar on stderr, if that is a terminal. It appears after a while, and is erased at the end.
pub(super) struct Progress {
    bar: ProgressBar,
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub(super) fn new(runs: u64, out: &Output) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(runs), ProgressDrawTarget::hidden());
        let shape = if out.look.ascii {
            ("=> ", "{prefix} [{bar:30}] {pos} of {len} runs, {eta} left  {msg}")
        } else {
            ("━╸ ", "{prefix} {bar:30} {pos} of {len} runs, {eta} left  {msg}")
        };
        if let Ok(style) = ProgressStyle::with_template(shape.1) {
            bar.set_style(style.progress_chars(shape.0));
        }
        bar.set_prefix("measuring");
        if out.quiet {
            return Progress { bar, waiter: None };
        }
        let (sender, stop): (Sender<()>, Receiver<()>) = channel();
        let shown = bar.clone();
        let waiter = thread::spawn(move || {
            if stop.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Progress { bar, waiter: Some((sender, waiter)) }
    }

    /// Count a completed run on a network of n processes.
    pub(super) fn step(&self, n: u32) {
        self.bar.inc(1);
        self.bar.set_message(format!("n = {n}"));
    }

    pub(super) fn finish(mut self) {
        if let Some((sender, waiter)) = self.waiter.take() {
            drop(sender);
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
