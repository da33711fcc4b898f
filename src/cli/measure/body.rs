//! The result of a measurement: JSON, CSV, and the ending.

use crate::cli::exit::{ExitStatus, Failure};
use crate::cli::output::Output;
use crate::measure::journal::Bounded;
use crate::measure::plan::quoted;
use crate::measure::table::{BoundFinding, PerOperation, Series};
use crate::measure::{Header, Row, Shard, Statistics, Table};
use crate::render::measure::repeat_command;
use crate::trace::export::csv::record;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MeasureBody<'m> {
    algorithm: &'m str,
    /// The topology, with `{n}` for the size.
    topology: &'m str,
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    ids: &'m [String],
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["fifo", "random", "round-robin", "adversary", "priorities"])))]
    schedule: &'m str,
    first_seed: u64,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    runs_for_each: u64,
    /// Whether each run numbers ports at random, from its seed, on a network where this can matter. False, because unknown, for one part of the runs and for merged parts.
    draws_ports: bool,
    planned: u64,
    made: u64,
    complete: bool,
    kinds: &'m [String],
    /// Operations of the problem, in the order of the costs in `rows`.
    operations: &'m [String],
    bounds: &'m [Bounded],
    rows: &'m [Row],
    /// Fits over the means.
    growth: Vec<Growth<'m>>,
    findings: Vec<FindingBody<'m>>,
    unjudged: &'m [String],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Growth<'m> {
    #[serde(flatten)]
    series: &'m Series,
    /// Always true: a least-squares fit is evidence, not a proof.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = true)))]
    evidence_only: bool,
    best_error: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct FindingBody<'m> {
    #[serde(flatten)]
    finding: &'m BoundFinding,
    /// The command that reproduces it.
    replay: Option<String>,
}

impl<'m> MeasureBody<'m> {
    pub(super) fn new(header: &'m Header, table: &'m Table, draws_ports: bool) -> MeasureBody<'m> {
        let plan = &header.plan;
        MeasureBody {
            algorithm: &header.algorithm,
            topology: &plan.on,
            ids: &plan.ids,
            schedule: &plan.schedule,
            first_seed: plan.first_seed,
            runs_for_each: plan.runs,
            draws_ports,
            planned: table.planned,
            made: table.made,
            complete: table.is_complete(),
            kinds: &header.kinds,
            operations: &header.operations,
            bounds: &header.bounds,
            rows: &table.rows,
            growth: table
                .fits
                .iter()
                .map(|series| Growth { series, evidence_only: true, best_error: series.fit.best().error })
                .collect(),
            findings: table
                .findings
                .iter()
                .map(|finding| FindingBody { finding, replay: repeat_command(header, finding) })
                .collect(),
            unjudged: &table.unjudged,
        }
    }
}

/// Return the ending of a measurement. A finding takes precedence over a limit. A property that was named and could not be checked
/// leaves the verdict unknown.
pub(super) fn ending(header: &Header, table: &Table) -> ExitStatus {
    let unjudged = !header.plan.properties.is_empty() && !table.unjudged.is_empty();
    match table.findings.is_empty() {
        false => ExitStatus::Finding,
        true if !table.is_complete() || unjudged => ExitStatus::Limit,
        true => ExitStatus::Success,
    }
}

/// Report on one part of the runs.
pub(super) fn part(header: &Header, table: &Table, file: &str, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.json(&MeasureBody::new(header, table, false));
    }
    let Shard { part, of } = header.shard.unwrap_or(Shard::WHOLE);
    let mut text = format!("part {part} of {of}: {} of {} runs are in {file}\n", table.made, table.planned);
    for finding in &table.findings {
        let name = finding.property.as_ref().map_or(String::new(), |name| format!("{name} "));
        let _ =
            writeln!(text, "{name}{} with n = {}: {}", finding.what.to_uppercase(), finding.n, finding.why);
        if let Some(command) = repeat_command(header, finding) {
            let _ = writeln!(text, "  replay: {command}");
        }
    }
    let files: Vec<String> =
        (1..=of).map(|i| quoted(&format!("{}-{i}-of-{of}.jsonl", header.algorithm))).collect();
    if of <= 8 && file == format!("{}-{part}-of-{of}.jsonl", header.algorithm) {
        let _ = writeln!(text, "merge all parts: synod measure --merge {}", files.join(" "));
    }
    out.text(text)
}

/// Return the table as CSV: a row for each size and arrangement of ids. A field that does not apply is empty.
pub(super) fn csv(header: &Header, table: &Table) -> String {
    let mut head: Vec<String> = [
        "algorithm",
        "topology",
        "size",
        "n",
        "least_edges",
        "most_edges",
        "ids",
        "schedule",
        "runs",
        "settled",
        "repeating",
        "cut_off",
        "failed",
    ]
    .map(String::from)
    .into();
    let numbers = ["least", "median", "greatest", "mean", "margin_95"];
    for measure in ["messages", "bits", "time", "rounds", "moves"] {
        head.extend(numbers.iter().map(|number| format!("{measure}_{number}")));
    }
    head.extend(
        header
            .kinds
            .iter()
            .flat_map(|kind| ["least", "median", "greatest"].map(|number| format!("sent_{kind}_{number}"))),
    );
    for operation in &header.operations {
        let parts =
            ["completed_mean", "messages_mean", "messages_greatest", "elapsed_mean", "elapsed_greatest"];
        head.extend(parts.map(|part| format!("{operation}_{part}")));
    }
    for bound in &header.bounds {
        head.extend(["measured", "limit", "ratio", "kept"].map(|part| format!("{}_{part}", bound.name)));
    }
    let mut out = record(&head);
    for row in &table.rows {
        let topology = crate::measure::template::fill(&header.plan.on, row.size).unwrap_or_default();
        let mut cells: Vec<String> = vec![header.algorithm.clone(), topology];
        let counts = [row.size, row.n, row.edges.0, row.edges.1];
        cells.extend(counts.map(|n| n.to_string()));
        cells.extend([row.ids.clone(), header.plan.schedule.clone()]);
        cells.extend([row.runs, row.settled, row.repeating, row.cut_off, row.failed].map(|n| n.to_string()));
        for spread in [row.messages, row.bits, row.time, row.rounds, row.moves] {
            cells.extend(spread.map_or([const { String::new() }; 5], |s| {
                let margin = s.margin.map_or(String::new(), |margin| margin.to_string());
                [
                    s.least.to_string(),
                    s.median.to_string(),
                    s.greatest.to_string(),
                    s.mean.to_string(),
                    margin,
                ]
            }));
        }
        for sent in &row.sent {
            cells.extend(sent.map_or([const { String::new() }; 3], |s: Statistics| {
                [s.least.to_string(), s.median.to_string(), s.greatest.to_string()]
            }));
        }
        for costs in &row.operations {
            cells.extend(costs.map_or([const { String::new() }; 5], |of| {
                let elapsed = |part: fn(PerOperation) -> f64| {
                    of.elapsed.map_or(String::new(), |elapsed| part(elapsed).to_string())
                };
                [
                    of.completed.mean.to_string(),
                    of.messages.mean.to_string(),
                    of.messages.greatest.to_string(),
                    elapsed(|elapsed| elapsed.mean),
                    elapsed(|elapsed| elapsed.greatest),
                ]
            }));
        }
        for bound in &row.bounds {
            cells.extend(bound.map_or([const { String::new() }; 4], |at| {
                let ratio = at.ratio.map_or(String::new(), |ratio| ratio.to_string());
                [at.measured.to_string(), at.limit.to_string(), ratio, at.kept.to_string()]
            }));
        }
        out += &record(&cells);
    }
    out
}
