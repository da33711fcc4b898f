//! Offer a message to its receiver, and select the alternatives that accept it.

use super::{Chooser, Configuration, Env, Eval, Machine, NO_VALUE, Taken};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{Candidate, Cell, Instance, Level, RoleTable};
use crate::ir::{Input, Pattern, Sender, Slot, Type, Value};
use crate::network::NO_PORT;
use crate::semantics::eval::{binders, elements, value, word};
use crate::semantics::event::Received;

/// The result of offering a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// No alternative accepts it now: it remains, and blocks later messages in a FIFO channel.
    Nobody,
    /// It remains, but later messages may be delivered before it.
    Deferred,
    /// It was taken (or fired `on arrival`) by this alternative: a position in the list of candidates.
    Taken(u32),
}

/// A message offered to register code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offered {
    pub channel: ChannelId,
    pub slot: u32,
    pub depth: u32,
}

impl Offered {
    /// No message: for commands, which bind none.
    pub const NOTHING: Offered = Offered { channel: ChannelId(0), slot: 0, depth: 0 };
}

/// The result of finding candidates without taking the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nobody,
    Deferred,
    /// The acceptable alternatives are in `Machine::acceptable`.
    Acceptable,
}

impl Machine {
    /// Offer the message at a position of a channel; if an alternative accepts it, take it, as a complete step.
    ///
    /// # Errors
    /// If a guard or the command aborts: then nothing has changed except compound variables of the receiver.
    #[inline]
    pub fn offer(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        channel: ChannelId,
        position: u32,
        wanted: Option<u32>,
        chooser: &mut dyn Chooser,
    ) -> Eval<Offer> {
        let slots = &mut configuration.slots(channel);
        let Some(slot) = (if position == 0 { slots.next() } else { slots.nth(position as usize) }) else {
            return Ok(Offer::Nobody);
        };
        let process = instance.receiver(channel);
        if Machine::vanishes(instance, configuration, channel) {
            self.vanish(instance, configuration, channel, position);
            return Ok(Offer::Taken(0));
        }
        let table = instance.table(process);
        let kind = configuration.pool.kind(slot);
        let number = table.cell_number(kind, configuration.words(process));
        let cell = table.cell(number);
        if cell.len == 0 {
            return Ok(Offer::Nobody);
        }
        self.begin(instance, configuration, process);
        let list = table.list(cell);
        let chosen = if list.len() == 1 && table.candidates[list[0] as usize].always_taken {
            let candidate = &table.candidates[list[0] as usize];
            if candidate.level.defers() {
                self.frame.give_back(configuration, process);
                return Ok(Offer::Deferred);
            }
            self.bind(instance, configuration, channel, slot, process, candidate);
            0
        } else {
            self.receipt.bound_for_guard = false;
            let found = self.find(instance, configuration, channel, slot, process, cell);
            // The guards of other alternatives leave nothing behind.
            let cleared = self.receipt.bound_for_guard;
            if cleared {
                self.clear_bound_for_guards(instance, process, cell);
            }
            let found = match found {
                Ok(found) => found,
                Err(abort) => return Err(self.roll_back(instance, configuration, process, abort)),
            };
            match found {
                Found::Nobody | Found::Deferred => {
                    self.frame.give_back(configuration, process);
                    return Ok(if found == Found::Nobody { Offer::Nobody } else { Offer::Deferred });
                }
                Found::Acceptable => {}
            }
            let chosen = match wanted {
                Some(wanted) if self.receipt.acceptable.contains(&wanted) => wanted,
                Some(_) => {
                    self.frame.give_back(configuration, process);
                    return Ok(Offer::Nobody);
                }
                None if self.receipt.acceptable.len() == 1 => self.receipt.acceptable[0],
                None => {
                    let options = self.receipt.acceptable.len();
                    self.receipt.acceptable
                        [self.choice_orders.choose(process, options, NO_VALUE, || chooser.choose(options))]
                }
            };
            let candidate = &table.candidates[list[chosen as usize] as usize];
            if cleared || !cell.exclusive || candidate.alternative.guard.is_none() {
                self.bind(instance, configuration, channel, slot, process, candidate);
            }
            chosen
        };
        self.receipt.position = chosen;
        let candidate = &table.candidates[list[chosen as usize] as usize];
        let depth = configuration.pool.depth(slot);
        let id = configuration.pool.id(slot);
        if candidate.level != Level::Arrival {
            self.receipt.taken.push(Taken { channel, position, id });
            self.thread.depth = self.thread.depth.max(depth);
        } else if self.recording {
            self.effects.arrived = Some(Received { message: id, channel });
        }
        self.effects.action = candidate.alternative.action;
        if candidate.level.ignores() {
            self.commit(instance, configuration, process);
        } else {
            let entry = candidate.alternative.entry;
            self.execute_step(instance, configuration, process, entry, chooser)?;
        }
        configuration.reached(process, self.thread.depth);
        Ok(Offer::Taken(chosen))
    }

