//! Violations found, and the work of one thread to find them.

use crate::explore::ViolationKind;
use crate::explore::graph::bounds::CostModel;
use crate::ids::StateId;
use crate::instance::Instance;
use crate::property::FailedConjunct;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, Eval};
use crate::simulate::{Stuck, blocked_by, describe_down};
use crate::source::Span;

/// A violation, with the path to it.
pub struct FoundViolation {
    pub wrong: ViolationKind,
    pub path: ViolationPath,
    pub why: String,
    pub span: Option<Span>,
}

/// The path to a violation.
pub enum ViolationPath {
    /// A configuration.
    To(StateId),
    /// A step from a configuration to this vector.
    Step(StateId, Vec<u32>),
    /// A command that aborts in a configuration.
    Abort(StateId, Box<Event>),
    /// A whole run from a configuration on, perhaps with a cycle from some index on.
    Run {
        run: Vec<StateId>,
        repeats_from: Option<usize>,
        /// For liveness: the number of the violated combination of binders.
        without: Option<usize>,
        /// For a bound: its costs.
        priced: Option<Box<CostModel>>,
    },
}

impl ViolationKind {
    /// Return the violation of a stuck configuration, and its reason.
    pub fn stuck(
        instance: &Instance,
        configuration: &Configuration,
        stuck: &[Stuck],
    ) -> (ViolationKind, String) {
        let down = describe_down(&blocked_by(instance, configuration, stuck));
        let is_blocked = down.is_some();
        let why: Vec<String> = down.into_iter().chain(stuck.iter().map(|stuck| stuck.why.clone())).collect();
        let why = why.join("; ");
        (
            if is_blocked { ViolationKind::Blocked(why.clone()) } else { ViolationKind::Stuck(why.clone()) },
            why,
        )
    }
}

impl ViolationPath {
    /// Return whether the run is infinite.
    pub fn is_endless(&self) -> bool {
        matches!(self, ViolationPath::Run { repeats_from: Some(_), .. })
    }
}

/// The kinds of violations found so far: one of each is enough.
#[derive(Clone, Debug, Default)]
pub struct KnownViolations {
    /// By property.
    pub violated: Vec<bool>,
    pub stuck: bool,
    pub blocked: bool,
    pub aborted: bool,
}

impl KnownViolations {
    /// Record a violation. Return false if one of its kind is known.
    pub fn add(&mut self, wrong: &ViolationKind) -> bool {
        let known = match wrong {
            ViolationKind::Property(property) => &mut self.violated[*property],
            ViolationKind::Stuck(_) => &mut self.stuck,
            ViolationKind::Blocked(_) => &mut self.blocked,
            ViolationKind::Aborted(_) => &mut self.aborted,
        };
        !std::mem::replace(known, true)
    }
}

/// Record a violation, or a failure to evaluate a property.
pub fn note(
    violations: &mut Vec<FoundViolation>,
    failed: &mut Vec<(usize, String)>,
    known: &mut KnownViolations,
    property: usize,
    state: StateId,
    blame: Eval<FailedConjunct>,
) {
    match blame {
        Ok(blame) => {
            let wrong = ViolationKind::Property(property);
            if known.add(&wrong) {
                let (why, span) = (blame.text(), Some(blame.span));
                violations.push(FoundViolation { wrong, path: ViolationPath::To(state), why, span });
            }
        }
        Err(abort) if failed.iter().all(|(known, _)| *known != property) => {
            failed.push((property, abort.to_string()))
        }
        Err(_) => {}
    }
}
