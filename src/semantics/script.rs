//! Scenarios as constraints on all runs: see [`Instance::script`].
//!
//! Calls, notes, wake-ups, faults and deliveries of held messages are steps. Each may happen at any time after those of the lines
//! above it. All other lines are not steps: they wait until only faults are possible, apart from held messages, and the step that
//! leads there passes them. If the script is line by line, the steps of lines wait in the same way.
//!
//! Lines about a later step (a choice, a crash before a send) are pending until it occurs. They exclude the steps that disagree, so
//! that each event still contains all its choices. `at` is a step if quiet rounds or time must pass; no step comes after the
//! moment of the next `at`, and none before it if other lines precede it. With time, a message may still be in transit at the end
//! of an instant. So lines that are no steps then have an event of their own, which is enabled when time may pass.

use super::configuration::Configuration;
use super::ends::{Outcome, classify};
use super::enumeration::is_possible;
use super::environment::{Faults, ScriptPosition};
use super::eval::{self, World};
use super::event::{Cause, Event};
use super::held::Held;
use super::history::History;
use super::machine::{CrashOrder, ScriptedDelay, is_lost_freely};
use super::metrics::Metrics;
use super::orders::{ChoiceOrder, OrderedChoice};
use super::{Chooser, Machine, StepError};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{Instance, Script};
use crate::ir::{Fault, ScenarioLine as Line, Value};

