//! The multicast properties of a log of deliveries: the table of the catalogue (C10, S13), and the figure with three kinds of
//! order side by side (S14). Each log is played: every process delivers in the given order, as early as possible.

use std::sync::Arc;

/// Delivers in the order of `plan`, whatever arrives first.
const AS_TOLD: &str = "
assumes complete, reliable, unordered, unique ids, knows peers
message Copy(body: Value)
var plan : list of Value
var here : set of Value
operation multicast(m: Value)
  send Copy(m) to everybody
on Copy(m) -> here := here + {m}
when plan != [] and head(plan) in here ->
  m := head(plan)
  plan := tail(plan)
  deliver(m)
invariant weak_total: forall p, q:
  forall a in p.delivered, b in p.delivered with a != b and in_order(p.delivered, a, b) and a in q.delivered and b in q.delivered:
    in_order(q.delivered, a, b)
";

/// A log: the senders of multicasts, in this order, and the deliveries of each process.
struct Log {
    multicasts: Vec<(usize, String)>,
    deliveries: Vec<Vec<String>>,
}

fn log(multicasts: &[(usize, &str)], deliveries: &[&[&str]]) -> Log {
    Log {
        multicasts: multicasts.iter().map(|(p, m)| (*p, (*m).into())).collect(),
        deliveries: deliveries.iter().map(|d| d.iter().map(|m| (*m).into()).collect()).collect(),
    }
}

impl Log {
    /// Return the log restricted to messages of one class, by the first letter of their names.
    fn of_class(&self, class: char) -> Log {
        let is = |m: &String| m.starts_with(class);
        Log {
            multicasts: self.multicasts.iter().filter(|(_, m)| is(m)).cloned().collect(),
            deliveries: self
                .deliveries
                .iter()
                .map(|d| d.iter().filter(|m| is(m)).cloned().collect())
                .collect(),
        }
    }

    /// Play the log under an algorithm that claims this order; exactly these properties must be violated.
    fn violates(&self, order: &str, expected: &[&str]) {
        const ALL: [&str; 8] = [
            "integrity",
            "validity",
            "agreement",
            "fifo_order",
            "causal_order",
            "total_order",
            "total_order_of_pairs",
            "weak_total",
        ];
        let mut text = format!("algorithm as_told solves Multicast(order: {order})\n{AS_TOLD}");
        text += &format!("scenario log on complete({})\n", self.deliveries.len());
        for (p, plan) in self.deliveries.iter().enumerate() {
            let plan: Vec<String> = plan.iter().map(|m| format!("\"{m}\"")).collect();
            text += &format!("  initially p{p}.plan := [{}]\n", plan.join(", "));
        }
        for (p, m) in &self.multicasts {
            text += &format!("  p{p}: multicast(\"{m}\")\n");
        }
        text += "  expect forall p: p.plan = []\n";
        for property in ALL {
            let verdict = if expected.contains(&property) { "violated" } else { "holds" };
            text += &format!("  expect {property} {verdict}\n");
            // Without crashes, the uniform property is the same.
            if ["agreement", "fifo_order", "total_order"].contains(&property) {
                text += &format!("  expect uniform_{property} {verdict}\n");
            }
        }
        let checked =
            synod::internals::check::check("as_told.syn", &text, &synod::internals::library::source);
        let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)));
        let played = synod::internals::scenario::play(
            &program,
            &program.scenarios[0],
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        let why: Vec<&str> = played.failures.iter().map(|f| f.message.as_str()).collect();
        assert!(played.passed(), "order {order}, expected {expected:?}: {why:#?}\n{text}");
    }
}

const TOTAL: [&str; 2] = ["total_order", "total_order_of_pairs"];

#[test]
fn l1_two_orders_of_two_concurrent_messages() {
    let l1 = log(&[(0, "a"), (1, "b")], &[&["a", "b"], &["b", "a"], &["a", "b"]]);
    l1.violates("fifo", &["weak_total"]);
    l1.violates("causal", &["weak_total"]);
    l1.violates("total", &[&TOTAL[..], &["weak_total"]].concat());
}

#[test]
fn l2_one_order_everywhere_but_not_the_senders() {
    let l2 = log(&[(0, "a"), (0, "b")], &[&["b", "a"], &["b", "a"], &["b", "a"]]);
    l2.violates("fifo", &["fifo_order"]);
    l2.violates("causal", &["fifo_order", "causal_order"]);
    l2.violates("total", &[]);
}

#[test]
fn l3_and_l4_an_answer_before_and_after_its_question() {
    let l3 = log(&[(0, "a"), (1, "b")], &[&["a", "b"], &["a", "b"], &["b", "a"]]);
    l3.violates("fifo", &["weak_total"]);
    l3.violates("causal", &["causal_order", "weak_total"]);
    l3.violates("total", &[&TOTAL[..], &["weak_total"]].concat());
    let l4 = log(&[(0, "a"), (1, "b")], &[&["a", "b"], &["a", "b"], &["a", "b"]]);
    for order in ["none", "fifo", "causal", "total"] {
        l4.violates(order, &[]);
    }
}

#[test]
fn l5_and_l6_an_order_is_no_promise_of_delivery() {
    // Figure 8 of the notes: q delivers one of two messages, the first or the second.
    let l5 = log(&[(2, "m'"), (0, "m")], &[&["m", "m'"], &["m"], &["m", "m'"]]);
    for order in ["fifo", "causal", "total"] {
        l5.violates(order, &["agreement"]);
    }
    let l6 = log(&[(2, "m'"), (0, "m")], &[&["m", "m'"], &["m'"], &["m", "m'"]]);
    l6.violates("fifo", &["agreement"]);
    l6.violates("causal", &["agreement"]);
    l6.violates("total", &[&TOTAL[..], &["agreement"]].concat());
}

#[test]
fn l8_a_message_delivered_twice() {
    let l8 = log(&[(0, "a")], &[&["a", "a"], &["a"], &["a"]]);
    for order in ["fifo", "causal", "total"] {
        l8.violates(order, &["integrity"]);
    }
}

#[test]
fn total_fifo_and_causal_messages_side_by_side() {
    let s14 = log(
        &[(0, "T1"), (0, "F1"), (1, "T2"), (1, "F3"), (0, "F2"), (2, "C2"), (0, "C1"), (2, "C3")],
        &[
            &["F1", "T2", "C1", "T1", "F2", "C2", "C3", "F3"],
            &["F1", "C2", "T2", "F3", "C1", "F2", "T1", "C3"],
            &["C2", "C1", "F1", "C3", "T2", "F2", "F3", "T1"],
        ],
    );
    s14.of_class('T').violates("total", &[]);
    s14.of_class('F').violates("fifo", &["weak_total"]);
    s14.of_class('C').violates("causal", &["weak_total"]);
    // None of the orders holds for all messages together.
    s14.violates("fifo", &["fifo_order", "weak_total"]);
    s14.violates("causal", &["fifo_order", "causal_order", "weak_total"]);
    s14.violates("total", &[&TOTAL[..], &["weak_total"]].concat());
}
