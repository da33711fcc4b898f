//! Decomposition of configurations: exploration stores components, and restores configurations from them.

use super::{ASLEEP, Configuration, NIL, WOKE};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::ir::{CRASHED, HALTED, PC, Value};
use crate::semantics::environment::{Air, Faults, JointProgress, OnAir, PreState};
use smallvec::SmallVec;

impl Configuration {
    /// Return whether a process may still wake up, and whether it has: opaque, for [`Configuration::restore`].
    pub fn wake_state(&self, process: ProcessId) -> i64 {
        self.own(process) & (ASLEEP | WOKE)
    }

    /// Return the same without whether it has.
    pub fn asleep_state(&self, process: ProcessId) -> i64 {
        self.own(process) & ASLEEP
    }

    /// Restore an earlier local state of a process. Its causal depth, which is not part of it, becomes 0.
    pub fn restore(&mut self, process: ProcessId, words: &[i64], values: &[Value], wake_state: i64) {
        self.words_mut(process).copy_from_slice(words);
        self.values_mut(process).clone_from_slice(values);
        *self.own_mut(process) = wake_state;
    }

    /// By timer of a process: the remaining time if it is armed; 0 in models without a clock.
    pub fn timers(&self, process: ProcessId) -> Box<[Option<u64>]> {
        self.environment.clock.as_ref().map_or(Box::default(), |clock| clock.times_left(process).collect())
    }

    /// Restore an earlier state of a process's timers.
    pub fn set_timers(&mut self, process: ProcessId, left: &[Option<u64>]) {
        if let Some(clock) = &mut self.environment.clock {
            for (timer, left) in (0u16..).zip(left) {
                clock.set_timer(process, timer, *left);
            }
        }
    }

    /// Return whether a process has the same local state in both configurations.
    pub fn is_same_state(&self, other: &Configuration, process: ProcessId) -> bool {
        let timers = |of: &Configuration| {
            let clock = of.environment.clock.as_ref();
            clock.map(|clock| clock.times_left(process).collect::<SmallVec<[Option<u64>; 8]>>())
        };
        self.words(process) == other.words(process)
            && self.values(process) == other.values(process)
            && self.wake_state(process) == other.wake_state(process)
            && timers(self) == timers(other)
    }

    /// Return whether a channel contains the same messages in both configurations, of which one precedes the other by one step. With
    /// time, or at a change of rounds, a message may differ from what it was.
    pub fn is_same_channel(&self, other: &Configuration, channel: ChannelId) -> bool {
        let ids = self.channel(channel).map(|message| message.id);
        self.is_empty(channel) == other.is_empty(channel)
            && (self.is_empty(channel)
                || (self.now() == other.now() && self.in_joint_step() == other.in_joint_step())
                    && ids.eq(other.channel(channel).map(|message| message.id)))
    }

    /// Set the remaining fault budget, failed links and suspicions.
    pub fn set_faults(&mut self, faults: Option<&Faults>) {
        match (&mut self.environment.faults, faults) {
            (Some(own), Some(faults)) => (**own).clone_from(faults),
            (own, faults) => *own = faults.cloned().map(Box::new),
        }
    }

    /// In models where processes read their neighbours: set a joint step in progress that began in this configuration, in which
    /// processes from this position on may still participate. `None`: no joint step.
    pub fn restore_joint_step(&mut self, position: Option<ProcessId>) {
        let under_way = position.map(|next| JointProgress {
            next,
            boundary: MessageId(0),
            fresh: true,
            air: Vec::new(),
            before: Some(PreState::of(self, self.processes)),
        });
        if let Some(joint) = self.joint_mut() {
            joint.progress = under_way;
        }
    }

    /// In rounds: set a round that is ending, in which the part of this process is next, and to which all
    /// [inserted](Self::insert) messages belong. `None`: the round is not ending. The number of ended rounds is reset.
    pub fn restore_round(&mut self, next: Option<ProcessId>) {
        let boundary = MessageId(1);
        self.next_message = boundary;
        let Some(joint) = self.joint_mut() else { return };
        joint.round = 0;
        joint.quiet.fill(false);
        joint.air.fill(Air::default());
        let air = joint.air.clone();
        joint.progress = next.map(|next| JointProgress { next, boundary, fresh: true, air, before: None });
    }

