//! Steps that do not choose a message: conditions, pauses, wake-ups, `receive … from each`, calls of operations from outside, and
//! notes.

use super::pairs::Responder;
use super::receive::{Found, fields_fit, sender_value};
use super::{Chooser, Configuration, Eval, Machine, NO_VALUE, Taken};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{ExecutionModel, Instance, RoleTable};
use crate::ir::{Alternative, Binder, Expr, Input, Operation, PC, Slot, Target, Value};
use crate::network::NONE;
use crate::semantics::abort::StepError;
use crate::semantics::eval::{binders, elements, value, word};
use crate::semantics::event::{Cause, Event, NO_ACTION};
use crate::semantics::orders::to_outside_view;
use smallvec::SmallVec;

/// Messages of one channel of which a `receive … from each` takes one, and whether the run permits each to be taken now.
type Offered = SmallVec<[(Taken, bool); 1]>;

/// A cause with an alternative: the position among those of the cause at the process.
pub type Possible = (Cause, u32);

impl Machine {
    /// Return the internal steps that a process can take now, in order: wake-ups, conditions, gatherings. A guard that aborts
    /// counts as true; executing the step reports it.
    pub fn internal(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        found: &mut Vec<Possible>,
    ) {
        let table = instance.table(process);
        // In rounds, waiting points end with rounds; only wake-ups remain, between the rounds.
        let rounds = instance.model.rounds();
        if !table.internal || (rounds && (!configuration.may_wake(process) || configuration.in_joint_step()))
        {
            return;
        }
        let words = configuration.words(process);
        let (mut wakeups, mut conditions, mut gathers) = (0, 0, 0);
        let mut loaded = false;
        for place in table.places(words) {
            let asleep = configuration.may_wake(process);
            let wake = if asleep { place.wakeups.as_slice() } else { &[] };
            if wake.is_empty() && (rounds || (place.conditions.is_empty() && place.gathers.is_empty())) {
                wakeups += place.wakeups.len() as u32;
                continue;
            }
            if !loaded {
                self.look(instance, configuration, process);
                loaded = true;
            }
            for number in wake {
                if self.guard_holds(instance, process, table, *number).unwrap_or(true) {
                    found.push((Cause::Wakeup, wakeups));
                }
                wakeups += 1;
            }
            if rounds {
                continue;
            }
            for number in &place.conditions {
                if self.condition_open(instance, process, table, *number).unwrap_or(true) {
                    found.push((Cause::Internal, conditions));
                }
                conditions += 1;
            }
            for number in &place.gathers {
                let gathered = self.gather(instance, configuration, process, table, *number);
                if gathered.map_or(true, |taken| taken.is_some()) {
                    found.push((Cause::Gather, gathers));
                }
                gathers += 1;
            }
        }
        if let Some(faults) = &configuration.environment.faults {
            if faults.misleads(process) && !configuration.crashed(process) {
                found.push((Cause::EndMislead, 0));
            }
            self.detections(instance, configuration, process, false, found);
        }
    }

    /// Execute an internal step. False: it is not possible now.
    ///
    /// # Errors
    /// If a guard or the command aborts.
    pub fn fire(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        possible: &Possible,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        if matches!(possible.0, Cause::Suspect { .. } | Cause::Trust { .. } | Cause::EndMislead) {
            let event = Event { alternative: possible.1, ..Event::new(process, possible.0.clone()) };
            return self.execute_fault(instance, configuration, &event, chooser);
        }
        match instance.model.execution {
            ExecutionModel::Single => self.fire_chosen(instance, configuration, process, possible, chooser),
            ExecutionModel::Rounds => {
                if possible.0 != Cause::Wakeup || configuration.in_joint_step() {
                    return Ok(false);
                }
                let fired = self.fire_chosen(instance, configuration, process, possible, chooser)?;
                if fired {
                    self.schedule_timeout(instance, configuration, process);
                }
                Ok(fired)
            }
            ExecutionModel::Daemon(_) if instance.model.is_joint() => Ok(false),
            ExecutionModel::Daemon(_) | ExecutionModel::Pairs => {
                let fired = self.fire_chosen(instance, configuration, process, possible, chooser)?;
                if fired {
                    let changed: SmallVec<[ProcessId; 2]> = self.changed(process).collect();
                    self.has_moved(instance, configuration, process, &changed);
                }
                Ok(fired)
            }
        }
    }

