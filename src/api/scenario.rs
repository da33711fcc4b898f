//! Scenarios: scripted runs with expectations.

use super::error::Error;
use super::program::Program;
use crate::session::record_scenario;
use crate::stop::StopSignal;
use crate::trace::Trace;

/// The run of a scenario.
///
/// ```
/// let program = synod::Program::library("chang_roberts")?;
/// for played in program.play_all() {
///     assert!(played.passed(), "{}: {:?}", played.name, played.failures);
/// }
/// # Ok::<(), synod::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScenarioRun {
    /// Name of the scenario.
    pub name: String,
    /// Expectations that were not met, one sentence each, with the place in the program.
    pub failures: Vec<String>,
    /// The recorded trace; `None` if the scenario has no instance.
    pub trace: Option<Trace>,
}

impl ScenarioRun {
    /// Whether all expectations were met.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

impl Program {
    /// Play one scenario of the program.
    ///
    /// # Errors
    /// If there is no scenario of that name.
    pub fn play(&self, scenario: &str) -> Result<ScenarioRun, Error> {
        match self.scenarios().position(|name| name == scenario) {
            Some(index) => Ok(self.play_nth(index)),
            None => {
                let known = self.scenarios().collect::<Vec<_>>().join(", ");
                Err(Error::new(format!("{} has no scenario {scenario}; known: {known}", self.name())))
            }
        }
    }

    /// Play all scenarios of the program, in order.
    pub fn play_all(&self) -> Vec<ScenarioRun> {
        (0..self.program.scenarios.len()).map(|index| self.play_nth(index)).collect()
    }

    fn play_nth(&self, index: usize) -> ScenarioRun {
        let (played, trace) =
            record_scenario(&self.program, &self.program.scenarios[index], &StopSignal::NEVER);
        let place = |span| self.program.sources.place(span);
        let failures =
            played.failures.iter().map(|failure| format!("{} ({})", failure.message, place(failure.span)));
        ScenarioRun { failures: failures.collect(), name: played.name, trace }
    }
}
