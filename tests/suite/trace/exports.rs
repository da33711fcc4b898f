//! Exported traces, parsed as their readers would, and compared: every event once, every message once, texts unharmed.

use super::sample::{Builder, election, mutual_exclusion};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::ids::{MessageId, ProcessId};
use synod::internals::network::{NetworkOptions, Spec, build};
use synod::internals::trace::causality::Causality;
use synod::internals::trace::export::Form;
use synod::internals::trace::export::itf::value;
use synod::internals::trace::{Change, End, Message, Responder, Trace};

/// Return a valid trace with every character that a format could misinterpret.
fn nasty() -> Trace {
    let mut b = Builder::new("na_ïve", "file \"x\\y\".dot", &[-5, 1 << 62, 7]);
    b.header().names = ["a b", "q\"#;{}", "ü%%--><"].map(String::from).into();
    b.header().roles = ["R_1", "R^2", "end"].map(String::from).into();
    b.header().initial =
        vec![vec![Change::new("state", "x_1"), Change::new("s", "\"a, \\\"b\\\"\"")], vec![], vec![]];
    let texts = ["M(\"a: b\")", "(\\alpha & $5 #1; %%)", "**bold** //it// <b> |~^_{}", "N('é', ⊥)"];
    let sent = b.event(
        ProcessId(0),
        "on M -> \"x\"; y",
        &[],
        &texts.map(|t| (t, 1)),
        &["s={1, 2}", "!call f(\"|\")"],
    );
    b.event(ProcessId(1), "end", &sent[..2], &[("back\\", 0)], &["state=loop", "m={1: [a]}"]);
    b.event(ProcessId(2), "-", &[], &[("self", 2)], &[]);
    let mut trace = b.end(End::Limit);
    // One message arrives and is received, which no single event does, but every format must express both; one is lost,
    // one duplicated, and two processes interact.
    trace.events[1].arrived =
        Some(Message { id: MessageId(sent[1]), text: texts[1].into(), peer: ProcessId(0) });
    let lost = Message { id: MessageId(sent[2]), text: texts[2].into(), peer: ProcessId(0) };
    let event = trace.events.last_mut().unwrap();
    event.with = Some(Responder { process: ProcessId(0), changes: vec![Change::new("s", "none")] });
    let own = event.sent.clone();
    event.received = own.into_iter().map(|m| Message { peer: ProcessId(2), ..m }).collect();
    trace.events[1].lost.push(lost);
    let text = trace.to_text();
    assert_eq!(Trace::read(&text).unwrap(), trace, "{text}");
    trace
}

fn traces() -> [Trace; 4] {
    let empty = Builder::new("nothing", "ring(1)", &[1]).end(End::Limit);
    [election(&[3, 1, 4, 2], 5), mutual_exclusion(), nasty(), empty]
}

/// Return the ids of all messages sent, received, and lost.
fn messages(trace: &Trace) -> [BTreeSet<MessageId>; 3] {
    let ids = |of: fn(&synod::internals::trace::TraceEvent) -> &Vec<Message>| {
        trace.events.iter().flat_map(of).map(|m| m.id).collect::<BTreeSet<MessageId>>()
    };
    [ids(|e| &e.sent), ids(|e| &e.received), ids(|e| &e.lost)]
}

/// Return the messages in transit at the end.
fn open(trace: &Trace) -> BTreeSet<MessageId> {
    let [sent, received, lost] = messages(trace);
    sent.into_iter().filter(|id| !received.contains(id) && !lost.contains(id)).collect()
}

fn text_of(trace: &Trace, id: MessageId) -> String {
    let all = trace.events.iter().flat_map(|e| e.sent.iter().chain(&e.received).chain(&e.lost));
    all.clone().find(|m| m.id == id).unwrap().text.clone()
}

/// RFC 4180.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut all, mut record, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                all.push(std::mem::take(&mut record));
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && record.is_empty() && field.is_empty());
    all
}

