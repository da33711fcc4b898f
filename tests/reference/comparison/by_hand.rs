//! Verdicts on graphs drawn by hand, each of which a reader can decide.

use crate::properties::chance::decisions;
use crate::properties::costs::{Compare, measured};
use crate::properties::liveness::{Coins, may_go_on};
use crate::properties::observer::{Count, Moment, Watch, observe};
use crate::properties::verdicts::*;
use crate::specification::ends::{Outcome, Standing, outcome_by};
use crate::specification::graph::{Action, Channel, Choice, Edge, Effect, Graph, Message, Part, Target};

type Drawn = Graph<(), i64>;

/// A graph with this number of configurations and no steps; the first configuration is the initial one.
fn graph(configurations: usize) -> Drawn {
    let part = |process| Part {
        process,
        action: Action::Start,
        omissible: false,
        choices: Vec::new(),
        effects: Vec::new(),
    };
    Graph {
        configurations: vec![(); configurations],
        starts: vec![Edge { parts: vec![part(0), part(1)], rounds: 0, target: Target::Configuration(0) }],
        steps: vec![Vec::new(); configurations],
        ..Graph::empty(2, false, false)
    }
}

fn part(process: usize, action: Action<i64>) -> Part<i64> {
    Part { process, omissible: action.is_fault(), action, choices: Vec::new(), effects: Vec::new() }
}

/// An internal step of a process.
fn alone(process: usize) -> Part<i64> {
    part(process, Action::Alone(String::new()))
}

fn channel(from: usize, to: usize, unordered: bool) -> Channel {
    Channel { from, to, link: 0, layer: String::new(), unordered }
}

fn message(content: i64) -> Message<i64> {
    Message { layer: String::new(), name: "M".into(), fields: vec![content] }
}

/// Process 1 receives a message from process 0.
fn takes(content: i64, unordered: bool) -> Part<i64> {
    part(1, Action::Deliver(channel(0, 1, unordered), message(content)))
}

trait Draw {
    fn step(&mut self, from: usize, parts: Vec<Part<i64>>, to: usize);
    fn abort(&mut self, from: usize, part: Part<i64>);
}

impl Draw for Drawn {
    fn step(&mut self, from: usize, parts: Vec<Part<i64>>, to: usize) {
        self.steps[from].push(Edge { parts, rounds: 0, target: Target::Configuration(to) });
    }

    fn abort(&mut self, from: usize, part: Part<i64>) {
        self.steps[from].push(Edge { parts: vec![part], rounds: 0, target: Target::Abort(String::new()) });
    }
}

/// A predicate that is true exactly in these configurations.
fn only(graph: &Drawn, places: &[usize]) -> Vec<Truth> {
    (0..graph.configurations.len()).map(|at| Ok(places.contains(&at))).collect()
}

fn choosing(part: Part<i64>, chance: bool, taken: usize) -> Part<i64> {
    let mut part = part;
    part.choices.push(Choice { chance, options: 2, taken });
    part
}

const COINS: [Coins; 2] = [Coins::ByChance, Coins::Badly];

#[test]
fn a_continuously_enabled_delivery_occurs() {
    let mut all = graph(2);
    all.step(0, vec![alone(0)], 0);
    all.step(0, vec![takes(1, false)], 1);
    for coins in COINS {
        assert_eq!(eventually(&all, &only(&all, &[1]), coins), Verdict::Holds);
        assert_eq!(may_go_on(&all, coins), Ok(false));
    }
}

#[test]
fn an_intermittently_enabled_delivery_may_never_occur() {
    let mut all = graph(3);
    all.step(0, vec![alone(0)], 2);
    all.step(2, vec![alone(0)], 0);
    all.step(0, vec![takes(1, false)], 1);
    for coins in COINS {
        assert_eq!(eventually(&all, &only(&all, &[1]), coins), Verdict::Violated);
        assert_eq!(may_go_on(&all, coins), Ok(true));
    }
}

/// Fairness of a FIFO channel concerns its first message, whichever that is. Fairness of an unordered channel concerns each message
/// separately.
#[test]
fn an_unordered_channel_is_fair_to_each_message() {
    for (unordered, expected) in [(false, Verdict::Violated), (true, Verdict::Holds)] {
        let mut all = graph(2);
        all.step(0, vec![takes(1, unordered)], 0);
        all.step(0, vec![takes(2, unordered)], 1);
        assert_eq!(eventually(&all, &only(&all, &[1]), Coins::Badly), expected);
    }
}

