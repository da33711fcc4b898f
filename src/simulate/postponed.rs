//! Steps that a simulation with faults and time postpones.

use super::agenda::Agenda;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use rustc_hash::FxHashMap;

/// Additional state of a simulation in these models.
#[derive(Debug, Default)]
pub(super) struct FaultAndTimeState {
    /// In systems with time.
    pub agenda: Option<Box<Agenda>>,
    /// Processes with a leisure step on the agenda or at the scheduler, and those with a timeout at the scheduler.
    pub at_leisure: Vec<bool>,
    pub timing_out: Vec<bool>,
    /// By process and timer: the instant at which the timer is on the agenda.
    pub timers: FxHashMap<(ProcessId, usize), u64>,
    /// The instant of the last fault.
    pub struck: Option<u64>,
    /// Processes whose timeouts have been postponed since the last event.
    pub put_off: Vec<ProcessId>,
    /// The messages that the last crash loses, by channel and position, the next one last.
    pub lost_by_crash: Vec<(ChannelId, u32)>,
}

impl FaultAndTimeState {
    pub fn new(instance: &Instance) -> Option<Box<FaultAndTimeState>> {
        let n = instance.n() as usize;
        let flags = || vec![false; n];
        instance.has_faults_or_time().then(|| {
            Box::new(FaultAndTimeState {
                agenda: instance.is_timed().then(Box::default),
                at_leisure: flags(),
                timing_out: flags(),
                timers: FxHashMap::default(),
                struck: None,
                put_off: Vec::new(),
                lost_by_crash: Vec::new(),
            })
        })
    }

    /// Whether the steps are postponed as in an earlier state, without those on the agenda: the `instants` are the present and the
    /// earlier one. False if a fault has occurred.
    pub fn is_in_state_of(&self, earlier: &FaultAndTimeState, (now, then): (u64, u64)) -> bool {
        let is_same = |(timer, at): (&(ProcessId, usize), &u64)| {
            earlier.timers.get(timer).is_some_and(|before| at.wrapping_sub(now) == before.wrapping_sub(then))
        };
        self.struck.is_none()
            && self.at_leisure == earlier.at_leisure
            && self.timing_out == earlier.timing_out
            && self.put_off == earlier.put_off
            && self.lost_by_crash == earlier.lost_by_crash
            && self.timers.len() == earlier.timers.len()
            && self.timers.iter().all(is_same)
    }
}
