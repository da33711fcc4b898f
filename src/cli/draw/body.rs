//! The result of `synod draw`, as JSON.

use crate::ids::MessageId;
use crate::report::NetworkReport;
use serde::Serialize;

/// The result for `--json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DrawBody {
    pub algorithm: String,
    pub network: NetworkReport,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["text", "svg", "topology", "filmstrip", "animation", "html"])))]
    pub picture: &'static str,
    /// Files that were written.
    pub files: Vec<String>,
    /// The picture, if it was not written to a file.
    pub content: Option<String>,
    /// Numbers of events.
    pub events: Part,
    /// Numbers of processes.
    pub processes: Part,
    /// Number of messages sent in the whole run.
    pub messages: usize,
    pub cut: Option<CutBody>,
    /// Notes on what was omitted.
    pub notes: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Part {
    pub drawn: usize,
    pub all: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CutBody {
    /// Number of events of each process inside the cut. A start that sends nothing does not count, as in `synod trace cut`.
    pub counts: Vec<u32>,
    pub consistent: bool,
    pub verdict: String,
    /// Messages that are sent outside the cut and received inside.
    pub backwards: Vec<MessageId>,
    /// Messages in transit across the cut.
    pub across: Vec<MessageId>,
}
