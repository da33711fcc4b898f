//! The commands by name, and what `.help` says of them.

use super::{Done, Next, Room, entries, files, moves, observations, questions, settings, views};
use crate::check::prose;
use crate::cli::exit::Failure;

/// One command.
pub struct Command {
    pub name: &'static str,
    pub args: &'static str,
    /// In a few words.
    pub about: &'static str,
    /// More, in sentences.
    pub more: &'static str,
    pub example: &'static str,
    pub run: fn(&mut Room<'_, '_>, &str) -> Done,
}

/// All of them, by theme.
pub const THEMES: &[(&str, &[Command])] = &[
    (
        "Go",
        &[
            Command {
                name: "step",
                args: "[N]",
                about: "take a step, or N",
                more: "The schedule chooses. After .back, the recorded steps are taken again first. Where several processes step \
                       together, they are one step. An empty line repeats it.",
                example: ".step 5",
                run: moves::step,
            },
            Command {
                name: "run",
                args: "[N]",
                about: "run to the end, or N steps",
                more: "Stops at breakpoints, where a property is violated, and at Ctrl-C; .run goes on then.",
                example: ".run",
                run: moves::run,
            },
            Command {
                name: "enabled",
                args: "[N|all]",
                about: "list what can happen next",
                more: "With every choice in the course of the command, and what would come of it.",
                example: ".enabled",
                run: moves::enabled,
            },
            Command {
                name: "fire",
                args: "N|PROCESS",
                about: "take a step of the list",
                more: "N is its number in .enabled; the name of a process will do where it can take only one. What was recorded \
                       ahead is forgotten; .undo brings it back, .fork keeps it.",
                example: ".fire 2",
                run: moves::fire,
            },
            Command {
                name: "back",
                args: "[N]",
                about: "go back a step, or N",
                more: "What has been run stays recorded: .step goes there again. An empty line repeats it.",
                example: ".back 3",
                run: moves::back,
            },
            Command {
                name: "goto",
                args: "N|end",
                about: "go to where N events have happened",
                more: "Beyond the recorded events it runs on.",
                example: ".goto 0",
                run: moves::goto,
            },
            Command {
                name: "break",
                args: "[when] EXPR",
                about: "stop where EXPR becomes true",
                more: "Looked at after each step. .delete N removes it.",
                example: ".break when (count p: p.leader) > 1",
                run: questions::break_when,
            },
            Command {
                name: "watch",
                args: "EXPR",
                about: "say when EXPR changes",
                more: "Looked at after each step. .delete N removes it.",
                example: ".watch messages",
                run: questions::watch,
            },
            Command {
                name: "breaks",
                args: "",
                about: "list what is looked at",
                more: "Breakpoints and watches, with their values here.",
                example: ".breaks",
                run: questions::breaks,
            },
            Command {
                name: "delete",
                args: "N",
                about: "remove a break or watch",
                more: "By its number.",
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
                more: "In full: variables, where it waits, its ports, what is on its way to it. `p3` alone does the same.",
                example: ".state p3",
                run: views::state,
            },
            Command {
                name: "channels",
                args: "[PROCESS]",
                about: "show the messages under way",
                more: "In the order of each channel, the next to arrive first.",
                example: ".channels",
                run: views::channels,
            },
            Command {
                name: "diff",
                args: "[N]",
                about: "show what has changed since the last move, or since @N",
                more: "Variables, and messages sent and taken.",
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
                more: "Processes side by side, time downwards, messages as arrows. Into a file .svg as a picture, into .html as a page \
                       to step through the run.",
                example: ".draw run.html",
                run: views::draw,
            },
            Command {
                name: "properties",
                args: "",
                about: "judge the properties as things stand",
                more: "What can only be said at the end is pending until then.",
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
                about: "say where a value or message comes from",
                more: "Back from the event that set it: what that was an answer to, who sent it and why, to the source.",
                example: ".why p3.leader",
                run: questions::why,
            },
            Command {
                name: "whynot",
                args: "ACTION [at PROCESS]",
                about: "say why an action cannot happen now",
                more: "The part of the guard that is false, the message that is missing or behind another, the state it is in \
                       instead. A part of the action's name will do.",
                example: ".whynot on Ack at p2",
                run: questions::whynot,
            },
            Command {
                name: "before",
                args: "EVENT EVENT",
                about: "say whether one event happened before another",
                more: "Lamport's relation, with a chain of events that shows it, and both clocks.",
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
                about: "say whether a cut is consistent, and show its global state",
                more: "So many events of each process (3,2,4 or p0:3,p1:2), or its last events (e12,e9). Names the messages that cross \
                       it backwards.",
                example: ".cut 1,1,0",
                run: observations::cut,
            },
            Command {
                name: "cuts",
                args: "[N]",
                about: "count the consistent cuts and the linearizations, or list N cuts",
                more: "Of the run so far, exactly. A list goes level by level.",
                example: ".cuts 20",
                run: observations::cuts,
            },
            Command {
                name: "linearizations",
                args: "[N]",
                about: "list linearizations of the run so far, 20 or N",
                more: "Orders of its events that agree with happened-before. .cuts says how many there are.",
                example: ".linearizations 5",
                run: observations::linearizations,
            },
            Command {
                name: "order",
                args: "EVENT …",
                about: "say whether an order of the events is a run, and a linearization",
                more: "All events of the histories, in the order in question. If it is none: which event stands too early.",
                example: ".order p0:1 p1:1 p0:2",
                run: observations::order,
            },
            Command {
                name: "reach",
                args: "CUT CUT",
                about: "say whether a global state can be reached from another, and in how many ways",
                more: "Cuts as for .cut, without blanks within them.",
                example: ".reach 1,0 2,1",
                run: observations::reach,
            },
            Command {
                name: "possibly",
                args: "EXPR",
                about: "does some observation of the run pass through a state where EXPR holds?",
                more: "Observations are the runs with the same events in any order that agrees with causality (Cooper and Marzullo).",
                example: ".possibly p0.critical and p1.critical",
                run: observations::possibly,
            },
            Command {
                name: "definitely",
                args: "EXPR",
                about: "does every observation of the run pass through such a state?",
                more: "If not, an observation is shown that avoids it.",
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
                more: "The branch that is left stays as it is, with what it has recorded ahead.",
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
                more: "Where the two part, and how they differ where they stand.",
                example: ".compare main",
                run: moves::compare,
            },
            Command {
                name: "undo",
                args: "",
                about: "take back a change of program, instance or run",
                more: "Clauses, settings, .load, and steps that another .fire has replaced.",
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
                about: "show the network, or take another one",
                more: "The run begins anew. As --on takes it.",
                example: ".on ring(8)",
                run: settings::on,
            },
            Command {
                name: "ids",
                args: "[IDS]",
                about: "show the ids, or give others",
                more: "A list, or ascending, descending, random, worst. The run begins anew.",
                example: ".ids 3,1,4,2",
                run: settings::ids,
            },
            Command {
                name: "initiators",
                args: "[PROCESSES]",
                about: "show who may start, or choose",
                more: "all, none, random, ids, or positions such as p0,p2. The run begins anew.",
                example: ".initiators p0",
                run: settings::initiators,
            },
            Command {
                name: "set",
                args: "[NAME=VALUE]",
                about: "show the parameters, or give one a value",
                more: "The run begins anew.",
                example: ".set entries=2",
                run: settings::set,
            },
            Command {
                name: "faults",
                args: "[BOUNDS|none]",
                about: "show what may go wrong, or choose",
                more: "As --faults takes it; .enabled lists the faults then. The run begins anew.",
                example: ".faults crash<=1",
                run: settings::faults,
            },
            Command {
                name: "daemon",
                args: "DAEMON",
                about: "choose who moves at the same time",
                more: "Where processes read their neighbours: central, synchronous, distributed. The run begins anew.",
                example: ".daemon synchronous",
                run: settings::daemon,
            },
            Command {
                name: "seed",
                args: "[N]",
                about: "show the seed, or take another one",
                more: "Of everything that is drawn by lot. The run begins anew.",
                example: ".seed 7",
                run: settings::seed,
            },
            Command {
                name: "schedule",
                args: "[SCHEDULE]",
                about: "show who chooses the steps, or let another one",
                more: "fifo, random, round-robin, adversary, priorities; from here on, what is recorded stays.",
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
                more: "The events so far happen again, as far as they go.",
                example: ".reload",
                run: files::reload,
            },
            Command {
                name: "source",
                args: "[WORD]",
                about: "show the program, or the lines with a word",
                more: "With the clauses that have been entered.",
                example: ".source elected",
                run: files::source,
            },
            Command {
                name: "drop",
                args: "CLAUSE",
                about: "take a clause out of the program",
                more: "By its name, with its kind in front where several have it (var leader), or by the head of a handler \
                       (on Ack, on Ack in relay). A state goes with its handlers. The events so far happen again, as far as they \
                       go; .undo brings the clause back.",
                example: ".drop on Ack in relay",
                run: entries::drop,
            },
            Command {
                name: "write",
                args: "[FILE]",
                about: "write the program to a file",
                more: "Without a name, to the file it was loaded from.",
                example: ".write mine.syn",
                run: files::write,
            },
            Command {
                name: "replay",
                args: "FILE",
                about: "open a trace or counterexample at its end",
                more: "Of `synod run --trace`, `synod verify --save`, or .save; on the network it was made on.",
                example: ".replay counterexample.trace",
                run: files::replay,
            },
            Command {
                name: "export",
                args: "FORM [FILE]",
                about: "write the run for another tool",
                more: "text, jsonl, itf, shiviz, mermaid, plantuml, perfetto, dot, tikz, csv.",
                example: ".export mermaid",
                run: observations::export,
            },
            Command {
                name: "save",
                args: "FILE",
                about: "write the run so far as a trace",
                more: ".jsonl: as JSON Lines. For .replay, `synod run --replay` and `synod trace`. A file .syn gets the program with the \
                       run as a scenario, as .scenario writes it.",
                example: ".save run.trace",
                run: files::save,
            },
            Command {
                name: "scenario",
                args: "[FILE]",
                about: "tell the run as a scenario that `synod test` plays",
                more: "It has been played before it is given out. It expects what is wrong here, else what the variables are. A file gets \
                       the program with it; without one it is shown.",
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
                more: "Commands may be cut short where it is clear which is meant, and begin with a colon instead.",
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

/// The command of this name, or the only one that begins like it.
///
/// # Errors
/// When there is none, or several.
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
            Err(Failure::usage(format!(".{name} may be any of {}", names.join(", "))))
        }
    }
}

fn help(room: &mut Room, text: &str) -> Done {
    if !text.is_empty() {
        let command = find(text.trim_start_matches(['.', ':']))?;
        room.out.line(room.out.bold(format!(".{} {}", command.name, command.args).trim_end()))?;
        room.out.line(format!("  {}", capital(command.about)))?;
        for line in wrapped(command.more, 96) {
            room.out.line(format!("  {line}"))?;
        }
        room.out.line(format!("  Example: {}", command.example))?;
        return Ok(Next::Stay);
    }
    let usage = |command: &Command| format!(".{} {}", command.name, command.args).trim_end().to_string();
    let widest = all().map(|command| usage(command).chars().count()).max().unwrap_or(0);
    for (theme, commands) in THEMES {
        room.out.line(room.out.bold(theme))?;
        for command in *commands {
            room.out.line(format!("  {}  {}", prose::padded(usage(command), widest), command.about))?;
        }
    }
    room.out.line(room.out.bold("Anything else"))?;
    room.out.line("  an expression, such as p3.leader or count p: p.leader, is answered here")?;
    room.out.line("  a clause, such as var x : Int or on M(j) -> …, is added or replaces its like; an empty line ends it; .drop takes one out")?;
    Ok(Next::Stay)
}

fn quit(_: &mut Room, _: &str) -> Done {
    Ok(Next::Leave)
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
