//! Sending: the message is constructed once, and copied into a slot for each destination.

use super::{Chooser, Configuration, Eval, Machine};
use crate::instance::{Instance, Number};
use crate::ir::{Destination, NONE_WORD, Send, Slot, Value};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::eval::{Chance, Env, MAX_DEPTH, elements, value, word};
use crate::semantics::event::Sent;
use crate::semantics::metrics::{digits, log2_ceil};
use crate::semantics::pool::MAX_IN_TRANSIT;
use crate::source::Span;

/// Maximum size of a message: 32 megabytes. Counting its bits takes a tenth of a second for each send.
const MAX_MESSAGE_BITS: u32 = 1 << 28;

impl Machine {
    #[inline]
    pub(super) fn send(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        send: &Send,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let kind = &instance.layout.kinds[send.kind as usize];
        self.make(instance, process, send, chooser)?;
        let bits = self.count_bits(instance, send.kind);
        if bits > MAX_MESSAGE_BITS {
            return Err(too_large(send.span));
        }
        if configuration.pool.is_full() {
            return Err(too_many_under_way(send.span));
        }
        let lane = kind.lane;
        match &send.to {
            Destination::Only => {
                let link = instance.only_out(process);
                if link == NONE {
                    return Err(not_one(instance, process, send.span));
                }
                self.put(instance, configuration, send.kind, link, lane, bits, chooser)?;
            }
            Destination::Port(port) => {
                let port = word(port, &mut self.command_env(instance, process, chooser))?;
                let link = port_link(instance, process, port, send.span)?;
                self.put(instance, configuration, send.kind, link, lane, bits, chooser)?;
            }
            Destination::Id(id) => {
                let id = word(id, &mut self.command_env(instance, process, chooser))?;
                let link = id_link(instance, process, id, send.span)?;
                self.put(instance, configuration, send.kind, link, lane, bits, chooser)?;
            }
            Destination::Ports(set) => {
                let set = value(set, &mut self.command_env(instance, process, chooser))?;
                for port in elements(&set) {
                    let link = port_link(instance, process, port.word(), send.span)?;
                    self.put(instance, configuration, send.kind, link, lane, bits, chooser)?;
                }
            }
            Destination::Ids(set) => {
                let set = value(set, &mut self.command_env(instance, process, chooser))?;
                for id in elements(&set) {
                    let link = id_link(instance, process, id.word(), send.span)?;
                    self.put(instance, configuration, send.kind, link, lane, bits, chooser)?;
                }
            }
            Destination::Neighbours => {
                for port in instance.network.ports(process) {
                    if port.out != NONE {
                        self.put(instance, configuration, send.kind, port.out, lane, bits, chooser)?;
                    }
                }
            }
            Destination::NeighboursExcept(except) => {
                let env = &mut self.command_env(instance, process, chooser);
                let except = if except.ty.is_word() {
                    Value::list([Value::Port(word(except, env)?)])
                } else {
                    value(except, env)?
                };
                for (k, port) in (0i64..).zip(instance.network.ports(process)) {
                    if port.out != NONE && !elements(&except).any(|e| e.word() == k) {
                        self.put(instance, configuration, send.kind, port.out, lane, bits, chooser)?;
                    }
                }
            }
            Destination::Others => {
                for q in (0..instance.n()).filter(|q| *q != process) {
                    let Some(link) = instance.network.link_to(process, q) else {
                        return Err(no_way(instance, process, q, send.span));
                    };
                    self.put(instance, configuration, send.kind, link, lane, bits, chooser)?;
                }
            }
        }
        Ok(())
    }

    /// Send a message of one word to the only port, if other kinds have more words, or there are self links.
    pub(super) fn send_word(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        (kind, word): (u32, i64),
        span: Span,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let link = instance.only_out(process);
        if link == NONE {
            return Err(not_one(instance, process, span));
        }
        if configuration.pool.is_full() {
            return Err(too_many_under_way(span));
        }
        self.message_words.fill(0);
        self.message_words[0] = word;
        self.message_values.fill(Value::None);
        let bits = self.count_bits(instance, kind);
        let lane = instance.layout.kinds[kind as usize].lane;
        self.put(instance, configuration, kind, link, lane, bits, chooser)
    }

    /// Evaluate the fields.
    pub(super) fn make(
        &mut self,
        instance: &Instance,
        process: u32,
        send: &Send,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let Machine {
            words,
            values,
            message_words,
            message_values,
            choices,
            choice_orders: told,
            neighbourhood: around,
            budget,
            ..
        } = self;
        message_words.fill(0);
        message_values.fill(Value::None);
        let chance = Some(Chance { chooser, choices, told });
        let around = around.as_deref();
        let env =
            &mut Env { words, values, instance, process, world: None, neighbourhood: around, chance, budget };
        let kind = &instance.program.kinds[send.kind as usize];
        for (field, e) in kind.fields.iter().zip(&send.fields) {
            match field.place {
                Slot::Word(place) => message_words[place as usize] = word(e, env)?,
                Slot::Value(place) => message_values[place as usize] = value(e, env)?,
            }
        }
        Ok(())
    }

