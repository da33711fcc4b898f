//! Random programs over the whole grammar: Synod against itself under other options, against the specification, against the explicit
//! graph of its own steps, and against replays of every counterexample.
//!
//! A fixed batch is an ordinary test. A long run prints a table of its coverage at the end:
//!
//! ```console
//! $ SYNOD_RANDOM_SECONDS=3600 cargo test --test reference -- --ignored --nocapture long_run
//! ```
//!
//! `SYNOD_RANDOM_SEED=7 … one_program` prints one program, and its findings. With `SYNOD_RANDOM_TRACE=1` a long run prints each seed before
//! it examines the program, which identifies a program that does not terminate. With `SYNOD_RANDOM_SWITCH=FromEach` it skips programs that
//! do not use this switch. A program that needs more memory than `SYNOD_RANDOM_MEMORY` megabytes is skipped by name. With
//! `SYNOD_RANDOM_FIRST=1` no program is begun after a finding, and all those before it are examined: `tests/reference/mutants.sh` counts them.

mod compare;
mod coverage;
mod dice;
mod examine;
mod expressions;
mod generate;
mod graph;
#[allow(dead_code, reason = "the sweeps use the rest")]
#[path = "../../sweeps/explore/naive.rs"]
mod naive;
mod print;
mod replay;
mod runs;
mod shrink;
mod specified;
mod switches;
mod tree;

use crate::memory;
use coverage::Coverage;
use examine::{Examined, Finding, catch_panics, examine, now};
use print::Case;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of programs in the fixed batch: about a minute on two idle cores.
const BATCH: u64 = 800;

/// Keys of findings with known causes, which the tests ignore until the causes are fixed.
const KNOWN: &[&str] = &[];

/// The time limit for shrinking one program, in milliseconds, unless `SYNOD_RANDOM_SHRINK` gives another.
const SHRINKING: u64 = 60_000;

/// The findings in many programs, by key: the frequency, and the first program that showed each.
#[derive(Default)]
struct Found(BTreeMap<String, (u64, u64, Case, Finding)>);

impl Found {
    fn add(&mut self, seed: u64, case: &Case, findings: &[Finding]) {
        for finding in findings.iter().filter(|f| !KNOWN.contains(&f.key.as_str())) {
            if !self.0.contains_key(&finding.key) {
                println!("seed {seed}: {}: {}", finding.key, finding.message);
            }
            let entry = self.0.entry(finding.key.clone());
            let entry = entry.or_insert_with(|| (0, seed, case.clone(), finding.clone()));
            entry.0 += 1;
            // Threads finish in any order.
            if seed < entry.1 {
                (entry.1, entry.2, entry.3) = (seed, case.clone(), finding.clone());
            }
        }
    }

    /// Return a report of each finding with its smallest program.
    fn report(&self) -> String {
        let mut all = vec![];
        let most = setting("SYNOD_RANDOM_SHRINK").unwrap_or(SHRINKING);
        for (key, (count, seed, case, finding)) in &self.0 {
            let smallest = shrink::shrink(case.clone(), most, &|case| has(&examine(case, Some(key)), key));
            let message = examine(&smallest, Some(key)).findings.into_iter().find(|f| f.key == *key);
            let message = message.map_or(finding.message.clone(), |f| f.message);
            all.push(format!(
                "==== {key} ({count} times, first with seed {seed})\n{message}\n{}",
                smallest.shown()
            ));
        }
        all.join("\n\n")
    }
}

fn has(examined: &Examined, key: &str) -> bool {
    examined.findings.iter().any(|f| f.key == key)
}

