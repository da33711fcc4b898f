//! Parse a topology: `ring(8)`, `mesh(3, 4)`, `random(20, 30, seed: 7)`, `edges(0-1, 1-2:5)`.

use crate::network::text::HUGE;
use crate::network::text::excerpt;
use crate::network::text::integer;
use std::fmt;

use super::describe::counted;
use super::listed::ListedGraph;
use super::{MAX_LINKS, MAX_PROCESSES, TopologyError};

/// A checked topology: it has at least one process, and is within the limits of this module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub(super) family: Family,
    /// The weights in edge order; `None`: those listed with the edges, else random ones.
    pub(super) weights: Option<Vec<i64>>,
    /// The number of the numbering of ports, if they have no labels; `None`: a random one.
    pub(super) numbering: Option<u64>,
}

impl From<Family> for Spec {
    fn from(family: Family) -> Spec {
        Spec { family, weights: None, numbering: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Ring { n: u32 },
    Line { n: u32 },
    Star { leaves: u32 },
    Complete { n: u32 },
    Tree { n: u32, arity: u32 },
    RandomTree { n: u32, seed: Option<u64> },
    Mesh { rows: u32, columns: u32 },
    Torus { rows: u32, columns: u32 },
    Hypercube { dimension: u32 },
    Random { n: u32, m: u32, seed: Option<u64> },
    Petersen,
    Listed(ListedGraph),
}

/// One family, as `synod topology list` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyDoc {
    pub name: &'static str,
    /// The syntax, with parameter names.
    pub usage: &'static str,
    /// A valid example.
    pub example: &'static str,
    pub meaning: &'static str,
    /// The minimum and maximum number of arguments.
    arguments: (usize, usize),
}

const fn family(
    name: &'static str,
    usage: &'static str,
    example: &'static str,
    arguments: (usize, usize),
    meaning: &'static str,
) -> FamilyDoc {
    FamilyDoc { name, usage, example, meaning, arguments }
}

/// All families that can be written, most common first.
#[rustfmt::skip]
pub const FAMILIES: &[FamilyDoc] = &[
    family("ring", "ring(n)", "ring(8)", (1, 1), "n processes in a circle"),
    family("line", "line(n)", "line(8)", (1, 1), "n processes in a row"),
    family("star", "star(k)", "star(4)", (1, 1), "a centre, process 0, and k leaves"),
    family("complete", "complete(n)", "complete(5)", (1, 1), "each of n processes linked to every other"),
    family("tree", "tree(n) or tree(n, arity)", "tree(7)", (1, 2), "a balanced tree (binary by default) with root 0"),
    family("random_tree", "random_tree(n) or random_tree(n, seed)", "random_tree(10, 7)", (1, 2), "a uniformly random tree of n processes"),
    family("mesh", "mesh(rows, columns)", "mesh(3, 4)", (2, 2), "a grid"),
    family("torus", "torus(rows, columns)", "torus(3, 4)", (2, 2), "a grid closed to a ring in both directions"),
    family("hypercube", "hypercube(d)", "hypercube(3)", (1, 1), "2^d processes, linked where their numbers differ in one bit"),
    family("random", "random(n), random(n, m) or random(n, density), and a seed", "random(10, 15, seed: 7)", (1, 3), "a connected graph with m edges, or with a density such as 0.2 of all possible edges"),
    family("petersen", "petersen", "petersen", (0, 0), "the Petersen graph: 10 processes of degree 3, diameter 2"),
    family("edges", "edges(a-b, c-d:weight, …)", "edges(0-1, 1-2, 2-0)", (0, usize::MAX), "the edges as listed; with -> for links in one direction"),
];

/// Names in use elsewhere.
const SYNONYMS: &[(&str, &str)] = &[
    ("binary_tree", "tree"),
    ("chain", "line"),
    ("clique", "complete"),
    ("cube", "hypercube"),
    ("cycle", "ring"),
    ("fully_connected", "complete"),
    ("gnm", "random"),
    ("gnp", "random"),
    ("graph", "edges"),
    ("grid", "mesh"),
    ("path", "line"),
];

impl Spec {
    /// Parse a topology as written in a scenario or after `--on`. `_` and `-` are the same in family names.
    ///
    /// # Errors
    /// If the family is unknown, if an argument is missing, superfluous or not a number, or if the network would be empty or
    /// beyond [`MAX_PROCESSES`] or [`MAX_LINKS`].
    pub fn parse(text: &str) -> Result<Spec, TopologyError> {
        let text = text.trim();
        if let Some((inner, number)) = numbered(text) {
            return Ok(Spec::parse(inner)?.with_numbering(number?));
        }
        let inner = Spec::file_of(text);
        if inner != text {
            return Ok(match Spec::parse(inner)?.family {
                Family::Listed(graph) => Family::Listed(graph.simple()),
                family => family,
            }
            .into());
        }
        let (name, arguments) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => {
                let Some(inner) = rest.strip_suffix(')') else {
                    return Err(if let Some((_, after)) = rest.rsplit_once(')') {
                        TopologyError::new(format!(
                            "unexpected «{}» after the closing parenthesis of «{text}»",
                            after.trim()
                        ))
                    } else {
                        TopologyError::new(format!("«{text}» lacks a closing parenthesis"))
                            .hint(format!("write {text})"))
                    });
                };
                (name.trim_end(), Some(inner))
            }
        };
        let doc = find_family(name)?;
        let arguments = Arguments::new(doc, arguments)?;
        let family = match doc.name {
            "ring" => {
                let n = arguments.processes(0)?;
                Family::Ring { n }
            }
            "line" => {
                let n = arguments.processes(0)?;
                Family::Line { n }
            }
            "star" => {
                let leaves = arguments.number(0, "leaves", 0, MAX_PROCESSES - 1)?;
                Family::Star { leaves }
            }
            "complete" => complete(&arguments)?,
            "tree" => {
                let n = arguments.processes(0)?;
                let arity = match arguments.get(1) {
                    Some(_) => arguments.number(1, "children of each process", 1, MAX_PROCESSES)?,
                    None => 2,
                };
                Family::Tree { n, arity }
            }
            "random_tree" => {
                let n = arguments.processes(0)?;
                let seed = arguments.seed(1)?;
                Family::RandomTree { n, seed }
            }
            "mesh" => {
                let (rows, columns) = rectangle(&arguments)?;
                Family::Mesh { rows, columns }
            }
            "torus" => {
                let (rows, columns) = rectangle(&arguments)?;
                Family::Torus { rows, columns }
            }
            "hypercube" => hypercube(&arguments)?,
            "random" => random(&arguments)?,
            "petersen" => Family::Petersen,
            _ => Family::Listed(ListedGraph::from_arguments(&arguments.list)?),
        };
        Ok(family.into())
    }

