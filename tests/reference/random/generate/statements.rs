//! Commands: statements that do not wait.

use super::{Generator, Role, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

const STATEMENTS: &[Switch] = {
    use Switch::*;
    &[
        AssignTwo,
        AssignKey,
        AssignComponent,
        TupleTarget,
        Local,
        SendPort,
        SendPort,
        SendSet,
        SendSet,
        SendSelf,
        SendSender,
        SendBare,
        Choose,
        If,
        If,
        If,
        Overlap,
        Do,
        ForSet,
        ForPorts,
        ForPorts,
        Remove,
        Call,
        TimerCommand,
        LayerCall,
        Upcall,
        LeftOutCommand,
        ShiftCommand,
    ]
};

impl Generator {
    /// Return some statements that do not wait.
    pub fn block(&mut self, depth: usize) -> Tree {
        let most = 1 + self.dice.below(3);
        self.block_of(depth, most)
    }

    pub fn block_of(&mut self, depth: usize, most: usize) -> Tree {
        let locals = self.locals.len();
        let mut lines = vec![];
        for _ in 0..most {
            lines.push(self.statement(depth));
        }
        self.locals.truncate(locals);
        Tree::lines(lines)
    }

    fn statement(&mut self, depth: usize) -> Tree {
        match self.dice.below(100) {
            0..=29 => return self.assignment(),
            30..=54 if self.sends_messages() => {
                if let Some(sent) = self.sending() {
                    return sent;
                }
            }
            _ => {}
        }
        self.one_of(STATEMENTS, |g, s| g.of_kind(s, depth)).unwrap_or_else(|| self.assignment())
    }

    /// Test whether commands send messages.
    pub fn sends_messages(&self) -> bool {
        matches!(self.model, Switch::Messages | Switch::Rounds) && !self.has(Switch::Layer)
    }

    /// Return a statement that sends, in one of the forms that are on.
    pub fn sending(&mut self) -> Option<Tree> {
        use Switch::*;
        let all = &[
            SendPort,
            SendPort,
            SendSet,
            SendSet,
            SendSelf,
            SendSender,
            SendSender,
            LeftOutCommand,
            ShiftCommand,
        ];
        self.one_of(all, |g, s| match s {
            LeftOutCommand if g.has(ViewWithout) => g.send_named("Note(w0)"),
            ShiftCommand if g.has(ViewShift) => g.send_named("Clock(z0)"),
            LeftOutCommand | ShiftCommand => None,
            _ => g.send(s),
        })
    }

    /// Return initial sends, so that runs are not trivial.
    pub fn initial_sends(&mut self) -> Tree {
        use Switch::*;
        let before = std::mem::replace(&mut self.repeated, false);
        let mut all = vec![];
        if self.has(Layer) {
            let value = self.bounded(&Ty::Int, 1);
            all.push(Tree::fixed("Low.cast(#)", vec![value]));
        } else if self.sends_messages() {
            for _ in 0..1 + self.dice.below(2) {
                let sent = self.sending().or_else(|| self.send(SendPort)).or_else(|| self.send(SendSet));
                all.extend(sent);
            }
            if self.has(ViewWithout) {
                let t = self.new_name("t");
                all.push(Tree::fixed(format!("choose {t} in {{0, 1}}\nw0 := {t}"), vec![]));
                all.extend(self.send_named("Note(w0)"));
            }
            if self.has(ViewShift) {
                all.push(Tree::fixed("if true -> z0 := z0 + 1 [] true -> z0 := z0 + 3 fi", vec![]));
                if self.dice.chance(60) {
                    all.push(Tree::fixed("z1 := z0", vec![]));
                }
                all.extend(self.send_named("Clock(z0)"));
            }
        }
        self.repeated = before;
        Tree::lines(all)
    }

    /// Return a send of a message that only a view concerns.
    fn send_named(&mut self, message: &str) -> Option<Tree> {
        let (to, parts) = self.destination(Switch::SendPort)?;
        Some(self.sparing(Tree::fixed(format!("send {message}{to}"), parts)))
    }

    /// Return a variable that commands may assign here; in an interaction it may have the prefix of the other process.
    fn assignable(&mut self) -> Option<(String, Ty, Option<i64>)> {
        let vars: Vec<_> = self.vars.iter().filter(|v| v.role == Role::Plain).cloned().collect();
        if vars.is_empty() {
            return None;
        }
        let var = self.dice.pick(&vars).clone();
        let other =
            self.model == Switch::Pairs && self.locals.iter().any(|(n, _)| n == "v") && self.dice.chance(50);
        let name = if other && !var.ty.has_port() { format!("v.{}", var.name) } else { var.name };
        Some((name, var.ty, var.most))
    }

    /// Return a value for a variable of this type and range.
    pub fn value_for(&mut self, ty: &Ty, most: Option<i64>) -> Tree {
        match most {
            Some(most) if self.dice.chance(92) || !self.fails => {
                let value = self.int(2);
                Tree::expr(Ty::Int, format!("(# mod {})", most + 1), vec![value])
            }
            Some(_) => self.int(1),
            None => self.bounded(ty, 2),
        }
    }

    pub fn assignment(&mut self) -> Tree {
        let Some((name, ty, most)) = self.assignable() else { return Tree::fixed("skip", vec![]) };
        let value = self.value_for(&ty, most);
        Tree::fixed(format!("{name} := #"), vec![value])
    }

    fn of_kind(&mut self, switch: Switch, depth: usize) -> Option<Tree> {
        use Switch::*;
        let in_messages = self.model == Messages;
        match switch {
            AssignTwo => {
                let (a, b) = (self.assignable()?, self.assignable()?);
                if a.0 == b.0 {
                    return None;
                }
                let parts = vec![self.value_for(&a.1, a.2), self.value_for(&b.1, b.2)];
                Some(Tree::fixed(format!("{}, {} := #, #", a.0, b.0), parts))
            }
            TupleTarget => self.tuple_assignment(),
            AssignKey => self.key_assignment(),
            AssignComponent if self.has(RecordVar) => {
                let name =
                    self.vars.iter().find(|v| v.ty == Ty::Entry && v.role == Role::Plain)?.name.clone();
                let value = self.bounded(&Ty::Int, 2);
                Some(Tree::fixed(format!("{name}.key := #"), vec![value]))
            }
            Local => {
                let name = self.new_name("t");
                let value = self.int(2);
                self.locals.push((name.clone(), Ty::Int));
                Some(Tree::fixed(format!("{name} := #"), vec![value]))
            }
            SendPort | SendSet | SendSelf | SendSender | SendBare
                if in_messages && !self.has(Layer) || self.model == Rounds =>
            {
                self.send(switch)
            }
            // A handler cannot wait.
            LayerCall if in_messages && self.has(Layer) && !self.has(WaitingLayer) => {
                let value = self.bounded(&Ty::Int, 1);
                let call = Tree::fixed("Low.cast(#)", vec![value]);
                Some(self.sparing(call))
            }
            Choose => {
                let ty = self.element();
                let name = self.new_name("t");
                let set = match self.dice.chance(60) || !self.fails {
                    true => self.literal(&Ty::set(ty.clone())),
                    false => self.set_of(&ty, 1),
                };
                self.locals.push((name.clone(), ty));
                Some(Tree::fixed(format!("choose {name} in #"), vec![set]))
            }
            If if depth > 0 => {
                let branches = 1 + self.dice.below(2);
                let mut all: Vec<Tree> = (0..branches).map(|_| self.branch(depth - 1)).collect();
                if self.use_it(Else, 30) {
                    let parts = vec![self.bool(1), self.block(depth - 1)];
                    all.push(Tree::fixed("otherwise # -> #", parts));
                }
                // Without it the command aborts where no guard holds.
                if self.dice.chance(90) || !self.fails {
                    let block = self.block_of(depth - 1, 1);
                    all.push(Tree::fixed("otherwise -> #", vec![block]));
                }
                Some(Tree::fixed("if # fi", vec![Tree::branches(all)]))
            }
            Overlap if depth > 0 => {
                let all = (0..2).map(|_| {
                    let block = self.block_of(depth - 1, 1);
                    Tree::fixed("true -> #", vec![block])
                });
                let all = all.collect();
                Some(Tree::fixed("if # fi", vec![Tree::branches(all)]))
            }
            Do if depth > 0 => {
                let name = self.new_name("t");
                let block = self.block_of(depth - 1, 1);
                let most = 1 + self.dice.below(2);
                Some(Tree::fixed(
                    format!("{name} := 0\ndo {name} < {most} -> #\n{name} := {name} + 1 od"),
                    vec![block],
                ))
            }
            ForPorts if self.alike => self.port_loop(),
            ForSet | ForPorts if depth > 0 => {
                let of = if switch == ForPorts { Ty::Port } else { self.element() };
                let name = self.new_name("q");
                let set = match of {
                    Ty::Port if self.dice.chance(70) => Tree::expr(Ty::set(Ty::Port), "neighbours", vec![]),
                    _ => self.set_of(&of, 1),
                };
                let body = self.with_local(&name, of, |g| g.block_of(depth - 1, 2));
                Some(Tree::fixed(format!("for {name} in # do # od"), vec![set, body]))
            }
            Remove => {
                let collections: Vec<(String, Ty)> = self
                    .vars
                    .iter()
                    .filter_map(|v| match &v.ty {
                        Ty::Set(of) | Ty::List(of) => Some((v.name.clone(), (**of).clone())),
                        Ty::Map(key, _) => Some((v.name.clone(), (**key).clone())),
                        _ => None,
                    })
                    .collect();
                if collections.is_empty() {
                    return None;
                }
                let (name, of) = self.dice.pick(&collections).clone();
                let value = self.expr(&of, 1);
                Some(Tree::fixed(format!("remove # from {name}"), vec![value]))
            }
            Call if self.has(Procedure) && !self.has_received && self.model != Pairs => {
                let value = self.bounded(&Ty::Int, 1);
                Some(Tree::fixed("change(#)", vec![value]))
            }
            TimerCommand if in_messages && (self.has(Timers) || self.has(BoundedDelay)) => {
                let form =
                    if self.dice.chance(80) { "set timer again after 1" } else { "cancel timer again" };
                let set = Tree::fixed(form, vec![]);
                Some(self.sparing(set))
            }
            Upcall if self.has(Problem) => {
                let name = self.interface.upcall?;
                let value = self.bounded(&Ty::Int, 1);
                let call = Tree::fixed(format!("{name}(#)"), vec![value]);
                Some(self.sparing(call))
            }
            LeftOutCommand if self.vars.iter().any(|v| v.role == Role::LeftOut) => {
                self.reads_left_out = true;
                let value = self.int(1);
                self.reads_left_out = false;
                let form =
                    ["w0 := #", "w0 := w0 + 1", "w0 := a", "w0 := if b then w0 else 7"][self.dice.below(4)];
                Some(Tree::fixed(form, if form.contains('#') { vec![value] } else { vec![] }))
            }
            ShiftCommand if self.vars.iter().any(|v| v.role == Role::Shifted) => {
                let form =
                    ["z0 := z0 + 1", "z1 := z0", "z0 := max(z0, z1) + 1", "z1 := z1 + 1"][self.dice.below(4)];
                Some(Tree::fixed(form, vec![]))
            }
            _ => None,
        }
    }

    pub fn branch(&mut self, depth: usize) -> Tree {
        let parts = vec![self.bool(2), self.block(depth)];
        Tree::fixed("# -> #", parts)
    }

    /// Return `(x, y) := (#, #)`, in one of several forms.
    fn tuple_assignment(&mut self) -> Option<Tree> {
        let (a, b) = (self.assignable()?, self.assignable()?);
        if a.0 == b.0 {
            return None;
        }
        if self.dice.chance(25) {
            let of =
                |ty: &Ty| self.vars.iter().find(|v| v.ty == *ty && v.role == Role::Plain && v.most.is_none());
            if let (Some(x), Some(y), Some(pair)) = (of(&Ty::Int), of(&Ty::Bool), of(&Ty::Pair)) {
                return Some(Tree::fixed(format!("({}, {}) := {}", x.name, y.name, pair.name), vec![]));
            }
        }
        let (x, y) = (self.value_for(&a.1, a.2), self.value_for(&b.1, b.2));
        let (a, b) = (a.0, b.0);
        Some(match self.dice.below(5) {
            0 => Tree::fixed(format!("({a}, _) := (#, #)"), vec![x, y]),
            1 => {
                let other = self.bool(1);
                Tree::fixed(format!("({a}, (_, {b})) := (#, (#, #))"), vec![x, other, y])
            }
            2 => {
                let t = self.new_name("t");
                let value = self.int(1);
                self.locals.push((t.clone(), Ty::Int));
                Tree::fixed(format!("({t}, {a}) := (#, #)"), vec![value, x])
            }
            _ => Tree::fixed(format!("({a}, {b}) := (#, #)"), vec![x, y]),
        })
    }

    fn key_assignment(&mut self) -> Option<Tree> {
        let maps: Vec<(String, Ty, Ty)> = self
            .vars
            .iter()
            .filter_map(|v| match &v.ty {
                Ty::Map(key, value) => Some((v.name.clone(), (**key).clone(), (**value).clone())),
                _ => None,
            })
            .collect();
        if maps.is_empty() {
            return None;
        }
        let (name, key, value) = self.dice.pick(&maps).clone();
        if self.alike && key == Ty::Port && self.locals.iter().all(|(_, ty)| *ty != Ty::Port) {
            return None;
        }
        let key_tree = self.bounded(&key, 1);
        if let Ty::Map(_, inner) = &value {
            // An inner map must already exist.
            if self.dice.chance(50) {
                return Some(Tree::fixed(format!("{name}[#] := {{:}}"), vec![key_tree]));
            }
            let parts = vec![key_tree.clone(), key_tree, self.bounded(&Ty::Int, 1), self.bounded(inner, 1)];
            return Some(Tree::fixed(
                format!("if # in {name} -> {name}[#][#] := # [] otherwise -> skip fi"),
                parts,
            ));
        }
        let parts = vec![key_tree, self.bounded(&value, 2)];
        Some(Tree::fixed(format!("{name}[#] := #"), parts))
    }

    // ---- Messages

    /// Return a message with arguments, or a bare value.
    pub fn message(&mut self, bare: bool) -> Tree {
        if bare {
            return self.bounded(&Ty::Int, 1);
        }
        let message = self.dice.pick(&self.messages).clone();
        let arguments: Vec<Tree> = message.fields.iter().map(|(_, ty)| self.argument(ty)).collect();
        if arguments.is_empty() {
            return Tree::fixed(message.name, vec![]);
        }
        let holes = vec!["#"; arguments.len()].join(", ");
        Tree::fixed(format!("{}({holes})", message.name), arguments)
    }

    fn argument(&mut self, ty: &Ty) -> Tree {
        match ty {
            Ty::Int if self.has(Switch::ViewWithout) && self.dice.chance(3) => {
                self.reads_left_out = true;
                let value = self.bounded(ty, 1);
                self.reads_left_out = false;
                value
            }
            _ => self.bounded(ty, 1),
        }
    }

    /// Return a statement that sends, limited if it is repeated.
    fn send(&mut self, switch: Switch) -> Option<Tree> {
        let (to, part) = self.destination(switch)?;
        let bare = switch == Switch::SendBare;
        let message = self.message(bare);
        let one = Tree::fixed(format!("send #{to}"), [vec![message], part].concat());
        let sent = if self.use_it(Switch::SendTwice, 15) { Tree::lines(vec![one.clone(), one]) } else { one };
        Some(self.sparing(sent))
    }

    /// Limit a statement that makes messages: if it is repeated, it consumes fuel.
    pub fn sparing(&mut self, statement: Tree) -> Tree {
        if !self.repeated || self.in_rounds() || self.dice.chance(3) {
            return statement;
        }
        Tree::fixed("if fuel > 0 -> fuel := fuel - 1\n#\n[] otherwise -> skip fi", vec![statement])
    }

    /// Return ` to …`, with its subtrees.
    fn destination(&mut self, switch: Switch) -> Option<(String, Vec<Tree>)> {
        use Switch::*;
        let plain = |text: &str| Some((format!(" to {text}"), vec![]));
        if self.by_ids() {
            let set = |tree| Some((" to #".to_string(), vec![tree]));
            let sender = self.locals.iter().rev().find(|(_, ty)| *ty == Ty::Id).map(|(name, _)| name.clone());
            return match switch {
                SendSelf => plain("id"),
                SendSender => plain(&sender?),
                SendSet if self.has(Peers) && self.dice.chance(70) => {
                    plain(["others", "everybody"][self.dice.below(2)])
                }
                SendSet if self.has(Peers) => set(self.set_of(&Ty::Id, 1)),
                _ if self.has(Peers) => {
                    plain(["others", "min(everybody)", "max(everybody)"][self.dice.below(3)])
                }
                _ => plain(&sender.unwrap_or("neighbours".into())),
            };
        }
        let sender = self.locals.iter().rev().find(|(_, ty)| *ty == Ty::Port).map(|(name, _)| name.clone());
        match (self.shape, switch) {
            (_, SendSelf) => None,
            (UnidirectionalRing, _) => Some((["", " to next"][self.dice.below(2)].into(), vec![])),
            (_, SendSender) => plain(&sender?),
            (_, SendSet) => match self.dice.below(4) {
                0 => match sender {
                    Some(sender) => plain(&format!("(neighbours - {{{sender}}})")),
                    None => plain("neighbours"),
                },
                1 if self.place == Where::Command => Some((" to #".into(), vec![self.set_of(&Ty::Port, 1)])),
                _ => plain("neighbours"),
            },
            (Complete, _) if self.has(VirtualRing) && self.dice.chance(50) => plain("next"),
            (BidirectionalRing, _) => plain(["left", "right"][self.dice.below(2)]),
            (Complete | Graph | UnorientedRing, _) if !self.alike && self.dice.chance(50) => plain("port(0)"),
            _ if self.has(Roles) && self.shape == Star => plain(["Source", "Other"][self.dice.below(2)]),
            _ => plain("neighbours"),
        }
    }
}
