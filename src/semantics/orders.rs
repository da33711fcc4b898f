//! Choices that are ordered beforehand, as scenarios do, and those that were made, in the words of who stands outside.

use crate::instance::Instance;
use crate::ir::Value;
use crate::source::Span;

/// What a process is to choose next, as a scenario says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceOrder {
    pub process: u32,
    pub wanted: Wanted,
    /// Where it says so.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Value(Value),
    /// So manieth of the possibilities, from 0.
    Number(u32),
}

/// A choice that has been made between several possibilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub process: u32,
    /// From 0.
    pub number: u32,
    /// What was chosen, where that is a value.
    pub value: Option<Value>,
}

/// A possibility that is no value: a command, or a message.
pub const NO_VALUE: &dyn Fn(usize) -> Option<Value> = &|_| None;

/// Choices that have been ordered, and those that were made.
#[derive(Debug, Default)]
pub struct ChoiceOrders {
    /// In the order in which they were given; each process follows its own.
    waiting: Vec<ChoiceOrder>,
    /// The first order that could not be followed, and why.
    refused: Option<(Span, String)>,
    /// None: nobody wants to know.
    made: Option<Vec<Made>>,
}

impl ChoiceOrders {
    pub fn add(&mut self, order: ChoiceOrder) {
        self.waiting.push(order);
    }

    /// The first order that no choice has come for.
    pub fn waiting(&self) -> Option<&ChoiceOrder> {
        self.waiting.first()
    }

    pub fn refused(&self) -> Option<&(Span, String)> {
        self.refused.as_ref()
    }

    /// From now on the choices are kept that are made.
    pub fn keep(&mut self) {
        self.made = Some(Vec::new());
    }

    /// Those made since it was asked last.
    pub fn take_made(&mut self) -> Vec<Made> {
        self.made.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Makes a choice between so many possibilities, at least 2: as ordered, or else as `freely` says. `value`: what they are.
    #[inline]
    pub fn choose(
        &mut self,
        process: u32,
        possibilities: usize,
        value: &dyn Fn(usize) -> Option<Value>,
        freely: impl FnOnce() -> usize,
    ) -> usize {
        if self.waiting.is_empty() && self.made.is_none() {
            return freely();
        }
        let number = match self.ordered(process, possibilities, value) {
            Some(number) => number,
            None => freely(),
        };
        self.note((process, number), possibilities, value);
        number
    }

    /// Somebody else has made this choice.
    pub fn note(
        &mut self,
        (process, number): (u32, usize),
        possibilities: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) {
        if let Some(made) = &mut self.made {
            // Several ports may lead to one process.
            let tells = |chosen: &Value| {
                let is_process = matches!(chosen, Value::Process(_));
                !is_process || (0..possibilities).filter(|i| value(*i).as_ref() == Some(chosen)).count() == 1
            };
            made.push(Made { process, number: number as u32, value: value(number).filter(tells) });
        }
    }

    #[cold]
    fn ordered(
        &mut self,
        process: u32,
        possibilities: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) -> Option<usize> {
        let next = self.waiting.iter().position(|order| order.process == process)?;
        // Where no value is chosen, an order for a value waits.
        if matches!(self.waiting[next].wanted, Wanted::Value(_)) && value(0).is_none() {
            return None;
        }
        let ChoiceOrder { wanted, span, .. } = self.waiting.remove(next);
        let found = match &wanted {
            Wanted::Number(number) => Some(*number as usize).filter(|number| *number < possibilities),
            Wanted::Value(wanted) => {
                (0..possibilities).find(|i| value(*i).is_some_and(|v| is_meant(wanted, &v)))
            }
        };
        if found.is_none() && self.refused.is_none() {
            let why = match wanted {
                Wanted::Number(_) => format!("p{process} chooses between {possibilities} here"),
                Wanted::Value(_) => format!("p{process} cannot choose that here"),
            };
            self.refused = Some((span, why));
        }
        found
    }
}

/// A value as those say it who stand outside: a port of the process is called after the process it leads to.
pub fn from_outside(instance: &Instance, process: u32, value: &Value) -> Value {
    let ports = instance.network.ports(process);
    match value {
        Value::Port(port) => match usize::try_from(*port).ok().and_then(|port| ports.get(port)) {
            Some(port) => Value::Process(port.peer.into()),
            None => value.clone(),
        },
        _ => value.clone(),
    }
}

/// A number may stand for an identifier.
fn is_meant(wanted: &Value, value: &Value) -> bool {
    match (wanted, value) {
        (Value::Int(a) | Value::Id(a), Value::Int(b) | Value::Id(b)) => a == b,
        _ => wanted == value,
    }
}
