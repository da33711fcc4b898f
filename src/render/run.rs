//! The report of a run as text: the instance, the events, the outcome, the costs, the verdicts.

use super::Look;
use super::canvas::truncated;
use super::glyphs::{ASCII, UNICODE};
use super::space_time::{SpaceTimeOptions, space_time};
use super::table::{table, table_within};
use crate::ids::ProcessId;
use crate::property::kind_word;
use crate::prose::{self, padded};
use crate::report::{OperationReport, ProcessReport, Report, Variables, Verdict};
use crate::semantics::event::Cause;
use crate::trace::{End, Header, Message, Trace, Undelivered};
use rustc_hash::{FxHashMap, FxHashSet};

/// Up to this many processes have a row each.
const MOST_ROWS: usize = 16;
/// The maximum number of ids listed.
const MOST_IDS: usize = 16;
/// The maximum number of values of one variable in a summary.
const MOST_VALUES: usize = 6;

/// The sections of a report, and their options.
#[derive(Clone, Debug)]
pub struct RunSections {
    /// Whether to list the events.
    pub events: bool,
    /// Whether to draw the space-time diagram.
    pub diagram: bool,
    /// Whether to show all variables of the processes, not only their outputs.
    pub variables: bool,
    /// Width, look and limits of diagram and list.
    pub options: SpaceTimeOptions,
}

/// Return the whole report. The trace may be missing if none was recorded.
pub fn run(report: &Report, trace: Option<&Trace>, parts: &RunSections) -> String {
    let paint = Paint(parts.options.look);
    let mut out = heading(report, &paint);
    if let Some(trace) = trace.filter(|_| parts.events) {
        out += "\n";
        out += &events(trace, &parts.options);
        let others = report.steps.saturating_sub(trace.events.len() as u64);
        if others > 0 {
            let ellipsis = if parts.options.look.ascii { "..." } else { "…" };
            out += &format!("{ellipsis} {} omitted\n", counted(others, "event", "events"));
        }
    }
    if let Some(trace) = trace.filter(|_| parts.diagram) {
        out += "\n";
        out += &space_time(trace, &parts.options);
    }
    out += "\n";
    out += &outcome(report, &paint, parts.options.list_width);
    out += "\n";
    out += &processes(report, parts.variables, parts.options.list_width, parts.options.look);
    out += &costs(report);
    out += &properties(report, &paint);
    out
}

struct Paint(Look);

impl Paint {
    fn with(&self, code: u8, text: &str) -> String {
        match self.0.color {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.into(),
        }
    }
}

fn heading(report: &Report, paint: &Paint) -> String {
    let mut parts = vec![format!("{} on {}", paint.with(1, &report.algorithm), report.network.topology)];
    let ids = &report.network.ids;
    // The ids 1, 2, 3, … are the default, so they are not shown.
    if !ids.iter().zip(1..).all(|(id, i)| *id == i) {
        let shown: Vec<String> = ids.iter().take(MOST_IDS).map(i64::to_string).collect();
        let more = if ids.len() > MOST_IDS { format!(", … ({} in all)", ids.len()) } else { String::new() };
        parts.push(format!("ids {}{more}", shown.join(", ")));
    }
    parts.extend(report.params.iter().map(|p| format!("{} = {}", p.name, p.value)));
    if !report.faults.is_empty() {
        parts.push(format!("faults {}", report.faults));
    }
    parts.push(format!("schedule {}", report.schedule));
    // Always shown: the seed is needed to repeat the run.
    parts.push(format!("seed {}", report.seed));
    let dot = if paint.0.ascii { " | " } else { " · " };
    let line = parts.join(dot);
    (if paint.0.ascii { line.replace('…', "...") } else { line }) + "\n"
}

