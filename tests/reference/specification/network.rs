//! An instance: a program on a network, with its parameters and its fault budget.

use crate::specification::configuration::{Configuration, Faults, Lane};
use crate::specification::module::{Component, Program};
use crate::specification::value::{Failure, Name, Value, abort};
use std::collections::BTreeMap;
use synod::internals::ids::ProcessId;
use synod::internals::network::{Label, NONE, Network, SpanningTree, VirtualRing};

/// The settings of an instance, in addition to the program and the network.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub initiators: Vec<bool>,
    /// `--set k=3`, and for a layer `--set heartbeat.d=3`.
    pub params: Vec<(String, Value)>,
    pub faults: Faults,
    /// Clients are idle: only the environment calls operations.
    pub idle_clients: bool,
    pub daemon: Option<Daemon>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Daemon {
    Central,
    Synchronous,
    Distributed,
}

#[derive(Debug)]
pub struct System {
    pub program: Program,
    pub network: Network,
    pub settings: Settings,
    /// Parameters by component.
    pub params: Vec<BTreeMap<Name, Value>>,
    /// *Time*: the earliest and the latest arrival of a message.
    pub delay: (u64, u64),
    tree: Option<SpanningTree>,
    ring: Option<VirtualRing>,
}

impl System {
    pub fn new(program: Program, network: Network, settings: Settings) -> Result<System, Failure> {
        let top = &program.components[0];
        let tree = if top.assumes("tree") || top.assumes("spanning tree") {
            SpanningTree::of(&network)
        } else {
            None
        };
        let ring = match (top.assumes("virtual ring"), top.assumes("complete")) {
            (false, _) => None,
            (true, true) => Some(VirtualRing::over_positions(&network)),
            (true, false) => VirtualRing::around_spanning_tree(&network),
        };
        let params = vec![BTreeMap::new(); program.components.len()];
        let mut system = System { program, network, settings, params, delay: (0, 0), tree, ring };
        // Users give values to their layers, and problems to their algorithms, each in textual order.
        for component in 0..system.program.components.len() {
            let partner = system.program.components[component].partner;
            for component in partner.into_iter().chain([component]) {
                crate::specification::params::set_params(&mut system, component)?;
            }
        }
        if let Some(delay) = crate::specification::time::bounds(&system)? {
            system.delay = delay;
        }
        Ok(system)
    }

    pub fn n(&self) -> usize {
        self.network.n() as usize
    }

    pub fn component(&self, component: usize) -> &Component {
        &self.program.components[component]
    }

