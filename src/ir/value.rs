//! Run-time values of types that do not fit a word: shared, immutable, ordered.

use super::{NONE_WORD, SortedMap, SortedSet, Type};
use std::collections::VecDeque;
use std::sync::Arc;

/// The case of an enumeration variable that has not been assigned.
pub const NO_CASE: u32 = u32::MAX;

/// A run-time value. Values of one static type are ordered as the language defines: numbers by size, tuples and records
/// lexicographically, `none` before everything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    Id(i64),
    Port(i64),
    Process(i64),
    Event(i64),
    /// Enumeration and case.
    Case(u32, u32),
    Text(Arc<str>),
    Tuple(Arc<Vec<Value>>),
    Record(u32, Arc<Vec<Value>>),
    /// A message as payload: kind (index into `Program::kinds`) and fields.
    Message(u32, Arc<Vec<Value>>),
    List(Arc<VecDeque<Value>>),
    Set(Arc<SortedSet<Value>>),
    Map(Arc<SortedMap<Value, Value>>),
}

impl Value {
    /// Return the value that a word represents.
    ///
    /// # Panics
    /// If the type does not fit a word; `check` rules this out.
    pub fn from_word(ty: &Type, word: i64) -> Value {
        match ty {
            Type::Int => Value::Int(word),
            Type::Bool => Value::Bool(word != 0),
            Type::Id => Value::Id(word),
            Type::Port => Value::Port(word),
            Type::Process => Value::Process(word),
            Type::Event => Value::Event(word),
            Type::Enum(e) => Value::Case(*e, u32::try_from(word).unwrap_or(NO_CASE)),
            Type::Option(_) if word == NONE_WORD => Value::None,
            Type::Option(inner) => Value::from_word(inner, word),
            other => unreachable!("{other:?} does not fit a word"),
        }
    }

    /// Return the word of a value whose type fits one.
    pub fn word(&self) -> i64 {
        match self {
            Value::None => NONE_WORD,
            Value::Bool(b) => *b as i64,
            Value::Int(w) | Value::Id(w) | Value::Port(w) | Value::Process(w) | Value::Event(w) => *w,
            Value::Case(_, NO_CASE) => NONE_WORD,
            Value::Case(_, case) => *case as i64,
            other => unreachable!("{other:?} does not fit a word"),
        }
    }

    /// Return the approximate number of heap bytes that the value owns. Shared parts count each time.
    pub fn bytes(&self) -> usize {
        let of = |value: &Value| size_of::<Value>() + value.bytes();
        match self {
            Value::Text(text) => text.len(),
            Value::Tuple(values) | Value::Record(_, values) | Value::Message(_, values) => {
                values.iter().map(of).sum()
            }
            Value::List(values) => values.iter().map(of).sum(),
            Value::Set(values) => values.iter().map(of).sum(),
            Value::Map(values) => values.iter().map(|(key, value)| of(key) + of(value)).sum(),
            _ => 0,
        }
    }

    pub fn tuple(values: Vec<Value>) -> Value {
        Value::Tuple(Arc::new(values))
    }

    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(values.into_iter().collect()))
    }

    pub fn set(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Set(Arc::new(values.into_iter().collect()))
    }

    pub fn map(values: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Map(Arc::new(values.into_iter().collect()))
    }
}

impl Value {
    /// Return whether the value has this type.
    pub fn has_type(&self, ty: &Type) -> bool {
        match (ty, self) {
            (Type::Int, Value::Int(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Id, Value::Id(_))
            | (Type::Port, Value::Port(_))
            | (Type::Process, Value::Process(_))
            | (Type::Event, Value::Event(_))
            | (Type::Option(_), Value::None)
            | (Type::Value, _) => true,
            (Type::Enum(of), Value::Case(e, _)) => of == e,
            (Type::Record(of), Value::Record(r, _)) => of == r,
            (Type::Option(inner), v) => v.has_type(inner),
            (Type::Tuple(types), Value::Tuple(parts)) => {
                types.len() == parts.len() && types.iter().zip(parts.iter()).all(|(t, v)| v.has_type(t))
            }
            (Type::List(of), Value::List(items)) => items.iter().all(|v| v.has_type(of)),
            (Type::Set(of), Value::Set(items)) => items.iter().all(|v| v.has_type(of)),
            (Type::Map(of, to), Value::Map(items)) => {
                items.iter().all(|(k, v)| k.has_type(of) && v.has_type(to))
            }
            _ => false,
        }
    }
}
