//! Looking for the worst: which ids where, and which schedule, make a run cost most.
//!
//! Hill climbing that sometimes accepts a little less: threshold accepting (Dueck and Scheuer, «Threshold accepting: a
//! general purpose optimization algorithm appearing superior to simulated annealing», J. Comput. Phys. 90, 1990), which
//! needs no floating point, so that a search finds the same on every machine. It gives lower bounds of the worst case:
//! what it has found exists, what it has not found may.

use crate::semantics::Metrics;
use crate::simulate::RunRng;
use crate::simulate::Schedule;
use serde::Serialize;

/// How many searches go on independently for each size, each with its part of the budget. It does not depend on the
/// number of threads, since what is found must not.
pub const CHAINS: u64 = 4;

/// After this part of a chain's budget without anything worse it begins anew somewhere else.
const PATIENCE: u64 = 4;

/// At first a run may cost this part less than the one before and still be gone on from; in the end nothing less.
const FIRST_THRESHOLD: u64 = 8;

/// A chain whose first so many runs come to no end although nobody wanted them short makes no more: they would take hours to say
/// the same. They are of different schedules, and chains begin with different ones.
const HOPELESS: u64 = 3;

/// What is to be as large as possible.
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

/// A run that may be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// None: as the instance has them.
    pub ids: Option<Vec<i64>>,
    pub schedule: Schedule,
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    Cost(u64),
    /// It did not come to an end of its own: nothing is known of its cost.
    Unfinished,
    /// The user wants no more.
    Interrupted,
}

/// Where the search may look.
#[derive(Clone, Debug)]
pub struct Search {
    /// Arrangements of ids to begin with. Empty: ids are not varied.
    pub starts: Vec<Vec<i64>>,
    /// At least one.
    pub schedules: Vec<Schedule>,
    pub seed: u64,
    /// Runs in all chains together.
    pub budget: u64,
    /// Are runs made without end, as far as the tool goes? Then a search gives up where none of the first ends.
    pub gives_up: bool,
}

/// The worst run of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// None: no run came to its end.
    pub found: Option<(Candidate, u64)>,
    /// Runs made, and how many of them did not end.
    pub runs: u64,
    pub unfinished: u64,
    /// Runs that were not made since none of the first had come to its end.
    pub not_made: u64,
    /// Was everything done that was to be done?
    pub complete: bool,
}