impl Configuration {
    /// Return the script of the instance and the number of lines that have happened, unless there is none.
    fn in_script<'i>(&self, instance: &'i Instance) -> Option<(&'i Script, u32)> {
        Some((instance.script.as_ref()?, self.environment.script.as_ref()?.at))
    }

    /// Return the messages held now. Without a script, no message is held.
    pub fn held(&self, instance: &Instance) -> Held {
        let holds = self.in_script(instance).map(|(script, at)| script.holds(at).to_vec());
        Held { holds: holds.unwrap_or_default(), let_through: Vec::new() }
    }

    /// Return the lines about later steps that have not taken effect.
    fn pending_orders(&self) -> &[u32] {
        self.environment.script.as_ref().map_or(&[], |position| &position.pending)
    }

    /// Return whether some line of the script has not happened.
    pub fn has_lines_left(&self, instance: &Instance) -> bool {
        self.in_script(instance).is_some_and(|(script, at)| script.line(at).is_some())
    }

    /// Return whether an event is that of the next line.
    pub fn is_of_script(&self, instance: &Instance, event: &Event) -> bool {
        let Some((script, at)) = self.in_script(instance) else { return false };
        let between = |channel: ChannelId, (from, to): (ProcessId, ProcessId)| {
            instance.sender(channel) == from && instance.receiver(channel) == to
        };
        let such = |channel: ChannelId, position: u32, kinds: &Option<Vec<u32>>| {
            let message = self.channel(channel).nth(position as usize);
            message.is_some_and(|message| kinds.as_ref().is_none_or(|kinds| kinds.contains(&message.kind)))
        };
        let process = event.process;
        match (script.line(at), &event.cause) {
            (Some(Line::Act { process: p, operation, .. }), Cause::Call { operation: called, .. }) => {
                (*p, operation) == (process, called)
            }
            (Some(Line::Note { from, to, .. }), Cause::SendNote { to: other }) => {
                (*from, to) == (process, other)
            }
            (Some(Line::Wake(all)), Cause::Wakeup) => all.contains(&process),
            (Some(Line::AdvanceTo(_)), Cause::Elapse) => true,
            (Some(line), Cause::Elapse) => script.ends_instants(instance, at) && !is_step(line),
            (Some(Line::Crash { process: p, before: None }), Cause::Crash)
            | (Some(Line::Restart(p)), Cause::Restart)
            | (Some(Line::Mislead(p)), Cause::Mislead) => *p == process,
            (Some(Line::Suspect { process: p, at, trusted: false }), Cause::Suspect { of })
            | (Some(Line::Suspect { process: p, at, trusted: true }), Cause::Trust { of }) => {
                (*at, p) == (process, of)
            }
            (Some(Line::Lose { from, to, kinds }), Cause::Lose { channel, position })
            | (Some(Line::Duplicate { from, to, kinds }), Cause::Duplicate { channel, position }) => {
                between(*channel, (*from, *to)) && such(*channel, *position, kinds)
            }
            (Some(Line::Cut { from, to }), Cause::Cut { link }) => {
                let link = instance.network.link(*link);
                (link.from, link.to) == (*from, *to)
            }
            (Some(Line::Deliver { from, to, kinds }), Cause::Deliver { channel, position }) => {
                between(*channel, (*from, *to))
                    && such(*channel, *position, kinds)
                    && self.is_held(instance, (script, at), *channel, *position)
            }
            _ => false,
        }
    }

    /// Return whether a scenario allows this fault now, beyond the budget: any fault in a scripted run, else only that of the next line.
    pub(super) fn lets_occur(&self, instance: &Instance, fault: Fault) -> bool {
        let Some((script, at)) = self.in_script(instance) else { return instance.scripted };
        if fault == Fault::Crash && script.crash_orders(self.pending_orders()).next().is_some() {
            return true;
        }
        match script.line(at) {
            Some(Line::Crash { before: None, .. }) => fault == Fault::Crash,
            Some(Line::Restart(_)) => fault == Fault::Restart,
            Some(Line::Lose { .. }) => fault == Fault::Loss,
            Some(Line::Duplicate { .. }) => fault == Fault::Duplication,
            Some(Line::Cut { .. }) => fault == Fault::Link,
            Some(Line::Suspect { trusted: false, .. }) => fault == Fault::Suspicion,
            Some(Line::Mislead(_)) => fault == Fault::OracleError,
            _ => false,
        }
    }

    /// Return whether a process may crash within its command: by the budget, or as the next line.
    pub(super) fn may_crash_within_command(&self, instance: &Instance, process: ProcessId) -> bool {
        let is_left = |faults: &Faults| faults.remaining.of(Fault::Crash) > 0;
        let crash = Event::new(process, Cause::Crash);
        instance.script.is_none()
            || self.environment.faults.as_deref().is_some_and(is_left)
            || !instance.script.as_ref().is_some_and(|script| script.is_line_by_line)
                && self.is_of_script(instance, &crash)
    }

    /// Return whether a message is held, or blocked by one that is.
    fn is_held(
        &self,
        instance: &Instance,
        (script, at): (&Script, u32),
        channel: ChannelId,
        position: u32,
    ) -> bool {
        let (from, to) = (instance.sender(channel), instance.receiver(channel));
        let is_first = |before: usize| !instance.layout.keeps_order(channel) && before < position as usize;
        let mut upto = self.channel(channel).enumerate().take(position as usize + 1);
        upto.any(|(place, m)| {
            !is_first(place) && script.holds(at).iter().any(|hold| hold.holds(from, to, m.kind))
        })
    }

    /// Return the current instant, or the number of rounds that have ended.
    fn moment(&self, instance: &Instance) -> u64 {
        if instance.is_timed() { self.now() } else { self.rounds().unwrap_or(0) }
    }

    /// Return whether a step comes after the moment up to which the script lets time pass.
    fn is_too_late(&self, instance: &Instance, (script, at): (&Script, u32), event: &Event) -> bool {
        if !script.states_moments_from(0) || event.cause == Cause::Start || self.in_joint_step() {
            return false;
        }
        let now = self.moment(instance);
        let last = match (script.moment(at), script.line(at)) {
            (Some(moment), _) => moment,
            (None, Some(Line::ExpectOutcome(_))) if instance.is_timed() => return false,
            _ => now,
        };
        match event.cause {
            Cause::Round { round } => round > last,
            _ if instance.model.has_state_reading() && !self.is_fault(event) => {
                now >= last && !self.is_of_script(instance, event)
            }
            _ => now.saturating_add(event.wait) > last,
        }
    }

    /// Return the outcome of a run that goes no further: a run that the script stops after its last moment has not ended.
    pub fn outcome(&self, instance: &Instance) -> Outcome {
        let is_stopped = self.in_script(instance).is_some_and(|script| {
            let enabled = Machine::new(instance).enabled_steps(instance, self);
            enabled.iter().any(|event| !self.is_fault(event) && self.is_too_late(instance, script, event))
        });
        if is_stopped { Outcome::Stopped } else { classify(instance, self, &self.held(instance)) }
    }

    /// Return whether the script prevents a step that is not that of a line.
    fn is_prevented(&self, instance: &Instance, script: (&Script, u32), event: &Event) -> bool {
        match event.cause {
            Cause::Start | Cause::Elapse => false,
            _ if script.0.is_continued(script.1) => true,
            Cause::Deliver { channel, position } => self.is_held(instance, script, channel, position),
            Cause::Wakeup => !script.0.woken.is_empty(),
            _ => false,
        }
    }

    /// Return the messages that a line names: the first one in an ordered channel, all in an unordered channel.
    fn named_messages(
        &self,
        instance: &Instance,
        (from, to): (ProcessId, ProcessId),
        kinds: Option<&[u32]>,
        is_possible: impl Fn(ChannelId, u32) -> bool,
    ) -> Vec<(ChannelId, u32)> {
        let mut all = Vec::new();
        for channel in instance.incoming(to).filter(|channel| instance.sender(*channel) == from) {
            let messages = (0u32..).zip(self.channel(channel));
            let such = messages.filter(|(position, message)| {
                kinds.is_none_or(|kinds| kinds.contains(&message.kind)) && is_possible(channel, *position)
            });
            let most = if instance.layout.keeps_order(channel) { 1 } else { usize::MAX };
            all.extend(such.take(most).map(|(position, _)| (channel, position)));
        }
        all
    }
}

