//! Expectations of scenarios: values, verdicts and outcomes; and unexpected violations.

use super::super::{LineMessage, ScenarioResult};
use super::{Line, Player};
use crate::ir::PropertyKind as P;
use crate::property::{self, Ended, Judgement, Verdict, explain_failure};
use crate::semantics::Abort;
use crate::semantics::eval::{self, World};
use crate::simulate::{Outcome, classify};
use crate::source::Span;

impl Player<'_, '_> {
    /// Return the outcome if no further line follows.
    pub(super) fn current_outcome(&self) -> Outcome {
        match &self.outcome {
            Outcome::Quiescent | Outcome::Terminated | Outcome::Stuck(_) if self.is_scripted => {
                self.outcome_if_disabled().unwrap_or(Outcome::Stopped)
            }
            Outcome::Quiescent | Outcome::Terminated | Outcome::Stuck(_) => {
                classify(self.instance, &self.simulation.configuration, &self.held)
            }
            other => other.clone(),
        }
    }

    pub(super) fn expect(&mut self, e: &crate::ir::Expr) -> Result<(), String> {
        let metrics = self.simulation.metrics().clone();
        let world = World {
            configuration: &self.simulation.configuration,
            metrics: &metrics,
            history: &self.observer.watch.history,
        };
        eval::with_global_frame(self.instance, Some(world), |env| {
            if eval::truth(e, env)? {
                return Ok(Ok(()));
            }
            Ok(Err(explain_failure(e, true, env)?.text()))
        })
        .unwrap_or_else(|abort: Box<Abort>| Err(abort.to_string()))
    }

    pub(super) fn expect_verdict(&mut self, property: usize, violated: bool) -> Result<(), String> {
        let name = self.instance.program.properties[property].name.clone();
        let verdicts = self.verdicts();
        let Some(verdict) = verdicts.iter().find(|v| v.name == name) else {
            return Err(format!("`{name}` was not checked"));
        };
        match (verdict.judgement, violated) {
            (Judgement::Violated, true) | (Judgement::Holds, false) => Ok(()),
            (Judgement::Violated, false) => Err(self.violated(verdict)),
            (Judgement::Holds, true) => Err(format!("`{name}` holds ({})", verdict.why)),
            (other, _) => Err(format!("`{name}` is {}: {}", other.as_str(), verdict.why)),
        }
    }

    pub(super) fn verdicts(&self) -> Vec<Verdict> {
        if let Some(verdicts) = &self.endless_verdicts {
            return verdicts.clone();
        }
        let ended = match self.outcome {
            Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
            Outcome::Aborted(_) => Ended::Aborted,
            _ => Ended::CutOff,
        };
        let (configuration, metrics) = (&self.simulation.configuration, self.simulation.metrics());
        let mut verdicts = self.observer.watch.verdicts(self.instance, ended, configuration, metrics);
        if self.is_scripted && ended == Ended::Finished && self.outcome_if_disabled().is_none() {
            // Like held messages, steps that no line takes do not happen, so the end is checked. Liveness is open: a cycle of
            // the script may decide it.
            let is_open = |kind| matches!(kind, P::Eventually | P::Settles | P::LeadsTo);
            let cut_off = self.observer.watch.verdicts(self.instance, Ended::CutOff, configuration, metrics);
            for (verdict, open) in
                verdicts.iter_mut().zip(cut_off).filter(|(verdict, _)| is_open(verdict.kind))
            {
                *verdict = open;
            }
        }
        verdicts
    }

    /// Report invariants that were violated although no line expects it.
    pub(super) fn unexpected(&self, played: &mut ScenarioResult) {
        let expected: Vec<usize> = self
            .scenario
            .lines
            .iter()
            .filter_map(|(l, _)| match l {
                Line::ExpectVerdict { property, violated: true } => Some(*property),
                _ => None,
            })
            .collect();
        for verdict in self.verdicts() {
            let index = self.instance.program.properties.iter().position(|p| p.name == verdict.name);
            if is_claimed_on_the_way(&verdict)
                && verdict.judgement == Judgement::Violated
                && !index.is_some_and(|i| expected.contains(&i))
            {
                played.failures.push(LineMessage { span: verdict.span, message: self.violated(&verdict) });
                played.unexpected.push(verdict.name);
            }
        }
    }

    /// Return the first violation of a property that a line asks for, or that is claimed on the way.
    pub(super) fn first_violation(&self) -> Option<Verdict> {
        let asked = |verdict: &Verdict| {
            self.scenario.lines.iter().any(|(line, _)| match line {
                Line::ExpectVerdict { property, .. } => {
                    self.instance.program.properties[*property].name == verdict.name
                }
                _ => false,
            })
        };
        let verdicts = self.verdicts();
        let shown = verdicts.iter().filter(|verdict| is_claimed_on_the_way(verdict) || asked(verdict));
        property::first_violation(shown).cloned()
    }

    /// State that a property is violated, with the reason.
    fn violated(&self, verdict: &Verdict) -> String {
        let remark = verdict.crashed_within.map(|command| command.remark(&self.instance.program.sources));
        let remark = remark.map_or(String::new(), |remark| format!("; {remark}"));
        format!("`{}` is violated: {}{remark}", verdict.name, verdict.why)
    }

    /// Return the lines that expect a property to hold which holds only because a premise never came true.
    pub(super) fn vacuous_lines(&self) -> Vec<LineMessage> {
        let verdicts = self.verdicts();
        let note = |(line, span): &(Line, Span)| {
            let Line::ExpectVerdict { property, violated: false } = line else { return None };
            let name = &self.instance.program.properties[*property].name;
            let verdict = verdicts.iter().find(|v| v.name == *name && !v.never_true.is_empty())?;
            Some(LineMessage { span: *span, message: format!("`{name}` holds: {}", verdict.why) })
        };
        self.scenario.lines.iter().filter_map(note).collect()
    }
}

/// Whether the property is claimed of every configuration on the way. Costs and ends are checked only on request: the lines may leave
/// the run unfinished.
fn is_claimed_on_the_way(verdict: &Verdict) -> bool {
    verdict.promised && matches!(verdict.kind, P::Invariant | P::Stable | P::Order)
}

pub(super) fn aborted(abort: &Abort) -> LineMessage {
    let at = match abort.process {
        Some(p) => format!("{p}: "),
        None => String::new(),
    };
    LineMessage { span: abort.span, message: format!("the run was aborted: {at}{}", abort.message) }
}

pub(super) fn reasons(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Stuck(list) => match list.first() {
            Some(first) => format!(": {}", first.why),
            None => String::new(),
        },
        _ => String::new(),
    }
}
