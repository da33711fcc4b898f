//! What one process can do, by its local state and inbox: interpreted once, then looked up.
//!
//! In models where a step depends on nothing else, this makes exploring a matter of tables: of the 19 million steps
//! of an election on a ring of 14 only some hundred are different as local steps.

use super::chance::{CERTAIN, Throws};
use super::choices::EveryChoice;
use super::judge::Judge;
use super::parts::{Message, Parts};
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Abort, Configuration, Coverage, Machine, Metrics, StepError};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One way for a process to go on.
#[derive(Debug)]
pub(super) struct Outcome {
    pub event: Event,
    /// Its local state afterwards, and its inbox without what was taken.
    pub local: u32,
    pub inbox: u32,
    /// What the senders of the messages taken knew.
    pub pasts: SmallVec<[u32; 1]>,
    /// Channel and message, channel by channel in the order of sending.
    pub sends: SmallVec<[(u32, u32); 4]>,
    /// Number of what it costs, in [`super::costs::Costs`].
    pub cost: u32,
    /// Number of what chance had to do with it, in [`Throws`].
    pub throw: u32,
    /// The properties it may change the truth of, one bit each.
    pub touched: u64,
    /// Number of what it adds to what is counted and observed, in [`super::ghost::Ghosts`].
    pub delta: u32,
    /// The command goes wrong; everything else is as before.
    pub abort: Option<Box<Abort>>,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Steps {
    pub outcomes: Vec<Outcome>,
    /// Nothing that the others do changes what this process can do now: every channel that it would take a message from
    /// has a head, and keeps its order.
    pub closed: bool,
    /// No outcome touches a property or is observed.
    pub invisible: bool,
}

/// A machine with a configuration to try steps in, and what it has found so far. One for each thread.
#[derive(Debug)]
pub(super) struct Local<'a> {
    instance: &'a Instance,
    parts: &'a Parts,
    throws: &'a Throws,
    judge: &'a Judge<'a>,
    machine: Machine,
    scratch: Configuration,
    /// What has been taken: every step tried here is one of some run.
    pub seen: Coverage,
    /// By process: the place of the steps by local state and inbox.
    known: Vec<FxHashMap<(u32, u32), u32>>,
    all: Vec<Steps>,
}

