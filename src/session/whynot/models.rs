//! Explanations specific to rounds, time, and pairwise interactions.

use super::{Explainer, MOST_NAMED};
use crate::ids::{MessageId, ProcessId};
use crate::ir::{Alternative, Input, Mirror, Op};
use crate::property::explain_failure;
use crate::semantics::eval::{self, Env};

impl Explainer<'_> {
    /// Evaluate `f` in the environment of the process's alternatives: in rounds, at the end of the next round, with all
    /// messages sent to it so far.
    pub(super) fn probe<T>(&mut self, process: ProcessId, f: impl FnOnce(&mut Env<'_>) -> T) -> Option<T> {
        match self.instance.model.rounds() && !self.configuration.may_wake(process) {
            true => self.machine.probe_round(self.instance, self.configuration, process, f),
            false => self.machine.probe(self.instance, self.configuration, process, None, f),
        }
    }

    /// In rounds, explain why a process does not take its step of the next round, whatever that step is.
    pub(super) fn round_obstacle(&mut self, process: ProcessId) -> String {
        let ended = self.configuration.rounds().unwrap_or(0);
        let Some((round, next)) = self.machine.next_part(self.instance, self.configuration) else {
            return match self.possible.list.is_empty() {
                true => "no process can step in any later round".into(),
                false => {
                    format!("round {} ends only after every possible wake-up; .enabled lists them", ended + 1)
                }
            };
        };
        let fire = self.possible.list.iter().position(|p| p.event.process == next);
        let fire = fire.map_or(String::new(), |i| format!(" (.fire {})", i + 1));
        match process.cmp(&next) {
            std::cmp::Ordering::Greater => format!("in round {round}, {next} steps before it{fire}"),
            std::cmp::Ordering::Less if self.configuration.in_joint_step() => format!(
                "it has already stepped in round {round}; its next step depends on the messages sent until the next round ends"
            ),
            std::cmp::Ordering::Less => {
                format!("it has no step in round {round}: {next} is the first process that can step{fire}")
            }
            std::cmp::Ordering::Equal => {
                format!("in round {round}, another alternative comes first{fire}")
            }
        }
    }

    /// Whether the process has already stepped in the round that is ending: then its next step is still undetermined.
    pub(super) fn has_stepped_in_round(&self, process: ProcessId) -> bool {
        self.configuration.joint_position().is_some_and(|next| process < next)
    }

    /// Explain `after k` in rounds.
    pub(super) fn round_due(&mut self, process: ProcessId) -> String {
        let (ended, due) =
            (self.configuration.rounds().unwrap_or(0), self.configuration.timeout_round(process));
        match due {
            Some(due) if due > ended + 1 => {
                format!("its timer expires at the end of round {due}; {} ended so far", rounds(ended))
            }
            _ => self.round_obstacle(process),
        }
    }

    /// Explain `on arrival`: a message must be in transit to the process.
    pub(super) fn arrival(&mut self, process: ProcessId) -> String {
        let mut incoming = self.instance.incoming(process);
        match incoming.any(|channel| !self.configuration.is_empty(channel)) {
            true => self.model_obstacle(process),
            false => "no message is in transit to it".into(),
        }
    }

    /// Explain why a timer has not expired, or cannot expire.
    pub(super) fn timer(&mut self, process: ProcessId, alternative: &Alternative) -> Vec<String> {
        let table = self.instance.table(process);
        let own = |c: &&crate::instance::Candidate| {
            c.alternative.action == alternative.action
                && c.alternative.entry == alternative.entry
                && c.timer.is_some()
        };
        let number = table.candidates.iter().find(own).and_then(|c| c.timer);
        let Some((clock, number)) = self.configuration.environment().clock.as_ref().zip(number) else {
            return vec![self.model_obstacle(process)];
        };
        let (now, is_timed) = (clock.now(), clock.is_timed());
        match (clock.timers(process).nth(number.into()).flatten(), &alternative.input) {
            (None, Input::Timer(timer)) => vec![self.never_set(*timer)],
            (None, _) => {
                vec!["its timer has expired; it is set again when the process next enters this state or waiting point".into()]
            }
            (Some(at), _) if is_timed && at > now + self.horizon() => {
                vec![format!("its timer expires at {at}; {}", self.time_limit())]
            }
            _ => vec![match self.guard(process, alternative, None) {
                Some(reason) => format!("its timer is due, but {reason}"),
                None => "other steps due at the same time come before its timer; .enabled lists them".into(),
            }],
        }
    }

    fn never_set(&self, timer: u16) -> String {
        let program = &self.instance.program;
        let sets = program.roles.iter().flat_map(|role| &role.code).filter_map(|op| match op {
            Op::SetTimer(set, after) if *set == timer => Some(program.sources.near(after.span)),
            _ => None,
        });
        let mut places: Vec<String> = sets.collect();
        places.dedup();
        places.truncate(MOST_NAMED);
        match places.is_empty() {
            true => "its timer is not set, and the program never sets it".into(),
            false => format!("its timer is not set; it is set in {}", places.join(", ")),
        }
    }

    /// Return how much time may pass before another step must occur.
    fn horizon(&self) -> u64 {
        self.possible.list.iter().map(|p| p.event.wait).max().unwrap_or(0)
    }

    /// Return the limit on waiting: `it is 3, and another step must occur by 7`.
    fn time_limit(&self) -> String {
        let now = self.configuration.environment().clock.as_ref().map_or(0, |clock| clock.now());
        match self.horizon() {
            0 => format!("it is {now}, and another step must occur first"),
            later => format!("it is {now}, and another step must occur by {}", now + later),
        }
    }

    /// Explain that a message, given by its number, is still in transit.
    pub(super) fn in_transit(&self, message: MessageId, text: &str) -> String {
        let Some(clock) = &self.configuration.environment().clock else {
            return format!("{text} has arrived");
        };
        let window = clock.window(message);
        match window.first == window.last {
            true => format!("{text} arrives at {}; {}", window.first, self.time_limit()),
            false => {
                format!("{text} arrives between {} and {}; {}", window.first, window.last, self.time_limit())
            }
        }
    }

    /// Explain, partner by partner, why a process takes part in no interaction.
    pub(super) fn partners(
        &mut self,
        process: ProcessId,
        alternative: &Alternative,
        (responder, mirrors): (u16, &[Mirror]),
    ) -> Vec<String> {
        let guard = alternative.guard.as_ref();
        let why = |env: &mut Env<'_>| match guard {
            None => None,
            Some(guard) => match eval::truth(guard, env) {
                Ok(true) => None,
                Ok(false) => {
                    Some(explain_failure(guard, true, env).map_or_else(|abort| abort.message, |b| b.text()))
                }
                Err(abort) => Some(format!("its guard could not be evaluated: {}", abort.message)),
            },
        };
        let met =
            self.machine.probe_pairs(self.instance, self.configuration, process, (responder, mirrors), why);
        if met.is_empty() {
            return vec!["there is no process that it could interact with".into()];
        }
        let mut met = met;
        met.sort_by_key(|(partner, _)| *partner);
        // Partners with the same reason are grouped.
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for (partner, why) in met {
            let Some(why) = why.unwrap_or_else(|abort| Some(abort.message)) else {
                return vec![self.model_obstacle(process)];
            };
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, partners)) => partners.push(partner.to_string()),
                None => reasons.push((why, vec![partner.to_string()])),
            }
        }
        let more = reasons.len().saturating_sub(MOST_NAMED);
        reasons.truncate(MOST_NAMED);
        let mut out: Vec<String> = reasons
            .into_iter()
            .map(|(why, partners)| {
                let named = match partners.len() > MOST_NAMED {
                    true => format!(
                        "{} and {} more",
                        partners[..MOST_NAMED].join(", "),
                        partners.len() - MOST_NAMED
                    ),
                    false => partners.join(", "),
                };
                format!("with {named}: {why}")
            })
            .collect();
        if more > 0 {
            out.push(format!("and {more} more partners"));
        }
        out
    }
}

fn rounds(ended: u64) -> String {
    match ended {
        0 => "no round has".into(),
        1 => "1 round has".into(),
        n => format!("{n} rounds have"),
    }
}
