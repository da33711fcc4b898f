//! Export of traces to formats of other tools. Every event and every message of the trace occurs exactly once; data
//! without a counterpart in a format is part of its texts. [`import`](super::import) reads two of these formats back, without
//! the data that they lack; the two formats of [`super`] are complete.

pub mod csv;
pub mod dot;
pub mod itf;
pub mod mermaid;
pub mod perfetto;
pub mod plantuml;
pub mod shiviz;
pub mod tikz;

use super::{Change, Header, Trace, TraceEvent};
use crate::ids::ProcessId;

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// States, for Apalache, Quint and the viewers of TLA+.
    Itf,
    /// A log for ShiViz.
    Shiviz,
    /// A sequence diagram for Mermaid.
    Mermaid,
    /// A sequence diagram for PlantUML.
    Plantuml,
    /// Chrome's trace events, which Perfetto opens.
    Perfetto,
    /// The graph of happened-before, for Graphviz.
    Dot,
    /// A space-time diagram for LaTeX.
    Tikz,
    /// A table of the events.
    Csv,
}

impl Trace {
    /// Return the trace in the format of another tool.
    pub fn export(&self, form: Form) -> String {
        let named = self.with_names();
        match form {
            // Its values are parsed first: a name may contain any sign.
            Form::Itf => itf::itf(self),
            Form::Shiviz => shiviz::shiviz(&named),
            Form::Mermaid => mermaid::mermaid(&named),
            Form::Plantuml => plantuml::plantuml(&named),
            Form::Perfetto => perfetto::perfetto(&named),
            Form::Dot => dot::dot(&named),
            Form::Tikz => tikz::tikz(&named),
            Form::Csv => csv::csv(&named),
        }
    }

    /// Return the title: `election on ring(4), schedule random, seed 7`.
    fn title(&self) -> String {
        let header = &self.header;
        format!(
            "{} on {}, schedule {}, seed {}",
            header.algorithm, header.network, header.schedule, header.seed
        )
    }

    /// Return the label of a process: `p1 (id 3)`, or `p1 (role, id 3)`.
    fn label(&self, process: ProcessId) -> String {
        let header = &self.header;
        let id = header.ids.get(process.index()).map_or(String::new(), |id| format!("id {id}"));
        match header.roles.get(process.index()) {
            Some(role) => format!("{} ({role}, {id})", header.name(process)),
            None => format!("{} ({id})", header.name(process)),
        }
    }
}

impl TraceEvent {
    /// Return the changes, for display: `state=relay, d=3; p2.x=1; call enter`.
    fn remarks(&self, header: &Header) -> Vec<String> {
        let change = |c: &Change| format!("{}={}", c.name, c.value);
        let mut all: Vec<String> = self.changes.iter().map(change).collect();
        if let Some(with) = &self.with {
            let other = header.name(with.process);
            all.push(format!("with {other}"));
            all.extend(with.changes.iter().map(|c| format!("{other}.{}", change(c))));
        }
        all.extend(self.observations.iter().cloned());
        all
    }

    /// Return action and changes.
    fn words(&self, header: &Header) -> String {
        let remarks = self.remarks(header);
        match (self.action.as_str(), remarks.is_empty()) {
            (action, true) => action.to_string(),
            ("" | "-", false) => remarks.join(", "),
            (action, false) => format!("{action}: {}", remarks.join(", ")),
        }
    }
}
