//! Lines of a scenario that reproduce a run, event by event.

use super::ExportMode;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::ir::Value;
use crate::network::NONE;
use crate::scenario::alternatives;
use crate::semantics::choice::{First, Given};
use crate::semantics::event::{CRASH, Cause, Event, crash_within};
use crate::semantics::orders::MadeChoice;
use crate::semantics::{Chooser, Configuration, Machine};
use crate::trace::show::Show;
use crate::trace::{Message, TraceEvent};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The unit of `at` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moments {
    /// The model has no such lines.
    None,
    Rounds,
    Instants,
}

/// The lines so far, with the current configuration.
pub(super) struct Lines<'i> {
    instance: &'i Instance,
    moments: Moments,
    /// By time, lines needed before that time. `None`: messages are held and released one by one.
    delays: Option<BTreeMap<u64, String>>,
    machine: Machine,
    configuration: Configuration,
    text: String,
    /// The time that the last `at` states.
    reached: Option<u64>,
    /// Lines needed before the end of this round, with the round.
    round: Option<(u64, String)>,
    way: ExportMode,
    /// Processes that have sent something in their first commands: a crash order given before them would take effect
    /// there.
    sent_early: Vec<ProcessId>,
    /// Processes of the current joint step that have stepped so far.
    together: Vec<ProcessId>,
}

