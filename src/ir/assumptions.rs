//! Assumptions of an algorithm: the network, initial knowledge, faults, and the execution model.

use super::{Expr, SizeBound};
use crate::source::Span;

/// The assumptions of the algorithm, and where they are written.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// Oracles may answer incorrectly for a finite time.
    pub unreliable_oracles: bool,
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
    /// A virtual ring is embedded in the network.
    pub virtual_ring: bool,
    /// A rooted spanning tree is given.
    pub spanning_tree: bool,
    /// No process has a link to itself.
    pub no_loops: bool,
    /// Bounds on the size of the network.
    pub sizes: Vec<SizeBound>,
    /// Roles (indices) that exactly one process has.
    pub single_roles: Vec<u16>,
    /// `crashes`, and the assumed maximum number of crashes (a global expression).
    pub crashes: bool,
    pub max_crashes: Option<Expr>,
    /// Messages in transit arrive even if their sender crashes.
    pub messages_survive: bool,
    pub restarts: bool,
    pub loses: bool,
    pub duplicates: bool,
    pub links_fail: bool,
    pub detector: Option<Detector>,
    /// Bounds on the delay of every message.
    pub delay: Option<Delay>,
    /// Timers without bounds on delays: they may expire at any time.
    pub timers: bool,
    /// Quantitative assumptions of layers, which only an instance can check.
    pub of_layers: Vec<LayerBound>,
    /// Models other than asynchronous reliable message passing, by their keywords.
    pub models: Vec<(String, Span)>,
    /// All assumptions as written, for display.
    pub written: Vec<(String, Span)>,
    pub span: Span,
}

impl Assumptions {
    /// Return whether an assumption begins with these words.
    pub fn has(&self, words: &str) -> bool {
        let follows = |rest: &str| rest.is_empty() || rest.starts_with(' ');
        self.written.iter().any(|(written, _)| written.strip_prefix(words).is_some_and(follows))
    }

    /// Return whether rounds or slots of a radio network are assumed. A synchronous daemon makes no rounds of messages.
    pub fn proceeds_in_rounds(&self) -> bool {
        self.has("synchronous") && !self.has("synchronous daemon") || self.has("radio")
    }

    fn model(&self, words: &str) -> bool {
        self.models.iter().any(|(w, _)| w == words)
    }

    /// Return whether all processes step together, in rounds or in the slots of a radio network.
    pub fn rounds(&self) -> bool {
        self.model("synchronous") || self.radio()
    }

    pub fn radio(&self) -> bool {
        self.model("radio")
    }

    /// Return what listeners in a radio network can distinguish.
    pub fn feedback(&self) -> Feedback {
        match (self.model("beeps"), self.model("collision detection")) {
            (true, _) => Feedback::Beeps,
            (_, true) => Feedback::Collisions,
            _ => Feedback::None,
        }
    }

    /// Return whether a transmitting process learns the outcome of its transmission.
    pub fn transmitter_feedback(&self) -> bool {
        self.model("transmitter feedback")
    }

    pub fn reads_neighbours(&self) -> bool {
        self.model("reads neighbours")
    }

    /// Return whether processes act in pairs, so that one step changes the variables of both.
    pub fn in_pairs(&self) -> bool {
        self.model(PAIRS)
    }

    /// Return the assumed daemon; None: any daemon.
    pub fn daemon(&self) -> Option<Daemon> {
        Daemon::ALL.into_iter().find(|daemon| self.model(&format!("{} daemon", daemon.as_str())))
    }

    /// Return whether initiators may wake up in any round, not only in the first.
    pub fn spontaneous_start(&self) -> bool {
        self.written.iter().any(|(w, _)| w == "spontaneous start")
    }

    /// Return whether the neighbours on a virtual ring are identified by their ids. This requires a direct link to every id.
    pub fn ring_of_ids(&self) -> bool {
        self.identifies_by_id() && self.topology == Some(Shape::Complete)
    }

    /// Return whether processes are identified by their ids (in `from`, in destinations) and not by ports.
    pub fn identifies_by_id(&self) -> bool {
        self.knows_peers || self.addressable
    }
}

/// The assumption of population protocols.
pub const PAIRS: &str = "pairwise interactions";

/// Keywords of the models in which several processes step together.
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

/// The feedback that a listener in a radio network gets when several neighbours transmit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// Nothing: a collision is indistinguishable from silence.
    None,
    /// A collision is detected.
    Collisions,
    /// A transmission is detected, but never its content.
    Beeps,
}

impl Feedback {
    /// Return the cases of the enumeration `heard`.
    pub fn cases(self) -> &'static [&'static str] {
        match self {
            Feedback::None => &["silence", "success"],
            Feedback::Collisions => &["silence", "success", "collision"],
            Feedback::Beeps => &["silence", "beep"],
        }
    }
}

/// Which enabled processes move at the same time, in models where processes read their neighbours' variables.
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
    /// All daemons.
    pub const ALL: [Daemon; 3] = [Daemon::Central, Daemon::Synchronous, Daemon::Distributed];

    /// Return the argument of `--daemon` for this daemon.
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
    /// The lower bound; None: 1, or the upper bound if that is smaller.
    pub min: Option<Expr>,
    pub max: Expr,
}

/// A bound that a layer assumes and the components above it have to keep.
#[derive(Clone, Debug)]
pub struct LayerBound {
    /// The name by which its user refers to the layer.
    pub layer: String,
    /// As written in the layer.
    pub words: String,
    pub limit: LayerLimit,
}

#[derive(Clone, Debug)]
pub enum LayerLimit {
    /// Bounds on the delay of every message.
    Delay(Delay),
    /// The maximum number of crashed processes (a global expression).
    Crashes(Expr),
}

/// The accuracy of a failure detector. Both kinds are complete: they eventually suspect every crashed process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detector {
    /// No process is suspected before it has crashed.
    Perfect,
    /// Processes may be suspected incorrectly, but not forever.
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
