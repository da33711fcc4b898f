//! The global states of the cuts of a run, composed of local states and messages.
//!
//! The state of a process after its k-th event, and the content of a message, are the same in every linearization. So
//! the run is replayed once, and the state of any cut is composed: for each process its local state, for each channel
//! the messages sent and not received, in the order of their (only) sender. The result depends neither on message
//! numbers nor on positions in channels.

use super::Trace;
use super::cut::Cut;
use super::histories::Histories;
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::Value;
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Configuration, History, Machine, Metrics, StepError};
use rustc_hash::FxHashMap;

/// The components of global states.
pub struct States<'i> {
    instance: &'i Instance,
    /// The initial configuration, in every cut.
    initial: Configuration,
    /// By process: its local states, the initial one first.
    local: Vec<Vec<Local>>,
    /// In the order of sending, including initial messages.
    messages: Vec<Flight>,
    /// By event of the run: its costs; empty if they are not needed.
    costs: Vec<Metrics>,
    /// By event of the run, for the history at the interface.
    taken: Vec<(Event, Effects)>,
}

struct Local {
    words: Vec<i64>,
    values: Vec<Value>,
    wake: i64,
}

struct Flight {
    channel: ChannelId,
    kind: u32,
    words: Vec<i64>,
    values: Vec<Value>,
    sent: usize,
    ended: Option<usize>,
}

/// The state of a cut, with its costs and history.
pub struct GlobalState {
    pub configuration: Configuration,
    pub metrics: Metrics,
    pub history: History,
}

impl<'i> States<'i> {
    /// Replay the run.
    ///
    /// # Errors
    /// A sentence, if the program does not reproduce the run.
    pub fn new(instance: &'i Instance, trace: &Trace, histories: &Histories) -> Result<States<'i>, String> {
        let replay = trace.replay(instance);
        if !replay.reproduced() {
            return Err(format!("the run cannot be replayed: {}", replay.summary()));
        }
        let mut configuration = Configuration::initial(instance);
        let mut machine = Machine::new(instance);
        machine.recording = true;
        let program = &instance.program;
        let nothing = || Metrics::new(program.kinds.len(), program.operations.len());
        let mut states = States {
            instance,
            initial: configuration.clone(),
            local: Vec::new(),
            messages: Vec::new(),
            costs: Vec::new(),
            taken: Vec::new(),
        };
        let local = |configuration: &Configuration, p: ProcessId| Local {
            words: configuration.words(p).to_vec(),
            values: configuration.values(p).to_vec(),
            wake: configuration.wake_state(p),
        };
        states.local = instance.processes().map(|p| vec![local(&configuration, p)]).collect();
        let mut place: FxHashMap<MessageId, usize> = FxHashMap::default();
        for (number, event) in trace.schedule().enumerate() {
            machine.metrics = nothing();
            match machine.replay(instance, &mut configuration, &event) {
                Ok(()) => {}
                // The replay above has established that this is the end.
                Err(StepError::Aborted(_)) => break,
                Err(error) => return Err(format!("the run cannot be replayed: {error}")),
            }
            let effects = machine.effects.clone();
            for sent in &effects.sent {
                let mut channel = configuration.channel(sent.channel);
                // A message to oneself may be received by the step that sends it.
                let Some(message) = channel.find(|m| m.id == sent.message) else { continue };
                place.insert(sent.message, states.messages.len());
                states.messages.push(Flight {
                    channel: sent.channel,
                    kind: message.kind,
                    words: message.words.to_vec(),
                    values: message.values.to_vec(),
                    sent: number,
                    ended: None,
                });
            }
            for gone in effects.received.iter().chain(&effects.lost) {
                if let Some(at) = place.get(&gone.message) {
                    states.messages[*at].ended = Some(number);
                }
            }
            match histories.places(number) {
                // The initial state is the one after a silent start.
                [] => states.local[event.process.index()] = vec![local(&configuration, event.process)],
                places => {
                    for (p, _) in places {
                        states.local[p.index()].push(local(&configuration, *p));
                    }
                }
            }
            states.costs.push(std::mem::take(&mut machine.metrics));
            states.taken.push((event, effects));
        }
        Ok(states)
    }

    pub fn instance(&self) -> &'i Instance {
        self.instance
    }

    /// Return the number of all local states.
    pub fn local_states(&self) -> usize {
        self.local.iter().map(Vec::len).sum()
    }

    /// Return the configuration of a cut, for inspection: message numbers and lengths of causal chains, which depend on
    /// the run, are zero.
    pub fn configuration(&self, histories: &Histories, cut: &Cut) -> Configuration {
        let mut configuration = self.initial.clone();
        for (p, count) in (0..).map(ProcessId).zip(&cut.0) {
            self.restore(&mut configuration, p, *count);
        }
        for flight in &self.messages {
            let inside = |event: usize| histories.contains(cut, event);
            if inside(flight.sent) && !flight.ended.is_some_and(inside) {
                configuration.insert(flight.channel, flight.kind, &flight.words, &flight.values);
            }
        }
        configuration
    }

    /// Return the initial configuration, for [`States::restore`].
    pub fn start(&self) -> Configuration {
        self.initial.clone()
    }

    /// Set a process to its state after `count` of its events.
    pub fn restore(&self, configuration: &mut Configuration, process: ProcessId, count: u32) {
        if let Some(local) = self.local[process.index()].get(count as usize) {
            configuration.restore(process, &local.words, &local.values, local.wake);
        }
    }

    /// Return the costs of the events inside a cut. Silent starts are inside every cut. Rounds, which depend on the
    /// order of the whole run, are not counted.
    pub fn metrics(&self, histories: &Histories, cut: &Cut) -> Metrics {
        let program = &self.instance.program;
        let mut all = Metrics::new(program.kinds.len(), program.operations.len());
        for (event, cost) in self.costs.iter().enumerate() {
            if histories.is_initial(event) || histories.contains(cut, event) {
                all.add(cost);
                all.moves += cost.moves;
            }
        }
        all
    }

    /// Return the calls, returns and upcalls inside a cut, in the order of the run.
    pub fn history(&self, histories: &Histories, cut: &Cut) -> History {
        let mut history = History::new(self.instance.n());
        for (number, (event, effects)) in self.taken.iter().enumerate() {
            if histories.is_initial(number) || histories.contains(cut, number) {
                history.record(event, effects);
            }
        }
        history
    }

    /// Return configuration, costs and history.
    pub fn global(&self, histories: &Histories, cut: &Cut) -> GlobalState {
        GlobalState {
            configuration: self.configuration(histories, cut),
            metrics: self.metrics(histories, cut),
            history: self.history(histories, cut),
        }
    }
}
