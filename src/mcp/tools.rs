//! The tools: one table, from which `tools/list`, the check of arguments and the dispatch of calls follow.

use super::limits::{EVENTS, SECONDS};
use crate::ir::Daemon;
use crate::prose;
use crate::simulate::Schedule;
use crate::workbench::limits::{self, Limit};
use serde_json::{Map, Value, json};

/// A tool.
pub struct Tool {
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
    pub answered_by: AnsweredBy,
    arguments: &'static [&'static [Argument]],
}

/// The part that answers a call.
#[derive(Clone, Copy)]
pub enum AnsweredBy {
    /// The request of this name to the workbench, with the arguments as fields.
    Request,
    /// Several requests.
    Library,
    Run,
    Verify,
}

/// The effect on the open run. There is no other effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    /// Opens another run; the same call opens the same run.
    Opens,
    /// Moves in the run.
    Moves,
}

/// An argument of a tool.
struct Argument {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    description: &'static str,
}

/// The type of an argument.
enum Kind {
    Text,
    Texts,
    Flag,
    /// A position or an index, from 0.
    Index,
    Indices,
    Number(Limit),
    Sizes,
    Ids,
    Ports,
    Parameters,
    OneOf(fn() -> Vec<&'static str>),
}

const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument { name, kind, is_required: false, description }
}

const fn required(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument { name, kind, is_required: true, description }
}

fn schedules() -> Vec<&'static str> {
    Schedule::ALL.map(Schedule::as_str).to_vec()
}

fn daemons() -> Vec<&'static str> {
    Daemon::ALL.map(Daemon::as_str).to_vec()
}

fn orders() -> Vec<&'static str> {
    vec!["breadth", "depth", "random"]
}

const PROGRAM: &[Argument] = &[
    optional("text", Kind::Text, "The text of the program. Give `text` or `library`."),
    optional(
        "library",
        Kind::Text,
        "The name of a library file, such as chang_roberts, in place of `text`. The tool `library` finds names.",
    ),
    optional("name", Kind::Text, "The file name in diagnostics; default program.syn."),
];

const INSTANCE: &[Argument] = &[
    optional(
        "ids",
        Kind::Ids,
        "Identifiers of p0, p1, … such as \"3,1,4,2\", or ascending, descending, random, worst.",
    ),
    optional("ports", Kind::Ports, "A seed that numbers the ports of anonymous processes at random."),
    optional(
        "initiators",
        Kind::Text,
        "The processes that start on their own, such as \"p0,p2\"; default all.",
    ),
    optional("parameters", Kind::Parameters, "Values of the program's parameters, such as {\"k\": 2}."),
    optional("daemon", Kind::OneOf(daemons), "The daemon of a program that reads its neighbours' variables."),
    optional(
        "faults",
        Kind::Text,
        "Faults that may occur, with their greatest number, such as \"crash<=1, loss<=2\". The program must assume them.",
    ),
    optional("seed", Kind::Number(SEED), "The seed of all random choices."),
];

/// A seed, which JavaScript can represent.
const SEED: Limit = limits::limit("seed", 0, (1 << 53) - 1);

const ON: &[Argument] = &[optional(
    "on",
    Kind::Text,
    "The network, such as ring(4), complete(3), line(5), tree(7), grid(3,3), random(8,12); by default one that the program assumes.",
)];

const TEMPLATE: &[Argument] = &[optional(
    "on",
    Kind::Text,
    "The network for each size, such as ring({n}); by default the family that the program assumes.",
)];

const SCHEDULE: &[Argument] = &[optional(
    "schedule",
    Kind::OneOf(schedules),
    "The scheduler that chooses the next step; default fifo, with faults random.",
)];

const RECORDED: &[Argument] = &[
    optional(
        "scenario",
        Kind::Text,
        "A scenario of the program: it is played, and the cursor is at its end.",
    ),
    optional("trace", Kind::Text, "The text of a trace file, which states its own network and options."),
    optional("position", Kind::Index, "The position of the cursor in a scenario or a trace."),
];

const TIME: &[Argument] = &[optional(
    "seconds",
    Kind::Number(SECONDS),
    "Time limit of the call; then it answers with what is known.",
)];

const LISTED: &[Argument] = &[optional("events", Kind::Number(EVENTS), "Number of events to list.")];

const STEPS: &[Argument] = &[optional("most", Kind::Number(limits::RUN), "Step limit.")];

const SEARCH: &[Argument] = &[
    optional("properties", Kind::Texts, "Check only these properties; default all."),
    optional("configurations", Kind::Number(limits::CONFIGURATIONS), "Limit of explored configurations."),
    optional("megabytes", Kind::Number(limits::MEGABYTES), "Memory limit of the search."),
    optional("depth", Kind::Number(limits::DEPTH), "Limit of the length of a run."),
    optional("keep_going", Kind::Flag, "Continue after the first violation, to decide all properties."),
    optional("surely", Kind::Flag, "Liveness for every outcome of random choices, not with probability 1."),
    optional(
        "order",
        Kind::OneOf(orders),
        "Search order; default breadth, which gives shortest counterexamples.",
    ),
    optional("smaller", Kind::Flag, "Also search smaller networks for a simpler counterexample."),
];

