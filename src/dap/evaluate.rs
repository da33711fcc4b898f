//! Expressions, as in `synod repl`: watches, hovers, the console. On the console also the questions why and why not.

use super::connection::{Answer, Refusal, arguments};
use super::debug::Debug;
use super::protocol::{EvaluateArguments, Request, Variable};
use super::variables::Handle;
use crate::check::QuestionInput;
use crate::ids::ProcessId;
use crate::ir::{Question, Type};
use crate::session::asked::{self, origin, why_not};
use crate::session::timeline::{NarratedStep, Timeline};
use serde_json::json;
use std::io::Write;

impl<W: Write> Debug<'_, '_, W> {
    /// Check an expression.
    pub(super) fn question(&self, text: &str, want: Option<Type>) -> Result<Question, Refusal> {
        let n = self.debuggee.instance.n() as usize;
        let asked = QuestionInput { text, n, names: &self.debuggee.names, expected_type: want };
        self.debuggee.typed.ask(&asked).map_err(|wrong| {
            let first = wrong.diagnostics.first();
            let refusal = Refusal::user(first.map_or_else(|| "no expression".into(), |d| d.message()));
            match first.and_then(|diagnostic| diagnostic.advice()) {
                Some(hint) => refusal.hint(hint),
                None => refusal,
            }
        })
    }

    pub(super) fn evaluate(&mut self, request: &Request) -> Answer {
        let given: EvaluateArguments = arguments(request)?;
        let process = given.frame_id.map(|frame| self.process_of_frame(frame)).transpose()?;
        let text = given.expression.trim();
        let is_console = given.context.as_deref() == Some("repl");
        if is_console && let Some(answer) = self.explained(text) {
            let lines = answer?;
            return Ok(json!({"result": lines.join("\n"), "variablesReference": 0}));
        }
        let found = match process.and_then(|process| self.variable_named(process, text)) {
            Some(variable) => Ok(variable),
            None => self.expression(text, process),
        };
        // A hover is no request of the user, and watches show their errors in place.
        let variable = found.map_err(|refusal| if is_console { refusal } else { refusal.quiet() })?;
        let mut body = json!({
            "result": variable.value,
            "variablesReference": variable.variables_reference,
        });
        if let Some(ty) = variable.ty {
            body["type"] = ty.into();
        }
        if let Some(count) = variable.named_variables {
            body["namedVariables"] = count.into();
        }
        if let Some(count) = variable.indexed_variables {
            body["indexedVariables"] = count.into();
        }
        Ok(body)
    }

    /// Return the variable of a process that has this name, or the local of its command.
    fn variable_named(&mut self, process: ProcessId, name: &str) -> Option<Variable> {
        let all = self.variables_of(process);
        let local = format!("({name})");
        all.into_iter().find(|variable| variable.name == name || variable.name == local)
    }

    /// Evaluate an expression. A process alone is shown with its variables.
    fn expression(&mut self, text: &str, at: Option<ProcessId>) -> Result<Variable, Refusal> {
        if text.is_empty() {
            return Err(Refusal::user("an empty expression"));
        }
        let by_name = self.debuggee.names.iter().position(|name| name == text);
        let by_position = || asked::process(&self.debuggee.instance, text).ok();
        let whole = by_name.map(|position| ProcessId(position as u32)).or_else(by_position);
        if let Some(process) = whole {
            let name = self.debuggee.name(process);
            let reference = self.handles.add(Handle::Variables(process));
            let condition = self.condition(process);
            let shown = self.values().plain(&name, format!("{name} {condition}").trim_end());
            return Ok(Variable { variables_reference: reference, ..shown });
        }
        let question = self.question(text, None)?;
        let failed = |abort: Box<crate::semantics::Abort>| {
            Refusal::user(format!("it cannot be evaluated here: {abort}"))
        };
        let value = self.timeline.value(&question).map_err(failed)?;
        let shown = self.timeline.answer(&question).map_err(failed)?;
        let values = self.values();
        let ty = values.type_name(&question.expr.ty);
        let variable = values.value(&mut self.handles, text.into(), &value, at, Some(text.into()));
        Ok(Variable { value: values.named(&shown), ty: Some(ty), ..variable })
    }

    /// Answer `why p3.leader`, `why m12`, `whynot on Token at p3`; `None` for other texts.
    fn explained(&mut self, text: &str) -> Option<Result<Vec<String>, Refusal>> {
        let text = text.strip_prefix('.').unwrap_or(text);
        let (word, rest) = text.split_once(char::is_whitespace)?;
        match word {
            "why" => Some(self.why(rest.trim())),
            "whynot" => Some(self.why_not(rest.trim())),
            _ => None,
        }
    }

    fn why(&mut self, text: &str) -> Result<Vec<String>, Refusal> {
        let debuggee = self.debuggee;
        let mut value_of = |timeline: &mut Timeline, text: &str| {
            let n = debuggee.instance.n() as usize;
            let asked = QuestionInput { text, n, names: &debuggee.names, expected_type: None };
            timeline.answer(&debuggee.typed.ask(&asked).ok()?).ok()
        };
        let origin = origin(&mut self.timeline, text, &mut value_of)?;
        let mut lines = origin.headings;
        let told = |event| NarratedStep { event, action: crate::semantics::event::NO_ACTION };
        let told: Vec<NarratedStep> = origin.events.into_iter().map(told).collect();
        lines.extend(self.event_lines(&told));
        lines
            .extend(origin.searched.map(|searched| format!("only the last {searched} events were searched")));
        Ok(lines.iter().map(|line| self.named(line).into_owned()).collect())
    }

    fn why_not(&mut self, text: &str) -> Result<Vec<String>, Refusal> {
        let found = why_not(&self.timeline, text, &|step| format!("step {step} of the enabled ones"))?;
        let lines = found.into_iter().flat_map(|(heading, reasons)| {
            std::iter::once(heading).chain(reasons.into_iter().map(|reason| format!("  {reason}")))
        });
        Ok(lines.map(|line| self.named(&line).into_owned()).collect())
    }

    /// Return the text of a log point, with the values of its `{expressions}`.
    pub(super) fn interpolated(&mut self, text: &str, process: ProcessId) -> String {
        let mut line = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((expression, remaining)) = after.split_once('}') else { break };
            line += before;
            let value = match self.variable_named(process, expression.trim()) {
                Some(variable) => Ok(variable),
                None => self.expression(expression.trim(), Some(process)),
            };
            line += &value.map_or_else(|refusal| format!("({})", refusal.text()), |variable| variable.value);
            rest = remaining;
        }
        line + rest
    }
}
