//! `synod trace diff`: comparison of two runs.

use super::super::exit::{ExitStatus, Outcome};
use super::super::output::Output;
use super::super::run::replay;
use crate::ids::ProcessId;
use crate::render::diff::Comparison;
use crate::trace::diff::{Aspect, Divergence, diff};
use clap::Args;
use serde::Serialize;

#[derive(Args)]
pub struct Comparing {
    /// A trace of either form, or `-`
    a: String,

    /// The other trace
    b: String,

    /// Compare the order of concurrent events too
    #[arg(long)]
    exact: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DiffBody<'a> {
    verb: &'static str,
    a: &'a str,
    b: &'a str,
    exact: bool,
    equal: bool,
    /// Differences in what was run.
    header: Vec<AspectBody<'a>>,
    /// Differences that do not count: schedule, seed, program text, version.
    circumstances: Vec<AspectBody<'a>>,
    /// Whether both are runs of the same algorithm on the same number of processes.
    comparable: bool,
    /// Processes whose histories differ, and from which of their events on.
    processes: Vec<PlaceBody>,
    /// The first difference in causal order.
    divergence: Option<DivergenceBody<'a>>,
    ends: Option<[&'static str; 2]>,
    /// The first event whose position differs, if the runs differ only in the order of concurrent events.
    order: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct AspectBody<'a> {
    what: &'a str,
    a: &'a str,
    b: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PlaceBody {
    process: ProcessId,
    nth: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct DivergenceBody<'a> {
    process: ProcessId,
    nth: u32,
    /// Positions of the differing events in their runs.
    a: Option<usize>,
    b: Option<usize>,
    aspect: Option<AspectBody<'a>>,
}

pub fn run(comparing: &Comparing, out: &mut Output) -> Outcome {
    let (a, b) = (replay::read(&comparing.a)?, replay::read(&comparing.b)?);
    let found = diff(&a, &b);
    let equal = found.is_equal(comparing.exact);
    if out.is_json() {
        out.json(&DiffBody {
            verb: "diff",
            a: &comparing.a,
            b: &comparing.b,
            exact: comparing.exact,
            equal,
            header: found.header.iter().map(aspect).collect(),
            circumstances: found.circumstances.iter().map(aspect).collect(),
            comparable: found.comparable,
            processes: found
                .processes
                .iter()
                .map(|(process, nth)| PlaceBody { process: *process, nth: *nth })
                .collect(),
            divergence: found.divergence.as_ref().map(divergence),
            ends: found.ends.map(|(a, b)| [a.as_str(), b.as_str()]),
            order: found.order,
        })?;
    } else {
        let names = match comparing.a == comparing.b {
            true => ("A", "B"),
            false => (comparing.a.as_str(), comparing.b.as_str()),
        };
        let compared = Comparison {
            diff: &found,
            a: (names.0, &a),
            b: (names.1, &b),
            look: out.look,
            list_width: out.list_width(),
        };
        out.text(compared.text(comparing.exact))?;
    }
    Ok(if equal { ExitStatus::Success } else { ExitStatus::Finding })
}

fn aspect(aspect: &Aspect) -> AspectBody<'_> {
    AspectBody { what: &aspect.what, a: &aspect.a, b: &aspect.b }
}

fn divergence(d: &Divergence) -> DivergenceBody<'_> {
    let aspect = d.aspect.as_ref().map(aspect);
    DivergenceBody { process: d.process, nth: d.nth, a: d.a, b: d.b, aspect }
}
