//! `synod run --runs N`: many seeds, and what they have shown together.

use super::account::{explanation, word};
use super::exit::{Ending, Failure, Outcome};
use super::interrupt;
use super::output::{Output, table};
use super::run::{Options, ScheduleName};
use super::watched::{Keep, end, watched};
use crate::ir::Program;
use crate::report::{NetworkReport, SCHEMA, Verdict, kind_name};
use crate::simulate;
use crate::trace::End;
use rustc_hash::FxHasher;
use serde::Serialize;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is kept of each run.
struct One {
    end: End,
    explanation: Option<String>,
    /// Of the last configuration: equal ones are one end.
    hash: u64,
    steps: u64,
    messages: u64,
    time: u64,
    bits: u64,
    seen: Vec<bool>,
    verdicts: Vec<(Verdict, String)>,
    topology: String,
    ids: Vec<i64>,
}

#[derive(Serialize)]
struct Body {
    schema: &'static str,
    command: &'static str,
    algorithm: String,
    /// That of the first run; random ids and graphs are drawn anew for each.
    network: NetworkReport,
    schedule: &'static str,
    runs: u64,
    first_seed: u64,
    last_seed: u64,
    outcomes: Vec<OutcomeBody>,
    distinct_ends: usize,
    actions: ActionsBody,
    steps: Range,
    messages: Range,
    bits: Range,
    time: Range,
    properties: Vec<PropertyBody>,
    /// What is to be said of faults.
    #[serde(skip)]
    faults: String,
}

#[derive(Serialize)]
struct OutcomeBody {
    outcome: End,
    runs: u64,
    first_seed: u64,
    explanation: Option<String>,
}

#[derive(Serialize)]
struct ActionsBody {
    seen: usize,
    total: usize,
    never_seen: Vec<String>,
}

#[derive(Serialize)]
struct Range {
    least: u64,
    mean: f64,
    greatest: u64,
}

#[derive(Serialize)]
struct PropertyBody {
    name: String,
    kind: &'static str,
    holds: u64,
    /// False: the algorithm solves its problem `without` it.
    promised: bool,
    violated: u64,
    pending: u64,
    not_checked: u64,
    /// Of the first run that violates it.
    violating_seed: Option<u64>,
    why: Option<String>,
    /// The command that shows that run again.
    replay: Option<String>,
}

pub fn run(options: &Options, program: &Arc<Program>, runs: u64, out: &mut Output) -> Outcome {
    let first = options.seed();
    if first.checked_add(runs - 1).is_none() {
        return Err(Failure::usage("there are not so many seeds from this one on"));
    }
    let schedule = options.course.schedule.unwrap_or(ScheduleName::Random);
    let all = all_runs(options, program, schedule, runs)?;
    let mut body = Body::new(options, program, schedule, &all);
    let instance = options.instance.instance(program, first)?;
    body.faults = super::run::about_faults(&instance, schedule.word());
    let interrupted = (all.len() as u64) < runs;
    if interrupted {
        out.note(format!("interrupted after {} of {runs} runs", all.len()));
    }
    if out.is_json() {
        out.json_as_is(&body)?;
    } else if !out.quiet {
        let text = body.text(options.instance.on.is_none());
        out.text(if out.look.ascii { text.replace('·', "|") } else { text })?;
    }
    Ok(body.ending().max(if interrupted { Ending::Limit } else { Ending::Fine }))
}

/// The runs in the order of their seeds, whoever ran them; fewer after an interrupt.
fn all_runs(
    options: &Options,
    program: &Arc<Program>,
    schedule: ScheduleName,
    runs: u64,
) -> Result<Vec<One>, Failure> {
    let interrupt = interrupt::flag();
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let jobs = options.course.jobs.map_or(processors, usize::from).min(runs as usize);
    // The first run alone: what is wrong with the instance is wrong with all, and is said once.
    let mut all = vec![one(options, program, schedule, options.seed())?];
    let next = AtomicU64::new(1);
    let work = || {
        let mut mine = Vec::new();
        while !interrupt.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs {
                break;
            }
            mine.push((number, one(options, program, schedule, options.seed() + number)));
        }
        mine
    };
    let mut rest: Vec<(u64, Result<One, Failure>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().map(|worker| match worker.join() {
            Ok(mine) => mine,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        done.flatten().collect()
    });
    rest.sort_by_key(|(number, _)| *number);
    // After an interrupt a run of a quick worker may stand behind one that was never begun, and the last
    // one of each worker was cut short.
    for (place, (number, one)) in (1..).zip(rest) {
        if number != place {
            break;
        }
        all.push(one?);
    }
    Ok(all)
}

