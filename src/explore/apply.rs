//! What local steps make of the vector of a configuration: a few of its numbers change, and its hash with them.

use super::ghost::Known;
use super::judge::Judge;
use super::local::Outcome;
use super::parts::Parts;
use super::space::Space;
use super::store::share;
use crate::instance::Instance;
use rustc_hash::FxHashMap;

/// Makes vectors of local steps.
#[derive(Debug)]
pub(super) struct Applies<'a> {
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    sends: Sends<'a>,
    known: Known,
}

impl<'a> Applies<'a> {
    pub fn new(space: &'a Space<'a>, judge: &'a Judge<'a>) -> Applies<'a> {
        Applies { space, judge, sends: Sends::new(space.instance, space.parts()), known: Known::default() }
    }

    /// Puts the vector after a local step behind those in `to`, and gives its hash.
    #[inline]
    pub fn apply(&mut self, key: &[u32], own_hash: u64, outcome: &Outcome, to: &mut Vec<u32>) -> u64 {
        let Applies { space, judge, sends, known } = self;
        let n = space.parts().n();
        let begin = to.len();
        to.extend_from_slice(key);
        let next = &mut to[begin..];
        let mut hash = own_hash;
        let mut set = |next: &mut [u32], at: usize, number: u32| {
            hash = hash.wrapping_sub(share(at as u32, next[at])).wrapping_add(share(at as u32, number));
            next[at] = number;
        };
        let process = outcome.event.process as usize;
        set(next, process, outcome.local);
        set(next, n + process, outcome.inbox);
        let ghosts = &judge.ghosts;
        let mut past = None;
        if ghosts.needs.any() {
            let before = (next[2 * n..].get(process).copied(), next.last().copied());
            let sends = !outcome.sends.is_empty();
            let sent = known.advance(
                ghosts,
                &mut next[2 * n..],
                process as u32,
                &outcome.pasts,
                outcome.delta,
                sends,
            );
            past = ghosts.needs.pasts().then_some(sent);
            // The hash follows what has been changed.
            let last = next.len() - 1;
            let mut follow = |next: &mut [u32], at: usize, before: Option<u32>| {
                let now = next[at];
                next[at] = before.unwrap_or(now);
                set(next, at, now);
            };
            if ghosts.needs.pasts() {
                follow(next, 2 * n + process, before.0);
            }
            follow(next, last, before.1);
        }
        for (channel, message) in &outcome.sends {
            let receiver = space.instance.receiver(*channel);
            let at = n + receiver as usize;
            let message = match past {
                Some(past) => sends.with_past(*message, past),
                None => *message,
            };
            let inbox = sends.append(receiver, next[at], *channel, message);
            set(next, at, inbox);
        }
        if space.sameness.is_exact() { hash } else { space.hash(next) }
    }
}

/// What becomes of inboxes when messages are sent: looked up likewise.
#[derive(Debug)]
struct Sends<'a> {
    instance: &'a Instance,
    parts: &'a Parts,
    appended: FxHashMap<(u32, u32, u32), u32>,
    carried: FxHashMap<(u32, u32), u32>,
}

impl<'a> Sends<'a> {
    fn new(instance: &'a Instance, parts: &'a Parts) -> Sends<'a> {
        Sends { instance, parts, appended: FxHashMap::default(), carried: FxHashMap::default() }
    }

    /// The inbox of the receiver when this message has been sent.
    #[inline]
    fn append(&mut self, receiver: u32, inbox: u32, channel: u32, message: u32) -> u32 {
        let Sends { instance, parts, appended, .. } = self;
        *appended
            .entry((channel, inbox, message))
            .or_insert_with(|| parts.append(instance, receiver, inbox, channel, message))
    }

    #[inline]
    fn with_past(&mut self, message: u32, past: u32) -> u32 {
        let Sends { parts, carried, .. } = self;
        *carried.entry((message, past)).or_insert_with(|| parts.with_past(message, past))
    }
}
