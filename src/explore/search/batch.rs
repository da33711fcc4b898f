//! Parallel expansion of a batch: threads compute the successors of its parts, then each inserts those of its shard.

use crate::explore::search::expansion::{Batch, Limits, Shared, expand_part, shard_of};
use crate::explore::search::insertion::{Reached, in_order, put_own, width_of};
use crate::explore::search::pipeline::{Stock, UNDER_WAY};
use crate::explore::search::{PART, Search, pipeline};
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::successors::Successors;
use crate::explore::store::frontier::{Frontier, Part};
use crate::ids::StateId;

/// Minimum number of configurations for parallel expansion.
const LEAST: usize = 64;

/// Minimum number of configurations for the pipeline.
const LEAST_ON_LINE: usize = 4 * LEAST;

impl Search<'_> {
    /// Send these configurations through the pipeline in parts of at most `most` configurations, if several threads can share
    /// the work. Return the number of configurations expanded.
    pub fn run_pipeline(&mut self, part: Part<'_>, most: usize, next: &mut Frontier) -> usize {
        // Reduction and a limit of depth read the visited set, and joint steps read truth vectors; in a pipeline, other threads modify
        // both. Shifts of numbers need the vectors that the graph keeps.
        let asks_truth = self.monitor.places() > 0 && self.space.records_truth();
        let asks_kept = self.graph.as_ref().is_some_and(|graph| graph.shifts.is_some());
        let is_free = !asks_truth && !asks_kept && !self.reduces() && self.options.max_depth.is_none();
        if !is_free || self.workers.len() < 2 || part.len() < LEAST_ON_LINE {
            return 0;
        }
        let mut stock = Stock {
            workers: std::mem::take(&mut self.workers),
            shards: std::mem::take(&mut self.shards),
            batches: std::mem::take(&mut self.batches),
        };
        let (monitor, threads) = (self.monitor, self.threads.clone());
        let known = self.known.clone();
        let (count, width) = (stock.shards.len(), width_of(&stock.shards));
        let all = self.follows_every_step();
        let shared = Shared { monitor, known: &known, truth: &[], count, width, once: !all, limits: None };
        let left = self.options.max_configurations.saturating_sub(self.configurations);
        let room = if self.is_full { 0 } else { left };
        // Each thread has this many parts in the pipeline at the same time.
        let most = (most / UNDER_WAY).clamp(1, PART);
        let parts: Vec<Part<'_>> = part.shares(threads.count(), LEAST.min(most)..=most).collect();
        let sizes: Vec<usize> = parts.iter().map(Part::len).collect();
        let mut taken = |batch: &mut Batch, by_shard: Vec<Vec<Reached>>| {
            self.steps += batch.successors.steps;
            self.take(batch, &in_order(by_shard), next);
            !self.is_stopped()
        };
        let done = pipeline::run(&threads, &mut stock, parts, shared, (room, all), &mut taken);
        Stock { workers: self.workers, shards: self.shards, batches: self.batches } = stock;
        sizes[..done].iter().sum()
    }

    /// First stage: each thread expands its share. Return the number of batches used. `once`: see [`Shared`].
    pub fn expand(&mut self, part: Part<'_>, once: bool) -> usize {
        let limits =
            Limits { shards: &self.shards, max_depth: self.options.max_depth, reduce: self.reduces() };
        let shared = Shared {
            monitor: self.monitor,
            known: &self.known,
            truth: &self.truth,
            count: self.shards.len(),
            width: width_of(&self.shards),
            once,
            limits: Some(limits),
        };
        let Search { workers, batches, threads, .. } = self;
        let shares = if part.len() < LEAST { 1 } else { workers.len() };
        let share = part.len().div_ceil(shares).max(1);
        let parts = workers.iter_mut().zip(batches.iter_mut()).zip(part.chunks(share));
        threads.each(parts, |((worker, batch), part)| expand_part(worker, batch, &shared, part));
        part.len().div_ceil(share)
    }

    /// Return whether every step matters, even one to a visited configuration.
    pub fn follows_every_step(&self) -> bool {
        self.graph.is_some() || self.monitor.places() > 0
    }

    /// Second stage, sequential, for at most `room` new configurations: drop everything from the first one without room on.
    pub fn insert_within(&mut self, used: usize, room: u64) -> Vec<Vec<Reached>> {
        let Search { batches, shards, is_full, .. } = self;
        let count = shards.len();
        let mut left = room;
        let mut key = Vec::new();
        let of_batch = |batch: &Batch| {
            let Successors { candidates, keys, .. } = &batch.successors;
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
                        let state = StateId::in_shard(index, number, count);
                        reached.push(Reached { candidate: place as u32, state, is_new });
                    }
                    None => *is_full = true,
                }
            }
            reached
        };
        batches[..used].iter().map(of_batch).collect()
    }

    /// Second stage: each shard inserts its candidates, in the order of the first `used` batches. Return for each batch what
    /// became of its candidates: of the new ones, or of all if a property needs every step.
    pub fn insert(&mut self, used: usize) -> Vec<Vec<Reached>> {
        let all = self.follows_every_step();
        let Search { batches, shards, threads, .. } = self;
        let batches = &batches[..used];
        if let [shard] = shards.as_mut_slice() {
            return batches.iter().map(|batch| put_own(shard, batch, (0, 1), all)).collect();
        }
        let count = shards.len();
        let mut by_shard = vec![Vec::new(); shards.len()];
        let parts = (0..count).zip(shards.iter_mut().zip(&mut by_shard));
        let work = |(number, (shard, reached)): (usize, (&mut VisitedShard, &mut Vec<_>))| {
            for batch in batches {
                reached.push(put_own(shard, batch, (number, count), all));
            }
        };
        if batches.iter().map(|batch| batch.successors.candidates.len()).sum::<usize>() < LEAST {
            parts.for_each(work);
        } else {
            threads.each(parts, work);
        }
        // Restore the order of the candidates across shards.
        let mut by_shard: Vec<_> = by_shard.into_iter().map(Vec::into_iter).collect();
        let of_batch =
            |_: &Batch| in_order(by_shard.iter_mut().map(|lists| lists.next().unwrap_or_default()).collect());
        batches.iter().map(of_batch).collect()
    }
}
