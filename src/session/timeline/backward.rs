//! Movements backward, and questions about the events before a position.

use super::cursor::Cursor;
use super::places::executed;
use super::{Breakpoints, Movement, Stop, Timeline};
use crate::ids::{MessageId, ProcessId};
use crate::ir::PC;
use crate::semantics::StepError;
use crate::semantics::event::NO_ACTION;
use crate::source::Span;

/// The last step of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastStep {
    /// The number of its event.
    pub event: usize,
    /// Index into `Program::actions`; `None` if the step executed no code of the program.
    pub action: Option<u32>,
    /// The places in the program that it executed, in order.
    pub places: Vec<Span>,
}

impl Timeline {
    /// Go back by this many steps, or to the beginning. A joint step of several processes counts as one.
    ///
    /// # Errors
    /// If a recorded event is disabled: the events belong to another program.
    pub fn back(&mut self, steps: u64) -> Result<(), StepError> {
        for _ in 0..steps.min(self.at() as u64) {
            self.goto(self.at().saturating_sub(1))?;
            while self.configuration().in_joint_step() && self.at() > 0 {
                self.goto(self.at() - 1)?;
            }
        }
        Ok(())
    }

    /// Move back to the last position before the cursor at which [`Timeline::go`] stops for a wanted reason; to the beginning if
    /// there is none. The run is repeated from its beginning, so that breakpoints count alike in both directions. An interrupt
    /// leaves the cursor where it was.
    ///
    /// # Errors
    /// If the events do not lead there.
    pub fn go_back(
        &mut self,
        looks: &mut Breakpoints,
        wanted: impl Fn(&Movement) -> bool,
    ) -> Result<Movement, StepError> {
        let (end, before) = (self.at(), looks.reached());
        self.goto(0)?;
        looks.set_reached(std::iter::repeat(0));
        let nothing = Movement {
            from: end,
            to: 0,
            stop: Stop::Done,
            noticed: Vec::new(),
            unnoticed: 0,
            hits: Vec::new(),
        };
        let mut last = (nothing, vec![0; before.len()]);
        while self.at() + 1 < end {
            let went = self.go_up_to(end - 1, u64::MAX, looks);
            match went.stop {
                Stop::Done => break,
                Stop::Interrupted => {
                    looks.set_reached(before);
                    self.goto(end)?;
                    return Ok(Movement { to: end, ..went });
                }
                _ => {}
            }
            // A stop without progress would repeat forever.
            if went.to == went.from {
                break;
            }
            if wanted(&went) {
                last = (Movement { from: end, ..went }, looks.reached());
            }
        }
        let (found, reached) = last;
        looks.set_reached(reached);
        self.goto(found.to)?;
        Ok(found)
    }

    /// Return the last step of a process, if it is part of the last step of the run, which may be a joint step.
    pub fn last_step(&self, process: ProcessId) -> Option<LastStep> {
        // A joint step has at most two events for each process: its part, and a fault.
        let most =
            if self.configuration().environment().is_joint() { 2 * self.instance.n() as usize } else { 1 };
        let mut head = Cursor::new(&self.instance);
        let first = self.at().saturating_sub(most);
        head.to(first, &self.instance, &self.events, &self.checkpoints).ok()?;
        let mut found = None;
        for (number, event) in self.events.iter().enumerate().take(self.at()).skip(first) {
            if !head.configuration.in_joint_step() {
                found = None;
            }
            head.take(&self.instance, event).ok()?;
            if event.process == process {
                let action = Some(head.machine.effects.action).filter(|action| *action != NO_ACTION);
                let places = executed(&self.instance, event, &head.machine);
                found = Some(LastStep { event: number, action, places });
            }
        }
        found
    }

    /// Return the number of the last event of a process before the cursor.
    pub fn last_event_of(&self, process: ProcessId) -> Option<usize> {
        self.events[..self.at()].iter().rposition(|event| event.process == process)
    }

    /// Return the numbers of the recorded events that execute a place that begins within `line`, at most `most`, those nearest to
    /// the cursor.
    pub fn executions(&self, line: Span, most: usize) -> Vec<usize> {
        let mut head = Cursor::new(&self.instance);
        let mut found = Vec::new();
        for (number, event) in self.events.iter().enumerate() {
            if self.instance.stop.is_set() || head.take(&self.instance, event).is_err() {
                break;
            }
            let begins =
                |place: &Span| place.file == line.file && line.range().contains(&(place.start as usize));
            if executed(&self.instance, event, &head.machine).iter().any(begins) {
                found.push(number);
            }
        }
        found.sort_by_key(|number| number.abs_diff(self.at()));
        found.truncate(most);
        found.sort_unstable();
        found
    }

    /// Return waiting point and control states of a process.
    pub fn control(&self, process: ProcessId) -> Vec<i64> {
        let role = &self.instance.program.roles[self.instance.role_of(process)];
        let words = self.configuration().words(process);
        let states = role.components.iter().map(|component| component.state_slot);
        std::iter::once(PC).chain(states).map(|slot| words[slot as usize]).collect()
    }

    /// Return the messages in transit to the process of the next recorded event, with their kinds.
    pub(super) fn inbox(&self) -> Vec<(MessageId, u32)> {
        let Some(event) = self.events.get(self.cursor.at) else { return Vec::new() };
        let channels = self.instance.incoming(event.process);
        channels.flat_map(|channel| self.configuration().channel(channel).map(|m| (m.id, m.kind))).collect()
    }

    /// Note the kinds of the messages that the last step took.
    pub(super) fn note_taken(&mut self, inbox: &[(MessageId, u32)]) {
        let received = &self.cursor.machine.effects.received;
        let kind = |id: MessageId| inbox.iter().find(|(known, _)| *known == id).map(|(_, kind)| *kind);
        self.taken = received.iter().filter_map(|received| kind(received.message)).collect();
    }
}
