//! The choices of one step as text, sufficient to replay it: `deliver 4 alt 2 choose 0,1`.
//!
//! ```text
//! start · wakeup · deliver CHANNEL[+POSITION] · gather · internal · round NUMBER · move[ last]
//! call OPERATION[ VALUE …] · note-to PROCESS · note-from PROCESS · timeout · crash · restart
//! lose CHANNEL[+POSITION] · duplicate CHANNEL[+POSITION] · cut LINK · suspect PROCESS · trust PROCESS · mislead · set-right
//!                               then, where not 0 or none: alt K   choose K,K,…   crash-after SENDS[,K,…]   wait TIME
//! ```
//! In rounds, the choices after a crash state for each unsent message whether it is sent (1) or not (0). Arguments of
//! calls have a format of their own that states the type of each number: `3` an Int, `#3` an Id, `^3` a Port, `%3` a
//! process, `!3` an event, `_` none, `?t` `?f` Booleans, `=2.1` case 1 of enumeration 2, `"…"` a text, `(…)` a tuple,
//! `r2(…)` a record, `m2(…)` a message, `[…]` a list, `{…}` a set, `<k v …>` a map.

use crate::ids::{ChannelId, ProcessId};
use crate::ir::Value;
use crate::semantics::event::{CRASH, Cause, Event};
use smallvec::SmallVec;
use std::fmt::Write;

/// Maximum nesting depth of values, since the parser recurses; no program produces deeper ones.
const MAX_DEPTH: usize = 64;

/// An [`Event`] without its process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Time that passes before the step.
    pub wait: u64,
    pub cause: Cause,
    pub alternative: u32,
    /// The choices, including a crash within the command, as in [`Event`].
    pub choices: SmallVec<[u32; 2]>,
}

impl Choice {
    pub fn of(event: &Event) -> Choice {
        let Event { wait, cause, alternative, choices, .. } = event.clone();
        Choice { wait, cause, alternative, choices }
    }

    pub fn at(self, process: ProcessId) -> Event {
        let Choice { wait, cause, alternative, choices } = self;
        Event { process, wait, cause, alternative, choices }
    }

    pub fn show(&self) -> String {
        let mut text = match &self.cause {
            Cause::Start => "start".into(),
            Cause::Wakeup => "wakeup".into(),
            Cause::Deliver { channel, position } => format!("deliver {}", place(*channel, *position)),
            Cause::Lose { channel, position } => format!("lose {}", place(*channel, *position)),
            Cause::Duplicate { channel, position } => format!("duplicate {}", place(*channel, *position)),
            Cause::Timeout => "timeout".into(),
            Cause::Elapse => "elapse".into(),
            Cause::Crash => "crash".into(),
            Cause::Restart => "restart".into(),
            Cause::Cut { link } => format!("cut {link}"),
            Cause::Suspect { of } => format!("suspect {}", of.0),
            Cause::Trust { of } => format!("trust {}", of.0),
            Cause::Mislead => "mislead".into(),
            Cause::EndMislead => "set-right".into(),
            Cause::Gather => "gather".into(),
            Cause::Internal => "internal".into(),
            Cause::Round { round } => format!("round {round}"),
            Cause::Move { last: true } => "move last".into(),
            Cause::Move { last: false } => "move".into(),
            Cause::Call { operation, args } => {
                let mut text = format!("call {operation}");
                for arg in args {
                    text.push(' ');
                    show_value(arg, &mut text);
                }
                text
            }
            Cause::SendNote { to } => format!("note-to {}", to.0),
            Cause::ReceiveNote { from } => format!("note-from {}", from.0),
        };
        if self.alternative != 0 {
            let _ = write!(text, " alt {}", self.alternative);
        }
        let crash = self.choices.iter().position(|choice| *choice >= CRASH);
        let (choices, crash) = self.choices.split_at(crash.unwrap_or(self.choices.len()));
        let list = |choices: &[u32]| choices.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        if !choices.is_empty() {
            let _ = write!(text, " choose {}", list(choices));
        }
        if let Some((sent, later)) = crash.split_first() {
            let _ = write!(text, " crash-after {}", sent - CRASH);
            if !later.is_empty() {
                let _ = write!(text, ",{}", list(later));
            }
        }
        if self.wait > 0 {
            let _ = write!(text, " wait {}", self.wait);
        }
        text
    }

