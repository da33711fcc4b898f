//! Commands for breakpoints, and for explanations: why a value is set, why an action is not enabled.

use super::moves::MOST_LISTED;
use super::{CommandContext, CommandResult, Transition};
use crate::check::{QuestionInput, prose};
use crate::cli::exit::Failure;
use crate::ids::{MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::ir::{Action, ActionId, Question, Type};
use crate::session::read_variables::Reading;
use crate::session::why::{self, why as chain_of};
use crate::session::whynot::{Obstacle, why_no_crash, whynot as obstacles};
use crate::trace::show::column;

/// The greatest number of processes in an answer.
const MOST_PROCESSES: usize = 12;
/// The greatest number of events that are searched for causes: their texts take much memory.
const MOST_EVENTS: usize = 200_000;
/// The greatest number of enabled steps that are searched for an action.
const MOST_LOOKED_AT: usize = 10_000;

/// Set a breakpoint; without an argument, list them.
pub fn break_when(room: &mut CommandContext, text: &str) -> CommandResult {
    let condition = text.strip_prefix("when").map_or(text, str::trim);
    if condition.is_empty() {
        return breaks(room, "");
    }
    let question = room.question(condition, Some(Type::Bool))?;
    let number = room.memory.breakpoints.add_break(question);
    room.out.line(format!("break {number}: {condition}"))?;
    Ok(Transition::Stay)
}

pub fn watch(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return breaks(room, "");
    }
    let question = room.question(text, None)?;
    let value = room.value(&question)?;
    let number = room.memory.breakpoints.add_watch(question);
    room.out.line(format!("watch {number}: {text} = {value}"))?;
    Ok(Transition::Stay)
}

pub fn breaks(room: &mut CommandContext, _: &str) -> CommandResult {
    let looks = &room.memory.breakpoints;
    let breaks = looks.breaks.iter().map(|look| (look.number, "break", look.question.clone()));
    let watches = looks.watches.iter().map(|look| (look.number, "watch", look.question.clone()));
    let mut all: Vec<(usize, &str, Question)> = breaks.chain(watches).collect();
    all.sort_by_key(|(number, ..)| *number);
    if all.is_empty() {
        room.out.line("no breakpoints and watches; .break when EXPR and .watch EXPR set some")?;
    }
    for (number, word, question) in all {
        let value = room.value(&question).unwrap_or_else(|_| "cannot be evaluated here".into());
        room.out.line(format!("{word} {number}: {} = {value}", question.text))?;
    }
    Ok(Transition::Stay)
}

pub fn delete(room: &mut CommandContext, text: &str) -> CommandResult {
    let number: Option<usize> = text.parse().ok();
    match number.is_some_and(|number| room.memory.breakpoints.remove(number)) {
        true => Ok(Transition::Stay),
        false => {
            Err(Failure::usage(format!("there is no breakpoint or watch '{text}'"))
                .hint(".breaks lists them"))
        }
    }
}

pub fn why(room: &mut CommandContext, text: &str) -> CommandResult {
    let (asked, stands_for) = room.subject(text)?;
    let at = room.timeline.at();
    let first = at.saturating_sub(MOST_EVENTS);
    let told = room.timeline.narrate(first..at);
    let mut reading = Reading::new(room.timeline.instance(), room.timeline.configuration());
    let chain = chain_of(&told, &asked, &mut reading).map_err(Failure::usage)?;
    if let why::WhySubject::Variables { process, names } = &asked {
        let instance = room.timeline.instance();
        let show = Show::new(&instance.program).at(&instance.network, *process);
        let configuration = room.timeline.configuration();
        let all = show.process(
            instance.role_of(*process),
            configuration.words(*process),
            configuration.values(*process),
        );
        let value =
            |name: &String| all.iter().find(|(n, _)| n == name).map_or("?", |(_, value)| value.as_str());
        let since = if chain.is_empty() && first == 0 { ", since the beginning" } else { "" };
        if let Some(definition) = stands_for {
            let question = room.question(text, None)?;
            let value = room.value(&question)?;
            room.out.line(room.out.bold(&format!("{text} = {value}, defined as {definition}")))?;
        }
        for name in names {
            let names = instance.names();
            let (process, value) = (instance.process_name(*process), prose::with_names(value(name), names));
            room.out.line(room.out.bold(&format!("{process}.{name} = {value}{since}")))?;
        }
    }
    room.show_places(&told, &chain)?;
    if first > 0 {
        room.out.line(format!("only the last {MOST_EVENTS} events were searched"))?;
    }
    Ok(Transition::Stay)
}

