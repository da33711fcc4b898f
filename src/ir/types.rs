//! Types of the language.

use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Int,
    Bool,
    Id,
    /// A port of the current process, numbered from 0.
    Port,
    /// A process of the instance; only in properties and scenarios.
    Process,
    /// An event of the history; only in properties.
    Event,
    /// An enumeration of the program (index into `Program::enums`).
    Enum(u32),
    /// A record of the program (index into `Program::records`).
    Record(u32),
    Tuple(Arc<[Type]>),
    Option(Arc<Type>),
    /// Lists and queues: a queue is a list used at both ends.
    List(Arc<Type>),
    Set(Arc<Type>),
    Map(Arc<Type>, Arc<Type>),
    /// The payload of a layer: a value of any type.
    Value,
    /// An unknown of type inference; exists only while `check` runs.
    Unknown(u32),
}

impl Type {
    /// Return whether a value of this type fits one machine word. Other values are stored in value slots.
    pub fn is_word(&self) -> bool {
        match self {
            Type::Int | Type::Bool | Type::Id | Type::Port | Type::Process | Type::Event | Type::Enum(_) => {
                true
            }
            // `none` is a word that no identifier, port or case can have, but an Int can.
            Type::Option(inner) => !matches!(**inner, Type::Int) && inner.is_word(),
            _ => false,
        }
    }
}

/// The word of `none` in options that fit a word.
pub const NONE_WORD: i64 = i64::MIN;
