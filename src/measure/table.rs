//! Aggregate of the runs: a row for each size and arrangement of ids.

use super::fit::Fit;
use super::journal::{Bounded, Header};
use super::sample::Sample;
use super::statistics::Statistics;
use crate::trace::End;
use serde::Serialize;
use std::collections::BTreeMap;

/// Result of a measurement, complete or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Numbers of runs planned and made.
    pub planned: u64,
    pub made: u64,
    pub rows: Vec<Row>,
    pub fits: Vec<Series>,
    pub findings: Vec<BoundFinding>,
    /// Properties that could not be checked in every run.
    pub unjudged: Vec<String>,
}

/// All runs of one size and arrangement of ids.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Row {
    /// Value of `{n}`.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub size: u32,
    /// Number of processes; it differs from the size if the topology has no placeholders.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub n: u32,
    /// Minimum and maximum number of edges: random graphs differ.
    pub edges: (u32, u32),
    /// Arrangement of ids.
    pub ids: String,
    /// Number of runs made; the statistics below cover those that ended by themselves or settled.
    pub runs: u64,
    /// Number of runs without an end, measured until every liveness property was satisfied for good.
    pub settled: u64,
    /// Number of runs that repeat a cycle forever, without having settled before.
    pub repeating: u64,
    /// Number of runs cut off by the step limit.
    pub cut_off: u64,
    /// Number of runs that were stuck or aborted.
    pub failed: u64,
    /// Messages sent to other processes.
    pub messages: Option<Statistics>,
    /// Bits of these messages.
    pub bits: Option<Statistics>,
    /// Length of the longest causal chain of messages.
    pub time: Option<Statistics>,
    /// Rounds; `None` without rounds.
    pub rounds: Option<Statistics>,
    /// Steps of processes that read their neighbours; `None` in other models.
    pub moves: Option<Statistics>,
    /// Messages by kind, in the order of the program.
    pub sent: Vec<Option<Statistics>>,
    /// Costs for each completed operation, in the order of the problem; `None` if no run completed one.
    pub operations: Vec<Option<OperationCosts>>,
    /// How close the runs came to each `bound` and `exactly`, in the order of the program; `None` if it does not concern these runs.
    pub bounds: Vec<Option<AtBound>>,
}

/// The costs of the runs of a row, divided by the operations of one kind that each has completed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OperationCosts {
    /// Completed operations of a run.
    pub completed: Statistics,
    /// Messages for each.
    pub messages: PerOperation,
    /// Time for each: the instant of the last event divided; `None` without time.
    pub elapsed: Option<PerOperation>,
}

/// A cost for each completed operation, over the runs that complete any.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PerOperation {
    pub mean: f64,
    pub greatest: f64,
}

/// How close the runs of a row came to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AtBound {
    /// Value of the run that came closest, or exceeded it most.
    pub measured: i64,
    /// The bound in this run.
    pub limit: i64,
    /// Value divided by limit; `None` if the limit is 0 or negative.
    pub ratio: Option<f64>,
    /// Whether all runs to which it applies keep it.
    pub kept: bool,
}

/// Fit of one measure over the sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Series {
    pub ids: String,
    /// `messages`, `bits`, `time` or `rounds`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["messages", "bits", "time", "rounds", "moves"])))]
    pub measure: &'static str,
    #[serde(flatten)]
    pub fit: Fit,
}

/// A finding, with the first run that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BoundFinding {
    /// The violated property; `None`: the run was stuck or aborted.
    pub property: Option<String>,
    /// `violated`, `stuck`, `aborted`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["violated", "stuck", "aborted"])))]
    pub what: &'static str,
    pub why: String,
    /// Number of runs with this finding.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub runs: u64,
    /// The first of them: its number in the plan, and the n of its network.
    pub run: u64,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub n: u32,
}

impl Table {
    /// Aggregate samples, which are in the order of their numbers.
    pub fn of(header: &Header, samples: &[Sample]) -> Table {
        let plan = &header.plan;
        let mut groups: BTreeMap<(usize, usize), Vec<&Sample>> = BTreeMap::new();
        for sample in samples {
            let task = plan.task(sample.run);
            groups.entry((task.size, task.ids)).or_default().push(sample);
        }
        let rows: Vec<Row> = groups
            .into_iter()
            .map(|((size, ids), of)| Row::of(header, plan.sizes[size], &plan.ids[ids], &of))
            .collect();
        let mut unjudged: Vec<String> = Vec::new();
        for name in samples.iter().flat_map(|sample| &sample.unjudged) {
            if !unjudged.contains(name) {
                unjudged.push(name.clone());
            }
        }
        Table {
            planned: header.runs(),
            made: samples.len() as u64,
            fits: plan.ids.iter().flat_map(|ids| fits(ids, &rows)).collect(),
            rows,
            findings: findings(samples),
            unjudged,
        }
    }

    pub fn is_complete(&self) -> bool {
        self.made == self.planned && self.rows.iter().all(|row| row.cut_off == 0)
    }
}

