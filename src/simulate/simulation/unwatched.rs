//! Runs that nobody watches, by fast code ([`crate::instance::FastCode`]).

use super::{NOTE, PROCESS, Progress, Simulation};
use crate::instance::{FastCode, Instance, Registers};
use crate::semantics::event::Cause;
use crate::semantics::machine::{Ended, Fast};
use crate::semantics::{Eval, Offer};
use crate::simulate::{Observer, Scheduler};
use std::sync::atomic::{AtomicBool, Ordering};

/// What fast code needs along a run that nobody watches.
pub(super) struct Unwatched<'a> {
    fast: &'a FastCode,
    registers: Box<Registers>,
    /// The step at which delivery in the order of sending is tried again, and how many there were to be before.
    pub(super) again: u64,
    pause: u64,
}

impl Unwatched<'_> {
    pub(super) fn new(instance: &Instance, unwatched: bool) -> Option<Unwatched<'_>> {
        let fast = instance.fast().filter(|_| unwatched)?;
        Some(Unwatched { fast, registers: fast.registers.clone(), again: 0, pause: 0 })
    }
}

impl<S: Scheduler> Simulation<S> {
    /// Deliveries in the order of sending, where the scheduler keeps to it and nothing has had to wait. None: that is
    /// not so, or the next step is not one for fast code.
    pub(super) fn run_in_order(
        &mut self,
        instance: &Instance,
        unwatched: &mut Unwatched<'_>,
        max_steps: u64,
        interrupt: Option<&AtomicBool>,
    ) -> Option<Ended> {
        let Simulation { machine, configuration, scheduler, steps, parked, .. } = self;
        let order = scheduler.in_order().filter(|_| unwatched.fast.deliveries_only);
        let Some(order) = order else {
            unwatched.again = u64::MAX;
            return None;
        };
        let mut ended = Ended::Left;
        if parked.iter().all(Vec::is_empty) && order.iter().all(|token| *token < PROCESS) {
            let mut go_on = || !interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
            let left = max_steps - *steps;
            let taken;
            (taken, ended) =
                machine.deliver_in_order(instance, unwatched.fast, configuration, order, left, &mut go_on);
            *steps += taken;
        }
        // To take all messages out of their channels, and put them back, must stay cheap beside the steps between.
        unwatched.pause =
            unwatched.pause.saturating_mul(2).max(configuration.in_flight() + u64::from(instance.n()));
        unwatched.again = steps.saturating_add(unwatched.pause);
        (ended != Ended::Left).then_some(ended)
    }

    /// As `next`, by fast code where there is some.
    #[inline(always)]
    pub(super) fn next_fast<O: Observer>(
        &mut self,
        instance: &Instance,
        unwatched: &mut Unwatched<'_>,
        observer: &mut O,
    ) -> Eval<Progress> {
        loop {
            let Some(token) = self.scheduler.pop() else {
                return Ok(Progress::Quiet);
            };
            let progress = if token < PROCESS {
                self.serve_fast(instance, unwatched, token, observer)?
            } else if token < NOTE {
                self.serve_process(instance, token & !PROCESS, observer)?
            } else {
                self.serve_note(instance, token & !NOTE, observer)?
            };
            if let Some(progress) = progress {
                return Ok(progress);
            }
        }
    }

    /// A message of a channel, where none is deferred, none is held, and nobody gathers.
    #[inline(always)]
    fn serve_fast<O: Observer>(
        &mut self,
        instance: &Instance,
        unwatched: &mut Unwatched<'_>,
        channel: u32,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        if self.configuration.is_empty(channel) {
            return Ok(None);
        }
        let process = unwatched.fast.receiver(instance, channel);
        let (mut messages, mut first) = (1, 0);
        let ordered = instance.layout.all_fifo;
        if !ordered {
            messages = self.configuration.messages_in(channel);
            first = self.scheduler.first_position(messages);
        }
        for i in 0..messages {
            let position = if first + i < messages { first + i } else { first + i - messages } as u32;
            let Simulation { machine, configuration, scheduler, .. } = self;
            let registers = &mut unwatched.registers;
            let fast = unwatched.fast;
            match machine.deliver_fast(instance, fast, registers, configuration, channel, position, process) {
                Fast::Taken => {}
                Fast::Nobody => continue,
                Fast::Left => {
                    let mut offer = None;
                    if ordered {
                        offer = machine.deliver(instance, configuration, channel, process, scheduler)?;
                    }
                    let offer = match offer {
                        Some(offer) => offer,
                        None => machine.offer(instance, configuration, channel, position, None, scheduler)?,
                    };
                    if matches!(offer, Offer::Taken(_)) {
                        let cause = || (Cause::Deliver { channel, position }, 0);
                        return Ok(Some(self.after(instance, process, Some(channel), observer, cause)));
                    }
                    continue;
                }
            }
            // As `after`, where each step takes a message.
            self.steps += 1;
            let each = S::PER_MESSAGE || !ordered;
            machine.post_fast(configuration, |to, was_empty| {
                if each || (was_empty && to != channel) {
                    scheduler.push(to, if S::BY_PROCESS { fast.receiver(instance, to) } else { 0 });
                }
            });
            if !each && !configuration.is_empty(channel) {
                scheduler.push(channel, process);
            }
            if !self.parked.is_empty() {
                self.scheduler.release(&mut self.parked[process as usize], process);
            }
            if !self.listed.is_empty() {
                self.reconsider(instance, process, false);
            }
            return Ok(Some(Progress::Stepped));
        }
        self.park(instance, process, channel);
        Ok(None)
    }
}