#[test]
fn a_process_may_repeat_the_same_choice_forever() {
    let mut all = graph(2);
    all.step(0, vec![part(0, Action::Alone("a".into()))], 0);
    all.step(0, vec![part(0, Action::Alone("b".into()))], 1);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::Badly), Verdict::Violated);
}

#[test]
fn a_fault_need_not_happen() {
    let mut all = graph(2);
    all.step(0, vec![alone(0)], 0);
    all.step(0, vec![part(1, Action::Crash)], 1);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::Badly), Verdict::Violated);
    let mut all = graph(2);
    all.step(0, vec![part(1, Action::Crash)], 1);
    assert!(all.is_end(0) && all.is_end(1));
    assert_eq!(finally(&all, &only(&all, &[1])), Verdict::Violated);
}

/// Global fairness: a configuration that can follow infinitely often does follow, unless only a fault leads to it.
#[test]
fn interactions_leave_every_component_that_they_can_leave() {
    let mut all = graph(3);
    all.pairs = true;
    let meet = || part(0, Action::Interact(1, 0));
    all.step(0, vec![meet()], 1);
    all.step(1, vec![meet()], 0);
    all.step(1, vec![meet()], 2);
    all.step(2, vec![meet()], 2);
    assert_eq!(eventually(&all, &only(&all, &[2]), Coins::Badly), Verdict::Holds);
    assert_eq!(settles(&all, &only(&all, &[2]), Coins::Badly), Verdict::Holds);
    all.steps[1].pop();
    assert_eq!(eventually(&all, &only(&all, &[2]), Coins::Badly), Verdict::Violated);
    all.step(1, vec![part(1, Action::Crash)], 2);
    assert_eq!(eventually(&all, &only(&all, &[2]), Coins::Badly), Verdict::Violated);
}

#[test]
fn heads_occur_almost_surely() {
    let mut all = graph(2);
    all.step(0, vec![choosing(alone(0), true, 0)], 0);
    all.step(0, vec![choosing(alone(0), true, 1)], 1);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::ByChance), Verdict::Holds);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::Badly), Verdict::Violated);
    assert_eq!(may_go_on(&all, Coins::ByChance), Ok(false));
}

/// The schedule need not toss the coin while another process can take steps, unless fairness requires a step of the coin's process.
#[test]
fn a_schedule_need_not_toss() {
    let mut all = graph(3);
    all.step(0, vec![alone(0)], 2);
    all.step(2, vec![alone(0)], 0);
    all.step(0, vec![choosing(alone(1), true, 0)], 0);
    all.step(0, vec![choosing(alone(1), true, 1)], 1);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::ByChance), Verdict::Violated);
    all.step(2, vec![choosing(alone(1), true, 0)], 2);
    all.step(2, vec![choosing(alone(1), true, 1)], 1);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::ByChance), Verdict::Holds);
}

/// Matching pennies: process 0 chooses, process 1 tosses a coin, and the run continues while they differ. A schedule that knew the outcome
/// could continue forever. Process 0 may base its choice only on a coin that it has tossed itself before.
#[test]
fn choices_in_a_joint_step_do_not_depend_on_coins_of_others() {
    let mut all = graph(2);
    for (chosen, tossed) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let parts = vec![choosing(alone(0), false, chosen), choosing(alone(1), true, tossed)];
        all.step(0, parts, usize::from(chosen == tossed));
    }
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::ByChance), Verdict::Holds);
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::Badly), Verdict::Violated);
    let mut all = graph(2);
    for (tossed, chosen) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let own = choosing(choosing(alone(0), true, tossed), false, chosen);
        all.step(0, vec![own, alone(1)], usize::from(chosen == tossed));
    }
    assert_eq!(eventually(&all, &only(&all, &[1]), Coins::ByChance), Verdict::Violated);
}

