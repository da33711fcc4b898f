//! The networks that `verify` explores without `--on`.

use crate::cli::harness::{folder, synod, synod_in};

/// Without `--on`, an algorithm for arbitrary graphs is explored on a graph with two cycles that share an edge.
#[test]
fn arbitrary_graphs_are_small_by_default() {
    let report = synod(&["verify", "flooding", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!(report["network"]["topology"], "mesh(2, 3)");
    assert_eq!(report["cut"], serde_json::Value::Null);
}

/// A default network that is too large is replaced by the largest smaller one that is not, unless a network or a limit is requested.
#[test]
fn a_smaller_network_replaces_a_default_that_is_too_large() {
    let report = |arguments: &[&str]| {
        let all =
            [&["verify", "chandy_misra_haas_or", "--property", "no_phantom", "--json"], arguments].concat();
        let report = synod(&all);
        serde_json::from_str::<serde_json::Value>(&report.stdout).expect("JSON")
    };
    let smaller = report(&[]);
    assert_eq!(smaller["network"]["topology"], "complete(2)");
    assert_eq!(smaller["too_large"]["topology"], "complete(3)");
    assert_eq!(smaller["verdict"], "holds");
    // The state space grows so fast that it is given up early.
    let more_than = smaller["too_large"]["more_than"].as_u64().expect("a number");
    assert!((100_000..2_000_000).contains(&more_than), "{more_than}");
    assert_eq!(report(&["--timeout", "1h"])["too_large"], smaller["too_large"]);
    let limited = report(&["--max-configurations", "1000"]);
    assert_eq!(limited["network"]["topology"], "complete(3)");
    assert_eq!(limited["too_large"], serde_json::Value::Null);
    assert_eq!(limited["verdict"], "limit");
}

/// If there are more initial configurations than the limit, `verify` explores some on a requested network, and none on a default network.
#[test]
fn more_initial_configurations_than_the_limit() {
    let program = b"algorithm falling
assumes connected graph, reads neighbours, central daemon
var x : 0..20 := any
when x > 0 -> x := x - 1
invariant small: forall p: p.x < 20
";
    let here = folder("falling", &[("falling.syn", program)]);
    let ran = synod_in(&here, &["verify", "falling.syn", "--on", "mesh(2, 3)"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("small violated"), "{ran}");
    let ran = synod_in(&here, &["verify", "falling.syn"]);
    assert!(ran.stdout.contains("(mesh(2, 3) has more than 2000000 configurations"), "{ran}");
    assert!(ran.stdout.contains("small violated"), "{ran}");
}

/// Many initial configurations say nothing about the growth of the state space: here they are all of it.
#[test]
fn many_initial_configurations_on_a_default_network() {
    let program = b"algorithm falling
assumes bidirectional ring, reads neighbours, central daemon
var x : 0..19 := any
when x > 0 -> x := x - 1
invariant small: forall p: p.x < 20
";
    let here = folder("falling_ring", &[("falling.syn", program)]);
    let ran = synod_in(&here, &["verify", "falling.syn", "--no-symmetry", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["network"]["topology"], "ring(4)", "{ran}");
    assert_eq!(report["configurations"], 160_000, "{ran}");
}

/// A run that violates a liveness property is reported, although the default network is too large to explore completely.
#[test]
fn a_violating_run_on_a_default_network_that_is_too_large() {
    let program = b"algorithm climbing
assumes bidirectional ring, reads neighbours, central daemon
var x : 0..19 := 0
var over : Bool := false
when x < 19 and not over -> x := x + 1
when not over -> over := true
eventually some_step: some p: p.x = 1
";
    let here = folder("climbing", &[("climbing.syn", program)]);
    let ran = synod_in(&here, &["verify", "climbing.syn", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&report["network"]["topology"], &report["verdict"]),
        (&"ring(4)".into(), &"violated".into()),
        "{ran}"
    );
    assert_eq!(report["counterexamples"][0]["shows"], "some_step", "{ran}");
}

/// A few configurations do not make the search with counts small: it has the limit of a default network, too.
#[test]
fn a_separate_search_on_a_small_default_network() {
    let program = b"
algorithm counting
assumes unidirectional ring, unique ids
message M
var x : 0..15 := 0
ignore M
state s
  do x < 15 ->
    x := x + 1
    if true -> skip
    [] x mod 3 = 1 -> send M
    fi
    pause
  od
  halt
invariant low: forall p: p.x <= 15
invariant few: messages <= 3 or messages <= 900 or messages of M mod 5 = 1
";
    let here = folder("counting", &[("counting.syn", program)]);
    let found = synod_in(&here, &["verify", "counting.syn", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert_eq!(report["verdict"], "holds", "{found}");
    assert_eq!(report["network"]["topology"], "ring(4)");
    assert_eq!(report["too_large"], serde_json::Value::Null);
}

/// The default network is the nearest one that the algorithm accepts.
#[test]
fn a_network_of_its_own_choice_fits() {
    let text = |assumed: &str| {
        format!(
            "algorithm sized\nassumes {assumed}, anonymous\nparam f : Int = 1\nstate s\n  pause\n  halt\n"
        )
    };
    let sized = [
        ("complete, n > 3 * f", "complete(4)"),
        ("ring, n = 1", "ring(1)"),
        ("star, n >= 5", "star(4)"),
        ("complete, n <= 3", "complete(3)"),
        ("ring, n in {5, 8}", "ring(5)"),
        // Smaller networks first: searches grow fast.
        ("ring, n >= 3 and n mod 2 = 1", "ring(3)"),
    ];
    for (assumed, network) in sized {
        let here = folder("sized", &[("sized.syn", text(assumed).as_bytes())]);
        let ran = synod_in(&here, &["verify", "sized.syn"]);
        assert!(ran.code == 0 && ran.stdout.starts_with(&format!("sized on {network} ·")), "{ran}");
    }
    // If no network fits, the report concerns the first.
    let here = folder("sized", &[("sized.syn", text("complete, n > 99").as_bytes())]);
    let ran = synod_in(&here, &["verify", "sized.syn"]);
    assert!(ran.code == 2 && ran.stderr.contains("complete(3) has 3 processes"), "{ran}");
    // A condition of the program itself; a run takes the nearest larger network.
    let prime =
        text("ring, n >= 3 and prime(n)") + "function prime(k: Int) = forall d in 2..k - 1: k mod d != 0\n";
    let here = folder("sized", &[("sized.syn", prime.as_bytes())]);
    let ran = synod_in(&here, &["run", "sized.syn"]);
    assert!(ran.code == 0 && ran.stdout.starts_with("sized on ring(5) ·"), "{ran}");
    let ran = synod_in(&here, &["run", "sized.syn", "--on", "ring(4)"]);
    let refused = "ring(4) has 4 processes, but the algorithm assumes n >= 3 and prime(n)";
    assert!(ran.code == 2 && ran.stderr.contains(refused), "{ran}");
}
