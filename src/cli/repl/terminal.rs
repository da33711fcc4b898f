//! Entries at a terminal: line editing, completion, colours, history.

use super::names::Names;
use super::{commands, paint};
use crate::cli::exit::{Failure, os_message};
use crate::cli::output::Output;
use crate::syntax::typed::{Typed, classify, is_complete_on_line, is_incomplete};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, SearchDirection};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// The greatest number of lines in the history, which all sessions share.
const MOST_LINES: usize = 10_000;

pub struct Terminal {
    editor: Editor<Assistant, FileHistory>,
    history: Option<PathBuf>,
    color: bool,
}

impl Terminal {
    pub fn new(out: &Output) -> Result<Terminal, Failure> {
        let config = Config::builder()
            .max_history_size(MOST_LINES)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(unusable)?
            .completion_type(CompletionType::List)
            .build();
        let mut editor: Editor<Assistant, FileHistory> = Editor::with_config(config).map_err(unusable)?;
        let color = out.look.color;
        editor.set_helper(Some(Assistant {
            names: Names::default(),
            files: FilenameCompleter::new(),
            color,
        }));
        let history = history_file();
        if let Some(file) = &history {
            // The first session has none.
            let _ = editor.load_history(file);
        }
        Ok(Terminal { editor, history, color })
    }

    /// Read an entry; None at Ctrl-D.
    pub fn read(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        loop {
            let read = match self.color {
                true => {
                    let coloured = format!("\x1b[1;32m{prompt}\x1b[0m");
                    self.editor.readline(&(prompt, coloured.as_str()))
                }
                false => self.editor.readline(prompt),
            };
            match read {
                Ok(line) => {
                    if !line.trim().is_empty() {
                        self.remember(line.trim_end());
                    }
                    return Ok(Some(line));
                }
                // Ctrl-C discards the line.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(unusable(error)),
            }
        }
    }

    pub fn learn(&mut self, names: Names) {
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.names = names;
        }
    }

    pub fn learn_branches(&mut self, branches: Vec<String>) {
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.names.branches = branches;
        }
    }

    /// Append a line to the history, and at once to its file, since the session may end abnormally. Errors are ignored: a session works
    /// without a history.
    fn remember(&mut self, line: &str) {
        let _ = self.editor.add_history_entry(line);
        let Some(file) = &self.history else { return };
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = self.editor.append_history(file);
    }
}

fn unusable(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        ReadlineError::Io(error) => {
            Failure::usage(format!("the terminal cannot be used: {}", os_message(&error)))
        }
        error => Failure::usage(format!("the terminal cannot be used: {error}")),
    }
}

/// Return the file of the history, in the platform's folder for such state; None if the environment does not specify it.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        let set = std::env::var_os(name).map(PathBuf::from);
        set.filter(|path| path.is_absolute())
    };
    let state = match std::env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("XDG_STATE_HOME")
            .or_else(|| folder("HOME").map(|home| home.join("Library").join("Application Support"))),
        _ => {
            folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local").join("state")))
        }
    };
    Some(state?.join("synod").join("repl_history"))
}

/// Helper for line editing: completion, hints, colours, validation.
struct Assistant {
    names: Names,
    files: FilenameCompleter,
    color: bool,
}

