//! A run that goes round for ever, taken again: what has to happen and does not.

use super::watched::Watched;
use crate::explore::{Owed, is_same, owed};
use crate::instance::Instance;
use crate::ir::Property;
use crate::property::{Judgement, violation};
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Configuration, History, Metrics};
use crate::simulate::{Observer, replay};
use crate::syntax::ast::PropertyKind;

/// Does a recorded run go round as it says?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasso {
    /// It comes back, and goes on fairly.
    Fair,
    /// It comes back, and going on so for ever is not fair.
    Unfair(Owed),
    /// It does not come back to the configuration in which its round is said to begin.
    Open,
}

/// Judges what is pending at the end of a recorded run that is said to go on, after its last event, with event `from` (counted from 0)
/// again and again: what has not come true by then never does. Nothing is decided by a run that does not come back, or whose round
/// is not fair.
pub fn goes_round(instance: &Instance, events: &[Event], from: usize, watched: &mut Watched) -> Lasso {
    let mut configuration = Configuration::initial(instance);
    let settles = |p: &&Property| p.kind == PropertyKind::Settles;
    let mut round = Round {
        from,
        taken: 0,
        begun: (from == 0).then(|| configuration.clone()),
        lost: instance.program.properties.iter().filter(settles).map(|p| (p, None)).collect(),
    };
    let replayed = replay(instance, &mut configuration, events, &mut round);
    let begun = round.begun.take().filter(|begun| is_same(instance, begun, &configuration));
    let (Ok(_), Some(begun), Some(events)) = (replayed, begun, events.get(from..).filter(|e| !e.is_empty()))
    else {
        return Lasso::Open;
    };
    if let Some(owed) = owed(instance, &begun, events) {
        return Lasso::Unfair(owed);
    }
    for verdict in watched.verdicts.iter_mut().filter(|v| v.judgement == Judgement::Pending) {
        let why = match verdict.kind {
            PropertyKind::Eventually => Some("the run goes round for ever without it".to_string()),
            PropertyKind::LeadsTo => Some("the run goes round for ever without the right side".into()),
            PropertyKind::Settles => {
                let lost = round.lost.iter_mut().find(|(property, _)| property.name == verdict.name);
                let why = lost.and_then(|(_, why)| why.take());
                why.map(|why| format!("the run goes round for ever and loses it again and again: {why}"))
            }
            _ => None,
        };
        if let Some(why) = why {
            (verdict.judgement, verdict.why) = (Judgement::Violated, why);
        }
    }
    Lasso::Fair
}

/// What is seen on the way round.
struct Round<'p> {
    from: usize,
    /// So many events have been taken.
    taken: usize,
    /// The configuration in which the way round begins.
    begun: Option<Configuration>,
    /// What settles, and why it is not so somewhere on the way round.
    lost: Vec<(&'p Property, Option<String>)>,
}

impl Observer for Round<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        _: &Event,
        _: &Effects,
        configuration: &Configuration,
        _: &Metrics,
    ) -> bool {
        self.taken += 1;
        if self.taken == self.from {
            self.begun = Some(configuration.clone());
        }
        if self.taken > self.from && !configuration.in_joint_step() {
            for (property, why) in self.lost.iter_mut().filter(|(_, why)| why.is_none()) {
                *why = wrong(instance, property, configuration);
            }
        }
        true
    }
}

/// Why a property is false in a configuration; None where it is true, or cannot be evaluated.
fn wrong(instance: &Instance, property: &Property, configuration: &Configuration) -> Option<String> {
    let program = &instance.program;
    let metrics = Metrics::new(program.kinds.len(), program.operations.len());
    let history = History::default();
    let world = World { configuration, metrics: &metrics, history: &history };
    let found = eval::globally(instance, Some(world), |env| violation(property, env));
    found.ok().flatten().map(|blame| blame.text())
}
