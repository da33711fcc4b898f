//! Component tables of the state encoding. A configuration is a short vector of ids: for each process its local state, then for
//! each process its inbox (the contents of all its incoming channels). In practice few distinct local states and inboxes make
//! up very many configurations.

use crate::explore::store::inbox;
use crate::explore::store::inbox::{Inbox, List};
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::ir::Value;
use crate::semantics::environment::OnAir;
use crate::semantics::{Configuration, MessageRef};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// The local state of one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    pub words: Box<[i64]>,
    pub values: Box<[Value]>,
    pub wake_state: i64,
    /// By timer: the remaining time if it is armed; 0 in models without time.
    pub timers: Box<[Option<u64>]>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Message {
    pub kind: u32,
    pub words: Box<[i64]>,
    pub values: Box<[Value]>,
    /// Id of the causal past of its sender, if needed (`monitor::auxiliary`); otherwise 0.
    pub past: u32,
    /// In systems with time: the remaining times until it may and must arrive. `u64::MAX`: it need not arrive.
    pub arrival: Option<(u64, u64)>,
    /// Whether it belongs to the round after the one that is ending. False if such messages have an inbox of their own
    /// (`space::rounds`).
    pub is_of_next_round: bool,
}

impl Message {
    pub fn content(&self) -> (u32, &[i64], &[Value]) {
        (self.kind, &self.words, &self.values)
    }

    /// Append the message to a channel. It has a number of its own if it arrives at some time.
    fn insert_into(&self, configuration: &mut Configuration, channel: ChannelId) {
        match self.arrival {
            None => configuration.insert(channel, self.kind, &self.words, &self.values),
            Some(_) => self.insert_numbered(configuration, channel),
        }
    }

    fn insert_numbered(&self, configuration: &mut Configuration, channel: ChannelId) {
        configuration.insert_numbered(channel, self.kind, &self.words, &self.values, self.arrival);
    }
}

/// How inboxes state that a process listens, or transmits, in a slot.
const LISTENS: u32 = 1;
const TRANSMITS: u32 = 2;

fn decision(does: OnAir) -> SmallVec<[u32; 1]> {
    match does {
        OnAir::Undecided => SmallVec::new(),
        OnAir::Listens => smallvec![LISTENS],
        OnAir::Transmits => smallvec![TRANSMITS],
    }
}

/// Ids of all components found so far, shared by all threads.
#[derive(Debug)]
pub struct Components {
    /// By process. Processes that a renumbering maps to one another share a table.
    pub locals: Vec<Arc<Interner<Local>>>,
    /// See [`Inbox`]. Unordered channels are sorted by content, then by the causal past of the sender.
    pub inboxes: Vec<Arc<Interner<[u32]>>>,
    pub messages: Arc<Interner<Message>>,
    pub pasts: Arc<Interner<CausalPast>>,
    /// Incoming channels of each process, in the order of [`Instance::incoming`].
    pub incoming: Vec<Box<[ChannelId]>>,
    /// The index of each channel among those of its receiver.
    pub position: Vec<u16>,
    /// One process for each table.
    with_table: Vec<usize>,
    /// Whether vectors omit which processes have woken up spontaneously.
    pub forgets_wakeups: bool,
    /// Radio: whether inboxes have one more channel, with what their process does in the slot of these messages ([`OnAir`]), if it is
    /// decided.
    pub have_decisions: bool,
}

impl Components {
    /// Return empty tables. `common`: by process, the process whose tables it uses.
    pub fn new(
        instance: &Instance,
        common: Option<&[ProcessId]>,
        pasts: Arc<Interner<CausalPast>>,
    ) -> Components {
        let n = instance.n();
        let incoming: Vec<Box<[ChannelId]>> =
            instance.processes().map(|p| instance.incoming(p).collect()).collect();
        let mut position = vec![0; instance.layout.channels as usize];
        for channels in &incoming {
            for (at, channel) in (0..).zip(channels.iter()) {
                position[channel.index()] = at;
            }
        }
        Components {
            locals: shared(common, n),
            inboxes: shared(common, n),
            messages: Arc::new(Interner::default()),
            pasts,
            incoming,
            position,
            with_table: (0..n as usize)
                .filter(|own| common.is_none_or(|common| common[*own].index() == *own))
                .collect(),
            forgets_wakeups: false,
            have_decisions: false,
        }
    }

    pub fn n(&self) -> usize {
        self.locals.len()
    }

    /// Iterate over all processes.
    pub fn processes(&self) -> impl ExactSizeIterator<Item = ProcessId> + use<> {
        (0..self.n() as u32).map(ProcessId)
    }

