//! The time that may pass before some event must occur. Each process limits it by its timers, by the messages sent to it, and by what it
//! can do at once.

use super::{Configuration, Machine};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::event::Cause;

/// Limits on the passage of time, set by some or all processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Time until a timer must expire; None: unlimited.
    timers: Option<u64>,
    /// Time until a message that can be taken must have been delivered.
    deliveries: Option<u64>,
    /// Some step is urgent.
    urgent: bool,
    /// Time after which time successors no longer differ. Messages that no process can take yet, and timers that no alternative waits
    /// for yet, still count: a process that proceeds at its leisure may find them pending, due, or overdue.
    horizon: u64,
}

/// Return the least of the limits.
fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    [a, b].into_iter().flatten().min()
}

impl TimeLimits {
    /// Return the limits set by these and other processes.
    pub fn and(self, other: TimeLimits) -> TimeLimits {
        TimeLimits {
            timers: least(self.timers, other.timers),
            deliveries: least(self.deliveries, other.deliveries),
            urgent: self.urgent || other.urgent,
            horizon: self.horizon.max(other.horizon),
        }
    }

    /// Return the time that may pass before an event must occur. None: unlimited.
    pub fn time(self) -> Option<u64> {
        if self.urgent { Some(0) } else { least(self.timers, self.deliveries) }
    }

    /// Return the greatest wait that is tried.
    pub fn most(self) -> u64 {
        self.time().unwrap_or(self.horizon)
    }

    /// Return whether timers may expire after this wait. At one instant, urgent steps and due deliveries precede timeouts.
    pub fn lets_timers(self, wait: u64) -> bool {
        !self.urgent && self.deliveries.is_none_or(|due| due > wait)
    }

    /// Return limits of which the steps of each process are the same: the greatest wait, and whether timers may expire after it.
    pub fn stated(most: u64, lets_timers: bool) -> TimeLimits {
        let deliveries = if lets_timers { None } else { Some(most) };
        TimeLimits { timers: Some(most), deliveries, urgent: false, horizon: most }
    }
}

impl Machine {
    /// Let this much time pass at most, whatever the configuration says. None: as the configuration says.
    pub fn state_time(&mut self, limits: Option<TimeLimits>) {
        self.special.stated_time = limits;
    }

    /// Return the maximum time that may pass before an event must occur. `None`: unlimited.
    pub fn time_left(&mut self, instance: &Instance, configuration: &Configuration) -> Option<u64> {
        self.limits(instance, configuration).time()
    }

    /// Compute the limits on the time that passes before the next event.
    pub(super) fn limits(&mut self, instance: &Instance, configuration: &Configuration) -> TimeLimits {
        if let Some(stated) = self.special.stated_time {
            return stated;
        }
        let all = instance.processes();
        all.fold(TimeLimits::default(), |limits, process| {
            limits.and(self.limits_by(instance, configuration, process))
        })
    }

    /// Compute the limits that a process sets.
    pub fn limits_by(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) -> TimeLimits {
        let mut limits = TimeLimits::default();
        let Some(clock) = configuration.environment.clock.as_deref().filter(|c| c.is_timed()) else {
            return limits;
        };
        let until = |instant: u64| instant.saturating_sub(clock.now());
        let mut possible = Vec::new();
        self.internal_in_time(instance, configuration, process, &mut possible);
        for found in &possible {
            if found.0 != Cause::Gather {
                limits.urgent |= self.is_urgent(instance, configuration, process, found);
            } else if let Some((_, last)) = self.gathering(instance, configuration, process, found.1) {
                limits.deliveries = least(limits.deliveries, Some(last));
            }
        }
        for left in clock.timers(process).flatten().map(until) {
            limits.horizon = limits.horizon.max(left);
            if limits.timers.is_none_or(|time| left < time) {
                possible.clear();
                self.timeouts(instance, configuration, process, left, &mut possible);
                if !possible.is_empty() {
                    limits.timers = Some(left);
                }
            }
        }
        for channel in instance.incoming(process).filter(|channel| !configuration.is_empty(*channel)) {
            for message in configuration.channel(channel) {
                let window = clock.window(message.id);
                let end = if window.last == u64::MAX { window.first } else { window.last };
                limits.horizon = limits.horizon.max(until(end));
            }
            let held = std::mem::take(&mut self.special.held);
            self.deliveries(instance, configuration, channel, |position, _| {
                let id = configuration.channel(channel).nth(position as usize).map(|m| m.id);
                if let Some(id) = id.filter(|id| !held.contains(id)) {
                    limits.deliveries = least(limits.deliveries, Some(until(clock.window(id).last)));
                }
            });
            self.special.held = held;
        }
        limits
    }
}
