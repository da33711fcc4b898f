//! Termination of a search: violations found, limits, and resources in use.

use crate::explore::graph::Graph;
use crate::explore::search::violations::FoundViolation;
use crate::explore::search::{Purpose, Search};
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::worker::Worker;
use crate::explore::store::frontier::Frontier;
use crate::explore::store::interner::to_grow;
use crate::explore::{Progress, StopReason, ViolationKind};

/// Memory is measured again when the number of configurations has grown by the fraction 2^-`GROWTH`.
const GROWTH: u32 = 4;

/// Number of configurations assumed to come before the next check of the limits, relative to those since the last one: levels
/// grow, up to a whole batch.
const FASTER: u64 = 3;

/// Number of levels whose sizes are extrapolated: with two, no search of the library that fits its limit is given up.
const LEVELS_AHEAD: u32 = 2;

/// Number of configurations before which no growth is extrapolated: the first levels grow fast.
const LEAST_FOR_GROWTH: u64 = 100_000;

impl Search<'_> {
    /// Return whether the search ends, with this number of configurations waiting, some of them in these lists. Call `watch`.
    pub fn over(
        &mut self,
        waiting: usize,
        under_way: &[&Frontier],
        watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
    ) -> bool {
        self.bytes_under_way = under_way.iter().map(|frontier| frontier.bytes()).sum();
        let come = self.configurations - self.looked;
        self.looked = self.configurations;
        let more = usize::try_from(come.saturating_mul(FASTER)).unwrap_or(usize::MAX);
        let frontiers = under_way.iter().copied().chain([&self.waiting]);
        let bytes_to_come =
            self.bytes_to_grow(more) + frontiers.map(|frontier| frontier.bytes_to_grow(more)).sum::<usize>();
        let progress = Progress { bytes_to_come, ..self.progress(waiting as u64) };
        let is_too_much = progress.is_too_much(self.options.max_bytes);
        self.over_by(watch(&progress).or(is_too_much.then_some(StopReason::Memory)))
    }

    /// Return whether the search ends, by its violations and this reason only.
    pub fn over_by(&mut self, told: Option<StopReason>) -> bool {
        let has_found = match self.options.keep_going {
            true => self.purpose == Purpose::Verdicts && self.are_all_violated(),
            false => self.has_found(),
        };
        self.cut = if has_found {
            Some(StopReason::Found)
        } else if told.is_some() {
            told
        } else if self.is_full {
            Some(StopReason::Configurations)
        } else if self.stopped {
            Some(StopReason::Time)
        } else {
            None
        };
        self.cut.is_some()
    }

    /// Return whether the next levels of a breadth-first search exceed the limit of configurations, if each of them is larger than the one before it
    /// by the same factor as the waiting level is larger than an earlier one. The levels of a finite state space first grow, ever more
    /// slowly, and then shrink (R. Pelánek, *Typical Structural Properties of State Spaces*, SPIN 2004). The initial configurations, before
    /// which there is no level, say nothing about growth.
    pub fn outgrows_limit(&self, earlier: usize) -> bool {
        if earlier == 0 {
            return false;
        }
        let mut level = self.waiting.len() as f64;
        let growth = level / (earlier as f64);
        let mut all = self.configurations as f64;
        for _ in 0..LEVELS_AHEAD {
            level *= growth;
            all += level;
        }
        self.configurations >= LEAST_FOR_GROWTH
            && growth > 1.0
            && all > self.options.max_configurations as f64
    }

    /// Return whether a violation ends the search. One that is not claimed ends it only if it was requested.
    pub fn has_found(&self) -> bool {
        let properties = &self.space.instance.program.properties;
        let violation = |f: &FoundViolation| match f.wrong {
            ViolationKind::Property(property) => properties[property].is_claimed,
            ViolationKind::Stuck(_) | ViolationKind::Aborted(_) => true,
            // A process that is down blocks others in many ways, so the search continues. A search for no named property looks for
            // deadlocks and aborts.
            ViolationKind::Blocked(_) => {
                self.purpose == Purpose::Requested && self.monitor.indices().next().is_none()
            }
        };
        self.violations.iter().any(violation) || (self.purpose != Purpose::General && self.are_all_violated())
    }

    /// Return whether there are properties to check, and all of them are violated.
    fn are_all_violated(&self) -> bool {
        let mut all = self.monitor.indices().peekable();
        all.peek().is_some() && all.all(|property| self.known.violated[property])
    }

    /// Return whether the result holds for all schedules. For liveness, omitted infinite runs could matter; in an acyclic
    /// graph, the ends decide. Symmetry omits runs only under weak fairness, whose constraints name processes: the components
    /// that decide under global fairness are the images of those of the whole graph.
    pub fn is_conclusive(&self) -> bool {
        let some_left_out = self.omitted_steps || self.omits_runs_by_symmetry();
        let runs_for_ever = || self.graph.as_ref().is_some_and(|graph| graph.is_cyclic(&self.first_states()));
        self.cut.is_some() || !some_left_out || !self.monitor.is_live() || !runs_for_ever()
    }

    pub fn progress(&mut self, waiting: u64) -> Progress {
        // Measuring takes longer than a small level.
        let (at, _) = self.measured;
        if self.configurations - at >= at >> GROWTH {
            self.measure();
        }
        Progress {
            configurations: self.configurations,
            steps: self.steps,
            depth: self.depth,
            waiting,
            bytes: self.measured.1,
            bytes_to_come: 0,
        }
    }

    pub fn measure(&mut self) {
        self.measured = (self.configurations, self.bytes());
    }

    /// Return the bytes needed temporarily if `more` configurations are added.
    fn bytes_to_grow(&self, more: usize) -> usize {
        let each = more.div_ceil(self.shards.len());
        let shards: usize = self.shards.iter().map(|shard| shard.bytes_to_grow(each)).sum();
        let graph = self.graph.as_ref().map_or(0, |graph| graph.bytes_to_grow(more));
        shards + graph + to_grow(&self.truth, more)
    }

    /// Return whether to stop. Then the caches of the threads may be incomplete.
    pub fn is_stopped(&mut self) -> bool {
        self.stopped |= self.monitor.instance.stop.is_set();
        self.stopped
    }

    pub fn bytes(&self) -> usize {
        let kept: usize = self.shards.iter().map(VisitedShard::bytes).sum();
        let remembered: usize = self.workers.iter().map(Worker::bytes).sum();
        let beside = self.judged.bytes() + self.started.bytes() + size_of_val(self.truth.as_slice());
        let waiting = self.waiting.bytes() + self.bytes_under_way;
        kept + waiting
            + self.space.bytes()
            + self.graph.as_ref().map_or(0, Graph::bytes)
            + remembered
            + beside
    }
}
