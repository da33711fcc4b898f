//! How the program's views were used.

use crate::explore::{ViewReport, ViewStatus};
use crate::prose;
use serde::Serialize;
use std::fmt;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ViewBody {
    /// The clauses as written: `without attempts`, `clock, stamp up to shift`.
    pub clauses: Vec<String>,
    /// `shown`, `claimed` or `unused`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["shown", "claimed", "unused"])))]
    pub kind: &'static str,
    /// Whether it was shown that no verdict depends on the view. An unused view has no effect.
    pub sound: bool,
    /// Why its soundness was not shown, or why it was not used.
    pub why: Option<String>,
    /// Properties that can observe the difference, and were checked in a separate search.
    pub apart: Vec<String>,
}

impl ViewBody {
    pub fn new(seeing: &ViewReport) -> ViewBody {
        let (kind, why) = match &seeing.standing {
            ViewStatus::Sound => ("shown", None),
            ViewStatus::Claimed { why } => ("claimed", Some(why.clone())),
            ViewStatus::Unused { why } => ("unused", Some(why.clone())),
        };
        let (clauses, apart) = (seeing.clauses.clone(), seeing.apart.clone());
        ViewBody { clauses, kind, sound: kind != "claimed", why, apart }
    }

    /// Whether its soundness is only the author's claim.
    pub fn is_claimed(&self) -> bool {
        !self.sound
    }
}

impl fmt::Display for ViewBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clauses = self.clauses.join("; ");
        let apart = match self.apart.as_slice() {
            [] => String::new(),
            all => format!("; checked separately, since they observe the difference: {}", prose::and(all)),
        };
        match (self.kind, &self.why) {
            ("claimed", Some(why)) => writeln!(
                f,
                "view {clauses}: not shown to be sound: {why}\n\
                 violations are certain; that there are no others relies on the claim of the view's author"
            ),
            (_, Some(why)) => writeln!(f, "view {clauses}: not used: {why}"),
            (_, None) => {
                writeln!(
                    f,
                    "view {clauses}: sound, identifies configurations that differ only in this{apart}"
                )
            }
        }
    }
}
