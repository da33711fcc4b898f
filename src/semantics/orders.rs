//! Orders for choices, as scenarios give them, and a record of the choices made, in terms of an outside observer.

use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::Value;
use crate::source::Span;

/// The next choice of a process, as ordered by a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceOrder {
    pub process: ProcessId,
    pub wanted: OrderedChoice,
    /// The position of the order in the scenario.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderedChoice {
    Value(Value),
    /// The index of the possibility, from 0.
    Number(u32),
}

/// A choice that has been made between several possibilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeChoice {
    pub process: ProcessId,
    /// The index of the possibility, from 0.
    pub number: u32,
    /// The chosen value, if the possibilities are values.
    pub value: Option<Value>,
}

/// For possibilities that are not values: commands or messages.
pub const NO_VALUE: &dyn Fn(usize) -> Option<Value> = &|_| None;

/// Pending orders, and a record of choices.
#[derive(Debug, Default)]
pub struct ChoiceOrders {
    /// Pending orders, in the order in which they were given; each process follows its own.
    waiting: Vec<ChoiceOrder>,
    /// The first order that could not be followed, and the reason.
    refused: Option<(Span, String)>,
    /// Whether orders do not determine choices, but state which steps are possible: see [`ChoiceOrders::require`].
    is_required: bool,
    /// The recorded choices; None: choices are not recorded.
    made: Option<Vec<MadeChoice>>,
}

impl ChoiceOrders {
    pub fn add(&mut self, order: ChoiceOrder) {
        self.waiting.push(order);
    }

    /// Require that the choices of the next step agree with these orders. The caller makes all choices;
    /// [`ChoiceOrders::failed_order`] then tells whether they disagree.
    pub fn require(&mut self, orders: impl Iterator<Item = ChoiceOrder>) {
        self.waiting.clear();
        self.waiting.extend(orders);
        self.refused = None;
        self.is_required = true;
    }

    /// Return whether the order of this line has not been used by a choice.
    pub fn is_waiting(&self, span: Span) -> bool {
        self.waiting.iter().any(|order| order.span == span)
    }

    /// Return the first order that has not been used by a choice.
    pub fn waiting(&self) -> Option<&ChoiceOrder> {
        self.waiting.first()
    }

    pub fn failed_order(&self) -> Option<&(Span, String)> {
        self.refused.as_ref()
    }

    /// Record choices from now on.
    pub fn keep(&mut self) {
        self.made = Some(Vec::new());
    }

    /// Return the choices made since the last call.
    pub fn take_made(&mut self) -> Vec<MadeChoice> {
        self.made.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Make a choice between at least 2 possibilities: as ordered, or else by `freely`. `value` returns the possibilities.
    #[inline]
    pub fn choose(
        &mut self,
        process: ProcessId,
        possibilities: usize,
        value: &dyn Fn(usize) -> Option<Value>,
        freely: impl FnOnce() -> usize,
    ) -> usize {
        if self.waiting.is_empty() && self.made.is_none() {
            return freely();
        }
        let ordered = if self.is_required { None } else { self.ordered(process, possibilities, value) };
        let number = ordered.map_or_else(freely, |(number, _)| number);
        self.note((process, number), possibilities, value);
        number
    }

    /// Record a choice that was made elsewhere.
    pub fn note(
        &mut self,
        (process, number): (ProcessId, usize),
        possibilities: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) {
        if self.is_required
            && let Some((ordered, span)) = self.ordered(process, possibilities, value)
            && ordered != number
        {
            self.refused.get_or_insert((span, format!("{process} chooses something else here")));
        }
        if let Some(made) = &mut self.made {
            // Several ports may lead to one process.
            let tells = |chosen: &Value| {
                let is_process = matches!(chosen, Value::Process(_));
                !is_process || (0..possibilities).filter(|i| value(*i).as_ref() == Some(chosen)).count() == 1
            };
            made.push(MadeChoice { process, number: number as u32, value: value(number).filter(tells) });
        }
    }

    #[cold]
    fn ordered(
        &mut self,
        process: ProcessId,
        possibilities: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) -> Option<(usize, Span)> {
        let next = self.waiting.iter().position(|order| order.process == process)?;
        // An order for a value waits for a choice between values.
        if matches!(self.waiting[next].wanted, OrderedChoice::Value(_)) && value(0).is_none() {
            return None;
        }
        let ChoiceOrder { wanted, span, .. } = self.waiting.remove(next);
        let found = match &wanted {
            OrderedChoice::Number(number) => Some(*number as usize).filter(|number| *number < possibilities),
            OrderedChoice::Value(wanted) => {
                (0..possibilities).find(|i| value(*i).is_some_and(|v| is_meant(wanted, &v)))
            }
        };
        if found.is_none() && self.refused.is_none() {
            let why = match wanted {
                OrderedChoice::Number(_) => format!("{process} has only {possibilities} options here"),
                OrderedChoice::Value(_) => format!("{process} cannot choose that here"),
            };
            self.refused = Some((span, why));
        }
        found.map(|number| (number, span))
    }
}

/// Convert a value to the terms of an outside observer: a port of the process becomes the process to which it leads.
pub fn to_outside_view(instance: &Instance, process: ProcessId, value: &Value) -> Value {
    let ports = instance.network.ports(process);
    match value {
        Value::Port(port) => match usize::try_from(*port).ok().and_then(|port| ports.get(port)) {
            Some(port) => Value::Process(port.peer.0.into()),
            None => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Return whether the value matches the ordered one; a number may denote an identifier.
fn is_meant(wanted: &Value, value: &Value) -> bool {
    match (wanted, value) {
        (Value::Int(a) | Value::Id(a), Value::Int(b) | Value::Id(b)) => a == b,
        _ => wanted == value,
    }
}
