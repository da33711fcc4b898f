//! Requests that set breakpoints. A breakpoint that cannot be set is answered as unverified, with the reason.

use super::breakpoints::{BreakpointTable, Purpose};
use super::capabilities::{CRASH, FILTERS};
use super::connection::{Answer, Refusal, arguments};
use super::debug::Debug;
use super::frames::merge;
use super::protocol::{
    Breakpoint, BreakpointLocationsArguments, DataBreakpointInfoArguments, FunctionBreakpoint, Request,
    SetBreakpointsArguments, SetDataBreakpointsArguments, SetExceptionBreakpointsArguments,
    SetFunctionBreakpointsArguments, SourceBreakpoint,
};
use super::variables::Handle;
use crate::ids::ProcessId;
use crate::ir::{Question, Type};
use crate::prose;
use crate::session::asked;
use crate::session::questions::{self, Unanswerable};
use crate::session::timeline::{HitCondition, StepTrigger, executable_places};
use crate::source::Span;
use serde_json::json;
use std::io::Write;

/// The conditions of a breakpoint.
type Conditions = (Option<Question>, Option<HitCondition>);

impl<W: Write> Debug<'_, '_, W> {
    /// Set the breakpoints of a former run again, under their ids, and tell the client about them.
    pub(super) fn set_again(&mut self, former: BreakpointTable) {
        for setting in self.breakpoints.settings_of(former) {
            let set = match setting.request.command.as_str() {
                "setBreakpoints" => self.set_lines(&setting.request, Some(setting.ids)),
                "setFunctionBreakpoints" => self.set_functions(&setting.request, Some(setting.ids)),
                "setDataBreakpoints" => self.set_data(&setting.request, Some(setting.ids)),
                _ => self.set_exception_breakpoints(&setting.request).map(|_| Vec::new()),
            };
            for breakpoint in set.unwrap_or_default() {
                let body = json!({"reason": "changed", "breakpoint": breakpoint});
                self.server.connection.event("breakpoint", body);
            }
        }
    }

    pub(super) fn set_breakpoints(&mut self, request: &Request) -> Answer {
        Ok(json!({"breakpoints": self.set_lines(request, None)?}))
    }

    pub(super) fn set_function_breakpoints(&mut self, request: &Request) -> Answer {
        Ok(json!({"breakpoints": self.set_functions(request, None)?}))
    }

    pub(super) fn set_data_breakpoints(&mut self, request: &Request) -> Answer {
        Ok(json!({"breakpoints": self.set_data(request, None)?}))
    }

    fn set_lines(&mut self, request: &Request, ids: Option<Vec<usize>>) -> Result<Vec<Breakpoint>, Refusal> {
        let given: SetBreakpointsArguments = arguments(request)?;
        let file = self.files.find(&given.source);
        let key = format!("line {:?} {:?}", given.source.path, given.source.source_reference);
        self.breakpoints.replace(key.clone(), request, ids);
        let mut set = Vec::new();
        for (position, wanted) in given.breakpoints.iter().enumerate() {
            let id = self.breakpoints.id(&key, position);
            let line = file.ok_or_else(|| {
                let program = &self.debuggee.program.name;
                Refusal::user(format!("this file is no part of {program}, which is debugged"))
            });
            let result = line.and_then(|file| self.set_line(&key, id, file, wanted));
            set.push(match result {
                Ok(breakpoint) => breakpoint,
                Err(refusal) => unverified(id, &refusal),
            });
        }
        Ok(set)
    }

    fn set_line(
        &mut self,
        key: &str,
        id: usize,
        file: u32,
        wanted: &SourceBreakpoint,
    ) -> Result<Breakpoint, Refusal> {
        let nothing = || Refusal::user("no step executes this line or a later one of the file");
        let line = self.files.line_number(wanted.line).ok_or_else(nothing)?;
        let place = self.place_from(file, line).ok_or_else(nothing)?;
        let (condition, hits) = self.conditions(&wanted.condition, &wanted.hit_condition)?;
        let purpose = wanted.log_message.clone().map_or(Purpose::Line, Purpose::Log);
        let on = StepTrigger::Line(self.files.line(file, self.files.line_of(place)));
        let number = self.breakpoints.looks.add_on_step(on, condition, hits);
        self.breakpoints.add(key, number, id, purpose);
        let place = Some(self.files.place(place));
        Ok(Breakpoint { id: Some(id), verified: true, message: None, place })
    }

