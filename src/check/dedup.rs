//! Report one error for one mistake: remove findings that only follow from others.

use crate::check::names::Names;
use crate::diagnostic::{Diagnostic, Finding, Naming, Requirement, codes};
use crate::source::{Sources, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::Module;

use std::collections::BTreeSet;

/// Sort the findings by place, and remove repetitions (a clause shared by several roles is elaborated for each) and findings that
/// others explain. `missing` contains names whose declarations are wrong or repeated; names of clauses that failed to parse are
/// added here. `parsed` is the user's text.
pub fn remove_consequences(
    diagnostics: &mut Vec<Diagnostic>,
    sources: &Sources,
    mut missing: BTreeSet<String>,
    names: &Names,
    parsed: &Parsed,
) {
    let (file, text, module) = (0, &parsed.text, &parsed.module);
    diagnostics.sort_by_key(|d| (d.span, d.code()));
    let mut seen = BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.span, d.finding.clone())));
    // One error per place: an error at a place also causes others there.
    let mut places = BTreeSet::new();
    diagnostics.retain(|d| !d.is_error() || places.insert((d.span.file, d.span.start, d.span.end)));
    diagnostics.retain(|d| d.is_error() || !places.contains(&(d.span.file, d.span.start, d.span.end)));
    // For `begin … end`, report only the first word.
    let word = |d: &Diagnostic, word: &str| d.code() == codes::UNKNOWN_NAME && sources.slice(d.span) == word;
    if diagnostics.iter().any(|d| word(d, "begin")) {
        diagnostics.retain(|d| !word(d, "end"));
    }
    // Report a missing assumption once, however often it is needed.
    let mut assumptions = BTreeSet::new();
    diagnostics.retain(|d| d.code() != codes::ASSUMPTION_MISSING || assumptions.insert(d.hint.clone()));

    // `recieve q`: the name `q`, which the statement would have bound, is unknown in what follows.
    for d in diagnostics.iter().filter(|d| matches!(d.finding, Finding::Naming(Naming::NoStatement(_)))) {
        missing.extend(words(rest_of_line(sources, d.span)).map(String::from));
    }

    let mut vague_network = diagnostics.iter().any(|d| d.code() == codes::ASSUMPTION_UNKNOWN);
    if diagnostics.iter().any(|d| d.code().is_syntax() && d.span.file == file) {
        for words in &names.unread {
            vague_network |= words[0] == "assumes";
            if declares(&words[0]) {
                missing.extend(words[1..].iter().cloned());
            }
        }
        // Unparsed text after a state may have been part of its body.
        let goes_on =
            |d: &Diagnostic| d.span.file == file && unparsed_text_follows(text, module, d.span.start);
        retain_unless_empty(diagnostics, |d| d.code() != codes::NO_WAIT || !goes_on(d));
    }
    // A problem takes an upcall by its handler.
    if diagnostics.iter().any(|d| d.code().is_syntax()) {
        let handlers = names
            .unread
            .iter()
            .filter(|words| words[0] == "on" && words.get(1).is_some_and(|w| w == "algorithm"));
        missing.extend(handlers.filter_map(|words| words.get(3)).cloned());
    }
    missing.remove("");
    retain_unless_empty(diagnostics, |d| {
        let code = d.code();
        let of_name = [
            codes::UNKNOWN_NAME,
            codes::UNKNOWN_STATE,
            codes::UNKNOWN_TYPE,
            codes::NOT_ASSIGNABLE,
            codes::ASSUMPTION_MISSING,
        ]
        .contains(&code);
        let of_network = [codes::ASSUMPTION_MISSING, codes::NO_DESTINATION].contains(&code);
        let text = sources.slice(d.span);
        let of_type = [codes::TYPE_MISMATCH, codes::WRONG_ARITY].contains(&code)
            && words(text).any(|word| missing.contains(word));
        let of_operation = matches!(&d.finding,
            Finding::Requirement(Requirement::OperationMissing(_, name)) if missing.contains(name));
        !(of_name && missing.contains(text) || of_type || of_operation || of_network && vague_network)
    });
    // An error inside an expression explains why the whole expression has the wrong type, or is no measure.
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).map(|d| d.span).collect();
    diagnostics.retain(|d| {
        let inside = |s: &Span| {
            *s != d.span && s.file == d.span.file && s.start >= d.span.start && s.end <= d.span.end
        };
        ![codes::TYPE_MISMATCH, codes::BARE_TYPES, codes::METRIC].contains(&d.code())
            || !errors.iter().any(inside)
    });
}

/// Return whether clauses that begin with this word declare the names on their first line.
fn declares(word: &str) -> bool {
    matches!(word, "message" | "var" | "output" | "persistent" | "const" | "param" | "function" | "procedure")
        || matches!(word, "operation" | "enum" | "record" | "initial" | "state" | "role" | "uses")
}

/// Return the names and numbers in a piece of text; empty items occur between adjacent other characters.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Return the rest of the line after a place, without the comment.
fn rest_of_line(sources: &Sources, span: Span) -> &str {
    let text = &sources.get(span.file).text;
    let line = text.get(span.end as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    line.split("//").next().unwrap_or_default()
}

/// Remove findings, but keep all if no error would remain.
fn retain_unless_empty(diagnostics: &mut Vec<Diagnostic>, keep: impl Fn(&Diagnostic) -> bool) {
    if diagnostics.iter().any(|d| d.is_error() && keep(d)) {
        diagnostics.retain(keep);
    }
}

/// Return whether unparsed text follows the clause at this place.
fn unparsed_text_follows(text: &str, module: &Module, at: u32) -> bool {
    let after = module.clauses.partition_point(|c| c.span.end <= at);
    let Some(clause) = module.clauses.get(after) else {
        return false;
    };
    let end = module.clauses.get(after + 1).map_or(text.len(), |next| next.span.start as usize);
    let between = text.get(clause.span.end as usize..end).unwrap_or_default();
    between.lines().map(str::trim).any(|line| !line.is_empty() && !line.starts_with("//"))
}
