//! A solution of a problem used as a layer: it behaves as it does alone, and its outputs can be read above.

use crate::common::*;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::ir::{Program, Value};
use synod::internals::library;
use synod::internals::property::Judgement;
use synod::internals::simulate::{Outcome, Schedule};

/// Return the assumptions in the header of a library file, or of its base.
fn assumptions(name: &str) -> String {
    let (_, text) = library::source(name).expect("a file of the library");
    let lines: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    if let Some(first) = lines.iter().position(|line| line.starts_with("assumes ")) {
        let more = lines[first + 1..].iter().take_while(|line| line.starts_with(' '));
        return std::iter::once(&lines[first]).chain(more).copied().collect::<Vec<_>>().join(" ");
    }
    let header = lines.iter().find(|line| line.starts_with("algorithm ")).expect("a header");
    assumptions(header.split_whitespace().last().expect("a variant of another"))
}

/// Return an algorithm that only uses another as a layer, and records its outputs.
fn standing_on(name: &str, rest: &str) -> Option<Arc<Program>> {
    let text = format!("algorithm upper\n{}\nuses {name} as Below\n{rest}", assumptions(name));
    let checked = check("test.syn", &text, &|name| library::source(name));
    checked.program.map(Arc::new)
}

const TAKES_DOWN: &str = "var told : Id?\nalways\n  when Below.elected != told -> told := Below.elected\n";

/// Return the elections that can be layers: all but the synchronous ones and those with roles.
fn elections() -> Vec<&'static str> {
    let solves = |name: &str| match library::source(name) {
        Some((path, _)) => path.contains("/election/"),
        None => false,
    };
    library::entries().into_keys().filter(|name| solves(name)).collect()
}

/// The same runs: as many messages of every kind, as much time, and every process with the same outputs as alone.
#[test]
fn elections_are_the_same_below_another_algorithm() {
    let mut served = 0;
    for name in elections() {
        let Some(upper) = standing_on(name, TAKES_DOWN) else { continue };
        let alone = library(name);
        let network = alone.assumptions.default_topology();
        // Coins and clocks would be read at other moments.
        if assumptions(name).contains("randomness") || alone.assumptions.delay.is_some() {
            continue;
        }
        served += 1;
        let (below, alone) = (on(&upper, network).build(), on(&alone, network).build());
        for schedule in FIXED {
            let (below_run, alone_run) = (run(&below, schedule, 1), run(&alone, schedule, 1));
            assert!(finished(&below_run), "{name}, {schedule:?}: {:?}", below_run.outcome);
            if schedule == Schedule::Fifo {
                assert_eq!(all_messages(&below_run.metrics), all_messages(&alone_run.metrics), "{name}");
                assert_eq!(below_run.metrics.time, alone_run.metrics.time, "{name}");
            }
            for process in below.network.processes() {
                let told = variable(&below, &below_run.configuration, process, "told");
                assert_eq!(told, variable(&below, &below_run.configuration, process, "elected"), "{name}");
                if schedule == Schedule::Fifo {
                    let elected = variable(&alone, &alone_run.configuration, process, "elected");
                    assert_eq!(told, elected, "{name}: {process}");
                }
            }
        }
    }
    assert!(served >= 25, "{served} elections were tried");
}

fn every_schedule(program: &Arc<Program>, network: &str) -> Exploration {
    let options = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        keep_going: true,
        ..ExploreOptions::default()
    };
    explore(&on(program, network).build(), None, &options, &mut |_| None)
}

/// As many configurations and steps, whichever process halts.
#[test]
fn a_layer_has_the_configurations_that_it_has_alone() {
    let cases = [
        ("chang_roberts", "ring(4)"),
        ("chang_roberts_announced", "ring(4)"),
        ("dolev_klawe_rodeh", "ring(4)"),
        ("dolev_klawe_rodeh_announced", "ring(4)"),
        ("lelann", "ring(3)"),
        ("tree_saturation", "star(3)"),
        ("hirschberg_sinclair", "ring(3)"),
    ];
    for (name, network) in cases {
        let upper = standing_on(name, "").expect("it serves as a layer");
        let (below, alone) = (every_schedule(&upper, network), every_schedule(&library(name), network));
        assert!(alone.configurations > 10);
        assert_eq!(below.configurations, alone.configurations, "{name}");
        assert_eq!(below.steps, alone.steps, "{name}");
    }
}

/// Two slots of a log, each decided by an instance of Paxos; learners append them in order.
const LOG: &str = "algorithm log_of_two
assumes complete, reliable, unordered, unique ids, knows peers, knows n, crashes, restarts
uses paxos(attempts: 1, proposers: 1) as First, paxos(attempts: 1, proposers: 1) as Second
persistent var log : list of Value
state proposing
  pause
  First.propose(id)
  Second.propose(-1)
  become reading
state reading
always
  when First.decided != none and log = []       -> log := [First.decided]
  when Second.decided != none and size(log) = 1 -> log := log + [Second.decided]
