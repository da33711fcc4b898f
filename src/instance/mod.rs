//! A program on a concrete network with all its parameters: a closed transition system.

mod assumptions;
mod fault_budget;
mod layout;
mod model;
mod timing;
mod candidates;
mod disjoint_guards;
mod micro;
mod dispatch;
mod fast;

use crate::ir::{Daemon, Fault, Program, Value};
use crate::network::{Network, SpanningTree, VirtualRing};
use std::fmt;
use std::sync::{Arc, OnceLock};

pub use candidates::{Candidate, Copies, Level};
pub(crate) use dispatch::wait_index;
pub use dispatch::{Cell, Internal, NO_SELECTOR, RoleTable};
pub use fast::{
    Circle, End, Entry, FastCode, FastKind, FastOp, ID, MESSAGE, MOST_WORDS, NO_MESSAGE, Plan, Plans,
    Registers, Route, SENDER, STAY, Step, Table, Wiring,
};
pub use fault_budget::FaultBudget;
pub use layout::{KindLayout, Layout, Number};
pub use micro::{LATER, Micro, MicroCode, Register};
pub use model::{ExecutionModel, Model};
pub use timing::{LONGEST, TimerPlace, Timing};

/// What a person chooses besides program and network.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Parameters by name. The others have their defaults.
    pub params: Vec<(String, Value)>,
    /// Positions of the processes that may wake by themselves. None: all.
    pub initiators: Option<Vec<u32>>,
    /// Do the clients stay idle, because a scenario says when operations are called?
    pub idle_clients: bool,
    /// Do the application's notes go without the algorithm's clock, whatever it declares?
    pub unstamped_notes: bool,
    /// Who moves at the same time, where processes read their neighbours. None: as assumed, or one at a time.
    pub daemon: Option<Daemon>,
    /// How often what may go wrong. Nothing goes wrong that is not named here.
    pub faults: Vec<(Fault, u32)>,
    /// Does a scenario say what goes wrong and how long messages take? Then budgets and bounds on delays say
    /// what happens by itself, and do not restrict what is told.
    pub scripted: bool,
}

/// Everything that is wrong with an instance, in plain words, one sentence each without a full stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceError(pub Vec<String>);

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for InstanceError {}

/// Immutable and shared by everything that runs or explores it.
///
/// `Instance::new` is in `semantics::instantiate`, since defaults of parameters are expressions.
#[derive(Debug)]
pub struct Instance {
    pub program: Arc<Program>,
    pub network: Network,
    /// Where the program assumes one.
    pub virtual_ring: Option<VirtualRing>,
    pub spanning_tree: Option<SpanningTree>,
    /// Values of `Program::params`.
    pub params: Vec<Value>,
    /// The same, where the type fits a word (0 elsewhere): programs read parameters often.
    pub param_words: Vec<i64>,
    /// Role of each process.
    pub roles: Vec<u16>,
    /// Which processes may wake by themselves, by position.
    pub initiators: Vec<bool>,
    /// Do clients run (false: operations are called from outside)?
    pub clients: bool,
    /// Application notes carry no clock.
    pub unstamped_notes: bool,
    /// What may go wrong.
    pub hazards: Option<FaultBudget>,
    pub timing: Option<Timing>,
    /// See [`Settings::scripted`].
    pub scripted: bool,
    pub layout: Layout,
    /// By role: who takes which message where.
    pub tables: Vec<RoleTable>,
    /// Who steps when.
    pub model: Model,
    /// The same once more for runs that nobody watches: made when first asked for.
    fast: OnceLock<Option<FastCode>>,
    /// The set of all ids, of all processes, and the members of each role: made when first asked for.
    pub(crate) everybody: OnceLock<Value>,
    pub(crate) processes: OnceLock<Value>,
}

