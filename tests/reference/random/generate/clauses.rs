//! Declarations: messages, types, constants, variables, functions, procedures.

use super::{Generator, Message, Role, Var, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

impl Generator {
    pub fn declarations(&mut self) -> Vec<Tree> {
        use Switch::*;
        let mut all = vec![];
        self.choose_messages();
        if self.model == Messages {
            let most = if self.plain { 80 } else { 20 };
            self.use_it(ViewWithout, most);
            if !self.has(Layer) {
                self.use_it(ViewShift, most);
            }
        }
        if self.has(Layer) {
            let text = self.layer_text();
            self.case.files.push(("lower".into(), text));
        } else {
            all.extend(self.message_clause());
        }
        if self.use_it(EnumVar, 40) {
            all.push(clause("enum Colour = red | green"));
        }
        if self.use_it(RecordVar, 30) {
            all.push(clause("record Entry(key: Int, tag: Bool)"));
        }
        if self.use_it(Param, 30) {
            let value = self.dice.below(3);
            all.push(clause(format!("param k0 : Int = {value}")));
        }
        if self.use_it(Const, 30) {
            let value = self.within(Where::Constant, |g| g.literal(&Ty::Int));
            all.push(Tree::fixed("const c0 : Int = #", vec![value]));
        }
        all.extend(self.variables());
        if self.use_it(Function, 30) {
            let body = self.within(Where::Constant, |g| g.with_local("a", Ty::Int, |g| g.int(2)));
            all.push(Tree::fixed("function f0(a: Int) : Int = #", vec![body]));
        } else {
            self.on.set(Function, false);
        }
        if self.vars.iter().any(|v| matches!(v.ty, Ty::List(_))) {
            all.push(clause("function short(l) = if size(l) < 3 then l else [head(l), last(l)]"));
        }
        if self.model == Pairs && self.has(Oracle) {
            let bools: Vec<String> =
                self.vars.iter().filter(|v| v.ty == Ty::Bool).map(|v| format!("p.{}", v.name)).collect();
            let body = bools.first().cloned().unwrap_or("p.index = 0".into());
            all.push(clause(format!("function some_true() : Bool = some p: {body}")));
        }
        if !matches!(self.model, ReadsNeighbours | Pairs | Radio) && self.use_it(Procedure, 30) {
            // A procedure may be called from anywhere, so its sends are limited.
            self.used.set(Procedure, false);
            let before = std::mem::replace(&mut self.repeated, true);
            let block = self.with_local("a", Ty::Int, |g| g.block_of(1, 2));
            self.repeated = before;
            self.used.set(Procedure, true);
            all.push(Tree::fixed("procedure change(a: Int)\n#", vec![block]));
        }
        all
    }

    fn choose_messages(&mut self) {
        let count = 1 + self.dice.below(2);
        for number in 0..count {
            let types = [Ty::Int, Ty::Int, Ty::Bool, Ty::set(Ty::Int), Ty::optional(Ty::Int)];
            let fields = (0..self.dice.below(3)).map(|field| {
                let ty = self.dice.pick(&types).clone();
                (format!("f{field}"), ty)
            });
            let mut fields: Vec<(String, Ty)> = fields.collect();
            // Patterns need a message that begins with a number.
            if number == 0 && (!self.profile.is_empty() || self.dice.chance(50)) {
                match fields.first_mut() {
                    Some(first) => first.1 = Ty::Int,
                    None => fields.push(("f0".into(), Ty::Int)),
                }
            }
            self.messages.push(Message { name: format!("M{number}"), fields });
        }
    }

    fn message_clause(&mut self) -> Option<Tree> {
        use Switch::*;
        if matches!(self.model, ReadsNeighbours | Pairs) || self.has(Beeps) {
            return None;
        }
        let mut declared: Vec<Tree> = self
            .messages
            .iter()
            .map(|m| {
                let fields: Vec<String> =
                    m.fields.iter().map(|(name, ty)| format!("{name}: {}", ty.text())).collect();
                Tree::fixed(super::waiting::pattern(&m.name, &fields), vec![])
            })
            .collect();
        if self.has(ViewWithout) {
            declared.push(clause("Note(w: Int)"));
        }
        if self.has(ViewShift) {
            declared.push(clause("Clock(z: Int)"));
        }
        Some(Tree::fixed("message #", vec![Tree::commas(declared, 1)]))
    }

    fn variables(&mut self) -> Vec<Tree> {
        use Switch::*;
        let sender = self.sender_type();
        let port = || sender.clone();
        let finite = matches!(self.model, ReadsNeighbours | Pairs);
        let mut wanted: Vec<(Switch, Ty, Option<i64>)> =
            vec![(RangeVar, Ty::Int, Some(1 + self.dice.below(2) as i64))];
        if !finite {
            wanted.extend([
                (OptionalVar, Ty::optional(Ty::Int), None),
                (SetVar, Ty::set(Ty::Int), None),
                (ListVar, Ty::list(Ty::Int), None),
                (MapVar, Ty::map(Ty::Int, Ty::Int), None),
                (IdVar, Ty::Id, None),
                (PortVar, Ty::optional(port()), None),
                (PortSet, Ty::set(port()), None),
                (PortMap, Ty::map(port(), Ty::Int), None),
                (NestedMap, Ty::map(port(), Ty::map(Ty::Int, Ty::Int)), None),
            ]);
        }
        if finite {
            wanted.extend([(IdVar, Ty::Id, None), (PortVar, Ty::optional(Ty::Port), None)]);
        }
        wanted.extend([
            (TupleVar, Ty::Pair, None),
            (RecordVar, Ty::Entry, None),
            (EnumVar, Ty::Colour, None),
        ]);
        let mut all = vec![];
        let plain = [("a", Ty::Int, finite.then_some(2)), ("b", Ty::Bool, None)];
        for (name, ty, most) in plain {
            all.push(self.variable(name.into(), ty, most));
        }
        if self.dice.chance(60) {
            all.push(self.variable("c".into(), Ty::Int, finite.then_some(1)));
        }
        for (number, (switch, ty, most)) in wanted.into_iter().enumerate() {
            let fits = match ty {
                Ty::Id => self.has_ids(),
                Ty::Pair if finite => false,
                Ty::Entry => self.has(RecordVar) && !finite,
                Ty::Colour => self.has(EnumVar),
                _ => true,
            };
            let for_pattern = match switch {
                PortMap => self.on.has(PortTurns),
                NestedMap => self.on.has(NestedTurn),
                _ => false,
            };
            if fits && self.use_it(switch, if for_pattern { 85 } else { 45 }) {
                all.push(self.variable(format!("v{number}"), ty, most));
            } else if matches!(switch, TupleVar | IdVar) {
                self.on.set(switch, false);
            }
        }
        if self.has(ViewWithout) {
            self.vars.push(Var { name: "w0".into(), ty: Ty::Int, most: None, role: Role::LeftOut });
            all.push(clause("var w0 : Int"));
            if !self.has(Layer) && (self.has(Peers) || !self.by_ids()) && self.on.has(ViewOfSenders) {
                let ty = Ty::set(sender.clone());
                all.push(clause(format!("var ws : {}", ty.text())));
                self.vars.push(Var { name: "ws".into(), ty, most: None, role: Role::LeftOut });
            }
        }
        if self.has(ViewShift) {
            for name in ["z0", "z1"] {
                self.vars.push(Var { name: name.into(), ty: Ty::Int, most: None, role: Role::Shifted });
            }
            all.push(clause("var z0, z1 : Int"));
        }
        if self.model == Messages {
            self.vars.push(Var { name: "fuel".into(), ty: Ty::Int, most: Some(2), role: Role::Fuel });
            let fuel = 1 + self.dice.below(2);
            all.push(clause(format!("var fuel : Int := {fuel}")));
        }
        all
    }

    fn variable(&mut self, name: String, ty: Ty, most: Option<i64>) -> Tree {
        use Switch::*;
        let persistent = self.has(Restarts) && self.use_it(StableVar, 30);
        let word = if persistent { "persistent var" } else { "var" };
        let written = most.map_or(ty.text(), |most| format!("0..{most}"));
        let finite = most.is_some() || matches!(ty, Ty::Bool | Ty::Colour);
        let form = format!("{word} {name} : {written}");
        let declared = if finite && !self.alike && self.use_it(AnyInitial, 25) {
            clause(format!("{form} := any"))
        } else if most.is_some() && self.has(Randomness) && self.use_it(RandomInitial, 25) {
            clause(format!("{form} := random(0..1)"))
        } else if ty == Ty::Colour {
            clause(format!("{form} := red"))
        } else if ty == Ty::Id {
            let any = !self.alike && self.use_it(AnyId, 35);
            clause(format!("{form} := {}", if any { "any" } else { "id" }))
        } else if ty == Ty::optional(Ty::Port) && !self.alike && self.use_it(AnyPort, 25) {
            clause(format!("{form} := any"))
        } else if self.dice.chance(30)
            && !matches!(ty, Ty::Map(..))
            && !ty.has_port()
            && !ty.has_id()
            && most.is_none()
        {
            let value = self.within(Where::Initial, |g| g.literal(&ty));
            Tree::fixed(format!("{form} := #"), vec![value])
        } else {
            clause(form)
        };
        self.vars.push(Var { name, ty, most, role: Role::Plain });
        declared
    }

    /// Return the text of the layer below, which forwards its input.
    fn layer_text(&mut self) -> String {
        let seen = if self.dice.chance(50) { "  seen := (seen + k) mod 2\n" } else { "" };
        let (waits, ok) = match self.use_it(Switch::WaitingLayer, 60) {
            true => ("\n  await ok\n  ok := false", "  ok := true\n"),
            false => ("", ""),
        };
        format!(
            "algorithm lower\nassumes {}\nmessage Data(k: Int)\nvar seen : Int\nvar ok : Bool\noperation cast(k: Int)\n{seen}  send Data(k) to {}{waits}\n\
             on Data(k) ->\n{ok}  deliver(k)\n",
            match self.shape {
                Switch::UnidirectionalRing => "unidirectional ring",
                _ => "connected graph",
            },
            match self.shape {
                Switch::UnidirectionalRing => "next",
                _ => "neighbours",
            }
        )
    }
}

pub fn clause(text: impl Into<String>) -> Tree {
    Tree::fixed(text, vec![])
}
