//! Finding successors: by looking up what each process can do, or by taking the steps of a whole configuration.

use super::Stop;
use super::apply::Next;
use super::bounds::Priced;
use super::choices::EveryChoice;
use super::frontier::Part;
use super::graph::Label;
use super::judge::{Judge, Seen};
use super::local::Local;
use super::moves;
use super::rounds::{self, Coming};
use super::sources::{Sources, sources};
use super::space::{Origin, Space};
use super::store::hash;
use super::successors::{Candidate, LastPlaces, Successors};
use super::surroundings::Together;
use super::vectors::{Width, number, unpack};
use super::ways::{Done, Outcome, Steps, Ways};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Abort, Configuration, Coverage, Machine, MessageRef, Metrics, StepError};

/// A step that has been tried, what it is about, and what chance had to do with it.
type Step = (Event, Sources, u32);

/// What has become of a step that was tried: the vector after it, or how it went wrong.
type Tried = Result<Vec<u32>, Box<Abort>>;

/// Asked of a hash and a vector: has this configuration not been met?
pub(super) type IsNew<'a> = &'a mut dyn FnMut(u64, &[u32]) -> bool;

/// Told of a command that goes wrong: the event, what it is about, and how.
pub(super) type GoesWrong<'a> = &'a mut dyn FnMut(Event, Sources, Box<Abort>);

/// So many processes are looked at ahead.
const AHEAD: usize = 64;

/// Finds successors. One for each thread.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    local: Local<'a>,
    machine: Machine,
    next: Next<'a>,
    /// Room for a vector.
    key: Vec<u32>,
    /// What the processes can do in each of the configurations that are expanded now, and in those that come next.
    ahead: Vec<Steps>,
    coming: Vec<Steps>,
    /// Room for places of steps.
    found: Vec<u32>,
    /// A configuration to take apart and look at.
    pub configuration: Configuration,
    /// Of what it has found.
    pub last: LastPlaces,
}

