//! Measurement of costs over a few sizes.

use super::failure::Failure;
use super::instances::{CheckedText, InstanceFields, instantiate, schedule};
use super::{Answer, Workbench, answer, limits};
use crate::measure::sample::sample;
use crate::measure::table::BoundFinding;
use crate::measure::{CheckedProperties, Header, MeasurePlan, Row, Sample, Table, template};
use crate::render::Look;
use crate::render::measure::{MeasurementReport, formula};
use crate::render::plot;
use crate::simulate::{Schedule, SimulateOptions};
use crate::stop::StopSignal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The sizes without others.
const SIZES: [u32; 4] = [4, 8, 16, 32];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureFields {
    sizes: Option<Vec<u64>>,
    runs: Option<u64>,
    steps: Option<u64>,
    schedule: Option<String>,
}

#[derive(Serialize)]
struct Measured {
    rows: Vec<Row>,
    fits: Vec<FitBody>,
    findings: Vec<BoundFinding>,
    text: String,
    svg: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
}

#[derive(Serialize)]
struct FitBody {
    measure: &'static str,
    growth: &'static str,
    formula: String,
}

impl MeasureFields {
    fn sizes(&self) -> Result<Vec<u32>, Failure> {
        let Some(sizes) = &self.sizes else { return Ok(SIZES.to_vec()) };
        limits::SIZES.check(sizes.len() as u64)?;
        let mut all = Vec::new();
        for size in sizes {
            limits::SIZE.check(*size)?;
            if *size == 0 {
                return Err(Failure::new("a size is at least 1"));
            }
            all.push(*size as u32);
        }
        all.sort_unstable();
        all.dedup();
        match all.is_empty() {
            true => Err(Failure::new("sizes: the list is empty")),
            false => Ok(all),
        }
    }
}

/// Measure runs over a few sizes.
pub fn measure(bench: &mut Workbench, fields: InstanceFields, request: MeasureFields) -> Answer {
    let (checked, fields, is_given) = match (&fields.text, &bench.run) {
        (Some(text), _) => (CheckedText::new(fields.name.as_deref(), text)?, fields, true),
        (None, Some(run)) => (run.checked.clone(), run.fields.clone(), false),
        (None, None) => {
            return Err(Failure::new("measure: missing field `text`").hint("without it, a run must be open"));
        }
    };
    let program = &checked.program;
    let usual = template::template_for(program.assumptions.topology).to_string();
    // The network of an open run has one size.
    let on = fields.on.clone().filter(|on| is_given || template::has_placeholders(on)).unwrap_or(usual);
    let schedule = match &request.schedule {
        Some(name) => schedule(Some(name), false)?,
        None => Schedule::Random,
    };
    let texts = fields.texts()?;
    let ids = texts.ids.clone().filter(|_| is_given).unwrap_or_else(|| "random".into());
    let fields = InstanceFields { seed: Some(fields.seed()), ..fields }.with_ids(&ids);
    let plan = MeasurePlan {
        file: program.name.clone(),
        sizes: request.sizes()?,
        on,
        ids: vec![ids],
        first_seed: fields.seed(),
        runs: limits::RUNS.checked(request.runs)?.max(1),
        schedule: schedule.as_str().into(),
        max_steps: Some(limits::RUN_STEPS.checked(request.steps)?.max(1)),
        properties: Vec::new(),
        flags: Vec::new(),
    };
    if plan.first_seed.checked_add(plan.runs).is_none() {
        return Err(Failure::new("too many runs: the seeds exceed 64 bits"));
    }
    let header = Header::of(program, plan, None);
    let samples = samples(&checked, &fields, &header, schedule, &bench.stop)?;
    let table = Table::of(&header, &samples);
    let report = MeasurementReport {
        header: &header,
        table: &table,
        draws_ports: false,
        verbose: false,
        look: Look::PLAIN,
    };
    let (text, svg) = (report.text(), plot::svg(&header, &table));
    let fits = table.fits.iter().filter_map(|series| {
        let best = series.fit.models.iter().find(|model| model.shape == series.fit.best)?;
        Some(FitBody { measure: series.measure, growth: series.fit.best.as_str(), formula: formula(best) })
    });
    let fits = fits.collect();
    let cut = limits::cut(samples.len(), header.numbers().count(), "first");
    answer(&Measured { fits, text, svg, cut, rows: table.rows, findings: table.findings })
}

/// Make the runs, up to the first one that is stopped.
fn samples(
    checked: &CheckedText,
    fields: &InstanceFields,
    header: &Header,
    schedule: Schedule,
    stop: &StopSignal,
) -> Result<Vec<Sample>, Failure> {
    let mut all = Vec::new();
    for number in header.numbers() {
        if stop.is_set() {
            break;
        }
        let task = header.plan.task(number);
        let topology = header.plan.topology(task.size).map_err(Failure::new)?;
        let fields = InstanceFields { seed: Some(task.seed), ..fields.clone() };
        let options = fields.options(&checked.program, Some(&topology), stop)?;
        let instance = Arc::new(instantiate(&checked.program, &options)?);
        let (seed, max_steps) = (task.seed, header.plan.max_steps);
        let options = SimulateOptions { schedule, seed, max_steps, ..SimulateOptions::default() };
        all.extend(sample(&instance, &CheckedProperties::AtEnd, schedule.as_str(), &options, number));
    }
    Ok(all)
}
