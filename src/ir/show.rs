//! Values in the syntax of the language, on one line: `{1, 2}`, `[a, b]`, `(3, p1)`, `none`, `Request(3, 4)`. Processes are shown
//! by position: `p0`. Long values are abbreviated: `{1, 2, … and 9998 more}`.

use super::{
    CRASHED, HALTED, MessageKind, NO_CASE, NONE_WORD, PC, Program, Role, Slot, Type, Value, Variable,
};
use crate::ids::ProcessId;
use crate::network::Network;
use std::fmt::Write;

/// Approximate maximum number of bytes of a displayed value: two screens.
const MOST_SHOWN: usize = 4000;

/// Return the value in the syntax of the language.
pub fn show(program: &Program, value: &Value) -> String {
    Show::new(program).value(value)
}

/// Formatter for the values of one program.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    program: &'a Program,
    /// The process whose ports are shown. Without it: `port 2`.
    at: Option<(&'a Network, ProcessId)>,
}

impl<'a> Show<'a> {
    pub fn new(program: &'a Program) -> Show<'a> {
        Show { program, at: None }
    }

    /// Show the ports of a process by their labels, as in `next` and `north`, or else by the process that they lead to.
    pub fn at(self, network: &'a Network, process: ProcessId) -> Show<'a> {
        Show { at: Some((network, process)), ..self }
    }

    /// Return the label of a port, or the process that it leads to: `p1`. A later port that leads to the same process is `p1 (port 2)`.
    pub fn port(&self, number: i64) -> String {
        let port = self.at.and_then(|(network, process)| {
            let number = u32::try_from(number).ok()?;
            let ports = network.ports(process);
            let port = ports.get(number as usize)?;
            Some(match port.label {
                Some(label) => label.to_string(),
                None if network.port_to(process, port.peer) == Some(number) => port.peer.to_string(),
                None => format!("{} (port {number})", port.peer),
            })
        });
        port.unwrap_or_else(|| format!("port {number}"))
    }

    pub fn value(&self, value: &Value) -> String {
        let mut text = String::new();
        self.write(value, &mut text);
        text
    }

    /// Format a word of a type that fits one.
    pub fn word(&self, ty: &Type, word: i64) -> String {
        match ty {
            _ if !ty.is_word() => word.to_string(),
            Type::Option(_) if word == NONE_WORD => "none".into(),
            // An identifier, a port or a case has no value before it is assigned.
            Type::Id | Type::Port | Type::Enum(_) if word == NONE_WORD => "unset".into(),
            _ => self.value(&Value::from_word(ty, word)),
        }
    }

    /// Format the contents of a slot of this type.
    pub fn slot(&self, slot: Slot, ty: &Type, words: &[i64], values: &[Value]) -> String {
        match slot {
            Slot::Word(at) => words.get(at as usize).map_or("?".into(), |w| self.word(ty, *w)),
            Slot::Value(at) => values.get(at as usize).map_or("?".into(), |v| self.value(v)),
        }
    }

    /// Format a message: `Request(3, 4)`, with its layer `Data.Item(1)`; a bare value in parentheses: `(4)`.
    pub fn message(&self, kind: u32, words: &[i64], values: &[Value]) -> String {
        let Some(kind) = self.program.kinds.get(kind as usize) else {
            return format!("kind {kind}");
        };
        let fields = kind.fields.iter().map(|f| self.slot(f.place, &f.ty, words, values));
        let fields: Vec<String> = fields.collect();
        let mut text = self.kind(kind);
        if !fields.is_empty() || text.is_empty() {
            let _ = write!(text, "({})", fields.join(", "));
        }
        text
    }

    /// Return the name of a kind, with its layer; empty for bare values.
    pub fn kind(&self, kind: &MessageKind) -> String {
        let lane = self.program.lanes.get(kind.lane as usize);
        match lane.map_or("", |lane| lane.name.as_str()) {
            "" => kind.name.clone(),
            lane => format!("{lane}.{}", kind.name),
        }
    }

    /// Return name and value of all displayed state of a process of this role: its status, then its variables.
    pub fn process(&self, role: usize, words: &[i64], values: &[Value]) -> Vec<(String, String)> {
        let mut shown = self.status(role, words);
        shown.extend(
            self.variables(role)
                .map(|(role, v)| (role.shown_name(v), self.slot(v.slot, &v.ty, words, values))),
        );
        shown
    }

    /// Return the displayed status of a process of this role: the control state of each component that has several, and whether it has
    /// halted or is up.
    pub fn status(&self, role: usize, words: &[i64]) -> Vec<(String, String)> {
        let Some(role) = self.program.roles.get(role) else {
            return Vec::new();
        };
        let mut shown = Vec::new();
        for (i, component) in role.components.iter().enumerate() {
            if component.states.len() < 2 {
                continue;
            }
            let state = words.get(component.state_slot as usize).copied().unwrap_or(0);
            let state = usize::try_from(state).ok().and_then(|s| component.states.get(s));
            let name = state.map_or("?", |s| s.name.as_str());
            shown.push((format!("{}state", role.prefix(i)), name.into()));
        }
        if words.get(PC as usize) == Some(&HALTED) {
            shown.push(("halted".into(), "true".into()));
        }
        if self.program.assumptions.crashes {
            let up = words.get(PC as usize) != Some(&CRASHED);
            shown.push(("up".into(), up.to_string()));
        }
        shown
    }

    /// Return the displayed variables of a role, in the order of the program. Locals that live across waiting points are omitted.
    pub fn variables(&self, role: usize) -> impl Iterator<Item = (&'a Role, &'a Variable)> + use<'a> {
        let roles = self.program.roles.get(role).into_iter();
        roles.flat_map(|role| role.vars.iter().filter(|v| !v.local).map(move |v| (role, v)))
    }

    /// Convert to JSON: numbers, Booleans and null as such, collections as arrays, a map as an array of pairs. Everything else is
    /// a string in the syntax of the language.
    pub fn json(&self, value: &Value) -> serde_json::Value {
        let all = |parts: &mut dyn Iterator<Item = &Value>| {
            serde_json::Value::Array(parts.map(|part| self.json(part)).collect())
        };
        match value {
            Value::None => serde_json::Value::Null,
            Value::Bool(b) => (*b).into(),
            Value::Id(NONE_WORD) | Value::Port(NONE_WORD) | Value::Case(_, NO_CASE) => {
                serde_json::Value::Null
            }
            Value::Int(i) | Value::Id(i) => (*i).into(),
            Value::Text(text) => text.as_ref().into(),
            Value::Tuple(parts) => all(&mut parts.iter()),
            Value::List(parts) => all(&mut parts.iter()),
            Value::Set(parts) => all(&mut parts.iter()),
            Value::Map(map) => {
                let pairs = map.iter().map(|(k, v)| vec![self.json(k), self.json(v)].into());
                serde_json::Value::Array(pairs.collect())
            }
            other => self.value(other).into(),
        }
    }

    fn write(&self, value: &Value, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match value {
            Value::None => write!(out, "none"),
            Value::Bool(b) => write!(out, "{b}"),
            Value::Id(NONE_WORD) | Value::Port(NONE_WORD) | Value::Case(_, NO_CASE) => write!(out, "unset"),
            Value::Int(i) | Value::Id(i) => write!(out, "{i}"),
            Value::Port(i) => write!(out, "{}", self.port(*i)),
            Value::Process(i) => write!(out, "p{i}"),
            Value::Event(i) => write!(out, "event {i}"),
            Value::Case(of, case) => {
                let cases = self.program.enums.get(*of as usize).map(|e| &e.cases);
                let name = cases.and_then(|c| c.get(*case as usize));
                write!(out, "{}", name.map_or("?", |name| name))
            }
            Value::Text(text) => write!(out, "{}", quoted(text)),
            Value::Tuple(parts) => return self.write_all("(", parts.iter(), ")", out),
            Value::Record(of, parts) => {
                let record = self.program.records.get(*of as usize);
                out.push_str(record.map_or("?", |r| &r.name));
                return self.write_all("(", parts.iter(), ")", out);
            }
            Value::Message(kind, parts) => {
                let kind = self.program.kinds.get(*kind as usize);
                out.push_str(kind.map_or("?", |k| &k.name));
                if parts.is_empty() {
                    return;
                }
                return self.write_all("(", parts.iter(), ")", out);
            }
            Value::List(parts) => return self.write_all("[", parts.iter(), "]", out),
            Value::Set(parts) => return self.write_all("{", parts.iter(), "}", out),
            Value::Map(map) if map.is_empty() => write!(out, "{{:}}"),
            Value::Map(map) => {
                for (i, (key, value)) in map.iter().enumerate() {
                    if out.len() > MOST_SHOWN {
                        let _ =
                            write!(out, "{}… and {} more", if i == 0 { "{" } else { ", " }, map.len() - i);
                        break;
                    }
                    out.push_str(if i == 0 { "{" } else { ", " });
                    self.write(key, out);
                    out.push_str(": ");
                    self.write(value, out);
                }
                out.push('}');
                Ok(())
            }
        };
    }

    fn write_all<'v>(
        &self,
        open: &str,
        parts: impl ExactSizeIterator<Item = &'v Value>,
        close: &str,
        out: &mut String,
    ) {
        let all = parts.len();
        out.push_str(open);
        for (i, part) in parts.enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            if out.len() > MOST_SHOWN {
                let _ = write!(out, "… and {} more", all - i);
                break;
            }
            self.write(part, out);
        }
        out.push_str(close);
    }
}

/// Quote a text, on one line and without two consecutive spaces (which separate the columns of a trace).
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    let mut after_space = false;
    for c in text.chars() {
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            '\n' => write!(out, "\\n"),
            ' ' if after_space => write!(out, "\\s"),
            // Any other white space would be read as the end of a line or of a column.
            c if c.is_control() || (c.is_whitespace() && c != ' ') => write!(out, "\\u{{{:x}}}", c as u32),
            c => write!(out, "{c}"),
        };
        after_space = out.ends_with(' ');
    }
    out.push('"');
    out
}
