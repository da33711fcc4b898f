//! Search for the worst case: the ids and the schedule that make a run cost most.
//!
//! The search is hill climbing that sometimes accepts a slightly lower cost: threshold accepting (Dueck and Scheuer,
//! «Threshold accepting: a general purpose optimization algorithm appearing superior to simulated annealing», J.
//! Comput. Phys. 90, 1990). It needs no floating point, so a search has the same result on every machine. It gives
//! lower bounds of the worst case: a run that was found exists, but a worse one may exist, too.

use crate::semantics::Metrics;
use crate::simulate::RunRng;
use crate::simulate::Schedule;
use serde::Serialize;

/// Number of independent searches for each size, each with its part of the budget. It does not depend on the number of
/// threads, since the result must not.
pub const CHAINS: u64 = 4;

/// A chain restarts at a random candidate after this part of its budget without an improvement.
const PATIENCE: u64 = 4;

/// Initially, a run is accepted if it costs less than the one before by at most this part; the threshold decreases to
/// zero.
const FIRST_THRESHOLD: u64 = 8;

/// A chain stops if none of its first runs ends although no step limit was requested: further runs would take hours for
/// the same result. These runs have different schedules, and chains start with different ones.
const HOPELESS: u64 = 3;

/// The measure to maximize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    Messages,
    Bits,
    Time,
    Rounds,
    Moves,
}

impl Goal {
    pub fn word(self) -> &'static str {
        match self {
            Goal::Messages => "messages",
            Goal::Bits => "bits",
            Goal::Time => "time",
            Goal::Rounds => "rounds",
            Goal::Moves => "moves",
        }
    }

    pub fn of(self, metrics: &Metrics) -> u64 {
        match self {
            Goal::Messages => metrics.messages(),
            Goal::Bits => metrics.total_bits(),
            Goal::Time => metrics.time.into(),
            Goal::Rounds => metrics.rounds,
            Goal::Moves => metrics.moves,
        }
    }
}

/// A candidate run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Ids; `None`: those of the instance.
    pub ids: Option<Vec<i64>>,
    pub schedule: Schedule,
    pub seed: u64,
}

/// Result of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateResult {
    Cost(u64),
    /// The run did not end by itself: its cost is unknown.
    Unfinished,
    /// Interrupted by the user.
    Interrupted,
}

/// The search space and the budget.
#[derive(Clone, Debug)]
pub struct Search {
    /// Initial arrangements of ids; empty: ids are not varied.
    pub starts: Vec<Vec<i64>>,
    /// Schedules; at least one.
    pub schedules: Vec<Schedule>,
    pub seed: u64,
    /// Number of runs of all chains together.
    pub budget: u64,
    /// Whether runs have no step limit. Then a search gives up if none of the first runs ends.
    pub gives_up: bool,
}

/// Result of a search: the worst run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// The worst run with its cost; `None`: no run ended.
    pub found: Option<(Candidate, u64)>,
    /// Number of runs made, and of those that did not end.
    pub runs: u64,
    pub unfinished: u64,
    /// Number of runs skipped since none of the first ended.
    pub not_made: u64,
    /// Whether the whole budget was used.
    pub complete: bool,
}

impl Worst {
    /// Combine the results of two chains; of equal costs, the first counts.
    pub fn join(self, other: Worst) -> Worst {
        let cost = |worst: &Worst| worst.found.as_ref().map(|(_, cost)| *cost);
        let found = if cost(&other) > cost(&self) { other.found } else { self.found };
        Worst {
            found,
            runs: self.runs + other.runs,
            unfinished: self.unfinished + other.unfinished,
            not_made: self.not_made + other.not_made,
            complete: self.complete && other.complete,
        }
    }
}

impl Search {
    /// Run one of the [`CHAINS`], from 0.
    pub fn chain(&self, chain: u64, mut run: impl FnMut(&Candidate) -> CandidateResult) -> Worst {
        let budget = self.budget / CHAINS + u64::from(chain < self.budget % CHAINS);
        let mut walk = Walk {
            search: self,
            // Seeds of chains are far apart, so that searches with neighbouring seeds share none.
            dice: RunRng::for_search(self.seed ^ (chain << 56)),
            worst: Worst { found: None, runs: 0, unfinished: 0, not_made: 0, complete: true },
            budget,
            seed_of_runs: self.seed.wrapping_add(chain),
        };
        walk.go(chain, &mut run);
        if walk.is_hopeless() {
            walk.worst.not_made = budget - walk.worst.runs;
        }
        walk.worst
    }
}

struct Walk<'s> {
    search: &'s Search,
    dice: RunRng,
    worst: Worst,
    budget: u64,
    seed_of_runs: u64,
}

