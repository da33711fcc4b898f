//! *Step*: one guarded command of one process, and all events of the environment.

use crate::specification::choices::Choices;
use crate::specification::command::Command;
use crate::specification::configuration::{Configuration, Frame, Lane, Part as Held, Process, Task, Timer};
use crate::specification::eval::eval;
use crate::specification::graph::{Action, Channel, Effect, Message, Part};
use crate::specification::messages::{self, Taker, deliveries, gatherings};
use crate::specification::network::{Daemon, System};
use crate::specification::possible::{candidates, events, is_lost_freely};
use crate::specification::statements::shown;
use crate::specification::value::{Content, Failure, Value, unspecified};
use crate::specification::waiting::{self, Alone};
use std::cell::RefCell;
use synod::internals::syntax::ast::{StmtKind, Trigger};

/// The greatest number of outcomes of a step; larger steps are refused.
const MAX_OUTCOMES: usize = 5_000;

/// An enabled event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Deliver(Lane, usize),
    /// The branch, and the channel and the position of each message.
    Gather(usize, Vec<(Lane, usize)>),
    Alone(Alone),
    /// `when g`, `when some x in S with g`: the component, the number of the handler, and `x`.
    When(usize, usize, Option<Value>),
    Wakeup(usize, usize),
    /// *Pairwise interactions*: the port that leads to the responder, and the number of the handler.
    Interact(usize, usize),
    Mislead,
    SetRight,
    /// A timer of the waiting point, by branch; `Timeout` is one of a component, with the number of the handler.
    BranchTimer(usize),
    Timeout(usize, Timer, usize),
    /// *Failure detectors*: the suspected process, the component, and the number of the handler.
    Suspect(usize, usize, usize),
    SuspectWrongly(usize, usize, usize),
    Trust(usize, usize, usize),
    Crash,
    Restart,
    Lose(Lane, usize),
    Duplicate(Lane, usize),
    Cut(u32),
}

/// A step: the part of each participating process, and the target.
#[derive(Clone, Debug)]
pub struct Step {
    pub parts: Vec<Part<Value>>,
    pub rounds: u64,
    pub target: Result<Configuration, Failure>,
}

/// Return all steps of a configuration, with all outcomes of their choices.
pub fn successors(system: &System, from: &Configuration) -> Result<Vec<Step>, Failure> {
    if system.has_rounds() {
        return crate::specification::rounds::successors(system, from);
    }
    if matches!(system.daemon(), Some(Daemon::Synchronous | Daemon::Distributed)) {
        return crate::specification::reading::successors(system, from);
    }
    if system.is_timed() {
        return crate::specification::time::successors(system, from);
    }
    let mut steps = Vec::new();
    for p in 0..system.n() {
        for event in events(system, from, p)? {
            steps.extend(outcomes(system, from, p, &event)?);
        }
        // *Where `timers` is assumed, and no bound, there is no clock. An armed timer may run out at any moment.*
        for event in crate::specification::time::timeouts(system, from, p)? {
            steps.extend(outcomes(system, from, p, &event)?);
        }
    }
    Ok(steps)
}

/// *Start first: every process runs from its beginning to its first waiting point before anything is delivered to it.*
pub fn starts(system: &System) -> Result<Vec<Step>, Failure> {
    let parts = vec![Held::default(); system.program.components.len()];
    let process = Process { up: true, parts, ..Process::default() };
    let begun = Configuration {
        processes: vec![process; system.n()],
        faults: system.settings.faults,
        ..Configuration::default()
    };
    let mut open = vec![Step { parts: Vec::new(), rounds: 0, target: Ok(begun) }];
    for p in 0..system.n() {
        let mut next = Vec::new();
        for step in open {
            let Ok(from) = &step.target else {
                next.push(step);
                continue;
            };
            for (part, target) in tried(system, from, from, p, Action::Start, &|command| command.start())? {
                let parts = step.parts.iter().cloned().chain([part]).collect();
                next.push(Step { parts, rounds: 0, target });
            }
        }
        open = next;
        not_too_many(open.len())?;
    }
    Ok(open)
}

