//! Sequences of statements that seldom arise at random, and in which wrong verdicts have been found.

use super::{Generator, Role, Where, waiting};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

/// The kind of a property that is claimed for each process `p`.
pub const STABLE_FOR_EACH: &str = "stable for p";

impl Generator {
    /// Return two unlike messages to each neighbour; one is taken from each, and then another one. The result depends on the order.
    pub fn unlike_from_each(&mut self) -> Option<Tree> {
        if !self.has(Switch::Unordered) || !self.on.has(Switch::FromEach) {
            return None;
        }
        let (name, rest) = self.unlike_message()?;
        let (_, senders) = self.all_others();
        if !self.use_it(Switch::UnlikeFromEach, 70) {
            return None;
        }
        self.used.set(Switch::FromEach, true);
        let q = self.new_name("q");
        let maps = self.vars.iter().find(|v| v.ty == Ty::map(self.sender_type(), Ty::Int));
        let kept = maps.map_or("_".to_string(), |map| format!("{}[{q}]", map.name));
        let take = |into: &str| waiting::pattern(&name, &arguments(into, &rest, |_| "_".into()));
        let waits = format!("receive {} from each {q} in {senders}\nreceive {}", take(&kept), take("a"));
        Some(Tree::lines(vec![self.unlike_sends(&name, &rest), Tree::fixed(waits, vec![])]))
    }

    /// Return two unlike messages in one round, which the next statements read.
    pub fn many_in_round(&mut self) -> Option<Tree> {
        if !self.has(Switch::Unordered) {
            return None;
        }
        let (name, rest) = self.unlike_message()?;
        self.use_it(Switch::ManyInRound, 70).then(|| self.unlike_sends(&name, &rest))
    }

    /// Return a message with a number, and the types of its other fields, if there are neighbours to send it to.
    pub fn unlike_message(&self) -> Option<(String, Vec<Ty>)> {
        if self.by_ids() && !self.has(Switch::Peers) || self.has(Switch::Layer) {
            return None;
        }
        let message =
            self.messages.iter().find(|m| m.fields.first().is_some_and(|(_, ty)| *ty == Ty::Int))?;
        Some((message.name.clone(), message.fields[1..].iter().map(|(_, ty)| ty.clone()).collect()))
    }

    /// Return the words for all processes that a message may be sent to, and for those that may send one.
    pub fn all_others(&self) -> (&'static str, &'static str) {
        match (self.by_ids(), self.shape) {
            (true, _) => ("others", "others"),
            (false, Switch::UnidirectionalRing) => ("next", "{prev}"),
            _ => ("neighbours", "neighbours"),
        }
    }

    fn unlike_sends(&mut self, name: &str, rest: &[Ty]) -> Tree {
        let mut numbers = ["1", "0"];
        if self.dice.chance(50) {
            numbers.reverse();
        }
        let (to, _) = self.all_others();
        let send = |number: &&str| {
            let message = waiting::pattern(name, &arguments(number, rest, plain));
            Tree::fixed(format!("send {message} to {to}"), vec![])
        };
        Tree::lines(numbers.iter().map(send).collect())
    }

    /// Return the ends of an empty range that are far apart.
    pub fn far_ends(&mut self) -> (&'static str, &'static str) {
        let first = ["2", "9223372036854775807", "4611686018427387905"];
        let last = ["(-9223372036854775807)", "(-9223372036854775807 - 1)", "(-4611686018427387904)"];
        (first[self.dice.below(3)], last[self.dice.below(3)])
    }

