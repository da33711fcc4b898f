//! The message under construction.

use super::Configuration;
use crate::instance::{Instance, Number};
use crate::ir::{NONE_WORD, Value};
use crate::semantics::eval::MAX_DEPTH;
use crate::semantics::metrics::{digits, log2_ceil};

/// Maximum size of a message: 32 megabytes. Counting its bits takes a tenth of a second for each send.
pub(super) const MAX_MESSAGE_BITS: u32 = 1 << 28;

#[derive(Debug)]
pub(super) struct Draft {
    pub words: Vec<i64>,
    pub values: Vec<Value>,
}

impl Draft {
    pub fn new(instance: &Instance) -> Draft {
        let layout = &instance.layout;
        Draft { words: vec![0; layout.message_words], values: vec![Value::None; layout.message_values] }
    }

    #[inline]
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.values.fill(Value::None);
    }

    /// Copy the message to its slot in the pool.
    #[inline]
    pub fn copy_to(&self, configuration: &mut Configuration, slot: u32) {
        configuration.pool.words_mut(slot).copy_from_slice(&self.words);
        if !self.values.is_empty() {
            configuration.pool.values_mut(slot).clone_from_slice(&self.values);
        }
    }

    /// Return the number of bits of the message: see [`crate::semantics::Metrics`].
    #[inline]
    pub fn count_bits(&self, instance: &Instance, kind: u32) -> u32 {
        let kind = &instance.layout.kinds[kind as usize];
        let mut bits = kind.fixed_bits;
        for (place, number) in &kind.number_words {
            let w = self.words[*place as usize];
            bits += match number {
                Number::Plain => 1 + digits(w),
                Number::Optional if w == NONE_WORD => 1,
                Number::Optional => 2 + digits(w),
            };
        }
        for v in &self.values[..kind.values] {
            value_bits(instance, v, MAX_DEPTH, &mut bits);
        }
        for place in &kind.optional_ints {
            bits += u32::from(self.values[*place as usize] != Value::None);
        }
        bits
    }
}

/// Add the bits of a field that does not fit a word. Stops counting beyond the maximum: since parts are shared, a value that is
/// small in memory may be enormous when written out.
fn value_bits(instance: &Instance, value: &Value, depth: u32, bits: &mut u32) {
    let own = match value {
        Value::None | Value::Bool(_) => 1,
        Value::Int(w) | Value::Id(w) | Value::Port(w) | Value::Process(w) | Value::Event(w) => 1 + digits(*w),
        Value::Case(of, _) => log2_ceil(instance.program.enums[*of as usize].cases.len() as u64),
        Value::Text(text) => 32 + 8 * text.len() as u32,
        Value::Tuple(_) | Value::Record(..) => 0,
        Value::Message(..) => log2_ceil(instance.program.kinds.len() as u64),
        Value::List(_) | Value::Set(_) | Value::Map(_) => 32,
    };
    *bits = if depth == 0 { u32::MAX } else { bits.saturating_add(own) };
    let mut inner = |value: &Value| {
        if *bits <= MAX_MESSAGE_BITS {
            value_bits(instance, value, depth - 1, bits);
        }
    };
    match value {
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => {
            parts.iter().for_each(inner)
        }
        Value::List(items) => items.iter().for_each(inner),
        Value::Set(items) => items.iter().for_each(inner),
        Value::Map(items) => items.iter().for_each(|(key, value)| {
            inner(key);
            inner(value);
        }),
        _ => {}
    }
}