    /// The same without additions of the execution model.
    pub(super) fn fire_chosen(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        possible: &Possible,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let table = instance.table(process);
        let Some(number) = numbered(table, configuration.words(process), possible) else {
            return Ok(false);
        };
        let candidate = &table.candidates[number as usize];
        let alternative = &candidate.alternative;
        self.begin(instance, configuration, process);
        let ready = match possible.0 {
            Cause::Wakeup if !configuration.may_wake(process) => Ok(false),
            Cause::Wakeup => self.guard_holds(instance, process, table, number),
            Cause::Internal => self.choose_element(instance, process, table, number, chooser),
            Cause::Timeout => match &configuration.environment.clock {
                Some(clock) if candidate.timer.is_some_and(|timer| clock.has_run_out(process, timer, 0)) => {
                    self.timeout_open(instance, process, number)
                }
                _ => Ok(false),
            },
            _ => match self.gather(instance, configuration, process, table, number) {
                Ok(Some(offered)) => {
                    self.receipt.taken = self.choose_gathered(configuration, process, offered, chooser);
                    self.store_gathered(instance, configuration, process, alternative, chooser).map(|()| true)
                }
                Ok(None) => Ok(false),
                Err(abort) => Err(abort),
            },
        };
        match ready {
            Ok(true) => {}
            Ok(false) => {
                self.frame.give_back(configuration, process);
                return Ok(false);
            }
            Err(abort) => return Err(self.roll_back(instance, configuration, process, abort)),
        }
        self.effects.action = alternative.action;
        if let (Cause::Timeout, Some(timer)) = (&possible.0, candidate.timer) {
            // The timer has expired and is disarmed; settings by the command come later.
            self.special.timers.push((timer, None));
        }
        self.execute_step(instance, configuration, process, alternative.entry, chooser)?;
        match possible.0 {
            Cause::Wakeup => {
                configuration.wake(process);
                self.metrics.wakeups += 1;
            }
            Cause::Gather if !self.receipt.taken.is_empty() => {
                configuration.reached(process, self.thread.depth)
            }
            _ => {}
        }
        Ok(true)
    }

    /// Return whether a `receive … from each` of the receiver waits for the message at this position.
    pub fn awaits(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        position: u32,
    ) -> bool {
        let process = instance.receiver(channel);
        let table = instance.table(process);
        let Some(slot) = configuration.slots(channel).nth(position as usize) else {
            return false;
        };
        self.look(instance, configuration, process);
        let cell = table.cell(table.cell_number(configuration.pool.kind(slot), configuration.words(process)));
        table.list(cell).iter().any(|number| {
            self.is_gathered(instance, configuration, channel, slot, &table.candidates[*number as usize])
        })
    }

    /// Return the members of the set in this slot whose message a `receive … from each` still waits for.
    pub fn missing(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        set: u16,
    ) -> Vec<ProcessId> {
        let Some(Value::Set(members)) = configuration.values(process).get(set as usize) else {
            return Vec::new();
        };
        let mut found: Vec<(Value, ProcessId, bool)> = Vec::new();
        for channel in instance.incoming(process) {
            let member = sender_value(instance, channel);
            if !members.contains(&member) {
                continue;
            }
            let waiting = configuration.channel(channel).count() as u32;
            let is_there = (0..waiting).any(|at| self.awaits(instance, configuration, channel, at));
            match found.iter_mut().find(|(known, ..)| *known == member) {
                // The member has channels for several layers.
                Some((.., known)) => *known |= is_there,
                None => found.push((member, instance.sender(channel), is_there)),
            }
        }
        found.into_iter().filter(|(.., is_there)| !is_there).map(|(_, sender, _)| sender).collect()
    }

