//! The standard library: every `.syn` file of `stdlib/`, embedded in the binary.

use crate::prose;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/stdlib");

/// A file of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the algorithm or problem: the file name without `.syn`.
    pub name: &'static str,
    /// The path within the library: `election/ring/lelann.syn`.
    pub path: &'static str,
    /// The source text.
    pub text: &'static str,
}

impl Entry {
    /// Whether the file is a problem, not an algorithm.
    pub fn is_problem(&self) -> bool {
        self.path.starts_with("problems/")
    }

    /// Return the folder of the file: `election/ring`.
    pub fn folder(&self) -> &'static str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// Return the text of `verified.tsv`, the exhaustive verification results: one line per algorithm and network. Empty if the file
/// is missing.
pub fn verified() -> &'static str {
    FILES.get_file("verified.tsv").and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// Return all files by name, in alphabetical order.
pub fn entries() -> BTreeMap<&'static str, Entry> {
    fn walk(dir: &'static Dir, entries: &mut BTreeMap<&'static str, Entry>) {
        for file in dir.files() {
            let path = file.path().to_str().unwrap_or("");
            if let (Some(name), Some(text)) =
                (path.rsplit('/').next().and_then(|f| f.strip_suffix(".syn")), file.contents_utf8())
            {
                entries.insert(name, Entry { name, path, text });
            }
        }
        dir.dirs().for_each(|d| walk(d, entries));
    }
    let mut all = BTreeMap::new();
    walk(&FILES, &mut all);
    all
}

/// Return the file of that name: `lelann`, or `MutualExclusion` for `mutual_exclusion`.
pub fn find(name: &str) -> Option<Entry> {
    let all = entries();
    all.get(name).or_else(|| all.get(snake(name).as_str())).copied()
}

/// Return the display name and the text of a file, as `check` needs them.
pub fn source(name: &str) -> Option<(String, String)> {
    find(name).map(|e| (format!("stdlib/{}", e.path), e.text.to_string()))
}

/// Return the name nearest to a misspelt one, of a problem, of an algorithm, or of either. The result is in capitals if the given
/// name is.
pub fn nearest(name: &str, of_problem: Option<bool>) -> Option<String> {
    let all = entries().into_values().filter(|entry| of_problem.is_none_or(|p| p == entry.is_problem()));
    let known: Vec<String> = all.map(|entry| entry.name.to_string()).collect();
    let wanted = snake(name);
    let synonym = of_problem.unwrap_or(true).then(|| problem_called(&wanted)).flatten();
    let near = known.iter().find(|known| **known == wanted).map(String::as_str).or(synonym);
    let near = near.or_else(|| prose::nearest(&wanted, &known))?;
    Some(if name.starts_with(|c: char| c.is_ascii_uppercase()) { camel(near) } else { near.to_string() })
}

/// Other names of the problems of the library.
const PROBLEMS: &[(&str, &[&str])] = &[
    ("mutual_exclusion", &["mutex", "exclusion", "critical_section", "lock", "locking"]),
    ("agreement", &["consensus", "byzantine_agreement", "binary_consensus"]),
    ("election", &["leader", "leader_election", "elect"]),
    ("multicast", &["broadcast", "reliable_broadcast", "atomic_broadcast", "total_order_broadcast"]),
    ("atomic_commitment", &["commit", "atomic_commit", "transaction", "commitment"]),
    ("termination_detection", &["termination"]),
    ("deadlock_detection", &["deadlock"]),
    ("spanning_tree", &["tree", "bfs", "broadcast_tree"]),
];

/// Return the problem of the library that has this other name, both in snake case.
pub fn problem_called(word: &str) -> Option<&'static str> {
    PROBLEMS.iter().find(|(_, others)| others.contains(&word)).map(|(problem, _)| *problem)
}

/// Convert snake case to camel case: `mutual_exclusion` → `MutualExclusion`.
fn camel(name: &str) -> String {
    let capital = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => String::new(),
    };
    name.split('_').map(capital).collect()
}

/// Convert camel case to snake case: `MutualExclusion` → `mutual_exclusion`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.char_indices() {
        if c.is_ascii_uppercase() {
            if i > 0 && !out.ends_with('_') {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}
