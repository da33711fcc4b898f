//! Breakpoints on steps: on the lines that they execute, their messages, actions and processes.

use super::Timeline;
use super::places::executed;
use crate::ids::ProcessId;
use crate::ir::{ActionId, Question};
use crate::semantics::event::{Cause, Event, crash_within};
use crate::source::Span;

/// The steps at which a breakpoint stops.
#[derive(Clone, Debug)]
pub enum StepTrigger {
    /// A step executes a place that begins within this span, a line of the program.
    Line(Span),
    /// A step sends or takes a message of one of these kinds.
    Messages(Vec<u32>),
    /// A step executes one of these actions.
    Actions(Vec<ActionId>),
    /// A process takes a step.
    Process(ProcessId),
    /// A process leaves this waiting point or control state: the words before the step.
    Leaves(ProcessId, Vec<i64>),
    /// A process crashes.
    Crash,
    /// The value of an expression changes.
    Changes(Question),
}

/// The number of times that a breakpoint must be reached before it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(u64),
    AtLeast(u64),
    Below(u64),
    EveryNth(u64),
}

impl HitCondition {
    /// Parse `3`, `= 3`, `>= 3`, `> 3`, `< 3`, `<= 3` or `% 3`.
    ///
    /// # Errors
    /// If the text has another form: one sentence without a full stop.
    pub fn parse(text: &str) -> Result<HitCondition, String> {
        let text = text.trim();
        let (sign, number) = text.split_at(text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len()));
        let wrong = || {
            format!("`{text}` is no hit condition: write `3`, `>= 3`, `< 3`, or `% 3` for every third time")
        };
        let number: u64 = number.trim().parse().map_err(|_| wrong())?;
        match sign.trim() {
            "" | "=" | "==" => Ok(HitCondition::Exactly(number)),
            ">=" => Ok(HitCondition::AtLeast(number)),
            ">" => Ok(HitCondition::AtLeast(number.saturating_add(1))),
            "<" => Ok(HitCondition::Below(number)),
            "<=" => Ok(HitCondition::Below(number.saturating_add(1))),
            "%" if number > 0 => Ok(HitCondition::EveryNth(number)),
            _ => Err(wrong()),
        }
    }

    fn holds(self, hits: u64) -> bool {
        match self {
            HitCondition::Exactly(number) => hits == number,
            HitCondition::AtLeast(number) => hits >= number,
            HitCondition::Below(number) => hits < number,
            HitCondition::EveryNth(number) => hits.is_multiple_of(number),
        }
    }
}

/// A breakpoint on steps.
#[derive(Clone, Debug)]
pub struct StepBreakpoint {
    pub number: usize,
    pub on: StepTrigger,
    /// A condition on the configuration after the step, or after the joint step that it is part of.
    pub condition: Option<Question>,
    pub hits: Option<HitCondition>,
    /// Number of times that it was reached and its condition held.
    pub(super) reached: u64,
    /// The value before the step, of a trigger on changes.
    last: Option<String>,
    /// The hit by a step of the current joint step.
    pending: Option<Hit>,
}

/// A breakpoint that a step has hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub number: usize,
    /// The process that took the step.
    pub process: ProcessId,
    /// The place that the step executed, of a breakpoint on a line.
    pub place: Option<Span>,
}

impl StepBreakpoint {
    pub fn new(
        number: usize,
        on: StepTrigger,
        condition: Option<Question>,
        hits: Option<HitCondition>,
    ) -> StepBreakpoint {
        StepBreakpoint { number, on, condition, hits, reached: 0, last: None, pending: None }
    }

    /// Record the values before a movement.
    pub(super) fn begin(&mut self, timeline: &Timeline) {
        self.pending = None;
        if let StepTrigger::Changes(question) = &self.on {
            self.last = Some(timeline.shown(question));
        }
    }

    /// Note whether a step triggers it.
    pub(super) fn note(&mut self, timeline: &Timeline, event: &Event) {
        let Some(place) = self.triggered(timeline, event) else { return };
        self.pending.get_or_insert(Hit { number: self.number, process: event.process, place });
    }

    /// Return the place if the step triggers it.
    fn triggered(&self, timeline: &Timeline, event: &Event) -> Option<Option<Span>> {
        let machine = &timeline.cursor.machine;
        let effects = &machine.effects;
        let triggered = match &self.on {
            StepTrigger::Line(line) => {
                let begins =
                    |place: &Span| place.file == line.file && line.range().contains(&(place.start as usize));
                let place = executed(&timeline.instance, event, machine).into_iter().find(begins);
                return place.map(Some);
            }
            StepTrigger::Messages(kinds) => {
                effects.sent.iter().any(|sent| kinds.contains(&sent.kind))
                    || timeline.taken.iter().any(|kind| kinds.contains(kind))
            }
            StepTrigger::Actions(actions) => {
                actions.contains(&effects.action) || effects.upcalls.iter().any(|a| actions.contains(a))
            }
            StepTrigger::Process(process) => event.process == *process || effects.responder == Some(*process),
            StepTrigger::Leaves(process, position) => timeline.control(*process) != *position,
            StepTrigger::Crash => event.cause == Cause::Crash || crash_within(&event.choices).is_some(),
            StepTrigger::Changes(_) => true,
        };
        triggered.then_some(None)
    }

    /// Return the hit if a step since the last call has triggered it and its conditions hold.
    pub(super) fn evaluate(&mut self, timeline: &Timeline) -> Option<Hit> {
        let hit = self.pending.take()?;
        if let StepTrigger::Changes(question) = &self.on {
            let now = timeline.shown(question);
            if self.last.replace(now.clone()) == Some(now) {
                return None;
            }
        }
        let holds = |question: &Question| timeline.answer_now(question).is_ok_and(|value| value == "true");
        if !self.condition.as_ref().is_none_or(holds) {
            return None;
        }
        self.reached += 1;
        self.hits.is_none_or(|hits| hits.holds(self.reached)).then_some(hit)
    }
}