#[test]
fn csv() {
    for trace in traces() {
        let all = records(&trace.export(Form::Csv));
        assert_eq!(all.len(), trace.events.len() + 1);
        for (record, event) in all[1..].iter().zip(&trace.events) {
            assert_eq!(record.len(), all[0].len());
            let cell = |name: &str| &record[all[0].iter().position(|head| head == name).unwrap()];
            assert_eq!(*cell("index"), event.index.to_string());
            assert_eq!(*cell("name"), trace.header.name(event.process));
            assert_eq!(*cell("action"), event.action);
            let sent: Vec<String> = event
                .sent
                .iter()
                .map(|m| format!("{} {} to {}", m.id, m.text, trace.header.name(m.peer)))
                .collect();
            assert_eq!(*cell("sent"), sent.join("; "));
            assert_eq!(*cell("step"), event.choice.show());
        }
    }
}

#[test]
fn messages_that_a_crash_loses_are_not_in_transit() {
    let mut b = Builder::new("a", "ring(2)", &[1, 2]);
    b.event(ProcessId(0), "start", &[], &[("M", 1)], &[]);
    b.event(ProcessId(0), "crash", &[], &[], &["up=false"]);
    b.event(ProcessId(1), "start", &[], &[("N", 0)], &[]);
    let trace = b.end(End::Quiescent);
    let lines = [
        (Form::Dot, ["m0 M to p1, lost by a crash", "m1 N to p0, in transit"]),
        (Form::Mermaid, ["p0--xp1: m0 M lost by a crash", "p1--)p0: m1 N in transit"]),
        (Form::Plantuml, ["p0 -->x p1 : m0 M lost by a crash", "p1 -->> p0 : m1 N in transit"]),
        (
            Form::Tikz,
            [r"\draw[lost] (e0) -- node[label] {m0 M}", r"\draw[in transit] (e2) -- node[label] {m1 N}"],
        ),
    ];
    for (form, expected) in lines {
        let text = trace.export(form);
        for part in expected {
            assert!(text.contains(part), "{part}:\n{text}");
        }
    }
}

