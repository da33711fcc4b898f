//! A chunk of what waits: threads find the successors of its parts, and then each puts those of its shard into the set.

use super::findings::{Batch, Shared, Waiting, expand_part};
use super::search::Search;
use super::space::Successors;
use super::store::Shard;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;

/// So many candidates are looked for at the same time.
const TOGETHER: usize = 32;

/// Of fewer no thread takes a share.
const LEAST: usize = 64;

/// What has become of a candidate: the number of its configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub candidate: u32,
    pub state: u32,
    pub is_new: bool,
}

impl Search<'_> {
    /// First part: every thread its share. Answers how many batches have been used.
    pub fn expand(&mut self, chunk: &[Waiting]) -> usize {
        let reduce = self.reduces();
        let Search { workers, batches, shards, judge, options, truth, known, threads, .. } = self;
        let max_depth = options.max_depth;
        let shared = Shared { judge, shards, truth, known, max_depth, reduce };
        let shares = if chunk.len() < LEAST { 1 } else { workers.len() };
        let share = chunk.len().div_ceil(shares).max(1);
        let parts = workers.iter_mut().zip(batches.iter_mut()).zip(chunk.chunks(share));
        threads.each(parts, |((worker, batch), part)| expand_part(worker, batch, &shared, part));
        chunk.len().div_ceil(share)
    }

    /// The second part one after the other, up to so many new ones: what comes behind the first for which there is no room is
    /// left out.
    pub fn insert_within(&mut self, used: usize, room: u64) -> Vec<Vec<Reached>> {
        let Search { batches, shards, is_full, .. } = self;
        let count = shards.len();
        let mut left = room;
        let mut key = Vec::new();
        let of_batch = |batch: &Batch| {
            let Successors { candidates, keys } = &batch.successors;
            let mut reached = Vec::new();
            for (place, candidate) in candidates.iter().enumerate() {
                if *is_full {
                    break;
                }
                keys.get(place, &mut key);
                let number = shard_of(candidate.hash, count);
                let parent = batch.parents[place].0;
                match shards[number].insert_if(left > 0, candidate.hash, &key, parent) {
                    Some((index, is_new)) => {
                        left -= u64::from(is_new);
                        let state = index * count as u32 + number as u32;
                        reached.push(Reached { candidate: place as u32, state, is_new });
                    }
                    None => *is_full = true,
                }
            }
            reached
        };
        batches[..used].iter().map(of_batch).collect()
    }

    /// Second part: every shard takes what belongs to it, in the order of the batches, of which the first `used` count.
    /// Gives for each what has become of its candidates: of those that are new, or of all where a property looks at every step.
    pub fn insert(&mut self, used: usize) -> Vec<Vec<Reached>> {
        let Search { batches, shards, threads, graph, judge, .. } = self;
        let batches = &batches[..used];
        let all = graph.is_some() || judge.places() > 0;
        if let [shard] = shards.as_mut_slice() {
            let put = |batch: &Batch| {
                let count = batch.successors.candidates.len();
                put(shard, batch, count, |number| number as u32, all)
            };
            return batches.iter().map(put).collect();
        }
        let count = shards.len() as u32;
        let mut by_shard = vec![Vec::new(); shards.len()];
        let parts = (0..count).zip(shards.iter_mut().zip(&mut by_shard));
        let work = |(number, (shard, reached)): (u32, (&mut Shard, &mut Vec<_>))| {
            for batch in batches {
                let own = &batch.by_shard[number as usize];
                let mut of_batch = put(shard, batch, own.len(), |number| own[number], all);
                of_batch.iter_mut().for_each(|reached| reached.state = reached.state * count + number);
                reached.push(of_batch);
            }
        };
        if batches.iter().map(|batch| batch.successors.candidates.len()).sum::<usize>() < LEAST {
            parts.for_each(work);
        } else {
            threads.each(parts, work);
        }
        // In the order of the candidates, whichever shard each went to.
        let mut by_shard: Vec<_> = by_shard.into_iter().map(Vec::into_iter).collect();
        let of_batch = |_: &Batch| {
            let lists = by_shard.iter_mut().map(|lists| lists.next().unwrap_or_default());
            let mut reached: Vec<Reached> = lists.flatten().collect();
            reached.sort_by_key(|reached| reached.candidate);
            reached
        };
        batches.iter().map(of_batch).collect()
    }
}

/// Puts candidates of a batch into a shard, so many of them, and says what has become of them: of the new ones, or of all.
/// States are the shard's own indices.
#[inline]
fn put(
    shard: &mut Shard,
    batch: &Batch,
    count: usize,
    candidate: impl Fn(usize) -> u32,
    all: bool,
) -> Vec<Reached> {
    let Successors { candidates, keys } = &batch.successors;
    let mut reached = Vec::with_capacity(if all { count } else { 0 });
    for start in (0..count).step_by(TOGETHER) {
        let some = start..count.min(start + TOGETHER);
        let hash = |number: usize| candidates[candidate(number) as usize].hash;
        black_box(some.clone().fold(0, |sum, number| sum ^ shard.touch(hash(number))));
        let (mut seen, mut all_bytes) = ([None; TOGETHER], 0);
        for (seen, number) in seen.iter_mut().zip(some.clone()) {
            let byte;
            (*seen, byte) = shard.glance(hash(number));
            all_bytes ^= byte;
        }
        black_box(all_bytes);
        for (number, seen) in some.zip(seen) {
            let candidate = candidate(number);
            let place = candidate as usize;
            let (hash, parent, key) = (candidates[place].hash, batch.parents[place].0, keys.packed(place));
            let (state, is_new) = shard.insert_seen((hash, seen), keys.width(), key, parent);
            if is_new || all {
                reached.push(Reached { candidate, state, is_new });
            }
        }
    }
    reached
}

/// The threads that help the one that searches.
#[derive(Debug)]
pub(super) struct Threads(Option<ThreadPool>);

impl Threads {
    /// So many together, or as many as can be had: fewer than two are one.
    pub fn new(threads: usize) -> Threads {
        let pool = || ThreadPoolBuilder::new().num_threads(threads - 1).build().ok();
        Threads(if threads > 1 { pool() } else { None })
    }

    pub fn count(&self) -> usize {
        1 + self.0.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Does the work for each part at the same time.
    fn each<P: Send>(&self, mut parts: impl Iterator<Item = P>, work: impl Fn(P) + Sync) {
        let Some(pool) = &self.0 else { return parts.for_each(work) };
        let Some(own) = parts.next() else { return };
        let work = &work;
        pool.in_place_scope(|scope| {
            parts.for_each(|part| scope.spawn(move |_| work(part)));
            work(own);
        });
    }
}

/// By bits of the hash that do not decide where a vector stands in its shard.
#[inline]
pub(super) fn shard_of(hash: u64, shards: usize) -> usize {
    ((hash & 0xffff_ffff) as usize * shards) >> 32
}
