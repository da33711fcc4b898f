//! Answers to structured requests about texts, and about one program with one run: JSON in, JSON out. No files, no terminal.
//!
//! `docs/design/workbench.md` describes the requests. A failed request changes nothing.
//!
//! ```
//! use synod::internals::workbench::Workbench;
//!
//! let mut bench = Workbench::default();
//! let text = bench.answer(r#"{"request": "source", "name": "lelann"}"#);
//! assert!(text.starts_with(r#"{"name":"lelann","path":"election/ring/lelann.syn","text":"#));
//! assert_eq!(bench.answer("{"), r#"{"error":{"message":"the request is not valid JSON: EOF while parsing an object at line 1 column 1"}}"#);
//! ```

mod place;
mod failure;
pub mod limits;
mod fields;
mod texts;
mod instances;
mod network;
mod run;
mod script;
mod opening;
mod events;
mod state;
mod movement;
mod questions;
mod search;
mod pictures;
mod costs;

use crate::stop::StopSignal;
use failure::Failure;
use fields::{Fields, Nothing};
use instances::InstanceFields;
use opening::{Opened, RunFields};
use run::OpenRun;
use search::FoundRun;
use serde::Serialize;

/// The text of an answer, or the reason why there is none.
type Answer = Result<String, Failure>;

/// A session: at most one open run.
#[derive(Default)]
pub struct Workbench {
    run: Option<OpenRun>,
    /// Counterexamples of the last search.
    found: Vec<FoundRun>,
    /// The signal that ends searches, runs and evaluations early.
    stop: StopSignal,
}

#[derive(Serialize)]
struct Refusal {
    error: Failure,
}

/// Return an answer as text.
fn answer(body: &impl Serialize) -> Answer {
    serde_json::to_string(body).map_err(|error| Failure::new(format!("the answer has no text: {error}")))
}

/// All requests, for the hint after an unknown one.
const REQUESTS: &[&str] = &[
    "about",
    "back",
    "branches",
    "break",
    "breakpoints",
    "check",
    "complete",
    "counterexample",
    "data",
    "delete",
    "diagram",
    "draw",
    "enabled",
    "evaluate",
    "events",
    "explain",
    "fire",
    "fork",
    "format",
    "goto",
    "hover",
    "library",
    "measure",
    "open",
    "page",
    "picture",
    "run",
    "schedule",
    "script",
    "source",
    "state",
    "step",
    "switch",
    "tokens",
    "trace",
    "verdicts",
    "verify",
    "watch",
    "whatif",
    "why",
    "whynot",
];

impl Workbench {
    /// Create a session whose searches, runs and evaluations end when the signal is set. What they found by then is the answer.
    pub fn until(stop: StopSignal) -> Workbench {
        Workbench { stop, ..Workbench::default() }
    }

    /// Answer a request.
    pub fn answer(&mut self, request: &str) -> String {
        let answered = Fields::read(request).and_then(|fields| self.dispatch(fields));
        answered.unwrap_or_else(|error| answer(&Refusal { error }).unwrap_or_default())
    }

    fn dispatch(&mut self, mut fields: Fields) -> Answer {
        match fields.name() {
            "about" => fields.parse::<Nothing>().and_then(|_| texts::about()),
            "library" => texts::library(fields.parse()?),
            "source" => texts::source(fields.parse()?),
            "check" => texts::check(fields.parse()?),
            "tokens" => texts::tokens(fields.parse()?),
            "complete" => texts::complete(fields.parse()?),
            "hover" => texts::hover(fields.parse()?),
            "format" => texts::formatted(fields.parse()?),
            "explain" => texts::explain(fields.parse()?),
            "open" => {
                let instance: InstanceFields = fields.split(InstanceFields::NAMES)?;
                let run: RunFields = fields.parse()?;
                let mut opened = opening::open(instance, run, &self.stop)?;
                let body = Opened::new(&mut opened);
                self.run = Some(opened);
                answer(&body)
            }
            "verify" => {
                let instance = fields.split(InstanceFields::NAMES)?;
                search::verify(self, instance, fields.parse()?)
            }
            "counterexample" => search::counterexample(self, fields.parse()?),
            "measure" => {
                let instance = fields.split(InstanceFields::NAMES)?;
                costs::measure(self, instance, fields.parse()?)
            }
            name if REQUESTS.contains(&name) => match &mut self.run {
                Some(run) => about_run(run, fields),
                None => Err(Failure::new(format!("{name}: no run is open")).hint("`open` opens one")),
            },
            name => {
                let known: Vec<String> = REQUESTS.iter().map(ToString::to_string).collect();
                Err(Failure::unknown("request", name, &known))
            }
        }
    }
}

/// Answer a request about the open run.
fn about_run(run: &mut OpenRun, fields: Fields) -> Answer {
    let name = fields.name().to_string();
    match name.as_str() {
        "state" => state::state(run, fields.parse()?),
        "events" => state::recorded(run, fields.parse()?),
        "verdicts" => fields.parse::<Nothing>().and_then(|_| state::verdicts(run)),
        "evaluate" => questions::evaluate(run, fields.parse()?),
        "why" => questions::why(run, fields.parse()?),
        "whynot" => questions::whynot(run, fields.parse()?),
        "break" => questions::break_when(run, fields.parse()?),
        "watch" => questions::watch(run, fields.parse()?),
        "breakpoints" => fields.parse::<Nothing>().and_then(|_| questions::breakpoints(run)),
        "delete" => questions::delete(run, fields.parse()?),
        "step" => movement::step(run, fields.parse()?),
        "run" => movement::run_on(run, fields.parse()?),
        "back" => movement::back(run, fields.parse()?),
        "goto" => movement::goto(run, fields.parse()?),
        "enabled" => movement::enabled(run, fields.parse()?),
        "fire" => movement::fire(run, fields.parse()?),
        "whatif" => movement::what_if(run, fields.parse()?),
        "fork" => movement::fork(run, fields.parse()?),
        "switch" => movement::switch(run, fields.parse()?),
        "branches" => fields.parse::<Nothing>().and_then(|_| movement::branches(run)),
        "schedule" => movement::schedule(run, fields.parse()?),
        "draw" => pictures::draw(run, fields.parse()?),
        "picture" => pictures::picture(run, fields.parse()?),
        "diagram" => pictures::diagram(run, fields.parse()?),
        "page" => fields.parse::<Nothing>().and_then(|_| pictures::page(run)),
        "data" => fields.parse::<Nothing>().and_then(|_| pictures::data(run)),
        "trace" => pictures::trace(run, fields.parse()?),
        "script" => fields.parse::<Nothing>().and_then(|_| pictures::scripted(run)),
        _ => Err(Failure::new(format!("there is no request {name}"))),
    }
}
