//! Requests that a signal stops: the answer is what is known by then.

use super::{good, library};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use synod::internals::stop::StopSignal;
use synod::internals::workbench::Workbench;

/// A program that never ends, and has no end of configurations.
const ENDLESS: &str = "algorithm endless\nassumes unidirectional ring, unique ids\nmessage Tick\nvar x : Int := 0\nstate begin\n  send Tick\n  become go\nstate go\n  on Tick -> x := x + 1; send Tick\ninvariant small: forall p: p.x >= 0\n";

#[test]
fn a_signal_stops_runs_searches_and_measurements() {
    let flag = Arc::new(AtomicBool::new(false));
    let asked = flag.clone();
    let mut bench = Workbench::until(StopSignal::when(move || asked.load(Ordering::Relaxed)));
    good(&mut bench, &json!({"request": "open", "text": ENDLESS, "on": "ring(3)"}));
    flag.store(true, Ordering::Relaxed);
    let run = good(&mut bench, &json!({"request": "run", "most": 50_000}));
    assert_eq!((&run["stop"]["reason"], &run["position"]["at"]), (&"interrupted".into(), &0.into()));
    let found = good(&mut bench, &json!({"request": "verify", "text": ENDLESS, "on": "ring(3)"}));
    assert_eq!((&found["cut"], &found["verdict"]), (&"time limit reached".into(), &"limit".into()));
    let request = json!({"request": "measure", "text": library("lelann"), "sizes": [4, 8], "runs": 2});
    let measured = good(&mut bench, &request);
    assert_eq!((&measured["rows"], &measured["cut"]), (&json!([]), &"the first 0 of 4".into()));
    // The same requests go on when the signal is reset: the open run keeps it.
    flag.store(false, Ordering::Relaxed);
    let run = good(&mut bench, &json!({"request": "run", "most": 100}));
    assert_eq!((&run["stop"]["reason"], &run["position"]["at"]), (&"done".into(), &100.into()));
    assert_eq!(good(&mut bench, &request)["cut"], Value::Null);
}
