//! Questions about a run.

use super::failure::Failure;
use super::limits;
use super::place::Place;
use super::run::OpenRun;
use super::state::header;
use super::{Answer, answer, events};
use crate::check::type_name;
use crate::ids::{MessageId, ProcessId};
use crate::ir::{Question, Type};
use crate::prose;
use crate::session::asked::{ActionObstacles, obstacles};
use crate::session::questions::{values, variables};
use crate::session::read_variables::Reading;
use crate::session::timeline::NarratedStep;
use crate::session::why::{WhySubject, why as chain_of};
use crate::session::whynot::{Obstacle, by_reason};
use crate::trace::Change;
use crate::trace::show::column;
use serde::{Deserialize, Serialize};

/// The greatest number of events of a chain of causes that are described.
const MOST_CAUSES: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expression {
    expression: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    number: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Why {
    process: Option<u64>,
    variable: Option<String>,
    message: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhyNot {
    action: String,
    process: Option<u64>,
}

#[derive(Serialize)]
struct Evaluated {
    expression: String,
    value: String,
    #[serde(rename = "type")]
    ty: String,
}

/// Evaluate an expression.
pub fn evaluate(run: &mut OpenRun, Expression { expression }: Expression) -> Answer {
    let question = run.question(&expression, None)?;
    let program = &run.checked.program;
    let ty = type_name(&question.expr.ty, &program.enums, &program.records);
    let value = run.value(&question)?;
    answer(&Evaluated { expression, value, ty })
}

#[derive(Serialize)]
struct WhyAnswer {
    subjects: Vec<Change>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<String>,
    events: Vec<events::EventBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    initial: bool,
}

/// Explain where a value or a message comes from.
pub fn why(run: &mut OpenRun, request: Why) -> Answer {
    let at = run.timeline.at();
    let (subject, definition) = match (request.process, &request.variable, request.message) {
        (Some(p), Some(name), None) => {
            let p = run.process(p)?;
            let found = variables(run.timeline.instance(), run.timeline.configuration(), p, name.trim())?;
            (found.subject, found.definition)
        }
        (None, None, Some(message)) => {
            let message =
                u32::try_from(message).map_err(|_| Failure::new(format!("no message m{message}")))?;
            (WhySubject::Message(MessageId(message)), None)
        }
        _ => return Err(Failure::new("why: expected `process` and `variable`, or `message`")),
    };
    let told = run.timeline.narrate(0..at);
    let mut reading = Reading::new(run.timeline.instance(), run.timeline.configuration());
    let chain = chain_of(&told, &subject, &mut reading).map_err(Failure::new)?;
    let steps: Vec<NarratedStep> = chain.iter().take(MOST_CAUSES).map(|at| told[*at].clone()).collect();
    let instance = run.timeline.instance();
    let shown = steps.len();
    let each = steps.into_iter();
    answer(&WhyAnswer {
        subjects: values(instance, run.timeline.configuration(), &subject),
        definition,
        initial: chain.is_empty(),
        cut: limits::cut(shown, chain.len(), "first"),
        events: each
            .flat_map(|step| events::described(instance, &run.texts, &header(run), vec![step], 0))
            .collect(),
    })
}

#[derive(Serialize)]
struct WhyNotAnswer {
    actions: Vec<ActionBody>,
}

#[derive(Serialize)]
struct ActionBody {
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    reasons: Vec<ReasonBody>,
}

#[derive(Serialize)]
struct ReasonBody {
    processes: Vec<ProcessId>,
    text: String,
    /// Indices in `enabled` of the steps that execute the action.
    enabled: Vec<usize>,
}

/// Explain why an action is not enabled.
pub fn whynot(run: &mut OpenRun, WhyNot { action: name, process }: WhyNot) -> Answer {
    let process = process.map(|position| run.process(position)).transpose()?;
    let found = obstacles(&run.timeline, &name, process, limits::ENABLED.max as usize)?;
    let instance = run.timeline.instance();
    let body = |(action, found): ActionObstacles| {
        let action = action.map(|action| &instance.program.actions[action as usize]);
        ActionBody {
            action: action.map_or("crash".into(), |action| column(&action.to_string())),
            place: action.and_then(|action| run.texts.place(action.span)),
            reasons: reasons(&found, instance.names()),
        }
    };
    answer(&WhyNotAnswer { actions: found.into_iter().map(body).collect() })
}

fn reasons(found: &[Obstacle], names: &[String]) -> Vec<ReasonBody> {
    let body = |(obstacle, processes): (&Obstacle, Vec<ProcessId>)| ReasonBody {
        processes,
        text: prose::with_names(&obstacle.reasons.join("; "), names).into_owned(),
        enabled: obstacle.possible.clone(),
    };
    by_reason(found).into_iter().map(body).collect()
}

#[derive(Serialize)]
struct Numbered {
    number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

fn room_for_breakpoint(run: &OpenRun) -> Result<(), Failure> {
    let all = run.breakpoints.breaks.len() + run.breakpoints.watches.len();
    limits::BREAKPOINTS.check(all as u64 + 1)
}

/// Set a breakpoint.
pub fn break_when(run: &mut OpenRun, Expression { expression }: Expression) -> Answer {
    room_for_breakpoint(run)?;
    let question = run.question(&expression, Some(Type::Bool))?;
    answer(&Numbered { number: run.breakpoints.add_break(question), value: None })
}

/// Watch an expression.
pub fn watch(run: &mut OpenRun, Expression { expression }: Expression) -> Answer {
    room_for_breakpoint(run)?;
    let question = run.question(&expression, None)?;
    let value = run.value(&question)?;
    answer(&Numbered { number: run.breakpoints.add_watch(question), value: Some(value) })
}

#[derive(Serialize)]
struct BreakpointList {
    breakpoints: Vec<BreakpointBody>,
}

#[derive(Serialize)]
struct BreakpointBody {
    number: usize,
    kind: &'static str,
    expression: String,
    value: Option<String>,
}

/// List breakpoints and watches.
pub fn breakpoints(run: &mut OpenRun) -> Answer {
    let looks = &run.breakpoints;
    let breaks = looks.breaks.iter().map(|look| (look.number, "break", look.question.clone()));
    let watches = looks.watches.iter().map(|look| (look.number, "watch", look.question.clone()));
    let mut all: Vec<(usize, &'static str, Question)> = breaks.chain(watches).collect();
    all.sort_by_key(|(number, ..)| *number);
    let body = |(number, kind, question): (usize, &'static str, Question)| BreakpointBody {
        number,
        kind,
        value: run.value(&question).ok(),
        expression: question.text,
    };
    answer(&BreakpointList { breakpoints: all.into_iter().map(body).collect() })
}

#[derive(Serialize)]
struct Deleted {
    deleted: u64,
}

/// Remove a breakpoint or watch.
pub fn delete(run: &mut OpenRun, Number { number }: Number) -> Answer {
    match usize::try_from(number).is_ok_and(|number| run.breakpoints.remove(number)) {
        true => answer(&Deleted { deleted: number }),
        false => Err(Failure::new(format!("there is no breakpoint or watch {number}"))
            .hint("`breakpoints` lists them")),
    }
}
