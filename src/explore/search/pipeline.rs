//! A pipeline for the parts of a batch, without a barrier between threads.
//!
//! For each part, some thread computes the successors; then each shard inserts its own; then the main thread merges what is
//! new. Each stage processes the parts in their order, whichever thread executes it, so the result does not depend on the
//! threads.

use crate::explore::search::expansion::{Batch, Shared, expand_part};
use crate::explore::search::insertion::{Reached, put_own};
use crate::explore::search::threads::Threads;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::worker::Worker;
use crate::explore::store::frontier::Part;
use std::collections::VecDeque;
use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Number of batches for each thread: one for each part in the pipeline at the same time.
pub const UNDER_WAY: usize = 4;

/// An idle worker spins this many times before blocking; waking up costs more than most waits.
const PATIENCE: usize = 1 << 10;

/// Receives the results of a part: its batch, and what became of its candidates, by shard. Returns whether to continue.
pub type Taken<'t> = &'t mut dyn FnMut(&mut Batch, Vec<Vec<Reached>>) -> bool;

/// The resources that the pipeline borrows and returns.
pub struct Stock<'a> {
    pub workers: Vec<Worker<'a>>,
    pub shards: Vec<VisitedShard>,
    pub batches: Vec<Batch>,
}

/// A batch in the pipeline.
struct Pipeline<'l> {
    parts: Vec<Part<'l>>,
    shared: Shared<'l>,
    /// Limit of candidates to be inserted, assuming that all are new.
    room: u64,
    /// Whether the results include candidates that are not new.
    all: bool,
    state: Mutex<State>,
    changed: Condvar,
    /// Number of changes so far.
    changes: AtomicUsize,
}

struct State {
    /// Number of parts whose expansion has begun.
    begun: usize,
    /// Number of parts whose successors may be inserted: there is room for all of them.
    admitted: usize,
    /// Number of candidates of these.
    candidates: u64,
    /// Number of parts that have left the pipeline, and so the number of the first part in it.
    left: usize,
    under_way: VecDeque<UnderWay>,
    lanes: Vec<Lane>,
    spare: Vec<Batch>,
    /// No more parts are begun or admitted: no room, no time, or a panic.
    is_over: bool,
    /// Number of blocked threads.
    idle: usize,
}

/// A part in the pipeline.
struct UnderWay {
    /// The thread that computes the successors: it has them in its cache.
    finder: usize,
    found: Option<Arc<Batch>>,
    /// By shard.
    reached: Vec<Vec<Reached>>,
    /// Number of shards that have not inserted their candidates.
    missing: usize,
}

/// A shard, unless some thread holds it, and the number of its next part.
struct Lane {
    shard: Option<VisitedShard>,
    next: usize,
}

/// The next job of a thread.
enum Job {
    Find(usize, Batch),
    Put(usize, usize, VisitedShard, Arc<Batch>),
    Take(Batch, Vec<Vec<Reached>>),
    Leave,
}

