//! The source of entries: a terminal, or a script.

use super::names::Names;
use super::terminal::Terminal;
use crate::cli::exit::{Failure, Problem, os_message};
use crate::cli::output::Output;
use crate::session::timeline::Timeline;
use crate::syntax::typed::{Typed, classify, is_complete_on_line, is_incomplete};
use std::io::{self, BufRead, Read};

/// The greatest length of a line in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// An entry: a line, or the lines of a clause. Lines of scripts are counted from 1.
pub struct Line {
    pub number: usize,
    pub text: String,
}

/// An entry, or the number of a line that cannot be read and the problem.
pub type EntryResult = Result<Line, (usize, Problem)>;

pub enum Lines {
    Terminal(Box<Terminal>),
    Script(Script),
}

impl Lines {
    pub fn terminal(out: &Output) -> Result<Lines, Failure> {
        Ok(Lines::Terminal(Box::new(Terminal::new(out)?)))
    }

    pub fn script(echo: bool) -> Lines {
        Lines::Script(Script { echo, number: 0, ahead: None })
    }

    pub fn is_script(&self) -> bool {
        matches!(self, Lines::Script(_))
    }

    /// Return the next entry; None at the end of the input.
    pub fn next(&mut self, prompt: &str, out: &mut Output) -> Result<Option<EntryResult>, Failure> {
        match self {
            Lines::Terminal(terminal) => {
                let text = terminal.read(prompt)?;
                Ok(text.map(|text| Ok(Line { number: 0, text })))
            }
            Lines::Script(script) => script.entry(prompt, out),
        }
    }

    /// Set the names for completion.
    pub fn learn(&mut self, names: Names) {
        if let Lines::Terminal(terminal) = self {
            terminal.learn(names);
        }
    }

    pub fn learn_branches(&mut self, timeline: &Timeline) {
        if let Lines::Terminal(terminal) = self {
            terminal.learn_branches(timeline.branches().map(|(name, _)| name.to_string()).collect());
        }
    }
}

/// Commands on the standard input.
pub struct Script {
    echo: bool,
    /// Number of the last line that was read.
    number: usize,
    /// A line that was read ahead and belongs to the next entry.
    ahead: Option<Result<String, Problem>>,
}

impl Script {
    fn entry(&mut self, prompt: &str, out: &mut Output) -> Result<Option<EntryResult>, Failure> {
        let Some(first) = self.line()? else { return Ok(None) };
        let number = self.number;
        let mut text = match first {
            Ok(text) => text,
            Err(problem) => return Ok(Some(Err((number, problem)))),
        };
        let is_command = text.trim_start().starts_with(['.', ':']);
        let body = matches!(classify(&text), Typed::Clause { body: true });
        // A clause continues while a bracket is open, and over indented lines.
        while !is_command && !text.trim().is_empty() {
            let open = is_incomplete(&text);
            let Some(next) = self.peek()? else { break };
            let Ok(next) = next else { break };
            let inside = next.starts_with([' ', '\t']) && body && !is_complete_on_line(&text);
            let wanted = open && !next.trim().is_empty() && !next.starts_with('.');
            if !wanted && !inside {
                break;
            }
            if let Some(Ok(next)) = self.line()? {
                text = format!("{text}\n{next}");
            }
        }
        // The empty line that ends a clause belongs to it, as on a terminal: it does not take a step.
        let is_clause = !is_command && matches!(classify(&text), Typed::Clause { .. });
        if is_clause && matches!(self.peek()?, Some(Ok(next)) if next.trim().is_empty()) {
            self.line()?;
        }
        if self.echo {
            let mut shown = text.lines();
            out.line(format!("{prompt}{}", shown.next().unwrap_or_default()))?;
            for line in shown {
                out.line(format!("{}{line}", " ".repeat(prompt.chars().count())))?;
            }
            out.flush()?;
        }
        Ok(Some(Ok(Line { number, text })))
    }

    fn peek(&mut self) -> Result<Option<&Result<String, Problem>>, Failure> {
        if self.ahead.is_none() {
            self.ahead = read()?;
        }
        Ok(self.ahead.as_ref())
    }

    /// Return the next line that is not a comment.
    fn line(&mut self) -> Result<Option<Result<String, Problem>>, Failure> {
        loop {
            let line = match self.ahead.take() {
                Some(line) => Some(line),
                None => read()?,
            };
            self.number += usize::from(line.is_some());
            match &line {
                Some(Ok(text))
                    if text.trim_start().starts_with("//") && !text.trim_start().starts_with("///") => {}
                _ => return Ok(line),
            }
        }
    }
}

fn read() -> Result<Option<Result<String, Problem>>, Failure> {
    let mut bytes = Vec::new();
    let problem = |message: &str| Some(Err(Problem { message: message.into(), hint: None }));
    let mut stdin = io::stdin().lock();
    let read = stdin.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes);
    read.map_err(|error| Failure::usage(format!("cannot read the standard input: {}", os_message(&error))))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == MOST_BYTES && bytes.last() != Some(&b'\n') {
        stdin.skip_until(b'\n').ok();
        return Ok(problem("the line is longer than a megabyte, and was skipped"));
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => problem("the line contains a zero byte"),
        // Some editors write a byte order mark at the beginning of a file.
        Ok(text) => Some(Ok(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))),
        Err(_) => problem("the line is not UTF-8"),
    })
}
