//! When a search ends: what has been found, what it may take, and what is left of that.

use super::Search;
use super::violations::FoundViolation;
use crate::explore::graph::Graph;
use crate::explore::space::frontier::Frontier;
use crate::explore::space::interner::to_grow;
use crate::explore::space::visited_set::VisitedShard;
use crate::explore::steps::worker::Worker;
use crate::explore::{Progress, StopReason, ViolationKind};

/// Memory is measured anew when there are more configurations by a share of two to the minus this.
const GROWTH: u32 = 4;

/// So many times as many configurations as have come since limits were looked at may come until they are looked at again: levels
/// become broader, up to a whole chunk.
const FASTER: u64 = 3;

impl Search<'_> {
    /// Is there a reason to stop, while so many wait, some of them in these lists? Whoever watches is asked, too.
    pub fn over(
        &mut self,
        waiting: usize,
        under_way: &[&Frontier],
        watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
    ) -> bool {
        self.bytes_under_way = under_way.iter().map(|frontier| frontier.bytes()).sum();
        let come = self.configurations - self.looked;
        self.looked = self.configurations;
        let more = come.saturating_mul(FASTER) as usize;
        let frontiers = under_way.iter().copied().chain([&self.waiting]);
        let bytes_to_come =
            self.bytes_to_grow(more) + frontiers.map(|frontier| frontier.bytes_to_grow(more)).sum::<usize>();
        let progress = Progress { bytes_to_come, ..self.progress(waiting as u64) };
        let is_too_much = progress.is_too_much(self.options.max_bytes);
        self.over_by(watch(&progress).or(is_too_much.then_some(StopReason::Memory)))
    }

    /// The same, by what has been found and told only.
    pub fn over_by(&mut self, told: Option<StopReason>) -> bool {
        self.cut = if self.has_found() && !self.options.keep_going {
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

    /// Has something been found that ends the search? What is not promised ends it only where nothing else was asked for.
    pub fn has_found(&self) -> bool {
        let properties = &self.space.instance.program.properties;
        // Who names no property asks whether something gets stuck or goes wrong.
        let any = || self.judge.indices().next().is_some();
        let finding = |f: &FoundViolation| match f.wrong {
            ViolationKind::Property(property) => properties[property].promised,
            ViolationKind::Stuck(_) | ViolationKind::Aborted(_) => true,
            // Who is down blocks others in many ways; what else may happen is looked at all the same.
            ViolationKind::Blocked(_) => self.asked && !any(),
        };
        let all = || self.judge.indices().all(|property| self.known.violated[property]);
        self.findings.iter().any(finding) || (self.asked && any() && all())
    }

    /// Is what has been found true of all schedules? Of what must happen, runs without end could tell more
    /// than those that were looked at; where there are none, ends tell all.
    pub fn has_seen_enough(&self) -> bool {
        let some_left_out = self.left_out || self.space.is_symmetric();
        let runs_for_ever = || self.graph.as_ref().is_some_and(|graph| graph.is_cyclic(&self.first_states()));
        self.cut.is_some() || !some_left_out || !self.judge.is_live() || !runs_for_ever()
    }

    pub fn progress(&mut self, waiting: u64) -> Progress {
        // To measure takes longer than a small level.
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

    /// Bytes more for a while if so many configurations come.
    fn bytes_to_grow(&self, more: usize) -> usize {
        let each = more.div_ceil(self.shards.len());
        let shards: usize = self.shards.iter().map(|shard| shard.bytes_to_grow(each)).sum();
        let graph = self.graph.as_ref().map_or(0, |graph| graph.bytes_to_grow(more));
        let whole = self.space.whole.as_ref().map_or(0, |whole| whole.bytes_to_grow(more));
        shards + graph + whole + to_grow(&self.truth, more)
    }

    /// Is it time to stop? What the threads know of steps may not be all then.
    pub fn is_stopped(&mut self) -> bool {
        self.stopped |= self.options.stop.is_some_and(|stop| stop());
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
