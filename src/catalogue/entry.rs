//! One file of the library as a card: definition, source, assumptions, and promised properties.

use crate::check::check;
use crate::diagnostic::Diagnostic;
use crate::ir::{Assumptions, Program, Property, PropertyKind, Shape};
use crate::library::{self, Entry};
use crate::property::kind_word;
use serde::Serialize;
use std::sync::Arc;

/// The description of a library file, extracted from it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Card {
    pub name: String,
    /// The path within the library.
    pub path: &'static str,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["algorithm", "problem"])))]
    pub kind: &'static str,
    /// The problem that it solves, with options, as written.
    pub problem: Option<String>,
    pub topology: Option<String>,
    /// The execution model and its distinguishing features: `asynchronous`, `rounds`, `anonymous`, ….
    pub model: Vec<&'static str>,
    pub assumes: Vec<String>,
    pub properties: Vec<PropertyCard>,
    pub scenarios: Vec<String>,
    /// The first sentence of the doc comment, without references.
    pub summary: String,
    pub doc: String,
    /// The «Source:» paragraph of the doc comment: the document, and the place in it.
    pub source: Option<String>,
    #[serde(skip)]
    pub program: Option<Arc<Program>>,
    #[serde(skip)]
    pub text: &'static str,
}

/// A property of an algorithm, or of the problem that it solves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PropertyCard {
    pub name: String,
    pub kind: &'static str,
    /// The text of the property, as written.
    pub text: String,
    /// Whether the property belongs to the problem.
    pub from_problem: bool,
    /// False if the algorithm solves its problem `without` this property.
    pub promised: bool,
    /// Whether the property bounds the cost of a run.
    #[serde(skip)]
    pub is_bound: bool,
}

/// Return the cards of all library files, in path order, problems last.
pub fn cards() -> Vec<Card> {
    let mut all: Vec<Card> = library::entries().into_values().map(Card::new).collect();
    all.sort_by(|a, b| (a.kind, a.path).cmp(&(b.kind, b.path)));
    all
}

impl Card {
    pub fn new(entry: Entry) -> Card {
        let checked = check(entry.path, entry.text, &library::source);
        let doc = checked.header.and_then(|h| h.doc).unwrap_or_default();
        let mut card = Card {
            name: entry.name.into(),
            path: entry.path,
            kind: if entry.is_problem() { "problem" } else { "algorithm" },
            problem: None,
            topology: None,
            model: Vec::new(),
            assumes: Vec::new(),
            properties: Vec::new(),
            scenarios: Vec::new(),
            summary: summary(&doc),
            source: source(&doc),
            doc,
            program: None,
            text: entry.text,
        };
        debug_assert!(!checked.diagnostics.iter().any(Diagnostic::is_error), "{} is wrong", entry.path);
        let Some(program) = checked.program else { return card };
        card.properties = program.properties.iter().map(|p| PropertyCard::new(&program, p)).collect();
        card.scenarios = program.scenarios.iter().map(|s| s.name.clone()).collect();
        if !entry.is_problem() {
            card.assumes = program.assumptions.written.iter().map(|(words, _)| words.clone()).collect();
            card.topology = card.assumes.iter().find(|words| shape(words).is_some()).cloned();
            card.model = model(&program.assumptions);
            card.problem = program.problem.clone();
            card.program = Some(Arc::new(program));
        }
        card
    }

    /// Return the folder of the file: `election/ring`.
    pub fn folder(&self) -> &'static str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Return the name of the problem: `Election` for `Election(winner: greatest)`.
    pub fn problem_name(&self) -> Option<&str> {
        let problem = self.problem.as_ref()?;
        Some(problem.split('(').next().unwrap_or(problem))
    }

    /// Return all assumptions, and the bare form of an assumed topology: also `ring` for `unidirectional ring`.
    pub fn all_assumptions(&self) -> Vec<&str> {
        let bare = self.topology.as_deref().and_then(shape);
        self.assumes.iter().map(String::as_str).chain(bare).collect()
    }

    /// Return the paragraphs of the doc comment without «Source:». The first is a definition; the others explain the algorithm.
    pub fn paragraphs(&self) -> Vec<String> {
        let all = self.doc.split("\n\n").filter_map(|paragraph| {
            let own = paragraph.split("Source:").next().unwrap_or_default();
            let words: Vec<&str> = own.split_whitespace().collect();
            (!words.is_empty()).then(|| words.join(" "))
        });
        all.collect()
    }

    /// Iterate over the properties that bound the cost of a run.
    pub fn bounds(&self) -> impl Iterator<Item = &PropertyCard> {
        self.properties.iter().filter(|p| p.is_bound)
    }
}

/// Return the summary of a file and the problem that it solves, without checking the file.
pub fn brief(entry: &Entry) -> (String, Option<String>) {
    let mut doc = Vec::new();
    let mut lines = entry.text.lines();
    let mut header = String::new();
    for line in lines.by_ref() {
        match line.strip_prefix("///") {
            Some(text) => doc.push(text.strip_prefix(' ').unwrap_or(text)),
            None => {
                header = line.into();
                break;
            }
        }
    }
    for line in lines.take_while(|line| line.starts_with(' ')) {
        header = format!("{header} {}", line.trim());
    }
    let code = header.split("//").next().unwrap_or_default();
    let solves = code.split_once(" solves ").map(|(_, problem)| problem);
    let problem =
        solves.map(|problem| problem.split(" without ").next().unwrap_or(problem).trim().to_string());
    // A variant solves the problem of its base.
    let base = code.split_once(" variant of ").and_then(|(_, base)| base.split_whitespace().next());
    let inherited = || brief(&library::find(base?)?).1;
    (summary(&doc.join("\n")), problem.or_else(inherited))
}

