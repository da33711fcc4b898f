//! `verify` with faults: what is shown of what they do.

use crate::harness::{folder, synod_in};

/// A sends twice, and not again when it has come back; B takes the second message only.
const ONCE: &[u8] = b"
algorithm once
assumes complete, unordered, crashes, restarts, one A
message First, Second
process A
  stable var lives : Int
  state s
    lives := lives + 1
    if lives = 1 -> send First to neighbours; pause; send Second to neighbours
    [] otherwise -> skip
    fi
    become t
  state t
process B
  state u
    on Second -> become v
  state v
    on First -> skip
";

/// With fewer restarts more runs are stuck. The run that is shown is stuck with those that were asked for: nobody is down who might come
/// back.
#[test]
fn what_is_stuck_is_so_with_all_restarts() {
    let here = folder("stuck_restarts", &[("once.syn", ONCE)]);
    let asked = ["--on", "complete(2)", "--faults", "crash<=1, restart<=1"];
    let ran = synod_in(&here, &[&["verify", "once.syn", "--trace", "st.trace"], &asked[..]].concat());
    assert!(ran.code == 1 && ran.stdout.contains("some run gets stuck"), "{ran}");
    let needed =
        "it takes 1 crash and 1 restart: with fewer of one and no more of the others it does not happen";
    assert!(ran.stdout.contains(needed), "{ran}");
    let again = synod_in(&here, &["run", "once.syn", "--replay", "st.trace"]);
    assert!(again.stdout.contains("stuck after"), "{again}");
}
