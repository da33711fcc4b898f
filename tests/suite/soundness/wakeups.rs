//! It is forgotten which processes have woken up spontaneously, unless a property or an outcome distinguishes them.

use crate::common::on;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::property::Judgement::{self, Holds, Violated};

const START: &str = "problem Start
output many : Int := size(initiators)
";

/// Explore with and without forgotten wake-ups: the verdicts are equal. Return the exploration with them.
fn explored(text: &str, network: &str) -> Exploration {
    let problem = |name: &str| (name == "Start").then(|| ("start.syn".to_string(), START.to_string()));
    let checked = check("wakeups.syn", text, &problem);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    let program = checked.program.map(Arc::new).unwrap_or_else(|| panic!("{found:#?}"));
    let instance = on(&program, network).build();
    let options =
        ExploreOptions { keep_going: true, reduce: false, symmetry: false, ..ExploreOptions::default() };
    let all = explore(&instance, None, &ExploreOptions { forget_wakeups: false, ..options }, &mut |_| None);
    let less = explore(&instance, None, &options, &mut |_| None);
    assert!(less.disagreements.is_empty(), "{:?}", less.disagreements);
    assert_eq!(judged(&less), judged(&all));
    less
}

fn judged(found: &Exploration) -> Vec<(&str, Judgement)> {
    found.verdicts.iter().map(|verdict| (verdict.name.as_str(), verdict.judgement)).collect()
}

/// Return a flood. `again`: the command of a process that is awake when a message arrives.
fn flood(again: &str, properties: &str) -> String {
    format!(
        "algorithm flood
assumes connected, reliable, fifo
message M
var woken : Int
procedure tell(above: Port?)
  send M to {{ p in neighbours | p != above }}
state asleep
  on wakeup   -> woken := woken + 1; tell(none); become awake
  on M from p -> tell(p); become awake
state awake
  on M -> {again}
{properties}"
    )
}

#[test]
fn the_limit_of_a_bound_counts_wakeups() {
    let text = flood(
        "skip",
        "exactly sent: messages = 2 * edges - n + size(initiators)
exactly one_less: messages = 2 * edges - n + size(initiators) - 1
bound twice: messages <= 2 * edges - 3 + 2 * size(initiators)
bound halves: messages <= 2 * edges - 2 * size(initiators)
",
    );
    // The variable would tell initiators from others.
    let text = text.replace("var woken : Int\n", "").replace("woken := woken + 1; ", "");
    let found = explored(&text, "line(3)");
    let expected = [("sent", Holds), ("one_less", Violated), ("twice", Holds), ("halves", Violated)];
    assert_eq!(judged(&found), expected);
    // A property that names the initiators keeps them apart.
    let named = explored(&(text + "finally some_are: size(initiators) > 0\n"), "line(3)");
    assert!(found.configurations < named.configurations);
    assert_eq!(found.verdicts[1].why.to_string(), "2, not 1");
}

#[test]
fn a_property_names_the_initiators() {
    let text = flood(
        "skip",
        "finally alone: size(initiators) = 1 implies messages = 2 * edges - n + 1
finally first: forall p: p in initiators implies p.woken = 1
finally at_most_one: size(initiators) < 2
",
    );
    let found = explored(&text, "line(3)");
    let expected = [("alone", Holds), ("first", Holds), ("at_most_one", Violated)];
    assert_eq!(judged(&found), expected);
}

/// A process reads whether it may wake up spontaneously, not whether it has.
#[test]
fn the_program_reads_initiator() {
    for (value, small) in [(5, Violated), (4, Holds)] {
        let text = flood(
            &format!("if initiator -> woken := {value} [] otherwise -> skip fi"),
            "invariant small: forall p: p.woken < 5\n",
        );
        assert_eq!(judged(&explored(&text, "ring(3)")), [("small", small)]);
    }
}

#[test]
fn an_output_counts_the_initiators() {
    let text = flood("skip", "finally all: forall p: p.many < 3\n")
        .replace("algorithm flood", "algorithm flood solves Start");
    let found = explored(&text, "ring(3)");
    assert_eq!(judged(&found), [("all", Violated)]);
    let ends: BTreeSet<&str> = found.ends.iter().map(|end| end.outputs.as_str()).collect();
    assert_eq!(ends.len(), 3, "{ends:?}");
}
