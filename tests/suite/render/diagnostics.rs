//! Diagnostics with the excerpt of the source.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::diagnostic::{Behaviour, Hint, Label, Naming, Typing};
use synod::internals::render::Look;
use synod::internals::render::diagnostics::{diagnostic, diagnostics, summary};
use synod::internals::source::{Sources, Span};

/// The diagnostic at the first occurrence of a word.
fn at(sources: &Sources, file: u32, word: &str) -> Span {
    let start = sources.get(file).text.find(word).expect("the word occurs");
    Span::new(file, start, start + word.len())
}

fn sources(texts: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::default();
    for (name, text) in texts {
        sources.add(name, text);
    }
    sources
}

#[test]
fn a_place_after_cyrillic_and_chinese_text() {
    let s = sources(&[(
        "выборы.syn",
        "algorithm a // алгоритм выборов 選舉\nstate s // 状态\n  send Requset(\"привет\", \"你好\") to next\n",
    )]);
    let d = Typing::Mismatch("the message".into(), "Value".into(), "Text".into())
        .at(at(&s, 0, "Requset(\"привет\", \"你好\")"))
        .related(at(&s, 0, "алгоритм выборов 選舉"), Label::Declared)
        .hint(Hint::DeclareMessage("Requset".into()));
    insta::assert_snapshot!(diagnostic(&s, &d, Look::PLAIN));
    insta::assert_snapshot!("ascii", diagnostic(&s, &d, Look::ASCII));
}

#[test]
fn tabs_and_windows_line_ends() {
    let s = sources(&[("tabs.syn", "algorithm a\r\nstate s\r\n\treceive\te\r\n\tsend d\r\n")]);
    let list = [
        Naming::UnknownToAll("d".into()).at(at(&s, 0, "send d")),
        Behaviour::NeverRead("e".into()).at(at(&s, 0, "e\r")),
    ];
    insta::assert_snapshot!(diagnostics(&s, &list, Look::PLAIN));
    assert_eq!(summary(&list).as_deref(), Some("1 error, 1 warning"));
}

#[test]
fn several_files_and_several_lines() {
    let s = sources(&[
        (
            "ring.syn",
            "algorithm a solves Election\n\nstate s\n  if e = d -> halt\n  [] e > d -> skip\n  fi\n",
        ),
        ("stdlib/election.syn", "/// Выборы: 選舉\nproblem Election\noutput elected : Id?\n"),
    ]);
    let whole = at(&s, 0, "if e = d -> halt\n  [] e > d -> skip\n  fi");
    let d = Typing::DifferentResults("Int".into())
        .at(whole)
        .related(at(&s, 1, "elected"), Label::DeclaredByProblem)
        .related(at(&s, 0, "Election"), Label::Called);
    insta::assert_snapshot!(diagnostic(&s, &d, Look::PLAIN));
}

#[test]
fn the_end_of_a_text_and_a_text_without_anything() {
    let s = sources(&[("end.syn", "algorithm a\nstate s\n  send\n\n"), ("empty.syn", "")]);
    let end = s.get(0).text.len();
    let list = [
        Behaviour::HandlerWaits("send".into()).at(Span::new(0, end, end)),
        Naming::NoClauses.at(Span::new(1, 0, 0)),
        Naming::NoHeader.at(Span::new(9, 0, 5)),
    ];
    insta::assert_snapshot!(diagnostics(&s, &list, Look::PLAIN));
}

#[test]
fn line_numbers_agree_with_source_whatever_separators_occur() {
    let s = sources(&[("odd.syn", "a // \u{2028} \u{85} \x0C \r x\n\x1b[31mbad\n")]);
    let d = Naming::UnknownToAll("bad".into()).at(at(&s, 0, "bad"));
    let text = diagnostic(&s, &d, Look::PLAIN);
    assert!(text.contains("odd.syn:2:6"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    assert_eq!(s.place(d.span), "odd.syn:2:6");
}

#[test]
fn colour_only_on_request() {
    let s = sources(&[("a.syn", "algorithm a\n")]);
    let d = Naming::NoClauses.at(Span::new(0, 0, 9));
    let color = Look { color: true, ascii: false };
    assert!(diagnostic(&s, &d, color).contains("\x1b["));
    assert!(!diagnostic(&s, &d, Look::PLAIN).contains("\x1b["));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_span_makes_it_panic(
        text in "[a-c \t\r\n\u{e9}\u{4f60}\u{1f980}\u{301}\u{2028}\u{0}]{0,40}",
        file in 0u32..3, start in 0u32..60, end in 0u32..60,
        related in proptest::collection::vec((0u32..3, any::<u32>(), 0u32..70), 0..3),
        ascii: bool,
    ) {
        let s = sources(&[("a", &text), ("b", "state s\n")]);
        let mut d = Behaviour::ProcedureWaits("m".into()).at(Span { file, start, end });
        for (file, start, end) in related {
            d = d.related(Span { file, start, end }, Label::Here);
        }
        let text = diagnostic(&s, &d, Look { color: false, ascii });
        prop_assert!(text.contains("SYN0078"));
    }
}