    pub(super) fn guard_holds(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        table: &RoleTable,
        number: u32,
    ) -> Eval<bool> {
        match &table.candidates[number as usize].alternative.guard {
            Some(guard) => Ok(word(guard, &mut self.env(instance, process))? != 0),
            None => Ok(true),
        }
    }

    /// Return whether a Boolean alternative holds, for some element if it has one.
    pub(super) fn condition_holds(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        alternative: &Alternative,
    ) -> Eval<bool> {
        match &alternative.input {
            Input::Condition { some: Some(binder) } => {
                let guard = alternative.guard.as_ref();
                Ok(!self.elements_open(instance, process, binder, guard)?.is_empty())
            }
            Input::Interaction { responder, mirrors } => {
                let guard = alternative.guard.as_ref();
                Ok(!self.responders(instance, process, *responder, mirrors, guard, 1).is_empty())
            }
            _ => match &alternative.guard {
                Some(guard) => Ok(word(guard, &mut self.env(instance, process))? != 0),
                None => Ok(true),
            },
        }
    }

    /// The same, taking `else` into account.
    fn condition_open(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        table: &RoleTable,
        number: u32,
    ) -> Eval<bool> {
        let candidate = &table.candidates[number as usize];
        for earlier in &candidate.earlier {
            let earlier = &table.candidates[*earlier as usize].alternative;
            if self.condition_holds(instance, process, earlier)? {
                return Ok(false);
            }
        }
        self.condition_holds(instance, process, &candidate.alternative)
    }

    /// Return the elements for which the guard holds.
    fn elements_open(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        binder: &Binder,
        guard: Option<&Expr>,
    ) -> Eval<Vec<Value>> {
        let env = &mut self.env(instance, process);
        let set = value(&binder.set, env)?;
        let mut open = Vec::new();
        for element in elements(&set) {
            if !binders::bind(&binder.pattern, element, env.words, env.values) {
                continue;
            }
            if guard.map_or(Ok(1), |guard| word(guard, env))? != 0 {
                open.push(element.clone());
            }
        }
        Ok(open)
    }

    /// Re-evaluate a Boolean alternative and bind an element for which it holds, by choice.
    fn choose_element(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        table: &RoleTable,
        number: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        if !self.condition_open(instance, process, table, number)? {
            return Ok(false);
        }
        let alternative = &table.candidates[number as usize].alternative;
        let guard = alternative.guard.as_ref();
        if let Input::Interaction { responder, mirrors } = &alternative.input {
            let mut open = self.responders(instance, process, *responder, mirrors, guard, usize::MAX);
            let met = |i: usize| Some(to_outside_view(instance, process, &Value::Port(open[i].port.into())));
            let chosen = self.choose(process, chooser, open.len(), &met);
            let Responder { process: met, port, abort } = open.swap_remove(chosen);
            self.effects.responder = Some(met);
            self.joint.interaction = number;
            if let Some(abort) = abort {
                self.effects.action = alternative.action;
                return Err(abort);
            }
            self.begin_interaction(instance, process, *responder, mirrors, port)?;
        }
        if let Input::Condition { some: Some(binder) } = &alternative.input {
            let open = self.elements_open(instance, process, binder, guard)?;
            let element = &open[self.choose(process, chooser, open.len(), &|i| {
                Some(to_outside_view(instance, process, &open[i]))
            })];
            binders::bind(&binder.pattern, element, &mut self.frame.words, &mut self.frame.values);
        }
        Ok(true)
    }

