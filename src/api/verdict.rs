//! Verdicts on properties.

use crate::property;
use crate::report::Verdict;
use crate::session::verdict_of;

/// The verdict on a property of the algorithm or its problem, with the reason.
///
/// ```
/// # let program = synod::Program::library("chang_roberts")?;
/// let run = program.on("ring(4)").instantiate()?.simulate(&synod::RunOptions::default());
/// for property in run.verdicts() {
///     println!("{}: {} ({})", property.name, property.verdict.as_str(), property.why);
/// }
/// # Ok::<(), synod::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PropertyVerdict {
    /// Name of the property.
    pub name: String,
    /// The verdict: for a run, on this run; for an exploration, on all runs.
    pub verdict: Verdict,
    /// The conjunct that failed, for which values, or the measured cost: one sentence without a full stop.
    pub why: String,
    /// The event, from 0, after which a violation first showed.
    pub event: Option<u64>,
    /// Whether the algorithm claims the property. If it waives it (`without`), a violation is no finding.
    pub is_claimed: bool,
}

impl PropertyVerdict {
    pub(super) fn all(verdicts: &[property::Verdict]) -> Vec<PropertyVerdict> {
        let one = |verdict: &property::Verdict| PropertyVerdict {
            name: verdict.name.clone(),
            verdict: verdict_of(verdict.judgement),
            why: verdict.why.to_string(),
            event: verdict.at_event,
            is_claimed: verdict.promised,
        };
        verdicts.iter().map(one).collect()
    }

    /// Return the verdict on a property.
    ///
    /// # Panics
    /// If there is no such property.
    #[track_caller]
    pub(super) fn of(verdicts: &[property::Verdict], name: &str) -> Verdict {
        let Some(verdict) = verdicts.iter().find(|verdict| verdict.name == name) else {
            let known: Vec<&str> = verdicts.iter().map(|verdict| verdict.name.as_str()).collect();
            panic!("no property {name}; known: {}", known.join(", "));
        };
        verdict_of(verdict.judgement)
    }

    /// Return each claimed property that does not hold, with the reason.
    pub(super) fn findings(verdicts: &[property::Verdict]) -> impl Iterator<Item = String> {
        let all = PropertyVerdict::all(verdicts).into_iter();
        all.filter(|property| property.is_claimed && property.verdict != Verdict::Holds).map(
            |PropertyVerdict { name, verdict, why, .. }| format!("{name} is {}: {why}", verdict.as_str()),
        )
    }
}