impl Worst {
    /// Of two chains; of equal costs the first.
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
    /// One of the [`CHAINS`], from 0 on.
    pub fn chain(&self, chain: u64, mut run: impl FnMut(&Candidate) -> Tried) -> Worst {
        let budget = self.budget / CHAINS + u64::from(chain < self.budget % CHAINS);
        let mut walk = Walk {
            search: self,
            // Seeds of chains are far apart, so that neighbouring seeds of searches share none.
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
    fn go(&mut self, chain: u64, run: &mut impl FnMut(&Candidate) -> Tried) {
        let Some((mut here, mut cost)) = self.begin(chain, run) else { return };
        let mut quiet = 0;
        while self.worst.runs < self.budget && self.worst.complete && !self.is_hopeless() {
            quiet += 1;
            if quiet > self.budget / PATIENCE {
                quiet = 0;
                here = self.elsewhere();
                cost = self.try_one(&here, run).unwrap_or(0);
                continue;
            }
            let next = self.near(&here);
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

    /// Has no run come to its end, of so many that no other will?
    fn is_hopeless(&self) -> bool {
        self.search.gives_up && self.worst.found.is_none() && self.worst.unfinished >= HOPELESS
    }

    fn best(&self) -> Option<u64> {
        self.worst.found.as_ref().map(|(_, cost)| *cost)
    }

    /// The worst of the places to begin with: each with each schedule, as far as half the budget goes. Chains begin at different
    /// ones, so that all are tried even where each can try few.
    fn begin(&mut self, chain: u64, run: &mut impl FnMut(&Candidate) -> Tried) -> Option<(Candidate, u64)> {
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
            // Nothing came to an end so far; from anywhere something may.
            None if self.budget > 0 => Some((self.elsewhere(), 0)),
            None => None,
        }
    }

    fn try_one(&mut self, candidate: &Candidate, run: &mut impl FnMut(&Candidate) -> Tried) -> Option<u64> {
        match run(candidate) {
            Tried::Cost(cost) => {
                self.worst.runs += 1;
                if self.best().is_none_or(|best| cost > best) {
                    self.worst.found = Some((candidate.clone(), cost));
                }
                Some(cost)
            }
            Tried::Unfinished => {
                self.worst.runs += 1;
                self.worst.unfinished += 1;
                None
            }
            Tried::Interrupted => {
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

    /// Ids in any order, any schedule.
    fn elsewhere(&mut self) -> Candidate {
        let mut ids = self.search.starts.first().cloned();
        if let Some(ids) = &mut ids {
            for i in (1..ids.len()).rev() {
                let j = self.below(i + 1);
                ids.swap(i, j);
            }
        }
        Candidate { ids, schedule: self.schedule(), seed: self.new_seed() }
    }

    /// One change: two ids change places, a part of them is turned round, one moves elsewhere; or the schedule changes.
    fn near(&mut self, here: &Candidate) -> Candidate {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn search(starts: Vec<Vec<i64>>, budget: u64) -> Search {
        Search { starts, schedules: Schedule::ALL.to_vec(), seed: 1, budget, gives_up: false }
    }

    fn all(search: &Search, mut run: impl FnMut(&Candidate) -> Tried) -> Worst {
        (0..CHAINS).map(|chain| search.chain(chain, &mut run)).reduce(Worst::join).unwrap()
    }

    /// Inversions: the worst is descending, from wherever it begins.
    #[test]
    fn it_climbs() {
        let start: Vec<i64> = (1..=9).collect();
        let worst = all(&search(vec![start], 4000), |candidate| {
            let ids = candidate.ids.as_ref().unwrap();
            let pairs = (0..ids.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
            Tried::Cost(pairs.filter(|(a, b)| ids[*a] > ids[*b]).count() as u64)
        });
        let (candidate, cost) = worst.found.unwrap();
        assert_eq!((cost, worst.runs, worst.complete), (36, 4000, true));
        assert_eq!(candidate.ids.unwrap(), (1..=9).rev().collect::<Vec<i64>>());
    }

    #[test]
    fn the_budget_is_kept_whatever_happens() {
        for budget in [1, 2, 3, 5, 17] {
            let mut runs = 0;
            let worst = all(&search(Vec::new(), budget), |_| {
                runs += 1;
                if runs % 2 == 0 { Tried::Unfinished } else { Tried::Cost(0) }
            });
            assert_eq!((runs, worst.runs, worst.unfinished), (budget, budget, budget / 2));
        }
        let nothing = all(&search(vec![vec![1]], 50), |_| Tried::Unfinished);
        assert_eq!((nothing.found, nothing.unfinished), (None, 50));
        let worst = all(&search(vec![vec![2, 1]], 50), |_| Tried::Interrupted);
        assert!(!worst.complete && worst.runs == 0);
    }

    #[test]
    fn where_no_run_ends_few_are_made() {
        let search = Search { gives_up: true, ..search(vec![vec![2, 1, 3]], 100) };
        let mut schedules = std::collections::BTreeSet::new();
        let worst = all(&search, |candidate| {
            schedules.insert(candidate.schedule.as_str());
            Tried::Unfinished
        });
        assert_eq!((worst.runs, worst.unfinished, worst.not_made), (12, 12, 88));
        assert!(worst.complete && worst.found.is_none());
        assert_eq!(schedules.len(), Schedule::ALL.len());
        // One that ends is a reason to go on.
        let mut runs = 0;
        let worst = all(&search, |_| {
            runs += 1;
            if runs == 3 { Tried::Cost(7) } else { Tried::Unfinished }
        });
        assert_eq!((worst.runs, worst.not_made), (25 + 9, 66));
    }
}
