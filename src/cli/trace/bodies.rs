//! The results of `synod trace` about cuts, as JSON. The schemas are in `docs/schema`.

use crate::trace::Change;
use serde::Serialize;

#[derive(Serialize)]
pub struct HistoryBody {
    pub verb: &'static str,
    pub processes: Vec<ProcessBody>,
}

#[derive(Serialize)]
pub struct ProcessBody {
    pub process: usize,
    pub name: String,
    pub initial: Vec<Change>,
    pub events: Vec<EventBody>,
}

#[derive(Serialize)]
pub struct EventBody {
    pub event: usize,
    pub nth: Option<u32>,
    pub process: u32,
    pub action: String,
    pub lamport: u64,
    pub vector: Vec<u32>,
}

#[derive(Serialize)]
pub struct BeforeBody {
    pub verb: &'static str,
    pub first: EventBody,
    pub second: EventBody,
    /// Relation of the first event to the second: `before`, `after`, `concurrent`, `same`.
    pub relation: &'static str,
    pub chain: Vec<usize>,
    /// Numbers of the messages of the chain; None for a note.
    pub messages: Vec<Option<u32>>,
}

#[derive(Serialize)]
pub struct CutBody {
    pub verb: &'static str,
    pub cut: Vec<u32>,
    pub consistent: bool,
    pub frontier: Vec<Option<usize>>,
    pub crossings: Vec<CrossingBody>,
    pub least_around: Vec<u32>,
    pub greatest_within: Vec<u32>,
    /// Absent for an inconsistent cut.
    pub state: Option<StateBody>,
}

#[derive(Serialize)]
pub struct CrossingBody {
    pub message: Option<u32>,
    pub inside: usize,
    pub outside: usize,
}

#[derive(Serialize)]
pub struct StateBody {
    pub processes: Vec<LocalBody>,
    pub channels: Vec<ChannelBody>,
}

#[derive(Serialize)]
pub struct LocalBody {
    pub process: usize,
    pub name: String,
    pub variables: Vec<Change>,
}

#[derive(Serialize)]
pub struct ChannelBody {
    pub from: usize,
    pub to: usize,
    pub messages: Vec<String>,
}

#[derive(Serialize)]
pub struct CountingBody {
    pub verb: &'static str,
    pub events: usize,
    /// Counts are strings, since they may be of any size; None: the limit was reached.
    pub cuts: String,
    pub consistent: Option<String>,
    pub levels: Option<Vec<String>>,
    pub runs: Option<String>,
    pub linearizations: Option<String>,
    pub width: Option<usize>,
    pub looked_at: u64,
    pub max_cuts: u64,
    pub list: Option<Vec<Vec<Vec<u32>>>>,
    /// Whether there are more cuts than listed.
    pub more: bool,
    /// Linearizations, as lists of events.
    pub orders: Option<Vec<Vec<usize>>>,
    /// Whether there are more linearizations than listed.
    pub more_orders: bool,
}

#[derive(Serialize)]
pub struct ReachBody {
    pub verb: &'static str,
    pub from: Vec<u32>,
    pub to: Vec<u32>,
    pub reachable: bool,
    /// `from` or `to`: this cut is not consistent; `backwards`: a process has more events in the first cut.
    pub obstacle: Option<&'static str>,
    pub events: Vec<usize>,
    pub ways: Option<String>,
}

#[derive(Serialize)]
pub struct OrderBody {
    pub verb: &'static str,
    /// `linearization`, `run`, `none`
    pub order: &'static str,
    pub early: Option<usize>,
    pub late: Option<usize>,
}
