//! Properties and expressions that cannot be evaluated, or not in reasonable time.

use crate::cli::harness::{folder, synod_in};

/// In every run x is 2 for a moment, and then most of the properties have no value.
const DIVIDES: &[u8] = b"algorithm divides
assumes complete, unique ids
var x : Int

state s
  pause
  x := x + 1
  if x < 3 -> skip [] otherwise -> halt fi

invariant divided: forall p: 10 div (p.x - 2) != 7
stable rest: forall p: 5 mod (p.x - 2) >= 0
eventually nine: some p: 5 mod (p.x - 2) = 9
eventually early: some p: p.x = 1 or 5 div (p.x - 2) = 9
leads answer for p: p.x = 1 leads to 5 mod (p.x - 2) = 0
settles late: forall p: 5 div (p.x - 2) > 0
";

#[test]
fn a_property_that_cannot_be_evaluated_is_not_violated() {
    let here = folder("unjudged", &[("divides.syn", DIVIDES)]);
    for verb in [&["run"][..], &["verify", "--keep-going"]] {
        let ran = synod_in(&here, &[verb, &["divides.syn", "--on", "complete(1)"]].concat());
        let line = |name: &str| {
            let judged = |line: &&str| line.contains("not checked") || line.contains("holds");
            let named = |line: &&str| line.split_whitespace().any(|word| word == name);
            let of = ran.stdout.lines().filter(judged).find(named);
            of.unwrap_or_default().to_string()
        };
        for name in ["divided", "rest", "nine", "answer"] {
            assert!(line(name).contains("could not be evaluated"), "{name}: {}\n{ran}", line(name));
        }
        // It has become true before x is 2; afterwards it remains true.
        for name in ["early", "late"] {
            assert!(line(name).contains("holds"), "{name}: {}\n{ran}", line(name));
        }
        assert_eq!(ran.code, 3, "{ran}");
    }
}

/// Ten thousand million products: the report says whether they are too many or take too long.
const LONG: &[u8] = b"algorithm long
assumes complete, unique ids
function g(k: Int) : Int = sum i in 1..k, j in 1..k: i * j

state s
  halt

invariant z: g(100000) > 0
";

#[test]
fn the_time_limit_applies_during_the_evaluation_of_a_property() {
    let here = folder("unjudged_long", &[("long.syn", LONG)]);
    let verified = synod_in(&here, &["verify", "long.syn", "--on", "complete(1)", "--timeout", "1s"]);
    assert!(verified.code == 3 && verified.stdout.contains("could not be evaluated"), "{verified}");
}
