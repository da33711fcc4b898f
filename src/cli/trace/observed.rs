//! `synod trace possibly` and `synod trace definitely`: global conditions over all observations of a run.

use super::super::exit::{ExitStatus, Failure, Outcome};
use super::super::output::Output;
use super::super::run::replay;
use super::{drawing, program_found};
use crate::check::{QuestionError, QuestionInput};
use crate::input;
use crate::instance::Instance;
use crate::ir::{Question, Type};
use crate::render::cuts::CutReport;
use crate::trace::Trace;
use crate::trace::observed::{Answer, Method, Modality, Observed, Unanswered};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;

#[derive(Args)]
pub struct ConditionArgs {
    /// A trace of either form, or `-`
    file: String,

    /// A condition over the processes, as in properties: 'p0.x = 1 and p1.critical', 'forall p: p.waiting'
    condition: String,

    /// Explore the lattice of cuts even if the condition is a conjunction of conditions on single processes
    #[arg(long)]
    lattice: bool,

    /// Visit at most N consistent cuts [default: a million]
    #[arg(long, value_name = "N")]
    max_cuts: Option<u64>,

    /// Leave out the space-time diagram
    #[arg(long)]
    no_diagram: bool,

    /// The program, if it is neither in the library nor in NAME.syn beside the trace
    #[arg(long, value_name = "FILE")]
    program: Option<String>,

    /// The topology, if it came from a file
    #[arg(long, value_name = "TOPOLOGY")]
    on: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ObservedBody<'a> {
    verb: &'static str,
    condition: &'a str,
    /// Absent if the lattice is too large.
    holds: Option<bool>,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["lattice", "conjunctive", null])))]
    method: Option<&'static str>,
    /// Number of consistent cuts explored.
    cuts: u64,
    max_cuts: u64,
    /// Number of local states checked, by the conjunctive method.
    local_states: u64,
    /// Number of pairs of intervals compared.
    compared: u64,
    /// A cut in which the condition holds.
    cut: Option<&'a [u32]>,
    /// A linearization that passes through no such cut.
    avoiding: Option<&'a [usize]>,
    /// Cuts one of which every linearization passes.
    met: Vec<&'a [u32]>,
    /// Overlapping intervals of local states, by the conjunctive method.
    intervals: Vec<IntervalBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct IntervalBody {
    process: usize,
    /// The conjunct of the process holds after this number of its events.
    from: u32,
    /// The number of events after which it no longer holds.
    until: Option<u32>,
}

pub fn run(asking: &ConditionArgs, modality: Modality, out: &mut Output) -> Outcome {
    let trace = replay::read(&asking.file)?;
    let file = match &asking.program {
        Some(program) => program.clone(),
        None => program_found(&asking.file, &trace.header.algorithm)?,
    };
    let text = input::read_program(&file)?;
    let checked = text.check()?;
    let Some((program, typed)) = checked.program.as_ref().zip(checked.typed.as_ref()) else {
        return Err(Failure::Source(vec![checked]));
    };
    let program = Arc::new(program.clone());
    let instance = replay::instance(&program, &trace.header, asking.on.as_deref())?;
    let asked = QuestionInput {
        text: &asking.condition,
        n: trace.n(),
        names: &trace.header.names,
        expected_type: Some(Type::Bool),
    };
    let question = typed.ask(&asked).map_err(|senseless| rejected(&senseless, out))?;
    answer(asking, &trace, &instance, &question, modality, out)
}

fn answer(
    asking: &ConditionArgs,
    trace: &Trace,
    instance: &Instance,
    question: &Question,
    modality: Modality,
    out: &mut Output,
) -> Outcome {
    let observed = Observed::new(instance, trace).map_err(Failure::usage)?;
    let method = asking.lattice.then_some(Method::Lattice);
    let max_cuts = asking.max_cuts.unwrap_or_else(|| observed.histories.usual_limit());
    let answer = match observed.ask(question, modality, method, max_cuts) {
        Ok(answer) => answer,
        Err(Unanswered::Undefined(why)) => return Err(Failure::usage(why)),
        Err(Unanswered::TooLarge(limit)) => {
            match out.is_json() {
                true => out.json(&body(asking, modality, max_cuts, None))?,
                false => out.line(format!("{limit}; --max-cuts N allows more"))?,
            }
            return Ok(ExitStatus::Limit);
        }
    };
    if out.is_json() {
        out.json(&body(asking, modality, max_cuts, Some(&answer)))?;
        return Ok(ExitStatus::Success);
    }
    let options = drawing(out);
    let drawn = CutReport { trace, histories: &observed.histories, options: &options };
    out.text(drawn.answer(&asking.condition, &answer, !asking.no_diagram))?;
    Ok(ExitStatus::Success)
}

fn body<'a>(
    asking: &'a ConditionArgs,
    modality: Modality,
    max_cuts: u64,
    answer: Option<&'a Answer>,
) -> ObservedBody<'a> {
    let found = answer.map(|answer| answer.intervals.as_slice()).unwrap_or_default();
    ObservedBody {
        verb: match modality {
            Modality::Possibly => "possibly",
            Modality::Definitely => "definitely",
        },
        condition: &asking.condition,
        holds: answer.map(|answer| answer.holds),
        method: answer.map(|answer| match answer.method {
            Method::Lattice => "lattice",
            Method::Conjunctive => "conjunctive",
        }),
        cuts: answer.map_or(max_cuts, |answer| answer.cuts),
        max_cuts,
        local_states: answer.map_or(0, |answer| answer.local_states),
        compared: answer.map_or(0, |answer| answer.compared),
        cut: answer.and_then(|answer| answer.cut.as_ref()).map(|cut| cut.0.as_slice()),
        avoiding: answer.and_then(|answer| answer.avoiding.as_deref()),
        met: answer.map(|answer| answer.met.iter().map(|cut| cut.0.as_slice()).collect()).unwrap_or_default(),
        intervals: found
            .iter()
            .map(|i| IntervalBody { process: i.process, from: i.from, until: i.until })
            .collect(),
    }
}

/// Report the errors of an expression, and return the failure.
pub fn rejected(senseless: &QuestionError, out: &Output) -> Failure {
    if !out.is_json() {
        out.diagnostics(&senseless.sources, &senseless.diagnostics);
        return Failure::Reported;
    }
    let first = senseless.diagnostics.first();
    let message = first.map_or_else(|| "the expression has errors".into(), |d| d.message());
    Failure::usage(message).maybe_hint(first.and_then(|d| d.advice()))
}
