//! Programs: mutated library files and random token sequences, through the checker, the formatter and the editor's analysis.

use crate::robustness::stir::{Dice, stirred};
use synod::internals::check::check;
use synod::internals::ide::Analysis;
use synod::internals::library;
use synod::internals::render::{Look, diagnostics};
use synod::internals::syntax::format::{Signs, format};

const STIRRED: usize = 150;
const SOUPS: usize = 150;

/// Apply everything that an editor does to a text.
fn take(text: &str, dice: &mut Dice) {
    let checked = check("t.syn", text, &|name| library::source(name));
    let look = Look { color: false, ascii: false };
    diagnostics::diagnostics(&checked.sources, &checked.diagnostics, look);
    if let Ok(formatted) = format(text, Signs::default()) {
        assert_eq!(format(&formatted, Signs::default()).as_deref(), Ok(formatted.as_str()), "{text}");
    }
    let analysis = Analysis::new("t.syn", text, &|name| library::source(name));
    analysis.symbols();
    analysis.folds();
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    for _ in 0..3 {
        let at = dice.one_of(&places);
        analysis.hover(at);
        analysis.definition(at);
        analysis.references(at, true);
        analysis.completions(at);
        analysis.signature(at);
        analysis.selections(at);
        let _ = analysis.rename(at, "fresh");
    }
}

#[test]
fn mutated_programs() {
    let mut dice = Dice(1);
    let texts: Vec<&str> = library::entries().into_values().map(|entry| entry.text).collect();
    for _ in 0..STIRRED {
        let text = stirred(dice.one_of(&texts), &mut dice);
        take(&text, &mut dice);
    }
}

#[test]
fn soups_of_tokens() {
    let mut dice = Dice(2);
    let texts: Vec<&str> = library::entries().into_values().map(|entry| entry.text).collect();
    for _ in 0..SOUPS {
        let words: Vec<&str> = dice.one_of(&texts).split_inclusive(char::is_whitespace).collect();
        let mut text = "algorithm soup\n".to_string();
        for _ in 0..dice.below(80) {
            text += dice.one_of(&words);
        }
        take(&text, &mut dice);
    }
}
