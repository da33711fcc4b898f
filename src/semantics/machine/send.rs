//! Sending: the message is constructed once, and copied into a slot for each destination.

use super::draft::MAX_MESSAGE_BITS;
use super::{Chooser, Configuration, Eval, Machine};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Destination, NONE_WORD, Send, Slot, Value};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::eval::{Chance, Env, MAX_DEPTH, elements, value, word};
use crate::semantics::event::Sent;
use crate::semantics::pool::MAX_IN_TRANSIT;
use crate::source::Span;

impl Machine {
    #[inline]
    pub(super) fn send(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        send: &Send,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let kind = &instance.layout.kinds[send.kind as usize];
        self.make(instance, process, send, chooser)?;
        let bits = self.draft.count_bits(instance, send.kind);
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
                for q in instance.processes().filter(|q| *q != process) {
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
        process: ProcessId,
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
        self.draft.clear();
        self.draft.words[0] = word;
        let bits = self.draft.count_bits(instance, kind);
        let lane = instance.layout.kinds[kind as usize].lane;
        self.put(instance, configuration, kind, link, lane, bits, chooser)
    }

    /// Evaluate the fields.
    pub(super) fn make(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        send: &Send,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        self.draft.clear();
        let Machine { frame, draft, thread, joint, choices, choice_orders: told, .. } = self;
        let env = &mut Env {
            words: &mut frame.words,
            values: &mut frame.values,
            instance,
            process,
            world: None,
            neighbourhood: joint.neighbourhood.as_deref(),
            chance: Some(Chance { chooser, choices, told }),
            budget: &mut thread.budget,
        };
        let kind = &instance.program.kinds[send.kind as usize];
        for (field, e) in kind.fields.iter().zip(&send.fields) {
            match field.place {
                Slot::Word(place) => draft.words[place as usize] = word(e, env)?,
                Slot::Value(place) => draft.values[place as usize] = value(e, env)?,
            }
        }
        Ok(())
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
        let depth = self.thread.depth.saturating_add(1);
        let id = configuration.number_message();
        let slot = configuration.pool.take(kind, id, depth);
        self.draft.copy_to(configuration, slot);
        let channel = instance.layout.channel(link, lane);
        self.outbox.messages.push((channel, slot));
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

    pub(super) fn record_sent(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) {
        for (channel, slot) in &self.outbox.messages {
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
fn port_link(instance: &Instance, process: ProcessId, port: i64, span: Span) -> Eval<u32> {
    let ports = instance.network.ports(process);
    match usize::try_from(port).ok().and_then(|port| ports.get(port)) {
        Some(port) if port.out != NONE => Ok(port.out),
        Some(_) => {
            Err(Abort::new(span, format!("{process} cannot send at port {port}: this port only receives")))
        }
        None if port == NONE_WORD => Err(Abort::new(span, "the destination is none")),
        None => Err(Abort::new(span, format!("{process} has no port {port}: it has {}", ports.len()))),
    }
}

#[inline]
fn id_link(instance: &Instance, process: ProcessId, id: i64, span: Span) -> Eval<u32> {
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
fn no_way(instance: &Instance, process: ProcessId, to: ProcessId, span: Span) -> Box<super::Abort> {
    let topology = instance.network.topology();
    Abort::new(span, format!("there is no link from {process} to {to} in {topology}"))
}

#[cold]
pub(super) fn not_one(instance: &Instance, process: ProcessId, span: Span) -> Box<super::Abort> {
    let out = instance.network.ports(process).iter().filter(|port| port.out != NONE).count();
    Abort::new(
        span,
        format!("a message without destination needs exactly one outgoing port, but {process} has {out}"),
    )
}