/// Return the short form for `--quiet`: outcome, costs, and claimed properties that are violated or not checked.
pub fn brief(report: &Report, look: Look) -> String {
    let paint = Paint(look);
    let (mut word, _, code) = ending(report.outcome);
    if report.repeats_from.is_some() {
        word = "repeats a cycle";
    }
    let dot = if look.ascii { " | " } else { " · " };
    let parts = [
        format!("{} on {}", report.algorithm, report.network.topology),
        format!("{} after {}", paint.with(code, word), counted(report.steps, "step", "steps")),
        counted(report.messages.total, "message", "messages"),
        format!("seed {}", report.seed),
    ];
    let mut out = parts.join(dot) + "\n";
    // Reasons of failures are shown even in the short form; why a settled run was stopped is not.
    for why in report.explanation.iter().filter(|_| report.outcome != End::Settled) {
        out += &format!("  {why}\n");
    }
    for p in report.properties.iter().filter(|p| p.promised && p.verdict != Verdict::Holds) {
        out += &format!("{}  {}  {}", p.verdict.as_str(), p.name, kind_word(p.kind));
        if !p.why.is_empty() {
            out += &format!(": {}", p.why);
        }
        if let Some(place) = &p.place {
            out += &format!("  ({place})");
        }
        out.push('\n');
    }
    out
}

/// List the events of a trace briefly: process and action, messages received and sent, changes.
pub fn events(trace: &Trace, options: &SpaceTimeOptions) -> String {
    listed(trace, options, false)
}

/// List events that need not be consecutive, with the number of events between them.
pub fn events_with_gaps(trace: &Trace, options: &SpaceTimeOptions) -> String {
    listed(trace, options, true)
}

fn listed(trace: &Trace, options: &SpaceTimeOptions, apart: bool) -> String {
    let ellipsis = if options.look.ascii { "..." } else { "…" };
    let all = trace.events.len();
    let range = options.events.clone().unwrap_or(0..all);
    let range = range.start.min(range.end).min(all)..range.end.min(all);
    let most = options.max_events.max(2);
    let left_out = range.len().saturating_sub(most);
    let gap = range.start + most.div_ceil(2);
    let lost: Vec<Undelivered<'_>> =
        trace.undelivered().into_iter().filter(|message| message.lost_at.is_some()).collect();
    let (mut rows, mut round) = (Vec::new(), None);
    for (i, event) in range.clone().zip(&trace.events[range]) {
        if left_out > 0 && i == gap {
            let text = format!("{left_out} events omitted");
            rows.push(vec![ellipsis.into(), String::new(), String::new(), text]);
        }
        if left_out > 0 && (gap..gap + left_out).contains(&i) {
            continue;
        }
        let before = i.checked_sub(1).filter(|_| apart).map(|before| trace.events[before].index + 1);
        let between = before.map_or(0, |before| event.index.saturating_sub(before));
        if between > 0 {
            let text = format!("{between} events omitted");
            rows.push(vec![ellipsis.into(), String::new(), String::new(), text]);
        }
        if trace.is_cycle_start(i) {
            round = Some(rows.len());
        }
        if let Some(text) = trace.joint_step_heading(i) {
            rows.push(vec![String::new(), String::new(), text]);
        }
        let [action, came, sent, mut changed] = describe_event(trace, i, options.look);
        let losses: Vec<&Message> =
            lost.iter().filter(|one| one.lost_at == Some(i)).map(|one| one.message).collect();
        if !losses.is_empty() {
            changed += &format!("  {}", messages("loses", losses, &trace.header));
        }
        rows.push(vec![
            event.index.to_string(),
            event.at.map_or(String::new(), |at| format!("t={at}")),
            trace.header.name(event.process),
            action,
            came,
            sent,
            changed,
        ]);
    }
    if trace.events.iter().all(|event| event.at.is_none()) {
        rows.iter_mut().for_each(|row| drop(row.remove(1)));
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = table(&vec![""; columns], &rows, 0);
    if let Some(row) = round {
        // The label spans all columns without widening them.
        let numbers = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
        lines.insert(row, " ".repeat(numbers + 2) + prose::CYCLE_BEGINS);
    }
    lines.iter().map(|line| truncated(line, options.list_width, ellipsis) + "\n").collect()
}

/// Describe an event briefly: its action, messages received, messages sent, and its effects: violation, changes, observations.
pub fn describe_event(trace: &Trace, event: usize, look: Look) -> [String; 4] {
    let (from, woken, gone, to, seen) = match look.ascii {
        true => ("<-", "|-", "x-", "->", "! "),
        false => ("←", "⇤", "✗", "→", "◆ "),
    };
    let violated = if look.ascii { ASCII.violated } else { UNICODE.violated };
    let event = &trace.events[event];
    let name = |p: ProcessId| trace.header.name(p);
    // A crash within a command is shown besides the action.
    let within = event.choice.cause != Cause::Crash;
    let changed = event.changes.iter().map(|c| match (c.name.as_str(), c.value.as_str()) {
        ("up", "false") if within => "crashes".into(),
        (name, value) => format!("{name}={}", trace.header.shown(value)),
    });
    let with = event.with.iter().flat_map(|with| {
        let name = name(with.process);
        let changes =
            with.changes.iter().map(|c| format!("{name}.{}={}", c.name, trace.header.shown(&c.value)));
        std::iter::once(format!("with {name}")).chain(changes).collect::<Vec<_>>()
    });
    let observed = event.observations.iter().map(|o| format!("{seen}{}", trace.header.shown(o)));
    let violation = trace.header.violation_at(event.index).map(|text| format!("{violated}{text}"));
    let came = [
        messages(from, &event.received, &trace.header),
        messages(woken, &event.arrived, &trace.header),
        messages(gone, &event.lost, &trace.header),
    ];
    [
        trace.header.shown_action(event).into_owned(),
        came.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  "),
        messages(to, &event.sent, &trace.header),
        violation.into_iter().chain(changed).chain(with).chain(observed).collect::<Vec<_>>().join("  "),
    ]
}

/// Group equal messages: `→ m0,m1 Request(1) p1,p2`.
fn messages<'m>(arrow: &str, list: impl IntoIterator<Item = &'m Message>, header: &Header) -> String {
    let mut groups: Vec<(&str, Vec<String>, Vec<String>)> = Vec::new();
    for m in list {
        match groups.last_mut().filter(|(text, ..)| *text == m.text) {
            Some((_, ids, peers)) => {
                ids.push(m.id.to_string());
                peers.push(header.name(m.peer));
            }
            None => groups.push((&m.text, vec![m.id.to_string()], vec![header.name(m.peer)])),
        }
    }
    let shown = groups.iter().map(|(text, ids, peers)| {
        format!("{arrow} {} {} {}", ids.join(","), header.shown(text), peers.join(","))
    });
    shown.collect::<Vec<_>>().join("  ")
}

