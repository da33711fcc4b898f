//! Pictures of runs: they are XML, everything lies inside, every message has its arrow, and a cut is checked by definition.

use proptest::prelude::*;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;
use synod::internals::render::html;
use synod::internals::render::picture::topology::{ProgramFacts, Scene};
use synod::internals::render::picture::{
    Chart, DrawSelection, DrawnCut, NetworkLayout, animation, film, space_time,
};
use synod::internals::semantics::event::Cause;
use synod::internals::session::{Keep, run_monitored};
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Schedule, SimulateOptions};
use synod::internals::trace::histories::Histories;
use synod::internals::trace::{Trace, TraceEvent};

/// Return a run of an algorithm of the library.
fn run(name: &str, on: &str, faults: &str, seed: u64) -> (Trace, NetworkLayout) {
    let (file, text) = synod::internals::library::source(name).expect("it is in the library");
    let checked = synod::internals::check::check(&file, &text, &synod::internals::library::source);
    let program = std::sync::Arc::new(checked.program.expect("the library is sound"));
    let mut wishes = InstanceOptions { seed, ..InstanceOptions::default() };
    wishes.topology = Some(synod::internals::network::Spec::parse(on).expect("a topology"));
    wishes.settings.faults = synod::internals::ir::FaultTexts::parse(faults).expect("a budget").bounds;
    let instance =
        instantiate(&program, &wishes).unwrap_or_else(|error| panic!("{name} on {on}: {:?}", error.problems));
    let options = SimulateOptions {
        schedule: Schedule::Random,
        seed,
        max_steps: Some(400),
        ..SimulateOptions::default()
    };
    let watched = run_monitored(&instance, Some(&[]), Keep::Always, "random", &options);
    (watched.trace.expect("it is kept"), NetworkLayout::of(&instance.network).expect("it is small"))
}

/// Runs of all kinds: asynchronous, in rounds, timed with crashes, with losses, in pairs, with operations, of one and of two
/// processes.
const RUNS: &[(&str, &str, &str)] = &[
    ("dolev_klawe_rodeh", "ring(4)", ""),
    ("dolev_klawe_rodeh", "ring(1)", ""),
    ("dolev_klawe_rodeh", "ring(2)", ""),
    ("lamport", "complete(3)", ""),
    ("lamport_unordered", "complete(4)", ""),
    ("token_ring", "ring(3)", ""),
    ("anonymous_symmetry", "ring(5)", ""),
    ("itai_rodeh", "ring(4)", ""),
    ("bully", "complete(4)", "crash<=2"),
    ("lelann_regeneration", "ring(4)", "loss<=2"),
    ("leader_oracle", "complete(4)", ""),
    ("leader_oracle_ring", "ring(5)", ""),
    ("burns_pachl", "ring(5)", ""),
    ("ghs", "random(10, 16, seed: 7)", ""),
    ("torus_stages", "torus(3, 3)", ""),
    ("hypercube_duels", "hypercube(3)", ""),
    ("mesh_oriented", "mesh(3, 4)", ""),
    ("tree_saturation", "tree(7)", ""),
    ("two_phase_commit", "star(3)", ""),
    ("flooding", "petersen", ""),
    ("shout", "random_tree(9, seed: 3)", ""),
    ("shout_plus", "line(5)", ""),
];

fn all() -> impl Iterator<Item = (String, Trace, NetworkLayout)> {
    RUNS.iter().enumerate().map(|(i, (name, on, faults))| {
        let (trace, stage) = run(name, on, faults, 1 + i as u64);
        (format!("{name} on {on}"), trace, stage)
    })
}

// ─── Geometry ───────────────────────────────────────────────────────────────────────────────────────────────────────

