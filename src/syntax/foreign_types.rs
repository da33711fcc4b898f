//! Type notations of other languages, and their equivalents in this one.

/// Names of collections in other languages, with the equivalent.
const COLLECTIONS: &[(&str, &str)] = &[
    ("set", "set"),
    ("hashset", "set"),
    ("treeset", "set"),
    ("btreeset", "set"),
    ("frozenset", "set"),
    ("subset", "set"),
    ("powerset", "set"),
    ("list", "list"),
    ("arraylist", "list"),
    ("linkedlist", "list"),
    ("seq", "list"),
    ("sequence", "list"),
    ("vec", "list"),
    ("vector", "list"),
    ("array", "list"),
    ("slice", "list"),
    ("stack", "list"),
    ("queue", "queue"),
    ("deque", "queue"),
    ("fifo", "queue"),
    ("map", "map"),
    ("dict", "map"),
    ("dictionary", "map"),
    ("hashmap", "map"),
    ("treemap", "map"),
    ("btreemap", "map"),
];

/// Names of option types in other languages.
const OPTIONS: &[&str] = &["option", "optional", "maybe", "nullable"];

/// Return the collection that has this name in some language.
pub fn collection(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    COLLECTIONS.iter().find(|(name, _)| *name == word).map(|(_, own)| *own)
}

/// Return the simple type that has this name in some language.
pub fn simple(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    // `u32`, `int64_t`
    let size = name.trim_end_matches("_t").trim_end_matches(|c: char| c.is_ascii_digit());
    let has_size = size.len() < name.len();
    Some(match name.as_str() {
        "int" | "integer" | "nat" | "natural" | "naturals" | "number" | "long" | "short" | "byte"
        | "uint" | "usize" | "isize" | "bigint" => "Int",
        "bool" | "boolean" => "Bool",
        "bit" => "0..1",
        "string" | "str" | "text" | "char" | "any" | "object" | "data" => "Value",
        "id" | "process" | "pid" | "node" | "identifier" => "Id",
        "port" | "channel" | "link" | "edge" => "Port",
        "value" => "Value",
        _ if has_size && matches!(size, "i" | "u" | "int" | "uint") => "Int",
        _ => return None,
    })
}

/// Return the equivalent of a foreign type: `list of Int` for `Vec<int>`. `None`: not a type in any known language.
pub fn equivalent(text: &str) -> Option<String> {
    let text = text.trim();
    if is_name(text) {
        // A `Node` may be a type of the program.
        let is_own = text.starts_with(char::is_uppercase);
        let known =
            simple(text).filter(|known| !is_own || matches!(*known, "Int" | "Bool") || text == "String");
        return known.or(is_own.then_some(text)).map(String::from);
    }
    if let Some(inner) = text.strip_suffix('?') {
        return option(inner);
    }
    if let Some(element) = text.strip_suffix("[]") {
        return Some(format!("list of {}", equivalent(element)?));
    }
    for (open, close, own) in [('[', ']', "list"), ('{', '}', "set")] {
        if let Some(element) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return Some(format!("{own} of {}", equivalent(element)?));
        }
    }
    if let Some(of) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let all: Option<Vec<String>> = parts(of)?.into_iter().map(equivalent).collect();
        return Some(format!("({})", all?.join(", ")));
    }
    let end = text.find(|c: char| !is_of_name(c))?;
    let (name, rest) = (&text[..end], text[end..].trim_start());
    let inside = |open, close| rest.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    let inside = inside('<', '>').or_else(|| inside('[', ']'));
    let is_option = OPTIONS.contains(&name.to_lowercase().as_str());
    match (inside, collection(name)) {
        (Some(inside), _) if is_option => option(inside),
        (Some(inside), Some("map")) => match parts(inside)?.as_slice() {
            [key, value] => Some(format!("map of {} to {}", equivalent(key)?, equivalent(value)?)),
            _ => None,
        },
        (Some(inside), Some(own)) => Some(format!("{own} of {}", equivalent(inside)?)),
        (None, _) if is_option => option(rest),
        (None, Some("map")) => {
            let (key, value) = rest.strip_prefix("of ").or(rest.strip_prefix("from "))?.split_once(" to ")?;
            Some(format!("map of {} to {}", equivalent(key)?, equivalent(value)?))
        }
        (None, Some(own)) => {
            Some(format!("{own} of {}", equivalent(rest.strip_prefix("of ").unwrap_or(rest))?))
        }
        _ => None,
    }
}

fn option(inner: &str) -> Option<String> {
    let inner = equivalent(inner)?;
    // After `of T`, the sign would belong to the element.
    Some(if inner.contains(" of ") || inner.contains("..") {
        format!("({inner})?")
    } else {
        format!("{inner}?")
    })
}

/// Split at commas outside brackets.
fn parts(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut from, mut found) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' | '{' => depth += 1,
            '>' | ']' | ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    (depth == 0).then_some(found)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_name)
}