const COSTS: &[Argument] = &[
    optional("sizes", Kind::Sizes, "Network sizes; default 4, 8, 16, 32."),
    optional("runs", Kind::Number(limits::RUNS), "Runs for each size."),
    optional("steps", Kind::Number(limits::RUN_STEPS), "Step limit of a run."),
];

const TEXT: &[Argument] = &[
    required("text", Kind::Text, "The text of the program."),
    optional("name", Kind::Text, "The file name in diagnostics; default program.syn."),
];

const TOPIC: &[Argument] = &[
    optional("code", Kind::Text, "The code of a diagnostic, such as SYN0042. Give `code` or `word`."),
    optional("word", Kind::Text, "A word of the glossary, such as quiescent or \"leads to\"."),
];

const WORDS: &[Argument] = &[optional(
    "words",
    Kind::Text,
    "Words that must all occur, such as \"election ring\"; default: list all.",
)];

const NAME: &[Argument] = &[required("name", Kind::Text, "The name of the file, such as chang_roberts.")];

const COUNT: &[Argument] = &[optional("count", Kind::Number(limits::STEPS), "Number of steps.")];

const MOST: &[Argument] = &[optional("most", Kind::Number(limits::ENABLED), "Number of steps to list.")];

const STEP: &[Argument] = &[
    required("index", Kind::Index, "The index of the step in `enabled`."),
    optional(
        "at",
        Kind::Index,
        "The position at which `enabled` was called: an error if the run has moved since.",
    ),
];

const AFTERWARDS: &[Argument] =
    &[optional("count", Kind::Index, "Number of steps that the scheduler takes afterwards; default 0.")];

const CONFIGURATION: &[Argument] = &[
    optional("processes", Kind::Indices, "Only these processes: 0 is p0; default all."),
    optional("at", Kind::Index, "The position; default: the cursor."),
];

const CAUSE: &[Argument] = &[
    optional("process", Kind::Index, "The process: 0 is p0. Give `process` and `variable`, or `message`."),
    optional("variable", Kind::Text, "A variable of the process, or an output."),
    optional("message", Kind::Index, "The number of a message: 4 for m4."),
];

const ACTION: &[Argument] = &[
    required(
        "action",
        Kind::Text,
        "The action as the program has it, such as \"on Token\", \"receive\", \"crash\".",
    ),
    optional("process", Kind::Index, "The process: 0 is p0; default: all."),
];

const EXPRESSION: &[Argument] = &[required(
    "expression",
    Kind::Text,
    "An expression as in a property, such as \"p0.leader\" or \"count p: p.leader\".",
)];

const fn tool(
    name: &'static str,
    title: &'static str,
    effect: Effect,
    answered_by: AnsweredBy,
    arguments: &'static [&'static [Argument]],
    description: &'static str,
) -> Tool {
    Tool { name, title, description, effect, answered_by, arguments }
}

use AnsweredBy::Request;

