//! Values, and failures of evaluations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A name as it is written. Programs live as long as the test, so names are shared freely.
pub type Name = &'static str;

/// *Types*. The order is that of the language if it defines one: `none` precedes all other values, Ints and ids are ordered by number,
/// cases by declaration, tuples from left to right. Otherwise it is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    None,
    /// An unassigned variable.
    Unset,
    Bool(bool),
    Int(i64),
    Id(i64),
    /// A port by its number at its process.
    Port(usize),
    /// A process, in properties.
    Process(usize),
    /// A case of an enumeration, by position among the cases.
    Case(usize, Name),
    Text(String),
    Tuple(Vec<Value>),
    Record(Name, Vec<(Name, Value)>),
    List(Vec<Value>),
    Set(BTreeSet<Value>),
    Map(BTreeMap<Value, Value>),
    Message(Content),
    /// An event of the history, by position; in properties only.
    Event(usize),
}

/// A message without its channel. The declaring component distinguishes messages of the same name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Content {
    pub component: usize,
    /// The name; empty for a bare value.
    pub name: Name,
    pub fields: Vec<Value>,
}

/// *Aborts*: the reason for which an evaluation, or a command, has no result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// A run-time error of the program (abort).
    Abort(String),
    /// A construct that the specification does not define.
    Unspecified(String),
}

pub type Evaluated = Result<Value, Failure>;

pub fn abort<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Abort(why.into()))
}

pub fn unspecified<T>(what: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Unspecified(what.into()))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Abort(why) => f.write_str(why),
            Failure::Unspecified(what) => write!(f, "{what} is not specified"),
        }
    }
}

impl Value {
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Set(elements.into_iter().collect())
    }

    /// *An option may stand where a `T` is needed: if it is `none` there, the run aborts.*
    pub fn needed(self) -> Evaluated {
        match self {
            Value::None => abort("none where a value is needed"),
            Value::Unset => abort("a variable that nothing has been assigned to"),
            value => Ok(value),
        }
    }

    pub fn truth(self) -> Result<bool, Failure> {
        match self.needed()? {
            Value::Bool(truth) => Ok(truth),
            value => unspecified(format!("{value:?} as a truth value")),
        }
    }

    pub fn number(self) -> Result<i64, Failure> {
        match self.needed()? {
            Value::Int(number) => Ok(number),
            value => unspecified(format!("{value:?} as a number")),
        }
    }

    /// Return the elements of a collection in the order of iteration; the keys of a map.
    pub fn elements(self) -> Result<Vec<Value>, Failure> {
        match self.needed()? {
            Value::Set(elements) => Ok(elements.into_iter().collect()),
            Value::List(elements) => Ok(elements),
            Value::Map(map) => Ok(map.into_keys().collect()),
            value => unspecified(format!("{value:?} as a collection")),
        }
    }

    pub fn is_empty_braces(&self) -> bool {
        matches!(self, Value::Set(elements) if elements.is_empty())
    }
}
