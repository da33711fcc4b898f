//! The threads of a search.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// The threads that help the main one.
#[derive(Clone, Debug)]
pub struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// Start `threads` threads in all, or as many as possible; fewer than two mean one.
    pub fn new(threads: usize) -> Threads {
        let pool = || ThreadPoolBuilder::new().num_threads(threads - 1).build().ok();
        Threads(if threads > 1 { pool().map(Arc::new) } else { None })
    }

    pub fn count(&self) -> usize {
        1 + self.0.as_ref().map_or(0, |pool| pool.current_num_threads())
    }

    /// Execute the work for all parts in parallel.
    pub fn each<P: Send>(&self, mut parts: impl Iterator<Item = P>, work: impl Fn(P) + Sync) {
        if self.0.is_none() {
            return parts.for_each(work);
        }
        if let Some(own) = parts.next() {
            self.beside(parts, &work, || work(own));
        }
    }

    /// Execute the work for all parts on other threads, if there are any, while this one executes `own`.
    pub fn beside<P: Send>(
        &self,
        parts: impl Iterator<Item = P>,
        work: impl Fn(P) + Sync,
        own: impl FnOnce(),
    ) {
        let Some(pool) = &self.0 else {
            own();
            return parts.for_each(work);
        };
        let work = &work;
        pool.in_place_scope(|scope| {
            parts.for_each(|part| scope.spawn(move |_| work(part)));
            own();
        });
    }
}