#[test]
fn dot() {
    for trace in traces() {
        let text = trace.export(Form::Dot);
        // An edge from a node to itself is a message to oneself, received in the step that sends it.
        let own = trace
            .events
            .iter()
            .flat_map(|e| e.received.iter().filter(|m| e.sent.iter().any(|s| s.id == m.id)));
        let own = own.count();
        let spec = Spec::from_file("trace.dot", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let under_way = open(&trace).len();
        assert_eq!(spec.n() as usize, trace.n() + trace.events.len() + under_way, "{text}");
        let arrows: Vec<&str> = text.lines().filter(|line| line.contains(" -> ")).collect();
        let [_, received, lost] = messages(&trace);
        let labelled = arrows.iter().filter(|line| line.contains("label=\"m")).count();
        let arrived = trace.events.iter().filter(|e| e.arrived.is_some()).count();
        assert_eq!(labelled, received.len() + arrived + lost.len() + under_way, "{text}");
        let met = trace.events.iter().filter(|e| e.with.is_some()).count();
        let follow = arrows.iter().filter(|line| line.contains("penwidth=")).count();
        assert_eq!(follow, trace.events.len() + met, "{text}");
        if own == 0 {
            build(&spec, &NetworkOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}

#[test]
fn itf() {
    for trace in traces() {
        let whole: Value = serde_json::from_str(&trace.export(Form::Itf)).unwrap();
        assert_eq!(whole["#meta"]["format"], "ITF");
        let names: Vec<&str> =
            whole["vars"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        let states = whole["states"].as_array().unwrap();
        assert_eq!(states.len(), trace.events.len() + 1);
        let mut under_way = BTreeSet::new();
        for (i, state) in states.iter().enumerate() {
            let keys: BTreeSet<&str> = state.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, names.iter().copied().chain(["#meta"]).collect());
            well_formed(state);
            if i > 0 {
                let event = &trace.events[i - 1];
                under_way.extend(event.sent.iter().map(|m| m.id));
                event.received.iter().chain(&event.lost).for_each(|m| {
                    under_way.remove(&m.id);
                });
                assert_eq!(state["#meta"]["action"], event.action.as_str());
                for change in &event.changes {
                    let pairs = state[&change.name]["#map"].as_array().unwrap();
                    let own = pairs.iter().find(|pair| pair[0] == trace.header.name(event.process).as_str());
                    assert!(own.is_some(), "{} of {}", change.name, event.process);
                }
            }
            assert_eq!(state["in flight"]["#set"].as_array().unwrap().len(), under_way.len());
        }
    }
    let whole: Value = serde_json::from_str(&nasty().export(Form::Itf)).unwrap();
    assert_eq!(whole["states"][0]["s"]["#map"][0], serde_json::json!(["a b", "a, \"b\""]));
    assert_eq!(whole["states"][1]["s"]["#map"][0][1]["#set"][1]["#bigint"], "2");
    assert_eq!(whole["states"][3]["s"]["#map"][0][1], "none");
}

#[test]
fn values_in_itf_are_parsed() {
    for (text, expected) in [
        ("-3", serde_json::json!({ "#bigint": "-3" })),
        ("true", serde_json::json!(true)),
        ("none", serde_json::json!("none")),
        ("{1, 2}", serde_json::json!({ "#set": [{ "#bigint": "1" }, { "#bigint": "2" }] })),
        ("{}", serde_json::json!({ "#set": [] })),
        ("{:}", serde_json::json!({ "#map": [] })),
        (
            "{1: [a], 2: []}",
            serde_json::json!({ "#map": [[{ "#bigint": "1" }, ["a"]], [{ "#bigint": "2" }, []]] }),
        ),
        ("(1, \"a, b\")", serde_json::json!({ "#tup": [{ "#bigint": "1" }, "a, b"] })),
        ("M(1)", serde_json::json!({ "tag": "M", "value": { "#tup": [{ "#bigint": "1" }] } })),
        ("1 + {", serde_json::json!("1 + {")),
        ("", serde_json::json!("")),
        ("port 1", serde_json::json!("port 1")),
    ] {
        assert_eq!(value(text, &[]), expected, "{text}");
    }
    let deep = "(".repeat(100_000);
    assert_eq!(value(&deep, &[]), serde_json::json!(deep));
}

/// Read by the crate of the format's authors, into types: the values are those of the run.
#[test]
fn itf_by_its_own_reader() {
    #[derive(serde::Deserialize)]
    struct Sent {
        id: i64,
        from: String,
        to: String,
        message: String,
    }
    #[derive(serde::Deserialize)]
    struct Election {
        state: BTreeMap<String, String>,
        d: BTreeMap<String, i64>,
        #[serde(rename = "in flight")]
        in_flight: Vec<Sent>,
    }
    let trace = election(&[3, 1, 4, 2], 5);
    let read: itf::Trace<Election> = itf::trace_from_str(&trace.export(Form::Itf)).unwrap();
    assert_eq!(read.states.len(), trace.events.len() + 1);
    let mut expected: Vec<BTreeMap<String, String>> = vec![BTreeMap::new(); trace.n()];
    for (p, initial) in trace.header.initial.iter().enumerate() {
        expected[p].extend(initial.iter().map(|c| (c.name.clone(), c.value.clone())));
    }
    let mut under_way: BTreeMap<i64, (ProcessId, &Message)> = BTreeMap::new();
    for (at, state) in read.states.iter().enumerate() {
        if let Some(event) = at.checked_sub(1).map(|e| &trace.events[e]) {
            assert_eq!(state.meta.index, Some(at as u64));
            assert_eq!(state.meta.other["action"], event.action);
            let changes = event.changes.iter().map(|c| (c.name.clone(), c.value.clone()));
            expected[event.process.index()].extend(changes);
            for message in &event.received {
                under_way.remove(&i64::from(message.id.0));
            }
            under_way.extend(event.sent.iter().map(|m| (i64::from(m.id.0), (event.process, m))));
        }
        for (p, own) in expected.iter().enumerate() {
            let name = format!("p{p}");
            assert_eq!(state.value.state[&name], own["state"]);
            assert_eq!(state.value.d[&name].to_string(), own["d"]);
        }
        let mut seen: Vec<_> = (state.value.in_flight.iter())
            .map(|m| (m.id, m.from.as_str(), m.to.as_str(), m.message.as_str()))
            .collect();
        // It is a set.
        seen.sort_unstable();
        let of = |(id, (from, m)): (&i64, &(ProcessId, &Message))| {
            (*id, from.to_string(), m.peer.to_string(), m.text.clone())
        };
        let wanted: Vec<_> = under_way.iter().map(of).collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(id, from, to, text)| (*id, from.as_str(), to.as_str(), text.as_str()))
            .collect();
        assert_eq!(seen, wanted);
    }
    // Everything else in traces is known to the format.
    for trace in traces() {
        let read: itf::Trace<itf::Value> = itf::trace_from_str(&trace.export(Form::Itf)).unwrap();
        assert_eq!(read.states.len(), trace.events.len() + 1);
    }
}

/// Assert that all objects are known to ADR 015: records, and those with one key that begins with #.
fn well_formed(value: &Value) {
    match value {
        Value::Object(map) => {
            for (key, of) in map.iter().filter(|(key, _)| *key != "#meta") {
                match key.strip_prefix('#') {
                    None => well_formed(of),
                    Some("bigint") => assert!(of.as_str().unwrap().parse::<i128>().is_ok()),
                    Some("set" | "tup") => of.as_array().unwrap().iter().for_each(well_formed),
                    Some("map") => {
                        for pair in of.as_array().unwrap() {
                            assert_eq!(pair.as_array().unwrap().len(), 2);
                            well_formed(&pair[0]);
                            well_formed(&pair[1]);
                        }
                    }
                    Some(other) => panic!("#{other}"),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(well_formed),
        Value::Number(_) | Value::Null => panic!("{value}: numbers are #bigint, and there is no null"),
        Value::Bool(_) | Value::String(_) => {}
    }
}

#[test]
fn shiviz() {
    for trace in traces() {
        let causality = Causality::of(&trace);
        let text = trace.export(Form::Shiviz);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0].contains("?<host>"), lines[1]), (true, ""));
        assert_eq!(lines.len(), 2 + 2 * trace.events.len());
        let mut hosts: BTreeMap<&str, u64> = BTreeMap::new();
        for (i, pair) in lines[2..].chunks(2).enumerate() {
            // (?<host>\S+) (?<clock>\{.*\})
            let (host, clock) = pair[0].split_once(' ').unwrap();
            let clock: BTreeMap<String, u64> = serde_json::from_str(clock).unwrap();
            // ShiViz requires that a host's own time counts its events without gaps.
            let own = hosts.entry(host).or_default();
            *own += 1;
            assert_eq!(clock[host], *own);
            assert_eq!(
                clock.values().sum::<u64>(),
                causality.vector(i).iter().map(|c| u64::from(*c)).sum::<u64>()
            );
            let event = &trace.events[i];
            for m in event.received.iter().chain(&event.sent).chain(&event.lost) {
                assert!(pair[1].contains(&format!("{} {}", m.id, m.text)), "{}", pair[1]);
            }
        }
        permissible(&lines[2..]);
    }
}

/// Check what ShiViz requires of clocks (its modelGraph.js): every host has events, every time belongs to an event, and
/// each clock follows from the events that it names.
fn permissible(lines: &[&str]) {
    type Clock = BTreeMap<String, usize>;
    let mut clocks: BTreeMap<&str, Vec<Clock>> = BTreeMap::new();
    for pair in lines.chunks(2) {
        let (host, clock) = pair[0].split_once(' ').unwrap();
        clocks.entry(host).or_default().push(serde_json::from_str(clock).unwrap());
    }
    for (host, own) in &clocks {
        let mut last = Clock::new();
        for (i, clock) in own.iter().enumerate() {
            let mut expected = last.clone();
            for (other, time) in clock.iter().filter(|(other, _)| *other != host) {
                let events = clocks.get(other.as_str()).expect("a host with events");
                assert!((1..=events.len()).contains(time), "{other} {time}");
                if last.get(other).is_none_or(|known| known < time) {
                    for (of, known) in &events[time - 1] {
                        let at = expected.entry(of.clone()).or_default();
                        *at = (*at).max(*known);
                    }
                }
            }
            expected.insert(host.to_string(), i + 1);
            assert_eq!(*clock, expected, "{host}");
            last = clock.clone();
        }
    }
}

/// Unescape `#35;` or `<U+0023>`.
fn unescaped(text: &str, open: &str, close: char, radix: u32) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let (code, behind) = after.split_once(close).unwrap();
        out += before;
        out.push(char::from_u32(u32::from_str_radix(code, radix).unwrap()).unwrap());
        rest = behind;
    }
    out + rest
}

/// Return arrows with their labels, in sequence diagrams of both formats.
fn arrows<'t>(text: &'t str, arrow: &str, colon: &str) -> Vec<&'t str> {
    let is_arrow = |line: &&str| line.trim_start().starts_with('p') && line.contains(arrow);
    text.lines().filter(is_arrow).map(|line| line.split_once(colon).unwrap().1).collect()
}

