//! What `synod verify` says, as data and in a sentence.

use super::units::counted;
use crate::cli::exit::Ending;
use crate::explore::{Counterexample, Cut, Exploration, Wrong};
use crate::instance::Instance;
use crate::ir::Program;
use crate::report::{NetworkReport, SCHEMA, Verdict, kind_name};
use crate::session::word;
use crate::trace::Trace;
use serde::Serialize;

#[derive(Serialize)]
pub struct Body {
    pub schema: &'static str,
    pub command: &'static str,
    pub algorithm: String,
    pub network: NetworkReport,
    /// `holds`, `violated` or `limit`.
    pub verdict: &'static str,
    pub configurations: u64,
    pub steps: u64,
    pub depth: u32,
    pub seconds: f64,
    pub bytes_per_configuration: f64,
    /// What made the search smaller: `independence`.
    pub reduction: Vec<&'static str>,
    /// Why not everything was seen.
    pub cut: Option<&'static str>,
    pub ends: Vec<EndBody>,
    pub never_seen: Vec<String>,
    pub properties: Vec<PropertyBody>,
    pub counterexamples: Vec<CounterexampleBody>,
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
    pub why: String,
}

#[derive(Serialize)]
pub struct CounterexampleBody {
    /// The property, or `stuck`, or `aborted`.
    pub shows: String,
    pub why: String,
    pub events: u64,
    pub repeats_from: Option<u64>,
    /// The trace, line by line, as in a file of JSON Lines.
    pub trace: Vec<serde_json::Value>,
}

impl Body {
    pub fn new(
        program: &Program,
        instance: &Instance,
        exploration: &Exploration,
        traces: &[Trace],
        seconds: f64,
    ) -> Body {
        let properties: Vec<PropertyBody> = exploration
            .verdicts
            .iter()
            .map(|v| PropertyBody {
                name: v.name.clone(),
                kind: kind_name(v.kind),
                verdict: word(v.judgement),
                promised: v.promised,
                why: v.why.clone(),
            })
            .collect();
        let counterexamples: Vec<CounterexampleBody> = exploration
            .counterexamples
            .iter()
            .zip(traces)
            .map(|(c, trace)| CounterexampleBody::new(program, exploration, c, trace))
            .collect();
        let actions = crate::cli::many::Actions::of(program);
        let never_seen = actions
            .possible()
            .filter(|action| exploration.seen.get(*action) != Some(&true))
            .map(|action| actions.name(program, action))
            .collect();
        let mut body = Body {
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
            steps: exploration.steps,
            depth: exploration.depth,
            seconds,
            bytes_per_configuration: exploration.bytes as f64 / exploration.configurations.max(1) as f64,
            reduction: [(exploration.reduced, "independence"), (exploration.symmetric, "symmetry")]
                .into_iter()
                .filter_map(|(used, name)| used.then_some(name))
                .collect(),
            cut: exploration.cut.map(Cut::word),
            ends: exploration
                .ends
                .iter()
                .map(|end| EndBody {
                    outcome: end.outcome,
                    outputs: end.outputs.clone(),
                    configurations: end.configurations,
                })
                .collect(),
            never_seen,
            properties,
            counterexamples,
        };
        body.verdict = match body.ending() {
            Ending::Finding => "violated",
            Ending::Limit => "limit",
            Ending::Fine => "holds",
        };
        body
    }

    pub fn ending(&self) -> Ending {
        let promised = || self.properties.iter().filter(|p| p.promised);
        let wrong = self.counterexamples.iter().any(|c| matches!(c.shows.as_str(), "stuck" | "aborted"));
        if wrong || promised().any(|p| p.verdict == Verdict::Violated) {
            return Ending::Finding;
        }
        let unknown = |p: &PropertyBody| matches!(p.verdict, Verdict::Pending | Verdict::NotChecked);
        if self.cut.is_some() || promised().any(unknown) { Ending::Limit } else { Ending::Fine }
    }

    /// What was found, in a sentence that claims no more than was seen.
    pub fn summary(&self, ascii: bool) -> String {
        let names = |promised: bool, wanted: &dyn Fn(Verdict) -> bool| -> Vec<&str> {
            let of = self.properties.iter().filter(|p| p.promised == promised && wanted(p.verdict));
            of.map(|p| p.name.as_str()).collect()
        };
        let violated = |verdict| verdict == Verdict::Violated;
        let unknown = |verdict| matches!(verdict, Verdict::Pending | Verdict::NotChecked);
        let mut found: Vec<String> = Vec::new();
        let wrong = names(true, &violated);
        if !wrong.is_empty() {
            found.push(format!("{} violated", wrong.join(", ")));
        }
        if self.counterexamples.iter().any(|c| c.shows == "stuck") {
            found.push("some run gets stuck".into());
        }
        if self.counterexamples.iter().any(|c| c.shows == "aborted") {
            found.push("some command goes wrong".into());
        }
        let open = names(true, &unknown);
        let cut = self.cut.filter(|cut| *cut != Cut::Found.word());
        let mut sentence = match (found.is_empty(), cut) {
            (false, None) => found.join(", and "),
            (false, Some(cut)) => format!("{}; not everything was seen: {cut}", found.join(", and ")),
            (true, Some(cut)) => format!("no violation so far, but not everything was seen: {cut}"),
            (true, None) if self.cut.is_some() => "the search ended with the first violation".into(),
            (true, None) if !open.is_empty() => {
                format!("no violation, but {} could not be decided", open.join(", "))
            }
            (true, None) if names(true, &|_| true).is_empty() => "nothing gets stuck, no command goes wrong".into(),
            (true, None) => "everything promised holds under every schedule".into(),
        };
        if names(false, &|_| true).is_empty() {
            sentence = sentence.replace("everything promised holds", "everything holds");
        }
        let not_promised = names(false, &violated);
        if !not_promised.is_empty() {
            sentence += &format!("; not promised, and violated: {}", not_promised.join(", "));
        }
        if self.cut == Some(Cut::Found.word()) && self.properties.iter().any(|p| unknown(p.verdict)) {
            sentence += " (--keep-going decides the rest)";
        }
        let reductions: String = self.reduction.iter().map(|name| match *name {
            "independence" => ", independent steps in one order only",
            "symmetry" => ", one configuration for all that differ in the numbering of processes",
            _ => "",
        }).collect();
        let text = format!(
            "{sentence}\n{}, {}, depth {}{reductions}\n",
            counted(self.configurations, "configuration"),
            counted(self.steps, "step"),
            self.depth,
        );
        if ascii { text.replace('\u{202f}', " ") } else { text }
    }
}

impl CounterexampleBody {
    pub fn new(
        program: &Program,
        exploration: &Exploration,
        counterexample: &Counterexample,
        trace: &Trace,
    ) -> CounterexampleBody {
        let (shows, why) = match &counterexample.what {
            Wrong::Property(property) => {
                let name = &program.properties[*property].name;
                let verdict = exploration.verdicts.iter().find(|v| v.name == *name);
                (name.clone(), verdict.map_or(String::new(), |v| v.why.clone()))
            }
            Wrong::Stuck(why) => ("stuck".into(), why.clone()),
            Wrong::Aborted(why) => ("aborted".into(), why.clone()),
        };
        let lines = trace.to_lines();
        CounterexampleBody {
            shows,
            why,
            events: counterexample.events.len() as u64,
            repeats_from: counterexample.repeats_from.map(|position| position as u64),
            trace: lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        }
    }
}
