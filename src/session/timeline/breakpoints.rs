//! Expressions evaluated after each step: breakpoints and watches.

use super::{Movement, Stop, Timeline};
use crate::ir::Question;

/// Maximum number of changes that are listed; of further ones only the number is kept.
const MOST_NOTICED: usize = 40;

/// A numbered expression.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    pub number: usize,
    pub question: Question,
    last: Option<String>,
}

/// Breakpoints, which are conditions, and watches, which are any expressions.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    pub breaks: Vec<Breakpoint>,
    pub watches: Vec<Breakpoint>,
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

    /// Remove a breakpoint or watch; return false if there is none of this number.
    pub fn remove(&mut self, number: usize) -> bool {
        let before = self.breaks.len() + self.watches.len();
        self.breaks.retain(|look| look.number != number);
        self.watches.retain(|look| look.number != number);
        before > self.breaks.len() + self.watches.len()
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
            look.last = Some(value(timeline, &look.question));
        }
    }

    /// Evaluate all expressions after a step; return a stop if a breakpoint's condition has become true.
    pub(super) fn evaluate(&mut self, timeline: &Timeline, went: &mut Movement) -> Option<Stop> {
        for look in &mut self.watches {
            let now = value(timeline, &look.question);
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
            let now = value(timeline, &look.question);
            let before = look.last.replace(now.clone());
            if now == "true" && before.as_deref() != Some("true") {
                stop = stop.or(Some(Stop::Break(look.number)));
            }
        }
        stop
    }
}

/// Return the displayed value, or the reason why there is none.
fn value(timeline: &Timeline, question: &Question) -> String {
    match timeline.answer_now(question) {
        Ok(value) => value,
        Err(abort) => format!("({})", abort),
    }
}
