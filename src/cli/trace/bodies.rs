//! The results of `synod trace` about cuts, as JSON. The schemas are in `docs/schema`.

use crate::ids::{MessageId, ProcessId};
use crate::trace::Change;
use serde::Serialize;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HistoryBody {
    pub verb: &'static str,
    pub processes: Vec<ProcessBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ProcessBody {
    pub process: usize,
    pub name: String,
    pub initial: Vec<Change>,
    pub events: Vec<EventBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EventBody {
    /// Position in the run, from 0.
    pub event: usize,
    /// Number at its process, from 1.
    pub nth: Option<u32>,
    pub process: ProcessId,
    pub action: String,
    pub lamport: u64,
    pub vector: Vec<u32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BeforeBody {
    pub verb: &'static str,
    pub first: EventBody,
    pub second: EventBody,
    /// Relation of the first event to the second: `before`, `after`, `concurrent`, `same`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["before", "after", "concurrent", "same"])))]
    pub relation: &'static str,
    /// Events from the earlier to the later, each a direct cause of the next; empty for concurrent events.
    pub chain: Vec<usize>,
    /// Numbers of the messages of the chain; None for a note.
    pub messages: Vec<Option<MessageId>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CutBody {
    pub verb: &'static str,
    /// Number of events of each process inside.
    pub cut: Vec<u32>,
    pub consistent: bool,
    /// The last event of each process inside, by its position in the run.
    pub frontier: Vec<Option<usize>>,
    /// Causes of an inconsistency: an event inside depends on one outside.
    pub crossings: Vec<CrossingBody>,
    /// The least consistent cut that contains it.
    pub least_around: Vec<u32>,
    /// The greatest consistent cut that it contains.
    pub greatest_within: Vec<u32>,
    /// Absent for an inconsistent cut.
    pub state: Option<StateBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CrossingBody {
    /// Number of the message; None for a note of a scenario, or if no message is the reason.
    pub message: Option<MessageId>,
    /// Positions of the events in the run.
    pub inside: usize,
    pub outside: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StateBody {
    pub processes: Vec<LocalBody>,
    pub channels: Vec<ChannelBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LocalBody {
    pub process: usize,
    pub name: String,
    pub variables: Vec<Change>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ChannelBody {
    pub from: usize,
    pub to: usize,
    pub messages: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CountingBody {
    pub verb: &'static str,
    pub events: usize,
    /// Counts are strings, since they may be of any size; None: the limit was reached.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9]+$")))]
    pub cuts: String,
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9]+$")))]
    pub consistent: Option<String>,
    /// Numbers of consistent cuts by number of events.
    #[cfg_attr(feature = "schemas", schemars(extend("items" = {"type": "string", "pattern": "^[0-9]+$"})))]
    pub levels: Option<Vec<String>>,
    /// Number of interleavings of the local histories; None also if an event belongs to two of them.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9]+$")))]
    pub runs: Option<String>,
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9]+$")))]
    pub linearizations: Option<String>,
    /// Maximum number of pairwise concurrent events.
    pub width: Option<usize>,
    /// Number of consistent cuts explored.
    pub looked_at: u64,
    pub max_cuts: u64,
    /// Cuts, by number of events: the number of events of each process inside.
    pub list: Option<Vec<Vec<Vec<u32>>>>,
    /// Whether there are more cuts than listed.
    pub more: bool,
    /// Linearizations, as lists of events.
    pub orders: Option<Vec<Vec<usize>>>,
    /// Whether there are more linearizations than listed.
    pub more_orders: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReachBody {
    pub verb: &'static str,
    pub from: Vec<u32>,
    pub to: Vec<u32>,
    pub reachable: bool,
    /// `from` or `to`: this cut is not consistent; `backwards`: a process has more events in the first cut.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["from", "to", "backwards", null])))]
    pub obstacle: Option<&'static str>,
    /// Events of one path.
    pub events: Vec<usize>,
    /// Number of paths; None if there are too many to count.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9]+$")))]
    pub ways: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OrderBody {
    pub verb: &'static str,
    /// `linearization`, `run`, `none`
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["linearization", "run", "none"])))]
    pub order: &'static str,
    /// An event that comes too early, and the one that must precede it.
    pub early: Option<usize>,
    pub late: Option<usize>,
}