    /// Return the first place that some step executes, from a line on.
    fn place_from(&self, file: u32, line: u32) -> Option<Span> {
        let places = executable_places(&self.debuggee.program);
        places.into_iter().filter(|place| place.file == file).find(|place| self.files.line_of(*place) >= line)
    }

    fn conditions(&self, condition: &Option<String>, hits: &Option<String>) -> Result<Conditions, Refusal> {
        let text = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let condition = text(condition).map(|text| self.question(&text, Some(Type::Bool))).transpose()?;
        let hits = text(hits).map(|text| HitCondition::parse(&text)).transpose().map_err(Refusal::user)?;
        Ok((condition, hits))
    }

    fn set_functions(
        &mut self,
        request: &Request,
        ids: Option<Vec<usize>>,
    ) -> Result<Vec<Breakpoint>, Refusal> {
        let given: SetFunctionBreakpointsArguments = arguments(request)?;
        let key = "functions";
        self.breakpoints.replace(key.into(), request, ids);
        let mut set = Vec::new();
        for (position, wanted) in given.breakpoints.iter().enumerate() {
            let id = self.breakpoints.id(key, position);
            set.push(match self.set_function(key, id, wanted) {
                Ok(breakpoint) => breakpoint,
                Err(refusal) => unverified(id, &refusal),
            });
        }
        Ok(set)
    }

    fn set_function(
        &mut self,
        key: &str,
        id: usize,
        wanted: &FunctionBreakpoint,
    ) -> Result<Breakpoint, Refusal> {
        let (on, span) = self.function(wanted.name.trim())?;
        let (condition, hits) = self.conditions(&wanted.condition, &wanted.hit_condition)?;
        let number = self.breakpoints.looks.add_on_step(on, condition, hits);
        self.breakpoints.add(key, number, id, Purpose::Function);
        let place = span.filter(|span| *span != Span::default()).map(|span| self.files.place(span));
        Ok(Breakpoint { id: Some(id), verified: true, message: None, place })
    }

    /// Find what a function breakpoint names: a message, an action, or a process.
    fn function(&self, name: &str) -> Result<(StepTrigger, Option<Span>), Refusal> {
        let instance = &self.debuggee.instance;
        let program = &instance.program;
        let show = crate::ir::show::Show::new(program);
        let kinds = (0u32..).zip(&program.kinds);
        let named = kinds.filter(|(_, kind)| kind.name == name || show.kind(kind) == name);
        let (kinds, spans): (Vec<u32>, Vec<Span>) = named.map(|(number, kind)| (number, kind.span)).unzip();
        if !kinds.is_empty() {
            return Ok((StepTrigger::Messages(kinds), spans.first().copied()));
        }
        if let Ok(process) = asked::process(instance, name) {
            return Ok((StepTrigger::Process(process), None));
        }
        if let Some(position) = self.debuggee.names.iter().position(|known| known == name) {
            return Ok((StepTrigger::Process(ProcessId(position as u32)), None));
        }
        let actions = questions::actions(&instance.program, name).map_err(|unknown| {
            let messages: Vec<String> = program.kinds.iter().map(|kind| show.kind(kind)).collect();
            let hint = match prose::nearest(name, &messages) {
                Some(near) => Some(format!("did you mean {near}?")),
                None => unknown.hint,
            };
            let message = format!("there is no message, action or process {name}");
            Refusal::from(Unanswerable { message, hint })
        })?;
        let span = actions.first().map(|action| program.actions[*action as usize].span);
        Ok((StepTrigger::Actions(actions), span))
    }

