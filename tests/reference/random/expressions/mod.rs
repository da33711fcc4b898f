//! Random closed expressions: evaluated by Synod, and by a small evaluator that was written from the reference.

mod eval;
mod tree;

use crate::random::dice::Dice;
use crate::random::examine::{catch_panics, instance};
use crate::random::print::Case;
use crate::random::tree::{Sort, Tree};
use eval::{Failure, Value, eval};
use std::panic::{AssertUnwindSafe, catch_unwind};
use synod::internals::instance::Instance;
use synod::internals::property::Judgement;
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::{Outcome, SimulateOptions, Unobserved, simulate};
use tree::{Expr, Kind, random};

/// The number of expressions in one program.
const TOGETHER: usize = 100;
const PROGRAMS: u64 = 200;

fn case(text: String) -> Case {
    Case {
        program: Tree { sort: Sort::Fixed, form: text, parts: vec![] },
        files: vec![],
        network: "ring(1)".into(),
        ids: None,
        initiators: None,
        faults: vec![],
        daemon: None,
    }
}

const HEADER: &str = "algorithm closed\nassumes unidirectional ring\n";

fn build(text: String) -> Result<Instance, String> {
    catch_unwind(AssertUnwindSafe(|| instance(&case(text)))).unwrap_or_else(|_| Err("it panics".into()))
}

fn options() -> SimulateOptions {
    SimulateOptions { max_steps: Some(100), ..SimulateOptions::default() }
}

/// Return Synod's judgement of an invariant for each expression: that it is equal to its value.
fn in_properties(all: &[(Expr, Result<Value, Failure>)]) -> Result<Vec<Judgement>, String> {
    let mut text = format!("{HEADER}state s\n  halt\n");
    for (number, (expr, value)) in all.iter().enumerate() {
        let expected = value.as_ref().map_or(expr.kind().zero(), Value::clone);
        text.push_str(&format!("invariant e{number}: {} = {}\n", expr.text(), expected.text(expr.kind())));
    }
    let instance = build(text)?;
    let seen =
        catch_unwind(AssertUnwindSafe(|| run_monitored(&instance, None, Keep::Never, "fifo", &options())));
    let seen = seen.map_err(|_| "it panics".to_string())?;
    Ok(seen.verdicts.iter().map(|v| v.judgement).collect())
}

/// Return the difference in a command, if any: in the result, or in whether the evaluation fails.
fn in_a_command(expr: &Expr, value: &Result<Value, Failure>) -> Option<String> {
    let expected = value.as_ref().map_or(expr.kind().zero(), Value::clone).text(expr.kind());
    let text = format!(
        "{HEADER}var r : {} := {}\nvar done : Bool\nstate s\n  r := {}\n  done := true\n  halt\ninvariant right: forall p: p.done implies p.r = {expected}\n",
        expr.kind().text(),
        expr.kind().zero().text(expr.kind()),
        expr.text(),
    );
    let instance = match build(text) {
        Ok(instance) => instance,
        Err(why) => return Some(format!("refused: {why}")),
    };
    let seen = catch_unwind(AssertUnwindSafe(|| {
        let run = simulate(&instance, &options(), &mut Unobserved);
        let seen = run_monitored(&instance, None, Keep::Never, "fifo", &options());
        (run.outcome, seen.verdicts[0].judgement)
    }));
    match (seen, value) {
        (Err(_), _) => Some("it panics".into()),
        (Ok((Outcome::Aborted(_), _)), Err(Failure)) => None,
        (Ok((outcome, _)), Err(Failure)) => Some(format!("it does not abort: {}", outcome.as_str())),
        (Ok((Outcome::Terminated, Judgement::Holds)), Ok(_)) => None,
        (Ok((outcome, judgement)), Ok(_)) => Some(format!("{outcome:?}, {judgement:?}")),
    }
}

/// Return a smallest part of an expression for which `differs` holds, searched recursively.
fn smallest(expr: &Expr, differs: &dyn Fn(&Expr) -> bool) -> Expr {
    let mut smallest = expr.clone();
    while let Some(smaller) = smallest.smaller().into_iter().find(|e| differs(e)) {
        smallest = smaller;
    }
    smallest
}

fn differs_in_a_property(expr: &Expr) -> bool {
    let value = eval(expr, &mut vec![]);
    let expected = if value.is_ok() { Judgement::Holds } else { Judgement::NotChecked };
    in_properties(&[(expr.clone(), value)]) != Ok(vec![expected])
}

fn differs_in_a_command(expr: &Expr) -> bool {
    in_a_command(expr, &eval(expr, &mut vec![])).is_some()
}

#[test]
fn expressions_have_the_value_of_the_reference() {
    catch_panics();
    let (mut failing, mut total) = (0, 0);
    let mut wrong: Vec<String> = vec![];
    for seed in 0..PROGRAMS {
        let mut dice = Dice::new(seed);
        let all: Vec<(Expr, Result<Value, Failure>)> = (0..TOGETHER)
            .map(|_| {
                let kind = *dice.pick(&Kind::ALL);
                let expr = random(&mut dice, kind, 4, &mut vec![]);
                let value = eval(&expr, &mut vec![]);
                (expr, value)
            })
            .collect();
        total += all.len();
        failing += all.iter().filter(|(_, value)| value.is_err()).count();
        let mut differ: Vec<Expr> = vec![];
        match in_properties(&all) {
            Ok(judgements) => {
                for ((expr, value), judgement) in all.iter().zip(judgements) {
                    let expected = if value.is_ok() { Judgement::Holds } else { Judgement::NotChecked };
                    if judgement != expected {
                        differ.push(smallest(expr, &differs_in_a_property));
                    }
                }
            }
            Err(_) => differ.extend(
                all.iter()
                    .filter(|(e, _)| differs_in_a_property(e))
                    .take(3)
                    .map(|(e, _)| smallest(e, &differs_in_a_property)),
            ),
        }
        wrong.extend(differ.iter().map(|e| {
            let value = eval(e, &mut vec![]);
            format!(
                "in a property: {} is {value:?}, Synod: {:?}",
                e.text(),
                in_properties(&[(e.clone(), value.clone())])
            )
        }));
        let commands = all.iter().take(3).filter_map(|(expr, value)| {
            in_a_command(expr, value)?;
            let expr = smallest(expr, &differs_in_a_command);
            let value = eval(&expr, &mut vec![]);
            Some(format!(
                "in a command: {} is {value:?}, Synod: {:?}",
                expr.text(),
                in_a_command(&expr, &value)
            ))
        });
        wrong.extend(commands);
        if wrong.len() > 20 {
            break;
        }
    }
    wrong.sort();
    wrong.dedup();
    println!("{total} expressions, {failing} of them fail");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Values and failures must both be frequent.
    assert!(failing * 20 > total && failing * 2 < total, "{failing} of {total} fail");
}
