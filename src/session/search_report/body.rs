//! The report as data, and its summary in a sentence.

use super::counterexample::{CounterexampleBody, ExplainedCounterexample, ViolationName};
use super::disagreement::{self, DisagreementBody};
use super::separate::{DecidedBody, DecidedVerdict, SeparateBody};
use super::view::ViewBody;
use crate::explore::{Exploration, StopReason, ViolationKind, port_seed};
use crate::instance::Instance;
use crate::ir::Program;
use crate::property::{Judgement, Reason, kind_word};
use crate::prose::{self, counted};
use crate::report::{ExitStatus, NetworkReport, SCHEMA, Verdict};
use crate::session::coverage::{Actions, GuardBody};
use crate::session::verdict_of;
use crate::verification::arrangements::{Arranged, Arrangements};
use crate::verification::decidable::DecidedOn;
use crate::verification::default_network::TooLarge;
use serde::Serialize;
use std::fmt;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VerifyBody {
    pub schema: &'static str,
    pub command: &'static str,
    pub algorithm: String,
    pub network: NetworkReport,
    /// The scenario whose runs were explored.
    pub scenario: Option<String>,
    /// The default network, if it was too large and was replaced by `network`.
    pub too_large: Option<TooLarge>,
    /// Whether the command line limits the search.
    #[serde(skip)]
    pub is_limited: bool,
    /// `holds`, `violated`, `limit` or `disagreement`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["holds", "violated", "limit", "disagreement"])))]
    pub verdict: &'static str,
    /// Number of distinct configurations.
    pub configurations: u64,
    /// Number of these that are intermediate states of a joint step.
    pub between: u64,
    /// Number of steps, each counted once for each configuration in which it is enabled.
    pub steps: u64,
    /// Number of steps to the farthest configuration, without starts.
    pub depth: u32,
    /// Measured, and so not reproducible.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub seconds: f64,
    /// Measured: memory of the search for each configuration. It depends on the number of threads.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub bytes_per_configuration: f64,
    /// Reductions that were used: `independence` (partial-order reduction), `symmetry`.
    #[cfg_attr(feature = "schemas", schemars(extend("items" = {"enum": ["independence", "symmetry"]})))]
    pub reduction: Vec<&'static str>,
    /// How the program's views were used. None: the program has none, or `--no-view`.
    pub view: Option<ViewBody>,
    /// Why the search is incomplete.
    pub cut: Option<&'static str>,
    /// If a limit ended the search: a smaller network on which its undecided properties are decided.
    pub decided_on: Option<DecidedBody>,
    /// Searches for properties that enlarge the state space, after the others have been checked.
    pub separate: Vec<SeparateBody>,
    /// With `--ids all`: number of arrangements of the ids that were explored.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub arrangements: Option<u64>,
    /// With `--ports all`: number of numberings of the ports that were explored.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub numberings: Option<u64>,
    /// The arrangements that were explored, with `--ids all` or `--ports all`.
    #[serde(skip)]
    pub arranged: Option<Arrangements>,
    /// Whether every fair run ends almost surely. None: this was not checked.
    pub every_run_ends: Option<bool>,
    /// Ends of runs, the most frequent first.
    pub ends: Vec<EndBody>,
    /// Some ends are blocked by a crash, which the algorithm waives (`without`).
    pub given_up: bool,
    /// Actions that no run takes.
    pub never_seen: Vec<String>,
    /// Guards of `if` and `do` inside commands that no run takes, in the order of the text.
    pub never_taken: Vec<GuardBody>,
    pub properties: Vec<PropertyBody>,
    pub counterexamples: Vec<CounterexampleBody>,
    /// Counterexamples that could not be replayed.
    pub disagreements: Vec<DisagreementBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EndBody {
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["terminated", "quiescent", "stuck", "others"])))]
    pub outcome: &'static str,
    pub outputs: String,
    /// Number of final configurations that the search distinguishes. Reductions merge equivalent ones.
    pub configurations: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PropertyBody {
    pub name: String,
    pub kind: &'static str,
    pub verdict: Verdict,
    pub promised: bool,
    /// Whether the scenario expects that it is violated. It is then not `promised`, unless no run violates it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schemas", schemars(with = "bool"))]
    pub expected: bool,
    /// Whether the command line names it.
    #[serde(skip)]
    pub asked: bool,
    pub why: String,
    /// Premises that never came true, as the program writes them, although the property holds.
    pub never_true: Vec<String>,
    /// It holds only because no run ends.
    #[serde(skip)]
    pub is_vacuous: bool,
    /// It holds almost surely (with probability 1), but not for every outcome of the random choices.
    pub almost_surely: bool,
    /// For bounds: the range of the measure over all runs. None: unbounded, or unknown.
    pub least: Option<i64>,
    pub most: Option<i64>,
}

