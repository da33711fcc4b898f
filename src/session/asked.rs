//! Answers to questions about a run, as people type them: why a variable has its value, why an action is not enabled.

use super::questions::{Unanswerable, actions, values, variables};
use super::read_variables::Reading;
use super::timeline::Timeline;
use super::why::{WhySubject, why};
use super::whynot::{Obstacle, by_reason, why_no_crash, whynot};
use crate::ids::{MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::ActionId;
use crate::prose;
use crate::trace::show::column;
use crate::trace::{Change, TraceEvent};

/// The greatest number of processes in an answer.
const MOST_PROCESSES: usize = 12;
/// The greatest number of events that are searched for causes: their texts take much memory.
const MOST_EVENTS: usize = 200_000;
/// The greatest number of enabled steps that are searched for an action.
const MOST_LOOKED_AT: usize = 10_000;

/// Find a process by its name, or by its position: `p3`.
///
/// # Errors
/// If there is none.
pub fn process(instance: &Instance, text: &str) -> Result<ProcessId, Unanswerable> {
    let (n, names) = (instance.n(), instance.names());
    let named = names.iter().position(|name| name == text).map(|position| position as u32);
    let position = || text.strip_prefix('p').and_then(|digits| digits.parse().ok()).filter(|p| *p < n);
    named.or_else(position).map(ProcessId).ok_or_else(|| {
        let all = match (names, n) {
            ([], 1) => "the only process is p0".into(),
            ([], _) => format!("processes are p0 to p{}", n - 1),
            (names, _) => prose::available(names),
        };
        Unanswerable::new(format!("there is no process {text}")).hint(all)
    })
}

/// The subject of a question why, and the definition of the name if variables define it.
type Subject = (WhySubject, Option<String>);

/// Find a variable or a message: `p3.d` or `m12`.
///
/// # Errors
/// If there is none.
fn subject(timeline: &Timeline, text: &str) -> Result<Subject, Unanswerable> {
    if let Some(id) = text.strip_prefix('m').and_then(|digits| digits.parse().ok()) {
        return Ok((WhySubject::Message(MessageId(id)), None));
    }
    let Some((owner, name)) = text.split_once('.') else {
        return Err(Unanswerable::new(match text {
            "" => "expected a variable or a message".into(),
            _ => format!("'{text}' is neither a variable of a process nor a message"),
        })
        .hint("such as `.why p3.leader` or `.why m12`"));
    };
    let instance = timeline.instance();
    let p = process(instance, owner.trim())?;
    let found = variables(instance, timeline.configuration(), p, name.trim())?;
    Ok((found.subject, found.definition))
}

/// The origin of a value or message.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The variables with their values; of a defined name, first its value and definition.
    pub headings: Vec<String>,
    /// The events that led to it, the last one first, with the places of their actions in the program.
    pub events: Vec<TraceEvent>,
    /// The number of events that were searched, if these were not all.
    pub searched: Option<usize>,
}

/// Explain the origin of a variable or message: `p3.d` or `m12`. `value_of` evaluates an expression.
///
/// # Errors
/// If there is no such variable or message.
pub fn origin(
    timeline: &mut Timeline,
    text: &str,
    value_of: &mut dyn FnMut(&mut Timeline, &str) -> Option<String>,
) -> Result<Origin, Unanswerable> {
    let (asked, definition) = subject(timeline, text)?;
    let at = timeline.at();
    let first = at.saturating_sub(MOST_EVENTS);
    let told = timeline.narrate(first..at);
    let instance = timeline.instance().clone();
    let mut reading = Reading::new(&instance, timeline.configuration());
    let chain = why(&told, &asked, &mut reading).map_err(Unanswerable::new)?;
    let since = if chain.is_empty() && first == 0 { ", since the beginning" } else { "" };
    let mut headings = Vec::new();
    if let Some(definition) = definition {
        let value = value_of(timeline, text).unwrap_or_else(|| "?".into());
        headings.push(format!("{text} = {value}, defined as {definition}"));
    }
    let values = values(&instance, timeline.configuration(), &asked);
    headings.extend(values.into_iter().map(|Change { name, value }| format!("{name} = {value}{since}")));
    let program = &instance.program;
    let placed = |at: &usize| {
        let told = &told[*at];
        let action = program.actions.get(told.action as usize);
        let place = action.filter(|a| a.name != "start").map(|a| program.sources.near(a.span));
        let place = place.map_or(String::new(), |place| format!("  ({place})"));
        TraceEvent { action: format!("{}{place}", told.event.action), ..told.event.clone() }
    };
    let events = chain.iter().map(placed).collect();
    Ok(Origin { headings, events, searched: (first > 0).then_some(MOST_EVENTS) })
}