fn one(options: &Options, program: &Arc<Program>, schedule: ScheduleName, seed: u64) -> Result<One, Failure> {
    let instance = options.instance.instance(program, seed)?;
    let course = simulate::Options {
        schedule: schedule.schedule(),
        seed,
        max_steps: options.course.max_steps,
        interrupt: Some(interrupt::flag()),
    };
    let watched = watched(&instance, options.properties(), Keep::Never, schedule.word(), &course);
    let run = watched.run;
    let mut hasher = FxHasher::default();
    run.configuration.hash(&mut hasher);
    Ok(One {
        end: end(&run.outcome),
        explanation: explanation(&instance, &run.outcome).into_iter().next(),
        hash: hasher.finish(),
        steps: run.steps,
        messages: run.metrics.messages(),
        time: run.metrics.time.into(),
        bits: run.metrics.total_bits(),
        seen: watched.seen,
        verdicts: watched.verdicts.into_iter().map(|v| (word(v.judgement), v.why)).collect(),
        topology: instance.network.topology().into(),
        ids: instance.network.ids().to_vec(),
    })
}

impl Body {
    fn new(options: &Options, program: &Program, schedule: ScheduleName, all: &[One]) -> Body {
        let first_seed = options.seed();
        let range = |of: fn(&One) -> u64| Range {
            least: all.iter().map(of).min().unwrap_or(0),
            mean: all.iter().map(|one| of(one) as f64).sum::<f64>() / all.len().max(1) as f64,
            greatest: all.iter().map(of).max().unwrap_or(0),
        };
        let outcomes = End::ALL.iter().filter_map(|end| {
            let mut such = (first_seed..).zip(all).filter(|(_, one)| one.end == *end);
            let (seed, first) = such.next()?;
            let runs = 1 + such.count() as u64;
            Some(OutcomeBody {
                outcome: *end,
                runs,
                first_seed: seed,
                explanation: first.explanation.clone(),
            })
        });
        let wanted = options.properties();
        let judged = program.properties.iter().filter(|p| wanted.is_none_or(|names| names.contains(&p.name)));
        let was_seen = |action: &usize| all.iter().any(|one| one.seen.get(*action) == Some(&true));
        let actions = Actions::of(program);
        Body {
            schema: SCHEMA,
            command: "runs",
            algorithm: program.name.clone(),
            network: all.first().map_or_else(
                || NetworkReport { topology: String::new(), n: 0, ids: Vec::new() },
                |one| NetworkReport {
                    topology: one.topology.clone(),
                    n: one.ids.len() as u64,
                    ids: one.ids.clone(),
                },
            ),
            schedule: schedule.word(),
            runs: all.len() as u64,
            first_seed,
            last_seed: first_seed + (all.len() as u64).saturating_sub(1),
            outcomes: outcomes.collect(),
            distinct_ends: all.iter().map(|one| one.hash).collect::<BTreeSet<u64>>().len(),
            actions: ActionsBody {
                seen: actions.possible().filter(was_seen).count(),
                total: actions.possible().count(),
                never_seen: actions
                    .possible()
                    .filter(|a| !was_seen(a))
                    .map(|a| actions.name(program, a))
                    .collect(),
            },
            steps: range(|one| one.steps),
            messages: range(|one| one.messages),
            bits: range(|one| one.bits),
            time: range(|one| one.time),
            properties: judged
                .enumerate()
                .map(|(i, property)| PropertyBody::new(options, schedule, property, i, all))
                .collect(),
            faults: String::new(),
        }
    }