impl Script {
    /// Return the crashes that these lines require.
    fn crash_orders(&self, lines: &[u32]) -> impl Iterator<Item = CrashOrder> {
        lines.iter().filter_map(|at| match &self.lines[*at as usize] {
            (Line::Crash { process, before: Some((kinds, to)) }, span) => {
                Some(CrashOrder { process: *process, kinds: kinds.clone(), to: to.clone(), span: *span })
            }
            _ => None,
        })
    }

    /// Return the delays of messages that the lines before this position state.
    fn delays(&self, at: u32) -> impl Iterator<Item = ScriptedDelay> {
        self.lines.iter().zip(&self.values).take(at as usize).filter_map(|((line, _), value)| {
            match (line, value) {
                (Line::Delay { from, to, kinds, .. }, Some(Value::Int(delay))) => Some(ScriptedDelay {
                    from: *from,
                    to: *to,
                    kinds: kinds.clone(),
                    delay: u64::try_from(*delay).unwrap_or(0),
                }),
                _ => None,
            }
        })
    }

    /// Return whether the line at this position, if it is no step, happens when its instant is over. A run may then go on in
    /// several ways: a message need not have arrived although it may.
    fn ends_instants(&self, instance: &Instance, at: u32) -> bool {
        instance.is_timed()
            && self.states_moments_from(0)
            && !matches!(self.line(at), Some(Line::ExpectOutcome(_)))
    }

    /// Return the choices that these lines require.
    fn choice_orders(&self, lines: &[u32]) -> impl Iterator<Item = ChoiceOrder> {
        lines.iter().filter_map(|at| {
            let at = *at as usize;
            let Line::Choose { process, .. } = &self.lines[at].0 else { return None };
            let wanted = OrderedChoice::Value(self.values[at].clone()?);
            Some(ChoiceOrder { process: *process, wanted, span: self.lines[at].1 })
        })
    }
}

impl Machine {
    /// Return the enabled steps under the script: those that it does not prevent, then the events of the next line.
    pub(super) fn enabled_in_script(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
    ) -> Vec<Event> {
        let Some(script) = configuration.in_script(instance) else { return Vec::new() };
        self.hold_as_scripted(instance, configuration, script);
        let mut events = self.enabled_steps(instance, configuration);
        if configuration.next_to_start().is_some() || configuration.in_joint_step() {
            return events;
        }
        let of_line = match self.is_due(instance, configuration, script, &events) {
            true => self.events_of_line(instance, configuration, script, &events),
            false => Vec::new(),
        };
        events
            .retain(|event| !configuration.is_prevented(instance, script, event) && !of_line.contains(event));
        events.extend(of_line);
        events.retain(|event| !configuration.is_too_late(instance, script, event));
        events
    }