/// Writes the reason for the verdict; for a violated bound also the range over all runs.
impl fmt::Display for PropertyBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = match (self.verdict, self.least, self.most) {
            (Verdict::Violated, Some(least), Some(most)) if least == most => format!("; {most} in every run"),
            (Verdict::Violated, Some(least), Some(most)) => format!("; from {least} to {most} over all runs"),
            _ => String::new(),
        };
        write!(f, "{}{range}", self.why)
    }
}

impl PropertyBody {
    /// Return the words for the verdict.
    pub fn verdict_words(&self) -> &'static str {
        match (self.verdict, self.promised) {
            (Verdict::Violated, true) => "VIOLATED",
            (Verdict::Violated, false) if self.expected => "violated (expected)",
            (Verdict::Violated, false) => "violated (not claimed)",
            (other, _) => other.as_str(),
        }
    }
}

/// Return the network that was explored. With `--ports all`, the topology names the last numbering only if it has a counterexample or the
/// search stopped early.
fn explored_network(
    instance: &Instance,
    exploration: &Exploration,
    holds: bool,
    arranged: Option<Arrangements>,
) -> NetworkReport {
    let all_numberings = arranged.is_some_and(|all| all.what == Arranged::Ports && all.searched == all.of);
    let topology = match all_numberings && holds && exploration.stopped_by.is_none() {
        true => instance.network.unnumbered_topology(),
        false => instance.network.topology(),
    };
    NetworkReport {
        topology: topology.into(),
        n: instance.n().into(),
        ids: instance.network.ids().to_vec(),
        port_seed: port_seed(instance),
    }
}

impl VerifyBody {
    pub fn new(
        program: &Program,
        instance: &Instance,
        exploration: &Exploration,
        found: &[ExplainedCounterexample],
        asked: &[String],
        (arranged, seconds): (Option<Arrangements>, f64),
    ) -> VerifyBody {
        let searched = |what| arranged.filter(|all| all.what == what).map(|all| all.searched);
        let extreme = |v: &crate::property::Verdict| {
            // Not all arrangements of the ids may have been explored.
            let all_known = match v.judgement {
                Judgement::Holds => true,
                Judgement::Violated => arranged.is_none() || exploration.stopped_by.is_none(),
                _ => false,
            };
            let of = exploration.extremes.iter().find(|(p, ..)| program.properties[*p].name == v.name);
            of.filter(|_| all_known)
        };
        // If a simpler counterexample replaces the first one, the verdict gives its reason.
        let why = |v: &crate::property::Verdict| {
            let about = |f: &&ExplainedCounterexample| matches!(f.counterexample.kind, ViolationKind::Property(p) if program.properties[p].name == v.name);
            let other = found.iter().filter(|f| f.instead.is_none()).find(about).and_then(|f| f.why.clone());
            prose::with_names(&other.unwrap_or_else(|| v.why.to_string()), instance.names()).into_owned()
        };
        let properties: Vec<PropertyBody> = exploration
            .verdicts
            .iter()
            .map(|v| PropertyBody {
                name: v.name.clone(),
                kind: kind_word(v.kind),
                verdict: verdict_of(v.judgement),
                promised: v.promised,
                expected: false,
                asked: asked.contains(&v.name),
                why: why(v),
                never_true: v.never_true.clone(),
                is_vacuous: v.why == Reason::NoRunEnds,
                almost_surely: v.judgement == Judgement::Holds
                    && exploration.almost_surely.iter().any(|p| program.properties[*p].name == v.name),
                least: extreme(v).and_then(|(_, least, _)| *least),
                most: extreme(v).and_then(|(_, _, most)| *most),
            })
            .collect();
        let counterexamples: Vec<CounterexampleBody> =
            found.iter().map(|found| CounterexampleBody::new(program, exploration, found)).collect();
        let actions = Actions::of(program);
        let occurs = |action: usize| exploration.coverage.actions.get(action) == Some(&true);
        let never_seen = actions.never_seen(program, occurs);
        let mut body = VerifyBody {
            schema: SCHEMA,
            command: "verify",
            algorithm: program.name.clone(),
            network: explored_network(instance, exploration, found.is_empty(), arranged),
            scenario: None,
            too_large: None,
            is_limited: false,
            verdict: "holds",
            configurations: exploration.configurations,
            between: exploration.intermediate,
            steps: exploration.steps,
            depth: exploration.depth,
            seconds,
            bytes_per_configuration: exploration.bytes as f64 / exploration.configurations.max(1) as f64,
            reduction: [(exploration.reduced, "independence"), (exploration.symmetric, "symmetry")]
                .into_iter()
                .filter_map(|(used, name)| used.then_some(name))
                .collect(),
            view: exploration.view.as_ref().map(ViewBody::new),
            cut: exploration.stopped_by.map(StopReason::as_str),
            decided_on: None,
            separate: exploration
                .separate
                .iter()
                .map(|search| SeparateBody {
                    properties: search.properties.clone(),
                    detail: search.detail.as_str(),
                    configurations: search.configurations,
                    cut: search.stopped_by.map(StopReason::as_str),
                    decided_on: None,
                })
                .collect(),
            arrangements: searched(Arranged::Ids),
            numberings: searched(Arranged::Ports),
            arranged,
            every_run_ends: exploration.every_run_ends,
            ends: exploration
                .ends
                .iter()
                .map(|end| EndBody {
                    outcome: end.outcome,
                    outputs: end.outputs.clone(),
                    configurations: end.configurations,
                })
                .collect(),
            given_up: exploration.accepted_blocked,
            never_seen,
            never_taken: GuardBody::never_taken(program, &exploration.coverage.guards),
            properties,
            counterexamples,
            disagreements: Vec::new(),
        };
        body.verdict = body.verdict_name();
        body
    }

