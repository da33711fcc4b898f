//! The history of a run: for each process the sequence of its events, with the causal order.
//!
//! Babaoglu and Marzullo, «Consistent global states of distributed systems», 1993: a *local history* is the sequence of
//! the events of one process, the *global history* all of them together with happened-before. These determine the cuts;
//! the order of recording is irrelevant.
//!
//! A start that sends nothing produces the initial state of its process and is no event of its history; neither is a
//! last step that aborted.

use super::Trace;
use super::causality::{Notes, Step};
use super::environment::Environment;
use super::status::{EventStatus, status};
use crate::ids::ProcessId;
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The local histories, and the order between their events. Events are identified by their position in the run, from 0.
#[derive(Clone, Debug)]
pub struct Histories {
    events: Vec<Vec<usize>>,
    places: Vec<EventPlaces>,
    /// By event: the places of its direct causes, apart from the previous events of its own processes.
    causes: Vec<EventPlaces>,
    transits: Vec<Transit>,
    /// Pairs of an environment event and one it depends on although no message says so.
    after: Vec<(usize, usize)>,
    /// By event: whether it is a silent start.
    silent: Vec<bool>,
}

/// The places of an event: process, and number among its events, from 1. Two for a pairwise interaction, none for an
/// event of no history.
pub type EventPlaces = SmallVec<[(ProcessId, u32); 2]>;

/// A message from its sending to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transit {
    /// Number of the message. Notes of scenarios, which have none, are numbered downwards from the maximum.
    pub message: u64,
    /// The event that sends it.
    pub sent: usize,
    /// The event that receives it, or in which it is lost.
    pub ended: Option<usize>,
}

/// The data from which the order is computed.
struct Happening {
    process: ProcessId,
    with: Option<ProcessId>,
    standing: EventStatus,
    sent: SmallVec<[u64; 2]>,
    taken: SmallVec<[u64; 2]>,
    /// A message that has arrived and stays in its channel.
    arrived: Option<u64>,
    after: Vec<usize>,
}

impl Histories {
    /// Compute the histories of a recorded run.
    ///
    /// Beyond happened-before, environment events keep their necessary order. A message is lost, duplicated, received
    /// as a duplicate, or wakes a process without being received only while it is in transit. A detector reports the
    /// state of a process while it lasts.
    ///
    /// # Errors
    /// A sentence, if the model has joint steps of several processes, or time: then happened-before determines less
    /// than the possible runs.
    pub fn of(trace: &Trace) -> Result<Histories, String> {
        match why_no_cuts(trace) {
            Some(why) => Err(why),
            None => Ok(Histories::of_any_model(trace)),
        }
    }

    /// Compute the histories in any model: for local histories and messages, not for cuts.
    pub fn of_any_model(trace: &Trace) -> Histories {
        let mut notes = Notes::default();
        let mut environment = Environment::default();
        let happenings = trace.events.iter().enumerate().map(|(number, event)| {
            let (sent, received) = notes.of(event);
            let id = |m: &super::Message| u64::from(m.id);
            Happening {
                process: event.process,
                with: event.with.as_ref().map(|with| with.process),
                standing: status(trace, number, event),
                sent: event.sent.iter().map(id).chain(sent).collect(),
                taken: event.received.iter().chain(&event.lost).map(id).chain(received).collect(),
                arrived: event.arrived.as_ref().map(id),
                after: environment.causes(number, event),
            }
        });
        Histories::new(trace.n(), happenings)
    }

    /// Compute the histories of bare events, as in figures of papers, in an order that agrees with happened-before.
    pub fn of_steps(processes: usize, steps: &[Step]) -> Histories {
        let happenings = steps.iter().map(|step| Happening {
            process: step.process,
            with: step.with,
            standing: EventStatus::Event,
            sent: step.sent.iter().copied().collect(),
            taken: step.received.iter().copied().collect(),
            arrived: step.arrived,
            after: Vec::new(),
        });
        Histories::new(processes, happenings)
    }

    fn new(processes: usize, happenings: impl Iterator<Item = Happening>) -> Histories {
        let mut all = Histories {
            events: vec![Vec::new(); processes],
            places: Vec::new(),
            causes: Vec::new(),
            transits: Vec::new(),
            after: Vec::new(),
            silent: Vec::new(),
        };
        let mut transit_of: FxHashMap<u64, usize> = FxHashMap::default();
        for (event, happening) in happenings.enumerate() {
            let mut causes: SmallVec<[usize; 4]> = happening.after.iter().copied().collect();
            all.after.extend(happening.after.iter().map(|cause| (*cause, event)));
            for message in happening.taken {
                let Some(at) = transit_of.get(&message) else { continue };
                let transit = &mut all.transits[*at];
                transit.ended.get_or_insert(event);
                causes.push(transit.sent);
            }
            for at in happening.arrived.iter().filter_map(|message| transit_of.get(message)) {
                let sender = all.transits[*at].sent;
                all.after.push((sender, event));
                causes.push(sender);
            }
            let direct: EventPlaces = causes.iter().flat_map(|cause| &all.places[*cause]).copied().collect();
            all.causes.push(direct);
            let mut places = EventPlaces::new();
            all.silent.push(happening.standing == EventStatus::Initial);
            if happening.standing == EventStatus::Event {
                for p in std::iter::once(happening.process).chain(happening.with) {
                    let line = &mut all.events[p.index()];
                    line.push(event);
                    places.push((p, line.len() as u32));
                }
            }
            all.places.push(places);
            for message in happening.sent {
                transit_of.insert(message, all.transits.len());
                all.transits.push(Transit { message, sent: event, ended: None });
            }
        }
        all
    }