#[test]
fn sequence_diagrams() {
    for trace in traces() {
        let [_, received, lost] = messages(&trace);
        let expected = |ids: &BTreeSet<MessageId>, more: &str| -> BTreeSet<String> {
            ids.iter().map(|id| format!("{id} {}{more}", text_of(&trace, *id))).collect()
        };
        let mermaid = trace.export(Form::Mermaid);
        let plantuml = trace.export(Form::Plantuml);
        for (text, kinds, colon, (open_with, close, radix)) in [
            (&mermaid, ["->>", "-x", "--)"], ": ", ("#", ';', 10)),
            (&plantuml, [" ->> ", " ->x ", " -->> "], " : ", ("<U+", '>', 16)),
        ] {
            let found = |arrow: &str| -> BTreeSet<String> {
                let labels = arrows(text, arrow, colon);
                labels.into_iter().map(|label| unescaped(label, open_with, close, radix)).collect()
            };
            assert_eq!(found(kinds[0]), expected(&received, ""), "{text}");
            assert_eq!(found(kinds[1]), expected(&lost, " lost"), "{text}");
            assert_eq!(found(kinds[2]), expected(&open(&trace), " in transit"), "{text}");
            let notes = text.lines().filter(|line| line.trim_start().to_lowercase().starts_with("note over"));
            assert_eq!(notes.count(), trace.events.len(), "{text}");
        }
    }
}