fn setting(name: &str) -> Option<u64> {
    #[allow(clippy::disallowed_methods, reason = "the environment configures the test")]
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

/// The number of programs that are examined at the same time.
const THREADS: usize = 2;

/// The memory that the examination of a program may use, in megabytes, unless `SYNOD_RANDOM_MEMORY` gives another limit. A program that
/// needs more is skipped by name.
const MEMORY: u64 = 4_000;

/// Examine programs from a seed on, as long as `more` returns true for the number of programs begun.
fn examine_all(first: u64, more: impl Fn(u64) -> bool + Sync) -> (Coverage, Found, Vec<String>) {
    catch_panics();
    #[allow(clippy::disallowed_methods, reason = "the environment configures the test")]
    let only = std::env::var("SYNOD_RANDOM_SWITCH").ok();
    let stops_at_a_finding = setting("SYNOD_RANDOM_FIRST").is_some();
    let (begun, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let results = Mutex::new((Coverage::default(), Found::default(), vec![]));
    let one = |seed: u64| {
        let (case, used) = generate::generate(seed);
        if only.as_ref().is_some_and(|only| used.all().all(|switch| format!("{switch:?}") != *only)) {
            return;
        }
        if setting("SYNOD_RANDOM_TRACE").is_some() {
            println!("seed {seed}");
        }
        memory::begin();
        let mut examined = examine(&case, None);
        if memory::is_exhausted() {
            // With several threads, another program may be the cause.
            println!("seed {seed}: skipped, because the limit of memory was reached");
            examined = Examined { is_skipped: true, ..Examined::default() };
        }
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        let (coverage, found, refused) = &mut *results;
        refused.extend(examined.refused.iter().map(|why| format!("seed {seed}: {why}")));
        coverage.add(&used, &examined);
        found.add(seed, &case, &examined.findings);
        is_stopped.store(stops_at_a_finding && !found.0.is_empty(), Ordering::Relaxed);
    };
    let threads = setting("SYNOD_RANDOM_THREADS").map_or(THREADS, |threads| threads as usize);
    let most = setting("SYNOD_RANDOM_MEMORY").unwrap_or(MEMORY) * 1_000_000;
    let is_over = AtomicBool::new(false);
    let worker = || {
        let numbers = std::iter::repeat_with(|| begun.fetch_add(1, Ordering::Relaxed));
        numbers
            .take_while(|number| more(*number) && !is_stopped.load(Ordering::Relaxed))
            .for_each(|number| one(first + number));
    };
    std::thread::scope(|scope| {
        scope.spawn(|| memory::watch(most, &is_over));
        std::thread::scope(|scope| {
            (0..threads).for_each(|_| drop(scope.spawn(worker)));
        });
        is_over.store(true, Ordering::Relaxed);
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn fixed_batch() {
    let first = setting("SYNOD_RANDOM_SEED").unwrap_or(0);
    let programs = setting("SYNOD_RANDOM_PROGRAMS").unwrap_or(BATCH);
    let (coverage, found, refused) = examine_all(first, |begun| begun < programs);
    println!("{}", coverage.summary());
    assert!(found.0.is_empty(), "{}", found.report());
    assert!(coverage.accepted() >= 0.95, "refused: {:#?}", &refused[..refused.len().min(5)]);
    assert!(4 * coverage.specified() > coverage.programs(), "{}", coverage.summary());
    // The batch is meaningful only if most programs are explored completely, and reductions have an effect.
    assert!(2 * coverage.complete() > coverage.programs(), "{}", coverage.summary());
    for reduction in ["symmetry", "partial order", "view", "violated", "aborts", "deadlocks"] {
        assert!(coverage.total(reduction) > 0, "{reduction}: {}", coverage.summary());
    }
}

#[test]
#[ignore = "runs for SYNOD_RANDOM_SECONDS"]
fn long_run() {
    let seconds = setting("SYNOD_RANDOM_SECONDS").unwrap_or(600);
    let first = setting("SYNOD_RANDOM_SEED").unwrap_or(1_000_000);
    let end = now() + 1000 * seconds;
    let (coverage, found, refused) = examine_all(first, |_| now() < end);
    println!("{}\n", coverage.table());
    refused.iter().take(5).for_each(|why| println!("refused: {why}"));
    assert!(found.0.is_empty(), "{}", found.report());
}

#[test]
#[ignore = "prints the program of SYNOD_RANDOM_SEED"]
fn one_program() {
    catch_panics();
    let (case, used) = generate::generate(setting("SYNOD_RANDOM_SEED").unwrap_or(0));
    println!("{}\n{:?}", case.shown(), used.all().collect::<Vec<_>>());
    println!("{:#?}", examine(&case, None));
    match examine::instance(&case) {
        Ok(instance) => println!("{}", compare::summary(&instance)),
        Err(why) => println!("refused: {why}"),
    }
}

/// The generator alone: print the reasons for which Synod refuses programs.
#[test]
#[ignore = "prints why programs are refused, from SYNOD_RANDOM_SEED on"]
fn refused_programs() {
    catch_panics();
    let first = setting("SYNOD_RANDOM_SEED").unwrap_or(0);
    let mut reasons: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for seed in first..first + 1000 {
        let (case, _) = generate::generate(seed);
        if let Err(why) = examine::instance(&case) {
            let kind = why.split('`').next().unwrap_or("").to_string();
            reasons.entry(kind).or_insert_with(|| (0, format!("seed {seed}: {why}"))).0 += 1;
        }
    }
    let total: u64 = reasons.values().map(|(count, _)| count).sum();
    println!("{total} of 1000 refused");
    let mut reasons: Vec<_> = reasons.into_values().collect();
    reasons.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    reasons.iter().for_each(|(count, why)| println!("{count:>4}  {why}"));
}
