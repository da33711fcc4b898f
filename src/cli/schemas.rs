//! The schemas of JSON results, generated from the types. They are published in `docs`, where `tests/suite/cli/schemas.rs` compares
//! and rewrites them.

use super::{check, draw, explain, fmt, json, list, measure, run, show, test, topology, trace};
use crate::report::{Report, SCHEMA};
use crate::session::search_report::VerifyBody;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The text after the description of each schema.
const EXTENSION: &str = "Fields may be added within version 1; readers ignore unknown fields.";

/// A published schema.
pub struct Published {
    /// The file below `docs`.
    pub file: &'static str,
    title: &'static str,
    description: &'static str,
    schema: Value,
}

/// Generate the schema of a result with this value of `command`; `None`: any command.
fn published<T: JsonSchema>(
    file: &'static str,
    title: &'static str,
    command: Option<&str>,
    description: &'static str,
) -> Published {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    open(&mut schema);
    constant(&mut schema, "schema", json!({ "const": SCHEMA }));
    constant(&mut schema, "command", command.map_or(json!({ "type": "string" }), |c| json!({ "const": c })));
    Published { file, title, description, schema }
}

impl Published {
    /// Give the value of `verb`.
    fn verb(mut self, verb: &str) -> Published {
        constant(&mut self.schema, "verb", json!({ "const": verb }));
        self
    }

    /// Return the text of the file.
    pub fn text(mut self) -> String {
        self.schema["title"] = self.title.into();
        self.schema["description"] = format!("{} {EXTENSION}", self.description).into();
        serde_json::to_string_pretty(&self.schema).expect("a schema is JSON") + "\n"
    }
}

/// Require a property with this schema.
fn constant(schema: &mut Value, name: &str, value: Value) {
    schema["properties"][name] = value;
    let required = schema["required"].as_array_mut().expect("some fields are required");
    if !required.contains(&name.into()) {
        required.push(name.into());
    }
}

/// Remove what only Rust says: the width of numbers, the prohibition of more fields, links and names in descriptions.
fn open(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("format").is_some_and(Value::is_string) {
                map.remove("format");
            }
            if let Some(Value::String(text)) = map.get_mut("description") {
                let plain = text.replace('\n', " ").replace("  ", " ").replace("[`", "`").replace("`]", "`");
                *text = plain.replace("`None`", "null").replace("None", "null");
            }
            if map.get("additionalProperties") == Some(&false.into()) {
                map.remove("additionalProperties");
            }
            map.values_mut().for_each(open);
        }
        Value::Array(list) => list.iter_mut().for_each(open),
        _ => {}
    }
}

