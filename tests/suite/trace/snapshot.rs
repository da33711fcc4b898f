//! Snapshots of runs, with what they leave out.

use super::sample::election;
use synod::internals::trace::Trace;
use synod::internals::trace::snapshot::{Redactions, Snapshot, redactions_of};

fn redactions(text: &str) -> Redactions {
    Redactions::parse(text).expect("these can be left out")
}

#[test]
fn a_snapshot_is_a_trace_and_reads_back() {
    let trace = election(&[3, 1, 2], 1);
    for left_out in ["", "p*.d", "*.*, *(*)", "p1.state,p1.state"] {
        let snapshot = Snapshot::new(trace.clone(), redactions(left_out));
        let text = snapshot.to_text();
        assert_eq!(Snapshot::read(&text).as_ref(), Ok(&snapshot), "{text}");
        assert_eq!(Trace::read(&text).as_ref(), Ok(snapshot.trace()), "{text}");
        assert_eq!(Trace::read(&snapshot.trace().to_lines()).as_ref(), Ok(snapshot.trace()));
        assert_eq!(Redactions::parse(&snapshot.redactions.to_string()).as_ref(), Ok(&snapshot.redactions));
        assert!(!text.contains("\nsource ") && !text.contains("\nsynod "), "{text}");
        // Any prefix is an error, not a snapshot.
        for end in (0..text.len() - 1).filter(|end| text.is_char_boundary(*end)) {
            assert!(Snapshot::read(&text[..end]).is_err(), "{}", &text[..end]);
        }
    }
}

#[test]
fn redacted_data_do_not_differ() {
    let trace = election(&[3, 1, 2], 1);
    let mut other = trace.clone();
    let changes = other.events.iter_mut().flat_map(|event| &mut event.changes);
    changes.for_each(|change| change.value += "7");
    let messages = other.events.iter_mut().flat_map(|e| e.sent.iter_mut().chain(&mut e.received));
    messages.for_each(|message| message.text = message.text.replace('(', "(9, "));
    let same = |left_out: &str| {
        let [a, b] = [&trace, &other].map(|trace| Snapshot::new(trace.clone(), redactions(left_out)));
        a.diff(&b).is_equal(true)
    };
    assert!(!same("") && !same("*.*") && !same("*(*)"));
    assert!(same("*.*, *(*)"));
}

#[test]
fn malformed_redactions_are_rejected() {
    for wrong in ["clock", ".x", "p.", "p0 .x", "a b(*)", "p*.clock, x"] {
        assert!(Redactions::parse(wrong).is_err(), "{wrong}");
    }
    let text = "synod trace 1\n# left out: nonsense\n";
    assert_eq!(redactions_of(text).map_err(|error| error.line), Err(2));
    assert_eq!(redactions_of("synod trace 1\nalgorithm x\n# left out: p.x\n"), Ok(Redactions::default()));
}
