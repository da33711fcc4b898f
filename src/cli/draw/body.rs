//! The result of `synod draw`, as JSON.

use crate::report::NetworkReport;
use serde::Serialize;

/// The result for `--json`.
#[derive(Serialize)]
pub struct DrawBody {
    pub algorithm: String,
    pub network: NetworkReport,
    pub picture: &'static str,
    /// Files that were written.
    pub files: Vec<String>,
    /// The picture, if it was not written to a file.
    pub content: Option<String>,
    pub events: Part,
    pub processes: Part,
    pub messages: usize,
    pub cut: Option<CutBody>,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct Part {
    pub drawn: usize,
    pub all: usize,
}

#[derive(Serialize)]
pub struct CutBody {
    pub counts: Vec<u32>,
    pub consistent: bool,
    pub verdict: String,
    /// Messages that are sent outside the cut and received inside.
    pub backwards: Vec<u32>,
    /// Messages in transit across the cut.
    pub across: Vec<u32>,
}
