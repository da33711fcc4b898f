//! The commands by name, with the texts of `.help`.

use super::{
    CommandContext, CommandResult, Transition, entries, files, moves, observations, questions, settings,
    views,
};
use crate::check::prose;
use crate::cli::exit::Failure;

/// A command.
pub struct Command {
    pub name: &'static str,
    pub args: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Details, in sentences.
    pub more: &'static str,
    pub example: &'static str,
    pub run: fn(&mut CommandContext<'_>, &str) -> CommandResult,
}

/// All commands, by theme.
pub const THEMES: &[(&str, &[Command])] = &[
    (
        "Go",
        &[
            Command {
                name: "step",
                args: "[N]",
                about: "take a step, or N",
                more: "The scheduler chooses. After .back, the recorded steps are repeated first. A joint step of several \
                       processes counts as one step. An empty line repeats the command.",
                example: ".step 5",
                run: moves::step,
            },
            Command {
                name: "run",
                args: "[N]",
                about: "run to the end, or N steps",
                more: "Stops at breakpoints, when a property is violated, and at Ctrl-C; then .run continues.",
                example: ".run",
                run: moves::run,
            },
            Command {
                name: "enabled",
                args: "[N|all]",
                about: "list the enabled steps",
                more: "With every choice inside the command, and the effects of each step.",
                example: ".enabled",
                run: moves::enabled,
            },
            Command {
                name: "fire",
                args: "N|PROCESS",
                about: "take an enabled step",
                more: "N is its number in .enabled; the name of a process suffices if the process has only one. The recorded events \
                       ahead are discarded; .undo restores them, .fork keeps them.",
                example: ".fire 2",
                run: moves::fire,
            },
            Command {
                name: "back",
                args: "[N]",
                about: "go back a step, or N",
                more: "The events ahead stay recorded: .step repeats them. An empty line repeats the command.",
                example: ".back 3",
                run: moves::back,
            },
            Command {
                name: "goto",
                args: "N|end",
                about: "go to the position after N events",
                more: "Beyond the recorded events, the run continues.",
                example: ".goto 0",
                run: moves::goto,
            },
            Command {
                name: "break",
                args: "[when] EXPR",
                about: "stop when EXPR becomes true",
                more: "Evaluated after each step. .delete N removes it.",
                example: ".break when (count p: p.leader) > 1",
                run: questions::break_when,
            },
            Command {
                name: "watch",
                args: "EXPR",
                about: "report changes of EXPR",
                more: "Evaluated after each step. .delete N removes it.",
                example: ".watch messages",
                run: questions::watch,
            },
            Command {
                name: "breaks",
                args: "",
                about: "list breakpoints and watches",
                more: "With their current values.",
                example: ".breaks",
                run: questions::breaks,
            },
            Command {
                name: "delete",
                args: "N",
                about: "remove a breakpoint or watch",
                more: "N is its number.",
                example: ".delete 1",
                run: questions::delete,
            },
        ],
    ),
    (
        "Look",
        &[
            Command {
                name: "state",
                args: "[PROCESS …]",
                about: "show the processes, or one in full",
                more: "In full: variables, waiting point, ports, messages in transit to it. `p3` alone does the same.",
                example: ".state p3",
                run: views::state,
            },
            Command {
                name: "channels",
                args: "[PROCESS]",
                about: "show the messages in transit",
                more: "By channel, the next message first.",
                example: ".channels",
                run: views::channels,
            },
            Command {
                name: "diff",
                args: "[N]",
                about: "show the changes since the last move, or since @N",
                more: "Variables, and messages sent and received.",
                example: ".diff 0",
                run: views::diff,
            },
            Command {
                name: "trace",
                args: "[FROM..TO]",
                about: "list the events so far",
                more: "As in `synod run`: received, sent, changed.",
                example: ".trace 10..20",
                run: views::trace,
            },
            Command {
                name: "draw",
                args: "[FROM..TO] [FILE]",
                about: "draw the space-time diagram",
                more: "Processes side by side, time downwards, messages as arrows. A file .svg gets a picture, a file .html an \
                       interactive page to step through the run.",
                example: ".draw run.html",
                run: views::draw,
            },
            Command {
                name: "properties",
                args: "",
                about: "check the properties on the run so far",
                more: "A property that only the end can decide is pending until then.",
                example: ".properties",
                run: views::properties,
            },
        ],
    ),
    (
        "Ask",
        &[
            Command {
                name: "why",
                args: "PROCESS.VARIABLE|MESSAGE",
                about: "explain where a value or message comes from",
                more: "The causal chain back from the event that set it: the message that the event received, the event that sent it, \
                       and so on.",
                example: ".why p3.leader",
                run: questions::why,
            },
            Command {
                name: "whynot",
                args: "ACTION [at PROCESS]",
                about: "explain why an action is not enabled",
                more: "The conjunct of the guard that is false, the message that is missing or not the first in its channel, the \
                       current control state. A part of the action's name suffices.",
                example: ".whynot on Ack at p2",
                run: questions::whynot,
            },
            Command {
                name: "before",
                args: "EVENT EVENT",
                about: "decide whether one event happened before another",
                more: "Lamport's happened-before relation, with a chain of events that shows it, and both clocks.",
                example: ".before 3 12",
                run: observations::before,
            },
            Command {
                name: "history",
                args: "[PROCESS]",
                about: "show the events of each process with their clocks",
                more: "Local histories, with Lamport and vector time.",
                example: ".history p1",
                run: observations::history,
            },
            Command {
                name: "cut",
                args: "FRONTIER",
                about: "decide whether a cut is consistent, and show its global state",
                more: "The cut is given by its number of events of each process (3,2,4 or p0:3,p1:2), or by its last events (e12,e9). \
                       Names the messages that cross it backwards.",
                example: ".cut 1,1,0",
                run: observations::cut,
            },
            Command {
                name: "cuts",
                args: "[N]",
                about: "count the consistent cuts and the linearizations, or list N cuts",
                more: "Exact counts for the run so far. A list is sorted by level.",
                example: ".cuts 20",
                run: observations::cuts,
            },
            Command {
                name: "linearizations",
                args: "[N]",
                about: "list linearizations of the run so far, 20 or N",
                more: "Orders of its events that agree with happened-before. .cuts counts them.",
                example: ".linearizations 5",
                run: observations::linearizations,
            },
            Command {
                name: "order",
                args: "EVENT …",
                about: "decide whether an order of the events is a run, and a linearization",
                more: "Takes all events of the histories in some order. If it is no linearization, names the event that is too early.",
                example: ".order p0:1 p1:1 p0:2",
                run: observations::order,
            },
            Command {
                name: "reach",
                args: "CUT CUT",
                about: "decide whether a global state is reachable from another, and in how many ways",
                more: "Cuts as for .cut, without blanks.",
                example: ".reach 1,0 2,1",
                run: observations::reach,
            },
            Command {
                name: "possibly",
                args: "EXPR",
                about: "decide whether some observation of the run passes through a state where EXPR holds",
                more: "Observations are the runs with the same events in any order that agrees with causality (Cooper and Marzullo).",
                example: ".possibly p0.critical and p1.critical",
                run: observations::possibly,
            },
            Command {
                name: "definitely",
                args: "EXPR",
                about: "decide whether every observation of the run passes through such a state",
                more: "If not, shows an observation that avoids it.",
                example: ".definitely p0.leader",
                run: observations::definitely,
            },
        ],
    ),
    (
        "Branch",
        &[
            Command {
                name: "fork",
                args: "[NAME]",
                about: "begin another branch here, or go back to one",
                more: "The current branch is kept, with its recorded events ahead.",
                example: ".fork other",
                run: moves::fork,
            },
            Command {
                name: "forks",
                args: "",
                about: "list the branches",
                more: "With the position of each.",
                example: ".forks",
                run: moves::forks,
            },
            Command {
                name: "compare",
                args: "[NAME]",
                about: "compare with another branch",
                more: "Where the two diverge, and how their current configurations differ.",
                example: ".compare main",
                run: moves::compare,
            },
            Command {
                name: "undo",
                args: "",
                about: "take back a change of program, instance or run",
                more: "Clauses, settings, .load, and events that .fire has discarded.",
                example: ".undo",
                run: entries::undo,
            },
        ],
    ),
    (
        "Instance",
        &[
            Command {
                name: "on",
                args: "[TOPOLOGY]",
                about: "show the network, or choose another one",
                more: "Takes the argument of --on. The run restarts.",
                example: ".on ring(8)",
                run: settings::on,
            },
            Command {
                name: "ids",
                args: "[IDS]",
                about: "show the ids, or choose others",
                more: "A list, or ascending, descending, random, worst. The run restarts.",
                example: ".ids 3,1,4,2",
                run: settings::ids,
            },
            Command {
                name: "initiators",
                args: "[PROCESSES]",
                about: "show the initiators, or choose others",
                more: "all, none, random, ids, or positions such as p0,p2. The run restarts.",
                example: ".initiators p0",
                run: settings::initiators,
            },
            Command {
                name: "set",
                args: "[NAME=VALUE]",
                about: "show the parameters, or set one",
                more: "The run restarts.",
                example: ".set entries=2",
                run: settings::set,
            },
            Command {
                name: "faults",
                args: "[BOUNDS|none]",
                about: "show the fault budget, or choose another one",
                more: "Takes the argument of --faults; .enabled then lists faults too. The run restarts.",
                example: ".faults crash<=1",
                run: settings::faults,
            },
            Command {
                name: "daemon",
                args: "DAEMON",
                about: "choose which processes step together",
                more: "If processes read their neighbours: central, synchronous, distributed. The run restarts.",
                example: ".daemon synchronous",
                run: settings::daemon,
            },
            Command {
                name: "seed",
                args: "[N]",
                about: "show the seed, or choose another one",
                more: "The seed of all random choices. The run restarts.",
                example: ".seed 7",
                run: settings::seed,
            },
            Command {
                name: "schedule",
                args: "[SCHEDULE]",
                about: "show the scheduler, or choose another one",
                more: "fifo, random, round-robin, adversary, priorities. It chooses the steps from here on; recorded events stay.",
                example: ".schedule random",
                run: settings::schedule,
            },
        ],
    ),
    (
        "Files",
        &[
            Command {
                name: "load",
                args: "FILE",
                about: "load another program",
                more: "A path, or the name of an algorithm of the library.",
                example: ".load dolev_klawe_rodeh",
                run: files::load,
            },
            Command {
                name: "reload",
                args: "",
                about: "read the program's file again",
                more: "Repeats the events so far, as far as the changed program allows.",
                example: ".reload",
                run: files::reload,
            },
            Command {
                name: "source",
                args: "[WORD]",
                about: "show the program, or the lines that contain a word",
                more: "Includes the clauses that were entered.",
                example: ".source elected",
                run: files::source,
            },
            Command {
                name: "drop",
                args: "CLAUSE",
                about: "remove a clause from the program",
                more: "By its name, with its kind before it if several clauses have the name (var leader), or by the head of a handler \
                       (on Ack, on Ack in relay). A state is removed with its handlers. The events so far are repeated, as far as the \
                       changed program allows; .undo restores the clause.",
                example: ".drop on Ack in relay",
                run: entries::drop,
            },
            Command {
                name: "write",
                args: "[FILE]",
                about: "write the program to a file",
                more: "Default: the file from which it was loaded.",
                example: ".write mine.syn",
                run: files::write,
            },
            Command {
                name: "replay",
                args: "FILE",
                about: "open a trace or counterexample at its end",
                more: "From `synod run --trace`, `synod verify --save`, or .save; on the network on which it was recorded.",
                example: ".replay counterexample.trace",
                run: files::replay,
            },
            Command {
                name: "export",
                args: "FORM [FILE]",
                about: "export the run for another tool",
                more: "text, jsonl, itf, shiviz, mermaid, plantuml, perfetto, dot, tikz, csv.",
                example: ".export mermaid",
                run: observations::export,
            },
            Command {
                name: "save",
                args: "FILE",
                about: "write the run so far as a trace",
                more: ".jsonl: as JSON Lines. For .replay, `synod run --replay` and `synod trace`. A file .syn gets the program and the \
                       run as a scenario, as with .scenario.",
                example: ".save run.trace",
                run: files::save,
            },
            Command {
                name: "scenario",
                args: "[FILE]",
                about: "write the run as a scenario for `synod test`",
                more: "The scenario has been played. It expects the violations of the run; without violations, the values of the variables. \
                       A file gets the program and the scenario; without a file, the scenario is shown.",
                example: ".scenario mine.syn",
                run: files::scenario,
            },
        ],
    ),
    (
        "Session",
        &[
            Command {
                name: "help",
                args: "[COMMAND]",
                about: "list the commands, or explain one",
                more: "Commands may be abbreviated to an unambiguous prefix, and may begin with a colon instead.",
                example: ".help why",
                run: help,
            },
            Command {
                name: "quit",
                args: "",
                about: "leave",
                more: "Ctrl-D does the same.",
                example: ".quit",
                run: quit,
            },
        ],
    ),
];

pub fn all() -> impl Iterator<Item = &'static Command> {
    THEMES.iter().flat_map(|(_, commands)| commands.iter())
}

