//! Properties of the history: quantifiers over calls, returns and upcalls, with conditions on their processes, numbers, values and order.

use super::{Generator, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

/// A list of events.
#[derive(Clone, Debug)]
struct Source {
    text: String,
    is_call: bool,
    is_upcall: bool,
    has_value: bool,
}

/// A name of an event.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    is_call: bool,
    has_value: bool,
}

fn truth(form: impl Into<String>, parts: Vec<Tree>) -> Tree {
    Tree::expr(Ty::Bool, form, parts)
}

impl Generator {
    /// Return several properties of the history, most of them `order`.
    pub fn orders(&mut self) -> Vec<Tree> {
        let count = 1 + self.dice.below(3);
        (0..count).map(|number| self.within(Where::Property, |g| g.order(number))).collect()
    }

    fn order(&mut self, number: usize) -> Tree {
        use Switch::*;
        let each = self.use_it(OrderForEach, 20);
        let binder = if each { " for p in processes" } else { "" };
        if each {
            self.processes.push("p".into());
        }
        let kind = match self.dice.below(100) {
            _ if !self.on.has(HistoryInOthers) => "order",
            0..=7 => "invariant",
            8..=13 => "finally",
            14..=17 => "stable",
            18..=20 => "eventually",
            21..=23 => "settles",
            24..=26 => "leads",
            _ => "order",
        };
        self.used.set(if kind == "order" { Order } else { HistoryInOthers }, true);
        let mut parts = vec![self.order_formula()];
        let mut form = format!("{kind} o{number}{binder}: #");
        if kind == "leads" {
            form.push_str(" leads to #");
            parts.push(self.order_formula());
        }
        Tree::fixed(form, parts)
    }

    fn sources(&self) -> Vec<Source> {
        let mut all = vec![];
        for (name, has_value) in self.interface.operations {
            for (word, is_call) in [("calls", true), ("returns", false)] {
                let has_value = *has_value && is_call;
                all.push(Source { text: format!("{word} of {name}"), is_call, is_upcall: false, has_value });
            }
        }
        let upcall = |name| Source {
            text: format!("upcalls of {name}"),
            is_call: false,
            is_upcall: true,
            has_value: true,
        };
        all.extend(self.interface.upcall.map(upcall));
        all
    }

    fn source(&mut self, fits: impl Fn(&Source) -> bool) -> Option<Source> {
        let all: Vec<Source> = self.sources().into_iter().filter(fits).collect();
        if all.is_empty() { None } else { Some(self.dice.pick(&all).clone()) }
    }

    fn named(&mut self, source: &Source) -> Named {
        Named { name: self.new_name("e"), is_call: source.is_call, has_value: source.has_value }
    }

    /// Return a formula over the history, in one of several shapes.
    pub fn order_formula(&mut self) -> Tree {
        use Switch::*;
        let made = match self.dice.below(10) {
            0 => self.use_it(OrderShapes, 100).then(|| self.precedence()),
            1 => self.use_it(OrderShapes, 100).then(|| self.in_turn()),
            2 => self.use_it(OrderShapes, 100).then(|| self.causally()).flatten(),
            3 => self.use_it(OrderShapes, 100).then(|| self.apart()),
            4 => self.use_it(HistoryCount, 100).then(|| self.counted()),
            _ => None,
        };
        let depth = if self.use_it(OrderChain, 60) { 3 } else { 2 };
        let formula = made.unwrap_or_else(|| self.formula(depth, &[]));
        match self.use_it(OrderPremise, 15) {
            true => {
                let premise = ["n > 1", "n = 2", "most > 0", "most > 1", "false", "true", "1 + 1 = 2"];
                let premise = truth(premise[self.dice.below(premise.len())], vec![]);
                truth("(# implies #)", vec![premise, formula])
            }
            false => formula,
        }
    }

    // ---- Shapes of the literature

    /// Return that each event of one kind comes after an event of another, or before one.
    fn precedence(&mut self) -> Tree {
        let (first, second) = (self.any_source(), self.any_source());
        let (a, b) = (self.named(&first), self.named(&second));
        let same = ["process", "nth", "value"][self.dice.below(3)];
        let same = if same == "value" && !(a.has_value && b.has_value) { "process" } else { same };
        let (x, y) = (&a.name, &b.name);
        let order = match self.dice.below(4) {
            0 => format!("{x} before {y}"),
            1 => format!("{y} happened before {x}"),
            _ => format!("{y} before {x}"),
        };
        let order = truth(format!("({order})"), vec![]);
        let condition = truth(format!("({x}.{same} = {y}.{same})"), vec![]);
        let inner = truth(format!("(some {y} in {}: (# and #))", second.text), vec![condition, order]);
        self.guarded_forall(&[(a, first)], inner)
    }

