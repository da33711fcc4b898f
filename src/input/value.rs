//! Values as texts, in the notation in which Synod shows them: `entries=2` on the command line, initial values in a trace.

use crate::ids::ProcessId;
use crate::ir::show::Show;
use crate::ir::{Program, Type, Value};
use crate::network::Network;
use crate::trace::show::unquoted;

/// Parse a value of the given type.
///
/// # Errors
/// A description of the expected value: `a number`.
pub fn parse(program: &Program, ty: &Type, text: &str) -> Result<Value, String> {
    Reader { program, at: None }.value(ty, text)
}

/// Parse a value of a process, which may name ports of the process by the processes that they lead to.
///
/// # Errors
/// As in [`parse`].
pub fn parse_at(
    program: &Program,
    (network, process): (&Network, ProcessId),
    ty: &Type,
    text: &str,
) -> Result<Value, String> {
    Reader { program, at: Some((network, process)) }.value(ty, text)
}

struct Reader<'a> {
    program: &'a Program,
    /// The process whose ports a text can name.
    at: Option<(&'a Network, ProcessId)>,
}

impl Reader<'_> {
    fn value(&self, ty: &Type, text: &str) -> Result<Value, String> {
        let text = text.trim();
        let number = || text.parse::<i64>().map_err(|_| "a number".to_string());
        match ty {
            Type::Int => Ok(Value::Int(number()?)),
            Type::Id => Ok(Value::Id(number()?)),
            Type::Bool => match text {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err("true or false".into()),
            },
            Type::Enum(which) => {
                let cases = self.program.enums.get(*which as usize).map(|e| e.cases.as_slice());
                let cases = cases.unwrap_or_default();
                let case = cases.iter().position(|case| case == text);
                case.map(|case| Value::Case(*which, case as u32))
                    .ok_or_else(|| format!("one of {}", cases.join(", ")))
            }
            Type::Option(_) if text == "none" => Ok(Value::None),
            Type::Option(inner) => self.value(inner, text).map_err(|wanted| format!("{wanted}, or none")),
            Type::List(inner) => {
                let items = within(text, '[', ']').ok_or("a list such as [1, 2]")?;
                Ok(Value::list(self.all(inner, items)?))
            }
            Type::Set(inner) => {
                let items = within(text, '{', '}').ok_or("a set such as {1, 2}")?;
                Ok(Value::set(self.all(inner, items)?))
            }
            Type::Tuple(types) => {
                let parts = self.parts(types.iter(), text)?;
                Ok(Value::tuple(
                    parts.ok_or_else(|| format!("a tuple of {} values in parentheses", types.len()))?,
                ))
            }
            Type::Map(..) if text == "{:}" => Ok(Value::map(Vec::new())),
            Type::Map(keys, values) => {
                let items = within(text, '{', '}').ok_or("a map such as {1: 2}")?;
                let pair = |item: &&str| -> Result<(Value, Value), String> {
                    let [key, value] = separated(item, ':')[..] else {
                        return Err("a map such as {1: 2}".into());
                    };
                    Ok((self.value(keys, key)?, self.value(values, value)?))
                };
                let pairs: Result<Vec<_>, String> = items.iter().map(pair).collect();
                Ok(Value::map(pairs?))
            }
            Type::Value => Ok(match (text.parse(), unquoted(text)) {
                (Ok(number), _) => Value::Int(number),
                (Err(_), Ok((text, ""))) => Value::Text(text.into()),
                _ => Value::Text(text.trim_matches('"').into()),
            }),
            Type::Port if self.at.is_some() => {
                self.port(text).map(Value::Port).ok_or_else(|| "a port".to_string())
            }
            Type::Record(record) if self.at.is_some() => {
                let record_type = &self.program.records[*record as usize];
                let fields = record_type.fields.iter().map(|(_, ty)| ty);
                let parts = text.strip_prefix(record_type.name.as_str()).map(|text| self.parts(fields, text));
                let parts = parts.transpose()?.flatten();
                let parts = parts.ok_or_else(|| format!("a record {}", record_type.name))?;
                Ok(Value::Record(*record, parts.into()))
            }
            Type::Port | Type::Process | Type::Event | Type::Record(_) | Type::Unknown(_) => {
                Err("a value of another type: this type has no notation on the command line".into())
            }
        }
    }

    fn all(&self, ty: &Type, items: Vec<&str>) -> Result<Vec<Value>, String> {
        items.into_iter().map(|item| self.value(ty, item)).collect()
    }

    /// Parse values in parentheses. `None`: their number differs from that of the types.
    fn parts<'t>(
        &self,
        types: impl ExactSizeIterator<Item = &'t Type>,
        text: &str,
    ) -> Result<Option<Vec<Value>>, String> {
        let items = within(text, '(', ')').filter(|items| items.len() == types.len());
        items.map(|items| types.zip(items).map(|(ty, item)| self.value(ty, item)).collect()).transpose()
    }

    fn port(&self, text: &str) -> Option<i64> {
        let (network, process) = self.at?;
        let show = Show::new(self.program).at(network, process);
        (0..network.ports(process).len() as i64).find(|port| show.port(*port) == text)
    }
}

/// Split the text between brackets at its commas, except for those in inner brackets and in quotes.
fn within(text: &str, open: char, close: char) -> Option<Vec<&str>> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?.trim();
    Some(if inner.is_empty() { Vec::new() } else { separated(inner, ',') })
}

/// Split the text at a separator, except in inner brackets and in quotes.
fn separated(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_quoted,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
