//! The two forms of a trace file: written, read, damaged.

use super::sample::{election, mutual_exclusion};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::source::Sources;
use synod::internals::trace::{Change, End, Trace, hash};

#[test]
fn the_text_of_an_election() {
    insta::assert_snapshot!(election(&[3, 1, 4, 2], 7).to_text());
}

#[test]
fn the_text_of_mutual_exclusion() {
    insta::assert_snapshot!(mutual_exclusion().to_text());
}

#[test]
fn the_lines_of_mutual_exclusion() {
    insta::assert_snapshot!(mutual_exclusion().to_lines());
}

fn both_ways(trace: &Trace) {
    let (text, lines) = (trace.to_text(), trace.to_lines());
    for written in [&text, &lines] {
        let read = Trace::read(written).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(&read, trace);
        assert_eq!((read.to_text(), read.to_lines()), (text.clone(), lines.clone()));
    }
}

#[test]
fn both_forms_read_back_to_the_same_bytes() {
    both_ways(&mutual_exclusion());
    for seed in 0..20 {
        both_ways(&election(&[5, 2, 7, 1, 6], seed));
    }
    let mut odd = mutual_exclusion();
    odd.header.names = vec!["сервер".into(), "A B".into(), "客".into()];
    odd.header.roles = vec!["Server".into(), "Client".into(), "Client".into()];
    odd.header.initiators = Some(Vec::new());
    odd.header.initial = vec![Vec::new(); 3];
    odd.events[0].changes.push(Change::new("text", r#""a = b <- \"c\" -> | [d] @3""#));
    odd.events[1].action = "<- when x = 3 -> y from p2".into();
    odd.events[2].sent[0].text = "Item(\" to p1\", from p2)".into();
    for end in End::ALL {
        odd.end = end;
        both_ways(&odd);
    }
}

#[test]
fn former_names_of_events_are_read_as_the_present_ones() {
    for (former, present) in
        [("nobody there", "receiver crashed"), ("told the truth again", "oracle corrected")]
    {
        let mut trace = mutual_exclusion();
        trace.events[0].action = present.into();
        for written in [trace.to_text(), trace.to_lines()] {
            let old = written.replace(present, former);
            assert_ne!(old, written);
            assert_eq!(Trace::read(&old).unwrap(), trace);
        }
    }
}

#[test]
fn a_lasso_records_the_start_of_its_cycle() {
    let mut trace = mutual_exclusion();
    let hash = trace.hash();
    trace.header.repeats_from = Some(2);
    both_ways(&trace);
    trace.header.violates = Some("fair".into());
    both_ways(&trace);
    // It is the same run.
    assert_eq!(trace.hash(), hash);
    assert!(trace.to_text().contains("\nrepeats     from event 2\nviolates    fair\n"));
    let text = trace.to_text();
    let said = |text: &str| error(text);
    assert!(
        said(&text.replace("from event 2", "from event 999"))
            .contains("it repeats from event 999, but has only")
    );
    assert!(said(&text.replace("from event 2", "from 2")).contains("expected `from event` and a number"));
    assert!(said(&text.replace("repeats     from event 2\n", "")).contains("the line `repeats` is missing"));
    trace.end = End::Quiescent;
    assert!(said(&trace.to_lines()).contains("its end is `quiescent`"));
}

#[test]
fn equal_runs_have_equal_hashes_under_any_schedule() {
    let trace = election(&[3, 1, 4, 2], 7);
    let mut other = trace.clone();
    other.header.seed = 8;
    other.header.synod = "0.2.0".into();
    other.header.source = 1;
    assert_eq!(trace.hash(), other.hash());
    other.events[3].changes.push(Change::new("x", "1"));
    assert_ne!(trace.hash(), other.hash());
    // Permanent: a change of this number is a change of the format.
    assert_eq!(hash::show(trace.hash()), "60ebb0e86a709446");
}

#[test]
fn the_hash_of_sources() {
    let of = |texts: &[(&str, &str)]| {
        let mut sources = Sources::default();
        texts.iter().for_each(|(name, text)| {
            sources.add(name, text);
        });
        hash::source(&sources)
    };
    assert_eq!(of(&[("a", "x\ny"), ("b", "z")]), of(&[("c", "x\r\ny"), ("d", "z")]));
    assert_ne!(of(&[("a", "xy"), ("b", "z")]), of(&[("a", "x"), ("b", "yz")]));
    assert_eq!(of(&[]), 0xcbf2_9ce4_8422_2325);
}

/// Return the error for a malformed text.
fn error(text: &str) -> String {
    Trace::read(text).map_or_else(|e| e.to_string(), |_| "fine".into())
}

#[test]
fn what_is_wrong_with_a_file() {
    let text = mutual_exclusion().to_text();
    let lines = mutual_exclusion().to_lines();
    let without = |text: &str, part: &str| {
        let kept: Vec<&str> = text.lines().filter(|l| !l.contains(part)).collect();
        kept.join("\n") + "\n"
    };
    let cases = [
        ("empty", String::new()),
        ("foreign", "PNG\n".into()),
        ("foreign JSON", "{\"a\": 1}\n".into()),
        ("newer", text.replace("trace 1", "trace 2")),
        ("cut after a line", text.lines().take(20).collect::<Vec<_>>().join("\n") + "\n"),
        ("cut in a line", text[..text.find("Reply(2)").unwrap() + 4].into()),
        ("cut before the hash", without(&text, "hash")),
        ("an event is missing", without(&text, "\u{20}  3  p0")),
        ("no ids", without(&text, "ids ")),
        ("no end", without(&text, "end ")),
        ("unknown header line", text.replace("network ", "topology")),
        ("a value changed", text.replace("clock=5", "clock=6")),
        ("odd column", text.replace("clock=5", "clock 5")),
        ("odd step", text.replace("[deliver 1]", "[delivr 1]")),
        ("odd process", text.replace("p1  await", "q1  await")),
        ("too many processes", text.replace("ids         1, 2, 3", "ids         1, 2")),
        ("message without number", text.replace("<- m1 ", "<- x ")),
        ("lines: cut", lines[..lines.len() / 2].into()),
        ("lines: no footer", without(&lines, "\"end\"")),
        ("lines: a value changed", lines.replace("\"5\"", "\"6\"")),
        ("lines: unknown field", lines.replace("\"depth\"", "\"height\"")),
        ("lines: newer", lines.replace("\"synod_trace\":1", "\"synod_trace\":9")),
        ("lines: two spaces", lines.replace("on Reply", "on  Reply")),
    ];
    let said: Vec<String> = cases.iter().map(|(what, text)| format!("{what}: {}", error(text))).collect();
    insta::assert_snapshot!(said.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_do_not_panic(
        lines: bool,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..4, any::<char>()), 1..6),
    ) {
        let trace = mutual_exclusion();
        let whole = if lines { trace.to_lines() } else { trace.to_text() };
        let mut chars: Vec<char> = whole.chars().collect();
        for (at, what, c) in damage {
            let at = at.index(chars.len());
            match what {
                0 => chars[at] = c,
                1 => { chars.remove(at); }
                2 => chars.insert(at, c),
                _ => chars.truncate(at.max(9)),
            }
        }
        let text: String = chars.into_iter().collect();
        if let Ok(read) = Trace::read(&text) {
            // Undetected damage must be harmless: alignment, comments, seed, versions.
            prop_assert_eq!(read.events, trace.events);
        }
    }

    #[test]
    fn arbitrary_files_do_not_panic(text in "(synod trace 1\n)?[a-z0-9 =@\\[\\]<>!\"{}:,.pm\n-]{0,200}") {
        let _ = Trace::read(&text);
    }
}