    /// Return the approximate number of bytes of all components.
    pub fn bytes(&self) -> usize {
        let held = |words: &[i64], values: &[Value]| {
            size_of_val(words) + values.iter().map(|value| size_of::<Value>() + value.bytes()).sum::<usize>()
        };
        let of = |at: &usize| {
            self.locals[*at].bytes(|local| held(&local.words, &local.values)) + self.inboxes[*at].bytes(|_| 0)
        };
        self.with_table.iter().map(of).sum::<usize>()
            + self.messages.bytes(|message| held(&message.words, &message.values))
    }

    /// Encode a configuration in which all processes have started.
    pub fn encode(&self, instance: &Instance, configuration: &Configuration) -> Vec<u32> {
        let locals = instance.processes().map(|p| self.local(configuration, p));
        let inboxes = instance.processes().map(|p| self.inbox(instance, configuration, p, &mut |_| 0));
        locals.chain(inboxes).collect()
    }

    pub fn local(&self, configuration: &Configuration, process: ProcessId) -> u32 {
        self.locals[process.index()].number(Local {
            words: configuration.words(process).into(),
            values: configuration.values(process).into(),
            wake_state: if self.forgets_wakeups {
                configuration.asleep_state(process)
            } else {
                configuration.wake_state(process)
            },
            timers: configuration.timers(process),
        })
    }

    /// Encode the messages sent to a process. `past`: returns the id of the causal past that a message carries.
    pub fn inbox(
        &self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        past: &mut dyn FnMut(MessageId) -> u32,
    ) -> u32 {
        let channels = self.incoming[process.index()].iter();
        let mut contents: SmallVec<[SmallVec<[u32; 8]>; 8]> = channels
            .map(|channel| {
                let messages = configuration.channel(*channel).map(|m| Message {
                    kind: m.kind,
                    words: m.words.into(),
                    values: m.values.into(),
                    past: past(m.id),
                    arrival: configuration.arrival(m.id),
                    is_of_next_round: configuration.is_of_next_round(m.id).unwrap_or(false),
                });
                let mut content: SmallVec<[u32; 8]> = messages.map(|m| self.messages.number(m)).collect();
                if !instance.layout.keeps_order(*channel) {
                    content.sort_by(|a, b| self.order_of(*a, *b));
                }
                content
            })
            .collect();
        if self.have_decisions {
            contents.push(decision(configuration.on_air(process)).into_iter().collect());
        }
        self.inboxes[process.index()].number(&inbox::list(&contents)[..])
    }

    /// Return what the process of an inbox does in the slot of these messages.
    pub fn on_air(&self, process: ProcessId, inbox: u32) -> OnAir {
        let inbox = Inbox::new(self.inboxes[process.index()].get(inbox));
        match inbox.channel(self.incoming[process.index()].len()) {
            [] => OnAir::Undecided,
            [LISTENS] => OnAir::Listens,
            _ => OnAir::Transmits,
        }
    }

    /// Return the inbox of a process that does this in the slot of these messages.
    pub fn with_decision(&self, process: ProcessId, inbox: u32, does: OnAir) -> u32 {
        let inboxes = &self.inboxes[process.index()];
        let before = Inbox::new(inboxes.get(inbox));
        let messages = before.channels().take(self.incoming[process.index()].len());
        let decision = decision(does);
        let contents: SmallVec<[&[u32]; 8]> = messages.chain([&decision[..]]).collect();
        inboxes.number(&inbox::list(&contents)[..])
    }

    /// Return the inbox with an additional message.
    pub fn append(
        &self,
        instance: &Instance,
        process: ProcessId,
        inbox: u32,
        channel: ChannelId,
        message: u32,
    ) -> u32 {
        let inboxes = &self.inboxes[process.index()];
        let before = inboxes.get(inbox);
        let (before, at) = (Inbox::new(before), self.place(channel));
        let content = before.channel(at);
        let comes_before = |other: &u32| self.comes_before(message, *other);
        let is_ordered = instance.layout.keeps_order(channel);
        let position = if is_ordered { None } else { content.iter().position(comes_before) };
        inboxes.number(&before.with(at, position.unwrap_or(content.len()), message)[..])
    }

    /// Return the index of a channel among those of its receiver.
    fn place(&self, channel: ChannelId) -> usize {
        self.position[channel.index()].into()
    }

    fn comes_before(&self, a: u32, b: u32) -> bool {
        self.order_of(a, b).is_lt()
    }