    /// Return that what is asked for first is answered first.
    fn in_turn(&mut self) -> Tree {
        let (first, then) = (self.any_source(), self.any_source());
        let [r, s, t, u] = [0; 4].map(|_| self.new_name("e"));
        let order = ["happened before", "before"][self.dice.below(2)];
        let apart =
            [format!(" and {r}.process != {s}.process"), String::new(), format!(" and {r}.nth = {s}.nth")];
        let apart = &apart[self.dice.below(3)];
        let last =
            [format!("{u} before {t}"), format!("{u} happened before {t}"), format!("not ({t} before {u})")];
        let last = &last[self.dice.below(3)];
        let (first, then) = (&first.text, &then.text);
        truth(
            format!(
                "(forall {r} in {first}, {s} in {first} with {r} {order} {s}{apart}: \
                 forall {t} in {then} with {t}.process = {s}.process and {t}.nth = {s}.nth: \
                 some {u} in {then}: {u}.process = {r}.process and {u}.nth = {r}.nth and {last})"
            ),
            vec![],
        )
    }

    /// Return that effects of a call come before those of what it causes.
    fn causally(&mut self) -> Option<Tree> {
        let calls = self.source(|s| s.is_call && s.has_value)?.text;
        let upcalls = self.source(|s| s.is_upcall)?.text;
        let [a, b, t, u] = [0; 4].map(|_| self.new_name("e"));
        let cause = match self.dice.below(4) {
            0 => format!("{a} happened before {b}"),
            1 => format!("{a} before {b} and {a}.process = {b}.process"),
            _ => format!("multicast_before({a}, {b})"),
        };
        let order = [format!("{t} before {u}"), format!("{t} happened before {u}")];
        let order = &order[self.dice.below(2)];
        Some(truth(
            format!(
                "(forall {a} in {calls}, {b} in {calls} with {cause}: forall {u} in {upcalls} with {u}.value = {b}.value: \
                 some {t} in {upcalls}: {t}.process = {u}.process and {t}.value = {a}.value and {order})"
            ),
            vec![],
        ))
    }

    /// Return that no two events of one kind are concurrent, or equal in some respect.
    fn apart(&mut self) -> Tree {
        let source = self.any_source();
        let (a, b) = (self.named(&source), self.named(&source));
        let (x, y) = (&a.name, &b.name);
        let alternative = match self.dice.below(4) {
            0 => format!("{x}.process = {y}.process"),
            1 if a.has_value => format!("{x}.value != {y}.value"),
            2 => format!("{x}.nth != {y}.nth"),
            _ => format!("{x} happened before {y} or {y} happened before {x}"),
        };
        truth(format!("(forall {x}, {y} in {}: {x} = {y} or {alternative})", source.text), vec![])
    }

    /// Return a comparison of numbers of events.
    fn counted(&mut self) -> Tree {
        let (first, second) = (self.any_source(), self.any_source());
        let more = self.dice.below(3);
        match self.dice.below(6) {
            0 => truth(format!("(size({}) <= {})", first.text, more + 1), vec![]),
            1 | 2 => truth(format!("(size({}) <= size({}) + {more})", first.text, second.text), vec![]),
            3 => {
                let a = self.named(&first);
                let name = a.name.clone();
                let condition = self.atom(&[a]);
                truth(format!("((count {name} in {}: #) <= {})", first.text, more + 1), vec![condition])
            }
            4 => {
                let e = self.new_name("e");
                truth(format!("(size({{ {e}.process for {e} in {} }}) < 2)", first.text), vec![])
            }
            _ => truth(
                format!("({0} = [] or {1} = [] or last({0}) before last({1}))", first.text, second.text),
                vec![],
            ),
        }
    }

    // ---- Random formulas

    fn any_source(&mut self) -> Source {
        let all = self.sources();
        self.dice.pick(&all).clone()
    }

    /// Return `forall` over these names, at times with a condition.
    fn guarded_forall(&mut self, all: &[(Named, Source)], body: Tree) -> Tree {
        let binders: Vec<String> =
            all.iter().map(|(named, source)| format!("{} in {}", named.name, source.text)).collect();
        let names: Vec<Named> = all.iter().map(|(named, _)| named.clone()).collect();
        match self.dice.chance(30) {
            true => {
                let condition = self.atom(&names);
                truth(format!("(forall {} with #: #)", binders.join(", ")), vec![condition, body])
            }
            false => truth(format!("(forall {}: #)", binders.join(", ")), vec![body]),
        }
    }

