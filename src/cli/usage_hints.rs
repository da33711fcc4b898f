//! Errors in command lines: messages in Synod's wording for what clap rejects, with hints what was probably meant.

use super::exit::Problem;
use crate::{library, prose};
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::path::Path;

/// The error of a command line, and the usage of the command.
pub struct Misuse {
    pub problem: Problem,
    pub usage: String,
}

/// Options of other tools or of other verbs, with their replacements: the verbs, the options, the hint.
const REPLACEMENTS: &[(&[&str], &[&str], &str)] = &[
    (
        &["topology show"],
        &["--on", "--topology", "--network"],
        "the network is an argument, not an option: synod topology show 'ring(8)'",
    ),
    (
        &["test"],
        &["--on", "--ids", "--initiators", "--set", "--seed", "--schedule", "--faults", "--daemon"],
        "a scenario specifies its instance: scenario NAME on ring(4) with ids [3, 1, 4, 2], seed 7",
    ),
    (
        &[
            "trace show",
            "trace replay",
            "trace diff",
            "trace convert",
            "trace history",
            "trace before",
            "trace cut",
            "trace cuts",
            "trace reach",
            "trace order",
            "trace possibly",
            "trace definitely",
        ],
        &["--on", "--ids", "--initiators", "--set", "--seed", "--schedule", "--faults", "--daemon"],
        "a trace contains its instance, its schedule and its seed",
    ),
    (
        &["verify"],
        &["--schedule", "--runs", "--max-steps", "--steps"],
        "verify explores every schedule, so there is none to choose; --max-depth and --max-configurations limit the search",
    ),
    (&["verify"], &["--depth", "--bound", "--maxdepth"], "--max-depth N limits the length of the runs"),
    (&["verify"], &["--states", "--max-states", "--limit"], "--max-configurations N limits the search"),
    (
        &["run", "verify", "measure"],
        &["--threads", "--workers", "--parallel"],
        "-j N sets the number of threads",
    ),
    (&["run", "draw"], &["--depth", "--bound"], "--max-steps N ends a run"),
    (
        &["run", "repl", "verify", "draw"],
        &["--topology", "--network", "--graph"],
        "--on 'ring(8)' names the network",
    ),
    (
        &["run", "repl", "verify", "draw"],
        &["--n", "-n", "--size", "--sizes", "--nodes", "--processes"],
        "--on names the network with its size: --on 'ring(8)'",
    ),
    (
        &["run", "verify", "repl", "draw", "measure"],
        &["--crash", "--crashes", "--restarts", "--loss", "--losses", "--duplicates"],
        "--faults 'crash<=1, restart<=1, loss<=1, duplication<=1' bounds the faults of a run",
    ),
    (&["measure"], &["--size", "--sizes", "--nodes"], "--n 4..128 gives the sizes"),
    (&["run", "draw", "measure"], &["--steps", "--max", "--limit"], "--max-steps N ends a run"),
    (&["run", "verify", "repl", "draw"], &["--scenario"], "synod test FILE --scenario NAME plays a scenario"),
    (&["run"], &["--repeat", "--times", "--trials", "--count"], "--runs N makes N runs"),
    (&["run"], &["--output", "-o"], "--trace FILE records the run; synod draw FILE -o run.svg draws it"),
    (&["list"], &["--on", "--network"], "--topology ring lists algorithms that assume a ring"),
    (&["new"], &["--solves"], "--problem Election names the problem"),
];

/// Verbs of other tools, and the corresponding verbs of Synod.
const VERBS: &[(&str, &str)] = &[
    ("simulate", "run"),
    ("exec", "run"),
    ("play", "test"),
    ("lint", "check"),
    ("parse", "check"),
    ("compile", "check"),
    ("build", "check"),
    ("format", "fmt"),
    ("explore", "verify"),
    ("prove", "verify"),
    ("model-check", "verify"),
    ("bench", "measure"),
    ("plot", "measure"),
    ("edit", "serve"),
    ("playground", "serve"),
    ("graph", "draw"),
    ("diagram", "draw"),
    ("init", "new"),
    ("replay", "trace replay"),
    ("diff", "trace diff"),
    ("convert", "trace convert"),
    ("export", "trace convert"),
    ("step", "repl"),
    ("debug", "repl"),
];

