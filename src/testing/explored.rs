//! Assertions on results of model checking.

use crate::api::Exploration;

/// For tests: see [`testing`](crate::testing).
impl Exploration {
    /// Assert that every property that the algorithm claims holds in every run, and that the search was complete.
    ///
    /// # Panics
    /// If not: with the failures, and with a counterexample as a trace.
    #[track_caller]
    pub fn assert_holds(&self) {
        let findings = self.findings();
        if !findings.is_empty() {
            let trace = self.counterexample().map(|trace| format!("\n\n{}", trace.to_text()));
            panic!("{self}:\n  {}{}", findings.join("\n  "), trace.unwrap_or_default());
        }
    }
}