/// Refuse a step with too many outcomes.
pub fn not_too_many(outcomes: usize) -> Result<(), Failure> {
    if outcomes > MAX_OUTCOMES { unspecified("a step with so many outcomes") } else { Ok(()) }
}

/// *`on wakeup -> …` fires at any time, once, at each initiator.*
pub fn may_wake(system: &System, p: usize) -> bool {
    let wakes = |c: usize| {
        let configuration = Configuration::default();
        let scope = messages::scope(system, &configuration, p, c);
        system.component(c).handlers.iter().any(|rule| {
            crate::specification::module::fits(rule.role, system.role(p, c))
                && matches!(&rule.what.trigger, Trigger::On(guard)
                    if messages::event(guard, &scope) == Some("wakeup"))
        })
    };
    system.settings.initiators[p] && (0..system.program.components.len()).any(wakes)
}

/// *Reading neighbours*: test whether a process can make a move; *that its oracles become right is none*.
pub fn is_enabled(system: &System, configuration: &Configuration, p: usize) -> Result<bool, Failure> {
    let is_move = |event: &Event| !event.is_fault() && !matches!(event, Event::SetRight);
    Ok(events(system, configuration, p)?.iter().any(is_move))
}

impl Event {
    pub fn is_fault(&self) -> bool {
        use Event::*;
        matches!(self, Mislead | SuspectWrongly(..) | Crash | Restart | Lose(..) | Duplicate(..) | Cut(_))
    }
}

/// The part of a process in a step, and the resulting configuration.
pub type Outcome = (Part<Value>, Result<Configuration, Failure>);

