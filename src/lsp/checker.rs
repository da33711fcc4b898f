//! `check` on a thread of its own: diagnostics are published when they are ready, and no request blocks on it.

use super::Event;
use super::documents::ProjectContext;
use crate::check::{Checked, Types, check_parsed};
use crate::syntax::Parsed;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// A text to be checked.
pub struct CheckJob {
    pub uri: String,
    /// Returned with the result.
    pub number: u64,
    pub name: String,
    pub read: Arc<Parsed>,
    pub around: ProjectContext,
}

/// The result of a check; `None` if `check` panicked, which has been logged.
pub struct CheckResult {
    pub uri: String,
    pub number: u64,
    pub checked: Option<(Checked, Types)>,
}

/// The handle of the thread, which ends when the handle is dropped.
pub struct CheckerHandle {
    jobs: Sender<CheckJob>,
}

impl CheckerHandle {
    /// Start the thread.
    ///
    /// # Errors
    /// If no more threads can be started.
    pub fn start(thread: Builder, events: Sender<Event>) -> std::io::Result<CheckerHandle> {
        let (jobs, waiting) = channel();
        thread.spawn(move || work(&waiting, &events))?;
        Ok(CheckerHandle { jobs })
    }

    pub fn add(&self, job: CheckJob) {
        // If the thread has ended, there are no diagnostics; everything else works.
        let _ = self.jobs.send(job);
    }
}

fn work(waiting: &Receiver<CheckJob>, events: &Sender<Event>) {
    let mut jobs: BTreeMap<String, CheckJob> = BTreeMap::new();
    loop {
        if jobs.is_empty() {
            let Ok(job) = waiting.recv() else { return };
            jobs.insert(job.uri.clone(), job);
        }
        // Check only the newest version of each text.
        jobs.extend(waiting.try_iter().map(|job| (job.uri.clone(), job)));
        // The text typed last is the one that the user sees.
        let newest = jobs.values().max_by_key(|job| job.number).map(|job| job.uri.clone());
        let Some(job) = newest.and_then(|uri| jobs.remove(&uri)) else { continue };
        let check = || check_parsed(&job.name, job.read.clone(), &|name| job.around.find(name));
        let checked = catch_unwind(AssertUnwindSafe(check)).ok();
        // Drop it before the result is sent: the reader of the next version takes over the trees of this one.
        drop(job.read);
        let found = CheckResult { uri: job.uri, number: job.number, checked };
        if events.send(Event::Checked(Box::new(found))).is_err() {
            return;
        }
    }
}
