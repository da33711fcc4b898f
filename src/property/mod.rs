//! Monitoring of properties along a run, with explanations of violations.
//!
//! Properties are checked on a single run: an invariant in every configuration visited, `finally` and costs at the end,
//! orders on the history of calls, returns and upcalls. «Holds» means: in this run.

mod reason;
mod cost;
mod crashed_command;
mod failed_conjunct;
mod incremental;
mod monitor_state;
mod premises;
mod reads;
mod relevant_reads;
mod truths;
mod watch;
mod waived;

pub use cost::{Cost, is_constant_upper_limit, is_fixed};
pub use crashed_command::CrashedCommand;
pub use failed_conjunct::{FailedConjunct, binding_prefix, explain_failure, names};
pub use premises::{Premises, false_premise, is_vacuous};
pub use reads::{Reads, constant_word};
pub use reason::{Reason, quoted_premises, violation_words};
pub use relevant_reads::{Variables, relevant_reads};
pub use truths::{Sides, truths};
pub use waived::violates_waived_finally;
pub use watch::{
    Ended, Prospect, RunMonitor, bound_violation, combinations, explain_missing_goal,
    explain_stable_violation, is_checked_during_run, needs_history, violation,
};

use crate::ir::{ExprKind, Fact, Property, PropertyKind, ScriptFact};
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// It holds in this run.
    Holds,
    Violated,
    /// The run was cut off before the property was decided.
    Pending,
    /// Not checked; the verdict states the reason.
    NotChecked,
}

impl Judgement {
    pub fn as_str(self) -> &'static str {
        match self {
            Judgement::Holds => "holds",
            Judgement::Violated => "violated",
            Judgement::Pending => "pending",
            Judgement::NotChecked => "not checked",
        }
    }
}

/// Verdict of a property in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub name: String,
    pub kind: PropertyKind,
    pub judgement: Judgement,
    /// The conjunct that failed, for which values, or the measured cost.
    pub why: Reason,
    /// The event (from 0) after which the violation first showed; `None` for the initial configuration and for costs.
    pub at_event: Option<u64>,
    /// If a process crashed within its command in that event: this command.
    pub crashed_within: Option<CrashedCommand>,
    /// False if the algorithm waives the property (`without`): a violation is no finding.
    pub promised: bool,
    /// The failing conjunct, else the property.
    pub span: Span,
    /// Premises of a property that holds, as the program writes them, that never came true.
    pub never_true: Vec<String>,
}

impl Verdict {
    pub fn new(property: &Property, judgement: Judgement, why: Reason) -> Verdict {
        Verdict {
            name: property.name.clone(),
            kind: property.kind,
            judgement,
            why,
            at_event: None,
            crashed_within: None,
            promised: property.is_claimed,
            span: property.span,
            never_true: Vec::new(),
        }
    }

    /// State that these premises never came true, although the property holds. The first premise of the property of a line in a scenario
    /// is that a run reaches the line.
    pub fn add_vacuity(&mut self, property: &Property, premises: Vec<String>) {
        if self.judgement == Judgement::Holds && self.why != Reason::NoRunEnds && !premises.is_empty() {
            let why = std::mem::replace(&mut self.why, Reason::Unstated);
            self.why = match is_of_line(property) && premises[0].starts_with("expect") {
                true => Reason::LineNotReached,
                false => Reason::NeverTrue(Box::new(why), premises.clone()),
            };
            self.never_true = premises;
        }
    }

    /// State that the property holds because its premise is false for the parameters, however much of the runs was explored.
    pub fn does_not_apply(&mut self, premise: String) {
        if matches!(self.judgement, Judgement::Holds | Judgement::Pending) {
            self.judgement = Judgement::Holds;
            self.why = Reason::DoesNotApply(premise);
        }
    }
}

/// Return whether a property states what is expected at a line of a scenario.
fn is_of_line(property: &Property) -> bool {
    let ExprKind::Implies(premise, _) = &property.body.kind else { return false };
    matches!(premise.kind, ExprKind::Fact(Fact::Script(ScriptFact::Passes(_))))
}

/// Return the violation that occurred first; those without an event are last.
pub fn first_violation<'v>(verdicts: impl IntoIterator<Item = &'v Verdict>) -> Option<&'v Verdict> {
    let violated = verdicts.into_iter().filter(|verdict| verdict.judgement == Judgement::Violated);
    violated.min_by_key(|verdict| verdict.at_event.unwrap_or(u64::MAX))
}

/// Return the keyword of a kind of property.
pub fn kind_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Stable => "stable",
        PropertyKind::Finally => "finally",
        PropertyKind::Eventually => "eventually",
        PropertyKind::Settles => "settles",
        PropertyKind::LeadsTo => "leads to",
        PropertyKind::Bound => "bound",
        PropertyKind::Exactly => "exactly",
        PropertyKind::Order => "order",
    }
}
