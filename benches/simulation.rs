//! Criterion: one run, nobody watching, beside the hand-written simulator.
//!
//!     cargo bench --bench simulation

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn simulation(c: &mut Criterion) {
    for pair in &common::PAIRS {
        let program = common::program(pair.library);
        let mut group = c.benchmark_group(pair.library);
        group.sample_size(10);
        for (schedule, random) in pair.model.schedules() {
            let (schedule, seed) = (schedule.replace(' ', "-"), random.then_some(1));
            for n in [1_000u32, 10_000, 100_000, 1_000_000].into_iter().filter(|n| *n <= pair.n_max) {
                let case = common::Case::new(pair, &program, common::limit::ids(n, 1));
                group.throughput(Throughput::Elements(case.run(seed)));
                let synod = BenchmarkId::new(format!("synod/{schedule}"), n);
                group.bench_with_input(synod, &case, |b, case| b.iter(|| case.run(seed)));
                let limit = BenchmarkId::new(format!("by-hand/{schedule}"), n);
                group.bench_with_input(limit, &case, |b, case| b.iter(|| case.by_hand(seed)));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, simulation);
criterion_main!(benches);
