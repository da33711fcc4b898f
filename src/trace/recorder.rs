//! Recording of a trace during a run.

use super::show::{Show, column};
use super::step::Choice;
use super::{Change, End, FORMAT, Header, Message, Responder, Trace, TraceEvent, hash};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{ExecutionModel, FaultBudget, Instance};
use crate::ir::{CRASHED, HistoryKind, PC, Slot, Value, Variable};
use crate::semantics::event::{Cause, Effects, Event, Observation, Received};
use crate::semantics::{Configuration, MessageRef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The view of a configuration that a recorder needs after a step.
pub trait View {
    /// State words of a process.
    fn words(&self, process: ProcessId) -> &[i64];
    /// State values of a process.
    fn values(&self, process: ProcessId) -> &[Value];
    /// Length of the longest causal chain of messages that ends at this process.
    fn depth(&self, process: ProcessId) -> u64;
    /// Fields of a message in its channel, as words and values.
    fn message(&self, channel: ChannelId, id: MessageId) -> Option<(&[i64], &[Value])>;
    /// Current time, if the model has time.
    fn now(&self) -> Option<u64>;
}

/// Recorder of a run: call [`Recorder::record`] after each step, then [`Recorder::finish`].
///
/// It stores the displayed state of every process, to determine changes, and the text of every message in transit: its
/// sender's state may have changed when it arrives.
pub struct Recorder<'a> {
    instance: &'a Instance,
    trace: Trace,
    /// Index of the first recorded event.
    first: u64,
    shown: Vec<Shown>,
    in_transit: FxHashMap<MessageId, Message>,
    postponed: Vec<Postponed>,
}

/// A step whose text is made later, with all that the text needs: a part of the configuration after it.
struct Postponed {
    event: Event,
    effects: Effects,
    /// The states of the process and of its responder.
    states: SmallVec<[(ProcessId, State); 1]>,
    /// The fields of the sent messages.
    sent: Vec<(MessageId, State)>,
    depth: u64,
    now: Option<u64>,
}

impl Postponed {
    fn of(event: &Event, effects: &Effects, view: &impl View) -> Postponed {
        let processes = std::iter::once(event.process).chain(effects.responder);
        let sent = effects.sent.iter().filter_map(|sent| {
            let (words, values) = view.message(sent.channel, sent.message)?;
            Some((sent.message, State { words: words.into(), values: values.into() }))
        });
        Postponed {
            event: event.clone(),
            effects: effects.clone(),
            states: processes.map(|process| (process, State::of(process, view))).collect(),
            sent: sent.collect(),
            depth: view.depth(event.process),
            now: view.now(),
        }
    }

    fn state(&self, process: ProcessId) -> Option<&State> {
        self.states.iter().find(|(of, _)| *of == process).map(|(_, state)| state)
    }
}

impl View for Postponed {
    fn words(&self, process: ProcessId) -> &[i64] {
        self.state(process).map_or(&[], |state| &state.words)
    }

    fn values(&self, process: ProcessId) -> &[Value] {
        self.state(process).map_or(&[], |state| &state.values)
    }

    fn depth(&self, _: ProcessId) -> u64 {
        self.depth
    }

    fn message(&self, _: ChannelId, id: MessageId) -> Option<(&[i64], &[Value])> {
        let (_, fields) = self.sent.iter().find(|(of, _)| *of == id)?;
        Some((&fields.words, &fields.values))
    }

    fn now(&self) -> Option<u64> {
        self.now
    }
}

/// Words and values of a process, or of a message.
struct State {
    words: Box<[i64]>,
    values: Box<[Value]>,
}

impl State {
    fn of(process: ProcessId, view: &impl View) -> State {
        State { words: view.words(process).into(), values: view.values(process).into() }
    }

    /// Return whether a slot has the same content as in another state.
    fn has_same(&self, slot: Slot, other: &State) -> bool {
        match slot {
            Slot::Word(at) => self.words.get(usize::from(at)) == other.words.get(usize::from(at)),
            Slot::Value(at) => self.values.get(usize::from(at)) == other.values.get(usize::from(at)),
        }
    }
}

/// The displayed state of a process: see [`Show::status`] and [`Show::variables`].
struct Shown {
    state: State,
    status: Vec<(String, String)>,
    variables: Vec<String>,
}

