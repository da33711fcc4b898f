//! A scenario as a constraint on all runs of an instance: its lines happen in their order, and everything else is unconstrained.
//!
//! This module contains the lines; `semantics::script` states what they mean.

use crate::ids::ProcessId;
use crate::ir::{ScenarioLine, Value};
use crate::source::Span;

/// One `hold` of a scenario. `None`: any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub from: Option<ProcessId>,
    pub to: Option<ProcessId>,
    /// Message kinds.
    pub kinds: Option<Vec<u32>>,
}

impl Hold {
    /// Return whether it holds a message of this kind.
    pub fn holds(&self, from: ProcessId, to: ProcessId, kind: u32) -> bool {
        self.from.is_none_or(|p| p == from)
            && self.to.is_none_or(|p| p == to)
            && self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }
}

/// The lines of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Names of all processes, by position.
    pub names: Vec<String>,
    /// The lines, without the initial values. Each `wake` names one process.
    pub lines: Vec<(ScenarioLine, Span)>,
    /// The values that lines state, by line: of a choice, a delay, or a moment.
    pub values: Vec<Option<Value>>,
    /// The number of holds and orders before all other lines: they apply before any step.
    pub first: u32,
    /// Holds in force before each line, and after the last one.
    holds: Vec<Vec<Hold>>,
    /// Whether steps of lines, too, wait until everything that is not held has come to rest.
    pub is_line_by_line: bool,
    /// The processes of `wake` lines. If there are any, no other process wakes up spontaneously.
    pub woken: Vec<ProcessId>,
}

impl Script {
    /// Return the script of these lines, without initial values and names.
    pub fn new(all: &[(ScenarioLine, Span)]) -> Script {
        let others = all.iter().filter(|(line, _)| !matches!(line, ScenarioLine::Initially { .. }));
        let each = others.flat_map(|(line, span)| match line {
            ScenarioLine::Wake(all) => {
                all.iter().map(|process| (ScenarioLine::Wake(vec![*process]), *span)).collect()
            }
            line => vec![(line.clone(), *span)],
        });
        let lines: Vec<(ScenarioLine, Span)> = each.collect();
        let at_first = |line: &ScenarioLine| {
            matches!(line, ScenarioLine::Hold { .. } | ScenarioLine::Delay { .. }) || is_order(line)
        };
        let first = lines.iter().take_while(|(line, _)| at_first(line)).count() as u32;
        let mut held = Vec::new();
        let mut holds = vec![held.clone()];
        let mut woken = Vec::new();
        for (line, _) in &lines {
            change(&mut held, line);
            holds.push(held.clone());
            if let ScenarioLine::Wake(all) = line {
                woken.extend(all);
            }
        }
        let values = vec![None; lines.len()];
        Script { lines, values, first, holds, woken, ..Script::default() }
    }

    /// Return the line at this position; `None`: all lines have happened.
    pub fn line(&self, at: u32) -> Option<&ScenarioLine> {
        self.lines.get(at as usize).map(|(line, _)| line)
    }

    /// Return whether a line before this position lets the process crash.
    pub fn crashes_before(&self, at: u32, process: ProcessId) -> bool {
        let is_such = |(line, _): &(ScenarioLine, Span)| matches!(line, ScenarioLine::Crash { process: own, .. } if *own == process);
        self.lines.iter().take(at as usize).any(is_such)
    }

    /// Return whether the line at this position happens together with the one before it: a `wake` of several processes.
    pub fn is_continued(&self, at: u32) -> bool {
        let line =
            |at: u32| self.lines.get(at as usize).filter(|(line, _)| matches!(line, ScenarioLine::Wake(_)));
        match (at.checked_sub(1).and_then(line), line(at)) {
            (Some((_, before)), Some((_, span))) => before == span,
            _ => false,
        }
    }

    /// Return whether the line at this position, or one after it, states a moment.
    pub fn states_moments_from(&self, at: u32) -> bool {
        let rest = self.lines.get(at as usize..).unwrap_or_default();
        rest.iter().any(|(line, _)| matches!(line, ScenarioLine::AdvanceTo(_)))
    }

    /// Return the moment that the line at this position states: an instant, or a number of rounds.
    pub fn moment(&self, at: u32) -> Option<u64> {
        match (self.line(at)?, self.values.get(at as usize)?) {
            (ScenarioLine::AdvanceTo(_), Some(Value::Int(moment))) => u64::try_from(*moment).ok(),
            _ => None,
        }
    }

    /// Return those of these lines that are about a later step.
    pub fn orders(&self, lines: std::ops::Range<u32>) -> impl Iterator<Item = u32> {
        lines.filter(|at| self.line(*at).is_some_and(is_order))
    }

    /// Return the holds in force at this position.
    pub fn holds(&self, at: u32) -> &[Hold] {
        self.holds.get(at as usize).map_or(&[], Vec::as_slice)
    }
}

/// Return whether a line is about a later step: a choice, or a send.
pub fn is_order(line: &ScenarioLine) -> bool {
    matches!(line, ScenarioLine::Choose { .. } | ScenarioLine::Crash { before: Some(_), .. })
}

/// Apply a line to the holds in force.
fn change(held: &mut Vec<Hold>, line: &ScenarioLine) {
    match line {
        ScenarioLine::Hold { from, to, kinds } => {
            held.push(Hold { from: *from, to: *to, kinds: kinds.clone() });
        }
        ScenarioLine::Release { link: None } => held.clear(),
        ScenarioLine::Release { link: Some((from, to)) } => {
            held.retain(|hold| (hold.from, hold.to) != (Some(*from), Some(*to)));
        }
        _ => {}
    }
}