/// Return the word for an outcome, its meaning, and a colour.
fn ending(outcome: End) -> (&'static str, &'static str, u8) {
    match outcome {
        End::Terminated => ("terminated", "all processes have halted", 32),
        End::Quiescent => {
            ("quiescent", "no messages in transit, and every process has halted or is waiting for input", 32)
        }
        End::Stuck => ("stuck", "deadlock", 31),
        End::Settled => {
            ("settled", "the run was stopped, since a longer one is unlikely to change a verdict", 32)
        }
        End::Limit => ("limit", "the run was stopped before its end", 33),
        End::Aborted => ("aborted", "run-time error", 31),
    }
}

fn outcome(report: &Report, paint: &Paint, width: usize) -> String {
    if let Some(from) = report.repeats_from {
        let (steps, code) = (counted(report.steps, "step", "steps"), ending(report.outcome).2);
        return format!(
            "{} after {steps}: from event {from} on, forever\n",
            paint.with(code, "repeats a cycle")
        );
    }
    outcome_text(report.outcome, report.steps, &report.explanation, width, paint.0)
}

/// Describe how a run ended, and why. Lists of variables are truncated at `width`.
pub fn outcome_text(outcome: End, steps: u64, explanation: &[String], width: usize, look: Look) -> String {
    let (word, meaning, code) = ending(outcome);
    let steps = counted(steps, "step", "steps");
    let mut out = format!("{} after {steps}: {meaning}\n", Paint(look).with(code, word));
    for line in explanation {
        let room = if line.starts_with("state: ") { width.saturating_sub(2) } else { usize::MAX };
        out += &format!("  {}\n", truncated(line, room, ellipsis(look)));
    }
    out
}

fn ellipsis(look: Look) -> &'static str {
    if look.ascii { "..." } else { "…" }
}

/// Return a row for each process or, for many processes, the number of processes for each value. Long values are truncated so
/// that rows are no wider than `width`.
pub fn processes(report: &Report, variables: bool, width: usize, look: Look) -> String {
    let lines = match report.processes.len() {
        0 => return String::new(),
        n if n <= MOST_ROWS => process_rows(report, variables, width, look),
        _ => {
            let lines = process_summary(report, variables);
            lines.iter().map(|line| truncated(line, width, ellipsis(look))).collect()
        }
    };
    lines.join("\n") + "\n\n"
}

