//! Values of parameters as texts: `entries=2`.

use crate::ir::{Program, Type, Value};

/// Parse a value of the given type.
///
/// # Errors
/// A description of the expected value: `a number`.
pub fn parse(program: &Program, ty: &Type, text: &str) -> Result<Value, String> {
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
            let cases = program.enums.get(*which as usize).map(|e| e.cases.as_slice()).unwrap_or_default();
            let case = cases.iter().position(|case| case == text);
            case.map(|case| Value::Case(*which, case as u32))
                .ok_or_else(|| format!("one of {}", cases.join(", ")))
        }
        Type::Option(_) if text == "none" => Ok(Value::None),
        Type::Option(inner) => parse(program, inner, text).map_err(|wanted| format!("{wanted}, or none")),
        Type::List(inner) => {
            let items = within(text, '[', ']').ok_or("a list such as [1, 2]")?;
            let items: Result<Vec<Value>, String> =
                items.iter().map(|item| parse(program, inner, item)).collect();
            Ok(Value::list(items?))
        }
        Type::Set(inner) => {
            let items = within(text, '{', '}').ok_or("a set such as {1, 2}")?;
            let items: Result<Vec<Value>, String> =
                items.iter().map(|item| parse(program, inner, item)).collect();
            Ok(Value::set(items?))
        }
        Type::Tuple(types) => {
            let items = within(text, '(', ')').filter(|items| items.len() == types.len());
            let items = items.ok_or_else(|| format!("a tuple of {} values in parentheses", types.len()))?;
            let values: Result<Vec<Value>, String> =
                types.iter().zip(items).map(|(ty, item)| parse(program, ty, item)).collect();
            Ok(Value::tuple(values?))
        }
        Type::Map(keys, values) => {
            let items = within(text, '{', '}').ok_or("a map such as {1: 2}")?;
            let pair = |item: &&str| -> Result<(Value, Value), String> {
                let (key, value) = item.split_once(':').ok_or("a map such as {1: 2}")?;
                Ok((parse(program, keys, key)?, parse(program, values, value)?))
            };
            let pairs: Result<Vec<_>, String> = items.iter().map(pair).collect();
            Ok(Value::map(pairs?))
        }
        Type::Value => {
            Ok(text.parse().map(Value::Int).unwrap_or_else(|_| Value::Text(text.trim_matches('"').into())))
        }
        Type::Port | Type::Process | Type::Event | Type::Record(_) | Type::Unknown(_) => {
            Err("a value of another type: this type has no notation on the command line".into())
        }
    }
}

/// Split the text between brackets at its commas, except for those in inner brackets.
fn within(text: &str, open: char, close: char) -> Option<Vec<&str>> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?.trim();
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner.is_empty() {
        parts.push(inner[start..].trim());
    }
    Some(parts)
}
