//! Properties of whole runs, judged when all configurations and the steps between them are known.

use super::Wrong;
use super::bounds::{Extremes, Total, extremes};
use super::costs::Cost;
use super::liveness::never_leaves;
use super::search::{Finding, Search, Way};
use crate::ir::Compare;
use crate::syntax::ast::PropertyKind;

impl Search<'_> {
    /// Judges bounds and what must happen. Gives for those that hold what to say of them.
    pub fn judge_runs(&mut self) -> Vec<(usize, String)> {
        let Some(graph) = self.graph.take() else {
            return Vec::new();
        };
        let mut hold = Vec::new();
        let bounds = self.judge.costs.bounds.iter().copied().enumerate();
        for (which, property) in bounds {
            match self.judge_bound(&graph, which, property) {
                Ok(why) => hold.push((property, why)),
                Err(Some(finding)) => self.findings.push(finding),
                Err(None) => {}
            }
        }
        for number in 0..self.judge.followed.len() {
            let property = self.judge.followed[number].property;
            let kind = self.judge.instance.program.properties[property].kind;
            let found = match kind {
                PropertyKind::Eventually => self.judge_eventually(&graph, number),
                PropertyKind::LeadsTo => self.judge_leads_to(&graph, number),
                _ => continue,
            };
            match found {
                Some(finding) => self.findings.push(finding),
                None => hold.push((property, "in every run that is weakly fair".into())),
            }
        }
        self.graph = Some(graph);
        hold
    }

    /// Ok: what to say of a bound that holds.
    fn judge_bound(
        &mut self,
        graph: &super::graph::Graph,
        which: usize,
        property: usize,
    ) -> Result<String, Option<Finding>> {
        let p = &self.judge.instance.program.properties[property];
        let Some(bound) = &p.bound else { return Err(None) };
        let limit = match self.judge.limit(property, &self.space.started) {
            Ok(limit) => limit,
            Err(abort) => {
                self.failed.push((property, abort.message));
                return Err(None);
            }
        };
        // What is measured by operations must not exceed the limit for each: the difference is at most 0.
        let (weight, allowed): (Box<dyn Fn(Cost) -> i64>, i64) = match bound.per {
            None => (Box::new(|cost: Cost| cost.measured), limit),
            Some(_) => (
                Box::new(move |cost: Cost| cost.measured.saturating_sub(limit.saturating_mul(cost.returned))),
                0,
            ),
        };
        let costs = &self.judge.costs;
        // What the starts have cost.
        let from: Vec<(u32, i64)> = self
            .initial
            .iter()
            .map(|(state, number)| {
                let cost = costs.get(costs.number(&self.started[*number].metrics()));
                (*state, weight(cost[which]))
            })
            .collect();
        let Some((Extremes { least, most }, cheap, dear)) = extremes(graph, costs, which, &from, &weight)
        else {
            return Ok("no run comes to an end".into());
        };
        let fits = |total: Total| match (total, bound.compare) {
            (Total::Finite(total), Compare::Equal) => total == allowed,
            (Total::Finite(total), Compare::NotEqual) => total != allowed,
            (Total::Finite(total), Compare::Less) => total < allowed,
            (Total::Finite(total), Compare::LessEqual) => total <= allowed,
            (Total::Finite(total), Compare::Greater) => total > allowed,
            (Total::Finite(total), Compare::GreaterEqual) => total >= allowed,
            (Total::AboveAll, Compare::Greater | Compare::GreaterEqual) => true,
            (Total::BelowAll, Compare::Less | Compare::LessEqual) => true,
            _ => false,
        };
        let show = |total: Total| match (total, bound.per) {
            (Total::Finite(total), None) => total.to_string(),
            (Total::Finite(total), Some(_)) if total > 0 => format!("{total} more than {limit} for each"),
            (Total::Finite(0), Some(_)) => format!("{limit} for each"),
            (Total::Finite(total), Some(_)) => format!("{} less than {limit} for each", -total),
            (Total::AboveAll, _) => "any number".into(),
            (Total::BelowAll, _) => "less than any number".into(),
        };
        let said = if least == most {
            format!("{} in every run", show(most))
        } else {
            format!("from {} to {}", show(least), show(most))
        };
        let run = match (fits(least), fits(most)) {
            (true, true) => return Ok(said),
            (_, false) => dear,
            (false, true) => cheap,
        };
        let why = match bound.per {
            None => format!("{said}, and not {} {limit}", sign(bound.compare)),
            Some(_) => said,
        };
        Err(Some(Finding { wrong: Wrong::Property(property), way: Way::Run(run, None), why, span: None }))
    }

    fn judge_eventually(&self, graph: &super::graph::Graph, number: usize) -> Option<Finding> {
        let followed = &self.judge.followed[number];
        followed.truth.clone().find_map(|place| {
            let missing = |state: u32| !self.is_true(state, place);
            let lasso = never_leaves(graph, &self.first_states(), &missing)?;
            Some(self.never(followed.property, lasso, "it"))
        })
    }

    fn judge_leads_to(&self, graph: &super::graph::Graph, number: usize) -> Option<Finding> {
        let followed = &self.judge.followed[number];
        followed.truth.clone().step_by(2).find_map(|left| {
            let missing = |state: u32| !self.is_true(state, left + 1);
            let all = self.all_states();
            let owing: Vec<u32> = all.into_iter().filter(|s| self.is_true(*s, left) && missing(*s)).collect();
            let lasso = never_leaves(graph, &owing, &missing)?;
            Some(self.never(followed.property, lasso, "the right side"))
        })
    }

    fn never(&self, property: usize, lasso: super::liveness::Lasso, what: &str) -> Finding {
        let why = if lasso.cycle.is_empty() {
            format!("a run ends without {what}")
        } else {
            format!("a weakly fair run goes round for ever without {what}")
        };
        let repeats_from = (!lasso.cycle.is_empty()).then_some(lasso.way.len().saturating_sub(1));
        let run = lasso.way.into_iter().chain(lasso.cycle).collect();
        Finding { wrong: Wrong::Property(property), way: Way::Run(run, repeats_from), why, span: None }
    }

    fn first_states(&self) -> Vec<u32> {
        self.initial.iter().map(|(state, _)| *state).collect()
    }

    fn is_true(&self, state: u32, place: usize) -> bool {
        self.truths.get(self.truth[state as usize]).get(place) == Some(&true)
    }
}

fn sign(compare: Compare) -> &'static str {
    match compare {
        Compare::Equal => "=",
        Compare::NotEqual => "!=",
        Compare::Less => "<",
        Compare::LessEqual => "<=",
        Compare::Greater => ">",
        Compare::GreaterEqual => ">=",
    }
}