    /// Return the number of bits of the current message: see [`crate::semantics::Metrics`].
    #[inline]
    pub(super) fn count_bits(&self, instance: &Instance, kind: u32) -> u32 {
        let kind = &instance.layout.kinds[kind as usize];
        let mut bits = kind.fixed_bits;
        for (place, number) in &kind.number_words {
            let w = self.message_words[*place as usize];
            bits += match number {
                Number::Plain => 1 + digits(w),
                Number::Optional if w == NONE_WORD => 1,
                Number::Optional => 2 + digits(w),
            };
        }
        for v in &self.message_values[..kind.values] {
            value_bits(instance, v, MAX_DEPTH, &mut bits);
        }
        for place in &kind.optional_ints {
            bits += u32::from(self.message_values[*place as usize] != Value::None);
        }
        bits
    }

    /// Copy the message to one link, without counting it.
    #[inline]
    pub(super) fn copy_out(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        kind: u32,
        link: u32,
        lane: u32,
    ) {
        let depth = self.depth.saturating_add(1);
        let id = configuration.number_message();
        let slot = configuration.pool.take(kind, id, depth);
        configuration.pool.words_mut(slot).copy_from_slice(&self.message_words);
        if !self.message_values.is_empty() {
            configuration.pool.values_mut(slot).clone_from_slice(&self.message_values);
        }
        let channel = instance.layout.channel(link, lane);
        self.outbox.push((channel, slot));
        self.metrics.time = self.metrics.time.max(depth);
    }

    /// Create the message for one link; it is appended to its channel when the command ends.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "the hot path passes values in registers")]
    fn put(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        kind: u32,
        link: u32,
        lane: u32,
        bits: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        if self.special.active && !self.crash_point(instance, configuration, kind, link, chooser)? {
            return Ok(());
        }
        self.copy_out(instance, configuration, kind, link, lane);
        if instance.is_self_link(link) {
            self.metrics.to_self[kind as usize] += 1;
        } else {
            self.metrics.sent[kind as usize] += 1;
            self.metrics.bits[kind as usize] += u64::from(bits);
        }
        Ok(())
    }

    pub(super) fn record_sent(&mut self, instance: &Instance, configuration: &Configuration, process: u32) {
        for (channel, slot) in &self.outbox {
            self.effects.sent.push(Sent {
                message: configuration.pool.id(*slot),
                kind: configuration.pool.kind(*slot),
                channel: *channel,
                from: process,
                to: instance.receiver(*channel),
            });
        }
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

#[cold]
fn too_large(span: Span) -> Box<super::Abort> {
    Abort::new(
        span,
        format!(
            "this message is too large: it has more than {MAX_MESSAGE_BITS} bits, or more than {MAX_DEPTH} levels of nesting"
        ),
    )
}

#[cold]
pub(super) fn too_many_under_way(span: Span) -> Box<super::Abort> {
    Abort::new(
        span,
        format!(
            "more than {MAX_IN_TRANSIT} messages in transit: they are sent faster than they are received"
        ),
    )
}

#[inline]
fn port_link(instance: &Instance, process: u32, port: i64, span: Span) -> Eval<u32> {
    let ports = instance.network.ports(process);
    match usize::try_from(port).ok().and_then(|port| ports.get(port)) {
        Some(port) if port.out != NONE => Ok(port.out),
        Some(_) => {
            Err(Abort::new(span, format!("p{process} cannot send at port {port}: this port only receives")))
        }
        None if port == NONE_WORD => Err(Abort::new(span, "the destination is none")),
        None => Err(Abort::new(span, format!("p{process} has no port {port}: it has {}", ports.len()))),
    }
}

#[inline]
fn id_link(instance: &Instance, process: u32, id: i64, span: Span) -> Eval<u32> {
    let Some(to) = instance.network.process_with_id(id) else {
        return Err(Abort::new(
            span,
            if id == NONE_WORD {
                "the destination is none".into()
            } else {
                format!("no process has the id {id}")
            },
        ));
    };
    match instance.network.link_to(process, to) {
        Some(link) => Ok(link),
        None => Err(no_way(instance, process, to, span)),
    }
}

#[cold]
fn no_way(instance: &Instance, process: u32, to: u32, span: Span) -> Box<super::Abort> {
    let topology = instance.network.topology();
    Abort::new(span, format!("there is no link from p{process} to p{to} in {topology}"))
}

#[cold]
pub(super) fn not_one(instance: &Instance, process: u32, span: Span) -> Box<super::Abort> {
    let out = instance.network.ports(process).iter().filter(|port| port.out != NONE).count();
    Abort::new(
        span,
        format!("a message without destination needs exactly one outgoing port, but p{process} has {out}"),
    )
}