/// Values of other tools or of other options: the option, the values, the hint.
const VALUES: &[(&str, &[&str], &str)] = &[
    (
        "--schedule",
        &["lifo", "last", "newest", "worst"],
        "--schedule adversary takes the step that was enabled last",
    ),
    ("--schedule", &["send-order", "order", "queue"], "--schedule fifo follows the order of sending"),
    ("--schedule", &["rr", "roundrobin", "round_robin", "turns"], "did you mean round-robin?"),
    (
        "--schedule",
        &["script", "scripted", "manual", "user"],
        "write a scenario to choose the steps (synod test); --replay takes the steps of a trace",
    ),
    (
        "--schedule",
        &["synchronous", "distributed", "central"],
        "--daemon determines which processes step together",
    ),
    (
        "--to",
        &["svg", "html", "png", "pdf", "topology"],
        "synod draw FILE -o run.svg (or run.html) draws a picture",
    ),
    (
        "--to",
        &["itf", "shiviz", "mermaid", "plantuml", "perfetto", "dot", "tikz", "csv", "jsonl"],
        "synod trace convert FILE --to mermaid converts a trace for other tools",
    ),
];

/// Examples of commands, as hints for missing arguments.
const EXAMPLES: &[(&str, &str)] = &[
    ("run", "synod run chang_roberts, or synod run my_own.syn"),
    ("verify", "synod verify chang_roberts, or synod verify my_own.syn"),
    ("draw", "synod draw chang_roberts, or synod draw run.trace"),
    ("show", "synod show chang_roberts"),
    ("new", "synod new my_election --problem Election"),
    ("completions", "synod completions bash"),
    ("topology show", "synod topology show 'ring(8)'; synod topology list shows the families"),
    ("trace diff", "synod trace diff one.trace other.trace compares two traces"),
    ("trace show", "synod run chang_roberts --trace run.trace records a run"),
    ("trace replay", "synod run chang_roberts --trace run.trace records a run"),
    ("trace convert", "synod trace convert run.trace --to mermaid"),
];

/// Return the misuse that clap has found; `root` is the root command, `args` are the words after `synod`.
pub fn misuse(error: &Error, mut root: Command, args: &[String]) -> Misuse {
    root.build();
    let (command, path) = asked(&root, args);
    let usage = command.clone().render_usage().to_string();
    let line = UsageLine { root: &root, command, path, args };
    let problem = match error.kind() {
        ErrorKind::UnknownArgument => line.unknown(&text(error, ContextKind::InvalidArg)),
        ErrorKind::InvalidSubcommand => line.no_verb(&text(error, ContextKind::InvalidSubcommand)),
        ErrorKind::InvalidValue => line.value(error),
        ErrorKind::ValueValidation => line.refused(error),
        ErrorKind::MissingRequiredArgument => line.missing(&text(error, ContextKind::InvalidArg)),
        _ => Problem { message: first_words(error), hint: None },
    };
    Misuse { problem, usage }
}

/// Return the innermost command that the words name, and its name without `synod`.
fn asked<'c>(root: &'c Command, args: &[String]) -> (&'c Command, String) {
    let mut command = root;
    let mut path: Vec<&str> = Vec::new();
    for arg in args.iter().filter(|arg| !arg.starts_with('-')) {
        match command.find_subcommand(arg) {
            Some(found) => {
                command = found;
                path.push(found.get_name());
            }
            // Before the verb, there are only values of options; after it, arguments.
            None if path.is_empty() => {}
            None => break,
        }
    }
    (command, path.join(" "))
}

fn text(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(all)) => all.join(", "),
        _ => String::new(),
    }
}

/// Return the first paragraph of clap's message, on one line.
fn first_words(error: &Error) -> String {
    let said = error.render().to_string();
    let first = said.trim().split("\n\n").next().unwrap_or_default();
    let first = first.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ");
    // The usage of the command is printed below.
    first.split(" Usage: ").next().unwrap_or_default().to_string()
}

/// Return an option without the name of its value: `--on` for `--on <TOPOLOGY>`.
fn flag_of(argument: &str) -> &str {
    argument.split(' ').next().unwrap_or_default()
}

/// Return the only option that begins with `flag`, or has it as one of its words: `--property` for `--prop`, `--max-memory` for `--memory`.
fn containing<'o>(flag: &str, own: &'o [String]) -> Option<&'o str> {
    let word = flag.trim_start_matches('-');
    let is_part = |option: &&String| {
        let name = option.trim_start_matches('-');
        word.len() > 2 && (name.starts_with(word) || name.split('-').any(|part| part == word))
    };
    let mut all = own.iter().filter(is_part);
    all.next().filter(|_| all.next().is_none()).map(String::as_str)
}

/// Whether a word is a network of a family, such as `ring(8)`.
fn is_network(word: &str) -> bool {
    word.contains('(') && crate::network::Spec::parse(word).is_ok()
}

