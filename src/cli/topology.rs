//! `synod topology`: the families of networks, and the description of one network.

use super::exit::{ExitStatus, Failure, Outcome};
use super::options::{Json, seed};
use super::output::{Output, table};
use super::run::{drawn_ports, runnable};
use crate::check::prose;
use crate::ids::ProcessId;
use crate::input::{self, numbering, spec};
use crate::network::{Direction, FAMILIES, IdsSpec, Labels, Network, NetworkOptions as Form, Notice, build};
use clap::{Args, Subcommand};
use serde::Serialize;

/// List the topologies, or show a network
#[derive(Args)]
pub struct TopologyOptions {
    #[command(subcommand)]
    what: What,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Subcommand)]
enum What {
    /// List the families of networks
    List,
    /// Show a network: size, diameter, ports and ids
    Show(Show),
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Args)]
struct Show {
    /// Topology, such as 'ring(8)', or a file: DOT, GraphML, GML, Pajek, Matrix Market, graph6, CSV, a list of edges or neighbours
    #[arg(value_name = "TOPOLOGY")]
    spec: String,

    /// Ids by position: a list such as 3,1,4,2, or ascending, descending, random; names: those of the file
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    ids: Option<String>,

    /// Show the network as this program sees it: a path, or the name of an algorithm of the library
    #[arg(long = "for", value_name = "FILE", conflicts_with_all = ["unidirectional", "unoriented"])]
    program: Option<String>,

    /// Numbering of ports without labels: as-listed, or a number from 0 [default: as-listed; with --for or --unoriented, drawn from the seed]
    #[arg(long, value_name = "NUMBERING")]
    ports: Option<String>,

    /// Print the network as a graph for Graphviz
    #[arg(long)]
    dot: bool,

    /// Give each edge one direction
    #[arg(long)]
    unidirectional: bool,

    /// Give the ports no labels and no common orientation, and draw their numbering from the seed, as a run does
    #[arg(long)]
    unoriented: bool,

