//! Cycles under a view: repeated until the very configuration recurs, and nothing that could be done all the while was left out.
//!
//! A cycle that is fair up to a view need not be so as it is taken: of several messages that count as the same it might always take
//! the newest. So steps are taken in turn, and the oldest message first.

use super::Search;
use crate::explore::graph::round::owed;
use crate::explore::retell::path::{Among, Last};
use crate::semantics::Configuration;
use crate::semantics::event::Event;
use crate::simulate::{Unobserved, replay};

/// No run is made longer than this so that it comes back to the very configuration.
const LONGEST: usize = 5_000;

/// Cycles that are examined for fairness have so many steps in all.
const MOST_EXAMINED: usize = 20_000;

/// A run that comes back.
pub struct Closed {
    pub events: Vec<Event>,
    /// The vectors it goes through.
    pub through: Vec<Vec<u32>>,
    /// The place among these at which the cycle begins.
    pub repeats_from: usize,
}

impl Search<'_> {
    /// A run through these configurations whose cycle begins at this place: that comes back to the very configuration, fairly. `start`:
    /// which start the run begins with, and how many events that is. None: none was found that is short enough.
    pub fn closed(&mut self, (start, starts): (usize, usize), states: &[u32], from: usize) -> Option<Closed> {
        let (mut states, round) = (states.to_vec(), states.len() - 1 - from);
        let mut left = MOST_EXAMINED;
        loop {
            let (events, through) = self.events(start, &states, &Last::None, Among::InTurn(from)).ok()?;
            for (begin, end) in recurrences(&through, from, round) {
                left = left.checked_sub(end - begin)?;
                if self.is_fair(&events[..starts + end], starts + begin) {
                    let (events, through) = (events[..starts + end].to_vec(), through[..=end].to_vec());
                    return Some(Closed { events, through, repeats_from: begin });
                }
            }
            states.extend_from_within(from + 1..);
            if states.len() > LONGEST {
                return None;
            }
        }
    }

    /// Is going round so fair, from the event with this number on?
    fn is_fair(&self, events: &[Event], from: usize) -> bool {
        let instance = self.judge.instance;
        let mut begun = Configuration::initial(instance);
        let taken = replay(instance, &mut begun, &events[..from], &mut Unobserved);
        taken.is_ok() && owed(instance, &begun, &events[from..]).is_none()
    }
}

/// Where a run that goes round from some place on, so many steps each time, comes back to the very vector that it had some turns
/// before: both places, the shortest first of those with the same end.
pub fn recurrences(
    through: &[Vec<u32>],
    from: usize,
    round: usize,
) -> impl Iterator<Item = (usize, usize)> + '_ {
    (from + round..through.len()).flat_map(move |end| {
        let begins = (from..=end - round).rev().filter(move |begin| (end - begin).is_multiple_of(round));
        begins.filter(move |begin| through[*begin] == through[end]).map(move |begin| (begin, end))
    })
}