impl<'a> Worker<'a> {
    pub fn new(space: &'a Space<'a>, judge: &'a Judge<'a>) -> Worker<'a> {
        let mut machine = Machine::new(space.instance);
        machine.recording = true;
        Worker {
            space,
            judge,
            local: Local::new(
                space.instance,
                space.parts(),
                &space.throws,
                &space.labels,
                judge,
                space.surroundings.as_ref(),
                &space.started,
            ),
            machine,
            next: Next::new(space, judge),
            key: Vec::new(),
            ahead: Vec::new(),
            coming: Vec::new(),
            found: Vec::new(),
            configuration: space.started.clone(),
            last: LastPlaces::new(),
        }
    }

    /// Of so many configurations is looked up together what can be done in them.
    pub fn group(&self) -> usize {
        if self.next.is_plain { (AHEAD / self.space.parts().n().max(1)).max(1) } else { usize::MAX }
    }

    /// Of the configurations of a part, those of the group from `first` on are expanded next. Looks up what can be done in those of
    /// the group behind it, and fetches what that takes for the one behind that, so that nothing is waited for.
    pub fn look_ahead(&mut self, part: Part<'_>, first: usize) {
        if !self.next.is_plain {
            return;
        }
        let size = self.group();
        let group = |number: usize| part.slice(first + number * size..first + (number + 1) * size);
        if first == 0 {
            self.fetch(group(0));
            self.look_up(group(0));
            self.fetch(group(1));
        }
        std::mem::swap(&mut self.ahead, &mut self.coming);
        self.look_up(group(1));
        self.fetch(group(2));
    }

    /// Looks up what can be done in each of these configurations, soon.
    fn look_up(&mut self, group: Part<'_>) {
        let Worker { local, coming, .. } = self;
        coming.clear();
        match group.width() {
            Width::One => look_up::<1>(local, group, coming),
            Width::Two => look_up::<2>(local, group, coming),
            Width::Four => look_up::<4>(local, group, coming),
        }
    }

    /// Fetches what it takes to look up what can be done in each of these configurations.
    fn fetch(&self, group: Part<'_>) {
        match group.width() {
            Width::One => fetch::<1>(&self.local, group),
            Width::Two => fetch::<2>(&self.local, group),
            Width::Four => fetch::<4>(&self.local, group),
        }
    }

    /// Adds the successors of a configuration, in a fixed order. Those of one process only, if that is enough, where
    /// `reduce` is given: it is asked whether one of them is new. Commands that go wrong are given to `aborted`. Answers whether
    /// something was left out.
    pub fn expand(
        &mut self,
        from: Origin<'_>,
        reduce: Option<IsNew<'_>>,
        to: &mut Successors,
        aborted: GoesWrong<'_>,
    ) -> bool {
        let (width, packed) = from.packed;
        if self.next.is_plain && reduce.is_none() && to.keys.width() == width {
            match width {
                Width::One => self.expand_plain::<1>(from, to, aborted),
                Width::Two => self.expand_plain::<2>(from, to, aborted),
                Width::Four => self.expand_plain::<4>(from, to, aborted),
            }
            return false;
        }
        let mut left_out = false;
        let mut key = std::mem::take(&mut self.key);
        unpack(width, packed, &mut key);
        if !self.space.is_by_parts() {
            self.expand_whole(&key, from.truth, to, aborted);
        } else if !self.space.is_local() {
            self.expand_surrounded(&key, (from.hash, from.truth), to, aborted);
        } else {
            let n = self.space.parts().n() as u32;
            let enough = reduce.and_then(|is_new| self.enough(&key, from.hash, is_new));
            let processes = enough.map_or(0..n, |process| process..process + 1);
            left_out = (0..n).any(|process| !processes.contains(&process) && self.has_steps(&key, process));
            processes.for_each(|process| self.expand_process(&key, from.hash, process, to, aborted));
        }
        self.key = key;
        left_out
    }

    fn has_steps(&mut self, key: &[u32], process: u32) -> bool {
        let n = self.space.parts().n();
        let steps = self.local.steps(process, key[process as usize], key[n + process as usize]);
        !self.local.ways(steps).outcomes.is_empty()
    }

    /// The same where there is nothing in a vector but local states and inboxes, all of them told apart: no vector is unpacked. What can be
    /// done has been looked up ahead.
    fn expand_plain<const N: usize>(
        &mut self,
        from: Origin<'_>,
        to: &mut Successors,
        aborted: GoesWrong<'_>,
    ) {
        let Worker { local, next, ahead, space, .. } = self;
        let (width, packed) = from.packed;
        let cells = packed.as_chunks::<N>().0;
        let n = cells.len() / 2;
        for (process, steps) in ahead[from.place * n..][..n].iter().enumerate() {
            let ways = local.ways(*steps);
            for outcome in ways.outcomes {
                if outcome.aborts()
                    && let Done { abort: Some(abort), event, .. } = ways.done(outcome)
                {
                    let sources = space.labels.get(outcome.label).sources.clone();
                    aborted(event.clone(), sources, abort.clone());
                    continue;
                }
                let step = (outcome, ways.sent(outcome));
                let hash = match to.keys.width() == width {
                    true => next.apply_plain(cells, from.hash, process, step, &mut to.keys),
                    false => None,
                };
                let hash = hash.unwrap_or_else(|| {
                    let mut key = Vec::new();
                    unpack(width, packed, &mut key);
                    let hash = next.apply(&key, from.hash, outcome, &ways);
                    to.keys.push(&next.key);
                    hash
                });
                let (label, free, touched) = (outcome.label, outcome.is_free(), ways.touched(outcome));
                to.push_last(Candidate { hash, touched, label, free });
            }
        }
    }

    fn expand_process(
        &mut self,
        key: &[u32],
        own_hash: u64,
        process: u32,
        to: &mut Successors,
        aborted: GoesWrong<'_>,
    ) {
        let Worker { local, next, judge, space, .. } = self;
        let n = space.parts().n();
        let steps = local.steps(process, key[process as usize], key[n + process as usize]);
        let ways = local.ways(steps);
        ways.outcomes.iter().for_each(|outcome| {
            follow((space, judge), next, key, own_hash, (outcome, &ways), to, aborted);
        });
    }

    /// The steps of all processes where they depend on what surrounds them, in the order in which [`Machine::enabled`] has them.
    fn expand_surrounded(
        &mut self,
        key: &[u32],
        (own_hash, truth): (u64, u32),
        to: &mut Successors,
        aborted: GoesWrong<'_>,
    ) {
        let found = self.in_order(key, truth);
        let Worker { local, next, judge, space, .. } = self;
        let ways = local.all();
        for place in &found {
            let outcome = &ways.outcomes[*place as usize];
            follow((space, judge), next, key, own_hash, (outcome, &ways), to, aborted);
        }
        self.found = found;
    }

    /// The places of these steps among everything that processes are known to do. `truth`: the number of what is true there.
    fn in_order(&mut self, key: &[u32], truth: u32) -> Vec<u32> {
        self.local.keep_small();
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let n = self.space.parts().n();
        match self.space.together() {
            Some(Together::Moves(daemon)) => {
                moves::possible(daemon, &mut self.local, n, key, &mut found);
                return found;
            }
            Some(Together::Rounds) => {
                let next = rounds::possible(&mut self.local, n, key, &mut found);
                self.next.coming = Coming { next, truth };
                return found;
            }
            None => {}
        }
        for process in 0..self.space.parts().n() as u32 {
            let places = self.local.steps_in(process, key).range();
            found.extend(places.start as u32..places.end as u32);
        }
        let ways = self.local.all();
        let rank = |place: &u32| ways.done(&ways.outcomes[*place as usize]).rank;
        if !found.is_sorted_by_key(rank) {
            found.sort_by_key(rank);
        }
        found
    }

    /// A process whose steps are enough: whatever the others do first, it could still do the same, with the same result,
    /// and nothing that is judged can tell the order (Valmari's and Godefroid's persistent sets; a process that waits
    /// at one channel is the usual case). One of its successors must be new, so that the others are not put off for ever.
    fn enough(&mut self, key: &[u32], own_hash: u64, is_new: IsNew<'_>) -> Option<u32> {
        let Worker { local, next, space, .. } = self;
        let n = space.parts().n();
        for process in 0..n {
            let steps = local.steps(process as u32, key[process], key[n + process]);
            let ways = local.ways(steps);
            if !steps.is_closed() || !steps.is_invisible() || ways.outcomes.is_empty() {
                continue;
            }
            for outcome in ways.outcomes {
                let hash = next.apply_in_order(key, own_hash, outcome, &ways);
                if is_new(hash, &next.key) {
                    return Some(process as u32);
                }
            }
        }
        None
    }

    fn expand_whole(&mut self, key: &[u32], truth: u32, to: &mut Successors, aborted: GoesWrong<'_>) {
        let judge = self.judge;
        self.every_whole_step(key, truth, &mut |worker, (event, sources, throw), next| match next {
            Ok(next) => {
                if !matches!(event.cause, Cause::SendNote { .. } | Cause::ReceiveNote { .. }) {
                    worker.local.seen.see(&worker.machine.effects, true);
                }
                let cost = judge.costs.number(&worker.machine.metrics);
                let candidate = Candidate {
                    hash: hash(&next),
                    touched: judge.all(),
                    free: sources.is_empty(),
                    label: worker.space.labels.number(Label { sources, cost, throw }),
                };
                to.push(&next, candidate);
                false
            }
            Err(abort) => {
                worker.local.seen.see(&worker.machine.effects, false);
                aborted(event, sources, abort);
                false
            }
        });
    }

    /// Tries every step of a whole configuration, with every outcome of its choices, until `found` says that it is
    /// enough.
    fn every_whole_step(
        &mut self,
        key: &[u32],
        truth: u32,
        found: &mut dyn FnMut(&mut Self, Step, Tried) -> bool,
    ) {
        let (space, judge) = (self.space, self.judge);
        let Some(whole) = &space.whole else { return };
        let instance = space.instance;
        let before = whole.before(judge, key);
        for (number, event) in whole.events(instance, &mut self.machine, &before).into_iter().enumerate() {
            let contents = &space.parts().messages;
            let about = sources(instance, &mut self.machine, contents, &before.configuration, &event);
            let mut choices = EveryChoice::default();
            loop {
                if self.is_stopped() {
                    return;
                }
                let mut next = before.configuration.clone();
                self.machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                let done = self.machine.perform(instance, &mut next, &event, &mut choices);
                let event = Event { choices: self.machine.choices.clone(), ..event.clone() };
                let throw = space.throws.number(event.process, number, choices.made());
                let enough = match done {
                    Ok(false) | Err(StepError::Impossible(_)) => false,
                    Ok(true) => {
                        let Worker { machine, next: Next { known, .. }, .. } = self;
                        let key = whole.after(judge, known, machine, &event, (&before, truth), &next);
                        found(self, (event, about.clone(), throw), Ok(key))
                    }
                    Err(StepError::Aborted(abort)) => found(self, (event, about.clone(), throw), Err(abort)),
                };
                if enough {
                    return;
                }
                if !choices.next() {
                    break;
                }
            }
        }
    }

    /// From now on steps are tried until it is time to stop. What it finds after that is not all.
    pub fn until(&mut self, stop: Option<Stop>) {
        self.local.stop = stop;
    }

    pub fn is_stopped(&self) -> bool {
        self.local.is_stopped()
    }

    /// Were steps left out, since so much time, or so many rounds, may pass before?
    pub fn left_out_waits(&self) -> bool {
        self.machine.waits_left_out
    }

    /// Bytes of what is remembered of steps, about.
    pub fn bytes(&self) -> usize {
        self.local.bytes() + self.next.bytes()
    }

    /// What has been taken.
    pub fn seen(&self) -> &Coverage {
        &self.local.seen
    }

    /// The configuration, and what has been counted and observed on the way.
    pub fn decode(&mut self, key: &[u32]) -> (&Configuration, Seen) {
        self.space.decode(key, &mut self.configuration);
        (&self.configuration, self.judge.seen(self.space.ghost_of(self.judge, key)))
    }

    /// The step, with its choices, that leads from one vector to another, or to one that counts as the same: that one.
    /// Positions in channels whose order is not kept count from the message that comes first in order of content. Of several the
    /// first, or the one that is best as it is `priced`.
    pub fn step_between(
        &mut self,
        from: &[u32],
        to: &[u32],
        truth: u32,
        priced: Option<&Priced>,
    ) -> Option<(Event, Vec<u32>)> {
        let judge = self.judge;
        let mut best: Option<(i64, (Event, Vec<u32>))> = None;
        let mut take = |cost: &dyn Fn() -> u32, step: (Event, Vec<u32>)| {
            let weight = priced.map_or(0, |priced| priced.weigh(&judge.costs, cost()));
            if best.as_ref().is_none_or(|(known, _)| weight > *known) {
                best = Some((weight, step));
            }
            priced.is_none()
        };
        if !self.space.is_by_parts() {
            self.every_whole_step(from, truth, &mut |worker, (event, ..), next| match next {
                Ok(next) if next == to => {
                    take(&|| judge.costs.number(&worker.machine.metrics), (event, next))
                }
                _ => false,
            });
            return best.map(|(_, step)| step);
        }
        let own_hash = hash(from);
        if !self.space.is_local() {
            let found = self.in_order(from, truth);
            let Worker { local, next, space, .. } = self;
            let ways = local.all();
            for outcome in found.iter().map(|place| &ways.outcomes[*place as usize]) {
                if outcome.aborts() {
                    continue;
                }
                next.apply(from, own_hash, outcome, &ways);
                let step = || (ways.done(outcome).event.clone(), next.key.clone());
                if next.key == to && take(&|| space.labels.get(outcome.label).cost, step()) {
                    break;
                }
            }
            return best.map(|(_, step)| step);
        }
        let Worker { local, next, space, .. } = self;
        let n = space.parts().n();
        // A view may make one of what follows by two different steps: the one that was taken is preferred.
        let mut alike = None;
        'found: for process in 0..n {
            let steps = local.steps(process as u32, from[process], from[n + process]);
            let ways = local.ways(steps);
            for outcome in ways.outcomes.iter().filter(|outcome| !outcome.aborts()) {
                next.apply(from, own_hash, outcome, &ways);
                if next.key == to || (space.sameness.view.is_none() && space.same(&next.key, to)) {
                    let step = (ways.done(outcome).event.clone(), next.key.clone());
                    if take(&|| space.labels.get(outcome.label).cost, step) {
                        break 'found;
                    }
                }
                if alike.is_none() && space.same(&next.key, to) {
                    alike = Some((ways.done(outcome).event.clone(), next.key.clone()));
                }
            }
        }
        best.map(|(_, step)| step).or(alike)
    }

    /// Where processes can be exchanged: a step, of several the first or the best, that leads from one vector to another when that is put
    /// in order. Gives the vector it leads to, and who becomes whom when it is put in order.
    pub fn step_in_order(
        &mut self,
        from: &[u32],
        to: &[u32],
        priced: Option<&Priced>,
    ) -> Option<(Vec<u32>, Vec<u32>)> {
        let Worker { local, next, space, judge, .. } = self;
        let n = space.parts().n();
        let (own_hash, nobody): (u64, Vec<u32>) = (hash(from), (0..n as u32).collect());
        let (mut best, mut weight_of_best) = (None, i64::MIN);
        for process in 0..n {
            let steps = local.steps(process as u32, from[process], from[n + process]);
            let ways = local.ways(steps);
            for outcome in ways.outcomes.iter().filter(|outcome| !outcome.aborts()) {
                next.apply(from, own_hash, outcome, &ways);
                let reached = next.key.clone();
                let exchanged = next.arranging.as_mut()?.arrange(&mut next.key).map(<[u32]>::to_vec);
                if next.key != to {
                    continue;
                }
                let weight = priced
                    .map_or(0, |priced| priced.weigh(&judge.costs, space.labels.get(outcome.label).cost));
                if best.is_none() || weight > weight_of_best {
                    best = Some((reached, exchanged.unwrap_or_else(|| nobody.clone())));
                    weight_of_best = weight;
                }
                if priced.is_none() {
                    return best;
                }
            }
        }
        best
    }

    /// Who becomes whom when the vector is put in order; None: processes cannot be exchanged.
    pub fn order(&mut self, key: &[u32]) -> Option<Vec<u32>> {
        let arranging = self.next.arranging.as_mut()?;
        let exchanged = arranging.arrange(&mut key.to_vec()).map(<[u32]>::to_vec);
        Some(exchanged.unwrap_or_else(|| (0..self.space.parts().n() as u32).collect()))
    }

    /// The vector after an exchange.
    pub fn exchanged(&mut self, key: &[u32], to: &[u32]) -> Option<Vec<u32>> {
        self.next.arranging.as_mut().map(|arranging| arranging.renumbered(key, to))
    }

    /// The event of a command that goes wrong, where processes have been exchanged: the one of that process, with that cause, which makes
    /// the same choices if there is such a one.
    pub fn abort_in(&mut self, key: &[u32], event: &Event, to: &[u32]) -> Option<Event> {
        let Worker { local, space, .. } = self;
        let twins = space.twins.as_ref()?;
        let (n, process) = (space.parts().n(), to[event.process as usize]);
        let cause = match event.cause.clone() {
            Cause::Deliver { channel, position } => {
                let at = space.parts().position[channel as usize];
                let at = twins.channel(event.process as usize, at.into(), to);
                Cause::Deliver { channel: space.parts().incoming[process as usize][at as usize], position }
            }
            cause => cause,
        };
        let steps = local.steps(process, key[process as usize], key[n + process as usize]);
        let ways = local.ways(steps);
        let aborts = ways.outcomes.iter().filter(|outcome| outcome.aborts()).map(|o| &ways.done(o).event);
        let mut alike = aborts.filter(|own| own.cause == cause && own.alternative == event.alternative);
        let first = alike.next()?;
        let same = [first].into_iter().chain(alike).find(|own| own.choices == event.choices);
        Some(same.unwrap_or(first).clone())
    }

    /// The place of the message at that position of a channel, in a configuration that counts as the one in which it is there.
    pub fn place_in(&self, configuration: &Configuration, channel: u32, position: u32) -> u32 {
        match &self.space.whole {
            Some(whole) => whole.place_in(self.judge, configuration, channel, position),
            None if self.space.instance.layout.keeps_order(channel) => position,
            None => configuration.by_content(channel).get(position as usize).copied().unwrap_or(position),
        }
    }

    /// How many rounds had ended when the configuration with this vector was first met.
    pub fn rounds_in(&self, key: &[u32]) -> Option<u64> {
        match &self.space.whole {
            Some(whole) => whole.get(key).rounds(),
            // They are counted anew in each.
            None => (self.space.together() == Some(Together::Rounds)).then_some(0),
        }
    }

    pub fn is_local(&self) -> bool {
        self.space.is_local()
    }

    /// How many before that position of a channel have the same content there?
    pub fn same_before(&self, key: &[u32], channel: u32, position: u32) -> usize {
        self.space.parts().same_before(self.space.instance, key, channel, position)
    }

    /// Is this the message that the vector has at that position of a channel?
    pub fn place_of(&self, message: &MessageRef<'_>, key: &[u32], channel: u32, position: u32) -> bool {
        self.space.parts().is_message(self.space.instance, message, key, channel, position)
    }
}