/// A rejected command line.
struct UsageLine<'c> {
    root: &'c Command,
    command: &'c Command,
    path: String,
    args: &'c [String],
}

/// Options that ask for a picture, in verbs that draw none.
const PICTURES: &[&str] = &["--svg", "--html", "--png", "--picture", "--diagram"];

impl UsageLine<'_> {
    fn name(&self) -> String {
        format!("synod {}", self.path).trim_end().to_string()
    }

    fn flags(command: &Command) -> Vec<String> {
        let own = command.get_arguments().filter(|arg| !arg.is_hide_set());
        own.flat_map(|arg| arg.get_long_and_visible_aliases().unwrap_or_default())
            .map(|long| format!("--{long}"))
            .collect()
    }

    fn unknown(&self, argument: &str) -> Problem {
        if !argument.starts_with('-') {
            return self.word(argument);
        }
        let flag = argument.split('=').next().unwrap_or_default();
        let own = Self::flags(self.command);
        // `-on` is read as `-o -n`.
        let one_dash = self.args.iter().find(|arg| {
            let word = arg.split('=').next().unwrap_or_default();
            flag.len() == 2 && word.len() > 2 && word.starts_with(flag) && own.contains(&format!("-{word}"))
        });
        let written = one_dash.map_or(flag, |arg| arg.split('=').next().unwrap_or_default());
        let instead = REPLACEMENTS
            .iter()
            .find(|(verbs, flags, _)| verbs.contains(&self.path.as_str()) && flags.contains(&flag));
        let hint = if one_dash.is_some() {
            format!("a long option has two dashes: -{written}")
        } else if own.iter().any(|own| own == flag) {
            format!("options follow the verb: {} … {flag}", self.name())
        } else if let Some((_, _, hint)) = instead {
            self.with_network(flag, hint)
        } else if let Some(near) = prose::nearest(flag, &own).or_else(|| containing(flag, &own)) {
            format!("did you mean {near}?")
        } else {
            self.elsewhere(flag)
        };
        Problem { message: format!("`{}` has no option {written}", self.name()), hint: Some(hint) }
    }

    /// Return the hint with the network on the command line in place of the example.
    fn with_network(&self, flag: &str, hint: &str) -> String {
        let values = self.args.iter().zip(self.args.iter().skip(1));
        let value = values.filter(|(arg, _)| *arg == flag).map(|(_, value)| value.as_str()).next();
        let joined = self.args.iter().find_map(|arg| arg.strip_prefix(flag)?.strip_prefix('='));
        match value.or(joined).filter(|value| is_network(value)) {
            Some(network) => hint.replace("'ring(8)'", &format!("'{network}'")),
            None => hint.to_string(),
        }
    }

    /// Return a hint for an unknown option: the verbs that have it.
    fn elsewhere(&self, flag: &str) -> String {
        if PICTURES.contains(&flag) {
            return "`synod draw` draws a run of a program, or a trace: synod draw FILE -o picture.svg"
                .into();
        }
        let mut owners: Vec<String> = Vec::new();
        for verb in self.root.get_subcommands() {
            let here = std::iter::once((verb.get_name().to_string(), verb));
            let below =
                verb.get_subcommands().map(|sub| (format!("{} {}", verb.get_name(), sub.get_name()), sub));
            for (name, command) in here.chain(below) {
                if Self::flags(command).iter().any(|own| own == flag) {
                    owners.push(format!("synod {name}"));
                }
            }
        }
        match owners.as_slice() {
            [] => format!("`{} -h` shows the options", self.name()),
            _ => format!("{flag} is an option of {}", prose::list(&owners)),
        }
    }

    /// Return the problem of a superfluous argument.
    fn word(&self, word: &str) -> Problem {
        let message = format!("unexpected argument '{word}' for `{}`", self.name());
        let network = is_network(word);
        let program = library::find(word).is_some() || word.ends_with(".syn");
        let hint = if network && Self::flags(self.command).iter().any(|flag| flag == "--on") {
            format!("--on '{word}' names the network")
        } else if network {
            format!("synod topology show '{word}' shows a network")
        } else if program && self.takes_a_file() {
            format!("one program at a time: synod {} {word}", self.path)
        } else if let Some(name) = self.name_before(word) {
            format!("--set {name}={word}")
        } else {
            format!("`{} -h` shows the arguments", self.name())
        };
        Problem { message, hint: Some(hint) }
    }

    /// Return the name in `--set NAME VALUE`, where `=` is missing.
    fn name_before(&self, value: &str) -> Option<&str> {
        let found = self.args.windows(3).find(|words| words[0] == "--set" && words[2] == value)?;
        Some(found[1].as_str()).filter(|name| !name.contains('='))
    }

    /// Whether the command takes a file as argument.
    fn takes_a_file(&self) -> bool {
        self.command.get_positionals().any(|arg| !arg.is_hide_set())
    }

    /// Return the problem of an unknown verb.
    fn no_verb(&self, word: &str) -> Problem {
        let known: Vec<String> =
            self.command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
        let is_trace = word.ends_with(".trace")
            || word.ends_with(".jsonl")
            || self.path == "trace" && (word.contains('.') || Path::new(word).is_file());
        let hint =
            if let Some((_, verb)) = VERBS.iter().find(|(other, _)| *other == word && self.path.is_empty()) {
                format!("use `synod {verb}`")
            } else if is_trace {
                format!("synod trace show {word}")
            } else if self.path.is_empty() && (word.ends_with(".syn") || Path::new(word).is_file()) {
                format!("synod run {word}")
            } else if let Some(entry) = library::find(word).filter(|_| self.path.is_empty()) {
                format!("synod {} {word}", if entry.is_problem() { "show" } else { "run" })
            } else if let Some(near) = prose::nearest(word, &known) {
                format!("did you mean `{} {near}`?", self.name())
            } else {
                format!("there are {}", prose::list(&known).replace('`', ""))
            };
        let message = match self.path.as_str() {
            "" => format!("there is no command `synod {word}`"),
            _ => format!("there is no `{} {word}`", self.name()),
        };
        Problem { message, hint: Some(hint) }
    }

    /// Return the problem of a missing or impossible value of an option.
    fn value(&self, error: &Error) -> Problem {
        let argument = text(error, ContextKind::InvalidArg);
        let flag = flag_of(&argument);
        let value = text(error, ContextKind::InvalidValue);
        if value.is_empty() {
            let hint = match argument.split_once(' ') {
                Some((_, what)) => format!("{flag} {}", what.trim_matches(['<', '>', '[', ']'])),
                None => format!("`{} -h` shows the values", self.name()),
            };
            return Problem { message: format!("{flag} needs a value"), hint: Some(hint) };
        }
        let known: Vec<String> = match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(all)) => all.clone(),
            _ => Vec::new(),
        };
        let low = value.to_lowercase();
        let otherwise = VALUES
            .iter()
            .find(|(of, values, _)| *of == flag && values.contains(&low.as_str()) && !known.contains(&low));
        let hint = match (otherwise, prose::nearest(&value, &known)) {
            (Some((_, _, hint)), _) => hint.to_string(),
            (None, Some(near)) => format!("did you mean {near}?"),
            (None, None) => format!("there are {}", known.join(", ")),
        };
        let of = if flag.starts_with('-') { flag.to_string() } else { self.name() };
        Problem { message: format!("{of} has no value '{value}'"), hint: Some(hint) }
    }

    /// Return the problem of a value that the option rejects with a reason.
    fn refused(&self, error: &Error) -> Problem {
        use std::error::Error as _;
        let argument = text(error, ContextKind::InvalidArg);
        let value = text(error, ContextKind::InvalidValue);
        let why = error.source().map(ToString::to_string).unwrap_or_default();
        let flag = flag_of(&argument).trim_matches(['<', '>', '[', ']']);
        let why = match why.as_str() {
            "" => "invalid value".to_string(),
            "invalid digit found in string" | "cannot parse integer from empty string" => {
                "expected an integer".to_string()
            }
            "number too large to fit in target type" => "the number is too large".to_string(),
            "number too small to fit in target type" => "the number is too small".to_string(),
            _ => match why.split_once(" is not in ") {
                Some((_, range)) => {
                    format!("expected a number from {}", range.replace("..=", " to ").replace("..", " on"))
                }
                None => why,
            },
        };
        Problem { message: format!("{flag} '{value}': {why}"), hint: None }
    }

    /// Return the problem of missing arguments.
    fn missing(&self, what: &str) -> Problem {
        let what: Vec<&str> =
            what.split(", ").map(|one| one.trim_matches(['<', '>', '[', ']', '.'])).collect();
        let example = EXAMPLES.iter().find(|(path, _)| *path == self.path).map(|(_, example)| *example);
        let hint = match example {
            Some(example) => example.to_string(),
            None => format!("`{} -h` explains it", self.name()),
        };
        Problem { message: format!("`{}` needs {}", self.name(), crate::prose::and(&what)), hint: Some(hint) }
    }
}