/// Return the names of variables in order of first occurrence: roles may have different ones.
fn names<'a>(all: impl Iterator<Item = &'a Variables>) -> Vec<&'a str> {
    let mut known: FxHashSet<&str> = FxHashSet::default();
    all.flat_map(|v| &v.0).map(|variable| variable.name.as_str()).filter(|name| known.insert(name)).collect()
}

/// Return the values of the variables with these names, in the order of the names.
fn texts(variables: &Variables, names: &[&str]) -> Vec<String> {
    let known: FxHashMap<&str, &str> =
        variables.0.iter().map(|v| (v.name.as_str(), v.text.as_str())).collect();
    names.iter().map(|name| known.get(name).copied().unwrap_or_default().to_string()).collect()
}

fn process_rows(report: &Report, variables: bool, width: usize, look: Look) -> Vec<String> {
    let all: Vec<ProcessReport> = report.processes.iter().collect();
    let outputs = names(all.iter().map(|p| &p.outputs));
    let mut vars = names(all.iter().map(|p| &p.vars).filter(|_| variables));
    let shown: FxHashSet<&str> = outputs.iter().copied().collect();
    vars.retain(|v| !shown.contains(v));
    let mut heading = vec!["process", "id", "role", "state"];
    heading.extend(outputs.iter().chain(&vars));
    let row = |p: &ProcessReport| {
        let mut row = vec![p.name.clone(), p.id.to_string(), p.role.clone().unwrap_or_default(), state(p)];
        row.extend(texts(&p.outputs, &outputs));
        row.extend(texts(&p.vars, &vars));
        row
    };
    table_within(&heading, &all.iter().map(row).collect::<Vec<_>>(), width, ellipsis(look))
}

fn state(p: &ProcessReport) -> String {
    let mut words: Vec<&str> = p.state.as_deref().into_iter().collect();
    words.extend(p.halted.then_some("halted"));
    words.extend((!p.up).then_some("down"));
    words.join(", ")
}

/// The number of processes for each value of a variable, values in order of first occurrence.
#[derive(Default)]
struct MessageTally {
    what: String,
    /// By value: the order of first occurrence, and the count.
    counts: FxHashMap<String, (usize, usize)>,
}

impl MessageTally {
    fn add(&mut self, value: &str) {
        let first = self.counts.len();
        match self.counts.get_mut(value) {
            _ if value.is_empty() => {}
            Some((_, count)) => *count += 1,
            None => {
                self.counts.insert(value.into(), (first, 1));
            }
        }
    }

    /// Return the most frequent values; `None` if there are none.
    fn row(self) -> Option<Vec<String>> {
        let mut counts: Vec<(String, (usize, usize))> = self.counts.into_iter().collect();
        counts.sort_unstable_by_key(|(_, (first, count))| (std::cmp::Reverse(*count), *first));
        let shown = counts.iter().take(MOST_VALUES).map(|(value, (_, count))| format!("{value} ({count})"));
        let mut shown: Vec<String> = shown.collect();
        if counts.len() > MOST_VALUES {
            shown.push(format!("and {} other values", counts.len() - MOST_VALUES));
        }
        (!shown.is_empty()).then(|| vec![self.what, shown.join(", ")])
    }
}

/// The tallies of variables, in order of first occurrence.
#[derive(Default)]
struct Tallies {
    list: Vec<MessageTally>,
    /// The index of a tally, by variable.
    places: FxHashMap<String, usize>,
}

impl Tallies {
    fn add(&mut self, variables: &Variables) {
        for variable in &variables.0 {
            let at = self.places.get(&variable.name).copied().unwrap_or_else(|| {
                self.places.insert(variable.name.clone(), self.list.len());
                self.list.push(MessageTally { what: variable.name.clone(), ..MessageTally::default() });
                self.list.len() - 1
            });
            self.list[at].add(&variable.text);
        }
    }
}