    /// Add the counterexamples that could not be replayed, and update the verdict.
    pub fn with_disagreements(mut self, disagreements: Vec<DisagreementBody>) -> VerifyBody {
        self.disagreements = disagreements;
        self.verdict = self.verdict_name();
        self
    }

    /// Add the default network that was too large, and whether the command line limits the search.
    pub fn with_default(self, too_large: Option<TooLarge>, is_limited: bool) -> VerifyBody {
        let body = VerifyBody { too_large, is_limited, ..self };
        VerifyBody { verdict: body.verdict_name(), ..body }
    }

    /// Add the scenario whose runs were explored, and the properties whose violation it expects.
    pub fn with_scenario(mut self, scenario: Option<&str>, expected: &[String]) -> VerifyBody {
        self.scenario = scenario.map(Into::into);
        for property in self.properties.iter_mut().filter(|p| expected.contains(&p.name)) {
            property.expected = true;
            if property.verdict == Verdict::Holds {
                (property.verdict, property.promised) = (Verdict::Violated, true);
                property.why = "the scenario expects a violation, but no run has one".into();
            }
        }
        if self.scenario.is_some() {
            // A scenario is about some actions only.
            self.never_seen.clear();
            self.never_taken.clear();
        }
        self.verdict = self.verdict_name();
        self
    }

    /// Add the networks on which undecided properties are decided.
    pub fn with_decided(mut self, decided: Vec<DecidedOn>) -> VerifyBody {
        for DecidedOn { topology, verdicts } in decided {
            let verdict = |v: &crate::property::Verdict| DecidedVerdict {
                name: v.name.clone(),
                verdict: verdict_of(v.judgement),
                is_vacuous: !v.never_true.is_empty(),
            };
            let body = DecidedBody { topology, verdicts: verdicts.iter().map(verdict).collect() };
            let is_about = |separate: &&mut SeparateBody| {
                body.verdicts.iter().all(|verdict| separate.properties.contains(&verdict.name))
            };
            match self.separate.iter_mut().find(is_about) {
                Some(separate) => separate.decided_on = Some(body),
                None => self.decided_on = Some(body),
            }
        }
        self
    }

