//! Random programs with mainly liveness properties: coins, choices, failures, cycles and bounds, in every execution model.

use crate::common::on;
use crate::comparison::Case;
use crate::comparison::verdicts::{Compared, compare};
use std::sync::Arc;

/// The number of programs, not counting those that do not fit, or are too large.
const PROGRAMS: u64 = 400;

/// A generator of pseudo-random numbers (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn often(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Model {
    Handlers,
    Thread,
    Neighbours,
    Pairs,
    Rounds,
}

struct Writer {
    dice: Dice,
    model: Model,
}

impl Writer {
    fn guard(&mut self) -> &'static str {
        let own = ["x = 0", "x != 1", "y", "not y", "x > 0", "true", "x = 2 or y", "1 div x = 1"];
        let neighbours = [
            "some q in neighbours: q.x = x",
            "forall q in neighbours: q.y = y",
            "some q in neighbours: q.x > x",
        ];
        let pairs = ["x = v.x", "x != v.x", "y and not v.y", "x > v.x"];
        match self.model {
            Model::Neighbours if self.dice.often(60) => self.dice.one(&neighbours),
            Model::Pairs if self.dice.often(70) => self.dice.one(&pairs),
            _ => self.dice.one(&own),
        }
    }

    fn simple(&mut self) -> String {
        let all =
            ["x := (x + 1) mod 3", "y := not y", "x := 0", "y := true", "x := 2 - x", "x := x + 1", "skip"];
        let some = all[..if self.dice.often(10) { 7 } else { 5 }].to_vec();
        let pairs = ["v.x := x", "v.y := not v.y", "x := v.x", "v.x := (v.x + 1) mod 3"];
        match self.model {
            Model::Pairs if self.dice.often(60) => self.dice.one(&pairs).into(),
            _ => self.dice.one(&some).into(),
        }
    }

    /// Return a command that does not wait; with `last` it may halt.
    fn command(&mut self, depth: u64, last: bool) -> String {
        let more = depth > 0 && self.dice.often(55);
        if !more {
            return match last && self.model != Model::Pairs && self.dice.often(12) {
                true => "halt".into(),
                false => self.simple(),
            };
        }
        let (a, b) = (self.command(depth - 1, last), self.command(depth - 1, last));
        match self.dice.below(5) {
            0 | 1 => {
                let odds = self.dice.one(&["coin", "coin(1/3)"]);
                format!("if {odds} -> {a} [] otherwise -> {b} fi")
            }
            2 => {
                let guard = self.own_guard();
                format!("if {guard} -> {a} [] true -> {b} fi")
            }
            3 => "choose e in {0, 2}; x := e".to_string(),
            _ => {
                let first = self.simple();
                format!("{first}; {b}")
            }
        }
    }

    fn own_guard(&mut self) -> &'static str {
        self.dice.one(&["x = 0", "y", "x > 0", "true"])
    }

    fn program(&mut self) -> String {
        let assumes = match self.model {
            Model::Handlers | Model::Thread => {
                self.dice.one(&["complete, fifo, randomness", "complete, unordered, randomness"]).to_string()
            }
            Model::Neighbours => "complete, reads neighbours, anonymous, randomness".into(),
            Model::Pairs => "complete, anonymous, pairwise interactions, randomness".into(),
            Model::Rounds => "complete, synchronous, randomness".into(),
        };
        let mut text = format!("algorithm random_run\nassumes {assumes}\n");
        if matches!(self.model, Model::Handlers | Model::Thread | Model::Rounds) {
            text += "message M(k: 0..2), N\n";
        }
        let start = |dice: &mut Dice| if dice.often(25) { ":= any" } else { ":= 0" };
        text += &format!("var x : 0..2 {}\nvar y : Bool\n", start(&mut self.dice));
        text += &match self.model {
            Model::Handlers => self.handlers(),
            Model::Thread => self.thread(),
            Model::Neighbours => format!("state s\n{}", self.rules("when {g} -> {c}")),
            Model::Pairs => self.rules("on interaction(v) when {g} -> {c}"),
            Model::Rounds => self.rounds(),
        };
        text + &self.properties()
    }

    fn rules(&mut self, form: &str) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.dice.below(3) {
            let (guard, command) = (self.guard(), self.command(2, true));
            text += &format!("  {}\n", form.replace("{g}", guard).replace("{c}", &command));
        }
        text
    }

    fn handlers(&mut self) -> String {
        let mut text = "state s\n".to_string();
        let wakes = self.command(1, false);
        text += &format!("  on wakeup -> send M(x) to neighbours; {wakes}\n");
        for _ in 0..1 + self.dice.below(2) {
            let (command, answer) = (self.command(2, false), self.dice.one(&["M(k)", "M(x)", "N"]));
            let when = if self.dice.often(30) { " when k < 2" } else { "" };
            let again = if self.dice.often(60) { format!("send {answer} to p; ") } else { String::new() };
            text += &format!("  on M(k) from p{when} -> {again}{command}\n");
        }
        let command = self.command(2, true);
        let again = if self.dice.often(60) { "send M(x) to p; " } else { "" };
        text += &format!("  on N from p -> {again}{command}\n");
        if self.dice.often(50) {
            text += &self.rules("when {g} -> {c}");
        }
        text += self.dice.one(&["", "  defer N when y\n", "always\n  ignore M, N\n"]);
        text
    }

    fn thread(&mut self) -> String {
        let mut text = "state s\n  send M(x) to neighbours\n  do true ->\n".to_string();
        for _ in 0..1 + self.dice.below(3) {
            let command = self.command(2, false);
            text += &format!("    {command}\n");
            text += &match self.dice.below(4) {
                0 => "    pause\n".to_string(),
                1 => format!("    await {}\n", self.own_guard()),
                2 => "    receive M(k) from p; send M(k) to p\n".into(),
                _ => "    if receive M(k) from p when k = x -> send M(x) to p [] true -> y := not y fi\n"
                    .into(),
            };
        }
        text += "    pause\n  od\n";
        if self.dice.often(40) {
            text += "always\n  on M(k) from p when k = 2 -> send M(x) to p; y := not y\n";
        }
        text
    }

    fn rounds(&mut self) -> String {
        let (first, then) = (self.command(2, false), self.command(2, true));
        let ends =
            if self.dice.often(40) { "  if x = 2 and y -> halt [] otherwise -> skip fi\n" } else { "" };
        format!(
            "state s\n  {first}\n  if y -> send M(x) to neighbours [] otherwise -> skip fi\n  round\n  \
             if arrived M(k) -> x := k [] otherwise -> {then} fi\n{ends}"
        )
    }

    fn properties(&mut self) -> String {
        let mut text = String::new();
        let kinds = ["invariant", "stable", "finally", "eventually", "settles", "leads", "bound", "exactly"];
        for number in 0..3 + self.dice.below(3) {
            let kind = if self.dice.often(60) { self.dice.one(&kinds[3..6]) } else { self.dice.one(&kinds) };
            let of_each = self.dice.often(40) && !matches!(kind, "bound" | "exactly");
            let each = if of_each { " for p in processes" } else { "" };
            let right = self.predicate(of_each);
            text += &match kind {
                "bound" | "exactly" if matches!(self.model, Model::Neighbours | Model::Pairs) => {
                    String::new()
                }
                "bound" | "exactly" => {
                    let measure = self.dice.one(&["messages", "messages of M", "time"]);
                    let compare = match kind {
                        "bound" => self.dice.one(&["<=", "<", ">="]),
                        _ => "=",
                    };
                    let limit = self.dice.one(&["2", "4", "n", "1 + (count p: p.y)", "6 div (count p: p.y)"]);
                    format!("{kind} p{number}: {measure} {compare} {limit}\n")
                }
                "leads" => {
                    let left = self.predicate(of_each);
                    format!("leads p{number}{each}: {left} leads to {right}\n")
                }
                _ => format!("{kind} p{number}{each}: {right}\n"),
            };
        }
        text
    }

    fn predicate(&mut self, of_each: bool) -> &'static str {
        match of_each {
            true => self.dice.one(&[
                "p.x = 0",
                "p.y",
                "p.x != 1",
                "1 div p.x = 1",
                "not p.y or p.x = 2",
                "p.halted",
            ]),
            false => self.dice.one(&[
                "(some p: p.x = 2)",
                "(forall p: p.y)",
                "(forall p: p.x = 1)",
                "((count p: p.y) = 1)",
                "(forall p: 1 div p.x = 1)",
                "(forall p, q: p.x = q.x)",
                "(some p: p.halted)",
            ]),
        }
    }
}

