//! Conversion of a path of vectors to the events of a run.

use crate::explore::graph::bounds::CostModel;
use crate::explore::initial_states::InitialState;
use crate::explore::reduction::symmetry::{inverse, then};
use crate::explore::space::Space;
use crate::explore::steps::worker::Worker;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::semantics::choice::Given;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};
use rustc_hash::FxHashMap;

/// The end of a run after its last vector.
pub enum Last {
    None,
    /// A step to the configuration with this vector.
    Step(Vec<u32>),
    /// An event, whose command may abort.
    Event(Event),
}

/// A run: its events, and the vectors of the configurations that it visits.
pub type Found = (Vec<Event>, Vec<Vec<u32>>);

/// Selection of one of several steps that lead to the next configuration.
#[derive(Clone, Copy)]
pub enum Selection<'p> {
    First,
    /// The step with the best price.
    Best(&'p CostModel),
    /// From the step with this number on, the step taken least often: no process and no message of a cycle waits forever.
    InTurn(usize),
}

impl<'p> Selection<'p> {
    pub fn best(priced: Option<&'p CostModel>) -> Selection<'p> {
        priced.map_or(Selection::First, Selection::Best)
    }

    fn priced(self) -> Option<&'p CostModel> {
        match self {
            Selection::Best(priced) => Some(priced),
            Selection::First | Selection::InTurn(_) => None,
        }
    }
}

/// Return the events that lead through these configurations, and the vectors visited. `run` contains vectors and the ids of
/// their truth vectors; they may represent equivalent configurations. `first` is the vector of `start`.
///
/// # Errors
/// If no event leads to the next configuration, which is a bug: the events up to there.
pub fn events(
    space: &Space<'_>,
    worker: &mut Worker<'_>,
    (start, first): (&InitialState, Vec<u32>),
    run: &[(Vec<u32>, u32)],
    last: &Last,
    selection: Selection<'_>,
) -> Result<Found, Vec<Event>> {
    let (mut events, mut through) = (start.events(), vec![first.clone()]);
    match follow(space, worker, (start, first), run, last, selection, (&mut events, &mut through)) {
        Some(()) => Ok((events, through)),
        None => Err(events),
    }
}

/// Append the events, and the vectors on the path. `None`: no event leads to the next configuration.
fn follow(
    space: &Space<'_>,
    worker: &mut Worker<'_>,
    (start, first): (&InitialState, Vec<u32>),
    run: &[(Vec<u32>, u32)],
    last: &Last,
    selection: Selection<'_>,
    (events, through): (&mut Vec<Event>, &mut Vec<Vec<u32>>),
) -> Option<()> {
    let instance = space.instance;
    let mut machine = Machine::new(instance);
    let mut configuration = start.configuration.clone();
    let known = &run.last()?.0;
    let mut at = first;
    let mut steps: Vec<(Vec<u32>, u32)> = run.windows(2).map(|pair| (pair[1].0.clone(), pair[0].1)).collect();
    let before_last = steps.len();
    let (priced, mut turns) = (selection.priced(), OldestFirst::default());
    if let Last::Step(key) = last {
        steps.push((key.clone(), run.last()?.1));
    }
    // With interchangeable processes: the permutation from stored configurations to those of the run.
    let mut back = worker.order(&at).map(|order| inverse(&order));
    let mut kept = run.first()?.0.clone();
    for (number, (to, truth)) in steps.into_iter().enumerate() {
        let to = match &mut back {
            Some(back) => {
                let (reached, order) = worker.step_in_order(&kept, &to, priced)?;
                kept = to;
                let real = worker.exchanged(&reached, back)?;
                *back = then(&inverse(&order), back);
                real
            }
            None if number == before_last => space.renumbered(known, &at, &to)?,
            None => to,
        };
        let (event, next) = match selection {
            Selection::InTurn(from) if number >= from && worker.is_local() => {
                let alike = worker.steps_alike(&at, &to).into_iter();
                let place =
                    |(event, next)| Some((placed(instance, worker, &configuration, &at, event)?, next));
                turns.next(&configuration, alike.filter_map(place))?
            }
            _ => {
                let (event, next) = worker.step_between(&at, &to, truth, priced)?;
                (placed(instance, worker, &configuration, &at, event)?, next)
            }
        };
        let mut given = Given::new(&event.choices);
        machine.perform(instance, &mut configuration, &event, &mut given).ok().filter(|done| *done)?;
        events.push(event);
        at.clone_from(&next);
        through.push(next);
    }
    if let Last::Event(event) = last {
        let event = match &back {
            Some(back) => worker.abort_in(&at, event, back)?,
            None => space.renumbered_event(known, &at, event.clone())?,
        };
        events.push(placed(instance, worker, &configuration, &at, event)?);
    }
    Some(())
}

/// The number of steps taken so far, by process and channel.
#[derive(Default)]
struct OldestFirst(FxHashMap<(ProcessId, Option<ChannelId>), u32>);

impl OldestFirst {
    /// Select the step taken least often; among messages of one channel, the step with the oldest.
    fn next(
        &mut self,
        configuration: &Configuration,
        steps: impl Iterator<Item = (Event, Vec<u32>)>,
    ) -> Option<(Event, Vec<u32>)> {
        let about = |event: &Event| match event.cause {
            Cause::Deliver { channel, .. } => (event.process, Some(channel)),
            _ => (event.process, None),
        };
        let age = |event: &Event| match event.cause {
            Cause::Deliver { channel, position } => {
                configuration.channel(channel).nth(position as usize).map(|message| message.id)
            }
            _ => None,
        };
        let taken = |event: &Event| self.0.get(&about(event)).copied().unwrap_or(0);
        let step = steps.min_by_key(|(event, _)| (taken(event), age(event)))?;
        *self.0.entry(about(&step.0)).or_default() += 1;
        Some(step)
    }
}

/// Return the event with the position of its message in the real channel: vectors keep unordered channels sorted.
fn placed(
    instance: &Instance,
    worker: &Worker<'_>,
    configuration: &Configuration,
    key: &[u32],
    mut event: Event,
) -> Option<Event> {
    if let Cause::Round { round } = &mut event.cause {
        // An equivalent configuration may have been found in another round.
        let met = worker.rounds_in(key).zip(configuration.rounds());
        *round = met.map_or(*round, |(met, here)| here + round.saturating_sub(met));
        return Some(event);
    }
    if let Cause::Deliver { channel, position }
    | Cause::Lose { channel, position }
    | Cause::Duplicate { channel, position } = &mut event.cause
        && !worker.is_local()
    {
        *position = worker.place_in(configuration, *channel, *position);
        return Some(event);
    }
    let Cause::Deliver { channel, position } = event.cause else {
        return Some(event);
    };
    if instance.layout.keeps_order(channel) || !worker.is_local() {
        return Some(event);
    }
    // Of several equal messages, each carries at least the causal past of the one before.
    let messages = (0u32..).zip(configuration.channel(channel));
    let mut same = messages.filter(|(_, m)| worker.place_of(m, key, channel, position));
    let (position, _) = same.nth(worker.same_before(key, channel, position))?;
    Some(Event { cause: Cause::Deliver { channel, position }, ..event })
}