    fn verdict_name(&self) -> &'static str {
        match self.ending() {
            ExitStatus::Disagreement => "disagreement",
            ExitStatus::Finding => "violated",
            ExitStatus::Limit => "limit",
            ExitStatus::Success => "holds",
        }
    }

    pub fn ending(&self) -> ExitStatus {
        disagreement::ending(&self.disagreements, self.ending_of_verdicts())
    }

    /// Return the ending according to the verdicts alone, without disagreements.
    fn ending_of_verdicts(&self) -> ExitStatus {
        let wanted = || self.properties.iter().filter(|p| p.promised || p.asked);
        let wrong = self.counterexamples.iter().any(|c| c.what != ViolationName::Property);
        if wrong || wanted().any(|p| p.verdict == Verdict::Violated) {
            return ExitStatus::Finding;
        }
        let unknown = |p: &PropertyBody| matches!(p.verdict, Verdict::Pending | Verdict::NotChecked);
        if self.is_incomplete() || wanted().any(unknown) { ExitStatus::Limit } else { ExitStatus::Success }
    }

    /// Whether a limit or an interrupt stopped the search. A search that stopped at a violation reached no limit.
    fn is_incomplete(&self) -> bool {
        let interrupted = self.too_large.as_ref().is_some_and(|too_large| too_large.interrupted);
        interrupted || self.cut.is_some_and(|cut| cut != StopReason::Found.as_str())
    }

    /// Whether there are properties of ends, but no run ends.
    fn asks_of_no_end(&self) -> bool {
        // A bound that is exceeded during a run is violated, whether the run ends or not.
        let is_decided = |p: &PropertyBody| {
            p.kind == "bound" && matches!(p.verdict, Verdict::Holds | Verdict::Violated) && !p.is_vacuous
        };
        let of_ends = |p: &PropertyBody| {
            p.promised && matches!(p.kind, "finally" | "bound" | "exactly") && !is_decided(p)
        };
        // Without configurations, every start aborts.
        self.configurations > 0 && self.ends.is_empty() && self.properties.iter().any(of_ends)
    }

    /// Return the properties, claimed or not, with such a verdict.
    fn names(&self, promised: bool, wanted: impl Fn(Verdict) -> bool) -> Vec<&str> {
        let of = self.properties.iter().filter(|p| p.promised == promised && wanted(p.verdict));
        of.map(|p| p.name.as_str()).collect()
    }

    /// Return the requested properties that are violated but not claimed.
    fn requested_violations(&self) -> Vec<&PropertyBody> {
        let violated = |p: &&PropertyBody| !p.promised && p.asked && p.verdict == Verdict::Violated;
        self.properties.iter().filter(violated).collect()
    }

    /// Return the summary: a sentence that claims no more than was explored, then the size of the search.
    pub fn summary(&self) -> String {
        let arranged = self
            .arranged
            .map_or_else(String::new, |all| format!(" for all {} {}", all.searched, all.what.as_str()));
        let sentence = format!("{}{}", self.result(), self.caveats());
        let sentence =
            sentence.replacen(" under every schedule", &format!(" under every schedule{arranged}"), 1);
        let claimed = self.view.as_ref().is_some_and(ViewBody::is_claimed);
        let condition = match claimed && !matches!(self.ending(), ExitStatus::Finding) {
            true => ", if the program's view is sound, which was not shown",
            false => "",
        };
        // If the search stopped early, the sentence does not mention the arrangements; the size does.
        let looked_at = match self.arranged {
            Some(Arrangements { what, searched, of }) if !sentence.contains(&arranged) => {
                format!(" in {searched} of {of} {}", what.as_str())
            }
            _ => String::new(),
        };
        let view = self.view.as_ref().map_or_else(String::new, ViewBody::to_string);
        let separate: String = self.separate.iter().map(SeparateBody::to_string).collect();
        format!("{sentence}{condition}\n{}\n{separate}{view}", self.size(&looked_at))
    }

    /// Return the main clauses of the summary.
    fn result(&self) -> String {
        let unknown = |verdict| matches!(verdict, Verdict::Pending | Verdict::NotChecked);
        let shows = |what| self.counterexamples.iter().any(|c| c.what == what);
        let mut found: Vec<String> = Vec::new();
        let wrong = self.names(true, |verdict| verdict == Verdict::Violated);
        if !wrong.is_empty() {
            found.push(format!("{} violated", prose::and(&wrong)));
        }
        let asked = self.requested_violations();
        let (expected, asked): (Vec<&PropertyBody>, Vec<&PropertyBody>) =
            asked.into_iter().partition(|property| property.expected);
        for (properties, why) in [(expected, "expected"), (asked, "not claimed")] {
            let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
            if !names.is_empty() {
                found.push(format!("{} violated ({why})", prose::and(&names)));
            }
        }
        if shows(ViolationName::Stuck) {
            found.push("some run deadlocks".into());
        }
        if shows(ViolationName::Aborted) {
            found.push("some run has a run-time error".into());
        }
        let blocked = shows(ViolationName::Blocked);
        let only_blocked = blocked && found.is_empty();
        if blocked {
            found.push("some run is blocked by a crash".into());
        }
        let wanted = self.properties.iter().filter(|p| (p.promised || p.asked) && unknown(p.verdict));
        let open: Vec<&str> = wanted.map(|p| p.name.as_str()).collect();
        let cut = self.cut.filter(|cut| *cut != StopReason::Found.as_str());
        let claims_nothing = self.names(true, |_| true).is_empty();
        let mut sentence = match (found.is_empty(), cut) {
            (true, _) if !self.disagreements.is_empty() => {
                "no verdict: a counterexample could not be replayed".into()
            }
            (false, None) if only_blocked && open.is_empty() && !claims_nothing => {
                format!("{}; all claimed properties hold under every schedule", prose::clauses(&found))
            }
            (false, None) if only_blocked && !open.is_empty() => {
                format!("{}; {} could not be decided", prose::clauses(&found), prose::and(&open))
            }
            (false, None) => prose::clauses(&found),
            (false, Some(cut)) => format!("{}; search incomplete: {cut}", prose::clauses(&found)),
            (true, Some(cut)) => format!("no violation so far, search incomplete: {cut}"),
            (true, None) if self.is_incomplete() => {
                "no violation so far, search for the default network interrupted".into()
            }
            (true, None) if self.cut.is_some() => "the requested properties are decided".into(),
            (true, None) if !open.is_empty() => {
                format!("no violation, but {} could not be decided", prose::and(&open))
            }
            (true, None) if claims_nothing => "no deadlock, no run-time error".into(),
            (true, None) => "all claimed properties hold under every schedule".into(),
        };
        if !found.is_empty() && !self.disagreements.is_empty() {
            sentence += "; another counterexample could not be replayed";
        }
        match self.names(false, |_| true).is_empty() {
            true => sentence.replace("all claimed properties hold", "all properties hold"),
            false => sentence,
        }
    }

    /// Return the further clauses: what the main clauses leave open or do not claim.
    fn caveats(&self) -> String {
        let mut clauses = String::new();
        let of = |expected: bool| {
            let is_open = |p: &&PropertyBody| {
                p.verdict == Verdict::Violated && !p.promised && !p.asked && p.expected == expected
            };
            self.properties.iter().filter(is_open).map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        for (names, what) in [(of(true), "as expected"), (of(false), "but not claimed")] {
            if !names.is_empty() {
                clauses += &format!("; violated, {what}: {names}");
            }
        }
        if self.given_up {
            clauses += "; some runs are blocked by a crash, which is waived (`without`)";
        }
        if self.cut.is_none() && self.asks_of_no_end() {
            clauses += &format!("; {}", Reason::NoRunEnds);
        }
        let is_of_ends = |p: &PropertyBody| p.promised && p.kind == "finally" && p.verdict == Verdict::Holds;
        if self.cut.is_none() && !self.ends.is_empty() && self.properties.iter().any(is_of_ends) {
            clauses += match self.every_run_ends {
                Some(true) => "",
                Some(false) => "; some runs never end, and properties of ends do not concern them",
                None => "; whether every run ends was not checked",
            };
        }
        if self.cut == Some(StopReason::Found.as_str()) {
            clauses += self.further_search();
        }
        clauses
    }

    /// Return the remark about `--keep-going` after a search that stopped at a violation: it decides the remaining properties; or it only
    /// continues the search, since a limit or another reason may leave some open; or none, if it decides nothing.
    fn further_search(&self) -> &'static str {
        let unknown = |p: &&PropertyBody| matches!(p.verdict, Verdict::Pending | Verdict::NotChecked);
        let unknown = self.properties.iter().filter(unknown);
        let open = [Reason::Unstated, Reason::KeepGoing, Reason::NotStarted].map(|why| why.to_string());
        let goes_on = |p: &PropertyBody| open.contains(&p.why);
        match (unknown.clone().any(goes_on), unknown.clone().all(goes_on) && !self.is_limited) {
            (true, true) => " (--keep-going decides the rest)",
            (true, false) => " (--keep-going continues the search)",
            (false, _) => "",
        }
    }

    /// Return the size of the search.
    fn size(&self, looked_at: &str) -> String {
        let reductions = self.reduction.iter().map(|name| match *name {
            "independence" => ", partial-order reduction",
            "symmetry" => ", symmetry reduction",
            _ => "",
        });
        let between = match self.between {
            0 => String::new(),
            some => format!(" ({some} of them intermediate states of joint steps)"),
        };
        format!(
            "{}{between}{looked_at}, {}, depth {}{}",
            counted(self.configurations, "configuration"),
            counted(self.steps, "step"),
            self.depth,
            reductions.collect::<String>(),
        )
    }
}