    /// Clear the names that guards of this cell have bound. Before a message is taken, they have no values.
    #[cold]
    fn clear_bound_for_guards(&mut self, instance: &Instance, process: ProcessId, cell: Cell) {
        let table = instance.table(process);
        let role = &instance.program.roles[instance.role_of(process)];
        for number in table.list(cell) {
            self.clear(role, &table.candidates[*number as usize].bound_for_guard);
        }
    }

    /// Return all messages of a channel that can be taken now: position and alternative.
    pub(in crate::semantics) fn deliveries(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        mut found: impl FnMut(u32, u32),
    ) {
        let process = instance.receiver(channel);
        let ordered = instance.layout.keeps_order(channel);
        if Machine::vanishes(instance, configuration, channel) {
            let messages = configuration.channel(channel).count() as u32;
            (0..if ordered { 1 } else { messages }).for_each(|position| found(position, 0));
            return;
        }
        self.look(instance, configuration, process);
        for (position, slot) in (0u32..).zip(configuration.slots(channel)) {
            let offer = self.could_take(instance, configuration, channel, slot, process);
            match offer {
                // The guard aborts; executing the step reports it.
                Err(_) => found(position, 0),
                Ok(Found::Acceptable) => {
                    for alternative in std::mem::take(&mut self.receipt.acceptable) {
                        found(position, alternative);
                    }
                }
                Ok(_) => {}
            }
            if ordered && !matches!(offer, Ok(Found::Deferred)) {
                break;
            }
        }
    }

    /// Return whether the message at this position may be offered: it is the head, or the channel is unordered, or all messages
    /// before it are deferred.
    pub(in crate::semantics) fn offered(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        position: u32,
    ) -> bool {
        if position == 0 || !instance.layout.keeps_order(channel) {
            return true;
        }
        let process = instance.receiver(channel);
        self.look(instance, configuration, process);
        configuration.slots(channel).take(position as usize).all(|slot| {
            let offer = self.could_take(instance, configuration, channel, slot, process);
            matches!(offer, Ok(Found::Deferred))
        })
    }

    /// Return whether the receiver could take any message from this channel if it were at the head. Guards on message contents
    /// are not evaluated.
    pub fn listens_to(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
    ) -> bool {
        let process = instance.receiver(channel);
        let table = instance.table(process);
        let lane = instance.layout.lane_of(channel);
        self.look(instance, configuration, process);
        let words = configuration.words(process);
        let kinds = (0u32..).zip(&instance.layout.kinds).filter(|(_, kind)| kind.lane == lane);
        for (kind, _) in kinds {
            let cell = table.cell(table.cell_number(kind, words));
            for number in table.list(cell) {
                let from = match &table.candidates[*number as usize].alternative.input {
                    Input::Message { from, .. } => from,
                    _ => return true,
                };
                let env = &mut self.env(instance, process);
                let fits = match from {
                    Sender::Bind(_) | Sender::Any => true,
                    Sender::Is(wanted) => {
                        word(wanted, env).map_or(true, |wanted| wanted == sender(instance, channel))
                    }
                    Sender::Member(set) => value(set, env).map_or(true, |set| {
                        let sender = sender_value(instance, channel);
                        elements(&set).any(|item| *item == sender)
                    }),
                };
                if fits {
                    return true;
                }
            }
        }
        false
    }