    /// Parse the text of [`Choice::show`]; the error states what was expected.
    pub fn parse(text: &str) -> Result<Choice, String> {
        let mut p = Parser { rest: text };
        let cause = match p.word() {
            "start" => Cause::Start,
            "wakeup" => Cause::Wakeup,
            "gather" => Cause::Gather,
            "internal" => Cause::Internal,
            "round" => Cause::Round { round: p.spaced_number("a number after `round`")? },
            "move" => Cause::Move { last: p.eat(" last") },
            "deliver" => {
                let (channel, position) = p.place("a channel after `deliver`")?;
                Cause::Deliver { channel, position }
            }
            "lose" => {
                let (channel, position) = p.place("a channel after `lose`")?;
                Cause::Lose { channel, position }
            }
            "duplicate" => {
                let (channel, position) = p.place("a channel after `duplicate`")?;
                Cause::Duplicate { channel, position }
            }
            "timeout" => Cause::Timeout,
            "elapse" => Cause::Elapse,
            "crash" => Cause::Crash,
            "restart" => Cause::Restart,
            "cut" => Cause::Cut { link: p.spaced_number("a link after `cut`")? },
            "suspect" => Cause::Suspect { of: ProcessId(p.spaced_number("a process after `suspect`")?) },
            "trust" => Cause::Trust { of: ProcessId(p.spaced_number("a process after `trust`")?) },
            "mislead" => Cause::Mislead,
            "set-right" => Cause::EndMislead,
            "call" => {
                let operation = p.spaced_number("an operation after `call`")?;
                let mut args = Vec::new();
                let ends = [" alt ", " choose ", " crash-after ", " wait "];
                while !p.rest.is_empty() && !ends.iter().any(|end| p.rest.starts_with(end)) {
                    p.expect(" ")?;
                    args.push(p.value(0)?);
                }
                Cause::Call { operation, args }
            }
            "note-to" => Cause::SendNote { to: ProcessId(p.spaced_number("a process after `note-to`")?) },
            "note-from" => {
                Cause::ReceiveNote { from: ProcessId(p.spaced_number("a process after `note-from`")?) }
            }
            other => {
                return Err(format!(
                    "unknown step `{other}` (start, wakeup, deliver, gather, internal, round, move, call, note-to, note-from, timeout, crash, restart, lose, duplicate, cut, suspect, trust, mislead, set-right)"
                ));
            }
        };
        let alternative = match p.eat(" alt ") {
            true => p.number("a number after `alt`")?,
            false => 0,
        };
        let mut choices = SmallVec::new();
        if p.eat(" choose ") {
            choices.push(p.choice("a number after `choose`")?);
            while p.eat(",") {
                choices.push(p.choice("a number after `,`")?);
            }
        }
        if p.eat(" crash-after ") {
            let sent: u32 = p.number("a number of messages after `crash-after`")?;
            choices.push(sent.checked_add(CRASH).ok_or("a step cannot send so many messages")?);
            while p.eat(",") {
                choices.push(p.choice("a number after `,`")?);
            }
        }
        let wait = match p.eat(" wait ") {
            true => p.number("a time after `wait`")?,
            false => 0,
        };
        match p.rest {
            "" => Ok(Choice { wait, cause, alternative, choices }),
            rest => Err(format!("unexpected `{rest}`")),
        }
    }
}

/// Return `4`, or `4+1` for a message after the first.
fn place(channel: ChannelId, position: u32) -> String {
    match position {
        0 => channel.0.to_string(),
        position => format!("{}+{position}", channel.0),
    }
}

fn show_value(value: &Value, out: &mut String) {
    let _ = match value {
        Value::None => write!(out, "_"),
        Value::Bool(b) => write!(out, "?{}", if *b { 't' } else { 'f' }),
        Value::Int(i) => write!(out, "{i}"),
        Value::Id(i) => write!(out, "#{i}"),
        Value::Port(i) => write!(out, "^{i}"),
        Value::Process(i) => write!(out, "%{i}"),
        Value::Event(i) => write!(out, "!{i}"),
        Value::Case(e, c) => write!(out, "={e}.{c}"),
        Value::Text(t) => {
            out.push_str(&super::show::quoted(t));
            Ok(())
        }
        Value::Tuple(parts) => return show_all("(", parts.iter(), ")", out),
        Value::Record(r, parts) => return show_all(&format!("r{r}("), parts.iter(), ")", out),
        Value::Message(m, parts) => return show_all(&format!("m{m}("), parts.iter(), ")", out),
        Value::List(parts) => return show_all("[", parts.iter(), "]", out),
        Value::Set(parts) => return show_all("{", parts.iter(), "}", out),
        Value::Map(map) => return show_all("<", map.iter().flat_map(|(k, v)| [k, v]), ">", out),
    };
}

