//! What `synod verify` says, for people.

use super::body::{PropertyBody, VerifyBody};
use super::counterexample::{ChosenBody, CounterexampleBody, Found, Shown};
use super::units::counted;
use super::{OrderName, VerifyOptions};
use crate::cli::batch_run::GuardBody;
use crate::cli::exit::Ending;
use crate::cli::output::{Output, table};
use crate::cli::run::nothing_goes_wrong;
use crate::explore::{End, Exploration, Needs, StopReason};
use crate::instance::Instance;
use crate::measure::plan::quoted;
use crate::prose;
use crate::render::{run as render, space_time};
use crate::report::Verdict;

/// Of longer counterexamples the first and last events are shown; `--verbose` shows all.
const MOST_EVENTS: usize = 60;
/// So many kinds of ends are listed; `--verbose` shows all.
const MOST_ENDS: usize = 10;
/// The choices of so many events are told; the data has all.
const MOST_CHOSEN: usize = 20;
/// So many guards that no run takes are listed; `--verbose` shows all.
const MOST_GUARDS: usize = 10;

impl VerifyOptions {
    pub(super) fn text(
        &self,
        instance: &Instance,
        exploration: &Exploration,
        found: &[Found],
        body: &VerifyBody,
        out: &Output,
    ) -> String {
        let dot = if out.look.ascii { "|" } else { "·" };
        let mut text = format!(
            "{} on {} {dot} every schedule\n",
            out.bold(&instance.program.name),
            body.network.topology
        );
        if self.instance.on.is_none() {
            text += "(a small network of the kind that is assumed; --on chooses another)\n";
        }
        text += &nothing_goes_wrong(instance, "in these runs");
        text += &format!("\n{}", body.summary());
        if body.ending() == Ending::Limit && self.goes_no_deeper(exploration) {
            text += "(--order random goes far into what is too large to be seen as a whole)\n";
        }
        if !exploration.ends.is_empty() {
            text += "\nends\n";
            let most = if out.verbose { usize::MAX } else { MOST_ENDS };
            let row =
                |end: &End| vec![end.configurations.to_string(), end.outcome.into(), end.outputs.clone()];
            let rows: Vec<Vec<String>> = exploration.ends.iter().take(most).map(row).collect();
            for line in table(&rows) {
                text += &format!("{}\n", out.clip(&format!("  {line}"), out.list_width()));
            }
            if exploration.ends.len() > most {
                text += &format!("  and {} others; --verbose shows all\n", exploration.ends.len() - most);
            }
        }
        if !body.never_seen.is_empty() && exploration.cut.is_none() {
            text += &format!("\nnever taken: {}\n", body.never_seen.join(", "));
        }
        if !body.never_taken.is_empty() && exploration.cut.is_none() {
            text += "\nguards never taken\n";
            let most = if out.verbose { usize::MAX } else { MOST_GUARDS };
            let row = |guard: &GuardBody| vec![guard.guard.clone(), guard.at.clone()];
            for line in table(&body.never_taken.iter().take(most).map(row).collect::<Vec<_>>()) {
                text += &format!("  {line}\n");
            }
            if body.never_taken.len() > most {
                text += &format!("  and {} others; --verbose shows all\n", body.never_taken.len() - most);
            }
        }
        if !body.properties.is_empty() {
            text += "\nproperties\n";
            let row = |p: &PropertyBody| {
                let verdict = match (p.verdict, p.promised) {
                    (Verdict::Violated, true) => "VIOLATED".to_string(),
                    (Verdict::Violated, false) => "not promised, and violated".into(),
                    (other, _) => other.as_str().into(),
                };
                vec![p.name.clone(), p.kind.into(), verdict, p.to_string()]
            };
            for line in table(&body.properties.iter().map(row).collect::<Vec<_>>()) {
                text += &format!("  {line}\n");
            }
        }
        let all: Vec<(&CounterexampleBody, &Found)> = body.counterexamples.iter().zip(found).collect();
        let mut shown: Vec<&(&CounterexampleBody, &Found)> =
            all.iter().filter(|(c, _)| self.wants(body, c)).collect();
        let any = !shown.is_empty();
        while let Some((first, found)) = shown.first().copied() {
            // One run may show several things.
            let same: Vec<&CounterexampleBody> =
                shown.iter().filter(|(c, _)| c.is_same_run(first)).map(|(c, _)| *c).collect();
            text += &self.counterexample(&same, found, body, out);
            shown.retain(|(c, _)| !c.is_same_run(first));
        }
        text += &self.disagreements(&body.disagreements, |trace| {
            render::events(
                trace,
                &space_time::SpaceTimeOptions { look: out.look, ..space_time::SpaceTimeOptions::default() },
            )
        });
        match self.course.trace.as_deref() {
            _ if !any => {}
            Some("-") => {}
            Some(file) => {
                text += &format!("\n`synod trace show {}` shows the first of these again\n", quoted(file));
            }
            None => {
                let has_smaller = all.iter().any(|(c, _)| self.wants(body, c) && c.smaller.is_some());
                let smallest =
                    if has_smaller { "; --smallest shows the smaller network instead" } else { "" };
                text += &format!("\n--trace FILE keeps the first of these{smallest}\n");
            }
        }
        text
    }