    /// Parse the graph of a file in any of the formats that `docs/networks.md` describes; the content decides. `path` is the path
    /// of the file, or `simple(PATH)` for the graph without parallel edges and loops; [`Spec::file_of`] returns the path alone.
    ///
    /// # Errors
    /// If the text is in no such format, has no process, or is too large.
    pub fn from_file(path: &str, text: &str) -> Result<Spec, TopologyError> {
        if let Some((path, number)) = numbered(path) {
            return Ok(Spec::from_file(path, text)?.with_numbering(number?));
        }
        let file = Spec::file_of(path);
        let name = file.rsplit(std::path::is_separator).next().unwrap_or(file);
        let graph = super::file::parse(name, text)?;
        Ok(Family::Listed(if file == path { graph } else { graph.simple() }).into())
    }

    /// Return the path of the file in `simple(PATH)` and `numbered(PATH, 3)`; any other text unchanged.
    pub fn file_of(path: &str) -> &str {
        let path = path.trim();
        let path = numbered(path).map_or(path, |(inner, _)| inner);
        path.strip_prefix("simple(").and_then(|rest| rest.strip_suffix(')')).map_or(path, str::trim)
    }

    /// Return the names that a file gives to the processes, by position; otherwise none.
    pub fn names(&self) -> &[String] {
        match &self.family {
            Family::Listed(listed) => &listed.names,
            _ => &[],
        }
    }

