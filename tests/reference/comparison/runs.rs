//! Single runs: `run` by the specification, `measure` for the same instance and seed, and `test` for the run as a scenario.

use crate::common::on;
use crate::comparison::configurations::is_small;
use crate::comparison::paths::followed;
use crate::comparison::shown::Shown;
use crate::comparison::verdicts::{cases, instances};
use crate::comparison::{Case, specified_graph};
use crate::specification::configuration::Configuration;
use crate::specification::graph::Graph;
use crate::specification::network::System;
use crate::specification::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use synod::internals::check::check;
use synod::internals::instance::Instance;
use synod::internals::measure::CheckedProperties;
use synod::internals::measure::sample::sample;
use synod::internals::scenario::play;
use synod::internals::semantics::Metrics;
use synod::internals::session::scenario_export::{ExportMode, ScenarioFinding, export_scenario};
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::{Outcome, Schedule, SimulateOptions, Unobserved, simulate};
use synod::internals::stop::StopSignal;

/// The greatest number of steps of a run.
const MOST_STEPS: u64 = 60;

/// The numbers of runs by what was done with them, and the differences.
#[derive(Debug, Default)]
pub struct Runs {
    pub compared: BTreeMap<String, usize>,
    pub wrong: Vec<String>,
}

/// The seed by which instances draw their networks.
const SEED: u64 = 0;

/// A program and its instance, by Synod and by the specification.
pub struct Subject<'a> {
    pub text: &'a str,
    pub find: crate::specification::module::Find<'a>,
    pub instance: &'a Instance,
    pub system: &'a System,
    pub graph: &'a Graph<Configuration, Value>,
}

impl Runs {
    fn count(&mut self, what: &str) {
        *self.compared.entry(what.to_string()).or_default() += 1;
    }

    /// Compare runs under every schedule.
    pub fn add(&mut self, subject: &Subject<'_>, seeds: u64) {
        let of = |configuration| Shown::of_specification(subject.system, configuration);
        let shown: Vec<Shown> = subject.graph.configurations.iter().map(of).collect();
        for schedule in Schedule::ALL {
            let drawn = matches!(schedule, Schedule::Random | Schedule::Priorities);
            for seed in 0..if drawn { seeds } else { 1 } {
                let options = SimulateOptions {
                    schedule,
                    seed,
                    max_steps: Some(MOST_STEPS),
                    ..SimulateOptions::default()
                };
                let wrong = self.one(subject, &shown, &options).err();
                let place = format!("run --schedule {} --seed {seed}", schedule.as_str());
                self.wrong.extend(wrong.map(|wrong| format!("{place}: {wrong}")));
            }
        }
    }

