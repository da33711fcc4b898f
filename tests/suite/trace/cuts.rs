//! Cuts, their lattice and conditions on it: the exact instances of the coordination catalogue, §3.7, and brute force
//! over all orders of small histories.

use super::causality::{T1, T2, T3, T4, T5, T6, T7, T8, steps};
use std::collections::BTreeSet;
use std::convert::Infallible;
use synod::internals::ids::ProcessId;
use synod::internals::trace::causality::Step;
use synod::internals::trace::cut::Cut;
use synod::internals::trace::detect::{
    LocalTruth, common_cut, definitely, definitely_conjunctive, possibly, possibly_conjunctive,
};
use synod::internals::trace::histories::Histories;
use synod::internals::trace::order::Order;
use synod::internals::trace::vector_clocks::VectorClocks;

const MANY: u64 = 1_000_000;

fn histories(text: &str) -> Histories {
    let (processes, steps, _) = steps(text);
    Histories::of_steps(processes, &steps)
}

/// A generator with a fixed definition: tests are the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Return a random history: events that send, receive a message in transit, or do neither, and interactions.
fn random(dice: &mut Dice, interactions: bool) -> Histories {
    let processes = 1 + dice.below(4);
    let mut under_way: Vec<(ProcessId, u64)> = Vec::new();
    let (mut steps, mut next) = (Vec::new(), 0);
    for _ in 0..dice.below(9) {
        let p = ProcessId(dice.below(processes) as u32);
        let mut step = Step { process: p, ..Step::default() };
        if dice.below(2) == 0 {
            let here = under_way.iter().position(|(to, _)| *to == p);
            step.received.extend(here.map(|at| under_way.swap_remove(at).1));
        }
        if dice.below(2) == 0 {
            under_way.push((ProcessId(dice.below(processes) as u32), next));
            step.sent.push(next);
            next += 1;
        }
        if interactions && processes > 1 && dice.below(4) == 0 {
            step.with = Some(ProcessId((p.0 + 1 + dice.below(processes - 1) as u32) % processes as u32));
        }
        steps.push(step);
    }
    Histories::of_steps(processes, &steps)
}