    /// Return the choice that selects a responder in the interaction of an event: its index among the neighbours that the guard
    /// admits. `None`: there is no other one, and so no choice.
    pub fn choice_of_responder(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        event: &Event,
        met: ProcessId,
    ) -> Option<u32> {
        let process = event.process;
        self.look(instance, configuration, process);
        let table = instance.table(process);
        let possible = (event.cause.clone(), event.alternative);
        let number = numbered(table, configuration.words(process), &possible)?;
        let alternative = &table.candidates[number as usize].alternative;
        let Input::Interaction { responder, mirrors } = &alternative.input else { return None };
        let guard = alternative.guard.as_ref();
        let open = self.responders(instance, process, *responder, mirrors, guard, usize::MAX);
        let place = (0..).zip(&open).find(|(_, one)| one.process == met).map(|(place, _)| place);
        place.filter(|_| open.len() > 1)
    }

    /// Return the messages that a `receive … from each` may take, by member of its set. `None`: some member has no such message.
    pub(super) fn gather(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        table: &RoleTable,
        number: u32,
    ) -> Eval<Option<Vec<Offered>>> {
        let alternative = &table.candidates[number as usize].alternative;
        let Input::Each { kind, set, .. } = &alternative.input else {
            return Ok(None);
        };
        if !self.guard_holds(instance, process, table, number)? {
            return Ok(None);
        }
        let set = self.frame.values[*set as usize].clone();
        let mut offered = Vec::new();
        for member in elements(&set) {
            let Some(channel) = channel_from(instance, process, member, *kind) else {
                return Ok(None);
            };
            let messages = self.offered_in(instance, configuration, process, channel, &alternative.input)?;
            if !messages.iter().any(|(_, is_free)| *is_free) {
                return Ok(None);
            }
            offered.push(messages);
        }
        Ok(Some(offered))
    }

    /// Return the messages of one channel that a `receive … from each` may take: all matching ones, or in a FIFO channel the
    /// first that is not deferred.
    fn offered_in(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        channel: ChannelId,
        input: &Input,
    ) -> Eval<Offered> {
        let mut offered = Offered::new();
        let Input::Each { kind, fields, .. } = input else { return Ok(offered) };
        let ordered = instance.layout.keeps_order(channel);
        for (position, slot) in (0u32..).zip(configuration.slots(channel)) {
            let pool = &configuration.pool;
            let id = pool.id(slot);
            let is_free = !self.is_kept_back(id);
            let fits = pool.kind(slot) == *kind
                && fields_fit(instance, pool.values(slot), *kind, fields)
                && (!self.special.active || self.may_have_come(configuration, id));
            if fits && (is_free || !ordered) {
                offered.push((Taken { channel, position, id }, is_free));
            }
            if ordered
                && (fits
                    || !is_free
                    || self.could_take(instance, configuration, channel, slot, process)? != Found::Deferred)
            {
                break;
            }
        }
        Ok(offered)
    }

    /// Choose one message of each channel. Choices are numbered by content, so that they mean the same in all configurations that
    /// differ only in the order of messages. They count messages that a run holds back, so that they mean the same in its replay.
    fn choose_gathered(
        &mut self,
        configuration: &Configuration,
        process: ProcessId,
        offered: Vec<Offered>,
        chooser: &mut dyn Chooser,
    ) -> Vec<Taken> {
        let mut chosen = Vec::with_capacity(offered.len());
        for mut messages in offered {
            if messages.len() == 1 {
                chosen.push(messages[0].0);
                continue;
            }
            let order = configuration.by_content(messages[0].0.channel);
            messages.sort_by_key(|(taken, _)| order.iter().position(|position| *position == taken.position));
            let free: SmallVec<[usize; 4]> = (0..messages.len()).filter(|i| messages[*i].1).collect();
            let number = match free.len() {
                1 => free[0],
                options => {
                    free[self.choice_orders.choose(process, options, NO_VALUE, || chooser.choose(options))]
                }
            };
            self.choices.push(number as u32);
            chosen.push(messages[number].0);
        }
        chosen
    }

