//! Counterexamples made shorter, and explained: which event made the condition false, and what had to happen before it.

use super::{Counterexample, Wrong};
use crate::instance::{Instance, Pace};
use crate::property::{Ended, Judgement, Watch};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine, Metrics, StepError};
use crate::source::Span;
use crate::syntax::ast::PropertyKind;
use rustc_hash::FxHashMap;

/// Longer runs are not tried without some of their events: each try runs them again.
const MOST_EVENTS: usize = 400;

/// Why a run is a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The event (from 0) after which the condition was false, or whose command went wrong. None: it is the end of the
    /// run, or the run as a whole.
    pub flipped_by: Option<usize>,
    /// It, and the events that happened before it, ascending: its causal past.
    pub past: Vec<usize>,
    /// Which conjunct, for which values. Empty where the run as a whole is meant.
    pub why: String,
    pub span: Option<Span>,
    /// Names of all promised invariants, stable properties and orders that the run violates.
    pub violated: Vec<String>,
}

/// What running events again has shown.
struct Again {
    /// By event: messages sent and taken, by number; notes are numbered from the top.
    sent: Vec<Vec<u64>>,
    received: Vec<Vec<u64>>,
    /// What is wrong is so at this event.
    flipped_by: Option<usize>,
    why: String,
    span: Option<Span>,
    violated: Vec<String>,
    /// The events as they were taken.
    events: Vec<Event>,
}

/// Explains a counterexample. None: the run cannot be repeated, which would be a mistake of ours.
pub fn explain(instance: &Instance, counterexample: &Counterexample) -> Option<Explanation> {
    let again =
        run(instance, &counterexample.what, counterexample.events.iter().cloned().map(|e| (e, None)))?;
    let causes = causes(&again);
    let past = match again.flipped_by {
        Some(event) => past(&causes, event),
        None => Vec::new(),
    };
    let Again { flipped_by, why, span, violated, .. } = again;
    Some(Explanation { flipped_by, past, why, span, violated })
}

/// The run without the events that do not matter for what is wrong: those whose leaving out leaves a run that shows the
/// same conjunct false. What must be an end, or goes on for ever, stays as it is.
pub fn shorten(instance: &Instance, counterexample: Counterexample) -> Counterexample {
    let what = &counterexample.what;
    let about_a_moment = match what {
        Wrong::Property(property) => matches!(
            instance.program.properties[*property].kind,
            PropertyKind::Invariant | PropertyKind::Stable | PropertyKind::Order
        ),
        Wrong::Aborted(_) => true,
        Wrong::Stuck(_) => false,
    };
    let events = &counterexample.events;
    if !about_a_moment || instance.model.pace != Pace::Single || events.len() > MOST_EVENTS {
        return counterexample;
    }
    let whole = run(instance, what, events.iter().cloned().map(|e| (e, None)));
    let Some((whole, last)) = whole.and_then(|whole| whole.flipped_by.map(|last| (whole, last))) else {
        return counterexample;
    };
    let causes = causes(&whole);
    let mut kept: Vec<bool> = (0..events.len()).map(|event| event <= last).collect();
    loop {
        let mut shorter = false;
        for event in (0..last).rev() {
            let needed = |later: usize| kept[later] && causes[later].contains(&event);
            if !kept[event] || events[event].cause == Cause::Start || (event + 1..=last).any(needed) {
                continue;
            }
            kept[event] = false;
            let same = subset(instance, what, &whole, events, &kept)
                .is_some_and(|run| run.flipped_by == Some(run.events.len() - 1) && run.span == whole.span);
            kept[event] = !same;
            shorter |= same;
        }
        if !shorter {
            break;
        }
    }
    let Some(run) = subset(instance, what, &whole, events, &kept) else { return counterexample };
    Counterexample { events: run.events, ..counterexample }
}

/// The run of some of the events: with each that is taken, everything that happened before it is.
fn subset(
    instance: &Instance,
    what: &Wrong,
    whole: &Again,
    events: &[Event],
    kept: &[bool],
) -> Option<Again> {
    // By message of the whole run: the event that sent it, counted among those kept, and its place there.
    let mut origin: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
    let mut list = Vec::new();
    for (number, event) in events.iter().enumerate().filter(|(number, _)| kept[*number]) {
        for (place, message) in whole.sent[number].iter().enumerate() {
            origin.insert(*message, (list.len(), place));
        }
        let taken = whole.received[number].first().and_then(|message| origin.get(message)).copied();
        list.push((event.clone(), taken));
    }
    run(instance, what, list.into_iter())
}