    /// Return whether the next line may happen. `enabled`: all steps, as without the script.
    fn is_due(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (script, at): (&Script, u32),
        enabled: &[Event],
    ) -> bool {
        match script.line(at) {
            None => false,
            Some(Line::AdvanceTo(_)) => true,
            Some(line) if script.ends_instants(instance, at) => {
                let may_pass = !script.is_line_by_line && is_step(line) || script.is_continued(at);
                may_pass || self.time_left(instance, configuration) != Some(0)
            }
            Some(line) if script.is_line_by_line || !is_step(line) => {
                script.is_continued(at) || self.is_at_rest(instance, configuration, (script, at), enabled)
            }
            Some(_) => true,
        }
    }

    /// Exclude the messages that are held from `receive … from each`.
    fn hold_as_scripted(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (script, at): (&Script, u32),
    ) {
        if script.holds(at).is_empty() {
            self.hold(std::iter::empty());
            return;
        }
        let held = |channel: ChannelId| {
            let (from, to) = (instance.sender(channel), instance.receiver(channel));
            let is_held = move |kind: u32| script.holds(at).iter().any(|hold| hold.holds(from, to, kind));
            configuration
                .channel(channel)
                .filter(move |message| is_held(message.kind))
                .map(|message| message.id)
        };
        let messages: Vec<MessageId> = configuration.busy_channels().flat_map(held).collect();
        self.hold(messages.into_iter());
    }

    /// Return the events of the next line. `enabled`: all steps, as without the script.
    fn events_of_line(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (script, at): (&Script, u32),
        enabled: &[Event],
    ) -> Vec<Event> {
        let one = |process: ProcessId, cause: Cause| vec![Event::new(process, cause)];
        let mut events = match script.line(at) {
            Some(Line::AdvanceTo(_)) => {
                return self.moment_passes(instance, configuration, (script, at), enabled);
            }
            Some(line) if script.ends_instants(instance, at) && !is_step(line) => {
                return one(ProcessId(0), Cause::Elapse);
            }
            Some(Line::Act { process, operation, args }) => {
                let (metrics, history) = (Metrics::default(), History::default());
                let world = World { configuration, metrics: &metrics, history: &history };
                let value = |e| eval::with_global_frame(instance, Some(world), |env| eval::value(e, env));
                let args: Result<Vec<Value>, _> = args.iter().map(value).collect();
                let call = |args| one(*process, Cause::Call { operation: *operation, args });
                args.map_or_else(|_| Vec::new(), call)
            }
            Some(Line::Note { from, to, .. }) => one(*from, Cause::SendNote { to: *to }),
            Some(Line::Crash { process, before: None }) => one(*process, Cause::Crash),
            Some(Line::Restart(process)) => one(*process, Cause::Restart),
            Some(Line::Mislead(process)) => one(*process, Cause::Mislead),
            Some(Line::Wake(_) | Line::Deliver { .. }) => {
                let of_line = enabled.iter().filter(|event| configuration.is_of_script(instance, event));
                return of_line.cloned().collect();
            }
            Some(Line::Suspect { process, at, trusted }) => {
                let of = *process;
                let wanted = if *trusted { Cause::Trust { of } } else { Cause::Suspect { of } };
                let found = self.all_detections(instance, configuration, *at);
                let such = found.into_iter().filter(|(cause, _)| *cause == wanted);
                such.map(|(cause, alternative)| Event { alternative, ..Event::new(*at, cause) }).collect()
            }
            Some(Line::Lose { from, to, kinds }) => {
                let of_network = instance.active_faults().is_some_and(|faults| faults.allows(Fault::Loss));
                let is_possible = |channel, position| {
                    of_network || is_lost_freely(instance, configuration, channel, position)
                };
                let all = configuration.named_messages(instance, (*from, *to), kinds.as_deref(), is_possible);
                let lose = |(channel, position)| Event::new(*to, Cause::Lose { channel, position });
                all.into_iter().map(lose).collect()
            }
            Some(Line::Duplicate { from, to, kinds }) => {
                let all = configuration.named_messages(instance, (*from, *to), kinds.as_deref(), |_, _| true);
                let twice = |(channel, position)| Event::new(*from, Cause::Duplicate { channel, position });
                all.into_iter().map(twice).collect()
            }
            Some(Line::Cut { from, to }) => links_to_cut(instance, configuration, *from, *to)
                .map(|link| Event::new(*from, Cause::Cut { link }))
                .collect(),
            _ => Vec::new(),
        };
        if instance.model.rounds() {
            self.after_quiet_rounds(instance, configuration, &mut events);
        }
        self.at_all_times(instance, configuration, events)
    }