    /// Radio, without restarts: return what a process does in the slot that its last step began.
    pub fn on_air(&self, process: ProcessId) -> OnAir {
        let air = self.joint().and_then(|joint| joint.air.get(process.index()));
        air.map_or(OnAir::Undecided, |air| air.does)
    }

    /// Radio: set what a process does in the ending slot if one is ending, otherwise in the present one.
    pub fn restore_on_air(&mut self, process: ProcessId, does: OnAir) {
        let Some(joint) = self.joint_mut() else { return };
        let air = joint.progress.as_mut().map_or(&mut joint.air, |progress| &mut progress.air);
        air[process.index()].does = does;
    }

    /// Radio: set what a process does in the next slot, while one is ending.
    pub fn restore_next_on_air(&mut self, process: ProcessId, does: OnAir) {
        if let Some(joint) = self.joint_mut() {
            joint.air[process.index()].does = does;
        }
    }

    /// Put all other processes into the halted state.
    pub fn let_others_halt(&mut self, process: ProcessId) {
        for other in (0..self.processes).map(ProcessId).filter(|other| *other != process) {
            self.words_mut(other)[PC as usize] = HALTED;
            *self.own_mut(other) = 0;
        }
    }

    /// Set whether a process is enabled, in models where processes read their neighbours.
    pub fn let_be_enabled(&mut self, process: ProcessId, can_move: bool) {
        if let Some(joint) = self.joint_mut().filter(|joint| process.index() < joint.enabled.len()) {
            joint.enabled.set(process.index(), can_move);
        }
    }

    /// Set whether a process is down, for evaluation only: the state of a process that is up is arbitrary.
    pub fn let_be_down(&mut self, process: ProcessId, down: bool) {
        let crashed = self.crashed(process);
        if crashed != down {
            self.words_mut(process)[PC as usize] = if down { CRASHED } else { 0 };
        }
    }

    /// Append a message to a channel, without a step of the sender. Its number is 0.
    pub fn insert(&mut self, channel: ChannelId, kind: u32, words: &[i64], values: &[Value]) {
        let slot = self.pool.take(kind, MessageId(0), 0);
        self.pool.words_mut(slot).copy_from_slice(words);
        self.pool.values_mut(slot).clone_from_slice(values);
        self.append(channel, slot);
    }

    /// In systems with time: return the remaining times until a message may and must arrive.
    pub fn arrival(&self, message: MessageId) -> Option<(u64, u64)> {
        let is_timed = self.environment.clock.as_ref().is_some_and(|clock| clock.is_timed());
        if is_timed { self.distance(message) } else { None }
    }

    /// Remove all messages, and number those to come from 0.
    pub fn clear_messages(&mut self) {
        self.last.fill(NIL);
        self.pool.clear();
        self.in_flight = 0;
        self.next_message = MessageId(0);
        if let Some(clock) = &mut self.environment.clock {
            clock.forget_messages();
        }
    }

    /// Append a message with the next number to a channel, without a step of the sender. It arrives within these times from now.
    pub fn insert_numbered(
        &mut self,
        channel: ChannelId,
        kind: u32,
        words: &[i64],
        values: &[Value],
        arrival: Option<(u64, u64)>,
    ) {
        let id = self.number_message();
        let slot = self.pool.take(kind, id, 0);
        self.pool.words_mut(slot).copy_from_slice(words);
        self.pool.values_mut(slot).clone_from_slice(values);
        self.append(channel, slot);
        if let (Some(clock), Some(times)) = (&mut self.environment.clock, arrival) {
            clock.arrives_within(id, times);
        }
    }

    /// In a round that is ending: let the messages inserted from now on belong to the next one. Return false if no round is ending.
    pub fn begin_next_round(&mut self) -> bool {
        let boundary = self.next_message;
        let under_way = self.joint_mut().and_then(|joint| joint.progress.as_mut());
        under_way.map(|under_way| under_way.boundary = boundary).is_some()
    }

    /// Remove all messages from a channel.
    pub fn clear_channel(&mut self, channel: ChannelId) {
        while self.last[channel.index()] != NIL {
            self.remove(channel, 0);
        }
    }
}
