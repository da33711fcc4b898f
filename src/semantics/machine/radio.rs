//! Radio networks: the listening neighbours of a process receive its transmission if no other neighbour transmits.

use super::faults::possible;
use super::{Chooser, Configuration, Eval, Machine};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Fault, Feedback, Send};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::environment::{Air, OnAir};
use crate::source::Span;
use rustc_hash::FxHashSet;

/// Cases of `heard`, in the order of [`Feedback::cases`].
const SILENCE: i64 = 0;
/// Exactly one neighbour has transmitted; in the beeping model: at least one.
const SUCCESS: i64 = 1;
const COLLISION: i64 = 2;

/// The reception of a process: its perception of the messages that reach it in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reception {
    pub heard: i64,
    /// Whether it perceives that a neighbour has transmitted.
    pub noticed: bool,
    /// Whether it receives their content.
    pub understood: bool,
}

impl Reception {
    /// Without radio every message is received.
    pub const ALL: Reception = Reception { heard: SILENCE, noticed: true, understood: true };
    const NOTHING: Reception = Reception { heard: SILENCE, noticed: false, understood: false };

    pub fn of(instance: &Instance, air: Air, signals: usize) -> Reception {
        let Some(feedback) = instance.model.radio else {
            return Reception::ALL;
        };
        if air.does == OnAir::Transmits {
            return match (instance.model.transmitter_feedback, signals == 0 && !air.sent_before_crash) {
                (false, _) => Reception::NOTHING,
                (true, true) => Reception { heard: SUCCESS, ..Reception::NOTHING },
                (true, false) => Reception { heard: COLLISION, noticed: true, understood: false },
            };
        }
        if air.sent_before_crash {
            return Reception::NOTHING;
        }
        match (signals, feedback) {
            (0, _) => Reception::NOTHING,
            (_, Feedback::Beeps) => Reception { heard: SUCCESS, noticed: true, understood: false },
            (1, _) => Reception { heard: SUCCESS, noticed: true, understood: true },
            (_, Feedback::Collisions) => Reception { heard: COLLISION, noticed: true, understood: false },
            (_, Feedback::None) => Reception::NOTHING,
        }
    }
}

impl Machine {
    /// Undo the decision for the slot of a command that aborts.
    pub(super) fn undecide(&mut self, configuration: &mut Configuration, process: ProcessId) {
        if let Some(before) = self.joint.air_before.take()
            && let Some(air) = configuration.joint_mut().and_then(|j| j.air.get_mut(process.index()))
        {
            *air = before;
        }
    }

    /// Execute a transmission, which counts once, however many processes hear it.
    pub(super) fn transmit(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        send: &Send,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        self.make(instance, process, send, chooser)?;
        if self.special.active {
            self.crash_point_on_air(instance, configuration, process, send.kind, chooser)?;
        }
        self.decide(configuration, process, OnAir::Transmits, send.span)?;
        let bits = self.draft.count_bits(instance, send.kind);
        let lane = instance.layout.kinds[send.kind as usize].lane;
        // Parallel links count as one neighbour, and self links do not count.
        let mut reached = FxHashSet::from_iter([process]);
        for port in instance.network.ports(process) {
            if port.out != NONE && reached.insert(port.peer) {
                self.copy_out(instance, configuration, send.kind, port.out, lane);
            }
        }
        self.metrics.sent[send.kind as usize] += 1;
        self.metrics.bits[send.kind as usize] += u64::from(bits);
        // Also where there is no neighbour.
        self.metrics.time = self.metrics.time.max(self.thread.depth.saturating_add(1));
        Ok(())
    }

    pub(super) fn listen(
        &mut self,
        configuration: &mut Configuration,
        process: ProcessId,
        span: Span,
    ) -> Eval<()> {
        self.decide(configuration, process, OnAir::Listens, span)
    }

    /// Remove a crashed or halted process from the slot. Its decision matters only to a process that may restart in its place
    /// while its transmission is in the air.
    pub(super) fn leave_air(instance: &Instance, configuration: &mut Configuration, process: ProcessId) {
        let may_return = possible(instance, configuration, Fault::Restart);
        let air = configuration.joint_mut().and_then(|joint| joint.air.get_mut(process.index()));
        if let Some(air) = air {
            let transmitted = air.sent_before_crash || air.does == OnAir::Transmits;
            *air = Air { does: OnAir::Undecided, sent_before_crash: transmitted && may_return };
        }
    }

    /// Decide what a process does in the slot: only one thing.
    fn decide(
        &mut self,
        configuration: &mut Configuration,
        process: ProcessId,
        does: OnAir,
        span: Span,
    ) -> Eval<()> {
        let air = configuration.joint_mut().and_then(|joint| joint.air.get_mut(process.index()));
        let Some(air) = air else {
            return Err(Abort::new(span, "this algorithm does not assume `radio`"));
        };
        let before = *air;
        air.does = does;
        self.joint.air_before.get_or_insert(before);
        match (before.does, does) {
            (OnAir::Undecided, _) | (OnAir::Listens, OnAir::Listens) => Ok(()),
            (OnAir::Transmits, OnAir::Transmits) => {
                Err(Abort::new(span, format!("{process} transmits twice in one slot: a `round` is missing")))
            }
            _ => Err(Abort::new(
                span,
                format!("{process} transmits and listens in one slot: a `round` is missing"),
            )),
        }
    }
}