/// Run these parts through the pipeline. Return the number of parts completed: not all if there is no room for more candidates,
/// or if `taken` returns false.
pub fn run<'l>(
    threads: &Threads,
    stock: &mut Stock<'_>,
    parts: Vec<Part<'l>>,
    shared: Shared<'l>,
    (room, all): (u64, bool),
    taken: Taken<'_>,
) -> usize {
    let lane = |shard| Lane { shard: Some(shard), next: 0 };
    let line = Pipeline {
        parts,
        shared,
        room,
        all,
        state: Mutex::new(State {
            begun: 0,
            admitted: 0,
            candidates: 0,
            left: 0,
            under_way: VecDeque::new(),
            lanes: std::mem::take(&mut stock.shards).into_iter().map(lane).collect(),
            spare: std::mem::take(&mut stock.batches),
            is_over: false,
            idle: 0,
        }),
        changed: Condvar::new(),
        changes: AtomicUsize::new(0),
    };
    let mut workers = stock.workers.iter_mut().enumerate();
    if let Some((_, first)) = workers.next() {
        let help = |(number, worker): (usize, &mut Worker<'_>)| line.work(worker, number, None);
        threads.beside(workers, help, || line.work(first, 0, Some(taken)));
    }
    let state = line.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    stock.shards = state.lanes.into_iter().filter_map(|lane| lane.shard).collect();
    stock.batches = state.spare;
    stock.batches.extend(state.under_way.into_iter().filter_map(|part| Arc::into_inner(part.found?)));
    state.left
}

impl Pipeline<'_> {
    /// Execute jobs until none remains. `own`: number of the thread; `taken`: only the main thread merges results.
    fn work(&self, worker: &mut Worker<'_>, own: usize, mut taken: Option<Taken<'_>>) {
        let _leaving = Leaving(self);
        loop {
            match self.next(own, taken.is_some()) {
                Job::Find(number, mut batch) => {
                    expand_part(worker, &mut batch, &self.shared, self.parts[number]);
                    // A batch found after the stop is incomplete.
                    let is_all = !worker.is_stopped();
                    self.change(|state| match is_all {
                        true => state.part(number).found = Some(Arc::new(batch)),
                        false => state.is_over = true,
                    });
                }
                Job::Put(number, lane, mut shard, batch) => {
                    let reached = put_own(&mut shard, &batch, (lane, self.shared.count), self.all);
                    drop(batch);
                    self.change(|state| {
                        state.lanes[lane] = Lane { shard: Some(shard), next: number + 1 };
                        let part = state.part(number);
                        part.reached[lane] = reached;
                        part.missing -= 1;
                    });
                }
                Job::Take(mut batch, reached) => {
                    let goes_on = taken.as_mut().is_some_and(|taken| taken(&mut batch, reached));
                    self.change(|state| {
                        state.spare.push(batch);
                        state.is_over |= !goes_on;
                    });
                }
                Job::Leave => return,
            }
        }
    }

    /// Return the next job; wait until there is one.
    fn next(&self, own: usize, takes: bool) -> Job {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.next(self, own, takes) {
                // A part that leaves makes room for another one.
                if matches!(job, Job::Take(..)) {
                    self.tell(&state);
                }
                return job;
            }
            let seen = self.changes.load(Ordering::Relaxed);
            drop(state);
            let changes_soon = (0..PATIENCE).any(|_| {
                hint::spin_loop();
                self.changes.load(Ordering::Relaxed) != seen
            });
            state = self.lock();
            if !changes_soon && self.changes.load(Ordering::Relaxed) == seen {
                state.idle += 1;
                state = self.changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
                state.idle -= 1;
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        self.tell(&state);
    }

    /// Wake the waiting threads after a change.
    fn tell(&self, state: &State) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        if state.idle > 0 {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl State {
    fn part(&mut self, number: usize) -> &mut UnderWay {
        &mut self.under_way[number - self.left]
    }

    /// Return `None` if there is no job at the moment.
    fn next(&mut self, line: &Pipeline<'_>, own: usize, takes: bool) -> Option<Job> {
        self.admit(line.room);
        if takes {
            let is_done = self.under_way.front().is_some_and(|part| part.missing == 0);
            let done = if is_done { self.under_way.pop_front() } else { None };
            if let Some(UnderWay { found: Some(batch), reached, .. }) = done
                && let Some(batch) = Arc::into_inner(batch)
            {
                self.left += 1;
                return Some(Job::Take(batch, reached));
            }
        }
        // Insert as soon as possible, since a backlog at the end would leave threads idle. Prefer the thread's own results,
        // which are in its cache.
        self.put_some(|part| part.finder == own)
            .or_else(|| self.put_some(|_| true))
            .or_else(|| self.find(line, own))
            .or_else(|| {
                let nothing_comes =
                    self.left == line.parts.len() || (self.is_over && self.left == self.admitted);
                nothing_comes.then_some(Job::Leave)
            })
    }

    /// Admit computed parts while there is room.
    fn admit(&mut self, room: u64) {
        while !self.is_over
            && let Some(UnderWay { found: Some(batch), .. }) = self.under_way.get(self.admitted - self.left)
        {
            let candidates = self.candidates + batch.successors.candidates.len() as u64;
            if candidates > room {
                self.is_over = true;
                return;
            }
            (self.admitted, self.candidates) = (self.admitted + 1, candidates);
        }
    }

    /// Return the next wanted insertion into any available shard.
    fn put_some(&mut self, wanted: impl Fn(&UnderWay) -> bool) -> Option<Job> {
        (0..self.lanes.len()).find_map(|lane| self.put(lane, &wanted))
    }

    /// Return the next insertion into a shard, if the shard is available and the part is wanted.
    fn put(&mut self, lane: usize, wanted: impl Fn(&UnderWay) -> bool) -> Option<Job> {
        let number = self.lanes[lane].next;
        if number >= self.admitted || !wanted(self.part(number)) {
            return None;
        }
        let batch = self.part(number).found.clone()?;
        let shard = self.lanes[lane].shard.take()?;
        Some(Job::Put(number, lane, shard, batch))
    }

    /// Return the next part that has not been expanded.
    fn find(&mut self, line: &Pipeline<'_>, own: usize) -> Option<Job> {
        let number = self.begun;
        if self.is_over || number == line.parts.len() {
            return None;
        }
        let batch = self.spare.pop()?;
        self.begun += 1;
        let shards = self.lanes.len();
        self.under_way.push_back(UnderWay {
            finder: own,
            found: None,
            reached: vec![Vec::new(); shards],
            missing: shards,
        });
        Some(Job::Find(number, batch))
    }
}

/// Prevents other threads from waiting for one that panicked.
struct Leaving<'l>(&'l Pipeline<'l>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.change(|state| {
            if std::thread::panicking() {
                (state.is_over, state.admitted) = (true, state.left);
            }
        });
    }
}