impl<'i> Lines<'i> {
    pub fn new(
        instance: &'i Instance,
        way: ExportMode,
        moments: Moments,
        mut delays: Option<BTreeMap<u64, String>>,
    ) -> Lines<'i> {
        let mut machine = Machine::new(instance);
        machine.recording = true;
        machine.choice_orders.keep();
        let at_first = delays.as_mut().and_then(|delays| delays.remove(&0)).unwrap_or_default();
        Lines {
            instance,
            moments,
            delays,
            machine,
            configuration: Configuration::initial(instance),
            text: at_first,
            reached: None,
            round: None,
            way,
            sent_early: Vec::new(),
            together: Vec::new(),
        }
    }

    /// # Errors
    /// If no line can express the event.
    pub fn add(&mut self, event: &TraceEvent) -> Result<(), String> {
        let told = match self.way {
            ExportMode::Scripted => self.scripted_step(event)?,
            _ => self.told(event)?,
        };
        let dies = crash_within(&event.choice.choices).is_some();
        // A step that aborts is the last one. Choices within it precede it.
        let before = self.configuration.rounds().unwrap_or(0);
        let _ = self.machine.replay(self.instance, &mut self.configuration, &step(event));
        let chosen: String = self.machine.choice_orders.take_made().iter().map(choose).collect();
        let told = told.with(&chosen);
        if event.choice.cause == Cause::Start && !event.sent.is_empty() {
            self.sent_early.push(event.process);
        }
        match (self.moments, &event.choice.cause) {
            (Moments::Rounds, Cause::Round { round }) => {
                if self.round.as_ref().is_some_and(|(other, _)| other != round) {
                    self.end_round();
                }
                if self.reached.is_none() && dies && self.sent_early.contains(&event.process) {
                    self.pass(0);
                }
                let (_, lines) = self.round.get_or_insert((*round, String::new()));
                *lines += &told;
            }
            (Moments::Rounds, _) => {
                self.end_round();
                if event.choice.wait > 0 {
                    self.pass(before + event.choice.wait);
                }
                self.text += &told;
            }
            (Moments::Instants, _) => {
                // Internal steps and timers need no line of their own, but their time must be stated.
                let at = event.at.unwrap_or(0);
                if at > self.reached.unwrap_or(0) {
                    self.text += &self.delays.as_mut().and_then(|d| d.remove(&at)).unwrap_or_default();
                    self.pass(at);
                }
                self.text += &told;
            }
            (Moments::None, _) => self.text += &told,
        }
        Ok(())
    }

    /// Mark the beginning of the cycle that the run repeats.
    pub fn cycle(&mut self) {
        self.end_round();
        self.text += "  cycle\n";
    }

    /// # Errors
    /// If the run stops inside a joint step.
    pub fn finish(mut self) -> Result<String, String> {
        if !self.together.is_empty() {
            return Err("the run stops inside a joint step".into());
        }
        self.end_round();
        if self.moments != Moments::None && self.reached.is_none() && self.way != ExportMode::Scripted {
            self.pass(0);
        }
        Ok(self.text)
    }

    fn pass(&mut self, moment: u64) {
        let _ = writeln!(self.text, "  at {moment}");
        self.reached = Some(moment);
    }

    fn end_round(&mut self) {
        if let Some((round, lines)) = self.round.take() {
            self.text += &lines;
            self.pass(round);
        }
    }

    /// Return the line for a fault or for an event from outside, if the event is one.
    fn external(&mut self, event: &TraceEvent) -> Result<String, String> {
        let mut text = String::new();
        let process = event.process;
        let network = &self.instance.network;
        if crash_within(&event.choice.choices).is_some() {
            text += &self.crash(event)?;
        }
        let fault = match &event.choice.cause {
            Cause::Wakeup => Some(format!("wake {process}")),
            Cause::SendNote { to } => Some(format!("{process} -> {to}: note")),
            Cause::Crash => Some(format!("crash {process}")),
            Cause::Restart => Some(format!("restart {process}")),
            Cause::Mislead => Some(format!("mislead {process}")),
            Cause::Lose { .. } => {
                let lost = event.lost.first();
                lost.map(|lost| format!("lose {} -> {process}{}", lost.peer, spaced(kind(lost))))
            }
            Cause::Duplicate { .. } => {
                let copy = event.sent.first();
                copy.map(|copy| format!("duplicate {process} -> {}{}", copy.peer, spaced(kind(copy))))
            }
            Cause::Cut { link } if *link != NONE => {
                Some(format!("cut {process} -> {}", network.link(*link).to))
            }
            // Detectors report true suspicions spontaneously, except under a scripted schedule.
            Cause::Suspect { of } if self.way == ExportMode::Scripted || !self.configuration.crashed(*of) => {
                Some(format!("suspect {of} at {process}"))
            }
            Cause::Trust { of } if self.way == ExportMode::Scripted => {
                Some(format!("trust {of} at {process}"))
            }
            _ => None,
        };
        if let Some(fault) = fault {
            let _ = writeln!(text, "  {fault}");
        }
        Ok(text)
    }

    fn told(&mut self, event: &TraceEvent) -> Result<ScriptedLine, String> {
        let mut text = self.external(event)?;
        let process = event.process;
        for call in event.observations.iter().filter_map(|o| o.strip_prefix("call ")) {
            let _ = writeln!(text, "  {process}: {call}");
        }
        // In rounds and with delays, messages arrive without a line.
        if self.moments != Moments::Rounds && self.delays.is_none() {
            for message in &event.received {
                let _ = writeln!(text, "  deliver {} -> {process}{}", message.peer, spaced(kind(message)));
            }
            // A command that aborts leaves its message in the channel.
            if let (Cause::Deliver { channel, position }, []) = (&event.choice.cause, &*event.received)
                && let Some(message) = self.configuration.channel(*channel).nth(*position as usize)
            {
                let sender = self.instance.sender(*channel);
                let kind = plain(&self.instance.program.kinds[message.kind as usize].name);
                let _ = writeln!(text, "  deliver {sender} -> {process}{}", spaced(kind));
            }
        }
        // Internal steps of processes need no line here.
        let is_told = self.moments != Moments::Rounds && self.delays.is_none();
        let which = match &event.choice.cause {
            Cause::Lose { .. } | Cause::Duplicate { .. } => self.which(event),
            Cause::Deliver { .. } if is_told => self.which(event),
            Cause::Wakeup => self.which(event),
            _ => String::new(),
        };
        Ok(ScriptedLine { which, text })
    }

    /// Return the lines for a step under a scripted schedule.
    fn scripted_step(&mut self, event: &TraceEvent) -> Result<ScriptedLine, String> {
        let mut text = self.external(event)?;
        let process = event.process;
        match &event.choice.cause {
            Cause::Move { last: false } => self.together.push(process),
            Cause::Internal | Cause::Gather | Cause::EndMislead | Cause::Move { .. } => {
                let mut all = std::mem::take(&mut self.together);
                all.push(process);
                let names: Vec<String> = all.iter().map(|p| p.to_string()).collect();
                let _ = writeln!(text, "  step {}", names.join(", "));
            }
            Cause::Timeout => {
                let _ = writeln!(text, "  expire {process}");
            }
            Cause::Deliver { channel, position } => {
                let sender = self.instance.sender(*channel);
                let message = self.configuration.channel(*channel).nth(*position as usize);
                let kind = message.map_or("", |m| plain(&self.instance.program.kinds[m.kind as usize].name));
                let _ = writeln!(text, "  deliver {sender} -> {process}{}", spaced(kind));
            }
            Cause::ReceiveNote { from } => {
                let _ = writeln!(text, "  deliver {from} -> {process}");
            }
            Cause::Call { operation, args } => {
                let program = &self.instance.program;
                let show = Show::new(program);
                let args: Vec<String> = args.iter().map(|value| show.value(value)).collect();
                let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
                let name = &program.operations[usize::from(*operation)].name;
                let _ = writeln!(text, "  {process}: {name}{args}");
            }
            _ => {}
        }
        Ok(ScriptedLine { which: self.which(event), text })
    }

    /// Return the line that selects the step if its line could denote several.
    fn which(&self, event: &TraceEvent) -> String {
        let (instance, process) = (self.instance, event.process);
        // The time of the step has been reached.
        let mut configuration = self.configuration.clone();
        if instance.is_timed() {
            configuration.advance_time(event.choice.wait);
        }
        let configuration = &configuration;
        let ways = match &event.choice.cause {
            Cause::Internal | Cause::Gather | Cause::EndMislead => {
                alternatives::steps(instance, configuration, process, true)
            }
            Cause::Move { last } => alternatives::steps(instance, configuration, process, *last),
            Cause::Wakeup => alternatives::wakeups(instance, configuration, process),
            Cause::Timeout => alternatives::expiries(instance, configuration, process),
            cause @ (Cause::Suspect { .. } | Cause::Trust { .. }) if self.way == ExportMode::Scripted => {
                alternatives::detections(instance, configuration, process, cause)
            }
            Cause::Deliver { channel, position } => {
                let link = (instance.sender(*channel), process);
                let kinds = self.messages_named_like(*channel, *position);
                alternatives::deliveries(
                    instance,
                    configuration,
                    link,
                    kinds.as_deref(),
                    self.way != ExportMode::Scripted,
                )
            }
            Cause::Lose { channel, position } | Cause::Duplicate { channel, position } => {
                let (from, to) = (instance.sender(*channel), instance.receiver(*channel));
                let kinds = self.messages_named_like(*channel, *position);
                let all = alternatives::in_transit(instance, configuration, (from, to), kinds.as_deref());
                let meant = |place: &(ChannelId, u32)| *place == (*channel, *position);
                return option(all.iter().position(meant), all.len(), to);
            }
            _ => return String::new(),
        };
        let taken =
            |way: &Event| (&way.cause, way.alternative) == (&event.choice.cause, event.choice.alternative);
        option(ways.iter().position(taken), ways.len(), process)
    }

    /// Return the messages in transit that a line names like this one. `None` if it has no name, and the line denotes
    /// all.
    fn messages_named_like(&self, channel: ChannelId, position: u32) -> Option<Vec<u32>> {
        let kinds = &self.instance.program.kinds;
        let message = self.configuration.channel(channel).nth(position as usize)?;
        let name = plain(&kinds[message.kind as usize].name);
        let such = (0u32..).zip(kinds).filter(|(_, kind)| plain(&kind.name) == name);
        (!name.is_empty()).then(|| such.map(|(number, _)| number).collect())
    }

    /// Return the line for a crash within a command: before which message, and in rounds, which receivers miss it.
    fn crash(&mut self, event: &TraceEvent) -> Result<String, String> {
        let process = event.process;
        let choices = &event.choice.choices;
        let at = choices.iter().position(|choice| *choice >= CRASH).unwrap_or(choices.len());
        // Execute the command without the crash to learn its messages.
        let mut machine = Machine::new(self.instance);
        machine.recording = true;
        let mut after = self.configuration.clone();
        let mut chooser = FixedChoices { given: Given::new(&choices[..at]), left: at };
        let done = machine.perform(self.instance, &mut after, &step(event), &mut chooser);
        if !matches!(done, Ok(true)) {
            return Err(format!("the messages of {process} without the crash are unknown"));
        }
        let sent = &machine.effects.sent;
        let name =
            |number: usize| sent.get(number).map(|s| &self.instance.program.kinds[s.kind as usize].name);
        if self.moments != Moments::Rounds {
            let first = event.sent.len();
            let Some(next) = sent.get(first) else {
                return Err(format!("the next message of {process} without the crash is unknown"));
            };
            let kind = spaced(plain(name(first).map_or("", |name| name)));
            return Ok(format!("  crash {process} before send{kind} to {}\n", next.to));
        }
        let mut missing: Vec<ProcessId> = sent.iter().map(|s| s.to).collect();
        for message in &event.sent {
            if let Some(place) = missing.iter().position(|to| *to == message.peer) {
                missing.remove(place);
            }
        }
        if missing.len() == sent.len() {
            return Ok(format!("  crash {process} before send\n"));
        }
        let missing: Vec<String> = missing.iter().map(|to| to.to_string()).collect();
        Ok(format!("  crash {process} before send to {}\n", missing.join(", ")))
    }
}