/// Return the variables whose initial values the instance gives, with these values.
pub fn given_values(instance: &Instance) -> impl Iterator<Item = (ProcessId, Change)> + '_ {
    instance.initially.iter().filter_map(|(process, slot, value)| {
        let role = &instance.program.roles[instance.role_of(*process)];
        let variable = role.vars.iter().find(|variable| variable.slot == *slot)?;
        let show = Show::new(&instance.program).at(&instance.network, *process);
        Some((*process, Change::new(role.shown_name(variable), column(&show.value(value)))))
    })
}

/// Return a name as an item of a list in one line.
fn listed(name: &str) -> String {
    match column(name).replace(',', ";") {
        empty if empty.is_empty() => "_".into(),
        name => name,
    }
}

impl Header {
    /// Create the header of a run of this instance. If `names` is empty, the names are those of the network.
    pub fn of(instance: &Instance, names: &[String], schedule: &str, seed: u64) -> Header {
        let program = &instance.program;
        let show = Show::new(program);
        let role = |r: &u16| program.roles[*r as usize].name.clone();
        let roles: Vec<String> = instance.roles.iter().map(role).collect();
        let params = program.params.iter().zip(&instance.params);
        let waking = instance.processes().filter(|p| instance.initiators[p.index()]);
        let all = instance.initiators.iter().all(|wakes| *wakes);
        Header {
            format: FORMAT,
            algorithm: program.name.clone(),
            source: hash::source(&program.sources),
            synod: env!("CARGO_PKG_VERSION").into(),
            network: column(instance.network.topology()),
            ids: instance.network.ids().to_vec(),
            names: if names.is_empty() { instance.names() } else { names }
                .iter()
                .map(|name| listed(name))
                .collect(),
            roles: if roles.iter().any(String::is_empty) { Vec::new() } else { roles },
            initially: given_values(instance)
                .map(|(process, Change { name, value })| Change::new(format!("{process}.{name}"), value))
                .collect(),
            params: params.map(|(p, v)| Change::new(&p.name, column(&show.value(v)))).collect(),
            initiators: (!all).then(|| waking.collect()),
            daemon: match instance.model.execution {
                ExecutionModel::Daemon(daemon) => Some(daemon.as_str().into()),
                _ => None,
            },
            faults: instance.fault_budget.as_ref().map(FaultBudget::show).unwrap_or_default(),
            schedule: column(schedule),
            seed,
            repeats_from: None,
            violates: None,
            verdict: None,
            violated_at: None,
            initial: Vec::new(),
        }
    }
}

