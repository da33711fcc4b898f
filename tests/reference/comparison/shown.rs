//! Configurations of Synod and of the specification in a common form: what a person is shown of them.

use crate::specification::configuration::Configuration;
use crate::specification::network::System;
use crate::specification::value::{Content, Value};
use std::collections::BTreeMap;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::show::Show;

/// A configuration without waiting points and locals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown {
    /// For each process: whether it is up, and by name its control states, whether it has halted, and its variables.
    processes: Vec<(bool, BTreeMap<String, String>)>,
    /// The messages of each channel, by link and layer, oldest first; sorted if they may overtake one another.
    channels: BTreeMap<(u32, String), Vec<String>>,
}

impl Shown {
    pub fn of_specification(system: &System, configuration: &Configuration) -> Shown {
        let process = |p: usize| {
            let process = &configuration.processes[p];
            let mut all = BTreeMap::new();
            for (c, part) in process.parts.iter().enumerate() {
                let component = system.component(c);
                let prefix = match component.path.as_str() {
                    "" => String::new(),
                    path => format!("{path}."),
                };
                if let Some(state) = part.state.filter(|_| component.states_of(system.role(p, c)).count() > 1)
                {
                    all.insert(format!("{prefix}state"), state.to_string());
                }
                for (name, value) in &part.variables {
                    all.insert(format!("{prefix}{name}"), text(value));
                }
            }
            if process.parts[0].halted {
                all.insert("halted".into(), "true".into());
            }
            (process.up, all)
        };
        let mut channels = BTreeMap::new();
        for (lane, sent) in &configuration.channels {
            let mut all: Vec<String> = sent.iter().map(|sent| of_message(system, &sent.content)).collect();
            if system.is_unordered(*lane) && !system.has_rounds() {
                all.sort();
            }
            channels.insert((lane.link, system.component(lane.component).path.clone()), all);
        }
        Shown { processes: (0..system.n()).map(process).collect(), channels }
    }

    pub fn of_synod(
        instance: &Instance,
        configuration: &synod::internals::semantics::Configuration,
    ) -> Shown {
        let show = Show::new(&instance.program);
        let process = |p: u32| {
            let role = instance.role_of(ProcessId(p));
            let all = show
                .process(role, configuration.words(ProcessId(p)), configuration.values(ProcessId(p)))
                .into_iter();
            // Synod shows `up` only where processes crash, and some defaults without a value as `none`.
            let all = all.filter(|(name, _)| name != "up");
            let value = |value: String| if value == "unset" { "none".into() } else { value };
            (!configuration.crashed(ProcessId(p)), all.map(|(name, text)| (name, value(text))).collect())
        };
        let mut channels = BTreeMap::new();
        for channel in configuration.busy_channels().filter(|channel| !configuration.is_empty(*channel)) {
            let lane = &instance.program.lanes[instance.layout.lane_of(channel) as usize];
            let messages = configuration.channel(channel);
            let mut all: Vec<String> = messages.map(|m| show.message(m.kind, m.words, m.values)).collect();
            if !instance.layout.keeps_order(channel) && !instance.model.rounds() {
                all.sort();
            }
            channels.insert((instance.layout.link_of(channel), lane.name.clone()), all);
        }
        Shown { processes: (0..instance.n()).map(process).collect(), channels }
    }

    /// Return the first difference of two configurations, for a person.
    pub fn difference(&self, other: &Shown) -> String {
        let mut processes = self.processes.iter().zip(&other.processes).enumerate();
        match processes.find(|(_, (one, another))| one != another) {
            Some((p, (one, another))) => format!("p{p}: {one:?}, {another:?}"),
            None => format!("{:?}, {:?}", self.channels, other.channels),
        }
    }
}

fn of_message(system: &System, content: &Content) -> String {
    let path = system.component(content.component).path.as_str();
    let dot = if path.is_empty() { "" } else { "." };
    let fields: Vec<String> = content.fields.iter().map(text).collect();
    match fields.is_empty() {
        true => format!("{path}{dot}{}", content.name),
        false => format!("{path}{dot}{}({})", content.name, fields.join(", ")),
    }
}

/// Return a value as Synod shows it.
fn text(value: &Value) -> String {
    let all = |values: &mut dyn Iterator<Item = &Value>| values.map(text).collect::<Vec<_>>().join(", ");
    match value {
        Value::None | Value::Unset => "none".into(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) | Value::Id(number) => number.to_string(),
        Value::Port(port) => format!("port {port}"),
        Value::Process(p) => format!("p{p}"),
        Value::Event(event) => format!("event {event}"),
        Value::Case(_, name) => name.to_string(),
        Value::Text(text) => synod::internals::ir::show::quoted(text),
        Value::Tuple(parts) => format!("({})", all(&mut parts.iter())),
        Value::Record(name, fields) => format!("{name}({})", all(&mut fields.iter().map(|(_, value)| value))),
        Value::List(elements) => format!("[{}]", all(&mut elements.iter())),
        Value::Set(elements) => format!("{{{}}}", all(&mut elements.iter())),
        Value::Map(map) if map.is_empty() => "{:}".into(),
        Value::Map(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{}: {}", text(key), text(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Message(content) => match content.fields.is_empty() {
            true => content.name.to_string(),
            false => format!("{}({})", content.name, all(&mut content.fields.iter())),
        },
    }
}
