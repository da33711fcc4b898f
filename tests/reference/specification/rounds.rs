//! *Rounds*: all processes send; messages arrive in the round in which they are sent; all processes read them and proceed to the next
//! round.

use crate::specification::configuration::{Air, Configuration, Frame, Lane, Process, Sent, Task};
use crate::specification::eval::{Heard, condition};
use crate::specification::graph::{Action, Channel, Effect, Message};
use crate::specification::messages::{self, lanes_to};
use crate::specification::network::System;
use crate::specification::patterns::{Bindings, Target};
use crate::specification::possible::{fault_events, handler_events};
use crate::specification::radio;
use crate::specification::statements::{open, shown};
use crate::specification::step::{Event, Step, not_too_many, outcomes, resume, tried};
use crate::specification::value::{Failure, Name, Value, unspecified};
use crate::specification::waiting;
use synod::internals::syntax::ast::{Handler, StmtKind, Trigger};

/// The greatest number of quiet rounds that are enumerated one by one.
const MAX_QUIET: u64 = 100;

/// The end of one or several rounds. All rounds but the last are quiet: no process proceeds in them.
#[derive(Clone, Debug)]
struct RoundEnd {
    rounds: u64,
    /// The current round ends, so that processes receive its messages.
    fresh: bool,
    /// The processes that proceed, in the order of positions.
    going: Vec<usize>,
}