impl<'a> Recorder<'a> {
    /// Create a recorder before the first step.
    pub fn new(instance: &'a Instance, header: Header, view: &impl View) -> Recorder<'a> {
        let mut recorder = Recorder {
            instance,
            trace: Trace { header, events: Vec::new(), end: End::Limit },
            first: 0,
            shown: Vec::new(),
            in_transit: FxHashMap::default(),
            postponed: Vec::new(),
        };
        recorder.shown = instance.processes().map(|p| recorder.displayed(p, view)).collect();
        let initial = instance.processes().zip(&recorder.shown).map(|(p, shown)| {
            let status = shown.status.iter().map(|(name, value)| Change::new(name, value));
            let role = instance.role_of(p);
            let names = Show::new(&instance.program).variables(role);
            let variables =
                names.zip(&shown.variables).map(|((role, v), value)| Change::new(role.shown_name(v), value));
            status.chain(variables).collect()
        });
        recorder.trace.header.initial = initial.collect();
        recorder
    }

    /// Create a recorder in the middle of a run, after `first` events; messages in transit are read from the
    /// configuration.
    pub fn resume(
        instance: &'a Instance,
        header: Header,
        first: u64,
        configuration: &Configuration,
    ) -> Recorder<'a> {
        let mut recorder = Recorder::new(instance, header, configuration);
        recorder.first = first;
        for channel in configuration.busy_channels() {
            let from = instance.sender(channel);
            let show = Show::new(&instance.program).at(&instance.network, from);
            let message = |m: MessageRef<'_>| Message {
                id: m.id,
                text: column(&show.message(m.kind, m.words, m.values)),
                peer: from,
            };
            recorder.in_transit.extend(configuration.channel(channel).map(|m| (m.id, message(m))));
        }
        recorder
    }

    /// Record a step; `view` shows the configuration after it.
    pub fn record(&mut self, event: &Event, effects: &Effects, view: &impl View) {
        let index = self.first + self.trace.events.len() as u64;
        let step = self.event(index, event, effects, view);
        self.trace.events.push(step);
    }

    /// Record a step, and make its text only when the trace is finished. Making it may take longer than the step.
    pub fn postpone(&mut self, event: &Event, effects: &Effects, view: &impl View) {
        self.postponed.push(Postponed::of(event, effects, view));
    }

    /// Return the number of postponed steps.
    pub fn postponed(&self) -> usize {
        self.postponed.len()
    }

    /// Forget all postponed steps after the first `most`.
    pub fn keep_first(&mut self, most: usize) {
        self.postponed.truncate(most);
        self.postponed.shrink_to_fit();
    }

    fn record_postponed(&mut self) {
        for step in std::mem::take(&mut self.postponed) {
            self.record(&step.event, &step.effects, &step);
        }
    }

    /// Record an aborted step, the last of the run.
    pub fn record_abort(&mut self, event: &Event, action: u32, message: &str, view: &impl View) {
        self.record_postponed();
        self.record(event, &Effects { action, ..Effects::default() }, view);
        if let Some(last) = self.trace.events.last_mut() {
            last.observations.push(column(&format!("abort {message}")));
        }
    }

    /// Return the header, with the initial values.
    pub fn header(&self) -> &Header {
        &self.trace.header
    }

    /// Return the events so far.
    pub fn events(&self) -> &[TraceEvent] {
        &self.trace.events
    }

    pub fn finish(mut self, end: End) -> Trace {
        self.record_postponed();
        Trace { end, ..self.trace }
    }

    fn event(&mut self, index: u64, event: &Event, effects: &Effects, view: &impl View) -> TraceEvent {
        let p = event.process;
        let program = &self.instance.program;
        let show = Show::new(program).at(&self.instance.network, p);
        // Sends are recorded first: a message to oneself may arrive in the step that sends it.
        let mut sent = Vec::new();
        for s in &effects.sent {
            let (words, values) = view.message(s.channel, s.message).unwrap_or((&[], &[]));
            let text = column(&show.message(s.kind, words, values));
            let message = |peer| Message { id: s.message, text: text.clone(), peer };
            self.in_transit.insert(s.message, message(s.from));
            sent.push(message(s.to));
        }
        let received: Vec<Message> = effects.received.iter().map(|r| self.taken(r)).collect();
        let arrived = effects
            .arrived
            .map(|r| self.in_transit.get(&r.message).cloned().unwrap_or_else(|| self.unknown(&r)));
        let lost: Vec<Message> = effects.lost.iter().map(|r| self.taken(r)).collect();
        let mut observations: Vec<String> =
            effects.observations.iter().map(|o| observed(program, &show, o)).collect();
        match event.cause {
            Cause::SendNote { to } => observations.push(format!("note to {to}")),
            Cause::ReceiveNote { from } => observations.push(format!("note from {from}")),
            _ => {}
        }
        let after = State::of(p, view);
        let is_down = after.words.get(PC as usize) == Some(&CRASHED);
        let action = program.actions.get(effects.action as usize);
        let action = action
            .map_or_else(|| self.no_action(event, !lost.is_empty(), is_down), crate::ir::Action::to_string);
        let with = effects.responder.map(|q| {
            let after = State::of(q, view);
            Responder { process: q, changes: self.changes(q, after) }
        });
        // A process that crashes while it restarts was down before, too.
        let down = ("up".to_string(), "false".to_string());
        let was_down = self.shown[p.index()].status.contains(&down);
        let mut changes = self.changes(p, after);
        if event.cause == Cause::Restart && was_down && self.shown[p.index()].status.contains(&down) {
            changes.insert(0, Change::new(&down.0, &down.1));
        }
        TraceEvent {
            index,
            process: p,
            at: view.now(),
            action: column(&action),
            received,
            arrived,
            lost,
            sent,
            copied: effects.copied,
            changes,
            with,
            observations,
            depth: view.depth(p),
            choice: Choice::of(event),
        }
    }

    /// Remove a message from those in transit and return it.
    fn taken(&mut self, received: &Received) -> Message {
        self.in_transit.remove(&received.message).unwrap_or_else(|| self.unknown(received))
    }

    /// Return a placeholder for a message whose sending was not recorded.
    fn unknown(&self, received: &Received) -> Message {
        Message { id: received.message, text: "?".into(), peer: self.instance.sender(received.channel) }
    }

    /// Return the name of an event that is no action of the program. `vanishes`: a message is lost; `is_down`: the process has crashed.
    fn no_action(&self, event: &Event, vanishes: bool, is_down: bool) -> String {
        match &event.cause {
            Cause::Call { operation, .. } => {
                let operations = &self.instance.program.operations;
                operations.get(usize::from(*operation)).map_or_else(String::new, |called| called.name.clone())
            }
            Cause::Elapse if event.wait == 0 => "the instant ends".into(),
            Cause::Elapse => "time passes".into(),
            Cause::Crash => "crash".into(),
            Cause::Restart => "restart".into(),
            Cause::Mislead => "misled by the oracle".into(),
            Cause::EndMislead => "oracle corrected".into(),
            Cause::Deliver { .. } if is_down => "receiver crashed".into(),
            Cause::Deliver { .. } if vanishes => "the link has failed".into(),
            // The evaluation of a guard or a sender aborts.
            Cause::Deliver { .. } => "receive".into(),
            Cause::Lose { .. } => "lost".into(),
            Cause::Duplicate { .. } => "doubled".into(),
            Cause::Cut { link } => format!("link to {} fails", self.instance.network.link(*link).to),
            _ => String::new(),
        }
    }

    fn displayed(&self, process: ProcessId, view: &impl View) -> Shown {
        let show = Show::new(&self.instance.program).at(&self.instance.network, process);
        let role = self.instance.role_of(process);
        let state = State::of(process, view);
        let status = columns(show.status(role, &state.words));
        let text = |(_, v): (_, &Variable)| column(&show.slot(v.slot, &v.ty, &state.words, &state.values));
        let variables = show.variables(role).map(text).collect();
        Shown { state, status, variables }
    }

    /// Replace the recorded state of a process by `after`. Return the changes of its displayed state, in the order of the program.
    fn changes(&mut self, process: ProcessId, after: State) -> Vec<Change> {
        let show = Show::new(&self.instance.program).at(&self.instance.network, process);
        let role = self.instance.role_of(process);
        let shown = &mut self.shown[process.index()];
        let status = columns(show.status(role, &after.words));
        let mut changes = differences(&shown.status, &status);
        shown.status = status;
        for ((role, v), known) in show.variables(role).zip(&mut shown.variables) {
            if after.has_same(v.slot, &shown.state) {
                continue;
            }
            let text = column(&show.slot(v.slot, &v.ty, &after.words, &after.values));
            if text != *known {
                changes.push(Change::new(role.shown_name(v), &text));
                *known = text;
            }
        }
        shown.state = after;
        changes
    }
}

