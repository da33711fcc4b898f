//! From a program and a person's wishes to an instance: which topology, which identifiers, who starts.

use crate::instance::{self, Instance, Settings};
use crate::ir::{Program, Scenario, Shape, Value};
use crate::network::{self, Direction, IdsSpec, Labels, Network, Options, Spec};
use crate::semantics::eval;
use std::fmt;
use std::sync::Arc;

/// What a person wishes; everything may be left to the defaults.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// None: a small network of the kind that the algorithm assumes.
    pub topology: Option<Spec>,
    pub ids: Ids,
    /// Weights of the edges, in their order.
    pub weights: Option<Vec<i64>>,
    /// Seed of everything that is drawn while the instance is made: random ids, ports, graphs.
    pub seed: u64,
    pub settings: Settings,
}

/// How processes get their identifiers.
#[derive(Clone, Debug, Default)]
pub enum Ids {
    /// 1, 2, … n.
    #[default]
    Ascending,
    /// As the network library offers: explicit, descending, random.
    Spec(IdsSpec),
    /// Those that make the algorithm work hardest: its `function worst_id(i)`.
    Worst,
}

/// Why there is no such instance, in plain words; one sentence each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<String>);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for SetupError {}

fn wrong(message: impl fmt::Display) -> SetupError {
    SetupError(vec![message.to_string()])
}

/// A small network of the kind that the algorithm assumes.
pub fn default_topology(program: &Program) -> &'static str {
    match program.assumptions.topology {
        Some(Shape::Ring) => "ring(4)",
        Some(Shape::Line) => "line(4)",
        Some(Shape::Star) => "star(3)",
        Some(Shape::Tree) => "tree(7)",
        Some(Shape::Complete) | None => "complete(3)",
        Some(Shape::Mesh) => "mesh(3, 3)",
        Some(Shape::Torus) => "torus(3, 3)",
        Some(Shape::Hypercube) => "hypercube(3)",
        Some(Shape::Connected) => "petersen",
    }
}

/// The network as this program sees it: direction, labels, links to oneself.
pub fn network(program: &Program, wishes: &Wishes) -> Result<Network, SetupError> {
    let spec = match &wishes.topology {
        Some(spec) => spec.clone(),
        None => Spec::parse(default_topology(program)).map_err(wrong)?,
    };
    let a = &program.assumptions;
    // Where the algorithm assumes no labels it must not profit from them.
    let labelled = a.oriented
        || a.unidirectional
        || matches!(a.topology, Some(Shape::Star | Shape::Tree | Shape::Complete) | None);
    let options = Options {
        direction: if a.unidirectional { Direction::Unidirectional } else { Direction::Bidirectional },
        labels: if labelled { Labels::Oriented } else { Labels::Unoriented { seed: wishes.seed } },
        self_links: a.by_id(),
        seed: wishes.seed,
        addressable: a.by_id(),
    };
    let mut network = network::build(&spec, &options).map_err(wrong)?;
    if let Some(requirement) = a.topology.map(instance::requirement)
        && (a.oriented || a.unidirectional)
        && network.satisfies(requirement).is_ok()
    {
        // A graph given edge by edge that has the shape gets its labels.
        network = network.with_orientation(requirement).map_err(wrong)?;
    }
    let n = network.n();
    let ids = match &wishes.ids {
        Ids::Ascending | Ids::Worst => IdsSpec::Ascending.resolve(n, wishes.seed),
        Ids::Spec(spec) => spec.resolve(n, wishes.seed),
    };
    network.with_ids(ids).map_err(wrong)
}

/// The instance, checked against what the algorithm assumes.
pub fn instantiate(program: &Arc<Program>, wishes: &Wishes) -> Result<Instance, SetupError> {
    let network = network(program, wishes)?;
    let instance = Instance::new(program.clone(), network, &wishes.settings).map_err(|e| SetupError(e.0))?;
    if !matches!(wishes.ids, Ids::Worst) {
        return Ok(instance);
    }
    let Some((slot, value)) = &program.worst_id else {
        return Err(wrong(format!(
            "`{}` does not say which identifiers are the worst: it has no `function worst_id(i)`",
            program.name
        )));
    };
    let ids: Result<Vec<i64>, _> = (0..i64::from(instance.n()))
        .map(|i| {
            eval::globally(&instance, None, |env| {
                match slot {
                    crate::ir::Slot::Word(w) => env.words[*w as usize] = i,
                    crate::ir::Slot::Value(v) => env.values[*v as usize] = Value::Int(i),
                }
                eval::word(value, env)
            })
        })
        .collect();
    let ids = ids.map_err(|abort| wrong(format!("`worst_id` failed: {}", abort.message)))?;
    let wishes = Wishes { ids: Ids::Spec(IdsSpec::Explicit(ids)), ..wishes.clone() };
    instantiate(program, &wishes)
}

/// What a scenario's header asks for.
pub fn of_scenario(scenario: &Scenario) -> Result<Wishes, SetupError> {
    let topology = match &scenario.topology {
        Some((text, _)) => Some(Spec::parse(text).map_err(wrong)?),
        None => None,
    };
    let ids = match (&scenario.ids, scenario.ids_by.as_deref()) {
        (Some(ids), _) => Ids::Spec(IdsSpec::Explicit(ids.clone())),
        (None, Some("worst")) => Ids::Worst,
        (None, Some(name)) => Ids::Spec(IdsSpec::parse(name).map_err(wrong)?),
        (None, None) => Ids::Ascending,
    };
    Ok(Wishes {
        topology,
        ids,
        weights: scenario.weights.clone(),
        seed: scenario.seed.unwrap_or(0),
        settings: Settings {
            params: Vec::new(),
            initiators: scenario.initiators.as_ref().map(|list| list.iter().map(|p| *p as u32).collect()),
            unstamped_notes: scenario.unstamped_notes,
            faults: scenario
                .faults
                .iter()
                .filter_map(|(word, count)| Some((crate::ir::Fault::named(word)?, *count)))
                .collect(),
            scripted: true,
            idle_clients: scenario
                .lines
                .iter()
                .any(|(l, _)| matches!(l, crate::ir::ScenarioLine::Act { .. })),
        },
    })
}