/// Return all points on a path and its control points.
fn points(path: &str) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let (mut x, mut y, mut start) = (0.0, 0.0, (0.0, 0.0));
    let commands: Vec<usize> =
        path.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (k, at) in commands.iter().enumerate() {
        let end = commands.get(k + 1).copied().unwrap_or(path.len());
        let letter = path.as_bytes()[*at] as char;
        let text = path[at + 1..end].replace('-', " -").replace(',', " ");
        let numbers: Vec<f64> = text.split_whitespace().map(|n| n.parse().expect("a number")).collect();
        let size = match letter.to_ascii_uppercase() {
            'M' | 'L' => 2,
            'H' | 'V' => 1,
            'Q' => 4,
            'C' => 6,
            'A' => 7,
            'Z' => 0,
            other => panic!("{other} in {path}"),
        };
        if size == 0 {
            (x, y) = start;
            continue;
        }
        assert!(!numbers.is_empty() && numbers.len().is_multiple_of(size), "{path}");
        for part in numbers.chunks(size) {
            let (dx, dy) = if letter.is_ascii_lowercase() { (x, y) } else { (0.0, 0.0) };
            match letter.to_ascii_uppercase() {
                'H' => x = part[0] + dx,
                'V' => y = part[0] + dy,
                _ => (x, y) = (part[size - 2] + dx, part[size - 1] + dy),
            }
            if letter.eq_ignore_ascii_case(&'M') {
                start = (x, y);
            }
            points.push((x, y));
        }
    }
    points
}

fn number(node: &Node, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// Return the translation of a group.
fn shift(node: &Node) -> (f64, f64) {
    let moved = node.ancestors().filter_map(|n| n.attribute("transform"));
    moved.filter_map(|t| t.strip_prefix("translate(")?.strip_suffix(')')).fold((0.0, 0.0), |(x, y), t| {
        let parts: Vec<f64> = t.split_whitespace().map(|n| n.parse().unwrap()).collect();
        (x + parts[0], y + parts[1])
    })
}

/// Check that nothing is drawn outside the picture.
fn lies_inside(svg: &str, what: &str) {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{what}: {error}"));
    let root = document.root_element();
    let view: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().expect("a number")).collect();
    for node in document.descendants().filter(Node::is_element) {
        let (dx, dy) = shift(&node);
        let found = match node.tag_name().name() {
            "path" => points(node.attribute("d").expect("a path")),
            "circle" => {
                let (x, y, r) = (number(&node, "cx"), number(&node, "cy"), number(&node, "r"));
                vec![(x - r, y - r), (x + r, y + r)]
            }
            "rect" if node.attribute("width") != Some("100%") => {
                let (x, y) = (number(&node, "x"), number(&node, "y"));
                assert!(number(&node, "width") >= 0.0 && number(&node, "height") >= 0.0, "{what}: {node:?}");
                vec![(x, y), (x + number(&node, "width"), y + number(&node, "height"))]
            }
            "text" if node.attribute("x").is_some() => vec![(number(&node, "x"), number(&node, "y"))],
            "text" => {
                let matrix = node.attribute("transform").expect("a place").strip_prefix("matrix(").unwrap();
                let parts: Vec<f64> =
                    matrix.trim_end_matches(')').split(' ').map(|n| n.parse().unwrap()).collect();
                vec![(parts[4], parts[5])]
            }
            _ => continue,
        };
        for (x, y) in found {
            let (x, y) = (x + dx, y + dy);
            assert!(x.is_finite() && y.is_finite(), "{what}: {node:?}");
            let inside = x >= view[0] && y >= view[1] && x <= view[0] + view[2] && y <= view[1] + view[3];
            assert!(inside, "{what}: ({x}, {y}) is outside of {view:?}: {node:?}");
        }
    }
}

fn count(svg: &str, class: &str) -> usize {
    let document = Document::parse(svg).unwrap();
    document.descendants().filter(|n| n.attribute("class") == Some(class)).count()
}