    /// Was what is near looked at first, and there was too much of it?
    fn goes_no_deeper(&self, exploration: &Exploration) -> bool {
        let too_much = [StopReason::Configurations, StopReason::Memory, StopReason::Time];
        self.course.order == OrderName::Breadth && exploration.cut.is_some_and(|cut| too_much.contains(&cut))
    }

    /// For `--quiet`: the verdict, and what is wrong.
    pub(super) fn brief(&self, body: &VerifyBody) -> String {
        let mut text = body.summary();
        for counterexample in body.counterexamples.iter().filter(|c| self.wants(body, c)) {
            text += &format!("{}\n", counterexample);
        }
        for disagreement in &body.disagreements {
            text += &format!("{}\n", disagreement.message());
        }
        text
    }

    /// What is not promised is shown only to those who ask for it.
    fn wants(&self, body: &VerifyBody, counterexample: &CounterexampleBody) -> bool {
        let CounterexampleBody { shows, what, .. } = counterexample;
        let property = body.properties.iter().find(|p| *what == Shown::Property && p.name == *shows);
        property.is_none_or(|p| p.promised) || self.course.property.contains(shows)
    }

    /// One run, and what it shows.
    fn counterexample(
        &self,
        bodies: &[&CounterexampleBody],
        found: &Found,
        whole: &VerifyBody,
        out: &Output,
    ) -> String {
        let trace = &found.trace;
        let mut text = String::from("\n");
        if let Some(events) = found.instead {
            let network = &found.instance.network;
            let on = format!("{}{}", network.topology(), with_ids(network.ids()));
            let (all, events) = (&whole.network.topology, counted(events as u64, "event"));
            text += &format!("on {on}, where the same goes wrong as on {all} in {events}\n\n");
        }
        for body in bodies {
            text += &format!("{}\n", out.bold(&body.to_string()));
            body.there().iter().for_each(|line| text += &format!("  {line}\n"));
        }
        let drawn = space_time::SpaceTimeOptions {
            width: out.width(),
            list_width: out.list_width(),
            look: out.look,
            max_events: if out.verbose { usize::MAX } else { MOST_EVENTS },
            ..space_time::SpaceTimeOptions::default()
        };
        if !self.shown.no_events {
            text += &format!("\n{}", render::events(trace, &drawn));
        }
        if !self.shown.no_diagram {
            text += &format!("\n{}", space_time::space_time(trace, &drawn));
        }
        if let Some((body, from)) = bodies.iter().find_map(|body| Some((body, body.repeats_from?))) {
            text += &format!("\nand so on for ever, from event {from} again and again\n");
            if body.whatever_the_coins {
                text += "(with these coins; whatever others show from there on, the schedule can go on without it)\n";
            }
        }
        // One run may show several things for the same reason, or each for its own.
        let mut told: Vec<(String, Vec<&str>)> = Vec::new();
        for body in bodies {
            for part in explained(body) {
                match told.iter_mut().find(|(known, _)| *known == part) {
                    Some((_, of)) => of.push(&body.shows),
                    None => told.push((part, vec![&body.shows])),
                }
            }
        }
        for (part, of) in told {
            let whose = match part.starts_with(AGAIN) && of.len() < bodies.len() {
                true => format!("{}: ", of.join(", ")),
                false => String::new(),
            };
            let it = if bodies.len() > 1 { prose::and(&of) } else { "it".into() };
            text += &format!("\n{whose}{}\n", part.replace(IT, &it));
        }
        text
    }
}

