//! `--scenario`: one scenario of the program under every schedule.

use super::progress::Limits;
use super::{VerifyOptions, VerifyResult};
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::run::known_properties;
use crate::ir::{DEFAULT_SEED, Program, Scenario, ScenarioLine};
use crate::prose;
use crate::scenario::for_every_schedule;
use crate::setup::{self, InstanceOptions};
use std::sync::Arc;

impl VerifyOptions {
    /// Return the scenario that `--scenario` names, if any.
    ///
    /// # Errors
    /// If there is none of this name.
    pub(super) fn scenario<'p>(&self, program: &'p Program) -> Result<Option<&'p Scenario>, Failure> {
        let Some(wanted) = &self.course.scenario else {
            return match self.course.line_by_line {
                true => Err(Failure::usage("--line-by-line needs --scenario NAME")),
                false => Ok(None),
            };
        };
        let found = program.scenarios.iter().find(|scenario| scenario.name == *wanted);
        let known: Vec<String> = program.scenarios.iter().map(|scenario| scenario.name.clone()).collect();
        let hint = || match (prose::nearest(wanted, &known), known.is_empty()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, true) => format!("{} has no scenarios", program.name),
            (None, false) => format!("there are {}", known.join(", ")),
        };
        let unknown = || Failure::usage(format!("{} has no scenario {wanted}", program.name)).hint(hint());
        found.ok_or_else(unknown).map(Some)
    }

    /// Explore all runs in which the lines of the scenario happen in their order.
    pub(super) fn verify_scenario(
        &self,
        program: &Arc<Program>,
        scenario: &Scenario,
        limits: &Limits,
        out: &Output,
    ) -> Result<VerifyResult, Failure> {
        let place = |span| program.sources.place(span);
        let asked = (self.course.line_by_line, self.course.property.as_slice());
        let instance = for_every_schedule(program, scenario, asked, &limits.stop()).map_err(|failure| {
            let message = prose::with_names(&failure.message, scenario.process_names());
            Failure::usage(format!("{}: {message}", place(failure.span)))
        })?;
        known_properties(&instance.program, &self.course.property)?;
        out.notices(&instance.network);
        let seed = scenario.seed.unwrap_or(DEFAULT_SEED);
        let options = InstanceOptions { seed, ..setup::scenario_options(scenario)? };
        self.explore_instance(Arc::new(instance), options, limits, out)
    }
}

/// Return the properties whose violation the scenario expects.
pub(super) fn expected_violations(scenario: &Scenario, program: &Program) -> Vec<String> {
    let expected = scenario.lines.iter().filter_map(|(line, _)| match line {
        ScenarioLine::ExpectVerdict { property, violated: true } => {
            Some(program.properties[*property].name.clone())
        }
        _ => None,
    });
    expected.collect()
}