/// Find the command of this name, or the only one with this prefix.
///
/// # Errors
/// If there is none, or several.
pub fn find(name: &str) -> Result<&'static Command, Failure> {
    if let Some(exact) = all().find(|command| command.name == name) {
        return Ok(exact);
    }
    let begin: Vec<&Command> = all().filter(|c| !name.is_empty() && c.name.starts_with(name)).collect();
    match begin.as_slice() {
        [only] => Ok(only),
        [] => {
            let known: Vec<String> = all().map(|command| command.name.to_string()).collect();
            let hint = match prose::nearest(name, &known) {
                Some(near) => format!("did you mean .{near}?"),
                None => ".help lists the commands".into(),
            };
            Err(Failure::usage(format!("there is no command .{name}")).hint(hint))
        }
        several => {
            let names: Vec<String> = several.iter().map(|command| format!(".{}", command.name)).collect();
            Err(Failure::usage(format!(".{name} is ambiguous: {}", names.join(", "))))
        }
    }
}

fn help(room: &mut CommandContext, text: &str) -> CommandResult {
    if !text.is_empty() {
        let command = find(text.trim_start_matches(['.', ':']))?;
        room.out.line(room.out.bold(format!(".{} {}", command.name, command.args).trim_end()))?;
        room.out.line(format!("  {}", capital(command.about)))?;
        for line in wrapped(command.more, 96) {
            room.out.line(format!("  {line}"))?;
        }
        room.out.line(format!("  Example: {}", command.example))?;
        return Ok(Transition::Stay);
    }
    let usage = |command: &Command| format!(".{} {}", command.name, command.args).trim_end().to_string();
    let widest = all().map(|command| usage(command).chars().count()).max().unwrap_or(0);
    for (theme, commands) in THEMES {
        room.out.line(room.out.bold(theme))?;
        for command in *commands {
            room.out.line(format!("  {}  {}", prose::padded(usage(command), widest), command.about))?;
        }
    }
    room.out.line(room.out.bold("Other entries"))?;
    room.out.line("  an expression, such as p3.leader or count p: p.leader: it is evaluated in the current configuration")?;
    room.out.line("  a clause, such as var x : Int or on M(j) -> …: it is added, or replaces the clause of the same name; an empty line ends it; .drop removes a clause")?;
    Ok(Transition::Stay)
}

fn quit(_: &mut CommandContext, _: &str) -> CommandResult {
    Ok(Transition::Leave)
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        if let Some(last) = lines.last_mut() {
            if last.is_empty() || last.chars().count() + word.chars().count() < width {
                *last = format!("{last} {word}").trim_start().to_string();
            } else {
                lines.push(word.into());
            }
        }
    }
    lines
}
