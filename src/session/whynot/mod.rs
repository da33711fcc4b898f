//! Explanation of why an action is disabled: the false part of its guard, the missing message or the one ahead of it in
//! its channel, or the current waiting point of its process.

mod models;

use super::timeline::{Possibilities, Timeline};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{Candidate, ExecutionModel, Instance};
use crate::ir::show::Show;
use crate::ir::{ActionId, Alternative, CRASHED, Fault, HALTED, Input, Op, Value};
use crate::property::explain_failure;
use crate::semantics::eval::{self, Env, elements};
use crate::semantics::event::Cause;
use crate::semantics::machine::Takers;
use crate::semantics::{Configuration, Machine, MessageRef};
use crate::trace::show::column;

/// Maximum number of messages or places named.
const MOST_NAMED: usize = 4;

/// Reasons why an action is disabled at a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    pub process: ProcessId,
    /// Indices of the steps, in the list of enabled steps, that execute the action: then it is enabled.
    pub possible: Vec<usize>,
    /// One sentence each, without a full stop and without the name of the process.
    pub reasons: Vec<String>,
}

/// The place of an alternative in the program.
#[derive(Clone, Copy)]
pub(super) enum BlockedAt {
    Wait(usize),
    State { component: usize, state: usize },
    Always,
}

/// Explain one action for each process of `processes` that has it. `possible` is the list of [`Timeline::possible`].
pub fn whynot(
    timeline: &Timeline,
    action: ActionId,
    processes: &[ProcessId],
    possible: &Possibilities,
) -> Vec<Obstacle> {
    let instance = timeline.instance();
    let mut asker = Explainer {
        instance,
        configuration: timeline.configuration(),
        machine: Machine::new(instance),
        possible,
    };
    processes.iter().filter_map(|process| asker.obstacle(*process, action)).collect()
}

/// Join obstacles that differ only in the process: each with all its processes.
pub fn by_reason(found: &[Obstacle]) -> Vec<(&Obstacle, Vec<ProcessId>)> {
    let mut groups: Vec<(&Obstacle, Vec<ProcessId>)> = Vec::new();
    for obstacle in found {
        let is_same =
            |known: &Obstacle| (&known.possible, &known.reasons) == (&obstacle.possible, &obstacle.reasons);
        match groups.iter_mut().find(|(known, _)| is_same(known)) {
            Some((_, processes)) => processes.push(obstacle.process),
            None => groups.push((obstacle, vec![obstacle.process])),
        }
    }
    groups
}

/// Explain why processes do not crash.
pub fn why_no_crash(timeline: &Timeline, processes: &[ProcessId], possible: &Possibilities) -> Vec<Obstacle> {
    let instance = timeline.instance();
    let machine = Machine::new(instance);
    let asker = Explainer { instance, configuration: timeline.configuration(), machine, possible };
    processes.iter().map(|process| asker.crash(*process)).collect()
}

struct Explainer<'a> {
    instance: &'a Instance,
    configuration: &'a Configuration,
    machine: Machine,
    possible: &'a Possibilities,
}

