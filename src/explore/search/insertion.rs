//! Insertion of the candidates of a batch into a shard of the visited set.

use crate::explore::search::expansion::Batch;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::successors::Successors;
use crate::explore::store::state_arena::Width;
use crate::ids::StateId;
use prefetch_index::prefetch_index;

/// Prefetch distance in candidates between the stages of an insertion, so that no thread waits for memory.
const AHEAD: usize = 32;

/// The number of the configuration that a candidate became.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    pub candidate: u32,
    pub state: StateId,
    pub is_new: bool,
}

/// Merge lists of shards in the order of the candidates.
pub fn in_order(mut by_shard: Vec<Vec<Reached>>) -> Vec<Reached> {
    if by_shard.len() == 1 {
        return by_shard.swap_remove(0);
    }
    let mut reached: Vec<Reached> = by_shard.into_iter().flatten().collect();
    reached.sort_by_key(|reached| reached.candidate);
    reached
}

/// Return the greatest width of components in any shard.
pub fn width_of(shards: &[VisitedShard]) -> Width {
    shards.iter().map(VisitedShard::width).max().unwrap_or(Width::One)
}

/// Insert the candidates of a batch that belong to a shard: its number, and the number of all. Return what became of them: of the new
/// ones, or of all.
pub fn put_own(shard: &mut VisitedShard, batch: &Batch, number: (usize, usize), all: bool) -> Vec<Reached> {
    match batch.by_shard.get(number.0) {
        Some(own) => put((shard, number), batch, own.len(), |at| own[at], all),
        None => put((shard, number), batch, batch.successors.candidates.len(), |at| at as u32, all),
    }
}

/// Insert `count` candidates.
#[inline]
fn put(
    (shard, (own, shards)): (&mut VisitedShard, (usize, usize)),
    batch: &Batch,
    count: usize,
    candidate: impl Fn(usize) -> u32,
    all: bool,
) -> Vec<Reached> {
    let Successors { candidates, keys, .. } = &batch.successors;
    let mut reached = Vec::with_capacity(if all { count } else { 0 });
    let hash = |number: usize| candidates[candidate(number) as usize].hash;
    // With several shards, another thread may have computed the batch, so it may not be in this cache.
    let is_far = batch.by_shard.len() > 1;
    let mut seen = [None; AHEAD];
    let mut goes_back = false;
    // Three stages, `AHEAD` candidates apart: prefetch the candidate, look up its first bucket, insert it.
    for number in 0..count + 2 * AHEAD {
        if let Some(number) = number.checked_sub(2 * AHEAD) {
            let candidate = candidate(number);
            let place = candidate as usize;
            let (hash, parent, key) = (candidates[place].hash, batch.parents[place].0, keys.packed(place));
            let (index, is_new) = shard.insert_seen((hash, seen[number % AHEAD]), keys.width(), key, parent);
            if is_new || all {
                let state = StateId::in_shard(index, own, shards);
                reached.push(Reached { candidate, state, is_new });
            }
            goes_back |= shard.is_before_level(index);
        }
        if let Some(number) = number.checked_sub(AHEAD)
            && number < count
        {
            seen[number % AHEAD] = shard.glance(hash(number));
        }
        if number < count {
            shard.fetch(hash(number));
        }
        if is_far && number + AHEAD < count {
            let place = candidate(number + AHEAD) as usize;
            prefetch_index(candidates, place);
            prefetch_index(&batch.parents, place);
            keys.fetch(place);
        }
    }
    shard.has_back_edge |= goes_back;
    reached
}
