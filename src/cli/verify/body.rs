//! What `synod verify` says, as data and in a sentence.

use super::arrangements;
use super::counterexample::{CounterexampleBody, Found, Shown};
use super::disagreement::{self, DisagreementBody};
use super::units::counted;
use crate::cli::batch_run::GuardBody;
use crate::cli::exit::Ending;
use crate::explore::{Exploration, StopReason, ViewReport, ViewStatus, ViolationKind};
use crate::instance::Instance;
use crate::ir::Program;
use crate::property::Judgement;
use crate::property::kind_word;
use crate::prose;
use crate::report::{NetworkReport, SCHEMA, Verdict};
use crate::session::word;
use serde::Serialize;
use std::fmt;

#[derive(Serialize)]
pub struct VerifyBody {
    pub schema: &'static str,
    pub command: &'static str,
    pub algorithm: String,
    pub network: NetworkReport,
    /// `holds`, `violated`, `limit` or `disagreement`.
    pub verdict: &'static str,
    pub configurations: u64,
    /// Of them, in the middle of a joint step.
    pub between: u64,
    pub steps: u64,
    pub depth: u32,
    pub seconds: f64,
    pub bytes_per_configuration: f64,
    /// What made the search smaller: `independence`.
    pub reduction: Vec<&'static str>,
    /// What became of the program's views. None: it has none, or `--no-view`.
    pub view: Option<ViewBody>,
    /// Why not everything was seen.
    pub cut: Option<&'static str>,
    /// With `--ids all`: how many arrangements of the ids were looked at.
    pub arrangements: Option<u64>,
    /// Does every run come to an end that is fair, unless coins fall badly for ever? None: that was not looked into.
    pub every_run_ends: Option<bool>,
    pub ends: Vec<EndBody>,
    /// Some of them are blocked by a crash, which the algorithm gives up to prevent.
    pub given_up: bool,
    pub never_seen: Vec<String>,
    pub never_taken: Vec<GuardBody>,
    pub properties: Vec<PropertyBody>,
    pub counterexamples: Vec<CounterexampleBody>,
    /// Counterexamples that could not be replayed.
    pub disagreements: Vec<DisagreementBody>,
}

#[derive(Serialize)]
pub struct ViewBody {
    /// As written: `without attempts`, `clock, stamp up to shift`.
    pub clauses: Vec<String>,
    /// `shown`, `claimed` or `unused`.
    pub kind: &'static str,
    /// Was it shown that no verdict depends on it? An unused one changes nothing.
    pub sound: bool,
    /// Why it was not shown, or not used.
    pub why: Option<String>,
    /// Properties that can tell, and were judged without it.
    pub apart: Vec<String>,
}

impl ViewBody {
    fn new(seeing: &ViewReport) -> ViewBody {
        let (kind, why) = match &seeing.standing {
            ViewStatus::Sound => ("shown", None),
            ViewStatus::Claimed { why } => ("claimed", Some(why.clone())),
            ViewStatus::Unused { why } => ("unused", Some(why.clone())),
        };
        let (clauses, apart) = (seeing.clauses.clone(), seeing.apart.clone());
        ViewBody { clauses, kind, sound: kind != "claimed", why, apart }
    }

    /// Is what it is good for only the author's claim?
    fn is_claimed(&self) -> bool {
        !self.sound
    }
}

impl fmt::Display for ViewBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clauses = self.clauses.join("; ");
        let apart = match self.apart.as_slice() {
            [] => String::new(),
            all => format!("; without it for {}, which can tell", prose::and(all)),
        };
        match (self.kind, &self.why) {
            ("claimed", Some(why)) => writeln!(
                f,
                "view {clauses}: not shown to be sound: {why}\n\
                 what is violated is violated; that nothing else is, is what the author of the view claims"
            ),
            (_, Some(why)) => writeln!(f, "view {clauses}: not used, everything is told apart: {why}"),
            (_, None) => {
                writeln!(
                    f,
                    "view {clauses}: sound, one configuration for all that differ only in this{apart}"
                )
            }
        }
    }
}