impl Row {
    fn of(header: &Header, size: u32, ids: &str, samples: &[&Sample]) -> Row {
        let finished: Vec<&Sample> = samples.iter().copied().filter(|s| s.is_finished()).collect();
        let spread = |of: &dyn Fn(&Sample) -> u64| Statistics::of(finished.iter().map(|s| of(s)).collect());
        let optional = |of: &dyn Fn(&Sample) -> Option<u64>| {
            let values: Option<Vec<u64>> = finished.iter().map(|s| of(s)).collect();
            Statistics::of(values?)
        };
        let ended = |ends: &[End]| samples.iter().filter(|s| ends.contains(&s.end)).count() as u64;
        let repeating = samples.iter().filter(|sample| sample.repeats).count() as u64;
        let edges = samples.iter().map(|s| s.edges);
        Row {
            size,
            n: samples.first().map_or(size, |s| s.n),
            edges: (edges.clone().min().unwrap_or(0), edges.max().unwrap_or(0)),
            ids: ids.into(),
            runs: samples.len() as u64,
            settled: ended(&[End::Settled]),
            repeating,
            cut_off: ended(&[End::Limit]) - repeating,
            failed: ended(&[End::Stuck, End::Aborted]),
            messages: spread(&|s| s.messages),
            bits: spread(&|s| s.bits),
            time: spread(&|s| s.time),
            rounds: optional(&|s| s.rounds),
            moves: optional(&|s| s.moves),
            sent: (0..header.kinds.len())
                .map(|kind| spread(&|s| s.sent.get(kind).copied().unwrap_or(0)))
                .collect(),
            operations: (0..header.operations.len())
                .map(|operation| OperationCosts::of(operation, &finished))
                .collect(),
            bounds: header
                .bounds
                .iter()
                .enumerate()
                .map(|(i, bound)| AtBound::of(bound, finished.iter().filter_map(|s| *s.bounds.get(i)?)))
                .collect(),
        }
    }

    /// Return the measures that are fitted and drawn, by name. In rounds, the length of message chains adds nothing and is
    /// omitted.
    pub fn measures(&self) -> Vec<(&'static str, &Statistics)> {
        let time = if self.rounds.is_some() { None } else { self.time.as_ref() };
        let all = [
            ("messages", self.messages.as_ref()),
            ("bits", self.bits.as_ref()),
            ("time", time),
            ("rounds", self.rounds.as_ref()),
            ("moves", self.moves.as_ref()),
        ];
        all.into_iter().filter_map(|(name, spread)| Some((name, spread?))).collect()
    }
}

impl OperationCosts {
    fn of(operation: usize, samples: &[&Sample]) -> Option<OperationCosts> {
        let completed = |s: &Sample| s.returns.get(operation).copied().filter(|completed| *completed > 0);
        let each = |cost: &dyn Fn(&Sample) -> Option<u64>| {
            let of = |s: &&Sample| Some(cost(s)? as f64 / completed(s)? as f64);
            PerOperation::of(&samples.iter().filter_map(of).collect::<Vec<f64>>())
        };
        Some(OperationCosts {
            completed: Statistics::of(samples.iter().filter_map(|s| completed(s)).collect())?,
            messages: each(&|s| Some(s.messages))?,
            elapsed: each(&|s| s.elapsed),
        })
    }
}

impl PerOperation {
    fn of(values: &[f64]) -> Option<PerOperation> {
        let greatest = values.iter().copied().reduce(f64::max)?;
        Some(PerOperation { mean: values.iter().sum::<f64>() / values.len() as f64, greatest })
    }
}

impl AtBound {
    fn of(bound: &Bounded, pairs: impl Iterator<Item = (i64, i64)>) -> Option<AtBound> {
        let mut kept = true;
        // Excess of a run over its limit; for a lower limit, its shortfall.
        let beyond = |(measured, limit): (i64, i64)| -> f64 {
            let ratio = ratio(measured, limit);
            match ratio {
                Some(ratio) if bound.is_exact() => (ratio - 1.0).abs(),
                Some(ratio) if bound.is_lower() => -ratio,
                Some(ratio) => ratio,
                None => (measured as f64 - limit as f64).abs(),
            }
        };
        let pairs = pairs.inspect(|(measured, limit)| kept &= bound.is_kept(*measured, *limit));
        // Of equal runs, the first counts.
        let nearest = pairs.reduce(|a, b| if beyond(b) > beyond(a) { b } else { a });
        let (measured, limit) = nearest?;
        Some(AtBound { measured, limit, ratio: ratio(measured, limit), kept })
    }
}

fn ratio(measured: i64, limit: i64) -> Option<f64> {
    (limit > 0).then(|| measured as f64 / limit as f64)
}

/// Fit the means of each measure.
fn fits(ids: &str, rows: &[Row]) -> Vec<Series> {
    let mut points: Vec<(&'static str, Vec<(u32, f64)>)> = Vec::new();
    for row in rows.iter().filter(|row| row.ids == ids) {
        for (measure, spread) in row.measures() {
            let point = (row.n, spread.mean);
            match points.iter_mut().find(|(name, _)| *name == measure) {
                Some((_, list)) => list.push(point),
                None => points.push((measure, vec![point])),
            }
        }
    }
    points
        .into_iter()
        .filter_map(|(measure, points)| Some(Series { ids: ids.into(), measure, fit: Fit::of(&points)? }))
        .collect()
}

fn findings(samples: &[Sample]) -> Vec<BoundFinding> {
    let mut found: Vec<BoundFinding> = Vec::new();
    let mut add = |property: Option<&String>, what: &'static str, why: &str, sample: &Sample| match found
        .iter_mut()
        .find(|f| f.property.as_ref() == property && f.what == what)
    {
        Some(known) => known.runs += 1,
        None => found.push(BoundFinding {
            property: property.cloned(),
            what,
            why: why.into(),
            runs: 1,
            run: sample.run,
            n: sample.n,
        }),
    };
    for sample in samples {
        for violation in &sample.violated {
            add(Some(&violation.property), "violated", &violation.why, sample);
        }
        let why = sample.why.as_deref().unwrap_or_default();
        match sample.end {
            End::Stuck => add(None, "stuck", why, sample),
            End::Aborted => add(None, "aborted", why, sample),
            _ => {}
        }
    }
    found
}
