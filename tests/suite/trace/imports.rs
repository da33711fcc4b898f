//! Traces of other tools: exported traces are read back, without the data that their format lacks; others are read as they are.

use super::sample::{election, mutual_exclusion};
use insta::assert_snapshot;
use synod::internals::trace::Trace;
use synod::internals::trace::causality::Causality;
use synod::internals::trace::export::Form;
use synod::internals::trace::histories::Histories;
use synod::internals::trace::import::{ForeignForm, Imported, import};

fn read(text: &str) -> Imported {
    let imported =
        import(text).expect("a trace of another tool").unwrap_or_else(|error| panic!("{error}\n{text}"));
    // It is a trace that can be written and read again.
    assert_eq!(Trace::read(&imported.trace.to_text()).unwrap(), imported.trace);
    assert_eq!(Trace::read(&imported.trace.to_lines()).unwrap(), imported.trace);
    imported
}

fn order(trace: &Trace) -> Vec<Vec<u32>> {
    let causality = Causality::of(trace);
    (0..trace.events.len()).map(|i| causality.vector(i)).collect()
}

/// The events of each process, without silent starts.
fn events_of_histories(trace: &Trace) -> Vec<usize> {
    Histories::of(trace).unwrap().events().collect()
}

#[test]
fn itf_that_synod_wrote_has_the_events_messages_and_variables() {
    for trace in [election(&[3, 1, 4, 2], 5), mutual_exclusion()] {
        let imported = read(&trace.export(Form::Itf));
        assert_eq!(imported.form, ForeignForm::Itf);
        let again = imported.trace;
        assert_eq!((again.n(), again.end), (trace.n(), trace.end));
        assert_eq!(again.header.algorithm, trace.header.algorithm);
        assert_eq!(again.header.network, trace.header.network);
        assert_eq!(again.header.names, trace.header.names);
        assert_eq!(again.events.len(), trace.events.len());
        for (before, after) in trace.events.iter().zip(&again.events) {
            assert_eq!((before.process, &before.action, before.at), (after.process, &after.action, after.at));
            assert_eq!(
                (&before.sent, &before.received, &before.lost),
                (&after.sent, &after.received, &after.lost)
            );
            assert_eq!(before.observations, after.observations);
            // A change to the same value is not visible between states.
            for change in &after.changes {
                assert!(before.changes.contains(change), "{change} in {:?}", before.changes);
            }
        }
        assert_eq!(order(&again), order(&trace));
        assert_eq!(events_of_histories(&again), events_of_histories(&trace));
    }
}

#[test]
fn logs_that_synod_wrote_have_the_events_and_messages() {
    for trace in [election(&[3, 1, 4, 2], 5), mutual_exclusion()] {
        let imported = read(&trace.export(Form::Shiviz));
        assert_eq!(imported.form, ForeignForm::Shiviz);
        let again = imported.trace;
        assert_eq!(again.events.len(), trace.events.len());
        let sent = |trace: &Trace| trace.events.iter().map(|event| event.sent.len()).sum::<usize>();
        let mut sums: Vec<Vec<u32>> = order(&trace);
        sums.sort();
        let mut again_sums = order(&again);
        again_sums.sort();
        if trace.header.names.is_empty() {
            assert_eq!(sent(&again), sent(&trace));
            assert_eq!(again_sums, sums);
        }
    }
}

#[test]
fn itf_of_other_tools_is_one_process() {
    let text = r##"{"#meta": {"format": "ITF", "source": "Counter.tla"}, "vars": ["x", "s"], "states": [
        {"#meta": {"index": 0}, "x": {"#bigint": "1"}, "s": {"#set": []}},
        {"#meta": {"index": 1}, "x": {"#bigint": "2"}, "s": {"#set": []}, "mbt::actionTaken": "Increment"},
        {"#meta": {"index": 2}, "x": 2, "s": {"#map": [[1, {"#tup": [true, "a"]}]]}}], "loop": 1}"##;
    let imported = read(text);
    let events: Vec<String> = imported
        .trace
        .events
        .iter()
        .map(|event| {
            let changes: Vec<String> = event.changes.iter().map(ToString::to_string).collect();
            format!("{}: {}", event.action, changes.join(", "))
        })
        .collect();
    assert_eq!(events, ["Increment: x=2", "step: s={1: (true, a)}, x=2"]);
    assert_eq!((imported.trace.n(), imported.trace.header.repeats_from), (1, Some(1)));
    assert!(imported.missing.contains("processes"), "{}", imported.missing);
}

