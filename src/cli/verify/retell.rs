//! `--save-scenario`: the counterexample as a scenario that has been played.

use super::body::CounterexampleBody;
use super::progress;
use crate::cli::exit::Failure;
use crate::cli::input;
use crate::instance::Instance;
use crate::scenario::{Played, play};
use crate::semantics::event::{CRASH, Cause};
use crate::session::retold::{Arrivals, Dice, Shows, by_lot, retold};
use crate::simulate::Outcome;
use crate::trace::{Trace, TraceEvent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stands above a scenario that shows what a run has shown, and is not that run, where lots were drawn for it.
const BY_LOT: &str = "/// No line can say who moves: drawn by lot until it showed what a run had shown.\n";

/// So many ways of throwing the dice are tried, where choices have to come out as they did.
const SEEDS: u64 = 200;

/// It is tried for so many events, which is more than a run that comes to rest takes that shows what a short one has shown.
const MOST_EVENTS: u64 = 20_000;

/// And for so many without `at` lines.
const MOST_WITHOUT_MOMENTS: u64 = 4096;

/// Where so many of them did not come to rest between two lines, none is expected to.
const MOST_WITHOUT_REST: usize = 3;

fn no(why: String) -> Failure {
    Failure::usage(format!("there is no scenario for this run: {why}"))
        .hint("--trace FILE keeps the run itself, for `synod run --replay` and `synod trace`")
}

/// A scenario for the file, of a name that is free in it, that passes when it is played.
///
/// # Errors
/// When no scenario can say it, or the file cannot be read again.
pub fn scenario(
    file: &str,
    instance: &Instance,
    counterexample: &CounterexampleBody,
    trace: &Trace,
) -> Result<String, Failure> {
    if file == "-" {
        return Err(no("the program came from the standard input, and cannot be read again".into()));
    }
    let shows = match counterexample.shows.as_str() {
        "stuck" | "blocked" => Shows::Stuck,
        "aborted" => Shows::Aborted,
        name => {
            let mut names = vec![name.to_string()];
            names.extend(counterexample.violated.iter().filter(|other| *other != name).cloned());
            Shows::Violated(names)
        }
    };
    let program = input::program(file)?;
    played(&program, instance, &format!("found_{}", counterexample.shows), &shows, trace)
}

/// A scenario for this program, of this name or one that begins like it, that shows what a run has shown, and passes when it is
/// played.
///
/// # Errors
/// When no scenario can say it.
pub fn played(
    program: &input::Text,
    instance: &Instance,
    base: &str,
    shows: &Shows,
    trace: &Trace,
) -> Result<String, Failure> {
    let taken = |name: &str| instance.program.scenarios.iter().any(|s| s.name == name);
    let numbered = (2..).map(|k| format!("{base}_{k}"));
    let Some(name) = std::iter::once(base.to_string()).chain(numbered).find(|name| !taken(name)) else {
        return Err(no("every name is taken".into()));
    };
    let dice = std::iter::once(Dice::InOrder).chain((1..=SEEDS).map(Dice::Seed));
    let ways = dice.flat_map(|dice| Arrivals::of(instance).iter().map(move |arrivals| (dice, *arrivals)));
    let mut without_rest = 0;
    let mut failed = None;
    for way in ways {
        let is_first = way == (Dice::InOrder, Arrivals::Told);
        let mut text = match retold(instance, trace, &name, shows, way) {
            Ok(text) => text,
            Err(said) if is_first => return Err(no(said)),
            Err(_) => continue,
        };
        let Some(mut played) = tried(program, &text, &name)? else { continue };
        if !played.unexpected.is_empty() && played.unexpected.len() == played.failures.len() {
            // It shows what it has to, and more.
            for other in &played.unexpected {
                text += &format!("  expect {other} violated\n");
            }
            let Some(again) = tried(program, &text, &name)? else { continue };
            played = again;
        }
        if played.passed() {
            if let Some(shorter) = without_moments(program, &text, &name, shows)? {
                text = shorter;
            }
            let drawn = by_lot(instance) && matches!(way.0, Dice::Seed(_));
            return Ok(if drawn { format!("{BY_LOT}{text}") } else { text });
        }
        if progress::is_over() {
            return Err(no("none was found in time".into()));
        }
        without_rest += usize::from(matches!(played.outcome, Some(Outcome::Limit | Outcome::Interrupted)));
        if without_rest == MOST_WITHOUT_REST {
            return Err(no(
                "the lines of a scenario wait until nothing moves, and this program goes on for ever".into(),
            ));
        }
        if let (true, Some(failure)) = (is_first, played.failures.into_iter().next()) {
            failed = Some(failure.message);
        }
    }
    Err(no(match (by_lot(instance), in_the_way(trace)) {
        (true, _) => format!("no line can say who moves, and none of {} runs by lot shows it", SEEDS + 1),
        (false, reason) => match (reason, failed) {
            (Some(reason), Some(failed)) => {
                format!("{reason} (played all the same, it does not pass: {failed})")
            }
            (Some(reason), None) => reason.into(),
            (None, Some(failed)) => format!("when it is played, where nobody is held back, {failed}"),
            (None, None) => "what processes do by themselves comes in another order".into(),
        },
    }))
}

/// What happens in a run that no line can say, if that is likely to be why none shows it.
fn in_the_way(trace: &Trace) -> Option<&'static str> {
    let moved = || trace.events.iter().filter(|event| event.choice.cause != Cause::Start);
    let chooses = |event: &TraceEvent| {
        event.choice.choices.iter().take_while(|choice| **choice < CRASH).any(|choice| *choice > 0)
    };
    let by = |cause: &Cause| moved().any(|event| event.choice.cause == *cause);
    if trace.header.repeats_from.is_some() {
        Some("the run goes on for ever, and a scenario comes to an end")
    } else if moved().any(chooses) {
        Some("no line can say what is chosen where a process has a choice")
    } else if by(&Cause::Timeout) {
        Some("no line can say whose timer runs out, and whose does not yet: what can run out does so at once")
    } else if by(&Cause::Internal) {
        Some("no line can say who goes on by itself, and who waits: whoever can does so at once")
    } else {
        None
    }
}