    /// Store the contents of the taken messages, member by member.
    fn store_gathered(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        alternative: &Alternative,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let Input::Each { kind, fields, set, member, store } = &alternative.input else {
            return Ok(());
        };
        let set = self.frame.values[*set as usize].clone();
        for (i, from) in elements(&set).enumerate() {
            let taken = self.receipt.taken[i];
            let mut slots = configuration.slots(taken.channel);
            let Some(slot) = slots.nth(taken.position as usize) else {
                continue;
            };
            self.frame.words[*member as usize] = from.word();
            self.bind_fields(instance, configuration, slot, *kind, fields, process);
            self.thread.depth = self.thread.depth.max(configuration.pool.depth(slot));
            for (place, e) in store {
                let place: &Target = place;
                self.assign(instance, process, place, e, chooser)?;
            }
        }
        Ok(())
    }

    /// Exclude these messages, and only these, from `receive … from each`.
    pub fn hold(&mut self, messages: impl Iterator<Item = MessageId>) {
        self.special.held.clear();
        self.special.held.extend(messages);
    }

    /// Call an operation from outside, at a process whose thread is idle.
    ///
    /// # Errors
    /// Also if the process is busy or has no such operation.
    pub fn call(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        operation: u16,
        args: &[Value],
        chooser: &mut dyn Chooser,
    ) -> Result<(), StepError> {
        let role = &instance.program.roles[instance.role_of(process)];
        let Some(Operation { name, params, .. }) = instance.program.operations.get(operation as usize) else {
            return Err(StepError::Impossible(format!("operation number {operation} does not exist")));
        };
        let Some(entry) = role.operations.get(operation as usize).and_then(Option::as_ref) else {
            return Err(StepError::Impossible(format!("{process} has no operation {name}")));
        };
        let fit = params.len() == args.len() && params.iter().zip(args).all(|(ty, arg)| arg.has_type(ty));
        if !fit {
            return Err(StepError::Impossible(format!(
                "the arguments of {name} have the wrong number or types"
            )));
        }
        if configuration.pc(process) != 0 {
            let what = match usize::try_from(configuration.pc(process)) {
                Ok(pc) => format!("it is waiting at «{}»", role.waits[pc].text),
                Err(_) if configuration.crashed(process) => "it has crashed".into(),
                Err(_) => "it has halted".into(),
            };
            return Err(StepError::Impossible(format!("{process} cannot start {name}: {what}")));
        }
        self.begin(instance, configuration, process);
        for (slot, arg) in entry.params.iter().zip(args) {
            match slot {
                Slot::Word(slot) => self.frame.words[*slot as usize] = arg.word(),
                Slot::Value(slot) => self.frame.values[*slot as usize] = arg.clone(),
            }
        }
        self.frame.words[entry.return_slot as usize] = 0;
        self.effects.action = NO_ACTION;
        Ok(self.execute_step(instance, configuration, process, entry.pc, chooser)?)
    }
}

/// Return the alternative for a cause and its position, at a process with these words.
fn numbered(table: &RoleTable, words: &[i64], possible: &Possible) -> Option<u32> {
    debug_assert_eq!(PC, 0);
    table
        .places(words)
        .flat_map(|place| match possible.0 {
            Cause::Wakeup => &place.wakeups,
            Cause::Internal => &place.conditions,
            Cause::Timeout => &place.timeouts,
            _ => &place.gathers,
        })
        .nth(possible.1 as usize)
        .copied()
}

/// Return the channel on which messages of a kind arrive from a port, or from the process with an id.
fn channel_from(instance: &Instance, process: ProcessId, from: &Value, kind: u32) -> Option<ChannelId> {
    let network = &instance.network;
    let link = match from {
        Value::Port(port) => {
            let port = *network.ports(process).get(usize::try_from(*port).ok()?)?;
            (port.incoming != NONE).then_some(port.incoming)?
        }
        other => network.link_to(network.process_with_id(other.word())?, process)?,
    };
    Some(instance.layout.channel(link, instance.layout.kinds[kind as usize].lane))
}