    /// Seed of all random choices: decimal or 0x…
    #[arg(long, value_name = "N", value_parser = seed, default_value = "1")]
    seed: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ListBody {
    families: Vec<FamilyBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct FamilyBody {
    name: &'static str,
    usage: &'static str,
    example: &'static str,
    meaning: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ShowBody {
    topology: String,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    n: u32,
    edges: u32,
    directed: bool,
    /// Absent if some process cannot reach another.
    diameter: Option<u32>,
    connected: bool,
    /// The seed from which the ports are numbered. Absent if the topology, its order or `--ports` determines the numbering.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    port_seed: Option<u64>,
    processes: Vec<ProcessBody>,
    /// Remarks about the file: edges joined, weights scaled, lines taken as headings.
    notices: Vec<String>,
    /// The graph for Graphviz, with `--dot`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    dot: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ProcessBody {
    index: ProcessId,
    id: i64,
    name: Option<String>,
    ports: Vec<PortBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PortBody {
    label: Option<String>,
    peer: ProcessId,
    sends: bool,
    receives: bool,
    /// The weight of the edge. Absent if weights are drawn for each run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "i64"))]
    weight: Option<i64>,
}

pub fn run(options: &TopologyOptions, out: &mut Output) -> Outcome {
    match &options.what {
        What::List => list(out)?,
        What::Show(show) => show.run(out)?,
        What::Other(words) => return Err(unexpected_words(words)),
    }
    Ok(ExitStatus::Success)
}

/// Return the failure for an unknown subcommand, such as `synod topology ring(4)`, with a hint.
fn unexpected_words(words: &[String]) -> Failure {
    let written = words.join(" ");
    let failure = Failure::usage(format!("`synod topology` has no subcommand '{written}'"));
    match spec(&written) {
        Ok(_) => failure.hint(format!("synod topology show '{written}'")),
        Err(_) => match prose::nearest(&written, &["list".into(), "show".into()]) {
            Some(verb) => failure.hint(format!("synod topology {verb}")),
            None => failure.hint("synod topology list, or synod topology show 'ring(4)'"),
        },
    }
}

fn list(out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        let families = FAMILIES.iter().map(|f| FamilyBody {
            name: f.name,
            usage: f.usage,
            example: f.example,
            meaning: f.meaning,
        });
        return out.json(&ListBody { families: families.collect() });
    }
    let head = ["FAMILY", "EXAMPLE", "MEANING"].map(String::from).to_vec();
    let row = |f: &crate::network::FamilyDoc| vec![f.name.into(), f.example.into(), f.meaning.into()];
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(FAMILIES.iter().map(row)).collect();
    for (i, line) in table(&rows).into_iter().enumerate() {
        out.line(if i == 0 { out.bold(&line) } else { line })?;
    }
    Ok(())
}

/// The remark that a run numbers the ports otherwise.
const AS_LISTED: &str = "(ports are numbered as listed; a run may draw their numbering from its seed: --for FILE or --unoriented shows it)";

/// Return whether some process distinguishes its ports by their numbers only.
fn has_unlabelled_ports(network: &Network) -> bool {
    network.processes().any(|p| {
        network.degree(p) > 1 && network.ports(p).into_iter().next().is_some_and(|port| port.label.is_none())
    })
}

impl Show {
    fn run(&self, out: &mut Output) -> Result<(), Failure> {
        let topology = spec(&self.spec)?;
        let topology = match &self.ports {
            Some(ports) => topology.with_numbering(numbering(ports)?),
            None => topology,
        };
        let may_be_drawn = self.program.is_none() && !topology.is_numbered();
        let network = match &self.program {
            Some(file) => {
                let checked = input::check_without_errors(&input::read_program(file)?)?;
                let program = runnable(file, checked, out)?;
                program.assumptions.network(&topology, self.seed)?
            }
            None => build(&topology, &self.form())?,
        };
        let network = match self.ids.as_deref().map(str::trim) {
            None => network,
            Some("names") => {
                let ids = network.ids_by_name()?;
                network.with_ids(ids)?
            }
            Some(ids) => {
                let ids = IdsSpec::parse(ids)?.resolve(network.n(), self.seed);
                network.with_ids(ids)?
            }
        };
        out.notices(&network);
        if out.is_json() {
            return out.json(&ShowBody::new(&network, self.dot));
        }
        if self.dot {
            return out.text(network.to_dot());
        }
        let note = match drawn_ports(network.port_seed(), "--ports selects a numbering") {
            drawn if !drawn.is_empty() => format!("\n{drawn}"),
            _ if may_be_drawn && network.port_numberings() != Some(1) && has_unlabelled_ports(&network) => {
                format!("\n{AS_LISTED}\n")
            }
            _ => String::new(),
        };
        let text = network.describe() + &note;
        match out.look.ascii {
            true => out.text(text.replace('→', "->").replace('←', "<-").replace('↔', "<->")),
            false => out.text(text),
        }
    }

    fn form(&self) -> Form {
        Form {
            direction: match self.unidirectional {
                true => Direction::Unidirectional,
                false => Direction::Bidirectional,
            },
            labels: match self.unoriented || self.ports.is_some() {
                true => Labels::Unoriented { seed: self.seed },
                false => Labels::Oriented,
            },
            seed: self.seed,
            ..Form::default()
        }
    }
}

impl ShowBody {
    fn new(network: &Network, dot: bool) -> ShowBody {
        let port = |p: ProcessId, number: u32, port: &crate::network::Port| PortBody {
            weight: network.given_weight(p, number),
            label: port.label.map(|label| label.to_string()),
            peer: port.peer,
            sends: port.out != crate::network::NONE,
            receives: port.incoming != crate::network::NONE,
        };
        let process = |p: ProcessId| ProcessBody {
            index: p,
            id: network.id(p),
            name: network.name(p).map(String::from),
            ports: (0..).zip(network.ports(p)).map(|(number, own)| port(p, number, &own)).collect(),
        };
        ShowBody {
            topology: network.topology().into(),
            n: network.n(),
            edges: network.edges(),
            directed: network.directed(),
            diameter: network.diameter(),
            connected: network.is_connected(),
            port_seed: network.port_seed(),
            processes: network.processes().map(process).collect(),
            notices: network.notices().iter().map(Notice::to_string).collect(),
            dot: dot.then(|| network.to_dot()),
        }
    }
}
