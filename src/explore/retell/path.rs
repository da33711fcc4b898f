//! From vectors to events: the run of a counterexample.

use crate::explore::graph::bounds::Priced;
use crate::explore::space::Space;
use crate::explore::space::starts::Start;
use crate::explore::space::symmetry::{inverse, then};
use crate::explore::steps::worker::Worker;
use crate::instance::Instance;
use crate::semantics::choice::Given;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};

/// How a run ends, behind the configurations it goes through.
pub enum Last {
    None,
    /// With a step to the configuration with this vector.
    Step(Vec<u32>),
    /// With an event that may go wrong.
    Event(Event),
}

/// The events that lead through these configurations, given by their vectors with the numbers of what is true in them, and
/// the vectors gone through. These configurations may stand for others that count as the same: `first` is the vector of
/// `start`. `priced`: which of several steps is taken. None: there is no such run, which would be a mistake of ours.
pub fn events(
    space: &Space<'_>,
    worker: &mut Worker<'_>,
    (start, first): (&Start, Vec<u32>),
    run: &[(Vec<u32>, u32)],
    last: &Last,
    priced: Option<&Priced>,
) -> Option<(Vec<Event>, Vec<Vec<u32>>)> {
    let instance = space.instance;
    let mut machine = Machine::new(instance);
    let mut configuration = start.configuration.clone();
    let mut events = start.events();
    let known = &run.last()?.0;
    let (mut at, mut through) = (first.clone(), vec![first]);
    let mut steps: Vec<(Vec<u32>, u32)> = run.windows(2).map(|pair| (pair[1].0.clone(), pair[0].1)).collect();
    let before_last = steps.len();
    if let Last::Step(key) = last {
        steps.push((key.clone(), run.last()?.1));
    }
    // Where processes can be exchanged: who of the configurations that are kept is who in the run.
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
        let (event, next) = worker.step_between(&at, &to, truth, priced)?;
        let event = placed(instance, worker, &configuration, &at, event)?;
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
    Some((events, through))
}

/// The event with the position that its message has in the real channel: vectors keep channels without order sorted.
fn placed(
    instance: &Instance,
    worker: &Worker<'_>,
    configuration: &Configuration,
    key: &[u32],
    mut event: Event,
) -> Option<Event> {
    if let Cause::Round { round } = &mut event.cause {
        // What stands for this configuration may have been met in another round.
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
    // Of several that are the same, who sent them may have known more each time.
    let messages = (0u32..).zip(configuration.channel(channel));
    let mut same = messages.filter(|(_, m)| worker.place_of(m, key, channel, position));
    let (position, _) = same.nth(worker.same_before(key, channel, position))?;
    Some(Event { cause: Cause::Deliver { channel, position }, ..event })
}