    /// Return the same topology with these weights, in edge order. Their number is checked when the network is built.
    pub fn with_weights(self, weights: Vec<i64>) -> Spec {
        Spec { weights: Some(weights), ..self }
    }

    /// Return the same topology with this numbering of the ports; number 0 is the order of the edges. It is checked when the network is
    /// built.
    pub fn with_numbering(self, number: u64) -> Spec {
        Spec { numbering: Some(number), ..self }
    }

    /// Return whether the spec determines how ports are numbered.
    pub fn is_numbered(&self) -> bool {
        self.numbering.is_some()
    }

    /// Return the number of processes.
    pub fn n(&self) -> u32 {
        match &self.family {
            Family::Ring { n }
            | Family::Line { n }
            | Family::Complete { n }
            | Family::Tree { n, .. }
            | Family::RandomTree { n, .. }
            | Family::Random { n, .. } => *n,
            Family::Star { leaves } => leaves + 1,
            Family::Mesh { rows, columns } | Family::Torus { rows, columns } => rows * columns,
            Family::Hypercube { dimension } => 1 << dimension,
            Family::Petersen => 10,
            Family::Listed(listed) => listed.n,
        }
    }
}

/// The canonical form. [`Spec::parse`] reads it back, except for graphs from files, which are shown by name.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.numbering {
            return write!(f, "numbered({}, {number})", Spec { numbering: None, ..self.clone() });
        }
        match &self.family {
            Family::Ring { n } => write!(f, "ring({n})"),
            Family::Line { n } => write!(f, "line({n})"),
            Family::Star { leaves } => write!(f, "star({leaves})"),
            Family::Complete { n } => write!(f, "complete({n})"),
            Family::Tree { n, arity: 2 } => write!(f, "tree({n})"),
            Family::Tree { n, arity } => write!(f, "tree({n}, {arity})"),
            Family::RandomTree { n, seed: None } => write!(f, "random_tree({n})"),
            Family::RandomTree { n, seed: Some(s) } => write!(f, "random_tree({n}, seed: {s})"),
            Family::Mesh { rows, columns } => write!(f, "mesh({rows}, {columns})"),
            Family::Torus { rows, columns } => write!(f, "torus({rows}, {columns})"),
            Family::Hypercube { dimension } => write!(f, "hypercube({dimension})"),
            Family::Random { n, m, seed: None } => write!(f, "random({n}, {m})"),
            Family::Random { n, m, seed: Some(s) } => write!(f, "random({n}, {m}, seed: {s})"),
            Family::Petersen => f.write_str("petersen"),
            Family::Listed(listed) => f.write_str(&listed.shown),
        }
    }
}

/// Return the topology and the number in `numbered(mesh(2, 3), 5)`.
pub(super) fn numbered(text: &str) -> Option<(&str, Result<u64, TopologyError>)> {
    let (inner, number) = text.trim().strip_prefix("numbered(")?.strip_suffix(')')?.rsplit_once(',')?;
    let number = number.trim();
    let wrong = || {
        TopologyError::new(format!("«{}» is not the number of a numbering of ports", excerpt(number)))
            .hint("an example is numbered(mesh(2, 3), 5)")
    };
    Some((inner.trim(), number.parse().map_err(|_| wrong())))
}

fn find_family(name: &str) -> Result<&'static FamilyDoc, TopologyError> {
    let plain = name.replace('-', "_").to_ascii_lowercase();
    if let Some(doc) = FAMILIES.iter().find(|doc| doc.name == plain) {
        return Ok(doc);
    }
    if name.is_empty() {
        return Err(TopologyError::new("no topology given").hint("an example is ring(8)"));
    }
    let synonym = SYNONYMS.iter().find(|(word, _)| *word == plain);
    let meant = match synonym {
        Some((_, name)) => Some(*name),
        None => FAMILIES
            .iter()
            .map(|doc| (edit_distance(&plain, doc.name), doc.name))
            .filter(|(distance, name)| *distance <= 2 && *distance < name.len().min(plain.len()))
            .min()
            .map(|(_, name)| name),
    };
    let hint = match meant.and_then(|name| FAMILIES.iter().find(|doc| doc.name == name)) {
        Some(doc) => format!("did you mean {}? An example is {}", doc.name, doc.example),
        None => {
            let names: Vec<_> = FAMILIES.iter().map(|doc| doc.name).collect();
            format!("the topologies are {}", names.join(", "))
        }
    };
    Err(TopologyError::new(format!("unknown topology «{}»", excerpt(name))).hint(hint))
}

