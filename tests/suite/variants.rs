//! Variants: an algorithm derived from another by replacing a clause or two, and its inherited parts.

use crate::common::*;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::ir::Program;
use synod::internals::scenario::play;
use synod::internals::simulate::Schedule;

/// Return a program of `examples/variants/`, which may be a variant of another one there.
fn example(name: &str) -> Arc<Program> {
    let find = |name: &str| {
        let path = format!("{}/examples/variants/{name}.syn", env!("CARGO_MANIFEST_DIR"));
        let beside = std::fs::read_to_string(&path).ok().map(|text| (path, text));
        beside.or_else(|| synod::internals::library::source(name))
    };
    let (path, text) = find(name).unwrap();
    let checked = check(&path, &text, &find);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert!(found.is_empty(), "{name}: {found:#?}");
    Arc::new(checked.program.unwrap())
}

#[test]
fn scenarios_of_the_variants_pass() {
    for name in ["lelann_by_variant", "lelann_overtaken", "chang_roberts_backwards"] {
        let program = example(name);
        for scenario in &program.scenarios {
            let played = play(&program, scenario, &Default::default(), &mut |_, _, _, _, _| {});
            let why: Vec<&str> = played.failures.iter().map(|f| f.message.as_str()).collect();
            assert!(played.passed(), "{name}, {}: {why:#?}", scenario.name);
        }
    }
}

#[test]
fn chang_and_roberts_turned_into_lelann_costs_n_messages_for_each_initiator() {
    let (variant, lelann, base) = (example("lelann_by_variant"), library("lelann"), library("chang_roberts"));
    for n in 1..=9u32 {
        let topology = format!("ring({n})");
        for seed in 1..=5 {
            let cost = |program| {
                let instance = on(program, &topology).random_ids(seed).build();
                run(&instance, Schedule::Fifo, seed).metrics.messages()
            };
            let n = u64::from(n);
            // In the order of sending, every process has woken before a message arrives.
            assert_eq!(cost(&variant), n * n);
            assert_eq!(cost(&lelann), n * n);
            assert!((2 * n - 1..=n * (n + 1) / 2).contains(&cost(&base)));
        }
    }
    for n in 1..=5u32 {
        for initiators in subsets(n) {
            let instance = on(&variant, &format!("ring({n})")).random_ids(7).initiators(&initiators).build();
            for (schedule, seed) in schedules(20) {
                let judged = judge(&instance, schedule, seed, 10_000);
                assert_eq!(
                    judged.findings(),
                    Vec::<String>::new(),
                    "{initiators:?} of {n}: {}",
                    judged.reasons()
                );
                // A process woken by a message before it starts spontaneously does not compete; the bound counts it.
                assert!(judged.run.metrics.messages() <= u64::from(n) * initiators.len() as u64);
            }
        }
    }
}

/// Return the violations that random runs on this ring show.
fn shown(program: &Arc<Program>, ids: &[i64]) -> Vec<String> {
    let instance = ring(program, ids);
    let mut found: Vec<String> = schedules(200)
        .flat_map(|(schedule, seed)| judge(&instance, schedule, seed, 10_000).findings())
        .collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn inherited_properties_catch_wrong_variants() {
    let backwards = shown(&example("chang_roberts_backwards"), &[3, 1, 4, 2]);
    assert!(backwards.contains(&"validity".to_string()), "{backwards:?}");
    let overtaken = shown(&example("lelann_overtaken"), &[2, 3, 1]);
    assert!(overtaken.contains(&"validity".to_string()), "{overtaken:?}");
    // With one process nothing can fail.
    assert_eq!(shown(&example("chang_roberts_backwards"), &[7]), Vec::<String>::new());
    assert_eq!(shown(&example("lelann_overtaken"), &[7]), Vec::<String>::new());
}

#[test]
fn unreplaced_clauses_are_inherited() {
    let (variant, base) = (example("lelann_by_variant"), library("chang_roberts"));
    let own = |program: &Program| {
        let own = program.properties.iter().filter(|p| !p.from_problem);
        own.map(|p| (p.name.clone(), program.sources.slice(p.span).to_string())).collect::<Vec<_>>()
    };
    let text =
        |program: &Program, name: &str| own(program).into_iter().find(|(n, _)| n == name).map(|(_, t)| t);
    assert_eq!(text(&variant, "at_least"), text(&base, "at_least"));
    assert_ne!(text(&variant, "at_most"), text(&base, "at_most"));
    assert!(variant.assumptions.written.iter().any(|(words, _)| words == "fifo"));
    // Scenarios assert figures of the algorithm that they were written for.
    assert!(!variant.scenarios.iter().any(|s| s.name == "mixed"));
}
