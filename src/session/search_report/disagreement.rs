//! A counterexample that could not be replayed, with the inputs that reproduce it.

use crate::explore::{Disagreement, Exploration, ViolationKind};
use crate::instance::Instance;
use crate::ir::Program;
use crate::prose::counted;
use crate::report::ExitStatus;
use crate::semantics::event::Event;
use crate::session::trace_of_steps;
use crate::trace::Trace;
use serde::Serialize;

/// One text of the program.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TextBody {
    pub name: String,
    pub text: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DisagreementBody {
    /// The property, or `stuck`, or `blocked`, or `aborted`.
    pub shows: String,
    /// The reason why the counterexample is not confirmed.
    pub why: String,
    /// The number of events that were replayed.
    pub replayed: u64,
    /// The number of all events.
    pub events: u64,
    pub repeats_from: Option<u64>,
    /// The command line: the program and its arguments.
    pub command: Vec<String>,
    pub seed: u64,
    pub topology: String,
    pub ids: Vec<i64>,
    /// The text of the program and of every file that it uses.
    pub program: Vec<TextBody>,
    /// The events that were replayed, as the lines of a trace file (JSON Lines).
    #[cfg_attr(feature = "schemas", schemars(extend("items" = {"type": "object"})))]
    pub trace: Vec<serde_json::Value>,
    /// The events that were not replayed, as text.
    pub remaining: Vec<String>,
    #[serde(skip)]
    pub steps: Trace,
}

impl DisagreementBody {
    /// `command`: the program and its arguments.
    pub fn new(
        instance: &Instance,
        disagreement: &Disagreement,
        seed: u64,
        command: &[String],
    ) -> DisagreementBody {
        let Disagreement { counterexample, replayed, why } = disagreement;
        let program = &instance.program;
        let all = &counterexample.events;
        let (possible, remaining) = all.split_at((*replayed).min(all.len()));
        let steps = trace_of_steps(instance, possible, seed);
        let lines = steps.to_lines();
        DisagreementBody {
            shows: shows(program, &counterexample.kind),
            why: why.clone(),
            replayed: *replayed as u64,
            events: all.len() as u64,
            repeats_from: counterexample.repeats_from.map(|event| event as u64),
            command: command.to_vec(),
            seed,
            topology: instance.network.topology().into(),
            ids: instance.network.ids().to_vec(),
            program: program
                .sources
                .iter()
                .map(|source| TextBody { name: source.name.to_string(), text: source.text.to_string() })
                .collect(),
            trace: lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            remaining: remaining.iter().map(describe).collect(),
            steps,
        }
    }

    /// All disagreements of an exploration.
    pub fn all(
        instance: &Instance,
        exploration: &Exploration,
        seed: u64,
        command: &[String],
    ) -> Vec<DisagreementBody> {
        let body = |found| DisagreementBody::new(instance, found, seed, command);
        exploration.disagreements.iter().map(body).collect()
    }

    /// `safety: the counterexample cannot be replayed beyond 3 of 5 events: …`
    pub fn message(&self) -> String {
        let DisagreementBody { shows, why, replayed, events, .. } = self;
        let all = counted(*events, "event");
        match replayed < events {
            true => {
                format!("{shows}: the counterexample cannot be replayed beyond {replayed} of {all}: {why}")
            }
            false => format!("{shows}: the counterexample, {all}, does not show the violation: {why}"),
        }
    }
}

fn shows(program: &Program, what: &ViolationKind) -> String {
    match what {
        ViolationKind::Property(property) => program.properties[*property].name.clone(),
        ViolationKind::Stuck(_) => "stuck".into(),
        ViolationKind::Blocked(_) => "blocked".into(),
        ViolationKind::Aborted(_) => "aborted".into(),
    }
}

fn describe(event: &Event) -> String {
    let Event { process, cause, alternative, choices, wait } = event;
    format!("{process} {cause:?}, alternative {alternative}, choices {choices:?}, wait {wait}")
}

/// Return the ending of `verify`: a counterexample that could not be replayed takes precedence over everything else.
pub fn ending(disagreements: &[DisagreementBody], otherwise: ExitStatus) -> ExitStatus {
    if disagreements.is_empty() { otherwise } else { ExitStatus::Disagreement }
}