fn show_all<'a>(open: &str, parts: impl Iterator<Item = &'a Value>, close: &str, out: &mut String) {
    out.push_str(open);
    for (i, part) in parts.enumerate() {
        if i > 0 {
            out.push(' ');
        }
        show_value(part, out);
    }
    out.push_str(close);
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        match self.eat(text) {
            true => Ok(()),
            false => Err(format!("expected `{text}` before `{}`", self.rest)),
        }
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(' ').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn number<T: std::str::FromStr + ToString>(&mut self, what: &str) -> Result<T, String> {
        let digit = |(i, c): &(usize, char)| c.is_ascii_digit() || (*i == 0 && *c == '-');
        let end = self.rest.char_indices().take_while(digit).count();
        let (digits, rest) = self.rest.split_at(end);
        let number: Option<T> = digits.parse().ok();
        // Only the canonical form, so that the text written equals the text read: no `-0`, no leading zeros.
        match number.filter(|n| n.to_string() == digits) {
            Some(number) => {
                self.rest = rest;
                Ok(number)
            }
            None => Err(format!("expected {what}, not `{}`", self.rest)),
        }
    }

    /// Parse a choice among several possibilities.
    fn choice(&mut self, what: &str) -> Result<u32, String> {
        match self.number(what)? {
            choice if choice >= CRASH => Err("the choice is too large".into()),
            choice => Ok(choice),
        }
    }

    fn spaced_number<T: std::str::FromStr + ToString>(&mut self, what: &str) -> Result<T, String> {
        match self.eat(" ") {
            true => self.number(what),
            false => Err(format!("expected {what}")),
        }
    }

    /// Parse a channel, and a position in it.
    fn place(&mut self, what: &str) -> Result<(ChannelId, u32), String> {
        let channel = ChannelId(self.spaced_number(what)?);
        let position = match self.eat("+") {
            true => self.number("a position after `+`")?,
            false => 0,
        };
        Ok((channel, position))
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!("a value is nested more than {MAX_DEPTH} deep"));
        }
        let what = "a number";
        let Some(first) = self.rest.chars().next() else {
            return Err("expected a value at the end".into());
        };
        if first == '-' || first.is_ascii_digit() {
            return Ok(Value::Int(self.number(what)?));
        }
        if first == '"' {
            let (text, rest) = super::show::unquoted(self.rest)?;
            self.rest = rest;
            return Ok(Value::Text(text.into()));
        }
        self.rest = &self.rest[first.len_utf8()..];
        Ok(match first {
            '_' => Value::None,
            '?' if self.eat("t") => Value::Bool(true),
            '?' if self.eat("f") => Value::Bool(false),
            '#' => Value::Id(self.number(what)?),
            '^' => Value::Port(self.number(what)?),
            '%' => Value::Process(self.number(what)?),
            '!' => Value::Event(self.number(what)?),
            '=' => {
                let of = self.number(what)?;
                self.expect(".")?;
                Value::Case(of, self.number(what)?)
            }
            '(' => Value::tuple(self.values(")", depth)?),
            'r' | 'm' => {
                let of = self.number(what)?;
                self.expect("(")?;
                let parts = self.values(")", depth)?.into();
                match first {
                    'r' => Value::Record(of, parts),
                    _ => Value::Message(of, parts),
                }
            }
            '[' => Value::list(self.values("]", depth)?),
            '{' => Value::set(self.values("}", depth)?),
            '<' => {
                let parts = self.values(">", depth)?;
                if parts.len() % 2 == 1 {
                    return Err("a map has a key without a value".into());
                }
                let pairs = parts.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone()));
                Value::map(pairs)
            }
            other => return Err(format!("`{other}` does not begin a value")),
        })
    }

    fn values(&mut self, close: &str, depth: usize) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        while !self.eat(close) {
            if self.rest.is_empty() {
                return Err(format!("`{close}` is missing at the end"));
            }
            if !values.is_empty() {
                self.expect(" ")?;
            }
            values.push(self.value(depth + 1)?);
        }
        Ok(values)
    }
}

/// Serialization of a choice as its text, for serde.
pub mod text_form {
    use super::Choice;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(choice: &Choice, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&choice.show())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Choice, D::Error> {
        Choice::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}
