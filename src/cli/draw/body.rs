//! The result as JSON: what was drawn, and where it went.

use crate::report::NetworkReport;
use serde::Serialize;

/// What came of it, for `--json`.
#[derive(Serialize)]
pub struct DrawBody {
    pub algorithm: String,
    pub network: NetworkReport,
    pub picture: &'static str,
    /// Files that were written.
    pub files: Vec<String>,
    /// The picture itself, where it went to no file.
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
    /// Messages received inside and sent outside.
    pub backwards: Vec<u32>,
    /// Messages under way across it.
    pub across: Vec<u32>,
}
