//! The report of `synod verify`, as text.

use super::{OrderName, VerifyOptions};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Output, table};
use crate::cli::run::{no_faults_note, ports_note};
use crate::explore::{End, Exploration};
use crate::instance::Instance;
use crate::ir::Scenario;
use crate::measure::plan::quoted;
use crate::prose::{self, counted};
use crate::render::{run as render, space_time};
use crate::session::coverage::GuardBody;
use crate::session::search_report::{
    CounterexampleBody, ExplainedCounterexample, NAMES, PropertyBody, SMALLER, VerifyBody, ViolationName,
    explained, with_ids,
};
use crate::verification::default_network::{TooLarge, is_limit};

/// The greatest number of events that are shown: of a longer counterexample, the first and last ones. `--verbose` shows all.
const MOST_EVENTS: usize = 60;
/// The greatest number of ends that are listed; `--verbose` lists all.
const MOST_ENDS: usize = 10;
/// The greatest number of guards never taken that are listed; `--verbose` lists all.
const MOST_GUARDS: usize = 10;

impl VerifyOptions {
    /// Return the heading: the explored instance, and the defaults that determine it.
    fn heading(&self, instance: &Instance, body: &VerifyBody, out: &Output) -> String {
        let dot = if out.look.ascii { "|" } else { "·" };
        let reduced = body.too_large.iter().flat_map(|too_large| &too_large.parameters);
        let reduced: Vec<String> = reduced.map(|(name, value)| format!("{name} {value}")).collect();
        let with = if reduced.is_empty() { String::new() } else { format!(" with {}", reduced.join(", ")) };
        let scenario = body.scenario.as_ref().map(|name| format!("scenario {name} {dot} "));
        let scenario = scenario.unwrap_or_default();
        let all = instance.network.topology() != body.network.topology;
        let ports =
            body.numberings.filter(|_| all).map(|number| format!("all {number} port numberings {dot} "));
        let mut text = format!(
            "{} on {}{with} {dot} {scenario}{}every schedule\n",
            out.bold(&instance.program.name),
            body.network.topology,
            ports.unwrap_or_default()
        );
        match &body.too_large {
            Some(TooLarge { topology, interrupted: true, .. }) => {
                text += &format!(
                    "(interrupted before the largest network up to {topology} that is small enough was found)\n"
                );
            }
            Some(TooLarge { topology, more_than, parameters, interrupted: false }) => {
                let defaults = if parameters.is_empty() { "" } else { " with its default parameters" };
                text += &format!(
                    "({topology}{defaults} has more than {}; --on '{topology}' explores it up to the limits)\n",
                    counted(*more_than, "configuration")
                );
            }
            None if self.instance.on.is_none() && body.scenario.is_none() => {
                text += "(a small network of the assumed topology; --on chooses another)\n";
            }
            None => {}
        }
        let of_scenario = |scenario: &&Scenario| body.scenario.as_ref() == Some(&scenario.name);
        let scenario = instance.program.scenarios.iter().find(of_scenario);
        if let Some(schedule) = scenario.and_then(|scenario| scenario.schedule.as_ref()) {
            text += &format!("(`schedule {schedule}` does not apply: every schedule is explored)\n");
        }
        if body.scenario.is_none() {
            text += &no_faults_note(instance, "in these runs");
        }
        text += &ports_note(instance, "--ports all explores every numbering");
        text
    }

