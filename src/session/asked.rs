//! Answers to questions about a run, as people type them: why a variable has its value, why an action is not enabled.

use super::questions::{UnknownName, actions, variables};
use super::read_variables::Reading;
use super::timeline::Timeline;
use super::why::{WhySubject, why};
use super::whynot::{Obstacle, why_no_crash, whynot};
use crate::ids::{MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::prose;
use crate::trace::TraceEvent;
use crate::trace::show::column;

/// The greatest number of processes in an answer.
const MOST_PROCESSES: usize = 12;
/// The greatest number of events that are searched for causes: their texts take much memory.
const MOST_EVENTS: usize = 200_000;
/// The greatest number of enabled steps that are searched for an action.
const MOST_LOOKED_AT: usize = 10_000;

/// The reason why a name has no meaning, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// One sentence without a full stop.
    pub message: String,
    pub hint: Option<String>,
}

impl Unclear {
    fn new(message: impl Into<String>) -> Unclear {
        Unclear { message: message.into(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> Unclear {
        Unclear { hint: Some(hint.into()), ..self }
    }
}

impl From<UnknownName> for Unclear {
    fn from(UnknownName { message, hint }: UnknownName) -> Unclear {
        Unclear { message, hint: Some(hint) }
    }
}

/// Find a process by its name, or by its position: `p3`.
///
/// # Errors
/// If there is none.
pub fn process(instance: &Instance, text: &str) -> Result<ProcessId, Unclear> {
    let (n, names) = (instance.n(), instance.names());
    let named = names.iter().position(|name| name == text).map(|position| position as u32);
    let position = || text.strip_prefix('p').and_then(|digits| digits.parse().ok()).filter(|p| *p < n);
    named.or_else(position).map(ProcessId).ok_or_else(|| {
        let all = match (names, n) {
            ([], 1) => "the only process is p0".into(),
            ([], _) => format!("processes are p0 to p{}", n - 1),
            (names, _) => prose::available(names),
        };
        Unclear::new(format!("there is no process {text}")).hint(all)
    })
}

/// The subject of a question why, and the definition of the name if variables define it.
type Subject = (WhySubject, Option<String>);

/// Find a variable or a message: `p3.d` or `m12`.
///
/// # Errors
/// If there is none.
fn subject(timeline: &Timeline, text: &str) -> Result<Subject, Unclear> {
    if let Some(id) = text.strip_prefix('m').and_then(|digits| digits.parse().ok()) {
        return Ok((WhySubject::Message(MessageId(id)), None));
    }
    let Some((owner, name)) = text.split_once('.') else {
        return Err(Unclear::new(match text {
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
) -> Result<Origin, Unclear> {
    let (asked, stands_for) = subject(timeline, text)?;
    let at = timeline.at();
    let first = at.saturating_sub(MOST_EVENTS);
    let told = timeline.narrate(first..at);
    let instance = timeline.instance().clone();
    let mut reading = Reading::new(&instance, timeline.configuration());
    let chain = why(&told, &asked, &mut reading).map_err(Unclear::new)?;
    let mut headings = Vec::new();
    if let WhySubject::Variables { process, names } = &asked {
        let show = Show::new(&instance.program).at(&instance.network, *process);
        let configuration = timeline.configuration();
        let (words, values) = (configuration.words(*process), configuration.values(*process));
        let all = show.process(instance.role_of(*process), words, values);
        let value =
            |name: &String| all.iter().find(|(n, _)| n == name).map_or("?", |(_, value)| value.as_str());
        let since = if chain.is_empty() && first == 0 { ", since the beginning" } else { "" };
        if let Some(definition) = stands_for {
            let value = value_of(timeline, text).unwrap_or_else(|| "?".into());
            headings.push(format!("{text} = {value}, defined as {definition}"));
        }
        let owner = instance.process_name(*process);
        let line = |name| {
            let value = prose::with_names(value(name), instance.names());
            format!("{owner}.{name} = {value}{since}")
        };
        headings.extend(names.iter().map(line));
    }
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

/// Why an action, or a crash, is not enabled: for each action its name, its place, and the reasons.
pub type Obstacles = Vec<(String, Vec<String>)>;

/// Explain why an action, or `crash`, is not enabled: `on Token`, `on Token at p3`. `choose` names the way to take the enabled
/// step of this number.
///
/// # Errors
/// If there is no such action or process.
pub fn why_not(
    timeline: &Timeline,
    text: &str,
    choose: &dyn Fn(usize) -> String,
) -> Result<Obstacles, Unclear> {
    let instance = timeline.instance();
    let (name, at) = match text.rsplit_once(" at ") {
        Some((name, at)) if process(instance, at.trim()).is_ok() => (name.trim(), Some(at.trim())),
        _ => (text, None),
    };
    let processes: Vec<ProcessId> = match at {
        Some(at) => vec![process(instance, at)?],
        None => instance.processes().collect(),
    };
    let found = actions(&instance.program, name);
    if name == "crash" && found.is_err() {
        if !instance.program.assumptions.crashes {
            return Err(Unclear::new(format!("{} does not assume crashes", instance.program.name)));
        }
        let possible = timeline.possible(MOST_LOOKED_AT);
        let found = why_no_crash(timeline, &processes, &possible);
        return Ok(vec![("crash".into(), gathered(&found, instance, choose))]);
    }
    let possible = timeline.possible(MOST_LOOKED_AT);
    let mut said = Vec::new();
    for action in found? {
        let found = whynot(timeline, action, &processes, &possible);
        if found.is_empty() {
            continue;
        }
        let action = &instance.program.actions[action as usize];
        let place = instance.program.sources.near(action.span);
        let heading = format!("{}  ({place})", column(&action.to_string()));
        said.push((heading, gathered(&found, instance, choose)));
    }
    match (said.is_empty(), at) {
        (false, _) => Ok(said),
        (true, Some(at)) => Err(Unclear::new(format!("the role of {at} has no action {name}"))),
        (true, None) if name == "start" => Err(Unclear::new("a start occurs once, before everything else")),
        (true, None) => Err(Unclear::new(format!("no process has the action {name}"))),
    }
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
    let mut lines: Vec<(String, Vec<ProcessId>)> = Vec::new();
    for obstacle in found {
        let text = reason(obstacle);
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, processes)) => processes.push(obstacle.process),
            None => lines.push((text, vec![obstacle.process])),
        }
    }
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
