//! Lines for faults.

use super::{Line, Player, plain};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::LONGEST;
use crate::ir::Fault;
use crate::scenario::alternatives;
use crate::semantics::Configuration;
use crate::semantics::eval::{self, World};
use crate::semantics::event::Cause;
use crate::semantics::machine::{CrashOrder, ScriptedDelay, is_lost_freely};
use crate::semantics::orders::NO_VALUE;
use crate::source::Span;
use std::collections::BTreeSet;

impl Player<'_, '_> {
    /// Execute a line for a fault.
    pub(super) fn fault(&mut self, line: &Line, span: Span) -> Result<(), String> {
        let configuration = &self.simulation.configuration;
        match line {
            Line::Crash { process, .. } if configuration.crashed(*process) => {
                Err(format!("{process} is already down"))
            }
            Line::Crash { process, before: None } => self.take(&plain(*process, Cause::Crash)),
            Line::Crash { process, before: Some((kinds, to)) } => {
                let (process, kinds, to) = (*process, kinds.clone(), to.clone());
                self.simulation.order_crash(CrashOrder { process, kinds, to, span });
                Ok(())
            }
            Line::Restart(process) if !configuration.crashed(*process) => {
                Err(format!("{process} is not down"))
            }
            Line::Restart(process) => {
                self.restarted.insert(*process);
                self.take(&plain(*process, Cause::Restart))
            }
            Line::Mislead(process) => {
                let faults = &configuration.environment().faults;
                if faults.as_ref().is_some_and(|faults| faults.misleads(*process)) {
                    return Err(format!("{process} is already misled"));
                }
                self.take(&plain(*process, Cause::Mislead))
            }
            Line::Suspect { process, at, trusted } => {
                let (of, at) = (*process, *at);
                let wanted = if *trusted { Cause::Trust { of } } else { Cause::Suspect { of } };
                let ways = alternatives::detections(self.instance, configuration, at, &wanted);
                let word = if *trusted { "trust" } else { "suspect" };
                self.take_one_of(at, ways, || {
                    format!("the detector of {at} cannot {word} {of} now, or {at} does not handle its report")
                })
            }
            Line::Lose { from, to, kinds } => {
                let instance = self.instance;
                let needs_crash = !instance.active_faults().is_some_and(|h| h.allows(Fault::Loss));
                if needs_crash && !configuration.crashed(*from) {
                    return Err(format!("{from} is not down: its messages arrive"));
                }
                let (channel, position) = self.message_in_transit(
                    *from,
                    *to,
                    kinds.as_deref(),
                    |configuration, channel, position| {
                        !needs_crash || is_lost_freely(instance, configuration, channel, position)
                    },
                )?;
                self.take(&plain(*to, Cause::Lose { channel, position }))
            }
            Line::Duplicate { from, to, kinds } => {
                let (channel, position) =
                    self.message_in_transit(*from, *to, kinds.as_deref(), |_, _, _| true)?;
                self.take(&plain(*from, Cause::Duplicate { channel, position }))
            }
            Line::Cut { from, to } => {
                let (from, to) = (*from, *to);
                let layout = &self.instance.layout;
                let channels = self.instance.incoming(to).filter(|c| self.instance.sender(*c) == from);
                let links = channels.map(|c| layout.link_of(c));
                let links: BTreeSet<u32> = links.filter(|l| self.instance.network.is_used(*l)).collect();
                if links.is_empty() {
                    return Err(format!("no link from {from} to {to}"));
                }
                let faults = &configuration.environment().faults;
                if faults.as_ref().is_some_and(|f| links.iter().all(|link| f.has_failed(*link))) {
                    return Err(format!("the link from {from} to {to} has already failed"));
                }
                links.into_iter().try_for_each(|link| self.take(&plain(from, Cause::Cut { link })))
            }
            Line::Delay { from, to, kinds, delay } => {
                let delay = self.number(delay, "a delay")?;
                let (from, to) = (*from, *to);
                self.simulation.order_delay(ScriptedDelay { from, to, kinds: kinds.clone(), delay });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Return a message of these kinds in transit: the first, unless another one was selected.
    fn message_in_transit(
        &mut self,
        from: ProcessId,
        to: ProcessId,
        kinds: Option<&[u32]>,
        is_possible: impl Fn(&Configuration, ChannelId, u32) -> bool,
    ) -> Result<(ChannelId, u32), String> {
        let configuration = &self.simulation.configuration;
        let mut all = alternatives::in_transit(self.instance, configuration, (from, to), kinds);
        all.retain(|(channel, position)| is_possible(configuration, *channel, *position));
        let number = match all.len() {
            0 | 1 => 0,
            many => self.simulation.ordered().choose(to, many, NO_VALUE, || 0),
        };
        all.get(number).copied().ok_or_else(|| format!("no such message is in transit from {from} to {to}"))
    }

    /// Evaluate a duration, or a time.
    pub(super) fn number(&self, e: &crate::ir::Expr, what: &str) -> Result<u64, String> {
        let metrics = self.simulation.metrics().clone();
        let world = World {
            configuration: &self.simulation.configuration,
            metrics: &metrics,
            history: &self.observer.watch.history,
        };
        let value = eval::with_global_frame(self.instance, Some(world), |env| eval::word(e, env));
        let value = value.map_err(|abort| abort.to_string())?;
        let fits = u64::try_from(value).ok().filter(|v| *v <= LONGEST);
        fits.ok_or_else(|| format!("{what} cannot be {value}"))
    }
}