    /// Return the beginning of the first state's body in one of the patterns, if one is possible.
    pub fn pattern_of_body(&mut self) -> Option<Tree> {
        use Switch::*;
        type Pattern = (&'static [Switch], fn(&mut Generator) -> Option<Tree>);
        const ALL: [Pattern; 10] = [
            (&[UnlikeFromEach], Generator::unlike_from_each),
            (&[PortTurns], Generator::turns_of_ports),
            (&[ListInSet], Generator::marks),
            (&[LeastByName, LeastOfList, NestedTurn], Generator::chosen_ports),
            (&[ViewOfSenders], Generator::view_of_senders),
            (&[FirstLocal, PartOfLocal], Generator::compared_with_shifted),
            (&[WaitingLayer], Generator::waiting_layer),
            (&[UnorderedView], Generator::owed_note),
            (&[FailingStable], Generator::failing_on_the_way),
            (&[FailingLimit], Generator::failing_at_an_end),
        ];
        let of_profile =
            ALL.iter().position(|(switches, _)| switches.iter().any(|s| self.profile.contains(s)));
        // Most patterns tell neighbours apart. Without one, interchangeable neighbours are exchanged.
        if self.alike && of_profile.is_none() && self.dice.chance(40) {
            return None;
        }
        let first = match of_profile {
            Some(first) => first,
            // Interchangeable neighbours matter most to what visits ports, or chooses them.
            None if self.alike && self.dice.chance(60) => [1, 3, 3][self.dice.below(3)],
            None => self.dice.below(ALL.len()),
        };
        let made = (0..ALL.len()).find_map(|number| ALL[(first + number) % ALL.len()].1(self))?;
        // Small programs are explored completely, and reductions have an effect.
        if self.bare.is_none() && (self.alike || self.has(Switch::WaitingLayer) || self.dice.chance(30)) {
            self.bare = Some(String::new());
        }
        Some(made)
    }

    /// Add properties that decide whether some process, or every process, can have each of these values in `a`.
    fn claim_values(&mut self, values: &[&str]) {
        for value in values {
            self.claims.push(("invariant", format!("(forall p: p.a != {value})")));
            self.claims.push(("invariant", format!("(some p: p.a != {value})")));
        }
    }

    fn map_of_ports(&self) -> Option<String> {
        let map = self.vars.iter().find(|v| v.ty == Ty::map(Ty::Port, Ty::Int))?;
        Some(map.name.clone())
    }

    /// Return a loop over ports after each neighbour has sent a number: the result, or an abort, may depend on the order of turns.
    fn turns_of_ports(&mut self) -> Option<Tree> {
        if self.by_ids() || self.shape == Switch::UnidirectionalRing {
            return None;
        }
        let (name, rest) = self.unlike_message()?;
        let map = self.map_of_ports()?;
        if !self.use_it(Switch::PortTurns, 70) {
            return None;
        }
        let (k, q, r) = (self.new_name("k"), self.new_name("q"), self.new_name("q"));
        let value = [format!("{map}[{r}]"), format!("(1 - {map}[{r}])")][self.dice.below(2)].clone();
        let variant = [0, 0, 1, 1, 2, 3, 4, 5, 6][self.dice.below(9)];
        // The order of turns decides whether a command fails; its result shows that it does not.
        let results =
            ["(forall p: not p.b)", "(forall p: p.b)", "(forall p: p.a < 9)", "(forall p: p.a > -9)"];
        self.claims.extend(results.get(variant).map(|result| ("invariant", result.to_string())));
        let (before, turn) = match variant {
            0 => ("b := false", format!("b := b or (1 div {value} > 0)")),
            1 => ("b := true", format!("b := b and (1 div {value} = 0)")),
            2 => ("a := 1", format!("a := a + (if {value} = 0 then 9223372036854775807 else -1)")),
            3 => ("a := -2", format!("a := a - (if {value} = 0 then 9223372036854775807 else -1)")),
            4 => ("a := 0", format!("a := a + {value}")),
            5 => ("a := 0", format!("a := a + 1; if {value} = 0 -> b := a = 1 [] otherwise -> skip fi")),
            _ => ("b := false", format!("b := b or {value} = 1")),
        };
        let turns = format!("{before}\nfor {r} in neighbours do {turn} od");
        // Where all numbers are equal, the turns fail in every order or in none.
        let x = self.new_name("x");
        let turns = match self.dice.chance(60) {
            true => format!(
                "if size({{ {map}[{x}] for {x} in neighbours }}) > 1 -> {turns} [] otherwise -> skip fi"
            ),
            false => turns,
        };
        let with = |number: &str| waiting::pattern(&name, &arguments(number, &rest, plain));
        let taken = |into: &str| waiting::pattern(&name, &arguments(into, &rest, |_| "_".into()));
        if self.dice.chance(50) {
            let pause = if self.dice.chance(50) { "pause\n" } else { "" };
            // The scope of the sender's name ends at once: a name that is kept holds the last port.
            let text = format!(
                "choose {k} in {{0, 1}}\nsend {} to neighbours\nif true -> receive {} from each {q} in neighbours fi\n{pause}{turns}\npause",
                with(&k),
                taken(&format!("{map}[{q}]"))
            );
            return Some(Tree::fixed(text, vec![]));
        }
        self.bare = Some(format!(
            "always\non {} from {q} -> {map}[{q}] := {k}; if size({map}) = degree -> {} [] otherwise -> skip fi",
            taken(&k),
            turns.replace('\n', "; ")
        ));
        let [zero, one] = ["0", "1"].map(with);
        let text = format!(
            "on wakeup -> if true -> send {zero} to neighbours [] true -> send {one} to neighbours fi"
        );
        Some(Tree::fixed(text, vec![]))
    }

    /// Return a choice of each process, and properties that compare all processes at once with lists in a set.
    fn marks(&mut self) -> Option<Tree> {
        if self.has(Switch::Roles) || !self.use_it(Switch::ListInSet, 70) {
            return None;
        }
        for marked in 0..self.processes_of_network() {
            let marks = (0..self.processes_of_network()).map(|p| ["0", "1"][usize::from(p == marked)]);
            let list = marks.collect::<Vec<_>>().join(", ");
            self.claims.push(("invariant", format!("not ([ p.a for p in processes ] in {{[{list}]}})")));
        }
        Some(Tree::fixed("pause\nif true -> a := 1 [] true -> skip fi\npause", vec![]))
    }

    /// Return a loop over ports whose turns gather values, or write each port's own entry.
    pub fn port_loop(&mut self) -> Option<Tree> {
        let q = self.new_name("q");
        let map = self.map_of_ports();
        let value = match &map {
            Some(map) => format!("(if {q} in {map} then {map}[{q}] else 0)"),
            None => "1".into(),
        };
        let ports = self.vars.iter().find(|v| v.ty == Ty::set(Ty::Port) && v.role == Role::Plain);
        let turn = match (self.dice.below(6), map, ports.map(|v| v.name.clone())) {
            (0, Some(map), _) => format!("{map}[{q}] := {}", self.dice.below(3)),
            (1, Some(map), _) => format!("{map}[{q}] := ({value} + 1) mod 3"),
            (2, _, Some(set)) => format!("{set} := {set} + {{{q}}}"),
            (3, _, _) => format!("b := b or {value} = 1"),
            (4, _, _) if self.fails => format!("b := b or (1 div {value} > 0)"),
            (4, _, _) if !self.repeated => "a := a + 1".into(),
            (5, _, _) if self.fails => format!("a := a - {value} * 4611686018427387905"),
            _ => format!("b := b and {value} = 1"),
        };
        Some(Tree::fixed(format!("for {q} in neighbours do {turn} od"), vec![]))
    }

    /// Return a choice of two ports, and later a decision that tells them apart.
    fn chosen_ports(&mut self) -> Option<Tree> {
        use Switch::*;
        if self.by_ids() || self.shape == UnidirectionalRing || self.has(Layer) {
            return None;
        }
        let nested = self.vars.iter().find(|v| v.ty == Ty::map(Ty::Port, Ty::map(Ty::Int, Ty::Int)));
        let nested = nested.map(|v| v.name.clone());
        let (t, u, k) = (self.new_name("t"), self.new_name("t"), self.new_name("k"));
        let drawn = self.draw(&[LeastByName, LeastOfList, NestedTurn])?;
        let (before, is_told) = match (drawn, nested) {
            (LeastByName, _) => {
                (String::new(), format!("(least {k} in {{0, 1}} by (if {k} = 0 then {t} else {u})) = 0"))
            }
            (LeastOfList, _) => (String::new(), format!("(least {k} in [{t}, {u}]) = {t}")),
            (_, Some(map)) => {
                let (q, r) = (self.new_name("q"), self.new_name("q"));
                // The number of the turn is in a local, or in a variable.
                let k = if self.dice.chance(50) { k } else { "a".into() };
                let counts = format!(
                    "for {q} in neighbours do {map}[{q}] := {{:}} od\n{k} := 0\n\
                     for {r} in neighbours do {k} := {k} + 1; {map}[{r}][{k}] := 5 od\n"
                );
                (counts, format!("1 in {map}[{t}]"))
            }
            (_, None) => return None,
        };
        if !self.use_it(drawn, 60) {
            return None;
        }
        self.claim_values(&["1", "2"]);
        let text = format!(
            "choose {t} in neighbours\nchoose {u} in neighbours\npause\n{before}\
             a := if {t} = {u} then 0 else if {is_told} then 1 else 2\npause"
        );
        Some(Tree::fixed(text, vec![]))
    }

    /// Return a reception from the members of a set that a view leaves out.
    fn view_of_senders(&mut self) -> Option<Tree> {
        let (name, rest) = self.unlike_message()?;
        let set = self.vars.iter().find(|v| v.name == "ws")?.name.clone();
        if !self.use_it(Switch::ViewOfSenders, 70) {
            return None;
        }
        let (to, from) = self.all_others();
        let q = self.new_name("q");
        let message = waiting::pattern(&name, &arguments("1", &rest, plain));
        let taken = waiting::pattern(&name, &arguments("_", &rest, |_| "_".into()));
        self.claim_values(&["7"]);
        let text = format!(
            "if true -> send {message} to {to} [] true -> skip fi\nif true -> {set} := {from} [] true -> {set} := {{}} fi\npause\n\
             receive {taken} from each {q} in {set}\na := 7\npause"
        );
        Some(Tree::fixed(text, vec![]))
    }

    /// Return a comparison of a number up to shift with an ordinary number, which a local or a part of a local holds.
    fn compared_with_shifted(&mut self) -> Option<Tree> {
        use Switch::*;
        if !self.has(ViewShift) {
            return None;
        }
        let t = self.new_name("t");
        let drawn = self.draw(&[FirstLocal, PartOfLocal])?;
        if !self.use_it(drawn, 60) {
            return None;
        }
        let number = 1 + self.dice.below(3);
        let (before, after) = match drawn {
            FirstLocal => {
                let value = ["#", "(# + 0)", "[#]", "{0: #}"][self.dice.below(4)];
                (format!("{t} := {value}\n").replace('#', &number.to_string()), (value, String::new()))
            }
            _ => {
                let (whole, part) = [("{0: z0}", "[0]"), ("[z0]", "[0]")][self.dice.below(2)];
                (String::new(), (whole, format!("{t} := {whole}\n{t}{part} := {number}\n")))
            }
        };
        let (form, again) = after;
        let value = if form.starts_with(['[', '{']) { format!("{t}[0]") } else { t };
        self.claim_values(&["1", "2"]);
        let text = format!(
            "{before}if true -> z0 := z0 + 1 [] true -> z0 := z0 + 3 fi\nz1 := z0\npause\n{again}\
             if z0 > {value} -> a := 1 [] otherwise -> a := 2 fi\npause"
        );
        Some(Tree::fixed(text, vec![]))
    }

    /// Return a message with a field that a view leaves out, which must arrive although its sender goes on for ever.
    fn owed_note(&mut self) -> Option<Tree> {
        use Switch::*;
        if !self.has(ViewWithout) || !self.has(Unordered) || self.has(Layer) || self.has(Roles) {
            return None;
        }
        if self.by_ids() && !self.has(Peers) || !self.use_it(UnorderedView, 70) {
            return None;
        }
        let (to, _) = self.all_others();
        let [first, second] = [1, 2].map(|note| format!("send Note({note}) to {to}"));
        let takes = ["a := 7", "a := 7 - a", "b := not b; a := 7"][self.dice.below(3)];
        self.bare = Some(format!("always\non Note(w) -> w0 := w; {takes}"));
        let kind = ["eventually", "settles"][self.dice.below(2)];
        self.claims.push((kind, "(some p: p.a = 7)".into()));
        self.claims.push(("leads", "(some p: p.a = 0) leads to (some p: p.a = 7)".into()));
        let turn =
            ["b := not b", "b := true; pause; b := false", "if b -> b := false [] otherwise -> b := true fi"];
        let turn = turn[self.dice.below(3)];
        let text = format!(
            "if true -> b := true; {first} [] true -> b := false; {second} fi\ndo true -> pause; {turn} od"
        );
        Some(Tree::fixed(text, vec![]))
    }

    /// Return values of `a` one after the other, and `stable` properties that some of them make fail, some true, and some false.
    fn failing_on_the_way(&mut self) -> Option<Tree> {
        if self.has(Switch::Layer) || self.has(Switch::Roles) || !self.use_it(Switch::FailingStable, 50) {
            return None;
        }
        for _ in 0..1 + self.dice.below(2) {
            let number = 1 + self.dice.below(3);
            let sign = ["> 0", "= 1", "!= 2", ">= 0", "> 1"][self.dice.below(5)];
            let body = format!("{number} div p.a {sign}");
            self.claims.push(match self.dice.below(3) {
                0 => ("stable", format!("(forall p: {body})")),
                1 => ("stable", format!("(some p: {body})")),
                _ => (STABLE_FOR_EACH, body),
            });
        }
        let value = |g: &mut Generator| ["0", "1", "2", "3", "-1"][g.dice.below(5)];
        let mut lines = vec![];
        for _ in 0..2 + self.dice.below(2) {
            lines.push(match self.dice.chance(35) {
                true => format!("if true -> a := {} [] true -> a := {} fi", value(self), value(self)),
                false => format!("a := {}", value(self)),
            });
            lines.push("pause".into());
        }
        Some(Tree::lines(lines.into_iter().map(|line| Tree::fixed(line, vec![])).collect()))
    }

    /// Return a choice of `a`, and properties of costs whose limits fail at some ends, and are exceeded at others.
    fn failing_at_an_end(&mut self) -> Option<Tree> {
        if self.has(Switch::Layer) || self.has(Switch::Roles) || !self.use_it(Switch::FailingLimit, 50) {
            return None;
        }
        for _ in 0..1 + self.dice.below(2) {
            let measure = ["messages", "messages", "bits", "time"][self.dice.below(4)];
            let (word, sign) = [("bound", ">="), ("bound", "<"), ("exactly", "=")][self.dice.below(3)];
            let number = 1 + self.dice.below(3);
            self.claims.push((word, format!("{measure} {sign} {number} div (sum p: p.a)")));
        }
        let text = "if true -> a := 1 [] true -> a := 0 [] true -> a := 2 fi\npause";
        Some(Tree::fixed(text, vec![]))
    }

    /// Return a quantifier in which the evaluation fails for some elements, and others decide.
    pub fn failing_quantifier(&mut self) -> Tree {
        let x = self.new_name("x");
        let (word, test) =
            [("forall", "> 1"), ("some", "= 1"), ("forall", "!= 2"), ("some", "= 2")][self.dice.below(4)];
        let set = match self.dice.below(4) {
            0 if self.place == Where::Property => {
                return Tree::expr(Ty::Bool, format!("({word} {x}: (2 div {x}.a) {test})"), vec![]);
            }
            0 | 1 => "{0, 1, 2}",
            2 => "{-1, 0, 1, 2}",
            _ => "({#} + {0, 2})",
        };
        let parts = if set.contains('#') { vec![self.int(0)] } else { vec![] };
        Tree::expr(Ty::Bool, format!("({word} {x} in {set}: (2 div {x}) {test})"), parts)
    }

    /// Return a decision, after an operation of a layer, by a variable that a view leaves out.
    fn waiting_layer(&mut self) -> Option<Tree> {
        if !self.has(Switch::Layer) || !self.has(Switch::ViewWithout) {
            return None;
        }
        self.claim_values(&["7", "8"]);
        let text = "if true -> w0 := 1 [] true -> w0 := 0 fi\nLow.cast(1)\nif w0 > 0 -> a := 7 [] otherwise -> a := 8 fi\npause";
        Some(Tree::fixed(text, vec![]))
    }

    /// Return a first statement that reads `received`, after a wake-up or a restart: earlier messages must be absent.
    pub fn received_first(&mut self, switch: Switch) -> Option<Tree> {
        if !self.use_it(switch, 70) {
            return None;
        }
        let before = std::mem::replace(&mut self.has_received, true);
        let made = self.read_received();
        self.has_received = before;
        Some(made)
    }

    /// Return a comparison of a value with an optional part and one without it, in either order.
    pub fn optional_compared(&mut self, depth: usize) -> Tree {
        let mut sides = [self.expr(&Ty::optional(Ty::Int), depth), self.int(depth)];
        if self.dice.chance(50) {
            sides.reverse();
        }
        let signs = if self.fails { 4 } else { 2 };
        let sign = ["=", "!=", "<", ">="][self.dice.below(signs)];
        let form = match self.dice.below(5) {
            0 | 1 => format!("((#, true) {sign} (#, true))"),
            2 => format!("([#] {} [#])", ["=", "!="][self.dice.below(2)]),
            3 => format!("({{#}} {} {{#}})", ["=", "!=", "<="][self.dice.below(3)]),
            _ => "(# in {#})".to_string(),
        };
        Tree::expr(Ty::Bool, form, sides.to_vec())
    }
}

pub fn arguments(first: &str, rest: &[Ty], other: impl Fn(&Ty) -> String) -> Vec<String> {
    [first.to_string()].into_iter().chain(rest.iter().map(other)).collect()
}

/// Return a value of a message's field.
pub fn plain(ty: &Ty) -> String {
    let text = match ty {
        Ty::Bool => "true",
        Ty::Set(_) => "{}",
        Ty::Optional(_) => "none",
        _ => "0",
    };
    text.into()
}
