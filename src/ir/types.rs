//! Types of the language.

use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Int,
    Bool,
    Id,
    /// A port of the process at hand, numbered from 0.
    Port,
    /// A process of the instance, in properties and scenarios only.
    Process,
    /// An entry of the history, in properties only.
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
    /// The payload of a layer: anything at all.
    Value,
    /// Not known yet: an unknown of type inference, only while `check` works.
    Unknown(u32),
}

impl Type {
    /// Does a value of this type fit one machine word? The others live in value slots.
    pub fn is_word(&self) -> bool {
        match self {
            Type::Int | Type::Bool | Type::Id | Type::Port | Type::Process | Type::Event | Type::Enum(_) => {
                true
            }
            // `none` is the word no identifier, port or case can have; an Int may have it.
            Type::Option(inner) => !matches!(**inner, Type::Int) && inner.is_word(),
            _ => false,
        }
    }
}

/// The word of `none` in options that fit a word.
pub const NONE_WORD: i64 = i64::MIN;
