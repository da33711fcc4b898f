//! A run that the search found and that could not be taken again: what is needed to look into it.

use super::Options;
use super::units::counted;
use crate::cli::exit::Ending;
use crate::explore::{Disagreement, Exploration, Wrong};
use crate::instance::Instance;
use crate::ir::Program;
use crate::semantics::event::Event;
use crate::session::trace_of_steps;
use crate::trace::Trace;
use serde::Serialize;

/// One text of the program.
#[derive(Serialize)]
pub struct TextBody {
    pub name: String,
    pub text: String,
}

#[derive(Serialize)]
pub struct DisagreementBody {
    /// The property, or `stuck`, or `blocked`, or `aborted`.
    pub shows: String,
    /// What is wrong with the run.
    pub why: String,
    /// So many of its events can be taken, and so many it has.
    pub taken: u64,
    pub events: u64,
    pub repeats_from: Option<u64>,
    /// As it was typed, and what it was called with.
    pub command: Vec<String>,
    pub seed: u64,
    pub topology: String,
    pub ids: Vec<i64>,
    /// The program with everything that it uses.
    pub program: Vec<TextBody>,
    /// The events that can be taken, line by line, as in a file of JSON Lines.
    pub trace: Vec<serde_json::Value>,
    /// The events after these, in words.
    pub rest: Vec<String>,
    #[serde(skip)]
    pub steps: Trace,
}

impl DisagreementBody {
    pub fn new(instance: &Instance, disagreement: &Disagreement, seed: u64) -> DisagreementBody {
        let Disagreement { counterexample, taken, why } = disagreement;
        let program = &instance.program;
        let (begun, rest) = counterexample.events.split_at((*taken).min(counterexample.events.len()));
        let steps = trace_of_steps(instance, begun, seed);
        let lines = steps.to_lines();
        DisagreementBody {
            shows: shows(program, &counterexample.what),
            why: why.clone(),
            taken: *taken as u64,
            events: counterexample.events.len() as u64,
            repeats_from: counterexample.repeats_from.map(|event| event as u64),
            command: std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect(),
            seed,
            topology: instance.network.topology().into(),
            ids: instance.network.ids().to_vec(),
            program: program
                .sources
                .iter()
                .map(|source| TextBody { name: source.name.to_string(), text: source.text.to_string() })
                .collect(),
            trace: lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            rest: rest.iter().map(told).collect(),
            steps,
        }
    }

    /// All that an exploration has found.
    pub fn all(instance: &Instance, exploration: &Exploration, seed: u64) -> Vec<DisagreementBody> {
        exploration.disagreements.iter().map(|found| DisagreementBody::new(instance, found, seed)).collect()
    }

    /// `safety: the run that was found cannot be taken again after 3 of 5 events: …`
    pub fn told(&self) -> String {
        let DisagreementBody { shows, why, taken, events, .. } = self;
        let all = counted(*events, "event");
        match taken < events {
            true => {
                format!("{shows}: the run that was found cannot be taken again after {taken} of {all}: {why}")
            }
            false => format!("{shows}: the run that was found, of {all}, does not show it: {why}"),
        }
    }
}

fn shows(program: &Program, what: &Wrong) -> String {
    match what {
        Wrong::Property(property) => program.properties[*property].name.clone(),
        Wrong::Stuck(_) => "stuck".into(),
        Wrong::Blocked(_) => "blocked".into(),
        Wrong::Aborted(_) => "aborted".into(),
    }
}

fn told(event: &Event) -> String {
    let Event { process, cause, alternative, choices, wait } = event;
    format!("p{process} {cause:?}, alternative {alternative}, choices {choices:?}, wait {wait}")
}

/// How `verify` ends: what could not be taken again outweighs everything else.
pub fn ending(disagreements: &[DisagreementBody], otherwise: Ending) -> Ending {
    if disagreements.is_empty() { otherwise } else { Ending::Disagreement }
}

impl Options {
    /// What is said of runs that could not be taken again.
    pub(super) fn disagreements(
        &self,
        all: &[DisagreementBody],
        events: impl Fn(&Trace) -> String,
    ) -> String {
        let mut text = String::new();
        for body in all {
            text += &format!("\n{}\n", body.told());
            text += &format!("  command   {}\n", body.command.join(" "));
            text += &format!("  seed      {}\n", body.seed);
            let ids: Vec<String> = body.ids.iter().map(i64::to_string).collect();
            text += &format!("  network   {}, ids {}\n", body.topology, ids.join(","));
            let files: Vec<&str> = body.program.iter().map(|text| text.name.as_str()).collect();
            text += &format!("  program   {}\n", files.join(", "));
            text += &format!("\n{}", events(&body.steps));
            if !body.rest.is_empty() {
                text += "\nnot taken\n";
                body.rest.iter().for_each(|event| text += &format!("  {event}\n"));
            }
        }
        if !all.is_empty() {
            text += "\nThis is a mistake of Synod, and nothing is decided by it. Please report it with the program; --json has all of it.\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::exit::code;
    use crate::explore::{Counterexample, confirm};
    use crate::semantics::event::Cause;
    use crate::setup::{Wishes, instantiate};
    use std::sync::Arc;

    /// A run whose second process takes a message that nobody has sent.
    #[test]
    fn a_run_that_cannot_be_taken_is_told_with_all_that_it_takes_to_look_into_it() {
        let text = "algorithm a\nassumes complete, unique ids, knows peers\nmessage M\nstate s\n  send M to others\n  receive M\n  halt\ninvariant safety: true\n";
        let program = crate::check::check("a.syn", text, &|_| None).program.expect("a program");
        let topology = crate::network::Spec::parse("complete(2)").expect("a network");
        let wishes = Wishes { topology: Some(topology), ..Wishes::default() };
        let instance = instantiate(&Arc::new(program), &wishes).expect("an instance");
        let event = |process, cause| Event::new(process, cause);
        let events = vec![
            event(0, Cause::Start),
            event(1, Cause::Start),
            event(1, Cause::Deliver { channel: 0, position: 7 }),
        ];
        let found = confirm(&instance, Counterexample::new(Wrong::Property(0), events));
        let disagreement = found.expect_err("no such message");
        assert_eq!(disagreement.taken, 2);
        let body = DisagreementBody::new(&instance, &disagreement, 3);
        assert_eq!((body.taken, body.events, body.rest.len(), body.steps.events.len()), (2, 3, 1, 2));
        assert!(
            body.told()
                .starts_with("safety: the run that was found cannot be taken again after 2 of 3 events: ")
        );
        assert_eq!(body.program[0].text, text);
        for otherwise in [Ending::Fine, Ending::Limit, Ending::Finding] {
            assert_eq!(ending(&[], otherwise), otherwise);
            assert_eq!(ending(std::slice::from_ref(&body), otherwise), Ending::Disagreement);
        }
        assert_eq!(code(&Ok(Ending::Disagreement)), 4);
    }
}
