//! Values as trees of variables: handles, parts, pages.

use super::protocol::Variable;
use crate::check::type_name;
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::ir::{Program, Slot, Type, Value};
use crate::prose;

/// What a reference of the client denotes, while the run is stopped.
#[derive(Clone, Debug)]
pub enum Handle {
    Variables(ProcessId),
    Inbox(ProcessId),
    Process(ProcessId),
    Neighbours(ProcessId),
    Metrics,
    Properties,
    /// The fields of a message in transit.
    Message(ChannelId, MessageId),
    /// The parts of a value, whose ports are those of a process, with the expression that denotes it.
    Parts(Value, Option<ProcessId>, Option<String>),
}

/// The handles that the client may use until the run moves.
#[derive(Default)]
pub struct Handles(Vec<Handle>);

impl Handles {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Return the reference of a new handle.
    pub fn add(&mut self, handle: Handle) -> i64 {
        self.0.push(handle);
        self.0.len() as i64
    }

    pub fn get(&self, reference: i64) -> Option<&Handle> {
        self.0.get(usize::try_from(reference.checked_sub(1)?).ok()?)
    }
}

/// The parts of a value: those by name, or those by number.
pub enum Parts {
    Named(usize),
    Numbered(usize),
    None,
}

pub fn parts(value: &Value) -> Parts {
    match value {
        Value::Record(_, parts) | Value::Message(_, parts) if !parts.is_empty() => Parts::Named(parts.len()),
        Value::Tuple(parts) => Parts::Numbered(parts.len()),
        Value::List(items) if !items.is_empty() => Parts::Numbered(items.len()),
        Value::Set(items) if !items.is_empty() => Parts::Numbered(items.len()),
        Value::Map(items) if !items.is_empty() => Parts::Numbered(items.len()),
        _ => Parts::None,
    }
}

/// The context in which values are shown.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub instance: &'a Instance,
    /// Names of the processes, if there are any.
    pub names: &'a [String],
}

impl<'a> Values<'a> {
    fn program(self) -> &'a Program {
        &self.instance.program
    }

    /// Return a formatter in which ports are those of a process.
    pub fn show(self, at: Option<ProcessId>) -> Show<'a> {
        let show = Show::new(self.program());
        at.map_or(show, |process| show.at(&self.instance.network, process))
    }

    /// Return the name of a type.
    pub fn type_name(self, ty: &Type) -> String {
        type_name(ty, &self.program().enums, &self.program().records)
    }

    pub fn named(self, text: &str) -> String {
        prose::with_names(text, self.names).into_owned()
    }

    /// Return a variable without parts.
    pub fn plain(self, name: impl Into<String>, value: impl AsRef<str>) -> Variable {
        Variable { name: name.into(), value: self.named(value.as_ref()), ..Variable::default() }
    }

    /// Return a variable that shows a value.
    pub fn value(
        self,
        handles: &mut Handles,
        name: String,
        value: &Value,
        at: Option<ProcessId>,
        expression: Option<String>,
    ) -> Variable {
        let mut variable =
            Variable { evaluate_name: expression.clone(), ..self.plain(name, self.show(at).value(value)) };
        match parts(value) {
            Parts::Named(count) => variable.named_variables = Some(count),
            Parts::Numbered(count) => variable.indexed_variables = Some(count),
            Parts::None => return variable,
        }
        variable.variables_reference = handles.add(Handle::Parts(value.clone(), at, expression));
        variable
    }

    /// Return a variable that shows the contents of a slot.
    pub fn slot(
        self,
        handles: &mut Handles,
        name: String,
        (slot, ty): (Slot, &Type),
        (words, values): (&[i64], &[Value]),
        at: Option<ProcessId>,
        expression: Option<String>,
    ) -> Variable {
        let variable = match slot {
            Slot::Value(index) if values.get(index as usize).is_some() => {
                self.value(handles, name, &values[index as usize], at, expression)
            }
            _ => {
                let value = self.show(at).slot(slot, ty, words, values);
                Variable { evaluate_name: expression, ..self.plain(name, value) }
            }
        };
        Variable { ty: Some(self.type_name(ty)), ..variable }
    }

    /// Return the parts of a value from number `start` on, at most `count`.
    pub fn parts(
        self,
        handles: &mut Handles,
        value: &Value,
        at: Option<ProcessId>,
        expression: Option<&str>,
        (start, count): (usize, usize),
    ) -> Vec<Variable> {
        let program = self.program();
        let part = |k: usize| expression.map(|expression| format!("{expression}[{k}]"));
        // Only the elements that are shown are copied: a value may have very many.
        let shown: Vec<(String, Value, Option<String>)> = match value {
            Value::Record(of, parts) => {
                let fields = &program.records[*of as usize].fields;
                let named = fields.iter().zip(parts.iter()).map(|((name, _), part)| {
                    let expression = expression.map(|expression| format!("{expression}.{name}"));
                    (name.clone(), part.clone(), expression)
                });
                named.skip(start).take(count).collect()
            }
            Value::Message(kind, parts) => {
                let fields = &program.kinds[*kind as usize].fields;
                let named = fields
                    .iter()
                    .zip(parts.iter())
                    .map(|(field, part)| (field.name.clone(), part.clone(), None));
                named.skip(start).take(count).collect()
            }
            Value::Tuple(parts) => {
                let numbered = parts.iter().enumerate().map(|(k, part)| (k.to_string(), part.clone(), None));
                numbered.skip(start).take(count).collect()
            }
            Value::List(items) => {
                let numbered = items.iter().enumerate().skip(start).take(count);
                numbered.map(|(k, item)| (k.to_string(), item.clone(), part(k))).collect()
            }
            Value::Set(items) => {
                let numbered = items.iter().enumerate().skip(start).take(count);
                numbered.map(|(k, item)| (k.to_string(), item.clone(), None)).collect()
            }
            Value::Map(items) => {
                let show = self.show(at);
                let keyed = items.iter().skip(start).take(count);
                keyed.map(|(key, item)| (self.named(&show.value(key)), item.clone(), None)).collect()
            }
            _ => Vec::new(),
        };
        shown
            .into_iter()
            .map(|(name, value, expression)| self.value(handles, name, &value, at, expression))
            .collect()
    }
}