/// The lines for a step.
#[derive(Default)]
struct ScriptedLine {
    /// The selection of the step, if its line could denote several; it precedes the choices.
    which: String,
    text: String,
}

impl ScriptedLine {
    fn with(self, chosen: &str) -> String {
        self.which + chosen + &self.text
    }
}

/// Return the line that selects one of several possibilities, if there are several.
fn option(number: Option<usize>, of: usize, process: ProcessId) -> String {
    match number {
        Some(number) if of > 1 => format!("  choose option {} at {process}\n", number + 1),
        _ => String::new(),
    }
}

/// Return the line for a choice, by its value if that has a literal.
fn choose(made: &MadeChoice) -> String {
    let MadeChoice { process, number, value } = made;
    match value {
        Some(Value::Int(value) | Value::Id(value)) => format!("  choose {value} at {process}\n"),
        Some(Value::Process(chosen)) => format!("  choose p{chosen} at {process}\n"),
        Some(Value::Bool(value)) => format!("  choose {value} at {process}\n"),
        _ => format!("  choose option {} at {process}\n", number + 1),
    }
}

/// A chooser that makes given choices, and then always the first possibility.
struct FixedChoices<'c> {
    given: Given<'c>,
    left: usize,
}

impl Chooser for FixedChoices<'_> {
    fn choose(&mut self, options: usize) -> usize {
        if self.left == 0 {
            return First.choose(options);
        }
        self.left -= 1;
        self.given.choose(options)
    }
}

fn step(event: &TraceEvent) -> Event {
    event.choice.clone().at(event.process)
}

/// Return the name of the message type, such as `Request`; empty for bare values.
pub(super) fn kind(message: &Message) -> &str {
    plain(message.text.split('(').next().unwrap_or_default())
}

/// Remove the layer from a name: scenarios do not write it.
fn plain(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

fn spaced(kind: &str) -> String {
    if kind.is_empty() { String::new() } else { format!(" {kind}") }
}