// ─── Laws ───────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn every_message_has_one_arrow_and_everything_lies_inside() {
    for (what, trace, _) in all() {
        let chart = Chart::new(&trace);
        let drawn = space_time::space_time(&chart, &DrawSelection::default(), None);
        lies_inside(&drawn.svg, &what);
        assert_eq!(count(&drawn.svg, "m"), chart.flights.len(), "{what}");
        assert_eq!(count(&drawn.svg, "e"), trace.events.len(), "{what}");
        let sent: usize = trace.events.iter().map(|e| e.sent.len()).sum();
        let with_number = chart.flights.iter().filter(|f| f.id.is_some() && f.sent.is_some()).count();
        assert_eq!(with_number, sent, "{what}");
        assert_eq!(
            drawn.svg,
            space_time::space_time(&Chart::new(&trace), &DrawSelection::default(), None).svg
        );
    }
}

#[test]
fn arrows_lead_to_the_right_and_columns_follow_the_run() {
    for (what, trace, _) in all() {
        let chart = Chart::new(&trace);
        assert!(chart.columns.is_sorted(), "{what}");
        assert!(chart.places.windows(2).all(|pair| pair[0] < pair[1]), "{what}");
        for flight in &chart.flights {
            if let (Some(sent), Some(end)) = (flight.sent, flight.end())
                && sent != end
            {
                assert!(chart.columns[sent] < chart.columns[end], "{what}: {flight:?}");
            }
        }
        // A process has at most one event per column.
        let mut seen = BTreeSet::new();
        for (e, event) in trace.events.iter().enumerate() {
            assert!(seen.insert((event.process, chart.columns[e])), "{what}: event {e}");
        }
    }
}

