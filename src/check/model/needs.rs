//! Constructs that need an assumption.

use super::words::{CONFLICTS, joint_conflict, word};
use crate::check::Checker;
use crate::check::vocabulary::IDENTIFYING_ASSUMPTIONS;
use crate::diagnostic::{Diagnostic, Finding, Fix, Hint, Label, Modelling, Need, codes};
use crate::ir::Shape;
use crate::source::Span;

impl Checker<'_> {
    /// Return whether the assumptions grant a construct. Some needs are noted only where the assumption is missing.
    fn grants(&self, need: &Need) -> bool {
        let a = &self.assumptions;
        let directed = |shape: Shape| a.oriented && a.topology == Some(shape);
        match need {
            // Numbers may repeat: `integer ids` alone does not make them unique.
            Need::Id => a.unique_ids || a.integer_ids,
            Need::IdNumber | Need::NumberId => a.integer_ids,
            Need::IdDestination => a.identifies_by_id(),
            Need::N => self.is_written("knows n") || self.is_written("knows peers"),
            Need::Diameter | Need::Edges | Need::Side(_) => self.is_written(&need.assumption()),
            Need::Peers(_) => a.knows_peers,
            Need::NeighbourId => a.knows_neighbours,
            Need::PortWeight | Need::EdgeWeight => a.weights,
            Need::Children | Need::Parent(_) => a.spanning_tree || a.topology == Some(Shape::Tree),
            Need::Dimension => directed(Shape::Hypercube),
            Need::Chord => directed(Shape::Complete),
            Need::Rounds => self.in_rounds(),
            Need::Radio | Need::Interaction | Need::Oracles | Need::Randomness(_) => {
                self.has_assumption(&need.assumption())
            }
            Need::Enabled | Need::FarEnd => self.communicates_by_state(),
            Need::Detector => a.detector.is_some(),
            Need::Restarts | Need::RestartLine => a.restarts,
            Need::Timers => a.delay.is_some() || a.timers,
            Need::TimeLine => a.delay.is_some(),
            Need::CrashLine => a.crashes,
            Need::MisleadLine => a.unreliable_oracles,
            Need::LoseLine => a.loses || a.crashes && !a.messages_survive,
            Need::DuplicateLine => a.duplicates,
            Need::CutLine => a.links_fail,
            Need::Direction(..)
            | Need::Opposite(_)
            | Need::HeardInRadio(_)
            | Need::HeardBeep
            | Need::HeardCollision
            | Need::Refined(..)
            | Need::NeighbourVariable(_)
            | Need::OraclesErr
            | Need::Oracle(_) => false,
        }
    }

    /// Report a missing assumption.
    pub(in crate::check) fn require(&mut self, need: Need, span: Span) {
        // A problem file checked on its own makes no assumptions: the algorithms that solve it do.
        if self.units[0].is_problem || self.grants(&need) {
            return;
        }
        let assumption = need.assumption();
        let finding = Finding::from(Modelling::NotAssumed(need));
        // Report it once: a missing assumption is missing everywhere.
        if self.findings.iter().any(|d| d.finding == finding) {
            return;
        }
        // It is assumed, but beside another one that excludes it, which has been reported.
        let contradicts = |d: &Diagnostic| d.code() == codes::ASSUMPTION_CONFLICT;
        if self.is_written(&assumption) && self.findings.iter().any(contradicts) {
            return;
        }
        let (hint, fix) = self.hint_to_assume(&assumption);
        let mut d = Diagnostic::new(span, finding).hint(hint).fix(fix);
        if let Some(clause) = self.units[self.comps[self.cx.comp].unit].assumes_span {
            d = d.related(clause, Label::Assumptions);
        }
        self.error(d);
    }

    /// Return how to assume something: add it, or replace the assumption that excludes it. What another one excludes for a
    /// reason is not to be assumed.
    pub(super) fn hint_to_assume(&self, assumption: &str) -> (Hint, Option<Fix>) {
        if self.assumptions.anonymous && IDENTIFYING_ASSUMPTIONS.contains(&assumption) {
            return (Hint::AssumeIds, None);
        }
        let written = || self.assumptions.written.iter();
        let joint = |(other, _): &(String, Span)| Some((other.clone(), joint_conflict(other, assumption)?));
        if let Some((other, why)) = written().find_map(joint) {
            return (Hint::ExcludedBecause(assumption.into(), other, why), None);
        }
        match written().find(|(other, _)| excludes(other, assumption)) {
            Some((other, _)) if other == "beeps" => (Hint::HeardWithBeeps, None),
            Some((other, place)) => {
                let hint = Hint::AssumeInstead(assumption.into(), other.clone());
                (hint, self.fix_assume_instead(assumption, *place))
            }
            None => (Hint::Assume(assumption.into()), self.fix_assume(assumption)),
        }
    }

    /// Return whether the words occur in `assumes`. Parameters and their defaults are declared before the assumptions are
    /// processed, whose bounds may need them.
    fn is_written(&self, words: &str) -> bool {
        let is =
            |a: &crate::syntax::ast::Assumption| a.words.iter().map(|w| w.text.as_str()).eq(words.split(' '));
        self.has_assumption(words) || self.units[0].assumes.iter().any(is)
    }
}

/// Return whether two assumptions exclude each other, or name the network differently.
fn excludes(one: &str, other: &str) -> bool {
    let shape = |text: &str| word(text).and_then(|row| row.shape);
    let pairs = CONFLICTS.iter().any(|pair| *pair == (one, other) || *pair == (other, one));
    pairs || shape(one).is_some() && shape(other).is_some()
}
