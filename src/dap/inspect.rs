//! Scopes and variables: the state of a process, its inbox, the run.

use super::connection::{Answer, Refusal, arguments};
use super::debug::Debug;
use super::protocol::{FrameArguments, Request, Variable, VariablesArguments};
use super::variables::{Handle, Parts, Values, parts};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::ir::show::Show;
use crate::report::Verdict;
use crate::session;
use serde_json::json;
use std::io::Write;

impl<'d, W: Write> Debug<'_, 'd, W> {
    pub(super) fn scopes(&mut self, request: &Request) -> Answer {
        let given: FrameArguments = arguments(request)?;
        let process = self.process_of_frame(given.frame_id)?;
        let scopes = [
            ("Variables", Handle::Variables(process), false),
            ("Inbox", Handle::Inbox(process), false),
            ("Process", Handle::Process(process), false),
            ("Metrics", Handle::Metrics, false),
            // Properties may be costly to check.
            ("Properties", Handle::Properties, true),
        ];
        let shown = scopes.map(|(name, handle, expensive)| {
            let reference = self.handles.add(handle);
            let mut scope = json!({"name": name, "variablesReference": reference, "expensive": expensive});
            if name == "Variables" {
                scope["presentationHint"] = "locals".into();
            }
            scope
        });
        Ok(json!({"scopes": shown}))
    }

    pub(super) fn variables(&mut self, request: &Request) -> Answer {
        let given: VariablesArguments = arguments(request)?;
        let Some(handle) = self.handles.get(given.variables_reference).cloned() else {
            return Err(Refusal::protocol(format!("there are no variables {}", given.variables_reference)));
        };
        let count = if given.count == 0 { usize::MAX } else { given.count };
        let page = (given.start, count);
        if let Handle::Parts(value, at, expression) = &handle {
            let is_numbered = matches!(parts(value), Parts::Numbered(_));
            let is_wanted = match given.filter.as_deref() {
                Some("named") => !is_numbered,
                Some("indexed") => is_numbered,
                _ => true,
            };
            let shown = match is_wanted {
                true => self.values().parts(&mut self.handles, value, *at, expression.as_deref(), page),
                false => Vec::new(),
            };
            return Ok(json!({"variables": shown}));
        }
        let all = match given.filter.as_deref() {
            Some("indexed") => Vec::new(),
            _ => self.listed(&handle),
        };
        let shown: Vec<Variable> = all.into_iter().skip(page.0).take(page.1).collect();
        Ok(json!({"variables": shown}))
    }

    /// Return the context in which values are shown.
    pub(super) fn values(&self) -> Values<'d> {
        Values { instance: &self.debuggee.instance, names: &self.debuggee.names }
    }

    fn listed(&mut self, handle: &Handle) -> Vec<Variable> {
        match handle {
            Handle::Variables(process) => self.variables_of(*process),
            Handle::Inbox(process) => self.inbox_of(*process),
            Handle::Process(process) => self.facts_of(*process),
            Handle::Neighbours(process) => self.neighbours_of(*process),
            Handle::Metrics => self.metrics(),
            Handle::Properties => self.properties(),
            Handle::Message(channel, id) => self.fields_of(*channel, *id),
            Handle::Parts(..) => Vec::new(),
        }
    }

    /// Return the state of a process: its status, its variables, and the locals of its command in parentheses, as `synod repl`
    /// shows it.
    pub(super) fn variables_of(&mut self, process: ProcessId) -> Vec<Variable> {
        let values = self.values();
        let instance = values.instance;
        let configuration = self.timeline.configuration();
        let (words, compound) = (configuration.words(process), configuration.values(process));
        let role = instance.role_of(process);
        let owner = self.debuggee.name(process);
        let status = Show::new(&instance.program).status(role, words).into_iter();
        let mut shown: Vec<Variable> = status.map(|(name, value)| values.plain(name, value)).collect();
        let own = &instance.program.roles[role];
        for variable in &own.vars {
            let name = own.shown_name(variable);
            let (name, expression) = match variable.local {
                true => (format!("({})", variable.name), None),
                false => (name.clone(), Some(format!("{owner}.{name}"))),
            };
            let slot = (variable.slot, &variable.ty);
            shown.push(values.slot(
                &mut self.handles,
                name,
                slot,
                (words, compound),
                Some(process),
                expression,
            ));
        }
        shown
    }

    /// Return the messages in transit to a process, by channel and in their order.
    fn inbox_of(&mut self, process: ProcessId) -> Vec<Variable> {
        let values = self.values();
        let instance = values.instance;
        let configuration = self.timeline.configuration();
        let mut shown = Vec::new();
        for channel in instance.incoming(process) {
            let sender = instance.sender(channel);
            let show = values.show(Some(sender));
            for message in configuration.channel(channel) {
                let name = format!("{} from {}", message.id, self.debuggee.name(sender));
                let text = show.message(message.kind, message.words, message.values);
                let fields = instance.program.kinds[message.kind as usize].fields.len();
                let mut variable = values.plain(name, text);
                if fields > 0 {
                    variable.named_variables = Some(fields);
                    variable.variables_reference = self.handles.add(Handle::Message(channel, message.id));
                }
                shown.push(variable);
            }
        }
        let notes = configuration.notes().iter().filter(|note| note.to == process);
        shown.extend(notes.map(|note| {
            let stamp = note.stamp.map_or(String::new(), |stamp| format!(" stamped {stamp}"));
            values.plain(format!("note from {}", self.debuggee.name(note.from)), format!("note{stamp}"))
        }));
        shown
    }

    fn fields_of(&mut self, channel: ChannelId, id: MessageId) -> Vec<Variable> {
        let values = self.values();
        let sender = values.instance.sender(channel);
        let configuration = self.timeline.configuration();
        let Some(message) = configuration.channel(channel).find(|message| message.id == id) else {
            return Vec::new();
        };
        let fields = &values.instance.program.kinds[message.kind as usize].fields;
        let contents = (message.words, message.values);
        let field = |field: &crate::ir::Field| {
            let slot = (field.place, &field.ty);
            values.slot(&mut self.handles, field.name.clone(), slot, contents, Some(sender), None)
        };
        fields.iter().map(field).collect()
    }

    /// Return the facts about a process other than its variables.
    fn facts_of(&mut self, process: ProcessId) -> Vec<Variable> {
        let values = self.values();
        let instance = values.instance;
        let role = &instance.program.roles[instance.role_of(process)];
        let condition = match self.condition(process) {
            state if state.is_empty() => "running".to_string(),
            state => state,
        };
        let mut shown = vec![
            values.plain("name", self.debuggee.name(process)),
            values.plain("position", process.0.to_string()),
            values.plain("id", instance.network.id(process).to_string()),
            values.plain("condition", condition),
            values.plain("initiator", instance.initiators[process.index()].to_string()),
        ];
        if !role.name.is_empty() {
            shown.insert(3, values.plain("role", &role.name));
        }
        let degree = instance.network.ports(process).iter().count();
        let mut neighbours = values.plain("neighbours", degree.to_string());
        if degree > 0 {
            neighbours.named_variables = Some(degree);
            neighbours.variables_reference = self.handles.add(Handle::Neighbours(process));
        }
        shown.push(neighbours);
        shown
    }

    fn neighbours_of(&self, process: ProcessId) -> Vec<Variable> {
        let values = self.values();
        let ports = values.instance.network.ports(process);
        let named = ports.iter().enumerate().map(|(number, port)| {
            let name = port.label.map_or_else(|| format!("port {number}"), |label| label.to_string());
            let id = values.instance.network.id(port.peer);
            values.plain(name, format!("{} (id {id})", self.debuggee.name(port.peer)))
        });
        named.collect()
    }

    /// Return the costs of the run so far, and its clock.
    fn metrics(&self) -> Vec<Variable> {
        let values = self.values();
        let instance = values.instance;
        let (metrics, configuration) = (self.timeline.metrics(), self.timeline.configuration());
        let position = format!("{} of {}", self.timeline.at(), self.timeline.events().len());
        let mut shown = vec![
            values.plain("events", position),
            values.plain("messages", metrics.messages().to_string()),
            values.plain("messages in transit", configuration.in_flight().to_string()),
            values.plain("bits", metrics.total_bits().to_string()),
            values.plain("time", metrics.time.to_string()),
        ];
        let mut add = |name: &str, value: Option<u64>| {
            shown.extend(value.map(|value| values.plain(name, value.to_string())));
        };
        add("messages to self", Some(metrics.self_messages()).filter(|count| *count > 0));
        add("rounds", instance.model.has_rounds().then_some(metrics.rounds));
        add("moves", instance.model.has_state_reading().then_some(metrics.moves));
        add("clock", instance.is_timed().then(|| configuration.now()));
        for (operation, count) in instance.program.operations.iter().zip(&metrics.returns) {
            add(&format!("completed {}", operation.name), Some(*count));
        }
        shown
    }

    /// Return the verdicts at this position.
    fn properties(&mut self) -> Vec<Variable> {
        let watched = self.timeline.watched();
        let values = self.values();
        let (schedule, seed) = (self.timeline.schedule_word(), self.timeline.seed());
        let report = session::report(values.instance, &watched, schedule, seed);
        let verdict = |property: &crate::report::PropertyReport| {
            let mut text = property.verdict.as_str().to_string();
            if let Some(event) = property.at_event {
                text += &format!(" at event {event}");
            }
            if property.verdict == Verdict::Violated && !property.why.is_empty() {
                text += &format!(": {}", property.why);
            }
            values.plain(&property.name, text)
        };
        report.properties.iter().map(verdict).collect()
    }
}
