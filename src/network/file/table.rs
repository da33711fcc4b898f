//! Read tables with one edge on each line: lists of edges separated by white space, and CSV with commas, semicolons or tabs.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::{Fault, Matrix};
use super::weight::Decimal;
use crate::network::Notice;
use crate::network::TopologyError;
use rustc_hash::FxHashSet;

/// Headings of columns, in lower case without signs.
const SOURCES: &[&str] =
    &["source", "from", "src", "fromnodeid", "fromnode", "start", "node1", "id1", "vertex1", "tail", "u"];
const TARGETS: &[&str] = &[
    "target",
    "to",
    "dst",
    "dest",
    "destination",
    "tonodeid",
    "tonode",
    "end",
    "node2",
    "id2",
    "vertex2",
    "head",
    "v",
];
const WEIGHTS: &[&str] = &["weight", "w", "cost", "value", "length", "distance"];

/// One line: its fields, and the direction and weight that it states.
struct Row {
    line: usize,
    text: String,
    fields: Vec<String>,
    sense: Option<Sense>,
    /// The weight in a dictionary of `NetworkX`.
    weight: Option<String>,
}

/// The columns of a table, from 0.
#[derive(Clone, Copy)]
struct Columns {
    source: usize,
    target: usize,
    weight: Option<usize>,
    /// `Directed` or `Undirected`, in tables of Gephi.
    kind: Option<usize>,
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let separator = separator(source.text);
    let mut rows: Vec<Row> = Vec::new();
    for (line, text) in (1..).zip(source.text.lines()) {
        rows.extend(Row::of(line, text, separator));
    }
    let mut draft = Draft::default();
    let columns = heading(&mut rows, &mut draft, separator, source)?;
    sizes(&mut rows, &mut draft);
    if is_matrix(&rows) {
        let line = rows[0].line;
        let matrix = Matrix { separator, lines_before: line - 1, named_columns: None };
        return Err(Fault::AdjacencyMatrix(matrix).at(source, line));
    }
    let directed = is_directed(source.text);
    let most = if columns.is_some() || is_konect(source.text) { usize::MAX } else { 3 };
    let columns = columns.unwrap_or(Columns { source: 0, target: 1, weight: Some(2), kind: None });
    for row in &rows {
        row.add(&mut draft, columns, directed, most).map_err(|fault| fault.at(source, row.line))?;
    }
    if draft.edges() == 0 {
        return Err(Fault::NoEdges.of(source));
    }
    if let Some(row) = rows.iter().find(|row| row.fields.len() > 3).filter(|_| columns.kind.is_none()) {
        draft.notices.push(Notice::OtherColumns(4, row.fields[3].clone()));
    }
    remark_third_words(&rows, &mut draft);
    Ok(draft)
}

/// Return the sign between the fields; `None`: white space.
fn separator(text: &str) -> Option<char> {
    let mut lines =
        text.lines().map(|line| line.split('{').next().unwrap_or("")).filter(|line| !is_comment(line));
    let first = lines.next()?;
    match [';', ','].into_iter().find(|sign| first.contains(*sign)) {
        Some(sign) => Some(sign),
        // Names in a table with tabs may contain spaces.
        None => (first.contains('\t') && lines.all(|line| line.contains('\t'))).then_some('\t'),
    }
}

/// Return whether a line is empty or a comment, as in Python or KONECT.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', '%'])
}

/// Return whether a comment of SNAP or KONECT states that the graph is directed.
fn is_directed(text: &str) -> bool {
    let comments = text.lines().take_while(|line| is_comment(line));
    let mut words =
        comments.filter_map(|line| line.trim_start_matches(['#', '%', ' ', '\t']).split_whitespace().next());
    words.any(|word| matches!(word.to_ascii_lowercase().trim_end_matches(':'), "directed" | "asym"))
}

/// Return whether the first line is that of KONECT, whose fourth column is a time.
fn is_konect(text: &str) -> bool {
    let first = text.lines().next().unwrap_or("");
    first.starts_with('%') && ["sym", "asym"].iter().any(|word| first.split_whitespace().nth(1) == Some(word))
}

