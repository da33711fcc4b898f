//! Recovery of steps: the graph and the visited set store the configurations of a run, not its steps.

use crate::explore::graph::bounds::CostModel;
use crate::explore::reduction::equivalence::Equivalence;
use crate::explore::reduction::view::Shift;
use crate::explore::space::footprint::JointSteps;
use crate::explore::steps::worker::Worker;
use crate::explore::store::hash_index::hash;
use crate::ids::{ChannelId, ProcessId};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, MessageRef};

impl Worker<'_> {
    /// Return the step, with its choices, from one vector to another or an equivalent one, with the vector it leads to.
    /// Positions in unordered channels refer to the order by content. Of several steps, return the first one, or the best one
    /// under `priced`.
    pub fn step_between(
        &mut self,
        from: &[u32],
        to: &[u32],
        truth: u32,
        priced: Option<&CostModel>,
    ) -> Option<(Event, Vec<u32>)> {
        let monitor = self.monitor;
        if !self.space.uses_tables() {
            let mut best: Option<(i64, (Event, Vec<u32>))> = None;
            self.every_whole_step(from, truth, &mut |worker, (event, ..), next| match next {
                Ok(next) if next == to => {
                    let cost = || monitor.costs.number(&worker.machine.metrics);
                    let weight = priced.map_or(0, |priced| priced.weigh(&monitor.costs, cost(), &[]));
                    if best.as_ref().is_none_or(|(known, _)| weight > *known) {
                        best = Some((weight, (event, next)));
                    }
                    priced.is_none()
                }
                _ => false,
            });
            return best.map(|(_, step)| step);
        }
        let (own_hash, found) = (hash(from), self.in_order(from, truth));
        // Two different steps may lead to equivalent vectors. The step to the very vector is preferred: under symmetry, the other
        // may change another process. But unless there are both a view and symmetry, the dearest step to any of these vectors is
        // the dearest one.
        let Equivalence { view, symmetry } = &self.space.equivalence;
        let any = priced.is_some() && (view.is_none() || symmetry.is_none());
        let (mut best, mut alike): (Option<(i64, u32, Vec<u32>)>, _) = (None, None);
        for place in &found {
            let Worker { local, next, space, .. } = self;
            let transitions = local.all();
            let outcome = &transitions.outcomes[*place as usize];
            if outcome.aborts() {
                continue;
            }
            next.apply(from, own_hash, outcome, &transitions);
            let is_same = space.same(&next.key, to);
            if next.key == to || (any && is_same) {
                let shift = view.as_ref().map_or_else(Shift::new, |view| view.shift_between(&next.key, to));
                let cost = space.labels.get(outcome.label).cost;
                let weight = priced.map_or(0, |priced| priced.weigh(&monitor.costs, cost, &shift));
                if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                    best = Some((weight, *place, next.key.clone()));
                }
                if priced.is_none() {
                    break;
                }
            }
            if alike.is_none() && is_same {
                alike = Some((*place, next.key.clone()));
            }
        }
        self.found = found;
        let (place, next) = best.map(|(_, place, next)| (place, next)).or(alike)?;
        Some((self.step_at(from, place).0, next))
    }

    /// Return all steps from one vector to another or to an equivalent one, if all steps are local.
    pub fn steps_alike(&mut self, from: &[u32], to: &[u32]) -> Vec<(Event, Vec<u32>)> {
        let Worker { local, next, space, .. } = self;
        let (own_hash, n) = (hash(from), space.parts().n());
        let mut found = Vec::new();
        for process in 0..n {
            let steps = local.steps(ProcessId(process as u32), from[process], from[n + process]);
            let transitions = local.transitions(steps);
            for outcome in transitions.outcomes.iter().filter(|outcome| !outcome.aborts()) {
                next.apply(from, own_hash, outcome, &transitions);
                if space.same(&next.key, to) {
                    found.push((transitions.done(outcome).event.clone(), next.key.clone()));
                }
            }
        }
        found
    }

    /// With interchangeable processes: return a step (the first or the best) from one vector to another after canonicalization.
    /// Return the vector before canonicalization, and the permutation applied by it.
    pub fn step_in_order(
        &mut self,
        from: &[u32],
        to: &[u32],
        priced: Option<&CostModel>,
    ) -> Option<(Vec<u32>, Vec<ProcessId>)> {
        let (own_hash, found) = (hash(from), self.in_order(from, 0));
        let Worker { local, next, space, monitor, .. } = self;
        let (mut best, mut weight_of_best) = (None, i64::MIN);
        let transitions = local.all();
        let outcomes = found.iter().map(|place| &transitions.outcomes[*place as usize]);
        for outcome in outcomes.filter(|outcome| !outcome.aborts()) {
            next.apply(from, own_hash, outcome, &transitions);
            let reached = next.key.clone();
            let exchanged =
                next.canonicalizer.as_mut()?.canonicalize(&mut next.key).map(<[ProcessId]>::to_vec);
            if next.key != to {
                continue;
            }
            let weight = priced
                .map_or(0, |priced| priced.weigh(&monitor.costs, space.labels.get(outcome.label).cost, &[]));
            if best.is_none() || weight > weight_of_best {
                best = Some((reached, exchanged.unwrap_or_else(|| space.parts().processes().collect())));
                weight_of_best = weight;
            }
            if priced.is_none() {
                break;
            }
        }
        self.found = found;
        best
    }

    /// Return the permutation that canonicalizes the vector. `None`: no processes are interchangeable.
    pub fn order(&mut self, key: &[u32]) -> Option<Vec<ProcessId>> {
        let canonicalizer = self.next.canonicalizer.as_mut()?;
        let exchanged = canonicalizer.canonicalize(&mut key.to_vec()).map(<[ProcessId]>::to_vec);
        Some(exchanged.unwrap_or_else(|| self.space.parts().processes().collect()))
    }

    /// Return the vector after an exchange.
    pub fn exchanged(&mut self, key: &[u32], to: &[ProcessId]) -> Option<Vec<u32>> {
        self.next.canonicalizer.as_mut().map(|canonicalizer| canonicalizer.renumbered(key, to))
    }

    /// Return the event of an aborting command after processes have been exchanged: that of the image process with the image
    /// cause, if possible with the same choices.
    pub fn abort_in(&mut self, key: &[u32], event: &Event, to: &[ProcessId]) -> Option<Event> {
        let space = self.space;
        let interchangeable = space.interchangeable.as_ref()?;
        let process = to[event.process.index()];
        let cause = match event.cause.clone() {
            Cause::Deliver { channel, position } => {
                let at = space.parts().position[channel.index()];
                let at = interchangeable.channel(event.process.index(), at.into(), to);
                Cause::Deliver { channel: space.parts().incoming[process.index()][at as usize], position }
            }
            cause => cause,
        };
        let found = self.in_order(key, 0);
        let transitions = self.local.all();
        let is_alike = |place: &&u32| {
            let outcome = &transitions.outcomes[**place as usize];
            let own = &transitions.done(outcome).event;
            outcome.aborts()
                && (own.process, &own.cause, own.alternative) == (process, &cause, event.alternative)
        };
        let alike: Vec<u32> = found.iter().filter(is_alike).copied().collect();
        let alike: Vec<Event> = alike.into_iter().map(|place| self.step_at(key, place).0).collect();
        self.found = found;
        alike.iter().find(|own| own.choices == event.choices).or(alike.first()).cloned()
    }

    /// Return the position of the message at that position of a channel in an equivalent configuration.
    pub fn place_in(&self, configuration: &Configuration, channel: ChannelId, position: u32) -> u32 {
        match self.space.instance.layout.keeps_order(channel) {
            true => position,
            false => configuration.by_content(channel).get(position as usize).copied().unwrap_or(position),
        }
    }

    /// Return the number of rounds that had ended when the configuration with this vector was first found.
    pub fn rounds_in(&self, key: &[u32]) -> Option<u64> {
        match &self.space.full_state {
            Some(whole) => whole.rounds(key),
            // Each vector counts its rounds from 0.
            None => (self.space.joint_steps() == Some(JointSteps::Rounds)).then_some(0),
        }
    }

    pub fn is_local(&self) -> bool {
        self.space.is_local()
    }

    /// Count the messages before that position of a channel with equal content.
    pub fn same_before(&self, key: &[u32], channel: ChannelId, position: u32) -> usize {
        self.space.parts().same_before(self.space.instance, key, channel, position)
    }

    /// Return whether the message is the one at that position of a channel in a vector.
    pub fn place_of(&self, message: &MessageRef<'_>, key: &[u32], channel: ChannelId, position: u32) -> bool {
        self.space.parts().is_message(self.space.instance, message, key, channel, position)
    }
}
