//! The names for completion: the words of the language, and the names of the current program.

use super::stage::Stage;
use crate::check::FUNCTIONS;
use crate::check::PREDEFINED;
use crate::cli::run::ScheduleName;
use crate::library;
use crate::network;
use crate::session::clauses;
use crate::session::timeline::Timeline;
use crate::syntax::RESERVED;
use clap::ValueEnum;

/// The greatest number of processes that are completed.
const MOST_PROCESSES: usize = 100;

#[derive(Clone, Debug, Default)]
pub struct Names {
    /// `p0`, `p1`, …, or the names of the network file.
    pub processes: Vec<String>,
    /// Variables and predefined members of each process, which follow the dot.
    pub members: Vec<Vec<String>>,
    /// All words that may occur in an expression or clause.
    pub words: Vec<String>,
    pub actions: Vec<String>,
    pub parameters: Vec<String>,
    /// Clauses, as `.drop` names them.
    pub clauses: Vec<String>,
    pub branches: Vec<String>,
    pub schedules: Vec<String>,
    pub library: Vec<String>,
    pub topologies: Vec<String>,
}

/// Collect the names for completion.
pub fn of(stage: &Stage, timeline: &Timeline) -> Names {
    let program = &stage.program;
    let processes = || stage.instance.processes().take(MOST_PROCESSES);
    let members = processes().map(|p| {
        let role = &program.roles[stage.instance.role_of(p)];
        let own = role.vars.iter().filter(|v| !v.local && v.component == 0).map(|v| v.name.clone());
        let outputs = program.outputs.iter().map(|output| output.name.clone());
        let facts = ["id", "index", "halted"].map(String::from);
        sorted(own.chain(outputs).chain(facts))
    });
    let members: Vec<Vec<String>> = members.collect();
    let states = program.roles.iter().flat_map(|role| &role.components).flat_map(|c| &c.states);
    let words = RESERVED
        .iter()
        .chain(PREDEFINED)
        .chain(FUNCTIONS)
        .chain(&["count", "least", "greatest"])
        .map(|word| word.to_string())
        .chain(program.kinds.iter().map(|kind| kind.name.clone()))
        .chain(program.properties.iter().map(|property| property.name.clone()))
        .chain(program.roles.iter().map(|role| role.name.clone()))
        .chain(program.params.iter().map(|param| param.name.clone()))
        .chain(program.enums.iter().flat_map(|e| e.cases.clone()))
        .chain(states.map(|state| state.name.clone()))
        .chain(members.iter().flatten().cloned());
    let mut actions: Vec<String> = program.actions.iter().map(crate::ir::Action::to_string).collect();
    actions.dedup();
    Names {
        processes: processes().map(|p| stage.instance.process_name(p)).collect(),
        words: sorted(words),
        members,
        actions,
        clauses: clauses::full_names(&stage.text.text),
        parameters: program.params.iter().map(|param| param.name.clone()).collect(),
        branches: timeline.branches().map(|(name, _)| name.to_string()).collect(),
        schedules: ScheduleName::value_variants().iter().map(|s| s.as_str().to_string()).collect(),
        library: library::entries()
            .into_values()
            .filter(|e| !e.is_problem())
            .map(|e| e.name.into())
            .collect(),
        topologies: network::FAMILIES.iter().map(|family| format!("{}(", family.name)).collect(),
    }
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