/// A way to proceed at the end of a round.
#[derive(Clone, Debug)]
enum Continuation {
    Arrival(&'static Handler),
    /// A branch of the waiting point, with the names that `arrived` binds.
    Branch(usize, Vec<(Name, Value)>),
}

pub fn successors(system: &System, from: &Configuration) -> Result<Vec<Step>, Failure> {
    let mut steps = Vec::new();
    let round_end = round_end(system, from)?;
    let quiet = match &round_end {
        Some(round_end) => round_end.rounds - 1,
        None => u64::from(is_slot_in_use(from) && !must_wake(system, from)?),
    };
    for p in 0..system.n() {
        for event in events(system, from, p)? {
            steps.extend(outcomes(system, from, p, &event)?);
            // *Whoever may wake in any round, or come back after a crash, may do so between any two of them: then those before have
            // ended, one by one, and what had been sent is gone.*
            if matches!(event, Event::Wakeup(..) | Event::Restart) {
                if quiet > MAX_QUIET {
                    return unspecified("a start after one of too many quiet rounds");
                }
                for rounds in 1..=quiet {
                    let later = passed(system, from, rounds);
                    let mut late = outcomes(system, &later, p, &event)?;
                    for step in late.iter_mut().filter(|step| step.target.is_ok()) {
                        let gone = taken(system, from, 0..system.n(), false);
                        step.parts[0].effects.splice(0..0, gone);
                    }
                    steps.extend(late.into_iter().map(|step| Step { rounds, ..step }));
                }
            }
        }
    }
    if let Some(round_end) = round_end {
        steps.extend(end(system, from, &round_end)?);
    }
    Ok(steps)
}

/// Test whether the next round differs from this one: messages are in transit, or, with `radio`, a process has transmitted or listened.
fn is_slot_in_use(from: &Configuration) -> bool {
    let acts = |process: &Process| process.air != Air::Undecided || process.transmitted_before;
    !from.channels.is_empty() || from.processes.iter().any(acts)
}

/// Return the events between rounds: wake-ups and faults.
fn events(system: &System, from: &Configuration, p: usize) -> Result<Vec<Event>, Failure> {
    let mut events = Vec::new();
    if from.processes[p].up && !from.processes[p].parts[0].halted {
        handler_events(system, from, p, 0, &mut events)?;
    }
    fault_events(system, from, p, &mut events);
    Ok(events)
}

/// *Initiators with `on wakeup` wake in the first round, or, with `spontaneous start`, in any.*
fn must_wake(system: &System, from: &Configuration) -> Result<bool, Failure> {
    if system.component(0).assumes("spontaneous start") {
        return Ok(false);
    }
    for p in 0..system.n() {
        if events(system, from, p)?.iter().any(|event| matches!(event, Event::Wakeup(..))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Return the next round in which some process proceeds, if any. It skips quiet rounds, *those in which nobody can go on, because nothing
/// that anybody waits for is under way and no `after k` is over*.
fn round_end(system: &System, from: &Configuration) -> Result<Option<RoundEnd>, Failure> {
    if must_wake(system, from)? {
        return Ok(None);
    }
    let least = (0..system.n()).filter_map(|p| least_due(from, p)).min();
    // The current round; a round without messages; the round in which the first `after k` expires.
    for (rounds, fresh) in
        [Some((1, true)), Some((2, false)), least.map(|due| (due, false))].into_iter().flatten()
    {
        let mut going = Vec::new();
        for p in 0..system.n() {
            if goes_on(system, from, p, rounds, fresh)? {
                going.push(p);
            }
        }
        if !going.is_empty() {
            return Ok(Some(RoundEnd { rounds, fresh, going }));
        }
    }
    Ok(None)
}

fn goes_on(
    system: &System,
    from: &Configuration,
    p: usize,
    rounds: u64,
    fresh: bool,
) -> Result<bool, Failure> {
    let process = &from.processes[p];
    if !process.up || process.parts[0].halted {
        return Ok(false);
    }
    match continuations(system, from, p, &heard(system, from, p, fresh), rounds) {
        Ok(all) => Ok(!all.is_empty()),
        // If a guard aborts, the step does.
        Err(Failure::Abort(_)) => Ok(true),
        Err(failure) => Err(failure),
    }
}

fn least_due(from: &Configuration, p: usize) -> Option<u64> {
    let process = &from.processes[p];
    let point = waiting::point(&process.thread).filter(|_| process.up && !process.parts[0].halted)?;
    point.due.iter().flatten().min().copied()
}

/// *`received` is what the round has brought*, *in the order of the ports they came in at (or of the senders)*.
fn heard(system: &System, from: &Configuration, p: usize, fresh: bool) -> Heard {
    if system.has_radio() {
        return radio::heard(system, from, p, fresh);
    }
    let mut heard = Heard::default();
    let mut lanes = if fresh { lanes_to(system, from, p) } else { Vec::new() };
    lanes.sort_by_key(|lane| system.sender(*lane));
    for lane in lanes.into_iter().filter(|lane| !from.failed.contains(&lane.link)) {
        let came = from.channels[&lane].iter().map(|sent| (system.sender(lane), sent.content.clone()));
        heard.received.extend(came);
    }
    heard
}

/// Return the ways in which a process can proceed after this number of rounds.
fn continuations(
    system: &System,
    from: &Configuration,
    p: usize,
    heard: &Heard,
    rounds: u64,
) -> Result<Vec<Continuation>, Failure> {
    // *`on arrival` fires at the end of a round that has brought something.*
    if !heard.received.is_empty() {
        let scope = messages::scope(system, from, p, 0);
        let handlers = system.component(0).handlers.iter().filter(|rule| messages::is_active(rule, &scope));
        let arrivals = handlers.filter(|rule| {
            matches!(&rule.what.trigger, Trigger::On(guard)
                if messages::event(guard, &scope) == Some("arrival"))
        });
        let open: Vec<Continuation> = arrivals.map(|rule| Continuation::Arrival(rule.what)).collect();
        if !open.is_empty() {
            return Ok(open);
        }
    }
    let Some(point) = waiting::point(&from.processes[p].thread) else { return Ok(Vec::new()) };
    let mut scope = messages::frame_scope(system, from, p, point.frame);
    scope.heard = Some(heard);
    let known = scope.locals.len();
    Ok(match &point.stmt.kind {
        // *`round` waits for the end of the round.*
        StmtKind::Round => vec![Continuation::Branch(0, Vec::new())],
        // *`await e` ends rounds, one at least, until `e` holds at the end of one.*
        StmtKind::Await(awaited) => {
            if condition(awaited, &mut scope)? {
                vec![Continuation::Branch(0, scope.locals[known..].to_vec())]
            } else {
                Vec::new()
            }
        }
        // *`if`/`do` with `after k` end rounds until one of their guards holds at the end of a round. `after k` holds when `k` rounds have
        // ended since the process came here, and none of the others does.*
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            let mut all: Vec<Continuation> = open(branches, &scope)?
                .into_iter()
                .map(|(k, names)| Continuation::Branch(k, names))
                .collect();
            if all.is_empty() {
                let over = |k: &usize| point.due[*k].is_some_and(|due| due <= rounds);
                all.extend((0..branches.len()).filter(over).map(|k| Continuation::Branch(k, Vec::new())));
            }
            all
        }
        _ => return unspecified("this waiting point in a round"),
    })
}

/// Return the configuration after this number of rounds: *what nobody looks at is gone*.
fn passed(system: &System, from: &Configuration, rounds: u64) -> Configuration {
    let mut later = from.clone();
    later.channels.clear();
    for p in 0..system.n() {
        later.processes[p].air = Air::Undecided;
        later.processes[p].transmitted_before = false;
        for frame in &mut later.processes[p].thread {
            later_by(frame, rounds);
        }
    }
    later
}

fn later_by(frame: &mut Frame, rounds: u64) {
    for task in &mut frame.tasks {
        if let Task::Wait(waiting) = task {
            waiting.due.iter_mut().flatten().for_each(|due| *due = due.saturating_sub(rounds));
        }
    }
}

/// *When all have arrived, the round ends, and all go on.* This is a joint step, in which each process reads the configuration before it.
fn end(system: &System, from: &Configuration, round_end: &RoundEnd) -> Result<Vec<Step>, Failure> {
    let now = passed(system, from, round_end.rounds);
    let mut open = vec![Step { parts: Vec::new(), rounds: round_end.rounds, target: Ok(now) }];
    for p in &round_end.going {
        let mut next = Vec::new();
        for step in open {
            let Ok(now) = &step.target else {
                next.push(step);
                continue;
            };
            let all = tried(system, from, now, *p, Action::Round, &|command| {
                let heard = heard(system, from, *p, round_end.fresh);
                let mut continuations = continuations(system, from, *p, &heard, round_end.rounds)?;
                let continuation = continuations.swap_remove(command.choose(continuations.len()));
                if step.parts.is_empty() {
                    // What is sent to processes that do not go on is gone.
                    let others = (0..system.n()).filter(|q| !round_end.going.contains(q));
                    command.effects.extend(taken(system, from, others, false));
                }
                command.effects.extend(taken(system, from, [*p].into_iter(), round_end.fresh));
                // `on wakeup`: *a message that arrives before cancels it; with `radio`, any transmission that the process notices.*
                if arriving(system, from, *p, round_end.fresh).iter().any(|(_, _, notices)| *notices) {
                    command.own().sleeps = false;
                }
                command.heard = heard;
                match continuation {
                    Continuation::Arrival(handler) => {
                        command.run_handler(0, &handler.body, Bindings::default())
                    }
                    Continuation::Branch(branch, names) => {
                        let mut thread = command.take_thread();
                        let all = names.into_iter().map(|(name, value)| (Target::New(name), value)).collect();
                        resume(command, &mut thread, branch, Bindings { all })?;
                        command.run_thread(thread)
                    }
                }
            })?;
            for (part, target) in all {
                let parts = step.parts.iter().cloned().chain([part]).collect();
                next.push(Step { parts, rounds: round_end.rounds, target });
            }
        }
        open = next;
        not_too_many(open.len())?;
    }
    Ok(open)
}

/// Return the messages that end at a process with the round, and whether it receives each.
fn arriving(
    system: &System,
    from: &Configuration,
    p: usize,
    fresh: bool,
) -> Vec<(Channel, Message<Value>, bool)> {
    let listens = fresh && (!system.has_radio() || radio::notices(system, from, p));
    let of_lane = |lane: Lane| {
        let receives = listens && !from.failed.contains(&lane.link);
        let of = move |sent: &Sent| (system.channel(lane), shown(system, &sent.content), receives);
        from.channels[&lane].iter().map(of)
    };
    lanes_to(system, from, p).into_iter().flat_map(of_lane).collect()
}

/// Return the effects of the end of a round on the messages to these processes. Each is the oldest of its kind.
fn taken(
    system: &System,
    from: &Configuration,
    to: impl Iterator<Item = usize>,
    fresh: bool,
) -> Vec<Effect<Value>> {
    let of = |p: usize| arriving(system, from, p, fresh);
    let effect = |(channel, message, receives): (Channel, Message<Value>, bool)| Effect::Taken {
        channel,
        message,
        nth: 0,
        lost: !receives,
    };
    to.flat_map(of).map(effect).collect()
}