impl Explainer<'_> {
    /// Explain an action of a process; `None` if the process has no such action.
    fn obstacle(&mut self, process: ProcessId, action: ActionId) -> Option<Obstacle> {
        let instance = self.instance;
        let alternatives = alternatives(instance, instance.role_of(process), action);
        if alternatives.is_empty() {
            return None;
        }
        let mine = |p: &super::timeline::Possibility| p.event.process == process && p.action == action;
        let all = self.possible.list.iter().enumerate();
        let possible: Vec<usize> = all.filter(|(_, p)| mine(p)).map(|(i, _)| i).collect();
        let mut reasons = Vec::new();
        if possible.is_empty() {
            let comes_back = alternatives.iter().all(|(_, a)| matches!(a.input, Input::Restart));
            reasons = match self.process_obstacle(process) {
                Some(reason) if !comes_back => vec![reason],
                _ => alternatives.iter().flat_map(|(place, a)| self.reasons(process, *place, a)).collect(),
            };
            reasons.dedup();
        }
        Some(Obstacle { process, possible, reasons })
    }

    /// Explain why a process does not crash.
    fn crash(&self, process: ProcessId) -> Obstacle {
        let all = self.possible.list.iter().enumerate();
        let mine = all.filter(|(_, p)| p.event.process == process && p.event.cause == Cause::Crash);
        let possible: Vec<usize> = mine.map(|(i, _)| i).collect();
        let faults = self.configuration.environment().faults.as_ref();
        let bound = self.instance.fault_budget.as_ref().map_or(0, |hazards| hazards.budget.of(Fault::Crash));
        let left = faults.map_or(0, |faults| faults.remaining.of(Fault::Crash));
        let reason = match (bound, left) {
            _ if !possible.is_empty() => Vec::new(),
            _ if self.configuration.crashed(process) => vec!["it has already crashed".into()],
            (0, _) => vec!["the fault budget allows no crash; `.faults crash<=1` does".into()],
            (_, 0) => {
                vec![format!("the fault budget allows no further crash: crash<={bound} is used up")]
            }
            _ => vec!["no process can crash now; .enabled lists the enabled steps".into()],
        };
        Obstacle { process, possible, reasons: reason }
    }

    /// Explain why the process has no enabled step at all.
    fn process_obstacle(&self, process: ProcessId) -> Option<String> {
        if let Some(next) = self.configuration.next_to_start() {
            return Some(format!("not all processes have started; {next} starts next"));
        }
        match self.configuration.pc(process) {
            CRASHED => Some("it has crashed".into()),
            _ => None,
        }
    }

    fn reasons(&mut self, process: ProcessId, place: BlockedAt, alternative: &Alternative) -> Vec<String> {
        if let Input::Restart = alternative.input {
            return vec![match self.configuration.crashed(process) {
                true => "it has crashed, and the fault budget allows no further restart".into(),
                false => "it has not crashed".into(),
            }];
        }
        if let Some(elsewhere) = self.position_obstacle(process, place) {
            return vec![elsewhere];
        }
        if self.instance.model.rounds() && self.has_stepped_in_round(process) {
            return vec![self.round_obstacle(process)];
        }
        match &alternative.input {
            Input::Message { kind, .. } => self.message(process, *kind, alternative),
            Input::Each { kind, set, .. } => self.each(process, *kind, *set),
            Input::Condition { some: None } => {
                let earlier =
                    alternative.after_earlier.then(|| "an earlier alternative is enabled".to_string());
                vec![
                    self.guard(process, alternative, None)
                        .or(earlier)
                        .unwrap_or_else(|| self.model_obstacle(process)),
                ]
            }
            Input::Condition { some: Some(binder) } => {
                let set = self
                    .probe(process, |env| eval::value(&binder.set, env).map(|set| elements(&set).count()));
                let text = self.source(binder.set.span);
                vec![match set {
                    Some(Ok(0)) => format!("`{text}` is empty"),
                    Some(Err(abort)) => abort.message,
                    _ => match &alternative.guard {
                        Some(guard) => {
                            format!("no element of `{text}` satisfies `{}`", self.source(guard.span))
                        }
                        None => self.model_obstacle(process),
                    },
                }]
            }
            Input::Wakeup => vec![self.wakeup_obstacle(process, alternative)],
            Input::Upcall { name, .. } => {
                vec![format!("it handles the upcall `{name}`, in the step in which the layer below makes it")]
            }
            Input::Interaction { responder, mirrors } => {
                self.partners(process, alternative, (*responder, mirrors))
            }
            Input::Arrival => vec![self.arrival(process)],
            Input::After(_) if self.instance.model.rounds() => vec![self.round_due(process)],
            Input::After(_) | Input::Timer(_) => self.timer(process, alternative),
            Input::Detected { trusted: true, .. } => {
                vec!["the detector suspects no process that it could trust again now".into()]
            }
            Input::Detected { trusted: false, .. } => {
                vec!["the detector has reported every process that is down, and it may not err now".into()]
            }
            Input::Pause | Input::Restart => vec![self.model_obstacle(process)],
        }
    }

    /// Nothing in the alternative disables it: the execution model does.
    fn model_obstacle(&mut self, process: ProcessId) -> String {
        match self.instance.model.execution {
            ExecutionModel::Rounds => self.round_obstacle(process),
            ExecutionModel::Daemon(_) if self.configuration.in_joint_step() => {
                "other processes of the joint step come first".into()
            }
            _ => "another step comes first; .enabled lists the enabled steps".into(),
        }
    }

    /// The process is not at the waiting point or in the state of the alternative.
    fn position_obstacle(&self, process: ProcessId, place: BlockedAt) -> Option<String> {
        let program = &self.instance.program;
        let role = &program.roles[self.instance.role_of(process)];
        let pc = self.configuration.pc(process);
        if pc == HALTED {
            return Some("it has halted".into());
        }
        match place {
            BlockedAt::Wait(wait) if pc != wait as i64 => {
                let wanted = &role.waits[wait];
                let there = format!("{} ({})", wanted, program.sources.near(wanted.span));
                let waits = usize::try_from(pc).ok().filter(|pc| *pc > 0).and_then(|pc| role.waits.get(pc));
                Some(match waits {
                    Some(wait) => {
                        let here = format!("{} ({})", wait, program.sources.near(wait.span));
                        format!("it waits at {here}, not at {there}")
                    }
                    None => {
                        let first = role.components.first();
                        let state = first.and_then(|component| {
                            let now = self.configuration.words(process)[component.state_slot as usize];
                            component.states.get(usize::try_from(now).ok()?)
                        });
                        let state = state.map_or(String::new(), |state| format!(" of {}", state.name));
                        format!("it waits in its handlers{state}, not at {there}")
                    }
                })
            }
            BlockedAt::State { component, state } => {
                let component = &role.components[component];
                let now = self.configuration.words(process)[component.state_slot as usize];
                (now != state as i64).then(|| {
                    let name = |s: usize| component.states.get(s).map_or("?", |s| s.name.as_str());
                    let now = usize::try_from(now).map_or("?", name);
                    format!("it is in state {now}, not in {}", name(state))
                })
            }
            _ => None,
        }
    }

    /// Explain why a guard is false; `None` if it holds, or if there is none.
    fn guard(
        &mut self,
        process: ProcessId,
        alternative: &Alternative,
        message: Option<(ChannelId, u32, &Candidate)>,
    ) -> Option<String> {
        let guard = alternative.guard.as_ref()?;
        let why = |env: &mut Env<'_>| match eval::truth(guard, env) {
            Ok(true) => None,
            Ok(false) => Some(match explain_failure(guard, true, env) {
                Ok(blame) => blame.text(),
                Err(abort) => abort.message,
            }),
            Err(abort) => Some(format!("its guard could not be evaluated: {}", abort.message)),
        };
        match message {
            Some(_) => self.machine.probe(self.instance, self.configuration, process, message, why)?,
            None => self.probe(process, why)?,
        }
    }

    fn wakeup_obstacle(&mut self, process: ProcessId, alternative: &Alternative) -> String {
        if self.configuration.has_woken(process) {
            return "it has already woken up".into();
        }
        if !self.instance.initiators[process.index()] {
            return "it is not an initiator".into();
        }
        if !self.configuration.may_wake(process) {
            return "a message woke it up before it could wake up spontaneously".into();
        }
        self.guard(process, alternative, None).unwrap_or_else(|| self.model_obstacle(process))
    }

    /// Return the messages of a kind, each with the reason why this alternative does not take it.
    fn message(&mut self, process: ProcessId, kind: u32, alternative: &Alternative) -> Vec<String> {
        if self.instance.model.rounds() {
            return vec![self.none_in_transit(kind), self.model_obstacle(process)];
        }
        let table = self.instance.table(process);
        let same = |c: &&Candidate| c.alternative.entry == alternative.entry && alike(c, alternative);
        let Some(candidate) = table.candidates.iter().find(same) else {
            return vec![self.model_obstacle(process)];
        };
        let mut found = Vec::new();
        for channel in self.instance.incoming(process) {
            let messages: Vec<(u32, MessageId)> = (0..)
                .zip(self.configuration.channel(channel))
                .filter(|(_, m)| m.kind == kind)
                .map(|(position, m)| (position, m.id))
                .collect();
            for (position, _) in messages {
                let text = self.described(channel, position);
                found.push(self.not_taken(process, channel, position, candidate, &text));
            }
        }
        if found.is_empty() {
            return vec![self.none_in_transit(kind)];
        }
        let more = found.len().saturating_sub(MOST_NAMED);
        found.truncate(MOST_NAMED);
        if more > 0 {
            found.push(format!("and {more} more messages"));
        }
        found
    }

    fn not_taken(
        &mut self,
        process: ProcessId,
        channel: ChannelId,
        position: u32,
        candidate: &Candidate,
        text: &str,
    ) -> String {
        let (instance, configuration) = (self.instance, self.configuration);
        let alternative = &candidate.alternative;
        if !self.machine.is_next(instance, configuration, channel, position) {
            let first = self.described(channel, 0);
            let how = self.taking(channel).map_or(String::new(), |number| format!(" (.fire {number})"));
            return format!("{text} is behind {first}, which must be taken first{how}");
        }
        match self.machine.shape_fits(instance, configuration, (channel, position), candidate) {
            Ok(true) => {}
            Ok(false) => return format!("{text} does not match the pattern or the sender of the guard"),
            Err(abort) => return format!("matching {text} failed: {}", abort.message),
        }
        if let Some(reason) = self.guard(process, alternative, Some((channel, position, candidate))) {
            return format!("{text} has arrived, but {reason}");
        }
        match self.machine.who_takes(instance, configuration, channel, position) {
            Ok(Takers::Actions(actions)) if !actions.contains(&alternative.action) => {
                let name = |a: &ActionId| column(&instance.program.actions[*a as usize].to_string());
                let names: Vec<String> = actions.iter().map(name).collect();
                format!("{text} is taken by `{}`, which comes first", names.join("` or `"))
            }
            Ok(Takers::Deferred) => format!("{text} is deferred"),
            Err(abort) => format!("the receiver of {text} could not be determined: {}", abort.message),
            _ if instance.is_timed() => {
                let id = configuration.channel(channel).nth(position as usize).map(|m| m.id);
                id.map_or_else(String::new, |id| self.in_transit(id, text))
            }
            _ => format!("{text} has arrived; {}", self.model_obstacle(process)),
        }
    }

    /// Return the number, from 1, of an enabled step that takes the first message of a channel.
    fn taking(&self, channel: ChannelId) -> Option<usize> {
        let first = self.configuration.channel(channel).next()?.id;
        let takes = |p: &super::timeline::Possibility| p.told.received.iter().any(|m| m.id == first);
        self.possible.list.iter().position(takes).map(|i| i + 1)
    }

    /// Return the text of a message: `m4 Ack(3) from p1`.
    fn described(&self, channel: ChannelId, position: u32) -> String {
        let from = self.instance.sender(channel);
        let text = |m: MessageRef<'_>| {
            let show = Show::new(&self.instance.program).at(&self.instance.network, from);
            format!("{} {} from {from}", m.id, show.message(m.kind, m.words, m.values))
        };
        self.configuration.channel(channel).nth(position as usize).map_or_else(String::new, text)
    }

    /// Explain that no message of the kind is in transit: name the places where the program sends one.
    fn none_in_transit(&self, kind: u32) -> String {
        let program = &self.instance.program;
        let name = match Show::new(program).kind(&program.kinds[kind as usize]) {
            name if name.is_empty() => "bare value".into(),
            name => name,
        };
        let sends = program.roles.iter().flat_map(|role| &role.code).filter_map(|op| match op {
            Op::Send(send) | Op::Transmit(send) if send.kind == kind => Some(send.span),
            _ => None,
        });
        let mut places: Vec<_> = sends.collect();
        places.sort_unstable();
        places.dedup();
        let mut named: Vec<String> = places.iter().map(|p| program.sources.near(*p)).collect();
        named.dedup();
        named.truncate(MOST_NAMED);
        let sent = match named.is_empty() {
            true => "; nothing in the program sends one".into(),
            false => format!("; it is sent in {}", named.join(", ")),
        };
        format!("no {name} is in transit to it{sent}")
    }

    /// Name the processes whose messages are missing.
    fn each(&mut self, process: ProcessId, kind: u32, set: u16) -> Vec<String> {
        let instance = self.instance;
        let members = self.configuration.values(process).get(set as usize);
        let Some(Value::Set(members)) = members else { return vec![self.model_obstacle(process)] };
        let mut missing: Vec<Value> = members.iter().cloned().collect();
        for channel in instance.incoming(process) {
            let first = self.configuration.channel(channel).find(|m| m.kind == kind);
            if first.is_some() {
                let link = instance.network.link(instance.layout.link_of(channel));
                let sender = match instance.layout.by_id {
                    true => Value::Id(instance.network.id(link.from)),
                    false => Value::Port(i64::from(link.to_port)),
                };
                missing.retain(|member| *member != sender);
            }
        }
        let shown = Show::new(&instance.program).at(&instance.network, process);
        let name = shown.kind(&instance.program.kinds[kind as usize]);
        match missing.is_empty() {
            true => vec![self.model_obstacle(process)],
            false => {
                let list: Vec<String> = missing.iter().map(|m| shown.value(m)).collect();
                vec![format!("{name} is still missing from {}", list.join(", "))]
            }
        }
    }

    fn source(&self, span: crate::source::Span) -> String {
        let text = self.instance.program.sources.slice(span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Whether the candidate was made from this alternative.
fn alike(candidate: &Candidate, alternative: &Alternative) -> bool {
    candidate.alternative.action == alternative.action
        && match (&candidate.alternative.input, &alternative.input) {
            (Input::Message { kind: a, .. }, Input::Message { kind: b, .. }) => a == b,
            _ => false,
        }
}

/// Return the alternatives of an action in a role, with their places.
pub(super) fn alternatives(
    instance: &Instance,
    role: usize,
    action: ActionId,
) -> Vec<(BlockedAt, Alternative)> {
    let role = &instance.program.roles[role];
    let mut found: Vec<(BlockedAt, &Alternative)> = Vec::new();
    for (number, wait) in role.waits.iter().enumerate() {
        found.extend(wait.alternatives.iter().map(|a| (BlockedAt::Wait(number), a)));
    }
    let all = |h: &'_ crate::ir::Handlers| -> Vec<Alternative> {
        [&h.alternatives, &h.defer, &h.ignore].into_iter().flatten().cloned().collect()
    };
    let mut handlers: Vec<(BlockedAt, Alternative)> = Vec::new();
    for (component, c) in role.components.iter().enumerate() {
        for (state, s) in c.states.iter().enumerate() {
            let place = BlockedAt::State { component, state };
            handlers.extend(all(&s.handlers).into_iter().map(|a| (place, a)));
        }
        handlers.extend(all(&c.always).into_iter().map(|a| (BlockedAt::Always, a)));
    }
    let waits = found.into_iter().map(|(place, a)| (place, a.clone()));
    waits.chain(handlers).filter(|(_, a)| a.action == action).collect()
}