/// A strongly connected set is no end component if a coin may leave it.
#[test]
fn a_set_that_a_coin_may_leave_is_no_end_component() {
    let mut all = graph(4);
    all.step(0, vec![alone(0)], 1);
    all.step(1, vec![choosing(alone(0), true, 0)], 2);
    all.step(1, vec![choosing(alone(0), true, 1)], 3);
    all.step(2, vec![alone(0)], 0);
    all.step(3, vec![alone(0)], 3);
    assert_eq!(eventually(&all, &only(&all, &[3]), Coins::ByChance), Verdict::Holds);
    assert_eq!(settles(&all, &only(&all, &[3]), Coins::ByChance), Verdict::Holds);
    assert_eq!(settles(&all, &only(&all, &[3]), Coins::Badly), Verdict::Violated);
    assert_eq!(leads(&all, &only(&all, &[0]), &only(&all, &[3]), Coins::ByChance), Verdict::Holds);
    assert_eq!(leads(&all, &only(&all, &[0]), &only(&all, &[3]), Coins::Badly), Verdict::Violated);
}

/// Each of three processes tosses a coin in a joint step, and aborts the step for one outcome. Three outcomes abort, after one, two or three
/// parts. The coins count as if they had only their other outcomes.
#[test]
fn a_joint_step_may_abort_in_any_of_its_parts() {
    let mut all = graph(2);
    let continues = |process| choosing(alone(process), true, 0);
    let aborts = |process| choosing(alone(process), true, 1);
    for parts in [vec![aborts(0)], vec![continues(0), aborts(1)], vec![continues(0), continues(1), aborts(2)]]
    {
        all.steps[0].push(Edge { parts, rounds: 0, target: Target::Abort(String::new()) });
    }
    all.step(0, vec![continues(0), continues(1), continues(2)], 1);
    assert_eq!(decisions(&all, 0), Ok(vec![[3].into()]));
}

#[test]
fn leads_to_holds_at_once_or_later() {
    let mut all = graph(3);
    all.step(0, vec![alone(0)], 1);
    all.step(1, vec![alone(0)], 2);
    for (left, right, expected) in [
        (0, 0, Verdict::Holds),
        (0, 2, Verdict::Holds),
        (2, 2, Verdict::Holds),
        (1, 0, Verdict::Violated),
        (2, 1, Verdict::Violated),
    ] {
        assert_eq!(leads(&all, &only(&all, &[left]), &only(&all, &[right]), Coins::Badly), expected);
    }
}

#[test]
fn failures_that_affect_the_verdict() {
    let mut all = graph(4);
    all.step(0, vec![alone(0)], 1);
    all.step(1, vec![alone(0)], 2);
    all.step(0, vec![alone(1)], 3);
    let failing = |places: &[usize], at: usize| {
        let mut truth = only(&all, places);
        truth[at] = Err("fails".into());
        truth
    };
    let not_checked = Verdict::NotChecked("fails".into());
    assert_eq!(invariant(&failing(&[0, 1, 3], 2)), not_checked);
    assert_eq!(invariant(&failing(&[0, 1], 2)), Verdict::Violated);
    // The step from the configuration in which it is true leads to one in which it has no truth value.
    assert_eq!(stable(&all, &failing(&[0, 3], 1)), not_checked);
    assert_eq!(stable(&all, &failing(&[0], 1)), Verdict::Violated);
    assert_eq!(finally(&all, &failing(&[2, 3], 1)), Verdict::Holds);
    assert_eq!(finally(&all, &failing(&[2], 3)), not_checked);
    assert_eq!(eventually(&all, &failing(&[0], 2), Coins::Badly), Verdict::Holds);
    assert_eq!(eventually(&all, &failing(&[1, 3], 2), Coins::Badly), Verdict::Holds);
    assert_eq!(eventually(&all, &failing(&[3], 2), Coins::Badly), not_checked);
    assert_eq!(settles(&all, &failing(&[2, 3], 0), Coins::Badly), Verdict::Holds);
    assert_eq!(settles(&all, &failing(&[2], 3), Coins::Badly), not_checked);
    assert_eq!(leads(&all, &only(&all, &[]), &failing(&[], 1), Coins::Badly), not_checked);
    assert_eq!(each([Verdict::Holds, not_checked.clone()]), not_checked);
    assert_eq!(each([not_checked, Verdict::Violated]), Verdict::Violated);
}