    fn one(
        &mut self,
        subject: &Subject<'_>,
        shown: &[Shown],
        options: &SimulateOptions,
    ) -> Result<(), String> {
        let instance = subject.instance;
        let (run, wrong) = followed(subject.system, subject.graph, shown, instance, options);
        self.count(if run.outcome == Outcome::Stopped { "not followed to the end" } else { "followed" });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        // `run` watches all properties, and records a trace. `measure`, and tests of speed, watch nothing.
        let run = run_monitored(instance, None, Keep::Always, options.schedule.as_str(), options);
        let costs = costs(instance, &run.run.metrics);
        let unobserved = simulate(instance, options, &mut Unobserved).metrics;
        if self::costs(instance, &unobserved) != costs {
            return Err(format!("costs {costs:?}, if nothing is observed {unobserved:?}"));
        }
        if let Some(sample) =
            sample(instance, &CheckedProperties::AtEnd, options.schedule.as_str(), options, 0)
            && !run.settled
        {
            self.count("measured");
            let rounds = sample.rounds.map(|rounds| ("rounds", rounds));
            let all = [("messages", sample.messages), ("bits", sample.bits), ("time", sample.time)];
            let measured: Vec<(&str, u64)> = all.into_iter().chain(rounds).collect();
            if measured != costs {
                return Err(format!("costs {costs:?}, `measure` reports {measured:?}"));
            }
        }
        let is_over = matches!(run.run.outcome, Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_));
        match run.trace {
            // A scenario draws the network by the seed of the run, which here is that of the instance for one run only.
            Some(trace) if options.seed == SEED && is_over => self.as_scenario(subject, &trace, &costs),
            _ => Ok(()),
        }
    }

    /// Write the run as a scenario that expects its costs, and play it. Several scenarios may bring a run about, of which one must do so.
    fn as_scenario(
        &mut self,
        subject: &Subject<'_>,
        trace: &synod::internals::trace::Trace,
        costs: &[(&'static str, u64)],
    ) -> Result<(), String> {
        let expected = costs.iter().map(|(name, number)| format!("{name} = {number}")).collect();
        let shows = ScenarioFinding::Expected(expected);
        for way in ExportMode::of(subject.instance, trace) {
            let Ok(clauses) = export_scenario(subject.instance, trace, "the_run", &shows, *way) else {
                continue;
            };
            let text = format!("{}\n{clauses}", subject.text);
            let named = |name: &str| (subject.find)(name).map(|text| (format!("{name}.syn"), text));
            let checked = check("the_run.syn", &text, &named);
            let Some(program) = checked.program.map(Arc::new) else {
                let all: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
                return Err(format!("the scenario is refused ({all:?}):\n{clauses}"));
            };
            let scenario = program.scenarios.iter().find(|scenario| scenario.name == "the_run");
            let Some(scenario) = scenario else { continue };
            // What no line tells may go on for ever.
            let (mut steps, over) = (0, Arc::new(AtomicBool::new(false)));
            let stop = StopSignal::when({
                let over = over.clone();
                move || over.load(Ordering::Relaxed)
            });
            let played = play(&program, scenario, &stop, &mut |_, _, _, _, _| {
                steps += 1;
                over.store(steps > MOST_STEPS, Ordering::Relaxed);
            });
            if steps > MOST_STEPS {
                continue;
            }
            let places = played.failures.iter().map(|failure| &text[failure.span.start as usize..]);
            // This scenario does not bring the run about, and is therefore not written for a user: a line is not possible, or what no line
            // tells happens at once.
            let mut lines = places.filter(|place| !place.starts_with("scenario"));
            let is_possible = lines.clone().all(|line| line.starts_with("expect"));
            if !is_possible || *way != ExportMode::Scripted && lines.clone().next().is_some() {
                continue;
            }
            if lines.next().is_some() {
                let failed: Vec<&str> =
                    played.failures.iter().map(|failure| failure.message.as_str()).collect();
                return Err(format!("as a scenario, {way:?}: {failed:?}\n{clauses}"));
            }
            self.count(&format!("played {way:?}"));
            return Ok(());
        }
        self.count("no scenario");
        Ok(())
    }
}

fn costs(instance: &Instance, metrics: &Metrics) -> Vec<(&'static str, u64)> {
    let rounds = instance.model.has_rounds().then_some(("rounds", metrics.rounds));
    let time = u64::from(metrics.time);
    let all = [("messages", metrics.messages()), ("bits", metrics.total_bits()), ("time", time)];
    all.into_iter().chain(rounds).collect()
}

// ---- Programs

/// The greatest number of configurations of a program whose runs are followed.
const MOST: usize = 150;

impl Runs {
    /// Compare the runs of an instance, unless the specification refuses it, or it is too large.
    fn instance(
        &mut self,
        name: &str,
        (text, find): (&str, crate::specification::module::Find<'_>),
        instance: &Instance,
        case: &Case<'_>,
    ) {
        if !is_small(instance, MOST) {
            return self.count("too large");
        }
        let Ok(Some((system, graph))) = specified_graph(text, find, instance, case, MOST) else {
            return self.count("refused");
        };
        let before = self.wrong.len();
        self.add(&Subject { text, find, instance, system: &system, graph: &graph }, 2);
        for wrong in &mut self.wrong[before..] {
            *wrong = format!("{name}: {wrong}");
        }
    }

    #[track_caller]
    fn finish(self, least: usize) {
        println!("{:#?}", self.compared);
        assert!(self.wrong.is_empty(), "{} wrong: {:#?}", self.wrong.len(), self.wrong);
        for (what, least) in
            [("followed", least), ("measured", least), ("played Held", least), ("played Scripted", 10)]
        {
            let found = self.compared.get(what).copied().unwrap_or(0);
            assert!(found >= least || std::env::var("ONLY").is_ok(), "{what}: {found}");
        }
    }
}

#[test]
fn runs_of_the_library_are_paths_of_the_specification() {
    let find = |name: &str| synod::internals::library::source(name).map(|(_, text)| text);
    let mut runs = Runs::default();
    for (name, entry) in synod::internals::library::entries() {
        let is_wanted = std::env::var("ONLY").map_or(true, |only| name.starts_with(&only));
        if entry.is_problem() || !is_wanted {
            continue;
        }
        for (place, instance, case) in instances(name) {
            runs.instance(&place, (entry.text, &find), &instance, &case);
        }
    }
    runs.finish(500);
}

#[test]
fn runs_of_programs_that_once_got_a_wrong_verdict_are_paths_of_the_specification() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/soundness/programs");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}.syn")).ok();
    let with_path = |name: &str| {
        read(name)
            .map(|text| (format!("{name}.syn"), text))
            .or_else(|| synod::internals::library::source(name))
    };
    let find = |name: &str| with_path(name).map(|(_, text)| text);
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let mut runs = Runs::default();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "syn")) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        if std::env::var("ONLY").is_ok_and(|only| !name.starts_with(&only)) {
            continue;
        }
        let text = read(&name).expect("a program");
        let Some(program) = check(&format!("{name}.syn"), &text, &with_path).program.map(Arc::new) else {
            continue;
        };
        for (network, faults, _) in cases().filter(|(.., initiators)| initiators.is_none()) {
            let Some(instance) = on(&program, network).faults(faults).build_if_it_fits() else { continue };
            let case = Case { faults, daemon: None };
            let place = format!("{name} on {network} {faults:?}");
            runs.instance(&place, (&text, &find), &instance, &case);
        }
    }
    runs.finish(500);
}
