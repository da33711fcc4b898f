//! Unobserved runs by fast code ([`crate::instance::FastCode`]).

use super::{NOTE, PROCESS, Progress, Simulation};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{FastCode, Instance, Registers};
use crate::semantics::event::Cause;
use crate::semantics::machine::{Ended, FastResult};
use crate::semantics::{Eval, Offer};
use crate::simulate::{IS_SMALL, Observer, Scheduler};

/// State of fast code in an unobserved run.
pub(super) struct FastRun<'a> {
    fast: &'a FastCode,
    registers: Box<Registers>,
    /// The step at which fast code is tried again for many steps at once, and the length of the last pause.
    pub(super) again: u64,
    pause: u64,
    /// The delivery at which it left: channel, the position tried first, the number of positions tried.
    open: Option<(ChannelId, usize, usize)>,
}

impl FastRun<'_> {
    pub(super) fn new(instance: &Instance, unwatched: bool) -> Option<FastRun<'_>> {
        if IS_SMALL {
            return None;
        }
        let fast = instance.fast().filter(|_| unwatched)?;
        Some(FastRun { fast, registers: fast.registers.clone(), again: 0, pause: 0, open: None })
    }

    /// Return whether a delivery is pending whose channel the scheduler has already popped.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

impl<S: Scheduler> Simulation<S> {
    /// Execute many deliveries at once, if the scheduler's order needs no scheduler and no token is parked. `None`: this does not
    /// hold, or fast code cannot execute the next step.
    pub(super) fn run_unwatched(
        &mut self,
        instance: &Instance,
        unwatched: &mut FastRun<'_>,
        max_steps: u64,
    ) -> Option<Ended> {
        let Simulation { machine, configuration, scheduler, steps, parked, .. } = self;
        let fast = unwatched.fast;
        let delivery = |token: &u32| *token < PROCESS;
        let mut go_on = || !instance.stop.is_set();
        let left = max_steps - *steps;
        let nobody_waits = parked.iter().all(Vec::is_empty);
        let mut done = (0, Ended::Left);
        if !fast.deliveries_only {
            unwatched.again = u64::MAX;
            return None;
        } else if let Some(order) = scheduler.in_order() {
            if nobody_waits && order.iter().all(delivery) {
                done = machine.deliver_in_order(instance, fast, configuration, order, left, &mut go_on);
            }
        } else if let Some((candidates, dice)) = scheduler.at_random() {
            if nobody_waits && candidates.iter().all(delivery) {
                done = machine.deliver_at_random(
                    instance,
                    fast,
                    configuration,
                    candidates,
                    dice,
                    left,
                    &mut go_on,
                );
            }
        } else {
            unwatched.again = u64::MAX;
            return None;
        }
        let (taken, ended) = done;
        *steps += taken;
        // Taking all messages from their channels, and returning them, must remain cheap relative to the steps between.
        let cost = configuration.in_flight() + u64::from(instance.n()) + u64::from(instance.layout.channels);
        unwatched.pause = unwatched.pause.saturating_mul(2).max(cost);
        unwatched.again = steps.saturating_add(unwatched.pause);
        match ended {
            Ended::Quiet | Ended::Limit => return Some(ended),
            Ended::LeftAt { channel, first, tried } => unwatched.open = Some((channel, first, tried)),
            Ended::Left => {}
        }
        None
    }

    /// The same as `next`, by fast code if there is some.
    #[inline(always)]
    pub(super) fn next_fast<O: Observer>(
        &mut self,
        instance: &Instance,
        unwatched: &mut FastRun<'_>,
        observer: &mut O,
    ) -> Eval<Progress> {
        if let Some((channel, first, tried)) = unwatched.open.take()
            && let Some(progress) = self.serve_from(instance, unwatched, channel, first, tried, observer)?
        {
            return Ok(progress);
        }
        loop {
            let Some(token) = self.scheduler.pop() else {
                return Ok(Progress::Quiet);
            };
            let progress = if token < PROCESS {
                self.serve_fast(instance, unwatched, ChannelId(token), observer)?
            } else if token < NOTE {
                self.serve_process(instance, ProcessId(token & !PROCESS), observer)?
            } else {
                self.serve_note(instance, ProcessId(token & !NOTE), observer)?
            };
            if let Some(progress) = progress {
                return Ok(progress);
            }
        }
    }

    /// Serve a channel whose messages are neither deferred nor held, at a receiver that does not gather.
    #[inline(always)]
    fn serve_fast<O: Observer>(
        &mut self,
        instance: &Instance,
        unwatched: &mut FastRun<'_>,
        channel: ChannelId,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        if self.configuration.is_empty(channel) {
            return Ok(None);
        }
        let mut first = 0;
        if !instance.layout.all_fifo {
            first = self.scheduler.first_position(self.configuration.messages_in(channel));
        }
        self.serve_from(instance, unwatched, channel, first, 0, observer)
    }

    /// Try the messages of a channel cyclically from the position `first` on, except those tried already.
    #[inline(always)]
    fn serve_from<O: Observer>(
        &mut self,
        instance: &Instance,
        unwatched: &mut FastRun<'_>,
        channel: ChannelId,
        first: usize,
        tried: usize,
        observer: &mut O,
    ) -> Eval<Option<Progress>> {
        let process = instance.receiver(channel);
        let ordered = instance.layout.all_fifo;
        let messages = if ordered { 1 } else { self.configuration.messages_in(channel) };
        for i in tried..messages {
            let position = if first + i < messages { first + i } else { first + i - messages } as u32;
            let Simulation { machine, configuration, scheduler, .. } = self;
            let registers = &mut unwatched.registers;
            let fast = unwatched.fast;
            match machine.deliver_fast(instance, fast, registers, configuration, channel, position, process) {
                FastResult::Taken | FastResult::Passed => {}
                FastResult::Nobody => continue,
                FastResult::Left => {
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
            // The same as `after`, if each step takes a message.
            self.steps += 1;
            let each = scheduler.per_message() || !ordered;
            machine.post_fast(configuration, |to, was_empty| {
                if each || (was_empty && to != channel) {
                    scheduler.push(to.0, if S::BY_PROCESS { instance.receiver(to) } else { ProcessId(0) });
                }
            });
            if !each && !configuration.is_empty(channel) {
                scheduler.push(channel.0, process);
            }
            if !self.parked.is_empty() {
                self.scheduler.release(&mut self.parked[process.index()], process);
            }
            if !self.listed.is_empty() {
                self.reconsider(instance, process, false);
            }
            return Ok(Some(Progress::Stepped));
        }
        self.park(instance, process, channel.0);
        Ok(None)
    }
}