/// Return the program of a seed, and its network.
fn program(seed: u64) -> (String, &'static str) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(99));
    (0..4).for_each(|_| drop(dice.below(2).to_string()));
    let model = dice.one(&[Model::Handlers, Model::Thread, Model::Neighbours, Model::Pairs, Model::Rounds]);
    let network = dice.one(&["complete(1)", "complete(2)", "complete(2)", "complete(2)", "complete(3)"]);
    (Writer { dice, model }.program(), network)
}

#[test]
fn random_programs_have_the_verdicts_of_the_definition() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, programs) = (number("FIRST").unwrap_or(1), number("RUNS").unwrap_or(PROGRAMS));
    let mut all = Compared::default();
    let mut unfit = 0;
    for seed in first..first + programs {
        let (text, network) = program(seed);
        let checked = synod::internals::check::check("random_run.syn", &text, &|_| None);
        let Some(program) = checked.program.map(Arc::new) else {
            if unfit < 3 {
                let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
                println!("{text}\n{found:?}");
            }
            unfit += 1;
            continue;
        };
        if programs == 1 {
            println!("on {network}:\n{text}");
        }
        let Some(instance) = on(&program, network).build_if_it_fits() else { continue };
        let Some(compared) = compare(&seed.to_string(), &text, &|_| None, &instance, &Case::default()) else {
            continue;
        };
        if let Some(wrong) = compared.wrong.first() {
            println!("on {network}:\n{text}\n{}\n", wrong.message);
        }
        all.add(compared);
    }
    println!("{unfit} do not fit; {all:#?}");
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
    if (first, programs) == (1, PROGRAMS) {
        for kind in ["Eventually", "Settles", "LeadsTo"] {
            for judgement in ["Holds", "NotChecked", "Violated"] {
                all.has(&format!("{kind} {judgement}"), 50);
            }
        }
    }
}
