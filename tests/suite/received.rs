//! `receive A(x)` into a variable equals `receive A(m)` followed by `x := m`, in any context.

use synod::testing::{Setup, source};

fn ring(body: &str, ty: &str) -> Setup {
    let text = format!(
        "algorithm small\nassumes unidirectional ring\nmessage A(k: Int, l: Int), B(k: Int)\n\
         var x : {ty} := 0\nvar y : {ty} := 0\nvar v : list of {ty} := [0, 0, 0, 0]\nvar t : Int := 0\n{body}"
    );
    source(&text).on("ring(2)")
}

/// Return the outcome of a run, with the variables of all processes, and the number of configurations.
fn ends(body: &str, ty: &str) -> (String, Vec<Option<String>>, u64) {
    let setup = ring(body, ty);
    let run = setup.run();
    let values = (0..2).flat_map(|p| ["x", "y", "v", "t"].map(|name| (p, name)));
    let values = values.map(|(p, name)| run.value(p, name)).collect();
    (run.outcome().as_str().to_string(), values, setup.verify().configurations())
}

/// Statements after the receipt: they read the variable, write it, and wait before they do.
const BEHIND: [&str; 6] = [
    "x := 2",
    "y := x; x := x + 1",
    "x := x + 1; x := x + 1; y := x",
    "x, y := 3, x",
    "send B(x); receive B(t); x := x + 1; y := x",
    "if x > 0 -> x := 4 [] otherwise -> x := 5 fi; y := x",
];

#[test]
fn what_is_received_into_a_variable_is_assigned_to_it() {
    for ty in ["Int", "0..9"] {
        for behind in BEHIND {
            let send = "state s\n  send A(1, 2)\n";
            for (into, named) in [
                // Alone, in a choice with and without a condition, and as one of several.
                ("receive A(x, _)\n  BEHIND", "receive A(m, _)\n  x := m\n  BEHIND"),
                ("receive A(_, x)\n  BEHIND", "receive A(_, m)\n  x := m\n  BEHIND"),
                ("receive A(x, v[1])\n  BEHIND", "receive A(m, k)\n  x := m\n  v[1] := k\n  BEHIND"),
                ("receive A(x, v[x])\n  BEHIND", "receive A(m, k)\n  x := m\n  v[m] := k\n  BEHIND"),
                ("receive A(x, y)\n  BEHIND", "receive A(m, k)\n  x := m\n  y := k\n  BEHIND"),
                (
                    "if receive A(x, _) when x > 0 -> BEHIND fi",
                    "if receive A(m, _) when m > 0 -> x := m; BEHIND fi",
                ),
                ("if receive A(x, _) -> BEHIND fi", "if receive A(m, _) -> x := m; BEHIND fi"),
                (
                    "if receive A(x, _) when x > 0 -> skip fi\n  BEHIND",
                    "if receive A(m, _) when m > 0 -> x := m fi\n  BEHIND",
                ),
                (
                    "if receive A(x, y) when x < y -> BEHIND [] receive B(x) when x > 7 -> BEHIND fi",
                    "if receive A(m, k) when m < k -> x := m; y := k; BEHIND [] receive B(m) when m > 7 -> x := m; BEHIND fi",
                ),
            ] {
                let with = |statements: &str| {
                    let statements = statements.replace("BEHIND", behind);
                    ends(&format!("{send}  {statements}\n  halt\n"), ty)
                };
                assert_eq!(with(into), with(named), "{ty}: {into}, behind it {behind}");
            }
        }
    }
}

#[test]
fn and_from_each_of_several() {
    for ty in ["Int", "0..9"] {
        for behind in BEHIND {
            // Whether the step that takes a message of each channel is independent of others is unknown: there may be more
            // configurations.
            let with = |received: &str| {
                let (outcome, values, _) =
                    ends(&format!("state s\n  send A(1, 2)\n  {received}\n  {behind}\n  halt\n"), ty);
                (outcome, values)
            };
            let into = with("receive A(x, _) from each p in {prev}");
            assert_eq!(into, with("receive A(m, _)\n  x := m"), "{ty}: {behind}");
        }
    }
}