    pub(super) fn text(
        &self,
        instance: &Instance,
        exploration: &Exploration,
        found: &[ExplainedCounterexample],
        body: &VerifyBody,
        out: &Output,
    ) -> String {
        let mut text = self.heading(instance, body, out);
        text += &format!("\n{}", body.summary());
        if body.ending() == ExitStatus::Limit {
            text += &self.next_attempts(exploration, body);
        }
        if !exploration.ends.is_empty() {
            text += match (self.course.outcomes.is_some(), exploration.symmetric) {
                (true, _) => "\nends, by number of final configurations\n",
                (false, true) => "\nends, up to symmetry\n",
                (false, false) => "\nends\n",
            };
            let most = if out.verbose { usize::MAX } else { MOST_ENDS };
            let row =
                |end: &End| vec![end.configurations.to_string(), end.outcome.into(), end.outputs.clone()];
            let rows: Vec<Vec<String>> = exploration.ends.iter().take(most).map(row).collect();
            for line in table(&rows) {
                text += &format!("{}\n", out.clip(&format!("  {line}"), out.list_width()));
            }
            if exploration.ends.len() > most {
                text += &format!(
                    "  and {}; --verbose shows all\n",
                    counted((exploration.ends.len() - most) as u64, "other")
                );
            }
        }
        if !body.never_seen.is_empty() && exploration.stopped_by.is_none() {
            text += &format!("\nnever taken: {}\n", body.never_seen.join(", "));
        }
        if !body.never_taken.is_empty() && exploration.stopped_by.is_none() {
            text += "\nguards never taken\n";
            let most = if out.verbose { usize::MAX } else { MOST_GUARDS };
            let row = |guard: &GuardBody| vec![guard.guard.clone(), guard.at.clone()];
            for line in table(&body.never_taken.iter().take(most).map(row).collect::<Vec<_>>()) {
                text += &format!("  {line}\n");
            }
            if body.never_taken.len() > most {
                text += &format!(
                    "  and {}; --verbose shows all\n",
                    counted((body.never_taken.len() - most) as u64, "other")
                );
            }
        }
        if !body.properties.is_empty() {
            text += "\nproperties\n";
            let row = |p: &PropertyBody| {
                vec![p.name.clone(), p.kind.into(), p.verdict_words().into(), p.to_string()]
            };
            for line in table(&body.properties.iter().map(row).collect::<Vec<_>>()) {
                text += &format!("  {line}\n");
            }
        }
        let all: Vec<(&CounterexampleBody, &ExplainedCounterexample)> =
            body.counterexamples.iter().zip(found).collect();
        let mut shown: Vec<&(&CounterexampleBody, &ExplainedCounterexample)> =
            all.iter().filter(|(c, _)| self.wants(body, c)).collect();
        let any = !shown.is_empty();
        while let Some((first, found)) = shown.first().copied() {
            // One run may show several violations.
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
                text += &format!("\n`synod trace show {}` shows the first counterexample\n", quoted(file));
            }
            None => {
                let has_smaller = all.iter().any(|(c, _)| self.wants(body, c) && c.smaller.is_some());
                let smallest = if has_smaller { "; --smallest shows the smaller one instead" } else { "" };
                text += &format!("\n--trace FILE saves the first counterexample{smallest}\n");
            }
        }
        text
    }

    /// Return lines that name what may decide the properties that a limit has left open.
    fn next_attempts(&self, exploration: &Exploration, body: &VerifyBody) -> String {
        let mut text = String::new();
        if let Some(decided) = &body.decided_on {
            let is_claimed = self.course.property.is_empty();
            let which = if is_claimed { "the claimed properties" } else { "the requested properties" };
            text += &format!("({})\n", decided.summary(which));
        }
        if self.goes_no_deeper(exploration) {
            if self.course.property.is_empty() && body.properties.len() > 1 {
                text += "(--property NAME checks one property alone, often with fewer configurations)\n";
            }
            text += "(--order random goes deep into a state space too large to explore exhaustively)\n";
        }
        text
    }

    /// Whether a breadth-first search reached a limit.
    fn goes_no_deeper(&self, exploration: &Exploration) -> bool {
        self.course.order == OrderName::Breadth && is_limit(exploration.stopped_by)
    }

    /// Return the text for `--quiet`: the verdict and the violations.
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

    /// Whether a counterexample is shown. For a property that the algorithm does not claim, only if the command line names it.
    fn wants(&self, body: &VerifyBody, counterexample: &CounterexampleBody) -> bool {
        let CounterexampleBody { shows, what, .. } = counterexample;
        let property = body.properties.iter().find(|p| *what == ViolationName::Property && p.name == *shows);
        property.is_none_or(|p| p.promised) || self.course.property.contains(shows)
    }

    /// Return the text about one run and its violations.
    fn counterexample(
        &self,
        bodies: &[&CounterexampleBody],
        found: &ExplainedCounterexample,
        whole: &VerifyBody,
        out: &Output,
    ) -> String {
        let trace = &found.trace;
        let mut text = String::from("\n");
        if let Some(events) = found.instead {
            let network = &found.instance.network;
            let on = format!("{}{}", network.topology(), with_ids(network.ids()));
            let (all, events) = (&whole.network.topology, counted(events as u64, "event"));
            text += &format!("smaller counterexample, on {on}; on {all}: {events}\n\n");
        }
        for body in bodies {
            text += &format!("{}\n", out.bold(&body.to_string()));
            body.local_state_lines().iter().for_each(|line| text += &format!("  {line}\n"));
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
            text += &format!("\nrepeats forever from event {from} on (lasso)\n");
            if body.whatever_the_coins {
                text += "(for every outcome of later random choices, the scheduler can keep the property violated)\n";
            }
        }
        // Several violations of one run may have the same explanation, or each its own.
        let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
        for body in bodies {
            for part in explained(body) {
                match parts.iter_mut().find(|(known, _)| *known == part) {
                    Some((_, of)) => of.push(&body.shows),
                    None => parts.push((part, vec![&body.shows])),
                }
            }
        }
        for (part, of) in parts {
            let whose = match part.starts_with(SMALLER) && of.len() < bodies.len() {
                true => format!("{}: ", of.join(", ")),
                false => String::new(),
            };
            let names = if bodies.len() > 1 { prose::and(&of) + " " } else { String::new() };
            text += &format!("\n{whose}{}\n", part.replace(NAMES, &names));
        }
        text
    }
}
