//! `receive … from each` among messages that are held, deferred, or for another process.

use synod::internals::scenario::play;

const PROGRAM: &str = "
algorithm gather
assumes star, fifo, unique ids, one Centre
message Early, Part(k: Int), Go
role Centre
  var part : map of Port to Int
  var early : Int
  var ready : Bool
  initial state collecting
    receive Part(part[p]) from each p in neighbours
    ready := true
    become done
  defer Early when not ready
  state done
  always
    on Early -> early := early + 1
    on Go -> skip
role Leaf
  state leaf
    send Early
    send Part(1)
    send Go
    halt
";

fn passes(scenario: &str) {
    let text = format!("{PROGRAM}\n{scenario}");
    let checked = synod::internals::check::check("gather.syn", &text, &synod::internals::library::source);
    assert!(!checked.diagnostics.iter().any(|d| d.is_error()), "{:?}", checked.diagnostics);
    let program = std::sync::Arc::new(checked.program.unwrap());
    let played = play(&program, &program.scenarios[0], &Default::default(), &mut |_, _, _, _, _| {});
    assert!(played.passed(), "{played:?}");
}

#[test]
fn a_deferred_message_lets_those_it_waits_for_pass() {
    passes("scenario s on star(3)\n expect p0.ready and p0.early = 3 and size(p0.part) = 3");
}

#[test]
fn a_held_message_is_waited_for() {
    passes(
        "scenario s on star(3)
        hold p1 -> p0
        expect not p0.ready and p0.early = 0
        release
        expect p0.ready and p0.early = 3",
    );
}

#[test]
fn one_kind_held_in_one_channel_is_enough_to_wait() {
    passes(
        "scenario s on star(3)
        hold p2 -> p0 for Part
        expect not p0.ready
        release
        expect p0.ready",
    );
}

#[test]
fn a_held_message_lets_nothing_pass_in_an_ordered_channel() {
    passes(
        "scenario s on star(2)
        hold p2 -> p0 for Early
        expect not p0.ready
        release
        expect p0.ready and p0.early = 2",
    );
}

#[test]
fn delivering_one_message_of_several_that_are_waited_for() {
    passes(
        "scenario s on star(2)
        hold * -> p0 for Part
        expect not p0.ready
        deliver p1 -> p0 Part
        expect not p0.ready
        deliver p2 -> p0 Part
        expect p0.ready",
    );
}
