//! What single steps come to: what is done, and each way on that a process has with it.

use super::footprint::Rank;
use crate::semantics::Abort;
use crate::semantics::event::Event;
use smallvec::SmallVec;

/// What a step does, whatever else is in the inbox.
#[derive(Debug)]
pub struct Done {
    pub event: Event,
    /// The process whose local state and inbox it is about: that of the event, unless a message is doubled.
    pub at: u32,
    /// Where it stands among all steps of a configuration.
    pub rank: Rank,
    /// What is not with any process, afterwards.
    pub world: u32,
    /// Does it take messages?
    pub takes: bool,
    /// What their senders knew.
    pub pasts: SmallVec<[u32; 1]>,
    /// Its messages, channel by channel in the order of sending: the first among those of all, and how many.
    pub sends: (u32, u32),
    /// The local state afterwards.
    pub local: u32,
    /// The number of what it means in the graph.
    pub label: u32,
    /// May it be left undone for ever?
    pub free: bool,
    /// The properties it may change the truth of, one bit each.
    pub touched: u64,
    /// Number of what it adds to what is counted and observed, in `monitor::auxiliary::AuxiliaryStates`.
    pub delta: u32,
    /// The command goes wrong; everything else is as before.
    pub abort: Option<Box<Abort>>,
}

/// One way for a process to go on: what is needed of it again and again lies here together, in half a line of the cache, since
/// there is one for each local state and inbox.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Outcome {
    /// What the hash of a vector gains when local state and inbox are put into it.
    pub shift: u64,
    pub label: u32,
    pub local: u32,
    /// The inbox without what was taken.
    pub inbox: u32,
    /// Number of what is done.
    pub done: u32,
    /// The first of its messages, and how many they are, up to [`MANY`].
    first_sent: u32,
    sent: u16,
    /// As what is done has them.
    flags: u8,
    /// The number of what it touches among all that is touched by steps, up to [`OTHER`].
    touched: u8,
}

const _: () = assert!(size_of::<Outcome>() == 32);

const FREE: u8 = 1;
const ABORTS: u8 = 2;

/// So many messages or more: what is done says how many.
const MANY: u16 = u16::MAX;

/// What is done says what it touches.
const OTHER: u8 = u8::MAX;

impl Outcome {
    /// What is done under this number, as a way on that leaves `inbox`, whose hash gains `shift`. `all_touched`: what outcomes touch, by
    /// number, with what this one does.
    pub fn new((number, done): (u32, &Done), shift: u64, inbox: u32, all_touched: &mut Vec<u64>) -> Outcome {
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
        Outcome {
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

    /// May it be left undone for ever?
    #[inline(always)]
    pub fn is_free(&self) -> bool {
        self.flags & FREE != 0
    }

    /// Does the command go wrong?
    #[inline(always)]
    pub fn aborts(&self) -> bool {
        self.flags & ABORTS != 0
    }
}

/// What a process can do, with what that means.
#[derive(Clone, Copy, Debug)]
pub struct Transitions<'l> {
    pub outcomes: &'l [Outcome],
    pub done: &'l [Done],
    pub sent: &'l [Sent],
    /// What outcomes touch, by number.
    pub touched: &'l [u64],
}

impl<'l> Transitions<'l> {
    #[inline(always)]
    pub fn done(&self, outcome: &Outcome) -> &'l Done {
        &self.done[outcome.done as usize]
    }

    /// Messages, channel by channel in the order of sending.
    #[inline(always)]
    pub fn sent(&self, outcome: &Outcome) -> &'l [Sent] {
        let (first, count) = match outcome.sent {
            MANY => self.done(outcome).sends,
            count => (outcome.first_sent, u32::from(count)),
        };
        &self.sent[first as usize..][..count as usize]
    }

    /// The properties it may change the truth of, one bit each.
    #[inline(always)]
    pub fn touched(&self, outcome: &Outcome) -> u64 {
        match self.touched.get(usize::from(outcome.touched)) {
            Some(touched) => *touched,
            None => self.done(outcome).touched,
        }
    }
}

/// A message that a step sends.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub receiver: u32,
    pub channel: u32,
    pub message: u32,
}

/// All of them: where they stand among those of all processes, and how many there are; and below these, in one bit each, what
/// `is_closed` and `is_invisible` say. One word, since it is handed about at every step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps(u64);

impl Steps {
    pub fn new(first: usize, count: usize, is_closed: bool, is_invisible: bool) -> Steps {
        let flags = u64::from(is_closed) << 1 | u64::from(is_invisible);
        Steps((first as u64) << 32 | (count as u64) << 2 | flags)
    }

    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        let (first, count) = (self.0 >> 32, (self.0 & 0xffff_ffff) >> 2);
        first as usize..(first + count) as usize
    }

    /// Nothing that the others do changes what this process can do now: every channel that it would take a message from
    /// has a head, and keeps its order.
    pub fn is_closed(self) -> bool {
        self.0 & 2 != 0
    }

    /// No outcome touches a property or is observed.
    pub fn is_invisible(self) -> bool {
        self.0 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, Outcome, Sent, Transitions};
    use crate::semantics::event::{Cause, Event};
    use smallvec::SmallVec;

    fn done(sends: (u32, u32), touched: u64) -> Done {
        Done {
            event: Event::new(0, Cause::Start),
            at: 0,
            rank: (0, 0),
            world: 0,
            takes: false,
            pasts: SmallVec::new(),
            sends,
            local: 0,
            label: 0,
            free: touched % 2 == 1,
            touched,
            delta: 0,
            abort: None,
        }
    }

    /// More different things are touched, and more messages sent by one step, than half a line has room for.
    #[test]
    fn what_has_no_room_is_looked_up() {
        let counts = [0, 1, 65_534, 65_535, 65_536, 70_000];
        let sent: Vec<Sent> = (0..70_001).map(|message| Sent { receiver: 0, channel: 0, message }).collect();
        let done: Vec<Done> = (0..300).map(|i| done((1, counts[i % counts.len()]), i as u64 * 3)).collect();
        let mut touched = Vec::new();
        let outcomes: Vec<Outcome> = (0u32..)
            .zip(&done)
            .chain((0u32..).zip(&done))
            .map(|own| Outcome::new(own, 7, 5, &mut touched))
            .collect();
        let ways = Transitions { outcomes: &outcomes, done: &done, sent: &sent, touched: &touched };
        for (outcome, done) in outcomes.iter().zip(done.iter().chain(&done)) {
            assert_eq!(ways.touched(outcome), done.touched);
            assert_eq!(ways.sent(outcome).len() as u32, done.sends.1);
            assert!(ways.sent(outcome).first().is_none_or(|sent| sent.message == 1));
            assert_eq!((outcome.is_free(), outcome.aborts()), (done.free, false));
        }
        assert!(outcomes.len() > 2 * touched.len(), "some have no number");
    }
}
