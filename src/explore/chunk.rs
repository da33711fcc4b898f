//! A chunk of what waits: threads find the successors of its parts, and then each puts those of its shard into the set.

use super::findings::{Batch, Shared, expand_part};
use super::search::Search;
use super::store::Shard;

impl Search<'_> {
    /// First part: every thread its share.
    pub fn expand(&mut self, chunk: &[(u32, u32)]) -> Vec<Batch> {
        let reduce = self.reduces();
        let Search { workers, shards, judge, options, truth, known, .. } = self;
        let max_depth = options.max_depth;
        let shared = Shared { judge, shards, truth, known, max_depth, reduce };
        let share = chunk.len().div_ceil(workers.len()).max(1);
        if workers.len() == 1 || chunk.len() < 64 {
            vec![expand_part(&mut workers[0], &shared, chunk)]
        } else {
            std::thread::scope(|scope| {
                let parts = workers.iter_mut().zip(chunk.chunks(share));
                let shared = &shared;
                let running: Vec<_> = parts
                    .map(|(worker, part)| scope.spawn(move || expand_part(worker, shared, part)))
                    .collect();
                running.into_iter().map(joined).collect()
            })
        }
    }

    /// The same one after the other, up to so many new ones: what comes behind the first for which there is no room is left out.
    pub fn insert_within(&mut self, batches: &[Batch], room: u64) -> Vec<Vec<(u32, bool)>> {
        let components = self.space.components(self.judge);
        let count = self.shards.len();
        let mut left = room;
        let mut all = Vec::new();
        for batch in batches {
            let keys = batch.successors.keys.chunks_exact(components);
            let candidates = batch.successors.candidates.iter().zip(keys).zip(&batch.parents);
            let mut reached = Vec::new();
            for ((candidate, key), (parent, _)) in candidates {
                let number = shard_of(candidate.hash, count);
                let Some((index, is_new)) =
                    self.shards[number].insert_if(left > 0, candidate.hash, key, *parent)
                else {
                    self.is_full = true;
                    break;
                };
                left -= u64::from(is_new);
                reached.push((index * count as u32 + number as u32, is_new));
            }
            all.push(reached);
            if self.is_full {
                break;
            }
        }
        all.resize(batches.len(), Vec::new());
        all
    }

    /// Second part: every shard takes what belongs to it, in the order of the batches. Gives for each candidate its
    /// number, and whether it is new.
    pub fn insert(&mut self, batches: &[Batch]) -> Vec<Vec<(u32, bool)>> {
        let components = self.space.components(self.judge);
        let count = self.shards.len();
        let work = |number: usize, shard: &mut Shard| {
            let of_batch = |batch: &Batch| {
                let keys = batch.successors.keys.chunks_exact(components);
                let candidates = batch.successors.candidates.iter().zip(keys).zip(&batch.parents);
                let mut reached = Vec::with_capacity(batch.parents.len() / count + 1);
                for ((candidate, key), (parent, _)) in candidates {
                    if shard_of(candidate.hash, count) == number {
                        let (index, is_new) = shard.insert(candidate.hash, key, *parent);
                        reached.push((index * count as u32 + number as u32, is_new));
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
        // Every candidate is the next one of its shard.
        let of_batch = |batch: &Batch| {
            let mut own: Vec<_> =
                by_shard.iter_mut().map(|lists| lists.next().unwrap_or_default().into_iter()).collect();
            let candidates = batch.successors.candidates.iter();
            candidates.filter_map(|candidate| own[shard_of(candidate.hash, count)].next()).collect()
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
