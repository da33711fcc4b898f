//! An instance: a program on a concrete network with all its parameters, a closed transition system.

mod assumptions;
mod fault_budget;
mod layout;
mod model;
mod timing;
mod script;
mod candidates;
mod disjoint_guards;
mod micro;
mod dispatch;
mod fast;
mod instantiate;

use crate::ids::{ChannelId, ProcessId};
use crate::ir::{Daemon, Fault, Program, Slot, Value};
use crate::network::{Network, SpanningTree, VirtualRing};
use crate::stop::StopSignal;
use std::fmt;
use std::sync::{Arc, OnceLock};

pub use candidates::{Candidate, Copies, Level};
pub(crate) use dispatch::wait_index;
pub use dispatch::{Cell, InternalAlternatives, NO_SELECTOR, RoleTable};
pub use fast::{
    Circulant, End, Entry, FastCode, FastKind, FastOp, ID, LinkTable, MESSAGE, MOST_WORDS, NO_MESSAGE, Plan,
    Plans, Registers, Route, SENDER, STAY, Step, Wiring,
};
pub use fault_budget::FaultBudget;
pub use instantiate::Evaluator;
pub use layout::{KindLayout, Layout, Number};
pub use micro::{LATER, Micro, MicroCode, Register};
pub use model::{ExecutionModel, Model};
pub use script::{Hold, Script};
pub use timing::{LONGEST, TimerPlace, Timing};

/// Options of an instance besides program and network.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Parameters by name. All others have their defaults.
    pub params: Vec<(String, Value)>,
    /// Positions of the processes that may wake up spontaneously. `None`: all.
    pub initiators: Option<Vec<ProcessId>>,
    /// Whether clients stay idle, because a scenario calls the operations.
    pub idle_clients: bool,
    /// Whether notes of the application omit the algorithm's clock, even if it declares one.
    pub unstamped_notes: bool,
    /// Which processes move at the same time, where they read their neighbours. `None`: the assumed daemon, or the central one.
    pub daemon: Option<Daemon>,
    /// The fault budget. Faults that are not listed do not occur.
    pub faults: Vec<(Fault, u32)>,
    /// Whether messages in transit arrive even if their sender crashes, although the algorithm does not assume it.
    pub messages_survive: bool,
    /// Whether a scenario specifies faults and delays. Budgets and bounds on delays then apply only to what happens by itself,
    /// and do not restrict the scenario.
    pub scripted: bool,
    /// Ends runs of the instance, and evaluations of global expressions in it.
    pub stop: StopSignal,
}

/// All problems of an instance, one sentence each without a full stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceError(pub Vec<String>);

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for InstanceError {}

/// An immutable instance, shared by all its simulations and explorations.
#[derive(Debug)]
pub struct Instance {
    pub program: Arc<Program>,
    pub network: Network,
    /// Present if the program assumes a virtual ring.
    pub virtual_ring: Option<VirtualRing>,
    pub spanning_tree: Option<SpanningTree>,
    /// Values of `Program::params`.
    pub params: Vec<Value>,
    /// The same as words, if the type fits a word (else 0), since programs read parameters often.
    pub param_words: Vec<i64>,
    /// Role of each process.
    pub roles: Vec<u16>,
    /// By position: whether the process may wake up spontaneously.
    pub initiators: Vec<bool>,
    /// Whether clients run (false: operations are called from outside).
    pub clients: bool,
    /// Whether notes of the application carry no clock.
    pub unstamped_notes: bool,
    /// Assumed faults and the fault budget.
    pub fault_budget: Option<FaultBudget>,
    pub timing: Option<Timing>,
    /// See [`Settings::scripted`].
    pub scripted: bool,
    /// Initial values of variables in place of those of their declarations: the `initially` lines of a scenario. The program must be
    /// [prepared](Program::with_initial_overrides) for them.
    pub initially: Vec<(ProcessId, Slot, Value)>,
    /// A scenario whose lines happen in every run, in their order.
    pub script: Option<Script>,
    /// See [`Settings::stop`].
    pub stop: StopSignal,
    pub layout: Layout,
    /// By role: its dispatch table.
    pub tables: Vec<RoleTable>,
    /// The execution model.
    pub model: Model,
    /// Fast code for unobserved runs, compiled on first use.
    fast: OnceLock<Option<FastCode>>,
    pub(crate) sets: ConstantSets,
}

/// Sets that no step changes, built on first use.
#[derive(Debug, Default)]
pub(crate) struct ConstantSets {
    /// All ids.
    pub ids: OnceLock<Value>,
    /// All processes.
    pub processes: OnceLock<Value>,
    pub participants: OnceLock<Value>,
    /// By role: its processes, and their ids.
    pub by_role: Vec<[OnceLock<Value>; 2]>,
}