/// Return the number of processes for each role, state and value.
fn process_summary(report: &Report, variables: bool) -> Vec<String> {
    let named = |what: &str| MessageTally { what: what.into(), ..MessageTally::default() };
    let (mut role, mut control) = (named("role"), named("state"));
    let (mut outputs, mut vars) = (Tallies::default(), Tallies::default());
    for process in report.processes.iter() {
        role.add(process.role.as_deref().unwrap_or_default());
        control.add(&state(&process));
        outputs.add(&process.outputs);
        if variables {
            vars.add(&process.vars);
        }
    }
    vars.list.retain(|tally| !outputs.places.contains_key(&tally.what));
    let tallies = [role, control].into_iter().chain(outputs.list).chain(vars.list);
    let rows: Vec<Vec<String>> = tallies.filter_map(MessageTally::row).collect();
    let mut lines = vec![format!("{} processes", report.processes.len())];
    lines.extend(table(&["", ""], &rows, 2));
    lines
}

fn costs(report: &Report) -> String {
    let messages = &report.messages;
    let mut row = vec![counted(messages.total, "message", "messages")];
    let kinds: Vec<String> =
        messages.sent.0.iter().filter(|(_, count)| *count > 0).map(|(k, c)| format!("{c} {k}")).collect();
    let mut details = Vec::new();
    if messages.sent.0.len() > 1 && !kinds.is_empty() {
        details.push(kinds.join(", "));
    }
    if messages.to_self > 0 {
        details.push(format!("and {} to themselves", messages.to_self));
    }
    if !details.is_empty() {
        row[0] += &format!(" ({})", details.join(", "));
    }
    row.push(counted(report.bits, "bit", "bits"));
    row.push(format!("time {}", report.time));
    row.extend(report.elapsed.map(|at| format!("ends at instant {at}")));
    row.extend(report.rounds.map(|r| counted(r, "round", "rounds")));
    row.extend(report.moves.map(|m| counted(m, "move", "moves")));
    let mut out = row.join(", ") + "\n";
    for (layer, count) in &messages.layers.0 {
        out += &format!("  layer {layer}: {}\n", counted(*count, "message", "messages"));
    }
    // Give the cost per operation for each kind, and once for kinds that were completed equally often.
    let completed: Vec<&OperationReport> = report.operations.iter().filter(|o| o.completed > 0).collect();
    for (i, operation) in completed.iter().enumerate() {
        let alike = |other: &&OperationReport| other.completed == operation.completed;
        out += if i == 0 { "  completed: " } else { ", " };
        out += &format!("{} {}", operation.name, counted(operation.completed, "time", "times"));
        let last = !completed[i + 1..].iter().any(alike);
        if let Some(each) = operation.messages_per_operation.filter(|_| last) {
            let each = (each * 100.0).round() / 100.0;
            let messages = if each == 1.0 { "message" } else { "messages" };
            out += &format!(" ({each} {messages} of the run for each)");
        }
    }
    if !completed.is_empty() {
        out.push('\n');
    }
    out
}

/// Return the verdicts, one per line.
pub fn verdicts(report: &Report, look: Look) -> String {
    properties(report, &Paint(look))
}

fn properties(report: &Report, paint: &Paint) -> String {
    if report.properties.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n");
    let widest = |f: &dyn Fn(&crate::report::PropertyReport) -> usize| {
        report.properties.iter().map(f).max().unwrap_or(0)
    };
    let verdicts = widest(&|p| p.verdict.as_str().len());
    let all_names = widest(&|p| p.name.chars().count());
    for p in &report.properties {
        let code = match p.verdict {
            Verdict::Holds => 32,
            // A property that is not claimed may be violated.
            Verdict::Violated if !p.promised => 33,
            Verdict::Violated => 31,
            Verdict::Pending | Verdict::NotChecked => 33,
        };
        let word = padded(p.verdict.as_str(), verdicts);
        let name = padded(&p.name, all_names);
        let mut line = format!("{}  {name}  {}", paint.with(code, &word), kind_word(p.kind));
        if !p.promised {
            line += ", not claimed";
        }
        if let Some(event) = p.at_event {
            line += &format!(", at event {event}");
        }
        if !p.why.is_empty() {
            line += &format!(": {}", p.why);
        }
        if let Some(place) = p.place.as_ref().filter(|_| p.verdict != Verdict::Holds) {
            line += &format!("  ({place})");
        }
        out += &line;
        out.push('\n');
        if let Some(command) = &p.crashed_within {
            out += &format!("  {}\n", command.remark);
        }
    }
    out
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