/// Return all outcomes of the choices of a command. It changes `now`, and reads other processes in `before`.
pub fn tried(
    system: &System,
    before: &Configuration,
    now: &Configuration,
    p: usize,
    action: Action<Value>,
    run: &dyn Fn(&mut Command<'_>) -> Result<(), Failure>,
) -> Result<Vec<Outcome>, Failure> {
    let choices = RefCell::new(Choices::default());
    let mut found = Vec::new();
    loop {
        let mut command = Command::new(system, before, now.clone(), p, &choices);
        let result = run(&mut command);
        let (effects, now) = (std::mem::take(&mut command.effects), command.now);
        // «Such a message need not arrive.»
        let may_be_lost = |(channel, _): &(Channel, Message<Value>)| {
            system.may_lose(before, channel.from) && !system.is_timed()
        };
        let omissible = match &action {
            Action::Deliver(channel, message) => may_be_lost(&(channel.clone(), message.clone())),
            Action::Gather(taken) => taken.iter().any(may_be_lost),
            _ => action.is_fault(),
        };
        let made = choices.borrow().made();
        let part = Part { process: p, action: action.clone(), omissible, choices: made, effects };
        match result {
            Ok(()) => found.push((part, Ok(now))),
            Err(Failure::Unspecified(what)) => return unspecified(what),
            // *An aborted command leaves nothing behind.*
            Err(failure) => found.push((Part { effects: Vec::new(), ..part }, Err(failure))),
        }
        if !choices.borrow_mut().advance() {
            return Ok(found);
        }
        not_too_many(found.len())?;
    }
}

pub fn outcomes(
    system: &System,
    from: &Configuration,
    p: usize,
    event: &Event,
) -> Result<Vec<Step>, Failure> {
    let all = parts(system, from, from, p, event)?;
    Ok(all.into_iter().map(|(part, target)| Step { parts: vec![part], rounds: 0, target }).collect())
}

/// Return all outcomes of an event at a process, in a step or in its part of a joint step.
pub fn parts(
    system: &System,
    before: &Configuration,
    now: &Configuration,
    p: usize,
    event: &Event,
) -> Result<Vec<Outcome>, Failure> {
    let action = label(system, before, p, event);
    tried(system, before, now, p, action, &|command| happen(command, event))
}

fn message(configuration: &Configuration, lane: Lane, at: usize) -> &Content {
    &configuration.channels[&lane][at].content
}

fn label(system: &System, from: &Configuration, p: usize, event: &Event) -> Action<Value> {
    let described = |lane: &Lane, at: usize| (system.channel(*lane), shown(system, message(from, *lane, at)));
    match event {
        Event::Deliver(lane, at) => {
            let (channel, message) = described(lane, *at);
            Action::Deliver(channel, message)
        }
        Event::Gather(_, taken) => {
            Action::Gather(taken.iter().map(|(lane, at)| described(lane, *at)).collect())
        }
        Event::Alone(alone) => {
            let at = waiting::point(&from.processes[p].thread).map_or(0, |point| point.stmt.span.start);
            Action::Alone(format!("{alone:?} at {at}"))
        }
        Event::When(c, k, element) => {
            let at = system.component(*c).handlers[*k].what.span.start;
            Action::Alone(format!("{} when at {at} {element:?}", system.component(*c).path))
        }
        Event::Wakeup(..) => Action::Alone("on wakeup".into()),
        Event::Interact(port, k) => Action::Interact(system.peer(p, *port).unwrap_or(p), *k),
        Event::BranchTimer(branch) => Action::Alone(format!("after, branch {branch}")),
        Event::Timeout(c, timer, _) => Action::Alone(format!("{} {timer:?}", system.component(*c).path)),
        Event::Suspect(of, ..) => Action::Suspect(*of),
        Event::SuspectWrongly(of, ..) => Action::SuspectWrongly(*of),
        Event::Trust(of, ..) => Action::Trust(*of),
        Event::Mislead => Action::Mislead,
        Event::SetRight => Action::SetRight,
        Event::Crash => Action::Crash,
        Event::Restart => Action::Restart,
        Event::Lose(lane, at) => Action::Lose(system.channel(*lane), *at),
        Event::Duplicate(lane, at) => Action::Duplicate(system.channel(*lane), *at),
        Event::Cut(link) => {
            let channel = system.channel(Lane { component: 0, link: *link });
            Action::Cut(channel.to, channel.link)
        }
    }
}

fn happen(command: &mut Command<'_>, event: &Event) -> Result<(), Failure> {
    match event {
        Event::Deliver(lane, at) => deliver(command, *lane, *at),
        Event::Gather(branch, taken) => gather(command, *branch, taken),
        Event::Alone(_) => {
            let thread = command.take_thread();
            go_on(command, thread, event)
        }
        Event::When(c, k, element) => {
            let scope = messages::scope(command.system, command.before, command.process, *c);
            let handler = command.system.component(*c).handlers[*k].what;
            let mut bindings = crate::specification::patterns::Bindings::default();
            match (&handler.trigger, element) {
                (Trigger::When(guard), _) => {
                    eval(guard, &scope)?.truth()?;
                }
                (Trigger::WhenSome { pattern, .. }, Some(element)) => {
                    let inner = crate::specification::eval::bound(pattern, element, &scope)?;
                    let locals = inner.map(|inner| inner.locals).unwrap_or_default();
                    bindings.all = locals
                        .into_iter()
                        .map(|(name, value)| (crate::specification::patterns::Target::New(name), value))
                        .collect();
                }
                _ => {
                    candidates(handler, &scope)?;
                }
            }
            command.run_handler(*c, &handler.body, bindings)
        }
        Event::Wakeup(c, k) => {
            let handler = command.system.component(*c).handlers[*k].what;
            command.own().sleeps = false;
            command.own().woke = true;
            command.run_handler(*c, &handler.body, crate::specification::patterns::Bindings::default())
        }
        Event::Interact(port, k) => crate::specification::pairs::interact(command, *port, *k),
        Event::BranchTimer(branch) => {
            let mut thread = command.take_thread();
            resume(command, &mut thread, *branch, crate::specification::patterns::Bindings::default())?;
            command.run_thread(thread)
        }
        Event::Timeout(c, timer, k) => {
            command.own().parts[*c].timers.remove(timer);
            let handler = command.system.component(*c).handlers[*k].what;
            command.run_handler(*c, &handler.body, crate::specification::patterns::Bindings::default())
        }
        Event::Suspect(of, c, k) | Event::SuspectWrongly(of, c, k) | Event::Trust(of, c, k) => {
            crate::specification::detectors::deliver_report(command, event, *of, *c, *k)
        }
        Event::Mislead => {
            command.now.faults.lie -= 1;
            command.now.misled.insert(command.process);
            Ok(())
        }
        Event::SetRight => {
            command.now.misled.remove(&command.process);
            Ok(())
        }
        Event::Crash => {
            command.crash();
            Ok(())
        }
        Event::Restart => restart(command),
        Event::Lose(lane, at) => {
            if !is_lost_freely(command.system, command.before, *lane, *at) {
                command.now.faults.loss -= 1;
            }
            take(command, *lane, *at, true);
            Ok(())
        }
        Event::Duplicate(lane, at) => {
            command.now.faults.duplication -= 1;
            duplicate(command, *lane, *at);
            Ok(())
        }
        Event::Cut(link) => {
            command.now.faults.link -= 1;
            command.now.failed.insert(*link);
            Ok(())
        }
    }
}

/// Remove a message from its channel.
fn take(command: &mut Command<'_>, lane: Lane, at: usize, lost: bool) {
    let messages = command.now.channels.entry(lane).or_default();
    let content = messages.remove(at).content;
    let nth = messages[..at].iter().filter(|sent| sent.content == content).count();
    if messages.is_empty() {
        command.now.channels.remove(&lane);
    }
    let (channel, message) = (command.system.channel(lane), shown(command.system, &content));
    command.effects.push(Effect::Taken { channel, message, nth, lost });
}

/// *A copy comes directly behind it*; in rounds without order of channels, at any position.
fn duplicate(command: &mut Command<'_>, lane: Lane, at: usize) {
    let copy = command.now.channels[&lane][at].clone();
    let mut places = vec![at + 1];
    if command.system.has_rounds() && command.system.is_unordered(lane) {
        places = crate::specification::statements::places(&command.now.channels[&lane], &copy);
    }
    let to = places[command.choose(places.len())];
    let messages = command.now.channels.entry(lane).or_default();
    let nth = messages[..at].iter().filter(|sent| sent.content == copy.content).count();
    let (channel, message) = (command.system.channel(lane), shown(command.system, &copy.content));
    messages.insert(to, copy);
    command.effects.push(Effect::Duplicated { channel, message, nth });
}

fn deliver(command: &mut Command<'_>, lane: Lane, at: usize) -> Result<(), Failure> {
    let p = command.process;
    if !command.before.processes[p].up || command.before.failed.contains(&lane.link) {
        take(command, lane, at, true);
        return Ok(());
    }
    let found = deliveries(command.system, command.before, p, lane)?;
    // Messages of different ages may be equal by now.
    let messages = &command.before.channels[&lane];
    let Some((_, takers)) = found.into_iter().find(|(k, _)| messages[*k] == messages[at]) else {
        return unspecified("a delivery that is not possible");
    };
    let mut takers = takers?;
    let taker = takers.swap_remove(command.choose(takers.len()));
    // `on wakeup`: *a message that comes first cancels it*.
    command.own().sleeps = false;
    if !matches!(taker, Taker::Arrival(_)) {
        take(command, lane, at, false);
    }
    match taker {
        Taker::Body(input, bindings) => {
            let mut thread = command.take_thread();
            resume(command, &mut thread, input.branch, bindings)?;
            command.run_thread(thread)
        }
        Taker::Handler(handler, bindings) => command.run_handler(lane.component, &handler.body, bindings),
        Taker::Arrival(handler) => command.run_handler(
            lane.component,
            &handler.body,
            crate::specification::patterns::Bindings::default(),
        ),
        Taker::Ignore => Ok(()),
    }
}

fn gather(command: &mut Command<'_>, branch: usize, taken: &[(Lane, usize)]) -> Result<(), Failure> {
    let (p, before) = (command.process, command.before);
    let Some(point) = waiting::point(&before.processes[p].thread) else {
        return unspecified("a message for an idle thread");
    };
    let inputs = waiting::inputs(point.stmt);
    let Some(input) = inputs.into_iter().find(|input| input.branch == branch) else {
        return unspecified("a message for no input");
    };
    let senders = point.senders[branch].as_deref().unwrap_or(&[]);
    let all = gatherings(command.system, before, p, input, senders, point.frame)?;
    let chosen = all.into_iter().find(|way| {
        let sent = |lane: &Lane, at: usize| &before.channels[lane][at];
        let same =
            |((a, j, _), (b, k)): (&(Lane, usize, _), &(Lane, usize))| a == b && sent(a, *j) == sent(b, *k);
        way.len() == taken.len() && way.iter().zip(taken).all(same)
    });
    let mut bindings = crate::specification::patterns::Bindings::default();
    for (_, _, one) in chosen.unwrap_or_default() {
        bindings.all.extend(one.all);
    }
    if !taken.is_empty() {
        command.own().sleeps = false;
    }
    for (lane, at) in taken {
        take(command, *lane, *at, false);
    }
    let mut thread = command.take_thread();
    resume(command, &mut thread, branch, bindings)?;
    command.run_thread(thread)
}

fn go_on(command: &mut Command<'_>, mut thread: Vec<Frame>, event: &Event) -> Result<(), Failure> {
    let Some(point) = waiting::point(&thread) else { return unspecified("an idle thread") };
    let scope = messages::frame_scope(command.system, command.before, command.process, point.frame);
    waiting::alone(point.stmt, &scope)?;
    match event {
        Event::Alone(Alone::Branch(branch)) => {
            resume(command, &mut thread, *branch, crate::specification::patterns::Bindings::default())?;
        }
        _ => {
            if let Some(frame) = thread.last_mut() {
                frame.tasks.pop();
            }
        }
    }
    command.run_thread(thread)
}

/// Resume the thread from its waiting point, in a branch or after its `receive`.
pub fn resume(
    command: &mut Command<'_>,
    thread: &mut [Frame],
    branch: usize,
    bindings: crate::specification::patterns::Bindings,
) -> Result<(), Failure> {
    let Some(frame) = thread.last_mut() else { return unspecified("an idle thread") };
    let Some(Task::Wait(waiting)) = frame.tasks.pop() else { return unspecified("no waiting point") };
    match &waiting.at.0.kind {
        StmtKind::If(branches) => {
            frame.enter(&branches[branch].body);
        }
        StmtKind::Do(branches) => {
            frame.tasks.push(Task::Again(waiting.at));
            frame.enter(&branches[branch].body);
        }
        _ => {}
    }
    command.take_bindings(bindings, frame)
}

/// *A restart begins the process anew: variables have their initial values but for those declared `persistent var`, and the first commands run
/// (and the client's). Then, in the same step, `on restart -> …` of the state it is in.*
fn restart(command: &mut Command<'_>) -> Result<(), Failure> {
    command.now.faults.restart -= 1;
    let process = command.own();
    process.up = true;
    process.parts.iter_mut().for_each(|part| part.halted = false);
    crate::specification::detectors::clear_suspicions(command);
    command.set_variables(true)?;
    command.begin()?;
    let p = command.process;
    let mut open = Vec::new();
    if command.now.processes[p].up && !command.now.processes[p].parts[0].halted {
        for c in 0..command.system.program.components.len() {
            let scope = messages::scope(command.system, &command.now, p, c);
            for rule in &command.system.component(c).handlers {
                if let Trigger::On(guard) = &rule.what.trigger
                    && messages::is_active(rule, &scope)
                    && messages::event(guard, &scope) == Some("restart")
                {
                    open.push((c, &rule.what.body));
                }
            }
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    let (c, body) = open[command.choose(open.len())];
    command.run_handler(c, body, crate::specification::patterns::Bindings::default())
}
