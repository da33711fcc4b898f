//! For any text, parsing terminates, and all spans lie within the text.

use super::{FORMS, LANGUAGE};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::syntax::{RESERVED, parse, parse_expr};

fn reads_without_panic(text: &str) {
    let (module, findings) = parse(0, text);
    for clause in &module.clauses {
        assert!(text.get(clause.span.range()).is_some());
    }
    for finding in &findings {
        assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
    }
    let _ = parse_expr(0, text);
}

fn soup() -> impl Strategy<Value = String> {
    let signs = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "[]",
        "->",
        ":=",
        "=",
        ",",
        ":",
        ";",
        "|",
        "..",
        ".",
        "-",
        "+",
        "<",
        "≤",
        "?",
        "*",
        "/",
        "\n",
        "x",
        "M",
        "M(x)",
        "12",
        "\"t\"",
        "of",
        "by",
        "count",
        "least",
        "arrived",
        "received",
        "set",
        "timer",
        "persistent",
        "stable",
        "leads",
        "bound",
        "// c\n",
        "/// d\n",
        "==",
        "\"",
        "é",
        "A: enter\n",
        "expect",
        "hold",
        "each",
        "per",
        "calls",
    ];
    let words: Vec<&'static str> = RESERVED.iter().copied().chain(signs).collect();
    prop::collection::vec(prop::sample::select(words), 0..60).prop_map(|all| all.join(" "))
}

fn mutated() -> impl Strategy<Value = String> {
    let whole = format!("{LANGUAGE}\n{FORMS}");
    let length = whole.len();
    let edits = prop::collection::vec(
        (0..length, 0usize..40, prop::sample::select(vec!["", "if", "fi", ")", "(", "\n", "}", "->"])),
        1..6,
    );
    edits.prop_map(move |edits| {
        let mut text = whole.clone();
        for (at, cut, put) in edits {
            let floor = |mut i: usize| {
                i = i.min(text.len());
                while !text.is_char_boundary(i) {
                    i -= 1;
                }
                i
            };
            let (from, to) = (floor(at), floor(at + cut));
            text.replace_range(from..to, put);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        reads_without_panic(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_unicode_text_makes_it_panic(text in "\\PC{0,200}") {
        reads_without_panic(&text);
    }

    #[test]
    fn no_token_soup_makes_it_panic(text in soup()) {
        reads_without_panic(&text);
    }

    #[test]
    fn no_broken_program_makes_it_panic(text in mutated()) {
        reads_without_panic(&text);
    }
}
