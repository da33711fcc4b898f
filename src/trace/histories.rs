//! The history of a run: for each process the sequence of its events, and what has to come before what.
//!
//! Babaoglu and Marzullo, «Consistent global states of distributed systems», 1993: a *local history* is the sequence of
//! the events of one process, the *global history* all of them together with happened-before. What a cut may be
//! follows from that alone; in which order the events were recorded plays no part.
//!
//! A start that sends nothing makes the initial state of its process and is no event of its history; nor is a last step
//! that was an error, and has been undone.

use super::Trace;
use super::causality::{Notes, Step};
use super::environment::Environment;
use super::status::{EventStatus, status};
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The local histories, and the order between their events. Events are named by their position in the run, from 0.
#[derive(Clone, Debug)]
pub struct Histories {
    events: Vec<Vec<usize>>,
    places: Vec<EventPlaces>,
    /// By event: where its direct causes stand, apart from the events before it at its own processes.
    causes: Vec<EventPlaces>,
    transits: Vec<Transit>,
    /// What the environment does, after what it depends on, where no message says so.
    after: Vec<(usize, usize)>,
    /// By event: is it a silent start?
    silent: Vec<bool>,
}

/// Where an event stands: its process, and its number among the events there, from 1. Two of them for an interaction of two
/// processes, none for what is no event of a history.
pub type EventPlaces = SmallVec<[(u32, u32); 2]>;

/// A message, from its sending to whatever ends its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transit {
    /// Its number. Notes of scenarios, which have none, are numbered from the top.
    pub message: u64,
    /// The event that sends it.
    pub sent: usize,
    /// The event that receives it, or in which it is lost.
    pub ended: Option<usize>,
}

/// What the order is made of.
struct Happening {
    process: u32,
    with: Option<u32>,
    standing: EventStatus,
    sent: SmallVec<[u64; 2]>,
    taken: SmallVec<[u64; 2]>,
    /// A message that has come and stays where it is.
    arrived: Option<u64>,
    after: Vec<usize>,
}

impl Histories {
    /// From a recorded run.
    ///
    /// Beyond happened-before, what the environment does keeps the order that it must have: a message is lost, doubled,
    /// taken as a copy, or wakes who does not take it, only when it is there; and what a detector says of a process comes
    /// while it is so.
    ///
    /// # Errors
    /// A sentence, where the model has steps of several processes at once or instants, so that happened-before says
    /// less than what runs are possible.
    pub fn of(trace: &Trace) -> Result<Histories, String> {
        match global_steps(trace) {
            Some(why) => Err(why),
            None => Ok(Histories::of_any_model(trace)),
        }
    }

    /// The same in every model: for local histories and for messages, not for cuts.
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

    /// From bare events, as the figures of papers have them, in an order that agrees with happened-before.
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
                    let line = &mut all.events[p as usize];
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

    /// Number of processes.
    pub fn n(&self) -> usize {
        self.events.len()
    }

    /// Number of events in all histories; an interaction counts once.
    pub fn len(&self) -> usize {
        self.places.iter().filter(|places| !places.is_empty()).count()
    }

    pub fn is_empty(&self) -> bool {
        self.events.iter().all(Vec::is_empty)
    }

    /// The local history of a process.
    pub fn of_process(&self, process: usize) -> &[usize] {
        &self.events[process]
    }

    /// All events, in the order of the run: it is one of the linearizations.
    pub fn events(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.places.len()).filter(|event| !self.places[*event].is_empty())
    }

    /// Number of events of the run, those that belong to no history included.
    pub fn recorded(&self) -> usize {
        self.places.len()
    }

    /// Is it a silent start, which is in every cut?
    pub fn is_initial(&self, event: usize) -> bool {
        self.silent.get(event) == Some(&true)
    }

    pub fn places(&self, event: usize) -> &[(u32, u32)] {
        self.places.get(event).map_or(&[], |places| places)
    }

    /// Vector time: for each process how many of its events must have happened when this one has. By a search backwards:
    /// nobody keeps a table of them, which would be `events × processes` numbers.
    pub fn past(&self, event: usize) -> Vec<u32> {
        let mut past = vec![0; self.n()];
        self.fill(&mut past, self.places(event).iter().chain(self.causes(event)).copied().collect());
        past
    }

    /// Makes a consistent cut greater, so that it has these events, and all that must have happened before them.
    pub(super) fn fill(&self, cut: &mut [u32], mut wanted: Vec<(u32, u32)>) {
        while let Some((p, nth)) = wanted.pop() {
            let has = cut[p as usize];
            cut[p as usize] = has.max(nth);
            for event in self.events[p as usize].get(has as usize..nth as usize).into_iter().flatten() {
                wanted.extend(self.causes[*event].iter().chain(&self.places[*event]));
            }
        }
    }

    /// Where the direct causes of an event stand, apart from those before it at its own processes.
    pub(super) fn causes(&self, event: usize) -> &[(u32, u32)] {
        self.causes.get(event).map_or(&[], |causes| causes)
    }

    /// May the event come next after these events of each process? Its direct causes, and those before it at its processes,
    /// must have come.
    #[inline]
    pub(super) fn may_follow(&self, event: usize, has_come: impl Fn(u32) -> u32) -> bool {
        self.places[event].iter().all(|(p, nth)| has_come(*p) + 1 == *nth)
            && self.causes[event].iter().all(|(p, nth)| has_come(*p) >= *nth)
    }

    /// Must a have happened when b has? No event precedes itself. Who asks often asks [`VectorClocks`](super::vector_clocks::Pasts).
    pub fn precedes(&self, a: usize, b: usize) -> bool {
        // Recorded orders agree with this one.
        a < b && self.places(a).first().is_some_and(|(p, nth)| self.past(b)[*p as usize] >= *nth)
    }

    /// All messages, in the order of sending.
    pub fn transits(&self) -> &[Transit] {
        &self.transits
    }

    /// An event, and one that must come after it though no message says so.
    pub fn after(&self) -> &[(usize, usize)] {
        &self.after
    }

    /// Do two processes ever act in one event?
    pub fn has_interactions(&self) -> bool {
        self.places.iter().any(|places| places.len() > 1)
    }
}

/// Why there are no cuts of this run.
pub fn global_steps(trace: &Trace) -> Option<String> {
    let name = &trace.header.algorithm;
    if trace.events.iter().any(|event| matches!(event.choice.cause, Cause::Round { .. })) {
        return Some(format!(
            "{name} runs in rounds, and a round is a step of everybody: its global states are those between rounds, and there are no other cuts"
        ));
    }
    if let Some(why) = reads(trace) {
        return Some(why);
    }
    if trace.events.iter().any(|event| event.at.is_some()) {
        return Some(format!(
            "{name} has time: which global states are possible depends on instants, and not on happened-before alone"
        ));
    }
    None
}

/// Why happened-before does not tell what depends on what in this run.
pub fn reads(trace: &Trace) -> Option<String> {
    let name = &trace.header.algorithm;
    trace.header.daemon.as_ref().map(|_| {
        format!(
            "in {name} processes read the variables of their neighbours: what depends on what is not told by messages, so happened-before says nothing here"
        )
    })
}