impl Instance {
    /// Check everything but the parameters; `params` must already contain these, in the order of the program.
    fn assemble(
        program: Arc<Program>,
        network: Network,
        settings: &Settings,
    ) -> Result<Instance, InstanceError> {
        let mut wrong = Vec::new();
        assumptions::check(&program, &network, &mut wrong);
        let initiators = assumptions::initiators(&network, settings, &mut wrong);
        let roles = assumptions::assign_roles(&program, &network);
        let virtual_ring = assumptions::virtual_ring(&program, &network, &mut wrong);
        let spanning_tree = assumptions::spanning_tree(&program, &network, &mut wrong);
        let layout = Layout::new(&program, &network, &mut wrong);
        let model = Model::new(&program, settings, &mut wrong);
        let hazards = FaultBudget::new(&program.assumptions, settings, &mut wrong);
        if !wrong.is_empty() {
            return Err(InstanceError(wrong));
        }
        let tables: Vec<RoleTable> =
            (0..program.roles.len()).map(|role| RoleTable::new(&program, role, layout.frame_words)).collect();
        let timing = Timing::new(&program.assumptions, &tables);
        Ok(Instance {
            params: Vec::new(),
            param_words: Vec::new(),
            roles,
            initiators,
            clients: !settings.idle_clients,
            unstamped_notes: settings.unstamped_notes,
            fault_budget: hazards,
            timing,
            scripted: settings.scripted,
            initially: Vec::new(),
            script: None,
            stop: settings.stop.clone(),
            layout,
            tables,
            fast: OnceLock::new(),
            model,
            sets: ConstantSets {
                by_role: program.roles.iter().map(|_| Default::default()).collect(),
                ..ConstantSets::default()
            },
            program,
            network,
            virtual_ring,
            spanning_tree,
        })
    }

    /// Return the fast code for unobserved runs, if the program can be compiled to it.
    pub fn fast(&self) -> Option<&FastCode> {
        self.fast.get_or_init(|| FastCode::new(self)).as_ref()
    }

    /// Return whether the link leads from a process to itself outside the network. Its messages are counted separately. (The link
    /// of a ring of one process is an ordinary link.)
    #[inline]
    pub fn is_self_link(&self, link: u32) -> bool {
        self.layout.self_links && {
            let link = self.network.link(link);
            link.from == link.to && link.to_port == crate::network::NO_PORT
        }
    }

    /// Return whether faults, detectors or time extend processes and reliable channels.
    #[inline]
    pub fn has_faults_or_time(&self) -> bool {
        self.active_faults().is_some() || self.timing.is_some()
    }

    /// Return the names of the processes that a scenario or the file of the network gives; otherwise none.
    pub fn names(&self) -> &[String] {
        self.script.as_ref().map_or(self.network.names(), |script| &script.names)
    }

    /// Return the name of a process, or `p3`.
    pub fn process_name(&self, process: ProcessId) -> String {
        self.names().get(process.index()).map_or_else(|| process.to_string(), String::clone)
    }

    /// Return the assumed faults if a budget or a scenario requests any. Otherwise the instance behaves as if no faults were
    /// assumed; detectors have nothing to report either.
    #[inline]
    pub fn active_faults(&self) -> Option<&FaultBudget> {
        self.fault_budget.as_ref().filter(|hazards| self.scripted || !hazards.budget.is_empty())
    }

    /// Return the same instance as part of one that allows this many restarts: runs are at an end, or stuck, exactly if they are
    /// in the latter.
    pub fn of_restarts(mut self, allowed: u32) -> Instance {
        if let Some(hazards) = &mut self.fault_budget {
            hazards.assumed_restarts = allowed.saturating_sub(hazards.budget.of(Fault::Restart));
        }
        self
    }

    /// Return whether the instance has a clock.
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.timing.as_ref().is_some_and(Timing::is_timed)
    }

    /// Return the number of processes.
    #[inline]
    pub fn n(&self) -> u32 {
        self.network.n()
    }

    /// Iterate over all processes.
    #[inline]
    pub fn processes(
        &self,
    ) -> impl ExactSizeIterator<Item = ProcessId> + DoubleEndedIterator + Clone + use<> {
        self.network.processes()
    }

    #[inline]
    pub fn role_of(&self, process: ProcessId) -> usize {
        self.roles[process.index()] as usize
    }

    /// Return the dispatch table of the role of a process.
    #[inline]
    pub fn table(&self, process: ProcessId) -> &RoleTable {
        match self.tables.as_slice() {
            [only] => only,
            tables => &tables[self.roles[process.index()] as usize],
        }
    }

    /// Return the process at which messages of this channel arrive.
    #[inline]
    pub fn receiver(&self, channel: ChannelId) -> ProcessId {
        match self.layout.receivers.get(self.layout.link_of(channel) as usize) {
            Some(to) => *to,
            None => self.network.link(self.layout.link_of(channel)).to,
        }
    }

    /// Return the only outgoing link of a process, or NONE if it has none or several. Used for sends without a destination.
    #[inline]
    pub fn only_out(&self, process: ProcessId) -> u32 {
        match self.layout.only_out.get(process.index()) {
            Some(link) => *link,
            None => self.network.only_out(process),
        }
    }

    /// Iterate over all channels.
    #[inline]
    pub fn channels(&self) -> impl ExactSizeIterator<Item = ChannelId> + Clone + use<> {
        (0..self.layout.channels).map(ChannelId)
    }

    /// Return the process that sends into this channel.
    pub fn sender(&self, channel: ChannelId) -> ProcessId {
        self.network.link(self.layout.link_of(channel)).from
    }

    /// Return all channels that lead to a process: links in the order of its ports, then the self link, then addressed links by
    /// sender; for each link its lanes in order.
    pub fn incoming(&self, process: ProcessId) -> impl Iterator<Item = ChannelId> + '_ {
        let stored = self.network.stored_links();
        let addressed = if self.network.options().addressable { 0..self.n() } else { 0..0 };
        let n = self.n();
        self.network
            .ports(process)
            .into_iter()
            .map(|port| port.incoming)
            .filter(|link| *link != crate::network::NONE)
            .chain(self.network.self_link(process))
            .chain(addressed.map(move |from| stored + from * n + process.0))
            .flat_map(move |link| (0..self.layout.lanes).map(move |lane| self.layout.channel(link, lane)))
    }
}
