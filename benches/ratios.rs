//! Synod beside hand-written simulators, in turn in one run, as a Markdown table of ratios.
//!
//!     cargo bench --bench ratios [-- 1000 10000 chang order]
//!
//! Words choose algorithms and schedules by a part of their names.

#![allow(clippy::disallowed_methods, reason = "benchmarks measure time")]

mod common;

use std::time::Instant;

/// Pairs of runs for each row; the median of their ratios counts.
const ROUNDS: usize = 5;

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
    println!("| Algorithm | Schedule | n | messages | Synod, M/s | by hand, M/s | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for pair in common::PAIRS {
        let program = common::program(pair.library);
        for random in [false, true] {
            let schedule = if random { "random channel" } else { "send order" };
            let name = format!("{} {schedule}", pair.label).to_lowercase();
            if !words.iter().all(|word| name.contains(word.as_str())) {
                continue;
            }
            for n in &sizes {
                let ids = common::limit::ids(*n, 1);
                let instance = common::instance(&program, &ids);
                // Small rings are run several times in one measurement.
                let repeat = (200_000 / u64::from(*n)).max(1);
                let (mut ours, mut theirs, mut ratios, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
                for round in 0..ROUNDS as u64 {
                    let seed = random.then_some(round + 1);
                    let (a, m) = seconds(|| (0..repeat).map(|_| common::run(&instance, seed)).sum());
                    let (b, k) = seconds(|| (0..repeat).map(|_| (pair.by_hand)(&ids, seed)).sum());
                    let (a, b) = (m as f64 / a / 1e6, k as f64 / b / 1e6);
                    ours.push(a);
                    theirs.push(b);
                    ratios.push(a / b);
                    count = m / repeat;
                }
                println!(
                    "| {} | {} | {n} | {count} | {:.1} | {:.1} | 1/{:.1} |",
                    pair.label,
                    schedule,
                    median(ours),
                    median(theirs),
                    1.0 / median(ratios),
                );
            }
        }
    }
}