    /// Return the number of processes.
    pub fn n(&self) -> usize {
        self.events.len()
    }

    /// Return the number of events in all histories; an interaction counts once.
    pub fn len(&self) -> usize {
        self.places.iter().filter(|places| !places.is_empty()).count()
    }

    pub fn is_empty(&self) -> bool {
        self.events.iter().all(Vec::is_empty)
    }

    /// Return the local history of a process.
    pub fn of_process(&self, process: usize) -> &[usize] {
        &self.events[process]
    }

    /// Return all events, in the order of the run, which is one of the linearizations.
    pub fn events(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.places.len()).filter(|event| !self.places[*event].is_empty())
    }

    /// Return the number of events of the run, including those that belong to no history.
    pub fn recorded(&self) -> usize {
        self.places.len()
    }

    /// Whether the event is a silent start, which is in every cut.
    pub fn is_initial(&self, event: usize) -> bool {
        self.silent.get(event) == Some(&true)
    }

    pub fn places(&self, event: usize) -> &[(ProcessId, u32)] {
        self.places.get(event).map_or(&[], |places| places)
    }

    /// Return the vector time: for each process, the number of its events that must have occurred when this one has. It
    /// is found by a backward search, since a table would take `events × processes` numbers.
    pub fn past(&self, event: usize) -> Vec<u32> {
        let mut past = vec![0; self.n()];
        self.fill(&mut past, self.places(event).iter().chain(self.causes(event)).copied().collect());
        past
    }

    /// Extend a consistent cut by these events and everything that must have occurred before them.
    pub(super) fn fill(&self, cut: &mut [u32], mut wanted: Vec<(ProcessId, u32)>) {
        while let Some((p, nth)) = wanted.pop() {
            let has = cut[p.index()];
            cut[p.index()] = has.max(nth);
            for event in self.events[p.index()].get(has as usize..nth as usize).into_iter().flatten() {
                wanted.extend(self.causes[*event].iter().chain(&self.places[*event]));
            }
        }
    }

    /// Return the places of the direct causes of an event, apart from the previous events of its own processes.
    pub(super) fn causes(&self, event: usize) -> &[(ProcessId, u32)] {
        self.causes.get(event).map_or(&[], |causes| causes)
    }

    /// Whether the event is enabled after this many events of each process: its direct causes and the previous events
    /// of its processes have occurred.
    #[inline]
    pub(super) fn may_follow(&self, event: usize, has_come: impl Fn(ProcessId) -> u32) -> bool {
        self.places[event].iter().all(|(p, nth)| has_come(*p) + 1 == *nth)
            && self.causes[event].iter().all(|(p, nth)| has_come(*p) >= *nth)
    }

    /// Whether a must have occurred when b has. No event precedes itself. For many queries, use
    /// [`VectorClocks`](super::vector_clocks::VectorClocks).
    pub fn precedes(&self, a: usize, b: usize) -> bool {
        // Recorded orders agree with this one.
        a < b && self.places(a).first().is_some_and(|(p, nth)| self.past(b)[p.index()] >= *nth)
    }

    /// Return all messages, in the order of sending.
    pub fn transits(&self) -> &[Transit] {
        &self.transits
    }

    /// Return the pairs of an event and one that must follow it although no message says so.
    pub fn after(&self) -> &[(usize, usize)] {
        &self.after
    }

    /// Whether some event is a pairwise interaction.
    pub fn has_interactions(&self) -> bool {
        self.places.iter().any(|places| places.len() > 1)
    }
}

/// Explain why the run has no cuts.
pub fn why_no_cuts(trace: &Trace) -> Option<String> {
    let name = &trace.header.algorithm;
    if trace.events.iter().any(|event| matches!(event.choice.cause, Cause::Round { .. })) {
        return Some(format!(
            "{name} runs in rounds, which are joint steps of all processes: there are no cuts except those between rounds"
        ));
    }
    if let Some(why) = why_no_happened_before(trace) {
        return Some(why);
    }
    if trace.events.iter().any(|event| event.at.is_some()) {
        return Some(format!(
            "{name} has time: happened-before alone does not determine the possible global states"
        ));
    }
    None
}

/// Explain why happened-before does not determine the dependencies of the run.
pub fn why_no_happened_before(trace: &Trace) -> Option<String> {
    let name = &trace.header.algorithm;
    trace.header.daemon.as_ref().map(|_| {
        format!(
            "in {name}, processes read the variables of their neighbours: messages, and so happened-before, do not show the dependencies"
        )
    })
}
