//! `check` accepts any text: files of the library with words and lines removed, doubled and swapped.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::check::check;
use synod::internals::library;
use synod::internals::render::{Look, diagnostics};

const CASES: u32 = 2000;

/// One change of a text.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    DropWord(usize),
    DoubleWord(usize),
    SwapWords(usize, usize),
    DropLine(usize),
    DoubleLine(usize),
    SwapLines(usize, usize),
    CutOff(usize),
}

fn mishap() -> impl Strategy<Value = Mishap> {
    let at = 0usize..1_000_000;
    prop_oneof![
        4 => at.clone().prop_map(Mishap::DropWord),
        2 => at.clone().prop_map(Mishap::DoubleWord),
        6 => (at.clone(), at.clone()).prop_map(|(a, b)| Mishap::SwapWords(a, b)),
        2 => at.clone().prop_map(Mishap::DropLine),
        1 => at.clone().prop_map(Mishap::DoubleLine),
        2 => (at.clone(), at.clone()).prop_map(|(a, b)| Mishap::SwapLines(a, b)),
        1 => at.prop_map(Mishap::CutOff),
    ]
}

/// Return the words, runs of blanks, and signs of a text, in order.
fn words(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars() {
        if last == Some(kind(c)) && kind(c) != 2 {
            words.last_mut().unwrap().push(c);
        } else {
            words.push(c.into());
        }
        last = Some(kind(c));
    }
    words
}

fn stir(pieces: &mut Vec<String>, mishap: Mishap) {
    // Blanks are not words.
    let solid: Vec<usize> = (0..pieces.len()).filter(|i| !pieces[*i].trim().is_empty()).collect();
    if solid.is_empty() {
        return;
    }
    let pick = |i: usize| solid[i % solid.len()];
    match mishap {
        Mishap::DropWord(i) | Mishap::DropLine(i) => {
            pieces.remove(pick(i));
        }
        Mishap::DoubleWord(i) | Mishap::DoubleLine(i) => {
            let again = pieces[pick(i)].clone();
            pieces.insert(pick(i), again);
        }
        Mishap::SwapWords(i, j) | Mishap::SwapLines(i, j) => pieces.swap(pick(i), pick(j)),
        Mishap::CutOff(i) => pieces.truncate(pick(i)),
    }
}

/// Remove comments: changes in them test little.
fn without_comments(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap()).filter(|l| !l.trim().is_empty()).fold(
        String::new(),
        |mut all, l| {
            all.push_str(l);
            all.push('\n');
            all
        },
    )
}

fn soup(file: usize, mishaps: &[Mishap]) -> String {
    let entries = library::entries();
    let entry = entries.values().nth(file % entries.len()).unwrap();
    let mut text = without_comments(entry.text);
    for m in mishaps {
        let mut pieces: Vec<String> = match m {
            Mishap::DropLine(_) | Mishap::DoubleLine(_) | Mishap::SwapLines(..) => {
                text.split_inclusive('\n').map(String::from).collect()
            }
            _ => words(&text),
        };
        stir(&mut pieces, *m);
        text = pieces.concat();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn check_accepts_any_text(file in 0usize..1000, mishaps in prop::collection::vec(mishap(), 1..6)) {
        let text = soup(file, &mishaps);
        let checked = check("soup.syn", &text, &library::source);
        diagnostics::diagnostics(&checked.sources, &checked.diagnostics, Look::PLAIN);
        // A program exists exactly if there are no errors.
        let failed = checked.diagnostics.iter().any(|d| d.is_error());
        prop_assert!(checked.program.is_some() != failed, "neither a program nor an error:\n{text}");
    }
}