#[derive(Serialize)]
pub struct EndBody {
    pub outcome: &'static str,
    pub outputs: String,
    pub configurations: u64,
}

#[derive(Serialize)]
pub struct PropertyBody {
    pub name: String,
    pub kind: &'static str,
    pub verdict: Verdict,
    pub promised: bool,
    /// Did somebody ask for it by name?
    #[serde(skip)]
    pub asked: bool,
    pub why: String,
    /// It holds with probability 1, and not in every run: coins that fall badly for ever would violate it.
    pub almost_surely: bool,
    /// For bounds: what they measure over all runs. None: any number, or it was not found.
    pub least: Option<i64>,
    pub most: Option<i64>,
}

/// The reason for the verdict; for a violated bound also the range over all runs.
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

impl VerifyBody {
    pub fn new(
        program: &Program,
        instance: &Instance,
        exploration: &Exploration,
        found: &[Found],
        asked: &[String],
        (arrangements, seconds): (Option<u64>, f64),
    ) -> VerifyBody {
        let extreme = |v: &crate::property::Verdict| {
            // Of several arrangements of ids not all may have been looked at.
            let all_known = match v.judgement {
                Judgement::Holds => true,
                Judgement::Violated => arrangements.is_none() || exploration.cut.is_none(),
                _ => false,
            };
            let of = exploration.extremes.iter().find(|(p, ..)| program.properties[*p].name == v.name);
            of.filter(|_| all_known)
        };
        // Where another run is shown than the one first found, the verdict says why of that one.
        let why = |v: &crate::property::Verdict| {
            let about = |f: &&Found| matches!(f.counterexample.what, ViolationKind::Property(p) if program.properties[p].name == v.name);
            let other = found.iter().filter(|f| f.instead.is_none()).find(about).and_then(|f| f.why.clone());
            other.unwrap_or_else(|| v.why.clone())
        };
        let properties: Vec<PropertyBody> = exploration
            .verdicts
            .iter()
            .map(|v| PropertyBody {
                name: v.name.clone(),
                kind: kind_word(v.kind),
                verdict: word(v.judgement),
                promised: v.promised,
                asked: asked.contains(&v.name),
                why: why(v),
                almost_surely: v.judgement == Judgement::Holds
                    && exploration.almost_surely.iter().any(|p| program.properties[*p].name == v.name),
                least: extreme(v).and_then(|(_, least, _)| *least),
                most: extreme(v).and_then(|(_, _, most)| *most),
            })
            .collect();
        let counterexamples: Vec<CounterexampleBody> =
            found.iter().map(|found| CounterexampleBody::new(program, exploration, found)).collect();
        let actions = crate::cli::batch_run::Actions::of(program);
        let never_seen = actions
            .possible()
            .filter(|action| exploration.seen.actions.get(*action) != Some(&true))
            .map(|action| actions.name(program, action))
            .collect();
        let mut body = VerifyBody {
            schema: SCHEMA,
            command: "verify",
            algorithm: program.name.clone(),
            network: NetworkReport {
                topology: instance.network.topology().into(),
                n: instance.n().into(),
                ids: instance.network.ids().to_vec(),
            },
            verdict: "holds",
            configurations: exploration.configurations,
            between: exploration.between,
            steps: exploration.steps,
            depth: exploration.depth,
            seconds,
            bytes_per_configuration: exploration.bytes as f64 / exploration.configurations.max(1) as f64,
            reduction: [(exploration.reduced, "independence"), (exploration.symmetric, "symmetry")]
                .into_iter()
                .filter_map(|(used, name)| used.then_some(name))
                .collect(),
            view: exploration.view.as_ref().map(ViewBody::new),
            cut: exploration.cut.map(StopReason::word),
            arrangements,
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
            given_up: exploration.given_up,
            never_seen,
            never_taken: GuardBody::never_taken(program, &exploration.seen.guards),
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

    fn verdict_name(&self) -> &'static str {
        match self.ending() {
            Ending::Disagreement => "disagreement",
            Ending::Finding => "violated",
            Ending::Limit => "limit",
            Ending::Fine => "holds",
        }
    }

    pub fn ending(&self) -> Ending {
        disagreement::ending(&self.disagreements, self.ending_of_verdicts())
    }

    /// The ending according to the verdicts alone, without disagreements.
    fn ending_of_verdicts(&self) -> Ending {
        let wanted = || self.properties.iter().filter(|p| p.promised || p.asked);
        let wrong = self.counterexamples.iter().any(|c| c.what != Shown::Property);
        if wrong || wanted().any(|p| p.verdict == Verdict::Violated) {
            return Ending::Finding;
        }
        let unknown = |p: &PropertyBody| matches!(p.verdict, Verdict::Pending | Verdict::NotChecked);
        if self.was_cut() || wanted().any(unknown) { Ending::Limit } else { Ending::Fine }
    }

    /// Did a limit end the search? Having found what was looked for is none.
    fn was_cut(&self) -> bool {
        self.cut.is_some_and(|cut| cut != StopReason::Found.word())
    }

    /// Are there properties of how runs end, and no run that does?
    fn asks_of_no_end(&self) -> bool {
        // What a run has exceeded, it has, whether it comes to an end or not.
        let is_decided = |p: &PropertyBody| {
            p.kind == "bound"
                && matches!(p.verdict, Verdict::Holds | Verdict::Violated)
                && p.why != prose::NO_RUN_ENDS
        };
        let of_ends = |p: &PropertyBody| {
            p.promised && matches!(p.kind, "finally" | "bound" | "exactly") && !is_decided(p)
        };
        self.ends.is_empty() && self.properties.iter().any(of_ends)
    }

    /// What was found, in a sentence that claims no more than was seen.
    pub fn summary(&self) -> String {
        let names = |promised: bool, wanted: &dyn Fn(Verdict) -> bool| -> Vec<&str> {
            let of = self.properties.iter().filter(|p| p.promised == promised && wanted(p.verdict));
            of.map(|p| p.name.as_str()).collect()
        };
        let violated = |verdict| verdict == Verdict::Violated;
        let unknown = |verdict| matches!(verdict, Verdict::Pending | Verdict::NotChecked);
        let mut found: Vec<String> = Vec::new();
        let wrong = names(true, &violated);
        if !wrong.is_empty() {
            found.push(format!("{} violated", prose::and(&wrong)));
        }
        let asked = self.properties.iter().filter(|p| !p.promised && p.asked && violated(p.verdict));
        let asked: Vec<&str> = asked.map(|p| p.name.as_str()).collect();
        if !asked.is_empty() {
            let is = if asked.len() == 1 { "is" } else { "are" };
            found.push(format!("{} violated, which {is} not promised", prose::and(&asked)));
        }
        let shows = |what| self.counterexamples.iter().any(|c| c.what == what);
        if shows(Shown::Stuck) {
            found.push("some run gets stuck".into());
        }
        if shows(Shown::Aborted) {
            found.push("some command goes wrong".into());
        }
        let blocked = shows(Shown::Blocked);
        let only_blocked = blocked && found.is_empty();
        if blocked {
            found.push("some run is blocked by a crash".into());
        }
        let wanted = self.properties.iter().filter(|p| (p.promised || p.asked) && unknown(p.verdict));
        let open: Vec<&str> = wanted.map(|p| p.name.as_str()).collect();
        let cut = self.cut.filter(|cut| *cut != StopReason::Found.word());
        let mut sentence = match (found.is_empty(), cut) {
            (true, _) if !self.disagreements.is_empty() => {
                "nothing is decided: a counterexample could not be replayed".into()
            }
            (false, None) if only_blocked && open.is_empty() && !names(true, &|_| true).is_empty() => {
                format!("{}; everything promised holds under every schedule", prose::clauses(&found))
            }
            (false, None) if only_blocked && !open.is_empty() => {
                format!("{}; {} could not be decided", prose::clauses(&found), prose::and(&open))
            }
            (false, None) => prose::clauses(&found),
            (false, Some(cut)) => format!("{}; not everything was seen: {cut}", prose::clauses(&found)),
            (true, Some(cut)) => format!("no violation so far, but not everything was seen: {cut}"),
            (true, None) if self.cut.is_some() => "what was asked for is decided".into(),
            (true, None) if !open.is_empty() => {
                format!("no violation, but {} could not be decided", prose::and(&open))
            }
            (true, None) if names(true, &|_| true).is_empty() => {
                "nothing gets stuck, no command goes wrong".into()
            }
            (true, None) => "everything promised holds under every schedule".into(),
        };
        if !found.is_empty() && !self.disagreements.is_empty() {
            sentence += "; another counterexample could not be replayed";
        }
        if names(false, &|_| true).is_empty() {
            sentence = sentence.replace("everything promised holds", "everything holds");
        }
        let mut not_promised = names(false, &violated);
        not_promised.retain(|name| !asked.contains(name));
        if !not_promised.is_empty() {
            sentence += &format!("; not promised, and violated: {}", not_promised.join(", "));
        }
        if self.given_up {
            sentence += "; some runs are blocked by a crash, which is given up with `without`";
        }
        if self.cut.is_none() && self.asks_of_no_end() {
            sentence += &format!("; {}", prose::NO_RUN_ENDS);
        }
        let is_of_ends = |p: &PropertyBody| p.promised && p.kind == "finally" && p.verdict == Verdict::Holds;
        if self.cut.is_none() && !self.ends.is_empty() && self.properties.iter().any(is_of_ends) {
            sentence += match self.every_run_ends {
                Some(true) => "",
                Some(false) => {
                    "; some runs go on for ever, and what holds at every end says nothing of those"
                }
                None => "; whether every run comes to an end was not looked into",
            };
        }
        if self.cut == Some(StopReason::Found.word()) && self.properties.iter().any(|p| unknown(p.verdict)) {
            sentence += " (--keep-going decides the rest)";
        }
        let reductions: String = self
            .reduction
            .iter()
            .map(|name| match *name {
                "independence" => ", independent steps in one order only",
                "symmetry" => ", one configuration for all that differ in the numbering of processes",
                _ => "",
            })
            .collect();
        let arranged = self
            .arrangements
            .map_or_else(String::new, |all| format!(" for all {all} arrangements of the ids"));
        let sentence =
            sentence.replacen(" under every schedule", &format!(" under every schedule{arranged}"), 1);
        let claimed = self.view.as_ref().is_some_and(ViewBody::is_claimed);
        let sentence = match claimed && !matches!(self.ending(), Ending::Finding) {
            true => format!("{sentence}, if the program's view is sound, which was not shown"),
            false => sentence,
        };
        let between = match self.between {
            0 => String::new(),
            some => format!(" ({some} of them in the middle of a joint step)"),
        };
        // Of those that were looked at before it was over, the sentence says nothing.
        let looked_at = match self.arrangements {
            Some(some) if !sentence.contains(&arranged) => {
                format!(" in {some} of {} arrangements of the ids", arrangements::count(self.network.n))
            }
            _ => String::new(),
        };
        format!(
            "{sentence}\n{}{between}{looked_at}, {}, depth {}{reductions}\n{}",
            counted(self.configurations, "configuration"),
            counted(self.steps, "step"),
            self.depth,
            self.view.as_ref().map_or_else(String::new, ViewBody::to_string),
        )
    }
}
