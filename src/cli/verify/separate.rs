//! The result of a separate search, in JSON and as text.

use super::units::counted;
use crate::explore::StopReason;
use crate::prose;
use crate::report::Verdict;
use serde::Serialize;
use std::fmt;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SeparateBody {
    pub properties: Vec<String>,
    /// The contents of its configurations, beside those of the first search.
    pub detail: &'static str,
    /// Number of distinct configurations.
    pub configurations: u64,
    /// Why the search is incomplete.
    pub cut: Option<&'static str>,
    /// A smaller network on which its undecided properties are decided.
    pub decided_on: Option<DecidedBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DecidedBody {
    pub topology: String,
    pub verdicts: Vec<DecidedVerdict>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DecidedVerdict {
    pub name: String,
    pub verdict: Verdict,
}

/// Writes `ME3 holds on complete(2)`.
impl fmt::Display for DecidedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |v: &DecidedVerdict| match v.verdict {
            Verdict::Holds => format!("{} holds", v.name),
            Verdict::Violated => format!("{} is violated", v.name),
            _ => format!("{} is undecided", v.name),
        };
        let all: Vec<String> = self.verdicts.iter().map(of).collect();
        write!(f, "on {}, {}", self.topology, prose::and(&all))
    }
}

impl DecidedBody {
    /// Return a sentence about many properties: whether they hold, or the names of those that do not.
    pub fn summary(&self) -> String {
        let others: Vec<String> = [Verdict::Violated, Verdict::NotChecked]
            .into_iter()
            .filter_map(|verdict| {
                let all = self.verdicts.iter().filter(|v| v.verdict == verdict).map(|v| v.name.clone());
                let names: Vec<String> = all.collect();
                (!names.is_empty()).then(|| format!("{} {}", verdict.as_str(), prose::and(&names)))
            })
            .collect();
        let result = if others.is_empty() { "they hold".into() } else { prose::and(&others) };
        format!("--on '{}' is small enough to decide these properties: {result}", self.topology)
    }
}

impl fmt::Display for SeparateBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, detail) = (prose::and(&self.properties), self.detail);
        write!(f, "{} for {names}, with {detail}", counted(self.configurations, "configuration"))?;
        if self.cut.is_some_and(|cut| cut != StopReason::Found.as_str()) {
            write!(f, "; search incomplete")?;
        }
        match &self.decided_on {
            Some(decided) => writeln!(f, "; {decided}"),
            None => writeln!(f),
        }
    }
}