/// Return Levenshtein's distance; a text beyond 20 letters resembles no name.
fn edit_distance(a: &str, b: &str) -> usize {
    if a.len() > 20 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

fn complete(arguments: &Arguments) -> Result<Family, TopologyError> {
    let n = arguments.processes(0)?;
    let links = u64::from(n) * u64::from(n - 1);
    if links > u64::from(MAX_LINKS) {
        return Err(TopologyError::new(format!(
            "complete({n}) has {links} links, and a network has at most {MAX_LINKS}"
        ))
        .hint("the largest is complete(5657)"));
    }
    Ok(Family::Complete { n })
}

fn rectangle(arguments: &Arguments) -> Result<(u32, u32), TopologyError> {
    let rows = arguments.wide(0)?;
    let columns = arguments.wide(1)?;
    let name = arguments.doc.name;
    for (number, what) in [(rows, "rows"), (columns, "columns")] {
        if number < 1 {
            return Err(TopologyError::new(format!("{name}: {what} must be at least 1, not {number}"))
                .hint(arguments.example()));
        }
    }
    match rows.checked_mul(columns) {
        Some(n) if n <= i128::from(MAX_PROCESSES) => Ok((rows as u32, columns as u32)),
        n => Err(TopologyError::new(format!(
            "{name}({}, {}) has {} processes, and a network has at most {MAX_PROCESSES}",
            shown(rows),
            shown(columns),
            shown(n.unwrap_or(HUGE)),
        ))
        .hint(arguments.example())),
    }
}

fn hypercube(arguments: &Arguments) -> Result<Family, TopologyError> {
    // 2^20 processes with 20 links each; the next has 44 million links.
    const MAX_DIMENSION: u32 = 20;
    let dimension = arguments.wide(0)?;
    if dimension < 0 {
        return Err(TopologyError::new(format!(
            "a hypercube has a dimension of at least 0, not {}",
            shown(dimension)
        ))
        .hint(arguments.example()));
    }
    if dimension > i128::from(MAX_DIMENSION) {
        return Err(TopologyError::new(format!(
            "a hypercube has a dimension of at most {MAX_DIMENSION} (about a million processes), not {}",
            shown(dimension)
        ))
        .hint(arguments.example()));
    }
    let dimension = dimension as u32;
    Ok(Family::Hypercube { dimension })
}

fn random(arguments: &Arguments) -> Result<Family, TopologyError> {
    let n = arguments.processes(0)?;
    let (least, possible) = (u64::from(n - 1), u64::from(n) * u64::from(n - 1) / 2);
    let most = possible.min(u64::from(MAX_LINKS) / 2);
    let m = match arguments.get(1) {
        // Half as many edges again as a tree has: a few cycles, as in textbook figures.
        None => (least + u64::from(n) / 2).min(most),
        Some(text) if text.contains('.') => match text.parse::<f64>() {
            Ok(density) if (0.0..=1.0).contains(&density) => {
                ((possible as f64 * density).round() as u64).max(least)
            }
            _ => {
                return Err(TopologyError::new(format!(
                    "random takes a number of edges or a density between 0.0 and 1.0, not {}",
                    excerpt(text)
                ))
                .hint("an example is random(10, 0.3)"));
            }
        },
        Some(_) => {
            let m = arguments.wide(1)?;
            let range = if least == possible {
                format!("exactly {}", counted(least as usize, "edge", "edges"))
            } else {
                format!("between {least} and {possible} edges")
            };
            match u64::try_from(m) {
                Ok(m) if (least..=possible).contains(&m) => m,
                _ => {
                    return Err(TopologyError::new(format!(
                        "a connected graph of {n} processes has {range}, not {}",
                        shown(m)
                    ))
                    .hint(arguments.example()));
                }
            }
        }
    };
    if m > most {
        return Err(TopologyError::new(format!(
            "random({n}, {m}) has {} links, and a network has at most {MAX_LINKS}",
            2 * m
        ))
        .hint(arguments.example()));
    }
    let seed = arguments.seed(2)?;
    Ok(Family::Random { n, m: m as u32, seed })
}

fn shown(number: i128) -> String {
    match number {
        HUGE => "a number of more than 38 digits".to_string(),
        _ => number.to_string(),
    }
}

/// The text between the parentheses, split at the commas.
struct Arguments<'a> {
    doc: &'static FamilyDoc,
    list: Vec<&'a str>,
    seed: Option<&'a str>,
}

