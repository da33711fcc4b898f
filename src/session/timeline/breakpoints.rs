//! What is evaluated after each step: breakpoints and watches.

use super::step_breakpoints::{HitCondition, StepBreakpoint, StepTrigger};
use super::{Movement, Stop, Timeline};
use crate::ir::Question;
use crate::semantics::event::Event;

/// Maximum number of changes that are listed; of further ones only the number is kept.
const MOST_NOTICED: usize = 40;

/// A numbered expression.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    pub number: usize,
    pub question: Question,
    last: Option<String>,
}

/// Breakpoints, which are conditions or about steps, and watches, which are any expressions.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    pub breaks: Vec<Breakpoint>,
    pub watches: Vec<Breakpoint>,
    pub on_steps: Vec<StepBreakpoint>,
    numbers: usize,
}

/// A change of a watched expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchChange {
    pub number: usize,
    pub text: String,
    pub before: String,
    pub now: String,
    /// The position after the event that changed it.
    pub at: usize,
}

impl Breakpoints {
    /// Add a breakpoint; return its number.
    pub fn add_break(&mut self, question: Question) -> usize {
        self.numbers += 1;
        self.breaks.push(Breakpoint { number: self.numbers, question, last: None });
        self.numbers
    }

    pub fn add_watch(&mut self, question: Question) -> usize {
        self.numbers += 1;
        self.watches.push(Breakpoint { number: self.numbers, question, last: None });
        self.numbers
    }

    /// Add a breakpoint on steps; return its number.
    pub fn add_on_step(
        &mut self,
        on: StepTrigger,
        condition: Option<Question>,
        hits: Option<HitCondition>,
    ) -> usize {
        self.numbers += 1;
        self.on_steps.push(StepBreakpoint::new(self.numbers, on, condition, hits));
        self.numbers
    }

    /// Remove a breakpoint or watch; return false if there is none of this number.
    pub fn remove(&mut self, number: usize) -> bool {
        let count = |all: &Breakpoints| all.breaks.len() + all.watches.len() + all.on_steps.len();
        let before = count(self);
        self.breaks.retain(|look| look.number != number);
        self.watches.retain(|look| look.number != number);
        self.on_steps.retain(|look| look.number != number);
        before > count(self)
    }

    /// Replace all expressions by those of a changed program; remove and return those that are no longer valid.
    pub fn renew(&mut self, mut ask: impl FnMut(&Question) -> Option<Question>) -> Vec<String> {
        let mut lost = Vec::new();
        for list in [&mut self.breaks, &mut self.watches] {
            list.retain_mut(|look| match ask(&look.question) {
                Some(question) => {
                    look.question = question;
                    true
                }
                None => {
                    lost.push(look.question.text.clone());
                    false
                }
            });
        }
        lost
    }

    /// Record the values before a movement.
    pub(super) fn begin(&mut self, timeline: &Timeline) {
        for look in self.breaks.iter_mut().chain(&mut self.watches) {
            look.last = Some(timeline.shown(&look.question));
        }
        self.on_steps.iter_mut().for_each(|look| look.begin(timeline));
    }

    /// Note which breakpoints on steps the last step triggers.
    pub(super) fn note(&mut self, timeline: &Timeline, event: &Event) {
        self.on_steps.iter_mut().for_each(|look| look.note(timeline, event));
    }

    /// Whether some breakpoint depends on the kinds of the messages that a step takes.
    pub(super) fn is_about_messages(&self) -> bool {
        self.on_steps.iter().any(|look| matches!(look.on, StepTrigger::Messages(_)))
    }

    /// Return, for each breakpoint on steps, how often it has been reached.
    pub(super) fn reached(&self) -> Vec<u64> {
        self.on_steps.iter().map(|look| look.reached).collect()
    }

    /// Count the breakpoints on steps as another set does, as far as it has them.
    pub fn count_as(&mut self, other: &Breakpoints) {
        for look in &mut self.on_steps {
            let counted = other.on_steps.iter().find(|counted| counted.number == look.number);
            look.reached = counted.map_or(look.reached, |counted| counted.reached);
        }
    }

    pub(super) fn set_reached(&mut self, reached: impl IntoIterator<Item = u64>) {
        self.on_steps.iter_mut().zip(reached).for_each(|(look, reached)| look.reached = reached);
    }

    /// Evaluate all expressions after a step; return a stop if a breakpoint's condition has become true.
    pub(super) fn evaluate(&mut self, timeline: &Timeline, went: &mut Movement) -> Option<Stop> {
        for look in &mut self.watches {
            let now = timeline.shown(&look.question);
            let before = look.last.replace(now.clone());
            let Some(before) = before.filter(|before| *before != now) else { continue };
            if went.noticed.len() == MOST_NOTICED {
                went.unnoticed += 1;
                continue;
            }
            let text = look.question.text.clone();
            went.noticed.push(WatchChange { number: look.number, text, before, now, at: timeline.at() });
        }
        let mut stop = None;
        for look in &mut self.breaks {
            let now = timeline.shown(&look.question);
            let before = look.last.replace(now.clone());
            if now == "true" && before.as_deref() != Some("true") {
                stop = stop.or(Some(Stop::Break(look.number)));
            }
        }
        went.hits = self.on_steps.iter_mut().filter_map(|look| look.evaluate(timeline)).collect();
        stop.or(went.hits.first().map(|hit| Stop::Break(hit.number)))
    }
}
