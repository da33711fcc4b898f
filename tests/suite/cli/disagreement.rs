//! Counterexamples that cannot be replayed.

use std::sync::Arc;
use synod::internals::check::check;

use synod::internals::cli::exit::{ExitStatus, code};
use synod::internals::explore::{Counterexample, ViolationKind, confirm};
use synod::internals::ids::{ChannelId, ProcessId};
use synod::internals::network::Spec;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::session::search_report::{DisagreementBody, ending};
use synod::internals::setup::{InstanceOptions, instantiate};

/// The last event delivers a message that no process has sent.
#[test]
fn a_counterexample_that_cannot_be_replayed_is_reported_with_its_inputs() {
    let text = "algorithm a\nassumes complete, unique ids, knows peers\nmessage M\nstate s\n  send M to others\n  receive M\n  halt\ninvariant safety: true\n";
    let program = check("a.syn", text, &|_| None).program.expect("a program");
    let topology = Spec::parse("complete(2)").expect("a network");
    let wishes = InstanceOptions { topology: Some(topology), ..InstanceOptions::default() };
    let instance = instantiate(&Arc::new(program), &wishes).expect("an instance");
    let event = |process, cause| Event::new(process, cause);
    let events = vec![
        event(ProcessId(0), Cause::Start),
        event(ProcessId(1), Cause::Start),
        event(ProcessId(1), Cause::Deliver { channel: ChannelId(0), position: 7 }),
    ];
    let found = confirm(&instance, Counterexample::new(ViolationKind::Property(0), events));
    let disagreement = found.expect_err("no such message");
    assert_eq!(disagreement.replayed, 2);
    let body = DisagreementBody::new(&instance, &disagreement, 3, &[]);
    assert_eq!((body.replayed, body.events, body.remaining.len(), body.steps.events.len()), (2, 3, 1, 2));
    assert!(
        body.message().starts_with("safety: the counterexample cannot be replayed beyond 2 of 3 events: ")
    );
    assert_eq!(body.program[0].text, text);
    for otherwise in [ExitStatus::Success, ExitStatus::Limit, ExitStatus::Finding] {
        assert_eq!(ending(&[], otherwise), otherwise);
        assert_eq!(ending(std::slice::from_ref(&body), otherwise), ExitStatus::Disagreement);
    }
    assert_eq!(code(&Ok(ExitStatus::Disagreement)), 4);
}
