//! Criterion: one run, nobody watching, beside the hand-written simulator.
//!
//!     cargo bench --bench simulation

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn simulation(c: &mut Criterion) {
    for pair in common::PAIRS {
        let program = common::program(pair.library);
        let mut group = c.benchmark_group(pair.library);
        group.sample_size(10);
        for (schedule, seed) in [("send-order", None), ("random", Some(1))] {
            for n in [1_000u32, 10_000, 100_000, 1_000_000] {
                let ids = common::limit::ids(n, 1);
                let instance = common::instance(&program, &ids);
                group.throughput(Throughput::Elements(common::run(&instance, seed)));
                let synod = BenchmarkId::new(format!("synod/{schedule}"), n);
                group.bench_with_input(synod, &n, |b, _| b.iter(|| common::run(&instance, seed)));
                let limit = BenchmarkId::new(format!("by-hand/{schedule}"), n);
                group.bench_with_input(limit, &n, |b, _| b.iter(|| (pair.by_hand)(&ids, seed)));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, simulation);
criterion_main!(benches);