    fn violated(&self) -> u64 {
        self.properties.iter().filter(|property| property.promised && property.violated > 0).count() as u64
    }

    /// Promised properties of which some run says nothing: «no violation» does not speak of them.
    fn unjudged(&self) -> Vec<&str> {
        let unknown = |p: &&PropertyBody| p.promised && p.pending + p.not_checked > 0;
        self.properties.iter().filter(unknown).map(|p| p.name.as_str()).collect()
    }

    fn runs_that_end(&self, ends: &[End]) -> u64 {
        self.outcomes.iter().filter(|o| ends.contains(&o.outcome)).map(|o| o.runs).sum()
    }

    fn ending(&self) -> Ending {
        if self.violated() > 0 || self.runs_that_end(&[End::Stuck, End::Aborted]) > 0 {
            return Ending::Finding;
        }
        match self.runs_that_end(&[End::Limit]) > 0 || !self.unjudged().is_empty() {
            true => Ending::Limit,
            false => Ending::Fine,
        }
    }

    /// What was found, in a sentence that claims no more than was seen.
    fn verdict(&self) -> String {
        let found = match (self.properties.len(), self.violated()) {
            (0, _) => "nothing to judge".to_string(),
            // What is not promised may be violated, but not unsaid.
            (_, 0) if self.properties.iter().any(|p| p.violated > 0) => "no promise violated".to_string(),
            (_, 0) => "no violation".to_string(),
            (_, 1) => "1 property violated".to_string(),
            (_, n) => format!("{n} properties violated"),
        };
        let bad = self.runs_that_end(&[End::Stuck, End::Aborted]);
        let bad = if bad > 0 { format!(", {bad} stuck or aborted") } else { String::new() };
        let unjudged = match self.unjudged()[..] {
            [] => String::new(),
            ref names => format!(" but {} not judged in all", names.join(", ")),
        };
        let seeds = match self.first_seed == self.last_seed {
            true => format!("seed {}", self.first_seed),
            false => format!("seeds {} to {}", self.first_seed, self.last_seed),
        };
        format!(
            "{found}{bad}{unjudged} in {} ({seeds}), {}, {} of {} actions seen",
            counted(self.runs, "run"),
            counted(self.distinct_ends as u64, "distinct end"),
            self.actions.seen,
            self.actions.total
        )
    }

    fn text(&self, is_default: bool) -> String {
        let mut text =
            format!("{} on {} · schedule {}\n", self.algorithm, self.network.topology, self.schedule);
        if is_default {
            text += "(a small network of the kind that is assumed; --on chooses another)\n";
        }
        text += &self.faults;
        text += &format!("\n{}\n\n", self.verdict());
        let mut rows = Vec::new();
        for outcome in &self.outcomes {
            let seed = format!("first with seed {}", outcome.first_seed);
            let why = outcome.explanation.as_ref().map_or(String::new(), |why| format!("{seed}: {why}"));
            rows.push(vec![outcome.outcome.word().into(), counted(outcome.runs, "run"), why]);
        }
        let ranges = [
            ("steps", &self.steps),
            ("messages", &self.messages),
            ("bits", &self.bits),
            ("time", &self.time),
        ];
        rows.extend(ranges.map(|(what, range)| vec![what.into(), range.text(), String::new()]));
        for action in &self.actions.never_seen {
            rows.push(vec!["never seen".into(), action.clone()]);
        }
        text += &(table(&rows).join("\n") + "\n");
        if !self.properties.is_empty() {
            text += "\nproperties\n";
        }
        let rows: Vec<Vec<String>> = self.properties.iter().map(|property| property.row(self.runs)).collect();
        for (line, property) in table(&rows).iter().zip(&self.properties) {
            text += &format!("  {line}\n");
            let indented = |label: &str, what: &Option<String>| match what {
                Some(what) if !what.is_empty() => format!("    {label}{what}\n"),
                _ => String::new(),
            };
            text += &indented("", &property.why);
            text += &indented("again: ", &property.replay);
        }
        text
    }
}

