//! A program under the executable specification: what its answers are, and where those of Synod differ.

use crate::compared::Facts;
use crate::configuration::Configuration;
use crate::graph::Graph;
use crate::network::{self, System};
use crate::random::examine::{Examined, Finding};
use crate::random::print::{Case, text};
use crate::value::{Failure, Value};
use crate::verdicts_compared::{self, Compared, Expected, by_specification, judge, specified_graph};
use synod::explore::Exploration;
use synod::instance::Instance;
use synod::ir::Daemon;

/// Programs with more configurations are too large for the specification.
pub const MOST: u64 = 150;

/// What the specification made of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Covered {
    #[default]
    TooLarge,
    /// The reference, or the specification, does not decide it.
    Refused(String),
    Compared,
}

/// The specification's answers.
pub struct Specified {
    system: System,
    graph: Graph<Configuration, Value>,
    verdicts: Expected,
}

impl Specified {
    /// None: it has none, and `covered` says why.
    pub fn of(case: &Case, instance: &Instance, covered: &mut Covered) -> Option<Specified> {
        let text = text(&case.program);
        let find = |name: &str| {
            let own = case.files.iter().find(|(file, _)| file.eq_ignore_ascii_case(name));
            own.map(|(_, text)| text.clone()).or_else(|| synod::library::source(name).map(|(_, text)| text))
        };
        let daemon = case.daemon.map(|daemon| match daemon {
            Daemon::Central => network::Daemon::Central,
            Daemon::Synchronous => network::Daemon::Synchronous,
            Daemon::Distributed => network::Daemon::Distributed,
        });
        let settings = verdicts_compared::Case { faults: &case.faults, daemon };
        // One beyond those of Synod, so that a difference in their number is a difference, and not too large.
        let most = MOST as usize + 1;
        match specified_graph(&text, &find, instance, &settings, most) {
            Ok(Some((system, graph))) => {
                *covered = Covered::Compared;
                let verdicts = by_specification(&system, &graph);
                Some(Specified { system, graph, verdicts })
            }
            Ok(None) => None,
            Err(Failure::Unspecified(why)) => {
                *covered = Covered::Refused(why);
                None
            }
            Err(failure) => {
                *covered = Covered::Refused(format!("fails: {failure}"));
                None
            }
        }
    }

    /// The verdicts of an exploration without reductions, with all properties.
    pub fn judge(&self, surely: bool, found: &Exploration, examined: &mut Examined) {
        if found.cut.is_some() {
            return;
        }
        let mut compared = Compared::default();
        let coins = if surely { "coins fall badly" } else { "by chance" };
        judge(coins, &self.verdicts, found, surely, &mut compared);
        let findings = compared.wrong.into_iter().map(|difference| {
            let key = format!("specification {}", difference.kind);
            Finding::new(if surely { format!("{key}, surely") } else { key }, difference.message)
        });
        examined.findings.extend(findings);
    }

    /// The number of configurations and steps of a search without reductions, whose properties make no more configurations.
    pub fn count(&self, instance: &Instance, found: &Exploration, examined: &mut Examined) {
        if found.cut.is_some() {
            return;
        }
        let (right, found) = (Facts::specified(&self.system, &self.graph, instance), Facts::found(found));
        if !right.are(&found) {
            let message = format!("by the specification {right:?}, Synod has {found:?}");
            examined.findings.push(Finding::new("specification counts", message));
        }
    }
}
