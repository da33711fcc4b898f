//! Problems with operations and upcalls, and algorithms that solve them. Their calls, returns and upcalls are the history that order
//! properties read.

use super::clauses::clause;
use super::patterns::{arguments, plain};
use super::{Generator, Role, Var, Where, waiting};
use crate::random::print::text;
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

/// The operations of a problem, each with or without an argument, and its upcall.
#[derive(Clone, Copy, Debug)]
pub struct Interface {
    pub operations: &'static [(&'static str, bool)],
    pub upcall: Option<&'static str>,
}

pub const INTERFACES: [Interface; 5] = [
    // Mutual exclusion, twice as often as the others.
    Interface { operations: &[("enter", false), ("exit", false)], upcall: None },
    Interface { operations: &[("enter", false), ("exit", false)], upcall: None },
    // Multicast.
    Interface { operations: &[("cast", true)], upcall: Some("deliver") },
    // A register.
    Interface { operations: &[("write", true), ("read", false)], upcall: Some("told") },
    // Questions with several answers.
    Interface { operations: &[("ask", false)], upcall: Some("answer") },
];

impl Interface {
    fn is_exclusive(&self) -> bool {
        self.operations[0].0 == "enter"
    }
}

impl Generator {
    /// Return an algorithm with operations, and add the file of its problem.
    pub fn operations(&mut self) -> Vec<Tree> {
        let problem = self.problem_text();
        self.case.files.push(("work".into(), problem));
        self.states.clear();
        self.state = 0;
        let solution = if self.dice.chance(60) { self.solution() } else { None };
        solution.unwrap_or_else(|| self.any_operations())
    }

    // ---- The problem

    /// Return the outputs of a problem with some properties, and make them variables.
    pub fn outputs(&mut self) -> String {
        use Switch::*;
        let initially = self.use_it(OutputInitially, 70);
        let number = match initially {
            true => ["0..2 initially 1", "0..1 initially any", "0..2 initially 5 mod 3"][self.dice.below(3)],
            false => "0..2",
        };
        let most = if number.starts_with("0..1") { 1 } else { 2 };
        let truth = match (initially, self.dice.below(3)) {
            (false, _) | (_, 0) => "Bool",
            (_, 1) => "Bool initially true",
            _ => "Bool initially any",
        };
        let mut all = format!("output out0 : {number}\noutput out1 : {truth}\n");
        self.vars.push(Var { name: "out0".into(), ty: Ty::Int, most: Some(most), role: Role::Plain });
        self.vars.push(Var { name: "out1".into(), ty: Ty::Bool, most: None, role: Role::Plain });
        // Neighbours read variables only.
        if !matches!(self.model, ReadsNeighbours | Pairs) && self.use_it(OutputDefined, 60) {
            let definition = ["out0 > 0", "not out1", "out0 = 1 or out1", "out1 and 2 div out0 > 1"];
            let definition = definition[self.dice.below(if self.fails { 4 } else { 3 })];
            all.push_str(&format!("output out2 : Bool := {definition}\n"));
            // Commands read the definition, or assign the output, which then has none.
            let role = if self.dice.chance(30) { Role::Plain } else { Role::Fuel };
            self.vars.push(Var { name: "out2".into(), ty: Ty::Bool, most: None, role });
        }
        let properties = [
            "invariant few: kind = one implies (count p: p.out1) <= 1\n",
            "finally told: forall p: p.out0 > 0\n",
            "stable remains for p in processes: p.out1\n",
            "settles same: forall p, q: p.out0 = q.out0\n",
        ];
        for property in properties {
            if self.dice.chance(40) {
                all.push_str(property);
            }
        }
        all
    }