    fn set_data(&mut self, request: &Request, ids: Option<Vec<usize>>) -> Result<Vec<Breakpoint>, Refusal> {
        let given: SetDataBreakpointsArguments = arguments(request)?;
        let key = "data";
        self.breakpoints.replace(key.into(), request, ids);
        let mut set = Vec::new();
        for (position, wanted) in given.breakpoints.iter().enumerate() {
            let id = self.breakpoints.id(key, position);
            let result = self.question(&wanted.data_id, None).and_then(|question| {
                Ok((question, self.conditions(&wanted.condition, &wanted.hit_condition)?))
            });
            set.push(match result {
                Ok((question, (condition, hits))) => {
                    let on = StepTrigger::Changes(question);
                    let number = self.breakpoints.looks.add_on_step(on, condition, hits);
                    self.breakpoints.add(key, number, id, Purpose::Data);
                    Breakpoint { id: Some(id), verified: true, ..Breakpoint::default() }
                }
                Err(refusal) => unverified(id, &refusal),
            });
        }
        Ok(set)
    }

    /// Return the expression whose changes a data breakpoint notices.
    pub(super) fn data_breakpoint_info(&mut self, request: &Request) -> Answer {
        let given: DataBreakpointInfoArguments = arguments(request)?;
        let owner = match (self.handles.get(given.variables_reference), given.frame_id) {
            (Some(Handle::Variables(process)), _) => Some(*process),
            (None, Some(frame)) => self.process_of_frame(frame).ok(),
            _ => None,
        };
        let name = given.name.trim();
        let of_owner = owner.map(|process| format!("{}.{name}", self.debuggee.name(process)));
        let of_value = match self.handles.get(given.variables_reference) {
            Some(Handle::Parts(_, _, Some(expression))) => Some(format!("{expression}[{name}]")),
            _ => None,
        };
        let whole = Some(name.to_string()).filter(|_| given.variables_reference == 0);
        let candidates = [of_owner, of_value, whole];
        let found = candidates.into_iter().flatten().find(|text| self.question(text, None).is_ok());
        Ok(match found {
            Some(text) => {
                let description = format!("changes of {text}");
                json!({"dataId": text, "description": description, "accessTypes": ["write"], "canPersist": true})
            }
            None => {
                let description = format!("`{name}` is no expression whose changes can be noticed");
                json!({"dataId": null, "description": description})
            }
        })
    }

    pub(super) fn set_exception_breakpoints(&mut self, request: &Request) -> Answer {
        let given: SetExceptionBreakpointsArguments = arguments(request)?;
        let key = "exceptions";
        self.breakpoints.replace(key.into(), request, None);
        let known = |filter: &String| FILTERS.iter().any(|(known, ..)| known == filter);
        let set: Vec<_> = given
            .filters
            .iter()
            .map(|filter| match known(filter) {
                true => json!({"verified": true}),
                false => {
                    json!({"verified": false, "message": format!("there is no exception filter {filter}")})
                }
            })
            .collect();
        if given.filters.iter().any(|filter| filter == CRASH) && !self.arguments.no_debug {
            let number = self.breakpoints.looks.add_on_step(StepTrigger::Crash, None, None);
            self.breakpoints.add(key, number, 0, Purpose::Crash);
        }
        self.breakpoints.filters = Some(given.filters.into_iter().collect());
        Ok(json!({"breakpoints": set}))
    }

    pub(super) fn breakpoint_locations(&mut self, request: &Request) -> Answer {
        let given: BreakpointLocationsArguments = arguments(request)?;
        let file = self.files.find(&given.source);
        let first = self.files.line_number(given.line);
        let last = self.files.line_number(given.end_line.unwrap_or(given.line));
        let (Some(file), Some(first), Some(last)) = (file, first, last) else {
            return Ok(json!({"breakpoints": []}));
        };
        let places = executable_places(&self.debuggee.program).into_iter();
        let within =
            places.filter(|place| place.file == file && (first..=last).contains(&self.files.line_of(*place)));
        let shown = within.map(|place| {
            let mut shown = json!(self.files.place(place));
            if let Some(members) = shown.as_object_mut() {
                members.remove("source");
            }
            let mut location = json!({});
            merge(&mut location, shown);
            location
        });
        Ok(json!({"breakpoints": shown.collect::<Vec<_>>()}))
    }
}

fn unverified(id: usize, refusal: &Refusal) -> Breakpoint {
    let message = Some(refusal.text());
    Breakpoint { id: Some(id), verified: false, message, ..Breakpoint::default() }
}
