//! What `verify` says of what it has found, in words and as JSON.

use crate::harness::{folder, synod_in};
use crate::json::valid;

/// Whatever is chosen goes wrong in a way of its own.
const THREE: &[u8] = b"algorithm three
assumes complete, unique ids, knows peers
message Late
var x, y : Int
state s
  pause
  choose what in {0, 1, 2}
  x := 4 div what
  y := x
  if what = 1 -> send Late to others
  [] otherwise -> skip
  fi
  halt
invariant I: forall p: p.x != 2
invariant J: forall p: p.y != 2
";

#[test]
fn several_findings_are_enumerated() {
    let here = folder("three_findings", &[("three.syn", THREE)]);
    let verify = |more: &[&str]| {
        synod_in(
            &here,
            &[&["verify", "three.syn", "--on", "complete(2)", "-q", "--keep-going"], more].concat(),
        )
    };
    let ran = verify(&[]);
    let all = "I and J violated, some run gets stuck, and some command goes wrong\n";
    assert!(ran.code == 1 && ran.stdout.starts_with(all), "{ran}");
    let ran = verify(&["--property", "I"]);
    let all = "I violated, some run gets stuck, and some command goes wrong\n";
    assert!(ran.code == 1 && ran.stdout.starts_with(all), "{ran}");
}
