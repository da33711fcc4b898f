//! The distinct ends of runs.

use crate::explore::monitor::{AuxiliaryData, Monitor, world};
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::ir::{Expr, Program, Question};
use crate::prose;
use crate::semantics::{Configuration, eval};
use crate::simulate::Outcome;
use std::collections::BTreeMap;

/// A class of ends with equal outcome and outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// `terminated`, `quiescent` or `stuck`.
    pub outcome: &'static str,
    /// The requested outcomes; otherwise the outputs of the problem, process by process: `elected = 4, 4, 4`. Without a problem, the
    /// variables. The processes that are down follow.
    pub outputs: String,
    /// Number of configurations.
    pub configurations: u64,
}

/// Limit of distinct kinds of ends.
const MOST_KINDS: usize = 10_000;

#[derive(Debug, Default)]
pub struct Ends {
    kinds: BTreeMap<(&'static str, String), u64>,
    others: u64,
    /// Whether some of them are blocked, and the algorithm waives that.
    pub given_up: bool,
}

impl Ends {
    /// Record a configuration without successors; return its outcome.
    pub fn add(
        &mut self,
        monitor: &Monitor<'_>,
        configuration: &Configuration,
        seen: &AuxiliaryData,
    ) -> Outcome {
        let instance = monitor.instance;
        let outcome = configuration.outcome(instance);
        let key = (outcome.as_str(), told(instance, configuration, seen));
        if self.kinds.len() < MOST_KINDS || self.kinds.contains_key(&key) {
            *self.kinds.entry(key).or_default() += 1;
        } else {
            self.others += 1;
        }
        outcome
    }

    pub fn merge(&mut self, other: Ends) {
        for (key, count) in other.kinds {
            *self.kinds.entry(key).or_default() += count;
        }
        self.others += other.others;
        self.given_up |= other.given_up;
    }

    /// Return whether no run ends.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.others == 0
    }

    /// Return the ends, the most frequent first.
    pub fn finish(self) -> Vec<End> {
        let all = self.kinds.into_iter();
        let mut ends: Vec<End> = all
            .map(|((outcome, outputs), configurations)| End { outcome, outputs, configurations })
            .collect();
        ends.sort_by_key(|end| std::cmp::Reverse(end.configurations));
        if self.others > 0 {
            ends.push(End { outcome: "others", outputs: String::new(), configurations: self.others });
        }
        ends
    }
}

/// Describe an end as its observer sees it: the requested outcomes, or the outputs of the problem and the processes that are down.
/// Without a problem, and without a view that would identify different values, the variables are used in place of the outputs.
fn told(instance: &Instance, configuration: &Configuration, seen: &AuxiliaryData) -> String {
    let program = &instance.program;
    if !program.outcomes.is_empty() {
        let world = world(configuration, seen);
        let named = |value: &str| prose::with_names(value, instance.names()).into_owned();
        let outcome = |question: &Question| match eval::answer(question, instance, world) {
            Ok(value) => format!("{}: {}", question.text, named(&value)),
            Err(_) => format!("{}: ?", question.text),
        };
        return program.outcomes.iter().map(outcome).collect::<Vec<_>>().join(", ");
    }
    let mut parts = match describes_variables(program) {
        true => variables(instance, configuration),
        false => outputs(instance, configuration, seen),
    };
    let down = instance.processes().filter(|process| configuration.crashed(*process));
    let down: Vec<String> = down.map(|process| instance.process_name(process)).collect();
    if !down.is_empty() {
        parts.push(format!("down: {}", down.join(", ")));
    }
    parts.join("; ")
}

/// Return whether ends are described by all variables.
pub fn describes_variables(program: &Program) -> bool {
    program.outcomes.is_empty() && program.problem.is_none() && program.views.is_empty()
}

/// Return the expressions that describe ends, unless all variables do.
pub fn described_by(program: &Program) -> Vec<&Expr> {
    match program.outcomes.is_empty() {
        true => program.outputs.iter().map(|output| &output.value).collect(),
        false => program.outcomes.iter().map(|question| &question.expr).collect(),
    }
}

fn outputs(instance: &Instance, configuration: &Configuration, seen: &AuxiliaryData) -> Vec<String> {
    let world = world(configuration, seen);
    let all = instance.program.outputs.iter().map(|output| {
        let values = instance.processes().map(|p| {
            let value = eval::with_global_frame(instance, Some(world), |env| {
                env.words[output.process as usize] = i64::from(p.0);
                eval::value(&output.value, env)
            });
            let show = Show::new(&instance.program).at(&instance.network, p);
            value.map_or_else(|_| "?".to_string(), |value| show.value(&value))
        });
        shown(instance, &output.name, values.collect())
    });
    all.collect()
}

/// Return each variable with its values at the processes that have it.
fn variables(instance: &Instance, configuration: &Configuration) -> Vec<String> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for process in instance.processes() {
        let show = Show::new(&instance.program).at(&instance.network, process);
        let role = instance.role_of(process);
        let shown = show.process(role, configuration.words(process), configuration.values(process));
        for (name, value) in shown.into_iter().filter(|(name, _)| name != "up" && name != "halted") {
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, values)) => values.push(value),
                None => all.push((name, vec![value])),
            }
        }
    }
    all.into_iter().map(|(name, values)| shown(instance, &name, values)).collect()
}

/// Return the values of the processes, with the names that the network or a scenario gives to processes.
fn shown(instance: &Instance, name: &str, values: Vec<String>) -> String {
    format!("{name} = {}", prose::with_names(&values.join(", "), instance.names()))
}