    pub(super) fn could_take(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        slot: u32,
        process: ProcessId,
    ) -> Eval<Found> {
        let table = instance.table(process);
        let number = table.cell_number(configuration.pool.kind(slot), configuration.words(process));
        let cell = table.cell(number);
        self.find(instance, configuration, channel, slot, process, cell)
    }

    /// Collect the acceptable alternatives of the first level that has any. The frame contains the receiver's state.
    pub(super) fn find(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        slot: u32,
        process: ProcessId,
        cell: Cell,
    ) -> Eval<Found> {
        let table = instance.table(process);
        self.receipt.acceptable.clear();
        let mut level = None;
        for (i, number) in table.list(cell).iter().enumerate() {
            let candidate = &table.candidates[*number as usize];
            if level.is_some_and(|level| level != candidate.level) {
                break;
            }
            if matches!(candidate.alternative.input, Input::Each { .. }) {
                if self.is_gathered(instance, configuration, channel, slot, candidate) {
                    level = Some(candidate.level);
                }
                continue;
            }
            if candidate.after_earlier_of(table, &self.receipt.acceptable, cell) {
                continue;
            }
            if !self.accepts(instance, configuration, channel, slot, process, table, candidate)? {
                continue;
            }
            if candidate.level.defers() {
                return Ok(Found::Deferred);
            }
            self.receipt.acceptable.push(i as u32);
            if cell.exclusive {
                break;
            }
            level = Some(candidate.level);
        }
        Ok(if self.receipt.acceptable.is_empty() { Found::Nobody } else { Found::Acceptable })
    }

    /// Return whether a `receive … from each` waits for this message. It then remains in its channel, and lower levels do not
    /// take it.
    pub(super) fn is_gathered(
        &self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        slot: u32,
        candidate: &Candidate,
    ) -> bool {
        let Input::Each { kind, fields, set, .. } = &candidate.alternative.input else {
            return false;
        };
        let Value::Set(members) = &self.frame.values[*set as usize] else {
            return false;
        };
        members.contains(&sender_value(instance, channel))
            && fields_fit(instance, configuration.pool.values(slot), *kind, fields)
    }