/// The scenario without its `at` lines, if it shows the same: then it does not matter when things happen. What a run has come to at some
/// moment, and not what is wrong with it, is another matter.
fn without_moments(
    program: &input::Text,
    text: &str,
    name: &str,
    shows: &Shows,
) -> Result<Option<String>, Failure> {
    let is_moment = |line: &&str| line.trim_start().starts_with("at ");
    if matches!(shows, Shows::Expected(_)) || !text.lines().any(|line| is_moment(&line)) {
        return Ok(None);
    }
    let lines = text.lines().filter(|line| !is_moment(line)).map(|line| format!("{line}\n"));
    let shorter: String = lines.collect();
    let played = tried_within(program, &shorter, name, MOST_WITHOUT_MOMENTS)?;
    let rests = |played: &Played| !matches!(played.outcome, Some(Outcome::Limit | Outcome::Interrupted));
    Ok(played.filter(|played| played.passed() && rests(played)).map(|_| shorter))
}

/// What comes of the scenario of this name, whose text is added to the program. None: it has become none.
fn tried(program: &input::Text, text: &str, name: &str) -> Result<Option<Played>, Failure> {
    tried_within(program, text, name, MOST_EVENTS)
}

/// The same; after `most` events, or when the time is up, or soon after, it is interrupted.
fn tried_within(program: &input::Text, text: &str, name: &str, most: u64) -> Result<Option<Played>, Failure> {
    let checked = program.with(&format!("\n{text}")).check()?;
    let Some(checked) = checked.program.map(Arc::new) else {
        return Err(no("it cannot be written in the language".into()));
    };
    let scenario = checked.scenarios.iter().find(|s| s.name == name);
    let (mut events, enough) = (0, AtomicBool::new(false));
    Ok(scenario.map(|scenario| {
        play(&checked, scenario, Some(&enough), &mut |_, _, _, _, _| {
            events += 1;
            if events > most || progress::is_over() {
                enough.store(true, Ordering::Relaxed);
            }
        })
    }))
}
