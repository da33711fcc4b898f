//! The result of `synod test` as data, for `--json`.

use super::snapshots::SnapshotBody;
use crate::cli::json::{DiagnosticBody, ErrorText, PlaceBody};
use crate::ir::{Program, Scenario};
use crate::prose;
use crate::scenario::{LineMessage, ScenarioResult};
use serde::Serialize;
use std::fmt;

#[derive(Serialize, Default)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TestBody {
    pub(super) files: Vec<FileBody>,
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// Number of files whose scenarios could not be played, and of snapshots that cannot be used.
    pub(super) errors: usize,
    pub(super) snapshots: Counts,
}

/// Numbers of snapshots by result.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Counts {
    pub(super) same: usize,
    pub(super) different: usize,
    pub(super) new: usize,
    pub(super) unreadable: usize,
    pub(super) unreferenced: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct FileBody {
    pub(super) file: String,
    pub(super) algorithm: Option<String>,
    pub(super) scenarios: Vec<ScenarioBody>,
    /// Names of the scenarios that `--scenario` excludes.
    #[serde(skip)]
    pub(super) others: Vec<String>,
    /// Snapshots whose scenarios do not exist.
    pub(super) unreferenced: Vec<UnreferencedBody>,
    pub(super) diagnostics: Vec<DiagnosticBody>,
    pub(super) error: Option<ErrorText>,
}

/// A snapshot whose scenario does not exist.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct UnreferencedBody {
    pub(super) file: String,
    pub(super) deleted: bool,
    #[serde(skip)]
    pub(super) rejected: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct ScenarioBody {
    pub(super) name: String,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["passed", "failed"])))]
    pub(super) result: &'static str,
    pub(super) place: PlaceBody,
    pub(super) failures: Vec<MessageBody>,
    /// Lines of a passed scenario whose property held only because a premise never came true.
    pub(super) notes: Vec<MessageBody>,
    pub(super) steps: u64,
    pub(super) messages: u64,
    /// The seed from which ports are numbered, if it can matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "u64"))]
    pub(super) port_seed: Option<u64>,
    pub(super) snapshot: Option<SnapshotBody>,
    /// The run of a failed scenario, as text.
    #[serde(skip)]
    pub(super) run: Option<String>,
}

/// A message about a line of a scenario.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct MessageBody {
    pub(super) place: PlaceBody,
    pub(super) message: String,
}

impl fmt::Display for MessageBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlaceBody { file, line, column, .. } = &self.place;
        write!(f, "{file}:{line}:{column}: {}", self.message)
    }
}

impl ScenarioBody {
    pub(super) fn new(
        program: &Program,
        played: ScenarioResult,
        snapshot: Option<SnapshotBody>,
    ) -> ScenarioBody {
        let place = |span| PlaceBody::new(&program.sources, span);
        let scenario = program.scenarios.iter().find(|scenario| scenario.name == played.name);
        let names = scenario.map_or(&[][..], Scenario::process_names);
        let message = |of: LineMessage| MessageBody {
            place: place(of.span),
            message: prose::with_names(&of.message, names).into_owned(),
        };
        ScenarioBody {
            result: if played.passed() { "passed" } else { "failed" },
            place: place(played.span),
            failures: played.failures.into_iter().map(message).collect(),
            notes: played.notes.into_iter().map(message).collect(),
            steps: played.steps,
            messages: played.messages,
            port_seed: played.port_seed,
            name: played.name,
            snapshot,
            run: None,
        }
    }
}