    fn formula(&mut self, depth: usize, named: &[Named]) -> Tree {
        if depth == 0 {
            return self.atoms(named);
        }
        let d = depth - 1;
        match self.dice.below(if named.is_empty() { 16 } else { 20 }) {
            0..=8 => self.quantified("forall", d, named),
            9..=12 => self.quantified("some", d, named),
            13 => {
                let inner = self.quantified("some", d, named);
                truth("(not #)", vec![inner])
            }
            14 => {
                let parts = vec![self.quantified("some", 0, named), self.formula(d, named)];
                truth("(# implies #)", parts)
            }
            15 => {
                let form = ["(# and #)", "(# or #)"][self.dice.below(2)];
                truth(form, vec![self.formula(d, named), self.formula(d, named)])
            }
            16 => truth("(# implies #)", vec![self.atom(named), self.formula(d, named)]),
            17 => truth("(# or #)", vec![self.atom(named), self.formula(d, named)]),
            _ => self.atoms(named),
        }
    }

    fn quantified(&mut self, word: &str, depth: usize, named: &[Named]) -> Tree {
        let mut inner = named.to_vec();
        let mut binders = vec![];
        let mut parts = vec![];
        let over_processes = self.dice.chance(12);
        for _ in 0..if over_processes { 1 } else { 1 + usize::from(self.dice.chance(45)) } {
            let source = self.any_source();
            let new = self.named(&source);
            binders.push(format!("{} in {}", new.name, source.text));
            inner.push(new);
        }
        if over_processes {
            let p = self.new_name("p");
            binders.insert(0, format!("{p} in processes"));
            self.processes.push(p);
        }
        let with = self.dice.chance(75);
        if with {
            parts.push(self.atoms(&inner));
        }
        parts.push(self.formula(depth, &inner));
        if over_processes {
            self.processes.pop();
        }
        let with = if with { " with #" } else { "" };
        truth(format!("({word} {}{with}: #)", binders.join(", ")), parts)
    }

    /// Return one condition, or a few.
    fn atoms(&mut self, named: &[Named]) -> Tree {
        match self.dice.below(10) {
            0..=4 => self.atom(named),
            5..=7 => truth("(# and #)", vec![self.atom(named), self.atom(named)]),
            8 => truth("(# or #)", vec![self.atom(named), self.atom(named)]),
            _ => truth("(not #)", vec![self.atom(named)]),
        }
    }

    /// Return a condition on events, mostly on the last one named and another one.
    fn atom(&mut self, named: &[Named]) -> Tree {
        let Some((a, others)) = named.split_last() else { return truth("(n > 1)", vec![]) };
        if others.is_empty() || self.dice.chance(25) {
            let a = if self.dice.chance(70) { a } else { self.dice.pick(named) };
            let a = a.clone();
            return self.atom_of_one(&a);
        }
        let b = self.dice.pick(others).clone();
        let (x, y) = (&a.name, &b.name);
        let text = match self.dice.below(16) {
            0..=2 => format!("{x}.process = {y}.process"),
            3 => format!("{x}.process != {y}.process"),
            4 | 5 => format!("{x}.nth = {y}.nth"),
            6 => {
                let sign = ["<", "<=", ">", "!="][self.dice.below(4)];
                format!("{x}.nth {sign} {y}.nth")
            }
            7 if !(a.has_value && b.has_value) => format!("{x}.nth = {y}.nth + 1"),
            7 | 8 if a.has_value && b.has_value => format!("{x}.value = {y}.value"),
            9 if a.has_value && b.has_value => format!("{x}.value != {y}.value"),
            7..=9 => format!("{y} before {x}"),
            10 => format!("{x} before {y}"),
            11 | 12 => format!("{y} happened before {x}"),
            13 => format!("{x} happened before {y}"),
            14 if a.is_call && b.is_call => format!("multicast_before({y}, {x})"),
            14 => format!("{x} before {y}"),
            _ => {
                let sign = ["=", "!="][self.dice.below(2)];
                format!("{x} {sign} {y}")
            }
        };
        truth(format!("({text})"), vec![])
    }

    fn atom_of_one(&mut self, a: &Named) -> Tree {
        let x = &a.name;
        let text = match self.dice.below(10) {
            0 | 1 if a.has_value => {
                let sign = ["=", "!="][self.dice.below(2)];
                format!("{x}.value {sign} {}", self.dice.below(3))
            }
            2 | 3 if !self.processes.is_empty() => {
                let sign = ["=", "=", "!="][self.dice.below(3)];
                let p = self.dice.pick(&self.processes).clone();
                format!("{x}.process {sign} {p}")
            }
            4 if self.use_it(Switch::HistoryAndState, 50) => match self.interface.upcall {
                _ if self.dice.chance(30) => format!("{x}.process.up"),
                None => format!("{x}.process.inside"),
                Some(_) => format!("{x}.process.got > 0"),
            },
            5 if self.use_it(Switch::HistoryAndState, 50) => {
                let divided = if self.fails { "1 div " } else { "" };
                format!("{divided}{x}.process.a > 0")
            }
            6 => format!("{x}.process.index = {}", self.dice.below(2)),
            7 => format!("{x}.nth >= 2"),
            8 => format!("{x}.nth = 2"),
            _ => format!("{x}.nth = 1"),
        };
        truth(format!("({text})"), vec![])
    }
}
