//! Changes of one line by rule: a comparison that includes or excludes its limit, an omitted `+ 1` or `- 1`, an omitted guard,
//! condition or message, a third instead of half.

/// A changed line: the change, the line, and its replacement.
pub struct Change {
    pub what: String,
    pub line: String,
    pub instead: String,
}

/// Clauses that contain code.
const CODE: [&str; 11] = [
    "state",
    "role",
    "always",
    "on",
    "when",
    "after",
    "procedure",
    "function",
    "operation",
    "client",
    "defer",
];
/// The tokens that end a condition after `and`.
const BEHIND: [&str; 7] = [" and ", " or ", " ->", ")", ",", " then ", " fi"];

/// Return all changes of a file. If a line occurs more than once, the lines above are included until it is unique.
pub fn changes(text: &str) -> Vec<Change> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut all = Vec::new();
    for at in code(&lines) {
        for (what, changed) in changes_of(lines[at]) {
            let told = |from: &usize| text.matches(&lines[*from..=at].join("\n")).count() == 1;
            let from = (0..=at).rev().find(told).unwrap_or(0);
            let mut instead = lines[from..=at].to_vec();
            instead[at - from] = &changed;
            all.push(Change { what, line: lines[from..=at].join("\n"), instead: instead.join("\n") });
        }
    }
    all
}

/// Return the lines of clauses that contain code.
fn code(lines: &[&str]) -> Vec<usize> {
    let mut inside = false;
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.trim().is_empty() || line.starts_with("//") {
            continue;
        }
        let word = word(line.trim_start());
        if !line.starts_with(' ') {
            inside = CODE.contains(&word) || ["ignore", "initial"].contains(&word);
        } else if line
            .strip_prefix("  ")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        {
            // Clauses of roles are indented by two columns.
            match word {
                "var" | "message" | "param" | "const" | "uses" | "output" | "invariant" | "finally"
                | "persistent" | "stable" | "view" => inside = false,
                "state" | "always" | "procedure" | "function" | "operation" | "client" => inside = true,
                _ => {}
            }
        }
        if inside {
            found.push(at);
        }
    }
    found
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    &text[..end]
}

/// Return the occurrences of a text; they may overlap, each begins after the first byte of the previous one.
fn places<'t>(text: &'t str, what: &'t str) -> impl Iterator<Item = usize> + 't {
    (0..text.len()).filter(move |at| text.is_char_boundary(*at) && text[*at..].starts_with(what))
}

fn changes_of(line: &str) -> Vec<(String, String)> {
    let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
    let mut all = Vec::new();
    let mut put = |what: String, from: usize, to: usize, instead: &str| {
        all.push((what, format!("{}{instead}{}{comment}", &code[..from], &code[to..])));
    };
    for (old, new) in [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > ")] {
        for at in places(code, old) {
            put(format!("{} for {}", new.trim(), old.trim()), at, at + old.len(), new);
        }
    }
    for one in [" + 1", " - 1"] {
        for at in places(code, one) {
            let next = code[at + one.len()..].chars().next();
            if !next.is_some_and(|c| c.is_alphanumeric() || c == '.' || c == '_') {
                put(format!("without{one}"), at, at + one.len(), "");
            }
        }
    }
    if let Some(at) = code.find(" when ") {
        let end = code[at..].find(" ->").map_or(code.trim_end().len(), |end| at + end);
        put("without guard".into(), at, end, "");
    }
    for at in places(code, " and ") {
        let rest = &code[at + 5..];
        let length = BEHIND.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        let condition = &rest[..length];
        if condition.matches('(').count() == condition.matches(')').count() {
            put("without condition".into(), at, at + 5 + length, "");
        }
    }
    if let Some(at) = code.find("n div 2") {
        put("n div 3".into(), at, at + 7, "n div 3");
    }
    for at in places(code, "send ").filter(|at| *at == 0 || code[..*at].ends_with(' ')) {
        let ends = [";", " [] "].iter().filter_map(|end| code[at..].find(end)).map(|end| at + end);
        let end = ends.min().unwrap_or(code.trim_end().len());
        let closed = [" fi", " od"].iter().filter_map(|close| closing(&code[at..end], close)).min();
        put("without send".into(), at, closed.map_or(end, |closed| at + closed), "skip");
    }
    all
}

/// Return the place where a closing word stands alone.
fn closing(text: &str, close: &str) -> Option<usize> {
    places(text, close)
        .find(|at| !text[at + close.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}
