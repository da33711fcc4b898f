//! Orders of the events of a history: runs, linearizations, ways from one global state to another.

use super::cut::Cut;
use super::histories::Histories;

/// What an order of events is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It has this event twice, or one that belongs to no history.
    Strange(usize),
    /// Without this event it is not an order of all events.
    Missing(usize),
    /// No run: the first event comes before the second, which precedes it at the same process.
    AgainstProcess(usize, usize),
    /// A run, but no consistent one: the first event comes before the second, which happened before it. The cut between them is not
    /// consistent.
    Inconsistent(usize, usize),
    /// A linearization: a consistent run. All cuts on its way are consistent.
    Linearization,
}

/// Why a global state cannot be reached from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// The cut to begin with is no global state: it is not consistent.
    From,
    /// The cut to come to is not.
    To,
    /// This process would have to take events back.
    Backwards(usize),
}

impl Histories {
    /// Is it an order in which the events could have happened?
    pub fn judge(&self, order: &[usize]) -> Order {
        let mut place = vec![None; self.events().last().map_or(0, |last| last + 1)];
        for (at, event) in order.iter().enumerate() {
            match place.get_mut(*event) {
                Some(free @ None) if !self.places(*event).is_empty() => *free = Some(at),
                _ => return Order::Strange(*event),
            }
        }
        if let Some(missing) = self.events().find(|event| place[*event].is_none()) {
            return Order::Missing(missing);
        }
        // The first event that is too early, and the earliest of those it must wait for.
        let mut inconsistent = None;
        for (at, event) in order.iter().enumerate() {
            let too_late = |cause: &usize| place[*cause] > Some(at);
            let own = self
                .places(*event)
                .iter()
                .flat_map(|(p, nth)| self.of_process(*p as usize)[..*nth as usize - 1].iter().copied());
            if let Some(cause) = own.into_iter().find(too_late) {
                return Order::AgainstProcess(*event, cause);
            }
            let wrong = || self.events().filter(|e| self.precedes(*e, *event)).find(too_late);
            inconsistent = inconsistent.or_else(|| wrong().map(|cause| Order::Inconsistent(*event, cause)));
        }
        inconsistent.unwrap_or(Order::Linearization)
    }

    /// The events that lead from one global state to another, in the order of the run.
    ///
    /// # Errors
    /// When no consistent run passes through the first and later through the second.
    pub fn way(&self, from: &Cut, to: &Cut) -> Result<Vec<usize>, Unreachable> {
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

    /// A linearization that passes through a consistent cut: what is inside, then the rest, each in the order of the run.
    pub fn through(&self, cut: &Cut) -> Vec<usize> {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            self.events().partition(|event| self.contains(cut, *event));
        inside.into_iter().chain(outside).collect()
    }
}
