//! Properties of every kind, and views.

use super::clauses::clause;
use super::patterns::STABLE_FOR_EACH;
use super::{Generator, Role, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

impl Generator {
    pub fn properties(&mut self) -> Vec<Tree> {
        use Switch::*;
        self.repeated = false;
        let mut all = vec![];
        self.states = self.all_states.clone();
        let count = match self.has(Problem) {
            true => self.dice.below(3),
            // Most other properties tell processes apart, or prevent symmetry because they are about infinite runs.
            false if self.alike && !self.claims.is_empty() => [0, 0, 1, 2][self.dice.below(4)],
            false => 2 + self.dice.below(4),
        };
        for number in 0..count {
            let kinds: &[Switch] =
                &[Invariant, Invariant, Stable, Finally, Eventually, Settles, LeadsTo, Bound, Exactly];
            // Liveness properties reveal a view that ignores which message came.
            let views = self.has(Unordered) && (self.has(ViewWithout) || self.has(ViewShift));
            let runs = views && self.use_it(UnorderedView, 60);
            let kinds = if runs { &[Eventually, Settles, LeadsTo][..] } else { kinds };
            let kind = self.take(kinds).unwrap_or(Invariant);
            self.used.set(kind, true);
            all.push(self.within(Where::Property, |g| g.property(kind, number)));
        }
        let claims = std::mem::take(&mut self.claims);
        let claims = (0..).zip(claims);
        all.extend(claims.map(|(number, (kind, claim))| match kind {
            STABLE_FOR_EACH => clause(format!("stable x{number} for p in processes: {claim}")),
            _ => clause(format!("{kind} x{number}: {claim}")),
        }));
        all
    }

    fn property(&mut self, kind: Switch, number: usize) -> Tree {
        use Switch::*;
        if matches!(kind, Bound | Exactly) {
            return self.cost(kind, number);
        }
        let word = match kind {
            Invariant => "invariant",
            Stable => "stable",
            Finally => "finally",
            Eventually => "eventually",
            Settles => "settles",
            _ => "leads",
        };
        let each = self.use_it(ForEach, 30);
        let binder = if each { " for p in processes" } else { "" };
        if each {
            self.processes.push("p".into());
        }
        let first = match kind {
            Stable if self.use_it(FailingStable, 40) => self.failing_claim(each),
            _ => self.claim(each),
        };
        let mut form = format!("{word} r{number}{binder}: #");
        let mut parts = vec![first];
        if kind == LeadsTo {
            form.push_str(" leads to #");
            parts.push(self.claim(each));
        }
        Tree::fixed(form, parts)
    }

    /// Return a predicate that usually holds in some configurations only.
    fn claim(&mut self, each: bool) -> Tree {
        use Switch::*;
        if each {
            return self.bool(2);
        }
        if self.use_it(FailingProperty, 10) {
            return self.failing_claim(false);
        }
        if self.use_it(ListInSet, if self.alike { 20 } else { 8 }) {
            return self.list_in_set();
        }
        if self.use_it(LeastByName, 4) {
            let text = "(forall p, q with p != q: ((least k in {0, 1} by (if k = 0 then p else q)) = 0) implies p.a >= q.a)";
            return Tree::expr(Ty::Bool, text, vec![]);
        }
        if self.use_it(LeastOfList, 4) {
            let text = "(forall p, q with p != q: ((least k in [p, q]) = p) implies p.a <= q.a)";
            return Tree::expr(Ty::Bool, text, vec![]);
        }
        if !self.alike && self.use_it(PropertyPorts, 10) {
            let port = self.vars.iter().find(|v| v.ty == Ty::optional(Ty::Port)).map(|v| v.name.clone());
            if let (Some(port), true) = (&port, matches!(self.model, ReadsNeighbours | Pairs)) {
                let text = format!(
                    "(forall p with p.{port} != none: neighbour(p, p.{port}).{port} = far_end(p, p.{port}))"
                );
                return Tree::expr(Ty::Bool, text, vec![]);
            }
            if let Some(port) = port {
                let text = format!("(forall p with p.{port} != none: neighbour(p, p.{port}).a <= p.a)");
                return Tree::expr(Ty::Bool, text, vec![]);
            }
        }
        if matches!(self.model, ReadsNeighbours | Pairs) && self.use_it(Enabled, 20) {
            let text = ["(some p: p.enabled)", "((count p: p.enabled) != 1)"][self.dice.below(2)];
            return Tree::expr(Ty::Bool, text, vec![]);
        }
        match self.dice.below(6) {
            0 => Tree::expr(Ty::Bool, "(forall p: p.a < #)", vec![self.int(0)]),
            1 => Tree::expr(Ty::Bool, "(some p: p.halted)", vec![]),
            2 => self.with_local("p", Ty::Process, |g| {
                let body = g.bool(2);
                Tree::expr(Ty::Bool, "((count p: #) <= 1)", vec![body])
            }),
            3 => self.with_local("p", Ty::Process, |g| {
                g.with_local("q", Ty::Process, |g| {
                    let body = g.bool(2);
                    Tree::expr(Ty::Bool, "(forall p, q with p != q: #)", vec![body])
                })
            }),
            _ => {
                let word = ["forall", "some"][self.dice.below(2)];
                self.with_local("p", Ty::Process, |g| {
                    let body = g.bool(3);
                    Tree::expr(Ty::Bool, format!("({word} p: #)"), vec![body])
                })
            }
        }
    }

    /// Return a predicate that fails for some values, is true for some, and false for some.
    fn failing_claim(&mut self, each: bool) -> Tree {
        let number = 1 + self.dice.below(3);
        let sign = ["> 0", "= 1", "!= 2", ">= 0", "< 2"][self.dice.below(5)];
        let body = format!("({number} div p.a) {sign}");
        let word = ["forall", "forall", "some"][self.dice.below(3)];
        let text = if each { format!("({body})") } else { format!("({word} p: {body})") };
        Tree::expr(Ty::Bool, text, vec![])
    }

    /// Return a comparison of the list of all processes' values with some lists.
    fn list_in_set(&mut self) -> Tree {
        let n = self.processes_of_network();
        // Values of one process differ from those of the others.
        let lists = (0..1 + self.dice.below(2)).map(|_| {
            let most = if self.dice.chance(70) { 0 } else { self.dice.below(3) };
            let (other, place) = ((most + 1 + self.dice.below(2)) % 3, self.dice.below(n));
            let numbers = (0..n).map(|p| if p == place { other } else { most }.to_string());
            format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
        });
        let lists: Vec<String> = lists.collect();
        let not = ["not ", ""][self.dice.below(2)];
        let text = format!("({not}([p.a for p in processes] in {{{}}}))", lists.join(", "));
        Tree::expr(Ty::Bool, text, vec![])
    }

    fn cost(&mut self, kind: Switch, number: usize) -> Tree {
        use Switch::*;
        let rounds = self.in_rounds() || matches!(self.model, ReadsNeighbours | Pairs);
        let measure = match self.take(&[CostMessages, CostBits, CostTime, CostRounds]) {
            Some(CostBits) => "bits",
            Some(CostTime) => "time",
            Some(CostRounds) if rounds => "rounds",
            _ => "messages",
        };
        let most = match self.dice.below(3) {
            _ if self.use_it(FailingLimit, 25) => {
                let number = 1 + self.dice.below(6);
                format!("{number} div (sum p: p.a)")
            }
            0 => "2 * n".to_string(),
            _ => self.dice.below(6).to_string(),
        };
        let measure = match (measure, self.has(Problem)) {
            ("rounds", _) | (_, false) => measure.to_string(),
            _ if self.use_it(CostPer, 50) => {
                let (operation, _) = *self.dice.pick(self.interface.operations);
                format!("{measure} per {operation}{}", ["", "", " + 1"][self.dice.below(3)])
            }
            _ => measure.to_string(),
        };
        let (word, sign) = match kind {
            Exactly => ("exactly", "="),
            _ => ("bound", ["<=", "<=", "<", ">="][self.dice.below(4)]),
        };
        // Counts on both sides, or several of them.
        if measure == "messages" && self.use_it(CostOnBothSides, 40) {
            let many = 1 + self.dice.below(3);
            let (left, right) = match self.dice.below(5) {
                0 => (measure, format!("{many} * bits - {most}")),
                1 => (format!("{many} * messages - bits"), most),
                2 => ("bits - messages + (sum p: p.a)".into(), format!("{many} * messages")),
                3 => (most, format!("bits - {many} * messages")),
                _ => ("messages - (sum p: p.a)".into(), format!("{most} + (messages - bits) * {many}")),
            };
            return self.with_premise(format!("{word} r{number}:"), format!("{left} {sign} {right}"));
        }
        let comparison = format!("{measure} {sign} {most}");
        match self.used.has(CostPer) {
            true => clause(format!("{word} r{number}: {comparison}")),
            false => self.with_premise(format!("{word} r{number}:"), comparison),
        }
    }

    /// Return a property of costs that may apply to some ends only.
    fn with_premise(&mut self, start: String, comparison: String) -> Tree {
        if !self.use_it(Switch::CostPremise, 25) {
            return clause(format!("{start} {comparison}"));
        }
        let premise = self.claim(false);
        Tree::fixed(format!("{start} # implies {comparison}"), vec![premise])
    }

    pub fn views(&mut self) -> Vec<Tree> {
        let mut all = vec![];
        if self.vars.iter().any(|v| v.role == Role::LeftOut) {
            // Seldom leave out a variable that decides: the view is then only claimed.
            let other = if self.dice.chance(15) { ", c" } else { "" };
            let other = if self.vars.iter().any(|v| v.name == "c") { other } else { "" };
            let note = if self.has(Switch::Layer) { "" } else { ", Note.w" };
            let set = if self.vars.iter().any(|v| v.name == "ws") { ", ws" } else { "" };
            all.push(clause(format!("view without w0{note}{set}{other}")));
        }
        if self.vars.iter().any(|v| v.role == Role::Shifted) {
            all.push(clause("view z0, z1, Clock.z up to shift"));
        }
        all
    }
}