    /// Return whether this candidate accepts the message. Binds its names if it has a guard.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "the hot path passes values in registers")]
    pub(super) fn accepts(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        slot: u32,
        process: ProcessId,
        table: &RoleTable,
        candidate: &Candidate,
    ) -> Eval<bool> {
        if candidate.always_taken {
            return Ok(true);
        }
        if candidate.copies.is_none()
            && !self.fits(instance, configuration, channel, slot, process, candidate)?
        {
            return Ok(false);
        }
        if let Some(guard) = &candidate.alternative.guard {
            self.receipt.bound_for_guard |= !candidate.bound_for_guard.is_empty();
            self.bind(instance, configuration, channel, slot, process, candidate);
            if word(guard, &mut self.env(instance, process))? == 0 {
                return Ok(false);
            }
        }
        for number in &candidate.earlier {
            let earlier = &table.candidates[*number as usize];
            if self.condition_holds(instance, process, &earlier.alternative)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Return whether the patterns and the sender match.
    pub(super) fn fits(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        slot: u32,
        process: ProcessId,
        candidate: &Candidate,
    ) -> Eval<bool> {
        let Input::Message { kind, fields, from } = &candidate.alternative.input else {
            return Ok(true);
        };
        let values = configuration.pool.values(slot);
        for (field, pattern) in instance.program.kinds[*kind as usize].fields.iter().zip(fields) {
            if let Slot::Value(place) = field.place
                && !binders::fits(pattern, &values[place as usize])
            {
                return Ok(false);
            }
        }
        let env = &mut self.env(instance, process);
        match from {
            Sender::Bind(_) | Sender::Any => Ok(true),
            Sender::Is(wanted) => Ok(word(wanted, env)? == sender(instance, channel)),
            Sender::Member(set) => {
                let sender = sender_value(instance, channel);
                let set = value(set, env)?;
                Ok(match &set {
                    Value::Set(items) => items.contains(&sender),
                    other => elements(other).any(|item| *item == sender),
                })
            }
        }
    }

    /// Store the parts of a matching message in the frame.
    #[inline]
    pub(super) fn bind(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        slot: u32,
        process: ProcessId,
        candidate: &Candidate,
    ) {
        if let Some(copies) = &candidate.copies {
            let words = configuration.pool.words(slot);
            for (place, to) in &copies.words {
                self.frame.words[*to as usize] = words[*place as usize];
            }
            if let Some(to) = copies.from {
                self.frame.words[to as usize] = sender(instance, channel);
            }
            return;
        }
        let Input::Message { kind, fields, from } = &candidate.alternative.input else {
            return;
        };
        self.bind_fields(instance, configuration, slot, *kind, fields, process);
        if let Sender::Bind(to) = from {
            self.frame.words[*to as usize] = sender(instance, channel);
        }
    }

    pub(super) fn bind_fields(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        slot: u32,
        kind: u32,
        patterns: &[crate::ir::Pattern],
        process: ProcessId,
    ) {
        let Env { words, values, .. } = &mut self.env(instance, process);
        let pool = &configuration.pool;
        for (field, pattern) in instance.program.kinds[kind as usize].fields.iter().zip(patterns) {
            match (field.place, pattern) {
                (Slot::Word(place), crate::ir::Pattern::Slot(Slot::Word(to))) => {
                    words[*to as usize] = pool.words(slot)[place as usize];
                }
                (Slot::Word(place), pattern) => {
                    let v = Value::from_word(&field.ty, pool.words(slot)[place as usize]);
                    binders::store(pattern, &v, words, values);
                }
                (Slot::Value(place), pattern) => {
                    binders::store(pattern, &pool.values(slot)[place as usize], words, values);
                }
            }
        }
    }
}

impl Candidate {
    /// Return whether the candidate is an `else` and an earlier one of the same list accepts the message.
    fn after_earlier_of(&self, table: &RoleTable, acceptable: &[u32], cell: Cell) -> bool {
        self.alternative.after_earlier
            && acceptable
                .iter()
                .any(|i| table.candidates[table.list(cell)[*i as usize] as usize].level == self.level)
    }
}

/// Return the sender as the receiver identifies it: its id, or the port at which the message arrived.
#[inline]
pub(super) fn sender(instance: &Instance, channel: ChannelId) -> i64 {
    let link = instance.network.link(instance.layout.link_of(channel));
    if instance.layout.by_id {
        instance.network.id(link.from)
    } else if link.to_port == NO_PORT {
        -1
    } else {
        i64::from(link.to_port)
    }
}

pub fn sender_value(instance: &Instance, channel: ChannelId) -> Value {
    let ty = if instance.layout.by_id { Type::Id } else { Type::Port };
    Value::from_word(&ty, sender(instance, channel))
}

pub(super) fn fields_fit(instance: &Instance, values: &[Value], kind: u32, patterns: &[Pattern]) -> bool {
    let fields = &instance.program.kinds[kind as usize].fields;
    fields.iter().zip(patterns).all(|(field, pattern)| match field.place {
        Slot::Value(place) => binders::fits(pattern, &values[place as usize]),
        Slot::Word(_) => true,
    })
}
