//! Configurations taken apart and put together again: exploration keeps the parts of very many of them.

use super::{ASLEEP, Configuration, NIL, WOKE};
use crate::ir::{CRASHED, HALTED, PC, Value};
use crate::semantics::environment::{Before, Faults, UnderWay};

impl Configuration {
    /// Whether a process still may wake by itself, and whether it has: opaque, for [`Configuration::restore`].
    pub fn wake_state(&self, process: u32) -> i64 {
        self.own(process) & (ASLEEP | WOKE)
    }

    /// Puts a process into a state it has had. Lengths of causal chains, which do not belong to it, begin at 0.
    pub fn restore(&mut self, process: u32, words: &[i64], values: &[Value], wake_state: i64) {
        self.words_mut(process).copy_from_slice(words);
        self.values_mut(process).clone_from_slice(values);
        *self.own_mut(process) = wake_state;
    }

    /// By timer of a process: is it armed? Where no time passes nothing else is to be known of it.
    pub fn armed(&self, process: u32) -> Box<[bool]> {
        let clock = self.environment.clock.as_ref();
        clock.map_or(Box::default(), |clock| clock.timers(process).map(|at| at.is_some()).collect())
    }

    /// Puts the timers of a process into a state they have had, where no time passes.
    pub fn arm(&mut self, process: u32, armed: &[bool]) {
        if let Some(clock) = &mut self.environment.clock {
            for (timer, armed) in (0u16..).zip(armed) {
                clock.set_timer(process, timer, armed.then_some(0));
            }
        }
    }

    /// What may still go wrong from now on, and what has come of it.
    pub fn set_faults(&mut self, faults: Option<&Faults>) {
        match (&mut self.environment.faults, faults) {
            (Some(own), Some(faults)) => (**own).clone_from(faults),
            (own, faults) => *own = faults.cloned().map(Box::new),
        }
    }

    /// Where processes read their neighbours: lets a joint step be under way in which those from this position on may still take part, and
    /// which has begun with what all hold now. None: there is none.
    pub fn restore_joint_step(&mut self, position: Option<u32>) {
        let under_way = position.map(|next| UnderWay {
            next,
            boundary: 0,
            fresh: true,
            air: Vec::new(),
            before: Some(Before::of(self, self.processes)),
        });
        if let Some(joint) = self.joint_mut() {
            joint.under_way = under_way;
        }
    }

    /// In rounds: lets one be ending in which the part of this process is next, and to which all belongs that has been [put](Self::insert)
    /// into channels. None: it is under way. How many have ended is counted from here.
    pub fn restore_round(&mut self, next: Option<u32>) {
        let boundary = 1;
        self.next_message = boundary;
        let Some(joint) = self.joint_mut() else { return };
        joint.round = 0;
        joint.quiet.fill(false);
        joint.under_way =
            next.map(|next| UnderWay { next, boundary, fresh: true, air: Vec::new(), before: None });
    }

    /// Lets all other processes be at their ends.
    pub fn let_others_halt(&mut self, process: u32) {
        for other in (0..self.processes).filter(|other| *other != process) {
            self.words_mut(other)[PC as usize] = HALTED;
            *self.own_mut(other) = 0;
        }
    }

    /// Says whether a process can move, where processes read their neighbours.
    pub fn let_be_enabled(&mut self, process: u32, can_move: bool) {
        if let Some(enabled) = self.joint_mut().and_then(|joint| joint.enabled.get_mut(process as usize)) {
            *enabled = can_move;
        }
    }

    /// Lets a process be down or up for those who look on, whatever it does if it is up.
    pub fn let_be_down(&mut self, process: u32, down: bool) {
        let crashed = self.crashed(process);
        if crashed != down {
            self.words_mut(process)[PC as usize] = if down { CRASHED } else { 0 };
        }
    }

    /// Puts a message at the end of a channel, without a sender's step. Its number is 0.
    pub fn insert(&mut self, channel: u32, kind: u32, words: &[i64], values: &[Value]) {
        let slot = self.pool.take(kind, 0, 0);
        self.pool.words_mut(slot).copy_from_slice(words);
        self.pool.values_mut(slot).clone_from_slice(values);
        self.append(channel, slot);
    }

    /// Takes everything out of a channel.
    pub fn empty(&mut self, channel: u32) {
        while self.last[channel as usize] != NIL {
            self.remove(channel, 0);
        }
    }
}