impl Row {
    /// Split a line; `None` if it is empty or a comment.
    fn of(line: usize, text: &str, separator: Option<char>) -> Option<Row> {
        let whole = match separator {
            None => text.split('#').next().unwrap_or(""),
            Some(_) => text,
        };
        if is_comment(whole) {
            return None;
        }
        let whole = whole.trim();
        let (plain, weight) = match whole.split_once('{').filter(|_| whole.ends_with('}')) {
            Some((plain, data)) => (plain.trim_end(), weight_in(data)),
            None => (whole, None),
        };
        let mut row = Row { line, text: whole.to_string(), fields: Vec::new(), sense: None, weight };
        // Longer signs first.
        let signs = [("<-->", Sense::Both), ("<->", Sense::Both), ("↔", Sense::Both), ("-->", Sense::Forth)];
        let signs = signs.into_iter().chain([("->", Sense::Forth), ("→", Sense::Forth), ("--", Sense::Both)]);
        let mut plain = plain.to_string();
        if let Some((sign, sense)) = signs.into_iter().find(|(sign, _)| plain.contains(sign)) {
            row.sense = Some(sense);
            plain = plain.replacen(sign, &separator.unwrap_or(' ').to_string(), 1);
        }
        row.fields = match separator {
            None => plain.split_whitespace().map(String::from).collect(),
            Some(separator) => fields(&plain, separator),
        };
        Some(row)
    }

    fn field(&self, column: usize) -> Option<&str> {
        self.fields.get(column).map(String::as_str).filter(|field| !field.is_empty())
    }

    fn is_number(&self, column: usize) -> bool {
        self.field(column).is_some_and(is_number)
    }

    /// Add the edge of this line.
    fn add(&self, draft: &mut Draft, columns: Columns, directed: bool, most: usize) -> Result<(), Fault> {
        let (Some(a), Some(b)) = (self.field(columns.source), self.field(columns.target)) else {
            return Err(Fault::NotAnEdge(self.text.clone()));
        };
        // `0 | 1` is not an edge between `0` and `|`.
        if let Some(sign) = [a, b].into_iter().find(|word| !word.contains(char::is_alphanumeric)) {
            return Err(Fault::NotAProcess(sign.into()));
        }
        if self.fields.len() > most {
            return Err(Fault::NotAnEdge(self.text.clone()));
        }
        let written = self.weight.as_deref().or(columns.weight.and_then(|column| self.field(column)));
        let weight = match written {
            // Other programs write numbers that are too large or not finite; a word is never a weight.
            Some(written) if !is_number(written) => {
                return Err(Fault::NotAWeight(written.into()));
            }
            Some(written) => draft.weight(written, self.line),
            None => None,
        };
        let kind = columns.kind.and_then(|column| self.field(column)).map(str::to_ascii_lowercase);
        let sense = match kind.as_deref() {
            Some("directed" | "true" | "1") => Sense::Forth,
            Some("undirected" | "false" | "0" | "mutual") => Sense::Both,
            _ if directed => Sense::Forth,
            _ => self.sense.unwrap_or(Sense::Unstated),
        };
        let (a, b) = (draft.node(a)?.0, draft.node(b)?.0);
        draft.edge(a, b, sense, weight)
    }
}

/// Return whether other programs read a text as a number, even one too large for Synod.
fn is_number(text: &str) -> bool {
    Decimal::parse(text).is_some() || text.parse::<f64>().is_ok()
}

/// Return the weight in a dictionary of Python, such as `"weight": 3}`.
fn weight_in(data: &str) -> Option<String> {
    let (_, value) = data.split_once("weight")?;
    let value = value.trim_start_matches(['"', '\'', ' ']).strip_prefix(':')?;
    let end = value.find([',', '}']).unwrap_or(value.len());
    Some(value[..end].trim().to_string())
}

/// Split a line of CSV. A field in quotes may contain the separator, and `""` for a quote.
fn fields(line: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let last = fields.last_mut().expect("there is a first field");
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => last.extend(characters.next()),
            '"' => quoted = !quoted,
            c if c == separator && !quoted => fields.push(String::new()),
            c => last.push(c),
        }
    }
    fields.iter().map(|field| field.trim().to_string()).collect()
}

