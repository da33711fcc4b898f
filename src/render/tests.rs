use super::Look;
use super::diagnostics::*;
use super::space_time::{DiagramMark, SpaceTimeOptions, space_time};
use crate::diagnostic::{Behaviour, Hint, Label, Naming, Typing};
use crate::source::{Sources, Span};
use crate::trace::End;
use crate::trace::tests::sample::{Builder, election, mutual_exclusion};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

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

#[test]
fn an_election_on_a_ring_of_four() {
    let options =
        SpaceTimeOptions { width: 110, outputs: vec!["elected".into()], ..SpaceTimeOptions::default() };
    insta::assert_snapshot!(space_time(&election(&[1, 2, 3, 4], 3), &options));
    let ascii = SpaceTimeOptions { look: Look::ASCII, ..options };
    insta::assert_snapshot!("ring_ascii", space_time(&election(&[1, 2, 3, 4], 3), &ascii));
}

#[test]
fn mutual_exclusion_among_three() {
    insta::assert_snapshot!(space_time(
        &mutual_exclusion(),
        &SpaceTimeOptions { width: 120, ..SpaceTimeOptions::default() }
    ));
}

#[test]
fn long_and_wide_runs_are_cut_and_say_so() {
    let ids: Vec<i64> = (0..20).map(|i| (i * 7) % 20 + 1).collect();
    let trace = election(&ids, 5);
    let options = SpaceTimeOptions { width: 80, max_events: 10, ..SpaceTimeOptions::default() };
    insta::assert_snapshot!(space_time(&trace, &options));
    let some = SpaceTimeOptions { processes: Some(vec![19, 0]), events: Some(18..40), ..options };
    insta::assert_snapshot!("some_processes", space_time(&trace, &some));
}

#[test]
fn messages_that_overtake_cross_gather_and_never_arrive() {
    let mut b = Builder::new("odd", "complete(3)", &[1, 2, 3]);
    b.header().names = vec!["A".into(), "сервер".into(), "客户".into()];
    let a = b.event(0, "start", &[], &[("X(1)", 1), ("X(2)", 1), ("Self", 0), ("Y", 2)], &[]);
    let c = b.event(2, "start", &[], &[("Y", 0), ("a rather long message(1, 2, 3)", 1)], &[]);
    b.event(1, "on X", &[a[1]], &[], &["x=2"]);
    b.event(1, "gather", &[a[0], c[1]], &[("Back", 0), ("Back", 2)], &["x=3", "!upcall deliver(3)"]);
    b.event(0, "on Self", &[a[2]], &[], &["halted=true"]);
    b.event(2, "on Y", &[a[3]], &[], &[]);
    insta::assert_snapshot!(space_time(&b.end(End::Stuck), &SpaceTimeOptions::default()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_width_makes_a_diagram_panic(
        width in 0usize..130, max_events in 0usize..20, start in 0usize..30, len in 0usize..30,
        processes in proptest::option::of(proptest::collection::vec(0u32..7, 0..5)), color: bool,
    ) {
        let trace = election(&[3, 1, 4, 2, 5], 1);
        let options = SpaceTimeOptions {
            list_width: usize::MAX,
            width, max_events, processes, flags: color, events: Some(start..start + len),
            look: Look { color, ascii: false }, outputs: vec![],
            marks: vec![DiagramMark { below: start + 1, processes: vec![4, 1], text: "the cut".into() }],
        };
        let text = space_time(&trace, &options);
        if !color && width > 60 {
            prop_assert!(text.lines().all(|l| l.chars().count() <= width));
        }
    }
}