/// Return the values as columns of a trace.
fn columns(mut shown: Vec<(String, String)>) -> Vec<(String, String)> {
    shown.iter_mut().for_each(|(_, value)| *value = column(value));
    shown
}

/// Return the variables that are new or changed, in the order of the program.
fn differences(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    let aligned = before.len() == after.len();
    let known: FxHashSet<&(String, String)> = before.iter().filter(|_| !aligned).collect();
    let is_new = |(i, now): &(usize, &(String, String))| match aligned {
        true => before[*i] != **now,
        false => !known.contains(now),
    };
    let new = after.iter().enumerate().filter(is_new);
    new.map(|(_, (name, value))| Change::new(name, value)).collect()
}

/// Return the text of an observation: `call enter`, `upcall deliver(3)`.
fn observed(program: &crate::ir::Program, show: &Show, seen: &Observation) -> String {
    let operation = || program.operations.get(seen.of as usize).map(|o| &o.name);
    let (word, name) = match seen.what {
        HistoryKind::Calls => ("call", operation()),
        HistoryKind::Returns => ("return", operation()),
        HistoryKind::Upcalls => ("upcall", program.upcalls.get(seen.of as usize)),
    };
    let name = name.map_or("?", |n| n);
    column(&match &seen.value {
        Some(value) => format!("{word} {name}({})", show.value(value)),
        None => format!("{word} {name}"),
    })
}