/// An aborted run has no end and is not infinite.
#[test]
fn an_abort_is_no_end() {
    let mut all = graph(1);
    all.abort(0, alone(0));
    assert_eq!(finally(&all, &only(&all, &[])), Verdict::Holds);
    assert_eq!(eventually(&all, &only(&all, &[]), Coins::Badly), Verdict::Holds);
    // An abort that is continuously enabled occurs in every fair run. A coin that may abort counts as if it did not.
    all.step(0, vec![alone(1)], 0);
    assert_eq!(eventually(&all, &only(&all, &[]), Coins::Badly), Verdict::Holds);
    all.steps[0] = Vec::new();
    all.abort(0, choosing(alone(0), true, 0));
    all.step(0, vec![choosing(alone(0), true, 1)], 0);
    for coins in COINS {
        assert_eq!(eventually(&all, &only(&all, &[]), coins), Verdict::Violated);
    }
}

/// A step in which process 0 sends a message.
fn sends(content: i64, unordered: bool) -> Part<i64> {
    let (channel, message) = (channel(0, 1, unordered), message(content));
    let sent = Effect::Sent { channel, message, bits: 10, counted: true };
    Part { effects: vec![sent], ..alone(0) }
}

/// A step in which process 1 receives the first message with this content.
fn gets(content: i64, unordered: bool, lost: bool) -> Part<i64> {
    let (channel, message) = (channel(0, 1, unordered), message(content));
    let taken = Effect::Taken { channel, message, nth: 0, lost };
    Part { effects: vec![taken], ..takes(content, unordered) }
}

fn calls(part: Part<i64>, value: i64) -> Part<i64> {
    let mut part = part;
    part.effects.push(Effect::Call { operation: "multicast".into(), arguments: vec![value] });
    part
}

fn delivers(part: Part<i64>, value: i64) -> Part<i64> {
    let mut part = part;
    part.effects.push(Effect::Upcall { name: "deliver".into(), arguments: vec![value] });
    part
}

fn line(parts: Vec<Part<i64>>) -> Drawn {
    let mut all = graph(parts.len() + 1);
    for (at, part) in parts.into_iter().enumerate() {
        all.step(at, vec![part], at + 1);
    }
    all
}

fn watched(all: &Drawn, watch: Watch) -> Vec<Moment<i64>> {
    observe(all, &watch, 100).expect("few configurations").configurations
}

#[test]
fn happened_before_is_causal() {
    let history = Watch { history: true, ..Watch::default() };
    let steps = |lost| {
        vec![calls(sends(1, false), 7), gets(1, false, lost), delivers(alone(1), 7), calls(alone(1), 8)]
    };
    let observed = watched(&line(steps(false)), history.clone());
    let seen = &observed.last().expect("the end").seen;
    assert!(seen.happened_before(0, 1) && seen.happened_before(0, 2) && seen.happened_before(1, 2));
    assert!(!seen.happened_before(1, 0) && seen.before(0, 1) && !seen.before(0, 0));
    assert!(seen.multicast_before(0, 2) && !seen.multicast_before(2, 0) && !seen.multicast_before(0, 0));
    assert_eq!(seen.events.iter().map(|event| event.nth).collect::<Vec<_>>(), [1, 1, 1]);
    let lost = watched(&line(steps(true)), history);
    let seen = &lost.last().expect("the end").seen;
    assert!(seen.before(0, 1) && !seen.happened_before(0, 1));
}

/// Two equal messages, only one of which was sent after the call. The receiver has received one of them; only a FIFO channel determines
/// which.
#[test]
fn equal_messages_may_have_different_pasts() {
    for (unordered, ends) in [(false, 1), (true, 2)] {
        let steps = vec![
            sends(1, unordered),
            calls(sends(1, unordered), 7),
            gets(1, unordered, false),
            calls(alone(1), 8),
        ];
        let all = line(steps);
        let observed = watched(&all, Watch { history: true, ..Watch::default() });
        let at_end: Vec<_> = observed.iter().filter(|moment| moment.at == 4).collect();
        assert_eq!(at_end.len(), ends);
        assert!(at_end.iter().any(|moment| !moment.seen.happened_before(0, 1)));
    }
}

