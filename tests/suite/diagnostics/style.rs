//! The wording of diagnostics in general; and every code has its case.

use crate::diagnostics::harness::cases;
use std::collections::BTreeSet;
use synod::internals::diagnostic::{Code, codes};

/// Return every code, with its title.
pub fn catalogue() -> Vec<(Code, &'static str, &'static str)> {
    codes::CODES.to_vec()
}

#[test]
fn every_case_is_wrong() {
    for case in cases() {
        assert!(!case.check().diagnostics.is_empty(), "{}/{}: nothing is wrong", case.area, case.name);
    }
}

#[test]
fn every_code_has_a_case() {
    // These need more than a short program: see `explanations`.
    let long = [codes::TOO_DEEP, codes::TEXT_TOO_LARGE, codes::PROGRAM_TOO_LARGE];
    let seen: BTreeSet<Code> =
        cases().iter().flat_map(|c| c.check().diagnostics).map(|d| d.code()).chain(long).collect();
    let unseen: Vec<String> = catalogue()
        .iter()
        .filter(|(code, ..)| !seen.contains(code))
        .map(|(code, title, _)| format!("{code} {title}"))
        .collect();
    assert!(unseen.is_empty(), "no case for:\n{}", unseen.join("\n"));
}

#[test]
fn codes_are_different() {
    let mut seen = BTreeSet::new();
    for (code, title, _) in catalogue() {
        assert!(seen.insert(code), "{code} is given twice, once to «{title}»");
    }
}

#[test]
fn messages_and_hints_are_one_sentence_without_full_stop() {
    for case in cases() {
        for d in case.check().diagnostics {
            let labels = d.related.iter().map(|(_, label)| label.to_string()).chain([d.label()]);
            for text in labels.chain([d.message()]).chain(d.advice()) {
                let place = format!("{}/{}: {text}", case.area, case.name);
                assert!(!text.ends_with('.'), "{place}");
                assert!(!text.contains("unknown type`"), "{place}");
                assert!(!text.contains("1 stand "), "{place}");
                assert!(!text.contains("  "), "{place}");
            }
        }
    }
}

#[test]
fn diagnostics_are_shown_in_their_file() {
    for case in cases() {
        let checked = case.check();
        for d in &checked.diagnostics {
            let place = format!("{}/{}: {}", case.area, case.name, d.message());
            for span in d.related.iter().map(|(span, _)| *span).chain([d.span]) {
                let text = &checked.sources.iter().nth(span.file as usize).expect(&place).text;
                assert!(span.start <= span.end && span.end as usize <= text.len(), "{place}");
                assert!(text.is_char_boundary(span.start as usize), "{place}");
            }
        }
    }
}
