//! Several threads on one chunk, none of which waits for all others: its parts go down a line.
//!
//! Of every part, first some thread finds the successors; then every shard takes those that belong to it; and then whoever searches
//! takes over what is new. Each of these goes through the parts in their order, whichever threads do it, so that what comes out does
//! not depend on them.

use super::batch::{Reached, Threads, put_own};
use super::violations::{Batch, Shared, expand_part};
use crate::explore::space::frontier::Part;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::worker::Worker;
use std::collections::VecDeque;
use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// So many batches are of use to each thread: one for each part that is on the line at the same time.
pub const UNDER_WAY: usize = 4;

/// Who has nothing to do looks so often whether something has changed before it goes to sleep: to wake up takes longer than most of what is
/// waited for.
const PATIENCE: usize = 1 << 10;

/// What comes off the line: what has been found of a part, and what has become of its candidates, by shard.
pub type Taken<'t> = &'t mut dyn FnMut(&mut Batch, Vec<Vec<Reached>>) -> bool;

/// What the line needs, and what it leaves behind.
pub struct Stock<'a> {
    pub workers: Vec<Worker<'a>>,
    pub shards: Vec<VisitedShard>,
    pub batches: Vec<Batch>,
}

/// A chunk on its way.
struct Pipeline<'l> {
    parts: Vec<Part<'l>>,
    shared: Shared<'l>,
    /// So many candidates may be put into the set, should all of them be new.
    room: u64,
    /// Is what has become of a candidate of interest even if it is not new?
    all: bool,
    state: Mutex<State>,
    changed: Condvar,
    /// How often something has changed.
    changes: AtomicUsize,
}

struct State {
    /// Parts of which some thread finds the successors, or has found them.
    begun: usize,
    /// Parts of which the successors may be put into the set: there is room for all of them.
    admitted: usize,
    /// Candidates of these.
    candidates: u64,
    /// Parts that have left the line. The first of those under way comes next.
    left: usize,
    under_way: VecDeque<UnderWay>,
    lanes: Vec<Lane>,
    spare: Vec<Batch>,
    /// Nothing more is begun or admitted: there is no room, or no time, or something has gone wrong.
    is_over: bool,
    /// Threads that wait.
    idle: usize,
}

/// A part on the line.
struct UnderWay {
    /// Number of the thread that finds the successors: it has them at hand afterwards.
    finder: usize,
    found: Option<Arc<Batch>>,
    /// By shard.
    reached: Vec<Vec<Reached>>,
    /// Shards that have not taken theirs.
    missing: usize,
}

/// A shard, at home or in the hands of some thread, and the part that it takes next.
struct Lane {
    shard: Option<VisitedShard>,
    next: usize,
}

/// What a thread does next.
enum Job {
    Find(usize, Batch),
    Put(usize, usize, VisitedShard, Arc<Batch>),
    Take(Batch, Vec<Vec<Reached>>),
    Leave,
}

/// Sends these parts down the line, and answers how many of them have come off it: not all where there is no room for so many
/// candidates, or where `taken` says that it is over.
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
    /// Does what is to be done, until all is. `own`: number of the thread; `taken`: it takes what comes off the line.
    fn work(&self, worker: &mut Worker<'_>, own: usize, mut taken: Option<Taken<'_>>) {
        let _leaving = Leaving(self);
        loop {
            match self.next(own, taken.is_some()) {
                Job::Find(number, mut batch) => {
                    expand_part(worker, &mut batch, &self.shared, self.parts[number]);
                    // What has been found when it was time to stop is not all.
                    let is_all = !worker.is_stopped();
                    self.change(|state| match is_all {
                        true => state.part(number).found = Some(Arc::new(batch)),
                        false => state.is_over = true,
                    });
                }
                Job::Put(number, lane, mut shard, batch) => {
                    let count = self.shared.count as u32;
                    let mut reached = put_own(&mut shard, &batch, lane, self.all);
                    let state_of = |index: u32| index * count + lane as u32;
                    reached.iter_mut().for_each(|reached| reached.state = state_of(reached.state));
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

    /// What to do next; waits until there is something.
    fn next(&self, own: usize, takes: bool) -> Job {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.next(self, own, takes) {
                // What leaves the line makes room for another part.
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

    /// Something has changed: whoever waits looks again what to do.
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

    /// None: nothing can be done at the moment.
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
        // What has been found goes into the set as soon as may be: where it piles up, nobody has anything else to do at the end. What a
        // thread has just found is near to it.
        self.put_some(|part| part.finder == own)
            .or_else(|| self.put_some(|_| true))
            .or_else(|| self.find(line, own))
            .or_else(|| {
                let nothing_comes =
                    self.left == line.parts.len() || (self.is_over && self.left == self.admitted);
                nothing_comes.then_some(Job::Leave)
            })
    }

    /// Lets in what has been found, as long as there is room.
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

    /// The next part of some shard that is at home, if this is true of it.
    fn put_some(&mut self, wanted: impl Fn(&UnderWay) -> bool) -> Option<Job> {
        (0..self.lanes.len()).find_map(|lane| self.put(lane, &wanted))
    }

    /// The next part of a shard, if it is at home and this is true of the part.
    fn put(&mut self, lane: usize, wanted: impl Fn(&UnderWay) -> bool) -> Option<Job> {
        let number = self.lanes[lane].next;
        if number >= self.admitted || !wanted(self.part(number)) {
            return None;
        }
        let batch = self.part(number).found.clone()?;
        let shard = self.lanes[lane].shard.take()?;
        Some(Job::Put(number, lane, shard, batch))
    }

    /// The next part of which nobody has found the successors.
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

/// When a thread leaves since something went wrong in it, nobody may wait for it.
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
