//! Costs over network sizes.

use super::error::Error;
use super::setup::Setup;
use crate::measure::sample::sample;
use crate::measure::{CheckedProperties, Header, MeasurePlan, Row, Table, template};
use crate::render::Look;
use crate::render::measure::MeasurementReport;
use crate::render::plot;
use crate::simulate::{Schedule, SimulateOptions};
use std::fmt;

/// Options of a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureOptions {
    /// The sizes: values of `{n}` in the topology, ascending.
    pub sizes: Vec<u32>,
    /// Number of runs for each size, with consecutive seeds.
    pub runs: u64,
    /// The scheduler of all runs.
    pub schedule: Schedule,
    /// Maximum number of steps of a run; `None`: a limit that depends on the size.
    pub max_steps: Option<u64>,
}

impl Default for MeasureOptions {
    /// Sizes 4, 8, … 128, ten runs each, random schedules.
    fn default() -> MeasureOptions {
        MeasureOptions {
            sizes: (2..=7).map(|exponent| 1 << exponent).collect(),
            runs: 10,
            schedule: Schedule::Random,
            max_steps: None,
        }
    }
}

/// Costs of an algorithm over network sizes.
///
/// ```
/// use synod::MeasureOptions;
///
/// let election = synod::Program::library("chang_roberts")?;
/// let options = MeasureOptions { sizes: vec![4, 8, 16], runs: 5, ..MeasureOptions::default() };
/// let measured = election.on("ring({n})").ids_by("random").measure(&options)?;
/// assert_eq!(measured.rows().len(), 3);
/// let messages = measured.rows()[0].messages.unwrap();
/// // At least n for the announcement of the leader, and at most n (n + 1) / 2.
/// assert!(messages.least >= 4 && messages.greatest <= 10);
/// println!("{measured}");
/// # Ok::<(), synod::Error>(())
/// ```
pub struct Measurement {
    header: Header,
    table: Table,
}

impl Setup {
    /// Make runs on networks of growing size. The topology contains the size: `ring({n})`, `mesh({n}, {n})`; without one, the
    /// family that the algorithm assumes is used.
    ///
    /// # Errors
    /// The same as for [`Setup::instantiate`], for any of the sizes.
    pub fn measure(&self, options: &MeasureOptions) -> Result<Measurement, Error> {
        let program = &self.program.program;
        let usual = || template::template_for(program.assumptions.topology).to_string();
        let plan = MeasurePlan {
            file: program.name.clone(),
            sizes: options.sizes.clone(),
            on: self.texts.on.clone().unwrap_or_else(usual),
            ids: vec![self.texts.ids.clone().unwrap_or_else(|| "ascending".into())],
            first_seed: self.seed,
            runs: options.runs,
            schedule: options.schedule.as_str().into(),
            max_steps: options.max_steps,
            properties: Vec::new(),
            flags: Vec::new(),
        };
        let header = Header::of(program, plan, None);
        let one = |number| {
            let task = header.plan.task(number);
            let topology = header.plan.topology(task.size).map_err(Error::new)?;
            let instance = self.clone().on(topology).seed(task.seed).instantiate()?.instance;
            let (schedule, seed, max_steps) = (options.schedule, task.seed, options.max_steps);
            let options = SimulateOptions { schedule, seed, max_steps, ..SimulateOptions::default() };
            Ok(sample(&instance, &CheckedProperties::AtEnd, schedule.as_str(), &options, number))
        };
        let samples: Result<Vec<_>, Error> = header.numbers().map(one).collect();
        let samples: Vec<_> = samples?.into_iter().flatten().collect();
        Ok(Measurement { table: Table::of(&header, &samples), header })
    }
}

impl Measurement {
    /// Return a row for each size.
    pub fn rows(&self) -> &[Row] {
        &self.table.rows
    }

    /// Return how the mean of a measure (`messages`, `bits`, `time`, `rounds`) grows: `n log n`, by least squares. `None` for an
    /// unknown measure, and for too few sizes.
    pub fn growth(&self, measure: &str) -> Option<&'static str> {
        let series = self.table.fits.iter().find(|series| series.measure == measure)?;
        Some(series.fit.best.as_str())
    }

    /// Return violated properties, deadlocks and run-time errors, one sentence each.
    pub fn findings(&self) -> Vec<String> {
        let one = |finding: &crate::measure::table::BoundFinding| match &finding.property {
            Some(property) => format!("{property} is {}: {}", finding.what, finding.why),
            None => format!("the run is {}: {}", finding.what, finding.why),
        };
        self.table.findings.iter().map(one).collect()
    }

    /// Return a plot of the costs as SVG.
    pub fn to_svg(&self) -> String {
        plot::svg(&self.header, &self.table)
    }
}

/// The table of `synod measure`, with the growth of each measure.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (header, table) = (&self.header, &self.table);
        f.write_str(
            &MeasurementReport { header, table, draws_ports: false, verbose: false, look: Look::PLAIN }
                .text(),
        )
    }
}

impl fmt::Debug for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Measurement({} of {} runs)", self.table.made, self.table.planned)
    }
}