/// Return all linearizations, by taking any event whose causes have occurred.
fn linearizations(histories: &Histories) -> Vec<Vec<usize>> {
    fn extend(histories: &Histories, order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        let events: Vec<usize> = histories.events().collect();
        if order.len() == events.len() {
            all.push(order.clone());
        }
        for event in events.iter().copied().filter(|e| !order.contains(e)).collect::<Vec<_>>() {
            if events.iter().all(|cause| !histories.precedes(*cause, event) || order.contains(cause)) {
                order.push(event);
                extend(histories, order, all);
                order.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(histories, &mut Vec::new(), &mut all);
    all
}

/// Return the cuts that a run passes through.
fn passed(histories: &Histories, order: &[usize]) -> Vec<Cut> {
    let mut cut = histories.bottom();
    let mut cuts = vec![cut.clone()];
    for event in order {
        cut = histories.with(&cut, *event);
        cuts.push(cut.clone());
    }
    cuts
}

/// Return the number of events inside a cut.
fn level(histories: &Histories, cut: &Cut) -> usize {
    histories.events().filter(|event| histories.contains(cut, *event)).count()
}

/// Return all vectors of counts.
fn every_cut(histories: &Histories) -> Vec<Cut> {
    let mut all = vec![Cut(Vec::new())];
    for most in histories.top().0 {
        let longer =
            |cut: &Cut| (0..=most).map(|count| Cut([&cut.0[..], &[count]].concat())).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[test]
fn the_lattices_of_the_catalogue() {
    let told =
        [("T1", T1), ("T2", T2), ("T3", T3), ("T4", T4), ("T5", T5), ("T6", T6), ("T7", T7), ("T8", T8)];
    let cases: [(u64, u64, &str, u64, u64); 8] = [
        (27, 11, "1 2 2 2 2 1 1", 90, 5),
        (20, 11, "1 1 1 2 2 2 1 1", 35, 4),
        (125, 44, "1 3 4 4 4 4 4 4 4 4 4 3 1", 34650, 1323),
        (27, 27, "1 3 6 7 6 3 1", 90, 90),
        (9, 7, "1 2 1 2 1", 6, 4),
        (27, 11, "1 1 2 2 2 2 1", 90, 5),
        (9, 9, "1 2 3 2 1", 6, 6),
        (12, 6, "1 1 1 1 1 1", 10, 1),
    ];
    for ((name, text), (cuts, consistent, levels, runs, linearizations)) in told.into_iter().zip(cases) {
        let histories = histories(text);
        let lattice = histories.lattice(MANY).unwrap();
        assert_eq!(histories.all_cuts(), cuts.into(), "{name}");
        assert_eq!(lattice.cuts, consistent.into(), "{name}");
        let by_level: Vec<String> = lattice.levels.unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(by_level.join(" "), levels, "{name}");
        assert_eq!(histories.runs(), Some(runs.into()), "{name}");
        assert_eq!(lattice.linearizations, linearizations.into(), "{name}");
    }
}

#[test]
fn cuts_of_the_catalogue() {
    let all = |text: &str| histories(text).levels().flatten().map(|cut| cut.to_string()).collect::<Vec<_>>();
    let t3 = histories(T3);
    for cut in [[2, 1, 0], [2, 2, 0], [3, 3, 1], [3, 3, 2], [2, 3, 2], [4, 3, 3], [3, 4, 4], [0, 1, 1]] {
        assert!(
            t3.is_consistent(&Cut(cut.to_vec())) && t3.crossings(&Cut(cut.to_vec())).is_empty(),
            "{cut:?}"
        );
    }
    for cut in [[1, 2, 0], [1, 3, 2], [3, 2, 2], [4, 4, 2], [4, 2, 3]] {
        let cut = Cut(cut.to_vec());
        assert!(!t3.is_consistent(&cut) && !t3.crossings(&cut).is_empty(), "{cut}");
    }
    // In (4, 2, 3), m2 is received but not sent; m3 has been sent inside.
    let crossing = t3.crossings(&Cut(vec![4, 2, 3]));
    assert_eq!(crossing.len(), 1);
    assert_eq!(t3.places(crossing[0].outside), [(ProcessId(1), 3)]);
    assert_eq!(t3.places(crossing[0].inside), [(ProcessId(2), 2)]);
    let t5: BTreeSet<String> = all(T5).into_iter().collect();
    let t5_all =
        every_cut(&histories(T5)).into_iter().filter(|cut| ![vec![2, 0], vec![0, 2]].contains(&cut.0));
    assert_eq!(t5, t5_all.map(|cut| cut.to_string()).collect());
    let t2 = "(0, 0) (1, 0) (2, 0) (2, 1) (3, 0) (2, 2) (3, 1) (2, 3) (3, 2) (3, 3) (4, 3)";
    assert_eq!(all(T2).join(" "), t2);
}

#[test]
fn conditions_of_the_catalogue() {
    let t2 = histories(T2);
    let x1 = [0i64, 1, 100, 105, 90];
    let x2 = [0i64, 100, 95, 90];
    type Condition = fn(i64, i64) -> bool;
    let cases: [(Condition, &str, bool); 6] = [
        (|a, b| (a - b).abs() > 50, "(2, 0) (3, 0)", true),
        (|a, b| a - b == 10, "(2, 3) (3, 2)", true),
        (|a, b| a - b == 15, "(3, 3)", true),
        (|a, b| a == 105 && b == 90, "(3, 3)", true),
        (|a, b| a == 100 && b == 90, "(2, 3)", false),
        (|a, b| a == b, "(0, 0) (2, 1) (4, 3)", true),
    ];
    for (number, (condition, cuts, definite)) in cases.into_iter().enumerate() {
        let mut holds =
            |cut: &Cut| Ok::<bool, Infallible>(condition(x1[cut.0[0] as usize], x2[cut.0[1] as usize]));
        let all: Vec<Cut> = t2.levels().flatten().filter(|cut| holds(cut).unwrap()).collect();
        let shown: BTreeSet<&Cut> = all.iter().collect();
        let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
        assert_eq!(shown.join(" "), cuts, "{number}");
        assert!(all.contains(&possibly(&t2, MANY, &mut holds).unwrap().cut.unwrap()));
        let found = definitely(&t2, MANY, &mut holds).unwrap();
        assert_eq!(found.avoiding.is_none(), definite, "{number}");
    }
    // The conjunctions again, by intervals.
    for (b, definite, cut) in [(105, true, "(3, 3)"), (100, false, "(2, 3)")] {
        let truth: &LocalTruth =
            &[Some(x1.iter().map(|x| *x == b).collect()), Some(x2.iter().map(|x| *x == 90).collect())];
        let intervals = possibly_conjunctive(&t2, truth).intervals.unwrap();
        assert_eq!(common_cut(&t2, &intervals).to_string(), cut);
        assert_eq!(definitely_conjunctive(&t2, truth).intervals.is_some(), definite);
    }
}

#[test]
fn random_histories_agree_with_all_linearizations() {
    let mut dice = Dice(1);
    for round in 0..600 {
        let interactions = round % 3 == 0;
        let histories = random(&mut dice, interactions);
        let orders = linearizations(&histories);
        let passed: Vec<Vec<Cut>> = orders.iter().map(|order| passed(&histories, order)).collect();
        let consistent: BTreeSet<Cut> = passed.iter().flatten().cloned().collect();
        let lattice = histories.lattice(MANY).unwrap();
        assert_eq!(lattice.linearizations, orders.len().into(), "{histories:?}");
        assert_eq!(lattice.cuts, consistent.len().into(), "{histories:?}");
        let levels: Vec<BTreeSet<Cut>> = histories.levels().collect();
        let sizes: Vec<_> = levels.iter().map(|level| level.len().into()).collect();
        assert_eq!(lattice.levels, Some(sizes), "{histories:?}");
        assert_eq!(levels.into_iter().flatten().collect::<BTreeSet<_>>(), consistent);
        assert_eq!(lattice.width, widest(&histories), "{histories:?}");
        let listed: Vec<Vec<usize>> = histories.linearizations().collect();
        assert_eq!(listed.len(), orders.len(), "{histories:?}");
        assert_eq!(listed.iter().collect::<BTreeSet<_>>(), orders.iter().collect(), "{histories:?}");
        // With a table of vector times, and without.
        let (mut table, mut search) = (VectorClocks::new(&histories), VectorClocks::within(&histories, 0));
        for (a, b) in (0..histories.recorded()).flat_map(|a| (0..histories.recorded()).map(move |b| (a, b))) {
            let must = orders.iter().all(|order| {
                let place = |event: usize| order.iter().position(|e| *e == event);
                place(a) < place(b)
            });
            assert_eq!(table.precedes(a, b), must, "{histories:?} {a} {b}");
            assert_eq!(search.precedes(a, b), must, "{histories:?} {a} {b}");
        }
        for cut in every_cut(&histories) {
            let is_consistent = consistent.contains(&cut);
            assert_eq!(histories.crossings(&cut).is_empty(), is_consistent, "{histories:?} {cut}");
            assert_eq!(histories.is_consistent(&cut), is_consistent, "{histories:?} {cut}");
            let around = histories.least_around(&cut);
            let within = histories.greatest_within(&cut);
            let least = consistent.iter().filter(|c| c.includes(&cut)).min_by_key(|c| level(&histories, c));
            let greatest = consistent.iter().filter(|c| cut.includes(c)).max_by_key(|c| level(&histories, c));
            assert_eq!((Some(&around), Some(&within)), (least, greatest), "{histories:?} {cut}");
        }
        conditions(&mut dice, &histories, &passed, &consistent);
        ways(&mut dice, &histories, &passed, &consistent);
    }
}

/// Return the maximum number of pairwise concurrent events, by trying all sets.
fn widest(histories: &Histories) -> usize {
    let events: Vec<usize> = histories.events().collect();
    let ordered = |a: usize, b: usize| histories.precedes(a, b) || histories.precedes(b, a);
    let sets = (0u32..1 << events.len())
        .map(|bits| (0..events.len()).filter(|i| bits >> i & 1 == 1).map(|i| events[i]).collect::<Vec<_>>());
    let apart = |set: &Vec<usize>| set.iter().all(|a| set.iter().all(|b| !ordered(*a, *b)));
    sets.filter(apart).map(|set| set.len()).max().unwrap_or(0)
}

fn conditions(dice: &mut Dice, histories: &Histories, passed: &[Vec<Cut>], consistent: &BTreeSet<Cut>) {
    // Any condition.
    let sparse = 1 + dice.below(5);
    let chosen: BTreeSet<Cut> = consistent.iter().filter(|_| dice.below(sparse) == 0).cloned().collect();
    let mut holds = |cut: &Cut| Ok::<bool, Infallible>(chosen.contains(cut));
    let all = |set: &BTreeSet<Cut>| passed.iter().all(|cuts| cuts.iter().any(|cut| set.contains(cut)));
    let possible = possibly(histories, MANY, &mut holds).unwrap().cut;
    let fewest = chosen.iter().map(|cut| level(histories, cut)).min();
    assert_eq!(possible.as_ref().map(|cut| level(histories, cut)), fewest);
    assert!(possible.is_none_or(|cut| chosen.contains(&cut)));
    let found = definitely(histories, MANY, &mut holds).unwrap();
    assert_eq!(found.avoiding.is_none(), all(&chosen), "{histories:?} {chosen:?}");
    match found.avoiding {
        Some(order) => {
            assert_eq!(histories.classify(&order), Order::Linearization);
            assert!(self::passed(histories, &order).iter().all(|cut| !chosen.contains(cut)));
        }
        None => assert!(all(&found.met), "every run passes through one of the cuts met"),
    }
    // A conjunction; interactions are not supported by intervals.
    if histories.has_interactions() {
        return;
    }
    let truth: Vec<Option<Vec<bool>>> = (0..histories.n())
        .map(|p| {
            let states = histories.of_process(p).len() + 1;
            (dice.below(4) > 0).then(|| (0..states).map(|_| dice.below(3) > 0).collect())
        })
        .collect();
    let fulfils = |cut: &&Cut| {
        let mut parts = truth.iter().zip(&cut.0);
        parts.all(|(states, count)| states.as_ref().is_none_or(|states| states[*count as usize]))
    };
    let chosen: BTreeSet<Cut> = consistent.iter().filter(fulfils).cloned().collect();
    let found = possibly_conjunctive(histories, &truth).intervals;
    assert_eq!(found.is_some(), !chosen.is_empty(), "{histories:?} {truth:?}");
    if let Some(intervals) = found {
        let least = chosen.iter().min_by_key(|cut| level(histories, cut));
        assert_eq!(Some(&common_cut(histories, &intervals)), least, "{histories:?} {truth:?}");
    }
    let found = definitely_conjunctive(histories, &truth).intervals;
    assert_eq!(found.is_some(), all(&chosen), "{histories:?} {truth:?}");
}

fn ways(dice: &mut Dice, histories: &Histories, passed: &[Vec<Cut>], consistent: &BTreeSet<Cut>) {
    let list: Vec<&Cut> = consistent.iter().collect();
    let (from, to) = (list[dice.below(list.len())], list[dice.below(list.len())]);
    let place = |cuts: &[Cut], cut: &Cut| cuts.iter().position(|c| c == cut);
    let between: BTreeSet<Vec<Cut>> = passed
        .iter()
        .filter_map(|cuts| {
            let (a, b) = (place(cuts, from)?, place(cuts, to)?);
            (a <= b).then(|| cuts[a..=b].to_vec())
        })
        .collect();
    match histories.path(from, to) {
        Ok(_) => {
            let lattice = histories.lattice_between(from, to, MANY).unwrap();
            assert_eq!(lattice.linearizations, between.len().into(), "{histories:?} {from} {to}");
        }
        Err(_) => assert!(between.is_empty()),
    }
    assert_eq!(histories.classify(&histories.through(from)), Order::Linearization);
}

#[test]
fn orders_are_classified() {
    let t1 = histories(T1);
    let (_, _, names) = steps(T1);
    let judge = |order: &str| {
        let event = |name: &str| names.iter().position(|n| n == name).unwrap();
        t1.classify(&order.split(' ').map(event).collect::<Vec<_>>())
    };
    let e = |name: &str| names.iter().position(|n| n == name).unwrap();
    assert_eq!(judge("e a b c d f"), Order::Linearization);
    assert_eq!(judge("a c b d e f"), Order::Inconsistent(e("c"), e("b")));
    assert_eq!(judge("b a c d e f"), Order::AgainstProcess(e("b"), e("a")));
    assert_eq!(judge("a b c d e"), Order::Missing(e("f")));
    assert_eq!(judge("a b c d e e"), Order::Foreign(e("e")));
}

#[test]
fn large_histories_are_counted_in_parts() {
    // A token that circulates 2000 times, and 20 processes with one event of their own: (2000 + 20)! / 2000!.
    let token = (0..2000u64).map(|k| Step {
        process: ProcessId((k % 3) as u32),
        received: k.checked_sub(1).into_iter().collect(),
        sent: vec![k],
        ..Step::default()
    });
    let alone = (3..23).map(ProcessId).map(|process| Step { process, ..Step::default() });
    let steps: Vec<Step> = token.chain(alone).collect();
    let histories = Histories::of_steps(23, &steps);
    let lattice = histories.lattice(MANY).unwrap();
    let ways = (2001..=2020u32).map(num_bigint::BigUint::from).product::<num_bigint::BigUint>();
    assert_eq!(lattice.linearizations, ways);
    assert_eq!(lattice.cuts, (2001u64 << 20).into());
    assert_eq!((lattice.width, lattice.visited), (21, 4040));
    // If the history cannot be split, the limit is reported.
    let tangled: Vec<Step> = (0..24u64)
        .flat_map(|k| (0..8).map(move |p| (k, p)))
        .map(|(k, process)| {
            let message = |k: u64, p: u64| k * 8 + p % 8;
            Step {
                process: ProcessId(process),
                received: k.checked_sub(4).map(|k| message(k, u64::from(process) + 1)).into_iter().collect(),
                sent: vec![message(k, process.into())],
                ..Step::default()
            }
        })
        .collect();
    assert!(Histories::of_steps(8, &tangled).lattice(10_000).is_err());
}
