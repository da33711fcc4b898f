//! Requests about texts: the library, diagnostics, editor features.

use super::Answer;
use super::answer;
use super::failure::Failure;
use super::limits;
use super::place::{DiagnosticBody, TextRange, Texts, Utf16};
use crate::catalogue::{Card, PropertyCard, brief, cards, is_about, model, summary};
use crate::check::{Checked, check_parsed, type_name};
use crate::diagnostic::Code;
use crate::diagnostic::codes;
use crate::glossary;
use crate::ide::Analysis;
use crate::ide::actions::Action;
use crate::ide::completion::ItemKind;
use crate::ide::tokens::TokenType;
use crate::input;
use crate::ir::{Daemon, Fault, Program};
use crate::library;
use crate::prose;
use crate::simulate::Schedule;
use crate::source::Span;
use crate::syntax::format::{Signs, format};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of a text without a name.
pub const UNNAMED: &str = "program.syn";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Name {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedText {
    text: String,
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextOffset {
    text: String,
    name: Option<String>,
    offset: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    code: Option<String>,
    word: Option<String>,
}

#[derive(Serialize)]
struct About {
    synod: &'static str,
    protocol: u32,
    limits: BTreeMap<&'static str, limits::Limit>,
    schedules: [&'static str; 5],
    daemons: Vec<&'static str>,
    faults: Vec<&'static str>,
}

/// Describe the workbench.
pub fn about() -> Answer {
    answer(&About {
        synod: env!("CARGO_PKG_VERSION"),
        protocol: 1,
        limits: limits::ALL.iter().copied().collect(),
        schedules: Schedule::ALL.map(Schedule::as_str),
        daemons: Daemon::ALL.into_iter().map(Daemon::as_str).collect(),
        faults: Fault::ALL.into_iter().map(Fault::as_str).collect(),
    })
}

#[derive(Serialize)]
struct Library {
    files: Vec<LibraryFile>,
}

#[derive(Serialize)]
struct LibraryFile {
    name: String,
    path: &'static str,
    kind: &'static str,
    family: &'static str,
    title: String,
    problem: Option<String>,
    model: Vec<&'static str>,
    assumes: Vec<String>,
    network: Option<&'static str>,
    scenarios: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryFields {
    #[serde(default)]
    brief: bool,
    words: Option<String>,
}

#[derive(Serialize)]
struct BriefLibrary {
    files: Vec<BriefFile>,
}

#[derive(Serialize)]
struct BriefFile {
    name: &'static str,
    path: &'static str,
    kind: &'static str,
    family: &'static str,
    title: String,
    problem: Option<String>,
}

/// List the library, or the files about some words. Without `brief`, every file is checked.
pub fn library(LibraryFields { brief: is_brief, words }: LibraryFields) -> Answer {
    let words = words.unwrap_or_default();
    limits::EXPRESSION_BYTES.check(words.len() as u64)?;
    let mut entries = library::entries();
    entries.retain(|_, entry| is_about(entry, &words));
    if is_brief {
        let file = |entry: library::Entry| {
            let (title, problem) = brief(&entry);
            let kind = if entry.is_problem() { "problem" } else { "algorithm" };
            BriefFile { name: entry.name, path: entry.path, kind, family: entry.folder(), title, problem }
        };
        let mut files: Vec<BriefFile> = entries.into_values().map(file).collect();
        files.sort_by_key(|file| (file.kind, file.path));
        return answer(&BriefLibrary { files });
    }

    let file = |card: Card| LibraryFile {
        family: card.folder(),
        network: card.program.as_ref().map(|program| program.assumptions.default_topology()),
        name: card.name,
        path: card.path,
        kind: card.kind,
        title: card.summary,
        problem: card.problem,
        model: card.model,
        assumes: card.assumes,
        scenarios: card.scenarios,
    };
    let cards = cards().into_iter().filter(|card| entries.contains_key(card.name.as_str()));
    answer(&Library { files: cards.map(file).collect() })
}

#[derive(Serialize)]
struct LibraryText {
    name: &'static str,
    path: &'static str,
    text: &'static str,
}

/// Return the text of a file of the library.
pub fn source(Name { name }: Name) -> Answer {
    let plain = name.rsplit('/').next().unwrap_or_default();
    let plain = plain.strip_suffix(".syn").unwrap_or(plain);
    let Some(entry) = library::find(plain) else {
        let hint = match library::nearest(plain, None) {
            Some(near) => format!("did you mean {near}?"),
            None => "`library` lists the library".into(),
        };
        return Err(Failure::new(format!("the library has no entry {name}")).hint(hint));
    };
    answer(&LibraryText { name: entry.name, path: entry.path, text: entry.text })
}

#[derive(Serialize)]
struct CheckAnswer {
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticBody>,
    program: Option<ProgramFacts>,
}

/// Check a text.
pub fn check(request: NamedText) -> Answer {
    let (name, text) = named(request)?;
    let analysis = Analysis::new(&name, &text, &library::source);
    let (checked, _) = check_parsed(&name, analysis.user_file().read.clone(), &library::source);
    let texts = Texts::new(&checked.sources);
    let whole = Span::new(0, 0, text.len());
    let actions = analysis.actions(&checked.diagnostics, whole);
    let fix = |found: &_| {
        let own = |action: &&Action| std::ptr::eq(action.finding, found);
        actions.iter().find(own).map(|action| action.fix.clone())
    };
    let diagnostics: Vec<DiagnosticBody> =
        checked.diagnostics.iter().map(|found| texts.diagnostic(found, fix(found))).collect();
    let errors = checked.diagnostics.iter().filter(|found| found.is_error()).count();
    let is_problem = checked.header.as_ref().is_some_and(|header| header.is_problem);
    let program = checked.program.as_ref().filter(|_| !is_problem).map(ProgramFacts::new);
    answer(&CheckAnswer { errors, warnings: diagnostics.len() - errors, diagnostics, program })
}

/// Facts about a program, for the form that chooses an instance.
#[derive(Clone, Debug, Serialize)]
pub struct ProgramFacts {
    name: String,
    title: String,
    problem: Option<String>,
    execution: &'static str,
    model: Vec<&'static str>,
    assumes: Vec<String>,
    topology: &'static str,
    topologies: Vec<String>,
    /// The daemon, if the program assumes one.
    daemon: Option<&'static str>,
    has_daemon: bool,
    /// The faults that the program assumes to be possible, as `faults` takes them.
    faults: Vec<&'static str>,
    is_random: bool,
    parameters: Vec<ParameterFacts>,
    properties: Vec<PropertyFacts>,
    scenarios: Vec<ScenarioFacts>,
    variables: Vec<String>,
    outputs: Vec<String>,
    actions: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct ParameterFacts {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    default: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct PropertyFacts {
    name: String,
    kind: &'static str,
    text: String,
    claimed: bool,
    from_problem: bool,
}

#[derive(Clone, Debug, Serialize)]
struct ScenarioFacts {
    name: String,
    network: Option<String>,
}

/// The greatest number of topologies that are listed.
const MOST_TOPOLOGIES: usize = 12;

impl ProgramFacts {
    pub fn new(program: &Program) -> ProgramFacts {
        let assumptions = &program.assumptions;
        let words = model(assumptions);
        let mut topologies = vec![assumptions.default_topology().to_string()];
        topologies.extend(assumptions.topology_to_explore().map(String::from));
        topologies.extend(assumptions.other_topologies(false).take(MOST_TOPOLOGIES));
        let mut known = std::collections::BTreeSet::new();
        topologies.retain(|topology| known.insert(topology.clone()));
        topologies.truncate(MOST_TOPOLOGIES);
        let mut variables: Vec<String> = Vec::new();
        for role in &program.roles {
            let own = role.vars.iter().filter(|v| !v.local).map(|v| role.shown_name(v));
            variables.extend(own);
        }
        let mut known = std::collections::BTreeSet::new();
        variables.retain(|name| known.insert(name.clone()));
        let mut actions: Vec<String> = program.actions.iter().map(ToString::to_string).collect();
        let mut known = std::collections::BTreeSet::new();
        actions.retain(|name| known.insert(name.clone()));
        let faults = [
            (assumptions.crashes, Fault::Crash),
            (assumptions.restarts, Fault::Restart),
            (assumptions.loses, Fault::Loss),
            (assumptions.duplicates, Fault::Duplication),
            (assumptions.links_fail, Fault::Link),
            (assumptions.detector.is_some(), Fault::Suspicion),
            (!program.oracles.is_empty(), Fault::OracleError),
        ];
        ProgramFacts {
            name: program.name.clone(),
            title: summary(program.doc.as_deref().unwrap_or_default()),
            problem: program.problem.clone(),
            execution: words.first().copied().unwrap_or_default(),
            is_random: words.contains(&"randomised"),
            model: words,
            assumes: assumptions.written.iter().map(|(words, _)| words.clone()).collect(),
            topology: assumptions.default_topology(),
            topologies,
            daemon: assumptions.daemon().map(Daemon::as_str),
            has_daemon: assumptions.reads_neighbours(),
            faults: faults.into_iter().filter(|(is, _)| *is).map(|(_, fault)| fault.as_str()).collect(),
            parameters: program.params.iter().map(|param| parameter(program, param)).collect(),
            properties: program.properties.iter().map(|property| property_facts(program, property)).collect(),
            scenarios: program
                .scenarios
                .iter()
                .map(|scenario| ScenarioFacts {
                    name: scenario.name.clone(),
                    network: scenario.topology.as_ref().map(ToString::to_string),
                })
                .collect(),
            variables,
            outputs: program.outputs.iter().map(|output| output.name.clone()).collect(),
            actions,
        }
    }
}

fn parameter(program: &Program, param: &crate::ir::Param) -> ParameterFacts {
    let default = param.default.as_ref().map(|value| program.sources.slice(value.span).to_string());
    ParameterFacts {
        name: param.name.clone(),
        ty: type_name(&param.ty, &program.enums, &program.records),
        default,
    }
}

fn property_facts(program: &Program, property: &crate::ir::Property) -> PropertyFacts {
    let card = PropertyCard::new(program, property);
    PropertyFacts {
        name: card.name,
        kind: card.kind,
        text: card.text,
        claimed: card.promised,
        from_problem: card.from_problem,
    }
}

#[derive(Serialize)]
struct Tokens {
    kinds: Vec<&'static str>,
    tokens: Vec<(u32, u32, usize)>,
}

/// Return the tokens of a text, for highlighting.
pub fn tokens(request: NamedText) -> Answer {
    let (name, text) = named(request)?;
    let analysis = Analysis::new(&name, &text, &library::source);
    let units = Utf16::new(&text);
    let kind = |colour: TokenType| TokenType::ALL.iter().position(|(known, _)| *known == colour);
    let all = analysis.coloured(Span::new(0, 0, text.len()));
    let tokens = all.into_iter().filter_map(|token| {
        Some((units.units(token.place.start), units.units(token.place.end), kind(token.colour)?))
    });
    answer(&Tokens {
        kinds: TokenType::ALL.iter().map(|(_, name)| *name).collect(),
        tokens: tokens.collect(),
    })
}

#[derive(Serialize)]
struct Items {
    items: Vec<ItemBody>,
}

#[derive(Serialize)]
struct ItemBody {
    label: String,
    kind: String,
    detail: String,
    documentation: String,
    insert: String,
    #[serde(flatten)]
    range: TextRange,
}

/// Return the completions at an offset.
pub fn complete(TextOffset { text, name, offset }: TextOffset) -> Answer {
    let (name, text) = named(NamedText { text, name })?;
    let analysis = Analysis::new(&name, &text, &library::source);
    let units = Utf16::new(&text);
    let items = analysis.completions(units.byte(offset) as usize);
    let item = |item: crate::ide::completion::Item| ItemBody {
        kind: match item.kind {
            ItemKind::Name(kind) => format!("{kind:?}").to_lowercase(),
            other => format!("{other:?}").to_lowercase(),
        },
        label: item.label,
        detail: item.detail,
        documentation: item.doc,
        insert: item.insert,
        range: units.range(item.replace),
    };
    answer(&Items { items: items.into_iter().map(item).collect() })
}

#[derive(Serialize)]
struct HoverBody {
    markdown: Option<String>,
    #[serde(flatten)]
    range: Option<TextRange>,
}

/// Explain the word at an offset.
pub fn hover(TextOffset { text, name, offset }: TextOffset) -> Answer {
    let (name, text) = named(NamedText { text, name })?;
    let mut analysis = Analysis::new(&name, &text, &library::source);
    let (_, types) = check_parsed(&name, analysis.user_file().read.clone(), &library::source);
    analysis.types = Some(types.into());
    let units = Utf16::new(&text);
    let found = analysis.hover(units.byte(offset) as usize);
    let range = found.as_ref().map(|hover| units.range(hover.place));
    answer(&HoverBody { markdown: found.map(|hover| hover.markdown), range })
}

#[derive(Serialize)]
struct Formatted {
    changed: bool,
    text: String,
}

/// Format a text.
pub fn formatted(request: NamedText) -> Answer {
    let (name, text) = named(request)?;
    match format(&text, Signs::AsWritten) {
        Ok(formatted) => answer(&Formatted { changed: formatted != text, text: formatted }),
        Err(found) => {
            let mut sources = crate::source::Sources::default();
            sources.add(&name, &text);
            Err(Failure::of_diagnostics(&sources, &found, "the text"))
        }
    }
}

#[derive(Serialize)]
struct Explanation {
    code: String,
    title: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Definition {
    word: &'static str,
    term: &'static str,
    markdown: &'static str,
}

/// Explain the code of a diagnostic, or a word of the glossary.
pub fn explain(topic: Topic) -> Answer {
    match (topic.code, topic.word) {
        (Some(code), None) => explain_code(&code),
        (None, Some(word)) => explain_word(&word),
        _ => Err(Failure::new("explain: expected `code` or `word`")),
    }
}

fn explain_code(written: &str) -> Answer {
    let Some(number) = codes::number(written) else {
        return Err(Failure::new(format!("there is no code {written}")).hint("codes are such as SYN0042"));
    };
    match codes::find(number) {
        Ok((code, title, markdown)) => answer(&Explanation { code: code.to_string(), title, markdown }),
        Err((near, title, _)) => Err(Failure::new(format!("there is no code {}", Code(number)))
            .hint(format!("the nearest is {near}: {title}"))),
    }
}

fn explain_word(written: &str) -> Answer {
    limits::EXPRESSION_BYTES.check(written.len() as u64)?;
    let words = glossary::entries();
    match glossary::find(&words, written) {
        Some(glossary::Entry { word, term, text }) => answer(&Definition { word, term, markdown: text }),
        None => {
            let known = || prose::available(&words.iter().map(|entry| entry.word).collect::<Vec<&str>>());
            Err(Failure::new(format!("'{written}' is no word of the glossary"))
                .hint(glossary::hint(&words, written).unwrap_or_else(known)))
        }
    }
}

/// Return name and text of a request.
fn named(NamedText { text, name }: NamedText) -> Result<(String, String), Failure> {
    limits::PROGRAM_BYTES.check(text.len() as u64)?;
    Ok((name.unwrap_or_else(|| UNNAMED.into()), text))
}

/// Check the text of a program that is to be run.
///
/// # Errors
/// If it has errors, or is no algorithm.
pub fn algorithm(name: &str, text: &str) -> Result<Checked, Failure> {
    limits::PROGRAM_BYTES.check(text.len() as u64)?;
    input::reject_non_program(name, text)?;
    let checked = crate::check::check(name, text, &library::source);
    if checked.diagnostics.iter().any(|found| found.is_error()) {
        return Err(input::InputError::Source(Box::new(checked)).into());
    }
    input::reject_problem(name, &checked)?;
    match checked.program.is_some() && checked.typed.is_some() {
        true => Ok(checked),
        false => Err(Failure::new(format!("{name} has no algorithm"))),
    }
}
