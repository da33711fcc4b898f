//! Values in the notation of the language, for messages to the user.

use crate::ir::{NONE_WORD, Program, Type, Value};
use std::fmt::Write;

/// The value as one would write it: `{1, 2}`, `Request(3)`, `none`. Processes by position: `p0`.
pub fn show(program: &Program, value: &Value) -> String {
    let mut text = String::new();
    write_value(program, value, &mut text);
    text
}

/// A word of this type, as one would write it.
pub fn show_word(program: &Program, ty: &Type, word: i64) -> String {
    match ty {
        _ if !ty.is_word() => word.to_string(),
        Type::Option(_) if word == NONE_WORD => "none".into(),
        // An identifier, a port or a case has no value before it is assigned.
        Type::Id | Type::Port | Type::Enum(_) if word == NONE_WORD => "unset".into(),
        _ => show(program, &Value::from_word(ty, word)),
    }
}

fn write_value(program: &Program, value: &Value, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = match value {
        Value::None => write!(out, "none"),
        Value::Bool(b) => write!(out, "{b}"),
        Value::Int(w) | Value::Id(w) => write!(out, "{w}"),
        Value::Port(w) => write!(out, "port {w}"),
        Value::Process(w) => write!(out, "p{w}"),
        Value::Event(w) => write!(out, "event {w}"),
        Value::Case(of, case) => {
            let name = program.enums.get(*of as usize).and_then(|e| e.cases.get(*case as usize));
            write!(out, "{}", name.map_or("?", String::as_str))
        }
        Value::Text(text) => write!(out, "\"{text}\""),
        Value::Tuple(parts) => return write_all(program, "(", parts.iter(), ")", out),
        Value::Record(of, parts) => {
            let name = program.records.get(*of as usize);
            out.push_str(name.map_or("?", |r| r.name.as_str()));
            return write_all(program, "(", parts.iter(), ")", out);
        }
        Value::Message(kind, parts) => {
            let name = program.kinds.get(*kind as usize);
            out.push_str(name.map_or("?", |k| k.name.as_str()));
            if parts.is_empty() {
                return;
            }
            return write_all(program, "(", parts.iter(), ")", out);
        }
        Value::List(items) => return write_all(program, "[", items.iter(), "]", out),
        Value::Set(items) => return write_all(program, "{", items.iter(), "}", out),
        Value::Map(items) if items.is_empty() => write!(out, "{{:}}"),
        Value::Map(items) => {
            out.push('{');
            for (i, (key, item)) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_value(program, key, out);
                out.push_str(": ");
                write_value(program, item, out);
            }
            out.push('}');
            Ok(())
        }
    };
}

fn write_all<'a>(
    program: &Program,
    open: &str,
    items: impl Iterator<Item = &'a Value>,
    close: &str,
    out: &mut String,
) {
    out.push_str(open);
    for (i, item) in items.enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        write_value(program, item, out);
    }
    out.push_str(close);
}
