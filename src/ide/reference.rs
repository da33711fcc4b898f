//! Explanations of predefined words, taken from the tables of the language reference: one text for readers and editors.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const REFERENCE: &str = include_str!("../../grammar/README.md");

/// A row of a table: the pieces of code in its first column, and the text of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub forms: Vec<String>,
    pub says: String,
}

/// The tables by the heading of their first column, in page order. Tables with the same heading are merged.
static TABLES: LazyLock<BTreeMap<String, Vec<Row>>> = LazyLock::new(|| {
    let mut tables: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let mut heading = None;
    let mut columns: Vec<String> = Vec::new();
    for line in REFERENCE.lines() {
        let Some(row) = line.strip_prefix("| ").and_then(|l| l.strip_suffix('|')) else {
            if !line.starts_with('|') {
                heading = None;
            }
            continue;
        };
        let cells = cells(row);
        match &heading {
            None => {
                heading = Some(cells[0].clone());
                columns = cells;
            }
            Some(heading) => {
                let mut says = String::new();
                for (cell, column) in cells.iter().zip(&columns).skip(1).filter(|(c, _)| !c.is_empty()) {
                    if !says.is_empty() {
                        says.push_str(&format!(" · {column}: "));
                    }
                    says.push_str(cell);
                }
                let says = without_links(&says);
                tables.entry(heading.clone()).or_default().push(Row { forms: code(&cells[0]), says });
            }
        }
    }
    tables
});

fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in row.chars() {
        match c {
            '|' if !escaped => cells.push(String::new()),
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            c => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
        escaped = false;
    }
    cells.iter().map(|cell| cell.trim().to_string()).collect()
}

/// Return the pieces between backquotes.
fn code(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// Return a text without link targets: `[rounds](#rounds)` becomes `rounds`.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](#") {
        let (before, after) = rest.split_at(at);
        let end = after.find(')').map_or(after.len(), |i| i + 1);
        out.push_str(&match before.rfind('[') {
            Some(open) => format!("{}{}", &before[..open], &before[open + 1..]),
            None => before.to_string(),
        });
        rest = &after[end..];
    }
    out + rest
}

/// Return the table whose first column has this heading.
pub fn table(heading: &str) -> &'static [Row] {
    TABLES.get(heading).map_or(&[], Vec::as_slice)
}

/// Return what an assumption grants or forbids. `words` is the assumption as written in the program, without a bound.
pub fn assumption(words: &str) -> Option<&'static str> {
    let rows = table("words");
    let exact = |form: &str| form == words;
    let bounded =
        |form: &str| ["<=", ">=", "=", "in"].iter().any(|op| form.starts_with(&format!("{words} {op} ")));
    let of_a_name = |form: &str| match (form, words.split_once(' ')) {
        ("one Server", Some(("one", _))) | ("oracle f", Some(("oracle", _))) => true,
        _ => form.starts_with("one ") && words == "one" || form.starts_with("oracle ") && words == "oracle",
    };
    // Longer synonyms.
    let plain = match words {
        "complete graph" | "complete network" => "complete",
        "connected" => "connected graph",
        "oriented ring" | "bidirectional oriented ring" => "bidirectional ring",
        "unoriented torus" => "torus",
        "distinct weights" => "weights",
        other => other,
    };
    let found = rows
        .iter()
        .find(|row| row.forms.iter().any(|f| exact(f) || bounded(f) || of_a_name(f) || f == plain));
    let found = found.or_else(|| {
        rows.iter().find(|row| words.starts_with("synchronous by ") && row.forms[0] == "synchronous")
    });
    found.map(|row| row.says.as_str())
}

/// Return the call syntax of a function of the language, and its explanation.
pub fn function(name: &str) -> Option<(String, &'static str)> {
    let of_name = |form: &&String| form.split('(').next() == Some(name);
    table("function").iter().find_map(|row| {
        let forms: Vec<&str> = row.forms.iter().filter(of_name).map(String::as_str).collect();
        (!forms.is_empty()).then(|| (forms.join(", "), row.says.as_str()))
    })
}

/// Return the call forms of a function that the reference lists: `max(a, b, …)`, `max(S)`.
pub fn calls(name: &str) -> Vec<&'static str> {
    let rows = table("function").iter().flat_map(|row| &row.forms);
    rows.map(String::as_str)
        .filter(|form| form.contains('(') && form.split('(').next() == Some(name))
        .collect()
}

/// Return the explanation of a predefined name, as processes see it, or else as properties and scenarios do.
pub fn predefined(name: &str) -> Option<&'static str> {
    let in_process = table("in a process").iter();
    let outside = table("in properties and scenarios").iter();
    in_process.chain(outside).find(|row| row.forms.iter().any(|f| f == name)).map(|row| row.says.as_str())
}

/// Return the explanation of a fact about a process or an event: `p.halted`.
pub fn fact(name: &str) -> Option<&'static str> {
    let written = format!("p.{name}");
    let rows = table("in properties and scenarios").iter();
    let found = rows.filter(|row| row.forms.contains(&written)).map(|row| row.says.as_str()).next();
    found.or(match name {
        "process" => Some("the process of the call, return or upcall"),
        "nth" => Some("1, 2, … for each process and kind"),
        "value" => Some("the first argument"),
        _ => None,
    })
}

/// Return the explanation of a statement, a clause, a kind of property, or a line or setting of a scenario that begins with this
/// word.
pub fn keyword(word: &str) -> Option<(String, &'static str)> {
    let begins = |form: &&String| form.split([' ', '(']).next() == Some(word);
    ["statement", "clause", "kind", "line", "setting"].iter().find_map(|heading| {
        table(heading).iter().find_map(|row| {
            let form = row.forms.iter().find(begins)?;
            (!row.says.is_empty()).then(|| (form.clone(), row.says.as_str()))
        })
    })
}