#[test]
fn the_longest_causal_chain() {
    let back = Effect::Sent { channel: channel(1, 0, false), message: message(2), bits: 1, counted: true };
    let mut answer = gets(1, false, false);
    answer.effects.push(back);
    let observed = watched(
        &line(vec![sends(1, false), sends(1, false), answer]),
        Watch { time: true, ..Watch::default() },
    );
    assert_eq!(observed.iter().map(|moment| moment.seen.time).collect::<Vec<_>>(), [0, 1, 1, 2]);
}

/// Processes 0 and 1 can move. The round is over when 0 has moved and 1 has moved, or has been disabled.
#[test]
fn a_round_of_moves_ends_when_all_have_moved_or_are_disabled() {
    for last in [alone(1), alone(0)] {
        let mut all = Graph { moves: true, ..graph(4) };
        all.step(0, vec![alone(0)], 1);
        all.step(0, vec![alone(1)], 0);
        all.step(1, vec![alone(0)], 1);
        all.step(1, vec![alone(1)], 1);
        all.step(1, vec![last], 2);
        let watch = Watch { counts: [Count::Rounds].into(), most: Some(3), ..Watch::default() };
        let rounds = watched(&all, watch).into_iter().filter(|moment| moment.at == 2);
        let rounds: Vec<u64> = rounds.map(|moment| moment.seen.counts[&Count::Rounds]).collect();
        assert_eq!((rounds.iter().min(), rounds.iter().max()), (Some(&1), Some(&4)));
    }
}

#[test]
fn the_cost_of_a_cycle() {
    let count = Count::Messages(Vec::new());
    let messages = |moment: &Moment<i64>| moment.seen.counts[&count];
    let watch = Watch { counts: [count.clone()].into(), ..Watch::default() };
    let decide = |all: &Drawn, compare, limits: &[i64]| {
        let same = limits.iter().all(|limit| *limit == limits[0]);
        let limits: Vec<_> = limits.iter().copied().map(Ok).collect();
        measured(all, watch.clone(), &messages, (compare, &limits, same), 1000)
    };
    // Each iteration of the cycle sends one message, and the run may end.
    let mut all = graph(2);
    all.step(0, vec![sends(1, false)], 0);
    all.step(0, vec![alone(1)], 1);
    assert_eq!(decide(&all, Compare::LessEqual, &[5, 5]), Verdict::Violated);
    assert_eq!(decide(&all, Compare::GreaterEqual, &[0, 0]), Verdict::Holds);
    assert_eq!(decide(&all, Compare::GreaterEqual, &[1, 1]), Verdict::Violated);
    // Without an end, the run still exceeds a constant limit; other limits apply at ends only.
    all.steps[0].pop();
    assert_eq!(decide(&all, Compare::Less, &[5, 5]), Verdict::Violated);
    assert_eq!(decide(&all, Compare::Less, &[5, 6]), Verdict::Holds);
    let two = line(vec![sends(1, false), sends(2, false)]);
    assert_eq!(decide(&two, Compare::Equal, &[2, 2, 2]), Verdict::Holds);
    assert_eq!(decide(&two, Compare::Equal, &[3, 3, 3]), Verdict::Violated);
    assert_eq!(decide(&two, Compare::LessEqual, &[0, 0, 2]), Verdict::Holds);
    assert_eq!(decide(&two, Compare::LessEqual, &[1, 1, 1]), Verdict::Violated);
}

#[test]
fn outcomes_of_runs() {
    use Standing::*;
    for (processes, untaken, may_restart, expected) in [
        (vec![Halted, Down], vec![], false, Outcome::Terminated),
        (vec![Halted, WaitsForInput], vec![], false, Outcome::Quiescent),
        (vec![Halted, Idle], vec![], false, Outcome::Quiescent),
        (vec![Halted, WaitsForInput], vec![0], false, Outcome::Stuck),
        (vec![WaitsInVain, Halted], vec![], false, Outcome::Stuck),
        (vec![WaitsInVain, Down], vec![], false, Outcome::Blocked),
        (vec![WaitsForInput, Down], vec![0], false, Outcome::Blocked),
        (vec![WaitsInVain, Down, Idle], vec![2], false, Outcome::Stuck),
        (vec![WaitsInVain, Down, Halted], vec![2], true, Outcome::Stuck),
        (vec![WaitsInVain, Down, Idle], vec![2], true, Outcome::Quiescent),
    ] {
        assert_eq!(outcome_by(&processes, &untaken, may_restart), expected, "{processes:?}");
    }
}
