//! Instances from a program and the user's options: topology, identifiers, initiators.

mod initiators;

pub use initiators::Initiators;

use crate::instance::{Instance, Settings};
use crate::ir::{DEFAULT_SEED, Program, Scenario, Value};
use crate::network::{IdsSpec, Network, Spec};
use crate::semantics::eval::{self, GlobalEvaluator};
use crate::stop::StopSignal;
use std::fmt;
use std::sync::Arc;

/// Options for building an instance; all have defaults.
#[derive(Clone, Debug, Default)]
pub struct InstanceOptions {
    /// Topology; `None`: a small network of the family that the algorithm assumes.
    pub topology: Option<Spec>,
    /// Without a given topology, prefer a network small enough to explore all configurations.
    pub to_explore: bool,
    pub ids: Ids,
    /// The number of the numbering of ports without labels; 0: the order of the edges; `None`: drawn from the seed.
    pub ports: Option<u64>,
    /// Weights of the edges, in their order.
    pub weights: Option<Vec<i64>>,
    /// Seed of all random choices in building the instance: ids, port numbers, random graphs, initiators.
    pub seed: u64,
    pub initiators: Initiators,
    pub settings: Settings,
}

/// Assignment of identifiers to processes.
#[derive(Clone, Debug, Default)]
pub enum Ids {
    /// 1, 2, … n.
    #[default]
    Ascending,
    /// A specification of the network library: explicit, descending, random.
    Spec(IdsSpec),
    /// The worst case of the algorithm: its `function worst_id(i)`.
    Worst,
    /// The names of the processes in the file of the network.
    Names,
}

/// Reasons why the instance cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// One sentence each, without a full stop.
    pub problems: Vec<String>,
    /// The suggested correction.
    pub hint: Option<String>,
}

impl SetupError {
    pub fn new(problem: impl Into<String>) -> SetupError {
        SetupError { problems: vec![problem.into()], hint: None }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("; "))
    }
}

impl std::error::Error for SetupError {}

fn wrong(message: impl fmt::Display) -> SetupError {
    SetupError::new(message.to_string())
}

/// Return the network as the program sees it, with the given identifiers and weights.
pub fn network(program: &Program, options: &InstanceOptions) -> Result<Network, SetupError> {
    let spec = match &options.topology {
        Some(spec) => spec.clone(),
        None => Spec::parse(program.assumptions.default_topology()).map_err(wrong)?,
    };
    let spec = match &options.weights {
        Some(weights) => spec.with_weights(weights.clone()),
        None => spec,
    };
    let spec = match options.ports {
        Some(number) => spec.with_numbering(number),
        None => spec,
    };
    let network = program.assumptions.network(&spec, options.seed).map_err(wrong)?;
    let n = network.n();
    let ids = match &options.ids {
        Ids::Ascending | Ids::Worst => IdsSpec::Ascending.resolve(n, options.seed),
        Ids::Spec(spec) => spec.resolve(n, options.seed),
        Ids::Names => network.ids_by_name().map_err(wrong)?,
    };
    network.with_ids(ids).map_err(wrong)
}

/// Build the instance and check it against the assumptions of the algorithm. Without a given topology, but with an
/// assumption about the number of processes or with single roles, choose a small network of the family that satisfies it.
pub fn instantiate(program: &Arc<Program>, options: &InstanceOptions) -> Result<Instance, SetupError> {
    if options.initiators == Initiators::All {
        return find_network(program, options);
    }
    // Processes can be named by id, so the ids are determined first.
    let instance = find_network(program, options)?;
    let initiators = options.initiators.positions(&instance.network, options.seed)?;
    let settings = Settings { initiators, ..options.settings.clone() };
    find_network(program, &InstanceOptions { settings, ..options.clone() })
}

fn find_network(program: &Arc<Program>, options: &InstanceOptions) -> Result<Instance, SetupError> {
    let assumptions = &program.assumptions;
    let on = |spec| build_instance(program, &InstanceOptions { topology: Some(spec), ..options.clone() });
    if options.to_explore
        && options.topology.is_none()
        && let Some(Ok(small)) = assumptions.topology_to_explore().map(Spec::parse)
        && let Ok(instance) = on(small)
    {
        return Ok(instance);
    }
    let first = build_instance(program, options);
    let is_sized = !assumptions.sizes.is_empty() || !assumptions.single_roles.is_empty();
    if first.is_ok() || options.topology.is_some() || !is_sized {
        return first;
    }
    let others = assumptions.other_topologies(options.to_explore).filter_map(|text| Spec::parse(&text).ok());
    others.filter(|spec| spec.n() <= DEFAULT_PROCESSES_MAX).find_map(|spec| on(spec).ok()).map_or(first, Ok)
}

/// Maximum number of processes of a network chosen by default.
const DEFAULT_PROCESSES_MAX: u32 = 16;

fn build_instance(program: &Arc<Program>, options: &InstanceOptions) -> Result<Instance, SetupError> {
    let network = network(program, options)?;
    let instance = Instance::new(program.clone(), network, &options.settings, &GlobalEvaluator)
        .map_err(|e| SetupError { problems: e.0, hint: None })?;
    if !matches!(options.ids, Ids::Worst) {
        return Ok(instance);
    }
    let Some((slot, value)) = &program.worst_id else {
        return Err(wrong(format!(
            "`{}` has no `function worst_id(i)`, which defines the worst identifiers",
            program.name
        )));
    };
    let ids: Result<Vec<i64>, _> = (0..i64::from(instance.n()))
        .map(|i| {
            eval::with_global_frame(&instance, None, |env| {
                match slot {
                    crate::ir::Slot::Word(w) => env.words[*w as usize] = i,
                    crate::ir::Slot::Value(v) => env.values[*v as usize] = Value::Int(i),
                }
                eval::word(value, env)
            })
        })
        .collect();
    let ids = ids.map_err(|abort| wrong(format!("`worst_id` failed: {}", abort.message)))?;
    let options = InstanceOptions { ids: Ids::Spec(IdsSpec::Explicit(ids)), ..options.clone() };
    find_network(program, &options)
}

/// Return the options that the header of a scenario specifies.
pub fn scenario_options(scenario: &Scenario) -> Result<InstanceOptions, SetupError> {
    let ids = match (&scenario.ids, scenario.ids_by.as_deref()) {
        (Some(ids), _) => Ids::Spec(IdsSpec::Explicit(ids.clone())),
        (None, Some("worst")) => Ids::Worst,
        (None, Some("names")) => Ids::Names,
        (None, Some(name)) => Ids::Spec(IdsSpec::parse(name).map_err(wrong)?),
        (None, None) => Ids::Ascending,
    };
    Ok(InstanceOptions {
        topology: scenario.topology.clone(),
        to_explore: false,
        ids,
        ports: None,
        weights: scenario.weights.clone(),
        seed: scenario.seed.unwrap_or(DEFAULT_SEED),
        initiators: Initiators::All,
        settings: Settings {
            params: Vec::new(),
            initiators: scenario.initiators.clone(),
            unstamped_notes: scenario.unstamped_notes,
            daemon: scenario.daemon,
            faults: scenario
                .faults
                .iter()
                .filter_map(|(word, count)| Some((crate::ir::Fault::named(word)?, *count)))
                .collect(),
            messages_survive: scenario.messages_survive,
            scripted: true,
            stop: StopSignal::NEVER,
            idle_clients: scenario
                .lines
                .iter()
                .any(|(l, _)| matches!(l, crate::ir::ScenarioLine::Act { .. })),
        },
    })
}