/// Return the schemas of all results.
#[allow(clippy::too_many_lines, reason = "a table: one entry for each schema")]
pub fn all() -> Vec<Published> {
    vec![
        published::<Report>("synod-1.schema.json", "synod run --json", Some("run"), "The report of one run."),
        published::<run::batch::body::RunsBody>(
            "schema/runs.schema.json",
            "synod run --runs --json",
            Some("runs"),
            "The results of many runs.",
        ),
        published::<check::CheckBody>(
            "schema/check.schema.json",
            "synod check --json",
            Some("check"),
            "The diagnostics of each file.",
        ),
        published::<draw::body::DrawBody>(
            "schema/draw.schema.json",
            "synod draw --json",
            Some("draw"),
            "A picture of a run, and the files that contain it.",
        ),
        published::<json::ErrorBody>(
            "schema/error.schema.json",
            "synod COMMAND --json",
            None,
            "The error, in place of a result. The exit code is 2.",
        ),
        published::<explain::ExplainBody>(
            "schema/explain.schema.json",
            "synod explain --json",
            Some("explain"),
            "Explanations of diagnostics and of words.",
        ),
        published::<fmt::FmtBody>(
            "schema/fmt.schema.json",
            "synod fmt --json",
            Some("fmt"),
            "The formatting of each file.",
        ),
        published::<list::ListBody>(
            "schema/list.schema.json",
            "synod list --json",
            Some("list"),
            "Entries of the library.",
        ),
        published::<show::ShowProgramBody>(
            "schema/show.schema.json",
            "synod show --json",
            Some("show"),
            "An entry of the library, with its figures and its text.",
        ),
        published::<measure::body::MeasureBody>(
            "schema/measure.schema.json",
            "synod measure --json",
            Some("measure"),
            "The costs of an algorithm over the size of its network.",
        ),
        published::<measure::worst::AdversaryBody>(
            "schema/measure-adversary.schema.json",
            "synod measure --adversary --json",
            Some("measure"),
            "The worst runs that a search found: lower bounds of the worst case.",
        ),
        published::<test::TestBody>(
            "schema/test.schema.json",
            "synod test --json",
            Some("test"),
            "The results of scenarios, and their comparison with snapshots.",
        ),
        published::<test::review::ReviewBody>(
            "schema/test-review.schema.json",
            "synod test review|accept|reject --json",
            Some("test"),
            "The decisions on pending snapshots.",
        ),
        published::<topology::ListBody>(
            "schema/topology-list.schema.json",
            "synod topology list --json",
            Some("topology"),
            "The families of topologies.",
        ),
        published::<topology::ShowBody>(
            "schema/topology-show.schema.json",
            "synod topology show --json",
            Some("topology"),
            "A network.",
        ),
        published::<VerifyBody>(
            "schema/verify.schema.json",
            "synod verify --json",
            Some("verify"),
            "The verdict of model checking, with counterexamples.",
        ),
        published::<trace::ShowBody>(
            "schema/trace-show.schema.json",
            "synod trace show --json",
            Some("trace"),
            "A recorded run.",
        ),
        published::<trace::ReplayBody>(
            "schema/trace-replay.schema.json",
            "synod trace replay --json",
            Some("trace"),
            "The result of a replay.",
        ),
        published::<trace::bodies::BeforeBody>(
            "schema/trace-before.schema.json",
            "synod trace before --json",
            Some("trace"),
            "The causal relation of two events.",
        )
        .verb("before"),
        published::<trace::bodies::CutBody>(
            "schema/trace-cut.schema.json",
            "synod trace cut --json",
            Some("trace"),
            "A cut of a run.",
        )
        .verb("cut"),
        published::<trace::bodies::CountingBody>(
            "schema/trace-cuts.schema.json",
            "synod trace cuts --json",
            Some("trace"),
            "The lattice of consistent cuts. Null where the limit was reached.",
        )
        .verb("cuts"),
        published::<trace::diff::DiffBody>(
            "schema/trace-diff.schema.json",
            "synod trace diff --json",
            Some("trace"),
            "A comparison of two runs.",
        )
        .verb("diff"),
        published::<trace::bodies::HistoryBody>(
            "schema/trace-history.schema.json",
            "synod trace history --json",
            Some("trace"),
            "The local histories of a run.",
        )
        .verb("history"),
        published::<trace::bodies::OrderBody>(
            "schema/trace-order.schema.json",
            "synod trace order --json",
            Some("trace"),
            "The properties of an order of events.",
        )
        .verb("order"),
        published::<trace::observed::ObservedBody>(
            "schema/trace-possibly.schema.json",
            "synod trace possibly --json",
            Some("trace"),
            "Whether some observation of the run passes through a global state in which a condition holds.",
        )
        .verb("possibly"),
        published::<trace::observed::ObservedBody>(
            "schema/trace-definitely.schema.json",
            "synod trace definitely --json",
            Some("trace"),
            "Whether every observation of the run passes through a global state in which a condition holds.",
        )
        .verb("definitely"),
        published::<trace::bodies::ReachBody>(
            "schema/trace-reach.schema.json",
            "synod trace reach --json",
            Some("trace"),
            "Whether a global state is reachable from another.",
        )
        .verb("reach"),
    ]
}
