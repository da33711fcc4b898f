//! `verify --ids all` and `--ports all`: one search for each arrangement of the ids, or numbering of the ports.

use super::disagreements::command_line;
use super::{ALL, Limits, VerifyOptions, VerifyResult};
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::instance::Instance;
use crate::ir::Program;
use crate::session::search_report::DisagreementBody;
use crate::setup::InstanceOptions;
use crate::verification::Found;
use crate::verification::arrangements::{Arranged, Arrangement, Joint, explore_arrangements};
use std::sync::Arc;
use std::time::Duration;

impl VerifyOptions {
    /// Return whether every arrangement of the ids, or every numbering of the ports, is to be explored.
    pub(super) fn arranged(&self) -> Result<Option<Arranged>, Failure> {
        let is_all = |text: &Option<String>| text.as_deref().map(str::trim) == Some(ALL);
        match (is_all(&self.instance.ids), is_all(&self.instance.ports)) {
            (true, true) => Err(Failure::usage("--ids all and --ports all cannot be combined")),
            (true, false) => Ok(Some(Arranged::Ids)),
            (false, true) => Ok(Some(Arranged::Ports)),
            (false, false) => Ok(None),
        }
    }

    /// Search with one arrangement of the ids, or numbering of the ports, after the other.
    pub(super) fn all_arrangements(
        &self,
        program: &Arc<Program>,
        options: &InstanceOptions,
        arranged: Arranged,
        limits: &Limits,
        out: &Output,
    ) -> Result<VerifyResult, Failure> {
        let (mut found, mut disagreements, mut searched) = (Vec::new(), Vec::new(), Duration::ZERO);
        let mut explore = |instance: &Instance, so_far| {
            let begun = limits.elapsed();
            let mut search = self.course.search();
            search.max_configurations = search.max_configurations.saturating_sub(so_far);
            let exploration = self.explore(instance, search, limits, out);
            searched += limits.elapsed().saturating_sub(begun);
            exploration
        };
        let search = self.course.search();
        let mut each = |Arrangement { options, instance, exploration, new }: Arrangement| {
            for counterexample in new {
                let one = Found { counterexample, exploration, instance, options, search: &search };
                found.push(self.simplified(&one, instance, false, (limits, out)));
            }
            disagreements.extend(DisagreementBody::all(instance, exploration, options.seed, &command_line()));
        };
        let Joint { instance, exploration, arrangements } =
            explore_arrangements(program, options, arranged, &mut explore, &mut each)?;
        let arrangements = Some(arrangements);
        let (decided, too_large) = (Vec::new(), None);
        Ok(VerifyResult {
            instance,
            exploration,
            found,
            disagreements,
            arrangements,
            searched,
            decided,
            too_large,
        })
    }
}
