//! Transition tables: the effects of steps, and the successors of a process under them.

use crate::ids::{ChannelId, ProcessId};
use crate::semantics::Abort;
use crate::semantics::environment::OnAir;
use crate::semantics::event::{Cause, Event};
use smallvec::SmallVec;

/// The effect of a step, whatever else is in the inbox.
#[derive(Debug)]
pub struct Effect {
    pub event: Event,
    /// The process whose local state and inbox change: that of the event, except for the duplication of a message.
    pub at: ProcessId,
    /// Its position in the order of all steps of a configuration.
    pub rank: Rank,
    /// The id of the world (data outside all processes) afterwards.
    pub world: u32,
    /// Whether the step receives messages.
    pub receives: bool,
    /// Causal pasts of the received messages.
    pub pasts: SmallVec<[u32; 1]>,
    /// Its messages, channel by channel in the order of sending: index of the first one in the common list, and their number.
    pub sends: (u32, u32),
    /// The id of the local state afterwards.
    pub local: u32,
    /// In an interaction: the responder, and the id of its local state afterwards. Among the choices of the event, that of the
    /// responder is missing, which depends on the other neighbours.
    pub responder: Option<(ProcessId, u32)>,
    /// Radio: what the process does in the slot that the step begins or changes.
    pub on_air: OnAir,
    /// The id of its label in the graph.
    pub label: u32,
    /// Whether fairness permits omitting the step forever.
    pub free: bool,
    /// The properties whose value it may change, one bit each.
    pub touched: u64,
    /// Id of its increment of counts and history, in `monitor::auxiliary::AuxiliaryStates`.
    pub delta: u32,
    /// The run-time error if the command aborts; all else is as before.
    pub abort: Option<Box<Abort>>,
}

impl Effect {
    /// Return whether the step is the part of its process in the end of a round.
    pub fn is_part(&self) -> bool {
        matches!(self.event.cause, Cause::Round { .. })
    }
}

/// A transition of a process: the frequently used data, in half a cache line, since there is one for each local state and
/// inbox.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Transition {
    /// Increment of the hash of a vector when its local state and inbox are replaced.
    pub shift: u64,
    pub label: u32,
    pub local: u32,
    /// The inbox without the received messages.
    pub inbox: u32,
    /// Id of the effect.
    pub done: u32,
    /// The index of the first message, and the number of messages, up to [`MANY`].
    first_sent: u32,
    sent: u16,
    /// Flags of the effect.
    flags: u8,
    /// Index of its mask of changed properties among all such masks, up to [`OTHER`].
    touched: u8,
}

const _: () = assert!(size_of::<Transition>() == 32);

const FREE: u8 = 1;
const ABORTS: u8 = 2;
const IS_DEAD: u8 = 4;

/// This number of messages or more: the effect contains the number.
const MANY: u16 = u16::MAX;

/// The effect contains the mask.
const OTHER: u8 = u8::MAX;

impl Transition {
    /// Return the transition that has this effect, leaves `inbox`, and increments the hash by `shift`. `all_touched`: the masks
    /// of all transitions; a new mask is appended.
    pub fn new(
        (number, done): (u32, &Effect),
        shift: u64,
        inbox: u32,
        all_touched: &mut Vec<u64>,
    ) -> Transition {
        let free = if done.free { FREE } else { 0 };
        let aborts = if done.abort.is_some() { ABORTS } else { 0 };
        let touched = all_touched.iter().position(|touched| *touched == done.touched);
        let touched = touched.unwrap_or_else(|| {
            if all_touched.len() == usize::from(OTHER) {
                return usize::from(OTHER);
            }
            all_touched.push(done.touched);
            all_touched.len() - 1
        });
        Transition {
            shift,
            label: done.label,
            local: done.local,
            inbox,
            done: number,
            first_sent: done.sends.0,
            sent: u16::try_from(done.sends.1).unwrap_or(MANY),
            flags: free | aborts,
            touched: touched as u8,
        }
    }

    /// Return whether fairness permits omitting the step forever.
    #[inline(always)]
    pub fn is_free(&self) -> bool {
        self.flags & FREE != 0
    }

    /// Mark the transition as the receipt of a dead message.
    pub fn mark_as_dead(&mut self) {
        self.flags |= IS_DEAD;
    }

    /// Return whether the transition receives a dead message.
    pub fn is_dead(&self) -> bool {
        self.flags & IS_DEAD != 0
    }

    /// Return whether the command aborts.
    #[inline(always)]
    pub fn aborts(&self) -> bool {
        self.flags & ABORTS != 0
    }
}

/// The transitions of a process, with the tables that they refer to.
#[derive(Clone, Copy, Debug)]
pub struct Transitions<'l> {
    pub outcomes: &'l [Transition],
    pub done: &'l [Effect],
    pub sent: &'l [Sent],
    /// The masks of changed properties.
    pub touched: &'l [u64],
}

impl<'l> Transitions<'l> {
    #[inline(always)]
    pub fn done(&self, outcome: &Transition) -> &'l Effect {
        &self.done[outcome.done as usize]
    }

    /// Return the messages sent, channel by channel in the order of sending.
    #[inline(always)]
    pub fn sent(&self, outcome: &Transition) -> &'l [Sent] {
        let (first, count) = match outcome.sent {
            MANY => self.done(outcome).sends,
            count => (outcome.first_sent, u32::from(count)),
        };
        &self.sent[first as usize..][..count as usize]
    }

    /// Return the properties whose value the transition may change, one bit each.
    #[inline(always)]
    pub fn touched(&self, outcome: &Transition) -> u64 {
        match self.touched.get(usize::from(outcome.touched)) {
            Some(touched) => *touched,
            None => self.done(outcome).touched,
        }
    }
}

/// A message that a step sends.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub receiver: ProcessId,
    pub channel: ChannelId,
    pub message: u32,
}

/// All transitions of a process in a local state with an inbox: index of the first one and their number, with flags in the low
/// bits. One word, since it is copied at every step.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransitionRange(u64);

impl TransitionRange {
    pub fn new(first: usize, count: usize, is_closed: bool, is_invisible: bool) -> TransitionRange {
        let flags = u64::from(is_closed) << 1 | u64::from(is_invisible);
        TransitionRange((first as u64) << 32 | (count as u64) << 3 | flags)
    }

    /// Return the same range, with the information that one of the transitions receives a dead message.
    pub fn with_dead(self) -> TransitionRange {
        TransitionRange(self.0 | 4)
    }

    /// Return whether one of the transitions receives a dead message.
    #[inline]
    pub fn has_dead(self) -> bool {
        self.0 & 4 != 0
    }

    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        let (first, count) = (self.0 >> 32, (self.0 & 0xffff_ffff) >> 3);
        first as usize..(first + count) as usize
    }

    /// Return the indices of the transitions.
    pub fn places(self) -> std::ops::Range<u32> {
        let range = self.range();
        range.start as u32..range.end as u32
    }

    /// Return whether no other process changes the transitions enabled now: every channel that this process listens to is
    /// nonempty and ordered.
    pub fn is_closed(self) -> bool {
        self.0 & 2 != 0
    }

    /// Return whether no transition changes a property, or counts and history that a property reads.
    pub fn is_invisible(self) -> bool {
        self.0 & 1 != 0
    }
}

/// Sort key of the steps of a configuration: process by process, then faults by kind, then timers.
pub type Rank = (u8, u32);