    /// Order of an unordered channel: by content, as in [`Configuration::by_content`], then in the order in which one process would
    /// send the messages.
    fn order_of(&self, a: u32, b: u32) -> std::cmp::Ordering {
        let (a, b) = (self.messages.get(a), self.messages.get(b));
        let order =
            (a.is_of_next_round, a.content(), a.arrival).cmp(&(b.is_of_next_round, b.content(), b.arrival));
        // Ids depend on the threads, so they must not decide the order.
        order.then_with(|| self.pasts.get(a.past).cmp(self.pasts.get(b.past)))
    }

    /// Return the inbox without the messages at these positions, and the causal pasts that they carried.
    pub fn without(
        &self,
        process: ProcessId,
        inbox: u32,
        taken: &[(ChannelId, u32)],
    ) -> (u32, SmallVec<[u32; 1]>) {
        let inboxes = &self.inboxes[process.index()];
        let mut next = List::from_slice(inboxes.get(inbox));
        let mut pasts = SmallVec::new();
        // Positions refer to the channel before any removal.
        let mut last_first: SmallVec<[(ChannelId, u32); 4]> = taken.into();
        last_first.sort_unstable_by(|a, b| b.cmp(a));
        for (channel, position) in last_first {
            let (rest, message) = Inbox::new(&next).without(self.place(channel), position as usize);
            next = rest;
            pasts.push(self.messages.get(message).past);
        }
        (inboxes.number(&next[..]), pasts)
    }

    /// Return the inbox with the message at this position duplicated; the copy directly follows it.
    pub fn doubled(&self, process: ProcessId, inbox: u32, channel: ChannelId, position: u32) -> u32 {
        let inboxes = &self.inboxes[process.index()];
        let before = inboxes.get(inbox);
        let (before, at, position) = (Inbox::new(before), self.place(channel), position as usize);
        let message = before.channel(at)[position];
        inboxes.number(&before.with(at, position + 1, message)[..])
    }

    /// Return the inbox with causal pasts of the senders added, by channel.
    pub fn with_pasts(&self, process: ProcessId, inbox: u32, past: impl Fn(ChannelId) -> u32) -> u32 {
        let inboxes = &self.inboxes[process.index()];
        let before = inboxes.get(inbox);
        let channels = self.incoming[process.index()].iter().zip(Inbox::new(before).channels());
        let contents = channels.map(|(channel, content)| {
            let known = past(*channel);
            content.iter().map(|message| self.with_past(*message, known)).collect::<Vec<u32>>()
        });
        inboxes.number(&inbox::list(&contents.collect::<Vec<_>>())[..])
    }

    /// Return the inbox with the causal pasts of its messages replaced.
    pub fn map_pasts(
        &self,
        instance: &Instance,
        process: ProcessId,
        inbox: u32,
        mut past: impl FnMut(u32) -> u32,
    ) -> u32 {
        self.map_messages(instance, process, inbox, |message| {
            self.with_past(message, past(self.messages.get(message).past))
        })
    }

    /// Return the inbox with its messages replaced.
    fn map_messages(
        &self,
        instance: &Instance,
        process: ProcessId,
        inbox: u32,
        mut replaced: impl FnMut(u32) -> u32,
    ) -> u32 {
        let inboxes = &self.inboxes[process.index()];
        let before = inboxes.get(inbox);
        let channels = self.incoming[process.index()].iter().zip(Inbox::new(before).channels());
        let contents = channels.map(|(channel, content)| {
            let mut content: Vec<u32> = content.iter().map(|message| replaced(*message)).collect();
            if !instance.layout.keeps_order(*channel) {
                content.sort_by(|a, b| self.order_of(*a, *b));
            }
            content
        });
        inboxes.number(&inbox::list(&contents.collect::<Vec<_>>())[..])
    }

    /// Return whether the message is the one at that position of a channel in a vector.
    pub fn is_message(
        &self,
        instance: &Instance,
        message: &MessageRef<'_>,
        key: &[u32],
        channel: ChannelId,
        position: u32,
    ) -> bool {
        let receiver = instance.receiver(channel).index();
        let inbox = self.inboxes[receiver].get(key[self.n() + receiver]);
        let content = Inbox::new(inbox).channel(self.place(channel));
        content.get(position as usize).is_some_and(|number| {
            let wanted = self.messages.get(*number);
            wanted.kind == message.kind
                && *wanted.words == *message.words
                && *wanted.values == *message.values
        })
    }