pub fn whynot(room: &mut CommandContext, text: &str) -> CommandResult {
    let (name, at) = match text.rsplit_once(" at ") {
        Some((name, at)) if room.process(at.trim()).is_ok() => (name.trim(), Some(at.trim())),
        _ => (text, None),
    };
    if name == "crash" && room.actions(name).is_err() {
        return no_crash(room, at);
    }
    let actions = room.actions(name)?;
    let instance = room.timeline.instance();
    let processes: Vec<ProcessId> = match at {
        Some(at) => vec![room.process(at)?],
        None => instance.processes().collect(),
    };
    let possible = room.timeline.possible(MOST_LOOKED_AT);
    let mut said = false;
    for action in actions {
        let found = obstacles(room.timeline, action, &processes, &possible);
        if found.is_empty() {
            continue;
        }
        said = true;
        let action = &instance.program.actions[action as usize];
        let place = instance.program.sources.near(action.span);
        room.out.line(format!("{}  ({place})", room.out.bold(&column(&action.to_string()))))?;
        for line in gathered(&found, instance) {
            room.out.line(format!("  {line}"))?;
        }
    }
    match (said, at) {
        (true, _) => Ok(Transition::Stay),
        (false, Some(at)) => Err(Failure::usage(format!("the role of {at} has no action {name}"))),
        (false, None) if name == "start" => {
            Err(Failure::usage("a start occurs once, before everything else"))
        }
        (false, None) => Err(Failure::usage(format!("no process has the action {name}"))),
    }
}

/// Explain why a process cannot crash. A crash is not an action of the program.
fn no_crash(room: &mut CommandContext, at: Option<&str>) -> CommandResult {
    let instance = room.timeline.instance();
    if !instance.program.assumptions.crashes {
        return Err(Failure::usage(format!("{} does not assume crashes", instance.program.name)));
    }
    let processes: Vec<ProcessId> = match at {
        Some(at) => vec![room.process(at)?],
        None => instance.processes().collect(),
    };
    let possible = room.timeline.possible(MOST_LOOKED_AT);
    let found = why_no_crash(room.timeline, &processes, &possible);
    room.out.line(room.out.bold("crash"))?;
    for line in gathered(&found, instance) {
        room.out.line(format!("  {line}"))?;
    }
    Ok(Transition::Stay)
}