/// All tools.
pub const TOOLS: &[Tool] = &[
    tool(
        "check",
        "Check a program",
        Effect::None,
        Request,
        &[PROGRAM],
        "Check the text of a Synod program: errors and warnings with lines, hints and fixes; and facts about the program (assumptions, default network, parameters, properties, scenarios, actions).",
    ),
    tool(
        "run",
        "Run a program",
        Effect::Opens,
        AnsweredBy::Run,
        &[PROGRAM, ON, INSTANCE, SCHEDULE, STEPS, LISTED, TIME],
        "Make one run: outcome, costs, verdicts of the properties on this run, the final state, the first events. It stops at the first violation. The run becomes the open run, for `back`, `state`, `why` and others. Without a program, continue the open run. One run proves nothing: use `verify` for all runs.",
    ),
    tool(
        "verify",
        "Model-check a program",
        Effect::Opens,
        AnsweredBy::Verify,
        &[PROGRAM, ON, INSTANCE, SEARCH, LISTED, TIME],
        "Model-check on one small network: explore all interleavings and choices, check every property, report a shortest counterexample as events. The counterexample becomes the open run, with the cursor before the violating event. Without a program, verify that of the open run. Without `on`, a network that is small enough is chosen.",
    ),
    tool(
        "measure",
        "Measure costs",
        Effect::None,
        Request,
        &[PROGRAM, TEMPLATE, INSTANCE, SCHEDULE, COSTS, TIME],
        "Measure messages, bits, time and rounds over network sizes, with the best-fitting growth such as n log n. Without a program, measure that of the open run.",
    ),
    tool(
        "explain",
        "Explain a diagnostic or a word",
        Effect::None,
        Request,
        &[TOPIC],
        "Explain the code of a diagnostic, with a wrong and a right program, or a word of the glossary.",
    ),
    tool(
        "library",
        "Search the library",
        Effect::None,
        AnsweredBy::Library,
        &[WORDS],
        "List the algorithms and problems of the library that are about some words: name, summary, solved problem. `source` shows a text; it is the best example of how to write a program.",
    ),
    tool(
        "source",
        "Show a library file",
        Effect::None,
        Request,
        &[NAME],
        "Return the text of a file of the library.",
    ),
    tool(
        "format",
        "Format a program",
        Effect::None,
        Request,
        &[TEXT],
        "Return the text of a program in the one style of programs.",
    ),
    tool(
        "open",
        "Open a run",
        Effect::Opens,
        Request,
        &[PROGRAM, ON, INSTANCE, SCHEDULE, RECORDED, TIME],
        "Open a run before its first step, or play a scenario or a trace. It replaces the open run.",
    ),
    tool(
        "step",
        "Take steps",
        Effect::Moves,
        Request,
        &[COUNT, TIME],
        "Take steps in the open run: recorded ones first, then those that the scheduler chooses. It stops at a violation.",
    ),
    tool("back", "Go back", Effect::Moves, Request, &[COUNT], "Go back in the open run. No event is lost."),
    tool(
        "enabled",
        "List enabled steps",
        Effect::None,
        Request,
        &[MOST],
        "List the steps that are possible next in the open run, each with its effect.",
    ),
    tool(
        "fire",
        "Take an enabled step",
        Effect::Moves,
        Request,
        &[STEP],
        "Take one of the enabled steps, by its index in `enabled`. Other recorded events after the cursor are removed.",
    ),
    tool(
        "whatif",
        "Try an enabled step",
        Effect::None,
        Request,
        &[STEP, AFTERWARDS, TIME],
        "Report what an enabled step would do, with further steps of the scheduler if wanted. The open run stays as it is.",
    ),
    tool(
        "state",
        "Show the configuration",
        Effect::None,
        Request,
        &[CONFIGURATION],
        "Show all processes with their variables, messages in transit and costs, at the cursor or another position.",
    ),
    tool(
        "why",
        "Explain a value",
        Effect::None,
        Request,
        &[CAUSE],
        "Explain the value of a variable, or a message, by the chain of events that caused it, last event first.",
    ),
    tool(
        "whynot",
        "Explain a disabled action",
        Effect::None,
        Request,
        &[ACTION],
        "Explain why an action is not enabled at the cursor.",
    ),
    tool(
        "evaluate",
        "Evaluate an expression",
        Effect::None,
        Request,
        &[EXPRESSION],
        "Evaluate an expression over the configuration at the cursor.",
    ),
];

impl Kind {
    fn schema(&self) -> Value {
        match self {
            Kind::Text => json!({"type": "string"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Flag => json!({"type": "boolean", "default": false}),
            Kind::Index => json!({"type": "integer", "minimum": 0}),
            Kind::Indices => json!({"type": "array", "items": {"type": "integer", "minimum": 0}}),
            Kind::Number(Limit { default, max, .. }) => {
                let mut schema = json!({"type": "integer", "minimum": 0, "maximum": max});
                if *default > 0 {
                    schema["default"] = (*default).into();
                }
                schema
            }
            Kind::Sizes => {
                let size = json!({"type": "integer", "minimum": 1, "maximum": limits::SIZE.max});
                json!({"type": "array", "items": size, "minItems": 1, "maxItems": limits::SIZES.max})
            }
            Kind::Ids => json!({"type": ["string", "array"], "items": {"type": "integer"}}),
            Kind::Ports => json!({"type": ["integer", "string"], "minimum": 0}),
            Kind::Parameters => {
                json!({"type": "object", "additionalProperties": {"type": ["integer", "boolean", "string"]}})
            }
            Kind::OneOf(words) => json!({"type": "string", "enum": words()}),
        }
    }
}

impl Tool {
    /// Find a tool.
    pub fn find(name: &str) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// Return a hint for an unknown name.
    pub fn hint(name: &str) -> String {
        nearest(name, TOOLS.iter().map(|tool| tool.name))
    }

    fn arguments(&self) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().copied().flatten()
    }

    /// Return whether the tool has this argument.
    pub fn has(&self, name: &str) -> bool {
        self.arguments().any(|argument| argument.name == name)
    }

    /// Check the names of arguments.
    ///
    /// # Errors
    /// If one is unknown: message and hint.
    pub fn check(&self, given: &Map<String, Value>) -> Result<(), (String, String)> {
        match given.keys().find(|name| !self.has(name)) {
            None => Ok(()),
            Some(name) => {
                let hint = nearest(name, self.arguments().map(|argument| argument.name));
                Err((format!("{} has no argument {name}", self.name), hint))
            }
        }
    }

    /// Return the description for clients.
    pub fn description(&self) -> Value {
        let mut properties = Map::new();
        for argument in self.arguments() {
            let mut schema = argument.kind.schema();
            schema["description"] = argument.description.into();
            properties.insert(argument.name.into(), schema);
        }
        let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        let required: Vec<&str> =
            self.arguments().filter(|argument| argument.is_required).map(|argument| argument.name).collect();
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.effect == Effect::None,
                "destructiveHint": false,
                "idempotentHint": self.effect != Effect::Moves,
                "openWorldHint": false,
            },
        })
    }
}

fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    let known: Vec<String> = known.map(String::from).collect();
    match prose::nearest(name, &known) {
        Some(near) => format!("did you mean {near}?"),
        None => prose::available(&known),
    }
}