invariant one_order: forall p, q with size(p.log) > 0 and size(q.log) > 0: p.log[0] = q.log[0]
invariant one_second: forall p, q with p.Second.decided != none and q.Second.decided != none:
  p.Second.decided = q.Second.decided
finally all: forall p: size(p.log) = 2
bound of_the_first: messages of First <= 5 * (n - 1)
exactly of_the_second: messages of Second.Chosen = n - 1
";

#[test]
fn a_log_of_two_decisions() {
    let program = source(LOG);
    let explored =
        explore(&on(&program, "complete(2)").build(), None, &ExploreOptions::default(), &mut |_| None);
    assert!(explored.configurations > 200, "{}", explored.configurations);
    assert_eq!(explored.verdicts.len(), 5);
    for verdict in &explored.verdicts {
        assert_eq!(verdict.judgement, Judgement::Holds, "{}: {}", verdict.name, verdict.why);
    }
}

/// The layer halts at its first message; the algorithm above it continues.
fn ends_itself(leftovers: &str) -> Arc<Program> {
    let layer = format!(
        "algorithm short solves Told
assumes complete, reliable, fifo, unique ids, knows peers, knows n, delay <= 1
message Word
operation say
  send Word to others
  set timer patience after 50
on Word -> told := told + 1; halt
on timeout(patience) -> told := 100
{leftovers}"
    );
    let problem = "problem Told\noutput told : Int\noutput enough : Bool := told = 1\n";
    let upper = "algorithm talker
assumes complete, reliable, fifo, unique ids, knows peers, knows n, delay <= 1
uses short as Talk
message Late
var news : Int
var ready : Bool
state begins
  Talk.say; Talk.say
  become listens
state listens
always
  when Talk.enough and not ready -> ready := true; send Late to others
  on Late -> news := news + 1
finally told_once: forall p: p.Talk.told = 1 and p.Talk.enough and p.Talk.halted
finally goes_on: forall p: p.news = n - 1 and not p.halted
";
    let find = |name: &str| match name {
        "short" => Some(("short.syn".to_string(), layer.clone())),
        "Told" | "told" => Some(("told.syn".to_string(), problem.to_string())),
        _ => None,
    };
    let checked = check("talker.syn", upper, &find);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    Arc::new(checked.program.unwrap_or_else(|| panic!("{found:#?}")))
}

/// `halt` in a layer: it receives nothing more, its timer does not expire, and the process continues. A message left for it is
/// stuck, unless it is ignored.
#[test]
fn a_layer_that_halts() {
    let stuck = on(&ends_itself(""), "complete(2)").build();
    let run_of = |instance| run(instance, Schedule::Fifo, 1);
    assert!(matches!(run_of(&stuck).outcome, Outcome::Stuck(_)));
    let program = ends_itself("ignore Word\n");
    let ignoring = on(&program, "complete(2)").build();
    for schedule in FIXED {
        let run = run(&ignoring, schedule, 1);
        assert_eq!(run.outcome, Outcome::Quiescent);
        for process in 0..2 {
            assert_eq!(variable(&ignoring, &run.configuration, process, "told"), Value::Int(1));
            assert_eq!(variable(&ignoring, &run.configuration, process, "news"), Value::Int(1));
        }
    }
    for verdict in every_schedule(&program, "complete(2)").verdicts {
        assert_eq!(verdict.judgement, Judgement::Holds, "{}: {}", verdict.name, verdict.why);
    }
}

/// The types of a problem are the same for the algorithm and for a layer that solve it, in any number.
#[test]
fn outputs_have_the_types_of_the_problem() {
    let problem = "problem Lamp\nenum Colour = red | green\nrecord Beam(colour: Colour, far: 0..3)\noutput colour : Colour?
output beam : Beam?\noutput is_green : Bool := colour = green\n";
    let layer = "algorithm lights solves Lamp\nassumes complete, reliable, unordered, unique ids, knows peers, knows n
operation shine(far: Int)\n  colour := green; beam := Beam(green, far)\n";
    let upper = "algorithm both solves Lamp\nassumes complete, reliable, unordered, unique ids, knows peers, knows n
uses lights as A, lights as B
state s\n  pause\n  A.shine(1); B.shine(3)\n  become t\nstate t
always
  when A.is_green and colour = none -> colour := A.colour; beam := B.beam
finally seen: forall p: p.is_green and p.A.is_green and p.beam.far = 3 and p.A.beam.far = 1 and p.colour = p.B.colour
";
    let find = |name: &str| match name {
        "lights" => Some(("lights.syn".to_string(), layer.to_string())),
        "Lamp" | "lamp" => Some(("lamp.syn".to_string(), problem.to_string())),
        _ => None,
    };
    let checked = check("both.syn", upper, &find);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{found:#?}")));
    let explored = every_schedule(&program, "complete(2)");
    assert_eq!(explored.verdicts[0].judgement, Judgement::Holds, "{}", explored.verdicts[0].why);
}