impl Helper for Assistant {}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..pos];
        let command = typed.trim_start();
        if let Some(rest) = command.strip_prefix(['.', ':']) {
            let start = pos - rest.len();
            let Some((name, args)) = rest.split_once(char::is_whitespace) else {
                let all: Vec<String> = commands::all().map(|command| command.name.to_string()).collect();
                return Ok((start, offered(&all, rest)));
            };
            let name = commands::find(name).map_or("", |command| command.name);
            let last = args.rfind([' ', ',']).map_or(args, |at| &args[at + 1..]);
            let whole = args.trim_start();
            match name {
                "load" | "replay" | "write" | "save" | "scenario" => {
                    let (start, mut files) = self.files.complete(line, pos, context)?;
                    if name == "load" && !whole.contains(['/', '.']) {
                        files.extend(offered(&self.names.library, whole));
                    }
                    return Ok((start, files));
                }
                "help" => {
                    let all: Vec<String> = commands::all().map(|command| command.name.to_string()).collect();
                    return Ok((pos - whole.len(), offered(&all, whole)));
                }
                "schedule" => return Ok((pos - whole.len(), offered(&self.names.schedules, whole))),
                "on" => return Ok((pos - whole.len(), offered(&self.names.topologies, whole))),
                "set" => return Ok((pos - whole.len(), offered(&self.names.parameters, whole))),
                "drop" => return Ok((pos - whole.len(), offered(&self.names.clauses, whole))),
                "fork" | "compare" => return Ok((pos - whole.len(), offered(&self.names.branches, whole))),
                "ids" => {
                    return Ok((
                        pos - whole.len(),
                        offered_words(&["ascending", "descending", "random", "worst"], whole),
                    ));
                }
                "daemon" => {
                    return Ok((
                        pos - whole.len(),
                        offered_words(&["central", "synchronous", "distributed"], whole),
                    ));
                }
                "state" | "channels" | "fire" | "initiators" => {
                    return Ok((pos - last.len(), offered(&self.names.processes, last)));
                }
                "whynot" if !whole.contains(" at ") => {
                    return Ok((pos - whole.len(), offered(&self.names.actions, whole)));
                }
                "whynot" => return Ok((pos - last.len(), offered(&self.names.processes, last))),
                _ => {}
            }
        }
        let start = typed.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let word = &typed[start..];
        if let Some(before) = typed[..start].strip_suffix('.') {
            let owner = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            let position = self.names.processes.iter().position(|name| *name == before[owner..]);
            // A bound name may stand for any process.
            let mut members: Vec<String> = match position {
                Some(p) => self.names.members.get(p).cloned().unwrap_or_default(),
                None => self.names.members.concat(),
            };
            members.sort_unstable();
            members.dedup();
            return Ok((start, offered(&members, word)));
        }
        if word.is_empty() {
            return Ok((start, Vec::new()));
        }
        let mut all = offered(&self.names.words, word);
        all.extend(offered(&self.names.processes, word));
        Ok((start, all))
    }
}

fn offered(all: &[String], begin: &str) -> Vec<Pair> {
    let fitting = all.iter().filter(|name| name.starts_with(begin));
    fitting.map(|name| Pair { display: name.clone(), replacement: name.clone() }).collect()
}

fn offered_words(all: &[&str], begin: &str) -> Vec<Pair> {
    offered(&all.iter().map(|word| word.to_string()).collect::<Vec<_>>(), begin)
}

impl Hinter for Assistant {
    type Hint = String;

    /// Return the arguments of a command; otherwise the rest of the last line with this prefix.
    fn hint(&self, line: &str, pos: usize, context: &Context<'_>) -> Option<String> {
        if pos < line.len() || line.trim().is_empty() || line.contains('\n') {
            return None;
        }
        if let Some(typed) = line.strip_prefix(['.', ':'])
            && let Some(command) = commands::all().find(|command| command.name == typed.trim_end())
        {
            let space = if typed.ends_with(' ') { "" } else { " " };
            return Some(format!("{space}{}", command.args)).filter(|_| !command.args.is_empty());
        }
        let history = context.history();
        let last = history.len().checked_sub(1)?;
        let found = history.starts_with(line, last, SearchDirection::Reverse).ok()??;
        let rest = found.entry.get(line.len()..)?.lines().next()?;
        Some(rest.to_string()).filter(|rest| !rest.is_empty())
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.color { Cow::Owned(paint::line(line)) } else { Cow::Borrowed(line) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color { Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")) } else { Cow::Borrowed(hint) }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.color
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        Ok(if is_complete(text) { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

/// Whether an entry is complete. A clause with a body ends with an empty line, unless it ends on its first line; any other entry ends when
/// no bracket is open. An open entry ends with an empty line too; an open clause, which may contain empty lines, with two.
fn is_complete(text: &str) -> bool {
    if text.trim_start().starts_with(['.', ':']) || text.ends_with("\n\n") {
        return true;
    }
    let ended = text.contains('\n') && text.rsplit('\n').next().is_some_and(|last| last.trim().is_empty());
    match classify(text) {
        Typed::Nothing | Typed::Statement => true,
        Typed::Expression if is_incomplete(text) => ended,
        _ if is_incomplete(text) => ended && text.trim_end().lines().count() + 1 < text.lines().count(),
        Typed::Clause { body: true } => ended || is_complete_on_line(text),
        Typed::Clause { body: false } | Typed::Expression => true,
    }
}
