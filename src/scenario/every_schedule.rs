//! Scenarios under every schedule: the instance whose runs are those in which the lines of a scenario happen in their order.
//!
//! Each expectation becomes a property of this instance, named after its line. `semantics::script` states what the lines mean.

use super::{LineMessage, configured_instance, has_already_woken};
use crate::ids::ProcessId;
use crate::instance::{Instance, LONGEST, Script};
use crate::ir::{
    Chosen, Expr, ExprKind, Fact, Program, Property, PropertyKind as P, Scenario, ScenarioLine as Line,
    ScriptFact, Type, Value,
};
use crate::semantics::eval;
use crate::source::Span;
use crate::stop::StopSignal;
use std::sync::Arc;

/// The property that all lines of the scenario happen.
pub const ALL_LINES: &str = "lines_happen";

/// Return the instance of a scenario under every schedule. Its properties are the expectations, the claimed safety properties,
/// and those that `asked` names. `is_line_by_line`: each line waits until everything that is not held has come to rest, as when
/// the scenario is played; otherwise only lines that are no steps do.
///
/// # Errors
/// If there is no such instance, or the scenario has a line that such runs cannot follow.
pub fn for_every_schedule(
    program: &Arc<Program>,
    scenario: &Scenario,
    (is_line_by_line, asked): (bool, &[String]),
    stop: &StopSignal,
) -> Result<Instance, LineMessage> {
    let failure = |span, message: String| LineMessage { span, message };
    let refused =
        |what: &str| format!("{what} leaves no schedule to explore: `synod test` plays the scenario");
    if scenario.is_scripted {
        return Err(failure(scenario.span, refused("`schedule told`")));
    }
    let mut script = Script::new(&scenario.lines);
    let checked =
        Program { properties: properties(program, scenario, &script, asked), ..Program::clone(program) };
    let states_faults = scenario.lines.iter().any(|(line, _)| fault(line).is_some());
    let mut instance = configured_instance(&Arc::new(checked), scenario, stop, states_faults)?;
    for (line, span) in &scenario.lines {
        if let Some(why) = unsupported(&instance, scenario, line) {
            return Err(failure(*span, why));
        }
    }
    if let Some((process, span)) = second_wake(scenario) {
        return Err(failure(span, has_already_woken(process)));
    }
    script.is_line_by_line = is_line_by_line;
    script.values = stated_values(&instance, &script)?;
    script.names = scenario.names.clone();
    script.names.extend((script.names.len()..instance.n() as usize).map(|p| format!("p{p}")));
    instance.script = Some(script);
    Ok(instance)
}

/// Return the line whose expectation has become the property of this name, if it is one.
pub fn line_of_expectation<'i>(instance: &'i Instance, property: &str) -> Option<&'i Line> {
    let script = instance.script.as_ref()?;
    let is_it = |span: Span| name_of_line(&instance.program, span) == property;
    script.lines.iter().find(|(_, span)| is_it(*span)).map(|(line, _)| line)
}

/// Return the first process that is woken twice without a crash in between, and the line that wakes it again.
fn second_wake(scenario: &Scenario) -> Option<(ProcessId, Span)> {
    let mut woken: Vec<ProcessId> = Vec::new();
    for (line, span) in &scenario.lines {
        match line {
            Line::Wake(all) => {
                for process in all {
                    if woken.contains(process) {
                        return Some((*process, *span));
                    }
                    woken.push(*process);
                }
            }
            Line::Crash { process, .. } => woken.retain(|known| known != process),
            _ => {}
        }
    }
    None
}

fn name_of_line(program: &Program, span: Span) -> String {
    program.sources.near(span).replace(' ', "_")
}

/// Return the word of the budget for the fault that a line states.
fn fault(line: &Line) -> Option<&'static str> {
    Some(match line {
        Line::Crash { .. } => "crash",
        Line::Restart(_) => "restart",
        Line::Lose { .. } => "loss",
        Line::Duplicate { .. } => "duplication",
        Line::Cut { .. } => "link",
        Line::Suspect { .. } => "suspicion",
        Line::Mislead(_) => "lie",
        _ => return None,
    })
}

/// Return why runs under every schedule cannot follow a line.
fn unsupported(instance: &Instance, scenario: &Scenario, line: &Line) -> Option<String> {
    let played = |what: &str| Some(format!("{what}: `synod test` plays the scenario"));
    match line {
        Line::Choose { value: Chosen::Number(_), .. } => {
            let why = "`choose option` numbers what is possible in one run";
            return Some(format!("{why}; `choose VALUE at A` fixes a choice under every schedule"));
        }
        Line::Step(_) | Line::Expire(_) => return played("the line is a step of one schedule"),
        Line::Cycle | Line::ExpectCycleClosed => return played("the line is about the cycle of one run"),
        Line::ExpectOutcome(word) if word == "aborted" || word == "limit" => {
            return played("under every schedule, a run that aborts is a finding, and no run has a limit");
        }
        Line::Deliver { to, .. } if instance.table(*to).gathers => {
            let why = "a `receive … from each` takes several held messages together";
            return Some(format!("{why}: `release` in place of `deliver` lets them arrive"));
        }
        _ => {}
    }
    let budget = |word: &str| scenario.faults.iter().any(|(known, count)| known == word && *count > 0);
    if let Some(word) = fault(line).filter(|word| budget(word)) {
        let why = "the header already lets such faults occur at any time";
        return Some(format!("{why}: leave out the line, or `{word}` in the header"));
    }
    None
}