    /// *Roles*: *of several roles all but one have exactly one process each, as `assumes one Server` says: they get processes 0, 1, … in
    /// that order (on a star the first is the centre), all others have the remaining role.*
    pub fn role(&self, p: usize, component: usize) -> Option<Name> {
        let component = self.component(component);
        if component.is_problem {
            return None;
        }
        let words = |a: &&'static synod::internals::syntax::ast::Assumption| match a.words.as_slice() {
            [one, role] if one.text == "one" => Some(role.text.as_str()),
            _ => None,
        };
        let single: Vec<Name> = component.assumes.iter().filter_map(words).collect();
        let first = self.network.root().unwrap_or(ProcessId(0)).index();
        let places = std::iter::once(first).chain((0..self.n()).filter(|q| *q != first));
        let special = places.zip(&single).find(|(place, _)| *place == p);
        let rest = || component.roles.iter().find(|r| !single.contains(r)).copied();
        special.map(|(_, role)| *role).or_else(rest)
    }

    /// *Problems: a process has the client if its role has the operations that the problem calls. What options rule out is not asked.*
    pub fn participates(&self, p: usize) -> bool {
        let Some(problem) = self.program.components[0].partner else { return false };
        let role = self.role(p, 0);
        let called = crate::specification::params::called_operations(self.component(problem));
        let offers = |name: &Name| self.component(0).routine(role, name).is_some_and(|r| r.operation);
        called.iter().all(offers)
    }

    /// Return the name of the sender of a channel at the receiver: an id, or the port that leads there.
    pub fn sender(&self, lane: Lane) -> Value {
        let link = self.network.link(lane.link);
        if self.component(lane.component).addresses_by_id() {
            return Value::Id(self.network.id(link.from));
        }
        Value::Port(link.to_port as usize)
    }

    /// Return the link to a destination.
    pub fn link(&self, from: usize, to: &Value) -> Result<u32, Failure> {
        match to {
            Value::Port(port) => {
                let ports = self.network.ports(ProcessId(from as u32));
                let out = ports.get(*port).map(|port| port.out).filter(|out| *out != NONE);
                out.map_or_else(|| abort("a message to a port that does not exist"), Ok)
            }
            Value::Id(id) => {
                let to = self.network.process_with_id(*id);
                let link = to.and_then(|to| self.network.link_to(ProcessId(from as u32), to));
                link.map_or_else(|| abort("a message to an id that does not exist"), Ok)
            }
            Value::None => abort("none where a value is needed"),
            to => crate::specification::value::unspecified(format!("a message to {to:?}")),
        }
    }

    /// *Without `to` there must be exactly one way out.*
    pub fn only_way_out(&self, from: usize) -> Result<u32, Failure> {
        match self.network.only_out(ProcessId(from as u32)) {
            NONE => abort("not exactly one way out"),
            link => Ok(link),
        }
    }

    pub fn labelled(&self, p: usize, label: Label) -> Option<Value> {
        self.network.port_with_label(ProcessId(p as u32), label).map(|port| Value::Port(port as usize))
    }

    /// Return the port of a direction such as `next`. On a virtual ring, `next` and `prev` are *ids in a complete network whose processes
    /// are addressed by ids, else ports*.
    pub fn direction(&self, p: usize, component: usize, name: &str) -> Option<Value> {
        if let (Some(ring), "next" | "prev") = (&self.ring, name) {
            // *`next` and `prev` are the processes at the next and the previous position. They are ids where processes are addressed by
            // ids*.
            if self.component(0).assumes("complete") && self.component(component).addresses_by_id() {
                let n = self.n();
                let q = if name == "next" { p + 1 } else { p + n - 1 } % n;
                return Some(Value::Id(self.network.id(ProcessId(q as u32))));
            }
            let port =
                if name == "next" { ring.next(ProcessId(p as u32)) } else { ring.prev(ProcessId(p as u32)) }?;
            return Some(Value::Port(port as usize));
        }
        if let (Some(tree), "parent") = (&self.tree, name) {
            return tree.parent(ProcessId(p as u32)).map(|port| Value::Port(port as usize));
        }
        self.labelled(p, Label::parse(name)?)
    }

    pub fn children(&self, p: usize) -> Value {
        let ports = self.tree.iter().flat_map(|tree| tree.children(ProcessId(p as u32)));
        Value::set(ports.map(|port| Value::Port(*port as usize)))
    }

    /// *`opposite(p)`: the other port of a ring or line, the opposite direction of a mesh; where a virtual ring goes on.*
    pub fn opposite(&self, p: usize, port: usize) -> Option<Value> {
        let onward = self.ring.as_ref().and_then(|ring| ring.outgoing_port(ProcessId(p as u32), port as u32));
        let onward = onward.or_else(|| self.network.opposite(ProcessId(p as u32), port as u32));
        onward.map(|port| Value::Port(port as usize))
    }

    /// Return the ports by which a process can send messages.
    pub fn neighbours(&self, p: usize) -> Vec<usize> {
        let ports = self.network.ports(ProcessId(p as u32)).into_iter().enumerate();
        ports.filter(|(_, port)| port.out != NONE).map(|(k, _)| k).collect()
    }

    pub fn peer(&self, p: usize, port: usize) -> Result<usize, Failure> {
        let found = self.network.ports(ProcessId(p as u32)).get(port).map(|port| port.peer.index());
        found.map_or_else(|| abort("a port that does not exist"), Ok)
    }

    /// Return the channel of a lane; links between the same two processes are numbered.
    pub fn channel(&self, lane: Lane) -> crate::specification::graph::Channel {
        let link = self.network.link(lane.link);
        let ends = |l: u32| (self.network.link(l).from, self.network.link(l).to);
        let same =
            (0..lane.link.min(self.network.stored_links())).filter(|l| ends(*l) == (link.from, link.to));
        crate::specification::graph::Channel {
            from: link.from.index(),
            to: link.to.index(),
            link: same.count(),
            layer: self.component(lane.component).path.clone(),
            unordered: self.is_unordered(lane),
        }
    }

    pub fn is_unordered(&self, _: Lane) -> bool {
        // Assumptions of the whole program about channels also hold for its layers.
        self.component(0).assumes("unordered")
    }

    /// Test whether the link leads from a process to itself without using the network.
    pub fn is_self_link(&self, link: u32) -> bool {
        let ends = self.network.link(link);
        ends.from == ends.to && ends.to_port == synod::internals::network::NO_PORT
    }

    /// *Rounds*: test whether all processes take their steps together.
    pub fn has_rounds(&self) -> bool {
        self.component(0).assumes("synchronous") || self.has_radio()
    }

    pub fn has_radio(&self) -> bool {
        self.component(0).assumes("radio")
    }

    pub fn acts_in_pairs(&self) -> bool {
        self.component(0).assumes("pairwise interactions")
    }

    /// *Reading neighbours: a daemon decides who moves.* It is the assumed one; *under `distributed daemon`, which may do what the others
    /// do, and where none is assumed, `--daemon` or the setting `daemon` of a scenario chooses (default: the assumed one, else the
    /// central)*.
    pub fn daemon(&self) -> Option<Daemon> {
        let here = self.component(0);
        if !here.assumes("reads neighbours") {
            return None;
        }
        Some(if here.assumes("central daemon") {
            Daemon::Central
        } else if here.assumes("synchronous daemon") {
            Daemon::Synchronous
        } else {
            let distributed = here.assumes("distributed daemon").then_some(Daemon::Distributed);
            self.settings.daemon.or(distributed).unwrap_or(Daemon::Central)
        })
    }

    /// *Faults*: «A crash may lose messages in transit from the process.» In rounds, a process that crashes while it sends has sent any
    /// of its messages.
    pub fn may_lose(&self, configuration: &Configuration, sender: usize) -> bool {
        let top = self.component(0);
        let crash_loses =
            top.assumes("crashes") && !top.assumes("messages survive crashes") && !self.has_rounds();
        crash_loses && !configuration.processes[sender].up
    }

    /// *Time*: test whether time passes.
    pub fn is_timed(&self) -> bool {
        self.component(0).assumes("delay")
    }

    /// Return a component and the layers below it.
    pub fn with_layers(&self, component: usize) -> Vec<usize> {
        let mut all = vec![component];
        let mut next = 0;
        while let Some(c) = all.get(next) {
            next += 1;
            all.extend(self.component(*c).layers.iter().map(|(_, layer)| *layer).collect::<Vec<_>>());
        }
        all
    }
}
