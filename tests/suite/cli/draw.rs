//! `synod draw`: the pictures of each input, and the messages if nothing can be drawn.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;
use std::fs;

#[test]
fn a_diagram_in_the_terminal() {
    assert_snapshot!(session([
        synod(&["draw", "dolev_klawe_rodeh", "--on", "ring(2)"]),
        synod(&["draw", "dolev_klawe_rodeh", "--on", "ring(1)", "--ascii"]),
        synod(&[
            "draw",
            "lamport",
            "--on",
            "complete(3)",
            "--from",
            "3",
            "--until",
            "8",
            "--process",
            "p2,p0",
            "--cut",
            "2,2,2"
        ]),
        synod(&["draw", "lamport", "--on", "complete(3)", "--until", "12", "--message", "Reply"]),
    ]));
}

#[test]
fn files_by_their_ending() {
    let here = folder("draw_files", &[]);
    let run = ["run", "lamport", "--on", "complete(3)", "-q", "--trace", "t.trace"];
    assert_eq!(synod_in(&here, &run).code, 0);
    for (file, begins) in
        [("a.svg", "<svg "), ("a.html", "<!doctype html>"), ("a.txt", "lamport on complete(3)")]
    {
        let ran = synod_in(&here, &["draw", "t.trace", "-o", file]);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
        assert!(ran.stderr.starts_with(&format!("{file}: ")), "{ran}");
        let text = fs::read_to_string(here.join(file)).unwrap();
        assert!(text.starts_with(begins), "{file}: {}", &text[..text.len().min(80)]);
    }
    // Both forms of a trace, and the standard input, give the same.
    assert_eq!(
        synod_in(&here, &["run", "lamport", "--on", "complete(3)", "-q", "--trace", "t.jsonl"]).code,
        0
    );
    let svg = fs::read_to_string(here.join("a.svg")).unwrap();
    assert_eq!(synod_in(&here, &["draw", "t.jsonl", "--to", "svg"]).stdout, svg);
    let bytes = fs::read(here.join("t.trace")).unwrap();
    assert_eq!(synod_with(&here, &["draw", "-", "--to", "svg"], &bytes, &[]).stdout, svg);
    let direct = synod(&["draw", "lamport", "--on", "complete(3)", "--to", "svg"]);
    assert_eq!(direct.stdout, svg);
    let program = synod(&["show", "lamport", "--source"]).stdout;
    let piped = synod_with(
        &here,
        &["draw", "-", "--on", "complete(3)", "--to", "svg", "-q"],
        program.as_bytes(),
        &[],
    );
    assert_eq!(piped.stdout, svg, "{piped}");
}

#[test]
fn frames_are_files_of_their_own() {
    let here = folder("draw_frames", &[]);
    let ran = synod_in(
        &here,
        &["draw", "dolev_klawe_rodeh", "--on", "ring(3)", "--frames", "film", "--until", "4"],
    );
    assert_eq!(ran.code, 0, "{ran}");
    let mut names: Vec<String> = fs::read_dir(here.join("film"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let wanted: Vec<String> = (0..=5).map(|k| format!("frame-{k:03}.svg")).collect();
    assert_eq!(names, wanted);
}

#[test]
fn pictures_that_cannot_be() {
    let here = folder(
        "draw_wrong",
        &[("cut.trace", b"synod trace 1\nalgorithm lam".as_slice()), ("no.trace", b"\xff\xfe")],
    );
    let dkr =
        |more: &[&str]| synod_in(&here, &[&["draw", "dolev_klawe_rodeh", "--on", "ring(3)"], more].concat());
    assert_snapshot!(session([
        dkr(&["-o", "a.png"]),
        dkr(&["-o", "cut.trace/a.svg"]),
        dkr(&["--from", "99"]),
        dkr(&["--from", "4", "--until", "2"]),
        dkr(&["--process", "p0,p7"]),
        dkr(&["--message", "Elect"]),
        dkr(&["--filled", "relai"]),
        dkr(&["--show", "g"]),
        dkr(&["--cut", "1,2"]),
        dkr(&["--cut", "1,2,99"]),
        dkr(&["--at", "99"]),
        dkr(&["--at", "soon"]),
        dkr(&["--to", "html", "--cut", "1,1,1"]),
        synod_in(
            &here,
            &["draw", "chang_roberts", "--on", "ring(2001)", "--max-steps", "10", "--to", "topology"]
        ),
        synod_in(&here, &["draw", "cut.trace"]),
        synod_in(&here, &["draw", "no.trace"]),
        synod_in(&here, &["draw", "nothing.trace"]),
        synod_in(&here, &["draw", "nothing"]),
        synod_in(&here, &["draw", "Election"]),
    ]));
}

#[test]
fn a_trace_has_been_run_already() {
    let here = folder("draw_trace", &[]);
    assert_eq!(synod_in(&here, &["run", "lelann", "-q", "--trace", "t.trace"]).code, 0);
    assert_snapshot!(session([
        synod_in(&here, &["draw", "t.trace", "--seed", "4"]),
        synod_in(&here, &["draw", "t.trace", "--to", "topology", "--on", "ring(9)"]),
    ]));
}

#[test]
fn graphs_from_files_need_their_file_only_for_links_that_were_not_used() {
    let here = folder("draw_graph", &[("net.dot", b"graph { a -- b; b -- c; c -- a }".as_slice())]);
    let run = ["run", "shout", "--on", "net.dot", "-q", "--trace", "t.trace"];
    assert_eq!(synod_in(&here, &run).code, 0);
    let with = synod_in(&here, &["draw", "t.trace", "--to", "topology", "--on", "net.dot"]);
    let without = synod_in(&here, &["draw", "t.trace", "--to", "topology"]);
    assert_eq!((with.code, without.code), (0, 0), "{with}{without}");
    assert!(without.stderr.contains("--on FILE names this file"), "{without}");
}

/// The diagram of a counterexample states its verdict, and marks the event that violates the property, if one event does.
#[test]
fn the_violating_event_is_marked() {
    let program = |property: &str| {
        format!(
            "algorithm counts
assumes ring, unordered
message M
var got := 0
state s
  send M to neighbours
  become t
state t
  on M -> got := got + 1
{property}
"
        )
    };
    let invariant = program("invariant few: (sum p: p.got) < 2");
    let at_end = program("finally few: (sum p: p.got) < 2");
    let here =
        folder("violating_event", &[("invariant.syn", invariant.as_bytes()), ("end.syn", at_end.as_bytes())]);
    for (name, marks) in [("invariant", 1), ("end", 0)] {
        let (file, trace) = (format!("{name}.syn"), format!("{name}.trace"));
        synod_in(&here, &["verify", &file, "--on", "ring(2)", "--trace", &trace, "-q"]);
        let svg = synod_in(&here, &["draw", &trace, "--to", "svg", "-o", "-"]).stdout;
        assert_eq!(svg.matches("<circle class=\"bad\"").count(), marks, "{svg}");
        assert!(svg.contains(">few violated"), "{svg}");
        let html = synod_in(&here, &["draw", &trace, "--to", "html", "-o", "-"]).stdout;
        assert_eq!(html.matches(",\"few violated\"]").count(), marks, "{html}");
        let commands = b".trace\n.draw\n.back 1\n.trace\n";
        let repl = synod_with(&here, &["repl", &file, "--replay", &trace], commands, &[]);
        assert_eq!(repl.stdout.matches("✗ few violated").count(), 2 * marks, "{repl}");
        let text = std::fs::read_to_string(here.join(&trace)).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("violated ")).count(), marks, "{text}");
    }
}
