//! Entries that are not commands: expressions, which are evaluated, and clauses, which change the program.

use super::stage::Stage;
use super::{CommandContext, CommandResult, Transition};
use crate::cli::exit::Failure;
use crate::diagnostic::{Diagnostic, Hint};
use crate::ids::ProcessId;
use crate::ir::show::Show;
use crate::session::clauses::{self, Entered, Rejection, enter};
use crate::session::timeline::{SavedBranches, Timeline};
use crate::source::Sources;
use crate::syntax::typed::{Typed, classify, unclosed};
use crate::trace::replay::difference;
use crate::trace::{Change, TraceEvent};
use std::rc::Rc;

/// Number of events that are compared at a time.
const PORTION: usize = 256;

impl CommandContext<'_> {
    pub(super) fn entry(&mut self, text: &str) -> CommandResult {
        let kind = classify(text);
        // A text after an open bracket is classified wrongly, so the bracket is the error that is reported.
        if matches!(kind, Typed::Statement | Typed::Expression)
            && let Some(open) = unclosed(text)
        {
            return Err(self.typed_wrongly(text, &[open.hint(Hint::EntryContinues)]));
        }
        match kind {
            Typed::Nothing => Ok(Transition::Stay),
            Typed::Clause { .. } => self.clause(text),
            Typed::Statement => Err(Failure::usage("a statement must be inside a clause").hint(
                "enter a `state`, `procedure` or handler (`on M(x) -> …`), or an expression to evaluate",
            )),
            Typed::Expression => {
                let process = text.strip_prefix('p').is_some_and(|rest| rest.parse::<u32>().is_ok());
                if process {
                    return super::views::state(self, text);
                }
                let question = self.question(text, None)?;
                let value = self.value(&question)?;
                self.out.line(value)?;
                Ok(Transition::Stay)
            }
        }
    }

    /// Add clauses to the program, and repeat the events.
    fn clause(&mut self, text: &str) -> CommandResult {
        let entered = enter(&self.stage.text.text, text).map_err(|refused| match refused {
            Rejection::Unclear(message, hint) => Failure::usage(message).hint(hint),
            Rejection::Wrong(diagnostics) => self.typed_wrongly(text, &diagnostics),
        })?;
        self.changed(entered, "with")
    }

    /// Show the errors of an entry.
    fn typed_wrongly(&mut self, text: &str, diagnostics: &[Diagnostic]) -> Failure {
        let mut sources = Sources::default();
        sources.add("input", text);
        self.out.diagnostics(&sources, diagnostics);
        Failure::Reported
    }

    /// Continue with another text of the program, if it has no errors.
    fn changed(&mut self, entered: Entered, with: &str) -> CommandResult {
        let text = self.stage.text.replaced(entered.text);
        let stage = self.stage.with_text(text, None).map_err(|failure| match failure {
            Failure::Source(checked) => {
                for checked in &checked {
                    self.out.diagnostics(&checked.sources, &checked.diagnostics);
                }
                Failure::usage(format!(
                    "{with} this clause, the program would have errors: nothing was changed"
                ))
            }
            other => other,
        })?;
        let what = entered.done.join(", ");
        self.out.line(&what)?;
        self.replayed(stage, what)
    }

    /// Repeat the events on a stage with another program, as far as possible.
    pub(super) fn replayed(&mut self, stage: Stage, what: String) -> CommandResult {
        self.save_undo_point(what);
        let (same, why) = self.agreement(&stage);
        let at = self.timeline.at();
        let mut kept = self.timeline.save();
        kept.branch.events.truncate(same);
        kept.branch.at = at.min(same);
        match why {
            Some(why) if same < at => {
                self.out.line(format!("event {same} differs now: {why}"))?;
                self.out.line(format!("the run is before this event, at @{same}"))?;
            }
            _ if at > 0 => {
                let events = if at == 1 { "the event".into() } else { format!("all {at} events") };
                self.out.line(format!("{events} so far repeated without a difference"))?;
            }
            _ => {}
        }
        self.memory.last = kept.branch.at;
        self.recheck_breakpoints(&stage);
        Ok(Transition::Stage(Rc::new(stage), kept))
    }

    /// Return the number of events that are the same on another stage, and the difference of the next one.
    fn agreement(&self, stage: &Stage) -> (usize, Option<String>) {
        let mut new = Timeline::new(stage.instance.clone(), stage.schedule.schedule(), stage.seed);
        let events = self.timeline.events();
        if stage.instance.n() != self.instance().n() {
            return (0, Some("the number of processes differs".into()));
        }
        let mut from = 0;
        while from < events.len() {
            let to = (from + PORTION).min(events.len());
            let failed = new.follow(events[from..to].iter().cloned()).err();
            let (then, now) = (self.timeline.narrate(from..to), new.narrate(from..new.at()));
            for (i, (then, now)) in then.iter().zip(&now).enumerate() {
                if let Some(why) = self.differs(&then.event, &now.event, stage) {
                    return (from + i, Some(why));
                }
            }
            if let Some(error) = failed {
                return (new.at(), Some(error.to_string()));
            }
            from = to;
        }
        (events.len(), None)
    }

    /// Return the difference of two events, in variables that both programs have. Names of actions are ignored.
    fn differs(&self, then: &TraceEvent, now: &TraceEvent, stage: &Stage) -> Option<String> {
        let known = |stage: &Stage, p: ProcessId| -> Vec<String> {
            let instance = &stage.instance;
            let initial = crate::semantics::Configuration::initial(instance);
            let show = Show::new(&instance.program);
            let all = show.process(instance.role_of(p), initial.words(p), initial.values(p));
            all.into_iter().map(|(name, _)| name).chain(["halted".into()]).collect()
        };
        if then == now {
            return None;
        }
        let common = |p: ProcessId| -> Vec<String> {
            let (old, new) = (known(self.stage, p), known(stage, p));
            old.into_iter().filter(|name| new.contains(name)).collect()
        };
        let only = |event: &TraceEvent| {
            let mut event = TraceEvent { action: then.action.clone(), ..event.clone() };
            let filter = |changes: &mut Vec<Change>, p: ProcessId| {
                let names = common(p);
                changes.retain(|change| names.contains(&change.name));
            };
            filter(&mut event.changes, event.process);
            if let Some(with) = &mut event.with {
                filter(&mut with.changes, with.process);
            }
            event
        };
        difference(&only(then), &only(now)).map(|why| why.replace("in the trace it", "before it"))
    }

    /// Check breakpoints and watches again in the new program.
    pub(super) fn recheck_breakpoints(&mut self, stage: &Stage) {
        let n = stage.instance.n() as usize;
        let lost = self.memory.breakpoints.renew(|question| {
            let want = matches!(question.expr.ty, crate::ir::Type::Bool).then_some(crate::ir::Type::Bool);
            let names = stage.instance.network.names();
            let asked = crate::check::QuestionInput { text: &question.text, n, names, expected_type: want };
            stage.typed.ask(&asked).ok()
        });
        for text in lost {
            // If the note cannot be written, the next output reports the failure.
            let _ =
                self.note(&format!("removed the break or watch `{text}`: it has errors in the new program"));
        }
    }
}

/// Remove a clause from the program.
pub fn drop(room: &mut CommandContext, text: &str) -> CommandResult {
    if text.is_empty() {
        return Err(
            Failure::usage("which clause?").hint("its name, or the head of a handler: .drop on Ack in relay")
        );
    }
    match clauses::drop(&room.stage.text.text, text) {
        Ok(entered) => room.changed(entered, "without"),
        Err(Rejection::Unclear(message, hint)) => Err(Failure::usage(message).hint(hint)),
        Err(Rejection::Wrong(_)) => Err(Failure::usage("the program has errors").hint(".source shows it")),
    }
}

/// Undo the last change of program, instance or run.
pub fn undo(room: &mut CommandContext, _: &str) -> CommandResult {
    let Some(before) = room.memory.undo.pop() else {
        return Err(Failure::usage("there is nothing to undo"));
    };
    room.out.line(format!("undone: {}", before.what))?;
    room.memory.last = before.kept.branch.at;
    let stage: Rc<Stage> = before.stage;
    room.recheck_breakpoints(&stage);
    let kept: SavedBranches = before.kept;
    Ok(Transition::Stage(stage, kept))
}