/// Which actions can be seen at all, and what they are called where their names alone mislead.
struct Actions {
    ignoring: BTreeSet<usize>,
    deferring: BTreeSet<usize>,
    count: usize,
}

impl Actions {
    fn of(program: &Program) -> Actions {
        let (mut ignoring, mut deferring) = (BTreeSet::new(), BTreeSet::new());
        for component in program.roles.iter().flat_map(|role| &role.components) {
            let states = component.states.iter().map(|state| &state.handlers);
            for handlers in states.chain([&component.always]) {
                ignoring.extend(handlers.ignore.iter().map(|a| a.action as usize));
                deferring.extend(handlers.defer.iter().map(|a| a.action as usize));
            }
        }
        Actions { ignoring, deferring, count: program.actions.len() }
    }

    /// Without the first, the start, which every process takes, and without what defers: that is no step.
    fn possible(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.count).filter(|action| !self.deferring.contains(action))
    }

    /// `ignore Grant` for what is called `Grant`: that grants were never ignored is not that none came.
    fn name(&self, program: &Program, action: usize) -> String {
        let name = &program.actions[action].name;
        match self.ignoring.contains(&action) && !name.starts_with("ignore") {
            true => format!("ignore {name}"),
            false => name.clone(),
        }
    }
}

impl Range {
    fn text(&self) -> String {
        match self.least == self.greatest {
            true => self.least.to_string(),
            false => format!("{} to {}, {:.1} on average", self.least, self.greatest, self.mean),
        }
    }
}

impl PropertyBody {
    fn new(
        options: &Options,
        schedule: ScheduleName,
        property: &crate::ir::Property,
        index: usize,
        all: &[One],
    ) -> PropertyBody {
        let count = |verdict| {
            let such = all.iter().filter(|one| one.verdicts.get(index).is_some_and(|(v, _)| *v == verdict));
            such.count() as u64
        };
        let verdicts =
            (options.seed()..).zip(all).filter_map(|(seed, one)| Some((seed, one.verdicts.get(index)?)));
        let first = verdicts.clone().find(|(_, (verdict, _))| *verdict == Verdict::Violated);
        let unchecked = verdicts.clone().find(|(_, (verdict, _))| *verdict == Verdict::NotChecked);
        PropertyBody {
            name: property.name.clone(),
            kind: kind_name(property.kind),
            holds: count(Verdict::Holds),
            promised: property.promised,
            violated: count(Verdict::Violated),
            pending: count(Verdict::Pending),
            not_checked: count(Verdict::NotChecked),
            violating_seed: first.map(|(seed, _)| seed),
            why: first.or(unchecked).map(|(_, (_, why))| why.clone()),
            replay: first.map(|(seed, _)| command(options, schedule, seed)),
        }
    }

    fn row(&self, runs: u64) -> Vec<String> {
        let of = |n: u64| if n == runs { format!("all {runs}") } else { format!("{n} of {runs}") };
        let verdict = match (self.violated, self.pending, self.not_checked) {
            (0, 0, 0) => format!("held in {} runs", of(self.holds)),
            (0, 0, n) => format!("not checked in {} runs", of(n)),
            (0, n, _) => format!("undecided in {} runs", of(n)),
            (n, _, _) => {
                let seed = self.violating_seed.unwrap_or_default();
                if self.promised {
                    format!("VIOLATED in {} runs, first with seed {seed}", of(n))
                } else {
                    format!("not promised, and violated in {} runs, first with seed {seed}", of(n))
                }
            }
        };
        vec![self.name.clone(), self.kind.into(), verdict]
    }
}

/// The command that does one of the runs again.
fn command(options: &Options, schedule: ScheduleName, seed: u64) -> String {
    let mut words = vec!["synod".to_string(), "run".into(), options.file.clone()];
    words.extend(options.instance.as_words());
    words.extend(["--schedule".into(), schedule.word().into(), "--seed".into(), seed.to_string()]);
    if let Some(steps) = options.course.max_steps {
        words.extend(["--max-steps".into(), steps.to_string()]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=,./:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