    fn problem_text(&mut self) -> String {
        let interface = self.interface;
        let word = if self.has(Switch::Restarts) && self.use_it(Switch::StableVar, 40) {
            "persistent var"
        } else {
            "var"
        };
        let mut all = "problem Work(kind: one | two)\nparam most : Int = 1\n".to_string();
        all.push_str(&match interface.is_exclusive() {
            true => format!("{word} waiting, inside : Bool\n"),
            false => format!("{word} sent, got : Int\n"),
        });
        for (name, has_argument) in interface.operations {
            all.push_str(&match (*name, has_argument) {
                ("enter", _) => {
                    "operation enter\n  waiting := true\n  algorithm.enter\n  waiting := false; inside := true\n".into()
                }
                ("exit", _) => "operation exit\n  inside := false\n  algorithm.exit\n".into(),
                (name, true) => format!("operation {name}(m: Int)\n  sent := m\n  algorithm.{name}(m)\n"),
                (name, false) => format!("operation {name}\n  algorithm.{name}\n"),
            });
        }
        if let Some(upcall) = interface.upcall {
            let command = ["got := m", "got := max(got, m)", "got := if m > 0 then 1 else 0"];
            all.push_str(&format!("on algorithm.{upcall}(m) -> {}\n", command[self.dice.below(3)]));
        }
        all.push_str(&self.outputs.clone());
        all.push_str(&format!("client\n{}\n", self.client()));
        let properties = match interface.is_exclusive() {
            true => [
                "invariant one: (count p: p.inside) <= 1\n",
                "leads comes for p: p.waiting leads to p.inside\n",
                "stable stays for p in processes: p.inside\n",
                "finally out: forall p: not p.waiting\n",
            ],
            false => [
                "invariant small: forall p: p.got < 2\n",
                "leads comes for p in processes: p.sent > 0 leads to p.got > 0\n",
                "stable stays for p in processes: p.got > 0\n",
                "finally agreed: forall p, q: p.got = q.got\n",
            ],
        };
        for property in properties {
            if self.dice.chance(40) {
                all.push_str(property);
            }
        }
        if self.use_it(Switch::OrderPremise, 50) {
            let premise = ["kind = one", "kind = two", "most > 0", "kind = two and n > 1"];
            let premise = premise[self.dice.below(4)];
            let order = self.within(Where::Property, |g| g.order_formula());
            all.push_str(&format!("order by_kind: {premise} implies {}\n", text(&order)));
        }
        all
    }

    /// Return the statements of a client: a few calls, at times for ever, by choice, or with several arguments.
    fn client(&mut self) -> String {
        let interface = self.interface;
        let mut calls = vec![];
        let rounds = if self.dice.chance(35) { 2 } else { 1 };
        for _ in 0..rounds {
            for (name, has_argument) in interface.operations {
                if !interface.is_exclusive() && self.dice.chance(30) && !calls.is_empty() {
                    continue;
                }
                if self.dice.chance(50) {
                    calls.push("pause".to_string());
                }
                calls.push(match (has_argument, self.dice.below(8)) {
                    (false, _) => name.to_string(),
                    (true, 0) => format!("choose k in {{0, 1}}; {name}(k)"),
                    (true, 1) => format!("for k in 1..2 do {name}(k) od"),
                    (true, _) => format!("{name}({})", self.dice.below(3)),
                });
            }
        }
        let calls = calls.join("; ");
        match self.dice.below(20) {
            0 | 1 => format!("  do true -> pause; {calls} od"),
            2..=4 => format!("  if true -> {calls} [] true -> skip fi"),
            5..=11 => format!("  {calls}\n  halt"),
            _ => format!("  {calls}"),
        }
    }

    // ---- The algorithm

    /// Return operations and handlers of random commands.
    fn any_operations(&mut self) -> Vec<Tree> {
        let mut all = vec![];
        for (name, has_argument) in self.interface.operations {
            let before = std::mem::replace(&mut self.repeated, true);
            self.locals.extend(has_argument.then(|| ("given".to_string(), Ty::Int)));
            let mut parts = vec![self.block(1)];
            if *name != "exit" && self.dice.chance(70) {
                parts.push(self.wait());
            }
            parts.push(self.block_of(1, 1));
            self.locals.clear();
            self.repeated = before;
            let parameter = if *has_argument { "(given: Int)" } else { "" };
            all.push(Tree::fixed(format!("operation {name}{parameter}\n#"), vec![Tree::lines(parts)]));
        }
        let most = 1 + self.dice.below(3);
        let handlers = self.handlers(most);
        all.push(Tree::fixed("always\n#", vec![handlers]));
        all
    }