    /// Count the messages before that position of a channel with equal content. They are in the order in which they were sent,
    /// since the causal past of their sender only grew.
    pub fn same_before(&self, instance: &Instance, key: &[u32], channel: ChannelId, position: u32) -> usize {
        let receiver = instance.receiver(channel).index();
        let inbox = self.inboxes[receiver].get(key[self.n() + receiver]);
        let content = Inbox::new(inbox).channel(self.place(channel));
        let meant = content.get(position as usize).map(|number| self.messages.get(*number));
        let before = content.iter().take(position as usize).map(|number| self.messages.get(*number));
        before.filter(|other| meant.as_ref().is_some_and(|m| m.content() == other.content())).count()
    }

    pub fn with_past(&self, message: u32, past: u32) -> u32 {
        let message = self.messages.get(message);
        self.messages.number(Message { past, ..(*message).clone() })
    }

    pub fn restore_local(&self, configuration: &mut Configuration, process: ProcessId, local: u32) {
        let local = self.locals[process.index()].get(local);
        configuration.restore(process, &local.words, &local.values, local.wake_state);
        configuration.set_timers(process, &local.timers);
    }

    pub fn restore_inbox(&self, configuration: &mut Configuration, process: ProcessId, inbox: u32) {
        for channel in &self.incoming[process.index()] {
            configuration.clear_channel(*channel);
        }
        self.add_inbox(configuration, process, inbox);
        if self.have_decisions {
            configuration.restore_on_air(process, self.on_air(process, inbox));
        }
    }

    /// Append the messages of an inbox to the channels.
    pub fn add_inbox(&self, configuration: &mut Configuration, process: ProcessId, inbox: u32) {
        let inbox = self.inboxes[process.index()].get(inbox);
        let channels = self.incoming[process.index()].iter().zip(Inbox::new(inbox).channels());
        for (channel, content) in channels {
            for message in content {
                let message = self.messages.get(*message);
                message.insert_into(configuration, *channel);
            }
        }
    }

    /// Return the local state after this time.
    pub fn aged_local(&self, process: ProcessId, local: u32, time: u64) -> u32 {
        let before = self.locals[process.index()].get(local);
        let left = |timer: &Option<u64>| timer.map(|left| left.saturating_sub(time));
        let timers = before.timers.iter().map(left).collect();
        self.locals[process.index()].number(Local { timers, ..before.clone() })
    }

    /// Return the inbox after this time.
    pub fn aged_inbox(&self, instance: &Instance, process: ProcessId, inbox: u32, time: u64) -> u32 {
        let age = |message: &Message| {
            let last = |last: u64| if last == u64::MAX { last } else { last.saturating_sub(time) };
            let arrival = message.arrival.map(|(first, end)| (first.saturating_sub(time), last(end)));
            Message { arrival, ..message.clone() }
        };
        self.map_messages(instance, process, inbox, |message| {
            self.messages.number(age(self.messages.get(message)))
        })
    }

    /// Restore the messages of all inboxes, with numbers from 0. While a round is ending, those of the next round have the last ones.
    /// Return the causal pasts that the messages carry, by number.
    pub fn restore_messages(&self, configuration: &mut Configuration, inboxes: &[u32]) -> Vec<u32> {
        configuration.clear_messages();
        let mut pasts = Vec::new();
        for is_of_next_round in [false, true] {
            if is_of_next_round && !configuration.begin_next_round() {
                break;
            }
            for (process, inbox) in inboxes.iter().enumerate() {
                let inbox = Inbox::new(self.inboxes[process].get(*inbox));
                for (channel, content) in self.incoming[process].iter().zip(inbox.channels()) {
                    let messages = content.iter().map(|message| self.messages.get(*message));
                    for message in messages.filter(|m| m.is_of_next_round == is_of_next_round) {
                        message.insert_numbered(configuration, *channel);
                        pasts.push(message.past);
                    }
                }
            }
        }
        pasts
    }

    /// Return the id of the empty inbox.
    pub fn empty_inbox(&self, process: ProcessId) -> u32 {
        let channels = self.incoming[process.index()].len() + usize::from(self.have_decisions);
        self.inboxes[process.index()].number(&inbox::list(&vec![[]; channels])[..])
    }
}

/// Return a table for each process, or for each representative.
fn shared<T: Eq + std::hash::Hash + ?Sized>(common: Option<&[ProcessId]>, n: u32) -> Vec<Arc<Interner<T>>> {
    let own: Vec<Arc<Interner<T>>> = (0..n).map(|_| Arc::new(Interner::default())).collect();
    match common {
        None => own,
        Some(common) => common.iter().map(|process| own[process.index()].clone()).collect(),
    }
}

/// The causal past of a process: the number of observations of each process, and the length of the longest chain of messages.
/// Id 0 is the empty past. The past of a process only grows, and growth follows this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CausalPast {
    pub known: Vec<u32>,
    pub chain: u32,
}