impl<'a> Local<'a> {
    /// `started`: any configuration in which all processes have started.
    pub fn new(
        instance: &'a Instance,
        parts: &'a Parts,
        throws: &'a Throws,
        judge: &'a Judge<'a>,
        started: &Configuration,
    ) -> Local<'a> {
        let mut machine = Machine::new(instance);
        machine.recording = true;
        let mut scratch = started.clone();
        (0..instance.layout.channels).for_each(|channel| scratch.empty(channel));
        Local {
            instance,
            parts,
            throws,
            judge,
            machine,
            scratch,
            seen: Coverage::new(&instance.program),
            known: vec![FxHashMap::default(); instance.n() as usize],
            all: Vec::new(),
        }
    }

    #[inline]
    pub fn steps(&mut self, process: u32, local: u32, inbox: u32) -> &Steps {
        let place = match self.known[process as usize].get(&(local, inbox)) {
            Some(place) => *place,
            None => {
                let steps = self.find(process, local, inbox);
                let place = self.all.len() as u32;
                self.all.push(steps);
                self.known[process as usize].insert((local, inbox), place);
                place
            }
        };
        &self.all[place as usize]
    }

    /// Tries everything that the process can do.
    #[cold]
    fn find(&mut self, process: u32, local: u32, inbox: u32) -> Steps {
        self.place(process, local, inbox);
        let events = self.machine.enabled_at(self.instance, &self.scratch, process);
        let mut outcomes = Vec::new();
        for (number, event) in events.iter().enumerate() {
            let mut choices = EveryChoice::default();
            loop {
                self.place(process, local, inbox);
                if let Some(outcome) = self.attempt(event, local, inbox, &mut choices) {
                    let throw = self.throws.number(process, number, choices.made());
                    outcomes.push(Outcome { throw, ..outcome });
                }
                if !choices.next() {
                    break;
                }
            }
        }
        self.place(process, local, inbox);
        let closed = self.is_closed(process, &events);
        self.clear(process);
        let judge = self.judge;
        let invisible =
            outcomes.iter().all(|o| o.touched == 0 && o.abort.is_none() && judge.ghosts.is_hidden(o.delta));
        Steps { outcomes, closed, invisible }
    }

    fn place(&mut self, process: u32, local: u32, inbox: u32) {
        self.parts.restore_local(&mut self.scratch, process, local);
        self.parts.restore_inbox(&mut self.scratch, process, inbox);
    }

    fn clear(&mut self, process: u32) {
        for channel in &self.parts.incoming[process as usize] {
            self.scratch.empty(*channel);
        }
    }

    /// One step with one combination of choices.
    fn attempt(
        &mut self,
        event: &Event,
        local: u32,
        inbox: u32,
        choices: &mut EveryChoice,
    ) -> Option<Outcome> {
        let Local { instance, parts, judge, machine, scratch, seen, .. } = self;
        let process = event.process;
        machine.metrics = Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
        let done = machine.perform(instance, scratch, event, choices);
        let event = Event { choices: machine.choices.clone(), ..event.clone() };
        if matches!(done, Ok(true) | Err(StepError::Aborted(_))) {
            seen.see(&machine.effects, done.is_ok());
        }
        match done {
            Ok(false) | Err(StepError::Impossible(_)) => None,
            Ok(true) => {
                let mut sends = SmallVec::new();
                let mut channels: SmallVec<[u32; 4]> =
                    machine.effects.sent.iter().map(|s| s.channel).collect();
                channels.sort_unstable();
                for same in channels.chunk_by(|a, b| a == b) {
                    // What is new stands at the end; in a channel to itself the process may have had others.
                    let channel = same[0];
                    let before = scratch.channel(channel).count() - same.len();
                    for m in scratch.channel(channel).skip(before) {
                        let (words, values) = (m.words.into(), m.values.into());
                        let message = Message { kind: m.kind, words, values, past: 0 };
                        sends.push((channel, parts.messages.number(message)));
                    }
                    scratch.empty(channel);
                }
                let (inbox, pasts) = parts.without(process, inbox, &machine.taken_positions());
                let before = parts.locals[process as usize].get(local);
                Some(Outcome {
                    local: parts.local(scratch, process),
                    inbox,
                    pasts,
                    sends,
                    cost: judge.costs.number(&machine.metrics),
                    throw: CERTAIN,
                    touched: judge.touched(process, &before, scratch),
                    delta: judge.ghosts.delta(&machine.metrics, &machine.effects.observations),
                    abort: None,
                    event,
                })
            }
            Err(StepError::Aborted(abort)) => {
                for channel in 0..instance.layout.channels {
                    if instance.receiver(channel) != process {
                        scratch.empty(channel);
                    }
                }
                Some(Outcome {
                    local,
                    inbox,
                    sends: SmallVec::new(),
                    cost: 0,
                    throw: CERTAIN,
                    touched: 0,
                    delta: 0,
                    pasts: SmallVec::new(),
                    abort: Some(abort),
                    event,
                })
            }
        }
    }

    /// See [`Steps::closed`]. The scratch configuration holds the process.
    fn is_closed(&mut self, process: u32, events: &[Event]) -> bool {
        let Local { instance, scratch, machine, .. } = self;
        let table = instance.table(process);
        if table.defers {
            return false;
        }
        self.parts.incoming[process as usize].iter().all(|channel| {
            if !machine.listens_to(instance, scratch, *channel) {
                return true;
            }
            if !instance.layout.keeps_order(*channel) {
                return false;
            }
            // A head that is not taken now stays where it is until this process moves; one that waits for its
            // fellows (`from each`) may become possible by what others send.
            let taken = |e: &Event| matches!(e.cause, Cause::Deliver { channel: c, .. } if c == *channel);
            !scratch.is_empty(*channel) && (events.iter().any(taken) || !table.gathers)
        })
    }
}