#[test]
fn messages_explain_the_clocks_of_other_logs() {
    // The description comes first, hosts have names, and the events are not in causal order.
    let text = "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n\nserver receives\nserver {\"server\":1, \"client\":1}\n\
                client asks\nclient {\"client\":1}\nclient hears\nclient {\"server\":2, \"client\":2}\nserver answers\n\
                server {\"server\":2, \"client\":1}\n";
    let trace = read(text).trace;
    let told: Vec<String> = trace
        .events
        .iter()
        .map(|e| format!("{} {} {}→{}", e.process, e.action, e.received.len(), e.sent.len()))
        .collect();
    assert_eq!(
        told,
        ["p0 client asks 0→1", "p1 server receives 1→0", "p1 server answers 0→1", "p0 client hears 1→0"]
    );
    assert_eq!(trace.header.names, ["client", "server"]);
    assert_eq!(trace.events[3].depth, 2);
}

#[test]
fn what_is_no_trace_is_refused() {
    let refused = |text: &str| import(text).expect("recognised").unwrap_err().to_string();
    assert!(refused(r##"{"#meta":{"format":"ITF"},"states":[]}"##).contains("at least one state"));
    assert!(refused(r#"{"states":[1],"vars":[]}"#).contains("must be an object"));
    assert!(refused(r#"{"states":[{}],"vars":["#).contains("not valid JSON"));
    for variables in [r#""vars":[],"#, ""] {
        let text = format!(r##"{{"#meta":{{"format":"ITF"}},{variables}"states":[{{"x":1}}]}}"##);
        assert!(refused(&text).contains("names its variables in a list `vars`"), "{text}");
    }
    assert!(
        refused("a {\"a\":1}\nfirst\na {\"a\":3}\nthird\n")
            .contains("the clock of a is 3, but this is its event 2")
    );
    assert!(refused("(?<host>\\S+) (?<clock>\\{.*\\})\\n(?<event>.*)\n\n").contains("no events"));
    assert!(import("synod trace 1\n").is_none());
    assert!(import("algorithm a\n").is_none());
}

fn told(text: &str) -> Vec<String> {
    let events = read(text).trace.events.into_iter();
    events.map(|event| format!("{} {}", event.process, event.action)).collect()
}

/// The first lines of a log may be its regular expression and that of its delimiter; an event may take one line, in any order.
#[test]
fn logs_are_read_by_their_own_expressions() {
    let one_line = "(?<date>\\d+) \\[(?<host>\\w+)\\] (?<event>.*) (?<clock>{.*})\n\n17 [a] asks {\"a\":1}\nnoise\n\
                    18 [b] answers {\"a\":1, \"b\":1}\n";
    assert_eq!(told(one_line), ["p0 asks", "p1 answers"]);
    // Without the line of the delimiter.
    assert_eq!(told(&one_line.replace("\n\n", "\n")), ["p0 asks", "p1 answers"]);
    let several = "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n^=== (?<trace>.*) ===$\n=== first ===\na {\"a\":1}\nasks\n\
                   === second ===\na {\"a\":1}\nhalts\n";
    assert_eq!(told(several), ["p0 asks"]);
    assert_eq!(read(several).other_executions, 1);
    assert_eq!(told(&several.replace('\n', "\r\n")), ["p0 asks"]);
    let without_header = "a {\"a\":1} asks\nb {\"a\":1, \"b\":1} answers\n";
    assert_eq!(told(without_header), ["p0 asks", "p1 answers"]);
    let wrong = |text: &str| import(text).expect("a log").expect_err("it is wrong").to_string();
    assert_snapshot!(wrong("(?<host>\\S*) (?<clock>{.*}) (?<event>(\n\n"), @"line 1: the regular expression cannot be read: found open group without closing ')'");
    assert_snapshot!(wrong("(?<host>\\S*) (?<clock>.*) (?<event>.*)\n\na {a:1} x\n"), @r#"line 3: «{a:1}» is not a vector time, such as {"p0":1}"#);
}