/// Adds what a step leads to.
fn follow(
    (space, judge): (&Space<'_>, &Judge<'_>),
    next: &mut Next<'_>,
    key: &[u32],
    own_hash: u64,
    (outcome, ways): (&Outcome, &Ways<'_>),
    to: &mut Successors,
    aborted: GoesWrong<'_>,
) {
    let done = ways.done(outcome);
    if let Some(abort) = &done.abort {
        let sources = space.labels.get(outcome.label).sources.clone();
        return aborted(done.event.clone(), sources, abort.clone());
    }
    let (label, free) = (outcome.label, outcome.is_free());
    let hash = next.apply_in_order(key, own_hash, outcome, ways);
    let grew = judge.ghosts.needs.any() && key.last() != next.key.last();
    let touched = ways.touched(outcome) | if grew { judge.ghostly() } else { 0 };
    // In the middle of a joint step nobody looks.
    let touched = if space.is_between(&next.key) { 0 } else { touched };
    to.push(&next.key, Candidate { hash, touched, label, free });
}

/// Looks up what each process can do in each of these configurations.
#[inline]
fn look_up<const N: usize>(local: &mut Local<'_>, group: Part<'_>, to: &mut Vec<Steps>) {
    for place in 0..group.len() {
        for (process, own, inbox) in cells::<N>(group.packed(place)) {
            let steps = local.steps(process, own, inbox);
            local.fetch_ways(steps);
            to.push(steps);
        }
    }
}

/// Fetches what it takes to do so.
#[inline]
fn fetch<const N: usize>(local: &Local<'_>, group: Part<'_>) {
    for place in 0..group.len() {
        cells::<N>(group.packed(place)).for_each(|(process, own, inbox)| local.fetch(process, own, inbox));
    }
}

/// The processes of a vector, with the numbers of their local states and inboxes.
#[inline]
fn cells<const N: usize>(packed: &[u8]) -> impl Iterator<Item = (u32, u32, u32)> {
    let cells: &[[u8; N]] = packed.as_chunks().0;
    let (locals, inboxes) = cells.split_at(cells.len() / 2);
    (0u32..)
        .zip(locals.iter().zip(inboxes))
        .map(|(process, (own, inbox))| (process, number(*own), number(*inbox)))
}
