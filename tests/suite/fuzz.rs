//! Random well-formed programs: they check without errors, and their runs never panic. Runs may abort, deadlock, or reach the
//! step limit; the same seed gives the same run.

use crate::random_programs::Draw;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;
use synod::internals::network::Spec;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Schedule, SimulateOptions, Unobserved, simulate};

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn random_programs_run_without_panic(
        numbers in proptest::collection::vec(any::<u32>(), 20..200),
        n in 1u32..5,
        seed in any::<u64>(),
    ) {
        let text = Draw { numbers: &numbers, next: 0 }.program();
        let checked = synod::internals::check::check("random.syn", &text, &|_| None);
        let errors: Vec<String> = checked
            .diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(|d| format!("{}: {}", checked.sources.place(d.span), d.message()))
            .collect();
        prop_assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
        let program = Arc::new(checked.program.unwrap());
        let topology = Spec::parse(&format!("ring({n})")).unwrap();
        let instance = instantiate(&program, &InstanceOptions { topology: Some(topology), ..InstanceOptions::default() }).unwrap();
        for schedule in [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
            let options = SimulateOptions { schedule, seed, max_steps: Some(200), ..SimulateOptions::default() };
            let first = simulate(&instance, &options, &mut Unobserved);
            let again = simulate(&instance, &options, &mut Unobserved);
            prop_assert_eq!(first.outcome.as_str(), again.outcome.as_str());
            prop_assert_eq!(&first.configuration, &again.configuration);
            prop_assert_eq!(&first.metrics, &again.metrics);
        }
    }
}
