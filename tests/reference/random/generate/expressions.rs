//! Numerical and Boolean expressions, and expressions of any type.

use super::{Generator, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

const NUMBERS: &[Switch] = {
    use Switch::*;
    &[
        Add,
        Add,
        Subtract,
        Multiply,
        Div,
        Mod,
        Negate,
        MaxMin,
        MaxOfSet,
        Abs,
        Pow,
        Log,
        SizeOf,
        SizeOf,
        SumOfSet,
        Count,
        Count,
        Sum,
        Components,
        Function,
        RandomElement,
        WeightOf,
    ]
};

const TRUTHS: &[Switch] = {
    use Switch::*;
    &[
        Compare,
        Compare,
        Compare,
        Compare,
        CompareCompound,
        OptionalCompared,
        And,
        Or,
        Not,
        Implies,
        Iff,
        ForAll,
        Exists,
        In,
        InRange,
        Inclusion,
        IsNone,
        StateTest,
        Components,
        Coin,
        PortOrder,
        FarEnd,
        FarRange,
        FailingQuantifier,
        ReceivedQuantifier,
        ReceivedSet,
        Heard,
        OracleCall,
        NeighbourId,
    ]
};

impl Generator {
    /// Return a random expression of this type.
    pub fn expr(&mut self, ty: &Ty, depth: usize) -> Tree {
        if depth == 0 || self.dice.chance(30) {
            return self.leaf(ty);
        }
        if self.dice.chance(12)
            && let Some(made) = self.of_any_type(ty, depth)
        {
            return made;
        }
        let made = match ty {
            Ty::Int => self.one_of(NUMBERS, |g, s| g.number(s, depth)),
            Ty::Bool => self.one_of(TRUTHS, |g, s| g.truth(s, depth)),
            Ty::Set(of) => self.set(&of.clone(), depth),
            Ty::List(of) => self.list(&of.clone(), depth),
            Ty::Map(key, value) => self.map(&key.clone(), &value.clone(), depth),
            Ty::Optional(of) => self.optional(&of.clone(), depth),
            _ => None,
        };
        made.unwrap_or_else(|| self.leaf(ty))
    }

    pub fn int(&mut self, depth: usize) -> Tree {
        self.expr(&Ty::Int, depth)
    }

    pub fn bool(&mut self, depth: usize) -> Tree {
        self.expr(&Ty::Bool, depth)
    }

    /// Return a type of elements that exist here.
    pub fn element(&mut self) -> Ty {
        if self.alike && self.place != Where::Property && self.dice.chance(60) {
            return Ty::Int;
        }
        let mut types = vec![Ty::Int, Ty::Int];
        match self.place {
            Where::Property => types.extend([Ty::Process, Ty::Process]),
            Where::Command | Where::Guard => {
                types.extend([Ty::Port, Ty::Port]);
                if self.has(Switch::Peers) {
                    types.push(Ty::Id);
                }
            }
            _ => {}
        }
        if self.has(Switch::EnumVar) {
            types.push(Ty::Colour);
        }
        self.dice.pick(&types).clone()
    }

    /// Return a conditional expression, or a part of a collection.
    fn of_any_type(&mut self, ty: &Ty, depth: usize) -> Option<Tree> {
        let all = &[Switch::Conditional, Switch::Lookup, Switch::Index, Switch::HeadLast];
        self.one_of(all, |g, s| g.of_any_type_by(s, ty, depth))
    }

    fn of_any_type_by(&mut self, switch: Switch, ty: &Ty, depth: usize) -> Option<Tree> {
        let one = |form: &str, parts| Some(Tree::expr(ty.clone(), form, parts));
        match switch {
            Switch::Conditional if *ty != Ty::Process => {
                let parts = vec![self.bool(depth - 1), self.expr(ty, depth - 1), self.expr(ty, depth - 1)];
                one("(if # then # else #)", parts)
            }
            Switch::Lookup if matches!(ty, Ty::Int | Ty::Map(..)) => {
                // Use a variable that is a map, if there is one.
                let maps: Vec<(String, Ty)> = self
                    .vars
                    .iter()
                    .filter_map(|v| match &v.ty {
                        Ty::Map(key, value) if **value == *ty => Some((v.name.clone(), (**key).clone())),
                        _ => None,
                    })
                    .collect();
                if maps.is_empty() || matches!(self.place, Where::Initial | Where::Constant) {
                    return None;
                }
                let (name, key) = self.dice.pick(&maps).clone();
                let (name, key) = match self.place {
                    Where::Property if key == Ty::Int && !self.processes.is_empty() => {
                        let process = self.dice.pick(&self.processes).clone();
                        (format!("{process}.{name}"), key)
                    }
                    Where::Property => return None,
                    _ => (name, key),
                };
                let key = self.expr(&key, depth - 1);
                // Most lookups first test whether the key exists.
                if (self.dice.chance(70) || !self.fails) && *ty == Ty::Int {
                    let other = self.int(0);
                    let again = key.clone();
                    return one(&format!("(if # in {name} then {name}[#] else #)"), vec![key, again, other]);
                }
                one(&format!("{name}[#]"), vec![key])
            }
            Switch::Index if *ty == Ty::Int && self.fails => {
                let parts = vec![self.plain_list(ty, depth - 1), self.int(0)];
                one("#[#]", parts)
            }
            Switch::HeadLast if *ty == Ty::Int => {
                let word = if self.dice.chance(50) { "head" } else { "last" };
                let form = if self.fails { format!("{word}(#)") } else { format!("{word}([0] + #)") };
                let parts = vec![self.list_of(ty, depth - 1)];
                one(&form, parts)
            }
            _ => None,
        }
    }

    /// Return a variable or a literal, which a bracket may follow.
    fn plain_list(&mut self, of: &Ty, _depth: usize) -> Tree {
        self.leaf(&Ty::list(of.clone()))
    }

    pub fn set_of(&mut self, of: &Ty, depth: usize) -> Tree {
        self.expr(&Ty::set(of.clone()), depth)
    }

    pub fn list_of(&mut self, of: &Ty, depth: usize) -> Tree {
        self.expr(&Ty::list(of.clone()), depth)
    }

    fn number(&mut self, switch: Switch, depth: usize) -> Option<Tree> {
        use Switch::*;
        let d = depth - 1;
        let (form, parts): (String, Vec<Tree>) = match switch {
            Add => ("(# + #)".into(), vec![self.int(d), self.int(d)]),
            Subtract => ("(# - #)".into(), vec![self.int(d), self.int(d)]),
            Multiply => ("(# * #)".into(), vec![self.int(d), self.int(d)]),
            Div | Mod => {
                let word = if switch == Div { "div" } else { "mod" };
                let by = if self.dice.chance(75) || !self.fails {
                    (2 + self.dice.below(2)).to_string()
                } else {
                    "#".into()
                };
                let mut parts = vec![self.int(d)];
                if by == "#" {
                    parts.push(self.int(d));
                }
                (format!("(# {word} {by})"), parts)
            }
            Negate => ("(-#)".into(), vec![self.int(0)]),
            MaxMin => {
                let word = ["max", "min"][self.dice.below(2)];
                (format!("{word}(#, #)"), vec![self.int(d), self.int(d)])
            }
            MaxOfSet => {
                let word = ["max", "min"][self.dice.below(2)];
                let set = self.set_of(&Ty::Int, d);
                match self.dice.chance(70) || !self.fails {
                    true => (format!("{word}({{0}} + #)"), vec![set]),
                    false => (format!("{word}(#)"), vec![set]),
                }
            }
            Abs => ("abs(#)".into(), vec![self.int(d)]),
            Pow => (format!("pow(#, {})", self.dice.below(4)), vec![self.int(d)]),
            Log => {
                let word = ["log2_floor", "log2_ceil"][self.dice.below(2)];
                let form = if self.fails { format!("{word}(#)") } else { format!("{word}(1 + # mod 5)") };
                (form, vec![self.int(d)])
            }
            SizeOf => {
                let of = self.element();
                let collection = match self.dice.below(3) {
                    0 if of == Ty::Int => self.list_of(&of, d),
                    _ => self.set_of(&of, d),
                };
                ("size(#)".into(), vec![collection])
            }
            SumOfSet => (
                "sum(#)".into(),
                vec![if self.dice.chance(50) { self.set_of(&Ty::Int, d) } else { self.list_of(&Ty::Int, d) }],
            ),
            Count => return Some(self.binder(&Ty::Int, "count", &Ty::Bool, d)),
            Sum => return Some(self.binder(&Ty::Int, "sum", &Ty::Int, d)),
            Components => match self.has(TupleVar) {
                true => ("#.1".into(), vec![self.leaf(&Ty::Pair)]),
                false if self.has(RecordVar) => ("#.key".into(), vec![self.leaf(&Ty::Entry)]),
                false => return None,
            },
            Function if self.place != Where::Constant => {
                self.used.set(Function, true);
                ("f0(#)".into(), vec![self.int(d)])
            }
            RandomElement if self.place == Where::Command && self.has(Randomness) => {
                ("random({#, #})".into(), vec![self.int(0), self.int(0)])
            }
            WeightOf if self.has(Weights) && matches!(self.place, Where::Command | Where::Guard) => {
                ("weight(#)".into(), vec![self.leaf(&Ty::Port)])
            }
            _ => return None,
        };
        Some(Tree::expr(Ty::Int, form, parts))
    }

    /// Return `count`, `sum`, `forall` or `some` over a set.
    pub fn binder(&mut self, ty: &Ty, word: &str, body: &Ty, depth: usize) -> Tree {
        let of = self.element();
        let x = self.new_name("x");
        let set = self.set_of(&of, depth.min(1));
        let with = self.use_it(Switch::WithGuard, 25);
        let two = self.use_it(Switch::TwoBinders, 15);
        let y = self.new_name("y");
        self.with_local(&x, of.clone(), |g| {
            let second = two.then(|| g.set_of(&of, 0));
            let inner = |g: &mut Generator| {
                let guard = with.then(|| g.bool(1));
                (guard, g.expr(body, depth))
            };
            let (guard, value) = if two { g.with_local(&y, of.clone(), inner) } else { inner(g) };
            let mut parts = vec![set];
            let mut form = format!("({word} {x} in #");
            if let Some(second) = second {
                form.push_str(&format!(", {y} in #"));
                parts.push(second);
            }
            if let Some(guard) = guard {
                form.push_str(" with #");
                parts.push(guard);
            }
            form.push_str(": #)");
            parts.push(value);
            Tree::expr(ty.clone(), form, parts)
        })
    }

    fn truth(&mut self, switch: Switch, depth: usize) -> Option<Tree> {
        use Switch::*;
        let d = depth - 1;
        let in_process = matches!(self.place, Where::Command | Where::Guard);
        let (form, parts): (String, Vec<Tree>) = match switch {
            Compare => {
                let sign = *self.dice.pick(&["=", "!=", "<", "<=", ">", ">="]);
                let ty = self.comparable(sign);
                (format!("(# {sign} #)"), vec![self.expr(&ty, d), self.expr(&ty, d)])
            }
            CompareCompound => {
                let sign = *self.dice.pick(&["=", "!=", "<"]);
                let ty = match self.dice.below(5) {
                    0 if self.has(TupleVar) => Ty::Pair,
                    1 if self.has(RecordVar) => Ty::Entry,
                    2 => Ty::list(Ty::Int),
                    3 => Ty::map(Ty::Int, Ty::Int),
                    _ => Ty::set(Ty::Int),
                };
                let has_order = !matches!(ty, Ty::Entry | Ty::List(_));
                let sign = if has_order { sign } else { "=" };
                (format!("(# {sign} #)"), vec![self.expr(&ty, d), self.expr(&ty, d)])
            }
            OptionalCompared => return Some(self.optional_compared(d)),
            And => ("(# and #)".into(), vec![self.bool(d), self.bool(d)]),
            Or => ("(# or #)".into(), vec![self.bool(d), self.bool(d)]),
            Not => ("(not #)".into(), vec![self.bool(d)]),
            Implies => ("(# implies #)".into(), vec![self.bool(d), self.bool(d)]),
            Iff => ("(# iff #)".into(), vec![self.bool(d), self.bool(d)]),
            ForAll => return Some(self.binder(&Ty::Bool, "forall", &Ty::Bool, d)),
            Exists => return Some(self.binder(&Ty::Bool, "some", &Ty::Bool, d)),
            In => {
                let of = self.element();
                let sign = ["in", "not in"][self.dice.below(2)];
                let element = match (&of, self.processes.last()) {
                    (Ty::Process, None) => return None,
                    (Ty::Port, _) if self.alike && self.locals.iter().all(|(_, ty)| *ty != Ty::Port) => {
                        return None;
                    }
                    (Ty::Process, Some(p)) => Tree::expr(Ty::Process, p.clone(), vec![]),
                    _ => self.expr(&of, d),
                };
                (format!("(# {sign} #)"), vec![element, self.set_of(&of, d)])
            }
            FailingQuantifier if self.fails && self.place != Where::Constant => {
                return Some(self.failing_quantifier());
            }
            InRange if self.fails && self.use_it(FailingRangeEnd, 40) => {
                // A range that begins above the element, and one that may contain it.
                let first = if self.dice.chance(60) { Tree::expr(Ty::Int, "9", vec![]) } else { self.int(0) };
                let divisor = match self.dice.below(3) {
                    0 => Tree::expr(Ty::Int, "(# mod 2)", vec![self.int(0)]),
                    1 => Tree::expr(Ty::Int, "0", vec![]),
                    _ => self.int(0),
                };
                ("(# in #..(1 div #))".into(), vec![self.int(d), first, divisor])
            }
            InRange => ("(# in #..#)".into(), vec![self.int(d), self.int(0), self.int(0)]),
            Inclusion => {
                let of = self.element();
                ("(# <= #)".into(), vec![self.set_of(&of, d), self.set_of(&of, d)])
            }
            IsNone => {
                let name =
                    self.vars.iter().find(|v| matches!(v.ty, Ty::Optional(_))).map(|v| v.name.clone())?;
                let sign = ["=", "!="][self.dice.below(2)];
                match (self.place, self.processes.last()) {
                    (Where::Property, Some(p)) => (format!("({p}.{name} {sign} none)"), vec![]),
                    (Where::Command | Where::Guard, _) => (format!("({name} {sign} none)"), vec![]),
                    _ => return None,
                }
            }
            StateTest => {
                let state = self
                    .dice
                    .pick(&self.states.iter().cloned().chain(["".into()]).collect::<Vec<_>>())
                    .clone();
                match (self.place, self.processes.last().cloned()) {
                    (Where::Property, Some(p)) if self.has(Roles) && self.use_it(RoleBinder, 40) => {
                        let role = ["Source", "Other"][self.dice.below(2)];
                        (format!("({p} in {role})"), vec![])
                    }
                    _ if state.is_empty() => return None,
                    (Where::Property, Some(p)) => (format!("({p} in {state})"), vec![]),
                    _ if self.has(Roles) => return None,
                    _ if in_process && self.model == Messages => (state, vec![]),
                    _ => return None,
                }
            }
            Components => match self.has(TupleVar) {
                true => ("#.2".into(), vec![self.leaf(&Ty::Pair)]),
                false if self.has(RecordVar) => ("#.tag".into(), vec![self.leaf(&Ty::Entry)]),
                false => return None,
            },
            Coin if self.place == Where::Command && self.has(Randomness) => {
                (["coin", "coin(1/3)", "coin(0/2)"][self.dice.below(3)].into(), vec![])
            }
            PortOrder if self.alike && self.locals.iter().all(|(_, ty)| *ty != Ty::Port) => return None,
            PortOrder if in_process => {
                let sign = ["=", "!=", "<", ">="][self.dice.below(if self.alike { 2 } else { 4 })];
                (format!("(# {sign} #)"), vec![self.leaf(&Ty::Port), self.leaf(&Ty::Port)])
            }
            FarEnd if in_process && matches!(self.model, ReadsNeighbours | Pairs) => {
                let ports = self.locals.iter().filter(|(_, ty)| *ty == Ty::Port);
                let ports: Vec<String> = ports.map(|(name, _)| name.clone()).collect();
                if ports.is_empty() {
                    return None;
                }
                let q = self.dice.pick(&ports).clone();
                match self.vars.iter().find(|v| v.ty == Ty::optional(Ty::Port)).map(|v| v.name.clone()) {
                    Some(mate) => {
                        let forms = ["({q}.{m} = far_end({q}))", "({q}.{m} != far_end({q}))", "({m} = {q})"];
                        let form = forms[self.dice.below(3)].replace("{q}", &q).replace("{m}", &mate);
                        (form, vec![])
                    }
                    None => (format!("(far_end({q}) = #)"), vec![self.leaf(&Ty::Port)]),
                }
            }
            FarRange if self.place != Where::Constant => {
                let (first, last) = self.far_ends();
                let forms = ["(size({}) = 0)", "({} = {})", "(some f in {}: f > 0)"];
                let form = forms[self.dice.below(3)];
                (form.replacen("{}", &format!("({first}..{last})"), 1), vec![])
            }
            ReceivedQuantifier if self.has_received && in_process => return self.some_received(d),
            ReceivedSet if self.has_received && in_process && !self.has(Beeps) => {
                let message = self.dice.pick(&self.messages).name.clone();
                (format!("(arrived {message})"), vec![])
            }
            Heard if self.model == Radio && self.has_received && in_process => {
                let word = match (self.has(Beeps), self.has(CollisionDetection)) {
                    (true, _) => ["silence", "beep"][self.dice.below(2)],
                    (_, true) => ["silence", "success", "collision"][self.dice.below(3)],
                    _ => ["silence", "success"][self.dice.below(2)],
                };
                (format!("(heard = {word})"), vec![])
            }
            OracleCall if self.model == Pairs && self.has(Oracle) && in_process => {
                ("some_true()".into(), vec![])
            }
            NeighbourId if self.has(KnowsNeighbours) && in_process && !self.by_ids() => {
                ("(neighbour(#) < id)".into(), vec![self.leaf(&Ty::Port)])
            }
            _ => return None,
        };
        Some(Tree::expr(Ty::Bool, form, parts))
    }

    /// Return a type whose values this operator can compare here.
    fn comparable(&mut self, sign: &str) -> Ty {
        use Switch::*;
        let mut types = vec![Ty::Int, Ty::Int, Ty::Int];
        if self.has(EnumVar) {
            types.push(Ty::Colour);
        }
        if self.has_ids() && self.place != Where::Constant {
            types.push(Ty::Id);
        }
        if matches!(sign, "=" | "!=") {
            types.push(Ty::Bool);
        }
        self.dice.pick(&types).clone()
    }
}