    /// Return operations that send a message, may wait for answers, and make upcalls, with handlers that answer.
    fn solution(&mut self) -> Option<Vec<Tree>> {
        let (name, rest) = self.unlike_message()?;
        let (to, _) = self.all_others();
        let send =
            |number: &str| format!("send {}", waiting::pattern(&name, &arguments(number, &rest, plain)));
        let take = |into: &str| waiting::pattern(&name, &arguments(into, &rest, |_| "_".into()));
        let interface = self.interface;
        let ring = self.shape == Switch::UnidirectionalRing;
        let all_of_them = match (self.by_ids(), ring) {
            (true, _) => "size(others)",
            (_, true) => "1",
            _ => "degree",
        };
        let answers = self.dice.chance(50);
        let is_token = interface.is_exclusive() && self.dice.chance(35);
        let mut operations = vec![];
        for (number, (operation, has_argument)) in interface.operations.iter().enumerate() {
            let value = if *has_argument { "given".to_string() } else { number.to_string() };
            let mut lines = vec![];
            if *has_argument && self.dice.chance(50) {
                lines.push("a := given".to_string());
            }
            match (is_token, *operation) {
                (true, "exit") => lines.extend(["b := false".into(), format!("{} to {to}", send("1"))]),
                (true, _) => lines.push("await b".into()),
                (false, operation) => {
                    if answers && operation != "exit" {
                        lines.push("acks := 0".into());
                    }
                    if self.dice.chance(85) {
                        lines.push(format!("{} to {to}", send(&value)));
                    }
                    match self.dice.below(4) {
                        _ if operation == "exit" => {}
                        _ if answers => lines.push(format!("await acks >= {all_of_them}")),
                        0 => lines.push("pause".into()),
                        1 => lines.push(format!("receive {}", take("_"))),
                        _ => {}
                    }
                }
            }
            if let Some(upcall) = interface.upcall.filter(|_| self.dice.chance(65)) {
                let value = if *has_argument && self.dice.chance(70) { "given" } else { "a" };
                let place = if self.dice.chance(60) { lines.len() } else { 0 };
                lines.insert(place, format!("{upcall}({value})"));
            }
            if lines.is_empty() {
                lines.push("skip".into());
            }
            let lines: Vec<Tree> = lines.into_iter().map(clause).collect();
            let parameter = if *has_argument { "(given: Int)" } else { "" };
            operations
                .push(Tree::fixed(format!("operation {operation}{parameter}\n#"), vec![Tree::lines(lines)]));
        }
        let mut handlers = vec![];
        if is_token {
            handlers.push(clause("on wakeup -> b := true"));
        }
        // An answer is a number that no operation sends.
        let (q, k) = (self.new_name("q"), self.new_name("k"));
        let mut lines = vec![];
        if is_token {
            lines.push("b := true".to_string());
        }
        if self.dice.chance(60) {
            lines.push(format!("a := {k}"));
        }
        let upcall = interface.upcall.filter(|_| self.dice.chance(85));
        let is_late = upcall.is_some() && self.dice.chance(20);
        match upcall {
            Some(_) if is_late => lines.push(format!("a := {k}; late := true")),
            Some(upcall) => lines.push(format!("{upcall}({k})")),
            None => {}
        }
        if let (true, Some(upcall)) = (is_late, upcall) {
            handlers.push(clause(format!("when late -> late := false; {upcall}(a)")));
        }
        if answers && !is_token {
            let answer = if ring { send("7") } else { format!("{} to {q}", send("7")) };
            let place = if self.dice.chance(50) { lines.len() } else { 0 };
            lines.insert(place, answer);
            handlers.push(clause(format!("on {} -> acks := acks + 1", take("7"))));
        }
        if self.dice.chance(25) {
            lines.push(format!(
                "if fuel > 0 -> fuel := fuel - 1; {} to {to} [] otherwise -> skip fi",
                send(&k)
            ));
        }
        if lines.is_empty() {
            lines.push("skip".into());
        }
        let lines: Vec<Tree> = lines.into_iter().map(clause).collect();
        let form = format!("on {} from {q} when {k} < 7 -> #", take(&k));
        handlers.push(Tree::fixed(form, vec![Tree::lines(lines)]));
        if self.dice.chance(20) {
            handlers.extend(self.handlers(1).parts);
        }
        let variables = clause("var acks : Int\nvar late : Bool");
        let always = Tree::fixed("always\n#", vec![Tree::lines(handlers)]);
        Some([vec![variables], operations, vec![always]].concat())
    }
}