#[test]
fn networks_at_every_moment() {
    for (what, trace, stage) in all() {
        let chart = Chart::new(&trace);
        let choice = DrawSelection::default();
        let scene = Scene::new(&chart, &stage, &choice, &ProgramFacts::default());
        assert!(stage.places.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{what}");
        for (i, a) in stage.places.iter().enumerate() {
            for b in &stage.places[..i] {
                let apart = ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt();
                assert!(apart > 2.0 * stage.radius, "{what}: two vertices lie upon each other");
            }
        }
        let step = (trace.events.len() / 12).max(1);
        for position in (0..=trace.events.len()).step_by(step) {
            let drawn = film::single(&scene, position);
            lies_inside(&drawn.svg, &format!("{what} at {position}"));
            assert_eq!(count(&drawn.svg, "v"), trace.n(), "{what}");
        }
        let film = film::filmstrip(&scene, &film::default_positions(&chart, &choice));
        lies_inside(&film.svg, &what);
        let moving = animation(&scene, 0..trace.events.len());
        Document::parse(&moving.svg).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

#[test]
fn a_network_from_a_trace_has_the_used_links() {
    for (what, mut trace, stage) in all() {
        let guessed = NetworkLayout::from_trace(&trace).expect("it is small");
        assert_eq!(guessed.places.len(), stage.places.len(), "{what}");
        // The file does not exist: only the links of sent messages remain.
        trace.header.network = "nowhere.dot".into();
        let seen = NetworkLayout::from_trace(&trace).expect("it is small");
        for event in &trace.events {
            for m in event.sent.iter().filter(|m| m.peer != event.process) {
                assert!(seen.channel(event.process, m.peer).is_some(), "{what}: {m:?}");
            }
        }
    }
}

#[test]
fn a_unidirectional_ring_is_recognised_by_its_messages() {
    let (trace, _) = run("dolev_klawe_rodeh", "ring(5)", "", 1);
    let stage = NetworkLayout::from_trace(&trace).unwrap();
    assert!(stage.edges.iter().all(|edge| edge.one_way.is_some()));
    let (trace, _) = run("franklin", "ring(5)", "", 1);
    let stage = NetworkLayout::from_trace(&trace).unwrap();
    assert!(stage.edges.iter().all(|edge| edge.one_way.is_none()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: prop::test_runner::RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() })]

    /// A cut is consistent if it contains all causes of its events, transitively.
    #[test]
    fn cuts_are_checked_by_definition(which in 0..RUNS.len(), shares in prop::collection::vec(0.0..1.0_f64, 12)) {
        let (name, on, faults) = RUNS[which];
        let (trace, _) = run(name, on, faults, 5);
        let chart = Chart::new(&trace);
        // A start that sends nothing is not an event; an interaction is an event of both processes.
        let silent = |e: &TraceEvent| e.choice.cause == Cause::Start && e.sent.is_empty();
        let who = |e: &TraceEvent| -> Vec<usize> {
            std::iter::once(e.process).chain(e.with.as_ref().map(|w| w.process)).map(|p| p.index()).collect()
        };
        let mut all = vec![0u32; trace.n()];
        for event in trace.events.iter().filter(|e| !silent(e)) {
            who(event).into_iter().for_each(|p| all[p] += 1);
        }
        let counts: Vec<u32> =
            all.iter().enumerate().map(|(p, k)| (f64::from(k + 1) * shares[p % shares.len()]) as u32).collect();
        let cut = DrawnCut::new(&chart, &counts).unwrap();
        let causality = synod::internals::trace::causality::Causality::of(&trace);
        let mut nth = vec![0u32; trace.n()];
        let mut torn = false;
        let inside: Vec<bool> = trace.events.iter().map(|e| {
            if silent(e) {
                return true;
            }
            let at: Vec<bool> = who(e).into_iter().map(|p| { nth[p] += 1; nth[p] <= counts[p] }).collect();
            torn |= at.contains(&true) && at.contains(&false);
            at[0]
        }).collect();
        let closed = !torn && (0..inside.len()).all(|e| !inside[e] || causality.past(e).iter().all(|c| inside[*c]));
        // Actions of the environment have an order of their own, beyond happened-before.
        prop_assert!(closed || !cut.consistent);
        if faults.is_empty() {
            prop_assert_eq!(cut.consistent, closed);
        }
        // And as `synod trace cut` decides, if the run has cuts at all.
        if let Ok(histories) = Histories::of(&trace) {
            prop_assert_eq!(cut.consistent, histories.is_consistent(&synod::internals::trace::cut::Cut(counts.clone())));
        }
        if cut.consistent {
            prop_assert!(cut.backwards.is_empty());
        }
        let drawn = space_time::space_time(&chart, &DrawSelection::default(), Some(&cut));
        lies_inside(&drawn.svg, name);
    }

    /// A part of a run is drawn like a whole one.
    #[test]
    fn parts_lie_inside_too(which in 0..RUNS.len(), from in 0.0..1.0_f64, length in 0.0..0.6_f64, some in any::<u16>()) {
        let (name, on, faults) = RUNS[which];
        let (trace, _) = run(name, on, faults, 3);
        let all = trace.events.len();
        let first = (from * all as f64) as usize;
        let last = (first + 1 + (length * all as f64) as usize).min(all);
        let processes: Vec<u32> = (0..trace.n() as u32).filter(|p| some >> (p % 16) & 1 == 1).collect();
        let choice = DrawSelection {
            events: Some(first..last),
            processes: Some(processes.into_iter().map(ProcessId).collect()).filter(|list: &Vec<_>| !list.is_empty()),
            ..DrawSelection::default()
        };
        let drawn = space_time::space_time(&Chart::new(&trace), &choice, None);
        lies_inside(&drawn.svg, name);
    }
}

// ─── Escaped texts ─────────────────────────────────────────────────────────────────────────────

#[test]
fn texts_are_escaped() {
    let (mut trace, stage) = run("lamport", "complete(3)", "", 1);
    let evil = "</script><img src=x onerror=\"1\">&amp; ' ]]> \u{1} \u{ffff} \u{202e} 漢字";
    trace.header.algorithm = evil.into();
    trace.header.names = vec![evil.into(), "b".into(), "c".into()];
    for event in &mut trace.events {
        event.action = evil.into();
        event.observations.push(format!("upcall {evil}"));
        for m in event.sent.iter_mut().chain(&mut event.received) {
            m.text = format!("{evil}({evil})");
        }
        for change in &mut event.changes {
            change.value = evil.into();
        }
    }
    let chart = Chart::new(&trace);
    let choice = DrawSelection::default();
    lies_inside(&space_time::space_time(&chart, &choice, None).svg, "evil");
    let scene = Scene::new(&chart, &stage, &choice, &ProgramFacts::default());
    lies_inside(&film::filmstrip(&scene, &[0, 3, 9]).svg, "evil");
    Document::parse(&animation(&scene, 0..12).svg).expect("XML");
    let page = html::page(&chart, Some(&stage), &choice, &ProgramFacts::default());
    assert_eq!(page.matches("</script>").count(), 2, "only the page's own");
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).expect("the data is JSON");
    assert_eq!(data["algorithm"], evil);
    for outside in ["http://", "https://", "src=\"", "href=\"", "@import", "url("] {
        let own =
            page.replace("http://www.w3.org/2000/svg", "").replace(data["algorithm"].as_str().unwrap(), "");
        assert!(!own.contains(outside) || outside == "src=\"", "the page asks for {outside}");
    }
}

/// `html::script` joins the modules of the page line by line, which is correct for modules of the form that this test checks.
#[test]
fn the_modules_of_the_page_can_be_joined() {
    let mut exported = BTreeSet::new();
    let mut declared = BTreeSet::new();
    for (file, text) in html::MODULES {
        let mut own = BTreeSet::new();
        for line in text.lines() {
            if let Some(import) = line.strip_prefix("import ") {
                let (names, from) = import
                    .strip_prefix("{ ")
                    .and_then(|rest| rest.strip_suffix("\";")?.split_once(" } from \"./"))
                    .unwrap_or_else(|| panic!("{file}: not an import in one line: {line}"));
                for name in names.split(", ") {
                    assert!(exported.contains(&(from, name)), "{file}: no module before exports {name}");
                }
            }
            let (is_exported, declaration) = match line.strip_prefix("export ") {
                Some(declaration) => (true, declaration),
                None => (false, line),
            };
            let words = ["const ", "let ", "class ", "function ", "function* ", "async function "];
            let names = words.iter().find_map(|word| declaration.strip_prefix(word));
            assert!(names.is_some() || !is_exported, "{file}: not a declaration: {line}");
            let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
            // Names of a pattern: `const { a, b } = c;`.
            let (pattern, is_pattern) = match names.map(|names| names.strip_prefix("{ ").ok_or(names)) {
                Some(Ok(pattern)) => (pattern.split(" }").next().unwrap_or(""), true),
                Some(Err(name)) => (name.split(end).next().unwrap_or(""), false),
                None => continue,
            };
            for name in pattern.split(", ") {
                assert!(declared.insert(name), "{file}: {name} is declared in another module, too");
                assert!(!(is_exported && is_pattern), "{file}: {line}");
                if is_exported {
                    own.insert((file, name));
                }
            }
        }
        exported.extend(own);
    }
    let script = html::script();
    assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
}

#[test]
fn runs_without_events() {
    let (mut trace, stage) = run("dolev_klawe_rodeh", "ring(3)", "", 1);
    trace.events.clear();
    let chart = Chart::new(&trace);
    let choice = DrawSelection::default();
    lies_inside(&space_time::space_time(&chart, &choice, None).svg, "nothing");
    let scene = Scene::new(&chart, &stage, &choice, &ProgramFacts::default());
    lies_inside(&film::filmstrip(&scene, &film::default_positions(&chart, &choice)).svg, "nothing");
    Document::parse(&animation(&scene, 0..0).svg).expect("XML");
    assert!(html::page(&chart, Some(&stage), &choice, &ProgramFacts::default()).contains("\"process\":[]"));
    assert!(DrawnCut::new(&chart, &[0, 0, 0]).unwrap().consistent);
}

// ─── Snapshots of small pictures ────────────────────────────────────────────────────────────────────────────────────

/// Return a picture without its style, which is the same everywhere, with one element per line.
fn readable(svg: &str) -> String {
    let (before, rest) = svg.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    format!("{before}{after}").replace("><", ">\n<")
}

#[test]
fn small_pictures() {
    let (trace, stage) = run("dolev_klawe_rodeh", "ring(2)", "", 1);
    let chart = Chart::new(&trace);
    let cut = DrawnCut::new(&chart, &[2, 1]).unwrap();
    insta::assert_snapshot!(
        "space_time",
        readable(&space_time::space_time(&chart, &DrawSelection::default(), Some(&cut)).svg)
    );
    let choice = DrawSelection::default();
    let facts = ProgramFacts { outputs: vec!["elected".into()], anonymous: false };
    let scene = Scene::new(&chart, &stage, &choice, &facts);
    insta::assert_snapshot!("network", readable(&film::single(&scene, 4).svg));
}

/// Figure 3.2 of the document: vertices of passive processes filled, labels (d, e, f), channel contents at the arrows.
#[test]
fn figure_3_2() {
    let (trace, stage) = run("dolev_klawe_rodeh", "ring(4)", "", 1);
    let chart = Chart::new(&trace);
    let choice = DrawSelection::default();
    let facts = ProgramFacts { outputs: vec!["elected".into()], anonymous: false };
    let scene = Scene::new(&chart, &stage, &choice, &facts);
    assert_eq!(scene.variables, ["d", "e", "f"]);
    for position in 0..=trace.events.len() {
        let drawn = film::single(&scene, position).svg;
        let moment = synod::internals::render::picture::moment::Moment::at(&trace, position);
        let relays = (0..4).map(ProcessId).filter(|p| moment.state(*p) == Some("relay")).count();
        let document = Document::parse(&drawn).unwrap();
        let filled = |n: &Node| {
            let class = n.attribute("class").unwrap_or("");
            n.has_tag_name("circle")
                && class.contains("filled")
                && n.parent().is_some_and(|g| g.attribute("class") == Some("v"))
        };
        assert_eq!(document.descendants().filter(filled).count(), relays, "at {position}");
        for contents in scene.channels(position).values() {
            let texts: Vec<&str> = contents.iter().map(|(t, _)| t.trim_matches(['(', ')'])).collect();
            let label = texts.join("; ");
            assert!(document.descendants().any(|n| n.text() == Some(&label)), "{label} at {position}");
        }
    }
}

/// The variables beside a process are those of its role.
#[test]
fn the_legend_distinguishes_roles() {
    let text = "
algorithm numbered
assumes connected graph, fifo, one Sender
message Data(x: Int), Ack(x: Int)
role Sender
  var next_out, retries : Int
  state s
    on wakeup -> send Data(next_out) to neighbours
    on Ack(x) -> next_out := x; retries := retries + 1
role Receiver
  var expected : Int
  state r
    on Data(x) from p -> expected := x + 1; send Ack(expected) to p
";
    let legend = |on: &str| {
        let checked =
            synod::internals::check::check("numbered.syn", text, &synod::internals::library::source);
        let program = std::sync::Arc::new(checked.program.expect("it is right"));
        let topology = Some(synod::internals::network::Spec::parse(on).unwrap());
        let instance =
            instantiate(&program, &InstanceOptions { topology, ..InstanceOptions::default() }).unwrap();
        let trace =
            run_monitored(&instance, None, Keep::Always, "fifo", &SimulateOptions::default()).trace.unwrap();
        let (chart, stage) = (Chart::new(&trace), NetworkLayout::of(&instance.network).unwrap());
        let (choice, facts) = (DrawSelection::default(), ProgramFacts::default());
        Scene::new(&chart, &stage, &choice, &facts).legend()
    };
    assert_eq!(
        legend("star(2)")[..2],
        ["beside Sender: (next_out, retries)", "beside each Receiver: expected"]
    );
    assert_eq!(legend("line(2)")[..2], ["beside Sender: (next_out, retries)", "beside Receiver: expected"]);
}