impl Instance {
    /// Checks everything but parameters, which `params` must already hold in the order of the program.
    pub(crate) fn assemble(
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
            hazards,
            timing,
            scripted: settings.scripted,
            layout,
            tables,
            fast: OnceLock::new(),
            model,
            everybody: OnceLock::new(),
            processes: OnceLock::new(),
            program,
            network,
            virtual_ring,
            spanning_tree,
        })
    }

    /// The code of runs that nobody watches, if the program has any.
    pub fn fast(&self) -> Option<&FastCode> {
        self.fast.get_or_init(|| FastCode::new(self)).as_ref()
    }

    /// Does the link lead from a process to itself without going through the network? What is sent over it is
    /// counted apart. (The link of a ring of one process is a link like any other.)
    #[inline]
    pub fn is_self_link(&self, link: u32) -> bool {
        self.layout.self_links && {
            let link = self.network.link(link);
            link.from == link.to && link.to_port == crate::network::NO_PORT
        }
    }

    /// Is there anything besides processes and reliable channels: faults, detectors, time?
    #[inline]
    pub fn is_special(&self) -> bool {
        self.hazards().is_some() || self.timing.is_some()
    }

    /// What may go wrong, if anybody asks for it: a budget, or a scenario. Else it is as if nothing were assumed, for
    /// detectors have nothing to say either.
    #[inline]
    pub fn hazards(&self) -> Option<&FaultBudget> {
        self.hazards.as_ref().filter(|hazards| self.scripted || !hazards.budget.is_empty())
    }

    /// The same, for some of the runs of an instance that allows so many restarts: what is an end there is one here, and is stuck where
    /// it is stuck there.
    pub fn of_restarts(mut self, allowed: u32) -> Instance {
        if let Some(hazards) = &mut self.hazards {
            hazards.restarts_to_hope_for = allowed.saturating_sub(hazards.budget.of(Fault::Restart));
        }
        self
    }

    /// Does time pass?
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.timing.as_ref().is_some_and(Timing::is_timed)
    }

    /// Number of processes.
    #[inline]
    pub fn n(&self) -> u32 {
        self.network.n()
    }

    #[inline]
    pub fn role_of(&self, process: u32) -> usize {
        self.roles[process as usize] as usize
    }

    /// What is prepared for the role of a process.
    #[inline]
    pub fn table(&self, process: u32) -> &RoleTable {
        match self.tables.as_slice() {
            [only] => only,
            tables => &tables[self.roles[process as usize] as usize],
        }
    }

    /// The process a message of this channel arrives at.
    #[inline]
    pub fn receiver(&self, channel: u32) -> u32 {
        match self.layout.receivers.get(self.layout.link_of(channel) as usize) {
            Some(to) => *to,
            None => self.network.link(self.layout.link_of(channel)).to,
        }
    }

    /// The only link that leaves a process, or NONE where none leaves or several do. For programs that send without saying where.
    #[inline]
    pub fn only_out(&self, process: u32) -> u32 {
        match self.layout.only_out.get(process as usize) {
            Some(link) => *link,
            None => self.network.only_out(process),
        }
    }

    /// The process that sends into this channel.
    pub fn sender(&self, channel: u32) -> u32 {
        self.network.link(self.layout.link_of(channel)).from
    }

    /// All channels that lead to a process, links in the order of its ports, then the self link, then
    /// addressed links by sender; for each link its lanes in order.
    pub fn incoming(&self, process: u32) -> impl Iterator<Item = u32> + '_ {
        let stored = self.network.stored_links();
        let addressed = if self.network.options().addressable { 0..self.n() } else { 0..0 };
        let n = self.n();
        self.network
            .ports(process)
            .into_iter()
            .map(|port| port.incoming)
            .filter(|link| *link != crate::network::NONE)
            .chain(self.network.self_link(process))
            .chain(addressed.map(move |from| stored + from * n + process))
            .flat_map(move |link| (0..self.layout.lanes).map(move |lane| link * self.layout.lanes + lane))
    }
}
