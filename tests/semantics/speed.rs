//! How fast the simulator is: `cargo test --release --test semantics speed -- --ignored --nocapture`.

use crate::build::*;
use std::time::Instant;
use synod::simulate::{Options, Outcome, Schedule, Unobserved, simulate};

#[test]
#[ignore = "prints speeds; run it in a release build"]
fn speed() {
    for (name, program) in [("cr", chang_roberts(true)), ("dkr", dolev_klawe_rodeh())] {
        for n in [1_000u32, 10_000, 100_000, 1_000_000] {
            // `SPEED=cr-1000` for one of them, to profile it.
            let wanted = std::env::var("SPEED").ok();
            if wanted.is_some_and(|wanted| wanted != format!("{name}-{n}")) {
                continue;
            }
            let ids = synod::network::IdsSpec::Random.resolve(n, 1);
            let instance = ring(program.clone(), &ids);
            for schedule in [Schedule::Fifo, Schedule::Random] {
                let options = Options { schedule, seed: 1, max_steps: Some(u64::MAX), interrupt: None };
                let mut best = f64::MAX;
                let (mut messages, mut bytes) = (0, 0);
                let runs = std::env::var("SPEED_RUNS").ok().and_then(|r| r.parse().ok());
                for _ in 0..runs.unwrap_or((3_000_000 / n).clamp(2, 500)) {
                    let start = Instant::now();
                    let run = simulate(&instance, &options, &mut Unobserved);
                    best = best.min(start.elapsed().as_secs_f64());
                    assert_eq!(run.outcome, Outcome::Quiescent);
                    messages = run.metrics.messages();
                    bytes = run.configuration.bytes();
                }
                println!(
                    "{name:4} {schedule:?} {n}: {messages} messages, {:.1} M/s, {} B a process",
                    messages as f64 / best / 1e6,
                    bytes / n as usize
                );
            }
        }
    }
}