/// Return a line for each reason, with all processes for which it holds.
fn gathered(found: &[Obstacle], instance: &Instance) -> Vec<String> {
    let reason = |o: &Obstacle| match o.possible.as_slice() {
        [] => o.reasons.join("; "),
        list => {
            let fires: Vec<String> = list.iter().map(|i| format!(".fire {}", i + 1)).collect();
            format!("enabled: {}", fires.join(", "))
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

impl CommandContext<'_, '_> {
    /// Return whether a text is an expression without errors.
    pub(super) fn is_question(&self, text: &str) -> bool {
        let instance = self.timeline.instance();
        let (n, names) = (instance.n() as usize, instance.network.names());
        self.stage.typed.ask(&QuestionInput { text, n, names, expected_type: None }).is_ok()
    }

    /// Check an expression.
    pub(super) fn question(&mut self, text: &str, want: Option<Type>) -> Result<Question, Failure> {
        let n = self.timeline.instance().n() as usize;
        match self.stage.typed.ask(&QuestionInput {
            text,
            n,
            names: self.stage.instance.network.names(),
            expected_type: want,
        }) {
            Ok(question) => Ok(question),
            Err(senseless) => {
                self.out.flush()?;
                self.out.diagnostics(&senseless.sources, &senseless.diagnostics);
                Err(Failure::Reported)
            }
        }
    }

    /// Evaluate an expression in the current configuration.
    pub(super) fn value(&mut self, question: &Question) -> Result<String, Failure> {
        match self.timeline.answer(question) {
            Ok(value) => Ok(value),
            Err(abort) => Err(Failure::usage(format!("it cannot be evaluated here: {}", abort))),
        }
    }

    /// Parse the argument of `.why`: `p3.d` or `m12`. Return also the definition, if the name is defined by variables.
    fn subject(&self, text: &str) -> Result<(why::WhySubject, Option<String>), Failure> {
        if let Some(id) = text.strip_prefix('m').and_then(|digits| digits.parse().ok()) {
            return Ok((why::WhySubject::Message(MessageId(id)), None));
        }
        let Some((process, name)) = text.split_once('.') else {
            return Err(Failure::usage(match text {
                "" => "expected a variable or a message".into(),
                _ => format!("'{text}' is neither a variable of a process nor a message"),
            })
            .hint("such as `.why p3.leader` or `.why m12`"));
        };
        let p = self.process(process.trim())?;
        let instance = self.timeline.instance();
        let configuration = self.timeline.configuration();
        let show = Show::new(&instance.program);
        let all = show.process(instance.role_of(p), configuration.words(p), configuration.values(p));
        let mut known: Vec<String> = all.into_iter().map(|(name, _)| name).collect();
        known.retain(|name| name != "halted");
        known.push("halted".into());
        let name = name.trim();
        if !known.iter().any(|known| known == name) {
            let owner = instance.process_name(p);
            let outputs = &self.stage.program.outputs;
            if let Some(output) = outputs.iter().find(|output| output.name == name) {
                let definition = self.stage.program.sources.slice(output.value.span);
                let definition = definition.split_whitespace().collect::<Vec<_>>().join(" ");
                let words: Vec<&str> = definition.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let names: Vec<String> =
                    known.iter().filter(|known| words.contains(&known.as_str())).cloned().collect();
                return match names.is_empty() {
                    true => Err(Failure::usage(format!("{owner} has no variable {name}")).hint(format!(
                        "it is defined as `{definition}`, which contains no variable of {owner}"
                    ))),
                    false => Ok((why::WhySubject::Variables { process: p, names }, Some(definition))),
                };
            }
            let hint = match prose::nearest(name, &known) {
                Some(near) => format!("did you mean {near}?"),
                None => prose::available(&known),
            };
            return Err(Failure::usage(format!("{owner} has no variable {name}")).hint(hint));
        }
        Ok((why::WhySubject::Variables { process: p, names: vec![name.into()] }, None))
    }

    /// Find the actions by the whole name, otherwise by a part of it.
    fn actions(&self, name: &str) -> Result<Vec<ActionId>, Failure> {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let wanted = plain(name);
        let program = &self.stage.program;
        let all = || (0u32..).zip(&program.actions);
        let is = |a: &Action| plain(&a.name) == wanted || plain(&a.to_string()) == wanted;
        let exact: Vec<u32> = all().filter(|(_, a)| is(a)).map(|(i, _)| i).collect();
        let part =
            || all().filter(|(_, a)| plain(&a.to_string()).contains(&wanted)).map(|(i, _)| i).collect();
        let found: Vec<u32> = if exact.is_empty() && !wanted.is_empty() { part() } else { exact };
        if !found.is_empty() && found.len() <= MOST_LISTED {
            return Ok(found);
        }
        let mut names: Vec<String> = program.actions.iter().map(|a| column(&a.to_string())).collect();
        names.dedup();
        let message = match name {
            "" => "which action?".into(),
            _ => format!("there is no action {name}"),
        };
        Err(Failure::usage(message).hint(format!("there are {}", names.join(" · "))))
    }
}