impl Walk<'_> {
    fn go(&mut self, chain: u64, run: &mut impl FnMut(&Candidate) -> CandidateResult) {
        let Some((mut here, mut cost)) = self.begin(chain, run) else { return };
        let mut quiet = 0;
        while self.worst.runs < self.budget && self.worst.complete && !self.is_hopeless() {
            quiet += 1;
            if quiet > self.budget / PATIENCE {
                quiet = 0;
                here = self.random_candidate();
                cost = self.try_one(&here, run).unwrap_or(0);
                continue;
            }
            let next = self.neighbour(&here);
            let before = self.best();
            let Some(found) = self.try_one(&next, run) else { continue };
            let left = self.budget - self.worst.runs;
            let threshold =
                u128::from(cost) * u128::from(left) / (u128::from(FIRST_THRESHOLD) * u128::from(self.budget));
            if u128::from(found) + threshold >= u128::from(cost) {
                (here, cost) = (next, found);
            }
            if self.best() > before {
                quiet = 0;
            }
        }
    }

    /// Whether so many runs have not ended that no other will.
    fn is_hopeless(&self) -> bool {
        self.search.gives_up && self.worst.found.is_none() && self.worst.unfinished >= HOPELESS
    }

    fn best(&self) -> Option<u64> {
        self.worst.found.as_ref().map(|(_, cost)| *cost)
    }

    /// Return the worst of the initial candidates: each arrangement with each schedule, within half the budget. Chains
    /// start with different ones, so that all are tried even if each chain tries few.
    fn begin(
        &mut self,
        chain: u64,
        run: &mut impl FnMut(&Candidate) -> CandidateResult,
    ) -> Option<(Candidate, u64)> {
        let schedules = self.search.schedules.len();
        let starts = self.search.starts.len().max(1);
        let all = starts * schedules;
        for i in 0..all {
            let enough = self.worst.runs * 2 >= self.budget || !self.worst.complete || self.is_hopeless();
            if i > 0 && enough {
                break;
            }
            let place = (i + chain as usize * all / CHAINS as usize) % all;
            let candidate = Candidate {
                ids: self.search.starts.get(place / schedules).cloned(),
                schedule: self.search.schedules[place % schedules],
                seed: self.seed_of_runs,
            };
            if self.budget > 0 {
                self.try_one(&candidate, run);
            }
        }
        match &self.worst.found {
            Some((candidate, cost)) => Some((candidate.clone(), *cost)),
            // No run has ended so far; a random candidate may.
            None if self.budget > 0 => Some((self.random_candidate(), 0)),
            None => None,
        }
    }

    fn try_one(
        &mut self,
        candidate: &Candidate,
        run: &mut impl FnMut(&Candidate) -> CandidateResult,
    ) -> Option<u64> {
        match run(candidate) {
            CandidateResult::Cost(cost) => {
                self.worst.runs += 1;
                if self.best().is_none_or(|best| cost > best) {
                    self.worst.found = Some((candidate.clone(), cost));
                }
                Some(cost)
            }
            CandidateResult::Unfinished => {
                self.worst.runs += 1;
                self.worst.unfinished += 1;
                None
            }
            CandidateResult::Interrupted => {
                self.worst.complete = false;
                None
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.dice.below(u32::try_from(bound.max(1)).unwrap_or(u32::MAX)) as usize
    }

    fn schedule(&mut self) -> Schedule {
        let place = self.below(self.search.schedules.len());
        self.search.schedules[place]
    }

    fn new_seed(&mut self) -> u64 {
        u64::from(self.dice.below(u32::MAX))
    }

    /// Return a candidate with random ids and schedule.
    fn random_candidate(&mut self) -> Candidate {
        let mut ids = self.search.starts.first().cloned();
        if let Some(ids) = &mut ids {
            for i in (1..ids.len()).rev() {
                let j = self.below(i + 1);
                ids.swap(i, j);
            }
        }
        Candidate { ids, schedule: self.schedule(), seed: self.new_seed() }
    }

    /// Return a neighbour: two ids exchanged, a segment of ids reversed, one id moved, or another schedule.
    fn neighbour(&mut self, here: &Candidate) -> Candidate {
        let mut next = here.clone();
        let many = next.ids.as_ref().map_or(0, Vec::len);
        let kind = if many < 2 { 9 } else { self.below(10) };
        let (mut i, mut j) = (self.below(many), self.below(many));
        if i > j {
            (i, j) = (j, i);
        }
        if many >= 2 && i == j {
            (i, j) = if j + 1 < many { (i, j + 1) } else { (i - 1, j) };
        }
        match (&mut next.ids, kind) {
            (Some(ids), 0..=3) => ids.swap(i, j),
            (Some(ids), 4..=5) => ids[i..=j].reverse(),
            (Some(ids), 6) => ids[i..=j].rotate_left(1),
            (Some(ids), 7) => ids[i..=j].rotate_right(1),
            (_, 8) => next.seed = self.new_seed(),
            _ => {
                next.schedule = self.schedule();
                next.seed = self.new_seed();
            }
        }
        next
    }
}
