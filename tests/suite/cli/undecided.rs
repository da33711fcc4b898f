//! A property that enlarges the state space leaves no other one undecided.

use crate::cli::harness::{folder, synod_in};
use serde_json::Value;

/// Two orders that need the history: one holds in few configurations, the other one distinguishes every order of deliveries.
const ORDERS: &[u8] = b"algorithm orders solves Multicast(order: fifo)
assumes complete, reliable, fifo, unique ids, knows peers, knows n
message D(m: Value)
operation multicast(m: Value)
  send D(m) to everybody
on D(m) -> deliver(m)
order cheap:
  forall a in calls of multicast, b in returns of multicast with a.process = b.process and a.nth = b.nth: a before b
order dear: forall u in upcalls of deliver: size([v for v in upcalls of deliver | v before u]) <= 99
";

/// The orders are searched for together, and one by one if the limit leaves them undecided.
#[test]
fn an_order_that_distinguishes_many_histories() {
    let here = folder("orders", &[("orders.syn", ORDERS)]);
    let words = ["verify", "orders.syn", "--on", "complete(3)", "--max-configurations", "6000", "--json"];
    let ran = synod_in(&here, &words);
    assert_eq!(ran.code, 3, "{ran}");
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let verdict = |name: &str| {
        let all = report["properties"].as_array().expect("properties");
        all.iter().find(|property| property["name"] == name).map(|property| property["verdict"].clone())
    };
    assert_eq!(verdict("cheap"), Some("holds".into()), "{ran}");
    assert_eq!(verdict("dear"), Some("pending".into()), "{ran}");
    assert_eq!(verdict("integrity"), Some("holds".into()), "{ran}");
    let searches: Vec<&Value> = report["separate"].as_array().expect("searches").iter().collect();
    let names: Vec<&Value> = searches.iter().map(|search| &search["properties"]).collect();
    assert_eq!(names, [&Value::from(vec!["cheap"]), &Value::from(vec!["dear"])], "{ran}");
}
