//! The result of a separate search, in JSON and as text.

use crate::explore::StopReason;
use crate::prose::{self, counted};
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
    /// Whether some premise of the property never comes true there.
    pub is_vacuous: bool,
}

/// Writes `ME3 holds on complete(2)`.
impl fmt::Display for DecidedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |v: &DecidedVerdict| match v.verdict {
            Verdict::Holds if v.is_vacuous => format!("{} holds, but some premise never comes true", v.name),
            Verdict::Holds => format!("{} holds", v.name),
            Verdict::Violated => format!("{} is violated", v.name),
            _ => format!("{} is undecided", v.name),
        };
        let all: Vec<String> = self.verdicts.iter().map(of).collect();
        write!(f, "on {}, {}", self.topology, prose::and(&all))
    }
}

impl DecidedBody {
    /// Return a sentence about many properties: whether they hold, or the names of those that do not. `which`: what they have in common.
    pub fn summary(&self, which: &str) -> String {
        let named = |is_such: &dyn Fn(&DecidedVerdict) -> bool| {
            let all = self.verdicts.iter().filter(|v| is_such(v)).map(|v| v.name.clone());
            all.collect::<Vec<String>>()
        };
        let others: Vec<String> = [Verdict::Violated, Verdict::NotChecked]
            .into_iter()
            .map(|verdict| (verdict, named(&|v| v.verdict == verdict)))
            .filter(|(_, names)| !names.is_empty())
            .map(|(verdict, names)| format!("{} {}", verdict.as_str(), prose::and(&names)))
            .collect();
        let vacuous = named(&|v| v.verdict == Verdict::Holds && v.is_vacuous);
        let mut result = if others.is_empty() { "they hold".into() } else { prose::and(&others) };
        if !vacuous.is_empty() {
            result += &format!(", but some premise of {} never comes true there", prose::and(&vacuous));
        }
        format!("--on '{}' is small enough to decide {which}: {result}", self.topology)
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
