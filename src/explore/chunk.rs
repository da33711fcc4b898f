//! A chunk of what waits: threads find the successors of its parts, and then each puts those of its shard into the set.

use super::findings::{Batch, Shared, expand_part};
use super::search::Search;
use super::space::{Candidate, Successors};
use super::store::Shard;
use std::hint::black_box;

/// So many candidates are looked for at the same time.
const TOGETHER: usize = 16;

/// What has become of a candidate: the number of its configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub candidate: u32,
    pub state: u32,
    pub is_new: bool,
}

impl Search<'_> {
    /// First part: every thread its share. Answers how many batches have been used.
    pub fn expand(&mut self, chunk: &[(u32, u32)]) -> usize {
        let reduce = self.reduces();
        let Search { workers, batches, shards, judge, options, truth, known, .. } = self;
        let max_depth = options.max_depth;
        let shared = Shared { judge, shards, truth, known, max_depth, reduce };
        let share = chunk.len().div_ceil(workers.len()).max(1);
        if workers.len() == 1 || chunk.len() < 64 {
            expand_part(&mut workers[0], &mut batches[0], &shared, chunk);
            1
        } else {
            std::thread::scope(|scope| {
                let parts = workers.iter_mut().zip(batches.iter_mut()).zip(chunk.chunks(share));
                let shared = &shared;
                let running: Vec<_> = parts
                    .map(|((worker, batch), part)| {
                        scope.spawn(move || expand_part(worker, batch, shared, part))
                    })
                    .collect();
                running.into_iter().map(joined).count()
            })
        }
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
        let batches = &self.batches[..used];
        let all = self.graph.is_some() || self.judge.places() > 0;
        let count = self.shards.len();
        let work = |number: usize, shard: &mut Shard| {
            let of_batch = |batch: &Batch| {
                let Successors { candidates, keys } = &batch.successors;
                let mut reached = Vec::with_capacity(if all { candidates.len() / count + 1 } else { 0 });
                let own = |candidate: &&Candidate| shard_of(candidate.hash, count) == number;
                for (group, some) in candidates.chunks(TOGETHER).enumerate() {
                    black_box(some.iter().filter(own).fold(0, |sum, c| sum ^ shard.glance(c.hash)));
                    for (place, candidate) in (group * TOGETHER..).zip(some).filter(|(_, c)| own(c)) {
                        let parent = batch.parents[place].0;
                        let key = keys.packed(place);
                        let (index, is_new) = shard.insert_packed(candidate.hash, keys.width(), key, parent);
                        if is_new || all {
                            let state = index * count as u32 + number as u32;
                            reached.push(Reached { candidate: place as u32, state, is_new });
                        }
                    }
                }
                reached
            };
            batches.iter().map(of_batch).collect::<Vec<_>>()
        };
        if let [shard] = self.shards.as_mut_slice() {
            return work(0, shard);
        }
        let mut by_shard: Vec<_> = std::thread::scope(|scope| {
            let shards = self.shards.iter_mut().enumerate();
            let work = &work;
            let running: Vec<_> =
                shards.map(|(number, shard)| scope.spawn(move || work(number, shard).into_iter())).collect();
            running.into_iter().map(joined).collect()
        });
        // In the order of the candidates, whichever shard each went to.
        let of_batch = |_: &Batch| {
            let lists = by_shard.iter_mut().map(|lists| lists.next().unwrap_or_default());
            let mut reached: Vec<Reached> = lists.flatten().collect();
            reached.sort_by_key(|reached| reached.candidate);
            reached
        };
        batches.iter().map(of_batch).collect()
    }
}

fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The middle of the hash: its ends find the slot.
#[inline]
pub(super) fn shard_of(hash: u64, shards: usize) -> usize {
    if shards == 1 { 0 } else { ((hash >> 24) & 0xffff) as usize % shards }
}