/// Runs events; with each delivery may come which message is meant, by the event that sent it and its place among what
/// that sent. None: it is no run.
fn run(
    instance: &Instance,
    what: &Wrong,
    events: impl Iterator<Item = (Event, Option<(usize, usize)>)>,
) -> Option<Again> {
    let program = &instance.program;
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut watch = Watch::new(instance, None);
    watch.begin(&configuration, &Metrics::new(program.kinds.len(), program.operations.len()));
    let mut again = Again {
        sent: Vec::new(),
        received: Vec::new(),
        flipped_by: None,
        why: String::new(),
        span: None,
        violated: Vec::new(),
        events: Vec::new(),
    };
    let mut notes: FxHashMap<(u32, u32), std::collections::VecDeque<u64>> = FxHashMap::default();
    let mut next_note = u64::MAX;
    for (mut event, meant) in events {
        if let (Cause::Deliver { channel, position }, Some((sender, place))) = (&mut event.cause, meant) {
            let id = *again.sent[sender].get(place)?;
            *position = configuration.channel(*channel).position(|m| u64::from(m.id) == id)? as u32;
        }
        let number = again.events.len();
        again.events.push(event.clone());
        match machine.replay(instance, &mut configuration, &event) {
            Ok(()) => {}
            Err(StepError::Aborted(abort)) if matches!(what, Wrong::Aborted(_)) => {
                again.flipped_by = Some(number);
                again.why.clone_from(&abort.message);
                again.span = Some(abort.span);
                let deliver = match event.cause {
                    Cause::Deliver { channel, position } => {
                        configuration.channel(channel).nth(position as usize)
                    }
                    _ => None,
                };
                again.received.push(deliver.map(|m| u64::from(m.id)).into_iter().collect());
                again.sent.push(Vec::new());
                break;
            }
            Err(_) => return None,
        }
        let effects = &machine.effects;
        let mut sent: Vec<u64> = effects.sent.iter().map(|s| u64::from(s.message)).collect();
        let mut received: Vec<u64> = effects.received.iter().map(|r| u64::from(r.message)).collect();
        match event.cause {
            Cause::SendNote { to } => {
                notes.entry((event.process, to)).or_default().push_back(next_note);
                sent.push(next_note);
                next_note -= 1;
            }
            Cause::ReceiveNote { from } => {
                received
                    .extend(notes.get_mut(&(from, event.process)).and_then(|waiting| waiting.pop_front()));
            }
            _ => {}
        }
        again.sent.push(sent);
        again.received.push(received);
        watch.after(&event, effects, &configuration, &machine.metrics);
    }
    for verdict in watch.verdicts(Ended::CutOff, &configuration, &machine.metrics) {
        if verdict.judgement != Judgement::Violated {
            continue;
        }
        if matches!(what, Wrong::Property(p) if program.properties[*p].name == verdict.name) {
            again.flipped_by = verdict.at_event.map(|event| event as usize);
            again.why.clone_from(&verdict.why);
            again.span = Some(verdict.span);
        }
        if verdict.promised
            && matches!(verdict.kind, PropertyKind::Invariant | PropertyKind::Stable | PropertyKind::Order)
        {
            again.violated.push(verdict.name);
        }
    }
    Some(again)
}

/// By event: those it follows directly, the one before at the same process and the senders of what it takes.
fn causes(again: &Again) -> Vec<Vec<usize>> {
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    let mut senders: FxHashMap<u64, usize> = FxHashMap::default();
    let mut causes = Vec::new();
    for (number, event) in again.events.iter().enumerate() {
        let mut own: Vec<usize> = last.insert(event.process, number).into_iter().collect();
        own.extend(again.received[number].iter().filter_map(|message| senders.get(message)));
        causes.push(own);
        senders.extend(again.sent[number].iter().map(|message| (*message, number)));
    }
    causes
}

fn past(causes: &[Vec<usize>], event: usize) -> Vec<usize> {
    let mut found = vec![false; causes.len()];
    let mut open = vec![event];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut found[at], true) {
            open.extend(&causes[at]);
        }
    }
    (0..causes.len()).filter(|event| found[*event]).collect()
}
