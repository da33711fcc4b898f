//! The part of a run that is drawn: events, processes, messages, moments.

use super::{Failure, PictureOptions};
use crate::check::prose;
use crate::ids::ProcessId;
use crate::render::picture::{Chart, DrawSelection};
use crate::trace::Header;
use crate::trace::histories::{Histories, why_no_cuts};

/// Return the part of the run that the options select.
///
/// # Errors
/// If the options name something that the run does not have.
pub fn choice(options: &PictureOptions, chart: &Chart) -> Result<DrawSelection, Failure> {
    let events = chart.trace.events.len();
    let window = match (options.from, options.until) {
        (None, None) => None,
        (from, until) => {
            let from = from.unwrap_or(0);
            let until = until.unwrap_or(usize::MAX);
            if from >= events {
                return Err(Failure::usage(format!("there is no event {from}: {}", has(events))));
            }
            if until < from {
                return Err(Failure::usage(format!("--until {until} is before --from {from}")));
            }
            Some(from..until.saturating_add(1).min(events))
        }
    };
    let processes =
        options.process.as_deref().map(|text| processes(text, &chart.trace.header)).transpose()?;
    if let Some(kinds) = &options.message {
        known("message", kinds, &chart.kinds())?;
    }
    if let Some(states) = &options.filled {
        known("control state", states, &chart.states)?;
    }
    if let Some(names) = &options.show {
        let mut variables: Vec<&str> = Vec::new();
        let changes = chart
            .trace
            .events
            .iter()
            .flat_map(|e| e.changes.iter().chain(e.with.iter().flat_map(|w| &w.changes)));
        for change in chart.trace.header.initial.iter().flatten().chain(changes) {
            if !variables.contains(&change.name.as_str()) {
                variables.push(&change.name);
            }
        }
        known("variable", names, &variables)?;
    }
    Ok(DrawSelection {
        events: window,
        processes,
        kinds: options.message.clone(),
        filled: options.filled.clone(),
        variables: options.show.clone(),
        cut: options.cut.as_deref().map(|text| cut(text, chart)).transpose()?,
    })
}

/// Parse a cut in the notation of `synod trace cut`: the number of its events of each process.
fn cut(text: &str, chart: &Chart) -> Result<Vec<u32>, Failure> {
    if let Some(why) = why_no_cuts(chart.trace) {
        return Err(Failure::usage(why));
    }
    // Plain numbers need no histories.
    let numbers: Option<Vec<u32>> = text.split(',').map(|count| count.trim().parse().ok()).collect();
    if let Some(counts) = numbers {
        return Ok(counts);
    }
    let histories = Histories::of_any_model(chart.trace);
    Ok(histories.read_cut(&chart.trace.header, text).map_err(Failure::usage)?.0)
}

fn has(events: usize) -> String {
    match events {
        0 => "the run has no events".into(),
        1 => "the run has only event 0".into(),
        n => format!("the run has events 0 to {}", n - 1),
    }
}

fn known(what: &str, wanted: &[String], all: &[&str]) -> Result<(), Failure> {
    let Some(unknown) = wanted.iter().find(|name| !all.contains(&name.as_str())) else { return Ok(()) };
    let names: Vec<String> = all.iter().map(|name| name.to_string()).collect();
    let hint = prose::nearest(unknown, &names)
        .map_or_else(|| prose::available(&names), |near| format!("did you mean {near}?"));
    Err(Failure::usage(format!("the run has no {what} {unknown}")).hint(hint))
}

/// Parse a list of processes, and return their positions: `p0, p2..p5, alice, 7`.
fn processes(text: &str, header: &Header) -> Result<Vec<ProcessId>, Failure> {
    let n = header.ids.len() as u32;
    let one = |word: &str| -> Result<ProcessId, Failure> {
        let named = (0..n).map(ProcessId).find(|p| header.name(*p) == word);
        let by_position = || word.strip_prefix('p')?.parse().ok().filter(|p| *p < n).map(ProcessId);
        let by_id = || {
            let id: i64 = word.parse().ok()?;
            header.ids.iter().position(|i| *i == id).map(|p| ProcessId(p as u32))
        };
        named.or_else(by_position).or_else(by_id).ok_or_else(|| {
            Failure::usage(format!("the run has no process {word}"))
                .hint("--process takes names, ids, or positions such as p0,p2..p5")
        })
    };
    let mut chosen: Vec<ProcessId> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let all = match word.split_once("..") {
            Some((first, last)) => one(first.trim())?.0..=one(last.trim())?.0,
            None => one(word).map(|p| p.0..=p.0)?,
        };
        // A process that is named twice is drawn once.
        let new: Vec<ProcessId> = all.map(ProcessId).filter(|p| !chosen.contains(p)).collect();
        chosen.extend(new);
    }
    match chosen.is_empty() {
        true => Err(Failure::usage("--process names no process")),
        false => Ok(chosen),
    }
}

/// Return the number of events that precede each moment of `--at`.
///
/// # Errors
/// If there is no such event.
pub fn positions(options: &PictureOptions, chart: &Chart) -> Result<Vec<usize>, Failure> {
    let events = chart.trace.events.len();
    let position = |word: &String| match word.trim() {
        "start" => Ok(0),
        "end" => Ok(events),
        digits => match digits.parse::<usize>() {
            Ok(event) if event < events => Ok(event + 1),
            Ok(event) => Err(Failure::usage(format!("there is no event {event}: {}", has(events)))),
            Err(_) => Err(Failure::usage(format!("--at takes event numbers, start and end, not '{digits}'"))),
        },
    };
    options.at.iter().flatten().map(position).collect()
}
