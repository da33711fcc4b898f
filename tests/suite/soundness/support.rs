//! One program on one network, explored under every combination of options.

use crate::common::on;
use std::path::Path;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{Exploration, ExploreOptions, SearchOrder, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Program};
use synod::internals::property::Judgement;

/// The checked program of `tests/suite/soundness/programs/NAME.syn`. Layers are found beside it, then in the library.
pub fn program(name: &str) -> Arc<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/soundness/programs");
    let read = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.syn"))).ok();
    let text = read(name).unwrap_or_else(|| panic!("no program {name}"));
    let find = |name: &str| {
        read(name)
            .map(|text| (format!("{name}.syn"), text))
            .or_else(|| synod::internals::library::source(name))
    };
    let checked = check(&format!("{name}.syn"), &text, &find);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{name}: {found:#?}"))
}

/// Play all scenarios of a program, and check that they pass.
#[track_caller]
pub fn play_all(name: &str) {
    let program = program(name);
    assert!(!program.scenarios.is_empty(), "{name}");
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.failures.is_empty(), "{name}: {}: {:?}", scenario.name, played.failures);
    }
}

/// The expected results of an exploration.
pub struct Case {
    instance: Instance,
    name: String,
    /// Judgement by property name.
    properties: Vec<(&'static str, Judgement)>,
    aborts: bool,
    deadlocks: bool,
}

impl Case {
    pub fn on(name: &str, network: &str) -> Case {
        Case::with(name, network, &[], None)
    }

    /// Return a case with a fault budget, and with these processes as initiators.
    pub fn with(name: &str, network: &str, faults: &[(Fault, u32)], initiators: Option<&[u32]>) -> Case {
        let setup = on(&program(name), network).faults(faults);
        let setup = initiators.map_or(setup.clone(), |all| setup.initiators(all));
        Case {
            instance: setup.build(),
            name: format!("{name} on {network}"),
            properties: Vec::new(),
            aborts: false,
            deadlocks: false,
        }
    }

    pub fn says(mut self, property: &'static str, judgement: Judgement) -> Case {
        self.properties.push((property, judgement));
        self
    }

    /// Expect that some run aborts.
    pub fn aborts(mut self) -> Case {
        self.aborts = true;
        self
    }

    /// Expect that some run ends in a deadlock.
    pub fn deadlocks(mut self) -> Case {
        self.deadlocks = true;
        self
    }

    /// Explore under all combinations of options, and compare the results.
    #[track_caller]
    pub fn check(self) {
        for bits in 0..32u32 {
            let on = |bit: u32| bits >> bit & 1 == 1;
            for order in
                [SearchOrder::Breadth, SearchOrder::Depth, SearchOrder::Chance(1), SearchOrder::Chance(2)]
            {
                let options = ExploreOptions {
                    reduce: on(0),
                    symmetry: on(1),
                    view: on(2),
                    dead_messages: on(4),
                    threads: if on(3) { 2 } else { 1 },
                    order,
                    keep_going: true,
                    max_configurations: 100_000,
                    ..ExploreOptions::default()
                };
                let found = explore(&self.instance, None, &options, &mut |_| None);
                self.compare(&found, &options);
            }
        }
    }

    #[track_caller]
    fn compare(&self, found: &Exploration, options: &ExploreOptions) {
        let name = format!("{} {options:?}", self.name);
        assert_eq!(found.stopped_by, None, "{name}");
        for (property, expected) in &self.properties {
            let verdict = found.verdicts.iter().find(|v| v.name == *property);
            let verdict = verdict.unwrap_or_else(|| panic!("{name}: no property {property}"));
            assert_eq!(verdict.judgement, *expected, "{name}: {property}: {}", verdict.why);
        }
        let any =
            |wanted: &dyn Fn(&ViolationKind) -> bool| found.counterexamples.iter().any(|c| wanted(&c.kind));
        assert_eq!(any(&|w| matches!(w, ViolationKind::Aborted(_))), self.aborts, "{name}: aborts");
        assert_eq!(any(&|w| matches!(w, ViolationKind::Stuck(_))), self.deadlocks, "{name}: deadlocks");
    }
}
