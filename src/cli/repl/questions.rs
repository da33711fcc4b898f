//! Commands for breakpoints, and for explanations: why a value is set, why an action is not enabled.

use super::{CommandContext, CommandResult, Transition};
use crate::check::QuestionInput;
use crate::cli::exit::Failure;
use crate::ir::{Question, Type};
use crate::session::asked::{origin, why_not};
use crate::session::timeline::Timeline;

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
    let stage = room.stage.clone();
    let mut value_of = |timeline: &mut Timeline, text: &str| {
        let (n, names) = (timeline.instance().n() as usize, stage.instance.network.names());
        let asked = stage.typed.ask(&QuestionInput { text, n, names, expected_type: None });
        timeline.answer(&asked.ok()?).ok()
    };
    let origin = origin(room.timeline, text, &mut value_of)?;
    for heading in &origin.headings {
        room.out.line(room.out.bold(heading))?;
    }
    room.show_chain(origin.events)?;
    if let Some(searched) = origin.searched {
        room.out.line(format!("only the last {searched} events were searched"))?;
    }
    Ok(Transition::Stay)
}

pub fn whynot(room: &mut CommandContext, text: &str) -> CommandResult {
    for (heading, reasons) in why_not(room.timeline, text, &|step| format!(".fire {step}"))? {
        let heading = match heading.split_once("  (") {
            Some((action, place)) => format!("{}  ({place}", room.out.bold(action)),
            None => room.out.bold(&heading),
        };
        room.out.line(heading)?;
        for line in reasons {
            room.out.line(format!("  {line}"))?;
        }
    }
    Ok(Transition::Stay)
}

impl CommandContext<'_> {
    /// Return whether a text is an expression without errors.
    pub(super) fn is_question(&self, text: &str) -> bool {
        let instance = self.instance();
        let (n, names) = (instance.n() as usize, instance.network.names());
        self.stage.typed.ask(&QuestionInput { text, n, names, expected_type: None }).is_ok()
    }

    /// Check an expression.
    pub(super) fn question(&mut self, text: &str, want: Option<Type>) -> Result<Question, Failure> {
        let n = self.instance().n() as usize;
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
}
