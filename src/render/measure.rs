//! Measurements as text: a table for each arrangement of ids, the bounds, and how costs grow.

use super::Look;
use super::canvas::width;
use crate::ascii;
use crate::measure::fit::{FEWEST_SIZES, Model, NARROWEST};
use crate::measure::plan::quoted;
use crate::measure::table::{AtBound, BoundFinding, OperationCosts, PerOperation, Series};
use crate::measure::{Header, Row, Statistics, Table};
use crate::prose::{EACH_RUN_NUMBERS_PORTS, blanks};

/// Smaller numbers are shown as 0.
const NEGLIGIBLE: f64 = 0.000_05;

/// A measurement to be shown.
pub struct MeasurementReport<'m> {
    pub header: &'m Header,
    pub table: &'m Table,
    /// Whether each run numbers ports at random, and this can matter.
    pub draws_ports: bool,
    /// Whether to show each kind of message.
    pub verbose: bool,
    pub look: Look,
}

impl MeasurementReport<'_> {
    /// Return the whole report.
    pub fn text(&self) -> String {
        let mut text = self.heading();
        text += &self.findings();
        for ids in &self.header.plan.ids {
            let rows: Vec<&Row> = self.table.rows.iter().filter(|row| row.ids == *ids).collect();
            if rows.iter().all(|row| row.messages.is_none()) {
                if !rows.is_empty() && !self.nothing_measured() {
                    text += &format!("\nids {ids}: no complete runs to measure\n");
                }
                continue;
            }
            if self.header.plan.ids.len() > 1 {
                text += &format!("\nids {ids}\n");
            }
            text += "\n";
            text += &lines(&costs(&rows), self.look);
            if self.verbose && self.header.kinds.len() > 1 {
                text += "\nmessages by kind (least to most)\n";
                text += &lines(&self.kinds(&rows), self.look);
            }
            text += &self.operations(&rows);
            text += &self.bounds(&rows);
            text += &self.growth(ids);
        }
        text += &self.notes();
        if self.look.ascii { ascii::prose_to_ascii(&text).into_owned() } else { text }
    }

    /// Return the text for `--quiet`: the findings, or that there are none.
    pub fn brief(&self) -> String {
        let text = format!("{}\n{}", self.verdict(), self.findings().trim_start());
        if self.look.ascii { ascii::prose_to_ascii(&text).into_owned() } else { text }
    }

    fn heading(&self) -> String {
        let plan = &self.header.plan;
        let name = match self.look.color {
            true => format!("\x1b[1m{}\x1b[0m", self.header.algorithm),
            false => self.header.algorithm.clone(),
        };
        let mut parts =
            vec![format!("{name} on {}", plan.topologies()), format!("ids {}", plan.ids.join(", "))];
        parts.push(format!("schedule {}", plan.schedule));
        parts.push(match plan.runs {
            1 => format!("seed {}", plan.first_seed),
            runs => format!("seeds {} to {}", plan.first_seed, plan.first_seed + (runs - 1)),
        });
        if !plan.flags.is_empty() {
            parts.push(plan.flags.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
        }
        let ports = if self.draws_ports { EACH_RUN_NUMBERS_PORTS } else { "" };
        format!("{}\n{ports}{}\n", parts.join(" · "), self.verdict())
    }

    /// Return the verdict in one sentence, which claims no more than the runs show.
    fn verdict(&self) -> String {
        let table = self.table;
        // For a single property, give the number of runs; with several, each has its own number below.
        let violated: Vec<&BoundFinding> = table.findings.iter().filter(|f| f.property.is_some()).collect();
        let names = || violated.iter().filter_map(|f| f.property.as_deref()).collect::<Vec<_>>().join(", ");
        let made = counted(table.made, "run");
        let found = match violated.as_slice() {
            [] => format!("no violation in {made}"),
            [one] => format!("{} violated in {} of {made}", names(), one.runs),
            _ => format!("{} violated in some of {made}", names()),
        };
        let failed: u64 = table.rows.iter().map(|row| row.failed).sum();
        let repeating: u64 = table.rows.iter().map(|row| row.repeating).sum();
        let cut_off: u64 = table.rows.iter().map(|row| row.cut_off).sum();
        let settled: u64 = table.rows.iter().map(|row| row.settled).sum();
        let mut text = match table.made == table.planned {
            true => found,
            false => format!("{found}, of {} planned", table.planned),
        };
        if failed > 0 {
            text += &format!(", {failed} stuck or aborted");
        }
        if repeating > 0 {
            text += &format!(", {repeating} repeating a cycle");
        }
        if cut_off > 0 {
            text += &format!(", {cut_off} stopped at the step limit");
        }
        if settled > 0 {
            text += &format!(", {settled} measured until settled");
        }
        if failed + repeating + cut_off > 0 {
            text += match self.nothing_measured() {
                false => "; the costs are those of the others",
                true if failed + repeating == 0 => {
                    ": no complete runs to measure (--max-steps N allows longer ones)"
                }
                true => ": no complete runs to measure",
            };
        }
        text
    }

    /// Return whether no run has completed. Then there is no table.
    fn nothing_measured(&self) -> bool {
        self.table.rows.iter().all(|row| row.messages.is_none())
    }

    fn findings(&self) -> String {
        let one = |finding: &BoundFinding| {
            let name = finding.property.as_ref().map_or(String::new(), |name| format!("{name} "));
            let verb = finding.what.to_uppercase();
            let (red, plain) = if self.look.color { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
            let why = if finding.why.is_empty() { String::new() } else { format!(": {}", finding.why) };
            let mut text = format!(
                "\n{name}{red}{verb}{plain} in {}, first with n = {}{why}\n",
                counted(finding.runs, "run"),
                finding.n
            );
            if let Some(command) = repeat_command(self.header, finding) {
                text += &format!("  again: {command}\n");
            }
            text
        };
        self.table.findings.iter().map(one).collect()
    }

    fn kinds(&self, rows: &[&Row]) -> Vec<Vec<String>> {
        let sent = |row: &Row, kind: usize| row.sent.get(kind).copied().flatten();
        // A declared message that occurs only inside others is never sent by itself.
        let used: Vec<usize> = (0..self.header.kinds.len())
            .filter(|kind| rows.iter().any(|row| sent(row, *kind).is_some_and(|s| s.greatest > 0)))
            .collect();
        let mut head = vec!["n".to_string()];
        head.extend(used.iter().map(|kind| self.header.kinds[*kind].clone()));
        let mut all = vec![head];
        for row in rows {
            let mut cells = vec![row.n.to_string()];
            cells.extend(used.iter().map(|kind| sent(row, *kind).map_or("-".into(), range)));
            all.push(cells);
        }
        all
    }

    /// Return the table of costs for each completed operation. Operations with the same costs share their columns.
    fn operations(&self, rows: &[&Row]) -> String {
        let of = |row: &Row, operation: usize| row.operations.get(operation).copied().flatten();
        let mut shown: Vec<(usize, String)> = Vec::new();
        for (operation, name) in self.header.operations.iter().enumerate() {
            let alike = |(other, _): &&mut (usize, String)| {
                rows.iter().all(|row| of(row, *other) == of(row, operation))
            };
            match shown.iter_mut().find(alike) {
                _ if rows.iter().all(|row| of(row, operation).is_none()) => {}
                Some((_, names)) => *names += &format!(", {name}"),
                None => shown.push((operation, name.clone())),
            }
        }
        if shown.is_empty() {
            return String::new();
        }
        let (mut names, mut head) = (vec![String::new()], vec!["n".to_string()]);
        let mut all: Vec<Vec<String>> = rows.iter().map(|row| vec![row.n.to_string()]).collect();
        for (operation, name) in shown {
            let mut add =
                |what: &str, cost: &dyn Fn(OperationCosts) -> Option<PerOperation>| {
                    names.extend([format!("{what} for each {name}"), String::new()]);
                    head.extend(["mean", "most"].map(String::from));
                    for (cells, row) in all.iter_mut().zip(rows) {
                        let cost = of(row, operation).and_then(cost);
                        cells.extend(cost.map_or(["-".into(), "-".into()], |cost| {
                            [number(cost.mean), number(cost.greatest)]
                        }));
                    }
                };
            add("messages", &|costs| Some(costs.messages));
            if rows.iter().any(|row| of(row, operation).is_some_and(|costs| costs.elapsed.is_some())) {
                add("elapsed time", &|costs| costs.elapsed);
            }
        }
        let table: Vec<Vec<String>> = [names, head].into_iter().chain(all).collect();
        format!("\ncosts of a run, divided by its completed operations\n{}", lines(&table, self.look))
    }

    fn bounds(&self, rows: &[&Row]) -> String {
        let used: Vec<usize> = (0..self.header.bounds.len())
            .filter(|bound| rows.iter().any(|row| row.bounds.get(*bound).is_some_and(Option::is_some)))
            .collect();
        if used.is_empty() {
            return String::new();
        }
        let mut text = "\nbounds, with the nearest run\n".to_string();
        let names: Vec<Vec<String>> = used
            .iter()
            .map(|i| &self.header.bounds[*i])
            .map(|b| vec![b.name.clone(), format!("{} {}", b.kind, b.text)])
            .collect();
        for line in super::table::table(&["", ""], &names, 2) {
            text += &(line + "\n");
        }
        let mut head = vec!["n".to_string()];
        head.extend(used.iter().map(|i| self.header.bounds[*i].name.clone()));
        let mut all = vec![head];
        for row in rows {
            let mut cells = vec![row.n.to_string()];
            cells.extend(used.iter().map(|i| row.bounds[*i].map_or("-".into(), near)));
            all.push(cells);
        }
        text + &lines(&all, self.look)
    }

    fn growth(&self, ids: &str) -> String {
        let of: Vec<&Series> = self.table.fits.iter().filter(|series| series.ids == ids).collect();
        let Some(first) = of.first() else { return String::new() };
        let mut text = format!(
            "\ngrowth of the means: least squares over {} sizes (evidence, not a proof)\n",
            first.fit.sizes
        );
        let rows: Vec<Vec<String>> = of
            .iter()
            .map(|series| {
                let best = series.fit.best();
                let next = series.fit.runner_up().map_or(String::new(), |next| {
                    format!("runner-up {}, relative error {}", next.shape.as_str(), percent(next.error))
                });
                vec![
                    series.measure.into(),
                    best.shape.as_str().into(),
                    formula(best),
                    format!("relative error {}", percent(best.error)),
                    next,
                ]
            })
            .collect();
        for line in super::table::table(&[""; 5], &rows, 2) {
            text += &(line + "\n");
        }
        let nearer = |series: &&Series| {
            series.fit.runner_up().is_some_and(|next| next.error < series.fit.best().error)
        };
        if of.iter().any(nearer) {
            text += "(a faster growing function is chosen only if its error is smaller by a fifth)\n";
        }
        text
    }

    fn notes(&self) -> String {
        let mut text = String::new();
        if self.nothing_measured() {
            // The notes on costs and properties would only repeat that.
            return text;
        }
        if self.table.fits.is_empty() && self.header.plan.sizes.len() > 1 {
            text += &format!(
                "\n(growth needs at least {FEWEST_SIZES} sizes, the largest {NARROWEST} times the smallest)\n"
            );
        }
        if !self.table.unjudged.is_empty() {
            let names = self.table.unjudged.join(", ");
            text += &format!("\n(not checked in all runs: {names})\n");
        }
        text
    }
}

/// Return the command that repeats the first run of a finding.
pub fn repeat_command(header: &Header, finding: &BoundFinding) -> Option<String> {
    let plan = &header.plan;
    let mut words = plan.reproducing_command(&plan.task(finding.run)).ok()?;
    if let Some(property) = &finding.property {
        words.extend(["--property".into(), property.clone()]);
    }
    Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
}

/// Return a fitted function: `0.5 n² + 1.5 n`, with logarithms to base 2.
pub fn formula(model: &Model) -> String {
    let term = |coefficient: f64, shape: &str| match shape {
        "1" => number(coefficient),
        shape => format!("{} {shape}", number(coefficient)),
    };
    let leading = term(model.coefficient, model.shape.as_str());
    match model.shape.below() {
        Some(below) if number(model.below.abs()) != "0" => {
            let sign = if model.below < 0.0 { "-" } else { "+" };
            format!("{leading} {sign} {}", term(model.below.abs(), below.as_str()))
        }
        _ => leading,
    }
}

/// Format a number with four significant digits, without trailing zeros.
pub fn number(value: f64) -> String {
    if value.abs() < NEGLIGIBLE {
        return "0".into();
    }
    let text = format!("{value:.*}", decimals_of_four_digits(value));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

fn percent(part: f64) -> String {
    match part {
        0.0 => "0 %".into(),
        part if part < 0.000_1 => "less than 0.01 %".into(),
        part if part > 10.0 => "more than 1000 %".into(),
        part => format!("{} %", number(part * 100.0)),
    }
}

/// Return the table of costs: several columns for each measure, under a heading of its own.
fn costs(rows: &[&Row]) -> Vec<Vec<String>> {
    let measures: Vec<&'static str> = rows
        .iter()
        .map(|row| row.measures())
        .max_by_key(Vec::len)
        .unwrap_or_default()
        .iter()
        .map(|m| m.0)
        .collect();
    let several = rows.iter().any(|row| row.runs > 1);
    let varied = |measure: &str| {
        let of = |row: &&Row| row.measures().into_iter().find(|(name, _)| *name == measure).map(|m| *m.1);
        rows.iter().filter_map(of).any(|spread| !spread.is_one_value())
    };
    let (mut names, mut head) = (vec![String::new(), String::new()], vec!["n".to_string(), "runs".into()]);
    for measure in &measures {
        let columns: &[&str] = match varied(measure) {
            true => &["least", "median", "most", "mean"],
            false => &["all"],
        };
        head.extend(columns.iter().map(|column| match (*column, several) {
            ("mean", _) => "mean ± 95 %".to_string(),
            ("all", false) => String::new(),
            (column, _) => column.to_string(),
        }));
        names.push(measure.to_string());
        names.extend(columns.iter().skip(1).map(|_| String::new()));
    }
    let mut all = vec![names, head];
    for row in rows {
        let finished = row.runs - row.repeating - row.cut_off - row.failed;
        let runs =
            if finished == row.runs { row.runs.to_string() } else { format!("{finished} of {}", row.runs) };
        let mut cells = vec![row.n.to_string(), runs];
        let own = row.measures();
        for measure in &measures {
            let spread = own.iter().find(|(name, _)| name == measure).map(|m| *m.1);
            let columns = if varied(measure) { 4 } else { 1 };
            cells.extend(match spread {
                None => vec!["-".to_string(); columns],
                Some(spread) if columns == 1 => vec![spread.greatest.to_string()],
                Some(spread) => {
                    let decimals = decimals_of_four_digits(spread.mean);
                    let margin = spread.margin.map_or(String::new(), |m| format!(" ± {m:.decimals$}"));
                    vec![
                        spread.least.to_string(),
                        half(spread.median),
                        spread.greatest.to_string(),
                        format!("{:.decimals$}{margin}", spread.mean),
                    ]
                }
            });
        }
        all.push(cells);
    }
    all
}

/// Return the number of decimals that gives a number four significant digits; large numbers are rounded to integers.
fn decimals_of_four_digits(value: f64) -> usize {
    let digits = if value.abs() < NEGLIGIBLE { 0 } else { value.abs().log10().floor() as i32 };
    (3 - digits).max(0) as usize
}

/// Format a median: an integer, or a multiple of one half.
fn half(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

fn range(spread: Statistics) -> String {
    match spread.is_one_value() {
        true => spread.least.to_string(),
        false => format!("{} to {}", spread.least, spread.greatest),
    }
}

/// Return a measured value and its limit: `14 of 14  1.00`.
fn near(at: AtBound) -> String {
    let ratio =
        at.ratio.map_or(String::new(), |ratio| format!(" = {ratio:.*}", decimals_of_four_digits(ratio)));
    let verdict = if at.kept { "" } else { "  VIOLATED" };
    format!("{} of {}{ratio}{verdict}", at.measured, at.limit)
}

/// Return right-aligned columns; a heading of several columns is placed above the last of them.
fn lines(rows: &[Vec<String>], look: Look) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let is_grouped = rows.first().is_some_and(|row| row.first().is_some_and(String::is_empty));
    let own = &rows[usize::from(is_grouped)..];
    let mut widths: Vec<usize> = (0..columns)
        .map(|c| own.iter().filter_map(|row| row.get(c)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    // Widen groups that are narrower than their name.
    if is_grouped {
        let starts: Vec<usize> = (0..columns).filter(|c| !rows[0][*c].is_empty()).collect();
        for (i, start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(columns);
            let room: usize = widths[*start..end].iter().sum::<usize>() + 2 * (end - start - 1);
            widths[*start] += width(&rows[0][*start]).saturating_sub(room);
        }
    }
    let mut out = String::new();
    for (i, row) in rows.iter().enumerate() {
        let mut line = String::new();
        if is_grouped && i == 0 {
            // Headings start at the first column of their group; over a single column they are right-aligned.
            let mut at = 0;
            for (c, name) in row.iter().enumerate() {
                let lone = row.get(c + 1).is_none_or(|next| !next.is_empty());
                let pad = if lone { widths[c].saturating_sub(width(name)) } else { 0 };
                if !name.is_empty() {
                    let missing = (at + 2 + pad).saturating_sub(width(&line));
                    line += &" ".repeat(missing);
                    line += name;
                }
                at += widths[c] + 2;
            }
        } else {
            for (cell, wanted) in row.iter().zip(&widths) {
                line += "  ";
                line += &blanks(width(cell), *wanted);
                line += cell;
            }
        }
        let is_head = i == 0 || (is_grouped && i == 1);
        let line = line.trim_end();
        out += &match look.color && is_head {
            true => format!("\x1b[1m{line}\x1b[0m\n"),
            false => format!("{line}\n"),
        };
    }
    out
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