/// Evaluate the values that lines state, by line.
fn stated_values(instance: &Instance, script: &Script) -> Result<Vec<Option<Value>>, LineMessage> {
    let values = script.lines.iter().map(|(line, span)| {
        let failed = |message: String| LineMessage { span: *span, message };
        let (Line::Choose { value: Chosen::Value(e), .. }
        | Line::Delay { delay: e, .. }
        | Line::AdvanceTo(e)) = line
        else {
            return Ok(None);
        };
        let value = eval::with_global_frame(instance, None, |env| eval::value(e, env));
        let value = value.map_err(|abort| failed(abort.to_string()))?;
        match &value {
            Value::Int(time)
                if !matches!(line, Line::Choose { .. }) && !(0..=LONGEST as i64).contains(time) =>
            {
                Err(failed(format!("a time cannot be {time}")))
            }
            _ => Ok(Some(value)),
        }
    });
    let values: Vec<Option<Value>> = values.collect::<Result<_, _>>()?;
    let mut reached = 0;
    for ((line, span), value) in script.lines.iter().zip(&values) {
        if let (Line::AdvanceTo(_), Some(Value::Int(moment))) = (line, value) {
            if *moment < reached {
                let message = format!("`at {moment}` cannot follow `at {reached}`");
                return Err(LineMessage { span: *span, message });
            }
            reached = *moment;
        }
    }
    Ok(values)
}

/// Return the properties that a scenario checks under every schedule.
fn properties(program: &Program, scenario: &Scenario, script: &Script, asked: &[String]) -> Vec<Property> {
    let expects = |at: usize, wanted: bool| {
        scenario.lines.iter().any(|(line, _)| {
            matches!(line, Line::ExpectVerdict { property, violated } if (*property, *violated) == (at, wanted))
        })
    };
    let mut all = Vec::new();
    for (at, property) in program.properties.iter().enumerate() {
        let (holds, violated) = (expects(at, false), expects(at, true));
        let is_safety = matches!(property.kind, P::Invariant | P::Stable | P::Order);
        let is_claimed = match (violated, holds) {
            (true, _) => false,
            (_, true) => true,
            _ => property.is_claimed,
        };
        let is_asked = asked.contains(&property.name);
        let of_lines = property.kind == P::Finally && (holds || violated) && !is_asked;
        let own = Property { is_claimed, ..property.clone() };
        if of_lines && violated {
            all.push(Property { kind: P::Invariant, body: at_lines(script, at, property), ..own });
        } else if !of_lines && (is_asked || holds || violated || is_safety && is_claimed) {
            all.push(own);
        }
    }
    for (number, (line, span)) in (0u32..).zip(&script.lines) {
        let (body, binders, place) = match line {
            Line::Expect(e) => (e.clone(), Vec::new(), e.span),
            Line::ExpectOutcome(word) => {
                let fact = ScriptFact::Outcome(number, word.clone());
                (truth(fact, *span), Vec::new(), *span)
            }
            Line::ExpectVerdict { property, violated: false } => {
                let of = &program.properties[*property];
                let is_state = matches!(of.kind, P::Finally | P::Invariant | P::Order);
                if !is_state || of.kind != P::Finally && !expects(*property, true) {
                    continue;
                }
                (of.body.clone(), of.binders.clone(), *span)
            }
            _ => continue,
        };
        let body = implied(truth(ScriptFact::Passes(number), *span), body);
        let name = name_of_line(program, *span);
        all.push(Property { binders, span: place, ..expectation(name, P::Invariant, body) });
    }
    if let Some((_, span)) = script.lines.last() {
        let body = truth(ScriptFact::IsComplete, *span);
        all.push(expectation(ALL_LINES.into(), P::Eventually, body));
    }
    all
}

/// Return the condition that a property holds at each line that expects its violation.
fn at_lines(script: &Script, of: usize, property: &Property) -> Expr {
    let lines = (0u32..).zip(&script.lines).filter_map(|(number, (line, span))| match line {
        Line::ExpectVerdict { property: at, violated: true } if *at == of => Some((number, *span)),
        _ => None,
    });
    let each =
        lines.map(|(number, span)| implied(truth(ScriptFact::Passes(number), span), property.body.clone()));
    let both = |one: Expr, other: Expr| Expr {
        ty: Type::Bool,
        span: other.span,
        kind: ExprKind::And(Box::new(one), Box::new(other)),
    };
    each.reduce(both).unwrap_or_else(|| property.body.clone())
}

fn truth(fact: ScriptFact, span: Span) -> Expr {
    Expr { kind: ExprKind::Fact(Fact::Script(fact)), ty: Type::Bool, span }
}

fn implied(premise: Expr, then: Expr) -> Expr {
    let span = then.span;
    Expr { kind: ExprKind::Implies(Box::new(premise), Box::new(then)), ty: Type::Bool, span }
}

/// Return a claimed property for an expectation.
fn expectation(name: String, kind: P, body: Expr) -> Property {
    Property {
        kind,
        name,
        doc: None,
        binders: Vec::new(),
        span: body.span,
        body,
        consequent: None,
        bound: None,
        from_problem: false,
        is_claimed: true,
    }
}
