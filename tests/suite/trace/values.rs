//! Steps and texts in a line of a trace file.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::ids::{ChannelId, ProcessId};
use synod::internals::ir::Value;
use synod::internals::semantics::event::{CRASH, Cause, Event};
use synod::internals::trace::show::{column, quoted, unquoted};
use synod::internals::trace::step::Choice;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<i64>().prop_map(Value::Id),
        (0i64..9).prop_map(Value::Port),
        (0i64..9).prop_map(Value::Process),
        (0i64..9).prop_map(Value::Event),
        (0u32..9, 0u32..9).prop_map(|(e, c)| Value::Case(e, c)),
        any::<String>().prop_map(|t| Value::Text(t.into())),
        "[ \\\\\"a]{0,8}".prop_map(|t| Value::Text(t.into())),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let some = || proptest::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            some().prop_map(Value::tuple),
            some().prop_map(Value::list),
            some().prop_map(Value::set),
            some().prop_map(|v| Value::Record(2, v.into())),
            some().prop_map(|v| Value::Message(1, v.into())),
            some().prop_map(|v| Value::map(v.into_iter().map(|k| (k.clone(), k)))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn every_step_reads_back(
        args in proptest::collection::vec(value(), 0..3),
        number: u32, position in 0u32..3, which in 0usize..18, wait in prop_oneof![Just(0), any::<u64>()],
        alternative in 0u32..3,
        choices in proptest::collection::vec(0..CRASH, 0..3),
        crash in proptest::option::of(0u32..1000),
        later in proptest::collection::vec(0..2u32, 0..3),
    ) {
        let (channel, process) = (ChannelId(number), ProcessId(number));
        let causes = [
            Cause::Start, Cause::Wakeup, Cause::Gather, Cause::Internal,
            Cause::Deliver { channel, position }, Cause::Call { operation: 3, args },
            Cause::SendNote { to: process }, Cause::ReceiveNote { from: process },
            Cause::Timeout, Cause::Crash, Cause::Restart, Cause::Suspect { of: process }, Cause::Trust { of: process },
            Cause::Lose { channel, position }, Cause::Duplicate { channel, position }, Cause::Cut { link: number },
            Cause::Mislead, Cause::EndMislead,
        ];
        let mut choices = choices;
        if let Some(sent) = crash {
            choices.push(CRASH + sent);
            choices.extend(later);
        }
        let event = Event { process: ProcessId(4), wait, cause: causes[which].clone(), alternative, choices: choices.into() };
        let text = Choice::of(&event).show();
        prop_assert_eq!(&column(&text), &text);
        prop_assert_eq!(Choice::parse(&text).map(|c| c.at(ProcessId(4))), Ok(event));
    }

    #[test]
    fn every_text_reads_back(text: String, rest in "[a-z ]{0,4}") {
        let written = quoted(&text) + &rest;
        prop_assert_eq!(unquoted(&written), Ok((text, rest.as_str())));
    }

    #[test]
    fn arbitrary_steps_do_not_panic(text in "(call 3 |deliver |)[?#>^%!=\\[\\]{}()<>\"rm0-9. _-]{0,30}") {
        let _ = Choice::parse(&text);
    }
}

#[test]
fn malformed_steps_are_rejected() {
    let said = |text: &str| Choice::parse(text).unwrap_err();
    assert_eq!(said("deliver"), "expected a channel after `deliver`");
    assert_eq!(said("deliver x"), "expected a channel after `deliver`, not `x`");
    assert_eq!(said("deliver 4 alt"), "unexpected ` alt`");
    assert_eq!(said("call 1 (3"), "`)` is missing at the end");
    assert!(said(&format!("call 1 {}", "[".repeat(1000))).contains("nested"));
}

#[test]
fn white_space_in_a_text_survives_a_column() {
    for text in [" ", "  ", "\t", "a\nb", "\u{2000}", "\u{2028}", "\u{85}", "\u{a0} ", "\u{3000}"] {
        let written = quoted(text);
        assert_eq!(column(&written), written);
        assert_eq!(unquoted(&written), Ok((text.to_string(), "")));
    }
}