/// Remove a heading from the rows, and return the columns that it names.
fn heading(
    rows: &mut Vec<Row>,
    draft: &mut Draft,
    separator: Option<char>,
    source: Source,
) -> Result<Option<Columns>, TopologyError> {
    let Some((first, others)) = rows.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Ok(None);
    };
    let plain = |field: &String| -> String {
        field.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let names: Vec<String> = first.fields.iter().map(plain).collect();
    if separator.is_some() && first.fields[0].is_empty() && others.len() + 1 == first.fields.len() {
        let matrix = Matrix { separator, lines_before: first.line, named_columns: Some(others.len()) };
        return Err(Fault::AdjacencyMatrix(matrix).at(source, first.line));
    }
    let find = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
    let (from, to) = (find(SOURCES), find(TARGETS));
    if names.first().is_some_and(|name| name == "id") && from.is_none() && separator.is_some() {
        return Err(Fault::ListOfNodes.of(source));
    }
    let elsewhere = |field: &String| others.iter().any(|row| row.fields.contains(field));
    let is_named = from.is_some() && to.is_some() && !first.fields.iter().any(elsewhere);
    let is_word = |column| first.field(column).is_some() && !first.is_number(column);
    let all_numbers = |column| others.iter().all(|row| row.is_number(column));
    let is_above_numbers = is_word(0) && is_word(1) && all_numbers(0) && all_numbers(1);
    let is_above_weights = is_word(2) && first.fields.len() == 3 && all_numbers(2);
    if !(is_named || is_above_numbers || is_above_weights) {
        return Ok(None);
    }
    let weight = find(WEIGHTS).or((names.len() > 2 && is_above_weights).then_some(2));
    let kind = find(&["type", "directed"]);
    let columns = Columns { source: from.unwrap_or(0), target: to.unwrap_or(1), weight, kind };
    draft.notices.push(Notice::Heading(first.line, first.text.clone()));
    rows.remove(0);
    Ok(Some(columns))
}

/// Remove a first line that states the number of processes, with or without that of edges.
fn sizes(rows: &mut Vec<Row>, draft: &mut Draft) {
    let Some((first, others)) = rows.split_first().filter(|(_, others)| !others.is_empty()) else { return };
    let numbers: Option<Vec<u64>> = first.fields.iter().map(|field| field.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|_| first.sense.is_none()) else { return };
    let ends = others.iter().flat_map(|row| row.fields.iter().take(2));
    let names: FxHashSet<&str> = ends.map(String::as_str).collect();
    let least = names.iter().map(|name| name.parse::<u64>().unwrap_or(u64::MAX)).min();
    let greatest = names.iter().map(|name| name.parse::<u64>().unwrap_or(u64::MAX)).max().unwrap_or(u64::MAX);
    let base = if least == Some(0) { 0 } else { 1 };
    let are_edges = others.iter().all(|row| row.fields.len() > 1);
    let is_size = match numbers[..] {
        [n] => are_edges && n >= names.len() as u64 && (greatest < n + base || n == names.len() as u64),
        [n, m] => m == others.len() as u64 && n == names.len() as u64,
        _ => false,
    };
    if let [n, m] = numbers[..]
        && !is_size
        && m == others.len() as u64
        && n > names.len() as u64
    {
        draft.notices.push(Notice::MaybeSizes(first.line, first.text.clone()));
    }
    if !is_size {
        return;
    }
    draft.notices.push(Notice::Sizes(first.line, first.text.clone()));
    if greatest < numbers[0] + base {
        // Add processes without edges. The check of the network's size rejects too many of them.
        let most = u64::from(crate::network::MAX_PROCESSES);
        for number in base..(base + numbers[0]).min(base + most) {
            let _ = draft.node(&number.to_string());
        }
    }
    rows.remove(0);
}

/// Return whether the rows are a square matrix of zeros and ones with an empty diagonal.
fn is_matrix(rows: &[Row]) -> bool {
    let bit = |field: &String| field == "0" || field == "1";
    rows.len() > 2
        && rows.iter().enumerate().all(|(i, row)| {
            row.fields.len() == rows.len() && row.fields.iter().all(bit) && row.fields[i] == "0"
        })
}

/// Add a remark if third words may be neighbours instead of weights: each is a process, and each line has its own first word.
fn remark_third_words(rows: &[Row], draft: &mut Draft) {
    let firsts: FxHashSet<&str> = rows.iter().filter_map(|row| row.field(0)).collect();
    let is_process =
        |row: &Row| row.fields.len() == 3 && row.field(2).is_some_and(|third| firsts.contains(third));
    if rows.len() > 2 && firsts.len() == rows.len() && rows.iter().all(is_process) {
        draft.notices.push(Notice::MaybeAdjacency);
    }
}
