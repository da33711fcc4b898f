//! `synod list`: the entries of the library.

use super::exit::{ExitStatus, Failure, Outcome};
use super::options::Json;
use super::output::{Output, table};
use crate::catalogue::{Card, cards, names_match};
use crate::check::prose;
use crate::{library, render};
use clap::Args;
use serde::Serialize;

/// List the algorithms and problems of the library
#[derive(Args)]
pub struct ListOptions {
    #[arg(value_name = "WORD", hide = true)]
    word: Option<String>,

    /// Only algorithms that solve this problem, such as Election
    #[arg(long, value_name = "NAME")]
    problem: Option<String>,

    /// Only algorithms that assume this topology, such as ring
    #[arg(long, value_name = "TOPOLOGY")]
    topology: Option<String>,

    /// Only algorithms for this model: asynchronous, rounds, radio, state-reading, pairwise, timed, anonymous, randomised, … (repeatable)
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,

    /// Only algorithms with this assumption, such as 'unique ids' (repeatable)
    #[arg(long, value_name = "WORDS")]
    assumes: Vec<String>,

    /// Print the whole library as Markdown, with measured costs: the text of stdlib/README.md
    #[arg(long, conflicts_with_all = ["problem", "topology", "model", "assumes", "json"])]
    markdown: bool,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ListBody {
    entries: Vec<Card>,
}

/// Least width in columns of the summary of an entry.
const LEAST_SUMMARY: usize = 50;

/// Synonyms for the models.
const ALSO: &[(&str, &str)] =
    &[("synchronous", "rounds"), ("randomized", "randomised"), ("partially synchronous", "timed")];

pub fn run(options: &ListOptions, out: &mut Output) -> Outcome {
    if options.markdown {
        out.text(render::catalogue::markdown())?;
        return Ok(ExitStatus::Success);
    }
    // Entries are sorted by path, so that similar algorithms are together; problems are last.
    let mut items = cards();
    if let Some(word) = &options.word {
        return Err(unexpected_word(word, &items));
    }
    for wanted in options.assumes.iter().chain(&options.topology) {
        known(wanted, items.iter().flat_map(Card::all_assumptions), "assumes")?;
    }
    for wanted in &options.model {
        known(meaning(wanted), items.iter().flat_map(|item| item.model.iter().copied()), "is for the model")?;
    }
    if let Some(problem) = &options.problem {
        known(problem, items.iter().filter_map(Card::problem_name), "solves")?;
    }
    items.retain(|item| options.wants(item));
    if out.is_json() {
        out.json(&ListBody { entries: items })?;
        return Ok(ExitStatus::Success);
    }
    if items.is_empty() {
        out.note("no entry of the library matches all filters");
        return Ok(ExitStatus::Success);
    }
    let head = ["NAME", "PROBLEM", "TOPOLOGY", "MODEL", "SUMMARY"].map(String::from).to_vec();
    let mut rows: Vec<Vec<String>> = std::iter::once(head).chain(items.iter().map(row)).collect();
    let width = out.list_width();
    make_room(&mut rows, width);
    for (i, line) in table(&rows).iter().enumerate() {
        let line = out.clip(line, width);
        out.line(if i == 0 { out.bold(&line) } else { line })?;
    }
    Ok(ExitStatus::Success)
}

/// Remove columns that do not fit on a narrow terminal. The summary is most important: the columns before it go, from right to left.
fn make_room(rows: &mut [Vec<String>], width: usize) {
    let widest = |rows: &[Vec<String>], column: usize| {
        rows.iter().map(|row| row[column].chars().count() + 2).max().unwrap_or(0)
    };
    while rows.first().is_some_and(|head| head.len() > 2) {
        let columns = rows[0].len() - 1;
        let before: usize = (0..columns).map(|column| widest(rows, column)).sum();
        if before.saturating_add(LEAST_SUMMARY) <= width {
            return;
        }
        rows.iter_mut().for_each(|row| {
            row.remove(columns - 1);
        });
    }
}

/// Replace a synonym by the name of the model.
fn meaning(model: &str) -> &str {
    ALSO.iter().find(|(word, _)| names_match(word, model)).map_or(model, |(_, meant)| meant)
}

/// Return the failure for a word without an option, with a hint what was probably meant.
fn unexpected_word(word: &str, items: &[Card]) -> Failure {
    let failure = Failure::usage(format!("`synod list` takes no argument '{word}'"));
    if library::find(word).is_some_and(|entry| !entry.is_problem()) {
        return failure.hint(format!("synod show {word}"));
    }
    let filters: [(&str, Vec<&str>); 3] = [
        ("problem", items.iter().filter_map(Card::problem_name).collect()),
        ("model", items.iter().flat_map(|item| item.model.iter().copied()).collect()),
        ("assumes", items.iter().flat_map(Card::all_assumptions).collect()),
    ];
    for (flag, all) in &filters {
        if let Some(known) = all.iter().find(|known| names_match(known, meaning(word))) {
            let quoted = if known.contains(' ') { format!("'{known}'") } else { known.to_string() };
            return failure.hint(format!("synod list --{flag} {quoted}"));
        }
    }
    let problem = library::problem_called(&library::snake(word));
    if let Some(known) =
        filters[0].1.iter().find(|known| problem.is_some_and(|name| names_match(known, name)))
    {
        return failure.hint(format!("synod list --problem {known}"));
    }
    let folder = |item: &Card| item.path.split('/').any(|part| names_match(part, word));
    match items.iter().filter(|item| folder(item)).find_map(Card::problem_name) {
        Some(problem) => failure.hint(format!("synod list --problem {problem}")),
        None => match library::nearest(word, None) {
            Some(near) => failure.hint(format!("synod show {near}")),
            None => failure.hint("the filters are --problem, --topology, --model and --assumes"),
        },
    }
}

/// Check that some entry has the property that a filter asks for.
///
/// # Errors
/// If none has: the word is misspelt.
fn known<'i>(word: &str, all: impl Iterator<Item = &'i str>, what: &str) -> Result<(), Failure> {
    let mut all: Vec<String> = all.map(String::from).collect();
    all.sort_unstable();
    all.dedup();
    if all.iter().any(|one| names_match(one, word)) {
        return Ok(());
    }
    let hint = match prose::nearest(word, &all) {
        Some(near) => format!("did you mean '{near}'?"),
        None => prose::available(&all),
    };
    Err(Failure::usage(format!("nothing in the library {what} '{word}'")).hint(hint))
}

impl ListOptions {
    fn wants(&self, item: &Card) -> bool {
        let assumed = item.all_assumptions();
        let assumes = |wanted: &String| assumed.iter().any(|one| names_match(one, wanted));
        let solves = |wanted: &String| item.problem_name().is_some_and(|name| names_match(name, wanted));
        let runs_in = |wanted: &String| item.model.iter().any(|model| names_match(model, meaning(wanted)));
        self.assumes.iter().chain(&self.topology).all(assumes)
            && self.problem.iter().all(solves)
            && self.model.iter().all(runs_in)
    }
}

fn row(item: &Card) -> Vec<String> {
    let problem = match (item.problem_name(), item.kind) {
        (Some(name), _) => name,
        (None, "problem") => "(a problem)",
        _ => "-",
    };
    let topology = item.topology.as_deref().unwrap_or("-");
    let model = if item.model.is_empty() { "-".into() } else { item.model.join(", ") };
    vec![item.name.clone(), problem.into(), topology.into(), model, item.summary.clone()]
}