/// How it begins what is said of smaller networks.
const AGAIN: &str = "the same goes wrong on";

/// Stands for what is decided, until it is known what else is by the same event and for the same reasons.
const IT: char = '\0';

/// ` with ids 3,1,2`, where they are others than anybody would think.
fn with_ids(ids: &[i64]) -> String {
    let plain = ids.iter().zip(1..).all(|(id, place)| *id == place);
    let ids = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    if plain { String::new() } else { format!(" with ids {ids}") }
}

/// Which event made it false, what had happened before it, what had to go wrong, and on which smaller network it is so.
fn explained(body: &CounterexampleBody) -> Vec<String> {
    let mut parts = Vec::new();
    if !body.chosen.is_empty() {
        let of = |c: &ChosenBody| format!("{}: {}", body.event(c.event), c.chosen.join(", "));
        let mut all: Vec<String> = body.chosen.iter().take(MOST_CHOSEN).map(of).collect();
        if body.chosen.len() > MOST_CHOSEN {
            all.push(format!("and so on, in {} events", body.chosen.len()));
        }
        parts.push(format!("chosen in {}", all.join("; ")));
    }
    if let Some(flip) = &body.flipped_by {
        let before: Vec<u64> = body.past.iter().filter(|e| !flip.together.contains(e)).copied().collect();
        let silence = body.silence.as_deref().map(|events| {
            let events: Vec<String> = events.iter().map(|event| body.event(*event)).collect();
            match events.as_slice() {
                [] => "what had not come by then".into(),
                events => format!("what did not come because of {}", prose::and(events)),
            }
        });
        let led = match (before.len(), silence) {
            (0, Some(silence)) => Some(format!("{silence} led to it")),
            (0, None) if body.beside.is_empty() => Some("nothing had to happen before".into()),
            (0, None) => None,
            (all, None) if (all + flip.together.len()) as u64 == body.events => {
                Some("everything before led to it".into())
            }
            (_, None) => Some(format!("what led to it: {}", prose::numbers(&before))),
            (_, Some(silence)) => Some(format!("what led to it: {}, and {silence}", prose::numbers(&before))),
        };
        let beside: Vec<String> = body.beside.iter().map(|event| body.event(*event)).collect();
        let beside = match beside.as_slice() {
            [] => None,
            all => Some(format!("beside that, what it reads of others was set by {}", prose::and(all))),
        };
        let decides = match flip.together.as_slice() {
            [_] | [] => format!("event {} (p{}: {}) decides", flip.event, flip.process, flip.action),
            [first, .., last] => format!("events {first} to {last}, one joint step, decide"),
        };
        let all: Vec<String> = [Some(format!("{decides} {IT}")), led, beside].into_iter().flatten().collect();
        parts.push(all.join("; "));
    }
    if let Some(event) = body.exceeded_by {
        parts.push(format!("{} is the first that exceeds {IT}", body.event(event)));
    }
    // Of ends and runs for ever it goes without saying.
    match body.left_out.why {
        Some(needs @ Needs::Everybody) => parts.push(format!("no event can be left out: {}", needs.as_str())),
        Some(needs @ (Needs::TooMany | Needs::Time)) => {
            parts.push(format!("no event was left out: {}", needs.as_str()))
        }
        _ => {}
    }
    parts.extend(body.faults.as_ref().map(|faults| faults.told.clone()));
    if let Some(smaller) = &body.smaller {
        let ids = with_ids(&smaller.ids);
        let events = counted(smaller.events, "event");
        let faults = match smaller.other_faults.as_deref() {
            None => String::new(),
            Some("") => " and without any fault".into(),
            Some(all) => format!(" and with {all}"),
        };
        parts.push(format!("{AGAIN} {}{ids}, in {events}{faults}", smaller.topology));
    }
    parts
}
