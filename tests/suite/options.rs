//! Options in `check`: if a run aborts because an option is `none`, `check` has warned (SYN0049).

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::diagnostic::codes;
use synod::internals::network::Spec;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Outcome, Schedule, SimulateOptions, Unobserved, simulate};

/// A random program drawn from a list of numbers, so that proptest can shrink it.
struct Draw<'a> {
    numbers: &'a [u32],
    next: usize,
    /// Names of optional locals.
    locals: Vec<String>,
    named: usize,
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let n = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        n as usize % bound
    }

    fn option_name(&mut self) -> String {
        let mut names = vec!["x".to_string(), "y".into(), "v.1".into()];
        names.extend(self.locals.iter().cloned());
        let at = self.below(names.len());
        names.swap_remove(at)
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return ["z", "n", "1", "3"][self.below(4)].into();
        }
        match self.below(9) {
            0..=2 => self.option_name(),
            3 => format!("({} + {})", self.int(depth - 1), self.int(depth - 1)),
            4 => format!(
                "(if {} then {} else {})",
                self.bool(depth - 1),
                self.int(depth - 1),
                self.int(depth - 1)
            ),
            5 => "(least q in S)".into(),
            6 => format!("(sum q in S with {}: q + {})", self.bool(depth - 1), self.int(depth - 1)),
            7 => format!("least_of({}, {})", self.option(depth - 1), self.int(depth - 1)),
            _ => self.int(0),
        }
    }

    fn option(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 | 1 => "none".into(),
            2 => self.option_name(),
            3 if depth > 0 => format!("(least q in S with q > {})", self.int(depth - 1)),
            4 if depth > 0 => {
                format!(
                    "(if {} then {} else {})",
                    self.bool(depth - 1),
                    self.option(depth - 1),
                    self.option(depth - 1)
                )
            }
            _ => self.int(depth.min(1)),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(2) == 0 {
            let name = self.option_name();
            return match self.below(8) {
                0..=2 => format!("{name} != none"),
                3 => format!("{name} = none"),
                4 => "S != {}".into(),
                5 => format!("{name} in S"),
                6 => format!("{name} = {}", self.option(0)),
                _ => "size(S) > 0".into(),
            };
        }
        let (a, b) = (self.bool(depth - 1), self.bool(depth - 1));
        match self.below(5) {
            0 => format!("({a} and {b})"),
            1 => format!("({a} or {b})"),
            2 => format!("({a} implies {b})"),
            3 => format!("(not {a})"),
            _ => format!("({} < {})", self.option(depth - 1), self.int(depth - 1)),
        }
    }

    fn block(&mut self, depth: usize, ends: bool) -> String {
        let scope = self.locals.len();
        let count = 1 + self.below(3);
        let mut text: Vec<String> = (0..count).map(|_| self.stmt(depth)).collect();
        if ends && self.below(4) == 0 {
            text.push(["become s", "become t"][self.below(2)].into());
        }
        self.locals.truncate(scope);
        text.join("\n")
    }

    fn stmt(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 8 } else { 11 }) {
            0 => format!("x := {}", self.option(2)),
            1 => format!("y := {}", self.option(2)),
            2 => format!("z := {} mod 7", self.int(2)),
            3 => format!("S := S + {{{}}}", self.int(2)),
            4 => format!("S := S - {{{}}}", self.int(1)),
            5 => format!("x, y := {}, {}", self.option(1), self.option(1)),
            6 => format!("v.1 := {}", self.option(1)),
            7 => {
                let value = self.option(2);
                self.named += 1;
                let name = format!("w{}", self.named);
                let text = format!("{name} := y\n{name} := {value}");
                self.locals.push(name);
                text
            }
            8 => format!("for _ in 1..2 do {} od", self.block(depth - 1, false)),
            // Within the procedure itself, the first of its names is its own.
            9 if self.locals.first().is_none_or(|name| name != "kept") => format!("keep({})", self.option(1)),
            _ => {
                let (g, h) = (self.bool(2), self.bool(1));
                let joint = ["[]", "[] otherwise"][self.below(2)];
                format!(
                    "if {g} -> {}\n{joint} {h} -> {}\n[] otherwise -> {}\nfi",
                    self.block(depth - 1, false),
                    self.block(depth - 1, false),
                    self.block(depth - 1, false)
                )
            }
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "algorithm random_options\nassumes unidirectional ring, knows n, n >= 2\n\
             message M(k: Int?, d: Int)\nvar x, y : Int?\nvar z : Int\nvar S : set of Int\nvar v : (Int?, Int)\n\
             function least_of(a: Int?, b: Int) : Int = if a != none and a < b then a else b\n",
        );
        self.locals.push("kept".into());
        text += &format!("procedure keep(kept: Int?)\nz := z + 0\n{}\n", self.block(1, false));
        self.locals.clear();
        for state in ["s", "t"] {
            text += &format!("state {state}\n");
            text += &format!("send M({}, {})\n", self.option(1), self.int(1));
            if self.below(2) == 0 {
                text += &self.block(1, false);
                text += "\n";
            }
            text += "receive M(k, d)\nz := (z + d) mod 7\n";
            self.locals.push("k".into());
            text += &self.block(2, true);
            self.locals.clear();
            let guard = self.bool(1);
            self.locals.push("j".into());
            text += &format!("\non M(j, _) when {guard} -> skip\n{}\n", self.block(2, true));
            self.locals.clear();
            let guard = self.bool(1);
            text += &format!("when z = 3 and {guard} -> z := 0\n{}\n", self.block(1, true));
        }
        text += "always\nignore M\n";
        text
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn an_option_that_is_none_has_been_warned_about(
        numbers in proptest::collection::vec(any::<u32>(), 40..300),
        seed in any::<u64>(),
    ) {
        let text = Draw { numbers: &numbers, next: 0, locals: Vec::new(), named: 0 }.program();
        let checked = synod::internals::check::check("random.syn", &text, &|_| None);
        let errors: Vec<String> = checked
            .diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(|d| format!("{}: {}", checked.sources.place(d.span), d.message()))
            .collect();
        prop_assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
        let warned: BTreeSet<_> =
            checked.diagnostics.iter().filter(|d| d.code() == codes::MAY_BE_NONE).map(|d| d.span).collect();
        let program = Arc::new(checked.program.unwrap());
        let topology = Spec::parse("ring(2)").unwrap();
        let instance = instantiate(&program, &InstanceOptions { topology: Some(topology), ..InstanceOptions::default() }).unwrap();
        for schedule in [Schedule::Fifo, Schedule::Random, Schedule::Adversary] {
            let options = SimulateOptions { schedule, seed, max_steps: Some(60), ..SimulateOptions::default() };
            if let Outcome::Aborted(abort) = simulate(&instance, &options, &mut Unobserved).outcome
                && abort.message.ends_with("is none, but a value is needed")
            {
                let place = checked.sources.place(abort.span);
                prop_assert!(warned.contains(&abort.span), "{place}: {}\n{text}", abort.message);
            }
        }
    }
}
