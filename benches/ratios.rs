//! Synod beside hand-written simulators, in turn in one run, as a Markdown table of ratios.
//!
//!     cargo bench --bench ratios [-- 1000 10000 chang order]
//!
//! Words choose algorithms and schedules by a part of their names. Each algorithm has a greatest size; larger ones are left out.

#![allow(clippy::disallowed_methods, reason = "benchmarks measure time")]

mod common;

use std::time::Instant;

/// Pairs of runs for each row; the median of their ratios counts.
const ROUNDS: usize = 5;

/// Minimum number of messages or moves in a measurement.
const COUNT_MIN: u64 = 1_500_000;

fn seconds(f: impl FnOnce() -> u64) -> (f64, u64) {
    let begun = Instant::now();
    let messages = f();
    (begun.elapsed().as_secs_f64(), messages)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let mut sizes: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000, 100_000, 1_000_000];
    }
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a.parse::<u32>().is_err() && !a.starts_with('-'))
        .map(|word| word.to_lowercase())
        .collect();
    println!("| Algorithm | Schedule | n | messages or moves | Synod, M/s | by hand, M/s | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for pair in &common::PAIRS {
        let program = common::program(pair.library);
        for (schedule, random) in pair.model.schedules() {
            let name = format!("{} {schedule}", pair.label).to_lowercase();
            if !words.iter().all(|word| name.contains(word.as_str())) {
                continue;
            }
            for n in sizes.iter().filter(|n| **n <= pair.n_max) {
                row(&common::Case::new(pair, &program, common::limit::ids(*n, 1)), schedule, *random);
            }
        }
    }
}

/// Measure one pair on one network, and print the row.
fn row(case: &common::Case, schedule: &str, random: bool) {
    // Short runs are repeated in one measurement.
    let repeat = (COUNT_MIN / case.run(random.then_some(1)).max(1)).max(1);
    let (mut ours, mut theirs, mut ratios, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for round in 0..ROUNDS as u64 {
        let seed = random.then_some(round + 1);
        let (a, m) = seconds(|| (0..repeat).map(|_| case.run(seed)).sum());
        let (b, k) = seconds(|| (0..repeat).map(|_| case.by_hand(seed)).sum());
        let (a, b) = (m as f64 / a / 1e6, k as f64 / b / 1e6);
        ours.push(a);
        theirs.push(b);
        ratios.push(a / b);
        count = m / repeat;
    }
    println!(
        "| {} | {schedule} | {} | {count} | {:.1} | {:.1} | 1/{:.1} |",
        case.pair.label,
        case.instance.n(),
        median(ours),
        median(theirs),
        1.0 / median(ratios),
    );
}