#[test]
fn perfetto() {
    for trace in traces() {
        let whole: Value = serde_json::from_str(&trace.export(Form::Perfetto)).unwrap();
        let all = whole["traceEvents"].as_array().unwrap();
        let of = |phase: &str, category: &str| -> Vec<&Value> {
            all.iter().filter(|e| e["ph"] == phase && (category.is_empty() || e["cat"] == category)).collect()
        };
        let slices = of("X", "event");
        assert_eq!(slices.len(), trace.events.len());
        let [sent, received, lost] = messages(&trace);
        let ids = |list: &[&Value]| -> Vec<u64> { list.iter().map(|e| e["id"].as_u64().unwrap()).collect() };
        let (starts, ends) = (of("s", "message"), of("f", "message"));
        assert_eq!(ids(&starts).len(), sent.len());
        assert_eq!(ids(&ends).len(), received.len() + lost.len());
        // A flow begins and ends within a slice, or it is not drawn; and it goes forward.
        for flow in starts.iter().chain(&ends) {
            let at = flow["ts"].as_u64().unwrap();
            let within = |slice: &&&Value| {
                let (from, length) = (slice["ts"].as_u64().unwrap(), slice["dur"].as_u64().unwrap());
                slice["tid"] == flow["tid"] && (from..from + length).contains(&at)
            };
            assert_eq!(slices.iter().filter(within).count(), 1, "{flow}");
        }
        for end in &ends {
            let start = starts.iter().find(|start| start["id"] == end["id"]);
            assert!(start.is_none_or(|start| start["ts"].as_u64() < end["ts"].as_u64()), "{end}");
        }
        // Slices of one thread nest: an event lies within one state.
        for state in of("X", "state") {
            assert!(state["dur"].as_u64().unwrap() > 0);
        }
    }
}

#[test]
fn tikz() {
    for trace in traces() {
        let text = trace.export(Form::Tikz);
        let [_, received, lost] = messages(&trace);
        let count = |what: &str| text.lines().filter(|line| line.contains(what)).count();
        assert_eq!(count("\\node[event] (e"), trace.events.len(), "{text}");
        assert_eq!(count("\\draw[message]"), received.len(), "{text}");
        assert_eq!(count("\\draw[lost]"), lost.len(), "{text}");
        assert_eq!(count("\\draw[in transit]"), open(&trace).len(), "{text}");
        // Outside comments, braces are balanced, and the special characters of LaTeX are escaped in labels.
        let mut depth = 0;
        for line in text.lines().filter(|line| !line.starts_with('%')) {
            let mut before = ' ';
            for c in line.chars() {
                match c {
                    '%' if before != '\\' => break,
                    '{' if before != '\\' => depth += 1,
                    '}' if before != '\\' => depth -= 1,
                    '$' | '&' | '#' | '_' | '^' | '~' => assert_eq!(before, '\\', "{line}"),
                    _ => {}
                }
                before = c;
            }
        }
        assert_eq!(depth, 0, "{text}");
    }
}
