//! Lines for faults.

use super::{Line, Player, plain};
use crate::instance::LONGEST;
use crate::scenario::alternatives;
use crate::semantics::eval::{self, World};
use crate::semantics::event::Cause;
use crate::semantics::machine::{CrashOrder, ScriptedDelay};
use crate::semantics::orders::NO_VALUE;
use crate::source::Span;
use std::collections::BTreeSet;

impl Player<'_, '_> {
    /// Execute a line for a fault.
    pub(super) fn fault(&mut self, line: &Line, span: Span) -> Result<(), String> {
        let configuration = &self.simulation.configuration;
        match line {
            Line::Crash { process, .. } if configuration.crashed(*process as u32) => {
                Err(format!("p{process} is already down"))
            }
            Line::Crash { process, before: None } => self.take(&plain(*process as u32, Cause::Crash)),
            Line::Crash { process, before: Some((kinds, to)) } => {
                let process = *process as u32;
                let to = to.iter().map(|to| *to as u32).collect();
                self.simulation.order_crash(CrashOrder { process, kinds: kinds.clone(), to });
                self.orders.push((process, span));
                Ok(())
            }
            Line::Restart(process) if !configuration.crashed(*process as u32) => {
                Err(format!("p{process} is not down"))
            }
            Line::Restart(process) => self.take(&plain(*process as u32, Cause::Restart)),
            Line::Mislead(process) => {
                let process = *process as u32;
                let faults = &configuration.environment().faults;
                if faults.as_ref().is_some_and(|faults| faults.misleads(process)) {
                    return Err(format!("p{process} is already misled"));
                }
                self.take(&plain(process, Cause::Mislead))
            }
            Line::Suspect { process, at, trusted } => {
                let (of, at) = (*process as u32, *at as u32);
                let wanted = if *trusted { Cause::Trust { of } } else { Cause::Suspect { of } };
                let ways = alternatives::detections(self.instance, configuration, at, &wanted);
                let word = if *trusted { "trust" } else { "suspect" };
                self.take_one_of(at, ways, || {
                    format!(
                        "the detector of p{at} cannot {word} p{of} now, or p{at} does not handle its report"
                    )
                })
            }
            Line::Lose { from, to, kinds } => {
                let (channel, position) =
                    self.message_in_transit(*from as u32, *to as u32, kinds.as_deref())?;
                self.take(&plain(*to as u32, Cause::Lose { channel, position }))
            }
            Line::Duplicate { from, to, kinds } => {
                let (channel, position) =
                    self.message_in_transit(*from as u32, *to as u32, kinds.as_deref())?;
                self.take(&plain(*from as u32, Cause::Duplicate { channel, position }))
            }
            Line::Cut { from, to } => {
                let (from, to) = (*from as u32, *to as u32);
                let layout = &self.instance.layout;
                let channels = self.instance.incoming(to).filter(|c| self.instance.sender(*c) == from);
                let links = channels.map(|c| layout.link_of(c));
                let links: BTreeSet<u32> = links.filter(|l| self.instance.network.is_used(*l)).collect();
                if links.is_empty() {
                    return Err(format!("no link from p{from} to p{to}"));
                }
                let faults = &configuration.environment().faults;
                if faults.as_ref().is_some_and(|f| links.iter().all(|link| f.has_failed(*link))) {
                    return Err(format!("the link from p{from} to p{to} has already failed"));
                }
                links.into_iter().try_for_each(|link| self.take(&plain(from, Cause::Cut { link })))
            }
            Line::Delay { from, to, kinds, delay } => {
                let delay = self.number(delay, "a delay")?;
                let (from, to) = (*from as u32, *to as u32);
                self.simulation.order_delay(ScriptedDelay { from, to, kinds: kinds.clone(), delay });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Return a message of these kinds in transit: the first, unless another one was selected.
    fn message_in_transit(
        &mut self,
        from: u32,
        to: u32,
        kinds: Option<&[u32]>,
    ) -> Result<(u32, u32), String> {
        let all = alternatives::in_transit(self.instance, &self.simulation.configuration, (from, to), kinds);
        let number = match all.len() {
            0 | 1 => 0,
            many => self.simulation.ordered().choose(to, many, NO_VALUE, || 0),
        };
        all.get(number).copied().ok_or_else(|| format!("no such message is in transit from p{from} to p{to}"))
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