    /// Return the event by which the moment of the next line is reached without another step before it, if that is possible.
    fn moment_passes(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (script, at): (&Script, u32),
        enabled: &[Event],
    ) -> Vec<Event> {
        let moment = script.moment(at).unwrap_or(0);
        let left = moment.saturating_sub(configuration.moment(instance));
        let wait = if instance.is_timed() {
            Some(left).filter(|left| self.time_left(instance, configuration).is_none_or(|most| most >= *left))
        } else if !instance.model.rounds() {
            Some(0).filter(|_| self.is_at_rest(instance, configuration, (script, at), enabled))
        } else if let Some((round, _)) = self.next_part(instance, configuration) {
            Some(left).filter(|_| round > moment)
        } else {
            // No process goes on in any round.
            let is_over = instance.model.spontaneous_start || !self.somebody_wakes(instance, configuration);
            Some(0).filter(|_| is_over)
        };
        wait.map(|wait| Event { wait, ..Event::new(ProcessId(0), Cause::Elapse) }).into_iter().collect()
    }

    /// Take a step under the script, and pass the lines that it lets happen.
    pub(super) fn perform_in_script(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, StepError> {
        let Some((script, at)) = configuration.in_script(instance) else { return Ok(false) };
        let is_of_line = configuration.is_of_script(instance, event);
        if !is_of_line && configuration.is_prevented(instance, (script, at), event)
            || configuration.is_too_late(instance, (script, at), event)
        {
            return Ok(false);
        }
        self.hold_as_scripted(instance, configuration, (script, at));
        if event.cause == Cause::Elapse || is_of_line && script.is_line_by_line {
            let enabled = self.enabled_steps(instance, configuration);
            if !self.is_due(instance, configuration, (script, at), &enabled) {
                return Ok(false);
            }
            if event.cause == Cause::Elapse
                && !self.events_of_line(instance, configuration, (script, at), &enabled).contains(event)
            {
                return Ok(false);
            }
        }
        let mut next = configuration.clone();
        if !self.perform_as_ordered(instance, &mut next, event, chooser)? {
            return Ok(false);
        }
        let mut pending = configuration.pending_orders().to_vec();
        pending.retain(|line| {
            let (_, span) = script.lines[*line as usize];
            self.choice_orders.is_waiting(span) || self.ordered_crashes().iter().any(|o| o.span == span)
        });
        let crashes = !configuration.crashed(event.process) && next.crashed(event.process);
        let crash = Event::new(event.process, Cause::Crash);
        let is_as_ordered = pending.len() < configuration.pending_orders().len();
        let is_of_line =
            is_of_line || crashes && !is_as_ordered && configuration.is_of_script(instance, &crash);
        let passes = event.cause == Cause::Elapse && script.line(at).is_some_and(|line| !is_step(line));
        // One line cuts all links between its processes.
        let upto = at + u32::from(is_of_line && !passes && !matches!(event.cause, Cause::Cut { .. }));
        let position = ScriptPosition { from: upto, at: upto, outcomes: Vec::new(), pending, moment: 0 };
        next.environment.script = Some(Box::new(position));
        pass_lines(instance, script, &mut next, passes);
        let moment = next.moment(instance);
        if let Some(position) = &mut next.environment.script
            && script.states_moments_from(position.at)
        {
            position.moment = moment;
        }
        *configuration = next;
        Ok(true)
    }

    /// Perform a step if its choices, and its crash within a command, are those that the lines about later steps require.
    fn perform_as_ordered(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, StepError> {
        let Some((script, at)) = configuration.in_script(instance) else { return Ok(false) };
        let pending = configuration.pending_orders();
        self.require_crashes(script.crash_orders(pending));
        self.choice_orders.require(script.choice_orders(pending));
        self.order_delays(script.delays(at));
        let done = self.perform_step(instance, configuration, event, chooser);
        if self.disagrees() { Ok(false) } else { done }
    }

    /// Return whether everything that is not held has come to rest: only faults are possible.
    fn is_at_rest(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        script: (&Script, u32),
        enabled: &[Event],
    ) -> bool {
        enabled.iter().all(|event| {
            configuration.is_fault(event)
                || configuration.is_prevented(instance, script, event)
                || configuration.is_too_late(instance, script, event)
                || !is_possible(|choices| {
                    self.perform_as_ordered(instance, &mut configuration.clone(), event, choices)
                })
        })
    }
}

fn links_to_cut(
    instance: &Instance,
    configuration: &Configuration,
    from: ProcessId,
    to: ProcessId,
) -> impl Iterator<Item = u32> {
    let channels = instance.incoming(to).filter(|channel| instance.sender(*channel) == from);
    let mut links: Vec<u32> = channels.map(|channel| instance.layout.link_of(channel)).collect();
    links.sort_unstable();
    links.dedup();
    let has_failed =
        |link: u32| configuration.environment.faults.as_ref().is_some_and(|faults| faults.has_failed(link));
    links.retain(|link| instance.network.is_used(*link) && !has_failed(*link));
    links.into_iter()
}

/// Return whether a line is a step of its own.
fn is_step(line: &Line) -> bool {
    !matches!(
        line,
        Line::Hold { .. }
            | Line::Release { .. }
            | Line::Choose { .. }
            | Line::Delay { .. }
            | Line::Crash { before: Some(_), .. }
            | Line::Expect(_)
            | Line::ExpectVerdict { .. }
            | Line::ExpectOutcome(_)
    )
}

/// Pass the lines that are no steps, as far as they happen in this configuration. `ends_instant`: the current instant is over.
fn pass_lines(instance: &Instance, script: &Script, configuration: &mut Configuration, ends_instant: bool) {
    if configuration.next_to_start().is_some() || configuration.in_joint_step() {
        return;
    }
    let (mut is_due, mut ends_instant) = (None, ends_instant);
    while let Some((_, at)) = configuration.in_script(instance)
        && let Some(line) = script.line(at)
    {
        let passes = match line {
            // Beside the step of the line, a message may have woken the process; a crash has not, nor has a restart.
            Line::Wake(all) => all.iter().all(|process| {
                configuration.has_woken(*process)
                    || !configuration.may_wake(*process) && !script.crashes_before(at, *process)
            }),
            Line::Cut { from, to } => links_to_cut(instance, configuration, *from, *to).next().is_none(),
            Line::AdvanceTo(_) => {
                script.moment(at).is_some_and(|moment| configuration.moment(instance) >= moment)
            }
            line if is_step(line) => false,
            _ if script.ends_instants(instance, at) => ends_instant,
            _ => *is_due.get_or_insert_with(|| {
                let mut machine = Machine::new(instance);
                machine.hold_as_scripted(instance, configuration, (script, at));
                let enabled = machine.enabled_steps(instance, configuration);
                machine.is_due(instance, configuration, (script, at), &enabled)
            }),
        };
        if !passes {
            return;
        }
        let outcome =
            matches!(line, Line::ExpectOutcome(_)).then(|| configuration.outcome(instance).as_str());
        if matches!(line, Line::Release { .. }) {
            (is_due, ends_instant) = (None, false);
        }
        if let Some(position) = &mut configuration.environment.script {
            position.pending.extend(script.orders(at..at + 1));
            position.outcomes.extend(outcome.map(|outcome| (at, outcome)));
            position.at += 1;
        }
    }
}