impl<'a> Arguments<'a> {
    fn new(doc: &'static FamilyDoc, inner: Option<&'a str>) -> Result<Arguments<'a>, TopologyError> {
        let inner = inner.unwrap_or("").trim();
        let all = inner.split(',').map(str::trim);
        let mut arguments =
            Arguments { doc, list: if inner.is_empty() { Vec::new() } else { all.collect() }, seed: None };
        if doc.name == "edges" {
            return Ok(arguments);
        }
        let seeded = doc.usage.contains("seed");
        if seeded
            && let Some(value) = arguments.list.last().and_then(|last| last.strip_prefix("seed"))
            && let Some(value) = value.trim_start().strip_prefix(':')
        {
            arguments.seed = Some(value.trim());
            arguments.list.pop();
        }
        let (least, most) = doc.arguments;
        let given = arguments.list.len() + usize::from(arguments.seed.is_some());
        if arguments.list.len() < least || given > most {
            let wanted = match (least, most) {
                (0, 0) => "nothing".to_string(),
                (1, 1) => "one number".to_string(),
                (a, b) if a == b => format!("{a} numbers"),
                (a, b) => format!("{a} to {b} numbers"),
            };
            let given = if given == 0 { "nothing".to_string() } else { given.to_string() };
            return Err(TopologyError::new(format!(
                "{} takes {wanted} in parentheses, and {given} {} given",
                doc.name,
                if given == "1" || given == "nothing" { "is" } else { "are" },
            ))
            .hint(arguments.example()));
        }
        Ok(arguments)
    }

    fn example(&self) -> String {
        format!("an example is {}", self.doc.example)
    }

    fn get(&self, i: usize) -> Option<&'a str> {
        self.list.get(i).copied()
    }

    /// Parse an integer of any size; `10^6` and `1_000_000` are accepted.
    fn wide(&self, i: usize) -> Result<i128, TopologyError> {
        let text = self.get(i).unwrap_or("");
        integer(text).ok_or_else(|| {
            let what = if text.is_empty() { "nothing".to_string() } else { format!("«{}»", excerpt(text)) };
            TopologyError::new(format!("{} needs a whole number, not {what}", self.doc.name))
                .hint(self.example())
        })
    }

    fn number(&self, i: usize, what: &str, least: u32, most: u32) -> Result<u32, TopologyError> {
        let name = self.doc.name;
        let number = self.wide(i)?;
        let limit = match number {
            _ if number < i128::from(least) => format!("at least {least}"),
            _ if number > i128::from(most) => format!("at most {most}"),
            _ => return Ok(number as u32),
        };
        Err(TopologyError::new(format!("{name} has {limit} {what}, not {}", shown(number)))
            .hint(self.example()))
    }

    fn processes(&self, i: usize) -> Result<u32, TopologyError> {
        self.number(i, "processes", 1, MAX_PROCESSES).map_err(|mut error| {
            error.message = error.message.replace("at least 1 processes", "at least 1 process");
            error
        })
    }

    /// Return the seed, given by name or at this position.
    fn seed(&self, i: usize) -> Result<Option<u64>, TopologyError> {
        let Some(text) = self.seed.or(self.get(i)) else {
            return Ok(None);
        };
        let seed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => integer(text).and_then(|number| u64::try_from(number).ok()),
        };
        match seed {
            Some(seed) => Ok(Some(seed)),
            None => Err(TopologyError::new(format!(
                "a seed is a whole number from 0 to {}, not «{}»",
                u64::MAX,
                excerpt(text)
            ))
            .hint(self.example())),
        }
    }
}
