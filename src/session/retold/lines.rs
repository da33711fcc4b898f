//! The lines of a scenario that bring about a run, event by event.

use crate::instance::Instance;
use crate::network::NONE;
use crate::semantics::choice::{First, Given};
use crate::semantics::event::{CRASH, Cause, Event};
use crate::semantics::{Chooser, Configuration, Machine};
use crate::trace::{Message, TraceEvent};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What `at` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moments {
    /// Nothing: there are no such lines.
    None,
    Rounds,
    Instants,
}

/// The lines so far, and where the run stands.
pub(super) struct Lines<'i> {
    instance: &'i Instance,
    moments: Moments,
    /// By instant, lines that have to stand before it. None: messages are held, and told when to arrive.
    delays: Option<BTreeMap<u64, String>>,
    machine: Machine,
    configuration: Configuration,
    text: String,
    /// The moment that the last `at` names.
    reached: Option<u64>,
    /// Lines that have to stand before the end of this round, and the round.
    round: Option<(u64, String)>,
    /// Has anybody done more than start?
    moved: bool,
}

impl<'i> Lines<'i> {
    pub fn new(
        instance: &'i Instance,
        moments: Moments,
        mut delays: Option<BTreeMap<u64, String>>,
    ) -> Lines<'i> {
        let mut machine = Machine::new(instance);
        machine.recording = true;
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
            moved: false,
        }
    }

    /// # Errors
    /// When no line can say what happens.
    pub fn add(&mut self, event: &TraceEvent) -> Result<(), String> {
        let told = self.told(event)?;
        match (self.moments, &event.choice.cause) {
            (Moments::Rounds, Cause::Round { round }) => {
                if self.round.as_ref().is_some_and(|(other, _)| other != round) {
                    self.end_round();
                }
                let (_, lines) = self.round.get_or_insert((*round, String::new()));
                *lines += &told;
            }
            (Moments::Rounds, _) => {
                self.end_round();
                if event.choice.wait > 0 {
                    self.pass(self.configuration.rounds().unwrap_or(0) + event.choice.wait);
                }
                self.text += &told;
            }
            (Moments::Instants, _) => {
                // What a process does by itself, and timers, need no line, but that the time has come.
                let at = event.at.unwrap_or(0);
                if at > self.reached.unwrap_or(0) {
                    self.text += &self.delays.as_mut().and_then(|d| d.remove(&at)).unwrap_or_default();
                    self.pass(at);
                }
                self.text += &told;
            }
            (Moments::None, _) => self.text += &told,
        }
        self.moved |= event.choice.cause != Cause::Start;
        // A step that goes wrong is the last one.
        let _ = self.machine.replay(self.instance, &mut self.configuration, &step(event));
        Ok(())
    }

    /// # Errors
    /// When no line can say how long the run goes on.
    pub fn finish(mut self) -> Result<String, String> {
        self.end_round();
        if self.moments != Moments::None && self.reached.is_none() {
            self.pass(0);
        }
        if self.instance.model.reads() {
            // Rounds of moves: the one under way has to end, if there is one.
            let ended = self.configuration.rounds().unwrap_or(0);
            self.pass(if self.moved { ended + 1 } else { 0 });
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

    fn told(&mut self, event: &TraceEvent) -> Result<String, String> {
        let mut text = String::new();
        let process = event.process;
        let network = &self.instance.network;
        if event.choice.choices.iter().any(|choice| *choice >= CRASH) {
            text += &self.crash(event)?;
        }
        let fault = match &event.choice.cause {
            Cause::Wakeup => Some(format!("wake p{process}")),
            Cause::SendNote { to } => Some(format!("p{process} -> p{to}: note")),
            Cause::Crash => Some(format!("crash p{process}")),
            Cause::Restart => Some(format!("restart p{process}")),
            Cause::Mislead => Some(format!("mislead p{process}")),
            Cause::Lose { .. } => {
                let lost = event.lost.first();
                lost.map(|lost| format!("lose p{} -> p{process}{}", lost.peer, spaced(kind(lost))))
            }
            Cause::Duplicate { .. } => {
                let copy = event.sent.first();
                copy.map(|copy| format!("duplicate p{process} -> p{}{}", copy.peer, spaced(kind(copy))))
            }
            Cause::Cut { link } if *link != NONE => {
                Some(format!("cut p{process} -> p{}", network.link(*link).to))
            }
            // What is true a detector says by itself.
            Cause::Suspect { of } if !self.configuration.crashed(*of) => {
                Some(format!("suspect p{of} at p{process}"))
            }
            _ => None,
        };
        let is_fault = step(event).is_fault(&self.configuration);
        if is_fault && self.instance.model.reads() {
            return Err("no line can say between which moves something goes wrong".into());
        }
        if let Some(fault) = fault {
            let _ = writeln!(text, "  {fault}");
        }
        for call in event.observations.iter().filter_map(|o| o.strip_prefix("call ")) {
            let _ = writeln!(text, "  p{process}: {call}");
        }
        // In rounds everything arrives by itself, and after a delay.
        if self.moments != Moments::Rounds && self.delays.is_none() {
            for message in &event.received {
                let _ = writeln!(text, "  deliver p{} -> p{process}{}", message.peer, spaced(kind(message)));
            }
            // A command that goes wrong leaves its message where it was.
            if let (Cause::Deliver { channel, position }, []) = (&event.choice.cause, &*event.received)
                && let Some(message) = self.configuration.channel(*channel).nth(*position as usize)
            {
                let sender = self.instance.sender(*channel);
                let kind = plain(&self.instance.program.kinds[message.kind as usize].name);
                let _ = writeln!(text, "  deliver p{sender} -> p{process}{}", spaced(kind));
            }
        }
        Ok(text)
    }

    /// The line for a crash in the course of a command: before which message, and in rounds who does not get it.
    fn crash(&mut self, event: &TraceEvent) -> Result<String, String> {
        let process = event.process;
        let choices = &event.choice.choices;
        let at = choices.iter().position(|choice| *choice >= CRASH).unwrap_or(choices.len());
        // What the command sends where nothing goes wrong.
        let mut machine = Machine::new(self.instance);
        machine.recording = true;
        let mut after = self.configuration.clone();
        let mut chooser = Until { given: Given::new(&choices[..at]), left: at };
        let done = machine.perform(self.instance, &mut after, &step(event), &mut chooser);
        if !matches!(done, Ok(true)) {
            return Err(format!("what p{process} would have sent, had it not crashed, is not known"));
        }
        let sent = &machine.effects.sent;
        let name =
            |number: usize| sent.get(number).map(|s| &self.instance.program.kinds[s.kind as usize].name);
        if self.moments != Moments::Rounds {
            let first = event.sent.len();
            let Some(next) = sent.get(first) else {
                return Err(format!("what p{process} would have sent next is not known"));
            };
            let kind = spaced(plain(name(first).map_or("", |name| name)));
            return Ok(format!("  crash p{process} before send{kind} to p{}\n", next.to));
        }
        let mut missing: Vec<u32> = sent.iter().map(|s| s.to).collect();
        for message in &event.sent {
            if let Some(place) = missing.iter().position(|to| *to == message.peer) {
                missing.remove(place);
            }
        }
        if missing.len() == sent.len() {
            return Ok(format!("  crash p{process} before send\n"));
        }
        let missing: Vec<String> = missing.iter().map(|to| format!("p{to}")).collect();
        Ok(format!("  crash p{process} before send to {}\n", missing.join(", ")))
    }
}

/// Given choices, and then always the first possibility.
struct Until<'c> {
    given: Given<'c>,
    left: usize,
}

impl Chooser for Until<'_> {
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

/// `Request`: the word that tells the message from others; nothing where messages are bare values.
pub(super) fn kind(message: &Message) -> &str {
    plain(message.text.split('(').next().unwrap_or_default())
}

/// Without the name of the layer, which lines of scenarios do not say.
fn plain(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

fn spaced(kind: &str) -> String {
    if kind.is_empty() { String::new() } else { format!(" {kind}") }
}
