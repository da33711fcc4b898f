//! Measurements: plans, templates of topologies, statistics, fitted growth, the search for the worst case.

use std::collections::BTreeSet;
use synod::internals::ir::Shape as NetworkShape;
use synod::internals::measure::adversary::{CHAINS, Candidate, CandidateResult};
use synod::internals::measure::plan::{arrangements, quoted, sizes};
use synod::internals::measure::statistics::student;
use synod::internals::measure::template::{fill, template_for};
use synod::internals::measure::{Fit, MeasurePlan, Search, Shape, Statistics, Worst};
use synod::internals::network::Spec;
use synod::internals::simulate::Schedule;

#[test]
fn sizes_are_parsed() {
    assert_eq!(sizes("4..64"), Ok(vec![4, 8, 16, 32, 64]));
    assert_eq!(sizes("3..20"), Ok(vec![3, 6, 12]));
    assert_eq!(sizes("4..16:4"), Ok(vec![4, 8, 12, 16]));
    assert_eq!(sizes("100,4,8,4"), Ok(vec![4, 8, 100]));
    assert_eq!(sizes("1..2, 2^10"), Ok(vec![1, 2, 1024]));
    for wrong in ["", "x", "0", "4..", "8..4", "4..8:0", "1..2000000000:1", "-3", "2^64", "5000000000"] {
        assert!(sizes(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn ids_are_names_or_one_list() {
    assert_eq!(arrangements("random, worst,random"), Ok(vec!["random".to_string(), "worst".into()]));
    assert_eq!(arrangements("[3, 1, 2]"), Ok(vec!["3,1,2".to_string()]));
    assert!(arrangements("random,3").is_err() && arrangements("best").is_err());
}

#[test]
fn tasks_enumerate_all_runs() {
    let plan = MeasurePlan {
        file: "x".into(),
        sizes: vec![4, 8],
        on: "ring({n})".into(),
        ids: vec!["random".into(), "worst".into()],
        first_seed: 5,
        runs: 3,
        schedule: "random".into(),
        max_steps: None,
        properties: Vec::new(),
        flags: Vec::new(),
    };
    let all: Vec<(usize, usize, u64)> = (0..plan.total())
        .map(|number| plan.task(number))
        .map(|task| (task.size, task.ids, task.seed))
        .collect();
    let expected: Vec<(usize, usize, u64)> = (0..2)
        .flat_map(|size| (0..2).flat_map(move |ids| (5..8).map(move |seed| (size, ids, seed))))
        .collect();
    assert_eq!(all, expected);
    let again = plan.reproducing_command(&plan.task(11)).unwrap();
    let again: Vec<String> = again.iter().map(|word| quoted(word)).collect();
    assert_eq!(again.join(" "), "synod run x --on 'ring(8)' --ids worst --schedule random --seed 7");
}

#[test]
fn placeholders_are_arithmetic() {
    assert_eq!(fill("torus({n},{n})", 5), Ok("torus(5,5)".into()));
    assert_eq!(
        fill("random({n}, {min(3 * n / 2, n*(n-1)/2)}, seed: 1)", 8).unwrap(),
        "random(8, 12, seed: 1)"
    );
    assert_eq!(fill("hypercube({log2(n)})", 9), Ok("hypercube(3)".into()));
    assert_eq!(fill("mesh({side(n)}, {n / side(n)})", 12), Ok("mesh(3, 4)".into()));
    assert_eq!(fill("petersen", 9), Ok("petersen".into()));
    for wrong in ["ring({})", "ring({n)", "ring({m})", "ring({n n})", "ring({n/(n-4)})", "ring({log2(n-4)})"]
    {
        assert!(fill(wrong, 4).is_err(), "{wrong}");
    }
    assert!(fill(&format!("ring({{{}n}})", "(".repeat(100_000)), 4).is_err());
    assert!(fill("ring({9223372036854775807 * n})", 4).is_err());
}

#[test]
fn each_shape_has_networks_of_the_requested_size() {
    use NetworkShape::*;
    for shape in [Ring, Line, Star, Tree, Complete, Mesh, Torus, Hypercube, Connected] {
        for n in [1, 2, 4, 8, 16, 64, 128] {
            let topology = fill(template_for(Some(shape)), n).unwrap();
            assert_eq!(Spec::parse(&topology).unwrap().n(), n, "{topology}");
        }
    }
}

#[test]
fn statistics_of_known_numbers() {
    let spread = Statistics::of(vec![4, 2, 9, 5]).unwrap();
    assert_eq!((spread.least, spread.median, spread.greatest, spread.mean), (2, 4.5, 9, 5.0));
    // s = 2.9439, t(3) = 3.182, √4 = 2
    assert!((spread.margin.unwrap() - 4.684).abs() < 0.001);
    let one = Statistics::of(vec![7]).unwrap();
    assert_eq!((one.median, one.margin), (7.0, None));
    assert_eq!(Statistics::of(vec![3; 9]).unwrap().margin, Some(0.0));
    assert_eq!(Statistics::of(Vec::new()), None);
}

#[test]
fn the_expansion_of_the_t_distribution_joins_its_table() {
    assert!((student(31) - 2.0395).abs() < 0.001);
    assert!((student(60) - 2.0003).abs() < 0.001);
    assert!((student(1000) - 1.9623).abs() < 0.001);
}

fn fitted(f: impl Fn(f64) -> f64) -> Fit {
    let points: Vec<(u32, f64)> = (2..13).map(|k| (1 << k, f(f64::from(1 << k)))).collect();
    Fit::of(&points).unwrap()
}

#[test]
fn exact_formulas_are_recognised() {
    for (shape, fit) in [
        (Shape::Constant, fitted(|_| 3.0)),
        (Shape::Constant, fitted(|_| 0.0)),
        (Shape::Logarithm, fitted(|n| n.log2() + 7.0)),
        (Shape::Linear, fitted(|n| 3.0 * n - 2.0)),
        (Shape::Linearithmic, fitted(|n| 2.0 * n * n.log2() + 3.0 * n)),
        (Shape::Square, fitted(|n| n * (n + 1.0) / 2.0 + n)),
    ] {
        assert_eq!(fit.best, shape, "{fit:#?}");
        assert!(fit.best().error < 1e-6, "{fit:#?}");
    }
    let square = fitted(|n| n * (n + 1.0) / 2.0 + n);
    assert!((square.best().coefficient - 0.5).abs() < 1e-6 && (square.best().below - 1.5).abs() < 1e-6);
}

#[test]
fn noisy_data_yield_the_nearest_shape() {
    // Chang and Roberts on average: n times the n-th harmonic number, and n for the announcement.
    let harmonic = |n: f64| (1..=n as u64).map(|k| 1.0 / k as f64).sum::<f64>();
    assert_eq!(fitted(|n| n * harmonic(n) + n).best, Shape::Linearithmic);
    // Noise of two per cent that no shape follows.
    let noise = |n: f64| 1.0 + 0.02 * ((n * 12.9898).sin() * 43758.547).fract();
    assert_eq!(fitted(|n| 5.0 * n * noise(n)).best, Shape::Linear);
    assert_eq!(fitted(|n| 40.0 * noise(n)).best, Shape::Constant);
    assert_eq!(fitted(|n| n * n * noise(n)).best, Shape::Square);
}

#[test]
fn too_few_sizes_yield_no_fit() {
    assert_eq!(Fit::of(&[(4, 1.0), (8, 2.0), (16, 3.0)]), None);
    assert_eq!(Fit::of(&[(4, 1.0), (4, 2.0), (4, 3.0), (4, 3.0)]), None);
    assert_eq!(Fit::of(&[(4, 1.0), (5, 2.0), (6, 3.0), (7, 3.0)]), None);
    assert!(Fit::of(&[(1, 1.0), (2, 2.0), (4, 3.0), (8, 4.0)]).is_some());
}

#[test]
fn an_absent_leading_term_is_implausible() {
    let fit = fitted(|n| n);
    let runner_up = fit.runner_up().map(|model| model.shape);
    assert_eq!((fit.best, runner_up), (Shape::Linear, Some(Shape::Logarithm)));
}

fn search(starts: Vec<Vec<i64>>, budget: u64) -> Search {
    Search { starts, schedules: Schedule::ALL.to_vec(), seed: 1, budget, gives_up: false }
}

fn searched(search: &Search, mut run: impl FnMut(&Candidate) -> CandidateResult) -> Worst {
    (0..CHAINS).map(|chain| search.chain(chain, &mut run)).reduce(Worst::join).unwrap()
}

/// Maximizing inversions yields the descending order, from any start.
#[test]
fn hill_climbing_finds_the_maximum() {
    let start: Vec<i64> = (1..=9).collect();
    let worst = searched(&search(vec![start], 4000), |candidate| {
        let ids = candidate.ids.as_ref().unwrap();
        let pairs = (0..ids.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        CandidateResult::Cost(pairs.filter(|(a, b)| ids[*a] > ids[*b]).count() as u64)
    });
    let (candidate, cost) = worst.found.unwrap();
    assert_eq!((cost, worst.runs, worst.complete), (36, 4000, true));
    assert_eq!(candidate.ids.unwrap(), (1..=9).rev().collect::<Vec<i64>>());
}

#[test]
fn the_budget_of_a_search_is_never_exceeded() {
    for budget in [1, 2, 3, 5, 17] {
        let mut runs = 0;
        let worst = searched(&search(Vec::new(), budget), |_| {
            runs += 1;
            if runs % 2 == 0 { CandidateResult::Unfinished } else { CandidateResult::Cost(0) }
        });
        assert_eq!((runs, worst.runs, worst.unfinished), (budget, budget, budget / 2));
    }
    let nothing = searched(&search(vec![vec![1]], 50), |_| CandidateResult::Unfinished);
    assert_eq!((nothing.found, nothing.unfinished), (None, 50));
    let worst = searched(&search(vec![vec![2, 1]], 50), |_| CandidateResult::Interrupted);
    assert!(!worst.complete && worst.runs == 0);
}

#[test]
fn a_search_gives_up_if_no_run_ends() {
    let search = Search { gives_up: true, ..search(vec![vec![2, 1, 3]], 100) };
    let mut schedules = BTreeSet::new();
    let worst = searched(&search, |candidate| {
        schedules.insert(candidate.schedule.as_str());
        CandidateResult::Unfinished
    });
    assert_eq!((worst.runs, worst.unfinished, worst.not_made), (12, 12, 88));
    assert!(worst.complete && worst.found.is_none());
    assert_eq!(schedules.len(), Schedule::ALL.len());
    // A run that ends keeps the search going.
    let mut runs = 0;
    let worst = searched(&search, |_| {
        runs += 1;
        if runs == 3 { CandidateResult::Cost(7) } else { CandidateResult::Unfinished }
    });
    assert_eq!((worst.runs, worst.not_made), (25 + 9, 66));
}
