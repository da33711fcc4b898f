//! `synod list`: the library, read from its own files.

use super::exit::{Ending, Failure, Outcome};
use super::options::Json;
use super::output::{Output, clip, table};
use crate::check::{check, words};
use crate::library::{self, Entry};
use clap::Args;
use serde::Serialize;

/// List the algorithms and problems of the library
#[derive(Args)]
pub struct Options {
    #[arg(value_name = "WORD", hide = true)]
    word: Option<String>,

    /// Only what solves this problem, such as Election
    #[arg(long, value_name = "NAME")]
    problem: Option<String>,

    /// Only what assumes this topology, such as ring
    #[arg(long, value_name = "TOPOLOGY")]
    topology: Option<String>,

    /// Only what assumes this, such as 'unique ids' (repeatable)
    #[arg(long, value_name = "WORDS")]
    assumes: Vec<String>,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize)]
struct Body {
    entries: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    name: String,
    /// Place in the library.
    path: &'static str,
    kind: &'static str,
    /// With its options, as written.
    problem: Option<String>,
    topology: Option<String>,
    assumes: Vec<String>,
    scenarios: Vec<String>,
    summary: String,
    doc: String,
}

pub fn run(options: &Options, out: &mut Output) -> Outcome {
    // By name, so that finding one is easy; problems last, for they are few.
    let mut items: Vec<Item> = library::entries().into_values().map(Item::new).collect();
    items.sort_by(|a, b| (a.kind, a.path).cmp(&(b.kind, b.path)));
    if let Some(word) = &options.word {
        return Err(meant(word, &items));
    }
    for wanted in options.assumes.iter().chain(&options.topology) {
        known(wanted, items.iter().flat_map(|item| item.all_assumptions()), "assumes")?;
    }
    if let Some(problem) = &options.problem {
        known(problem, items.iter().filter_map(Item::problem_name), "solves")?;
    }
    items.retain(|item| options.wants(item));
    if out.is_json() {
        out.json(&Body { entries: items })?;
        return Ok(Ending::Fine);
    }
    let head = ["NAME", "PROBLEM", "TOPOLOGY", "WHAT IT IS"].map(String::from).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(items.iter().map(Item::row)).collect();
    let width = out.list_width();
    for (i, line) in table(&rows).iter().enumerate() {
        let line = clip(line, width);
        out.line(if i == 0 { out.bold(&line) } else { line })?;
    }
    Ok(Ending::Fine)
}

/// A word without a flag: what was meant by it?
fn meant(word: &str, items: &[Item]) -> Failure {
    let failure = Failure::usage(format!("`synod list` takes no word such as '{word}' without a flag"));
    if library::find(word).is_some_and(|entry| !entry.is_problem()) {
        return failure.hint(format!("synod show {word}"));
    }
    let filters: [(&str, Vec<String>); 2] = [
        ("problem", items.iter().filter_map(Item::problem_name).collect()),
        ("assumes", items.iter().flat_map(Item::all_assumptions).collect()),
    ];
    for (flag, all) in &filters {
        if let Some(known) = all.iter().find(|known| same(known, word)) {
            let quoted = if known.contains(' ') { format!("'{known}'") } else { known.clone() };
            return failure.hint(format!("synod list --{flag} {quoted}"));
        }
    }
    let folder = |item: &Item| item.path.split('/').any(|part| same(part, word));
    match items.iter().filter(|item| folder(item)).find_map(Item::problem_name) {
        Some(problem) => failure.hint(format!("synod list --problem {problem}")),
        None => match library::nearest(word, None) {
            Some(near) => failure.hint(format!("synod show {near}")),
            None => failure.hint("its filters are --problem, --topology and --assumes"),
        },
    }
}

/// Filters that nothing could pass are misspelt.
fn known(word: &str, all: impl Iterator<Item = String>, what: &str) -> Result<(), Failure> {
    let mut all: Vec<String> = all.collect();
    all.sort_unstable();
    all.dedup();
    if all.iter().any(|one| same(one, word)) {
        return Ok(());
    }
    let hint = match words::nearest(word, &all) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are {}", all.join(", ")),
    };
    Err(Failure::usage(format!("nothing in the library {what} '{word}'")).hint(hint))
}

/// `MutualExclusion`, `mutual_exclusion` and `mutual exclusion` are the same to who looks for it.
fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.replace(['_', ' ', '-'], "").to_lowercase();
    plain(a) == plain(b)
}

impl Options {
    fn wants(&self, item: &Item) -> bool {
        let assumed = item.all_assumptions();
        let assumes = |wanted: &String| assumed.iter().any(|one| same(one, wanted));
        let solves = |wanted: &String| item.problem_name().is_some_and(|name| same(&name, wanted));
        self.assumes.iter().chain(&self.topology).all(assumes) && self.problem.iter().all(solves)
    }
}

impl Item {
    fn new(entry: Entry) -> Item {
        let checked = check(entry.path, entry.text, &library::source);
        let doc = checked.header.and_then(|h| h.doc).unwrap_or_default();
        let mut item = Item {
            name: entry.name.into(),
            path: entry.path,
            kind: if entry.is_problem() { "problem" } else { "algorithm" },
            problem: None,
            topology: None,
            assumes: Vec::new(),
            scenarios: Vec::new(),
            summary: doc.lines().next().unwrap_or_default().trim_end_matches(',').into(),
            doc,
        };
        if let Some(program) = checked.program {
            item.assumes = program.assumptions.written.iter().map(|(words, _)| words.clone()).collect();
            let mut shapes = item.assumes.iter().filter(|words| shape(words).is_some());
            item.topology = shapes.next().cloned();
            item.problem = program.problem.filter(|_| !entry.is_problem());
            item.scenarios = program.scenarios.iter().map(|s| s.name.clone()).collect();
        }
        item
    }

    /// `Election` of `Election(winner: greatest)`.
    fn problem_name(&self) -> Option<String> {
        let problem = self.problem.as_ref()?;
        Some(problem.split('(').next().unwrap_or(problem).to_string())
    }

    /// What is assumed, and the bare form of an assumed topology: also `ring` for `unidirectional ring`.
    fn all_assumptions(&self) -> Vec<String> {
        let bare = self.topology.as_deref().and_then(shape).map(String::from);
        self.assumes.iter().cloned().chain(bare).collect()
    }

    fn row(&self) -> Vec<String> {
        let problem = self.problem_name().unwrap_or_else(|| match self.kind {
            "problem" => "(a problem)".into(),
            _ => "-".into(),
        });
        let topology = self.topology.clone().unwrap_or_else(|| "-".into());
        vec![self.name.clone(), problem, topology, self.summary.clone()]
    }
}

/// The topology in an assumption: `ring` in `unidirectional ring`.
fn shape(assumption: &str) -> Option<&str> {
    const SHAPES: &[&str] =
        &["ring", "line", "star", "tree", "complete", "mesh", "torus", "hypercube", "connected graph"];
    let means = |shape: &&str| match *shape {
        "complete" => assumption.starts_with("complete"),
        shape => assumption.ends_with(shape),
    };
    SHAPES.iter().copied().find(means)
}
