//! Cycles under a view: repeated until the same configuration recurs and the cycle is fair.
//!
//! A cycle that is fair up to a view need not be fair as a run: of several equivalent messages it might always receive the
//! newest. So the search takes steps in turn, and the oldest message first.

use crate::explore::counterexample::path::{Last, Selection};
use crate::explore::graph::cycle::owed;
use crate::explore::search::Search;
use crate::ids::StateId;
use crate::semantics::Configuration;
use crate::semantics::event::Event;
use crate::simulate::{Unobserved, replay};

/// The longest run, in configurations, that is tried until the same configuration recurs.
const LONGEST: usize = 5_000;

/// Limit on the total number of steps of cycles whose fairness is checked.
const MOST_EXAMINED: usize = 20_000;

/// A run whose cycle returns to exactly the same configuration.
pub struct ExactLasso {
    pub events: Vec<Event>,
    /// The vectors on the run.
    pub through: Vec<Vec<u32>>,
    /// The index of the vector at which the cycle begins.
    pub repeats_from: usize,
}

impl Search<'_> {
    /// Repeat the cycle that begins at index `from` of these configurations, until exactly the same configuration recurs and
    /// the cycle is fair. `start` is the number of the initial configuration, `starts` the number of its events. `None`: no
    /// short enough run.
    pub fn exact_lasso(
        &mut self,
        (start, starts): (usize, usize),
        states: &[StateId],
        from: usize,
    ) -> Option<ExactLasso> {
        let (mut states, round) = (states.to_vec(), states.len() - 1 - from);
        let mut left = MOST_EXAMINED;
        loop {
            let (events, through) = self.events(start, &states, &Last::None, Selection::InTurn(from)).ok()?;
            for (begin, end) in recurrences(&through, from, round) {
                left = left.checked_sub(end - begin)?;
                if self.is_fair(&events[..starts + end], starts + begin) {
                    let (events, through) = (events[..starts + end].to_vec(), through[..=end].to_vec());
                    return Some(ExactLasso { events, through, repeats_from: begin });
                }
            }
            states.extend_from_within(from + 1..);
            if states.len() > LONGEST {
                return None;
            }
        }
    }

    /// Return whether the cycle that begins with event `from` is fair.
    fn is_fair(&self, events: &[Event], from: usize) -> bool {
        let instance = self.monitor.instance;
        let mut begun = Configuration::initial(instance);
        let taken = replay(instance, &mut begun, &events[..from], &mut Unobserved);
        taken.is_ok() && owed(instance, &begun, &events[from..]).is_none()
    }
}

/// Return index pairs `(begin, end)` of equal vectors on a run that repeats a cycle of `round` steps from index `from` on.
/// Pairs are ordered by their end; pairs with the same end, shortest first.
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