/// Return whether name, path or head of a file (documentation, problem, assumptions) contain all of these words.
pub fn is_about(entry: &Entry, words: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-'], " ");
    let heads = ["///", "algorithm", "problem", "assumes", " "];
    let head = entry.text.lines().take_while(|line| heads.iter().any(|head| line.starts_with(head)));
    let mut text = format!("{} {}", plain(entry.name), plain(entry.path));
    for line in head {
        text.push(' ');
        text.push_str(&plain(line.trim_start_matches("///")));
    }
    plain(words).split_whitespace().all(|word| text.contains(word))
}

impl PropertyCard {
    pub fn new(program: &Program, property: &Property) -> PropertyCard {
        let text = program.sources.slice(property.span);
        // A doc comment belongs to its clause, but not to the text of the property.
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
        PropertyCard {
            name: property.name.clone(),
            kind: kind_word(property.kind),
            text: words.join(" "),
            from_problem: property.from_problem,
            promised: property.is_claimed,
            is_bound: matches!(property.kind, PropertyKind::Bound | PropertyKind::Exactly),
        }
    }
}

/// A parenthesis longer than this many characters is a reference.
const LONGEST_ASIDE: usize = 24;

/// Return the first sentence of a doc comment, without long parentheses and without its full stop.
pub fn summary(doc: &str) -> String {
    let paragraph = doc.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let (mut text, mut aside) = (String::new(), String::new());
    let mut depth = 0usize;
    for word in words {
        let inside = depth > 0 || word.starts_with('(');
        let part = if inside { &mut aside } else { &mut text };
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(word);
        if inside {
            depth = (depth + word.matches('(').count()).saturating_sub(word.matches(')').count());
        }
        if inside && depth == 0 {
            // The character after the parenthesis, `:` or `.`, belongs to the sentence.
            let end = aside.rfind(')').map_or(aside.len(), |at| at + 1);
            let (inner, after) = aside.split_at(end);
            if inner.chars().count() <= LONGEST_ASIDE {
                text = format!("{text} {inner}");
            }
            text.push_str(after);
            aside.clear();
        }
        if depth == 0 && text.ends_with('.') && !text.ends_with(" al.") {
            break;
        }
    }
    text.trim().trim_end_matches('.').into()
}

/// Return the paragraph that begins with «Source:», without the entry number of the source catalogue.
fn source(doc: &str) -> Option<String> {
    let (_, after) = doc.split_once("Source:")?;
    let words: Vec<&str> = after.split("\n\n").next()?.split_whitespace().collect();
    let text = words.join(" ");
    let Some((before, number)) = text.split_once("Catalogue:") else { return Some(text) };
    let rest = number.split_once(". ").map_or("", |(_, rest)| rest);
    Some(format!("{} {rest}", before.trim()).trim().to_string())
}

/// Return the execution model and its distinguishing features.
pub fn model(assumes: &Assumptions) -> Vec<&'static str> {
    let says =
        |word: &str| assumes.written.iter().any(|(w, _)| w == word || w.starts_with(&format!("{word} ")));
    let pace = if assumes.radio() {
        "radio"
    } else if assumes.rounds() {
        "rounds"
    } else if assumes.reads_neighbours() {
        "state-reading"
    } else if assumes.in_pairs() {
        "pairwise"
    } else if assumes.delay.is_some() || assumes.timers {
        "timed"
    } else {
        "asynchronous"
    };
    let others = [
        (assumes.anonymous, "anonymous"),
        (says("randomness"), "randomised"),
        (assumes.crashes || assumes.restarts, "crashes"),
        (assumes.loses || assumes.duplicates || assumes.links_fail, "lossy"),
        (assumes.detector.is_some(), "failure detector"),
    ];
    std::iter::once(pace).chain(others.into_iter().filter(|(is, _)| *is).map(|(_, word)| word)).collect()
}

/// Return the topology in an assumption: `ring` in `unidirectional ring`.
fn shape(assumption: &str) -> Option<&'static str> {
    const SHAPES: &[(Shape, &str)] = &[
        (Shape::Ring, "ring"),
        (Shape::Line, "line"),
        (Shape::Star, "star"),
        (Shape::Tree, "tree"),
        (Shape::Complete, "complete"),
        (Shape::Mesh, "mesh"),
        (Shape::Torus, "torus"),
        (Shape::Hypercube, "hypercube"),
        (Shape::Connected, "connected graph"),
    ];
    // A ring or tree laid through the network is not its topology.
    if ["virtual ring", "spanning tree"].contains(&assumption) {
        return None;
    }
    let means = |(shape, words): &&(Shape, &str)| match shape {
        Shape::Complete => assumption.starts_with("complete"),
        _ => assumption.ends_with(words),
    };
    SHAPES.iter().find(means).map(|(_, words)| *words)
}

/// Return whether two names are equal for a search: `MutualExclusion`, `mutual_exclusion` and `mutual exclusion` are.
pub fn names_match(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.replace(['_', ' ', '-'], "").to_lowercase();
    plain(a) == plain(b)
}
