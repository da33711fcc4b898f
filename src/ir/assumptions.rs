//! What an algorithm takes for granted: the network, what processes know, what may go wrong, and the model they step in.

use super::{Expr, SizeBound};
use crate::source::Span;

/// What the algorithm takes for granted, with the place where it says so.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// Oracles may answer wrongly for a while.
    pub oracles_err: bool,
    pub topology: Option<Shape>,
    /// Only one direction of each link exists.
    pub unidirectional: bool,
    /// Port labels are given and globally consistent.
    pub oriented: bool,
    pub unordered: bool,
    pub unique_ids: bool,
    pub integer_ids: bool,
    pub anonymous: bool,
    pub knows_n: bool,
    pub knows_diameter: bool,
    pub knows_edges: bool,
    pub knows_rows: bool,
    pub knows_columns: bool,
    pub knows_peers: bool,
    pub knows_neighbours: bool,
    pub addressable: bool,
    pub weights: bool,
    pub reliable: bool,
    /// A ring is laid through the network.
    pub virtual_ring: bool,
    /// A rooted spanning tree is given.
    pub spanning_tree: bool,
    /// No process has a link to itself.
    pub no_loops: bool,
    /// How large the network is.
    pub sizes: Vec<SizeBound>,
    /// Roles (indices) that exactly one process has.
    pub one: Vec<u16>,
    /// `crashes`, and the most that are assumed (a global expression).
    pub crashes: bool,
    pub most_crashes: Option<Expr>,
    pub restarts: bool,
    pub loses: bool,
    pub duplicates: bool,
    pub links_fail: bool,
    pub detector: Option<Detector>,
    /// Every message arrives within these bounds.
    pub delay: Option<Delay>,
    /// Timers without bounds on delays: they may run out at any time.
    pub timers: bool,
    /// What layers assume in numbers of their own, which only an instance knows.
    pub of_layers: Vec<LayerBound>,
    /// Models beyond asynchronous reliable message passing, by the words that ask for them.
    pub models: Vec<(String, Span)>,
    /// Everything as written, for display.
    pub written: Vec<(String, Span)>,
    pub span: Span,
}

impl Assumptions {
    fn model(&self, words: &str) -> bool {
        self.models.iter().any(|(w, _)| w == words)
    }

    /// Do all processes step together, in rounds or in the slots of a radio network?
    pub fn rounds(&self) -> bool {
        self.model("synchronous") || self.radio()
    }

    pub fn radio(&self) -> bool {
        self.model("radio")
    }

    /// What listeners can tell apart, in radio networks.
    pub fn feedback(&self) -> Feedback {
        match (self.model("beeps"), self.model("collision detection")) {
            (true, _) => Feedback::Beeps,
            (_, true) => Feedback::Collisions,
            _ => Feedback::None,
        }
    }

    /// Does a process that transmits learn what came of it?
    pub fn transmitter_feedback(&self) -> bool {
        self.model("transmitter feedback")
    }

    pub fn reads_neighbours(&self) -> bool {
        self.model("reads neighbours")
    }

    /// Do processes act in pairs, one changing the variables of both?
    pub fn in_pairs(&self) -> bool {
        self.model(PAIRS)
    }

    /// The daemon that is assumed; None: any will do.
    pub fn daemon(&self) -> Option<Daemon> {
        Daemon::ALL.into_iter().find(|daemon| self.model(&format!("{} daemon", daemon.as_str())))
    }

    /// May initiators wake in any round, not only in the first?
    pub fn spontaneous_start(&self) -> bool {
        self.written.iter().any(|(w, _)| w == "spontaneous start")
    }

    /// Are the neighbours on a virtual ring named by their ids? Only where a message to an id goes straight there.
    pub fn ring_of_ids(&self) -> bool {
        self.by_id() && self.topology == Some(Shape::Complete)
    }

    /// Are processes named by their ids (in `from`, in destinations), not by ports?
    pub fn by_id(&self) -> bool {
        self.knows_peers || self.addressable
    }
}

/// The assumption of population protocols.
pub const PAIRS: &str = "pairwise interactions";

/// Words of the models in which several processes step together.
pub const JOINT: &[&str] = &[
    "synchronous",
    "radio",
    "collision detection",
    "beeps",
    "transmitter feedback",
    "reads neighbours",
    "central daemon",
    "synchronous daemon",
    "distributed daemon",
    PAIRS,
];

/// What a listener in a radio network hears where several transmit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// Nothing: a collision sounds like silence.
    None,
    /// That several have transmitted.
    Collisions,
    /// That somebody has transmitted, and never what.
    Beeps,
}

impl Feedback {
    /// The cases of `heard`.
    pub fn cases(self) -> &'static [&'static str] {
        match self {
            Feedback::None => &["silence", "success"],
            Feedback::Collisions => &["silence", "success", "collision"],
            Feedback::Beeps => &["silence", "beep"],
        }
    }
}

/// Who moves at the same time, where processes read their neighbours' variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[warn(missing_docs)]
pub enum Daemon {
    /// One enabled process at a time.
    #[default]
    Central,
    /// All enabled processes.
    Synchronous,
    /// Any of the enabled processes, at least one.
    Distributed,
}

#[warn(missing_docs)]
impl Daemon {
    /// All of them.
    pub const ALL: [Daemon; 3] = [Daemon::Central, Daemon::Synchronous, Daemon::Distributed];

    /// As `--daemon` takes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Daemon::Central => "central",
            Daemon::Synchronous => "synchronous",
            Daemon::Distributed => "distributed",
        }
    }
}

/// Bounds on the time between sending and arrival, as global expressions.
#[derive(Clone, Debug)]
pub struct Delay {
    /// None: 1, or the upper bound where that is less.
    pub least: Option<Expr>,
    pub most: Expr,
}

/// A bound that a layer assumes, and those above it have to keep.
#[derive(Clone, Debug)]
pub struct LayerBound {
    /// As its user calls it.
    pub layer: String,
    /// As written in the layer.
    pub words: String,
    pub limit: LayerLimit,
}

#[derive(Clone, Debug)]
pub enum LayerLimit {
    /// Every message arrives within these bounds.
    Delay(Delay),
    /// So many processes crash at most (a global expression).
    Crashes(Expr),
}

/// What a failure detector promises. Both kinds suspect every crashed process sooner or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detector {
    /// Nobody is suspected before it has crashed.
    Perfect,
    /// Processes may be suspected wrongly, but not for ever.
    EventuallyPerfect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Ring,
    Line,
    Star,
    Tree,
    Complete,
    Mesh,
    Torus,
    Hypercube,
    Connected,
}