/// The obstacles to an action, by process. No action: a crash.
pub type ActionObstacles = (Option<ActionId>, Vec<Obstacle>);

/// Find the obstacles to the actions of this name, or to a `crash`, at one process or at all. At most `most` enabled steps are searched
/// for the action.
///
/// # Errors
/// If no such process has such an action.
pub fn obstacles(
    timeline: &Timeline,
    name: &str,
    at: Option<ProcessId>,
    most: usize,
) -> Result<Vec<ActionObstacles>, Unanswerable> {
    let instance = timeline.instance();
    let processes: Vec<ProcessId> =
        at.map_or_else(|| instance.processes().collect(), |process| vec![process]);
    let found = actions(&instance.program, name);
    if name == "crash" && found.is_err() {
        if !instance.program.assumptions.crashes {
            return Err(Unanswerable::new(format!("{} does not assume crashes", instance.program.name)));
        }
        let possible = timeline.possible(most);
        return Ok(vec![(None, why_no_crash(timeline, &processes, &possible))]);
    }
    let (found, possible) = (found?, timeline.possible(most));
    let obstacles = |action| (Some(action), whynot(timeline, action, &processes, &possible));
    let all: Vec<ActionObstacles> =
        found.into_iter().map(obstacles).filter(|(_, own)| !own.is_empty()).collect();
    match (all.is_empty(), at) {
        (false, _) => Ok(all),
        (true, Some(at)) => {
            let at = instance.process_name(at);
            Err(Unanswerable::new(format!("the role of {at} has no action {name}")))
        }
        (true, None) if name == "start" => {
            Err(Unanswerable::new("a start occurs once, before everything else"))
        }
        (true, None) => Err(Unanswerable::new(format!("no process has the action {name}"))),
    }
}

/// Explain in lines why an action, or `crash`, is not enabled: `on Token`, `on Token at p3`. Each action has a heading with its place.
/// `choose` names the way to take the enabled step of this number.
///
/// # Errors
/// If there is no such action or process.
pub fn why_not(
    timeline: &Timeline,
    text: &str,
    choose: &dyn Fn(usize) -> String,
) -> Result<Vec<(String, Vec<String>)>, Unanswerable> {
    let instance = timeline.instance();
    let (name, at) = match text.rsplit_once(" at ") {
        Some((name, at)) => match process(instance, at.trim()) {
            Ok(at) => (name.trim(), Some(at)),
            Err(_) => (text, None),
        },
        None => (text, None),
    };
    let lines = |(action, found): ActionObstacles| {
        let heading = action.map_or("crash".into(), |action| {
            let action = &instance.program.actions[action as usize];
            format!("{}  ({})", column(&action.to_string()), instance.program.sources.near(action.span))
        });
        (heading, gathered(&found, instance, choose))
    };
    Ok(obstacles(timeline, name, at, MOST_LOOKED_AT)?.into_iter().map(lines).collect())
}

/// Return a line for each reason, with all processes for which it holds.
fn gathered(found: &[Obstacle], instance: &Instance, choose: &dyn Fn(usize) -> String) -> Vec<String> {
    let reason = |o: &Obstacle| match o.possible.as_slice() {
        [] => o.reasons.join("; "),
        list => {
            let steps: Vec<String> = list.iter().map(|i| choose(i + 1)).collect();
            format!("enabled: {}", steps.join(", "))
        }
    };
    let lines: Vec<(String, Vec<ProcessId>)> =
        by_reason(found).into_iter().map(|(obstacle, processes)| (reason(obstacle), processes)).collect();
    let more = lines.len().saturating_sub(MOST_PROCESSES);
    let mut out: Vec<String> = lines
        .iter()
        .take(MOST_PROCESSES)
        .map(|(text, processes)| {
            let mut names: Vec<String> =
                processes.iter().take(MOST_PROCESSES).map(|p| p.to_string()).collect();
            if processes.len() > MOST_PROCESSES {
                names.push(format!("… {} in all", processes.len()));
            }
            prose::with_names(&format!("{}: {text}", names.join(", ")), instance.names()).into_owned()
        })
        .collect();
    if more > 0 {
        out.push(format!("and {more} more reasons; {} selects a process", "`ACTION at p3`"));
    }
    out
}
