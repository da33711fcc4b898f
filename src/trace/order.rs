//! Orders of the events of a history: runs, linearizations, and paths from one global state to another.

use super::cut::Cut;
use super::histories::Histories;
use crate::ids::ProcessId;

/// Classification of an order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order contains this event twice, or the event belongs to no history.
    Foreign(usize),
    /// The order lacks this event.
    Missing(usize),
    /// Not a run: the first event precedes the second in the order, but follows it at their process.
    AgainstProcess(usize, usize),
    /// An inconsistent run: the first event precedes the second in the order, although the second happened before it.
    /// The cut between them is inconsistent.
    Inconsistent(usize, usize),
    /// A linearization, that is, a consistent run: all cuts on its path are consistent.
    Linearization,
}

/// Reason why a global state is not reachable from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// The initial cut is inconsistent: it is not a global state.
    From,
    /// The final cut is inconsistent.
    To,
    /// The final cut contains fewer events of this process.
    Backwards(usize),
}

/// An iterator over linearizations, in lexicographic order by process.
pub struct Linearizations<'h> {
    of: &'h Histories,
    /// The cut after the events so far, and for each step of the path the events still to be tried.
    cut: Cut,
    open: Vec<Vec<usize>>,
    events: Vec<usize>,
    begun: bool,
}

impl Linearizations<'_> {
    fn open(&mut self) {
        let mut open: Vec<usize> = self.of.enabled(&self.cut).collect();
        open.reverse();
        self.open.push(open);
    }

    fn step_back(&mut self) {
        self.open.pop();
        for (p, nth) in self.events.pop().iter().flat_map(|event| self.of.places(*event)) {
            self.cut.0[p.index()] = nth - 1;
        }
    }
}

impl Iterator for Linearizations<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        if !std::mem::replace(&mut self.begun, true) {
            self.open();
            if self.of.is_empty() {
                return Some(Vec::new());
            }
        }
        loop {
            let Some(event) = self.open.last_mut()?.pop() else {
                self.step_back();
                continue;
            };
            self.events.push(event);
            self.of.places(event).iter().for_each(|(p, nth)| self.cut.0[p.index()] = *nth);
            self.open();
            // From every consistent cut except the top, some event is enabled.
            if self.open.last().is_some_and(Vec::is_empty) {
                return Some(self.events.clone());
            }
        }
    }
}

impl Histories {
    /// Iterate over all linearizations, with memory for one.
    pub fn linearizations(&self) -> Linearizations<'_> {
        let (open, events) = (Vec::new(), Vec::new());
        Linearizations { of: self, cut: self.bottom(), open, events, begun: false }
    }

    /// Classify an order of events.
    pub fn classify(&self, order: &[usize]) -> Order {
        let mut place = vec![None; self.events().last().map_or(0, |last| last + 1)];
        for (at, event) in order.iter().enumerate() {
            match place.get_mut(*event) {
                Some(free @ None) if !self.places(*event).is_empty() => *free = Some(at),
                _ => return Order::Foreign(*event),
            }
        }
        if let Some(missing) = self.events().find(|event| place[*event].is_none()) {
            return Order::Missing(missing);
        }
        // The first event that is too early, and the earliest event that it must follow.
        let mut inconsistent = None;
        let mut come = self.bottom();
        for (at, event) in order.iter().enumerate() {
            let too_late = |cause: &usize| place[*cause] > Some(at);
            for (p, nth) in self.places(*event) {
                if come.0[p.index()] + 1 < *nth {
                    let mut own = self.of_process(p.index()).iter().copied();
                    return own
                        .find(too_late)
                        .map_or(Order::Foreign(*event), |cause| Order::AgainstProcess(*event, cause));
                }
                come.0[p.index()] = *nth;
            }
            // All earlier events have their causes, so checking direct causes suffices.
            let missing = |(p, nth): &(ProcessId, u32)| come.0[p.index()] < *nth;
            if inconsistent.is_none() && self.causes(*event).iter().any(missing) {
                let past = Cut(self.past(*event));
                let wrong = self.events().filter(|e| self.contains(&past, *e)).find(too_late);
                inconsistent = wrong.map(|cause| Order::Inconsistent(*event, cause));
            }
        }
        inconsistent.unwrap_or(Order::Linearization)
    }

    /// Return the events that lead from one global state to another, in the order of the run.
    ///
    /// # Errors
    /// If no consistent run passes through the first and later through the second.
    pub fn path(&self, from: &Cut, to: &Cut) -> Result<Vec<usize>, Unreachable> {
        if !self.is_consistent(from) {
            return Err(Unreachable::From);
        }
        if !self.is_consistent(to) {
            return Err(Unreachable::To);
        }
        if let Some(process) = (0..self.n()).find(|p| from.0[*p] > to.0[*p]) {
            return Err(Unreachable::Backwards(process));
        }
        Ok(self.events().filter(|e| self.contains(to, *e) && !self.contains(from, *e)).collect())
    }

    /// Return a linearization through a consistent cut: the events inside, then the others, each in the order of the
    /// run.
    pub fn through(&self, cut: &Cut) -> Vec<usize> {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            self.events().partition(|event| self.contains(cut, *event));
        inside.into_iter().chain(outside).collect()
    }
}
